//! Slots: variables that never hold a value at the same time share predicates, as registers of a machine are shared.
//!
//! A structure has one pointer predicate, one reachability predicate and a few facts per *slot*. Inlined programs have
//! hundreds of variables of which a handful is alive at any point, so structures stay small.

use super::contract::ghosts::GhostSlots;
use super::values::Values;
use heapwise_cells::atom::Var;
use heapwise_cells::live::{Liveness, Retention};
use heapwise_cells::program::{CellProgram, Command, Point, StepId};
use heapwise_dataflow::{Analysis, Direction, Flow, SparseBits, iterate_to_fixpoint};
use heapwise_engine::{BudgetMeter, Control, Exhausted};
use heapwise_ir::entity::{EntityRef, PrimaryMap};

/// A slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u32);
heapwise_ir::entity::entity_impl!(Slot, "slot");

/// The pointer that a step looks through.
pub const BASE: Slot = Slot(0);
/// What the link held that a step reads or overwrites.
pub const OLD: Slot = Slot(1);
/// What a step stores.
pub const VALUE: Slot = Slot(2);
/// How many slots steps have to themselves.
const SCRATCH: usize = 3;

/// Which slot holds which variable where.
#[derive(Clone, Debug)]
pub struct Slots {
    of: PrimaryMap<Var, Slot>,
    /// Slots below hold pointers to cells or other values, the rest only other values.
    n_cells: usize,
    n_slots: usize,
    /// Slots that contracts have to themselves, behind those of steps.
    n_ghosts: usize,
    n_words: usize,
    retention: Retention,
    /// The variables that may hold a value, per point.
    kept: Vec<u64>,
    /// Per point, the slots of live variables and the slots of dead ones that may still hold a cell.
    occupied: PrimaryMap<Point, Occupied>,
}

/// The slots in use at a point.
#[derive(Clone, Default, Debug)]
pub struct Occupied {
    /// By live variables.
    pub live: Vec<Slot>,
    /// By dead variables that count as references.
    pub holders: Vec<Slot>,
}

impl Slots {
    /// Gives every variable a slot, within a budget: there is a bit for each pair of variables, and one for each variable and
    /// point.
    pub fn new(
        program: &CellProgram,
        liveness: &Liveness,
        values: &Values,
        retention: Retention,
        control: &Control,
    ) -> Result<Slots, Exhausted> {
        let n_words = program.vars.len().div_ceil(64).max(1);
        control.check(0, (n_words * size_of::<u64>()) as u64 * (program.outgoing.len() + program.vars.len()) as u64)?;
        let meter = BudgetMeter::new(control);
        let kept = kept(program, liveness, retention, n_words, &meter)?;
        let interference = interference(program, &kept, n_words, &meter)?;
        let mut of: PrimaryMap<Var, Slot> = PrimaryMap::new();
        for _ in program.vars.keys() {
            of.push(BASE);
        }
        let mut colour = |vars: &[Var], first: usize| -> usize {
            let mut end = first;
            for (i, var) in vars.iter().enumerate() {
                if meter.is_over() {
                    return end;
                }
                let row = &interference[var.index() * n_words..][..n_words];
                let taken: Vec<usize> =
                    vars[..i].iter().filter(|other| has(row, other.index())).map(|other| of[*other].index()).collect();
                let slot = (first..).find(|slot| !taken.contains(slot)).unwrap_or(first);
                of[*var] = Slot::new(slot);
                end = end.max(slot + 1);
            }
            end
        };
        let (cells, plain): (Vec<Var>, Vec<Var>) = program.vars.keys().partition(|var| values.may_be_cell(*var));
        let n_ghosts = GhostSlots::new(program).total();
        let n_cells = colour(&cells, SCRATCH + n_ghosts);
        let n_slots = colour(&plain, n_cells);
        let mut slots = Slots { of, n_cells, n_slots, n_ghosts, n_words, retention, kept, occupied: PrimaryMap::new() };
        for point in program.outgoing.keys() {
            if meter.is_over() {
                break;
            }
            let mut occupied = Occupied::default();
            for var in program.vars.keys().filter(|var| slots.is_kept(point, *var)) {
                let list = if liveness.is_live(point, var) { &mut occupied.live } else { &mut occupied.holders };
                list.push(slots.of[var]);
            }
            slots.occupied.push(occupied);
        }
        meter.end().map(|()| slots)
    }

