//! The engine: the search, and what is said about it.

use crate::explore::Suspicion;
use crate::samples::Thresholds;
use crate::search::{Ending, Found, Keeps, Mode, Search};
use heapwise_confirm::{ConcreteProbe, Confirmer, EdgePath, Effort, add, judge, possible, report_possible};
use heapwise_engine::reason::{Assumption, Doing, Element, LastAttempt, Note, RefineGap};
use heapwise_engine::{
    AllocationFailure, Certainty, Control, Dumps, Elsewhere, Engine, EngineEntry, Finding, Gap, InAuto, Invariant,
    Invariants, Kind, NamedValue, Options, Outcome, Parts, Setting, SettingValues, Statement, Stats, Stopped,
    TraceStep, Unbegun, Values, Verdict,
};
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{Body, Program, Span};
use heapwise_shapes::classes::ClassLibrary;
use heapwise_shapes::subject::{self, Subject};
use heapwise_shapes::transfer::Problem;

/// What can be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How the abstraction is found.
    pub mode: Mode,
    /// How much is sampled.
    pub thresholds: Thresholds,
    /// The classes of shapes.
    pub classes: ClassLibrary,
    /// Whether *safe* comes with a certificate.
    pub certificate: CertificateWish,
}

/// Whether *safe* comes with a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CertificateWish {
    /// Nobody asked for one: it takes time to write it down.
    #[default]
    NotAsked,
    /// It does.
    Asked,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            mode: Mode::Explicit,
            thresholds: Thresholds::default(),
            classes: ClassLibrary::shipped(),
            certificate: CertificateWish::default(),
        }
    }
}

/// The engine `refine`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RefineEngine {
    /// What was set.
    pub settings: Settings,
}

impl RefineEngine {
    /// Made from what was given.
    pub fn from_values(values: &SettingValues) -> RefineEngine {
        let thresholds =
            Thresholds { samples: values.get(&SAMPLES), cells: values.get(&SAMPLE_CELLS), ..Thresholds::default() };
        let (mode, classes, certificate) = (values.get(&REFINEMENT), values.get(&CLASSES), values.get(&CERTIFICATE));
        RefineEngine { settings: Settings { mode, thresholds, classes, certificate } }
    }

    /// Searches for an abstraction, and hands over what was found; a gap if the program cannot be looked at. `is_shown` says whether
    /// concrete runs show an error.
    pub fn with_search<T>(
        &self,
        program: &Program,
        options: &Options,
        control: &Control,
        (keeps, is_shown): (Keeps, &dyn Fn() -> bool),
        use_it: impl FnOnce(&Search<'_>, Found) -> T,
    ) -> Result<T, Unbegun> {
        let doing = Doing::Running { engine: "refine".to_owned() };
        Subject::within(program, options, (control, doing), |subject| {
            let Settings { mode, thresholds, classes, .. } = &self.settings;
            let (mode, thresholds) = (*mode, *thresholds);
            let search = Search { subject, library: classes, control, mode, thresholds, keeps, is_shown };
            let found = search.run();
            use_it(&search, found)
        })
    }
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
        outcome.gaps.extend(subject::gaps(program, options));
        if let Body::Extern(_) = program.functions[options.entry].body {
            return outcome;
        }
        let confirmer = Confirmer { program, options, control };
        // Where the search does not end, there is time left for runs.
        let part = control.part(3, 4);
        let keeps = match self.settings.certificate {
            CertificateWish::NotAsked => Keeps::Nothing,
            CertificateWish::Asked => Keeps::Certificate,
        };
        let probe = ConcreteProbe::of(confirmer);
        let is_shown = || !probe.shown().is_empty();
        let searched = self.with_search(program, options, &part, (keeps, &is_shown), |search, found| {
            conclude(search, found, confirmer, &mut outcome);
        });
        let is_searched = searched.is_ok();
        if let Err(unbegun) = searched {
            unbegun.write(&mut outcome);
        }
        let is_decided = outcome.findings.iter().any(|finding| finding.certainty == Certainty::Confirmed);
        let is_doubtful = !outcome.gaps.is_empty() || !outcome.findings.is_empty() || outcome.stopped.is_some();
        if is_searched && is_doubtful && !is_decided {
            for shown in probe.shown() {
                outcome.findings.retain(|other| (other.kind, other.span) != (shown.kind, shown.span));
                add(&mut outcome.findings, shown.clone());
            }
        }
        outcome.findings.sort_by_key(|finding| (finding.certainty, finding.span, finding.kind));
        outcome.gaps.sort();
        outcome.gaps.dedup();
        if outcome.verdict() != Verdict::Safe {
            outcome.certificate = None;
        }
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
    outcome.reached = search.subject.flow.contexts.values().map(|context| context.function).collect();
    outcome.reached.sort_unstable();
    outcome.reached.dedup();
    outcome.refinements = found.log;
    outcome.certificate = found.kept.certificate;
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
        Ending::Open { feasible, undecided, unexplored } => {
            suspects(feasible);
            let last_steps = undecided.iter().filter_map(|suspicion| suspicion.path.last().copied());
            for step in last_steps.chain(unexplored) {
                let (function, edge) = search.edge(step);
                let span = search.span(function, edge);
                outcome.gaps.push(Gap { span, reason: RefineGap::Undecided.into() });
            }
        }
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
    let drawn = engine.with_search(program, options, control, (Keeps::Drawings, &|| false), |search, found| {
        let mut places = Vec::new();
        for (point, drawings) in found.kept.drawings {
            let origin = search.subject.flow.points[point];
            let function = search.subject.flow.contexts[origin.context].function;
            let mut call_string = Vec::new();
            let mut caller = search.subject.flow.contexts[origin.context].caller;
            while let Some((context, _)) = caller {
                call_string.insert(0, search.subject.flow.contexts[context].function);
                caller = search.subject.flow.contexts[context].caller;
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

/// The classes of shapes, if they are not those that come with heapwise.
pub static CLASSES: Setting<ClassLibrary> = Setting {
    name: "classes",
    help: "Engine refine: file with classes of shapes, to be used beside those that come with heapwise",
    values: Values::File { parse: |text| ClassLibrary::shipped_and(text).map_err(|error| error.to_string()) },
    elsewhere: Elsewhere::Lacking("classes of shapes"),
};

/// Where the proof of *safe* is written.
pub static CERTIFICATE: Setting<CertificateWish> = Setting {
    name: "certificate",
    help: "Engine refine: write the proof of `safe` into this file; `heapwise verify-certificate` checks it",
    values: Values::Output { not_asked: CertificateWish::NotAsked, asked: CertificateWish::Asked },
    elsewhere: Elsewhere::Lacking("certificates"),
};

/// How the engine presents itself.
pub static ENTRY: EngineEntry = EngineEntry {
    name: "refine",
    help: "3-valued structures whose predicates are found by sampling heaps and by refinement along spurious paths",
    auto: InAuto::ByNameOnly,
    settings: &[&REFINEMENT, &CLASSES, &CERTIFICATE, &SAMPLES, &SAMPLE_CELLS],
    make: |values| Box::new(RefineEngine::from_values(values)),
    dumps: Dumps { program: None, invariants: Some(invariants) },
    parts: Parts::OneEntry,
};
