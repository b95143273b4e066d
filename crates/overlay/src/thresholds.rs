//! The numbers at which ranges that grow stop: the ends of integer types, and what the program itself compares with or counts to.

use heapwise_ir::{BinaryOperator, Condition, Expression, Initializer, Instruction, Mutability, Operand, Program};
use std::collections::BTreeSet;

/// Ends of integer types, the size that no object has, and the numbers around zero.
const ENDS: [i128; 9] = [-(1 << 63), -(1 << 31), -1, 0, 1, (1 << 31) - 1, 1 << 47, (1 << 63) - 1, (1 << 64) - 1];

/// So many constants of a program are looked at: each may cost one more round of a loop.
const MOST: usize = 24;

/// So many lengths of literals are, and only of such as are no longer than this.
const MOST_LENGTHS: usize = 8;
const MOST_CHARACTERS: usize = 64;

/// The thresholds of a program, in order.
pub(crate) fn thresholds(program: &Program) -> Vec<i128> {
    const LARGEST: i128 = 1 << 20;
    let mut found: BTreeSet<i128> = BTreeSet::new();
    let mut note = |operand: &Operand, less: i128| {
        if let Operand::Int(number) = operand
            && (2..=LARGEST).contains(number)
            && found.len() < MOST
        {
            found.extend([*number - less, *number]);
        }
    };
    for function in program.functions.values() {
        let Some(automaton) = function.automaton() else { continue };
        for edge in automaton.edges.values() {
            match &edge.instruction {
                Instruction::Assume(condition) | Instruction::Assert(condition) => match condition {
                    Condition::Compare { left, right, .. } | Condition::NotCompare { left, right, .. } => {
                        note(left, 1);
                        note(right, 1);
                    }
                    Condition::True | Condition::False | Condition::Shape(_) => {}
                },
                Instruction::Assign { value: Expression::Binary { operator, right, .. }, .. } => match operator {
                    BinaryOperator::Remainder => note(right, 1),
                    BinaryOperator::And => note(right, 0),
                    _ => {}
                },
                // A size that a function is given.
                Instruction::Call { arguments, .. } => arguments.iter().for_each(|argument| note(argument, 1)),
                _ => {}
            }
        }
    }
    // An index that goes along a literal stops at its end.
    let mut lengths: BTreeSet<i128> = BTreeSet::new();
    for global in program.globals.values() {
        if let (Initializer::Bytes(bytes), Mutability::ReadOnly) = (&global.initializer, global.mutability)
            && (3..=MOST_CHARACTERS).contains(&bytes.len())
            && lengths.len() < MOST_LENGTHS
        {
            lengths.insert(bytes.len() as i128 - 1);
        }
    }
    found.extend(lengths);
    found.extend(ENDS);
    found.into_iter().collect()
}
