//! What each command does to a concrete state: the meaning that [`heapwise_cells::program::Command`] writes down.

use super::state::{Activation, Cell, CellState, Element, Held, exclude, excluded};
use heapwise_cells::atom::{Atom, Var};
use heapwise_cells::compare::{OUTCOMES, outcomes};
use heapwise_cells::program::{
    Access, CellKind, CellProgram, Command, Contents, KindId, Purpose, ShapeMode, Source, StepId, TouchPurpose,
    Untracked, VariableStorage,
};
use heapwise_cells::touch::{Padding, Touched, bit};
use heapwise_engine::GapReason;
use heapwise_engine::Kind;
use heapwise_engine::reason::{ContractGap, MemoryGap, PointerGap};
use heapwise_ir::entity::EntityRef;

/// What came of a step.
#[derive(Default, Debug)]
pub(super) struct Applied {
    /// The states behind it; mostly one.
    pub(super) elements: Vec<Element>,
    /// What went wrong.
    pub(super) errors: Vec<Kind>,
    /// Why it cannot be followed.
    pub(super) gap: Option<Box<GapReason>>,
    /// The program ended.
    pub(super) is_end: bool,
}

impl Applied {
    fn error(kind: Kind) -> Applied {
        Applied { errors: vec![kind], ..Applied::default() }
    }

    fn gap(reason: impl Into<GapReason>) -> Applied {
        Applied { gap: Some(Box::new(reason.into())), ..Applied::default() }
    }
}

