//! A directed search among concrete lists for a way to an error: the same transformers on graphs in which every cell
//! is a node. What it finds is a path of the program that is real as far as lists go; `interp` has the last word.

use crate::apply::apply;
use crate::shape::{Folding, Graph, Reachability, Value};
use crate::store::{EMPTY, GraphId, GraphStore};
use heapwise_cells::Issue;
use heapwise_cells::live::{Liveness, Retention};
use heapwise_cells::program::{CellProgram, Point, StepId};
use heapwise_cells::search::{DirectedSearch, SearchLimits, StateId};
use heapwise_engine::Control;

/// Searches for a path whose last step shows the issue.
pub fn search(
    program: &CellProgram,
    liveness: &Liveness,
    target: StepId,
    issue: &Issue,
    limits: SearchLimits,
    control: &Control,
) -> Option<Vec<StepId>> {
    let states = DirectedSearch::new(program, target);
    let mut search = Search { program, liveness, store: GraphStore::default(), states };
    search.states.reach(program.entry(), EMPTY, 0, None);
    let mut expanded = 0;
    while let Some((state, point, id)) = search.states.next_state() {
        expanded += 1;
        if expanded > limits.states || (expanded % 1024 == 0 && control.check(0, search.store.bytes()).is_err()) {
            return None;
        }
        for step in &program.outgoing[point] {
            if search.expand(state, id, *step, (target, issue), limits) {
                return Some(search.states.path(state, *step));
            }
        }
    }
    None
}

struct Search<'a> {
    program: &'a CellProgram,
    liveness: &'a Liveness,
    store: GraphStore,
    states: DirectedSearch<GraphId>,
}

impl Search<'_> {
    /// Takes a step; true if it shows the issue.
    fn expand(
        &mut self,
        state: StateId,
        id: GraphId,
        step: StepId,
        (target, issue): (StepId, &Issue),
        limits: SearchLimits,
    ) -> bool {
        let program = self.program;
        let description = &program.steps[step];
        if step != target && !self.states.leads_to_target(description.to) {
            return false;
        }
        let applied = apply(&description.command, self.store.get(id).clone(), program);
        if step == target && applied.issues.contains(issue) {
            return true;
        }
        for mut graph in applied.graphs {
            self.unmap_dead(description.to, &mut graph);
            if graph.normalise(Folding::Exact) == Reachability::Lost {
                if step == target && *issue == Issue::Lost {
                    return true;
                }
                // A heap that has lost cells has had its error.
                continue;
            }
            let cells = graph.nodes.len();
            if cells <= limits.cells && self.states.leads_to_target(description.to) {
                let id = self.store.intern(graph);
                self.states.reach(description.to, id, cells, Some((state, step)));
            }
        }
        false
    }

    /// Dead variables go, but not while they hold a cell.
    fn unmap_dead(&self, point: Point, graph: &mut Graph) {
        graph.retain(|var, value| {
            let holds =
                matches!(value, Value::Cell(_)) && self.liveness.is_held(self.program, point, var, Retention::Holders);
            holds || self.liveness.is_live(point, var)
        });
    }
}
