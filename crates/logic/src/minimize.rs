//! Semantic minimisation: formulas whose Kleene value is as definite as their propositional form allows.
//!
//! Kleene evaluation forgets that two occurrences of one part have one value: `(a ? b : b & !c | c & b)` is 1/2 for
//! a = c = 1/2 and b = 1, although it is 1 either way. The disjunction of all prime implicants does not forget it: it
//! is definite wherever every completion of the known parts agrees (Reps, Loginov and Sagiv, "Semantic minimization
//! of 3-valued propositional formulae", LICS 2002). Several formulas that are known to agree are minimised together:
//! where they would differ, nothing is represented, so those cases need no answer.

use crate::formula::Formula;
use crate::kleene::Kleene;
use crate::matching::match_definition;

/// With more distinct parts than this a formula stays as it is: there may be 3ⁿ implicants.
const MOST_PARTS: usize = 8;

/// More implicants than this cost more at every evaluation than they are worth.
const MOST_IMPLICANTS: usize = 48;

/// Formulas that together (by the meet of their values) are at least as definite as all of `alternatives`, which have
/// the same value in every concrete structure. Each of the results has that value there, too.
#[must_use]
pub fn minimize(alternatives: &[Formula]) -> Vec<Formula> {
    let alternatives: Vec<Formula> = alternatives.iter().map(minimize_inside).collect();
    if let Some(minimal) = minimize_together(&alternatives) {
        return minimal;
    }
    let each = alternatives.iter().flat_map(|f| match minimize_together(std::slice::from_ref(f)) {
        Some(minimal) => minimal,
        None => vec![f.clone()],
    });
    each.collect()
}

/// One formula with the value of `formula` in every concrete structure, at least as definite elsewhere.
#[must_use]
pub fn minimize_one(formula: &Formula) -> Formula {
    let inside = minimize_inside(formula);
    match minimize_together(std::slice::from_ref(&inside)) {
        Some(mut minimal) if minimal.len() == 1 => minimal.swap_remove(0),
        _ => inside,
    }
}

/// Minimises what stands below quantifiers and closures.
fn minimize_inside(formula: &Formula) -> Formula {
    match formula {
        Formula::Literal(_) | Formula::Atom(..) | Formula::Equal(..) => formula.clone(),
        Formula::Not(_) | Formula::And(_) | Formula::Or(_) | Formula::IfThenElse(..) => {
            formula.map_parts(&mut minimize_inside)
        }
        Formula::Exists(..) | Formula::Forall(..) | Formula::Closure { .. } => formula.map_parts(&mut minimize_one),
    }
}

fn minimize_together(alternatives: &[Formula]) -> Option<Vec<Formula>> {
    let mut skeleton = Skeleton::default();
    let forms: Vec<Form> = alternatives.iter().map(|f| skeleton.form(f)).collect::<Option<_>>()?;
    if let ([_], true) = (forms.as_slice(), skeleton.occurrences == skeleton.parts.len()) {
        // Every part occurs once: Kleene evaluation has nothing to forget.
        return Some(alternatives.to_vec());
    }
    let parts = &skeleton.parts;
    let rows = 1usize << parts.len();
    let value = |form: &Form, row: usize| form.value(row);
    let (mut holds, mut fails, mut open) = (vec![false; rows], vec![false; rows], false);
    for row in 0..rows {
        let first = value(&forms[0], row);
        let agree = forms.iter().all(|form| value(form, row) == first);
        holds[row] = agree && first;
        fails[row] = agree && !first;
        open |= !agree;
    }
    let (one, zero) = (implicants(parts.len(), &holds, &fails), implicants(parts.len(), &fails, &holds));
    if one.len().min(zero.len()) > MOST_IMPLICANTS || open && one.len().max(zero.len()) > MOST_IMPLICANTS {
        return None;
    }
    let holds = disjunction(parts, &one);
    let fails = !disjunction(parts, &zero);
    Some(match (open, one.len() <= zero.len()) {
        (false, true) => vec![holds],
        (false, false) => vec![fails],
        (true, _) => vec![holds, fails],
    })
}

/// The propositional form of formulas: what is no connective is a part.
#[derive(Default)]
struct Skeleton {
    parts: Vec<Formula>,
    occurrences: usize,
}

enum Form {
    Constant(bool),
    Part(usize),
    Not(Box<Form>),
    And(Vec<Form>),
    Or(Vec<Form>),
    IfThenElse(Box<[Form; 3]>),
}

