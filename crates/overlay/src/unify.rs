//! Two heaps side by side: whether one describes all that the other does, and a heap that describes what either does.
//!
//! Both are walked at once from registers, ghosts and globals. Cells are paired; an instance on one side is paired with a chunk
//! of the other: a run of cells and instances that the predicate describes, or nothing at all if it may be empty. Each
//! node is used once, so what is separate stays separate.

use crate::chunk::{Chunk, DEEP, Space, chunks_at, compose};
use crate::heap::{
    Heap, Instance, Life, Node, NodeId, Object, Pointer, PortId, Prototype, Size, Storage, SymbolId, Value, is_uniform,
};
use crate::number::Range;
use crate::predicate::{Definitions, Layout};
use crate::unfold::{add_bytes, is_circular};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// What may be given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Policy {
    pub numbers: Numbers,
    /// A structure that is empty on one side only becomes one that may be empty.
    pub emptiness: bool,
    /// A value that only one side has written may be missing.
    pub values: bool,
}

/// What becomes of numbers that differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Numbers {
    /// Their ranges are joined.
    Join,
    /// Their ranges are widened.
    Widen,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Whether the right one describes all that the left one does.
    Entails,
    /// The least that describes both, nearly.
    Join(Policy),
}

/// What a node was paired with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Image {
    /// A cell, with this one.
    Cell(NodeId),
    /// A part of what becomes this instance.
    Run { out: NodeId, first: bool, last: bool },
    /// A part of it to which nobody may lead.
    Inside,
    /// An instance that is empty on the other side.
    Empty(NodeId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Left,
    Right,
}

/// An instance of one side that is empty on the other: its place in the result, and the ends it stands between.
type Empty = (Side, NodeId, NodeId, SmallVec<[Option<Value>; 2]>);

#[derive(Clone, Debug)]
struct Level {
    spaces: [Rc<Space>; 2],
    images: [Vec<Option<Image>>; 2],
    out: Vec<Option<Rc<Node>>>,
    symbols: Vec<Range>,
    pairs: FxHashMap<(Value, Value), Value>,
    /// What a symbol of the right side stands for.
    bound: FxHashMap<SymbolId, Value>,
    /// Instances that are reached by another port than their first before that: the places that they get.
    reserved: FxHashMap<(bool, NodeId), NodeId>,
    deferred: Vec<(Value, Value, Value)>,
    /// Instances that are empty on the other side, not finished.
    empties: Vec<Empty>,
}

#[derive(Clone)]
struct Unifier<'d> {
    definitions: &'d Definitions,
    mode: Mode,
    /// Levels below are the same on both sides.
    closed: u32,
    levels: Vec<Level>,
    fuel: u32,
}

const FUEL: u32 = 1_500;

fn index(side: Side) -> usize {
    match side {
        Side::Left => 0,
        Side::Right => 1,
    }
}

/// Whether every state that `left` describes is described by `right`.
pub(crate) fn entails(left: &Heap, right: &Heap, definitions: &Definitions) -> bool {
    left == right || unify(left, right, definitions, Mode::Entails).is_some()
}

/// A heap that describes all that either does; not in normal form.
pub(crate) fn join(left: &Heap, right: &Heap, definitions: &Definitions, policy: Policy) -> Option<Heap> {
    unify(left, right, definitions, Mode::Join(policy))
}

fn unify(left: &Heap, right: &Heap, definitions: &Definitions, mode: Mode) -> Option<Heap> {
    if left.ghosts.len() != right.ghosts.len() || left.globals.len() != right.globals.len() {
        return None;
    }
    let level = Level::new(Rc::new(Space::of_heap(left)), Rc::new(Space::of_heap(right)));
    let mut unifier = Unifier { definitions, mode, closed: 0, levels: vec![level], fuel: FUEL };
    let mut out = Heap::default();
    let mut registers: Vec<_> = left.registers.iter().chain(&right.registers).map(|(register, _)| *register).collect();
    registers.sort_unstable();
    registers.dedup();
    // Numbers are compared first: they cost nothing.
    let number = |value: Value| matches!(value, Value::Number(_));
    let differ = |register| {
        let (x, y) = (left.register(register), right.register(register));
        mode == Mode::Entails && number(x) && number(y) && x != y
    };
    if registers.iter().any(|register| differ(*register)) {
        return None;
    }
    for register in registers {
        let value = unifier.value(left.register(register), right.register(register))?;
        out.registers.push((register, value));
    }
    for (x, y) in left.ghosts.iter().zip(&right.ghosts) {
        let value = unifier.value(*x, *y)?;
        out.ghosts.push(value);
    }
    for ((x, left_node), (y, right_node)) in left.globals.iter().zip(&right.globals) {
        if x != y {
            return None;
        }
        match unifier.value(Value::pointer(*left_node, 0), Value::pointer(*right_node, 0))? {
            Value::Pointer(pointer) => out.globals.push((*x, pointer.node)),
            _ => return None,
        }
    }
    unifier.pair_locals()?;
    unifier.finish_level()?;
    let level = unifier.levels.pop()?;
    out.nodes = level.out;
    out.symbols = level.symbols;
    Some(out)
}

