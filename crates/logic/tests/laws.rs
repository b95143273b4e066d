//! Laws of rewriting and printing, on random formulas and random structures.

#![allow(clippy::unwrap_used)]

use heapwise_logic::evaluate::{Assignment, Structure, evaluate};
use heapwise_logic::minimize::{minimize, minimize_one};
use heapwise_logic::normal::{existential_conjunction, negation_normal};
use heapwise_logic::print::print;
use heapwise_logic::simplify::simplify;
use heapwise_logic::text::{Name, Names, Parser};
use heapwise_logic::{Formula, Kleene, Predicate, Steps, Variable};
use proptest::prelude::*;

/// Predicates by number: 0 nullary, 1 and 2 unary, 3 and 4 binary.
const ARITY: [usize; 5] = [0, 1, 1, 2, 2];
const NAMES: [&str; 5] = ["b", "x", "y[n]", "n", "m"];

struct Table;

impl Names for Table {
    fn predicate(&self, name: &Name, arity: usize) -> Result<Predicate, String> {
        let found = NAMES.iter().position(|n| *n == name.to_string()).ok_or(format!("`{name}` is not declared"))?;
        if ARITY[found] == arity { Ok(Predicate::new(found)) } else { Err(format!("`{name}` has another arity")) }
    }

    fn set(&self, id: &str) -> Result<Vec<Name>, String> {
        Err(format!("no set `{id}`"))
    }
}

#[derive(Clone, Debug)]
struct Random {
    size: usize,
    values: Vec<u8>,
    summary: Vec<bool>,
}

impl Random {
    fn kleene(value: u8) -> Kleene {
        [Kleene::False, Kleene::Unknown, Kleene::True][value as usize % 3]
    }
}

impl Structure for Random {
    fn size(&self) -> usize {
        self.size
    }

    fn value(&self, predicate: Predicate, tuple: &[usize]) -> Kleene {
        let at = tuple.iter().fold(predicate.index() * 16, |at, u| at * 3 + u + 1);
        Random::kleene(self.values[at % self.values.len()])
    }

    fn equal(&self, a: usize, b: usize) -> Kleene {
        if a != b {
            Kleene::False
        } else if self.summary[a] {
            Kleene::Unknown
        } else {
            Kleene::True
        }
    }
}

/// `concrete`: definite values and no summary individuals.
fn structure(concrete: bool) -> impl Strategy<Value = Random> {
    let value = if concrete { prop_oneof![Just(0u8), Just(2u8)].boxed() } else { (0u8..3).boxed() };
    let summary = if concrete { Just(false).boxed() } else { any::<bool>().boxed() };
    (0usize..4, prop::collection::vec(value, 97), prop::collection::vec(summary, 4))
        .prop_map(|(size, values, summary)| Random { size, values, summary })
}

fn variable() -> impl Strategy<Value = Variable> {
    prop_oneof![Just("v"), Just("w"), Just("u"), Just("t")].prop_map(Variable::new)
}

fn formula() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        prop_oneof![Just(Kleene::False), Just(Kleene::Unknown), Just(Kleene::True)].prop_map(Formula::Literal),
        (0usize..5, variable(), variable())
            .prop_map(|(p, a, b)| Formula::Atom(Predicate::new(p), [a, b].into_iter().take(ARITY[p]).collect())),
        (variable(), variable()).prop_map(|(a, b)| Formula::Equal(a, b)),
        (any::<bool>(), variable(), variable()).prop_map(|(star, a, b)| Formula::path(
            Predicate::new(3),
            if star { Steps::ZeroOrMore } else { Steps::OneOrMore },
            &a,
            &b
        )),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|f| Formula::Not(Box::new(f))),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Formula::And),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Formula::Or),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(c, a, b)| Formula::if_then_else(c, a, b)),
            (prop::collection::vec(variable(), 1..3), inner.clone()).prop_map(|(mut vs, f)| {
                vs.sort();
                vs.dedup();
                Formula::exists(vs, f)
            }),
            (variable(), inner.clone()).prop_map(|(v, f)| Formula::forall(vec![v], f)),
            (variable(), variable(), inner.clone()).prop_map(|(from, to, step)| Formula::Closure {
                steps: Steps::OneOrMore,
                from,
                to,
                left: Variable::new("u"),
                right: Variable::new("w"),
                step: Box::new(step)
            }),
        ]
    })
}

/// The values of a formula under every assignment of its four variables.
fn values(formula: &Formula, structure: &Random) -> Vec<Kleene> {
    let mut out = Vec::new();
    let n = structure.size;
    for code in 0..n.pow(4) {
        let mut assignment = Assignment::new();
        for (place, name) in [1, n, n * n, n * n * n].into_iter().zip(["v", "w", "u", "t"]) {
            assignment.push(&Variable::new(name), code / place % n);
        }
        out.push(evaluate(formula, structure, &mut assignment));
    }
    out
}

fn as_text(formula: &Formula) -> String {
    print(formula, &|p| NAMES[p.index()].to_owned())
}

