//! The main analysis (paper, section 9): invariants per point, and `moveRgn` found on the way.
//!
//! A *row* has a set of heaps per component. The product keeps one row per point, D1 × … × Dn; the coupled analysis keeps a
//! set of rows with one heap each, P(SH1 × … × SHn). Everything below is the same for both.

use super::component::{Component, Seen};
use super::insert::{Insertions, Trans};
use super::reveal::{known, read, told, write};
use super::variable::{Base, Variable};
use crate::analysis::{Retention, policy};
use crate::calls::start;
use crate::chunk::Merging;
use crate::fold::{Trees, fold_all_but};
use crate::groups::{GroupId, Groups, Owner};
use crate::heap::{Heap, Lost, NodeId, Region, Storage, Value, is_owned};
use crate::layouts::layouts_within;
use crate::predicate::Layout;
use crate::transfer::{Applied, Context, global_node};
use crate::unfold::decide_empty;
use crate::unify::join;
use heapwise_engine::reason::{GapReason, SymbolicGap};
use heapwise_engine::{Control, Exhausted, Kind};
use heapwise_fixpoint::{ContextId, PointId, ProgramFlow, StepId, StepOrigin};
use heapwise_ir::entity::{EntityRef, SecondaryMap};
use heapwise_ir::{
    Body, Callee, EdgeId, Function, FunctionId, Instruction, Liveness, LocationId, Loops, Operand, RegisterId,
    RegisterOrigin, Type,
};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How components are kept together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Apart, with ghost instructions.
    Product,
    /// As tuples, with facts exchanged at every step.
    Coupled,
}

/// A heap, by its place in the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HeapId(u32);

/// The heaps of each component.
pub type Row = Vec<Vec<HeapId>>;

/// An error that the components cannot exclude together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doubt {
    /// The step that fails.
    pub step: StepId,
    /// How.
    pub kind: Kind,
    /// In words.
    pub message: String,
}

/// All of a region goes into another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MoveRegion {
    /// The fresher one.
    pub from: Region,
    /// The older one.
    pub to: Region,
}

/// Where a region comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Site {
    /// Before the program.
    Initial(u16),
    /// An allocation.
    Allocation(ContextId, EdgeId),
    /// `move` of the cell of a register behind an edge.
    Move(ContextId, EdgeId, RegisterId),
}

/// The result.
pub struct Solution<'p, 'c> {
    pub(super) context: &'c Context<'p>,
    pub(super) flow: &'c ProgramFlow,
    pub(super) groups: &'c Groups,
    pub(super) insertions: &'c Insertions,
    mode: Mode,
    retention: Retention,
    heaps: IndexSet<Heap, FxBuildHasher>,
    layouts: Vec<Vec<Rc<Layout>>>,
    liveness: SecondaryMap<FunctionId, Option<Liveness>>,
    /// Registers that hold the addresses of locals.
    autos: SecondaryMap<FunctionId, Vec<RegisterId>>,
    loop_heads: Vec<bool>,
    regions: IndexMap<Site, Region, FxBuildHasher>,
    rows: Vec<Vec<Row>>,
    /// `moveRgn` at each point (A of section 9), in the order in which it was found.
    pub(super) merges: BTreeMap<PointId, Vec<MoveRegion>>,
    cache: FxHashMap<(StepId, u8, HeapId), (Rc<Applied>, Seen)>,
    /// What cannot be excluded.
    pub doubts: IndexMap<(StepId, Kind), Doubt, FxBuildHasher>,
    /// What was not followed.
    pub gaps: IndexSet<(StepId, GapReason), FxBuildHasher>,
    /// What ran out, if anything did.
    pub exhausted: Option<Exhausted>,
    /// `trans` instructions that were run.
    pub transferred: IndexSet<(ContextId, EdgeId, Trans), FxBuildHasher>,
    n_rows: u64,
    /// Regions of which a component lost cells in the step at hand.
    just_lost: RefCell<BTreeSet<Region>>,
}

