//! `heapwise dump`: the program as the engines see it.

use super::failure::CannotRun;
use super::input::{self, Input};
use super::options::{ContractMode, DumpCommand, Dumped, Picture};
use super::{output, settings};
use heapwise_cells::invariant::side_by_side;
use heapwise_engine::{Arrow, ArrowStyle, Budget, Cancel, Control, Drawing, Node, NodeStyle, Options};
use heapwise_graph::GraphEngine;
use heapwise_ir::text::{self, Spans};
use heapwise_ir::{Automaton, Body, Function, FunctionId, Program};
use heapwise_report::drawing::{dot, svg};
use heapwise_tvl::check::{TvlEngine, roles};

pub(crate) fn run(options: &DumpCommand, compiler: Vec<String>) -> Result<u8, CannotRun> {
    let config = settings::configuration(&options.input)?;
    let settings = settings::input(&options.input, &config, compiler);
    // Invariants are those of runs from the entry point, also where one function's are asked for; so are cell programs.
    let is_of_runs = match options.what {
        Dumped::Invariants | Dumped::Cells => true,
        Dumped::Ir | Dumped::Cfg => false,
    };
    let start = settings.entry.clone().or_else(|| is_of_runs.then(|| "main".to_owned()));
    let entries = options.function.iter().chain(&start).cloned().collect();
    let Input { program, warnings: _ } = input::load(&settings, entries)?;
    let text = match options.what {
        Dumped::Ir => text::print(&program, if options.spans { Spans::Shown } else { Spans::Hidden }),
        Dumped::Cells => {
            let entry = input::entry(&program, settings.entry.as_deref().unwrap_or("main"))?;
            cells(&program, entry, options)?
        }
        Dumped::Cfg => automata(&program, options)?,
        Dumped::Invariants => {
            let entry = input::entry(&program, settings.entry.as_deref().unwrap_or("main"))?;
            invariants(&program, entry, options)?
        }
    };
    output::print(&text)?;
    Ok(0)
}

/// What an engine runs on, and what of the whole program it cannot follow.
fn cells(program: &Program, entry: FunctionId, options: &DumpCommand) -> Result<String, CannotRun> {
    if options.function.is_some() {
        let message = "a cell program is that of all runs from the entry point";
        return Err(CannotRun::usage(message, "name the function to start from with --entry"));
    }
    let time = options.time.as_deref().map_or(Ok(heapwise::DEFAULT_TIME), settings::seconds)?;
    let control = Control::start(Budget { time: Some(time), ..Budget::default() }, Cancel::default());
    let question = Options::new(entry);
    let translation = match options.engine.as_str() {
        "graph" => GraphEngine::translation(program, &question, &control),
        "tvl" => {
            let settings = settings::tvl(options.shape, options.join, ContractMode::Modular);
            TvlEngine { settings }.translation(program, &question, &control)
        }
        other => {
            let message = format!("the engine `{other}` runs on no cell program");
            return Err(CannotRun::usage(message, "use --engine graph or --engine tvl"));
        }
    };
    let mut text = heapwise_cells::text::print(program, &translation.program);
    for (span, reason) in &translation.gaps {
        let line = if span.line == 0 { String::new() } else { format!(", line {}", span.line) };
        text += &format!("gap of the whole program{line}: {reason}\n");
    }
    Ok(text)
}

