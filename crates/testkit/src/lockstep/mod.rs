//! The law of `cells`, tested as such: every run of the program is a run of the cell program, up to the first gap or error
//! on its way.
//!
//! `interp` runs the program: on all choices, those runs first that differ from the first one in the fewest of them, and where
//! there are too many also on random ones. Beside it goes a set of concrete states of the cell program: variables and
//! links hold atoms or cells, data fields are set or not, comparisons have outcomes that are remembered. After each edge
//! the set moves along all cell steps of that edge and call string, and along the steps without an edge beside them. What
//! depends on integers that are not part of the cell program goes both ways, comparisons only as remembered. Then the
//! states go that are not at the point of the machine's location, or disagree with the machine (see `agree.rs`).
//!
//! If none is left, the translation has lost the run, unless a state met a gap or an error on the way. An error of the
//! machine must be shown by a state, of that kind and on that line, or a state must be at a gap. Calls by contract are gaps here.
//! Behind a gap, and where there are too many states, a run is not compared further; [`Tally`] counts how much was.
//!
//! Not compared: leaks (they follow from what engines keep of dead variables), and whether shapes that are claimed hold.

mod agree;
mod apply;
mod habit;
mod state;
mod systematic;

use agree::disagreement;
use apply::{apply, give_back};
use habit::Habit;
use heapwise_cells::Links;
use heapwise_cells::program::{Command, Frame, Point};
use heapwise_cells::translate::{Calls, Translation, translate_calls};
use heapwise_engine::{Kind, Options};
use heapwise_interp::state::CallOrigin;
use heapwise_interp::{Chooser, Decision, Ending, Machine, MachineOptions, RunError, Sink, State, Stop};
use heapwise_ir::{EdgeId, FunctionId, Instruction, LocationId, Program};
use heapwise_report::words;
use rustc_hash::FxHashSet;
use state::{CellState, Element};
use std::collections::BTreeMap;
use std::fmt;
use systematic::Systematic;

/// More states than this are not kept.
const MAX_STATES: usize = 512;

/// How a program is translated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mode {
    /// Which links are followed.
    pub links: Links,
    /// Which calls are.
    pub calls: Calls,
}

impl Mode {
    /// All that engines ask for.
    pub const ALL: [Mode; 4] = [
        Mode { links: Links::OneToItself, calls: Calls::Inlined },
        Mode { links: Links::Every, calls: Calls::Inlined },
        Mode { links: Links::Every, calls: Calls::Procedures },
        Mode { links: Links::Every, calls: Calls::ByContract },
    ];
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, calls {:?}", self.links, self.calls)
    }
}

/// How many runs, and how long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Runs: half of them are tried in order and the others at random, unless there are no more than those.
    pub runs: u64,
    /// No run is started once there were so many steps, and none in order once there were half as many.
    pub steps: u64,
    /// Steps of one run.
    pub max_steps: u64,
}

/// How much was compared.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Runs of the machine.
    pub runs: u64,
    /// Steps of the machine.
    pub steps: u64,
    /// Those of them that were compared: up to the first gap.
    pub compared: u64,
    /// Errors of the machine that a state showed.
    pub errors: u64,
    /// Runs that a state lost by an error that the machine does not have.
    pub false_errors: u64,
    /// Runs with too many states.
    pub capped: u64,
    /// Why runs were not compared further.
    pub gaps: BTreeMap<String, NotCompared>,
}

/// What one reason kept from being compared.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct NotCompared {
    /// So many runs were not compared to their end.
    pub runs: u64,
    /// The steps behind.
    pub steps: u64,
}

impl Tally {
    /// Adds another one.
    pub fn add(&mut self, other: &Tally) {
        self.runs += other.runs;
        self.steps += other.steps;
        self.compared += other.compared;
        self.errors += other.errors;
        self.false_errors += other.false_errors;
        self.capped += other.capped;
        for (reason, NotCompared { runs, steps }) in &other.gaps {
            let gap = self.gaps.entry(reason.clone()).or_default();
            gap.runs += runs;
            gap.steps += steps;
        }
    }

    /// The reasons that kept most steps from being compared, a line each.
    pub fn reasons(&self, most: usize) -> String {
        let mut gaps: Vec<(&String, &NotCompared)> = self.gaps.iter().collect();
        gaps.sort_by_key(|(_, gap)| std::cmp::Reverse((gap.steps, gap.runs)));
        let line = |(reason, gap): &(&String, &NotCompared)| {
            let share = 100.0 * gap.steps as f64 / self.steps.max(1) as f64;
            format!("    {share:5.2} % of the steps, {} runs: {reason}\n", gap.runs)
        };
        gaps.iter().take(most).map(line).collect()
    }

