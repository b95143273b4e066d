//! Whether every heap cell that is there can be reached, also where links make cycles.
//!
//! Counting references does not notice that a whole cycle is lost (Hackett and Rugina, section 5.4.2). So a proof that nothing leaks
//! needs more: some of the links (the *anchors*) never make a cycle, and every cell that is not freed is referred to by a
//! variable or an anchor. Then going back along anchors from any cell ends, and it ends at a variable. In a doubly linked list
//! the links in one direction are anchors, in a tree with parents those to the children.
//!
//! That no cycle of anchors is ever made is shown store by store: each one, done to a heap without such cycles, makes none. A store that is
//! not shown to be harmless, or a cell that only other links refer to, is a gap.

use crate::descent::Descents;
use crate::equalities::{Equalities, Term};
use crate::expressions::{Base, ExpressionId};
use crate::index::{IndexId, Referrer};
use crate::memory::{CellId, Extent, InverseId, Memory};
use crate::procedure::{Operation, Procedure, Spot, Stored};
use crate::sites::Analysed;
use crate::transfer::State;
use crate::world::World;
use heapwise_dataflow::{iterate_to_fixpoint, unlimited};
use heapwise_fixpoint::{PointId, ProgramFlow, StepId};
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{FunctionId, LocationId, RegisterId, RegisterOrigin};
use heapwise_pointsto::RegionId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The steps behind which it is not shown that every cell can be reached.
pub fn unproved_steps(analysed: &Analysed<'_>, flow: &ProgramFlow) -> Vec<StepId> {
    let memory = &analysed.solver.analysis.world.memory;
    let links = Links::of(memory);
    let all = Anchors { memory, links: &links, others: FxHashSet::default() };
    let loose = held_by_fields_alone(analysed, flow);
    let mut found = Vec::new();
    for family in &links.families {
        let own: FxHashSet<CellId> = family.iter().flatten().copied().collect();
        let is_own = |anchors: &Anchors<'_>| {
            let mut steps = anchors.closing_steps(analysed, flow, &own);
            steps.extend(anchors.unanchored_steps(analysed, flow, &loose, &own));
            steps
        };
        let with_all = is_own(&all);
        if with_all.is_empty() {
            continue;
        }
        let is_proved = choices(family).into_iter().any(|others| {
            let anchors = Anchors { memory, links: &links, others };
            is_own(&anchors).is_empty()
        });
        if !is_proved {
            found.extend(with_all);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The indices of cells that are there and that only fields refer to, at each point.
fn held_by_fields_alone(analysed: &Analysed<'_>, flow: &ProgramFlow) -> FxHashMap<PointId, Vec<IndexId>> {
    let indices = &analysed.solver.analysis.indices;
    let is_held = |referrer: Referrer| match referrer {
        Referrer::Cell(_) | Referrer::Counter(_) | Referrer::Ended | Referrer::Overwritten | Referrer::Doubtful => true,
        Referrer::Register(_) | Referrer::Outside | Referrer::Local | Referrer::Existed | Referrer::Freed => false,
    };
    let is_loose: Vec<bool> =
        indices.ids().map(|id| indices.get(id).iter().all(|(referrer, _)| is_held(referrer))).collect();
    let mut found: FxHashMap<PointId, Vec<IndexId>> = FxHashMap::default();
    for point in flow.points.keys() {
        for fact in analysed.solver.facts_at(point) {
            let index = analysed.solver.element_of(fact).index;
            if is_loose[index.0 as usize] {
                let known = found.entry(point).or_default();
                if !known.contains(&index) {
                    known.push(index);
                }
            }
        }
    }
    found
}

/// Which links of a family are no anchors, most likely choice first: one field only is an anchor, or all but one.
fn choices(family: &[Vec<CellId>]) -> Vec<FxHashSet<CellId>> {
    if family.len() < 2 || family.len() > MOST_FIELDS {
        return Vec::new();
    }
    let only = (0..family.len()).map(|kept| {
        let rest = family.iter().enumerate().filter(|(index, _)| *index != kept);
        rest.flat_map(|(_, cells)| cells.iter().copied()).collect()
    });
    let without = family.iter().map(|cells| cells.iter().copied().collect());
    if family.len() == 2 { only.collect() } else { only.chain(without).collect() }
}

/// Structures with more links are not tried with fewer anchors.
const MOST_FIELDS: usize = 6;

/// The cells that an operation writes by itself.
fn written(operation: &Operation) -> Vec<CellId> {
    match operation {
        Operation::Store { place, .. } => place.target.cells.to_vec(),
        Operation::CopyCells { written, .. } => written.clone(),
        Operation::Call(call) => {
            let stores = call.externs.iter().filter_map(|found| found.stores.as_ref());
            stores.flat_map(|(place, _)| place.target.cells.iter().copied()).collect()
        }
        _ => Vec::new(),
    }
}

/// The links of a program. A function knows only those that it accesses itself, so what objects have is put together from all.
struct Links {
    /// Links that may be on one cycle; each family by fields, which are cells of several functions.
    families: Vec<Vec<Vec<CellId>>>,
    /// The fields of the objects in a region that are links, by region.
    of_region: FxHashMap<RegionId, Vec<Vec<CellId>>>,
}

impl Links {
    fn of(memory: &Memory<'_>) -> Links {
        let pointsto = memory.pointsto;
        let mut regions = Classes::new(pointsto.regions.len());
        let mut fields = Classes::new(memory.cells.len());
        for map in pointsto.maps.values() {
            for (callee, (caller, by)) in &map.regions {
                regions.unite(callee.index(), caller.index());
                for inner in memory.of_region(*callee) {
                    if let Some(outer) = memory.at(*caller, memory.cells[inner].offset + by) {
                        fields.unite(inner.index(), outer.index());
                    }
                }
            }
        }
        let cells: Vec<CellId> = memory.cells.keys().filter(|cell| links(memory, *cell)).collect();
        let mut by_class: FxHashMap<usize, BTreeMap<usize, Vec<CellId>>> = FxHashMap::default();
        for cell in &cells {
            let class = by_class.entry(regions.of(memory.cells[*cell].region.index())).or_default();
            class.entry(fields.of(cell.index())).or_default().push(*cell);
        }
        let of_region = pointsto.regions.keys().filter_map(|region| {
            Some((region, by_class.get(&regions.of(region.index()))?.values().cloned().collect()))
        });
        let of_region = of_region.collect();
        for cell in &cells {
            let known = &memory.cells[*cell];
            let found = &pointsto.regions[known.region].cells;
            let index = found.partition_point(|other| other.offset < known.offset);
            if let Some(target) = found[index].value.region {
                regions.unite(known.region.index(), target.index());
            }
        }
        let mut families: BTreeMap<usize, BTreeMap<usize, Vec<CellId>>> = BTreeMap::new();
        for cell in &cells {
            let family = families.entry(regions.of(memory.cells[*cell].region.index())).or_default();
            family.entry(fields.of(cell.index())).or_default().push(*cell);
        }
        Links { families: families.into_values().map(|family| family.into_values().collect()).collect(), of_region }
    }
}

/// Disjoint sets of numbers.
struct Classes(Vec<usize>);

impl Classes {
    fn new(n: usize) -> Classes {
        Classes((0..n).collect())
    }

    fn of(&mut self, mut number: usize) -> usize {
        while self.0[number] != number {
            self.0[number] = self.0[self.0[number]];
            number = self.0[number];
        }
        number
    }

    fn unite(&mut self, left: usize, right: usize) {
        let (left, right) = (self.of(left), self.of(right));
        self.0[left.max(right)] = left.min(right);
    }
}

/// Whether a cell may be a link of a cycle that can be lost: what there is one of is a variable, and a variable is a root.
pub fn links(memory: &Memory<'_>, cell: CellId) -> bool {
    memory.cells[cell].is_cyclic && memory.cells[cell].extent != Extent::One
}

/// The links that keep cells.
struct Anchors<'c> {
    memory: &'c Memory<'c>,
    links: &'c Links,
    /// Those that do not.
    others: FxHashSet<CellId>,
}

impl Anchors<'_> {
    fn has(&self, cell: CellId) -> bool {
        links(self.memory, cell) && !self.others.contains(&cell)
    }

    fn is_linking(&self, place: &Spot) -> bool {
        place.target.cells.iter().any(|cell| self.has(*cell))
    }

    /// The steps that write links of a family and may close a cycle of anchors.
    fn closing_steps(&self, analysed: &Analysed<'_>, flow: &ProgramFlow, family: &FxHashSet<CellId>) -> Vec<StepId> {
        let tracker = &analysed.solver.analysis;
        let world = tracker.world;
        let mut found = Vec::new();
        let mut strict: FxHashMap<FunctionId, Vec<Option<Equalities>>> = FxHashMap::default();
        for step in flow.steps.keys() {
            let Some((function, edge)) = tracker.edge(step) else { continue };
            let Some(procedure) = &world.procedures[function] else { continue };
            if !written(&procedure.operations[edge]).iter().any(|cell| family.contains(cell)) {
                continue;
            }
            let states = || -> Vec<State> {
                let facts = analysed.solver.facts_at(flow.flow.step(step).from);
                facts.map(|fact| tracker.state(*analysed.solver.element_of(fact))).collect()
            };
            let is_harmless = match &procedure.operations[edge] {
                Operation::Store { place, value: Stored::Register(value) } if self.is_linking(place) => {
                    let from = flow.points[flow.flow.step(step).from].location;
                    let equalities = strict.entry(function).or_insert_with(|| world.strict_equalities(function));
                    let check = Check {
                        anchors: self,
                        world,
                        from,
                        procedure,
                        unless_null: world.equalities(function, from),
                        equalities: equalities.get(from.index()).and_then(Option::as_ref),
                        place,
                        value: *value,
                    };
                    check.is_harmless(&states())
                }
                Operation::CopyCells { pairs, written, is_exact, .. } => {
                    let copies = pairs.iter().any(|(from, _)| from.is_some()) || !*is_exact;
                    !(copies && written.iter().any(|cell| self.has(*cell)))
                }
                Operation::Call(call) => {
                    let links = |(place, _): &(Spot, Option<RegisterId>)| self.is_linking(place);
                    !call.externs.iter().any(|found| found.stores.as_ref().is_some_and(links))
                }
                _ => true,
            };
            if !is_harmless {
                found.push(step);
            }
        }
        found
    }

    /// The steps after which only links of a family that are no anchors refer to a cell.
    fn unanchored_steps(
        &self,
        analysed: &Analysed<'_>,
        flow: &ProgramFlow,
        loose: &FxHashMap<PointId, Vec<IndexId>>,
        family: &FxHashSet<CellId>,
    ) -> Vec<StepId> {
        let indices = &analysed.solver.analysis.indices;
        let is_unanchored = |id: &IndexId| {
            indices.get(*id).iter().all(|(referrer, _)| match referrer {
                Referrer::Cell(cell) => family.contains(&cell) && self.others.contains(&cell),
                Referrer::Counter(_) | Referrer::Ended | Referrer::Overwritten | Referrer::Doubtful => true,
                Referrer::Register(_) | Referrer::Outside | Referrer::Local | Referrer::Existed | Referrer::Freed => {
                    false
                }
            })
        };
        let is_left =
            |step: &StepId| loose.get(&flow.flow.step(*step).to).is_some_and(|found| found.iter().any(is_unanchored));
        flow.steps.keys().filter(is_left).collect()
    }
}

