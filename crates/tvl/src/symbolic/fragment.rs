//! Rewriting formulas so that fewer existential quantifiers stand below universal ones.
//!
//! Satisfiability is decided exactly where no ∃ stands below ∀. Two kinds of ∃ below ∀ are only apparent:
//! * a *closed* subformula does not depend on the universal variables: a proposition takes its place, defined by an
//!   axiom of its own;
//! * `E(u) (x(u) & ψ)` with x unique speaks of the one individual of x: it is `some_x & A(u) (x(u) -> ψ)`, where the
//!   proposition `some_x` stands for `E(u) x(u)`.

use super::problem::Symbols;
use heapwise_logic::normal::negation_normal;
use heapwise_logic::simplify::simplify;
use heapwise_logic::{Formula, Predicate, Variable};

/// `formula` (closed) rewritten; definitions of new propositions are added to `axioms`.
#[must_use]
pub fn flatten(formula: &Formula, symbols: &mut Symbols, axioms: &mut Vec<Formula>) -> Formula {
    let normal = negation_normal(&simplify(&negation_normal(formula)));
    let normal = negation_normal(&normal);
    Flattening { symbols, axioms }.rewrite(&normal, Below::Nothing)
}

/// Whether a universal quantifier stands above.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    Nothing,
    Forall,
}

struct Flattening<'a> {
    symbols: &'a mut Symbols,
    axioms: &'a mut Vec<Formula>,
}

impl Flattening<'_> {
    fn rewrite(&mut self, formula: &Formula, below: Below) -> Formula {
        match formula {
            Formula::Forall(vs, body) => {
                if below == Below::Forall && formula.free_variables().is_empty() {
                    return self.proposition(formula);
                }
                Formula::Forall(vs.clone(), Box::new(self.rewrite(body, Below::Forall)))
            }
            Formula::Exists(vs, body) => {
                if below == Below::Nothing {
                    return Formula::Exists(vs.clone(), Box::new(self.rewrite(body, below)));
                }
                if formula.free_variables().is_empty() {
                    return self.proposition(formula);
                }
                self.determined(vs, body)
            }
            Formula::And(_) | Formula::Or(_) => formula.map_parts(&mut |f| self.rewrite(f, below)),
            Formula::Literal(_)
            | Formula::Atom(..)
            | Formula::Equal(..)
            | Formula::Not(_)
            | Formula::IfThenElse(..)
            | Formula::Closure { .. } => formula.clone(),
        }
    }

    /// An existential with free variables below a universal: variables of unique predicates become universal.
    fn determined(&mut self, vs: &[Variable], body: &Formula) -> Formula {
        let parts: Vec<Formula> = match body {
            Formula::And(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        let unique = vs.iter().find_map(|v| {
            parts.iter().find_map(|part| match part {
                Formula::Atom(p, args) if args == std::slice::from_ref(v) && self.symbols.is_unique(*p) => {
                    Some((v.clone(), *p))
                }
                _ => None,
            })
        });
        let Some((v, p)) = unique else {
            return Formula::Exists(vs.to_vec(), Box::new(self.rewrite(body, Below::Forall)));
        };
        let own = Formula::atom(p, std::slice::from_ref(&v));
        let rest: Vec<Formula> = parts.into_iter().filter(|part| *part != own).collect();
        let others: Vec<Variable> = vs.iter().filter(|w| **w != v).cloned().collect();
        let some = self.some(p);
        if rest.is_empty() && others.is_empty() {
            return some;
        }
        let inner = self.rewrite(&Formula::exists(others, Formula::And(rest)), Below::Forall);
        Formula::and(some, Formula::forall(vec![v], Formula::or(!own, inner)))
    }

    fn some(&mut self, p: Predicate) -> Formula {
        let v = Variable::new("v");
        self.proposition(&Formula::exists(vec![v.clone()], Formula::atom(p, &[v])))
    }

    /// The proposition that stands for a closed formula.
    fn proposition(&mut self, closed: &Formula) -> Formula {
        let closed = self.rewrite(closed, Below::Nothing);
        let (predicate, is_new) = self.symbols.proposition(&closed);
        let own = Formula::Atom(predicate, Vec::new());
        if is_new {
            let negated = negation_normal(&!closed.clone());
            let negated = self.rewrite(&negated, Below::Nothing);
            self.axioms.push(Formula::or(!own.clone(), closed));
            self.axioms.push(Formula::or(own.clone(), negated));
        }
        own
    }
}
