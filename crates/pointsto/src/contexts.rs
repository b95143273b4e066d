//! A graph for each set of functions that call each other, and maps between them.
//!
//! Regions that are reached from globals are shared by all graphs. At a call of a function in another graph, the part of
//! the callee's graph that is reached from parameters, result and cells is laid over the caller's: what the callee makes
//! one or stores becomes so in the caller (bottom-up), what the caller knows to be one becomes one in the callee
//! (top-down), until neither changes. Then the map of regions is one-to-one (Hackett and Rugina, section 4).
//!
//! A call through a pointer that may reach many functions does not tell them apart: they get one graph and one signature, so
//! that the work grows with the calls, not with calls times targets. [`PointsTo::stands_for`] says which.
//!
//! A callee knows only the cells that it accesses itself. Where it copies memory, it is given all cells of its callers.

use crate::freeze::{Calls, KeyMap, freeze};
use crate::generate::{Binding, Generator, Group, KnownCall};
use crate::graph::{GraphId, Mode, Others, PointsTo, Targets};
use crate::nodes::{NodeKey, RegionKey};
use crate::object::Site;
use crate::offsets::Offsets;
use crate::solver::{Arithmetic, Solver};
use crate::watch::Watch;
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{FunctionId, Program, order};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The targets of a call through a pointer are told apart up to so many.
const MOST_TOLD_APART: usize = 8;

/// Graphs of single procedures. Who is called through pointers is taken from the graph of the whole program.
pub(crate) fn sensitive(
    program: &Program,
    arithmetic: Arithmetic,
    entries: &[FunctionId],
    whole: Calls,
    watch: &Watch<'_>,
) -> Option<PointsTo> {
    let Calls { indirect: indirect_calls, direct: direct_calls, has_body } = whole;
    let groups = called_together(program, &indirect_calls);
    let mut group_of: SecondaryMap<FunctionId, Option<Group>> = SecondaryMap::new();
    for (index, functions) in groups.iter().enumerate() {
        functions.iter().for_each(|function| group_of[*function] = Some(Group(index)));
    }
    let mut successors: Vec<Vec<u32>> = vec![Vec::new(); program.functions.len()];
    // Which of a group is called does not matter: they are one component.
    let of_group = |callee: FunctionId| group_of[callee].map_or(callee, |group| groups[group.0][0]);
    for (site, callee) in &direct_calls {
        successors[site.function.as_u32() as usize].push(of_group(*callee).as_u32());
    }
    for (site, targets) in &indirect_calls {
        let told_apart = if targets.is_told_apart() { &targets.functions } else { &targets.functions[..1] };
        let callees = told_apart.iter().filter(|callee| has_body[**callee] || group_of[**callee].is_some());
        successors[site.function.as_u32() as usize].extend(callees.map(|callee| of_group(*callee).as_u32()));
    }
    for callees in &mut successors {
        callees.sort_unstable();
        callees.dedup();
    }
    for functions in &groups {
        for (index, function) in functions.iter().enumerate() {
            successors[function.as_u32() as usize].push(functions[(index + 1) % functions.len()].as_u32());
        }
    }
    drop(direct_calls);
    let mut graph_of: SecondaryMap<FunctionId, GraphId> = SecondaryMap::with_capacity(program.functions.len());
    for (index, members) in order::components_of(&successors).into_iter().enumerate() {
        for member in members {
            graph_of[FunctionId::from_u32(member)] = GraphId::from_u32(index as u32);
        }
    }
    let mut generator = Generator::new(program, arithmetic, graph_of, None, watch);
    generator.solver.stamps = Some(Box::default());
    let known = indirect_calls.into_iter().map(|(site, found)| {
        let together = if found.is_told_apart() { None } else { group_of[found.functions[0]] };
        let is_unknown = found.others == Others::AnyAddressTaken;
        (site, KnownCall { functions: found.functions, together, is_unknown })
    });
    generator.known_targets = Some(known.collect());
    generator.tie_groups(&groups);
    generator.program();
    for entry in entries {
        generator.call_from_outside(*entry);
    }
    let mut contexts = Contexts::new(generator);
    contexts.solve();
    if watch.is_over() {
        return None;
    }
    let Contexts { generator, bindings, maps, .. } = contexts;
    let maps = bindings.iter().zip(maps).map(|(binding, map)| ((binding.site, binding.callee), map));
    Some(freeze(generator, Mode::ContextSensitive, maps.collect()))
}

