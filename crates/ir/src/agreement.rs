//! Whether two types hand values over in the same way: what a call does, its target must expect (C11 6.2.7, 6.3.2.3p8).

use crate::function::{Body, Function};
use crate::ids::{FunctionId, RecordId, RegisterId, TypeId};
use crate::program::Program;
use crate::types::{Signature, Type};
use crate::value::Operand;

impl Program {
    /// Whether a value of one type can be taken for one of the other: the same class, size and layout. The targets of pointers and
    /// what is not known of an incomplete type make no difference, nor do signs but of what is narrower than `int`: who hands
    /// it over makes an `int` of it, as its own type says.
    pub fn is_passed_as(&self, one: TypeId, other: TypeId) -> bool {
        if one == other {
            return true;
        }
        match (self.ty(one), self.ty(other)) {
            (Type::Void, Type::Void)
            | (Type::Pointer(_), Type::Pointer(_))
            | (Type::Function(_), Type::Function(_)) => true,
            (Type::Int(one), Type::Int(other)) => one == other || one.bytes() == other.bytes() && one.bytes() >= 4,
            (Type::Float(one), Type::Float(other)) => one == other,
            (Type::Array(one, count), Type::Array(other, other_count)) => {
                let is_count = count == other_count || count.is_none() || other_count.is_none();
                is_count && self.is_passed_as(*one, *other)
            }
            (Type::Record(one), Type::Record(other)) => self.is_laid_out_as(*one, *other),
            (
                Type::Void
                | Type::Pointer(_)
                | Type::Function(_)
                | Type::Int(_)
                | Type::Float(_)
                | Type::Array(..)
                | Type::Record(_),
                _,
            ) => false,
        }
    }

    fn is_laid_out_as(&self, one: RecordId, other: RecordId) -> bool {
        let (one, other) = (&self.records[one], &self.records[other]);
        let (Some(fields), Some(others)) = (&one.fields, &other.fields) else { return true };
        one.kind == other.kind
            && one.size == other.size
            && fields.len() == others.len()
            && fields.iter().zip(others).all(|(field, other)| {
                field.offset == other.offset && field.bits == other.bits && self.is_passed_as(field.ty, other.ty)
            })
    }

    /// Whether a function takes its parameters as a call of this type hands them over. How many there are is another question.
    pub fn takes_arguments_of(&self, callee: FunctionId, call: &Signature) -> bool {
        let callee = &self.functions[callee];
        let is_variadic = match &callee.body {
            Body::Defined(_) => callee.variadic == call.variadic,
            Body::Extern(_) => true,
        };
        let parameters = callee.parameters.iter().map(|parameter| callee.registers[*parameter].ty);
        is_variadic && parameters.zip(&call.parameters).all(|(parameter, given)| self.is_passed_as(*given, parameter))
    }

    /// Whether a function gives back what a call of this type takes. Nobody minds a result that is not taken, and a function
    /// without a result gives none: whoever uses it uses a value that was never written.
    pub fn gives_result_of(&self, callee: FunctionId, call: &Signature) -> bool {
        let callee = &self.functions[callee];
        let given = callee.result.map(|result| callee.registers[result].ty);
        match (call.result, given) {
            (None, _) | (Some(_), None) => true,
            (Some(taken), Some(given)) => self.is_passed_as(taken, given),
        }
    }

    /// Whether a function can be called through a pointer of the caller: the type of the pointer hands over what the function
    /// takes, and takes what it gives if the call has a target. A pointer without a type of a function says nothing.
    pub fn is_callable_through(
        &self,
        caller: &Function,
        pointer: Operand,
        target: Option<RegisterId>,
        callee: FunctionId,
    ) -> bool {
        let Some(register) = pointer.register() else { return true };
        let Type::Pointer(pointee) = self.ty(caller.registers[register].ty) else { return true };
        let Type::Function(call) = self.ty(*pointee) else { return true };
        self.takes_arguments_of(callee, call) && (target.is_none() || self.gives_result_of(callee, call))
    }
}
