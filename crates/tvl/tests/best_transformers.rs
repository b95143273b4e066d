//! Best transformers against brute force, of statements against focus and coerce, and of blocks against their statements.
//!
//! Brute force runs an action on every concrete structure of at most so many individuals that an input represents, and
//! abstracts what comes out. As in the test of `assume`, every image that it finds must be a result, and a result that it
//! does not find must have a concrete step, shown by the prover, that needs more individuals.

#![allow(clippy::unwrap_used)]

mod common;
mod enumeration;

use common::Analysis;
use enumeration::{Dice, Universe, limits, on_all_processors, settings};
use heapwise_logic::Kleene;
use heapwise_prover::builtin::Builtin;
use heapwise_tvl::action::{ActionSpecification, StepResult};
use heapwise_tvl::embed::embeds;
use heapwise_tvl::structure::Structure;
use heapwise_tvl::symbolic::bounded::merged_to_bounded;
use heapwise_tvl::symbolic::cell::represents;
use heapwise_tvl::symbolic::explore::Settings;
use heapwise_tvl::symbolic::operations::bounded;
use heapwise_tvl::symbolic::transform::{BestTransformer, Check};
use heapwise_tvl::tables::Tables;
use heapwise_tvl::tvp::preprocess::NoFiles;
use heapwise_tvl::tvp::tvs;
use indexmap::{IndexMap, IndexSet};
use std::sync::LazyLock;

const STATEMENTS: &str = "
    a Set_Null(x) a  a Copy(x, y) a  a Get_Next(x, y) a  a Get_Next(x, x) a  a Cut(x) a  a Link(x, y) a  a Link(x, x) a
    a New(x) a  a Free(x) a  a Is_Null(x) a  a Is_Not_Null(x) a  a Is_Equal(x, y) a
    a Is_Not_Equal(x, y) a";

/// Random cases are about these; the blocks below use others too.
static LISTS: LazyLock<Universe> = LazyLock::new(|| {
    let text = include_str!("../../../examples/most-precise/list.tvp");
    Universe::new(Analysis::new(&format!("{text}\n%%\n{STATEMENTS}")), 4)
});

fn cases() -> usize {
    std::env::var("HEAPWISE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(24)
}

/// The states after an action, concretely: none if it does not happen there.
fn run(universe: &Universe, action: usize, concrete: &Structure) -> Option<Structure> {
    let analysis = &universe.analysis;
    let specification = &analysis.specification.edges[action].action;
    if let Some(precondition) = &specification.precondition
        && !universe.evaluator(precondition)(concrete)
    {
        return None;
    }
    // Without rules: what the update says is what happens.
    let mut after =
        analysis.actions[action].update(&analysis.bare, concrete, &[], &mut Tables::new()).unwrap().unwrap();
    common::define(universe.vocabulary(), &mut after);
    Some(after)
}

/// The images of the states after an action, each with its concrete states.
fn brute_force(universe: &Universe, action: usize, input: &Structure) -> IndexMap<Structure, Vec<Structure>> {
    let vocabulary = universe.vocabulary();
    let mut images: IndexMap<Structure, Vec<Structure>> = IndexMap::new();
    for (image, group) in &universe.by_image {
        if !represents(input, image, vocabulary) {
            continue;
        }
        for after in group.iter().filter_map(|concrete| run(universe, action, concrete)) {
            images.entry(universe.analysis.framework.abstraction.blur(&after)).or_default().push(after);
        }
    }
    images
}

fn specification(universe: &Universe, action: usize) -> &ActionSpecification {
    &universe.analysis.specification.edges[action].action
}

fn usual(universe: &Universe, action: usize, input: &Structure) -> Vec<Structure> {
    let analysis = &universe.analysis;
    let mut tables = Tables::new();
    let mut coerced = input.clone();
    let everything = analysis.framework.constraints.everything();
    if analysis.framework.constraints.coerce(&mut coerced, everything, &mut tables).is_err() {
        return Vec::new();
    }
    let mut result = StepResult::default();
    analysis.actions[action].apply(&analysis.framework, &coerced, &mut tables, &mut result);
    let mut structures = result.structures;
    structures.sort();
    structures.dedup();
    structures
}

/// What one case, or all of them, showed.
#[derive(Default)]
struct Tally {
    cases: usize,
    queries: usize,
    unsettled: usize,
    inexact: usize,
    /// Results that brute force has not, since their concrete steps need more individuals.
    larger: usize,
    /// The best transformer was strictly more precise than focus and coerce.
    sharper: usize,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.cases += other.cases;
        self.queries += other.queries;
        self.unsettled += other.unsettled;
        self.inexact += other.inexact;
        self.larger += other.larger;
        self.sharper += other.sharper;
    }
}

