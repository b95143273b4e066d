//! Linear programs in exact arithmetic: maximise one unknown under `sum of coefficients · unknowns ≤ bound`, bounds and unknowns not negative.

use std::cmp::Ordering;

/// The largest value of an unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Maximum {
    /// The largest integer not above it.
    AtMost(i128),
    Unbounded,
    /// The numbers or the steps grew too large.
    GivenUp,
}

/// A row: coefficients by unknown, and the bound.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Row {
    pub terms: Vec<(usize, i128)>,
    pub bound: i128,
}

/// A fraction with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fraction(i128, i128);

const ZERO: Fraction = Fraction(0, 1);
const ONE: Fraction = Fraction(1, 1);
const MOST_PIVOTS: usize = 2000;

impl Fraction {
    fn new(numerator: i128, denominator: i128) -> Option<Fraction> {
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let divisor = i128::try_from(divisor).ok()?.max(1) * denominator.signum();
        (denominator != 0).then(|| Fraction(numerator / divisor, denominator / divisor))
    }

    fn times(self, other: Fraction) -> Option<Fraction> {
        if self.1 == 1 && other.1 == 1 {
            return Some(Fraction(self.0.checked_mul(other.0)?, 1));
        }
        Fraction::new(self.0.checked_mul(other.0)?, self.1.checked_mul(other.1)?)
    }

    fn minus(self, other: Fraction) -> Option<Fraction> {
        if self.1 == 1 && other.1 == 1 {
            return Some(Fraction(self.0.checked_sub(other.0)?, 1));
        }
        let left = self.0.checked_mul(other.1)?;
        let right = other.0.checked_mul(self.1)?;
        Fraction::new(left.checked_sub(right)?, self.1.checked_mul(other.1)?)
    }

    fn over(self, other: Fraction) -> Option<Fraction> {
        if other == ONE {
            return Some(self);
        }
        Fraction::new(self.0.checked_mul(other.1)?, self.1.checked_mul(other.0)?)
    }

