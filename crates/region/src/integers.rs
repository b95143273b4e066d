//! Integers that become addresses: `(char *)16`, `MAP_FAILED`, a number that is read and converted, or that gets into a pointer as
//! bytes (through a union, by `memcpy`, `fread`). They point to no region, so the points-to graph does not know that a pointer may
//! hold one; freeing it is an error all the same.
//!
//! Which registers and which bytes of regions may hold a number other than null is found without regard to the order in which
//! instructions run. Where nothing is known of a value, the points-to graph says so itself.

use crate::memory::Memory;
use heapwise_engine::BudgetMeter;
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{
    BinaryOperator, Body, Callee, CopySource, EdgeId, Expression, Extent, ExternEffects, ExternResult, FunctionId,
    InitialContents, Initializer, Instruction, MemoryEffect, Operand, Place, RegisterId, Type, TypeId,
};
use heapwise_pointsto::{Count, Range, RegionId, Site, Value};
use rustc_hash::FxHashSet;

/// A region with more stretches of such bytes has them everywhere.
const MOST_STRETCHES: usize = 64;

/// Bytes of a region, from the first to one past the last, where elements of arrays are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stretch {
    start: i64,
    end: i64,
}

impl Stretch {
    const ALL: Stretch = Stretch { start: i64::MIN, end: i64::MAX };

    fn meets(self, other: Stretch) -> bool {
        self.start < other.end && other.start < self.end
    }

    fn covers(self, other: Stretch) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    fn moved(self, by: i64) -> Stretch {
        match self {
            Stretch::ALL => self,
            Stretch { start, end } => Stretch { start: start.saturating_add(by), end: end.saturating_add(by) },
        }
    }
}

/// What may hold a number other than null.
pub(crate) struct Numbers<'m, 'p> {
    memory: &'m Memory<'p>,
    registers: FxHashSet<(FunctionId, RegisterId)>,
    /// What functions and those that they call write, in the regions of their graphs.
    written: SecondaryMap<RegionId, Vec<Stretch>>,
    /// What is there already when functions are called.
    given: SecondaryMap<RegionId, Vec<Stretch>>,
    has_changed: bool,
    /// Whether the budget was enough: else anything may.
    is_complete: bool,
}

impl<'m, 'p> Numbers<'m, 'p> {
    /// Looks at all instructions of these functions.
    pub(crate) fn of(memory: &'m Memory<'p>, functions: &[FunctionId], meter: &BudgetMeter<'_>) -> Numbers<'m, 'p> {
        let mut numbers = Numbers {
            memory,
            registers: FxHashSet::default(),
            written: SecondaryMap::with_capacity(memory.pointsto.regions.len()),
            given: SecondaryMap::with_capacity(memory.pointsto.regions.len()),
            has_changed: true,
            is_complete: true,
        };
        numbers.globals();
        while std::mem::take(&mut numbers.has_changed) {
            for function in functions {
                let Body::Defined(automaton) = &memory.program.functions[*function].body else { continue };
                for (id, edge) in &automaton.edges {
                    if meter.is_over() {
                        numbers.is_complete = false;
                        return numbers;
                    }
                    numbers.instruction(*function, id, &edge.instruction);
                }
            }
            numbers.callers_and_callees();
        }
        numbers
    }

    /// Whether an operand may be a number other than null.
    pub(crate) fn may_be(&self, function: FunctionId, operand: Operand) -> bool {
        match operand {
            Operand::Int(number) => number != 0,
            Operand::Float(_) => true,
            Operand::Register(register) => !self.is_complete || self.registers.contains(&(function, register)),
            Operand::Global(_) | Operand::Function(_) => false,
        }
    }

    fn globals(&mut self) {
        let program = self.memory.program;
        for (id, global) in &program.globals {
            let Some((region, start)) = self.memory.pointsto.global(id) else { continue };
            let at = |offset: u64| Value {
                region: Some(region),
                offsets: heapwise_pointsto::Offsets::at(start + offset as i64),
                unknown: false,
            };
            match &global.initializer {
                Initializer::Items(items) => {
                    for item in items {
                        let is_number = match item.value {
                            Operand::Int(number) => number + i128::from(item.addend) != 0,
                            Operand::Float(_) | Operand::Register(_) => true,
                            Operand::Global(_) | Operand::Function(_) => false,
                        };
                        if is_number {
                            self.write(&at(item.offset), program.size_of(item.ty));
                        }
                    }
                }
                Initializer::Bytes(bytes) => self.write(&at(0), Some(bytes.len() as u64)),
                Initializer::Unknown | Initializer::Library(_) => {}
            }
        }
    }