/// Applies the action of a random case to its random structure, and compares with brute force, focus and coerce.
fn random_case(universe: &Universe, case: usize, prover: &mut Builtin) -> Tally {
    let vocabulary = universe.vocabulary();
    let framework = &universe.analysis.framework;
    let mut dice = Dice::new(7_000_000 + case as u64);
    let action = case % universe.analysis.specification.edges.len();
    let (input, expected) = loop {
        let input = universe.some_structure(&mut dice);
        let expected = brute_force(universe, action, &input);
        if expected.len() <= 30 {
            break (input, expected);
        }
    };
    let name = &specification(universe, action).name;
    let text =
        |s: &Structure| format!("{}\nafter {name} on\n{}", tvs::print(s, vocabulary), tvs::print(&input, vocabulary));
    let transformer = BestTransformer::new(framework, [specification(universe, action)]).unwrap();
    let result = transformer.apply(&input, prover, settings());
    let found = &result.outcome;
    let mut tally = Tally { cases: 1, queries: found.queries, unsettled: found.unsettled, ..Tally::default() };
    if let Some(reason) = &found.reason {
        let (open, all) = (found.unsettled, found.queries);
        println!("open ({reason}; {open} of {all} queries): case {case}, {name} on {}", tvs::print(&input, vocabulary));
    }
    let usual = usual(universe, action, &input);
    for (image, concretes) in &expected {
        let kept = concretes.iter().all(|c| usual.iter().any(|s| embeds(c, s)));
        assert!(kept, "focus and coerce lose {}", text(image));
    }
    if found.is_exact() && result.broken == Check::Holds {
        for image in expected.keys() {
            assert!(found.structures.contains(image), "missing: {}", text(image));
        }
        for image in found.structures.iter().filter(|s| !expected.contains_key(*s)) {
            let model = found.models.get(image).unwrap_or_else(|| panic!("no model: {}", text(image)));
            assert!(model.size() > universe.size, "brute force has it not: {}", text(image));
            tally.larger += 1;
        }
        // Focus and coerce may leave structures that are not bounded, which no set of images can express.
        let bounded = bounded(framework, &usual).0;
        for image in &found.structures {
            for concrete in universe.by_image.get(image).into_iter().flatten() {
                assert!(bounded.iter().any(|s| embeds(concrete, s)), "focus and coerce exclude {}", text(concrete));
            }
        }
        tally.sharper += usize::from(is_strictly_more_precise(universe, &found.structures, &usual));
    } else {
        tally.inexact += 1;
        for image in expected.keys() {
            let covered = found.structures.iter().any(|s| represents(s, image, vocabulary));
            assert!(covered, "not represented: {}", text(image));
        }
    }
    tally
}

