//! Running compiled programs on structures.

use crate::compile::{Coordinate, Feed, Operation, Program, Register};
use crate::structure::{Bounds, Mask, Structure, members, universe};
use heapwise_logic::Steps;

/// The memory of a running program, kept between runs.
#[derive(Default, Debug)]
pub struct Tables {
    offsets: Vec<usize>,
    may: Vec<u64>,
    must: Vec<u64>,
    size: usize,
    conflict: bool,
}

fn table_words(dimensions: usize, size: usize) -> usize {
    match dimensions {
        0 | 1 => 1,
        2 => size,
        k => size.pow(u32::try_from(k - 1).unwrap_or(u32::MAX)),
    }
}

impl Tables {
    /// No memory yet.
    #[must_use]
    pub fn new() -> Tables {
        Tables::default()
    }

    /// Runs `program` on `structure`; `parameters` are the individuals of its parameters.
    pub fn run(&mut self, program: &Program, structure: &Structure, parameters: &[usize]) {
        let n = structure.size();
        self.size = n;
        self.conflict = false;
        self.offsets.clear();
        let mut end = 0;
        for k in &program.dimensions {
            self.offsets.push(end);
            end += table_words(*k, n);
        }
        self.offsets.push(end);
        if self.may.len() < end {
            self.may.resize(end, 0);
            self.must.resize(end, 0);
        }
        for (i, operation) in program.operations.iter().enumerate() {
            self.step(i, operation, program, structure, parameters);
        }
    }

    /// Whether two definite values differed where the program said that they are the same.
    #[must_use]
    pub fn conflict(&self) -> bool {
        self.conflict
    }

    /// Row `row` of a table of two dimensions, or the word of a table of fewer (`row` is 0 then).
    #[must_use]
    pub fn row(&self, register: Register, row: usize) -> Bounds {
        let at = self.offsets[register.0] + row;
        Bounds { may: self.may[at], must: self.must[at] }
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
        let mut out = Vec::new();
        for w in 0..table_words(k, self.size) {
            for bit in members(select(self.row(register, w))) {
                let mut tuple = Vec::with_capacity(k);
                for d in 0..k.saturating_sub(1) {
                    tuple.push(w / self.size.pow(u32::try_from(k - 2 - d).unwrap_or(0)) % self.size);
                }
                if k > 0 {
                    tuple.push(bit);
                }
                out.push(tuple);
            }
        }
        out
    }

    fn step(&mut self, i: usize, operation: &Operation, program: &Program, structure: &Structure, params: &[usize]) {
        let n = self.size;
        let k = program.dimensions[i];
        let full = if k == 0 { 1 } else { universe(n) };
        let (start, end) = (self.offsets[i], self.offsets[i + 1]);
        let (may_before, may_here) = self.may.split_at_mut(start);
        let (must_before, must_here) = self.must.split_at_mut(start);
        let (may, must) = (&mut may_here[..end - start], &mut must_here[..end - start]);
        let source = |r: &Register| {
            let range = self.offsets[r.0]..self.offsets[r.0 + 1];
            (&may_before[range.clone()], &must_before[range])
        };
        match operation {
            Operation::Literal(value) => {
                may[0] = u64::from(value.may());
                must[0] = u64::from(value.must());
            }
            Operation::Nullary(index) => {
                let value = structure.nullary(*index);
                may[0] = u64::from(value.may());
                must[0] = u64::from(value.must());
            }
            Operation::Unary(index) => {
                let bounds = structure.unary(*index);
                may[0] = bounds.may;
                must[0] = bounds.must;
            }
            Operation::Binary(index) => {
                let (rows_may, rows_must) = structure.rows(*index);
                may.copy_from_slice(rows_may);
                must.copy_from_slice(rows_must);
            }
            Operation::Equality => {
                let summaries = structure.summaries();
                for u in 0..n {
                    may[u] = 1 << u;
                    must[u] = 1 << u & !summaries;
                }
            }
            Operation::Not(a) => {
                let (a_may, a_must) = source(a);
                for w in 0..may.len() {
                    may[w] = full & !a_must[w];
                    must[w] = full & !a_may[w];
                }
            }
            Operation::And(operands) => {
                may.fill(full);
                must.fill(full);
                for (register, feed) in operands {
                    let (a_may, a_must) = source(register);
                    combine(may, a_may, feed, k, n, full, |out, a| *out &= a);
                    combine(must, a_must, feed, k, n, full, |out, a| *out &= a);
                }
            }
            Operation::Or(operands) => {
                may.fill(0);
                must.fill(0);
                for (register, feed) in operands {
                    let (a_may, a_must) = source(register);
                    combine(may, a_may, feed, k, n, full, |out, a| *out |= a);
                    combine(must, a_must, feed, k, n, full, |out, a| *out |= a);
                }
            }
            Operation::IfThenElse(operands) => {
                let [(c, c_feed), (a, a_feed), (b, b_feed)] = &**operands;
                let ((c_may, c_must), (a_may, a_must), (b_may, b_must)) = (source(c), source(a), source(b));
                for w in 0..may.len() {
                    let (cy, cn) = (fetch(c_may, c_feed, w, k, n, full), full & !fetch(c_must, c_feed, w, k, n, full));
                    let (ay, by) = (fetch(a_may, a_feed, w, k, n, full), fetch(b_may, b_feed, w, k, n, full));
                    let (am, bm) = (fetch(a_must, a_feed, w, k, n, full), fetch(b_must, b_feed, w, k, n, full));
                    may[w] = cy & ay | cn & by;
                    must[w] = full & (am | !cy) & (bm | !cn);
                }
            }
            Operation::Exists(a, position) => {
                let active = structure.active();
                let (a_may, a_must) = source(a);
                fold(may, a_may, k + 1, *position, n, active.may);
                fold(must, a_must, k + 1, *position, n, active.must);
            }
            Operation::Closure(a, steps) => {
                let (a_may, a_must) = source(a);
                may.copy_from_slice(a_may);
                must.copy_from_slice(a_must);
                let active = structure.active();
                let reflexive = match steps {
                    Steps::ZeroOrMore => (universe(n), universe(n) & !structure.summaries()),
                    Steps::OneOrMore => (0, 0),
                };
                close(may, n, active.may, reflexive.0);
                close(must, n, active.must, reflexive.1);
            }
            Operation::Transpose(a) => {
                let (a_may, a_must) = source(a);
                transpose(may, a_may);
                transpose(must, a_must);
            }
            Operation::Gather(a, coordinates) => {
                let (a_may, a_must) = source(a);
                gather(may, a_may, coordinates, k, n, params);
                gather(must, a_must, coordinates, k, n, params);
            }
            Operation::Meet(a, b) => {
                let ((a_may, a_must), (b_may, b_must)) = (source(a), source(b));
                let active = structure.active().must;
                for w in 0..may.len() {
                    let (upper, lower) = (a_may[w] & b_may[w], a_must[w] | b_must[w]);
                    let clash = lower & !upper;
                    if clash != 0 {
                        let exists = match k {
                            0 => 1,
                            1 => active,
                            _ => {
                                if active >> (w % n.max(1)) & 1 == 1 {
                                    active
                                } else {
                                    0
                                }
                            }
                        };
                        self.conflict |= clash & exists != 0;
                    }
                    may[w] = upper | clash;
                    must[w] = lower & !clash;
                }
            }
        }
    }
}

