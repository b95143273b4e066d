//! Calls of procedures: functions that call themselves are analysed once per heap that they are entered with.
//!
//! A call divides the caller's heap. The callee gets the cells that are reached from its arguments, from the globals
//! that it touches and from the objects whose addresses it is given ([`cut`]), along the links that it may look behind
//! ([`hidden`]). All other cells, and the caller's variables, are kept aside. Cells of the callee that the rest leads to,
//! and those that lead to the rest by the way back of a list, are *cutpoints*: they are named by ghosts,
//! variables that the body does not know. So it is exact what became of them when the two parts are put together again
//! ([`paste`]). Ways back of trees hold one value in the callee that stands for the cells they lead to ([`outward`]).
//! (Procedure-local heaps with named cutpoints are those of
//! Rinetzky, Bauer, Reps, Sagiv and Wilhelm.)
//!
//! *Soundness.* The parts are sets of individuals, so every heap that a structure stands for is divided the same way.
//! What instrumentation predicates say in a part is what their definitions say of that part, or 1/2.

mod cut;
mod divide;
mod hidden;
mod outward;
mod overwritten;
mod paste;

pub use cut::{Cut, Rest};
pub use hidden::{Hidden, hidden_links};

use super::predicates::Predicates;
use super::slots::{Slot, Slots};
use crate::structure::{Bounds, Structure};
use heapwise_cells::atom::Var;
use heapwise_cells::procedure::ProcedureId;
use heapwise_cells::program::{Access, CellProgram, Command, Ending, KindId, StepId, VariableStorage};
use heapwise_dataflow::{Analysis, Direction, Flow, Graph, MaySet, iterate_to_fixpoint, unlimited};
use heapwise_ir::entity::PrimaryMap;
use heapwise_logic::Predicate;
use rustc_hash::{FxHashMap, FxHashSet};

/// What calls of each procedure need.
#[derive(Clone, Default, Debug)]
pub struct ProcedureCode {
    /// The globals that it may read or write, by slot.
    pub globals: Vec<Slot>,
    /// Where it, or what it calls, may end the program by `exit`.
    pub endings: Vec<StepId>,
    /// Ways back that neither it nor what it calls looks behind: where they lead is not its business.
    pub hidden: Vec<(KindId, usize)>,
    /// Those of them that it reads.
    pub carried: Vec<(KindId, usize)>,
    /// Those of them that are forgotten when it is called: it frees cells, and what it leaves is rarely looked at again.
    pub forgotten: Vec<(KindId, usize)>,
}

/// What calls need.
#[derive(Clone, Debug)]
pub struct CallCodes {
    /// Per procedure.
    pub procedures: PrimaryMap<ProcedureId, ProcedureCode>,
    /// Predicates that say where slots point and what is reached from them.
    of_slots: FxHashSet<Predicate>,
    /// Links that are not read behind a call.
    overwritten: FxHashMap<StepId, Vec<(Var, Access)>>,
}

impl CallCodes {
    /// Collects it.
    pub fn new(program: &CellProgram, slots: &Slots, predicates: &Predicates, hidden: &Hidden) -> CallCodes {
        let mut of_slots = FxHashSet::default();
        for slot in predicates.slots.values() {
            of_slots.extend(slot.points.iter().chain(&slot.reach).chain(&slot.shared_without).copied());
        }
        let mut procedures = procedures(program, slots);
        for (id, code) in &mut procedures {
            code.hidden.clone_from(&hidden.links[id]);
            code.carried.clone_from(&hidden.carried[id]);
            code.forgotten.clone_from(&hidden.forgotten[id]);
        }
        CallCodes { procedures, of_slots, overwritten: overwritten::overwritten(program) }
    }
}

/// What each procedure touches, with what it calls.
fn procedures(program: &CellProgram, slots: &Slots) -> PrimaryMap<ProcedureId, ProcedureCode> {
    let mut touched = Touched::default();
    for _ in program.procedures.keys() {
        touched.own.push((MaySet::default(), MaySet::default()));
        touched.outgoing.push(Vec::new());
    }
    for (id, step) in &program.steps {
        let Some(procedure) = program.procedure_of(step.from) else { continue };
        let (globals, endings) = &mut touched.own[procedure];
        let mut vars = step.command.reads().to_vec();
        vars.extend(step.command.writes());
        match &step.command {
            Command::Contract { contract, .. } | Command::Enter { contract, .. } => {
                vars.extend(program.contracts[*contract].globals.iter().map(|(var, _)| *var));
            }
            Command::Call { procedure: callee, .. } => touched.outgoing[procedure].push((procedure, *callee)),
            Command::End(Ending::Exit) => endings.insert(id),
            _ => {}
        }
        let vars = vars.into_iter().filter(|var| program.vars[*var].storage == VariableStorage::Global);
        vars.for_each(|var| globals.insert(slots.of(var)));
    }
    let Ok(results) = iterate_to_fixpoint(&touched, Summaries, unlimited);
    let code = |id| match results.at(id) {
        Some((globals, endings)) => {
            ProcedureCode { globals: globals.to_vec(), endings: endings.to_vec(), ..ProcedureCode::default() }
        }
        None => ProcedureCode::default(),
    };
    program.procedures.keys().map(code).collect()
}

