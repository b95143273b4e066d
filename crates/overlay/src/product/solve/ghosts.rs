//! Ghost instructions: `trans` before an edge, `move` behind it.

use super::super::insert::Trans;
use super::super::reveal::{known, read, told, write};
use super::super::variable::{Base, Variable};
use super::{HeapId, Mode, Row, Site, Solution};
use crate::heap::{Heap, NodeId, Value, is_owned};
use crate::transfer::global_node;
use heapwise_fixpoint::ContextId;
use heapwise_ir::{EdgeId, Operand};
use std::collections::BTreeSet;

impl<'p, 'c> Solution<'p, 'c> {
    /// Runs `trans` before an edge; in the coupled analysis, tells all that is known.
    pub(super) fn informed(&mut self, context: ContextId, edge: EdgeId, row: &Row) -> Option<Row> {
        let all: Vec<Trans> = match self.mode {
            Mode::Product => self.insertions.trans.get(&(context, edge)).cloned().unwrap_or_default(),
            Mode::Coupled => self.exchanged(context, row),
        };
        let mut row = row.clone();
        for trans in all {
            self.transferred.insert((context, edge, trans));
            row = self.trans(context, trans, &row)?;
        }
        Some(row)
    }

    /// All variables that one component knows and another does not.
    pub(super) fn exchanged(&self, _context: ContextId, row: &Row) -> Vec<Trans> {
        let mut all = Vec::new();
        for (from, heaps) in self.groups.ids().zip(row) {
            let Some(heap) = heaps.first().map(|heap| self.heap(*heap)) else { continue };
            for (register, value) in &heap.registers {
                if !matches!(value, Value::Pointer(pointer) if is_owned(heap.node(pointer.node))) {
                    continue;
                }
                for (to, others) in self.groups.ids().zip(row) {
                    let is_unknown =
                        others.first().is_some_and(|other| self.heap(*other).register(*register) == Value::Any);
                    if to != from && is_unknown {
                        all.push(Trans { from, to, variable: Variable::Register(*register) });
                    }
                }
            }
        }
        all
    }

    /// trans(i→j)(e) of section 6.
    pub(super) fn trans(&mut self, context: ContextId, trans: Trans, row: &Row) -> Option<Row> {
        let bytes = self.context.pointer_bytes();
        let mut facts = BTreeSet::new();
        for id in &row[usize::from(trans.from.0)] {
            let mut heap = self.heap(*id).clone();
            let address = self.variable_address(&mut heap, context, trans.variable);
            facts.extend(known(&heap, read(&heap, trans.variable, address, bytes), &self.context.definitions));
        }
        let mut heaps: Vec<HeapId> = Vec::new();
        for id in row[usize::from(trans.to.0)].clone() {
            let mut heap = self.heap(id).clone();
            let address = self.variable_address(&mut heap, context, trans.variable);
            let value = read(&heap, trans.variable, address, bytes);
            for fact in &facts {
                let set = |heap: &mut Heap, value: Value| write(heap, trans.variable, address, bytes, value);
                for told in told(&heap, value, *fact, &self.context.definitions, &set) {
                    let id = self.intern(told);
                    if !heaps.contains(&id) {
                        heaps.push(id);
                    }
                }
            }
        }
        let mut row = row.clone();
        row[usize::from(trans.to.0)] = heaps;
        (!row[usize::from(trans.to.0)].is_empty()).then_some(row)
    }

    pub(super) fn variable_address(
        &self,
        heap: &mut Heap,
        context: ContextId,
        variable: Variable,
    ) -> Option<(NodeId, i64)> {
        match variable {
            Variable::Register(_) => None,
            Variable::Memory(Base::Global(global), offset) => {
                Some((global_node(heap, self.context.program, global), offset))
            }
            Variable::Memory(Base::Local(owner, register), offset) if owner == context => {
                match heap.register(register) {
                    Value::Pointer(pointer) => Some((pointer.node, pointer.offset + offset)),
                    _ => None,
                }
            }
            // A local of a function that waits is not named here: nothing is told.
            Variable::Memory(Base::Local(..), _) => None,
        }
    }

    /// Runs `move` after an edge. Where one component does not know the cell, none moves it.
    pub(super) fn moved(&mut self, context: ContextId, edge: EdgeId, row: Vec<Vec<Heap>>) -> Vec<Vec<Heap>> {
        let moves = match self.mode {
            Mode::Product => self.insertions.moves.get(&(context, edge)).cloned().unwrap_or_default(),
            Mode::Coupled => Vec::new(),
        };
        let (_, function) = self.function_of(context);
        let mut row = row;
        for register in moves {
            let region = self.region(Site::Move(context, edge, register));
            let mut all = Vec::new();
            for (group, heaps) in self.groups.ids().zip(&row) {
                let component = self.component(group);
                let cases: Option<Vec<Vec<Heap>>> =
                    heaps.iter().map(|heap| component.exposed(function, heap, Operand::Register(register))).collect();
                let Some(cases) = cases else { break };
                let mut exposed = cases.concat();
                for heap in &mut exposed {
                    let value = heap.register(register);
                    component.set_region(heap, value, region);
                    component.forget_links(heap, value);
                }
                all.push(exposed);
            }
            if all.len() == row.len() {
                row = all;
            }
        }
        row
    }
}
