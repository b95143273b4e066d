//! Embedding: whether one structure represents everything that another represents.

use crate::structure::{Bounds, Structure, members};
use crate::vocabulary::{ACTIVE, SUMMARY};

/// Whether `a` embeds in `b`: a map of the individuals of `a` onto those of `b` under which every value of `a` is
/// covered by the value of `b`, and two individuals meet only in a summary (Yorsh, Reps and Sagiv, section 2.2).
#[must_use]
pub fn embeds(a: &Structure, b: &Structure) -> bool {
    nullary_covered(a, b) && place(a, b, &mut Vec::new())
}

/// Whether `a` embeds in `b` by the map that leaves every individual where it stands: what joins of structures with the same
/// canonical names give, found without a search.
#[must_use]
pub fn embeds_in_place(a: &Structure, b: &Structure) -> bool {
    let words = |s: &Structure, (may, must): (usize, usize)| Bounds { may: s.words()[may], must: s.words()[must] };
    a.size() == b.size()
        && a.n_words() == b.n_words()
        && a.bound_pairs().all(|pair| covered(words(a, pair), words(b, pair)))
}

fn nullary_covered(a: &Structure, b: &Structure) -> bool {
    (0..a.layout_nullary_words()).all(|w| covered(a.nullary_bounds(w), b.nullary_bounds(w)))
}

fn covered(a: Bounds, b: Bounds) -> bool {
    a.may & !b.may == 0 && b.must & !a.must == 0
}

fn place(a: &Structure, b: &Structure, map: &mut Vec<usize>) -> bool {
    let u = map.len();
    if u == a.size() {
        let image = map.iter().fold(0u64, |mask, x| mask | 1 << x);
        // Individuals that may be absent need no preimage.
        return b.active().must & !image == 0;
    }
    // An individual that is not there is nowhere to be placed.
    let bit = |bounds: Bounds, u: usize| Bounds { may: bounds.may >> u & 1, must: bounds.must >> u & 1 };
    for x in members(b.active().may) {
        let shared = map.contains(&x);
        let summary = b.summaries() >> x & 1 == 1;
        if !summary && (shared || a.summaries() >> u & 1 == 1) {
            continue;
        }
        let unary = (0..a.layout_unary()).all(|i| {
            i == SUMMARY
                || i == ACTIVE && bit(a.unary(i), u).must == 1
                || covered(bit(a.unary(i), u), bit(b.unary(i), x))
        });
        map.push(x);
        let binary = unary
            && (0..a.layout_binary()).all(|i| {
                (0..=u).all(|v| {
                    let y = map[v];
                    covered(bit(a.row(i, u), v), bit(b.row(i, x), y))
                        && covered(bit(a.row(i, v), u), bit(b.row(i, y), x))
                })
            });
        if binary && place(a, b, map) {
            return true;
        }
        map.pop();
    }
    false
}
