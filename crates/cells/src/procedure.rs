//! Procedures: functions that are called and not inlined, because they call themselves. An engine analyses the body of a
//! procedure once per heap it is entered with, and puts what it returns back in place of that heap.

use crate::atom::Var;
use crate::program::{CellProgram, Point};
use heapwise_ir::FunctionId;

/// A procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcedureId(u32);
heapwise_ir::entity::entity_impl!(ProcedureId, "p");

/// How many cells that a caller knows besides the arguments a procedure can be told of.
pub const CUTPOINTS: usize = 3;

/// A function, for one form of its arguments (which of them are addresses of objects, which point inside of cells).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    /// The function.
    pub function: FunctionId,
    /// Its name.
    pub name: String,
    /// Where it starts.
    pub entry: Point,
    /// Where it returns.
    pub exit: Point,
    /// The variable of each parameter, if it has one.
    pub parameters: Vec<Option<Var>>,
    /// The variable of the result.
    pub result: Option<Var>,
    /// Variables that the body does not know. They name cells that the rest of the caller's heap leads to, so that it is
    /// clear at the exit what became of them.
    pub ghosts: Vec<Var>,
    /// The variables of the caller's objects whose addresses it is given.
    pub references: Vec<Var>,
}

impl Procedure {
    /// The variables that have a value when it starts.
    pub fn entered(&self) -> impl Iterator<Item = Var> + '_ {
        self.parameters.iter().flatten().chain(&self.ghosts).chain(&self.references).copied()
    }

    /// The variables that callers read when it has returned.
    pub fn left(&self) -> impl Iterator<Item = Var> + '_ {
        self.result.iter().chain(&self.ghosts).chain(&self.references).copied()
    }
}

impl CellProgram {
    /// The call string of a procedure's own body. (Its entry may be a point of a function that it calls first.)
    pub fn procedure_frame(&self, procedure: ProcedureId) -> Option<u32> {
        let is_own = |frame: &crate::program::Frame| frame.procedure == Some(procedure) && frame.returns.is_none();
        self.frames.iter().position(is_own).map(|index| index as u32)
    }
}
