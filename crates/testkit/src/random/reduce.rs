//! Smaller programs: every one is well-typed again.

use super::{DataSource, RandomProgram, Statement, Test};

/// Programs that are one step smaller, the boldest steps first.
pub fn reductions(program: &RandomProgram) -> Vec<RandomProgram> {
    let mut found = Vec::new();
    for index in 0..program.functions.len() {
        for body in block_reductions(&program.functions[index].body) {
            let mut smaller = program.clone();
            smaller.functions[index].body = body;
            found.push(smaller);
        }
    }
    found.sort_by_key(RandomProgram::n_statements);
    found
}

/// The smallest program that still fails, by trying smaller ones as long as one fails.
pub fn shrink(program: RandomProgram, mut fails: impl FnMut(&RandomProgram) -> bool) -> RandomProgram {
    let mut smallest = program;
    loop {
        match reductions(&smallest).into_iter().find(&mut fails) {
            Some(smaller) => smallest = smaller,
            None => return smallest,
        }
    }
}

fn block_reductions(block: &[Statement]) -> Vec<Vec<Statement>> {
    let mut found = Vec::new();
    let mut piece = block.len();
    while piece > 0 {
        let mut start = 0;
        while start < block.len() {
            let end = (start + piece).min(block.len());
            found.push([&block[..start], &block[end..]].concat());
            start = end;
        }
        piece /= 2;
    }
    for (index, statement) in block.iter().enumerate() {
        for replacement in statement_reductions(statement) {
            found.push([&block[..index], &replacement, &block[index + 1..]].concat());
        }
    }
    found
}

/// What may stand in place of a statement. Each replacement is smaller: fewer statements, or as many with less in them.
fn statement_reductions(statement: &Statement) -> Vec<Vec<Statement>> {
    let mut found = Vec::new();
    match statement {
        Statement::If(test, then, otherwise) => {
            found.push(then.clone());
            found.push(otherwise.clone());
            for smaller in block_reductions(then) {
                found.push(vec![Statement::If(*test, smaller, otherwise.clone())]);
            }
            for smaller in block_reductions(otherwise) {
                found.push(vec![Statement::If(*test, then.clone(), smaller)]);
            }
            if *test != Test::Any {
                found.push(vec![Statement::If(Test::Any, then.clone(), otherwise.clone())]);
            }
        }
        Statement::While(test, body) => {
            found.push(body.clone());
            for smaller in block_reductions(body) {
                found.push(vec![Statement::While(*test, smaller)]);
            }
            if *test != Test::Any {
                found.push(vec![Statement::While(Test::Any, body.clone())]);
            }
        }
        Statement::Store { base, field, value: Some(_) } => {
            found.push(vec![Statement::Store { base: *base, field: *field, value: None }]);
        }
        Statement::Copy(target, _) | Statement::Load { target, .. } => found.push(vec![Statement::SetNull(*target)]),
        Statement::CopyData { base, source: DataSource::Of(_) | DataSource::OneMoreThan(_) } => {
            found.push(vec![Statement::CopyData { base: *base, source: DataSource::Any }]);
        }
        Statement::CopyData { base, source: DataSource::Any } => {
            found.push(vec![Statement::StoreData { base: *base, value: 0 }]);
        }
        Statement::SetNull(_)
        | Statement::Allocate(..)
        | Statement::Store { .. }
        | Statement::StoreData { .. }
        | Statement::Free(_)
        | Statement::Call { .. }
        | Statement::Assert(_) => {}
    }
    found
}
