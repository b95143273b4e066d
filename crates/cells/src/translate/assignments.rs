//! The constraint graph of an inclusion-based points-to analysis (Andersen): what a variable may hold flows along its edges to
//! the variables that it is assigned to. Solved by `heapwise_dataflow`; accesses through pointers add edges between solutions,
//! as more is known of what the pointers hold.

use super::Address;
use super::constants::Object;
use crate::atom::Var;
use heapwise_dataflow::{Analysis, Direction, Flow, Graph, JoinSemiLattice, MaySet, order};
use heapwise_ir::entity::packed_option::PackedOption;
use heapwise_ir::entity::{SecondaryMap, entity_impl};
use heapwise_pointsto::RegionId;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a variable may hold beside cells: some values, and perhaps others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Held<T> {
    listed: MaySet<T>,
    others: Others,
}

/// Whether a list is complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Others {
    /// It is.
    None,
    /// A pointer that is moved again and again may be anywhere.
    Anywhere,
}

impl<T> Default for Held<T> {
    fn default() -> Held<T> {
        Held { listed: MaySet::default(), others: Others::None }
    }
}

impl<T: Ord + Clone> Held<T> {
    /// One value.
    pub(super) fn one(value: T) -> Held<T> {
        Held { listed: MaySet::from_iter([value]), others: Others::None }
    }

    /// All values; `None` if there are others.
    pub(super) fn known(&self) -> Option<&[T]> {
        match self.others {
            Others::None => Some(&self.listed),
            Others::Anywhere => None,
        }
    }

    /// Whether a value may be held: any, where a pointer may be anywhere.
    pub(super) fn may_contain(&self, value: &T) -> bool {
        self.others == Others::Anywhere || self.listed.contains(value)
    }

    /// Whether it surely holds none.
    pub(super) fn is_empty(&self) -> bool {
        self.others == Others::None && self.listed.is_empty()
    }

    /// The same for other names of the values.
    pub(super) fn map<U: Ord + Clone>(&self, name: impl FnMut(T) -> U) -> Held<U> {
        Held { listed: self.listed.iter().cloned().map(name).collect(), others: self.others }
    }
}

impl<T: Ord + Clone> JoinSemiLattice for Held<T> {
    fn join(&mut self, other: &Held<T>) -> bool {
        let is_new = self.others == Others::None && other.others == Others::Anywhere;
        if is_new {
            self.others = Others::Anywhere;
        }
        self.listed.join(&other.listed) || is_new
    }
}

/// A value that is followed: an integer that is not null, or an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Constant {
    /// An integer.
    Int(i32),
    /// An address.
    Address(Address),
}

impl Constant {
    /// The value some bytes further. An address may lie outside its object, as the `container_of` of a list's head does: what is
    /// accessed there is out of bounds.
    pub(super) fn shifted(self, bytes: i64) -> Option<Constant> {
        match self {
            Constant::Int(value) => {
                let moved = i64::from(value).checked_add(bytes).and_then(|moved| i32::try_from(moved).ok())?;
                (moved != 0).then_some(Constant::Int(moved))
            }
            Constant::Address(Address::Object(object, offset)) => {
                Some(Constant::Address(Address::Object(object, offset.checked_add(bytes)?)))
            }
            Constant::Address(Address::Function(_)) => None,
        }
    }
}

impl Constant {
    /// The address some bytes further in a table, if it is one of a row, or of the end; nothing else is followed.
    pub(super) fn walked(self, bytes: i64, tables: &FxHashMap<Object, i64>) -> Option<Constant> {
        let Constant::Address(Address::Object(object, _)) = self else { return None };
        let moved = self.shifted(bytes)?;
        let Constant::Address(Address::Object(_, offset)) = moved else { return None };
        (0..=*tables.get(&object)?).contains(&offset).then_some(moved)
    }
}

/// Part of the heap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Scope {
    /// A region of the points-to analysis that is reached by known pointers alone.
    Region(RegionId),
    /// All that pointers of unknown origin may lead to.
    Escaped,
    /// All of it.
    Everywhere,
}

/// Where a value is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Holder {
    /// A variable.
    Var(Var),
    /// The cells of a region, at an offset that stands for all that are the same.
    Cell(RegionId, i64),
    /// What is written somewhere there.
    Written(Scope),
    /// What may be read somewhere there.
    Read(Scope),
}

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Node(u32);
entity_impl!(Node);

/// An edge of the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Assignment(u32);
entity_impl!(Assignment);

