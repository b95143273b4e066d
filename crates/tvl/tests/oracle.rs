//! The engine `tvl` against concrete runs of random programs with one to three pointer fields, for all three joins.
//!
//! `HEAPWISE_ORACLE_PROGRAMS=100000 cargo test --release -p heapwise-tvl --test oracle` is the long run.

mod represent;

use heapwise_engine::{Budget, Cancel, Control, Finding, Kind, Options};
use heapwise_interp::RunError;
use heapwise_ir::{FunctionId, LocationId, Program};
use heapwise_testkit::oracle::{Agreement, Analysed, ConcreteState, Effort, Represents, Subject, check_random};
use heapwise_testkit::random::{Calling, Data, Fields, Knobs, Placement, Recursion, Weights};
use heapwise_tvl::check::attempt::{Attempt, JoinChoice};
use heapwise_tvl::check::predicates::Naming;
use heapwise_tvl::check::roles::ShapeChoice;
use heapwise_tvl::check::{Settings, TvlEngine};
use heapwise_tvl::join::Join;
use heapwise_tvl::symbolic::step::Transformer;
use represent::Model;

#[derive(Clone, Copy)]
struct Structures {
    join: Join,
    naming: Naming,
    transformer: Transformer,
    shape: ShapeChoice,
}

/// Programs that need more are not compared: the engine says so itself.
const LIMIT: u64 = 4_000;
/// The same where a prover is asked about every structure.
const LIMIT_OF_BEST: u64 = 600;
/// The same for trees with parents, whose structures are large.
const LIMIT_OF_TREES: u64 = 1_500;

impl Subject for Structures {
    type Model = Model;

    fn analyse(&self, program: &Program, options: &Options) -> Analysed<Model> {
        let Structures { join, naming, transformer, shape } = *self;
        let settings = Settings { join: JoinChoice::Fixed(join), transformer, shape, ..Settings::default() };
        let engine = TvlEngine { settings };
        let limit = match (transformer, shape) {
            (Transformer::FocusAndCoerce, ShapeChoice::TreeWithParent) => LIMIT_OF_TREES,
            (Transformer::FocusAndCoerce, _) => LIMIT,
            (Transformer::Best, _) => LIMIT_OF_BEST,
        };
        let budget = Budget { elements: Some(limit), ..Budget::default() };
        let control = || Control::start(budget, Cancel::default());
        let attempt = Attempt { naming, ..JoinChoice::Fixed(join).first() };
        let checked = engine.analyse_once(program, options, &control(), attempt);
        let outcome = engine.conclude(program, options, &control(), &checked);
        Analysed { outcome, model: Model { checked, program: program.clone() } }
    }

    /// What only parent links held of the caller's heap is lost where the call is over.
    fn tells_of(&self, finding: &Finding, error: &RunError) -> bool {
        let is_on_line = (finding.span.file, finding.span.line) == (error.span.file, error.span.line);
        let is_lost_by_a_call = self.shape == ShapeChoice::TreeWithParent && error.kind == Kind::Leak;
        finding.kind == error.kind && (is_on_line || is_lost_by_a_call)
    }
}

impl Represents for Model {
    fn represents(&self, _: FunctionId, location: LocationId, state: &ConcreteState<'_>) -> bool {
        self.stands_for(location, state).unwrap_or_else(|| {
            let procedures = &self.checked.translation.program.procedures;
            assert!(!procedures.is_empty(), "calls are inlined");
            true
        })
    }
}

