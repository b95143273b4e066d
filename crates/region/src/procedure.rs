//! A function as configurations see it: each instruction resolved to registers, cells and expressions once.

use crate::expressions::{Base, ExpressionId, Expressions};
use crate::frees::{FreedParameter, Function, OnWays};
use crate::memory::{CellId, Extent, Memory, Target};
use crate::number::Number;
use heapwise_ir::entity::{EntityRef, EntitySet, PrimaryMap};
use heapwise_ir::{
    Body, Callee, CompareOperator, Condition, CopySource, EdgeId, Expression, ExternEffects, ExternResult, FunctionId,
    Instruction, IntType, Liveness, MemoryEffect, Operand, Path, Place, RangeEnd, RegisterId, RegisterOrigin, Storage,
    Termination, Type, TypeId,
};
use heapwise_ir::{Extent as Length, IndirectTargets, MayCall};
use smallvec::SmallVec;

/// A place in memory that is read or written.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The register that holds its address; none for a global.
    pub base: Option<RegisterId>,
    /// The cells that it may be.
    pub target: Target,
    /// The expression, if it is one that facts speak of.
    pub expression: Option<ExpressionId>,
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
    },
    /// An allocation: of another cell than the tracked one.
    Alloc {
        /// The register that receives the address.
        target: RegisterId,
        /// Whether heap cells are made here.
        storage: Storage,
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
    NoCell,
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
            Stored::Null | Stored::NoCell | Stored::Copied => None,
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
    /// The parameters.
    pub parameters: Vec<RegisterId>,
    /// Parameters that are never assigned: they hold at the exit what they held at the entry.
    pub constant_parameters: EntitySet<RegisterId>,
    /// The register of the result.
    pub result: Option<RegisterId>,
    /// Parameters whose objects are freed.
    pub freed_parameters: Vec<FreedParameter>,
}

/// Most expressions that are taken over from one callee.
const MOST_OF_CALLEE: usize = 32;

struct Builder<'b, 'p> {
    memory: &'b Memory<'p>,
    function: FunctionId,
    expressions: Expressions,
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
        let freed_parameters = Function {
            automaton,
            operations: &operations,
            parameters: &declared.parameters,
            constant_parameters: &constant_parameters,
        }
        .freed_parameters();
        Some(Procedure {
            function,
            expressions: builder.expressions,
            operations,
            liveness,
            tested,
            parameters: declared.parameters.clone(),
            constant_parameters,
            result: declared.result,
            freed_parameters,
        })
    }
}

impl Procedure {
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
            | Operation::AssumePointers { .. } => None,
        }
    }
}

