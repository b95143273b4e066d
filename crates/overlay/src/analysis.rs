//! The fixpoint: sets of symbolic heaps per location, on the shared core.

use crate::calls::{Cut, Handed, UsedGlobals, start};
use crate::chunk::Merging;
use crate::fold::fold;
use crate::fold_array::fold_arrays;
use crate::footprint::{Footprint, Footprints, Given};
use crate::heap::{Heap, Lost, Node, Storage, Value, is_owned};
use crate::predicate::Definitions;
use crate::reread::Reread;
use crate::transfer::{Applied, Arrays, Comparisons, Context, Entries};
use crate::unfold::is_circular;
use crate::unify::{Numbers, Policy, join};
use heapwise_engine::reason::{CallGap, GapReason, SymbolicGap};
use heapwise_engine::{Control, Exhausted, Kind};
use heapwise_fixpoint::{
    Analysis, At, FactId, Leaving, Placement, PointId, ProgramFlow, Solver, StepId, StepOrigin, Successors, TableView,
};
use heapwise_ir::entity::{EntityRef, SecondaryMap};
use heapwise_ir::{
    AnyAddressTaken, Body, CallGraph, Callee, EdgeId, Function, FunctionId, Instruction, Liveness, LocationId, Loops,
    Operand, RegisterId, RegisterOrigin, Type,
};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::rc::Rc;

/// What becomes of registers that are not read again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Retention {
    /// They go.
    Live,
    /// Variables stay as long as the programmer sees them: they may hold the last reference to a cell.
    Held,
}

/// A heap, by its place in the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HeapId(u32);

/// An error that the analysis cannot exclude.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspicion {
    /// The step that fails.
    pub step: StepId,
    /// How.
    pub kind: Kind,
    /// In words.
    pub message: String,
    /// The heap before it.
    pub fact: FactId,
}

/// Most nodes of a heap.
const MOST_NODES: usize = 400;

pub(crate) struct Shapes<'p, 'c> {
    pub(crate) context: &'c Context<'p>,
    pub(crate) flow: &'c ProgramFlow,
    control: Control,
    pub(crate) heaps: IndexSet<Heap, FxBuildHasher>,
    liveness: SecondaryMap<FunctionId, Option<Liveness>>,
    loop_heads: Vec<bool>,
    /// Whether ways meet at a point.
    joins: Vec<bool>,
    /// The edges that lead back to the head of their loop.
    back_edges: FxHashSet<(FunctionId, EdgeId)>,
    /// The heaps that came to each point at which loops or recursion come round.
    seen: SecondaryMap<PointId, Vec<HeapId>>,
    /// How many new ones came round, and how many came from outside.
    rounds: SecondaryMap<PointId, usize>,
    entries: SecondaryMap<PointId, usize>,
    /// The most nodes of a heap that came from outside.
    largest_entry: SecondaryMap<PointId, usize>,
    recursive: SecondaryMap<FunctionId, bool>,
    used: UsedGlobals,
    /// Where functions that call themselves are given what they look at only.
    footprints: Option<Footprints>,
    reread: SecondaryMap<FunctionId, Option<Reread>>,
    retention: Retention,
    pub(crate) suspicions: IndexMap<(StepId, Kind), Suspicion, FxBuildHasher>,
    pub(crate) gaps: IndexSet<(StepId, GapReason), FxBuildHasher>,
}

/// The result of a run.
pub struct Fixpoint<'f, 'p, 'c> {
    pub(crate) solver: Solver<'f, Shapes<'p, 'c>>,
    /// What ran out, if anything did.
    pub exhausted: Option<Exhausted>,
}

