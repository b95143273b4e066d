//! A drawing in the DOT language.

use heapwise_engine::{Arrow, ArrowStyle, Drawing, Node, NodeStyle};
use std::fmt::Write as _;

/// Renders a drawing as a directed graph.
pub fn render(drawing: &Drawing) -> String {
    let mut text = String::from("digraph heap {\n  rankdir=LR;\n  node [fontname=monospace];\n");
    if !drawing.title.is_empty() {
        let _ = writeln!(text, "  label=\"{}\";\n  labelloc=t;", quoted(&drawing.title));
    }
    for (index, node) in drawing.nodes.iter().enumerate() {
        let _ = writeln!(text, "  n{index} [{}];", node_attributes(node));
    }
    for arrow in drawing.arrows.iter().filter(|arrow| in_range(drawing, arrow)) {
        let port = match (arrow.from_line, is_record(&drawing.nodes[arrow.from])) {
            (Some(line), true) => format!(":r{line}"),
            (None, _) | (Some(_), false) => String::new(),
        };
        let _ = writeln!(text, "  n{}{port} -> n{}{};", arrow.from, arrow.to, arrow_attributes(arrow));
    }
    text.push_str("}\n");
    text
}

/// An arrow of an engine that names a node that is not there is not drawn.
pub(super) fn in_range(drawing: &Drawing, arrow: &Arrow) -> bool {
    arrow.from < drawing.nodes.len() && arrow.to < drawing.nodes.len()
}

/// Whether the node has rows that arrows can leave from.
fn is_record(node: &Node) -> bool {
    match node.style {
        NodeStyle::Cell | NodeStyle::Summary | NodeStyle::Dead => true,
        NodeStyle::Variable | NodeStyle::Sentinel => false,
    }
}

fn node_attributes(node: &Node) -> String {
    let label = if is_record(node) {
        let rows: Vec<String> =
            node.lines.iter().enumerate().map(|(row, line)| format!("<r{row}> {}", record_text(line))).collect();
        rows.join("|")
    } else {
        quoted(&node.lines.join("\n"))
    };
    let style = match node.style {
        NodeStyle::Variable => "shape=plaintext",
        NodeStyle::Cell => "shape=record",
        NodeStyle::Summary => "shape=record, peripheries=2",
        NodeStyle::Dead => "shape=record, color=gray, fontcolor=gray",
        NodeStyle::Sentinel => "shape=ellipse",
    };
    format!("{style}, label=\"{label}\"")
}

fn arrow_attributes(arrow: &Arrow) -> String {
    let mut attributes = Vec::new();
    if !arrow.label.is_empty() {
        attributes.push(format!("label=\"{}\"", quoted(&arrow.label)));
    }
    match arrow.style {
        ArrowStyle::Solid => {}
        ArrowStyle::Dotted => attributes.push("style=dotted".to_owned()),
        ArrowStyle::Segment => attributes.push("style=bold, arrowhead=normalnormal".to_owned()),
    }
    if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) }
}

/// The text of a quoted string.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// The text of a field of a record label, whose own signs must be escaped.
fn record_text(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '{' | '}' | '|' | '<' | '>' | ' ' => {
                escaped.push('\\');
                escaped.push(character);
            }
            '\\' | '"' | '\n' => escaped.push_str(&quoted(&character.to_string())),
            other => escaped.push(other),
        }
    }
    escaped
}
