//! Where objects lie, as far as C leaves it open and a run has decided it.
//!
//! Objects that live at the same time do not overlap, but may touch: one past the end of an object may be the start of
//! another. A later object may lie where a dead one lay. String literals may share bytes wherever they agree. Every such
//! coincidence is a choice; what was decided holds for the rest of the run. What `realloc` returns counts as later than what it got.

use crate::chooser::Question;
use crate::compare::{Refinement, Truth};
use crate::heap::{Object, ObjectKind};
use crate::machine::{Executor, Step};
use crate::state::{AddressDecisions, Sameness};
use crate::value::{ObjectId, Pointer};
use heapwise_engine::reason::PointerGap;
use heapwise_engine::{Answer, ChoiceQuestion};
use heapwise_ir::FunctionId;
use smallvec::{SmallVec, smallvec};

/// Objects whose places relative to each other are decided, each with its distance from the first.
type Layout = SmallVec<[(ObjectId, i64); 4]>;

impl AddressDecisions {
    /// The objects that are bound to `object`, itself first, each with the distance of its start from `object`'s.
    pub(crate) fn layout(&self, object: ObjectId) -> Layout {
        let mut layout: Layout = smallvec![(object, 0)];
        let mut next = 0;
        while let Some((at, place)) = layout.get(next).copied() {
            next += 1;
            for &(first, second, delta, sameness) in &self.equal {
                let found = match (sameness, first == at, second == at) {
                    (Sameness::Distinct, _, _) | (Sameness::Same, false, false) => continue,
                    (Sameness::Same, true, _) => (second, place + delta),
                    (Sameness::Same, false, true) => (first, place - delta),
                };
                if layout.iter().all(|(known, _)| *known != found.0) {
                    layout.push(found);
                }
            }
        }
        layout
    }

    /// Forgets objects that are gone; what they bound together stays bound.
    pub(crate) fn forget(&mut self, exists: impl Fn(ObjectId) -> bool) {
        let mentioned = self.equal.iter().flat_map(|(first, second, _, _)| [*first, *second]);
        let mut gone: Vec<ObjectId> = mentioned.filter(|id| !exists(*id)).collect();
        gone.sort_unstable();
        gone.dedup();
        for id in gone {
            let layout = self.layout(id);
            self.equal.retain(|(first, second, _, _)| *first != id && *second != id);
            for pair in layout[1..].windows(2) {
                let [(first, from), (second, to)] = pair else { continue };
                self.equal.push((*first, *second, to - from, Sameness::Same));
            }
        }
        self.below.retain(|(low, high)| exists(*low) && exists(*high));
    }
}

/// What the addresses that `malloc` gives are multiples of.
pub(crate) const OF_MALLOC: u64 = 16;

impl Executor<'_, '_> {
    /// Whether two pointers to different objects are the same address.
    pub(crate) fn same_address(&self, left: Pointer, right: Pointer) -> Truth {
        // base(left) + delta == base(right)
        let delta = left.offset.wrapping_sub(right.offset);
        let decisions = &self.state.addresses;
        let around = decisions.layout(left.object);
        if let Some((_, place)) = around.iter().find(|(id, _)| *id == right.object) {
            return Truth::Known(*place == delta);
        }
        let is_within = |pointer: Pointer| {
            let size = i128::from(self.state.heap.object(pointer.object).size);
            (0..=size).contains(&i128::from(pointer.offset))
        };
        let moved: Layout =
            decisions.layout(right.object).into_iter().map(|(id, place)| (id, place.wrapping_add(delta))).collect();
        if !is_within(left) || !is_within(right) || !self.fit_together(&around, &moved) {
            return Truth::Known(false);
        }
        let address = |sameness| vec![Refinement::Address(left.object, right.object, delta, sameness)];
        Truth::Split { holds: address(Sameness::Same), fails: address(Sameness::Distinct) }
    }

    /// Whether two groups of objects can lie as given: no decision is broken, and nothing overlaps that must not.
    fn fit_together(&self, left: &Layout, right: &Layout) -> bool {
        let decisions = &self.state.addresses;
        let place_of = |id: ObjectId| left.iter().chain(right).find(|(known, _)| *known == id).map(|(_, place)| *place);
        let keeps_distinct = decisions.equal.iter().all(|&(first, second, delta, sameness)| {
            let (Some(first), Some(second)) = (place_of(first), place_of(second)) else { return true };
            sameness == Sameness::Same || second.wrapping_sub(first) != delta
        });
        keeps_distinct
            && left.iter().all(|&(x, at)| right.iter().all(|&(y, to)| self.may_lie(x, y, to.wrapping_sub(at))))
    }

