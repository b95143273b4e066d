//! Findings that are known already: the names of those in an earlier report.

use crate::json::VERSION;
use crate::record::Unreadable;
use serde::Deserialize;
use std::collections::BTreeSet;

/// The names of known findings.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Baseline(BTreeSet<String>);

#[derive(Deserialize)]
struct Document {
    version: u32,
    findings: Vec<Known>,
}

#[derive(Deserialize)]
struct Known {
    fingerprint: String,
}

impl Baseline {
    /// Reads a report that [`crate::json::render`] wrote.
    pub fn parse(text: &str) -> Result<Baseline, Unreadable> {
        let document: Document = serde_json::from_str(text)
            .map_err(|error| Unreadable { message: format!("is no report: {error}"), line: error.line() })?;
        if document.version != VERSION {
            let message = format!("has version {}, and {VERSION} is known", document.version);
            return Err(Unreadable { message, line: 0 });
        }
        Ok(Baseline(document.findings.into_iter().map(|known| known.fingerprint).collect()))
    }

    /// Whether a finding of that name is known.
    pub fn has(&self, fingerprint: &str) -> bool {
        self.0.contains(fingerprint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_a_baseline_and_other_texts_are_not() {
        let text = r#"{ "version": 1, "findings": [{ "kind": "leak", "fingerprint": "00ff" }] }"#;
        let baseline = Baseline::parse(text).unwrap();
        assert!(baseline.has("00ff") && !baseline.has("00fe"));
        assert!(Baseline::parse("[]").unwrap_err().message.starts_with("is no report"));
        assert!(Baseline::parse(r#"{ "version": 9, "findings": [] }"#).unwrap_err().message.contains("version 9"));
        assert!(Baseline::parse(r#"{ "version": 1, "findings": [{}] }"#).is_err());
    }
}
