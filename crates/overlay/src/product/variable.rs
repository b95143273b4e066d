//! Variables as the pre-analyses see them: registers, and places in memory whose address is a constant of the context.

use heapwise_fixpoint::{ContextId, ProgramFlow};
use heapwise_ir::{
    EdgeId, Expression, Function, GlobalId, Instruction, Operand, Path, Place, Program, RegisterId, Storage,
};

/// An object that has one address while its context runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    /// A global.
    Global(GlobalId),
    /// The local whose address is in that register.
    Local(ContextId, RegisterId),
}

/// What can be known in one component and unknown in another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variable {
    /// A register of the context at hand.
    Register(RegisterId),
    /// Bytes of a global or local.
    Memory(Base, i64),
}

/// What an operand is for the pre-analyses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Every component knows it.
    Constant,
    /// As known as that variable.
    Variable(Variable),
}

/// Where a load or store goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A variable in memory.
    Variable(Variable),
    /// Behind a pointer.
    Behind(Source),
}

/// Looks at the instructions of contexts.
#[derive(Clone, Copy)]
pub struct Scope<'f> {
    /// The program.
    pub program: &'f Program,
    /// The program with calls inlined.
    pub flow: &'f ProgramFlow,
}

impl<'f> Scope<'f> {
    /// The function of a context.
    pub fn function(&self, context: ContextId) -> &'f Function {
        &self.program.functions[self.flow.contexts[context].function]
    }

    /// The instruction of an edge.
    pub fn instruction(&self, context: ContextId, edge: EdgeId) -> Option<&'f Instruction> {
        Some(&self.function(context).automaton()?.edges[edge].instruction)
    }

    /// The only instruction that writes a register; `Err` if there are several.
    fn definition(&self, context: ContextId, register: RegisterId) -> Result<Option<&'f Instruction>, ()> {
        let Some(automaton) = self.function(context).automaton() else { return Ok(None) };
        let mut found = None;
        for edge in automaton.edges.values() {
            if edge.instruction.target() == Some(register) && found.replace(&edge.instruction).is_some() {
                return Err(());
            }
        }
        Ok(found)
    }

    /// Whether no instruction of the context writes the register.
    pub fn is_never_assigned(&self, context: ContextId, register: RegisterId) -> bool {
        self.definition(context, register) == Ok(None)
    }

    /// The constant address that an operand is.
    pub fn address(&self, context: ContextId, operand: Operand) -> Option<(Base, i64)> {
        let register = match operand {
            Operand::Global(global) => return Some((Base::Global(global), 0)),
            Operand::Register(register) => register,
            Operand::Int(_) | Operand::Float(_) | Operand::Function(_) => return None,
        };
        match self.definition(context, register).ok()? {
            Some(Instruction::Alloc { storage: Storage::Auto, .. }) => Some((Base::Local(context, register), 0)),
            Some(Instruction::Assign { value: Expression::Operand(source), .. }) => self.address(context, *source),
            Some(Instruction::Assign { value: Expression::Convert { value, .. }, .. }) => self.address(context, *value),
            Some(Instruction::Assign { value: Expression::AddPath { base, path }, .. }) => {
                let (base, offset) = self.address(context, *base)?;
                Some((base, offset + self.constant_offset(path)?))
            }
            Some(_) => None,
            None => {
                let index = self.function(context).parameters.iter().position(|known| *known == register)?;
                let (caller, edge) = self.flow.contexts[context].caller?;
                let Instruction::Call { arguments, .. } = self.instruction(caller, edge)? else { return None };
                self.address(caller, *arguments.get(index)?)
            }
        }
    }

    fn constant_offset(&self, path: &Path) -> Option<i64> {
        let resolved = self.program.resolve(path)?;
        resolved.indices.is_empty().then_some(resolved.offset)
    }

    /// Where a place is.
    pub fn target(&self, context: ContextId, place: &Place) -> Target {
        match (self.address(context, place.base), self.constant_offset(&place.path)) {
            (Some((base, start)), Some(offset)) => Target::Variable(Variable::Memory(base, start + offset)),
            _ => Target::Behind(self.source(place.base)),
        }
    }

    /// What an operand is.
    pub fn source(&self, operand: Operand) -> Source {
        match operand {
            Operand::Register(register) => Source::Variable(Variable::Register(register)),
            Operand::Int(_) | Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => Source::Constant,
        }
    }

    /// The pointer that an expression is made of.
    pub fn copied(&self, expression: &Expression) -> Option<Source> {
        match expression {
            Expression::Operand(operand)
            | Expression::AddPath { base: operand, .. }
            | Expression::SubtractPath { base: operand, .. }
            | Expression::AddBytes { base: operand, .. }
            | Expression::AddIndex { base: operand, .. }
            | Expression::Convert { value: operand, .. } => Some(self.source(*operand)),
            Expression::PointerDifference { .. }
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Nondet { .. }
            | Expression::Uninitialised => None,
        }
    }
}
