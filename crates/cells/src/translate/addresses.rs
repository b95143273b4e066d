//! Which addresses of static and local objects, and which integers, variables and the links of cells may hold on any way: an
//! inclusion-based points-to analysis of the cell program, which tells call strings apart. What different cells hold is told
//! apart as the points-to analysis of the whole program does, by region and offset.

use super::assignments::{Assignments, Constant, Held, Holder, MayHold, Scope};
use super::{Address, Translator};
use crate::atom::{Atom, Var};
use crate::program::{Access, Command, Source, VariableSource};
use heapwise_dataflow::iterate_to_fixpoint;
use heapwise_engine::Exhausted;
use heapwise_pointsto::{PointsTo, Range, Region, RegionId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Constants, null apart.
pub(super) type Constants = Held<Atom>;

/// What variables and the links of cells may hold.
#[derive(Default)]
pub(super) struct Addresses {
    of_var: FxHashMap<Var, Constants>,
    pub(super) in_cells: Constants,
}

impl Addresses {
    /// What an operand may hold.
    pub(super) fn of(&self, source: Source) -> Constants {
        match source {
            Source::Var(var) => self.of_var.get(&var).cloned().unwrap_or_default(),
            Source::Atom(atom) if is_constant(atom) => Constants::one(atom),
            Source::Atom(_) => Constants::default(),
        }
    }

    /// The variables that may hold an address.
    pub(super) fn holders(&self, place: Atom) -> impl Iterator<Item = Var> + '_ {
        self.of_var.iter().filter(move |(_, known)| known.may_contain(&place)).map(|(var, _)| *var)
    }
}

fn is_constant(atom: Atom) -> bool {
    match atom {
        Atom::Place(_) => true,
        Atom::Int(value) => value != 0,
        Atom::Freed
        | Atom::Ended(_)
        | Atom::Gone
        | Atom::Uninit
        | Atom::Opaque
        | Atom::Library(_)
        | Atom::NoLink
        | Atom::Outside => false,
    }
}

/// The cells that an access through a pointer goes to.
#[derive(Clone, Copy)]
enum Spot {
    Cell(RegionId, i64),
    Somewhere(Scope),
}

impl Spot {
    fn read(self) -> Holder {
        match self {
            Spot::Cell(region, offset) => Holder::Cell(region, offset),
            Spot::Somewhere(scope) => Holder::Read(scope),
        }
    }

    fn written(self) -> Holder {
        match self {
            Spot::Cell(region, offset) => Holder::Cell(region, offset),
            Spot::Somewhere(scope) => Holder::Written(scope),
        }
    }
}

/// What an access through a pointer does with the object that the pointer may hold the address of.
#[derive(Clone, Copy)]
enum Through {
    Load { target: Var },
    Store { value: Source },
}

struct Indirection {
    base: Var,
    access: Access,
    does: Through,
}

