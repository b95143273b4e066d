//! What allocations make whose text does not say it, as in a function of one's own around `malloc`: one cell of the type as which
//! all memory of its region is accessed, if so many bytes are asked for wherever the function is called.

use heapwise_ir::{
    Callee, EdgeId, Expression, FunctionId, Instruction, Liveness, Operand, Program, RegisterId, TypeId,
};
use heapwise_pointsto::{PointsTo, RegionId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Numbers are followed through at most so many copies and calls.
const MOST_COPIES: usize = 8;

/// The types of cells that allocations without a type make.
pub(crate) fn inferred(
    program: &Program,
    pointsto: &PointsTo,
    functions: &[FunctionId],
    (views, mixed): (&FxHashMap<RegionId, TypeId>, &FxHashSet<RegionId>),
) -> FxHashMap<(FunctionId, EdgeId), TypeId> {
    let constants = Constants { program, functions };
    let mut found = FxHashMap::default();
    for function in functions {
        let Some(automaton) = program.functions[*function].automaton() else { continue };
        for (id, edge) in &automaton.edges {
            let Instruction::Alloc { target, bytes, view: None, .. } = &edge.instruction else { continue };
            let Some(region) = pointsto.register(*function, *target).region else { continue };
            let Some(view) = views.get(&region).filter(|_| !mixed.contains(&region)) else { continue };
            let size = program.size_of(*view).map(i128::from);
            if size.is_some() && constants.of(*function, *bytes, MOST_COPIES) == size {
                found.insert((*function, id), *view);
            }
        }
    }
    found
}

struct Constants<'a> {
    program: &'a Program,
    functions: &'a [FunctionId],
}

impl Constants<'_> {
    /// The number that an operand is in every run, if that is seen at once.
    fn of(&self, function: FunctionId, operand: Operand, left: usize) -> Option<i128> {
        match operand {
            Operand::Int(number) => Some(number),
            Operand::Register(register) => self.register(function, register, left.checked_sub(1)?),
            Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => None,
        }
    }

    fn register(&self, function: FunctionId, register: RegisterId, left: usize) -> Option<i128> {
        let body = &self.program.functions[function];
        let mut written = body.automaton()?.edges.values().map(|edge| &edge.instruction);
        let mut writes = written.by_ref().filter(|instruction| instruction.target() == Some(register));
        let position = body.parameters.iter().position(|parameter| *parameter == register);
        match (position, writes.next(), writes.next()) {
            (Some(position), None, _) if !body.address_taken => self.argument(function, position, left),
            // (Where it may be read before that, it holds no number.)
            (None, Some(Instruction::Assign { value, .. }), None) if self.is_written_first(function, register) => {
                match value {
                    Expression::Operand(value) => self.of(function, *value, left),
                    // A number that is not changed by it; sizes are small.
                    Expression::Convert { value, .. } => {
                        self.of(function, *value, left).filter(|number| (0..=i128::from(i8::MAX)).contains(number))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn is_written_first(&self, function: FunctionId, register: RegisterId) -> bool {
        let body = &self.program.functions[function];
        body.automaton()
            .zip(Liveness::of(body))
            .is_some_and(|(automaton, liveness)| !liveness.is_live(automaton.entry, register))
    }

    /// The number that all calls of a function give it.
    fn argument(&self, function: FunctionId, position: usize, left: usize) -> Option<i128> {
        let mut given = None;
        for caller in self.functions {
            let Some(automaton) = self.program.functions[*caller].automaton() else { continue };
            for edge in automaton.edges.values() {
                let Instruction::Call { callee: Callee::Direct(callee), arguments, .. } = &edge.instruction else {
                    continue;
                };
                if *callee != function {
                    continue;
                }
                let number = self.of(*caller, *arguments.get(position)?, left)?;
                if *given.get_or_insert(number) != number {
                    return None;
                }
            }
        }
        given
    }
}
