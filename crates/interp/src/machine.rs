//! The machine: a program with its tables, initial states, and the executor that one step needs.

use crate::approximate::{Approximation, Range};
use crate::chooser::Chooser;
use crate::code::Code;
use crate::contract::Contracts;
use crate::describe::span_of;
use crate::heap::{Heap, Holder, ObjectKind, Site};
use crate::integer;
use crate::state::{AddressDecisions, CallOrigin, Frame, State};
use crate::value::{ObjectId, Scalar, SymbolId, Term, Value};
use heapwise_engine::reason::{CallGap, GapReason};
use heapwise_engine::{
    AllocationFailure, BudgetMeter, Choice, Control, Exhausted, FailedAccess, Gap, Kind, Statement, Subject,
    SubjectStorage, has_text,
};
use heapwise_ir::{Body, FunctionId, IntType, Program, Span, Type, TypeId};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::rc::Rc;

/// How a machine runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MachineOptions {
    /// Where execution starts.
    pub entry: FunctionId,
    /// Whether allocation may fail.
    pub allocation_failure: AllocationFailure,
    /// Whether what the program prints is kept.
    pub output: OutputMode,
    /// How deep calls may nest.
    pub max_depth: usize,
    /// Whether operations on inputs may be approximated.
    pub approximation: Approximation,
    /// What the use of an uninitialised value is.
    pub uninitialised: Unasked,
    /// What returning the address of a local is.
    pub dangling_return: Unasked,
    /// What signed arithmetic is whose result does not fit: where the run goes on, it wraps around.
    pub overflow: Unasked,
    /// What a wrong claim about a shape is.
    pub shapes: Unasked,
}

/// What becomes of an error behind which C goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unasked {
    /// It was asked for, and ends the run.
    Ends,
    /// It was not asked for, and the run goes on.
    GoesOn,
}

/// Whether printed text is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputMode {
    /// It is: differential runs.
    Kept,
    /// It is not: exploration.
    Dropped,
}

impl MachineOptions {
    /// Runs `entry`; allocation may fail, output is dropped.
    pub fn new(entry: FunctionId) -> MachineOptions {
        MachineOptions {
            entry,
            allocation_failure: AllocationFailure::Possible,
            output: OutputMode::Dropped,
            max_depth: 10_000,
            approximation: Approximation::Never,
            uninitialised: Unasked::Ends,
            dangling_return: Unasked::Ends,
            overflow: Unasked::GoesOn,
            shapes: Unasked::Ends,
        }
    }
}

/// An error that a run shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunError {
    /// What.
    pub kind: Kind,
    /// Where.
    pub span: Span,
    /// In which function.
    pub function: FunctionId,
    /// The innermost call in a function that was read from C, where the error lies in the body of a function of the library: it is
    /// told to users there.
    pub called_from: Option<Statement>,
    /// One sentence.
    pub message: String,
    /// The object concerned, by order of birth.
    pub birth: Option<u64>,
    /// Where that object was made, and where it ended.
    pub about: Subject,
}

/// Why a run does not go on.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// It broke.
    Error(Box<RunError>),
    /// It ended.
    Ended(Ending),
    /// It came to something that cannot be followed.
    Gap(Box<Gap>),
    /// Its chooser has no answer.
    NeedsChoice,
    /// A budget ran out in the middle of the step: what the state is now means nothing.
    Exhausted(Exhausted),
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The entry point returned, or `exit` was called.
    Finished,
    /// `abort`, `_exit`.
    Aborted,
    /// An assumption does not hold: there is no such run.
    Infeasible,
    /// A location without out-edges.
    Stuck,
}

/// Something worth a line in a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// What sort of thing.
    pub kind: EventKind,
    /// Where.
    pub span: Span,
    /// In which function.
    pub function: FunctionId,
    /// How deep the call stack is.
    pub depth: usize,
    /// What happens. A `{symbol}` of an input is filled in at the end.
    pub message: String,
    /// The object concerned, by order of birth.
    pub birth: Option<u64>,
    /// The input concerned.
    pub symbol: Option<SymbolId>,
}

/// What sort of event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// A function is entered.
    Call,
    /// A function returns.
    Return,
    /// A branch is taken.
    Branch,
    /// Storage is made.
    Allocate,
    /// Storage is freed or ends.
    Free,
    /// An input gets its value.
    Input,
    /// A pointer is written.
    Write,
}

/// An input that stands for the result of an operation on another one, which nothing mentions any more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Derived {
    pub(crate) from: Term,
    pub(crate) operation: Operation,
    pub(crate) result: SymbolId,
}

/// An operation on one input whose results are all numbers of a range.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    /// `input & mask`.
    And(i128),
    /// `input % divisor`.
    Remainder(i128),
    /// `(type)input`.
    Cut(IntType),
}

