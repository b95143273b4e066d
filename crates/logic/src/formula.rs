//! Formulas: the tree, its constructors, free variables and substitution.

use crate::kleene::Kleene;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// A logical variable, by name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(Arc<str>);

impl Variable {
    /// The variable of that name.
    #[must_use]
    pub fn new(name: &str) -> Variable {
        Variable(name.into())
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A predicate symbol. Each has a primed twin, which speaks of the state after a step (the two-store vocabulary of
/// Yorsh, Reps and Sagiv, section 4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Predicate(u32);

const PRIMED: u32 = 1 << 31;

impl Predicate {
    /// The unprimed predicate with that number.
    #[must_use]
    pub fn new(index: usize) -> Predicate {
        Predicate(u32::try_from(index).unwrap_or(u32::MAX) & !PRIMED)
    }

    /// The number, the same for a predicate and its primed twin.
    #[must_use]
    pub fn index(self) -> usize {
        (self.0 & !PRIMED) as usize
    }

    /// The twin that speaks of the state after the step.
    #[must_use]
    pub fn primed(self) -> Predicate {
        Predicate(self.0 | PRIMED)
    }

    /// Whether it speaks of the state after the step.
    #[must_use]
    pub fn is_primed(self) -> bool {
        self.0 & PRIMED != 0
    }
}

/// How many individuals a predicate speaks of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Arity {
    /// A fact about the whole structure.
    Nullary,
    /// A property of an individual.
    Unary,
    /// A relation between two.
    Binary,
}

impl Arity {
    /// The number.
    #[must_use]
    pub fn count(self) -> usize {
        match self {
            Arity::Nullary => 0,
            Arity::Unary => 1,
            Arity::Binary => 2,
        }
    }

    /// The arity with that number of individuals.
    #[must_use]
    pub fn of(count: usize) -> Option<Arity> {
        [Arity::Nullary, Arity::Unary, Arity::Binary].get(count).copied()
    }
}

/// How many steps a path takes at least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Steps {
    /// Reflexive: `p*`.
    ZeroOrMore,
    /// `p+` and `TC`.
    OneOrMore,
}

/// A formula of first-order logic with transitive closure.
///
/// Implication and equivalence are written with the other connectives (their Kleene value is the same). If-then-else
/// is not: when the condition is 1/2 and both branches agree, it has their value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
    /// A truth value.
    Literal(Kleene),
    /// `p(v, …)`.
    Atom(Predicate, Vec<Variable>),
    /// `v == w`.
    Equal(Variable, Variable),
    /// `!φ`.
    Not(Box<Formula>),
    /// `φ & …`; empty is 1.
    And(Vec<Formula>),
    /// `φ | …`; empty is 0.
    Or(Vec<Formula>),
    /// `(φ ? ψ : χ)`.
    IfThenElse(Box<Formula>, Box<Formula>, Box<Formula>),
    /// `E(v, …) φ`.
    Exists(Vec<Variable>, Box<Formula>),
    /// `A(v, …) φ`.
    Forall(Vec<Variable>, Box<Formula>),
    /// `TC(from, to)(left, right) φ`: a path of φ-steps leads from `from` to `to`.
    Closure {
        /// How many steps it takes at least.
        steps: Steps,
        /// Where the path starts.
        from: Variable,
        /// Where it ends.
        to: Variable,
        /// The bound variable for the start of a step.
        left: Variable,
        /// The bound variable for the end of a step.
        right: Variable,
        /// One step.
        step: Box<Formula>,
    },
}

impl Formula {
    /// 0.
    pub const FALSE: Formula = Formula::Literal(Kleene::False);
    /// 1.
    pub const TRUE: Formula = Formula::Literal(Kleene::True);

    /// `p(args)`.
    #[must_use]
    pub fn atom(predicate: Predicate, args: &[Variable]) -> Formula {
        Formula::Atom(predicate, args.to_vec())
    }

    /// `a == b`.
    #[must_use]
    pub fn equal(a: &Variable, b: &Variable) -> Formula {
        Formula::Equal(a.clone(), b.clone())
    }

