//! One fixpoint over elements, on the shared core: graphs or subgraphs per location, each pushed through each step once
//! (§5.3).
//!
//! A step composes a new element only with what is there already and mentions the other variables that the step
//! needs; an element that the step does not concern passes as it is, as soon as some composition that does get
//! through shares no variable with it (the k+1st subgraph of the paper's assume transformer).

use crate::apply::apply;
use crate::decompose::{Grouping, compose, decompose};
use crate::shape::{Folding, Graph, Reachability, Value};
use crate::store::{EMPTY, GraphId, GraphStore, disjoint};
use heapwise_cells::Issue;
use heapwise_cells::atom::{Atom, Var};
use heapwise_cells::live::{Liveness, Retention};
use heapwise_cells::program::{CellProgram, Command, Point, StepId, VariableStorage};
use heapwise_engine::{Control, Exhausted};
use heapwise_fixpoint::{Among, Analysis, At, FactId, FlowBuilder, PointId, Solver, Successors, TraceKind};
use heapwise_ir::entity::{EntityRef, PrimaryMap};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smallvec::{SmallVec, smallvec};
use std::ops::Range;

/// How a fixpoint is computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunOptions {
    /// What is kept together.
    pub grouping: Grouping,
    /// What becomes of dead variables.
    pub retention: Retention,
    /// Segments up to this length are told apart; the paper's is 1.
    pub exact_length: u8,
}

/// Elements of one location that are composed.
pub type Composition = SmallVec<[FactId; 2]>;

/// Something that went wrong, with the compositions that show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspicion {
    /// The step that fails.
    pub step: StepId,
    /// What.
    pub issue: Issue,
    /// Compositions at the start of the step that show it.
    pub compositions: Vec<Composition>,
}

/// An element at a location, and where it came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The element.
    pub graph: GraphId,
    /// The step that made it and the (first) element at its start; absent at the start of the program.
    pub parent: Option<(StepId, FactId)>,
}

/// The result of a run.
pub struct Fixpoint {
    facts: PrimaryMap<FactId, Fact>,
    /// Where in `arrived` the elements of each location are, [`EMPTY`] (the location is reached) included.
    tables: PrimaryMap<Point, Range<u32>>,
    arrived: Vec<FactId>,
    /// What went wrong.
    pub suspicions: Vec<Suspicion>,
    /// How many elements there are, [`EMPTY`] not counted.
    pub n_elements: u64,
    /// Bytes that tables and graphs hold, roughly.
    pub bytes: u64,
    /// Set if the run did not finish.
    pub exhausted: Option<Exhausted>,
}

impl Fixpoint {
    /// An element with its parent.
    pub fn fact(&self, fact: FactId) -> Fact {
        self.facts[fact]
    }

    /// The elements of a location, [`EMPTY`] not among them.
    pub fn elements(&self, point: Point) -> impl Iterator<Item = GraphId> + '_ {
        self.facts_at(point).iter().map(|fact| self.facts[*fact].graph).filter(|graph| *graph != EMPTY)
    }

    /// The facts of a location in the order of their arrival.
    fn facts_at(&self, point: Point) -> &[FactId] {
        let Range { start, end } = self.tables[point];
        &self.arrived[start as usize..end as usize]
    }

    /// Whether a location is reached.
    pub fn is_reached(&self, point: Point) -> bool {
        !self.tables[point].is_empty()
    }

    /// How many locations are reached.
    pub fn n_reached(&self) -> u64 {
        self.tables.values().filter(|table| !table.is_empty()).count() as u64
    }
}

