//! What an engine is sure of before it comes to its end.
//!
//! A confirmed finding stays true whatever the engine does next, so it is handed out when it is made: an engine that is
//! stopped, or does not stop in time and is left behind, loses none. Only what a run has shown, of the kind and from the
//! entry point that were asked for, can be handed out.

use crate::finding::{Certainty, Finding};
use crate::options::Options;
use crate::outcome::{Outcome, Verdict};
use std::sync::{Arc, Mutex, PoisonError};

/// The confirmed findings that a running engine has handed out; whoever asked it holds the other end.
#[derive(Clone, Debug)]
pub struct EarlyFindings {
    question: Options,
    findings: Arc<Mutex<Vec<Finding>>>,
}

impl EarlyFindings {
    /// Takes answers to this question.
    pub fn to(question: &Options) -> EarlyFindings {
        EarlyFindings { question: question.clone(), findings: Arc::default() }
    }

    /// Takes a finding that answers `options`, once for each kind and place. One that is only possible, or that answers
    /// another question (the body of a function by itself), is not taken.
    pub fn take(&self, options: &Options, finding: &Finding) {
        let answers = options.entry == self.question.entry
            && options.allocation_failure == self.question.allocation_failure
            && self.question.asks_for(finding.kind);
        if finding.certainty != Certainty::Confirmed || !answers {
            return;
        }
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        if !findings.iter().any(|known| is_same(known, finding)) {
            findings.push(finding.clone());
        }
    }

    /// How many there are: they only get more.
    pub fn count(&self) -> usize {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// All of them, in the order of the text.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner).clone();
        findings.sort_by_key(|finding| (finding.span, finding.kind, finding.function));
        findings
    }

    /// Adds what the answer of the engine does not have, unless it came to its end and says *unsafe* anyway.
    pub fn complete(&self, outcome: &mut Outcome) {
        if outcome.stopped.is_none() && outcome.verdict() == Verdict::Unsafe {
            return;
        }
        for finding in self.findings() {
            match outcome.findings.iter_mut().find(|known| is_same(known, &finding)) {
                Some(known) if known.certainty == Certainty::Possible => *known = finding,
                Some(_) => {}
                None => outcome.findings.push(finding),
            }
        }
        outcome.findings.sort_by_key(|finding| (finding.span, finding.kind));
    }
}

fn is_same(one: &Finding, other: &Finding) -> bool {
    (one.kind, one.span, one.function) == (other.kind, other.span, other.function)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Exhausted;
    use crate::finding::{Kind, Subject};
    use crate::outcome::Stopped;
    use crate::reason::Doing;
    use heapwise_ir::{FunctionId, Span};

    fn finding(kind: Kind, certainty: Certainty) -> Finding {
        Finding {
            kind,
            certainty,
            span: Span::NONE,
            function: FunctionId::from_u32(0),
            message: String::new(),
            trace: Vec::new(),
            choices: Vec::new(),
            about: Subject::default(),
            also: Vec::new(),
        }
    }

    #[test]
    fn only_confirmed_answers_to_the_question_are_taken_and_each_once() {
        let question = Options::new(FunctionId::from_u32(0));
        let early = EarlyFindings::to(&question);
        early.take(&question, &finding(Kind::Leak, Certainty::Possible));
        early.take(&question, &finding(Kind::LeakAtExit, Certainty::Confirmed));
        early.take(&Options::new(FunctionId::from_u32(1)), &finding(Kind::Leak, Certainty::Confirmed));
        assert_eq!(early.count(), 0);
        early.take(&question, &finding(Kind::Leak, Certainty::Confirmed));
        early.clone().take(&question, &finding(Kind::Leak, Certainty::Confirmed));
        assert_eq!(early.findings(), [finding(Kind::Leak, Certainty::Confirmed)]);
    }

    #[test]
    fn nothing_that_was_handed_out_is_lost() {
        let question = Options::new(FunctionId::from_u32(0));
        let early = EarlyFindings::to(&question);
        early.take(&question, &finding(Kind::Leak, Certainty::Confirmed));
        early.take(&question, &finding(Kind::DoubleFree, Certainty::Confirmed));
        let mut forgetful = Outcome::default();
        early.complete(&mut forgetful);
        assert_eq!(forgetful.findings, early.findings());
        let findings = vec![finding(Kind::Shape, Certainty::Confirmed)];
        let mut done = Outcome { findings: findings.clone(), ..Outcome::default() };
        early.complete(&mut done);
        assert_eq!(done.findings, findings, "who came to its end has its own words");
        let stopped = Stopped { why: Exhausted::Time, span: Span::NONE, doing: Doing::Something };
        let findings = vec![finding(Kind::Leak, Certainty::Possible)];
        let mut outcome = Outcome { findings, stopped: Some(stopped), ..Outcome::default() };
        early.complete(&mut outcome);
        assert_eq!(outcome.findings, early.findings());
        assert_eq!(outcome.verdict(), Verdict::Unsafe);
    }
}