/// The functions that calls with many targets reach, those of calls that share one together.
fn called_together(program: &Program, indirect_calls: &BTreeMap<Site, Targets>) -> Vec<Vec<FunctionId>> {
    let many = indirect_calls.values().filter(|targets| !targets.is_told_apart()).map(|targets| &*targets.functions);
    // Each list that calls share once. In which order does not matter: of a component it is known who is in it.
    let many: FxHashMap<*const FunctionId, &[FunctionId]> = many.map(|list| (list.as_ptr(), list)).collect();
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); program.functions.len()];
    for functions in many.into_values() {
        for pair in functions.windows(2) {
            neighbours[pair[0].as_u32() as usize].push(pair[1].as_u32());
            neighbours[pair[1].as_u32() as usize].push(pair[0].as_u32());
        }
    }
    let mut groups: Vec<Vec<FunctionId>> = order::components_of(&neighbours)
        .into_iter()
        .filter(|members| members.len() > 1)
        .map(|members| members.into_iter().map(FunctionId::from_u32).collect())
        .collect();
    // No order of a hash table may show.
    groups.iter_mut().for_each(|functions| functions.sort_unstable());
    groups.sort_unstable();
    groups
}

impl Targets {
    fn is_told_apart(&self) -> bool {
        self.functions.len() <= MOST_TOLD_APART
    }
}

struct Contexts<'p> {
    generator: Generator<'p>,
    /// Callees first.
    bindings: Vec<Binding>,
    /// The map of each binding, and the time when it was made.
    maps: Vec<KeyMap>,
    made_at: Vec<Option<u64>>,
    touched: Touched,
}

/// The shared regions that graphs touch, they themselves or those that they call.
#[derive(Default)]
struct Touched {
    /// The graphs that call each graph.
    callers: Vec<Vec<u32>>,
    /// The graphs whose own code touches a region, by root at the start of the round: pairs in ascending order.
    directly: Vec<(RegionKey, u32)>,
    /// The same with their callers, for the regions that were asked for.
    all: FxHashMap<RegionKey, FxHashSet<u32>>,
}

impl Touched {
    /// Whether a graph, or one that it calls, touches a region.
    fn contains(&mut self, graph: GraphId, region: RegionKey) -> bool {
        let start = self.directly.partition_point(|(touched, _)| *touched < region);
        let directly = self.directly[start..].iter().take_while(|(touched, _)| *touched == region);
        let mut directly = directly.map(|(_, graph)| *graph).peekable();
        if directly.peek().is_none() {
            return false;
        }
        let callers = &self.callers;
        let all = self.all.entry(region).or_insert_with(|| {
            let mut all = FxHashSet::default();
            let mut pending: Vec<u32> = directly.collect();
            while let Some(graph) = pending.pop() {
                if all.insert(graph) {
                    pending.extend(&callers[graph as usize]);
                }
            }
            all
        });
        all.contains(&graph.as_u32())
    }
}

/// Which direction values go between a node of the callee and one of the caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FlowDirection {
    /// From the caller: a parameter.
    Down,
    /// From the callee: the result.
    Up,
    /// Both: a cell.
    Both,
}

impl FlowDirection {
    fn is_down(self) -> bool {
        self != FlowDirection::Up
    }

    fn is_up(self) -> bool {
        self != FlowDirection::Down
    }
}

/// The map of one call while it is made.
#[derive(Default)]
struct Overlay {
    /// A region of the callee, one of the caller, and what is added to an offset in the coordinates of these two nodes, which
    /// stay the same when classes become one.
    pairs: KeyMap,
    /// Which of the pairs has a region of the callee, or of the caller, by root.
    forward: FxHashMap<RegionKey, usize>,
    inverse: FxHashMap<RegionKey, usize>,
    pending: Vec<(NodeKey, NodeKey, FlowDirection)>,
}

/// Something changed while a map was made.
struct Changed;

