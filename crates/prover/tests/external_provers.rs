//! Provers that are other programs: fakes that misbehave, and the real ones where they are installed.

#![allow(clippy::unwrap_used)]

mod common;

use common::{A, Dice, IS, N, Recipe, all, atom, functional, sharing, signature, some, unique};
use heapwise_logic::{Formula, Steps};
use heapwise_prover::external::{SmtLib, Spass};
use heapwise_prover::{Answer, Backend, Limits, Prover, Reason, Theory};
use heapwise_testkit::script::executable_script;
use std::path::Path;
use std::time::{Duration, Instant};

fn limits() -> Limits {
    Limits { per_query: Duration::from_millis(400), ..Limits::default() }
}

/// A shell script that plays the prover.
fn fake(directory: &Path, script: &str) -> String {
    executable_script(&directory.join("prover"), script)
}

/// A theory whose only models have elements.
fn someone() -> Theory {
    let somewhere = some(&["v"], atom(A, &["v"]));
    Theory { signature: signature(&[A, N]), axioms: vec![somewhere] }
}

fn ask_fakes(script: &str) -> [Answer; 2] {
    let directory = tempfile::tempdir().unwrap();
    let program = fake(directory.path(), script);
    let mut smt = SmtLib::with_command("fake", &program, &[], limits());
    let mut spass = Spass::with_command(&program, limits());
    let answers = [smt.open(&someone()).check(&[]), spass.open(&someone()).check(&[])];
    assert_eq!((smt.statistics().queries(), spass.statistics().queries()), (1, 1));
    answers
}

#[test]
fn a_missing_prover_is_unknown_with_a_note() {
    let provers: [Box<dyn Prover>; 2] = [
        Box::new(SmtLib::with_command("z3", "/nonexistent/z3", &[], limits())),
        Box::new(Spass::with_command("/nonexistent/SPASS", limits())),
    ];
    for mut prover in provers {
        let answer = prover.open(&someone()).check(&[]);
        assert!(matches!(&answer, Answer::Unknown(Reason::Failed(what)) if what.contains("cannot be started")));
        assert!(prover.statistics().first_unknown.is_some());
    }
}

#[test]
fn a_prover_that_dies_or_says_nothing_is_unknown() {
    for script in ["exit 0", "exit 3", "kill -9 $$", "read line; kill -9 $$"] {
        for answer in ask_fakes(script) {
            assert!(matches!(answer, Answer::Unknown(Reason::Failed(_))), "{script}: {answer:?}");
        }
    }
}

#[test]
fn a_prover_that_prints_garbage_is_unknown() {
    for script in [
        "echo 'segmentation fault'; sleep 5",
        "echo '(error \"line 3: unknown constant\")'; cat >/dev/null",
        "echo unsatisfiable",
        "echo 'SPASS beiseite: Proof'; echo 'Proof found.'",
        "head -c 200000 /dev/zero; echo",
        "printf '\\377\\376unsat\\n'",
    ] {
        for answer in ask_fakes(script) {
            assert!(matches!(answer, Answer::Unknown(_)), "{script}: {answer:?}");
        }
    }
}

