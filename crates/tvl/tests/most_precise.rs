//! `assume`, `alpha_hat` and `meet` against brute force: α of all concrete structures up to a size.
//!
//! *The bound.* Brute force enumerates every concrete structure of at most `SIZE` individuals, so every image that it finds
//! must be among the results, and nothing is assumed for that. The other direction needs no bound: a result is accepted
//! only if brute force finds it, or if the prover's model for it, which must then have more individuals than that, is a
//! concrete structure that by evaluation satisfies the rules and the formula, is represented by an input, and has that
//! image. What neither direction sees, an image that only larger concrete structures have and that is missing, is what
//! the test with large random concrete structures looks for.

#![allow(clippy::unwrap_used)]

mod common;
mod enumeration;

use common::Analysis;
use enumeration::{Dice, Universe, limits, on_all_processors, settings};
use expect_test::expect;
use heapwise_logic::text::Parser;
use heapwise_logic::{Formula, Kleene};
use heapwise_prover::builtin::Builtin;
use heapwise_prover::{Answer, Limits, Prover, Reason, Session, Theory};
use heapwise_tvl::structure::Structure;
use heapwise_tvl::symbolic::cell::represents;
use heapwise_tvl::symbolic::explore::{Outcome, Settings};
use heapwise_tvl::symbolic::operations::{alpha_hat, assume, meet, smallest};
use heapwise_tvl::tvp::preprocess::NoFiles;
use heapwise_tvl::tvp::tvs;
use indexmap::IndexSet;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The predicates of the paper (table 1) with its rules (section 2.3).
const PAPER: &str = "
    %p x(v) unique pointer
    %p y(v) unique pointer
    %p n(v, w) function
    %i is(v) = E(a, b) (a != b & n(a, v) & n(b, v))
    %% %action Skip() {} %% a Skip() a";

/// The same with reachability, on acyclic lists.
const REACHABILITY: &str = "
    %p x(v) unique pointer
    %p y(v) unique pointer
    %p n(v, w) function acyclic
    %i r[n,x](v) = E(u) (x(u) & n*(u, v))
    %i r[n,y](v) = E(u) (y(u) & n*(u, v))
    %i t[n](v, w) = n*(v, w)
    %% %action Skip() {} %% a Skip() a";

/// Reachability and sharing: lists that may run together.
const SHARING: &str = "
    %p x(v) unique pointer
    %p y(v) unique pointer
    %p n(v, w) function acyclic
    %i is(v) = E(a, b) (a != b & n(a, v) & n(b, v))
    %i r[n,x](v) = E(u) (x(u) & n*(u, v))
    %i r[n,y](v) = E(u) (y(u) & n*(u, v))
    %% %action Skip() {} %% a Skip() a";

static LISTS: LazyLock<Universe> = LazyLock::new(|| Universe::new(Analysis::new(PAPER), size()));
static REACHED: LazyLock<Universe> = LazyLock::new(|| Universe::new(Analysis::new(REACHABILITY), size()));
static SHARED: LazyLock<Universe> = LazyLock::new(|| Universe::new(Analysis::new(SHARING), size()));

/// Questions with more results than this are drawn again: they cost time and show nothing that smaller ones do not.
const MOST_RESULTS: usize = 40;

/// How many random cases: a few, or as many as the environment says.
fn cases() -> usize {
    asked_for().unwrap_or(24)
}

fn asked_for() -> Option<usize> {
    std::env::var("HEAPWISE_CASES").ok().and_then(|n| n.parse().ok())
}

/// Up to so many individuals brute force goes: further in long runs.
fn size() -> usize {
    if asked_for().is_some() { 5 } else { 4 }
}

fn parse(universe: &Universe, formula: &str) -> Formula {
    Parser::formula_from("test", formula, universe.vocabulary()).unwrap()
}

fn structures(universe: &Universe, text: &str) -> Vec<Structure> {
    let file = tvs::parse("test.tvs", text, universe.vocabulary(), &NoFiles, &[]).unwrap();
    file.structures.into_iter().map(|(_, s)| s).collect()
}

