//! The engine: the search, and what is said about it.

use crate::classes::{ClassLibrary, SHIPPED};
use crate::explore::Suspicion;
use crate::memory::{Memory, ScalarKind, Slot};
use crate::samples::Thresholds;
use crate::search::{Draws, Ending, Found, Mode, Search};
use crate::transfer::Problem;
use heapwise_confirm::{ConcreteProbe, Confirmer, EdgePath, Effort, add, judge, possible, report_possible};
use heapwise_engine::reason::{
    Assumption, CallGap, ContractGap, Doing, Element, LastAttempt, Note, PointerGap, RefineGap,
};
use heapwise_engine::{
    AllocationFailure, Certainty, Control, Dumps, Elsewhere, Engine, EngineEntry, Finding, Gap, GapReason, InAuto,
    Invariant, Invariants, Kind, NamedValue, Options, Outcome, Setting, SettingValues, Statement, Stats, Stopped,
    TraceStep, Values,
};
use heapwise_fixpoint::{InlineError, ProgramFlow};
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{Body, FunctionId, Liveness, Program, Span, reachable_functions};
use heapwise_pointsto::Mode as PointsToMode;
use rustc_hash::FxHashMap;

/// The kinds of error that this engine looks for.
pub const KINDS: [Kind; 10] = [
    Kind::Leak,
    Kind::NullDereference,
    Kind::UseAfterFree,
    Kind::DoubleFree,
    Kind::InvalidFree,
    Kind::OutOfBounds,
    Kind::Uninitialised,
    Kind::DanglingReturn,
    Kind::Assertion,
    Kind::Shape,
];

/// Inlined programs with more points are not analysed.
const MOST_POINTS: usize = 20_000;

/// What can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How the abstraction is found.
    pub mode: Mode,
    /// How much is sampled.
    pub thresholds: Thresholds,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { mode: Mode::Explicit, thresholds: Thresholds::default() }
    }
}

/// The engine `refine`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RefineEngine {
    /// What was set.
    pub settings: Settings,
}

impl RefineEngine {
    /// Made from what was given.
    pub fn from_values(values: &SettingValues) -> RefineEngine {
        let thresholds =
            Thresholds { samples: values.get(&SAMPLES), cells: values.get(&SAMPLE_CELLS), ..Thresholds::default() };
        RefineEngine { settings: Settings { mode: values.get(&REFINEMENT), thresholds } }
    }

    /// Searches for an abstraction, and hands over what was found; a gap if the program cannot be looked at.
    pub fn with_search<T>(
        &self,
        program: &Program,
        options: &Options,
        control: &Control,
        draws: Draws,
        use_it: impl FnOnce(&Search<'_>, Found) -> T,
    ) -> Result<T, Gap> {
        let whole = |reason: GapReason| Gap { span: Span::NONE, reason };
        let asked = heapwise_pointsto::Options::new(PointsToMode::ContextInsensitive, options.entry);
        let pointsto = heapwise_pointsto::analyse(program, &asked);
        let flow =
            ProgramFlow::inlined(program, options.entry, &pointsto, MOST_POINTS).map_err(|error| match error {
                InlineError::Recursive(function) => {
                    let function = &program.functions[function];
                    Gap { span: function.span, reason: CallGap::Recursion { function: function.name.clone() }.into() }
                }
                InlineError::TooLarge => whole(CallGap::TooLargeInlined.into()),
            })?;
        let functions = reachable_functions(program, options.entry, &pointsto);
        let liveness: FxHashMap<FunctionId, Liveness> = functions
            .iter()
            .filter_map(|function| Some((*function, Liveness::of(&program.functions[*function])?)))
            .collect();
        let memory = Memory::new(program, &pointsto, functions);
        inputs_are_followed(program, options, &memory, &liveness)?;
        let library = ClassLibrary::parse(SHIPPED).map_err(|_| whole(RefineGap::ClassUnusable.into()))?;
        let Settings { mode, thresholds } = self.settings;
        let search = Search {
            memory: &memory,
            library: &library,
            flow: &flow,
            liveness: &liveness,
            options,
            control,
            mode,
            thresholds,
            draws,
        };
        let found = search.run();
        Ok(use_it(&search, found))
    }
}

/// A pointer that comes from outside is not followed.
fn inputs_are_followed(
    program: &Program,
    options: &Options,
    memory: &Memory<'_>,
    liveness: &FxHashMap<FunctionId, Liveness>,
) -> Result<(), Gap> {
    let entry = &program.functions[options.entry];
    let Some(automaton) = entry.automaton() else { return Ok(()) };
    for parameter in &entry.parameters {
        let is_live = liveness.get(&options.entry).is_none_or(|live| live.is_live(automaton.entry, *parameter));
        let slot = Slot::Register(options.entry, *parameter);
        if is_live && memory.slot_kind(slot) == ScalarKind::Pointer {
            return Err(Gap { span: entry.span, reason: PointerGap::FromInput.into() });
        }
    }
    Ok(())
}

impl Engine for RefineEngine {
    fn name(&self) -> &'static str {
        "refine"
    }

