//! The core finds what naive iteration finds, whatever the order; the same run gives the same facts; what ran out is
//! told; what is taken back or re-triggered ends where a new run ends.

#[path = "common/roll.rs"]
mod common;

use common::roll;
use heapwise_engine::{Budget, Cancel, Control, Exhausted};
use heapwise_fixpoint::{
    Among, Analysis, At, Flow, FlowBuilder, Placement, PointId, ProcedureId, Progress, Solver, StepId, Successors,
    TableView,
};
use heapwise_ir::entity::EntityRef;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Elements are small numbers; what steps do with them is read from a table that a random number stands for.
const N_ELEMENTS: u64 = 9;

#[derive(Clone, Debug)]
struct Rules {
    seed: u64,
    /// Grows during a run, per point, in the test of re-triggering.
    flags: BTreeSet<PointId>,
    reacts_to_flags: bool,
}

impl Rules {
    fn new(seed: u64) -> Rules {
        Rules { seed, flags: BTreeSet::new(), reacts_to_flags: false }
    }

    fn roll(&self, what: &[u64]) -> u64 {
        roll(self.seed, what)
    }

    /// What one element becomes on a step: nought to two elements.
    fn unary(&self, flow: &Flow, step: StepId, element: u64) -> Vec<u64> {
        let flagged = self.reacts_to_flags && self.flags.contains(&flow.step(step).from);
        let roll = self.roll(&[1, step.as_u32().into(), element, u64::from(flagged)]);
        (0..roll % 3).map(|index| (roll >> (8 * (index + 1))) % N_ELEMENTS).collect()
    }

    /// What two elements become together, whichever comes first; only those that share a tag meet.
    fn binary(&self, step: StepId, left: u64, right: u64) -> Vec<u64> {
        let (low, high) = (left.min(right), left.max(right));
        let roll = self.roll(&[2, step.as_u32().into(), low, high]);
        if tag(low) != tag(high) || low == high || !roll.is_multiple_of(4) {
            return Vec::new();
        }
        vec![(roll >> 8) % N_ELEMENTS]
    }
}

fn tag(element: u64) -> u32 {
    (element % 3) as u32
}

impl Analysis for Rules {
    type Element = u64;
    type Key = ();

    fn post(&mut self, at: &At<'_, u64>, out: &mut Successors<u64>) {
        let flow_step = at.step();
        let flagged = self.reacts_to_flags && self.flags.contains(&at.from());
        let roll = self.roll(&[1, flow_step.as_u32().into(), *at.element(), u64::from(flagged)]);
        for index in 0..roll % 3 {
            out.push((roll >> (8 * (index + 1))) % N_ELEMENTS);
        }
        // Some elements raise a flag at some point.
        if self.reacts_to_flags && self.roll(&[3, *at.element()]).is_multiple_of(3) && self.flags.insert(at.to()) {
            out.retrigger(at.to());
        }
    }

    fn combines(&self, _step: StepId) -> bool {
        true
    }

    fn combine(&mut self, among: &Among<'_, u64>, out: &mut Successors<u64>) {
        let new = *among.element();
        for (fact, other) in among.tagged(tag(new)) {
            for element in self.binary(among.step(), new, *other) {
                out.push_combined(element, [fact]);
            }
        }
    }

    fn tags(&self, _point: PointId, element: &u64, tags: &mut Vec<u32>) {
        tags.push(tag(*element));
    }
}

/// The sets at all points by iterating everything until nothing changes.
fn naive(flow: &Flow, rules: &Rules, start: &[u64]) -> BTreeMap<PointId, BTreeSet<u64>> {
    let mut sets: BTreeMap<PointId, BTreeSet<u64>> = BTreeMap::new();
    let procedure = ProcedureId::new(0);
    sets.entry(flow.entry(procedure)).or_default().extend(start);
    loop {
        let before = sets.clone();
        for step in flow.steps() {
            let here: Vec<u64> = sets.entry(flow.step(step).from).or_default().iter().copied().collect();
            let mut results = Vec::new();
            for left in &here {
                results.extend(rules.unary(flow, step, *left));
                for right in &here {
                    results.extend(rules.binary(step, *left, *right));
                }
            }
            sets.entry(flow.step(step).to).or_default().extend(results);
        }
        if before == sets {
            sets.retain(|_, set| !set.is_empty());
            return sets;
        }
    }
}

fn solved<A: Analysis<Element = u64>>(solver: &Solver<'_, A>) -> BTreeMap<PointId, BTreeSet<u64>> {
    let points = solver.flow().points();
    let sets = points.map(|point| (point, solver.elements_at(point).copied().collect::<BTreeSet<u64>>()));
    sets.filter(|(_, set)| !set.is_empty()).collect()
}

