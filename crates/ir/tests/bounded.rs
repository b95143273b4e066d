//! Bounded sets: what is said of them holds of all values that were ever added.

use heapwise_ir::{BoundedSet, Growth};
use proptest::prelude::*;

type Set = BoundedSet<u8, 4>;

#[test]
fn a_full_set_shows_no_values() {
    let mut set = Set::default();
    assert!(set.is_empty());
    assert_eq!(set.extend([1, 2, 3, 4, 1]), Growth::Grew);
    assert_eq!(set.known(), Some(&[1, 2, 3, 4][..]));
    assert_eq!(set.insert(2), Growth::Same);
    assert_eq!(set.insert(5), Growth::Grew);
    assert_eq!((set.known(), set.is_empty(), set.may_contain(&9)), (None, false, true));
    assert_eq!((set.insert(6), set.overflow()), (Growth::Same, Growth::Same));
    assert_eq!(Set::one(3).union(&set), Growth::Grew);
}

proptest! {
    /// Whatever the order and the way of adding, each value added may be in it, and a set that is known holds nothing else.
    #[test]
    fn nothing_that_was_added_is_lost(left: Vec<u8>, right: Vec<u8>) {
        let (mut set, mut other) = (Set::default(), Set::default());
        set.extend(left.iter().copied());
        other.extend(right.iter().copied());
        let before = set.clone();
        let growth = set.union(&other);
        prop_assert_eq!(growth.grew(), set != before);
        let added = || left.iter().chain(&right);
        prop_assert!(added().all(|value| set.may_contain(value)));
        match set.known() {
            Some(values) => prop_assert!(values.len() <= 4 && values.iter().all(|v| added().any(|a| a == v))),
            None => {
                let mut all: Vec<u8> = added().copied().collect();
                all.sort_unstable();
                all.dedup();
                prop_assert!(all.len() > 4);
            }
        }
        prop_assert_eq!(set.union(&other), Growth::Same);
    }
}
