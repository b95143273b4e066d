//! Names of findings that stay the same when unrelated text changes: what a baseline goes by.
//!
//! A name is made of the kind, the function, the text of the statement and that of the allocation; lines and columns are no part of it,
//! nor are spaces. Findings of which all that is the same are counted, in the order of the text.

use heapwise_engine::Finding;
use heapwise_ir::{FunctionId, Program, Span};
use std::collections::BTreeMap;

/// The names of these findings, in their order.
pub(crate) fn of(program: &Program, findings: &[Finding]) -> Vec<String> {
    let texts: Vec<String> = findings.iter().map(|finding| text_of(program, finding)).collect();
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.sort_by_key(|at| findings[*at].span);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut names = vec![String::new(); findings.len()];
    for at in order {
        let count = seen.entry(&texts[at]).or_insert(0);
        *count += 1;
        names[at] = format!("{:016x}", heapwise_ir::fingerprint(format!("{}\0{count}", texts[at]).as_bytes()));
    }
    names
}

fn text_of(program: &Program, finding: &Finding) -> String {
    let mut parts = vec![finding.kind.name().to_owned(), name(program, finding.function), words(program, finding.span)];
    if let Some(made) = finding.about.made {
        parts.push(name(program, made.function));
        parts.push(words(program, made.span));
    }
    parts.join("\0")
}

fn name(program: &Program, function: FunctionId) -> String {
    program.functions.get(function).map(|function| function.name.clone()).unwrap_or_default()
}

/// The text of a span on its first line, with single spaces.
fn words(program: &Program, span: Span) -> String {
    let Some(file) = span.file.and_then(|file| program.files.get(file)) else { return String::new() };
    let Some(line) = file.text.lines().nth((span.line as usize).saturating_sub(1)) else { return String::new() };
    let start = (span.column as usize).saturating_sub(1).min(line.len());
    let end = if span.end_line == span.line { (span.end_column as usize).saturating_sub(1) } else { line.len() };
    let text = line.get(start..end.clamp(start, line.len())).unwrap_or(line);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwise_engine::{Certainty, Kind, Subject};
    use heapwise_ir::SourceFile;

    fn program(text: &str) -> Program {
        let mut program = heapwise_ir::text::parse("fn f() { entry -> exit: skip }").unwrap();
        program.files.push(SourceFile { path: "a.c".to_owned(), text: text.to_owned() });
        program
    }

    fn finding(program: &Program, line: u32, columns: (u32, u32)) -> Finding {
        let span =
            Span { file: program.files.keys().next(), line, column: columns.0, end_line: line, end_column: columns.1 };
        Finding {
            kind: Kind::Leak,
            certainty: Certainty::Possible,
            span,
            function: program.function_named("f").unwrap(),
            message: format!("lost at line {line}"),
            trace: Vec::new(),
            choices: Vec::new(),
            about: Subject::default(),
            also: Vec::new(),
        }
    }

    #[test]
    fn lines_and_spaces_do_not_matter_but_the_text_does() {
        let one = program("p = 0;\nq = 0;\n");
        let two = program("\n/* more */\n  p  =  0;\nq = 0;\n");
        let first = of(&one, &[finding(&one, 1, (1, 6)), finding(&one, 2, (1, 6))]);
        let second = of(&two, &[finding(&two, 3, (3, 10)), finding(&two, 4, (1, 6))]);
        assert_eq!(first, second);
        assert_ne!(first[0], first[1]);
    }

    #[test]
    fn the_same_text_twice_is_counted_in_the_order_of_the_text() {
        let program = program("p = 0;\np = 0;\n");
        let here = [finding(&program, 1, (1, 6)), finding(&program, 2, (1, 6))];
        let names = of(&program, &here);
        assert_ne!(names[0], names[1]);
        let [first, second] = here;
        let other = of(&program, &[second, first]);
        assert_eq!((&names[0], &names[1]), (&other[1], &other[0]));
    }
}