    fn instruction(&mut self, function: FunctionId, edge: EdgeId, instruction: &Instruction) {
        match instruction {
            Instruction::Assign { target, value } => {
                if self.is_number(function, value) {
                    self.set(function, *target);
                }
            }
            Instruction::Load { target, place } => {
                let is_whole = self.is_pointer_sized(place.ty) && place.bits.is_none();
                let address = self.memory.pointsto.place(self.memory.program, function, place);
                if !is_whole || self.reads(&address, self.memory.program.size_of(place.ty)) {
                    self.set(function, *target);
                }
            }
            Instruction::Store { place, value } => {
                let is_narrow = !self.is_pointer_sized(place.ty) || place.bits.is_some();
                let is_zero = matches!(value, Operand::Int(0));
                if !is_zero && (is_narrow || self.may_be(function, *value)) {
                    let address = self.memory.pointsto.place(self.memory.program, function, place);
                    self.write(&address, self.memory.program.size_of(place.ty));
                }
            }
            Instruction::Copy { place, source, extent } => self.copy(function, place, source, *extent),
            Instruction::Alloc { target, contents: InitialContents::Nondet, .. } => {
                let address = self.memory.operand(function, Operand::Register(*target));
                self.write(&address, None);
            }
            Instruction::Call { target, callee, arguments } => {
                for called in self.callees(function, edge, *callee) {
                    self.call(function, *target, called, arguments);
                }
            }
            Instruction::Alloc { contents: InitialContents::Uninitialised | InitialContents::Zeroed, .. }
            | Instruction::Free { .. }
            | Instruction::End { .. }
            | Instruction::Assume(_)
            | Instruction::Assert(_)
            | Instruction::Unsupported(_) => {}
        }
    }

    /// Whether an expression may give a number other than null.
    fn is_number(&self, function: FunctionId, expression: &Expression) -> bool {
        let points = |operand: Operand| {
            let value = self.memory.operand(function, operand);
            value.region.is_some() || value.unknown
        };
        match expression {
            Expression::Operand(value) => self.may_be(function, *value),
            Expression::Convert { from, to, value } => {
                let is_whole = self.is_pointer_sized(*from) && self.is_pointer_sized(*to);
                if is_whole { self.may_be(function, *value) } else { *value != Operand::ZERO }
            }
            // A place behind null is a number.
            Expression::AddPath { base, .. }
            | Expression::SubtractPath { base, .. }
            | Expression::AddBytes { base, .. }
            | Expression::AddIndex { base, .. } => !points(*base) || self.may_be(function, *base),
            Expression::Unary { value, .. } => !points(*value) || self.may_be(function, *value),
            Expression::Binary { operator: BinaryOperator::Subtract, left, right, .. }
                if points(*left) && points(*right) =>
            {
                true
            }
            Expression::Binary { left, right, .. } => match (points(*left), points(*right)) {
                (false, false) => true,
                // Flags in an address, and what is added to it: the address is what counts.
                (true, false) => self.may_be(function, *left),
                (false, true) => self.may_be(function, *right),
                (true, true) => self.may_be(function, *left) || self.may_be(function, *right),
            },
            Expression::PointerDifference { .. } => true,
            Expression::Nondet { ty } => !matches!(self.memory.program.ty(*ty), Type::Pointer(_)),
            Expression::Uninitialised => false,
        }
    }