/// The operand's word that belongs to word `w` of a table with `k` dimensions.
#[inline]
fn fetch(values: &[u64], feed: &Feed, w: usize, k: usize, n: usize, full: Mask) -> u64 {
    let fill = |bit: u64| if bit & 1 == 1 { full } else { 0 };
    match feed {
        Feed::Same => values[w],
        Feed::Scalar => fill(values[0]),
        Feed::Dimensions(dimensions) => {
            // Coordinate d of word w, for a result of k dimensions whose last lies in the bits.
            let coordinate = |d: usize| w / n.pow(u32::try_from(k - 2 - d).unwrap_or(0)) % n;
            let Some((last, others)) = dimensions.split_last() else { return fill(values[0]) };
            let index = others.iter().fold(0, |index, d| index * n + coordinate(*d));
            if *last == k - 1 { values[index] } else { fill(values[index] >> coordinate(*last)) }
        }
    }
}

#[inline]
fn combine(out: &mut [u64], values: &[u64], feed: &Feed, k: usize, n: usize, full: Mask, join: impl Fn(&mut u64, u64)) {
    if *feed == Feed::Same {
        out.iter_mut().zip(values).for_each(|(o, a)| join(o, *a));
    } else {
        out.iter_mut().enumerate().for_each(|(w, o)| join(o, fetch(values, feed, w, k, n, full)));
    }
}

/// Disjunction over dimension `position` of a table of `k` dimensions, over the individuals of `range`.
fn fold(out: &mut [u64], values: &[u64], k: usize, position: usize, n: usize, range: Mask) {
    if k == 1 {
        out[0] = u64::from(values[0] & range != 0);
    } else if position == k - 1 {
        for (w, o) in out.iter_mut().enumerate() {
            *o = (0..n).fold(0, |word, i| word | u64::from(values[w * n + i] & range != 0) << i);
        }
    } else {
        let inner = n.pow(u32::try_from(k - 2 - position).unwrap_or(0));
        for (w, o) in out.iter_mut().enumerate() {
            let (high, low) = (w / inner, w % inner);
            *o = members(range).fold(0, |word, c| word | values[(high * n + c) * inner + low]);
        }
    }
}

/// Warshall's algorithm on every block of `n` rows; paths run through the individuals of `through`.
fn close(rows: &mut [u64], n: usize, through: Mask, reflexive: Mask) {
    for block in rows.chunks_mut(n.max(1)) {
        for middle in members(through) {
            let reach = block[middle];
            for row in block.iter_mut() {
                if *row >> middle & 1 == 1 {
                    *row |= reach;
                }
            }
        }
        for (u, row) in block.iter_mut().enumerate() {
            *row |= reflexive & 1 << u;
        }
    }
}

fn transpose(out: &mut [u64], values: &[u64]) {
    out.fill(0);
    for (row, word) in values.iter().enumerate() {
        for column in members(*word) {
            out[column] |= 1 << row;
        }
    }
}

fn gather(out: &mut [u64], values: &[u64], coordinates: &[Coordinate], k: usize, n: usize, params: &[usize]) {
    let read = |index: &mut dyn Iterator<Item = usize>| {
        let mut position = 0;
        let mut bit = 0;
        for (i, c) in index.enumerate() {
            if i > 0 {
                position = position * n + bit;
            }
            bit = c;
        }
        values[position] >> bit & 1
    };
    if k == 0 {
        out[0] = read(&mut coordinates.iter().map(|c| match c {
            Coordinate::Dimension(_) => 0,
            Coordinate::Parameter(p) => params[*p],
        }));
        return;
    }
    for (w, o) in out.iter_mut().enumerate() {
        *o = (0..n).fold(0, |word, bit| {
            let value = read(&mut coordinates.iter().map(|c| match c {
                Coordinate::Parameter(p) => params[*p],
                Coordinate::Dimension(d) if *d == k - 1 => bit,
                Coordinate::Dimension(d) => w / n.pow(u32::try_from(k - 2 - d).unwrap_or(0)) % n,
            }));
            word | value << bit
        });
    }
}
