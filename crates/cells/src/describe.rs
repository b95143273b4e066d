//! Findings and the steps to them in words, with the user's own names.

use crate::atom::{Atom, Var};
use crate::issue::Issue;
use crate::program::{Access, CellProgram, Command, Source, Step, StepId, VariableStorage};
use crate::touch::Touched;
use heapwise_engine::{Certainty, Kind, Options, TraceStep, unasked_end};
use heapwise_ir::{CompareOperator, Program, Span};

/// What a step that fails does wrong.
pub fn issue_message(program: &CellProgram, step: &Step, issue: &Issue) -> String {
    let pointer = match &step.command {
        Command::Load { base, .. }
        | Command::Store { base, .. }
        | Command::Fill { base, .. }
        | Command::Touch { base, .. } => Some(*base),
        Command::Free { pointer } => Some(*pointer),
        Command::Use { var, .. } => Some(*var),
        _ => None,
    };
    let named = pointer.map_or_else(|| "a pointer".to_owned(), |var| name(program, var));
    match issue {
        Issue::Error(kind) => match kind {
            Kind::NullDereference => format!("{named} is null and is dereferenced"),
            Kind::UseAfterFree => format!("{named} points to freed memory and is dereferenced"),
            Kind::DoubleFree => format!("{named} points to memory that is already freed"),
            Kind::InvalidFree => format!("{named} does not point to a heap object and is freed"),
            Kind::Uninitialised => match pointer {
                Some(_) if matches!(step.command, Command::Load { target: None, .. }) => {
                    format!("a field that was never written is read through {named}")
                }
                _ => format!("{named} was never given a value and is used"),
            },
            Kind::OutOfBounds => "an access lies outside its object".to_owned(),
            Kind::Assertion => "the assertion does not hold".to_owned(),
            Kind::Shape => "the claimed shape does not hold".to_owned(),
            Kind::DanglingReturn => "the address of a local is returned, whose lifetime ends".to_owned(),
            Kind::Leak | Kind::LeakAtExit => "memory is lost".to_owned(),
        },
        Issue::Lost => match &step.command {
            Command::EndScope { .. } => "a local goes out of scope and held the last reference to a cell".to_owned(),
            Command::Free { .. } => {
                format!("the cell that {named} points to is freed and held the last reference to another")
            }
            Command::Store { .. } => {
                format!("the link of {named} is overwritten and held the last reference to a cell")
            }
            _ => "the last reference to a cell is lost".to_owned(),
        },
        Issue::StillReachable => "cells are still allocated when the program ends".to_owned(),
        Issue::Broken(reason) | Issue::Gap(reason) => reason.clone(),
    }
}

/// Lines about the ways that end in errors which were not asked for: nothing is said of what would follow.
pub fn unasked_ends<'a>(
    program: &Program,
    options: &Options,
    cells: &CellProgram,
    found: impl Iterator<Item = (StepId, &'a Issue)>,
) -> Vec<String> {
    let kind_of = |issue: &Issue| match issue {
        Issue::Error(kind) => Some(*kind),
        Issue::Lost | Issue::StillReachable | Issue::Broken(_) | Issue::Gap(_) => None,
    };
    let mut ends: Vec<(Span, Kind)> = found
        .filter_map(|(step, issue)| Some((cells.steps[step].span, kind_of(issue)?)))
        .filter(|(_, kind)| !options.asks_for(*kind))
        .collect();
    ends.sort_unstable();
    ends.dedup();
    ends.into_iter().map(|(span, kind)| unasked_end(program, kind, span, Certainty::Possible)).collect()
}

/// The steps of a path that a reader wants to see, and the error at its end.
pub fn trace(program: &CellProgram, path: &[StepId], error: &str) -> Vec<TraceStep> {
    let mut steps: Vec<TraceStep> = Vec::new();
    for id in path.iter().take(path.len().saturating_sub(1)) {
        let step = &program.steps[*id];
        if step.span == Span::NONE {
            continue;
        }
        if let Some(message) = step_message(program, &step.command) {
            let function = program.frames[step.frame as usize].function;
            steps.push(TraceStep { span: step.span, function, message, heap: None });
        }
    }
    if let Some(last) = path.last() {
        let step = &program.steps[*last];
        let function = program.frames[step.frame as usize].function;
        steps.push(TraceStep { span: step.span, function, message: error.to_owned(), heap: None });
    }
    steps
}