    fn copy(&mut self, function: FunctionId, place: &Place, source: &CopySource, extent: Extent) {
        let program = self.memory.program;
        let size = match extent {
            Extent::Type(ty) => program.size_of(ty),
            Extent::Bytes(Operand::Int(bytes)) => u64::try_from(bytes).ok(),
            Extent::Bytes(_) | Extent::Common => None,
        };
        let to = self.memory.pointsto.place(program, function, place);
        match source {
            CopySource::Fill(Operand::Int(byte)) if byte & 0xff == 0 => {}
            // Bytes between members hold no pointer.
            CopySource::Members => {}
            CopySource::Fill(_) | CopySource::Nondet => self.write(&to, size),
            CopySource::Place(from) => {
                let from = self.memory.pointsto.place(program, function, from);
                match (self.exactly(&from, size), self.exactly(&to, size)) {
                    (Some((source, read)), Some((target, written))) => {
                        let by = written.start.saturating_sub(read.start);
                        for stretch in self.stretches(source).collect::<Vec<_>>() {
                            if stretch.meets(read) {
                                let start = stretch.start.max(read.start);
                                let end = stretch.end.min(read.end);
                                self.add(target, Stretch { start, end }.moved(by));
                            }
                        }
                    }
                    _ if self.reads(&from, size) => self.write(&to, size),
                    _ => {}
                }
            }
        }
    }

    /// The functions that a call may reach. Those that nothing is known of are gaps of their own.
    fn callees(&self, function: FunctionId, edge: EdgeId, callee: Callee) -> Vec<FunctionId> {
        match callee {
            Callee::Direct(callee) | Callee::Indirect(Operand::Function(callee)) => vec![callee],
            Callee::Indirect(_) => self.memory.pointsto.targets(Site { function, edge }).functions.to_vec(),
        }
    }

    fn call(&mut self, caller: FunctionId, target: Option<RegisterId>, callee: FunctionId, arguments: &[Operand]) {
        let program = self.memory.program;
        let function = &program.functions[callee];
        match &function.body {
            Body::Defined(_) => {
                for (parameter, argument) in function.parameters.iter().zip(arguments) {
                    let is_whole = self.is_pointer_sized(function.registers[*parameter].ty);
                    if self.may_be(caller, *argument) || !is_whole {
                        self.set(callee, *parameter);
                    }
                }
                if let (Some(target), Some(result)) = (target, function.result)
                    && self.may_be(callee, Operand::Register(result))
                {
                    self.set(caller, target);
                }
            }
            Body::Extern(effects) => self.call_extern(caller, target, callee, effects, arguments),
        }
    }

    fn call_extern(
        &mut self,
        caller: FunctionId,
        target: Option<RegisterId>,
        callee: FunctionId,
        effects: &ExternEffects,
        arguments: &[Operand],
    ) {
        let program = self.memory.program;
        let argument = |position: u32| arguments.get(position as usize).copied();
        match &effects.memory {
            MemoryEffect::Writes(parameters) => {
                for position in parameters {
                    let Some(argument) = argument(*position) else { continue };
                    let address = self.memory.operand(caller, argument);
                    self.write(&address, self.written_behind(callee, *position));
                }
            }
            MemoryEffect::StoresPointer { .. } | MemoryEffect::Pure | MemoryEffect::Unknown => {}
        }
        let Some(target) = target else { return };
        let is_number = match effects.result {
            // A wide one is a value that the points-to graph knows nothing of.
            ExternResult::Any => !self.is_pointer_sized(program.functions[caller].registers[target].ty),
            ExternResult::Argument(position) | ExternResult::IntoArgument { argument: position, .. } => {
                argument(position).is_some_and(|argument| self.may_be(caller, argument))
            }
            ExternResult::Library { .. } => false,
        };
        if is_number {
            self.set(caller, target);
        }
    }

    /// How many bytes a function of the library writes there: one value of the type that it takes, unless these are bytes.
    fn written_behind(&self, callee: FunctionId, position: u32) -> Option<u64> {
        let program = self.memory.program;
        let function = &program.functions[callee];
        let parameter = function.parameters.get(position as usize)?;
        let pointee = program.pointee(function.registers[*parameter].ty)?;
        match program.ty(pointee) {
            Type::Record(_) => program.size_of(pointee),
            Type::Int(int) if int.bytes() > 1 => program.size_of(pointee),
            Type::Int(_) | Type::Void | Type::Float(_) | Type::Pointer(_) | Type::Array(..) | Type::Function(_) => None,
        }
    }

