//! Which concrete heaps the structures that the engine found stand for.

#![allow(dead_code, reason = "each test file uses its part")]

use heapwise_cells::atom::Atom;
use heapwise_cells::program::{Frame, KindId, Point, Variable, VariableSource, VariableStorage};
use heapwise_interp::heap::Life;
use heapwise_interp::state::CallOrigin;
use heapwise_interp::{ObjectId, Value};
use heapwise_ir::{LocationId, Program, Type};
use heapwise_logic::Kleene;
use heapwise_logic::evaluate::{Assignment, evaluate};
use heapwise_testkit::oracle::ConcreteState;
use heapwise_tvl::check::CheckedProgram;
use heapwise_tvl::embed::embeds;
use heapwise_tvl::structure::{Structure, View};
use std::collections::HashMap;

/// What the engine found, and the program.
pub struct Model {
    pub checked: CheckedProgram,
    pub program: Program,
}

impl Model {
    /// The call string of a state, by its call edges; none within a procedure, whose structures are of a part of the heap.
    fn frames(&self, state: &ConcreteState<'_>) -> Option<Vec<u32>> {
        let cells = &self.checked.translation.program;
        let mut frames = vec![0];
        for frame in state.frames().skip(1) {
            let CallOrigin::Edge(edge) = frame.origin else { return None };
            let caller = *frames.last()?;
            let is_called = |known: &Frame| known.caller == Some((caller, edge)) && known.procedure.is_none();
            let position = cells.frames.iter().position(is_called)?;
            frames.push(position as u32);
        }
        Some(frames)
    }

    /// What a variable holds. None if a concrete state leaves it out: variables that the translation made, and temporaries
    /// that the program does not read again, of which an engine that remembers comparisons may still know.
    fn held_by(&self, variable: &Variable, frames: &[u32], state: &ConcreteState<'_>) -> Option<Value> {
        let value = match (variable.source, variable.frame) {
            (VariableSource::Ghost, _) if variable.storage == VariableStorage::Temporary => return None,
            (VariableSource::Register(register), Some(frame)) => {
                let position = frames.iter().position(|known| *known == frame).expect("a live frame");
                state.frames().nth(position).expect("a frame").register(register)
            }
            (VariableSource::Global(global, offset), _) => {
                let object = state.global(global).expect("a global has an object");
                state.pointer_at(object, offset).expect("a pointer")
            }
            (source, _) => panic!("no such variable in random programs: {source:?}"),
        };
        let is_unset = matches!(value, Value::Uninitialised(_));
        (variable.storage != VariableStorage::Temporary || !is_unset).then_some(value)
    }

    /// The heap as a structure: the cells that live variables reach, and those of the others that `kept` has.
    fn structure(&self, point: Point, frames: &[u32], state: &ConcreteState<'_>, kept: u64) -> (Structure, usize) {
        let translation = &self.checked.translation;
        let mut values = Vec::new();
        for var in translation.program.vars.keys() {
            if !translation.liveness.is_live(point, var) {
                continue;
            }
            let variable = &translation.program.vars[var];
            values.extend(self.held_by(variable, frames, state).map(|value| (var, value)));
        }
        let mut cells: Vec<ObjectId> = Vec::new();
        let mut work: Vec<Value> = values.iter().map(|(_, value)| *value).collect();
        self.reach(state, &mut work, &mut cells);
        let lost: Vec<ObjectId> = state.live_cells().map(|(id, _)| id).filter(|id| !cells.contains(id)).collect();
        cells.extend(lost.iter().enumerate().filter(|(i, _)| kept >> i & 1 == 1).map(|(_, id)| *id));
        let numbers: HashMap<ObjectId, usize> = cells.iter().enumerate().map(|(i, id)| (*id, i)).collect();
        let predicates = &self.checked.fixpoint.predicates;
        let mut structure = Structure::new(predicates.vocabulary.layout(), cells.len());
        let slot = |predicate| predicates.vocabulary.slot(predicate);
        let held = |value: Value| -> Result<usize, Atom> {
            match value {
                Value::Uninitialised(_) => Err(Atom::Uninit),
                Value::Int(value) => Err(Atom::int(value)),
                Value::Pointer(pointer) if state.object(pointer.object).life != Life::Alive => Err(Atom::Freed),
                Value::Pointer(pointer) => numbers.get(&pointer.object).copied().ok_or(Atom::Opaque),
                _ => Err(Atom::Opaque),
            }
        };
        for (var, value) in values {
            let own = &predicates.slots[self.checked.fixpoint.slots.of(var)];
            match held(value) {
                Ok(cell) => structure.set(slot(own.points.expect("a slot for cells")), &[cell], Kleene::True),
                Err(atom) => {
                    let known = own.atoms.get(&atom).or_else(|| own.atoms.get(&Atom::Opaque));
                    if let Some(predicate) = known.filter(|_| atom != Atom::NULL) {
                        structure.set(slot(*predicate), &[], Kleene::True);
                    }
                }
            }
        }
        for (i, object) in cells.iter().enumerate() {
            let kind = self.kind(state, *object);
            if let Some(predicate) = predicates.kinds[kind] {
                structure.set(slot(predicate), &[i], Kleene::True);
            }
            let description = &translation.program.kinds[kind];
            for (field, raw) in description.data.iter().zip(&predicates.raw[kind]) {
                if let Some(raw) = raw.filter(|_| state.is_unset(*object, field.offset, field.size)) {
                    structure.set(slot(raw), &[i], Kleene::True);
                }
            }
            for (link, own) in description.links.iter().zip(&predicates.links[kind]) {
                match held(state.pointer_at(*object, link.offset).expect("a link is one value")) {
                    Ok(cell) => structure.set(slot(own.edge), &[i, cell], Kleene::True),
                    Err(Atom::NULL) => {}
                    Err(atom) => {
                        let known = own.atoms.get(&atom).or_else(|| own.atoms.get(&Atom::Opaque));
                        structure.set(slot(*known.expect("an atom of the link")), &[i], Kleene::True);
                    }
                }
            }
        }
        self.instrument(&mut structure);
        (structure, lost.len())
    }

