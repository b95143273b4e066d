//! Whole programs: what is proved, with which refinements, and what is not.

#![allow(clippy::unwrap_used)]

use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_engine::{Budget, Cancel, Control, Engine, Kind, Options, Outcome};
use heapwise_models::Models;
use heapwise_refine::RefineEngine;
use std::path::PathBuf;
use std::time::Duration;

fn check(path: &str, engine: &RefineEngine, properties: &[Kind]) -> Outcome {
    let unit = Unit { path: PathBuf::from(path), flags: Flags::default() };
    let program = load(&[unit], &FrontOptions::default(), &Models::shipped()).unwrap().program;
    let mut options = Options::new(program.function_named("main").unwrap());
    options.properties = properties.to_vec();
    let budget = Budget { time: Some(Duration::from_secs(100)), ..Budget::default() };
    engine.check(&program, &options, &Control::start(budget, Cancel::default()))
}

#[test]
fn source() {
    let Ok(path) = std::env::var("HEAPWISE_REFINE_SOURCE") else { return };
    let kinds = std::env::var("HEAPWISE_REFINE_KINDS").unwrap_or_else(|_| "assert".to_owned());
    let kinds: Vec<Kind> = kinds.split(',').map(|name| Kind::from_name(name).unwrap()).collect();
    for path in path.split(':') {
        let begin = std::time::Instant::now();
        let outcome = check(path, &RefineEngine::default(), &kinds);
        println!("{path}: {:?} in {:?}", outcome.verdict(), begin.elapsed());
        outcome.refinements.iter().for_each(|step| println!("  {:?} {:?}", step.refinement, step.result));
        println!("  {:?} {:?}", outcome.stats, outcome.gaps);
        for finding in &outcome.findings {
            println!("  {:?} {:?} {}", finding.kind, finding.certainty, finding.span.line);
        }
    }
}