/// The graphs of each location: into a directory, or as DOT on standard output.
fn invariants(program: &Program, entry: FunctionId, options: &DumpCommand) -> Result<String, CannotRun> {
    let time = options.time.as_deref().map_or(Ok(heapwise::DEFAULT_TIME), settings::seconds)?;
    let control = Control::start(Budget { time: Some(time), ..Budget::default() }, Cancel::default());
    let question = Options::new(entry);
    let invariants = match options.engine.as_str() {
        "graph" => {
            let mode = settings::graph_mode(options.mode);
            let engine = GraphEngine { settings: heapwise_graph::Settings { mode, ..Default::default() } };
            heapwise_graph::draw::invariants(&engine.analyse(program, &question, &control), program)
        }
        "tvl" => {
            let engine = TvlEngine { settings: settings::tvl(options.shape, options.join, ContractMode::Modular) };
            let analysed = engine.analyse(program, &question, &control);
            if let Some(misfit) = roles::misfit(&analysed.translation.program, engine.settings.shape) {
                output::complain(&format!("warning: {misfit}"));
            }
            heapwise_tvl::check::draw::invariants(&analysed, program)
        }
        other => {
            let message = format!("the engine `{other}` has no invariants to draw");
            return Err(CannotRun::usage(message, "use --engine graph or --engine tvl"));
        }
    };
    if let Err(exhausted) = control.check(0, 0) {
        output::complain(&format!("warning: {exhausted}: what is drawn may not be all\n  hint: give more with --time"));
    }
    let mut drawings = Vec::new();
    for invariant in invariants {
        let name = &program.functions[invariant.function].name;
        if options.function.as_ref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        let callers: Vec<&str> =
            invariant.call_string.iter().map(|caller| program.functions[*caller].name.as_str()).collect();
        let from = if callers.is_empty() { String::new() } else { format!(" from {}", callers.join(", ")) };
        let title = format!("{name} {}, line {}{from}", invariant.location, invariant.span.line);
        let file = format!("{:04}-{name}-{}", drawings.len(), invariant.location);
        drawings.push((file, side_by_side(title, &invariant.drawings)));
    }
    if let (Some(name), []) = (&options.function, drawings.as_slice()) {
        let message = format!("no run from `{}` is seen to enter `{name}`", program.functions[entry].name);
        return Err(CannotRun::usage(message, "name the function to start from with --entry"));
    }
    let Some(directory) = &options.directory else {
        return match (options.picture, drawings.as_slice()) {
            (Picture::Dot, drawings) => Ok(drawings.iter().map(|(_, drawing)| dot::render(drawing)).collect()),
            (Picture::Svg, [(_, one)]) => Ok(svg::render(one)),
            (Picture::Svg, several) => Err(CannotRun::usage(
                format!("an SVG picture shows one location, and there are {}", several.len()),
                "write one file per location with --directory DIR",
            )),
        };
    };
    std::fs::create_dir_all(directory).map_err(|error| CannotRun::reading(directory, &error))?;
    for (file, drawing) in &drawings {
        output::write_file(&directory.join(format!("{file}.dot")), &dot::render(drawing))?;
        output::write_file(&directory.join(format!("{file}.svg")), &svg::render(drawing))?;
    }
    Ok(format!("{} locations drawn into {}\n", drawings.len(), directory.display()))
}

fn automata(program: &Program, options: &DumpCommand) -> Result<String, CannotRun> {
    let wanted = program.functions.values().filter(|function| match &options.function {
        Some(name) => *name == function.name,
        None => true,
    });
    let drawings: Vec<Drawing> = wanted
        .filter_map(|function| match &function.body {
            Body::Defined(automaton) => Some(drawing(program, function, automaton)),
            Body::Extern(_) => None,
        })
        .collect();
    match options.picture {
        Picture::Dot => Ok(drawings.iter().map(dot::render).collect()),
        Picture::Svg => match drawings.as_slice() {
            [one] => Ok(svg::render(one)),
            _ => Err(CannotRun::usage(
                format!("an SVG picture shows one function, and there are {}", drawings.len()),
                "name it with --function",
            )),
        },
    }
}

/// One node per location with a row per edge that leaves it.
fn drawing(program: &Program, function: &Function, automaton: &Automaton) -> Drawing {
    let mut nodes = Vec::new();
    let mut arrows = Vec::new();
    for (location, edges) in &automaton.outgoing {
        let role = match location {
            entry if entry == automaton.entry => " entry",
            exit if exit == automaton.exit => " exit",
            _ => "",
        };
        let mut lines = vec![format!("{location}{role}")];
        for edge in edges {
            let edge = &automaton.edges[*edge];
            lines.push(text::instruction(program, function, &edge.instruction));
            arrows.push(Arrow {
                from: location.as_u32() as usize,
                from_line: Some(lines.len() - 1),
                to: edge.to.as_u32() as usize,
                label: String::new(),
                style: ArrowStyle::Solid,
            });
        }
        nodes.push(Node { lines, style: NodeStyle::Cell });
    }
    Drawing { title: function.name.clone(), nodes, arrows }
}
