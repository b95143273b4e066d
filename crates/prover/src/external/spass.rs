//! SPASS in its own input language, one process per question, as Yorsh, Reps and Sagiv used it.

use super::encode::Encoder;
use super::instances::{EXISTS, instances};
use super::process::Conversation;
use super::text::Language;
use super::{DOUBLINGS, LARGEST_UNIVERSE, empty_structure};
use crate::builtin::Shape;
use crate::{Answer, Limits, Prover, Reason, Session, Statistics, Theory};
use heapwise_logic::{Arity, Formula, Predicate};
use std::time::Instant;

/// The prover SPASS.
#[derive(Debug)]
pub struct Spass {
    program: String,
    limits: Limits,
    statistics: Statistics,
}

impl Spass {
    /// SPASS, from the PATH.
    #[must_use]
    pub fn new(limits: Limits) -> Spass {
        Spass::with_command("SPASS", limits)
    }

    /// Another program that behaves like it.
    #[must_use]
    pub fn with_command(program: &str, limits: Limits) -> Spass {
        Spass { program: program.to_owned(), limits, statistics: Statistics::default() }
    }
}

impl Prover for Spass {
    fn name(&self) -> &str {
        "spass"
    }

    fn open(&mut self, theory: &Theory) -> Box<dyn Session + '_> {
        self.statistics.sessions += 1;
        let (program, limits) = (self.program.as_str(), &self.limits);
        Box::new(SpassSession { theory: theory.clone(), program, limits, statistics: &mut self.statistics })
    }

    fn statistics(&self) -> Statistics {
        self.statistics.clone()
    }
}

struct SpassSession<'a> {
    theory: Theory,
    program: &'a str,
    limits: &'a Limits,
    statistics: &'a mut Statistics,
}

impl Session for SpassSession<'_> {
    fn check(&mut self, extra: &[&Formula]) -> Answer {
        let started = Instant::now();
        let answer = match self.ask(extra) {
            Ok(Answer::Unsatisfiable) => empty_structure(&self.theory, extra, self.limits),
            Ok(other) => other,
            Err(reason) => Answer::Unknown(reason),
        };
        self.statistics.record(&answer, started);
        answer
    }
}

/// How a run of SPASS ended.
enum Word {
    Proof,
    Completion,
}

impl SpassSession<'_> {
    fn ask(&mut self, extra: &[&Formula]) -> Result<Answer, Reason> {
        let end = self.limits.end_of_query();
        let mut encoder = Encoder::new(&self.theory);
        let mut problem =
            DfgProblem { predicates: self.theory.signature.predicates().collect(), ..DfgProblem::default() };
        let mut shape = Shape::ExistsForall;
        let mut formulas: Vec<Formula> = Vec::new();
        for formula in self.theory.axioms.iter().chain(extra.iter().copied()) {
            let encoded = encoder.encode(formula).map_err(Reason::OutsideFragment)?;
            shape = shape.and(encoded.shape);
            problem.predicates.extend(encoded.new_predicates);
            formulas.extend(encoded.axioms);
            formulas.push(encoded.formula);
        }
        problem.formulas = formulas.iter().map(|formula| Language::Dfg.write(formula)).collect();
        match (self.run(&problem, end)?, shape) {
            (Word::Proof, _) => return Ok(Answer::Unsatisfiable),
            (Word::Completion, Shape::ExistsForall) => return Ok(Answer::Satisfiable(None)),
            (Word::Completion, Shape::Other) => {}
        }
        // A finite model must be shown. Equations over a bounded universe keep SPASS busy for ever; what they mean for
        // each element does not.
        let (axioms, predicates) = encoder.exact_closures(DOUBLINGS);
        problem.predicates.extend(predicates);
        formulas.extend(axioms);
        for size in [LARGEST_UNIVERSE / 2, LARGEST_UNIVERSE] {
            problem.formulas = formulas.iter().map(|formula| instances(formula, size)).collect();
            problem.constants = size;
            if let Word::Completion = self.run(&problem, end)? {
                return Ok(Answer::Satisfiable(None));
            }
        }
        Ok(Answer::Unknown(Reason::NotFoundUpTo(LARGEST_UNIVERSE)))
    }

    fn run(&self, problem: &DfgProblem, end: Instant) -> Result<Word, Reason> {
        let seconds = end.saturating_duration_since(Instant::now()).as_secs() + 1;
        let arguments = ["-Stdin", "-PGiven=0", "-PProblem=0"].map(str::to_owned);
        // Without quantifiers there is nothing to optimise in Skolem functions, and trying takes most of the time.
        let ground = ["-CNFOptSkolem=0", "-CNFStrSkolem=0"].map(str::to_owned);
        let ground = if problem.constants > 0 { ground.as_slice() } else { &[] };
        let arguments = [arguments.as_slice(), ground, &[format!("-TimeLimit={seconds}")]].concat();
        let mut conversation = Conversation::start(self.program, &arguments)?;
        conversation.say(problem.write());
        conversation.hang_up();
        while let Some(line) = conversation.line(self.limits, end)? {
            if let Some(verdict) = line.strip_prefix("SPASS beiseite: ") {
                return match verdict.trim() {
                    "Proof found." => Ok(Word::Proof),
                    "Completion found." => Ok(Word::Completion),
                    "Ran out of time." => Err(Reason::TimeLimit),
                    other => Err(Reason::GaveUp(other.chars().take(80).collect())),
                };
            }
        }
        Err(Reason::Failed("it ended without an answer".to_owned()))
    }
}

#[derive(Default)]
struct DfgProblem {
    predicates: Vec<(Predicate, Arity)>,
    constants: usize,
    formulas: Vec<String>,
}

impl DfgProblem {
    fn write(&self) -> String {
        let mut out = "begin_problem(heapwise).\nlist_of_descriptions.\nname({*question*}).\nauthor({*heapwise*}).\n\
                       status(unknown).\ndescription({*satisfiable?*}).\nend_of_list.\nlist_of_symbols.\n"
            .to_owned();
        let list = |out: &mut String, kind: &str, items: Vec<String>| {
            if !items.is_empty() {
                out.push_str(&format!("{kind}[{}].\n", items.join(",")));
            }
        };
        list(&mut out, "functions", (0..self.constants).map(|i| format!("(d{i},0)")).collect());
        let exists = (self.constants > 0).then(|| format!("({EXISTS},1)"));
        let declared = self.predicates.iter().map(|(p, arity)| Language::Dfg.declare(*p, *arity));
        list(&mut out, "predicates", declared.chain(exists).collect());
        out.push_str("end_of_list.\nlist_of_formulae(axioms).\n");
        self.formulas.iter().for_each(|formula| out.push_str(&format!("formula({formula}).\n")));
        out.push_str("end_of_list.\nlist_of_formulae(conjectures).\nend_of_list.\nend_problem.\n");
        out
    }
}
