//! The law of folding, joining and entailment: no concrete heap is lost.
//!
//! Whether a heap describes a concrete one is found out here by unfolding alone, in all ways and as far as there are cells: it
//! shares nothing with the entailment that is tested.

use crate::chunk::Merging;
use crate::fold::fold;
use crate::heap::{Heap, Lost, Node, NodeId, Object, Size, Storage, SymbolId, Value};
use crate::predicate::{Definitions, Layout};
use crate::unfold::{empty, unfold};
use crate::unify::{Numbers, Policy, entails, join};
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{RecordId, RegisterId};
use std::collections::HashMap;
use std::rc::Rc;

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

const SIZE: u64 = 32;
const DATA: u64 = 24;

fn layouts(definitions: &Definitions, names: &[(&str, &[i64])]) -> Vec<Rc<Layout>> {
    let record = RecordId::new(0);
    let layout = |(name, links): &(&str, &[i64])| Layout {
        definition: definitions.named(name).expect("a shipped predicate"),
        record,
        size: SIZE,
        derived: Rc::default(),
        entry: 0,
        links: links.iter().copied().collect(),
        widths: links.iter().map(|_| 8).collect(),
    };
    names.iter().map(|entry| Rc::new(layout(entry))).collect()
}

fn cell(heap: &mut Heap, data: u64) -> NodeId {
    let mut object = Object::new(Storage::Heap, Size::Constant(SIZE), Value::ZERO);
    object.store(DATA, 4, Value::Number(i128::from(data) + 1));
    heap.add(Node::Object(object))
}

fn link(heap: &mut Heap, from: NodeId, at: u64, to: Value) {
    heap.object_mut(from).expect("a cell").store(at, 8, to);
}

/// A list, single or double, perhaps a ring, whose cells may own a cell; registers lead to its first and to some other cell.
fn list(random: &mut Random, is_double: bool) -> Heap {
    let mut heap = Heap::default();
    let n = random.below(6) as usize;
    let n_values = 1 + random.below(4);
    let cells: Vec<NodeId> = (0..n)
        .map(|_| {
            let data = random.below(n_values);
            cell(&mut heap, data)
        })
        .collect();
    let is_ring = random.below(3) == 0;
    for (index, id) in cells.iter().enumerate() {
        let next = cells.get(index + 1).or(if is_ring { cells.first() } else { None });
        link(&mut heap, *id, 0, next.map_or(Value::ZERO, |next| Value::pointer(*next, 0)));
        if is_double {
            let before = if index > 0 {
                cells.get(index - 1)
            } else if is_ring {
                cells.last()
            } else {
                None
            };
            link(&mut heap, *id, 8, before.map_or(Value::ZERO, |before| Value::pointer(*before, 0)));
        } else if random.below(4) == 0 {
            let owned = heap.add(Node::Object(Object::new(Storage::Heap, Size::Constant(8), Value::ZERO)));
            link(&mut heap, *id, 16, Value::pointer(owned, 0));
        }
    }
    heap.set_register(RegisterId::new(0), cells.first().map_or(Value::ZERO, |first| Value::pointer(*first, 0)));
    let other = if n > 0 && random.below(2) == 0 {
        Value::pointer(cells[random.below(n as u64) as usize], 0)
    } else {
        Value::ZERO
    };
    heap.set_register(RegisterId::new(1), other);
    heap
}

/// Two queues: registers lead to the first and to the last cell of each. A last cell leads to nothing, to itself, to the first one,
/// or to the other queue; a register may lead to any cell, and a cell may own another one.
fn queues(random: &mut Random) -> Heap {
    let mut heap = Heap::default();
    let queues: Vec<Vec<NodeId>> = (0..2)
        .map(|_| {
            let n = random.below(4);
            (0..n).map(|_| random.below(2)).collect::<Vec<u64>>()
        })
        .map(|values| values.into_iter().map(|data| cell(&mut heap, data)).collect())
        .collect();
    let start = |queue: &[NodeId]| queue.first().map_or(Value::ZERO, |first| Value::pointer(*first, 0));
    for (number, queue) in queues.iter().enumerate() {
        for pair in queue.windows(2) {
            link(&mut heap, pair[0], 0, Value::pointer(pair[1], 0));
        }
        let last = queue.last().map_or(Value::ZERO, |last| Value::pointer(*last, 0));
        let end = match random.below(4) {
            0 => last,
            1 => start(queue),
            2 => start(&queues[1 - number]),
            _ => Value::ZERO,
        };
        if let Some(id) = queue.last() {
            link(&mut heap, *id, 0, end);
            if random.below(4) == 0 {
                let owned = heap.add(Node::Object(Object::new(Storage::Heap, Size::Constant(8), Value::ZERO)));
                link(&mut heap, *id, 16, Value::pointer(owned, 0));
            }
        }
        heap.set_register(RegisterId::new(2 * number), start(queue));
        heap.set_register(RegisterId::new(2 * number + 1), last);
    }
    let all: Vec<NodeId> = queues.into_iter().flatten().collect();
    let other = match random.below(3) {
        0 if !all.is_empty() => Value::pointer(all[random.below(all.len() as u64) as usize], 0),
        _ => Value::ZERO,
    };
    heap.set_register(RegisterId::new(4), other);
    heap
}

