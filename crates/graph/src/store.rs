//! Hash-consed graphs: equal (isomorphic) graphs have equal ids, so no two graphs are ever compared.

use crate::shape::Graph;
use heapwise_cells::atom::Var;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// A graph in normal form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GraphId(u32);
heapwise_ir::entity::entity_impl!(GraphId, "g");

/// The empty graph: says only that its location is reached.
pub const EMPTY: GraphId = GraphId(0);

/// All graphs of a run.
#[derive(Clone, Debug)]
pub struct GraphStore {
    graphs: IndexSet<Graph, FxBuildHasher>,
    vars: Vec<SmallVec<[Var; 4]>>,
    bytes: u64,
}

impl Default for GraphStore {
    fn default() -> GraphStore {
        let mut store = GraphStore { graphs: IndexSet::default(), vars: Vec::new(), bytes: 0 };
        store.intern(Graph::default());
        store
    }
}

impl GraphStore {
    /// The id of a graph in normal form.
    pub fn intern(&mut self, graph: Graph) -> GraphId {
        let (index, is_new) = self.graphs.insert_full(graph);
        if is_new {
            let graph = &self.graphs[index];
            let vars: SmallVec<[Var; 4]> = graph.vars().iter().map(|(var, _)| *var).collect();
            // The graph, its variables, and their places in the tables.
            self.bytes += graph.bytes() + 48 + if vars.spilled() { 4 * vars.len() as u64 } else { 0 };
            self.vars.push(vars);
        }
        GraphId(index as u32)
    }

    /// The graph behind an id.
    pub fn get(&self, id: GraphId) -> &Graph {
        &self.graphs[id.as_u32() as usize]
    }

    /// Whether a graph has a cell (and is not just a fact about null or a sibling).
    pub fn has_cell(&self, id: GraphId) -> bool {
        self.n_nodes(id) > 0
    }

    /// How many nodes a graph has.
    pub fn n_nodes(&self, id: GraphId) -> u32 {
        self.get(id).nodes.len() as u32
    }

    /// The variables that a graph maps, sorted.
    pub fn vars(&self, id: GraphId) -> &[Var] {
        &self.vars[id.as_u32() as usize]
    }

    /// Whether a graph maps a variable.
    pub fn mentions(&self, id: GraphId, var: Var) -> bool {
        self.vars(id).contains(&var)
    }

    /// Bytes held, roughly.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many graphs there are.
    pub fn len(&self) -> usize {
        self.graphs.len()
    }

    /// Never: the empty graph is always there.
    pub fn is_empty(&self) -> bool {
        false
    }
}

/// Whether two sorted lists of variables have none in common (weak feasibility, §5.2).
pub fn disjoint(left: &[Var], right: &[Var]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        match left[i].cmp(&right[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => return false,
        }
    }
    true
}
