//! Values that are not cells.

use heapwise_cells::atom::Atom;

#[test]
fn every_atom_survives_its_encoding() {
    let atoms = [Atom::NULL, Atom::Int(-1), Atom::Int(7), Atom::Freed, Atom::Uninit, Atom::Opaque, Atom::Library];
    for atom in atoms.into_iter().chain([
        Atom::NoLink,
        Atom::Outside,
        Atom::Place(0),
        Atom::Place(12_345),
        Atom::int((1 << 26) - 1),
    ]) {
        assert_eq!(Atom::decode(atom.encode()), atom);
        assert_eq!(atom.encode() % 2, 0);
    }
    assert_eq!(Atom::int(1 << 40), Atom::Opaque);
}