fn flows() -> impl Strategy<Value = Flow> {
    proptest::collection::vec((0usize..6, 0usize..6), 1..12).prop_map(|steps| {
        let mut builder = FlowBuilder::new();
        let procedure = builder.add_procedure();
        let mut points = vec![builder.entry(procedure), builder.exit(procedure)];
        points.extend((0..4).map(|_| builder.add_point(procedure)));
        for (from, to) in steps {
            builder.add_step(points[from], points[to]);
        }
        builder.finish()
    })
}

fn run<'f>(flow: &'f Flow, rules: Rules, start: &[u64]) -> Solver<'f, Rules> {
    let mut solver = Solver::new(flow, rules);
    for element in start {
        solver.start(ProcedureId::new(0), *element);
    }
    solver.run(&Control::unlimited()).expect("no budget was given");
    solver
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn elements_and_combinations_are_those_of_naive_iteration(flow in flows(), seed: u64) {
        let solver = run(&flow, Rules::new(seed), &[0, 3, 5]);
        prop_assert_eq!(solved(&solver), naive(&flow, &Rules::new(seed), &[0, 3, 5]));
    }

    #[test]
    fn the_same_run_gives_the_same_facts(flow in flows(), seed: u64) {
        let facts = |solver: &Solver<'_, Rules>| {
            let points = solver.flow().points();
            points.flat_map(|point| solver.facts_at(point).map(|fact| (fact, solver.trace(fact))).collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        let (first, second) = (run(&flow, Rules::new(seed), &[1, 2]), run(&flow, Rules::new(seed), &[1, 2]));
        prop_assert_eq!(facts(&first), facts(&second));
    }

    #[test]
    fn parents_derive_their_fact(flow in flows(), seed: u64) {
        let solver = run(&flow, Rules::new(seed), &[0, 3, 5]);
        let rules = Rules::new(seed);
        for point in flow.points() {
            for fact in solver.facts_at(point) {
                let element = *solver.element_of(fact);
                let parents: Vec<u64> = solver.parents(fact).iter().map(|parent| *solver.element_of(*parent)).collect();
                for parent in solver.parents(fact) {
                    prop_assert!(*parent < fact, "parents are older");
                }
                match (solver.found_by(fact), parents.as_slice()) {
                    (heapwise_fixpoint::TraceKind::Start, []) => prop_assert!([0, 3, 5].contains(&element)),
                    (heapwise_fixpoint::TraceKind::Step(step), [parent]) => {
                        prop_assert!(rules.unary(&flow, step, *parent).contains(&element));
                    }
                    (heapwise_fixpoint::TraceKind::Step(step), [left, right]) => {
                        prop_assert!(rules.binary(step, *left, *right).contains(&element));
                    }
                    other => prop_assert!(false, "{:?}", other),
                }
            }
        }
    }

    #[test]
    fn when_engine_state_grows_nothing_that_is_due_is_left_undone(flow in flows(), seed: u64) {
        let solver = run(&flow, Rules { reacts_to_flags: true, ..Rules::new(seed) }, &[0, 3, 5]);
        let found = solved(&solver);
        let rules = &solver.analysis;
        for step in flow.steps() {
            let ends = flow.step(step);
            let empty = BTreeSet::new();
            let (here, there) =
                (found.get(&ends.from).unwrap_or(&empty), found.get(&ends.to).unwrap_or(&empty));
            for left in here {
                prop_assert!(rules.unary(&flow, step, *left).iter().all(|element| there.contains(element)));
                for right in here {
                    prop_assert!(rules.binary(step, *left, *right).iter().all(|element| there.contains(element)));
                }
            }
        }
    }

    #[test]
    fn what_ran_out_is_told_and_the_run_goes_on(flow in flows(), seed: u64, limit in 1u64..12) {
        let whole = run(&flow, Rules::new(seed), &[0, 3, 5]);
        let mut solver = Solver::new(&flow, Rules::new(seed));
        for element in [0, 3, 5] {
            solver.start(ProcedureId::new(0), element);
        }
        let budget = Budget { elements: Some(limit), ..Budget::default() };
        let result = solver.run(&Control::start(budget, Cancel::default()));
        match result {
            Ok(()) => prop_assert!(whole.n_facts() as u64 <= limit || solved(&solver) == solved(&whole)),
            Err(exhausted) => {
                prop_assert_eq!(exhausted, Exhausted::Elements);
                prop_assert!(solver.n_facts() as u64 > limit);
            }
        }
        solver.run(&Control::unlimited()).expect("no budget was given");
        prop_assert_eq!(solved(&solver), solved(&whole));
    }

    #[test]
    fn taking_back_a_start_ends_where_a_run_without_it_ends(flow in flows(), seed: u64) {
        let mut solver = Solver::new(&flow, Rules::new(seed));
        let mut starts = Vec::new();
        for element in [0, 3, 5] {
            starts.push(solver.start(ProcedureId::new(0), element));
        }
        solver.run(&Control::unlimited()).expect("no budget was given");
        solver.invalidate(&starts[1..2]);
        solver.run(&Control::unlimited()).expect("no budget was given");
        prop_assert_eq!(solved(&solver), solved(&run(&flow, Rules::new(seed), &[0, 5])));
    }

    #[test]
    fn changing_the_rules_of_a_subtree_and_taking_it_back_is_a_new_run(flow in flows(), seed: u64, other: u64) {
        let mut solver = run(&flow, Rules::new(seed), &[0, 3, 5]);
        solver.analysis = Rules::new(other);
        let starts: Vec<_> = solver.facts_at(flow.entry(ProcedureId::new(0)))
            .filter(|fact| solver.parents(*fact).is_empty()).collect();
        solver.invalidate(&starts);
        for element in [0, 3, 5] {
            solver.start(ProcedureId::new(0), element);
        }
        solver.run(&Control::unlimited()).expect("no budget was given");
        prop_assert_eq!(solved(&solver), solved(&run(&flow, Rules::new(other), &[0, 3, 5])));
    }
}

