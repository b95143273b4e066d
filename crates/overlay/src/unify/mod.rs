//! Two heaps side by side: whether one describes all that the other does, and a heap that describes what either does.
//!
//! Both are walked at once from registers, ghosts and globals. Cells are paired; an instance on one side is paired with a chunk
//! of the other: a run of cells and instances that the predicate describes, or nothing at all if it may be empty. Each
//! node is used once, so what is separate stays separate.

mod array;
mod differ;
mod finish;
mod measure;
mod structure;
mod texts;
mod value;
mod walk;

use crate::chunk::Space;
use crate::heap::{
    Fact, Heap, Linear, MOST_FACTS, Measure, Node, NodeId, Order, Prototype, Region, Size, SymbolId, Value,
};
use crate::number::Range;
use crate::predicate::Definitions;
use heapwise_ir::CompareOperator;
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

impl Policy {
    /// Elements that are nearly the same.
    pub const SIMILAR: Policy = Policy { numbers: Numbers::Keep, emptiness: true, values: false };
    /// Whatever can be brought together.
    pub const ROUGH: Policy = Policy { numbers: Numbers::Join, emptiness: true, values: true };
}

/// What becomes of numbers that differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Numbers {
    /// Constants that differ are not joined.
    Keep,
    /// Constants that differ are not joined, ranges that grow are widened.
    WidenRanges,
    /// Their ranges are joined.
    Join,
    /// Their ranges are widened.
    Widen,
}

impl Numbers {
    /// Whether constants that differ are not joined.
    fn keep_constants(self) -> bool {
        match self {
            Numbers::Keep | Numbers::WidenRanges => true,
            Numbers::Join | Numbers::Widen => false,
        }
    }
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

/// An instance of one side that is empty on the other.
#[derive(Clone, Debug)]
struct Empty {
    side: Side,
    id: NodeId,
    /// Its place in the result.
    out: NodeId,
    /// The ends it stands between.
    inputs: SmallVec<[Option<Value>; 2]>,
    measures: Vec<Measure>,
}

#[derive(Clone, Debug)]
struct Level {
    spaces: [Rc<Space>; 2],
    images: [Vec<Option<Image>>; 2],
    out: Vec<Option<Rc<Node>>>,
    symbols: Vec<Range>,
    pairs: FxHashMap<(Value, Value), Value>,
    /// What a symbol of the right side stands for.
    bound: FxHashMap<SymbolId, Value>,
    /// What a symbol of the right side stands for in measures.
    bound_measures: FxHashMap<SymbolId, Measure>,
    /// Measures that differ, with what describes both.
    measure_pairs: FxHashMap<(Measure, Measure), SymbolId>,
    /// Instances that are reached by another port than their first before that: the places that they get.
    reserved: FxHashMap<(bool, NodeId), NodeId>,
    deferred: Vec<(Value, Value, Value)>,
    /// Instances that are empty on the other side, not finished.
    empties: Vec<Empty>,
    /// Kinds of elements that only one side has, with the instance in the result that gets them.
    one_sided: Vec<(Side, NodeId, Rc<Prototype>)>,
}

/// Whether an instance and a run may have different kinds of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kinds {
    /// Each of one side is nearly one of the other.
    Similar,
    /// Those that only one side has are kept.
    Alternatives,
}

#[derive(Clone)]
struct Unifier<'d> {
    definitions: &'d Definitions,
    mode: Mode,
    /// Levels below are the same on both sides.
    closed: u32,
    levels: Vec<Level>,
    fuel: u32,
    /// How often kinds of elements were refused that alternatives would have allowed.
    refused: u32,
    /// Where ranges that are widened stop.
    thresholds: &'d [i128],
}

const FUEL: u32 = 1_500;
/// For a join: those that take longer seldom come to an end.
const JOIN_FUEL: u32 = 400;

fn index(side: Side) -> usize {
    match side {
        Side::Left => 0,
        Side::Right => 1,
    }
}

/// Whether every state that `left` describes is described by `right`.
pub(crate) fn entails(left: &Heap, right: &Heap, definitions: &Definitions) -> bool {
    left == right || unify(left, right, definitions, Mode::Entails, &[]).is_some()
}

