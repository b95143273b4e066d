//! The report as one HTML page that needs no server and no network: findings with their traces on the left, the source and the
//! heap of the chosen step on the right. Without scripting everything is still there, one below the other.

use crate::drawing::svg::{self, escape};
use crate::explain::explanation;
use crate::report::{Finding, Place, Report, Step, certainty_name, verdict_name};
use std::fmt::Write as _;

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// Renders a report as the text of an `index.html`.
pub fn render(report: &Report) -> String {
    let verdict = verdict_name(report.verdict);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>heapwise: {verdict}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    let stats = &report.stats;
    let _ = writeln!(
        page,
        "<header><h1>heapwise <span class=\"verdict {verdict}\">{verdict}</span></h1>\
         <p>engine {}, {} elements, {} locations</p></header>\n<main>\n<div class=\"left\">",
        escape(&stats.engine),
        stats.elements,
        stats.locations
    );
    if report.findings.is_empty() {
        page.push_str("<p>No finding.</p>\n");
    }
    for (index, finding) in report.findings.iter().enumerate() {
        write_finding(&mut page, report, index, finding);
    }
    write_gaps(&mut page, report);
    write_list(&mut page, "Assumed", &report.assumptions);
    write_list(&mut page, "Notes", &report.notes);
    let refinements: Vec<String> = report.refinements.iter().map(|refined| refined.words.clone()).collect();
    write_list(&mut page, "How the abstraction was found", &refinements);
    page.push_str("</div>\n<div class=\"right\">\n");
    write_heaps(&mut page, report);
    write_sources(&mut page, report);
    let _ = write!(page, "</div>\n</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    page
}

fn write_finding(page: &mut String, report: &Report, index: usize, finding: &Finding) {
    let certainty = certainty_name(finding.certainty);
    let _ = writeln!(
        page,
        "<section class=\"finding {certainty}\" id=\"f{index}\">\n<h2><code>{}</code> {}</h2>\n\
         <p class=\"where\">{certainty}, {} in <code>{}</code></p>",
        finding.kind.name(),
        marked(&finding.message),
        place_link(report, finding.place),
        escape(&finding.function)
    );
    if !finding.also.is_empty() {
        let places = finding.also.iter().map(|elsewhere| {
            format!("{} (<code>{}</code>)", place_link(report, elsewhere.place), elsewhere.kind.name())
        });
        let _ =
            writeln!(page, "<p class=\"where\">for the same reason also {}</p>", places.collect::<Vec<_>>().join(", "));
    }
    if !finding.trace.is_empty() {
        page.push_str("<p class=\"walk\"><button data-go=\"-1\">← back</button> <button data-go=\"1\">next step →</button></p>\n<ol>\n");
        for (number, step) in finding.trace.iter().enumerate() {
            let _ = writeln!(
                page,
                "<li data-line=\"{}\" data-heap=\"{}\">{} <span class=\"where\">{} in <code>{}</code></span></li>",
                line_id(step.place).unwrap_or_default(),
                step.heap.as_ref().map(|_| heap_id(index, number)).unwrap_or_default(),
                marked(&step.message),
                place_link(report, step.place),
                escape(&step.function)
            );
        }
        page.push_str("</ol>\n");
    }
    let explanation = explanation(finding.kind);
    let _ = writeln!(
        page,
        "<details><summary>What does this mean?</summary><p>{}</p><pre>{}</pre><p>{}</p></details>\n</section>",
        marked(explanation.meaning),
        escape(explanation.example),
        marked(explanation.fix)
    );
}

fn write_gaps(page: &mut String, report: &Report) {
    if report.gaps.is_empty() {
        return;
    }
    page.push_str("<section><h2>What could not be seen through</h2>\n<ul>\n");
    for gap in &report.gaps {
        let place = if gap.place.source.is_some() { place_link(report, gap.place) } else { String::new() };
        let _ = writeln!(page, "<li>{} <span class=\"where\">{place}</span></li>", marked(&gap.reason));
    }
    page.push_str("</ul>\n</section>\n");
}

fn write_list(page: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(page, "<section><h2>{title}</h2>\n<ul>");
    for item in items {
        let _ = writeln!(page, "<li>{}</li>", marked(item));
    }
    page.push_str("</ul>\n</section>\n");
}

fn write_heaps(page: &mut String, report: &Report) {
    page.push_str("<div class=\"heaps\">\n");
    for (index, finding) in report.findings.iter().enumerate() {
        for (number, Step { heap, .. }) in finding.trace.iter().enumerate() {
            if let Some(heap) = heap {
                let _ = writeln!(
                    page,
                    "<figure id=\"{}\"><figcaption>finding {}, after step {}</figcaption>\n{}</figure>",
                    heap_id(index, number),
                    index + 1,
                    number + 1,
                    svg::render(heap)
                );
            }
        }
    }
    page.push_str("</div>\n");
}

fn write_sources(page: &mut String, report: &Report) {
    for (number, (_, source)) in report.sources().enumerate() {
        let _ = writeln!(page, "<section class=\"source\" id=\"s{number}\">\n<h3>{}</h3>\n<pre>", escape(&source.path));
        for (index, line) in source.text.lines().enumerate() {
            let line_number = index + 1;
            let _ = writeln!(
                page,
                "<span class=\"line\" id=\"s{number}-{line_number}\"><i>{line_number:>5}</i> {}</span>",
                escape(line)
            );
        }
        page.push_str("</pre>\n</section>\n");
    }
}

/// Text with what stands between backquotes set as code.
fn marked(text: &str) -> String {
    let mut marked = String::new();
    for (index, part) in text.split('`').enumerate() {
        if index > 0 {
            marked.push_str(if index % 2 == 1 { "<code>" } else { "</code>" });
        }
        marked.push_str(&escape(part));
    }
    if text.matches('`').count() % 2 == 1 {
        marked.push_str("</code>");
    }
    marked
}

fn place_link(report: &Report, place: Place) -> String {
    match (report.path(place), line_id(place)) {
        (Some(path), Some(id)) => format!("<a href=\"#{id}\">{}:{}:{}</a>", escape(path), place.line, place.column),
        (None, _) | (_, None) => "no source".to_owned(),
    }
}

fn line_id(place: Place) -> Option<String> {
    place.source.map(|id| format!("s{}-{}", id.index(), place.line))
}

fn heap_id(finding: usize, step: usize) -> String {
    format!("h{finding}-{step}")
}
