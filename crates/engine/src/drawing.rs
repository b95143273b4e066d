//! A heap that can be drawn: nodes and arrows, nothing of the abstraction behind them.

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
