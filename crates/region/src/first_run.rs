//! What a first run shows of all runs, for a second run to rely on.
//!
//! A configuration knows nothing of other cells. But all configurations of a run together do: what holds in every configuration
//! in which a register refers to the tracked cell holds of the cell behind that register, whatever cell is tracked.

use crate::accessed::{Accessed, accessed_in};
use crate::expressions::Base;
use crate::index::Referrer;
use crate::memory::{Inverse, InverseId, exact};
use crate::procedure::{Call, Operation, Spot};
use crate::sites::{Analysed, Coverage};
use crate::transfer::{State, Step};
use crate::world::World;
use heapwise_fixpoint::{PointId, ProgramFlow, StepId};
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{EdgeId, FunctionId, LocationId, Operand, RegisterId, RegisterOrigin};
use heapwise_pointsto::{Object, Site};
use rustc_hash::{FxHashMap, FxHashSet};

/// An instruction of a function.
pub type Place = (FunctionId, EdgeId);

/// What is known of the cell behind the register that a link is read through.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LinkRead {
    /// Pairs of which this link is the first: where it leads, the other one leads back to the cell.
    pub inverses: Vec<Inverse>,
    /// Whether no freed cell is behind such a link, of any cell.
    pub is_never_dangling: bool,
}

/// Two registers that refer to the same cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alias {
    /// It has been accessed, so it refers to an object.
    pub pointer: RegisterId,
    /// It refers to every cell that the first one refers to.
    pub other: RegisterId,
}

/// What a first run has shown.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FirstRun {
    /// For each call, the registers whose cells are there and it cannot reach: none in which the register refers to the tracked cell enters the callee.
    private: FxHashMap<Place, Vec<RegisterId>>,
    /// Accesses and frees through a pointer that refers to no cell that is there: it is null, or the run ends with an error.
    ended: FxHashSet<Place>,
    links: FxHashMap<Place, LinkRead>,
    /// Registers that are equal behind a condition.
    aliases: FxHashMap<Place, Vec<Alias>>,
    /// For each store, the registers that refer to another object than the one written.
    apart: FxHashMap<Place, Vec<RegisterId>>,
}

impl FirstRun {
    /// Whether nothing was shown.
    pub fn is_empty(&self) -> bool {
        *self == FirstRun::default()
    }

    /// The registers whose cells a call cannot reach.
    pub fn private(&self, place: Place) -> &[RegisterId] {
        self.private.get(&place).map_or(&[], Vec::as_slice)
    }

    /// Whether an access or free is through a pointer to no cell that is there.
    pub fn is_ended(&self, place: Place) -> bool {
        self.ended.contains(&place)
    }

    /// The registers that are equal behind a condition.
    pub fn aliases(&self, place: Place) -> &[Alias] {
        self.aliases.get(&place).map_or(&[], Vec::as_slice)
    }

    /// Whether a register refers to another object than the one that a store writes.
    pub fn is_apart(&self, place: Place, register: RegisterId) -> bool {
        self.apart.get(&place).is_some_and(|apart| apart.contains(&register))
    }

    /// What is known where a link is read.
    pub fn link(&self, place: Place) -> Option<&LinkRead> {
        self.links.get(&place)
    }

