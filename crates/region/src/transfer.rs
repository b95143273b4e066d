//! What instructions do to configurations (paper 004, Figs 10–12).
//!
//! Two rules go past Fig. 11: registers are counted exactly, so only memory is ever undecided; and a write to a location
//! that surely did not refer to the tracked cell leaves every location that surely did alone, and the other way round.

use crate::effects::CellMap;
use crate::equalities::{Equalities, Term};
use crate::expressions::{Base, ExpressionId};
use crate::facts::{About, Aim, Facts};
use crate::first_run::FirstRun;
use crate::frees::OnWays;
use crate::index::{Count, Index, Slot};
use crate::memory::{CellId, Extent, Inverse, Memory};
use crate::number::Number;
use crate::procedure::{Call, NO_CELL, Operation, Procedure, Spot, Stored};
use heapwise_engine::Kind;
use heapwise_engine::reason::RegionGap;
use heapwise_ir::{CompareOperator, EdgeId, FunctionId, LocationId, RegisterId, RegisterOrigin, Storage};

/// A configuration while it is changed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct State {
    /// Counts and flags.
    pub index: Index,
    /// Hits, misses and numbers.
    pub facts: Facts,
}

/// What a step does not follow, or finds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// An error.
    Error(Kind),
    /// Something that is not followed.
    Gap(RegionGap),
}

/// Whether an expression refers to the tracked cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// It does.
    Hit,
    /// It does not.
    Miss,
    /// Both may be.
    Maybe,
}

/// One step of one procedure.
pub struct Step<'s> {
    /// The regions.
    pub memory: &'s Memory<'s>,
    /// The procedure.
    pub procedure: &'s Procedure,
    /// The instruction.
    pub edge: EdgeId,
    /// Where the step starts.
    pub from: LocationId,
    /// What is equal there.
    pub equalities: Option<&'s Equalities>,
    /// What is equal where it ends.
    pub equalities_after: Option<&'s Equalities>,
    /// What a first run has shown.
    pub first_run: &'s FirstRun,
    /// Up to where references are counted.
    pub k: u8,
    /// What was noticed.
    pub notices: Vec<Notice>,
}

