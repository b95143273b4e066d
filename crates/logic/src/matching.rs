//! Recognising a definition inside a formula: matching up to the names of bound variables and the order of operands.

use crate::formula::{Formula, Variable};

/// Finds `args` with `pattern[params := args]` equal to `target`, up to bound names and operand order.
#[must_use]
pub fn match_definition(pattern: &Formula, params: &[Variable], target: &Formula) -> Option<Vec<Variable>> {
    // Most formulas differ at the top already.
    if std::mem::discriminant(pattern) != std::mem::discriminant(target) {
        return None;
    }
    let mut matcher = Matcher { params, found: vec![None; params.len()], bound: Vec::new() };
    if matcher.formula(pattern, target) { matcher.found.into_iter().collect() } else { None }
}

struct Matcher<'a> {
    params: &'a [Variable],
    found: Vec<Option<Variable>>,
    /// Bound variables, pattern's and target's, innermost last.
    bound: Vec<(Variable, Variable)>,
}

impl Matcher<'_> {
    fn variable(&mut self, pattern: &Variable, target: &Variable) -> bool {
        let by_pattern = self.bound.iter().rposition(|(p, _)| p == pattern);
        let by_target = self.bound.iter().rposition(|(_, t)| t == target);
        if by_pattern.is_some() || by_target.is_some() {
            return by_pattern == by_target;
        }
        match self.params.iter().position(|p| p == pattern) {
            Some(i) => match &self.found[i] {
                Some(known) => known == target,
                None => {
                    self.found[i] = Some(target.clone());
                    true
                }
            },
            None => pattern == target,
        }
    }

    fn formula(&mut self, pattern: &Formula, target: &Formula) -> bool {
        match (pattern, target) {
            (Formula::Literal(a), Formula::Literal(b)) => a == b,
            (Formula::Atom(p, a), Formula::Atom(q, b)) => {
                p == q && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.variable(a, b))
            }
            (Formula::Equal(a, b), Formula::Equal(c, d)) => {
                let saved = self.found.clone();
                if self.variable(a, c) && self.variable(b, d) {
                    return true;
                }
                self.found = saved;
                self.variable(a, d) && self.variable(b, c)
            }
            (Formula::Not(a), Formula::Not(b)) => self.formula(a, b),
            (Formula::And(a), Formula::And(b)) | (Formula::Or(a), Formula::Or(b)) => {
                a.len() == b.len() && self.operands(a, b, &mut vec![false; b.len()])
            }
            (Formula::IfThenElse(a, b, c), Formula::IfThenElse(d, e, f)) => {
                self.formula(a, d) && self.formula(b, e) && self.formula(c, f)
            }
            (Formula::Exists(a, f), Formula::Exists(b, g)) | (Formula::Forall(a, f), Formula::Forall(b, g)) => {
                a.len() == b.len() && self.bodies(a, &mut b.clone(), 0, f, g)
            }
            (
                Formula::Closure { steps: s, from: a, to: b, left: l, right: r, step: f },
                Formula::Closure { steps: t, from: c, to: d, left: m, right: q, step: g },
            ) => {
                if s != t || !self.variable(a, c) || !self.variable(b, d) {
                    return false;
                }
                self.bound.extend([(l.clone(), m.clone()), (r.clone(), q.clone())]);
                let matched = self.formula(f, g);
                self.bound.truncate(self.bound.len() - 2);
                matched
            }
            _ => false,
        }
    }

    fn operands(&mut self, pattern: &[Formula], target: &[Formula], used: &mut Vec<bool>) -> bool {
        let Some((first, rest)) = pattern.split_first() else { return true };
        for (i, candidate) in target.iter().enumerate() {
            if used[i] {
                continue;
            }
            let saved = self.found.clone();
            if self.formula(first, candidate) {
                used[i] = true;
                if self.operands(rest, target, used) {
                    return true;
                }
                used[i] = false;
            }
            self.found = saved;
        }
        false
    }

    /// Tries the orders of the target's bound variables.
    fn bodies(&mut self, a: &[Variable], b: &mut Vec<Variable>, fixed: usize, f: &Formula, g: &Formula) -> bool {
        if fixed == b.len() {
            let saved = self.found.clone();
            let depth = self.bound.len();
            self.bound.extend(a.iter().cloned().zip(b.iter().cloned()));
            let matched = self.formula(f, g);
            self.bound.truncate(depth);
            if !matched {
                self.found = saved;
            }
            return matched;
        }
        for i in fixed..b.len() {
            b.swap(fixed, i);
            let matched = self.bodies(a, b, fixed + 1, f, g);
            b.swap(fixed, i);
            if matched {
                return true;
            }
        }
        false
    }
}
