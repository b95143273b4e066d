//! A function as configurations see it: each instruction resolved to registers, cells and expressions once.

use crate::counters::CounterAccess;
use crate::expressions::{ExpressionId, Expressions};
use crate::facts::Facts;
use crate::frees::{FreedParameter, Function, OnWays, Spared};
use crate::memory::{CellId, Memory, Target};
use crate::number::Number;
use build::Builder;
use heapwise_ir::entity::{EntityRef, EntitySet, PrimaryMap};
use heapwise_ir::{
    Automaton, Body, CompareOperator, EdgeId, FunctionId, InitialContents, IntType, Liveness, LocationId, RegisterId,
    RegisterOrigin, Storage, Termination,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

mod build;
mod calls;
mod conditions;
mod copies;
mod fresh;
mod worth_knowing;

/// A place in memory that is read or written.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The register that holds its address; none for a global.
    pub base: Option<RegisterId>,
    /// The cells that it may be.
    pub target: Target,
    /// The expression, if it is one that facts speak of.
    pub expression: Option<ExpressionId>,
    /// The reference count that it may be.
    pub counter: CounterAccess,
}

/// What an instruction does to a configuration.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Nothing.
    Skip,
    /// No run comes further.
    Stop,
    /// What was not lowered.
    Unsupported,
    /// A register gets the value of another, or one that refers to no heap cell.
    Copy {
        /// The register written.
        target: RegisterId,
        /// Where the value comes from.
        source: Option<RegisterId>,
        /// By how much the pointer is moved, if that is known.
        shift: Option<i64>,
        /// The number, if it is one.
        number: Number,
    },
    /// A register gets the number of another one and a constant.
    Add {
        /// The register written.
        target: RegisterId,
        /// Where the number comes from.
        source: RegisterId,
        /// What is added.
        by: i128,
        /// The type of the result: what does not fit is another number.
        ty: IntType,
    },
    /// A register gets a number that is computed from pointers, and may be one again.
    Blend {
        /// The register written.
        target: RegisterId,
        /// What it is computed from.
        sources: SmallVec<[RegisterId; 2]>,
    },
    /// A register gets what is in memory.
    Load {
        /// The register written.
        target: RegisterId,
        /// Where from.
        place: Spot,
    },
    /// Memory gets the value of a register, or one that refers to no heap cell.
    Store {
        /// Where to.
        place: Spot,
        /// What.
        value: Stored,
    },
    /// Values are copied from memory to memory, or overwritten.
    CopyCells {
        /// The registers whose objects are accessed.
        bases: SmallVec<[RegisterId; 2]>,
        /// From where to where, one value each; without a source it is overwritten by `fill`.
        pairs: Vec<(Option<Spot>, Spot)>,
        /// What refers to no cell.
        fill: Stored,
        /// Cells that are written.
        written: Vec<CellId>,
        /// Cells that are read.
        read: Vec<CellId>,
        /// Whether the pairs are all that happens; else any value of the cells read may be in any of those written.
        is_exact: bool,
        /// The reference counts that are overwritten, and the register that holds the address of what is written.
        counters: (Option<RegisterId>, Vec<CellId>),
    },
    /// An allocation: of another cell than the tracked one.
    Alloc {
        /// The register that receives the address.
        target: RegisterId,
        /// Whether heap cells are made here.
        storage: Storage,
        /// What they hold at first.
        contents: InitialContents,
    },
    /// `free`.
    Free {
        /// The pointer.
        pointer: RegisterId,
        /// What of the freed object may refer to the tracked cell.
        fields: Vec<Spot>,
    },
    /// Storage of a local ends.
    End {
        /// Its address.
        pointer: Option<RegisterId>,
        /// What of it may refer to the tracked cell.
        fields: Vec<Spot>,
    },
    /// A register is compared with a constant.
    AssumeNumber {
        /// The register.
        register: RegisterId,
        /// How.
        operator: CompareOperator,
        /// With what.
        constant: i128,
    },
    /// `realloc` is given zero bytes: then it frees. Who does not mean to does not ask whether the size is zero.
    AssumeNoBytes {
        /// The size.
        register: RegisterId,
    },
    /// Two registers are compared that may hold pointers.
    AssumePointers {
        /// One.
        left: RegisterId,
        /// The other.
        right: RegisterId,
        /// Whether they are equal here, or different.
        equal: bool,
        /// Whether they are equal exactly if they refer to the same cell.
        by_cell: bool,
    },
    /// A call.
    Call(Box<Call>),
}

