//! From the solver's tables to the result.

use crate::generate::Generator;
use crate::graph::{Access, CallMap, Cell, GraphId, Mode, Others, PointsTo, Region, RegionId, Targets, Value};
use crate::layout::{Fold, Layout};
use crate::nodes::{RegionKey, SlotKey};
use crate::object::{Object, Site};
use crate::offsets::Offsets;
use heapwise_ir::entity::{PrimaryMap, SecondaryMap};
use heapwise_ir::{Body, Callee, FunctionId, Instruction, Operand};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The map of a call while the analysis runs: a region of the callee, one of the caller, and how far apart their origins are.
pub(crate) type KeyMap = Vec<(RegionKey, RegionKey, i64)>;

struct Freezer<'a, 'p> {
    generator: &'a mut Generator<'p>,
    /// By root.
    ids: Vec<Option<RegionId>>,
    /// What is added to an offset of a class.
    origin: PrimaryMap<RegionId, i64>,
}

pub(crate) fn freeze(mut generator: Generator<'_>, mode: Mode, maps: BTreeMap<(Site, FunctionId), KeyMap>) -> PointsTo {
    let n_regions = generator.solver.n_regions();
    let mut freezer = Freezer { generator: &mut generator, ids: vec![None; n_regions], origin: PrimaryMap::new() };
    let roots = freezer.number(n_regions);
    let flagged = freezer.flagged();
    let mut regions = PrimaryMap::new();
    for root in roots {
        let region = freezer.region(root, &flagged);
        regions.push(region);
    }
    let mut registers: SecondaryMap<FunctionId, Vec<Value>> = SecondaryMap::new();
    for (function, slots) in std::mem::take(&mut freezer.generator.registers).iter() {
        registers[function] =
            slots.iter().map(|slot| slot.map_or_else(Value::default, |slot| freezer.value(slot))).collect();
    }
    let mut constants: Vec<((Option<GraphId>, Object), RegionKey)> =
        freezer.generator.constants.iter().map(|(key, (region, _))| (*key, *region)).collect();
    constants.sort();
    let constants = constants.into_iter().map(|(key, region)| (key, freezer.place(region))).collect();
    let noted = std::mem::take(&mut freezer.generator.accesses);
    let mut accesses = Vec::with_capacity(noted.len());
    for access in noted {
        let address = access.address.map(|address| freezer.value(address));
        accesses.push(Access { site: access.site, kind: access.kind, address, size: access.size });
    }
    // Bodies of functions without text came last.
    accesses.sort_by_key(|access: &Access<Value>| access.site);
    let frozen_maps: BTreeMap<(Site, FunctionId), CallMap> =
        maps.into_iter().map(|(site, map)| (site, freezer.map(&map))).collect();
    let (mut in_callers, mut in_callees) = (SecondaryMap::new(), SecondaryMap::new());
    for (callee, (caller, by)) in frozen_maps.values().flat_map(|map| &map.regions) {
        push_new(&mut in_callers[*callee], (*caller, *by));
        push_new(&mut in_callees[*caller], (*callee, *by));
    }
    let mut indirect_calls = BTreeMap::new();
    for (site, pointer, function) in std::mem::take(&mut freezer.generator.indirect) {
        let targets = match (pointer, function, freezer.generator.known_targets.as_ref()) {
            (Some(_), _, Some(known)) => match known.get(&site) {
                Some((functions, unknown)) => targets(functions.clone(), *unknown),
                None => targets(Vec::new(), true),
            },
            (Some(pointer), _, None) => {
                let value = freezer.value(pointer);
                let functions = value.region.map_or_else(Vec::new, |region| functions_in(&regions[region]));
                targets(functions, value.unknown)
            }
            (None, Some(function), _) => targets(vec![function], false),
            (None, None, _) => targets(Vec::new(), true),
        };
        indirect_calls.insert(site, targets);
    }
    let callees = callees(freezer.generator, &indirect_calls);
    let mut called_from_outside = freezer.generator.solver.called_from_outside.clone();
    called_from_outside.sort();
    PointsTo {
        mode,
        regions,
        indirect_calls,
        maps: frozen_maps,
        in_callers,
        in_callees,
        graph_of: generator.graph_of,
        called_from_outside,
        registers,
        constants,
        accesses,
        callees,
    }
}

fn push_new(list: &mut Vec<(RegionId, i64)>, place: (RegionId, i64)) {
    if !list.contains(&place) {
        list.push(place);
    }
}

fn targets(mut functions: Vec<FunctionId>, unknown: bool) -> Targets {
    functions.sort();
    functions.dedup();
    Targets { functions, others: if unknown { Others::AnyAddressTaken } else { Others::None } }
}

