//! A small whole engine on the core: which registers are null. It shows a domain, calls by tabulation, findings with
//! traces, and the same program inlined.

use expect_test::{Expect, expect};
use heapwise_engine::Control;
use heapwise_fixpoint::{
    Analysis, At, FactId, InlineError, Leaving, ProgramFlow, Solver, StepOrigin, Successors, TraceKind,
};
use heapwise_ir::{
    AnyAddressTaken, Body, Callee, CompareOperator, Condition, Expression, Failure, Function, Instruction, Operand,
    Program, RegisterId, entity::EntityRef, text,
};

/// What is known of a register that holds a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Nullness {
    Null,
    NotNull,
    Unknown,
}

/// One value per register of the function at hand. A set of these is kept at each point: no join, so which
/// registers are null together is not lost.
type Registers = Box<[Nullness]>;

struct NullAnalysis<'p> {
    program: &'p Program,
    flow: &'p ProgramFlow,
    /// Dereferences of null, each with the fact that shows it.
    findings: Vec<(FactId, String)>,
}

impl NullAnalysis<'_> {
    fn value(&self, registers: &Registers, operand: Operand) -> Nullness {
        match operand {
            Operand::Register(register) => registers[register.index()],
            Operand::Int(0) => Nullness::Null,
            Operand::Int(_) | Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => Nullness::NotNull,
        }
    }

    /// The states in which the pointer can be dereferenced: not null.
    fn dereferenced(&mut self, at: &At<'_, Registers>, function: &Function, base: Operand) -> Option<Registers> {
        let mut registers = at.element().clone();
        let value = self.value(&registers, base);
        if value != Nullness::NotNull {
            let StepOrigin::Instruction { edge, .. } = self.flow.steps[at.step()] else { return None };
            let edge = function.automaton().map(|automaton| &automaton.edges[edge]);
            let what = edge.map_or(String::new(), |edge| text::instruction(self.program, function, &edge.instruction));
            self.findings.push((at.fact(), what));
        }
        if value == Nullness::Null {
            return None;
        }
        if let Some(register) = base.register() {
            registers[register.index()] = Nullness::NotNull;
        }
        Some(registers)
    }

    fn assume(&self, registers: &Registers, condition: &Condition) -> Option<Registers> {
        let Condition::Compare { operator, left, right, .. } = condition else {
            return (*condition != Condition::False).then(|| registers.clone());
        };
        let (left_value, right_value) = (self.value(registers, *left), self.value(registers, *right));
        let equal = match (left_value, right_value) {
            (Nullness::Null, Nullness::Null) => Some(true),
            (Nullness::Null, Nullness::NotNull) | (Nullness::NotNull, Nullness::Null) => Some(false),
            (Nullness::NotNull | Nullness::Unknown, _) | (_, Nullness::Unknown) => None,
        };
        let wanted = match operator {
            CompareOperator::Equal => true,
            CompareOperator::NotEqual => false,
            CompareOperator::Less
            | CompareOperator::LessEqual
            | CompareOperator::Greater
            | CompareOperator::GreaterEqual => {
                return Some(registers.clone());
            }
        };
        if equal == Some(!wanted) {
            return None;
        }
        let mut registers = registers.clone();
        for (operand, other) in [(left, right_value), (right, left_value)] {
            if let (Some(register), Nullness::Null) = (operand.register(), other) {
                registers[register.index()] = if wanted { Nullness::Null } else { Nullness::NotNull };
            }
        }
        Some(registers)
    }
}

fn with(registers: &Registers, target: RegisterId, value: Nullness) -> Registers {
    let mut registers = registers.clone();
    registers[target.index()] = value;
    registers
}

