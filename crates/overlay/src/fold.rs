//! Abstraction: runs of cells become instances.
//!
//! A cell to which something else leads than its neighbours stays, at an end of a run it becomes a port: nothing that can be
//! reached is lost.

use crate::chunk::{Chunk, Merging, Space, chunks_at, last_port, merge_elements, next_item, port_pointer};
use crate::heap::{
    Elements, Heap, Instance, Node, NodeId, Object, Pointer, PortId, Prototype, Size, Storage, SymbolId, Value, tidy,
};
use crate::hole::fit_measures;
use crate::measures::{Known, of_part};
use crate::number::{Range, type_range};
use crate::predicate::{Definitions, Equation, Layout, MeasureOf};
use crate::unfold::replace_pointers;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::rc::Rc;

/// Folds as long as anything folds. The layouts are tried in their order.
pub(crate) fn fold(heap: &Heap, layouts: &[Rc<Layout>], definitions: &Definitions, merging: Merging) -> Heap {
    fold_all_but(heap, Trees::All, layouts, definitions, merging)
}

/// Which trees are folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trees {
    /// All.
    All,
    /// None whose root a register or ghost names: that a cell has no children is known no more once it is a tree.
    Unnamed,
}

/// Folds as long as anything folds, some trees aside.
pub(crate) fn fold_all_but(
    heap: &Heap,
    trees: Trees,
    layouts: &[Rc<Layout>],
    definitions: &Definitions,
    merging: Merging,
) -> Heap {
    let mut heap = heap.clone();
    const MOST: usize = 200;
    for _ in 0..MOST {
        let space = Space::of_heap(&heap);
        let present = present(&space, layouts);
        let fold = |index: usize| {
            let tree = tree_of_parents(index, layouts, definitions);
            Fold { heap: &heap, space: &space, layout: &layouts[index], tree, definitions, merging }
        };
        let folded = best_run(&present, layouts, definitions, &fold)
            .or_else(|| present.iter().find_map(|index| fold(*index).once(trees)));
        let Some(folded) = folded else { break };
        heap = folded;
    }
    fold_elements(&mut heap, layouts, definitions, merging);
    heap
}

/// The layouts that some node may be of: a large program has hundreds of them, and a heap a few kinds of cells.
fn present(space: &Space, layouts: &[Rc<Layout>]) -> Vec<usize> {
    let mut records = FxHashSet::default();
    let mut sizes = FxHashSet::default();
    let mut instances: FxHashSet<&Layout> = FxHashSet::default();
    for node in space.nodes.iter().flatten() {
        match &**node {
            Node::Instance(instance) => {
                instances.insert(&instance.layout);
            }
            Node::Object(Object { storage: Storage::Heap, view, size, .. }) => match (view, size) {
                (Some(record), _) => {
                    records.insert(*record);
                }
                (None, Size::Constant(size)) => {
                    sizes.insert(*size);
                }
                // It is no element of any layout.
                (None, Size::Symbol(_)) => {}
            },
            Node::Object(_) => {}
        }
    }
    let is_present = |layout: &Rc<Layout>| {
        instances.contains(&**layout)
            || layout.records().any(|(record, size)| records.contains(&record) || sizes.contains(&size))
    };
    layouts.iter().enumerate().filter(|(_, layout)| is_present(layout)).map(|(index, _)| index).collect()
}

fn is_list(layout: &Layout, definitions: &Definitions) -> bool {
    let definition = definitions.get(layout.definition);
    definition.is_segment() && definition.closing.is_none()
}

/// The trees in which the only link of a list leads to parents.
fn tree_of_parents<'l>(index: usize, layouts: &'l [Rc<Layout>], definitions: &Definitions) -> Option<&'l Layout> {
    let list = &layouts[index];
    let leads_up = |tree: &Layout| list.links.as_slice() == tree.links.get(2..).unwrap_or_default();
    let is_tree = |tree: &Layout| (tree.record, tree.entry) == (list.record, list.entry) && !is_list(tree, definitions);
    layouts[..index].iter().map(|layout| &**layout).find(|tree| is_tree(tree) && leads_up(tree))
}

