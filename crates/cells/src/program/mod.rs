//! Cell programs: what shape engines run on. One flat automaton (calls inlined by call string) whose edges carry
//! commands over variables; everything that the abstraction ignores is already gone, everything that it cannot
//! follow is an explicit [`Command::Gap`].

mod command;
mod kind;

pub use command::{
    Access, Command, Contents, Ending, Held, Purpose, ShapeMode, ShapeObject, Source, TouchPurpose, Untracked,
};
pub use kind::{CellKind, DataExtent, DataField, KindId, Link, LinkTarget};

use crate::atom::Var;
use crate::compare::{Comparison, ComparisonId};
use crate::contract::{CellContract, ContractId};
use crate::integers::Integers;
use crate::place::Place;
use crate::procedure::{Procedure, ProcedureId};
use heapwise_dataflow::Graph;
use heapwise_ir::entity::PrimaryMap;
use heapwise_ir::{EdgeId, FunctionId, Span, Type, TypeId};

/// A location of the flat automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u32);
heapwise_ir::entity::entity_impl!(Point, "l");

/// An edge of the flat automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepId(u32);
heapwise_ir::entity::entity_impl!(StepId, "s");

/// A flat program.
#[derive(Clone, Default, Debug)]
pub struct CellProgram {
    /// The variables.
    pub vars: PrimaryMap<Var, Variable>,
    /// The kinds of cells.
    pub kinds: PrimaryMap<KindId, CellKind>,
    /// The kind of the cells of each record type.
    pub record_kinds: std::collections::BTreeMap<TypeId, KindId>,
    /// The addresses that are values: those of static and local objects, and of functions.
    pub places: Vec<Place>,
    /// The steps.
    pub steps: PrimaryMap<StepId, Step>,
    /// The steps that leave each location.
    pub outgoing: PrimaryMap<Point, Vec<StepId>>,
    /// Where each location comes from.
    pub origins: PrimaryMap<Point, Origin>,
    /// The contracts that calls go by.
    pub contracts: PrimaryMap<ContractId, CellContract>,
    /// The functions that are called, not inlined.
    pub procedures: PrimaryMap<ProcedureId, Procedure>,
    /// The comparisons whose outcomes may be remembered.
    pub comparisons: PrimaryMap<ComparisonId, Comparison>,
    /// Call strings: the caller's frame and the call edge. The first is the entry.
    pub frames: Vec<Frame>,
    /// What steps do to integers that are not tracked, for the pass that compares them.
    pub(crate) integers: Option<Integers>,
}

/// Where a location comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Index of the call string.
    pub frame: u32,
    /// The location of that function, unless it was made between two of them.
    pub location: Option<heapwise_ir::LocationId>,
}

/// A call string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The function that runs.
    pub function: FunctionId,
    /// Who called it: frame and edge.
    pub caller: Option<(u32, EdgeId)>,
    /// Where the caller goes on, whether or not the call comes back there; not for a procedure, which has many callers.
    pub returns: Option<Point>,
    /// The procedure that it is part of, unless that is the entry point.
    pub procedure: Option<ProcedureId>,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The C name.
    pub name: String,
    /// Whether it is still a holder when it is dead.
    pub storage: VariableStorage,
    /// The call string it belongs to; `None` for globals.
    pub frame: Option<u32>,
    /// What of the program it is, so that a concrete state can be compared with a graph.
    pub source: VariableSource,
    /// What the program declares it to hold.
    pub declared: Declared,
}

/// What a variable is declared to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declared {
    /// A pointer.
    Pointer,
    /// Something else, or nothing is declared: the translation made the variable.
    Other,
}

impl Declared {
    /// By type.
    pub fn of(ty: &Type) -> Declared {
        match ty {
            Type::Pointer(_) => Declared::Pointer,
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Array(..) | Type::Record(_) | Type::Function(_) => {
                Declared::Other
            }
        }
    }
}

/// What of the program a variable is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VariableSource {
    /// A register.
    Register(heapwise_ir::RegisterId),
    /// The scalar at this offset of a global.
    Global(heapwise_ir::GlobalId, u64),
    /// The scalar at this offset of the local allocated by this edge.
    Local(EdgeId, u64),
    /// Nothing: it remembers what a procedure was called with.
    Ghost,
}

/// Whether a variable that is dead still counts as a reference (a leak waits for its scope to end).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableStorage {
    /// A local, a parameter, or a slot of a local object.
    Local,
    /// A slot of a global: never dead.
    Global,
    /// Made by the lowering: holds nothing once it is dead.
    Temporary,
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where from.
    pub from: Point,
    /// Where to.
    pub to: Point,
    /// What happens.
    pub command: Command,
    /// The C text.
    pub span: Span,
    /// The call string it happens in.
    pub frame: u32,
    /// The edge of that function it comes from; `None` for what inlining added.
    pub edge: Option<EdgeId>,
}

/// The steps are its edges. A call is a step of the caller; the body of a procedure has entries of its own.
impl Graph for CellProgram {
    type Node = Point;
    type Edge = StepId;

    fn n_nodes(&self) -> usize {
        self.outgoing.len()
    }

    fn outgoing(&self, point: Point) -> &[StepId] {
        &self.outgoing[point]
    }

    fn source(&self, step: StepId) -> Point {
        self.steps[step].from
    }

    fn target(&self, step: StepId) -> Point {
        self.steps[step].to
    }

    fn entries(&self) -> impl Iterator<Item = Point> {
        self.procedures.values().map(|procedure| procedure.entry).chain([self.entry()])
    }
}

impl CellProgram {
    /// A program of one location that does nothing.
    pub fn idle(entry: Frame) -> CellProgram {
        let mut program = CellProgram { frames: vec![entry], ..CellProgram::default() };
        program.add_point(Origin { frame: 0, location: None });
        program
    }

    /// A new location.
    pub fn add_point(&mut self, origin: Origin) -> Point {
        self.origins.push(origin);
        self.outgoing.push(Vec::new())
    }

    /// A new step.
    pub fn add_step(&mut self, step: Step) -> StepId {
        let from = step.from;
        let id = self.steps.push(step);
        self.outgoing[from].push(id);
        id
    }

    /// Where the program starts.
    pub fn entry(&self) -> Point {
        Point(0)
    }

    /// The procedure that a location is part of, unless that is the entry point.
    pub fn procedure_of(&self, point: Point) -> Option<ProcedureId> {
        self.frames[self.origins[point].frame as usize].procedure
    }

    /// The name of a variable, with its function where frames could be confused.
    pub fn var_name(&self, var: Var) -> &str {
        &self.vars[var].name
    }
}