    /// The share of the machine's steps that was compared, in percent.
    pub fn share(&self) -> u64 {
        (self.compared * 100).checked_div(self.steps).unwrap_or(100)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} runs, {} of {} steps compared ({} %), {} errors shown, {} false errors, {} runs with too many states",
            self.runs,
            self.compared,
            self.steps,
            self.share(),
            self.errors,
            self.false_errors,
            self.capped
        )
    }
}

/// How a run is made again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhichRun {
    /// By these choices.
    Choices(Vec<Decision>),
    /// At random, from this seed.
    Random(u64),
}

impl fmt::Display for WhichRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhichRun::Random(seed) => write!(f, "random run {seed}"),
            WhichRun::Choices(choices) => {
                write!(f, "the run of the choices")?;
                choices.iter().try_for_each(|choice| match choice {
                    Decision::Option(option) => write!(f, " {option}"),
                    Decision::Value(value) => write!(f, " {value}"),
                })
            }
        }
    }
}

/// A run of the program that the cell program does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    /// How the program was translated.
    pub mode: String,
    /// Which run it is.
    pub run: WhichRun,
    /// What the machine did last, and what the states were before it.
    pub words: String,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}: {}", self.mode, self.run, self.words)
    }
}

/// Compares runs of a program with its cell program.
pub fn check(program: &Program, options: &Options, mode: Mode, effort: Effort) -> Result<Tally, Box<Lost>> {
    let translation = translate_calls(program, options, mode.links, mode.calls);
    let program = translation.source(program);
    let machine_options =
        MachineOptions { allocation_failure: options.allocation_failure, ..MachineOptions::new(options.entry) };
    let machine = Machine::new(program, machine_options);
    let mut tally = Tally::default();
    let lost = |run: WhichRun, words: String| Box::new(Lost { mode: mode.to_string(), run, words });
    let mut systematic = Systematic::new();
    while tally.runs < effort.runs.div_ceil(2)
        && tally.steps < effort.steps.div_ceil(2)
        && let Some(mut choices) = systematic.next()
    {
        Run::compare(program, &translation, &machine, &mut choices, effort.max_steps, &mut tally)
            .map_err(|words| lost(WhichRun::Choices(choices.made.clone()), words))?;
        systematic.finish(choices);
    }
    let mut seed = 0;
    while !systematic.is_done() && tally.runs < effort.runs && tally.steps < effort.steps {
        Run::compare(program, &translation, &machine, &mut Habit::new(seed), effort.max_steps, &mut tally)
            .map_err(|words| lost(WhichRun::Random(seed), words))?;
        seed += 1;
    }
    Ok(tally)
}

/// One run.
struct Run<'a> {
    program: &'a Program,
    translation: &'a Translation,
    elements: FxHashSet<Element>,
    /// The errors that states showed, with their lines.
    shown: Vec<(Kind, u32)>,
    /// Those of the last edge.
    recent: Vec<(Kind, u32)>,
    /// A state came to the end of the program with the last edge.
    is_ended: bool,
    /// A state met an error that the machine does not have.
    is_excused: bool,
    /// Why nothing is compared any more.
    over: Option<String>,
    /// The states that were there before the last edge, and why they are gone.
    struck: Vec<String>,
    is_capped: bool,
}

/// What the machine did in a step.
enum Moved {
    /// An edge, within a call.
    Along,
    /// A call.
    Called,
    /// A return.
    Returned,
}

/// Where a state is while it moves along an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// On the way along the edge.
    Edge,
    /// In a procedure that the edge called: the edges of the callee are others.
    Callee,
}

impl<'a> Run<'a> {
    /// Makes a run and compares it.
    fn compare(
        program: &'a Program,
        translation: &'a Translation,
        machine: &Machine<'_>,
        chooser: &mut dyn Chooser,
        max_steps: u64,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let mut run = Run {
            program,
            translation,
            elements: FxHashSet::default(),
            shown: Vec::new(),
            recent: Vec::new(),
            is_ended: false,
            is_excused: false,
            over: translation.gaps.first().map(|gap| words::gap(&gap.1)),
            struck: Vec::new(),
            is_capped: false,
        };
        tally.runs += 1;
        let left_before = tally.steps - tally.compared;
        run.run(machine, chooser, max_steps, tally)?;
        tally.capped += u64::from(run.is_capped);
        if let Some(reason) = run.over {
            let gap = tally.gaps.entry(reason).or_default();
            gap.runs += 1;
            gap.steps += tally.steps - tally.compared - left_before;
        }
        Ok(())
    }

