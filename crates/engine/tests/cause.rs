//! Which findings are one, and which are not.

use heapwise_engine::{Certainty, Finding, Kind, Statement, Subject, by_cause};
use heapwise_ir::{Program, Span};

/// The places of findings that stay, each with the places that it stands for.
type Places = Vec<(u32, Vec<u32>)>;

fn span(program: &Program, line: u32) -> Span {
    Span::at(program.files.keys().next().expect("there is a file"), line, 1)
}

fn statement(program: &Program, function: &str, line: u32) -> Statement {
    let function = program.function_named(function).expect("it is there");
    let edges = program.functions[function].automaton().expect("it has a body").edges.values();
    let mut spans = edges.map(|edge| edge.span);
    Statement { function, span: spans.find(|span| span.line == line).unwrap_or_else(|| span(program, line)) }
}

fn parse(text: &str) -> Program {
    heapwise_ir::text::parse(&format!("file \"a.c\"\nstruct node {{ next : ptr node; data : i32 }}\n{text}"))
        .expect("the text is well-formed")
}

/// A finding of this kind on a line of `main`.
fn finding(program: &Program, kind: Kind, line: u32) -> Finding {
    let Statement { function, span } = statement(program, "main", line);
    Finding {
        kind,
        certainty: Certainty::Possible,
        span,
        function,
        message: format!("{} on line {line}", kind.name()),
        trace: Vec::new(),
        choices: Vec::new(),
        about: Subject::default(),
        also: Vec::new(),
    }
}

fn places(program: &Program, findings: Vec<Finding>) -> Places {
    let line =
        |finding: &Finding| (finding.span.line, finding.also.iter().map(|elsewhere| elsewhere.at.span.line).collect());
    by_cause(program, findings).iter().map(line).collect()
}

const POINTERS: &str = "
    extern fn get() -> temp r : ptr node
    fn main() -> temp r : i32 {
      var p : ptr node; var q : ptr node; var x : i32; temp t : i32
      entry -> a: p = call get() at 0:1:1
      a -> b: store p->data = 1 at 0:2:1
      b -> c: store p->data = 2 at 0:3:1
      c -> d: q = p at 0:4:1
      d -> e: store q->data = 3 at 0:5:1
      e -> f: p = call get() at 0:6:1
      f -> g: store p->data = 4 at 0:7:1
      g -> h: t = x + 1 at 0:8:1
      h -> i: t = x + 2 at 0:9:1
      i -> j: x = 1 at 0:10:1
      j -> k: t = x + 3 at 0:11:1
      k -> l: t = load p->data at 0:12:1
      l -> m: t = load p->data at 0:13:1
      m -> exit: r = 0
    }";

#[test]
fn one_null_pointer_is_one_finding_wherever_it_is_dereferenced() {
    let program = parse(POINTERS);
    let null = |line| finding(&program, Kind::NullDereference, line);
    assert_eq!(places(&program, vec![null(2), null(3), null(5)]), [(2, vec![3, 5])]);
    // Line 7 has another pointer in the same variable.
    assert_eq!(places(&program, vec![null(2), null(3), null(7)]), [(2, vec![3]), (7, vec![])]);
}

#[test]
fn one_variable_that_nothing_wrote_is_one_finding() {
    let program = parse(POINTERS);
    let unset = |line| finding(&program, Kind::Uninitialised, line);
    assert_eq!(places(&program, vec![unset(8), unset(9)]), [(8, vec![9])]);
    assert_eq!(places(&program, vec![unset(8), unset(11)]), [(8, vec![]), (11, vec![])]);
    assert_eq!(places(&program, vec![unset(12), unset(13)]), [(12, vec![13])]);
    assert_eq!(places(&program, vec![unset(9), unset(12)]), [(9, vec![]), (12, vec![])]);
}

#[test]
fn kinds_are_told_apart_but_for_uses_of_what_one_statement_freed() {
    let program = parse(POINTERS);
    let of = |kind, line| finding(&program, kind, line);
    let mixed = vec![of(Kind::NullDereference, 2), of(Kind::OutOfBounds, 3), of(Kind::UseAfterFree, 5)];
    assert_eq!(places(&program, mixed), [(2, vec![]), (3, vec![]), (5, vec![])]);
    let freed_at = |kind, line, gone: Statement| {
        let about = Subject { gone: Some(gone), ..Subject::default() };
        Finding { about, ..finding(&program, kind, line) }
    };
    let (first, second) = (statement(&program, "main", 2), statement(&program, "main", 3));
    let gone = vec![
        freed_at(Kind::UseAfterFree, 5, first),
        freed_at(Kind::DoubleFree, 7, first),
        freed_at(Kind::UseAfterFree, 12, second),
    ];
    assert_eq!(places(&program, gone), [(5, vec![7]), (12, vec![])]);
}

#[test]
fn a_function_that_frees_or_allocates_for_others_is_no_cause() {
    let program = parse(&format!("{POINTERS}\nfn release(p : ptr node) {{\nentry -> exit: free p at 0:20:1\n}}"));
    let own = statement(&program, "main", 6);
    let other = statement(&program, "release", 20);
    let of = |kind, line, about| Finding { about, ..finding(&program, kind, line) };
    let lost = |line, made| of(Kind::Leak, line, Subject { made: Some(made), ..Subject::default() });
    assert_eq!(places(&program, vec![lost(7, own), lost(12, own)]), [(7, vec![12])]);
    assert_eq!(places(&program, vec![lost(7, other), lost(12, other)]), [(7, vec![]), (12, vec![])]);
    let used = |line| of(Kind::UseAfterFree, line, Subject { gone: Some(other), ..Subject::default() });
    assert_eq!(places(&program, vec![used(2), used(3)]), [(2, vec![]), (3, vec![])]);
}

#[test]
fn a_confirmed_finding_stands_for_possible_ones() {
    let program = parse(POINTERS);
    let possible = finding(&program, Kind::NullDereference, 2);
    let confirmed = Finding { certainty: Certainty::Confirmed, ..finding(&program, Kind::NullDereference, 3) };
    let grouped = by_cause(&program, vec![possible, confirmed]);
    assert_eq!(grouped.iter().map(|finding| finding.certainty).collect::<Vec<_>>(), [Certainty::Confirmed]);
    assert!(grouped[0].covers(Kind::NullDereference, statement(&program, "main", 2)));
    assert!(!grouped[0].covers(Kind::Leak, statement(&program, "main", 2)));
}
