//! Links that are read more than once: `if (x->parent && x == x->parent->left) x->parent->left = y;` reads the link of `x`
//! three times, and nothing is stored in between. The first variable that it is read into still holds it: later reads are
//! copies, and what is known of the cell behind the link, to which no other variable need point, is not forgotten.
//!
//! While the link is known ([`facts`]), a read of it does not fail: one went well before. Where it is known on some of the
//! ways that meet, it is made known on the others ([`joins`]); where the variable that holds it goes out of scope, another
//! one does ([`scopes`]).

mod facts;
mod joins;
mod scopes;
mod wanted;

use crate::atom::Var;
use crate::live::Liveness;
use crate::program::{CellProgram, Command, StepId, VariableStorage};
use facts::{Fact, facts};
use heapwise_ir::Program;
use heapwise_ir::entity::EntityRef;
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
pub(in crate::translate) fn reuse(program: &Program, cells: &mut CellProgram, pointers: &Pointers) {
    for _ in 0..ROUNDS {
        let Some(rows) = facts(program, cells, pointers) else { return };
        let wanted = wanted::wanted(cells);
        if !scopes::keep(cells, &rows, &wanted) && !joins::settle(program, cells, pointers, &rows, &wanted) {
            break;
        }
    }
    let Some(rows) = facts(program, cells, pointers) else { return };
    let liveness = Liveness::new(cells);
    for index in 0..cells.steps.len() {
        let id = StepId::new(index);
        let step = &cells.steps[id];
        let Command::Load { target: Some(target), base, access } = step.command else { continue };
        let Some(row) = &rows[step.from.index()] else { continue };
        let held = row.iter().filter_map(|fact| match *fact {
            Fact::Held { by, .. } if *fact == Fact::held(base, access, by) => Some(by),
            Fact::Held { .. } | Fact::Same(..) | Fact::Led { .. } | Fact::Is(..) | Fact::Leads { .. } => None,
        });
        let best = held.min_by_key(|var| {
            let is_temporary = cells.vars[*var].storage == VariableStorage::Temporary;
            (!liveness.is_live(step.from, *var), is_temporary, *var)
        });
        let Some(source) = best else { continue };
        cells.steps[id].command = if source == target { Command::Skip } else { Command::Copy { target, source } };
    }
}
