//! Composition and decomposition (§4.2 and §4.3), with groups of variables that stay together.

use crate::shape::{Folding, Graph, NodeId, Value};
use heapwise_cells::atom::Var;
use heapwise_ir::entity::EntityRef;
use smallvec::SmallVec;

/// Which variables' components are kept in one element. No group at all is the paper's decomposition; one group of
/// all variables is the full-heap abstraction; anything between is a correlation that a finding needed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Grouping {
    /// Full heaps.
    Whole,
    /// Connected components and single facts, but for the variables of each group.
    Components(Vec<Vec<Var>>),
}

/// The number of a group.
pub type GroupId = u32;

impl Grouping {
    /// The paper's decomposition.
    pub fn decomposed() -> Grouping {
        Grouping::Components(Vec::new())
    }

    /// The group of a variable.
    pub fn group(&self, var: Var) -> Option<GroupId> {
        match self {
            Grouping::Whole => Some(0),
            Grouping::Components(groups) => {
                groups.iter().position(|group| group.binary_search(&var).is_ok()).map(|group| group as u32)
            }
        }
    }
}

/// Splits a graph in normal form into its elements, each in normal form; none of them is empty. They are handed out one
/// by one: graphs are large, and mostly there is one.
pub fn decompose(graph: Graph, grouping: &Grouping, mut found: impl FnMut(Graph)) {
    if graph.is_empty() {
        return;
    }
    let is_cell = |value: Value| matches!(value, Value::Cell(_));
    let is_one = match graph.nodes.len() {
        0 => graph.vars().len() == 1,
        1 => graph.vars().iter().all(|(_, value)| is_cell(*value)),
        _ => false,
    };
    if is_one || *grouping == Grouping::Whole {
        found(graph);
        return;
    }
    // The items are the nodes, then the variables: those that point to no cell stand for themselves.
    let n_nodes = graph.nodes.len();
    let mut classes = Classes::new(n_nodes + graph.vars().len());
    let mut first_of_group: SmallVec<[(GroupId, usize); 4]> = SmallVec::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        if let Value::Cell(next) = node.next {
            classes.join(index, next.index());
        }
    }
    for (index, (var, value)) in graph.vars().iter().enumerate() {
        let item = n_nodes + index;
        if let Value::Cell(node) = value {
            classes.join(node.index(), item);
        }
        if let Some(group) = grouping.group(*var) {
            match first_of_group.iter().find(|(other, _)| *other == group) {
                Some((_, first)) => classes.join(*first, item),
                None => first_of_group.push((group, item)),
            }
        }
    }
    if classes.is_one() {
        found(graph);
        return;
    }
    let mut parts = Parts::default();
    let mut position_in_part: SmallVec<[NodeId; 8]> = SmallVec::new();
    for (item, node) in graph.nodes.iter().enumerate() {
        position_in_part.push(parts.of(classes.find(item)).add(*node));
    }
    let placed = |value: Value| match value {
        Value::Cell(node) => Value::Cell(position_in_part[node.index()]),
        Value::Atom(_) => value,
    };
    for (index, (var, value)) in graph.vars().iter().enumerate() {
        parts.of(classes.find(n_nodes + index)).set(*var, placed(*value));
    }
    for (_, mut part) in parts.0 {
        for node in &mut part.nodes {
            node.next = placed(node.next);
        }
        found(part);
    }
}

/// The composition of two graphs that have no variable in common, in normal form.
pub fn compose(left: Graph, right: &Graph) -> Graph {
    let mut whole = left;
    whole.beside(right);
    // Only orders the nodes: both parts are in normal form.
    let _ = whole.normalise(Folding::Exact);
    whole
}

/// The parts of a graph that is being split, by the class of their items.
#[derive(Default)]
struct Parts(SmallVec<[(usize, Graph); 4]>);

impl Parts {
    fn of(&mut self, class: usize) -> &mut Graph {
        let position = self.0.iter().position(|(other, _)| *other == class).unwrap_or(self.0.len());
        if position == self.0.len() {
            self.0.push((class, Graph::default()));
        }
        &mut self.0[position].1
    }
}

/// Union-find over the nodes and facts of one graph.
struct Classes(SmallVec<[usize; 16]>);

impl Classes {
    fn new(n: usize) -> Classes {
        Classes((0..n).collect())
    }

    fn find(&mut self, mut item: usize) -> usize {
        while self.0[item] != item {
            self.0[item] = self.0[self.0[item]];
            item = self.0[item];
        }
        item
    }

    fn is_one(&mut self) -> bool {
        (1..self.0.len()).all(|item| self.find(item) == 0)
    }

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.find(left), self.find(right));
        self.0[left.max(right)] = left.min(right);
    }
}