impl Analysis for NullAnalysis<'_> {
    type Element = Registers;
    type Key = ();

    fn post(&mut self, at: &At<'_, Registers>, out: &mut Successors<Registers>) {
        let StepOrigin::Instruction { context, edge, .. } = self.flow.steps[at.step()] else { return };
        let program = self.program;
        let function = &program.functions[self.flow.contexts[context].function];
        let Some(automaton) = function.automaton() else { return };
        let registers = at.element();
        match &automaton.edges[edge].instruction {
            Instruction::Assign { target, value } => match value {
                Expression::Operand(operand) => {
                    out.push(with(registers, *target, self.value(registers, *operand)));
                }
                Expression::AddPath { base, .. } => out.push(with(registers, *target, self.value(registers, *base))),
                Expression::SubtractPath { .. }
                | Expression::AddBytes { .. }
                | Expression::AddIndex { .. }
                | Expression::PointerDifference { .. }
                | Expression::Unary { .. }
                | Expression::Binary { .. }
                | Expression::Convert { .. }
                | Expression::Nondet { .. }
                | Expression::Uninitialised => out.push(with(registers, *target, Nullness::Unknown)),
            },
            Instruction::Load { target, place } => {
                if let Some(registers) = self.dereferenced(at, function, place.base) {
                    out.push(with(&registers, *target, Nullness::Unknown));
                }
            }
            Instruction::Store { place, .. } | Instruction::Copy { place, .. } => {
                if let Some(registers) = self.dereferenced(at, function, place.base) {
                    out.push(registers);
                }
            }
            Instruction::Alloc { target, failure, .. } => {
                out.push(with(registers, *target, Nullness::NotNull));
                if *failure == Failure::Possible {
                    out.push(with(registers, *target, Nullness::Null));
                }
            }
            Instruction::Free { .. } | Instruction::End { .. } => out.push(registers.clone()),
            Instruction::Assume(condition) | Instruction::Assert(condition) => {
                if let Some(registers) = self.assume(registers, condition) {
                    out.push(registers);
                }
            }
            Instruction::Call { target, callee, arguments } => {
                let Callee::Direct(callee) = callee else { return };
                let called = &program.functions[*callee];
                match (self.flow.procedure(*callee), &called.body) {
                    (Some(procedure), Body::Defined(_)) => {
                        let mut entered = vec![Nullness::Unknown; called.registers.len()];
                        for (parameter, argument) in called.parameters.iter().zip(arguments) {
                            entered[parameter.index()] = self.value(registers, *argument);
                        }
                        out.enter(procedure, entered.into());
                    }
                    (_, Body::Extern(_)) | (None, Body::Defined(_)) => match target {
                        Some(target) => out.push(with(registers, *target, Nullness::Unknown)),
                        None => out.push(registers.clone()),
                    },
                }
            }
            Instruction::Unsupported(_) => {}
        }
    }

    fn leave(&mut self, leaving: &Leaving<'_, Registers>, out: &mut Successors<Registers>) {
        let StepOrigin::Instruction { context, edge, .. } = self.flow.steps[leaving.step()] else { return };
        let function = &self.program.functions[self.flow.contexts[context].function];
        let (Some(automaton), Some(caller)) = (function.automaton(), leaving.caller()) else { return };
        let Instruction::Call { target, callee: Callee::Direct(callee), .. } = &automaton.edges[edge].instruction
        else {
            return;
        };
        let result = self.program.functions[*callee].result;
        match (target, result) {
            (Some(target), Some(result)) => out.push(with(caller, *target, leaving.exit()[result.index()])),
            (Some(_), None) | (None, _) => out.push(caller.clone()),
        }
    }
}