#[test]
fn a_prover_that_hangs_is_stopped_in_time() {
    for script in ["exec sleep 100", "cat >/dev/null; exec sleep 100", "while :; do echo; done"] {
        let started = Instant::now();
        for answer in ask_fakes(script) {
            assert!(matches!(answer, Answer::Unknown(Reason::TimeLimit)), "{script}: {answer:?}");
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{script}");
    }
}

#[test]
fn a_prover_that_died_is_started_again() {
    let directory = tempfile::tempdir().unwrap();
    let flag = directory.path().join("died");
    let script = format!(
        "if [ -e {0} ]; then while read line; do case $line in *check-sat*) echo unsat;; esac; done; else touch {0}; fi",
        flag.display()
    );
    let program = fake(directory.path(), &script);
    let mut prover = SmtLib::with_command("fake", &program, &[], Limits::default());
    let theory = someone();
    let mut session = prover.open(&theory);
    assert!(matches!(session.check(&[]), Answer::Unknown(Reason::Failed(_))));
    assert_eq!(session.check(&[]), Answer::Unsatisfiable);
}

/// No prover is asked about the empty universe, and none denies it.
#[test]
fn unsat_of_a_prover_leaves_the_empty_structure() {
    let directory = tempfile::tempdir().unwrap();
    let program = fake(directory.path(), "while read line; do case $line in *check-sat*) echo unsat;; esac; done");
    let mut prover = SmtLib::with_command("fake", &program, &[], Limits::default());
    let nobody = Theory { signature: signature(&[A]), axioms: vec![all(&["v"], Formula::FALSE)] };
    assert!(matches!(prover.open(&nobody).check(&[]), Answer::Satisfiable(Some(model)) if model.size() == 0));
}

/// `sat` is believed where every satisfiable theory has a finite model, and checked in a finite universe elsewhere.
#[test]
fn sat_beyond_the_fragment_is_checked_in_a_finite_universe() {
    let directory = tempfile::tempdir().unwrap();
    // Says sat to everything but a bounded universe.
    let script = "bounded=; while read line; do case $line in *d0*d1*) bounded=yes;; *pop*) bounded=;; \
                  *check-sat*) if [ $bounded ]; then echo unsat; else echo sat; fi;; esac; done";
    let script = script.replace("*d0*d1*", "*'(= V d0)'*");
    let program = fake(directory.path(), &script);
    let mut prover = SmtLib::with_command("fake", &program, &[], Limits::default());
    assert_eq!(prover.open(&someone()).check(&[]), Answer::Satisfiable(None));
    let mut beyond = someone();
    beyond.axioms.push(all(&["v"], some(&["w"], atom(N, &["v", "w"]))));
    assert_eq!(prover.open(&beyond).check(&[]), Answer::Unknown(Reason::NotFoundUpTo(8)));
}

/// Every pair of provers that are installed agrees wherever both settle a question.
#[test]
fn all_installed_provers_agree() {
    let limits = || Limits { per_query: Duration::from_secs(1), individuals: 12, ..Limits::default() };
    let mut provers: Vec<Box<dyn Prover>> = Vec::new();
    for backend in Backend::ALL {
        if backend.is_available() {
            provers.push(backend.prover(limits()));
        } else {
            println!("{} is not installed: not compared", backend.name());
        }
    }
    for seed in 0..24 {
        let mut dice = Dice::new(90_000 + seed);
        let closure = seed % 4 == 3;
        let recipe = Recipe { unary: vec![A], binary: vec![N], nullary: vec![], closure };
        let mut axioms = vec![functional()];
        match seed % 4 {
            0 | 3 => {}
            1 => axioms.extend([sharing(), unique(A)]),
            _ => axioms.push(all(
                &["v"],
                some(&["w"], Formula::path(common::p(N), Steps::OneOrMore, &common::v("v"), &common::v("w"))),
            )),
        }
        axioms.extend((0..2).map(|_| recipe.exists_forall(&mut dice, 2, 1)));
        let theory = Theory { signature: signature(&[A, N, IS]), axioms };
        let extra = recipe.exists_forall(&mut dice, 2, 1);
        let mut settled: Option<(String, bool)> = None;
        for prover in &mut provers {
            let name = prover.name().to_owned();
            let satisfiable = match prover.open(&theory).check(&[&extra]) {
                Answer::Satisfiable(_) => true,
                Answer::Unsatisfiable => false,
                Answer::Unknown(_) => continue,
            };
            match &settled {
                None => settled = Some((name, satisfiable)),
                Some((first, said)) => {
                    assert_eq!(*said, satisfiable, "seed {seed}: {first} and {name} differ\n{theory:?}\n{extra:?}");
                }
            }
        }
    }
    for prover in &provers {
        println!("{}: {:?}", prover.name(), prover.statistics());
    }
}
