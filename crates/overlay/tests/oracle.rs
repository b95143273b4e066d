//! The engine against concrete runs of random programs: every state is described by a heap at its location, every error is
//! among the findings.
//!
//! `HEAPWISE_ORACLE_PROGRAMS=20000 cargo test --release -p heapwise-overlay --test oracle` is a long run.

mod common;

use common::concrete;
use heapwise_engine::reason::SymbolicGap;
use heapwise_engine::{Budget, Cancel, Control, Engine, Gap, Options};
use heapwise_fixpoint::ProgramFlow;
use heapwise_ir::{FunctionId, Liveness, LocationId, Program, Span};
use heapwise_overlay::OverlayEngine;
use heapwise_overlay::analysis::{Retention, run};
use heapwise_overlay::footprint::Given;
use heapwise_overlay::heap::Heap;
use heapwise_overlay::predicate::Definitions;
use heapwise_overlay::transfer::Context;
use heapwise_testkit::oracle::{Analysed, ConcreteState, Effort, Represents, Subject, check_random};
use heapwise_testkit::random::{Calling, Data, Fields, Knobs, Placement, Recursion, Weights};
use std::collections::HashMap;
use std::time::Duration;

struct Overlay;

struct Model {
    program: Program,
    options: Options,
    /// What each location holds, as the function alone sees it.
    heaps: HashMap<(FunctionId, LocationId), Vec<Heap>>,
    liveness: HashMap<FunctionId, Liveness>,
}

impl Subject for Overlay {
    type Model = Model;

    fn analyse(&self, program: &Program, options: &Options) -> Analysed<Model> {
        let mut outcome = OverlayEngine.check(program, options, &control());
        let context = Context::new(program, options, Definitions::shipped());
        let flow = ProgramFlow::tabulated(program, options.entry, &heapwise_ir::AnyAddressTaken);
        let fixpoint = run(&context, &flow, Retention::Live, Given::Everything, &control());
        // The engine itself may get by with less than whole heaps, which these are.
        outcome
            .gaps
            .extend(fixpoint.exhausted.map(|_| Gap { span: Span::NONE, reason: SymbolicGap::CellNotGiven.into() }));
        let mut heaps = HashMap::new();
        let mut liveness = HashMap::new();
        for (id, function) in &program.functions {
            let (Some(automaton), Some(live)) = (function.automaton(), Liveness::of(function)) else { continue };
            liveness.insert(id, live);
            for location in automaton.outgoing.keys() {
                let known = fixpoint.heaps_at(id, location).into_iter().flat_map(|heap| seen(&context, heap.clone()));
                heaps.insert((id, location), known.collect());
            }
        }
        let model = Model { program: program.clone(), options: options.clone(), heaps, liveness };
        Analysed { outcome, model }
    }
}

/// Without what those know who wait for the function.
fn seen(context: &Context<'_>, mut heap: Heap) -> Vec<Heap> {
    heap.ghosts.clear();
    heap.keep_reachable();
    context.normalised(heap).into_iter().map(|(heap, _)| heap).collect()
}

fn control() -> Control {
    Control::start(Budget { time: Some(Duration::from_secs(5)), ..Budget::default() }, Cancel::default())
}

impl Represents for Model {
    fn represents(&self, function: FunctionId, location: LocationId, state: &ConcreteState<'_>) -> bool {
        let context = Context::new(&self.program, &self.options, Definitions::shipped());
        let mut heap = concrete(state);
        heap.registers.retain(|(register, _)| self.liveness[&function].is_live(location, *register));
        let known = &self.heaps[&(function, location)];
        seen(&context, heap).iter().all(|state| known.iter().any(|heap| context.entails(state, heap)))
    }
}

fn knobs() -> Vec<Knobs> {
    let graphs = Knobs {
        records: 1..=2,
        fields: Fields::ToAny(1..=3),
        data: Data::None,
        functions: 0..=0,
        recursion: Recursion::Forbidden,
        variables: 2..=3,
        globals: 0..=1,
        statements: 4..=10,
        weights: Weights { call: 0, ..Knobs::everything().weights },
        ..Knobs::everything()
    };
    let calls = Knobs { functions: 1..=1, weights: Weights { call: 2, ..graphs.weights }, ..graphs.clone() };
    let recursion = Knobs { functions: 1..=2, recursion: Recursion::Allowed, ..calls.clone() };
    let integers = Knobs { data: Data::Integers, ..graphs.clone() };
    let within = Knobs { placement: Placement::Within, ..calls.clone() };
    let down = Weights { allocate: 1, load: 6, store: 5, free: 1, branch: 1, repeat: 0, call: 0, assert: 0, assign: 1 };
    let trees = Knobs {
        calling: Calling::DownTrees,
        data: Data::None,
        weights: down,
        guarded: 95,
        zeroed: 100,
        ..Knobs::everything()
    };
    vec![
        Knobs::singly_linked_lists(),
        Knobs::lists_with_globals_and_data(),
        graphs,
        calls,
        recursion,
        integers,
        within,
        trees,
        Knobs::everything(),
    ]
}

#[test]
fn every_state_is_described_and_every_error_found() {
    let n: u64 = std::env::var("HEAPWISE_ORACLE_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(90);
    let all = knobs();
    let per_knobs = n / all.len() as u64;
    let programs: Vec<_> =
        all.into_iter().zip(0..).map(|(knobs, i)| (knobs, i * per_knobs..(i + 1) * per_knobs)).collect();
    let total =
        check_random(&Overlay, &programs, &Effort::QUICK).unwrap_or_else(|counterexample| panic!("{counterexample}"));
    println!("{total:?}");
    assert!(total.states > 10 * total.programs && total.errors > 0, "{total:?}");
    assert!(4 * total.gaps < total.programs, "too many gaps: {total:?}");
}
