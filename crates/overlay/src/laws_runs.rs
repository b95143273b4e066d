//! The law of the analysis where numbers, arrays and texts are followed: every state that a run of a C program comes to is described
//! by a heap at its location.
//!
//! Whether a heap describes a state is found out by walking both side by side from registers and globals, byte by byte, elements
//! taken out of segments one by one: it shares nothing with the entailment and the joins that are tested. What the walk does not
//! decide (an input that is not fixed yet, a number that nothing speaks of) counts as described.
//!
//! `HEAPWISE_RUNS_PROGRAMS=2000 cargo test --release -p heapwise-overlay laws_runs` is a long run, `HEAPWISE_RUNS_ROOT=DIR` takes C
//! programs from elsewhere.

use crate::analysis::{Retention, run};
use crate::footprint::Given;
use crate::heap::{
    Array, Bound, Content, Heap, Life, NodeId, Object, Order, Region, Size, Storage, SymbolId, Text, TextKind, Value,
};
use crate::predicate::Definitions;
use crate::transfer::{Arrays, Context, Numbering};
use crate::unfold::{expose, instantiate};
use heapwise_confirm::possible;
use heapwise_engine::reason::SymbolicGap;
use heapwise_engine::{Budget, Cancel, Control, Finding, Gap, Kind, Options, Outcome, Statement};
use heapwise_fixpoint::ProgramFlow;
use heapwise_interp::heap::Life as ConcreteLife;
use heapwise_interp::{Loaded, ObjectId, RunError, Value as Concrete};
use heapwise_ir::callbacks::Expansion;
use heapwise_ir::{AnyAddressTaken, FunctionId, Liveness, LocationId, Program, RegisterId, Span};
use heapwise_testkit::differential::load;
use heapwise_testkit::oracle::{Agreement, Analysed, ConcreteState, Effort, Represents, Subject, check, check_random};
use heapwise_testkit::random::Knobs;
use std::cell::Cell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// States with longer lists are not looked at to their end.
const DEEPEST: u32 = 40;

struct Overlay;

struct Model {
    definitions: Definitions,
    heaps: HashMap<(FunctionId, LocationId), Vec<Heap>>,
    liveness: HashMap<FunctionId, Liveness>,
}

impl Subject for Overlay {
    type Model = Model;

    fn analyse(&self, program: &Program, options: &Options) -> Analysed<Model> {
        let definitions = Definitions::shipped();
        let plain = Context::new(program, options, definitions.clone());
        let context = Context { numbering: Numbering::On, arrays: Arrays::On, ..plain };
        let flow = ProgramFlow::tabulated(program, options.entry, &AnyAddressTaken);
        let time = Budget { time: Some(Duration::from_secs(2)), ..Budget::default() };
        let control = Control::start(time, Cancel::default());
        let fixpoint = run(&context, &flow, Retention::Live, Given::Everything, &control);
        let mut outcome = Outcome::default();
        let analysis = &fixpoint.solver.analysis;
        let gap = |reason| Gap { span: Span::NONE, reason };
        outcome.gaps.extend(analysis.gaps.iter().map(|(_, reason)| gap(reason.clone())));
        // What the library calls back is followed in another program than the one that runs.
        // Where an error is suspected the analysis ends, and runs may go on; what is lost ends nothing.
        let ends = analysis.suspicions.values().any(|suspicion| suspicion.kind != Kind::Leak);
        let is_incomplete = fixpoint.exhausted.is_some() || ends || Expansion::of(program, 0).is_some();
        outcome.gaps.extend(is_incomplete.then(|| gap(SymbolicGap::CellNotGiven.into())));
        for suspicion in analysis.suspicions.values() {
            let Some((function, _, _, edge)) = analysis.instruction(suspicion.step) else { continue };
            let at = Statement { function, span: edge.span };
            outcome.findings.push(possible(suspicion.kind, at, suspicion.message.clone(), Vec::new()));
        }
        let (mut heaps, mut liveness) = (HashMap::new(), HashMap::new());
        for (id, function) in &program.functions {
            let (Some(automaton), Some(live)) = (function.automaton(), Liveness::of(function)) else { continue };
            liveness.insert(id, live);
            for location in automaton.outgoing.keys() {
                let known = fixpoint.heaps_at(id, location).into_iter().cloned().collect();
                heaps.insert((id, location), known);
            }
        }
        Analysed { outcome, model: Model { definitions, heaps, liveness } }
    }

