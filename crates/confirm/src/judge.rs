//! What becomes of suspicions: confirmed findings, possible ones, or nothing besides another finding.

use heapwise_engine::{Certainty, Finding, Kind, Statement, Subject, TraceStep};
use heapwise_ir::{Program, Span};

/// An error that an abstraction does not exclude.
pub trait Suspicion {
    /// What.
    fn kind(&self) -> Kind;

    /// The statement that fails.
    fn at(&self) -> Statement;

    /// Where else a run may fail for it: a value that is missing is missed where it is used.
    fn also_fails_at(&self, _: &Program) -> Vec<Span> {
        Vec::new()
    }

    /// Whether it may be no error besides a confirmed one of that kind. A cell that a `free` loses is not lost besides if
    /// memory is used after it was freed: what the freed cell led to is the same error.
    fn follows_from(&self, _: Kind) -> bool {
        false
    }

    /// The finding, for which no run was found.
    fn possible(&self) -> Finding;
}

/// A finding that no run shows.
pub fn possible(kind: Kind, at: Statement, message: String, trace: Vec<TraceStep>) -> Finding {
    Finding {
        kind,
        certainty: Certainty::Possible,
        span: at.span,
        function: at.function,
        message,
        trace,
        choices: Vec::new(),
        about: Subject::default(),
        also: Vec::new(),
    }
}

/// Whether a finding is about the suspected error at the suspected place (in any call string).
pub fn is_about(finding: &Finding, suspicion: &impl Suspicion) -> bool {
    let at = suspicion.at();
    (finding.kind, finding.span, finding.function) == (suspicion.kind(), at.span, at.function)
}

/// Adds a finding, unless the same error at the same place is there.
pub fn add(findings: &mut Vec<Finding>, finding: Finding) {
    let key = |finding: &Finding| (finding.kind, finding.span, finding.function);
    if !findings.iter().any(|other| key(other) == key(&finding)) {
        findings.push(finding);
    }
}

/// Goes through suspicions in the order of the program text, and looks for a run behind each that no finding is about.
/// Those without one come back: they are doubtful.
pub fn judge<S: Suspicion>(
    mut suspicions: Vec<S>,
    findings: &mut Vec<Finding>,
    mut look: impl FnMut(&S) -> Option<Finding>,
) -> Vec<S> {
    suspicions.sort_by_key(|suspicion| (suspicion.at().span, suspicion.kind()));
    let mut doubtful: Vec<S> = Vec::new();
    for suspicion in suspicions {
        if findings.iter().any(|finding| is_about(finding, &suspicion)) {
            continue;
        }
        match look(&suspicion) {
            Some(finding) => {
                doubtful.retain(|other| !is_about(&finding, other));
                add(findings, finding);
            }
            None => doubtful.push(suspicion),
        }
    }
    doubtful
}

/// Reports what is left of the doubtful suspicions, and brings all findings into the order of the program text.
pub fn report_possible<S: Suspicion>(doubtful: Vec<S>, findings: &mut Vec<Finding>) {
    let confirmed = findings.iter().filter(|finding| finding.certainty == Certainty::Confirmed);
    let confirmed: Vec<Kind> = confirmed.map(|finding| finding.kind).collect();
    for suspicion in doubtful {
        let follows = confirmed.iter().any(|kind| suspicion.follows_from(*kind));
        if !follows && !findings.iter().any(|finding| is_about(finding, &suspicion)) {
            findings.push(suspicion.possible());
        }
    }
    findings.sort_by_key(|finding| (finding.span, finding.kind));
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwise_ir::{FileId, FunctionId};

    struct Suspected {
        kind: Kind,
        line: u32,
        by_free: bool,
    }

    impl Suspicion for Suspected {
        fn kind(&self) -> Kind {
            self.kind
        }

        fn at(&self) -> Statement {
            at(self.line)
        }

        fn follows_from(&self, confirmed: Kind) -> bool {
            self.by_free && confirmed == Kind::UseAfterFree
        }

        fn possible(&self) -> Finding {
            possible(self.kind, self.at(), "suspected".to_owned(), Vec::new())
        }
    }

    fn at(line: u32) -> Statement {
        Statement { function: FunctionId::from_u32(0), span: Span::at(FileId::from_u32(0), line, 1) }
    }

    fn suspected(kind: Kind, line: u32) -> Suspected {
        Suspected { kind, line, by_free: false }
    }

    fn confirmed(kind: Kind, line: u32) -> Finding {
        Finding { certainty: Certainty::Confirmed, ..possible(kind, at(line), "shown".to_owned(), Vec::new()) }
    }

    fn shown(findings: &[Finding]) -> Vec<(Kind, u32, Certainty)> {
        findings.iter().map(|finding| (finding.kind, finding.span.line, finding.certainty)).collect()
    }

    #[test]
    fn what_no_run_shows_stays_possible_and_what_one_shows_is_confirmed() {
        let mut findings = Vec::new();
        let suspicions = vec![suspected(Kind::Leak, 9), suspected(Kind::NullDereference, 3)];
        let look = |it: &Suspected| (it.kind == Kind::NullDereference).then(|| confirmed(it.kind, it.line));
        let doubtful = judge(suspicions, &mut findings, look);
        report_possible(doubtful, &mut findings);
        let expected = [(Kind::NullDereference, 3, Certainty::Confirmed), (Kind::Leak, 9, Certainty::Possible)];
        assert_eq!(shown(&findings), expected);
    }

    #[test]
    fn a_run_that_fails_elsewhere_stands_for_the_suspicion_of_that_place() {
        // The run behind the first suspicion fails where the second one is: one finding, for both.
        let mut findings = Vec::new();
        let suspicions = vec![suspected(Kind::Leak, 1), suspected(Kind::Leak, 5)];
        let mut asked = Vec::new();
        let doubtful = judge(suspicions, &mut findings, |it| {
            asked.push(it.line);
            (it.line == 1).then(|| confirmed(Kind::Leak, 5))
        });
        assert_eq!((asked, doubtful.len()), (vec![1], 0));
        assert_eq!(shown(&findings), [(Kind::Leak, 5, Certainty::Confirmed)]);
    }

    #[test]
    fn a_doubtful_suspicion_is_dropped_if_a_later_run_shows_it() {
        let mut findings = Vec::new();
        let suspicions = vec![suspected(Kind::Leak, 1), suspected(Kind::Leak, 5)];
        let doubtful = judge(suspicions, &mut findings, |it| (it.line == 5).then(|| confirmed(Kind::Leak, 1)));
        assert!(doubtful.is_empty());
        assert_eq!(shown(&findings), [(Kind::Leak, 1, Certainty::Confirmed)]);
    }

    #[test]
    fn a_loss_by_a_free_is_no_leak_besides_a_use_after_free() {
        let lost = || Suspected { kind: Kind::Leak, line: 7, by_free: true };
        let mut findings = vec![confirmed(Kind::UseAfterFree, 8)];
        report_possible(vec![lost()], &mut findings);
        assert_eq!(shown(&findings), [(Kind::UseAfterFree, 8, Certainty::Confirmed)]);
        // A possible one proves nothing.
        let mut findings = vec![suspected(Kind::UseAfterFree, 8).possible()];
        report_possible(vec![lost()], &mut findings);
        assert_eq!(shown(&findings).len(), 2);
    }
}