    /// The slot of a variable.
    pub fn of(&self, var: Var) -> Slot {
        self.of[var]
    }

    /// Whether a variable may hold a value at a point.
    pub fn is_kept(&self, point: Point, var: Var) -> bool {
        has(&self.kept[point.index() * self.n_words..][..self.n_words], var.index())
    }

    /// What becomes of dead variables.
    pub fn retention(&self) -> Retention {
        self.retention
    }

    /// The slots that contracts have to themselves.
    pub fn ghosts(&self) -> impl Iterator<Item = Slot> + use<> {
        (SCRATCH..SCRATCH + self.n_ghosts).map(Slot::new)
    }

    /// Whether a slot belongs to contracts.
    pub fn is_ghost(&self, slot: Slot) -> bool {
        (SCRATCH..SCRATCH + self.n_ghosts).contains(&slot.index())
    }

    /// The slots in use at a point.
    pub fn occupied(&self, point: Point) -> &Occupied {
        &self.occupied[point]
    }

    /// How many slots there are.
    pub fn count(&self) -> usize {
        self.n_slots
    }

    /// Whether a slot may hold a pointer to a cell.
    pub fn is_cell(&self, slot: Slot) -> bool {
        slot.index() < self.n_cells
    }

    /// The slots that may hold a pointer to a cell.
    pub fn cells(&self) -> impl Iterator<Item = Slot> + use<> {
        (0..self.n_cells).map(Slot::new)
    }
}

fn has(row: &[u64], index: usize) -> bool {
    row[index / 64] >> (index % 64) & 1 == 1
}

fn put(row: &mut [u64], index: usize) {
    row[index / 64] |= 1 << (index % 64);
}

/// The variables that may hold a value at each point: live ones, and dead ones that count as references
/// ([`heapwise_cells::live`]) from their first assignment to the end of their scope.
fn kept(
    program: &CellProgram,
    liveness: &Liveness,
    retention: Retention,
    n_words: usize,
    meter: &BudgetMeter<'_>,
) -> Result<Vec<u64>, Exhausted> {
    let results = iterate_to_fixpoint(program, MappedVariables { liveness, retention }, |_| meter.check())?;
    let mut kept = vec![0; n_words * program.outgoing.len()];
    for point in program.outgoing.keys() {
        let row = &mut kept[point.index() * n_words..][..n_words];
        results.at(point).into_iter().flat_map(SparseBits::iter).for_each(|var| put(row, var.index()));
    }
    Ok(kept)
}

/// Mapped variables: forward, may.
struct MappedVariables<'a> {
    liveness: &'a Liveness,
    retention: Retention,
}

impl Analysis<CellProgram> for MappedVariables<'_> {
    type Domain = SparseBits<Var>;
    const DIRECTION: Direction = Direction::Forward;

    /// What is live has a value on every way, and a procedure starts with what it is given.
    fn boundary(&self, program: &CellProgram, point: Point) -> Option<SparseBits<Var>> {
        let mut mapped: SparseBits<Var> = self.liveness.live(point).collect();
        if self.retention != Retention::Live {
            let entered = program.procedures.values().filter(|procedure| procedure.entry == point);
            entered.flat_map(|procedure| procedure.entered()).for_each(|var| mapped.insert(var));
        }
        Some(mapped)
    }

    fn apply(&self, program: &CellProgram, step: StepId, mapped: &mut SparseBits<Var>) -> Flow {
        let step = &program.steps[step];
        if let Some(var) = step.command.writes() {
            mapped.insert(var);
        }
        if let Command::EndScope { vars } = &step.command {
            vars.iter().for_each(|var| mapped.remove(*var));
        }
        mapped.retain(|var| self.liveness.is_held(program, step.to, var, self.retention));
        Flow::Continues
    }
}

fn interference(
    program: &CellProgram,
    kept: &[u64],
    n_words: usize,
    meter: &BudgetMeter<'_>,
) -> Result<Vec<u64>, Exhausted> {
    let mut matrix = vec![0; program.vars.len() * n_words];
    let mut seen: rustc_hash::FxHashSet<&[u64]> = rustc_hash::FxHashSet::default();
    for row in kept.chunks(n_words) {
        meter.check()?;
        if !seen.insert(row) {
            continue;
        }
        for var in (0..program.vars.len()).filter(|var| has(row, *var)) {
            matrix[var * n_words..][..n_words].iter_mut().zip(row).for_each(|(word, other)| *word |= other);
        }
    }
    Ok(matrix)
}