fn n_programs() -> u64 {
    std::env::var("HEAPWISE_ORACLE_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(100)
}

fn knobs() -> [Knobs; 6] {
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
    // Functions that call themselves are procedures: what they return is put back into the callers' heaps.
    let recursion = Knobs { functions: 1..=2, recursion: Recursion::Allowed, ..calls.clone() };
    // Integers that are compared again and again, and changed between.
    let integers = Knobs { data: Data::Integers, ..graphs.clone() };
    // Records within what is allocated: links hold pointers to the inside of cells.
    let within = Knobs { placement: Placement::Within, ..calls.clone() };
    [Knobs::singly_linked_lists(), graphs, calls, recursion, integers, within]
}

/// Functions that call themselves on the subtrees of trees with parents, and change links in between.
fn trees_with_parents() -> Knobs {
    let weights =
        Weights { allocate: 1, load: 6, store: 5, free: 1, branch: 1, repeat: 0, call: 0, assert: 0, assign: 1 };
    Knobs { calling: Calling::DownTrees, data: Data::None, weights, guarded: 95, zeroed: 100, ..Knobs::everything() }
}

fn agree(subject: Structures, n: u64) -> Agreement {
    agree_on(&knobs(), subject, n)
}

fn agree_on(knobs: &[Knobs], subject: Structures, n: u64) -> Agreement {
    let n_knobs = knobs.len() as u64;
    let seeds = |i: u64| n * i / n_knobs..n * (i + 1) / n_knobs;
    let programs: Vec<_> = knobs.iter().zip(0..).map(|(knobs, i)| (knobs.clone(), seeds(i))).collect();
    check_random(&subject, &programs, &Effort::QUICK).unwrap_or_else(|counterexample| panic!("{counterexample}"))
}

fn check(join: Join, naming: Naming, n: u64) {
    let (transformer, shape) = (Transformer::FocusAndCoerce, ShapeChoice::Inferred);
    let total = agree(Structures { join, naming, transformer, shape }, n);
    assert!(total.gaps * 10 < total.programs, "{total:?}");
    assert!(total.states > total.programs && total.errors > total.programs / 10, "{total:?}");
}

#[test]
fn relational_structures_represent_every_heap_and_report_every_error() {
    check(Join::Relational, Naming::Plain, n_programs());
}

#[test]
fn partially_joined_structures_represent_every_heap_and_report_every_error() {
    check(Join::Partial, Naming::Plain, n_programs());
}

#[test]
fn single_structures_represent_every_heap_and_report_every_error() {
    check(Join::Single, Naming::Plain, n_programs());
}

#[test]
fn coarsely_named_structures_represent_every_heap_and_report_every_error() {
    check(Join::Partial, Naming::Coarse, n_programs() / 2);
}

#[test]
fn finely_named_structures_represent_every_heap_and_report_every_error() {
    check(Join::Partial, Naming::Fine, n_programs() / 2);
}

#[test]
fn recursion_on_trees_with_parents_loses_no_heap_and_no_error() {
    let (naming, transformer, shape) = (Naming::Plain, Transformer::FocusAndCoerce, ShapeChoice::TreeWithParent);
    let subject = Structures { join: Join::Partial, naming, transformer, shape };
    let total = agree_on(&[trees_with_parents()], subject, n_programs() / 5);
    assert!(total.gaps < total.programs && total.states > total.programs && total.errors > 0, "{total:?}");
}

/// Steps on images alone lose no heap and no error. (Each structure is a question to the prover, so there are fewer programs.)
#[test]
fn steps_on_images_represent_every_heap_and_report_every_error() {
    for join in [Join::Relational, Join::Partial] {
        let (naming, transformer, shape) = (Naming::Plain, Transformer::Best, ShapeChoice::Inferred);
        let total = agree(Structures { join, naming, transformer, shape }, n_programs() / 25);
        assert!(total.states > total.programs && total.errors > 0, "{total:?}");
    }
}

/// A random program whose leak was missed: the cell that held the lost one may be absent from the joined structure.
#[test]
fn cells_that_may_be_absent_hold_nothing() {
    let (transformer, shape) = (Transformer::FocusAndCoerce, ShapeChoice::Inferred);
    let subject = Structures { join: Join::Single, naming: Naming::Plain, transformer, shape };
    let [_, _, calls, ..] = knobs();
    let agreement = check_random(&subject, &[(calls, 1302..1303)], &Effort::QUICK);
    assert!(agreement.unwrap_or_else(|counterexample| panic!("{counterexample}")).errors > 0);
}
