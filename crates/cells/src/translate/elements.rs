//! Short arrays of pointers: `node->child[side]`. Their elements are scalars like any others, and an instruction with an
//! index that is not known becomes one per element: where the index is tracked, on the way where it is that one. A load of a
//! function goes on with any element in the range of its index, tracked or not: two loads need not agree there. What is left
//! then is an index outside of the array, unless its range excludes that.

use super::constants::{self, Environment, Known};
use super::ranges::Ranges;
use super::{Cursor, Instance, Translator};
use crate::atom::Atom;
use crate::program::{Command, Source};
use heapwise_ir::{
    CompareOperator, EdgeId, Expression, Index, Instruction, Operand, Path, Place, Program, Step, Type, TypeId,
};
use heapwise_numbers::Range;

/// Arrays with more elements than this stay whole.
pub const MAX_ELEMENTS: u64 = 4;

/// The elements of an array of pointers that is taken apart: their type and their number.
pub fn pointers_in_array(program: &Program, ty: TypeId) -> Option<(TypeId, u64)> {
    match program.ty(ty) {
        Type::Array(element, Some(count)) if (1..=MAX_ELEMENTS).contains(count) => {
            matches!(program.ty(*element), Type::Pointer(_)).then_some((*element, *count))
        }
        _ => None,
    }
}

/// Whether the program has arrays that are taken apart.
pub fn has_arrays(program: &Program) -> bool {
    program.types.iter().any(|(ty, _)| pointers_in_array(program, ty).is_some())
}

/// Whether an instruction goes to an element of such an array, by an index that is no constant.
pub fn is_indexed(program: &Program, instruction: &Instruction) -> bool {
    let elements = path_of(instruction).and_then(|path| elements_above(program, path));
    elements.is_some_and(|(index, ..)| index.register().is_some())
}

/// The path that an instruction takes to a scalar, or to the address of one.
fn path_of(instruction: &Instruction) -> Option<&Path> {
    match instruction {
        Instruction::Load { place, .. } | Instruction::Store { place, .. } => Some(&place.path),
        Instruction::Assign { value: Expression::AddPath { path, .. }, .. } => Some(path),
        _ => None,
    }
}

/// The index that a path ends with, the path to the array and the number of its elements.
fn elements_above(program: &Program, path: &Path) -> Option<(Operand, Path, u64)> {
    let (Step::Index(Index::Operand(index)), above) = path.steps.split_last()? else { return None };
    let above = Path { view: path.view, steps: above.into() };
    let (_, count) = pointers_in_array(program, program.resolve(&above)?.ty)?;
    Some((*index, above, count))
}

/// A path to the elements of an array of pointers: the index, which is not known, and the paths to each.
struct Elements {
    index: Operand,
    paths: Vec<Path>,
}

impl Elements {
    fn of(program: &Program, environment: &Environment, path: &Path) -> Option<Elements> {
        let (index, above, count) = elements_above(program, path)?;
        if matches!(environment.operand(index), Known::Int(_)) {
            return None;
        }
        let element = |number: u64| {
            let mut path = above.clone();
            path.steps.push(Step::Index(Index::Constant(number as i64)));
            path
        };
        Some(Elements { index, paths: (0..count).map(element).collect() })
    }
}

/// The bytes that an expression may add to its base, if it is the address of an element.
pub fn bytes_added(program: &Program, environment: &Environment, value: &Expression) -> Option<(Operand, Vec<i64>)> {
    let Expression::AddPath { base, path } = value else { return None };
    let Elements { paths, .. } = Elements::of(program, environment, path)?;
    let bytes = paths.iter().map(|path| constants::known_offset(program, environment, path));
    Some((*base, bytes.collect::<Option<Vec<i64>>>()?))
}

impl<'p> Translator<'p> {
    /// The commands of an instruction, one way per element of the array that it goes to.
    pub(super) fn by_elements(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        edge: EdgeId,
        instruction: &Instruction,
    ) {
        if let Some(row) = self.row_of(environment, instruction)
            && self.by_rows(instance, environment, cursor, (edge, instruction), &row)
        {
            return;
        }
        let elements = path_of(instruction).and_then(|path| Elements::of(self.program, environment, path));
        if let Some(Elements { index, paths }) = elements {
            let tracked = self.source(instance, environment, index);
            let count = paths.len() as i128;
            let range = match tracked {
                Source::Atom(_) if loads_a_function(self.program, instruction) => {
                    self.range_of(instance, environment, edge, index)
                }
                Source::Var(_) | Source::Atom(_) => None,
            };
            for (number, path) in paths.into_iter().enumerate() {
                let number = number as i128;
                if tracked.var().is_none() && !range.as_ref().is_some_and(|range| range.contains(number)) {
                    continue;
                }
                let is = |index, operator| Command::Assume {
                    operator,
                    left: Source::Var(index),
                    right: Source::Atom(Atom::int(number)),
                };
                let mut there = Cursor { ..*cursor };
                if let Some(index) = tracked.var() {
                    self.then(&mut there, is(index, CompareOperator::Equal));
                }
                self.instruction(instance, environment, &mut there, edge, &with_path(instruction, path));
                if let Some(index) = tracked.var() {
                    self.then(cursor, is(index, CompareOperator::NotEqual));
                }
            }
            if range.is_some_and(|range| range.least() >= 0 && range.greatest() < count) {
                return;
            }
        }
        self.instruction(instance, environment, cursor, edge, instruction);
    }

    /// The values that an index may have, if it surely has one.
    pub(super) fn range_of(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        edge: EdgeId,
        index: Operand,
    ) -> Option<Range> {
        if environment.operand(index) != Known::Defined {
            return None;
        }
        let (program, meter) = (self.program, self.meter);
        let ranges = self.ranges.entry(instance.function);
        // Where the budget runs out, nothing that is translated counts.
        let ranges = ranges.or_insert_with(|| Ranges::of(program, instance.function, meter).ok().flatten());
        ranges.as_ref()?.at(edge, index.register()?)
    }
}

/// Whether an address of a function is loaded. Which one it is decides nothing about cells that are held elsewhere, so that
/// element after element may be looked at without tracking the index; links to cells would be lost and found again.
fn loads_a_function(program: &Program, instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Load { place, .. } => {
            program.pointee(place.ty).is_some_and(|pointee| matches!(program.ty(pointee), Type::Function(_)))
        }
        Instruction::Assign { .. }
        | Instruction::Store { .. }
        | Instruction::Copy { .. }
        | Instruction::Alloc { .. }
        | Instruction::Free { .. }
        | Instruction::End { .. }
        | Instruction::Assume(_)
        | Instruction::Call { .. }
        | Instruction::Assert(_)
        | Instruction::Unsupported(_) => false,
    }
}

/// The instruction, with another path.
fn with_path(instruction: &Instruction, path: Path) -> Instruction {
    match instruction.clone() {
        Instruction::Load { target, place } => Instruction::Load { target, place: Place { path, ..place } },
        Instruction::Store { place, value } => Instruction::Store { place: Place { path, ..place }, value },
        Instruction::Assign { target, value: Expression::AddPath { base, .. } } => {
            Instruction::Assign { target, value: Expression::AddPath { base, path } }
        }
        other => other,
    }
}
