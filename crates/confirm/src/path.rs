//! Paths of `ir` edges, as a run can be led along them.

use heapwise_ir::{EdgeId, FunctionId, Instruction, Program};

/// The edges of an abstract path, in order. Calls are left out: a run notes them when they return.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EdgePath {
    edges: Vec<(FunctionId, EdgeId)>,
}

impl EdgePath {
    /// The path along these edges. Several steps of an abstraction may be one edge.
    pub fn new(program: &Program, edges: impl IntoIterator<Item = (FunctionId, EdgeId)>) -> EdgePath {
        let mut path: Vec<(FunctionId, EdgeId)> = Vec::new();
        for (function, edge) in edges {
            if !is_call(program, function, edge) && path.last() != Some(&(function, edge)) {
                path.push((function, edge));
            }
        }
        EdgePath { edges: path }
    }

    /// The edges.
    pub fn edges(&self) -> &[(FunctionId, EdgeId)] {
        &self.edges
    }
}

fn is_call(program: &Program, function: FunctionId, edge: EdgeId) -> bool {
    let automaton = program.functions[function].automaton();
    automaton.is_some_and(|automaton| matches!(automaton.edges[edge].instruction, Instruction::Call { .. }))
}
