//! Code that nothing is known of: what it may reach, what it may have written, whom it may call.

use super::{Move, Signature, Solver};
use crate::nodes::{RegionKey, SlotKey};
use heapwise_ir::{Body, FunctionId, MemoryEffect};

impl Solver<'_> {
    /// What the value points to is reached by code that nothing is known of.
    pub(crate) fn hand_out_value(&mut self, slot: SlotKey) {
        if !std::mem::replace(&mut self.slot_mut(slot).escapes, true) {
            self.enqueue(slot);
        }
    }

    /// A cell that such code may read and write.
    pub(super) fn hand_out(&mut self, slot: SlotKey) {
        self.hand_out_value(slot);
        self.mark_unknown(slot);
    }

    /// Such code may read and write a region, and call the functions in it.
    pub(crate) fn escape(&mut self, region: RegionKey) {
        let functions = self.functions_in(region);
        for function in functions {
            if self.outside.insert(function) {
                self.called_from_outside.push(function);
                self.changes += 1;
            }
        }
        let class = self.class_mut(region);
        if std::mem::replace(&mut class.escaped, true) {
            return;
        }
        let cells: Vec<SlotKey> = class.cells.values().map(|cell| cell.slot).collect();
        self.changes += 1;
        cells.into_iter().for_each(|cell| self.hand_out(cell));
    }

    fn functions_in(&mut self, region: RegionKey) -> Vec<FunctionId> {
        let objects = self.class(region).objects.iter();
        objects
            .filter_map(|(object, _)| match object {
                crate::object::Object::Function(function) => Some(*function),
                crate::object::Object::Global(_)
                | crate::object::Object::Heap(_)
                | crate::object::Object::Local(_)
                | crate::object::Object::Library(_)
                | crate::object::Object::LibraryVariable(_) => None,
            })
            .collect()
    }

    /// A stretch of a region (all of it, if there is none) holds bytes of any value.
    pub(crate) fn add_anything(&mut self, region: RegionKey, stretch: Option<(i64, i64)>) {
        let class = self.class_mut(region);
        if !class.anything.contains(&stretch) && !class.anything.contains(&None) {
            class.anything.push(stretch);
            // Many stretches are all of it.
            if class.anything.len() > 64 {
                class.anything = vec![None];
            }
            self.mark_anything(region, i64::MIN);
        }
    }

    /// Cells with bytes of any value: the one at `first`, or all if that is the least offset.
    pub(super) fn mark_anything(&mut self, region: RegionKey, first: i64) {
        let class = self.class(region);
        let is_folded = class.layout.stride > 0;
        let mut found = Vec::new();
        let last = if first == i64::MIN { i64::MAX } else { first };
        for (offset, cell) in class.cells.range(first..=last) {
            let end = offset + cell.size as i64;
            let around = class.layout.folds.iter().filter(|fold| (fold.start..fold.end).contains(offset));
            let (low, high) =
                around.fold((*offset, end), |(low, high), fold| (low.min(fold.start), high.max(fold.end)));
            let is_hit = |stretch: &Option<(i64, i64)>| match stretch {
                Some((start, stop)) => is_folded || (*start < high && low < *stop),
                None => true,
            };
            if class.anything.iter().any(is_hit) {
                found.push(cell.slot);
            }
        }
        found.into_iter().for_each(|slot| self.mark_unknown(slot));
    }

    /// A call through a pointer that may be anything.
    pub(super) fn call_unknown(&mut self, call: u32) {
        let call = self.calls[call as usize].clone();
        call.arguments.into_iter().flatten().for_each(|argument| self.hand_out_value(argument));
        if let Some(target) = call.target {
            self.mark_unknown(target);
        }
    }

    /// A call of the functions in a region.
    pub(super) fn call_region(&mut self, region: RegionKey, call: u32) {
        if std::mem::replace(&mut self.calls[call as usize].is_tied, true) {
            return;
        }
        if self.class(region).signature.is_none() {
            self.class_mut(region).signature = Some(Signature::default());
        }
        let call = self.calls[call as usize].clone();
        let result = call.target.map(|_| self.new_slot());
        let parameters: Vec<SlotKey> = call.arguments.iter().map(|_| self.new_slot()).collect();
        for (argument, parameter) in call.arguments.iter().zip(&parameters) {
            if let Some(argument) = argument {
                self.flow(*argument, *parameter, Move::STILL);
            }
        }
        if let (Some(target), Some(result)) = (call.target, result) {
            self.flow(result, target, Move::STILL);
        }
        self.tie_signature(region, &Signature { parameters, result, rest_escapes: false });
        self.call_functions(region);
    }

    /// Ties parameters and result to those of the region.
    pub(crate) fn tie_signature(&mut self, region: RegionKey, other: &Signature) {
        let mut signature = self.class_mut(region).signature.take().unwrap_or_default();
        for (index, slot) in other.parameters.iter().enumerate() {
            match signature.parameters.get(index) {
                Some(mine) => self.same_slot(*mine, *slot),
                None => {
                    signature.parameters.push(*slot);
                    if signature.rest_escapes {
                        self.hand_out_value(*slot);
                    }
                }
            }
        }
        match (signature.result, other.result) {
            (Some(mine), Some(slot)) => self.same_slot(mine, slot),
            (None, Some(slot)) => signature.result = Some(slot),
            (_, None) => {}
        }
        if other.rest_escapes && !signature.rest_escapes {
            signature.rest_escapes = true;
            signature.parameters.clone().into_iter().for_each(|slot| self.hand_out_value(slot));
        }
        self.class_mut(region).signature = Some(signature);
    }

    /// Functions in a region that is called are called.
    pub(super) fn call_functions(&mut self, region: RegionKey) {
        for function in std::mem::take(&mut self.class_mut(region).functions) {
            self.newly_called.push((function, region));
            self.changes += 1;
        }
    }

    /// Whether all arguments of a function without a body escape.
    pub(crate) fn does_anything(&self, function: FunctionId) -> bool {
        match &self.program.functions[function].body {
            Body::Defined(_) => false,
            Body::Extern(effects) => !effects.modelled || effects.memory == MemoryEffect::Unknown,
        }
    }
}
