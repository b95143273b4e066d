//! A graph for each set of functions that call each other, and maps between them.
//!
//! Regions that are reached from globals are shared by all graphs. At a call of a function in another graph, the part of
//! the callee's graph that is reached from parameters, result and cells is laid over the caller's: what the callee makes
//! one or stores becomes so in the caller (bottom-up), what the caller knows to be one becomes one in the callee
//! (top-down), until neither changes. Then the map of regions is one-to-one (paper 004, section 4).
//!
//! A callee knows only the cells that it accesses itself. Where it copies memory, it is given all cells of its callers.

use crate::freeze::{KeyMap, freeze};
use crate::generate::{Binding, Generator};
use crate::graph::{GraphId, Mode, Others, PointsTo};
use crate::nodes::{RegionKey, SlotKey};
use crate::object::Site;
use crate::offsets::{Offsets, Range};
use crate::solver::Arithmetic;
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{FunctionId, Program, order};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Graphs of single procedures. Who is called through pointers is taken from the graph of the whole program.
pub(crate) fn sensitive(
    program: &Program,
    arithmetic: Arithmetic,
    entries: &[FunctionId],
    whole: &PointsTo,
) -> PointsTo {
    let successors: Vec<Vec<u32>> = program
        .functions
        .keys()
        .map(|function| whole.callees[function].iter().map(|(_, callee)| callee.as_u32()).collect())
        .collect();
    let mut graph_of: SecondaryMap<FunctionId, GraphId> = SecondaryMap::with_capacity(program.functions.len());
    for (index, members) in order::components_of(&successors).into_iter().enumerate() {
        for member in members {
            graph_of[FunctionId::from_u32(member)] = GraphId::from_u32(index as u32);
        }
    }
    let mut generator = Generator::new(program, arithmetic, graph_of, None);
    let targets = whole.indirect_calls.iter();
    generator.known_targets = Some(
        targets
            .map(|(site, found)| (*site, (found.functions.clone(), found.others == Others::AnyAddressTaken)))
            .collect(),
    );
    generator.program();
    for entry in entries {
        generator.call_from_outside(*entry);
    }
    let mut contexts = Contexts { generator, touched: Vec::new(), maps: BTreeMap::new() };
    contexts.solve();
    let Contexts { generator, maps, .. } = contexts;
    freeze(generator, Mode::ContextSensitive, maps)
}

struct Contexts<'p> {
    generator: Generator<'p>,
    /// The shared regions that each graph, or a graph below it, touches. By root at the start of the round.
    touched: Vec<FxHashSet<RegionKey>>,
    maps: BTreeMap<(Site, FunctionId), KeyMap>,
}

/// Which way values go between a slot of the callee and one of the caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// From the caller: a parameter.
    Down,
    /// From the callee: the result.
    Up,
    /// Both: a cell.
    Both,
}

impl Way {
    fn is_down(self) -> bool {
        self != Way::Up
    }

    fn is_up(self) -> bool {
        self != Way::Down
    }
}

/// The map of one call while it is made. Offsets are those of classes.
#[derive(Default)]
struct Overlay {
    /// From a region of the callee to one of the caller, and what is added to an offset.
    forward: FxHashMap<RegionKey, (RegionKey, i64)>,
    inverse: FxHashMap<RegionKey, (RegionKey, i64)>,
    order: Vec<RegionKey>,
    pending: Vec<(SlotKey, SlotKey, Way)>,
}

/// Something changed while a map was made.
struct Changed;

