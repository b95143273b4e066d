//! What an engine tells the core: the [`Analysis`] trait and the views it is handed.

use crate::flow::Flow;
use crate::ids::{ElementId, EntryId, FactId, KeyId, PointId, ProcedureId, StepId, TableId};
use crate::store::{Status, Store};
use std::hash::Hash;

/// An analysis whose states are sets of elements.
///
/// # Laws
/// - [`post`](Analysis::post) depends only on the step, the element, and engine state whose growth is announced with
///   [`Successors::retrigger`]: results are kept per (step, element) and reused.
/// - [`join`](Analysis::join) returns an upper bound of both arguments with the same key, and along any chain of joins the
///   element changes finitely often. A transformer that is monotone in the order of the join then has a least fixpoint,
///   and the core finds it.
/// - Where elements are joined, calls are monotone, too: a larger element enters with larger ones (under the same keys, and
///   perhaps more), and [`leave`](Analysis::leave) gives larger ones for a larger caller or exit. The caller of an entry by key
///   that a join replaced gets nothing more: the one that replaced it enters again.
/// - The number of elements is finite, or joins make it so; otherwise only the budget ends a run.
pub trait Analysis {
    /// What is propagated: cheap to hash and compare (an id of the engine's own table, or a few words).
    type Element: Eq + Hash;
    /// What tells elements of one table apart where they are joined; `()` for plain sets.
    type Key: Eq + Hash;

    /// Pushes one element through a step: everything it becomes goes into `out`. Called once per (step, element) as long
    /// as the step is not re-triggered.
    fn post(&mut self, at: &At<'_, Self::Element>, out: &mut Successors<Self::Element>);

    /// Whether [`combine`](Analysis::combine) is to be called for this step.
    fn combines(&self, _step: StepId) -> bool {
        false
    }

    /// Pushes the combinations of a new element with elements that were at the point before it. Over the whole run
    /// every combination is seen exactly once: when its last member arrives.
    fn combine(&mut self, _among: &Among<'_, Self::Element>, _out: &mut Successors<Self::Element>) {}

    /// What the element can be found by in [`Among::tagged`] at this point (those of the variables it mentions that some
    /// step from here combines by, say). No tag twice.
    fn tags(&self, _point: PointId, _element: &Self::Element, _tags: &mut Vec<u32>) {}

    /// The key at this point: a table holds at most one element per key, others join into it. `None`: it stands alone.
    fn key(&self, _point: PointId, _element: &Self::Element) -> Option<Self::Key> {
        None
    }

    /// The join (or widening) of two elements with the same key; `None` if `old` covers `new` already.
    fn join(&mut self, _point: PointId, _old: &Self::Element, _new: &Self::Element) -> Option<Self::Element> {
        None
    }

    /// The key of the entry for an element that enters by key ([`Successors::enter_keyed`]) at this point. Elements with the same
    /// one share the entry and its results; as usual their join keys decide whether they are joined there. `None`: the
    /// element has an entry of its own.
    fn entry_key(&self, entry: PointId, element: &Self::Element) -> Option<Self::Key> {
        self.key(entry, element)
    }

    /// Whether the elements of the table make a new one superfluous, or it makes some of them so (entailment).
    /// Called for elements without a key that the table does not have.
    fn place(&mut self, _new: &Self::Element, _table: &TableView<'_, Self::Element>) -> Placement {
        Placement::Add
    }

    /// An element has reached the exit of a procedure that was entered from a call step: what it becomes at the end of
    /// that step goes into `out`.
    fn leave(&mut self, _leaving: &Leaving<'_, Self::Element>, _out: &mut Successors<Self::Element>) {}

    /// Bytes that the element occupies outside of itself, for the memory budget.
    fn bytes(&self, _element: &Self::Element) -> usize {
        0
    }

    /// How many elements are pushed between two looks at the budget: fewer where one may take long.
    fn pause(&self) -> u64 {
        32
    }

    /// Called now and then during a run.
    fn progress(&mut self, _progress: &Progress) {}
}

/// What becomes of a new element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placement {
    /// It joins the set.
    Add,
    /// This fact covers it: it is not propagated (unless that fact is taken back).
    CoveredBy(FactId),
    /// It joins the set, and these leave it.
    Supersede(Vec<FactId>),
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Facts found so far.
    pub facts: u64,
    /// Facts that wait to be pushed.
    pub waiting: u64,
    /// Points reached so far.
    pub points: u64,
}

/// An element about to pass a step.
pub struct At<'s, E> {
    pub(crate) flow: &'s Flow,
    pub(crate) store: &'s Store<E>,
    pub(crate) fact: FactId,
    pub(crate) step: StepId,
}

impl<'s, E> At<'s, E> {
    /// The step.
    pub fn step(&self) -> StepId {
        self.step
    }

