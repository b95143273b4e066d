//! The state of lowering one function, and the smallest steps: edges, registers, operands.

use crate::adapter::{CaseId, DeclId, ExprId, LabelId, Source, StmtId, TypeId};
use crate::link::Linker;
use crate::scan::{Scan, ScopeId};
use crate::scopes::{BeforeBranches, TemporaryObject};
use crate::unit::UnitContext;
use heapwise_ir::claim::Clause;
use heapwise_ir::entity::PrimaryMap;
use heapwise_ir::{
    Automaton, Condition, Expression, FloatType, Instruction, IntType, LocationId, Operand, Place, Register,
    RegisterId, RegisterOrigin, Span, Type, TypeId as IrTypeId, UnsupportedReason,
};
use rustc_hash::FxHashMap;

/// Where a local lives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Local {
    /// In a register.
    Register(RegisterId),
    /// In memory; the register holds its address.
    Memory(RegisterId),
}

/// Where `break` or `continue` goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpTarget {
    pub(crate) location: LocationId,
    pub(crate) scope: ScopeId,
}

/// The enclosing loops and switches, innermost last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enclosing {
    pub(crate) break_to: JumpTarget,
    pub(crate) continue_to: Option<JumpTarget>,
}

/// A function under lowering.
pub(crate) struct Lowering<'a, 's, 'm> {
    pub(crate) link: &'a mut Linker<'m>,
    pub(crate) unit: &'a mut UnitContext<'s>,
    pub(crate) source: &'s Source,
    pub(crate) scan: Scan,
    pub(crate) registers: PrimaryMap<RegisterId, Register>,
    pub(crate) automaton: Automaton,
    /// Where the next edge starts.
    pub(crate) here: LocationId,
    /// The span of the next edge.
    pub(crate) span: Span,
    pub(crate) locals: FxHashMap<DeclId, Local>,
    pub(crate) scope: ScopeId,
    /// Storage of temporaries that the expression under lowering made, to be ended when it is over.
    pub(crate) temporaries: Vec<TemporaryObject>,
    /// The place before the outermost `&&`, `||` or `?:` of the full expression under lowering.
    pub(crate) branches: Option<BeforeBranches>,
    pub(crate) labels: FxHashMap<LabelId, LocationId>,
    pub(crate) cases: FxHashMap<CaseId, LocationId>,
    pub(crate) defaults: FxHashMap<StmtId, LocationId>,
    pub(crate) enclosing: Vec<Enclosing>,
    pub(crate) result: Option<RegisterId>,
    /// Where a result by value goes.
    pub(crate) result_pointer: Option<RegisterId>,
    /// The hidden parameter that points to the variable arguments.
    pub(crate) variable_arguments: Option<RegisterId>,
    /// Counts of variable-length arrays, evaluated at their declaration.
    pub(crate) vla_counts: FxHashMap<ExprId, Operand>,
    /// The declaration in whose text the count of a variable-length array stands.
    pub(crate) vla_owners: FxHashMap<ExprId, DeclId>,
    /// Values that are evaluated once and used twice (`x ?: y`).
    pub(crate) shared_values: FxHashMap<ExprId, Operand>,
    /// The registers that hold what `alloca` returned; null before.
    pub(crate) allocas: FxHashMap<ExprId, RegisterId>,
    /// The head of the list of what `alloca` gave where it may run many times: each cell holds the cell before it and the
    /// storage.
    pub(crate) alloca_list: Option<RegisterId>,
    pub(crate) name_counts: FxHashMap<String, u32>,
    pub(crate) is_main: bool,
    /// Whether the function is declared never to come back.
    pub(crate) is_noreturn: bool,
    /// How many temporaries were pending when each scope was entered.
    pub(crate) scope_temporaries: Vec<usize>,
    /// Addresses of the parameters that live in memory.
    pub(crate) copied_parameters: Vec<RegisterId>,
    /// What `hw_requires` and `hw_ensures` said so far, and where.
    pub(crate) contract: Vec<(Clause, String, Span)>,
    /// Locations that no run reaches (`assume` that does not hold): edges to them are dropped.
    pub(crate) infeasible: Vec<LocationId>,
    /// As what the pointer that the call under lowering returns is seen, if a cast says so.
    pub(crate) view_hint: Option<IrTypeId>,
}

