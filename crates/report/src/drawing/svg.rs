//! A drawing as a self-contained SVG picture.

use super::dot::in_range;
use super::layout::{Box, Layout, PADDING, ROW, is_repeated, layout, text_width};
use heapwise_engine::{Arrow, ArrowStyle, Drawing, Node, NodeStyle};
use std::fmt::Write as _;

const STYLE: &str = "\
text{font:13px 'DejaVu Sans Mono',Consolas,monospace;fill:#1f2328}\
.title{font-weight:bold}.cell{fill:#fff;stroke:#1f2328}.dead{fill:#eee;stroke:#999}.dead-text{fill:#888}\
.head{fill:#dbe9ff;stroke:#1f2328}.dead-head{fill:#ddd;stroke:#999}.rule{stroke:#c8ccd0}.null{fill:#f4f4f4;stroke:#888}\
.variable{fill:#0a3d91;font-weight:bold}.label{fill:#57606a;font-size:11px}\
.arrow{fill:none;stroke:#1f2328;stroke-width:1.2}.dotted{stroke-dasharray:3 3}.segment{stroke-width:2.6}.tip{fill:#1f2328}";

/// Length of an arrow's tip.
const TIP: f64 = 7.0;
/// Distance between lines that run below the nodes.
const LANE: f64 = 12.0;

/// Renders a drawing.
pub fn render(drawing: &Drawing) -> String {
    let title_height = if drawing.title.is_empty() { 0.0 } else { ROW };
    let layout = layout(drawing, title_height);
    let mut picture = Picture { drawing, layout, body: String::new(), lanes: 0 };
    for (index, node) in drawing.nodes.iter().enumerate() {
        if let Some(place) = picture.layout.boxes[index] {
            picture.node(node, place);
        }
    }
    // Arrows into copies come last: the copies cover what passes below them.
    let mut arrows: Vec<&Arrow> = drawing.arrows.iter().filter(|arrow| in_range(drawing, arrow)).collect();
    arrows.sort_by_key(|arrow| is_repeated(drawing, arrow.to));
    for arrow in arrows {
        picture.arrow(arrow);
    }
    picture.finish()
}

struct Picture<'d> {
    drawing: &'d Drawing,
    layout: Layout,
    body: String,
    /// Lines that run below the nodes so far.
    lanes: u32,
}

