//! Formulas in the languages of provers.

use heapwise_logic::{Arity, Formula, Kleene, Predicate, Variable};

/// A language to write formulas in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// SMT-LIB 2: prefix in brackets, one sort `U`.
    SmtLib,
    /// SPASS's own: functions with commas.
    Dfg,
}

impl Language {
    /// A predicate's symbol: names of the user may clash with words of the language, numbers do not.
    pub fn symbol(self, predicate: Predicate) -> String {
        format!("p{}{}", predicate.index(), if predicate.is_primed() { "q" } else { "" })
    }

    /// A closed formula without closures.
    pub fn write(self, formula: &Formula) -> String {
        let mut out = String::new();
        self.part(formula, &mut Vec::new(), &mut 0, &mut out);
        out
    }

    /// The declaration of a predicate.
    pub fn declare(self, predicate: Predicate, arity: Arity) -> String {
        let symbol = self.symbol(predicate);
        match self {
            Language::SmtLib => format!("(declare-fun {symbol} ({}) Bool)\n", vec!["U"; arity.count()].join(" ")),
            Language::Dfg => format!("({symbol},{})", arity.count()),
        }
    }

    fn apply(self, head: &str, arguments: &[String]) -> String {
        match self {
            _ if arguments.is_empty() => head.to_owned(),
            Language::SmtLib => format!("({head} {})", arguments.join(" ")),
            Language::Dfg => format!("{head}({})", arguments.join(",")),
        }
    }

    fn part(self, formula: &Formula, scope: &mut Vec<(Variable, usize)>, next: &mut usize, out: &mut String) {
        let mut sub = |part: &Formula, scope: &mut Vec<(Variable, usize)>| {
            let mut out = String::new();
            self.part(part, scope, next, &mut out);
            out
        };
        let name = |v: &Variable, scope: &[(Variable, usize)]| {
            // Formulas are closed: the variable is found.
            scope.iter().rev().find(|(known, _)| known == v).map_or_else(String::new, |(_, i)| format!("V{i}"))
        };
        let written = match formula {
            Formula::Literal(value) => (if *value == Kleene::True { "true" } else { "false" }).to_owned(),
            Formula::Atom(p, args) => {
                let arguments: Vec<String> = args.iter().map(|v| name(v, scope)).collect();
                self.apply(&self.symbol(*p), &arguments)
            }
            Formula::Equal(a, b) => {
                let head = if self == Language::SmtLib { "=" } else { "equal" };
                self.apply(head, &[name(a, scope), name(b, scope)])
            }
            Formula::Not(f) => self.apply("not", &[sub(f, scope)]),
            Formula::And(parts) | Formula::Or(parts) => {
                let (head, empty) = if matches!(formula, Formula::And(_)) { ("and", "true") } else { ("or", "false") };
                let mut arguments: Vec<String> = parts.iter().map(|part| sub(part, scope)).collect();
                match arguments.len() {
                    0 => empty.to_owned(),
                    1 => arguments.swap_remove(0),
                    _ => self.apply(head, &arguments),
                }
            }
            Formula::IfThenElse(c, a, b) => {
                let spelled = Formula::and(
                    Formula::implies((**c).clone(), (**a).clone()),
                    Formula::or((**c).clone(), (**b).clone()),
                );
                sub(&spelled, scope)
            }
            Formula::Exists(vs, f) | Formula::Forall(vs, f) => {
                let head = if matches!(formula, Formula::Exists(..)) { "exists" } else { "forall" };
                let depth = scope.len();
                let mut names = Vec::new();
                for v in vs {
                    *next += 1;
                    scope.push((v.clone(), *next));
                    names.push(format!("V{next}"));
                }
                let mut body = String::new();
                self.part(f, scope, next, &mut body);
                scope.truncate(depth);
                match self {
                    _ if names.is_empty() => body,
                    Language::SmtLib => {
                        let sorted: Vec<String> = names.iter().map(|name| format!("({name} U)")).collect();
                        format!("({head} ({}) {body})", sorted.join(" "))
                    }
                    Language::Dfg => format!("{head}([{}],{body})", names.join(",")),
                }
            }
            // The encoder has replaced closures.
            Formula::Closure { .. } => "false".to_owned(),
        };
        out.push_str(&written);
    }
}