/// A prototype for elements like either; ids of `level` and below mean the same in both.
pub(crate) fn join_prototypes(
    left: &Prototype,
    right: &Prototype,
    around: &Space,
    definitions: &Definitions,
) -> Option<Prototype> {
    let level = around.level;
    if left == right {
        return Some(left.clone());
    }
    let policy = Policy { numbers: Numbers::Join, emptiness: true, values: true };
    let mut unifier =
        Unifier { definitions, mode: Mode::Join(policy), closed: level + 1, levels: Vec::new(), fuel: FUEL };
    for below in 0..=level {
        let symbols = if below == level { around.symbols.clone() } else { Vec::new() };
        let empty = Rc::new(Space { level: below, nodes: Vec::new(), symbols, references: Vec::new() });
        unifier.levels.push(Level::new(empty.clone(), empty));
    }
    unifier.prototypes(level + 1, left, right)
}

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

impl Level {
    fn new(left: Rc<Space>, right: Rc<Space>) -> Level {
        let images = [vec![None; left.nodes.len()], vec![None; right.nodes.len()]];
        Level {
            spaces: [left, right],
            images,
            out: Vec::new(),
            symbols: Vec::new(),
            pairs: FxHashMap::default(),
            bound: FxHashMap::default(),
            reserved: FxHashMap::default(),
            deferred: Vec::new(),
            empties: Vec::new(),
        }
    }
}