/// Figure 2(S): a non-empty list of x, and y somewhere or nowhere.
const FIGURE_2: &str =
    "%n = {u1, u2} %p = { sm = {u2:1/2} x = {u1} y = {u1:1/2, u2:1/2} n = {u1->u2:1/2, u2->u2:1/2} }";
/// x->n == y and y is not null.
const PRECONDITION: &str = "E(v, w) x(v) & n(v, w) & y(w)";
/// Not both an edge from y's cell to the rest and an edge inside the rest.
const NOT_BOTH: &str =
    "!((E(v, w) y(v) & n(v, w) & !x(w) & !y(w)) & (E(v, w) !x(v) & !y(v) & n(v, w) & !x(w) & !y(w)))";

fn print_all(universe: &Universe, all: &[Structure]) -> String {
    all.iter().map(|s| tvs::print(s, universe.vocabulary())).collect()
}

#[test]
fn the_running_example_has_the_eight_structures_of_figure_2() {
    let input = structures(&LISTS, FIGURE_2);
    let formula = parse(&LISTS, PRECONDITION);
    let mut prover = Builtin::new(Limits::default());
    let result = assume(&LISTS.analysis.framework, &formula, &input, &mut prover, Settings::default()).outcome;
    assert!(result.is_exact());
    assert_eq!(IndexSet::<Structure>::from_iter(result.structures.iter().cloned()), LISTS.assume(&formula, &input));
    assert_eq!(result.structures.len(), 8);
    assert!(result.queries <= 158 && prover.statistics().queries() <= 158, "{} queries", result.queries);
    expect![[r#"
        %n = {_0, _1}
        %p = {
          x = {_1}
          y = {_0}
          n = {_1->_0}
        }
        %n = {_0, _1, _2}
        %p = {
          x = {_2}
          y = {_1}
          n = {_2->_1}
        }
        %n = {_0, _1, _2}
        %p = {
          x = {_2}
          y = {_1}
          n = {_1->_0, _2->_1}
        }
        %n = {_0, _1, _2}
        %p = {
          x = {_2}
          y = {_1}
          n = {_0->_0, _2->_1}
        }
        %n = {_0, _1, _2}
        %p = {
          sm = {_0:1/2}
          x = {_2}
          y = {_1}
          n = {_2->_1}
        }
        %n = {_0, _1, _2}
        %p = {
          sm = {_0:1/2}
          x = {_2}
          y = {_1}
          n = {_1->_0:1/2, _2->_1}
        }
        %n = {_0, _1, _2}
        %p = {
          sm = {_0:1/2}
          x = {_2}
          y = {_1}
          n = {_0->_0:1/2, _2->_1}
        }
        %n = {_0, _1, _2}
        %p = {
          sm = {_0:1/2}
          x = {_2}
          y = {_1}
          n = {_0->_0:1/2, _1->_0:1/2, _2->_1}
        }
    "#]]
    .assert_eq(&print_all(&LISTS, &result.structures));
    expect![[r#"
        %n = {_0, _1}
        %p = {
          x = {_1}
          y = {_0}
          n = {_1->_0}
        }
        %n = {_0, _1, _2}
        %p = {
          sm = {_0:1/2}
          x = {_2}
          y = {_1}
          n = {_0->_0:1/2, _1->_0:1/2, _2->_1}
        }
    "#]]
    .assert_eq(&print_all(&LISTS, &smallest(&result.structures)));
}

#[test]
fn values_that_are_possible_one_by_one_but_not_together_give_no_structure() {
    let input = structures(&LISTS, FIGURE_2);
    let formula = parse(&LISTS, &format!("({PRECONDITION}) & {NOT_BOTH}"));
    let mut prover = Builtin::new(Limits::default());
    let result = assume(&LISTS.analysis.framework, &formula, &input, &mut prover, Settings::default()).outcome;
    assert!(result.is_exact());
    assert_eq!(result.structures.len(), 7);
    assert_eq!(IndexSet::<Structure>::from_iter(result.structures.iter().cloned()), LISTS.assume(&formula, &input));
}

/// What was found over many cases.
#[derive(Default)]
struct Tally {
    cases: usize,
    queries: usize,
    unsettled: usize,
    inexact: usize,
    results: usize,
    larger: usize,
}

impl Tally {
    fn sum(all: Vec<Tally>) -> Tally {
        let mut sum = Tally::default();
        for part in all {
            sum.cases += part.cases;
            sum.queries += part.queries;
            sum.unsettled += part.unsettled;
            sum.inexact += part.inexact;
            sum.results += part.results;
            sum.larger += part.larger;
        }
        sum
    }

    fn report(&self, what: &str) {
        let rate = 100.0 * self.unsettled as f64 / self.queries.max(1) as f64;
        let inexact = 100.0 * self.inexact as f64 / self.cases.max(1) as f64;
        println!(
            "{what}: {} cases, {} results ({} with larger models only), {} queries, unknown {} ({rate:.2} %), cases not exact {} ({inexact:.2} %)",
            self.cases, self.results, self.larger, self.queries, self.unsettled, self.inexact
        );
    }

    fn assert_settled(&self, what: &str) {
        let of = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
        let (rate, inexact) = (of(self.unsettled, self.queries), of(self.inexact, self.cases));
        assert!(rate <= 2.0, "{what}: {rate:.2} % of the queries were not settled");
        assert!(inexact <= 2.0, "{what}: {inexact:.2} % of the cases were not exact");
    }

    /// Compares with brute force, as the page above says.
    fn compare(
        &mut self,
        universe: &Universe,
        found: &Outcome,
        expected: &IndexSet<Structure>,
        allowed: &mut dyn FnMut(&Structure) -> bool,
        what: &dyn Fn() -> String,
    ) {
        self.cases += 1;
        self.queries += found.queries;
        self.unsettled += found.unsettled;
        self.results += found.structures.len();
        if let Some(reason) = &found.reason {
            println!("open ({reason}; {} of {} queries): {}", found.unsettled, found.queries, what());
        }
        let vocabulary = universe.vocabulary();
        if found.is_exact() {
            for image in expected {
                let there = found.structures.contains(image);
                assert!(there, "missing: {}\nof {}", tvs::print(image, vocabulary), what());
            }
            for extra in found.structures.iter().filter(|s| !expected.contains(*s)) {
                let text = || format!("{}\nof {}", tvs::print(extra, vocabulary), what());
                let model = found.models.get(extra).unwrap_or_else(|| panic!("no model: {}", text()));
                assert!(model.size() > universe.size, "brute force has it not, and its model is small: {}", text());
                let concrete = concrete_of(universe, model);
                assert!(universe.analysis.admits(&concrete), "the model breaks a rule: {}", text());
                assert!(allowed(&concrete), "the model does not satisfy the question: {}", text());
                assert_eq!(&universe.analysis.framework.abstraction.blur(&concrete), extra);
                self.larger += 1;
            }
        } else {
            self.inexact += 1;
            for image in expected {
                let covered = found.structures.iter().any(|s| represents(s, image, vocabulary));
                assert!(covered, "not represented: {}\nof {}", tvs::print(image, vocabulary), what());
            }
        }
    }
}

fn concrete_of(universe: &Universe, model: &heapwise_prover::Model) -> Structure {
    let vocabulary = universe.vocabulary();
    let mut s = Structure::new(vocabulary.layout(), model.size());
    for p in vocabulary.predicates().filter(|p| !enumeration::is_reserved(vocabulary, *p)) {
        let slot = vocabulary.slot(p);
        for tuple in common::tuples(model.size(), slot.arity.count()) {
            s.set(slot, &tuple, model.holds(p, &tuple).into());
        }
    }
    s
}

fn describe(universe: &Universe, formula: &Formula, inputs: &[&[Structure]]) -> String {
    let inputs: Vec<String> = inputs.iter().map(|s| print_all(universe, s)).collect();
    format!("{}\non\n{}", universe.vocabulary().print(formula), inputs.join("and\n"))
}

fn random_assume(universe: &Universe, what: &str, seed: u64, cases: usize) -> Tally {
    let tallies = on_all_processors(cases, |case, prover| {
        let mut tally = Tally::default();
        let mut dice = Dice::new(seed + case as u64);
        let (formula, inputs, expected) = loop {
            let formula = universe.some_formula(&mut dice);
            let inputs: Vec<Structure> = (0..1 + dice.below(2)).map(|_| universe.some_structure(&mut dice)).collect();
            let expected = universe.assume(&formula, &inputs);
            if expected.len() <= MOST_RESULTS {
                break (formula, inputs, expected);
            }
        };
        let found = assume(&universe.analysis.framework, &formula, &inputs, prover, settings());
        assert_eq!(found.merged, 0);
        let mut holds = universe.evaluator(&formula);
        let blur = |s: &Structure| universe.analysis.framework.abstraction.blur(s);
        let mut allowed = |concrete: &Structure| {
            holds(concrete) && inputs.iter().any(|s| represents(s, &blur(concrete), universe.vocabulary()))
        };
        tally.compare(universe, &found.outcome, &expected, &mut allowed, &|| {
            format!("case {case}: {}", describe(universe, &formula, &[&inputs]))
        });
        tally
    });
    let tally = Tally::sum(tallies);
    tally.report(what);
    tally
}

#[test]
fn assume_is_alpha_of_brute_force() {
    random_assume(&LISTS, "assume", 0, cases()).assert_settled("assume");
}

#[test]
fn assume_is_alpha_of_brute_force_with_reachability() {
    let what = "assume with reachability";
    random_assume(&REACHED, what, 1_000_000, cases()).assert_settled(what);
}

#[test]
fn assume_is_alpha_of_brute_force_with_reachability_and_sharing() {
    let what = "assume with reachability and sharing";
    let tally = random_assume(&SHARED, what, 9_000_000, cases().div_ceil(4));
    // That a cell which a list leads to is shared as soon as another one points to it takes a step back along the list, which the
    // prover has no axiom for: questions about such cells stay open, more than in the other vocabularies.
    assert!(10 * tally.inexact <= tally.cases, "{} of {} cases were not exact", tally.inexact, tally.cases);
}

fn random_alpha_hat(universe: &Universe, what: &str, seed: u64) {
    let tallies = on_all_processors(cases(), |case, prover| {
        let mut tally = Tally::default();
        let mut dice = Dice::new(seed + case as u64);
        let (formula, expected) = loop {
            // Without any condition there are thousands: the conjunction of several keeps the sets small.
            let parts = (0..4).map(|_| universe.some_formula(&mut dice)).collect();
            let formula = Formula::And(parts);
            let expected = universe.satisfying(&formula, MOST_RESULTS);
            if expected.len() <= MOST_RESULTS {
                break (formula, expected);
            }
        };
        let found = alpha_hat(&universe.analysis.framework, &formula, prover, settings());
        let mut holds = universe.evaluator(&formula);
        tally.compare(universe, &found, &expected, &mut |concrete| holds(concrete), &|| {
            format!("case {case}: {}", universe.vocabulary().print(&formula))
        });
        tally
    });
    let tally = Tally::sum(tallies);
    tally.report(what);
    tally.assert_settled(what);
}

#[test]
fn alpha_hat_is_alpha_of_brute_force() {
    random_alpha_hat(&LISTS, "alpha_hat", 2_000_000);
}

#[test]
fn alpha_hat_is_alpha_of_brute_force_with_reachability() {
    random_alpha_hat(&REACHED, "alpha_hat with reachability", 7_000_000);
}

#[test]
fn meet_is_alpha_of_brute_force() {
    random_meet(&LISTS, "meet", 3_000_000);
}

#[test]
fn meet_is_alpha_of_brute_force_with_reachability() {
    random_meet(&REACHED, "meet with reachability", 8_000_000);
}

fn random_meet(universe: &Universe, what: &str, seed: u64) {
    let tallies = on_all_processors(cases(), |case, prover| {
        let mut tally = Tally::default();
        let mut dice = Dice::new(seed + case as u64);
        let some = |dice: &mut Dice| -> Vec<Structure> {
            (0..1 + dice.below(2)).map(|_| universe.some_structure(dice)).collect()
        };
        let (left, right, expected) = loop {
            let (left, right) = (some(&mut dice), some(&mut dice));
            let both = universe.assume(&Formula::TRUE, &left);
            let expected: IndexSet<Structure> = both
                .into_iter()
                .filter(|image| right.iter().any(|s| represents(s, image, universe.vocabulary())))
                .collect();
            if expected.len() <= MOST_RESULTS {
                break (left, right, expected);
            }
        };
        let found = meet(&universe.analysis.framework, &left, &right, prover, settings());
        let blur = |s: &Structure| universe.analysis.framework.abstraction.blur(s);
        let mut allowed = |concrete: &Structure| {
            let image = blur(concrete);
            [&left, &right].iter().all(|side| side.iter().any(|s| represents(s, &image, universe.vocabulary())))
        };
        tally.compare(universe, &found.outcome, &expected, &mut allowed, &|| {
            format!("case {case}: {}", describe(universe, &Formula::TRUE, &[&left, &right]))
        });
        tally
    });
    let tally = Tally::sum(tallies);
    tally.report(what);
    tally.assert_settled(what);
}

/// A concrete structure of 6 to 9 individuals.
fn large(universe: &Universe, dice: &mut Dice) -> Structure {
    let vocabulary = universe.vocabulary();
    loop {
        let n = 6 + dice.below(4);
        let mut s = Structure::new(vocabulary.layout(), n);
        let few = 1 + dice.below(n);
        for p in vocabulary.predicates().filter(|p| !enumeration::is_reserved(vocabulary, *p)) {
            let slot = vocabulary.slot(p);
            match slot.arity.count() {
                _ if vocabulary.declaration(p).definition.is_some() => {}
                1 => {
                    if dice.below(4) > 0 {
                        s.set(slot, &[dice.below(n)], Kleene::True);
                    }
                }
                _ => {
                    for u in 0..n {
                        if dice.below(5) > 0 {
                            // Into few individuals: sharing is common.
                            s.set(slot, &[u, dice.below(few)], Kleene::True);
                        }
                    }
                }
            }
        }
        common::define(vocabulary, &mut s);
        if universe.analysis.admits(&s) {
            return s;
        }
    }
}

fn large_concrete_structures(universe: &Universe, seed: u64, cases: usize) {
    // Nothing may be missing, finished or not: where there are many results or open questions, what is left stands for the rest.
    let mut prover = Builtin::new(Limits { per_query: Duration::from_millis(100), ..Limits::default() });
    let few = Settings { results: 2 * MOST_RESULTS, unsettled: 4, ..Settings::default() };
    let abstraction = &universe.analysis.framework.abstraction;
    for case in 0..cases {
        let mut dice = Dice::new(seed + case as u64);
        let concrete = large(universe, &mut dice);
        let formula = loop {
            let formula = universe.some_formula(&mut dice);
            if universe.evaluator(&formula)(&concrete) {
                break formula;
            }
        };
        let image = abstraction.blur(&concrete);
        let mut weak = image.clone();
        let vocabulary = universe.vocabulary();
        for p in vocabulary.predicates().filter(|p| !enumeration::is_reserved(vocabulary, *p)) {
            for tuple in common::tuples(weak.size(), vocabulary.declaration(p).arity.count()) {
                if dice.one_in(6) {
                    weak.set(vocabulary.slot(p), &tuple, Kleene::Unknown);
                }
            }
        }
        let weak = heapwise_tvl::symbolic::bounded::merged_to_bounded(abstraction, &weak).unwrap_or(weak);
        let found = assume(&universe.analysis.framework, &formula, std::slice::from_ref(&weak), &mut prover, few);
        let covered = found.outcome.structures.contains(&image)
            || found.outcome.doubtful.iter().any(|s| represents(s, &image, vocabulary));
        assert!(
            covered,
            "case {case}: {} is missing: {}",
            tvs::print(&image, vocabulary),
            describe(universe, &formula, &[&[weak]])
        );
    }
}

#[test]
fn no_image_of_a_large_concrete_structure_is_missing() {
    large_concrete_structures(&LISTS, 4_000_000, cases().div_ceil(4));
    large_concrete_structures(&REACHED, 5_000_000, cases().div_ceil(4));
}

/// A prover that answers so many questions, and leaves all others open.
struct Tiring {
    inner: Builtin,
    left: usize,
}

struct TiringSession<'a> {
    inner: Box<dyn Session + 'a>,
    left: &'a mut usize,
}

impl Prover for Tiring {
    fn name(&self) -> &str {
        "tiring"
    }

    fn open(&mut self, theory: &Theory) -> Box<dyn Session + '_> {
        Box::new(TiringSession { inner: self.inner.open(theory), left: &mut self.left })
    }

    fn statistics(&self) -> heapwise_prover::Statistics {
        self.inner.statistics()
    }
}

impl Session for TiringSession<'_> {
    fn check(&mut self, extra: &[&Formula]) -> Answer {
        let Some(left) = self.left.checked_sub(1) else { return Answer::Unknown(Reason::TimeLimit) };
        *self.left = left;
        self.inner.check(extra)
    }
}

/// A question and the images that brute force finds.
struct Case<'a> {
    universe: &'a Universe,
    formula: Formula,
    inputs: [Structure; 1],
    expected: IndexSet<Structure>,
}

