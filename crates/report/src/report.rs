//! The report: an outcome with names in place of ids.

use crate::baseline::Baseline;
use crate::record::Record;
use crate::words;
use heapwise_engine::reason::{DefectGap, GapReason};
use heapwise_engine::{
    Answer, Certainty, Certificate, ChoiceQuestion, Drawing, Kind, Outcome, RefinementStep, SiteCoverage, SiteExtent,
    Stopped, Verdict,
};
use heapwise_ir::{FileId, FunctionId, Program, Span};
use std::collections::BTreeMap;
use std::time::Duration;

/// Everything that is said to the user about one program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The verdict, as the outcome has it.
    pub verdict: Verdict,
    /// What the verdict assumes.
    pub assumptions: Vec<String>,
    /// The findings, in the order of the outcome.
    pub findings: Vec<Finding>,
    /// What could not be seen through, and the budget that ran out, if one did.
    pub gaps: Vec<Gap>,
    /// What each engine that was asked had to say, the most telling first.
    pub engines: Vec<EngineAnswer>,
    /// How far each allocation site was followed; empty where the engine does not look at one at a time.
    pub sites: Vec<Site>,
    /// The refinements that led to the answer, in order.
    pub refinements: Vec<Refined>,
    /// What proves the verdict *safe*; nothing where nobody asked for it.
    pub certificate: Option<Certificate>,
    /// Functions of the text that no execution reaches, as far as the engine saw: *safe* says nothing of them. Empty for other
    /// verdicts, where it would not be the whole truth.
    pub unreached: Vec<Unreached>,
    /// What was read and asked, so that runs can be made again; `None` where whoever asked did not say.
    pub record: Option<Record>,
    /// How many findings a baseline hides.
    pub n_hidden: usize,
    /// Lines that do not touch the verdict.
    pub notes: Vec<String>,
    /// Numbers about the run.
    pub stats: Stats,
    /// The files that findings, traces and gaps name.
    sources: Vec<Source>,
}

/// One error, with the way to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What.
    pub kind: Kind,
    /// How sure.
    pub certainty: Certainty,
    /// Where.
    pub place: Place,
    /// In which function.
    pub function: String,
    /// A name that stays the same when unrelated text changes.
    pub fingerprint: String,
    /// One sentence.
    pub message: String,
    /// The way to it, in order.
    pub trace: Vec<Step>,
    /// What the run to a confirmed finding chose, in order.
    pub choices: Vec<Choice>,
    /// Where else the program fails for the same reason.
    pub also: Vec<AlsoAt>,
}

/// Another place where the program fails for the reason of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AlsoAt {
    /// What happens there.
    pub kind: Kind,
    /// How sure that is.
    pub certainty: Certainty,
    /// Where.
    pub place: Place,
    /// In which function.
    pub function: String,
}

/// Something that the run to an error did not determine itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// What was open.
    pub question: ChoiceQuestion,
    /// What was decided.
    pub answer: Answer,
    /// The same in words.
    pub words: String,
    /// Where.
    pub place: Place,
    /// In which function.
    pub function: String,
}

impl Finding {
    /// The heap in which a shape or a contract does not hold.
    pub fn broken_heap(&self) -> Option<&Drawing> {
        let last = self.trace.last().filter(|_| self.kind == Kind::Shape);
        last.and_then(|step| step.heap.as_ref())
    }
}

/// One step of the way to an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where.
    pub place: Place,
    /// In which function.
    pub function: String,
    /// What happens.
    pub message: String,
    /// The heap after the step, if it was kept.
    pub heap: Option<Drawing>,
}

/// What one engine said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineAnswer {
    /// Its name.
    pub name: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// How many findings it has.
    pub n_findings: usize,
    /// What kept it from a proof: the construct, or else the budget. `None` if it came to its end and saw everything.
    pub obstacle: Option<Gap>,
    /// How many more such things there are.
    pub n_more: usize,
    /// What can be done about it.
    pub hint: Option<String>,
}

/// A function that no execution reaches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreached {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub place: Place,
}

/// Something the analysis could not see through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// Where; without a source where it concerns the whole run.
    pub place: Place,
    /// What and why.
    pub reason: String,
    /// The part of heapwise that made a mistake, if that is what it is: a program gives no reason for it.
    pub mistaken: Option<Part>,
}

