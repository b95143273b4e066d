//! The law that engines rely on: where a variable is live, it has a value on every way. An engine that meets a state
//! without a value for a variable that a step reads has no state behind that step, so a translation that broke the law
//! would make everything behind it look safe. It is checked once per program.

use crate::atom::Var;
use crate::live::Liveness;
use crate::program::{CellProgram, Command, Point, VariableStorage};
use heapwise_ir::entity::EntityRef;

/// A location where a live variable may have no value, and the variable; none unless the translation is wrong.
pub fn unmapped(program: &CellProgram, liveness: &Liveness) -> Option<(Point, Var)> {
    let n_words = program.vars.len().div_ceil(64).max(1);
    let mut mapped: Vec<Option<Vec<u64>>> = vec![None; program.outgoing.len()];
    let mut entry = vec![0; n_words];
    for (var, variable) in program.vars.iter() {
        if variable.storage == VariableStorage::Global {
            entry[var.index() / 64] |= 1 << (var.index() % 64);
        }
    }
    let mut worklist = vec![program.entry()];
    for procedure in program.procedures.values() {
        let mut entered = entry.clone();
        procedure.entered().for_each(|var| entered[var.index() / 64] |= 1 << (var.index() % 64));
        mapped[procedure.entry.index()] = Some(entered);
        worklist.push(procedure.entry);
    }
    mapped[program.entry().index()] = Some(entry);
    while let Some(point) = worklist.pop() {
        for step in &program.outgoing[point] {
            let step = &program.steps[*step];
            let Some(mut after) = mapped[point.index()].clone() else { continue };
            if let Command::EndScope { vars } = &step.command {
                vars.iter().for_each(|var| after[var.index() / 64] &= !(1 << (var.index() % 64)));
            }
            if let Some(var) = step.command.writes() {
                after[var.index() / 64] |= 1 << (var.index() % 64);
            }
            let changed = match &mut mapped[step.to.index()] {
                Some(old) => {
                    let mut changed = false;
                    for (old, new) in old.iter_mut().zip(&after) {
                        changed |= *old & !new != 0;
                        *old &= new;
                    }
                    changed
                }
                unseen => {
                    *unseen = Some(after);
                    true
                }
            };
            if changed {
                worklist.push(step.to);
            }
        }
    }
    program.outgoing.keys().find_map(|point| {
        let row = mapped[point.index()].as_ref()?;
        let is_unmapped = |var: &Var| row[var.index() / 64] >> (var.index() % 64) & 1 == 0;
        liveness.live(point).find(is_unmapped).map(|var| (point, var))
    })
}
