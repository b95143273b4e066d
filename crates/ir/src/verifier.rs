//! What makes a program well-formed.
//!
//! [`verify`] returns every problem, none if the program keeps the rules that engines and `interp` rely on: ids point
//! somewhere, names are unique, paths fit their views, the types of operands fit, calls have the right number of
//! arguments, and only a call that does not come back (or what stops a run) leads to a dead end.
//!
//! Types fit if they are equal, or both are pointers (a pointer cast is no conversion). A constant fits where it can be
//! a value: an integer at integer and pointer types, 0 at every scalar type, a float at float types, the address of
//! a global or function at pointer types.

mod automaton;
mod instruction;
mod tables;

use crate::function::Function;
use crate::ids::{EdgeId, FunctionId, TypeId};
use crate::program::Program;
use crate::text;
use crate::types::Type;
use crate::value::Operand;

/// Something that is wrong with a program. A front end that produces one has a bug.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The function it is in.
    pub function: Option<FunctionId>,
    /// The edge it is on.
    pub edge: Option<EdgeId>,
    /// What is wrong.
    pub message: String,
}

impl Problem {
    /// One line that names function, edge and instruction.
    pub fn describe(&self, program: &Program) -> String {
        let Some(function) = self.function.and_then(|function| program.functions.get(function)) else {
            return self.message.clone();
        };
        let edge = self.edge.and_then(|edge| function.automaton()?.edges.get(edge));
        match edge {
            Some(edge) => {
                let instruction = text::instruction(program, function, &edge.instruction);
                format!("{}: {} -> {}: {instruction}: {}", function.name, edge.from, edge.to, self.message)
            }
            None => format!("{}: {}", function.name, self.message),
        }
    }
}

/// Everything that is wrong with `program`, in the order of its tables.
pub fn verify(program: &Program) -> Vec<Problem> {
    let mut verifier = Verifier { program, function: None, edge: None, problems: Vec::new() };
    if verifier.types() {
        verifier.tables();
        for (id, function) in &program.functions {
            verifier.function(id, function);
        }
    }
    verifier.problems
}

struct Verifier<'p> {
    program: &'p Program,
    function: Option<(FunctionId, &'p Function)>,
    edge: Option<EdgeId>,
    problems: Vec<Problem>,
}

impl<'p> Verifier<'p> {
    fn problem(&mut self, message: impl Into<String>) {
        let function = self.function.map(|(id, _)| id);
        self.problems.push(Problem { function, edge: self.edge, message: message.into() });
    }

    /// Whether the types table is closed: every id in it points into it. Nothing else can be looked at if not.
    fn types(&mut self) -> bool {
        let before = self.problems.len();
        for (id, ty) in self.program.types.iter() {
            let inner: Vec<TypeId> = match ty {
                Type::Void | Type::Int(_) | Type::Float(_) => Vec::new(),
                Type::Pointer(inner) | Type::Array(inner, _) => vec![*inner],
                Type::Function(signature) => signature.parameters.iter().copied().chain(signature.result).collect(),
                Type::Record(record) => {
                    if !self.program.records.is_valid(*record) {
                        self.problem(format!("{id} names {record}, which does not exist"));
                    }
                    Vec::new()
                }
            };
            for inner in inner {
                // Interning goes bottom up, so an id never points at itself or further on: no type is infinite.
                if inner >= id {
                    self.problem(format!("{id} is made of {inner}, which is not older"));
                }
            }
        }
        self.problems.len() == before
    }

    /// Whether the type exists; a problem if not.
    fn type_exists(&mut self, ty: TypeId, what: &str) -> bool {
        let exists = self.program.types.contains(ty);
        if !exists {
            self.problem(format!("{what} has {ty}, which does not exist"));
        }
        exists
    }

    fn name(&self, ty: TypeId) -> String {
        text::type_name(self.program, ty)
    }

    fn ty(&self, ty: TypeId) -> Option<&'p Type> {
        self.program.types.try_get(ty)
    }

    fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.ty(ty), Some(Type::Pointer(_)))
    }

    fn is_scalar(&self, ty: TypeId) -> bool {
        matches!(self.ty(ty), Some(Type::Int(_) | Type::Float(_) | Type::Pointer(_)))
    }

    fn fits(&self, from: TypeId, to: TypeId) -> bool {
        from == to || (self.is_pointer(from) && self.is_pointer(to))
    }

    /// The type of an operand that has one of its own.
    fn register_type(&self, operand: Operand) -> Option<TypeId> {
        let (_, function) = self.function?;
        Some(function.registers.get(operand.register()?)?.ty)
    }

    /// Whether the operand exists; a problem if not.
    fn operand_exists(&mut self, operand: Operand) -> bool {
        let missing = match operand {
            Operand::Register(register) => {
                let known = self.function.is_some_and(|(_, function)| function.registers.is_valid(register));
                (!known).then(|| register.to_string())
            }
            Operand::Global(global) => (!self.program.globals.is_valid(global)).then(|| global.to_string()),
            Operand::Function(function) => (!self.program.functions.is_valid(function)).then(|| function.to_string()),
            Operand::Int(_) | Operand::Float(_) => None,
        };
        if let Some(missing) = &missing {
            self.problem(format!("{missing} does not exist"));
        }
        missing.is_none()
    }

    /// The operand is a value of type `ty`.
    fn operand(&mut self, operand: Operand, ty: TypeId, what: &str) {
        if !self.operand_exists(operand) {
            return;
        }
        if !self.is_scalar(ty) {
            return self.problem(format!("{what} is a scalar, but its type is {}", self.name(ty)));
        }
        let fits = match (operand, self.ty(ty)) {
            (Operand::Register(_), _) => self.register_type(operand).is_some_and(|from| self.fits(from, ty)),
            (Operand::Int(0), _) => true,
            (Operand::Int(_), expected) => matches!(expected, Some(Type::Int(_) | Type::Pointer(_))),
            (Operand::Float(_), expected) => matches!(expected, Some(Type::Float(_))),
            (Operand::Global(_) | Operand::Function(_), expected) => matches!(expected, Some(Type::Pointer(_))),
        };
        if !fits {
            let found = match self.register_type(operand) {
                Some(from) => self.name(from),
                None => "a constant that is no value of it".to_owned(),
            };
            self.problem(format!("{what} has type {}, but is given {found}", self.name(ty)));
        }
    }

    /// The operand is a pointer.
    fn pointer(&mut self, operand: Operand, what: &str) {
        if !self.operand_exists(operand) {
            return;
        }
        match operand {
            Operand::Register(_) => {
                if let Some(ty) = self.register_type(operand)
                    && !self.is_pointer(ty)
                {
                    self.problem(format!("{what} is a pointer, but is given {}", self.name(ty)));
                }
            }
            Operand::Float(_) => self.problem(format!("{what} is a pointer, but is given a float")),
            Operand::Int(_) | Operand::Global(_) | Operand::Function(_) => {}
        }
    }

    /// The operand is an integer.
    fn integer(&mut self, operand: Operand, what: &str) {
        if !self.operand_exists(operand) {
            return;
        }
        match operand {
            Operand::Register(_) => {
                if let Some(ty) = self.register_type(operand)
                    && !matches!(self.ty(ty), Some(Type::Int(_)))
                {
                    self.problem(format!("{what} is an integer, but is given {}", self.name(ty)));
                }
            }
            Operand::Int(_) => {}
            Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => {
                self.problem(format!("{what} is an integer, but is given another constant"));
            }
        }
    }
}
