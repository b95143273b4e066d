//! Runs in slices: what was cut never looks complete, what is complete was not cut, and in the end all is found.

#[path = "common/roll.rs"]
mod common;
#[path = "common/keyed.rs"]
mod keyed;

use common::roll;
use heapwise_engine::{Budget, Cancel, Control, Exhausted};
use heapwise_fixpoint::{Analysis, At, Completeness, Ended, FactId, Flow, FlowBuilder, Solver, Successors};
use keyed::{Calls, Rules, Seed, Sets, announce_calls, naive, on_random_flow, on_random_flows, plant, solved};

fn elements(number: u64) -> Budget {
    Budget { elements: Some(number), ..Budget::default() }
}

/// Whether everything of the first is in the second.
fn is_within(small: &Sets, large: &Sets) -> bool {
    small.iter().all(|(place, set)| set & !large.get(place).copied().unwrap_or(0) == 0)
}

fn found(solver: &Solver<'_, Rules>, number: u64) -> Sets {
    solved(solver).unwrap_or_else(|error| panic!("flow {number}: {error}"))
}

/// Half of the analyses announce all calls.
fn calls_of(rules: &Rules) -> Calls {
    if (rules.seed >> 8).is_multiple_of(2) { Calls::Announced } else { Calls::Reached }
}

/// One slice for each seed; then the facts of the seeds.
fn in_slices<'f>(flow: &'f Flow, rules: Rules, seeds: &[Seed], number: u64) -> (Solver<'f, Rules>, Vec<FactId>) {
    let mut solver = Solver::new(flow, rules);
    let calls = calls_of(&rules);
    if calls == Calls::Announced {
        announce_calls(&mut solver);
    }
    let mut facts = Vec::new();
    for (index, seed) in seeds.iter().enumerate() {
        let fact = plant(&mut solver, *seed);
        facts.push(fact);
        let most = roll(rules.seed, &[50, index as u64]) % 40;
        let ended = solver.run_slice(&Control::unlimited(), elements(most)).expect("no budget was given");
        let is_complete = solver.completeness(fact) == Completeness::Complete;
        match ended {
            Ended::Complete => assert!(is_complete, "flow {number}: {ended:?}"),
            Ended::AtOpen => assert!(!solver.arrived_at_open().is_empty(), "flow {number}: {ended:?}"),
            Ended::Cut(exhausted) => {
                assert_eq!(exhausted, Exhausted::Elements, "flow {number}");
                assert!(solver.open_facts().count() > 0, "flow {number}");
            }
        }
        if is_complete {
            let alone = naive(flow, &rules, &[*seed], calls);
            assert!(is_within(&alone, &found(&solver, number)), "flow {number}, seed {index} looks complete");
        }
    }
    (solver, facts)
}

#[test]
fn what_was_cut_never_looks_complete() {
    let (mut n_complete, mut n_open, mut n_after_a_cut) = (0, 0, 0);
    on_random_flows(2_000, |number, flow, rules, seeds| {
        let (solver, facts) = in_slices(flow, rules, seeds, number);
        let sets = found(&solver, number);
        let whole = naive(flow, &rules, seeds, calls_of(&rules));
        assert!(is_within(&sets, &whole), "flow {number}");
        let mut was_cut = false;
        for (fact, seed) in facts.iter().zip(seeds) {
            match solver.completeness(*fact) {
                Completeness::Complete => {
                    let alone = naive(flow, &rules, &[*seed], calls_of(&rules));
                    assert!(is_within(&alone, &sets), "flow {number}, {seed:?} looks complete");
                    n_complete += 1;
                    n_after_a_cut += usize::from(was_cut);
                }
                Completeness::Open => {
                    n_open += 1;
                    was_cut = true;
                }
            }
        }
        if facts.iter().all(|fact| solver.completeness(*fact) == Completeness::Complete) {
            assert_eq!(sets, whole, "flow {number}");
        }
    });
    println!("{n_complete} seeds complete ({n_after_a_cut} of them after a cut), {n_open} open");
    assert!(n_open > 0 && n_after_a_cut > 0);
}

