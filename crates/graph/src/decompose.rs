//! Composition and decomposition (§4.2 and §4.3), with groups of variables that stay together.

use crate::shape::{Folding, Graph, Value};
use heapwise_cells::atom::Var;
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
    if graph.nodes.is_empty() && graph.facts.is_empty() {
        return;
    }
    if *grouping == Grouping::Whole || graph.nodes.len() + graph.facts.len() == 1 {
        found(graph);
        return;
    }
    let n_nodes = graph.nodes.len();
    let mut classes = Classes::new(n_nodes + graph.facts.len());
    let mut first_of_group: SmallVec<[(GroupId, usize); 4]> = SmallVec::new();
    let mut join_group = |classes: &mut Classes, var: Var, item: usize| {
        if let Some(group) = grouping.group(var) {
            match first_of_group.iter().find(|(other, _)| *other == group) {
                Some((_, first)) => classes.join(*first, item),
                None => first_of_group.push((group, item)),
            }
        }
    };
    for (index, node) in graph.nodes.iter().enumerate() {
        if let Value::Node(next) = node.next {
            classes.join(index, next);
        }
        for var in &node.vars {
            join_group(&mut classes, *var, index);
        }
    }
    for (index, (var, _)) in graph.facts.iter().enumerate() {
        join_group(&mut classes, *var, n_nodes + index);
    }
    let n_items = n_nodes + graph.facts.len();
    if (1..n_items).all(|item| classes.find(item) == 0) {
        found(graph);
        return;
    }
    let mut parts: SmallVec<[Graph; 4]> = SmallVec::new();
    let mut part_of_class: SmallVec<[(usize, usize); 8]> = SmallVec::new();
    let mut part_of = |classes: &mut Classes, parts: &mut SmallVec<[Graph; 4]>, item: usize| {
        let class = classes.find(item);
        match part_of_class.iter().find(|(other, _)| *other == class) {
            Some((_, part)) => *part,
            None => {
                parts.push(Graph::default());
                part_of_class.push((class, parts.len() - 1));
                parts.len() - 1
            }
        }
    };
    let mut position_in_part: SmallVec<[usize; 8]> = SmallVec::new();
    for (item, node) in graph.nodes.into_iter().enumerate() {
        let part = part_of(&mut classes, &mut parts, item);
        position_in_part.push(parts[part].nodes.len());
        parts[part].nodes.push(node);
    }
    for (item, fact) in graph.facts.into_iter().enumerate() {
        let part = part_of(&mut classes, &mut parts, n_nodes + item);
        parts[part].facts.push(fact);
    }
    for mut part in parts.drain(..) {
        for node in &mut part.nodes {
            if let Value::Node(next) = node.next {
                node.next = Value::Node(position_in_part[next]);
            }
        }
        found(part);
    }
}

/// The composition of two graphs that have no variable in common, in normal form.
pub fn compose(left: Graph, right: Graph) -> Graph {
    let mut whole = left;
    let shift = whole.nodes.len();
    whole.nodes.extend(right.nodes.into_iter().map(|mut node| {
        if let Value::Node(next) = node.next {
            node.next = Value::Node(next + shift);
        }
        node
    }));
    whole.facts.extend_from_slice(&right.facts);
    whole.facts.sort_unstable();
    // Only orders the nodes: both parts are in normal form.
    let _ = whole.normalise(Folding::Exact);
    whole
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

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.find(left), self.find(right));
        self.0[left.max(right)] = left.min(right);
    }
}
