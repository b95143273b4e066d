//! Coerce: sharpening a structure by consistency rules, or finding that it represents nothing.

use crate::compile::{Compiler, Program, Register};
use crate::gate::Gate;
use crate::rules::{Head, Rule};
use crate::structure::{Bounds, Mask, Structure};
use crate::tables::Tables;
use crate::vocabulary::{ACTIVE, Arity, PredicateIndex, SUMMARY, Vocabulary};
use heapwise_logic::{Formula, Predicate, Steps, Variable};
use std::sync::Arc;

/// The number of a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RuleId(pub usize);

#[derive(Clone, Debug)]
enum Target {
    Literal { slot: PredicateIndex, predicate: Predicate, sign: Sign, diagonal: bool },
    Equal,
    Different,
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Positive,
    Negative,
}

#[derive(Clone, Debug)]
struct Compiled {
    /// Shut where the rule has nothing to say.
    gate: Gate,
    program: Program,
    body: Register,
    /// How many dimensions the body's table has.
    dimensions: usize,
    target: Target,
}

/// The rules of an analysis, compiled.
#[derive(Clone, Debug)]
pub struct Constraints {
    rules: Vec<Arc<Rule>>,
    compiled: Vec<Arc<Compiled>>,
    /// For each predicate, the rules that read or conclude it.
    readers: Vec<Agenda>,
    /// The rules whose value depends on which individuals are single.
    equality_readers: Agenda,
    everything: Agenda,
}

/// A set of rules to be looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Agenda(Vec<u64>);

impl Agenda {
    fn new(rules: usize) -> Agenda {
        Agenda(vec![0; rules.div_ceil(64)])
    }

    fn insert(&mut self, rule: usize) {
        self.0[rule / 64] |= 1 << (rule % 64);
    }

    /// Adds another set.
    pub fn extend(&mut self, other: &Agenda) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    fn remove(&mut self, other: &Agenda) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
    }

    fn grow(&mut self, rules: usize) {
        self.0.resize(rules.div_ceil(64), 0);
    }

    fn pop(&mut self) -> Option<usize> {
        let word = self.0.iter().position(|w| *w != 0)?;
        let bit = self.0[word].trailing_zeros() as usize;
        self.0[word] &= self.0[word] - 1;
        Some(word * 64 + bit)
    }
}

impl Constraints {
    /// Compiles rules.
    #[must_use]
    pub fn new(vocabulary: &Vocabulary, rules: Vec<Rule>) -> Constraints {
        let nothing = Agenda::new(0);
        let mut constraints = Constraints {
            rules: Vec::new(),
            compiled: Vec::new(),
            readers: vec![nothing.clone(); vocabulary.predicates().count()],
            equality_readers: nothing.clone(),
            everything: nothing,
        };
        constraints.add(vocabulary, rules);
        constraints
    }

    fn add(&mut self, vocabulary: &Vocabulary, rules: Vec<Rule>) {
        let n_rules = self.rules.len() + rules.len();
        for agenda in self.readers.iter_mut().chain([&mut self.equality_readers, &mut self.everything]) {
            agenda.grow(n_rules);
        }
        for rule in rules {
            let i = self.rules.len();
            self.everything.insert(i);
            let head = rule.head.formula();
            for p in rule.body.predicates().into_iter().chain(head.predicates()) {
                self.readers[p.index()].insert(i);
            }
            if depends_on_equality(&rule.body) || matches!(rule.head, Head::Equal(..) | Head::Different(..)) {
                self.equality_readers.insert(i);
            }
            self.compiled.push(Arc::new(compile(vocabulary, &rule)));
            self.rules.push(Arc::new(rule));
        }
    }

    /// These rules without those that speak of any of the given predicates, and with some more. Nothing that is known
    /// already is compiled again.
    #[must_use]
    pub fn adapted(&self, vocabulary: &Vocabulary, foreign: &[Predicate], more: Vec<Rule>) -> Constraints {
        let mut gone = self.nothing();
        foreign.iter().for_each(|predicate| gone.extend(self.about(*predicate)));
        let mut adapted = self.clone();
        for agenda in adapted.readers.iter_mut().chain([&mut adapted.equality_readers, &mut adapted.everything]) {
            agenda.remove(&gone);
        }
        adapted.add(vocabulary, more);
        adapted
    }