/// How much a run says: how many cells and instances it has, along how many links, and how few lead to its first cell.
type Said = (usize, usize, Reverse<u32>);

/// Folds the run that says most: the longest one, among those one along the most links, and among those the one to whose first
/// cell the fewest lead. A cell on two lists may look like an element of a third one.
fn best_run<'h>(
    present: &[usize],
    layouts: &[Rc<Layout>],
    definitions: &Definitions,
    fold: &dyn Fn(usize) -> Fold<'h>,
) -> Option<Heap> {
    // Where cells may make a tree, one of its links alone is looked at last.
    let comes_first = |index: usize| {
        let layout = &layouts[index];
        let is_tree = |other: &&Rc<Layout>| {
            (other.record, other.entry) == (layout.record, layout.entry) && !is_list(other, definitions)
        };
        is_list(layout, definitions) && !layouts[..index].iter().any(|other| is_tree(&other))
    };
    let mut best: Option<(Said, Fold<'_>, Chunk)> = None;
    for index in present.iter().filter(|index| comes_first(**index)) {
        let fold = fold(*index);
        let Some((n_items, chunk)) = fold.longest_run() else { continue };
        let said = (n_items, fold.layout.links.len(), fold.leading(&chunk));
        if best.as_ref().is_none_or(|(most, ..)| said > *most) {
            best = Some((said, fold, chunk));
        }
    }
    best.map(|(_, fold, chunk)| fold.apply(&chunk))
}

struct Fold<'h> {
    heap: &'h Heap,
    space: &'h Space,
    layout: &'h Rc<Layout>,
    /// Where the layout is a list along links to parents: the trees.
    tree: Option<&'h Layout>,
    definitions: &'h Definitions,
    merging: Merging,
}

/// Folds what belongs to the cells of instances.
fn fold_elements(heap: &mut Heap, layouts: &[Rc<Layout>], definitions: &Definitions, merging: Merging) {
    let instances: Vec<NodeId> = heap
        .nodes()
        .filter(|(_, node)| match node {
            Node::Instance(instance) => instance.elements.iter().any(|element| element.nodes.len() > 2),
            Node::Object(_) => false,
        })
        .map(|(id, _)| id)
        .collect();
    for id in instances {
        let Some(instance) = heap.instance(id) else { continue };
        let mut elements: Elements = instance
            .elements
            .iter()
            .map(|element| fold_element(element, heap, layouts, definitions, merging))
            .collect();
        tidy(&mut elements);
        if let Some(instance) = heap.instance_mut(id) {
            instance.elements = elements;
        }
    }
}

