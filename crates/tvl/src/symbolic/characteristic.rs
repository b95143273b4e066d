//! γ̂: bounded structures as formulas (section 2.4 and equation (1) of the paper).
//!
//! `node_u(v)` says that v has the definite values of abstraction predicates that u has. In a bounded structure that
//! tells which abstract individual a concrete one belongs to.

use crate::structure::{Structure, members};
use crate::vocabulary::{Arity, Role, SUMMARY, Vocabulary};
use heapwise_logic::{Formula, Kleene, Predicate, Variable};

/// A value of a structure: a predicate on a tuple. The predicate `sm` stands for equality: 1/2 says that the individual
/// stands for several.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fact {
    /// The predicate.
    pub predicate: Predicate,
    /// The individuals.
    pub tuple: Vec<usize>,
}

/// Writes structures as formulas.
#[derive(Clone, Debug)]
pub struct Characteristic<'a> {
    vocabulary: &'a Vocabulary,
    alive: Option<Predicate>,
    /// Unary abstraction predicates.
    names: Vec<Predicate>,
    /// Everything else that has values: nullary, plain unary and binary predicates.
    values: Vec<Predicate>,
    /// How predicates of the vocabulary are called in the formulas.
    rename: Option<&'a dyn Rename>,
}

/// Another name for each predicate: the store before a step, say.
pub trait Rename: std::fmt::Debug {
    /// The predicate that stands for `p`.
    fn rename(&self, p: Predicate) -> Predicate;
}

fn variables<const N: usize>(names: [&str; N]) -> [Variable; N] {
    names.map(Variable::new)
}

