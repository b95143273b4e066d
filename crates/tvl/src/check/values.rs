//! What variables and links may hold at all, whatever the path: it decides which predicates there are.

use heapwise_cells::atom::{Atom, Var};
use heapwise_cells::contract::{CellContract, Frees};
use heapwise_cells::procedure::Procedure;
use heapwise_cells::program::{CellProgram, Command, Contents, KindId, Source};
use heapwise_cells::touch::Touched;
use heapwise_ir::entity::{EntityRef, PrimaryMap};
use indexmap::IndexSet;

/// Variables and links with more atoms than this do not tell them apart.
const MAX_ATOMS: usize = 24;

/// What a place may hold.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Range {
    /// Values that are no cells, null among them.
    pub atoms: IndexSet<Atom>,
    /// Whether it may point to a cell.
    pub cell: bool,
}

impl Range {
    fn add(&mut self, atom: Atom) -> bool {
        if self.atoms.contains(&atom) {
            return false;
        }
        let full = self.atoms.len() >= MAX_ATOMS && matches!(atom, Atom::Int(_) | Atom::Place(_) | Atom::Ended(_));
        self.atoms.insert(if full { Atom::Opaque } else { atom })
    }

    fn add_all(&mut self, other: &Range) -> bool {
        let mut changed = other.cell && !self.cell;
        self.cell |= other.cell;
        for atom in &other.atoms {
            changed |= self.add(*atom);
        }
        changed
    }
}

/// What every variable and every link may hold.
#[derive(Clone, Debug)]
pub struct Values {
    vars: PrimaryMap<Var, Range>,
    links: PrimaryMap<KindId, Vec<Range>>,
    /// Data fields that are read, as masks of [`heapwise_cells::touch::bit`].
    read: PrimaryMap<KindId, u32>,
}

impl Values {
    /// Collects them.
    pub fn new(program: &CellProgram) -> Values {
        let mut values = Values { vars: PrimaryMap::new(), links: PrimaryMap::new(), read: PrimaryMap::new() };
        for _ in program.vars.keys() {
            values.vars.push(Range::default());
        }
        for kind in program.kinds.values() {
            values.links.push(vec![Range::default(); kind.links.len()]);
            values.read.push(0);
        }
        values.see_all(program);
        let frees = program.contracts.values().any(|contract| contract.frees == Frees::Cells);
        if frees || program.steps.values().any(|step| matches!(step.command, Command::Free { .. })) {
            let links = values.links.values_mut().flatten();
            for range in values.vars.values_mut().chain(links).filter(|range| range.cell) {
                range.add(Atom::Freed);
            }
        }
        // A dangling pointer is copied like any other: one more round.
        values.see_all(program);
        values
    }

    fn see_all(&mut self, program: &CellProgram) {
        let mut changed = true;
        while changed {
            changed = false;
            for step in program.steps.values() {
                changed |= self.see(program, &step.command);
            }
        }
    }

    fn see(&mut self, program: &CellProgram, command: &Command) -> bool {
        match command {
            Command::Set { target, value } => self.vars[*target].add(*value),
            Command::Copy { target, source } => {
                let source = self.vars[*source].clone();
                self.vars[*target].add_all(&source)
            }
            Command::Alloc { target, kind, contents } => {
                let mut changed = !std::mem::replace(&mut self.vars[*target].cell, true);
                for range in &mut self.links[*kind] {
                    changed |= range.add(held(*contents));
                }
                changed
            }
            Command::Load { target, access, .. } => {
                let mut range = Range { atoms: IndexSet::from([Atom::Opaque]), cell: false };
                for (id, kind) in &program.kinds {
                    match kind.touched(*access) {
                        Touched::Link(link) => {
                            range.add_all(&self.links[id][link]);
                        }
                        Touched::Data { scalars, aggregates, padding: _ } => {
                            self.read[id] |= scalars | aggregates;
                            if scalars != 0 {
                                range.add(Atom::Uninit);
                            }
                        }
                        Touched::Outside | Touched::Part => {}
                    }
                }
                target.is_some_and(|target| self.vars[target].add_all(&range))
            }
            Command::Store { access, value, .. } => {
                let range = match value {
                    Source::Var(var) => self.vars[*var].clone(),
                    Source::Atom(atom) => Range { atoms: IndexSet::from([*atom]), cell: false },
                };
                let mut changed = false;
                for (id, kind) in &program.kinds {
                    if let Touched::Link(link) = kind.touched(*access) {
                        changed |= self.links[id][link].add_all(&range);
                    }
                }
                changed
            }
            Command::Fill { contents, .. } => {
                let mut changed = false;
                for range in self.links.values_mut().flatten() {
                    changed |= range.add(held(*contents));
                }
                changed
            }
            Command::Retire { atoms } => {
                let mut changed = false;
                for range in self.vars.values_mut().chain(self.links.values_mut().flatten()) {
                    for (old, new) in atoms {
                        changed |= range.atoms.contains(old) && range.add(*new);
                    }
                }
                changed
            }
            Command::Enter { contract, parameters } => {
                let contract = &program.contracts[*contract];
                let mut changed = self.open(contract);
                for (var, kind) in parameters.iter().zip(&contract.parameters) {
                    if let (Some(var), Some(_)) = (var, kind) {
                        changed |= self.vars[*var].add_all(&cell_or_null());
                    }
                }
                changed
            }
            Command::Contract { contract, target, .. } => {
                let mut changed = self.open(&program.contracts[*contract]);
                if let Some(target) = target {
                    changed |= self.vars[*target].add_all(&cell_or_null());
                }
                changed
            }
            Command::Call { procedure, arguments, target, references } => {
                self.see_call(&program.procedures[*procedure], arguments, *target, references)
            }
            Command::Skip
            | Command::Leave { .. }
            | Command::Free { .. }
            | Command::Touch { .. }
            | Command::Assume { .. }
            | Command::Case { .. }
            | Command::Compare { .. }
            | Command::Forget { .. }
            | Command::Shape { .. }
            | Command::FailWhen { .. }
            | Command::Fail { .. }
            | Command::Use { .. }
            | Command::EndScope { .. }
            | Command::End(_)
            | Command::Gap { .. } => false,
        }
    }