/// Computes the fixpoint of a program.
pub fn run(
    program: &CellProgram,
    liveness: &Liveness,
    store: &mut GraphStore,
    options: RunOptions,
    control: &Control,
) -> Fixpoint {
    let mut builder = FlowBuilder::with_capacity(program.outgoing.len() + 1, program.steps.len());
    let procedure = builder.add_procedure();
    // The core's points are numbered as ours, but for the exit that it adds.
    for _ in 1..program.outgoing.len() {
        builder.add_point(procedure);
    }
    for step in program.steps.values() {
        builder.add_step(core_point(step.from), core_point(step.to));
    }
    let flow = builder.finish();
    let mut started: SmallVec<[GraphId; 4]> = SmallVec::new();
    decompose(unset_globals(program), &options.grouping, |part| started.push(store.intern(part)));
    let mut solver = Solver::new(&flow, Decomposition::new(program, liveness, store, options));
    solver.start(procedure, EMPTY);
    for element in started {
        solver.start(procedure, element);
    }
    let exhausted = solver.run(control).err();
    let mut facts = PrimaryMap::with_capacity(solver.n_facts());
    let mut tables: PrimaryMap<Point, Range<u32>> = PrimaryMap::with_capacity(program.outgoing.len());
    let mut arrived = Vec::with_capacity(solver.n_facts());
    let mut n_elements = 0;
    for index in 0..solver.n_facts() {
        let fact = FactId::new(index);
        let graph = *solver.element_of(fact);
        n_elements += u64::from(graph != EMPTY);
        let parent = match solver.found_by(fact) {
            TraceKind::Step(step) => solver.parents(fact).first().map(|first| (StepId::new(step.index()), *first)),
            TraceKind::Start | TraceKind::Enter(_) | TraceKind::Leave(_) => None,
        };
        facts.push(Fact { graph, parent });
    }
    for point in program.outgoing.keys() {
        let start = arrived.len() as u32;
        arrived.extend(solver.facts_at(core_point(point)));
        tables.push(start..arrived.len() as u32);
    }
    let bytes = solver.bytes() + solver.analysis.store.bytes();
    let suspicions = solver.analysis.suspicions.into_iter();
    let suspicions = suspicions.map(|((step, issue), compositions)| Suspicion { step, issue, compositions }).collect();
    Fixpoint { facts, tables, arrived, suspicions, n_elements, bytes, exhausted }
}

/// Globals are live from the start, so they are mapped from the start, before their first values are set: a live variable
/// that a graph did not map would make every step that needs it lose the graph.
pub(crate) fn unset_globals(program: &CellProgram) -> Graph {
    let mut graph = Graph::default();
    for (var, variable) in program.vars.iter() {
        if variable.storage == VariableStorage::Global {
            graph.set(var, Value::Atom(Atom::Uninit));
        }
    }
    graph
}

/// The core numbers the exit second.
fn core_point(point: Point) -> PointId {
    PointId::new(if point.index() == 0 { 0 } else { point.index() + 1 })
}

fn own_point(point: PointId) -> Point {
    Point::new(point.index().saturating_sub(1))
}

/// What a step needs to know, and what it has seen.
struct Plan {
    /// The variables whose elements the step composes.
    needs: SmallVec<[Var; 2]>,
    writes: Option<Var>,
    /// Variable sets of compositions that got through, pairwise different.
    witnesses: SmallVec<[SmallVec<[Var; 4]>; 1]>,
    /// Elements that no witness lets pass yet.
    waiting: SmallVec<[(FactId, GraphId); 4]>,
}

/// The abstraction, as the core sees it.
struct Decomposition<'a> {
    program: &'a CellProgram,
    liveness: &'a Liveness,
    options: RunOptions,
    store: &'a mut GraphStore,
    plans: PrimaryMap<StepId, Plan>,
    /// The variables that some step from a location composes by.
    composed_by: PrimaryMap<Point, SmallVec<[Var; 2]>>,
    suspicions: IndexMap<(StepId, Issue), Vec<Composition>, FxBuildHasher>,
}

/// The elements that a step makes of a composition, and what went wrong.
#[derive(Default)]
struct Transformed {
    elements: SmallVec<[GraphId; 4]>,
    issues: SmallVec<[Issue; 1]>,
    /// Whether any graph got through; its elements may all be empty.
    passes: bool,
}

impl Analysis for Decomposition<'_> {
    type Element = GraphId;
    type Key = ();

    fn post(&mut self, at: &At<'_, GraphId>, out: &mut Successors<GraphId>) {
        let step = StepId::new(at.step().index());
        if !self.is_nary(step) {
            self.push_through(step, at.fact(), *at.element(), None, out);
        }
    }

    fn combines(&self, step: heapwise_fixpoint::StepId) -> bool {
        self.is_nary(StepId::new(step.index()))
    }

    fn combine(&mut self, among: &Among<'_, GraphId>, out: &mut Successors<GraphId>) {
        let step = StepId::new(among.step().index());
        self.push_through(step, among.at().fact(), *among.element(), Some(among), out);
    }

    fn tags(&self, point: PointId, element: &GraphId, tags: &mut Vec<u32>) {
        let composed_by = &self.composed_by[own_point(point)];
        tags.extend(composed_by.iter().filter(|var| self.store.mentions(*element, **var)).map(|var| var.as_u32()));
    }
}

