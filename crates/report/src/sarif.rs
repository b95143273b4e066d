//! The report as SARIF 2.1.0: what code hosts and editors read. Each finding is a result with a code flow; each kind is
//! a rule with help; gaps are notifications of the tool.

use crate::excerpt::Lines;
use crate::explain::{explanation, page};
use crate::json::pretty;
use crate::report::{Finding, Gap, Place, Report, Step, certainty_name, verdict_name};
use heapwise_engine::{Certainty, Kind};
use serde_json::{Map, Value, json};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Renders a report, ending in a newline. Paths under `root` (the directory that the user stands in) become relative.
pub fn render(report: &Report, root: &str) -> String {
    let places = Places { report, root, lines: report.sources().map(|(_, source)| Lines::new(&source.text)).collect() };
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "heapwise",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": Kind::ALL.map(rule),
            } },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {
                BASE: { "description": { "text": "The directory in which heapwise was started." } }
            },
            "artifacts": report.sources().map(|(_, source)| {
                json!({ "location": artifact(&source.path, root), "sourceLanguage": "c" })
            }).collect::<Vec<_>>(),
            "invocations": [invocation(&places)],
            "results": report.findings.iter().map(|finding| result(&places, finding)).collect::<Vec<_>>(),
            "properties": {
                "verdict": verdict_name(report.verdict),
                "assumptions": report.assumptions,
                "notes": report.notes,
                "engine": report.stats.engine,
                "elements": report.stats.elements,
                "locations": report.stats.locations,
            },
        }],
    });
    pretty(&log)
}

const BASE: &str = "SRCROOT";

/// What is needed to turn a place into a location.
struct Places<'r> {
    report: &'r Report,
    root: &'r str,
    /// By source.
    lines: Vec<Lines<'r>>,
}

impl Places<'_> {
    fn physical(&self, place: Place) -> Option<Value> {
        let id = place.source?;
        let lines = &self.lines[id.index()];
        let mut region = Map::new();
        region.insert("startLine".into(), json!(place.line.max(1)));
        let start = lines.character_column(place.line, place.column);
        region.insert("startColumn".into(), json!(start));
        if place.end_line >= place.line {
            region.insert("endLine".into(), json!(place.end_line.max(1)));
            let end = lines.character_column(place.end_line, place.end_column);
            // An empty region on one line would have no extent at all.
            let end = if place.end_line == place.line { end.max(start + 1) } else { end };
            region.insert("endColumn".into(), json!(end));
        }
        Some(json!({ "artifactLocation": artifact(&self.report.source(id).path, self.root), "region": region }))
    }

    fn location(&self, place: Place, function: &str, message: Option<&str>) -> Value {
        let mut location = Map::new();
        if let Some(physical) = self.physical(place) {
            location.insert("physicalLocation".into(), physical);
        }
        if !function.is_empty() {
            location.insert("logicalLocations".into(), json!([{ "name": function, "kind": "function" }]));
        }
        if let Some(message) = message {
            location.insert("message".into(), json!({ "text": message }));
        }
        Value::Object(location)
    }
}

fn rule(kind: Kind) -> Value {
    let explanation = explanation(kind);
    json!({
        "id": kind.name(),
        "name": format!("{kind:?}"),
        "shortDescription": { "text": explanation.title },
        "fullDescription": { "text": explanation.meaning },
        "help": {
            "text": page(kind),
            "markdown": format!(
                "{}\n\n```c\n{}\n```\n\n{}", explanation.meaning, explanation.example, explanation.fix
            ),
        },
        "defaultConfiguration": { "level": "error" },
    })
}

fn result(places: &Places<'_>, finding: &Finding) -> Value {
    let index = Kind::ALL.iter().position(|kind| *kind == finding.kind);
    let mut result = json!({
        "ruleId": finding.kind.name(),
        "ruleIndex": index,
        "level": level(finding.certainty),
        "message": { "text": finding.message },
        "locations": [places.location(finding.place, &finding.function, None)],
        "partialFingerprints": { "heapwise/v1": finding.fingerprint },
        "properties": { "certainty": certainty_name(finding.certainty), "engine": places.report.stats.engine },
    });
    if !finding.also.is_empty() {
        let related = finding.also.iter().map(|elsewhere| {
            let words = format!("fails for the same reason: {}", elsewhere.kind.name());
            places.location(elsewhere.place, &elsewhere.function, Some(&words))
        });
        result["relatedLocations"] = related.collect();
    }
    if !finding.trace.is_empty() {
        let steps: Vec<Value> =
            finding.trace.iter().enumerate().map(|(index, step)| flow_location(places, index, step)).collect();
        result["codeFlows"] = json!([{
            "message": { "text": "the way to the error" },
            "threadFlows": [{ "locations": steps }],
        }]);
    }
    result
}

fn flow_location(places: &Places<'_>, index: usize, step: &Step) -> Value {
    json!({
        "executionOrder": index + 1,
        "importance": "essential",
        "location": places.location(step.place, &step.function, Some(&step.message)),
    })
}

fn level(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Confirmed => "error",
        Certainty::Possible => "warning",
    }
}

fn invocation(places: &Places<'_>) -> Value {
    json!({
        "executionSuccessful": true,
        "toolExecutionNotifications": places.report.gaps.iter().map(|gap| notification(places, gap)).collect::<Vec<_>>(),
    })
}

fn notification(places: &Places<'_>, gap: &Gap) -> Value {
    let mut notification = json!({ "level": "warning", "message": { "text": gap.reason } });
    if gap.place.source.is_some() {
        notification["locations"] = json!([places.location(gap.place, "", None)]);
    }
    notification
}

/// A relative URI below the base for what lies under `root`, a `file:` URI for other absolute paths.
fn artifact(path: &str, root: &str) -> Value {
    let root = root.trim_end_matches('/');
    let under = path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')).filter(|_| path.starts_with('/'));
    match under {
        Some(rest) => json!({ "uri": percent_encode(rest), "uriBaseId": BASE }),
        None if path.starts_with('/') => json!({ "uri": format!("file://{}", percent_encode(path)) }),
        None => {
            let path = path.trim_start_matches("./");
            json!({ "uri": percent_encode(path), "uriBaseId": BASE })
        }
    }
}

/// Everything that a path of a URI may not hold as it is (RFC 3986, unreserved characters and `/`) becomes `%XX`.
fn percent_encode(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte as char),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_relative_uris_where_they_can() {
        let uri = |path: &str| artifact(path, "/home/me/src/")["uri"].as_str().unwrap().to_owned();
        assert_eq!(uri("a.c"), "a.c");
        assert_eq!(uri("./lib/a.c"), "lib/a.c");
        assert_eq!(uri("/home/me/src/lib/a b.c"), "lib/a%20b.c");
        assert_eq!(uri("/home/me/srcs/a.c"), "file:///home/me/srcs/a.c");
        assert_eq!(uri("/usr/include/é.h"), "file:///usr/include/%C3%A9.h");
    }
}