/// Takes a step. (Long: one case for each command.)
pub(super) fn apply(program: &CellProgram, element: &Element, id: StepId) -> Applied {
    let step = &program.steps[id];
    let state = &element.state;
    let on = |state: CellState| Applied {
        elements: vec![Element { point: step.to, frame: element.frame, state }],
        ..Applied::default()
    };
    let source = |source: Source| match source {
        Source::Var(var) => state.var(var),
        Source::Atom(atom) => Some(Held::Atom(atom)),
    };
    match &step.command {
        Command::Skip => on(state.clone()),
        Command::Set { target, value } => {
            let mut state = state.clone();
            state.set(*target, Held::Atom(*value));
            on(state)
        }
        Command::Copy { target, source } => {
            let Some(held) = state.var(*source) else { return Applied::default() };
            let mut state = state.clone();
            state.set(*target, held);
            on(state)
        }
        Command::Load { target, base, access } => match dereference(state, *base, Through::Read) {
            Ok(None) => {
                let mut state = state.clone();
                target.iter().for_each(|target| state.set(*target, Held::Atom(Atom::Opaque)));
                on(state)
            }
            Ok(Some(cell)) => match load(program, state, cell, *access) {
                Ok(Some(Held::Atom(Atom::Uninit))) if target.is_none() => {
                    Applied { errors: vec![Kind::Uninitialised], ..on(state.clone()) }
                }
                Ok(held) => {
                    let mut state = state.clone();
                    if let (Some(target), Some(held)) = (target, held) {
                        state.set(*target, held);
                    }
                    on(state)
                }
                Err(applied) => applied,
            },
            Err(applied) => applied,
        },
        Command::Touch { base, access, purpose } => match dereference(state, *base, Through::Read) {
            Ok(None) => on(state.clone()),
            Ok(Some(cell)) => match touch(program, state, cell, *access, *purpose) {
                Ok(()) => on(state.clone()),
                Err(applied) => applied,
            },
            Err(applied) => applied,
        },
        Command::Store { base, access, value } => match dereference(state, *base, Through::Write) {
            Ok(Some(cell)) => {
                let Some(value) = source(*value) else { return Applied::default() };
                let mut state = state.clone();
                match store(program, &mut state, cell, *access, value) {
                    Ok(()) => on(state),
                    Err(applied) => applied,
                }
            }
            Ok(None) => Applied::gap(MemoryGap::LibraryStorageExtent),
            Err(applied) => applied,
        },
        Command::Fill { base, access, contents } => match dereference(state, *base, Through::Write) {
            Ok(Some(cell)) => {
                let mut state = state.clone();
                match fill(program, &mut state, cell, *access, *contents) {
                    Ok(()) => on(state),
                    Err(applied) => applied,
                }
            }
            Ok(None) => Applied::gap(MemoryGap::LibraryStorageExtent),
            Err(applied) => applied,
        },
        Command::Alloc { target, kind, contents } => {
            let mut state = state.clone();
            state.cells.push(fresh(&program.kinds[*kind], *kind, *contents));
            let cell = state.cells.len() - 1;
            state.set(*target, Held::Cell(cell));
            on(state)
        }
        Command::Free { pointer } => match state.var(*pointer) {
            None => Applied::default(),
            Some(Held::Atom(Atom::NULL)) => on(state.clone()),
            Some(Held::Atom(Atom::Int(_) | Atom::Place(_) | Atom::Library(_) | Atom::Ended(_) | Atom::Gone)) => {
                Applied::error(Kind::InvalidFree)
            }
            Some(Held::Atom(Atom::Freed)) => Applied::error(Kind::DoubleFree),
            Some(Held::Atom(Atom::Uninit)) => Applied::error(Kind::Uninitialised),
            Some(Held::Atom(Atom::Opaque | Atom::NoLink | Atom::Outside)) => {
                Applied::gap(PointerGap::FreedBesideHeapCells)
            }
            Some(Held::Cell(cell)) => {
                let mut state = state.clone();
                state.cells[cell].is_freed = true;
                on(state)
            }
        },
        Command::Assume { operator, left, right } => match (source(*left), source(*right)) {
            (None, _) | (_, None) => Applied::default(),
            (Some(left), Some(right)) if is_unset(left) || is_unset(right) => Applied::error(Kind::Uninitialised),
            (Some(left), Some(right)) if left.may_compare(*operator, right, &program.places) => on(state.clone()),
            (Some(_), Some(_)) => Applied::default(),
        },
        Command::FailWhen { operator, left, right, kind } => match (source(*left), source(*right)) {
            (None, _) | (_, None) => Applied::default(),
            (Some(left), Some(right)) if is_unset(left) || is_unset(right) => Applied::error(Kind::Uninitialised),
            (Some(left), Some(right)) if left.may_compare(*operator, right, &program.places) => Applied::error(*kind),
            (Some(_), Some(_)) => Applied::default(),
        },
        Command::Case { var, atom, held } => {
            let value = match state.var(*var) {
                None => return Applied::default(),
                Some(Held::Cell(_)) => None,
                Some(Held::Atom(value)) => Some(value),
            };
            if held.may_be(value, *atom) { on(state.clone()) } else { Applied::default() }
        }
        Command::Compare { comparison, cell, operator } => {
            let mut state = state.clone();
            let known = match cell {
                None => &mut state.excluded,
                Some(var) => match state.var(*var) {
                    None => return Applied::default(),
                    Some(Held::Cell(cell)) => &mut state.cells[cell].excluded,
                    // The field was read through it, so it is one of a cell.
                    Some(Held::Atom(_)) => return on(state),
                },
            };
            let left = outcomes(*operator) & !excluded(known, *comparison);
            if left == 0 {
                return Applied::default();
            }
            exclude(known, *comparison, OUTCOMES & !left);
            on(state)
        }
        Command::Forget { comparison } => {
            let mut state = state.clone();
            exclude(&mut state.excluded, *comparison, 0);
            state.cells.iter_mut().for_each(|cell| exclude(&mut cell.excluded, *comparison, 0));
            on(state)
        }
        // Shapes are not evaluated here: both outcomes are possible.
        Command::Shape { arguments, mode, .. } => {
            let values: Vec<Option<Held>> = arguments.iter().map(|argument| source(*argument)).collect();
            if values.contains(&None) {
                return Applied::default();
            }
            if values.into_iter().flatten().any(is_unset) {
                return Applied::error(Kind::Uninitialised);
            }
            let errors = match mode {
                ShapeMode::Assume => Vec::new(),
                ShapeMode::Assert => vec![Kind::Shape],
            };
            Applied { errors, ..on(state.clone()) }
        }
        Command::Fail { kind } => Applied::error(*kind),
        Command::Use { var, purpose } => match (state.var(*var), purpose) {
            (None, _) => Applied::default(),
            (Some(_), Purpose::Discard) => on(state.clone()),
            (Some(Held::Cell(_) | Held::Atom(Atom::Outside)), Purpose::Escape(reason)) => Applied::gap(*reason),
            (Some(Held::Cell(_) | Held::Atom(Atom::Outside)), Purpose::Copy(_)) => {
                Applied::gap(MemoryGap::CellUntracked)
            }
            (Some(Held::Atom(Atom::Uninit)), Purpose::Copy(Untracked::Initialised)) => {
                Applied::gap(MemoryGap::NoValueUntracked)
            }
            (Some(Held::Atom(_)), Purpose::Copy(_)) => on(state.clone()),
            (Some(Held::Atom(Atom::Uninit)), Purpose::Operation | Purpose::Escape(_)) => {
                Applied::error(Kind::Uninitialised)
            }
            (Some(_), Purpose::Operation | Purpose::Escape(_)) => on(state.clone()),
        },
        Command::EndScope { vars } => {
            let mut state = state.clone();
            vars.iter().for_each(|var| state.vars[var.index()] = None);
            on(state)
        }
        Command::Retire { atoms } => {
            let mut state = state.clone();
            let now = |held: &mut Held| {
                if let Held::Atom(atom) = held
                    && let Some((_, new)) = atoms.iter().find(|(old, _)| old == atom)
                {
                    *atom = *new;
                }
            };
            state.vars.iter_mut().flatten().for_each(now);
            state.cells.iter_mut().flat_map(|cell| &mut cell.links).for_each(now);
            on(state)
        }
        Command::End(_) => Applied { is_end: true, ..Applied::default() },
        Command::Call { .. } => call(program, element, id),
        Command::Contract { .. } | Command::Enter { .. } | Command::Leave { .. } => {
            Applied::gap(ContractGap::NotFollowed)
        }
        Command::Gap { reason } => Applied::gap(reason.clone()),
    }
}