/// A heap that describes all that either does; not in normal form.
pub(crate) fn join(
    left: &Heap,
    right: &Heap,
    definitions: &Definitions,
    policy: Policy,
    thresholds: &[i128],
) -> Option<Heap> {
    unify(left, right, definitions, Mode::Join(policy), thresholds)
}

fn unify(left: &Heap, right: &Heap, definitions: &Definitions, mode: Mode, thresholds: &[i128]) -> Option<Heap> {
    if left.ghosts.len() != right.ghosts.len() || left.globals.len() != right.globals.len() {
        return None;
    }
    if differ::surely_differ(left, right, mode) {
        return None;
    }
    let level = Level::new(Rc::new(Space::of_heap(left)), Rc::new(Space::of_heap(right)));
    let fuel = if mode == Mode::Entails { FUEL } else { JOIN_FUEL };
    let mut unifier = Unifier { definitions, mode, closed: 0, levels: vec![level], fuel, refused: 0, thresholds };
    let mut out = Heap { truths: truths(left, right, mode)?, ..Heap::default() };
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
    // So are symbols: bounds of arrays are found by them.
    let is_symbol = |value: Value| matches!(value, Value::Number(_) | Value::Symbol(_));
    let (first, mut then): (Vec<_>, Vec<_>) = registers
        .into_iter()
        .partition(|register| is_symbol(left.register(*register)) && is_symbol(right.register(*register)));
    // Then addresses that walk along cells: how far cells are filled is found by them.
    then.sort_by_key(|register| !walk::walks(left.register(*register), right.register(*register)));
    for register in first.into_iter().chain(then) {
        let value = unifier.value(left.register(register), right.register(register))?;
        out.registers.push((register, value));
    }
    out.registers.sort_unstable_by_key(|(register, _)| *register);
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
    match mode {
        Mode::Entails => {
            (facts_follow(&level, left, right) && linears_follow(&level, left, right)).then_some(())?;
        }
        Mode::Join(_) => {
            if facts_contradict(&level, left, right) {
                return None;
            }
            out.facts = common_facts(&level, left, right, &out.registers);
            out.linears = common_linears(&level, left, right);
        }
    }
    out.nodes = level.out;
    out.symbols = level.symbols;
    Some(out)
}

/// Regions of which there may be further cells.
fn truths(left: &Heap, right: &Heap, mode: Mode) -> Option<Vec<Region>> {
    let mut all: Vec<Region> = left.truths.iter().chain(&right.truths).copied().collect();
    all.sort_unstable();
    all.dedup();
    (mode != Mode::Entails || all == right.truths).then_some(all)
}

/// Whether what is known of symbols on the right is known of what they stand for on the left.
fn facts_follow(level: &Level, left: &Heap, right: &Heap) -> bool {
    // A number of which nothing may be assumed stands for whatever is asked.
    let has_open = left.symbols.iter().any(|range| range.low > range.high);
    right.facts.iter().all(|(x, y, order)| {
        let (Some(x), Some(y)) = (level.bound.get(x), level.bound.get(y)) else { return has_open };
        match order {
            Order::AtMost(by) => left.difference(*x, *y).is_some_and(|most| most <= i128::from(*by)),
            Order::Different => holds(left, *x, CompareOperator::NotEqual, *y),
        }
    })
}

/// Whether what is known on the right of numbers computed from others holds of what they stand for on the left.
fn linears_follow(level: &Level, left: &Heap, right: &Heap) -> bool {
    right.terms.is_empty()
        && right.linears.iter().all(|linear| {
            let (Some(result), Some(base)) = (level.bound.get(&linear.result), level.bound.get(&linear.base)) else {
                return false;
            };
            let scaled = |number: &i128| number.checked_mul(linear.scale)?.checked_add(linear.constant);
            match (result, base) {
                (Value::Symbol(result), Value::Symbol(base)) => {
                    let known = left.linear(*result);
                    let expected = left.linear(*base);
                    let scale = expected.scale.checked_mul(linear.scale);
                    Some(known.base) == Some(expected.base)
                        && Some(known.scale) == scale
                        && Some(known.constant) == scaled(&expected.constant)
                }
                (Value::Number(result), Value::Number(base)) => Some(*result) == scaled(base),
                _ => false,
            }
        })
}

