//! The analysis from a program to its result.

use crate::contexts;
use crate::freeze::{calls, freeze};
use crate::generate::Generator;
use crate::graph::{GraphId, Mode, PointsTo};
use crate::solver::Arithmetic;
use crate::watch::Watch;
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{FunctionId, Program};
use std::cell::Cell;
use std::convert::Infallible;

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
    match analyse_while(program, options, || Ok::<(), Infallible>(())) {
        Ok(result) => result,
        Err(never) => match never {},
    }
}

/// The same, if nobody stops it: `check` is asked again and again, and its error ends the analysis. There is no result then,
/// since a graph that is not complete says something wrong about the program.
pub fn analyse_while<E>(
    program: &Program,
    options: &Options,
    check: impl Fn() -> Result<(), E>,
) -> Result<PointsTo, E> {
    let error = Cell::new(None);
    let ask = || match check() {
        Ok(()) => false,
        Err(reason) => {
            error.set(Some(reason));
            true
        }
    };
    let watch = Watch::new(&ask);
    let (whole, entries) = insensitive(program, options, &watch);
    let result = whole.and_then(|mut whole| match options.mode {
        Mode::ContextInsensitive => Some(freeze(whole, Mode::ContextInsensitive, Vec::new())),
        Mode::ContextSensitive => {
            let calls = calls(&mut whole);
            // The rest of the graph is given up.
            drop(whole);
            contexts::sensitive(program, options.arithmetic, &entries, calls, &watch)
        }
    });
    match (result, error.take()) {
        (Some(result), None) => {
            #[cfg(debug_assertions)]
            if let Err(problem) = result.verify() {
                unreachable!("the points-to graph breaks its own law: {problem}");
            }
            Ok(result)
        }
        (_, Some(error)) => Err(error),
        (None, None) => unreachable!("only an error stops the analysis"),
    }
}

/// One graph, solved, unless the analysis is stopped, and who is called from outside.
fn insensitive<'p>(
    program: &'p Program,
    options: &Options,
    watch: &'p Watch<'p>,
) -> (Option<Generator<'p>>, Vec<FunctionId>) {
    let graph = GraphId::from_u32(0);
    let graph_of: SecondaryMap<FunctionId, GraphId> = SecondaryMap::with_default(graph);
    let mut generator = Generator::new(program, options.arithmetic, graph_of, Some(graph), watch);
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
        if watch.is_over() || !generator.tie_called() {
            break;
        }
    }
    ((!watch.is_over()).then_some(generator), entries)
}
