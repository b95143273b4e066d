//! Best transformers: the most precise abstract effect of an action, or of a block of actions without loop.
//!
//! The concrete structures asked about have several stores ([`super::stores`]): the first is one that the input structure
//! represents, the last is abstracted. That is assume\[τ\] over the two-store vocabulary followed by blur on the primed
//! half, in one: since blur of a canonical abstraction is the canonical abstraction for fewer names, the images of the
//! last stores can be searched directly, with the first store as part of the concrete structures only.

use super::bounded::merged_to_bounded;
use super::characteristic::{Characteristic, Rename as _};
use super::explore::{Outcome, Settings, explore, theory, top};
use super::integrity::{IntegrityRule, close, integrity_rules};
use super::operations::{assume, bounded, smallest};
use super::problem::Problem;
use super::stores::{Store, auxiliary, relativise, singular};
use crate::action::{Action, ActionSpecification, Creation, Framework, StepResult, Trouble};
use crate::structure::Structure;
use crate::tables::Tables;
use crate::vocabulary::Arity;
use heapwise_logic::{Formula, Predicate, Variable};
use heapwise_prover::{Answer, Prover};
use indexmap::IndexSet;
use std::collections::BTreeSet;

/// Why an action has no formula.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsupported {
    /// `%new φ` and `%clone φ`.
    #[error("the action `{0}` makes one individual for each that satisfies a formula")]
    CreationForEach(String),
    /// 1/2 in a formula.
    #[error("the action `{0}` has 1/2 in a formula, which means nothing in a concrete structure")]
    Indefinite(String),
}

/// The best transformer of a block of actions.
#[derive(Debug)]
pub struct BestTransformer<'a> {
    framework: &'a Framework,
    actions: Vec<&'a ActionSpecification>,
    /// The actions by focus and coerce: a result to start from.
    usual: Vec<Action>,
    rules: Vec<IntegrityRule>,
    changes_universe: bool,
}

/// What a best transformer says of one structure.
#[derive(Clone, Default, Debug)]
pub struct Transformed {
    /// The structures after the block.
    pub outcome: Outcome,
    /// Whether all states during and after the block satisfy the rules. Those that do not are not in the outcome.
    pub broken: Check,
}

impl Transformed {
    fn is_settled(&self) -> bool {
        self.outcome.is_exact() && self.broken != Check::Unsettled
    }
}

impl Check {
    /// What is known of the states of two structures together.
    fn and(self, other: Check) -> Check {
        match (self, other) {
            (broken @ Check::Broken(..), _) | (_, broken @ Check::Broken(..)) => broken,
            (Check::Holds, Check::Holds) => Check::Holds,
            (Check::Holds | Check::Unsettled, Check::Holds | Check::Unsettled) => Check::Unsettled,
        }
    }
}

/// Whether the states of a block satisfy the rules.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub enum Check {
    /// All of them.
    Holds,
    /// After the action with that number, a state breaks that rule.
    Broken(usize, IntegrityRule),
    /// The prover could not tell.
    #[default]
    Unsettled,
}

/// The canonical abstractions of the states after a step that the closed formula τ relates to a state before it that
/// `structure` represents. In τ, unprimed predicates speak of the state before, primed ones of the state after; both
/// states have the same individuals and satisfy the integrity rules.
#[must_use]
pub fn transform_by_formula(
    framework: &Framework,
    formula: &Formula,
    structure: &Structure,
    prover: &mut dyn Prover,
    settings: Settings,
) -> Outcome {
    let bounded = merged_to_bounded(&framework.abstraction, structure);
    let structure = bounded.as_ref().unwrap_or(structure);
    let mut problem = Problem::new(framework);
    let before = Store::copied(&framework.vocabulary, "store0", &mut problem.symbols, None);
    for rule in integrity_rules(framework) {
        problem.require(&before.say(&rule.formula));
    }
    for part in Characteristic::new(&framework.vocabulary, None).renamed(&before).gamma_hat(structure) {
        problem.require(&part);
    }
    let related = formula.replace_atoms(&mut |p, args| {
        let named = if p.is_primed() { Predicate::new(p.index()) } else { before.rename(p) };
        Some(Formula::Atom(named, args.to_vec()))
    });
    problem.require(&related);
    let start = top(&problem);
    explore(&problem, &[start], prover, settings)
}

