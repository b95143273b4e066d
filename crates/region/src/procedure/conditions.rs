//! Conditions as comparisons of registers.

use super::build::Builder;
use super::{NO_CELL, Operation};
use heapwise_ir::entity::PrimaryMap;
use heapwise_ir::{
    Automaton, CompareOperator, Condition, EdgeId, Instruction, Operand, RegisterId, Span, Storage, Type,
};

impl Builder<'_, '_> {
    pub(super) fn assume(&mut self, condition: &Condition) -> Operation {
        match condition {
            Condition::True | Condition::NotCompare { .. } | Condition::Shape(_) => Operation::Skip,
            Condition::False => Operation::Stop,
            Condition::Compare { operator, ty, left, right } => {
                let is_float = matches!(self.memory.program.ty(*ty), Type::Float(_));
                match (*left, *right) {
                    _ if is_float || !self.memory.program.compares_as_kept(*operator, *ty) => Operation::Skip,
                    (Operand::Int(left), Operand::Int(right)) if !operator.holds(left.cmp(&right)) => Operation::Stop,
                    (Operand::Register(register), Operand::Int(constant)) => {
                        Operation::AssumeNumber { register, operator: *operator, constant }
                    }
                    (Operand::Int(constant), Operand::Register(register)) => {
                        Operation::AssumeNumber { register, operator: operator.mirrored(), constant }
                    }
                    (Operand::Register(left), Operand::Register(right))
                        if self.may_point(left) || self.may_point(right) =>
                    {
                        let equal = match operator {
                            CompareOperator::Equal => true,
                            CompareOperator::NotEqual => false,
                            _ => return Operation::Skip,
                        };
                        let by_cell = self.equal_by_cell(left, right);
                        Operation::AssumePointers { left, right, equal, by_cell }
                    }
                    (Operand::Register(left), Operand::Global(_) | Operand::Function(_))
                    | (Operand::Global(_) | Operand::Function(_), Operand::Register(left)) => {
                        // A heap cell is no global; one past its end may be where one starts.
                        let address = self.memory.operand(self.function, Operand::Register(left));
                        let is_start = address.offsets.exact() == Some(0);
                        match operator {
                            CompareOperator::Equal if is_start => {
                                Operation::AssumeNumber { register: left, operator: *operator, constant: NO_CELL }
                            }
                            _ => Operation::Skip,
                        }
                    }
                    _ => Operation::Skip,
                }
            }
        }
    }

    /// Where an allocation begins with the question whether its size is zero: that is `realloc`, which frees then.
    pub(super) fn sizes_of_reallocations(&self, automaton: &Automaton, operations: &mut PrimaryMap<EdgeId, Operation>) {
        let sizes: Vec<(Span, RegisterId)> = automaton
            .edges
            .values()
            .filter_map(|edge| match &edge.instruction {
                Instruction::Alloc { bytes: Operand::Register(bytes), storage: Storage::Heap, .. } => {
                    Some((edge.span, *bytes))
                }
                _ => None,
            })
            .collect();
        for (id, edge) in &automaton.edges {
            if let Operation::AssumeNumber { register, operator: CompareOperator::Equal, constant: 0 } = operations[id]
                && sizes.contains(&(edge.span, register))
            {
                operations[id] = Operation::AssumeNoBytes { register };
            }
        }
    }

    /// Whether two pointers are equal exactly if they refer to the same cell: both lie at the same distance from the start.
    pub(super) fn equal_by_cell(&self, left: RegisterId, right: RegisterId) -> bool {
        let value = |register| self.memory.operand(self.function, Operand::Register(register));
        let (left, right) = (value(left), value(right));
        let (Some(one), Some(two)) = (left.offsets.exact(), right.offsets.exact()) else { return false };
        let same_region = left.region == right.region;
        let starts: Vec<i64> = left
            .region
            .into_iter()
            .flat_map(|region| self.memory.pointsto.objects(region))
            .map(|(_, offset)| offset)
            .collect();
        let one_start = starts.windows(2).all(|pair| pair[0] == pair[1]);
        same_region && one == two && one_start
    }
}
