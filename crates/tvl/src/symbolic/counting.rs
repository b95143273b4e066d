//! Counting edges: what excludes a cell because heaps are finite.
//!
//! Let `f` be functional and let `q` mean "two different individuals have an f-edge here". The individuals of abstract
//! individuals with q = 1, taken together as T, need two edges each, and every individual has one edge to give. So twice
//! the number of individuals in T is at most the number of those that may point into T. With a, b the numbers of those
//! in T and outside of T: |T| + |T without sources| ≤ b. A summary that only its own individuals point to breaks this
//! (2N ≤ N), although no finite part of it shows why, and infinite structures satisfy all rules.

use super::cell::Cell;
use super::characteristic::Fact;
use crate::structure::{Mask, members};
use crate::vocabulary::{Arity, Property, SUMMARY, Vocabulary};
use heapwise_logic::{Formula, Kleene, Predicate};

/// A predicate that says "two different individuals have an edge here", and the functional predicate whose edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sharing {
    shared: Predicate,
    field: Predicate,
}

/// Sets of shared individuals are looked at one by one up to this many.
const MOST_SHARED: usize = 8;

/// The predicates of a vocabulary that count edges.
pub(super) fn sharings(vocabulary: &Vocabulary) -> Vec<Sharing> {
    let of = |p: Predicate| Some(Sharing { shared: p, field: counted_field(vocabulary, p)? });
    vocabulary.predicates().filter_map(of).collect()
}

/// The field f of a definition `E(a, b) (a != b & f(a, v) & f(b, v))`.
fn counted_field(vocabulary: &Vocabulary, p: Predicate) -> Option<Predicate> {
    let definition = vocabulary.declaration(p).definition.as_ref()?;
    let [v] = definition.params.as_slice() else { return None };
    let Formula::Exists(vs, body) = &definition.formula else { return None };
    let ([a, b], Formula::And(_)) = (vs.as_slice(), &**body) else { return None };
    let mut parts = Vec::new();
    conjuncts(body, &mut parts);
    let different = |f: &Formula| {
        let Formula::Not(inner) = f else { return false };
        **inner == Formula::equal(a, b) || **inner == Formula::equal(b, a)
    };
    let edge = |f: &Formula| match f {
        Formula::Atom(field, args) if args.len() == 2 && args[1] == *v => Some((*field, args[0].clone())),
        _ => None,
    };
    let edges: Vec<_> = parts.iter().filter_map(|f| edge(f)).collect();
    let [(first, from), (second, other)] = edges.as_slice() else { return None };
    let both = first == second && [(a, b), (b, a)].contains(&(from, other));
    let counted = parts.len() == 3 && both && parts.iter().any(|f| different(f));
    (counted && vocabulary.declaration(*first).has(Property::Function)).then_some(*first)
}

fn conjuncts<'f>(formula: &'f Formula, parts: &mut Vec<&'f Formula>) {
    match formula {
        Formula::And(inner) => inner.iter().for_each(|f| conjuncts(f, parts)),
        other => parts.push(other),
    }
}

/// Whether one individual surely has two edges of a functional predicate. That follows from functionality alone, but it
/// is seen here at once.
pub(super) fn too_many_successors(cell: &Cell, vocabulary: &Vocabulary) -> bool {
    let structure = &cell.structure;
    let single = structure.active().must & !structure.summaries();
    vocabulary.predicates().any(|p| {
        let declaration = vocabulary.declaration(p);
        let sure = |u: usize, w: usize| is_sure(cell, vocabulary, p, [u, w]);
        let all = structure.active().must;
        declaration.has(Property::Function) && members(single).any(|u| members(all).filter(|w| sure(u, *w)).count() > 1)
            || declaration.has(Property::InverseFunction)
                && members(single).any(|w| members(all).filter(|u| sure(*u, w)).count() > 1)
    })
}

/// Whether some of the individuals of a pair surely have an edge.
fn is_sure(cell: &Cell, vocabulary: &Vocabulary, field: Predicate, pair: [usize; 2]) -> bool {
    let fact = Fact { predicate: field, tuple: pair.to_vec() };
    cell.structure.get(vocabulary.slot(field), &pair) == Kleene::True || cell.both.binary_search(&fact).is_ok()
}

/// Whether counting shows that there is no finite structure in the cell.
pub(super) fn excludes(sharing: Sharing, cell: &Cell, vocabulary: &Vocabulary) -> bool {
    let structure = &cell.structure;
    let exist = structure.active().must;
    debug_assert_eq!(vocabulary.slot(sharing.shared).arity, Arity::Unary);
    let shared = structure.unary(vocabulary.slot(sharing.shared).index).must & exist;
    if too_many_edges(sharing, cell, vocabulary) {
        return true;
    }
    if shared == 0 || shared.count_ones() as usize > MOST_SHARED {
        return false;
    }
    let list: Vec<usize> = members(shared).collect();
    (1u32..1 << list.len()).any(|subset| {
        let target: Mask =
            list.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1).fold(0, |t, (_, u)| t | 1 << u);
        too_few_edges(sharing.field, cell, vocabulary, target)
    })
}

/// Whether edges surely meet in one individual that is not shared.
fn too_many_edges(sharing: Sharing, cell: &Cell, vocabulary: &Vocabulary) -> bool {
    let structure = &cell.structure;
    let not_shared = !structure.unary(vocabulary.slot(sharing.shared).index).may;
    members(structure.active().must & not_shared & !structure.summaries()).any(|w| {
        members(structure.active().must).filter(|u| is_sure(cell, vocabulary, sharing.field, [*u, w])).count() > 1
    })
}

fn too_few_edges(field: Predicate, cell: &Cell, vocabulary: &Vocabulary, target: Mask) -> bool {
    let structure = &cell.structure;
    let slot = vocabulary.slot(field);
    let several = |u: usize| structure.summaries() >> u & 1 == 1;
    let at_least = |u: usize| -> i64 {
        let two = cell.both.binary_search(&Fact { predicate: Predicate::new(SUMMARY), tuple: vec![u] }).is_ok();
        if two { 2 } else { 1 }
    };
    // An individual of u surely has its edge to somewhere outside of the target.
    let one_goes_elsewhere =
        |u: usize| members(structure.active().must & !target).any(|w| is_sure(cell, vocabulary, field, [u, w]));
    let (mut needed, mut available) = (0, 0);
    for u in members(structure.active().may) {
        let inside = target >> u & 1 == 1;
        let is_source = structure.row(slot.index, u).may & target != 0;
        let lost = i64::from(is_source && one_goes_elsewhere(u));
        match (inside, is_source) {
            // N needed twice, N given back at most.
            (true, true) => needed += at_least(u) + lost,
            (true, false) => needed += 2 * at_least(u),
            (false, true) if several(u) => return false,
            (false, true) => available += 1 - lost,
            (false, false) => {}
        }
    }
    needed > available
}
