//! The engine against concrete runs of random programs: every state is described by a heap at its location, every error is
//! among the findings.
//!
//! `HEAPWISE_ORACLE_PROGRAMS=20000 cargo test --release -p heapwise-overlay --test oracle` is a long run.

use heapwise_engine::{Budget, Cancel, Control, Engine, Options};
use heapwise_fixpoint::ProgramFlow;
use heapwise_interp::heap::{Life as ConcreteLife, Object as ConcreteObject, ObjectKind};
use heapwise_interp::{Loaded, ObjectId, Value as Concrete};
use heapwise_ir::{FunctionId, Liveness, LocationId, Program};
use heapwise_overlay::OverlayEngine;
use heapwise_overlay::analysis::{Retention, run};
use heapwise_overlay::heap::{Heap, Life, Node, NodeId, Object, Size, Storage, Value};
use heapwise_overlay::number::Range;
use heapwise_overlay::predicate::Definitions;
use heapwise_overlay::transfer::Context;
use heapwise_testkit::oracle::{Agreement, Analysed, ConcreteState, Effort, Represents, Subject, check_random};
use heapwise_testkit::random::{Calling, Data, Fields, Knobs, Placement, Recursion, Weights};
use std::collections::HashMap;
use std::time::Duration;

struct Overlay;

struct Model {
    program: Program,
    options: Options,
    /// What each location holds, as the function alone sees it.
    heaps: HashMap<(FunctionId, LocationId), Vec<Heap>>,
    liveness: HashMap<FunctionId, Liveness>,
}

impl Subject for Overlay {
    type Model = Model;

    fn analyse(&self, program: &Program, options: &Options) -> Analysed<Model> {
        let outcome = OverlayEngine.check(program, options, &control());
        let context = Context::new(program, options, Definitions::shipped());
        let flow = ProgramFlow::tabulated(program, options.entry, &heapwise_ir::AnyAddressTaken);
        let fixpoint = run(&context, &flow, Retention::Live, &control());
        let mut heaps = HashMap::new();
        let mut liveness = HashMap::new();
        for (id, function) in &program.functions {
            let (Some(automaton), Some(live)) = (function.automaton(), Liveness::of(function)) else { continue };
            liveness.insert(id, live);
            for location in automaton.outgoing.keys() {
                let known = fixpoint.heaps_at(id, location).into_iter().flat_map(|heap| seen(&context, heap.clone()));
                heaps.insert((id, location), known.collect());
            }
        }
        let model = Model { program: program.clone(), options: options.clone(), heaps, liveness };
        Analysed { outcome, model }
    }
}

/// Without what those know who wait for the function.
fn seen(context: &Context<'_>, mut heap: Heap) -> Vec<Heap> {
    heap.ghosts.clear();
    heap.keep_reachable();
    context.normalised(heap).into_iter().map(|(heap, _)| heap).collect()
}

fn control() -> Control {
    Control::start(Budget { time: Some(Duration::from_secs(5)), ..Budget::default() }, Cancel::default())
}

impl Represents for Model {
    fn represents(&self, function: FunctionId, location: LocationId, state: &ConcreteState<'_>) -> bool {
        let context = Context::new(&self.program, &self.options, Definitions::shipped());
        let mut heap = concrete(state);
        heap.registers.retain(|(register, _)| self.liveness[&function].is_live(location, *register));
        let known = &self.heaps[&(function, location)];
        seen(&context, heap).iter().all(|state| known.iter().any(|heap| context.entails(state, heap)))
    }
}

/// The part of a concrete state that the function on top of the stack sees.
fn concrete(state: &ConcreteState<'_>) -> Heap {
    let mut conversion = Conversion { state, heap: Heap::default(), nodes: HashMap::new(), wild: None };
    let Some(frame) = state.state().top() else { return conversion.heap };
    let function = &state.program().functions[frame.function];
    for register in function.registers.keys() {
        let value = conversion.value(state.register(register));
        conversion.heap.set_register(register, value);
    }
    let own: Vec<ObjectId> = state
        .state()
        .heap()
        .objects()
        .filter(|(_, object)| object.kind == ObjectKind::Auto && object.life == ConcreteLife::Alive)
        .filter(|(_, object)| conversion.is_own(object))
        .map(|(id, _)| id)
        .collect();
    for id in own {
        conversion.node(id);
    }
    for global in state.program().globals.keys() {
        if let Some(object) = state.global(global) {
            let node = conversion.node(object);
            conversion.heap.globals.push((global, node));
        }
    }
    conversion.heap
}

struct Conversion<'s> {
    state: &'s ConcreteState<'s>,
    heap: Heap,
    nodes: HashMap<ObjectId, NodeId>,
    wild: Option<Value>,
}