/// What is known of the same computed numbers on both sides.
fn common_linears(level: &Level, left: &Heap, right: &Heap) -> Vec<Linear> {
    let joined = |x: SymbolId, y: SymbolId| match level.pairs.get(&(Value::Symbol(x), Value::Symbol(y))) {
        Some(Value::Symbol(symbol)) => Some(*symbol),
        Some(_) | None => None,
    };
    let mut linears = Vec::new();
    for x in &left.linears {
        for y in right.linears.iter().filter(|y| (x.scale, x.constant) == (y.scale, y.constant)) {
            if let (Some(result), Some(base)) = (joined(x.result, y.result), joined(x.base, y.base)) {
                linears.push(Linear { result, base, ..*x });
            }
        }
    }
    linears
}

/// Whether a comparison of two numbers of a heap is known to hold.
fn holds(heap: &Heap, x: Value, operator: CompareOperator, y: Value) -> bool {
    let (Some(low), Some(high)) = (heap.range(x), heap.range(y)) else { return false };
    low.compare(operator, high) == Some(true)
        || matches!((x, y), (Value::Symbol(x), Value::Symbol(y)) if heap.is_known(x, operator, y))
        || x == y
            && matches!(operator, CompareOperator::LessEqual | CompareOperator::GreaterEqual | CompareOperator::Equal)
}

/// Whether a comparison that one side remembers came out the other way on the other side: what else is different there goes with
/// it, as which child of a search tree's cell is missing does.
fn facts_contradict(level: &Level, left: &Heap, right: &Heap) -> bool {
    let theirs = |symbol: SymbolId| {
        level.pairs.keys().filter_map(move |(x, y)| match (x, y) {
            (Value::Symbol(known), Value::Symbol(theirs)) if *known == symbol => Some(*theirs),
            _ => None,
        })
    };
    left.facts.iter().any(|(a, b, order)| {
        // (How far numbers lie apart differs from round to round; which one is the larger does not.)
        let other_way = match *order {
            Order::LESS => Order::LESS_EQUAL,
            Order::LESS_EQUAL => Order::LESS,
            Order::AtMost(_) | Order::Different => return false,
        };
        theirs(*a).any(|x| {
            let is_other_way =
                |y: SymbolId| right.facts.iter().any(|(c, d, known)| (*c, *d) == (y, x) && *known <= other_way);
            theirs(*b).any(is_other_way)
        })
    })
}

/// What is known on both sides of numbers that are paired: what one side remembers holds on the other, or a weaker comparison does.
fn common_facts(level: &Level, left: &Heap, right: &Heap, registers: &[(heapwise_ir::RegisterId, Value)]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for side in [Side::Left, Side::Right] {
        let (own, other) = match side {
            Side::Left => (left, right),
            Side::Right => (right, left),
        };
        let pairs_of = |symbol: SymbolId| {
            level.pairs.iter().filter_map(move |((x, y), out)| {
                let (known, theirs) = if side == Side::Left { (*x, *y) } else { (*y, *x) };
                match out {
                    Value::Symbol(out) if known == Value::Symbol(symbol) => Some((theirs, *out)),
                    _ => None,
                }
            })
        };
        for (a, b, order) in &own.facts {
            for (x, out_x) in pairs_of(*a) {
                for (y, out_y) in pairs_of(*b).filter(|(_, out_y)| *out_y != out_x) {
                    let known = match order {
                        Order::AtMost(by) => {
                            let theirs = other.difference(x, y);
                            theirs.and_then(|theirs| at_most_either(i128::from(*by), theirs))
                        }
                        Order::Different => holds(other, x, CompareOperator::NotEqual, y).then_some(Order::Different),
                    };
                    facts.extend(known.map(|order| match order {
                        Order::Different => (out_x.min(out_y), out_x.max(out_y), order),
                        Order::AtMost(_) => (out_x, out_y, order),
                    }));
                }
            }
        }
    }
    facts.sort_unstable();
    facts.dedup_by(|next, last| (next.0, next.1) == (last.0, last.1));
    facts.truncate(MOST_FACTS);
    for fact in index_facts(level, left, right, registers) {
        if facts.len() < MOST_FACTS && !facts.iter().any(|(x, y, _)| (*x, *y) == (fact.0, fact.1)) {
            facts.push(fact);
        }
    }
    facts
}

