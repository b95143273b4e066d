//! Reading what a run has found.

use crate::analysis::{Analysis, Origin};
use crate::flow::Flow;
use crate::ids::{ElementId, EntryId, FactId, KeyId, PointId, ProcedureId, StepId};
use crate::solver::Solver;
use crate::store::DerivationKind;
use heapwise_ir::entity::EntityRef;
use rustc_hash::FxHashSet;

/// One line of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// What happened.
    pub kind: TraceKind,
    /// The fact that it led to.
    pub fact: FactId,
}

/// What happened on one line of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceKind {
    /// The run starts.
    Start,
    /// This step was passed.
    Step(StepId),
    /// A procedure was entered from this call step.
    Enter(StepId),
    /// A procedure was left, back to the end of this call step.
    Leave(StepId),
}

impl<'f, A: Analysis> Solver<'f, A> {
    /// The flow.
    pub fn flow(&self) -> &'f Flow {
        self.flow
    }

    /// How many facts were found, those included that a join replaced.
    pub fn n_facts(&self) -> usize {
        self.store.facts.len()
    }

    /// How many different elements were found.
    pub fn n_elements(&self) -> usize {
        self.store.n_elements()
    }

    /// Bytes in use, by the core's own count.
    pub fn bytes(&self) -> u64 {
        self.store.bytes
    }

    /// An element.
    pub fn element(&self, element: ElementId) -> &A::Element {
        self.store.element(element)
    }

    /// The id of an element, if it was ever found.
    pub fn find_element(&self, element: &A::Element) -> Option<ElementId> {
        self.store.find_element(element)
    }

    /// The element of a fact.
    pub fn element_of(&self, fact: FactId) -> &A::Element {
        self.store.element_of(fact)
    }

    /// The point of a fact.
    pub fn point_of(&self, fact: FactId) -> PointId {
        self.store.tables[self.store.facts[fact].table].point
    }

    /// The entry of a fact.
    pub fn entry_of(&self, fact: FactId) -> EntryId {
        self.store.tables[self.store.facts[fact].table].entry
    }

    /// How the procedure was entered.
    pub fn origin(&self, entry: EntryId) -> Origin {
        self.store.entries[entry].origin
    }

    /// The key of an entry by key.
    pub fn entry_key(&self, key: KeyId) -> &A::Key {
        &self.entry_keys[key.index()]
    }

    /// The entry by a key of a procedure, if there was one.
    pub fn find_keyed_entry(&self, procedure: ProcedureId, key: &A::Key) -> Option<EntryId> {
        let key = KeyId::new(self.entry_keys.get_index_of(key)?);
        self.store.find_entry(procedure, Origin::Key(key))
    }

    /// The call steps, and the facts there, that entered this way; no fact for a call that is always there
    /// ([`Solver::add_call`]).
    pub fn callers(&self, entry: EntryId) -> &[(StepId, Option<FactId>)] {
        &self.store.entries[entry].callers
    }

    /// The entry of a procedure with this origin, if there was one.
    pub fn find_entry(&self, procedure: ProcedureId, origin: Origin) -> Option<EntryId> {
        self.store.find_entry(procedure, origin)
    }

    /// The facts at a point, over all entries, that belong to the result.
    pub fn facts_at(&self, point: PointId) -> impl Iterator<Item = FactId> {
        let tables = self.store.tables_of[point].iter();
        let facts = tables.flat_map(|table| self.store.tables[*table].facts.iter().copied());
        facts.filter(|fact| self.store.is_current(*fact))
    }

    /// The facts at a point for one entry.
    pub fn facts_for(&self, point: PointId, entry: EntryId) -> impl Iterator<Item = FactId> {
        let table = self.store.find_table(self.flow, point, entry);
        let facts = table.map_or(&[][..], |table| &self.store.tables[table].facts);
        facts.iter().copied().filter(|fact| self.store.is_current(*fact))
    }

    /// The different elements at a point, in the order of their arrival.
    pub fn elements_at(&self, point: PointId) -> impl Iterator<Item = &A::Element> {
        let mut seen: FxHashSet<ElementId> = FxHashSet::default();
        let elements = self.facts_at(point).map(|fact| self.store.facts[fact].element);
        elements.filter(move |element| seen.insert(*element)).map(|element| self.store.element(element))
    }

    /// What a fact was made of: all of these together. The first is the one that was pushed; after
    /// [`TraceKind::Leave`] the first is the caller and the second the exit (or the exit alone, after
    /// [`Solver::add_call`]).
    pub fn parents(&self, fact: FactId) -> &[FactId] {
        self.store.parents_of(fact)
    }

    /// How a fact was first found.
    pub fn found_by(&self, fact: FactId) -> TraceKind {
        let derivation = self.store.facts[fact].derivation;
        match (derivation.kind, derivation.step.expand()) {
            (DerivationKind::Start, _) | (_, None) => TraceKind::Start,
            (DerivationKind::Step, Some(step)) => TraceKind::Step(step),
            (DerivationKind::Enter, Some(step)) => TraceKind::Enter(step),
            (DerivationKind::Leave | DerivationKind::LeaveAlways, Some(step)) => TraceKind::Leave(step),
        }
    }

    /// One way from the start to a fact: of a combination it follows the fact that was pushed, of a call it shows the
    /// caller, the way through the procedure, and the return.
    pub fn trace(&self, fact: FactId) -> Vec<TraceStep> {
        self.trace_choosing(fact, |_| 0)
    }

    /// As [`Solver::trace`], but `choose` says which of the parents of a combination to follow.
    pub fn trace_choosing(&self, fact: FactId, mut choose: impl FnMut(&[FactId]) -> usize) -> Vec<TraceStep> {
        let mut line = Vec::new();
        // Callers to go on with when the entry of the procedure at hand is reached.
        let mut callers = Vec::new();
        let mut at = fact;
        loop {
            let kind = self.found_by(at);
            line.push(TraceStep { kind, fact: at });
            let parents = self.parents(at);
            at = match kind {
                TraceKind::Start => match callers.pop() {
                    // Something that did not exist at the entry starts inside of the procedure.
                    Some((_, caller)) => caller,
                    None => break,
                },
                TraceKind::Step(_) if parents.len() > 1 => parents[choose(parents).min(parents.len() - 1)],
                TraceKind::Step(_) => parents[0],
                TraceKind::Enter(own) => match callers.pop() {
                    Some((step, caller)) => {
                        // The first caller is not always the one that the trace came back to.
                        if let Some(last) = line.last_mut() {
                            last.kind = TraceKind::Enter(step);
                        }
                        caller
                    }
                    None => {
                        debug_assert!(matches!(kind, TraceKind::Enter(step) if step == own));
                        parents[0]
                    }
                },
                TraceKind::Leave(step) => {
                    if self.store.facts[at].derivation.kind == DerivationKind::LeaveAlways {
                        parents[0]
                    } else {
                        callers.push((step, parents[0]));
                        parents[1]
                    }
                }
            };
        }
        line.reverse();
        line
    }
}