impl<'p> Contexts<'p> {
    fn new(mut generator: Generator<'p>) -> Contexts<'p> {
        let mut bindings = std::mem::take(&mut generator.bindings);
        bindings.sort_by_key(|binding| (generator.graph_of[binding.callee], binding.site, binding.callee));
        let graphs = generator.graph_of.values().map(|graph| graph.as_u32() as usize + 1);
        let mut callers: Vec<Vec<u32>> = vec![Vec::new(); graphs.max().unwrap_or(0)];
        for binding in &bindings {
            let callee = generator.graph_of[binding.callee].as_u32() as usize;
            callers[callee].push(generator.graph_of[binding.site.function].as_u32());
        }
        for list in &mut callers {
            list.sort_unstable();
            list.dedup();
        }
        Contexts {
            generator,
            maps: vec![KeyMap::new(); bindings.len()],
            made_at: vec![None; bindings.len()],
            bindings,
            touched: Touched { callers, ..Touched::default() },
        }
    }

    fn solve(&mut self) {
        loop {
            // Bottom-up, then top-down: the calls whose graphs changed.
            let start = self.generator.solver.changes;
            self.solve_with_calls();
            self.collect_touched();
            for index in (0..self.bindings.len()).chain((0..self.bindings.len()).rev()) {
                if self.is_out_of_date(index) {
                    self.bind(index);
                }
            }
            self.solve_with_calls();
            if self.is_over() {
                return;
            }
            if self.generator.solver.changes != start {
                continue;
            }
            // What is touched may have changed, and no time tells: all of them.
            for index in 0..self.bindings.len() {
                self.bind(index);
            }
            self.solve_with_calls();
            if self.generator.solver.changes == start {
                return;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.generator.solver.watch.is_over()
    }

    fn solve_with_calls(&mut self) {
        loop {
            self.generator.solver.solve();
            if self.is_over() || !self.generator.tie_called() {
                return;
            }
        }
    }

    fn collect_touched(&mut self) {
        self.touched.directly.clear();
        self.touched.all.clear();
        for index in 0..self.generator.accesses.len() {
            let access = self.generator.accesses[index];
            let Some(address) = access.address else { continue };
            let Some(target) = self.generator.solver.node(address).target else { continue };
            let graph = self.generator.graph_of[access.site.function];
            self.touch(graph, target);
        }
        for index in 0..self.generator.solver.touched.len() {
            let (graph, region) = self.generator.solver.touched[index];
            self.touch(graph, region);
        }
        self.touched.directly.sort_unstable();
        self.touched.directly.dedup();
    }

    fn touch(&mut self, graph: GraphId, region: RegionKey) {
        let solver = &mut self.generator.solver;
        if solver.class(region).owner.is_none() {
            let pair = (solver.root(region), graph.as_u32());
            if self.touched.directly.last() != Some(&pair) {
                self.touched.directly.push(pair);
            }
        }
    }

    /// Whether something that the map of a call speaks of changed since it was made.
    fn is_out_of_date(&mut self, index: usize) -> bool {
        let Some(made_at) = self.made_at[index] else { return true };
        let (binding, solver) = (&self.bindings[index], &mut self.generator.solver);
        let nodes = binding.parameters.iter().chain(binding.arguments.iter().flatten());
        let mut nodes = nodes.chain(&binding.result).chain(&binding.target);
        nodes.any(|node| solver.node_changed(*node) > made_at)
            || self.maps[index].iter().any(|(callee, caller, _)| {
                solver.region_changed(*callee) > made_at || solver.region_changed(*caller) > made_at
            })
    }

    /// Lays the callee's graph over the caller's until they fit.
    fn bind(&mut self, index: usize) {
        let binding = self.bindings[index].clone();
        loop {
            let before = self.generator.solver.changes;
            let mut overlay = Overlay::default();
            self.lay_over(&binding, &mut overlay);
            self.generator.solver.solve();
            if self.is_over() {
                return;
            }
            if self.generator.solver.changes == before {
                self.maps[index] = overlay.pairs;
                self.made_at[index] = Some(before);
                return;
            }
        }
    }

    /// Makes the map. Where something changes it goes on with what there is then; whether all fits is seen by making the map once
    /// more.
    fn lay_over(&mut self, binding: &Binding, overlay: &mut Overlay) {
        for (parameter, argument) in binding.parameters.iter().zip(&binding.arguments) {
            if let Some(argument) = argument {
                overlay.pending.push((*parameter, *argument, FlowDirection::Down));
            }
        }
        if let (Some(result), Some(target)) = (binding.result, binding.target) {
            overlay.pending.push((result, target, FlowDirection::Up));
        }
        overlay.pending.reverse();
        while let Some((callee, caller, direction)) = overlay.pending.pop() {
            let mut unions = self.generator.solver.unions;
            while let Err(Changed) = self.lay_node(binding, overlay, callee, caller, direction) {
                // Copies wait until the map is made: each looks at all cells of its regions.
                self.generator.solver.flow_on();
                if self.is_over() {
                    return;
                }
                if self.generator.solver.unions != unions {
                    self.number_again(overlay);
                    unions = self.generator.solver.unions;
                }
            }
        }
    }

    /// Regions became one: those that they are mapped to become one, too, and the tables go by the new roots.
    fn number_again(&mut self, overlay: &mut Overlay) {
        let solver = &mut self.generator.solver;
        'again: loop {
            overlay.forward.clear();
            overlay.inverse.clear();
            let mut kept = KeyMap::new();
            for (callee, caller, by) in &overlay.pairs {
                let (inside, outside) = (solver.root(*callee), solver.root(*caller));
                if inside == outside {
                    continue;
                }
                let (forward, inverse) = (overlay.forward.get(&inside), overlay.inverse.get(&outside));
                match (forward.copied(), inverse.copied()) {
                    (Some(left), Some(right)) if left == right => {}
                    (Some(known), _) => {
                        let (other, there, distance) = kept[known];
                        // The origin of this callee's region, in both regions of the caller.
                        let origin = solver.shift[callee.at()] - solver.shift[other.at()];
                        solver.unify((*caller, *by), (there, origin + distance));
                        solver.flow_on();
                        if solver.watch.is_over() {
                            return;
                        }
                        continue 'again;
                    }
                    (None, Some(known)) => {
                        let (other, there, distance) = kept[known];
                        let origin = solver.shift[caller.at()] - solver.shift[there.at()];
                        solver.unify((*callee, -by), (other, origin - distance));
                        solver.flow_on();
                        if solver.watch.is_over() {
                            return;
                        }
                        continue 'again;
                    }
                    (None, None) => {
                        overlay.forward.insert(inside, kept.len());
                        overlay.inverse.insert(outside, kept.len());
                        kept.push((*callee, *caller, *by));
                    }
                }
            }
            overlay.pairs = kept;
            return;
        }
    }

    fn lay_node(
        &mut self,
        binding: &Binding,
        overlay: &mut Overlay,
        callee: NodeKey,
        caller: NodeKey,
        direction: FlowDirection,
    ) -> Result<(), Changed> {
        let callee_graph = self.generator.graph_of[binding.callee];
        let caller_graph = self.generator.graph_of[binding.site.function];
        let solver = &mut self.generator.solver;
        if direction.is_down() && solver.node(caller).unknown {
            solver.mark_unknown(callee);
        }
        if direction.is_up() && solver.node(callee).unknown {
            solver.mark_unknown(caller);
        }
        if direction.is_down() && solver.node(callee).escapes {
            solver.hand_out_value(caller);
        }
        if direction.is_up() && solver.node(caller).escapes {
            solver.hand_out_value(callee);
        }
        let inside = solver.node(callee).target;
        let outside = solver.node(caller).target;
        match (inside, outside) {
            (None, None) => Ok(()),
            (None, Some(outside)) if direction.is_down() => {
                // The callee is given a region for it, or the one that it has already.
                let root = solver.root(outside);
                let start = first_offset(solver, caller, outside);
                let (region, offset) = match overlay.inverse.get(&root) {
                    Some(pair) => {
                        let (region, there, by) = overlay.pairs[*pair];
                        (region, start - solver.shift[there.at()] - by)
                    }
                    None => (solver.new_region(Some(callee_graph)), 0),
                };
                solver.receive(callee, region, &Offsets::at(offset));
                Err(Changed)
            }
            (Some(inside), None) if direction.is_up() => {
                let root = solver.root(inside);
                let is_shared = solver.class(inside).owner.is_none();
                let start = first_offset(solver, callee, inside);
                let (region, offset) = match overlay.forward.get(&root) {
                    _ if is_shared => (inside, start - solver.shift[inside.at()]),
                    Some(pair) => {
                        let (here, region, by) = overlay.pairs[*pair];
                        (region, start - solver.shift[here.at()] + by)
                    }
                    None => (solver.new_region(Some(caller_graph)), 0),
                };
                solver.receive(caller, region, &Offsets::at(offset));
                Err(Changed)
            }
            (None, Some(_)) | (Some(_), None) => Ok(()),
            (Some(inside), Some(outside)) => {
                let at = (first_offset(solver, callee, inside), first_offset(solver, caller, outside));
                let by = self.lay_region(binding, overlay, (inside, at.0), (outside, at.1))?;
                self.pass_offsets((callee, inside), (caller, outside), by, direction)
            }
        }
    }

    /// Offsets of the callee's pointer are those of the caller's, and the other direction round.
    fn pass_offsets(
        &mut self,
        (callee, inside): (NodeKey, RegionKey),
        (caller, outside): (NodeKey, RegionKey),
        by: i64,
        direction: FlowDirection,
    ) -> Result<(), Changed> {
        let solver = &mut self.generator.solver;
        let before = solver.changes;
        // From coordinates of one node to those of the other.
        let by = by + solver.shift[inside.at()] - solver.shift[outside.at()];
        if direction.is_up() {
            let offsets = solver.node(callee).offsets.shifted(by);
            solver.receive(caller, outside, &offsets);
        }
        if direction.is_down() {
            let offsets = solver.node(caller).offsets.shifted(-by);
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
        let callee_graph = self.generator.graph_of[binding.callee];
        let solver = &mut self.generator.solver;
        let (inside_root, outside_root) = (solver.root(inside), solver.root(outside));
        if inside_root == outside_root {
            return Ok(0);
        }
        let local = |solver: &Solver<'_>, region: RegionKey, at: i64| (region, at - solver.shift[region.at()]);
        let is_shared = |solver: &mut Solver<'_>, region: RegionKey| solver.class(region).owner.is_none();
        let (left, right) = (local(solver, inside, inside_at), local(solver, outside, outside_at));
        let reached_otherwise = is_shared(solver, outside) && self.touched.contains(callee_graph, outside_root);
        if is_shared(solver, inside) || reached_otherwise {
            solver.unify(left, right);
            return Err(Changed);
        }
        if let Some(pair) = overlay.forward.get(&inside_root) {
            let (here, known, by) = overlay.pairs[*pair];
            if solver.root(known) != outside_root {
                let known = (known, inside_at - solver.shift[here.at()] + by);
                solver.unify(known, right);
                return Err(Changed);
            }
            return Ok(by - solver.shift[here.at()] + solver.shift[known.at()]);
        }
        if let Some(pair) = overlay.inverse.get(&outside_root) {
            let (known, there, by) = overlay.pairs[*pair];
            let known = (known, outside_at - solver.shift[there.at()] - by);
            solver.unify(known, left);
            return Err(Changed);
        }
        let by = outside_at - inside_at;
        overlay.forward.insert(inside_root, overlay.pairs.len());
        overlay.inverse.insert(outside_root, overlay.pairs.len());
        let distance = by + solver.shift[inside_root.at()] - solver.shift[outside_root.at()];
        overlay.pairs.push((inside_root, outside_root, distance));
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
        for stretch in solver.class(inside).anything().to_vec() {
            solver.add_anything(outside, stretch.map(|(start, end)| (start + by, end + by)));
        }
        solver.adopt_layout(inside, outside, by);
        if solver.class(inside).copied {
            if !std::mem::replace(&mut solver.class_mut(outside).copied, true) {
                solver.changes += 1;
            }
            solver.adopt_layout(outside, inside, -by);
            let cells: Vec<(i64, u64)> =
                solver.class(outside).cells.iter().map(|(offset, cell)| (offset, cell.size)).collect();
            for (offset, size) in cells {
                solver.cell_at(inside, offset - by, size, None);
            }
        }
        let cells: Vec<(i64, crate::solver::Cell)> = solver.class(inside).cells.iter().collect();
        for (offset, cell) in cells {
            let there = solver.cell_at(outside, offset + by, cell.size, None);
            overlay.pending.push((cell.node, there, FlowDirection::Both));
        }
        if solver.changes == before { Ok(()) } else { Err(Changed) }
    }
}

/// Where the first of a node's offsets lies in the class that it points into.
fn first_offset(solver: &mut Solver<'_>, node: NodeKey, region: RegionKey) -> i64 {
    solver.node(node).offsets.first().unwrap_or(0) + solver.shift[region.at()]
}
