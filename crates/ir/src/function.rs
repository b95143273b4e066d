//! Functions as control-flow automata.

use crate::ids::{EdgeId, LocationId, RegisterId, TypeId};
use crate::instruction::Instruction;
use crate::span::Span;
use crate::value::{CompareOperator, Operand};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use heapwise_dataflow::Graph;

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The C name; unique within the program (a `static` one that clashes carries its file: `name@file.c`).
    pub name: String,
    /// Where it is declared or defined.
    pub span: Span,
    /// All registers.
    pub registers: PrimaryMap<RegisterId, Register>,
    /// The parameters, hidden ones included, in order.
    pub parameters: Vec<RegisterId>,
    /// The register whose value at `exit` is the result.
    pub result: Option<RegisterId>,
    /// Whether callers pass more arguments. A defined variadic function has a hidden last parameter that points
    /// to the memory in which the caller put them; an extern one receives them as plain arguments.
    pub variadic: bool,
    /// Whether the address is taken anywhere in the program.
    pub address_taken: bool,
    /// The automaton, or what is known of a function without one.
    pub body: Body,
}

impl Function {
    /// The automaton, unless the function has no body.
    pub fn automaton(&self) -> Option<&Automaton> {
        match &self.body {
            Body::Defined(automaton) => Some(automaton),
            Body::Extern(_) => None,
        }
    }

    /// The type of the first operand that is a register: at what type a comparison is made if nothing else is said.
    pub(crate) fn default_compare_type(&self, left: Operand, right: Operand) -> Option<TypeId> {
        let register = left.register().or(right.register())?;
        Some(self.registers.get(register)?.ty)
    }
}

/// What a function does.
#[allow(clippy::large_enum_variant, reason = "a program has few functions, and looks at their effects often")]
#[derive(Clone, Debug)]
pub enum Body {
    /// Its automaton.
    Defined(Automaton),
    /// No body in the program.
    Extern(ExternEffects),
}

/// Locations and edges. A location without out-edges that is not `exit` is where a call does not return.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// Where execution starts.
    pub entry: LocationId,
    /// Where it returns.
    pub exit: LocationId,
    /// The edges.
    pub edges: PrimaryMap<EdgeId, Edge>,
    /// The edges that leave each location, in order; the length of this map is the number of locations.
    pub outgoing: PrimaryMap<LocationId, Vec<EdgeId>>,
}

impl Graph for Automaton {
    type Node = LocationId;
    type Edge = EdgeId;

    fn n_nodes(&self) -> usize {
        self.n_locations()
    }

    fn outgoing(&self, location: LocationId) -> &[EdgeId] {
        &self.outgoing[location]
    }

    fn source(&self, edge: EdgeId) -> LocationId {
        self.edges[edge].from
    }

    fn target(&self, edge: EdgeId) -> LocationId {
        self.edges[edge].to
    }

    fn entries(&self) -> impl Iterator<Item = LocationId> {
        std::iter::once(self.entry)
    }
}

impl Automaton {
    /// An automaton with an entry and an exit and nothing between.
    pub fn new() -> Automaton {
        let mut outgoing = PrimaryMap::new();
        let entry = outgoing.push(Vec::new());
        let exit = outgoing.push(Vec::new());
        Automaton { entry, exit, edges: PrimaryMap::new(), outgoing }
    }

    /// A new location.
    pub fn add_location(&mut self) -> LocationId {
        self.outgoing.push(Vec::new())
    }

    /// A new edge.
    pub fn add_edge(&mut self, from: LocationId, to: LocationId, instruction: Instruction, span: Span) -> EdgeId {
        let edge = self.edges.push(Edge { from, to, instruction, span });
        self.outgoing[from].push(edge);
        edge
    }

    /// How many locations there are.
    pub fn n_locations(&self) -> usize {
        self.outgoing.len()
    }

    /// The edges that enter each location.
    pub fn incoming(&self) -> SecondaryMap<LocationId, Vec<EdgeId>> {
        let mut incoming: SecondaryMap<LocationId, Vec<EdgeId>> = SecondaryMap::with_capacity(self.n_locations());
        for (id, edge) in &self.edges {
            incoming[edge.to].push(id);
        }
        incoming
    }
}

impl Default for Automaton {
    fn default() -> Automaton {
        Automaton::new()
    }
}

/// One step of a function.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where from.
    pub from: LocationId,
    /// Where to.
    pub to: LocationId,
    /// What happens.
    pub instruction: Instruction,
    /// The C text it came from.
    pub span: Span,
}

