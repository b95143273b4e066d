//! Consistency rules: what holds in every concrete structure, as `body ==> head`, written or derived.
//!
//! Rules are derived from properties (`unique`, `function` …) and from the definitions of instrumentation predicates.
//! Every rule whose body is a conjunction is closed under contraposition: from `E(ū)(L₁ & … & Lₙ) ==> H` follows
//! `E(…)(L₁ & … & !H) ==> !Lᵢ` (the closure of Sagiv, Reps and Wilhelm, section 6.4.3).

use crate::vocabulary::{Definition, Property, Vocabulary};
use heapwise_logic::normal::{existential_conjunction, negation_normal};
use heapwise_logic::simplify::simplify;
use heapwise_logic::{Formula, Kleene, Predicate, Steps, Variable};

/// What a rule concludes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Head {
    /// `p(v, …)`.
    Holds(Predicate, Vec<Variable>),
    /// `!p(v, …)`.
    Fails(Predicate, Vec<Variable>),
    /// `a == b`.
    Equal(Variable, Variable),
    /// `a != b`.
    Different(Variable, Variable),
    /// 0: the body never holds.
    Never,
}

/// Where a rule comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RuleSource {
    /// Written by the user, at that place.
    Written(String),
    /// From a property of a predicate.
    Property(Predicate),
    /// From the definition of a predicate.
    Definition(Predicate),
    /// The contrapositive of a written rule.
    Contrapositive(String),
    /// From the definition of a predicate as a path.
    Path(Predicate),
}

/// A rule: in every concrete structure, for every assignment, if `body` then `head`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rule {
    /// The condition.
    pub body: Formula,
    /// The conclusion.
    pub head: Head,
    /// Where it comes from.
    pub source: RuleSource,
}

