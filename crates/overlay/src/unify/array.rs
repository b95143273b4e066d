//! Arrays side by side: segments are paired in order, and a segment that only one side has is empty on the other.

use super::{Image, Mode, Policy, Side, Unifier};
use crate::chunk::{MOST_ALTERNATIVES, extract_cell};
use crate::heap::{Array, Bound, Content, Elements, Node, Segment, Value, is_owned, tidy};
use smallvec::smallvec;
use std::rc::Rc;

/// How far two arrays are walked: the next segment of each side, and where those behind begin.
#[derive(Clone, Copy)]
struct Walk {
    next: [usize; 2],
    at: [Bound; 2],
}

impl Unifier<'_> {
    /// The array that describes both; `level` is that of their cells.
    pub(super) fn arrays(
        &mut self,
        level: u32,
        left: Option<&Rc<Array>>,
        right: Option<&Rc<Array>>,
    ) -> Option<Option<Rc<Array>>> {
        let (left, right) = match (left, right) {
            (None, None) => return Some(None),
            (Some(left), Some(right)) => (left, right),
            (Some(_), None) | (None, Some(_)) => return None,
        };
        if (left.start, left.stride) != (right.start, right.stride) {
            return None;
        }
        let start = Walk { next: [0, 0], at: [Bound::ZERO; 2] };
        let mut segments = match self.mode {
            Mode::Entails => {
                self.covered(level, [left, right], start)?;
                right.segments.clone()
            }
            Mode::Join(_) => self.aligned(level, [left, right], start)?,
        };
        segments.dedup_by(|next, last| {
            let is_same = matches!(next.content, Content::Summary(_)) && next.content == last.content;
            if is_same {
                last.end = next.end;
            }
            is_same
        });
        Some(Some(Rc::new(Array { start: left.start, stride: left.stride, segments })))
    }

    /// A bound for both.
    fn bound(&mut self, x: Bound, y: Bound) -> Option<Bound> {
        let is_number = |bound: Bound| matches!(bound.base, Value::Number(_) | Value::Symbol(_));
        if !is_number(x) || !is_number(y) {
            return None;
        }
        let plus = if matches!(x.base, Value::Symbol(_)) { x.plus } else { y.plus };
        let (x, y) = (x.moved(-plus), y.moved(-plus));
        if x.plus != 0 || y.plus != 0 {
            return None;
        }
        Some(Bound::new(self.numbers(x.base, y.base)?, plus))
    }

    /// Whether the rest of the left array is described by the rest of the right one: each segment of the right one by as many of
    /// the left one as there are between its bounds.
    fn covered(&mut self, level: u32, arrays: [&Array; 2], walk: Walk) -> Option<()> {
        let [left, right] = arrays;
        let [i, j] = walk.next;
        let Some(theirs) = right.segments.get(j) else { return (i == left.segments.len()).then_some(()) };
        // The segment ends here.
        let ended = self.attempt(|unifier| {
            // Between equal bounds lies no element, and an element that is a node is always there.
            if let Content::Slot(_) = theirs.content {
                return None;
            }
            unifier.bound(walk.at[0], theirs.end)?;
            unifier.covered(level, arrays, Walk { next: [i, j + 1], at: [walk.at[0], theirs.end] })
        });
        if ended.is_some() {
            return ended;
        }
        let ours = left.segments.get(i)?;
        // It ends within a segment of the left side.
        if let (Content::Summary(x), Content::Summary(y), Value::Symbol(symbol)) =
            (&ours.content, &theirs.content, theirs.end.base)
            && let Some(known) = self.level(symbol.level()).bound.get(&symbol).copied()
            && self.is_between(Side::Left, walk.at[0], Bound::new(known, theirs.end.plus), ours.end)
        {
            let part = Bound::new(known, theirs.end.plus);
            let ended = self.attempt(|unifier| {
                unifier.all_described(level, x, y)?;
                unifier.covered(level, arrays, Walk { next: [i, j + 1], at: [part, theirs.end] })
            });
            if ended.is_some() {
                return ended;
            }
        }
        match (&ours.content, &theirs.content) {
            (Content::Slot(x), Content::Slot(y)) => {
                self.value(*x, *y)?;
                self.bound(ours.end, theirs.end)?;
                return self.covered(level, arrays, Walk { next: [i + 1, j + 1], at: [ours.end, theirs.end] });
            }
            (Content::Summary(_), Content::Slot(_)) => return None,
            (Content::Slot(slot), Content::Summary(elements)) => {
                let alone = self.slot_elements(Side::Left, level, *slot)?;
                self.all_described(level, &alone, elements)?;
            }
            (Content::Summary(left), Content::Summary(right)) => self.all_described(level, left, right)?,
        }
        self.covered(level, arrays, Walk { next: [i + 1, j], at: [ours.end, walk.at[1]] })
    }

    fn all_described(&mut self, level: u32, left: &Elements, right: &Elements) -> Option<()> {
        for x in left {
            right.iter().find_map(|y| self.attempt(|unifier| unifier.prototypes(level + 1, x, y)))?;
        }
        Some(())
    }

    /// An element that is a node as one of a segment; it and what belongs to it are used up.
    fn slot_elements(&mut self, side: Side, level: u32, slot: Value) -> Option<Elements> {
        let id = slot.node().filter(|id| id.level() == level)?;
        let space = self.space(side, level);
        let Some(Node::Object(object)) = space.node(id) else { return None };
        let (prototype, inside, own_references) = extract_cell(&space, id, object.clone());
        if space.references[id.index()] != 1 + own_references {
            return None;
        }
        let mut leads_out = false;
        for node in &prototype.nodes {
            node.for_each_value(&mut |value| {
                let target = value.node().filter(|target| target.level() == level);
                leads_out |= target.and_then(|target| space.node(target)).is_some_and(is_owned);
            });
        }
        if leads_out {
            return None;
        }
        for node in inside.into_iter().chain([id]) {
            if self.image(side, node).is_some() {
                return None;
            }
            self.set_image(side, node, Image::Inside);
        }
        Some(smallvec![Rc::new(prototype)])
    }

    /// Segments for the rest of both arrays.
    fn aligned(&mut self, level: u32, arrays: [&Array; 2], walk: Walk) -> Option<Vec<Segment>> {
        let [left, right] = arrays;
        let [i, j] = walk.next;
        let n_rest = [left.segments.len() - i, right.segments.len() - j];
        if n_rest == [0, 0] {
            return Some(Vec::new());
        }
        let paired = |unifier: &mut Self| {
            let (ours, theirs) = (left.segments.get(i)?, right.segments.get(j)?);
            let content = match (&ours.content, &theirs.content) {
                (Content::Slot(x), Content::Slot(y)) => Content::Slot(unifier.value(*x, *y)?),
                (Content::Summary(x), Content::Summary(y)) => Content::Summary(unifier.any_of(level, x, y)?),
                (Content::Slot(x), Content::Summary(y)) => {
                    let alone = unifier.slot_elements(Side::Left, level, *x)?;
                    Content::Summary(unifier.any_of(level, &alone, y)?)
                }
                (Content::Summary(x), Content::Slot(y)) => {
                    let alone = unifier.slot_elements(Side::Right, level, *y)?;
                    Content::Summary(unifier.any_of(level, x, &alone)?)
                }
            };
            let end = unifier.bound(ours.end, theirs.end)?;
            let walk = Walk { next: [i + 1, j + 1], at: [ours.end, theirs.end] };
            let mut segments = unifier.aligned(level, arrays, walk)?;
            segments.insert(0, Segment { end, content });
            Some(segments)
        };
        let alone = |unifier: &mut Self, side: Side| {
            let (segment, at) = match side {
                Side::Left => (left.segments.get(i)?, [left.segments[i].end, walk.at[1]]),
                Side::Right => (right.segments.get(j)?, [walk.at[0], right.segments[j].end]),
            };
            let elements = match &segment.content {
                Content::Slot(slot) => unifier.slot_elements(side, level, *slot)?,
                Content::Summary(elements) => elements.clone(),
            };
            let elements: Option<Elements> =
                elements.iter().map(|element| unifier.translate_prototype(side, element)).collect();
            let end = unifier.bound(at[0], at[1])?;
            let next = if side == Side::Left { [i + 1, j] } else { [i, j + 1] };
            let mut segments = unifier.aligned(level, arrays, Walk { next, at })?;
            segments.insert(0, Segment { end, content: Content::Summary(elements?) });
            Some(segments)
        };
        if n_rest[0] == n_rest[1] {
            return self.attempt(paired);
        }
        // Where one side has more segments, the other one is divided there, or has none of them.
        let more = if n_rest[0] > n_rest[1] { Side::Left } else { Side::Right };
        self.attempt(|unifier| unifier.divided(level, arrays, walk, more))
            .or_else(|| self.attempt(|unifier| alone(unifier, more)))
            .or_else(|| self.attempt(paired))
    }

    /// The next segment of the side with more of them against a part of the other side's: up to a number that is already paired with
    /// the bound.
    fn divided(&mut self, level: u32, arrays: [&Array; 2], walk: Walk, more: Side) -> Option<Vec<Segment>> {
        let (fewer, index_more, index_fewer) = match more {
            Side::Left => (Side::Right, 0, 1),
            Side::Right => (Side::Left, 1, 0),
        };
        let segment = arrays[index_more].segments.get(walk.next[index_more])?;
        let whole = arrays[index_fewer].segments.get(walk.next[index_fewer])?;
        let (Content::Summary(x), Content::Summary(y)) = (&segment.content, &whole.content) else { return None };
        let paired = self.levels[level as usize].pairs.keys().filter_map(|(left, right)| {
            let (theirs, ours) = if more == Side::Left { (*left, *right) } else { (*right, *left) };
            let is_bound = theirs == segment.end.base && matches!(ours, Value::Number(_) | Value::Symbol(_));
            is_bound.then_some(ours)
        });
        let known = paired.min()?;
        let part = Bound::new(known, segment.end.plus);
        let is_empty = part == walk.at[index_fewer];
        if is_empty || !self.is_between(fewer, walk.at[index_fewer], part, whole.end) {
            return None;
        }
        let elements = match more {
            Side::Left => self.any_of(level, x, y)?,
            Side::Right => self.any_of(level, y, x)?,
        };
        let (mut next, mut at) = (walk.next, walk.at);
        next[index_more] += 1;
        at[index_more] = segment.end;
        at[index_fewer] = part;
        let end = self.bound(at[0], at[1])?;
        let mut segments = self.aligned(level, arrays, Walk { next, at })?;
        segments.insert(0, Segment { end, content: Content::Summary(elements) });
        Some(segments)
    }

    /// Whether a bound of one side surely lies between two others, by the ranges of their numbers.
    fn is_between(&self, side: Side, low: Bound, bound: Bound, high: Bound) -> bool {
        let range = |bound: Bound| {
            let range = self.range(side, bound.base)?;
            let plus = i128::from(bound.plus);
            Some((range.low.checked_add(plus)?, range.high.checked_add(plus)?))
        };
        match (range(low), range(bound), range(high)) {
            (Some(low_range), Some(range), Some(high_range)) => {
                (low == bound || low_range.1 <= range.0) && (bound == high || range.1 <= high_range.0)
            }
            _ => false,
        }
    }

    /// Kinds of elements for both.
    fn any_of(&mut self, level: u32, left: &Elements, right: &Elements) -> Option<Elements> {
        let mut elements = Elements::new();
        let mut is_used = vec![false; right.len()];
        let mut alone: Vec<(Side, &Rc<crate::heap::Prototype>)> = Vec::new();
        for x in left {
            let found = right.iter().enumerate().find_map(|(index, y)| {
                let joined = self.attempt(|unifier| unifier.similar_prototypes(level + 1, x, y, Policy::SIMILAR))?;
                Some((index, joined))
            });
            match found {
                Some((index, joined)) => {
                    is_used[index] = true;
                    elements.push(Rc::new(joined));
                }
                None => alone.push((Side::Left, x)),
            }
        }
        alone.extend(right.iter().zip(&is_used).filter(|(_, is_used)| !**is_used).map(|(y, _)| (Side::Right, y)));
        for (side, element) in alone {
            elements.push(self.translate_prototype(side, element)?);
        }
        tidy(&mut elements);
        (elements.len() <= 2 * MOST_ALTERNATIVES).then_some(elements)
    }
}
