//! The question that a search answers: which canonical abstractions do the concrete structures have that satisfy given
//! axioms?

use super::fragment::flatten;
use super::integrity::{integrity_rules, without_reserved};
use crate::action::Framework;
use crate::coerce::Constraints;
use crate::vocabulary::{Arity, Property, Vocabulary};
use heapwise_logic::{Formula, Predicate};
use indexmap::IndexMap;

/// A predicate symbol of a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// How many individuals it speaks of.
    pub arity: Arity,
    /// What always holds of it, as far as rewriting and proving can use it.
    pub properties: Vec<Property>,
}

/// The predicates of a vocabulary, by their numbers, and auxiliary ones behind them: what concrete structures have
/// beside the values that are abstracted.
#[derive(Clone, Debug)]
pub struct Symbols {
    list: Vec<Symbol>,
    propositions: IndexMap<Formula, Predicate>,
}

impl Symbols {
    /// The predicates of a vocabulary.
    #[must_use]
    pub fn new(vocabulary: &Vocabulary) -> Symbols {
        let symbol = |p: Predicate| Symbol {
            name: vocabulary.name(p).to_owned(),
            arity: vocabulary.declaration(p).arity,
            properties: vocabulary.declaration(p).properties.clone(),
        };
        Symbols { list: vocabulary.predicates().map(symbol).collect(), propositions: IndexMap::new() }
    }

    /// Adds an auxiliary predicate.
    pub fn add(&mut self, symbol: Symbol) -> Predicate {
        self.list.push(symbol);
        Predicate::new(self.list.len() - 1)
    }

    /// Takes nothing for granted of some of the predicates declared so far.
    pub fn forget_properties(&mut self, of: impl Fn(Predicate) -> bool) {
        let doubted = self.list.iter_mut().enumerate().filter(|(i, _)| of(Predicate::new(*i)));
        doubted.for_each(|(_, symbol)| symbol.properties.clear());
    }

    /// All symbols, by number.
    #[must_use]
    pub fn list(&self) -> &[Symbol] {
        &self.list
    }

    /// Whether a predicate holds of one individual at most.
    #[must_use]
    pub fn is_unique(&self, p: Predicate) -> bool {
        self.list.get(p.index()).is_some_and(|s| s.properties.contains(&Property::Unique))
    }

    /// The proposition that stands for a closed formula, and whether it is new.
    pub(super) fn proposition(&mut self, closed: &Formula) -> (Predicate, bool) {
        if let Some(known) = self.propositions.get(closed) {
            return (*known, false);
        }
        let name = format!("$p{}", self.propositions.len());
        let p = self.add(Symbol { name, arity: Arity::Nullary, properties: Vec::new() });
        self.propositions.insert(closed.clone(), p);
        (p, true)
    }

    /// `formula` as text.
    #[must_use]
    pub fn print(&self, formula: &Formula) -> String {
        heapwise_logic::print::print(formula, &|p| self.list.get(p.index()).map_or(String::new(), |s| s.name.clone()))
    }
}

/// Which concrete structures are asked about, and how they are abstracted.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    /// The abstraction: predicates, rules for quick sharpening, abstraction predicates.
    pub framework: &'a Framework,
    /// The predicates of concrete structures.
    pub symbols: Symbols,
    /// What they satisfy.
    pub axioms: Vec<Formula>,
    /// The individuals that belong to the abstracted store; `None` for all of them.
    pub alive: Option<Predicate>,
    /// Rules that all these concrete structures satisfy, for quick sharpening.
    pub constraints: Option<&'a Constraints>,
}

impl<'a> Problem<'a> {
    /// The concrete structures of a framework, without any rule.
    #[must_use]
    pub fn unconstrained(framework: &'a Framework) -> Problem<'a> {
        Problem {
            framework,
            symbols: Symbols::new(&framework.vocabulary),
            axioms: Vec::new(),
            alive: None,
            constraints: None,
        }
    }

    /// The concrete structures that satisfy the integrity rules.
    #[must_use]
    pub fn new(framework: &'a Framework) -> Problem<'a> {
        let mut problem = Problem::unconstrained(framework);
        for rule in integrity_rules(framework) {
            problem.require(&rule.formula);
        }
        problem.constraints = Some(&framework.constraints);
        problem
    }

    /// Adds a closed formula that concrete structures must satisfy.
    pub fn require(&mut self, formula: &Formula) {
        let formula = without_reserved(formula, &self.framework.vocabulary);
        let formula = flatten(&formula, &mut self.symbols, &mut self.axioms);
        if !self.axioms.contains(&formula) {
            self.axioms.push(formula);
        }
    }
}
