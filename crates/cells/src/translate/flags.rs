//! Which integers are tracked: flags, that is, registers and global variables that only ever receive constants, other
//! flags or what is a small step from one. They carry what a function found out about the heap to the branch that asks
//! for it.

use super::constants::fits;
use super::elements;
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{
    BinaryOperator, Body, Callee, CopySource, Expression, FunctionId, GlobalId, Initializer, Instruction, IntType,
    Mutability, Operand, Place, Program, RegisterId, Type, TypeId,
};
use heapwise_pointsto::{PointsTo, Site};
use std::sync::Arc;

/// The flags.
pub struct Flags {
    registers: SecondaryMap<FunctionId, Vec<bool>>,
    globals: SecondaryMap<GlobalId, bool>,
    /// The globals that bytes are copied to: their integers may be left without a value.
    copied_to: SecondaryMap<GlobalId, bool>,
    /// The functions that index a short array.
    counts: SecondaryMap<FunctionId, bool>,
}

impl Flags {
    /// Whether a register is one.
    pub fn contains(&self, function: FunctionId, register: RegisterId) -> bool {
        self.registers[function].get(register.as_u32() as usize).copied().unwrap_or(false)
    }

    /// Whether a global is one: an integer whose address goes nowhere.
    pub fn contains_global(&self, global: GlobalId) -> bool {
        self.globals[global]
    }

    /// Whether bytes that may have no value are copied to a global.
    pub fn is_copied_to(&self, global: GlobalId) -> bool {
        self.copied_to[global]
    }

    /// Finds them: all integer registers are candidates until a definition says otherwise. Whom calls through pointers reach is
    /// known if calls are followed there.
    pub fn new(program: &Program, targets: Option<&PointsTo>) -> Flags {
        let has_arrays = elements::has_arrays(program);
        let mut flags = Flags {
            registers: SecondaryMap::new(),
            globals: SecondaryMap::new(),
            copied_to: SecondaryMap::new(),
            counts: SecondaryMap::new(),
        };
        for (id, global) in &program.globals {
            let is_plain =
                matches!(global.initializer, Initializer::Items(_)) && global.mutability == Mutability::Mutable;
            flags.globals[id] = is_plain && matches!(program.ty(global.ty), Type::Int(_));
            if let Initializer::Items(items) = &global.initializer {
                items.iter().for_each(|item| flags.drop_global(item.value));
            }
        }
        for (id, function) in &program.functions {
            flags.registers[id] =
                function.registers.values().map(|r| matches!(program.ty(r.ty), Type::Int(_))).collect();
            if let Body::Defined(automaton) = &function.body {
                let mut instructions = automaton.edges.values().map(|edge| &edge.instruction);
                for edge in automaton.edges.values() {
                    if let Instruction::Copy { place, source: CopySource::Place(_), .. } = &edge.instruction
                        && let Operand::Global(global) = place.base
                    {
                        flags.copied_to[global] = true;
                    }
                }
                flags.counts[id] = has_arrays && instructions.any(|it| elements::is_indexed(program, it));
            }
            // What callers pass is any integer, or the side of a tree that is meant.
            if !has_arrays {
                for parameter in &function.parameters {
                    flags.registers[id][parameter.as_u32() as usize] = false;
                }
            }
        }
        flags.drop_taken(program);
        while flags.drop_spoiled(program, targets) {}
        flags
    }

    fn drop_global(&mut self, operand: Operand) {
        if let Operand::Global(global) = operand {
            self.globals[global] = false;
        }
    }

    /// A global whose address is used for more than loads and stores of the whole integer is no flag.
    fn drop_taken(&mut self, program: &Program) {
        for function in program.functions.values() {
            let Body::Defined(automaton) = &function.body else { continue };
            for edge in automaton.edges.values() {
                let direct = match &edge.instruction {
                    Instruction::Load { place, .. } | Instruction::Store { place, .. } => {
                        self.whole_global(program, place)
                    }
                    _ => None,
                };
                edge.instruction.for_each_operand(|operand| {
                    if direct.is_none_or(|global| operand != Operand::Global(global)) {
                        self.drop_global(operand);
                    }
                });
                // The address itself may be what is stored.
                if let Instruction::Store { value, .. } = &edge.instruction {
                    self.drop_global(*value);
                }
            }
        }
    }

    /// The flag that a place is all of.
    fn whole_global(&self, program: &Program, place: &Place) -> Option<GlobalId> {
        let Operand::Global(global) = place.base else { return None };
        let whole = place.path.steps.is_empty() && place.ty == program.globals[global].ty;
        (whole && self.globals[global]).then_some(global)
    }

    fn drop_spoiled(&mut self, program: &Program, targets: Option<&PointsTo>) -> bool {
        let mut changed = false;
        for (id, function) in &program.functions {
            let Body::Defined(automaton) = &function.body else { continue };
            for (at, edge) in &automaton.edges {
                if let Instruction::Store { place, value } = &edge.instruction
                    && let Some(global) = self.whole_global(program, place)
                    && !self.is_flag_operand(id, *value)
                {
                    self.globals[global] = false;
                    changed = true;
                }
                if let Instruction::Call { callee, arguments, .. } = &edge.instruction {
                    for callee in callees(targets, Site { function: id, edge: at }, *callee).iter() {
                        for (parameter, argument) in program.functions[*callee].parameters.iter().zip(arguments) {
                            if !self.is_flag_operand(id, *argument) && self.contains(*callee, *parameter) {
                                self.registers[*callee][parameter.as_u32() as usize] = false;
                                changed = true;
                            }
                        }
                    }
                }
                let (target, keeps) = match &edge.instruction {
                    Instruction::Load { target, place } => (*target, self.whole_global(program, place).is_some()),
                    Instruction::Assign { target, value } => (*target, self.is_flag_value(program, id, value)),
                    Instruction::Call { target: Some(target), callee, .. } => {
                        let gives_one = |callee: &FunctionId| {
                            program.functions[*callee].result.is_some_and(|result| self.contains(*callee, result))
                        };
                        let callees = callees(targets, Site { function: id, edge: at }, *callee);
                        (*target, !callees.is_empty() && callees.iter().all(gives_one))
                    }
                    Instruction::Alloc { target, .. } => (*target, false),
                    _ => continue,
                };
                if !keeps && self.contains(id, target) {
                    self.registers[id][target.as_u32() as usize] = false;
                    changed = true;
                }
            }
        }
        changed
    }