    /// What callees write is there for their callers. What is there for callers is there for callees, and not for others that
    /// call them, too.
    fn callers_and_callees(&mut self) {
        for map in self.memory.pointsto.maps.values() {
            for (callee, (caller, by)) in &map.regions {
                for stretch in self.written[*callee].clone() {
                    let moved = self.moved(*caller, stretch, *by);
                    self.add(*caller, moved);
                }
                for stretch in self.stretches(*caller).collect::<Vec<_>>() {
                    let moved = self.moved(*callee, stretch, -*by);
                    self.has_changed |= insert(&mut self.given[*callee], moved);
                }
            }
        }
    }

    fn stretches(&self, region: RegionId) -> impl Iterator<Item = Stretch> + '_ {
        self.written[region].iter().chain(&self.given[region]).copied()
    }

    fn set(&mut self, function: FunctionId, register: RegisterId) {
        self.has_changed |= self.registers.insert((function, register));
    }

    fn is_pointer_sized(&self, ty: TypeId) -> bool {
        let program = self.memory.program;
        match program.ty(ty) {
            Type::Int(_) | Type::Pointer(_) => program.size_of(ty) == Some(u64::from(program.target.pointer_bytes)),
            Type::Void | Type::Float(_) | Type::Array(..) | Type::Record(_) | Type::Function(_) => false,
        }
    }

    /// Numbers are written there.
    fn write(&mut self, address: &Value, size: Option<u64>) {
        let Some(region) = address.region else { return };
        for range in address.offsets.iter() {
            let stretch = self.stretch(region, range, size);
            self.add(region, stretch);
        }
    }

    /// Whether numbers may be there.
    fn reads(&self, address: &Value, size: Option<u64>) -> bool {
        let Some(region) = address.region else { return false };
        address.offsets.iter().any(|range| {
            let read = self.stretch(region, range, size);
            self.stretches(region).any(|stretch| stretch.meets(read))
        })
    }

    /// The one place that an address means, where it is one and in no array.
    fn exactly(&self, address: &Value, size: Option<u64>) -> Option<(RegionId, Stretch)> {
        let region = address.region?;
        let start = address.offsets.exact()?;
        let is_plain = self.memory.pointsto.regions[region].layout.spot(start).room.is_none();
        is_plain.then(|| (region, self.stretch(region, Range::exact(start), size)))
    }

    /// The bytes from these offsets on.
    fn stretch(&self, region: RegionId, range: Range, size: Option<u64>) -> Stretch {
        let layout = &self.memory.pointsto.regions[region].layout;
        let first = layout.spot(range.start);
        let length = size.and_then(|size| i64::try_from(size).ok()).map(|size| size + i64::from(range.slack));
        match (first.room, length) {
            // Elements of one array are one.
            (Some(room), Some(length)) if length <= room as i64 => {
                let next = layout.spot(range.start.saturating_add(range.stride as i64));
                let is_one = range.is_exact() || next == first;
                if is_one { Stretch { start: first.offset, end: first.offset + length } } else { Stretch::ALL }
            }
            (Some(_), _) => Stretch::ALL,
            (None, length) => match (range.count, length) {
                (Count::Unbounded, _) => Stretch::ALL,
                (Count::Exactly(_), None) => Stretch { start: range.start, end: i64::MAX },
                (Count::Exactly(count), Some(length)) => {
                    let span = i64::try_from((count - 1).saturating_mul(range.stride)).unwrap_or(i64::MAX);
                    Stretch { start: range.start, end: range.start.saturating_add(span).saturating_add(length) }
                }
            },
        }
    }

    /// Bytes of a region, in coordinates of another one.
    fn moved(&self, region: RegionId, stretch: Stretch, by: i64) -> Stretch {
        if stretch == Stretch::ALL {
            return stretch;
        }
        let size = u64::try_from(stretch.end.saturating_sub(stretch.start)).ok().filter(|_| stretch.end != i64::MAX);
        self.stretch(region, Range::exact(stretch.start.saturating_add(by)), size)
    }

    fn add(&mut self, region: RegionId, stretch: Stretch) {
        self.has_changed |= insert(&mut self.written[region], stretch);
    }
}

/// Adds a stretch, and says whether it is new.
fn insert(known: &mut Vec<Stretch>, stretch: Stretch) -> bool {
    if known.iter().any(|known| known.covers(stretch)) {
        return false;
    }
    known.retain(|known| !stretch.covers(*known));
    known.push(stretch);
    if known.len() > MOST_STRETCHES {
        *known = vec![Stretch::ALL];
    }
    true
}
