//! Finite differencing: update formulas of instrumentation predicates, derived from their definitions.
//!
//! An action says how core predicates change. For an instrumentation predicate p with definition φ the value after the
//! action is derived in up to three ways, each right in every concrete structure, and an update takes what all of
//! them say (the meet):
//! 1. *by difference*: `(p ? !Δ⁻[φ] : Δ⁺[φ])`, the rules of Reps, Sagiv and Loginov ("Finite differencing of logical
//!    formulas for static analysis"); exact where nothing relevant changed, since the old value stays;
//! 2. *by definition*: φ with the changes put in and with stored predicates recognised in it;
//! 3. *by path*: for reachability, cycles and closures along a field of which edges were cut or added ([`crate::paths`]).
//!
//! The three are then minimised together ([`heapwise_logic::minimize`]): the update is definite wherever every completion
//! of the values it reads, on which the three agree, says the same. So it is at least as definite as an update
//! written by hand over the same values.

use crate::fold::{Folder, expand_closures};
use crate::paths;
use crate::symmetry::Symmetry;
use crate::vocabulary::{Arity, Definition, Vocabulary};
use heapwise_logic::minimize::minimize;
use heapwise_logic::simplify::simplify;
use heapwise_logic::{Formula, Kleene, Predicate, Variable};
use indexmap::IndexMap;

/// A new value of a predicate: what it is, as one or more formulas that all are right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Update {
    /// What is updated.
    pub predicate: Predicate,
    /// Its arguments.
    pub params: Vec<Variable>,
    /// The new value; unprimed predicates are old values, primed ones the new values of predicates updated earlier.
    pub alternatives: Vec<Formula>,
    /// What must hold for a value to change, if that is known: where none of it may, the old values stay.
    pub touched: Option<Vec<Formula>>,
}

impl Update {
    /// An update that is given, of which it is not known when nothing changes.
    #[must_use]
    pub fn given(predicate: Predicate, params: Vec<Variable>, formula: Formula) -> Update {
        Update { predicate, params, alternatives: vec![formula], touched: None }
    }
}

/// How it is told that values of a predicate stay.
pub(crate) enum Touched {
    /// They do if none of these may hold.
    If(Vec<Formula>),
    /// They do if Δ⁺ and Δ⁻ are empty.
    ByDifference,
    /// It is not known.
    Unknown,
}

/// How a predicate changes: p' = (p & !removed) | added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Its arguments.
    pub params: Vec<Variable>,
    /// Where it becomes true.
    pub added: Formula,
    /// Where it becomes false, unless added.
    pub removed: Formula,
}

/// The effect of an action on the universe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Universe {
    /// The same individuals before and after.
    Kept,
    /// Individuals were added or are about to be removed.
    Changed,
    /// Individuals were copied with all their values: until the update, properties such as uniqueness need not hold,
    /// so nothing is concluded from stored values.
    Copied,
}

/// The updates of an action, in the order in which they must be evaluated: the given ones (for core predicates, and
/// where the specification gives one for an instrumentation predicate), then the derived ones.
///
/// `kept` is the condition under which an individual stays, for an action that removes some.
#[must_use]
pub fn updates(
    vocabulary: &Vocabulary,
    given: &IndexMap<Predicate, Definition>,
    kept: Option<&Definition>,
    universe: Universe,
) -> Vec<Update> {
    updates_but(&Folder::new(vocabulary), given, kept, universe, &[])
}

/// The same where some instrumentation predicates are known to stay as they are.
#[must_use]
pub fn updates_but(
    folder: &Folder<'_>,
    given: &IndexMap<Predicate, Definition>,
    kept: Option<&Definition>,
    universe: Universe,
    unchanged: &[Predicate],
) -> Vec<Update> {
    let vocabulary = folder.vocabulary();
    let mut difference = Difference {
        vocabulary,
        folder,
        changes: IndexMap::new(),
        inlined: IndexMap::new(),
        removal: kept.map(|kept| Removal { kept, given }),
    };
    let mut out = Vec::new();
    for (p, definition) in given {
        difference.note_given(*p, definition);
        let params = definition.params.clone();
        out.push(Update::given(*p, params, simplify(&definition.formula)));
    }
    let mut isolated = IndexMap::new();
    if let Some(kept) = kept {
        for p in vocabulary.predicates() {
            if vocabulary.declaration(p).definition.is_none() && vocabulary.declaration(p).arity != Arity::Nullary {
                isolated.insert(p, isolate(vocabulary, p, given.get(&p), kept));
            }
        }
        for (p, definition) in &isolated {
            difference.note_given(*p, definition);
            out.retain(|u| u.predicate != *p);
            let params = definition.params.clone();
            out.push(Update::given(*p, params, simplify(&definition.formula)));
        }
    }
    for p in vocabulary.predicates() {
        let Some(definition) = &vocabulary.declaration(p).definition else { continue };
        if given.contains_key(&p) || unchanged.contains(&p) {
            continue;
        }
        let derived = out.iter().filter(|known| !given.contains_key(&known.predicate) && unchanged.is_empty());
        let by_symmetry = derived.rev().find_map(|known| {
            let symmetry = Symmetry::of_definitions(vocabulary, (known.predicate, p), given, kept)?;
            difference.follow(&symmetry, known, p)
        });
        out.extend(by_symmetry.or_else(|| difference.derive(p, definition, kept, universe)));
    }
    out
}

