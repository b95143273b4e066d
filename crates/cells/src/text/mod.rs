//! The text form of cell programs, for people: what an engine really runs on.
//!
//! ```text
//! cell struct node, 16 bytes: next -> struct node, value
//!
//! main:
//!   l0 -> l1: list = 0
//!   l1 -> l2: p = alloc struct node  // line 7
//!   l1 -> l9: p = 0  // line 7
//!   l2 -> l3: p->next = list  // line 8
//! push/2, called in main line 12:
//!   …
//! ```
//!
//! First come the kinds of cells (links with what they are declared to lead to, data fields, `[]` behind those that no
//! single store writes), the procedures and the contracts. Then the steps, one per line, each under the call string that it
//! happens in: where from, where to, the command, the line of the C text. Steps that no way from the entry point (or from
//! a procedure's) leads to are counted, not shown.
//!
//! A variable has its C name; behind it stands `#2`, `#3` where a call string has several of that name. Variables of another
//! call string have that one's name before them (`main.p`), and a global that a local is called like is `::p`; `p.address` is
//! the register that holds the address of the local `p`. Values that are
//! no cells: integers, `freed`, `ended &x`, `gone`, `uninitialised`, `opaque`, `library`, `nolink`, `outside`, and addresses such as `&head`.

mod command;
mod names;

use crate::procedure::ProcedureId;
use crate::program::{CellKind, CellProgram, DataExtent, LinkTarget, Point, StepId};
use crate::translate::{Translation, type_name};
use heapwise_engine::{Gap, ProgramText};
use heapwise_ir::Program;
use heapwise_ir::entity::EntityRef;
use names::Names;
use std::fmt::Write as _;

impl Translation {
    /// The text of the program, and what of the whole program cannot be followed.
    pub fn text(&self, program: &Program) -> ProgramText {
        let gaps = self.gaps.iter().map(|(span, reason)| Gap { span: *span, reason: reason.clone() });
        ProgramText { text: print(self.source(program), &self.program), gaps: gaps.collect() }
    }
}

/// The whole program; the other one is that which it was made of ([`Translation::source`]).
pub fn print(program: &Program, cells: &CellProgram) -> String {
    let names = Names::new(program, cells);
    let mut text = String::new();
    for kind in cells.kinds.values() {
        let _ = writeln!(text, "{}", kind_line(program, kind));
    }
    for contract in cells.contracts.values() {
        let clauses = contract.requires.iter().map(|clause| format!("requires {}", clause.text));
        let clauses = clauses.chain(contract.ensures.iter().map(|clause| format!("ensures {}", clause.text)));
        let _ = writeln!(text, "contract {}: {}", contract.name, clauses.collect::<Vec<_>>().join(", "));
    }
    for id in cells.procedures.keys() {
        let _ = writeln!(text, "{}", procedure_line(cells, &names, id));
    }
    let order = reading_order(cells);
    for frame in 0..cells.frames.len() as u32 {
        let own: Vec<StepId> = order.iter().copied().filter(|step| cells.steps[*step].frame == frame).collect();
        if own.is_empty() {
            continue;
        }
        if !text.is_empty() && frame == 0 {
            text.push('\n');
        }
        let _ = writeln!(text, "{}{}:", names.frame(frame), called_from(program, cells, &names, frame));
        for id in own {
            let _ = writeln!(text, "  {}", step_line(cells, &names, id));
        }
    }
    let hidden = cells.outgoing.values().map(Vec::len).sum::<usize>() - order.len();
    if hidden > 0 {
        let _ = writeln!(text, "// {hidden} steps that nothing leads to are not shown");
    }
    text
}

/// One step, as [`print`] shows it.
pub fn step(program: &Program, cells: &CellProgram, id: StepId) -> String {
    step_line(cells, &Names::new(program, cells), id)
}

fn step_line(cells: &CellProgram, names: &Names<'_>, id: StepId) -> String {
    let step = &cells.steps[id];
    let command = names.command(&step.command, step.frame);
    let line = if step.span.line == 0 { String::new() } else { format!("  // line {}", step.span.line) };
    format!("{} -> {}: {command}{line}", step.from, step.to)
}

fn kind_line(program: &Program, kind: &CellKind) -> String {
    let mut fields: Vec<(u64, String)> = Vec::new();
    for link in &kind.links {
        let target = match link.target {
            LinkTarget::Same => kind.name.clone(),
            LinkTarget::Other(ty) => type_name(program, ty),
        };
        fields.push((link.offset, format!("{} -> {target}", link.name)));
    }
    for field in &kind.data {
        let array = match field.extent {
            DataExtent::Scalar => "",
            DataExtent::Aggregate => "[]",
        };
        fields.push((field.offset, format!("{}{array}", field.words())));
    }
    fields.sort();
    let fields: Vec<String> = fields.into_iter().map(|(_, words)| words).collect();
    format!("cell {}, {} bytes: {}", kind.name, kind.size, fields.join(", "))
}

fn procedure_line(cells: &CellProgram, names: &Names<'_>, id: ProcedureId) -> String {
    let procedure = &cells.procedures[id];
    let frame = cells.procedure_frame(id).unwrap_or(0);
    let parameters: Vec<String> =
        procedure.parameters.iter().map(|var| var.map_or("_".into(), |var| names.var(var, frame))).collect();
    let mut line = format!("procedure {}({})", names.frame(frame), parameters.join(", "));
    if let Some(result) = procedure.result {
        let _ = write!(line, " = {}", names.var(result, frame));
    }
    if !procedure.references.is_empty() {
        let references: Vec<String> = procedure.references.iter().map(|var| names.var(*var, frame)).collect();
        let _ = write!(line, " with {}", references.join(", "));
    }
    format!("{line}: {} to {}", procedure.entry, procedure.exit)
}

/// Who calls, for a frame that was inlined.
fn called_from(program: &Program, cells: &CellProgram, names: &Names<'_>, frame: u32) -> String {
    let description = &cells.frames[frame as usize];
    match (description.caller, description.returns) {
        (Some((caller, edge)), Some(_)) => {
            let function = &program.functions[cells.frames[caller as usize].function];
            let line = function.automaton().map_or(0, |automaton| automaton.edges[edge].span.line);
            let line = if line == 0 { String::new() } else { format!(" line {line}") };
            format!(", called in {}{line}", names.frame(caller))
        }
        // The entry point, and procedures, which have many callers.
        (None, _) | (Some(_), None) => String::new(),
    }
}

/// The steps that are reached, in an order to read them in: straight-line code stays together.
fn reading_order(cells: &CellProgram) -> Vec<StepId> {
    let mut seen = vec![false; cells.outgoing.len()];
    let mut order = Vec::new();
    let mut stack: Vec<Point> = cells.procedures.values().rev().map(|procedure| procedure.entry).collect();
    stack.push(cells.entry());
    while let Some(point) = stack.pop() {
        if std::mem::replace(&mut seen[point.index()], true) {
            continue;
        }
        order.extend(&cells.outgoing[point]);
        stack.extend(cells.outgoing[point].iter().rev().map(|step| cells.steps[*step].to));
    }
    order
}
