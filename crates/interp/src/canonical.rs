//! A hash of a state up to the names of objects and inputs: two states with the same hash behave the same from here on.
//!
//! Left out is what no step can see: dead registers (but a C variable keeps its object from being lost until it is
//! overwritten, so what it points to counts), the history, and globals that still hold what they held at first.

use crate::contents::{CellValue, Contents, Fill};
use crate::contract::identities;
use crate::heap::{Life, ObjectKind};
use crate::inputs::{Arrival, Beneath, InputId, Origin};
use crate::machine::Machine;
use crate::state::{CallOrigin, Ended, Frame, Reading, Sameness, Source, State, StorageGroup};
use crate::value::{Address, ObjectId, SymbolId, Term, Value};
use heapwise_engine::Exhausted;
use heapwise_ir::{Body, LocationId, RegisterId};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Two independent 64-bit lanes: 128 bits make a wrong match (and so a wrong *safe*) practically impossible.
#[derive(Clone, Copy)]
struct Lanes(u64, u64);

impl Lanes {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.1 = (self.1 ^ word.rotate_left(31)).wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(29) ^ word;
    }

    fn digest(self) -> u128 {
        let mix = |mut lane: u64| {
            lane = (lane ^ (lane >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
            lane = (lane ^ (lane >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
            lane ^ (lane >> 32)
        };
        u128::from(mix(self.0)) << 64 | u128::from(mix(self.1 ^ self.0.rotate_left(17)))
    }
}

impl Hasher for Lanes {
    fn finish(&self) -> u64 {
        self.digest() as u64
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            let mut word = [0; 8];
            word.copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
        let rest = chunks.remainder();
        let mut word = [0; 8];
        word[..rest.len()].copy_from_slice(rest);
        self.add(u64::from_le_bytes(word) ^ (bytes.len() as u64) << 56);
    }

    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    fn write_u32(&mut self, word: u32) {
        self.add(u64::from(word));
    }

    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
    }

    fn write_i128(&mut self, word: i128) {
        self.add(word as u64);
        self.add((word >> 64) as u64);
    }
}

struct Canonical<'a, 'p> {
    machine: &'a Machine<'p>,
    state: &'a State,
    lanes: Lanes,
    numbers: FxHashMap<ObjectId, u32>,
    order: Vec<ObjectId>,
    symbol_numbers: FxHashMap<SymbolId, u32>,
    symbols: Vec<SymbolId>,
    inputs: Vec<InputId>,
}

/// The hash; also forgets inputs that nothing mentions any more. There is none if the budget runs out before.
pub(crate) fn canonicalize(machine: &Machine<'_>, state: &mut State) -> Result<u128, Exhausted> {
    let (readings, closed, mut lanes, symbols, mut inputs) = {
        let mut canonical = Canonical {
            machine,
            state,
            lanes: Lanes(1, 2),
            numbers: FxHashMap::default(),
            order: Vec::new(),
            symbol_numbers: FxHashMap::default(),
            symbols: Vec::new(),
            inputs: Vec::new(),
        };
        for word in identities(canonical.state).into_iter().flatten() {
            canonical.lanes.add(word);
        }
        canonical.roots()?;
        canonical.objects()?;
        canonical.addresses()?;
        let (readings, closed) = canonical.readings();
        (readings, closed, canonical.lanes, canonical.symbols, canonical.inputs)
    };
    if !state.readings.is_empty() {
        state.readings = Rc::new(readings);
    }
    if !state.closed.is_empty() {
        state.closed = Rc::new(closed);
    }
    inputs.sort_unstable();
    Rc::make_mut(&mut state.inputs).retain(&inputs);
    let constraints = Rc::make_mut(&mut state.constraints);
    constraints.retain(&symbols, &|| machine.check_budget())?;
    if !state.descriptors.is_empty() {
        // Of a descriptor that nothing mentions it does not matter which it is.
        Rc::make_mut(&mut state.descriptors).retain(|symbol| symbols.contains(symbol));
        let position = |symbol: &SymbolId| symbols.iter().position(|other| other == symbol);
        let mut open: Vec<_> = state.descriptors.iter().map(position).collect();
        open.sort_unstable();
        open.hash(&mut lanes);
    }
    constraints.hash_canonically(&symbols, &mut lanes, &|| machine.check_budget_now())?;
    Ok(lanes.digest())
}

impl Canonical<'_, '_> {
    fn roots(&mut self) -> Result<(), Exhausted> {
        let state = self.state;
        let depth = state.frames.len();
        for (index, frame) in state.frames.iter().enumerate() {
            self.machine.check_budget()?;
            self.frame(frame, index + 1 == depth, state.frames.get(index + 1).map(|frame| frame.origin));
        }
        for handler in &state.at_exit {
            handler.hash(&mut self.lanes);
        }
        for (which, object) in &state.library_objects {
            which.hash(&mut self.lanes);
            self.object(*object);
        }
        self.lanes.add(u64::from(state.doubtful) << 1 | u64::from(state.has_changed_outside));
        self.value(state.token);
        for once in state.decided_once.iter() {
            (once.function, &once.arguments).hash(&mut self.lanes);
            self.value(once.result);
        }
        for sequence in state.sequences.iter() {
            sequence.hash(&mut self.lanes);
        }
        for issued in state.issued.iter().filter(|issued| state.heap.holds(issued.object, issued.birth)) {
            match &issued.group {
                StorageGroup::Named(name) => name.hash(&mut self.lanes),
                StorageGroup::PartOf(owner) => self.object(*owner),
            }
            self.object(issued.object);
        }
        if state.heap.n_exposed > 0 {
            for (id, _) in state.heap.objects().filter(|(_, object)| object.is_exposed) {
                self.object(id);
            }
        }
        for leak in &state.pending_leaks {
            (leak.error.function, leak.error.span).hash(&mut self.lanes);
            self.object(leak.object);
        }
        for index in 0..self.machine.program.globals.len() {
            let id = ObjectId(index as u32);
            let now = &state.heap.object(id).contents;
            if !Rc::ptr_eq(now, &self.machine.globals.object(id).contents) {
                self.lanes.add(index as u64);
                self.contents(now)?;
            }
        }
        Ok(())
    }

    /// How far inputs were read and which descriptors are closed, as far as the program can still ask.
    fn readings(&mut self) -> (Vec<Reading>, Vec<Source>) {
        let state = self.state;
        let mut readings = Vec::new();
        for reading in state.readings.iter() {
            let Some(name) = self.source(reading.source) else { continue };
            let ended = match reading.ended {
                Some(Ended::IfBetween(symbol, first, last)) => {
                    let (low, high) = state.constraints.bounds(symbol);
                    let (first, last) = (i128::from(first), i128::from(last));
                    match () {
                        () if first <= low && high <= last => Some(Ended::Yes),
                        () if high < first || last < low => None,
                        () => reading.ended,
                    }
                }
                ended => ended,
            };
            if ended.is_none() && reading.next.is_none() {
                continue;
            }
            (name, reading.next).hash(&mut self.lanes);
            match ended {
                None => self.lanes.add(0),
                Some(Ended::Yes) => self.lanes.add(1),
                Some(Ended::IfBetween(symbol, first, last)) => {
                    (first, last).hash(&mut self.lanes);
                    self.value(Value::Symbol(Term { symbol, addend: 0 }));
                }
            }
            readings.push(Reading { ended, ..reading.clone() });
        }
        let is_known = |source: &&Source| self.source(**source).is_some();
        let closed: Vec<Source> = state.closed.iter().filter(is_known).copied().collect();
        for source in &closed {
            self.source(*source).hash(&mut self.lanes);
        }
        (readings, closed)
    }

    /// A name of a stream or descriptor that the program can still name.
    fn source(&self, source: Source) -> Option<(u8, i128)> {
        match source {
            Source::Stream(object, birth) if self.state.heap.holds(object, birth) => {
                let is_standard = self.machine.streams.iter().any(|(_, stream)| *stream == object);
                match self.numbers.get(&object) {
                    Some(number) => Some((0, i128::from(*number))),
                    None => is_standard.then_some((1, i128::from(object.0))),
                }
            }
            Source::Stream(..) => None,
            Source::Number(number) => Some((2, number)),
            Source::Symbol(symbol) => self.symbol_numbers.get(&symbol).map(|number| (3, i128::from(*number))),
        }
    }

    fn frame(&mut self, frame: &Frame, is_top: bool, above: Option<CallOrigin>) {
        frame.function.hash(&mut self.lanes);
        frame.location.hash(&mut self.lanes);
        frame.origin.hash(&mut self.lanes);
        let Body::Defined(automaton) = &self.machine.program.functions[frame.function].body else { return };
        // A caller goes on behind its call, where the result is written first.
        let (location, written): (LocationId, Option<RegisterId>) = match above {
            Some(CallOrigin::Edge(edge)) if !is_top => {
                (automaton.edges[edge].to, automaton.edges[edge].instruction.target())
            }
            _ => (frame.location, None),
        };
        for (index, value) in frame.registers.iter().enumerate() {
            if value.is_uninitialised() {
                continue;
            }
            let register = RegisterId::from_u32(index as u32);
            let is_live = written != Some(register) && self.machine.code.is_live(frame.function, location, register);
            if is_live {
                self.lanes.add(index as u64);
                self.value(*value);
            } else if let Some(object) = value.object()
                && self.state.heap.object(object).is_live_heap()
            {
                self.lanes.add(1 << 32 | index as u64);
                self.object(object);
            }
        }
        for auto in &frame.autos {
            let holds = |value: Value| value.object().is_some_and(|id| self.state.heap.object(id).is_live_heap());
            if self.state.heap.object(*auto).contents().references().any(holds) {
                self.object(*auto);
            }
        }
    }

    fn object(&mut self, id: ObjectId) {
        if id.index() < self.machine.program.globals.len() {
            self.lanes.add(2 << 32 | u64::from(id.0));
            return;
        }
        let next = self.order.len() as u32;
        let number = *self.numbers.entry(id).or_insert(next);
        if number == next {
            self.order.push(id);
        }
        self.lanes.add(3 << 32 | u64::from(number));
    }

    fn value(&mut self, value: Value) {
        match value {
            Value::Uninitialised(_) => self.lanes.add(10),
            Value::Int(number) => {
                self.lanes.add(11);
                self.lanes.write_i128(number);
            }
            Value::Float(number) => {
                self.lanes.add(12);
                self.lanes.add(number.to_bits());
            }
            Value::Pointer(pointer) => {
                self.object(pointer.object);
                self.lanes.add(pointer.offset as u64);
            }
            Value::Function(function) => {
                self.lanes.add(14);
                function.hash(&mut self.lanes);
            }
            Value::Symbol(term) => {
                let next = self.symbols.len() as u32;
                let number = *self.symbol_numbers.entry(term.symbol).or_insert(next);
                if number == next {
                    self.symbols.push(term.symbol);
                }
                self.lanes.add(15 << 32 | u64::from(number));
                self.lanes.add(term.addend as u64);
            }
            Value::Fragment(fragment) => {
                self.lanes.add(16 << 32 | u64::from(fragment.start) << 8 | u64::from(fragment.len));
                self.value(match fragment.whole {
                    Address::Pointer(pointer) => Value::Pointer(pointer),
                    Address::Function(function) => Value::Function(function),
                    Address::Opaque => Value::Opaque,
                });
            }
            Value::Opaque => self.lanes.add(17),
        }
    }

    fn objects(&mut self) -> Result<(), Exhausted> {
        let mut next = 0;
        while next < self.order.len() {
            self.machine.check_budget()?;
            let state = self.state;
            let object = state.heap.object(self.order[next]);
            next += 1;
            self.lanes.add(object.size);
            self.lanes.add(match object.kind {
                ObjectKind::Heap => 0,
                ObjectKind::Auto => 1,
                ObjectKind::Global(_) => 2,
                ObjectKind::Literal(_) => 3,
                ObjectKind::Environment => 4,
                ObjectKind::Library => 5,
            });
            self.lanes.add(match object.life {
                Life::Alive => 0,
                Life::Freed => 1,
                Life::Ended => 2,
                Life::Vacant => 3,
            });
            // Messages name the allocation, so states that differ in it are kept apart.
            object.site.hash(&mut self.lanes);
            object.address.hash(&mut self.lanes);
            self.lanes.add(u64::from(object.given_away));
            object.library.hash(&mut self.lanes);
            if object.kind == ObjectKind::Auto {
                let owner = self.state.frames.iter().position(|frame| frame.serial == object.owner);
                owner.hash(&mut self.lanes);
            }
            if object.life == Life::Alive {
                self.contents(&object.contents)?;
            }
            for value in object.remains.iter().flat_map(|remains| remains.references()) {
                if let Some(target) = value.object().filter(|target| self.state.heap.object(*target).is_live_heap()) {
                    self.object(target);
                }
            }
        }
        Ok(())
    }

    fn contents(&mut self, contents: &Contents) -> Result<(), Exhausted> {
        let (bytes, masks, fill) = contents.plain();
        // What any bytes are is in the cells.
        self.lanes.add(match fill {
            Fill::Uninitialised => 0,
            Fill::Zero => 1,
            Fill::Any(_) => 2,
        });
        self.lanes.write(bytes);
        self.lanes.write(masks);
        for cell in contents.cells() {
            self.machine.check_budget()?;
            self.lanes.add(u64::from(cell.offset) << 32 | u64::from(cell.len));
            match cell.value {
                CellValue::Value(value) => self.value(value),
                CellValue::Any(origin) => {
                    self.lanes.add(19);
                    self.input(origin);
                }
            }
        }
        Ok(())
    }

    /// An input by its order, and what was seen of it.
    fn input(&mut self, origin: Origin) {
        self.lanes.add(u64::from(origin.first));
        let known = self.inputs.iter().position(|id| *id == origin.input);
        self.lanes.add(known.unwrap_or(self.inputs.len()) as u64);
        let state = self.state;
        if known.is_some() || origin.input == InputId::ELSEWHERE {
            return;
        }
        self.inputs.push(origin.input);
        let Some(input) = state.inputs.get(origin.input) else { return };
        (input.doubt, input.pointers).hash(&mut self.lanes);
        match input.arrival {
            Arrival::All => {}
            Arrival::Counted(length) => {
                self.lanes.add(length.unit);
                self.value(length.result);
            }
            Arrival::Text { limit, kept_from } => (limit, kept_from).hash(&mut self.lanes),
        }
        input.among.hash(&mut self.lanes);
        for (start, beneath) in input.beneath.iter() {
            self.lanes.add(u64::from(*start));
            match beneath {
                Beneath::Unset => self.lanes.add(1 << 32),
                Beneath::Bits(byte) => self.lanes.add(2 << 32 | u64::from(*byte)),
                Beneath::Any(origin) => self.input(*origin),
                Beneath::Other => self.lanes.add(3 << 32),
            }
        }
        for seen in &input.seen {
            self.lanes.add(u64::from(seen.offset));
            self.value(seen.value);
        }
    }

    /// Which objects may still get the address of which dead ones, and what was decided.
    fn addresses(&mut self) -> Result<(), Exhausted> {
        for (index, id) in self.order.iter().enumerate() {
            let object = self.state.heap.object(*id);
            if object.life == Life::Alive {
                continue;
            }
            self.machine.check_budget()?;
            for (other_index, other) in self.order.iter().enumerate() {
                let other = self.state.heap.object(*other);
                if object.is_gone_before(other) {
                    self.lanes.add(20 << 48 | (index as u64) << 24 | other_index as u64);
                }
            }
        }
        let n_globals = self.machine.program.globals.len();
        let number = |id: &ObjectId| match self.numbers.get(id) {
            Some(number) => Some(*number),
            None if id.index() < n_globals => Some(1 << 31 | id.0),
            None => None,
        };
        let decisions = &self.state.addresses;
        // Objects that nobody can name any more still bind others together: each counts by one that has a name.
        let named = |id: &ObjectId| {
            let layout = decisions.layout(*id);
            layout.iter().filter_map(|(id, place)| Some((number(id)?, *place))).min()
        };
        for (first, second, delta, sameness) in &decisions.equal {
            let (Some((first, from)), Some((second, to))) = (named(first), named(second)) else { continue };
            (first, second, delta + to - from, *sameness == Sameness::Same).hash(&mut self.lanes);
        }
        if !decisions.equal.is_empty() {
            for (index, id) in self.order.iter().enumerate() {
                if let Some((bound_to, place)) = named(id).filter(|(bound_to, _)| *bound_to as usize != index) {
                    (index, bound_to, place).hash(&mut self.lanes);
                }
            }
            for index in 0..n_globals as u32 {
                let global = 1 << 31 | index;
                if let Some((bound_to, place)) = named(&ObjectId(index)).filter(|(bound_to, _)| *bound_to != global) {
                    (global, bound_to, place).hash(&mut self.lanes);
                }
            }
        }
        for (low, high) in &decisions.below {
            (number(low), number(high)).hash(&mut self.lanes);
        }
        Ok(())
    }
}