/// A seed enters a procedure with more than others did, and so brings a new exit to a caller that an earlier slice found, and that
/// it leads to itself: where what was returned is cut, the seed is open.
#[test]
fn a_new_exit_for_a_complete_caller_is_up_to_who_entered() {
    on_random_flow(5_431, |number, flow, rules, seeds| {
        let (solver, facts) = in_slices(flow, rules, seeds, number);
        assert_eq!(solver.completeness(facts[2]), Completeness::Open);
    });
}

/// A seed finds a call to which something returns that was complete, and what is returned was left open by another slice: the
/// seed, which leads to the call and to what returns, is open.
#[test]
fn a_new_call_to_which_something_complete_returns_may_lead_to_what_is_open() {
    on_random_flow(19_267, |number, flow, rules, seeds| {
        let (solver, facts) = in_slices(flow, rules, seeds, number);
        assert_eq!(solver.completeness(facts[3]), Completeness::Open);
    });
}

#[test]
fn what_was_left_open_is_found_when_it_is_reopened() {
    on_random_flows(1_000, |number, flow, rules, seeds| {
        let whole = naive(flow, &rules, seeds, calls_of(&rules));
        let (mut solver, facts) = in_slices(flow, rules, seeds, number);
        if rules.seed.is_multiple_of(2) {
            // By a run without slices.
            solver.run(&Control::unlimited()).expect("no budget was given");
        } else {
            // By slices that go on: some are cut again.
            let mut ended = Ended::AtOpen;
            while ended != Ended::Complete {
                solver.reopen();
                ended = solver.run_slice(&Control::unlimited(), elements(6)).expect("no budget was given");
            }
        }
        assert_eq!(found(&solver, number), whole, "flow {number}");
        assert_eq!(solver.open_facts().count(), 0, "flow {number}");
        for fact in facts {
            assert_eq!(solver.completeness(fact), Completeness::Complete, "flow {number}");
        }
    });
}

#[test]
fn what_is_taken_back_between_slices_leaves_nothing_that_looks_complete() {
    on_random_flows(1_000, |number, flow, rules, seeds| {
        let (mut solver, facts) = in_slices(flow, rules, seeds, number);
        solver.invalidate(&facts[..1]);
        let first = plant(&mut solver, seeds[0]);
        let ended = solver.run_slice(&Control::unlimited(), elements(3)).expect("no budget was given");
        let sets = found(&solver, number);
        let facts = facts[1..].iter().chain([&first]);
        let seeds_in_order = seeds[1..].iter().chain(&seeds[..1]);
        for (fact, seed) in facts.zip(seeds_in_order) {
            if solver.completeness(*fact) == Completeness::Complete
                && solver.facts_at(seed.0).any(|other| other == *fact)
            {
                let alone = naive(flow, &rules, &[*seed], calls_of(&rules));
                assert!(is_within(&alone, &sets), "flow {number}, {seed:?} looks complete: {ended:?}");
            }
        }
    });
}

/// Counts up to a limit.
struct Count(u32);

impl Analysis for Count {
    type Element = u32;
    type Key = ();

    fn post(&mut self, at: &At<'_, u32>, out: &mut Successors<u32>) {
        if *at.element() < self.0 {
            out.push(at.element() + 1);
        }
    }
}

fn counting_flow() -> Flow {
    let mut builder = FlowBuilder::new();
    let procedure = builder.add_procedure();
    let entry = builder.entry(procedure);
    builder.add_step(entry, entry);
    builder.finish()
}

