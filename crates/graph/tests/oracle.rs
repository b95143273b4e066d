//! The engine against concrete runs of random list programs, and its two modes against each other.
//!
//! `HEAPWISE_ORACLE_PROGRAMS=100000 cargo test --release -p heapwise-graph --test oracle` is the long run.

use heapwise_cells::atom::Atom;
use heapwise_cells::program::{DataField, KindId, Point, VariableSource};
use heapwise_cells::touch::bit;
use heapwise_engine::{Control, Options};
use heapwise_graph::decompose::{Grouping, decompose};
use heapwise_graph::kinds::KindSet;
use heapwise_graph::shape::{Folding, Graph, Length, Node, NodeId, Value};
use heapwise_graph::{Analysis, Feasibility, GraphEngine, Mode, Settings};
use heapwise_interp::heap::Life;
use heapwise_interp::state::CallOrigin;
use heapwise_interp::{ObjectId, Value as Concrete};
use heapwise_ir::{FunctionId, LocationId, Program, Type};
use heapwise_testkit::oracle::{Agreement, Analysed, ConcreteState, Effort, Represents, Subject, check_random};
use heapwise_testkit::random::{Knobs, generate};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

struct Graphs {
    mode: Mode,
}

struct Model {
    mode: Mode,
    analysis: Analysis,
    program: Program,
    /// What each point holds, with only the live variables mapped.
    elements: RefCell<HashMap<Point, Elements>>,
}

/// Elements by their shape, each with its data fields that may hold no value.
#[derive(Default)]
struct Elements(HashMap<Graph, HashSet<Vec<u32>>>);

impl Elements {
    fn insert(&mut self, graph: Graph) {
        let (shape, unset) = apart(graph);
        self.0.entry(shape).or_default().insert(unset);
    }

    /// Whether an element has the same shape and allows for every field without a value.
    fn represent(&self, graph: Graph) -> bool {
        let (shape, unset) = apart(graph);
        let allows = |known: &Vec<u32>| known.iter().zip(&unset).all(|(may, is)| is & !may == 0);
        self.0.get(&shape).is_some_and(|known| known.iter().any(allows))
    }
}

/// A graph without its masks, and the masks.
fn apart(mut graph: Graph) -> (Graph, Vec<u32>) {
    let mut unset = Vec::new();
    for node in &mut graph.nodes {
        unset.extend([std::mem::take(&mut node.raw), std::mem::take(&mut node.inner_raw)]);
    }
    (graph, unset)
}

impl Subject for Graphs {
    type Model = Model;

    fn analyse(&self, program: &Program, options: &Options) -> Analysed<Model> {
        let engine = GraphEngine { settings: Settings { mode: self.mode, feasibility: Feasibility::Exact } };
        let control = Control::unlimited();
        let analysis = engine.analyse(program, options, &control);
        let outcome = engine.conclude(program, options, &control, engine.analyse(program, options, &control));
        let model = Model { mode: self.mode, analysis, program: program.clone(), elements: RefCell::default() };
        Analysed { outcome, model }
    }
}

impl Model {
    fn grouping(&self) -> Grouping {
        match self.mode {
            Mode::Full => Grouping::Whole,
            Mode::Decomposed => Grouping::decomposed(),
        }
    }

    /// The parts of a graph with only the live variables mapped.
    fn parts(&self, point: Point, mut graph: Graph) -> impl Iterator<Item = Graph> {
        graph.retain(|var, _| self.analysis.translation.liveness.is_live(point, var));
        let _ = graph.normalise(Folding::Segments(1));
        let mut parts = Vec::new();
        decompose(graph, &self.grouping(), |part| parts.push(part));
        parts.into_iter()
    }

    /// The call string of a state, by its call edges.
    fn frames(&self, state: &ConcreteState<'_>) -> Option<Vec<u32>> {
        let list = &self.analysis.translation.program;
        let mut frames = vec![0];
        for frame in state.frames().skip(1) {
            let CallOrigin::Edge(edge) = frame.origin else { return None };
            let caller = *frames.last()?;
            let position = list.frames.iter().position(|known| known.caller == Some((caller, edge)))?;
            frames.push(position as u32);
        }
        Some(frames)
    }

    /// The concrete lists that the live variables of a point reach, one node per cell.
    fn lists(&self, point: Point, frames: &[u32], state: &ConcreteState<'_>) -> Graph {
        let mut lists = Lists { model: self, state, graph: Graph::default(), cells: HashMap::new() };
        for var in self.analysis.translation.liveness.live(point) {
            let variable = &self.analysis.translation.program.vars[var];
            let value = match (variable.source, variable.frame) {
                (VariableSource::Register(register), Some(frame)) => {
                    let position = frames.iter().position(|known| *known == frame).expect("a live frame");
                    state.frames().nth(position).expect("a frame").register(register)
                }
                (VariableSource::Global(global, offset), _) => {
                    let object = state.global(global).expect("a global has an object");
                    state.pointer_at(object, offset).expect("a pointer")
                }
                (source, _) => panic!("no such variable in random programs: {source:?}"),
            };
            let value = lists.value(value);
            lists.graph.set(var, value);
        }
        lists.graph
    }
}

struct Lists<'a> {
    model: &'a Model,
    state: &'a ConcreteState<'a>,
    graph: Graph,
    cells: HashMap<ObjectId, NodeId>,
}

