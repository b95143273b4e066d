//! Functions whose result is a new heap cell that nobody else knows, or null: wrappers of allocators.
//!
//! A caller knows of such a result what it knows of that of `malloc`: no field of it refers to the tracked cell.

use super::{Operation, Procedure, Stored};
use crate::number::Number;
use heapwise_ir::entity::{EntitySet, PrimaryMap};
use heapwise_ir::{EdgeId, FunctionId, RegisterId, Storage};

/// Whether the function of these operations is one.
pub(super) fn returns_fresh(
    operations: &PrimaryMap<EdgeId, Operation>,
    result: Option<RegisterId>,
    known: &dyn Fn(FunctionId) -> Option<std::rc::Rc<Procedure>>,
) -> bool {
    let Some(result) = result else { return false };
    let mut sources: EntitySet<RegisterId> = EntitySet::new();
    let mut pending = vec![result];
    let mut is_made = false;
    sources.insert(result);
    while let Some(register) = pending.pop() {
        for operation in operations.values().filter(|operation| operation.target() == Some(register)) {
            match operation {
                Operation::Alloc { storage: Storage::Heap, .. } => is_made = true,
                Operation::Call(call) => match call.callees[..] {
                    [callee] if call.externs.is_empty() && call.unknown.is_none() => {
                        if !known(callee).is_some_and(|callee| callee.returns_fresh) {
                            return false;
                        }
                        is_made = true;
                    }
                    _ => return false,
                },
                Operation::Copy { source: Some(source), shift: Some(0), .. } => {
                    if sources.insert(*source) {
                        pending.push(*source);
                    }
                }
                Operation::Copy { source: None, number: Number::ZERO, .. } => {}
                _ => return false,
            }
        }
    }
    is_made && !is_shared(operations, sources)
}

/// Whether a value of these registers is kept anywhere else, or pointers are stored behind it.
fn is_shared(operations: &PrimaryMap<EdgeId, Operation>, mut registers: EntitySet<RegisterId>) -> bool {
    loop {
        let mut changed = false;
        for operation in operations.values() {
            if let Operation::Copy { target, source: Some(source), .. } = operation
                && registers.contains(*source)
            {
                changed |= registers.insert(*target);
            }
        }
        if !changed {
            break;
        }
    }
    let has = |register: &RegisterId| registers.contains(*register);
    operations.values().any(|operation| match operation {
        Operation::Store { place, value: Stored::Register(value) } => {
            has(value) || place.base.as_ref().is_some_and(has)
        }
        // What is copied there is not always known here: a function knows only the cells that it accesses itself.
        Operation::CopyCells { bases, written, .. } => {
            bases.iter().any(has) && (bases.len() > 1 || !written.is_empty())
        }
        Operation::Blend { sources, .. } => sources.iter().any(has),
        Operation::Call(call) => {
            let is_given = call.arguments.iter().any(|argument| argument.register.as_ref().is_some_and(has));
            let is_harmless = |found: &super::ExternCall| {
                found.stores.is_none() && !found.takes.iter().any(has) && found.overwrites.is_empty()
            };
            is_given && !(call.callees.is_empty() && call.unknown.is_none() && call.externs.iter().all(is_harmless))
        }
        Operation::Skip
        | Operation::Stop
        | Operation::Unsupported
        | Operation::Copy { .. }
        | Operation::Add { .. }
        | Operation::Load { .. }
        | Operation::Store { .. }
        | Operation::Alloc { .. }
        | Operation::Free { .. }
        | Operation::End { .. }
        | Operation::AssumeNumber { .. }
        | Operation::AssumeNoBytes { .. }
        | Operation::AssumePointers { .. } => false,
    })
}