#[test]
fn who_arrives_at_an_open_fact_is_told() {
    let flow = counting_flow();
    let procedure = flow.procedures().next().expect("one procedure");
    let control = Control::unlimited();
    let mut solver = Solver::new(&flow, Count(100));
    // The first counts from 50 to the end.
    let first = solver.start(procedure, 50);
    assert_eq!(solver.run_slice(&control, elements(1000)), Ok(Ended::Complete));
    // The second is cut on its way.
    let second = solver.start(procedure, 10);
    assert_eq!(solver.run_slice(&control, elements(10)), Ok(Ended::Cut(Exhausted::Elements)));
    let open: Vec<u32> = solver.open_facts().map(|fact| *solver.element_of(fact)).collect();
    assert_eq!(open, [21]);
    // The third arrives at what the second found: it is pushed already, but does not end.
    let third = solver.start(procedure, 5);
    assert_eq!(solver.run_slice(&control, elements(1000)), Ok(Ended::AtOpen));
    let arrivals = solver.arrived_at_open();
    let told: Vec<(Option<u32>, u32)> = arrivals
        .iter()
        .map(|arrival| (arrival.from.map(|from| *solver.element_of(from)), *solver.element_of(arrival.open)))
        .collect();
    assert_eq!(told, [(Some(9), 10)]);
    // The fourth is planted there.
    let fourth = solver.start(procedure, 12);
    assert_eq!(solver.run_slice(&control, elements(1000)), Ok(Ended::AtOpen));
    assert_eq!(solver.arrived_at_open()[0].from, None);
    // The fifth has nothing to do with it.
    let fifth = solver.start(procedure, 30);
    assert_eq!(solver.run_slice(&control, elements(1000)), Ok(Ended::Complete));
    let standing =
        [first, second, third, fourth, fifth].map(|fact| solver.completeness(fact) == Completeness::Complete);
    assert_eq!(standing, [true, false, false, false, true]);
    // Reopened, the second reaches the fifth, and all are complete.
    solver.reopen();
    assert_eq!(solver.run_slice(&control, elements(1000)), Ok(Ended::Complete));
    assert!([second, third, fourth].iter().all(|fact| solver.completeness(*fact) == Completeness::Complete));
}

#[test]
fn the_whole_budget_ends_the_run_and_not_the_slice() {
    let flow = counting_flow();
    let procedure = flow.procedures().next().expect("one procedure");
    let mut solver = Solver::new(&flow, Count(100));
    let fact = solver.start(procedure, 0);
    let control = Control::start(elements(20), Cancel::default());
    assert_eq!(solver.run_slice(&control, elements(50)), Err(Exhausted::Elements));
    assert_eq!(solver.completeness(fact), Completeness::Open);
    // It goes on where it was.
    assert_eq!(solver.run_slice(&Control::unlimited(), elements(1000)), Ok(Ended::Complete));
    assert_eq!((solver.completeness(fact), solver.n_facts()), (Completeness::Complete, 101));
}

#[test]
fn slices_end_by_time_and_memory_too() {
    let flow = counting_flow();
    let procedure = flow.procedures().next().expect("one procedure");
    let time = Budget { time: Some(std::time::Duration::ZERO), ..Budget::default() };
    let memory = Budget { memory: Some(1000), ..Budget::default() };
    for (slice, expected) in [(time, Exhausted::Time), (memory, Exhausted::Memory)] {
        let mut solver = Solver::new(&flow, Count(1_000_000));
        let fact = solver.start(procedure, 0);
        assert_eq!(solver.run_slice(&Control::unlimited(), slice), Ok(Ended::Cut(expected)));
        assert_eq!(solver.completeness(fact), Completeness::Open);
    }
}

#[test]
fn without_slices_a_run_that_was_stopped_is_open() {
    let flow = counting_flow();
    let procedure = flow.procedures().next().expect("one procedure");
    let mut solver = Solver::new(&flow, Count(100));
    let fact = solver.start(procedure, 0);
    assert!(solver.run(&Control::start(elements(20), Cancel::default())).is_err());
    assert_eq!(solver.completeness(fact), Completeness::Open);
    solver.run(&Control::unlimited()).expect("no budget was given");
    assert_eq!(solver.completeness(fact), Completeness::Complete);
}
