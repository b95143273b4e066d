//! Reference counts: integer fields that are counted down by one and then compared with a constant (`if (--x->refs == 0)`).
//!
//! The tracked cell's own fields are written through registers, of which it is always known whether they refer to it. So a small
//! count is known exactly, and configurations are kept apart by it: where it says that the cell is freed, it is.

use crate::memory::{CellId, Extent, Memory};
use heapwise_ir::{
    Automaton, BinaryOperator, Body, Condition, EdgeId, Expression, FunctionId, Instruction, Operand, Place, RegisterId,
};
use heapwise_pointsto::{RegionId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Counts up to this are known exactly.
pub const MOST_COUNTED: i128 = 3;

/// Where an access goes, as far as reference counts matter.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum CounterAccess {
    /// To no reference count.
    #[default]
    None,
    /// To one, and to the whole of it.
    One(CellId),
    /// Perhaps to one of these, or to a part of it.
    Unclear(Vec<CellId>),
}

impl CounterAccess {
    /// The counts that it may concern.
    pub fn cells(&self) -> &[CellId] {
        match self {
            CounterAccess::None => &[],
            CounterAccess::One(cell) => std::slice::from_ref(cell),
            CounterAccess::Unclear(cells) => cells,
        }
    }
}

/// The reference counts of a program.
#[derive(Clone, Default, Debug)]
pub struct Counters {
    of_region: FxHashMap<RegionId, Vec<CellId>>,
}

impl Counters {
    /// Finds them. A callee and a caller have cells of their own for one field: it is a count in both if it is in one.
    pub fn of(memory: &Memory<'_>) -> Counters {
        let mut pending: Vec<CellId> = Vec::new();
        for (function, declared) in &memory.program.functions {
            if let Body::Defined(automaton) = &declared.body {
                counted_in(memory, function, automaton, &mut pending);
            }
        }
        if pending.is_empty() {
            return Counters::default();
        }
        let same = same_fields(memory);
        let mut found: FxHashSet<CellId> = pending.iter().copied().collect();
        while let Some(cell) = pending.pop() {
            for other in same.get(&cell).into_iter().flatten() {
                if found.insert(*other) {
                    pending.push(*other);
                }
            }
        }
        let mut of_region: FxHashMap<RegionId, Vec<CellId>> = FxHashMap::default();
        for cell in found {
            of_region.entry(memory.cells[cell].region).or_default().push(cell);
        }
        of_region.values_mut().for_each(|cells| cells.sort_unstable());
        Counters { of_region }
    }

    /// Those of a region's objects.
    pub fn of_region(&self, region: RegionId) -> &[CellId] {
        self.of_region.get(&region).map_or(&[], Vec::as_slice)
    }

    /// What an access of so many bytes concerns; without a size, of any number.
    pub fn access(&self, memory: &Memory<'_>, address: &Value, size: Option<u64>) -> CounterAccess {
        let Some(region) = address.region else { return CounterAccess::None };
        let cells = self.of_region(region);
        if cells.is_empty() {
            return CounterAccess::None;
        }
        let is_folded = cells.iter().any(|cell| memory.cells[*cell].extent == Extent::Folded);
        let (Some(start), Some(size), false) = (address.offsets.exact(), size, is_folded) else {
            return CounterAccess::Unclear(cells.to_vec());
        };
        let end = start.saturating_add(i64::try_from(size).unwrap_or(i64::MAX));
        let meets = |cell: &CellId| {
            let known = &memory.cells[*cell];
            known.offset < end && start < known.offset + known.size as i64
        };
        let met: Vec<CellId> = cells.iter().copied().filter(meets).collect();
        match met[..] {
            [] => CounterAccess::None,
            [cell] if memory.cells[cell].offset == start && memory.cells[cell].size == size && !address.unknown => {
                CounterAccess::One(cell)
            }
            _ => CounterAccess::Unclear(met),
        }
    }
}

/// The cells that are one field in a caller and a callee.
fn same_fields(memory: &Memory<'_>) -> FxHashMap<CellId, Vec<CellId>> {
    let mut same: FxHashMap<CellId, Vec<CellId>> = FxHashMap::default();
    for map in memory.pointsto.maps.values() {
        for (callee, (caller, by)) in &map.regions {
            for inner in memory.of_region(*callee).filter(|cell| !memory.cells[*cell].holds_pointer) {
                if let Some(outer) = memory.at(*caller, memory.cells[inner].offset + by)
                    && outer != inner
                {
                    same.entry(inner).or_default().push(outer);
                    same.entry(outer).or_default().push(inner);
                }
            }
        }
    }
    same
}

