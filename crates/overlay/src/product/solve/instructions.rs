//! What the components make of an instruction together.

use super::super::component::Seen;
use super::{Doubt, HeapId, Row, Site, Solution};
use crate::heap::{Heap, is_owned};
use crate::transfer::Applied;
use heapwise_engine::Kind;
use heapwise_engine::reason::SymbolicGap;
use heapwise_fixpoint::{ContextId, StepId};
use heapwise_ir::{Body, Callee, EdgeId, Function, FunctionId, Instruction};
use std::rc::Rc;

impl<'p, 'c> Solution<'p, 'c> {
    pub(super) fn instruction(
        &mut self,
        step: StepId,
        context: ContextId,
        edge: EdgeId,
        callee: Option<FunctionId>,
        row: &Row,
    ) -> Option<Vec<Vec<Heap>>> {
        let (_, function) = self.function_of(context);
        let instruction = &function.automaton()?.edges[edge].instruction;
        if let Instruction::Call { callee: Callee::Indirect(_), .. } = instruction {
            self.gaps.insert((step, SymbolicGap::UnknownFunctionCalled.into()));
            return None;
        }
        let mut all: Vec<Vec<(HeapId, Rc<Applied>, Seen)>> = Vec::new();
        for (group, heaps) in self.groups.ids().zip(row) {
            let component = self.component(group);
            let mut applied = Vec::new();
            for id in heaps {
                let key = (step, group.0, *id);
                if let Some((known, seen)) = self.cache.get(&key) {
                    applied.push((*id, known.clone(), *seen));
                    continue;
                }
                let heap = self.heap(*id).clone();
                let (found, seen) = match (instruction, callee) {
                    (Instruction::Call { target, arguments, .. }, Some(callee)) => {
                        match &self.context.program.functions[callee].body {
                            Body::Extern(effects) => {
                                let applied =
                                    self.context.call_extern(function, &heap, callee, effects, *target, arguments);
                                (applied, Seen::default())
                            }
                            Body::Defined(_) => {
                                let gaps = vec![SymbolicGap::UnexpectedCallee.into()];
                                (Applied { gaps, ..Applied::default() }, Seen::default())
                            }
                        }
                    }
                    _ => component.apply(function, instruction, &heap),
                };
                let found = Rc::new(found);
                self.cache.insert(key, (found.clone(), seen));
                applied.push((*id, found, seen));
            }
            all.push(applied);
        }
        let mut after = self.agreed(step, function, instruction, &all);
        if let Instruction::Alloc { target, storage: heapwise_ir::Storage::Heap, .. } = instruction {
            let region = self.region(Site::Allocation(context, edge));
            for (group, heaps) in self.groups.ids().zip(&mut after) {
                for heap in heaps {
                    let value = heap.register(*target);
                    self.component(group).set_region(heap, value, region);
                }
            }
        }
        after.iter().all(|heaps| !heaps.is_empty()).then_some(after)
    }

    /// What the components make of an instruction together: an error is excluded if one of them excludes it.
    pub(super) fn agreed(
        &mut self,
        step: StepId,
        function: &'p Function,
        instruction: &Instruction,
        all: &[Vec<(HeapId, Rc<Applied>, Seen)>],
    ) -> Vec<Vec<Heap>> {
        let seen: Vec<Seen> =
            all.iter().map(|found| found.iter().fold(Seen::default(), |seen, (.., more)| seen.or(*more))).collect();
        let is_clean = |index: usize| {
            all[index].iter().all(|(_, applied, _)| applied.errors.is_empty() && applied.gaps.is_empty())
        };
        let indices = 0..all.len();
        // Who excludes all errors of the access, and whose bytes they are.
        let sees_it = |index: &usize| !seen[*index].unknown && !seen[*index].hidden && is_clean(*index);
        let owner = indices.clone().find(|index| sees_it(index) && seen[*index].own && !seen[*index].shared);
        let all_know = !seen.iter().any(|seen| seen.unknown);
        let is_proved = match instruction {
            Instruction::Load { .. } => indices.clone().any(|index| sees_it(&index)),
            Instruction::Store { .. } => owner.is_some() || all_know && indices.clone().any(&is_clean),
            Instruction::Assert(_) => indices.clone().any(&is_clean),
            Instruction::Free { .. } | Instruction::Copy { .. } => all_know && indices.clone().any(&is_clean),
            Instruction::Assign { .. }
            | Instruction::Alloc { .. }
            | Instruction::End { .. }
            | Instruction::Assume(_)
            | Instruction::Call { .. }
            | Instruction::Unsupported(_) => false,
        };
        let asks_others = matches!(
            instruction,
            Instruction::Load { .. }
                | Instruction::Store { .. }
                | Instruction::Assert(_)
                | Instruction::Free { .. }
                | Instruction::Copy { .. }
        );
        if asks_others && !is_proved && indices.clone().all(&is_clean) {
            self.gaps.insert((step, SymbolicGap::NoGroupKnowsTheCell.into()));
        }
        let mut after = Vec::new();
        for found in all {
            let mut heaps: Vec<Heap> = Vec::new();
            for (id, applied, _) in found {
                heaps.extend(applied.heaps.iter().cloned());
                for heap in &applied.exits {
                    self.end_program(step, heap);
                }
                for (kind, message) in &applied.errors {
                    // Only who follows a byte knows whether it was written.
                    if !is_proved || *kind == Kind::Uninitialised {
                        self.doubt(step, *kind, message);
                    }
                }
                let is_stuck = !applied.gaps.is_empty() || is_proved && !applied.errors.is_empty();
                if !is_stuck {
                    continue;
                }
                // Another component has shown that the run goes on.
                let heap = self.heap(*id);
                match instruction {
                    Instruction::Load { target, .. } if is_proved => {
                        let mut heap = heap.clone();
                        let value = self.context.any_of(&mut heap, function.registers[*target].ty);
                        heap.set_register(*target, value);
                        heaps.push(heap);
                    }
                    Instruction::Store { .. } if owner.is_some() => heaps.push(heap.clone()),
                    Instruction::Assert(_) if is_proved => heaps.push(heap.clone()),
                    _ => {
                        for gap in &applied.gaps {
                            self.gaps.insert((step, gap.clone()));
                        }
                        if applied.gaps.is_empty() {
                            // What it cannot follow, the others' proof does not mend.
                            for (kind, message) in &applied.errors {
                                self.doubt(step, *kind, message);
                            }
                        }
                    }
                }
            }
            after.push(heaps);
        }
        after
    }

    pub(super) fn doubt(&mut self, step: StepId, kind: Kind, message: &str) {
        self.doubts.entry((step, kind)).or_insert_with(|| Doubt { step, kind, message: message.to_owned() });
    }

    pub(super) fn end_program(&mut self, step: StepId, heap: &Heap) {
        let may_hold = heap.nodes().any(|(_, node)| is_owned(node)) || !heap.truths.is_empty();
        if self.context.options.asks_for(Kind::LeakAtExit) && may_hold {
            self.gaps.insert((step, SymbolicGap::ReachableAtExit.into()));
        }
    }
}