/// The update that takes every individual that goes out of a core predicate.
fn isolate(vocabulary: &Vocabulary, p: Predicate, given: Option<&Definition>, kept: &Definition) -> Definition {
    let (params, formula) = match given {
        Some(definition) => (definition.params.clone(), definition.formula.clone()),
        None => {
            let params: Vec<Variable> =
                ["v", "w"].iter().take(vocabulary.declaration(p).arity.count()).map(|n| Variable::new(n)).collect();
            (params.clone(), Formula::Atom(p, params))
        }
    };
    let stay = params.iter().map(|v| kept.formula.instantiate(&kept.params, std::slice::from_ref(v)));
    let formula = Formula::And(std::iter::once(formula).chain(stay).collect());
    Definition { params, formula }
}

/// The state of one derivation.
pub(crate) struct Difference<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) folder: &'a Folder<'a>,
    /// How predicates change; a predicate that is not in here stays.
    pub(crate) changes: IndexMap<Predicate, Change>,
    /// New values as formulas over the old state, where they are known as such.
    inlined: IndexMap<Predicate, Definition>,
    /// What individuals an action removes.
    removal: Option<Removal<'a>>,
}

/// An action that removes individuals.
struct Removal<'a> {
    /// Which stay.
    kept: &'a Definition,
    /// The updates that it makes besides.
    given: &'a IndexMap<Predicate, Definition>,
}

impl Removal<'_> {
    /// Whether a relation changes only by the individuals that go: a core predicate without update, or a disjunction of such.
    fn is_all(&self, vocabulary: &Vocabulary, p: Predicate) -> bool {
        if self.given.contains_key(&p) {
            return false;
        }
        match &vocabulary.declaration(p).definition {
            None => true,
            Some(definition) => {
                let own = |f: &Formula| match f {
                    Formula::Atom(q, args) => *args == definition.params && self.is_all(vocabulary, *q),
                    _ => false,
                };
                match &definition.formula {
                    Formula::Or(parts) => parts.iter().all(own),
                    other => own(other),
                }
            }
        }
    }
}

