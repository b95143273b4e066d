//! The state of a run: call stack, objects, what is known of inputs and addresses.

use crate::constraints::{ByteSet, Constraints};
use crate::contract::Entered;
use crate::heap::{Heap, Holder};
use crate::inputs::Inputs;
use crate::machine::RunError;
use crate::value::{ObjectId, SymbolId, Value};
use heapwise_ir::{EdgeId, FunctionId, LocationId, RegisterId};
use smallvec::SmallVec;
use std::rc::Rc;

/// How a call came about, and so what happens when it returns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CallOrigin {
    /// The entry point.
    Entry,
    /// A call edge of the frame below.
    Edge(EdgeId),
    /// A library function that calls back (`qsort`); the step that runs it waits for the result.
    Callback,
    /// An `atexit` handler.
    AtExit,
}

/// One call.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub function: FunctionId,
    /// Where it is; while it calls another, the location before the call edge.
    pub location: LocationId,
    /// How it came about.
    pub origin: CallOrigin,
    /// The edge taken last.
    pub last_edge: Option<EdgeId>,
    /// Numbers calls.
    pub serial: u64,
    pub(crate) registers: Vec<Value>,
    /// What its contract will ask about the start of the call.
    pub(crate) entered: Option<Rc<Entered>>,
    pub(crate) autos: SmallVec<[ObjectId; 4]>,
}

impl Frame {
    /// The value of a register.
    pub fn register(&self, register: RegisterId) -> Value {
        self.registers[register.as_u32() as usize]
    }
}

/// What was decided about the addresses of two objects that never lived at the same time (or were compared by order).
#[derive(Clone, Default, Debug)]
pub struct AddressDecisions {
    /// `base(first) + delta == base(second)`, or it is not.
    pub(crate) equal: Vec<(ObjectId, ObjectId, i64, Sameness)>,
    /// The first lies below the second.
    pub(crate) below: Vec<(ObjectId, ObjectId)>,
}

/// Whether two addresses were decided to be the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Sameness {
    Same,
    Distinct,
}

/// A leak of what a dead object held when it died. It is reported once nothing refers to that object any more: a program
/// that reads the lost pointer from the freed object has one error, and that is the use after free.
#[derive(Clone, Debug)]
pub(crate) struct PendingLeak {
    pub(crate) object: ObjectId,
    /// The birth of that object, as its slot may be reused.
    pub(crate) cause: u64,
    pub(crate) error: RunError,
}

/// The state of a run. Copies are cheap: they share everything until one of them writes.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) frames: Vec<Rc<Frame>>,
    pub(crate) heap: Heap,
    pub(crate) constraints: Rc<Constraints>,
    pub(crate) inputs: Rc<Inputs>,
    /// What the outside decided once: which function, called with what, and its result.
    pub(crate) decided_once: Rc<Vec<DecidedOnce>>,
    pub(crate) addresses: Rc<AddressDecisions>,
    pub(crate) at_exit: Vec<FunctionId>,
    /// The value that `main` returned or `exit` got.
    pub(crate) exit_code: Option<i128>,
    pub(crate) calls: u64,
    pub(crate) pending_leaks: Vec<PendingLeak>,
    /// What was printed, where it is wanted.
    pub(crate) output: Option<Rc<Vec<u8>>>,
    /// A result of an extern function was chosen freely though it depends on its arguments: what follows is only
    /// possible.
    pub(crate) doubtful: bool,
    /// What a callback returned.
    pub(crate) returned: Value,
    /// `strtok`'s place.
    pub(crate) token: Value,
    /// Lazily made objects behind library functions (`__ctype_b_loc`).
    pub(crate) library_objects: SmallVec<[(LibraryObject, ObjectId); 1]>,
    /// Storage of the library that later calls write over.
    pub(crate) issued: Rc<Vec<Issued>>,
    /// The program itself changed what the outside decides (`setenv`).
    pub(crate) has_changed_outside: bool,
    /// Sequences of numbers that a seed decides.
    pub(crate) sequences: Rc<Vec<Sequence>>,
    /// Descriptors that are open, unless they are negative.
    pub(crate) descriptors: Rc<Vec<SymbolId>>,
    /// Descriptors that were closed, as long as none was opened since.
    pub(crate) closed: Rc<Vec<Source>>,
    /// How far streams and descriptors were read.
    pub(crate) readings: Rc<Vec<Reading>>,
}

