//! Loads of numbers that may only be copied. Moving a value that was never written is no error, using it is; numbers are not
//! tracked, so a load whose value is used on every path counts as its use. What the other loads read is tracked, as far as it may
//! have no value, until it is used.

use heapwise_dataflow::{Analysis, Direction, Flow, MustSet, iterate_to_fixpoint};
use heapwise_engine::{BudgetMeter, Exhausted};
use heapwise_ir::{
    Automaton, Body, Callee, EdgeId, Expression, Function, Instruction, LocationId, Operand, Program, RegisterId,
    Termination, Type,
};
use rustc_hash::FxHashSet;

/// The loads of a function whose value is not surely used before the function ends or calls another one; pointers are tracked
/// in any case.
pub(super) fn copied_loads(
    program: &Program,
    function: &Function,
    automaton: &Automaton,
    meter: &BudgetMeter<'_>,
) -> Result<FxHashSet<EdgeId>, Exhausted> {
    let is_number = |register: RegisterId| !matches!(program.ty(function.registers[register].ty), Type::Pointer(_));
    let loads = automaton.edges.iter().filter_map(|(id, edge)| match &edge.instruction {
        Instruction::Load { target, .. } if is_number(*target) => Some((id, edge.to, *target)),
        _ => None,
    });
    let loads: Vec<(EdgeId, LocationId, RegisterId)> = loads.collect();
    if loads.is_empty() {
        return Ok(FxHashSet::default());
    }
    let used = iterate_to_fixpoint(automaton, SurelyUsed { program }, |_| meter.check())?;
    let is_copied = |(_, to, target): &(EdgeId, LocationId, RegisterId)| {
        used.at(*to).is_none_or(|used: &MustSet<RegisterId>| !used.contains(target))
    };
    Ok(loads.into_iter().filter(is_copied).map(|(id, ..)| id).collect())
}

/// The registers whose values are used on every path, before they are written again.
struct SurelyUsed<'p> {
    program: &'p Program,
}

impl Analysis<Automaton> for SurelyUsed<'_> {
    type Domain = MustSet<RegisterId>;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self, automaton: &Automaton, location: LocationId) -> Option<MustSet<RegisterId>> {
        (location == automaton.exit || automaton.outgoing[location].is_empty()).then(MustSet::default)
    }

    fn apply(&self, automaton: &Automaton, edge: EdgeId, used: &mut MustSet<RegisterId>) -> Flow {
        let instruction = &automaton.edges[edge].instruction;
        match instruction {
            Instruction::Assign { target, value: Expression::Operand(value) | Expression::Convert { value, .. } } => {
                let is_used = used.contains(target);
                used.retain(|register| register != target);
                if let (true, Some(register)) = (is_used, value.register()) {
                    used.insert(register);
                }
            }
            Instruction::Store { place, value } => {
                place.for_each_operand(|operand| insert(used, operand));
                // Numbers of static objects are not followed, and always taken for values.
                if matches!(place.base, Operand::Global(_)) {
                    insert(used, *value);
                }
            }
            Instruction::Call { target, callee, arguments } => match self.what_is_done(*callee) {
                CallOf::Library(termination) => {
                    match termination {
                        Termination::Returns => used.retain(|register| Some(*register) != *target),
                        Termination::Exits | Termination::Aborts => used.clear(),
                    }
                    arguments.iter().for_each(|argument| insert(used, *argument));
                }
                // It may not come back, and what it is given is copied.
                CallOf::Program => used.clear(),
            },
            Instruction::Unsupported(_) => used.clear(),
            Instruction::Assign { .. }
            | Instruction::Load { .. }
            | Instruction::Copy { .. }
            | Instruction::Alloc { .. }
            | Instruction::Free { .. }
            | Instruction::End { .. }
            | Instruction::Assume(_)
            | Instruction::Assert(_) => {
                used.retain(|register| Some(*register) != instruction.target());
                instruction.for_each_operand(|operand| insert(used, operand));
            }
        }
        Flow::Continues
    }
}

/// What a call does with its arguments.
enum CallOf {
    /// A function of the library uses them, and ends so.
    Library(Termination),
    /// One of the program copies them; so may one of which nothing is known.
    Program,
}

impl SurelyUsed<'_> {
    fn what_is_done(&self, callee: Callee) -> CallOf {
        match callee {
            Callee::Direct(function) => match &self.program.functions[function].body {
                Body::Extern(effects) if effects.modelled => CallOf::Library(effects.termination),
                Body::Extern(_) | Body::Defined(_) => CallOf::Program,
            },
            Callee::Indirect(_) => CallOf::Program,
        }
    }
}

fn insert(used: &mut MustSet<RegisterId>, operand: Operand) {
    if let Some(register) = operand.register() {
        used.insert(register);
    }
}