    fn run(
        &mut self,
        machine: &Machine<'_>,
        chooser: &mut dyn Chooser,
        max_steps: u64,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let mut sink = Sink::default();
        let Ok(mut state) = machine.start(chooser, &mut sink) else { return Ok(()) };
        self.begin();
        self.strike(&state, "the program starts")?;
        for _ in 0..max_steps {
            let before = state.frames().len();
            let Some(top) = state.top() else { return Ok(()) };
            let (function, location) = (top.function, top.location);
            let reported = sink.errors.len();
            let stop = machine.step(&mut state, chooser, &mut sink).err();
            tally.steps += 1;
            if self.over.is_some() {
                if stop.is_some() {
                    return Ok(());
                }
                continue;
            }
            let is_claim = matches!(self.instruction(&state), Some(Instruction::Assert(_)));
            let is_compared = |error: &RunError| is_compared(error.kind, is_claim);
            let errors: Vec<RunError> =
                sink.errors[reported..].iter().filter(|error| is_compared(error)).cloned().collect();
            self.follow(&state, before, (function, location), stop.as_ref())?;
            if self.over.is_some() {
                if stop.is_some() {
                    return Ok(());
                }
                continue;
            }
            tally.compared += 1;
            for error in &errors {
                self.expect(error, &state)?;
                tally.errors += 1;
            }
            match stop {
                None => {}
                Some(Stop::Error(error)) => {
                    if is_compared(&error) {
                        self.expect(&error, &state)?;
                        tally.errors += 1;
                    }
                    return Ok(());
                }
                Some(Stop::Ended(Ending::Finished | Ending::Aborted)) => {
                    if !self.is_ended && !self.is_excused {
                        return Err(self.words("the program ends here, and no state does", (function, location)));
                    }
                    return Ok(());
                }
                Some(
                    Stop::Ended(Ending::Infeasible | Ending::Stuck)
                    | Stop::Gap(_)
                    | Stop::NeedsChoice
                    | Stop::Exhausted(_),
                ) => {
                    return Ok(());
                }
            }
            if self.elements.is_empty() {
                // A state met an error on the way.
                tally.false_errors += 1;
                self.over = Some("an error that the run does not have".into());
            }
        }
        Ok(())
    }

    /// What the innermost call ran last.
    fn instruction(&self, state: &State) -> Option<&Instruction> {
        let top = state.top()?;
        let automaton = self.program.functions[top.function].automaton()?;
        Some(&automaton.edges[top.last_edge?].instruction)
    }

    fn begin(&mut self) {
        let point = self.translation.program.entry();
        let state = CellState::new(&self.translation.program);
        self.elements.insert(Element { point, frame: 0, state });
        self.close(&[]);
    }

    /// Moves the states along what the machine did.
    fn follow(
        &mut self,
        state: &State,
        before: usize,
        (function, location): (FunctionId, LocationId),
        stop: Option<&Stop>,
    ) -> Result<(), String> {
        self.recent.clear();
        self.is_ended = false;
        self.struck.clear();
        let automaton = self.program.functions[function].automaton();
        let Some(automaton) = automaton else { return Ok(()) };
        let moved = match state.frames().len() {
            after if after > before => Moved::Called,
            after if after < before => Moved::Returned,
            _ => Moved::Along,
        };
        if state.top().is_some_and(|top| matches!(top.origin, CallOrigin::AtExit | CallOrigin::Callback)) {
            self.over = Some("a function that the library calls".into());
            return Ok(());
        }
        let is_leaving = location == automaton.exit;
        let taken = state.frames().get(before - 1).and_then(|frame| frame.last_edge);
        let edges: Vec<EdgeId> = match (stop, taken) {
            _ if is_leaving => self.give_back(state),
            // A condition fails at the branch, whichever way it goes.
            (Some(_), _) => automaton.outgoing[location].clone(),
            (None, Some(edge)) => vec![edge],
            (None, None) => Vec::new(),
        };
        self.close(&edges);
        if self.over.is_some() || stop.is_some() {
            return Ok(());
        }
        if let Moved::Called = moved {
            self.enter(state, taken);
        }
        let what = format!("{} {location}", self.program.functions[function].name);
        self.strike(state, &what)
    }

