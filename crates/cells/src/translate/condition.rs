//! Conditions that are assumed or asserted.

use super::constants::{self, Environment};
use super::{Cursor, Instance, Translator};
use crate::atom::Atom;
use crate::program::{Command, ShapeMode, Source};
use heapwise_engine::Kind;
use heapwise_ir::{BinaryOperator, CompareOperator, Condition, Expression, Operand, Program, Type};

impl<'p> Translator<'p> {
    pub(super) fn assume(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        condition: &Condition,
    ) {
        if constants::decide(self.program, environment, condition, &|object, offset| self.address_of(object, offset))
            == Some(false)
        {
            return;
        }
        match condition {
            Condition::True => self.close(cursor, Command::Skip),
            Condition::False => {}
            Condition::Compare { operator, ty, left, right } => {
                let operands = [*left, *right];
                let is_open = !self.program.compares_as_kept(*operator, *ty);
                let (left, right) =
                    (self.source(instance, environment, *left), self.source(instance, environment, *right));
                let command = match (left, right) {
                    // Integers that are not tracked: both ways are open.
                    (Source::Atom(Atom::Opaque), Source::Atom(_)) | (Source::Atom(_), Source::Atom(Atom::Opaque)) => {
                        Command::Skip
                    }
                    _ if is_open => {
                        self.use_operands(instance, environment, cursor, &operands);
                        Command::Skip
                    }
                    // Different bytes of perhaps the same cell: both ways are open.
                    (Source::Var(left), Source::Var(right)) if !self.is_comparable(left, right) => {
                        self.use_operands(instance, environment, cursor, &operands);
                        Command::Skip
                    }
                    _ => Command::Assume { operator: *operator, left, right },
                };
                self.close(cursor, command);
            }
            Condition::NotCompare { left, right, .. } => {
                self.use_operands(instance, environment, cursor, &[*left, *right]);
                self.close(cursor, Command::Skip);
            }
            Condition::Shape(predicate) => {
                self.shape(instance, environment, cursor, predicate, ShapeMode::Assume);
            }
        }
    }

    /// A division fails where its divisor is zero, and goes on where it is not.
    pub(super) fn divide(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        value: &Expression,
    ) -> Divisor {
        let Some(divisor) = divisor(self.program, value) else { return Divisor::NotZero };
        let fails = Command::Fail { kind: Kind::DivisionByZero };
        let left = self.source(instance, environment, divisor);
        match left {
            Source::Atom(Atom::Int(0)) => {
                self.close(cursor, fails);
                return Divisor::Zero;
            }
            Source::Atom(Atom::Int(_)) => return Divisor::NotZero,
            Source::Atom(_) | Source::Var(_) => {}
        }
        self.use_operands(instance, environment, cursor, &[divisor]);
        let is_zero = |operator| match left {
            Source::Atom(Atom::Opaque) => Command::Skip,
            left => Command::Assume { operator, left, right: Source::Atom(Atom::int(0)) },
        };
        let mut failing = Cursor { ..*cursor };
        self.then(&mut failing, is_zero(CompareOperator::Equal));
        self.close(&mut failing, fails);
        self.then(cursor, is_zero(CompareOperator::NotEqual));
        Divisor::NotZero
    }

    pub(super) fn assert(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        condition: &Condition,
    ) {
        let fails = Command::Fail { kind: Kind::Assertion };
        match condition {
            Condition::True => self.close(cursor, Command::Skip),
            Condition::False => self.close(cursor, fails),
            Condition::Compare { operator, ty, left, right } => {
                let keeps_order = self.program.compares_as_kept(*operator, *ty);
                let (left, right) =
                    (self.source(instance, environment, *left), self.source(instance, environment, *right));
                let mut failing = Cursor { at: cursor.at, ..*cursor };
                let comparable = match (left, right) {
                    (Source::Var(left), Source::Var(right)) => self.is_comparable(left, right),
                    _ => true,
                };
                let comparable = comparable && keeps_order;
                let assume = |operator| {
                    if comparable { Command::Assume { operator, left, right } } else { Command::Skip }
                };
                self.then(&mut failing, assume(operator.negated()));
                self.close(&mut failing, fails);
                self.close(cursor, assume(*operator));
            }
            Condition::NotCompare { left, right, .. } => {
                self.use_operands(instance, environment, cursor, &[*left, *right]);
                let mut failing = Cursor { at: cursor.at, ..*cursor };
                self.close(&mut failing, fails);
                self.close(cursor, Command::Skip);
            }
            Condition::Shape(predicate) => {
                self.shape(instance, environment, cursor, predicate, ShapeMode::Assert);
            }
        }
    }
}

/// Whether an edge goes on behind a division.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Divisor {
    /// It may.
    NotZero,
    /// It never does.
    Zero,
}

/// What an integer is divided by, where that may be zero.
fn divisor(program: &Program, value: &Expression) -> Option<Operand> {
    match value {
        Expression::Binary { operator: BinaryOperator::Divide | BinaryOperator::Remainder, ty, right, .. }
            if matches!(program.ty(*ty), Type::Int(_)) && !matches!(right, Operand::Int(number) if *number != 0) =>
        {
            Some(*right)
        }
        Expression::Binary { .. }
        | Expression::Operand(_)
        | Expression::AddPath { .. }
        | Expression::SubtractPath { .. }
        | Expression::AddBytes { .. }
        | Expression::AddIndex { .. }
        | Expression::PointerDifference { .. }
        | Expression::Unary { .. }
        | Expression::Convert { .. }
        | Expression::Nondet { .. }
        | Expression::Uninitialised => None,
    }
}