/// A part of heapwise that checks what it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// From a program to a program over cells.
    Translation,
    /// Among concrete runs.
    Search,
}

impl Part {
    /// The part that broke its own law, if a reason says so.
    fn that_broke(reason: &GapReason) -> Option<Part> {
        let GapReason::Defect(defect) = reason else { return None };
        match defect {
            DefectGap::NoValueOnSomeWay { .. } => Some(Part::Translation),
            DefectGap::RunNotRepeated => Some(Part::Search),
            DefectGap::NoEngine | DefectGap::NotAtItsEnd { .. } => None,
        }
    }

    /// As JSON has it.
    pub fn name(self) -> &'static str {
        match self {
            Part::Translation => "translation",
            Part::Search => "search",
        }
    }
}

/// An allocation site, and how far its cells were followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// Where.
    pub place: Place,
    /// In which function.
    pub function: String,
    /// What kept the engine from following them to the end.
    pub obstacle: Option<String>,
}

/// A refinement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refined {
    /// The suspicion that it was made for; without a source where it was made for several.
    pub place: Place,
    /// What it was, as data.
    pub step: RefinementStep,
    /// The same in words.
    pub words: String,
}

/// Numbers about the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stats {
    /// The engine that answered.
    pub engine: String,
    /// Elements computed.
    pub elements: u64,
    /// Locations visited.
    pub locations: u64,
    /// What the run cost. Absent unless asked for, because it differs from run to run and reports do not.
    pub usage: Option<Usage>,
}

/// What a run cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Usage {
    /// Wall-clock time.
    pub time: Duration,
    /// The most memory that the process held, where the system tells.
    pub peak_bytes: Option<u64>,
}

/// A place in a source; lines and columns count from 1, columns count bytes. Without a source all numbers are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file.
    pub source: Option<SourceId>,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// One past the last column.
    pub end_column: u32,
}

/// A source of one report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SourceId(usize);

impl SourceId {
    /// The position among [`Report::sources`].
    pub fn index(self) -> usize {
        self.0
    }
}

/// A source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The path as the user or the `#include` gave it.
    pub path: String,
    /// The text; empty where it was not kept.
    pub text: String,
}

impl Report {
    /// The report of `engine`'s outcome about `program`.
    pub fn new(program: &Program, engine: &str, outcome: &Outcome, usage: Option<Usage>) -> Report {
        let mut names = Names::continued(program, Vec::new());
        let fingerprints = crate::fingerprint::of(program, &outcome.findings);
        let findings = outcome.findings.iter().zip(fingerprints);
        let findings = findings.map(|(finding, fingerprint)| names.finding(finding, fingerprint)).collect();
        let gaps = names.gaps(outcome);
        let unreached = names.unreached(outcome);
        let sites = outcome.sites.iter().map(|site| names.site(site)).collect();
        let refinements = outcome.refinements.iter().map(|step| names.refined(step)).collect();
        Report {
            verdict: outcome.verdict(),
            assumptions: outcome.assumptions.iter().map(words::assumption).collect(),
            findings,
            gaps,
            engines: Vec::new(),
            sites,
            refinements,
            certificate: outcome.certificate.clone(),
            unreached,
            record: None,
            n_hidden: 0,
            notes: outcome.notes.iter().map(|note| words::note(program, note)).collect(),
            stats: Stats {
                engine: engine.to_owned(),
                elements: outcome.stats.elements,
                locations: outcome.stats.locations,
                usage,
            },
            sources: names.sources,
        }
    }

    /// Takes out the findings that a baseline names. The verdict stays: what is known is still there.
    pub fn hide(&mut self, baseline: &Baseline) {
        let before = self.findings.len();
        self.findings.retain(|finding| !baseline.has(&finding.fingerprint));
        self.n_hidden = before - self.findings.len();
    }

