//! Formulas compiled to straight-line programs over bit tables.
//!
//! The value of a formula with free variables v₁ … vₖ is a table over all assignments: two bits (may, must) per
//! assignment, packed so that the last variable runs along the bits of a word. Connectives are word operations,
//! a quantifier folds one dimension, transitive closure is Warshall's algorithm on bit rows. Equal subformulas of all
//! formulas compiled into one program share a register, so the closure of a field is computed once per step.

use crate::vocabulary::{Arity, Vocabulary};
use heapwise_logic::{Formula, Kleene, Predicate, Steps, Variable};
use rustc_hash::FxHashMap;

/// A register: the table of one subformula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Register(pub(crate) usize);

/// How an operand with fewer variables is read at a place of the result's table.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Feed {
    /// The same variables.
    Same,
    /// No variables.
    Scalar,
    /// The operand's dimensions, as dimensions of the result, ascending.
    Dimensions(Vec<usize>),
}

/// Where a dimension of a source table comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Coordinate {
    /// A dimension of the result.
    Dimension(usize),
    /// An individual given when the program runs.
    Parameter(usize),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Operation {
    Literal(Kleene),
    Nullary(usize),
    Unary(usize),
    Binary(usize),
    Equality,
    Not(Register),
    And(Vec<(Register, Feed)>),
    Or(Vec<(Register, Feed)>),
    IfThenElse(Box<[(Register, Feed); 3]>),
    /// Folds a dimension by disjunction over the existing individuals.
    Exists(Register, usize),
    /// The closure over the last two dimensions.
    Closure(Register, Steps),
    Transpose(Register),
    Gather(Register, Vec<Coordinate>),
    /// What both say; two definite values that differ are a conflict.
    Meet(Register, Register),
}

/// A compiled program.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) operations: Vec<Operation>,
    /// The number of dimensions of each register.
    pub(crate) dimensions: Vec<usize>,
}

impl Program {
    /// The number of dimensions of a register's table.
    #[must_use]
    pub fn dimensions(&self, register: Register) -> usize {
        self.dimensions[register.0]
    }
}

/// A table under construction: where it is and which variable each of its dimensions stands for, ascending.
#[derive(Clone, Debug)]
struct Value {
    register: Register,
    variables: Vec<usize>,
}

/// What a variable means while compiling.
#[derive(Clone, Copy, Debug)]
enum Binding {
    /// A dimension.
    Index(usize),
    /// An individual given when the program runs.
    Parameter(usize),
}

/// Compiles formulas into one program.
pub struct Compiler<'a> {
    vocabulary: &'a Vocabulary,
    operations: Vec<Operation>,
    dimensions: Vec<usize>,
    known: FxHashMap<Operation, Register>,
    primed: FxHashMap<usize, Register>,
    parameters: Vec<Variable>,
}

/// Dimensions 0 and 1 belong to the arguments of what is compiled; bound variables come after them.
const FIRST_BOUND: usize = 8;