    /// `a -> b`.
    #[must_use]
    pub fn implies(a: Formula, b: Formula) -> Formula {
        Formula::Or(vec![!a, b])
    }

    /// `a <-> b`.
    #[must_use]
    pub fn iff(a: Formula, b: Formula) -> Formula {
        Formula::And(vec![Formula::implies(a.clone(), b.clone()), Formula::implies(b, a)])
    }

    /// `a & b`.
    #[must_use]
    pub fn and(a: Formula, b: Formula) -> Formula {
        Formula::And(vec![a, b])
    }

    /// `a | b`.
    #[must_use]
    pub fn or(a: Formula, b: Formula) -> Formula {
        Formula::Or(vec![a, b])
    }

    /// `(c ? a : b)`.
    #[must_use]
    pub fn if_then_else(c: Formula, a: Formula, b: Formula) -> Formula {
        Formula::IfThenElse(Box::new(c), Box::new(a), Box::new(b))
    }

    /// `E(vs) φ`; φ itself when `vs` is empty.
    #[must_use]
    pub fn exists(variables: Vec<Variable>, body: Formula) -> Formula {
        if variables.is_empty() { body } else { Formula::Exists(variables, Box::new(body)) }
    }

    /// `A(vs) φ`; φ itself when `vs` is empty.
    #[must_use]
    pub fn forall(variables: Vec<Variable>, body: Formula) -> Formula {
        if variables.is_empty() { body } else { Formula::Forall(variables, Box::new(body)) }
    }

    /// A path of p-edges: `p*(from, to)` or `p+(from, to)`.
    #[must_use]
    pub fn path(predicate: Predicate, steps: Steps, from: &Variable, to: &Variable) -> Formula {
        let (left, right) = (Variable::new("$l"), Variable::new("$r"));
        let step = Box::new(Formula::Atom(predicate, vec![left.clone(), right.clone()]));
        Formula::Closure { steps, from: from.clone(), to: to.clone(), left, right, step }
    }

    /// The variables that occur free, in name order.
    #[must_use]
    pub fn free_variables(&self) -> BTreeSet<Variable> {
        let mut free = BTreeSet::new();
        self.collect_free(&mut Vec::new(), &mut free);
        free
    }

    fn collect_free(&self, bound: &mut Vec<Variable>, free: &mut BTreeSet<Variable>) {
        let note = |v: &Variable, bound: &Vec<Variable>, free: &mut BTreeSet<Variable>| {
            if !bound.contains(v) {
                free.insert(v.clone());
            }
        };
        match self {
            Formula::Literal(_) => {}
            Formula::Atom(_, args) => args.iter().for_each(|v| note(v, bound, free)),
            Formula::Equal(a, b) => {
                note(a, bound, free);
                note(b, bound, free);
            }
            Formula::Not(f) => f.collect_free(bound, free),
            Formula::And(fs) | Formula::Or(fs) => fs.iter().for_each(|f| f.collect_free(bound, free)),
            Formula::IfThenElse(c, a, b) => [c, a, b].into_iter().for_each(|f| f.collect_free(bound, free)),
            Formula::Exists(vs, f) | Formula::Forall(vs, f) => {
                let depth = bound.len();
                bound.extend(vs.iter().cloned());
                f.collect_free(bound, free);
                bound.truncate(depth);
            }
            Formula::Closure { from, to, left, right, step, .. } => {
                note(from, bound, free);
                note(to, bound, free);
                let depth = bound.len();
                bound.extend([left.clone(), right.clone()]);
                step.collect_free(bound, free);
                bound.truncate(depth);
            }
        }
    }

    /// Whether `v` occurs free.
    #[must_use]
    pub fn mentions(&self, v: &Variable) -> bool {
        self.free_variables().contains(v)
    }

    /// Every predicate symbol in it, primed ones as such.
    #[must_use]
    pub fn predicates(&self) -> BTreeSet<Predicate> {
        let mut found = BTreeSet::new();
        self.visit(&mut |f| {
            if let Formula::Atom(p, _) = f {
                found.insert(*p);
            }
        });
        found
    }

