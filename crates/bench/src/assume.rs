//! The table `assume`: the questions of the paper's running example, put to every prover in one run.
//!
//! The questions are those that `assume` asks; beside them stands how many the algorithm asks as the paper prints it (figures
//! 4 and 5), which asks about each value by itself. All provers get the same formulas; a prover that is not installed is
//! named as such.

use crate::table::Table;
use crate::{BenchError, Options};
use heapwise_logic::Formula;
use heapwise_logic::text::Parser;
use heapwise_prover::{Answer, Backend, Limits, Prover, Session, Statistics, Theory};
use heapwise_tvl::action::{Differencing, Framework};
use heapwise_tvl::blur::Abstraction;
use heapwise_tvl::coerce::Constraints;
use heapwise_tvl::rules::{Derivation, rules};
use heapwise_tvl::structure::Structure;
use heapwise_tvl::symbolic::explore::Settings;
use heapwise_tvl::symbolic::operations::assume;
use heapwise_tvl::symbolic::printed::assume_as_printed;
use heapwise_tvl::tvp::preprocess::NoFiles;
use heapwise_tvl::tvp::{parse_library, tvs};
use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The predicates of the paper (table 1) and its rules (section 2.3).
const VOCABULARY: &str = "%p x(v) unique pointer\n%p y(v) unique pointer\n%p n(v, w) function\n\
    %i is(v) = E(a, b) (a != b & n(a, v) & n(b, v))\n";
/// Figure 2(S).
const STRUCTURE: &str =
    "%n = {u1, u2} %p = { sm = {u2:1/2} x = {u1} y = {u1:1/2, u2:1/2} n = {u1->u2:1/2, u2->u2:1/2} }";
/// x->n == y and y is not null.
const CONDITION: &str = "(E(v, w) x(v) & n(v, w) & y(w))";
/// Not both an edge from y's cell to the rest and an edge inside the rest.
const NOT_BOTH: &str =
    "!((E(v, w) y(v) & n(v, w) & !x(w) & !y(w)) & (E(v, w) !x(v) & !y(v) & n(v, w) & !x(w) & !y(w)))";

/// The algorithm whose questions all provers get.
const ASSUME: &str = "assume";
/// How long a prover may think about one question: one that searches for finite models of rules which also have infinite
/// ones might go on for ever.
const PER_QUESTION: Duration = Duration::from_secs(30);

/// Asks a prover and gives the number of structures.
type Algorithm<'a> = dyn Fn(&mut dyn Prover) -> usize + 'a;

/// A question that was asked, with its answer.
struct Question {
    theory: Rc<Theory>,
    extra: Vec<Formula>,
    satisfiable: Option<bool>,
}

/// A prover that keeps the questions put to another.
struct Recorder {
    inner: Box<dyn Prover>,
    questions: Rc<RefCell<Vec<Question>>>,
}

struct Recording<'a> {
    inner: Box<dyn Session + 'a>,
    theory: Rc<Theory>,
    questions: Rc<RefCell<Vec<Question>>>,
}

impl Prover for Recorder {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn open(&mut self, theory: &Theory) -> Box<dyn Session + '_> {
        let (kept, questions) = (Rc::new(theory.clone()), self.questions.clone());
        Box::new(Recording { inner: self.inner.open(theory), theory: kept, questions })
    }

    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }
}

impl Session for Recording<'_> {
    fn check(&mut self, extra: &[&Formula]) -> Answer {
        let answer = self.inner.check(extra);
        let satisfiable = decided(&answer);
        let extra = extra.iter().map(|f| (*f).clone()).collect();
        self.questions.borrow_mut().push(Question { theory: self.theory.clone(), extra, satisfiable });
        answer
    }
}

