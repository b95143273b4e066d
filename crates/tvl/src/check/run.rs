//! The fixpoint: sets of structures per point.

use super::contract::{CallMemory, ContractCodes};
use super::links::Linking;
use super::predicates::Predicates;
use super::roles::{ShapeChoice, roles};
use super::slots::Slots;
use super::step::Stepper;
use super::values::Values;
use crate::join::{Join, Key};
use crate::structure::Structure;
use crate::tables::Tables;
use heapwise_cells::Issue;
use heapwise_cells::live::{Liveness, Retention};
use heapwise_cells::program::{CellProgram, Command, Point, StepId};
use heapwise_engine::{Control, Exhausted};
use heapwise_fixpoint::{Analysis, At, FactId, FlowBuilder, PointId, Solver, Successors, TraceKind};
use heapwise_ir::entity::{EntityRef, PrimaryMap};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

/// A structure in the store.
pub type StructureId = u32;

/// Every structure once.
#[derive(Default)]
pub struct Store {
    structures: IndexSet<Structure, FxBuildHasher>,
    words: usize,
}

impl Store {
    /// The number of a structure.
    pub fn intern(&mut self, structure: Structure) -> StructureId {
        let words = structure.n_words();
        let (index, is_new) = self.structures.insert_full(structure);
        if is_new {
            self.words += words;
        }
        index as StructureId
    }

    /// The structure of a number.
    pub fn get(&self, id: StructureId) -> &Structure {
        &self.structures[id as usize]
    }

    /// Bytes held, roughly.
    pub fn bytes(&self) -> u64 {
        (self.words * 8 + self.structures.len() * 96) as u64
    }
}

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// How structures of one point are joined.
    pub join: Join,
    /// Which predicate set.
    pub shape: ShapeChoice,
    /// What becomes of dead variables.
    pub retention: Retention,
}

/// Something that may be wrong, and the first fact that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspicion {
    /// The step.
    pub step: StepId,
    /// What.
    pub issue: Issue,
    /// The fact that was pushed through the step.
    pub fact: FactId,
}

/// What a run found.
pub struct Fixpoint {
    /// The structures, by fact, and how each came about.
    facts: PrimaryMap<FactId, (StructureId, Option<(StepId, FactId)>)>,
    tables: PrimaryMap<Point, Vec<FactId>>,
    /// What may be wrong.
    pub suspicions: Vec<Suspicion>,
    /// Set if the run did not finish.
    pub exhausted: Option<Exhausted>,
    /// Whether some join outgrew the words of a structure: what it stands for is not complete.
    pub too_large: bool,
    /// The structures.
    pub store: Store,
    /// The predicates.
    pub predicates: Predicates,
    /// The slots.
    pub slots: Slots,
}

impl Fixpoint {
    /// The structures of a point, in the order of their arrival.
    pub fn structures(&self, point: Point) -> impl Iterator<Item = &Structure> {
        self.tables[point].iter().map(|fact| self.store.get(self.facts[*fact].0))
    }

    /// Whether a point is reached.
    pub fn is_reached(&self, point: Point) -> bool {
        !self.tables[point].is_empty()
    }

    /// How many points are reached.
    pub fn n_reached(&self) -> u64 {
        self.tables.values().filter(|table| !table.is_empty()).count() as u64
    }

    /// How many structures all points have together.
    pub fn n_elements(&self) -> u64 {
        self.tables.values().map(|table| table.len() as u64).sum()
    }

    /// The structure that shows a suspicion.
    pub fn shown_by(&self, suspicion: &Suspicion) -> &Structure {
        self.store.get(self.facts[suspicion.fact].0)
    }

    /// The steps that led to a suspicion, its own last.
    pub fn path(&self, suspicion: &Suspicion) -> Vec<StepId> {
        let mut path = vec![suspicion.step];
        let mut at = suspicion.fact;
        while let Some((step, parent)) = self.facts[at].1 {
            path.push(step);
            at = parent;
        }
        path.reverse();
        path
    }
}

/// What steps are made of, for a program.
pub fn stepper<'a>(
    program: &'a CellProgram,
    liveness: &Liveness,
    shape: ShapeChoice,
    retention: Retention,
) -> Stepper<'a> {
    let values = Values::new(program);
    let slots = Slots::new(program, liveness, &values, retention);
    let predicates = Predicates::new(program, &values, &slots, &roles(program, shape));
    let linking = Linking::new(&predicates);
    let contracts = ContractCodes::new(&predicates, &slots, &linking.framework.constraints);
    Stepper { program, slots, predicates, linking, contracts, calls: CallMemory::default(), tables: Tables::new() }
}

