//! From the solver's tables to the result.

use crate::constants::Constants;
use crate::generate::Generator;
use crate::graph::{Access, CallMap, Cell, Mode, Others, PointsTo, Region, RegionId, Targets, Value, ValueKey};
use crate::layout::{Fold, Layout};
use crate::nodes::{NodeKey, RegionKey};
use crate::object::{Object, Site};
use crate::solver::Solver;
use ena::unify::UnifyKey;
use heapwise_ir::entity::{PrimaryMap, SecondaryMap};
use heapwise_ir::{Body, FunctionId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The map of a call while the analysis runs: a region of the callee, one of the caller, and how far apart their origins are.
pub(crate) type KeyMap = Vec<(RegionKey, RegionKey, i64)>;

struct Freezer<'a, 'p> {
    generator: &'a mut Generator<'p>,
    /// By root.
    ids: Vec<Option<RegionId>>,
    /// What is added to an offset of a class.
    origin: PrimaryMap<RegionId, i64>,
}

pub(crate) fn freeze(mut generator: Generator<'_>, mode: Mode, maps: Vec<((Site, FunctionId), KeyMap)>) -> PointsTo {
    let n_regions = generator.solver.n_regions();
    let mut freezer = Freezer { generator: &mut generator, ids: vec![None; n_regions], origin: PrimaryMap::new() };
    let roots = freezer.number(n_regions);
    let flagged = freezer.flagged();
    let mut regions = PrimaryMap::new();
    for root in roots {
        let region = freezer.region(root, &flagged);
        regions.push(region);
    }
    let mut values = Values::new(freezer.generator.solver.n_nodes());
    let mut registers: SecondaryMap<FunctionId, Vec<Option<ValueKey>>> =
        SecondaryMap::with_capacity(freezer.generator.program.functions.len());
    for (function, nodes) in std::mem::take(&mut freezer.generator.registers).iter() {
        let known = |node: &Option<NodeKey>| values.known(&mut freezer, (*node)?);
        registers[function] = nodes.iter().map(known).collect();
    }
    let none = Constants::new(freezer.generator.program, None);
    let named = std::mem::replace(&mut freezer.generator.constants, none);
    let constants = named.map(|(region, _)| freezer.place(region));
    let noted = std::mem::take(&mut freezer.generator.accesses);
    let numbered = noted.into_iter().map(|access| Access {
        site: access.site,
        kind: access.kind,
        address: access.address.map(|address| values.key(&mut freezer, address)),
        size: access.size,
    });
    let mut accesses: Vec<Access<ValueKey>> = numbered.collect();
    // Bodies of functions without text came last.
    if !accesses.is_sorted_by_key(|access: &Access<ValueKey>| access.site) {
        accesses.sort_by_key(|access: &Access<ValueKey>| access.site);
    }
    let frozen_maps: BTreeMap<(Site, FunctionId), CallMap> =
        maps.into_iter().map(|(call, map)| (call, freezer.map(&map))).collect();
    let (mut in_callers, mut in_callees) = (SecondaryMap::new(), SecondaryMap::new());
    for (callee, (caller, by)) in frozen_maps.values().flat_map(|map| &map.regions) {
        Vec::push(&mut in_callers[*callee], (*caller, *by));
        Vec::push(&mut in_callees[*caller], (*callee, *by));
    }
    for list in in_callers.values_mut().chain(in_callees.values_mut()) {
        list.sort_unstable();
        list.dedup();
    }
    let Calls { direct: direct_calls, indirect: indirect_calls, has_body } = calls(freezer.generator);
    let mut called_from_outside = freezer.generator.solver.called_from_outside.clone();
    called_from_outside.sort();
    PointsTo {
        mode,
        regions,
        indirect_calls,
        maps: frozen_maps,
        in_callers,
        in_callees,
        stands_for: generator.stands_for,
        graph_of: generator.graph_of,
        called_from_outside,
        registers,
        constants,
        accesses,
        values: values.found,
        direct_calls,
        has_body,
    }
}

/// The values of nodes, each once: many registers and accesses have one.
struct Values {
    /// By root.
    keys: Vec<Option<ValueKey>>,
    found: Vec<Value>,
}

impl Values {
    fn new(n_nodes: usize) -> Values {
        Values { keys: vec![None; n_nodes], found: Vec::new() }
    }

    fn key(&mut self, freezer: &mut Freezer<'_, '_>, node: NodeKey) -> ValueKey {
        let root = freezer.generator.solver.node_root(node);
        *self.keys[root.at()].get_or_insert_with(|| {
            self.found.push(freezer.value(root));
            ValueKey::last_of(&self.found)
        })
    }

    /// The same for a node that anything is known of.
    fn known(&mut self, freezer: &mut Freezer<'_, '_>, node: NodeKey) -> Option<ValueKey> {
        let known = freezer.generator.solver.node(node);
        (known.target.is_some() || known.unknown).then(|| self.key(freezer, node))
    }
}

fn targets(functions: Arc<[FunctionId]>, unknown: bool) -> Targets {
    Targets { functions, others: if unknown { Others::AnyAddressTaken } else { Others::None } }
}

/// Who calls whom.
pub(crate) struct Calls {
    /// The calls that name a function with a body, by site.
    pub(crate) direct: Vec<(Site, FunctionId)>,
    /// The calls through pointers.
    pub(crate) indirect: BTreeMap<Site, Targets>,
    pub(crate) has_body: SecondaryMap<FunctionId, bool>,
}

/// The calls of a program that is solved. They are the generator's no more.
pub(crate) fn calls(generator: &mut Generator<'_>) -> Calls {
    let mut indirect = BTreeMap::new();
    let mut called: FxHashMap<RegionKey, Arc<[FunctionId]>> = FxHashMap::default();
    for (site, pointer, function) in std::mem::take(&mut generator.indirect) {
        let targets = match (pointer, function, generator.known_targets.as_ref()) {
            (Some(_), _, Some(known)) => match known.get(site) {
                Some(known) => targets(known.functions.clone(), known.is_unknown),
                None => targets(Arc::default(), true),
            },
            (Some(pointer), _, None) => {
                let node = generator.solver.node(pointer);
                let (region, unknown) = (node.target, node.unknown);
                let functions = region.map(|region| {
                    let root = generator.solver.root(region);
                    Arc::clone(called.entry(root).or_insert_with(|| functions_in(&generator.solver, root)))
                });
                targets(functions.unwrap_or_default(), unknown)
            }
            (None, Some(function), _) => targets(Arc::new([function]), false),
            (None, None, _) => targets(Arc::default(), true),
        };
        indirect.insert(site, targets);
    }
    let mut has_body = SecondaryMap::with_capacity(generator.program.functions.len());
    for (id, function) in &generator.program.functions {
        has_body[id] = matches!(function.body, Body::Defined(_));
    }
    let mut direct = std::mem::take(&mut generator.direct);
    direct.sort_by_key(|(site, _)| *site);
    Calls { direct, indirect, has_body }
}

/// In ascending order.
fn functions_in(solver: &Solver<'_>, region: RegionKey) -> Arc<[FunctionId]> {
    let mut functions: Vec<FunctionId> = solver.objects(region).filter_map(|(object, _)| function_of(object)).collect();
    functions.sort_unstable();
    functions.dedup();
    functions.into()
}

pub(crate) fn function_of(object: Object) -> Option<FunctionId> {
    match object {
        Object::Function(function) => Some(function),
        Object::Global(_) | Object::Heap(_) | Object::Local(_) | Object::Library(_) | Object::LibraryVariable(_) => {
            None
        }
    }
}

impl Freezer<'_, '_> {
    /// Gives each class a number, in the order of their first members.
    fn number(&mut self, n_regions: usize) -> Vec<RegionKey> {
        let mut roots = Vec::new();
        for index in 0..n_regions as u32 {
            let root = self.generator.solver.root(RegionKey::from_index(index));
            if self.ids[root.at()].is_some() {
                continue;
            }
            // The first object begins at 0, unless arrays say what 0 is.
            let first = self.generator.solver.objects(root).map(|(_, key)| key).min();
            let is_folded = self.generator.solver.class(root).layout.stride > 0;
            let first = first.unwrap_or(RegionKey::from_index(index));
            let origin = if is_folded { 0 } else { -self.generator.solver.shift[first.at()] };
            self.ids[root.at()] = Some(self.origin.push(origin));
            roots.push(root);
        }
        roots
    }

    /// Where a node of the solver lies.
    fn place(&mut self, region: RegionKey) -> (RegionId, i64) {
        let root = self.generator.solver.root(region);
        let id = self.ids[root.at()].expect("every class has a number");
        (id, self.generator.solver.shift[region.at()] + self.origin[id])
    }

    fn value(&mut self, node: NodeKey) -> Value {
        let node = self.generator.solver.node(node);
        let (target, unknown, known) = (node.target, node.unknown, node.offsets.clone());
        let Some(target) = target else { return Value { unknown, ..Value::default() } };
        let (region, by) = self.place(target);
        Value { region: Some(region), offsets: known.shifted(by), unknown }
    }

    /// The nodes whose values have their low bits looked at, by root.
    fn flagged(&mut self) -> FxHashSet<NodeKey> {
        let mut found = FxHashSet::default();
        for index in 0..self.generator.solver.n_nodes() as u32 {
            let node = self.generator.solver.node_root(NodeKey::from_index(index));
            if node != NodeKey::from_index(index) {
                continue;
            }
            if self.generator.solver.has_moves_of_bits(node) {
                found.insert(node);
            }
        }
        found
    }

    fn region(&mut self, root: RegionKey, flagged: &FxHashSet<NodeKey>) -> Region {
        let id = self.ids[root.at()].expect("every class has a number");
        let origin = self.origin[id];
        let class = self.generator.solver.take_class(root);
        let move_fold = |fold: &Fold| Fold { start: fold.start + origin, end: fold.end + origin, ..*fold };
        let layout = Layout { stride: class.layout.stride, folds: class.layout.folds.iter().map(move_fold).collect() };
        let mut cells = Vec::new();
        for (offset, cell) in class.cells.iter() {
            let value = self.value(cell.node);
            // A register that the cell is read into, and whose bits are looked at.
            let flows = self.generator.solver.flows_of(cell.node);
            let mut has_flag_bits = value.offsets.slack() > 0;
            for (to, by) in &flows {
                let to = self.generator.solver.node_root(*to);
                let is_of_bits = self.generator.solver.move_of(*by).is_of_bits();
                has_flag_bits |= value.region.is_some() && (is_of_bits || flagged.contains(&to));
            }
            cells.push(Cell { offset: offset + origin, size: cell.size, value, has_flag_bits });
        }
        let solver = &self.generator.solver;
        let mut objects: Vec<(Object, i64)> =
            solver.objects(root).map(|(object, key)| (object, solver.shift[key.at()] + origin)).collect();
        objects.sort_unstable();
        objects.dedup();
        let mut collapses = class.collapses().to_vec();
        collapses.sort_unstable();
        collapses.dedup();
        Region { graph: class.owner, layout, cells, objects, escaped: class.escaped, collapses }
    }

    fn map(&mut self, map: &KeyMap) -> CallMap {
        let mut found = CallMap::default();
        for (callee, caller, by) in map {
            let (callee, callee_origin) = self.place(*callee);
            let (caller, caller_origin) = self.place(*caller);
            found.regions.insert(callee, (caller, caller_origin + by - callee_origin));
        }
        found
    }
}
