//! The values that integer registers of a function may have: a forward dataflow analysis over the domain of `numbers`, of one
//! function with any arguments. It is asked about indices of short arrays that are not tracked.

use heapwise_dataflow::{Analysis, Direction, Flow, JoinSemiLattice, Results, iterate_to_fixpoint};
use heapwise_engine::{BudgetMeter, Exhausted};
use heapwise_ir::{
    Automaton, Condition, EdgeId, Expression, FunctionId, Instruction, IntType, LocationId, Operand, Program,
    RegisterId, Type, TypeId,
};
use heapwise_numbers::{Comparison, Range, State};

/// What is known is joined exactly so many times; from then on ranges that grow become as large as their type.
const ROUNDS: u32 = 32;

/// Where ranges that grow stop first: indices of short arrays.
const THRESHOLDS: [i128; 6] = [-1, 0, 1, 2, 3, 4];

/// The states of a function.
pub(super) struct Ranges<'p> {
    automaton: &'p Automaton,
    results: Results<Automaton, Values<'p>>,
}

impl<'p> Ranges<'p> {
    /// Computes them; nothing for a function without a body.
    pub(super) fn of(
        program: &'p Program,
        function: FunctionId,
        meter: &BudgetMeter<'_>,
    ) -> Result<Option<Ranges<'p>>, Exhausted> {
        let Some(automaton) = program.functions[function].automaton() else { return Ok(None) };
        let results = iterate_to_fixpoint(automaton, Values { program, function }, |_| meter.check())?;
        Ok(Some(Ranges { automaton, results }))
    }

    /// The values that a register may have where an edge begins; nothing if no run comes there.
    pub(super) fn at(&self, edge: EdgeId, register: RegisterId) -> Option<Range> {
        self.results.at(self.automaton.edges[edge].from)?.state.range(&register)
    }
}

/// Ranges of registers, with the number of joins that made them: a chain has an end, since they are widened.
#[derive(Clone, Debug)]
struct Known {
    state: State<RegisterId>,
    joins: u32,
}

/// How it came about does not matter.
impl PartialEq for Known {
    fn eq(&self, other: &Known) -> bool {
        self.state == other.state
    }
}

impl JoinSemiLattice for Known {
    fn join(&mut self, other: &Known) -> bool {
        if other.state.leq(&self.state) {
            return false;
        }
        let joined = self.state.join(&other.state);
        self.joins += 1;
        self.state = if self.joins <= ROUNDS { joined } else { self.state.widen(&joined, &THRESHOLDS) };
        true
    }
}

struct Values<'p> {
    program: &'p Program,
    function: FunctionId,
}

impl Analysis<Automaton> for Values<'_> {
    type Domain = Known;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, automaton: &Automaton, location: LocationId) -> Option<Known> {
        (location == automaton.entry).then(|| Known { state: State::top(), joins: 0 })
    }

    fn apply(&self, automaton: &Automaton, edge: EdgeId, known: &mut Known) -> Flow {
        let instruction = &automaton.edges[edge].instruction;
        match instruction {
            Instruction::Assign { target, value } => match self.expression(*target, value) {
                Some(value) => known.state.assign(*target, &value),
                None => known.state.forget(target),
            },
            Instruction::Assume(condition) => {
                if let Some(comparison) = self.comparison(condition) {
                    known.state.assume(&comparison);
                }
            }
            Instruction::Load { .. }
            | Instruction::Store { .. }
            | Instruction::Copy { .. }
            | Instruction::Alloc { .. }
            | Instruction::Free { .. }
            | Instruction::End { .. }
            | Instruction::Call { .. }
            | Instruction::Assert(_)
            | Instruction::Unsupported(_) => {
                if let Some(target) = instruction.target() {
                    self.forget(target, known);
                }
            }
        }
        if known.state.is_bottom() { Flow::Ends } else { Flow::Continues }
    }
}

impl Values<'_> {
    fn int(&self, ty: TypeId) -> Option<IntType> {
        match self.program.ty(ty) {
            Type::Int(int) => Some(*int),
            Type::Void | Type::Float(_) | Type::Pointer(_) | Type::Array(..) | Type::Record(_) | Type::Function(_) => {
                None
            }
        }
    }

    fn int_of(&self, register: RegisterId) -> Option<IntType> {
        self.int(self.program.functions[self.function].registers[register].ty)
    }

    /// Any value of its type.
    fn forget(&self, target: RegisterId, known: &mut Known) {
        match self.int_of(target) {
            Some(int) => known.state.assign(target, &heapwise_numbers::Expression::Any(int)),
            None => known.state.forget(&target),
        }
    }

    /// Only integers are followed.
    fn operand(&self, operand: Operand) -> Option<heapwise_numbers::Operand<RegisterId>> {
        match operand {
            Operand::Int(value) => Some(heapwise_numbers::Operand::Constant(value)),
            Operand::Register(register) => self.int_of(register).map(|_| heapwise_numbers::Operand::Variable(register)),
            Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => None,
        }
    }

    fn expression(&self, target: RegisterId, value: &Expression) -> Option<heapwise_numbers::Expression<RegisterId>> {
        use heapwise_numbers::Expression as Number;
        let int = self.int_of(target)?;
        let followed = match value {
            Expression::Operand(operand) => self.operand(*operand).map(|operand| Number::Operand(int, operand)),
            Expression::Unary { operator, ty, value } => {
                self.int(*ty).zip(self.operand(*value)).map(|(int, value)| Number::Unary(*operator, int, value))
            }
            Expression::Binary { operator, ty, left, right } => self
                .int(*ty)
                .zip(self.operand(*left).zip(self.operand(*right)))
                .map(|(int, (left, right))| Number::Binary(*operator, int, left, right)),
            Expression::Convert { from, to, value } => self
                .int(*from)
                .zip(self.int(*to))
                .zip(self.operand(*value))
                .map(|((from, to), value)| Number::Convert { from, to, value }),
            Expression::AddPath { .. }
            | Expression::SubtractPath { .. }
            | Expression::AddBytes { .. }
            | Expression::AddIndex { .. }
            | Expression::PointerDifference { .. }
            | Expression::Nondet { .. }
            | Expression::Uninitialised => None,
        };
        Some(followed.unwrap_or(Number::Any(int)))
    }

    fn comparison(&self, condition: &Condition) -> Option<Comparison<RegisterId>> {
        let (operator, ty, left, right) = match condition {
            Condition::Compare { operator, ty, left, right } => (*operator, *ty, *left, *right),
            Condition::NotCompare { operator, ty, left, right } => (operator.negated(), *ty, *left, *right),
            Condition::True | Condition::False | Condition::Shape(_) => return None,
        };
        let (int, left, right) = (self.int(ty)?, self.operand(left)?, self.operand(right)?);
        Some(Comparison { operator, int, left, right })
    }
}
