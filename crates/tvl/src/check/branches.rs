//! Rules about what is reached where the spine branches. They hold of every heap, and do not follow from one definition.

use super::predicates::{Predicates, edge, u, v, w};
use super::slots::{BASE, OLD};
use crate::rules::Head;
use heapwise_logic::{Formula, Predicate};

impl Predicates {
    /// What is reached from the cell that a link leads to, where a cell has several links of the spine.
    pub(super) fn branching_rules(&self, add: &mut impl FnMut(Formula, Head)) {
        let (Some(old), Some(from_old)) = (self.slots[OLD].points, self.slots[OLD].reach.first().copied()) else {
            return;
        };
        for (slot, known) in &self.slots {
            let (Some(points), Some(reach)) = (known.points, known.reach.first().copied()) else { continue };
            if slot == OLD {
                continue;
            }
            // Two ways to a cell meet in a shared one, unless one starts on the other.
            let meet =
                [Formula::atom(self.shared, &[u()]), Formula::atom(reach, &[u()]), Formula::atom(from_old, &[u()])];
            let apart = |at: Predicate, reach: Predicate| {
                Formula::exists(vec![u()], Formula::and(Formula::atom(at, &[u()]), !Formula::atom(reach, &[u()])))
            };
            let body = vec![
                !Formula::exists(vec![u()], Formula::And(meet.to_vec())),
                apart(points, from_old),
                apart(old, reach),
                Formula::atom(reach, &[v()]),
            ];
            add(Formula::And(body), Head::Fails(from_old, vec![v()]));
        }
        // The way from the base on leads through the one cell that it leads to.
        if let (Some(base), Some(from_base)) = (self.slots[BASE].points, self.slots[BASE].reach.first().copied()) {
            let elsewhere =
                Formula::exists(vec![w()], Formula::and(edge(self.spine, &u(), &w()), !Formula::atom(old, &[w()])));
            let body = vec![
                Formula::atom(from_base, &[v()]),
                !Formula::atom(base, &[v()]),
                Formula::exists(vec![u()], Formula::and(Formula::atom(base, &[u()]), !elsewhere)),
            ];
            add(Formula::And(body), Head::Holds(from_old, vec![v()]));
        }
    }
}