impl Lowering<'_, '_, '_> {
    /// Adds an edge from here to a new location, and goes there.
    pub(crate) fn emit(&mut self, instruction: Instruction) {
        let next = self.automaton.add_location();
        self.automaton.add_edge(self.here, next, instruction, self.span);
        self.here = next;
    }

    /// Adds an edge from here to `to` without going there.
    pub(crate) fn emit_to(&mut self, to: LocationId, instruction: Instruction) {
        self.automaton.add_edge(self.here, to, instruction, self.span);
    }

    /// Goes to `to`; what follows is not reached from here.
    pub(crate) fn jump(&mut self, to: LocationId) {
        self.emit_to(to, Instruction::Assume(Condition::True));
        self.here = self.automaton.add_location();
    }

    /// Continues at `label`, which is also reached from here.
    pub(crate) fn label(&mut self, label: LocationId) {
        self.emit_to(label, Instruction::Assume(Condition::True));
        self.here = label;
    }

    /// Nothing follows: a call did not return.
    pub(crate) fn stop(&mut self) {
        self.here = self.automaton.add_location();
    }

    pub(crate) fn location(&mut self) -> LocationId {
        self.automaton.add_location()
    }

    /// Uses the span of an expression for the next edges.
    pub(crate) fn at(&mut self, expr: ExprId) {
        self.span = self.unit.span(self.link, self.source.tast.expr_span(expr));
    }

    pub(crate) fn at_statement(&mut self, statement: StmtId) {
        self.span = self.unit.span(self.link, self.source.tast.stmt_span(statement));
    }

    /// A register that the C text does not have.
    pub(crate) fn temporary(&mut self, ty: IrTypeId) -> RegisterId {
        let name = format!("${}", self.registers.len());
        self.registers.push(Register { name, ty, origin: RegisterOrigin::Temporary })
    }

    /// A register for a name of the C text; `name@2` where the function has several of that name.
    pub(crate) fn named_register(&mut self, name: &str, ty: IrTypeId, origin: RegisterOrigin) -> RegisterId {
        let count = self.name_counts.entry(name.to_owned()).or_insert(0);
        *count += 1;
        let name = if *count == 1 { name.to_owned() } else { format!("{name}@{count}") };
        self.registers.push(Register { name, ty, origin })
    }

    pub(crate) fn assign(&mut self, target: RegisterId, value: Expression) {
        self.emit(Instruction::Assign { target, value });
    }

    /// Puts `value` into `destination` if there is one, else into a new register of type `ty`.
    pub(crate) fn compute(&mut self, ty: IrTypeId, destination: Option<RegisterId>, value: Expression) -> Operand {
        let target = destination.unwrap_or_else(|| self.temporary(ty));
        self.assign(target, value);
        Operand::Register(target)
    }

    /// Copies an operand into `destination`, if there is one and it is not there yet.
    pub(crate) fn deliver(&mut self, value: Operand, destination: Option<RegisterId>) -> Operand {
        match destination {
            Some(target) if value != Operand::Register(target) => {
                self.assign(target, Expression::Operand(value));
                Operand::Register(target)
            }
            _ => value,
        }
    }

    pub(crate) fn load(&mut self, place: Place, ty: IrTypeId, destination: Option<RegisterId>) -> Operand {
        let target = destination.unwrap_or_else(|| self.temporary(ty));
        self.emit(Instruction::Load { target, place });
        Operand::Register(target)
    }

    /// Says that something cannot be lowered; the lowering goes on with any value.
    pub(crate) fn unsupported(&mut self, reason: impl Into<UnsupportedReason>) {
        self.emit(Instruction::Unsupported(reason.into()));
    }

    /// Refuses, and gives any value of the type.
    pub(crate) fn refuse_value(&mut self, reason: impl Into<UnsupportedReason>, ty: IrTypeId) -> Operand {
        self.unsupported(reason);
        self.any(ty, None)
    }

    /// Any value of a scalar type.
    pub(crate) fn any(&mut self, ty: IrTypeId, destination: Option<RegisterId>) -> Operand {
        if self.is_scalar(ty) { self.compute(ty, destination, Expression::Nondet { ty }) } else { Operand::ZERO }
    }

    pub(crate) fn ty(&mut self, ty: TypeId) -> IrTypeId {
        self.unit.ty(self.link, ty)
    }

    /// The type of an expression.
    pub(crate) fn type_of(&mut self, expr: ExprId) -> IrTypeId {
        self.unit.ty(self.link, self.source.tast[expr].ty)
    }

    pub(crate) fn intern(&mut self, ty: Type) -> IrTypeId {
        self.link.program.types.intern(ty)
    }

    pub(crate) fn get(&self, ty: IrTypeId) -> &Type {
        self.link.program.ty(ty)
    }

    pub(crate) fn size(&self, ty: IrTypeId) -> Option<u64> {
        self.link.program.size_of(ty)
    }

    pub(crate) fn pointer_to(&mut self, ty: IrTypeId) -> IrTypeId {
        self.intern(Type::Pointer(ty))
    }

    pub(crate) fn int(&mut self) -> IrTypeId {
        self.intern(Type::Int(IntType::Signed(4)))
    }

    /// `size_t`.
    pub(crate) fn size_type(&mut self) -> IrTypeId {
        let bytes = self.pointer_bytes();
        self.intern(Type::Int(IntType::Unsigned(bytes)))
    }

    /// `ptrdiff_t`.
    pub(crate) fn difference_type(&mut self) -> IrTypeId {
        let bytes = self.pointer_bytes();
        self.intern(Type::Int(IntType::Signed(bytes)))
    }

    pub(crate) fn pointer_bytes(&self) -> u8 {
        if self.link.program.target.pointer_bytes == 4 { 4 } else { 8 }
    }

    pub(crate) fn byte_type(&mut self) -> IrTypeId {
        self.intern(Type::Int(IntType::Unsigned(1)))
    }

    pub(crate) fn is_scalar(&self, ty: IrTypeId) -> bool {
        matches!(self.get(ty), Type::Int(_) | Type::Float(_) | Type::Pointer(_))
    }

    pub(crate) fn is_void(&self, ty: IrTypeId) -> bool {
        matches!(self.get(ty), Type::Void)
    }

    pub(crate) fn is_pointer(&self, ty: IrTypeId) -> bool {
        matches!(self.get(ty), Type::Pointer(_))
    }

    pub(crate) fn is_aggregate(&self, ty: IrTypeId) -> bool {
        matches!(self.get(ty), Type::Record(_) | Type::Array(..))
    }

    pub(crate) fn int_type(&self, ty: IrTypeId) -> Option<IntType> {
        match self.get(ty) {
            Type::Int(int) => Some(*int),
            _ => None,
        }
    }

    pub(crate) fn float_type(&self, ty: IrTypeId) -> Option<FloatType> {
        match self.get(ty) {
            Type::Float(float) => Some(*float),
            _ => None,
        }
    }

    pub(crate) fn pointee(&self, ty: IrTypeId) -> Option<IrTypeId> {
        self.link.program.pointee(ty)
    }
}

/// The value that `value` becomes in an integer type.
pub(crate) fn wrap(int: IntType, value: i128) -> i128 {
    match int {
        IntType::Bool => i128::from(value != 0),
        IntType::Signed(16) | IntType::Unsigned(16) => value,
        IntType::Signed(bytes) => {
            let unused = 128 - 8 * u32::from(bytes);
            (value << unused) >> unused
        }
        IntType::Unsigned(bytes) => {
            let unused = 128 - 8 * u32::from(bytes);
            (((value as u128) << unused) >> unused) as i128
        }
    }
}
