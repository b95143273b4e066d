//! The laws of the lattices, and the solver against the textbook's way on random graphs.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Edges, Node, round_robin};
use cranelift_entity::EntityRef;
use heapwise_dataflow::{
    Analysis, Direction, Flow, JoinSemiLattice, MaySet, MustSet, SparseBits, iterate_to_fixpoint, unlimited,
};
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};
use std::collections::BTreeSet;
use std::marker::PhantomData;

/// Ids far apart, so that words are missing in between.
fn ids() -> impl Strategy<Value = BTreeSet<usize>> + Clone {
    proptest::collection::btree_set((0usize..6, 0usize..4).prop_map(|(word, bit)| word * 64 + bit * 21), 0..8)
}

fn check_join<D: JoinSemiLattice + std::fmt::Debug>(make: impl Fn(&BTreeSet<usize>) -> D, sets: [&BTreeSet<usize>; 3]) {
    let [a, b, c] = sets.map(make);
    let join = |left: &D, right: &D| {
        let mut joined = left.clone();
        let changed = joined.join(right);
        assert_eq!(changed, joined != *left, "whether it changed");
        joined
    };
    assert_eq!(join(&a, &a), a);
    assert_eq!(join(&a, &b), join(&b, &a));
    assert_eq!(join(&join(&a, &b), &c), join(&a, &join(&b, &c)));
    let mut copied = c;
    copied.clone_from(&a);
    assert_eq!(copied, a);
}

/// What an edge does: nothing gets past it, or it takes away and adds.
#[derive(Clone, Debug)]
struct Effect {
    ends: bool,
    kill: BTreeSet<usize>,
    gen_: BTreeSet<usize>,
}

#[derive(Clone, Debug)]
struct Case {
    graph: Edges,
    effects: Vec<Effect>,
    boundary: Vec<Option<BTreeSet<usize>>>,
}

fn cases() -> impl Strategy<Value = Case> {
    let effect = (any::<u8>(), ids(), ids()).prop_map(|(ends, kill, gen_)| Effect { ends: ends < 20, kill, gen_ });
    let boundary = (any::<u8>(), ids()).prop_map(|(is_there, ids)| (is_there < 90).then_some(ids));
    (1usize..10).prop_flat_map(move |n_nodes| {
        let edges = proptest::collection::vec((0..n_nodes, 0..n_nodes), 0..24);
        let graph = edges.prop_map(move |edges| Edges::new(n_nodes, &edges));
        let effects = proptest::collection::vec(effect.clone(), 24);
        let boundary = proptest::collection::vec(boundary.clone(), n_nodes);
        (graph, effects, boundary).prop_map(|(graph, effects, boundary)| Case { graph, effects, boundary })
    })
}

/// A set of any kind.
trait Set: JoinSemiLattice + FromIterator<usize> {
    fn take(&mut self, id: usize);
    fn put(&mut self, id: usize);
}

impl Set for MaySet<usize> {
    fn take(&mut self, id: usize) {
        self.retain(|other| *other != id);
    }
    fn put(&mut self, id: usize) {
        self.insert(id);
    }
}

impl Set for MustSet<usize> {
    fn take(&mut self, id: usize) {
        self.retain(|other| *other != id);
    }
    fn put(&mut self, id: usize) {
        self.insert(id);
    }
}

struct Random<'c, D, const BACKWARD: bool> {
    case: &'c Case,
    domain: PhantomData<D>,
}

impl<D: Set, const BACKWARD: bool> Analysis<Edges> for Random<'_, D, BACKWARD> {
    type Domain = D;
    const DIRECTION: Direction = if BACKWARD { Direction::Backward } else { Direction::Forward };

    fn boundary(&self, _: &Edges, node: Node) -> Option<D> {
        self.case.boundary[node.index()].as_ref().map(|ids| ids.iter().copied().collect())
    }

    fn apply(&self, _: &Edges, edge: usize, state: &mut D) -> Flow {
        let Effect { ends, kill, gen_ } = &self.case.effects[edge];
        kill.iter().for_each(|id| state.take(*id));
        gen_.iter().for_each(|id| state.put(*id));
        if *ends { Flow::Ends } else { Flow::Continues }
    }
}

fn agrees<D: Set + std::fmt::Debug, const BACKWARD: bool>(case: &Case) {
    let random = || Random::<D, BACKWARD> { case, domain: PhantomData };
    let Ok(results) = iterate_to_fixpoint(&case.graph, random(), unlimited);
    assert_eq!(results.into_states(), round_robin(&case.graph, &random()));
}

proptest! {
    #[test]
    fn joins_are_least_upper_bounds(a in ids(), b in ids(), c in ids()) {
        let number = |index: &usize| Node::new(*index);
        check_join(|ids| ids.iter().map(number).collect::<SparseBits<Node>>(), [&a, &b, &c]);
        check_join(|ids| ids.iter().copied().collect::<MaySet<usize>>(), [&a, &b, &c]);
        check_join(|ids| ids.iter().copied().collect::<MustSet<usize>>(), [&a, &b, &c]);
    }

    #[test]
    fn sparse_bits_are_sets(a in ids(), b in ids(), without in 0usize..400) {
        let set: SparseBits<Node> = a.iter().map(|id| Node::new(*id)).collect();
        let other: SparseBits<Node> = b.iter().map(|id| Node::new(*id)).collect();
        prop_assert!(set.iter().map(EntityRef::index).eq(a.iter().copied()));
        prop_assert!(set.union(&other).map(EntityRef::index).eq(a.union(&b).copied()));
        for id in 0..400 {
            prop_assert_eq!(set.contains(Node::new(id)), a.contains(&id));
        }
        let mut large = set.clone();
        large.retain(|id| id.index() >= without);
        prop_assert!(large.iter().map(EntityRef::index).eq(a.range(without..).copied()));
        prop_assert_eq!(large, a.range(without..).map(|id| Node::new(*id)).collect());
        let mut less = set.clone();
        less.remove(Node::new(without));
        let expected: SparseBits<Node> = a.iter().filter(|id| **id != without).map(|id| Node::new(*id)).collect();
        prop_assert_eq!(less, expected);
    }

    #[test]
    fn edges_of_the_random_analysis_are_monotone(case in cases(), small in ids(), more in ids()) {
        let random = Random::<MaySet<usize>, false> { case: &case, domain: PhantomData };
        let mut large: MaySet<usize> = small.union(&more).copied().collect();
        let mut small: MaySet<usize> = small.into_iter().collect();
        for edge in 0..case.graph.edges.len() {
            prop_assert_eq!(random.apply(&case.graph, edge, &mut small), random.apply(&case.graph, edge, &mut large));
            prop_assert!(!large.clone().join(&small));
        }
    }

    #[test]
    fn the_solver_agrees_with_round_robin(case in cases()) {
        agrees::<MaySet<usize>, false>(&case);
        agrees::<MaySet<usize>, true>(&case);
        agrees::<MustSet<usize>, false>(&case);
        agrees::<MustSet<usize>, true>(&case);
    }
}
