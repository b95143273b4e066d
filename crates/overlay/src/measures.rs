//! Measures of structures that are put together: equations are solved without making anything equal that is not known to be.

use crate::heap::Measure;
use crate::predicate::{Definition, Equation, MeasureOf, MeasureTerm};
use rustc_hash::FxHashMap;

/// What is known of the measures of a structure and its parts. A measure that is not known, though all equations were looked
/// at, may be any.
#[derive(Clone, Default, Debug)]
pub(crate) struct Known {
    values: FxHashMap<MeasureOf, Measure>,
}

impl Known {
    /// Says what a measure is.
    pub fn set(&mut self, of: MeasureOf, measure: Option<Measure>) {
        if let Some(measure) = measure {
            self.values.insert(of, measure);
        }
    }

    pub fn get(&self, of: MeasureOf) -> Option<Measure> {
        self.values.get(&of).copied()
    }

    /// The measures of the structure itself.
    pub fn own(&self, definition: &Definition) -> Vec<Option<Measure>> {
        (0..definition.measures.len()).map(|number| self.get(MeasureOf::Own(number))).collect()
    }

    fn value(&self, term: MeasureTerm) -> Option<Measure> {
        match term.of {
            None => Some(Measure::constant(term.plus)),
            Some(of) => self.get(of)?.plus(term.plus),
        }
    }

    /// Finds out what equations say; `None` if they do not hold, as far as is known, or say something of two measures of
    /// the structure of which neither is known.
    pub fn solve(&mut self, equations: &[Equation]) -> Option<()> {
        loop {
            let before = self.values.len();
            for equation in equations {
                match (self.value(equation.left), self.value(equation.right)) {
                    (Some(left), Some(right)) => (left == right).then_some(())?,
                    (Some(known), None) => self.derive(equation.right, known)?,
                    (None, Some(known)) => self.derive(equation.left, known)?,
                    (None, None) => {}
                }
            }
            if self.values.len() == before {
                break;
            }
        }
        self.are_independent(equations).then_some(())
    }

    fn derive(&mut self, term: MeasureTerm, known: Measure) -> Option<()> {
        let of = term.of?;
        self.values.insert(of, known.minus(term.plus)?);
        Some(())
    }

    /// Whether measures of the structure that are not known are not tied to each other.
    fn are_independent(&self, equations: &[Equation]) -> bool {
        let mut classes: Vec<Vec<MeasureOf>> = Vec::new();
        for equation in equations {
            let (Some(left), Some(right)) = (equation.left.of, equation.right.of) else { continue };
            if self.values.contains_key(&left) || self.values.contains_key(&right) {
                continue;
            }
            if equation.left.plus != equation.right.plus {
                return false;
            }
            let (mut tied, mut others): (Vec<_>, Vec<_>) =
                classes.into_iter().partition(|class| class.contains(&left) || class.contains(&right));
            tied.push(vec![left, right]);
            let mut all: Vec<MeasureOf> = tied.concat();
            all.sort_unstable();
            all.dedup();
            others.push(all);
            classes = others;
        }
        let is_own = |of: &&MeasureOf| matches!(of, MeasureOf::Own(_));
        classes.iter().all(|class| class.iter().filter(is_own).count() <= 1)
    }
}

/// The equations of a structure as ones about a part.
pub(crate) fn of_part(equations: &[Equation], part: usize) -> impl Iterator<Item = Equation> + '_ {
    let moved = move |term: MeasureTerm| MeasureTerm {
        of: term.of.map(|of| match of {
            MeasureOf::Own(number) | MeasureOf::Part(_, number) => MeasureOf::Part(part, number),
        }),
        ..term
    };
    equations.iter().map(move |equation| Equation { left: moved(equation.left), right: moved(equation.right) })
}

/// The measures of an empty structure, as far as its predicate says.
pub(crate) fn of_empty(definition: &Definition) -> Vec<Option<Measure>> {
    let mut known = Known::default();
    for equation in &definition.empty {
        if let (MeasureTerm { of: Some(of), plus: 0 }, MeasureTerm { of: None, plus }) = (equation.left, equation.right)
        {
            known.set(of, Some(Measure::constant(plus)));
        }
    }
    known.own(definition)
}
