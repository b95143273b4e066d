//! What comparisons of integers found out. The integers are not part of a structure; which outcomes a comparison surely
//! does not have is: a predicate that holds says that one is excluded, and one that does not hold says nothing. So nothing
//! is known of a new cell, and of a cell that was merged with others.

use super::predicates::Predicates;
use crate::structure::{Bounds, Structure};
use crate::vocabulary::{Arity, Declaration, Role};
use heapwise_cells::compare::{ComparisonId, OUTCOMES, outcomes};
use heapwise_cells::program::{Access, CellProgram, Command, Point, StepId};
use heapwise_dataflow::{Analysis, Direction, Flow, iterate_to_fixpoint, unlimited};
use heapwise_ir::CompareOperator;
use heapwise_ir::entity::{EntityRef, PrimaryMap};
use heapwise_logic::{Kleene, Predicate};

/// The predicates of comparisons: for less, equal and greater, that it is excluded.
#[derive(Clone, Default, Debug)]
pub struct Comparisons {
    excluded: PrimaryMap<ComparisonId, [Predicate; 3]>,
    fields: PrimaryMap<ComparisonId, Option<Access>>,
    /// The comparisons that are made again from each point on, before their integers change: one bit each.
    live: Vec<u64>,
}

/// Whether a comparison can come out so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It can.
    Possible,
    /// What was found out before excludes it.
    Excluded,
}

impl Comparisons {
    /// Declares the predicates.
    pub fn new(program: &CellProgram, declare: &mut dyn FnMut(&str, Declaration) -> Predicate) -> Comparisons {
        let mut excluded = PrimaryMap::new();
        let mut fields = PrimaryMap::new();
        for comparison in program.comparisons.values() {
            let arity = if comparison.field.is_some() { Arity::Unary } else { Arity::Nullary };
            let declaration = Declaration { role: Role::Plain, ..Declaration::core(arity) };
            let [left, right] = &comparison.words;
            // To exclude an outcome is to know that the opposite holds.
            let name = |opposite: &str| format!("{left} {opposite} {right}");
            let declared = [">=", "!=", "<="].map(|opposite| declare(&name(opposite), declaration.clone()));
            excluded.push(declared);
            fields.push(comparison.field);
        }
        Comparisons { excluded, fields, live: live(program) }
    }

    fn overlapping(&self, access: Access) -> impl Iterator<Item = ComparisonId> + '_ {
        let end = |access: Access| i128::from(access.offset) + i128::from(access.size);
        let meets =
            move |field: Access| i128::from(field.offset) < end(access) && i128::from(access.offset) < end(field);
        self.fields.iter().filter(move |(_, field)| field.is_some_and(meets)).map(|(id, _)| id)
    }
}

/// Which comparisons may be made again before they are forgotten, per point.
fn live(program: &CellProgram) -> Vec<u64> {
    if program.comparisons.is_empty() {
        return vec![0; program.outgoing.len()];
    }
    let Ok(results) = iterate_to_fixpoint(program, LiveComparisons, unlimited);
    results.into_states().into_iter().map(Option::unwrap_or_default).collect()
}

/// Live comparisons: backward, may.
struct LiveComparisons;

impl Analysis<CellProgram> for LiveComparisons {
    type Domain = u64;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self, _: &CellProgram, _: Point) -> Option<u64> {
        Some(0)
    }

    fn apply(&self, program: &CellProgram, step: StepId, live: &mut u64) -> Flow {
        let bit = |id: ComparisonId| 1u64 << id.index().min(63);
        match &program.steps[step].command {
            Command::Compare { comparison, .. } => *live |= bit(*comparison),
            Command::Forget { comparison } => *live &= !bit(*comparison),
            _ => {}
        }
        Flow::Continues
    }
}

impl Predicates {
    /// Takes the outcome of a comparison to be among those of an operator.
    pub fn compare(
        &self,
        structure: &mut Structure,
        comparison: ComparisonId,
        cell: Option<usize>,
        operator: CompareOperator,
    ) -> Outcome {
        let excluded = &self.comparisons.excluded[comparison];
        let known = |predicate: &Predicate| match cell {
            Some(cell) => structure.unary(self.index(*predicate)).must >> cell & 1 == 1,
            None => structure.nullary(self.index(*predicate)) == Kleene::True,
        };
        let before = excluded.iter().enumerate().fold(0u8, |mask, (i, p)| mask | u8::from(known(p)) << i);
        let left = outcomes(operator) & !before;
        if left == 0 {
            return Outcome::Excluded;
        }
        for (i, predicate) in excluded.iter().enumerate() {
            let value = Kleene::from((OUTCOMES & !left) >> i & 1 == 1);
            match cell {
                Some(cell) => self.put(structure, *predicate, cell, value),
                None => structure.set_nullary(self.index(*predicate), value),
            }
        }
        Outcome::Possible
    }

    /// Nothing is known of a comparison.
    pub fn forget(&self, structure: &mut Structure, comparison: ComparisonId) {
        for predicate in &self.comparisons.excluded[comparison] {
            let index = self.index(*predicate);
            match self.comparisons.fields[comparison] {
                Some(_) => structure.set_unary(index, Bounds { may: 0, must: 0 }),
                None => structure.set_nullary(index, Kleene::False),
            }
        }
    }

    /// Nothing is known of any comparison.
    pub fn forget_all(&self, structure: &mut Structure) {
        for comparison in self.comparisons.excluded.keys() {
            self.forget(structure, comparison);
        }
    }

    /// Bytes of a cell are written: nothing is known of comparisons with them.
    pub fn forget_field(&self, structure: &mut Structure, cell: usize, access: Access) {
        for comparison in self.comparisons.overlapping(access) {
            for predicate in &self.comparisons.excluded[comparison] {
                self.put(structure, *predicate, cell, Kleene::False);
            }
        }
    }

    /// What is known of comparisons stays for those that are made again, and for the cells that variables point to.
    pub fn keep_comparisons(&self, structure: &mut Structure, to: Point) {
        if self.comparisons.excluded.is_empty() {
            return;
        }
        let points = self.slots.values().filter_map(|slot| slot.points);
        let named = points.fold(0, |mask, points| mask | structure.unary(self.index(points)).must);
        for (comparison, predicates) in &self.comparisons.excluded {
            if self.comparisons.live[to.index()] >> comparison.index().min(63) & 1 == 0 {
                self.forget(structure, comparison);
            } else if self.comparisons.fields[comparison].is_some() {
                for predicate in predicates {
                    let index = self.index(*predicate);
                    let must = structure.unary(index).must & named;
                    structure.set_unary(index, Bounds { may: must, must });
                }
            }
        }
    }
}