struct Flows {
    from: Node,
    to: Node,
    /// The pointer is moved so far.
    bytes: i64,
    /// It may be moved so again and again.
    repeats: bool,
    /// It stays within a table, or is not followed.
    walks: bool,
}

/// The graph.
#[derive(Default)]
pub(super) struct Assignments {
    of_var: SecondaryMap<Var, PackedOption<Node>>,
    of_memory: FxHashMap<Holder, Node>,
    start: Vec<Held<Constant>>,
    outgoing: Vec<Vec<Assignment>>,
    edges: Vec<Flows>,
    /// Edges that were found behind pointers, perhaps more than once.
    found: FxHashSet<(Node, Node)>,
    /// Something was added since the last solution.
    is_open: bool,
    /// The tables that pointers walk along, with their sizes.
    tables: FxHashMap<Object, i64>,
}

impl Graph for Assignments {
    type Node = Node;
    type Edge = Assignment;

    fn n_nodes(&self) -> usize {
        self.start.len()
    }

    fn outgoing(&self, node: Node) -> &[Assignment] {
        &self.outgoing[node.as_u32() as usize]
    }

    fn source(&self, edge: Assignment) -> Node {
        self.edges[edge.as_u32() as usize].from
    }

    fn target(&self, edge: Assignment) -> Node {
        self.edges[edge.as_u32() as usize].to
    }

    fn entries(&self) -> impl Iterator<Item = Node> {
        std::iter::empty()
    }
}

impl Assignments {
    /// The graph of a program with these tables.
    pub(super) fn with_tables(tables: FxHashMap<Object, i64>) -> Assignments {
        Assignments { tables, ..Assignments::default() }
    }

    /// The node of a holder.
    pub(super) fn node(&mut self, holder: Holder) -> Node {
        if let Some(node) = self.known_node(holder) {
            return node;
        }
        let node = Node::from_u32(self.start.len() as u32);
        match holder {
            Holder::Var(var) => self.of_var[var] = node.into(),
            Holder::Cell(..) | Holder::Written(_) | Holder::Read(_) => drop(self.of_memory.insert(holder, node)),
        }
        self.start.push(Held::default());
        self.outgoing.push(Vec::new());
        // What is written somewhere in a part of the heap may be read everywhere in it, and is part of a larger one.
        match holder {
            Holder::Var(_) => {}
            Holder::Cell(region, _) => {
                let (written, read) = (Holder::Written(Scope::Region(region)), Holder::Read(Scope::Region(region)));
                let (written, read) = (self.node(written), self.node(read));
                self.add(written, node, 0);
                self.add(node, read, 0);
            }
            Holder::Written(scope) => {
                let read = self.node(Holder::Read(scope));
                self.add(node, read, 0);
                if scope != Scope::Everywhere {
                    let everywhere = self.node(Holder::Written(Scope::Everywhere));
                    self.add(everywhere, node, 0);
                }
            }
            Holder::Read(Scope::Everywhere) => {}
            Holder::Read(Scope::Region(_) | Scope::Escaped) => {
                let everywhere = self.node(Holder::Read(Scope::Everywhere));
                self.add(node, everywhere, 0);
            }
        }
        node
    }

    fn known_node(&self, holder: Holder) -> Option<Node> {
        match holder {
            Holder::Var(var) => self.of_var[var].expand(),
            Holder::Cell(..) | Holder::Written(_) | Holder::Read(_) => self.of_memory.get(&holder).copied(),
        }
    }

    /// What one node holds, the other may hold too, so many bytes further.
    pub(super) fn add(&mut self, from: Node, to: Node, bytes: i64) {
        self.add_flows(Flows { from, to, bytes, repeats: false, walks: false });
    }

    /// A pointer walks along a table: the address of one row becomes that of another one, or of the end.
    pub(super) fn add_walk(&mut self, from: Node, to: Node, bytes: i64) {
        self.add_flows(Flows { from, to, bytes, repeats: false, walks: true });
    }

    fn add_flows(&mut self, flows: Flows) {
        let edge = Assignment::from_u32(self.edges.len() as u32);
        self.outgoing[flows.from.as_u32() as usize].push(edge);
        self.edges.push(flows);
        self.is_open = true;
    }

    /// The same, unless it is known.
    pub(super) fn add_found(&mut self, from: Node, to: Node) {
        if self.found.insert((from, to)) {
            self.add(from, to, 0);
        }
    }

    /// A node holds a value.
    pub(super) fn start(&mut self, node: Node, value: Constant) {
        self.is_open |= self.start[node.as_u32() as usize].join(&Held::one(value));
    }