/// A value that is written to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// Null.
    Null,
    /// A number, or the address of what is no heap cell.
    NoCell(Number),
    /// A number that a register holds.
    Number(RegisterId),
    /// What a register holds.
    Register(RegisterId),
    /// What was elsewhere in memory.
    Copied,
}

impl Stored {
    /// The register.
    pub fn register(self) -> Option<RegisterId> {
        match self {
            Stored::Register(register) => Some(register),
            Stored::Null | Stored::NoCell(_) | Stored::Number(_) | Stored::Copied => None,
        }
    }
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The register that receives the result.
    pub target: Option<RegisterId>,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// Functions with a body that it may reach.
    pub callees: Vec<FunctionId>,
    /// Functions without one.
    pub externs: Vec<ExternCall>,
    /// It may also reach code that nothing is known of.
    pub unknown: Option<UnknownCall>,
    /// Arguments whose objects it frees.
    pub frees: Vec<FreedArgument>,
}

/// An argument whose object a callee frees.
#[derive(Clone, Debug)]
pub struct FreedArgument {
    /// The callee.
    pub callee: FunctionId,
    /// The argument.
    pub pointer: RegisterId,
    /// When it is freed.
    pub ways: OnWays,
    /// What of the freed object may refer to the tracked cell. What the callee knows of it is done there.
    pub fields: Vec<Spot>,
}

/// Why nothing is known of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownCall {
    /// A function without body and model.
    WithoutModel(FunctionId),
    /// A pointer that may name any function.
    Pointer,
}

/// An argument.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// The register, if it is one.
    pub register: Option<RegisterId>,
    /// What is known of the number in every configuration.
    pub number: Number,
}

/// A call of a function that a model describes.
#[derive(Clone, Debug)]
pub struct ExternCall {
    /// The function.
    pub function: FunctionId,
    /// Whether it comes back.
    pub termination: Termination,
    /// The arguments that it looks through.
    pub looks_through: Vec<RegisterId>,
    /// Arguments that it may look through, depending on a format.
    pub may_look_through: Vec<RegisterId>,
    /// The arguments whose cells it takes over.
    pub takes: Vec<RegisterId>,
    /// The arguments whose objects it writes.
    pub writes: Vec<RegisterId>,
    /// Cells that it overwrites with bytes.
    pub overwrites: Vec<CellId>,
    /// A pointer that it stores.
    pub stores: Option<(Spot, Option<RegisterId>)>,
    /// The argument whose object the result points into.
    pub result: Option<RegisterId>,
    /// Whether that result may be null instead.
    pub result_may_be_null: bool,
    /// The number it returns.
    pub number: Number,
}

/// A function.
pub struct Procedure {
    /// Which.
    pub function: FunctionId,
    /// Its expressions.
    pub expressions: Expressions,
    /// What each edge does.
    pub operations: PrimaryMap<EdgeId, Operation>,
    /// Which registers matter where.
    pub liveness: Liveness,
    /// Registers whose numbers are worth knowing.
    pub tested: EntitySet<RegisterId>,
    /// The locations of loops from which no path leads to the exit.
    pub is_endless: Vec<bool>,
    /// Variables that say how far the function has come (`ret = -1`, `done = 1`): configurations are kept apart by their signs.
    pub statuses: Vec<RegisterId>,
    /// The parameters.
    pub parameters: Vec<RegisterId>,
    /// Parameters that are never assigned: they hold at the exit what they held at the entry.
    pub constant_parameters: EntitySet<RegisterId>,
    /// For each parameter that is assigned and compared with constants, where it may have been assigned.
    pub assigned: Vec<(RegisterId, Vec<bool>)>,
    /// The register of the result.
    pub result: Option<RegisterId>,
    /// Whether the result is null or a new heap cell that nobody else knows.
    pub returns_fresh: bool,
    /// Parameters whose objects are freed.
    pub freed_parameters: Vec<FreedParameter>,
    /// Conditions on such an object that lead past something that is freed otherwise, and the parameter.
    pub spared: FxHashMap<EdgeId, Spared>,
}

