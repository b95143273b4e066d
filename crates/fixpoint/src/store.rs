//! Elements, facts and tables.

use crate::analysis::Origin;
use crate::flow::Flow;
use crate::ids::{ElementId, EntryId, FactId, PointId, ProcedureId, StepId, TableId};
use crate::tables::Tables;
use heapwise_ir::entity::packed_option::PackedOption;
use heapwise_ir::entity::{EntityRef, PrimaryMap, SecondaryMap};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::hash::Hash;

/// Everything found so far.
pub(crate) struct Store<E> {
    elements: IndexSet<E, FxBuildHasher>,
    pub facts: PrimaryMap<FactId, Fact>,
    pub tables: PrimaryMap<TableId, Table>,
    pub entries: PrimaryMap<EntryId, Entry>,
    entry_ids: FxHashMap<(ProcedureId, Origin), EntryId>,
    pub tables_of: SecondaryMap<PointId, SmallVec<[TableId; 2]>>,
    by_element: FxHashMap<u64, FactId>,
    by_tag: FxHashMap<u64, SmallVec<[FactId; 4]>>,
    /// The parents of all facts, each fact's in one piece.
    pub parents: Vec<FactId>,
    pub bytes: u64,
}

/// One element in one table.
pub(crate) struct Fact {
    pub table: TableId,
    pub element: ElementId,
    pub status: Status,
    /// Whether it is listed under its tags.
    pub tagged: bool,
    pub derivation: Derivation,
}

/// What a fact is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// In the worklist.
    Waiting,
    /// Pushed through all steps.
    Active,
    /// Joined into, or covered by, a newer fact of its table.
    Superseded,
    /// Covered by another fact: not pushed.
    Covered(FactId),
    /// Not pushed: a slice ended before.
    Open,
    /// Taken back.
    Removed,
}

/// How a fact was first found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Derivation {
    pub kind: DerivationKind,
    pub step: PackedOption<StepId>,
    pub first_parent: u32,
    pub n_parents: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DerivationKind {
    Start,
    Step,
    Enter,
    /// The first parent is the caller, the second the exit.
    Leave,
    /// Back to a call that is always there: the first parent is the exit.
    LeaveAlways,
}

/// What holds at one point for one entry.
pub(crate) struct Table {
    pub point: PointId,
    pub entry: EntryId,
    /// In the order of arrival; may hold facts that are no longer current.
    pub facts: SmallVec<[FactId; 8]>,
}

/// How a procedure was entered, by whom.
pub(crate) struct Entry {
    pub procedure: ProcedureId,
    pub origin: Origin,
    tables: Tables,
    /// The call steps and the facts that entered from there; none for a call that is always there.
    pub callers: Vec<(StepId, Option<FactId>)>,
}

/// How many facts a point has room for at the start: growing the tables costs a short run more than the room.
const FACTS_PER_POINT: usize = 8;

