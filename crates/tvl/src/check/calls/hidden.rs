//! Links whose targets a procedure need not have: ways back that it does not read, and ways back of trees that it reads
//! and never looks behind. `child->parent = node->parent` carries a pointer from one cell to another: whatever the cell
//! is that it leads to, the procedure neither reads nor changes it.

use super::super::roles::{Role, Roles};
use heapwise_cells::atom::Var;
use heapwise_cells::procedure::ProcedureId;
use heapwise_cells::program::{
    Access, CellProgram, Command, KindId, LinkTarget, Purpose, Source, Step, TouchPurpose, VariableStorage,
};
use heapwise_cells::touch::Touched;
use heapwise_ir::entity::PrimaryMap;
use rustc_hash::FxHashSet;

/// A link of a kind of cells.
type LinkId = (KindId, usize);

/// What is hidden from procedures.
#[derive(Clone, Debug)]
pub struct Hidden {
    /// Per procedure, the links whose targets it need not have.
    pub links: PrimaryMap<ProcedureId, Vec<LinkId>>,
    /// Those of them that it, or what it calls, reads.
    pub carried: PrimaryMap<ProcedureId, Vec<LinkId>>,
    /// Those of them that may be forgotten, since cells are freed and no links made.
    pub forgotten: PrimaryMap<ProcedureId, Vec<LinkId>>,
    /// Variables that carry such a link from one cell to another.
    pub carriers: Vec<Var>,
}

/// Finds them: links back along the spine, unless the procedure, or what it calls, looks behind them. Other links
/// beside the spine are left to it: cells know whether such a link leads to them, also to those that a call does not see.
pub fn hidden_links(program: &CellProgram, roles: &Roles) -> Hidden {
    let none = || program.procedures.keys().map(|_| Vec::new()).collect();
    let mut hidden = Hidden { links: none(), carried: none(), forgotten: none(), carriers: Vec::new() };
    for (kind, of_kind) in roles {
        for link in (0..of_kind.len()).filter(|link| of_kind[*link] == Role::Back) {
            let use_of = LinkUse { program, roles, link: (kind, link) };
            let readers = use_of.with_callers(use_of.readers());
            let carriers = if is_of_tree(program, roles, kind) { use_of.carriers() } else { FxHashSet::default() };
            let users = if is_of_tree(program, roles, kind) {
                use_of.with_callers(use_of.users(&carriers))
            } else {
                readers.clone()
            };
            let (writers, freers) = (use_of.with_callers(use_of.writers()), use_of.with_callers(use_of.freers()));
            for procedure in program.procedures.keys() {
                let (is_read, is_looked_behind) = (readers.contains(&procedure), users.contains(&procedure));
                if !is_read || !is_looked_behind {
                    hidden.links[procedure].push((kind, link));
                }
                if is_read && !is_looked_behind {
                    hidden.carried[procedure].push((kind, link));
                }
                let only_frees = freers.contains(&procedure) && !writers.contains(&procedure);
                if !is_read && only_frees && is_of_tree(program, roles, kind) {
                    hidden.forgotten[procedure].push((kind, link));
                }
            }
            hidden.carriers.extend(carriers);
        }
    }
    hidden.carriers.sort_unstable();
    hidden.carriers.dedup();
    hidden
}

/// Whether cells of a kind have several links of the spine to their like.
fn is_of_tree(program: &CellProgram, roles: &Roles, kind: KindId) -> bool {
    let links = program.kinds[kind].links.iter().zip(&roles[kind]);
    links.filter(|(link, role)| **role == Role::Spine && link.target == LinkTarget::Same).count() != 1
}

/// How a program uses a way back.
struct LinkUse<'a> {
    program: &'a CellProgram,
    roles: &'a Roles,
    link: LinkId,
}