    // What was lost is seen later by a run, which looks at what is in scope.
    fn tells_of(&self, finding: &Finding, error: &RunError) -> bool {
        finding.kind == error.kind
    }
}

impl Represents for Model {
    fn represents(&self, function: FunctionId, location: LocationId, state: &ConcreteState<'_>) -> bool {
        const EFFORT: u32 = 4_000;
        let walk = Walk { definitions: &self.definitions, state, fuel: Cell::new(EFFORT) };
        let is_live = |register| self.liveness[&function].is_live(location, register);
        let heaps = self.heaps.get(&(function, location)).map_or(&[][..], Vec::as_slice);
        heaps.iter().any(|heap| walk.describes(heap, &is_live))
    }
}

/// What a value is compared with.
#[derive(Clone, Copy, Debug)]
enum Expected {
    Value(Concrete),
    /// The address of a byte of an object.
    Place(ObjectId, i64),
}

/// A heap and a state, as far as they were compared. Values that are still to be compared are the heap's ghosts.
#[derive(Clone)]
struct Partial {
    heap: Heap,
    expected: Vec<Expected>,
    /// The object of each cell, and where the cell begins in it.
    places: HashMap<NodeId, (ObjectId, i64)>,
    symbols: HashMap<SymbolId, i128>,
    texts: Vec<(ObjectId, i64, Text)>,
    /// How many instances were unfolded.
    depth: u32,
}

/// What is known of a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Byte {
    Unset,
    Is(u8),
    /// Bytes that came in, as far as they did.
    Any,
}

struct Walk<'s> {
    definitions: &'s Definitions,
    state: &'s ConcreteState<'s>,
    fuel: Cell<u32>,
}

impl Partial {
    fn expect(&mut self, value: Value, expected: Expected) {
        self.heap.ghosts.push(value);
        self.expected.push(expected);
    }

    fn bind(&mut self, symbol: SymbolId, number: i128) -> bool {
        self.heap.symbol(symbol).contains(number) && *self.symbols.entry(symbol).or_insert(number) == number
    }

    /// What a number is, if that is known.
    fn number(&self, value: Value) -> Option<i128> {
        match value {
            Value::Number(number) => Some(number),
            Value::Symbol(symbol) => self.symbols.get(&symbol).copied(),
            _ => None,
        }
    }

    fn bound(&self, bound: Bound) -> Option<i128> {
        self.number(bound.base)?.checked_add(i128::from(bound.plus))
    }
}