impl<'a> Compiler<'a> {
    /// A compiler; `parameters` are variables whose individuals are given when the program runs.
    #[must_use]
    pub fn new(vocabulary: &'a Vocabulary, parameters: &[Variable]) -> Compiler<'a> {
        Compiler {
            vocabulary,
            operations: Vec::new(),
            dimensions: Vec::new(),
            known: FxHashMap::default(),
            primed: FxHashMap::default(),
            parameters: parameters.to_vec(),
        }
    }

    /// The program so far.
    #[must_use]
    pub fn finish(self) -> Program {
        Program { operations: self.operations, dimensions: self.dimensions }
    }

    /// Compiles `formula`; dimension `i` of the result is `arguments[i]`. A variable that is neither an argument nor
    /// a parameter makes its atom 1/2.
    pub fn add(&mut self, formula: &Formula, arguments: &[Variable]) -> Register {
        let mut scope: Vec<(Variable, Binding)> =
            self.parameters.iter().cloned().enumerate().map(|(i, v)| (v, Binding::Parameter(i))).collect();
        scope.extend(arguments.iter().cloned().enumerate().map(|(i, v)| (v, Binding::Index(i))));
        let value = self.formula(formula, &mut scope, FIRST_BOUND);
        self.spread(value, &(0..arguments.len()).collect::<Vec<_>>()).register
    }

    /// Lets primed atoms of `predicate` read `register`, whose dimensions are the predicate's arguments.
    pub fn define_primed(&mut self, predicate: Predicate, register: Register) {
        self.primed.insert(predicate.index(), register);
    }

    /// What two tables of the same dimensions both say.
    pub fn meet(&mut self, a: Register, b: Register) -> Register {
        if a == b { a } else { self.emit(Operation::Meet(a, b), self.dimensions[a.0]) }
    }

    fn emit(&mut self, operation: Operation, dimensions: usize) -> Register {
        if let Some(register) = self.known.get(&operation) {
            return *register;
        }
        let register = Register(self.operations.len());
        self.operations.push(operation.clone());
        self.dimensions.push(dimensions);
        self.known.insert(operation, register);
        register
    }

    fn literal(&mut self, value: Kleene) -> Value {
        Value { register: self.emit(Operation::Literal(value), 0), variables: Vec::new() }
    }

    fn formula(&mut self, formula: &Formula, scope: &mut Vec<(Variable, Binding)>, depth: usize) -> Value {
        match formula {
            Formula::Literal(value) => self.literal(*value),
            Formula::Atom(p, args) => {
                let source = match self.primed.get(&p.index()) {
                    Some(register) if p.is_primed() => *register,
                    _ => {
                        let slot = self.vocabulary.slot(*p);
                        match slot.arity {
                            Arity::Nullary => self.emit(Operation::Nullary(slot.index), 0),
                            Arity::Unary => self.emit(Operation::Unary(slot.index), 1),
                            Arity::Binary => self.emit(Operation::Binary(slot.index), 2),
                        }
                    }
                };
                self.place(source, &[], args, scope)
            }
            Formula::Equal(a, b) => {
                let source = self.emit(Operation::Equality, 2);
                self.place(source, &[], &[a.clone(), b.clone()], scope)
            }
            Formula::Not(f) => {
                let value = self.formula(f, scope, depth);
                self.not(value)
            }
            Formula::And(fs) => {
                let values = fs.iter().map(|f| self.formula(f, scope, depth)).collect();
                self.connect(values, Operation::And, Kleene::True)
            }
            Formula::Or(fs) => {
                let values = fs.iter().map(|f| self.formula(f, scope, depth)).collect();
                self.connect(values, Operation::Or, Kleene::False)
            }
            Formula::IfThenElse(c, a, b) => {
                let values: Vec<Value> = [c, a, b].into_iter().map(|f| self.formula(f, scope, depth)).collect();
                let (variables, feeds) = feeds(&values);
                let Ok(feeds) = <[(Register, Feed); 3]>::try_from(feeds) else { return self.literal(Kleene::Unknown) };
                let register = self.emit(Operation::IfThenElse(Box::new(feeds)), variables.len());
                Value { register, variables }
            }
            Formula::Exists(vs, f) => self.exists(vs, f, scope, depth),
            Formula::Forall(vs, f) => {
                let value = self.exists(vs, &!(**f).clone(), scope, depth);
                self.not(value)
            }
            Formula::Closure { steps, from, to, left, right, step } => {
                scope.extend([(left.clone(), Binding::Index(depth)), (right.clone(), Binding::Index(depth + 1))]);
                let value = self.formula(step, scope, depth + 2);
                scope.truncate(scope.len() - 2);
                let outer: Vec<usize> = value.variables.iter().copied().filter(|v| *v < depth).collect();
                let all: Vec<usize> = outer.iter().copied().chain([depth, depth + 1]).collect();
                let value = self.spread(value, &all);
                let source = self.emit(Operation::Closure(value.register, *steps), all.len());
                self.place(source, &outer, &[from.clone(), to.clone()], scope)
            }
        }
    }

    fn exists(&mut self, vs: &[Variable], body: &Formula, scope: &mut Vec<(Variable, Binding)>, depth: usize) -> Value {
        scope.extend(vs.iter().cloned().enumerate().map(|(i, v)| (v, Binding::Index(depth + i))));
        let mut value = self.formula(body, scope, depth + vs.len());
        scope.truncate(scope.len() - vs.len());
        for v in (depth..depth + vs.len()).rev() {
            // A variable that does not occur still asks for an individual.
            if !value.variables.contains(&v) {
                let with: Vec<usize> = value.variables.iter().copied().filter(|w| *w < v).chain([v]).collect();
                let with =
                    with.into_iter().chain(value.variables.iter().copied().filter(|w| *w > v)).collect::<Vec<_>>();
                value = self.spread(value, &with);
            }
            let position = value.variables.iter().position(|w| *w == v).unwrap_or(0);
            let register = self.emit(Operation::Exists(value.register, position), value.variables.len() - 1);
            let variables = value.variables.iter().copied().filter(|w| *w != v).collect();
            value = Value { register, variables };
        }
        value
    }

    fn not(&mut self, value: Value) -> Value {
        if let Operation::Not(inner) = self.operations[value.register.0] {
            return Value { register: inner, ..value };
        }
        let register = self.emit(Operation::Not(value.register), value.variables.len());
        Value { register, ..value }
    }

    fn connect(
        &mut self,
        values: Vec<Value>,
        operation: fn(Vec<(Register, Feed)>) -> Operation,
        empty: Kleene,
    ) -> Value {
        match values.len() {
            0 => self.literal(empty),
            1 => values.into_iter().next().unwrap_or_else(|| self.literal(empty)),
            _ => {
                let (variables, feeds) = feeds(&values);
                let register = self.emit(operation(feeds), variables.len());
                Value { register, variables }
            }
        }
    }

    /// The same table with more variables.
    fn spread(&mut self, value: Value, variables: &[usize]) -> Value {
        if value.variables == variables {
            return value;
        }
        let feed = feed(&value.variables, variables);
        let register = self.emit(Operation::And(vec![(value.register, feed)]), variables.len());
        Value { register, variables: variables.to_vec() }
    }

    /// Gives the dimensions of a source table to variables: first `outer`, then `args`.
    fn place(&mut self, source: Register, outer: &[usize], args: &[Variable], scope: &[(Variable, Binding)]) -> Value {
        let mut bindings: Vec<Binding> = outer.iter().map(|v| Binding::Index(*v)).collect();
        for arg in args {
            let Some((_, binding)) = scope.iter().rev().find(|(name, _)| name == arg) else {
                return self.literal(Kleene::Unknown);
            };
            bindings.push(*binding);
        }
        let mut variables: Vec<usize> = bindings
            .iter()
            .filter_map(|b| match b {
                Binding::Index(v) => Some(*v),
                Binding::Parameter(_) => None,
            })
            .collect();
        let in_order = variables.len() == bindings.len() && variables.is_sorted_by(|a, b| a < b);
        if in_order {
            return Value { register: source, variables };
        }
        if let [Binding::Index(a), Binding::Index(b)] = bindings.as_slice()
            && a > b
        {
            let register = self.emit(Operation::Transpose(source), 2);
            return Value { register, variables: vec![*b, *a] };
        }
        variables.sort_unstable();
        variables.dedup();
        let coordinates = bindings
            .iter()
            .map(|b| match b {
                Binding::Index(v) => Coordinate::Dimension(variables.iter().position(|w| w == v).unwrap_or_default()),
                Binding::Parameter(i) => Coordinate::Parameter(*i),
            })
            .collect();
        let register = self.emit(Operation::Gather(source, coordinates), variables.len());
        Value { register, variables }
    }
}

fn feed(from: &[usize], to: &[usize]) -> Feed {
    if from == to {
        Feed::Same
    } else if from.is_empty() {
        Feed::Scalar
    } else {
        Feed::Dimensions(from.iter().map(|v| to.iter().position(|w| w == v).unwrap_or_default()).collect())
    }
}

fn feeds(values: &[Value]) -> (Vec<usize>, Vec<(Register, Feed)>) {
    let mut variables: Vec<usize> = values.iter().flat_map(|v| v.variables.iter().copied()).collect();
    variables.sort_unstable();
    variables.dedup();
    let mut feeds: Vec<(Register, Feed)> =
        values.iter().map(|v| (v.register, feed(&v.variables, &variables))).collect();
    // Operands of a commutative connective in one order find each other's registers more often; for if-then-else the
    // order counts and the caller keeps it.
    if values.len() != 3 {
        feeds.sort_by_key(|(register, _)| register.0);
    }
    (variables, feeds)
}
