//! What is asked about: predicates with arities, and closed formulas over them.

use heapwise_logic::{Arity, Formula, Predicate};
use indexmap::IndexMap;

/// The predicates that a theory may use. A primed predicate is a predicate of its own.
#[derive(Clone, Default, Debug)]
pub struct Signature {
    symbols: IndexMap<Predicate, Symbol>,
}

#[derive(Clone, Debug)]
struct Symbol {
    name: String,
    arity: Arity,
}

impl Signature {
    /// Without predicates.
    #[must_use]
    pub fn new() -> Signature {
        Signature::default()
    }

    /// Adds a predicate, or changes its name and arity. The name serves to read messages, it need not be unique.
    pub fn declare(&mut self, predicate: Predicate, name: &str, arity: Arity) {
        self.symbols.insert(predicate, Symbol { name: name.to_owned(), arity });
    }

    /// The arity of a declared predicate.
    #[must_use]
    pub fn arity(&self, predicate: Predicate) -> Option<Arity> {
        self.symbols.get(&predicate).map(|symbol| symbol.arity)
    }

    /// The name of a predicate; of an undeclared one, its number.
    #[must_use]
    pub fn name(&self, predicate: Predicate) -> String {
        match self.symbols.get(&predicate) {
            Some(symbol) => symbol.name.clone(),
            None => format!("#{}{}", predicate.index(), if predicate.is_primed() { "'" } else { "" }),
        }
    }

    /// The position of a declared predicate in [`Signature::predicates`].
    #[must_use]
    pub fn position(&self, predicate: Predicate) -> Option<usize> {
        self.symbols.get_index_of(&predicate)
    }

    /// The declared predicates in the order of declaration.
    pub fn predicates(&self) -> impl Iterator<Item = (Predicate, Arity)> + '_ {
        self.symbols.iter().map(|(predicate, symbol)| (*predicate, symbol.arity))
    }

    /// Why `formula` is no closed formula over this signature, if so.
    pub(crate) fn objection(&self, formula: &Formula) -> Option<String> {
        if let Some(v) = formula.free_variables().first() {
            return Some(format!("the variable `{}` is free", v.name()));
        }
        let mut objection = None;
        formula.visit(&mut |part| match part {
            Formula::Atom(p, args) => match self.arity(*p) {
                None => objection = Some(format!("the predicate `{}` is not declared", self.name(*p))),
                Some(arity) if arity.count() != args.len() => {
                    let (expected, found) = (arity.count(), args.len());
                    objection = Some(format!("`{}` takes {expected} argument(s), here {found}", self.name(*p)));
                }
                Some(_) => {}
            },
            Formula::Literal(value) if !value.is_definite() => {
                objection = Some("1/2 has no meaning in a concrete structure".to_owned());
            }
            _ => {}
        });
        objection
    }
}

/// A signature and closed formulas that hold in every structure asked about: integrity rules, the characteristic
/// formula of an abstract structure, a condition.
#[derive(Clone, Default, Debug)]
pub struct Theory {
    /// The predicates.
    pub signature: Signature,
    /// What holds.
    pub axioms: Vec<Formula>,
}
