//! What claims ask about: links of cells, now and at the start of the call; all cells, or those that are reached.

use super::super::slots::{Slot, Slots};
use super::formula::Names;
use heapwise_cells::contract::{CellClaim, CellContract, CellTerm, ContractClause};
use heapwise_cells::program::KindId;
use heapwise_ir::ShapeKind;
use heapwise_ir::claim::Quantifier;

/// Of which cells a formula speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Of those that are reached from what it names.
    Reached,
    /// Of all.
    All,
}

/// Which links of the start of a call are remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Those that claims ask about when the call has returned.
    Later,
    /// Those too that it requires something of.
    AtAll,
}

/// When a term is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Time {
    Then,
    Now,
}

/// The links of pointers with a name that claims ask about as they were when the call started; a link behind a link comes
/// after it.
pub fn old_links(contract: &CellContract, asked: Asked) -> Vec<CellTerm> {
    let mut found = Vec::new();
    let mut visit = |term: &CellTerm, time: Time| {
        let term = timeless(term);
        if time == Time::Then && is_named(&term) && !found.contains(&term) {
            found.push(term);
        }
    };
    let before = contract.requires.iter().filter(|_| asked == Asked::AtAll);
    before.for_each(|clause| for_each_link(&clause.claim, Time::Then, &mut visit));
    contract.ensures.iter().for_each(|clause| for_each_link(&clause.claim, Time::Now, &mut visit));
    found
}

/// The links that claims ask about when the call returns, of cells that slots point to.
pub(super) fn links_now(contract: &CellContract, names: &Names, slots: &Slots) -> Vec<(Slot, KindId, usize)> {
    let mut found = Vec::new();
    let mut visit = |term: &CellTerm, time: Time| {
        let CellTerm::Link(base, kind, link) = term else { return };
        let base = match &**base {
            CellTerm::Result => names.result,
            CellTerm::Old(base) => names.slot_then(slots, &timeless(base)),
            CellTerm::Parameter(_) | CellTerm::Global(_) => names.slot_then(slots, base),
            CellTerm::Null | CellTerm::Bound(_) | CellTerm::Link(..) => None,
        };
        let asked = base.map(|base| (base, *kind, *link));
        found.extend(asked.filter(|asked| time == Time::Now && !found.contains(asked)));
    };
    contract.ensures.iter().for_each(|clause| for_each_link(&clause.claim, Time::Now, &mut visit));
    found
}

/// The link of a quantified cell that a claim says to be what it was.
pub fn unchanged_link(left: &CellTerm, right: &CellTerm) -> Option<(u32, KindId, usize)> {
    let (now, then) = match (left, right) {
        (now, CellTerm::Old(then)) | (CellTerm::Old(then), now) => (now, &**then),
        _ => return None,
    };
    match (now, then) {
        (CellTerm::Link(base, kind, link), CellTerm::Link(..)) if now == then => match **base {
            CellTerm::Bound(variable) => Some((variable, *kind, *link)),
            _ => None,
        },
        _ => None,
    }
}