/// Elements are (key, set); sets of one key are united. Steps act on each member of the set: a monotone transformer.
struct Keyed {
    rules: Rules,
}

type KeyedElement = (u64, u64);

fn keyed_post(rules: &Rules, step: StepId, (key, set): KeyedElement) -> Vec<KeyedElement> {
    let mut results: BTreeMap<u64, u64> = BTreeMap::new();
    for member in (0..8).filter(|member| set >> member & 1 == 1) {
        let roll = rules.roll(&[step.as_u32().into(), key, member]);
        *results.entry(roll % 3).or_default() |= 1 << ((roll >> 8) % 8);
    }
    results.into_iter().collect()
}

impl Analysis for Keyed {
    type Element = KeyedElement;
    type Key = u64;

    fn post(&mut self, at: &At<'_, KeyedElement>, out: &mut Successors<KeyedElement>) {
        keyed_post(&self.rules, at.step(), *at.element()).into_iter().for_each(|element| out.push(element));
    }

    fn key(&self, _point: PointId, element: &KeyedElement) -> Option<u64> {
        Some(element.0)
    }

    fn join(&mut self, _point: PointId, old: &KeyedElement, new: &KeyedElement) -> Option<KeyedElement> {
        (old.1 | new.1 != old.1).then_some((old.0, old.1 | new.1))
    }
}

/// Sets that contain each other: only the largest are kept.
struct Subsets {
    rules: Rules,
}

impl Analysis for Subsets {
    type Element = KeyedElement;
    type Key = ();

    fn post(&mut self, at: &At<'_, KeyedElement>, out: &mut Successors<KeyedElement>) {
        keyed_post(&self.rules, at.step(), *at.element()).into_iter().for_each(|element| out.push(element));
    }

    fn place(&mut self, new: &KeyedElement, table: &TableView<'_, KeyedElement>) -> Placement {
        let within = |small: u64, large: u64| small & !large == 0;
        let mut superseded = Vec::new();
        for (fact, old) in table.elements() {
            if old.0 == new.0 && within(new.1, old.1) {
                return Placement::CoveredBy(fact);
            }
            if old.0 == new.0 && within(old.1, new.1) {
                superseded.push(fact);
            }
        }
        if superseded.is_empty() { Placement::Add } else { Placement::Supersede(superseded) }
    }
}

