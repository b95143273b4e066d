//! Which cells a call cannot reach: those that a register of the caller refers to, and nothing that is handed over.
//!
//! A configuration knows nothing of other cells. But all configurations of a run together do: if none in which the register refers
//! to the tracked cell enters the callee, the callee cannot reach the cell behind the register, and what is known of its fields
//! stays known. That is found by a first run and used by a second one.

use crate::expressions::Base;
use crate::index::Slot;
use crate::procedure::Operation;
use crate::sites::{Analysed, Coverage};
use crate::tracker::Private;
use heapwise_fixpoint::ProgramFlow;
use heapwise_ir::{Operand, RegisterId};
use heapwise_pointsto::{Object, Site};

/// The registers whose cells calls cannot reach.
pub fn private_registers(analysed: &Analysed<'_>, flow: &ProgramFlow) -> Private {
    let tracker = &analysed.solver.analysis;
    let world = tracker.world;
    let mut private = Private::default();
    if analysed.sites.iter().any(|site| site.coverage == Coverage::Cut) {
        return private;
    }
    for step in flow.steps.keys() {
        let Some((function, edge)) = tracker.edge(step) else { continue };
        let Some(procedure) = &world.procedures[function] else { continue };
        let Operation::Call(call) = &procedure.operations[edge] else { continue };
        if call.unknown.is_some() || call.callees.is_empty() {
            continue;
        }
        let is_heap = |register: RegisterId| {
            let value = world.memory.operand(function, Operand::Register(register));
            let only_heap = |region| {
                let objects = world.memory.pointsto.objects(region);
                objects.iter().all(|(object, _)| matches!(object, Object::Heap(_)))
                    && !world.memory.pointsto.regions[region].escaped
            };
            !value.unknown && value.region.is_some_and(only_heap)
        };
        let registers = world.memory.program.functions[function].registers.keys();
        let mut candidates: Vec<RegisterId> = registers
            .filter(|register| !procedure.expressions.from(Base::Register(*register)).is_empty())
            .filter(|register| is_heap(*register))
            .collect();
        if candidates.is_empty() {
            continue;
        }
        let site = Site { function, edge };
        let maps: Vec<_> = call.callees.iter().map(|callee| world.effects.map(&world.memory, site, *callee)).collect();
        for fact in analysed.solver.facts_at(flow.flow.step(step).from) {
            let state = tracker.state(*analysed.solver.element_of(fact));
            let is_handed = state.index.iter().any(|(slot, _)| match slot {
                Slot::Register(register) => call.arguments.iter().any(|argument| argument.register == Some(register)),
                Slot::Cell(cell) => maps.iter().any(|map| map.unknown || !map.in_callee(cell).is_empty()),
                Slot::Outside => true,
                Slot::Local | Slot::Existed | Slot::Freed => false,
            });
            if is_handed {
                candidates.retain(|register| !state.index.has(Slot::Register(*register)));
            }
        }
        if !candidates.is_empty() {
            private.insert((function, edge), candidates);
        }
    }
    private
}
