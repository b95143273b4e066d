//! Claims as rules: what a claim says of each cell sharpens a structure at once, where otherwise cases would be tried.
//!
//! A claim is spelled out as clauses `∀v̄ (L₁ | … | Lₙ)`; each gives, for every literal, the rule `!L₁ & … ==> Lᵢ`. A cell
//! of which a claim says that it exists, and of which there is one at most (where a pointer points, where a link leads),
//! is any that has the name: `∃v (p(v) & φ(v))` says `∀v (p(v) ==> φ(v))`.
//!
//! *Soundness.* Rules are consequences of the claim, for cells of the structure. A condition that speaks of all cells could
//! hold of those and fail of cells outside: claims about all cells give rules only where quantifiers inside of them range
//! over what is reached.

use super::super::predicates::Predicates;
use super::ghosts::Condition;
use super::terms::Extent;
use crate::rules::{Head, Rule, RuleSource};
use crate::vocabulary::Property;
use heapwise_logic::normal::negation_normal;
use heapwise_logic::simplify::simplify;
use heapwise_logic::{Formula, Kleene, Predicate, Variable};

/// A claim that needs more clauses, or a rule that needs more variables, gives no rules: they only help.
const CLAUSES: usize = 48;
const VARIABLES: usize = 3;

/// A disjunction of literals and of what is no literal.
type Clause = Vec<Formula>;

/// The rules that claims give.
pub(super) fn claim_rules(predicates: &Predicates, conditions: &[Condition]) -> Vec<Rule> {
    let claims = Claims { predicates };
    let mut rules: Vec<Rule> = Vec::new();
    for condition in conditions {
        let formula = negation_normal(&simplify(&condition.formula)).rename_apart("q", &mut 0);
        // What is said in one breath, and what is said apart, gives the same rules: each part may need many clauses.
        for clause in conjuncts(&formula).iter().filter_map(|part| claims.clauses(part)).flatten() {
            for rule in claims.rules(&clause, condition.extent) {
                if !rules.iter().any(|known| known.body == rule.body && known.head == rule.head) {
                    rules.push(rule);
                }
            }
        }
    }
    rules
}

/// The formulas of which one in negation normal form is the conjunction.
fn conjuncts(formula: &Formula) -> Vec<Formula> {
    match formula {
        Formula::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        Formula::Forall(variables, body) => {
            conjuncts(body).into_iter().map(|part| Formula::forall(variables.clone(), part)).collect()
        }
        other => vec![other.clone()],
    }
}

/// Whether quantifiers inside of a formula range over cells that are reached, so that those outside do not matter.
pub(super) fn is_guarded(predicates: &Predicates, formula: &Formula) -> bool {
    Claims { predicates }.is_guarded(&negation_normal(&simplify(formula)))
}

struct Claims<'a> {
    predicates: &'a Predicates,
}

