//! Calls: tabulation finds the path edges that naive iteration finds, by whatever way they are entered.

#[path = "common/roll.rs"]
mod common;

use common::roll;
use heapwise_engine::Control;
use heapwise_fixpoint::{
    Analysis, At, Flow, FlowBuilder, Leaving, Origin, PointId, ProcedureId, Solver, StepId, Successors, TraceKind,
};
use heapwise_ir::entity::EntityRef;
use proptest::prelude::*;
use std::collections::BTreeSet;

const N_ELEMENTS: u64 = 9;

/// Procedures that call each other. Elements are small numbers; a step is a call if the table says so.
struct Calling {
    seed: u64,
    n_procedures: usize,
}

enum StepDoes {
    Moves(Vec<u64>),
    MakesFresh(u64),
    Calls(usize, u64),
}

fn step_does(seed: u64, n_procedures: usize, step: StepId, element: u64) -> StepDoes {
    let kind = roll(seed, &[10, step.as_u32().into()]);
    let roll = roll(seed, &[11, step.as_u32().into(), element]);
    match kind % 5 {
        0 | 1 => StepDoes::Calls(((kind >> 8) as usize) % n_procedures, (roll >> 8) % N_ELEMENTS),
        2 if roll.is_multiple_of(4) => StepDoes::MakesFresh((roll >> 8) % N_ELEMENTS),
        _ => StepDoes::Moves((0..roll % 3).map(|index| (roll >> (8 * (index + 1))) % N_ELEMENTS).collect()),
    }
}

fn returns(seed: u64, step: StepId, caller: Option<u64>, exit: u64) -> Option<u64> {
    let roll = roll(seed, &[12, step.as_u32().into(), caller.map_or(99, |caller| caller), exit]);
    (!roll.is_multiple_of(4)).then_some((roll >> 8) % N_ELEMENTS)
}

impl Analysis for Calling {
    type Element = u64;
    type Key = ();

    fn post(&mut self, at: &At<'_, u64>, out: &mut Successors<u64>) {
        match step_does(self.seed, self.n_procedures, at.step(), *at.element()) {
            StepDoes::Moves(elements) => elements.into_iter().for_each(|element| out.push(element)),
            StepDoes::MakesFresh(element) => out.push_fresh(element),
            StepDoes::Calls(procedure, element) => out.enter(ProcedureId::new(procedure), element),
        }
    }

    fn leave(&mut self, leaving: &Leaving<'_, u64>, out: &mut Successors<u64>) {
        if let Some(element) = returns(self.seed, leaving.step(), leaving.caller().copied(), *leaving.exit()) {
            out.push(element);
        }
    }
}

fn calling_flows() -> impl Strategy<Value = Flow> {
    let procedure = proptest::collection::vec((0usize..4, 0usize..4), 2..7);
    proptest::collection::vec(procedure, 1..4).prop_map(|procedures| {
        let mut builder = FlowBuilder::new();
        for steps in procedures {
            let procedure = builder.add_procedure();
            let mut points = vec![builder.entry(procedure), builder.exit(procedure)];
            points.extend((0..2).map(|_| builder.add_point(procedure)));
            for (from, to) in steps {
                builder.add_step(points[from], points[to]);
            }
        }
        builder.finish()
    })
}

/// Path edges (entry, point, element), by iterating everything until nothing changes. `None`: did not exist at the entry;
/// `Some(99)`: the start.
type Paths = BTreeSet<(ProcedureId, Option<u64>, PointId, u64)>;

fn naive_paths(flow: &Flow, seed: u64) -> Paths {
    let mut paths: Paths = BTreeSet::new();
    paths.insert((ProcedureId::new(0), Some(99), flow.entry(ProcedureId::new(0)), 1));
    loop {
        let before = paths.clone();
        for (procedure, entry, point, element) in &before {
            for step in flow.outgoing(*point) {
                let to = flow.step(*step).to;
                match step_does(seed, flow.n_procedures(), *step, *element) {
                    StepDoes::Moves(elements) => {
                        paths.extend(elements.into_iter().map(|element| (*procedure, *entry, to, element)));
                    }
                    StepDoes::MakesFresh(element) => {
                        paths.insert((*procedure, None, to, element));
                    }
                    StepDoes::Calls(callee, entered) => {
                        let callee = ProcedureId::new(callee);
                        paths.insert((callee, Some(entered), flow.entry(callee), entered));
                        for (exiting, exit_entry, exit, result) in &before {
                            if *exiting != callee || *exit != flow.exit(callee) {
                                continue;
                            }
                            if *exit_entry == Some(entered) {
                                let returned = returns(seed, *step, Some(*element), *result);
                                paths.extend(returned.map(|returned| (*procedure, *entry, to, returned)));
                            } else if exit_entry.is_none() {
                                let returned = returns(seed, *step, None, *result);
                                paths.extend(returned.map(|returned| (*procedure, None, to, returned)));
                            }
                        }
                    }
                }
            }
        }
        if paths == before {
            return paths;
        }
    }
}