fn decided(answer: &Answer) -> Option<bool> {
    match answer {
        Answer::Satisfiable(_) => Some(true),
        Answer::Unsatisfiable => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// Runs the example and prints the tables.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<(), BenchError> {
    let library = parse_library("table1.tvp", VOCABULARY, &NoFiles, &[], &[]).map_err(specification)?;
    let vocabulary = library.vocabulary;
    let input = tvs::parse("figure2.tvs", STRUCTURE, &vocabulary, &NoFiles, &[]).map_err(specification)?;
    let input: Vec<Structure> = input.structures.into_iter().map(|(_, s)| s).collect();
    let framework = Framework {
        constraints: Constraints::new(&vocabulary, rules(&vocabulary, &[], Derivation::Automatic)),
        abstraction: Abstraction::new(&vocabulary),
        vocabulary,
        differencing: Differencing::Derived,
    };
    let mut results = Table::new(&["condition", "algorithm", "structures", "questions"]);
    let mut recorded = Vec::new();
    for (name, text) in
        [("x->n == y", CONDITION.to_owned()), ("and not both edges", format!("{CONDITION} & {NOT_BOTH}"))]
    {
        let formula = Parser::formula_from("condition", &text, &framework.vocabulary).map_err(specification)?;
        let algorithms: [(&str, &Algorithm<'_>); 2] = [
            (ASSUME, &|prover| {
                assume(&framework, &formula, &input, prover, Settings::default()).outcome.structures.len()
            }),
            ("figures 4 and 5", &|prover| assume_as_printed(&framework, &formula, &input, prover).len()),
        ];
        for (algorithm, count) in algorithms {
            let questions = Rc::new(RefCell::new(Vec::new()));
            let inner = Backend::Builtin.prover(Limits::default());
            let structures = count(&mut Recorder { inner, questions: questions.clone() });
            let asked = questions.take();
            results.push(vec![name.to_owned(), algorithm.to_owned(), structures.to_string(), asked.len().to_string()]);
            if algorithm == ASSUME {
                recorded.push((name.to_owned(), asked));
            }
        }
    }
    results.print(out)?;
    writeln!(out)?;
    let (table, disagreements) = compare(&recorded);
    table.print(out)?;
    writeln!(out, "\nunknown: not settled within {} s per question", PER_QUESTION.as_secs())?;
    for missing in Backend::ALL.into_iter().filter(|backend| !backend.is_available()) {
        writeln!(out, "{}: `{}` is not on the PATH", missing.name(), missing.program().unwrap_or_default())?;
    }
    if let Some(path) = &options.csv {
        let mut file = std::fs::File::create(path).map_err(BenchError::file(path))?;
        table.write_csv(&mut file).map_err(BenchError::file(path))?;
    }
    if disagreements > 0 {
        return Err(BenchError::Disagreement(disagreements));
    }
    Ok(())
}

fn specification(error: heapwise_logic::text::TextError) -> BenchError {
    BenchError::Specification(error.to_string())
}

/// What a prover made of some questions.
#[derive(Clone, Copy, Default)]
struct Score {
    satisfiable: usize,
    unsatisfiable: usize,
    unknown: usize,
    disagreements: usize,
    time: Duration,
}

impl Score {
    fn of(prover: &mut dyn Prover, questions: &[Question]) -> Score {
        let mut score = Score::default();
        let start = Instant::now();
        for question in questions {
            let extra: Vec<&Formula> = question.extra.iter().collect();
            let answer = decided(&prover.open(&question.theory).check(&extra));
            match answer {
                Some(true) => score.satisfiable += 1,
                Some(false) => score.unsatisfiable += 1,
                None => score.unknown += 1,
            }
            let contradicts = answer.is_some() && question.satisfiable.is_some() && answer != question.satisfiable;
            score.disagreements += usize::from(contradicts);
        }
        score.time = start.elapsed();
        score
    }

    fn add(&mut self, other: Score) {
        self.satisfiable += other.satisfiable;
        self.unsatisfiable += other.unsatisfiable;
        self.unknown += other.unknown;
        self.disagreements += other.disagreements;
        self.time += other.time;
    }

    fn cells(&self, builtin: Duration) -> Vec<String> {
        let counts = [self.satisfiable, self.unsatisfiable, self.unknown, self.disagreements];
        let mut cells: Vec<String> = counts.iter().map(usize::to_string).collect();
        cells.push(format!("{:.1}", self.time.as_secs_f64() * 1000.0));
        cells.push(format!("{:.1}", self.time.as_secs_f64() / builtin.as_secs_f64().max(1e-9)));
        cells
    }
}

/// Every prover on all questions, each question in a session of its own; and how often an answer contradicts another.
fn compare(recorded: &[(String, Vec<Question>)]) -> (Table, usize) {
    let header = ["questions of", "prover", "sat", "unsat", "unknown", "disagree", "total ms", "times builtin"];
    let mut table = Table::new(&header);
    let mut disagreements = 0;
    let limits = Limits { per_query: PER_QUESTION, ..Limits::default() };
    let mut totals: Vec<(Backend, Score)> =
        Backend::ALL.into_iter().filter(|b| b.is_available()).map(|b| (b, Score::default())).collect();
    let mut push = |name: &str, prover: &str, cells: Vec<String>| {
        table.push([vec![name.to_owned(), prover.to_owned()], cells].concat());
    };
    for (name, questions) in recorded {
        let mut builtin = Duration::ZERO;
        for (backend, total) in &mut totals {
            let score = Score::of(&mut *backend.prover(limits.clone()), questions);
            if *backend == Backend::Builtin {
                builtin = score.time;
            }
            total.add(score);
            disagreements += score.disagreements;
            push(name, backend.name(), score.cells(builtin));
        }
    }
    let builtin = totals.iter().find(|(b, _)| *b == Backend::Builtin).map_or(Duration::ZERO, |(_, score)| score.time);
    for (backend, total) in &totals {
        push("all", backend.name(), total.cells(builtin));
    }
    (table, disagreements)
}