    /// Looks at all configurations of a run.
    pub fn of(analysed: &Analysed<'_>, flow: &ProgramFlow) -> FirstRun {
        let mut found = FirstRun::default();
        if analysed.sites.iter().any(|site| site.coverage == Coverage::Cut) {
            return found;
        }
        let tracker = &analysed.solver.analysis;
        let world = tracker.world;
        let mut accessed: FxHashMap<FunctionId, Vec<Option<Accessed>>> = FxHashMap::default();
        for step in flow.steps.keys() {
            let Some((function, edge)) = tracker.edge(step) else { continue };
            let Some(procedure) = &world.procedures[function] else { continue };
            let operation = &procedure.operations[edge];
            if let Operation::Call(call) = operation {
                let private = private_registers(analysed, flow, (step, function, edge), call);
                if !private.is_empty() {
                    found.private.insert((function, edge), private);
                }
            }
            // Where cells were lost from sight, what is behind a pointer is not known.
            if !tracker.gaps.is_empty() {
                continue;
            }
            if let Operation::AssumeNumber { .. } = operation {
                let accessed = accessed.entry(function).or_insert_with(|| accessed_in(world, function));
                let aliases = aliases_behind(analysed, flow, (step, function), accessed);
                if !aliases.is_empty() {
                    found.aliases.insert((function, edge), aliases);
                }
            }
            let bases = match operation {
                Operation::Free { pointer, .. } => std::slice::from_ref(pointer),
                other => Step::bases(other),
            };
            let [base, ..] = *bases else { continue };
            if !is_heap(world, function, base) {
                continue;
            }
            let states = states_before(analysed, flow, step);
            let refers = |state: &&State| state.index.has(Referrer::Register(base));
            if states.iter().filter(refers).all(|state| state.index.has(Referrer::Freed)) {
                found.ended.insert((function, edge));
            }
            if let Operation::Store { place, .. } = operation {
                let from = flow.points[flow.flow.step(step).from].location;
                let apart = registers_apart(world, (function, from), base, place, &states);
                if !apart.is_empty() {
                    found.apart.insert((function, edge), apart);
                }
            }
            if let Operation::Load { place, .. } = operation {
                let read = link_read(world, function, base, place, &states);
                if read != LinkRead::default() {
                    found.links.insert((function, edge), read);
                }
            }
        }
        found
    }
}

/// Most variables of a function whose pairs are compared.
const MOST_VARIABLES: usize = 12;

/// The pairs of variables of which one has been accessed, and the other refers to every cell that it refers to.
fn aliases_behind(
    analysed: &Analysed<'_>,
    flow: &ProgramFlow,
    (step, function): (StepId, FunctionId),
    accessed: &[Option<Accessed>],
) -> Vec<Alias> {
    let world = analysed.solver.analysis.world;
    let to = flow.flow.step(step).to;
    let Some(accessed) = accessed.get(flow.points[to].location.index()).and_then(Option::as_ref) else {
        return Vec::new();
    };
    let registers = &world.memory.program.functions[function].registers;
    let variables: Vec<RegisterId> = registers
        .keys()
        .filter(|register| registers[*register].origin != RegisterOrigin::Temporary)
        .filter(|register| is_heap(world, function, *register))
        .collect();
    if variables.len() > MOST_VARIABLES {
        return Vec::new();
    }
    let states = states_at(analysed, to);
    let mut found = Vec::new();
    for pointer in variables.iter().copied().filter(|register| accessed.has(*register)) {
        for other in variables.iter().copied().filter(|other| *other != pointer) {
            let mut at_pointer = states.iter().filter(|state| state.index.has(Referrer::Register(pointer)));
            if at_pointer.all(|state| state.index.has(Referrer::Register(other))) {
                found.push(Alias { pointer, other });
            }
        }
    }
    found
}

fn states_before(analysed: &Analysed<'_>, flow: &ProgramFlow, step: StepId) -> Vec<State> {
    states_at(analysed, flow.flow.step(step).from)
}

fn states_at(analysed: &Analysed<'_>, point: PointId) -> Vec<State> {
    let facts = analysed.solver.facts_at(point);
    facts.map(|fact| analysed.solver.analysis.state(*analysed.solver.element_of(fact))).collect()
}

/// Whether a register refers to heap cells only, and none that unknown code has.
fn is_heap(world: &World<'_>, function: FunctionId, register: RegisterId) -> bool {
    let value = world.memory.operand(function, Operand::Register(register));
    let only_heap = |region| {
        let objects = world.memory.pointsto.objects(region);
        !objects.is_empty()
            && objects.iter().all(|(object, _)| matches!(object, Object::Heap(_)))
            && !world.memory.pointsto.regions[region].escaped
    };
    !value.unknown && value.region.is_some_and(only_heap)
}

