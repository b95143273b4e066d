//! Systematic search: all choices, breadth first (fewest choices first, so traces are short), each state once; then
//! random runs. Where there is more time, both go on in rounds, each twice as long as the one before: what a short search
//! finds, a longer one finds too.
//!
//! Of a state that was seen only a hash of 128 bits is kept (`canonical.rs`), and of a run the choices that led to it.

mod foresight;
mod repetition;

use crate::canonical::canonicalize;
use crate::chooser::{Decision, RandomChooser, Script};
use crate::machine::{Machine, RunError, Sink, Stop};
use crate::observe::Observer;
use crate::state::State;
use crate::trace::{MOST_STEPS, finding};
use foresight::may_choose;
use heapwise_engine::reason::{DefectGap, Doing, Note, SearchGap};
use heapwise_engine::{Certainty, Control, Exhausted, Finding, Gap, Kind, Options, Patience, Stopped};
use heapwise_ir::{EdgeId, FunctionId, LocationId, Span};
use repetition::LoopDetector;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::rc::Rc;

/// How far a search goes. Counted in steps and states, not in time, so that it always ends at the same point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// States at choices.
    pub states: u64,
    /// Steps of the systematic part; each object of a state that is compared with others counts as one.
    pub steps: u64,
    /// Steps of one run between two choices.
    pub segment: u64,
    /// Steps of all random runs.
    pub random_steps: u64,
    /// Steps of one random run.
    pub walk: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { states: 120_000, steps: 12_000_000, segment: 4_000_000, random_steps: 4_000_000, walk: 20_000 }
    }
}

impl Limits {
    /// Those of a round: each goes twice as far as the one before.
    fn of_round(self, round: u32) -> Limits {
        let scaled = |limit: u64| limit.saturating_mul(1u64.checked_shl(round).unwrap_or(u64::MAX));
        Limits {
            states: scaled(self.states),
            steps: scaled(self.steps),
            segment: scaled(self.segment),
            random_steps: scaled(self.random_steps),
            walk: scaled(self.walk),
        }
    }
}

/// Whether a search goes on where its limits are met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Persistence {
    /// It ends there.
    WithinLimits,
    /// While it comes to its end: fewer than half as many runs wait as once did. Most programs whose runs are too many
    /// part at an input in a loop without bound; they are given up at the limits.
    WhileRunsGetFewer,
    /// Until time or memory is used up.
    WithinBudget,
}

impl Persistence {
    /// As whoever asks wants it.
    pub(crate) fn asked(patience: Patience) -> Persistence {
        match patience {
            Patience::WhileItHelps => Persistence::WhileRunsGetFewer,
            Patience::UntilTimeIsUp => Persistence::WithinBudget,
        }
    }
}

/// An error with the choices that lead to it.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) error: RunError,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) is_doubtful: bool,
    /// In words, with the way to it: made at once where all errors are wanted, so that nothing is left to do when time is up.
    told: Option<Finding>,
}

impl Shown {
    /// The finding with its trace.
    pub(crate) fn finding(&self, machine: &Machine<'_>) -> Finding {
        self.told.clone().unwrap_or_else(|| finding(machine, self))
    }
}

/// Where some errors are enough, so many steps more than twice those to the last one are taken for another.
const PATIENCE: u64 = 5_000;

/// When a search may stop early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// Everything.
    All,
    /// Some errors: those that show not long after the first.
    Some,
    /// One error of this kind there.
    One(Kind, Place),
}

/// Where an error is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Here and nowhere else.
    At(Span),
    /// Wherever a run shows it.
    Anywhere,
}

impl Place {
    /// Whether this is the place.
    pub(crate) fn is(self, span: Span) -> bool {
        match self {
            Place::At(own) => own == span,
            Place::Anywhere => true,
        }
    }
}

struct Node {
    progress: usize,
    sequence: Reverse<u64>,
    /// Before the step that asked; `None`: before the program starts.
    state: Option<Rc<State>>,
    script: Vec<Decision>,
    parent: u32,
    depth: u32,
    /// Steps of the run up to the state.
    length: u64,
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.sequence == other.sequence
    }
}