impl Operation {
    /// The result.
    fn of(self, operand: i128) -> i128 {
        match self {
            Operation::And(mask) => operand & mask,
            Operation::Remainder(divisor) => operand % divisor,
            Operation::Cut(int) => integer::wrap(operand, int),
        }
    }

    /// An operand between two bounds that gives `wanted`, near zero where there is a choice.
    pub(crate) fn operand_of(self, wanted: i128, (low, high): Range) -> Option<i128> {
        let period = match self {
            Operation::And(mask) => mask + 1,
            Operation::Remainder(divisor) => divisor,
            Operation::Cut(int) => {
                let (least, greatest) = integer::range(int);
                greatest - least + 1
            }
        };
        let start = 0i128.clamp(low, high);
        let first = start + (wanted - start).rem_euclid(period);
        [first, first - period, first + period, first - 2 * period]
            .into_iter()
            .find(|operand| (low..=high).contains(operand) && self.of(*operand) == wanted)
    }
}

/// A choice that a run made; an input that is still open gets its value at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// The choice, with the answer as far as it is known.
    pub choice: Choice,
    /// The input that the answer is the value of.
    pub symbol: Option<SymbolId>,
}

/// What steps report.
#[derive(Default, Debug)]
pub struct Sink {
    /// Errors that do not stop the run (leaks, dangling returns).
    pub errors: Vec<RunError>,
    /// What was not tried in full.
    pub gaps: Vec<Gap>,
    /// Trace events, if they are recorded.
    pub events: Option<Vec<Event>>,
    /// The choices, if they are recorded.
    pub choices: Option<Vec<Made>>,
    /// Inputs that were computed from others.
    pub(crate) derived: Vec<Derived>,
    /// Functions that ran within a step, because the library called them back.
    pub(crate) called_back: FxHashSet<FunctionId>,
}

/// A program, ready to run.
#[derive(Debug)]
pub struct Machine<'p> {
    /// The program.
    pub program: &'p Program,
    /// How it runs.
    pub options: MachineOptions,
    pub(crate) code: Code,
    pub(crate) contracts: Contracts,
    pub(crate) globals: Heap,
    /// The objects behind `stdin`, `stdout` and `stderr`.
    pub(crate) streams: Vec<(&'static str, ObjectId)>,
    /// The budget that steps look at.
    meter: Option<BudgetMeter<'p>>,
    /// How many looks more are granted when it is used up.
    grace: Cell<u64>,
}

/// What happens to the values of an input that are not tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Others {
    /// Nobody looks at them.
    LeftOut,
    /// Another way stands for them.
    Covered,
}

/// Runs steps of one state.
pub(crate) struct Executor<'a, 'p> {
    pub(crate) machine: &'a Machine<'p>,
    pub(crate) state: &'a mut State,
    pub(crate) chooser: &'a mut dyn Chooser,
    pub(crate) sink: &'a mut Sink,
}

pub(crate) type Step<T> = Result<T, Stop>;

impl<'p> Machine<'p> {
    /// Prepares `program`.
    pub fn new(program: &'p Program, options: MachineOptions) -> Machine<'p> {
        Machine::with_code(program, options, Code::new(program))
    }

    /// The same within a budget, which steps look at too: one may call back, or walk through large objects.
    pub fn within(
        program: &'p Program,
        options: MachineOptions,
        control: &'p Control,
    ) -> Result<Machine<'p>, Exhausted> {
        // Steps on many inputs take long.
        const PAUSE: u32 = 16;
        let preparing = BudgetMeter::new(control);
        let code = Code::unless(program, &|| preparing.check())?;
        let machine = Machine::with_code(program, options, code);
        Ok(Machine { meter: Some(BudgetMeter::new(control).every(PAUSE)), ..machine })
    }