/// Folds what belongs to one cell, as a heap by itself: what lies around it are cells that nothing is known of.
pub(crate) fn fold_element(
    element: &Rc<Prototype>,
    around: &Heap,
    layouts: &[Rc<Layout>],
    definitions: &Definitions,
    merging: Merging,
) -> Rc<Prototype> {
    let n_around = around.nodes.len();
    let n_symbols = around.symbols.len();
    let stranger =
        || Rc::new(Node::Object(Object::new(Storage::CallersLocal, Size::Constant(0), Value::Uninitialised)));
    let mut inner =
        Heap { nodes: vec![Some(stranger()); n_around], symbols: around.symbols.clone(), ..Heap::default() };
    inner.symbols.extend(element.symbols.iter().copied());
    let mut lower = |value: Value| {
        value.renamed(
            &mut |id: NodeId| match id.level() {
                0 => id,
                1 => NodeId::new(0, n_around + id.index()),
                level => NodeId::new(level - 1, id.index()),
            },
            &mut |symbol: SymbolId| match symbol.level() {
                0 => symbol,
                1 => SymbolId::new(0, n_symbols + symbol.index()),
                level => SymbolId::new(level - 1, symbol.index()),
            },
        )
    };
    inner.nodes.extend(element.nodes.iter().map(|node| Some(Rc::new(node.map_values(&mut lower)))));
    let cell = NodeId::new(0, n_around);
    // The cell itself stays: it is no heap cell meanwhile.
    let Some(storage) = inner.object(cell).map(|object| object.storage) else { return element.clone() };
    if let Some(object) = inner.object_mut(cell) {
        object.storage = Storage::CallersLocal;
    }
    inner.ghosts.push(Value::pointer(cell, 0));
    let mut folded = fold(&inner, layouts, definitions, merging);
    if folded.n_nodes() == inner.n_nodes() {
        return element.clone();
    }
    if let Some(object) = folded.object_mut(cell) {
        object.storage = storage;
    }
    let kept: Vec<NodeId> = folded.nodes().map(|(id, _)| id).filter(|id| id.index() >= n_around).collect();
    let mut symbols: Vec<Range> = Vec::new();
    let mut names: FxHashMap<usize, usize> = FxHashMap::default();
    let old = folded.symbols.clone();
    let mut raise = |value: Value| {
        value.renamed(
            &mut |id: NodeId| match id.level() {
                0 if id.index() < n_around => id,
                0 => NodeId::new(1, kept.iter().position(|kept| *kept == id).unwrap_or(0)),
                level => NodeId::new(level + 1, id.index()),
            },
            &mut |symbol: SymbolId| match symbol.level() {
                0 if symbol.index() < n_symbols => symbol,
                0 => {
                    let index = *names.entry(symbol.index()).or_insert_with(|| {
                        let whole = type_range(heapwise_ir::IntType::Signed(16));
                        symbols.push(old.get(symbol.index()).copied().unwrap_or(whole));
                        symbols.len() - 1
                    });
                    SymbolId::new(1, index)
                }
                level => SymbolId::new(level + 1, symbol.index()),
            },
        )
    };
    let nodes = kept.iter().map(|id| Rc::new(folded.node(*id).map_values(&mut raise))).collect();
    Rc::new(Prototype { nodes, symbols })
}

