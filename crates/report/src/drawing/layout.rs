//! Where the nodes of a drawing stand: layers from left to right along the arrows, in the manner of Sugiyama (break
//! cycles, layer by longest path, order by barycentres), simplified to what heaps need: chains stay straight, and a
//! sentinel is repeated beside each arrow that enters it, so that a hundred nulls are not a hundred crossing lines.

use super::dot::in_range;
use heapwise_engine::{Drawing, NodeStyle};

/// Width of a character of the monospace font at its size, in pixels.
pub(super) const CHARACTER: f64 = 7.85;
/// Height of a row.
pub(super) const ROW: f64 = 20.0;
/// Space between text and frame.
pub(super) const PADDING: f64 = 8.0;
/// Space around the whole drawing.
const MARGIN: f64 = 16.0;
/// Space between layers, when no text stands in it.
const LAYER_GAP: f64 = 48.0;
/// Space between nodes of a layer.
const NODE_GAP: f64 = 18.0;

/// Where a node stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Box {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    /// The layer, from the left.
    pub(super) layer: usize,
}

impl Box {
    /// The middle of a row, as a height.
    pub(super) fn row(&self, row: usize) -> f64 {
        (self.y + (row as f64 + 0.5) * ROW).min(self.y + self.height - ROW / 2.0)
    }

    pub(super) fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.y + self.height
    }
}

/// The places of all nodes. A sentinel that some arrow enters has none: it is drawn at the arrows.
pub(super) struct Layout {
    pub(super) boxes: Vec<Option<Box>>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Width of a text in pixels.
pub(super) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

/// Whether arrows into this node end in a small copy of it.
pub(super) fn is_repeated(drawing: &Drawing, node: usize) -> bool {
    drawing.nodes[node].style == NodeStyle::Sentinel
        && drawing.arrows.iter().any(|arrow| in_range(drawing, arrow) && arrow.to == node)
}

/// Lays a drawing out, below a title of `title_height` pixels.
pub(super) fn layout(drawing: &Drawing, title_height: f64) -> Layout {
    let graph = Graph::new(drawing);
    let layers = graph.layers();
    let columns = graph.ordered_columns(&layers);
    let mut boxes = vec![None; drawing.nodes.len()];
    let mut lefts = Vec::with_capacity(columns.len());
    let mut x = MARGIN;
    for column in &columns {
        let width = column.iter().map(|node| node_width(drawing, *node)).fold(0.0, f64::max);
        lefts.push((x, width));
        x += width + gap_after(drawing, column);
    }
    let mut top = title_height + MARGIN;
    let mut height: f64 = 0.0;
    // What hangs together stands together: each part has a band of its own, below the one before.
    for part in graph.parts() {
        for (layer, (column, (x, width))) in columns.iter().zip(&lefts).enumerate() {
            let here: Vec<usize> = column.iter().copied().filter(|node| part.contains(node)).collect();
            place_column(&graph, &here, *x, *width, layer, top, &mut boxes);
        }
        height = part.iter().filter_map(|node| boxes[*node]).map(|b: Box| b.bottom()).fold(height, f64::max);
        top = height.max(top) + NODE_GAP;
    }
    let right = boxes.iter().flatten().map(Box::right).fold(0.0, f64::max);
    let overhang = columns.last().map_or(0.0, |column| gap_after(drawing, column));
    Layout { boxes, width: right + overhang, height: height.max(title_height) + MARGIN }
}

/// Puts a column's nodes below each other, each as close as it can to the height of what points to it.
fn place_column(
    graph: &Graph<'_>,
    column: &[usize],
    x: f64,
    width: f64,
    layer: usize,
    top: f64,
    boxes: &mut [Option<Box>],
) {
    let mut free = top;
    for &node in column {
        let wanted = graph.leader(node).and_then(|leader| boxes[leader]).map_or(top, |leader: Box| leader.y);
        let y = wanted.max(free);
        let height = node_height(graph.drawing, node);
        // A variable stands close to what it points to.
        let own = node_width(graph.drawing, node);
        let x = if graph.drawing.nodes[node].style == NodeStyle::Variable { x + width - own } else { x };
        boxes[node] = Some(Box { x, y, width: own, height, layer });
        free = y + height + NODE_GAP;
    }
}

fn node_width(drawing: &Drawing, node: usize) -> f64 {
    let text = drawing.nodes[node].lines.iter().map(|line| text_width(line)).fold(0.0, f64::max);
    (text + 2.0 * PADDING).max(28.0)
}

fn node_height(drawing: &Drawing, node: usize) -> f64 {
    drawing.nodes[node].lines.len().max(1) as f64 * ROW
}

/// Room right of a column for labels and for the copies of sentinels.
fn gap_after(drawing: &Drawing, column: &[usize]) -> f64 {
    let leaving = drawing.arrows.iter().filter(|arrow| in_range(drawing, arrow) && column.contains(&arrow.from));
    let widest = leaving
        .map(|arrow| {
            let label = if arrow.label.is_empty() { 0.0 } else { text_width(&arrow.label) + 16.0 };
            let copy = if is_repeated(drawing, arrow.to) { node_width(drawing, arrow.to) } else { 0.0 };
            label + copy
        })
        .fold(0.0, f64::max);
    LAYER_GAP + widest
}

/// The arrows between nodes that have a place of their own, without loops and repetitions.
struct Graph<'d> {
    drawing: &'d Drawing,
    placed: Vec<bool>,
    successors: Vec<Vec<usize>>,
    predecessors: Vec<Vec<usize>>,
}