fn check(text: &str, expected: Expect) {
    let program = text::parse(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(heapwise_ir::verify(&program), []);
    let main = program.function_named("main").expect("there is a main");
    let flow = ProgramFlow::tabulated(&program, main, &AnyAddressTaken);
    let mut solver = Solver::new(&flow.flow, NullAnalysis { program: &program, flow: &flow, findings: Vec::new() });
    let unknown = vec![Nullness::Unknown; program.functions[main].registers.len()];
    solver.start(flow.start, unknown.into());
    solver.run(&Control::unlimited()).expect("no budget was given");
    let mut lines = String::new();
    for (fact, what) in &solver.analysis.findings {
        lines += &format!("null: {what}\n");
        for step in solver.trace(*fact) {
            let (TraceKind::Step(id) | TraceKind::Enter(id) | TraceKind::Leave(id)) = step.kind else { continue };
            let StepOrigin::Instruction { context, edge, .. } = flow.steps[id] else { continue };
            let function = &program.functions[flow.contexts[context].function];
            let instruction = &function.automaton().expect("it has edges").edges[edge].instruction;
            let verb = match step.kind {
                TraceKind::Enter(_) => "enter ",
                TraceKind::Leave(_) => "leave ",
                TraceKind::Start | TraceKind::Step(_) => "",
            };
            lines += &format!("  {}: {verb}{}\n", function.name, text::instruction(&program, function, instruction));
        }
    }
    expected.assert_eq(&lines);
}

#[test]
fn an_allocation_that_fails_is_dereferenced() {
    check(
        "
        struct node { next : ptr node }
        fn main() {
          var p : ptr node
          L0 -> L2: p = alloc heap 8 as node
          L2 -> L1: store p->next = 0
        }",
        expect![[r#"
            null: store p->next = 0 : ptr node
              main: p = alloc heap 8 as node
        "#]],
    );
}

#[test]
fn a_check_excludes_it() {
    check(
        "
        struct node { next : ptr node }
        fn main() {
          var p : ptr node
          L0 -> L2: p = alloc heap 8 as node
          L2 -> L3: assume p != 0
          L2 -> L1: assume p == 0
          L3 -> L1: store p->next = 0
        }",
        expect![""],
    );
}

#[test]
fn calls_go_back_to_where_they_came_from() {
    // Only the second call of `id` returns null; the trace passes through that call.
    check(
        "
        struct node { next : ptr node }
        fn id(x : ptr node) -> x { L0 -> L1: skip }
        fn main() {
          var p : ptr node
          var q : ptr node
          L0 -> L2: p = alloc heap 8 nofail as node
          L2 -> L3: q = call id(p)
          L3 -> L4: store q->next = 0
          L4 -> L5: q = call id(0)
          L5 -> L1: store q->next = 0
        }",
        expect![[r#"
            null: store q->next = 0 : ptr node
              main: p = alloc heap 8 nofail as node
              main: enter q = call id(p)
              id: skip
              main: leave q = call id(p)
              main: store q->next = 0 : ptr node
              main: enter q = call id(0)
              id: skip
              main: leave q = call id(0)
        "#]],
    );
}

#[test]
fn recursion_is_tabulated() {
    check(
        "
        struct node { next : ptr node }
        fn walk(x : ptr node) -> r : ptr node {
          var n : ptr node
          L0 -> L2: assume x != 0
          L0 -> L4: assume x == 0
          L4 -> L1: r = 0
          L2 -> L3: n = load x->next
          L3 -> L1: r = call walk(n)
        }
        fn main() {
          var p : ptr node
          L0 -> L2: p = alloc heap 8 nofail as node
          L2 -> L3: p = call walk(p)
          L3 -> L1: store p->next = 0
        }",
        expect![[r#"
            null: store p->next = 0 : ptr node
              main: p = alloc heap 8 nofail as node
              main: enter p = call walk(p)
              walk: assume x != 0
              walk: n = load x->next : ptr node
              walk: enter r = call walk(n)
              walk: assume x == 0
              walk: r = 0
              walk: leave r = call walk(n)
              main: leave p = call walk(p)
        "#]],
    );
}

#[test]
fn inlining_copies_functions_and_refuses_recursion() {
    let program = text::parse(
        "
        fn leaf() { L0 -> L1: skip }
        fn twice() { L0 -> L2: call leaf(); L2 -> L1: call leaf() }
        fn loops() { L0 -> L1: call loops() }
        fn main() { L0 -> L1: call twice() }
        fn other() { L0 -> L1: call loops() }",
    )
    .expect("the text is well-formed");
    let main = program.function_named("main").expect("declared");
    let inlined = ProgramFlow::inlined(&program, main, &AnyAddressTaken, 100).expect("there is no recursion");
    // main 2, twice 3, leaf twice 2; two steps per call and one in each leaf.
    assert_eq!((inlined.flow.n_points(), inlined.flow.steps().count(), inlined.contexts.len()), (9, 8, 4));
    assert_eq!(ProgramFlow::inlined(&program, main, &AnyAddressTaken, 5).err(), Some(InlineError::TooLarge));
    let other = program.function_named("other").expect("declared");
    let loops = program.function_named("loops").expect("declared");
    assert_eq!(ProgramFlow::inlined(&program, other, &AnyAddressTaken, 100).err(), Some(InlineError::Recursive(loops)));
}
