//! What steps do.

use super::KindId;
use crate::atom::{Atom, Var};
use crate::compare::ComparisonId;
use crate::contract::ContractId;
use crate::procedure::ProcedureId;
use heapwise_engine::Kind;
use heapwise_engine::reason::{GapReason, PointerGap};
use heapwise_ir::{CompareOperator, ShapeKind};

/// An operand of a command.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// The value of a variable.
    Var(Var),
    /// A constant.
    Atom(Atom),
}

impl Source {
    /// The variable, if it is one.
    pub fn var(self) -> Option<Var> {
        match self {
            Source::Var(var) => Some(var),
            Source::Atom(_) => None,
        }
    }
}

/// A scalar within a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// Offset in bytes.
    pub offset: i64,
    /// Size in bytes.
    pub size: u64,
}

impl Access {
    /// Whether the bytes are those that a pointer to storage of the library leads to.
    pub fn is_in_library(self, pointer: Option<Atom>) -> bool {
        let Some(Atom::Library(bytes)) = pointer else { return false };
        let end = u64::try_from(self.offset).ok().and_then(|offset| offset.checked_add(self.size));
        end.is_some_and(|end| end <= u64::from(bytes))
    }
}

/// What fresh cells hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Contents {
    /// Nothing.
    Uninitialised,
    /// Zeros.
    Zeroed,
    /// Unknown but readable bytes.
    Opaque,
    /// Bytes of which it is not known whether they were ever written; no pointers to cells among them.
    Perhaps,
}

/// How a program ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The entry function returned: what globals still reach is not lost.
    Return,
    /// `exit`: what any variable still reaches is not lost.
    Exit,
    /// `abort`: nothing is asked about memory.
    Abort,
}