/// A tree with or without links to parents; a register leads to its root, another to some node.
fn tree(random: &mut Random, has_parents: bool) -> Heap {
    let mut heap = Heap::default();
    let mut cells: Vec<NodeId> = Vec::new();
    for _ in 0..random.below(6) {
        let data = random.below(2);
        let new = cell(&mut heap, data);
        if !cells.is_empty() {
            let mut at = cells[0];
            loop {
                let side = 8 * random.below(2);
                match heap.object(at).map(|object| object.load(side, 8)) {
                    Some(Value::Pointer(child)) => at = child.node,
                    _ => {
                        link(&mut heap, at, side, Value::pointer(new, 0));
                        if has_parents {
                            link(&mut heap, new, 16, Value::pointer(at, 0));
                        }
                        break;
                    }
                }
            }
        }
        cells.push(new);
    }
    heap.set_register(RegisterId::new(0), cells.first().map_or(Value::ZERO, |first| Value::pointer(*first, 0)));
    let other = match random.below(cells.len() as u64 + 1) as usize {
        0 => Value::ZERO,
        index => Value::pointer(cells[index - 1], 0),
    };
    heap.set_register(RegisterId::new(1), other);
    heap
}

/// A red-black tree of that height below a cell, whose words to parents have the colour in their lowest bit.
fn red_black(
    random: &mut Random,
    heap: &mut Heap,
    parent: Value,
    height: u64,
    may_be_red: bool,
    cells: &mut Vec<NodeId>,
) -> Value {
    let is_red = may_be_red && random.below(3) == 0;
    if height == 0 && !is_red {
        return Value::ZERO;
    }
    let new = cell(heap, random.below(2));
    cells.push(new);
    link(heap, new, 16, crate::unfold::add_bytes(parent, i64::from(!is_red)));
    for side in [0, 8] {
        let below = if is_red { height } else { height - 1 };
        let child = red_black(random, heap, Value::pointer(new, 0), below, !is_red, cells);
        link(heap, new, side, child);
    }
    Value::pointer(new, 0)
}

/// A small red-black tree (unfolding goes through all that larger ones could be); a register leads to its root, another to some
/// node.
fn balanced(random: &mut Random) -> Heap {
    const MOST_CELLS: usize = 4;
    loop {
        let mut heap = Heap::default();
        let mut cells: Vec<NodeId> = Vec::new();
        let height = random.below(3);
        let may_be_red = random.below(2) == 0;
        let root = red_black(random, &mut heap, Value::ZERO, height, may_be_red, &mut cells);
        if cells.len() > MOST_CELLS {
            continue;
        }
        heap.set_register(RegisterId::new(0), root);
        let other = match random.below(cells.len() as u64 + 1) as usize {
            0 => Value::ZERO,
            index => Value::pointer(cells[index - 1], 0),
        };
        heap.set_register(RegisterId::new(1), other);
        return heap;
    }
}

/// Whether a concrete heap is one that `heap` describes.
fn represents(heap: &Heap, concrete: &Heap, definitions: &Definitions) -> bool {
    let instance = heap.nodes().find(|(_, node)| matches!(node, Node::Instance(_))).map(|(id, _)| id);
    let n_cells = heap.nodes().filter(|(_, node)| matches!(node, Node::Object(_))).count();
    let Some(id) = instance else { return is_same(heap, concrete) };
    if n_cells > concrete.n_nodes() {
        return false;
    }
    empty(heap, id, definitions).is_some_and(|case| represents(&case, concrete, definitions))
        || unfold(heap, id, crate::heap::PortId::FIRST, definitions)
            .iter()
            .any(|case| represents(case, concrete, definitions))
}