impl Contexts<'_> {
    fn solve(&mut self) {
        let mut bindings = std::mem::take(&mut self.generator.bindings);
        // Callees first.
        bindings.sort_by_key(|binding| (self.generator.graph_of[binding.callee], binding.site));
        loop {
            self.solve_with_calls();
            self.collect_touched(&bindings);
            let before = self.generator.solver.changes;
            for binding in &bindings {
                self.bind(binding);
            }
            for binding in bindings.iter().rev() {
                self.bind(binding);
            }
            self.solve_with_calls();
            if self.generator.solver.changes == before {
                return;
            }
        }
    }

    fn solve_with_calls(&mut self) {
        loop {
            self.generator.solver.solve();
            if !self.generator.tie_called() {
                return;
            }
        }
    }

    fn collect_touched(&mut self, bindings: &[Binding]) {
        let n_graphs = self.generator.graph_of.values().map(|graph| graph.as_u32() as usize + 1).max().unwrap_or(0);
        self.touched = vec![FxHashSet::default(); n_graphs];
        for access in self.generator.accesses.clone() {
            let Some(address) = access.address else { continue };
            let Some(target) = self.generator.solver.slot(address).target else { continue };
            let graph = self.generator.graph_of[access.site.function];
            self.touch(graph, target);
        }
        for (graph, region) in self.generator.solver.touched.clone() {
            self.touch(graph, region);
        }
        let graph_of = &self.generator.graph_of;
        let calls = bindings.iter().map(|binding| (graph_of[binding.callee], graph_of[binding.site.function]));
        // Callees first: they have small numbers.
        for (callee, caller) in calls.collect::<BTreeSet<(GraphId, GraphId)>>() {
            let (callee, caller) = (callee.as_u32() as usize, caller.as_u32() as usize);
            let below: Vec<RegionKey> = self.touched[callee].iter().copied().collect();
            self.touched[caller].extend(below);
        }
    }

    fn touch(&mut self, graph: GraphId, region: RegionKey) {
        let solver = &mut self.generator.solver;
        if solver.class(region).owner.is_none() {
            let root = solver.root(region);
            self.touched[graph.as_u32() as usize].insert(root);
        }
    }

    /// Lays the callee's graph over the caller's until they fit.
    fn bind(&mut self, binding: &Binding) {
        loop {
            let before = self.generator.solver.changes;
            let mut overlay = Overlay::default();
            let is_made = self.lay_over(binding, &mut overlay).is_ok();
            self.generator.solver.solve();
            if is_made && self.generator.solver.changes == before {
                let shift = |solver: &crate::solver::Solver<'_>, region: RegionKey| solver.shift[region.at()];
                let solver = &self.generator.solver;
                let map = overlay.order.iter().map(|callee| {
                    let (caller, by) = overlay.forward[callee];
                    (*callee, caller, by + shift(solver, *callee) - shift(solver, caller))
                });
                self.maps.insert((binding.site, binding.callee), map.collect());
                return;
            }
        }
    }

    /// `Err` if regions became one: the map, which goes by them, is made again. Where they only grew, it is made to its end
    /// first: to begin again at each new cell would take the square of their number.
    fn lay_over(&mut self, binding: &Binding, overlay: &mut Overlay) -> Result<(), Changed> {
        let function = &self.generator.program.functions[binding.callee];
        for (parameter, argument) in function.parameters.clone().into_iter().zip(&binding.arguments) {
            if let Some(argument) = argument {
                let parameter = self.generator.register(binding.callee, parameter);
                overlay.pending.push((parameter, *argument, Way::Down));
            }
        }
        if let (Some(result), Some(target)) = (function.result, binding.target) {
            let result = self.generator.register(binding.callee, result);
            overlay.pending.push((result, target, Way::Up));
        }
        overlay.pending.reverse();
        let unions = self.generator.solver.unions;
        while let Some((callee, caller, way)) = overlay.pending.pop() {
            while let Err(Changed) = self.lay_slot(binding, overlay, callee, caller, way) {
                // Copies wait until the map is made: each looks at all cells of its regions.
                self.generator.solver.flow_on();
                if self.generator.solver.unions != unions {
                    return Err(Changed);
                }
            }
        }
        Ok(())
    }

    fn lay_slot(
        &mut self,
        binding: &Binding,
        overlay: &mut Overlay,
        callee: SlotKey,
        caller: SlotKey,
        way: Way,
    ) -> Result<(), Changed> {
        let callee_graph = self.generator.graph_of[binding.callee];
        let caller_graph = self.generator.graph_of[binding.site.function];
        let solver = &mut self.generator.solver;
        if way.is_down() && solver.slot(caller).unknown {
            solver.mark_unknown(callee);
        }
        if way.is_up() && solver.slot(callee).unknown {
            solver.mark_unknown(caller);
        }
        if way.is_down() && solver.slot(callee).escapes {
            solver.hand_out_value(caller);
        }
        if way.is_up() && solver.slot(caller).escapes {
            solver.hand_out_value(callee);
        }
        let inside = solver.slot(callee).target;
        let outside = solver.slot(caller).target;
        match (inside, outside) {
            (None, None) => Ok(()),
            (None, Some(outside)) if way.is_down() => {
                // The callee is given a region for it, or the one that it has already.
                let root = solver.root(outside);
                let start = solver.slot(caller).offsets.ranges()[0].start + solver.shift[outside.at()];
                let (region, offset) = match overlay.inverse.get(&root) {
                    Some((region, by)) => (*region, start - by - solver.shift[region.at()]),
                    None => (solver.new_region(Some(callee_graph)), 0),
                };
                solver.receive(callee, region, &Offsets::one(Range::exact(offset)));
                Err(Changed)
            }
            (Some(inside), None) if way.is_up() => {
                let root = solver.root(inside);
                let is_shared = solver.class(inside).owner.is_none();
                let start = solver.slot(callee).offsets.ranges()[0].start + solver.shift[inside.at()];
                let (region, offset) = match overlay.forward.get(&root) {
                    _ if is_shared => (inside, start - solver.shift[inside.at()]),
                    Some((region, by)) => (*region, start + by - solver.shift[region.at()]),
                    None => (solver.new_region(Some(caller_graph)), 0),
                };
                solver.receive(caller, region, &Offsets::one(Range::exact(offset)));
                Err(Changed)
            }
            (None, Some(_)) | (Some(_), None) => Ok(()),
            (Some(inside), Some(outside)) => {
                let start = |solver: &mut crate::solver::Solver<'_>, slot: SlotKey, region: RegionKey| {
                    solver.slot(slot).offsets.ranges()[0].start + solver.shift[region.at()]
                };
                let at = (start(solver, callee, inside), start(solver, caller, outside));
                let by = self.lay_region(binding, overlay, (inside, at.0), (outside, at.1))?;
                self.pass_offsets((callee, inside), (caller, outside), by, way)
            }
        }
    }

    /// Offsets of the callee's pointer are those of the caller's, and the other way round.
    fn pass_offsets(
        &mut self,
        (callee, inside): (SlotKey, RegionKey),
        (caller, outside): (SlotKey, RegionKey),
        by: i64,
        way: Way,
    ) -> Result<(), Changed> {
        let solver = &mut self.generator.solver;
        let before = solver.changes;
        // From coordinates of one node to those of the other.
        let by = by + solver.shift[inside.at()] - solver.shift[outside.at()];
        let moved = |offsets: &Offsets, by: i64| {
            let mut moved = Offsets::default();
            offsets.ranges().iter().for_each(|range| {
                moved.insert(range.shifted(by));
            });
            moved
        };
        if way.is_up() {
            let offsets = moved(&solver.slot(callee).offsets, by);
            solver.receive(caller, outside, &offsets);
        }
        if way.is_down() {
            let offsets = moved(&solver.slot(caller).offsets, -by);
            solver.receive(callee, inside, &offsets);
        }
        if solver.changes == before { Ok(()) } else { Err(Changed) }
    }

    /// A region of the callee is one of the caller: what is added to offsets.
    fn lay_region(
        &mut self,
        binding: &Binding,
        overlay: &mut Overlay,
        (inside, inside_at): (RegionKey, i64),
        (outside, outside_at): (RegionKey, i64),
    ) -> Result<i64, Changed> {
        let callee_graph = self.generator.graph_of[binding.callee].as_u32() as usize;
        let solver = &mut self.generator.solver;
        let (inside_root, outside_root) = (solver.root(inside), solver.root(outside));
        if inside_root == outside_root {
            return Ok(0);
        }
        let local =
            |solver: &crate::solver::Solver<'_>, region: RegionKey, at: i64| (region, at - solver.shift[region.at()]);
        let is_shared =
            |solver: &mut crate::solver::Solver<'_>, region: RegionKey| solver.class(region).owner.is_none();
        let (left, right) = (local(solver, inside, inside_at), local(solver, outside, outside_at));
        let reached_otherwise = is_shared(solver, outside) && self.touched[callee_graph].contains(&outside_root);
        if is_shared(solver, inside) || reached_otherwise {
            solver.unify(left, right);
            return Err(Changed);
        }
        if let Some((known, by)) = overlay.forward.get(&inside_root).copied() {
            if solver.root(known) != outside_root {
                let known = local(solver, known, inside_at + by);
                solver.unify(known, right);
                return Err(Changed);
            }
            return Ok(by);
        }
        if let Some((known, by)) = overlay.inverse.get(&outside_root).copied() {
            let known = local(solver, known, outside_at - by);
            solver.unify(known, left);
            return Err(Changed);
        }
        let by = outside_at - inside_at;
        overlay.forward.insert(inside_root, (outside_root, by));
        overlay.inverse.insert(outside_root, (inside_root, by));
        overlay.order.push(inside_root);
        self.lay_cells(overlay, inside_root, outside_root, by)?;
        Ok(by)
    }

    fn lay_cells(
        &mut self,
        overlay: &mut Overlay,
        inside: RegionKey,
        outside: RegionKey,
        by: i64,
    ) -> Result<(), Changed> {
        let solver = &mut self.generator.solver;
        let before = solver.changes;
        if solver.class(inside).escaped {
            solver.escape(outside);
        }
        if solver.class(outside).escaped {
            solver.escape(inside);
        }
        for stretch in solver.class(inside).anything.clone() {
            solver.add_anything(outside, stretch.map(|(start, end)| (start + by, end + by)));
        }
        solver.adopt_layout(inside, outside, by);
        if solver.class(inside).copied {
            if !std::mem::replace(&mut solver.class_mut(outside).copied, true) {
                solver.changes += 1;
            }
            solver.adopt_layout(outside, inside, -by);
            let cells: Vec<(i64, u64)> =
                solver.class(outside).cells.iter().map(|(offset, cell)| (*offset, cell.size)).collect();
            for (offset, size) in cells {
                solver.cell_at(inside, offset - by, size, None);
            }
        }
        let cells: Vec<(i64, crate::solver::Cell)> =
            solver.class(inside).cells.iter().map(|(offset, cell)| (*offset, *cell)).collect();
        for (offset, cell) in cells {
            let there = solver.cell_at(outside, offset + by, cell.size, None);
            overlay.pending.push((cell.slot, there, Way::Both));
        }
        if solver.changes == before { Ok(()) } else { Err(Changed) }
    }
}
