//! Brute force: all concrete structures of a vocabulary up to a size, and random questions about them.

#![allow(dead_code, reason = "each test file uses its part")]

use crate::common::{Analysis, define};
use heapwise_logic::{Formula, Kleene, Predicate, Variable};
use heapwise_prover::Limits;
use heapwise_prover::builtin::Builtin;
use heapwise_tvl::compile::Compiler;
use heapwise_tvl::structure::Structure;
use heapwise_tvl::symbolic::bounded::merged_to_bounded;
use heapwise_tvl::symbolic::cell::represents;
use heapwise_tvl::symbolic::explore::Settings;
use heapwise_tvl::tables::Tables;
use heapwise_tvl::vocabulary::{Arity, Property, SUMMARY, Vocabulary};
use indexmap::{IndexMap, IndexSet};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A small generator of random numbers (xorshift): the same cases every time.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % u64::try_from(n.max(1)).unwrap()).unwrap()
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Every concrete structure of at most so many individuals that satisfies the rules, up to renumbering, by image.
pub struct Universe {
    pub analysis: Analysis,
    pub size: usize,
    pub by_image: IndexMap<Structure, Vec<Structure>>,
}

impl Universe {
    /// Enumerates; the only binary core predicate must be a function.
    pub fn new(analysis: Analysis, size: usize) -> Universe {
        let mut by_image: IndexMap<Structure, Vec<Structure>> = IndexMap::new();
        for n in 0..=size {
            for concrete in concretes(&analysis, n) {
                let image = analysis.framework.abstraction.blur(&concrete);
                by_image.entry(image).or_default().push(concrete);
            }
        }
        Universe { analysis, size, by_image }
    }

    pub fn vocabulary(&self) -> &Vocabulary {
        self.analysis.vocabulary()
    }

    pub fn count(&self) -> usize {
        self.by_image.values().map(Vec::len).sum()
    }

    /// The images of the concrete structures that `structures` represent and that satisfy `formula`.
    pub fn assume(&self, formula: &Formula, structures: &[Structure]) -> IndexSet<Structure> {
        let mut holds = self.evaluator(formula);
        let images = self.by_image.iter().filter(|(image, concretes)| {
            structures.iter().any(|s| represents(s, image, self.vocabulary())) && concretes.iter().any(&mut holds)
        });
        images.map(|(image, _)| image.clone()).collect()
    }

    /// The images of the concrete structures that satisfy `formula`; the search ends when there are more than `most`.
    pub fn satisfying(&self, formula: &Formula, most: usize) -> IndexSet<Structure> {
        let mut holds = self.evaluator(formula);
        let images = self.by_image.iter().filter(|(_, concretes)| concretes.iter().any(&mut holds));
        images.map(|(image, _)| image.clone()).take(most + 1).collect()
    }

    pub fn evaluator(&self, formula: &Formula) -> impl FnMut(&Structure) -> bool + use<> {
        let mut compiler = Compiler::new(self.vocabulary(), &[]);
        let register = compiler.add(formula, &[]);
        let program = compiler.finish();
        let mut tables = Tables::new();
        move |concrete| {
            tables.run(&program, concrete, &[]);
            tables.row(register, 0).must & 1 == 1
        }
    }

    pub fn some_concrete(&self, dice: &mut Dice) -> &Structure {
        let (_, group) = self.by_image.get_index(dice.below(self.by_image.len())).unwrap();
        dice.pick(group)
    }

    /// A random bounded structure: an image, weakened here and there, now and then with a value turned round.
    pub fn some_structure(&self, dice: &mut Dice) -> Structure {
        let vocabulary = self.vocabulary();
        let mut s = self.analysis.framework.abstraction.blur(self.some_concrete(dice));
        let weaken = 2 + dice.below(6);
        for p in vocabulary.predicates().filter(|p| !is_reserved(vocabulary, *p)) {
            let slot = vocabulary.slot(p);
            for tuple in crate::common::tuples(s.size(), slot.arity.count()) {
                // Names that are open merge individuals, so they are rarer.
                let rarely = if slot.arity == Arity::Unary { 4 * weaken } else { weaken };
                if dice.one_in(rarely) {
                    s.set(slot, &tuple, Kleene::Unknown);
                } else if dice.one_in(40) {
                    s.set(slot, &tuple, !s.get(slot, &tuple));
                }
            }
        }
        let summary = s.unary(SUMMARY);
        let more = (0..s.size()).filter(|_| dice.one_in(weaken)).fold(0, |mask, u| mask | 1 << u);
        s.set_unary(SUMMARY, heapwise_tvl::structure::Bounds { may: summary.may | more, must: 0 });
        merged_to_bounded(&self.analysis.framework.abstraction, &s).unwrap_or(s)
    }

    /// A random closed formula E(…) A(…) M, or a boolean combination of two.
    pub fn some_formula(&self, dice: &mut Dice) -> Formula {
        let one = self.prenex(dice);
        match dice.below(6) {
            0 => Formula::and(one, self.prenex(dice)),
            1 => Formula::or(one, self.prenex(dice)),
            _ => one,
        }
    }