/// What a step does to a concrete state: variables and links hold cells or [`Atom`]s, data fields hold something or not.
///
/// *Dereferencing* a variable: null and other integers are [`Kind::NullDereference`], dangling is [`Kind::UseAfterFree`], no value is
/// [`Kind::Uninitialised`]; everything else that is no cell is a gap (but the library's storage may be read). Bytes of a cell
/// ([`CellKind::touched`]) outside of it are [`Kind::OutOfBounds`], part of a link is a gap. No state gets past a command that
/// reads a variable without a place in the state. Errors end the way unless it is said otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Nothing.
    Skip,
    /// `target = value`.
    Set {
        /// Written.
        target: Var,
        /// A constant.
        value: Atom,
    },
    /// `target = source`.
    Copy {
        /// Written.
        target: Var,
        /// Read.
        source: Var,
    },
    /// `target = base->access`. A link gives what it holds. Data gives [`Atom::Opaque`], or [`Atom::Uninit`] where a scalar of it
    /// holds nothing: an error if there is no target (the value goes where it is not tracked), and the way goes on. Where an
    /// array, a union or part of a scalar may hold nothing, and where padding is read, it is a gap. The library's storage gives [`Atom::Opaque`].
    Load {
        /// Written, unless the value is not tracked.
        target: Option<Var>,
        /// Dereferenced.
        base: Var,
        /// The scalar.
        access: Access,
    },
    /// `base->access = value`. A link holds the value. Scalars of data that are written as a whole hold something, or nothing
    /// if the value is [`Atom::Uninit`]; of arrays, unions and parts of scalars the rest stays as it was, so they can
    /// only begin to hold nothing. A cell that is stored into data is a gap. What comparisons with the bytes found out is over.
    Store {
        /// Dereferenced.
        base: Var,
        /// The scalar.
        access: Access,
        /// Stored.
        value: Source,
    },
    /// The bytes must lie within the cell that the variable points to; nothing is read or written. The library's storage goes
    /// as far as it is asked for.
    Touch {
        /// Dereferenced.
        base: Var,
        /// The bytes.
        access: Access,
        /// What for.
        purpose: TouchPurpose,
    },
    /// Bytes of a cell become zero, unknown or uninitialised: links and data that lie within them; of other data the rest
    /// stays as it was, so it can only begin to hold nothing. ([`Contents::Perhaps`] over a link or a scalar is a gap.) What
    /// comparisons with the bytes found out is over.
    Fill {
        /// Dereferenced.
        base: Var,
        /// The bytes written.
        access: Access,
        /// What they hold then.
        contents: Contents,
    },
    /// `target = malloc(…)` that did not fail.
    Alloc {
        /// Written.
        target: Var,
        /// What is allocated.
        kind: KindId,
        /// What it holds.
        contents: Contents,
    },
    /// `free(pointer)`. Every variable and link that leads to the cell is [`Atom::Freed`] then. Null does nothing; another
    /// integer, an address (of a local that has ended, too) or the library's storage is [`Kind::InvalidFree`], what was freed is
    /// [`Kind::DoubleFree`], what is opaque is a gap.
    Free {
        /// Freed.
        pointer: Var,
    },
    /// Goes on only if the comparison may hold: both ways, where [`Atom::equals`] leaves it open. An error if an operand holds
    /// nothing.
    Assume {
        /// The operator.
        operator: CompareOperator,
        /// Left operand.
        left: Source,
        /// Right operand.
        right: Source,
    },
    /// Goes on only if the variable holds just this atom, or only if it holds something else. No comparison of the program: it
    /// tells apart what a variable holds, not whether addresses are equal.
    Case {
        /// Which variable.
        var: Var,
        /// What it may hold.
        atom: Atom,
        /// Whether it does.
        held: Held,
    },
    /// Goes on only if a comparison of integers that are not tracked may come out so after what was found out since they were
    /// last forgotten, and remembers the outcomes that are left; for an engine that remembers nothing of them, whenever.
    Compare {
        /// What is compared.
        comparison: ComparisonId,
        /// Whose field is the left operand, if it is a field.
        cell: Option<Var>,
        /// The operator.
        operator: CompareOperator,
    },
    /// The integers of a comparison have changed: what it found out is over, for all cells.
    Forget {
        /// Which.
        comparison: ComparisonId,
    },
    /// A shape predicate, assumed or claimed.
    Shape {
        /// Which.
        kind: ShapeKind,
        /// Its pointers.
        arguments: Vec<Source>,
        /// The cells it speaks of.
        cell: KindId,
        /// The links of that kind that it names, in the order of [`heapwise_ir::ShapePredicate::links`].
        links: Vec<usize>,
        /// Static and local objects that a doubly linked list may close through.
        objects: Vec<ShapeObject>,
        /// Assumed or claimed.
        mode: ShapeMode,
    },
    /// An error whenever the comparison may hold, or an operand holds nothing; what does not fail goes another way.
    FailWhen {
        /// The operator.
        operator: CompareOperator,
        /// Left operand.
        left: Source,
        /// Right operand.
        right: Source,
        /// Of which kind.
        kind: Kind,
    },
    /// An error whenever it is reached.
    Fail {
        /// Of which kind.
        kind: Kind,
    },
    /// An error if the variable holds no value, unless it is discarded; see [`Purpose`].
    Use {
        /// Read.
        var: Var,
        /// What for.
        purpose: Purpose,
    },
    /// The variables go out of scope: they have no place in the state until they are written.
    EndScope {
        /// Which.
        vars: Vec<Var>,
    },
    /// The storage of locals ends, or what is remembered of its end is not told apart any more: every variable and link that
    /// holds the first of two atoms holds the second one afterwards.
    Retire {
        /// Pairs of atoms; no atom is the first of two pairs.
        atoms: Vec<(Atom, Atom)>,
    },
    /// The program ends.
    End(Ending),
    /// A call that goes by the contract of the callee.
    Contract {
        /// The contract.
        contract: ContractId,
        /// What each parameter gets.
        arguments: Vec<Source>,
        /// Where the result goes, if it is a pointer to a cell.
        target: Option<Var>,
    },
    /// A call that is not inlined. The procedure starts with its parameters, the objects it is given and the globals; when it
    /// returns, the caller's variables are as they were. What comparisons found out is over when it starts and when it returns.
    Call {
        /// What is called.
        procedure: ProcedureId,
        /// What each parameter gets.
        arguments: Vec<Source>,
        /// Where the result goes.
        target: Option<Var>,
        /// The variables of objects whose addresses are passed: the procedure's own, and the caller's. They are copied
        /// in, and back when it returns.
        references: Vec<(Var, Var)>,
    },
    /// A function starts, with any heap that its contract requires.
    Enter {
        /// The contract.
        contract: ContractId,
        /// The variable of each parameter, if it has one.
        parameters: Vec<Option<Var>>,
    },
    /// The function that was entered returns.
    Leave {
        /// The contract.
        contract: ContractId,
        /// The variable that holds the result.
        result: Option<Var>,
    },
    /// The analysis cannot follow.
    Gap {
        /// Why.
        reason: GapReason,
    },
}

/// What a value is read for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purpose {
    /// An operation on its value.
    Operation,
    /// Nothing: a result that is not used is lost here, not in the callee.
    Discard,
    /// It is computed with, and goes to where the analysis cannot follow: a gap if it is a cell.
    Escape(PointerGap),
    /// It is copied to where it is not followed: a gap if it is a pointer to a cell, or has no value where there always is one.
    Copy(Untracked),
}

/// Memory of which it is not followed what it holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Untracked {
    /// It always holds some value, as that of static objects.
    Initialised,
    /// Perhaps it was never written, as an array of a local.
    Perhaps,
}

/// Whether a variable holds an atom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Held {
    /// It does.
    Yes,
    /// It holds something else.
    No,
}

