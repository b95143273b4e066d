//! Derived updates against recomputation, on random structures and every statement of our specifications.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Analysis, Chooser, choices, concrete, define, tuples, uncovered, weakened};
use heapwise_logic::text::Parser;
use heapwise_logic::{Kleene, Variable};
use heapwise_tvl::compile::Compiler;
use heapwise_tvl::structure::Structure;
use heapwise_tvl::tables::Tables;
use proptest::prelude::*;
use std::sync::LazyLock;

static LISTS: LazyLock<Analysis> = LazyLock::new(common::lists);
static SORTED: LazyLock<Analysis> = LazyLock::new(common::sorted);
static DOUBLY: LazyLock<Analysis> = LazyLock::new(common::doubly);
static TREES: LazyLock<Analysis> = LazyLock::new(common::trees);
static CLOSED_LISTS: LazyLock<Analysis> = LazyLock::new(common::closed_lists);
static CLOSED_TREES: LazyLock<Analysis> = LazyLock::new(common::closed_trees);

/// The structure after a statement: the action's own result with instrumentation predicates defined anew.
fn recomputed(analysis: &Analysis, after: &Structure) -> Structure {
    let mut defined = after.clone();
    define(analysis.vocabulary(), &mut defined);
    defined
}

/// One concrete structure of those after a statement that leaves something open: a new cell comes last in the order.
fn concretised(analysis: &Analysis, after: &Structure) -> Structure {
    let vocabulary = analysis.vocabulary();
    let mut s = after.clone();
    if let Some(dle) = vocabulary.find("dle") {
        for tuple in tuples(s.size(), 2) {
            if s.get(vocabulary.slot(dle), &tuple) == Kleene::Unknown {
                s.set(vocabulary.slot(dle), &tuple, Kleene::from(tuple[0] < tuple[1]));
            }
        }
    }
    s
}

/// On a concrete structure the derived values are those of the definitions.
fn check_concrete(analysis: &Analysis, choices: &[u8]) -> Result<(), TestCaseError> {
    let vocabulary = analysis.vocabulary();
    let mut chooser = Chooser::new(choices);
    let before = concrete(vocabulary, &mut chooser);
    if !analysis.admits(&before) {
        return Ok(());
    }
    for action in &analysis.actions {
        let after = action.update(&analysis.bare, &before, &[], &mut Tables::new());
        let after = after.map_err(|t| TestCaseError::fail(format!("{t:?}")))?;
        let Some(after) = after else {
            return Err(TestCaseError::fail(format!("{} contradicts itself on {before:?}", action.title)));
        };
        let expected = recomputed(analysis, &concretised(analysis, &after));
        if !analysis.admits(&expected) {
            // The statement leads out of what the rules allow (a field with two values): nothing is promised.
            continue;
        }
        let class: Vec<usize> = (0..after.size()).collect();
        if let Some(problem) = uncovered(vocabulary, &expected, &after, &class) {
            return Err(TestCaseError::fail(format!("{}: {problem}\n{before:?}", action.title)));
        }
    }
    Ok(())
}

/// On an abstract structure the derived values cover those of every concrete structure that it represents.
fn check_abstract(analysis: &Analysis, choices: &[u8]) -> Result<(), TestCaseError> {
    let vocabulary = analysis.vocabulary();
    let mut chooser = Chooser::new(choices);
    let before = concrete(vocabulary, &mut chooser);
    if !analysis.admits(&before) {
        return Ok(());
    }
    let (abstracted, class) = weakened(vocabulary, &before, &mut chooser);
    for action in &analysis.actions {
        let run = |s: &Structure| action.update(&analysis.bare, s, &[], &mut Tables::new());
        let Ok(Some(after)) = run(&before) else { continue };
        let expected = recomputed(analysis, &concretised(analysis, &after));
        if !analysis.admits(&expected) {
            continue;
        }
        let abstract_after = match run(&abstracted) {
            Ok(Some(s)) => s,
            other => return Err(TestCaseError::fail(format!("{}: {other:?}", action.title))),
        };
        // Individuals that an action makes come last; those it removes leave no gap.
        let x = vocabulary.slot(vocabulary.find("x").unwrap());
        let removes = action.title.starts_with("free");
        let stays = |s: &Structure, u: usize| !removes || s.get(x, &[u]) != Kleene::True;
        let rank = |s: &Structure, u: usize| (0..u).filter(|v| stays(s, *v)).count();
        let mut image: Vec<usize> =
            (0..before.size()).filter(|u| stays(&before, *u)).map(|u| rank(&abstracted, class[u])).collect();
        if after.size() > before.size() {
            image.push(abstract_after.size() - 1);
        }
        if let Some(problem) = uncovered(vocabulary, &expected, &abstract_after, &image) {
            let shown = heapwise_tvl::tvp::tvs::print(&abstracted, vocabulary);
            return Err(TestCaseError::fail(format!("{}: {problem}\n{shown}", action.title)));
        }
    }
    Ok(())
}