/// Most heaps of one component at one point.
const MOST_HEAPS: usize = 200;
/// Most tuples at one point.
const MOST_ROWS: usize = 20_000;
/// Most nodes of a heap.
const MOST_NODES: usize = 200;

/// Runs the analysis from the start of the program.
pub fn solve<'p, 'c>(
    context: &'c Context<'p>,
    flow: &'c ProgramFlow,
    groups: &'c Groups,
    insertions: &'c Insertions,
    (mode, retention): (Mode, Retention),
    control: &Control,
) -> Solution<'p, 'c> {
    let mut solution = Solution::new(context, flow, groups, insertions, mode, retention);
    let heap = start(context);
    let row = groups.ids().map(|_| vec![solution.intern(heap.clone())]).collect();
    solution.run(row, control);
    solution
}

impl<'p, 'c> Solution<'p, 'c> {
    /// Nothing is reached yet.
    pub fn new(
        context: &'c Context<'p>,
        flow: &'c ProgramFlow,
        groups: &'c Groups,
        insertions: &'c Insertions,
        mode: Mode,
        retention: Retention,
    ) -> Solution<'p, 'c> {
        let mut liveness: SecondaryMap<FunctionId, Option<Liveness>> = SecondaryMap::new();
        let mut autos: SecondaryMap<FunctionId, Vec<RegisterId>> = SecondaryMap::new();
        let mut loops: SecondaryMap<FunctionId, Option<Loops>> = SecondaryMap::new();
        for found in flow.contexts.values() {
            let function = &context.program.functions[found.function];
            liveness[found.function] = Liveness::of(function);
            let Some(automaton) = function.automaton() else { continue };
            loops[found.function] = Some(Loops::of(automaton));
            autos[found.function] = automaton
                .edges
                .values()
                .filter_map(|edge| match &edge.instruction {
                    Instruction::Alloc { target, storage: heapwise_ir::Storage::Auto, .. } => Some(*target),
                    _ => None,
                })
                .collect();
        }
        let loop_heads = flow
            .points
            .values()
            .map(|origin| {
                let function = flow.contexts[origin.context].function;
                let automaton = context.program.functions[function].automaton();
                loops[function].as_ref().zip(automaton).is_some_and(|(loops, automaton)| {
                    loops.is_head(origin.location)
                        || loops.irreducible.iter().any(|edge| automaton.edges[*edge].to == origin.location)
                })
            })
            .collect();
        let is_followed = |group: GroupId, size: u64, link: i64| {
            let owner = groups.owner_of_size(size, u64::try_from(link).unwrap_or(0), context.pointer_bytes());
            owner == Owner::Shared || owner == Owner::Group(group)
        };
        // A list by one link of a doubly linked one would take in cells that have left it and still lead there.
        let is_part = |layout: &Layout, other: &Layout| {
            (layout.size, layout.entry) == (other.size, other.entry)
                && layout.links.len() < other.links.len()
                && layout.links.iter().all(|link| other.links.contains(link))
        };
        let layouts = groups
            .ids()
            .map(|group| {
                let follows = |size: u64, link: i64| is_followed(group, size, link);
                let all = layouts_within(context.program, &context.definitions, &follows);
                all.iter().filter(|layout| !all.iter().any(|other| is_part(layout, other))).cloned().collect()
            })
            .collect();
        Solution {
            context,
            flow,
            groups,
            insertions,
            mode,
            retention,
            heaps: IndexSet::default(),
            layouts,
            liveness,
            autos,
            loop_heads,
            regions: IndexMap::default(),
            rows: vec![Vec::new(); flow.points.len()],
            merges: BTreeMap::new(),
            cache: FxHashMap::default(),
            doubts: IndexMap::default(),
            gaps: IndexSet::default(),
            exhausted: None,
            transferred: IndexSet::default(),
            n_rows: 0,
            just_lost: RefCell::default(),
        }
    }

    /// A region from before the program.
    pub fn initial_region(&mut self, number: u16) -> Region {
        self.region(Site::Initial(number))
    }