fn step_message(program: &CellProgram, command: &Command) -> Option<String> {
    match command {
        Command::Alloc { target, kind, .. } => {
            Some(format!("{} is allocated: a new `{}`", name(program, *target), program.kinds[*kind].name))
        }
        Command::Set { target, value: Atom::NULL } if is_user(program, *target) => {
            Some(format!("{} becomes null", name(program, *target)))
        }
        Command::Copy { target, source } if is_user(program, *target) && is_user(program, *source) => {
            let (target, source) = (name(program, *target), name(program, *source));
            // An argument may have the name of its parameter.
            Some(if target == source { format!("{source} is passed on") } else { format!("{target} becomes {source}") })
        }
        Command::Load { target: Some(target), base, access } if is_user(program, *target) => {
            Some(format!("{} becomes {}", name(program, *target), behind(program, *base, *access)))
        }
        Command::Store { base, access, value } => {
            let link = behind(program, *base, *access);
            match value {
                Source::Var(var) => Some(format!("{link} becomes {}", name(program, *var))),
                Source::Atom(Atom::NULL) => Some(format!("{link} becomes null")),
                Source::Atom(_) => None,
            }
        }
        Command::Free { pointer } => Some(format!("{} is freed", name(program, *pointer))),
        Command::Assume { operator, left, right } => {
            let operand = |source: &Source| match source {
                Source::Var(var) => Some(name(program, *var)),
                Source::Atom(Atom::NULL) => Some("null".to_owned()),
                Source::Atom(Atom::Int(value)) => Some(value.to_string()),
                Source::Atom(_) => None,
            };
            let (left, right) = (operand(left)?, operand(right)?);
            let operator = match operator {
                CompareOperator::Equal => "is",
                CompareOperator::NotEqual => "is not",
                CompareOperator::Less => "is less than",
                CompareOperator::LessEqual => "is at most",
                CompareOperator::Greater => "is greater than",
                CompareOperator::GreaterEqual => "is at least",
            };
            Some(format!("{left} {operator} {right}"))
        }
        Command::Contract { contract, .. } => Some(format!("`{}` is called", program.contracts[*contract].name)),
        Command::Call { procedure, .. } => Some(format!("`{}` is called", program.procedures[*procedure].name)),
        Command::Enter { contract, .. } => {
            Some(format!("`{}` is called with what it requires", program.contracts[*contract].name))
        }
        Command::Skip
        | Command::Leave { .. }
        | Command::Set { .. }
        | Command::Copy { .. }
        | Command::Load { .. }
        | Command::Touch { .. }
        | Command::Fill { .. }
        | Command::Case { .. }
        | Command::Retire { .. }
        | Command::Compare { .. }
        | Command::Forget { .. }
        | Command::Shape { .. }
        | Command::Fail { .. }
        | Command::FailWhen { .. }
        | Command::Use { .. }
        | Command::EndScope { .. }
        | Command::End(_)
        | Command::Gap { .. } => None,
    }
}

/// What an access behind a pointer is called: `p->next`, if all records agree on the name.
fn behind(program: &CellProgram, base: Var, access: Access) -> String {
    let mut names = program.kinds.values().filter_map(|kind| match kind.touched(access) {
        Touched::Link(link) => Some(kind.links[link].name.as_str()),
        Touched::Data { .. } | Touched::Outside | Touched::Part => None,
    });
    let first = names.next();
    match first.filter(|first| names.all(|other| other == *first)) {
        Some(link) if is_user(program, base) => format!("`{}->{link}`", program.vars[base].name),
        Some(link) => format!("`{link}` of the cell"),
        None => format!("what {} points to", name(program, base)),
    }
}

fn is_user(program: &CellProgram, var: Var) -> bool {
    program.vars[var].storage != VariableStorage::Temporary
}

fn name(program: &CellProgram, var: Var) -> String {
    if is_user(program, var) { format!("`{}`", program.vars[var].name) } else { "the pointer".to_owned() }
}