/// A register.
#[derive(Clone, Debug)]
pub struct Register {
    /// The C name, or a made-up one; unique within the function.
    pub name: String,
    /// The C type.
    pub ty: TypeId,
    /// Where it comes from.
    pub origin: RegisterOrigin,
}

/// Where a register comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegisterOrigin {
    /// A local variable or parameter of the C text, declared here.
    Variable(Span),
    /// The address of a local that lives in memory, declared here.
    AddressOfLocal(Span),
    /// Made by the lowering: not shown to users, never holds the last reference that a leak waits for.
    Temporary,
}

/// What a function without a body may do. The default is the worst.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternEffects {
    /// Whether and how it comes back.
    pub termination: Termination,
    /// What it does to memory that its arguments reach.
    pub memory: MemoryEffect,
    /// The parameters that it reads or writes through: passing a dangling or uninitialised pointer is an error at the
    /// call, and null is one where [`Dereference::null`] says so.
    pub dereferences: Vec<Dereference>,
    /// What it looks at behind parameters that it writes to, before it writes.
    pub reads_first: Vec<ReadFirst>,
    /// The parameter that is a format string, which says what the arguments after the named parameters are: `%s` of
    /// `printf` reads through its argument, every conversion of `scanf` but `%%` and `%*` writes through it.
    pub format: Option<Format>,
    /// The parameters (by position) whose object it takes over: the caller need not free it any more.
    pub takes_ownership: Vec<u32>,
    /// What it returns.
    pub result: ExternResult,
    /// What its result lies between, where that is less than its type has.
    pub range: Option<ResultRange>,
    /// Who decides what it returns and writes.
    pub decided_by: DecidedBy,
    /// Which results mean that it has written; with any other it has written nothing. `None`: it always has.
    pub success: Option<Success>,
    /// Arguments with which it surely succeeds (`clock_gettime` of a clock that every system has).
    pub certain: Option<CertainArgument>,
    /// What it writes as bytes.
    pub written: WrittenBytes,
    /// Whose storage its result points to, where that does not stay as it is for good.
    pub storage: Option<ResultStorage>,
    /// Its part in a sequence of numbers that a seed decides.
    pub sequence: Option<SequencePart>,
    /// What it reads of a stream or descriptor, and which result says that this has ended.
    pub input: Option<InputPart>,
    /// The function that it calls back. What else is said of the memory is then said as if there were no callback
    /// ([`MemoryEffect::Unknown`]), so that nobody takes the call for less than it is; who follows callbacks knows that
    /// the call does this and nothing more.
    pub callback: Option<Box<Callback>>,
    /// Its part in which descriptors are open.
    pub descriptor: Option<DescriptorPart>,
    /// The member of the record that its result points to which is a text that is not empty (`readdir`: `d_name`).
    pub non_empty: Option<String>,
    /// Whether `errno` is the same behind the call.
    pub error_number: ErrorNumber,
    /// Whether a model says this; without one, engines report a gap at the call.
    pub modelled: bool,
}

impl ExternEffects {
    /// A function that nothing is known of.
    pub const UNKNOWN: ExternEffects = ExternEffects {
        termination: Termination::Returns,
        memory: MemoryEffect::Unknown,
        dereferences: Vec::new(),
        reads_first: Vec::new(),
        format: None,
        takes_ownership: Vec::new(),
        result: ExternResult::Any,
        range: None,
        decided_by: DecidedBy::Arguments,
        success: None,
        certain: None,
        written: WrittenBytes::Any,
        storage: None,
        sequence: None,
        input: None,
        callback: None,
        descriptor: None,
        non_empty: None,
        error_number: ErrorNumber::MayBeSet,
        modelled: false,
    };

    /// What says how many bytes lie behind a parameter.
    pub fn length_behind(&self, parameter: u32) -> Length {
        let found = self.dereferences.iter().find(|dereference| dereference.parameter == parameter);
        found.map_or(Length::ByType, |dereference| dereference.length)
    }

    /// Whether null may stand for the format, so that nothing is read by it (`err(1, NULL)`).
    pub fn allows_no_format(&self) -> bool {
        self.format.is_some_and(|format| {
            let is_format = |dereference: &&Dereference| dereference.parameter == format.parameter;
            self.dereferences.iter().find(is_format).is_some_and(|it| it.null == NullArgument::Allowed)
        })
    }
}

/// What a function without a body does with a function that it is given: it calls it any number of times, none included.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Callback {
    /// The parameter that is called.
    pub function: u32,
    /// With what.
    pub arguments: Vec<CallbackArgument>,
    /// The parameter whose object's bytes are put in another order between the calls (`qsort`).
    pub rearranges: Option<u32>,
    /// What says which elements the pointers into an object lead to; without it they lead anywhere in it.
    pub elements: Option<Elements>,
}