impl Difference<'_> {
    fn note_given(&mut self, p: Predicate, definition: &Definition) {
        let formula = simplify(&definition.formula);
        let own = Formula::Atom(p, definition.params.clone());
        if formula == own {
            return;
        }
        let (added, removed) = decompose(&formula, &own).unwrap_or((formula.clone(), Formula::TRUE));
        let params = definition.params.clone();
        self.changes.insert(p, Change { params: params.clone(), added: simplify(&added), removed: simplify(&removed) });
        self.inlined.insert(p, Definition { params, formula });
    }

    /// Whether an individual stays, where the relation changes only by the individuals that go.
    pub(crate) fn stays(&self, p: Predicate, v: &Variable) -> Option<Formula> {
        let removal = self.removal.as_ref().filter(|removal| removal.is_all(self.vocabulary, p))?;
        Some(removal.kept.formula.instantiate(&removal.kept.params, std::slice::from_ref(v)))
    }

    fn is_changed(&self, formula: &Formula) -> bool {
        formula.predicates().iter().any(|p| self.changes.contains_key(p))
    }

    /// The update of `p` that follows from that of another predicate by symmetry.
    fn follow(&mut self, symmetry: &Symmetry, known: &Update, p: Predicate) -> Option<Update> {
        let update = symmetry.update(known);
        let formulas = update.alternatives.iter().chain(update.touched.iter().flatten());
        let is_later = |q: &Predicate| q.is_primed() && !self.changes.contains_key(&Predicate::new(q.index()));
        if formulas.flat_map(Formula::predicates).any(|q| is_later(&q)) {
            return None;
        }
        let Change { params, added, removed } = self.changes.get(&known.predicate)?;
        let change =
            Change { params: params.clone(), added: symmetry.formula(added), removed: symmetry.formula(removed) };
        if let Some(Definition { params, formula }) = self.inlined.get(&known.predicate) {
            let definition = Definition { params: params.clone(), formula: symmetry.formula(formula) };
            self.inlined.insert(p, definition);
        }
        self.changes.insert(p, change);
        Some(update)
    }

    fn derive(
        &mut self,
        p: Predicate,
        definition: &Definition,
        kept: Option<&Definition>,
        universe: Universe,
    ) -> Option<Update> {
        let params = definition.params.clone();
        if universe == Universe::Copied {
            let new = definition.formula.prime(&|q| self.changes.contains_key(&q));
            self.changes.insert(p, Change { params: params.clone(), added: new.clone(), removed: Formula::TRUE });
            return Some(Update::given(p, params, new));
        }
        let formula = simplify(&definition.formula).rename_apart("d", &mut 0);
        let robust = universe == Universe::Kept || is_domain_independent(&formula);
        if robust && !self.is_changed(&formula) {
            return None;
        }
        if !robust {
            // The old value may depend on individuals that come or go: only the new state counts.
            let mut future = self.future(&formula);
            if let Some(kept) = kept {
                future = relativise(&future, kept);
            }
            self.changes.insert(p, Change { params: params.clone(), added: future.clone(), removed: Formula::TRUE });
            return Some(Update::given(p, params, simplify(&future)));
        }
        let (plus, minus) = (simplify(&self.plus(&formula)), simplify(&self.minus(&formula)));
        let own = Formula::Atom(p, params.clone());
        let touched = match kept {
            None => self.touched(p, &params, &formula, [&plus, &minus]),
            Some(_) => None,
        };
        let mut alternatives = vec![simplify(&Formula::if_then_else(own, !minus.clone(), plus.clone()))];
        let new = self.inline(&formula);
        if let Some(new) = &new {
            // Closures are spelled out first: a step and a stored closure make a longer path, which may be stored, too.
            alternatives.push(self.folder.fold(&expand_closures(self.vocabulary, new)));
        }
        alternatives.extend(paths::alternatives(self, &Definition { params: params.clone(), formula }));
        let mut distinct: Vec<Formula> = Vec::new();
        for formula in alternatives {
            let formula = simplify(&formula);
            if !distinct.contains(&formula) {
                distinct.push(formula);
            }
        }
        // A definite closed form over the old state serves predicates that are defined by this one.
        if let Some(new) = new {
            self.inlined.insert(p, Definition { params: params.clone(), formula: self.folder.fold(&new) });
        }
        let added = self.grown(&definition.formula).map_or(plus, |grown| simplify(&grown));
        self.changes.insert(p, Change { params: params.clone(), added, removed: minus });
        Some(Update { predicate: p, params, alternatives: minimize(&distinct), touched })
    }

    /// Closed formulas of which one holds if a value of `p` changes. Δ⁺ and Δ⁻ of a closure are too coarse for that: where an edge is
    /// 1/2 they cannot tell the path that stays from one that comes or goes, so paths are asked for the edges that change.
    fn touched(
        &self,
        p: Predicate,
        params: &[Variable],
        formula: &Formula,
        deltas: [&Formula; 2],
    ) -> Option<Vec<Formula>> {
        let touched = match paths::touched(self, p, params, formula) {
            Touched::If(formulas) => formulas,
            Touched::Unknown => return None,
            Touched::ByDifference => deltas.map(|delta| Formula::exists(params.to_vec(), delta.clone())).to_vec(),
        };
        let touched: Vec<Formula> = touched.iter().map(simplify).filter(|f| *f != Formula::FALSE).collect();
        (!touched.contains(&Formula::TRUE)).then_some(touched)
    }

    /// Where a formula without closures differs from its old value.
    pub(crate) fn differs(&self, formula: &Formula) -> [Formula; 2] {
        [self.plus(formula), self.minus(formula)]
    }

    /// The value after the action, over the old state only.
    pub(crate) fn inline(&self, formula: &Formula) -> Option<Formula> {
        let mut complete = true;
        let mut next = 0;
        let inlined = formula.replace_atoms(&mut |p, args| {
            if let Some(definition) = self.inlined.get(&p) {
                let fresh = definition.formula.rename_apart(&format!("i{}", args.len()), &mut next);
                return Some(fresh.instantiate(&definition.params, args));
            }
            complete &= !self.changes.contains_key(&p);
            None
        });
        complete.then_some(inlined)
    }

    /// The value after the action: changed atoms are primed.
    pub(crate) fn future(&self, formula: &Formula) -> Formula {
        if self.is_changed(formula) {
            formula.prime(&|p| self.changes.contains_key(&p))
        } else {
            self.folder.fold(formula)
        }
    }

    fn old(&self, formula: &Formula) -> Formula {
        self.folder.fold(formula)
    }

    /// Δ⁺: where the formula becomes true.
    fn plus(&self, formula: &Formula) -> Formula {
        if !self.is_changed(formula) {
            return Formula::FALSE;
        }
        match formula {
            Formula::Literal(_) | Formula::Equal(..) => Formula::FALSE,
            Formula::Atom(p, args) => match self.changes.get(p) {
                Some(change) => {
                    let added = change.added.instantiate(&change.params, args);
                    Formula::and(added, !formula.clone())
                }
                None => Formula::FALSE,
            },
            Formula::Not(f) => self.minus(f),
            Formula::And(fs) => self.one_of(fs, |d, f| d.plus(f), |d, f| d.future(f)),
            Formula::Or(fs) => self.one_of(fs, |d, f| d.plus(f), |d, f| !d.old(f)),
            Formula::IfThenElse(c, a, b) => self.plus(&spell_out(c, a, b)),
            Formula::Exists(vs, f) => Formula::and(Formula::exists(vs.clone(), self.plus(f)), !self.old(formula)),
            Formula::Forall(vs, f) => self.minus(&Formula::exists(vs.clone(), !(**f).clone())),
            Formula::Closure { .. } => Formula::and(self.future(formula), !self.old(formula)),
        }
    }

    /// Δ⁻: where the formula becomes false.
    fn minus(&self, formula: &Formula) -> Formula {
        if !self.is_changed(formula) {
            return Formula::FALSE;
        }
        match formula {
            Formula::Literal(_) | Formula::Equal(..) => Formula::FALSE,
            Formula::Atom(p, args) => match self.changes.get(p) {
                Some(change) => {
                    let removed = change.removed.instantiate(&change.params, args);
                    let added = change.added.instantiate(&change.params, args);
                    Formula::And(vec![formula.clone(), removed, !added])
                }
                None => Formula::FALSE,
            },
            Formula::Not(f) => self.plus(f),
            Formula::And(fs) => self.one_of(fs, |d, f| d.minus(f), |d, f| d.old(f)),
            Formula::Or(fs) => self.one_of(fs, |d, f| d.minus(f), |d, f| !d.future(f)),
            Formula::IfThenElse(c, a, b) => self.minus(&spell_out(c, a, b)),
            Formula::Exists(vs, f) => Formula::and(Formula::exists(vs.clone(), self.minus(f)), !self.future(formula)),
            Formula::Forall(vs, f) => self.plus(&Formula::exists(vs.clone(), !(**f).clone())),
            Formula::Closure { .. } => Formula::and(self.old(formula), !self.future(formula)),
        }
    }

    /// For a disjunction of atoms, what the action adds to one of them: all of Δ⁺, nothing that is not true after the
    /// action, and simpler than Δ⁺.
    fn grown(&self, formula: &Formula) -> Option<Formula> {
        match formula {
            Formula::Atom(p, args) => Some(match self.changes.get(p) {
                Some(change) => change.added.instantiate(&change.params, args),
                None => Formula::FALSE,
            }),
            Formula::Or(fs) => Some(Formula::Or(fs.iter().map(|f| self.grown(f)).collect::<Option<_>>()?)),
            _ => None,
        }
    }

    /// One part differs, the others hold.
    fn one_of(
        &self,
        parts: &[Formula],
        differ: impl Fn(&Self, &Formula) -> Formula,
        hold: impl Fn(&Self, &Formula) -> Formula,
    ) -> Formula {
        let mut cases = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            let difference = differ(self, part);
            if difference == Formula::FALSE {
                continue;
            }
            let others = parts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, f)| hold(self, f));
            cases.push(Formula::And(std::iter::once(difference).chain(others).collect()));
        }
        Formula::Or(cases)
    }
}