    /// A call returned: the call strings are those of the callers, and the rest of the call edge follows.
    fn give_back(&mut self, state: &State) -> Vec<EdgeId> {
        let cells = &self.translation.program;
        let mut returned = FxHashSet::default();
        let mut edges = Vec::new();
        for mut element in self.elements.drain() {
            let frame = &cells.frames[element.frame as usize];
            match (frame.caller, frame.returns) {
                (Some((caller, _)), Some(_)) => element.frame = caller,
                (Some(_), None) => match give_back(cells, &element) {
                    Some(outer) => element = outer,
                    None => continue,
                },
                (None, _) => {}
            }
            returned.insert(element);
        }
        self.elements = returned;
        edges.extend(state.top().and_then(|top| top.last_edge));
        edges
    }

    /// A call was entered: states that are inlined go on in the callee's call string.
    fn enter(&mut self, state: &State, taken: Option<EdgeId>) {
        let cells = &self.translation.program;
        let Some(function) = state.top().map(|top| top.function) else { return };
        let mut entered = FxHashSet::default();
        for mut element in std::mem::take(&mut self.elements) {
            let frame = &cells.frames[element.frame as usize];
            let is_root = frame.returns.is_none() && frame.caller.is_some() && frame.function == function;
            let is_procedure = is_root
                && element.point == self.entry_of(element.frame)
                && element.state.activations.last().is_some_and(|call| cells.steps[call.step].edge == taken);
            if !is_procedure {
                let is_called = |called: &Frame| {
                    called.caller == taken.map(|edge| (element.frame, edge))
                        && called.function == function
                        && called.returns.is_some()
                };
                match cells.frames.iter().position(is_called) {
                    Some(index) => element.frame = index as u32,
                    None => continue,
                }
            }
            entered.insert(element);
        }
        self.elements = entered;
    }

    fn entry_of(&self, frame: u32) -> Point {
        let cells = &self.translation.program;
        let function = &self.program.functions[cells.frames[frame as usize].function];
        let entry = function.automaton().map(|automaton| automaton.entry);
        entry.and_then(|entry| self.translation.points.get(&(frame, entry))).copied().unwrap_or(cells.entry())
    }

    /// All that is reached along steps of these edges in the states' call strings, and along steps without an edge.
    fn close(&mut self, edges: &[EdgeId]) {
        let cells = &self.translation.program;
        let mut work: Vec<(Element, Within)> =
            self.elements.iter().map(|element| (element.clone(), Within::Edge)).collect();
        while let Some((element, within)) = work.pop() {
            for id in &cells.outgoing[element.point] {
                let step = &cells.steps[*id];
                let is_own = match step.edge {
                    Some(edge) => within == Within::Edge && step.frame == element.frame && edges.contains(&edge),
                    None => true,
                };
                // It was moved before the branch that leads to the failing edge.
                let is_taken = is_own || matches!(step.command, Command::FailWhen { .. });
                let within = match step.command {
                    Command::Call { .. } => Within::Callee,
                    _ => within,
                };
                if !is_taken {
                    continue;
                }
                let applied = apply(cells, &element, *id);
                for kind in applied.errors {
                    let error = (kind, step.span.line);
                    self.recent.push(error);
                    if !self.shown.contains(&error) {
                        self.shown.push(error);
                    }
                    // The machine's assertion holds, or it would have stopped: such a state is none of this run.
                    self.is_excused |= is_own && !matches!(kind, Kind::Assertion | Kind::Shape);
                }
                if let Some(reason) = applied.gap {
                    self.over.get_or_insert_with(|| words::gap(&reason));
                }
                self.is_ended |= applied.is_end;
                for next in applied.elements {
                    if self.elements.insert(next.clone()) {
                        work.push((next, within));
                    }
                }
                if self.elements.len() > 8 * MAX_STATES {
                    self.is_capped = true;
                    self.over = Some("too many states".into());
                    return;
                }
            }
        }
    }