/// Runs the analysis.
pub fn run<'f, 'p, 'c>(
    context: &'c Context<'p>,
    flow: &'c ProgramFlow,
    retention: Retention,
    given: Given,
    control: &Control,
) -> Fixpoint<'f, 'p, 'c>
where
    'c: 'f,
{
    let mut liveness: SecondaryMap<FunctionId, Option<Liveness>> = SecondaryMap::new();
    let mut reread: SecondaryMap<FunctionId, Option<Reread>> = SecondaryMap::new();
    let mut loop_heads = vec![false; flow.points.len()];
    for found in flow.contexts.values() {
        let function = &context.program.functions[found.function];
        liveness[found.function] = Liveness::of(function);
        reread[found.function] = Reread::of(context.program, function);
    }
    let mut loops: SecondaryMap<FunctionId, Option<Loops>> = SecondaryMap::new();
    let mut back_edges: FxHashSet<(FunctionId, EdgeId)> = FxHashSet::default();
    for (point, origin) in &flow.points {
        let function = flow.contexts[origin.context].function;
        let Some(automaton) = context.program.functions[function].automaton() else { continue };
        let loops = loops[function].get_or_insert_with(|| {
            let found = Loops::of(automaton);
            let edges = found.loops.iter().flat_map(|one| &one.back_edges).chain(&found.irreducible);
            back_edges.extend(edges.map(|edge| (function, *edge)));
            found
        });
        let enters_cycle = loops.irreducible.iter().any(|edge| automaton.edges[*edge].to == origin.location);
        loop_heads[point.index()] = loops.is_head(origin.location) || enters_cycle;
    }
    let graph = CallGraph::of(context.program, &AnyAddressTaken);
    let mut recursive: SecondaryMap<FunctionId, bool> = SecondaryMap::new();
    for found in flow.contexts.values() {
        recursive[found.function] = graph.is_recursive(found.function);
    }
    let is_needed = given == Given::Footprint && flow.contexts.values().any(|found| recursive[found.function]);
    let footprints = is_needed.then(|| Footprints::new(context.program));
    let joins = flow.points.keys().map(|point| flow.flow.incoming(point).len() != 1).collect();
    let shapes = Shapes {
        context,
        flow,
        control: control.clone(),
        joins,
        back_edges,
        seen: SecondaryMap::new(),
        rounds: SecondaryMap::new(),
        entries: SecondaryMap::new(),
        largest_entry: SecondaryMap::new(),
        recursive,
        heaps: IndexSet::default(),
        liveness,
        loop_heads,
        used: UsedGlobals::new(graph),
        footprints,
        reread,
        retention,
        suspicions: IndexMap::default(),
        gaps: IndexSet::default(),
    };
    let mut solver = Solver::new(&flow.flow, shapes);
    let first = start(context);
    for (heap, _) in context.normalised(first) {
        let id = solver.analysis.intern(heap);
        solver.start(flow.start, id);
    }
    let exhausted = solver.run(control).err();
    Fixpoint { solver, exhausted }
}

impl Fixpoint<'_, '_, '_> {
    /// Goes on where it was stopped.
    pub fn go_on(&mut self, control: &Control) {
        self.exhausted = self.solver.run(control).err();
    }

    /// The heaps at a location, over all entries of its function.
    pub fn heaps_at(&self, function: FunctionId, location: LocationId) -> Vec<&Heap> {
        let shapes = &self.solver.analysis;
        let points = shapes.flow.points_of(function, location);
        points.flat_map(|point| self.solver.elements_at(point)).map(|id| shapes.heap(*id)).collect()
    }
}

/// How a heap comes to a point at which runs come round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arrival {
    /// From outside of the loop.
    Entry,
    /// From within it.
    Round,
}

fn handed<'f>(definitions: &'f Definitions, footprint: Option<&'f Footprint>) -> Handed<'f> {
    footprint.map_or(Handed::All, |footprint| Handed::Footprint(footprint, definitions))
}

/// Whether some instance leads back to itself.
fn has_ring(heap: &Heap) -> bool {
    heap.nodes().any(|(id, node)| matches!(node, Node::Instance(instance) if is_circular(instance, id)))
}

/// So many heaps from outside are kept as they are.
const MOST_ENTRIES: usize = 12;

/// What may be given up where so many heaps came round before.
pub(crate) fn policy(n_rounds: usize) -> Option<Policy> {
    match n_rounds {
        0..3 => None,
        3..5 => Some(Policy { numbers: Numbers::Widen, emptiness: false, values: false }),
        5..9 => Some(Policy { numbers: Numbers::Widen, emptiness: true, values: false }),
        _ => Some(Policy { numbers: Numbers::Widen, emptiness: true, values: true }),
    }
}

