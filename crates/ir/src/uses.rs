//! Which operands and registers an instruction reads and writes.

use crate::ids::RegisterId;
use crate::instruction::{Callee, Condition, CopySource, Extent, Instruction, Place};
use crate::path::{Index, Path, Step};
use crate::value::{Expression, Operand};

impl Instruction {
    /// The register that the instruction writes.
    pub fn target(&self) -> Option<RegisterId> {
        match self {
            Instruction::Assign { target, .. }
            | Instruction::Load { target, .. }
            | Instruction::Alloc { target, .. } => Some(*target),
            Instruction::Call { target, .. } => *target,
            Instruction::Store { .. }
            | Instruction::Copy { .. }
            | Instruction::Free { .. }
            | Instruction::End { .. }
            | Instruction::Assume(_)
            | Instruction::Assert(_)
            | Instruction::Unsupported(_) => None,
        }
    }

    /// Calls `visit` with every operand that the instruction reads, a function pointer called included.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        let visit = &mut visit;
        match self {
            Instruction::Assign { value, .. } => expression(value, visit),
            Instruction::Load { place, .. } => self::place(place, visit),
            Instruction::Store { place, value } => {
                self::place(place, visit);
                visit(*value);
            }
            Instruction::Copy { place, source, extent } => {
                self::place(place, visit);
                match source {
                    CopySource::Place(source) => self::place(source, visit),
                    CopySource::Fill(value) => visit(*value),
                    CopySource::Members | CopySource::Nondet => {}
                }
                match extent {
                    Extent::Bytes(bytes) => visit(*bytes),
                    Extent::Type(_) | Extent::Common => {}
                }
            }
            Instruction::Alloc { bytes, align, view, .. } => {
                visit(*bytes);
                align.iter().copied().for_each(&mut *visit);
                if let Some(view) = view {
                    visit(view.count);
                }
            }
            Instruction::Free { pointer } | Instruction::End { pointer } => visit(*pointer),
            Instruction::Assume(condition) | Instruction::Assert(condition) => self::condition(condition, visit),
            Instruction::Call { callee, arguments, .. } => {
                match callee {
                    Callee::Indirect(pointer) => visit(*pointer),
                    Callee::Direct(_) => {}
                }
                arguments.iter().copied().for_each(visit);
            }
            Instruction::Unsupported(_) => {}
        }
    }

    /// Calls `visit` with every register that the instruction reads; one that occurs twice is visited twice.
    pub fn for_each_register_read(&self, mut visit: impl FnMut(RegisterId)) {
        self.for_each_operand(|operand| {
            if let Some(register) = operand.register() {
                visit(register);
            }
        });
    }
}

impl Place {
    /// Calls `visit` with every operand that says where the place is: its base and its indices.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        place(self, &mut visit);
    }
}

fn place(place: &Place, visit: &mut impl FnMut(Operand)) {
    visit(place.base);
    path(&place.path, visit);
}

fn path(path: &Path, visit: &mut impl FnMut(Operand)) {
    for step in &path.steps {
        match step {
            Step::Index(Index::Operand(operand)) => visit(*operand),
            Step::Index(Index::Constant(_)) | Step::Field(..) => {}
        }
    }
}

fn expression(value: &Expression, visit: &mut impl FnMut(Operand)) {
    match value {
        Expression::Operand(operand) => visit(*operand),
        Expression::AddPath { base, path } | Expression::SubtractPath { base, path } => {
            visit(*base);
            self::path(path, visit);
        }
        Expression::AddBytes { base, bytes } => {
            visit(*base);
            visit(*bytes);
        }
        Expression::AddIndex { base, index, .. } => {
            visit(*base);
            visit(*index);
        }
        Expression::PointerDifference { left, right, .. } | Expression::Binary { left, right, .. } => {
            visit(*left);
            visit(*right);
        }
        Expression::Unary { value, .. } | Expression::Convert { value, .. } => visit(*value),
        Expression::Nondet { .. } | Expression::Uninitialised => {}
    }
}

fn condition(condition: &Condition, visit: &mut impl FnMut(Operand)) {
    match condition {
        Condition::True | Condition::False => {}
        Condition::Compare { left, right, .. } | Condition::NotCompare { left, right, .. } => {
            visit(*left);
            visit(*right);
        }
        Condition::Shape(shape) => {
            shape.arguments.iter().copied().for_each(&mut *visit);
            for link in &shape.links {
                path(link, visit);
            }
        }
    }
}