pub(crate) fn functions_in(region: &Region) -> Vec<FunctionId> {
    region.objects.iter().filter_map(|(object, _)| function_of(*object)).collect()
}

pub(crate) fn function_of(object: Object) -> Option<FunctionId> {
    match object {
        Object::Function(function) => Some(function),
        Object::Global(_) | Object::Heap(_) | Object::Local(_) | Object::Library(_) | Object::LibraryVariable(_) => {
            None
        }
    }
}

/// The calls of defined functions, by caller.
fn callees(
    generator: &Generator<'_>,
    indirect: &BTreeMap<Site, Targets>,
) -> SecondaryMap<FunctionId, Vec<(Site, FunctionId)>> {
    let program = generator.program;
    let is_defined = |function: &FunctionId| matches!(program.functions[*function].body, Body::Defined(_));
    let mut found: SecondaryMap<FunctionId, Vec<(Site, FunctionId)>> = SecondaryMap::new();
    for (caller, function) in &program.functions {
        let Some(automaton) = function.automaton() else { continue };
        for (edge, step) in &automaton.edges {
            let Instruction::Call { callee, .. } = &step.instruction else { continue };
            let site = Site { function: caller, edge };
            match callee {
                Callee::Direct(callee) | Callee::Indirect(Operand::Function(callee)) => {
                    found[caller].extend(Some(*callee).filter(is_defined).map(|callee| (site, callee)));
                }
                Callee::Indirect(_) => {
                    let callees = indirect.get(&site).map_or(&[][..], |targets| &targets.functions);
                    found[caller].extend(callees.iter().copied().filter(is_defined).map(|callee| (site, callee)));
                }
            }
        }
    }
    found
}

impl Freezer<'_, '_> {
    /// Gives each class a number, in the order of their first members.
    fn number(&mut self, n_regions: usize) -> Vec<RegionKey> {
        let mut roots = Vec::new();
        for index in 0..n_regions as u32 {
            let root = self.generator.solver.root(RegionKey(index));
            if self.ids[root.at()].is_some() {
                continue;
            }
            let class = self.generator.solver.class(root);
            // The first object begins at 0, unless arrays say what 0 is.
            let first = class.objects.iter().map(|(_, key)| *key).min();
            let is_folded = class.layout.stride > 0;
            let first = first.unwrap_or(RegionKey(index));
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

    fn value(&mut self, slot: SlotKey) -> Value {
        let slot = self.generator.solver.slot(slot);
        let (target, unknown, known) = (slot.target, slot.unknown, slot.offsets.clone());
        let Some(target) = target else { return Value { unknown, ..Value::default() } };
        let (region, by) = self.place(target);
        let mut offsets = Offsets::default();
        for range in known.ranges() {
            offsets.insert(range.shifted(by));
        }
        Value { region: Some(region), offsets, unknown }
    }

    /// The slots whose values have their low bits looked at, by root.
    fn flagged(&mut self) -> FxHashSet<SlotKey> {
        let mut found = FxHashSet::default();
        for index in 0..self.generator.solver.n_slots() as u32 {
            let slot = self.generator.solver.slot_root(SlotKey(index));
            if slot != SlotKey(index) {
                continue;
            }
            if self.generator.solver.has_moves_of_bits(slot) {
                found.insert(slot);
            }
        }
        found
    }

    fn region(&mut self, root: RegionKey, flagged: &FxHashSet<SlotKey>) -> Region {
        let id = self.ids[root.at()].expect("every class has a number");
        let origin = self.origin[id];
        let class = self.generator.solver.take_class(root);
        let move_fold = |fold: &Fold| Fold { start: fold.start + origin, end: fold.end + origin, ..*fold };
        let layout = Layout { stride: class.layout.stride, folds: class.layout.folds.iter().map(move_fold).collect() };
        let mut cells = Vec::new();
        for (offset, cell) in &class.cells {
            let value = self.value(cell.slot);
            // A register that the cell is read into, and whose bits are looked at.
            let flows = self.generator.solver.slot(cell.slot).flows.clone();
            let mut has_flag_bits = value.offsets.slack() > 0;
            for (to, by) in &flows {
                let to = self.generator.solver.slot_root(*to);
                let is_of_bits = self.generator.solver.move_of(*by).is_of_bits();
                has_flag_bits |= value.region.is_some() && (is_of_bits || flagged.contains(&to));
            }
            cells.push(Cell { offset: offset + origin, size: cell.size, value, has_flag_bits });
        }
        let mut objects = Vec::new();
        for (object, key) in &class.objects {
            objects.push((*object, self.generator.solver.shift[key.at()] + origin));
        }
        objects.sort_unstable();
        objects.dedup();
        let mut collapses = class.collapses;
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