/// How many cases a law is tried on: `HEAPWISE_LAW_CASES` makes it a long run.
fn cases() -> u32 {
    std::env::var("HEAPWISE_LAW_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(800)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn printed_formulas_are_read_back(f in formula()) {
        let text = as_text(&f);
        prop_assert_eq!(Parser::formula_from("f", &text, &Table).unwrap(), f, "{}", text);
    }

    #[test]
    fn simplifying_keeps_concrete_values(f in formula(), s in structure(true)) {
        let definite = f.replace_atoms(&mut |_, _| None);
        let simple = simplify(&definite);
        for (before, after) in values(&definite, &s).into_iter().zip(values(&simple, &s)) {
            prop_assert!(after.is_covered_by(before), "{} => {}: {} to {}", as_text(&f), as_text(&simple), before, after);
        }
    }

    #[test]
    fn simplifying_never_loses_definiteness(f in formula(), s in structure(false)) {
        let simple = simplify(&f);
        for (before, after) in values(&f, &s).into_iter().zip(values(&simple, &s)) {
            prop_assert!(after.is_covered_by(before), "{} => {}: {} to {}", as_text(&f), as_text(&simple), before, after);
        }
    }

    #[test]
    fn minimizing_never_changes_a_definite_value(f in formula(), s in structure(false)) {
        let minimal = minimize_one(&f);
        for (before, after) in values(&f, &s).into_iter().zip(values(&minimal, &s)) {
            prop_assert!(after.is_covered_by(before), "{} => {}: {} to {}", as_text(&f), as_text(&minimal), before, after);
        }
    }

    #[test]
    fn minimizing_together_keeps_concrete_values(f in formula(), g in formula(), s in structure(true)) {
        // On a concrete structure in which both have the same definite value, so has every result.
        let together = minimize(&[f.clone(), g.clone()]);
        for (i, (a, b)) in values(&f, &s).into_iter().zip(values(&g, &s)).enumerate() {
            if a == b && a.is_definite() {
                for minimal in &together {
                    let value = values(minimal, &s)[i];
                    prop_assert!(value.is_covered_by(a), "{} and {} => {}", as_text(&f), as_text(&g), as_text(minimal));
                }
            }
        }
    }

    #[test]
    fn renaming_apart_keeps_every_value(f in formula(), s in structure(false)) {
        // Free variables that have the names which bound ones get.
        let map = [("v", "r$1"), ("w", "r$2")].map(|(from, to)| (Variable::new(from), Variable::new(to)));
        let back = map.clone().map(|(from, to)| (to, from));
        let apart = f.rename(&map.into_iter().collect()).rename_apart("r", &mut 0).rename(&back.into_iter().collect());
        prop_assert_eq!(values(&f, &s), values(&apart, &s), "{} => {}", as_text(&f), as_text(&apart));
    }

    #[test]
    fn negation_normal_form_keeps_concrete_values(f in formula(), s in structure(true)) {
        let normal = negation_normal(&f);
        for (before, after) in values(&f, &s).into_iter().zip(values(&normal, &s)) {
            prop_assert!(before.is_covered_by(after), "{}", as_text(&normal));
        }
    }

    #[test]
    fn an_existential_conjunction_means_the_formula(f in formula(), s in structure(true)) {
        if let Some((vs, conjuncts)) = existential_conjunction(&f) {
            let rebuilt = Formula::exists(vs, Formula::And(conjuncts));
            for (before, after) in values(&f, &s).into_iter().zip(values(&rebuilt, &s)) {
                prop_assert!(before.is_covered_by(after) || after.is_covered_by(before), "{}", as_text(&rebuilt));
            }
        }
    }
}

#[test]
fn precedence_is_that_of_tvp() {
    let check = |text: &str, expected: &str| {
        let f = Parser::formula_from("f", text, &Table).unwrap();
        assert_eq!(as_text(&f), expected, "{text}");
    };
    check("!E(v) x(v) & b()", "!(E(v) x(v) & b())");
    check("x(v) | b() & x(w)", "x(v) | b() & x(w)");
    check("b() -> b() -> x(v)", "!(!b() | b()) | x(v)");
    check("n*(v,w) & v!=w", "n*(v, w) & v != w");
    check("(b() ? x(v) : TC(v,w)(a,c) n(c,a))", "(b() ? x(v) : (TC(v, w)(a, c) n(c, a)))");
}

/// What the formulas say together on a structure whose every value is 1/2 except as given: x(v), y[n](v), b().
fn together(formulas: &[&str], known: [Kleene; 3]) -> Kleene {
    struct Known([Kleene; 3]);
    impl Structure for Known {
        fn size(&self) -> usize {
            1
        }
        fn value(&self, predicate: Predicate, _: &[usize]) -> Kleene {
            [self.0[2], self.0[0], self.0[1], Kleene::Unknown, Kleene::Unknown][predicate.index()]
        }
        fn equal(&self, _: usize, _: usize) -> Kleene {
            Kleene::True
        }
    }
    let formulas: Vec<Formula> = formulas.iter().map(|f| Parser::formula_from("f", f, &Table).unwrap()).collect();
    let mut assignment = Assignment::new();
    assignment.push(&Variable::new("v"), 0);
    let minimal = minimize(&formulas);
    let values = minimal.iter().map(|f| evaluate(f, &Known(known), &mut assignment));
    values.reduce(|a, b| if a.is_definite() { a } else { b }).unwrap_or(Kleene::Unknown)
}

#[test]
fn what_every_completion_says_is_said() {
    use Kleene::{False, True, Unknown};
    // Both branches say y.
    assert_eq!(together(&["(b() ? y[n](v) : y[n](v) & (x(v) | !x(v)))"], [Unknown, True, Unknown]), True);
    assert_eq!(together(&["x(v) & y[n](v) | !x(v) & b()"], [Unknown, True, True]), True);
    assert_eq!(together(&["x(v) & y[n](v) | !x(v) & b()"], [Unknown, False, False]), False);
    assert_eq!(together(&["x(v) & y[n](v) | !x(v) & b()"], [Unknown, True, False]), Unknown);
    // Two formulas that agree: where x is 1 the first says b and the second says y, so b is y there.
    let two = ["(x(v) ? b() : 0)", "(x(v) ? y[n](v) : 0)"];
    assert_eq!(together(&two, [True, True, Unknown]), True);
    assert_eq!(together(&two, [Unknown, False, Unknown]), False);
}