fn keyed_naive(flow: &Flow, rules: &Rules, start: &[KeyedElement]) -> BTreeMap<(PointId, u64), u64> {
    let mut sets: BTreeMap<(PointId, u64), u64> = BTreeMap::new();
    for (key, set) in start {
        *sets.entry((flow.entry(ProcedureId::new(0)), *key)).or_default() |= set;
    }
    loop {
        let before = sets.clone();
        for step in flow.steps() {
            let ends = flow.step(step);
            for ((point, key), set) in &before {
                if *point == ends.from {
                    for (key, set) in keyed_post(rules, step, (*key, *set)) {
                        *sets.entry((ends.to, key)).or_default() |= set;
                    }
                }
            }
        }
        if sets == before {
            return sets;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn joins_reach_the_least_fixpoint(flow in flows(), seed: u64) {
        let start = [(0, 0b1), (1, 0b110), (0, 0b1000)];
        let mut solver = Solver::new(&flow, Keyed { rules: Rules::new(seed) });
        start.iter().for_each(|element| { solver.start(ProcedureId::new(0), *element); });
        solver.run(&Control::unlimited()).expect("no budget was given");
        let mut found = BTreeMap::new();
        for point in flow.points() {
            for (key, set) in solver.elements_at(point) {
                prop_assert!(found.insert((point, *key), *set).is_none(), "two elements with one key");
            }
        }
        prop_assert_eq!(found, keyed_naive(&flow, &Rules::new(seed), &start));
    }

    #[test]
    fn joined_facts_can_be_taken_back(flow in flows(), seed: u64) {
        let mut solver = Solver::new(&flow, Keyed { rules: Rules::new(seed) });
        solver.start(ProcedureId::new(0), (0, 0b1));
        let other = solver.start(ProcedureId::new(0), (1, 0b110));
        solver.run(&Control::unlimited()).expect("no budget was given");
        solver.invalidate(&[other]);
        // What other elements joined into may have gone with it.
        solver.start(ProcedureId::new(0), (0, 0b1));
        solver.run(&Control::unlimited()).expect("no budget was given");
        let mut found = BTreeMap::new();
        for point in flow.points() {
            for (key, set) in solver.elements_at(point) {
                prop_assert!(found.insert((point, *key), *set).is_none(), "two elements with one key");
            }
        }
        prop_assert_eq!(found, keyed_naive(&flow, &Rules::new(seed), &[(0, 0b1)]));
    }

    #[test]
    fn covered_elements_are_within_others(flow in flows(), seed: u64) {
        let start = [(0, 0b1), (1, 0b110), (0, 0b1001)];
        let mut solver = Solver::new(&flow, Subsets { rules: Rules::new(seed) });
        start.iter().for_each(|element| { solver.start(ProcedureId::new(0), *element); });
        solver.run(&Control::unlimited()).expect("no budget was given");
        for point in flow.points() {
            let elements: Vec<KeyedElement> = solver.elements_at(point).copied().collect();
            for step in flow.outgoing(point) {
                let there: Vec<KeyedElement> = solver.elements_at(flow.step(*step).to).copied().collect();
                for element in &elements {
                    for (key, set) in keyed_post(&Rules::new(seed), *step, *element) {
                        prop_assert!(there.iter().any(|(other, larger)| *other == key && set & !larger == 0));
                    }
                }
            }
            for (index, (key, set)) in elements.iter().enumerate() {
                let elsewhere = |(other, (other_key, larger)): (usize, &KeyedElement)| {
                    other != index && other_key == key && set & !larger == 0
                };
                prop_assert!(!elements.iter().enumerate().any(elsewhere), "one element within another");
            }
        }
    }
}

/// Counts for ever, and how often it is told of its progress.
struct Endless {
    told: u64,
    bytes: usize,
}

impl Analysis for Endless {
    type Element = u64;
    type Key = ();

    fn post(&mut self, at: &At<'_, u64>, out: &mut Successors<u64>) {
        out.push(at.element() + 1);
    }

    fn bytes(&self, _element: &u64) -> usize {
        self.bytes
    }

    fn progress(&mut self, progress: &Progress) {
        self.told += 1;
        assert!(progress.facts > 0 && progress.waiting > 0);
    }
}

#[test]
fn an_endless_run_ends_with_what_ran_out() {
    let mut builder = FlowBuilder::new();
    let procedure = builder.add_procedure();
    let entry = builder.entry(procedure);
    builder.add_step(entry, entry);
    let flow = builder.finish();
    let cancelled = Cancel::default();
    cancelled.cancel();
    let time = Budget { time: Some(std::time::Duration::from_millis(20)), ..Budget::default() };
    let memory = Budget { memory: Some(1 << 20), ..Budget::default() };
    let elements = Budget { elements: Some(1000), ..Budget::default() };
    for (control, expected) in [
        (Control::start(time, Cancel::default()), Exhausted::Time),
        (Control::start(memory, Cancel::default()), Exhausted::Memory),
        (Control::start(elements, Cancel::default()), Exhausted::Elements),
        (Control::start(Budget::default(), cancelled), Exhausted::Cancelled),
    ] {
        let mut solver = Solver::new(&flow, Endless { told: 0, bytes: 4096 });
        solver.start(procedure, 0);
        assert_eq!(solver.run(&control), Err(expected));
        assert_eq!(solver.analysis.told > 0, expected != Exhausted::Cancelled);
        if expected == Exhausted::Memory {
            assert!(solver.n_facts() < 1000, "the engine's own bytes count");
        }
        if expected == Exhausted::Elements {
            assert_eq!(solver.n_facts(), 1001);
        }
    }
}