impl Eq for Node {}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Node) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node {
    fn cmp(&self, other: &Node) -> std::cmp::Ordering {
        (self.progress, self.sequence).cmp(&(other.progress, other.sequence))
    }
}

/// A run that was left between two choices.
struct Left {
    /// From where it can go on.
    node: Node,
    /// Where that is.
    at: Option<(FunctionId, LocationId)>,
    /// Steps since the last choice.
    steps: u64,
}

struct Record {
    parent: u32,
    script: Vec<Decision>,
}

/// A search.
pub(crate) struct Search<'a, 'p, 'o> {
    pub(crate) machine: &'a Machine<'p>,
    options: &'a Options,
    control: &'a Control,
    /// Those of the round.
    limits: Limits,
    persistence: Persistence,
    goal: Goal,
    guide: &'a [(FunctionId, EdgeId)],
    observer: Option<&'o mut (dyn Observer + 'o)>,
    frontier: BinaryHeap<Node>,
    /// The most runs that waited at once.
    widest: usize,
    left: Vec<Left>,
    records: Vec<Record>,
    seen: FxHashSet<u128>,
    pub(crate) found: FxHashMap<(Kind, FunctionId, Span), Shown>,
    pub(crate) gaps: Vec<Gap>,
    unasked: BTreeSet<(Span, Kind)>,
    pub(crate) visited: FxHashSet<(FunctionId, LocationId)>,
    pub(crate) states: u64,
    pub(crate) steps: u64,
    pub(crate) depth: u32,
    pub(crate) walks: u64,
    sequence: u64,
    /// How many errors there were when there was last a new one, and after how many steps.
    last_new: (usize, u64),
    stopped: Option<Exhausted>,
    /// States by the place of their choice.
    choices: FxHashMap<(FunctionId, LocationId), u64>,
    sink: Sink,
}

