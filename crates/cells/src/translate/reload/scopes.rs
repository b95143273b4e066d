//! Variables that go out of scope: `rotate(x); p = x->parent;` where the last thing that `rotate` does is `x->parent = y;`.
//!
//! Where a link is held by variables that all go out of scope, and may be read again from there on, a variable of its own
//! holds it instead.

use super::anticipated::Anticipated;
use super::available::{Available, Fact, Row};
use crate::program::{CellProgram, Command, Origin, Step, StepId};
use heapwise_ir::entity::EntityRef;

/// Keeps links known behind the ends of scopes; says whether it did anything.
pub(super) fn keep(cells: &mut CellProgram, known: &Available<'_>, anticipated: &Anticipated) -> bool {
    let mut changed = false;
    for index in 0..cells.steps.len() {
        let id = StepId::new(index);
        let Step { from, to, command: Command::EndScope { vars }, .. } = &cells.steps[id] else { continue };
        let (Some(row), true) = (known.at(*from), cells.outgoing[*from].contains(&id)) else { continue };
        let (vars, to) = (vars.clone(), *to);
        let stays = |fact: &&Fact| !vars.iter().any(|var| fact.mentions(*var));
        let left: Row = row.iter().filter(stays).copied().collect();
        let read = anticipated.at(to).into_iter().flat_map(|read| read.iter());
        for wanted in read.filter(|wanted| !vars.contains(&wanted.base)) {
            if let (Some(source), None) = (wanted.holder(row), wanted.holder(&left)) {
                let Step { from, span, frame, edge, .. } = cells.steps[id];
                let target = wanted.new_holder(cells, frame);
                let between = cells.add_point(Origin { frame, location: None });
                // The step is the only one that leaves the point behind the copy.
                let place = cells.outgoing[from].iter_mut().find(|step| **step == id);
                let copy = cells.steps.push(Step {
                    from,
                    to: between,
                    command: Command::Copy { target, source },
                    span,
                    frame,
                    edge,
                });
                if let Some(place) = place {
                    *place = copy;
                }
                cells.steps[id].from = between;
                cells.outgoing[between].push(id);
                changed = true;
            }
        }
    }
    changed
}