    /// Whether `second` may start `delta` bytes behind the start of `first`.
    fn may_lie(&self, first: ObjectId, second: ObjectId, delta: i64) -> bool {
        let (x, y) = (self.state.heap.object(first), self.state.heap.object(second));
        let delta = i128::from(delta);
        let is_apart = delta >= i128::from(x.size.max(1)) || delta <= -i128::from(y.size.max(1));
        // Most questions end here: two live objects do not overlap.
        if !(is_apart || never_together(x, y) || share_bytes(x, y, delta)) {
            return false;
        }
        let alignment = self.alignment(x).min(self.alignment(y));
        let are_known = match (x.address, y.address) {
            (Some(x), Some(y)) => i128::from(y) - i128::from(x) == delta,
            (None, _) | (_, None) => true,
        };
        delta % i128::from(alignment) == 0
            && are_known
            && if delta >= 0 { !self.is_known_below(second, first) } else { !self.is_known_below(first, second) }
    }

    /// What every address of an object is a multiple of.
    pub(crate) fn alignment(&self, object: &Object) -> u64 {
        let of_kind = match object.kind {
            ObjectKind::Heap => OF_MALLOC,
            ObjectKind::Auto | ObjectKind::Global(_) => {
                object.view.and_then(|ty| self.machine.program.align_of(ty)).unwrap_or(1).max(1)
            }
            ObjectKind::Literal(_) | ObjectKind::Environment | ObjectKind::Library => 1,
        };
        object.align.unwrap_or(of_kind)
    }

    /// Where an object lies, once the program computes with its address. C leaves that open, so it is a choice.
    pub(crate) fn address_of(&mut self, object: ObjectId) -> Step<u64> {
        if let Some(address) = self.state.heap.object(object).address {
            return Ok(address);
        }
        let bound = self.state.addresses.layout(object).into_iter().find_map(|(other, place)| {
            let address = self.state.heap.object(other).address?;
            Some(address.wrapping_add_signed(place.wrapping_neg()))
        });
        let places = match bound {
            Some(address) => vec![address],
            None => self.free_places(object),
        };
        let size = self.state.heap.object(object).size;
        let is_there =
            |address: &u64| self.address_space().contains(address) && self.address_space().contains(&(address + size));
        if !places.iter().all(is_there) {
            return self.gap(PointerGap::AddressBits);
        }
        let answers: Vec<Answer> = places.iter().map(|address| Answer::Integer(i128::from(*address))).collect();
        let question = ChoiceQuestion::Place { object: self.name_object(object) };
        let address = places[self.ask(Question::Address, question, &answers)?];
        // What was decided about its neighbours may leave no such place.
        self.state.doubtful |= !self.respects_decisions(object, address);
        self.state.heap.set_address(object, address);
        Ok(address)
    }

    /// Where a function lies.
    pub(crate) fn address_of_function(&mut self, function: FunctionId) -> Step<i128> {
        const CODE: i128 = 0x40_0000;
        const DISTANCE: i128 = 16;
        let address = CODE + DISTANCE * i128::from(function.as_u32());
        let name = &self.machine.program.functions[function].name;
        let question = ChoiceQuestion::Place { object: format!("the function `{name}`") };
        self.ask(Question::Address, question, &[Answer::Integer(address)])?;
        Ok(address)
    }

    /// Where objects are put.
    fn address_space(&self) -> std::ops::Range<u64> {
        match self.machine.word_bytes() {
            4 => 0x1000_0000..0x7fff_0000,
            _ => 0x1_0000_0000..0x7fff_ffff_0000,
        }
    }