/// Computes the fixpoint of a program.
pub fn run(program: &CellProgram, liveness: &Liveness, options: RunOptions, control: &Control) -> Fixpoint {
    let stepper = stepper(program, liveness, options.shape, options.retention);
    let mut builder = FlowBuilder::new();
    let procedure = builder.add_procedure();
    // The core's points are numbered as ours, but for the exit that it adds.
    for _ in 1..program.outgoing.len() {
        builder.add_point(procedure);
    }
    for step in program.steps.values() {
        builder.add_step(core_point(step.from), core_point(step.to));
    }
    let flow = builder.finish();
    let empty = Structure::new(stepper.predicates.vocabulary.layout(), 0);
    let mut store = Store::default();
    let start = store.intern(empty);
    let shapes = Shapes { stepper, join: options.join, store, suspicions: IndexMap::default(), too_large: false };
    let mut solver = Solver::new(&flow, shapes);
    solver.start(procedure, start);
    let exhausted = solver.run(control).err();
    let mut facts = PrimaryMap::with_capacity(solver.n_facts());
    let mut tables: PrimaryMap<Point, Vec<FactId>> = PrimaryMap::new();
    for index in 0..solver.n_facts() {
        let fact = FactId::new(index);
        let parent = match solver.found_by(fact) {
            TraceKind::Step(step) => solver.parents(fact).first().map(|first| (StepId::new(step.index()), *first)),
            TraceKind::Start | TraceKind::Enter(_) | TraceKind::Leave(_) => None,
        };
        facts.push((*solver.element_of(fact), parent));
    }
    for point in program.outgoing.keys() {
        tables.push(solver.facts_at(core_point(point)).collect());
    }
    let Shapes { stepper, store, suspicions, too_large, .. } = solver.analysis;
    let suspicions = suspicions.into_iter().map(|((step, issue), fact)| Suspicion { step, issue, fact }).collect();
    let Stepper { predicates, slots, .. } = stepper;
    Fixpoint { facts, tables, suspicions, exhausted, too_large, store, predicates, slots }
}

/// The core numbers the exit second.
fn core_point(point: Point) -> PointId {
    PointId::new(if point.index() == 0 { 0 } else { point.index() + 1 })
}

/// Whether cells may have lost their last reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// All that exist are referenced.
    None,
    /// Some may not be.
    Possible,
}

/// The abstraction, as the core sees it.
struct Shapes<'a> {
    stepper: Stepper<'a>,
    join: Join,
    store: Store,
    suspicions: IndexMap<(StepId, Issue), FactId, FxBuildHasher>,
    too_large: bool,
}

impl Analysis for Shapes<'_> {
    type Element = StructureId;
    type Key = Key;

    fn post(&mut self, at: &At<'_, StructureId>, out: &mut Successors<StructureId>) {
        let step = StepId::new(at.step().index());
        let structure = self.store.get(*at.element()).clone();
        let applied = self.stepper.apply(step, &structure);
        for issue in applied.issues {
            self.suspicions.entry((step, issue)).or_insert(at.fact());
        }
        for structure in applied.structures {
            let (structure, lost) = self.stepper.settle(step, structure);
            if lost == Loss::Possible {
                self.suspicions.entry((step, Issue::Lost)).or_insert(at.fact());
            }
            let blurred = self.stepper.linking.framework.abstraction.blur(&structure);
            out.push(self.store.intern(blurred));
        }
    }

    fn key(&self, _: PointId, element: &StructureId) -> Option<Key> {
        match self.join {
            Join::Relational => None,
            Join::Partial | Join::Single => {
                Some(self.join.key(&self.stepper.linking.framework.abstraction, self.store.get(*element)))
            }
        }
    }

    fn join(&mut self, _: PointId, old: &StructureId, new: &StructureId) -> Option<StructureId> {
        let abstraction = &self.stepper.linking.framework.abstraction;
        match self.join.join(abstraction, self.store.get(*old), self.store.get(*new)) {
            Ok(joined) => {
                let id = self.store.intern(joined);
                (id != *old).then_some(id)
            }
            Err(_) => {
                self.too_large = true;
                None
            }
        }
    }

    fn bytes(&self, element: &StructureId) -> usize {
        self.store.get(*element).n_words() * 8
    }
}

impl Stepper<'_> {
    /// Empties dead slots and takes away what nothing refers to; whether anything may have been lost.
    pub fn settle(&self, step: StepId, mut structure: Structure) -> (Structure, Loss) {
        let step = &self.program.steps[step];
        self.bury(&mut structure, step.to);
        if matches!(step.command, Command::Skip | Command::Assume { .. } | Command::Shape { .. })
            && structure.size() == 0
        {
            return (structure, Loss::None);
        }
        let referenced = self.predicates.referenced(&structure);
        let exist = structure.active().may;
        let lost = exist & !referenced.must;
        let gone = exist & !referenced.may;
        if gone != 0 {
            structure = self.predicates.without(&structure, gone);
        }
        (structure, if lost == 0 { Loss::None } else { Loss::Possible })
    }
}