impl Procedure {
    /// The procedure of a function with a body; `known` has those of its callees that were built before.
    pub fn new(
        memory: &Memory<'_>,
        function: FunctionId,
        known: &dyn Fn(FunctionId) -> Option<std::rc::Rc<Procedure>>,
    ) -> Option<Procedure> {
        let declared = &memory.program.functions[function];
        let Body::Defined(automaton) = &declared.body else { return None };
        let liveness = Liveness::of(declared)?;
        let mut builder = Builder { memory, function, expressions: Expressions::default() };
        let mut operations: PrimaryMap<EdgeId, Operation> = PrimaryMap::new();
        for (id, edge) in &automaton.edges {
            let operation = builder.operation(id, &edge.instruction);
            operations.push(operation);
        }
        builder.sizes_of_reallocations(automaton, &mut operations);
        builder.expressions_of_links(&operations);
        builder.expressions_of_callees(&operations, known);
        builder.fields_freed_by_callees(&mut operations, known);
        builder.expressions_of_result(&operations, declared.result);
        builder.fields_of_freed(&mut operations);
        let tested = tested(declared.result, &operations);
        let mut constant_parameters: EntitySet<RegisterId> = EntitySet::new();
        for parameter in &declared.parameters {
            let is_assigned = operations.values().any(|operation| operation.target() == Some(*parameter));
            if !is_assigned {
                constant_parameters.insert(*parameter);
            }
        }
        let assigned: Vec<(RegisterId, Vec<bool>)> = declared
            .parameters
            .iter()
            .filter(|parameter| tested.contains(**parameter) && !constant_parameters.contains(**parameter))
            .map(|parameter| (*parameter, behind_assignments(automaton, &operations, *parameter)))
            .collect();
        let as_function = Function {
            automaton,
            operations: &operations,
            parameters: &declared.parameters,
            constant_parameters: &constant_parameters,
        };
        let freed_parameters = as_function.freed_parameters();
        let spared = match declared.result {
            Some(_) => FxHashMap::default(),
            None => as_function.spared(&freed_parameters),
        };
        Some(Procedure {
            function,
            expressions: builder.expressions,
            statuses: statuses(declared, &operations, &tested),
            is_endless: endless(automaton),
            returns_fresh: fresh::returns_fresh(&operations, declared.result, known),
            operations,
            liveness,
            tested,
            parameters: declared.parameters.clone(),
            constant_parameters,
            assigned,
            result: declared.result,
            freed_parameters,
            spared,
        })
    }
}

impl Procedure {
    /// What parameters were given, as far as it is known of what they hold at a location: they have not been assigned there.
    pub fn given(&self, location: LocationId, facts: &Facts) -> Vec<(RegisterId, Number)> {
        let held = self.assigned.iter().filter(|(_, assigned)| !assigned[location.index()]);
        held.map(|(parameter, _)| (*parameter, facts.number(*parameter))).collect()
    }

    /// The position of the parameter into whose object a register points.
    pub fn parameter_behind(&self, memory: &Memory<'_>, register: RegisterId) -> Option<usize> {
        let automaton = memory.program.functions[self.function].automaton()?;
        let function = Function {
            automaton,
            operations: &self.operations,
            parameters: &self.parameters,
            constant_parameters: &self.constant_parameters,
        };
        function.parameter(register)
    }
}

impl Operation {
    /// The register that it writes.
    pub fn target(&self) -> Option<RegisterId> {
        match self {
            Operation::Copy { target, .. }
            | Operation::Add { target, .. }
            | Operation::Blend { target, .. }
            | Operation::Load { target, .. }
            | Operation::Alloc { target, .. } => Some(*target),
            Operation::Call(call) => call.target,
            Operation::Skip
            | Operation::Stop
            | Operation::Unsupported
            | Operation::Store { .. }
            | Operation::CopyCells { .. }
            | Operation::Free { .. }
            | Operation::End { .. }
            | Operation::AssumeNumber { .. }
            | Operation::AssumeNoBytes { .. }
            | Operation::AssumePointers { .. } => None,
        }
    }
}

