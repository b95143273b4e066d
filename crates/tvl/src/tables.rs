//! Running compiled programs on structures.

use crate::compile::{Operation, Program, Register, View};
use crate::query::{Bound, Context, MAX_VARIABLES, Memory, Query, Sign, Source, TableId};
use crate::structure::{Bounds, Mask, Structure, members, universe};
use crate::vocabulary::Arity;
use heapwise_engine::{BudgetMeter, Control, Exhausted};
use heapwise_logic::Steps;

/// The memory of running programs, kept between runs, and what they may use of time: structures that one step divides may
/// be many thousands, and each costs a run of its own.
#[derive(Default, Debug)]
pub struct Tables {
    /// None: no limit.
    meter: Option<BudgetMeter<'static>>,
    machine: Machine,
    /// The tables of the rules while a structure is coerced.
    pub(crate) rules: Machine,
}

/// Runs a program: a table is filled when it is needed, and is valid until something that it reads changes.
#[derive(Default, Debug)]
pub(crate) struct Machine {
    memory: Memory,
    /// The operations whose tables are valid.
    valid: Vec<u64>,
    /// Buffers that are not in use.
    buffers: Vec<Vec<u64>>,
    conflict: bool,
}

/// What a program runs on.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) program: &'a Program,
    pub(crate) structure: &'a Structure,
    pub(crate) parameters: &'a [usize],
}

impl Machine {
    /// Starts with no valid table.
    pub(crate) fn begin(&mut self, program: &Program, structure: &Structure) {
        let [words, rows, large] = program.tables;
        self.memory.prepare(structure.size(), words, rows, large);
        self.valid.clear();
        self.valid.resize(program.operations.len().div_ceil(64), 0);
        self.conflict = false;
    }

    /// The results of these operations are out of date.
    pub(crate) fn invalidate(&mut self, operations: &[u64]) {
        self.valid.iter_mut().zip(operations).for_each(|(valid, stale)| *valid &= !stale);
    }

    /// All results are out of date.
    pub(crate) fn invalidate_all(&mut self) {
        self.valid.fill(0);
    }

    /// A buffer of zeros for a table of so many dimensions.
    pub(crate) fn buffer(&mut self, dimensions: usize, size: usize) -> Vec<u64> {
        let mut buffer = self.buffers.pop().unwrap_or_default();
        buffer.clear();
        buffer.resize(Memory::table_words(dimensions, size), 0);
        buffer
    }

    /// Takes a buffer back.
    pub(crate) fn give_back(&mut self, buffer: Vec<u64>) {
        self.buffers.push(buffer);
    }

    /// Adds the answer of a query to `out` and says whether there is any. Tables are filled one after the other, as long as
    /// every variable has a candidate.
    pub(crate) fn ask(&mut self, input: Input<'_>, query: &Query, out: &mut [u64]) -> bool {
        let mut candidates = [0; MAX_VARIABLES];
        if !query.candidates(Context::new(input.structure, &self.memory, input.parameters), &mut candidates) {
            return false;
        }
        for (table, sign) in &query.table_guards {
            self.fill(input, *table);
            if (self.memory.word(*table, 0) ^ sign.flip()) & 1 == 0 {
                return false;
            }
        }
        for (v, table, sign) in &query.table_units {
            self.fill(input, *table);
            candidates[*v] &= self.memory.word(*table, 0) ^ sign.flip();
            if candidates[*v] == 0 {
                return false;
            }
        }
        for table in &query.tables {
            self.fill(input, *table);
        }
        query.answer(Context::new(input.structure, &self.memory, input.parameters), &mut candidates, out)
    }

    fn is_valid(&self, table: TableId) -> bool {
        self.valid[table.operation / 64] >> (table.operation % 64) & 1 == 1
    }

    #[inline]
    fn fill(&mut self, input: Input<'_>, table: TableId) {
        if !self.is_valid(table) {
            self.compute(input, table);
        }
    }

