//! Heaps that arrive at a point: what is kept of them, what is forgotten, what is lost.

use super::super::variable::{Base, Variable};
use super::{HeapId, MOST_HEAPS, MOST_NODES, Mode, Row, Solution};
use crate::analysis::Retention;
use crate::groups::GroupId;
use crate::heap::{Heap, NodeId, Region, Storage, Value, is_owned};
use crate::unfold::decide_empty;
use heapwise_engine::Kind;
use heapwise_engine::reason::SymbolicGap;
use heapwise_fixpoint::{ContextId, StepId};
use heapwise_ir::{EdgeId, Function, FunctionId, LocationId, RegisterId, RegisterOrigin, Type};

impl<'p, 'c> Solution<'p, 'c> {
    /// The registers that are kept at a location.
    pub(super) fn is_kept(&self, function: FunctionId, location: LocationId, register: RegisterId) -> bool {
        let Some(liveness) = &self.liveness[function] else { return true };
        let definition = &self.context.program.functions[function];
        let is_exit = definition.automaton().is_some_and(|automaton| automaton.exit == location);
        if liveness.is_live(location, register) {
            return true;
        }
        if is_exit {
            return false;
        }
        self.autos[function].contains(&register)
            || self.retention == Retention::Held && definition.registers[register].origin != RegisterOrigin::Temporary
    }

    /// Heaps arrive at the end of an edge.
    pub(super) fn arrived(
        &mut self,
        step: StepId,
        context: ContextId,
        edge: EdgeId,
        row: Vec<Vec<Heap>>,
    ) -> Option<Row> {
        let (id, function) = self.function_of(context);
        let automaton = function.automaton()?;
        let to = automaton.edges[edge].to;
        let is_exit = automaton.exit == to;
        let mut arrived = Vec::new();
        for (group, heaps) in self.groups.ids().zip(row) {
            let mut ids: Vec<HeapId> = Vec::new();
            for mut heap in heaps {
                if is_exit && !self.leave_frame(step, function, &mut heap) {
                    continue;
                }
                heap.registers.retain(|(register, _)| self.is_kept(id, to, *register));
                self.forget(&mut heap, group, context, to);
                for heap in self.normalised(heap) {
                    if heap.n_nodes() > MOST_NODES {
                        self.gaps.insert((step, SymbolicGap::TooManyCells.into()));
                        continue;
                    }
                    if is_exit && self.flow.contexts[context].caller.is_none() {
                        self.end_program(step, &heap);
                    }
                    let id = self.intern(heap);
                    if !ids.contains(&id) {
                        ids.push(id);
                    }
                }
            }
            if ids.is_empty() {
                return None;
            }
            if ids.len() > MOST_HEAPS {
                self.gaps.insert((step, SymbolicGap::TooManyCases.into()));
                return None;
            }
            arrived.push(ids);
        }
        Some(arrived)
    }

    /// Whether a component may forget where a variable points: it will not look there.
    pub(super) fn is_useless(
        &self,
        group: GroupId,
        (context, location): (ContextId, LocationId),
        variable: Variable,
    ) -> bool {
        let Some(useful) = self.insertions.useful.get(&(context, location)) else { return false };
        let is_useful = |group: GroupId| useful.contains(&(group, variable));
        // What none will look at may be the last reference: nobody forgets it before it is overwritten.
        self.mode == Mode::Product && !is_useful(group) && self.groups.ids().any(is_useful)
    }

    /// Forgets what is of no use for a component from a location on.
    pub(super) fn forget(&self, heap: &mut Heap, group: GroupId, context: ContextId, location: LocationId) {
        let leads_to_cells =
            |heap: &Heap, value: Value| matches!(value, Value::Pointer(to) if is_owned(heap.node(to.node)));
        let registers: Vec<RegisterId> = heap
            .registers
            .iter()
            .filter(|(register, value)| {
                leads_to_cells(heap, *value)
                    && self.is_useless(group, (context, location), Variable::Register(*register))
            })
            .map(|(register, _)| *register)
            .collect();
        registers.into_iter().for_each(|register| heap.set_register(register, Value::Any));
        let mut stale: Vec<(NodeId, u64, u64)> = Vec::new();
        for (global, node) in &heap.globals {
            let Some(object) = heap.object(*node) else { continue };
            for field in &object.fields {
                let variable = Variable::Memory(Base::Global(*global), field.offset as i64);
                if leads_to_cells(heap, field.value)
                    && self.insertions.memory.contains(&variable)
                    && self.is_useless(group, (context, location), variable)
                {
                    stale.push((*node, field.offset, field.bytes));
                }
            }
        }
        for (node, offset, bytes) in stale {
            if let Some(object) = heap.object_mut(node) {
                object.store(offset, bytes, Value::Any);
            }
        }
    }

    /// What a caller keeps of a register over a call.
    pub(super) fn remembered(
        &self,
        heap: &Heap,
        group: GroupId,
        after: (ContextId, LocationId),
        register: RegisterId,
    ) -> Value {
        match heap.register(register) {
            Value::Pointer(pointer)
                if is_owned(heap.node(pointer.node)) && self.is_useless(group, after, Variable::Register(register)) =>
            {
                Value::Any
            }
            value => value,
        }
    }

    pub(super) fn leave_frame(&mut self, step: StepId, function: &Function, heap: &mut Heap) -> bool {
        if let Some(result) = function.result
            && let Some(node) = heap.register(result).node()
            && heap.object(node).is_some_and(|object| object.storage == Storage::Local)
            && self.context.options.asks_for(Kind::DanglingReturn)
            && matches!(self.context.program.ty(function.registers[result].ty), Type::Pointer(_))
        {
            self.doubt(step, Kind::DanglingReturn, "the address of a local is returned");
            return false;
        }
        heap.end_locals();
        true
    }

    /// Normal forms; cells that nothing leads to are `true` of their regions.
    pub(super) fn normalised(&self, heap: Heap) -> Vec<Heap> {
        let definitions = &self.context.definitions;
        let mut work = vec![heap];
        let mut done = Vec::new();
        while let Some(mut heap) = work.pop() {
            let lost = heap.unreached_regions(definitions);
            match heap.normalise(definitions) {
                Ok(_) => {
                    self.just_lost.borrow_mut().extend(lost.iter().copied());
                    lost.into_iter().for_each(|region| heap.add_truth(region));
                    done.push(heap);
                }
                Err(doubtful) => work.extend(decide_empty(&heap, doubtful, definitions)),
            }
        }
        done
    }

    /// A cell is lost where the last component that knew it loses it: now all of them have `true` of its region.
    pub(super) fn look_for_leaks(&mut self, step: StepId, after: &Row) {
        let just_lost = std::mem::take(&mut *self.just_lost.borrow_mut());
        let is_lost_in = |heaps: &Vec<HeapId>, region: Region| {
            heaps.iter().any(|id| self.heap(*id).truths.binary_search(&region).is_ok())
        };
        let is_lost = |region: &Region| after.iter().all(|heaps| is_lost_in(heaps, *region));
        if just_lost.iter().any(is_lost) {
            self.doubt(step, Kind::Leak, "heap storage is lost: nothing points to it any more");
        }
    }
}
