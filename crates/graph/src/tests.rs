//! The transformers on tiny programs, built by hand.

use crate::decompose::Grouping;
use crate::run::{Fixpoint, RunOptions, run};
use crate::store::GraphStore;
use heapwise_cells::atom::{Atom, Var};
use heapwise_cells::live::{Liveness, Retention};
use heapwise_cells::program::{
    Access, CellKind, CellProgram, Command, Contents, DataExtent, DataField, Declared, Frame, KindId, Link, LinkTarget,
    Origin, Point, Source, Step, Variable, VariableSource, VariableStorage,
};
use heapwise_engine::Control;
use heapwise_ir::{CompareOperator, FunctionId, RegisterId, Span};

const LINK: Access = Access { offset: 8, size: 8 };

struct Builder(CellProgram);

impl Builder {
    fn new(vars: &[String]) -> Builder {
        let mut program = CellProgram::default();
        for (index, name) in vars.iter().enumerate() {
            program.vars.push(Variable {
                name: name.clone(),
                storage: VariableStorage::Local,
                frame: Some(0),
                source: VariableSource::Register(RegisterId::from_u32(index as u32)),
                declared: Declared::Pointer,
            });
        }
        program.kinds.push(CellKind {
            name: "node".into(),
            size: 16,
            links: vec![Link { offset: 8, name: "next".into(), target: LinkTarget::Same }],
            data: vec![DataField { name: "data".to_owned(), offset: 0, size: 4, extent: DataExtent::Scalar }],
            pointer_bytes: 8,
        });
        program.frames.push(Frame { function: FunctionId::from_u32(0), caller: None, returns: None, procedure: None });
        Builder(program)
    }

    fn var(&self, name: &str) -> Var {
        self.0.vars.iter().find(|(_, variable)| variable.name == name).map(|(var, _)| var).expect("a variable")
    }

    fn point(&mut self) -> Point {
        self.0.add_point(Origin { frame: 0, location: None })
    }

    fn step(&mut self, from: Point, to: Point, command: Command) {
        self.0.add_step(Step { from, to, command, span: Span::NONE, frame: 0, edge: None });
    }

    fn then(&mut self, from: Point, command: Command) -> Point {
        let to = self.point();
        self.step(from, to, command);
        to
    }
}

fn kind() -> KindId {
    KindId::from_u32(0)
}

/// The paper's Fig. 1 for k lists; returns the loop head.
fn enqueue_events(k: usize) -> (CellProgram, Point) {
    let mut names: Vec<String> = (0..k).flat_map(|i| [format!("h{i}"), format!("t{i}")]).collect();
    names.push("temp".into());
    let mut b = Builder::new(&names);
    let mut at = b.point();
    for i in 0..k {
        let (h, t) = (b.var(&format!("h{i}")), b.var(&format!("t{i}")));
        at = b.then(at, Command::Alloc { target: h, kind: kind(), contents: Contents::Zeroed });
        at = b.then(at, Command::Copy { target: t, source: h });
    }
    let head = b.then(at, Command::Skip);
    let temp = b.var("temp");
    let body = b.then(head, Command::Alloc { target: temp, kind: kind(), contents: Contents::Zeroed });
    for i in 0..k {
        let t = b.var(&format!("t{i}"));
        let stored = b.then(body, Command::Store { base: t, access: LINK, value: Source::Var(temp) });
        b.step(stored, head, Command::Copy { target: t, source: temp });
    }
    let mut at = b.then(head, Command::Skip);
    for i in 0..k {
        let (h, t) = (b.var(&format!("h{i}")), b.var(&format!("t{i}")));
        at = b.then(
            at,
            Command::Shape {
                kind: heapwise_ir::ShapeKind::Reach,
                arguments: vec![Source::Var(h), Source::Var(t)],
                cell: kind(),
                links: vec![0],
                objects: Vec::new(),
                mode: heapwise_cells::program::ShapeMode::Assert,
            },
        );
    }
    (b.0, head)
}

fn analyse(program: &CellProgram, grouping: Grouping) -> (Fixpoint, GraphStore) {
    let liveness = Liveness::new(program);
    let mut store = GraphStore::default();
    let options = RunOptions { grouping, retention: Retention::Live, exact_length: 1 };
    let fixpoint = run(program, &liveness, &mut store, options, &Control::unlimited());
    (fixpoint, store)
}

#[test]
fn k_queues_have_three_to_the_k_graphs_and_three_k_subgraphs() {
    for k in 1..=5 {
        let (program, head) = enqueue_events(k);
        let (full, _) = analyse(&program, Grouping::Whole);
        assert_eq!(full.elements(head).count(), 3usize.pow(k as u32), "full, k = {k}");
        let (decomposed, store) = analyse(&program, Grouping::decomposed());
        let cells = decomposed.elements(head).filter(|id| store.has_cell(*id)).count();
        assert_eq!(cells, 3 * k, "decomposed, k = {k}");
        let shapes =
            |fixpoint: &Fixpoint| fixpoint.suspicions.iter().filter(|s| s.issue != heapwise_cells::Issue::Lost).count();
        assert_eq!(shapes(&full), 0);
        assert_eq!(shapes(&decomposed), 0);
    }
}

#[test]
fn reading_through_null_is_found_and_does_not_pass() {
    let mut b = Builder::new(&["x".into(), "y".into()]);
    let (x, y) = (b.var("x"), b.var("y"));
    let start = b.point();
    let a = b.then(start, Command::Set { target: x, value: Atom::NULL });
    let after = b.then(a, Command::Load { target: Some(y), base: x, access: LINK });
    b.then(after, Command::Assume { operator: CompareOperator::Equal, left: Source::Var(y), right: Source::Var(x) });
    for grouping in [Grouping::Whole, Grouping::decomposed()] {
        let (fixpoint, _) = analyse(&b.0, grouping);
        assert!(!fixpoint.is_reached(after));
        assert_eq!(fixpoint.suspicions.len(), 1);
    }
}