    /// States go that are elsewhere, or disagree.
    fn strike(&mut self, state: &State, what: &str) -> Result<(), String> {
        let Some(top) = state.top() else { return Ok(()) };
        let cells = &self.translation.program;
        let mut kept = FxHashSet::default();
        for mut element in self.elements.drain() {
            match self.translation.points.get(&(element.frame, top.location)) {
                Some(point) if *point == element.point => {}
                Some(_) => continue,
                None => {
                    self.struck.push(format!("the location is not reached from {}", agree::describe(cells, &element)));
                    continue;
                }
            }
            match disagreement(self.program, self.translation, state, &element) {
                Ok(()) => {
                    element.state.normalise(cells, &self.translation.liveness, element.point);
                    kept.insert(element);
                }
                Err(why) => self.struck.push(format!("{why}; {}", agree::describe(cells, &element))),
            }
        }
        self.elements = kept;
        if self.elements.len() > MAX_STATES {
            self.is_capped = true;
            self.over = Some("too many states".into());
        }
        if self.elements.is_empty() && !self.is_excused && self.over.is_none() {
            let (function, location) = (top.function, top.location);
            return Err(self.words(&format!("no state is left behind {what}"), (function, location)));
        }
        Ok(())
    }

    /// A state must show an error of the machine.
    fn expect(&self, error: &RunError, state: &State) -> Result<(), String> {
        let line = state.top().map_or(0, |top| {
            let automaton = self.program.functions[top.function].automaton();
            let edge = automaton.and_then(|automaton| top.last_edge.map(|edge| &automaton.edges[edge]));
            edge.map_or(0, |edge| edge.span.line)
        });
        let is_shown = self.shown.contains(&(error.kind, error.span.line)) || self.recent.contains(&(error.kind, line));
        // A copy with two faults may fail by either, and so may a function of the library with two arguments.
        let has_two = match self.instruction(state) {
            Some(Instruction::Copy { .. } | Instruction::Call { .. }) => true,
            Some(
                Instruction::Assign { .. }
                | Instruction::Load { .. }
                | Instruction::Store { .. }
                | Instruction::Alloc { .. }
                | Instruction::Free { .. }
                | Instruction::End { .. }
                | Instruction::Assume(_)
                | Instruction::Assert(_)
                | Instruction::Unsupported(_),
            )
            | None => false,
        };
        let is_other = has_two
            && is_access(error.kind)
            && self.recent.iter().any(|(kind, at)| is_access(*kind) && (*at == line || *at == error.span.line));
        // A value that no variable holds is asked for where it is read, and the machine fails where it is used.
        let is_read =
            error.kind == Kind::Uninitialised && self.shown.iter().any(|(kind, _)| *kind == Kind::Uninitialised);
        if is_shown || is_other || is_read {
            return Ok(());
        }
        let place = (error.function, LocationId::from_u32(0));
        let what = format!("{} at line {} is shown by no state: {}", error.kind.name(), error.span.line, error.message);
        Err(self.words(&what, place))
    }

    fn words(&self, what: &str, (function, location): (FunctionId, LocationId)) -> String {
        let function = &self.program.functions[function];
        let line = function
            .automaton()
            .and_then(|automaton| automaton.outgoing[location].first().map(|edge| automaton.edges[*edge].span.line))
            .unwrap_or(0);
        let mut words = format!("{what}\n  in {} at {location}, line {line}", function.name);
        for struck in self.struck.iter().take(6) {
            words += &format!("\n  struck: {struck}");
        }
        for (kind, line) in &self.recent {
            words += &format!("\n  shown: {} at line {line}", kind.name());
        }
        words
    }
}

/// Whether an access may fail so.
pub(crate) fn is_access(kind: Kind) -> bool {
    match kind {
        Kind::NullDereference | Kind::UseAfterFree | Kind::OutOfBounds | Kind::Uninitialised => true,
        Kind::DoubleFree
        | Kind::InvalidFree
        | Kind::Leak
        | Kind::LeakAtExit
        | Kind::DanglingReturn
        | Kind::DivisionByZero
        | Kind::Overflow
        | Kind::Assertion
        | Kind::Shape => false,
    }
}

/// Leaks follow from what engines keep of dead variables: they are not compared. Nor is what contracts say.
fn is_compared(kind: Kind, is_claim: bool) -> bool {
    match kind {
        Kind::Leak | Kind::LeakAtExit => false,
        Kind::Shape => is_claim,
        Kind::NullDereference
        | Kind::UseAfterFree
        | Kind::DoubleFree
        | Kind::InvalidFree
        | Kind::OutOfBounds
        | Kind::Uninitialised
        | Kind::DanglingReturn
        | Kind::DivisionByZero
        | Kind::Overflow
        | Kind::Assertion => true,
    }
}