/// A stream or descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    /// This object, which was born so; its slot may be reused.
    Stream(ObjectId, u64),
    /// This number.
    Number(i128),
    /// This input.
    Symbol(SymbolId),
}

/// What was read last of a stream or descriptor.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) source: Source,
    /// Whether it has ended; `None`: it has not, or that is not known.
    pub(crate) ended: Option<Ended>,
    /// What the next byte is among, if there is one and that is known.
    pub(crate) next: Option<ByteSet>,
}

/// Whether an input has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Ended {
    /// It has.
    Yes,
    /// If this input lies between two bounds.
    IfBetween(SymbolId, i64, i64),
}

/// Storage that a function of the library gave, and will write over.
#[derive(Clone, Debug)]
pub(crate) struct Issued {
    pub(crate) group: StorageGroup,
    pub(crate) object: ObjectId,
    /// The birth of that object, as its slot may be reused.
    pub(crate) birth: u64,
}

/// What storage of the library hangs together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum StorageGroup {
    /// What models name so.
    Named(String),
    /// Parts of this object.
    PartOf(ObjectId),
}

/// A sequence of numbers that a seed decides.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sequence {
    pub(crate) name: String,
    /// It was started again after numbers were drawn: they may be the same ones.
    pub(crate) is_repeated: bool,
}

/// A result that stays the same for the same arguments.
#[derive(Clone, Debug)]
pub(crate) struct DecidedOnce {
    pub(crate) function: FunctionId,
    /// `None`: what they say is not known.
    pub(crate) arguments: Option<Vec<ArgumentKey>>,
    pub(crate) result: Value,
}

/// What an argument is to a function that asks the outside.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ArgumentKey {
    Number(i128),
    Text(Vec<u8>),
}

/// An object that the library owns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum LibraryObject {
    /// The pointer that `__ctype_b_loc` returns.
    CtypeClasses,
    /// The pointer that `__ctype_tolower_loc` returns.
    CtypeLower,
    /// The pointer that `__ctype_toupper_loc` returns.
    CtypeUpper,
    /// `errno`.
    ErrorNumber,
}

impl State {
    /// Whether the run took a turn that may not exist: errors from here on are only possible.
    pub fn is_doubtful(&self) -> bool {
        self.doubtful
    }

    /// The calls, the entry point first.
    pub fn frames(&self) -> &[Rc<Frame>] {
        &self.frames
    }

    /// The objects.
    pub fn heap(&self) -> &Heap {
        &self.heap
    }

    /// What is known of inputs that are not fixed yet.
    pub fn constraints(&self) -> &Constraints {
        &self.constraints
    }

    /// What the run printed to `stdout`, if output is kept.
    pub fn output(&self) -> &[u8] {
        self.output.as_ref().map_or(&[], |output| output)
    }

    /// The exit status, once the program ended.
    pub fn exit_code(&self) -> Option<i128> {
        self.exit_code
    }

    /// The innermost call.
    pub fn top(&self) -> Option<&Frame> {
        self.frames.last().map(|frame| &**frame)
    }

    pub(crate) fn top_mut(&mut self) -> &mut Frame {
        Rc::make_mut(self.frames.last_mut().expect("a running program has a frame"))
    }

    /// Writes a register of the innermost call and counts references.
    pub(crate) fn set_register(&mut self, register: RegisterId, value: Value) {
        let slot = &mut self.top_mut().registers[register.as_u32() as usize];
        let old = std::mem::replace(slot, value);
        if value.object().is_some() {
            self.heap.retain(value, Holder::Root);
        }
        if old.object().is_some() {
            self.heap.release(old, Holder::Root);
        }
    }
}