    fn prenex(&self, dice: &mut Dice) -> Formula {
        let all: Vec<Variable> = ["p", "q", "r"].map(Variable::new).to_vec();
        let count = 1 + dice.below(3);
        let existential = dice.below(count + 1);
        let vs = &all[..count];
        let literal = |dice: &mut Dice| {
            let vocabulary = self.vocabulary();
            let usable: Vec<Predicate> = vocabulary.predicates().filter(|p| !is_reserved(vocabulary, *p)).collect();
            let p = *dice.pick(&usable);
            let arity = vocabulary.declaration(p).arity.count();
            let atom = if dice.one_in(5) {
                Formula::equal(dice.pick(vs), dice.pick(vs))
            } else {
                Formula::Atom(p, (0..arity).map(|_| dice.pick(vs).clone()).collect())
            };
            if dice.one_in(2) { atom } else { !atom }
        };
        let clause = |dice: &mut Dice| {
            let literals = (0..1 + dice.below(2)).map(|_| literal(dice)).collect();
            if dice.one_in(2) { Formula::And(literals) } else { Formula::Or(literals) }
        };
        let parts = (0..1 + dice.below(3)).map(|_| clause(dice)).collect();
        let matrix = if dice.one_in(2) { Formula::And(parts) } else { Formula::Or(parts) };
        let (outer, inner) = vs.split_at(existential);
        Formula::exists(outer.to_vec(), Formula::forall(inner.to_vec(), matrix))
    }
}

/// What `run` gives for the cases below `cases`, in their order, on all processors; each has a prover of its own.
pub fn on_all_processors<T: Send>(cases: usize, run: impl Fn(usize, &mut Builtin) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut prover = Builtin::new(limits());
        let mut done = Vec::new();
        loop {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= cases {
                return done;
            }
            done.push((case, run(case, &mut prover)));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut all = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let done = running.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        done.flatten().collect::<Vec<(usize, T)>>()
    });
    all.sort_by_key(|(case, _)| *case);
    all.into_iter().map(|(_, result)| result).collect()
}

/// Conflicts rather than seconds end a question, so that a machine with much to do gives the same answers.
pub fn limits() -> Limits {
    Limits { per_query: Duration::from_secs(60), conflicts: Some(10_000), ..Limits::default() }
}

/// A few open questions end a case.
pub fn settings() -> Settings {
    Settings { unsettled: 8, ..Settings::default() }
}

pub fn is_reserved(vocabulary: &Vocabulary, p: Predicate) -> bool {
    matches!(vocabulary.name(p), "sm" | "ac" | "isNew" | "instance")
}

/// The concrete structures with n individuals, up to renumbering those that no unary core predicate tells apart.
fn concretes(analysis: &Analysis, n: usize) -> Vec<Structure> {
    let vocabulary = analysis.vocabulary();
    let core: Vec<Predicate> = vocabulary
        .predicates()
        .filter(|p| !is_reserved(vocabulary, *p) && vocabulary.declaration(*p).definition.is_none())
        .collect();
    let (binary, unary): (Vec<_>, Vec<_>) =
        core.into_iter().partition(|p| vocabulary.declaration(*p).arity == Arity::Binary);
    let [field] = binary[..] else { panic!("one field") };
    assert!(vocabulary.declaration(field).has(Property::Function));
    let mut found = Vec::new();
    for successors in functions(n) {
        // Each unary predicate is unique: nowhere, or at one individual.
        let mut places = vec![0usize; unary.len()];
        loop {
            let mut s = Structure::new(vocabulary.layout(), n);
            for (u, to) in successors.iter().enumerate() {
                if let Some(v) = to {
                    s.set(vocabulary.slot(field), &[u, *v], Kleene::True);
                }
            }
            for (p, place) in unary.iter().zip(&places) {
                assert!(vocabulary.declaration(*p).has(Property::Unique));
                if *place < n {
                    s.set(vocabulary.slot(*p), &[*place], Kleene::True);
                }
            }
            define(vocabulary, &mut s);
            if analysis.admits(&s) {
                found.push(s);
            }
            let Some(next) = places.iter().position(|place| *place < n) else { break };
            places[..next].fill(0);
            places[next] += 1;
        }
    }
    found
}

/// The partial functions on n individuals, up to renumbering.
fn functions(n: usize) -> Vec<Vec<Option<usize>>> {
    let renumberings = permutations(n);
    let mut least = IndexSet::new();
    let total = (n + 1).pow(u32::try_from(n).unwrap());
    for code in 0..total {
        let mut rest = code;
        let function: Vec<Option<usize>> = (0..n)
            .map(|_| {
                let to = rest % (n + 1);
                rest /= n + 1;
                (to < n).then_some(to)
            })
            .collect();
        let canonical = renumberings.iter().map(|at| {
            let mut renumbered = vec![None; n];
            for (u, to) in function.iter().enumerate() {
                renumbered[at[u]] = to.map(|v| at[v]);
            }
            renumbered
        });
        least.extend(canonical.min());
    }
    least.into_iter().collect()
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(n - 1);
    shorter
        .iter()
        .flat_map(|p| {
            (0..n).map(move |at| {
                let mut longer = p.clone();
                longer.insert(at, n - 1);
                longer
            })
        })
        .collect()
}
