//! Allocations by their place in the text: `FILE:LINE`.

use crate::InputError;
use heapwise_engine::Followed;
use heapwise_ir::entity::EntitySet;
use heapwise_ir::{Callee, FileId, FunctionId, Instruction, Operand, Program, Storage};
use std::collections::BTreeSet;

/// A line of a file.
pub(crate) struct Line {
    file: String,
    line: u32,
}

/// Reads `FILE:LINE`.
pub(crate) fn parse(text: &str) -> Option<Line> {
    let (file, line) = text.rsplit_once(':')?;
    let line = line.parse().ok().filter(|line| *line > 0)?;
    (!file.is_empty()).then(|| Line { file: file.to_owned(), line })
}

/// The cells that are allocated on a line, or by functions that are called there.
pub(crate) fn find(program: &Program, at: &Line) -> Result<Followed, InputError> {
    let lines = lines_with_allocations(program);
    let is_meant = |file: &FileId| {
        let path = &program.files[*file].path;
        *path == at.file || path.strip_suffix(at.file.as_str()).is_some_and(|before| before.ends_with('/'))
    };
    let files: Vec<FileId> = program.files.keys().filter(is_meant).collect();
    let found = files.iter().find(|file| lines.contains(&(**file, at.line)));
    if let Some(file) = found {
        return Ok(Followed::Line(*file, at.line));
    }
    let here = lines.iter().filter(|(file, _)| files.contains(file));
    let nearest = here.min_by_key(|(_, line)| (line.abs_diff(at.line), *line));
    let hint = match (nearest, files.is_empty()) {
        (_, true) => "no file of that name is part of the program".to_owned(),
        (Some((_, line)), false) => format!("the nearest allocation is at line {line}"),
        (None, false) => "nothing is allocated in this file".to_owned(),
    };
    Err(InputError::NoAllocation { file: at.file.clone(), line: at.line, hint })
}

fn lines_with_allocations(program: &Program) -> BTreeSet<(FileId, u32)> {
    let allocating = allocating_functions(program);
    let mut lines = BTreeSet::new();
    for function in program.functions.values() {
        for edge in function.automaton().into_iter().flat_map(|automaton| automaton.edges.values()) {
            let makes = match &edge.instruction {
                Instruction::Alloc { storage: Storage::Heap, .. } => true,
                other => called(other).is_some_and(|callee| allocating.contains(callee)),
            };
            if let (true, Some(file)) = (makes, edge.span.file) {
                lines.insert((file, edge.span.line));
            }
        }
    }
    lines
}

fn called(instruction: &Instruction) -> Option<FunctionId> {
    match instruction {
        Instruction::Call { callee: Callee::Direct(callee) | Callee::Indirect(Operand::Function(callee)), .. } => {
            Some(*callee)
        }
        _ => None,
    }
}

/// The functions in which, or below which, heap cells are made.
fn allocating_functions(program: &Program) -> EntitySet<FunctionId> {
    let mut found: EntitySet<FunctionId> = EntitySet::new();
    loop {
        let mut changed = false;
        for (id, function) in &program.functions {
            let edges = || function.automaton().into_iter().flat_map(|automaton| automaton.edges.values());
            let allocates = edges().any(|edge| match &edge.instruction {
                Instruction::Alloc { storage: Storage::Heap, .. } => true,
                other => called(other).is_some_and(|callee| found.contains(callee)),
            });
            if allocates {
                changed |= found.insert(id);
            }
        }
        if !changed {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_file_and_a_line() {
        let line = parse("a:b.c:12").unwrap();
        assert_eq!((line.file.as_str(), line.line), ("a:b.c", 12));
        assert!(
            parse("a.c").is_none() && parse("a.c:0").is_none() && parse(":3").is_none() && parse("a.c:x").is_none()
        );
    }
}
