//! The fixpoint: sets of structures per point.

use super::attempt::{Attempt, Grouping};
use super::calls::{CallCodes, Rest, hidden_links};
use super::contract::{CallMemory, ContractCodes};
use super::images::Images;
use super::links::Linking;
use super::predicates::{Naming, Predicates};
use super::roles::{ShapeChoice, roles};
use super::slots::Slots;
use super::step::Stepper;
use super::values::Values;
use crate::join::{Join, Key};
use crate::structure::Structure;
use crate::symbolic::step::Transformer;
use crate::tables::Tables;
use heapwise_cells::Issue;
use heapwise_cells::live::{Liveness, Retention};
use heapwise_cells::procedure::ProcedureId;
use heapwise_cells::program::{CellProgram, Command, Point, StepId};
use heapwise_engine::reason::Note;
use heapwise_engine::{Control, Exhausted};
use heapwise_fixpoint::{
    Analysis, At, FactId, Flow, FlowBuilder, Leaving, PointId, ProcedureId as CoreProcedureId, Solver, Successors,
    TraceKind,
};
use heapwise_ir::entity::{EntityRef, PrimaryMap};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

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
    /// How structures of one point are joined, and cells are named.
    pub attempt: Attempt,
    /// Which predicate set.
    pub shape: ShapeChoice,
    /// What becomes of dead variables.
    pub retention: Retention,
    /// How steps are taken.
    pub transformer: Transformer,
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

/// How a fact came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Provenance {
    /// The run starts with it.
    Start,
    /// By a step, from this one.
    Step(StepId, FactId),
    /// A procedure starts with it, called with this one.
    Enter(StepId, FactId),
    /// A call is over: the caller's, and the one at the exit of the procedure.
    Leave(StepId, FactId, FactId),
}

/// Paths that are longer do not go into calls that returned.
const LONG: usize = 2_000;

/// What a run found.
pub struct Fixpoint {
    /// The structures, by fact, and how each came about.
    facts: PrimaryMap<FactId, (StructureId, Provenance)>,
    tables: PrimaryMap<Point, Vec<FactId>>,
    /// What may be wrong.
    pub suspicions: Vec<Suspicion>,
    /// Set if the run did not finish.
    pub exhausted: Option<Exhausted>,
    /// Whether some join outgrew the words of a structure: what it stands for is not complete.
    pub too_large: bool,
    /// What a reader should know of the run.
    pub notes: Vec<Note>,
    /// The structures.
    pub store: Store,
    /// The predicates.
    pub predicates: Predicates,
    /// The slots.
    pub slots: Slots,
}

impl Fixpoint {
    /// What a run has when its budget ran out before the first step: nothing.
    fn unbegun(program: &CellProgram, options: RunOptions, exhausted: Exhausted) -> Fixpoint {
        let nothing = CellProgram::idle(program.frames[0].clone());
        let liveness = Liveness::new(&nothing);
        let RunOptions { shape, retention, attempt, .. } = options;
        let Stepper { predicates, slots, .. } =
            stepper(&nothing, &liveness, shape, retention, attempt.naming, &Control::unlimited())
                .unwrap_or_else(|_| unreachable!("an unlimited budget does not run out"));
        Fixpoint {
            facts: PrimaryMap::new(),
            tables: program.outgoing.keys().map(|_| Vec::new()).collect(),
            suspicions: Vec::new(),
            exhausted: Some(exhausted),
            too_large: false,
            notes: Vec::new(),
            store: Store::default(),
            predicates,
            slots,
        }
    }

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

