//! What claims say of the start of a call, in as few values as possible.
//!
//! Every value of the start that a claim asks about is a predicate, and cells that differ in one are told apart. So
//! `old(reach(a, v)) || old(reach(b, v))` is asked as `old(reach(a, v) || reach(b, v))`.
//!
//! *Law.* A cell that did not exist then is in none of these predicates. Of such a cell every claim that is not made of
//! others is false then, as nothing led to it; so `old` is moved inwards over `!` first, and encloses together
//! only what is false of it.

use heapwise_cells::contract::{CellClaim, CellTerm};

/// When a claim is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Time {
    Then,
    Now,
}

/// The same claim with few values of the start.
pub(super) fn with_few_olds(claim: &CellClaim) -> CellClaim {
    grouped(moved_inwards(claim, Time::Now))
}

/// Whether a value of the start may hold of a cell that did not exist then.
pub(super) fn may_hold_of_unborn(claim: &CellClaim) -> bool {
    !claim.bound_variables().is_empty() && !fails_for_unborn(&CellClaim::Old(Box::new(claim.clone())))
}

fn moved_inwards(claim: &CellClaim, time: Time) -> CellClaim {
    let inner = |claim: &CellClaim| moved_inwards(claim, time);
    match claim {
        CellClaim::Old(claim) => moved_inwards(claim, Time::Then),
        CellClaim::Not(claim) => CellClaim::Not(Box::new(inner(claim))),
        CellClaim::And(claims) => CellClaim::And(claims.iter().map(inner).collect()),
        CellClaim::Or(claims) => CellClaim::Or(claims.iter().map(inner).collect()),
        CellClaim::Iff(left, right) => CellClaim::Iff(Box::new(inner(left)), Box::new(inner(right))),
        CellClaim::Quantified { quantifier, variable, cell, body } if time == Time::Now => CellClaim::Quantified {
            quantifier: *quantifier,
            variable: *variable,
            cell: *cell,
            body: Box::new(inner(body)),
        },
        CellClaim::Constant(_) | CellClaim::Equal(CellTerm::Bound(_), CellTerm::Bound(_)) => claim.clone(),
        leaf if time == Time::Then => CellClaim::Old(Box::new(leaf.clone())),
        leaf => leaf.clone(),
    }
}

fn grouped(claim: CellClaim) -> CellClaim {
    let inner = |claim: Box<CellClaim>| Box::new(grouped(*claim));
    match claim {
        CellClaim::Not(claim) => CellClaim::Not(inner(claim)),
        CellClaim::Iff(left, right) => CellClaim::Iff(inner(left), inner(right)),
        CellClaim::Quantified { quantifier, variable, cell, body } => {
            CellClaim::Quantified { quantifier, variable, cell, body: inner(body) }
        }
        CellClaim::And(claims) => {
            let claims: Vec<CellClaim> = claims.into_iter().map(grouped).collect();
            // One part that is false of an unborn cell makes all false.
            let group = |part: &CellClaim, variable| is_about(part, variable) && then(part).is_some();
            together(claims, group, |parts| parts.iter().any(fails_for_unborn), CellClaim::And)
        }
        CellClaim::Or(claims) => {
            let claims: Vec<CellClaim> = claims.into_iter().map(grouped).collect();
            let group =
                |part: &CellClaim, variable| is_about(part, variable) && then(part).is_some() && fails_for_unborn(part);
            together(claims, group, |_| true, CellClaim::Or)
        }
        leaf => leaf,
    }
}

/// Puts those parts together that are about one variable, if they say anything of the start.
fn together(
    claims: Vec<CellClaim>,
    group: impl Fn(&CellClaim, u32) -> bool,
    is_false_of_unborn: impl Fn(&[CellClaim]) -> bool,
    connect: fn(Vec<CellClaim>) -> CellClaim,
) -> CellClaim {
    let mut rest = claims;
    let mut variables: Vec<u32> = rest.iter().flat_map(CellClaim::bound_variables).collect();
    variables.sort_unstable();
    variables.dedup();
    for variable in variables {
        let (parts, others): (Vec<CellClaim>, Vec<CellClaim>) =
            rest.into_iter().partition(|part| group(part, variable));
        rest = others;
        let is_old = parts.iter().any(|part| matches!(part, CellClaim::Old(_)));
        if parts.len() > 1 && is_old && is_false_of_unborn(&parts) {
            let parts = parts.iter().filter_map(then).collect();
            rest.push(CellClaim::Old(Box::new(connect(parts))));
        } else {
            rest.extend(parts);
        }
    }
    match <[CellClaim; 1]>::try_from(rest) {
        Ok([one]) => one,
        Err(rest) => connect(rest),
    }
}

fn is_about(claim: &CellClaim, variable: u32) -> bool {
    claim.bound_variables() == [variable]
}

/// The claim as one about the start, for cells that existed then.
fn then(claim: &CellClaim) -> Option<CellClaim> {
    let all = |claims: &[CellClaim]| claims.iter().map(then).collect::<Option<Vec<CellClaim>>>();
    match claim {
        CellClaim::Old(claim) => Some((**claim).clone()),
        CellClaim::Equal(left, right) => (is_timeless(left) && is_timeless(right)).then(|| claim.clone()),
        CellClaim::Constant(_) => Some(claim.clone()),
        CellClaim::Not(claim) => Some(CellClaim::Not(Box::new(then(claim)?))),
        CellClaim::And(claims) => Some(CellClaim::And(all(claims)?)),
        CellClaim::Or(claims) => Some(CellClaim::Or(all(claims)?)),
        CellClaim::Iff(left, right) => Some(CellClaim::Iff(Box::new(then(left)?), Box::new(then(right)?))),
        CellClaim::Shape { .. } | CellClaim::Fresh(_) | CellClaim::Freed(_) | CellClaim::Quantified { .. } => None,
    }
}

fn is_timeless(term: &CellTerm) -> bool {
    matches!(term, CellTerm::Null | CellTerm::Parameter(_) | CellTerm::Bound(_))
}

/// Whether a claim about the start is false wherever its variable stands for a cell that did not exist.
fn fails_for_unborn(claim: &CellClaim) -> bool {
    match claim {
        CellClaim::Old(claim) => match &**claim {
            CellClaim::And(claims) => claims.iter().any(|part| fails_for_unborn(&CellClaim::Old(part.clone().into()))),
            CellClaim::Or(claims) => claims.iter().all(|part| fails_for_unborn(&CellClaim::Old(part.clone().into()))),
            CellClaim::Equal(CellTerm::Bound(_), CellTerm::Bound(_)) => false,
            CellClaim::Equal(..) | CellClaim::Shape { .. } => !claim.bound_variables().is_empty(),
            CellClaim::Old(_) => fails_for_unborn(claim),
            CellClaim::Constant(_)
            | CellClaim::Not(_)
            | CellClaim::Iff(..)
            | CellClaim::Quantified { .. }
            | CellClaim::Fresh(_)
            | CellClaim::Freed(_) => false,
        },
        CellClaim::Equal(CellTerm::Bound(_), CellTerm::Parameter(_))
        | CellClaim::Equal(CellTerm::Parameter(_), CellTerm::Bound(_)) => true,
        _ => false,
    }
}