    /// Where the step leads.
    pub fn to(&self) -> PointId {
        self.flow.step(self.step).to
    }

    /// Where the element is.
    pub fn from(&self) -> PointId {
        self.flow.step(self.step).from
    }

    /// The fact, for traces.
    pub fn fact(&self) -> FactId {
        self.fact
    }

    /// The element.
    pub fn element(&self) -> &'s E {
        self.store.element_of(self.fact)
    }

    /// The element's id.
    pub fn element_id(&self) -> ElementId {
        self.store.facts[self.fact].element
    }

    /// The elements of the same table that are still to be pushed, in the order of their arrival. Some of them may be replaced
    /// by a join before.
    pub fn waiting(&self) -> impl Iterator<Item = (ElementId, &'s E)> + use<'s, E> {
        let store = self.store;
        let facts = store.tables[store.facts[self.fact].table].facts.iter().copied();
        let waiting = facts.filter(move |fact| store.facts[*fact].status == Status::Waiting);
        waiting.map(move |fact| (store.facts[fact].element, store.element_of(fact)))
    }
}

/// A new element about to pass a step, among those that were at its point before it.
pub struct Among<'s, E> {
    pub(crate) at: At<'s, E>,
}

impl<'s, E> Among<'s, E> {
    /// The new element and its step.
    pub fn at(&self) -> &At<'s, E> {
        &self.at
    }

    /// The new element.
    pub fn element(&self) -> &'s E {
        self.at.element()
    }

    /// The step.
    pub fn step(&self) -> StepId {
        self.at.step
    }

    /// The elements with this tag that came before, in the order of their arrival; never the new one itself.
    pub fn tagged(&self, tag: u32) -> impl Iterator<Item = (FactId, &'s E)> + use<'s, E> {
        let store = self.at.store;
        let new = self.at.fact;
        let table = store.facts[new].table;
        let found = store.tagged(table, tag).iter();
        let others = found.copied().filter(move |fact| *fact != new && store.is_active(*fact));
        others.map(move |fact| (fact, store.element_of(fact)))
    }

    /// All elements that came before, in the order of their arrival; never the new one itself.
    pub fn others(&self) -> impl Iterator<Item = (FactId, &'s E)> + use<'s, E> {
        let store = self.at.store;
        let new = self.at.fact;
        let table = store.facts[new].table;
        let found = store.tables[table].facts.iter();
        let others = found.copied().filter(move |fact| *fact != new && store.is_active(*fact));
        others.map(move |fact| (fact, store.element_of(fact)))
    }
}

/// What a table holds.
pub struct TableView<'s, E> {
    pub(crate) store: &'s Store<E>,
    pub(crate) table: TableId,
}

impl<'s, E> TableView<'s, E> {
    /// The point of the table.
    pub fn point(&self) -> PointId {
        self.store.tables[self.table].point
    }

    /// Its elements, in the order of their arrival.
    pub fn elements(&self) -> impl Iterator<Item = (FactId, &'s E)> + use<'s, E> {
        let store = self.store;
        let facts = store.tables[self.table].facts.iter().copied();
        facts.filter(move |fact| store.is_current(*fact)).map(move |fact| (fact, store.element_of(fact)))
    }
}

/// An element at the exit of a procedure, about to return to a call step.
pub struct Leaving<'s, E> {
    pub(crate) store: &'s Store<E>,
    pub(crate) step: StepId,
    pub(crate) caller: Option<FactId>,
    pub(crate) exit: FactId,
    pub(crate) entry: EntryId,
}

impl<'s, E> Leaving<'s, E> {
    /// The call step.
    pub fn step(&self) -> StepId {
        self.step
    }

    /// The caller's own element, before it entered, where the exit belongs to one: not for elements that did not exist at the
    /// entry, nor for entries by name ([`Successors::enter_named`]).
    pub fn caller(&self) -> Option<&'s E> {
        match self.store.entries[self.entry].origin {
            Origin::Element(_) | Origin::Key(_) => self.caller.map(|caller| self.store.element_of(caller)),
            Origin::Start | Origin::Fresh | Origin::Named(_) => None,
        }
    }

    /// The caller's fact, for traces; as [`Leaving::caller`].
    pub fn caller_fact(&self) -> Option<FactId> {
        self.caller().and(self.caller)
    }

    /// How the procedure was entered.
    pub fn origin(&self) -> Origin {
        self.store.entries[self.entry].origin
    }

    /// The element that the procedure was entered with, where there is one only: several may have entered by one key.
    pub fn entered(&self) -> Option<&'s E> {
        match self.origin() {
            Origin::Element(element) => Some(self.store.element(element)),
            Origin::Start | Origin::Fresh | Origin::Named(_) | Origin::Key(_) => None,
        }
    }

    /// The procedure that returns.
    pub fn procedure(&self) -> ProcedureId {
        self.store.entries[self.entry].procedure
    }

    /// The element at the exit.
    pub fn exit(&self) -> &'s E {
        self.store.element_of(self.exit)
    }

    /// The fact at the exit, for traces.
    pub fn exit_fact(&self) -> FactId {
        self.exit
    }
}

