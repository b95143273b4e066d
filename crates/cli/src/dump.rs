//! `heapwise dump`: the program as the engines see it.

use super::failure::CannotRun;
use super::options::{DumpCommand, Dumped, Picture};
use super::{input, output, regions, settings};
use heapwise::input::{function_named, load};
use heapwise::{EngineChoice, Engines};
use heapwise_engine::registry::Dump;
use heapwise_engine::{
    Arrow, ArrowStyle, Budget, Cancel, Control, Drawing, Dumps, Invariants, Node, NodeStyle, Options, ProgramText,
    SettingValues,
};
use heapwise_ir::text::{self, Spans};
use heapwise_ir::{Automaton, Body, Function, FunctionId, Program};
use heapwise_report::drawing::{dot, svg};
use heapwise_report::words;

pub(crate) fn run(
    options: &DumpCommand,
    engines: Engines,
    given: &SettingValues,
    compiler: Vec<String>,
) -> Result<u8, CannotRun> {
    let config = settings::configuration(&options.input, engines)?;
    let engine_settings = settings::both(&config, given);
    let settings = settings::input(&options.input, &config, compiler);
    // Invariants are those of runs from the entry point, also where one function's are asked for; so are cell programs.
    let is_of_runs = match options.what {
        Dumped::Invariants | Dumped::Cells => true,
        Dumped::Ir | Dumped::Cfg | Dumped::Regions => false,
    };
    let start = settings.entry.clone().or_else(|| is_of_runs.then(|| "main".to_owned()));
    let entries = options.function.iter().chain(&start).cloned().collect();
    let (program, _) = load(&input::units(&settings)?, &settings.models, entries)?;
    let asked = Asked { options, engines, settings: engine_settings };
    let text = match options.what {
        Dumped::Ir => text::print(&program, if options.spans { Spans::Shown } else { Spans::Hidden }),
        Dumped::Cells => {
            let entry = function_named(&program, settings.entry.as_deref().unwrap_or("main"))?;
            asked.cells(&program, entry)?
        }
        Dumped::Cfg => automata(&program, options)?,
        Dumped::Regions => regions(&program, settings.entry.as_deref(), options)?,
        Dumped::Invariants => {
            let entry = function_named(&program, settings.entry.as_deref().unwrap_or("main"))?;
            asked.invariants(&program, entry)?
        }
    };
    output::print(&text)?;
    Ok(0)
}

fn regions(program: &Program, entry: Option<&str>, options: &DumpCommand) -> Result<String, CannotRun> {
    if options.function.is_some() {
        let message = "regions are those of the whole program";
        return Err(CannotRun::usage(message, "name the function to start from with --entry"));
    }
    let entry = match entry {
        Some(name) => Some(function_named(program, name)?),
        None => program.function_named("main"),
    };
    let found = regions::of(program, entry);
    Ok(match options.picture {
        None => found.text(program),
        Some(Picture::Dot) => dot::render(&regions::drawing(program, &found)),
        Some(Picture::Svg) => svg::render(&regions::drawing(program, &found)),
    })
}

/// What is asked of an engine.
struct Asked<'a> {
    options: &'a DumpCommand,
    engines: Engines,
    settings: SettingValues,
}

impl Asked<'_> {
    /// What the engine computes to be looked at; `what` it has none of otherwise.
    fn dump<T>(&self, what: &str, dump: impl Fn(&Dumps) -> Option<Dump<T>>) -> Result<Dump<T>, CannotRun> {
        let choice = match &self.options.engine {
            Some(name) => settings::engine_named(self.engines, name)?,
            None => self.engines.with_dumps().next().map_or(EngineChoice::Auto(self.engines), EngineChoice::One),
        };
        let found = match choice {
            EngineChoice::One(entry) => dump(&entry.dumps),
            EngineChoice::Auto(_) => None,
        };
        found.ok_or_else(|| {
            let able = self.engines.entries().iter().filter(|entry| dump(&entry.dumps).is_some());
            let able: Vec<String> = able.map(|entry| format!("--engine {}", entry.name)).collect();
            CannotRun::usage(format!("the engine `{}` {what}", choice.name()), format!("use {}", able.join(" or ")))
        })
    }

    fn control(&self) -> Result<Control, CannotRun> {
        let time = self.options.time.as_deref().map_or(Ok(heapwise::DEFAULT_TIME), settings::seconds)?;
        Ok(Control::start(Budget { time: Some(time), ..Budget::default() }, Cancel::default()))
    }

    /// What an engine runs on, and what of the whole program it cannot follow.
    fn cells(&self, program: &Program, entry: FunctionId) -> Result<String, CannotRun> {
        if self.options.function.is_some() {
            let message = "a cell program is that of all runs from the entry point";
            return Err(CannotRun::usage(message, "name the function to start from with --entry"));
        }
        let dump = self.dump("runs on no cell program", |dumps| dumps.program)?;
        let ProgramText { mut text, gaps } = dump(&self.settings, program, &Options::new(entry), &self.control()?);
        for gap in &gaps {
            let line = if gap.span.line == 0 { String::new() } else { format!(", line {}", gap.span.line) };
            text += &format!("gap of the whole program{line}: {}\n", words::gap(&gap.reason));
        }
        Ok(text)
    }

    /// What holds at each location: into a directory, or as DOT on standard output.
    fn invariants(&self, program: &Program, entry: FunctionId) -> Result<String, CannotRun> {
        let control = self.control()?;
        let dump = self.dump("has no invariants to draw", |dumps| dumps.invariants)?;
        let invariants = dump(&self.settings, program, &Options::new(entry), &control);
        for note in &invariants.notes {
            output::complain(&format!("warning: {}", words::note(program, note)));
        }
        if let Err(exhausted) = control.check(0, 0) {
            output::complain(&format!(
                "warning: {}: what is drawn may not be all\n  hint: give more with --time",
                words::exhausted(exhausted)
            ));
        }
        drawn(program, entry, self.options, &invariants)
    }
}

fn drawn(
    program: &Program,
    entry: FunctionId,
    options: &DumpCommand,
    invariants: &Invariants,
) -> Result<String, CannotRun> {
    let mut drawings = Vec::new();
    for invariant in &invariants.places {
        let name = &program.functions[invariant.function].name;
        if options.function.as_ref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        let callers: Vec<&str> =
            invariant.call_string.iter().map(|caller| program.functions[*caller].name.as_str()).collect();
        let from = if callers.is_empty() { String::new() } else { format!(" from {}", callers.join(", ")) };
        let title = format!("{name} {}, line {}{from}", invariant.location, invariant.span.line);
        let file = format!("{:04}-{name}-{}", drawings.len(), invariant.location);
        drawings.push((file, Drawing::side_by_side(title, &invariant.drawings)));
    }
    if let (Some(name), []) = (&options.function, drawings.as_slice()) {
        let message = format!("no run from `{}` is seen to enter `{name}`", program.functions[entry].name);
        return Err(CannotRun::usage(message, "name the function to start from with --entry"));
    }
    let Some(directory) = &options.directory else {
        return match (options.picture.unwrap_or(Picture::Dot), drawings.as_slice()) {
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
    match options.picture.unwrap_or(Picture::Dot) {
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