#[test]
fn best_transformers_are_alpha_of_brute_force_and_never_less_precise_than_focus_and_coerce() {
    let universe = &*LISTS;
    let statements = universe.analysis.specification.edges.len();
    let mut sum = Tally::default();
    let mut sharper = vec![0; statements];
    let tallies = on_all_processors(cases(), |case, prover| random_case(universe, case, prover));
    for (case, tally) in tallies.iter().enumerate() {
        sharper[case % statements] += tally.sharper;
        sum.add(tally);
    }
    let Tally { cases, queries, unsettled, inexact, larger, .. } = sum;
    let rate = 100.0 * unsettled as f64 / queries.max(1) as f64;
    println!(
        "best transformers: {cases} cases, {queries} queries, unknown {unsettled} ({rate:.2} %), {larger} results with larger models only, cases not exact {inexact}"
    );
    for (action, count) in sharper.iter().enumerate() {
        println!(
            "  {}: strictly more precise than focus and coerce in {count} cases",
            specification(universe, action).name
        );
    }
    assert!(rate <= 2.0, "{rate:.2} % of the queries were not settled");
    assert!(50 * inexact <= cases, "{inexact} of {cases} cases were not exact");
}

fn one(universe: &Universe, text: &str) -> Structure {
    let file = tvs::parse("test.tvs", text, universe.vocabulary(), &NoFiles, &[]).unwrap();
    file.structures.into_iter().next().unwrap().1
}

fn action(universe: &Universe, name: &str) -> usize {
    universe.analysis.specification.edges.iter().position(|e| e.action.name == name).unwrap()
}

/// Applies a block as one step, and its statements one by one.
fn both_ways(universe: &Universe, names: &[&str], input: &Structure) -> (Vec<Structure>, Vec<Structure>) {
    let framework = &universe.analysis.framework;
    let mut prover = Builtin::new(limits());
    let actions: Vec<&ActionSpecification> =
        names.iter().map(|n| specification(universe, action(universe, n))).collect();
    let block = BestTransformer::new(framework, actions.iter().copied()).unwrap();
    let whole = block.apply(input, &mut prover, Settings::default());
    assert!(whole.outcome.is_exact() && whole.broken == Check::Holds);
    let mut current = vec![input.clone()];
    for action in actions {
        let step = BestTransformer::new(framework, [action]).unwrap();
        let mut next: IndexSet<Structure> = IndexSet::new();
        for structure in &current {
            let result = step.apply(structure, &mut prover, Settings::default());
            assert!(result.outcome.is_exact());
            next.extend(result.outcome.structures);
        }
        current = next.into_iter().collect();
    }
    current.sort();
    (whole.outcome.structures, current)
}

/// Whether a concrete structure that `usual` represents has an image that is not among `best`.
fn is_strictly_more_precise(universe: &Universe, best: &[Structure], usual: &[Structure]) -> bool {
    let represented = |concretes: &[Structure]| concretes.iter().any(|c| usual.iter().any(|s| embeds(c, s)));
    universe.by_image.iter().any(|(image, concretes)| !best.contains(image) && represented(concretes))
}

/// Every structure of `whole` is also among those of the steps, and some of those are represented by no structure of
/// `whole`.
fn assert_strictly_more_precise(universe: &Universe, whole: &[Structure], steps: &[Structure]) {
    let vocabulary = universe.vocabulary();
    for image in whole {
        assert!(steps.contains(image), "statement by statement lacks {}", tvs::print(image, vocabulary));
    }
    let more = steps.iter().filter(|image| !whole.iter().any(|s| represents(s, image, vocabulary))).count();
    assert!(more > 0, "{} structures in one step, {} statement by statement", whole.len(), steps.len());
}

/// Two variables and a field, nothing else.
static CELLS: LazyLock<Universe> = LazyLock::new(|| {
    let text = include_str!("../../../examples/most-precise/cells.tvp");
    let edges = "a Get_Next(y, x) a  a Get_Next(y, y) a  a Is_Null(y) a  a Cut(x) a  a New(y) a  a Link_Next(y, x) a
        a Link(x, y) a  a Get_Next(x, x) a  a Get_Next(x, y) a";
    Universe::new(Analysis::new(&format!("{text}\n%%\n{edges}")), 4)
});

/// Whether a formula may hold in one of the structures.
fn may_hold(universe: &Universe, all: &[Structure], formula: &str) -> bool {
    let formula = heapwise_logic::text::Parser::formula_from("test", formula, universe.vocabulary()).unwrap();
    all.iter().any(|structure| {
        let view = heapwise_tvl::structure::View { structure, vocabulary: universe.vocabulary() };
        let mut assignment = heapwise_logic::evaluate::Assignment::new();
        heapwise_logic::evaluate::evaluate(&formula, &view, &mut assignment).may()
    })
}