    fn region(&mut self, site: Site) -> Region {
        if self.mode == Mode::Coupled {
            return Region(1);
        }
        let next = Region(self.regions.len() as u16 + 1);
        *self.regions.entry(site).or_insert(next)
    }

    /// Puts a heap into the table.
    pub fn intern(&mut self, heap: Heap) -> HeapId {
        HeapId(self.heaps.insert_full(heap).0 as u32)
    }

    /// A heap of the table.
    pub fn heap(&self, id: HeapId) -> &Heap {
        &self.heaps[id.0 as usize]
    }

    /// The rows at a point.
    pub fn rows_at(&self, point: PointId) -> &[Row] {
        &self.rows[point.index()]
    }

    /// How many heaps there are at all points together.
    pub fn n_elements(&self) -> u64 {
        self.rows.iter().flatten().flatten().map(|heaps| heaps.len() as u64).sum()
    }

    /// Goes on from a row at the start until nothing changes.
    pub fn run(&mut self, first: Row, control: &Control) {
        let entry = self.flow.flow.entry(self.flow.start);
        self.rows[entry.index()] = self.tuples(first);
        let mut waiting: BTreeSet<(u32, PointId)> = BTreeSet::new();
        waiting.insert((self.flow.flow.rank(entry), entry));
        while let Some((_, point)) = waiting.pop_first() {
            if let Err(why) = control.check(self.n_rows, 256 * self.heaps.len() as u64) {
                self.exhausted = Some(why);
                return;
            }
            for step in self.flow.flow.outgoing(point).to_vec() {
                let to = self.flow.flow.step(step).to;
                let mut changed = false;
                let mut arriving: Vec<Row> = Vec::new();
                for row in self.rows[point.index()].clone() {
                    self.n_rows += 1;
                    if self.mode == Mode::Coupled
                        && self.n_rows.is_multiple_of(64)
                        && let Err(why) = control.check(self.n_rows, 256 * self.heaps.len() as u64)
                    {
                        self.exhausted = Some(why);
                        return;
                    }
                    if let Some(row) = self.transfer(step, &row) {
                        self.look_for_leaks(step, &row);
                        arriving.extend(self.tuples(row));
                    }
                }
                let is_join = self.flow.flow.incoming(to).len() != 1 || self.is_abstracted(to);
                if is_join {
                    for row in arriving {
                        changed |= self.join_into(step, to, row);
                    }
                } else if self.rows[to.index()] != arriving {
                    self.rows[to.index()] = arriving;
                    changed = true;
                }
                if changed {
                    waiting.insert((self.flow.flow.rank(to), to));
                }
            }
        }
    }

    /// In the coupled analysis, every combination by itself.
    fn tuples(&self, row: Row) -> Vec<Row> {
        if self.mode == Mode::Product {
            return vec![row];
        }
        let mut tuples: Vec<Row> = vec![Vec::new()];
        for heaps in row {
            let longer = |tuple: &Row| heaps.iter().map(|heap| [tuple.clone(), vec![vec![*heap]]].concat()).collect();
            tuples = tuples.iter().flat_map(|tuple| -> Vec<Row> { longer(tuple) }).collect();
        }
        tuples
    }

    fn function_of(&self, context: ContextId) -> (FunctionId, &'p Function) {
        let id = self.flow.contexts[context].function;
        (id, &self.context.program.functions[id])
    }

    fn component(&self, group: GroupId) -> Component<'c, 'p> {
        Component { context: self.context, groups: self.groups, group }
    }

    /// Points at which cells are folded: loop heads, and the ends of functions.
    fn is_abstracted(&self, point: PointId) -> bool {
        let origin = self.flow.points[point];
        let (_, function) = self.function_of(origin.context);
        self.loop_heads[point.index()]
            || function.automaton().is_some_and(|automaton| automaton.exit == origin.location)
    }

