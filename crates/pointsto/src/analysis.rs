//! The analysis from a program to its result.

use crate::contexts;
use crate::freeze::freeze;
use crate::generate::Generator;
use crate::graph::{GraphId, Mode, PointsTo};
use crate::solver::Arithmetic;
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{FunctionId, Program};

/// Which functions are called from outside, with arguments of any value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entries {
    /// These.
    Listed(Vec<FunctionId>),
    /// All that have a body and that no call of the program names, `main` among them.
    Uncalled,
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// How calls are treated.
    pub mode: Mode,
    /// How far pointer arithmetic goes.
    pub arithmetic: Arithmetic,
    /// Who is called from outside.
    pub entries: Entries,
}

impl Options {
    /// The options that hold for every run from this entry point.
    pub fn new(mode: Mode, entry: FunctionId) -> Options {
        Options { mode, arithmetic: Arithmetic::WithinObjects, entries: Entries::Listed(vec![entry]) }
    }
}

/// Analyses a program.
pub fn analyse(program: &Program, options: &Options) -> PointsTo {
    let (whole, entries) = insensitive(program, options);
    let result = match options.mode {
        Mode::ContextInsensitive => whole,
        Mode::ContextSensitive => contexts::sensitive(program, options.arithmetic, &entries, whole),
    };
    #[cfg(debug_assertions)]
    if let Err(problem) = result.verify() {
        unreachable!("the points-to graph breaks its own law: {problem}");
    }
    result
}

/// One graph, and who is called from outside.
fn insensitive(program: &Program, options: &Options) -> (PointsTo, Vec<FunctionId>) {
    let graph = GraphId::from_u32(0);
    let graph_of: SecondaryMap<FunctionId, GraphId> = SecondaryMap::with_default(graph);
    let mut generator = Generator::new(program, options.arithmetic, graph_of, Some(graph));
    generator.program();
    let entries = match &options.entries {
        Entries::Listed(entries) => entries.clone(),
        Entries::Uncalled => {
            let defined = program.functions.iter().filter(|(_, function)| function.automaton().is_some());
            defined.map(|(id, _)| id).filter(|id| !generator.is_named[*id]).collect()
        }
    };
    for entry in &entries {
        generator.call_from_outside(*entry);
    }
    loop {
        generator.solver.solve();
        if !generator.tie_called() {
            break;
        }
    }
    (freeze(generator, Mode::ContextInsensitive, Vec::new()), entries)
}
