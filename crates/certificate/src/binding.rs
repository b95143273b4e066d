//! What a certificate is about: a program, models, a question.

use heapwise_engine::{AllocationFailure, Kind, Options};
use heapwise_ir::text::{Spans, print};
use heapwise_ir::{Body, Program, fingerprint};
use std::fmt::Write;

/// What a certificate is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binding {
    /// The hash of the program as it is analysed: of its text in the language of automata, without places.
    pub program: u64,
    /// The hash of what functions without a body are said to do.
    pub models: u64,
    /// The entry function.
    pub entry: String,
    /// The kinds of error that count.
    pub properties: Vec<Kind>,
    /// Whether allocation may fail.
    pub allocation_failure: AllocationFailure,
}

impl Binding {
    /// That of a program and a question.
    pub fn new(program: &Program, options: &Options) -> Binding {
        let mut models = String::new();
        for function in program.functions.values() {
            if let Body::Extern(effects) = &function.body {
                // Writing to a string does not fail.
                let _ = writeln!(models, "{} {effects:?}", function.name);
            }
        }
        Binding {
            program: fingerprint(print(program, Spans::Hidden).as_bytes()),
            models: fingerprint(models.as_bytes()),
            entry: program.functions[options.entry].name.clone(),
            properties: options.properties.clone(),
            allocation_failure: options.allocation_failure,
        }
    }
}