impl LinkUse<'_> {
    fn steps(&self) -> impl Iterator<Item = (ProcedureId, &Step)> {
        let steps = self.program.steps.values();
        steps.filter_map(|step| self.program.procedure_of(step.from).map(|procedure| (procedure, step)))
    }

    fn touched(&self, access: Access) -> Touched {
        self.program.kinds[self.link.0].touched(access)
    }

    fn is_loaded(&self, access: Access) -> bool {
        match self.touched(access) {
            Touched::Link(link) => link == self.link.1,
            Touched::Part => true,
            Touched::Data { .. } | Touched::Outside => false,
        }
    }

    fn is_copied(&self, access: Access) -> bool {
        self.program.kinds[self.link.0].covered(access).is_some_and(|covered| {
            covered.links.contains(&self.link.1) || covered.parts_of_links.contains(&self.link.1)
        })
    }

    /// The procedures that read the link.
    fn readers(&self) -> FxHashSet<ProcedureId> {
        let is_read = |command: &Command| match command {
            Command::Load { access, .. } => self.is_loaded(*access),
            Command::Touch { access, purpose: TouchPurpose::Copy, .. } => self.is_copied(*access),
            command => claims(command),
        };
        self.steps().filter(|(_, step)| is_read(&step.command)).map(|(procedure, _)| procedure).collect()
    }

    /// The procedures that make links.
    fn writers(&self) -> FxHashSet<ProcedureId> {
        let is_link = |access: Access| {
            let mut kinds = self.program.kinds.values();
            kinds.any(|kind| matches!(kind.touched(access), Touched::Link(_) | Touched::Part))
        };
        let writes = |command: &Command| match command {
            Command::Store { access, .. } => is_link(*access),
            command => matches!(command, Command::Fill { .. } | Command::Alloc { .. }) || claims(command),
        };
        self.steps().filter(|(_, step)| writes(&step.command)).map(|(procedure, _)| procedure).collect()
    }

    /// The procedures that free cells.
    fn freers(&self) -> FxHashSet<ProcedureId> {
        let frees = |command: &Command| matches!(command, Command::Free { .. });
        self.steps().filter(|(_, step)| frees(&step.command)).map(|(procedure, _)| procedure).collect()
    }

    /// The variables that may hold what the link held.
    fn carriers(&self) -> FxHashSet<Var> {
        let mut carriers: FxHashSet<Var> = FxHashSet::default();
        loop {
            let before = carriers.len();
            for (_, step) in self.steps() {
                match &step.command {
                    Command::Load { target: Some(target), access, .. } if self.is_loaded(*access) => {
                        carriers.insert(*target);
                    }
                    Command::Copy { target, source } if carriers.contains(source) => {
                        carriers.insert(*target);
                    }
                    Command::Call { procedure, arguments, .. } => {
                        let parameters = &self.program.procedures[*procedure].parameters;
                        for (parameter, argument) in parameters.iter().zip(arguments) {
                            if let (Some(parameter), Source::Var(argument)) = (parameter, argument)
                                && carriers.contains(argument)
                            {
                                carriers.insert(*parameter);
                            }
                        }
                    }
                    _ => {}
                }
            }
            if carriers.len() == before {
                return carriers;
            }
        }
    }

    /// The procedures that do more with what the link held than carry it, or hand it to their callers.
    fn users(&self, carriers: &FxHashSet<Var>) -> FxHashSet<ProcedureId> {
        let is_global = |var: &Var| self.program.vars[*var].storage == VariableStorage::Global;
        let mut users: FxHashSet<ProcedureId> = self
            .steps()
            .filter(|(_, step)| {
                let written = step.command.writes();
                self.uses(&step.command, carriers)
                    || written.is_some_and(|var| carriers.contains(&var) && is_global(&var))
            })
            .map(|(procedure, _)| procedure)
            .collect();
        for (id, procedure) in &self.program.procedures {
            let mut handed = procedure.result.iter().chain(&procedure.references);
            if handed.any(|var| carriers.contains(var)) {
                users.insert(id);
            }
        }
        users
    }

    fn uses(&self, command: &Command, carriers: &FxHashSet<Var>) -> bool {
        match command {
            Command::Load { base, access, .. } => {
                carriers.contains(base) || self.is_loaded(*access) && self.touched(*access) == Touched::Part
            }
            Command::Store { base, access, value } => {
                let is_carried = value.var().is_some_and(|value| carriers.contains(&value));
                carriers.contains(base) || is_carried && !self.is_way_back(*access)
            }
            Command::Fill { base, .. } | Command::Touch { base, .. } => carriers.contains(base),
            Command::Free { pointer } => carriers.contains(pointer),
            Command::Use { var, purpose } => *purpose != Purpose::Discard && carriers.contains(var),
            Command::Call { references, .. } => references.iter().any(|(_, outer)| carriers.contains(outer)),
            command => claims(command),
        }
    }

    /// Whether an access writes ways back of trees only.
    fn is_way_back(&self, access: Access) -> bool {
        self.program.kinds.iter().all(|(id, kind)| match kind.touched(access) {
            Touched::Link(link) => self.roles[id][link] == Role::Back && is_of_tree(self.program, self.roles, id),
            Touched::Outside => true,
            Touched::Data { .. } | Touched::Part => false,
        })
    }

    fn with_callers(&self, mut procedures: FxHashSet<ProcedureId>) -> FxHashSet<ProcedureId> {
        loop {
            let before = procedures.len();
            for (caller, step) in self.steps() {
                if let Command::Call { procedure, .. } = &step.command
                    && procedures.contains(procedure)
                {
                    procedures.insert(caller);
                }
            }
            if procedures.len() == before {
                return procedures;
            }
        }
    }
}

/// Claims speak of all links.
fn claims(command: &Command) -> bool {
    matches!(command, Command::Shape { .. } | Command::Contract { .. } | Command::Enter { .. } | Command::Leave { .. })
}
