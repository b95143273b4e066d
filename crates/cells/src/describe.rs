//! Findings and the steps to them in words, with the user's own names.

use crate::atom::{Atom, Var};
use crate::issue::Issue;
use crate::program::{Access, CellProgram, Command, Source, Step, StepId, VariableStorage};
use crate::touch::Touched;
use heapwise_engine::reason::ContractBreach;
use heapwise_engine::{Certainty, Kind, Note, Options, TraceStep};
use heapwise_ir::{CompareOperator, Span};

/// What a step may do wrong: no run shows it.
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
            Kind::NullDereference => format!("{named} may be dereferenced while null"),
            Kind::UseAfterFree => format!("{named} may be dereferenced after what it points to was freed"),
            Kind::DoubleFree => format!("what {named} points to may be freed twice"),
            Kind::InvalidFree => format!("{named} may be freed and not point to a heap object"),
            Kind::Uninitialised => match pointer {
                Some(_) if matches!(step.command, Command::Load { target: None, .. }) => {
                    format!("a field that was never written may be read through {named}")
                }
                _ => format!("{named} may be used before it is given a value"),
            },
            Kind::OutOfBounds => "an access may lie outside its object".to_owned(),
            Kind::DivisionByZero => "what is divided by may be zero".to_owned(),
            Kind::Overflow => "a result may not fit its type".to_owned(),
            Kind::Assertion => "the assertion may fail".to_owned(),
            Kind::Shape => "the claimed shape may not hold".to_owned(),
            Kind::DanglingReturn => "the address of a local may be returned, whose lifetime ends".to_owned(),
            Kind::Leak | Kind::LeakAtExit => "memory may be lost".to_owned(),
        },
        Issue::Lost => match &step.command {
            Command::EndScope { .. } => {
                "a local that goes out of scope may hold the last reference to a cell".to_owned()
            }
            Command::Free { .. } => {
                format!("the last reference to a cell may be lost with what {named} points to, which is freed")
            }
            Command::Store { base, access, .. } => {
                let link = behind(program, *base, *access);
                format!("{link} is overwritten and may hold the last reference to a cell")
            }
            _ => "the last reference to a cell may be lost".to_owned(),
        },
        Issue::StillReachable => "cells may be still allocated when the program ends".to_owned(),
        Issue::Broken(breach) => format!("what is claimed may not hold: {}", claimed(breach)),
        // A gap is told as such, never as a finding.
        Issue::Gap(_) => "this is not followed".to_owned(),
    }
}

/// What is claimed and does not hold.
fn claimed(breach: &ContractBreach) -> String {
    match breach {
        ContractBreach::Requires { function, clause } => {
            format!("`{function}` is called without what it requires: {clause}")
        }
        ContractBreach::Ensures { function, clause } => {
            format!("`{function}` returns without what it ensures: {clause}")
        }
        ContractBreach::FreesUnsaid { function } => {
            format!("`{function}` frees a cell, but nothing it ensures speaks of `freed`")
        }
    }
}

