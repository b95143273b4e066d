//! Best transformers of statements against focus and coerce, and of blocks against their statements.

#![allow(clippy::unwrap_used)]

mod common;
mod enumeration;

use common::Analysis;
use enumeration::Universe;
use heapwise_prover::Limits;
use heapwise_prover::builtin::Builtin;
use heapwise_tvl::action::{ActionSpecification, StepResult};
use heapwise_tvl::embed::embeds;
use heapwise_tvl::structure::Structure;
use heapwise_tvl::symbolic::cell::represents;
use heapwise_tvl::symbolic::explore::Settings;
use heapwise_tvl::symbolic::transform::{BestTransformer, Check};
use heapwise_tvl::tables::Tables;
use heapwise_tvl::tvp::preprocess::NoFiles;
use heapwise_tvl::tvp::tvs;
use indexmap::IndexSet;
use std::sync::LazyLock;
use std::time::Duration;

const STATEMENTS: &str = "
    a Set_Null(x) a  a Copy(x, y) a  a Get_Next(x, y) a  a Get_Next(x, x) a  a Cut(x) a  a Link(x, y) a  a Link(x, x) a
    a New(x) a  a Free(x) a  a Is_Null(x) a  a Is_Not_Null(x) a  a Is_Equal(x, y) a";

/// Random cases are about these; the blocks below use others too.
static LISTS: LazyLock<Universe> = LazyLock::new(|| {
    let text = include_str!("../../../examples/most-precise/list.tvp");
    Universe::new(Analysis::new(&format!("{text}\n%%\n{STATEMENTS}")), 4)
});

fn limits() -> Limits {
    Limits { per_query: Duration::from_secs(5), ..Limits::default() }
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
        a Link(x, y) a  a Get_Next(x, x) a";
    Universe::new(Analysis::new(&format!("{text}\n%%\n{edges}")), 4)
});

fn has_successor(universe: &Universe, all: &[Structure], variable: &str) -> bool {
    let formula = format!("E(v, w) {variable}(v) & n(v, w)");
    let formula = heapwise_logic::text::Parser::formula_from("test", &formula, universe.vocabulary()).unwrap();
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
    assert!(!has_successor(universe, &whole, "y"));
    assert!(has_successor(universe, &steps, "y"));
}

/// For each statement a structure on which its best transformer gives less than focus and coerce.
#[test]
fn statements_have_strictly_more_precise_best_transformers() {
    let universe = &*LISTS;
    let framework = &universe.analysis.framework;
    let mut prover = Builtin::new(limits());
    // The second cell is y's; something else may point to it, which sharing forbids.
    let input = one(universe, "%n = {h, t} %p = { sm = {t:1/2} x = {h} y = {h:1/2, t:1/2} n = {h->t:1/2, t->t:1/2} }");
    let mut shown = Vec::new();
    for (i, edge) in universe.analysis.specification.edges.iter().enumerate() {
        let transformer = BestTransformer::new(framework, [&edge.action]).unwrap();
        let best = transformer.apply(&input, &mut prover, Settings::default());
        let usual = usual(universe, i, &input);
        assert!(best.outcome.is_exact());
        let less = usual.iter().any(|s| !best.outcome.structures.iter().any(|m| embeds(s, m)));
        if less {
            shown.push(edge.action.name.clone());
        }
    }
    let expected = [
        "Set_Null(x)",
        "Copy(x, y)",
        "Get_Next(x, y)",
        "Get_Next(x, x)",
        "Cut(x)",
        "Link(x, y)",
        "Link(x, x)",
        "New(x)",
        "Free(x)",
        "Is_Not_Null(x)",
    ];
    assert_eq!(shown, expected);
}
