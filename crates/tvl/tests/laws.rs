//! Laws of the operations: evaluation, embedding, blur, join, coerce, focus, and whole steps lose nothing concrete.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Analysis, Chooser, choices, concrete, tuples, uncovered, weakened};
use heapwise_logic::evaluate::{Assignment, evaluate};
use heapwise_logic::{Kleene, Variable};
use heapwise_tvl::action::StepResult;
use heapwise_tvl::blur::Abstraction;
use heapwise_tvl::compile::Compiler;
use heapwise_tvl::embed::embeds;
use heapwise_tvl::focus::Focus;
use heapwise_tvl::join::Join;
use heapwise_tvl::structure::{Bounds, Structure, View};
use heapwise_tvl::symbolic::bounded::merged_to_bounded;
use heapwise_tvl::tables::Tables;
use heapwise_tvl::vocabulary::{Arity, Declaration, Vocabulary};
use proptest::prelude::*;
use std::sync::LazyLock;

static LISTS: LazyLock<Analysis> = LazyLock::new(common::lists);
static SORTED: LazyLock<Analysis> = LazyLock::new(common::sorted);
static DOUBLY: LazyLock<Analysis> = LazyLock::new(common::doubly);
static TREES: LazyLock<Analysis> = LazyLock::new(common::trees);
static CLOSED_LISTS: LazyLock<Analysis> = LazyLock::new(common::closed_lists);
static WALKS: LazyLock<Analysis> = LazyLock::new(common::walks);
static CLOSED_TREES: LazyLock<Analysis> = LazyLock::new(common::closed_trees);

fn admitted(analysis: &Analysis, chooser: &mut Chooser<'_>) -> Option<Structure> {
    let s = concrete(analysis.vocabulary(), chooser);
    analysis.admits(&s).then_some(s)
}