impl Fold<'_> {
    fn count(&self, node: NodeId, port: PortId) -> u32 {
        self.space.count(node, port)
    }

    /// The heap after one step, if there is one.
    fn once(&self, trees: Trees) -> Option<Heap> {
        if self.definitions.get(self.layout.definition).is_segment() {
            self.closed().or_else(|| self.longest_run().map(|(_, chunk)| self.apply(&chunk)))
        } else {
            self.tree(trees).map(|chunk| self.apply(&chunk))
        }
    }

    /// A cell whose subtrees are instances or null.
    fn tree(&self, trees: Trees) -> Option<Chunk> {
        let named: Vec<NodeId> = match trees {
            Trees::All => Vec::new(),
            Trees::Unnamed => {
                let registers = self.heap.registers.iter().map(|(_, value)| value);
                registers.chain(&self.heap.ghosts).filter_map(|value| value.node()).collect()
            }
        };
        let may_be_root =
            |id: NodeId, node: &Node| matches!(node, Node::Object(_)) && !self.is_compared(id) && !named.contains(&id);
        self.heap.nodes().filter(|(id, node)| may_be_root(*id, node)).find_map(|(id, node)| {
            let chunk = chunks_at(self.space, id, self.layout, self.definitions, 0, self.merging).into_iter().next()?;
            (self.has_links(node) || self.is_entered(id)).then_some(chunk)
        })
    }

    /// Whether a link of the cell leads anywhere.
    fn has_links(&self, node: &Node) -> bool {
        let Node::Object(object) = node else { return true };
        self.layout.places().any(|(link, bytes)| matches!(object.load(link, bytes), Value::Pointer(_)))
    }

    /// Whether something leads to where a tree is entered. A cell without children that is known by its other links alone is
    /// on a list, not in a tree: as a tree it would have lost that it has no children.
    fn is_entered(&self, id: NodeId) -> bool {
        let definition = self.definitions.get(self.layout.definition);
        let entry = Value::Pointer(port_pointer(self.space, id, PortId::FIRST, self.layout, definition));
        let mut is_found = self.heap.registers.iter().any(|(_, value)| *value == entry);
        is_found |= self.heap.ghosts.contains(&entry);
        for (_, node) in self.heap.nodes().filter(|(other, _)| *other != id) {
            node.for_each_value(&mut |value| is_found |= value == entry);
        }
        is_found
    }

    /// How few lead to the first cell of a run, what belongs to the cell aside.
    fn leading(&self, chunk: &Chunk) -> Reverse<u32> {
        Reverse(self.space.references[chunk.first.index()].saturating_sub(chunk.own_references))
    }

    /// The longest run; among several, the one to whose first cell the fewest lead.
    fn longest_run(&self) -> Option<(usize, Chunk)> {
        let mut best: Option<(usize, Chunk)> = None;
        for (id, _) in self.heap.nodes().filter(|(id, _)| !self.is_compared(*id) && !self.is_named(*id)) {
            for chunk in chunks_at(self.space, id, self.layout, self.definitions, 0, self.merging) {
                let (n_items, chunk) = self.extended(chunk);
                if self.may_be_coincidence(&chunk) || self.is_branch(&chunk) {
                    continue;
                }
                let is_better = best
                    .as_ref()
                    .is_none_or(|(n_best, known)| (n_items, self.leading(&chunk)) > (*n_best, self.leading(known)));
                if n_items > 1 && is_better {
                    best = Some((n_items, chunk));
                }
            }
        }
        best
    }

    /// Whether a cell that a register leads to holds a number of which a comparison is remembered: it may be asked again.
    fn is_compared(&self, id: NodeId) -> bool {
        let Node::Object(object) = self.heap.node(id) else { return false };
        let is_in_fact = |symbol: SymbolId| self.heap.facts.iter().any(|(x, y, _)| *x == symbol || *y == symbol);
        object.fields.iter().filter_map(|field| field.value.symbol()).any(is_in_fact)
            && self.heap.registers.iter().any(|(_, value)| value.node() == Some(id))
    }

    /// Whether a register or ghost names a cell that would become part of a tree's segment: which of its links goes on, and that
    /// there is something beside it, would be known no more.
    fn is_named(&self, id: NodeId) -> bool {
        let is_tree = self.definitions.get(self.layout.definition).closing.is_some();
        is_tree
            && matches!(self.heap.node(id), Node::Object(_))
            && (self.heap.registers.iter().any(|(_, value)| value.node() == Some(id))
                || self.heap.ghosts.iter().any(|value| value.node() == Some(id)))
    }

    /// Two cells that lead to each other are a ring of almost anything: more are looked for.
    fn may_be_coincidence(&self, run: &Chunk) -> bool {
        let is_circular = run.inputs.iter().flatten().any(|value| value.node() == Some(run.first));
        let n_cells: u32 = run
            .nodes
            .iter()
            .map(|id| match self.heap.node(*id) {
                Node::Object(_) => 1,
                Node::Instance(instance) => u32::from(instance.least.max(1)),
            })
            .sum();
        is_circular && n_cells < 3
    }

    /// Whether a run along links to parents has subtrees beside it: it is a branch of a tree, then, which may become one.
    fn is_branch(&self, run: &Chunk) -> bool {
        let Some(tree) = self.tree else { return false };
        let leads_out = |element: &Rc<Prototype>| {
            match element.nodes.first().map(|node| &**node) {
            Some(Node::Object(object)) => tree.places().take(2).any(|(link, bytes)| {
                matches!(object.load(link, bytes), Value::Pointer(pointer) if pointer.node.level() == self.space.level)
            }),
            Some(Node::Instance(_)) | None => false,
        }
        };
        run.elements.iter().any(leads_out)
    }

    /// The longest run that starts with a chunk.
    fn extended(&self, first: Chunk) -> (usize, Chunk) {
        let (space, layout) = (self.space, self.layout);
        let (mut run, mut item, mut n_items) = (first.clone(), first, 1);
        while let Some((longer, back)) =
            next_item(space, &run, &item, n_items == 1, layout, self.definitions, 0, self.merging)
            && !self.is_compared(back.first)
            && !self.is_named(back.first)
        {
            (run, item) = (longer, back);
            n_items += 1;
        }
        (n_items, run)
    }

    /// A segment with something in its hole.
    fn closed(&self) -> Option<Heap> {
        let definition = self.definitions.get(self.layout.definition);
        let closing = definition.closing.as_ref()?;
        let last = last_port(definition)?;
        for (id, node) in self.heap.nodes() {
            let Node::Instance(segment) = node else { continue };
            if segment.layout != *self.layout {
                continue;
            }
            let whole_layout = Rc::new(self.layout.of(closing.whole, self.definitions));
            let inputs = closing.whole_inputs.iter().map(|input| segment.inputs[*input]).collect();
            let to_last = self.count(id, last);
            let (part, least, elements, own) = match segment.inputs[closing.hole] {
                Value::Number(0) => (None, segment.least, segment.elements.clone(), 0),
                Value::Pointer(pointer) if pointer.node.level() == 0 && pointer.node != id => {
                    let Node::Instance(part) = self.heap.node(pointer.node) else { continue };
                    let part_layout = self.layout.of(closing.part, self.definitions);
                    let part_definition = self.definitions.get(closing.part);
                    let expected = port_pointer(self.space, pointer.node, PortId::FIRST, &part_layout, part_definition);
                    let ports_fit = closing.part_inputs.iter().zip(&part.inputs).all(|(port, value)| {
                        *value == Value::Pointer(port_pointer(self.space, id, *port, self.layout, definition))
                    });
                    if *part.layout != part_layout
                        || part.region != segment.region
                        || pointer != expected
                        || !ports_fit
                        || self.count(pointer.node, PortId::FIRST) != 1
                    {
                        continue;
                    }
                    let merged =
                        merge_elements(&segment.elements, &part.elements, self.space, self.definitions, self.merging);
                    let Some(elements) = merged else { continue };
                    let least = (segment.least + part.least).min(2);
                    (Some(pointer.node), least, elements, closing.part_inputs.len() as u32)
                }
                _ => continue,
            };
            if to_last != own {
                continue;
            }
            let mut known = Known::default();
            for (number, measure) in segment.measures.iter().enumerate() {
                known.set(MeasureOf::Own(number), Some(*measure));
            }
            let mut equations: Vec<Equation> = closing.equations.clone();
            match part.map(|part| self.heap.instance(part)) {
                Some(Some(part)) => {
                    for (number, measure) in part.measures.iter().enumerate() {
                        known.set(MeasureOf::Part(0, number), Some(*measure));
                    }
                }
                Some(None) | None => equations.extend(of_part(&self.definitions.get(closing.part).empty, 0)),
            }
            if known.solve(&equations).is_none() {
                continue;
            }
            let n_measures = self.definitions.get(closing.whole).measures.len();
            let measures: Option<Vec<_>> =
                (0..n_measures).map(|number| known.get(MeasureOf::Part(1, number))).collect();
            let Some(measures) = measures else { continue };
            let mut heap = self.heap.clone();
            let region = segment.region;
            let whole = Instance { layout: whole_layout, inputs, measures, least, region, elements };
            let new = heap.add(Node::Instance(whole));
            heap.remove(id);
            if let Some(part) = part {
                heap.remove(part);
            }
            replace_pointers(&mut heap, id, &mut |pointer| Value::Pointer(Pointer { node: new, ..pointer }));
            return Some(heap);
        }
        None
    }

    /// The heap with an instance in the place of a chunk.
    fn apply(&self, chunk: &Chunk) -> Heap {
        let definition = self.definitions.get(self.layout.definition);
        let mut heap = self.heap.clone();
        let chunk = &fit_measures(self.space, chunk.clone(), self.layout, self.definitions);
        let instance = chunk.instance(self.layout, &mut heap, self.definitions);
        let new = heap.add(Node::Instance(instance));
        for node in &chunk.nodes {
            heap.remove(*node);
        }
        let last = last_port(definition).unwrap_or(PortId::FIRST);
        if chunk.last != chunk.first {
            replace_pointers(&mut heap, chunk.last, &mut |pointer| {
                Value::Pointer(Pointer { node: new, port: last, ..pointer })
            });
        }
        replace_pointers(&mut heap, chunk.first, &mut |pointer| {
            Value::Pointer(Pointer { node: new, port: PortId::FIRST, ..pointer })
        });
        heap
    }
}