    #[inline(never)]
    fn compute(&mut self, input: Input<'_>, table: TableId) {
        let size = input.structure.size();
        match &*input.program.operations[table.operation] {
            Operation::Query(query, table) if table.dimensions < 2 => {
                let mut word = [0];
                self.ask(input, query, &mut word);
                self.memory.store(*table, &word);
            }
            Operation::Query(query, table) => {
                let mut buffer = self.buffer(table.dimensions, size);
                self.ask(input, query, &mut buffer);
                self.memory.store(*table, &buffer);
                self.give_back(buffer);
            }
            Operation::Closure { source, sign, steps, bound, table } => {
                if let Source::Table(steps) = source {
                    self.fill(input, *steps);
                }
                let mut buffer = self.buffers.pop().unwrap_or_default();
                let context = Context::new(input.structure, &self.memory, input.parameters);
                close(context, (*source, *sign), *steps, *bound, *table, &mut buffer);
                self.memory.store(*table, &buffer);
                self.give_back(buffer);
            }
            Operation::Meet { left, right, may, must } => {
                for view in [left.may, left.must, right.may, right.must] {
                    self.fill(input, view.table);
                }
                let mut buffer = self.buffers.pop().unwrap_or_default();
                let agreement = meet(input.structure, &mut self.memory, (left, right), (*may, *must), &mut buffer);
                self.conflict |= agreement == Agreement::Conflict;
                self.give_back(buffer);
            }
            Operation::Kept { conditions, slot, new, may, must } => {
                let touched = conditions.iter().any(|condition| {
                    self.fill(input, condition.table);
                    (self.memory.word(condition.table, 0) ^ condition.sign.flip()) & 1 == 1
                });
                if touched {
                    self.fill(input, new.may.table);
                    self.fill(input, new.must.table);
                }
                for row in 0..Memory::table_words(may.dimensions, size) {
                    let bounds = match (touched, slot.arity) {
                        (true, _) => bounds(&self.memory, new, row),
                        (false, Arity::Nullary) => {
                            let value = input.structure.nullary(slot.index);
                            Bounds { may: u64::from(value.may()), must: u64::from(value.must()) }
                        }
                        (false, Arity::Unary) => input.structure.unary(slot.index),
                        (false, Arity::Binary) => input.structure.row(slot.index, row),
                    };
                    self.memory.set_word(*may, row, bounds.may);
                    self.memory.set_word(*must, row, bounds.must);
                }
            }
        }
        self.valid[table.operation / 64] |= 1 << (table.operation % 64);
    }
}

impl Tables {
    /// No memory yet.
    #[must_use]
    pub fn new() -> Tables {
        Tables::default()
    }

    /// The same for steps that end when that budget is over: they lose structures then, and [`Tables::end`] says so.
    #[must_use]
    pub fn within(control: Control) -> Tables {
        /// Between two rounds there is a run of rules at least.
        const PAUSE: u32 = 16;
        Tables { meter: Some(BudgetMeter::owning(control).every(PAUSE)), ..Tables::default() }
    }

    /// Whether a step must stop; loops over structures ask this once a round, and drop what is left.
    pub(crate) fn is_over(&self) -> bool {
        self.meter.as_ref().is_some_and(BudgetMeter::is_over)
    }

    /// Whether all steps so far came to their ends.
    ///
    /// # Errors
    /// What ran out: structures were dropped.
    pub fn end(&self) -> Result<(), Exhausted> {
        self.meter.as_ref().map_or(Ok(()), BudgetMeter::end)
    }

