//! What makes a cell program well-formed.
//!
//! [`verify`] returns every problem, none if the program keeps the rules that engines rely on: ids point somewhere, points
//! and call strings are those of the program it was made from, and each command speaks of variables that exist where it
//! runs: globals, variables of the function that runs or of one that waits for it, and of a function that the same edge calls
//! (its parameters are set before it runs, its result is read behind it). What procedures were called from, they do
//! not know. Two things are allowed anywhere, for ways that no run takes: to say that a variable holds nothing, and to go on
//! where a pointer holds an address (which none does once the object is gone). That live variables have a value is a law of its own, [`crate::mapped::unmapped`].

use crate::atom::{Atom, Var};
use crate::program::{CellKind, CellProgram, Command, Held, KindId, Point, Source, Step, StepId, VariableSource};
use crate::translate::Translation;
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{EdgeId, Program};

/// Something that is wrong with a cell program: the translation has a bug.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The step that is wrong, if it is one.
    pub step: Option<StepId>,
    /// What is wrong.
    pub message: String,
}

impl Problem {
    /// One line that shows the step.
    pub fn describe(&self, program: &Program, cells: &CellProgram) -> String {
        match self.step {
            Some(step) => format!("{}: {}", crate::text::step(program, cells, step), self.message),
            None => self.message.clone(),
        }
    }
}

/// Everything that is wrong with the translation of a program, in the order of its tables.
pub fn verify(program: &Program, translation: &Translation) -> Vec<Problem> {
    let cells = &translation.program;
    let mut incoming: SecondaryMap<Point, Vec<StepId>> = SecondaryMap::new();
    for (id, step) in &cells.steps {
        incoming[step.to].push(id);
    }
    let program = translation.source(program);
    let mut verifier = Verifier { program, cells, incoming, step: None, problems: Vec::new() };
    // Nothing else can be looked at if call strings are broken.
    if verifier.frames() {
        verifier.kinds();
        verifier.variables();
        verifier.points(translation);
        verifier.procedures();
        for (id, step) in &cells.steps {
            verifier.step = Some(id);
            verifier.step(id, step);
        }
    }
    verifier.problems
}

struct Verifier<'p> {
    program: &'p Program,
    cells: &'p CellProgram,
    incoming: SecondaryMap<Point, Vec<StepId>>,
    step: Option<StepId>,
    problems: Vec<Problem>,
}