impl<'a, 'p, 'o> Search<'a, 'p, 'o> {
    pub(crate) fn new(
        machine: &'a Machine<'p>,
        options: &'a Options,
        control: &'a Control,
        (limits, persistence): (Limits, Persistence),
        goal: Goal,
        guide: &'a [(FunctionId, EdgeId)],
        observer: Option<&'o mut (dyn Observer + 'o)>,
    ) -> Search<'a, 'p, 'o> {
        Search {
            machine,
            options,
            control,
            limits,
            persistence,
            goal,
            guide,
            observer,
            frontier: BinaryHeap::new(),
            widest: 0,
            left: Vec::new(),
            records: Vec::new(),
            seen: FxHashSet::default(),
            found: FxHashMap::default(),
            gaps: Vec::new(),
            unasked: BTreeSet::new(),
            visited: FxHashSet::default(),
            states: 0,
            steps: 0,
            depth: 0,
            walks: 0,
            sequence: 0,
            last_new: (0, 0),
            stopped: None,
            choices: FxHashMap::default(),
            sink: Sink::default(),
        }
    }

    /// Searches; afterwards [`Search::stopped`] and [`Search::left_out`] say what was not looked at.
    pub(crate) fn run(&mut self) {
        let first = self.limits;
        self.push(Node {
            progress: 0,
            sequence: Reverse(0),
            state: None,
            script: Vec::new(),
            parent: u32::MAX,
            depth: 0,
            length: 0,
        });
        for round in 0.. {
            self.limits = first.of_round(round);
            let again = self.left.extract_if(.., |left| left.node.length < MOST_STEPS).collect::<Vec<_>>();
            again.into_iter().for_each(|left| self.push(left.node));
            self.systematic_runs();
            let is_enough = self.has_goal() || (self.goal == Goal::Some && self.last_new.0 > 0);
            if !is_enough && self.stopped.is_none() {
                self.random_runs();
            }
            let has_more = self.left.iter().any(|left| left.node.length < MOST_STEPS) || !self.frontier.is_empty();
            if self.persistence != Persistence::WithinBudget || !has_more || is_enough || self.stopped.is_some() {
                return;
            }
        }
    }

    fn systematic_runs(&mut self) {
        while let Some(node) = self.frontier.pop() {
            if self.is_done() {
                self.frontier.push(node);
                break;
            }
            self.expand(node);
        }
        for gap in std::mem::take(&mut self.sink.gaps) {
            self.add_gap(gap);
        }
    }

    /// The budget that ran out, if one did, and where runs part most often.
    pub(crate) fn stopped(&self) -> Option<Stopped> {
        let why = self.stopped?;
        Some(match self.busiest() {
            Some((span, times)) => Stopped { why, span, doing: Doing::Parting { times } },
            None => Stopped { why, span: Span::NONE, doing: Doing::FirstRun },
        })
    }

    /// What else the search left out, if anything.
    pub(crate) fn left_out(&self) -> Option<Gap> {
        if self.stopped.is_some() {
            return None;
        }
        if let Some(left) = self.left.first() {
            let span = left.at.map_or(Span::NONE, |(function, location)| span_at(self.machine, function, location));
            return Some(Gap { span, reason: SearchGap::LongRun { steps: left.steps }.into() });
        }
        if self.frontier.is_empty() || self.has_goal() {
            return None;
        }
        Some(match self.busiest() {
            Some((span, times)) => Gap { span, reason: SearchGap::RunsPart { times }.into() },
            None => Gap { span: Span::NONE, reason: SearchGap::NotAll.into() },
        })
    }

    /// The place of the most choices, and how many states were there.
    fn busiest(&self) -> Option<(Span, u64)> {
        let place = |(function, location): &(FunctionId, LocationId)| span_at(self.machine, *function, *location);
        let most = self.choices.iter().max_by_key(|(at, times)| (**times, Reverse(place(at)), Reverse(**at)))?;
        Some((place(most.0), *most.1))
    }

    fn has_goal(&self) -> bool {
        match self.goal {
            Goal::All => false,
            Goal::Some => self.last_new.0 > 0 && self.steps > 2 * self.last_new.1 + PATIENCE,
            Goal::One(kind, place) => self
                .found
                .iter()
                .any(|((found, _, span), shown)| *found == kind && place.is(*span) && !shown.is_doubtful),
        }
    }

    fn is_done(&mut self) -> bool {
        let sure = self.found.values().filter(|shown| !shown.is_doubtful).count();
        if sure > self.last_new.0 {
            self.last_new = (sure, self.steps);
        }
        let is_far = self.states > self.limits.states || self.steps > self.limits.steps;
        self.stopped.is_some() || is_far && !self.comes_to_its_end() || self.has_goal() || self.is_out_of_budget()
    }

    fn comes_to_its_end(&self) -> bool {
        self.persistence == Persistence::WhileRunsGetFewer && self.frontier.len() < self.widest / 2
    }

    fn is_out_of_budget(&mut self) -> bool {
        const BYTES_PER_STATE: u64 = 2048;
        if let Err(exhausted) = self.control.check(self.states, self.frontier.len() as u64 * BYTES_PER_STATE) {
            self.stopped = Some(exhausted);
        }
        self.stopped.is_some()
    }

    /// Adds a run, behind all that wait.
    fn push(&mut self, node: Node) {
        self.sequence += 1;
        self.frontier.push(Node { sequence: Reverse(self.sequence), ..node });
        self.widest = self.widest.max(self.frontier.len());
    }

    /// Runs a node's step with its script, then on to the next choice.
    fn expand(&mut self, node: Node) {
        let mut script = Script::new(node.script.clone());
        // The step itself may be what makes the run doubtful.
        let mut is_doubtful = false;
        let first = match &node.state {
            None => self.machine.start(&mut script, &mut self.sink),
            Some(state) => {
                let mut state = State::clone(state);
                match self.machine.step(&mut state, &mut script, &mut self.sink) {
                    Ok(()) => Ok(state),
                    Err(stop) => {
                        is_doubtful = state.doubtful;
                        match stop {
                            Stop::NeedsChoice | Stop::Exhausted(_) => {}
                            Stop::Error(_) | Stop::Ended(_) | Stop::Gap(_) => self.collect(&state, &node),
                        }
                        Err(stop)
                    }
                }
            }
        };
        let mut state = match first {
            Ok(state) => state,
            Err(Stop::NeedsChoice) => {
                self.sink.errors.clear();
                for answer in script.take_asked().map(|asked| asked.answers()).unwrap_or_default() {
                    let mut longer = node.script.clone();
                    longer.push(answer);
                    self.push(Node { state: node.state.clone(), script: longer, ..node });
                }
                return;
            }
            Err(stop) => {
                self.stop(stop, is_doubtful, &node);
                return;
            }
        };
        self.collect(&state, &node);
        let mut progress = node.progress;
        self.advance_guide(&state, &mut progress);
        let mut detector = LoopDetector::new();
        let mut segment: u64 = 0;
        loop {
            self.observe(&state);
            if segment.is_multiple_of(1024) && self.is_out_of_budget() {
                return;
            }
            // A run that is longer cannot be made again, and what it shows not be told.
            if segment > self.limits.segment || node.length + segment > MOST_STEPS {
                self.leave(state, node, progress, segment);
                return;
            }
            match detector.repeats(self.machine, &mut state) {
                Ok(false) => {}
                Ok(true) => {
                    self.machine.finish(&mut state, None, &mut self.sink);
                    self.collect(&state, &node);
                    return;
                }
                Err(exhausted) => {
                    self.stopped = Some(exhausted);
                    return;
                }
            }
            self.steps += detector.take_looked_at();
            let before = may_choose(self.machine, &self.machine.code, &state).then(|| state.clone());
            let mut empty = Script::default();
            let result = self.machine.step(&mut state, &mut empty, &mut self.sink);
            self.steps += 1;
            segment += 1;
            match result {
                Ok(()) => {
                    self.collect(&state, &node);
                    self.advance_guide(&state, &mut progress);
                }
                Err(Stop::NeedsChoice) => {
                    self.sink.errors.clear();
                    let Some(before) = before.or_else(|| self.run_again(&node, segment - 1)) else { return };
                    let answers = empty.take_asked().map(|asked| asked.answers()).unwrap_or_default();
                    self.branch(before, &answers, node, progress, segment);
                    return;
                }
                Err(Stop::Exhausted(exhausted)) => {
                    self.stopped = Some(exhausted);
                    return;
                }
                Err(stop @ (Stop::Error(_) | Stop::Ended(_) | Stop::Gap(_))) => {
                    self.collect(&state, &node);
                    self.stop(stop, state.doubtful, &node);
                    return;
                }
            }
        }
    }

    /// The state `steps` steps behind a node: steps without choices are determined. None if the budget runs out before.
    fn run_again(&mut self, node: &Node, steps: u64) -> Option<State> {
        let mut sink = Sink::default();
        let mut script = Script::new(node.script.clone());
        let mut again = || -> Result<State, Stop> {
            let mut state = match &node.state {
                None => self.machine.start(&mut script, &mut sink)?,
                Some(state) => {
                    let mut state = State::clone(state);
                    self.machine.step(&mut state, &mut script, &mut sink)?;
                    state
                }
            };
            for _ in 0..steps {
                self.machine.step(&mut state, &mut Script::default(), &mut sink)?;
            }
            Ok(state)
        };
        match again() {
            Ok(state) => Some(state),
            Err(Stop::Exhausted(exhausted)) => {
                self.stopped = Some(exhausted);
                None
            }
            // Steps without choices are determined, so this is a defect: it costs a proof, and says so.
            Err(Stop::Error(_) | Stop::Ended(_) | Stop::Gap(_) | Stop::NeedsChoice) => {
                self.add_gap(Gap { span: Span::NONE, reason: DefectGap::RunNotRepeated.into() });
                None
            }
        }
    }

    fn branch(&mut self, mut state: State, answers: &[Decision], node: Node, progress: usize, steps: u64) {
        match canonicalize(self.machine, &mut state) {
            Ok(hash) if self.seen.insert(hash) => {}
            Ok(_) => return,
            Err(exhausted) => {
                self.stopped = Some(exhausted);
                return;
            }
        }
        self.states += 1;
        // To tell a state from others all of it is looked at: with a large heap that takes longer than the steps to it.
        self.steps += state.heap.n_objects() as u64;
        if let Some(frame) = state.top() {
            *self.choices.entry((frame.function, frame.location)).or_default() += 1;
        }
        self.depth = self.depth.max(node.depth + 1);
        let Node { sequence, depth, length, .. } = node;
        let parent = self.record(node);
        let state = Rc::new(state);
        for answer in answers {
            let state = Some(Rc::clone(&state));
            let (depth, length) = (depth + 1, length + steps);
            self.push(Node { progress, sequence, state, script: vec![*answer], parent, depth, length });
        }
    }

    /// Leaves a run where it is; another round may go on with it.
    fn leave(&mut self, state: State, node: Node, progress: usize, steps: u64) {
        let at = state.top().map(|frame| (frame.function, frame.location));
        let Node { sequence, depth, length, .. } = node;
        let parent = self.record(node);
        let (state, length) = (Some(Rc::new(state)), length + steps);
        let node = Node { progress, sequence, state, script: Vec::new(), parent, depth, length };
        self.left.push(Left { node, at, steps });
    }

    /// Keeps the choices of a run.
    fn record(&mut self, node: Node) -> u32 {
        self.records.push(Record { parent: node.parent, script: node.script });
        self.records.len() as u32 - 1
    }

    fn advance_guide(&self, state: &State, progress: &mut usize) {
        if let Some(next) = self.guide.get(*progress)
            && let Some(frame) = state.top()
            && frame.last_edge.is_some_and(|edge| (frame.function, edge) == *next)
        {
            *progress += 1;
        }
    }

    /// The functions that the library called back.
    pub(crate) fn called_back(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.sink.called_back.iter().copied()
    }

    fn observe(&mut self, state: &State) {
        if let Some(frame) = state.top() {
            self.visited.insert((frame.function, frame.location));
        }
        if let Some(observer) = &mut self.observer {
            observer.at_location(self.machine, state);
        }
    }

    /// Takes errors that did not stop the run.
    fn collect(&mut self, state: &State, node: &Node) {
        if self.sink.errors.is_empty() {
            return;
        }
        for error in std::mem::take(&mut self.sink.errors) {
            self.add_found(error, state.doubtful, node);
        }
    }

    fn stop(&mut self, stop: Stop, is_doubtful: bool, node: &Node) {
        match stop {
            Stop::Error(error) => self.add_found(*error, is_doubtful, node),
            Stop::Gap(gap) => self.add_gap(*gap),
            Stop::Exhausted(exhausted) => self.stopped = Some(exhausted),
            Stop::Ended(_) | Stop::NeedsChoice => {}
        }
        for gap in std::mem::take(&mut self.sink.gaps) {
            self.add_gap(gap);
        }
    }

    fn add_gap(&mut self, gap: Gap) {
        if !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
    }

    /// Notes a way that ends in an error that nobody asked for.
    fn note_unasked(&mut self, error: &RunError) {
        let is_end = match error.kind {
            Kind::Leak | Kind::LeakAtExit => false,
            Kind::NullDereference
            | Kind::UseAfterFree
            | Kind::DoubleFree
            | Kind::InvalidFree
            | Kind::OutOfBounds
            | Kind::Uninitialised
            | Kind::DanglingReturn
            | Kind::DivisionByZero
            | Kind::Overflow
            | Kind::Assertion
            | Kind::Shape => true,
        };
        if is_end && !self.options.asks_for(error.kind) {
            self.unasked.insert((error.span, error.kind));
        }
    }

    /// In words, where ways ended in errors that nobody asked for.
    pub(crate) fn unasked_notes(&self) -> Vec<Note> {
        let notes = self.unasked.iter().map(|(span, kind)| Note::UnaskedEnd {
            kind: *kind,
            span: *span,
            certainty: Certainty::Confirmed,
        });
        notes.collect()
    }

    fn is_new(&self, error: &RunError, is_doubtful: bool) -> bool {
        let known = self.found.get(&(error.kind, error.function, error.span));
        self.options.asks_for(error.kind) && known.is_none_or(|known| known.is_doubtful && !is_doubtful)
    }

    fn add_found(&mut self, error: RunError, is_doubtful: bool, node: &Node) {
        self.note_unasked(&error);
        if !self.is_new(&error, is_doubtful) {
            return;
        }
        let mut scripts = vec![node.script.as_slice()];
        let mut at = node.parent;
        while let Some(record) = self.records.get(at as usize) {
            scripts.push(&record.script);
            at = record.parent;
        }
        let decisions = scripts.into_iter().rev().flatten().copied().collect();
        self.insert_found(Shown { error, decisions, is_doubtful, told: None });
    }

    fn insert_found(&mut self, mut shown: Shown) {
        if self.goal == Goal::All {
            let told = finding(self.machine, &shown);
            self.control.hand_out(self.options, &told);
            shown.told = Some(told);
        }
        self.found.insert((shown.error.kind, shown.error.function, shown.error.span), shown);
    }

    /// Whether runs that were not systematic may show more: some were left out, or what was found rests on a result that was
    /// not computed ([`crate::approximate`]), which other values of the inputs may really have.
    fn has_open_ends(&self) -> bool {
        let is_complete = self.frontier.is_empty() && self.left.is_empty() && self.gaps.is_empty();
        !is_complete || self.found.values().any(|shown| shown.is_doubtful)
    }

    /// Random runs from the start: they get deeper than the systematic part.
    fn random_runs(&mut self) {
        let mut steps = 0;
        while self.has_open_ends() && steps < self.limits.random_steps && !self.has_goal() && !self.is_out_of_budget() {
            let seed = self.options.seed.wrapping_mul(0x1_0000_0001).wrapping_add(self.walks);
            // Every other run does the same again and again, so that a buffer fills up, and goes further for it.
            let is_even = self.walks.is_multiple_of(2);
            let (mut chooser, most) = match is_even {
                true => (RandomChooser::new(seed), self.limits.walk),
                false => {
                    let one_in = 4usize << (2 * ((self.walks / 2) % 4));
                    (RandomChooser::with_habits(seed, one_in), self.limits.walk.saturating_mul(8))
                }
            };
            self.walks += 1;
            steps += 16 + self.random_run(&mut chooser, most);
        }
        self.steps += steps;
        for gap in std::mem::take(&mut self.sink.gaps) {
            self.add_gap(gap);
        }
    }

    fn random_run(&mut self, chooser: &mut RandomChooser, most: u64) -> u64 {
        let mut state = match self.machine.start(chooser, &mut self.sink) {
            Ok(state) => state,
            Err(_) => return 0,
        };
        for step in 0..most {
            self.observe(&state);
            chooser.come_to(state.top().map(|frame| (frame.function, frame.location)));
            let result = self.machine.step(&mut state, chooser, &mut self.sink);
            let mut errors = std::mem::take(&mut self.sink.errors);
            let is_over = result.is_err();
            match result {
                Err(Stop::Error(error)) => errors.push(*error),
                Err(Stop::Gap(gap)) => self.add_gap(*gap),
                Err(Stop::Exhausted(exhausted)) => {
                    self.stopped = Some(exhausted);
                    return step;
                }
                Ok(()) | Err(Stop::Ended(_) | Stop::NeedsChoice) => {}
            }
            for error in errors {
                if self.is_new(&error, state.doubtful) {
                    let (decisions, is_doubtful) = (chooser.log.clone(), state.doubtful);
                    self.insert_found(Shown { error, decisions, is_doubtful, told: None });
                }
            }
            if is_over {
                return step;
            }
        }
        most
    }
}

/// The text in front of which a run is.
fn span_at(machine: &Machine<'_>, function: FunctionId, location: LocationId) -> Span {
    let function = &machine.program.functions[function];
    let edges =
        function.automaton().into_iter().flat_map(|it| it.outgoing[location].iter().map(|edge| &it.edges[*edge]));
    edges.map(|edge| edge.span).find(|span| *span != Span::NONE).unwrap_or(function.span)
}
