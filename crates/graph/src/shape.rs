//! Shape graphs: the working form, its normal form and its canonical code.
//!
//! Nodes are the interruptions of the paper's §3.1 (pointed to by a variable, or shared); an edge is an
//! uninterrupted segment of length `1` or `>1`. A graph may be partial (a shape *sub*graph): it then maps only
//! some of the variables.

use heapwise_cells::atom::{Atom, Var};
use heapwise_cells::program::KindId;
use smallvec::SmallVec;

/// The label of an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Length {
    /// So many links, at least one.
    Exactly(u8),
    /// More links than that: `>1`, unless a refinement tells longer segments apart.
    MoreThan(u8),
}

impl Length {
    /// The link field of the cell itself leads to the target.
    pub const ONE: Length = Length::Exactly(1);

    /// The length of two segments one after the other, told apart up to `exact`.
    fn plus(self, other: Length, exact: u8) -> Length {
        match (self, other) {
            (Length::Exactly(left), Length::Exactly(right)) if left + right <= exact => Length::Exactly(left + right),
            _ => Length::MoreThan(exact),
        }
    }

    fn code(self) -> u32 {
        match self {
            Length::Exactly(links) => u32::from(links) << 1,
            Length::MoreThan(links) => u32::from(links) << 1 | 1,
        }
    }

    fn from_code(code: u32) -> Length {
        let links = (code >> 1 & 0x7f) as u8;
        if code & 1 == 1 { Length::MoreThan(links) } else { Length::Exactly(links) }
    }
}

/// What a variable or a link field holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A pointer to the cell of this node.
    Node(usize),
    /// Anything else.
    Atom(Atom),
}

/// An interruption and the segment that leaves it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The variables that point to it, sorted.
    pub vars: SmallVec<[Var; 4]>,
    /// What the segment ends in.
    pub next: Value,
    /// Its length.
    pub length: Length,
    /// The kind of all its cells.
    pub kind: KindId,
    /// Data fields of the cell that may hold no value yet, one bit each.
    pub raw: u32,
    /// The same for the cells between this one and `next`.
    pub inner_raw: u32,
}

/// A shape (sub)graph.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Graph {
    /// The cells.
    pub nodes: SmallVec<[Node; 4]>,
    /// Variables that point to no cell, sorted.
    pub facts: SmallVec<[(Var, Atom); 4]>,
}

/// Whether segments are folded into `>1` edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folding {
    /// As the abstraction says; lengths up to this one are told apart. The paper's is 1.
    Segments(u8),
    /// Never: every cell stays a node. The graphs are then concrete heaps.
    Exact,
}

/// Whether normalisation dropped cells that no variable reaches any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Reachability {
    /// All cells are still reached.
    Kept,
    /// Some were lost.
    Lost,
}

impl Graph {
    /// What a variable holds, if the graph maps it.
    pub fn value(&self, var: Var) -> Option<Value> {
        for (index, node) in self.nodes.iter().enumerate() {
            if node.vars.contains(&var) {
                return Some(Value::Node(index));
            }
        }
        self.facts.iter().find(|(other, _)| *other == var).map(|(_, atom)| Value::Atom(*atom))
    }

    /// Stops mapping a variable.
    pub fn unmap(&mut self, var: Var) {
        for node in &mut self.nodes {
            if let Ok(position) = node.vars.binary_search(&var) {
                node.vars.remove(position);
                return;
            }
        }
        self.facts.retain(|(other, _)| *other != var);
    }

    /// Maps a variable to a value.
    pub fn set(&mut self, var: Var, value: Value) {
        self.unmap(var);
        match value {
            Value::Node(index) => {
                let vars = &mut self.nodes[index].vars;
                let position = vars.binary_search(&var).unwrap_or_else(|position| position);
                vars.insert(position, var);
            }
            Value::Atom(atom) => {
                let position = self.facts.partition_point(|(other, _)| *other < var);
                self.facts.insert(position, (var, atom));
            }
        }
    }

