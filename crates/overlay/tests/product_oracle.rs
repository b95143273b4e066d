//! The product against concrete runs of random programs whose records have several links: every state is described by every
//! component, every error is among the findings.
//!
//! What a component does not know is not compared: registers and globals that it holds as any value, bytes of other groups,
//! and the regions (which are names). Cells that it has lost must be covered by `true`.
//!
//! `HEAPWISE_ORACLE_PROGRAMS=20000 cargo test --release -p heapwise-overlay --test product_oracle` is a long run.

mod common;

use common::concrete;
use heapwise_engine::{Budget, Cancel, Control, Engine, Options};
use heapwise_ir::{FunctionId, Liveness, LocationId, Program};
use heapwise_overlay::analysis::Retention;
use heapwise_overlay::groups::{GroupId, Grouping, Groups};
use heapwise_overlay::heap::{Heap, Node, NodeId, Region, Storage, Value};
use heapwise_overlay::predicate::Definitions;
use heapwise_overlay::product::engine::{ProductEngine, prepare};
use heapwise_overlay::product::solve::Mode;
use heapwise_overlay::transfer::Context;
use heapwise_testkit::oracle::{Agreement, Analysed, ConcreteState, Effort, Represents, Subject, check_random};
use heapwise_testkit::random::{Data, Fields, Knobs, Recursion, Weights};
use std::collections::HashMap;
use std::time::Duration;

struct Product {
    mode: Mode,
}

struct Model {
    program: Program,
    options: Options,
    groups: Groups,
    /// The heaps of each component; none if the program was not analysed by groups.
    heaps: HashMap<(FunctionId, LocationId), Vec<Vec<Heap>>>,
    liveness: HashMap<FunctionId, Liveness>,
}

fn control() -> Control {
    Control::start(Budget { time: Some(Duration::from_secs(5)), ..Budget::default() }, Cancel::default())
}

impl Subject for Product {
    type Model = Model;

    fn analyse(&self, program: &Program, options: &Options) -> Analysed<Model> {
        let engine = ProductEngine { grouping: Grouping::Inferred, mode: self.mode };
        let outcome = engine.check(program, options, &control());
        let groups = Groups::of(program, &Grouping::Inferred).expect("inference cannot fail");
        let mut model = Model {
            program: program.clone(),
            options: options.clone(),
            groups: groups.clone(),
            heaps: HashMap::new(),
            liveness: HashMap::new(),
        };
        for (id, function) in &program.functions {
            model.liveness.extend(Liveness::of(function).map(|live| (id, live)));
        }
        if groups.len() < 2 {
            return Analysed { outcome, model };
        }
        let Ok(prepared) = prepare(program, options.entry, groups) else { return Analysed { outcome, model } };
        let context = Context::new(program, options, Definitions::shipped());
        let solution = prepared.solve(&context, (self.mode, Retention::Live), &control());
        if solution.exhausted.is_some() || !solution.gaps.is_empty() {
            return Analysed { outcome, model };
        }
        for (point, origin) in &prepared.flow.points {
            let function = prepared.flow.contexts[origin.context].function;
            let known = model
                .heaps
                .entry((function, origin.location))
                .or_insert_with(|| vec![Vec::new(); prepared.groups.len()]);
            for row in solution.rows_at(point) {
                for (component, ids) in known.iter_mut().zip(row) {
                    component.extend(ids.iter().map(|id| without_callers(&context, solution.heap(*id).clone())));
                }
            }
        }
        Analysed { outcome, model }
    }
}

/// The heap as the function alone sees it, in one region.
fn without_callers(context: &Context<'_>, mut heap: Heap) -> Heap {
    let n_nodes = heap.n_nodes();
    heap.ghosts.clear();
    heap.keep_reachable();
    if heap.n_nodes() != n_nodes {
        heap.add_truth(Region::NONE);
    }
    normal(context, heap)
}

fn normal(context: &Context<'_>, mut heap: Heap) -> Heap {
    for region in heap.nodes().map(|(_, node)| node.region()).collect::<Vec<_>>() {
        heap.merge_region(region, Region::NONE);
    }
    for region in heap.truths.clone() {
        heap.merge_region(region, Region::NONE);
    }
    let lost = !heap.unreached_regions(&context.definitions).is_empty();
    let mut all = context.normalised(heap.clone());
    let mut normal = match (all.pop(), all.is_empty()) {
        (Some((normal, _)), true) => normal,
        _ => heap,
    };
    if lost {
        normal.add_truth(Region::NONE);
    }
    normal
}