impl<'p> Shapes<'p, '_> {
    pub(crate) fn intern(&mut self, heap: Heap) -> HeapId {
        HeapId(self.heaps.insert_full(heap).0 as u32)
    }

    pub(crate) fn heap(&self, id: HeapId) -> &Heap {
        &self.heaps[id.0 as usize]
    }

    pub(crate) fn instruction(
        &self,
        step: StepId,
    ) -> Option<(FunctionId, &'p Function, EdgeId, &'p heapwise_ir::Edge)> {
        let StepOrigin::Instruction { context, edge, .. } = self.flow.steps[step] else { return None };
        let function = self.flow.contexts[context].function;
        let definition = &self.context.program.functions[function];
        Some((function, definition, edge, &definition.automaton()?.edges[edge]))
    }

    fn is_kept(&self, function: FunctionId, location: LocationId, register: RegisterId) -> bool {
        let Some(liveness) = &self.liveness[function] else { return true };
        let definition = &self.context.program.functions[function];
        let is_exit = definition.automaton().is_some_and(|automaton| automaton.exit == location);
        match self.retention {
            Retention::Held if !is_exit => {
                let is_temporary = definition.registers[register].origin == RegisterOrigin::Temporary;
                liveness.is_live(location, register) || !is_temporary
            }
            Retention::Held | Retention::Live => liveness.is_live(location, register),
        }
    }

    fn suspect(&mut self, step: StepId, fact: FactId, kind: Kind, message: String) {
        self.suspicions.entry((step, kind)).or_insert(Suspicion { step, kind, message, fact });
    }

    fn note(&mut self, step: StepId, fact: FactId, applied: &Applied) {
        for (kind, message) in &applied.errors {
            self.suspect(step, fact, *kind, message.clone());
        }
        for gap in &applied.gaps {
            self.gaps.insert((step, gap.clone()));
        }
        for heap in &applied.exits {
            self.end_program(step, heap);
        }
    }

    /// The program ends with this heap.
    fn end_program(&mut self, step: StepId, heap: &Heap) {
        if self.context.options.asks_for(Kind::LeakAtExit) && heap.nodes().any(|(_, node)| is_owned(node)) {
            self.gaps.insert((step, SymbolicGap::ReachableAtExit.into()));
        }
    }

    /// A heap arrives at the end of a step.
    fn arrive(&mut self, step: StepId, fact: FactId, mut heap: Heap, out: &mut Successors<HeapId>) {
        let Some((function, definition, edge_id, edge)) = self.instruction(step) else { return };
        let is_exit = definition.automaton().is_some_and(|automaton| automaton.exit == edge.to);
        if is_exit && !self.leave_frame(step, fact, definition, &mut heap) {
            return;
        }
        let kept: Vec<_> =
            heap.registers.iter().copied().filter(|(register, _)| self.is_kept(function, edge.to, *register)).collect();
        heap.registers = kept;
        let to = self.flow.flow.step(step).to;
        if self.joins[to.index()] {
            heap.recentre_walks();
        }
        if self.context.arrays == Arrays::On {
            let is_number = |register: RegisterId| {
                let is_read =
                    self.liveness[function].as_ref().is_none_or(|liveness| liveness.is_live(edge.to, register));
                is_read && matches!(self.context.program.ty(definition.registers[register].ty), Type::Int(_))
            };
            fold_arrays(&mut heap, &self.context.layouts, &self.context.definitions, &is_number);
        }
        if self.joins[to.index()]
            && let Some(reread) = &self.reread[function]
        {
            if self.context.comparisons == Comparisons::AskedAgain {
                reread.forget_facts(edge.to, &mut heap);
            }
            heap.forget_terms();
        }
        for (heap, lost) in self.context.normalised(heap) {
            if lost == Lost::Cells {
                self.suspect(step, fact, Kind::Leak, "heap storage is lost: nothing points to it any more".into());
            }
            if heap.n_nodes() > MOST_NODES {
                self.gaps.insert((step, SymbolicGap::TooManyCells.into()));
                continue;
            }
            if is_exit && function == self.context.options.entry {
                self.end_program(step, &heap);
            }
            let is_round = self.back_edges.contains(&(function, edge_id)) || is_exit && self.recursive[function];
            let heap = match is_round {
                true => self.generalise(to, heap, Arrival::Round),
                false if self.is_loop_head(to) => self.generalise(to, heap, Arrival::Entry),
                false => heap,
            };
            let id = self.intern(heap);
            out.push(id);
        }
    }

    /// What is kept of a heap at a point to which runs come again and again: cells are folded, and heaps that differ in details
    /// only are joined, so that there are finitely many.
    fn generalise(&mut self, point: PointId, heap: Heap, arrival: Arrival) -> Heap {
        // So many heaps are kept as they are, then structures of any size are looked for.
        const UNFOLDED: usize = 2;
        const GROWTH: usize = 3;
        const FEW_ENTRIES: usize = 4;
        let n_seen = self.seen[point].len();
        let n_rounds = match arrival {
            // Each heap from outside may come round for itself.
            Arrival::Round => {
                self.rounds[point] / self.entries[point].clamp(1, 4) + n_seen.saturating_sub(MOST_ENTRIES)
            }
            Arrival::Entry => n_seen.saturating_sub(MOST_ENTRIES),
        };
        // Whatever came from outside, it has come round often enough where it has grown by that much.
        let has_grown =
            arrival == Arrival::Round && self.entries[point] > 0 && heap.n_nodes() > self.largest_entry[point] + GROWTH;
        if arrival == Arrival::Entry {
            self.largest_entry[point] = self.largest_entry[point].max(heap.n_nodes());
        }
        let mut heap = heap;
        // Up to so many, structures of similar elements only.
        const SIMILAR: usize = 6;
        let merging = if n_rounds < SIMILAR { Merging::Similar } else { Merging::Alternatives };
        if n_rounds >= UNFOLDED || has_grown {
            heap = self.folded(heap, merging);
        } else if self.context.entries == Entries::Folded && arrival == Arrival::Entry && n_seen >= FEW_ENTRIES {
            // What comes out of one loop in many lengths need not go into the next one so. (Where a ring begins may matter.)
            let folded = self.folded(heap.clone(), merging);
            if !has_ring(&folded) {
                heap = folded;
            }
        }
        let id = self.intern(heap);
        if self.seen[point].contains(&id) {
            return self.heap(id).clone();
        }
        match arrival {
            Arrival::Round => self.rounds[point] += 1,
            Arrival::Entry => self.entries[point] += 1,
        }
        if let Some(policy) = policy(n_rounds.saturating_sub(self.context.unrolled)) {
            for index in (0..n_seen).rev() {
                if self.control.check(0, 0).is_err() {
                    break;
                }
                let older = self.heap(self.seen[point][index]).clone();
                let newer = self.heap(id).clone();
                if let Some(joined) = self.joined(&older, &newer, policy) {
                    let joined = self.folded(joined, merging);
                    let joined = self.intern(joined);
                    self.seen[point][index] = joined;
                    return self.heap(joined).clone();
                }
            }
        }
        self.seen[point].push(id);
        self.heap(id).clone()
    }

    fn folded(&self, heap: Heap, merging: Merging) -> Heap {
        let folded = fold(&heap, &self.context.layouts, &self.context.definitions, merging);
        self.normal_or(folded, heap)
    }

    /// A folded heap in normal form; the other one if it has none.
    fn normal_or(&self, folded: Heap, heap: Heap) -> Heap {
        let mut normal = self.context.normalised(folded);
        match (normal.pop(), normal.is_empty()) {
            (Some((folded, Lost::Nothing)), true) => folded,
            _ => heap,
        }
    }

    fn joined(&self, older: &Heap, newer: &Heap, policy: Policy) -> Option<Heap> {
        let (older, newer) = self.context.aligned(older, newer);
        let joined = join(&older, &newer, &self.context.definitions, policy, &self.context.thresholds)?;
        let mut normal = self.context.normalised(joined);
        match (normal.pop(), normal.is_empty()) {
            (Some((heap, Lost::Nothing)), true) => Some(heap),
            _ => None,
        }
    }

    /// The frame ends; false if that is an error.
    fn leave_frame(&mut self, step: StepId, fact: FactId, definition: &Function, heap: &mut Heap) -> bool {
        if let Some(result) = definition.result
            && let Some(node) = heap.register(result).node()
            && heap.object(node).is_some_and(|object| object.storage == Storage::Local)
            && self.context.options.asks_for(Kind::DanglingReturn)
            && matches!(self.context.program.ty(definition.registers[result].ty), Type::Pointer(_))
        {
            self.suspect(step, fact, Kind::DanglingReturn, "the address of a local is returned".into());
            return false;
        }
        heap.end_locals();
        true
    }

    fn call(
        &mut self,
        at: &At<'_, HeapId>,
        function: &'p Function,
        edge: &'p heapwise_ir::Edge,
        out: &mut Successors<HeapId>,
    ) {
        let Instruction::Call { target, callee: edge_callee, arguments } = &edge.instruction else { return };
        let (step, fact) = (at.step(), at.fact());
        let heap = self.heap(*at.element()).clone();
        let (callees, applied) = self.callees(function, *edge_callee, &heap);
        self.note(step, fact, &applied);
        let pointer = match edge_callee {
            Callee::Direct(_) => None,
            Callee::Indirect(pointer) => Some(*pointer),
        };
        for (callee, heap) in callees {
            let program = self.context.program;
            let definition = &program.functions[callee];
            if pointer.is_some_and(|pointer| !program.is_callable_through(function, pointer, *target, callee)) {
                self.gaps.insert((step, CallGap::OtherType { function: definition.name.clone() }.into()));
                continue;
            }
            match &definition.body {
                Body::Extern(effects) => {
                    let applied = self.context.call_extern(function, &heap, callee, effects, *target, arguments);
                    self.note(step, fact, &applied);
                    for heap in applied.heaps {
                        self.arrive(step, fact, heap, out);
                    }
                }
                Body::Defined(_) => self.enter(at, function, edge, callee, &heap, arguments, out),
            }
        }
    }

    /// Whom a call reaches, with the heap in which it does.
    fn callees(&self, function: &'p Function, callee: Callee, heap: &Heap) -> (Vec<(FunctionId, Heap)>, Applied) {
        match callee {
            Callee::Direct(callee) => (vec![(callee, heap.clone())], Applied::default()),
            Callee::Indirect(operand) => {
                let mut found = Vec::new();
                let applied = self.context.run(function, heap, |executor| {
                    let value = executor.operand(operand, None)?;
                    match executor.used(value, None)? {
                        Value::Function(callee) => {
                            found.push((callee, executor.heap.clone()));
                            Ok(())
                        }
                        Value::Number(0) => executor.error(Kind::NullDereference, "a null function pointer is called"),
                        Value::Number(_) | Value::Library => {
                            executor.error(Kind::OutOfBounds, "what is called is no function")
                        }
                        Value::Pointer(pointer) => {
                            executor.cell(pointer)?;
                            executor.error(Kind::OutOfBounds, "what is called is no function")
                        }
                        Value::Indexed { .. } | Value::Any | Value::Symbol(_) | Value::Top | Value::Uninitialised => {
                            executor.gap(SymbolicGap::UnknownFunctionCalled)
                        }
                    }
                });
                (found, applied)
            }
        }
    }

    fn arguments(
        &self,
        function: &'p Function,
        callee: FunctionId,
        heap: &Heap,
        arguments: &[Operand],
    ) -> Option<(Heap, Vec<Value>)> {
        let definition = &self.context.program.functions[callee];
        if arguments.len() < definition.parameters.len() {
            return None;
        }
        let mut values = Vec::new();
        let applied = self.context.run(function, heap, |executor| {
            for (argument, parameter) in arguments.iter().zip(&definition.parameters) {
                values.push(executor.typed(*argument, definition.registers[*parameter].ty)?);
            }
            Ok(())
        });
        applied.heaps.into_iter().next().map(|heap| (heap, values))
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one call")]
    fn enter(
        &mut self,
        at: &At<'_, HeapId>,
        function: &'p Function,
        edge: &'p heapwise_ir::Edge,
        callee: FunctionId,
        heap: &Heap,
        arguments: &[Operand],
        out: &mut Successors<HeapId>,
    ) {
        let step = at.step();
        let caller = self.flow.function_at(at.from());
        let Some(procedure) = self.flow.procedure(callee) else {
            self.gaps.insert((step, SymbolicGap::UnexpectedCallee.into()));
            return;
        };
        let Some((heap, values)) = self.arguments(function, callee, heap, arguments) else {
            self.gaps.insert((step, SymbolicGap::TooFewArguments.into()));
            return;
        };
        let definition = &self.context.program.functions[callee];
        let used = self.used.of(self.context.program, callee);
        let footprint = self.footprint(callee);
        let handed = handed(&self.context.definitions, footprint.as_deref());
        let cut = Cut::new(&heap, &values, &used, &handed, |register| self.is_kept_across(caller, edge, register));
        let mut entry = cut.entry(&heap, &definition.parameters, &values);
        if let Some(automaton) = definition.automaton() {
            let kept: Vec<_> = entry
                .registers
                .iter()
                .copied()
                .filter(|(register, _)| self.is_kept(callee, automaton.entry, *register))
                .collect();
            entry.registers = kept;
        }
        for (entry, lost) in self.context.normalised(entry) {
            if lost == Lost::Cells {
                // An argument that nobody looks at held the last reference.
                self.suspect(step, at.fact(), Kind::Leak, "heap storage is lost: nothing points to it any more".into());
            }
            let point = self.flow.flow.entry(procedure);
            let entry = if self.recursive[callee] { self.generalise(point, entry, Arrival::Round) } else { entry };
            let id = self.intern(entry);
            out.enter(procedure, id);
        }
    }

    /// What a function that calls itself is given; none for all that its arguments lead to.
    fn footprint(&mut self, callee: FunctionId) -> Option<Rc<Footprint>> {
        let footprints = self.footprints.as_mut().filter(|_| self.recursive[callee])?;
        Some(footprints.of(self.context.program, &self.used.graph, callee))
    }

    fn is_kept_across(&self, caller: FunctionId, edge: &heapwise_ir::Edge, register: RegisterId) -> bool {
        match self.retention {
            Retention::Live => edge.instruction.target() != Some(register) && self.is_kept(caller, edge.to, register),
            // What the result will overwrite is held until then.
            Retention::Held => {
                let origin = self.context.program.functions[caller].registers[register].origin;
                origin != RegisterOrigin::Temporary || self.is_kept(caller, edge.to, register)
            }
        }
    }
}

