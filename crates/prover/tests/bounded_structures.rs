//! The questions of shape analysis: characteristic formulas of bounded structures, with sharing both ways.

#![allow(clippy::unwrap_used)]

mod common;

use common::{
    A, B, Dice, IS, N, all, all_lists, atom, characteristic, conj, functional, p, path, sharing, signature, some,
    unique,
};
use heapwise_logic::{Formula, Steps};
use heapwise_prover::{Answer, Limits, Model, Prover, Theory, builtin::Builtin};

/// Unsatisfiable answers are held to all structures of up to so many elements.
const SIZE: usize = 3;

/// The rules of lists; `third` says what the third predicate of names means.
fn rules(third: Vec<Formula>) -> Theory {
    let mut axioms = vec![functional(), unique(A), unique(B)];
    axioms.extend(third);
    Theory { signature: signature(&[A, B, N, IS]), axioms }
}

/// A session that is asked about one structure after the other answers as sessions of their own do; nearly everything
/// is settled.
fn ask_about_structures(theory: &Theory, sessions: u64, define: &dyn Fn(&mut Model)) {
    let mut lists: Vec<Model> = Vec::new();
    for size in 0..=SIZE {
        all_lists(&theory.signature, size, define, &mut |model| lists.push(model.clone()));
    }
    assert!(lists.iter().take(200).all(|model| theory.axioms.iter().all(|axiom| model.satisfies(axiom))));
    let mut together = Builtin::new(Limits::default());
    let mut alone = Builtin::new(Limits::default());
    for batch in 0..sessions {
        let mut session = together.open(theory);
        for case in 0..8 {
            let formulas = characteristic(&mut Dice::new(1 + batch * 8 + case));
            let extra: Vec<&Formula> = formulas.iter().collect();
            let answer = session.check(&extra);
            let mut own = theory.clone();
            own.axioms.extend(formulas.iter().cloned());
            let other = alone.open(&own).check(&[]);
            if answer == Answer::Unsatisfiable {
                let found = lists.iter().find(|model| formulas.iter().all(|formula| model.satisfies(formula)));
                assert!(found.is_none(), "{formulas:?}\nhas the model {}", found.unwrap().print(&theory.signature));
            }
            for answer in [&answer, &other] {
                if let Answer::Satisfiable(Some(model)) = answer {
                    assert!(own.axioms.iter().all(|axiom| model.satisfies(axiom)));
                }
            }
            let settled = !matches!(answer, Answer::Unknown(_)) && !matches!(other, Answer::Unknown(_));
            assert!(!settled || answer.may_be_satisfiable() == other.may_be_satisfiable(), "{formulas:?}");
        }
    }
    for prover in [&together, &alone] {
        let statistics = prover.statistics();
        println!("{statistics:?}");
        assert!(statistics.satisfiable > 20 && statistics.unsatisfiable > 50, "{statistics:?}");
        assert!(statistics.unknown * 100 <= statistics.queries(), "{statistics:?}");
    }
}

#[test]
fn structures_with_sharing_are_settled() {
    ask_about_structures(&rules(vec![sharing()]), 60, &|model| {
        for v in 0..model.size() {
            let shared = (0..model.size()).filter(|u| model.holds(p(N), &[*u, v])).count() > 1;
            model.set(p(IS), &[v], shared);
        }
    });
}

/// The third predicate says "reached from the element of `a`", on acyclic lists.
#[test]
fn structures_with_reachability_are_settled() {
    let reached = some(&["u"], conj(vec![atom(A, &["u"]), path("u", "v", Steps::ZeroOrMore)]));
    let reachability = all(&["v"], Formula::iff(atom(IS, &["v"]), reached));
    let acyclic = all(&["v"], !path("v", "v", Steps::OneOrMore));
    ask_about_structures(&rules(vec![reachability, acyclic]), 60, &|model| {
        let next = |model: &Model, v: usize| (0..model.size()).find(|w| model.holds(p(N), &[v, *w]));
        // Lists lead to larger numbers: every acyclic one is of that form, up to the names of its elements.
        for v in 0..model.size() {
            (0..=v).for_each(|w| model.set(p(N), &[v, w], false));
        }
        let mut at = (0..model.size()).find(|v| model.holds(p(A), &[*v]));
        while let Some(v) = at {
            model.set(p(IS), &[v], true);
            at = next(model, v);
        }
    });
}