proptest! {
    #![proptest_config(common::cases(400))]

    #[test]
    fn compiled_formulas_have_the_values_of_the_reference_evaluation(choices in choices()) {
        let mut chooser = Chooser::new(&choices);
        let s = concrete(LISTS.vocabulary(), &mut chooser);
        let (s, _) = weakened(LISTS.vocabulary(), &s, &mut chooser);
        let vocabulary = LISTS.vocabulary();
        // Every body of a rule: quantifiers, closures, equalities, all arities.
        for rule in LISTS.framework.constraints.rules() {
            let free: Vec<Variable> = rule.body.free_variables().into_iter().collect();
            let mut compiler = Compiler::new(vocabulary, &[]);
            let register = compiler.add(&rule.body, &free);
            let mut tables = Tables::new();
            tables.run(&compiler.finish(), &s, &[]);
            for tuple in tuples(s.size(), free.len()) {
                let mut assignment = Assignment::new();
                free.iter().zip(&tuple).for_each(|(v, u)| assignment.push(v, *u));
                let expected = evaluate(&rule.body, &View { structure: &s, vocabulary }, &mut assignment);
                let row = if tuple.len() == 2 { tuple[0] } else { 0 };
                let bit = tuple.last().copied().unwrap_or(0);
                let bounds = tables.row(register, row);
                let found = Kleene::from_bounds(bounds.may >> bit & 1 == 1, bounds.must >> bit & 1 == 1);
                prop_assert_eq!(found, expected, "{} on {:?}", vocabulary.print(&rule.body), tuple);
            }
        }
    }

    #[test]
    fn embedding_is_reflexive_and_abstraction_embeds(choices in choices()) {
        let mut chooser = Chooser::new(&choices);
        let s = concrete(LISTS.vocabulary(), &mut chooser);
        prop_assert!(embeds(&s, &s));
        let (weak, _) = weakened(LISTS.vocabulary(), &s, &mut chooser);
        prop_assert!(embeds(&s, &weak));
        let (weaker, _) = weakened(LISTS.vocabulary(), &weak, &mut chooser);
        prop_assert!(embeds(&weak, &weaker) && embeds(&s, &weaker));
    }

    #[test]
    fn embedding_tells_structures_apart(choices in choices()) {
        let mut chooser = Chooser::new(&choices);
        let (a, b) = (concrete(LISTS.vocabulary(), &mut chooser), concrete(LISTS.vocabulary(), &mut chooser));
        // Concrete structures embed in each other exactly if they are the same up to numbering.
        prop_assert_eq!(embeds(&a, &b), embeds(&b, &a));
        if a.size() != b.size() {
            prop_assert!(!embeds(&a, &b));
        }
    }

    #[test]
    fn blur_is_an_abstraction_and_idempotent(choices in choices()) {
        let mut chooser = Chooser::new(&choices);
        let s = concrete(LISTS.vocabulary(), &mut chooser);
        let blurred = LISTS.framework.abstraction.blur(&s);
        prop_assert!(embeds(&s, &blurred));
        prop_assert_eq!(&LISTS.framework.abstraction.blur(&blurred), &blurred);
        // The numbering of individuals does not matter.
        let turned: Vec<u64> = (0..s.size()).rev().map(|u| 1 << u).collect();
        prop_assert_eq!(LISTS.framework.abstraction.blur(&s.quotient(&turned)), blurred);
    }

    #[test]
    fn joins_are_upper_bounds(choices in choices()) {
        let mut chooser = Chooser::new(&choices);
        let abstraction = &LISTS.framework.abstraction;
        let blurred = |c: &mut Chooser<'_>| abstraction.blur(&concrete(LISTS.vocabulary(), c));
        let (a, b) = (blurred(&mut chooser), blurred(&mut chooser));
        for join in [Join::Relational, Join::Partial, Join::Single] {
            if join.key(abstraction, &a) == join.key(abstraction, &b) {
                let joined = join.join(abstraction, &a, &b).unwrap();
                prop_assert!(embeds(&a, &joined) && embeds(&b, &joined), "{:?}", join);
                prop_assert_eq!(&join.join(abstraction, &joined, &a).unwrap(), &joined, "{:?}", join);
                prop_assert_eq!(&join.join(abstraction, &b, &a).unwrap(), &joined, "{:?}", join);
            }
        }
    }

    #[test]
    fn coerce_never_drops_a_concrete_structure(choices in choices()) {
        for analysis in [&LISTS, &SORTED, &DOUBLY, &TREES, &CLOSED_LISTS, &WALKS, &CLOSED_TREES] {
            let mut chooser = Chooser::new(&choices);
            let Some(s) = admitted(analysis, &mut chooser) else { continue };
            let (mut weak, class) = weakened(analysis.vocabulary(), &s, &mut chooser);
            let constraints = &analysis.framework.constraints;
            let coerced = constraints.coerce(&mut weak, constraints.everything(), &mut Tables::new());
            if let Err(rule) = coerced {
                let rule = constraints.rule(rule).describe(analysis.vocabulary());
                return Err(TestCaseError::fail(format!("dropped by {rule}")));
            }
            prop_assert_eq!(uncovered(analysis.vocabulary(), &s, &weak, &class), None);
        }
    }

    #[test]
    fn rules_hold_in_every_structure_with_defined_predicates(choices in choices()) {
        for analysis in [&LISTS, &DOUBLY, &TREES] {
            // No acyclicity or order is declared here: definitions alone must not be contradicted.
            let s = concrete(analysis.vocabulary(), &mut Chooser::new(&choices));
            prop_assert!(analysis.admits(&s));
        }
    }

    #[test]
    fn focus_keeps_every_concrete_structure_and_makes_the_formula_definite(choices in choices()) {
        let mut chooser = Chooser::new(&choices);
        let Some(s) = admitted(&LISTS, &mut chooser) else { return Ok(()) };
        let (mut weak, _) = weakened(LISTS.vocabulary(), &s, &mut chooser);
        let constraints = &LISTS.framework.constraints;
        prop_assume!(constraints.coerce(&mut weak, constraints.everything(), &mut Tables::new()).is_ok());
        for edge in &LISTS.specification.edges {
            for formula in &edge.action.focus {
                let focus = Focus::new(LISTS.vocabulary(), formula);
                let cases = focus.apply(weak.clone(), LISTS.vocabulary(), constraints, &mut Tables::new());
                prop_assert!(cases.iter().any(|case| embeds(&s, case)), "{}", LISTS.vocabulary().print(formula));
                for case in &cases {
                    prop_assert!(embeds(case, &weak), "{}", LISTS.vocabulary().print(formula));
                }
            }
        }
    }

    #[test]
    fn a_step_keeps_every_concrete_structure(choices in choices()) {
        for analysis in [&LISTS, &DOUBLY, &TREES, &CLOSED_LISTS, &WALKS, &CLOSED_TREES] {
            let mut chooser = Chooser::new(&choices);
            let Some(s) = admitted(analysis, &mut chooser) else { continue };
            let (mut weak, _) = weakened(analysis.vocabulary(), &s, &mut chooser);
            let constraints = &analysis.framework.constraints;
            prop_assume!(constraints.coerce(&mut weak, constraints.everything(), &mut Tables::new()).is_ok());
            for action in &analysis.actions {
                let Ok(Some(after)) = action.update(&analysis.bare, &s, &[], &mut Tables::new()) else { continue };
                if !analysis.admits(&after) {
                    continue;
                }
                let mut result = StepResult::default();
                action.apply(&analysis.framework, &weak, &mut Tables::new(), &mut result);
                let kept = result.structures.iter().any(|t| embeds(&after, t));
                prop_assert!(kept, "{} loses {:?}", action.title, after);
            }
        }
    }
}

#[test]
fn individuals_that_may_have_the_same_name_are_merged_into_bounded_structures() {
    let mut vocabulary = Vocabulary::new();
    let x = vocabulary.declare("x", Declaration::core(Arity::Unary)).unwrap();
    let abstraction = Abstraction::new(&vocabulary);
    let slot = vocabulary.slot(x).index;
    let mut structure = Structure::new(vocabulary.layout(), 3);
    structure.set_unary(slot, Bounds { may: 0b001, must: 0b001 });
    let merged = merged_to_bounded(&abstraction, &structure).unwrap();
    assert_eq!((merged.size(), merged.summaries()), (2, 0b10));
    assert_eq!(merged_to_bounded(&abstraction, &merged), None);
    // One that is 1/2 may be either of the two: all become one.
    structure.set_unary(slot, Bounds { may: 0b011, must: 0b001 });
    assert_eq!(merged_to_bounded(&abstraction, &structure).unwrap().size(), 1);
}