/// Whether a pointer is read or written through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Through {
    Read,
    Write,
}

/// The cell that a variable points to; `None` for storage of the library that is read.
fn dereference(state: &CellState, base: Var, through: Through) -> Result<Option<usize>, Applied> {
    match state.var(base) {
        None => Err(Applied::default()),
        Some(Held::Cell(cell)) => Ok(Some(cell)),
        Some(Held::Atom(Atom::Int(_))) => Err(Applied::error(Kind::NullDereference)),
        Some(Held::Atom(Atom::Freed | Atom::Ended(_) | Atom::Gone)) => Err(Applied::error(Kind::UseAfterFree)),
        Some(Held::Atom(Atom::Uninit)) => Err(Applied::error(Kind::Uninitialised)),
        Some(Held::Atom(Atom::Library(_))) if through == Through::Read => Ok(None),
        Some(Held::Atom(Atom::Opaque | Atom::Place(_) | Atom::Library(_) | Atom::NoLink | Atom::Outside)) => {
            Err(Applied::gap(PointerGap::DereferencedBesideHeapCells))
        }
    }
}

/// What is read; nothing if no bytes are.
fn load(program: &CellProgram, state: &CellState, cell: usize, access: Access) -> Result<Option<Held>, Applied> {
    let cell = &state.cells[cell];
    match program.kinds[cell.kind].touched(access) {
        Touched::Link(link) => Ok(Some(state.seen(cell.links[link]))),
        Touched::Data { padding: Padding::Some, .. } => Err(Applied::gap(MemoryGap::PaddingRead)),
        Touched::Data { aggregates, .. } if cell.unset & aggregates != 0 => Err(Applied::gap(MemoryGap::ArrayInCell)),
        Touched::Data { scalars, .. } if cell.unset & scalars != 0 => Ok(Some(Held::Atom(Atom::Uninit))),
        Touched::Data { .. } => Ok(Some(Held::Atom(Atom::Opaque))),
        Touched::Outside => Err(Applied::error(Kind::OutOfBounds)),
        Touched::Part => Err(Applied::gap(MemoryGap::PartOfLinkRead)),
    }
}