/// How a procedure was entered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// The run starts here.
    Start,
    /// What the element describes did not exist at the entry (a cell that was allocated since): at the exit it
    /// reaches every caller.
    Fresh,
    /// With this element: exits go back to the callers that entered with it.
    Element(ElementId),
    /// Under a name the engine chose (a call string): elements that entered together stay together.
    Named(u32),
    /// With elements of this key ([`Analysis::entry_key`], see [`crate::Solver::entry_key`]): exits go back to each caller
    /// that entered so, with the caller's own element.
    Key(KeyId),
}

/// What elements become: filled by an engine, emptied by the core.
pub struct Successors<E> {
    pub(crate) emitted: Vec<Emitted<E>>,
    pub(crate) parents: Vec<FactId>,
    pub(crate) retrigger: Vec<PointId>,
}

pub(crate) struct Emitted<E> {
    pub element: E,
    pub kind: EmittedKind,
    /// How many of the parents collected belong to it, besides the fact that is pushed.
    pub n_parents: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EmittedKind {
    /// At the end of the step, for the same entry.
    Here,
    /// At the end of the step, as something that did not exist at the entry.
    Fresh,
    /// At the exit of the step's procedure, for the same entry.
    AtExit,
    /// At the entry of a procedure.
    Enter(ProcedureId),
    /// At the entry of a procedure, under a name.
    EnterNamed(ProcedureId, u32),
    /// At the entry of a procedure, with others of the same key.
    EnterKeyed(ProcedureId),
}

impl<E> Successors<E> {
    pub(crate) fn new() -> Successors<E> {
        Successors { emitted: Vec::new(), parents: Vec::new(), retrigger: Vec::new() }
    }

    /// The element arrives at the end of the step.
    pub fn push(&mut self, element: E) {
        self.emitted.push(Emitted { element, kind: EmittedKind::Here, n_parents: 0 });
    }

    /// The element arrives at the end of the step, made of the new one and these others.
    pub fn push_combined(&mut self, element: E, others: impl IntoIterator<Item = FactId>) {
        let before = self.parents.len();
        self.parents.extend(others);
        let n_parents = (self.parents.len() - before) as u32;
        self.emitted.push(Emitted { element, kind: EmittedKind::Here, n_parents });
    }

    /// The element arrives at the end of the step and speaks of something that did not exist when the procedure
    /// was entered.
    pub fn push_fresh(&mut self, element: E) {
        self.emitted.push(Emitted { element, kind: EmittedKind::Fresh, n_parents: 0 });
    }

    /// The element arrives at the exit of the procedure, whether some path leads there or not: what callers must know of a procedure
    /// that may not return.
    pub fn push_at_exit(&mut self, element: E) {
        self.emitted.push(Emitted { element, kind: EmittedKind::AtExit, n_parents: 0 });
    }

    /// The step calls a procedure, which starts with this element. What it returns is handed to [`Analysis::leave`].
    pub fn enter(&mut self, procedure: ProcedureId, element: E) {
        self.emitted.push(Emitted { element, kind: EmittedKind::Enter(procedure), n_parents: 0 });
    }

    /// The step calls a procedure: the element joins those that entered under this name. Exits are handed to
    /// [`Analysis::leave`] once per call step and entry of the caller.
    pub fn enter_named(&mut self, procedure: ProcedureId, name: u32, element: E) {
        self.emitted.push(Emitted { element, kind: EmittedKind::EnterNamed(procedure, name), n_parents: 0 });
    }

    /// The step calls a procedure: the element joins those that entered with the same key ([`Analysis::entry_key`]). Exits
    /// are handed to [`Analysis::leave`] with every element that entered so (Hackett and Rugina, Fig. 14).
    pub fn enter_keyed(&mut self, procedure: ProcedureId, element: E) {
        self.emitted.push(Emitted { element, kind: EmittedKind::EnterKeyed(procedure), n_parents: 0 });
    }

    /// Engine state that steps from this point depend on has grown: everything there is pushed again.
    pub fn retrigger(&mut self, point: PointId) {
        self.retrigger.push(point);
    }
}
