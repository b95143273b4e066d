//! What can be wrong with a program, and where.

use crate::choice::Choice;
use crate::drawing::Drawing;
use heapwise_ir::{Function, FunctionId, Program, Span};

/// What kind of error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A null pointer (or a small integer as a pointer) is dereferenced.
    NullDereference,
    /// Freed or ended storage is accessed.
    UseAfterFree,
    /// Storage is freed twice.
    DoubleFree,
    /// What is freed is not the start of a heap object.
    InvalidFree,
    /// Heap storage loses its last reference.
    Leak,
    /// Heap storage is still reachable when the program ends.
    LeakAtExit,
    /// An access outside its object.
    OutOfBounds,
    /// A value that was never written is used.
    Uninitialised,
    /// A function returns the address of its own local.
    DanglingReturn,
    /// An integer is divided by zero.
    DivisionByZero,
    /// The result of signed arithmetic does not fit its type.
    Overflow,
    /// A C `assert` (or `reach_error`) fails.
    Assertion,
    /// A shape assertion of `heapwise.h` fails.
    Shape,
}

impl Kind {
    /// All kinds, in the order of documentation.
    pub const ALL: [Kind; 13] = [
        Kind::NullDereference,
        Kind::UseAfterFree,
        Kind::DoubleFree,
        Kind::InvalidFree,
        Kind::Leak,
        Kind::LeakAtExit,
        Kind::OutOfBounds,
        Kind::Uninitialised,
        Kind::DanglingReturn,
        Kind::DivisionByZero,
        Kind::Overflow,
        Kind::Assertion,
        Kind::Shape,
    ];

    /// The kinds that count unless told otherwise: all but [`Kind::LeakAtExit`] and [`Kind::Overflow`].
    pub fn asked_by_default() -> Vec<Kind> {
        Kind::ALL.into_iter().filter(|kind| !matches!(kind, Kind::LeakAtExit | Kind::Overflow)).collect()
    }

    /// The name on the command line, in JSON and in test markers.
    pub fn name(self) -> &'static str {
        match self {
            Kind::NullDereference => "null-deref",
            Kind::UseAfterFree => "use-after-free",
            Kind::DoubleFree => "double-free",
            Kind::InvalidFree => "invalid-free",
            Kind::Leak => "leak",
            Kind::LeakAtExit => "leak-at-exit",
            Kind::OutOfBounds => "out-of-bounds",
            Kind::Uninitialised => "uninitialised",
            Kind::DanglingReturn => "dangling-return",
            Kind::DivisionByZero => "division-by-zero",
            Kind::Overflow => "overflow",
            Kind::Assertion => "assert",
            Kind::Shape => "shape",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// How sure a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Certainty {
    /// A concrete run of the program shows it.
    Confirmed,
    /// The abstraction cannot exclude it.
    Possible,
}

/// One error, with the way to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What.
    pub kind: Kind,
    /// How sure.
    pub certainty: Certainty,
    /// Where: the statement that fails, or for a leak the one that loses the last reference.
    pub span: Span,
    /// In which function.
    pub function: FunctionId,
    /// One sentence.
    pub message: String,
    /// The way from the start of the program (or the allocation) to the error, in order; the last step is the error.
    pub trace: Vec<TraceStep>,
    /// All that the run to a confirmed error chose, in order; empty where no run is known.
    pub choices: Vec<Choice>,
    /// The storage that it is about, as far as that is known.
    pub about: Subject,
    /// Where else the program fails for the same reason, in the order of the text ([`crate::by_cause`]).
    pub also: Vec<AlsoAt>,
}

impl Finding {
    /// It is not certain: the run that shows it may be one that is not there.
    pub(crate) fn doubt(&mut self) {
        if self.certainty == Certainty::Confirmed {
            self.message = perhaps(&self.message);
            if let Some(last) = self.trace.last_mut() {
                last.message = perhaps(&last.message);
            }
        }
        self.certainty = Certainty::Possible;
        self.choices.clear();
        self.also.iter_mut().for_each(|also| also.certainty = Certainty::Possible);
    }

    /// An error in the body of a function of the library, which has no text in the program, is shown at the call that leads
    /// there: `free` that is called through a pointer frees at the call, not at its declaration.
    pub(crate) fn leave_library(&mut self, program: &Program) {
        if has_text(&program.functions[self.function]) {
            return;
        }
        let outside = self.trace.iter().rev().find(|step| has_text(&program.functions[step.function]));
        let Some(call) = outside else { return };
        (self.function, self.span) = (call.function, call.span);
        if let Some(last) = self.trace.last_mut() {
            (last.function, last.span) = (self.function, self.span);
        }
    }
}

/// What is said of an error that may be none.
pub fn perhaps(message: &str) -> String {
    format!("it may be that {message}")
}

/// Whether a function was read from C: what the front end makes of a model lies where the function is declared, all of it.
pub fn has_text(function: &Function) -> bool {
    let Some(automaton) = function.automaton() else { return false };
    let mut spans = automaton.edges.values().map(|edge| edge.span).filter(|span| *span != Span::NONE).peekable();
    spans.peek().is_none() || spans.any(|span| span != function.span)
}

/// The history of the storage that a finding is about.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Subject {
    /// What made it.
    pub made: Option<Statement>,
    /// What freed or ended it.
    pub gone: Option<Statement>,
    /// What storage it is, where a run shows it.
    pub storage: Option<SubjectStorage>,
    /// The access that fails, where bytes are accessed.
    pub access: Option<FailedAccess>,
}

/// What storage a finding is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SubjectStorage {
    /// A heap cell.
    Heap,
    /// A local, or what stands for one.
    Local,
    /// A global, a literal, arguments of the program, or storage of the library.
    Static,
}

/// An access that fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FailedAccess {
    /// How many bytes are accessed.
    pub bytes: u64,
    /// Where.
    pub place: AccessPlace,
}

/// Where bytes are accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessPlace {
    /// At an address where no object is.
    Nowhere,
    /// Within or beside an object.
    Object {
        /// Where it begins, from the object's start.
        offset: i64,
        /// How many bytes the object has.
        size: u64,
    },
}

/// A statement of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Statement {
    /// In which function.
    pub function: FunctionId,
    /// Its text.
    pub span: Span,
}

/// Another place where the program fails for the reason of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AlsoAt {
    /// What happens there.
    pub kind: Kind,
    /// How sure that is.
    pub certainty: Certainty,
    /// Where.
    pub at: Statement,
}

/// One step of the way to an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// Where.
    pub span: Span,
    /// In which function.
    pub function: FunctionId,
    /// What happens, in the user's C expressions.
    pub message: String,
    /// The heap after this step, where the engine kept it.
    pub heap: Option<Drawing>,
}