impl<'a> Characteristic<'a> {
    /// Formulas over the predicates of a vocabulary, about the individuals that satisfy `alive`.
    #[must_use]
    pub fn new(vocabulary: &'a Vocabulary, alive: Option<Predicate>) -> Characteristic<'a> {
        let reserved = |p: &Predicate| matches!(vocabulary.name(*p), "sm" | "ac" | "isNew" | "instance");
        let is_name = |p: &Predicate| {
            let declaration = vocabulary.declaration(*p);
            declaration.arity == Arity::Unary && declaration.role == Role::Abstraction
        };
        let (names, values) = vocabulary.predicates().filter(|p| !reserved(p)).partition(is_name);
        Characteristic { vocabulary, alive, names, values, rename: None }
    }

    /// The same with other names for the predicates.
    #[must_use]
    pub fn renamed(self, rename: &'a dyn Rename) -> Characteristic<'a> {
        Characteristic { rename: Some(rename), ..self }
    }

    fn atom(&self, p: Predicate, args: &[Variable]) -> Formula {
        Formula::atom(self.rename.map_or(p, |r| r.rename(p)), args)
    }

    /// The unary abstraction predicates.
    #[must_use]
    pub fn names(&self) -> &[Predicate] {
        &self.names
    }

    /// The other predicates.
    #[must_use]
    pub fn values(&self) -> &[Predicate] {
        &self.values
    }

    /// The value of a fact.
    #[must_use]
    pub fn value(&self, structure: &Structure, fact: &Fact) -> Kleene {
        structure.get(self.vocabulary.slot(fact.predicate), &fact.tuple)
    }

    /// node_u(v).
    #[must_use]
    pub fn node(&self, structure: &Structure, u: usize, v: &Variable) -> Formula {
        let mut parts = Vec::with_capacity(self.names.len() + 1);
        if let Some(alive) = self.alive {
            parts.push(Formula::atom(alive, std::slice::from_ref(v)));
        }
        for p in &self.names {
            let atom = || self.atom(*p, std::slice::from_ref(v));
            match structure.get(self.vocabulary.slot(*p), &[u]) {
                Kleene::True => parts.push(atom()),
                Kleene::False => parts.push(!atom()),
                Kleene::Unknown => {}
            }
        }
        Formula::And(parts)
    }

    /// The facts of a structure beside its names: summaries first, then nullary, unary and binary values.
    pub fn facts(&self, structure: &Structure) -> Vec<Fact> {
        let n = structure.size();
        let mut facts: Vec<Fact> =
            (0..n).map(|u| Fact { predicate: Predicate::new(SUMMARY), tuple: vec![u] }).collect();
        for p in &self.values {
            let tuples: Vec<Vec<usize>> = match self.vocabulary.declaration(*p).arity {
                Arity::Nullary => vec![Vec::new()],
                Arity::Unary => (0..n).map(|u| vec![u]).collect(),
                Arity::Binary => (0..n).flat_map(|u| (0..n).map(move |v| vec![u, v])).collect(),
            };
            facts.extend(tuples.into_iter().map(|tuple| Fact { predicate: *p, tuple }));
        }
        facts
    }

    /// γ̂ as a list of closed formulas, each without an existential below a universal quantifier.
    #[must_use]
    pub fn gamma_hat(&self, structure: &Structure) -> Vec<Formula> {
        let [v] = variables(["v"]);
        let mut parts = Vec::new();
        let active = structure.active();
        for u in members(active.must) {
            parts.push(Formula::exists(vec![v.clone()], self.node(structure, u, &v)));
        }
        parts.push(Formula::forall(vec![v.clone()], self.covered(structure, &v)));
        for fact in self.facts(structure) {
            if fact.tuple.iter().all(|u| active.may >> u & 1 == 1) {
                parts.extend(self.definite(structure, &fact));
            }
        }
        parts
    }

    /// v is one of the structure's individuals (or none of the store's).
    fn covered(&self, structure: &Structure, v: &Variable) -> Formula {
        let mut cover: Vec<Formula> = members(structure.active().may).map(|u| self.node(structure, u, v)).collect();
        if let Some(alive) = self.alive {
            cover.push(!Formula::atom(alive, std::slice::from_ref(v)));
        }
        Formula::Or(cover)
    }

    fn nodes(&self, structure: &Structure, fact: &Fact, args: &[Variable]) -> Vec<Formula> {
        fact.tuple.iter().zip(args).map(|(u, v)| self.node(structure, *u, v)).collect()
    }

    /// What a definite value says of the concrete structure; nothing for 1/2.
    fn definite(&self, structure: &Structure, fact: &Fact) -> Option<Formula> {
        let value = self.value(structure, fact);
        if value == Kleene::Unknown {
            return None;
        }
        let [v, w] = variables(["v", "w"]);
        if fact.predicate.index() == SUMMARY {
            return Some(self.single(structure, fact.tuple[0]));
        }
        let args = &[v, w][..fact.tuple.len()];
        let atom = self.atom(fact.predicate, args);
        let literal = if value == Kleene::True { atom } else { !atom };
        let nodes = self.nodes(structure, fact, args);
        Some(Formula::forall(args.to_vec(), Formula::implies(Formula::And(nodes), literal)))
    }

    /// u stands for one individual at most.
    fn single(&self, structure: &Structure, u: usize) -> Formula {
        let [v, w] = variables(["v", "w"]);
        let both = Formula::and(self.node(structure, u, &v), self.node(structure, u, &w));
        Formula::forall(vec![v.clone(), w.clone()], Formula::implies(both, Formula::equal(&v, &w)))
    }

    /// Equation (1): concrete tuples of the abstract one with both values (for `sm`: two individuals).
    #[must_use]
    pub fn both_values(&self, structure: &Structure, fact: &Fact) -> Formula {
        let [v1, w1, v2, w2] = variables(["v1", "w1", "v2", "w2"]);
        if fact.predicate.index() == SUMMARY {
            let u = fact.tuple[0];
            let parts = vec![self.node(structure, u, &v1), self.node(structure, u, &v2), !Formula::equal(&v1, &v2)];
            return Formula::exists(vec![v1, v2], Formula::And(parts));
        }
        let arity = fact.tuple.len();
        let (first, second) = (&[v1, w1][..arity], &[v2, w2][..arity]);
        let mut parts = self.nodes(structure, fact, first);
        parts.extend(self.nodes(structure, fact, second));
        parts.push(self.atom(fact.predicate, first));
        parts.push(!self.atom(fact.predicate, second));
        Formula::exists(first.iter().chain(second).cloned().collect(), Formula::And(parts))
    }

    /// The canonical abstraction is not `image` (itself one), for concrete structures that `context` represents:
    /// what `context` says already is left out.
    #[must_use]
    pub fn differs_from(&self, image: &Structure, context: Option<&Context<'_>>) -> Formula {
        let [v, w] = variables(["v", "w"]);
        let mut alternatives = Vec::new();
        let mut violated = Vec::new();
        if context.is_none() {
            for u in 0..image.size() {
                let node = self.node(image, u, &v);
                alternatives.push(Formula::forall(vec![v.clone()], !node));
            }
            violated.push(!self.covered(image, &v));
        }
        for p in self.values.iter().filter(|p| self.vocabulary.declaration(**p).arity == Arity::Nullary) {
            let fact = Fact { predicate: *p, tuple: Vec::new() };
            if context.is_some_and(|c| c.says(self, &fact)) {
                continue;
            }
            let atom = self.atom(*p, &[]);
            alternatives.push(if self.value(image, &fact) == Kleene::True { !atom } else { atom });
        }
        for fact in self.facts(image).into_iter().filter(|f| !f.tuple.is_empty()) {
            if context.is_some_and(|c| c.says(self, &fact)) {
                continue;
            }
            let args = &[v.clone(), w.clone()][..fact.tuple.len()];
            let nodes = self.nodes(image, &fact, args);
            let value = self.value(image, &fact);
            if fact.predicate.index() == SUMMARY {
                if value == Kleene::Unknown {
                    alternatives.push(self.single(image, fact.tuple[0]));
                } else {
                    let u = fact.tuple[0];
                    violated.push(Formula::And(vec![
                        self.node(image, u, &v),
                        self.node(image, u, &w),
                        !Formula::equal(&v, &w),
                    ]));
                }
                continue;
            }
            let atom = self.atom(fact.predicate, args);
            let with = |literal: Formula| {
                let mut parts = nodes.clone();
                parts.push(literal);
                Formula::And(parts)
            };
            match value {
                Kleene::True => violated.push(with(!atom)),
                Kleene::False => violated.push(with(atom)),
                Kleene::Unknown => {
                    for literal in [atom.clone(), !atom] {
                        let always = Formula::implies(Formula::And(nodes.clone()), literal);
                        alternatives.push(Formula::forall(args.to_vec(), always));
                    }
                }
            }
        }
        if !violated.is_empty() {
            let body = Formula::Or(violated);
            let free: Vec<Variable> = body.free_variables().into_iter().collect();
            alternatives.push(Formula::exists(free, body));
        }
        Formula::Or(alternatives)
    }
}

/// What is already known where a question is asked: a structure with the same individuals, and values that are 1/2 for
/// sure.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The structure.
    pub structure: &'a Structure,
    /// The values that are 1/2 for sure, sorted.
    pub both: &'a [Fact],
}

impl Context<'_> {
    fn says(&self, characteristic: &Characteristic<'_>, fact: &Fact) -> bool {
        characteristic.value(self.structure, fact).is_definite() || self.both.binary_search(fact).is_ok()
    }
}
