//! Normal forms that the constraint rules need.

use crate::formula::Formula;
use crate::formula::Variable;
use crate::simplify::{negate, simplify};

/// Negation normal form: negations stand before atoms, equalities and closures only; if-then-else is spelled out.
#[must_use]
pub fn negation_normal(formula: &Formula) -> Formula {
    match formula {
        Formula::Literal(_) | Formula::Atom(..) | Formula::Equal(..) | Formula::Closure { .. } => formula.clone(),
        Formula::And(_) | Formula::Or(_) | Formula::Exists(..) | Formula::Forall(..) => {
            formula.map_parts(&mut negation_normal)
        }
        Formula::IfThenElse(c, a, b) => {
            let (c, a, b) = (negation_normal(c), negation_normal(a), negation_normal(b));
            let not_c = negated_normal(&c);
            Formula::or(Formula::and(c, a), Formula::and(not_c, b))
        }
        Formula::Not(f) => negated_normal(f),
    }
}

fn negated_normal(formula: &Formula) -> Formula {
    match formula {
        Formula::Literal(value) => Formula::Literal(!*value),
        Formula::Atom(..) | Formula::Equal(..) | Formula::Closure { .. } => !formula.clone(),
        Formula::Not(f) => negation_normal(f),
        Formula::And(fs) => Formula::Or(fs.iter().map(negated_normal).collect()),
        Formula::Or(fs) => Formula::And(fs.iter().map(negated_normal).collect()),
        Formula::Exists(vs, f) => Formula::Forall(vs.clone(), Box::new(negated_normal(f))),
        Formula::Forall(vs, f) => Formula::Exists(vs.clone(), Box::new(negated_normal(f))),
        Formula::IfThenElse(c, a, b) => {
            let spelled =
                Formula::IfThenElse(c.clone(), Box::new(negate((**a).clone())), Box::new(negate((**b).clone())));
            negation_normal(&spelled)
        }
    }
}

/// `formula` as `E(vs) (L & …)`: the quantified variables, each with a name of its own, and the conjuncts.
/// `None` when the formula is a proper disjunction or constant. Conjuncts may be anything that is not a conjunction
/// or an existential.
#[must_use]
pub fn existential_conjunction(formula: &Formula) -> Option<(Vec<Variable>, Vec<Formula>)> {
    let formula = negation_normal(&simplify(formula)).rename_apart("c", &mut 0);
    let mut variables = Vec::new();
    let mut conjuncts = Vec::new();
    collect(&formula, &mut variables, &mut conjuncts);
    let proper = match conjuncts.as_slice() {
        [] => false,
        [only] => !matches!(only, Formula::Or(_) | Formula::Literal(_) | Formula::Forall(..)),
        _ => true,
    };
    proper.then_some((variables, conjuncts))
}

fn collect(formula: &Formula, variables: &mut Vec<Variable>, conjuncts: &mut Vec<Formula>) {
    match formula {
        Formula::Exists(vs, f) => {
            variables.extend(vs.iter().cloned());
            collect(f, variables, conjuncts);
        }
        Formula::And(fs) => fs.iter().for_each(|f| collect(f, variables, conjuncts)),
        other => conjuncts.push(other.clone()),
    }
}