impl Walk<'_> {
    fn describes(&self, heap: &Heap, is_live: &dyn Fn(RegisterId) -> bool) -> bool {
        let mut partial = Partial {
            heap: Heap { ghosts: Vec::new(), ..heap.clone() },
            expected: Vec::new(),
            places: HashMap::new(),
            symbols: HashMap::new(),
            texts: Vec::new(),
            depth: 0,
        };
        for (register, value) in heap.registers.iter().filter(|(register, _)| is_live(*register)) {
            partial.expect(*value, Expected::Value(self.state.register(*register)));
        }
        for (global, node) in &heap.globals {
            if let Some(object) = self.state.global(*global) {
                partial.expect(Value::pointer(*node, 0), Expected::Place(object, 0));
            }
        }
        self.all(partial)
    }

    /// Compares what is left to compare.
    fn all(&self, mut partial: Partial) -> bool {
        while let (Some(value), Some(expected)) = (partial.heap.ghosts.pop(), partial.expected.pop()) {
            let Some(fuel) = self.fuel.get().checked_sub(1) else { return true };
            self.fuel.set(fuel);
            let (object, offset) = match (value, expected) {
                (Value::Top, _) | (Value::Uninitialised, Expected::Value(Concrete::Uninitialised(_))) => continue,
                (Value::Uninitialised, _) | (_, Expected::Value(Concrete::Uninitialised(_))) => return false,
                // An input may be this one.
                (Value::Any, _) | (Value::Number(_) | Value::Symbol(_), Expected::Value(Concrete::Symbol(_))) => {
                    continue;
                }
                (Value::Number(number), Expected::Value(Concrete::Int(known))) if number == known => continue,
                (Value::Symbol(symbol), Expected::Value(Concrete::Int(number))) if partial.bind(symbol, number) => {
                    continue;
                }
                (Value::Function(x), Expected::Value(Concrete::Function(y))) if x == y => continue,
                (Value::Library, Expected::Value(Concrete::Pointer(_) | Concrete::Opaque) | Expected::Place(..)) => {
                    continue;
                }
                // What the library made is not looked into.
                (Value::Pointer(pointer) | Value::Indexed { pointer, .. }, Expected::Value(Concrete::Opaque))
                    if partial.heap.object(pointer.node).is_some_and(|object| object.storage == Storage::Library) =>
                {
                    continue;
                }
                (Value::Pointer(pointer), _) if partial.heap.instance(pointer.node).is_some() => {
                    let mut heap = partial.heap.clone();
                    heap.ghosts.push(value);
                    partial.expected.push(expected);
                    partial.depth += 1;
                    if partial.depth > DEEPEST {
                        return true;
                    }
                    return expose(&heap, pointer, self.definitions)
                        .into_iter()
                        .any(|heap| self.all(Partial { heap, ..partial.clone() }));
                }
                (Value::Pointer(_) | Value::Indexed { .. }, Expected::Place(object, offset)) => (object, offset),
                (Value::Pointer(_) | Value::Indexed { .. }, Expected::Value(Concrete::Pointer(known))) => {
                    (known.object, known.offset)
                }
                _ => return false,
            };
            let (pointer, index) = match value {
                Value::Indexed { pointer, index, scale } => (pointer, Some((index, scale))),
                Value::Pointer(pointer) => (pointer, None),
                _ => return false,
            };
            if !partial.places.contains_key(&pointer.node) {
                if let (Some(base), Some(element)) =
                    (offset.checked_sub(pointer.offset), partial.heap.object(pointer.node))
                    && element.storage == Storage::Element
                    && element.life == Life::Alive
                    && partial.heap.array_of(pointer.node).is_none()
                {
                    // A function that is given an element alone does not see where it lies.
                    let element = element.clone();
                    let Size::Constant(size) = element.size else { return true };
                    let is_there = base >= 0 && base as u64 + size <= self.state.object(object).size;
                    if index.is_some() || !is_there || !self.bytes(&element, object, (base, size), &mut partial) {
                        return false;
                    }
                    partial.places.insert(pointer.node, (object, base));
                    continue;
                }
                // An element is come to by its array.
                let cell = partial.heap.array_of(pointer.node).map_or(pointer.node, |(cell, _)| cell);
                partial.expect(value, expected);
                if cell != pointer.node {
                    if partial.places.contains_key(&cell) {
                        return false;
                    }
                    partial.places.insert(cell, (object, 0));
                    return self.cell(cell, object, partial);
                }
                partial.places.insert(cell, (object, 0));
                return self.cell(cell, object, partial);
            }
            let Some((known, base)) = partial.places.get(&pointer.node).copied() else { return false };
            let further = offset - base - pointer.offset;
            let is_there = match index {
                None => further == 0,
                Some((index, scale)) => {
                    scale != 0 && further % scale == 0 && partial.bind(index, i128::from(further / scale))
                }
            };
            if known != object || !is_there {
                return false;
            }
        }
        self.is_consistent(&mut partial)
    }

    /// Compares a cell with an object; then all else.
    fn cell(&self, id: NodeId, object: ObjectId, mut partial: Partial) -> bool {
        let Some(cell) = partial.heap.object(id).cloned() else { return false };
        let known = self.state.object(object);
        if cell.storage == Storage::Library {
            let is_alive = known.life == ConcreteLife::Alive;
            return is_alive == (cell.life == Life::Alive) && self.all(partial);
        }
        // What is separate stays separate.
        if partial.places.iter().any(|(other, (place, base))| {
            *other != id
                && *place == object
                && *base == 0
                && partial.heap.object(*other).is_some_and(|other| other.storage != Storage::Element)
        }) {
            return false;
        }
        let is_alive = known.life == ConcreteLife::Alive;
        if is_alive != (cell.life == Life::Alive) {
            return false;
        }
        if !is_alive || matches!(cell.storage, Storage::Literal(_)) {
            return self.all(partial);
        }
        let has_size = match cell.size {
            Size::Constant(size) => size == known.size,
            Size::Symbol(symbol) => partial.bind(symbol, i128::from(known.size)),
        };
        if !has_size || !self.bytes(&cell, object, (0, known.size), &mut partial) {
            return false;
        }
        partial.texts.extend(cell.texts.iter().map(|text| (object, 0, *text)));
        match cell.array {
            None => self.all(partial),
            Some(array) => self.elements(&array, (0, 0), object, partial),
        }
    }

    /// Compares the bytes of a cell that begins there in an object, those of its array aside.
    fn bytes(&self, cell: &Object, object: ObjectId, (base, size): (i64, u64), partial: &mut Partial) -> bool {
        let contents = self.state.object(object).contents();
        let mut ends = vec![0, size];
        for field in &cell.fields {
            ends.extend([field.offset, field.end()]);
        }
        if let Some(array) = &cell.array {
            ends.push(array.start);
            if let Some(count) = partial.number(array.count().base) {
                ends.push(array.start.saturating_add(count.max(0) as u64 * array.stride));
            }
        }
        ends.retain(|end| *end <= size);
        ends.sort_unstable();
        ends.dedup();
        for pair in ends.windows(2) {
            let (offset, bytes) = (pair[0], pair[1] - pair[0]);
            if cell.array.as_ref().is_some_and(|array| array.overlaps(offset, bytes)) {
                continue;
            }
            let at = offset + base as u64;
            let value = cell.field(offset, bytes).unwrap_or_else(|| match cell.pieces(offset, bytes).as_slice() {
                [piece] => piece.value,
                _ => Value::Top,
            });
            match value {
                Value::Top => {}
                Value::Any | Value::Uninitialised | Value::ZERO => {
                    let is_so = |byte: Byte| match (value, byte) {
                        (Value::Uninitialised, byte) => matches!(byte, Byte::Unset | Byte::Any),
                        (Value::Any, byte) => byte != Byte::Unset,
                        (_, byte) => matches!(byte, Byte::Is(0) | Byte::Any),
                    };
                    if !(at..at + bytes).all(|at| is_so(self.byte(object, at))) {
                        return false;
                    }
                }
                Value::Number(_) | Value::Symbol(_) if bytes <= 16 => match contents.load(at, bytes) {
                    Loaded::Uninitialised => return false,
                    Loaded::Any(_) | Loaded::Mixed => {}
                    Loaded::Bits(bits) => {
                        if !Self::is_number(value, bits, bytes, partial) {
                            return false;
                        }
                    }
                    Loaded::Value(known) => partial.expect(value, Expected::Value(known)),
                },
                Value::Number(_) | Value::Symbol(_) => {}
                Value::Pointer(_) | Value::Indexed { .. } | Value::Function(_) | Value::Library => {
                    match contents.load(at, bytes) {
                        Loaded::Uninitialised => return false,
                        Loaded::Any(_) | Loaded::Mixed => {}
                        Loaded::Bits(bits) => partial.expect(value, Expected::Value(Concrete::Int(bits as i128))),
                        Loaded::Value(known) => partial.expect(value, Expected::Value(known)),
                    }
                }
            }
        }
        true
    }

    /// Whether bytes hold a number, whatever its sign is taken for.
    fn is_number(value: Value, bits: u128, bytes: u64, partial: &mut Partial) -> bool {
        let mask = if bytes >= 16 { u128::MAX } else { (1 << (8 * bytes)) - 1 };
        if let Some(number) = partial.number(value) {
            return number as u128 & mask == bits & mask;
        }
        let unused = 128 - 8 * bytes as u32;
        let signed = (bits as i128) << unused >> unused;
        match value {
            Value::Symbol(symbol) => [signed, bits as i128].into_iter().any(|number| partial.bind(symbol, number)),
            _ => false,
        }
    }

    fn byte(&self, object: ObjectId, at: u64) -> Byte {
        match self.state.object(object).contents().load(at, 1) {
            Loaded::Uninitialised => Byte::Unset,
            Loaded::Bits(bits) => Byte::Is(bits as u8),
            Loaded::Value(Concrete::Int(number)) => Byte::Is(number as u8),
            Loaded::Value(_) | Loaded::Any(_) | Loaded::Mixed => Byte::Any,
        }
    }

    /// Compares the elements of an array from one on, in all ways; then all else.
    fn elements(&self, array: &Array, (place, from): (usize, i128), object: ObjectId, partial: Partial) -> bool {
        let Some(fuel) = self.fuel.get().checked_sub(1) else { return true };
        self.fuel.set(fuel);
        let size = self.state.object(object).size;
        let room = i128::from(size.saturating_sub(array.start) / array.stride);
        let Some(segment) = array.segments.get(place) else { return from <= room && self.all(partial) };
        let Some(end) = partial.bound(segment.end) else {
            // Nothing says where the segment ends: anywhere.
            let Value::Symbol(symbol) = segment.end.base else { return true };
            return (from..=room).any(|end| {
                let mut partial = partial.clone();
                partial.bind(symbol, end - i128::from(segment.end.plus))
                    && self.elements(array, (place, from), object, partial)
            });
        };
        if end < from || end > room {
            return false;
        }
        if from == end {
            let is_none = matches!(segment.content, Content::Summary(_));
            return is_none && self.elements(array, (place + 1, from), object, partial);
        }
        let base = array.start as i64 + from as i64 * array.stride as i64;
        let with = |slot: NodeId, mut partial: Partial| {
            let Some(element) = partial.heap.object(slot).cloned() else { return false };
            partial.places.insert(slot, (object, base));
            partial.texts.extend(element.texts.iter().map(|text| (object, base, *text)));
            let is_last = from + 1 == end;
            element.array.is_some()
                || self.bytes(&element, object, (base, array.stride), &mut partial)
                    && self.elements(array, (place + usize::from(is_last), from + 1), object, partial)
        };
        match &segment.content {
            Content::Slot(value) => value.node().is_some_and(|slot| end == from + 1 && with(slot, partial)),
            Content::Summary(elements) => elements.iter().any(|element| {
                let mut partial = partial.clone();
                let slot = instantiate(&mut partial.heap, element, Region::NONE);
                with(slot, partial)
            }),
        }
    }

    /// Whether texts are there, and what was compared is so.
    fn is_consistent(&self, partial: &mut Partial) -> bool {
        for (object, base, text) in partial.texts.clone() {
            let size = self.state.object(object).size;
            let is_it = |length: i128| self.is_text(object, base, &text, length, size);
            match partial.number(text.length) {
                Some(length) => {
                    if !is_it(length) {
                        return false;
                    }
                }
                None => {
                    let Some(range) = partial.heap.range(text.length) else { return false };
                    let mut lengths = (0..=i128::from(size)).filter(|length| range.contains(*length) && is_it(*length));
                    match (lengths.next(), lengths.next(), text.length, text.kind) {
                        (None, ..) => return false,
                        (Some(length), None, Value::Symbol(symbol), TextKind::Ended) => {
                            partial.symbols.insert(symbol, length);
                        }
                        (Some(_), ..) => {}
                    }
                }
            }
        }
        let of = |symbol: SymbolId| partial.symbols.get(&symbol).copied();
        let facts = partial.heap.facts.iter().all(|(x, y, order)| match (of(*x), of(*y)) {
            (Some(x), Some(y)) => match order {
                Order::AtMost(by) => x <= y + i128::from(*by),
                Order::Different => x != y,
            },
            _ => true,
        });
        facts
            && partial.heap.linears.iter().all(|linear| match (of(linear.result), of(linear.base)) {
                (Some(result), Some(base)) => result == linear.scale * base + linear.constant,
                _ => true,
            })
    }

    fn is_text(&self, object: ObjectId, base: i64, text: &Text, length: i128, size: u64) -> bool {
        let start = i128::from(base) + i128::from(text.offset);
        let needed = length + i128::from(text.kind.has_zero());
        if length < 0 || start + needed > i128::from(size) || text.room != Text::WHOLE && needed > i128::from(text.room)
        {
            return false;
        }
        let byte = |at: i128| self.byte(object, (start + at) as u64);
        let is_within = |byte: Byte| match byte {
            Byte::Unset => false,
            Byte::Is(0) => !text.kind.has_no_zero_within(),
            Byte::Is(_) | Byte::Any => true,
        };
        (0..length).all(|at| is_within(byte(at)))
            && (!text.kind.has_zero() || matches!(byte(length), Byte::Is(0) | Byte::Any))
    }
}

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len() as u64) as usize]
    }
}

