//! The questions of shape analysis: characteristic formulas of bounded structures, with sharing both ways.

#![allow(clippy::unwrap_used)]

mod common;

use common::{A, B, Dice, IS, N, all, atom, characteristic, conj, functional, path, sharing, signature, some, unique};
use heapwise_logic::{Formula, Steps};
use heapwise_prover::{Answer, Limits, Prover, Theory, builtin::Builtin};

/// The rules of lists; `third` says what the third predicate of names means.
fn rules(third: Vec<Formula>) -> Theory {
    let mut axioms = vec![functional(), unique(A), unique(B)];
    axioms.extend(third);
    Theory { signature: signature(&[A, B, N, IS]), axioms }
}

/// A session that is asked about one structure after the other answers as sessions of their own do; nearly everything
/// is settled.
fn ask_about_structures(theory: &Theory, sessions: u64) {
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
    ask_about_structures(&rules(vec![sharing()]), 60);
}

/// The third predicate says "reached from the element of `a`", on acyclic lists.
#[test]
fn structures_with_reachability_are_settled() {
    let reached = some(&["u"], conj(vec![atom(A, &["u"]), path("u", "v", Steps::ZeroOrMore)]));
    let reachability = all(&["v"], Formula::iff(atom(IS, &["v"]), reached));
    let acyclic = all(&["v"], !path("v", "v", Steps::OneOrMore));
    ask_about_structures(&rules(vec![reachability, acyclic]), 60);
}