/// The registers through which the cells that a store may write are read elsewhere, and which never refer to the object that it
/// writes: no cell is behind both.
fn registers_apart(
    world: &World<'_>,
    (function, from): (FunctionId, LocationId),
    base: RegisterId,
    place: &Spot,
    states: &[State],
) -> Vec<RegisterId> {
    let Some(procedure) = &world.procedures[function] else { return Vec::new() };
    let registers = &world.memory.program.functions[function].registers;
    let is_counted = |register: RegisterId| {
        registers[register].origin != RegisterOrigin::Temporary || procedure.liveness.is_live(from, register)
    };
    let expressions = procedure.expressions.all.values();
    let mut found: Vec<RegisterId> = expressions
        .filter(|expression| place.target.cells.contains(&expression.cell))
        .filter_map(|expression| match expression.base {
            Base::Register(register) => Some(register),
            Base::Global(_) => None,
        })
        .filter(|register| *register != base && is_counted(*register) && is_heap(world, function, *register))
        .collect();
    found.sort_unstable();
    found.dedup();
    for state in states.iter().filter(|state| state.index.has(Referrer::Register(base))) {
        found.retain(|register| !state.index.has(Referrer::Register(*register)));
    }
    found
}

fn link_read(world: &World<'_>, function: FunctionId, base: RegisterId, place: &Spot, states: &[State]) -> LinkRead {
    let memory = &world.memory;
    let [cell] = place.target.cells[..] else { return LinkRead::default() };
    let distance = exact(&memory.operand(function, Operand::Register(base)));
    let pairs: Vec<(InverseId, Inverse)> = memory
        .inverses_with(cell)
        .filter(|(_, pair)| pair.back == cell && distance == Some(pair.distance) && place.expression.is_some())
        .collect();
    if pairs.is_empty() {
        return LinkRead::default();
    }
    let is_dangling = |state: &State| state.index.has(Referrer::Freed) && state.index.has(Referrer::Cell(cell));
    let holds = |id: InverseId| {
        let mut states = states.iter().filter(|state| state.index.has(Referrer::Register(base)));
        states.all(|state| state.index.has(Referrer::Freed) || state.facts.has_inverse(id))
    };
    LinkRead {
        inverses: pairs.into_iter().filter(|(id, _)| holds(*id)).map(|(_, pair)| pair).collect(),
        is_never_dangling: !states.iter().any(is_dangling),
    }
}

fn private_registers(
    analysed: &Analysed<'_>,
    flow: &ProgramFlow,
    (step, function, edge): (StepId, FunctionId, EdgeId),
    call: &Call,
) -> Vec<RegisterId> {
    let tracker = &analysed.solver.analysis;
    let world = tracker.world;
    let Some(procedure) = &world.procedures[function] else { return Vec::new() };
    if call.unknown.is_some() || call.callees.is_empty() {
        return Vec::new();
    }
    let registers = world.memory.program.functions[function].registers.keys();
    let mut candidates: Vec<RegisterId> = registers
        .filter(|register| !procedure.expressions.from(Base::Register(*register)).is_empty())
        .filter(|register| is_heap(world, function, *register))
        .collect();
    if candidates.is_empty() {
        return candidates;
    }
    let site = Site { function, edge };
    let maps: Vec<_> = call.callees.iter().map(|callee| world.effects.map(&world.memory, site, *callee)).collect();
    for state in states_before(analysed, flow, step) {
        // A cell that was freed has no fields that could hold anything back.
        if state.index.has(Referrer::Freed) {
            candidates.retain(|register| !state.index.has(Referrer::Register(*register)));
        }
        let is_handed = state.index.iter().any(|(referrer, _)| match referrer {
            Referrer::Register(register) => call.arguments.iter().any(|argument| argument.register == Some(register)),
            Referrer::Cell(cell) => maps.iter().any(|map| map.unknown || !map.in_callee(&cell).is_empty()),
            Referrer::Outside => true,
            Referrer::Local
            | Referrer::Existed
            | Referrer::Freed
            | Referrer::Ended
            | Referrer::Overwritten
            | Referrer::Doubtful
            | Referrer::Counter(_) => false,
        });
        if is_handed {
            candidates.retain(|register| !state.index.has(Referrer::Register(*register)));
        }
    }
    candidates
}
