//! What an engine suspects at a step of a cell program, and the path of `ir` edges behind it.

use crate::describe::{issue_message, trace};
use crate::issue::Issue;
use crate::program::{CellProgram, Command, Step, StepId};
use heapwise_confirm::{Confirmer, EdgePath, Effort, Suspicion, possible};
use heapwise_engine::{Drawing, Finding, Kind, Statement};
use heapwise_ir::callbacks::Expansion;
use heapwise_ir::{Expression, Instruction, Program, Span};

/// An error that may be real, with the abstract path to it.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// The step that fails.
    pub step: StepId,
    /// What.
    pub issue: Issue,
    /// Steps from the start of the program, the failing one last.
    pub path: Vec<StepId>,
    /// The heap that shows it, where the words alone do not.
    pub heap: Option<Drawing>,
}

/// Suspects, in the order of the steps, with the program that they are about.
pub fn suspected(cells: &CellProgram, mut suspects: Vec<Suspect>) -> Vec<Suspected<'_>> {
    suspects.sort_by_key(|suspect| suspect.step);
    suspects.into_iter().map(|suspect| Suspected { cells, suspect }).collect()
}

/// A suspect, with its program.
#[derive(Clone, Debug)]
pub struct Suspected<'c> {
    /// The program.
    pub cells: &'c CellProgram,
    /// The suspect.
    pub suspect: Suspect,
}

impl Suspected<'_> {
    /// Looks for a concrete run that fails so, along a path of the cell program.
    pub fn confirm(&self, confirmer: Confirmer<'_>, path: &[StepId], effort: Effort) -> Option<Finding> {
        confirmer.along(self, &edge_path(confirmer.program, self.cells, path), effort)
    }

    fn step(&self) -> &Step {
        &self.cells.steps[self.suspect.step]
    }
}

impl Suspicion for Suspected<'_> {
    fn kind(&self) -> Kind {
        self.suspect.issue.kind()
    }

    fn at(&self) -> Statement {
        let step = self.step();
        Statement { function: self.cells.frames[step.frame as usize].function, span: step.span }
    }

    /// A value that is loaded and missing is missed where it is used.
    fn also_fails_at(&self, program: &Program) -> Vec<Span> {
        match (self.kind(), &self.step().command) {
            (Kind::Uninitialised, Command::Load { target: None, .. } | Command::Use { .. }) => {
                uses(program, self.cells, self.step())
            }
            _ => Vec::new(),
        }
    }

    fn follows_from(&self, confirmed: Kind) -> bool {
        let by_free = matches!(self.step().command, Command::Free { .. });
        let is_misuse = matches!(confirmed, Kind::UseAfterFree | Kind::DoubleFree);
        is_misuse && by_free && self.suspect.issue == Issue::Lost
    }

    fn possible(&self) -> Finding {
        let message = issue_message(self.cells, self.step(), &self.suspect.issue);
        let mut trace = trace(self.cells, &self.suspect.path, &message);
        if let Some(last) = trace.last_mut() {
            last.heap.clone_from(&self.suspect.heap);
        }
        possible(self.kind(), self.at(), message, trace)
    }
}

/// The edges that the steps of a path come from, but for those of calls that were written out: runs do not know them.
pub fn edge_path(program: &Program, cells: &CellProgram, path: &[StepId]) -> EdgePath {
    let steps = path.iter().map(|step| &cells.steps[*step]);
    let edges = steps.filter_map(|step| Some((cells.frames[step.frame as usize].function, step.edge?)));
    EdgePath::new(program, edges.filter(|(function, edge)| !Expansion::is_new(program, *function, *edge)))
}

/// How many uses of a value are looked at.
const MAX_USES: usize = 3;

/// Where the value that a step loads is used: a run fails there if the value is missing, and not where it is loaded.
fn uses(program: &Program, cells: &CellProgram, load: &Step) -> Vec<Span> {
    let function = cells.frames[load.frame as usize].function;
    let (Some(automaton), Some(edge)) = (program.functions[function].automaton(), load.edge) else { return Vec::new() };
    let Some(Instruction::Load { target, .. }) = automaton.edges.get(edge).map(|edge| &edge.instruction) else {
        return Vec::new();
    };
    let mut registers = vec![*target];
    let mut spans = Vec::new();
    // Copies pass the value on, and so do conversions.
    let mut next = 0;
    while let Some(register) = registers.get(next).copied() {
        next += 1;
        for edge in automaton.edges.values() {
            let mut reads = false;
            edge.instruction.for_each_register_read(|read| reads |= read == register);
            if !reads {
                continue;
            }
            if let Instruction::Assign { target, value: Expression::Operand(_) | Expression::Convert { .. } } =
                &edge.instruction
            {
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
