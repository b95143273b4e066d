//! What a run prints: structures per location, totals, messages, and what stands in the way of a proof.

use crate::tvla::{Incomplete, TvlaReport, TvlaVerdict};
use crate::tvp::tvs;
use std::fmt::Write;

impl TvlaReport {
    /// The report as text.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut out = String::new();
        for warning in &self.warnings {
            let _ = writeln!(out, "warning: {warning}");
        }
        for location in self.locations.iter().filter(|l| l.shown) {
            let count = location.structures.len();
            let _ = writeln!(out, "{}: {count} structure{}", location.name, if count == 1 { "" } else { "s" });
        }
        let _ = writeln!(
            out,
            "total: {} structures in {} locations, at most {} in one; {} produced",
            self.total(),
            self.locations.len(),
            self.largest(),
            self.produced
        );
        for message in &self.messages {
            let _ = writeln!(
                out,
                "message at {}, {}: {} ({} structure{})",
                message.location,
                message.action,
                message.text,
                message.structures,
                if message.structures == 1 { "" } else { "s" }
            );
        }
        for reason in &self.incomplete {
            out.push_str(&self.explain(reason));
        }
        let _ = writeln!(
            out,
            "{}",
            match self.verdict() {
                TvlaVerdict::Verified => "verified",
                TvlaVerdict::Violated => "violated",
                TvlaVerdict::Unknown => "unknown",
            }
        );
        out
    }

    fn explain(&self, reason: &Incomplete) -> String {
        match reason {
            Incomplete::Contradiction { action, place, rule, structure } => {
                let shown = tvs::print(structure, &self.specification.vocabulary);
                let indented: String = shown.lines().map(|l| format!("    {l}\n")).collect();
                format!(
                    "stopped: after the action `{action}` ({place}) a structure breaks the rule\n  {rule}\n\
                     \x20 Either the action's updates lead out of what the rules allow, or the structure before it stands for no \
                     concrete one.\n  Before the update it was\n{indented}"
                )
            }
            Incomplete::Disagreement { action, place, structure } => {
                let shown = tvs::print(structure, &self.specification.vocabulary);
                let indented: String = shown.lines().map(|l| format!("    {l}\n")).collect();
                format!(
                    "stopped: in the action `{action}` ({place}) two ways to derive the new value of an instrumentation \
                     predicate disagree\n\x20 The values of instrumentation predicates before it do not fit their \
                     definitions, or the structure stands for no concrete one.\n  Before the update it was\n{indented}"
                )
            }
            Incomplete::Dropped(1) => "1 structure that broke a rule was dropped: this is no proof\n".to_owned(),
            Incomplete::Dropped(n) => format!("{n} structures that broke a rule were dropped: this is no proof\n"),
            Incomplete::TooLarge { action, place } => {
                format!("stopped: in `{action}` ({place}) a structure needs more than 64 individuals\n")
            }
            Incomplete::TooManyStructures(limit) => format!("stopped: more than {limit} structures\n"),
            Incomplete::OutOfTime => "stopped: out of time\n".to_owned(),
            Incomplete::NoInput => "no input structure is left: nothing was analysed\n".to_owned(),
        }
    }
}