impl Conversion<'_> {
    fn is_own(&self, object: &ConcreteObject) -> bool {
        self.state.state().top().is_some_and(|frame| frame.serial == object.owner)
    }

    fn value(&mut self, value: Concrete) -> Value {
        match value {
            Concrete::Uninitialised(_) => Value::Uninitialised,
            Concrete::Int(number) => Value::Number(number),
            Concrete::Pointer(pointer) => Value::pointer(self.node(pointer.object), pointer.offset),
            Concrete::Function(function) => Value::Function(function),
            Concrete::Symbol(_) => {
                let nothing = Range { low: i128::MAX, high: i128::MIN, without_zero: false };
                match self.wild {
                    Some(value) => value,
                    None => {
                        let value = self.heap.fresh(nothing);
                        self.wild = Some(value);
                        value
                    }
                }
            }
            Concrete::Float(_) | Concrete::Fragment(_) | Concrete::Opaque => Value::Any,
        }
    }

    fn node(&mut self, id: ObjectId) -> NodeId {
        if let Some(node) = self.nodes.get(&id) {
            return *node;
        }
        let object = self.state.object(id);
        let storage = match object.kind {
            ObjectKind::Heap => Storage::Heap,
            ObjectKind::Auto if self.is_own(object) => Storage::Local,
            ObjectKind::Auto => Storage::CallersLocal,
            ObjectKind::Global(global) => Storage::Global(global),
            ObjectKind::Literal(global) => Storage::Literal(global),
            ObjectKind::Environment | ObjectKind::Library => panic!("no such object in random programs"),
        };
        let node = self.heap.add(Node::Object(Object::new(storage, Size::Constant(object.size), Value::Uninitialised)));
        self.nodes.insert(id, node);
        let life = match object.life {
            ConcreteLife::Alive => Life::Alive,
            ConcreteLife::Freed | ConcreteLife::Vacant => Life::Freed,
            ConcreteLife::Ended => Life::Ended,
        };
        if life != Life::Alive {
            self.heap.kill(node, life);
            return node;
        }
        let mut offset = 0;
        while offset < object.size {
            let mut bytes = 8u64.min(object.size - offset);
            let loaded = loop {
                match object.contents().load(offset, bytes) {
                    // A value shorter than the stretch, or only some bytes written.
                    Loaded::Mixed | Loaded::Uninitialised | Loaded::Any(_) if bytes > 4 => bytes = 4,
                    Loaded::Mixed | Loaded::Uninitialised if bytes > 1 => bytes = 1,
                    loaded => break loaded,
                }
            };
            let value = match loaded {
                Loaded::Bits(bits) => Value::Number(bits as i128),
                Loaded::Value(value) => self.value(value),
                Loaded::Uninitialised => Value::Uninitialised,
                Loaded::Any(_) | Loaded::Mixed => Value::Any,
            };
            if let Some(object) = self.heap.object_mut(node) {
                object.store(offset, bytes, value);
            }
            offset += bytes;
        }
        node
    }
}

fn knobs() -> Vec<Knobs> {
    let graphs = Knobs {
        records: 1..=2,
        fields: Fields::ToAny(1..=3),
        data: Data::None,
        functions: 0..=0,
        recursion: Recursion::Forbidden,
        variables: 2..=3,
        globals: 0..=1,
        statements: 4..=10,
        weights: Weights { call: 0, ..Knobs::everything().weights },
        ..Knobs::everything()
    };
    let calls = Knobs { functions: 1..=1, weights: Weights { call: 2, ..graphs.weights }, ..graphs.clone() };
    let recursion = Knobs { functions: 1..=2, recursion: Recursion::Allowed, ..calls.clone() };
    let integers = Knobs { data: Data::Integers, ..graphs.clone() };
    let within = Knobs { placement: Placement::Within, ..calls.clone() };
    let down = Weights { allocate: 1, load: 6, store: 5, free: 1, branch: 1, repeat: 0, call: 0, assert: 0, assign: 1 };
    let trees = Knobs {
        calling: Calling::DownTrees,
        data: Data::None,
        weights: down,
        guarded: 95,
        zeroed: 100,
        ..Knobs::everything()
    };
    vec![
        Knobs::singly_linked_lists(),
        Knobs::lists_with_globals_and_data(),
        graphs,
        calls,
        recursion,
        integers,
        within,
        trees,
        Knobs::everything(),
    ]
}

#[test]
fn every_state_is_described_and_every_error_found() {
    let n: u64 = std::env::var("HEAPWISE_ORACLE_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(90);
    let mut total = Agreement::default();
    let all = knobs();
    let per_knobs = n / all.len() as u64;
    for (index, knobs) in all.iter().enumerate() {
        let first = index as u64 * per_knobs;
        match check_random(&Overlay, knobs, first..first + per_knobs, &Effort::QUICK) {
            Ok(agreement) => {
                total.programs += agreement.programs;
                total.gaps += agreement.gaps;
                total.states += agreement.states;
                total.errors += agreement.errors;
            }
            Err(counterexample) => panic!("{counterexample}"),
        }
    }
    println!("{total:?}");
    assert!(total.states > 10 * total.programs && total.errors > 0, "{total:?}");
    assert!(4 * total.gaps < total.programs, "too many gaps: {total:?}");
}
