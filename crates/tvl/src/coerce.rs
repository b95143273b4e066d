//! Coerce: sharpening a structure by consistency rules, or finding that it represents nothing.

use crate::compile::{Code, Compiler, Operation};
use crate::query::{Bound, Query, Sign, Source};
use crate::rules::{Head, Rule};
use crate::structure::{Bounds, Mask, Structure};
use crate::tables::{Input, Tables};
use crate::vocabulary::{ACTIVE, Arity, PredicateIndex, SUMMARY, Vocabulary};
use heapwise_logic::{Formula, Kleene, Predicate, Steps, Variable};
use rustc_hash::FxHashSet;
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

#[derive(Clone, Debug)]
struct Compiled {
    /// Where the body surely holds and the head is not sure already.
    query: Query,
    /// How many dimensions the answer has.
    dimensions: usize,
    target: Target,
}

/// The rules of an analysis, compiled.
#[derive(Clone, Debug)]
pub struct Constraints {
    rules: Vec<Arc<Rule>>,
    compiled: Vec<Arc<Compiled>>,
    /// The tables that rules share.
    code: Code,
    /// For each predicate and each of its bounds, the operations whose tables depend on it, as a set.
    stale: Vec<[Vec<u64>; 2]>,
    /// For each predicate, what a change of it concerns.
    concerned: Vec<Concerned>,
    /// For each predicate, the rules that read or conclude it.
    readers: Vec<Agenda>,
    /// The rules whose value depends on which individuals are single.
    equality_readers: Agenda,
    /// The rules that read which individuals surely are different ones.
    difference_readers: Agenda,
    everything: Agenda,
}

/// The rules that may have something new to say after a change of a predicate, by the change.
#[derive(Clone, Debug)]
struct Concerned {
    /// It is 0 where it was not: rules that read where it may hold, and rules that conclude that it holds.
    less_possible: Agenda,
    /// It is 1 where it was not: rules that read where it must hold, and rules that conclude that it does not.
    more_certain: Agenda,
    /// It is 0 no longer somewhere: rules that conclude that it does not hold.
    more_possible: Agenda,
    /// It is 1 no longer somewhere: rules that conclude that it holds.
    less_certain: Agenda,
}