/// The bytes lie within the cell; where they are copied away, no cell may be lost from sight.
fn touch(
    program: &CellProgram,
    state: &CellState,
    cell: usize,
    access: Access,
    purpose: TouchPurpose,
) -> Result<(), Applied> {
    let cell = &state.cells[cell];
    let Some(covered) = program.kinds[cell.kind].covered(access) else {
        return Err(Applied::error(Kind::OutOfBounds));
    };
    let mut links = covered.links.iter().chain(&covered.parts_of_links);
    let holds_cell = links.any(|link| matches!(state.seen(cell.links[*link]), Held::Cell(_)));
    match purpose {
        TouchPurpose::Copy if holds_cell => Err(Applied::gap(MemoryGap::CellUntracked)),
        TouchPurpose::Copy | TouchPurpose::Access => Ok(()),
    }
}

fn store(
    program: &CellProgram,
    state: &mut CellState,
    index: usize,
    access: Access,
    value: Held,
) -> Result<(), Applied> {
    let kind = &program.kinds[state.cells[index].kind];
    let cell = &mut state.cells[index];
    match kind.touched(access) {
        Touched::Link(link) => cell.links[link] = value,
        Touched::Data { scalars, aggregates, padding: _ } => {
            match value {
                Held::Cell(_) | Held::Atom(Atom::Outside) if scalars | aggregates != 0 => {
                    return Err(Applied::gap(MemoryGap::CellInUnfollowedField));
                }
                Held::Atom(Atom::Uninit) => cell.unset |= scalars | aggregates,
                Held::Cell(_) | Held::Atom(_) => cell.unset &= !scalars,
            }
            forget(program, cell, access);
        }
        Touched::Outside => return Err(Applied::error(Kind::OutOfBounds)),
        Touched::Part => return Err(Applied::gap(MemoryGap::PartOfLinkWritten)),
    }
    Ok(())
}

fn fill(
    program: &CellProgram,
    state: &mut CellState,
    index: usize,
    access: Access,
    contents: Contents,
) -> Result<(), Applied> {
    let cell = &mut state.cells[index];
    let kind = &program.kinds[cell.kind];
    let Some(covered) = kind.covered(access) else { return Err(Applied::error(Kind::OutOfBounds)) };
    if !covered.parts_of_links.is_empty() {
        return Err(Applied::gap(MemoryGap::PartOfLinkWritten));
    }
    match contents {
        Contents::Zeroed | Contents::Opaque => {
            let (start, end) = (access.offset, access.offset as u64 + access.size);
            for (position, field) in kind.data.iter().enumerate().take(31) {
                if start as u64 <= field.offset && field.offset + field.size <= end {
                    cell.unset &= !bit(position);
                }
            }
        }
        Contents::Uninitialised => cell.unset |= covered.data(),
        Contents::Perhaps if covered.has_link() || covered.scalars | covered.parts_of_scalars != 0 => {
            return Err(Applied::gap(MemoryGap::PerhapsNoValue));
        }
        Contents::Perhaps => cell.unset |= covered.aggregates,
    }
    covered.links.iter().for_each(|link| cell.links[*link] = Held::Atom(held(contents)));
    forget(program, cell, access);
    Ok(())
}

