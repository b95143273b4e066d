//! Liveness, dominators, loops, orders and the call graph: examples, and agreement with what their definitions say.

use expect_test::{Expect, expect};
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{
    AnyAddressTaken, Automaton, CallGraph, Condition, Dominators, Function, FunctionId, Instruction, Liveness,
    LocationId, Loops, Program, Span, order, reachable_functions, text,
};
use proptest::prelude::*;

fn program(text: &str) -> Program {
    let program = text::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(heapwise_ir::verify(&program), []);
    program
}

fn automaton(function: &Function) -> &Automaton {
    function.automaton().expect("the function is defined")
}

const REVERSE: &str = "
    struct node { next : ptr node }
    fn reverse(x : ptr node) -> y : ptr node {
      var t : ptr node
      temp n : ptr node
      entry -> loop: y = 0
      loop -> body: assume x != 0
      loop -> exit: assume x == 0
      body -> a: t = x
      a -> b: n = load x->next
      b -> c: x = n
      c -> d: store t->next = y
      d -> loop: y = t
    }";

#[test]
fn live_and_held_registers() {
    let program = program(REVERSE);
    let function = &program.functions[program.function_named("reverse").unwrap()];
    let liveness = Liveness::of(function).unwrap();
    let mut lines = String::new();
    for location in automaton(function).outgoing.keys() {
        let names = |rows: &heapwise_ir::RegisterRows| {
            let names: Vec<&str> =
                rows.iter(location).map(|register| function.registers[register].name.as_str()).collect();
            names.join(" ")
        };
        lines += &format!("{location} live: {:8} held: {}\n", names(&liveness.live), names(&liveness.held));
    }
    expect![[r#"
        L0 live: x        held: x
        L1 live: y        held: x y t
        L2 live: x y      held: x y t
        L3 live: x y      held: x y t
        L4 live: x y t    held: x y t
        L5 live: y t n    held: x y t n
        L6 live: x y t    held: x y t
        L7 live: x t      held: x y t
    "#]]
    .assert_eq(&lines);
}

fn check_loops(edges: &str, expected: Expect) {
    let body: String =
        edges.split_whitespace().map(|edge| format!("L{}: skip\n", edge.replace('-', " -> L"))).collect();
    let program = text::parse(&format!("fn f() {{\n{body}\n}}")).expect("edges are numbers");
    let automaton = automaton(&program.functions[FunctionId::new(0)]);
    let loops = Loops::of(automaton);
    let mut lines = String::new();
    for found in &loops.loops {
        let parent = found.parent.map_or(String::new(), |parent| format!(" in {}", loops.loops[parent].head));
        lines += &format!("{}: {:?}{parent}\n", found.head, found.locations);
    }
    let irreducible: Vec<String> = loops
        .irreducible
        .iter()
        .map(|edge| format!("{}-{}", automaton.edges[*edge].from, automaton.edges[*edge].to))
        .collect();
    lines += &format!("irreducible: {}\norder: {:?}\n", irreducible.join(" "), order::loop_order(automaton));
    expected.assert_eq(&lines);
}

#[test]
fn nested_and_irreducible_loops() {
    check_loops(
        "0-2 2-1 2-3 3-4 4-3 4-2",
        expect![[r#"
            L2: [L2, L3, L4]
            L3: [L3, L4] in L2
            irreducible: 
            order: [L0, L2, L3, L4, L1]
        "#]],
    );
    check_loops(
        "0-2 0-3 2-3 3-2 3-1",
        expect![[r#"
            irreducible: L3-L2
            order: [L0, L2, L3, L1]
        "#]],
    );
    check_loops(
        "0-2 2-2 2-1",
        expect![[r#"
            L2: [L2]
            irreducible: 
            order: [L0, L2, L1]
        "#]],
    );
}

#[test]
fn calls_through_unknown_pointers_reach_what_is_taken() {
    let program = program(
        "
        global table : ptr fn(i32) = { 0 : ptr fn(i32) = @one }
        fn one(x : i32) { L0 -> L1: call leaf() }
        fn two(x : i32, y : i32) { L0 -> L1: skip }
        fn other(x : i32) { L0 -> L1: skip }
        fn leaf() { L0 -> L1: skip }
        fn unused() { var p : ptr fn(i32); L0 -> L1: p = @other }
        fn even(n : i32) { L0 -> L1: call odd(n) }
        fn odd(n : i32) { L0 -> L1: call even(n) }
        fn main() {
          var p : ptr fn(i32)
          var q : ptr fn(i32, i32)
          L0 -> L2: p = load *(&table)
          L2 -> L3: call *p(1)
          L3 -> L4: q = @two
          L4 -> L1: call even(3)
        }",
    );
    let graph = CallGraph::of(&program, &AnyAddressTaken);
    let names = |functions: &[FunctionId]| {
        let names: Vec<&str> = functions.iter().map(|function| program.functions[*function].name.as_str()).collect();
        names.join(" ")
    };
    let main = program.function_named("main").unwrap();
    let components: Vec<String> = graph.components.iter().map(|component| names(component)).collect();
    let text = format!(
        "taken: {}\nmain calls: {}\ncomponents: {}\nreachable: {}\nrecursive: {}\n",
        names(&graph.address_taken),
        names(&graph.callees[main]),
        components.join(", "),
        names(&reachable_functions(&program, main, &AnyAddressTaken)),
        names(&program.functions.keys().filter(|function| graph.is_recursive(*function)).collect::<Vec<_>>()),
    );
    expect![[r#"
        taken: one two other
        main calls: one two other even
        components: leaf, one, two, other, unused, even odd, main
        reachable: one two leaf even odd main
        recursive: even odd
    "#]]
    .assert_eq(&text);
}

/// Random graphs as automata.
fn graphs() -> impl Strategy<Value = Automaton> {
    (2usize..9).prop_flat_map(|n_locations| {
        proptest::collection::vec((0..n_locations, 0..n_locations), 1..16).prop_map(move |edges| {
            let mut automaton = Automaton::new();
            while automaton.n_locations() < n_locations {
                automaton.add_location();
            }
            for (from, to) in edges {
                let skip = Instruction::Assume(Condition::True);
                automaton.add_edge(LocationId::new(from), LocationId::new(to), skip, Span::NONE);
            }
            automaton
        })
    })
}

/// What is reached from the entry without passing `avoided`.
fn reached_avoiding(automaton: &Automaton, avoided: Option<LocationId>) -> Vec<LocationId> {
    let mut reached = Vec::new();
    let mut stack = vec![automaton.entry];
    while let Some(location) = stack.pop() {
        if Some(location) != avoided && !reached.contains(&location) {
            reached.push(location);
            stack.extend(automaton.outgoing[location].iter().map(|edge| automaton.edges[*edge].to));
        }
    }
    reached
}

proptest! {
    #[test]
    fn dominators_are_what_all_ways_pass(automaton in graphs()) {
        let dominators = Dominators::of(&automaton);
        let reachable = reached_avoiding(&automaton, None);
        for above in automaton.outgoing.keys() {
            let without = reached_avoiding(&automaton, Some(above));
            for below in automaton.outgoing.keys() {
                let expected = reachable.contains(&above) && reachable.contains(&below) && !without.contains(&below);
                prop_assert_eq!(dominators.dominates(above, below), expected, "{} {}", above, below);
            }
            if let Some(immediate) = dominators.immediate(above) {
                prop_assert!(immediate != above && dominators.dominates(immediate, above));
                for other in automaton.outgoing.keys() {
                    if other != above && dominators.dominates(other, above) {
                        prop_assert!(dominators.dominates(other, immediate));
                    }
                }
            }
        }
    }

    #[test]
    fn orders_list_what_is_reachable_once(automaton in graphs()) {
        let mut reachable = reached_avoiding(&automaton, None);
        reachable.sort();
        for mut order in [order::reverse_post_order(&automaton), order::loop_order(&automaton)] {
            prop_assert_eq!(order[0], automaton.entry);
            order.sort();
            prop_assert_eq!(&order, &reachable);
        }
    }

    #[test]
    fn without_back_edges_only_irreducible_cycles_are_left(automaton in graphs()) {
        let loops = Loops::of(&automaton);
        let mut cut: Vec<_> = loops.loops.iter().flat_map(|found| found.back_edges.clone()).collect();
        cut.extend(&loops.irreducible);
        let reachable = reached_avoiding(&automaton, None);
        // Repeatedly drop locations without incoming edges: all must go.
        let mut left = reachable.clone();
        loop {
            let removable = left.iter().position(|location| {
                !automaton.edges.iter().any(|(id, edge)| {
                    edge.to == *location && left.contains(&edge.from) && !cut.contains(&id)
                })
            });
            match removable {
                Some(index) => { left.remove(index); }
                None => break,
            }
        }
        prop_assert!(left.is_empty(), "a cycle is left: {:?}", left);
        for found in &loops.loops {
            for edge in automaton.edges.values() {
                let inside = |location| found.locations.contains(&location);
                if inside(edge.to) && !inside(edge.from) && reachable.contains(&edge.from) {
                    prop_assert_eq!(edge.to, found.head, "a loop is entered past its head");
                }
            }
        }
    }
}