/// The elements of an array that a function without a body is given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Elements {
    /// The parameter that says how many there are.
    pub count: u32,
    /// The parameter that says how many bytes one has.
    pub size: u32,
}

/// What a callback is given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CallbackArgument {
    /// The value of a parameter.
    Parameter(u32),
    /// A pointer into the object that a parameter points to.
    Into(u32),
    /// A number, or something of the library: nothing of the program.
    Other,
}

/// A value that an extern function both reads and writes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ReadFirst {
    /// The parameter that points to it.
    pub parameter: u32,
    /// The member of the record there; `None`: all of what the parameter points to.
    pub member: Option<String>,
}

/// What a number that an extern function returns lies between.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ResultRange {
    /// The least value.
    pub low: i64,
    /// The greatest value.
    pub high: RangeEnd,
}

/// The upper end of a range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RangeEnd {
    /// This number.
    Constant(i64),
    /// Everything below this number: for floating-point results.
    Below(i64),
    /// The value of this argument (`fread`).
    Argument(u32),
}

/// Which results of an extern function mean that it did what it is called for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Success {
    /// Zero (`stat`).
    Zero,
    /// Not negative (`accept`).
    NonNegative,
    /// More than zero (`waitpid`).
    Positive,
    /// Not zero, not null (`strftime`).
    NonZero,
    /// Less than zero: what it writes is about its failure (`nanosleep`).
    Negative,
}

impl Success {
    /// Whether this result means that it went well.
    pub fn holds(self, result: i128) -> bool {
        match self {
            Success::Zero => result == 0,
            Success::NonNegative => result >= 0,
            Success::Positive => result > 0,
            Success::NonZero => result != 0,
            Success::Negative => result < 0,
        }
    }

    /// How a result that means so compares with zero.
    pub fn operator(self) -> CompareOperator {
        match self {
            Success::Zero => CompareOperator::Equal,
            Success::NonNegative => CompareOperator::GreaterEqual,
            Success::Positive => CompareOperator::Greater,
            Success::NonZero => CompareOperator::NotEqual,
            Success::Negative => CompareOperator::Less,
        }
    }

    /// All results in the range that mean failure, where they are few.
    pub fn failures(self, range: Option<ResultRange>) -> Option<Vec<i128>> {
        const MOST: i128 = 3;
        let ResultRange { low, high } = range?;
        let low = i128::from(low);
        let end = match (self, high) {
            (Success::NonNegative, _) => 0,
            (Success::Positive, _) => 1,
            (Success::Zero | Success::NonZero | Success::Negative, RangeEnd::Constant(high)) => i128::from(high) + 1,
            (Success::Zero | Success::NonZero | Success::Negative, RangeEnd::Below(high)) => i128::from(high),
            (Success::Zero | Success::NonZero | Success::Negative, RangeEnd::Argument(_)) => return None,
        };
        (end - low <= MOST).then(|| (low..end).filter(|result| !self.holds(*result)).collect())
    }
}

/// Values of an argument with which an extern function surely succeeds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CertainArgument {
    /// The parameter, by position.
    pub parameter: u32,
    /// The least value.
    pub low: i64,
    /// The greatest value.
    pub high: i64,
}

/// What an extern function writes where its parameter points to bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WrittenBytes {
    /// Any bytes.
    Any,
    /// A text with its NUL; what lies behind that is as it was.
    Text,
    /// Bytes that are not zero, without a NUL (`readlink`).
    Characters,
}

/// Whose storage the result of an extern function points to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ResultStorage {
    /// One object for all functions that name it so; each call writes over it (`gmtime`, `localtime`).
    Shared(String),
    /// Storage that later calls with this name may write over (`strerror`, `getenv` after `setenv`).
    Changing(String),
    /// An object of its own at each call, which stays until a function takes it over (`fopen`, until `fclose`).
    New,
    /// A part of what this argument points to: it ends with it, and later calls may write over it (`readdir`).
    OfArgument(u32),
}

/// A function's part in a sequence of numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SequencePart {
    /// It gives the next number (`rand`).
    Draws(String),
    /// It starts the sequence that its argument names (`srand`).
    Restarts(String),
    /// It says what comes next (`ungetc`).
    Changes(String),
}

/// What a function reads from: what comes next there depends on what was read before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InputPart {
    /// The parameter that is the stream or descriptor; `None`: the standard input.
    pub from: Option<u32>,
    /// Which result says that it has ended.
    pub end: InputEnd,
}