    fn compare(self, other: Fraction) -> Option<Ordering> {
        Some(self.minus(other)?.0.cmp(&0))
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The maximum of the unknown `objective` among `unknowns`.
pub fn maximize(unknowns: usize, rows: &[Row], objective: usize) -> Maximum {
    let Reduced { unknowns, rows, objective } = reduced(unknowns, rows, objective);
    let Some(objective) = objective else { return Maximum::AtMost(0) };
    Tableau::new(unknowns, &rows, objective).and_then(Tableau::run).unwrap_or(Maximum::GivenUp)
}

/// A program without the unknowns that must be 0, and without rows that say nothing.
struct Reduced {
    unknowns: usize,
    rows: Vec<Row>,
    /// `None` if the objective must be 0.
    objective: Option<usize>,
}

/// Most unknowns are edges that cannot be: a tableau is much smaller without them.
fn reduced(unknowns: usize, rows: &[Row], objective: usize) -> Reduced {
    let mut zero = vec![false; unknowns];
    let mut rest: Vec<Row> = rows.to_vec();
    loop {
        // Unknowns are not negative: where no coefficient is and the bound is 0, all of them are 0.
        let fixed = rest.iter().filter(|row| row.bound == 0 && row.terms.iter().all(|(_, c)| *c > 0));
        let found: Vec<usize> = fixed.flat_map(|row| row.terms.iter().map(|(unknown, _)| *unknown)).collect();
        found.iter().for_each(|unknown| zero[*unknown] = true);
        rest.iter_mut().for_each(|row| row.terms.retain(|(unknown, _)| !zero[*unknown]));
        rest.retain(|row| row.terms.iter().any(|(_, coefficient)| *coefficient > 0));
        if found.is_empty() {
            break;
        }
    }
    let mut used = vec![false; unknowns];
    rest.iter().flat_map(|row| &row.terms).for_each(|(unknown, _)| used[*unknown] = true);
    used[objective] = true;
    let mut numbers = vec![usize::MAX; unknowns];
    let kept: Vec<usize> = (0..unknowns).filter(|u| used[*u] && !zero[*u]).collect();
    kept.iter().enumerate().for_each(|(number, unknown)| numbers[*unknown] = number);
    rest.iter_mut().flat_map(|row| &mut row.terms).for_each(|(unknown, _)| *unknown = numbers[*unknown]);
    Reduced { unknowns: kept.len(), rows: rest, objective: (!zero[objective]).then(|| numbers[objective]) }
}

/// The textbook tableau: a column per unknown and per row (its slack), then the bounds. The last row is the objective.
struct Tableau {
    rows: Vec<Vec<Fraction>>,
    /// The unknown that each row defines.
    basis: Vec<usize>,
}

impl Tableau {
    fn new(unknowns: usize, rows: &[Row], objective: usize) -> Option<Tableau> {
        let width = unknowns + rows.len() + 1;
        let mut table = Vec::with_capacity(rows.len() + 1);
        for (i, row) in rows.iter().enumerate() {
            let mut line = vec![ZERO; width];
            for (unknown, coefficient) in &row.terms {
                line[*unknown] = line[*unknown].minus(Fraction(-coefficient, 1))?;
            }
            line[unknowns + i] = Fraction(1, 1);
            line[width - 1] = Fraction(row.bound, 1);
            table.push(line);
        }
        let mut goal = vec![ZERO; width];
        goal[objective] = Fraction(-1, 1);
        table.push(goal);
        Some(Tableau { rows: table, basis: (unknowns..unknowns + rows.len()).collect() })
    }

    fn run(mut self) -> Option<Maximum> {
        let width = self.rows[0].len();
        for _ in 0..MOST_PIVOTS {
            let goal = self.rows.last()?;
            // Bland's rule: the first column that helps, so the search cannot go round in circles.
            let Some(column) = (0..width - 1).find(|c| goal[*c].0 < 0) else {
                let value = goal[width - 1];
                return Some(Maximum::AtMost(value.0.div_euclid(value.1)));
            };
            let mut leaving: Option<(Fraction, usize)> = None;
            for row in 0..self.basis.len() {
                if self.rows[row][column].0 <= 0 {
                    continue;
                }
                let ratio = self.rows[row][width - 1].over(self.rows[row][column])?;
                let better = match leaving {
                    None => true,
                    Some((best, other)) => match ratio.compare(best)? {
                        Ordering::Less => true,
                        Ordering::Equal => self.basis[row] < self.basis[other],
                        Ordering::Greater => false,
                    },
                };
                if better {
                    leaving = Some((ratio, row));
                }
            }
            let Some((_, row)) = leaving else { return Some(Maximum::Unbounded) };
            self.pivot(row, column)?;
        }
        None
    }

    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        let divisor = self.rows[row][column];
        for cell in &mut self.rows[row] {
            *cell = cell.over(divisor)?;
        }
        let pivot = self.rows[row].clone();
        for (i, line) in self.rows.iter_mut().enumerate() {
            let factor = line[column];
            if i == row || factor == ZERO {
                continue;
            }
            for (cell, above) in line.iter_mut().zip(&pivot) {
                if above.0 != 0 {
                    *cell = cell.minus(factor.times(*above)?)?;
                }
            }
        }
        self.basis[row] = column;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Maximum, Row, maximize};

    fn row(terms: &[(usize, i128)], bound: i128) -> Row {
        Row { terms: terms.to_vec(), bound }
    }

    #[test]
    fn elements_that_need_two_predecessors_among_themselves_are_none() {
        // Unknown 0: elements; 1: edges. Each element has one edge at most and needs two.
        let rows = [row(&[(1, 1), (0, -1)], 0), row(&[(0, 2), (1, -1)], 0)];
        assert_eq!(maximize(2, &rows, 0), Maximum::AtMost(0));
    }

    #[test]
    fn one_edge_from_outside_allows_one_element() {
        let rows = [
            row(&[(1, 1), (0, -1)], 0),
            row(&[(2, 1), (3, -1)], 0),
            row(&[(3, 1)], 1),
            row(&[(0, 2), (1, -1), (2, -1)], 0),
        ];
        assert_eq!(maximize(4, &rows, 0), Maximum::AtMost(1));
        assert_eq!(maximize(2, &[row(&[(0, 1), (1, -1)], 0)], 0), Maximum::Unbounded);
        assert_eq!(maximize(2, &[row(&[(0, 2), (1, 3)], 12), row(&[(0, 1)], 4)], 1), Maximum::AtMost(4));
    }

    #[test]
    fn unknowns_that_must_be_nothing_are_left_out() {
        // 1 and 2 are nothing, hence 0 is.
        let rows = [row(&[(1, 1), (2, 3)], 0), row(&[(0, 1), (1, -5)], 0), row(&[(3, -1)], 2)];
        assert_eq!(maximize(4, &rows, 0), Maximum::AtMost(0));
        assert_eq!(maximize(4, &rows, 3), Maximum::Unbounded);
        assert_eq!(maximize(4, &[row(&[(3, 2), (1, -1)], 5), row(&[(1, 1)], 0)], 3), Maximum::AtMost(2));
    }

    #[test]
    fn numbers_that_grow_too_large_are_given_up() {
        let huge = i128::MAX / 2;
        let rows = [row(&[(0, huge), (1, huge - 1)], huge), row(&[(0, huge - 2), (1, -huge)], huge)];
        assert!(matches!(maximize(2, &rows, 1), Maximum::GivenUp | Maximum::AtMost(1)));
    }
}