/// A program about a record with arrays and a text, a block of a size that is an input, and numbers that go along them. Statements
/// are mostly right.
fn program(seed: u64) -> String {
    let mut random = Random(seed);
    random.below(2);
    let mut text = String::from(
        "#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\nint __VERIFIER_nondet_int(void);\n\
         #define N __VERIFIER_nondet_int()\n",
    );
    let mut fields = ["long n;", "int a[6];", "char t[8];", "char *p[5];"];
    for last in (1..fields.len()).rev() {
        fields.swap(last, random.below(last as u64 + 1) as usize);
    }
    text += &format!("struct record {{ {} }};\nint main(int c, char **v) {{\n", fields.join(" "));
    text += "  struct record s, z; int i = 0, j = 0, k = 0, r[4] = {0}; memset(&z, 0, sizeof z);\n";
    text += random.of(&["  memset(&s, 0, sizeof s);\n", "  s = z;\n"]);
    text += "  int m = N; if (m < 1 || m > 7) m = 3;\n  int *w = malloc(m * sizeof *w); if (!w) return 1;\n";
    text += random.of(&["  for (i = 0; i < m; i++) w[i] = i & 1;\n", "  for (i = 0; i < m; i++) w[i] = 2;\n"]);
    for _ in 0..3 + random.below(4) {
        let statement = match random.below(22) {
            0 => "for (i = 0; i < 6; i++) s.a[i] = i & 1;",
            1 => "k = N; if (k >= 0 && k <= (int)sizeof s) memset(&s, 0, k);",
            2 => "k = N; if (k >= 0 && k <= (int)sizeof s.a) memcpy(s.a, z.a, k);",
            3 => "k = N; if (k >= 0 && k <= 16) memset(&s, 1, k);",
            4 => "j = N; if (j >= 0 && j < 6) r[s.a[j] & 3] = 1;",
            5 => "j = N; if (j >= 0 && j < 6) s.a[j] = 2;",
            6 => "j = N; if (j >= 0 && j < 5 && !s.p[j]) s.p[j] = malloc(2);",
            7 => "j = N; if (j >= 0 && j < 5) { free(s.p[j]); s.p[j] = NULL; }",
            8 => "strcpy(s.t, \"abc\");",
            9 => "j = N; if (j >= 0 && j < 8) s.t[j] = 0;",
            10 => "snprintf(s.t, sizeof s.t, \"%s\", v[0]);",
            11 => "{ char *q = v[0]; while (*q == 'a') q++; snprintf(s.t, 4, \"%s\", q); }",
            12 => "if (i >= 0 && i < 8) s.t[i] = 0;",
            13 => "for (char *q = v[0]; *q; q++) if (*q == 'a') r[0]++;",
            14 => "z = s;",
            15 => "for (i = 0; i < m; i++) r[w[i] & 3]++;",
            16 => "{ int *x = calloc(m, sizeof *x); if (x) { free(w); w = x; } }",
            17 => "{ int *x = realloc(w, sizeof *w); if (x) { w = x; m = 1; } }",
            18 => "while (m > 1 && N) m--;",
            19 => "j = N; if (j >= 0 && j < m) { int *x = &w[j]; *x = 1; w[0] = 0; r[*x & 1] = 2; }",
            20 => "s.n = N; if (s.n < 0 || s.n >= 6) s.n = 0; s.a[s.n] = 1;",
            _ => "memset(s.t, 'x', 7); s.t[7] = 0; j = strlen(s.t); s.t[j - 1] = 0;",
        };
        text += &format!("  {statement}\n");
    }
    text += "  for (i = 0; i < 5; i++) free(s.p[i]);\n  free(w);\n  return r[0] > r[1];\n}\n";
    text
}

