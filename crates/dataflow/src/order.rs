//! Orders of the nodes of a graph: in which to visit them so that few are visited again.

use crate::graph::Graph;
use cranelift_entity::EntityRef;
use smallvec::SmallVec;

/// All nodes: those that the graph's entries lead to in reverse post-order of a depth-first search, and before them, each with
/// what only it leads to, the others.
pub(crate) fn reverse_post_order_of_all<G: Graph>(graph: &G) -> Vec<u32> {
    let n_nodes = graph.n_nodes();
    let mut seen = vec![false; n_nodes];
    let mut order = Vec::with_capacity(n_nodes);
    let mut stack: Vec<(u32, u32)> = Vec::new();
    for root in graph.entries().map(EntityRef::index).chain(0..n_nodes) {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        stack.push((root as u32, 0));
        while let Some((node, next)) = stack.last_mut() {
            match graph.outgoing(G::Node::new(*node as usize)).get(*next as usize) {
                Some(edge) => {
                    *next += 1;
                    let to = graph.target(*edge).index();
                    if !std::mem::replace(&mut seen[to], true) {
                        stack.push((to as u32, 0));
                    }
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
    }
    order.reverse();
    order
}

/// The nodes that one leads to in reverse post-order of a depth-first search, given the successors of each node.
pub fn reverse_post_order_of(entry: u32, successors: &[impl AsRef<[u32]>]) -> Vec<u32> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::with_capacity(successors.len());
    let mut stack = vec![(entry, 0)];
    seen[entry as usize] = true;
    while let Some((node, next)) = stack.last_mut() {
        match successors[*node as usize].as_ref().get(*next) {
            Some(to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[*to as usize], true) {
                    stack.push((*to, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The strongly connected components of any graph, each after all that it reaches.
pub fn components_of(successors: &[impl AsRef<[u32]>]) -> Vec<Vec<u32>> {
    let nodes: Vec<u32> = (0..successors.len() as u32).collect();
    let components = ComponentFinder::new(successors).components(&nodes);
    components.into_iter().map(Component::into_vec).collect()
}

/// The nodes that one leads to in a weak topological order (Bourdoncle): what a loop reaches inside itself comes
/// before what follows the loop, and loop heads come first in their loops. A worklist served in this order stabilises
/// inner loops before it goes on.
pub fn loop_order_of(entry: u32, successors: &[impl AsRef<[u32]>]) -> Vec<u32> {
    let reachable = reverse_post_order_of(entry, successors);
    let mut position = vec![0; successors.len()];
    for (index, node) in reachable.iter().enumerate() {
        position[*node as usize] = index;
    }
    let mut finder = ComponentFinder::new(successors);
    let mut order = Vec::with_capacity(reachable.len());
    // Parts still to be ordered, the next one last.
    let mut pending = vec![Part::Nodes(reachable.into())];
    while let Some(part) = pending.pop() {
        let nodes = match part {
            Part::Done(node) => {
                order.push(node);
                continue;
            }
            Part::Nodes(nodes) => nodes,
        };
        // Components come bottom-up, and `pending` is served from its end: so the topmost is pushed last.
        for mut component in finder.components(&nodes) {
            let mut head = component[0];
            if component.len() > 1 {
                component.sort_unstable_by_key(|node| position[*node as usize]);
                head = component.remove(0);
                pending.push(Part::Nodes(component));
            }
            pending.push(Part::Done(head));
        }
    }
    order
}

/// Most components are single nodes.
type Component = SmallVec<[u32; 2]>;

enum Part {
    Done(u32),
    Nodes(Component),
}

/// Tarjan's algorithm on parts of a graph.
struct ComponentFinder<'a, S> {
    successors: &'a [S],
    /// The part that a node is in now.
    part: Vec<u32>,
    /// The number in the search, 0 for unseen.
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    next_part: u32,
}

impl<'a, S: AsRef<[u32]>> ComponentFinder<'a, S> {
    fn new(successors: &'a [S]) -> ComponentFinder<'a, S> {
        let n_nodes = successors.len();
        ComponentFinder {
            successors,
            part: vec![0; n_nodes],
            index: vec![0; n_nodes],
            low: vec![0; n_nodes],
            on_stack: vec![false; n_nodes],
            next_part: 1,
        }
    }

    /// The strongly connected components of the graph restricted to `nodes`, each after all that it reaches.
    fn components(&mut self, nodes: &[u32]) -> Vec<Component> {
        let part = self.next_part;
        self.next_part += 1;
        for node in nodes {
            self.part[*node as usize] = part;
            self.index[*node as usize] = 0;
        }
        let n_nodes = nodes.len();
        let (stack, components) = (Vec::with_capacity(n_nodes), Vec::with_capacity(n_nodes));
        let mut search = Search { part, counter: 0, stack, components };
        for root in nodes {
            if self.index[*root as usize] == 0 {
                self.search(*root, &mut search);
            }
        }
        search.components
    }

    fn search(&mut self, root: u32, search: &mut Search) {
        let mut calls = vec![(root, 0)];
        while let Some((node, next)) = calls.last_mut() {
            let at = *node as usize;
            if *next == 0 {
                search.counter += 1;
                (self.index[at], self.low[at], self.on_stack[at]) = (search.counter, search.counter, true);
                search.stack.push(*node);
            }
            match self.successors[at].as_ref().get(*next) {
                Some(to) => {
                    *next += 1;
                    let target = *to as usize;
                    if self.part[target] != search.part {
                        continue;
                    }
                    if self.index[target] == 0 {
                        calls.push((*to, 0));
                    } else if self.on_stack[target] {
                        self.low[at] = self.low[at].min(self.index[target]);
                    }
                }
                None => {
                    calls.pop();
                    if let Some((caller, _)) = calls.last() {
                        self.low[*caller as usize] = self.low[*caller as usize].min(self.low[at]);
                    }
                    if self.low[at] == self.index[at] {
                        self.pop_component(at as u32, search);
                    }
                }
            }
        }
    }

    fn pop_component(&mut self, root: u32, search: &mut Search) {
        let mut component = Component::new();
        while let Some(member) = search.stack.pop() {
            self.on_stack[member as usize] = false;
            component.push(member);
            if member == root {
                break;
            }
        }
        search.components.push(component);
    }
}

/// One run of [`ComponentFinder`].
struct Search {
    part: u32,
    counter: u32,
    stack: Vec<u32>,
    components: Vec<Component>,
}