impl Step<'_> {
    /// Says that something is not followed.
    pub fn gap(&mut self, gap: RegionGap) {
        self.notices.push(Notice::Gap(gap));
    }

    fn error(&mut self, kind: Kind) {
        self.notices.push(Notice::Error(kind));
    }

    /// Whether the count of a register is kept up to here.
    fn is_kept(&self, register: RegisterId) -> bool {
        let declared = &self.memory.program.functions[self.procedure.function].registers[register];
        declared.origin != RegisterOrigin::Temporary || self.procedure.liveness.is_live(self.from, register)
    }

    /// The decision function of section 5.2.2.
    pub fn decide(&self, state: &State, place: &Spot) -> Decision {
        let is_counted = place.target.cells.iter().any(|cell| state.index.has(Slot::Cell(*cell)));
        if !is_counted {
            return Decision::Miss;
        }
        if let [cell] = place.target.cells[..]
            && self.memory.cells[cell].extent == Extent::One
            && !place.target.unknown
            && !place.target.in_pieces
        {
            return Decision::Hit;
        }
        place.expression.map_or(Decision::Maybe, |expression| self.decide_expression(state, expression))
    }

    /// The same for an expression of the procedure.
    pub fn decide_expression(&self, state: &State, expression: ExpressionId) -> Decision {
        let own = self.procedure.expressions.all[expression];
        if !state.index.has(Slot::Cell(own.cell)) {
            return Decision::Miss;
        }
        if self.memory.cells[own.cell].extent == Extent::One {
            return Decision::Hit;
        }
        if let Some(aim) = state.facts.aim(expression) {
            return aim.into();
        }
        if let Base::Register(base) = own.base
            && self.is_kept(base)
            && Self::hits(state, base)
            && state.facts.knows(About::Apart(own.cell))
        {
            return Decision::Miss;
        }
        for term in self.equalities.into_iter().flat_map(|known| known.equal_to(Term::Expression(expression))) {
            match term {
                Term::Register(register) if self.is_kept(register) => {
                    return if state.index.has(Slot::Register(register)) { Decision::Hit } else { Decision::Miss };
                }
                Term::Register(_) => {}
                Term::Expression(other) => {
                    if let Some(aim) = state.facts.aim(other) {
                        return aim.into();
                    }
                }
            }
        }
        // The only reference is from a field of another object: of two pointers one is to the tracked cell, the other not.
        if let (Count::ONE, Base::Register(base)) = (state.index.get(Slot::Cell(own.cell)), own.base)
            && self.is_kept(base)
        {
            let is_elsewhere = state.facts.aims().any(|(id, aim)| {
                let other = self.procedure.expressions.all[id];
                aim == Aim::Hit
                    && other.cell == own.cell
                    && matches!(other.base, Base::Register(register) if self.is_kept(register)
                        && Self::hits(state, register) != Self::hits(state, base))
            });
            if is_elsewhere {
                return Decision::Miss;
            }
        }
        Decision::Maybe
    }

    /// Says what an expression does, and those that equal it.
    fn set_aim(&self, state: &mut State, expression: ExpressionId, aim: Aim) {
        state.facts.set_aim(expression, aim);
        for term in self.equalities.into_iter().flat_map(|known| known.equal_to(Term::Expression(expression))) {
            if let Term::Expression(other) = term {
                state.facts.set_aim(other, aim);
            }
        }
    }

    /// A register gets a value.
    pub fn assign(&self, state: &mut State, target: RegisterId, hits: bool, number: Number) {
        state.index.set(Slot::Register(target), if hits { Count::ONE } else { Count::ZERO });
        for expression in self.procedure.expressions.from(Base::Register(target)) {
            state.facts.forget(About::Expression(*expression));
        }
        let number = if hits || !self.procedure.tested.contains(target) { Number::ANY } else { number };
        state.facts.set_number(target, number);
    }

    fn hits(state: &State, register: RegisterId) -> bool {
        state.index.has(Slot::Register(register))
    }

    fn is_dangling(state: &State, register: Option<RegisterId>) -> bool {
        state.index.has(Slot::Freed) && register.is_some_and(|register| Self::hits(state, register))
    }

    /// The registers through which an operation accesses memory.
    pub fn bases(operation: &Operation) -> &[RegisterId] {
        match operation {
            Operation::Load { place, .. } | Operation::Store { place, .. } => place.base.as_slice(),
            Operation::CopyCells { bases, .. } => bases,
            Operation::Skip
            | Operation::Stop
            | Operation::Unsupported
            | Operation::Copy { .. }
            | Operation::Blend { .. }
            | Operation::Alloc { .. }
            | Operation::Free { .. }
            | Operation::End { .. }
            | Operation::AssumeNumber { .. }
            | Operation::AssumePointers { .. }
            | Operation::Call(_) => &[],
        }
    }

    /// Everything a configuration becomes. Calls are elsewhere.
    pub fn apply(&mut self, operation: &Operation, mut state: State, out: &mut Vec<State>) {
        if Self::bases(operation).iter().any(|base| state.facts.number(*base) == Number::ZERO) {
            // A null dereference, which is no business of this engine, ends the run.
            return;
        }
        if self.first_run.is_ended((self.procedure.function, self.edge)) {
            match operation {
                Operation::Free { pointer, .. } => {
                    // What is freed is null, or freed again: then the run ends for all cells.
                    if !Self::hits(&state, *pointer) {
                        out.push(state);
                        return;
                    }
                }
                other => {
                    if !Self::bases(other).iter().any(|base| Self::hits(&state, *base)) {
                        return;
                    }
                }
            }
        }
        match operation {
            Operation::Skip | Operation::Call(_) => out.push(state),
            Operation::Stop | Operation::Unsupported => {}
            Operation::Copy { target, source, shift, number } => {
                self.copy(&mut state, *target, *source, *shift, *number);
                out.push(state);
            }
            Operation::Blend { target, sources } => {
                let hits = sources.iter().any(|source| Self::hits(&state, *source));
                if hits {
                    self.gap(RegionGap::ComputedPointer);
                }
                self.assign(&mut state, *target, hits, Number::ANY);
                out.push(state);
            }
            Operation::Load { target, place } => self.load(state, *target, place, out),
            Operation::Store { place, value } => {
                if Self::is_dangling(&state, place.base) {
                    self.error(Kind::UseAfterFree);
                    return;
                }
                let hits = value.register().is_some_and(|value| Self::hits(&state, value));
                let is_null = value.register().is_some_and(|value| state.facts.number(value) == Number::ZERO);
                self.store(state, place, hits, if is_null { Stored::Null } else { *value }, out);
            }
            Operation::CopyCells { bases, pairs, fill, written, read, is_exact } => {
                if bases.iter().any(|base| Self::is_dangling(&state, Some(*base))) {
                    self.error(Kind::UseAfterFree);
                    return;
                }
                if *is_exact {
                    self.copy_pairs(state, pairs, *fill, out);
                } else {
                    self.copy_somewhere(&mut state, bases, written, read);
                    out.push(state);
                }
            }
            Operation::Alloc { target, storage } => {
                self.assign(&mut state, *target, false, Number::ANY);
                if *storage == Storage::Heap {
                    self.fresh_fields_miss(&mut state, *target);
                }
                out.push(state);
            }
            Operation::Free { pointer, fields } => self.free(state, *pointer, fields, out),
            Operation::End { pointer, fields } => {
                if state.index.has(Slot::Local) && pointer.is_some_and(|pointer| Self::hits(&state, pointer)) {
                    state.index.set(Slot::Freed, Count::ONE);
                }
                self.forget_fields(state, fields, out);
            }
            Operation::AssumeNumber { register, operator, constant } => {
                let aliases = self.first_run.aliases((self.procedure.function, self.edge));
                let is_one_of_two =
                    aliases.iter().any(|alias| Self::hits(&state, alias.other) && !Self::hits(&state, alias.pointer));
                if !is_one_of_two && self.assume_number(&mut state, *register, *operator, *constant) {
                    out.push(state);
                }
            }
            Operation::AssumePointers { left, right, equal, by_cell } => {
                let (one, two) = (Self::hits(&state, *left), Self::hits(&state, *right));
                if state.index.has(Slot::Freed) && one != two {
                    // A new cell may lie where the freed one lay.
                    self.gap(RegionGap::DanglingCompared);
                    out.push(state);
                    return;
                }
                let is_possible = match (*by_cell, *equal) {
                    (false, _) => true,
                    (true, true) => one == two,
                    (true, false) => !(one && two),
                };
                if is_possible {
                    out.push(state);
                }
            }
        }
    }

    fn copy(
        &self,
        state: &mut State,
        target: RegisterId,
        source: Option<RegisterId>,
        shift: Option<i64>,
        number: Number,
    ) {
        let Some(source) = source else {
            self.assign(state, target, false, number);
            return;
        };
        let expressions = &self.procedure.expressions;
        let moved: Vec<(i64, Aim)> = match shift {
            Some(shift) => expressions
                .from(Base::Register(source))
                .iter()
                .filter_map(|id| Some((expressions.all[*id].offset.checked_sub(shift)?, state.facts.aim(*id)?)))
                .collect(),
            None => Vec::new(),
        };
        let number = if shift == Some(0) { state.facts.number(source) } else { Number::ANY };
        self.assign(state, target, Self::hits(state, source), number);
        for (offset, aim) in moved {
            if let Some(same) = expressions.find(Base::Register(target), offset) {
                state.facts.set_aim(same, aim);
            }
        }
    }

    /// Fields of a new cell refer to nothing.
    pub fn fresh_fields_miss(&self, state: &mut State, target: RegisterId) {
        for expression in self.procedure.expressions.from(Base::Register(target)) {
            if state.index.has(Slot::Cell(self.procedure.expressions.all[*expression].cell)) {
                state.facts.set_aim(*expression, Aim::Miss);
            }
        }
    }

    fn load(&mut self, mut state: State, target: RegisterId, place: &Spot, out: &mut Vec<State>) {
        if Self::is_dangling(&state, place.base) {
            self.error(Kind::UseAfterFree);
            return;
        }
        if place.target.unknown && state.index.has(Slot::Outside) {
            self.gap(RegionGap::UnknownPointer);
        }
        let inverses = self.inverses_read(&state, place);
        let is_null = inverses.iter().any(|pair| self.leads_nowhere(&state, *pair));
        let is_filled = place.base.is_some_and(|base| Self::hits(&state, base))
            && matches!(place.target.cells[..], [cell] if state.facts.knows(About::Filled(cell)));
        let number = match (is_null, is_filled) {
            (true, _) => Number::ZERO,
            (false, true) => Number::NONZERO,
            (false, false) => Number::ANY,
        };
        let decision = if is_null { Decision::Miss } else { self.decide(&state, place) };
        match decision {
            Decision::Miss => {
                self.assign(&mut state, target, false, number);
                self.tell_inverses(&mut state, target, &inverses);
                out.push(state);
            }
            _ if place.target.in_pieces => {
                self.gap(RegionGap::PiecesOfPointer);
                self.assign(&mut state, target, false, Number::ANY);
                out.push(state);
            }
            Decision::Hit => {
                self.assign(&mut state, target, true, Number::ANY);
                out.push(state);
            }
            Decision::Maybe => {
                if state.index.has(Slot::Freed) && self.is_folded(place) {
                    // Whether this element was freed is not known: loops over arrays free each once.
                    self.gap(RegionGap::ArrayElement);
                } else {
                    let mut hit = state.clone();
                    if let Some(expression) = place.expression {
                        self.set_aim(&mut hit, expression, Aim::Hit);
                    }
                    self.assign(&mut hit, target, true, Number::ANY);
                    out.push(hit);
                }
                if let Some(expression) = place.expression {
                    self.set_aim(&mut state, expression, Aim::Miss);
                }
                self.assign(&mut state, target, false, number);
                self.tell_inverses(&mut state, target, &inverses);
                out.push(state);
            }
        }
    }

    /// The pairs of links whose first one is read from the tracked cell here, and of which it is known that the other leads back.
    fn inverses_read(&self, state: &State, place: &Spot) -> Vec<Inverse> {
        let (Some(base), [cell], Some(_)) = (place.base, &place.target.cells[..], place.expression) else {
            return Vec::new();
        };
        if !Self::hits(state, base) {
            return Vec::new();
        }
        let pairs = self.memory.inverses_with(*cell);
        pairs.filter(|(id, pair)| pair.back == *cell && state.facts.has_inverse(*id)).map(|(_, pair)| pair).collect()
    }

    /// Whether the first link of a pair is null: no second one leads to the tracked cell, and no freed cell is behind the first.
    fn leads_nowhere(&self, state: &State, pair: Inverse) -> bool {
        let read = self.first_run.link((self.procedure.function, self.edge));
        !state.index.has(Slot::Cell(pair.forth)) && read.is_some_and(|read| read.is_never_dangling)
    }

    /// Where the first link of a pair led, the second one leads to the tracked cell.
    fn tell_inverses(&self, state: &mut State, target: RegisterId, inverses: &[Inverse]) {
        for pair in inverses {
            let back = self.procedure.expressions.find(Base::Register(target), pair.offset_of_forth(self.memory));
            if let Some(expression) = back
                && state.index.has(Slot::Cell(pair.forth))
            {
                state.facts.set_aim(expression, Aim::Hit);
            }
        }
    }

    /// What a write to one of a pair of links leaves known of the pair.
    fn keep_inverses(
        &self,
        before: &State,
        stored: &mut State,
        place: &Spot,
        was_hit: bool,
        hits: bool,
        value: Stored,
    ) {
        let base_hits = place.base.is_none_or(|base| Self::hits(before, base));
        let is_surely_written = place.target.cells.len() == 1 && !place.target.unknown && place.expression.is_some();
        let is_filled = hits || value.register().is_some_and(|value| !before.facts.number(value).may_be_zero());
        let find =
            |register: RegisterId, offset: i64| self.procedure.expressions.find(Base::Register(register), offset);
        for cell in &place.target.cells {
            if base_hits {
                let is_link = self.memory.inverses_with(*cell).next().is_some();
                for (about, holds) in [(About::Apart(*cell), !hits), (About::Filled(*cell), is_filled)] {
                    if !holds {
                        stored.facts.forget(about);
                    } else if is_surely_written && is_link {
                        stored.facts.learn(about);
                    }
                }
            }
            for (id, pair) in self.memory.inverses_with(*cell) {
                if pair.back == *cell {
                    // Links of other cells than the tracked one do not matter.
                    if !base_hits {
                        continue;
                    }
                    let leads_back = |value: RegisterId| {
                        let back = find(value, pair.offset_of_forth(self.memory));
                        back.is_some_and(|back| self.decide_expression(before, back) == Decision::Hit)
                    };
                    let holds = value == Stored::Null || value.register().is_some_and(leads_back);
                    if !holds {
                        stored.facts.forget(About::Inverse(id));
                    } else if is_surely_written {
                        stored.facts.set_inverse(id);
                    }
                } else if hits {
                    let comes_from = |base: RegisterId, value: RegisterId| {
                        find(value, pair.offset_of_back(self.memory)).is_some_and(|back| {
                            self.equalities
                                .is_some_and(|known| known.are_equal(Term::Expression(back), Term::Register(base)))
                        })
                    };
                    if let (Some(base), Some(value)) = (place.base, value.register())
                        && is_surely_written
                        && comes_from(base, value)
                    {
                        stored.facts.set_inverse(id);
                    }
                } else if was_hit {
                    stored.facts.forget(About::Inverse(id));
                }
            }
        }
    }

    /// The position of the parameter whose value at the entry a register surely holds.
    fn parameter(&self, register: RegisterId) -> Option<u32> {
        let constant = &self.procedure.constant_parameters;
        let equal = self.equalities.into_iter().flat_map(|known| known.equal_to(Term::Register(register)));
        let registers = equal.filter_map(|term| match term {
            Term::Register(other) => Some(other),
            Term::Expression(_) => None,
        });
        let parameter = std::iter::once(register).chain(registers).find(|register| constant.contains(*register))?;
        let position = self.procedure.parameters.iter().position(|other| *other == parameter)?;
        u32::try_from(position).ok().filter(|position| *position < u32::BITS)
    }

    fn is_folded(&self, place: &Spot) -> bool {
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
            let is_counted = state.index.iter().any(|(slot, _)| match slot {
                Slot::Cell(cell) => self.memory.pointsto.regions[self.memory.cells[cell].region].escaped,
                Slot::Outside => true,
                Slot::Register(_) | Slot::Local | Slot::Existed | Slot::Freed => false,
            });
            if hits || is_counted {
                self.gap(RegionGap::UnknownPointer);
            }
            if hits {
                state.index.set(Slot::Outside, Count::MANY);
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
                state.index.set(Slot::Outside, Count::MANY);
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
                        more.index.increment(Slot::Cell(*cell), self.k);
                        out.push(more);
                    }
                }
            }
        }
    }

    /// Lines 10–14 of Fig. 11: what stays known, and what the location written does now.
    fn keep_facts(&self, state: &mut State, place: &Spot, was_hit: bool, hits: bool) {
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
            if !place.target.cells.contains(&other.cell) {
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

    /// Lines 2–4: one reference less from a cell; more than `k` may be `k` then, or still more.
    fn decrement(&self, state: &State, cell: CellId, out: &mut Vec<State>) {
        let slot = Slot::Cell(cell);
        match state.index.get(slot).number() {
            Some(0) => {}
            Some(number) => {
                let mut less = state.clone();
                less.index.set(slot, Count::exactly((number - 1) as u8));
                out.push(less);
            }
            None => {
                out.push(state.clone());
                let mut less = state.clone();
                less.index.set(slot, Count::exactly(self.k));
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
            About::Register(_) | About::Visible | About::Leaf => true,
        });
    }

    fn copy_pairs(&mut self, state: State, pairs: &[(Option<Spot>, Spot)], fill: Stored, out: &mut Vec<State>) {
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
                        if !(hit.index.has(Slot::Freed) && self.is_folded(from)) {
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
    fn copy_somewhere(&mut self, state: &mut State, bases: &[RegisterId], written: &[CellId], read: &[CellId]) {
        let is_read = read.iter().any(|cell| state.index.has(Slot::Cell(*cell)));
        let is_written = written.iter().any(|cell| state.index.has(Slot::Cell(*cell)));
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
                state.index.set(Slot::Cell(*cell), Count::MANY);
            }
        }
        self.forget_cells(state, written);
    }

    fn free(&mut self, mut state: State, pointer: RegisterId, fields: &[Spot], out: &mut Vec<State>) {
        if Self::hits(&state, pointer) {
            if state.index.has(Slot::Local) {
                self.error(Kind::InvalidFree);
                return;
            }
            if state.index.has(Slot::Freed) {
                self.error(Kind::DoubleFree);
                return;
            }
            state.index.set(Slot::Freed, Count::ONE);
        } else if state.facts.number(pointer) == Number::ZERO {
            out.push(state);
            return;
        }
        self.forget_fields(state, fields, out);
    }

    /// An object ends, and with it what its fields refer to.
    fn forget_fields(&mut self, state: State, fields: &[Spot], out: &mut Vec<State>) {
        let mut states = vec![state];
        for field in fields {
            for mut state in std::mem::take(&mut states) {
                let cell = field.target.cells[0];
                match self.decide(&state, field) {
                    Decision::Miss => states.push(state),
                    Decision::Hit => {
                        if let Some(expression) = field.expression {
                            state.facts.forget(About::Expression(expression));
                        }
                        self.decrement(&state, cell, &mut states);
                    }
                    Decision::Maybe if self.memory.cells[cell].extent == Extent::Folded => {
                        self.gap(RegionGap::ArrayElement);
                        if state.index.has(Slot::Freed) {
                            state.index.set(Slot::Cell(cell), Count::ZERO);
                        }
                        states.push(state);
                    }
                    Decision::Maybe => {
                        self.decrement(&state, cell, &mut states);
                        states.push(state);
                    }
                }
            }
        }
        out.append(&mut states);
    }

    /// What a callee frees has fields that only the caller knows: what they refer to is lost at the call.
    pub fn lose_fields(
        &mut self,
        before: &State,
        after: State,
        (call, callee): (&Call, FunctionId),
        map: &CellMap,
        out: &mut Vec<State>,
    ) {
        let mut states = vec![after];
        for freed in call.frees.iter().filter(|freed| freed.callee == callee) {
            let is_hidden = |field: &&Spot| field.target.cells.iter().all(|cell| map.in_callee(*cell).is_empty());
            for field in freed.fields.iter().filter(is_hidden) {
                let decision = self.decide(before, field);
                if decision == Decision::Miss {
                    continue;
                }
                let cell = field.target.cells[0];
                let is_surely_lost = decision == Decision::Hit && freed.ways == OnWays::All;
                if decision == Decision::Maybe && self.is_folded(field) {
                    self.gap(RegionGap::ArrayElement);
                    continue;
                }
                for mut state in std::mem::take(&mut states) {
                    if !is_surely_lost {
                        states.push(state.clone());
                    }
                    if let Some(expression) = field.expression {
                        state.facts.forget(About::Expression(expression));
                    }
                    self.decrement(&state, cell, &mut states);
                }
            }
        }
        for cell in &map.freed {
            self.lose_some(*cell, &mut states);
        }
        out.append(&mut states);
    }

    /// Any number of references from a cell may be gone.
    fn lose_some(&mut self, cell: CellId, states: &mut Vec<State>) {
        let mut next = 0;
        while let Some(state) = states.get(next).cloned() {
            next += 1;
            if !state.index.has(Slot::Cell(cell)) {
                continue;
            }
            if self.memory.cells[cell].extent == Extent::Folded {
                self.gap(RegionGap::ArrayElement);
                continue;
            }
            let mut fewer = Vec::new();
            self.decrement(&state, cell, &mut fewer);
            fewer.retain(|state| !states.contains(state));
            states.append(&mut fewer);
        }
    }

    fn assume_number(
        &self,
        state: &mut State,
        register: RegisterId,
        operator: CompareOperator,
        constant: i128,
    ) -> bool {
        if Self::hits(state, register) {
            return match operator {
                CompareOperator::Equal => constant == NO_CELL && state.index.has(Slot::Freed),
                _ => true,
            };
        }
        if constant == NO_CELL {
            return true;
        }
        let number = state.facts.number(register).assume(operator, constant);
        if number == Number::NONE {
            return false;
        }
        if self.procedure.tested.contains(register) {
            state.facts.set_number(register, number);
        }
        if number == Number::ZERO {
            self.tell_null(state, register);
        }
        true
    }

    /// A register is null: so are links of the tracked cell that equal it, and a link that leads nowhere needs none back.
    fn tell_null(&self, state: &mut State, register: RegisterId) {
        for term in self.equalities.into_iter().flat_map(|known| known.equal_to(Term::Register(register))) {
            let Term::Expression(expression) = term else { continue };
            let link = self.procedure.expressions.all[expression];
            if matches!(link.base, Base::Register(base) if self.is_kept(base) && Self::hits(state, base)) {
                for (id, pair) in self.memory.inverses_with(link.cell) {
                    if pair.back == link.cell {
                        state.facts.set_inverse(id);
                    }
                }
            }
        }
    }

    /// Whether what a dead register refers to may be looked at again: it is a variable, or equal to what a live register leads to.
    /// (Where the tracked cell is held from matters for a call, to which the register itself does not.)
    fn is_spoken_of(&self, to: LocationId, register: RegisterId) -> bool {
        let declared = &self.memory.program.functions[self.procedure.function].registers[register];
        let is_live = |register: RegisterId| self.procedure.liveness.is_live(to, register);
        declared.origin != RegisterOrigin::Temporary
            || self.equalities_after.into_iter().flat_map(|known| known.equal_to(Term::Register(register))).any(
                |term| match term {
                    Term::Register(other) => is_live(other),
                    Term::Expression(expression) => match self.procedure.expressions.all[expression].base {
                        Base::Register(base) => is_live(base),
                        Base::Global(_) => true,
                    },
                },
            )
    }

    /// What is kept at the end of the step: registers and facts that matter there. At the exit only what callers see.
    pub fn finish(&self, state: &mut State, to: LocationId, exit: LocationId) {
        let function = &self.memory.program.functions[self.procedure.function];
        let procedure = self.procedure;
        let is_exit = to == exit;
        let liveness = &procedure.liveness;
        state.index.retain_registers(|register| {
            if is_exit {
                return procedure.result == Some(register);
            }
            function.registers[register].origin != RegisterOrigin::Temporary || liveness.is_live(to, register)
        });
        let index = &state.index;
        state.facts.retain(|about, aim| match about {
            About::Leaf | About::Visible | About::Inverse(_) | About::Apart(_) | About::Filled(_) => true,
            About::Register(register) if is_exit => {
                procedure.result == Some(register) || procedure.constant_parameters.contains(register)
            }
            About::Register(register) => {
                liveness.is_live(to, register) || procedure.constant_parameters.contains(register)
            }
            About::Expression(id) => {
                let expression = procedure.expressions.all[id];
                // Line 20 as the prose has it: what counts alone decide is not kept.
                let is_needed =
                    index.has(Slot::Cell(expression.cell)) && self.memory.cells[expression.cell].extent != Extent::One;
                is_needed
                    && match expression.base {
                        Base::Global(_) => true,
                        Base::Register(register) if is_exit => {
                            procedure.result == Some(register) || procedure.constant_parameters.contains(register)
                        }
                        Base::Register(register) => {
                            liveness.is_live(to, register)
                                || procedure.constant_parameters.contains(register)
                                || (aim == Some(Aim::Hit) && self.is_spoken_of(to, register))
                        }
                    }
            }
        });
    }
}

impl From<Aim> for Decision {
    fn from(aim: Aim) -> Decision {
        match aim {
            Aim::Hit => Decision::Hit,
            Aim::Miss => Decision::Miss,
        }
    }
}