    /// A rule, by number.
    #[must_use]
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.0]
    }

    /// All rules.
    #[must_use]
    pub fn rules(&self) -> &[Arc<Rule>] {
        &self.rules
    }

    /// No rule.
    #[must_use]
    pub fn nothing(&self) -> Agenda {
        Agenda::new(self.rules.len())
    }

    /// Every rule.
    #[must_use]
    pub fn everything(&self) -> Agenda {
        self.everything.clone()
    }

    /// The rules that read or conclude a predicate.
    #[must_use]
    pub fn about(&self, predicate: Predicate) -> &Agenda {
        &self.readers[predicate.index()]
    }

    /// The rules that depend on which individuals are equal.
    #[must_use]
    pub fn about_equality(&self) -> &Agenda {
        &self.equality_readers
    }

    /// Sharpens `structure` until no rule on the agenda, nor any rule that a sharpened value concerns, has more to
    /// say. Rules not on the agenda are taken to be satisfied already.
    ///
    /// # Errors
    /// The rule that the structure breaks: it represents no concrete structure.
    pub fn coerce(&self, structure: &mut Structure, mut agenda: Agenda, tables: &mut Tables) -> Result<(), RuleId> {
        while let Some(i) = agenda.pop() {
            let rule = &self.compiled[i];
            if !rule.gate.opens(structure) {
                continue;
            }
            tables.run(&rule.program, structure, &[]);
            match apply(rule, structure, tables) {
                Effect::None => {}
                Effect::Contradiction => return Err(RuleId(i)),
                Effect::Sharpened(predicate) => agenda.extend(&self.readers[predicate.index()]),
                Effect::Single => agenda.extend(&self.equality_readers),
            }
        }
        Ok(())
    }
}

fn depends_on_equality(formula: &Formula) -> bool {
    let mut found = false;
    formula.visit(&mut |f| {
        found |= matches!(f, Formula::Equal(..) | Formula::Closure { steps: Steps::ZeroOrMore, .. });
    });
    found
}

fn compile(vocabulary: &Vocabulary, rule: &Rule) -> Compiled {
    let (arguments, target) = match &rule.head {
        Head::Holds(p, args) => literal(vocabulary, *p, args, Sign::Positive),
        Head::Fails(p, args) => literal(vocabulary, *p, args, Sign::Negative),
        Head::Equal(a, b) => (vec![a.clone(), b.clone()], Target::Equal),
        Head::Different(a, b) => (vec![a.clone(), b.clone()], Target::Different),
        Head::Never => (Vec::new(), Target::Never),
    };
    // Free variables that the head lacks: the rule speaks of all of them, so one is enough to conclude.
    let others: Vec<Variable> = rule.body.free_variables().into_iter().filter(|v| !arguments.contains(v)).collect();
    let body = Formula::exists(others, rule.body.clone());
    let mut compiler = Compiler::new(vocabulary, &[]);
    let register = compiler.add(&body, &arguments);
    Compiled {
        gate: Gate::new(vocabulary, &body),
        program: compiler.finish(),
        body: register,
        dimensions: arguments.len(),
        target,
    }
}

fn literal(vocabulary: &Vocabulary, predicate: Predicate, args: &[Variable], sign: Sign) -> (Vec<Variable>, Target) {
    let slot = vocabulary.slot(predicate);
    let diagonal = matches!(args, [a, b] if a == b);
    let arguments = if diagonal { vec![args[0].clone()] } else { args.to_vec() };
    (arguments, Target::Literal { slot, predicate, sign, diagonal })
}

enum Effect {
    None,
    Contradiction,
    Sharpened(Predicate),
    Single,
}