impl Skeleton {
    /// `None` for a formula with the value 1/2 written in it (it is no formula of two-valued logic), or too many parts.
    fn form(&mut self, formula: &Formula) -> Option<Form> {
        Some(match formula {
            Formula::Literal(Kleene::Unknown) => return None,
            Formula::Literal(value) => Form::Constant(*value == Kleene::True),
            Formula::Not(f) => Form::Not(Box::new(self.form(f)?)),
            Formula::And(fs) => Form::And(fs.iter().map(|f| self.form(f)).collect::<Option<_>>()?),
            Formula::Or(fs) => Form::Or(fs.iter().map(|f| self.form(f)).collect::<Option<_>>()?),
            Formula::IfThenElse(c, a, b) => Form::IfThenElse(Box::new([self.form(c)?, self.form(a)?, self.form(b)?])),
            Formula::Atom(..)
            | Formula::Equal(..)
            | Formula::Exists(..)
            | Formula::Forall(..)
            | Formula::Closure { .. } => {
                // A part that reads a written 1/2 need not have one value in one structure.
                if formula.has_written_unknown() {
                    return None;
                }
                self.occurrences += 1;
                let known = self.parts.iter().position(|part| match_definition(part, &[], formula).is_some());
                let part = known.unwrap_or_else(|| {
                    self.parts.push(formula.clone());
                    self.parts.len() - 1
                });
                if part >= MOST_PARTS {
                    return None;
                }
                Form::Part(part)
            }
        })
    }
}

impl Form {
    /// The value where part i is bit i of `row`.
    fn value(&self, row: usize) -> bool {
        match self {
            Form::Constant(value) => *value,
            Form::Part(i) => row >> i & 1 == 1,
            Form::Not(f) => !f.value(row),
            Form::And(fs) => fs.iter().all(|f| f.value(row)),
            Form::Or(fs) => fs.iter().any(|f| f.value(row)),
            Form::IfThenElse(parts) => {
                let [c, a, b] = &**parts;
                if c.value(row) { a.value(row) } else { b.value(row) }
            }
        }
    }
}

/// A conjunction of parts and negated parts: for each part 0, 1, or 2 for "either".
type Term = Vec<u8>;

/// The prime implicants of a function that is 1 on `holds`, 0 on `fails` and free elsewhere; those that hold nowhere
/// on `holds` are left out.
fn implicants(n: usize, holds: &[bool], fails: &[bool]) -> Vec<Term> {
    let size = 3usize.pow(u32::try_from(n).unwrap_or(0));
    let power: Vec<usize> = (0..n).map(|i| 3usize.pow(u32::try_from(i).unwrap_or(0))).collect();
    let (mut implies, mut touches) = (vec![false; size], vec![false; size]);
    for t in 0..size {
        let digit = |i: usize| t / power[i] % 3;
        match (0..n).find(|i| digit(*i) == 2) {
            // Both halves are numbered below t.
            Some(i) => {
                let (zero, one) = (t - 2 * power[i], t - power[i]);
                implies[t] = implies[zero] && implies[one];
                touches[t] = touches[zero] || touches[one];
            }
            None => {
                let row = (0..n).fold(0, |row, i| row | digit(i) << i);
                implies[t] = !fails[row];
                touches[t] = holds[row];
            }
        }
    }
    let mut primes = Vec::new();
    for t in (0..size).filter(|t| implies[*t] && touches[*t]) {
        let wider = |i: &usize| t / power[*i] % 3 != 2 && implies[t + (2 - t / power[*i] % 3) * power[*i]];
        if !(0..n).any(|i| wider(&i)) {
            primes.push((0..n).map(|i| u8::try_from(t / power[i] % 3).unwrap_or(2)).collect());
        }
    }
    primes
}

fn disjunction(parts: &[Formula], terms: &[Term]) -> Formula {
    let literal = |(part, sign): (&Formula, &u8)| match sign {
        0 => Some(!part.clone()),
        1 => Some(part.clone()),
        _ => None,
    };
    let conjunction = |term: &Term| {
        let mut literals: Vec<Formula> = parts.iter().zip(term).filter_map(literal).collect();
        if literals.len() == 1 { literals.swap_remove(0) } else { Formula::And(literals) }
    };
    let mut cases: Vec<Formula> = terms.iter().map(conjunction).collect();
    match cases.len() {
        0 => Formula::FALSE,
        1 if cases[0] == Formula::And(Vec::new()) => Formula::TRUE,
        1 => cases.swap_remove(0),
        _ => Formula::Or(cases),
    }
}