    /// How many structures a point has.
    pub fn n_structures(&self, point: Point) -> usize {
        self.tables[point].len()
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
        // Calls that are over, on whose way back the path is, with their callers.
        let mut returned: Vec<FactId> = Vec::new();
        loop {
            match self.facts[at].1 {
                Provenance::Start => break,
                Provenance::Step(step, from) => {
                    path.push(step);
                    at = from;
                }
                Provenance::Enter(step, caller) => {
                    path.push(step);
                    at = returned.pop().unwrap_or(caller);
                }
                Provenance::Leave(step, caller, _) if path.len() > LONG => {
                    path.push(step);
                    at = caller;
                }
                Provenance::Leave(_, caller, exit) => {
                    returned.push(caller);
                    at = exit;
                }
            }
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
    naming: Naming,
    control: &Control,
) -> Result<Stepper<'a>, Exhausted> {
    let mut values = Values::new(program);
    let roles = roles(program, shape, naming);
    let hidden = hidden_links(program, &roles);
    for (kind, link) in hidden.links.values().flatten() {
        values.add_outside(*kind, *link);
    }
    if hidden.links.values().any(|links| !links.is_empty()) {
        hidden.carriers.iter().for_each(|var| values.carry_outside(*var));
    }
    let slots = Slots::new(program, liveness, &values, retention, control)?;
    let predicates = Predicates::new(program, &values, &slots, &roles, naming);
    let linking = Linking::new(&predicates);
    let contracts = ContractCodes::new(&predicates);
    let procedures = CallCodes::new(program, &slots, &predicates, &hidden);
    let (calls, tables) = (CallMemory::default(), Tables::within(control.clone()));
    let control = control.clone();
    Ok(Stepper { program, slots, predicates, linking, contracts, calls, procedures, tables, control })
}

/// Computes the fixpoint of a program.
pub fn run(program: &CellProgram, liveness: &Liveness, options: RunOptions, control: &Control) -> Fixpoint {
    let stepper = match stepper(program, liveness, options.shape, options.retention, options.attempt.naming, control) {
        Ok(stepper) => stepper,
        Err(exhausted) => return Fixpoint::unbegun(program, options, exhausted),
    };
    let (flow, points, procedures) = flow(program);
    let empty = Structure::new(stepper.predicates.vocabulary.layout(), 0);
    let mut store = Store::default();
    let start = store.intern(empty);
    let mut notes = Vec::new();
    let images = match options.transformer {
        Transformer::FocusAndCoerce => None,
        // What is kept of the heap before a call follows rules of its own.
        Transformer::Best if !(program.contracts.is_empty() && program.procedures.is_empty()) => {
            notes.push(Note::NoBestTransformers);
            None
        }
        Transformer::Best => Some(Images::new(control)),
    };
    let shapes = Shapes {
        stepper,
        procedures,
        cuts: FxHashMap::default(),
        grouping: options.attempt.grouping,
        coarse: FxHashSet::default(),
        store,
        suspicions: IndexMap::default(),
        too_large: false,
        images,
    };
    let mut solver = Solver::new(&flow, shapes);
    solver.start(flow.procedure_of(points[program.entry()]), start);
    // A step that was stopped has lost structures.
    let exhausted = solver.run(control).and_then(|()| solver.analysis.stepper.tables.end()).err();
    let mut facts = PrimaryMap::with_capacity(solver.n_facts());
    let mut tables: PrimaryMap<Point, Vec<FactId>> = PrimaryMap::new();
    for index in 0..solver.n_facts() {
        let fact = FactId::new(index);
        let parents = solver.parents(fact);
        let way = match (solver.found_by(fact), parents) {
            (TraceKind::Step(step), [from, ..]) => Provenance::Step(StepId::new(step.index()), *from),
            (TraceKind::Enter(step), [caller, ..]) => Provenance::Enter(StepId::new(step.index()), *caller),
            (TraceKind::Leave(step), [caller, exit]) => Provenance::Leave(StepId::new(step.index()), *caller, *exit),
            (TraceKind::Start | TraceKind::Step(_) | TraceKind::Enter(_) | TraceKind::Leave(_), _) => Provenance::Start,
        };
        facts.push((*solver.element_of(fact), way));
    }
    for point in program.outgoing.keys() {
        tables.push(solver.facts_at(points[point]).collect());
    }
    let Shapes { stepper, store, suspicions, too_large, images, .. } = solver.analysis;
    if let Some(undivided) = images.map(|images| images.undivided).filter(|n| *n > 0) {
        notes.push(Note::LeftByProver { structures: undivided });
    }
    let suspicions = suspicions.into_iter().map(|((step, issue), fact)| Suspicion { step, issue, fact }).collect();
    let Stepper { predicates, slots, .. } = stepper;
    Fixpoint { facts, tables, suspicions, exhausted, too_large, notes, store, predicates, slots }
}

/// The program as the core sees it, with the numbers of its points and of its procedures there.
fn flow(program: &CellProgram) -> (Flow, PrimaryMap<Point, PointId>, PrimaryMap<ProcedureId, CoreProcedureId>) {
    let mut builder = FlowBuilder::new();
    let mut procedures: PrimaryMap<ProcedureId, CoreProcedureId> = PrimaryMap::new();
    for _ in program.procedures.keys() {
        procedures.push(builder.add_procedure());
    }
    let whole = builder.add_procedure();
    let mut points: PrimaryMap<Point, PointId> = PrimaryMap::new();
    for point in program.outgoing.keys() {
        let known = program.procedure_of(point);
        let core = known.map_or(whole, |procedure| procedures[procedure]);
        points.push(match known.map(|procedure| &program.procedures[procedure]) {
            Some(procedure) if procedure.entry == point => builder.entry(core),
            Some(procedure) if procedure.exit == point => builder.exit(core),
            None if point == program.entry() => builder.entry(core),
            Some(_) | None => builder.add_point(core),
        });
    }
    for (id, procedure) in &program.procedures {
        builder.return_from(procedures[id], points[procedure.exit]);
    }
    for step in program.steps.values() {
        builder.add_step(points[step.from], points[step.to]);
    }
    (builder.finish(), points, procedures)
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
    procedures: PrimaryMap<ProcedureId, CoreProcedureId>,
    /// How heaps were divided at call steps: what procedures were entered with, and what was kept.
    cuts: FxHashMap<(StepId, StructureId), Vec<(StructureId, Rest)>>,
    grouping: Grouping,
    /// Points where a join outgrew the words of a structure.
    coarse: FxHashSet<PointId>,
    store: Store,
    suspicions: IndexMap<(StepId, Issue), FactId, FxBuildHasher>,
    too_large: bool,
    /// The images of structures, if steps are taken on them alone.
    images: Option<Images>,
}

impl Shapes<'_> {
    fn images_of(&mut self, id: StructureId) -> SmallVec<[StructureId; 4]> {
        match &mut self.images {
            Some(images) => images.of(&self.stepper.linking.framework, &mut self.store, id).into(),
            None => smallvec![id],
        }
    }
}

