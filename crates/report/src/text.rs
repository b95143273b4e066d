//! The report as text: each finding with an excerpt of the source, the numbered way to it, then what the verdict
//! rests on, and one line of summary.

use crate::drawing;
use crate::excerpt::Lines;
use crate::explain::explanation;
use crate::report::{AlsoAt, Finding, Gap, Place, Report, SourceId, Step, certainty_name, verdict_name};
use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet, normalize_untrusted_str as clean,
};
use heapwise_engine::{Certainty, Verdict};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Write as _;

/// Whether escape codes may be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// A terminal reads it.
    Terminal,
    /// A file or another program reads it.
    Never,
}

/// How much is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Findings with their traces, gaps, assumptions, notes, summary.
    Full,
    /// One line per finding and the summary.
    Brief,
}

/// A trace longer than this is shown by its first and last steps; every other format has all of it.
const TRACE_SHOWN: usize = 40;

/// More gaps than this are counted, not listed.
const GAPS_SHOWN: usize = 20;

/// Renders a report, ending in a newline.
pub fn render(report: &Report, colour: Colour, detail: Detail) -> String {
    let mut text = String::new();
    match detail {
        Detail::Full => full(report, colour, &mut text),
        Detail::Brief => {
            for finding in &report.findings {
                let _ = writeln!(text, "{}", one_line(report, finding));
            }
        }
    }
    let _ = writeln!(text, "{}", summary(report));
    text
}

fn full(report: &Report, colour: Colour, text: &mut String) {
    let renderer = match colour {
        Colour::Terminal => Renderer::styled(),
        Colour::Never => Renderer::plain(),
    };
    for finding in &report.findings {
        let _ = writeln!(text, "{}", renderer.render(&finding_groups(report, finding)));
        if let Some(heap) = finding.broken_heap() {
            let title = if heap.title.is_empty() { "the heap that breaks it" } else { &heap.title };
            let _ = writeln!(text, "{}:", clean(title));
            for line in drawing::words::render(heap).lines() {
                let _ = writeln!(text, "    {}", clean(line));
            }
        }
        text.push('\n');
    }
    if report.verdict == Verdict::Unknown && report.engines.len() > 1 {
        engines(report, &renderer, text);
    } else {
        gaps(report, &renderer, text);
    }
    for assumption in &report.assumptions {
        let _ = writeln!(text, "assumed: {}", clean(assumption));
    }
    sites(report, text);
    for note in report.notes.iter().chain(report.refinements.iter().map(|refined| &refined.words)) {
        let _ = writeln!(text, "note: {}", clean(note));
    }
    if report.n_hidden > 0 {
        let _ = writeln!(text, "note: {} of the baseline not shown", count(report.n_hidden, "finding"));
    }
    if let Some(certificate) = &report.certificate {
        let (nodes, edges) = (count(certificate.nodes, "node"), count(certificate.edges, "edge"));
        let _ = writeln!(text, "certificate: a reachability tree of {nodes} and {edges}");
    }
    if !report.unreached.is_empty() {
        let _ = writeln!(text, "{}", unreached(report));
    }
}

/// All that one engine could not see through, and what can be done about the first of it.
fn gaps(report: &Report, renderer: &Renderer, text: &mut String) {
    for gap in report.gaps.iter().take(GAPS_SHOWN) {
        let title = Level::WARNING.with_name("unknown").primary_title(clean(&gap.reason));
        let _ = writeln!(text, "{}\n", renderer.render(&[gap_group(report, gap, title)]));
    }
    if report.gaps.len() > GAPS_SHOWN {
        let _ =
            writeln!(text, "… and {} more places like these (the JSON has them all)\n", report.gaps.len() - GAPS_SHOWN);
    }
    if let Some(hint) = report.engines.first().and_then(|engine| engine.hint.as_ref()) {
        let _ = writeln!(text, "help: {}", clean(hint));
    }
}

/// For each engine the one thing that kept it from a proof, and what can be done about it.
fn engines(report: &Report, renderer: &Renderer, text: &mut String) {
    for engine in &report.engines {
        let Some(gap) = &engine.obstacle else {
            let found = count(engine.n_findings, "possible finding");
            let _ =
                writeln!(text, "unknown[{}]: {found}, and nothing else that it could not see through\n", engine.name);
            continue;
        };
        let title = Level::WARNING.with_name("unknown").primary_title(clean(&gap.reason)).id(engine.name.as_str());
        let mut groups = vec![gap_group(report, gap, title)];
        if engine.n_more > 0 {
            let more = format!("`{}` has {} like this", engine.name, count(engine.n_more, "more place"));
            groups.push(Group::with_title(Level::NOTE.secondary_title(more)));
        }
        if let Some(hint) = &engine.hint {
            groups.push(Group::with_title(Level::HELP.secondary_title(clean(hint))));
        }
        let _ = writeln!(text, "{}\n", renderer.render(&groups));
    }
}

