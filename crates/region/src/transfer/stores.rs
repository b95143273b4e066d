//! Writes to memory (Hackett and Rugina, Fig. 11), one value at a time or many.

use super::{Decision, State, Step};
use crate::equalities::Term;
use crate::expressions::Base;
use crate::facts::{About, Aim};
use crate::index::{Count, Referrer};
use crate::memory::{CellId, Extent};
use crate::procedure::{Spot, Stored};
use heapwise_engine::reason::RegionGap;
use heapwise_ir::RegisterId;

impl Step<'_> {
    pub(super) fn is_folded(&self, place: &Spot) -> bool {
        place.target.cells.iter().any(|cell| self.memory.cells[*cell].extent == Extent::Folded)
    }

    /// Memory gets a value that refers to the tracked cell, or not (Fig. 11).
    pub fn store(&mut self, mut state: State, place: &Spot, hits: bool, value: Stored, out: &mut Vec<State>) {
        let is_cyclic = place.target.cells.iter().any(|cell| self.memory.cells[*cell].is_cyclic);
        let may_link = matches!(value, Stored::Register(_) | Stored::Copied);
        if may_link && is_cyclic && place.base.is_none_or(|base| Self::hits(&state, base)) {
            match (state.facts.leaf(), value.register().and_then(|value| self.parameter(value))) {
                (Some(mask), Some(position)) => state.facts.set_leaf(mask | 1 << position),
                _ => state.facts.forget(About::Leaf),
            }
        }
        if place.target.unknown {
            let is_counted = state.index.iter().any(|(referrer, _)| match referrer {
                Referrer::Cell(cell) => self.memory.pointsto.regions[self.memory.cells[cell].region].escaped,
                Referrer::Outside => true,
                Referrer::Register(_)
                | Referrer::Local
                | Referrer::Existed
                | Referrer::Freed
                | Referrer::Ended
                | Referrer::Overwritten
                | Referrer::Doubtful
                | Referrer::Counter(_) => false,
            });
            if hits || is_counted {
                self.gap(RegionGap::UnknownPointer);
            }
            if hits {
                state.index.set(Referrer::Outside, Count::MANY);
            }
        }
        if place.target.cells.is_empty() {
            out.push(state);
            return;
        }
        let decision = self.decide(&state, place);
        if place.target.in_pieces && (hits || decision != Decision::Miss) {
            self.gap(RegionGap::PiecesOfPointer);
            self.forget_cells(&mut state, &place.target.cells);
            if hits {
                // It is kept somewhere, and not followed from here on.
                state.index.set(Referrer::Outside, Count::MANY);
            }
            out.push(state);
            return;
        }
        let before: &[bool] = match decision {
            Decision::Hit => &[true],
            Decision::Miss => &[false],
            Decision::Maybe if self.is_folded(place) => {
                self.gap(RegionGap::ArrayElement);
                &[false]
            }
            Decision::Maybe => &[true, false],
        };
        for was_hit in before {
            let mut stored = state.clone();
            self.tell_partners(&mut stored, place, *was_hit);
            if *was_hit && !hits {
                self.part(&mut stored, place);
            }
            self.keep_facts(&mut stored, place, *was_hit, hits);
            self.keep_inverses(&state, &mut stored, place, *was_hit, hits, value);
            match (*was_hit, hits) {
                (true, true) | (false, false) => out.push(stored),
                (true, false) => {
                    for cell in &place.target.cells {
                        self.decrement(&stored, *cell, out);
                    }
                }
                (false, true) => {
                    for cell in &place.target.cells {
                        let mut more = stored.clone();
                        if !more.index.has(Referrer::Cell(*cell)) {
                            self.others_miss(&mut more, place, *cell);
                        }
                        more.index.increment(Referrer::Cell(*cell), self.k);
                        self.learn_partners(&mut more, place);
                        out.push(more);
                    }
                }
            }
        }
    }

    /// Lines 10–14 of Fig. 11: what stays known, and what the location written does now.
    pub(super) fn keep_facts(&self, state: &mut State, place: &Spot, was_hit: bool, hits: bool) {
        let expressions = &self.procedure.expressions;
        let written = place.expression.map(|id| expressions.all[id]);
        let is_sibling = |base: Base| match (written.map(|written| written.base), base) {
            (Some(one), two) if one == two => true,
            (Some(Base::Register(one)), Base::Register(two)) => {
                self.equalities.is_some_and(|known| known.are_equal(Term::Register(one), Term::Register(two)))
            }
            _ => false,
        };
        state.facts.retain(|about, aim| {
            let About::Expression(id) = about else { return true };
            let other = expressions.all[id];
            if !place.target.cells.contains(&other.cell) || self.is_apart(other.base) {
                return true;
            }
            if is_sibling(other.base) {
                // The location itself is told below; another field of the same object is another location.
                return written.is_some_and(|written| written.offset != other.offset);
            }
            match aim {
                Some(Aim::Hit) => hits || !was_hit,
                Some(Aim::Miss) => !hits || was_hit,
                None => true,
            }
        });
        if let (Some(id), Some(written)) = (place.expression, written) {
            let aim = if hits { Aim::Hit } else { Aim::Miss };
            state.facts.set_aim(id, aim);
            if let Base::Register(base) = written.base {
                for term in self.equalities.into_iter().flat_map(|known| known.equal_to(Term::Register(base))) {
                    if let Term::Register(other) = term
                        && let Some(same) = expressions.find(Base::Register(other), written.offset)
                    {
                        state.facts.set_aim(same, aim);
                    }
                }
            }
        }
    }

    /// Whether what an expression starts from is another object than the one that this step writes.
    fn is_apart(&self, base: Base) -> bool {
        matches!(base, Base::Register(register)
            if self.first_run.is_apart((self.procedure.function, self.edge), register))
    }

    /// The first reference from a cell is written: until now counts alone said that all locations of it miss, and those that are
    /// not written still do.
    fn others_miss(&self, state: &mut State, place: &Spot, cell: CellId) {
        let expressions = &self.procedure.expressions;
        let written = place.expression.map(|id| expressions.all[id]);
        for (id, other) in expressions.all.iter().filter(|(_, other)| other.cell == cell) {
            let is_beside = written.is_some_and(|written| written.base == other.base && written.offset != other.offset);
            if is_beside || self.is_apart(other.base) {
                state.facts.set_aim(id, Aim::Miss);
            }
        }
    }

    /// Lines 2–4: one reference less from a cell; more than `k` may be `k` then, or still more.
    pub(super) fn decrement(&self, state: &State, cell: CellId, out: &mut Vec<State>) {
        let referrer = Referrer::Cell(cell);
        match state.index.get(referrer).number() {
            Some(0) => {}
            Some(number) => {
                let mut less = state.clone();
                less.index.set(referrer, Count::exactly((number - 1) as u8));
                out.push(less);
            }
            None => {
                out.push(state.clone());
                let mut less = state.clone();
                less.index.set(referrer, Count::exactly(self.k));
                out.push(less);
            }
        }
    }

    /// Forgets what is known of values in these cells.
    pub fn forget_cells(&self, state: &mut State, cells: &[CellId]) {
        let expressions = &self.procedure.expressions;
        state.facts.retain(|about, _| match about {
            About::Expression(id) => !cells.contains(&expressions.all[id].cell),
            About::Inverse(id) => {
                let pair = self.memory.inverses[id];
                !cells.contains(&pair.back) && !cells.contains(&pair.forth)
            }
            About::Apart(link) | About::Filled(link) => !cells.contains(&link),
            About::Register(_)
            | About::Counted(_)
            | About::Given(_)
            | About::Together(_)
            | About::Visible
            | About::Leaf => true,
        });
        state.facts.retain_together(|one, two| !cells.contains(&one) && !cells.contains(&two));
    }

    pub(super) fn copy_pairs(
        &mut self,
        state: State,
        pairs: &[(Option<Spot>, Spot)],
        fill: Stored,
        out: &mut Vec<State>,
    ) {
        let mut state = state;
        let is_copied = |cell: &CellId| pairs.iter().any(|(_, to)| to.target.cells.contains(cell));
        state.facts.retain_together(|one, two| !is_copied(&one) && !is_copied(&two));
        let mut states = vec![state];
        for (from, to) in pairs {
            for state in std::mem::take(&mut states) {
                let Some(from) = from else {
                    self.store(state, to, false, fill, &mut states);
                    continue;
                };
                match self.decide(&state, from) {
                    Decision::Hit => self.store(state, to, true, Stored::Copied, &mut states),
                    Decision::Miss => self.store(state, to, false, Stored::Copied, &mut states),
                    Decision::Maybe => {
                        let mut hit = state.clone();
                        let mut miss = state;
                        if let Some(expression) = from.expression {
                            self.set_aim(&mut hit, expression, Aim::Hit);
                            self.set_aim(&mut miss, expression, Aim::Miss);
                        }
                        if !(hit.index.has(Referrer::Freed) && self.is_folded(from)) {
                            self.store(hit, to, true, Stored::Copied, &mut states);
                        } else {
                            self.gap(RegionGap::ArrayElement);
                        }
                        self.store(miss, to, false, Stored::Copied, &mut states);
                    }
                }
            }
        }
        out.append(&mut states);
    }

    /// Bytes are copied, and it is not known which: what was read may be anywhere in what is written.
    pub(super) fn copy_somewhere(
        &mut self,
        state: &mut State,
        bases: &[RegisterId],
        written: &[CellId],
        read: &[CellId],
    ) {
        let is_read = read.iter().any(|cell| state.index.has(Referrer::Cell(*cell)));
        let is_written = written.iter().any(|cell| state.index.has(Referrer::Cell(*cell)));
        if bases.iter().any(|base| Self::hits(state, *base)) {
            state.facts.forget(About::Leaf);
        }
        if !is_read && !is_written {
            // What the tracked cell's own links hold is not known any more.
            self.forget_cells(state, written);
            return;
        }
        self.gap(RegionGap::CopiedMemory);
        if is_read {
            for cell in written.iter().filter(|cell| !read.contains(cell)) {
                state.index.set(Referrer::Cell(*cell), Count::MANY);
            }
        }
        self.forget_cells(state, written);
    }
}
