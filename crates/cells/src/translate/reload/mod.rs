//! Partial redundancy elimination of loads of links.
//!
//! Links are read more than once: `if (x->parent && x == x->parent->left) x->parent->left = y;` reads the link of `x`
//! three times, and nothing is stored in between. The first variable that it is read into still holds it: later reads are
//! copies, and what is known of the cell behind the link, to which no other variable need point, is not forgotten.
//!
//! While the link is available ([`available`]), a read of it does not fail: one went well before. Where it is available on some
//! of the ways to a join point and anticipated behind it ([`anticipated`]), it is made so on the others ([`joins`]); where the
//! variable that holds it goes out of scope, another one does ([`scopes`]).
//!
//! A call that is not inlined may change the link, but mostly does not: `destroy(&(*t)->left); destroy(&(*t)->right);` reads
//! the link that `t` points to again. It is read then, and the variable that held it lives until there, so that the cell
//! keeps a name of its own in between.

mod anticipated;
mod available;
mod joins;
mod scopes;

use crate::atom::Var;
use crate::live::LiveVariables;
use crate::program::{CellProgram, Command, Origin, Purpose, Step, StepId, VariableStorage};
use available::{Available, Calls, Fact, available};
use heapwise_engine::{BudgetMeter, Exhausted};
use rustc_hash::FxHashMap;

/// What is known at one point makes more known at the next one, as often as this.
const ROUNDS: usize = 8;

/// The variables that point to one of several fields.
#[derive(Default)]
pub(in crate::translate) struct Pointers {
    /// The variable that holds the offset of the field.
    pub(in crate::translate) offset_of: FxHashMap<Var, Var>,
    /// Copies that read an object through such a variable.
    pub(in crate::translate) through: FxHashMap<StepId, Var>,
}

/// Makes copies of reads whose value is at hand.
pub(in crate::translate) fn reuse(
    cells: &mut CellProgram,
    pointers: &Pointers,
    meter: &BudgetMeter<'_>,
) -> Result<(), Exhausted> {
    for _ in 0..ROUNDS {
        let Some(known) = available(cells, pointers, Calls::Change, meter)? else { return Ok(()) };
        let anticipated = anticipated::anticipated(cells, meter)?;
        if !scopes::keep(cells, &known, &anticipated) && !joins::insert(cells, &known, &anticipated) {
            break;
        }
    }
    let Some(known) = available(cells, pointers, Calls::Change, meter)? else { return Ok(()) };
    for (id, source) in held_reads(cells, &known, meter)? {
        let Command::Load { target: Some(target), .. } = cells.steps[id].command else { continue };
        cells.steps[id].command = if source == target { Command::Skip } else { Command::Copy { target, source } };
    }
    if !cells.procedures.is_empty() {
        keep_names(cells, pointers, meter)?;
    }
    Ok(())
}

/// The reads of links that a variable holds, and the variable: one that is live, if there is one.
fn held_reads(
    cells: &CellProgram,
    known: &Available<'_>,
    meter: &BudgetMeter<'_>,
) -> Result<Vec<(StepId, Var)>, Exhausted> {
    let live = LiveVariables::within(cells, meter)?;
    let mut found = Vec::new();
    for (id, step) in &cells.steps {
        let Command::Load { target: Some(_), base, access } = step.command else { continue };
        let Some(row) = known.at(step.from) else { continue };
        let held = row.iter().filter_map(|fact| match *fact {
            Fact::Held { by, .. } if *fact == Fact::held(base, access, by) => Some(by),
            Fact::Held { .. } | Fact::Same(..) | Fact::Led { .. } | Fact::Is(..) | Fact::Leads { .. } => None,
        });
        let best = held.min_by_key(|var| {
            let is_temporary = cells.vars[*var].storage == VariableStorage::Temporary;
            (!live.is_live(step.from, *var), is_temporary, *var)
        });
        found.extend(best.map(|var| (id, var)));
    }
    Ok(found)
}

/// Lets variables live until the link that they held before a call is read again.
fn keep_names(cells: &mut CellProgram, pointers: &Pointers, meter: &BudgetMeter<'_>) -> Result<(), Exhausted> {
    let Some(known) = available(cells, pointers, Calls::Leave, meter)? else { return Ok(()) };
    for (id, var) in held_reads(cells, &known, meter)? {
        let Step { to, span, frame, edge, .. } = cells.steps[id];
        if cells.steps[id].command.writes() == Some(var) {
            continue;
        }
        // Behind the read, for the cell needs its name as long as it has not got the new one.
        let between = cells.add_point(Origin { frame, location: None });
        cells.steps[id].to = between;
        let command = Command::Use { var, purpose: Purpose::Discard };
        cells.add_step(Step { from: between, to, command, span, frame, edge });
    }
    Ok(())
}