fn spell_out(c: &Formula, a: &Formula, b: &Formula) -> Formula {
    Formula::or(Formula::and(c.clone(), a.clone()), Formula::and(!c.clone(), b.clone()))
}

/// Finds (added, removed) with `formula` = (own & !removed) | added, neither mentioning `own`'s predicate positively
/// in a way that hides it.
fn decompose(formula: &Formula, own: &Formula) -> Option<(Formula, Formula)> {
    if formula == own {
        return Some((Formula::FALSE, Formula::FALSE));
    }
    match formula {
        Formula::And(parts) if parts.contains(own) => {
            let rest: Vec<Formula> = parts.iter().filter(|f| *f != own).cloned().collect();
            Some((Formula::FALSE, !Formula::And(rest)))
        }
        Formula::Or(parts) => {
            let at = parts.iter().position(|f| decompose(f, own).is_some())?;
            let (added, removed) = decompose(&parts[at], own)?;
            let others = parts.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, f)| f.clone());
            Some((Formula::Or(std::iter::once(added).chain(others).collect()), removed))
        }
        Formula::IfThenElse(c, a, b) => {
            if let Some((added, removed)) = decompose(b, own) {
                let added =
                    Formula::or(Formula::and((**c).clone(), (**a).clone()), Formula::and(!(**c).clone(), added));
                return Some((added, Formula::or((**c).clone(), removed)));
            }
            let (added, removed) = decompose(a, own)?;
            let added = Formula::or(Formula::and(!(**c).clone(), (**b).clone()), Formula::and((**c).clone(), added));
            Some((added, Formula::or(!(**c).clone(), removed)))
        }
        _ => None,
    }
}

