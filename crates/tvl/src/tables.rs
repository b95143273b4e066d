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

    /// One operation. (Long: the loop of a virtual machine, one case for each.)
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
                    broadcast(a_may, feed, k, n, full, may.len(), |w, a| may[w] &= a);
                    broadcast(a_must, feed, k, n, full, must.len(), |w, a| must[w] &= a);
                }
            }
            Operation::Or(operands) => {
                may.fill(0);
                must.fill(0);
                for (register, feed) in operands {
                    let (a_may, a_must) = source(register);
                    broadcast(a_may, feed, k, n, full, may.len(), |w, a| may[w] |= a);
                    broadcast(a_must, feed, k, n, full, must.len(), |w, a| must[w] |= a);
                }
            }
            Operation::IfThenElse(operands) => {
                let [(c, c_feed), (a, a_feed), (b, b_feed)] = &**operands;
                let ((c_may, c_must), (a_may, a_must), (b_may, b_must)) = (source(c), source(a), source(b));
                // may = c & a | !c & b, must = (!c | a) & (c | b), each with the bound of c that lets more through.
                broadcast(c_may, c_feed, k, n, full, may.len(), |w, c| (may[w], must[w]) = (c, full & !c));
                broadcast(a_may, a_feed, k, n, full, may.len(), |w, a| may[w] &= a);
                broadcast(a_must, a_feed, k, n, full, must.len(), |w, a| must[w] |= a);
                let mut otherwise = vec![(0, 0); may.len()];
                broadcast(c_must, c_feed, k, n, full, may.len(), |w, c| otherwise[w] = (full & !c, c));
                broadcast(b_may, b_feed, k, n, full, may.len(), |w, b| otherwise[w].0 &= b);
                broadcast(b_must, b_feed, k, n, full, must.len(), |w, b| otherwise[w].1 |= b);
                for (w, (b_may, b_must)) in otherwise.into_iter().enumerate() {
                    may[w] |= b_may;
                    must[w] &= b_must;
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

/// Tables with more dimensions than this keep their coordinates in memory of their own.
const FEW_DIMENSIONS: usize = 8;

/// Calls `see` with each word of a table of `k` dimensions and the operand's word that belongs there.
#[inline]
fn broadcast(values: &[u64], feed: &Feed, k: usize, n: usize, full: Mask, len: usize, mut see: impl FnMut(usize, u64)) {
    let fill = |bit: u64| if bit & 1 == 1 { full } else { 0 };
    let dimensions = match feed {
        Feed::Same => {
            values[..len].iter().enumerate().for_each(|(w, value)| see(w, *value));
            return;
        }
        Feed::Scalar => {
            let value = fill(values[0]);
            (0..len).for_each(|w| see(w, value));
            return;
        }
        Feed::Dimensions(dimensions) => dimensions,
    };
    let Some((last, others)) = dimensions.split_last() else { return };
    if k < 2 || len == 0 {
        // One word: the operand's only dimension is the result's.
        (0..len).for_each(|w| see(w, values[w]));
        return;
    }
    // How far the operand's word moves when a coordinate of the result's word grows by one.
    let (mut few, mut many) = ([[0usize; FEW_DIMENSIONS]; 2], Vec::new());
    let (stride, coordinates) = if k <= FEW_DIMENSIONS {
        let [stride, coordinates] = &mut few;
        (&mut stride[..], &mut coordinates[..])
    } else {
        many.resize(2 * k, 0usize);
        many.split_at_mut(k)
    };
    others.iter().rev().fold(1, |step, d| {
        stride[*d] = step;
        step * n
    });
    // The coordinate that picks a bit of the operand's word; none if its bits are the result's bits.
    let bit_of = (*last != k - 1).then_some(*last);
    let (inner, step) = (k - 2, stride[k - 2]);
    let (mut base, mut w) = (0, 0);
    while w < len {
        match bit_of {
            None => (0..n).for_each(|c| see(w + c, values[base + c * step])),
            Some(d) if d == inner => (0..n).for_each(|c| see(w + c, fill(values[base] >> c))),
            Some(d) => {
                let bit = coordinates[d];
                (0..n).for_each(|c| see(w + c, fill(values[base + c * step] >> bit)));
            }
        }
        w += n;
        for d in (0..inner).rev() {
            coordinates[d] += 1;
            base += stride[d];
            if coordinates[d] < n {
                break;
            }
            coordinates[d] = 0;
            base -= n * stride[d];
        }
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