    fn check(&self, program: &Program, options: &Options, control: &Control) -> Outcome {
        let mut outcome = Outcome::default();
        if options.allocation_failure == AllocationFailure::Never {
            outcome.assumptions.push(Assumption::AllocationSucceeds);
        }
        outcome.gaps.extend(
            program.gaps.iter().map(|(span, reason)| Gap { span: *span, reason: GapReason::Text(reason.clone()) }),
        );
        for kind in options.properties.iter().filter(|kind| !KINDS.contains(kind)) {
            outcome.gaps.push(Gap { span: Span::NONE, reason: RefineGap::KindNotLookedFor { kind: *kind }.into() });
        }
        if options.asks_for(Kind::Shape) {
            outcome.gaps.extend(program.contracts.iter().map(|contract| {
                let function = program.functions[contract.function].name.clone();
                Gap { span: contract.span, reason: ContractGap::Unchecked { function }.into() }
            }));
        }
        let entry = &program.functions[options.entry];
        if let Body::Extern(_) = entry.body {
            let reason = CallGap::EntryWithoutBody { function: entry.name.clone() }.into();
            outcome.gaps.push(Gap { span: entry.span, reason });
            return outcome;
        }
        let confirmer = Confirmer { program, options, control };
        // Where the search does not end, there is time left for runs.
        let part = control.part(3, 4);
        let searched = self.with_search(program, options, &part, Draws::Nothing, |search, found| {
            conclude(search, found, confirmer, &mut outcome);
        });
        let is_searched = searched.is_ok();
        if let Err(gap) = searched {
            outcome.gaps.push(gap);
        }
        let is_decided = outcome.findings.iter().any(|finding| finding.certainty == Certainty::Confirmed);
        let is_doubtful = !outcome.gaps.is_empty() || !outcome.findings.is_empty() || outcome.stopped.is_some();
        if is_searched && is_doubtful && !is_decided {
            for shown in ConcreteProbe::of(confirmer).shown() {
                outcome.findings.retain(|other| (other.kind, other.span) != (shown.kind, shown.span));
                add(&mut outcome.findings, shown.clone());
            }
        }
        outcome.findings.sort_by_key(|finding| (finding.certainty, finding.span, finding.kind));
        outcome.gaps.sort();
        outcome.gaps.dedup();
        outcome
    }
}

/// A suspicion of an error, with the way to it.
struct Suspected {
    kind: Kind,
    at: Statement,
    path: EdgePath,
}

impl heapwise_confirm::Suspicion for Suspected {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn at(&self) -> Statement {
        self.at
    }

    fn possible(&self) -> Finding {
        let message = "the abstraction does not exclude this error".to_owned();
        let Statement { function, span } = self.at;
        let last = TraceStep { span, function, message: message.clone(), heap: None };
        possible(self.kind, self.at, message, vec![last])
    }
}

fn conclude(search: &Search<'_>, found: Found, confirmer: Confirmer<'_>, outcome: &mut Outcome) {
    let program = confirmer.program;
    outcome.stats = Stats { elements: found.facts as u64, locations: found.points as u64 };
    outcome.reached = search.flow.contexts.values().map(|context| context.function).collect();
    outcome.reached.sort_unstable();
    outcome.reached.dedup();
    outcome.refinements = found.log;
    if found.kept_apart > 0 {
        outcome.notes.push(Note::Attempts { attempts: found.kept_apart + 1, last: LastAttempt::AllApart });
    }
    for (step, kind) in &found.unasked {
        let (function, edge) = search.edge(*step);
        let note = Note::UnaskedEnd { kind: *kind, span: search.span(function, edge), certainty: Certainty::Possible };
        if !outcome.notes.contains(&note) {
            outcome.notes.push(note);
        }
    }
    let mut suspects = |suspicions: Vec<Suspicion>| {
        let mut errors = Vec::new();
        for suspicion in suspicions {
            let Some(at) = search.statement(&suspicion) else {
                outcome.gaps.push(Gap { span: Span::NONE, reason: RefineGap::RefinementFailed.into() });
                continue;
            };
            match suspicion.problem {
                Problem::Error(kind) => {
                    let path = EdgePath::new(program, suspicion.path.iter().map(|step| search.edge(*step)));
                    errors.push(Suspected { kind, at, path });
                }
                Problem::Gap(reason) => outcome.gaps.push(Gap { span: at.span, reason }),
            }
        }
        let look = |it: &Suspected| match it.kind {
            // A dead variable may still hold the cell where the abstraction loses it.
            Kind::Leak => confirmer.loss(&it.path),
            _ => confirmer.along(it, &it.path, Effort::Search),
        };
        let doubtful = judge(errors, &mut outcome.findings, look);
        report_possible(doubtful, &mut outcome.findings);
    };
    match found.ending {
        Ending::Proved => {}
        Ending::Open(suspicions) => suspects(suspicions),
        Ending::Failed(suspicion) => {
            let span = search.statement(&suspicion).map_or(Span::NONE, |at| at.span);
            suspects(vec![suspicion]);
            outcome.gaps.push(Gap { span, reason: RefineGap::RefinementFailed.into() });
        }
        Ending::Gap(gap) => outcome.gaps.push(gap),
        Ending::Exhausted(why) => {
            let doing = Doing::Growing { elements: outcome.stats.elements, of: Element::Structure };
            outcome.stopped = Some(Stopped { why, span: Span::NONE, doing });
        }
    }
}

