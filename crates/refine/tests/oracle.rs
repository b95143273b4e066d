//! Reachability trees against concrete runs of random programs: at every location each heap that `interp` reaches is
//! represented by a structure there, and every error is suspected, whatever is tracked.
//!
//! `HEAPWISE_ORACLE_PROGRAMS=5000 cargo test --release -p heapwise-refine --test oracle` is a long run.

mod represent;

use heapwise_engine::{Budget, Cancel, Certainty, Control, Finding, Gap, Options, Outcome, Stopped};
use heapwise_fixpoint::StepOrigin;
use heapwise_ir::{FunctionId, LocationId, Program, Span};
use heapwise_refine::RefineEngine;
use heapwise_refine::explore::{Until, explore};
use heapwise_refine::search::Keeps;
use heapwise_shapes::abstraction::ShapeAbstraction;
use heapwise_shapes::classes::{ClassId, ClassLibrary, FamilySet};
use heapwise_shapes::memory::{Memory, ScalarVariable};
use heapwise_shapes::precision::{NumberTest, Precision, ShapeType};
use heapwise_shapes::step::Stepper;
use heapwise_shapes::subject::{self, Subject as Looked};
use heapwise_shapes::transfer::Problem;
use heapwise_testkit::oracle::{Agreement, Analysed, ConcreteState, Effort, Represents, Subject, check_random};
use heapwise_testkit::random::{Data, Fields, Knobs, Recursion, Weights};
use heapwise_tvl::join::Join;
use represent::Model;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// What is tracked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tracked {
    /// What the search of the engine ends with.
    BySearch,
    /// Something: each pointer, field, test, class and family is chosen by lot.
    ByLot,
    /// All pointers and fields, some tests, and some families.
    All,
}

struct Trees {
    tracked: Tracked,
    join: Join,
}

/// Programs that need more are not compared.
const LIMIT: u64 = 3_000;

fn control() -> Control {
    Control::start(Budget { elements: Some(LIMIT), ..Budget::default() }, Cancel::default())
}

impl Subject for Trees {
    type Model = Tree;

    fn analyse(&self, program: &Program, options: &Options) -> Analysed<Tree> {
        let by_search = match self.tracked {
            Tracked::BySearch => RefineEngine::default()
                .with_search(program, options, &control(), (Keeps::Nothing, &|| false), |_, found| found.precision)
                .ok(),
            Tracked::ByLot | Tracked::All => None,
        };
        let mut outcome = Outcome { gaps: subject::gaps(program, options), ..Outcome::default() };
        let model = Looked::with(program, options, |looked| {
            let library = ClassLibrary::shipped();
            let precision = by_search.unwrap_or_else(|| {
                let mut lot = Lot { state: program.files.values().map(|file| file.text.len() as u64).sum() };
                drawn(self.tracked, &mut lot, looked.memory, &library)
            });
            self.explored(looked, &library, &precision, &mut outcome)
        });
        let model = model.map_err(|gap| outcome.gaps.push(gap)).ok().flatten();
        Analysed { outcome, model: Tree(model) }
    }
}

