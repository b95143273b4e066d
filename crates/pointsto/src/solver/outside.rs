//! Code that nothing is known of: what it may reach, what it may have written, whom it may call.

use super::{Move, Signature, Solver, Stretch};
use crate::nodes::{NodeKey, RegionKey};
use heapwise_ir::{Body, FunctionId, MemoryEffect};

impl Solver<'_> {
    /// What the value points to is reached by code that nothing is known of.
    pub(crate) fn hand_out_value(&mut self, node: NodeKey) {
        if !std::mem::replace(&mut self.node_mut(node).escapes, true) {
            self.enqueue(node, super::node::News::ESCAPES);
        }
    }

    /// A cell that such code may read and write.
    pub(super) fn hand_out(&mut self, node: NodeKey) {
        self.hand_out_value(node);
        self.mark_unknown(node);
    }

    /// Such code may read and write a region, and call the functions in it.
    pub(crate) fn escape(&mut self, region: RegionKey) {
        if std::mem::replace(&mut self.class_mut(region).escaped, true) {
            return;
        }
        let cells: Vec<NodeKey> = self.class(region).cells.nodes().collect();
        self.changes += 1;
        self.stamp_region(region);
        let functions = self.functions_in(region);
        self.call_from_outside(functions);
        cells.into_iter().for_each(|cell| self.hand_out(cell));
    }

    /// Functions that such code may call.
    pub(super) fn call_from_outside(&mut self, functions: Vec<FunctionId>) {
        for function in functions {
            if self.outside.insert(function) {
                self.called_from_outside.push(function);
                self.changes += 1;
            }
        }
    }

    pub(super) fn functions_in(&self, region: RegionKey) -> Vec<FunctionId> {
        self.objects(region).filter_map(|(object, _)| crate::freeze::function_of(object)).collect()
    }

    /// A stretch of a region (all of it, if there is none) holds bytes of any value.
    pub(crate) fn add_anything(&mut self, region: RegionKey, stretch: Stretch) {
        let class = self.class_mut(region);
        if !class.anything().contains(&stretch) && !class.anything().contains(&None) {
            let anything = &mut class.rare().anything;
            anything.push(stretch);
            // Many stretches are all of it.
            if anything.len() > 64 {
                *anything = vec![None];
            }
            self.changes += 1;
            self.stamp_region(region);
            self.mark_anything(region, i64::MIN);
        }
    }

    /// Cells with bytes of any value: the one at `first`, or all if that is the least offset.
    pub(super) fn mark_anything(&mut self, region: RegionKey, first: i64) {
        let class = self.class(region);
        let is_folded = class.layout.stride > 0;
        let mut found = Vec::new();
        let last = if first == i64::MIN { i64::MAX } else { first.saturating_add(1) };
        for &(offset, cell) in class.cells.starting_in(first, last) {
            let end = offset + cell.size as i64;
            let around = class.layout.folds.iter().filter(|fold| (fold.start..fold.end).contains(&offset));
            let (low, high) = around.fold((offset, end), |(low, high), fold| (low.min(fold.start), high.max(fold.end)));
            let is_hit = |stretch: &Stretch| match stretch {
                Some((start, stop)) => is_folded || (*start < high && low < *stop),
                None => true,
            };
            if class.anything().iter().any(is_hit) {
                found.push(cell.node);
            }
        }
        found.into_iter().for_each(|node| self.mark_unknown(node));
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
        let is_new = !self.class(region).is_called();
        let call = self.calls[call as usize].clone();
        let result = call.target.map(|_| self.new_node());
        let parameters: Vec<NodeKey> = call.arguments.iter().map(|_| self.new_node()).collect();
        for (argument, parameter) in call.arguments.iter().zip(&parameters) {
            if let Some(argument) = argument {
                self.flow(*argument, *parameter, Move::STILL);
            }
        }
        if let (Some(target), Some(result)) = (call.target, result) {
            self.flow(result, target, Move::STILL);
        }
        self.tie_signature(region, &Signature { parameters, result, rest_escapes: false });
        if is_new {
            let functions = self.functions_in(region);
            self.call_functions(functions, region);
        }
    }

    /// Ties parameters and result to those of the region.
    pub(crate) fn tie_signature(&mut self, region: RegionKey, other: &Signature) {
        let mut signature = self.class_mut(region).rare().signature.take().unwrap_or_default();
        self.merge_signatures(&mut signature, other);
        self.class_mut(region).rare().signature = Some(signature);
    }

    /// Ties the parameters and results of two signatures.
    pub(crate) fn merge_signatures(&mut self, signature: &mut Signature, other: &Signature) {
        for (index, node) in other.parameters.iter().enumerate() {
            match signature.parameters.get(index) {
                Some(mine) => self.same_node(*mine, *node),
                None => {
                    signature.parameters.push(*node);
                    if signature.rest_escapes {
                        self.hand_out_value(*node);
                    }
                }
            }
        }
        match (signature.result, other.result) {
            (Some(mine), Some(node)) => self.same_node(mine, node),
            (None, Some(node)) => signature.result = Some(node),
            (_, None) => {}
        }
        if other.rest_escapes && !signature.rest_escapes {
            signature.rest_escapes = true;
            signature.parameters.clone().into_iter().for_each(|node| self.hand_out_value(node));
        }
    }

    /// Functions in a region that is called are called.
    pub(super) fn call_functions(&mut self, functions: Vec<FunctionId>, region: RegionKey) {
        for function in functions {
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
