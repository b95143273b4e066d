//! Formulas of contracts: what they are read as, and what is said of those that cannot be.

use expect_test::{Expect, expect};
use heapwise_ir::claim::{Claim, Clause};
use heapwise_ir::{Program, text};

const LIST: &str = "
    target lp64
    struct node { next : ptr node, value : i32 }
    struct queue { head : ptr node, tail : ptr node }
    global last : ptr node
    fn push(list : ptr node, cell : ptr node) -> result : ptr node {
    }
    fn drain(queue : ptr queue, n : i32) {
    }
";

fn program() -> Program {
    text::parse(LIST).expect("the program of these tests")
}

/// The formula as it was understood (it must read back as the same), or what is wrong with it.
fn read(function: &str, clause: Clause, formula: &str) -> String {
    let program = program();
    let function = program.function_named(function).expect("a function of the program");
    match Claim::parse(&program, function, clause, formula) {
        Ok(claim) => {
            let text = claim.to_text(&program, function);
            assert_eq!(Claim::parse(&program, function, clause, &text).as_ref(), Ok(&claim), "{text}");
            text
        }
        Err(error) => error.to_string(),
    }
}

fn ensures(formula: &str, expected: &Expect) {
    expected.assert_eq(&read("push", Clause::Ensures, formula));
}

#[test]
fn conditions_of_c() {
    ensures("cell && !list", &expect!["(cell != NULL) && (!(list != NULL))"]);
    ensures("cell->next == NULL || (list) != 0", &expect!["(cell->next == NULL) || (list != NULL)"]);
    ensures("list == cell->next->next && true", &expect!["(list == cell->next->next) && (true)"]);
    ensures("result == last", &expect!["result == last"]);
}

#[test]
fn shapes_take_their_links_from_the_record_or_by_name() {
    ensures("acyclic(list)", &expect!["acyclic(list, next)"]);
    ensures("cyclic(list, next)", &expect!["cyclic(list, next)"]);
    ensures(
        "reach(list, cell) && disjoint(list, result, next)",
        &expect!["(reach(list, cell, next)) && (disjoint(list, result, next))"],
    );
}

#[test]
fn implications_associate_to_the_right_and_equivalences_are_two() {
    ensures("list ==> cell ==> result", &expect!["(!(list != NULL)) || ((!(cell != NULL)) || (result != NULL))"]);
    ensures("((list)) <==> (result)", &expect!["(list != NULL) <==> (result != NULL)"]);
}

#[test]
fn quantifiers_reach_as_far_as_they_can() {
    ensures(
        "forall v: old(reach(list, v)) ==> reach(result, v) && v != cell",
        &expect![
            "(forall struct node *v0: (!(old(reach(list, v0, next)))) || ((reach(result, v0, next)) && (v0 != cell)))"
        ],
    );
    ensures(
        "exists struct node *v, w: v->next == w && fresh(v) && !freed(w)",
        &expect![
            "(exists struct node *v0: (exists struct node *v1: (v0->next == v1) && (fresh(v0)) && (!(freed(v1)))))"
        ],
    );
}

#[test]
fn old_values_are_of_terms_and_of_claims() {
    ensures("result->next == old(list->next)", &expect!["result->next == old(list->next)"]);
    ensures("old(list == NULL) || old(last) == result", &expect!["(old(list == NULL)) || (old(last) == result)"]);
}

#[test]
fn what_cannot_be_read_is_told_with_its_place() {
    ensures(
        "",
        &expect!["expected a claim or a pointer, found the end of the formula (at character 1 of the formula)"],
    );
    ensures(
        "list ==",
        &expect!["expected a claim or a pointer, found the end of the formula (at character 8 of the formula)"],
    );
    ensures("acyclic(list", &expect!["expected `)`, found the end of the formula (at character 13 of the formula)"]);
    ensures("list->prev == NULL", &expect!["`node` has no field `prev` (at character 7 of the formula)"]);
    ensures(
        "list->value == cell",
        &expect!["`value` is no pointer, and claims speak of pointers (at character 7 of the formula)"],
    );
    ensures(
        "nobody == NULL",
        &expect!["`nobody` is no parameter of `push` and no global (at character 1 of the formula)"],
    );
    ensures(
        "sorted(list)",
        &expect![
            "there is no claim `sorted`; there are acyclic, cyclic, reach, disjoint, dll, tree, tree_parent, fresh, freed, old (at character 1 of the formula)"
        ],
    );
    ensures(
        "list == 3",
        &expect!["`3`: claims speak of pointers, the only number in them is 0 (at character 9 of the formula)"],
    );
    ensures("list & cell", &expect!["`&` has no meaning in a claim (at character 6 of the formula)"]);
    ensures(
        "!list == cell",
        &expect!["`!` before a comparison: put the comparison into parentheses (at character 7 of the formula)"],
    );
    ensures(
        "acyclic(list) == cell",
        &expect!["expected an operator or the end of the formula, found `==` (at character 15 of the formula)"],
    );
    ensures("NULL->next == list", &expect!["`->` after null (at character 5 of the formula)"]);
    ensures("forall struct edge *v: v", &expect!["there is no struct `edge` (at character 15 of the formula)"]);
    ensures("tree_parent(list)", &expect!["`node` has no field `parent` (at character 1 of the formula)"]);
    ensures(&"(".repeat(5000), &expect!["the formula is nested too deeply (at character 201 of the formula)"]);
    ensures(
        &format!("{}list{}", "!(".repeat(900), ")".repeat(900)),
        &expect!["the formula is nested too deeply (at character 401 of the formula)"],
    );
}

#[test]
fn some_words_have_a_meaning_after_the_call_only() {
    expect!["`old` has a meaning in hw_ensures only (at character 1 of the formula)"].assert_eq(&read(
        "push",
        Clause::Requires,
        "old(list) == cell",
    ));
    expect!["`result` has a meaning in hw_ensures only (at character 1 of the formula)"].assert_eq(&read(
        "push",
        Clause::Requires,
        "result == cell",
    ));
    expect!["`freed` has a meaning in hw_ensures only (at character 1 of the formula)"].assert_eq(&read(
        "push",
        Clause::Requires,
        "freed(cell)",
    ));
    expect!["`drain` returns nothing (at character 1 of the formula)"].assert_eq(&read(
        "drain",
        Clause::Ensures,
        "result == NULL",
    ));
}

#[test]
fn quantifiers_need_one_record() {
    expect!["(forall struct queue *v0: v0->head != NULL)"].assert_eq(&read(
        "drain",
        Clause::Requires,
        "forall q: q->head",
    ));
    expect!["`n` is no pointer, and claims speak of pointers (at character 1 of the formula)"].assert_eq(&read(
        "drain",
        Clause::Requires,
        "n == NULL",
    ));
    expect!["reach(queue->head, queue->tail, next)"].assert_eq(&read(
        "drain",
        Clause::Requires,
        "reach(queue->head, queue->tail)",
    ));
}
