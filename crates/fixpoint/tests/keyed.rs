//! Calls by key, joins and recursion together: the least fixpoint, whatever the order, and traces that hold.
//!
//! `HEAPWISE_FLOWS` is the number of random flows for each test: 10,000 for a change of the core.

#[path = "common/roll.rs"]
mod common;
#[path = "common/keyed.rs"]
mod keyed;

use common::roll;
use heapwise_engine::Control;
use heapwise_fixpoint::{FactId, Flow, Solver, TraceKind};
use keyed::{Calls, Element, Entry, Rules, Seed, Sets, StepKind, entry_of, naive, on_random_flows, plant, solved};
use std::collections::BTreeSet;

fn run<'f>(flow: &'f Flow, rules: Rules, seeds: &[Seed]) -> Solver<'f, Rules> {
    let mut solver = Solver::new(flow, rules);
    for seed in seeds {
        plant(&mut solver, *seed);
    }
    solver.run(&Control::unlimited()).expect("no budget was given");
    solver
}

#[test]
fn the_result_is_that_of_naive_iteration() {
    let (mut n_calls, mut n_joins, mut n_recursive) = (0, 0, 0);
    on_random_flows(2_500, |number, flow, rules, seeds| {
        let solver = run(flow, rules, seeds);
        let found = solved(&solver).unwrap_or_else(|error| panic!("flow {number}: {error}"));
        assert_eq!(found, naive(flow, &rules, seeds, Calls::Reached), "flow {number}");
        n_calls += usize::from(found.keys().any(|(entry, _, _)| matches!(entry, Entry::Key(_))));
        n_joins += usize::from(solver.n_facts() > found.len());
        n_recursive += usize::from(is_recursive(flow, &rules, &found));
    });
    // The test is about these.
    println!("{n_calls} flows with calls, {n_joins} with joins, {n_recursive} with recursion");
    assert!(n_calls > 0 && n_joins > 0 && n_recursive > 0);
}

/// Whether a call by key enters the procedure that it is in.
fn is_recursive(flow: &Flow, rules: &Rules, found: &Sets) -> bool {
    found.keys().any(|(entry, point, _)| {
        let mut calls = flow.outgoing(*point).iter().filter(
            |step| matches!(rules.kind(**step), StepKind::Calls(callee) if callee == flow.procedure_of(*point)),
        );
        matches!(entry, Entry::Key(_)) && calls.next().is_some()
    })
}

#[test]
fn seeds_after_a_run_are_as_good_as_seeds_before_it() {
    on_random_flows(1_000, |number, flow, rules, seeds| {
        let mut solver = Solver::new(flow, rules);
        for seed in seeds {
            plant(&mut solver, *seed);
            solver.run(&Control::unlimited()).expect("no budget was given");
        }
        assert_eq!(solved(&solver), Ok(naive(flow, &rules, seeds, Calls::Reached)), "flow {number}");
    });
}

#[test]
fn nothing_is_found_again_when_seeds_are_given_twice() {
    on_random_flows(1_000, |number, flow, rules, seeds| {
        let mut solver = run(flow, rules, seeds);
        let before = solver.n_facts();
        for seed in seeds {
            plant(&mut solver, *seed);
        }
        solver.run(&Control::unlimited()).expect("no budget was given");
        assert_eq!(solver.n_facts(), before, "flow {number}");
    });
}

#[test]
fn what_is_taken_back_is_found_again() {
    on_random_flows(1_000, |number, flow, rules, seeds| {
        let mut solver = run(flow, rules, seeds);
        let facts: Vec<FactId> = flow.points().flat_map(|point| solver.facts_at(point).collect::<Vec<_>>()).collect();
        let fact = facts[roll(rules.seed, &[40]) as usize % facts.len()];
        solver.invalidate(&[fact]);
        for seed in seeds {
            plant(&mut solver, *seed);
        }
        solver.run(&Control::unlimited()).expect("no budget was given");
        assert_eq!(solved(&solver), Ok(naive(flow, &rules, seeds, Calls::Reached)), "flow {number}");
    });
}