impl Trees {
    fn explored(
        &self,
        looked: &Looked<'_>,
        library: &ClassLibrary,
        precision: &Precision,
        outcome: &mut Outcome,
    ) -> Option<Model> {
        let nowhere = |reason| Gap { span: Span::NONE, reason };
        let abstraction = ShapeAbstraction::new(looked.memory, library, precision).expect("classes are well-formed");
        let stepper = Stepper::new(looked.transfer(&abstraction), &control());
        let explored = explore(&stepper, looked, &control(), (self.join, Until::Closed), |_, at| {
            looked.flow.points.keys().map(|point| (point, at(point))).collect::<FxHashMap<_, _>>()
        });
        let (explored, structures) = explored.map_err(|reason| outcome.gaps.push(nowhere(reason))).ok()?;
        if let Some(why) = explored.exhausted {
            let doing = heapwise_engine::reason::Doing::Running { engine: "refine".to_owned() };
            outcome.stopped = Some(Stopped { why, span: Span::NONE, doing });
        }
        for suspicion in explored.suspicions {
            let step = *suspicion.path.last().expect("a step that fails");
            let edges = |function: FunctionId| &looked.program.functions[function].automaton().expect("a body").edges;
            let caller = |context| looked.flow.contexts[context].function;
            let places: Vec<(FunctionId, Span)> = match looked.flow.steps[step] {
                StepOrigin::Instruction { context, edge, .. } | StepOrigin::Enter { caller: context, edge, .. } => {
                    vec![(caller(context), edges(caller(context))[edge].span)]
                }
                // What ends with a call is lost on the last edge of the function to `interp`.
                StepOrigin::Leave { caller: context, edge, callee } => {
                    let function = looked.flow.contexts[callee].function;
                    let exit = looked.program.functions[function].automaton().expect("a body").exit;
                    let last = edges(function).values().filter(|edge| edge.to == exit);
                    let written = (caller(context), edges(caller(context))[edge].span);
                    last.map(|edge| (function, edge.span)).chain([written]).collect()
                }
            };
            for (function, span) in places {
                match suspicion.problem.clone() {
                    Problem::Gap(reason) => outcome.gaps.push(Gap { span, reason }),
                    Problem::Error(kind) => outcome.findings.push(Finding {
                        kind,
                        certainty: Certainty::Possible,
                        span,
                        function,
                        message: String::new(),
                        trace: Vec::new(),
                        choices: Vec::new(),
                        about: heapwise_engine::Subject::default(),
                        also: Vec::new(),
                    }),
                }
            }
        }
        let ints = abstraction.variables.keys().filter_map(|it| Some((*it, looked.memory.variable_int(*it)?)));
        let ints = ints.collect();
        let fields = looked.memory.fields.iter().map(|(id, field)| (id, field.clone())).collect();
        drop(stepper);
        Some(Model {
            program: looked.program.clone(),
            options: looked.options.clone(),
            flow: looked.flow.clone(),
            liveness: looked.liveness.clone(),
            abstraction,
            fields,
            ints,
            structures,
            history: RefCell::default(),
        })
    }
}

/// A tree, unless there was a gap.
struct Tree(Option<Model>);

impl Represents for Tree {
    fn represents(&self, _: FunctionId, location: LocationId, state: &ConcreteState<'_>) -> bool {
        self.0.as_ref().is_some_and(|model| model.stands_for(location, state))
    }
}

/// splitmix64
struct Lot {
    state: u64,
}

impl Lot {
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.state;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((value ^ (value >> 31)) % limit.max(1) as u64) as usize
    }
}

