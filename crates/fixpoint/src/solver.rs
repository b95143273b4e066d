//! The run: facts are taken from the worklist and pushed through every step that leaves their point.

use crate::analysis::{Among, Analysis, At, EmittedKind, Origin, Placement, Progress, Successors, TableView};
use crate::flow::Flow;
use crate::ids::{ElementId, EntryId, FactId, PointId, ProcedureId, StepId, TableId};
use crate::open::Slices;
use crate::store::{Derivation, DerivationKind, Status, Store};
use crate::worklist::Worklist;
use heapwise_engine::{Control, Exhausted};
use heapwise_ir::entity::EntityRef;
use heapwise_ir::entity::packed_option::PackedOption;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// Runs an [`Analysis`] over a [`Flow`].
pub struct Solver<'f, A: Analysis> {
    /// The analysis.
    pub analysis: A,
    pub(crate) flow: &'f Flow,
    pub(crate) store: Store<A::Element>,
    pub(crate) worklist: Worklist,
    by_key: FxHashMap<(TableId, A::Key), FactId>,
    /// The keys of entries by key.
    pub(crate) entry_keys: IndexSet<A::Key, FxBuildHasher>,
    /// Results of `post`, where one element may pass one step for several entries.
    memo: Option<FxHashMap<(StepId, ElementId), (u32, u32)>>,
    memo_pool: Vec<(ElementId, EmittedKind)>,
    /// Callers that are listed at an entry; those of fresh and named entries once per step and table.
    pub(crate) registered: FxHashSet<(EntryId, StepId, Caller)>,
    out: Successors<A::Element>,
    interned: Vec<Interned>,
    /// The other parents of what is being applied.
    combined: Vec<FactId>,
    tags: Vec<u32>,
    n_pushed: u64,
    /// Where runs are made in slices.
    pub(crate) slices: Option<Box<Slices>>,
}

/// What ended a run before its end.
pub(crate) enum Stop {
    /// The whole budget.
    Run(Exhausted),
    /// The part of it for this slice.
    Slice(Exhausted),
}

/// What is registered as a caller.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Caller {
    Fact(FactId),
    Table(TableId),
    /// A call that is there whatever facts reach it.
    Always,
}

#[derive(Clone, Copy)]
struct Interned {
    element: ElementId,
    kind: EmittedKind,
    first_parent: u32,
    n_parents: u32,
}