fn invariants(values: &SettingValues, program: &Program, options: &Options, control: &Control) -> Invariants {
    let engine = RefineEngine::from_values(values);
    let drawn = engine.with_search(program, options, control, Draws::Invariants, |search, found| {
        let mut places = Vec::new();
        for (point, drawings) in found.drawings {
            let origin = search.flow.points[point];
            let function = search.flow.contexts[origin.context].function;
            let mut call_string = Vec::new();
            let mut caller = search.flow.contexts[origin.context].caller;
            while let Some((context, _)) = caller {
                call_string.insert(0, search.flow.contexts[context].function);
                caller = search.flow.contexts[context].caller;
            }
            let automaton = program.functions[function].automaton();
            let span = automaton.and_then(|automaton| {
                automaton.outgoing[origin.location].first().map(|edge| automaton.edges[*edge].span)
            });
            places.push(Invariant {
                function,
                location: origin.location,
                span: span.unwrap_or(Span::NONE),
                call_string,
                drawings,
            });
        }
        places.sort_by_key(|place| (place.function.index(), place.location.index()));
        places
    });
    Invariants { places: drawn.unwrap_or_default(), notes: Vec::new() }
}

/// How the abstraction is found.
pub static REFINEMENT: Setting<Mode> = Setting {
    name: "refinement",
    help: "Engine refine: how it finds its abstraction",
    values: Values::OneOf(&[
        NamedValue {
            name: "explicit",
            help: "By refinement; classes of shapes from heaps of sampled runs",
            means: Mode::Explicit,
        },
        NamedValue {
            name: "annotated",
            help: "By refinement; classes of shapes from the names of fields",
            means: Mode::Annotated,
        },
        NamedValue {
            name: "max",
            help: "All pointers and fields, and all predicates of the finest class, at once",
            means: Mode::Maximal,
        },
    ]),
    elsewhere: Elsewhere::Lacking("refinement of classes of shapes"),
};

/// How many heaps are sampled.
pub static SAMPLES: Setting<usize> = Setting {
    name: "samples",
    help: "Engine refine: so many different heaps behind each pointer are enough to tell a data structure",
    values: Values::Parsed {
        placeholder: "NUMBER",
        expected: "a whole number from 1",
        default: "5",
        parse: |text| text.parse().ok().filter(|number| *number > 0),
    },
    elsewhere: Elsewhere::Lacking("samples of heaps"),
};

/// How large sampled heaps are.
pub static SAMPLE_CELLS: Setting<usize> = Setting {
    name: "sample-cells",
    help: "Engine refine: a heap with fewer cells is no sample",
    values: Values::Parsed {
        placeholder: "NUMBER",
        expected: "a whole number from 1",
        default: "4",
        parse: |text| text.parse().ok().filter(|number| *number > 0),
    },
    elsewhere: Elsewhere::Lacking("samples of heaps"),
};

/// How the engine presents itself.
pub static ENTRY: EngineEntry = EngineEntry {
    name: "refine",
    help: "3-valued structures whose predicates are found by sampling heaps and by refinement along spurious paths",
    auto: InAuto::ByNameOnly,
    settings: &[&REFINEMENT, &SAMPLES, &SAMPLE_CELLS],
    make: |values| Box::new(RefineEngine::from_values(values)),
    dumps: Dumps { program: None, invariants: Some(invariants) },
};