impl Lists<'_> {
    fn value(&mut self, value: Concrete) -> Value {
        match value {
            Concrete::Uninitialised(_) => Value::Atom(Atom::Uninit),
            Concrete::Int(value) => Value::Atom(Atom::int(value)),
            Concrete::Pointer(pointer) => {
                let object = self.state.object(pointer.object);
                if object.life != Life::Alive {
                    Value::Atom(Atom::Freed)
                } else {
                    Value::Cell(self.cell(pointer.object))
                }
            }
            _ => Value::Atom(Atom::Opaque),
        }
    }

    fn cell(&mut self, object: ObjectId) -> NodeId {
        if let Some(node) = self.cells.get(&object) {
            return *node;
        }
        let view = self.state.object(object).view.expect("a typed cell");
        let Type::Record(record) = self.model.program.ty(view) else { panic!("a cell is a record") };
        let name = format!("struct {}", self.model.program.records[*record].name);
        let kinds = &self.model.analysis.translation.program.kinds;
        let (kind, description): (KindId, _) =
            kinds.iter().find(|(_, kind)| kind.name == name).expect("a known kind of cell");
        let next = Value::Atom(Atom::NoLink);
        let is_unset = |(position, field): (usize, &DataField)| {
            if self.state.is_unset(object, field.offset, field.size) { bit(position) } else { 0 }
        };
        let raw = description.data.iter().enumerate().map(is_unset).fold(0, |mask, bit| mask | bit);
        let node =
            self.graph.add(Node { next, length: Length::ONE, kind, inner_kinds: KindSet::EMPTY, raw, inner_raw: 0 });
        self.cells.insert(object, node);
        let link = description.only_link().expect("a list cell has a link").offset;
        let target = self.state.pointer_at(object, link).expect("a link is one value");
        let target = self.value(target);
        self.graph[node].next = target;
        node
    }
}

impl Represents for Model {
    fn represents(&self, _: FunctionId, location: LocationId, state: &ConcreteState<'_>) -> bool {
        let frames = self.frames(state).expect("calls are inlined");
        let frame = *frames.last().expect("a frame");
        let Some(&point) = self.analysis.translation.points.get(&(frame, location)) else { return false };
        if !self.analysis.fixpoint.is_reached(point) {
            return false;
        }
        let mut elements = self.elements.borrow_mut();
        let known = elements.entry(point).or_insert_with(|| {
            let mut known = Elements::default();
            for id in self.analysis.fixpoint.elements(point) {
                self.parts(point, self.analysis.store.get(id).clone()).for_each(|part| known.insert(part));
            }
            known
        });
        let lists = self.lists(point, &frames, state);
        self.parts(point, lists).all(|part| known.represent(part))
    }
}

fn n_programs() -> u64 {
    std::env::var("HEAPWISE_ORACLE_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(2_000)
}

/// A third of the programs is one function, a third has calls, a third has globals and data.
fn programs() -> [(Knobs, std::ops::Range<u64>); 3] {
    let n = n_programs();
    [
        (Knobs::singly_linked_lists(), 0..n / 3),
        (Knobs::lists_with_calls(), n / 3..n * 2 / 3),
        (Knobs::lists_with_globals_and_data(), n * 2 / 3..n),
    ]
}

fn agree(mode: Mode) -> Agreement {
    check_random(&Graphs { mode }, &programs(), &Effort::QUICK)
        .unwrap_or_else(|counterexample| panic!("{counterexample}"))
}

#[test]
fn whole_graphs_represent_every_heap_and_report_every_error() {
    let total = agree(Mode::Full);
    assert_eq!(total.gaps, 0, "{total:?}");
    assert!(total.states > total.programs && total.errors > total.programs / 10, "{total:?}");
}

#[test]
fn subgraphs_represent_every_heap_and_report_every_error() {
    let total = agree(Mode::Decomposed);
    assert_eq!(total.gaps, 0, "{total:?}");
    assert!(total.states > total.programs && total.errors > total.programs / 10, "{total:?}");
}

#[test]
fn subgraphs_never_claim_more_than_whole_graphs() {
    for (knobs, seeds) in programs() {
        seeds.for_each(|seed| contains_whole(&knobs, seed));
    }
}

/// The subgraphs of every whole graph are among the subgraphs that decomposed mode finds.
fn contains_whole(knobs: &Knobs, seed: u64) {
    let lowered = generate(knobs, seed).lower();
    let options = Options::new(lowered.main);
    let analyse = |mode| {
        let engine = GraphEngine { settings: Settings { mode, feasibility: Feasibility::Exact } };
        engine.analyse(&lowered.program, &options, &Control::unlimited())
    };
    let (full, decomposed) = (analyse(Mode::Full), analyse(Mode::Decomposed));
    for point in full.translation.program.outgoing.keys() {
        let mut known = Elements::default();
        decomposed.fixpoint.elements(point).for_each(|id| known.insert(decomposed.store.get(id).clone()));
        assert!(decomposed.fixpoint.is_reached(point) || !full.fixpoint.is_reached(point), "seed {seed}, {point}");
        for id in full.fixpoint.elements(point) {
            decompose(full.store.get(id).clone(), &Grouping::decomposed(), |part| {
                assert!(known.represent(part.clone()), "seed {seed}, {point}: {part:?}");
            });
        }
    }
}
