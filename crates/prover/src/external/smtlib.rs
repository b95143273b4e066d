//! SMT-LIB 2: one process per session, questions between push and pop.

use super::encode::{Encoded, Encoder};
use super::process::Conversation;
use super::text::Language;
use super::{DOUBLINGS, LARGEST_UNIVERSE, empty_structure};
use crate::builtin::Shape;
use crate::{Answer, Limits, Prover, Reason, Session, Statistics, Theory};
use heapwise_logic::Formula;
use std::time::Instant;

/// A solver that speaks SMT-LIB 2 on its standard input.
#[derive(Debug)]
pub struct SmtLib {
    name: String,
    program: String,
    arguments: Vec<String>,
    limits: Limits,
    statistics: Statistics,
}

impl SmtLib {
    /// z3, from the PATH.
    #[must_use]
    pub fn z3(limits: Limits) -> SmtLib {
        SmtLib::with_command("z3", "z3", &["-in"], limits)
    }

    /// cvc5, from the PATH.
    #[must_use]
    pub fn cvc5(limits: Limits) -> SmtLib {
        SmtLib::with_command("cvc5", "cvc5", &["--incremental", "--lang=smt2", "--finite-model-find"], limits)
    }

    /// Another solver.
    #[must_use]
    pub fn with_command(name: &str, program: &str, arguments: &[&str], limits: Limits) -> SmtLib {
        SmtLib {
            name: name.to_owned(),
            program: program.to_owned(),
            arguments: arguments.iter().map(|a| (*a).to_owned()).collect(),
            limits,
            statistics: Statistics::default(),
        }
    }
}

impl Prover for SmtLib {
    fn name(&self) -> &str {
        &self.name
    }

    fn open(&mut self, theory: &Theory) -> Box<dyn Session + '_> {
        self.statistics.sessions += 1;
        Box::new(SmtSession {
            theory: theory.clone(),
            running: None,
            program: &self.program,
            arguments: &self.arguments,
            limits: &self.limits,
            statistics: &mut self.statistics,
        })
    }

    fn statistics(&self) -> Statistics {
        self.statistics.clone()
    }
}

struct SmtSession<'a> {
    theory: Theory,
    running: Option<Running>,
    program: &'a str,
    arguments: &'a [String],
    limits: &'a Limits,
    statistics: &'a mut Statistics,
}

/// A solver that knows the theory.
struct Running {
    conversation: Conversation,
    encoder: Encoder,
    shape: Shape,
}

impl Session for SmtSession<'_> {
    fn check(&mut self, extra: &[&Formula]) -> Answer {
        let started = Instant::now();
        let answer = self.ask(extra).unwrap_or_else(|reason| {
            // Whatever state the process is in, the next question does not depend on it.
            self.running = None;
            Answer::Unknown(reason)
        });
        self.statistics.record(&answer, started);
        answer
    }
}