fn checked(path: &Path, effort: &Effort) -> Agreement {
    let Ok(program) = load(&[path.to_owned()]) else { return Agreement::default() };
    let Some(entry) = program.function_named("main") else { return Agreement::default() };
    check(&Overlay, &program, &Options::new(entry), effort).unwrap_or_else(|disagreement| {
        panic!("{}: {disagreement}\n{}", path.display(), std::fs::read_to_string(path).unwrap_or_default())
    })
}

#[test]
fn states_of_programs_about_arrays_and_texts_are_described() {
    let n: u64 = std::env::var("HEAPWISE_RUNS_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let first: u64 = std::env::var("HEAPWISE_FIRST_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let folder = tempfile::tempdir().expect("a folder");
    let effort = Effort { systematic_runs: 40, random_runs: 12, max_steps: 400 };
    let mut total = Agreement::default();
    for seed in first..first + n {
        let path = folder.path().join(format!("{seed}.c"));
        std::fs::write(&path, program(seed)).expect("a file");
        total += checked(&path, &effort);
    }
    println!("{total:?}");
    assert!(total.programs == n && 2 * total.gaps < n && total.states > 50 * n, "{total:?}");
}

#[test]
fn states_of_written_programs_are_described() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let root = std::env::var("HEAPWISE_RUNS_ROOT").ok().map(PathBuf::from);
    let folders = root.map_or_else(|| vec![tests.join("everyday-numbers"), tests.join("texts")], |root| vec![root]);
    let effort = Effort { systematic_runs: 16, random_runs: 8, max_steps: 300 };
    let mut total = Agreement::default();
    for folder in folders {
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(&folder).expect("a folder").filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "c")) {
            total += checked(file, &effort);
        }
    }
    println!("{total:?}");
    assert!(total.programs > 0 && total.gaps < total.programs && total.states > 20 * total.programs, "{total:?}");
}

#[test]
fn states_of_programs_about_lists_are_described() {
    let n: u64 = std::env::var("HEAPWISE_RUNS_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let first: u64 = std::env::var("HEAPWISE_FIRST_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let all = [Knobs::singly_linked_lists(), Knobs::lists_with_globals_and_data(), Knobs::everything()];
    let programs: Vec<_> = all.into_iter().map(|knobs| (knobs, first..first + n / 3)).collect();
    let total = check_random(&Overlay, &programs, &Effort::QUICK).unwrap_or_else(|found| panic!("{found}"));
    println!("{total:?}");
    assert!(total.gaps < total.programs && total.states > 10 * total.programs, "{total:?}");
}
