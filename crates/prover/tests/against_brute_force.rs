//! The built-in prover against the enumeration of all small structures.

#![allow(clippy::unwrap_used)]

mod common;

use common::{
    A, B, Dice, E, IS, K, N, Recipe, all, any_structure, atom, functional, injective, path, sharing, signature, unique,
};
use heapwise_logic::{Formula, Steps};
use heapwise_prover::{Answer, Limits, Prover, Theory, builtin::Builtin};

/// Asks, and holds the answer to what can be seen: a model satisfies everything; what is unsatisfiable has no
/// model of up to `most` elements.
fn judge(prover: &mut Builtin, theory: &Theory, extra: &[&Formula], most: usize) -> Answer {
    let answer = prover.open(theory).check(extra);
    let everything = || theory.axioms.iter().chain(extra.iter().copied());
    match &answer {
        Answer::Satisfiable(model) => {
            let model = model.as_ref().unwrap();
            for formula in everything() {
                assert!(model.satisfies(formula), "{formula:?}\nfails in {}", model.print(&theory.signature));
            }
        }
        Answer::Unsatisfiable => {
            for size in 0..=most {
                let found = any_structure(&theory.signature, size, &mut |model| {
                    let holds = everything().all(|formula| model.satisfies(formula));
                    assert!(!holds, "{theory:?}\n{extra:?}\nhas the model {}", model.print(&theory.signature));
                    false
                });
                assert!(!found);
            }
        }
        Answer::Unknown(_) => {}
    }
    answer
}

/// ∃*∀* formulas are decided, both ways.
#[test]
fn exists_forall_formulas_are_decided() {
    let recipe = Recipe { unary: vec![A], binary: vec![N], nullary: vec![K], closure: false };
    let mut prover = Builtin::new(Limits::default());
    for seed in 0..1500 {
        let mut dice = Dice::new(seed);
        let axioms: Vec<Formula> = (0..1 + dice.roll(4))
            .map(|_| {
                let (existential, universal) = (dice.roll(3), 1 + dice.roll(2));
                recipe.exists_forall(&mut dice, existential, universal)
            })
            .collect();
        let theory = Theory { signature: signature(&[A, N, K]), axioms };
        let answer = judge(&mut prover, &theory, &[], 2);
        assert!(!matches!(answer, Answer::Unknown(_)), "seed {seed}: {answer:?}");
    }
    let statistics = prover.statistics();
    println!("{statistics:?}");
    assert!(statistics.satisfiable > 100 && statistics.unsatisfiable > 100, "{statistics:?}");
}

/// The questions of one session agree with sessions of their own.
#[test]
fn questions_leave_no_trace() {
    let recipe = Recipe { unary: vec![A, B], binary: vec![N], nullary: vec![], closure: false };
    let mut prover = Builtin::new(Limits::default());
    for seed in 0..200 {
        let mut dice = Dice::new(7000 + seed);
        let signature = signature(&[A, B, N]);
        let theory = Theory { signature, axioms: vec![functional(), recipe.exists_forall(&mut dice, 2, 1)] };
        let extras: Vec<Formula> = (0..4).map(|_| recipe.exists_forall(&mut dice, 2, 1)).collect();
        let combinations: Vec<Vec<&Formula>> =
            (0..16).map(|bits| (0..4).filter(|i| bits >> i & 1 != 0).map(|i| &extras[i]).collect()).collect();
        let mut other = Builtin::new(Limits::default());
        let mut session = other.open(&theory);
        for extra in combinations {
            let together = session.check(&extra);
            let alone = judge(&mut prover, &theory, &extra, 0);
            let kind = std::mem::discriminant::<Answer>;
            assert_eq!(kind(&together), kind(&alone), "seed {seed}: {together:?} {alone:?}");
        }
    }
}