struct Check<'c> {
    anchors: &'c Anchors<'c>,
    world: &'c World<'c>,
    from: LocationId,
    procedure: &'c Procedure,
    /// What is equal, whatever is null.
    equalities: Option<&'c Equalities>,
    /// The same unless a base is null.
    unless_null: Option<&'c Equalities>,
    place: &'c Spot,
    value: RegisterId,
}

impl Check<'_> {
    fn is_harmless(&self, states: &[State]) -> bool {
        let Some(base) = self.place.base else { return false };
        let has = |state: &State, register: RegisterId| state.index.has(Referrer::Register(register));
        let is_self = states.iter().any(|state| has(state, base) && has(state, self.value));
        if self.is_reached_already(states, base) {
            return true;
        }
        if is_self {
            return false;
        }
        // Nothing in the heap leads to the cell that is written.
        let is_unlinked = |state: &State| {
            let is_anchor = |referrer: Referrer| matches!(referrer, Referrer::Cell(cell) if self.anchors.has(cell));
            state.facts.is_visible() && !state.index.iter().any(|(referrer, _)| is_anchor(referrer))
        };
        if states.iter().filter(|state| has(state, base)).all(is_unlinked) {
            return true;
        }
        // The cell that is stored leads nowhere.
        if states.iter().filter(|state| has(state, self.value)).all(|state| state.facts.is_leaf()) {
            return true;
        }
        self.is_insertion() || self.joins_trees(states, base)
    }

    /// How many anchors lead to the cell; none if there are more than are counted, or some may not be seen.
    fn n_anchors(&self, state: &State) -> Option<u32> {
        if !state.facts.is_visible() {
            return None;
        }
        let anchors = state
            .index
            .iter()
            .filter(|(referrer, _)| matches!(referrer, Referrer::Cell(cell) if self.anchors.has(*cell)));
        anchors.map(|(_, count)| count.number()).sum()
    }

    /// Anchors make a forest, `v` is the root of a tree, and `p` is in another one: it was reached from another root.
    fn joins_trees(&self, states: &[State], base: RegisterId) -> bool {
        let function = self.procedure.function;
        let Some(automaton) = self.world.memory.program.functions[function].automaton() else { return false };
        let descents = Descents { world: self.world, function, procedure: self.procedure };
        let Ok(found) = iterate_to_fixpoint(automaton, descents, unlimited);
        let found = found.into_states();
        let Some(reached) = found.get(self.from.index()).and_then(|found| found.as_ref()?.of(base)) else {
            return false;
        };
        let has = |state: &State, register: RegisterId| state.index.has(Referrer::Register(register));
        let is_anchored = |cell: &CellId| self.anchors.has(*cell);
        reached.along.iter().all(is_anchored)
            && states.iter().all(|state| {
                let is_root = has(state, self.value) || has(state, reached.root);
                let both = has(state, self.value) && has(state, reached.root);
                !both && self.n_anchors(state).is_some_and(|number| number <= u32::from(!is_root))
            })
    }

    fn equal(&self, left: Term, right: Term) -> bool {
        left == right || self.equalities.is_some_and(|known| known.are_equal(left, right))
    }

    fn base_equals(&self, expression: ExpressionId, register: RegisterId) -> bool {
        match self.procedure.expressions.all[expression].base {
            Base::Register(own) => self.equal(Term::Register(own), Term::Register(register)),
            Base::Global(_) => false,
        }
    }

    /// `p->n = v` where `v` was reached from `p` by anchors before, in one step or two: a way becomes shorter.
    fn is_reached_already(&self, states: &[State], base: RegisterId) -> bool {
        let Some(known) = self.equalities else { return false };
        let leads_to = |middle: RegisterId| self.leads_back(known, states, base, middle);
        let anchors_equal_to = |register: RegisterId| {
            known.equal_to(Term::Register(register)).filter_map(|term| match term {
                Term::Expression(expression) => {
                    self.anchors.has(self.procedure.expressions.all[expression].cell).then_some(expression)
                }
                Term::Register(_) => None,
            })
        };
        anchors_equal_to(self.value).any(|expression| {
            self.base_equals(expression, base)
                || match self.procedure.expressions.all[expression].base {
                    Base::Register(middle) => {
                        leads_to(middle)
                            || self.comes_from(base, middle)
                            || anchors_equal_to(middle).any(|first| self.base_equals(first, base))
                    }
                    Base::Global(_) => false,
                }
        })
    }

    /// Whether `m` is `p->n`, for an anchor `n`, unless `p` is null: which it is not, as it is accessed.
    fn comes_from(&self, base: RegisterId, middle: RegisterId) -> bool {
        let terms = self.unless_null.into_iter().flat_map(|known| known.equal_to(Term::Register(middle)));
        let expressions = terms.filter_map(|term| match term {
            Term::Expression(expression) => Some(self.procedure.expressions.all[expression]),
            Term::Register(_) => None,
        });
        expressions.into_iter().any(|link| link.base == Base::Register(base) && self.anchors.has(link.cell))
    }

    /// Whether `p` is `m->back`, and an anchor of where that link leads is known to lead back to `m`. (`p` is not null: it is accessed.)
    fn leads_back(&self, known: &Equalities, states: &[State], base: RegisterId, middle: RegisterId) -> bool {
        let registers = &self.world.memory.program.functions[self.procedure.function].registers;
        let is_kept =
            registers[middle].origin != RegisterOrigin::Temporary || self.procedure.liveness.is_live(self.from, middle);
        let memory = self.anchors.memory;
        let holds = |inverse: InverseId| {
            let mut at_middle = states.iter().filter(|state| state.index.has(Referrer::Register(middle)));
            at_middle.all(|state| state.facts.has_inverse(inverse))
        };
        is_kept
            && known.equal_to(Term::Register(base)).any(|term| {
                let Term::Expression(expression) = term else { return false };
                let link = self.procedure.expressions.all[expression];
                link.base == Base::Register(middle)
                    && memory
                        .inverses_with(link.cell)
                        .any(|(inverse, pair)| pair.back == link.cell && self.anchors.has(pair.forth) && holds(inverse))
            })
    }

    /// `p->n = v` where `v->n` is what `p->n` was, and nothing else leads on from `v`: a way becomes longer.
    fn is_insertion(&self) -> bool {
        let (Some(expression), [cell]) = (self.place.expression, &self.place.target.cells[..]) else { return false };
        let memory = self.anchors.memory;
        let region = memory.cells[*cell].region;
        let fields = self.anchors.links.of_region.get(&region).map_or(&[][..], Vec::as_slice);
        let n_links = fields.iter().filter(|cells| cells.iter().any(|cell| self.anchors.has(*cell))).count();
        let offset = self.procedure.expressions.all[expression].offset;
        let Some(onward) = self.procedure.expressions.find(Base::Register(self.value), offset) else { return false };
        n_links == 1
            && self.procedure.expressions.all[onward].cell == *cell
            && self.equal(Term::Expression(expression), Term::Expression(onward))
    }
}
