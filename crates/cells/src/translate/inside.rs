//! Pointers to the inside of cells. A variable points a fixed number of bytes into the cells it points to, its *shift*: 0
//! for `struct node *p`, the offset of the link for the `struct node **` that walks a list by `p = &(*p)->next`, that of the
//! record for a pointer to a record that lies within cells ([`super::embedded`]). Engines need not know: an access through such a variable is an access of the cell, and a copy between variables with
//! different shifts is not followed.
//!
//! A variable that points to one of several fields, as the `struct tree **` that goes down a tree by `p = &(*p)->left` or
//! `p = &(*p)->right`, has a second variable beside it, which holds the offset of the field ([`super::fields`]).

use super::constants::{self, Constants, Environment, Known};
use super::elements;
use super::embedded::Embedded;
use super::kinds::scalars;
use heapwise_ir::{Automaton, Expression, Function, Instruction, Operand, Program, RegisterId, Type, TypeId};
use rustc_hash::FxHashMap;

/// The shift that the type of a pointer says: a pointer to links of a record with one link points to that link.
pub fn shift_of_type(program: &Program, embedded: &Embedded, ty: TypeId) -> Option<i64> {
    let Type::Pointer(pointee) = program.ty(ty) else { return None };
    match (embedded.shift(program, *pointee), links_of_type(program, embedded, ty).as_slice()) {
        (0, [only]) => Some(*only),
        (0, _) => None,
        (shift, _) => Some(shift),
    }
}

/// The offsets of the links that a pointer of this type may point to.
fn links_of_type(program: &Program, embedded: &Embedded, ty: TypeId) -> Vec<i64> {
    let Type::Pointer(link) = program.ty(ty) else { return Vec::new() };
    let Type::Pointer(record) = program.ty(*link) else { return Vec::new() };
    let Type::Record(_) = program.ty(*record) else { return Vec::new() };
    let links = scalars(program, *record).into_iter().filter(|scalar| scalar.ty == *link);
    let shift = embedded.shift(program, *record);
    links.filter_map(|scalar| i64::try_from(scalar.offset).ok()?.checked_add(shift)).collect()
}

/// The bytes that an expression adds to its base, if it is a pointer made from another one and they are known.
pub fn bytes_added(program: &Program, environment: &Environment, value: &Expression) -> Option<(Operand, i64)> {
    let known = |operand: Operand| match environment.operand(operand) {
        Known::Int(value) => i64::try_from(value).ok(),
        _ => None,
    };
    match value {
        Expression::AddPath { base, path } => Some((*base, constants::known_offset(program, environment, path)?)),
        Expression::SubtractPath { base, path } => {
            Some((*base, constants::known_offset(program, environment, path)?.checked_neg()?))
        }
        Expression::AddBytes { base, bytes } => Some((*base, known(*bytes)?)),
        Expression::AddIndex { base, index, element } => {
            let stride = i64::try_from(program.stride_of(*element)?).ok()?;
            Some((*base, known(*index)?.checked_mul(stride)?))
        }
        Expression::Operand(_)
        | Expression::PointerDifference { .. }
        | Expression::Unary { .. }
        | Expression::Binary { .. }
        | Expression::Convert { .. }
        | Expression::Nondet { .. }
        | Expression::Uninitialised => None,
    }
}

/// The shifts of a function's pointer registers: one each, or several that they may have; those of 0 alone are left out.
/// `arguments` are those of the parameters.
pub fn shifts(
    (program, embedded): (&Program, &Embedded),
    function: &Function,
    automaton: &Automaton,
    known: &Constants,
    arguments: &[Vec<i64>],
) -> FxHashMap<RegisterId, Vec<i64>> {
    let mut shifts: FxHashMap<RegisterId, Shift> = FxHashMap::default();
    for (register, description) in &function.registers {
        if let Some(bytes) = shift_of_type(program, embedded, description.ty) {
            shifts.insert(register, Shift::Typed([bytes]));
        }
    }
    for (parameter, bytes) in function.parameters.iter().zip(arguments) {
        flow(&mut shifts, *parameter, bytes);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for edge in automaton.edges.values() {
            let Some(environment) = &known[edge.from] else { continue };
            let (target, bytes) = match &edge.instruction {
                Instruction::Assign { target, value } => {
                    let Some(bytes) = shifts_of_value(program, environment, &shifts, value) else { continue };
                    (*target, bytes)
                }
                Instruction::Call { target: Some(target), .. } => {
                    let links = links_of_type(program, embedded, function.registers[*target].ty);
                    (*target, if links.is_empty() { vec![0] } else { links })
                }
                Instruction::Load { target, .. } | Instruction::Alloc { target, .. } => (*target, vec![0]),
                _ => continue,
            };
            changed |= flow(&mut shifts, target, &bytes);
        }
    }
    let found = shifts.into_iter().map(|(register, shift)| (register, shift.bytes().to_vec()));
    found.filter(|(_, bytes)| bytes.as_slice() != [0]).collect()
}

/// A variable that may point to more places than this is not followed.
const MAX_PLACES: usize = 6;

/// What is known of the shift of a register.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Shift {
    /// The type says it.
    Typed([i64; 1]),
    /// The assignments seen so far, in order.
    Flows(Vec<i64>),
    /// There are too many.
    Mixed,
}

impl Shift {
    fn bytes(&self) -> &[i64] {
        match self {
            Shift::Typed(bytes) => bytes,
            Shift::Flows(bytes) => bytes,
            Shift::Mixed => &[0],
        }
    }
}

/// Notes an assignment; whether that changed anything.
fn flow(shifts: &mut FxHashMap<RegisterId, Shift>, target: RegisterId, bytes: &[i64]) -> bool {
    if bytes.is_empty() {
        return false;
    }
    let shift = shifts.entry(target).or_insert_with(|| Shift::Flows(Vec::new()));
    let Shift::Flows(known) = shift else { return false };
    let before = known.len();
    known.extend(bytes);
    known.sort_unstable();
    known.dedup();
    let changed = known.len() != before;
    if known.len() > MAX_PLACES {
        *shift = Shift::Mixed;
    }
    changed
}

/// The shifts of an assigned pointer; `None` where it says nothing (a constant, or a register not seen yet).
fn shifts_of_value(
    program: &Program,
    environment: &Environment,
    shifts: &FxHashMap<RegisterId, Shift>,
    value: &Expression,
) -> Option<Vec<i64>> {
    let added = match value {
        Expression::Operand(operand) => Some((*operand, vec![0])),
        _ => bytes_added(program, environment, value)
            .map(|(base, bytes)| (base, vec![bytes]))
            .or_else(|| elements::bytes_added(program, environment, value)),
    };
    let Some((base, bytes)) = added else { return Some(vec![0]) };
    if matches!(environment.operand(base), Known::Address(..) | Known::Int(_) | Known::Function(_)) {
        return None;
    }
    let base = shifts.get(&base.register()?)?;
    base.bytes().iter().flat_map(|base| bytes.iter().map(|bytes| base.checked_add(*bytes))).collect()
}