/// What a register holds, where it is assigned once.
enum Definition {
    One(EdgeId),
    Several,
}

struct Scan<'s> {
    memory: &'s Memory<'s>,
    function: FunctionId,
    automaton: &'s Automaton,
    definitions: FxHashMap<RegisterId, Definition>,
}

/// Copies and conversions that are looked behind.
const MOST_COPIES: usize = 6;

/// The fields that a function counts down by one, and whose value it compares with a constant.
fn counted_in(memory: &Memory<'_>, function: FunctionId, automaton: &Automaton, found: &mut Vec<CellId>) {
    let mut definitions: FxHashMap<RegisterId, Definition> = FxHashMap::default();
    let mut tested: Vec<RegisterId> = Vec::new();
    let mut stores: Vec<(&Place, RegisterId)> = Vec::new();
    for (id, edge) in &automaton.edges {
        if let Some(target) = edge.instruction.target() {
            let definition = definitions.entry(target).or_insert(Definition::One(id));
            if !matches!(definition, Definition::One(known) if *known == id) {
                *definition = Definition::Several;
            }
        }
        match &edge.instruction {
            Instruction::Assume(Condition::Compare { left, right, .. }) => match (left, right) {
                (Operand::Register(register), Operand::Int(_)) | (Operand::Int(_), Operand::Register(register)) => {
                    tested.push(*register);
                }
                _ => {}
            },
            Instruction::Store { place, value: Operand::Register(value) } => stores.push((place, *value)),
            _ => {}
        }
    }
    if tested.is_empty() {
        return;
    }
    let scan = Scan { memory, function, automaton, definitions };
    let counted: Vec<CellId> =
        stores.into_iter().filter_map(|(place, value)| scan.counted_down(place, value)).collect();
    if counted.is_empty() {
        return;
    }
    let tested: Vec<CellId> = tested.into_iter().filter_map(|register| scan.read_from(register)).collect();
    found.extend(counted.into_iter().filter(|cell| tested.contains(cell)));
}

impl Scan<'_> {
    fn cell(&self, place: &Place) -> Option<CellId> {
        if place.bits.is_some() || place.base.register().is_none() {
            return None;
        }
        let address = self.memory.pointsto.place(self.memory.program, self.function, place);
        let cell = self.memory.at(address.region?, address.offsets.exact()?)?;
        (!self.memory.cells[cell].holds_pointer).then_some(cell)
    }

    fn definition(&self, register: RegisterId) -> Option<&Instruction> {
        match self.definitions.get(&register)? {
            Definition::One(edge) => Some(&self.automaton.edges[*edge].instruction),
            Definition::Several => None,
        }
    }

    /// The field from which a register was read, perhaps with a constant added.
    fn read_from(&self, register: RegisterId) -> Option<CellId> {
        let mut register = register;
        for _ in 0..MOST_COPIES {
            register = match self.definition(register)? {
                Instruction::Load { place, .. } => return self.cell(place),
                Instruction::Assign { value, .. } => match value {
                    Expression::Operand(operand) | Expression::Convert { value: operand, .. } => operand.register()?,
                    Expression::Binary { left, right: Operand::Int(_), .. } => left.register()?,
                    _ => return None,
                },
                _ => return None,
            };
        }
        None
    }

    /// The field, if what is stored there is what it held, less one.
    fn counted_down(&self, place: &Place, value: RegisterId) -> Option<CellId> {
        let mut register = value;
        for _ in 0..MOST_COPIES {
            let Instruction::Assign { value, .. } = self.definition(register)? else { return None };
            register = match value {
                Expression::Operand(operand) | Expression::Convert { value: operand, .. } => operand.register()?,
                Expression::Binary { operator, left, right: Operand::Int(by), .. } => {
                    let is_down = matches!((operator, by), (BinaryOperator::Subtract, 1) | (BinaryOperator::Add, -1));
                    let cell = self.cell(place)?;
                    return (is_down && self.read_from(left.register()?) == Some(cell)).then_some(cell);
                }
                _ => return None,
            };
        }
        None
    }
}