impl SmtSession<'_> {
    fn ask(&mut self, extra: &[&Formula]) -> Result<Answer, Reason> {
        let end = self.limits.end_of_query();
        let answer = self.ask_about_elements(extra, end)?;
        Ok(if answer == Answer::Unsatisfiable { empty_structure(&self.theory, extra, self.limits) } else { answer })
    }

    /// The answer for structures with at least one element.
    fn ask_about_elements(&mut self, extra: &[&Formula], end: Instant) -> Result<Answer, Reason> {
        if self.running.is_none() {
            self.running = Some(self.start()?);
        }
        let Some(running) = &mut self.running else { return Err(Reason::Failed("not running".to_owned())) };
        let mut shape = running.shape;
        let mut declarations = String::new();
        let mut assertions = String::new();
        for formula in extra {
            let encoded = running.encoder.encode(formula).map_err(Reason::OutsideFragment)?;
            shape = shape.and(encoded.shape);
            running.tell(&encoded, &mut declarations, &mut assertions);
        }
        running.conversation.say(format!("{declarations}(push 1)\n{assertions}"));
        let answer = match (running.check(self.limits, end)?, shape) {
            (Word::Unsat, _) => Answer::Unsatisfiable,
            (Word::Sat, Shape::ExistsForall) => Answer::Satisfiable(None),
            (Word::Sat | Word::Unknown, _) => running.search_finite(self.limits, end)?,
        };
        running.conversation.say("(pop 1)\n".to_owned());
        Ok(answer)
    }

    fn start(&self) -> Result<Running, Reason> {
        let conversation = Conversation::start(self.program, self.arguments)?;
        let mut running = Running { conversation, encoder: Encoder::new(&self.theory), shape: Shape::ExistsForall };
        let mut declarations = "(set-logic UF)\n(declare-sort U 0)\n".to_owned();
        for (predicate, arity) in self.theory.signature.predicates() {
            declarations.push_str(&Language::SmtLib.declare(predicate, arity));
        }
        (0..LARGEST_UNIVERSE).for_each(|i| declarations.push_str(&format!("(declare-fun d{i} () U)\n")));
        let mut assertions = String::new();
        for axiom in &self.theory.axioms {
            let encoded = running.encoder.encode(axiom).map_err(Reason::OutsideFragment)?;
            running.shape = running.shape.and(encoded.shape);
            running.tell(&encoded, &mut declarations, &mut assertions);
        }
        running.conversation.say(declarations + &assertions);
        Ok(running)
    }
}

/// The words that a solver answers with.
enum Word {
    Sat,
    Unsat,
    Unknown,
}

impl Running {
    /// Writes a formula: what it defines for good, and what it asserts for now.
    fn tell(&self, encoded: &Encoded, definitions: &mut String, assertions: &mut String) {
        let language = Language::SmtLib;
        for (predicate, arity) in &encoded.new_predicates {
            definitions.push_str(&language.declare(*predicate, *arity));
        }
        for axiom in &encoded.axioms {
            definitions.push_str(&format!("(assert {})\n", language.write(axiom)));
        }
        assertions.push_str(&format!("(assert {})\n", language.write(&encoded.formula)));
    }

    fn check(&mut self, limits: &Limits, end: Instant) -> Result<Word, Reason> {
        self.conversation.say("(check-sat)\n".to_owned());
        match self.conversation.line(limits, end)?.as_deref() {
            Some("sat") => Ok(Word::Sat),
            Some("unsat") => Ok(Word::Unsat),
            Some("unknown") => Ok(Word::Unknown),
            Some(other) => Err(Reason::Failed(format!("it printed `{}`", other.chars().take(80).collect::<String>()))),
            None => Err(Reason::Failed("it ended without an answer".to_owned())),
        }
    }

    /// Looks for a model of at most [`LARGEST_UNIVERSE`] elements, in which closures are exact.
    fn search_finite(&mut self, limits: &Limits, end: Instant) -> Result<Answer, Reason> {
        let language = Language::SmtLib;
        let (axioms, predicates) = self.encoder.exact_closures(DOUBLINGS);
        let mut text = "(push 1)\n".to_owned();
        predicates.iter().for_each(|(predicate, arity)| text.push_str(&language.declare(*predicate, *arity)));
        axioms.iter().for_each(|axiom| text.push_str(&format!("(assert {})\n", language.write(axiom))));
        text.push_str(&format!("(assert {})\n", only(LARGEST_UNIVERSE)));
        self.conversation.say(text);
        let word = self.check(limits, end)?;
        self.conversation.say("(pop 1)\n".to_owned());
        Ok(match word {
            Word::Sat => Answer::Satisfiable(None),
            Word::Unsat => Answer::Unknown(Reason::NotFoundUpTo(LARGEST_UNIVERSE)),
            Word::Unknown => Answer::Unknown(Reason::GaveUp("it answered `unknown`".to_owned())),
        })
    }
}

/// `d0 … d(n-1)` are all there is.
fn only(constants: usize) -> String {
    let cases: Vec<String> = (0..constants).map(|i| format!("(= V d{i})")).collect();
    format!("(forall ((V U)) (or false {}))", cases.join(" "))
}