/// Which allocation sites were not followed to the end, where an engine looks at one at a time.
fn sites(report: &Report, text: &mut String) {
    let cut: Vec<_> = report.sites.iter().filter_map(|site| Some((site, site.obstacle.as_ref()?))).collect();
    for (site, obstacle) in cut.iter().take(GAPS_SHOWN) {
        let place = report.path(site.place).map(|path| format!(" at {path}:{}", site.place.line)).unwrap_or_default();
        let function = clean(&site.function);
        let _ = writeln!(text, "not fully analysed: what `{function}` allocates{place}: {}", clean(obstacle));
    }
    if cut.len() > GAPS_SHOWN {
        let _ = writeln!(text, "… and {} more (the JSON has them all)", cut.len() - GAPS_SHOWN);
    }
    if !report.sites.is_empty() {
        let n_full = report.sites.len() - cut.len();
        let _ = writeln!(text, "coverage: {n_full} of {} fully analysed", count(report.sites.len(), "allocation site"));
    }
}

/// More functions than this are counted, not listed.
const FUNCTIONS_SHOWN: usize = 12;

/// The functions that *safe* says nothing of.
fn unreached(report: &Report) -> String {
    let shown = report.unreached.iter().take(FUNCTIONS_SHOWN).map(|function| {
        let place = report.path(function.place).map(|path| format!(" ({path}:{})", function.place.line));
        format!("`{}`{}", clean(&function.name), place.unwrap_or_default())
    });
    let mut line = format!("not reached by any execution: {}", shown.collect::<Vec<_>>().join(", "));
    if report.unreached.len() > FUNCTIONS_SHOWN {
        let _ = write!(line, " and {} more (the JSON has them all)", report.unreached.len() - FUNCTIONS_SHOWN);
    }
    line
}

fn one_line(report: &Report, finding: &Finding) -> String {
    let place = finding.place;
    let level = match finding.certainty {
        Certainty::Confirmed => "error",
        Certainty::Possible => "warning",
    };
    let path = report.path(place).unwrap_or("<no source>");
    format!("{path}:{}:{}: {level}[{}]: {}", place.line, place.column, finding.kind.name(), clean(&finding.message))
}

/// The last line: the verdict, what was counted, who answered.
fn summary(report: &Report) -> String {
    let confirmed = report.findings.iter().filter(|finding| finding.certainty == Certainty::Confirmed).count();
    let possible = report.findings.len() - confirmed;
    let mut parts = Vec::new();
    if confirmed > 0 {
        parts.push(count(confirmed, "confirmed finding"));
    }
    if possible > 0 {
        parts.push(count(possible, "possible finding"));
    }
    if !report.gaps.is_empty() {
        parts.push(count(report.gaps.len(), "gap"));
    }
    if report.verdict == Verdict::Safe {
        parts.push(match report.assumptions.len() {
            0 => "no finding".to_owned(),
            n => format!("no finding, under {}", count(n, "assumption")),
        });
    }
    let stats = &report.stats;
    let mut line = format!(
        "{}: {} (engine {}, {}, {}",
        verdict_name(report.verdict),
        parts.join(", "),
        stats.engine,
        count(stats.elements as usize, "element"),
        count(stats.locations as usize, "location"),
    );
    if let Some(usage) = stats.usage {
        let _ = write!(line, ", {:.2} s", usage.time.as_secs_f64());
        if let Some(bytes) = usage.peak_bytes {
            let _ = write!(line, ", {:.0} MB", bytes as f64 / 1e6);
        }
    }
    line.push(')');
    line
}

fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

fn finding_groups<'r>(report: &'r Report, finding: &'r Finding) -> Vec<Group<'r>> {
    let level = match finding.certainty {
        Certainty::Confirmed => Level::ERROR,
        Certainty::Possible => Level::WARNING,
    };
    let label = format!("{} in `{}`", explanation(finding.kind).label, finding.function);
    let mut groups = vec![excerpt_or_origin(
        report,
        level.primary_title(clean(&finding.message)).id(finding.kind.name()),
        finding.place,
        label,
    )];
    if !finding.also.is_empty() {
        groups.push(Group::with_title(Level::NOTE.secondary_title(also(report, finding))));
    }
    groups.extend(trace_groups(report, &finding.trace));
    groups
}

/// The other places that fail for the same reason: "for the same reason also at line 9, line 12 (double-free)".
fn also(report: &Report, finding: &Finding) -> String {
    let place = |elsewhere: &AlsoAt| {
        let Place { line, source, .. } = elsewhere.place;
        let path = report.path(elsewhere.place).filter(|_| source != finding.place.source);
        let at = path.map_or_else(|| format!("line {line}"), |path| format!("{path}:{line}"));
        let kind = (elsewhere.kind != finding.kind).then(|| elsewhere.kind.name());
        let certainty = (elsewhere.certainty != finding.certainty).then(|| certainty_name(elsewhere.certainty));
        let remarks: Vec<&str> = certainty.into_iter().chain(kind).collect();
        if remarks.is_empty() { at } else { format!("{at} ({})", remarks.join(" ")) }
    };
    format!("for the same reason also at {}", finding.also.iter().map(place).collect::<Vec<_>>().join(", "))
}

