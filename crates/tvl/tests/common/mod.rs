//! Random structures over the vocabularies of our specifications.

#![allow(dead_code, reason = "each test file uses its part")]

use heapwise_logic::Kleene;
use heapwise_logic::evaluate::{Assignment, evaluate};
use heapwise_tvl::action::{Action, Differencing, Framework};
use heapwise_tvl::blur::Abstraction;
use heapwise_tvl::coerce::Constraints;
use heapwise_tvl::rules::{Derivation, rules};
use heapwise_tvl::structure::{Structure, View};
use heapwise_tvl::tables::Tables;
use heapwise_tvl::tvp::preprocess::NoFiles;
use heapwise_tvl::tvp::{self, Specification};
use heapwise_tvl::vocabulary::{ACTIVE, Arity, NEW, PredicateIndex, Property, SUMMARY, Vocabulary};
use proptest::prelude::*;

/// How many cases a law is tried on: `HEAPWISE_LAW_CASES` makes it a long run.
pub fn cases(few: u32) -> ProptestConfig {
    let cases = std::env::var("HEAPWISE_LAW_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(few);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// A specification with its actions, compiled twice: with the rules, and without any.
pub struct Analysis {
    pub specification: Specification,
    pub framework: Framework,
    pub actions: Vec<Action>,
    /// No rules: updates stand alone.
    pub bare: Framework,
}

impl Analysis {
    pub fn new(text: &str) -> Analysis {
        let specification = tvp::parse("test.tvp", text, &NoFiles, &[]).unwrap();
        let vocabulary = specification.vocabulary.clone();
        let framework = |rules| Framework {
            constraints: Constraints::new(&vocabulary, rules),
            abstraction: Abstraction::new(&vocabulary),
            vocabulary: vocabulary.clone(),
            differencing: Differencing::Derived,
        };
        let bare = framework(Vec::new());
        let framework = framework(rules(&vocabulary, &specification.rules, Derivation::Automatic));
        let actions = specification.edges.iter().map(|e| Action::new(&framework, &e.action)).collect();
        Analysis { specification, framework, actions, bare }
    }

    pub fn vocabulary(&self) -> &Vocabulary {
        &self.framework.vocabulary
    }

    /// Whether a concrete structure satisfies every rule.
    pub fn admits(&self, concrete: &Structure) -> bool {
        let mut copy = concrete.clone();
        let everything = self.framework.constraints.everything();
        self.framework.constraints.coerce(&mut copy, everything, &mut Tables::new()).is_ok()
    }
}

/// Singly linked lists over x, y, z with every statement once.
pub fn lists() -> Analysis {
    let list = include_str!("../../../../tests/tvp/lists/list.tvp");
    let edges = "a Set_Null(x) a  a Copy(x, y) a  a Get_Next(x, y) a  a Get_Next(x, x) a  a Set_Next_Null(x) a
        a Set_Next(x, y) a  a Set_Next(x, x) a  a New(x) a  a Free(x) a";
    Analysis::new(&format!("%s PVars {{x, y, z}}\n{list}\n{edges}"))
}

/// Sorted lists over x, y with every statement once.
pub fn sorted() -> Analysis {
    let text = include_str!("../../../../tests/tvp/sorted/sorted.tvp");
    let edges = "a Copy(x, y) a  a Get_Next(x, y) a  a Set_Next_Null(x) a  a Set_Next(x, y) a  a New(x) a";
    Analysis::new(&format!("%s PVars {{x, y}}\n{text}\n{edges}"))
}

/// Doubly linked lists over x, y with every statement once.
pub fn doubly() -> Analysis {
    let text = include_str!("../../../../tests/tvp/doubly/doubly.tvp");
    let edges = "a Copy(x, y) a  a Get(x, y, f) a  a Get(x, x, b) a  a Put_Null(x, f) a  a Put(x, b, y) a
        a Put(x, f, x) a  a New(x) a  a Free(x) a";
    Analysis::new(&format!("%s PVars {{x, y}}\n{text}\n{edges}"))
}

/// Trees over x, y with every statement once.
pub fn trees() -> Analysis {
    let text = include_str!("../../../../tests/tvp/trees/tree.tvp");
    let edges = "a Copy(x, y) a  a Get(x, y, left) a  a Put_Null(x, right) a  a Put(x, left, y) a  a New(x) a
        a Free(x) a";
    Analysis::new(&format!("%s PVars {{x, y}}\n{text}\n{edges}"))
}

const CLOSED_LIST: &str = r#"
foreach (z in PVars) { %p z(v) unique pointer }
%p n(v, w) function acyclic
%i is[n](v) = E(u, w) (u != w & n(u, v) & n(w, v))
%i t[n](v, w) = n*(v, w) transitive reflexive
foreach (z in PVars) { %i r[n,z](v) = E(u) (z(u) & t[n](u, v)) }
%r !t[n](v, w) ==> !n(v, w)
%r !t[n](v, w) ==> v != w
%r E(u) (t[n](u, v) & t[n](u, w) & !t[n](v, w)) ==> t[n](w, v)
%%
%action Set_Null(x) { %t x + " = NULL" { x(v) = 0 } }
%action Copy(x, y) { %t x + " = " + y { x(v) = y(v) } }
%action Get_Next(x, y) { %t x + " = " + y + "->n" %f { E(u) y(u) & n(u, v) } { x(v) = E(u) y(u) & n(u, v) } }
%action Set_Next_Null(x) { %t x + "->n = NULL" { n(v, w) = n(v, w) & !x(v) } }
%action Set_Next(x, y) { %t x + "->n = " + y { n(v, w) = n(v, w) | x(v) & y(w) } }
%action New(x) { %t x + " = malloc()" %new { x(v) = isNew(v) } }
%action Free(x) { %t "free(" + x + ")" %retain !x(v) }
%%
a Set_Null(x) a  a Copy(x, y) a  a Get_Next(x, y) a  a Get_Next(x, x) a  a Set_Next_Null(x) a  a Set_Next(x, y) a
a New(x) a  a Free(x) a
"#;

/// Acyclic lists over x, y, z whose reachability is told by the closure of the field.
pub fn closed_lists() -> Analysis {
    Analysis::new(&format!("%s PVars {{x, y, z}}\n{CLOSED_LIST}"))
}

/// Lists over x, y, z, cyclic ones too, with the paths of one or more steps.
pub fn walks() -> Analysis {
    let text = CLOSED_LIST.replace("function acyclic", "function").replace(
        "%i t[n](v, w) = n*(v, w) transitive reflexive",
        "%i t[n](v, w) = n*(v, w)\n%i c[n](v) = n+(v, v)\n%i p[n](v, w) = n+(v, w)",
    );
    Analysis::new(&format!("%s PVars {{x, y, z}}\n{text}"))
}

const CLOSED_TREE: &str = r#"
%s Fields {left, right}
foreach (z in PVars) { %p z(v) unique pointer }
foreach (s in Fields) { %p s(v, w) function invfunction }
%i down(v, w) = |/{ s(v, w) : s in Fields } invfunction acyclic
%i downStar(v, w) = down*(v, w) transitive reflexive antisymmetric
foreach (z in PVars) { %i r[z](v) = E(u) (z(u) & downStar(u, v)) }
%r left(v, w) ==> !right(v, w)
%r right(v, w) ==> !left(v, w)
%%
%action Copy(x, y) { %t x + " = " + y { x(v) = y(v) } }
%action Get(x, y, s) { %t x + " = " + y + "->" + s %f { E(u) y(u) & s(u, v) } { x(v) = E(u) y(u) & s(u, v) } }
%action Put_Null(x, s) { %t x + "->" + s + " = NULL" { s(v, w) = s(v, w) & !x(v) } }
%action Put(x, s, y) { %t x + "->" + s + " = " + y { s(v, w) = s(v, w) | x(v) & y(w) } }
%action New(x) { %t x + " = malloc()" %new { x(v) = isNew(v) } }
%action Free(x) { %t "free(" + x + ")" %retain !x(v) }
%%
a Copy(x, y) a  a Get(x, y, left) a  a Put_Null(x, right) a  a Put(x, left, y) a  a New(x) a  a Free(x) a
"#;

/// Trees over x, y, z whose reachability is told by the closure of the union of their fields.
pub fn closed_trees() -> Analysis {
    Analysis::new(&format!("%s PVars {{x, y, z}}\n{CLOSED_TREE}"))
}

/// Choices from which a structure is built.
pub type Choices = Vec<u8>;

pub fn choices() -> impl Strategy<Value = Choices> {
    prop::collection::vec(any::<u8>(), 160)
}

pub struct Chooser<'a> {
    choices: &'a [u8],
    next: usize,
}

impl<'a> Chooser<'a> {
    pub fn new(choices: &'a [u8]) -> Chooser<'a> {
        Chooser { choices, next: 0 }
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.next += 1;
        usize::from(self.choices[self.next % self.choices.len()]) % n
    }
}

/// A concrete structure: core predicates at random (within `unique` and `function`), the others by definition.
pub fn concrete(vocabulary: &Vocabulary, chooser: &mut Chooser<'_>) -> Structure {
    let n = 1 + chooser.below(5);
    let mut s = Structure::new(vocabulary.layout(), n);
    for p in vocabulary.predicates() {
        let slot = vocabulary.slot(p);
        let declaration = vocabulary.declaration(p);
        if declaration.definition.is_some() || slot.arity == Arity::Unary && slot.index <= NEW {
            continue;
        }
        match slot.arity {
            Arity::Nullary => s.set(slot, &[], Kleene::from(chooser.below(2) == 1)),
            Arity::Unary if declaration.has(Property::Unique) => {
                let at = chooser.below(n + 1);
                if at < n {
                    s.set(slot, &[at], Kleene::True);
                }
            }
            Arity::Unary => (0..n).for_each(|u| s.set(slot, &[u], Kleene::from(chooser.below(2) == 1))),
            Arity::Binary if declaration.has(Property::Function) => {
                for u in 0..n {
                    let at = chooser.below(n + 1);
                    // Forward only, so that enough of them are acyclic.
                    if at < n && (at > u || !declaration.has(Property::Acyclic)) {
                        s.set(slot, &[u, at], Kleene::True);
                    }
                }
            }
            Arity::Binary if declaration.has(Property::Transitive) => {
                // A total preorder, by a rank for each.
                let rank: Vec<usize> = (0..n).map(|_| chooser.below(3)).collect();
                for u in 0..n {
                    (0..n).for_each(|v| s.set(slot, &[u, v], Kleene::from(rank[u] <= rank[v])));
                }
            }
            Arity::Binary => {
                for u in 0..n {
                    (0..n).for_each(|v| s.set(slot, &[u, v], Kleene::from(chooser.below(3) == 0)));
                }
            }
        }
    }
    define(vocabulary, &mut s);
    s
}

/// Gives every instrumentation predicate the value of its definition.
pub fn define(vocabulary: &Vocabulary, s: &mut Structure) {
    for p in vocabulary.predicates() {
        if let Some(definition) = &vocabulary.declaration(p).definition {
            for tuple in tuples(s.size(), definition.params.len()) {
                let mut assignment = Assignment::new();
                definition.params.iter().zip(&tuple).for_each(|(v, u)| assignment.push(v, *u));
                let value = evaluate(&definition.formula, &View { structure: s, vocabulary }, &mut assignment);
                s.set(vocabulary.slot(p), &tuple, value);
            }
        }
    }
}

pub fn tuples(n: usize, arity: usize) -> Vec<Vec<usize>> {
    match arity {
        0 => vec![Vec::new()],
        1 => (0..n).map(|u| vec![u]).collect(),
        _ => (0..n).flat_map(|u| (0..n).map(move |v| vec![u, v])).collect(),
    }
}

/// An abstraction of `s` and the class of each individual: individuals merged at random, values weakened at random.
pub fn weakened(vocabulary: &Vocabulary, s: &Structure, chooser: &mut Chooser<'_>) -> (Structure, Vec<usize>) {
    let wanted = 1 + chooser.below(s.size().max(1));
    let mut class: Vec<usize> = (0..s.size()).map(|_| chooser.below(wanted)).collect();
    let mut used: Vec<usize> = class.clone();
    used.sort_unstable();
    used.dedup();
    class.iter_mut().for_each(|c| *c = used.iter().position(|u| u == c).unwrap_or(0));
    let masks: Vec<u64> = (0..used.len())
        .map(|c| class.iter().enumerate().filter(|(_, k)| **k == c).fold(0, |mask, (u, _)| mask | 1 << u))
        .collect();
    let mut abstracted = s.quotient(&masks);
    for p in vocabulary.predicates() {
        let slot = vocabulary.slot(p);
        let reserved = slot.arity == Arity::Unary && [ACTIVE, NEW, SUMMARY].contains(&slot.index);
        for tuple in tuples(abstracted.size(), slot.arity.count()) {
            if !reserved && chooser.below(6) == 0 {
                abstracted.set(slot, &tuple, Kleene::Unknown);
            }
        }
    }
    (abstracted, class)
}

/// The first value of `concrete` that `abstracted` does not cover, under the map `class`.
pub fn uncovered(
    vocabulary: &Vocabulary,
    concrete: &Structure,
    abstracted: &Structure,
    class: &[usize],
) -> Option<String> {
    for p in vocabulary.predicates() {
        let slot = vocabulary.slot(p);
        if slot.arity == Arity::Unary && [ACTIVE, SUMMARY].contains(&slot.index) {
            continue;
        }
        for tuple in tuples(concrete.size(), slot.arity.count()) {
            let image: Vec<usize> = tuple.iter().map(|u| class[*u]).collect();
            let (value, cover) = (concrete.get(slot, &tuple), abstracted.get(slot, &image));
            if !value.is_covered_by(cover) {
                return Some(format!("{}{tuple:?} is {value}, but {cover} on {image:?}", vocabulary.name(p)));
            }
        }
    }
    let single =
        |c: usize| abstracted.get(PredicateIndex { arity: Arity::Unary, index: SUMMARY }, &[c]) == Kleene::False;
    (0..abstracted.size())
        .find(|c| single(*c) && class.iter().filter(|k| *k == c).count() > 1)
        .map(|c| format!("{c} stands for several individuals but is no summary"))
}
