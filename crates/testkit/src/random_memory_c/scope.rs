//! The variables that can be named at a place, and what is known about what they hold.

use super::record::Integer;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Type {
    Integer(Integer),
    /// A record by value.
    Record(usize),
    /// A pointer to a record.
    Cell(usize, Role),
    /// A pointer to a pointer to a record.
    Cursor(usize),
    IntPointer,
    /// An array of integers.
    Array(Integer, usize),
    /// An array of records.
    Table(usize, usize),
    /// `int *` to so many ints of the heap, owned.
    Buffer(usize),
    Word,
    Part,
    /// An array of pointers to records, each owned.
    Slots(usize, usize),
}

/// Who frees what a pointer to a record points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// The variable owns one record (or is null).
    Owner,
    /// The variable owns a chain of records.
    List,
    /// Somebody else.
    Borrowed,
}

/// Whether a careful program may look at what a variable holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Readiness {
    /// Its value, and what is behind it unless that is null.
    Ready,
    /// Never set, or it points to what may be gone.
    Unfit,
}

#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) readiness: Readiness,
    /// In which block it was declared; 0 for globals.
    pub(super) depth: usize,
    /// The block of the deepest local that it may point to.
    pub(super) points_into: usize,
}

#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    pub(super) variables: Vec<Variable>,
    pub(super) depth: usize,
}

impl Scope {
    pub(super) fn declare(&mut self, name: &str, ty: Type, readiness: Readiness) {
        let variable = Variable { name: name.to_owned(), ty, readiness, depth: self.depth, points_into: 0 };
        self.variables.push(variable);
    }

    pub(super) fn get(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|variable| variable.name == name)
    }

    pub(super) fn set_readiness(&mut self, name: &str, readiness: Readiness) {
        self.points_into(name, 0, readiness);
    }

    /// The variable now holds an address in that block.
    pub(super) fn points_into(&mut self, name: &str, depth: usize, readiness: Readiness) {
        for variable in self.variables.iter_mut().filter(|variable| variable.name == name) {
            variable.readiness = readiness;
            variable.points_into = depth;
        }
    }

    /// Something on the heap went away: what borrowed from there is unfit.
    pub(super) fn forget_borrowed(&mut self) {
        for variable in &mut self.variables {
            if matches!(variable.ty, Type::Cell(_, Role::Borrowed) | Type::IntPointer | Type::Cursor(_)) {
                variable.readiness = Readiness::Unfit;
            }
        }
    }

    /// A block ended that may have run or not: only what was fit before and after stays fit.
    pub(super) fn leave(&mut self, inner: &Scope) {
        for variable in &mut self.variables {
            if let Some(after) = inner.get(&variable.name) {
                if after.readiness == Readiness::Unfit || after.points_into > self.depth {
                    variable.readiness = Readiness::Unfit;
                }
                variable.points_into = variable.points_into.max(after.points_into);
            }
        }
    }
}
