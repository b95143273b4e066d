//! Concrete runs behind a path of a cell program: `interp` has the last word on what an engine suspects.

use crate::program::{CellProgram, Command, Step, StepId};
use heapwise_engine::{Control, Finding, Kind, Options};
use heapwise_interp::{Explicit, Limits, Place};
use heapwise_ir::{EdgeId, Expression, FunctionId, Instruction, Program, Span};

/// How far `interp` looks for the run behind a path.
const LIMITS: Limits = Limits { states: 2_000, steps: 400_000, segment: 20_000, random_steps: 0, walk: 0 };

/// The same for cells that are lost somewhere behind a path: most that look lost are not.
const LIMITS_OF_LOSSES: Limits = Limits { states: 500, steps: 30_000, segment: 5_000, random_steps: 0, walk: 0 };

/// The same where other runs are looked at too.
const LIMITS_OF_A_GLANCE: Limits = Limits { states: 500, steps: 50_000, segment: 20_000, random_steps: 0, walk: 0 };

/// How much is done for one suspicion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// The path itself, and little beside it.
    Glance,
    /// All that is near it.
    Search,
}

/// Looks for a concrete run that fails so at the last step of a path, along that path.
pub fn confirm(
    program: &Program,
    options: &Options,
    control: &Control,
    cells: &CellProgram,
    path: &[StepId],
    kind: Kind,
    effort: Effort,
) -> Option<Finding> {
    let last = *path.last()?;
    let guide = guide(program, cells, path);
    let limits = match effort {
        Effort::Glance => LIMITS_OF_A_GLANCE,
        Effort::Search => LIMITS,
    };
    let explicit = Explicit { limits, ..Explicit::default() };
    let look = |span| explicit.confirm(program, options, control, kind, Place::At(span), &guide);
    let last = &cells.steps[last];
    let found = look(last.span).or_else(|| match (kind, &last.command) {
        (Kind::Uninitialised, Command::Load { target: None, .. }) => {
            uses(program, cells, last).into_iter().find_map(look)
        }
        _ => None,
    });
    found.inspect(|finding| control.hand_out(options, finding))
}

/// Looks for a concrete run that loses a cell, along a path on which no live variable leads to the cell any more. Dead ones
/// may still hold it at the end of the path: where it is lost, the run says.
pub fn confirm_loss(
    program: &Program,
    options: &Options,
    control: &Control,
    cells: &CellProgram,
    path: &[StepId],
) -> Option<Finding> {
    let explicit = Explicit { limits: LIMITS_OF_LOSSES, ..Explicit::default() };
    let found = explicit.confirm(program, options, control, Kind::Leak, Place::Anywhere, &guide(program, cells, path));
    found.inspect(|finding| control.hand_out(options, finding))
}

/// How far `interp` looks around, anywhere: most errors show in small heaps.
const LIMITS_OF_A_LOOK: Limits =
    Limits { states: 2_000, steps: 40_000, segment: 10_000, random_steps: 8_000, walk: 400 };

/// The same where an engine does not come to an end.
const LIMITS_OF_A_LONG_LOOK: Limits =
    Limits { states: 20_000, steps: 400_000, segment: 20_000, random_steps: 100_000, walk: 2_000 };

/// How far to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distance {
    /// A second at most, as a rule.
    Near,
    /// Several.
    Far,
}

/// The errors that short concrete runs show, wherever they are.
pub fn concrete_probe(program: &Program, options: &Options, control: &Control, distance: Distance) -> Vec<Finding> {
    let limits = match distance {
        Distance::Near => LIMITS_OF_A_LOOK,
        Distance::Far => LIMITS_OF_A_LONG_LOOK,
    };
    let findings = Explicit { limits, ..Explicit::default() }.concrete_probe(program, options, control);
    findings.iter().for_each(|finding| control.hand_out(options, finding));
    findings
}

/// The edges of a path.
fn guide(program: &Program, cells: &CellProgram, path: &[StepId]) -> Vec<(FunctionId, EdgeId)> {
    let mut guide: Vec<(FunctionId, EdgeId)> = Vec::new();
    for step in path {
        let step = &cells.steps[*step];
        let function = cells.frames[step.frame as usize].function;
        if let Some(edge) = step.edge
            && !is_call(program, function, edge)
            && guide.last() != Some(&(function, edge))
        {
            guide.push((function, edge));
        }
    }
    guide
}

/// How many uses of a value are looked at.
const MAX_USES: usize = 3;

/// Where the value that a step loads is used: a run fails there if the value is missing, and not where it is loaded.
fn uses(program: &Program, cells: &CellProgram, load: &Step) -> Vec<Span> {
    let function = cells.frames[load.frame as usize].function;
    let (Some(automaton), Some(edge)) = (program.functions[function].automaton(), load.edge) else { return Vec::new() };
    let Instruction::Load { target, .. } = &automaton.edges[edge].instruction else { return Vec::new() };
    let mut registers = vec![*target];
    let mut spans = Vec::new();
    // Copies pass the value on.
    let mut next = 0;
    while let Some(register) = registers.get(next).copied() {
        next += 1;
        for edge in automaton.edges.values() {
            let mut reads = false;
            edge.instruction.for_each_register_read(|read| reads |= read == register);
            if !reads {
                continue;
            }
            if let Instruction::Assign { target, value: Expression::Operand(_) } = &edge.instruction {
                if !registers.contains(target) {
                    registers.push(*target);
                }
            } else if !spans.contains(&edge.span) {
                spans.push(edge.span);
            }
        }
    }
    spans.truncate(MAX_USES);
    spans
}

/// Calls are left out of a guide: a run notes them when they return.
fn is_call(program: &Program, function: FunctionId, edge: EdgeId) -> bool {
    let automaton = program.functions[function].automaton();
    automaton.is_some_and(|automaton| matches!(automaton.edges[edge].instruction, Instruction::Call { .. }))
}
