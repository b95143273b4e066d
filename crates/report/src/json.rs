//! The report as JSON: stable, versioned, described by `schemas/report.schema.json`.

use crate::record::{Record, RecordedChoice};
use crate::report::{
    AlsoAt, EngineAnswer, Finding, Gap, Part, Place, Refined, Report, Site, Step, Unreached, certainty_name,
    verdict_name,
};
use heapwise_engine::{ArrowStyle, Certainty, Drawing, NodeStyle, Refinement, RefinementResult};
use serde::Serialize;

/// The version of the format. A field that changes its meaning or goes away raises it; new kinds do not.
pub const VERSION: u32 = 1;

/// Renders a report, ending in a newline.
pub fn render(report: &Report) -> String {
    let document = Document {
        version: VERSION,
        verdict: verdict_name(report.verdict),
        assumptions: &report.assumptions,
        findings: report.findings.iter().map(|finding| JsonFinding::new(report, finding)).collect(),
        hidden_findings: report.n_hidden,
        program: report.record.as_ref(),
        gaps: report.gaps.iter().map(|gap| JsonGap::new(report, gap)).collect(),
        engines: report.engines.iter().map(|engine| JsonEngine::new(report, engine)).collect(),
        sites: report.sites.iter().map(|site| JsonSite::new(report, site)).collect(),
        refinements: report.refinements.iter().map(|refined| JsonRefinement::new(report, refined)).collect(),
        certificate: report.certificate.as_ref().map(|it| JsonCertificate { nodes: it.nodes, edges: it.edges }),
        unreached_functions: report.unreached.iter().map(|it| JsonFunction::new(report, it)).collect(),
        stats: JsonStats {
            engine: &report.stats.engine,
            elements: report.stats.elements,
            locations: report.stats.locations,
            seconds: report.stats.usage.map(|usage| usage.time.as_secs_f64()),
            peak_bytes: report.stats.usage.and_then(|usage| usage.peak_bytes),
        },
    };
    pretty(&document)
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Serialises with indentation and a final newline.
pub(crate) fn pretty(document: &impl Serialize) -> String {
    // Only a map with keys that are no strings, or a failing `Serialize`, could fail here: there is neither.
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Document<'r> {
    version: u32,
    verdict: &'static str,
    assumptions: &'r [String],
    findings: Vec<JsonFinding<'r>>,
    #[serde(skip_serializing_if = "is_zero")]
    hidden_findings: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<&'r Record>,
    gaps: Vec<JsonGap<'r>>,
    engines: Vec<JsonEngine<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sites: Vec<JsonSite<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refinements: Vec<JsonRefinement<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<JsonCertificate>,
    unreached_functions: Vec<JsonFunction<'r>>,
    stats: JsonStats<'r>,
}

#[derive(Serialize)]
struct JsonFinding<'r> {
    kind: &'static str,
    certainty: &'static str,
    file: Option<&'r str>,
    line: Option<u32>,
    column: Option<u32>,
    function: &'r str,
    fingerprint: &'r str,
    message: &'r str,
    engine: &'r str,
    also: Vec<JsonAlsoAt<'r>>,
    trace: Vec<JsonStep<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choices: Option<Vec<RecordedChoice>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    heap: Option<JsonHeap<'r>>,
}

impl<'r> JsonFinding<'r> {
    fn new(report: &'r Report, finding: &'r Finding) -> JsonFinding<'r> {
        JsonFinding {
            kind: finding.kind.name(),
            certainty: certainty_name(finding.certainty),
            file: report.path(finding.place),
            line: line(finding.place),
            column: column(finding.place),
            function: &finding.function,
            fingerprint: &finding.fingerprint,
            message: &finding.message,
            engine: &report.stats.engine,
            also: finding.also.iter().map(|elsewhere| JsonAlsoAt::new(report, elsewhere)).collect(),
            trace: finding.trace.iter().map(|step| JsonStep::new(report, step)).collect(),
            choices: (finding.certainty == Certainty::Confirmed)
                .then(|| finding.choices.iter().map(|choice| RecordedChoice::new(report, choice)).collect()),
            heap: finding.broken_heap().map(JsonHeap::new),
        }
    }
}

#[derive(Serialize)]
struct JsonAlsoAt<'r> {
    kind: &'static str,
    certainty: &'static str,
    file: Option<&'r str>,
    line: Option<u32>,
    column: Option<u32>,
    function: &'r str,
}

impl<'r> JsonAlsoAt<'r> {
    fn new(report: &'r Report, elsewhere: &'r AlsoAt) -> JsonAlsoAt<'r> {
        JsonAlsoAt {
            kind: elsewhere.kind.name(),
            certainty: certainty_name(elsewhere.certainty),
            file: report.path(elsewhere.place),
            line: line(elsewhere.place),
            column: column(elsewhere.place),
            function: &elsewhere.function,
        }
    }
}

#[derive(Serialize)]
struct JsonHeap<'r> {
    title: &'r str,
    nodes: Vec<JsonNode<'r>>,
    arrows: Vec<JsonArrow<'r>>,
}

#[derive(Serialize)]
struct JsonNode<'r> {
    style: &'static str,
    lines: &'r [String],
}

#[derive(Serialize)]
struct JsonArrow<'r> {
    from: usize,
    to: usize,
    label: &'r str,
    style: &'static str,
}

