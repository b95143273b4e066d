//! Derived updates against recomputation, on random structures and every statement of our specifications.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Analysis, Chooser, choices, concrete, define, tuples, uncovered, weakened};
use heapwise_logic::text::Parser;
use heapwise_logic::{Kleene, Variable};
use heapwise_tvl::compile::Compiler;
use heapwise_tvl::structure::Structure;
use heapwise_tvl::tables::Tables;
use heapwise_tvl::vocabulary::{Arity, NEW, PredicateIndex, Vocabulary};
use proptest::prelude::*;
use std::sync::LazyLock;

static LISTS: LazyLock<Analysis> = LazyLock::new(common::lists);
static SORTED: LazyLock<Analysis> = LazyLock::new(common::sorted);
static DOUBLY: LazyLock<Analysis> = LazyLock::new(common::doubly);
static TREES: LazyLock<Analysis> = LazyLock::new(common::trees);
static CLOSED_LISTS: LazyLock<Analysis> = LazyLock::new(common::closed_lists);
static WALKS: LazyLock<Analysis> = LazyLock::new(common::walks);
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

/// The same where reachability is told by the closure of an acyclic field.
const CLOSED_BY_HAND: &[(&str, &str, &str)] = &[
    ("x = NULL", "r[n,x]", "0 & x(v)"),
    ("x = y", "r[n,x]", "r[n,y](v)"),
    ("x = y->n", "r[n,x]", "r[n,y](v) & !y(v)"),
    ("x->n = NULL", "t[n]", "t[n](v, w) & (v == w | !(E(u) x(u) & t[n](v, u)) | x(w) | !r[n,x](w))"),
    ("x->n = NULL", "r[n,x]", "x(v)"),
    ("x->n = NULL", "r[n,z]", "r[n,z](v) & (!(E(u) x(u) & r[n,z](u)) | x(v) | !r[n,x](v))"),
    ("x->n = y", "t[n]", "t[n](v, w) | (E(u) x(u) & t[n](v, u)) & r[n,y](w)"),
    ("x->n = y", "r[n,z]", "r[n,z](v) | (E(u) r[n,z](u) & x(u)) & r[n,y](v)"),
    ("x = malloc()", "t[n]", "(isNew(v) ? v == w : t[n](v, w))"),
    ("x = malloc()", "r[n,x]", "isNew(v)"),
    ("x = malloc()", "r[n,y]", "r[n,y](v)"),
];

/// Doubly linked lists: the cancel predicates and sharing.
const DOUBLY_BY_HAND: &[(&str, &str, &str)] = &[
    ("x->f = NULL", "c[f,b]", "c[f,b](v) | x(v)"),
    ("x->f = NULL", "c[b,f]", "c[b,f](v) & !(E(u) x(u) & b(v, u))"),
    ("x->f = NULL", "r[f,x]", "x(v)"),
    ("x->b = y", "c[f,b]", "((E(u) x(u) & f(v, u)) ? y(v) : c[f,b](v))"),
];

/// Sorted lists.
const SORTED_BY_HAND: &[(&str, &str, &str)] = &[
    ("x->n = NULL", "inOrder[dle,n]", "inOrder[dle,n](v) | x(v)"),
    ("x->n = NULL", "r[n,x]", "x(v)"),
    ("x->n = y", "inOrder[dle,n]", "(x(v) ? A(u) (y(u) -> dle(v, u)) : inOrder[dle,n](v))"),
    ("x->n = y", "is[n]", "is[n](v) | E(u) y(v) & n(u, v)"),
];

/// Trees: reachability and closure downwards.
const TREES_BY_HAND: &[(&str, &str, &str)] = &[
    ("x = y", "r[x]", "r[y](v)"),
    ("x->right = NULL", "down", "left(v, w) | down(v, w) & !x(v)"),
    ("x->right = NULL", "downStar", "downStar(v, w) & !(E(u, d) x(u) & right(u, d) & downStar(v, u) & downStar(d, w))"),
    ("x->right = NULL", "r[z]", "r[z](v) & !(E(u, d) x(u) & right(u, d) & r[z](u) & downStar(d, v))"),
    ("x->left = y", "down", "down(v, w) | x(v) & y(w)"),
    ("x->left = y", "downStar", "downStar(v, w) | (E(u) x(u) & downStar(v, u)) & r[y](w)"),
    ("x->left = y", "r[z]", "r[z](v) | (E(u) x(u) & r[z](u)) & r[y](v)"),
];

type ByHand = &'static [(&'static str, &'static str, &'static str)];

