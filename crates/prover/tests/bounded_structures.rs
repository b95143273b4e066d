//! The questions of shape analysis: characteristic formulas of bounded structures, with sharing both ways.

#![allow(clippy::unwrap_used)]

mod common;

use common::{A, B, Dice, IS, N, characteristic, functional, sharing, signature, unique};
use heapwise_logic::Formula;
use heapwise_prover::{Answer, Limits, Prover, Theory, builtin::Builtin};

fn rules() -> Theory {
    let axioms = vec![functional(), sharing(), unique(A), unique(B)];
    Theory { signature: signature(&[A, B, N, IS]), axioms }
}

/// A session that is asked about one structure after the other answers as sessions of their own do; nearly everything
/// is settled.
#[test]
fn characteristic_formulas_are_settled() {
    let theory = rules();
    let mut together = Builtin::new(Limits { per_query: std::time::Duration::from_millis(300), ..Limits::default() });
    let mut alone = Builtin::new(Limits { per_query: std::time::Duration::from_millis(300), ..Limits::default() });
    for batch in 0..60 {
        let mut session = together.open(&theory);
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
        assert!(statistics.satisfiable > 50, "{statistics:?}");
        assert!(statistics.unknown * 50 <= statistics.queries(), "{statistics:?}");
    }
}
