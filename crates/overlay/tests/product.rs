//! The product of sub-analyses: groups, ghost instructions, and the baby IO scheduler of the paper, step by step.

use expect_test::{Expect, expect};
use heapwise_cfront::{Flags, FrontOptions, Unit};
use heapwise_engine::reason::GroupMisfit;
use heapwise_engine::{Control, Options};
use heapwise_fixpoint::{PointId, ProgramFlow};
use heapwise_ir::{AnyAddressTaken, Callee, Edge, Expression, Instruction, LocationId, Operand, Program};
use heapwise_models::Models;
use heapwise_overlay::analysis::Retention;
use heapwise_overlay::groups::{GroupId, Grouping, Groups};
use heapwise_overlay::heap::{Heap, Instance, Node, NodeId, Object, Prototype, Region, Size, Storage, Value};
use heapwise_overlay::predicate::{Definitions, Layout};
use heapwise_overlay::product::engine::prepare;
use heapwise_overlay::product::insert::{Insertions, Start, insertions};
use heapwise_overlay::product::solve::{Mode, Solution};
use heapwise_overlay::product::variable::{Base, Scope, Variable};
use heapwise_overlay::transfer::Context;
use smallvec::{SmallVec, smallvec};
use std::path::PathBuf;
use std::rc::Rc;

fn load(name: &str, entry: &str) -> Program {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/overlay").join(name);
    let unit = Unit { path, flags: Flags::default() };
    let options = FrontOptions { entries: vec![entry.to_owned()], ..FrontOptions::default() };
    match heapwise_cfront::load(&[unit], &options, &Models::shipped()) {
        Ok(loaded) => loaded.program,
        Err(diagnostics) => panic!("{name}: {:?}", diagnostics.first().map(|first| &first.message)),
    }
}

fn inferred(program: &Program) -> Groups {
    Groups::of(program, &Grouping::Inferred).expect("inference cannot fail")
}