impl Translator<'_> {
    /// Computes them.
    pub(super) fn addresses(&mut self) -> Result<Addresses, Exhausted> {
        let mut graph = self.solve_assignments()?;
        // Most programs keep no address in a cell. Where one does, it is asked which cells those are.
        let is_address = |constant: &Constant| matches!(constant, Constant::Address(_));
        let is_kept = graph.of(Holder::Read(Scope::Everywhere)).known().is_none_or(|held| held.iter().any(is_address));
        if is_kept && self.points_to.is_none() && self.ask_points_to()? {
            graph = self.solve_assignments()?;
        }
        let mut addresses = Addresses::default();
        for (var, held) in graph.vars() {
            addresses.of_var.insert(var, held.map(|constant| self.atom_of(constant)));
        }
        let in_cells = graph.of(Holder::Read(Scope::Everywhere));
        addresses.in_cells = in_cells.map(|constant| self.atom_of(constant));
        Ok(addresses)
    }

    fn solve_assignments(&mut self) -> Result<Assignments, Exhausted> {
        let mut graph = Assignments::with_tables(self.tables.clone());
        // The holder of what all cells hold is there, whether or not a cell is accessed.
        graph.node(Holder::Read(Scope::Everywhere));
        let indirections = self.add_assignments(&mut graph)?;
        loop {
            for (var, value) in self.global_values() {
                self.assign_source(&mut graph, Source::Atom(value), Holder::Var(var));
            }
            for Indirection { base, access, does } in &indirections {
                self.meter.check()?;
                for slot in self.slots_behind(&graph, *base, *access) {
                    let (from, to) = match does {
                        Through::Load { target } => (Source::Var(slot), *target),
                        Through::Store { value } => (*value, slot),
                    };
                    match from {
                        Source::Var(from) => {
                            let (from, to) = (graph.node(Holder::Var(from)), graph.node(Holder::Var(to)));
                            graph.add_found(from, to);
                        }
                        Source::Atom(_) => self.assign_source(&mut graph, from, Holder::Var(to)),
                    }
                }
            }
            if graph.is_solved() {
                return Ok(graph);
            }
            graph.find_walks();
            let states = iterate_to_fixpoint(&graph, MayHold, |_| self.meter.check())?.into_states();
            graph.solved(states);
        }
    }

    /// The assignments that are there whatever pointers hold; the others are returned.
    fn add_assignments(&self, graph: &mut Assignments) -> Result<Vec<Indirection>, Exhausted> {
        let mut indirections = Vec::new();
        for (id, step) in self.out.steps.iter() {
            self.meter.check()?;
            match &step.command {
                Command::Set { target, value } => {
                    self.assign_source(graph, Source::Atom(*value), Holder::Var(*target));
                }
                Command::Copy { target, source } => {
                    let bytes = self.shifted.get(&id).copied().unwrap_or(0);
                    let (from, to) = (graph.node(Holder::Var(*source)), graph.node(Holder::Var(*target)));
                    if self.walks.contains(&id) {
                        graph.add_walk(from, to, bytes);
                    } else {
                        graph.add(from, to, bytes);
                    }
                }
                Command::Call { procedure, arguments, target, references } => {
                    let procedure = &self.out.procedures[*procedure];
                    for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
                        if let Some(parameter) = parameter {
                            self.assign_source(graph, *argument, Holder::Var(*parameter));
                        }
                    }
                    if let (Some(target), Some(result)) = (target, procedure.result) {
                        self.assign_source(graph, Source::Var(result), Holder::Var(*target));
                    }
                    for (own, outer) in references {
                        self.assign_source(graph, Source::Var(*outer), Holder::Var(*own));
                        self.assign_source(graph, Source::Var(*own), Holder::Var(*outer));
                    }
                }
                Command::Load { target: Some(target), base, access } => {
                    for spot in self.spots_behind(*base, *access) {
                        let (from, to) = (graph.node(spot.read()), graph.node(Holder::Var(*target)));
                        graph.add(from, to, 0);
                    }
                    let does = Through::Load { target: *target };
                    indirections.push(Indirection { base: *base, access: *access, does });
                }
                Command::Store { base, access, value } => {
                    for spot in self.spots_behind(*base, *access) {
                        self.assign_source(graph, *value, spot.written());
                    }
                    let does = Through::Store { value: *value };
                    indirections.push(Indirection { base: *base, access: *access, does });
                }
                Command::Skip
                | Command::Load { target: None, .. }
                | Command::Touch { .. }
                | Command::Fill { .. }
                | Command::Alloc { .. }
                | Command::Free { .. }
                | Command::Assume { .. }
                | Command::Case { .. }
                | Command::Compare { .. }
                | Command::Forget { .. }
                | Command::Shape { .. }
                | Command::FailWhen { .. }
                | Command::Fail { .. }
                | Command::Use { .. }
                | Command::EndScope { .. }
                | Command::Retire { .. }
                | Command::End(_)
                | Command::Contract { .. }
                | Command::Enter { .. }
                | Command::Leave { .. }
                | Command::Gap { .. } => {}
            }
        }
        Ok(indirections)
    }

    /// A holder gets what an operand holds.
    fn assign_source(&self, graph: &mut Assignments, source: Source, to: Holder) {
        match source {
            Source::Var(var) => {
                let (from, to) = (graph.node(Holder::Var(var)), graph.node(to));
                graph.add(from, to, 0);
            }
            Source::Atom(atom) => {
                if let Some(constant) = self.constant_of(atom) {
                    let to = graph.node(to);
                    graph.start(to, constant);
                }
            }
        }
    }

    /// The variables that an access through a pointer may go to. A pointer that may be anywhere is not followed: an engine
    /// that meets an address there says so.
    fn slots_behind(&mut self, graph: &Assignments, base: Var, access: Access) -> SmallVec<[Var; 2]> {
        let mut slots = SmallVec::new();
        let held = graph.var(base);
        for constant in held.and_then(Held::known).unwrap_or_default() {
            if let Constant::Address(Address::Object(object, offset)) = constant
                && let Some((object, offset)) = self.object_behind(base, access, (*object, *offset))
            {
                slots.extend(self.variable_at(object, offset, access.size));
            }
        }
        slots
    }

    /// The cells that an access through a pointer may go to.
    fn spots_behind(&self, base: Var, access: Access) -> SmallVec<[Spot; 1]> {
        let everywhere = || SmallVec::from_elem(Spot::Somewhere(Scope::Everywhere), 1);
        let Some(known) = &self.points_to else { return everywhere() };
        let variable = &self.out.vars[base];
        let (VariableSource::Register(register), Some(frame)) = (variable.source, variable.frame) else {
            return everywhere();
        };
        let value = known.register(self.out.frames[frame as usize].function, register);
        let mut spots = SmallVec::new();
        let region = value.region.filter(|region| !known.regions[*region].escaped);
        // Of where nothing is known, only what has escaped can be reached.
        if value.unknown || region.is_none() {
            spots.push(Spot::Somewhere(Scope::Escaped));
        }
        let Some(region) = region else { return spots };
        let Some(distance) = access.offset.checked_sub(self.shift(base)) else { return everywhere() };
        for range in value.offsets.iter() {
            spots.push(spot_at(known, region, range.shifted(distance), access.size));
        }
        spots
    }

    /// Asks the points-to analysis of the whole program, if it holds for the runs that are looked at.
    fn ask_points_to(&mut self) -> Result<bool, Exhausted> {
        let is_answered = !super::indirect::is_modular(self.program, self.calls);
        if is_answered {
            self.points_to = Some(super::indirect::points_to(self.program, self.options, self.meter)?);
        }
        Ok(is_answered)
    }

    /// What is followed of a value.
    pub(super) fn constant_of(&self, atom: Atom) -> Option<Constant> {
        match atom {
            Atom::Place(place) => Some(Constant::Address(self.address_at(place))),
            Atom::Int(value) => (value != 0).then_some(Constant::Int(value)),
            Atom::Freed
            | Atom::Ended(_)
            | Atom::Gone
            | Atom::Uninit
            | Atom::Opaque
            | Atom::Library(_)
            | Atom::NoLink
            | Atom::Outside => None,
        }
    }

    pub(super) fn atom_of(&mut self, constant: Constant) -> Atom {
        match constant {
            Constant::Int(value) => Atom::Int(value),
            Constant::Address(address) => self.place(address),
        }
    }

    /// A value some bytes further.
    pub(super) fn shift_atom(&mut self, atom: Atom, bytes: i64) -> Option<Atom> {
        match atom {
            Atom::Int(value) => Some(Atom::int(i128::from(value) + i128::from(bytes))),
            atom => {
                let moved = self.constant_of(atom)?.shifted(bytes)?;
                Some(self.atom_of(moved))
            }
        }
    }
}

/// The cell of a region that an access goes to; all of the region where it may be several.
fn spot_at(known: &PointsTo, region: RegionId, range: Range, size: u64) -> Spot {
    let somewhere = Spot::Somewhere(Scope::Region(region));
    if !range.is_exact() || range.slack > 0 {
        return somewhere;
    }
    let Region { layout, .. } = &known.regions[region];
    let Some(cell) = known.regions[region].cell_at(range.start) else { return somewhere };
    let start = layout.spot(range.start).offset;
    let is_within = layout.stride == 1 || start == cell.offset && size <= cell.size;
    if is_within { Spot::Cell(region, cell.offset) } else { somewhere }
}