/// Without cycles a finite list has a last cell, and a first one; infinite lists need neither.
#[test]
fn lists_without_an_end_are_infinite() {
    let acyclic = || all(&["v"], !path("v", "v", Steps::OneOrMore));
    let next = || some(&["w"], atom(N, &["v", "w"]));
    let previous = || some(&["u"], atom(N, &["u", "v"]));
    let b = |v: &str| atom(B, &[v]);
    let ask = |more: Vec<Formula>| {
        let mut theory = rules(vec![acyclic()]);
        theory.axioms.extend(more);
        Builtin::new(Limits::default()).open(&theory).check(&[])
    };
    let somewhere = || some(&["v"], atom(IS, &["v"]));
    assert_eq!(ask(vec![somewhere(), all(&["v"], next())]), Answer::Unsatisfiable);
    assert_eq!(ask(vec![somewhere(), all(&["v"], previous())]), Answer::Unsatisfiable);
    // With one exception there are such lists.
    assert!(matches!(ask(vec![somewhere(), all(&["v"], Formula::or(b("v"), next()))]), Answer::Satisfiable(_)));
    assert!(matches!(ask(vec![somewhere(), all(&["v"], Formula::or(b("v"), previous()))]), Answer::Satisfiable(_)));
    // Unless no list leads to the exception.
    let into_b = all(&["v", "w"], !Formula::and(atom(N, &["v", "w"]), b("w")));
    let not_b = some(&["v"], !b("v"));
    assert_eq!(ask(vec![not_b, into_b, all(&["v"], Formula::or(b("v"), next()))]), Answer::Unsatisfiable);
}

/// A list whose cells are all alike can be long, and a question may need several cells of it; but not arbitrarily many.
#[test]
fn long_lists_of_cells_that_are_alike_are_settled() {
    let acyclic = all(&["v"], !path("v", "v", Steps::OneOrMore));
    let ends = some(&["v", "w"], conj(vec![atom(A, &["v"]), atom(B, &["w"]), path("v", "w", Steps::OneOrMore)]));
    let gap = all(&["v", "w"], !conj(vec![atom(A, &["v"]), atom(N, &["v", "w"]), atom(B, &["w"])]));
    let ask = |more: Vec<Formula>| {
        let mut theory = rules(vec![acyclic.clone(), ends.clone(), gap.clone()]);
        theory.axioms.extend(more);
        Builtin::new(Limits::default()).open(&theory).check(&[])
    };
    let inner = |v: &str| conj(vec![!atom(A, &[v]), !atom(B, &[v])]);
    assert!(matches!(ask(Vec::new()), Answer::Satisfiable(_)));
    // Nothing but the two ends.
    assert_eq!(ask(vec![all(&["v"], !inner("v"))]), Answer::Unsatisfiable);
    // No edge between cells inside, and the one behind `a` is not the one before `b`.
    let apart = all(&["v", "w"], !conj(vec![inner("v"), inner("w"), atom(N, &["v", "w"])]));
    assert!(matches!(ask(vec![apart.clone()]), Answer::Satisfiable(_)));
    let not_both = all(&["u", "v", "w"], {
        !conj(vec![atom(A, &["u"]), atom(N, &["u", "v"]), atom(N, &["v", "w"]), atom(B, &["w"])])
    });
    assert_eq!(ask(vec![apart, not_both]), Answer::Unsatisfiable);
}

/// Every shared element points to the one of `a`, which is shared: so none points to one that is not. That is one of five values
/// that are asked about together, and the only one that cannot be.
#[test]
fn one_value_among_many_that_cannot_be_is_found_with_few_conflicts() {
    let node = |[a, b, is]: [bool; 3], v: &str| {
        let literal = |holds: bool, index: usize| if holds { atom(index, &[v]) } else { !atom(index, &[v]) };
        conj(vec![literal(a, A), literal(b, B), literal(is, IS)])
    };
    let (plain, shared) = ([false, false, false], [false, false, true]);
    let (of_a, of_b) = ([true, false, true], [false, true, true]);
    let nodes = [plain, shared, of_a, of_b];
    let both = |from: [bool; 3], to: [bool; 3]| {
        let ends = ["v1", "v2"].map(|v| node(from, v)).into_iter().chain(["w1", "w2"].map(|w| node(to, w)));
        let mut parts: Vec<Formula> = ends.collect();
        parts.extend([atom(N, &["v1", "w1"]), !atom(N, &["v2", "w2"])]);
        some(&["v1", "w1", "v2", "w2"], conj(parts))
    };
    let mut theory = rules(vec![sharing()]);
    let points_to_a = Formula::implies(conj(vec![atom(IS, &["v"]), atom(A, &["w"])]), atom(N, &["v", "w"]));
    theory.axioms.push(all(&["v", "w"], points_to_a));
    theory.axioms.extend(nodes.map(|kind| some(&["v"], node(kind, "v"))));
    theory.axioms.push(all(&["v"], Formula::Or(nodes.map(|kind| node(kind, "v")).to_vec())));
    let possible = [plain, shared, of_a, of_b].map(|to| both(plain, to));
    theory.axioms.extend(possible);
    let mut prover = Builtin::new(Limits { conflicts: Some(2000), ..Limits::default() });
    assert!(matches!(prover.open(&theory).check(&[]), Answer::Satisfiable(Some(_))));
    let impossible = both(shared, plain);
    assert_eq!(prover.open(&theory).check(&[&impossible]), Answer::Unsatisfiable);
}
