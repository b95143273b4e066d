//! What the verifier says about cell programs that are broken.

use super::{NODE, translated};
use expect_test::{Expect, expect};
use heapwise_cells::atom::Atom;
use heapwise_cells::program::{Command, Point};
use heapwise_cells::translate::{Calls, Translation};
use heapwise_cells::{Links, verifier};
use heapwise_ir::{EdgeId, LocationId};

/// The first problem of a program that was damaged after its translation.
fn check_problem(damage: impl FnOnce(&mut Translation), expected: Expect) {
    let text = NODE.to_owned()
        + "fn rest(list : ptr node) -> r : ptr node {
             entry -> exit: r = load list->next
           }
           fn main() {
             var p : ptr node
             entry -> a: p = alloc heap sizeof node zeroed nofail as node
             a -> exit: p = call rest(p)
           }";
    let (program, mut translation) = translated(&text, Links::Every, Calls::Inlined);
    damage(&mut translation);
    let wrong = verifier::verify(&program, &translation);
    let words: Vec<String> = wrong.iter().map(|problem| problem.describe(&program, &translation.program)).collect();
    expected.assert_eq(words.first().map_or("", |words| words));
}

#[test]
fn the_verifier_finds_what_is_broken() {
    let first = heapwise_cells::program::StepId::from_u32;
    let list = |translation: &Translation| {
        translation.program.vars.iter().find(|(_, var)| var.name == "list").map(|(var, _)| var).unwrap()
    };
    check_problem(
        |translation| translation.program.steps[first(0)].to = Point::from_u32(99),
        expect!["l1 -> l99: the program returns: from, to or in what does not exist"],
    );
    check_problem(
        |translation| translation.program.outgoing[Point::from_u32(0)].clear(),
        expect!["l0 -> l2: p = alloc struct node of zeros: l0 lists the step 0 times"],
    );
    check_problem(
        |translation| translation.program.kinds.clear(),
        expect!["l0 -> l2: p = alloc ? of zeros: a kind of cells that does not exist"],
    );
    check_problem(
        |translation| translation.program.kinds.values_mut().for_each(|kind| kind.size = 8),
        expect!["a field of `struct node` at byte 8 ends outside of it"],
    );
    // `main` does not know the variables of `rest` before it calls it.
    check_problem(
        |translation| {
            let target = list(translation);
            translation.program.steps[first(0)].command = Command::Set { target, value: Atom::NULL };
        },
        expect!["l1 -> l8: rest.list = 0: `list` is of a function that does not run here"],
    );
    check_problem(
        |translation| {
            let target = list(translation);
            translation.program.steps[first(0)].command = Command::Set { target, value: Atom::Place(7) };
        },
        expect!["l1 -> l8: rest.list = ?&7: `list` is of a function that does not run here"],
    );
    check_problem(
        |translation| translation.program.frames[1].caller = Some((5, EdgeId::from_u32(0))),
        expect!["call string 1 is called by a later one"],
    );
    check_problem(
        |translation| {
            translation.points.insert((0, LocationId::from_u32(77)), Point::from_u32(0));
        },
        expect!["a point is named for L77 of call string 0, which is not there"],
    );
}