    /// What a step makes of a row; nothing if no run goes this way.
    pub fn transfer(&mut self, step: StepId, row: &Row) -> Option<Row> {
        self.just_lost.borrow_mut().clear();
        match self.flow.steps[step] {
            StepOrigin::Instruction { context, edge, callee } => {
                let row = self.informed(context, edge, row)?;
                let after = self.instruction(step, context, edge, callee, &row)?;
                let after = self.moved(context, edge, after);
                self.arrived(step, context, edge, after)
            }
            StepOrigin::Enter { caller, edge, callee } => {
                let row = self.informed(caller, edge, row)?;
                self.entered(step, caller, edge, callee, &row)
            }
            StepOrigin::Leave { caller, edge, callee } => {
                let after = self.left(caller, edge, callee, row);
                let after = self.moved(caller, edge, after);
                self.arrived(step, caller, edge, after)
            }
        }
    }

    // Ghost instructions

    /// Runs `trans` before an edge; in the coupled analysis, tells all that is known.
    fn informed(&mut self, context: ContextId, edge: EdgeId, row: &Row) -> Option<Row> {
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
    fn exchanged(&self, _context: ContextId, row: &Row) -> Vec<Trans> {
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
    fn trans(&mut self, context: ContextId, trans: Trans, row: &Row) -> Option<Row> {
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

    fn variable_address(&self, heap: &mut Heap, context: ContextId, variable: Variable) -> Option<(NodeId, i64)> {
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
    fn moved(&mut self, context: ContextId, edge: EdgeId, row: Vec<Vec<Heap>>) -> Vec<Vec<Heap>> {
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

    // Instructions

    fn instruction(
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
    fn agreed(
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

    fn doubt(&mut self, step: StepId, kind: Kind, message: &str) {
        self.doubts.entry((step, kind)).or_insert_with(|| Doubt { step, kind, message: message.to_owned() });
    }

    fn end_program(&mut self, step: StepId, heap: &Heap) {
        let may_hold = heap.nodes().any(|(_, node)| is_owned(node)) || !heap.truths.is_empty();
        if self.context.options.asks_for(Kind::LeakAtExit) && may_hold {
            self.gaps.insert((step, SymbolicGap::ReachableAtExit.into()));
        }
    }

    /// The registers that are kept at a location.
    fn is_kept(&self, function: FunctionId, location: LocationId, register: RegisterId) -> bool {
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
    fn arrived(&mut self, step: StepId, context: ContextId, edge: EdgeId, row: Vec<Vec<Heap>>) -> Option<Row> {
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
    fn is_useless(&self, group: GroupId, (context, location): (ContextId, LocationId), variable: Variable) -> bool {
        let Some(useful) = self.insertions.useful.get(&(context, location)) else { return false };
        let is_useful = |group: GroupId| useful.contains(&(group, variable));
        // What none will look at may be the last reference: nobody forgets it before it is overwritten.
        self.mode == Mode::Product && !is_useful(group) && self.groups.ids().any(is_useful)
    }

    /// Forgets what is of no use for a component from a location on.
    fn forget(&self, heap: &mut Heap, group: GroupId, context: ContextId, location: LocationId) {
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
    fn remembered(&self, heap: &Heap, group: GroupId, after: (ContextId, LocationId), register: RegisterId) -> Value {
        match heap.register(register) {
            Value::Pointer(pointer)
                if is_owned(heap.node(pointer.node)) && self.is_useless(group, after, Variable::Register(register)) =>
            {
                Value::Any
            }
            value => value,
        }
    }

    fn leave_frame(&mut self, step: StepId, function: &Function, heap: &mut Heap) -> bool {
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
    fn normalised(&self, heap: Heap) -> Vec<Heap> {
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

    // Calls

    /// What the caller keeps over a call.
    fn frame(&self, caller: ContextId, edge: EdgeId) -> Vec<RegisterId> {
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

    fn entered(&mut self, step: StepId, caller: ContextId, edge: EdgeId, callee: ContextId, row: &Row) -> Option<Row> {
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

    fn left(&mut self, caller: ContextId, edge: EdgeId, callee: ContextId, row: &Row) -> Vec<Vec<Heap>> {
        let (caller_id, function) = self.function_of(caller);
        let (_, definition) = self.function_of(callee);
        let target = function.automaton().and_then(|automaton| automaton.edges[edge].instruction.target());
        let frame = self.frame(caller, edge);
        let autos = &self.autos[caller_id];
        let back = |heap: &Heap| {
            let mut heap = heap.clone();
            let result = definition.result.map_or(Value::Any, |result| heap.register(result));
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

    // Leaks

    /// A cell is lost where the last component that knew it loses it: now all of them have `true` of its region.
    fn look_for_leaks(&mut self, step: StepId, after: &Row) {
        let just_lost = std::mem::take(&mut *self.just_lost.borrow_mut());
        let is_lost_in = |heaps: &Vec<HeapId>, region: Region| {
            heaps.iter().any(|id| self.heap(*id).truths.binary_search(&region).is_ok())
        };
        let is_lost = |region: &Region| after.iter().all(|heaps| is_lost_in(heaps, *region));
        if just_lost.iter().any(is_lost) {
            self.doubt(step, Kind::Leak, "heap storage is lost: nothing points to it any more");
        }
    }

    // Abstraction and joins

    /// abs, after the `moveRgn` of the point.
    fn abstracted(&self, point: PointId, group: usize, heap: &Heap) -> Heap {
        let mut heap = heap.clone();
        for MoveRegion { from, to } in self.merges.get(&point).into_iter().flatten() {
            heap.merge_region(*from, *to);
        }
        self.folded(group, &heap)
    }

    fn folded(&self, group: usize, heap: &Heap) -> Heap {
        let folded =
            fold_all_but(heap, Trees::Unnamed, &self.layouts[group], &self.context.definitions, Merging::Alternatives);
        let mut normal = self.normalised(folded);
        match (normal.pop(), normal.is_empty()) {
            (Some(folded), true) => folded,
            _ => heap.clone(),
        }
    }

    /// enableAbs: pairs of regions that must be one for cells to fold.
    fn enabled(&self, group: usize, heap: &Heap) -> Option<MoveRegion> {
        let mut pairs = BTreeSet::new();
        for (_, node) in heap.nodes().filter(|(_, node)| is_owned(node)) {
            node.for_each_value(&mut |value| {
                if let Some(target) = value.node().filter(|target| target.level() == 0) {
                    let (x, y) = (node.region(), heap.node(target).region());
                    if is_owned(heap.node(target)) && x != y {
                        // The fresher into the older.
                        pairs.insert(MoveRegion { from: x.max(y), to: x.min(y) });
                    }
                }
            });
        }
        pairs.into_iter().find(|MoveRegion { from, to }| {
            let mut apart = self.folded(group, heap);
            apart.merge_region(*from, *to);
            let mut together = heap.clone();
            together.merge_region(*from, *to);
            self.folded(group, &together) != apart
        })
    }

    fn join_into(&mut self, step: StepId, point: PointId, row: Row) -> bool {
        let is_abstracted = self.is_abstracted(point);
        let mut row = row;
        if is_abstracted {
            // New `moveRgn` are run in all components, on what is there already too.
            loop {
                row = self.abstract_row(point, &row);
                let found = row
                    .iter()
                    .enumerate()
                    .find_map(|(group, heaps)| heaps.iter().find_map(|id| self.enabled(group, self.heap(*id))));
                match found {
                    Some(found) if self.mode == Mode::Product => {
                        self.merges.entry(point).or_default().push(found);
                        let older = std::mem::take(&mut self.rows[point.index()]);
                        let older: Vec<Row> = older.iter().map(|row| self.abstract_row(point, row)).collect();
                        self.rows[point.index()] = older;
                    }
                    Some(_) | None => break,
                }
            }
        }
        match self.mode {
            Mode::Product => self.join_product(step, point, &row),
            Mode::Coupled => self.join_coupled(step, point, row),
        }
    }

    fn abstract_row(&mut self, point: PointId, row: &Row) -> Row {
        let mut abstracted = Vec::new();
        for (group, heaps) in row.iter().enumerate() {
            let mut ids: Vec<HeapId> = Vec::new();
            for id in heaps {
                let heap = self.abstracted(point, group, self.heap(*id));
                let id = self.intern(heap);
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
            abstracted.push(ids);
        }
        abstracted
    }

    fn join_product(&mut self, step: StepId, point: PointId, row: &Row) -> bool {
        if self.rows[point.index()].is_empty() {
            let empty = vec![Vec::new(); row.len()];
            self.rows[point.index()].push(empty);
        }
        let mut changed = false;
        for (group, heaps) in row.iter().enumerate() {
            for id in heaps {
                changed |= self.join_heap(step, point, group, *id);
            }
        }
        changed
    }

    fn join_heap(&mut self, step: StepId, point: PointId, group: usize, id: HeapId) -> bool {
        let older = self.rows[point.index()][0][group].clone();
        let heap = self.heap(id).clone();
        if older.contains(&id) || older.iter().any(|known| self.context.entails(&heap, self.heap(*known))) {
            return false;
        }
        if older.len() > MOST_HEAPS {
            self.gaps.insert((step, SymbolicGap::TooManyCases.into()));
            return false;
        }
        let mut new = heap;
        let mut kept = older.clone();
        if self.loop_heads[point.index()]
            && let Some(policy) = policy(older.len())
        {
            for (index, known) in older.iter().enumerate().rev() {
                if let Some(joined) = self.joined(self.heap(*known), &new, policy) {
                    kept.remove(index);
                    new = joined;
                    break;
                }
            }
        }
        kept.retain(|known| !self.context.entails(self.heap(*known), &new));
        let id = self.intern(new);
        if !kept.contains(&id) {
            kept.push(id);
        }
        self.rows[point.index()][0][group] = kept;
        true
    }

    fn joined(&self, older: &Heap, newer: &Heap, policy: crate::unify::Policy) -> Option<Heap> {
        let (older, newer) = self.context.aligned(older, newer);
        let joined = join(&older, &newer, &self.context.definitions, policy, &self.context.thresholds)?;
        let mut normal = self.context.normalised(joined);
        match (normal.pop(), normal.is_empty()) {
            (Some((heap, Lost::Nothing)), true) => Some(heap),
            _ => None,
        }
    }

    fn join_coupled(&mut self, step: StepId, point: PointId, row: Row) -> bool {
        let covers = |solution: &Solution<'_, '_>, small: &Row, large: &Row| {
            small.iter().zip(large).all(|(small, large)| {
                let (small, large) = (small[0], large[0]);
                small == large || solution.context.entails(solution.heap(small), solution.heap(large))
            })
        };
        let older = std::mem::take(&mut self.rows[point.index()]);
        if older.iter().any(|known| covers(self, &row, known)) {
            self.rows[point.index()] = older;
            return false;
        }
        if older.len() >= MOST_ROWS {
            self.gaps.insert((step, SymbolicGap::TooManyCases.into()));
            self.rows[point.index()] = older;
            return false;
        }
        let mut new = row;
        let mut kept = older;
        // Tuples are joined where they differ in one component.
        if self.loop_heads[point.index()]
            && let Some(policy) = policy(kept.len())
        {
            for index in (0..kept.len()).rev() {
                let differing: Vec<usize> =
                    (0..new.len()).filter(|component| kept[index][*component] != new[*component]).collect();
                let [component] = differing.as_slice() else { continue };
                let (x, y) = (kept[index][*component][0], new[*component][0]);
                if let Some(joined) = self.joined(self.heap(x), self.heap(y), policy) {
                    let joined = self.intern(joined);
                    new[*component] = vec![joined];
                    kept.remove(index);
                    break;
                }
            }
        }
        kept.retain(|known| !covers(self, known, &new));
        kept.push(new);
        self.rows[point.index()] = kept;
        true
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
