//! What the analysis found: regions, their cells, and what registers point to.

use crate::constants::Constants;
use crate::layout::Layout;
use crate::object::{Collapse, Object, Site};
use crate::offsets::Offsets;
use heapwise_ir::entity::{PrimaryMap, SecondaryMap, entity_impl};
use heapwise_ir::{FunctionId, RegisterId};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

/// A region of the result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(u32);
entity_impl!(RegionId, "R");

/// A graph: of the whole program, or of functions that call each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct GraphId(u32);
entity_impl!(GraphId, "graph");

/// A set of memory that is disjoint from all other regions of its graph.
#[derive(Clone, Debug)]
pub struct Region {
    /// The graph that it belongs to; `None` if it is reached from a global: then it belongs to all.
    pub graph: Option<GraphId>,
    /// Which offsets are one cell.
    pub layout: Layout,
    /// The cells that are accessed, by offset.
    pub cells: Vec<Cell>,
    /// The objects in it, with the offset at which each begins.
    pub objects: Vec<(Object, i64)>,
    /// Code that nothing is known of may read and write it.
    pub escaped: bool,
    /// Where cells became one that were not elements of an array.
    pub collapses: Vec<Collapse>,
}

impl Region {
    /// Whether all offsets are one cell, and it holds a pointer.
    pub fn is_collapsed(&self) -> bool {
        self.layout.stride == 1 && self.holds_pointers()
    }

    /// Whether a cell of it holds a pointer.
    pub fn holds_pointers(&self) -> bool {
        self.cells.iter().any(|cell| cell.value.region.is_some())
    }

    /// The cell at an offset, if it was ever accessed.
    pub fn cell_at(&self, offset: i64) -> Option<&Cell> {
        let spot = self.layout.spot(offset).offset;
        let index = self.cells.partition_point(|cell| cell.offset <= spot).checked_sub(1)?;
        let cell = &self.cells[index];
        let is_inside = spot < cell.offset + cell.size as i64
            || self.layout.lump(spot).is_some_and(|lump| lump.start == cell.offset);
        is_inside.then_some(cell)
    }
}

/// Bytes of a region that hold one value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Where it begins.
    pub offset: i64,
    /// How many bytes; one in a region that is one cell.
    pub size: u64,
    /// What it holds.
    pub value: Value,
    /// Whether the program keeps flags in the low bits of pointers that it holds: it sets, clears or looks at them.
    pub has_flag_bits: bool,
}

/// What a register or cell may hold, as far as it points.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Value {
    /// The region that it may point into; `None`: it points to no object of the program.
    pub region: Option<RegionId>,
    /// Where in the region.
    pub offsets: Offsets,
    /// It may also come from where nothing is known of it: an input, code without a body. Nothing is claimed of such a
    /// value; it may point to what has escaped.
    pub unknown: bool,
}

/// The place of a value in the list of them. One more than the index is kept, so that a key that may be missing takes no more
/// room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ValueKey(NonZeroU32);

impl ValueKey {
    /// The last one of a list that is not empty.
    pub(crate) fn last_of(values: &[Value]) -> ValueKey {
        ValueKey(NonZeroU32::MIN.saturating_add(values.len() as u32 - 1))
    }

    fn at(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Whom a call may reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Targets {
    /// The functions in the region that the pointer points to, in ascending order. Calls through pointers into one region
    /// share the list: there may be as many calls as functions.
    pub functions: Arc<[FunctionId]>,
    /// Whether the pointer may come from where nothing is known of it.
    pub others: Others,
}

/// Whether a call through a pointer may reach more than the functions that are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    /// The list is complete.
    None,
    /// The pointer comes from where nothing is known of it: any function whose address is taken, or one without a body.
    AnyAddressTaken,
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Frees.
    Free,
    /// A call of a function without body and model: may read and write all that has escaped.
    Anything,
}

/// An access of memory by an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access<A> {
    /// The instruction.
    pub site: Site,
    /// What it does.
    pub kind: AccessKind,
    /// Where: `None` for an address that is a number.
    pub address: Option<A>,
    /// How many bytes; `None` if that is not known.
    pub size: Option<u64>,
}