impl Analysis for Shapes<'_> {
    type Element = StructureId;
    type Key = Key;

    fn post(&mut self, at: &At<'_, StructureId>, out: &mut Successors<StructureId>) {
        let step = StepId::new(at.step().index());
        if let Command::Call { procedure, .. } = self.stepper.program.steps[step].command {
            let structure = self.store.get(*at.element()).clone();
            self.call(at, step, procedure, &structure, out);
            return;
        }
        for input in self.images_of(*at.element()) {
            let structure = self.store.get(input).clone();
            let applied = self.stepper.apply(step, &structure);
            if self.stepper.tables.end().is_err() {
                return;
            }
            for issue in applied.issues {
                self.suspicions.entry((step, issue)).or_insert(at.fact());
            }
            for structure in applied.structures {
                self.arrive(step, structure, at.fact(), out);
            }
        }
    }

    fn leave(&mut self, leaving: &Leaving<'_, StructureId>, out: &mut Successors<StructureId>) {
        let (Some(caller), Some(entered)) = (leaving.caller(), leaving.entered()) else { return };
        let step = StepId::new(leaving.step().index());
        let Some(cuts) = self.cuts.get(&(step, *caller)) else { return };
        let exit = self.store.get(*leaving.exit()).clone();
        let mut pasted = Vec::new();
        for (_, rest) in cuts.iter().filter(|(entry, _)| entry == entered) {
            let (structures, issues) = self.stepper.paste(step, rest, &exit);
            if self.stepper.tables.end().is_err() {
                return;
            }
            pasted.extend(structures);
            for issue in issues {
                self.suspicions.entry((step, issue)).or_insert(leaving.exit_fact());
            }
        }
        for mut structure in pasted {
            // What the callee found out is about its own integers.
            self.stepper.predicates.forget_all(&mut structure);
            self.arrive(step, structure, leaving.exit_fact(), out);
        }
    }

    fn key(&self, _: PointId, element: &StructureId) -> Option<Key> {
        let structure = self.store.get(*element);
        let key = || self.grouping.join().key(&self.stepper.linking.framework.abstraction, structure);
        match self.grouping {
            Grouping::Facts(Join::Relational) => None,
            Grouping::Facts(Join::Partial) => Some(key().with(self.stepper.predicates.told_apart(structure))),
            Grouping::Facts(Join::Single) | Grouping::Names => Some(key()),
        }
    }

    fn join(&mut self, point: PointId, old: &StructureId, new: &StructureId) -> Option<StructureId> {
        let join = self.grouping.join();
        let abstraction = &self.stepper.linking.framework.abstraction;
        let (a, b) = (self.store.get(*old), self.store.get(*new));
        let fine = if self.coarse.contains(&point) { None } else { join.join(abstraction, a, b).ok() };
        let joined = match fine {
            Some(joined) => joined,
            None => {
                // From now on cells here are told apart by variables alone: few enough names for any program that fits.
                self.coarse.insert(point);
                let by_variables = self.stepper.predicates.by_variables();
                match join.join(&by_variables, &by_variables.blur(a), &by_variables.blur(b)) {
                    Ok(joined) => joined,
                    Err(_) => {
                        self.too_large = true;
                        return None;
                    }
                }
            }
        };
        let id = self.store.intern(joined);
        (id != *old).then_some(id)
    }

    fn bytes(&self, element: &StructureId) -> usize {
        self.store.get(*element).n_words() * 8
    }
}