/// Which result of a function that reads says that its stream or descriptor has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InputEnd {
    /// A negative one (`getc`).
    Negative,
    /// Zero, or null (`fgets`, `read`).
    Zero,
    /// One below the greatest that it may have (`fread`).
    Fewer,
}

/// A function's part in which descriptors are open. Those that are open at the same time are different numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DescriptorPart {
    /// A result that is not negative is one that was not open (`open`).
    Opens,
    /// The numbers that it writes are (`pipe`).
    OpensWritten,
    /// This argument is not open any more (`close`).
    Closes(u32),
    /// This argument is for somebody else to close (`fdopen`): it may not be open any more.
    HandsOver(u32),
}

/// What a function does to `errno`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorNumber {
    /// It may set it; a call that failed has set it.
    MayBeSet,
    /// It never does (`strlen`).
    Kept,
}

/// Who decides what an extern function returns and writes. A run may choose what the outside decides; what arguments
/// decide is one value that is not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DecidedBy {
    /// Its arguments, and the memory behind them (`sin`).
    Arguments,
    /// The outside, at each call anew (`time`, `rand`, `read`).
    Outside,
    /// The outside, once for calls with the same arguments (`getenv`, `getpid`).
    OutsideOnce,
    /// The outside; and what was decided once may now be another (`setenv`).
    OutsideChanges,
}

/// Whether a call comes back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Termination {
    /// It does.
    Returns,
    /// The program ends in good order (`exit`): memory still reachable is not lost.
    Exits,
    /// The program stops at once (`abort`, `_exit`): no leak is reported.
    Aborts,
}

/// What an extern function does to memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MemoryEffect {
    /// Neither writes nor frees nor keeps anything that the program can see; may read through its arguments.
    Pure,
    /// Writes bytes of any value (no pointers into the program's objects) into the objects that these parameters
    /// point to, where they are not null, and keeps nothing.
    Writes(Vec<u32>),
    /// Stores a pointer into the object of parameter `into` (as [`ExternResult::IntoArgument`] has it, never null) where
    /// parameter `through` points, unless that is null; nothing else (`strtol`).
    StoresPointer {
        /// The parameter that says where to.
        through: u32,
        /// The parameter whose object the stored pointer points into.
        into: u32,
    },
    /// Anything.
    Unknown,
}

/// A parameter that an extern function reads or writes through.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Dereference {
    /// The parameter, by position.
    pub parameter: u32,
    /// What null means there.
    pub null: NullArgument,
    /// What says how many bytes there are.
    pub length: Length,
}

/// What says how many bytes lie behind a parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Length {
    /// Its type and the sizes that follow it.
    ByType,
    /// So many bytes.
    Constant(u32),
    /// This argument (`bind`).
    Argument(u32),
    /// The number behind this argument; of what is written it is the most (`accept`).
    Behind(u32),
}

/// What it means to pass null.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NullArgument {
    /// A null dereference.
    Error,
    /// "Nothing there": the parameter is then not looked through (`time(NULL)`).
    Allowed,
}

/// A format string among the parameters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Format {
    /// Which parameter it is.
    pub parameter: u32,
    /// Which language it is in.
    pub language: FormatLanguage,
}

/// The language of a format string.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FormatLanguage {
    /// `printf`: `%s` and `%n` look through their argument.
    Print,
    /// `vprintf`: the same, of the arguments in the `va_list` that is the parameter after the format. An engine that does
    /// not follow the list has not seen what is looked through.
    PrintList,
    /// `scanf`: every conversion writes through its argument.
    Scan,
}

/// What an extern function returns, as far as engines may rely on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExternResult {
    /// Any value of the result type; a pointer is any value at all, as for [`crate::Expression::Nondet`].
    Any,
    /// The value of this argument, unchanged (`strcpy`).
    Argument(u32),
    /// A pointer into the object that this argument points into, at any byte from the argument itself up to the end of
    /// the object (`strchr`).
    IntoArgument {
        /// The argument, by position.
        argument: u32,
        /// Whether it may be null instead.
        null: NullResult,
    },
    /// A pointer to storage of the library: it lives as long as the program, must not be freed and cannot leak, never
    /// overlaps an object of the program nor points to one. Accesses through it are in bounds and what is read there is
    /// any value; a pointer read there is null or points to such storage again (`getenv`, `fopen`, `__ctype_b_loc`).
    Library {
        /// Whether it may be null instead.
        null: NullResult,
    },
}

/// Whether a pointer result may be null.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NullResult {
    /// It may.
    Possible,
    /// It never is.
    Never,
}
