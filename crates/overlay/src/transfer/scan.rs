//! The `scanf` family: one heap for each number of conversions that may succeed.

use super::memory::Access;
use super::{Executor, Step, Stop};
use crate::heap::{Heap, Value};
use crate::number::Range;
use heapwise_engine::reason::SymbolicGap;
use heapwise_ir::RegisterId;
use heapwise_ir::format::{Scanned, scan_conversions};

impl Executor<'_, '_> {
    /// Nothing is converted (the input ended, or did not match), or only the first conversions, or all. Each stores a value
    /// of its type; what is not reached stays as it was.
    pub(super) fn scan(&mut self, name: &str, format: usize, values: &[Value], target: Option<RegisterId>) -> Step<()> {
        let function = || name.to_string();
        let text = self.format_text(values.get(format).copied());
        let Some(conversions) = text.and_then(|text| scan_conversions(&text)) else {
            return self.gap(SymbolicGap::LibraryFormat { function: function() });
        };
        let nothing = self.heap.fresh(Range { low: -1, high: 0, without_zero: false });
        let mut heaps = vec![self.returned(target, nothing)];
        let mut targets = values.iter().skip(format + 1);
        for conversion in &conversions {
            let scanned = conversion.stores(self.context.program.target);
            if scanned == Scanned::Nothing {
                continue;
            }
            let Some(bytes) = scanned.fixed_bytes() else {
                return self.gap(SymbolicGap::LibraryConversions { function: function() });
            };
            let Some(pointer) = targets.next() else {
                return self.gap(SymbolicGap::LibraryTooFewArguments { function: function() });
            };
            let located = self.locate(*pointer, bytes, Access::Write)?;
            self.write(located, bytes, Value::Any)?;
            let result = Value::Number(heaps.len() as i128);
            heaps.push(self.returned(target, result));
        }
        Err(Stop::Done(heaps))
    }

    /// The heap with which a call returns a value.
    fn returned(&self, target: Option<RegisterId>, value: Value) -> Heap {
        let mut heap = self.heap.clone();
        if let Some(target) = target {
            heap.set_register(target, value);
        }
        heap
    }
}