    /// Whether the literal 1/2 occurs in it: it is then no formula of two-valued logic.
    #[must_use]
    pub fn has_written_unknown(&self) -> bool {
        let mut found = false;
        self.visit(&mut |f| found |= *f == Formula::Literal(Kleene::Unknown));
        found
    }

    /// Calls `see` with every subformula, outermost first.
    pub fn visit(&self, see: &mut impl FnMut(&Formula)) {
        see(self);
        match self {
            Formula::Literal(_) | Formula::Atom(..) | Formula::Equal(..) => {}
            Formula::Not(f) | Formula::Exists(_, f) | Formula::Forall(_, f) | Formula::Closure { step: f, .. } => {
                f.visit(see);
            }
            Formula::And(fs) | Formula::Or(fs) => fs.iter().for_each(|f| f.visit(see)),
            Formula::IfThenElse(c, a, b) => [c, a, b].into_iter().for_each(|f| f.visit(see)),
        }
    }

    /// The formula with every direct part replaced by `change` of it.
    #[must_use]
    pub fn map_parts(&self, change: &mut impl FnMut(&Formula) -> Formula) -> Formula {
        match self {
            Formula::Literal(_) | Formula::Atom(..) | Formula::Equal(..) => self.clone(),
            Formula::Not(f) => Formula::Not(Box::new(change(f))),
            Formula::And(fs) => Formula::And(fs.iter().map(change).collect()),
            Formula::Or(fs) => Formula::Or(fs.iter().map(change).collect()),
            Formula::IfThenElse(c, a, b) => Formula::if_then_else(change(c), change(a), change(b)),
            Formula::Exists(vs, f) => Formula::Exists(vs.clone(), Box::new(change(f))),
            Formula::Forall(vs, f) => Formula::Forall(vs.clone(), Box::new(change(f))),
            Formula::Closure { steps, from, to, left, right, step } => Formula::Closure {
                steps: *steps,
                from: from.clone(),
                to: to.clone(),
                left: left.clone(),
                right: right.clone(),
                step: Box::new(change(step)),
            },
        }
    }

    /// Replaces every atom by `replace(predicate, args)` where that gives something. Free variables that `replace`
    /// brings in may be captured: [rename apart](Formula::rename_apart) first.
    #[must_use]
    pub fn replace_atoms(&self, replace: &mut impl FnMut(Predicate, &[Variable]) -> Option<Formula>) -> Formula {
        match self {
            Formula::Atom(p, args) => replace(*p, args).unwrap_or_else(|| self.clone()),
            _ => self.map_parts(&mut |f| f.replace_atoms(replace)),
        }
    }

    /// The formula with free variables renamed by `map`; bound variables that would capture are renamed apart.
    #[must_use]
    pub fn rename(&self, map: &BTreeMap<Variable, Variable>) -> Formula {
        let look = |v: &Variable| map.get(v).unwrap_or(v).clone();
        match self {
            Formula::Literal(_) => self.clone(),
            Formula::Atom(p, args) => Formula::Atom(*p, args.iter().map(look).collect()),
            Formula::Equal(a, b) => Formula::Equal(look(a), look(b)),
            Formula::Not(_) | Formula::And(_) | Formula::Or(_) | Formula::IfThenElse(..) => {
                self.map_parts(&mut |f| f.rename(map))
            }
            Formula::Exists(vs, f) => {
                let (vs, map) = rename_bound(vs, f, map);
                Formula::Exists(vs, Box::new(f.rename(&map)))
            }
            Formula::Forall(vs, f) => {
                let (vs, map) = rename_bound(vs, f, map);
                Formula::Forall(vs, Box::new(f.rename(&map)))
            }
            Formula::Closure { steps, from, to, left, right, step } => {
                let (bound, inner) = rename_bound(&[left.clone(), right.clone()], step, map);
                Formula::Closure {
                    steps: *steps,
                    from: look(from),
                    to: look(to),
                    left: bound[0].clone(),
                    right: bound[1].clone(),
                    step: Box::new(step.rename(&inner)),
                }
            }
        }
    }

