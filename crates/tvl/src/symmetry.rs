//! Symmetry: actions that do the same to other predicates.
//!
//! `x = NULL` and `y = NULL` differ in a name only. If exchanging the names maps the definitions of all predicates to definitions,
//! then it maps the updates that are derived for the one action to those of the other: nothing is derived twice.

use crate::action::{ActionSpecification, Creation};
use crate::difference::Update;
use crate::vocabulary::{Definition, Vocabulary};
use heapwise_logic::{Formula, Predicate};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

/// A permutation of the predicates of a vocabulary under which no definition changes.
pub(crate) struct Symmetry {
    image: Vec<Predicate>,
}

impl Symmetry {
    /// One that maps what the first action does to what the second does. What it says and when it happens is not compared.
    pub(crate) fn between(
        vocabulary: &Vocabulary,
        first: &ActionSpecification,
        second: &ActionSpecification,
    ) -> Option<Symmetry> {
        let mut pairs = Pairs::default();
        let same = first.unchanged.is_empty()
            && second.unchanged.is_empty()
            && first.creations.len() == second.creations.len()
            && first.creations.iter().zip(&second.creations).all(|both| pairs.creations(both))
            && first.updates.len() == second.updates.len()
            && first.updates.iter().zip(&second.updates).all(|((p, a), (q, b))| pairs.add(*p, *q) && pairs.meet(a, b))
            && match (&first.retain, &second.retain) {
                (None, None) => true,
                (Some(a), Some(b)) => pairs.meet(a, b),
                (Some(_), None) | (None, Some(_)) => false,
            };
        if same { pairs.close(vocabulary) } else { None }
    }

    /// One that maps the first predicate's definition to the second's and keeps what is given: then it maps what is derived for the
    /// first to what is derived for the second.
    pub(crate) fn of_definitions(
        vocabulary: &Vocabulary,
        (first, second): (Predicate, Predicate),
        given: &IndexMap<Predicate, Definition>,
        kept: Option<&Definition>,
    ) -> Option<Symmetry> {
        let [a, b] = [first, second].map(|p| vocabulary.declaration(p).definition.as_ref());
        let mut pairs = Pairs::default();
        if !(pairs.add(first, second) && pairs.meet(a?, b?)) {
            return None;
        }
        let symmetry = pairs.close(vocabulary)?;
        let stays = |definition: &Definition| symmetry.formula(&definition.formula) == definition.formula;
        let same =
            given.iter().all(|(p, definition)| symmetry.image(*p) == *p && stays(definition)) && kept.is_none_or(stays);
        same.then_some(symmetry)
    }

    /// The update of the image of its predicate.
    pub(crate) fn update(&self, update: &Update) -> Update {
        Update {
            predicate: self.image(update.predicate),
            params: update.params.clone(),
            alternatives: update.alternatives.iter().map(|f| self.formula(f)).collect(),
            touched: update.touched.as_ref().map(|formulas| formulas.iter().map(|f| self.formula(f)).collect()),
        }
    }

    /// What becomes of a formula.
    pub(crate) fn formula(&self, formula: &Formula) -> Formula {
        formula.replace_atoms(&mut |p, args| Some(Formula::Atom(self.image(p), args.to_vec())))
    }

    fn image(&self, p: Predicate) -> Predicate {
        let image = self.image[p.index()];
        if p.is_primed() { image.primed() } else { image }
    }
}

/// Predicates that stand at the same places.
#[derive(Default)]
struct Pairs {
    forth: FxHashMap<Predicate, Predicate>,
    back: FxHashMap<Predicate, Predicate>,
}

impl Pairs {
    fn add(&mut self, p: Predicate, q: Predicate) -> bool {
        *self.forth.entry(p).or_insert(q) == q && *self.back.entry(q).or_insert(p) == p
    }

    fn creations(&mut self, both: (&Creation, &Creation)) -> bool {
        match both {
            (Creation::One, Creation::One) => true,
            (Creation::ForEach(a), Creation::ForEach(b)) | (Creation::CopyEach(a), Creation::CopyEach(b)) => {
                self.meet(a, b)
            }
            (Creation::One | Creation::ForEach(_) | Creation::CopyEach(_), _) => false,
        }
    }