/// Whether a heap without instances describes a concrete one: there is one way to pair their cells.
fn is_same(heap: &Heap, concrete: &Heap) -> bool {
    let mut nodes: HashMap<NodeId, NodeId> = HashMap::new();
    let mut symbols: HashMap<SymbolId, i128> = HashMap::new();
    let mut work: Vec<(Value, Value)> =
        heap.registers.iter().map(|(register, value)| (*value, concrete.register(*register))).collect();
    while let Some((value, known)) = work.pop() {
        match (value, known) {
            (Value::Any | Value::Top, _) => {}
            (Value::Symbol(symbol), Value::Number(number)) => {
                if !heap.symbol(symbol).contains(number) || *symbols.entry(symbol).or_insert(number) != number {
                    return false;
                }
            }
            (Value::Pointer(x), Value::Pointer(y)) => {
                if x.offset != y.offset {
                    return false;
                }
                if let Some(paired) = nodes.insert(x.node, y.node) {
                    if paired != y.node {
                        return false;
                    }
                    continue;
                }
                let (Some(a), Some(b)) = (heap.object(x.node), concrete.object(y.node)) else { return false };
                if (a.storage, a.life, a.size) != (b.storage, b.life, b.size) {
                    return false;
                }
                let Size::Constant(size) = b.size else { return false };
                for offset in (0..size).step_by(8) {
                    let bytes = if offset == DATA { 4 } else { 8 };
                    work.push((a.load(offset, bytes), b.load(offset, bytes)));
                }
            }
            (value, known) if value == known => {}
            _ => return false,
        }
    }
    let mut images: Vec<NodeId> = nodes.values().copied().collect();
    images.sort_unstable();
    images.dedup();
    images.len() == nodes.len() && nodes.len() == concrete.n_nodes() && nodes.len() == heap.n_nodes()
}

fn normal(mut heap: Heap, definitions: &Definitions) -> Option<Heap> {
    match heap.normalise(definitions) {
        Ok(Lost::Nothing) => Some(heap),
        Ok(Lost::Cells) | Err(_) => None,
    }
}

/// The rules of a predicate at its other ports describe the same structures as those at the first: seen from there, nothing is
/// lost either. (Nothing else checks them.) Says at how many instances that was looked at.
fn check_other_ends(heap: &Heap, concrete: &Heap, definitions: &Definitions) -> usize {
    let mut n_seen = 0;
    for (id, node) in heap.nodes() {
        let Node::Instance(instance) = node else { continue };
        let definition = definitions.get(instance.layout.definition);
        for number in 1..definition.ports.len() {
            let seen = unfold(heap, id, crate::heap::PortId(number as u8), definitions);
            let mut cases = empty(heap, id, definitions).into_iter().chain(seen);
            let name = &definition.name;
            assert!(cases.any(|case| represents(&case, concrete, definitions)), "{name} differs at its ends: {heap:?}");
            n_seen += 1;
        }
    }
    n_seen
}

type Kind = (fn(&mut Random) -> Heap, &'static [(&'static str, &'static [i64])]);

const KINDS: [Kind; 6] = [
    (|random| list(random, false), &[("ls", &[0])]),
    (|random| list(random, true), &[("dll", &[0, 8])]),
    (queues, &[("ls", &[0])]),
    (|random| tree(random, false), &[("tree", &[0, 8]), ("tseg", &[0, 8])]),
    (|random| tree(random, true), &[("ptree", &[0, 8, 16]), ("ptseg", &[0, 8, 16])]),
    (balanced, &[("rbtree", &[0, 8, 16]), ("rbseg", &[0, 8, 16])]),
];

#[test]
fn no_concrete_heap_is_lost() {
    let definitions = Definitions::shipped();
    let mut random = Random(1);
    let (mut n_folded, mut n_joined, mut n_entailed, mut n_refused, mut n_other_ends) = (0, 0, 0, 0, 0);
    for (make, names) in KINDS {
        let layouts = layouts(&definitions, names);
        for round in 0..80 {
            let merging = if round % 2 == 0 { Merging::Similar } else { Merging::Alternatives };
            let folded = |heap: &Heap| normal(fold(heap, &layouts, &definitions, merging), &definitions);
            let concrete: Vec<Heap> = (0..3).filter_map(|_| normal(make(&mut random), &definitions)).collect();
            let [first, second, other] = concrete.as_slice() else { continue };
            let (Some(x), Some(y)) = (folded(first), folded(second)) else { continue };
            n_folded += usize::from(x != *first);
            assert!(represents(&x, first, &definitions), "folding lost\n{first:?}\nin {x:?}");
            n_other_ends += check_other_ends(&x, first, &definitions);
            let numbers = if round % 3 == 0 { Numbers::Widen } else { Numbers::Join };
            let policy = Policy { numbers, emptiness: true, values: round % 5 == 0 };
            if let Some(joined) = join(&x, &y, &definitions, policy, &[0, 100])
                && let Some(joined) = normal(joined, &definitions)
            {
                n_joined += 1;
                n_other_ends += check_other_ends(&joined, second, &definitions);
                for witness in [first, second] {
                    assert!(represents(&joined, witness, &definitions), "joining lost\n{witness:?}\nin {joined:?}");
                }
                // What entailment says of a heap that was not joined must be so.
                if entails(other, &joined, &definitions) {
                    n_entailed += 1;
                    assert!(represents(&joined, other, &definitions), "wrongly entailed:\n{other:?}\nby {joined:?}");
                } else {
                    n_refused += 1;
                }
            }
        }
    }
    let counts = (n_folded, n_joined, n_entailed, n_refused, n_other_ends);
    assert!(n_folded > 100 && n_joined > 40 && n_entailed > 5 && n_refused > 5 && n_other_ends > 50, "{counts:?}");
}