impl Picture<'_> {
    fn finish(self) -> String {
        let width = self.layout.width.max(text_width(&self.drawing.title) + 32.0);
        let height = self.layout.height + f64::from(self.lanes) * LANE;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>{STYLE}</style>\n"
        );
        if !self.drawing.title.is_empty() {
            let _ = writeln!(text, "<text class=\"title\" x=\"16\" y=\"20\">{}</text>", escape(&self.drawing.title));
        }
        text.push_str(&self.body);
        text.push_str("</svg>\n");
        text
    }

    fn node(&mut self, node: &Node, place: Box) {
        match node.style {
            NodeStyle::Variable => self.lines(node, place, "variable"),
            NodeStyle::Sentinel => {
                self.rectangle(place, "null", 9.0);
                self.lines(node, place, "");
            }
            NodeStyle::Cell => self.framed(node, place, "cell", "head", ""),
            NodeStyle::Dead => self.framed(node, place, "dead", "dead-head", "dead-text"),
            NodeStyle::Summary => {
                let outer = Box {
                    x: place.x - 3.0,
                    y: place.y - 3.0,
                    width: place.width + 6.0,
                    height: place.height + 6.0,
                    ..place
                };
                self.rectangle(outer, "cell", 5.0);
                self.framed(node, place, "cell", "head", "");
            }
        }
    }

    /// A frame, its first row set off as a heading.
    fn framed(&mut self, node: &Node, place: Box, frame: &str, heading: &str, text: &str) {
        self.rectangle(place, frame, 3.0);
        self.rectangle(Box { height: ROW, ..place }, heading, 3.0);
        for row in 2..node.lines.len() {
            let y = place.y + row as f64 * ROW;
            let _ = writeln!(
                self.body,
                "<line class=\"rule\" x1=\"{:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>",
                place.x,
                place.right()
            );
        }
        self.lines(node, place, text);
    }

    fn lines(&mut self, node: &Node, place: Box, class: &str) {
        for (row, line) in node.lines.iter().enumerate() {
            self.text(place.x + PADDING, place.row(row), class, line);
        }
    }

    fn rectangle(&mut self, place: Box, class: &str, radius: f64) {
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{radius}\"/>",
            place.x, place.y, place.width, place.height
        );
    }

    /// Text whose middle line is at `y`.
    fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let _ = writeln!(self.body, "<text{class} x=\"{x:.1}\" y=\"{:.1}\">{}</text>", y + 4.5, escape(text));
    }

    fn arrow(&mut self, arrow: &Arrow) {
        let Some(from) = self.layout.boxes[arrow.from] else { return };
        let start = from.row(arrow.from_line.unwrap_or(0));
        let Some(to) = self.layout.boxes[arrow.to] else {
            return self.arrow_to_copy(arrow, from, start);
        };
        if arrow.from == arrow.to {
            self.self_loop(arrow, from, start);
        } else if to.layer > from.layer && !self.is_blocked(from, to, start) {
            self.forward(arrow, from, to, start);
        } else if to.layer + 1 == from.layer {
            self.back_one(arrow, from, to, start);
        } else {
            self.below(arrow, from, to, start);
        }
    }

    /// Into a small copy of a sentinel, right beside the row.
    fn arrow_to_copy(&mut self, arrow: &Arrow, from: Box, y: f64) {
        debug_assert!(is_repeated(self.drawing, arrow.to));
        let label = if arrow.label.is_empty() { 0.0 } else { text_width(&arrow.label) + 8.0 };
        let x = from.right() + 20.0 + label;
        self.line(arrow, &format!("M{:.1} {y:.1} H{x:.1}", from.right()), (x, y), Heading::Right);
        self.label(arrow, from.right() + 6.0, y);
        let node = &self.drawing.nodes[arrow.to];
        let text = node.lines.first().map_or("null", String::as_str);
        let place = Box { x, y: y - 9.0, width: text_width(text) + 10.0, height: 18.0, layer: from.layer };
        self.rectangle(place, "null", 9.0);
        self.text(x + 5.0, y, "", text);
    }

    fn forward(&mut self, arrow: &Arrow, from: Box, to: Box, y: f64) {
        let (x1, x2, y2) = (from.right(), to.x, to.row(0));
        let bend = (x2 - x1) / 2.0;
        let path = format!("M{x1:.1} {y:.1} C{:.1} {y:.1} {:.1} {y2:.1} {x2:.1} {y2:.1}", x1 + bend, x2 - bend);
        self.line(arrow, &path, (x2, y2), Heading::Right);
        self.label(arrow, x1 + 6.0, y);
    }

    /// To the layer before: from the left side of the row straight back, as `prev` goes beside `next`.
    fn back_one(&mut self, arrow: &Arrow, from: Box, to: Box, y: f64) {
        let (x1, x2) = (from.x, to.right());
        let y2 = self.quiet_row(arrow.to, to, y);
        let bend = (x1 - x2) / 2.0;
        if (y - y2).abs() < ROW / 2.0 {
            // There is no other row: below the arrow that comes, not on it.
            let (y, y2) = (y + ROW * 0.3, y2 + ROW * 0.3);
            let low = y.max(y2) + ROW * 0.8;
            let path = format!("M{x1:.1} {y:.1} C{:.1} {low:.1} {:.1} {low:.1} {x2:.1} {y2:.1}", x1 - bend, x2 + bend);
            self.line(arrow, &path, (x2, y2), Heading::Left);
            self.label(arrow, x2 + 24.0, low + ROW * 0.6);
            return;
        }
        let path = format!("M{x1:.1} {y:.1} C{:.1} {y:.1} {:.1} {y2:.1} {x2:.1} {y2:.1}", x1 - bend, x2 + bend);
        self.line(arrow, &path, (x2, y2), Heading::Left);
        self.label(arrow, x2 + 10.0, y2 + 10.0);
    }

    /// The row closest to `y` that no arrow leaves from.
    fn quiet_row(&self, node: usize, place: Box, y: f64) -> f64 {
        let is_quiet = |row: &usize| {
            !self.drawing.arrows.iter().any(|arrow| arrow.from == node && arrow.from_line.unwrap_or(0) == *row)
        };
        let heights = (0..self.drawing.nodes[node].lines.len()).filter(is_quiet).map(|row| place.row(row));
        heights.min_by(|a, b| (a - y).abs().total_cmp(&(b - y).abs())).unwrap_or(place.row(0))
    }

    fn self_loop(&mut self, arrow: &Arrow, from: Box, y: f64) {
        let (x, y2) = (from.right(), from.row(0));
        let y1 = if y > y2 { y } else { y2 + ROW * 0.4 };
        let path = format!("M{x:.1} {y1:.1} C{:.1} {y1:.1} {:.1} {y2:.1} {x:.1} {y2:.1}", x + 28.0, x + 28.0);
        self.line(arrow, &path, (x, y2), Heading::Left);
        self.label(arrow, x + 24.0, y1);
    }

    /// Down, along a lane of its own below all nodes, and up again into the heading.
    fn below(&mut self, arrow: &Arrow, from: Box, to: Box, y: f64) {
        let lane = f64::from(self.lanes);
        self.lanes += 1;
        let bottom = self.layout.height + lane * LANE - 6.0;
        let x1 = from.right() + 8.0 + (lane % 5.0) * 4.0;
        let x2 = to.x - 12.0 - (lane % 5.0) * 4.0;
        let y2 = to.row(0);
        let path = format!(
            "M{:.1} {y:.1} H{:.1} Q{x1:.1} {y:.1} {x1:.1} {:.1} V{:.1} Q{x1:.1} {bottom:.1} {:.1} {bottom:.1} H{:.1} \
             Q{x2:.1} {bottom:.1} {x2:.1} {:.1} V{:.1} Q{x2:.1} {y2:.1} {:.1} {y2:.1} H{:.1}",
            from.right(),
            x1 - 4.0,
            y + 4.0,
            bottom - 4.0,
            if x2 < x1 { x1 - 4.0 } else { x1 + 4.0 },
            if x2 < x1 { x2 + 4.0 } else { x2 - 4.0 },
            bottom - 4.0,
            y2 + 4.0,
            x2 + 4.0,
            to.x,
        );
        self.line(arrow, &path, (to.x, y2), Heading::Right);
        self.label(arrow, x1 + 4.0, y);
    }

    /// Whether a node of a layer between stands in the way of a straight arrow.
    fn is_blocked(&self, from: Box, to: Box, y: f64) -> bool {
        let end = to.row(0);
        self.layout.boxes.iter().flatten().filter(|other| other.layer > from.layer && other.layer < to.layer).any(
            |other| {
                let along = ((other.x + other.width / 2.0) - from.right()) / (to.x - from.right());
                let at = y + (end - y) * along;
                at > other.y - 6.0 && at < other.bottom() + 6.0
            },
        )
    }

    fn line(&mut self, arrow: &Arrow, path: &str, (x, y): (f64, f64), heading: Heading) {
        let style = match arrow.style {
            ArrowStyle::Solid => "",
            ArrowStyle::Dotted => " dotted",
            ArrowStyle::Segment => " segment",
        };
        let _ = writeln!(self.body, "<path class=\"arrow{style}\" d=\"{path}\"/>");
        let back = match heading {
            Heading::Right => -TIP,
            Heading::Left => TIP,
        };
        let tips = if arrow.style == ArrowStyle::Segment { 2 } else { 1 };
        for tip in 0..tips {
            let x = x + back * f64::from(tip);
            let _ = writeln!(
                self.body,
                "<path class=\"tip\" d=\"M{x:.1} {y:.1} L{:.1} {:.1} V{:.1} Z\"/>",
                x + back,
                y - 3.5,
                y + 3.5
            );
        }
    }

    fn label(&mut self, arrow: &Arrow, x: f64, y: f64) {
        if !arrow.label.is_empty() {
            self.text(x, y - 7.0, "label", &arrow.label);
        }
    }
}

/// Which way an arrow looks where it ends.
enum Heading {
    Right,
    Left,
}

/// The text as XML character data, control characters shown as the replacement character.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' => escaped.push(character),
            control if control.is_control() => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}
