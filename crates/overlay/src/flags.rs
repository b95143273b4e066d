//! Flags: variables that are only ever given constants. What they say is often asked later (`if (found) …`), and there are few
//! values: where heaps are joined, those with different ones are kept apart.

use heapwise_ir::{Expression, Function, Instruction, Operand, RegisterId, RegisterOrigin};
use std::collections::{BTreeMap, BTreeSet};

/// The flags of a function; none if they could keep too many heaps apart.
pub(crate) fn flags(function: &Function) -> Vec<RegisterId> {
    /// So many combinations of values at most.
    const MOST: usize = 16;
    let Some(automaton) = function.automaton() else { return Vec::new() };
    let mut values: BTreeMap<RegisterId, BTreeSet<i128>> = BTreeMap::new();
    let mut others: BTreeSet<RegisterId> = function.parameters.iter().copied().collect();
    for edge in automaton.edges.values() {
        let Some(target) = edge.instruction.target() else { continue };
        match &edge.instruction {
            Instruction::Assign { value: Expression::Operand(Operand::Int(number)), .. } => {
                values.entry(target).or_default().insert(*number);
            }
            _ => {
                others.insert(target);
            }
        }
    }
    let is_variable = |register: &RegisterId| function.registers[*register].origin != RegisterOrigin::Temporary;
    values.retain(|register, found| found.len() > 1 && !others.contains(register) && is_variable(register));
    let n_combinations = values.values().map(BTreeSet::len).try_fold(1usize, usize::checked_mul);
    if n_combinations.is_some_and(|number| number <= MOST) { values.into_keys().collect() } else { Vec::new() }
}