impl Analysis for Shapes<'_, '_> {
    type Element = HeapId;
    type Key = ();

    fn post(&mut self, at: &At<'_, HeapId>, out: &mut Successors<HeapId>) {
        let Some((_, function, _, edge)) = self.instruction(at.step()) else { return };
        if let Instruction::Call { .. } = edge.instruction {
            self.call(at, function, edge, out);
            return;
        }
        let heap = self.heap(*at.element()).clone();
        let applied = self.context.apply(function, &edge.instruction, &heap);
        self.note(at.step(), at.fact(), &applied);
        for heap in applied.heaps {
            self.arrive(at.step(), at.fact(), heap, out);
        }
    }

    fn place(&mut self, new: &HeapId, table: &TableView<'_, HeapId>) -> Placement {
        if !self.joins[table.point().index()] {
            return Placement::Add;
        }
        let heap = self.heap(*new);
        let mut superseded = Vec::new();
        for (fact, known) in table.elements() {
            // The run ends at the next look: what is not found out here is not missed.
            if self.control.check(0, 0).is_err() {
                return Placement::Add;
            }
            let known = self.heap(*known);
            if self.context.entails(heap, known) {
                return Placement::CoveredBy(fact);
            }
            if self.context.entails(known, heap) {
                superseded.push(fact);
            }
        }
        if superseded.is_empty() { Placement::Add } else { Placement::Supersede(superseded) }
    }