fn pack(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

impl<E> Store<E> {
    pub fn new(flow: &Flow) -> Store<E> {
        let n_facts = FACTS_PER_POINT * flow.n_points();
        Store {
            elements: IndexSet::default(),
            facts: PrimaryMap::with_capacity(n_facts),
            tables: PrimaryMap::with_capacity(flow.n_points()),
            entries: PrimaryMap::new(),
            entry_ids: FxHashMap::default(),
            tables_of: SecondaryMap::with_capacity(flow.n_points()),
            by_element: FxHashMap::with_capacity_and_hasher(n_facts, FxBuildHasher),
            by_tag: FxHashMap::default(),
            parents: Vec::with_capacity(n_facts),
            bytes: 0,
        }
    }

    pub fn element(&self, element: ElementId) -> &E {
        &self.elements[element.index()]
    }

    pub fn element_of(&self, fact: FactId) -> &E {
        self.element(self.facts[fact].element)
    }

    pub fn n_elements(&self) -> usize {
        self.elements.len()
    }

    /// Whether the fact belongs to the result.
    pub fn is_current(&self, fact: FactId) -> bool {
        matches!(self.facts[fact].status, Status::Waiting | Status::Active | Status::Open)
    }

    /// Whether the fact takes part in combinations.
    pub fn is_active(&self, fact: FactId) -> bool {
        self.facts[fact].status == Status::Active
    }

    pub fn parents_of(&self, fact: FactId) -> &[FactId] {
        let derivation = self.facts[fact].derivation;
        &self.parents[derivation.first_parent as usize..][..derivation.n_parents as usize]
    }

    pub fn tagged(&self, table: TableId, tag: u32) -> &[FactId] {
        self.by_tag.get(&pack(table.as_u32(), tag)).map_or(&[], SmallVec::as_slice)
    }

    pub fn add_tag(&mut self, table: TableId, tag: u32, fact: FactId) {
        self.by_tag.entry(pack(table.as_u32(), tag)).or_default().push(fact);
    }

    pub fn find(&self, table: TableId, element: ElementId) -> Option<FactId> {
        self.by_element.get(&pack(table.as_u32(), element.as_u32())).copied()
    }

    pub fn forget(&mut self, fact: FactId) {
        let (table, element) = (self.facts[fact].table, self.facts[fact].element);
        let key = pack(table.as_u32(), element.as_u32());
        if self.by_element.get(&key) == Some(&fact) {
            self.by_element.remove(&key);
        }
    }

    pub fn entry(&mut self, flow: &Flow, procedure: ProcedureId, origin: Origin) -> EntryId {
        let (entries, bytes) = (&mut self.entries, &mut self.bytes);
        *self.entry_ids.entry((procedure, origin)).or_insert_with(|| {
            let n_points = flow.n_points_of(procedure);
            let tables = match origin {
                Origin::Start => Tables::everywhere(n_points),
                Origin::Fresh | Origin::Element(_) | Origin::Named(_) | Origin::Key(_) => Tables::new(n_points),
            };
            // The entry, its slots and its place in the map.
            *bytes += std::mem::size_of::<Entry>() as u64 + tables.bytes() + 24;
            entries.push(Entry { procedure, origin, tables, callers: Vec::new() })
        })
    }

    pub fn find_entry(&self, procedure: ProcedureId, origin: Origin) -> Option<EntryId> {
        self.entry_ids.get(&(procedure, origin)).copied()
    }

    pub fn find_table(&self, flow: &Flow, point: PointId, entry: EntryId) -> Option<TableId> {
        self.entries[entry].tables.get(flow.local(point))
    }

    pub fn table(&mut self, flow: &Flow, point: PointId, entry: EntryId) -> TableId {
        let local = flow.local(point);
        if let Some(table) = self.entries[entry].tables.get(local) {
            return table;
        }
        let table = self.tables.push(Table { point, entry, facts: SmallVec::new() });
        let tables = &mut self.entries[entry].tables;
        let before = tables.bytes();
        tables.insert(local, table, flow.n_points_of(flow.procedure_of(point)));
        // The table, its place at the point, and that in the entry.
        self.bytes += std::mem::size_of::<Table>() as u64 + 4 + tables.bytes().saturating_sub(before);
        self.tables_of[point].push(table);
        table
    }

    /// Lists a caller at an entry.
    pub fn add_caller(&mut self, entry: EntryId, step: StepId, caller: Option<FactId>) {
        self.entries[entry].callers.push((step, caller));
        // Here, and in the set of those that are listed.
        self.bytes += std::mem::size_of::<(StepId, Option<FactId>)>() as u64 + 24;
    }

    /// Callers that a join replaced leave the list.
    pub fn drop_replaced_callers(&mut self, entry: EntryId) {
        let mut callers = std::mem::take(&mut self.entries[entry].callers);
        callers.retain(|(_, caller)| caller.is_none_or(|caller| self.is_current(caller)));
        self.entries[entry].callers = callers;
    }

    pub fn add_fact(&mut self, table: TableId, element: ElementId, status: Status, derivation: Derivation) -> FactId {
        let fact = self.facts.push(Fact { table, element, status, tagged: false, derivation });
        self.tables[table].facts.push(fact);
        self.by_element.insert(pack(table.as_u32(), element.as_u32()), fact);
        // The fact, its place in the table and in the map.
        self.bytes += std::mem::size_of::<Fact>() as u64 + 4 + 16;
        fact
    }
}

impl<E: Eq + Hash> Store<E> {
    /// The id of an element, and whether it is new.
    pub fn intern(&mut self, element: E) -> (ElementId, bool) {
        let (index, new) = self.elements.insert_full(element);
        if new {
            self.bytes += std::mem::size_of::<E>() as u64 + 16;
        }
        (ElementId::new(index), new)
    }

    pub fn find_element(&self, element: &E) -> Option<ElementId> {
        self.elements.get_index_of(element).map(ElementId::new)
    }
}