impl Claims<'_> {
    /// A formula in negation normal form as clauses; variables of outer quantifiers are free in them.
    fn clauses(&self, formula: &Formula) -> Option<Vec<Clause>> {
        let mut all: Vec<Clause> = match formula {
            Formula::Literal(Kleene::True) => Vec::new(),
            Formula::Literal(Kleene::False) => vec![Vec::new()],
            Formula::And(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.clauses(part)?);
                }
                all
            }
            Formula::Or(parts) => {
                let mut all: Vec<Clause> = vec![Vec::new()];
                for part in parts {
                    let more = self.clauses(part)?;
                    if all.len() * more.len() > CLAUSES {
                        return None;
                    }
                    let joined = |clause: &Clause| -> Vec<Clause> {
                        more.iter().map(|other| clause.iter().chain(other).cloned().collect()).collect()
                    };
                    all = all.iter().flat_map(joined).collect();
                }
                all
            }
            Formula::Forall(_, body) => self.clauses(body)?,
            Formula::Exists(variables, body) => {
                let mut all = vec![vec![formula.clone()]];
                for said in self.of_named(variables, body) {
                    all.extend(self.clauses(&said)?);
                }
                all
            }
            other => vec![vec![other.clone()]],
        };
        if all.len() > CLAUSES {
            return None;
        }
        all.dedup();
        Some(all)
    }

    /// What `∃variables body` says of those of its cells of which there is one at most.
    fn of_named(&self, variables: &[Variable], body: &Formula) -> Vec<Formula> {
        let conjuncts = match body {
            Formula::And(parts) => parts.as_slice(),
            other => std::slice::from_ref(other),
        };
        let mut said = Vec::new();
        for variable in variables {
            for (i, name) in conjuncts.iter().enumerate() {
                if !self.names_one(name, variable, variables) {
                    continue;
                }
                let others = variables.iter().filter(|other| *other != variable).cloned().collect();
                let rest = conjuncts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, part)| part.clone());
                let rest = Formula::exists(others, Formula::And(rest.collect()));
                said.push(Formula::or(!name.clone(), rest));
            }
        }
        said
    }

    /// Whether an atom holds of one cell at most in the place of `variable`, the others being given.
    fn names_one(&self, atom: &Formula, variable: &Variable, bound: &[Variable]) -> bool {
        let Formula::Atom(predicate, arguments) = atom else { return false };
        let declaration = self.predicates.vocabulary.declaration(*predicate);
        match arguments.as_slice() {
            [own] => own == variable && declaration.has(Property::Unique),
            [from, to] => to == variable && declaration.has(Property::Function) && !bound.contains(from),
            _ => false,
        }
    }

    fn rules(&self, clause: &[Formula], extent: Extent) -> Vec<Rule> {
        let mut rules = Vec::new();
        for (i, part) in clause.iter().enumerate() {
            let Some(head) = Head::from_formula(part) else { continue };
            let others = clause.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, other)| !other.clone());
            let body = negation_normal(&simplify(&Formula::And(others.collect())));
            let mut variables = body.free_variables();
            variables.extend(part.free_variables());
            let is_empty = matches!(body, Formula::Literal(Kleene::False));
            if is_empty || variables.len() > VARIABLES || (extent == Extent::All && !self.is_guarded(&body)) {
                continue;
            }
            rules.push(Rule { body, head, source: RuleSource::Written("contract".to_owned()) });
        }
        rules
    }

    /// Whether all quantifiers of a formula in negation normal form range over cells that are reached.
    fn is_guarded(&self, formula: &Formula) -> bool {
        match formula {
            Formula::Literal(_) | Formula::Atom(..) | Formula::Equal(..) => true,
            Formula::Not(inner) => self.is_guarded(inner),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().all(|part| self.is_guarded(part)),
            Formula::IfThenElse(c, a, b) => [c, a, b].into_iter().all(|part| self.is_guarded(part)),
            Formula::Exists(variables, body) => {
                let parts: &[Formula] =
                    if let Formula::And(parts) = &**body { parts } else { std::slice::from_ref(body) };
                self.are_reached(variables, parts) && self.is_guarded(body)
            }
            Formula::Forall(variables, body) => {
                let parts: &[Formula] =
                    if let Formula::Or(parts) = &**body { parts } else { std::slice::from_ref(body) };
                let guards: Vec<Formula> = parts
                    .iter()
                    .filter_map(|part| if let Formula::Not(guard) = part { Some((**guard).clone()) } else { None })
                    .collect();
                self.are_reached(variables, &guards) && self.is_guarded(body)
            }
            Formula::Closure { step, .. } => self.is_guarded(step),
        }
    }

    /// Whether guards say of all variables that pointers or links lead there: those lead nowhere outside.
    fn are_reached(&self, variables: &[Variable], guards: &[Formula]) -> bool {
        let mut open: Vec<&Variable> = variables.iter().collect();
        loop {
            let before = open.len();
            let still_open = open.clone();
            open.retain(|variable| {
                !guards.iter().any(|guard| match guard {
                    Formula::Atom(predicate, arguments) => match arguments.as_slice() {
                        [own] => own == *variable && self.is_reach(*predicate),
                        [from, to] => to == *variable && self.is_link(*predicate) && !still_open.contains(&from),
                        _ => false,
                    },
                    Formula::Closure { from, to, .. } => to == *variable && !still_open.contains(&from),
                    _ => false,
                })
            });
            if open.is_empty() || open.len() == before {
                return open.is_empty();
            }
        }
    }

    fn is_reach(&self, predicate: Predicate) -> bool {
        self.predicates.slots.values().any(|slot| slot.points.iter().chain(&slot.reach).any(|own| *own == predicate))
    }

    fn is_link(&self, predicate: Predicate) -> bool {
        predicate == self.predicates.spine
            || self.predicates.links.values().flatten().any(|link| link.edge == predicate)
    }
}