impl Concerned {
    fn agendas(&mut self) -> [&mut Agenda; 4] {
        [&mut self.less_possible, &mut self.more_certain, &mut self.more_possible, &mut self.less_certain]
    }
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
            code: Code::default(),
            stale: Vec::new(),
            concerned: {
                let nothing = || nothing.clone();
                let (less_possible, more_certain) = (nothing(), nothing());
                let concerned =
                    Concerned { less_possible, more_certain, more_possible: nothing(), less_certain: nothing() };
                vec![concerned; vocabulary.predicates().count()]
            },
            readers: vec![nothing.clone(); vocabulary.predicates().count()],
            equality_readers: nothing.clone(),
            difference_readers: nothing.clone(),
            everything: nothing,
        };
        constraints.add(vocabulary, rules);
        constraints
    }

    fn add(&mut self, vocabulary: &Vocabulary, rules: Vec<Rule>) {
        let n_rules = self.rules.len() + rules.len();
        self.agendas().for_each(|agenda| agenda.grow(n_rules));
        let mut compiler = Compiler::resume(vocabulary, std::mem::take(&mut self.code));
        let mut read = Vec::with_capacity(rules.len());
        for rule in rules {
            let i = self.rules.len();
            self.everything.insert(i);
            let head = rule.head.formula();
            for p in rule.body.predicates().into_iter().chain(head.predicates()) {
                self.readers[p.index()].insert(i);
            }
            if depends_on_equality(&rule.body) || head_depends_on_equality(&rule.head) {
                self.equality_readers.insert(i);
            }
            match &rule.head {
                Head::Holds(p, _) => {
                    self.concerned[p.index()].less_possible.insert(i);
                    self.concerned[p.index()].less_certain.insert(i);
                }
                Head::Fails(p, _) => {
                    self.concerned[p.index()].more_certain.insert(i);
                    self.concerned[p.index()].more_possible.insert(i);
                }
                Head::Equal(..) | Head::Different(..) | Head::Never => {}
            }
            let (compiled, sources) = compile(vocabulary, &mut compiler, &rule);
            read.push((i, sources));
            self.compiled.push(Arc::new(compiled));
            self.rules.push(Arc::new(rule));
        }
        self.code = compiler.into_code();
        let reads = Reads::new(&self.code);
        let slots: Vec<(Arity, usize)> = vocabulary.predicates().map(|p| slot(vocabulary, p)).collect();
        for (rule, sources) in read {
            let read = reads.of(&sources);
            for (concerned, (arity, index)) in self.concerned.iter_mut().zip(&slots) {
                if read.contains(&Source::Predicate(*arity, *index, Bound::May)) {
                    concerned.less_possible.insert(rule);
                }
                if read.contains(&Source::Predicate(*arity, *index, Bound::Must)) {
                    concerned.more_certain.insert(rule);
                }
            }
            if read.contains(&Source::Equality(Bound::May)) {
                self.difference_readers.insert(rule);
            }
        }
        let stale = |(arity, index): &(Arity, usize)| {
            [Bound::May, Bound::Must].map(|bound| reads.readers_of(Source::Predicate(*arity, *index, bound)))
        };
        self.stale = slots.iter().map(stale).collect();
    }

    fn agendas(&mut self) -> impl Iterator<Item = &mut Agenda> {
        let concerned = self.concerned.iter_mut().flat_map(Concerned::agendas);
        let others = [&mut self.equality_readers, &mut self.difference_readers, &mut self.everything];
        self.readers.iter_mut().chain(others).chain(concerned)
    }

    /// These rules without those that speak of any of the given predicates, and with some more. Nothing that is known
    /// already is compiled again.
    #[must_use]
    pub fn adapted(&self, vocabulary: &Vocabulary, foreign: &[Predicate], more: Vec<Rule>) -> Constraints {
        let mut gone = self.nothing();
        foreign.iter().for_each(|predicate| gone.extend(self.about(*predicate)));
        let mut adapted = self.clone();
        adapted.agendas().for_each(|agenda| agenda.remove(&gone));
        adapted.add(vocabulary, more);
        adapted
    }

    /// The rules that a definite value concerns where it was 1/2 before.
    #[must_use]
    pub fn about_definite(&self, predicate: Predicate, value: Kleene) -> &Agenda {
        let concerned = &self.concerned[predicate.index()];
        if value == Kleene::False { &concerned.less_possible } else { &concerned.more_certain }
    }

    /// The rules that may have something new to say where an individual was divided into two, on which the predicate is 0 and 1. The
    /// two agree with the one on everything else, so no other rule can, unless it asks whether they are different.
    #[must_use]
    pub fn about_division(&self, predicate: Predicate) -> Agenda {
        let concerned = &self.concerned[predicate.index()];
        let mut agenda = concerned.less_possible.clone();
        agenda.extend(&concerned.more_certain);
        agenda.extend(&self.difference_readers);
        agenda
    }

    /// Adds the rules that a change of some values of a predicate concerns.
    pub(crate) fn note_change(&self, predicate: Predicate, old: Bounds, new: Bounds, agenda: &mut Agenda) {
        let concerned = &self.concerned[predicate.index()];
        if old.may & !new.may != 0 {
            agenda.extend(&concerned.less_possible);
        }
        if new.may & !old.may != 0 {
            agenda.extend(&concerned.more_possible);
        }
        if old.must & !new.must != 0 {
            agenda.extend(&concerned.less_certain);
        }
        if new.must & !old.must != 0 {
            agenda.extend(&concerned.more_certain);
        }
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
        let (program, machine) = (&self.code.program, &mut tables.rules);
        machine.begin(program, structure);
        while let Some(i) = agenda.pop() {
            let rule = &*self.compiled[i];
            let input = Input { program, structure, parameters: &[] };
            let mut word = [0];
            let effect = if rule.dimensions < 2 {
                if !machine.ask(input, &rule.query, &mut word) {
                    continue;
                }
                apply(rule, structure, &word)
            } else {
                let mut buffer = machine.buffer(rule.dimensions, structure.size());
                let any = machine.ask(input, &rule.query, &mut buffer);
                let effect = if any { apply(rule, structure, &buffer) } else { Effect::None };
                machine.give_back(buffer);
                effect
            };
            match effect {
                Effect::None => {}
                Effect::Contradiction => return Err(RuleId(i)),
                Effect::Sharpened(predicate, sign) => {
                    let concerned = &self.concerned[predicate.index()];
                    let [may, must] = &self.stale[predicate.index()];
                    let (agenda_after, stale) = match sign {
                        Sign::Positive => (&concerned.more_certain, must),
                        Sign::Negative => (&concerned.less_possible, may),
                    };
                    agenda.extend(agenda_after);
                    if matches!(predicate.index(), ACTIVE | SUMMARY) {
                        // Every quantifier and every equality depends on these.
                        agenda.extend(&self.readers[predicate.index()]);
                        machine.invalidate_all();
                    } else {
                        machine.invalidate(stale);
                    }
                }
                Effect::Single => {
                    agenda.extend(&self.equality_readers);
                    machine.invalidate_all();
                }
            }
        }
        Ok(())
    }
}