#[test]
fn links_that_make_one_structure_are_one_group() {
    let check = |name: &str, expected: Expect| {
        let program = load(name, "main");
        expected.assert_eq(&inferred(&program).text(&program));
    };
    check(
        "baby-scheduler.c",
        expect![[r#"
        group 1: node.next
        group 2: node.parent, node.left, node.right, node.key
    "#]],
    );
    check(
        "list-dio.c",
        expect![[r#"
        group 1: request.fifo_next, request.fifo_prev
        group 2: request.sort_next, request.sort_prev, request.sector, request.size
    "#]],
    );
    check(
        "many-keys-3.c",
        expect![[r#"
        group 1: node.next1, node.prev1, node.key1
        group 2: node.next2, node.prev2, node.key2
        group 3: node.next3, node.prev3, node.key3
    "#]],
    );
    check(
        "many-lists-3.c",
        expect![[r#"
        group 1: node.next1, node.prev1
        group 2: node.next2, node.prev2
        group 3: node.next3, node.prev3
    "#]],
    );
}

#[test]
fn groups_are_given_by_the_names_of_fields() {
    let program = load("cache-1.c", "main");
    let given = |text: &str| Groups::of(&program, &Grouping::parse(text).expect("a grouping"));
    expect![[r#"
        group 1: node.next, node.prev, anonymous@cache-1.c.first, node.key, node.value
        group 2: anonymous@cache-1.c.recent1
    "#]]
    .assert_eq(&given("next+prev+first+key+value,recent1").expect("fields of the program").text(&program));
    assert_eq!(given("next,other"), Err(GroupMisfit::NoSuchField { field: "other".to_owned() }));
    assert_eq!(given("next,node.next"), Err(GroupMisfit::InTwoGroups { field: "node.next".to_owned() }));
    assert_eq!(Grouping::parse("next,,prev"), None);
}

/// The ghost instructions and the invariant at the head of the loop of `main`.
fn check_main(name: &str, grouping: &str, ghosts: Expect, invariant: Expect) {
    let program = load(name, "main");
    let main = program.function_named("main").expect("main");
    let options = Options::new(main);
    let grouping = Grouping::parse(grouping).expect("a grouping");
    let groups = Groups::of(&program, &grouping).expect("groups of the program");
    let prepared = prepare(&program, main, groups).expect("no recursion");
    let context = Context::new(&program, &options, Definitions::shipped());
    let solution = prepared.solve(&context, (Mode::Product, Retention::Live), &Control::unlimited());
    let doubts: Vec<String> = solution
        .doubts
        .values()
        .map(|doubt| format!("{:?} {}\n", doubt.kind, doubt.message))
        .chain(solution.gaps.iter().map(|(_, gap)| format!("{gap:?}\n")))
        .collect();
    let head = prepared
        .flow
        .points
        .iter()
        .filter(|(_, origin)| prepared.flow.contexts[origin.context].function == main)
        .find(|(point, _)| prepared.flow.flow.incoming(*point).len() > 1)
        .map(|(point, _)| point)
        .expect("a loop");
    ghosts.assert_eq(&format!("{}{}", solution.ghosts_text().join("\n"), doubts.concat()));
    invariant.assert_eq(&text_at(&solution, &prepared.flow, head));
}

fn text_at(solution: &Solution<'_, '_>, flow: &ProgramFlow, point: PointId) -> String {
    let rows = solution.rows_at(point).iter();
    let text: String = rows.map(|row| solution.row_text(row, flow.points[point].context)).collect();
    // Expectations have no margin.
    text.lines().map(|line| format!("{}\n", line.strip_prefix("  ").unwrap_or(line))).collect()
}

#[test]
fn the_invariant_of_the_baby_scheduler_is_inferred() {
    check_main(
        "baby-scheduler.c",
        "infer",
        expect![[r#"
            after move_request:105: move(c, fresh)
            at the end of list_add_first: moveRgn(γ, α)
            before move_request:105: trans(next → parent+left+right)(c)"#]],
        expect![[r#"
              [next]
                ls≥1(q2, y: 0)_α ∗ ls(q1s, y: 0)_β
              [parent+left+right]
                ptree≥1(q1t, p: 0)_β ∗ true_α
                q1t = 0 ∧ true_α
        "#]],
    );
}

#[test]
fn nodes_on_two_lists_are_taken_off_both() {
    check_main(
        "list-dio.c",
        "infer",
        expect![[r#"
            after finish_oldest:104: move(rq, fresh)
            after merge:92: move(next, fresh)
            after move_request:115: move(rq, fresh)
            before complete:134: trans(fifo_next+fifo_prev → sort_next+sort_prev)(rq)
            before finish_oldest:104: trans(fifo_next+fifo_prev → sort_next+sort_prev)(rq)
            before merge:92: trans(sort_next+sort_prev → fifo_next+fifo_prev)(next)
            before move_request:115: trans(fifo_next+fifo_prev → sort_next+sort_prev)(rq)"#]],
        expect![[r#"
              [fifo_next+fifo_prev]
                dispatched = 0 ∧ dll≥1(fifo, p: 0, y: 0)_α
                dll≥1(fifo, p: 0, y: 0)_α ∗ dll≥1(dispatched, p: 0, y: 0)_β
                fifo = 0 ∧ dispatched = 0 ∧ fifo_last = 0 ∧ emp
                fifo = 0 ∧ fifo_last = 0 ∧ dll≥1(dispatched, p: 0, y: 0)_β
              [sort_next+sort_prev]
                dll≥1(sort, p: 0, y: 0)_α ∗ true_β
                sort = 0 ∧ true_β
        "#]],
    );
}

#[test]
fn pointers_into_a_list_are_followed_apart_from_it() {
    check_main(
        "cache-1.c",
        "next+prev+first+key+value,recent1",
        expect![[r#"
            after lookup:51: move(x, fresh)
            at lookup:54: moveRgn(β, α)
            at the end of link_first: moveRgn(β, α)
            at the end of lookup: moveRgn(β, α)
            before evict:68: trans(next+prev+first → recent1)(x)
            before lookup:51: trans(recent1 → next+prev+first)(x)
            before lookup:58: trans(next+prev+first → recent1)(x)"#]],
        expect![[r#"
              [next+prev+first]
                cache ↦ {next: 0, prev: 0}_β
                dll≥1(cache, p: 0, y: 0)_α
                emp
              [recent1]
                cache+8 ↦ {}_α ∗ true_α ∗ true_β
                cache+8 ↦ {}_β ∗ true_α ∗ true_β
                true_α ∗ true_β
        "#]],
    );
}

/// `move_request` from assertion (1) of the paper on.
struct Steps {
    program: Program,
    groups: Groups,
    flow: ProgramFlow,
    insertions: Insertions,
}

const LIST: GroupId = GroupId(0);
const TREE: GroupId = GroupId(1);

impl Steps {
    fn new() -> Steps {
        let program = load("baby-scheduler.c", "move_request");
        let entry = program.function_named("move_request").expect("move_request");
        let groups = inferred(&program);
        let flow = ProgramFlow::inlined(&program, entry, &AnyAddressTaken, 10_000).expect("no recursion");
        let global = |name: &str| {
            let found = program.globals.iter().find(|(_, global)| global.name == name);
            Variable::Memory(Base::Global(found.expect("a global").0), 0)
        };
        let known = vec![(LIST, global("q1s")), (LIST, global("q2")), (TREE, global("q1t"))];
        let insertions = insertions(Scope { program: &program, flow: &flow }, &groups, &Start::Given(known));
        Steps { program, groups, flow, insertions }
    }

    /// One component of assertion (1).
    fn first(&self, definitions: &Definitions, lists: &[(&str, &str, Region)]) -> Heap {
        let mut heap = Heap::default();
        let mut cells: Vec<(&str, NodeId)> = Vec::new();
        for (global, predicate, region) in lists {
            let links: SmallVec<[i64; 4]> = match *predicate {
                "ls" => smallvec![0],
                _ => smallvec![16, 24, 8],
            };
            let definition = definitions.named(predicate).expect("a shipped predicate");
            let is_node = |record: &heapwise_ir::Record| record.name == "node";
            let found = self.program.records.iter().find(|(_, record)| is_node(record));
            let (record, _) = found.expect("struct node");
            let widths = links.iter().map(|_| 8).collect();
            let layout =
                Rc::new(Layout { definition, record, size: 40, derived: Rc::default(), entry: 0, links, widths });
            let mut cell = Object::new(Storage::Heap, Size::Constant(40), Value::Any);
            layout.links.iter().for_each(|link| cell.store(*link as u64, 8, Value::Uninitialised));
            let element = Rc::new(Prototype { nodes: vec![Rc::new(Node::Object(cell))], symbols: Vec::new() });
            let elements = std::iter::once(element).collect();
            // A list is p, y; the tree is p.
            let inputs = match *predicate {
                "ls" => smallvec![Value::Any, Value::ZERO],
                _ => smallvec![Value::ZERO],
            };
            let (measures, region) = (Vec::new(), *region);
            let node = heap.add(Node::Instance(Instance { layout, inputs, measures, least: 0, region, elements }));
            cells.push((global, node));
        }
        for (id, global) in &self.program.globals {
            let value = match cells.iter().find(|(name, _)| *name == global.name) {
                Some((_, node)) => Value::pointer(*node, 0),
                None => Value::Any,
            };
            let mut object = Object::new(Storage::Global(id), Size::Constant(8), Value::ZERO);
            object.store(0, 8, value);
            let node = heap.add(Node::Object(object));
            heap.globals.push((id, node));
        }
        heap
    }

    fn solve<'c>(&'c self, context: &'c Context<'c>, insertions: &'c Insertions) -> Solution<'c, 'c> {
        let (flow, groups) = (&self.flow, &self.groups);
        let mut solution = Solution::new(context, flow, groups, insertions, Mode::Product, Retention::Live);
        let (alpha, beta) = (solution.initial_region(0), solution.initial_region(1));
        let definitions = &context.definitions;
        let list = self.first(definitions, &[("q1s", "ls", alpha), ("q2", "ls", beta)]);
        let mut tree = self.first(definitions, &[("q1t", "ptree", alpha)]);
        tree.add_truth(beta);
        let row = vec![vec![solution.intern(list)], vec![solution.intern(tree)]];
        solution.run(row, &Control::unlimited());
        solution
    }

    /// The point of `move_request` before the call of a function.
    fn before(&self, name: &str) -> PointId {
        let callee = self.program.function_named(name).expect("a function");
        self.at(|edge| match edge.instruction {
            Instruction::Call { callee: Callee::Direct(found), .. } if found == callee => Some(edge.from),
            _ => None,
        })
    }

    /// The point behind `c = 0`.
    fn at_the_end(&self) -> PointId {
        self.at(|edge| match edge.instruction {
            Instruction::Assign { value: Expression::Operand(Operand::Int(0)), .. } => Some(edge.to),
            _ => None,
        })
    }

    fn at(&self, location: impl Fn(&Edge) -> Option<LocationId>) -> PointId {
        let entry = self.program.function_named("move_request").expect("move_request");
        let automaton = self.program.functions[entry].automaton().expect("a body");
        let location = automaton.edges.values().find_map(location).expect("an edge");
        self.flow.points_of(entry, location).next().expect("a point")
    }
}

#[test]
fn the_assertions_of_the_paper_are_reached_step_by_step() {
    let steps = Steps::new();
    let options = Options::new(steps.program.function_named("move_request").expect("move_request"));
    let context = Context::new(&steps.program, &options, Definitions::shipped());
    let solution = steps.solve(&context, &steps.insertions);
    let at = |solution: &Solution<'_, '_>, point: PointId| text_at(solution, &steps.flow, point);
    expect![[r#"
        after move_request:105: move(c, fresh)
        at the end of list_add_first: moveRgn(γ, β)
        before move_request:105: trans(next → parent+left+right)(c)"#]]
    .assert_eq(&solution.ghosts_text().join("\n"));
    // (1)
    expect![[r#"
          [next]
            ls(q1s, y: 0)_α ∗ ls(q2, y: 0)_β
          [parent+left+right]
            ptree(q1t, p: 0)_α ∗ true_β
    "#]]
    .assert_eq(&at(&solution, steps.flow.flow.entry(steps.flow.start)));
    // (2): the list knows c.
    expect![[r#"
          [next]
            c ↦ {next: q1s}_α ∗ ls(q1s, y: 0)_α ∗ ls(q2, y: 0)_β
          [parent+left+right]
            ptree(q1t, p: 0)_α ∗ true_β
    "#]]
    .assert_eq(&at(&solution, steps.before("tree_remove")));
    // (3): the tree is told, at the entry of tree_remove.
    let call = steps.before("tree_remove");
    let entered = steps.flow.flow.outgoing(call)[0];
    expect![[r#"
          [next]
            c ↦ {next: q1s}_α ∗ ls(q1s, y: 0)_α ∗ ls(q2, y: 0)_β
          [parent+left+right]
            c ↦ {parent: last(q1t), left: a, right: b}_α ∗ ptseg(q1t, p: 0, h: c)_α ∗ ptree(a, p: c)_α ∗ ptree(b, p: c)_α ∗ true_β
    "#]].assert_eq(&at(&solution, steps.flow.flow.step(entered).to));
    // (4): without the move, c is still in α.
    let unmoved = Insertions { moves: Default::default(), ..steps.insertions.clone() };
    let without = steps.solve(&context, &unmoved);
    expect![[r#"
          [next]
            c ↦ {next: q1s}_α ∗ ls(q1s, y: 0)_α ∗ ls(q2, y: 0)_β
          [parent+left+right]
            ptree≥1(q1t, p: 0)_α ∗ true_α ∗ true_β
            q1t = 0 ∧ true_α ∗ true_β
    "#]]
    .assert_eq(&at(&without, steps.before("list_add_first")));
    // (5): c is in γ.
    expect![[r#"
        [next]
          c ↦ {}_γ ∗ ls(q1s, y: 0)_α ∗ ls(q2, y: 0)_β
        [parent+left+right]
          ptree≥1(q1t, p: 0)_α ∗ true_β ∗ true_γ
          ptseg(q1t, p: 0, h: a)_α ∗ ptree≥1(a, p: last(q1t))_α ∗ true_β ∗ true_γ
          ptseg≥1(q1t, p: 0, h: a)_α ∗ a ↦ {parent: last(q1t), left: b, right: c}_α ∗ ptree(b, p: a)_α ∗ ptree≥1(c, p: a)_α ∗ true_β ∗ true_γ
          ptseg≥1(q1t, p: 0, h: a)_α ∗ ptree≥1(a, p: last(q1t))_α ∗ true_β ∗ true_γ
          ptseg≥1(q1t, p: 0, h: a)_α ∗ ptseg≥2(a, p: last(q1t), h: b)_α ∗ ptree≥1(b, p: last(a))_α ∗ true_β ∗ true_γ
          ptseg≥2(q1t, p: 0, h: a)_α ∗ ptree≥1(a, p: last(q1t))_α ∗ true_β ∗ true_γ
          q1t = 0 ∧ true_β ∗ true_γ
          q1t ↦ {parent: 0, left: a, right: b}_α ∗ ptree(a, p: q1t)_α ∗ ptree≥1(b, p: q1t)_α ∗ true_β ∗ true_γ
    "#]].assert_eq(&at(&solution, steps.before("list_add_first")));
    // (6): c is the first of q2; α, β and γ are apart.
    expect![[r#"
          [next]
            ls(q1s, y: 0)_α ∗ ls≥1(q2, y: 0)_β
          [parent+left+right]
            ptree≥1(q1t, p: 0)_α ∗ true_β
            q1t = 0 ∧ true_β
    "#]]
    .assert_eq(&at(&solution, steps.at_the_end()));
    // (7) and (8): γ goes into β, and the list folds.
    expect![[r#"
          [next]
            ls(q1s, y: 0)_α ∗ ls≥1(q2, y: 0)_β
            q1s = 0 ∧ ls(q2, y: 0)_β
          [parent+left+right]
            ptree(q1t, p: 0)_α ∗ true_β
    "#]]
    .assert_eq(&at(&solution, steps.flow.flow.exit(steps.flow.start)));
    assert!(solution.doubts.is_empty() && solution.gaps.is_empty(), "{:?} {:?}", solution.doubts, solution.gaps);
}