impl Head {
    /// The head that a literal is.
    #[must_use]
    pub fn from_formula(formula: &Formula) -> Option<Head> {
        Some(match formula {
            Formula::Atom(p, args) => Head::Holds(*p, args.clone()),
            Formula::Equal(a, b) => Head::Equal(a.clone(), b.clone()),
            Formula::Literal(Kleene::False) => Head::Never,
            Formula::Not(inner) => match &**inner {
                Formula::Atom(p, args) => Head::Fails(*p, args.clone()),
                Formula::Equal(a, b) => Head::Different(a.clone(), b.clone()),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The head as a formula.
    #[must_use]
    pub fn formula(&self) -> Formula {
        match self {
            Head::Holds(p, args) => Formula::Atom(*p, args.clone()),
            Head::Fails(p, args) => !Formula::Atom(*p, args.clone()),
            Head::Equal(a, b) => Formula::equal(a, b),
            Head::Different(a, b) => !Formula::equal(a, b),
            Head::Never => Formula::FALSE,
        }
    }
}

impl Rule {
    /// The rule as text.
    #[must_use]
    pub fn describe(&self, vocabulary: &Vocabulary) -> String {
        let source = match &self.source {
            RuleSource::Written(place) => format!("written at {place}"),
            RuleSource::Contrapositive(place) => format!("contrapositive of the rule at {place}"),
            RuleSource::Property(p) => format!("from a property of `{}`", vocabulary.name(*p)),
            RuleSource::Definition(p) | RuleSource::Path(p) => {
                format!("from the definition of `{}`", vocabulary.name(*p))
            }
        };
        format!("{} ==> {}  ({source})", vocabulary.print(&self.body), vocabulary.print(&self.head.formula()))
    }
}

/// Which rules are derived from definitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Derivation {
    /// From definitions and properties.
    Automatic,
    /// From properties only.
    PropertiesOnly,
}

/// All rules of a vocabulary: the written ones, their contrapositives, and the derived ones. No rule occurs twice.
#[must_use]
pub fn rules(vocabulary: &Vocabulary, written: &[Rule], derivation: Derivation) -> Vec<Rule> {
    let mut collector = Collector { rules: Vec::new() };
    for predicate in vocabulary.predicates() {
        for property in &vocabulary.declaration(predicate).properties {
            collector.property(vocabulary, predicate, *property);
        }
    }
    for rule in written {
        collector.add(rule.body.clone(), rule.head.clone(), rule.source.clone());
    }
    if derivation == Derivation::Automatic {
        for rule in written {
            let place = match &rule.source {
                RuleSource::Written(place) => place.clone(),
                _ => String::new(),
            };
            collector.contrapositives(&rule.body, &rule.head, &RuleSource::Contrapositive(place));
        }
        for predicate in vocabulary.predicates() {
            if let Some(definition) = &vocabulary.declaration(predicate).definition {
                collector.definition(predicate, definition);
                collector.path(vocabulary, predicate, definition);
            }
        }
    }
    collector.rules
}

struct Collector {
    rules: Vec<Rule>,
}

fn variable(name: &str) -> Variable {
    Variable::new(name)
}

impl Collector {
    fn add(&mut self, body: Formula, head: Head, source: RuleSource) {
        let body = simplify(&body);
        let rule = Rule { body, head, source };
        let trivial = matches!(rule.body, Formula::Literal(Kleene::False));
        if !trivial && !self.rules.iter().any(|r| r.body == rule.body && r.head == rule.head) {
            self.rules.push(rule);
        }
    }

    fn literal(&mut self, body: Formula, head: &Formula, source: &RuleSource) {
        if let Some(head) = Head::from_formula(head) {
            self.add(body, head, source.clone());
        }
    }

    /// For every literal Lᵢ of a conjunctive body: E(…)(the others & !head) ==> !Lᵢ.
    fn contrapositives(&mut self, body: &Formula, head: &Head, source: &RuleSource) {
        let Some((_, conjuncts)) = existential_conjunction(body) else { return };
        let not_head = !head.formula();
        for (i, literal) in conjuncts.iter().enumerate() {
            let Some(conclusion) = Head::from_formula(&!literal.clone()) else { continue };
            let mut parts: Vec<Formula> =
                conjuncts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, f)| f.clone()).collect();
            parts.push(not_head.clone());
            let own = literal.free_variables();
            let mut bound: Vec<Variable> = Vec::new();
            for v in parts.iter().flat_map(|f| f.free_variables()) {
                if !own.contains(&v) && !bound.contains(&v) {
                    bound.push(v);
                }
            }
            self.add(Formula::exists(bound, Formula::And(parts)), conclusion, source.clone());
        }
    }

    fn definition(&mut self, predicate: Predicate, definition: &Definition) {
        let source = RuleSource::Definition(predicate);
        let args = definition.params.clone();
        let formula = simplify(&definition.formula);
        self.add(formula.clone(), Head::Holds(predicate, args.clone()), source.clone());
        self.add(!formula.clone(), Head::Fails(predicate, args.clone()), source.clone());
        for part in disjuncts(&negation_normal(&formula)) {
            self.contrapositives(&part, &Head::Holds(predicate, args.clone()), &source);
        }
        for part in disjuncts(&negation_normal(&!formula)) {
            self.contrapositives(&part, &Head::Fails(predicate, args.clone()), &source);
        }
    }

    fn property(&mut self, vocabulary: &Vocabulary, p: Predicate, property: Property) {
        let source = RuleSource::Property(p);
        let (a, b, c, v) = (variable("a"), variable("b"), variable("c"), variable("v"));
        let unary = |x: &Variable| Formula::atom(p, std::slice::from_ref(x));
        let binary = |x: &Variable, y: &Variable| Formula::atom(p, &[x.clone(), y.clone()]);
        let equal = Formula::equal(&a, &b);
        let at_most_one = |collector: &mut Collector, first: Formula, second: Formula, others: Vec<Variable>| {
            let both = Formula::and(first.clone(), second.clone());
            collector.literal(Formula::exists(others, both), &equal, &source);
            let other = Formula::and(first, !equal.clone());
            collector.literal(Formula::exists(vec![a.clone()], other), &!second, &source);
        };
        match property {
            Property::Unique => at_most_one(self, unary(&a), unary(&b), Vec::new()),
            Property::Function => at_most_one(self, binary(&v, &a), binary(&v, &b), vec![v.clone()]),
            Property::InverseFunction => at_most_one(self, binary(&a, &v), binary(&b, &v), vec![v.clone()]),
            Property::UniquePerComponent(q) => {
                let connected = Formula::path(q, Steps::ZeroOrMore, &a, &b);
                self.literal(Formula::And(vec![unary(&a), connected.clone(), unary(&b)]), &equal, &source);
                for (given, other, left) in [(&a, &b, unary(&a)), (&b, &a, unary(&b))] {
                    let body = Formula::And(vec![left, connected.clone(), !equal.clone()]);
                    self.literal(Formula::exists(vec![given.clone()], body), &!unary(other), &source);
                }
            }
            Property::Symmetric => {
                self.literal(binary(&a, &b), &binary(&b, &a), &source);
                self.literal(!binary(&a, &b), &!binary(&b, &a), &source);
            }
            Property::Antisymmetric => {
                self.literal(Formula::and(binary(&a, &b), binary(&b, &a)), &equal, &source);
                self.literal(Formula::and(binary(&a, &b), !equal.clone()), &!binary(&b, &a), &source);
            }
            Property::Reflexive => self.literal(Formula::TRUE, &binary(&a, &a), &source),
            Property::Antireflexive => self.literal(Formula::TRUE, &!binary(&a, &a), &source),
            Property::Transitive => {
                let path = Formula::and(binary(&a, &b), binary(&b, &c));
                let head = Head::Holds(p, vec![a.clone(), c.clone()]);
                let body = Formula::exists(vec![b.clone()], path);
                self.add(body.clone(), head.clone(), source.clone());
                self.contrapositives(&body, &head, &source);
            }
            Property::Acyclic => {
                self.literal(binary(&v, &v), &Formula::FALSE, &source);
                self.literal(Formula::TRUE, &!binary(&v, &v), &source);
                let cycle = Formula::path(p, Steps::OneOrMore, &v, &v);
                self.literal(cycle, &Formula::FALSE, &source);
                let back = Formula::path(p, Steps::ZeroOrMore, &b, &a);
                self.literal(back, &!binary(&a, &b), &source);
                if let Some(star) = reflexive_closure_of(vocabulary, p) {
                    let reach = |x: &Variable, y: &Variable| Formula::atom(star, &[x.clone(), y.clone()]);
                    self.literal(Formula::and(reach(&a, &b), reach(&b, &a)), &equal, &source);
                    self.literal(Formula::and(reach(&a, &b), !equal.clone()), &!reach(&b, &a), &source);
                    self.literal(reach(&b, &a), &!binary(&a, &b), &source);
                }
            }
        }
    }

    /// One step more along a path that a definition speaks of: what Kleene evaluation of the closure cannot see
    /// through summary individuals.
    fn path(&mut self, vocabulary: &Vocabulary, p: Predicate, definition: &Definition) {
        let source = RuleSource::Path(p);
        let formula = simplify(&definition.formula);
        let (a, b, c) = (variable("a"), variable("b"), variable("c"));
        if let (Some((f, start)), [_]) = (path_from(&formula, &definition.params), definition.params.as_slice()) {
            let at = |x: &Variable| Formula::atom(p, std::slice::from_ref(x));
            let edge = |x: &Variable, y: &Variable| Formula::atom(f, &[x.clone(), y.clone()]);
            let starts = |x: &Variable| start.formula.instantiate(&start.params, std::slice::from_ref(x));
            self.step_rule(&[at(&a), edge(&a, &b)], &Head::Holds(p, vec![b.clone()]), &source);
            // A reached individual that is not a start has a reached predecessor: the only candidate is one.
            let other = Formula::And(vec![!Formula::equal(&c, &a), at(&c), edge(&c, &b)]);
            let only = !Formula::exists(vec![c.clone()], other);
            let body = vec![at(&b), !starts(&b), only];
            self.add(Formula::And(body.clone()), Head::Holds(f, vec![a.clone(), b.clone()]), source.clone());
            self.add(
                Formula::exists(vec![b.clone()], Formula::And(body)),
                Head::Holds(p, vec![a.clone()]),
                source.clone(),
            );
            let none = !Formula::exists(vec![a.clone()], Formula::and(at(&a), edge(&a, &b)));
            self.add(Formula::and(!starts(&b), none), Head::Fails(p, vec![b.clone()]), source.clone());
        }
        if let Some((f, steps)) = closure_of(&formula, &definition.params) {
            let reach = |x: &Variable, y: &Variable| Formula::atom(p, &[x.clone(), y.clone()]);
            let edge = |x: &Variable, y: &Variable| Formula::atom(f, &[x.clone(), y.clone()]);
            self.step_rule(&[edge(&a, &b)], &Head::Holds(p, vec![a.clone(), b.clone()]), &source);
            self.step_rule(&[reach(&a, &b), edge(&b, &c)], &Head::Holds(p, vec![a.clone(), c.clone()]), &source);
            self.step_rule(&[edge(&a, &b), reach(&b, &c)], &Head::Holds(p, vec![a.clone(), c.clone()]), &source);
            self.step_rule(&[reach(&a, &b), reach(&b, &c)], &Head::Holds(p, vec![a.clone(), c.clone()]), &source);
            if steps == Steps::ZeroOrMore {
                self.add(Formula::TRUE, Head::Holds(p, vec![a.clone(), a.clone()]), source.clone());
            }
            let declaration = vocabulary.declaration(f);
            if declaration.has(Property::Function) {
                // Two individuals on the path from one: one comes before the other.
                let both = [reach(&a, &b), reach(&a, &c), !reach(&b, &c), !Formula::equal(&b, &c)];
                self.step_rule(&both, &Head::Holds(p, vec![c.clone(), b.clone()]), &source);
                if steps == Steps::ZeroOrMore {
                    let past = [reach(&a, &b), !Formula::equal(&a, &b), edge(&a, &c)];
                    self.step_rule(&past, &Head::Holds(p, vec![c.clone(), b.clone()]), &source);
                }
            }
        }
    }

    /// A rule from a conjunction, with its contrapositives; variables that the head lacks are quantified.
    fn step_rule(&mut self, parts: &[Formula], head: &Head, source: &RuleSource) {
        let body = Formula::And(parts.to_vec());
        let own = head.formula().free_variables();
        let bound: Vec<Variable> = body.free_variables().into_iter().filter(|v| !own.contains(v)).collect();
        self.add(Formula::exists(bound, body.clone()), head.clone(), source.clone());
        self.contrapositives(&body, head, source);
    }
}

/// The formulas of which `formula` is the disjunction.
fn disjuncts(formula: &Formula) -> Vec<Formula> {
    match formula {
        Formula::Or(parts) => parts.iter().flat_map(disjuncts).collect(),
        other => vec![other.clone()],
    }
}

/// Recognises `E(u) (start(u) & f*(u, v))`: the field, and where paths start.
#[must_use]
pub fn path_from(formula: &Formula, params: &[Variable]) -> Option<(Predicate, Definition)> {
    let [param] = params else { return None };
    let Formula::Exists(vs, body) = formula else { return None };
    let ([u], Formula::And(parts)) = (vs.as_slice(), &**body) else { return None };
    let at = parts.iter().position(
        |f| matches!(f, Formula::Closure { steps: Steps::ZeroOrMore, from, to, .. } if from == u && to == param),
    )?;
    let f = field_of(&parts[at])?;
    let start: Vec<Formula> = parts.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, f)| f.clone()).collect();
    let start = Formula::And(start);
    (!start.mentions(param)).then(|| (f, Definition { params: vec![u.clone()], formula: start }))
}

/// Recognises `f*(v, w)` and `f+(v, w)` with the parameters in order.
#[must_use]
pub fn closure_of(formula: &Formula, params: &[Variable]) -> Option<(Predicate, Steps)> {
    let Formula::Closure { steps, from, to, .. } = formula else { return None };
    (params == [from.clone(), to.clone()]).then_some(())?;
    Some((field_of(formula)?, *steps))
}

/// The binary predicate whose closure a formula is.
#[must_use]
pub fn field_of(formula: &Formula) -> Option<Predicate> {
    let Formula::Closure { left, right, step, .. } = formula else { return None };
    match &**step {
        Formula::Atom(f, args) if *args == [left.clone(), right.clone()] => Some(*f),
        _ => None,
    }
}

/// The declared predicate that is defined as `p*`.
fn reflexive_closure_of(vocabulary: &Vocabulary, p: Predicate) -> Option<Predicate> {
    vocabulary.predicates().find(|q| {
        let definition = vocabulary.declaration(*q).definition.as_ref();
        definition.is_some_and(|d| closure_of(&simplify(&d.formula), &d.params) == Some((p, Steps::ZeroOrMore)))
    })
}