impl<'a> Decomposition<'a> {
    fn new(
        program: &'a CellProgram,
        liveness: &'a Liveness,
        store: &'a mut GraphStore,
        options: RunOptions,
    ) -> Decomposition<'a> {
        let mut plans = PrimaryMap::new();
        let mut composed_by: PrimaryMap<Point, SmallVec<[Var; 2]>> = PrimaryMap::new();
        for _ in program.outgoing.keys() {
            composed_by.push(SmallVec::new());
        }
        for step in program.steps.values() {
            let needs = needs(step.from, &step.command, liveness, &options.grouping);
            if needs.len() > 1 {
                for var in &needs {
                    if !composed_by[step.from].contains(var) {
                        composed_by[step.from].push(*var);
                    }
                }
            }
            let writes = step.command.writes();
            plans.push(Plan { needs, writes, witnesses: SmallVec::new(), waiting: SmallVec::new() });
        }
        Decomposition { program, liveness, options, store, plans, composed_by, suspicions: IndexMap::default() }
    }

    /// Whether what becomes of an element may depend on others.
    fn is_nary(&self, step: StepId) -> bool {
        self.plans[step].needs.len() > 1 || self.program.steps[step].command.filters()
    }

    /// Pushes a new element through a step, with all compositions that contain it.
    fn push_through(
        &mut self,
        step: StepId,
        fact: FactId,
        id: GraphId,
        among: Option<&Among<'_, GraphId>>,
        out: &mut Successors<GraphId>,
    ) {
        let needs = &self.plans[step].needs;
        let concerned = match &self.program.steps[step].command {
            // Every element ends by itself, and holds addresses of its own.
            Command::End(_) | Command::Retire { .. } => true,
            _ if needs.is_empty() => id == EMPTY,
            _ => needs.iter().any(|var| self.store.mentions(id, *var)),
        };
        if !concerned {
            self.pass(step, fact, id, None, out);
            return;
        }
        if needs.iter().all(|var| self.store.mentions(id, *var)) {
            self.transform(step, &[(fact, id)], out);
            return;
        }
        let Some(among) = among else { return };
        let mut compositions: Vec<SmallVec<[(FactId, GraphId); 2]>> = Vec::new();
        self.partners(among, needs, smallvec![(fact, id)], &mut compositions);
        for composition in compositions {
            self.transform(step, &composition, out);
        }
    }

    /// All ways to add elements to a composition until it mentions every needed variable.
    fn partners(
        &self,
        among: &Among<'_, GraphId>,
        needs: &[Var],
        composition: SmallVec<[(FactId, GraphId); 2]>,
        found: &mut Vec<SmallVec<[(FactId, GraphId); 2]>>,
    ) {
        let missing = needs.iter().find(|var| !composition.iter().any(|(_, id)| self.store.mentions(*id, **var)));
        let Some(missing) = missing else {
            found.push(composition);
            return;
        };
        for (partner, partner_id) in among.tagged(missing.as_u32()) {
            let vars = self.store.vars(*partner_id);
            if composition.iter().all(|(_, id)| disjoint(self.store.vars(*id), vars)) {
                let mut longer = composition.clone();
                longer.push((partner, *partner_id));
                self.partners(among, needs, longer, found);
            }
        }
    }

    fn transform(&mut self, step: StepId, composition: &[(FactId, GraphId)], out: &mut Successors<GraphId>) {
        let Some(&(fact, first)) = composition.first() else { return };
        let mut whole = self.store.get(first).clone();
        for (_, other) in &composition[1..] {
            whole = compose(whole, self.store.get(*other));
        }
        let transformed = self.apply(step, whole);
        for issue in transformed.issues {
            let facts = composition.iter().map(|(fact, _)| *fact).collect();
            self.suspicions.entry((step, issue)).or_default().push(facts);
        }
        for element in transformed.elements {
            out.push_combined(element, composition[1..].iter().map(|(fact, _)| *fact));
        }
        if transformed.passes {
            if first == EMPTY {
                out.push(EMPTY);
            }
            if self.program.steps[step].command.filters() {
                let vars = composition.iter().flat_map(|(_, id)| self.store.vars(*id));
                let mut vars: SmallVec<[Var; 4]> = vars.copied().collect();
                vars.sort_unstable();
                self.witness(step, fact, vars, out);
            }
        }
    }

    /// Applies the command to a composed graph and decomposes what comes out.
    fn apply(&mut self, step: StepId, graph: Graph) -> Transformed {
        let program = self.program;
        let step = &program.steps[step];
        let mut applied = apply(&step.command, graph, program);
        let mut transformed =
            Transformed { passes: !applied.graphs.is_empty(), issues: applied.issues, ..Transformed::default() };
        for graph in applied.graphs.drain(..) {
            self.add_result(step.to, graph, &mut transformed);
        }
        transformed
    }

    /// Unmaps what is dead at `point` and holds no cell, normalises, decomposes, interns.
    fn add_result(&mut self, point: Point, mut graph: Graph, into: &mut Transformed) {
        let live = |var: Var| self.liveness.is_live(point, var);
        let held = |var: Var| self.liveness.is_held(self.program, point, var, self.options.retention);
        graph.retain(|var, value| live(var) || (matches!(value, Value::Cell(_)) && held(var)));
        let folding = Folding::Segments(self.options.exact_length);
        if graph.normalise(folding) == Reachability::Lost && !into.issues.contains(&Issue::Lost) {
            into.issues.push(Issue::Lost);
        }
        decompose(graph, &self.options.grouping, |part| {
            let id = self.store.intern(part);
            if !into.elements.contains(&id) {
                into.elements.push(id);
            }
        });
    }

    /// A composition got through: elements that share no variable with it may pass.
    fn witness(&mut self, step: StepId, fact: FactId, vars: SmallVec<[Var; 4]>, out: &mut Successors<GraphId>) {
        let plan = &mut self.plans[step];
        if plan.witnesses.contains(&vars) {
            return;
        }
        plan.witnesses.push(vars);
        for (waiting, id) in std::mem::take(&mut plan.waiting) {
            self.pass(step, waiting, id, Some(fact), out);
        }
    }

    /// An element that the step does not concern: it loses at most the variable that is overwritten or dies. If it had
    /// to wait, `after` is the element that is being pushed.
    fn pass(&mut self, step: StepId, fact: FactId, id: GraphId, after: Option<FactId>, out: &mut Successors<GraphId>) {
        let program = self.program;
        let (to, command) = (program.steps[step].to, &program.steps[step].command);
        let plan = &mut self.plans[step];
        if command.filters() {
            let vars = self.store.vars(id);
            if !plan.witnesses.iter().any(|witness| disjoint(witness, vars)) {
                plan.waiting.push((fact, id));
                return;
            }
        }
        let others = after.map(|_| fact);
        let writes = plan.writes;
        let gone = |var: &Var| {
            writes == Some(*var)
                || !self.liveness.is_live(to, *var)
                || matches!(command, Command::EndScope { vars } if vars.binary_search(var).is_ok())
        };
        if !self.store.vars(id).iter().any(gone) {
            out.push_combined(id, others);
            return;
        }
        let mut graph = self.store.get(id).clone();
        if let Some(var) = writes {
            graph.unmap(var);
        }
        if let Command::EndScope { vars } = command {
            for var in vars {
                graph.unmap(*var);
            }
        }
        let mut transformed = Transformed::default();
        self.add_result(to, graph, &mut transformed);
        for issue in transformed.issues {
            self.suspicions.entry((step, issue)).or_default().push(smallvec![fact]);
        }
        for id in transformed.elements {
            out.push_combined(id, others);
        }
    }
}

/// The variables whose elements a step composes: those it reads, and one live member of the group of the variable
/// it writes, so that the written variable joins its group's element.
fn needs(from: Point, command: &Command, liveness: &Liveness, grouping: &Grouping) -> SmallVec<[Var; 2]> {
    let mut needs = command.reads();
    let Some(written) = command.writes() else { return needs };
    let Some(group) = grouping.group(written) else { return needs };
    let in_group = |var: &Var| grouping.group(*var) == Some(group);
    if !needs.iter().any(in_group) {
        let member = match grouping {
            Grouping::Whole => liveness.live(from).next(),
            Grouping::Components(groups) => {
                groups[group as usize].iter().copied().find(|var| liveness.is_live(from, *var))
            }
        };
        needs.extend(member);
    }
    needs
}