    /// A structure without what dead variables hold (on the way to `exit`, they still do), and without what comparisons
    /// found out: what they exclude wrongly shows where a state has no structure.
    fn without_dead(
        &self,
        point: Point,
        frames: &[u32],
        state: &ConcreteState<'_>,
        structure: &Structure,
    ) -> Structure {
        let mut structure = structure.clone();
        let fixpoint = &self.checked.fixpoint;
        for slot in &fixpoint.slots.occupied(point).holders {
            fixpoint.predicates.clear(&mut structure, *slot);
        }
        let translation = &self.checked.translation;
        for (var, variable) in &translation.program.vars {
            if translation.liveness.is_live(point, var) && self.held_by(variable, frames, state).is_none() {
                fixpoint.predicates.clear(&mut structure, fixpoint.slots.of(var));
            }
        }
        self.checked.fixpoint.predicates.forget_all(&mut structure);
        structure
    }

    fn kind(&self, state: &ConcreteState<'_>, object: ObjectId) -> KindId {
        let view = state.object(object).view.expect("a typed cell");
        let Type::Record(record) = self.program.ty(view) else { panic!("a cell is a record") };
        let name = format!("struct {}", self.program.records[*record].name);
        let kinds = &self.checked.translation.program.kinds;
        kinds.iter().find(|(_, kind)| kind.name == name).expect("a known kind of cell").0
    }

    fn reach(&self, state: &ConcreteState<'_>, work: &mut Vec<Value>, cells: &mut Vec<ObjectId>) {
        while let Some(value) = work.pop() {
            let Value::Pointer(pointer) = value else { continue };
            let alive = state.object(pointer.object).life == Life::Alive;
            if !alive || cells.contains(&pointer.object) {
                continue;
            }
            cells.push(pointer.object);
            let kind = self.kind(state, pointer.object);
            for link in &self.checked.translation.program.kinds[kind].links {
                work.extend(state.pointer_at(pointer.object, link.offset));
            }
        }
    }

    /// Instrumentation predicates get the values of their definitions.
    fn instrument(&self, structure: &mut Structure) {
        let vocabulary = &self.checked.fixpoint.predicates.vocabulary;
        for predicate in vocabulary.predicates() {
            let Some(definition) = &vocabulary.declaration(predicate).definition else { continue };
            let n = structure.size();
            let tuples: Vec<Vec<usize>> = match definition.params.len() {
                0 => vec![Vec::new()],
                1 => (0..n).map(|u| vec![u]).collect(),
                _ => (0..n).flat_map(|u| (0..n).map(move |v| vec![u, v])).collect(),
            };
            for tuple in tuples {
                let mut assignment = Assignment::new();
                definition.params.iter().zip(&tuple).for_each(|(v, u)| assignment.push(v, *u));
                let value = evaluate(&definition.formula, &View { structure, vocabulary }, &mut assignment);
                structure.set(vocabulary.slot(predicate), &tuple, value);
            }
        }
    }

    /// Whether some structure at this location of the function on top of the stack stands for the state. `None` if a
    /// call on the stack was not followed.
    pub fn stands_for(&self, location: LocationId, state: &ConcreteState<'_>) -> Option<bool> {
        let frames = self.frames(state)?;
        let frame = *frames.last().expect("a frame");
        let Some(&point) = self.checked.translation.points.get(&(frame, location)) else { return Some(false) };
        // Cells that were lost may be gone already, or not yet.
        let (first, n_lost) = self.structure(point, &frames, state, 0);
        let known = |concrete: &Structure| {
            self.checked
                .fixpoint
                .structures(point)
                .any(|structure| embeds(concrete, &self.without_dead(point, &frames, state, structure)))
        };
        Some(
            known(&first)
                || (1..1u64 << n_lost.min(5)).any(|kept| known(&self.structure(point, &frames, state, kept).0)),
        )
    }
}
