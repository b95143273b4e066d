//! Where a program puts new cells: which links hold a structure together, as far as the program's text shows it.
//!
//! A new cell gets into a structure when a link of another cell is made to lead to it (`p->left = n`), or when it takes the
//! place of the cell that it leads to from then on (`n->next = head; head = n`). A link that no new cell gets in by (a
//! cursor, the way to the head or to the root) is hardly what holds cells together. Of two links that the same new cell gets
//! in by one after the other, the second is a level above the first (a skip list). All of this is a guess that chooses
//! instrumentation predicates, and nothing rests on it.

use heapwise_cells::atom::Var;
use heapwise_cells::program::{Access, CellProgram, Command, KindId, LinkTarget, Source, StepId};
use heapwise_cells::touch::Touched;
use heapwise_ir::entity::{EntityRef, PrimaryMap};

/// A link of a kind.
pub type LinkOf = (KindId, usize);

/// A new cell gets into a structure by a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Insertion {
    link: LinkOf,
    cell: Var,
    step: StepId,
    /// The link whose cell it takes the place of, if it does.
    place: Option<LinkOf>,
}

/// The insertions of a program.
pub struct Insertions<'a> {
    program: &'a CellProgram,
    insertions: Vec<Insertion>,
    /// Links that are given cells, all of them links of new cells that lead to old ones and take nobody's place.
    set_once: Vec<LinkOf>,
}

/// What is known of the variables of a program, by its text.
struct Variables {
    /// The kinds of cells that each may point to, the first 64.
    kinds: PrimaryMap<Var, u64>,
    /// Whether each holds only what was just allocated, or null.
    fresh: PrimaryMap<Var, bool>,
    /// What is copied from where to where.
    copies: Vec<(Var, Var)>,
}

impl Variables {
    fn new(program: &CellProgram) -> Variables {
        let mut variables = Variables { kinds: PrimaryMap::new(), fresh: PrimaryMap::new(), copies: Vec::new() };
        for _ in program.vars.keys() {
            variables.kinds.push(0);
            variables.fresh.push(true);
        }
        for step in program.steps.values() {
            if let Command::Copy { target, source } = step.command {
                variables.copies.push((source, target));
            }
        }
        variables.see_calls(program);
        while variables.see_kinds(program) {}
        variables.see_fresh(program);
        variables
    }

    /// What is passed to procedures and returned from them is copied.
    fn see_calls(&mut self, program: &CellProgram) {
        for step in program.steps.values() {
            let Command::Call { procedure, arguments, target, references } = &step.command else { continue };
            let procedure = &program.procedures[*procedure];
            for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
                self.copies.extend(argument.var().zip(*parameter));
            }
            self.copies.extend(procedure.result.zip(*target));
            for (own, outer) in references {
                self.copies.extend([(*own, *outer), (*outer, *own)]);
            }
        }
    }

    fn see_kinds(&mut self, program: &CellProgram) -> bool {
        let mut changed = false;
        let mut add = |kinds: &mut PrimaryMap<Var, u64>, var: Var, more: u64| {
            changed |= more & !kinds[var] != 0;
            kinds[var] |= more;
        };
        for step in program.steps.values() {
            match &step.command {
                Command::Alloc { target, kind, .. } => add(&mut self.kinds, *target, bit(*kind)),
                Command::Load { base, access, target: Some(target) } => {
                    let led_to = self.links(program, *base, *access).filter_map(|link| target_of(program, link));
                    let kinds = led_to.fold(0, |kinds, kind| kinds | bit(kind));
                    add(&mut self.kinds, *target, kinds);
                }
                _ => {}
            }
        }
        for (source, target) in &self.copies {
            let kinds = self.kinds[*source];
            add(&mut self.kinds, *target, kinds);
        }
        changed
    }

    fn see_fresh(&mut self, program: &CellProgram) {
        for step in program.steps.values() {
            let keeps = matches!(step.command, Command::Alloc { .. } | Command::Set { .. } | Command::Copy { .. });
            if let Some(written) = step.command.writes().filter(|_| !keeps) {
                self.fresh[written] = false;
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (source, target) in &self.copies {
                changed |= !self.fresh[*source] && self.fresh[*target];
                self.fresh[*target] &= self.fresh[*source];
            }
        }
    }

    /// The links that an access through a variable may be to.
    fn links<'a>(&self, program: &'a CellProgram, base: Var, access: Access) -> impl Iterator<Item = LinkOf> + use<'a> {
        let kinds = self.kinds[base];
        program.kinds.iter().filter(move |(id, _)| bit(*id) & kinds != 0).filter_map(move |(id, kind)| {
            match kind.touched(access) {
                Touched::Link(link) => Some((id, link)),
                Touched::Data { .. } | Touched::Outside | Touched::Part => None,
            }
        })
    }

    /// Whether a variable holds what another one held earlier (`top` where `n->up = top; top = n`), or is the same one.
    fn holds_former(&self, cell: Var, var: Var) -> bool {
        self.copied(cell, |(source, target)| (*source, *target)).contains(&var)
    }

    /// The variables that a value may come from, or go to, by copies alone; itself among them.
    fn copied(&self, var: Var, way: impl Fn(&(Var, Var)) -> (Var, Var)) -> Vec<Var> {
        let mut found = vec![var];
        let mut next = 0;
        while let Some(at) = found.get(next).copied() {
            next += 1;
            for (from, to) in self.copies.iter().map(&way) {
                if from == at && !found.contains(&to) {
                    found.push(to);
                }
            }
        }
        found
    }
}