/// Notes about the ways that end in errors which were not asked for: nothing is said of what would follow.
pub fn unasked_ends<'a>(
    options: &Options,
    cells: &CellProgram,
    found: impl Iterator<Item = (StepId, &'a Issue)>,
) -> Vec<Note> {
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
    let certainty = Certainty::Possible;
    ends.into_iter().map(|(span, kind)| Note::UnaskedEnd { kind, span, certainty }).collect()
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
            let kind = &program.kinds[*kind].name;
            Some(match is_user(program, *target) {
                true => format!("`{}` is a new `{kind}`", program.vars[*target].name),
                false => format!("a new `{kind}` is allocated"),
            })
        }
        Command::Set { target, value: Atom::NULL } if is_user(program, *target) => {
            Some(format!("`{} = NULL`", program.vars[*target].name))
        }
        Command::Copy { target, source } if is_user(program, *target) && is_user(program, *source) => {
            let (target, source) = (&program.vars[*target].name, &program.vars[*source].name);
            // An argument may have the name of its parameter.
            Some(if target == source { format!("`{source}` is passed on") } else { format!("`{target} = {source}`") })
        }
        Command::Load { target: Some(target), base, access } if is_user(program, *target) => {
            let target = &program.vars[*target].name;
            Some(match expression_behind(program, *base, *access, NESTED) {
                Some(link) => format!("`{target} = {link}`"),
                None => format!("`{target}` becomes what {} points to", name(program, *base)),
            })
        }
        Command::Store { base, access, value } => {
            let value = match value {
                Source::Var(var) => expression(program, *var, NESTED),
                Source::Atom(Atom::NULL) => Some("NULL".to_owned()),
                Source::Atom(_) => return None,
            };
            Some(match (expression_behind(program, *base, *access, NESTED), value) {
                (Some(link), Some(value)) => format!("`{link} = {value}`"),
                (_, Some(value)) => format!("{} becomes `{value}`", behind(program, *base, *access)),
                (_, None) => format!("{} is written", behind(program, *base, *access)),
            })
        }
        Command::Free { pointer } => Some(match expression(program, *pointer, NESTED) {
            Some(pointer) => format!("`{pointer}` is freed"),
            None => "a cell is freed".to_owned(),
        }),
        Command::Assume { operator, left, right } => {
            let operand = |source: &Source| match source {
                Source::Var(var) => expression(program, *var, NESTED),
                Source::Atom(Atom::NULL) => Some("NULL".to_owned()),
                Source::Atom(Atom::Int(value)) => Some(value.to_string()),
                Source::Atom(_) => None,
            };
            let (left, right) = (operand(left)?, operand(right)?);
            let operator = match operator {
                CompareOperator::Equal => "==",
                CompareOperator::NotEqual => "!=",
                CompareOperator::Less => "<",
                CompareOperator::LessEqual => "<=",
                CompareOperator::Greater => ">",
                CompareOperator::GreaterEqual => ">=",
            };
            Some(format!("`{left} {operator} {right}`"))
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
    match (expression_behind(program, base, access, NESTED), link_name(program, access)) {
        (Some(expression), _) => format!("`{expression}`"),
        (None, Some(link)) => format!("`{link}` of a cell"),
        (None, None) => format!("what {} points to", name(program, base)),
    }
}

/// How many links an expression is followed through: `a->b->c->d`.
const NESTED: usize = 4;

/// The C expression for an access behind a pointer.
fn expression_behind(program: &CellProgram, base: Var, access: Access, depth: usize) -> Option<String> {
    Some(format!("{}->{}", expression(program, base, depth)?, link_name(program, access)?))
}

/// The C expression that a variable stands for: its name, or for a temporary what it is read from.
fn expression(program: &CellProgram, var: Var, depth: usize) -> Option<String> {
    if is_user(program, var) {
        return Some(program.vars[var].name.clone());
    }
    if depth == 0 {
        return None;
    }
    let mut found: Option<String> = None;
    for step in program.steps.values().filter(|step| step.command.writes() == Some(var)) {
        let expression = match &step.command {
            Command::Load { base, access, .. } => expression_behind(program, *base, *access, depth - 1),
            Command::Copy { source, .. } => expression(program, *source, depth - 1),
            // A temporary that has no value yet.
            Command::Set { value: Atom::Uninit, .. } => continue,
            _ => None,
        };
        let is_other = found.is_some() && found != expression;
        if is_other || expression.is_none() {
            return None;
        }
        found = expression;
    }
    found
}

/// The name of a link, if all records that have one there agree on it.
fn link_name(program: &CellProgram, access: Access) -> Option<&str> {
    let mut names = program.kinds.values().filter_map(|kind| match kind.touched(access) {
        Touched::Link(link) => Some(kind.links[link].name.as_str()),
        Touched::Data { .. } | Touched::Outside | Touched::Part => None,
    });
    let first = names.next()?;
    names.all(|other| other == first).then_some(first)
}

fn is_user(program: &CellProgram, var: Var) -> bool {
    program.vars[var].storage != VariableStorage::Temporary
}

fn name(program: &CellProgram, var: Var) -> String {
    expression(program, var, NESTED).map_or_else(|| "the pointer".to_owned(), |expression| format!("`{expression}`"))
}
