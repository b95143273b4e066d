//! Calls: heaps enter a function, with what the caller keeps as ghosts, and leave it.

use super::{HeapId, Row, Solution};
use crate::analysis::Retention;
use crate::heap::{Heap, NodeId, Storage, Value};
use heapwise_engine::reason::SymbolicGap;
use heapwise_fixpoint::{ContextId, StepId};
use heapwise_ir::{Callee, EdgeId, Instruction, RegisterId};

impl<'p, 'c> Solution<'p, 'c> {
    /// What the caller keeps over a call.
    pub(super) fn frame(&self, caller: ContextId, edge: EdgeId) -> Vec<RegisterId> {
        let (id, function) = self.function_of(caller);
        let Some(automaton) = function.automaton() else { return Vec::new() };
        let found = &automaton.edges[edge];
        let target = found.instruction.target();
        let is_kept = |register: &RegisterId| {
            // What the result will overwrite is held until then.
            let is_overwritten = Some(*register) == target && self.retention == Retention::Live;
            self.autos[id].contains(register) || !is_overwritten && self.is_kept(id, found.to, *register)
        };
        function.registers.keys().filter(is_kept).collect()
    }

    pub(super) fn entered(
        &mut self,
        step: StepId,
        caller: ContextId,
        edge: EdgeId,
        callee: ContextId,
        row: &Row,
    ) -> Option<Row> {
        let (_, function) = self.function_of(caller);
        let (callee_id, definition) = self.function_of(callee);
        let Instruction::Call { arguments, callee: Callee::Direct(_), .. } =
            &function.automaton()?.edges[edge].instruction
        else {
            // The step for the unknown tells.
            return None;
        };
        if arguments.len() < definition.parameters.len() {
            self.gaps.insert((step, SymbolicGap::TooFewArguments.into()));
            return None;
        }
        let entry = definition.automaton()?.entry;
        let frame = self.frame(caller, edge);
        let after = function.automaton()?.edges[edge].to;
        let moved = self.insertions.moves.get(&(caller, edge)).cloned().unwrap_or_default();
        let mut entered = Vec::new();
        for (group, heaps) in self.groups.ids().zip(row) {
            let mut ids: Vec<HeapId> = Vec::new();
            for id in heaps {
                let heap = self.heap(*id).clone();
                let mut cases: Vec<(Heap, Vec<Value>)> = Vec::new();
                let applied = self.context.run(function, &heap, |executor| {
                    let mut values = Vec::new();
                    for (argument, parameter) in arguments.iter().zip(&definition.parameters) {
                        values.push(executor.typed(*argument, definition.registers[*parameter].ty)?);
                    }
                    cases.push((executor.heap.clone(), values));
                    Ok(())
                });
                for gap in &applied.gaps {
                    self.gaps.insert((step, gap.clone()));
                }
                for (kind, message) in &applied.errors {
                    self.doubt(step, *kind, message);
                }
                for (mut heap, values) in cases {
                    let kept: Vec<Value> = frame
                        .iter()
                        .map(|register| match moved.contains(register) {
                            // It will be moved behind the call.
                            true => heap.register(*register),
                            false => self.remembered(&heap, group, (caller, after), *register),
                        })
                        .collect();
                    heap.ghosts.extend(kept);
                    heap.registers = definition.parameters.iter().copied().zip(values).collect();
                    heap.registers.sort_unstable_by_key(|(register, _)| *register);
                    heap.registers.retain(|(register, _)| self.is_kept(callee_id, entry, *register));
                    heap.exchange_storage(Storage::Local, Storage::CallersLocal);
                    self.forget(&mut heap, group, callee, entry);
                    for heap in self.normalised(heap) {
                        let id = self.intern(heap);
                        if !ids.contains(&id) {
                            ids.push(id);
                        }
                    }
                }
            }
            if ids.is_empty() {
                return None;
            }
            entered.push(ids);
        }
        Some(entered)
    }

    pub(super) fn left(&mut self, caller: ContextId, edge: EdgeId, callee: ContextId, row: &Row) -> Vec<Vec<Heap>> {
        let (caller_id, function) = self.function_of(caller);
        let (_, definition) = self.function_of(callee);
        let target = function.automaton().and_then(|automaton| automaton.edges[edge].instruction.target());
        let frame = self.frame(caller, edge);
        let autos = &self.autos[caller_id];
        let back = |heap: &Heap| {
            let mut heap = heap.clone();
            let result = definition.result.map_or(Value::Uninitialised, |result| heap.register(result));
            let kept = heap.ghosts.split_off(heap.ghosts.len() - frame.len());
            heap.registers = frame.iter().copied().zip(kept).collect();
            heap.registers.retain(|(_, value)| *value != Value::Uninitialised);
            if let Some(target) = target {
                heap.set_register(target, result);
            }
            let locals: Vec<NodeId> = autos.iter().filter_map(|register| heap.register(*register).node()).collect();
            for local in locals {
                if let Some(object) = heap.object_mut(local)
                    && object.storage == Storage::CallersLocal
                {
                    object.storage = Storage::Local;
                }
            }
            heap
        };
        row.iter().map(|heaps| heaps.iter().map(|id| back(self.heap(*id))).collect()).collect()
    }
}

impl Heap {
    /// Gives objects of one kind of storage another.
    fn exchange_storage(&mut self, from: Storage, to: Storage) {
        let found: Vec<NodeId> = self
            .nodes()
            .filter(|(_, node)| matches!(node, crate::heap::Node::Object(object) if object.storage == from))
            .map(|(id, _)| id)
            .collect();
        for id in found {
            if let Some(object) = self.object_mut(id) {
                object.storage = to;
            }
        }
    }
}