    /// Places for an object above all that have one, or below them where it was decided so. For the first objects there
    /// are two, which differ in the lowest bit that their alignment leaves open.
    fn free_places(&self, object: ObjectId) -> Vec<u64> {
        const SEVERAL_UP_TO: usize = 2;
        let (middle, distance) = match self.machine.word_bytes() {
            4 => (0x4000_0000, 0x1_0000u64),
            _ => (0x10_0000_0000, 0x800_0000u64),
        };
        let known: Vec<(u64, u64)> = self
            .state
            .heap
            .objects()
            .filter_map(|(_, other)| other.address.map(|address| (address, address.saturating_add(other.size))))
            .collect();
        let made = self.state.heap.object(object);
        let above =
            known.iter().map(|(_, end)| *end).max().map_or(middle, |end| (end / distance + 2).saturating_mul(distance));
        let below = known.iter().map(|(start, _)| *start).min().map_or(middle, |start| {
            (start.saturating_sub(made.size) / distance).saturating_sub(1).saturating_mul(distance)
        });
        // The object that asks for most decides for all that are bound to it: the distances suit the others already.
        let bound = self.state.addresses.layout(object).into_iter();
        let (alignment, place) = bound
            .map(|(other, place)| (self.alignment(self.state.heap.object(other)), place))
            .max_by_key(|(alignment, _)| *alignment)
            .unwrap_or((self.alignment(made), 0));
        let above = above.saturating_add_signed(place).next_multiple_of(alignment).saturating_add_signed(-place);
        let below = below.saturating_add_signed(place) / alignment * alignment;
        let below = below.saturating_add_signed(-place);
        let base = if self.respects_decisions(object, above) { above } else { below };
        let next = base.saturating_add(alignment);
        if known.len() < SEVERAL_UP_TO { vec![base, next] } else { vec![base] }
    }

    /// Whether an object may lie there, by what was decided about those that have an address.
    fn respects_decisions(&self, object: ObjectId, address: u64) -> bool {
        let made = self.state.heap.object(object);
        let end = address.saturating_add(made.size);
        let is_aligned = address.is_multiple_of(self.alignment(made));
        is_aligned
            && self.state.heap.objects().filter(|(other, _)| *other != object).all(|(id, other)| {
                let Some(start) = other.address else { return true };
                let other_end = start.saturating_add(other.size);
                let is_apart = end <= start || address >= other_end;
                let may_overlap = never_together(other, self.state.heap.object(object));
                (is_apart || may_overlap)
                    && (!self.is_known_below(id, object) || start < address)
                    && (!self.is_known_below(object, id) || address < start)
            })
    }

    /// Which of two objects lies lower, if that is decided.
    pub(crate) fn known_distance(&self, left: ObjectId, right: ObjectId) -> Option<i64> {
        let layout = self.state.addresses.layout(left);
        layout.iter().find(|(id, _)| *id == right).map(|(_, place)| *place)
    }

    /// The question behind alternatives that are about addresses, with their answers in order.
    pub(crate) fn address_question(
        &self,
        holds: &[Refinement],
        fails: &[Refinement],
    ) -> Option<(ChoiceQuestion, Vec<Answer>)> {
        let (left, right, delta) = match holds.first()? {
            Refinement::Address(left, right, delta, _) => (*left, *right, *delta),
            Refinement::Below(left, right) => (*left, *right, 0),
            Refinement::Inputs(_) => return None,
        };
        let answer = |refinement: &Refinement| match refinement {
            Refinement::Address(_, _, _, Sameness::Same) => Answer::Same,
            Refinement::Address(_, _, _, Sameness::Distinct) => Answer::Distinct,
            Refinement::Below(low, _) if *low == left => Answer::Below,
            Refinement::Below(..) | Refinement::Inputs(_) => Answer::Above,
        };
        let size = |id: ObjectId| self.state.heap.object(id).size as i64;
        let (mut left_name, mut right_name) = (self.name_object(left), self.name_object(right));
        match delta {
            0 => {}
            delta if delta == size(left) => left_name = format!("the end of {left_name}"),
            delta if delta == -size(right) => right_name = format!("the end of {right_name}"),
            delta if delta > 0 => left_name = format!("offset {delta} of {left_name}"),
            delta => right_name = format!("offset {} of {right_name}", -delta),
        }
        let question = ChoiceQuestion::Address { left: left_name, right: right_name };
        Some((question, holds.iter().chain(fails).map(answer).collect()))
    }
}

/// Whether one object was gone before the other was there.
fn never_together(left: &Object, right: &Object) -> bool {
    let (first, second) = if left.birth < right.birth { (left, right) } else { (right, left) };
    first.is_gone_before(second)
}

/// Whether two string literals agree where they overlap, if the second starts `delta` bytes behind the first.
fn share_bytes(left: &Object, right: &Object, delta: i128) -> bool {
    let (ObjectKind::Literal(_), ObjectKind::Literal(_)) = (left.kind, right.kind) else { return false };
    let start = delta.max(0);
    let end = i128::from(left.size).min(delta + i128::from(right.size));
    (start..end).all(|at| left.contents().load(at as u64, 1) == right.contents().load((at - delta) as u64, 1))
}
