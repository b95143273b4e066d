//! One fixpoint over elements: graphs or subgraphs per location, each pushed through each step once (§5.3).
//!
//! A step composes a new element only with what is there already and mentions the other variables that the step
//! needs; an element that the step does not concern passes as it is, as soon as some composition that does get
//! through shares no variable with it (the k+1st subgraph of the paper's assume transformer).

use crate::apply::{Issue, apply};
use crate::atom::Var;
use crate::decompose::{Grouping, compose, decompose};
use crate::list::{Command, ListProgram, Point, Step, StepId};
use crate::live::{Liveness, Retention};
use crate::shape::{Folding, Graph, Reachability, Value};
use crate::store::{EMPTY, GraphId, GraphStore, disjoint};
use heapwise_engine::{Control, Exhausted};
use heapwise_ir::entity::PrimaryMap;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smallvec::{SmallVec, smallvec};
use std::collections::VecDeque;

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

/// The position of an element in the table of its location.
pub type ElementIndex = u32;

/// Where an element came from: a step, and the elements at its start that were composed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parent {
    /// The step, absent for the start of the program.
    pub step: Option<StepId>,
    /// The elements.
    pub elements: SmallVec<[ElementIndex; 2]>,
}

/// The elements of one location.
#[derive(Clone, Default, Debug)]
pub struct Table {
    elements: IndexMap<GraphId, Parent, FxBuildHasher>,
    /// For the variables that some step from here needs: the elements that mention them.
    mentioning: SmallVec<[(Var, Vec<ElementIndex>); 2]>,
}

/// Something that went wrong, with the compositions that show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspicion {
    /// The step that fails.
    pub step: StepId,
    /// What.
    pub issue: Issue,
    /// Compositions at the start of the step that show it.
    pub compositions: Vec<SmallVec<[ElementIndex; 2]>>,
}

/// What a step needs to know, computed once.
struct Plan {
    /// The variables whose elements the step composes.
    needs: SmallVec<[Var; 2]>,
    writes: Option<Var>,
    /// Variable sets of compositions that got through, pairwise different.
    witnesses: Vec<SmallVec<[Var; 4]>>,
    /// Elements that no witness lets pass yet.
    waiting: Vec<ElementIndex>,
}

/// A fixpoint, running or done.
pub struct Run<'a> {
    program: &'a ListProgram,
    liveness: &'a Liveness,
    options: RunOptions,
    store: &'a mut GraphStore,
    tables: PrimaryMap<Point, Table>,
    plans: PrimaryMap<StepId, Plan>,
    worklist: VecDeque<(Point, ElementIndex)>,
    suspicions: IndexMap<(StepId, Issue), Vec<SmallVec<[ElementIndex; 2]>>, FxBuildHasher>,
    n_elements: u64,
}

/// The elements that a step makes of a composition, and what went wrong.
#[derive(Default)]
struct Transformed {
    elements: SmallVec<[GraphId; 4]>,
    issues: SmallVec<[Issue; 1]>,
    /// Whether any graph got through; its elements may all be empty.
    passes: bool,
}

/// The result of a run.
pub struct Fixpoint {
    /// The elements of each location, [`EMPTY`] (the location is reached) included.
    pub tables: PrimaryMap<Point, Table>,
    /// What went wrong.
    pub suspicions: Vec<Suspicion>,
    /// How many elements there are, [`EMPTY`] not counted.
    pub n_elements: u64,
    /// Bytes that tables and graphs hold, roughly.
    pub bytes: u64,
    /// Set if the run did not finish.
    pub exhausted: Option<Exhausted>,
}

impl Table {
    /// The elements in the order of their arrival.
    pub fn elements(&self) -> impl Iterator<Item = GraphId> + '_ {
        self.elements.keys().copied()
    }

    /// Whether anything is there.
    pub fn is_reached(&self) -> bool {
        !self.elements.is_empty()
    }

    /// How many elements but [`EMPTY`] are there.
    pub fn len(&self) -> usize {
        self.elements.len() - usize::from(self.elements.contains_key(&EMPTY))
    }

    /// Whether no element but [`EMPTY`] is there.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether an element is there.
    pub fn contains(&self, id: GraphId) -> bool {
        self.elements.contains_key(&id)
    }

    /// An element and where it came from.
    pub fn element(&self, index: ElementIndex) -> Option<(GraphId, &Parent)> {
        self.elements.get_index(index as usize).map(|(id, parent)| (*id, parent))
    }

    fn mentioning(&self, var: Var) -> &[ElementIndex] {
        self.mentioning.iter().find(|(other, _)| *other == var).map_or(&[], |(_, list)| list)
    }
}