/// The call graph of procedures, and what each touches itself: globals, and steps that end the program.
#[derive(Default)]
struct Touched {
    own: PrimaryMap<ProcedureId, (MaySet<Slot>, MaySet<StepId>)>,
    /// Caller and callee.
    outgoing: PrimaryMap<ProcedureId, Vec<(ProcedureId, ProcedureId)>>,
}

impl Graph for Touched {
    type Node = ProcedureId;
    type Edge = (ProcedureId, ProcedureId);

    fn n_nodes(&self) -> usize {
        self.own.len()
    }

    fn outgoing(&self, caller: ProcedureId) -> &[(ProcedureId, ProcedureId)] {
        &self.outgoing[caller]
    }

    fn source(&self, (caller, _): (ProcedureId, ProcedureId)) -> ProcedureId {
        caller
    }

    fn target(&self, (_, callee): (ProcedureId, ProcedureId)) -> ProcedureId {
        callee
    }

    fn entries(&self) -> impl Iterator<Item = ProcedureId> {
        self.own.keys()
    }
}

/// What callees touch, their callers touch: backward along calls, may.
struct Summaries;

impl Analysis<Touched> for Summaries {
    type Domain = (MaySet<Slot>, MaySet<StepId>);
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self, touched: &Touched, procedure: ProcedureId) -> Option<Self::Domain> {
        Some(touched.own[procedure].clone())
    }

    fn apply(&self, _: &Touched, _: (ProcedureId, ProcedureId), _: &mut Self::Domain) -> Flow {
        Flow::Continues
    }
}

/// Where individuals of one structure are in another.
#[derive(Clone, Copy)]
enum Move<'a> {
    /// The individuals of these numbers become 0, 1, ….
    Onto(&'a [usize]),
    /// All are moved up by so many.
    Up(usize),
}

impl Move<'_> {
    fn apply(self, bounds: Bounds) -> Bounds {
        match self {
            Move::Up(by) => Bounds { may: bounds.may << by, must: bounds.must << by },
            Move::Onto(cells) => {
                let mut moved = Bounds { may: 0, must: 0 };
                for (new, old) in cells.iter().enumerate() {
                    moved.may |= (bounds.may >> old & 1) << new;
                    moved.must |= (bounds.must >> old & 1) << new;
                }
                moved
            }
        }
    }
}

impl Predicates {
    /// What a slot of one structure says of cells goes into a slot of another, on top of what that says of other cells.
    fn move_cells(&self, from: (&Structure, Slot), to: (&mut Structure, Slot), by: Move<'_>) {
        let ((source, from), (target, to)) = (from, to);
        let (mine, other) = (&self.slots[to], &self.slots[from]);
        let add = |target: &mut Structure, predicate: Predicate, bounds: Bounds| {
            let index = self.index(predicate);
            let (old, new) = (target.unary(index), by.apply(bounds));
            target.set_unary(index, Bounds { may: old.may | new.may, must: old.must | new.must });
        };
        for (i, predicate) in mine.points.iter().chain(&mine.reach).enumerate() {
            let origin = other.points.iter().chain(&other.reach).nth(i);
            if let Some(origin) = origin {
                add(target, *predicate, source.unary(self.index(*origin)));
            }
        }
        if let Some(without) = mine.shared_without {
            let origin = other.shared_without.unwrap_or(self.shared);
            // It was set as for a slot without a cell.
            let whole = by.apply(Bounds { may: source.universe(), must: source.universe() }).may;
            let index = self.index(without);
            let (old, new) = (target.unary(index), by.apply(source.unary(self.index(origin))));
            let bounds = Bounds { may: old.may & !whole | new.may, must: old.must & !whole | new.must };
            target.set_unary(index, bounds);
        }
    }

    /// The atoms that a slot of one structure may hold go into a slot of another.
    fn move_atoms(&self, from: (&Structure, Slot), to: (&mut Structure, Slot)) {
        let ((source, from), (target, to)) = (from, to);
        let mine = &self.slots[to].atoms;
        self.clear_atoms(target, to);
        for (atom, predicate) in &self.slots[from].atoms {
            let value = source.nullary(self.index(*predicate));
            if value != heapwise_logic::Kleene::False
                && let Some(predicate) = mine.get(&Predicates::known(mine, *atom))
            {
                target.set_nullary(self.index(*predicate), value);
            }
        }
    }
}
