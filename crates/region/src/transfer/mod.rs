//! What instructions do to configurations (Hackett and Rugina, Figs 10–12).
//!
//! Two rules go past Fig. 11: registers are counted exactly, so only memory is ever undecided; and a write to a location
//! that surely did not refer to the tracked cell leaves every location that surely did alone, and the other way round.

use crate::equalities::{Equalities, Term};
use crate::expressions::{Base, ExpressionId};
use crate::facts::{About, Aim, Facts};
use crate::first_run::FirstRun;
use crate::index::{Count, Index, Referrer};
use crate::memory::{Extent, Memory};
use crate::number::Number;
use crate::procedure::{Operation, Procedure, Spot, Stored};
use heapwise_engine::Kind;
use heapwise_engine::reason::RegionGap;
use heapwise_ir::{CompareOperator, EdgeId, LocationId, RegisterId, RegisterOrigin, Storage};

mod conditions;
mod counters;
mod ends;
mod finish;
mod links;
mod partners;
mod stores;

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
    /// An error, on a way that is likely to be none that a run takes.
    Doubt(Kind),
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

    /// Says that a configuration fails.
    pub fn error(&mut self, state: &State, kind: Kind) {
        let is_doubtful = state.index.has(Referrer::Doubtful);
        self.notices.push(if is_doubtful { Notice::Doubt(kind) } else { Notice::Error(kind) });
    }

    /// Whether the count of a register is kept up to here.
    fn is_kept(&self, register: RegisterId) -> bool {
        let declared = &self.memory.program.functions[self.procedure.function].registers[register];
        declared.origin != RegisterOrigin::Temporary || self.procedure.liveness.is_live(self.from, register)
    }

    /// The decision function of section 5.2.2.
    pub fn decide(&self, state: &State, place: &Spot) -> Decision {
        let is_counted = place.target.cells.iter().any(|cell| state.index.has(Referrer::Cell(*cell)));
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
        if !state.index.has(Referrer::Cell(own.cell)) {
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
                    return if state.index.has(Referrer::Register(register)) { Decision::Hit } else { Decision::Miss };
                }
                Term::Register(_) => {}
                Term::Expression(other) => {
                    if let Some(aim) = state.facts.aim(other) {
                        return aim.into();
                    }
                }
            }
        }
        if let Some(aim) = self.aim_of_partner(state, own) {
            return aim.into();
        }
        // The only reference is from a field of another object: of two pointers one is to the tracked cell, the other not.
        if let (Count::ONE, Base::Register(base)) = (state.index.get(Referrer::Cell(own.cell)), own.base)
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
        state.index.set(Referrer::Register(target), if hits { Count::ONE } else { Count::ZERO });
        for expression in self.procedure.expressions.from(Base::Register(target)) {
            state.facts.forget(About::Expression(*expression));
        }
        let number = if hits || !self.procedure.tested.contains(target) { Number::ANY } else { number };
        state.facts.set_number(target, number);
        state.facts.forget(About::Counted(target));
    }

    fn hits(state: &State, register: RegisterId) -> bool {
        state.index.has(Referrer::Register(register))
    }

    fn is_dangling(state: &State, register: Option<RegisterId>) -> bool {
        state.index.has(Referrer::Freed) && register.is_some_and(|register| Self::hits(state, register))
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
            | Operation::Add { .. }
            | Operation::Blend { .. }
            | Operation::Alloc { .. }
            | Operation::Free { .. }
            | Operation::End { .. }
            | Operation::AssumeNumber { .. }
            | Operation::AssumeNoBytes { .. }
            | Operation::AssumePointers { .. }
            | Operation::Call(_) => &[],
        }
    }

    /// Everything a configuration becomes. (Long: one case for each operation.) Calls are elsewhere.
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
            Operation::Add { target, source, by, ty } => {
                let number = state.facts.number(*source).plus(*by, *ty);
                let is_counted = state.facts.knows(About::Counted(*source));
                self.assign(&mut state, *target, false, number);
                if is_counted {
                    state.facts.learn(About::Counted(*target));
                }
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
                    self.error(&state, Kind::UseAfterFree);
                    return;
                }
                let hits = value.register().is_some_and(|value| Self::hits(&state, value));
                let is_null = value.register().is_some_and(|value| state.facts.number(value) == Number::ZERO);
                Self::store_counter(&mut state, place, *value);
                self.store(state, place, hits, if is_null { Stored::Null } else { *value }, out);
            }
            Operation::CopyCells { bases, pairs, fill, written, read, is_exact, counters: (base, counters) } => {
                if bases.iter().any(|base| Self::is_dangling(&state, Some(*base))) {
                    self.error(&state, Kind::UseAfterFree);
                    return;
                }
                if base.is_some_and(|base| Self::hits(&state, base)) {
                    let number = (*is_exact && *fill == Stored::Null).then_some(0);
                    if number.is_none() || state.index.has(Referrer::Existed) {
                        state.index.overwrite();
                    } else {
                        counters.iter().for_each(|cell| state.index.set_counted(*cell, number));
                    }
                }
                if *is_exact {
                    self.copy_pairs(state, pairs, *fill, out);
                } else {
                    self.copy_somewhere(&mut state, bases, written, read);
                    out.push(state);
                }
            }
            Operation::Alloc { target, storage, contents: _ } => {
                self.assign(&mut state, *target, false, Number::ANY);
                if *storage == Storage::Heap {
                    self.fresh_fields_miss(&mut state, *target);
                }
                out.push(state);
            }
            Operation::Free { pointer, fields } => self.free(state, *pointer, fields, out),
            Operation::End { pointer, fields } => {
                if state.index.has(Referrer::Local) && pointer.is_some_and(|pointer| Self::hits(&state, pointer)) {
                    state.index.set(Referrer::Freed, Count::ONE);
                }
                self.forget_fields(state, fields, out);
            }
            Operation::AssumeNumber { register, operator, constant } => {
                let aliases = self.first_run.aliases((self.procedure.function, self.edge));
                let is_one_of_two =
                    aliases.iter().any(|alias| Self::hits(&state, alias.other) && !Self::hits(&state, alias.pointer));
                let was_known = state.facts.number(*register).constant().is_some();
                if !is_one_of_two && self.assume_number(&mut state, *register, *operator, *constant) {
                    self.assume_counted(&mut state, *register);
                    self.assume_spared(&mut state, was_known);
                    out.push(state);
                }
            }
            Operation::AssumeNoBytes { register } => {
                let is_known = state.facts.number(*register) == Number::ZERO;
                if self.assume_number(&mut state, *register, CompareOperator::Equal, 0) {
                    if !is_known {
                        state.index.set(Referrer::Doubtful, Count::ONE);
                    }
                    out.push(state);
                }
            }
            Operation::AssumePointers { left, right, equal, by_cell } => {
                let (one, two) = (Self::hits(&state, *left), Self::hits(&state, *right));
                if state.index.has(Referrer::Freed) && one != two {
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
        let is_counted = state.facts.knows(About::Counted(source));
        self.assign(state, target, Self::hits(state, source), number);
        if is_counted {
            state.facts.learn(About::Counted(target));
        }
        for (offset, aim) in moved {
            if let Some(same) = expressions.find(Base::Register(target), offset) {
                state.facts.set_aim(same, aim);
            }
        }
    }

    /// Fields of a new cell refer to nothing.
    pub fn fresh_fields_miss(&self, state: &mut State, target: RegisterId) {
        for expression in self.procedure.expressions.from(Base::Register(target)) {
            if state.index.has(Referrer::Cell(self.procedure.expressions.all[*expression].cell)) {
                state.facts.set_aim(*expression, Aim::Miss);
            }
        }
    }

    fn load(&mut self, mut state: State, target: RegisterId, place: &Spot, out: &mut Vec<State>) {
        if Self::is_dangling(&state, place.base) {
            self.error(&state, Kind::UseAfterFree);
            return;
        }
        if place.target.unknown && state.index.has(Referrer::Outside) {
            self.gap(RegionGap::UnknownPointer);
        }
        let inverses = self.inverses_read(&state, place);
        let is_null = inverses.iter().any(|pair| self.leads_nowhere(&state, *pair));
        let is_filled = place.base.is_some_and(|base| Self::hits(&state, base))
            && matches!(place.target.cells[..], [cell] if state.facts.knows(About::Filled(cell)));
        let counted = self.counted(&state, place);
        let number = match (is_null, is_filled, counted) {
            (true, _, _) => Number::ZERO,
            (false, true, _) => Number::NONZERO,
            (false, false, Some(number)) => number,
            (false, false, None) => Number::ANY,
        };
        let decision = if is_null { Decision::Miss } else { self.decide(&state, place) };
        match decision {
            Decision::Miss => {
                self.assign(&mut state, target, false, number);
                if counted == Some(Number::ANY) {
                    state.facts.learn(About::Counted(target));
                }
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
                if state.index.has(Referrer::Freed) && self.is_folded(place) {
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
}

impl From<Aim> for Decision {
    fn from(aim: Aim) -> Decision {
        match aim {
            Aim::Hit => Decision::Hit,
            Aim::Miss => Decision::Miss,
        }
    }
}
