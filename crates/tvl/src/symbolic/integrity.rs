//! Integrity rules: the closed formulas that every concrete structure satisfies (section 2.3 of the paper), as data.

use crate::action::Framework;
use crate::rules::RuleSource;
use crate::vocabulary::{Property, Vocabulary};
use heapwise_logic::{Formula, Predicate, Steps, Variable};

/// A closed formula that holds in every concrete structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntegrityRule {
    /// The formula.
    pub formula: Formula,
    /// Where it comes from.
    pub source: RuleSource,
}

impl IntegrityRule {
    /// Whether the rule says what an instrumentation predicate means. Such a rule fixes the predicate's values and
    /// excludes nothing else.
    #[must_use]
    pub fn is_definition(&self) -> bool {
        matches!(self.source, RuleSource::Definition(_))
    }
}

/// The integrity rules of a framework: what properties declare, what is written (`%r`), and the definitions of
/// instrumentation predicates, both ways.
#[must_use]
pub fn integrity_rules(framework: &Framework) -> Vec<IntegrityRule> {
    let vocabulary = &framework.vocabulary;
    let mut rules = Vec::new();
    for p in vocabulary.predicates() {
        let declaration = vocabulary.declaration(p);
        for property in &declaration.properties {
            let source = RuleSource::Property(p);
            rules.extend(
                property_formulas(p, *property)
                    .into_iter()
                    .map(|f| IntegrityRule { formula: close(f), source: source.clone() }),
            );
        }
        if let Some(definition) = &declaration.definition {
            let own = Formula::Atom(p, definition.params.clone());
            let formula = close(Formula::iff(own, definition.formula.clone()));
            rules.push(IntegrityRule { formula, source: RuleSource::Definition(p) });
        }
    }
    let written = framework.constraints.rules().iter().filter(|r| matches!(r.source, RuleSource::Written(_)));
    rules.extend(written.map(|rule| IntegrityRule {
        formula: close(Formula::implies(rule.body.clone(), rule.head.formula())),
        source: rule.source.clone(),
    }));
    for rule in &mut rules {
        rule.formula = without_reserved(&rule.formula, vocabulary);
    }
    rules
}

/// `formula` for all values of its free variables.
#[must_use]
pub fn close(formula: Formula) -> Formula {
    let free: Vec<Variable> = formula.free_variables().into_iter().collect();
    Formula::forall(free, formula)
}

/// The built-in predicates and their values: in a concrete structure nothing is a summary, everything exists, and nothing
/// is new.
#[must_use]
pub fn reserved(vocabulary: &Vocabulary) -> Vec<(Predicate, Formula)> {
    let values =
        [("sm", Formula::FALSE), ("ac", Formula::TRUE), ("isNew", Formula::FALSE), ("instance", Formula::FALSE)];
    values.into_iter().filter_map(|(name, value)| Some((vocabulary.find(name)?, value))).collect()
}

/// The formula with built-in predicates replaced by their values.
#[must_use]
pub fn without_reserved(formula: &Formula, vocabulary: &Vocabulary) -> Formula {
    let fixed = reserved(vocabulary);
    formula.replace_atoms(&mut |p, _| fixed.iter().find(|(q, _)| *q == p).map(|(_, value)| value.clone()))
}

fn property_formulas(p: Predicate, property: Property) -> Vec<Formula> {
    let (a, b, c) = (Variable::new("a"), Variable::new("b"), Variable::new("c"));
    let unary = |x: &Variable| Formula::atom(p, std::slice::from_ref(x));
    let binary = |x: &Variable, y: &Variable| Formula::atom(p, &[x.clone(), y.clone()]);
    let equal = || Formula::equal(&a, &b);
    let implies = |parts: Vec<Formula>, head: Formula| vec![Formula::implies(Formula::And(parts), head)];
    match property {
        Property::Unique => implies(vec![unary(&a), unary(&b)], equal()),
        Property::UniquePerComponent(q) => {
            implies(vec![unary(&a), Formula::path(q, Steps::ZeroOrMore, &a, &b), unary(&b)], equal())
        }
        Property::Function => implies(vec![binary(&c, &a), binary(&c, &b)], equal()),
        Property::InverseFunction => implies(vec![binary(&a, &c), binary(&b, &c)], equal()),
        Property::Symmetric => implies(vec![binary(&a, &b)], binary(&b, &a)),
        Property::Antisymmetric => implies(vec![binary(&a, &b), binary(&b, &a)], equal()),
        Property::Reflexive => vec![binary(&a, &a)],
        Property::Antireflexive => vec![!binary(&a, &a)],
        Property::Transitive => implies(vec![binary(&a, &b), binary(&b, &c)], binary(&a, &c)),
        Property::Acyclic => vec![!Formula::path(p, Steps::OneOrMore, &a, &a)],
    }
}