/// Wherever the update written by hand is definite, the derived one is.
fn check_definiteness(analysis: &Analysis, by_hand: ByHand, choices: &[u8]) -> Result<(), TestCaseError> {
    let vocabulary = analysis.vocabulary();
    let mut chooser = Chooser::new(choices);
    let before = concrete(vocabulary, &mut chooser);
    if !analysis.admits(&before) {
        return Ok(());
    }
    let (mut abstracted, _) = weakened(vocabulary, &before, &mut chooser);
    let everything = analysis.framework.constraints.everything();
    prop_assert!(analysis.framework.constraints.coerce(&mut abstracted, everything, &mut Tables::new()).is_ok());
    for action in &analysis.actions {
        let Ok(Some(after)) = action.update(&analysis.bare, &abstracted, &[], &mut Tables::new()) else { continue };
        for (_, name, formula) in by_hand.iter().filter(|(title, _, _)| *title == action.title) {
            // The formulas take for granted that the statement does not fail, and that `x->n = y` finds x->n == NULL.
            if let Some((field, source)) = action.title.strip_prefix("x->").and_then(|rest| rest.split_once(" = ")) {
                let empty = format!("E(u, w) x(u) & {field}(u, w)");
                if value(analysis, &abstracted, "E(u) x(u)", &[]) != Kleene::True
                    || source != "NULL" && value(analysis, &abstracted, &empty, &[]) != Kleene::False
                {
                    continue;
                }
            }
            let slot = vocabulary.slot(vocabulary.find(name).unwrap());
            // A statement that makes an individual puts it last; what is written by hand is evaluated there.
            let given =
                if action.title.contains("malloc") { with_new(vocabulary, &abstracted) } else { abstracted.clone() };
            for tuple in tuples(given.size(), slot.arity.count()) {
                let by_hand = value(analysis, &given, formula, &tuple);
                let derived = after.get(slot, &tuple);
                let as_definite = by_hand == Kleene::Unknown || derived == by_hand;
                let shown = heapwise_tvl::tvp::tvs::print(&abstracted, vocabulary);
                prop_assert!(as_definite, "{}: {name}{tuple:?} is {by_hand}, derived {derived}\n{shown}", action.title);
            }
        }
    }
    Ok(())
}

/// The structure with a new individual, on which every predicate but `isNew` and reflexive closures is 0.
fn with_new(vocabulary: &Vocabulary, s: &Structure) -> Structure {
    let mut extended = s.extended(&[None]).unwrap();
    let new = s.size();
    extended.set(PredicateIndex { arity: Arity::Unary, index: NEW }, &[new], Kleene::True);
    if let Some(closure) = vocabulary.find("t[n]") {
        extended.set(vocabulary.slot(closure), &[new, new], Kleene::True);
    }
    extended
}

fn value(analysis: &Analysis, s: &Structure, formula: &str, tuple: &[usize]) -> Kleene {
    let formula = Parser::formula_from("by hand", formula, analysis.vocabulary()).unwrap();
    let arguments: Vec<Variable> = tuple.iter().zip(["v", "w"]).map(|(_, name)| Variable::new(name)).collect();
    let mut compiler = Compiler::new(analysis.vocabulary(), &[]);
    let register = compiler.add(&formula, &arguments);
    let mut tables = Tables::new();
    tables.run(&compiler.finish(), s, &[]);
    let (row, bit) = match tuple {
        [] => (0, 0),
        [u] => (0, *u),
        [u, v, ..] => (*u, *v),
    };
    let bounds = tables.row(register, row);
    Kleene::from_bounds(bounds.may >> bit & 1 == 1, bounds.must >> bit & 1 == 1)
}

proptest! {
    #![proptest_config(common::cases(600))]

    #[test]
    fn updates_are_exact_on_concrete_structures(choices in choices()) {
        for analysis in [&LISTS, &SORTED, &DOUBLY, &TREES, &CLOSED_LISTS, &WALKS, &CLOSED_TREES] {
            check_concrete(analysis, &choices)?;
        }
    }

    #[test]
    fn updates_cover_what_is_represented(choices in choices()) {
        for analysis in [&LISTS, &SORTED, &DOUBLY, &TREES, &CLOSED_LISTS, &WALKS, &CLOSED_TREES] {
            check_abstract(analysis, &choices)?;
        }
    }

    #[test]
    fn list_updates_are_as_definite_as_those_written_by_hand(choices in choices()) {
        check_definiteness(&LISTS, BY_HAND, &choices)?;
        check_definiteness(&CLOSED_LISTS, CLOSED_BY_HAND, &choices)?;
        check_definiteness(&SORTED, SORTED_BY_HAND, &choices)?;
        check_definiteness(&DOUBLY, DOUBLY_BY_HAND, &choices)?;
    }

    #[test]
    fn tree_updates_are_as_definite_as_those_written_by_hand(choices in choices()) {
        check_definiteness(&CLOSED_TREES, TREES_BY_HAND, &choices)?;
    }
}