impl<'r> JsonHeap<'r> {
    fn new(heap: &'r Drawing) -> JsonHeap<'r> {
        let node = |node: &'r heapwise_engine::Node| JsonNode {
            style: match node.style {
                NodeStyle::Variable => "variable",
                NodeStyle::Cell => "cell",
                NodeStyle::Summary => "summary",
                NodeStyle::Dead => "dead",
                NodeStyle::Sentinel => "sentinel",
            },
            lines: &node.lines,
        };
        let arrow = |arrow: &'r heapwise_engine::Arrow| {
            let row = arrow.from_line.and_then(|line| heap.nodes.get(arrow.from)?.lines.get(line));
            JsonArrow {
                from: arrow.from,
                to: arrow.to,
                label: if arrow.label.is_empty() { row.map_or("", String::as_str) } else { &arrow.label },
                style: match arrow.style {
                    ArrowStyle::Solid => "surely",
                    ArrowStyle::Dotted => "maybe",
                    ArrowStyle::Segment => "segment",
                },
            }
        };
        JsonHeap {
            title: &heap.title,
            nodes: heap.nodes.iter().map(node).collect(),
            arrows: heap.arrows.iter().map(arrow).collect(),
        }
    }
}

#[derive(Serialize)]
struct JsonStep<'r> {
    file: Option<&'r str>,
    line: Option<u32>,
    column: Option<u32>,
    function: &'r str,
    message: &'r str,
}

impl<'r> JsonStep<'r> {
    fn new(report: &'r Report, step: &'r Step) -> JsonStep<'r> {
        JsonStep {
            file: report.path(step.place),
            line: line(step.place),
            column: column(step.place),
            function: &step.function,
            message: &step.message,
        }
    }
}

#[derive(Serialize)]
struct JsonGap<'r> {
    file: Option<&'r str>,
    line: Option<u32>,
    reason: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mistaken: Option<&'static str>,
}

impl<'r> JsonGap<'r> {
    fn new(report: &'r Report, gap: &'r Gap) -> JsonGap<'r> {
        let mistaken = gap.mistaken.map(Part::name);
        JsonGap { file: report.path(gap.place), line: line(gap.place), reason: &gap.reason, mistaken }
    }
}

#[derive(Serialize)]
struct JsonEngine<'r> {
    name: &'r str,
    verdict: &'static str,
    findings: usize,
    obstacle: Option<JsonGap<'r>>,
    more_obstacles: usize,
    hint: Option<&'r str>,
}

impl<'r> JsonEngine<'r> {
    fn new(report: &'r Report, engine: &'r EngineAnswer) -> JsonEngine<'r> {
        JsonEngine {
            name: &engine.name,
            verdict: verdict_name(engine.verdict),
            findings: engine.n_findings,
            obstacle: engine.obstacle.as_ref().map(|gap| JsonGap::new(report, gap)),
            more_obstacles: engine.n_more,
            hint: engine.hint.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct JsonSite<'r> {
    file: Option<&'r str>,
    line: Option<u32>,
    function: &'r str,
    fully_analysed: bool,
    obstacle: Option<&'r str>,
}

impl<'r> JsonSite<'r> {
    fn new(report: &'r Report, site: &'r Site) -> JsonSite<'r> {
        JsonSite {
            file: report.path(site.place),
            line: line(site.place),
            function: &site.function,
            fully_analysed: site.obstacle.is_none(),
            obstacle: site.obstacle.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct JsonRefinement<'r> {
    kind: &'static str,
    file: Option<&'r str>,
    line: Option<u32>,
    message: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<JsonRefinementResult>,
}

#[derive(Serialize)]
struct JsonRefinementResult {
    elements: u64,
    suspicions: usize,
    excluded: usize,
}

impl<'r> JsonRefinement<'r> {
    fn new(report: &'r Report, refined: &'r Refined) -> JsonRefinement<'r> {
        JsonRefinement {
            kind: match refined.step.refinement {
                Refinement::ExactLength(_) => "exact-length",
                Refinement::Together(_) => "together",
                Refinement::AllTogether => "all-together",
                Refinement::Tracked { .. } => "tracked",
                Refinement::Sampled { .. } => "sampled",
                Refinement::Predicates { .. } => "predicates",
            },
            file: report.path(refined.place),
            line: line(refined.place),
            message: &refined.words,
            result: match refined.step.result {
                RefinementResult::Done { elements, excluded, suspicions } => {
                    Some(JsonRefinementResult { elements, suspicions, excluded })
                }
                RefinementResult::Cut => None,
            },
        }
    }
}

#[derive(Serialize)]
struct JsonCertificate {
    nodes: usize,
    edges: usize,
}

#[derive(Serialize)]
struct JsonFunction<'r> {
    name: &'r str,
    file: Option<&'r str>,
    line: Option<u32>,
}

impl<'r> JsonFunction<'r> {
    fn new(report: &'r Report, function: &'r Unreached) -> JsonFunction<'r> {
        JsonFunction { name: &function.name, file: report.path(function.place), line: line(function.place) }
    }
}

#[derive(Serialize)]
struct JsonStats<'r> {
    engine: &'r str,
    elements: u64,
    locations: u64,
    seconds: Option<f64>,
    peak_bytes: Option<u64>,
}

fn line(place: Place) -> Option<u32> {
    place.source.map(|_| place.line.max(1))
}

fn column(place: Place) -> Option<u32> {
    place.source.map(|_| place.column.max(1))
}