    fn leave(&mut self, leaving: &Leaving<'_, HeapId>, out: &mut Successors<HeapId>) {
        let Some((caller, function, _, edge)) = self.instruction(leaving.step()) else { return };
        let Instruction::Call { target, callee: called, arguments } = &edge.instruction else { return };
        let Some(caller_heap) = leaving.caller().copied() else { return };
        let callee = self.flow.function_at(self.flow.flow.entry(leaving.procedure()));
        let definition = &self.context.program.functions[callee];
        let heap = self.heap(caller_heap).clone();
        let exit = self.heap(*leaving.exit()).clone();
        let (callees, _) = self.callees(function, *called, &heap);
        for (found, heap) in callees {
            if found != callee {
                continue;
            }
            let Some((heap, values)) = self.arguments(function, callee, &heap, arguments) else { continue };
            let used = self.used.of(self.context.program, callee);
            let footprint = self.footprint(callee);
            let kept = |register| self.is_kept_across(caller, edge, register);
            let cut = Cut::new(&heap, &values, &used, &handed(&self.context.definitions, footprint.as_deref()), kept);
            let result = definition.result.map_or(Value::Uninitialised, |result| exit.register(result));
            let target = target.map(|target| (target, result));
            let back = cut.leave(&heap, &exit, target, kept);
            self.arrive(leaving.step(), leaving.exit_fact(), back, out);
        }
    }

    /// Comparing one heap with all that are known may take as long as many small ones.
    fn pause(&self) -> u64 {
        1
    }

    fn bytes(&self, element: &HeapId) -> usize {
        64 * self.heap(*element).n_nodes() + 256
    }
}

impl Shapes<'_, '_> {
    /// Whether a loop starts at the point.
    pub(crate) fn is_loop_head(&self, point: PointId) -> bool {
        self.loop_heads[point.index()]
    }
}