/// Registers that are compared with constants, those that are stored in reference counts, the result, and what they are copies of.
fn tested(result: Option<RegisterId>, operations: &PrimaryMap<EdgeId, Operation>) -> EntitySet<RegisterId> {
    let mut tested: EntitySet<RegisterId> = EntitySet::new();
    tested.extend(result);
    for operation in operations.values() {
        match operation {
            Operation::AssumeNumber { register, .. } | Operation::AssumeNoBytes { register } => {
                tested.insert(*register);
            }
            Operation::Store { place, value: Stored::Number(register) | Stored::Register(register) }
                if place.counter != CounterAccess::None =>
            {
                tested.insert(*register);
            }
            _ => {}
        }
    }
    loop {
        let mut changed = false;
        for operation in operations.values() {
            if let Operation::Copy { target, source: Some(source), .. } | Operation::Add { target, source, .. } =
                operation
                && tested.contains(*target)
            {
                changed |= tested.insert(*source);
            }
        }
        if !changed {
            return tested;
        }
    }
}

/// The locations of loops from which no path leads to the exit, by number.
fn endless(automaton: &Automaton) -> Vec<bool> {
    let mut successors: Vec<Vec<u32>> = vec![Vec::new(); automaton.n_locations()];
    let mut incoming: Vec<Vec<LocationId>> = vec![Vec::new(); automaton.n_locations()];
    for edge in automaton.edges.values() {
        successors[edge.from.index()].push(edge.to.as_u32());
        incoming[edge.to.index()].push(edge.from);
    }
    let mut reaches = vec![false; automaton.n_locations()];
    let mut pending = vec![automaton.exit];
    while let Some(location) = pending.pop() {
        if !std::mem::replace(&mut reaches[location.index()], true) {
            pending.extend(&incoming[location.index()]);
        }
    }
    let mut endless = vec![false; automaton.n_locations()];
    for members in heapwise_ir::order::components_of(&successors) {
        let is_loop = match members[..] {
            [only] => successors[only as usize].contains(&only),
            _ => true,
        };
        for member in members {
            endless[member as usize] = is_loop && !reaches[member as usize];
        }
    }
    endless
}

/// The locations that a path leads to on which a register is assigned.
fn behind_assignments(
    automaton: &Automaton,
    operations: &PrimaryMap<EdgeId, Operation>,
    register: RegisterId,
) -> Vec<bool> {
    let mut behind = vec![false; automaton.n_locations()];
    let assigning = automaton.edges.iter().filter(|(edge, _)| operations[*edge].target() == Some(register));
    let mut pending: Vec<LocationId> = assigning.map(|(_, edge)| edge.to).collect();
    while let Some(location) = pending.pop() {
        if !std::mem::replace(&mut behind[location.index()], true) {
            pending.extend(automaton.outgoing[location].iter().map(|edge| automaton.edges[*edge].to));
        }
    }
    behind
}

/// Most registers of a function by which configurations are kept apart.
const MOST_STATUSES: usize = 8;

/// The registers that say how far the function has come: its result, variables that are compared with constants and get
/// constants, directly or as copies of what does, and what calls return and is compared with constants.
fn statuses(
    function: &heapwise_ir::Function,
    operations: &PrimaryMap<EdgeId, Operation>,
    tested: &EntitySet<RegisterId>,
) -> Vec<RegisterId> {
    let mut constant: EntitySet<RegisterId> = EntitySet::new();
    loop {
        let mut changed = false;
        for operation in operations.values() {
            if let Operation::Copy { target, source, number, .. } = operation {
                let is_constant = match source {
                    Some(source) => constant.contains(*source),
                    None => *number != Number::ANY,
                };
                changed |= is_constant && tested.contains(*target) && constant.insert(*target);
            }
        }
        if !changed {
            break;
        }
    }
    let is_variable =
        |register: &RegisterId| matches!(function.registers[*register].origin, RegisterOrigin::Variable(_));
    let variables = function.registers.keys().filter(|register| constant.contains(*register)).filter(is_variable);
    let returned = operations.values().filter_map(|operation| match operation {
        Operation::Call(call) => call.target.filter(|target| tested.contains(*target)),
        _ => None,
    });
    let mut found: Vec<RegisterId> = Vec::new();
    for register in function.result.into_iter().chain(variables).chain(returned) {
        if !found.contains(&register) {
            found.push(register);
        }
    }
    found.truncate(MOST_STATUSES);
    found
}

/// What is written here instead of a constant: an address that is that of no heap cell.
pub const NO_CELL: i128 = i128::MAX;