/// Integrity rules of lists, sharing both ways, and random conditions.
#[test]
fn sharing_both_ways() {
    let recipe = Recipe { unary: vec![A, IS], binary: vec![N], nullary: vec![], closure: false };
    let mut prover = Builtin::new(Limits::default());
    for seed in 0..600 {
        let mut dice = Dice::new(1000 + seed);
        let mut axioms = vec![functional(), sharing(), unique(A)];
        axioms.extend((0..2 + dice.roll(2)).map(|_| {
            let (existential, universal) = (dice.roll(3), dice.roll(3));
            recipe.exists_forall(&mut dice, existential, universal.max(1))
        }));
        let theory = Theory { signature: signature(&[A, N, IS]), axioms };
        judge(&mut prover, &theory, &[], 2);
    }
    let statistics = prover.statistics();
    println!("{statistics:?}");
    assert!(statistics.satisfiable > 100 && statistics.unsatisfiable > 100, "{statistics:?}");
    assert!(statistics.unknown * 100 <= statistics.queries(), "{statistics:?}");
}

/// Quantifiers in any order.
#[test]
fn any_alternation_is_never_answered_wrongly() {
    let recipe = Recipe { unary: vec![A], binary: vec![N], nullary: vec![], closure: false };
    let mut prover = Builtin::new(Limits { individuals: 8, ..Limits::default() });
    for seed in 0..600 {
        let mut dice = Dice::new(3000 + seed);
        let axioms = (0..1 + dice.roll(3))
            .map(|_| {
                let formula = recipe.exists_forall(&mut dice, 1, 1);
                if dice.roll(2) == 0 { !formula } else { formula }
            })
            .collect();
        let theory = Theory { signature: signature(&[A, N]), axioms };
        judge(&mut prover, &theory, &[], 2);
    }
    println!("{:?}", prover.statistics());
}

/// Closures of partial functions, acyclic, injective, or without any rule.
#[test]
fn closures() {
    let recipe = Recipe { unary: vec![A], binary: vec![N], nullary: vec![], closure: true };
    let acyclic = all(&["v"], !path("v", "v", Steps::OneOrMore));
    for rules in [vec![functional(), acyclic], vec![functional()], vec![functional(), injective()], vec![]] {
        let mut prover = Builtin::new(Limits { individuals: 10, ..Limits::default() });
        for seed in 0..150 {
            let mut dice = Dice::new(5000 + seed);
            let mut axioms = rules.clone();
            axioms.extend((0..1 + dice.roll(3)).map(|_| recipe.exists_forall(&mut dice, 2, 1)));
            let theory = Theory { signature: signature(&[A, N]), axioms };
            judge(&mut prover, &theory, &[], 3);
        }
        let statistics = prover.statistics();
        println!("{} rule(s): {statistics:?}", rules.len());
        assert!(statistics.satisfiable > 40 && statistics.unsatisfiable > 20, "{statistics:?}");
        assert!(statistics.unknown * 50 <= statistics.queries(), "{statistics:?}");
    }
}

/// The empty universe is a structure.
#[test]
fn the_empty_structure_counts() {
    let mut prover = Builtin::new(Limits::default());
    let nobody = all(&["v"], Formula::FALSE);
    let theory = Theory { signature: signature(&[A, E]), axioms: vec![nobody] };
    let answer = judge(&mut prover, &theory, &[], 2);
    assert!(matches!(answer, Answer::Satisfiable(Some(model)) if model.size() == 0));
    let someone = common::some(&["v"], Formula::TRUE);
    assert_eq!(judge(&mut prover, &theory, &[&someone], 2), Answer::Unsatisfiable);
    let everyone = all(&["v"], atom(A, &["v"]));
    assert!(matches!(judge(&mut prover, &theory, &[&everyone], 2), Answer::Satisfiable(_)));
}

