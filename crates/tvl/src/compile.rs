//! Formulas compiled to programs that fill bit tables.
//!
//! Each bound of a formula, where it may hold and where it must, is a 2-valued relation and is compiled by itself: a rule asks
//! only where its body must hold. Negation is the complement of the other bound. Conjunctions under existential quantifiers
//! become one [`Query`] (nested ones are flattened into it: conjunction distributes over the quantifier in Kleene's logic
//! too); disjunctions and universal quantifiers are complements of those. Equal subformulas of all formulas of one
//! program share a table, so the closure of a field is computed once per step.

use crate::query::{Bound, Conjunction, Literal, MAX_VARIABLES, Query, Sign, Source, TableId, Term};
use crate::vocabulary::{PredicateIndex, Vocabulary};
use heapwise_logic::{Formula, Predicate, Steps, Variable};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// Both bounds of a formula with arguments, once a program has run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Register {
    pub(crate) may: View,
    pub(crate) must: View,
    pub(crate) dimensions: usize,
}

/// A table, or its complement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct View {
    pub(crate) table: TableId,
    pub(crate) sign: Sign,
}

/// A step of a program. It is taken when its result is needed.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    /// Answers a query.
    Query(Query, TableId),
    /// The closure over the last two dimensions.
    Closure { source: Source, sign: Sign, steps: Steps, bound: Bound, table: TableId },
    /// What both say; two definite values that differ are a conflict.
    Meet { left: Register, right: Register, may: TableId, must: TableId },
    /// The values of a predicate where none of the conditions holds, the new ones otherwise.
    Kept { conditions: Vec<View>, slot: PredicateIndex, new: Register, may: TableId, must: TableId },
}

impl Operation {
    /// What it reads.
    pub(crate) fn sources(&self) -> Vec<Source> {
        match self {
            Operation::Query(query, _) => query.sources.clone(),
            Operation::Closure { source, .. } => vec![*source],
            Operation::Meet { left, right, .. } => {
                [left.may, left.must, right.may, right.must].map(|view| Source::Table(view.table)).to_vec()
            }
            Operation::Kept { conditions, slot, new, .. } => {
                let own = [Bound::May, Bound::Must].map(|bound| Source::predicate(*slot, bound));
                let views = conditions.iter().chain([&new.may, &new.must]);
                own.into_iter().chain(views.map(|view| Source::Table(view.table))).collect()
            }
        }
    }
}

/// What an operation computes: the same twice is computed once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Shape {
    Query(Conjunction),
    Closure(Source, Sign, Steps, Bound, usize),
}

/// A compiled program.
#[derive(Clone, Default, Debug)]
pub struct Program {
    pub(crate) operations: Vec<Arc<Operation>>,
    /// How many tables there are of one word, of one word per individual, and larger ones.
    pub(crate) tables: [usize; 3],
    /// What is asked for.
    pub(crate) results: Vec<Register>,
}

/// A program that can still grow.
#[derive(Clone, Default, Debug)]
pub(crate) struct Code {
    pub(crate) program: Program,
    known: FxHashMap<Shape, TableId>,
}

/// One bound of a subformula.
#[derive(Clone, Debug)]
enum Value {
    Constant(bool),
    Literal(Literal),
}

impl Value {
    fn negated(self) -> Value {
        match self {
            Value::Constant(value) => Value::Constant(!value),
            Value::Literal(literal) => Value::Literal(Literal { sign: literal.sign.negated(), ..literal }),
        }
    }
}

/// A conjunction under construction.
#[derive(Default)]
struct Gathered {
    literals: Vec<Literal>,
    quantified: Vec<usize>,
    impossible: bool,
}

type Scope = Vec<(Variable, Term)>;

/// Compiles formulas into one program.
pub struct Compiler<'a> {
    vocabulary: &'a Vocabulary,
    code: Code,
    primed: FxHashMap<usize, Register>,
    parameters: Vec<Variable>,
    next_variable: usize,
}