/// So many open questions about an input, and its images are asked about one by one.
const SOON: usize = 1;
/// An input with more images than this is not divided.
const MOST_IMAGES: usize = 200;
/// More structures than this are not worth starting from.
const MOST_STARTS: usize = 500;

/// Which store a condition speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Before the first action.
    Before,
    /// After the last.
    After,
}

impl<'a> BestTransformer<'a> {
    /// The transformer of `actions`, one after the other.
    ///
    /// # Errors
    /// An action whose effect is not expressed by formulas.
    pub fn new(
        framework: &'a Framework,
        actions: impl IntoIterator<Item = &'a ActionSpecification>,
    ) -> Result<BestTransformer<'a>, Unsupported> {
        let actions: Vec<&ActionSpecification> = actions.into_iter().collect();
        for action in &actions {
            if action.creations.iter().any(|c| *c != Creation::One) || action.creations.len() > 1 {
                return Err(Unsupported::CreationForEach(action.name.clone()));
            }
            let formulas =
                action.updates.values().chain(&action.retain).map(|d| &d.formula).chain(&action.precondition);
            let mut indefinite = false;
            for formula in formulas {
                formula.visit(&mut |f| indefinite |= matches!(f, Formula::Literal(value) if !value.is_definite()));
            }
            if indefinite {
                return Err(Unsupported::Indefinite(action.name.clone()));
            }
        }
        let usual = actions.iter().map(|a| Action::new(framework, a)).collect();
        let changes_universe = actions.iter().any(|a| !a.creations.is_empty() || a.retain.is_some());
        Ok(BestTransformer { framework, actions, usual, rules: integrity_rules(framework), changes_universe })
    }

    /// The canonical abstractions of the states after the block, for the states before it that `structure` represents.
    #[must_use]
    pub fn apply(&self, structure: &Structure, prover: &mut dyn Prover, settings: Settings) -> Transformed {
        let merged = merged_to_bounded(&self.framework.abstraction, structure);
        let structure = merged.as_ref().unwrap_or(structure);
        let first = Settings { unsettled: settings.unsettled.min(SOON), ..settings };
        let whole = self.apply_to_bounded(structure, prover, first);
        if whole.is_settled() {
            return whole;
        }
        // Of the images of the input more is known than of all of it.
        let images = assume(self.framework, &Formula::TRUE, std::slice::from_ref(structure), prover, first).outcome;
        if !images.is_exact() || images.structures.len() > MOST_IMAGES {
            return whole;
        }
        let mut parts = Transformed { outcome: Outcome::default(), broken: Check::Holds };
        parts.outcome.queries = whole.outcome.queries + images.queries;
        parts.outcome.unsettled = whole.outcome.unsettled;
        parts.outcome.reason = whole.outcome.reason.clone();
        for image in &images.structures {
            let left = first.unsettled.saturating_sub(parts.outcome.doubtful.len());
            let part = self.apply_to_bounded(image, prover, Settings { unsettled: left, ..settings });
            parts.outcome.absorb(part.outcome);
            parts.broken = parts.broken.and(part.broken);
        }
        parts
    }

    fn apply_to_bounded(&self, structure: &Structure, prover: &mut dyn Prover, settings: Settings) -> Transformed {
        let broken = self.check_rules(structure, prover);
        let problem = self.problem(structure, self.whole()).0;
        let starts = self.usual(structure).unwrap_or_else(|| vec![top(&problem)]);
        let (starts, _) = bounded(self.framework, &smallest(&starts));
        Transformed { outcome: explore(&problem, &starts, prover, settings), broken }
    }

    /// What focus and coerce give: less precise, but it represents all states after the block that satisfy the rules.
    /// `None` if structures had to be dropped for another reason than a broken rule, or if there are too many.
    fn usual(&self, structure: &Structure) -> Option<Vec<Structure>> {
        let (mut tables, constraints) = (Tables::new(), &self.framework.constraints);
        let mut start = structure.clone();
        if constraints.coerce(&mut start, constraints.everything(), &mut tables).is_err() {
            return Some(Vec::new());
        }
        let mut current = vec![self.framework.abstraction.blur(&start)];
        for action in &self.usual {
            let mut step = StepResult::default();
            for structure in &current {
                action.apply(self.framework, structure, &mut tables, &mut step);
            }
            let lost = step.troubles.iter().any(|(trouble, _)| *trouble == Trouble::TooLarge);
            if lost || !step.disagreements.is_empty() || step.structures.len() > MOST_STARTS {
                return None;
            }
            let unique: IndexSet<Structure> = step.structures.into_iter().collect();
            current = unique.into_iter().collect();
        }
        Some(current)
    }

    /// Whether a condition holds in no state: before or after the block, from the states that `structure` represents.
    /// The condition may use the variables of the precondition of the first (last) action.
    #[must_use]
    pub fn excludes(
        &self,
        structure: &Structure,
        condition: &Formula,
        moment: Moment,
        prover: &mut dyn Prover,
    ) -> bool {
        let merged = merged_to_bounded(&self.framework.abstraction, structure);
        let structure = merged.as_ref().unwrap_or(structure);
        let (mut problem, stores) = self.problem(structure, self.whole());
        let (store, arguments) = match moment {
            Moment::Before => (stores.first(), &stores.arguments[0]),
            Moment::After => (stores.last(), &stores.arguments[self.actions.len().saturating_sub(1)]),
        };
        let said = bind(&store.say(condition), arguments, &[]);
        let free: Vec<Variable> = said.free_variables().into_iter().collect();
        problem.require(&Formula::exists(free, said));
        let theory = theory(&problem);
        prover.open(&theory).check(&[]) == Answer::Unsatisfiable
    }

    /// Whether a state after one of the actions breaks a rule; states that break one after an earlier action are not
    /// looked at again.
    fn check_rules(&self, structure: &Structure, prover: &mut dyn Prover) -> Check {
        for (i, action) in self.actions.iter().enumerate() {
            let unchanged = self.unchanged(action);
            let is_touched = |rule: &&IntegrityRule| {
                !same_universe(action) || rule.formula.predicates().iter().any(|p| !unchanged.contains(p))
            };
            let laws = self.rules.iter().filter(|r| !r.is_definition());
            let checked: Vec<&IntegrityRule> = laws.filter(is_touched).collect();
            if checked.is_empty() {
                continue;
            }
            let (problem, stores) = self.problem(structure, Part { actions: i + 1, last: Properties::Open });
            let question = |wanted: &[&IntegrityRule]| {
                let broken = wanted.iter().map(|rule| !stores.last().say(&rule.formula));
                let mut problem = problem.clone();
                problem.require(&Formula::Or(broken.collect()));
                theory(&problem)
            };
            let answer = prover.open(&question(&checked)).check(&[]);
            match answer {
                Answer::Unsatisfiable => {}
                Answer::Unknown(_) => return Check::Unsettled,
                Answer::Satisfiable(_) => {
                    let breaks = |rule: &&&IntegrityRule| {
                        matches!(prover.open(&question(&[**rule])).check(&[]), Answer::Satisfiable(_))
                    };
                    let rule = checked.iter().find(breaks);
                    return rule.map_or(Check::Unsettled, |rule| Check::Broken(i, (*rule).clone()));
                }
            }
        }
        Check::Holds
    }

    /// The concrete structures with all stores of the block.
    fn problem(&self, structure: &Structure, part: Part) -> (Problem<'a>, Stores) {
        let vocabulary = &self.framework.vocabulary;
        let mut problem = Problem::unconstrained(self.framework);
        if part.last == Properties::Open
            && let Some(last) = part.actions.checked_sub(1)
        {
            let unchanged = self.unchanged(self.actions[last]);
            problem.symbols.forget_properties(|p| !unchanged.contains(&p));
        }
        let stores = self.stores(&mut problem, part.actions);
        let first = stores.first();
        self.everyone_lives(&mut problem, &stores);
        for rule in &self.rules {
            problem.require(&first.say(&rule.formula));
        }
        self.nothing_of_the_dead(&mut problem, first);
        let characteristic = Characteristic::new(vocabulary, first.alive).renamed(first);
        let parts = characteristic.gamma_hat(structure);
        drop(characteristic);
        for part in parts {
            problem.require(&part);
        }
        for i in 0..part.actions {
            let needed = self.needed_after(i, part);
            self.step(&mut problem, &stores, i, needed.as_ref());
        }
        let lawful = if part.last == Properties::Hold { part.actions + 1 } else { part.actions };
        for store in stores.list.iter().take(lawful).skip(1) {
            for rule in self.rules.iter().filter(|r| !r.is_definition()) {
                problem.require(&store.say(&rule.formula));
            }
        }
        if part.last == Properties::Hold {
            problem.constraints = Some(&self.framework.constraints);
        }
        problem.alive = stores.last().alive;
        (problem, stores)
    }

    /// What an action leaves as it is has one name before and after it.
    fn stores(&self, problem: &mut Problem<'a>, n: usize) -> Stores {
        let vocabulary = &self.framework.vocabulary;
        let alive_in = |problem: &mut Problem<'a>, i: usize| {
            self.changes_universe.then(|| auxiliary(&mut problem.symbols, format!("alive[{i}]"), Arity::Unary))
        };
        let (mut fresh, mut arguments) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let mut list = vec![Store::own(vocabulary, alive_in(problem, n))];
        for (i, action) in self.actions.iter().enumerate().take(n).rev() {
            let later = &list[list.len() - 1];
            let alive = if same_universe(action) { later.alive } else { alive_in(problem, i) };
            let unchanged = self.unchanged(action);
            let label = format!("store{i}");
            list.push(Store::before(later, vocabulary, &label, &mut problem.symbols, alive, &unchanged));
        }
        list.reverse();
        for (i, action) in self.actions.iter().enumerate().take(n) {
            fresh.push((!action.creations.is_empty()).then(|| singular(&mut problem.symbols, format!("new[{i}]"))));
            let free = action.precondition.iter().flat_map(Formula::free_variables);
            let name = |v: Variable| {
                let p = singular(&mut problem.symbols, format!("arg{i}[{}]", v.name()));
                (v, p)
            };
            arguments.push(free.map(name).collect());
        }
        Stores { list, fresh, arguments }
    }

    /// The predicates that an action leaves as they are.
    fn unchanged(&self, action: &ActionSpecification) -> BTreeSet<Predicate> {
        let vocabulary = &self.framework.vocabulary;
        let mut unchanged = BTreeSet::new();
        if action.retain.is_some() {
            return unchanged;
        }
        unchanged.extend(self.core().filter(|p| !action.updates.contains_key(p)));
        // What a definition says may change with the individuals there are.
        if same_universe(action) {
            loop {
                let defined = vocabulary.predicates().filter(|p| !unchanged.contains(p));
                let more: Vec<Predicate> = defined
                    .filter(|p| {
                        let definition = vocabulary.declaration(*p).definition.as_ref();
                        definition.is_some_and(|d| d.formula.predicates().iter().all(|q| unchanged.contains(q)))
                    })
                    .collect();
                if more.is_empty() {
                    break;
                }
                unchanged.extend(more);
            }
        }
        unchanged
    }

    /// Individuals that are alive in no store, nor brought in by an action, are of no concern: every formula speaks of the living. Without
    /// them there are fewer kinds of individuals.
    fn everyone_lives(&self, problem: &mut Problem<'a>, stores: &Stores) {
        if !self.changes_universe {
            return;
        }
        let v = [Variable::new("$a")];
        let mut cases: Vec<Formula> = stores.list.iter().flat_map(|store| store.living(&v)).collect();
        cases.dedup();
        cases.extend(stores.fresh.iter().flatten().map(|fresh| Formula::atom(*fresh, &v)));
        problem.require(&close(Formula::Or(cases)));
    }

    /// Predicates of a store hold of the living alone.
    fn nothing_of_the_dead(&self, problem: &mut Problem<'a>, store: &Store) {
        if store.alive.is_none() {
            return;
        }
        for p in self.core() {
            let args = arguments_of(self.framework.vocabulary.declaration(p).arity);
            let holds = store.renamed(&Formula::Atom(p, args.clone()));
            problem.require(&close(Formula::implies(holds, Formula::And(store.living(&args)))));
        }
    }

    fn core(&self) -> impl Iterator<Item = Predicate> + '_ {
        let vocabulary = &self.framework.vocabulary;
        vocabulary.predicates().filter(|p| {
            !matches!(vocabulary.name(*p), "sm" | "ac" | "isNew" | "instance")
                && vocabulary.declaration(*p).definition.is_none()
        })
    }

    /// τ: what action number `i` does.
    fn step(&self, problem: &mut Problem<'a>, stores: &Stores, i: usize, needed: Option<&BTreeSet<Predicate>>) {
        let (vocabulary, action) = (&self.framework.vocabulary, self.actions[i]);
        let (before, after) = (&stores.list[i], &stores.list[i + 1]);
        let (fresh, arguments) = (stores.fresh[i], &stores.arguments[i]);
        let [v, w] = ["$a", "$b"].map(Variable::new);
        for (_, p) in arguments {
            let own = |v: &Variable| Formula::atom(*p, std::slice::from_ref(v));
            problem.require(&Formula::exists(vec![v.clone()], own(&v)));
            problem.require(&close(Formula::implies(Formula::and(own(&v), own(&w)), Formula::equal(&v, &w))));
            let alive = Formula::And(before.living(std::slice::from_ref(&v)));
            problem.require(&close(Formula::implies(own(&v), alive)));
        }
        if let Some(precondition) = &action.precondition {
            let said = bind(&before.say(precondition), arguments, &[]);
            problem.require(&said);
        }
        if let Some(fresh) = fresh {
            let own = |v: &Variable| Formula::atom(fresh, std::slice::from_ref(v));
            problem.require(&Formula::exists(vec![v.clone()], own(&v)));
            problem.require(&close(Formula::implies(Formula::and(own(&v), own(&w)), Formula::equal(&v, &w))));
            let alive = Formula::And(before.living(std::slice::from_ref(&v)));
            problem.require(&close(Formula::implies(own(&v), !alive)));
        }
        // Updates see the old individuals and the new one.
        let scene = Scene { store: before, fresh };
        if let Some(fresh) = fresh {
            self.define_on_the_new(problem, before, &scene, fresh);
        }
        if let Some(alive) = after.alive {
            let v = std::slice::from_ref(&v);
            let mut stays = vec![scene.present(&v[0])];
            if let Some(retain) = &action.retain {
                let kept = retain.formula.rename_apart("u", &mut 0).instantiate(&retain.params, v);
                stays.push(bind(&scene.say(&kept), arguments, v));
            }
            problem.require(&close(Formula::iff(Formula::atom(alive, v), Formula::And(stays))));
        }
        for p in self.core() {
            let args = arguments_of(vocabulary.declaration(p).arity);
            let new = match action.updates.get(&p) {
                Some(update) => {
                    let formula = update.formula.rename_apart("u", &mut 0).instantiate(&update.params, &args);
                    bind(&scene.say(&formula), arguments, &args)
                }
                None => before.renamed(&Formula::Atom(p, args.clone())),
            };
            let mut parts = after.living(&args);
            let own = after.renamed(&Formula::Atom(p, args));
            if own == new {
                // Before the action it holds of those alone that live then, and they live on.
                continue;
            }
            parts.push(new);
            problem.require(&close(Formula::iff(own, Formula::And(parts))));
        }
        for p in vocabulary.predicates().filter(|p| needed.is_none_or(|needed| needed.contains(p))) {
            let Some(definition) = &vocabulary.declaration(p).definition else { continue };
            let own = after.renamed(&Formula::Atom(p, definition.params.clone()));
            let meaning = Formula::iff(own, after.say(&definition.formula));
            let mut parts: Vec<Formula> = after.living(&definition.params).into_iter().map(|f| !f).collect();
            parts.push(meaning);
            problem.require(&close(Formula::Or(parts)));
        }
    }

    fn whole(&self) -> Part {
        Part { actions: self.actions.len(), last: Properties::Hold }
    }

    /// The predicates that matter in the store after action number `i`; `None` for all of them.
    fn needed_after(&self, i: usize, part: Part) -> Option<BTreeSet<Predicate>> {
        if i + 1 == part.actions && part.last == Properties::Hold {
            return None;
        }
        let laws = self.rules.iter().filter(|r| !r.is_definition()).map(|r| &r.formula);
        let mut needed: BTreeSet<Predicate> = laws.flat_map(Formula::predicates).collect();
        if let Some(next) = self.actions.get(i + 1).filter(|_| i + 1 < part.actions) {
            let is_core = |p: &Predicate| self.framework.vocabulary.declaration(*p).definition.is_none();
            let updates = next.updates.iter().filter(|(p, _)| is_core(p)).map(|(_, d)| &d.formula);
            let formulas = updates.chain(next.retain.as_ref().map(|d| &d.formula)).chain(&next.precondition);
            needed.extend(formulas.flat_map(Formula::predicates));
        }
        loop {
            let below: Vec<Predicate> = needed
                .iter()
                .filter_map(|p| self.framework.vocabulary.declaration(*p).definition.as_ref())
                .flat_map(|d| d.formula.predicates())
                .filter(|p| !needed.contains(p))
                .collect();
            if below.is_empty() {
                return Some(needed);
            }
            needed.extend(below);
        }
    }

    /// Instrumentation predicates of the old store on tuples with the new individual: by definition.
    fn define_on_the_new(&self, problem: &mut Problem<'a>, before: &Store, scene: &Scene<'_>, fresh: Predicate) {
        let vocabulary = &self.framework.vocabulary;
        for p in vocabulary.predicates() {
            let Some(definition) = &vocabulary.declaration(p).definition else { continue };
            if definition.params.is_empty() {
                continue;
            }
            let is_new = |v: &Variable| Formula::atom(fresh, std::slice::from_ref(v));
            let some_new = Formula::Or(definition.params.iter().map(is_new).collect());
            let present = definition.params.iter().map(|v| scene.present(v)).collect();
            let own = before.renamed(&Formula::Atom(p, definition.params.clone()));
            let meaning = Formula::iff(own, scene.say(&definition.formula));
            let when = Formula::and(some_new, Formula::And(present));
            problem.require(&close(Formula::implies(when, meaning)));
        }
    }
}