    fn is_flag_value(&self, program: &Program, function: FunctionId, value: &Expression) -> bool {
        match value {
            Expression::Operand(operand) => self.is_flag_operand(function, *operand),
            Expression::Convert { from, to, value } => match value {
                Operand::Int(constant) => matches!(program.ty(*to), Type::Int(int) if fits(*int, *constant)),
                _ => {
                    let is_kept = widens(program, *from, *to) || is_other_sign(program, *from, *to);
                    is_kept && self.is_flag_operand(function, *value)
                }
            },
            Expression::AddPath { .. }
            | Expression::SubtractPath { .. }
            | Expression::AddBytes { .. }
            | Expression::AddIndex { .. }
            | Expression::PointerDifference { .. }
            | Expression::Unary { .. }
            | Expression::Nondet { .. } => false,
            Expression::Binary { .. } => step(program, value).is_some_and(|step| {
                let is_taken = match step.kind {
                    StepKind::OtherSide | StepKind::OtherSign => true,
                    StepKind::Count => self.counts[function],
                };
                is_taken && self.contains(function, step.from)
            }),
            // A flag has no value before its first assignment either.
            Expression::Uninitialised => true,
        }
    }

    fn is_flag_operand(&self, function: FunctionId, operand: Operand) -> bool {
        match operand {
            Operand::Int(_) => true,
            Operand::Register(register) => self.contains(function, register),
            Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => false,
        }
    }
}

/// The functions that a call is known to reach: what it reaches beside them is a gap.
fn callees(targets: Option<&PointsTo>, site: Site, callee: Callee) -> Arc<[FunctionId]> {
    match callee {
        Callee::Direct(callee) => Arc::new([callee]),
        Callee::Indirect(_) => targets.map_or_else(Arc::default, |known| known.targets(site).functions),
    }
}

/// A small step from the value of a flag to that of another.
pub struct FlagStep {
    /// The flag.
    pub from: RegisterId,
    /// What becomes of its values; any other one is lost from sight.
    pub values: Vec<(i128, i128)>,
    kind: StepKind,
}

enum StepKind {
    /// `1 - side`, `side ^ 1`.
    OtherSide,
    /// `index + 1`, `index - 1`: of interest where a short array is indexed.
    Count,
    /// A number that becomes one of an enumeration, or the other direction round: unsigned types have the same small numbers.
    OtherSign,
}

/// The step that an expression is.
pub fn step(program: &Program, value: &Expression) -> Option<FlagStep> {
    use BinaryOperator::{Add, Subtract, Xor};
    if let Expression::Convert { from, to, value: Operand::Register(register) } = value {
        let values = (0..=i128::from(elements::MAX_ELEMENTS)).map(|value| (value, value)).collect();
        let kind = StepKind::OtherSign;
        return is_other_sign(program, *from, *to).then_some(FlagStep { from: *register, values, kind });
    }
    let Expression::Binary { operator, ty, left, right } = value else { return None };
    let (from, by, kind) = match (operator, *left, *right) {
        (Subtract, Operand::Int(1), from) | (Xor, Operand::Int(1), from) | (Xor, from, Operand::Int(1)) => {
            (from, 0, StepKind::OtherSide)
        }
        (Add, from, Operand::Int(1)) | (Add, Operand::Int(1), from) => (from, 1, StepKind::Count),
        (Subtract, from, Operand::Int(1)) | (Add, from, Operand::Int(-1)) => (from, -1, StepKind::Count),
        _ => return None,
    };
    let values = match kind {
        StepKind::OtherSide => vec![(0, 1), (1, 0)],
        StepKind::OtherSign => return None,
        StepKind::Count => {
            let Type::Int(int) = program.ty(*ty) else { return None };
            let step = (0..=i128::from(elements::MAX_ELEMENTS)).map(|value| (value, value + by));
            // An unsigned index below 0 is a large number.
            step.filter(|(_, next)| fits(*int, *next)).collect()
        }
    };
    Some(FlagStep { from: from.register()?, values, kind })
}

/// Whether a conversion is between a signed type and the unsigned one of its size.
fn is_other_sign(program: &Program, from: TypeId, to: TypeId) -> bool {
    match (program.ty(from), program.ty(to)) {
        (Type::Int(IntType::Signed(from)), Type::Int(IntType::Unsigned(to)))
        | (Type::Int(IntType::Unsigned(from)), Type::Int(IntType::Signed(to))) => from == to,
        _ => false,
    }
}

/// Whether a conversion keeps every value.
pub fn widens(program: &Program, from: TypeId, to: TypeId) -> bool {
    match (program.ty(from), program.ty(to)) {
        (Type::Int(IntType::Bool), Type::Int(_)) => true,
        (Type::Int(IntType::Signed(from)), Type::Int(IntType::Signed(to)))
        | (Type::Int(IntType::Unsigned(from)), Type::Int(IntType::Unsigned(to))) => from <= to,
        (Type::Int(IntType::Unsigned(from)), Type::Int(IntType::Signed(to))) => from < to,
        _ => false,
    }
}