/// A precision by lot.
fn drawn(tracked: Tracked, lot: &mut Lot, memory: &Memory<'_>, library: &ClassLibrary) -> Precision {
    let mut precision = Precision::default();
    let percent = if tracked == Tracked::All { 100 } else { 40 + lot.below(55) };
    let mut variables: Vec<ScalarVariable> = Vec::new();
    for function in &memory.functions {
        let body = &memory.program.functions[*function];
        if body.automaton().is_some() {
            variables.extend(body.registers.keys().map(|register| ScalarVariable::Register(*function, register)));
        }
    }
    variables.extend(memory.program.globals.keys().map(|global| ScalarVariable::Global(global, 0)));
    variables.retain(|_| lot.below(100) < percent);
    precision.variables.extend(&variables);
    let fields: Vec<_> = memory.fields.keys().filter(|_| lot.below(100) < percent).collect();
    precision.fields.extend(&fields);
    for view in memory.recursive_views() {
        let links = memory.links_of(view);
        let fitting: Vec<usize> =
            (0..library.classes.len()).filter(|class| library.classes[*class].n_fields() <= links.len()).collect();
        if fitting.is_empty() || lot.below(100) >= percent {
            continue;
        }
        let id = fitting[lot.below(fitting.len())];
        let class = &library.classes[id];
        let sets: Vec<FamilySet> =
            FamilySet::all(class.families.len()).filter(|set| class.closed(*set) == *set).collect();
        let families = sets[lot.below(sets.len())];
        let roles = heapwise_refine::samples::in_roles(class, &links);
        precision = precision.with_shape(view, ShapeType { class: ClassId(id), roles, families });
    }
    let tests = |lot: &mut Lot, numbers: &[ScalarVariable]| {
        let mut tests = Vec::new();
        for constant in 0..3 {
            tests.extend((lot.below(3) == 0).then_some(NumberTest::Equals(constant)));
            tests.extend((lot.below(3) == 0).then_some(NumberTest::Below(constant)));
        }
        tests.extend(numbers.iter().filter(|_| lot.below(4) == 0).map(|other| NumberTest::Same(*other)));
        tests
    };
    let numbers: Vec<ScalarVariable> =
        variables.iter().copied().filter(|variable| memory.variable_int(*variable).is_some()).collect();
    for number in &numbers {
        for test in tests(lot, &numbers) {
            let is_other = !matches!(test, NumberTest::Same(other) if other <= *number);
            if is_other && memory.can_ask(memory.variable_int(*number), test) {
                precision.variable_tests.insert((*number, test));
            }
        }
    }
    let fields: Vec<_> = precision.fields.iter().copied().collect();
    for field in fields {
        for test in tests(lot, &numbers) {
            if memory.can_ask(memory.field_int(field), test) {
                precision.field_tests.insert((field, test));
            }
        }
    }
    precision
}

fn n_programs() -> u64 {
    std::env::var("HEAPWISE_ORACLE_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(100)
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
    let calls = Knobs { functions: 1..=2, weights: Weights { call: 2, ..graphs.weights }, ..graphs.clone() };
    let data = Knobs { data: Data::Integers, ..graphs.clone() };
    vec![
        Knobs::singly_linked_lists(),
        Knobs::lists_with_calls(),
        Knobs::lists_with_globals_and_data(),
        graphs,
        calls,
        data,
        Knobs::compared_data(),
    ]
}

fn agree(tracked: Tracked, join: Join, n: u64) -> Agreement {
    let knobs = knobs();
    let n_knobs = knobs.len() as u64;
    let seeds = |i: u64| n * i / n_knobs..n * (i + 1) / n_knobs;
    let programs: Vec<_> = knobs.into_iter().zip(0..).map(|(knobs, i)| (knobs, seeds(i))).collect();
    let agreed = check_random(&Trees { tracked, join }, &programs, &Effort::QUICK);
    let total = agreed.unwrap_or_else(|counterexample| panic!("{counterexample}"));
    println!("{total:?}");
    total
}

#[test]
fn what_the_search_tracks_represents_every_heap_and_suspects_every_error() {
    for join in [Join::Partial, Join::Relational] {
        let total = agree(Tracked::BySearch, join, n_programs());
        assert!(total.gaps * 4 < total.programs, "{total:?}");
        assert!(total.states > total.programs && total.errors > total.programs / 10, "{total:?}");
    }
}

#[test]
fn whatever_is_tracked_represents_every_heap_and_suspects_every_error() {
    for join in [Join::Partial, Join::Relational] {
        let total = agree(Tracked::ByLot, join, n_programs());
        assert!(total.gaps * 2 < total.programs, "{total:?}");
        assert!(total.states > total.programs && total.errors > total.programs / 10, "{total:?}");
    }
}

#[test]
fn all_that_is_tracked_represents_every_heap_and_suspects_every_error() {
    let total = agree(Tracked::All, Join::Partial, n_programs());
    assert!(total.gaps * 2 < total.programs, "{total:?}");
    assert!(total.states > total.programs && total.errors > total.programs / 10, "{total:?}");
}