/// Registers that are compared with constants, the result, and what they are copies of.
fn tested(result: Option<RegisterId>, operations: &PrimaryMap<EdgeId, Operation>) -> EntitySet<RegisterId> {
    let mut tested: EntitySet<RegisterId> = EntitySet::new();
    tested.extend(result);
    for operation in operations.values() {
        if let Operation::AssumeNumber { register, .. } = operation {
            tested.insert(*register);
        }
    }
    loop {
        let mut changed = false;
        for operation in operations.values() {
            if let Operation::Copy { target, source: Some(source), .. } = operation
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

impl Builder<'_, '_> {
    fn base(operand: Operand) -> Option<Base> {
        match operand {
            Operand::Register(register) => Some(Base::Register(register)),
            Operand::Global(global) => Some(Base::Global(global)),
            Operand::Int(_) | Operand::Float(_) | Operand::Function(_) => None,
        }
    }

    fn spot(&mut self, base: Operand, target: Target, offset: Option<i64>) -> Spot {
        let expression = match (Self::base(base), offset, &target.cells[..]) {
            (Some(base), Some(offset), [cell])
                if !target.unknown && !target.in_pieces && self.memory.cells[*cell].extent != Extent::Folded =>
            {
                Some(self.expressions.add(base, offset, *cell))
            }
            _ => None,
        };
        Spot { base: base.register(), target, expression }
    }

    fn constant_path(&self, path: &Path) -> Option<i64> {
        let resolved = self.memory.program.resolve(path)?;
        resolved.indices.is_empty().then_some(resolved.offset)
    }

    fn place(&mut self, place: &Place) -> Spot {
        let target = self.memory.place(self.function, place);
        let offset = self.constant_path(&place.path);
        self.spot(place.base, target, offset)
    }

    /// The value of a pointer at a distance from an operand.
    fn at(&mut self, base: Operand, offset: i64) -> Spot {
        let mut address = self.memory.operand(self.function, base);
        address.offsets = address.offsets.shifted(offset);
        let size = u64::from(self.memory.program.target.pointer_bytes);
        let target = self.memory.target(&address, Some(size));
        self.spot(base, target, Some(offset))
    }

    /// The cells that hold pointers of the objects that an operand points to, with distances from the operand where they
    /// are known.
    fn fields(&mut self, base: Operand) -> Vec<Spot> {
        let address = self.memory.operand(self.function, base);
        let Some(region) = address.region else { return Vec::new() };
        let exact = address.offsets.exact();
        let cells: Vec<CellId> =
            self.memory.of_region(region).filter(|cell| self.memory.cells[*cell].holds_pointer).collect();
        let mut fields = Vec::new();
        for cell in cells {
            let known = &self.memory.cells[cell];
            let offset = exact.map(|start| known.offset - start);
            let target = Target { cells: SmallVec::from_slice(&[cell]), unknown: false, in_pieces: false };
            fields.push(self.spot(base, target, offset));
        }
        fields
    }

    fn is_pointer_sized(&self, ty: TypeId) -> bool {
        self.memory.program.size_of(ty) == Some(u64::from(self.memory.program.target.pointer_bytes))
    }

    /// Whether a register may refer to an object.
    fn may_point(&self, register: RegisterId) -> bool {
        let value = self.memory.operand(self.function, Operand::Register(register));
        value.region.is_some() || value.unknown
    }

    fn operation(&mut self, edge: EdgeId, instruction: &Instruction) -> Operation {
        match instruction {
            Instruction::Assign { target, value } => self.assign(*target, value),
            Instruction::Load { target, place } => {
                let spot = self.place(place);
                Operation::Load { target: *target, place: spot }
            }
            Instruction::Store { place, value } => {
                let spot = self.place(place);
                let value = match *value {
                    Operand::Register(register) if self.may_point(register) => Stored::Register(register),
                    Operand::Int(0) => Stored::Null,
                    Operand::Register(_)
                    | Operand::Int(_)
                    | Operand::Float(_)
                    | Operand::Global(_)
                    | Operand::Function(_) => Stored::NoCell,
                };
                Operation::Store { place: spot, value }
            }
            Instruction::Copy { place, source, extent } => self.copy(place, source, *extent),
            Instruction::Alloc { target, storage, .. } => Operation::Alloc { target: *target, storage: *storage },
            Instruction::Free { pointer } => match pointer.register() {
                Some(register) => Operation::Free { pointer: register, fields: Vec::new() },
                None => Operation::Skip,
            },
            Instruction::End { pointer } => {
                Operation::End { pointer: pointer.register(), fields: self.fields(*pointer) }
            }
            Instruction::Assume(condition) | Instruction::Assert(condition) => self.assume(condition),
            Instruction::Call { target, callee, arguments } => self.call(edge, *target, *callee, arguments),
            Instruction::Unsupported(_) => Operation::Unsupported,
        }
    }

    fn assign(&mut self, target: RegisterId, value: &Expression) -> Operation {
        let plain = |source: Option<RegisterId>, shift: Option<i64>, number: Number| Operation::Copy {
            target,
            source,
            shift,
            number,
        };
        match value {
            Expression::Operand(operand) => plain(operand.register(), Some(0), number_of(*operand)),
            Expression::AddPath { base, path } => plain(base.register(), self.constant_path(path), Number::ANY),
            Expression::SubtractPath { base, path } => {
                plain(base.register(), self.constant_path(path).map(|offset| -offset), Number::ANY)
            }
            Expression::AddBytes { base, bytes } => plain(base.register(), constant(*bytes), Number::ANY),
            Expression::AddIndex { base, index, element } => {
                let stride = self.memory.program.stride_of(*element).and_then(|stride| i64::try_from(stride).ok());
                let shift = constant(*index).zip(stride).and_then(|(index, stride)| index.checked_mul(stride));
                plain(base.register(), shift, Number::ANY)
            }
            Expression::PointerDifference { .. } | Expression::Nondet { .. } | Expression::Uninitialised => {
                plain(None, None, Number::ANY)
            }
            Expression::Unary { value, .. } => self.computed(target, &[*value]),
            Expression::Binary { left, right, .. } => self.computed(target, &[*left, *right]),
            Expression::Convert { from, to, value } => {
                let whole = self.is_pointer_sized(*from) && self.is_pointer_sized(*to);
                if let (Some(source), true) = (value.register(), whole) {
                    return plain(Some(source), Some(0), number_of(*value));
                }
                let keeps = match (self.memory.program.ty(*from), self.memory.program.ty(*to)) {
                    (Type::Int(from), Type::Int(to)) => keeps_number(*from, *to),
                    _ => false,
                };
                match self.computed(target, &[*value]) {
                    // A wider integer holds the same number; it cannot refer to a cell.
                    Operation::Copy { .. } if keeps => plain(value.register(), Some(0), number_of(*value)),
                    other => other,
                }
            }
        }
    }

    /// A number that is computed.
    fn computed(&self, target: RegisterId, operands: &[Operand]) -> Operation {
        let sources: SmallVec<[RegisterId; 2]> =
            operands.iter().filter_map(|operand| operand.register()).filter(|source| self.may_point(*source)).collect();
        if sources.is_empty() || !self.may_point(target) {
            return Operation::Copy { target, source: None, shift: None, number: Number::ANY };
        }
        Operation::Blend { target, sources }
    }

    fn copy(&mut self, place: &Place, source: &CopySource, extent: Length) -> Operation {
        let program = self.memory.program;
        let size = match extent {
            Length::Type(ty) => program.size_of(ty),
            Length::Bytes(bytes) => constant(bytes).and_then(|bytes| u64::try_from(bytes).ok()),
            Length::Common => None,
        };
        let to = self.area(place, size);
        let from = match source {
            CopySource::Place(place) => Some((place, self.area(place, size))),
            CopySource::Fill(_) | CopySource::Members | CopySource::Nondet => None,
        };
        let mut bases: SmallVec<[RegisterId; 2]> = SmallVec::new();
        bases.extend(place.base.register());
        bases.extend(from.as_ref().and_then(|(place, _)| place.base.register()));
        let mut pairs = Vec::new();
        let mut is_exact = to.offsets.is_some();
        if let Some(offsets) = &to.offsets {
            let mut distances: Vec<i64> = offsets.clone();
            match &from {
                Some((_, Area { offsets: Some(offsets), .. })) => distances.extend(offsets),
                Some((_, Area { offsets: None, .. })) => is_exact = false,
                None => {}
            }
            distances.sort_unstable();
            distances.dedup();
            let start = self.constant_path(&place.path).unwrap_or(0);
            for distance in distances {
                let there = self.at(place.base, start + distance);
                let here = from.as_ref().map(|(place, _)| {
                    let start = self.constant_path(&place.path).unwrap_or(0);
                    self.at(place.base, start + distance)
                });
                is_exact &= !there.target.in_pieces && here.as_ref().is_none_or(|here| !here.target.in_pieces);
                pairs.push((here, there));
            }
        }
        let read = from.map_or(Vec::new(), |(_, area)| area.cells);
        let fill = match source {
            CopySource::Fill(Operand::Int(0)) => Stored::Null,
            CopySource::Fill(_) | CopySource::Members | CopySource::Nondet | CopySource::Place(_) => Stored::NoCell,
        };
        Operation::CopyCells { bases, pairs, fill, written: to.cells, read, is_exact }
    }

    /// The cells that hold pointers within so many bytes of a place, and their distances from it.
    fn area(&self, place: &Place, size: Option<u64>) -> Area {
        let address = self.memory.pointsto.place(self.memory.program, self.function, place);
        let Some(region) = address.region else {
            return Area { cells: Vec::new(), offsets: (!address.unknown).then(Vec::new) };
        };
        let exact = address.offsets.exact().filter(|_| !address.unknown);
        let is_constant = self.constant_path(&place.path).is_some();
        let (mut cells, mut offsets) = (Vec::new(), Vec::new());
        let mut is_exact = exact.is_some() && size.is_some() && is_constant;
        for cell in self.memory.of_region(region) {
            let known = &self.memory.cells[cell];
            if !known.holds_pointer {
                continue;
            }
            if let (Some(start), Some(size)) = (exact, size)
                && known.extent != Extent::Folded
            {
                let end = start.saturating_add(i64::try_from(size).unwrap_or(i64::MAX));
                if known.offset >= end || known.offset + known.size as i64 <= start {
                    continue;
                }
                is_exact &= known.offset >= start && known.offset + known.size as i64 <= end;
                offsets.push(known.offset - start);
            } else {
                is_exact = false;
            }
            cells.push(cell);
        }
        Area { cells, offsets: is_exact.then_some(offsets) }
    }

    fn assume(&mut self, condition: &Condition) -> Operation {
        match condition {
            Condition::True | Condition::NotCompare { .. } | Condition::Shape(_) => Operation::Skip,
            Condition::False => Operation::Stop,
            Condition::Compare { operator, ty, left, right } => {
                let is_float = matches!(self.memory.program.ty(*ty), Type::Float(_));
                match (*left, *right) {
                    _ if is_float => Operation::Skip,
                    (Operand::Int(left), Operand::Int(right)) if !operator.holds(left.cmp(&right)) => Operation::Stop,
                    (Operand::Register(register), Operand::Int(constant)) => {
                        Operation::AssumeNumber { register, operator: *operator, constant }
                    }
                    (Operand::Int(constant), Operand::Register(register)) => {
                        Operation::AssumeNumber { register, operator: operator.mirrored(), constant }
                    }
                    (Operand::Register(left), Operand::Register(right))
                        if self.may_point(left) || self.may_point(right) =>
                    {
                        let equal = match operator {
                            CompareOperator::Equal => true,
                            CompareOperator::NotEqual => false,
                            _ => return Operation::Skip,
                        };
                        let by_cell = self.equal_by_cell(left, right);
                        Operation::AssumePointers { left, right, equal, by_cell }
                    }
                    (Operand::Register(left), Operand::Global(_) | Operand::Function(_))
                    | (Operand::Global(_) | Operand::Function(_), Operand::Register(left)) => {
                        // A heap cell is no global; one past its end may be where one starts.
                        let address = self.memory.operand(self.function, Operand::Register(left));
                        let is_start = address.offsets.exact() == Some(0);
                        match operator {
                            CompareOperator::Equal if is_start => {
                                Operation::AssumeNumber { register: left, operator: *operator, constant: NO_CELL }
                            }
                            _ => Operation::Skip,
                        }
                    }
                    _ => Operation::Skip,
                }
            }
        }
    }

    /// Whether two pointers are equal exactly if they refer to the same cell: both lie at the same distance from the start.
    fn equal_by_cell(&self, left: RegisterId, right: RegisterId) -> bool {
        let value = |register| self.memory.operand(self.function, Operand::Register(register));
        let (left, right) = (value(left), value(right));
        let (Some(one), Some(two)) = (left.offsets.exact(), right.offsets.exact()) else { return false };
        let same_region = left.region == right.region;
        let starts: Vec<i64> = left
            .region
            .into_iter()
            .flat_map(|region| self.memory.pointsto.objects(region))
            .map(|(_, offset)| offset)
            .collect();
        let one_start = starts.windows(2).all(|pair| pair[0] == pair[1]);
        same_region && one == two && one_start
    }

    fn call(&mut self, edge: EdgeId, target: Option<RegisterId>, callee: Callee, arguments: &[Operand]) -> Operation {
        let program = self.memory.program;
        let mut call = Call {
            target,
            arguments: arguments
                .iter()
                .map(|operand| Argument { register: operand.register(), number: self.argument_number(*operand) })
                .collect(),
            callees: Vec::new(),
            externs: Vec::new(),
            unknown: None,
            frees: Vec::new(),
        };
        let functions: Vec<FunctionId> = match callee {
            Callee::Direct(callee) | Callee::Indirect(Operand::Function(callee)) => vec![callee],
            Callee::Indirect(_) => match IndirectTargets::targets(self.memory.pointsto, self.function, edge) {
                MayCall::These(callees) => callees.to_vec(),
                MayCall::AnyAddressTaken => {
                    call.unknown = Some(UnknownCall::Pointer);
                    let site = heapwise_pointsto::Site { function: self.function, edge };
                    self.memory.pointsto.targets(site).functions
                }
            },
        };
        for function in functions {
            match &program.functions[function].body {
                Body::Defined(_) => call.callees.push(function),
                Body::Extern(effects) if effects.modelled && effects.memory != MemoryEffect::Unknown => {
                    let found = self.extern_call(function, effects, arguments);
                    call.externs.push(found);
                }
                Body::Extern(_) => call.unknown = Some(UnknownCall::WithoutModel(function)),
            }
        }
        Operation::Call(Box::new(call))
    }

    /// What is known of an argument whatever the configuration: the address of a local or global is not null.
    fn argument_number(&self, operand: Operand) -> Number {
        match operand.register() {
            Some(register) if self.is_address(register) => Number::NONZERO,
            _ => number_of(operand),
        }
    }

    /// Whether a register holds the address of a local or global, or of a part of one: it is assigned once, and so.
    fn is_address(&self, register: RegisterId) -> bool {
        let function = &self.memory.program.functions[self.function];
        match function.registers[register].origin {
            RegisterOrigin::AddressOfLocal(_) => return true,
            RegisterOrigin::Temporary => {}
            RegisterOrigin::Variable(_) => return false,
        }
        let Body::Defined(automaton) = &function.body else { return false };
        let mut assigned = automaton.edges.values().filter_map(|edge| match &edge.instruction {
            Instruction::Assign { target, value } if *target == register => Some(Some(value)),
            other => (other.target() == Some(register)).then_some(None),
        });
        let base = match (assigned.next(), assigned.next()) {
            (Some(Some(Expression::Operand(base) | Expression::AddPath { base, .. })), None) => *base,
            (Some(Some(Expression::Convert { value, from, to })), None)
                if self.is_pointer_sized(*from) && self.is_pointer_sized(*to) =>
            {
                *value
            }
            _ => return false,
        };
        match base {
            Operand::Global(_) => true,
            Operand::Register(base) => base != register && self.is_address(base),
            Operand::Int(_) | Operand::Float(_) | Operand::Function(_) => false,
        }
    }

    fn extern_call(&mut self, function: FunctionId, effects: &ExternEffects, arguments: &[Operand]) -> ExternCall {
        let argument = |position: u32| arguments.get(position as usize).copied();
        let register = |position: u32| argument(position).and_then(Operand::register);
        let mut overwrites = Vec::new();
        let mut stores = None;
        match &effects.memory {
            MemoryEffect::Pure | MemoryEffect::Unknown => {}
            MemoryEffect::Writes(parameters) => {
                for operand in parameters.iter().filter_map(|position| argument(*position)) {
                    if let Some(region) = self.memory.operand(self.function, operand).region {
                        let cells = self.memory.of_region(region);
                        overwrites.extend(cells.filter(|cell| self.memory.cells[*cell].holds_pointer));
                    }
                }
            }
            MemoryEffect::StoresPointer { through, into } => {
                if let Some(operand) = argument(*through) {
                    let is_null = matches!(operand, Operand::Int(0));
                    if !is_null {
                        stores = Some((self.at(operand, 0), register(*into)));
                    }
                }
            }
        }
        let n_named = self.memory.program.functions[function].parameters.len();
        let may_look_through = match effects.format {
            Some(_) => arguments.iter().skip(n_named).filter_map(|operand| operand.register()).collect(),
            None => Vec::new(),
        };
        let (result, result_may_be_null) = match effects.result {
            ExternResult::Argument(position) => (register(position), false),
            ExternResult::IntoArgument { argument, null } => {
                (register(argument), null == heapwise_ir::NullResult::Possible)
            }
            ExternResult::Any | ExternResult::Library { .. } => (None, false),
        };
        let number = effects.range.map_or(Number::ANY, |range| match range.high {
            RangeEnd::Constant(high) => Number::between(range.low.into(), high.into()),
            RangeEnd::Below(_) | RangeEnd::Argument(_) => Number::between(range.low.into(), i128::MAX),
        });
        ExternCall {
            function,
            termination: effects.termination,
            looks_through: effects.dereferences.iter().filter_map(|found| register(found.parameter)).collect(),
            may_look_through,
            takes: effects.takes_ownership.iter().filter_map(|position| register(*position)).collect(),
            overwrites,
            stores,
            result,
            result_may_be_null,
            number,
        }
    }

    /// Where one of a pair of inverse links is written, what the other one of the value written holds is worth knowing.
    fn expressions_of_links(&mut self, operations: &PrimaryMap<EdgeId, Operation>) {
        for operation in operations.values() {
            let Operation::Store { place, value: Stored::Register(value) } = operation else { continue };
            let [cell] = place.target.cells[..] else { continue };
            let offsets: Vec<i64> = self
                .memory
                .inverses_with(cell)
                .map(|(_, pair)| match pair.back == cell {
                    true => pair.offset_of_forth(self.memory),
                    false => pair.offset_of_back(self.memory),
                })
                .collect();
            for offset in offsets {
                self.at(Operand::Register(*value), offset);
            }
        }
    }

    /// Expressions over arguments that callees have over their parameters, so that facts are handed on.
    fn expressions_of_callees(
        &mut self,
        operations: &PrimaryMap<EdgeId, Operation>,
        known: &dyn Fn(FunctionId) -> Option<std::rc::Rc<Procedure>>,
    ) {
        for operation in operations.values() {
            let Operation::Call(call) = operation else { continue };
            for callee in call.callees.iter().filter_map(|callee| known(*callee)) {
                for (parameter, argument) in callee.parameters.iter().zip(&call.arguments) {
                    let Some(register) = argument.register else { continue };
                    let found = callee.expressions.from(Base::Register(*parameter));
                    for expression in found.iter().take(MOST_OF_CALLEE) {
                        let offset = callee.expressions.all[*expression].offset;
                        self.at(Operand::Register(register), offset);
                    }
                }
            }
        }
    }

    /// Expressions over the result for those over what is returned, so that callers are told.
    fn expressions_of_result(&mut self, operations: &PrimaryMap<EdgeId, Operation>, result: Option<RegisterId>) {
        for operation in operations.values() {
            let Operation::Copy { target, source: Some(source), shift: Some(shift), .. } = operation else { continue };
            if Some(*target) != result {
                continue;
            }
            let found = self.expressions.from(Base::Register(*source)).to_vec();
            for expression in found.into_iter().take(MOST_OF_CALLEE) {
                if let Some(offset) = self.expressions.all[expression].offset.checked_sub(*shift) {
                    self.at(Operand::Register(*target), offset);
                }
            }
        }
    }

    /// Fields of arguments that callees free: those that the callee does not know are lost at the call.
    fn fields_freed_by_callees(
        &mut self,
        operations: &mut PrimaryMap<EdgeId, Operation>,
        known: &dyn Fn(FunctionId) -> Option<std::rc::Rc<Procedure>>,
    ) {
        for operation in operations.values_mut() {
            let Operation::Call(call) = operation else { continue };
            let mut frees = Vec::new();
            for callee in call.callees.iter().filter_map(|callee| known(*callee)) {
                for freed in &callee.freed_parameters {
                    let Some(pointer) = call.arguments.get(freed.position).and_then(|argument| argument.register)
                    else {
                        continue;
                    };
                    let fields = self.fields(Operand::Register(pointer));
                    frees.push(FreedArgument { callee: callee.function, pointer, ways: freed.ways, fields });
                }
            }
            call.frees = frees;
        }
    }

    fn fields_of_freed(&mut self, operations: &mut PrimaryMap<EdgeId, Operation>) {
        for index in 0..operations.len() {
            let edge = EdgeId::new(index);
            if let Operation::Free { pointer, .. } = &operations[edge] {
                let pointer = *pointer;
                let fields = self.fields(Operand::Register(pointer));
                operations[edge] = Operation::Free { pointer, fields };
            }
        }
    }
}

/// What is written here instead of a constant: an address that is that of no heap cell.
pub const NO_CELL: i128 = i128::MAX;

/// Cells near a place.
struct Area {
    cells: Vec<CellId>,
    /// Their distances from the place; none if not known.
    offsets: Option<Vec<i64>>,
}

fn constant(operand: Operand) -> Option<i64> {
    match operand {
        Operand::Int(value) => i64::try_from(value).ok(),
        Operand::Register(_) | Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => None,
    }
}

/// Whether every number of one type is the same number in the other.
fn keeps_number(from: IntType, to: IntType) -> bool {
    match (from, to) {
        (IntType::Bool, IntType::Signed(_) | IntType::Unsigned(_) | IntType::Bool) => true,
        (IntType::Signed(from), IntType::Signed(to)) | (IntType::Unsigned(from), IntType::Unsigned(to)) => from <= to,
        (IntType::Unsigned(from), IntType::Signed(to)) => from < to,
        (IntType::Signed(_), IntType::Unsigned(_)) | (IntType::Signed(_) | IntType::Unsigned(_), IntType::Bool) => {
            false
        }
    }
}

fn number_of(operand: Operand) -> Number {
    match operand {
        Operand::Int(value) => Number::of(value),
        Operand::Global(_) | Operand::Function(_) => Number::NONZERO,
        Operand::Register(_) | Operand::Float(_) => Number::ANY,
    }
}