    /// How many rounds loops over structures have had so far: a measure of work that is no clock's.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        self.meter.as_ref().map_or(0, BudgetMeter::calls)
    }

    /// Runs `program` on `structure`; `parameters` are the individuals of its parameters.
    pub fn run(&mut self, program: &Program, structure: &Structure, parameters: &[usize]) {
        self.machine.begin(program, structure);
        let input = Input { program, structure, parameters };
        for register in &program.results {
            self.machine.fill(input, register.may.table);
            self.machine.fill(input, register.must.table);
        }
    }

    /// Whether two definite values differed where the program said that they are the same.
    #[must_use]
    pub fn conflict(&self) -> bool {
        self.machine.conflict
    }

    /// Row `row` of a table of two dimensions, or the word of a table of fewer (`row` is 0 then).
    #[must_use]
    pub fn row(&self, register: Register, row: usize) -> Bounds {
        bounds(&self.machine.memory, &register, row)
    }

    /// Whether a table has no value 1/2.
    #[must_use]
    pub fn is_definite(&self, register: Register) -> bool {
        let words = Memory::table_words(register.dimensions, self.machine.memory.size());
        (0..words).all(|row| {
            let bounds = self.row(register, row);
            bounds.may & !bounds.must == 0
        })
    }

    /// The tuples on which a table of `k` dimensions has the value 1/2, in ascending order.
    #[must_use]
    pub fn unknown(&self, register: Register, k: usize) -> Vec<Vec<usize>> {
        self.tuples(register, k, |bounds| bounds.may & !bounds.must)
    }

    /// The tuples on which a table of `k` dimensions is not 0, in ascending order.
    #[must_use]
    pub fn possible(&self, register: Register, k: usize) -> Vec<Vec<usize>> {
        self.tuples(register, k, |bounds| bounds.may)
    }

    fn tuples(&self, register: Register, k: usize, select: impl Fn(Bounds) -> Mask) -> Vec<Vec<usize>> {
        let size = self.machine.memory.size();
        let mut out = Vec::new();
        for w in 0..Memory::table_words(k, size) {
            for bit in members(select(self.row(register, w))) {
                let mut tuple = Vec::with_capacity(k);
                for d in 0..k.saturating_sub(1) {
                    tuple.push(w / size.pow(u32::try_from(k - 2 - d).unwrap_or(0)) % size);
                }
                if k > 0 {
                    tuple.push(bit);
                }
                out.push(tuple);
            }
        }
        out
    }
}

/// The values of a table's row that has so many dimensions.
fn full(dimensions: usize, size: usize) -> Mask {
    if dimensions == 0 { 1 } else { universe(size) }
}

fn view(memory: &Memory, view: View, full: Mask, row: usize) -> Mask {
    let word = memory.word(view.table, row);
    match view.sign {
        Sign::Positive => word,
        Sign::Negative => full & !word,
    }
}

fn bounds(memory: &Memory, register: &Register, row: usize) -> Bounds {
    let full = full(register.dimensions, memory.size());
    Bounds { may: view(memory, register.may, full, row), must: view(memory, register.must, full, row) }
}

/// Whether two derivations of one value agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Agreement {
    Agreed,
    Conflict,
}

/// Warshall's algorithm on every block of rows; paths run through the individuals that may, or surely do, exist.
fn close(
    context: Context<'_>,
    (source, sign): (Source, Sign),
    steps: Steps,
    bound: Bound,
    table: TableId,
    rows: &mut Vec<u64>,
) {
    let structure = context.structure;
    let size = structure.size();
    let full = universe(size);
    let flip = if sign == Sign::Positive { 0 } else { full };
    rows.clear();
    rows.extend((0..Memory::table_words(table.dimensions, size)).map(|row| context.word(source, row) ^ flip));
    let (through, reflexive) = match bound {
        Bound::May => (structure.active().may, full),
        Bound::Must => (structure.active().must, full & !structure.summaries()),
    };
    for block in rows.chunks_mut(size.max(1)) {
        for middle in members(through) {
            let reach = block[middle];
            if reach == 0 {
                continue;
            }
            for row in block.iter_mut() {
                if *row >> middle & 1 == 1 {
                    *row |= reach;
                }
            }
        }
        if steps == Steps::ZeroOrMore {
            for (u, row) in block.iter_mut().enumerate() {
                *row |= reflexive & 1 << u;
            }
        }
    }
}

fn meet(
    structure: &Structure,
    memory: &mut Memory,
    (left, right): (&Register, &Register),
    (may, must): (TableId, TableId),
    buffer: &mut Vec<u64>,
) -> Agreement {
    let size = structure.size();
    let words = Memory::table_words(may.dimensions, size);
    let active = structure.active().must;
    let mut agreement = Agreement::Agreed;
    buffer.clear();
    buffer.resize(2 * words, 0);
    for w in 0..words {
        let (a, b) = (bounds(memory, left, w), bounds(memory, right, w));
        let (upper, lower) = (a.may & b.may, a.must | b.must);
        let clash = lower & !upper;
        if clash != 0 {
            let exists = match may.dimensions {
                0 => 1,
                1 => active,
                _ if active >> (w % size.max(1)) & 1 == 1 => active,
                _ => 0,
            };
            if clash & exists != 0 {
                agreement = Agreement::Conflict;
            }
        }
        buffer[w] = upper | clash;
        buffer[words + w] = lower & !clash;
    }
    memory.store(may, &buffer[..words]);
    memory.store(must, &buffer[words..]);
    agreement
}