/// What operations read, themselves or through the tables of others: predicates and equality.
struct Reads(Vec<FxHashSet<Source>>);

impl Reads {
    fn new(code: &Code) -> Reads {
        let mut reads = Reads(Vec::with_capacity(code.program.operations.len()));
        for operation in &code.program.operations {
            let mut read = reads.of(&operation.sources());
            if let Operation::Closure { steps: Steps::ZeroOrMore, bound, .. } = &**operation {
                read.insert(Source::Equality(*bound));
            }
            reads.0.push(read);
        }
        reads
    }

    fn of(&self, sources: &[Source]) -> FxHashSet<Source> {
        let mut read = FxHashSet::default();
        for source in sources {
            match source {
                Source::Predicate(..) | Source::Equality(_) => {
                    read.insert(*source);
                }
                Source::Table(table) => read.extend(self.0[table.operation].iter().copied()),
            }
        }
        read
    }

    /// The operations that read a bound, as a set.
    fn readers_of(&self, bound: Source) -> Vec<u64> {
        let mut set = vec![0; self.0.len().div_ceil(64)];
        for (i, _) in self.0.iter().enumerate().filter(|(_, read)| read.contains(&bound)) {
            set[i / 64] |= 1 << (i % 64);
        }
        set
    }
}

fn slot(vocabulary: &Vocabulary, predicate: Predicate) -> (Arity, usize) {
    let slot = vocabulary.slot(predicate);
    (slot.arity, slot.index)
}

/// A value on an individual and itself cannot be sharpened as long as the individual stands for several.
fn head_depends_on_equality(head: &Head) -> bool {
    match head {
        Head::Holds(_, args) | Head::Fails(_, args) => matches!(args.as_slice(), [a, b] if a == b),
        Head::Equal(..) | Head::Different(..) => true,
        Head::Never => false,
    }
}

fn depends_on_equality(formula: &Formula) -> bool {
    let mut found = false;
    formula.visit(&mut |f| {
        found |= matches!(f, Formula::Equal(..) | Formula::Closure { steps: Steps::ZeroOrMore, .. });
    });
    found
}

/// A rule, compiled, and what its body reads.
fn compile(vocabulary: &Vocabulary, compiler: &mut Compiler<'_>, rule: &Rule) -> (Compiled, Vec<Source>) {
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
    let (query, read) = compiler.query(&body, &rule.head.formula(), &arguments);
    (Compiled { query, dimensions: arguments.len(), target }, read)
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
    /// A predicate holds, or fails, where that was open.
    Sharpened(Predicate, Sign),
    Single,
}

/// Does what a rule says; `answer` has the tuples of its body.
fn apply(rule: &Compiled, structure: &mut Structure, answer: &[u64]) -> Effect {
    let exist = structure.unary(ACTIVE).must;
    match &rule.target {
        Target::Never => {
            if answer[0] & 1 == 1 {
                Effect::Contradiction
            } else {
                Effect::None
            }
        }
        Target::Equal => {
            let mut single: Mask = 0;
            for (u, must) in answer.iter().copied().enumerate().take(structure.size()) {
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
            let broken = (0..structure.size()).any(|u| (answer[u] & exist) >> u & 1 == 1);
            if broken { Effect::Contradiction } else { Effect::None }
        }
        Target::Literal { slot, predicate, sign, diagonal } => {
            let mut effect = Effect::None;
            match slot.arity {
                Arity::Nullary => {
                    let value = structure.nullary(slot.index);
                    let old = Bounds { may: u64::from(value.may()), must: u64::from(value.must()) };
                    let change = sharpen(old, answer[0], *sign, 1);
                    match change {
                        Change::None => {}
                        Change::Contradiction => return Effect::Contradiction,
                        Change::To(new) => {
                            structure.set_nullary(slot.index, Kleene::from_bounds(new.may == 1, new.must == 1));
                            effect = Effect::Sharpened(*predicate, *sign);
                        }
                    }
                }
                Arity::Unary => match sharpen(structure.unary(slot.index), answer[0], *sign, exist) {
                    Change::None => {}
                    Change::Contradiction => return Effect::Contradiction,
                    Change::To(new) => {
                        structure.set_unary(slot.index, new);
                        effect = Effect::Sharpened(*predicate, *sign);
                    }
                },
                Arity::Binary => {
                    debug_assert!(*diagonal || rule.dimensions == 2);
                    for u in 0..structure.size() {
                        let must = if *diagonal {
                            let must = answer[0] & 1 << u;
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
                            answer[u]
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
                                effect = Effect::Sharpened(*predicate, *sign);
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
