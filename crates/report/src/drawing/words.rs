//! A drawing in lines of text: every node with what it holds, one below the other.

use heapwise_engine::{ArrowStyle, Drawing, NodeStyle};
use std::fmt::Write as _;

/// Renders a drawing, a line for every node and one more for every arrow that leaves a cell.
pub fn render(drawing: &Drawing) -> String {
    let names = names(drawing);
    let mut text = String::new();
    for (index, node) in drawing.nodes.iter().enumerate() {
        let mut leaving: Vec<String> = Vec::new();
        for arrow in drawing.arrows.iter().filter(|arrow| arrow.from == index && arrow.to < names.len()) {
            let row = arrow.from_line.and_then(|line| node.lines.get(line)).map_or("", String::as_str);
            let label = if arrow.label.is_empty() { row } else { &arrow.label };
            let certainty = match arrow.style {
                ArrowStyle::Solid => "",
                ArrowStyle::Dotted => " (maybe)",
                ArrowStyle::Segment => " (in one or more steps)",
            };
            let before = if label.is_empty() { String::new() } else { format!("{label} ") };
            leaving.push(format!("{before}-> {}{certainty}", names[arrow.to]));
        }
        match node.style {
            // A sentinel is named where something leads to it.
            NodeStyle::Sentinel => {}
            NodeStyle::Variable => {
                let _ = writeln!(text, "{} {}", names[index], leaving.join(", "));
            }
            NodeStyle::Cell | NodeStyle::Summary | NodeStyle::Dead => {
                let what = match node.style {
                    NodeStyle::Summary => ", some cells",
                    NodeStyle::Dead => ", gone",
                    NodeStyle::Cell | NodeStyle::Variable | NodeStyle::Sentinel => "",
                };
                let rows: Vec<&str> = node.lines.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
                let _ = writeln!(text, "{}{what}: {}", names[index], rows.join("; "));
                for arrow in leaving {
                    let _ = writeln!(text, "    {arrow}");
                }
            }
        }
    }
    text
}

/// Variables and sentinels have their own names, cells are numbered.
fn names(drawing: &Drawing) -> Vec<String> {
    let mut n_cells = 0;
    let name = |node: &heapwise_engine::Node| match node.style {
        NodeStyle::Variable | NodeStyle::Sentinel => node.lines.join(" "),
        NodeStyle::Cell | NodeStyle::Summary | NodeStyle::Dead => {
            n_cells += 1;
            format!("#{n_cells}")
        }
    };
    drawing.nodes.iter().map(name).collect()
}