    fn see_call(
        &mut self,
        procedure: &Procedure,
        arguments: &[Source],
        target: Option<Var>,
        references: &[(Var, Var)],
    ) -> bool {
        let mut changed = false;
        for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
            let Some(parameter) = parameter else { continue };
            changed |= match argument {
                Source::Atom(atom) => self.vars[*parameter].add(*atom),
                Source::Var(argument) => {
                    let range = self.vars[*argument].clone();
                    self.vars[*parameter].add_all(&range)
                }
            };
        }
        for ghost in &procedure.ghosts {
            changed |= self.vars[*ghost].add_all(&cell_or_null());
        }
        let result = target.zip(procedure.result).map(|(target, result)| (result, target));
        let back = references.iter().copied();
        let forth = references.iter().map(|(own, outer)| (*outer, *own));
        for (source, target) in back.chain(forth).chain(result) {
            let range = self.vars[source].clone();
            changed |= self.vars[target].add_all(&range);
        }
        changed
    }

    /// Cells that a contract is about may hold whatever their types say.
    fn open(&mut self, contract: &CellContract) -> bool {
        let mut changed = false;
        for kind in &contract.kinds {
            for range in &mut self.links[*kind] {
                changed |= range.add_all(&cell_or_null());
            }
            self.read[*kind] = !0;
        }
        for (var, _) in &contract.named {
            changed |= self.vars[*var].add_all(&cell_or_null());
        }
        for (var, kind) in &contract.globals {
            changed |= match kind {
                Some(_) => self.vars[*var].add_all(&cell_or_null()),
                None => self.vars[*var].add(Atom::Opaque),
            };
        }
        changed
    }

    /// A link may lead to a cell that the procedure which runs does not have.
    pub fn add_outside(&mut self, kind: KindId, link: usize) {
        self.links[kind][link].add(Atom::Outside);
    }

    /// A variable may hold what such a link held.
    pub fn carry_outside(&mut self, var: Var) {
        self.vars[var].add(Atom::Outside);
    }

    /// Whether a variable may point to a cell.
    pub fn may_be_cell(&self, var: Var) -> bool {
        self.vars[var].cell
    }

    /// What a link may hold.
    pub fn of_link(&self, kind: KindId, link: usize) -> &Range {
        &self.links[kind][link]
    }

    /// Whether a data field is ever read.
    pub fn is_read(&self, kind: KindId, position: usize) -> bool {
        self.read[kind] & heapwise_cells::touch::bit(position) != 0
    }

    /// All variables with what they may hold.
    pub fn vars(&self) -> impl Iterator<Item = (Var, &Range)> {
        (0..self.vars.len()).map(|index| (Var::new(index), &self.vars[Var::new(index)]))
    }
}

/// What a link of a cell holds that was filled.
pub fn held(contents: Contents) -> Atom {
    match contents {
        Contents::Uninitialised | Contents::Perhaps => Atom::Uninit,
        Contents::Zeroed => Atom::NULL,
        Contents::Opaque => Atom::Opaque,
    }
}

fn cell_or_null() -> Range {
    Range { atoms: IndexSet::from([Atom::NULL]), cell: true }
}