impl Shapes<'_> {
    /// A structure arrives behind a step.
    fn arrive(&mut self, step: StepId, structure: Structure, from: FactId, out: &mut Successors<StructureId>) {
        let (structure, lost) = self.stepper.collect_garbage(step, structure);
        if lost == Loss::Possible {
            self.suspicions.entry((step, Issue::Lost)).or_insert(from);
        }
        let blurred = self.stepper.linking.framework.abstraction.blur(&structure);
        let blurred = self.store.intern(blurred);
        for image in self.images_of(blurred) {
            out.push(image);
        }
    }

    /// A procedure is entered with a part of the heap.
    fn call(
        &mut self,
        at: &At<'_, StructureId>,
        step: StepId,
        procedure: ProcedureId,
        structure: &Structure,
        out: &mut Successors<StructureId>,
    ) {
        let mut structure = structure.clone();
        self.stepper.predicates.forget_all(&mut structure);
        let (cuts, issues) = self.stepper.cut(step, &structure);
        if self.stepper.tables.end().is_err() {
            return;
        }
        for issue in issues {
            self.suspicions.entry((step, issue)).or_insert(at.fact());
        }
        let mut entries = Vec::with_capacity(cuts.len());
        for cut in cuts {
            if cut.rest.has_cells() {
                // Should the program end within the call, these cells are still there.
                for ending in &self.stepper.procedures.procedures[procedure].endings {
                    self.suspicions.entry((*ending, Issue::StillReachable)).or_insert(at.fact());
                }
            }
            let blurred = self.stepper.linking.framework.abstraction.blur(&cut.entry);
            let entry = self.store.intern(blurred);
            out.enter(self.procedures[procedure], entry);
            entries.push((entry, cut.rest));
        }
        self.cuts.insert((step, *at.element()), entries);
    }
}

impl Stepper<'_> {
    /// Empties dead slots and takes away what nothing refers to; whether anything may have been lost.
    pub fn collect_garbage(&self, step: StepId, mut structure: Structure) -> (Structure, Loss) {
        let step = &self.program.steps[step];
        self.bury(&mut structure, step.to);
        self.predicates.keep_comparisons(&mut structure, step.to);
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