fn gap_group<'r>(report: &'r Report, gap: &'r Gap, title: annotate_snippets::Title<'r>) -> Group<'r> {
    excerpt_or_origin(report, title, gap.place, "nothing is proved past this".to_owned())
}

/// The title with the place under it: an excerpt where the text is there, else its name, else nothing.
fn excerpt_or_origin<'r>(
    report: &'r Report,
    title: annotate_snippets::Title<'r>,
    place: crate::report::Place,
    label: String,
) -> Group<'r> {
    let Some(id) = place.source else {
        return Group::with_title(title);
    };
    let source = report.source(id);
    match Lines::new(&source.text).range(place) {
        Some(range) if !source.text.is_empty() => {
            let lines = Lines::new(&source.text);
            let (start, window) = lines.window(place.line, place.line);
            title.element(
                Snippet::source(Cow::Borrowed(window))
                    .path(source.path.as_str())
                    .line_start(place.line as usize)
                    .annotation(AnnotationKind::Primary.span(range.start - start..range.end - start).label(label)),
            )
        }
        _ => title
            .element(Origin::path(source.path.as_str()).line(place.line as usize).char_column(place.column as usize)),
    }
}

/// The way to the error. Steps that follow each other down one function share an excerpt; a jump back (a loop), a call or a
/// return starts the next one, so that reading down the page is reading forward in time.
fn trace_groups<'r>(report: &'r Report, trace: &'r [Step]) -> Vec<Group<'r>> {
    let numbered: Vec<(usize, &Step)> = trace.iter().enumerate().map(|(index, step)| (index + 1, step)).collect();
    let mut groups = Vec::new();
    if numbered.len() <= TRACE_SHOWN {
        push_legs(report, &numbered, &mut groups);
    } else {
        let (head, tail) = (TRACE_SHOWN / 4, TRACE_SHOWN - TRACE_SHOWN / 4);
        push_legs(report, &numbered[..head], &mut groups);
        let left_out = numbered.len() - head - tail;
        groups.push(Group::with_title(
            Level::NOTE.secondary_title(format!("… {left_out} steps left out here (the JSON has them all)")),
        ));
        push_legs(report, &numbered[numbered.len() - tail..], &mut groups);
    }
    groups
}

fn push_legs<'r>(report: &'r Report, steps: &[(usize, &'r Step)], groups: &mut Vec<Group<'r>>) {
    for leg in steps.chunk_by(|(_, a), (_, b)| goes_on(a, b)) {
        let (number, first) = leg[0];
        let way = if number == 1 { "the way to it: " } else { "" };
        let title = Level::NOTE.secondary_title(format!("{way}in `{}`", clean(&first.function)));
        groups.push(leg_group(report, title, leg, first.place.source));
    }
}

fn goes_on(a: &Step, b: &Step) -> bool {
    let (from, to) = (a.place, b.place);
    let is_forward = match from.line.cmp(&to.line) {
        Ordering::Less => true,
        Ordering::Greater => false,
        // What is inside an expression comes before it: `malloc(4)` before the `p = malloc(4)` around it.
        Ordering::Equal => from.column <= to.column || (from.end_line, from.end_column) <= (to.end_line, to.end_column),
    };
    a.function == b.function && from.source == to.source && is_forward
}

fn leg_group<'r>(
    report: &'r Report,
    title: annotate_snippets::Title<'r>,
    leg: &[(usize, &'r Step)],
    source: Option<SourceId>,
) -> Group<'r> {
    let lines = source.map(|id| Lines::new(&report.source(id).text));
    let (Some(id), Some(lines)) =
        (source, lines.filter(|lines| leg.iter().all(|(_, s)| lines.range(s.place).is_some())))
    else {
        return Group::with_title(title).elements(leg.iter().map(|(number, step)| {
            let place =
                report.path(step.place).map(|path| format!(" ({path}:{})", step.place.line)).unwrap_or_default();
            Level::NOTE.no_name().message(format!("{number}. {}{place}", clean(&step.message)))
        }));
    };
    let first_line = leg[0].1.place.line;
    let last_line = leg[leg.len() - 1].1.place.line;
    let (start, window) = lines.window(first_line, last_line);
    let annotations = leg.iter().filter_map(|(number, step)| {
        let range = lines.range(step.place)?;
        let label = format!("{number}. {}", clean(&step.message));
        Some(AnnotationKind::Context.span(range.start - start..range.end - start).label(label))
    });
    let snippet: Snippet<'r, Annotation<'r>> = Snippet::source(Cow::Borrowed(window))
        .path(report.source(id).path.as_str())
        .line_start(first_line as usize)
        .annotations(annotations);
    title.element(snippet)
}