impl<'f, A: Analysis> Solver<'f, A> {
    /// A solver with nothing to do yet.
    pub fn new(flow: &'f Flow, analysis: A) -> Solver<'f, A> {
        Solver {
            analysis,
            flow,
            store: Store::new(flow),
            worklist: Worklist::new(flow.n_points()),
            by_key: FxHashMap::default(),
            entry_keys: IndexSet::default(),
            // With one procedure an element passes a step once, so there is nothing to remember.
            memo: (flow.n_procedures() > 1).then(FxHashMap::default),
            memo_pool: Vec::new(),
            registered: FxHashSet::default(),
            out: Successors::new(),
            interned: Vec::new(),
            combined: Vec::new(),
            tags: Vec::new(),
            n_pushed: 0,
            slices: None,
        }
    }

    /// The element holds at the entry of the procedure when the run starts. Elements that start together may be
    /// combined.
    pub fn start(&mut self, procedure: ProcedureId, element: A::Element) -> FactId {
        let point = self.flow.entry(procedure);
        self.seed(point, Origin::Start, element)
    }

    /// The element holds at a point, for an entry of its procedure: [`Origin::Fresh`] for something that the point makes
    /// (an allocation that is analysed alone).
    pub fn seed(&mut self, point: PointId, origin: Origin, element: A::Element) -> FactId {
        let entry = self.store.entry(self.flow, self.flow.procedure_of(point), origin);
        let table = self.store.table(self.flow, point, entry);
        let element = self.intern(element);
        let fact = self.known(table, element).unwrap_or_else(|| {
            let derivation = Derivation {
                kind: DerivationKind::Start,
                step: PackedOption::default(),
                first_parent: 0,
                n_parents: 0,
            };
            self.insert(table, element, derivation)
        });
        self.note_seed(fact);
        fact
    }

    /// Runs until nothing is left to push, or the budget is used up. A run that was stopped goes on when called again, and so
    /// does what slices left open ([`Solver::run_slice`]).
    pub fn run(&mut self, control: &Control) -> Result<(), Exhausted> {
        self.reopen();
        match self.drive(control, None) {
            Ok(()) => {
                self.close_slice(Vec::new());
                Ok(())
            }
            Err(Stop::Run(exhausted) | Stop::Slice(exhausted)) => Err(exhausted),
        }
    }

    /// Takes facts from the worklist until it is empty, or the budget or the slice of it is used up.
    pub(crate) fn drive(&mut self, control: &Control, slice: Option<&Control>) -> Result<(), Stop> {
        let (facts_before, bytes_before) = (self.store.facts.len() as u64, self.store.bytes);
        let of_slice = slice.and_then(|slice| slice.budget().elements);
        let most_of_run = control.budget().elements.unwrap_or(u64::MAX);
        let most_facts = of_slice.map_or(most_of_run, |most| facts_before.saturating_add(most).min(most_of_run));
        while self.worklist.len() > 0 {
            let n_facts = self.store.facts.len() as u64;
            if n_facts > most_facts {
                let stop = if n_facts > most_of_run { Stop::Run } else { Stop::Slice };
                return Err(stop(Exhausted::Elements));
            }
            if self.n_pushed.is_multiple_of(self.analysis.pause()) {
                control.check(n_facts, self.store.bytes).map_err(Stop::Run)?;
                if let Some(slice) = slice {
                    let bytes = self.store.bytes.saturating_sub(bytes_before);
                    slice.check(n_facts - facts_before, bytes).map_err(Stop::Slice)?;
                }
                let progress = self.progress();
                self.analysis.progress(&progress);
            }
            self.n_pushed += 1;
            if let Some(fact) = self.worklist.pop()
                && self.store.facts[fact].status == Status::Waiting
            {
                self.push(fact);
            }
        }
        Ok(())
    }

    /// How far the run is.
    pub fn progress(&self) -> Progress {
        Progress {
            facts: self.store.facts.len() as u64,
            waiting: self.worklist.len() as u64,
            points: self.store.tables.len() as u64,
        }
    }

    /// Pushes a fact through all steps from its point.
    fn push(&mut self, fact: FactId) {
        self.store.facts[fact].status = Status::Active;
        let table = self.store.facts[fact].table;
        let point = self.store.tables[table].point;
        for step in self.flow.outgoing(point) {
            self.push_through(fact, *step);
            if self.store.facts[fact].status != Status::Active {
                // A self-loop made it superfluous: what replaced it is pushed through the other steps.
                return;
            }
        }
        if self.flow.is_exit(point) {
            self.leave_to_callers(fact);
        }
        if !self.store.facts[fact].tagged {
            self.store.facts[fact].tagged = true;
            let mut tags = std::mem::take(&mut self.tags);
            tags.clear();
            self.analysis.tags(point, self.store.element_of(fact), &mut tags);
            for tag in &tags {
                self.store.add_tag(table, *tag, fact);
            }
            self.tags = tags;
        }
    }

    fn push_through(&mut self, fact: FactId, step: StepId) {
        let element = self.store.facts[fact].element;
        let known = self.memo.as_ref().and_then(|memo| memo.get(&(step, element)).copied());
        match known {
            Some((start, len)) => {
                for index in start..start + len {
                    let (element, kind) = self.memo_pool[index as usize];
                    let interned = Interned { element, kind, first_parent: 0, n_parents: 0 };
                    self.apply(fact, step, interned);
                }
            }
            None => {
                let mut out = std::mem::replace(&mut self.out, Successors::new());
                self.analysis.post(&At { flow: self.flow, store: &self.store, fact, step }, &mut out);
                self.take(&mut out);
                if let Some(memo) = &mut self.memo {
                    let start = self.memo_pool.len() as u32;
                    self.memo_pool.extend(self.interned.iter().map(|interned| (interned.element, interned.kind)));
                    memo.insert((step, element), (start, self.interned.len() as u32));
                }
                self.finish(fact, step, out);
            }
        }
        if self.analysis.combines(step) {
            let mut out = std::mem::replace(&mut self.out, Successors::new());
            let at = At { flow: self.flow, store: &self.store, fact, step };
            self.analysis.combine(&Among { at }, &mut out);
            self.take(&mut out);
            if !self.interned.is_empty() {
                self.shake();
            }
            self.finish(fact, step, out);
        }
    }

    /// Interns what was emitted.
    pub(crate) fn take(&mut self, out: &mut Successors<A::Element>) {
        self.interned.clear();
        let mut first_parent = 0;
        for emitted in out.emitted.drain(..) {
            let bytes = self.analysis.bytes(&emitted.element) as u64;
            let (element, new) = self.store.intern(emitted.element);
            if new {
                self.store.bytes += bytes;
            }
            let n_parents = emitted.n_parents;
            self.interned.push(Interned { element, kind: emitted.kind, first_parent, n_parents });
            first_parent += n_parents;
        }
    }

    fn intern(&mut self, element: A::Element) -> ElementId {
        let bytes = self.analysis.bytes(&element) as u64;
        let (element, new) = self.store.intern(element);
        if new {
            self.store.bytes += bytes;
        }
        element
    }

    /// Applies what was interned, and gives the buffers back.
    fn finish(&mut self, fact: FactId, step: StepId, mut out: Successors<A::Element>) {
        if self.interned.is_empty() && out.retrigger.is_empty() {
            self.out = out;
            return;
        }
        let interned = std::mem::take(&mut self.interned);
        std::mem::swap(&mut self.combined, &mut out.parents);
        let retrigger = std::mem::take(&mut out.retrigger);
        out.parents.clear();
        self.out = out;
        for interned in &interned {
            self.apply(fact, step, *interned);
        }
        self.interned = interned;
        for point in retrigger {
            self.retrigger(point);
        }
    }

    fn apply(&mut self, fact: FactId, step: StepId, interned: Interned) {
        let Interned { element, kind, first_parent, n_parents } = interned;
        let from = self.store.facts[fact].table;
        let to = self.flow.step(step).to;
        match kind {
            EmittedKind::Here | EmittedKind::Fresh | EmittedKind::AtExit => {
                let to = match kind {
                    EmittedKind::AtExit => self.flow.exit(self.flow.procedure_of(to)),
                    _ => to,
                };
                let entry = match kind {
                    EmittedKind::Fresh => self.store.entry(self.flow, self.flow.procedure_of(to), Origin::Fresh),
                    _ => self.store.tables[from].entry,
                };
                let table = self.store.table(self.flow, to, entry);
                if let Some(known) = self.known(table, element) {
                    self.note(fact, known);
                    return;
                }
                let start = self.store.parents.len() as u32;
                self.store.parents.push(fact);
                let others = first_parent as usize..(first_parent + n_parents) as usize;
                self.store.parents.extend_from_slice(&self.combined[others]);
                let derivation = Derivation {
                    kind: DerivationKind::Step,
                    step: step.into(),
                    first_parent: start,
                    n_parents: n_parents + 1,
                };
                self.insert_from(&[fact], table, element, derivation);
            }
            EmittedKind::Enter(procedure) => self.enter(fact, step, procedure, Origin::Element(element), element),
            EmittedKind::EnterNamed(procedure, name) => {
                self.enter(fact, step, procedure, Origin::Named(name), element);
            }
            EmittedKind::EnterKeyed(procedure) => {
                let origin = self.keyed_origin(procedure, element);
                self.enter(fact, step, procedure, origin, element);
            }
        }
    }

    /// The fact that stands for the element already, so that nothing happens if it is inserted: the cheap test on the hot
    /// path.
    pub(crate) fn known(&self, table: TableId, element: ElementId) -> Option<FactId> {
        self.store.find(table, element).filter(|known| match self.store.facts[*known].status {
            Status::Waiting | Status::Active | Status::Covered(_) | Status::Open => true,
            Status::Superseded | Status::Removed => false,
        })
    }

    /// As [`Solver::insert`], and notes whom a fact that covers the element follows from.
    pub(crate) fn insert_from(&mut self, from: &[FactId], table: TableId, element: ElementId, derivation: Derivation) {
        let n_facts = self.store.facts.len();
        let fact = self.insert(table, element, derivation);
        if self.slices.is_some() && fact.index() < n_facts {
            for from in from {
                self.note(*from, fact);
            }
        }
    }

    /// Puts an element that is not known there into a table: alone, joined with the one of its key, or covered. Returns
    /// the fact that stands for it now.
    pub(crate) fn insert(&mut self, table: TableId, element: ElementId, derivation: Derivation) -> FactId {
        let point = self.store.tables[table].point;
        match self.analysis.key(point, self.store.element(element)) {
            Some(key) => self.insert_keyed(table, element, key, derivation),
            None => {
                let view = TableView { store: &self.store, table };
                match self.analysis.place(self.store.element(element), &view) {
                    Placement::Add => self.add(table, element, derivation),
                    Placement::CoveredBy(by) => {
                        let fact = self.store.add_fact(table, element, Status::Covered(by), derivation);
                        self.note(fact, by);
                        fact
                    }
                    Placement::Supersede(facts) => {
                        for fact in &facts {
                            self.store.facts[*fact].status = Status::Superseded;
                        }
                        let new = self.add(table, element, derivation);
                        for fact in facts {
                            self.note(fact, new);
                        }
                        new
                    }
                }
            }
        }
    }

    fn insert_keyed(&mut self, table: TableId, element: ElementId, key: A::Key, derivation: Derivation) -> FactId {
        let slot = (table, key);
        let Some(old) = self.by_key.get(&slot).copied().filter(|old| self.store.is_current(*old)) else {
            let fact = self.add(table, element, derivation);
            if self.by_key.insert(slot, fact).is_none() {
                self.store.bytes += std::mem::size_of::<((TableId, A::Key), FactId)>() as u64;
            }
            return fact;
        };
        let point = self.store.tables[table].point;
        let joined = self.analysis.join(point, self.store.element_of(old), self.store.element(element));
        let Some(joined) = joined else { return old };
        let joined = self.intern(joined);
        if joined == self.store.facts[old].element {
            return old;
        }
        self.store.facts[old].status = Status::Superseded;
        // Made of what arrived (the line that a trace follows) and of what was there.
        let arrived = self.store.parents.len();
        let range = derivation.first_parent as usize..(derivation.first_parent + derivation.n_parents) as usize;
        self.store.parents.extend_from_within(range);
        self.store.parents.push(old);
        let derivation = Derivation { first_parent: arrived as u32, n_parents: derivation.n_parents + 1, ..derivation };
        // It goes first: what was made of the element that it replaces is out of date, and so is what is made of that.
        let fact = self.store.add_fact(table, joined, Status::Waiting, derivation);
        self.worklist.push_first(self.flow.rank(point), fact);
        self.by_key.insert(slot, fact);
        fact
    }

    fn add(&mut self, table: TableId, element: ElementId, derivation: Derivation) -> FactId {
        let fact = self.store.add_fact(table, element, Status::Waiting, derivation);
        self.worklist.push(self.flow.rank(self.store.tables[table].point), fact);
        fact
    }

    /// Engine state that steps from `point` depend on has changed: forgets what they gave, pushes everything there again.
    pub fn retrigger(&mut self, point: PointId) {
        self.shake();
        let tables = self.store.tables_of[point].clone();
        for table in tables {
            for index in 0..self.store.tables[table].facts.len() {
                let fact = self.store.tables[table].facts[index];
                if !self.store.is_current(fact) {
                    continue;
                }
                if let Some(memo) = &mut self.memo {
                    let element = self.store.facts[fact].element;
                    for step in self.flow.outgoing(point) {
                        memo.remove(&(*step, element));
                    }
                }
                self.push_again(fact);
            }
        }
    }

    pub(crate) fn push_again(&mut self, fact: FactId) {
        if self.store.facts[fact].status != Status::Waiting {
            self.wait(fact);
        }
    }

    /// Puts a fact into the worklist that is not there.
    pub(crate) fn wait(&mut self, fact: FactId) {
        self.store.facts[fact].status = Status::Waiting;
        let point = self.store.tables[self.store.facts[fact].table].point;
        self.worklist.push(self.flow.rank(point), fact);
    }

    /// Forgets the results of steps from `point` for elements that are not there any more.
    pub(crate) fn forget_memo(&mut self, step: StepId, element: ElementId) {
        if let Some(memo) = &mut self.memo {
            memo.remove(&(step, element));
        }
    }

    pub(crate) fn take_buffer(&mut self) -> Successors<A::Element> {
        std::mem::replace(&mut self.out, Successors::new())
    }

    /// Inserts what `leave` gave: always at the end of the call step, for the caller's entry.
    pub(crate) fn finish_leave(
        &mut self,
        mut out: Successors<A::Element>,
        to: TableId,
        step: StepId,
        parents: &[FactId],
    ) {
        self.take(&mut out);
        let owners = match parents {
            [caller, exit] => match self.not_an_owner(self.slices.as_deref(), *caller, *exit) {
                Some(0) => std::slice::from_ref(exit),
                Some(_) => std::slice::from_ref(caller),
                None => parents,
            },
            _ => parents,
        };
        let interned = std::mem::take(&mut self.interned);
        for found in &interned {
            let table = match found.kind {
                EmittedKind::Fresh => {
                    let point = self.store.tables[to].point;
                    let entry = self.store.entry(self.flow, self.flow.procedure_of(point), Origin::Fresh);
                    self.store.table(self.flow, point, entry)
                }
                EmittedKind::Here => to,
                EmittedKind::AtExit => {
                    let procedure = self.flow.procedure_of(self.store.tables[to].point);
                    self.store.table(self.flow, self.flow.exit(procedure), self.store.tables[to].entry)
                }
                // A procedure that is left into another call: the call belongs to a step of its own.
                EmittedKind::Enter(_) | EmittedKind::EnterNamed(..) | EmittedKind::EnterKeyed(_) => {
                    debug_assert!(false, "`leave` must not enter a procedure");
                    continue;
                }
            };
            if let Some(known) = self.known(table, found.element) {
                if self.slices.is_some() {
                    owners.iter().for_each(|owner| self.note(*owner, known));
                }
                continue;
            }
            let first_parent = self.store.parents.len() as u32;
            self.store.parents.extend_from_slice(parents);
            let kind = if parents.len() == 2 { DerivationKind::Leave } else { DerivationKind::LeaveAlways };
            let n_parents = parents.len() as u32;
            let derivation = Derivation { kind, step: step.into(), first_parent, n_parents };
            self.insert_from(owners, table, found.element, derivation);
        }
        self.interned = interned;
        let retrigger = std::mem::take(&mut out.retrigger);
        out.parents.clear();
        self.out = out;
        for point in retrigger {
            self.retrigger(point);
        }
    }
}