impl Unifier<'_> {
    fn level(&mut self, level: u32) -> &mut Level {
        &mut self.levels[level as usize]
    }

    fn space(&self, side: Side, level: u32) -> Rc<Space> {
        self.levels[level as usize].spaces[index(side)].clone()
    }

    fn image(&self, side: Side, id: NodeId) -> Option<Image> {
        self.levels[id.level() as usize].images[index(side)][id.index()]
    }

    fn set_image(&mut self, side: Side, id: NodeId, image: Image) {
        self.levels[id.level() as usize].images[index(side)][id.index()] = Some(image);
    }

    fn reserve(&mut self, level: u32) -> NodeId {
        let out = &mut self.levels[level as usize].out;
        out.push(None);
        NodeId::new(level, out.len() - 1)
    }

    fn fill(&mut self, id: NodeId, node: Node) {
        self.levels[id.level() as usize].out[id.index()] = Some(Rc::new(node));
    }

    fn policy(&self) -> Option<Policy> {
        match self.mode {
            Mode::Entails => None,
            Mode::Join(policy) => Some(policy),
        }
    }

    /// What describes both values.
    fn value(&mut self, x: Value, y: Value) -> Option<Value> {
        self.fuel = self.fuel.checked_sub(1)?;
        match (x, y) {
            (Value::Number(_) | Value::Symbol(_), Value::Number(_) | Value::Symbol(_)) => self.numbers(x, y),
            (Value::Pointer(x), Value::Pointer(y)) => self.pointers(x, y),
            (_, Value::Pointer(y)) if self.is_instance(Side::Right, y) => self.against(Side::Right, x, y),
            (Value::Pointer(x), _) if self.is_instance(Side::Left, x) => self.against(Side::Left, y, x),
            (Value::Uninitialised, Value::Uninitialised)
            | (Value::Top, Value::Top)
            | (Value::Any, Value::Any)
            | (Value::Library, Value::Library) => Some(x),
            (Value::Function(f), Value::Function(g)) if f == g => Some(x),
            (Value::Indexed { pointer: p, index: i, scale: s }, Value::Indexed { pointer: q, index: j, scale: t })
                if s == t =>
            {
                let pointer = self.pointers(p, q)?;
                let index = self.numbers(Value::Symbol(i), Value::Symbol(j))?;
                match (pointer, index) {
                    (Value::Pointer(pointer), Value::Symbol(index)) => {
                        Some(Value::Indexed { pointer, index, scale: s })
                    }
                    _ => None,
                }
            }
            (_, Value::Top) if x.node().is_none() => Some(Value::Top),
            (Value::Number(_) | Value::Symbol(_) | Value::Function(_) | Value::Library, Value::Any) => Some(Value::Any),
            _ => {
                let policy = self.policy()?;
                let plain = |value: Value| value.node().is_none();
                let unset = |value: Value| matches!(value, Value::Uninitialised | Value::Top);
                if !plain(x) || !plain(y) || !policy.values {
                    return None;
                }
                if unset(x) || unset(y) {
                    return Some(Value::Top);
                }
                match (x, y) {
                    (Value::Any, _) | (_, Value::Any) => Some(Value::Any),
                    // Which function, or whether null, matters too much.
                    _ => None,
                }
            }
        }
    }

    fn is_instance(&self, side: Side, pointer: Pointer) -> bool {
        pointer.node.level() >= self.closed
            && matches!(
                self.levels[pointer.node.level() as usize].spaces[index(side)].node(pointer.node),
                Some(Node::Instance(_))
            )
    }

    fn range(&self, side: Side, value: Value) -> Option<Range> {
        match value {
            Value::Number(number) => Some(Range::constant(number)),
            Value::Symbol(symbol) => {
                let space = &self.levels[symbol.level() as usize].spaces[index(side)];
                space.symbols.get(symbol.index()).copied()
            }
            _ => None,
        }
    }

    fn numbers(&mut self, x: Value, y: Value) -> Option<Value> {
        let level_of = |value: Value| value.symbol().map_or(0, SymbolId::level);
        let is_closed = |value: Value| value.symbol().is_some_and(|symbol| symbol.level() < self.closed);
        if x == y && (x.symbol().is_none() || is_closed(x)) {
            return Some(x);
        }
        let (Some(left), Some(right)) = (self.range(Side::Left, x), self.range(Side::Right, y)) else {
            // A symbol of a heap further out, whose range is not at hand: it is given up with all its values.
            return self.policy().map(|_| Value::Any);
        };
        match self.mode {
            // A number of which nothing may be assumed: it is described by whatever is there.
            Mode::Entails if left.low > left.high => Some(y),
            Mode::Entails => {
                let Value::Symbol(symbol) = y else { return (x == y).then_some(y) };
                if level_of(x) > symbol.level() || !right.includes(left) {
                    return None;
                }
                match self.level(symbol.level()).bound.insert(symbol, x) {
                    Some(known) if known != x => None,
                    Some(_) | None => Some(y),
                }
            }
            Mode::Join(policy) => {
                let level = level_of(x).max(level_of(y)).max(self.closed);
                if let Some(known) = self.level(level).pairs.get(&(x, y)) {
                    return Some(*known);
                }
                let range = match policy.numbers {
                    Numbers::Join => left.join(right),
                    Numbers::Widen => left.widen(right),
                };
                let found = self.level(level);
                let value = match range.single() {
                    Some(number) => Value::Number(number),
                    None => {
                        found.symbols.push(range);
                        Value::Symbol(SymbolId::new(level, found.symbols.len() - 1))
                    }
                };
                found.pairs.insert((x, y), value);
                Some(value)
            }
        }
    }

    /// The ports of an instance at which a pointer may stand, as a mask: a cell is at both ends if it is the only one.
    fn ports(&self, side: Side, pointer: Pointer, first: bool, last: bool) -> u8 {
        match self.levels[pointer.node.level() as usize].spaces[index(side)].node(pointer.node) {
            Some(Node::Instance(_)) => {
                let is_at_end = if pointer.port == PortId::FIRST { first } else { last };
                if is_at_end { 1 << pointer.port.0 } else { 0 }
            }
            Some(Node::Object(_)) | None => u8::from(first) | u8::from(last) << 1,
        }
    }

    fn pointers(&mut self, x: Pointer, y: Pointer) -> Option<Value> {
        let level = x.node.level();
        if level < self.closed || y.node.level() < self.closed {
            return (x == y).then_some(Value::Pointer(x));
        }
        if level != y.node.level() {
            return None;
        }
        match (self.image(Side::Left, x.node), self.image(Side::Right, y.node)) {
            (Some(Image::Cell(left)), Some(Image::Cell(right))) => {
                (left == right && x.offset == y.offset).then_some(Value::pointer(left, x.offset))
            }
            (
                Some(Image::Run { out, first, last }),
                Some(Image::Run { out: other, first: other_first, last: other_last }),
            ) => {
                if out != other || x.offset != y.offset {
                    return None;
                }
                let ports =
                    self.ports(Side::Left, x, first, last) & self.ports(Side::Right, y, other_first, other_last);
                let port = if ports & 1 != 0 { PortId::FIRST } else { PortId(ports.trailing_zeros() as u8) };
                (ports != 0).then_some(Value::Pointer(Pointer { node: out, port, offset: x.offset }))
            }
            (_, Some(Image::Empty(_))) => self.against(Side::Right, Value::Pointer(x), y),
            (Some(Image::Empty(_)), _) => self.against(Side::Left, Value::Pointer(y), x),
            (None, None) => match (self.is_instance(Side::Left, x), self.is_instance(Side::Right, y)) {
                (false, false) => self.cells(x, y),
                (_, true) => {
                    let saved = self.clone();
                    self.against(Side::Right, Value::Pointer(x), y).or_else(|| {
                        let fuel = self.fuel;
                        *self = saved;
                        self.fuel = fuel;
                        if self.is_instance(Side::Left, x) {
                            self.against(Side::Left, Value::Pointer(y), x)
                        } else {
                            None
                        }
                    })
                }
                (true, false) => self.against(Side::Left, Value::Pointer(y), x),
            },
            (Some(_), None) if self.is_instance(Side::Right, y) => self.against(Side::Right, Value::Pointer(x), y),
            (None, Some(_)) if self.is_instance(Side::Left, x) => self.against(Side::Left, Value::Pointer(y), x),
            (Some(_), _) | (None, Some(_)) => None,
        }
    }

    fn cells(&mut self, x: Pointer, y: Pointer) -> Option<Value> {
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
        let object = self.objects(a, b)?;
        self.fill(out, Node::Object(object));
        Some(Value::pointer(out, x.offset))
    }

    fn objects(&mut self, a: &Object, b: &Object) -> Option<Object> {
        if a.storage != b.storage || a.life != b.life {
            return None;
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
            Size::Constant(_) | Size::Symbol(_) => self.value(a.rest, b.rest)?,
        };
        if !is_uniform(rest) {
            return None;
        }
        let mut object = Object { storage: a.storage, life: a.life, size, rest, fields: Vec::new() };
        for pair in ends.windows(2) {
            let [offset, end] = pair else { continue };
            let is_covered =
                |object: &Object| object.fields.iter().any(|field| field.offset <= *offset && *end <= field.end());
            if !is_covered(a) && !is_covered(b) {
                continue;
            }
            let bytes = end - offset;
            let value = self.value(a.load(*offset, bytes), b.load(*offset, bytes))?;
            object.store(*offset, bytes, value);
        }
        Some(object)
    }

    /// An instance on one side, a value on the other.
    fn against(&mut self, side: Side, value: Value, pointer: Pointer) -> Option<Value> {
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
        let offset = pointer.offset;
        for chunk in self.runs(other, level, start, &instance.layout) {
            let saved = self.clone();
            if let Some(out) = self.pair_run(side, pointer.node, instance, &chunk) {
                return Some(Value::Pointer(Pointer { node: out, port: PortId::FIRST, offset }));
            }
            let fuel = self.fuel;
            *self = saved;
            self.fuel = fuel;
        }
        let may_be_empty = instance.least == 0 || self.policy().is_some_and(|policy| policy.emptiness);
        if !may_be_empty || is_circular(instance, pointer.node) {
            return None;
        }
        let key = (side == Side::Left, pointer.node);
        let out = match self.level(level).reserved.get(&key) {
            Some(out) => *out,
            None => self.reserve(level),
        };
        self.set_image(side, pointer.node, Image::Empty(out));
        let inputs = instance.inputs.iter().map(|_| None).collect();
        self.level(level).empties.push((side, pointer.node, out, inputs));
        self.at_empty(side, value, pointer, instance, out)
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
                let joined = match side {
                    Side::Left => self.value(instance.inputs[input], start)?,
                    Side::Right => self.value(start, instance.inputs[input])?,
                };
                let level = self.level(out.level());
                let (_, _, _, inputs) = level.empties.iter_mut().find(|(_, _, found, _)| *found == out)?;
                match inputs[input] {
                    Some(known) if known != joined => return None,
                    Some(_) | None => inputs[input] = Some(joined),
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
        for first in chunks_at(&space, pointer.node, layout, self.definitions, DEEP) {
            if !is_free(&first) {
                continue;
            }
            let mut chunk = first;
            for _ in 0..LONGEST {
                all.push(chunk.clone());
                let Some(end) = definition.port(PortId::FIRST).empty.filter(|_| definition.is_segment()) else { break };
                let Some(Value::Pointer(next)) = chunk.inputs[end] else { break };
                if next.node.level() != level || next.port != PortId::FIRST {
                    break;
                }
                let candidates = chunks_at(&space, next.node, layout, self.definitions, DEEP);
                let longer = candidates
                    .into_iter()
                    .filter(|back| is_free(back))
                    .find_map(|back| compose(&space, &chunk, &back, layout, self.definitions));
                match longer {
                    Some(longer) => chunk = longer,
                    None => break,
                }
            }
        }
        all
    }

    fn pair_run(&mut self, side: Side, id: NodeId, instance: &Instance, chunk: &Chunk) -> Option<NodeId> {
        let level = id.level();
        let other = match side {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        };
        if self.mode == Mode::Entails && chunk.least < instance.least {
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
            let matters = is_end || definition.is_held(number) || least == 0;
            let value = match theirs {
                _ if !matters => Value::Any,
                None if *ours == Value::Any => Value::Any,
                None if definition.is_held(number) || is_end => return None,
                None => Value::Any,
                Some(Value::Any) if !definition.is_held(number) && !is_end => Value::Any,
                Some(_) if !definition.is_held(number) && !is_end && *ours == Value::Any => Value::Any,
                Some(theirs) => match side {
                    Side::Left => self.value(*ours, *theirs)?,
                    Side::Right => self.value(*theirs, *ours)?,
                },
            };
            inputs.push(value);
        }
        let prototype = match side {
            Side::Left => self.prototypes(level + 1, &instance.prototype, &chunk.prototype)?,
            Side::Right => self.prototypes(level + 1, &chunk.prototype, &instance.prototype)?,
        };
        self.fill(
            out,
            Node::Instance(Instance { layout: instance.layout.clone(), inputs, least, prototype: Rc::new(prototype) }),
        );
        Some(out)
    }

    /// Prototypes of instances of the level below. Levels above are put aside meanwhile.
    fn prototypes(&mut self, level: u32, left: &Prototype, right: &Prototype) -> Option<Prototype> {
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
    fn pair_by_other_port(&mut self, side: Side, pointer: Pointer, value: Value) -> Option<()> {
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
        let chunk = chunks_at(&theirs, found.node, &instance.layout, self.definitions, DEEP).into_iter().next()?;
        self.pair_run(side, pointer.node, instance, &chunk).map(drop)
    }

    /// Locals that no value leads to.
    fn pair_locals(&mut self) -> Option<()> {
        let locals = |unifier: &Unifier<'_>, side: Side| -> Vec<NodeId> {
            let space = &unifier.levels[0].spaces[index(side)];
            let nodes = space.nodes.iter().enumerate();
            nodes
                .filter(|(_, node)| {
                    matches!(node.as_deref(), Some(Node::Object(object))
                        if matches!(object.storage, Storage::Local | Storage::CallersLocal) && object.life == Life::Alive)
                })
                .map(|(number, _)| NodeId::new(0, number))
                .filter(|id| unifier.image(side, *id).is_none())
                .collect()
        };
        loop {
            let (left, right) = (locals(self, Side::Left), locals(self, Side::Right));
            match (left.first(), right.first()) {
                (None, None) => return Some(()),
                (Some(x), Some(y)) => {
                    self.value(Value::pointer(*x, 0), Value::pointer(*y, 0))?;
                }
                (Some(_), None) | (None, Some(_)) => return None,
            }
        }
    }

    /// What was put off at the last level, and whether all nodes were paired.
    fn finish_level(&mut self) -> Option<()> {
        let at = self.levels.len() - 1;
        for (x, y, expected) in std::mem::take(&mut self.levels[at].deferred) {
            // By now the instance is paired by its first port.
            let (Value::Pointer(pointer), side) = (match (x, y) {
                (Value::Pointer(p), _) if self.is_instance(Side::Left, p) && p.port != PortId::FIRST => (x, Side::Left),
                _ => (y, Side::Right),
            }) else {
                return None;
            };
            if self.image(side, pointer.node).is_none() {
                self.pair_by_other_port(side, pointer, if side == Side::Left { y } else { x })?;
            }
            if self.value(x, y)? != expected {
                return None;
            }
        }
        if self.mode != Mode::Entails {
            for (side, id, out, inputs) in std::mem::take(&mut self.levels[at].empties) {
                let space = self.levels[at].spaces[index(side)].clone();
                let Some(Node::Instance(instance)) = space.node(id) else { return None };
                let mut complete: SmallVec<[Value; 2]> = SmallVec::new();
                for (known, own) in inputs.iter().zip(&instance.inputs) {
                    complete.push(match known {
                        Some(value) => *value,
                        None => self.translate(side, *own).unwrap_or(Value::Any),
                    });
                }
                let definition = self.definitions.get(instance.layout.definition);
                for (number, value) in complete.iter().enumerate() {
                    if *value == Value::Any && instance.inputs[number] != Value::Any && definition.is_held(number) {
                        return None;
                    }
                }
                let prototype = self.translate_prototype(side, &instance.prototype)?;
                let node = Instance {
                    layout: instance.layout.clone(),
                    inputs: complete,
                    least: 0,
                    prototype: Rc::new(prototype),
                };
                self.fill(out, Node::Instance(node));
            }
        }
        // Every node of either side is described, but for dead ones.
        for side in [Side::Left, Side::Right] {
            let space = self.levels[at].spaces[index(side)].clone();
            for (number, node) in space.nodes.iter().enumerate() {
                let is_dead = matches!(node.as_deref(), Some(Node::Object(object)) if object.life != Life::Alive);
                if node.is_some() && !is_dead && self.levels[at].images[index(side)][number].is_none() {
                    return None;
                }
            }
        }
        Some(())
    }

    /// A value of one side alone.
    fn translate(&mut self, side: Side, value: Value) -> Option<Value> {
        match value {
            Value::Pointer(pointer) => {
                if pointer.node.level() < self.closed || pointer.node.level() as usize >= self.levels.len() {
                    return Some(value);
                }
                match self.image(side, pointer.node)? {
                    Image::Cell(out) => Some(Value::pointer(out, pointer.offset)),
                    Image::Run { out, first, last } => {
                        let ports = self.ports(side, pointer, first, last);
                        let port = PortId(ports.trailing_zeros() as u8);
                        (ports != 0).then_some(Value::Pointer(Pointer { node: out, port, offset: pointer.offset }))
                    }
                    Image::Empty(out) => Some(Value::Pointer(Pointer { node: out, ..pointer })),
                    Image::Inside => None,
                }
            }
            Value::Symbol(symbol) => {
                if symbol.level() < self.closed || symbol.level() as usize >= self.levels.len() {
                    return Some(value);
                }
                let range = self.range(side, value)?;
                let level = symbol.level();
                let key = match side {
                    Side::Left => (value, Value::Uninitialised),
                    Side::Right => (Value::Uninitialised, value),
                };
                let found = self.level(level);
                if let Some(known) = found.pairs.get(&key) {
                    return Some(*known);
                }
                found.symbols.push(range);
                let new = Value::Symbol(SymbolId::new(level, found.symbols.len() - 1));
                found.pairs.insert(key, new);
                Some(new)
            }
            Value::Indexed { .. } => None,
            Value::Uninitialised | Value::Top | Value::Any | Value::Number(_) | Value::Function(_) | Value::Library => {
                Some(value)
            }
        }
    }

    fn translate_prototype(&mut self, side: Side, prototype: &Prototype) -> Option<Prototype> {
        let mut failed = false;
        let nodes = prototype
            .nodes
            .iter()
            .map(|node| {
                Rc::new(node.map_values(&mut |value| match self.translate(side, value) {
                    Some(value) => value,
                    None => {
                        failed = true;
                        value
                    }
                }))
            })
            .collect();
        (!failed).then_some(Prototype { nodes, symbols: prototype.symbols.clone() })
    }
}