    /// The formula with `params[i]` renamed to `args[i]`: what an application `p(args)` of a definition means.
    #[must_use]
    pub fn instantiate(&self, params: &[Variable], args: &[Variable]) -> Formula {
        self.rename(&params.iter().cloned().zip(args.iter().cloned()).collect())
    }

    /// The formula with every bound variable given a name of its own, `prefix$k`, that no free variable has. `next`
    /// counts across calls.
    #[must_use]
    pub fn rename_apart(&self, prefix: &str, next: &mut usize) -> Formula {
        let mut fresh = |vs: &[Variable], body: &Formula| -> (Vec<Variable>, BTreeMap<Variable, Variable>) {
            let free = body.free_variables();
            let new: Vec<Variable> = vs
                .iter()
                .map(|_| {
                    loop {
                        *next += 1;
                        let name = Variable::new(&format!("{prefix}${next}"));
                        if !free.contains(&name) {
                            return name;
                        }
                    }
                })
                .collect();
            let map = vs.iter().cloned().zip(new.iter().cloned()).collect();
            (new, map)
        };
        match self {
            Formula::Exists(vs, f) => {
                let (new, map) = fresh(vs, f);
                Formula::Exists(new, Box::new(f.rename(&map).rename_apart(prefix, next)))
            }
            Formula::Forall(vs, f) => {
                let (new, map) = fresh(vs, f);
                Formula::Forall(new, Box::new(f.rename(&map).rename_apart(prefix, next)))
            }
            Formula::Closure { steps, from, to, left, right, step } => {
                let (new, map) = fresh(&[left.clone(), right.clone()], step);
                Formula::Closure {
                    steps: *steps,
                    from: from.clone(),
                    to: to.clone(),
                    left: new[0].clone(),
                    right: new[1].clone(),
                    step: Box::new(step.rename(&map).rename_apart(prefix, next)),
                }
            }
            _ => self.map_parts(&mut |f| f.rename_apart(prefix, next)),
        }
    }

    /// The formula with every unprimed atom of `which` primed.
    #[must_use]
    pub fn prime(&self, which: &impl Fn(Predicate) -> bool) -> Formula {
        self.replace_atoms(&mut |p, args| {
            (!p.is_primed() && which(p)).then(|| Formula::Atom(p.primed(), args.to_vec()))
        })
    }
}

impl std::ops::Not for Formula {
    type Output = Formula;

    fn not(self) -> Formula {
        match self {
            Formula::Not(f) => *f,
            Formula::Literal(value) => Formula::Literal(!value),
            other => Formula::Not(Box::new(other)),
        }
    }
}

/// Prepares renaming under a binder: drops the bound names from the map and renames those that would capture.
fn rename_bound(
    bound: &[Variable],
    body: &Formula,
    map: &BTreeMap<Variable, Variable>,
) -> (Vec<Variable>, BTreeMap<Variable, Variable>) {
    let mut inner: BTreeMap<Variable, Variable> =
        map.iter().filter(|(from, _)| !bound.contains(from)).map(|(f, t)| (f.clone(), t.clone())).collect();
    let free = body.free_variables();
    let mut taken: BTreeSet<Variable> =
        inner.iter().filter(|(f, _)| free.contains(f)).map(|(_, t)| t.clone()).collect();
    let mut new = Vec::with_capacity(bound.len());
    for v in bound {
        if taken.contains(v) {
            let mut k = 0;
            let renamed = loop {
                k += 1;
                let candidate = Variable::new(&format!("{}${k}", v.name()));
                if !taken.contains(&candidate) && !free.contains(&candidate) && !bound.contains(&candidate) {
                    break candidate;
                }
            };
            taken.insert(renamed.clone());
            inner.insert(v.clone(), renamed.clone());
            new.push(renamed);
        } else {
            new.push(v.clone());
        }
    }
    (new, inner)
}
