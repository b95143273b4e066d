//! Values that are not cells.

use heapwise_cells::atom::Atom;

#[test]
fn integers_that_are_too_large_are_not_told_apart() {
    assert_eq!(Atom::int(0), Atom::NULL);
    assert_eq!(Atom::int(-(1 << 31)), Atom::Int(i32::MIN));
    assert_eq!(Atom::int(1 << 31), Atom::Opaque);
    assert_eq!(Atom::int(1 << 40), Atom::Opaque);
}