impl Verifier<'_> {
    fn problem(&mut self, message: impl Into<String>) {
        self.problems.push(Problem { step: self.step, message: message.into() });
    }

    fn require(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.problem(message());
        }
    }

    /// Callers come before those they call, at an edge of theirs.
    fn frames(&mut self) -> bool {
        for (index, frame) in self.cells.frames.iter().enumerate() {
            let exists = self.program.functions.is_valid(frame.function);
            self.require(exists, || format!("call string {index} runs a function that does not exist"));
            if let Some((caller, edge)) = frame.caller {
                let earlier = (caller as usize) < index;
                self.require(earlier, || format!("call string {index} is called by a later one"));
                let known = earlier && self.has_edge(caller, edge);
                self.require(known, || format!("call string {index} is called by an edge that does not exist"));
            }
            let reached = frame.returns.is_none_or(|point| self.cells.outgoing.is_valid(point));
            self.require(reached, || format!("call string {index} returns to a point that does not exist"));
            let known = frame.procedure.is_none_or(|procedure| self.cells.procedures.is_valid(procedure));
            self.require(known, || format!("call string {index} is part of a procedure that does not exist"));
        }
        self.require(!self.cells.frames.is_empty(), || "there is no call string".into());
        self.problems.is_empty()
    }

    fn has_edge(&self, frame: u32, edge: EdgeId) -> bool {
        let frame = self.cells.frames.get(frame as usize);
        let function = frame.and_then(|frame| self.program.functions.get(frame.function));
        function.and_then(|function| function.automaton()).is_some_and(|automaton| automaton.edges.is_valid(edge))
    }

    /// Links and data lie in the cell, and no link shares bytes with anything.
    fn kinds(&mut self) {
        for kind in self.cells.kinds.values() {
            let name = &kind.name;
            let links = kind.links.iter().map(|link| (link.offset, kind.pointer_bytes));
            let data = kind.data.iter().map(|field| (field.offset, field.size));
            for (offset, size) in links.chain(data) {
                let inside = offset.checked_add(size).is_some_and(|end| end <= kind.size);
                self.require(inside, || format!("a field of `{name}` at byte {offset} ends outside of it"));
            }
            let overlap = overlapping_link(kind);
            self.require(overlap.is_none(), || format!("the link {} of `{name}` is not alone", overlap.unwrap_or(0)));
        }
    }

    /// Sources are registers and storage of the function that the variable belongs to.
    fn variables(&mut self) {
        for (var, variable) in self.cells.vars.iter() {
            let name = &variable.name;
            let Some(frame) = variable.frame else {
                let is_global = matches!(variable.source, VariableSource::Global(global, _)
                    if self.program.globals.is_valid(global));
                self.require(is_global, || format!("{var} `{name}` has no call string and is no global"));
                continue;
            };
            let Some(frame_of) = self.cells.frames.get(frame as usize) else {
                self.problem(format!("{var} `{name}` belongs to a call string that does not exist"));
                continue;
            };
            let function = &self.program.functions[frame_of.function];
            let known = match variable.source {
                VariableSource::Register(register) => function.registers.is_valid(register),
                VariableSource::Local(edge, _) => self.has_edge(frame, edge),
                VariableSource::Global(..) => false,
                VariableSource::Ghost => true,
            };
            self.require(known, || format!("{var} `{name}` stands for nothing of `{}`", function.name));
        }
    }

    fn points(&mut self, translation: &Translation) {
        let n_points = self.cells.outgoing.len();
        self.require(self.cells.origins.len() == n_points, || "not every point has an origin".into());
        self.require(n_points > 0, || "there is no entry".into());
        for (point, origin) in &self.cells.origins {
            let known = match origin.location {
                Some(location) => self.has_location(origin.frame, location),
                None => (origin.frame as usize) < self.cells.frames.len(),
            };
            self.require(known, || format!("{point} comes from a location that does not exist"));
        }
        let mut keys: Vec<(&(u32, heapwise_ir::LocationId), &Point)> = translation.points.iter().collect();
        keys.sort_unstable();
        for ((frame, location), point) in keys {
            let known = self.has_location(*frame, *location);
            self.require(known, || {
                format!("a point is named for {location} of call string {frame}, which is not there")
            });
            let known = self.cells.outgoing.is_valid(*point);
            self.require(known, || format!("{location} of call string {frame} is at a point that does not exist"));
        }
    }

    fn has_location(&self, frame: u32, location: heapwise_ir::LocationId) -> bool {
        let frame = self.cells.frames.get(frame as usize);
        let function = frame.and_then(|frame| self.program.functions.get(frame.function));
        function.and_then(|function| function.automaton()).is_some_and(|a| a.outgoing.is_valid(location))
    }

    fn procedures(&mut self) {
        for (id, procedure) in &self.cells.procedures {
            let known = self.cells.outgoing.is_valid(procedure.entry) && self.cells.outgoing.is_valid(procedure.exit);
            self.require(known, || format!("`{}` starts or returns at a point that does not exist", procedure.name));
            if !known {
                continue;
            }
            let own = |point: Point| self.cells.procedure_of(point) == Some(id);
            let inside = own(procedure.entry) && own(procedure.exit);
            self.require(inside, || format!("`{}` starts or returns at a point of another function", procedure.name));
            let foreign = procedure.entered().chain(procedure.left()).find(|var| {
                let frame = self.cells.vars.get(*var).and_then(|variable| variable.frame);
                frame.is_none_or(|frame| self.cells.frames[frame as usize].procedure != Some(id))
            });
            self.require(foreign.is_none(), || format!("`{}` is entered with variables of others", procedure.name));
        }
    }

    fn step(&mut self, id: StepId, step: &Step) {
        let known = self.cells.outgoing.is_valid(step.from) && self.cells.outgoing.is_valid(step.to);
        if !known || step.frame as usize >= self.cells.frames.len() {
            return self.problem("from, to or in what does not exist");
        }
        let leaves = self.cells.outgoing[step.from].iter().filter(|other| **other == id).count();
        self.require(leaves == 1, || format!("{} lists the step {leaves} times", step.from));
        if let Some(edge) = step.edge {
            let known = self.has_edge(step.frame, edge);
            self.require(known, || "comes from an edge that does not exist".into());
        }
        self.command(step);
    }

    /// What each command must be. (Long: one case for each.)
    fn command(&mut self, step: &Step) {
        match &step.command {
            Command::Skip | Command::End(_) | Command::Fail { .. } | Command::Gap { .. } => {}
            Command::Set { target, value } => {
                self.var(step, *target);
                self.atom(*value);
            }
            Command::Copy { target, source } => {
                self.var(step, *target);
                self.var(step, *source);
            }
            Command::Load { target, base, access } => {
                target.iter().for_each(|target| self.var(step, *target));
                self.var(step, *base);
                self.require(target.is_none() || access.size > 0, || "no bytes are loaded".into());
            }
            Command::Store { base, value, .. } => {
                self.var(step, *base);
                self.source(step, *value);
            }
            Command::Fill { base, .. } | Command::Touch { base, .. } => self.var(step, *base),
            Command::Alloc { target, kind, .. } => {
                self.var(step, *target);
                let _ = self.kind(*kind);
            }
            Command::Free { pointer } => self.var(step, *pointer),
            Command::Assume { left, right, .. } | Command::FailWhen { left, right, .. } => {
                self.source(step, *left);
                self.source(step, *right);
            }
            Command::Case { var, atom, .. } => {
                self.var(step, *var);
                self.held(*atom);
            }
            Command::Retire { atoms } => {
                for (index, (old, new)) in atoms.iter().enumerate() {
                    self.held(*old);
                    self.held(*new);
                    let is_one = atoms[..index].iter().all(|(other, _)| other != old);
                    self.require(is_one, || "a value becomes two others".into());
                }
            }
            Command::Compare { comparison, cell, .. } => {
                cell.iter().for_each(|cell| self.var(step, *cell));
                match self.cells.comparisons.get(*comparison) {
                    Some(found) => {
                        let fits = found.field.is_some() == cell.is_some();
                        self.require(fits, || "a comparison of a field names its cell, and no other does".into());
                    }
                    None => self.problem("a comparison that does not exist"),
                }
            }
            Command::Forget { comparison } => {
                let known = self.cells.comparisons.is_valid(*comparison);
                self.require(known, || "a comparison that does not exist".into());
            }
            Command::Shape { kind, arguments, cell, links, objects, .. } => {
                let n_arguments = kind.n_arguments();
                self.require(arguments.len() == n_arguments, || format!("the shape speaks of {n_arguments} pointers"));
                arguments.iter().for_each(|argument| self.source(step, *argument));
                let n_links = self.kind(*cell).map_or(0, |kind| kind.links.len());
                self.require(links.iter().all(|link| *link < n_links), || "a link that does not exist".into());
                for object in objects {
                    self.atom(object.place);
                    object.links.iter().for_each(|link| self.var(step, *link));
                    self.require(object.links.len() == links.len(), || "an object lacks a link of the shape".into());
                }
            }
            Command::Use { var, .. } => self.var(step, *var),
            Command::EndScope { vars } => vars.iter().for_each(|var| self.var(step, *var)),
            Command::Contract { contract, arguments, target } => {
                arguments.iter().for_each(|argument| self.source(step, *argument));
                target.iter().for_each(|target| self.var(step, *target));
                let n_parameters = self.cells.contracts.get(*contract).map(|contract| contract.parameters.len());
                self.require(n_parameters.is_some_and(|n| n <= arguments.len()), || {
                    "a contract that does not fit".into()
                });
            }
            Command::Call { procedure, arguments, target, references } => {
                arguments.iter().for_each(|argument| self.source(step, *argument));
                target.iter().for_each(|target| self.var(step, *target));
                references.iter().for_each(|(_, outer)| self.var(step, *outer));
                match self.cells.procedures.get(*procedure) {
                    Some(called) => {
                        let fits = called.parameters.len() == arguments.len();
                        self.require(fits, || format!("`{}` has {} parameters", called.name, called.parameters.len()));
                        let own = references.iter().all(|(inner, _)| called.references.contains(inner));
                        self.require(own, || format!("an object is passed that `{}` does not take", called.name));
                        self.require(target.is_none() || called.result.is_some(), || "there is no result".into());
                    }
                    None => self.problem("a procedure that does not exist"),
                }
            }
            Command::Enter { contract, parameters } => {
                parameters.iter().flatten().for_each(|parameter| self.var(step, *parameter));
                let known = self.cells.contracts.is_valid(*contract);
                self.require(known, || "a contract that does not exist".into());
            }
            Command::Leave { contract, result } => {
                result.iter().for_each(|result| self.var(step, *result));
                let known = self.cells.contracts.is_valid(*contract);
                self.require(known, || "a contract that does not exist".into());
            }
        }
    }

    fn source(&mut self, step: &Step, source: Source) {
        match source {
            Source::Var(var) => self.var(step, var),
            Source::Atom(atom) => self.atom(atom),
        }
    }

    /// A constant of the program.
    fn atom(&mut self, atom: Atom) {
        self.held(atom);
        match atom {
            // What only a run makes of cells: no command says it.
            Atom::Freed | Atom::NoLink | Atom::Outside => self.problem("a value that is no constant"),
            Atom::Int(_)
            | Atom::Place(_)
            | Atom::Ended(_)
            | Atom::Gone
            | Atom::Uninit
            | Atom::Opaque
            | Atom::Library(_) => {}
        }
    }

    /// What a variable may hold.
    fn held(&mut self, atom: Atom) {
        match atom {
            Atom::Place(place) | Atom::Ended(place) => {
                let known = (place as usize) < self.cells.places.len();
                self.require(known, || format!("address {place} does not exist"));
            }
            Atom::Freed
            | Atom::Gone
            | Atom::NoLink
            | Atom::Outside
            | Atom::Int(_)
            | Atom::Uninit
            | Atom::Opaque
            | Atom::Library(_) => {}
        }
    }

    fn kind(&mut self, kind: KindId) -> Option<&CellKind> {
        if !self.cells.kinds.is_valid(kind) {
            self.problem("a kind of cells that does not exist");
        }
        self.cells.kinds.get(kind)
    }

    /// The variable is there where the step runs.
    fn var(&mut self, step: &Step, var: Var) {
        let Some(variable) = self.cells.vars.get(var) else {
            return self.problem(format!("{var} does not exist"));
        };
        let Some(owner) = variable.frame else { return };
        let is_there = self.waits(owner, step.frame) || self.is_called(owner, step);
        if !is_there && !clears(&step.command) && !self.is_behind_address(step) {
            self.problem(format!("`{}` is of a function that does not run here", variable.name));
        }
    }

    /// Whether a call string is the one that runs, or one that waits for it. A procedure does not know its callers.
    fn waits(&self, owner: u32, runs: u32) -> bool {
        let mut at = runs;
        loop {
            if at == owner {
                return true;
            }
            let frame = &self.cells.frames[at as usize];
            match (frame.caller, frame.returns) {
                (Some((caller, _)), Some(_)) => at = caller,
                (Some(_), None) | (None, _) => return false,
            }
        }
    }

    /// Whether all ways to the step, along the same edge, ask for an address that a pointer holds.
    fn is_behind_address(&self, step: &Step) -> bool {
        let mut seen = vec![step.from];
        let mut next = 0;
        while let Some(point) = seen.get(next).copied() {
            next += 1;
            for id in &self.incoming[point] {
                let before = &self.cells.steps[*id];
                if matches!(before.command, Command::Case { held: Held::Yes, .. }) {
                    continue;
                }
                if before.edge.is_none() || (before.frame, before.edge) != (step.frame, step.edge) {
                    return false;
                }
                if !seen.contains(&before.from) {
                    seen.push(before.from);
                }
            }
        }
        true
    }

    /// Whether a call string is one that the edge of the step calls.
    fn is_called(&self, owner: u32, step: &Step) -> bool {
        let called = self.cells.frames.get(owner as usize);
        called.is_some_and(|frame| step.edge.is_some() && frame.caller == step.edge.map(|edge| (step.frame, edge)))
    }
}

/// Whether a command only says that a variable holds nothing, or anything where nobody asks whether it does.
fn clears(command: &Command) -> bool {
    matches!(command, Command::Set { value: Atom::Uninit | Atom::Opaque, .. } | Command::EndScope { .. })
}

/// A link that shares bytes with another link or a data field, by its number.
fn overlapping_link(kind: &CellKind) -> Option<usize> {
    let overlap = |first: u64, second: u64, size: u64| first < second + size && second < first + kind.pointer_bytes;
    kind.links.iter().enumerate().position(|(index, link)| {
        let links = kind.links.iter().skip(index + 1);
        links.clone().any(|other| overlap(link.offset, other.offset, kind.pointer_bytes))
            || kind.data.iter().any(|field| overlap(link.offset, field.offset, field.size))
    })
}