    /// Adds what an engine had to say about the program, behind those that are there.
    pub fn add_engine(&mut self, program: &Program, engine: &str, outcome: &Outcome) {
        let placed = outcome.gaps.iter().find(|gap| gap.span.file.is_some());
        let stopped = outcome.stopped.as_ref();
        let n_sites = outcome.sites.iter().filter(|site| !site.extent.is_full()).count();
        let sources = std::mem::take(&mut self.sources);
        let mut names = Names::continued(program, sources);
        // A construct can be changed; a budget that is larger may not help. What has no place comes last.
        let (obstacle, hint) = match (placed, stopped, outcome.gaps.first()) {
            (Some(gap), _, _) | (None, None, Some(gap)) => (Some(names.gap(gap)), words::against_gap(&gap.reason)),
            (None, Some(stopped), _) => (Some(names.stopped(stopped)), words::against_budget(stopped.why)),
            (None, None, None) => names.cut_site(outcome),
        };
        let answer = EngineAnswer {
            name: engine.to_owned(),
            verdict: outcome.verdict(),
            n_findings: outcome.findings.len(),
            obstacle,
            n_more: (outcome.gaps.len() + usize::from(stopped.is_some()) + n_sites).saturating_sub(1),
            hint: hint.map(str::to_owned),
        };
        self.sources = names.sources;
        self.engines.push(answer);
    }

    /// Says that an engine did not answer in time. All that is known of it is how many findings it had confirmed.
    pub fn add_silent_engine(&mut self, engine: &str, n_findings: usize, stopped: &Stopped) {
        let place = Place { source: None, line: 0, column: 0, end_line: 0, end_column: 0 };
        let obstacle = Some(Gap { place, reason: words::stopped(stopped), mistaken: None });
        let hint = words::against_budget(stopped.why).map(str::to_owned);
        let name = engine.to_owned();
        let verdict = if n_findings > 0 { Verdict::Unsafe } else { Verdict::Unknown };
        let answer = EngineAnswer { name, verdict, n_findings, obstacle, n_more: 0, hint };
        self.engines.push(answer);
    }

    /// The source of that id.
    pub fn source(&self, id: SourceId) -> &Source {
        &self.sources[id.0]
    }

    /// All sources that the report names, in order of their ids.
    pub fn sources(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        self.sources.iter().enumerate().map(|(index, source)| (SourceId(index), source))
    }

    /// The path of a place's file, if it has one.
    pub fn path(&self, place: Place) -> Option<&str> {
        place.source.map(|id| self.source(id).path.as_str())
    }
}

/// The name of a verdict in every format.
pub fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Safe => "safe",
        Verdict::Unsafe => "unsafe",
        Verdict::Unknown => "unknown",
    }
}

/// The name of a certainty in every format.
pub fn certainty_name(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Confirmed => "confirmed",
        Certainty::Possible => "possible",
    }
}

/// Resolves ids, and collects the sources that are named.
struct Names<'p> {
    program: &'p Program,
    sources: Vec<Source>,
    known: BTreeMap<FileId, SourceId>,
}

