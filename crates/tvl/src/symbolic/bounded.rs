//! Bounded structures (section 2.1 of the paper): two individuals always differ in an abstraction predicate, by
//! definite values, so that the values of a concrete individual say which abstract one it belongs to.

use crate::blur::Abstraction;
use crate::structure::{Mask, Structure, members};

/// Whether two individuals have different definite values of an abstraction predicate.
fn apart(abstraction: &Abstraction, structure: &Structure, u: usize, v: usize) -> bool {
    abstraction.unary.iter().any(|index| {
        let bounds = structure.unary(*index);
        let (must, cannot) = (bounds.must, !bounds.may);
        must >> u & 1 == 1 && cannot >> v & 1 == 1 || must >> v & 1 == 1 && cannot >> u & 1 == 1
    })
}

/// The structure, made bounded by merging the individuals that no abstraction predicate keeps apart; `None` if it was
/// bounded already. What is merged represents more than before.
#[must_use]
pub fn merged_to_bounded(abstraction: &Abstraction, structure: &Structure) -> Option<Structure> {
    let merged = merge_once(abstraction, structure)?;
    // Merging makes values indefinite, which may leave others no longer apart.
    Some(merged_to_bounded(abstraction, &merged).unwrap_or(merged))
}

fn merge_once(abstraction: &Abstraction, structure: &Structure) -> Option<Structure> {
    let exist = structure.active().may & structure.universe();
    let mut classes: Vec<Mask> = Vec::new();
    for u in members(exist) {
        let mut mine: Mask = 1 << u;
        classes.retain(|class| {
            let together = members(*class).any(|v| !apart(abstraction, structure, u, v));
            if together {
                mine |= class;
            }
            !together
        });
        classes.push(mine);
    }
    (classes.len() < structure.size()).then(|| structure.quotient(&classes))
}