    /// All variables, unsorted.
    pub fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.nodes.iter().flat_map(|node| node.vars.iter().copied()).chain(self.facts.iter().map(|(var, _)| *var))
    }

    /// Puts the graph into the normal form: only cells that variables reach, only interruptions as nodes, named
    /// nodes first by their smallest variable, then shared anonymous ones in the order in which the named ones
    /// reach them (each node has one successor, so that order is unique).
    pub fn normalise(&mut self, folding: Folding) -> Reachability {
        let n_nodes = self.nodes.len();
        if n_nodes == 0 || (n_nodes == 1 && !self.nodes[0].vars.is_empty()) {
            return Reachability::Kept;
        }
        let order = self.reached_in_order();
        let reachability = if order.len() < n_nodes { Reachability::Lost } else { Reachability::Kept };
        let mut predecessors: SmallVec<[u8; 16]> = SmallVec::from_elem(0, n_nodes);
        for &index in &order {
            if let Value::Node(next) = self.nodes[index].next {
                predecessors[next] = predecessors[next].saturating_add(1);
            }
        }
        let exact = match folding {
            Folding::Segments(exact) => Some(exact),
            Folding::Exact => None,
        };
        let interruption =
            |node: &Node, predecessors: u8| exact.is_none() || !node.vars.is_empty() || predecessors >= 2;
        const GONE: u32 = u32::MAX;
        let mut position: SmallVec<[u32; 16]> = SmallVec::from_elem(GONE, n_nodes);
        let mut kept: SmallVec<[usize; 16]> = SmallVec::new();
        for &index in &order {
            if interruption(&self.nodes[index], predecessors[index]) {
                position[index] = kept.len() as u32;
                kept.push(index);
            }
        }
        if kept.len() == n_nodes && kept.iter().enumerate().all(|(new, old)| new == *old) {
            return reachability;
        }
        let mut nodes: SmallVec<[Node; 4]> = SmallVec::with_capacity(kept.len());
        for &index in &kept {
            let mut node = self.nodes[index].clone();
            while let Value::Node(next) = node.next {
                if position[next] != GONE {
                    break;
                }
                let folded = &self.nodes[next];
                node.length = node.length.plus(folded.length, exact.unwrap_or(1));
                node.inner_raw |= folded.raw | folded.inner_raw;
                node.next = folded.next;
            }
            if let Value::Node(next) = node.next {
                node.next = Value::Node(position[next] as usize);
            }
            nodes.push(node);
        }
        self.nodes = nodes;
        reachability
    }

    /// The nodes that variables reach: named ones by smallest variable, then anonymous ones as reached.
    fn reached_in_order(&self) -> SmallVec<[usize; 16]> {
        let mut order: SmallVec<[usize; 16]> =
            (0..self.nodes.len()).filter(|index| !self.nodes[*index].vars.is_empty()).collect();
        order.sort_unstable_by_key(|index| self.nodes[*index].vars[0]);
        let mut seen: SmallVec<[bool; 16]> = SmallVec::from_elem(false, self.nodes.len());
        for &index in &order {
            seen[index] = true;
        }
        for position in 0..order.len() {
            let mut at = order[position];
            while let Value::Node(next) = self.nodes[at].next {
                if std::mem::replace(&mut seen[next], true) {
                    break;
                }
                order.push(next);
                at = next;
            }
        }
        order
    }

    /// Replaces the `>1` segment that leaves a node by its two cases, `1·1` and `1·(>1)`; the node's own link then
    /// leads to the materialised cell. A segment of length `1` is left as it is.
    pub fn unfold(self, index: usize) -> SmallVec<[Graph; 2]> {
        let (shorter, longer) = match self.nodes[index].length {
            Length::Exactly(1) => return smallvec::smallvec![self],
            Length::Exactly(links) => (Length::Exactly(links - 1), None),
            Length::MoreThan(links) => (Length::Exactly(links), Some(Length::MoreThan(links))),
        };
        let mut short = self;
        let cell = short.nodes.len();
        let node = &mut short.nodes[index];
        let first = Node {
            vars: SmallVec::new(),
            next: node.next,
            length: shorter,
            kind: node.kind,
            raw: node.inner_raw,
            inner_raw: if shorter == Length::ONE { 0 } else { node.inner_raw },
        };
        let inner_raw = std::mem::take(&mut node.inner_raw);
        node.length = Length::ONE;
        node.next = Value::Node(cell);
        short.nodes.push(first);
        let Some(longer) = longer else { return smallvec::smallvec![short] };
        let mut long = short.clone();
        long.nodes[cell].length = longer;
        long.nodes[cell].inner_raw = inner_raw;
        smallvec::smallvec![short, long]
    }

    /// The canonical code of a graph in normal form.
    pub fn encode(&self) -> SmallVec<[u32; 32]> {
        let mut code = SmallVec::new();
        code.push(self.nodes.len() as u32);
        for node in &self.nodes {
            code.push((node.vars.len() as u32) << 8 | node.length.code());
            for var in &node.vars {
                code.push(var.as_u32());
            }
            code.push(match node.next {
                Value::Node(next) => (next as u32) << 1 | 1,
                Value::Atom(atom) => atom.encode(),
            });
            code.extend_from_slice(&[node.kind.as_u32(), node.raw, node.inner_raw]);
        }
        for (var, atom) in &self.facts {
            code.extend_from_slice(&[var.as_u32(), atom.encode()]);
        }
        code
    }

    /// The graph behind a code.
    pub fn decode(code: &[u32]) -> Graph {
        let mut words = code.iter().copied();
        let mut next = || words.next().unwrap_or_default();
        let n_nodes = next();
        let mut nodes = SmallVec::with_capacity(n_nodes as usize);
        for _ in 0..n_nodes {
            let head = next();
            let mut vars = SmallVec::new();
            for _ in 0..head >> 8 {
                vars.push(Var::from_u32(next()));
            }
            let length = Length::from_code(head & 0xff);
            let link = next();
            let target =
                if link & 1 == 1 { Value::Node((link >> 1) as usize) } else { Value::Atom(Atom::decode(link)) };
            let (kind, raw, inner_raw) = (KindId::from_u32(next()), next(), next());
            nodes.push(Node { vars, next: target, length, kind, raw, inner_raw });
        }
        let mut facts = SmallVec::new();
        while let Some(var) = words.next() {
            facts.push((Var::from_u32(var), Atom::decode(words.next().unwrap_or_default())));
        }
        Graph { nodes, facts }
    }
}