fn apply(rule: &Compiled, structure: &mut Structure, tables: &Tables) -> Effect {
    let exist = structure.unary(ACTIVE).must;
    match &rule.target {
        Target::Never => {
            if tables.row(rule.body, 0).must & 1 == 1 {
                Effect::Contradiction
            } else {
                Effect::None
            }
        }
        Target::Equal => {
            let mut single: Mask = 0;
            for u in 0..structure.size() {
                let must = tables.row(rule.body, u).must;
                if must & !(1 << u) & exist != 0 && exist >> u & 1 == 1 {
                    return Effect::Contradiction;
                }
                single |= must & 1 << u;
            }
            let summary = structure.unary(SUMMARY);
            if summary.may & single == 0 {
                return Effect::None;
            }
            structure.set_unary(SUMMARY, Bounds { may: summary.may & !single, must: 0 });
            Effect::Single
        }
        Target::Different => {
            let broken = (0..structure.size()).any(|u| (tables.row(rule.body, u).must & exist) >> u & 1 == 1);
            if broken { Effect::Contradiction } else { Effect::None }
        }
        Target::Literal { slot, predicate, sign, diagonal } => {
            let mut effect = Effect::None;
            match slot.arity {
                Arity::Nullary => {
                    let value = structure.nullary(slot.index);
                    let old = Bounds { may: u64::from(value.may()), must: u64::from(value.must()) };
                    let change = sharpen(old, tables.row(rule.body, 0).must, *sign, 1);
                    match change {
                        Change::None => {}
                        Change::Contradiction => return Effect::Contradiction,
                        Change::To(new) => {
                            structure.set_nullary(
                                slot.index,
                                heapwise_logic::Kleene::from_bounds(new.may == 1, new.must == 1),
                            );
                            effect = Effect::Sharpened(*predicate);
                        }
                    }
                }
                Arity::Unary => match sharpen(structure.unary(slot.index), tables.row(rule.body, 0).must, *sign, exist)
                {
                    Change::None => {}
                    Change::Contradiction => return Effect::Contradiction,
                    Change::To(new) => {
                        structure.set_unary(slot.index, new);
                        effect = Effect::Sharpened(*predicate);
                    }
                },
                Arity::Binary => {
                    debug_assert!(*diagonal || rule.dimensions == 2);
                    for u in 0..structure.size() {
                        let must = if *diagonal {
                            let must = tables.row(rule.body, 0).must & 1 << u;
                            // The value on a summary and itself speaks of all pairs that it stands for, the rule only
                            // of each individual and itself: it cannot sharpen, but it can be broken.
                            if structure.summaries() >> u & 1 == 1 {
                                let bounds = structure.row(slot.index, u);
                                let against = if *sign == Sign::Positive { !bounds.may } else { bounds.must };
                                if must & against & exist != 0 {
                                    return Effect::Contradiction;
                                }
                                continue;
                            }
                            must
                        } else {
                            tables.row(rule.body, u).must
                        };
                        if must == 0 {
                            continue;
                        }
                        let exist = if exist >> u & 1 == 1 { exist } else { 0 };
                        match sharpen(structure.row(slot.index, u), must, *sign, exist) {
                            Change::None => {}
                            Change::Contradiction => return Effect::Contradiction,
                            Change::To(new) => {
                                structure.set_row(slot.index, u, new);
                                effect = Effect::Sharpened(*predicate);
                            }
                        }
                    }
                }
            }
            effect
        }
    }
}

enum Change {
    None,
    Contradiction,
    To(Bounds),
}

/// Makes the values of the set `must` definite. A contradiction counts only on individuals that surely exist; on one
/// that may not exist the value is left alone.
fn sharpen(old: Bounds, must: Mask, sign: Sign, exist: Mask) -> Change {
    let against = must & if sign == Sign::Positive { !old.may } else { old.must };
    if against & exist != 0 {
        return Change::Contradiction;
    }
    let must = must & !against;
    let new = match sign {
        Sign::Positive => Bounds { may: old.may, must: old.must | must },
        Sign::Negative => Bounds { may: old.may & !must, must: old.must },
    };
    if new == old { Change::None } else { Change::To(new) }
}