/// Every fact is what its parents make of it, joined with what was there.
#[test]
fn parents_derive_their_fact_under_joins() {
    on_random_flows(1_000, |number, flow, rules, seeds| {
        let solver = run(flow, rules, seeds);
        for index in 0..solver.n_facts() {
            let fact = FactId::from_u32(index as u32);
            let element = *solver.element_of(fact);
            let parents = solver.parents(fact);
            assert!(parents.iter().all(|parent| *parent < fact), "flow {number}: parents are older");
            let of = |index: usize| *solver.element_of(parents[index]);
            let same_place = |other: FactId| {
                solver.point_of(other) == solver.point_of(fact) && solver.entry_of(other) == solver.entry_of(fact)
            };
            let (arrived, n_own): (Vec<Element>, usize) = match solver.found_by(fact) {
                TraceKind::Start => {
                    let here = |seed: &&Seed| seed.0 == solver.point_of(fact) && seed.1 == entry_of(&solver, fact);
                    (seeds.iter().filter(here).map(|seed| seed.2).collect(), 0)
                }
                TraceKind::Step(step) | TraceKind::Enter(step) => (rules.post(step, of(0)), 1),
                TraceKind::Leave(step) => {
                    let caller = matches!(entry_of(&solver, parents[1]), Entry::Key(_)).then(|| of(0));
                    (rules.leave(step, caller, of(1)), 2)
                }
            };
            let old = parents.get(n_own).map(|old| {
                assert!(same_place(*old), "flow {number}: what was there before a join was there");
                *solver.element_of(*old)
            });
            let joined = |new: &Element| (new.0, new.1 | old.map_or(0, |old| old.1));
            assert!(arrived.iter().any(|new| joined(new) == element), "flow {number}: {fact} {element:?}");
        }
    });
}

/// A trace starts at a start, every line continues the one before it, and calls and returns match.
#[test]
fn traces_are_walks_through_the_flow() {
    on_random_flows(1_000, |number, flow, rules, seeds| {
        let solver = run(flow, rules, seeds);
        for point in flow.points() {
            for fact in solver.facts_at(point) {
                let trace = solver.trace(fact);
                assert_eq!(trace.last().map(|line| line.fact), Some(fact), "flow {number}");
                assert_eq!(trace[0].kind, TraceKind::Start, "flow {number}");
                let mut open = Vec::new();
                for pair in trace.windows(2) {
                    let (from, to) = (solver.point_of(pair[0].fact), solver.point_of(pair[1].fact));
                    match pair[1].kind {
                        // What did not exist at the entry starts inside of the procedure that it leaves.
                        TraceKind::Start => open.push(None),
                        TraceKind::Step(step) => {
                            assert_eq!((flow.step(step).from, flow.step(step).to), (from, to), "flow {number}");
                        }
                        TraceKind::Enter(step) => {
                            assert_eq!(flow.step(step).from, from, "flow {number}");
                            assert_eq!(flow.entry(flow.procedure_of(to)), to, "flow {number}");
                            open.push(Some(step));
                        }
                        TraceKind::Leave(step) => {
                            assert_eq!(
                                (flow.exit(flow.procedure_of(from)), flow.step(step).to),
                                (from, to),
                                "flow {number}"
                            );
                            if let Some(Some(entered)) = open.pop() {
                                assert_eq!(entered, step, "flow {number}");
                            }
                        }
                    }
                }
            }
        }
    });
}

#[test]
fn the_same_run_gives_the_same_facts() {
    on_random_flows(200, |number, flow, rules, seeds| {
        let (first, second) = (run(flow, rules, seeds), run(flow, rules, seeds));
        assert_eq!(first.n_facts(), second.n_facts());
        for index in 0..first.n_facts() {
            let fact = FactId::from_u32(index as u32);
            assert_eq!(first.element_of(fact), second.element_of(fact), "flow {number}");
            assert_eq!(first.trace(fact), second.trace(fact), "flow {number}");
        }
    });
}

#[test]
fn different_callers_of_one_key_get_their_own_results() {
    // Which callers an entry by key has: all that entered and were not replaced.
    let mut n_shared = 0;
    on_random_flows(500, |number, flow, rules, seeds| {
        let solver = run(flow, rules, seeds);
        for procedure in flow.procedures() {
            for key in 0..4 {
                let Some(entry) = solver.find_keyed_entry(procedure, &key) else { continue };
                let callers: BTreeSet<_> = solver.callers(entry).iter().collect();
                assert_eq!(callers.len(), solver.callers(entry).len(), "flow {number}: a caller is listed once");
                n_shared += usize::from(callers.len() > 1);
            }
        }
    });
    assert!(n_shared > 0);
}