    /// Whether what was found still holds: nothing was added since.
    pub(super) fn is_solved(&self) -> bool {
        !self.is_open
    }

    /// What a holder was found to hold.
    pub(super) fn of(&self, holder: Holder) -> Held<Constant> {
        self.known_node(holder).map_or_else(Held::default, |node| self.at(node).clone())
    }

    /// What a node was found to hold.
    pub(super) fn at(&self, node: Node) -> &Held<Constant> {
        &self.start[node.as_u32() as usize]
    }

    /// What a variable was found to hold.
    pub(super) fn var(&self, var: Var) -> Option<&Held<Constant>> {
        self.known_node(Holder::Var(var)).map(|node| self.at(node))
    }

    /// The variables, with what they were found to hold, in ascending order.
    pub(super) fn vars(&self) -> Vec<(Var, &Held<Constant>)> {
        let vars = self.of_var.iter().filter_map(|(var, node)| Some((var, self.at(node.expand()?))));
        vars.filter(|(_, held)| !held.is_empty()).collect()
    }

    /// Takes a solution over: the next one starts from there.
    pub(super) fn solved(&mut self, states: Vec<Option<Held<Constant>>>) {
        self.is_open = false;
        for (start, state) in self.start.iter_mut().zip(states) {
            if let Some(state) = state {
                *start = state;
            }
        }
    }

    /// Finds the moves that a pointer may take again and again. Where all ways around a loop lead back to the same byte (to the
    /// record from its list head, and to the head from the record), each node has a fixed distance from every other one, and
    /// there are only as many values as come in.
    pub(super) fn find_walks(&mut self) {
        if self.edges.iter().all(|edge| edge.bytes == 0) {
            return;
        }
        // A walk along a table ends where that ends.
        let of_node = |edges: &Vec<Assignment>| -> Vec<u32> {
            let flows = edges.iter().map(|edge| &self.edges[edge.as_u32() as usize]);
            flows.filter(|flows| !flows.walks).map(|flows| flows.to.as_u32()).collect()
        };
        let successors: Vec<Vec<u32>> = self.outgoing.iter().map(of_node).collect();
        let mut component_of = vec![0; successors.len()];
        let components = order::components_of(&successors);
        for (number, component) in components.iter().enumerate() {
            component.iter().for_each(|node| component_of[*node as usize] = number);
        }
        for (number, component) in components.iter().enumerate() {
            let inner = |node: u32| {
                let edges = self.outgoing[node as usize].iter().map(|edge| edge.as_u32() as usize);
                edges.filter(|edge| {
                    let Flows { to, walks, .. } = self.edges[*edge];
                    !walks && component_of[to.as_u32() as usize] == number
                })
            };
            let mut distances: FxHashMap<u32, i64> = FxHashMap::default();
            let mut waiting = vec![component[0]];
            distances.insert(component[0], 0);
            let mut is_walk = false;
            let mut moves = Vec::new();
            while let Some(node) = waiting.pop() {
                for edge in inner(node) {
                    let Flows { to, bytes, .. } = self.edges[edge];
                    let distance = distances[&node].wrapping_add(bytes);
                    if bytes != 0 {
                        moves.push(edge);
                    }
                    match distances.get(&to.as_u32()) {
                        None => {
                            distances.insert(to.as_u32(), distance);
                            waiting.push(to.as_u32());
                        }
                        Some(known) => is_walk |= *known != distance,
                    }
                }
            }
            for edge in moves {
                self.edges[edge].repeats |= is_walk;
            }
        }
    }
}

/// The analysis of the graph.
pub(super) struct MayHold;

impl Analysis<Assignments> for MayHold {
    type Domain = Held<Constant>;

    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, graph: &Assignments, node: Node) -> Option<Held<Constant>> {
        let start = graph.at(node);
        (!start.is_empty()).then(|| start.clone())
    }

    fn apply(&self, graph: &Assignments, edge: Assignment, held: &mut Held<Constant>) -> Flow {
        let Flows { bytes, repeats, walks, .. } = graph.edges[edge.as_u32() as usize];
        if walks {
            let listed = held.listed.iter().filter_map(|value| value.walked(bytes, &graph.tables)).collect();
            *held = Held { listed, others: Others::None };
        } else if repeats && !held.is_empty() {
            *held = Held { listed: MaySet::default(), others: Others::Anywhere };
        } else if bytes != 0 {
            held.listed = held.listed.iter().filter_map(|value| value.shifted(bytes)).collect();
        }
        Flow::Continues
    }

    fn weight(&self, state: &Held<Constant>) -> usize {
        state.listed.len()
    }
}