/// Whether a cell holds a link of its own that leads nobody knows where: such heaps are not compared.
fn is_vague(heap: &Heap, groups: &Groups, group: GroupId) -> bool {
    heap.nodes().any(|(_, node)| match node {
        Node::Object(object) => {
            let hidden = groups.hidden_spans(object, group);
            let is_hidden = |offset: u64| hidden.iter().any(|(from, to)| (*from..*to).contains(&offset));
            let is_cell = object.storage == Storage::Heap;
            is_cell
                && (object
                    .fields
                    .iter()
                    .any(|field| matches!(field.value, Value::Any | Value::Top) && !is_hidden(field.offset))
                    || matches!(object.rest, Value::Any | Value::Top))
        }
        Node::Instance(_) => false,
    })
}

impl Model {
    /// The concrete heap as far as a component's heap speaks of it.
    fn seen_by(&self, context: &Context<'_>, state: &Heap, known: &Heap, group: GroupId) -> Heap {
        let mut heap = state.clone();
        for (register, value) in &mut heap.registers {
            if known.register(*register) == Value::Any {
                *value = Value::Any;
            }
        }
        let variables: Vec<(NodeId, Option<NodeId>)> = heap
            .globals
            .iter()
            .map(|(global, node)| {
                (*node, known.globals.iter().find(|(other, _)| other == global).map(|(_, node)| *node))
            })
            .collect();
        for (node, other) in variables {
            let other = other.and_then(|other| known.object(other));
            let offsets: Vec<(u64, u64)> = heap
                .object(node)
                .map(|object| object.fields.iter().map(|field| (field.offset, field.bytes)).collect())
                .unwrap_or_default();
            for (offset, bytes) in offsets {
                if other.is_some_and(|other| other.load(offset, bytes) == Value::Any)
                    && let Some(object) = heap.object_mut(node)
                {
                    object.store(offset, bytes, Value::Any);
                }
            }
        }
        let cells: Vec<NodeId> = heap.nodes().map(|(id, _)| id).collect();
        for cell in cells {
            let hidden = heap
                .object(cell)
                .filter(|object| object.life == heapwise_overlay::heap::Life::Alive)
                .map(|object| self.groups.hidden_spans(object, group));
            if let Some(object) = heap.object_mut(cell) {
                for (from, to) in hidden.unwrap_or_default() {
                    object.store(from, to - from, Value::Any);
                }
            }
        }
        normal(context, heap)
    }
}

impl Represents for Model {
    fn represents(&self, function: FunctionId, location: LocationId, state: &ConcreteState<'_>) -> bool {
        let Some(components) = self.heaps.get(&(function, location)) else { return true };
        let context = Context::new(&self.program, &self.options, Definitions::shipped());
        let mut heap = concrete(state);
        heap.registers.retain(|(register, _)| self.liveness[&function].is_live(location, *register));
        heap.keep_reachable();
        components.iter().zip(self.groups.ids()).all(|(known, group)| {
            known.iter().any(|known| {
                let mut known = known.clone();
                known.registers.retain(|(register, _)| self.liveness[&function].is_live(location, *register));
                let known = normal(&context, known);
                is_vague(&known, &self.groups, group) || {
                    let seen = self.seen_by(&context, &heap, &known, group);
                    let mut covered = known.clone();
                    // Nothing of it need be lost.
                    if seen.truths.is_empty() {
                        covered.truths.clear();
                    }
                    context.entails(&seen, &covered)
                }
            })
        })
    }
}

fn knobs() -> Vec<Knobs> {
    let links = Knobs {
        records: 1..=1,
        fields: Fields::ToAny(2..=3),
        data: Data::None,
        functions: 0..=0,
        recursion: Recursion::Forbidden,
        variables: 2..=3,
        globals: 0..=1,
        statements: 4..=10,
        weights: Weights { call: 0, ..Knobs::everything().weights },
        ..Knobs::everything()
    };
    let calls = Knobs { functions: 1..=2, weights: Weights { call: 2, ..links.weights }, ..links.clone() };
    let integers = Knobs { data: Data::Integers, ..links.clone() };
    let guarded = Knobs { guarded: 95, zeroed: 100, ..links.clone() };
    let long = Knobs { statements: 8..=16, guarded: 100, zeroed: 100, ..calls.clone() };
    vec![links, calls, integers, guarded, long]
}

#[test]
fn every_component_describes_every_state_and_every_error_is_found() {
    let n: u64 = std::env::var("HEAPWISE_ORACLE_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let all = knobs();
    let per_knobs = n / all.len() as u64;
    let programs: Vec<_> =
        all.into_iter().zip(0..).map(|(knobs, i)| (knobs, i * per_knobs..(i + 1) * per_knobs)).collect();
    let mut total = Agreement::default();
    for mode in [Mode::Product, Mode::Coupled] {
        match check_random(&Product { mode }, &programs, &Effort::QUICK) {
            Ok(agreement) => total += agreement,
            Err(counterexample) => panic!("{mode:?}: {counterexample}"),
        }
    }
    println!("{total:?}");
    assert!(total.states > 5 * total.programs && total.errors > 0, "{total:?}");
}
