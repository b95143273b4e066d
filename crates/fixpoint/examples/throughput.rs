//! What the core itself costs: an analysis that does nothing but number elements, and one that pairs them by tag.
//!
//! `cargo run --release -p heapwise-fixpoint --example throughput`

use heapwise_engine::Control;
use heapwise_fixpoint::{Among, Analysis, At, FlowBuilder, PointId, Solver, StepId, Successors};
use std::time::Instant;

const N_POINTS: usize = 300;
const N_ELEMENTS: u32 = 10_000;

/// Every element goes on as another one.
struct Permute {
    n_tags: u32,
}

impl Analysis for Permute {
    type Element = u32;
    type Key = ();

    fn post(&mut self, at: &At<'_, u32>, out: &mut Successors<u32>) {
        out.push((at.element() + 1) % N_ELEMENTS);
    }

    fn combines(&self, _step: StepId) -> bool {
        self.n_tags > 0
    }

    fn combine(&mut self, among: &Among<'_, u32>, out: &mut Successors<u32>) {
        // The partner at hand: what a statement over two variables would compose with.
        if let Some((fact, other)) = among.tagged(among.element() % self.n_tags).next() {
            out.push_combined((among.element() + other) % N_ELEMENTS, [fact]);
        }
    }

    fn tags(&self, _point: PointId, element: &u32, tags: &mut Vec<u32>) {
        if self.n_tags > 0 {
            tags.push(element % self.n_tags);
        }
    }
}

fn measure(name: &str, n_tags: u32) {
    let mut builder = FlowBuilder::new();
    let procedure = builder.add_procedure();
    let mut at = builder.entry(procedure);
    for _ in 0..N_POINTS {
        let next = builder.add_point(procedure);
        builder.add_step(at, next);
        at = next;
    }
    let flow = builder.finish();
    let mut solver = Solver::new(&flow, Permute { n_tags });
    for element in 0..N_ELEMENTS {
        solver.start(procedure, element);
    }
    let started = Instant::now();
    if let Err(exhausted) = solver.run(&Control::unlimited()) {
        println!("{name}: {exhausted:?}");
    }
    let seconds = started.elapsed().as_secs_f64();
    let per_fact = seconds * 1e9 / solver.n_facts() as f64;
    println!("{name}: {} facts in {seconds:.3} s, {per_fact:.0} ns per fact", solver.n_facts());
}

fn main() {
    measure("unary", 0);
    measure("pairs by tag", 64);
}
