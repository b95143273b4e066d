//! A heap that can be drawn: nodes and arrows, nothing of the abstraction behind them.

use crate::reason::Note;
use heapwise_ir::{FunctionId, LocationId, Span};

/// A picture of a heap, concrete or abstract.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Drawing {
    /// A caption.
    pub title: String,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The arrows between them.
    pub arrows: Vec<Arrow>,
}

/// A node of a drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The lines in it: the first is its title, the others rows (`next`, `data = 3`).
    pub lines: Vec<String>,
    /// How it looks.
    pub style: NodeStyle,
}

/// How a node looks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeStyle {
    /// A variable: no frame.
    Variable,
    /// One cell.
    Cell,
    /// Possibly many cells: a doubled frame.
    Summary,
    /// Freed, uninitialised or otherwise dead: grey.
    Dead,
    /// Null and other sentinels.
    Sentinel,
}

/// An arrow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Index of the node it leaves.
    pub from: usize,
    /// The row (index into `lines`) it leaves from, if not from the whole node.
    pub from_line: Option<usize>,
    /// Index of the node it enters.
    pub to: usize,
    /// The text beside it.
    pub label: String,
    /// How it looks.
    pub style: ArrowStyle,
}

/// How an arrow looks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrowStyle {
    /// Surely there.
    Solid,
    /// Perhaps there (1/2).
    Dotted,
    /// A whole segment (`>1`).
    Segment,
}

/// What holds at one location of one call string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The function.
    pub function: FunctionId,
    /// The location.
    pub location: LocationId,
    /// The text of the first edge that leaves it.
    pub span: Span,
    /// The calls that lead to the function, outermost first.
    pub call_string: Vec<FunctionId>,
    /// The elements of the location.
    pub drawings: Vec<Drawing>,
}

/// What holds at the locations of a program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Invariants {
    /// Location by location, in the order of the program.
    pub places: Vec<Invariant>,
    /// What the user should know about them.
    pub notes: Vec<Note>,
}

impl Drawing {
    /// Several drawings as one picture. Those of more than one part are numbered, so that it is seen what belongs together.
    pub fn side_by_side(title: String, drawings: &[Drawing]) -> Drawing {
        let mut whole = Drawing { title, ..Drawing::default() };
        let is_numbered = drawings.len() > 1 && drawings.iter().any(has_parts);
        for (index, drawing) in drawings.iter().enumerate() {
            if is_numbered {
                let heading = format!("{} of {}:", index + 1, drawings.len());
                whole.nodes.push(Node { lines: vec![heading], style: NodeStyle::Variable });
            }
            let shift = whole.nodes.len();
            whole.nodes.extend(drawing.nodes.iter().cloned());
            whole.arrows.extend(drawing.arrows.iter().cloned().map(|arrow| Arrow {
                from: arrow.from + shift,
                to: arrow.to + shift,
                ..arrow
            }));
        }
        whole
    }
}

/// Whether a drawing falls apart, sentinels not counting as a connection.
fn has_parts(drawing: &Drawing) -> bool {
    let is_sentinel = |node: usize| matches!(drawing.nodes[node].style, NodeStyle::Sentinel | NodeStyle::Dead);
    let mut part: Vec<usize> = (0..drawing.nodes.len()).collect();
    for _ in 0..drawing.nodes.len() {
        for arrow in drawing.arrows.iter().filter(|arrow| !is_sentinel(arrow.to)) {
            let least = part[arrow.from].min(part[arrow.to]);
            (part[arrow.from], part[arrow.to]) = (least, least);
        }
    }
    let mut parts = (0..drawing.nodes.len()).filter(|node| !is_sentinel(*node)).map(|node| part[node]);
    let first = parts.next();
    parts.any(|other| Some(other) != first)
}