/// Bytes of a cell are written: what comparisons with them found out is over.
fn forget(program: &CellProgram, cell: &mut Cell, access: Access) {
    let end = |access: Access| i128::from(access.offset) + i128::from(access.size);
    cell.excluded.retain(|(comparison, _)| {
        program.comparisons[*comparison]
            .field
            .is_none_or(|field| i128::from(field.offset) >= end(access) || i128::from(access.offset) >= end(field))
    });
}

fn held(contents: Contents) -> Atom {
    match contents {
        Contents::Uninitialised | Contents::Perhaps => Atom::Uninit,
        Contents::Zeroed => Atom::NULL,
        Contents::Opaque => Atom::Opaque,
    }
}

fn fresh(kind: &CellKind, id: KindId, contents: Contents) -> Cell {
    let unset = match contents {
        Contents::Uninitialised | Contents::Perhaps => {
            (0..kind.data.len()).fold(0, |mask, position| mask | bit(position))
        }
        Contents::Zeroed | Contents::Opaque => 0,
    };
    let links = vec![Held::Atom(held(contents)); kind.links.len()];
    Cell { kind: id, is_freed: false, links, unset, excluded: Vec::new() }
}

fn is_unset(held: Held) -> bool {
    held == Held::Atom(Atom::Uninit)
}

/// A procedure starts: it has its parameters, the objects that it is given, and the globals.
fn call(program: &CellProgram, element: &Element, id: StepId) -> Applied {
    let Command::Call { procedure, arguments, references, .. } = &program.steps[id].command else {
        return Applied::default();
    };
    let Some(frame) = program.procedure_frame(*procedure) else { return Applied::default() };
    let procedure = &program.procedures[*procedure];
    let before = &element.state;
    let mut state = before.clone();
    for (var, variable) in program.vars.iter() {
        if variable.storage != VariableStorage::Global {
            state.vars[var.index()] = None;
        }
    }
    for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
        let held = match argument {
            Source::Var(var) => before.var(*var),
            Source::Atom(atom) => Some(Held::Atom(*atom)),
        };
        let Some(held) = held else { return Applied::default() };
        parameter.iter().for_each(|parameter| state.set(*parameter, held));
    }
    for (inner, outer) in references {
        let Some(held) = before.var(*outer) else { return Applied::default() };
        state.set(*inner, held);
    }
    forget_all(&mut state);
    // They name cells of the caller's heap to engines that divide it; here it is not divided.
    procedure.ghosts.iter().for_each(|ghost| state.set(*ghost, Held::Atom(Atom::Opaque)));
    state.activations.push(Activation { step: id, frame: element.frame, vars: before.vars.clone() });
    Applied { elements: vec![Element { point: procedure.entry, frame, state }], ..Applied::default() }
}

/// Other calls compare other integers.
fn forget_all(state: &mut CellState) {
    state.excluded.clear();
    state.cells.iter_mut().for_each(|cell| cell.excluded.clear());
}

/// A procedure returns: the caller's variables are there again, with the result and what became of the objects it passed.
pub(super) fn give_back(program: &CellProgram, element: &Element) -> Option<Element> {
    let mut state = element.state.clone();
    let Activation { step, frame, vars } = state.activations.pop()?;
    let Command::Call { procedure, target, references, .. } = &program.steps[step].command else { return None };
    let procedure = &program.procedures[*procedure];
    if procedure.exit != element.point {
        return None;
    }
    for (var, variable) in program.vars.iter() {
        if variable.storage != VariableStorage::Global {
            state.vars[var.index()] = vars[var.index()];
        }
    }
    for (inner, outer) in references {
        state.set(*outer, element.state.var(*inner)?);
    }
    if let (Some(target), Some(result)) = (target, procedure.result) {
        state.set(*target, element.state.var(result)?);
    }
    forget_all(&mut state);
    Some(Element { point: program.steps[step].to, frame, state })
}