/// The standard updates, written by hand as in the literature on list analyses: statement, predicate, formula.
const BY_HAND: &[(&str, &str, &str)] = &[
    ("x = NULL", "r[n,x]", "0 & x(v)"),
    ("x = y", "r[n,x]", "r[n,y](v)"),
    ("x = y->n", "r[n,x]", "r[n,y](v) & (c[n](v) | !y(v))"),
    (
        "x->n = NULL",
        "is[n]",
        "is[n](v) & (!(E(u) x(u) & n(u, v)) | E(u, w) u != w & n(u, v) & !x(u) & n(w, v) & !x(w))",
    ),
    ("x->n = NULL", "r[n,x]", "x(v)"),
    (
        "x->n = NULL",
        "r[n,z]",
        "(c[n](v) & r[n,x](v) ? z(v) | E(u) z(u) & TC(u, v)(a, b) (n(a, b) & !x(a)) : \
         r[n,z](v) & !(r[n,x](v) & !x(v) & E(u) r[n,z](u) & x(u)))",
    ),
    ("x->n = NULL", "c[n]", "c[n](v) & !(E(u) x(u) & c[n](u) & r[n,x](v))"),
    ("x->n = y", "is[n]", "is[n](v) | E(u) y(v) & n(u, v)"),
    ("x->n = y", "r[n,z]", "r[n,z](v) | (E(u) r[n,z](u) & x(u)) & r[n,y](v)"),
    ("x->n = y", "r[n,x]", "r[n,x](v) | (E(u) r[n,x](u) & x(u)) & r[n,y](v)"),
    ("x->n = y", "c[n]", "c[n](v) | (E(u) x(u) & r[n,y](u)) & r[n,y](v)"),
    ("x = malloc()", "r[n,x]", "isNew(v)"),
    ("x = malloc()", "r[n,y]", "r[n,y](v) & !isNew(v)"),
    ("x = malloc()", "is[n]", "is[n](v) & !isNew(v)"),
];

/// Wherever the update written by hand is definite, the derived one is.
fn check_definiteness(analysis: &Analysis, choices: &[u8]) -> Result<(), TestCaseError> {
    let vocabulary = analysis.vocabulary();
    let mut chooser = Chooser::new(choices);
    let before = concrete(vocabulary, &mut chooser);
    prop_assume!(analysis.admits(&before));
    let (mut abstracted, _) = weakened(vocabulary, &before, &mut chooser);
    let everything = analysis.framework.constraints.everything();
    prop_assume!(analysis.framework.constraints.coerce(&mut abstracted, everything, &mut Tables::new()).is_ok());
    for action in &analysis.actions {
        let Ok(Some(after)) = action.update(&analysis.bare, &abstracted, &[], &mut Tables::new()) else { continue };
        for (_, name, formula) in BY_HAND.iter().filter(|(title, _, _)| *title == action.title) {
            // The formulas take for granted that the statement does not fail, and that `x->n = y` finds x->n == NULL.
            if action.title.starts_with("x->") && value(analysis, &abstracted, "E(u) x(u)", &[]) != Kleene::True {
                continue;
            }
            let next = "E(u, w) x(u) & n(u, w)";
            if action.title == "x->n = y" && value(analysis, &abstracted, next, &[]) != Kleene::False {
                continue;
            }
            let slot = vocabulary.slot(vocabulary.find(name).unwrap());
            for tuple in tuples(abstracted.size(), 1) {
                let by_hand = value(analysis, &abstracted, formula, &tuple);
                let derived = after.get(slot, &tuple);
                let as_definite = by_hand == Kleene::Unknown || derived == by_hand;
                let shown = heapwise_tvl::tvp::tvs::print(&abstracted, vocabulary);
                prop_assert!(as_definite, "{}: {name}{tuple:?} is {by_hand}, derived {derived}\n{shown}", action.title);
            }
        }
    }
    Ok(())
}

fn value(analysis: &Analysis, s: &Structure, formula: &str, tuple: &[usize]) -> Kleene {
    let formula = Parser::formula_from("by hand", formula, analysis.vocabulary()).unwrap();
    let arguments: Vec<Variable> = tuple.iter().map(|_| Variable::new("v")).collect();
    let mut compiler = Compiler::new(analysis.vocabulary(), &[]);
    let register = compiler.add(&formula, &arguments);
    let mut tables = Tables::new();
    tables.run(&compiler.finish(), s, &[]);
    let bounds = tables.row(register, 0);
    let bit = tuple.first().copied().unwrap_or(0);
    Kleene::from_bounds(bounds.may >> bit & 1 == 1, bounds.must >> bit & 1 == 1)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn updates_are_exact_on_concrete_structures(choices in choices()) {
        for analysis in [&LISTS, &SORTED, &DOUBLY, &TREES, &CLOSED_LISTS, &CLOSED_TREES] {
            check_concrete(analysis, &choices)?;
        }
    }

    #[test]
    fn updates_cover_what_is_represented(choices in choices()) {
        for analysis in [&LISTS, &SORTED, &DOUBLY, &TREES, &CLOSED_LISTS, &CLOSED_TREES] {
            check_abstract(analysis, &choices)?;
        }
    }

    #[test]
    fn list_updates_are_as_definite_as_those_written_by_hand(choices in choices()) {
        check_definiteness(&LISTS, &choices)?;
    }
}