/// Quantifiers restricted to the individuals that stay.
fn relativise(formula: &Formula, kept: &Definition) -> Formula {
    let stay = |vs: &[Variable]| {
        vs.iter().map(|v| kept.formula.instantiate(&kept.params, std::slice::from_ref(v))).collect::<Vec<_>>()
    };
    match formula {
        Formula::Exists(vs, f) => {
            let mut parts = stay(vs);
            parts.push(relativise(f, kept));
            Formula::exists(vs.clone(), Formula::And(parts))
        }
        Formula::Forall(vs, f) => {
            let condition = Formula::And(stay(vs));
            Formula::forall(vs.clone(), Formula::implies(condition, relativise(f, kept)))
        }
        _ => formula.map_parts(&mut |f| relativise(f, kept)),
    }
}

/// Whether the value on given individuals stays when an individual with every predicate 0 comes or goes: every
/// quantified variable is held by a positive atom.
#[must_use]
pub fn is_domain_independent(formula: &Formula) -> bool {
    match formula {
        Formula::Literal(_) | Formula::Atom(..) | Formula::Equal(..) => true,
        Formula::Not(f) => is_domain_independent(f),
        Formula::And(fs) | Formula::Or(fs) => fs.iter().all(is_domain_independent),
        Formula::IfThenElse(c, a, b) => [c, a, b].into_iter().all(|f| is_domain_independent(f)),
        Formula::Exists(vs, f) => vs.iter().all(|v| holds_down(f, v)) && is_domain_independent(f),
        Formula::Forall(vs, f) => {
            let negated = heapwise_logic::normal::negation_normal(&!(**f).clone());
            vs.iter().all(|v| holds_down(&negated, v)) && is_domain_independent(f)
        }
        Formula::Closure { left, right, step, .. } => {
            is_domain_independent(step) && holds_down(step, left) && holds_down(step, right)
        }
    }
}

/// Whether the formula is 0 whenever `v` is an individual with every predicate 0.
fn holds_down(formula: &Formula, v: &Variable) -> bool {
    match formula {
        Formula::Literal(value) => *value == Kleene::False,
        Formula::Atom(_, args) => args.contains(v),
        Formula::Equal(..) | Formula::Not(_) | Formula::Forall(..) => false,
        Formula::And(fs) => {
            fs.iter().any(|f| holds_down(f, v))
                || fs.iter().any(|f| match f {
                    // Through `v == w` or a path to w, w is that individual or v has an edge.
                    Formula::Equal(a, b) if a == v || b == v => {
                        let other = if a == v { b } else { a };
                        fs.iter().any(|g| holds_down(g, other))
                    }
                    Formula::Closure { steps: heapwise_logic::Steps::ZeroOrMore, from, to, step, left, right } => {
                        let inner = holds_down(step, left) && holds_down(step, right);
                        let other = if from == v {
                            Some(to)
                        } else if to == v {
                            Some(from)
                        } else {
                            None
                        };
                        inner && other.is_some_and(|w| w != v && fs.iter().any(|g| holds_down(g, w)))
                    }
                    _ => false,
                })
        }
        Formula::Or(fs) => fs.iter().all(|f| holds_down(f, v)),
        Formula::IfThenElse(c, a, b) => (holds_down(c, v) || holds_down(a, v)) && holds_down(b, v),
        Formula::Exists(_, f) => holds_down(f, v),
        Formula::Closure { steps, from, to, left, right, step } => {
            *steps == heapwise_logic::Steps::OneOrMore
                && (from == v && holds_down(step, left) || to == v && holds_down(step, right))
        }
    }
}