/// Computes the fixpoint of a program.
pub fn run(
    program: &ListProgram,
    liveness: &Liveness,
    store: &mut GraphStore,
    options: RunOptions,
    control: &Control,
) -> Fixpoint {
    let mut run = Run::new(program, liveness, store, options);
    let exhausted = run.iterate(control).err();
    run.finish(exhausted)
}

impl<'a> Run<'a> {
    fn new(
        program: &'a ListProgram,
        liveness: &'a Liveness,
        store: &'a mut GraphStore,
        options: RunOptions,
    ) -> Run<'a> {
        let mut plans = PrimaryMap::new();
        let mut tables: PrimaryMap<Point, Table> = PrimaryMap::new();
        for _ in program.outgoing.keys() {
            tables.push(Table::default());
        }
        for step in program.steps.values() {
            let needs = needs(step.from, &step.command, liveness, &options.grouping);
            for var in &needs {
                let table = &mut tables[step.from];
                if !table.mentioning.iter().any(|(other, _)| other == var) {
                    table.mentioning.push((*var, Vec::new()));
                }
            }
            let writes = step.command.writes();
            plans.push(Plan { needs, writes, witnesses: Vec::new(), waiting: Vec::new() });
        }
        let start = program.entry();
        let mut run = Run {
            program,
            liveness,
            options,
            store,
            tables,
            plans,
            worklist: VecDeque::new(),
            suspicions: IndexMap::default(),
            n_elements: 0,
        };
        run.emit(start, EMPTY, Parent { step: None, elements: SmallVec::new() });
        run
    }

    fn iterate(&mut self, control: &Control) -> Result<(), Exhausted> {
        let mut ticks = 0u32;
        while let Some((point, element)) = self.worklist.pop_front() {
            ticks += 1;
            if ticks.is_multiple_of(256) {
                control.check(self.n_elements, self.bytes())?;
            }
            let program = self.program;
            for step in &program.outgoing[point] {
                self.push_through(*step, element);
            }
        }
        Ok(())
    }

    fn finish(self, exhausted: Option<Exhausted>) -> Fixpoint {
        let bytes = self.bytes();
        let suspicions = self
            .suspicions
            .into_iter()
            .map(|((step, issue), compositions)| Suspicion { step, issue, compositions })
            .collect();
        Fixpoint { tables: self.tables, suspicions, n_elements: self.n_elements, bytes, exhausted }
    }

    fn bytes(&self) -> u64 {
        self.store.bytes() + self.n_elements * 64
    }

    fn emit(&mut self, point: Point, id: GraphId, parent: Parent) {
        let table = &mut self.tables[point];
        let entry = match table.elements.entry(id) {
            indexmap::map::Entry::Occupied(_) => return,
            indexmap::map::Entry::Vacant(entry) => entry,
        };
        let index = entry.index() as ElementIndex;
        entry.insert(parent);
        self.n_elements += u64::from(id != EMPTY);
        for (var, list) in &mut table.mentioning {
            if self.store.mentions(id, *var) {
                list.push(index);
            }
        }
        self.worklist.push_back((point, index));
    }

    /// Pushes a new element through a step, with all compositions that contain it.
    fn push_through(&mut self, step: StepId, element: ElementIndex) {
        let from = self.program.steps[step].from;
        let Some((id, _)) = self.tables[from].element(element) else { return };
        let needs = self.plans[step].needs.clone();
        let concerned = match &self.program.steps[step].command {
            // No composition: every element ends (or leaves scope) by itself.
            Command::End(_) => true,
            _ if needs.is_empty() => id == EMPTY,
            _ => needs.iter().any(|var| self.store.mentions(id, *var)),
        };
        if !concerned {
            self.pass(step, element, id);
            return;
        }
        let mut compositions: Vec<SmallVec<[ElementIndex; 2]>> = Vec::new();
        self.partners(from, &needs, smallvec![element], &mut compositions);
        for composition in compositions {
            self.transform(step, composition);
        }
    }

    /// All ways to add elements to a composition until it mentions every needed variable.
    fn partners(
        &self,
        point: Point,
        needs: &[Var],
        composition: SmallVec<[ElementIndex; 2]>,
        found: &mut Vec<SmallVec<[ElementIndex; 2]>>,
    ) {
        let table = &self.tables[point];
        let id_of = |index: ElementIndex| table.element(index).map_or(EMPTY, |(id, _)| id);
        let missing =
            needs.iter().find(|var| !composition.iter().any(|index| self.store.mentions(id_of(*index), **var)));
        let Some(missing) = missing else {
            found.push(composition);
            return;
        };
        for &partner in table.mentioning(*missing) {
            let vars = self.store.vars(id_of(partner));
            if composition.iter().all(|index| disjoint(self.store.vars(id_of(*index)), vars)) {
                let mut longer = composition.clone();
                longer.push(partner);
                self.partners(point, needs, longer, found);
            }
        }
    }

    fn transform(&mut self, step: StepId, composition: SmallVec<[ElementIndex; 2]>) {
        let from = self.program.steps[step].from;
        let mut ids = composition.iter().filter_map(|index| self.tables[from].element(*index)).map(|(id, _)| id);
        let Some(first) = ids.next() else { return };
        let mut id = first;
        for other in ids {
            let whole = compose(&self.store.get(id), &self.store.get(other));
            id = self.store.intern(&whole);
        }
        let transformed = self.apply(step, id);
        for issue in transformed.issues {
            self.suspicions.entry((step, issue)).or_default().push(composition.clone());
        }
        let to = self.program.steps[step].to;
        for element in transformed.elements {
            self.emit(to, element, Parent { step: Some(step), elements: composition.clone() });
        }
        if transformed.passes {
            if composition.len() == 1 && first == EMPTY {
                self.emit(to, EMPTY, Parent { step: Some(step), elements: composition });
            }
            self.witness(step, id);
        }
    }

    /// Applies the command to a composed graph and decomposes what comes out.
    fn apply(&mut self, step: StepId, id: GraphId) -> Transformed {
        let program = self.program;
        let step = &program.steps[step];
        let applied = apply(&step.command, &self.store.get(id), &program.kinds);
        let mut transformed =
            Transformed { passes: !applied.graphs.is_empty(), issues: applied.issues, ..Transformed::default() };
        for graph in applied.graphs {
            self.settle(step.to, graph, &mut transformed);
        }
        transformed
    }

    /// Unmaps what is dead at `point`, normalises, decomposes, interns.
    fn settle(&mut self, point: Point, mut graph: Graph, into: &mut Transformed) {
        let keeps = self.keeps_holders(point);
        let dead: SmallVec<[Var; 8]> = graph
            .vars()
            .filter(|var| !(self.liveness.is_live(point, *var) || keeps && self.is_holder(&graph, *var)))
            .collect();
        for var in dead {
            graph.unmap(var);
        }
        if graph.normalise(Folding::Segments(self.options.exact_length)) == Reachability::Lost
            && !into.issues.contains(&Issue::Lost)
        {
            into.issues.push(Issue::Lost);
        }
        for part in decompose(graph, &self.options.grouping) {
            let id = self.store.intern(&part);
            if !into.elements.contains(&id) {
                into.elements.push(id);
            }
        }
    }

    fn keeps_holders(&self, point: Point) -> bool {
        self.options.retention == Retention::Holders || self.liveness.is_ending(point)
    }

    fn is_holder(&self, graph: &Graph, var: Var) -> bool {
        self.program.vars[var].storage != crate::list::VariableStorage::Temporary
            && matches!(graph.value(var), Some(Value::Node(_)))
    }

    /// A composition got through: elements that share no variable with it may pass.
    fn witness(&mut self, step: StepId, id: GraphId) {
        if !self.program.steps[step].command.filters() {
            return;
        }
        let vars = SmallVec::from_slice(self.store.vars(id));
        let plan = &mut self.plans[step];
        if plan.witnesses.contains(&vars) {
            return;
        }
        let waiting = std::mem::take(&mut plan.waiting);
        plan.witnesses.push(vars);
        let from = self.program.steps[step].from;
        for element in waiting {
            if let Some((id, _)) = self.tables[from].element(element) {
                self.pass(step, element, id);
            }
        }
    }

    /// An element that the step does not concern: it loses at most the variable that is overwritten or dies.
    fn pass(&mut self, step: StepId, element: ElementIndex, id: GraphId) {
        let program = self.program;
        let Step { from: _, to, command, .. } = &program.steps[step];
        let plan = &mut self.plans[step];
        if command.filters() {
            let vars = self.store.vars(id);
            if !plan.witnesses.iter().any(|witness| disjoint(witness, vars)) {
                plan.waiting.push(element);
                return;
            }
        }
        let parent = Parent { step: Some(step), elements: smallvec![element] };
        let writes = plan.writes;
        let gone = |var: &Var| {
            writes == Some(*var)
                || !self.liveness.is_live(*to, *var)
                || matches!(command, Command::EndScope { vars } if vars.binary_search(var).is_ok())
        };
        if !self.store.vars(id).iter().any(gone) {
            self.emit(*to, id, parent);
            return;
        }
        let mut graph = self.store.get(id);
        if let Some(var) = writes {
            graph.unmap(var);
        }
        if let Command::EndScope { vars } = command {
            for var in vars {
                graph.unmap(*var);
            }
        }
        let mut transformed = Transformed::default();
        self.settle(*to, graph, &mut transformed);
        for issue in transformed.issues {
            self.suspicions.entry((step, issue)).or_default().push(smallvec![element]);
        }
        for id in transformed.elements {
            self.emit(*to, id, parent.clone());
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