/// Whether an action neither makes nor removes individuals.
fn same_universe(action: &ActionSpecification) -> bool {
    action.creations.is_empty() && action.retain.is_none()
}

/// The first actions of a block, and what is known of the store after them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    actions: usize,
    last: Properties,
}

/// Whether the rules are known to hold in a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Properties {
    /// They hold.
    Hold,
    /// That is what is asked.
    Open,
}

/// The stores of a block, with what each action brings in.
#[derive(Clone, Debug)]
struct Stores {
    list: Vec<Store>,
    fresh: Vec<Option<Predicate>>,
    arguments: Vec<Vec<(Variable, Predicate)>>,
}

impl Stores {
    fn first(&self) -> &Store {
        &self.list[0]
    }

    fn last(&self) -> &Store {
        &self.list[self.list.len() - 1]
    }
}

/// What updates see: a store and perhaps a new individual.
struct Scene<'a> {
    store: &'a Store,
    fresh: Option<Predicate>,
}

impl Scene<'_> {
    fn present(&self, v: &Variable) -> Formula {
        let mut parts = self.store.living(std::slice::from_ref(v));
        if parts.is_empty() {
            return Formula::TRUE;
        }
        parts.extend(self.fresh.map(|p| Formula::atom(p, std::slice::from_ref(v))));
        Formula::Or(parts)
    }

    fn say(&self, formula: &Formula) -> Formula {
        let is_new = Predicate::new(crate::vocabulary::NEW);
        let placed = formula.replace_atoms(&mut |p, args| match self.fresh {
            Some(fresh) if p == is_new => Some(Formula::Atom(fresh, args.to_vec())),
            _ => None,
        });
        let placed = self.store.renamed(&placed);
        let range = |v: &Variable| self.store.alive.map(|_| self.present(v));
        relativise(&placed, &range)
    }
}

fn arguments_of(arity: Arity) -> Vec<Variable> {
    // Names that no specification has: variables of a precondition must not meet them.
    ["$a", "$b"][..arity.count()].iter().map(|name| Variable::new(name)).collect()
}

/// The formula with the variables of a precondition standing for the individuals that were chosen.
fn bind(formula: &Formula, arguments: &[(Variable, Predicate)], shadowed: &[Variable]) -> Formula {
    let mut bound = formula.clone();
    let free = formula.free_variables();
    for (v, p) in arguments.iter().filter(|(v, _)| free.contains(v) && !shadowed.contains(v)) {
        bound = Formula::exists(vec![v.clone()], Formula::and(Formula::atom(*p, std::slice::from_ref(v)), bound));
    }
    bound
}