fn bit(kind: KindId) -> u64 {
    if kind.index() < 64 { 1 << kind.index() } else { 0 }
}

/// The kind that a link leads to, by its declaration.
pub fn target_of(program: &CellProgram, (kind, link): LinkOf) -> Option<KindId> {
    match program.kinds[kind].links[link].target {
        LinkTarget::Same => Some(kind),
        LinkTarget::Other(pointee) => program.record_kinds.get(&pointee).copied(),
    }
}

/// Programs with more steps are not looked at: the guess is not worth the time.
const MOST_STEPS: usize = 20_000;

impl<'a> Insertions<'a> {
    /// Collects them.
    pub fn new(program: &'a CellProgram) -> Insertions<'a> {
        let mut found = Insertions { program, insertions: Vec::new(), set_once: Vec::new() };
        let is_choice = program.kinds.values().any(|kind| kind.links.len() > 1);
        if !is_choice || program.steps.len() > MOST_STEPS {
            return found;
        }
        let variables = Variables::new(program);
        let (mut once, mut again) = (Vec::new(), Vec::new());
        for (id, step) in &program.steps {
            let Command::Store { base, access, value: Source::Var(value) } = &step.command else { continue };
            for link in variables.links(program, *base, *access) {
                let is_new = variables.fresh[*value] && !variables.holds_former(*base, *value);
                let is_up = variables.fresh[*base] && !is_new;
                if is_new {
                    found.insertions.push(Insertion { link, cell: *value, step: id, place: None });
                }
                let place = if is_up { taken_place(program, &variables, *base, *value) } else { None };
                if let Some(place) = place {
                    found.insertions.push(Insertion { link, cell: *base, step: id, place });
                }
                let list = if is_up && place.is_none() { &mut once } else { &mut again };
                list.push(link);
            }
        }
        once.retain(|link| !again.contains(link));
        found.set_once = once;
        found
    }

    /// Whether new cells get in by a link.
    pub fn by(&self, link: LinkOf) -> bool {
        self.insertions.iter().any(|insertion| insertion.link == link)
    }

    /// Whether a link is given to new cells only, and leads to cells that were there before them.
    pub fn is_set_once(&self, link: LinkOf) -> bool {
        self.set_once.contains(&link)
    }

    /// Whether a new cell gets in by the first of two links, and then by the second as well.
    pub fn is_level_above(&self, lower: LinkOf, upper: LinkOf) -> bool {
        let of = |link: LinkOf| self.insertions.iter().filter(move |insertion| insertion.link == link);
        of(lower).any(|first| {
            of(upper).any(|second| {
                let is_one = first.place == Some(upper) || second.place == Some(lower);
                first.cell == second.cell && !is_one && self.leads(first, second)
            })
        })
    }

    /// Whether a way leads from one insertion to another on which the cell stays the same.
    fn leads(&self, first: &Insertion, second: &Insertion) -> bool {
        let program = self.program;
        let target = program.steps[second.step].from;
        let mut open = vec![program.steps[first.step].to];
        let mut seen = open.clone();
        while let Some(point) = open.pop() {
            if point == target {
                return true;
            }
            for step in &program.outgoing[point] {
                let step = &program.steps[*step];
                if step.command.writes() != Some(first.cell) && !seen.contains(&step.to) {
                    seen.push(step.to);
                    open.push(step.to);
                }
            }
        }
        false
    }
}

/// The place of which a new cell takes, if it does, the value that one of its links is given: a variable, or a link.
fn taken_place(program: &CellProgram, variables: &Variables, cell: Var, value: Var) -> Option<Option<LinkOf>> {
    let from = variables.copied(value, |(source, target)| (*target, *source));
    let to = variables.copied(cell, |(source, target)| (*source, *target));
    if from.iter().any(|var| to.contains(var)) {
        return Some(None);
    }
    let stores: Vec<LinkOf> = program
        .steps
        .values()
        .filter_map(|step| match &step.command {
            Command::Store { base, access, value: Source::Var(stored) } if to.contains(stored) => {
                Some(variables.links(program, *base, *access).collect::<Vec<_>>())
            }
            _ => None,
        })
        .flatten()
        .collect();
    program.steps.values().find_map(|step| match &step.command {
        Command::Load { base, access, target: Some(target) } if from.contains(target) => {
            variables.links(program, *base, *access).find(|link| stores.contains(link)).map(Some)
        }
        _ => None,
    })
}