/// How a callee's regions lie in the graph of its caller: the one-to-one map μ of the region analysis (Hackett and Rugina, section 4).
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CallMap {
    /// For each region of the callee that the caller can name, the caller's region and the offset there of the callee's origin.
    pub regions: BTreeMap<RegionId, (RegionId, i64)>,
}

/// How calls are treated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// One graph for the whole program: arguments flow to parameters.
    ContextInsensitive,
    /// A graph for each set of functions that call each other, mapped into those of its callers.
    ContextSensitive,
}

/// The points-to graph of a program.
#[derive(Clone, Debug)]
pub struct PointsTo {
    /// How calls were treated.
    pub mode: Mode,
    /// The regions, in the order in which the program makes their objects.
    pub regions: PrimaryMap<RegionId, Region>,
    /// The calls through pointers, by site.
    pub indirect_calls: BTreeMap<Site, Targets>,
    /// The maps of calls between graphs, by site and callee, or the one that stands for it ([`PointsTo::map`]).
    pub maps: BTreeMap<(Site, FunctionId), CallMap>,
    /// The first of the functions that a function is called together with: calls through pointers that reach many do not
    /// tell them apart.
    pub stands_for: SecondaryMap<FunctionId, Option<FunctionId>>,
    /// Which graph each function is in.
    pub graph_of: SecondaryMap<FunctionId, GraphId>,
    /// Functions that code from outside may call: their address escaped.
    pub called_from_outside: Vec<FunctionId>,
    /// Where each region lies in those of callers and callees, as `maps` has it.
    pub(crate) in_callers: SecondaryMap<RegionId, Vec<(RegionId, i64)>>,
    pub(crate) in_callees: SecondaryMap<RegionId, Vec<(RegionId, i64)>>,
    /// `None`: nothing is known of the register, and it points to nothing.
    pub(crate) registers: SecondaryMap<FunctionId, Vec<Option<ValueKey>>>,
    pub(crate) constants: Constants<(RegionId, i64)>,
    pub(crate) accesses: Vec<Access<ValueKey>>,
    /// What registers and addresses hold: many hold the same.
    pub(crate) values: Vec<Value>,
    /// The calls that name a function with a body, by site.
    pub(crate) direct_calls: Vec<(Site, FunctionId)>,
    pub(crate) has_body: SecondaryMap<FunctionId, bool>,
}

impl PointsTo {
    /// The map of a call: `None` where caller and callee are in one graph, or the call is not there.
    pub fn map(&self, site: Site, callee: FunctionId) -> Option<&CallMap> {
        let together = || self.maps.get(&(site, self.stands_for[callee]?));
        self.maps.get(&(site, callee)).or_else(together)
    }

    /// The calls of a function: where, and the functions that each may reach, those without a body among them.
    pub(crate) fn calls(&self, function: FunctionId) -> impl Iterator<Item = (Site, &[FunctionId])> {
        let start = self.direct_calls.partition_point(|(site, _)| site.function < function);
        let direct = self.direct_calls[start..].iter().take_while(move |(site, _)| site.function == function);
        let direct = direct.map(|(site, callee)| (*site, std::slice::from_ref(callee)));
        let indirect = self.indirect_calls.range(Site::all_of(function));
        direct.chain(indirect.map(|(site, targets)| (*site, &*targets.functions)))
    }

    /// What a register may hold.
    pub fn register(&self, function: FunctionId, register: RegisterId) -> Value {
        let key = self.registers[function].get(register.as_u32() as usize).copied().flatten();
        key.map_or_else(Value::default, |key| self.value(key).clone())
    }

    pub(crate) fn value(&self, key: ValueKey) -> &Value {
        &self.values[key.at()]
    }

    /// The registers of a function of which something is known, and what it is.
    pub(crate) fn known_registers(&self, function: FunctionId) -> impl Iterator<Item = (RegisterId, &Value)> {
        let keys = self.registers[function].iter().enumerate();
        keys.filter_map(|(index, key)| Some((RegisterId::from_u32(index as u32), self.value((*key)?))))
    }
}
