//! The law that engines rely on: where a variable is live, it has a value on every way. An engine that meets a state
//! without a value for a variable that a step reads has no state behind that step, so a translation that broke the law
//! would make everything behind it look safe. It is checked once per program. (Textbooks call it definite assignment.)

use crate::atom::Var;
use crate::live::Liveness;
use crate::program::{CellProgram, Command, Point, VariableStorage};
use heapwise_dataflow::{Reachability, iterate_to_fixpoint, unlimited};

/// A location where a live variable may have no value, and the variable; none unless the translation is wrong.
///
/// A variable that has no value on some way to where it is live is live on all of that way, up to where it lost its value
/// or never had one: the start of the program or of a procedure, or the end of its scope. So it is enough to look there.
pub fn unmapped(program: &CellProgram, liveness: &Liveness) -> Option<(Point, Var)> {
    let is_global = |var: Var| program.vars[var].storage == VariableStorage::Global;
    let start = program.entry();
    if let Some(var) = liveness.live(start).find(|var| !is_global(*var)) {
        return Some((start, var));
    }
    for procedure in program.procedures.values() {
        let entered: Vec<Var> = procedure.entered().collect();
        let mut live = liveness.live(procedure.entry);
        if let Some(var) = live.find(|var| !is_global(*var) && !entered.contains(var)) {
            return Some((procedure.entry, var));
        }
    }
    let Ok(reached) = iterate_to_fixpoint(program, Reachability::of(program), unlimited);
    let steps = program.outgoing.values().flatten().map(|step| &program.steps[*step]);
    steps.filter(|step| reached.is_reached(step.from)).find_map(|step| {
        let Command::EndScope { vars } = &step.command else { return None };
        let unset = vars.iter().find(|var| liveness.is_live(step.to, **var));
        unset.map(|var| (step.to, *var))
    })
}
