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
        let longest = match (name, values) {
            ("sscanf" | "__isoc99_sscanf" | "__isoc23_sscanf", [text, ..]) => self.text_length(*text)?,
            _ => None,
        };
        let longest =
            longest.and_then(|length| self.heap.range(length)).and_then(|range| u64::try_from(range.high).ok());
        let mut targets = values.iter().skip(format + 1);
        let mut stores: Vec<(Value, u64, Scanned)> = Vec::new();
        for conversion in &conversions {
            let scanned = conversion.stores(self.context.program.target);
            // Characters of a text, and its zero.
            let most = match scanned {
                Scanned::Nothing => continue,
                // However short the text is that is looked at: the width is what the buffer is to have room for.
                Scanned::Text { width: Some(width) } => Some(width.saturating_add(1)),
                Scanned::Text { width: None } => longest.map(|longest| longest.saturating_add(1)),
                _ => scanned.fixed_bytes(),
            };
            let Some(bytes) = most else {
                return self.gap(SymbolicGap::LibraryConversions { function: function() });
            };
            let Some(pointer) = targets.next() else {
                return self.gap(SymbolicGap::LibraryTooFewArguments { function: function() });
            };
            // Cases are told apart before anything is written.
            self.locate(*pointer, bytes, Access::Write)?;
            stores.push((*pointer, bytes, scanned));
        }
        let nothing = self.heap.fresh(Range { low: -1, high: 0, without_zero: false });
        let mut heaps = vec![self.returned(target, nothing)];
        for (pointer, bytes, scanned) in stores {
            if let Scanned::Text { .. } = scanned {
                if self.write_any_text(pointer, bytes)?.is_none() {
                    return self.gap(SymbolicGap::LibraryConversions { function: function() });
                }
            } else {
                let located = self.locate(pointer, bytes, Access::Write)?;
                self.write(located, bytes, Value::Any)?;
            }
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
