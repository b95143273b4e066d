//! `heapwise dump`: the program as the engines see it.

use super::failure::CannotRun;
use super::input::{self, Input};
use super::options::{DumpCommand, Dumped, Picture};
use super::{output, settings};
use heapwise_engine::{Arrow, ArrowStyle, Drawing, Node, NodeStyle};
use heapwise_ir::text::{self, Spans};
use heapwise_ir::{Automaton, Body, Function, Program};
use heapwise_report::drawing::{dot, svg};

pub(crate) fn run(options: &DumpCommand, compiler: Vec<String>) -> Result<u8, CannotRun> {
    let config = settings::configuration(&options.input)?;
    let settings = settings::input(&options.input, &config, compiler);
    let entries = options.function.iter().chain(&settings.entry).cloned().collect();
    let Input { program, warnings: _ } = input::load(&settings, entries)?;
    let text = match options.what {
        Dumped::Ir => text::print(&program, if options.spans { Spans::Shown } else { Spans::Hidden }),
        Dumped::Cfg => automata(&program, options)?,
    };
    output::print(&text)?;
    Ok(0)
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
