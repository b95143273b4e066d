//! Calls by tabulation (Reps, Horwitz and Sagiv): a procedure is analysed once per entry, and what reaches its exit
//! goes back to everybody who entered that way.

use crate::analysis::{Analysis, Leaving, Origin};
use crate::ids::{ElementId, EntryId, FactId, KeyId, ProcedureId, StepId};
use crate::solver::{Caller, Solver};
use crate::store::{Derivation, DerivationKind};
use heapwise_ir::entity::EntityRef;

impl<A: Analysis> Solver<'_, A> {
    /// The entry that the element shares with others of its key.
    pub(crate) fn keyed_origin(&mut self, procedure: ProcedureId, element: ElementId) -> Origin {
        let Some(key) = self.analysis.entry_key(self.flow.entry(procedure), self.store.element(element)) else {
            return Origin::Element(element);
        };
        let (index, is_new) = self.entry_keys.insert_full(key);
        if is_new {
            self.store.bytes += std::mem::size_of::<A::Key>() as u64 + 16;
        }
        Origin::Key(KeyId::new(index))
    }

    /// `caller` enters the procedure from the call step `step`.
    pub(crate) fn enter(
        &mut self,
        caller: FactId,
        step: StepId,
        procedure: ProcedureId,
        origin: Origin,
        element: ElementId,
    ) {
        let entry = self.store.entry(self.flow, procedure, origin);
        let table = self.store.table(self.flow, self.flow.entry(procedure), entry);
        if let Some(known) = self.known(table, element) {
            self.note(caller, known);
        } else {
            let first_parent = self.store.parents.len() as u32;
            self.store.parents.push(caller);
            let derivation = Derivation { kind: DerivationKind::Enter, step: step.into(), first_parent, n_parents: 1 };
            self.insert_from(&[caller], table, element, derivation);
        }
        let who = match origin {
            Origin::Named(_) | Origin::Fresh | Origin::Start => Caller::Table(self.store.facts[caller].table),
            Origin::Element(_) | Origin::Key(_) => Caller::Fact(caller),
        };
        self.register(entry, step, Some(caller), who);
        // What the procedure makes itself goes to every table that calls it.
        let fresh = self.store.entry(self.flow, procedure, Origin::Fresh);
        if !self.registered.contains(&(fresh, step, Caller::Always)) {
            self.register(fresh, step, Some(caller), Caller::Table(self.store.facts[caller].table));
        }
    }

    /// The step calls the procedure, whatever reaches it: what does not exist at the entry of the procedure
    /// ([`Origin::Fresh`]) is returned there. For analyses that do not start where the program starts but, say, at one
    /// allocation; calls that facts pass are known without it.
    pub fn add_call(&mut self, step: StepId, procedure: ProcedureId) {
        let fresh = self.store.entry(self.flow, procedure, Origin::Fresh);
        self.register(fresh, step, None, Caller::Always);
    }

    /// Lists a caller at an entry; a new one receives what is at the exit already.
    fn register(&mut self, entry: EntryId, step: StepId, caller: Option<FactId>, who: Caller) {
        if !self.registered.insert((entry, step, who)) {
            return;
        }
        self.store.add_caller(entry, step, caller);
        let exit = self.flow.exit(self.store.entries[entry].procedure);
        let Some(table) = self.store.find_table(self.flow, exit, entry) else { return };
        if self.store.entries[entry].origin == Origin::Fresh {
            // What was complete without this call is not any more.
            self.shake();
        }
        for index in 0..self.store.tables[table].facts.len() {
            let fact = self.store.tables[table].facts[index];
            // Returning may replace the caller itself (a call in a loop): what replaced it registers itself.
            let is_replaced = matches!(self.store.entries[entry].origin, Origin::Key(_))
                && caller.is_some_and(|caller| !self.store.is_current(caller));
            if is_replaced {
                return;
            }
            if self.store.is_active(fact) {
                self.leave(entry, step, caller, fact);
            }
        }
    }

    /// A fact at an exit goes back to all callers of its entry.
    pub(crate) fn leave_to_callers(&mut self, exit: FactId) {
        let entry = self.store.tables[self.store.facts[exit].table].entry;
        let is_keyed = matches!(self.store.entries[entry].origin, Origin::Key(_));
        if is_keyed {
            // What replaced a caller has entered again, or is about to.
            self.store.drop_replaced_callers(entry);
        }
        for index in 0..self.store.entries[entry].callers.len() {
            let (step, caller) = self.store.entries[entry].callers[index];
            self.leave(entry, step, caller, exit);
            if is_keyed && !self.store.is_active(exit) {
                // A recursive call led back here and replaced it: what replaced it goes to all callers.
                return;
            }
        }
    }

    fn leave(&mut self, entry: EntryId, step: StepId, caller: Option<FactId>, exit: FactId) {
        let mut out = self.take_buffer();
        self.analysis.leave(&Leaving { store: &self.store, step, caller, exit, entry }, &mut out);
        let to = self.flow.step(step).to;
        let caller_entry = match (self.store.entries[entry].origin, caller) {
            (Origin::Start | Origin::Element(_) | Origin::Named(_) | Origin::Key(_), Some(caller)) => {
                self.store.tables[self.store.facts[caller].table].entry
            }
            // It did not exist at the entry of the caller either.
            (Origin::Fresh, _) | (_, None) => self.store.entry(self.flow, self.flow.procedure_of(to), Origin::Fresh),
        };
        let table = self.store.table(self.flow, to, caller_entry);
        match caller {
            Some(caller) => self.finish_leave(out, table, step, &[caller, exit]),
            None => self.finish_leave(out, table, step, &[exit]),
        }
    }
}