    fn with_code(program: &'p Program, options: MachineOptions, code: Code) -> Machine<'p> {
        let contracts = Contracts::new(program);
        let mut machine = Machine {
            program,
            options,
            code,
            contracts,
            globals: Heap::default(),
            streams: Vec::new(),
            meter: None,
            grace: Cell::new(0),
        };
        machine.globals = machine.initial_globals();
        machine.open_streams();
        machine
    }

    /// How many bytes a pointer has, and a `long` (both machines agree).
    pub(crate) fn word_bytes(&self) -> u8 {
        self.program.target.pointer_bytes as u8
    }

    /// A pointer.
    pub(crate) fn pointer_scalar(&self) -> Scalar {
        Scalar::Pointer(self.word_bytes())
    }

    /// Whether the budget is used up; for loops that a program can make long.
    pub(crate) fn check_budget(&self) -> Result<(), Exhausted> {
        self.meter.as_ref().map_or(Ok(()), |meter| meter.check()).or_else(|exhausted| self.granted(exhausted))
    }

    /// The same, for loops whose rounds are long.
    pub(crate) fn check_budget_now(&self) -> Result<(), Exhausted> {
        self.meter.as_ref().map_or(Ok(()), BudgetMeter::check_now).or_else(|exhausted| self.granted(exhausted))
    }

    fn granted(&self, exhausted: Exhausted) -> Result<(), Exhausted> {
        let left = self.grace.get().checked_sub(1).ok_or(exhausted)?;
        self.grace.set(left);
        Ok(())
    }

    /// Does something short that must be done even if the budget is used up, with so many looks at most from then on.
    pub(crate) fn with_grace<T>(&self, looks: u64, work: impl FnOnce() -> T) -> T {
        self.grace.set(looks);
        let done = work();
        self.grace.set(0);
        done
    }

    /// The object of a global: slots start with them, in order.
    pub(crate) fn global_object(global: heapwise_ir::GlobalId) -> ObjectId {
        ObjectId(global.as_u32())
    }

    /// The state before the entry point runs. Its parameters are inputs, so this may choose.
    pub fn start(&self, chooser: &mut dyn Chooser, sink: &mut Sink) -> Result<State, Stop> {
        let mut state = State {
            frames: Vec::new(),
            heap: self.globals.clone(),
            constraints: Rc::default(),
            inputs: Rc::default(),
            decided_once: Rc::default(),
            addresses: Rc::new(AddressDecisions::default()),
            at_exit: Vec::new(),
            exit_code: None,
            calls: 0,
            pending_leaks: Vec::new(),
            output: match self.options.output {
                OutputMode::Kept => Some(Rc::default()),
                OutputMode::Dropped => None,
            },
            doubtful: false,
            returned: Value::UNSET,
            token: Value::ZERO,
            library_objects: smallvec::SmallVec::new(),
            issued: Rc::default(),
            sequences: Rc::default(),
            descriptors: Rc::default(),
            closed: Rc::default(),
            readings: Rc::default(),
            has_changed_outside: false,
        };
        let mut executor = Executor { machine: self, state: &mut state, chooser, sink };
        let arguments = executor.entry_arguments()?;
        executor.push_frame(self.options.entry, &arguments, CallOrigin::Entry)?;
        Ok(state)
    }

    /// Runs one step.
    pub fn step(&self, state: &mut State, chooser: &mut dyn Chooser, sink: &mut Sink) -> Result<(), Stop> {
        let result = Executor { machine: self, state: &mut *state, chooser, sink: &mut *sink }.step();
        match &result {
            Ok(()) | Err(Stop::NeedsChoice | Stop::Exhausted(_) | Stop::Ended(Ending::Infeasible)) => {}
            Err(Stop::Error(error)) => self.finish(state, Some(error), sink),
            Err(Stop::Ended(_) | Stop::Gap(_)) => self.finish(state, None, sink),
        }
        result
    }

    /// Reports what waited for the end of the run: leaks caused by freeing an object, unless the run ends by using it.
    pub(crate) fn finish(&self, state: &mut State, error: Option<&RunError>, sink: &mut Sink) {
        for leak in std::mem::take(&mut state.pending_leaks) {
            let is_explained = error.is_some_and(|error| {
                matches!(error.kind, Kind::UseAfterFree | Kind::DoubleFree | Kind::DanglingReturn)
                    && error.birth == Some(leak.cause)
            });
            if !is_explained {
                sink.errors.push(leak.error);
            }
        }
    }
}

/// A mask of the lowest `width` bits.
pub(crate) fn low_bits(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1u128 << width) - 1 }
}

