//! Cells side by side, and instances against runs of cells.

use super::{Empty, Image, Kinds, Level, Mode, Numbers, Policy, Side, Unifier, index};
use crate::chunk::{Chunk, DEEP, MOST_ALTERNATIVES, Merging, Space, chunks_at, next_item};
use crate::heap::{
    Elements, Instance, Life, Node, NodeId, Object, Pointer, PortId, Prototype, Size, Value, is_uniform, tidy,
};
use crate::hole::fit_measures;
use crate::predicate::Layout;
use crate::unfold::{add_bytes, is_circular};
use smallvec::SmallVec;
use std::rc::Rc;

/// Stretches of bytes: where they begin and end.
type Stretches = SmallVec<[(u64, u64); 16]>;

/// How many bytes fields of either cell cover.
fn union_length(a: &Object, b: &Object) -> u64 {
    let mut fields: SmallVec<[(u64, u64); 16]> =
        a.fields.iter().chain(&b.fields).map(|field| (field.offset, field.end())).collect();
    fields.sort_unstable();
    let (mut length, mut at) = (0, 0);
    for (offset, end) in fields {
        length += end.saturating_sub(offset.max(at));
        at = at.max(end);
    }
    length
}

impl Unifier<'_> {
    pub(super) fn cells(&mut self, x: Pointer, y: Pointer) -> Option<Value> {
        if x.offset != y.offset {
            return None;
        }
        let level = x.node.level();
        let (left, right) = (self.space(Side::Left, level), self.space(Side::Right, level));
        let (Some(Node::Object(a)), Some(Node::Object(b))) = (left.node(x.node), right.node(y.node)) else {
            return None;
        };
        let out = self.reserve(level);
        self.set_image(Side::Left, x.node, Image::Cell(out));
        self.set_image(Side::Right, y.node, Image::Cell(out));
        let object = self.objects(level, a, b)?;
        self.fill(out, Node::Object(object));
        Some(Value::pointer(out, x.offset))
    }

    fn objects(&mut self, level: u32, a: &Object, b: &Object) -> Option<Object> {
        if a.storage != b.storage || a.life != b.life || a.region != b.region {
            return None;
        }
        if let Some(block) = self.text_blocks(a, b) {
            return Some(block);
        }
        let size = match (a.size, b.size) {
            (Size::Constant(x), Size::Constant(y)) if x == y => a.size,
            (Size::Constant(_), Size::Constant(_)) => return None,
            (x, y) => {
                let value = |size: Size| match size {
                    Size::Constant(bytes) => Value::Number(i128::from(bytes)),
                    Size::Symbol(symbol) => Value::Symbol(symbol),
                };
                match self.numbers(value(x), value(y))? {
                    Value::Symbol(symbol) => Size::Symbol(symbol),
                    Value::Number(number) => Size::Constant(u64::try_from(number).ok()?),
                    _ => return None,
                }
            }
        };
        let mut ends: SmallVec<[u64; 16]> =
            a.fields.iter().chain(&b.fields).flat_map(|field| [field.offset, field.end()]).collect();
        ends.sort_unstable();
        ends.dedup();
        // A field that the other side cuts must be one whose parts are known.
        let is_cut = |field: &crate::heap::Field| ends.iter().any(|end| (field.offset + 1..field.end()).contains(end));
        let has_parts = |field: &crate::heap::Field| is_uniform(field.value) || matches!(field.value, Value::Number(_));
        if a.fields.iter().chain(&b.fields).any(|field| is_cut(field) && !has_parts(field)) {
            return None;
        }
        // What the other bytes hold matters only if there are any.
        let covered: u64 = union_length(a, b);
        let rest = match size {
            Size::Constant(bytes) if bytes == covered || a.life != Life::Alive => b.rest,
            // All bytes of the left one are in its fields.
            Size::Constant(_) | Size::Symbol(_)
                if self.mode == Mode::Entails && a.array.is_none() && a.size == Size::Constant(union_length(a, a)) =>
            {
                b.rest
            }
            Size::Constant(_) | Size::Symbol(_) => self.value(a.rest, b.rest)?,
        };
        if !is_uniform(rest) {
            return None;
        }
        let view = if a.view == b.view { a.view } else { None };
        let Object { storage, life, region, .. } = *a;
        let mut object =
            Object { storage, life, region, size, view, rest, fields: Vec::new(), array: None, texts: Vec::new() };
        // Numbers first: bounds of arrays are found by them.
        let is_number = |object: &Object, offset: u64, end: u64| {
            matches!(object.load(offset, end - offset), Value::Number(_) | Value::Symbol(_))
        };
        let pairs = ends.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?)));
        let (first, then): (Stretches, Stretches) =
            pairs.partition(|(offset, end)| is_number(a, *offset, *end) && is_number(b, *offset, *end));
        let is_filled = matches!(self.mode, Mode::Join(policy) if !policy.numbers.keep_constants())
            && a.is_walked_along()
            && b.is_walked_along();
        let is_unset = |value: Value| matches!(value, Value::Uninitialised | Value::Top);
        for (offset, end) in first.iter().chain(&then) {
            let is_covered =
                |object: &Object| object.fields.iter().any(|field| field.offset <= *offset && *end <= field.end());
            if !is_covered(a) && !is_covered(b) {
                continue;
            }
            let bytes = end - offset;
            let value = match (a.load(*offset, bytes), b.load(*offset, bytes)) {
                // Cells of a tree of which only one is known to have no child there.
                (Value::Any, Value::ZERO) if self.mode != Mode::Entails && self.levels.len() > 1 => Value::Any,
                // How far it was filled is said by a text.
                (x, y) if is_filled && (is_unset(x) || is_unset(y)) => {
                    if x == y {
                        x
                    } else {
                        Value::Top
                    }
                }
                (x, y) => self.value(x, y)?,
            };
            object.store(*offset, bytes, value);
        }
        object.array = self.arrays(level, a.array.as_ref(), b.array.as_ref())?;
        object.texts = self.texts(a, b)?;
        Some(object)
    }

    /// An instance on one side, a value on the other.
    pub(super) fn against(&mut self, side: Side, value: Value, pointer: Pointer) -> Option<Value> {
        let level = pointer.node.level();
        let space = self.space(side, level);
        let Some(Node::Instance(instance)) = space.node(pointer.node) else { return None };
        let definition = self.definitions.get(instance.layout.definition);
        let anchor = instance.layout.offset(definition.port(pointer.port).anchor);
        match self.image(side, pointer.node) {
            Some(Image::Empty(out)) => return self.at_empty(side, value, pointer, instance, out),
            Some(_) => return None,
            None => {}
        }
        if side == Side::Left && self.mode == Mode::Entails {
            // The left side may be anything that it describes; only cells and instances of the same kind are compared.
            return None;
        }
        if pointer.port != PortId::FIRST {
            let key = (side == Side::Left, pointer.node);
            let out = match self.level(level).reserved.get(&key) {
                Some(out) => *out,
                None => {
                    let out = self.reserve(level);
                    self.level(level).reserved.insert(key, out);
                    out
                }
            };
            let result = Value::Pointer(Pointer { node: out, ..pointer });
            let deferred = match side {
                Side::Left => (Value::Pointer(pointer), value, result),
                Side::Right => (value, Value::Pointer(pointer), result),
            };
            self.level(level).deferred.push(deferred);
            return Some(result);
        }
        let start = add_bytes(value, anchor.wrapping_sub(pointer.offset));
        let other = match side {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        };
        let mut runs = self.runs(other, level, start, &instance.layout);
        if self.mode != Mode::Entails {
            // What a longer run leaves over need not be an instance that may be empty.
            runs.reverse();
        }
        let allows_emptiness = self.policy().is_some_and(|policy| policy.emptiness);
        // Where there are cells on both sides, that there are must not be forgotten.
        let may_be_empty = instance.least == 0 || runs.is_empty();
        let refused = self.refused;
        let found = self
            .first_run(side, pointer, instance, &runs, Kinds::Similar)
            .or_else(|| if may_be_empty { self.empty_against(side, value, pointer, instance) } else { None });
        match found {
            None if allows_emptiness && self.refused > refused => {
                self.first_run(side, pointer, instance, &runs, Kinds::Alternatives)
            }
            found => found,
        }
    }

    fn first_run(
        &mut self,
        side: Side,
        pointer: Pointer,
        instance: &Instance,
        runs: &[Chunk],
        kinds: Kinds,
    ) -> Option<Value> {
        runs.iter().find_map(|chunk| {
            let out = self.attempt(|unifier| unifier.pair_run(side, pointer.node, instance, chunk, kinds))?;
            Some(Value::Pointer(Pointer { node: out, port: PortId::FIRST, offset: pointer.offset }))
        })
    }

    /// Tries something; if it fails, all is as before, but for the effort.
    pub(super) fn attempt<T>(&mut self, what: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let saved = self.clone();
        let found = what(self);
        if found.is_none() {
            let (fuel, refused) = (self.fuel, self.refused);
            *self = saved;
            (self.fuel, self.refused) = (fuel, refused);
        }
        found
    }

    /// The instance is empty on the other side.
    fn empty_against(&mut self, side: Side, value: Value, pointer: Pointer, instance: &Instance) -> Option<Value> {
        let may_be_empty = instance.least == 0 || self.policy().is_some_and(|policy| policy.emptiness);
        if !may_be_empty || is_circular(instance, pointer.node) {
            return None;
        }
        let level = pointer.node.level();
        self.attempt(|unifier| {
            let key = (side == Side::Left, pointer.node);
            let out = match unifier.level(level).reserved.get(&key) {
                Some(out) => *out,
                None => unifier.reserve(level),
            };
            unifier.set_image(side, pointer.node, Image::Empty(out));
            let inputs = instance.inputs.iter().map(|_| None).collect();
            let port = unifier.definitions.get(instance.layout.definition).port(pointer.port);
            let start = add_bytes(value, instance.layout.offset(port.anchor).wrapping_sub(pointer.offset));
            let measures = unifier.measures_of_empty(side, instance, (level, start))?;
            unifier.level(level).empties.push(Empty { side, id: pointer.node, out, inputs, measures });
            unifier.at_empty(side, value, pointer, instance, out)
        })
    }

    /// A port of an instance that is empty on the other side: its input takes its place.
    fn at_empty(
        &mut self,
        side: Side,
        value: Value,
        pointer: Pointer,
        instance: &Instance,
        out: NodeId,
    ) -> Option<Value> {
        let definition = self.definitions.get(instance.layout.definition);
        let port = definition.port(pointer.port);
        let start = add_bytes(value, instance.layout.offset(port.anchor).wrapping_sub(pointer.offset));
        match port.empty {
            None => {
                if start != Value::ZERO {
                    return None;
                }
            }
            Some(input) => {
                let is_for_ports = pointer.port != PortId::FIRST && !definition.is_held(input);
                let joined = if instance.least > 0 && is_for_ports && self.mode != Mode::Entails {
                    // It matters only where the structure is empty: on the other side.
                    let other = if side == Side::Left { Side::Right } else { Side::Left };
                    self.translate(other, start).unwrap_or(Value::Any)
                } else {
                    self.ordered(side, instance.inputs[input], start)?
                };
                let level = self.level(out.level());
                let empty = level.empties.iter_mut().find(|empty| empty.out == out)?;
                match empty.inputs[input] {
                    Some(known) if known != joined => return None,
                    Some(_) | None => empty.inputs[input] = Some(joined),
                }
            }
        }
        Some(Value::Pointer(Pointer { node: out, ..pointer }))
    }

    /// The chunks that start at a value, the shortest first.
    fn runs(&self, side: Side, level: u32, start: Value, layout: &Rc<Layout>) -> Vec<Chunk> {
        const LONGEST: usize = 12;
        let Value::Pointer(pointer) = start else { return Vec::new() };
        if pointer.node.level() != level {
            return Vec::new();
        }
        let space = self.levels[level as usize].spaces[index(side)].clone();
        let definition = self.definitions.get(layout.definition);
        let anchor = layout.offset(definition.port(PortId::FIRST).anchor);
        if pointer.offset != anchor || pointer.port != PortId::FIRST {
            return Vec::new();
        }
        let is_free = |chunk: &Chunk| chunk.nodes.iter().all(|node| self.image(side, *node).is_none());
        let mut all: Vec<Chunk> = Vec::new();
        for first in chunks_at(&space, pointer.node, layout, self.definitions, DEEP, Merging::Exact) {
            if !is_free(&first) {
                continue;
            }
            let mut chunk = first.clone();
            let mut item = first;
            for n_items in 1..=LONGEST {
                all.push(match self.mode {
                    Mode::Entails => chunk.clone(),
                    Mode::Join(_) => fit_measures(&space, chunk.clone(), layout, self.definitions),
                });
                let next =
                    next_item(&space, &chunk, &item, n_items == 1, layout, self.definitions, DEEP, Merging::Exact);
                match next {
                    Some((longer, back)) if is_free(&back) => (chunk, item) = (longer, back),
                    Some(_) | None => break,
                }
            }
        }
        all
    }

    fn pair_run(&mut self, side: Side, id: NodeId, instance: &Instance, chunk: &Chunk, kinds: Kinds) -> Option<NodeId> {
        let level = id.level();
        let other = match side {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        };
        if chunk.region != instance.region || self.mode == Mode::Entails && chunk.least < instance.least {
            return None;
        }
        let definition = self.definitions.get(instance.layout.definition);
        let least = chunk.least.min(instance.least);
        if least == 0
            && (is_circular(instance, id)
                || chunk.inputs.iter().flatten().any(|value| value.node() == Some(chunk.first)))
        {
            return None;
        }
        let key = (side == Side::Left, id);
        let known = self.level(level).reserved.get(&key).copied();
        // An instance on the other side may have been reserved, too.
        let other_key = (side != Side::Left, chunk.last);
        let other_known = self.level(level).reserved.get(&other_key).copied();
        let out = match (known, other_known) {
            (Some(_), Some(_)) => return None,
            (Some(out), None) | (None, Some(out)) => out,
            (None, None) => self.reserve(level),
        };
        for node in &chunk.nodes {
            self.set_image(other, *node, Image::Inside);
        }
        if chunk.first == chunk.last {
            self.set_image(other, chunk.first, Image::Run { out, first: true, last: true });
        } else {
            self.set_image(other, chunk.first, Image::Run { out, first: true, last: false });
            self.set_image(other, chunk.last, Image::Run { out, first: false, last: true });
        }
        self.set_image(side, id, Image::Run { out, first: true, last: true });
        let mut inputs: SmallVec<[Value; 2]> = SmallVec::new();
        for (number, (theirs, ours)) in chunk.inputs.iter().zip(&instance.inputs).enumerate() {
            let is_end = definition.port(PortId::FIRST).empty == Some(number);
            let is_held = definition.is_held(number);
            let value = match theirs {
                // What only a port of an empty structure is matters where it may be empty.
                _ if !is_end && !is_held => match (chunk.least, instance.least, theirs) {
                    (1.., 1.., _) | (0, 0, None) => Value::Any,
                    (1.., 0, _) if self.mode == Mode::Entails => *ours,
                    (1.., 0, _) => self.translate(side, *ours).unwrap_or(Value::Any),
                    (0, 1.., Some(theirs)) => self.translate(other, *theirs).unwrap_or(Value::Any),
                    (0, 1.., None) => Value::Any,
                    (0, 0, Some(theirs)) if *theirs == Value::Any || *ours == Value::Any => {
                        if self.mode == Mode::Entails && *ours != Value::Any {
                            return None;
                        }
                        Value::Any
                    }
                    (0, 0, Some(theirs)) => self.ordered(side, *ours, *theirs)?,
                },
                None => return None,
                Some(theirs) => self.ordered(side, *ours, *theirs)?,
            };
            inputs.push(value);
        }
        let elements = match side {
            Side::Left => self.elements(out, &instance.elements, &chunk.elements, kinds)?,
            Side::Right => self.elements(out, &chunk.elements, &instance.elements, kinds)?,
        };
        let measures = self.measures(side, instance, &chunk.measures)?;
        let (layout, region) = (instance.layout.clone(), instance.region);
        self.fill(out, Node::Instance(Instance { layout, inputs, measures, least, region, elements }));
        Some(out)
    }

    /// A value of this side and one of the other.
    fn ordered(&mut self, side: Side, ours: Value, theirs: Value) -> Option<Value> {
        match side {
            Side::Left => self.value(ours, theirs),
            Side::Right => self.value(theirs, ours),
        }
    }

    /// The kinds of elements of what becomes the instance `out`.
    fn elements(&mut self, out: NodeId, left: &Elements, right: &Elements, kinds: Kinds) -> Option<Elements> {
        let level = out.level() + 1;
        let Mode::Join(policy) = self.mode else {
            for x in left {
                right.iter().find_map(|y| self.attempt(|unifier| unifier.prototypes(level, x, y)))?;
            }
            return Some(right.clone());
        };
        // Ranges of elements grow as others do: heaps that come round again and again come to an end.
        let similar = match policy.numbers {
            Numbers::Widen | Numbers::WidenRanges => Policy { numbers: Numbers::WidenRanges, ..Policy::SIMILAR },
            Numbers::Keep | Numbers::Join => Policy::SIMILAR,
        };
        let mut elements = Elements::new();
        let mut is_used = vec![false; right.len()];
        let mut one_sided: Vec<(Side, NodeId, Rc<Prototype>)> = Vec::new();
        for x in left {
            let found = right.iter().enumerate().find_map(|(index, y)| {
                Some((index, self.attempt(|unifier| unifier.similar_prototypes(level, x, y, similar))?))
            });
            match found {
                Some((index, joined)) => {
                    is_used[index] = true;
                    elements.push(Rc::new(joined));
                }
                None => one_sided.push((Side::Left, out, x.clone())),
            }
        }
        for (y, _) in right.iter().zip(&is_used).filter(|(_, is_used)| !**is_used) {
            one_sided.push((Side::Right, out, y.clone()));
        }
        let is_allowed = match kinds {
            Kinds::Similar => one_sided.is_empty(),
            Kinds::Alternatives => elements.len() + one_sided.len() <= MOST_ALTERNATIVES,
        };
        if is_allowed {
            self.level(out.level()).one_sided.append(&mut one_sided);
            tidy(&mut elements);
            return Some(elements);
        }
        if kinds == Kinds::Similar {
            self.refused += 1;
        }
        // Everything with everything, if that is as much as is to be given up.
        let rough = Policy { numbers: policy.numbers, ..Policy::ROUGH };
        let mut elements = Elements::new();
        if kinds == Kinds::Similar && !policy.values {
            return None;
        }
        for x in left {
            for y in right {
                let joined = self.attempt(|unifier| unifier.similar_prototypes(level, x, y, rough))?;
                elements.push(Rc::new(joined));
            }
        }
        tidy(&mut elements);
        Some(elements)
    }

    pub(super) fn similar_prototypes(
        &mut self,
        level: u32,
        x: &Prototype,
        y: &Prototype,
        policy: Policy,
    ) -> Option<Prototype> {
        let mode = std::mem::replace(&mut self.mode, Mode::Join(policy));
        let joined = self.prototypes(level, x, y);
        self.mode = mode;
        joined
    }

    /// Prototypes of instances of the level below. Levels above are put aside meanwhile.
    pub(super) fn prototypes(&mut self, level: u32, left: &Prototype, right: &Prototype) -> Option<Prototype> {
        let mut aside = self.levels.split_off(level as usize);
        let joined = self.prototypes_on_top(level, left, right);
        self.levels.truncate(level as usize);
        self.levels.append(&mut aside);
        joined
    }

    fn prototypes_on_top(&mut self, level: u32, left: &Prototype, right: &Prototype) -> Option<Prototype> {
        let spaces = [left, right].map(|prototype| Rc::new(Space::of_prototype(prototype, level)));
        let [left, right] = spaces;
        self.levels.push(Level::new(left, right));
        let first = NodeId::new(level, 0);
        let result = self.value(Value::pointer(first, 0), Value::pointer(first, 0)).and_then(|_| self.finish_level());
        let found = self.levels.pop()?;
        result?;
        let nodes: Option<Vec<Rc<Node>>> = found.out.into_iter().collect();
        Some(Prototype { nodes: nodes?, symbols: found.symbols })
    }

    /// An instance that only another port than its first leads to: with one node of the other side.
    pub(super) fn pair_by_other_port(&mut self, side: Side, pointer: Pointer, value: Value) -> Option<()> {
        let level = pointer.node.level();
        let (space, other) = match side {
            Side::Left => (self.space(Side::Left, level), Side::Right),
            Side::Right => (self.space(Side::Right, level), Side::Left),
        };
        let Some(Node::Instance(instance)) = space.node(pointer.node) else { return None };
        let Value::Pointer(found) = value else { return None };
        if found.node.level() != level || self.image(other, found.node).is_some() {
            return None;
        }
        if self.mode == Mode::Entails && side == Side::Left {
            return None;
        }
        let theirs = self.space(other, level);
        let chunk = chunks_at(&theirs, found.node, &instance.layout, self.definitions, DEEP, Merging::Exact)
            .into_iter()
            .next()?;
        self.pair_run(side, pointer.node, instance, &chunk, Kinds::Similar).map(drop)
    }
}