/// If the cell behind x is the last one, it is unlinked and y points to it: it has no successor, which the steps forget
/// while no variable points to it.
#[test]
fn unlinking_the_last_cell_in_one_step_is_strictly_more_precise() {
    let universe = &*CELLS;
    let input = one(universe, include_str!("../../../examples/most-precise/cells.tvs"));
    let names = ["Get_Next(y, x)", "Get_Next(y, y)", "Is_Null(y)", "Get_Next(y, x)", "Cut(x)"];
    let (whole, steps) = both_ways(universe, &names, &input);
    assert_strictly_more_precise(universe, &whole, &steps);
    assert!(!may_hold(universe, &whole, "E(v, w) y(v) & n(v, w)"));
    assert!(may_hold(universe, &steps, "E(v, w) y(v) & n(v, w)"));
}

/// A cell is inserted behind x's cell, which points to y's, and x goes on to what is behind the new one: x is not null. Statement by
/// statement it is forgotten that x's cell has a successor, while no variable points to that.
#[test]
fn inserting_a_cell_in_one_step_is_strictly_more_precise() {
    let universe = &*CELLS;
    let input = one(universe, include_str!("../../../examples/most-precise/insert.tvs"));
    let names = ["New(y)", "Link_Next(y, x)", "Link(x, y)", "Get_Next(x, y)"];
    let (whole, steps) = both_ways(universe, &names, &input);
    assert_strictly_more_precise(universe, &whole, &steps);
    assert!(!may_hold(universe, &whole, "!(E(v) x(v))"));
    assert!(may_hold(universe, &steps, "!(E(v) x(v))"));
}

/// Each statement that changes the heap or a variable, and a structure on which its best transformer excludes heaps that focus
/// and coerce allow.
#[test]
fn statements_have_strictly_more_precise_best_transformers() {
    // y may be anywhere; where it is, sharing forbids other edges to its cell.
    let somewhere = "%n = {h, t} %p = { sm = {t:1/2} x = {h} y = {h:1/2, t:1/2} n = {h->t:1/2, t->t:1/2} }";
    // y's cell is shared, so another cell than x's points to it, and goes on pointing to it.
    let shared = "%n = {h, s, t} %p = { sm = {t:1/2} x = {h} y = {s} is[n] = {s} n = {h->s, t->s:1/2} }";
    for (statement, input) in [
        ("Set_Null(x)", somewhere),
        ("Copy(x, y)", somewhere),
        ("Get_Next(x, y)", somewhere),
        ("Get_Next(x, x)", somewhere),
        ("Link(x, y)", somewhere),
        ("New(x)", somewhere),
        ("Cut(x)", shared),
        ("Link(x, x)", shared),
        ("Free(x)", shared),
    ] {
        let (best, usual) = best_and_usual(statement, input);
        let universe = &*LISTS;
        assert!(is_strictly_more_precise(universe, &best, &usual), "{statement}");
    }
}

fn best_and_usual(statement: &str, input: &str) -> (Vec<Structure>, Vec<Structure>) {
    let universe = &*LISTS;
    let index = action(universe, statement);
    let input = one(universe, input);
    let transformer = BestTransformer::new(&universe.analysis.framework, [specification(universe, index)]).unwrap();
    let best = transformer.apply(&input, &mut Builtin::new(limits()), Settings::default());
    assert!(best.outcome.is_exact() && best.broken == Check::Holds, "{statement}");
    (best.outcome.structures, usual(universe, index, &input))
}

const CONDITIONS: [&str; 4] = ["Is_Null(x)", "Is_Not_Null(x)", "Is_Equal(x, y)", "Is_Not_Equal(x, y)"];