impl<'p> Executor<'_, 'p> {
    /// Stops the step if the budget is used up.
    pub(crate) fn check_budget(&self) -> Step<()> {
        self.machine.check_budget().map_err(Stop::Exhausted)
    }

    /// The place of the edge that runs, or that was taken last.
    pub(crate) fn place(&self) -> (FunctionId, Span) {
        let Some(frame) = self.state.frames.last() else { return (self.machine.options.entry, Span::NONE) };
        let function = &self.machine.program.functions[frame.function];
        let span = match (&function.body, frame.last_edge) {
            (Body::Defined(automaton), Some(edge)) => automaton.edges[edge].span,
            _ => function.span,
        };
        (frame.function, span)
    }

    pub(crate) fn site(&self) -> Option<Site> {
        let frame = self.state.frames.last()?;
        frame.last_edge.map(|edge| Site { function: frame.function, edge })
    }

    pub(crate) fn error<T>(&self, kind: Kind, message: impl Into<String>, object: Option<ObjectId>) -> Step<T> {
        Err(Stop::Error(Box::new(self.run_error(kind, message, object))))
    }

    /// The error of an access.
    pub(crate) fn access_error<T>(
        &self,
        kind: Kind,
        message: String,
        object: Option<ObjectId>,
        access: FailedAccess,
    ) -> Step<T> {
        let mut error = self.run_error(kind, message, object);
        error.about.access = Some(access);
        Err(Stop::Error(Box::new(error)))
    }

    pub(crate) fn run_error(&self, kind: Kind, message: impl Into<String>, object: Option<ObjectId>) -> RunError {
        let (function, span) = self.place();
        let birth = object.map(|object| self.state.heap.object(object).birth);
        let about = object.map(|object| self.subject(object)).unwrap_or_default();
        let called_from = self.call_of_library(function);
        RunError { kind, span, function, called_from, message: message.into(), birth, about }
    }

    /// The call that leads into a function of the library whose body the front end made.
    fn call_of_library(&self, function: FunctionId) -> Option<Statement> {
        let program = self.machine.program;
        if has_text(&program.functions[function]) {
            return None;
        }
        let outside = self.state.frames.iter().rev().find(|frame| has_text(&program.functions[frame.function]))?;
        let automaton = program.functions[outside.function].automaton()?;
        let span = automaton.edges[outside.last_edge?].span;
        Some(Statement { function: outside.function, span })
    }

    fn subject(&self, object: ObjectId) -> Subject {
        let object = self.state.heap.object(object);
        let statement = |site: Site| {
            let span = span_of(self.machine.program, site)?;
            Some(Statement { function: site.function, span })
        };
        let storage = match object.kind {
            ObjectKind::Heap => SubjectStorage::Heap,
            ObjectKind::Auto => SubjectStorage::Local,
            ObjectKind::Global(_) | ObjectKind::Literal(_) | ObjectKind::Environment | ObjectKind::Library => {
                SubjectStorage::Static
            }
        };
        let (made, gone) = (object.site.and_then(statement), object.death_site.and_then(statement));
        Subject { made, gone, storage: Some(storage), access: None }
    }

    pub(crate) fn gap<T>(&self, reason: impl Into<GapReason>) -> Step<T> {
        let (_, span) = self.place();
        Err(Stop::Gap(Box::new(Gap { span, reason: reason.into() })))
    }

    /// The run goes on, but not everything that can happen here is tried.
    pub(crate) fn incomplete(&mut self, reason: impl Into<GapReason>) {
        let (_, span) = self.place();
        let gap = Gap { span, reason: reason.into() };
        if !self.sink.gaps.contains(&gap) {
            self.sink.gaps.push(gap);
        }
    }

    pub(crate) fn event(&mut self, kind: EventKind, message: impl FnOnce(&Self) -> String, object: Option<ObjectId>) {
        if self.sink.events.is_none() {
            return;
        }
        let (function, span) = self.place();
        let message = message(self);
        let birth = object.map(|object| self.state.heap.object(object).birth);
        let depth = self.state.frames.len();
        if let Some(events) = &mut self.sink.events {
            events.push(Event { kind, span, function, depth, message, birth, symbol: None });
        }
    }

    /// Enters a defined function.
    pub(crate) fn push_frame(&mut self, id: FunctionId, arguments: &[Value], origin: CallOrigin) -> Step<()> {
        let function = &self.machine.program.functions[id];
        let Body::Defined(automaton) = &function.body else {
            return self.gap(CallGap::NoBodyToRun { function: function.name.clone() });
        };
        if self.state.frames.len() >= self.machine.options.max_depth {
            return self.gap(CallGap::TooDeep { depth: self.machine.options.max_depth });
        }
        let entered = self.enter_contract(id, arguments, origin)?;
        let mut registers = vec![Value::UNSET; function.registers.len()];
        for (parameter, value) in function.parameters.iter().zip(arguments) {
            registers[parameter.as_u32() as usize] = *value;
            self.state.heap.retain(*value, Holder::Root);
        }
        self.state.calls += 1;
        let frame = Frame {
            function: id,
            location: automaton.entry,
            origin,
            last_edge: None,
            serial: self.state.calls,
            registers,
            entered,
            autos: smallvec::SmallVec::new(),
        };
        self.state.frames.push(Rc::new(frame));
        Ok(())
    }

    /// The type of a register of the innermost call.
    pub(crate) fn register_scalar(&self, register: heapwise_ir::RegisterId) -> Scalar {
        let frame = self.state.frames.last().expect("a running program has a frame");
        self.machine.code.functions[frame.function].registers[register.as_u32() as usize]
    }

    /// Whether the type is a pointer.
    pub(crate) fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.machine.program.ty(ty), Type::Pointer(_))
    }
}
