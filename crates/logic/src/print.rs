//! Formulas as text that the parser reads back.

use crate::formula::{Formula, Predicate, Steps, Variable};

/// `formula` in TVP syntax, with predicates named by `name`.
#[must_use]
pub fn print(formula: &Formula, name: &impl Fn(Predicate) -> String) -> String {
    let mut out = String::new();
    write(formula, name, Level::Quantified, &mut out);
    out
}

/// How tightly the surroundings bind; a looser formula needs brackets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Quantified,
    Or,
    And,
    Not,
}

fn write(formula: &Formula, name: &impl Fn(Predicate) -> String, level: Level, out: &mut String) {
    match formula {
        Formula::Literal(value) => out.push_str(&value.to_string()),
        Formula::Atom(p, args) => {
            out.push_str(&name(*p));
            variables(args, out);
        }
        Formula::Equal(a, b) => out.push_str(&format!("{} == {}", a.name(), b.name())),
        Formula::Not(f) => match &**f {
            Formula::Equal(a, b) => out.push_str(&format!("{} != {}", a.name(), b.name())),
            inner => {
                out.push('!');
                write(inner, name, Level::Not, out);
            }
        },
        Formula::And(fs) => list(fs, " & ", "1", Level::And, level, name, out),
        Formula::Or(fs) => list(fs, " | ", "0", Level::Or, level, name, out),
        Formula::IfThenElse(c, a, b) => {
            for (before, part) in [("(", c), (" ? ", a), (" : ", b)] {
                out.push_str(before);
                write(part, name, Level::Or, out);
            }
            out.push(')');
        }
        Formula::Exists(vs, f) => quantified("E", vs, f, level, name, out),
        Formula::Forall(vs, f) => quantified("A", vs, f, level, name, out),
        Formula::Closure { steps, from, to, left, right, step } => match &**step {
            Formula::Atom(p, args)
                if *args == [left.clone(), right.clone()] && (left.name() == "$l" || *steps == Steps::ZeroOrMore) =>
            {
                out.push_str(&name(*p));
                out.push(match steps {
                    Steps::ZeroOrMore => '*',
                    Steps::OneOrMore => '+',
                });
                variables(&[from.clone(), to.clone()], out);
            }
            _ => {
                let head = format!("TC({}, {})({}, {}) ", from.name(), to.name(), left.name(), right.name());
                bracketed(level != Level::Quantified || *steps == Steps::ZeroOrMore, out, |out| {
                    if *steps == Steps::ZeroOrMore {
                        out.push_str(&format!("{} == {} | ", from.name(), to.name()));
                    }
                    out.push_str(&head);
                    write(step, name, Level::Quantified, out);
                });
            }
        },
    }
}

fn list(
    parts: &[Formula],
    operator: &str,
    empty: &str,
    own: Level,
    level: Level,
    name: &impl Fn(Predicate) -> String,
    out: &mut String,
) {
    if parts.is_empty() {
        out.push_str(empty);
        return;
    }
    bracketed(level >= own, out, |out| {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                out.push_str(operator);
            }
            write(part, name, own, out);
        }
    });
}

fn quantified(
    quantifier: &str,
    vs: &[Variable],
    body: &Formula,
    level: Level,
    name: &impl Fn(Predicate) -> String,
    out: &mut String,
) {
    bracketed(level != Level::Quantified, out, |out| {
        out.push_str(quantifier);
        variables(vs, out);
        out.push(' ');
        write(body, name, Level::Quantified, out);
    });
}

fn variables(vs: &[Variable], out: &mut String) {
    out.push('(');
    for (i, v) in vs.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        out.push_str(v.name());
    }
    out.push(')');
}

fn bracketed(brackets: bool, out: &mut String, inside: impl FnOnce(&mut String)) {
    if brackets {
        out.push('(');
    }
    inside(out);
    if brackets {
        out.push(')');
    }
}