    fn meet(&mut self, a: &Definition, b: &Definition) -> bool {
        a.params == b.params && self.formulas(&a.formula, &b.formula)
    }

    /// Whether two formulas differ in predicates only, and these can be paired.
    fn formulas(&mut self, a: &Formula, b: &Formula) -> bool {
        match (a, b) {
            (Formula::Literal(x), Formula::Literal(y)) => x == y,
            (Formula::Atom(p, vs), Formula::Atom(q, ws)) => {
                vs == ws && p.is_primed() == q.is_primed() && {
                    self.add(Predicate::new(p.index()), Predicate::new(q.index()))
                }
            }
            (Formula::Equal(..), Formula::Equal(..)) => a == b,
            (Formula::Not(x), Formula::Not(y)) => self.formulas(x, y),
            (Formula::And(xs), Formula::And(ys)) | (Formula::Or(xs), Formula::Or(ys)) => {
                xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| self.formulas(x, y))
            }
            (Formula::IfThenElse(x1, x2, x3), Formula::IfThenElse(y1, y2, y3)) => {
                [(x1, y1), (x2, y2), (x3, y3)].into_iter().all(|(x, y)| self.formulas(x, y))
            }
            (Formula::Exists(vs, x), Formula::Exists(ws, y)) | (Formula::Forall(vs, x), Formula::Forall(ws, y)) => {
                vs == ws && self.formulas(x, y)
            }
            (
                Formula::Closure { steps: s, from: f, to: t, left: l, right: r, step: x },
                Formula::Closure { steps: s2, from: f2, to: t2, left: l2, right: r2, step: y },
            ) => (s, f, t, l, r) == (s2, f2, t2, l2, r2) && self.formulas(x, y),
            _ => false,
        }
    }

    /// The permutation that moves as little as possible, if it keeps all definitions.
    fn close(mut self, vocabulary: &Vocabulary) -> Option<Symmetry> {
        // What something is moved to, and is not moved itself, goes where nothing is moved to.
        let ends: Vec<Predicate> = self.back.keys().filter(|q| !self.forth.contains_key(q)).copied().collect();
        for end in ends {
            let mut start = end;
            while let Some(before) = self.back.get(&start) {
                start = *before;
            }
            self.add(end, start);
        }
        let declared = |p: Predicate| vocabulary.declaration(p);
        let mut by_definition: FxHashMap<&Formula, Predicate> = FxHashMap::default();
        for p in vocabulary.predicates() {
            if let Some(definition) = &declared(p).definition {
                by_definition.insert(&definition.formula, p);
            }
        }
        let mut symmetry = Symmetry { image: vocabulary.predicates().collect() };
        for (p, q) in &self.forth {
            symmetry.image[p.index()] = *q;
        }
        let mut moved = vec![false; symmetry.image.len()];
        // Definitions speak of predicates that are declared before.
        for p in vocabulary.predicates() {
            let (old, given) = (declared(p), self.forth.get(&p).copied());
            let q = match &old.definition {
                None => given.unwrap_or(p),
                Some(definition) => {
                    if definition.formula.predicates().iter().any(|r| r.index() >= p.index()) {
                        return None;
                    }
                    let is_moved = definition.formula.predicates().iter().any(|r| moved[r.index()]);
                    let q = if is_moved { *by_definition.get(&symmetry.formula(&definition.formula))? } else { p };
                    if given.is_some_and(|given| given != q) {
                        return None;
                    }
                    q
                }
            };
            let new = declared(q);
            let same = old.arity == new.arity
                && old.properties == new.properties
                && old.definition.as_ref().map(|d| &d.params) == new.definition.as_ref().map(|d| &d.params);
            if !same || p != q && (vocabulary.is_builtin(p) || vocabulary.is_builtin(q)) {
                return None;
            }
            symmetry.image[p.index()] = q;
            moved[p.index()] = p != q;
        }
        let mut reached = vec![false; moved.len()];
        symmetry.image.iter().for_each(|q| reached[q.index()] = true);
        (!reached.contains(&false)).then_some(symmetry)
    }
}