/// Conditions on variables: focus and coerce leave structures that no heap has, the best transformer none. As to heaps, focus and
/// coerce are as precise as it can be, see below.
#[test]
fn conditions_have_strictly_more_precise_best_transformers() {
    // All cells behind x's are shared, but there is one edge for each of them at most; x may be null, or y, or both.
    let endless = "%n = {t} %p = { sm = {t:1/2} is[n] = {t} x = {t:1/2} y = {t:1/2} n = {t->t:1/2} }";
    for condition in CONDITIONS {
        let (best, usual) = best_and_usual(condition, endless);
        assert!(best.is_empty() && !usual.is_empty(), "{condition}");
    }
}

/// Two variables and a field, and the conditions.
static CONDITIONED: LazyLock<Universe> = LazyLock::new(|| {
    let text = "
        %p x(v) unique pointer
        %p y(v) unique pointer
        %p n(v, w) function
        %%
        %action Is_Null(x) { %f { x(v) } %p !(E(v) x(v)) }
        %action Is_Not_Null(x) { %f { x(v) } %p E(v) x(v) }
        %action Is_Equal(x, y) { %f { x(v), y(v) } %p A(v) (x(v) <-> y(v)) }
        %action Is_Not_Equal(x, y) { %f { x(v), y(v) } %p !(A(v) (x(v) <-> y(v))) }
        %%
        a Is_Null(x) a  a Is_Not_Null(x) a  a Is_Equal(x, y) a  a Is_Not_Equal(x, y) a";
    Universe::new(Analysis::new(text), 3)
});

/// Every bounded structure of so many individuals.
fn bounded_structures(universe: &Universe, n: usize) -> Vec<Structure> {
    let vocabulary = universe.vocabulary();
    let values: Vec<(heapwise_tvl::vocabulary::PredicateIndex, Vec<usize>)> = vocabulary
        .predicates()
        .filter(|p| !enumeration::is_reserved(vocabulary, *p))
        .map(|p| vocabulary.slot(p))
        .flat_map(|slot| common::tuples(n, slot.arity.count()).into_iter().map(move |tuple| (slot, tuple)))
        .collect();
    let mut found = Vec::new();
    for summaries in 0..1u64 << n {
        for code in 0..3usize.pow(u32::try_from(values.len()).unwrap()) {
            let mut s = Structure::new(vocabulary.layout(), n);
            let summary = heapwise_tvl::structure::Bounds { may: summaries, must: 0 };
            s.set_unary(heapwise_tvl::vocabulary::SUMMARY, summary);
            let mut rest = code;
            for (slot, tuple) in &values {
                s.set(*slot, tuple, [Kleene::False, Kleene::Unknown, Kleene::True][rest % 3]);
                rest /= 3;
            }
            if merged_to_bounded(&universe.analysis.framework.abstraction, &s).is_none() {
                found.push(s);
            }
        }
    }
    found
}

/// A condition on variables excludes no more heaps by its best transformer than by focus and coerce.
///
/// Focus on `x(v)` (and `y(v)`) gives structures that represent together what the input does, and on each of them the condition has a
/// definite value. So those that are kept represent exactly the heaps of the input that satisfy the condition. Blur leaves
/// them as they are: individuals that focus divides differ in x or y, which are names. The best transformer gives the canonical
/// abstractions of just these heaps, and no set of images represents fewer.
///
/// Here that is held to every bounded structure of at most two individuals.
#[test]
fn conditions_on_variables_exclude_the_same_heaps_by_focus_and_coerce() {
    let universe = &*CONDITIONED;
    for input in (0..=2).flat_map(|n| bounded_structures(universe, n)) {
        for condition in CONDITIONS {
            let index = action(universe, condition);
            let usual = usual(universe, index, &input);
            for (image, concretes) in &universe.by_image {
                let expected = represents(&input, image, universe.vocabulary())
                    && concretes.iter().any(|c| run(universe, index, c).is_some());
                let kept = concretes.iter().any(|c| usual.iter().any(|s| embeds(c, s)));
                assert_eq!(expected, kept, "{condition} on {}", tvs::print(&input, universe.vocabulary()));
            }
        }
    }
}