impl Held {
    /// Whether a step that asks for this may go on, if the variable holds `value`: some value may be any address, but not
    /// none; that it is just some value is known.
    pub fn may_be(self, value: Option<Atom>, atom: Atom) -> bool {
        match (self, value) {
            (_, Some(Atom::Opaque)) if atom != Atom::Uninit && atom != Atom::Opaque => true,
            (Held::Yes, value) => value == Some(atom),
            (Held::No, value) => value != Some(atom),
        }
    }
}

/// What bytes of a cell are touched for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TouchPurpose {
    /// They are accessed by what follows, or by a function of the library.
    Access,
    /// They are copied to where no pointer is followed: a gap where they may hold one to a cell.
    Copy,
}

/// A static or local object that a shape may speak of, as the head of a ring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeObject {
    /// Its address.
    pub place: Atom,
    /// What its links hold, in the order of the shape's.
    pub links: Vec<Var>,
}

/// Whether a shape is assumed or claimed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ShapeMode {
    /// Goes on only if it may hold.
    Assume,
    /// An error where it may not hold.
    Assert,
}

impl Command {
    /// The variables whose values the command reads: the paper's Vars(st), without a left-hand side.
    pub fn reads(&self) -> smallvec::SmallVec<[Var; 2]> {
        let mut reads = smallvec::SmallVec::new();
        match self {
            Command::Skip
            | Command::Set { .. }
            | Command::Alloc { .. }
            | Command::Fail { .. }
            | Command::EndScope { .. }
            | Command::Retire { .. }
            | Command::End(_)
            | Command::Enter { .. }
            | Command::Forget { .. }
            | Command::Gap { .. } => {}
            Command::Compare { cell, .. } => reads.extend(*cell),
            Command::Contract { arguments, .. } => reads.extend(arguments.iter().filter_map(|source| source.var())),
            Command::Call { arguments, references, .. } => {
                reads.extend(arguments.iter().filter_map(|source| source.var()));
                reads.extend(references.iter().map(|(_, own)| *own));
            }
            Command::Leave { result, .. } => reads.extend(*result),
            Command::Copy { source, .. } => reads.push(*source),
            Command::Load { base, .. } | Command::Fill { base, .. } | Command::Touch { base, .. } => reads.push(*base),
            Command::Store { base, value, .. } => {
                reads.push(*base);
                reads.extend(value.var());
            }
            Command::Free { pointer } => reads.push(*pointer),
            Command::Use { var, .. } | Command::Case { var, .. } => reads.push(*var),
            Command::Assume { left, right, .. } | Command::FailWhen { left, right, .. } => {
                reads.extend(left.var());
                reads.extend(right.var());
            }
            Command::Shape { arguments, objects, .. } => {
                reads.extend(arguments.iter().filter_map(|argument| argument.var()));
                reads.extend(objects.iter().flat_map(|object| object.links.iter().copied()));
            }
        }
        if reads.len() > 1 {
            reads.sort_unstable();
            reads.dedup();
        }
        reads
    }

    /// The variable the command writes. (What a call copies back has a value before it.)
    pub fn writes(&self) -> Option<Var> {
        match self {
            Command::Set { target, .. } | Command::Copy { target, .. } | Command::Alloc { target, .. } => Some(*target),
            Command::Load { target, .. } | Command::Contract { target, .. } | Command::Call { target, .. } => *target,
            Command::Skip
            | Command::Store { .. }
            | Command::Fill { .. }
            | Command::Free { .. }
            | Command::Assume { .. }
            | Command::Case { .. }
            | Command::Compare { .. }
            | Command::Forget { .. }
            | Command::Shape { .. }
            | Command::Fail { .. }
            | Command::FailWhen { .. }
            | Command::Use { .. }
            | Command::EndScope { .. }
            | Command::Retire { .. }
            | Command::Touch { .. }
            | Command::End(_)
            | Command::Enter { .. }
            | Command::Leave { .. }
            | Command::Gap { .. } => None,
        }
    }

    /// Whether some states may not get past the command.
    pub fn filters(&self) -> bool {
        match self {
            Command::Skip
            | Command::Set { .. }
            | Command::Copy { .. }
            | Command::Alloc { .. }
            | Command::Forget { .. }
            | Command::Retire { .. }
            | Command::EndScope { .. } => false,
            Command::Load { .. }
            | Command::Touch { .. }
            | Command::Store { .. }
            | Command::Fill { .. }
            | Command::Free { .. }
            | Command::Assume { .. }
            | Command::Case { .. }
            | Command::Compare { .. }
            | Command::Shape { .. }
            | Command::Fail { .. }
            | Command::FailWhen { .. }
            | Command::Use { .. }
            | Command::End(_)
            | Command::Contract { .. }
            | Command::Call { .. }
            | Command::Enter { .. }
            | Command::Leave { .. }
            | Command::Gap { .. } => true,
        }
    }
}
