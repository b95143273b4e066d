//! `qsort` and `bsearch`: they call back into the program.

use crate::machine::{Executor, Step};
use crate::value::{Scalar, Value};
use heapwise_ir::{CompareOperator, FunctionId, IntType};
use std::cmp::Ordering;

impl Executor<'_, '_> {
    /// A stable sort: glibc's merge sort is one too, so equal elements end up where they do there.
    pub(crate) fn sort(&mut self, base: Value, count: Value, size: Value, compare: FunctionId) -> Step<()> {
        let count = self.size_argument("qsort", count)?;
        let size = self.size_argument("qsort", size)?;
        if count < 2 || size == 0 {
            return Ok(());
        }
        self.locate(base, count.saturating_mul(size), crate::access::Access::Write)?;
        // Insertion sort by neighbours: simple, and elements are only ever moved within the array.
        for sorted in 1..count {
            let mut at = sorted;
            while at > 0 {
                let left = self.add_bytes(base, i128::from((at - 1) * size))?;
                let right = self.add_bytes(base, i128::from(at * size))?;
                if self.call_compare(compare, left, right)? != Ordering::Greater {
                    break;
                }
                self.swap(left, right, size)?;
                at -= 1;
            }
        }
        Ok(())
    }

    /// What a callback says. Only the sign of its result matters, so an input stays open.
    fn call_compare(&mut self, compare: FunctionId, left: Value, right: Value) -> Step<Ordering> {
        const INT: Scalar = Scalar::Int(IntType::Signed(4));
        let result = self.call_back(compare, &[left, right])?;
        if let result @ Value::Symbol(_) = self.known(result) {
            let less = self.compare(CompareOperator::Less, INT, result, Value::ZERO)?;
            if self.decide_condition(less)? {
                return Ok(Ordering::Less);
            }
            let same = self.compare(CompareOperator::Equal, INT, result, Value::ZERO)?;
            return Ok(if self.decide_condition(same)? { Ordering::Equal } else { Ordering::Greater });
        }
        let result = self.integer_argument("qsort", result)?;
        Ok(crate::integer::wrap(result, IntType::Signed(4)).cmp(&0))
    }

    fn swap(&mut self, left: Value, right: Value, size: u64) -> Step<()> {
        use crate::access::Access;
        let (left_object, left_offset) = self.locate(left, size, Access::Write)?;
        let (right_object, right_offset) = self.locate(right, size, Access::Write)?;
        self.protect_edges(left_object, left_offset, size)?;
        self.protect_edges(right_object, right_offset, size)?;
        let left_piece = self.state.heap.object(left_object).contents().extract(left_offset, size);
        let right_piece = self.state.heap.object(right_object).contents().extract(right_offset, size);
        self.state.heap.write(left_object, |contents, changes| contents.insert(left_offset, right_piece, changes));
        self.state.heap.write(right_object, |contents, changes| contents.insert(right_offset, left_piece, changes));
        Ok(())
    }

    pub(crate) fn binary_search(
        &mut self,
        key: Value,
        base: Value,
        count: Value,
        size: Value,
        compare: FunctionId,
    ) -> Step<Value> {
        let count = self.size_argument("bsearch", count)?;
        let size = self.size_argument("bsearch", size)?;
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low.midpoint(high);
            let element = self.add_bytes(base, i128::from(middle) * i128::from(size))?;
            match self.call_compare(compare, key, element)? {
                Ordering::Equal => return Ok(element),
                Ordering::Less => high = middle,
                Ordering::Greater => low = middle + 1,
            }
        }
        Ok(Value::ZERO)
    }
}
