//! Conditions that are assumed or asserted.

use super::constants::{self, Environment};
use super::{Cursor, Instance, Translator};
use crate::atom::Atom;
use crate::program::{Command, ShapeMode, Source};
use heapwise_engine::Kind;
use heapwise_ir::Condition;

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