impl<'p> Names<'p> {
    /// Names for a report that has sources already.
    fn continued(program: &'p Program, sources: Vec<Source>) -> Names<'p> {
        let position = |path: &str| sources.iter().position(|source| source.path == path);
        let known = program.files.iter().filter_map(|(file, it)| Some((file, SourceId(position(&it.path)?)))).collect();
        Names { program, sources, known }
    }

    fn gap(&mut self, gap: &heapwise_engine::Gap) -> Gap {
        let mistaken = Part::that_broke(&gap.reason);
        Gap { place: self.place(gap.span), reason: words::gap(&gap.reason), mistaken }
    }

    fn stopped(&mut self, stopped: &Stopped) -> Gap {
        Gap { place: self.place(stopped.span), reason: words::stopped(stopped), mistaken: None }
    }

    fn gaps(&mut self, outcome: &Outcome) -> Vec<Gap> {
        let stopped = outcome.stopped.as_ref().map(|stopped| self.stopped(stopped));
        let gaps = outcome.gaps.iter().map(|gap| self.gap(gap)).collect::<Vec<_>>();
        gaps.into_iter().chain(stopped).collect()
    }

    fn site(&mut self, coverage: &SiteCoverage) -> Site {
        Site {
            place: self.place_in(coverage.site.span, coverage.site.function),
            function: self.function(coverage.site.function),
            obstacle: words::site(&coverage.extent),
        }
    }

    /// The first site that was not followed to the end, and what can be done about it.
    fn cut_site(&mut self, outcome: &Outcome) -> (Option<Gap>, Option<&'static str>) {
        for coverage in &outcome.sites {
            let hint = match &coverage.extent {
                SiteExtent::Full => continue,
                SiteExtent::UpToGap(reason) => words::against_gap(reason),
                SiteExtent::Cut(why) => words::against_budget(*why),
            };
            let Site { place, obstacle, .. } = self.site(coverage);
            return (obstacle.map(|reason| Gap { place, reason, mistaken: None }), hint);
        }
        (None, None)
    }

    fn refined(&mut self, step: &RefinementStep) -> Refined {
        let place = match step.because {
            Some(statement) => self.place_in(statement.span, statement.function),
            None => self.place(Span::NONE),
        };
        Refined { place, step: step.clone(), words: words::refinement(step) }
    }

    fn unreached(&mut self, outcome: &Outcome) -> Vec<Unreached> {
        if outcome.verdict() != Verdict::Safe {
            return Vec::new();
        }
        let program = self.program;
        let is_reached = |id: FunctionId| outcome.reached.binary_search(&id).is_ok();
        let defined =
            program.functions.iter().filter(|(id, function)| function.automaton().is_some() && !is_reached(*id));
        let defined = defined.map(|(_, function)| (function.span, function.name.clone()));
        // What no text wrote is of no interest.
        let mut all: Vec<(Span, String)> = defined.filter(|(span, _)| span.file.is_some()).collect();
        all.extend(program.uncalled.iter().map(|(name, span)| (*span, name.clone())));
        all.sort();
        all.dedup();
        all.into_iter().map(|(span, name)| Unreached { name, place: self.place(span) }).collect()
    }

    fn finding(&mut self, finding: &heapwise_engine::Finding, fingerprint: String) -> Finding {
        Finding {
            fingerprint,
            kind: finding.kind,
            certainty: finding.certainty,
            place: self.place_in(finding.span, finding.function),
            function: self.function(finding.function),
            message: finding.message.clone(),
            trace: finding
                .trace
                .iter()
                .map(|step| Step {
                    place: self.place_in(step.span, step.function),
                    function: self.function(step.function),
                    message: step.message.clone(),
                    heap: step.heap.clone(),
                })
                .collect(),
            choices: finding
                .choices
                .iter()
                .map(|choice| Choice {
                    question: choice.question.clone(),
                    answer: choice.answer.clone(),
                    words: choice.to_string(),
                    place: self.place(choice.span),
                    function: self.function(choice.function),
                })
                .collect(),
            also: finding
                .also
                .iter()
                .map(|elsewhere| AlsoAt {
                    kind: elsewhere.kind,
                    certainty: elsewhere.certainty,
                    place: self.place_in(elsewhere.at.span, elsewhere.at.function),
                    function: self.function(elsewhere.at.function),
                })
                .collect(),
        }
    }

    fn function(&self, id: FunctionId) -> String {
        self.program.functions.get(id).map(|function| function.name.clone()).unwrap_or_default()
    }

    /// What no text wrote (an implicit `return`) is shown where its function is.
    fn place_in(&mut self, span: Span, function: FunctionId) -> Place {
        let fallback = self.program.functions.get(function).map_or(Span::NONE, |function| function.span);
        self.place(if span.file.is_some() { span } else { fallback })
    }

    fn place(&mut self, span: Span) -> Place {
        let Some(source) = span.file.and_then(|file| self.source(file)) else {
            return Place { source: None, line: 0, column: 0, end_line: 0, end_column: 0 };
        };
        Place {
            source: Some(source),
            line: span.line,
            column: span.column,
            end_line: span.end_line,
            end_column: span.end_column,
        }
    }

    fn source(&mut self, file: FileId) -> Option<SourceId> {
        if let Some(id) = self.known.get(&file) {
            return Some(*id);
        }
        let source = self.program.files.get(file)?;
        let id = SourceId(self.sources.len());
        // A carriage return in front of a line's end is no part of the line that an excerpt shows.
        self.sources.push(Source { path: source.path.clone(), text: source.text.replace("\r\n", "\n") });
        self.known.insert(file, id);
        Some(id)
    }
}