impl Case<'_> {
    fn new(universe: &Universe, case: usize) -> Case<'_> {
        let mut dice = Dice::new(6_000_000 + case as u64);
        let formula = universe.some_formula(&mut dice);
        let inputs = [universe.some_structure(&mut dice)];
        let expected = universe.assume(&formula, &inputs);
        Case { universe, formula, inputs, expected }
    }

    /// Every image is represented, by itself if the result is called exact.
    fn ask(&self, prover: &mut dyn Prover, settings: Settings) {
        let vocabulary = self.universe.vocabulary();
        let framework = &self.universe.analysis.framework;
        let found = assume(framework, &self.formula, &self.inputs, prover, settings).outcome;
        for image in &self.expected {
            let covered = if found.is_exact() {
                found.structures.contains(image)
            } else {
                found.structures.iter().any(|s| represents(s, image, vocabulary))
            };
            assert!(
                covered,
                "{settings:?}: {} is missing of {}",
                tvs::print(image, vocabulary),
                describe(self.universe, &self.formula, &[&self.inputs])
            );
        }
    }
}

/// Cases of both universes, fewer than elsewhere: each is asked many times.
fn limited_cases() -> impl Iterator<Item = Case<'static>> {
    let universes: [&'static Universe; 2] = [&LISTS, &REACHED];
    universes.into_iter().flat_map(|universe| (0..cases().div_ceil(6)).map(move |case| Case::new(universe, case)))
}

#[test]
fn whatever_the_time_limit_nothing_is_missing() {
    for case in limited_cases() {
        for micros in [0, 1, 10, 200] {
            let per_query = Duration::from_micros(micros);
            case.ask(&mut Builtin::new(Limits { per_query, ..Limits::default() }), Settings::default());
        }
        let deadline = Some(Instant::now());
        case.ask(&mut Builtin::new(Limits { deadline, ..Limits::default() }), Settings::default());
    }
}

#[test]
fn however_few_questions_are_answered_nothing_is_missing() {
    for case in limited_cases() {
        for left in [0, 1, 10] {
            let tiring = || Tiring { inner: Builtin::new(limits()), left };
            case.ask(&mut tiring(), Settings::default());
            case.ask(&mut tiring(), Settings { unsettled: 1, ..Settings::default() });
            case.ask(&mut Builtin::new(limits()), Settings { results: left, ..Settings::default() });
        }
    }
}
