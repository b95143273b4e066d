//! The machine: a program with its tables, initial states, and the executor that one step needs.

use crate::approximate::{ALL_TRIED_UP_TO, Approximation, Range};
use crate::chooser::{Chooser, Listed, Question};
use crate::code::Code;
use crate::constraints::{ByteSet, Difference, is_among};
use crate::contents::{CellValue, Fill};
use crate::contract::Contracts;
use crate::describe::span_of;
use crate::heap::{Heap, Holder, ObjectKind, Site};
use crate::inputs::{Doubt, InputId, LIBRARY_SIZE, PointersInside, SHORT_TEXT};
use crate::integer;
use crate::state::{AddressDecisions, CallOrigin, Frame, State};
use crate::value::{ObjectId, Pointer, Scalar, SymbolId, Term, Value};
use heapwise_engine::reason::{CallGap, GapReason, InputGap};
use heapwise_engine::{
    AllocationFailure, Answer, Choice, ChoiceQuestion, Control, Exhausted, Gap, InputSource, Kind, Lookout, Statement,
    Subject, Writer,
};
use heapwise_ir::{
    Body, FunctionId, Initializer, InitializerItem, IntType, Mutability, Operand, Program, Span, Type, TypeId,
};
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
    lookout: Option<Lookout<'p>>,
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
        let preparing = Lookout::new(control);
        let code = Code::unless(program, &|| preparing.look())?;
        let machine = Machine::with_code(program, options, code);
        Ok(Machine { lookout: Some(Lookout::new(control).every(PAUSE)), ..machine })
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
            lookout: None,
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
    pub(crate) fn look(&self) -> Result<(), Exhausted> {
        self.lookout.as_ref().map_or(Ok(()), |lookout| lookout.look()).or_else(|exhausted| self.granted(exhausted))
    }

    /// The same, for loops whose rounds are long.
    pub(crate) fn look_now(&self) -> Result<(), Exhausted> {
        self.lookout.as_ref().map_or(Ok(()), Lookout::look_now).or_else(|exhausted| self.granted(exhausted))
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

    fn initial_globals(&self) -> Heap {
        let mut heap = Heap::default();
        for (id, global) in &self.program.globals {
            let kind = match global.mutability {
                Mutability::Mutable => ObjectKind::Global(id),
                Mutability::ReadOnly => ObjectKind::Literal(id),
            };
            let fill = match global.initializer {
                Initializer::Items(_) | Initializer::Bytes(_) => Fill::Zero,
                Initializer::Unknown | Initializer::Library(_) => Fill::Any(InputId::ELSEWHERE),
            };
            let object = heap.add(kind, global.size, fill, None);
            heap.object_mut(object).view = Some(global.ty);
        }
        for (id, global) in &self.program.globals {
            let object = Self::global_object(id);
            match &global.initializer {
                Initializer::Items(items) => {
                    items.iter().for_each(|item| self.initialize(&mut heap, object, item));
                }
                Initializer::Bytes(bytes) => {
                    let fits = bytes.len().min(global.size as usize);
                    heap.write(object, |contents, changes| {
                        for (index, byte) in bytes[..fits].iter().enumerate() {
                            contents.store_bits(index as u64, 1, u128::from(*byte), changes);
                        }
                    });
                }
                // Filled in when it is read: every time anew.
                Initializer::Unknown | Initializer::Library(_) => {}
            }
        }
        heap.dropped.clear();
        heap
    }

    /// The library's streams are objects of their own, and the variables that name them are never null.
    fn open_streams(&mut self) {
        let width = u64::from(self.program.target.pointer_bytes);
        for name in ["stdin", "stdout", "stderr"] {
            let any = Fill::Any(InputId::ELSEWHERE);
            let object = self.globals.add(ObjectKind::Library, LIBRARY_SIZE, any, None);
            let value = Value::Pointer(Pointer { object, offset: 0 });
            self.globals.retain(value, Holder::Root);
            self.streams.push((name, object));
            let variable = self.program.globals.iter().find(|(_, global)| global.name == name && global.size == width);
            if let Some((id, _)) = variable {
                self.globals.write(Self::global_object(id), |contents, changes| {
                    contents.store_cell(0, width, CellValue::Value(value), changes);
                });
            }
        }
        self.globals.dropped.clear();
    }

    fn initialize(&self, heap: &mut Heap, object: ObjectId, item: &InitializerItem) {
        let scalar = self.code.scalar(item.ty);
        let size = scalar.bytes();
        if item.offset + size > heap.object(object).size {
            return;
        }
        let value = match item.value {
            Operand::Global(global) => {
                Value::Pointer(Pointer { object: Self::global_object(global), offset: item.addend })
            }
            Operand::Function(function) => Value::Function(function),
            Operand::Int(value) => match scalar {
                Scalar::Float(_) => Value::Float(value as f64),
                _ => Value::Int(value + i128::from(item.addend)),
            },
            Operand::Float(value) => Value::Float(value),
            Operand::Register(_) => return,
        };
        heap.write(object, |contents, changes| match (value, item.bits) {
            (Value::Int(value), Some(bits)) => {
                let mask = low_bits(u32::from(bits.width)) << bits.shift;
                contents.store_masked(item.offset, size, (value as u128) << bits.shift, mask);
            }
            (Value::Int(value), None) => contents.store_bits(item.offset, size, value as u128, changes),
            (Value::Float(value), _) => {
                if let Scalar::Float(float) = scalar {
                    contents.store_bits(item.offset, size, crate::float::to_bits(value, float), changes);
                }
            }
            (value, _) => contents.store_cell(item.offset, size, CellValue::Value(value), changes),
        });
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
    pub(crate) fn look(&self) -> Step<()> {
        self.machine.look().map_err(Stop::Exhausted)
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

    pub(crate) fn run_error(&self, kind: Kind, message: impl Into<String>, object: Option<ObjectId>) -> RunError {
        let (function, span) = self.place();
        let birth = object.map(|object| self.state.heap.object(object).birth);
        let about = object.map(|object| self.subject(object)).unwrap_or_default();
        RunError { kind, span, function, message: message.into(), birth, about }
    }

    fn subject(&self, object: ObjectId) -> Subject {
        let object = self.state.heap.object(object);
        let statement = |site: Site| {
            let span = span_of(self.machine.program, site)?;
            Some(Statement { function: site.function, span })
        };
        Subject { made: object.site.and_then(statement), gone: object.death_site.and_then(statement) }
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

    /// One of `n` options.
    pub(crate) fn choose(&mut self, question: Question, n: usize) -> Step<usize> {
        if n == 1 {
            return Ok(0);
        }
        self.chooser.option(question, n).ok_or(Stop::NeedsChoice)
    }

    /// Asks for one of `options`, and records the answer.
    pub(crate) fn ask(&mut self, kind: Question, question: ChoiceQuestion, options: &[Answer]) -> Step<usize> {
        let (_, span) = self.place();
        let chosen = match self.chooser.listed(&question, span) {
            Listed::Open if options.len() == 1 => 0,
            Listed::Open => self.chooser.option(kind, options.len()).ok_or(Stop::NeedsChoice)?,
            Listed::Answer(answer) => match options.iter().position(|option| *option == answer) {
                Some(chosen) => chosen,
                None => return self.gap(InputGap::NotOpen),
            },
            Listed::Missing => return Err(Stop::NeedsChoice),
        };
        self.record(question, &options[chosen], None);
        Ok(chosen)
    }

    /// Writes a choice down; inputs are steps of the trace too.
    fn record(&mut self, question: ChoiceQuestion, answer: &Answer, symbol: Option<SymbolId>) {
        if self.sink.events.is_none() && self.sink.choices.is_none() {
            return;
        }
        let (function, span) = self.place();
        match &question {
            ChoiceQuestion::Input(source) => {
                let message = match symbol {
                    Some(_) => format!("{source} is {{}}"),
                    None => format!("{source} is {answer}"),
                };
                self.event(EventKind::Input, |_| message, None);
                if let Some(event) = self.sink.events.as_mut().and_then(|events| events.last_mut()) {
                    event.symbol = symbol;
                }
            }
            ChoiceQuestion::Address { .. } | ChoiceQuestion::Place { .. } => {
                let choice = Choice { question: question.clone(), span, function, answer: answer.clone() };
                self.event(EventKind::Input, |_| choice.to_string(), None);
            }
            ChoiceQuestion::Allocation => {}
        }
        if let Some(choices) = &mut self.sink.choices {
            choices.push(Made { choice: Choice { question, span, function, answer: answer.clone() }, symbol });
        }
    }

    /// A new input of an integer type.
    pub(crate) fn new_input(&mut self, int: IntType, source: InputSource) -> Step<Value> {
        self.new_input_between(integer::range(int), source)
    }

    /// A new input between two bounds.
    pub(crate) fn new_input_between(&mut self, (low, high): (i128, i128), source: InputSource) -> Step<Value> {
        let question = ChoiceQuestion::Input(source);
        let (_, span) = self.place();
        match self.chooser.listed(&question, span) {
            Listed::Answer(Answer::Integer(value)) if (low..=high).contains(&value) => {
                self.record(question, &Answer::Integer(value), None);
                Ok(Value::Int(value))
            }
            Listed::Answer(_) => self.gap(InputGap::NotOpen),
            Listed::Missing => Err(Stop::NeedsChoice),
            Listed::Open => {
                let symbol = Rc::make_mut(&mut self.state.constraints).add_symbol(low, high);
                self.record(question, &Answer::Integer(low), Some(symbol));
                Ok(Value::Symbol(Term { symbol, addend: 0 }))
            }
        }
    }

    /// A new input that is one of these bytes.
    pub(crate) fn new_byte_among(&mut self, bytes: ByteSet, source: InputSource) -> Step<Value> {
        let question = ChoiceQuestion::Input(source);
        let (_, span) = self.place();
        match self.chooser.listed(&question, span) {
            Listed::Answer(Answer::Integer(value)) if is_among(&bytes, value) => {
                self.record(question, &Answer::Integer(value), None);
                Ok(Value::Int(value))
            }
            Listed::Answer(_) => self.gap(InputGap::NotOpen),
            Listed::Missing => Err(Stop::NeedsChoice),
            Listed::Open => match Rc::make_mut(&mut self.state.constraints).add_byte(bytes) {
                Some(symbol) => {
                    self.record(question, &Answer::Integer(0), Some(symbol));
                    Ok(Value::Symbol(Term { symbol, addend: 0 }))
                }
                None => self.gap(InputGap::ManyValues),
            },
        }
    }

    /// A value that input decides.
    pub(crate) fn nondet(&mut self, ty: TypeId, source: InputSource) -> Step<Value> {
        self.nondet_scalar(self.machine.code.scalar(ty), source)
    }

    pub(crate) fn nondet_scalar(&mut self, scalar: Scalar, source: InputSource) -> Step<Value> {
        match scalar {
            Scalar::Int(int) if int.bytes() <= 8 => self.new_input(int, source),
            Scalar::Int(_) => {
                self.incomplete(InputGap::WideInteger);
                const TRIED: [i128; 3] = [0, 1, -1];
                let question = ChoiceQuestion::Input(source);
                let chosen = self.ask(Question::Input, question, &TRIED.map(Answer::Integer))?;
                Ok(Value::Int(TRIED[chosen]))
            }
            Scalar::Float(_) => self.float_input(&[0.0, 1.0, -1.0], source),
            Scalar::Pointer(_) => {
                let options = [Answer::Null, Answer::NotNull];
                let chosen = self.ask(Question::Input, ChoiceQuestion::Input(source), &options)?;
                Ok(if chosen == 0 { Value::ZERO } else { Value::Opaque })
            }
            Scalar::None => Ok(Value::UNSET),
        }
    }

    /// A floating-point input: one of a few values.
    pub(crate) fn float_input(&mut self, tried: &[f64], source: InputSource) -> Step<Value> {
        self.incomplete(InputGap::Float);
        let options: Vec<Answer> = tried.iter().map(|value| Answer::Float(value.to_bits())).collect();
        let chosen = self.ask(Question::Input, ChoiceQuestion::Input(source), &options)?;
        Ok(Value::Float(tried[chosen]))
    }

    /// Adds what a choice decided.
    pub(crate) fn refine(&mut self, differences: &[Difference]) -> Step<()> {
        let machine = self.machine;
        let constraints = Rc::make_mut(&mut self.state.constraints);
        for difference in differences {
            self.state.doubtful |= [difference.x, difference.y]
                .into_iter()
                .flatten()
                .any(|symbol| constraints.is_doubtful(symbol) && !constraints.implies(difference));
            let feasible = constraints.assume(*difference, &|| machine.look()).map_err(Stop::Exhausted)?;
            // Only feasible alternatives are offered, but what multiples allow together is not all known before.
            if !feasible {
                return Err(Stop::Ended(Ending::Infeasible));
            }
        }
        Ok(())
    }

    /// The integer that a term stands for, if it is already fixed.
    pub(crate) fn known(&self, value: Value) -> Value {
        match value {
            Value::Symbol(term) => {
                let (low, high) = self.state.constraints.bounds(term.symbol);
                if low == high { Value::Int(low + i128::from(term.addend)) } else { value }
            }
            _ => value,
        }
    }

    /// Fixes an input, so that any operation can be computed.
    pub(crate) fn fix(&mut self, term: Term) -> Step<i128> {
        self.fix_one_of(term, ALL_TRIED_UP_TO, Others::LeftOut)
    }

    /// Fixes an input to a value that it has in a run.
    pub(crate) fn fix_one_of(&mut self, term: Term, all_tried_up_to: i128, others: Others) -> Step<i128> {
        let (low, high) = self.state.constraints.bounds(term.symbol);
        let addend = i128::from(term.addend);
        if low == high {
            return Ok(low + addend);
        }
        let mut candidates: Vec<i128> = if high - low < all_tried_up_to {
            (low..=high).collect()
        } else {
            match others {
                Others::LeftOut => self.incomplete(InputGap::ManyValues),
                Others::Covered => {}
            }
            let mut candidates: Vec<i128> = self.machine.code.constants.clone();
            candidates.retain(|value| (low..=high).contains(value));
            candidates.extend([low, high].iter().filter(|bound| !self.machine.code.constants.contains(bound)));
            candidates
        };
        candidates.retain(|value| self.state.constraints.can_be(term.symbol, *value));
        let value = self.chooser.value(low, high, &candidates).ok_or(Stop::NeedsChoice)?;
        let value = if self.state.constraints.can_be(term.symbol, value) { value } else { low };
        self.refine_between(term, (value, value))?;
        Ok(value + addend)
    }

    pub(crate) fn refine_between(&mut self, term: Term, (low, high): Range) -> Step<()> {
        let (x, y) = (Some(term.symbol), Some(term.symbol));
        self.refine(&[Difference { x, y: None, bound: high }, Difference { x: None, y, bound: -low }])
    }

    /// The value of an index: an input lies before, in or behind the range of those that are there.
    pub(crate) fn index(&mut self, value: Value, (least, most): Range) -> Step<i128> {
        const ALL_INDICES_UP_TO: i128 = 300;
        let Value::Symbol(term) = self.known(value) else { return self.integer(value) };
        let addend = i128::from(term.addend);
        let (low, high) = self.state.constraints.bounds(term.symbol);
        let (least, most) = (least - addend, most - addend);
        let regions: Vec<Range> =
            [(low, high.min(least - 1)), (low.max(least), high.min(most)), (low.max(most + 1), high)]
                .into_iter()
                .filter(|(low, high)| low <= high)
                .collect();
        let region = regions[self.choose(Question::Branch, regions.len())?];
        self.refine_between(term, region)?;
        self.fix_one_of(term, ALL_INDICES_UP_TO, Others::LeftOut)
    }

    /// Arguments of the entry point: `main`'s are a well-formed `argc` and `argv`, others are inputs.
    fn entry_arguments(&mut self) -> Step<Vec<Value>> {
        let function = &self.machine.program.functions[self.machine.options.entry];
        let types: Vec<TypeId> = function.parameters.iter().map(|register| function.registers[*register].ty).collect();
        if function.name == "main" && matches!(types.len(), 1..=3) {
            return self.main_arguments(types.len());
        }
        let names: Vec<String> =
            function.parameters.iter().map(|register| function.registers[*register].name.clone()).collect();
        types.iter().zip(names).map(|(ty, name)| self.nondet(*ty, InputSource::Parameter(name))).collect()
    }

    fn main_arguments(&mut self, n: usize) -> Step<Vec<Value>> {
        let longest = self.machine.code.text_lengths.last().copied().unwrap_or(SHORT_TEXT);
        let entry = self.machine.options.entry;
        let function = &self.machine.program.functions[entry];
        let used = |index: usize| {
            let Body::Defined(automaton) = &function.body else { return false };
            function
                .parameters
                .get(index)
                .is_some_and(|register| self.machine.code.is_live(entry, automaton.entry, *register))
        };
        if !(0..n).any(used) {
            return Ok(vec![Value::Int(1), Value::ZERO, Value::ZERO][..n].to_vec());
        }
        if !(1..n).any(used) {
            // The number alone is an input like any other.
            let (_, most) = integer::range(IntType::Signed(4));
            let count = self.new_input_between((1, most), InputSource::ArgumentCount)?;
            return Ok(vec![count, Value::ZERO, Value::ZERO][..n].to_vec());
        }
        self.incomplete(InputGap::ProgramArguments);
        let counts = [1, 2, 3].map(Answer::Integer);
        let count = 1 + self.ask(Question::Arguments, ChoiceQuestion::Input(InputSource::ArgumentCount), &counts)?;
        let word = u64::from(self.machine.program.target.pointer_bytes);
        let vector = self.state.heap.add(ObjectKind::Environment, (count as u64 + 1) * word, Fill::Zero, None);
        for index in 0..count {
            let input = self.add_input(Writer::Argument(index as u32), Doubt::None, PointersInside::Opaque);
            let heap = &mut self.state.heap;
            let string = heap.add(ObjectKind::Environment, longest + 1, Fill::Any(input), None);
            heap.write(string, |contents, changes| contents.store_bits(longest, 1, 0, changes));
            let value = CellValue::Value(Value::Pointer(Pointer { object: string, offset: 0 }));
            heap.write(vector, |contents, changes| contents.store_cell(index as u64 * word, word, value, changes));
        }
        let heap = &mut self.state.heap;
        let environment = heap.add(ObjectKind::Environment, word, Fill::Zero, None);
        for object in [vector, environment] {
            heap.retain(Value::Pointer(Pointer { object, offset: 0 }), Holder::Root);
        }
        let pointer = |object| Value::Pointer(Pointer { object, offset: 0 });
        Ok(vec![Value::Int(count as i128), pointer(vector), pointer(environment)][..n].to_vec())
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