/// The bound of a difference for both sides. Where they differ, it is one of few: bounds that grow in each round of a loop come
/// to an end.
fn at_most_either(x: i128, y: i128) -> Option<Order> {
    if x == y {
        return i64::try_from(x).ok().map(Order::AtMost);
    }
    match x.max(y) {
        ..=-1 => Some(Order::AtMost(-1)),
        0 => Some(Order::AtMost(0)),
        1 => Some(Order::AtMost(1)),
        _ => None,
    }
}

/// Registers that on both sides are not beyond the end of a text, of a cell or of a part of an array, as an index that goes along it
/// is. (Nothing remembers that of a constant.)
fn index_facts(level: &Level, left: &Heap, right: &Heap, registers: &[(heapwise_ir::RegisterId, Value)]) -> Vec<Fact> {
    let mut ends: Vec<SymbolId> = Vec::new();
    for node in level.out.iter().flatten() {
        if let Node::Object(object) = &**node {
            ends.extend(object.texts.iter().filter_map(|text| text.length.symbol()));
            if let Size::Symbol(size) = object.size {
                ends.push(size);
            }
            if let Some(array) = &object.array {
                ends.extend(array.segments.iter().filter_map(|segment| segment.end.base.symbol()));
            }
        }
    }
    ends.retain(|symbol| symbol.level() == 0);
    ends.sort_unstable();
    ends.dedup();
    if ends.is_empty() {
        return Vec::new();
    }
    let indices: Vec<SymbolId> = registers.iter().filter_map(|(_, value)| value.symbol()).collect();
    let pairs_of = |symbols: &[SymbolId]| {
        let mut pairs: Vec<(SymbolId, Value, Value)> = level
            .pairs
            .iter()
            .filter_map(|((x, y), out)| match out {
                Value::Symbol(out) if symbols.contains(out) => Some((*out, *x, *y)),
                _ => None,
            })
            .collect();
        pairs.sort_unstable();
        pairs
    };
    let mut facts = Vec::new();
    for (end, left_end, right_end) in pairs_of(&ends) {
        for (index, x, y) in pairs_of(&indices).into_iter().filter(|(index, ..)| *index != end) {
            let bounds = left.difference(x, left_end).zip(right.difference(y, right_end));
            if let Some(order @ Order::AtMost(..=0)) = bounds.and_then(|(x, y)| at_most_either(x, y)) {
                facts.push((index, end, order));
            }
        }
    }
    facts
}

/// A prototype for elements like either; ids of `level` and below mean the same in both.
pub(crate) fn join_prototypes(
    left: &Prototype,
    right: &Prototype,
    around: &Space,
    definitions: &Definitions,
    policy: Policy,
) -> Option<Prototype> {
    let level = around.level;
    if left == right {
        return Some(left.clone());
    }
    let mut unifier = Unifier {
        definitions,
        mode: Mode::Join(policy),
        closed: level + 1,
        levels: Vec::new(),
        fuel: FUEL,
        refused: 0,
        thresholds: &[],
    };
    for below in 0..=level {
        let symbols = if below == level { around.symbols.clone() } else { Vec::new() };
        let empty = Rc::new(Space {
            level: below,
            nodes: Vec::new(),
            symbols,
            references: Vec::new(),
            mentions: Vec::new(),
            ports: FxHashMap::default(),
        });
        unifier.levels.push(Level::new(empty.clone(), empty));
    }
    unifier.prototypes(level + 1, left, right)
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
            bound_measures: FxHashMap::default(),
            measure_pairs: FxHashMap::default(),
            reserved: FxHashMap::default(),
            deferred: Vec::new(),
            empties: Vec::new(),
            one_sided: Vec::new(),
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
}
