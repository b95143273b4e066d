//! Exact feasibility (§5.1): can a composition be completed to a whole heap? EXACT COVER of the variables that are
//! mapped at the location, by elements that are there. Asked only where a finding is about to be reported, for the
//! question is NP-complete (Theorem 2).

use crate::run::{Composition, Fixpoint};
use crate::store::{GraphId, GraphStore, disjoint};
use heapwise_cells::atom::Var;
use heapwise_cells::program::Point;
use heapwise_engine::BudgetMeter;
use rustc_hash::FxHashMap;

/// Search nodes before the answer is "yes, for all we know".
const MAX_NODES: u32 = 100_000;

/// Whether elements at a location can be completed to a heap that maps each of `universe` exactly once.
pub fn is_feasible(
    fixpoint: &Fixpoint,
    point: Point,
    store: &GraphStore,
    universe: impl Iterator<Item = Var>,
    fixed: &Composition,
    meter: &BudgetMeter<'_>,
) -> bool {
    let fixed: Vec<GraphId> = fixed.iter().map(|fact| fixpoint.fact(*fact).graph).collect();
    let mut taken: Vec<Var> = fixed.iter().flat_map(|id| store.vars(*id).iter().copied()).collect();
    taken.sort_unstable();
    let missing: Vec<Var> = universe.filter(|var| taken.binary_search(var).is_err()).collect();
    let mut candidates: FxHashMap<Var, Vec<GraphId>> = missing.iter().map(|var| (*var, Vec::new())).collect();
    for id in fixpoint.elements(point) {
        let vars = store.vars(id);
        if disjoint(vars, &taken) {
            for var in vars {
                if let Some(list) = candidates.get_mut(var) {
                    list.push(id);
                }
            }
        }
    }
    let mut cover = Cover { store, candidates, nodes: 0, meter };
    cover.complete(&missing, &mut Vec::new())
}

struct Cover<'a> {
    store: &'a GraphStore,
    candidates: FxHashMap<Var, Vec<GraphId>>,
    nodes: u32,
    meter: &'a BudgetMeter<'a>,
}

impl Cover<'_> {
    /// Covers `missing` with elements disjoint from each other; the variable with the fewest candidates first.
    fn complete(&mut self, missing: &[Var], chosen: &mut Vec<GraphId>) -> bool {
        self.nodes += 1;
        if self.nodes > MAX_NODES || self.meter.is_over() {
            return true;
        }
        let store = self.store;
        let fits =
            |id: &GraphId, chosen: &[GraphId]| chosen.iter().all(|other| disjoint(store.vars(*other), store.vars(*id)));
        let narrowest = missing.iter().copied().min_by_key(|var| self.candidates[var].len());
        let Some(var) = narrowest else { return true };
        let options: Vec<GraphId> = self.candidates[&var].iter().copied().filter(|id| fits(id, chosen)).collect();
        for option in options {
            let rest: Vec<Var> = missing.iter().copied().filter(|var| !store.mentions(option, *var)).collect();
            chosen.push(option);
            if self.complete(&rest, chosen) {
                return true;
            }
            chosen.pop();
        }
        false
    }
}
