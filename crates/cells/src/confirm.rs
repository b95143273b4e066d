//! Concrete runs behind a path of a cell program: `interp` has the last word on what an engine suspects.

use crate::program::{CellProgram, StepId};
use heapwise_engine::{Control, Finding, Kind, Options};
use heapwise_interp::{Explicit, Limits};
use heapwise_ir::{EdgeId, FunctionId, Instruction, Program};

/// How far `interp` looks for the run behind a path.
const LIMITS: Limits = Limits { states: 2_000, steps: 400_000, segment: 20_000, random_steps: 0, walk: 0 };

/// Looks for a concrete run that fails so at the last step of a path, along that path.
pub fn confirm(
    program: &Program,
    options: &Options,
    control: &Control,
    cells: &CellProgram,
    path: &[StepId],
    kind: Kind,
) -> Option<Finding> {
    let last = *path.last()?;
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
    let explicit = Explicit { limits: LIMITS };
    explicit.confirm(program, options, control, kind, cells.steps[last].span, &guide)
}

/// Calls are left out of a guide: a run notes them when they return.
fn is_call(program: &Program, function: FunctionId, edge: EdgeId) -> bool {
    let automaton = program.functions[function].automaton();
    automaton.is_some_and(|automaton| matches!(automaton.edges[edge].instruction, Instruction::Call { .. }))
}
