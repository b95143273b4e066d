//! A closed formula over a universe of some of the elements `d0 … d(n-1)`, without quantifiers, variables and equality: what a
//! prover that loses itself in equations decides at once.

use super::text::Language;
use heapwise_logic::{Formula, Kleene, Variable};

/// A formula about the elements `d0 … d(n-1)`, in SPASS's language.
enum Instance {
    Known(bool),
    Text(String),
}

/// How parts are put together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Connective {
    And,
    Or,
}

impl Connective {
    fn other(self) -> Connective {
        match self {
            Connective::And => Connective::Or,
            Connective::Or => Connective::And,
        }
    }
}

/// The predicate of the elements that exist.
pub const EXISTS: &str = "there";

/// `formula`, closed and without closures, in the universe of those elements among `n` different ones that [exist](EXISTS).
pub fn instances(formula: &Formula, n: usize) -> String {
    match instance(formula, n, &mut Vec::new()) {
        Instance::Known(value) => (if value { "true" } else { "false" }).to_owned(),
        Instance::Text(text) => text,
    }
}

fn instance<'a>(formula: &'a Formula, n: usize, scope: &mut Vec<(&'a Variable, usize)>) -> Instance {
    // Formulas are closed: every variable is found.
    let element = |v: &Variable, scope: &[(&Variable, usize)]| {
        scope.iter().rev().find(|(known, _)| *known == v).map_or(0, |(_, i)| *i)
    };
    match formula {
        Formula::Literal(value) => Instance::Known(*value == Kleene::True),
        Formula::Equal(a, b) => Instance::Known(element(a, scope) == element(b, scope)),
        Formula::Atom(p, args) => {
            let elements: Vec<String> = args.iter().map(|v| format!("d{}", element(v, scope))).collect();
            let symbol = Language::Dfg.symbol(*p);
            Instance::Text(if elements.is_empty() { symbol } else { format!("{symbol}({})", elements.join(",")) })
        }
        Formula::Not(part) => negated(instance(part, n, scope)),
        Formula::And(parts) => joined(Connective::And, parts.iter().map(|part| instance(part, n, scope))),
        Formula::Or(parts) => joined(Connective::Or, parts.iter().map(|part| instance(part, n, scope))),
        Formula::IfThenElse(c, a, b) => {
            let (holds, fails) = (instance(c, n, scope), negated(instance(c, n, scope)));
            let then = joined(Connective::Or, [fails, instance(a, n, scope)].into_iter());
            let otherwise = joined(Connective::Or, [holds, instance(b, n, scope)].into_iter());
            joined(Connective::And, [then, otherwise].into_iter())
        }
        Formula::Exists(vs, body) => quantified(Connective::Or, vs, body, n, scope),
        Formula::Forall(vs, body) => quantified(Connective::And, vs, body, n, scope),
        // The encoder has replaced closures.
        Formula::Closure { .. } => Instance::Known(false),
    }
}

fn quantified<'a>(
    connective: Connective,
    vs: &'a [Variable],
    body: &'a Formula,
    n: usize,
    scope: &mut Vec<(&'a Variable, usize)>,
) -> Instance {
    let Some((first, rest)) = vs.split_first() else { return instance(body, n, scope) };
    let cases = (0..n).map(|element| {
        scope.push((first, element));
        let case = quantified(connective, rest, body, n, scope);
        scope.pop();
        let there = Instance::Text(format!("{EXISTS}(d{element})"));
        let guard = match connective {
            Connective::And => negated(there),
            Connective::Or => there,
        };
        joined(connective.other(), [guard, case].into_iter())
    });
    joined(connective, cases)
}

fn negated(part: Instance) -> Instance {
    match part {
        Instance::Known(value) => Instance::Known(!value),
        Instance::Text(text) => Instance::Text(format!("not({text})")),
    }
}

fn joined(connective: Connective, parts: impl Iterator<Item = Instance>) -> Instance {
    let (name, neutral) = match connective {
        Connective::And => ("and", true),
        Connective::Or => ("or", false),
    };
    let mut texts = Vec::new();
    for part in parts {
        match part {
            Instance::Known(value) if value != neutral => return Instance::Known(value),
            Instance::Known(_) => {}
            Instance::Text(text) => texts.push(text),
        }
    }
    match texts.len() {
        0 => Instance::Known(neutral),
        1 => Instance::Text(texts.swap_remove(0)),
        _ => Instance::Text(format!("{name}({})", texts.join(","))),
    }
}