fn solved_paths(flow: &Flow, solver: &Solver<'_, Calling>) -> Paths {
    let mut paths = BTreeSet::new();
    for point in flow.points() {
        for fact in solver.facts_at(point) {
            let entry = match solver.origin(solver.entry_of(fact)) {
                Origin::Start => Some(99),
                Origin::Fresh => None,
                Origin::Element(element) => Some(*solver.element(element)),
                Origin::Named(_) | Origin::Key(_) => unreachable!("all entries are by element"),
            };
            paths.insert((flow.procedure_of(point), entry, point, *solver.element_of(fact)));
        }
    }
    paths
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn tabulation_finds_the_path_edges_of_naive_iteration(flow in calling_flows(), seed: u64) {
        let mut solver = Solver::new(&flow, Calling { seed, n_procedures: flow.n_procedures() });
        solver.start(ProcedureId::new(0), 1);
        solver.run(&Control::unlimited()).expect("no budget was given");
        prop_assert_eq!(solved_paths(&flow, &solver), naive_paths(&flow, seed));
        for point in flow.points() {
            for fact in solver.facts_at(point) {
                let trace = solver.trace(fact);
                prop_assert_eq!(trace.last().map(|step| step.fact), Some(fact));
                prop_assert_eq!(trace[0].kind, TraceKind::Start);
            }
        }
    }

    #[test]
    fn taking_back_any_fact_and_running_again_restores_what_has_another_derivation(
        flow in calling_flows(), seed: u64, which in 0usize..30,
    ) {
        let mut solver = Solver::new(&flow, Calling { seed, n_procedures: flow.n_procedures() });
        solver.start(ProcedureId::new(0), 1);
        solver.run(&Control::unlimited()).expect("no budget was given");
        let facts: Vec<_> = flow.points().flat_map(|point| solver.facts_at(point).collect::<Vec<_>>()).collect();
        let fact = facts[which % facts.len()];
        solver.invalidate(&[fact]);
        solver.start(ProcedureId::new(0), 1);
        solver.run(&Control::unlimited()).expect("no budget was given");
        // Nothing forbids to find it again: so everything is as before.
        prop_assert_eq!(solved_paths(&flow, &solver), naive_paths(&flow, seed));
    }
}

/// `leaf` is called from two places of `main`; elements are (place, number).
struct ByName {
    by_name: bool,
    calls: Vec<StepId>,
}

impl Analysis for ByName {
    type Element = u64;
    type Key = ();

    fn post(&mut self, at: &At<'_, u64>, out: &mut Successors<u64>) {
        match self.calls.iter().position(|call| *call == at.step()) {
            Some(site) if self.by_name => out.enter_named(ProcedureId::new(0), site as u32, *at.element()),
            Some(_) => out.enter(ProcedureId::new(0), *at.element()),
            None => out.push(at.element() + 100),
        }
    }

    fn leave(&mut self, leaving: &Leaving<'_, u64>, out: &mut Successors<u64>) {
        assert_eq!(leaving.caller().is_some(), !self.by_name);
        out.push(leaving.exit() + 1000);
    }
}

/// What is at the exit of `main`, and how many facts are at the exit of `leaf`, if two elements start.
fn by_name(by_name: bool) -> (BTreeSet<u64>, usize) {
    let mut builder = FlowBuilder::new();
    let leaf = builder.add_procedure();
    builder.add_step(builder.entry(leaf), builder.exit(leaf));
    let main = builder.add_procedure();
    let middle = builder.add_point(main);
    let calls = vec![builder.add_step(builder.entry(main), middle), builder.add_step(middle, builder.exit(main))];
    let flow = builder.finish();
    let mut solver = Solver::new(&flow, ByName { by_name, calls });
    solver.start(main, 1);
    solver.start(main, 2);
    solver.run(&Control::unlimited()).expect("no budget was given");
    (solver.elements_at(flow.exit(main)).copied().collect(), solver.facts_at(flow.exit(leaf)).count())
}

#[test]
fn entries_by_name_keep_call_strings_apart() {
    // Two elements through two calls: each call adds 1100, and no element of one call leaves by the other.
    assert_eq!(by_name(true), (BTreeSet::from([2201, 2202]), 4));
    assert_eq!(by_name(false), (BTreeSet::from([2201, 2202]), 4));
}

/// Follows one thing that `leaf` makes; nothing else is propagated.
struct OneAllocation;

impl Analysis for OneAllocation {
    type Element = u64;
    type Key = ();

    fn post(&mut self, at: &At<'_, u64>, out: &mut Successors<u64>) {
        out.push(at.element() + 1);
    }

    fn leave(&mut self, leaving: &Leaving<'_, u64>, out: &mut Successors<u64>) {
        assert_eq!((leaving.origin(), leaving.caller()), (Origin::Fresh, None));
        out.push(leaving.exit() + 10);
    }
}

#[test]
fn what_a_callee_makes_reaches_all_calls_that_are_there() {
    let mut builder = FlowBuilder::new();
    let leaf = builder.add_procedure();
    builder.add_step(builder.entry(leaf), builder.exit(leaf));
    let main = builder.add_procedure();
    let calls = [builder.add_step(builder.entry(main), builder.exit(main))];
    let flow = builder.finish();
    let mut solver = Solver::new(&flow, OneAllocation);
    for call in calls {
        solver.add_call(call, leaf);
    }
    solver.seed(flow.entry(leaf), Origin::Fresh, 0);
    solver.run(&Control::unlimited()).expect("no budget was given");
    let facts: Vec<_> = solver.facts_at(flow.exit(main)).collect();
    assert_eq!(facts.iter().map(|fact| *solver.element_of(*fact)).collect::<Vec<_>>(), [11]);
    let kinds: Vec<TraceKind> = solver.trace(facts[0]).iter().map(|step| step.kind).collect();
    assert_eq!(kinds, [TraceKind::Start, TraceKind::Step(StepId::new(0)), TraceKind::Leave(calls[0])]);
    // Taken back, it comes back by way of the exit.
    solver.invalidate(&facts);
    assert_eq!(solver.facts_at(flow.exit(main)).count(), 0);
    solver.run(&Control::unlimited()).expect("no budget was given");
    assert_eq!(solver.elements_at(flow.exit(main)).copied().collect::<Vec<_>>(), [11]);
}