impl<'d> Graph<'d> {
    fn new(drawing: &'d Drawing) -> Graph<'d> {
        let n = drawing.nodes.len();
        let placed: Vec<bool> = (0..n).map(|node| !is_repeated(drawing, node)).collect();
        let mut all = vec![Vec::new(); n];
        for arrow in drawing.arrows.iter().filter(|arrow| in_range(drawing, arrow)) {
            if placed[arrow.from] && placed[arrow.to] && arrow.from != arrow.to && !all[arrow.from].contains(&arrow.to)
            {
                all[arrow.from].push(arrow.to);
            }
        }
        let mut graph = Graph { drawing, placed, successors: vec![Vec::new(); n], predecessors: vec![Vec::new(); n] };
        graph.drop_back_arrows(&all);
        graph
    }

    /// The nodes that have a place, by what hangs together, in the order of the drawing.
    fn parts(&self) -> Vec<Vec<usize>> {
        let mut parts = Vec::new();
        let mut seen = vec![false; self.placed.len()];
        for first in (0..self.placed.len()).filter(|node| self.placed[*node]) {
            if std::mem::replace(&mut seen[first], true) {
                continue;
            }
            let mut part = vec![first];
            let mut next = 0;
            while let Some(&node) = part.get(next) {
                next += 1;
                for &other in self.successors[node].iter().chain(&self.predecessors[node]) {
                    if !std::mem::replace(&mut seen[other], true) {
                        part.push(other);
                    }
                }
            }
            parts.push(part);
        }
        parts
    }

    /// Keeps the arrows that do not close a cycle, found by depth-first search: from nodes that nothing enters first,
    /// so that a list starts at its head.
    fn drop_back_arrows(&mut self, all: &[Vec<usize>]) {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let n = all.len();
        let mut entered = vec![false; n];
        all.iter().flatten().for_each(|to| entered[*to] = true);
        let mut roots: Vec<usize> = (0..n).collect();
        roots.sort_by_key(|node| entered[*node]);
        let mut marks = vec![Mark::New; n];
        for root in roots {
            if marks[root] != Mark::New {
                continue;
            }
            marks[root] = Mark::Open;
            let mut stack = vec![(root, 0)];
            while let Some((node, next)) = stack.last_mut() {
                let node = *node;
                let Some(&to) = all[node].get(*next) else {
                    marks[node] = Mark::Done;
                    stack.pop();
                    continue;
                };
                *next += 1;
                if marks[to] != Mark::Open {
                    self.successors[node].push(to);
                    self.predecessors[to].push(node);
                }
                if marks[to] == Mark::New {
                    marks[to] = Mark::Open;
                    stack.push((to, 0));
                }
            }
        }
    }

    /// The layer of each node: the longest way to it; a variable stands just before the first thing it points to.
    fn layers(&self) -> Vec<usize> {
        let n = self.successors.len();
        let mut layers: Vec<usize> = vec![0; n];
        let mut waiting: Vec<usize> = self.predecessors.iter().map(Vec::len).collect();
        let mut ready: Vec<usize> = (0..n).filter(|node| waiting[*node] == 0).collect();
        while let Some(node) = ready.pop() {
            for &to in &self.successors[node] {
                layers[to] = layers[to].max(layers[node] + 1);
                waiting[to] -= 1;
                if waiting[to] == 0 {
                    ready.push(to);
                }
            }
        }
        for node in 0..n {
            if self.drawing.nodes[node].style == NodeStyle::Variable {
                let first = self.successors[node].iter().map(|to| layers[*to]).min();
                layers[node] = first.map_or(layers[node], |first| first.saturating_sub(1));
            }
        }
        layers
    }

    /// The nodes of each layer from top to bottom.
    fn ordered_columns(&self, layers: &[usize]) -> Vec<Vec<usize>> {
        let n_layers = layers.iter().max().map_or(0, |last| last + 1);
        let mut columns = vec![Vec::new(); n_layers];
        for (node, layer) in layers.iter().enumerate().filter(|(node, _)| self.placed[*node]) {
            columns[*layer].push(node);
        }
        let mut position = vec![0.0; layers.len()];
        let number = |columns: &[Vec<usize>], position: &mut [f64]| {
            for column in columns {
                column.iter().enumerate().for_each(|(at, node)| position[*node] = at as f64);
            }
        };
        number(&columns, &mut position);
        for sweep in 0..4 {
            let neighbours = if sweep % 2 == 0 { &self.predecessors } else { &self.successors };
            for column in &mut columns {
                let centre = |node: usize| {
                    let around = &neighbours[node];
                    if around.is_empty() {
                        return position[node];
                    }
                    around.iter().map(|other| position[*other]).sum::<f64>() / around.len() as f64
                };
                // The sort is stable, so equal centres keep the engine's order.
                column.sort_by(|a, b| centre(*a).total_cmp(&centre(*b)));
            }
            number(&columns, &mut position);
        }
        columns.iter_mut().for_each(|column| self.seat_variables(column));
        columns
    }

    /// Moves each variable right below the cell that comes before its target in the target's chain, so that variables
    /// stand near what they point to and do not push chains apart.
    fn seat_variables(&self, column: &mut Vec<usize>) {
        let is_variable = |node: usize| self.drawing.nodes[node].style == NodeStyle::Variable;
        let seat = |at: usize, node: usize, column: &[usize]| {
            let target = self.successors[node].first()?;
            let anchor = self.leader(*target).filter(|leader| is_variable(node) && !is_variable(*leader))?;
            column.iter().position(|other| *other == anchor).map(|anchor| (anchor, 1, at))
        };
        let keys: Vec<(usize, u8, usize)> =
            column.iter().enumerate().map(|(at, node)| seat(at, *node, column).unwrap_or((at, 0, at))).collect();
        let mut order: Vec<usize> = (0..column.len()).collect();
        order.sort_by_key(|at| keys[*at]);
        *column = order.into_iter().map(|at| column[at]).collect();
    }

    /// The node whose height this one takes over: a cell before it in its chain, else a variable.
    fn leader(&self, node: usize) -> Option<usize> {
        let before = &self.predecessors[node];
        let cell = before.iter().find(|other| self.drawing.nodes[**other].style != NodeStyle::Variable);
        cell.or(before.first()).copied()
    }
}