impl<'a> Compiler<'a> {
    /// A compiler; `parameters` are variables whose individuals are given when the program runs.
    #[must_use]
    pub fn new(vocabulary: &'a Vocabulary, parameters: &[Variable]) -> Compiler<'a> {
        let code = Code::default();
        Compiler { vocabulary, code, primed: FxHashMap::default(), parameters: parameters.to_vec(), next_variable: 0 }
    }

    /// A compiler that adds to what is compiled already.
    pub(crate) fn resume(vocabulary: &'a Vocabulary, code: Code) -> Compiler<'a> {
        Compiler { code, ..Compiler::new(vocabulary, &[]) }
    }

    /// The program so far.
    #[must_use]
    pub fn finish(self) -> Program {
        self.code.program
    }

    /// The program so far, so that it can grow.
    pub(crate) fn into_code(self) -> Code {
        self.code
    }

    /// Compiles `formula`; dimension `i` of the result is `arguments[i]`. A variable that is neither an argument nor
    /// a parameter makes its atom 1/2.
    pub fn add(&mut self, formula: &Formula, arguments: &[Variable]) -> Register {
        let register = self.register(formula, arguments);
        self.ask_for(register);
        register
    }

    /// Whenever the program runs, this is computed.
    pub(crate) fn ask_for(&mut self, register: Register) {
        self.code.program.results.push(register);
    }

    /// The same as [`Compiler::add`], computed only if something that is asked for needs it.
    pub(crate) fn register(&mut self, formula: &Formula, arguments: &[Variable]) -> Register {
        let [may, must] = [Bound::May, Bound::Must].map(|bound| {
            let mut scope = self.scope(arguments);
            let value = self.value(formula, bound, &mut scope);
            self.table_of(value, arguments.len(), bound)
        });
        Register { may, must, dimensions: arguments.len() }
    }

    /// A query for the tuples of `arguments` on which `body` surely holds and `head` is not sure already, and what the body reads.
    pub(crate) fn query(&mut self, body: &Formula, head: &Formula, arguments: &[Variable]) -> (Query, Vec<Source>) {
        let mut scope = self.scope(arguments);
        let mut gathered = Gathered::default();
        self.gather(body, Sign::Positive, Bound::Must, &mut scope, &mut gathered);
        let read = gathered.literals.iter().map(|literal| literal.source).collect();
        self.gather(head, Sign::Negative, Bound::May, &mut scope, &mut gathered);
        let outputs: Vec<usize> = (0..arguments.len()).collect();
        (Query::new(&self.conjunction(gathered, &outputs, Bound::Must)), read)
    }

    /// Lets primed atoms of `predicate` read `register`, whose dimensions are the predicate's arguments.
    pub fn define_primed(&mut self, predicate: Predicate, register: Register) {
        self.primed.insert(predicate.index(), register);
    }

    /// What two tables of the same dimensions both say.
    pub(crate) fn meet(&mut self, left: Register, right: Register) -> Register {
        if left == right {
            return left;
        }
        let dimensions = left.dimensions;
        let (may, must) = (self.new_table(dimensions), self.new_table(dimensions));
        self.push(Operation::Meet { left, right, may, must });
        let view = |table| View { table, sign: Sign::Positive };
        Register { may: view(may), must: view(must), dimensions }
    }

    /// The old values of a predicate if none of the closed formulas may hold, `new` otherwise.
    pub(crate) fn unless_untouched(&mut self, touched: &[Formula], slot: PredicateIndex, new: Register) -> Register {
        let mut conditions = Vec::new();
        for formula in touched {
            let mut scope = self.scope(&[]);
            match self.value(formula, Bound::May, &mut scope) {
                Value::Constant(false) => {}
                Value::Constant(true) => return new,
                value @ Value::Literal(_) => conditions.push(self.table_of(value, 0, Bound::May)),
            }
        }
        let dimensions = new.dimensions;
        let (may, must) = (self.new_table(dimensions), self.new_table(dimensions));
        self.push(Operation::Kept { conditions, slot, new, may, must });
        let view = |table| View { table, sign: Sign::Positive };
        Register { may: view(may), must: view(must), dimensions }
    }

    fn scope(&mut self, arguments: &[Variable]) -> Scope {
        self.next_variable = arguments.len();
        let parameters = self.parameters.iter().cloned().enumerate().map(|(i, v)| (v, Term::Parameter(i)));
        let arguments = arguments.iter().cloned().enumerate().map(|(i, v)| (v, Term::Variable(i)));
        parameters.chain(arguments).collect()
    }

    fn fresh(&mut self) -> usize {
        self.next_variable += 1;
        self.next_variable - 1
    }

    /// A table that the next operation fills.
    fn new_table(&mut self, dimensions: usize) -> TableId {
        let class = dimensions.saturating_sub(1).min(2);
        let operation = self.code.program.operations.len();
        let counter = &mut self.code.program.tables[class];
        *counter += 1;
        TableId { index: *counter - 1, dimensions, operation }
    }

    fn push(&mut self, operation: Operation) {
        self.code.program.operations.push(Arc::new(operation));
    }

    fn emit(&mut self, shape: Shape, dimensions: usize) -> TableId {
        if let Some(table) = self.code.known.get(&shape) {
            return *table;
        }
        let table = self.new_table(dimensions);
        let operation = match &shape {
            Shape::Query(conjunction) => Operation::Query(Query::new(conjunction), table),
            Shape::Closure(source, sign, steps, bound, _) => {
                Operation::Closure { source: *source, sign: *sign, steps: *steps, bound: *bound, table }
            }
        };
        self.push(operation);
        self.code.known.insert(shape, table);
        table
    }

    /// A table with exactly the first `dimensions` variables.
    fn table_of(&mut self, value: Value, dimensions: usize, bound: Bound) -> View {
        if let Value::Literal(Literal { source: Source::Table(table), sign, terms }) = &value
            && terms.len() == dimensions
            && terms.iter().enumerate().all(|(i, term)| *term == Term::Variable(i))
        {
            return View { table: *table, sign: *sign };
        }
        let gathered = match value {
            Value::Constant(true) => Gathered::default(),
            Value::Constant(false) => Gathered { impossible: true, ..Gathered::default() },
            Value::Literal(literal) => Gathered { literals: vec![literal], ..Gathered::default() },
        };
        let outputs: Vec<usize> = (0..dimensions).collect();
        let conjunction = self.conjunction(gathered, &outputs, bound);
        View { table: self.emit(Shape::Query(conjunction), dimensions), sign: Sign::Positive }
    }

    /// One bound of a formula.
    fn value(&mut self, formula: &Formula, bound: Bound, scope: &mut Scope) -> Value {
        match formula {
            Formula::Literal(value) => Value::Constant(match bound {
                Bound::May => value.may(),
                Bound::Must => value.must(),
            }),
            Formula::Atom(p, args) => match self.primed.get(&p.index()) {
                Some(register) if p.is_primed() => {
                    let view = match bound {
                        Bound::May => register.may,
                        Bound::Must => register.must,
                    };
                    place(Source::Table(view.table), view.sign, &[], args, bound, scope)
                }
                _ => {
                    let source = Source::predicate(self.vocabulary.slot(*p), bound);
                    place(source, Sign::Positive, &[], args, bound, scope)
                }
            },
            Formula::Equal(a, b) => {
                place(Source::Equality(bound), Sign::Positive, &[], &[a.clone(), b.clone()], bound, scope)
            }
            Formula::Not(f) => self.value(f, bound.of_negation(), scope).negated(),
            Formula::And(_) => self.gathered(formula, Sign::Positive, bound, scope),
            Formula::Exists(vs, body) => match &**body {
                // A quantifier for each disjunct: no table has to hold the variables of all.
                Formula::Or(parts) => {
                    let parts = parts.iter().map(|part| Formula::exists(vs.clone(), part.clone())).collect();
                    self.value(&Formula::Or(parts), bound, scope)
                }
                _ => self.gathered(formula, Sign::Positive, bound, scope),
            },
            Formula::Or(_) => self.gathered(formula, Sign::Negative, bound.of_negation(), scope).negated(),
            Formula::Forall(vs, body) => match &**body {
                Formula::And(parts) => {
                    let parts = parts.iter().map(|part| Formula::forall(vs.clone(), part.clone())).collect();
                    self.value(&Formula::And(parts), bound, scope)
                }
                _ => self.gathered(formula, Sign::Negative, bound.of_negation(), scope).negated(),
            },
            Formula::IfThenElse(c, a, b) => {
                let choice = match bound {
                    Bound::May => chosen(c, a, b),
                    Bound::Must => guarded(c, a, b),
                };
                self.value(&choice, bound, scope)
            }
            Formula::Closure { steps, from, to, left, right, step } => {
                let (l, r) = (self.fresh(), self.fresh());
                scope.extend([(left.clone(), Term::Variable(l)), (right.clone(), Term::Variable(r))]);
                let value = self.value(step, bound, scope);
                scope.truncate(scope.len() - 2);
                let (source, sign, outer) = self.steps(value, l, r, bound);
                let dimensions = outer.len() + 2;
                if dimensions > MAX_VARIABLES {
                    return Value::Constant(bound == Bound::May);
                }
                let table = self.emit(Shape::Closure(source, sign, *steps, bound, dimensions), dimensions);
                let ends = [from.clone(), to.clone()];
                place(Source::Table(table), Sign::Positive, &outer, &ends, bound, scope)
            }
        }
    }

    /// The relation whose closure is asked for: its last dimensions are `l` and `r`, the others come before them.
    fn steps(&mut self, value: Value, l: usize, r: usize, bound: Bound) -> (Source, Sign, Vec<Term>) {
        if let Value::Literal(Literal { source, sign, terms }) = &value
            && terms.as_slice() == [Term::Variable(l), Term::Variable(r)]
        {
            return (*source, *sign, Vec::new());
        }
        let literals = match value {
            Value::Constant(true) => Some(Vec::new()),
            Value::Constant(false) => None,
            Value::Literal(literal) => Some(vec![literal]),
        };
        let mut outer: Vec<usize> =
            literals.iter().flatten().flat_map(variables).filter(|v| *v != l && *v != r).collect();
        outer.sort_unstable();
        outer.dedup();
        let outputs: Vec<usize> = outer.iter().copied().chain([l, r]).collect();
        let gathered =
            Gathered { impossible: literals.is_none(), literals: literals.unwrap_or_default(), quantified: Vec::new() };
        let conjunction = self.conjunction(gathered, &outputs, bound);
        let table = self.emit(Shape::Query(conjunction), outputs.len());
        (Source::Table(table), Sign::Positive, outer.into_iter().map(Term::Variable).collect())
    }

    /// A formula as a conjunction under existential quantifiers.
    fn gathered(&mut self, formula: &Formula, sign: Sign, bound: Bound, scope: &mut Scope) -> Value {
        let mut gathered = Gathered::default();
        self.gather(formula, sign, bound, scope, &mut gathered);
        if gathered.impossible {
            return Value::Constant(false);
        }
        if gathered.quantified.is_empty() {
            match gathered.literals.as_slice() {
                [] => return Value::Constant(true),
                [one] => return Value::Literal(one.clone()),
                _ => {}
            }
        }
        self.relation(gathered, bound)
    }

    /// A table for a conjunction; its dimensions are the variables that it leaves free.
    fn relation(&mut self, gathered: Gathered, bound: Bound) -> Value {
        let free = |v: &usize| !gathered.quantified.contains(v);
        let mut outputs: Vec<usize> = gathered.literals.iter().flat_map(variables).filter(free).collect();
        outputs.sort_unstable();
        outputs.dedup();
        if outputs.len() > MAX_VARIABLES {
            return Value::Constant(bound == Bound::May);
        }
        let terms: SmallVec<[Term; 2]> = outputs.iter().map(|v| Term::Variable(*v)).collect();
        let conjunction = self.conjunction(gathered, &outputs, bound);
        let source = Source::Table(self.emit(Shape::Query(conjunction), outputs.len()));
        Value::Literal(Literal { source, sign: Sign::Positive, terms })
    }

    /// Adds what a formula (or, negatively, its negation) says to a conjunction.
    fn gather(&mut self, formula: &Formula, sign: Sign, bound: Bound, scope: &mut Scope, out: &mut Gathered) {
        match (formula, sign) {
            (Formula::Not(f), _) => self.gather(f, sign.negated(), bound, scope, out),
            (Formula::And(fs), Sign::Positive) | (Formula::Or(fs), Sign::Negative) => {
                fs.iter().for_each(|f| self.gather(f, sign, bound, scope, out));
            }
            (Formula::Exists(vs, body), Sign::Positive) if !matches!(**body, Formula::Or(_)) => {
                self.quantify(vs, body, sign, bound, scope, out);
            }
            (Formula::Forall(vs, body), Sign::Negative) if !matches!(**body, Formula::And(_)) => {
                self.quantify(vs, body, sign, bound, scope, out);
            }
            (Formula::IfThenElse(c, a, b), Sign::Positive) if bound == Bound::Must => {
                self.gather(&guarded(c, a, b), sign, bound, scope, out);
            }
            _ => {
                let value = match sign {
                    Sign::Positive => self.value(formula, bound, scope),
                    Sign::Negative => self.value(formula, bound.of_negation(), scope).negated(),
                };
                match value {
                    Value::Constant(true) => {}
                    Value::Constant(false) => out.impossible = true,
                    Value::Literal(literal) => out.literals.push(literal),
                }
            }
        }
    }

    fn quantify(
        &mut self,
        vs: &[Variable],
        body: &Formula,
        sign: Sign,
        bound: Bound,
        scope: &mut Scope,
        out: &mut Gathered,
    ) {
        for v in vs {
            let number = self.fresh();
            scope.push((v.clone(), Term::Variable(number)));
            out.quantified.push(number);
        }
        self.gather(body, sign, bound, scope, out);
        scope.truncate(scope.len() - vs.len());
    }

    /// A conjunction with variables numbered from 0, the outputs first. If it has too many, quantified ones are taken out of it one by
    /// one, each with what mentions it, as a table of its own.
    fn conjunction(&mut self, gathered: Gathered, outputs: &[usize], range: Bound) -> Conjunction {
        let Gathered { mut literals, mut quantified, impossible } = gathered;
        let n_outputs = outputs.len();
        if impossible || n_outputs > MAX_VARIABLES {
            // Of so many variables at once nothing is known: 1/2.
            let literals = (!impossible && range == Bound::May).then(Vec::new);
            return Conjunction { outputs: n_outputs, variables: n_outputs, range, literals };
        }
        while n_outputs + quantified.len() > MAX_VARIABLES {
            let near = |v: usize, literals: &[Literal]| {
                let mut near: Vec<usize> =
                    literals.iter().filter(|l| variables(l).any(|w| w == v)).flat_map(variables).collect();
                near.sort_unstable();
                near.dedup();
                near.len()
            };
            let Some(at) = (0..quantified.len()).min_by_key(|i| near(quantified[*i], &literals)) else { break };
            let taken = quantified.remove(at);
            let (about, rest): (Vec<Literal>, Vec<Literal>) =
                literals.into_iter().partition(|l| variables(l).any(|w| w == taken));
            literals = rest;
            let inner = Gathered { literals: about, quantified: vec![taken], impossible: false };
            match self.relation(inner, range) {
                Value::Constant(true) => {}
                Value::Constant(false) => {
                    return Conjunction { outputs: n_outputs, variables: n_outputs, range, literals: None };
                }
                Value::Literal(literal) => literals.push(literal),
            }
        }
        let number = |v: usize| {
            let among = outputs.iter().chain(&quantified).position(|w| *w == v);
            among.unwrap_or_default()
        };
        for literal in &mut literals {
            for term in &mut literal.terms {
                if let Term::Variable(v) = term {
                    *v = number(*v);
                }
            }
        }
        literals.sort_unstable();
        literals.dedup();
        Conjunction { outputs: n_outputs, variables: n_outputs + quantified.len(), range, literals: Some(literals) }
    }
}

/// `c & a | !c & b`: where an if-then-else may hold.
fn chosen(c: &Formula, a: &Formula, b: &Formula) -> Formula {
    Formula::or(Formula::and(c.clone(), a.clone()), Formula::and(!c.clone(), b.clone()))
}

/// `(!c | a) & (c | b)`: where it must hold. If the condition is 1/2, both branches have to.
fn guarded(c: &Formula, a: &Formula, b: &Formula) -> Formula {
    Formula::and(Formula::or(!c.clone(), a.clone()), Formula::or(c.clone(), b.clone()))
}

fn variables(literal: &Literal) -> impl Iterator<Item = usize> + '_ {
    literal.terms.iter().filter_map(|term| match term {
        Term::Variable(v) => Some(*v),
        Term::Parameter(_) => None,
    })
}

/// A relation of terms: first `outer`, then `args`.
fn place(source: Source, sign: Sign, outer: &[Term], args: &[Variable], bound: Bound, scope: &Scope) -> Value {
    let mut terms: SmallVec<[Term; 2]> = outer.iter().copied().collect();
    for arg in args {
        let Some((_, term)) = scope.iter().rev().find(|(name, _)| name == arg) else {
            return Value::Constant(bound == Bound::May);
        };
        terms.push(*term);
    }
    Value::Literal(Literal { source, sign, terms })
}
