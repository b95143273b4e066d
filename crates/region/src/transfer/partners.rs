//! Fields of one object that hold the same pointer (`b->begin = b->data = data`): where one of them refers to the tracked cell, so
//! does the other, of whatever object.
//!
//! What is known is this: there is exactly one reference from a cell `one`, and the object in which it is refers to the tracked cell
//! from a cell `two` as well. So an expression for `two` hits if that for `one` over the same base does; and if there is
//! only one reference from `two`, it misses if the other one misses.

use super::{State, Step};
use crate::expressions::{Expression, ExpressionId};
use crate::facts::{Aim, Facts};
use crate::index::{Count, Referrer};
use crate::memory::{CellId, Extent};
use crate::procedure::Spot;

/// Another field of the same object.
struct Partner {
    expression: ExpressionId,
    /// Whether it hits if this one does.
    follows_hit: bool,
    /// Whether it misses if this one does.
    follows_miss: bool,
}

impl Step<'_> {
    /// The other fields of the object that an expression is in, and what follows from it for them.
    fn partners(&self, state: &State, own: Expression) -> Vec<Partner> {
        let is_one = |cell: CellId| state.index.get(Referrer::Cell(cell)) == Count::ONE;
        let mut found = Vec::new();
        for (one, two) in state.facts.together().filter(|(one, _)| is_one(*one)) {
            let (other, follows_hit, follows_miss) = match own.cell {
                cell if cell == one => (two, true, is_one(two)),
                cell if cell == two => (one, is_one(two), true),
                _ => continue,
            };
            if let Some(expression) = self.beside(own, other) {
                found.push(Partner { expression, follows_hit, follows_miss });
            }
        }
        found
    }

    /// The expression for another cell of the object that an expression is in.
    fn beside(&self, own: Expression, other: CellId) -> Option<ExpressionId> {
        let cells = &self.memory.cells;
        let expressions = &self.procedure.expressions;
        let offset = own.offset + (cells[other].offset - cells[own.cell].offset);
        expressions.find(own.base, offset).filter(|found| expressions.all[*found].cell == other)
    }

    /// What follows for an expression from what is known of others.
    pub(super) fn aim_of_partner(&self, state: &State, own: Expression) -> Option<Aim> {
        self.partners(state, own).into_iter().find_map(|partner| {
            // It would follow for the partner.
            match state.facts.aim(partner.expression)? {
                Aim::Hit => partner.follows_miss.then_some(Aim::Hit),
                Aim::Miss => partner.follows_hit.then_some(Aim::Miss),
            }
        })
    }

    /// It is known whether a field hits: what follows for those that go with it.
    pub(super) fn tell_partners(&self, state: &mut State, place: &Spot, hit: bool) {
        let Some(expression) = place.expression else { return };
        let own = self.procedure.expressions.all[expression];
        for partner in self.partners(state, own) {
            match hit {
                true if partner.follows_hit => state.facts.set_aim(partner.expression, Aim::Hit),
                false if partner.follows_miss => state.facts.set_aim(partner.expression, Aim::Miss),
                _ => {}
            }
        }
    }

    /// A field no longer refers to the tracked cell: only where the object is known to be another one, what went with it still does.
    pub(super) fn part(&self, state: &mut State, place: &Spot) {
        let own = place.expression.map(|expression| self.procedure.expressions.all[expression]);
        let is_elsewhere = |facts: &Facts, one: CellId| {
            own.and_then(|own| self.beside(own, one)).is_some_and(|found| facts.aim(found) == Some(Aim::Miss))
        };
        let before = state.facts.clone();
        state.facts.retain_together(|one, two| !place.target.cells.contains(&two) || is_elsewhere(&before, one));
    }

    /// A reference to the tracked cell was written beside others that are in the same object.
    pub(super) fn learn_partners(&self, state: &mut State, place: &Spot) {
        let (Some(expression), [_]) = (place.expression, &place.target.cells[..]) else { return };
        let expressions = &self.procedure.expressions;
        let own = expressions.all[expression];
        let cells = &self.memory.cells;
        let is_one = |state: &State, cell: CellId| state.index.get(Referrer::Cell(cell)) == Count::ONE;
        if place.target.unknown || place.target.in_pieces || cells[own.cell].extent == Extent::Folded {
            return;
        }
        let is_partner = |other: &Expression| {
            other.cell != own.cell
                && cells[other.cell].region == cells[own.cell].region
                && cells[other.cell].offset - cells[own.cell].offset == other.offset - own.offset
                && cells[other.cell].extent != Extent::Folded
        };
        let beside = expressions.from(own.base).iter().filter(|id| state.facts.aim(**id) == Some(Aim::Hit));
        let found = beside.map(|id| expressions.all[*id]).filter(is_partner).map(|other| other.cell).min();
        let Some(other) = found else { return };
        for (one, two) in [(own.cell, other), (other, own.cell)] {
            if is_one(state, one) {
                state.facts.set_together(one, two);
            }
        }
    }
}