/// A shared summary node that only its own elements point to: infinite models exist, finite ones do not.
#[test]
fn counting_excludes_what_only_infinite_structures_do() {
    let shared = all(&["v"], atom(IS, &["v"]));
    let someone = common::some(&["v"], Formula::TRUE);
    let theory = Theory { signature: signature(&[A, N, IS]), axioms: vec![functional(), sharing(), someone.clone()] };
    let mut prover = Builtin::new(Limits::default());
    assert_eq!(judge(&mut prover, &theory, &[&shared], 3), Answer::Unsatisfiable);
    // One edge from outside allows one such element, no more.
    let outside = all(&["v"], Formula::or(atom(IS, &["v"]), atom(A, &["v"])));
    let theory = Theory { axioms: vec![functional(), sharing(), unique(A), outside], ..theory };
    let one = common::some(&["v"], atom(IS, &["v"]));
    assert!(matches!(judge(&mut prover, &theory, &[&one], 3), Answer::Satisfiable(_)));
    let both = common::conj(vec![!common::equal("v", "w"), atom(IS, &["v"]), atom(IS, &["w"])]);
    let two = common::some(&["v", "w"], both);
    assert_eq!(judge(&mut prover, &theory, &[&two], 3), Answer::Unsatisfiable);
    // A total injection that misses an element.
    let total = all(&["v"], common::some(&["w"], atom(N, &["v", "w"])));
    let missed = common::some(&["v"], all(&["w"], !atom(N, &["w", "v"])));
    let theory = Theory { signature: signature(&[N]), axioms: vec![functional(), injective(), total] };
    assert!(matches!(judge(&mut prover, &theory, &[&someone], 3), Answer::Satisfiable(_)));
    assert_eq!(judge(&mut prover, &theory, &[&missed], 3), Answer::Unsatisfiable);
}

/// A path between kinds of elements of which none has an edge to the other, however long.
#[test]
fn paths_need_edges_between_kinds() {
    let apart =
        all(&["v", "w"], common::implies(common::conj(vec![atom(A, &["v"]), !atom(A, &["w"])]), !atom(N, &["v", "w"])));
    let reached = common::conj(vec![atom(A, &["v"]), !atom(A, &["w"]), path("v", "w", Steps::OneOrMore)]);
    let theory = Theory { signature: signature(&[A, N]), axioms: vec![functional(), apart] };
    let mut prover = Builtin::new(Limits::default());
    assert_eq!(judge(&mut prover, &theory, &[&common::some(&["v", "w"], reached)], 3), Answer::Unsatisfiable);
}

/// A question that cannot be written down in time is unknown in time.
#[test]
fn large_groundings_stop_in_time() {
    let names: Vec<String> = (0..16).map(|i| format!("v{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let pairs: Vec<(&str, &str)> =
        names.iter().enumerate().flat_map(|(i, v)| names[..i].iter().map(|w| (*v, *w))).collect();
    // Any sixteen elements that differ: each order of them is an instance of its own.
    let edges = pairs.iter().flat_map(|(v, w)| [atom(N, &[*v, *w]), common::equal(v, w)]);
    let apart = pairs.iter().map(|(v, w)| !common::equal(v, w));
    let many = common::some(&names, common::conj(apart.collect()));
    let theory = Theory { signature: signature(&[N]), axioms: vec![many, all(&names, Formula::Or(edges.collect()))] };
    let started = std::time::Instant::now();
    let per_query = std::time::Duration::from_millis(200);
    let mut prover = Builtin::new(Limits { per_query, ..Limits::default() });
    let answer = prover.open(&theory).check(&[]);
    assert_eq!(answer, Answer::Unknown(heapwise_prover::Reason::TimeLimit));
    assert!(started.elapsed() < std::time::Duration::from_secs(60), "{:?}", started.elapsed());
}

/// Nine elements with edges to eight others, no two to the same: a question that costs the solver many conflicts.
#[test]
fn the_limit_on_conflicts_ends_a_question_the_same_way_every_time() {
    let names = |letter: &str, n: usize| -> Vec<String> { (0..n).map(|i| format!("{letter}{i}")).collect() };
    let (from, to) = (names("a", 9), names("b", 8));
    let all_names: Vec<&str> = from.iter().chain(&to).map(String::as_str).collect();
    let mut parts = Vec::new();
    for (i, a) in from.iter().enumerate() {
        parts.push(Formula::Or(to.iter().map(|b| atom(N, &[a.as_str(), b.as_str()])).collect()));
        parts.extend(from[..i].iter().map(|other| !common::equal(a, other)));
    }
    let axioms = vec![common::some(&all_names, common::conj(parts)), common::injective()];
    let theory = Theory { signature: signature(&[N]), axioms };
    let per_query = std::time::Duration::from_secs(600);
    let mut prover = Builtin::new(Limits { per_query, conflicts: Some(60), ..Limits::default() });
    for _ in 0..2 {
        let answer = prover.open(&theory).check(&[]);
        assert_eq!(answer, Answer::Unknown(heapwise_prover::Reason::ConflictLimit));
    }
}
