//! The main analysis (paper, section 9): invariants per point, and `moveRgn` found on the way.
//!
//! A *row* has a set of heaps per component. The product keeps one row per point, D1 × … × Dn; the coupled analysis keeps a
//! set of rows with one heap each, P(SH1 × … × SHn). Everything below is the same for both.

mod arrivals;
mod calls;
mod ghosts;
mod instructions;
mod joins;

use super::component::{Component, Seen};
use super::insert::{Insertions, Trans};
use crate::analysis::Retention;
use crate::calls::start;
use crate::groups::{GroupId, Groups, Owner};
use crate::heap::{Heap, Region};
use crate::layouts::{layouts_within, without_parts};
use crate::predicate::Layout;
use crate::transfer::{Applied, Context};
use heapwise_engine::reason::GapReason;
use heapwise_engine::{Control, Exhausted, Kind};
use heapwise_fixpoint::{ContextId, PointId, ProgramFlow, StepId, StepOrigin};
use heapwise_ir::entity::{EntityRef, SecondaryMap};
use heapwise_ir::{EdgeId, Function, FunctionId, Instruction, Liveness, Loops, RegisterId};
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
        let layouts = groups
            .ids()
            .map(|group| {
                let follows = |size: u64, link: i64| is_followed(group, size, link);
                without_parts(&layouts_within(context.program, &context.definitions, &follows))
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
                        // Each tuple is compared with all that are known: that takes long where there are thousands.
                        if self.mode == Mode::Coupled
                            && let Err(why) = control.check(self.n_rows, 256 * self.heaps.len() as u64)
                        {
                            self.exhausted = Some(why);
                            return;
                        }
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
}
