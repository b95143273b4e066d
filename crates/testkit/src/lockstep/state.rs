//! Concrete states of a cell program.

use heapwise_cells::atom::{Atom, Var};
use heapwise_cells::compare::ComparisonId;
use heapwise_cells::live::Liveness;
use heapwise_cells::program::{CellProgram, KindId, Point, StepId, VariableStorage};
use heapwise_ir::entity::EntityRef;

/// What a variable or a link holds: a cell, by its number, or anything else. A pointer to a cell that was freed is
/// [`Atom::Freed`] to whoever reads it.
pub(super) type Held = heapwise_cells::value::Value<usize>;

/// A cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Cell {
    pub(super) kind: KindId,
    pub(super) is_freed: bool,
    pub(super) links: Vec<Held>,
    /// The data fields that hold nothing, or not surely something: one bit each.
    pub(super) unset: u32,
    /// What comparisons of its fields excluded.
    pub(super) excluded: Vec<(ComparisonId, u8)>,
}

/// A call of a procedure that has not returned.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Activation {
    /// The call.
    pub(super) step: StepId,
    /// The call string of the caller.
    pub(super) frame: u32,
    /// What the caller's variables held.
    pub(super) vars: Vec<Option<Held>>,
}

/// A concrete state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct CellState {
    /// What each variable holds; nothing where it is not there.
    pub(super) vars: Vec<Option<Held>>,
    pub(super) cells: Vec<Cell>,
    /// What comparisons of two integers excluded.
    pub(super) excluded: Vec<(ComparisonId, u8)>,
    pub(super) activations: Vec<Activation>,
}

/// A state, and where it is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Element {
    pub(super) point: Point,
    /// The call string that the machine's innermost call is.
    pub(super) frame: u32,
    pub(super) state: CellState,
}

impl CellState {
    pub(super) fn new(program: &CellProgram) -> CellState {
        CellState {
            vars: vec![None; program.vars.len()],
            cells: Vec::new(),
            excluded: Vec::new(),
            activations: Vec::new(),
        }
    }

    /// What is held, seen from now.
    pub(super) fn seen(&self, held: Held) -> Held {
        match held {
            Held::Cell(cell) if self.cells[cell].is_freed => Held::Atom(Atom::Freed),
            Held::Cell(_) | Held::Atom(_) => held,
        }
    }

    pub(super) fn var(&self, var: Var) -> Option<Held> {
        self.vars[var.index()].map(|held| self.seen(held))
    }

    pub(super) fn set(&mut self, var: Var, held: Held) {
        self.vars[var.index()] = Some(held);
    }

    /// Forgets what nothing depends on: dead variables, and cells that nothing leads to. Cells are numbered in the order in
    /// which they are found, so that equal states are the same.
    pub(super) fn normalise(&mut self, program: &CellProgram, liveness: &Liveness, point: Point) {
        for (index, held) in self.vars.iter_mut().enumerate() {
            if !liveness.is_live(point, Var::new(index)) {
                *held = None;
            }
        }
        for activation in &mut self.activations {
            let to = program.steps[activation.step].to;
            for (index, held) in activation.vars.iter_mut().enumerate() {
                let var = Var::new(index);
                if !liveness.is_live(to, var) || program.vars[var].storage == VariableStorage::Global {
                    *held = None;
                }
            }
        }
        let mut number: Vec<Option<usize>> = vec![None; self.cells.len()];
        let mut found: Vec<usize> = Vec::new();
        let cells = &self.cells;
        let mut renumber = |held: &mut Held, found: &mut Vec<usize>| {
            let Held::Cell(old) = held else { return };
            if cells[*old].is_freed {
                *held = Held::Atom(Atom::Freed);
                return;
            }
            let new = *number[*old].get_or_insert_with(|| {
                found.push(*old);
                found.len() - 1
            });
            *held = Held::Cell(new);
        };
        let saved = self.activations.iter_mut().flat_map(|activation| activation.vars.iter_mut());
        self.vars.iter_mut().chain(saved).flatten().for_each(|held| renumber(held, &mut found));
        let mut kept: Vec<Cell> = Vec::new();
        while kept.len() < found.len() {
            let mut cell = cells[found[kept.len()]].clone();
            cell.links.iter_mut().for_each(|held| renumber(held, &mut found));
            kept.push(cell);
        }
        self.cells = kept;
    }
}

/// What comparisons excluded so far.
pub(super) fn excluded(known: &[(ComparisonId, u8)], comparison: ComparisonId) -> u8 {
    known.iter().find(|(id, _)| *id == comparison).map_or(0, |(_, mask)| *mask)
}

/// Remembers what a comparison excludes; 0 forgets.
pub(super) fn exclude(known: &mut Vec<(ComparisonId, u8)>, comparison: ComparisonId, mask: u8) {
    known.retain(|(id, _)| *id != comparison);
    if mask != 0 {
        known.push((comparison, mask));
        known.sort_unstable();
    }
}