/// The pointers that clauses say to be doubly linked, whatever else they say, with the links.
pub fn two_way_terms(clauses: &[ContractClause]) -> Vec<(CellTerm, KindId, Vec<usize>)> {
    fn visit(claim: &CellClaim, found: &mut Vec<(CellTerm, KindId, Vec<usize>)>) {
        match claim {
            CellClaim::And(claims) => claims.iter().for_each(|claim| visit(claim, found)),
            CellClaim::Shape { kind: ShapeKind::DoublyLinked, arguments, cell, links } => {
                found.extend(arguments.iter().map(|term| (term.clone(), *cell, links.clone())));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    clauses.iter().for_each(|clause| visit(&clause.claim, &mut found));
    found
}

/// Whether some claim says that links of quantified cells are what they were.
pub fn speaks_of_unchanged_links(claim: &CellClaim) -> bool {
    match claim {
        CellClaim::Equal(left, right) => unchanged_link(left, right).is_some(),
        CellClaim::Constant(_) | CellClaim::Shape { .. } | CellClaim::Fresh(_) | CellClaim::Freed(_) => false,
        CellClaim::Not(claim) | CellClaim::Quantified { body: claim, .. } | CellClaim::Old(claim) => {
            speaks_of_unchanged_links(claim)
        }
        CellClaim::And(claims) | CellClaim::Or(claims) => claims.iter().any(speaks_of_unchanged_links),
        CellClaim::Iff(left, right) => speaks_of_unchanged_links(left) || speaks_of_unchanged_links(right),
    }
}

/// Whether a function ensures that every link of every cell it can reach is what it was. Then no cell is fresh either,
/// nor freed: the links of such equal nothing.
pub(super) fn changes_nothing(contract: &CellContract, n_links: impl Fn(KindId) -> usize) -> bool {
    let mut kept = Vec::new();
    for clause in &contract.ensures {
        kept_links(&clause.claim, None, &mut kept);
    }
    contract
        .kinds
        .iter()
        .all(|kind| n_links(*kind) > 0 && (0..n_links(*kind)).all(|link| kept.contains(&(*kind, link))))
}

fn kept_links(claim: &CellClaim, bound: Option<(u32, KindId)>, kept: &mut Vec<(KindId, usize)>) {
    match claim {
        CellClaim::And(claims) => claims.iter().for_each(|claim| kept_links(claim, bound, kept)),
        CellClaim::Quantified { quantifier: Quantifier::ForAll, variable, cell, body } => {
            kept_links(body, Some((*variable, *cell)), kept);
        }
        CellClaim::Equal(left, right) => {
            if let Some((variable, kind, link)) = unchanged_link(left, right)
                && bound == Some((variable, kind))
            {
                kept.push((kind, link));
            }
        }
        _ => {}
    }
}

/// Whether a link is that of a parameter or a global, or behind one.
fn is_named(term: &CellTerm) -> bool {
    match term {
        CellTerm::Parameter(_) | CellTerm::Global(_) => true,
        CellTerm::Link(base, ..) => is_named(base),
        CellTerm::Null | CellTerm::Result | CellTerm::Bound(_) | CellTerm::Old(_) => false,
    }
}

/// A term of which it is said elsewhere when it is looked at.
pub fn timeless(term: &CellTerm) -> CellTerm {
    match term {
        CellTerm::Old(term) => timeless(term),
        CellTerm::Link(base, kind, link) => CellTerm::Link(Box::new(timeless(base)), *kind, *link),
        other => other.clone(),
    }
}

/// Calls `visit` with all links of a claim, inner ones first.
fn for_each_link(claim: &CellClaim, time: Time, visit: &mut impl FnMut(&CellTerm, Time)) {
    match claim {
        CellClaim::Constant(_) => {}
        CellClaim::Equal(left, right) => {
            links_of_term(left, time, visit);
            links_of_term(right, time, visit);
        }
        CellClaim::Shape { arguments, .. } => arguments.iter().for_each(|term| links_of_term(term, time, visit)),
        CellClaim::Fresh(term) | CellClaim::Freed(term) => links_of_term(term, time, visit),
        CellClaim::Not(claim) | CellClaim::Quantified { body: claim, .. } => for_each_link(claim, time, visit),
        CellClaim::And(claims) | CellClaim::Or(claims) => {
            claims.iter().for_each(|claim| for_each_link(claim, time, visit));
        }
        CellClaim::Iff(left, right) => {
            for_each_link(left, time, visit);
            for_each_link(right, time, visit);
        }
        CellClaim::Old(claim) => for_each_link(claim, Time::Then, visit),
    }
}

fn links_of_term(term: &CellTerm, time: Time, visit: &mut impl FnMut(&CellTerm, Time)) {
    match term {
        CellTerm::Old(term) => links_of_term(term, Time::Then, visit),
        CellTerm::Link(base, ..) => {
            links_of_term(base, time, visit);
            visit(term, time);
        }
        CellTerm::Null | CellTerm::Parameter(_) | CellTerm::Global(_) | CellTerm::Result | CellTerm::Bound(_) => {}
    }
}

/// Shapes speak of what is reached from their pointers: only quantifiers range over all cells.
pub(super) fn extent(claim: &CellClaim) -> Extent {
    let all = |claims: &[CellClaim]| claims.iter().any(|claim| extent(claim) == Extent::All);
    let is_all = match claim {
        CellClaim::Quantified { .. } => true,
        CellClaim::Constant(_)
        | CellClaim::Equal(..)
        | CellClaim::Shape { .. }
        | CellClaim::Fresh(_)
        | CellClaim::Freed(_) => false,
        CellClaim::Not(claim) | CellClaim::Old(claim) => extent(claim) == Extent::All,
        CellClaim::And(claims) | CellClaim::Or(claims) => all(claims),
        CellClaim::Iff(left, right) => extent(left) == Extent::All || extent(right) == Extent::All,
    };
    if is_all { Extent::All } else { Extent::Reached }
}
