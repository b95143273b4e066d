//! Taking facts back, with everything that was derived from them.

use crate::analysis::{Analysis, Origin};
use crate::ids::{FactId, TableId};
use crate::solver::{Caller, Solver};
use crate::store::{DerivationKind, Status};
use heapwise_ir::entity::EntitySet;
use rustc_hash::FxHashSet;

impl<A: Analysis> Solver<'_, A> {
    /// Takes back these facts and all that was derived from them. What remains and leads to a place where something was
    /// taken back is pushed again, so the next [`Solver::run`] finds everything that has another derivation.
    ///
    /// Use it after a refinement: change the engine's precision, take back the subtree where it changed, start again
    /// what was taken back, run.
    pub fn invalidate(&mut self, facts: &[FactId]) {
        self.shake();
        let removed = self.descendants(facts);
        let mut tables: Vec<TableId> = Vec::new();
        let mut seen: FxHashSet<TableId> = FxHashSet::default();
        for fact in &removed {
            self.take_back(*fact);
            let table = self.store.facts[*fact].table;
            if seen.insert(table) {
                tables.push(table);
            }
        }
        for table in &tables {
            let store = &mut self.store;
            let facts = &mut store.tables[*table].facts;
            facts.retain(|fact| store.facts[*fact].status != Status::Removed);
        }
        self.uncover();
        // Tables from which something was taken back, or that lead to one. All that is left of them is pushed again: calls
        // there then ask again for what is at the exits.
        let mut again: Vec<TableId> = tables.clone();
        again.extend(self.sources(&tables));
        // Calls that are always there do not ask: the exits tell them.
        let by_itself = |fact: &&FactId| self.store.facts[**fact].derivation.kind == DerivationKind::LeaveAlways;
        let exits = removed.iter().filter(by_itself).map(|fact| self.store.parents_of(*fact)[0]);
        again.extend(exits.map(|exit| self.store.facts[exit].table));
        again.sort();
        again.dedup();
        let is_again = |table: TableId| again.binary_search(&table).is_ok();
        let facts = &self.store.facts;
        self.registered.retain(|(_, _, caller)| match caller {
            Caller::Fact(fact) => !is_again(facts[*fact].table),
            Caller::Table(table) => !is_again(*table),
            Caller::Always => true,
        });
        for entry in self.store.entries.values_mut() {
            entry.callers.retain(|(_, caller)| caller.is_none_or(|caller| !is_again(facts[caller].table)));
        }
        for table in again {
            self.push_table_again(table);
        }
    }

    /// Facts are numbered after what they were derived from, so one pass finds them all.
    fn descendants(&self, facts: &[FactId]) -> Vec<FactId> {
        let mut doomed: EntitySet<FactId> = EntitySet::with_capacity(self.store.facts.len());
        for fact in facts {
            doomed.insert(*fact);
        }
        let mut removed = Vec::new();
        for fact in self.store.facts.keys() {
            if self.store.facts[fact].status == Status::Removed {
                continue;
            }
            if doomed.contains(fact) || self.store.parents_of(fact).iter().any(|parent| doomed.contains(*parent)) {
                doomed.insert(fact);
                removed.push(fact);
            }
        }
        removed
    }

    fn take_back(&mut self, fact: FactId) {
        self.store.facts[fact].status = Status::Removed;
        self.store.forget(fact);
        let element = self.store.facts[fact].element;
        let point = self.store.tables[self.store.facts[fact].table].point;
        for step in self.flow.outgoing(point) {
            self.forget_memo(*step, element);
        }
    }

    /// What was covered by a fact that is gone has to stand for itself.
    fn uncover(&mut self) {
        for fact in self.store.facts.keys() {
            if let Status::Covered(by) = self.store.facts[fact].status
                && !self.store.is_current(by)
            {
                self.push_again(fact);
            }
        }
    }

    /// The tables from which one step, call or return leads into these.
    fn sources(&self, tables: &[TableId]) -> Vec<TableId> {
        let mut sources = Vec::new();
        for table in tables {
            let (point, entry) = (self.store.tables[*table].point, self.store.tables[*table].entry);
            let fresh = self.store.entries[entry].origin == Origin::Fresh;
            for step in self.flow.incoming(point) {
                let from = self.flow.step(*step).from;
                // What is fresh comes from facts of any entry.
                let found = self.store.tables_of[from].iter().copied();
                sources.extend(found.filter(|source| fresh || self.store.tables[*source].entry == entry));
            }
            if point == self.flow.entry(self.flow.procedure_of(point)) {
                let callers = self.store.entries[entry].callers.iter();
                sources.extend(callers.filter_map(|(_, caller)| Some(self.store.facts[(*caller)?].table)));
            }
        }
        sources
    }

    fn push_table_again(&mut self, table: TableId) {
        let point = self.store.tables[table].point;
        for index in 0..self.store.tables[table].facts.len() {
            let fact = self.store.tables[table].facts[index];
            if self.store.is_current(fact) {
                // The precision at the end of a step may be what changed.
                for step in self.flow.outgoing(point) {
                    self.forget_memo(*step, self.store.facts[fact].element);
                }
                self.push_again(fact);
            }
        }
    }
}
