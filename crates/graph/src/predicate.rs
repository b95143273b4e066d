//! The shape predicates of `heapwise.h` on graphs. Their arguments are named nodes, so segments never hide an answer.

use crate::kinds::KindSet;
use crate::shape::{Graph, Node, NodeId, Value};
use heapwise_cells::atom::Atom;
use heapwise_cells::program::{CellKind, KindId};
use heapwise_ir::entity::PrimaryMap;
use heapwise_ir::{ShapeClause, ShapeKind};
use smallvec::SmallVec;

/// Whether a predicate holds of all heaps that a graph stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// Of all.
    True,
    /// Of none.
    False,
    /// It depends.
    Unknown,
}

impl Truth {
    fn of(holds: bool) -> Truth {
        if holds { Truth::True } else { Truth::False }
    }

    fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::False, _) | (_, Truth::False) => Truth::False,
            (Truth::Unknown, _) | (_, Truth::Unknown) => Truth::Unknown,
            (Truth::True, Truth::True) => Truth::True,
        }
    }
}

/// The kinds of cells of a program.
pub type Kinds = PrimaryMap<KindId, CellKind>;

/// The nodes on the way from a value, and what the way ends in: an atom, or a node met again.
struct Walk {
    nodes: SmallVec<[NodeId; 8]>,
    end: Value,
}

fn walk(graph: &Graph, from: Value) -> Walk {
    let mut nodes: SmallVec<[NodeId; 8]> = SmallVec::new();
    let mut at = from;
    while let Value::Cell(index) = at {
        if nodes.contains(&index) {
            break;
        }
        nodes.push(index);
        at = graph[index].next;
    }
    Walk { nodes, end: at }
}

/// Whether a walk ends where nothing is known of what follows.
fn is_open(end: Value) -> bool {
    matches!(end, Value::Atom(Atom::Opaque | Atom::Place(_) | Atom::Library(_)))
}

/// Whether a walk ends in a link that leads nowhere: that breaks every shape.
fn is_broken(end: Value) -> bool {
    matches!(end, Value::Atom(Atom::Freed | Atom::Ended(_) | Atom::Gone | Atom::Uninit))
        || matches!(end, Value::Atom(Atom::Int(value)) if value != 0)
}

/// Whether the link that a shape of such cells speaks of is the link of all cells on a walk: cells of other kinds may have
/// something else there.
fn follows_links(walk: &Walk, graph: &Graph, (kinds, cell): (&Kinds, KindId)) -> bool {
    let link = |kind: KindId| kinds[kind].only_link().map(|link| link.offset);
    walk.nodes.iter().all(|node| {
        let Node { kind, inner_kinds, .. } = graph[*node];
        kind == cell && inner_kinds.is_at_most(cell)
            || KindSet::of(kind).union(inner_kinds).iter(kinds.len()).all(|kind| link(kind) == link(cell))
    })
}

/// Evaluates a shape predicate about cells of a kind: all clauses of its definition.
pub fn shape_holds(kind: ShapeKind, arguments: &[Value], graph: &Graph, cell: (&Kinds, KindId)) -> Truth {
    let Some(&first) = arguments.first() else { return Truth::Unknown };
    let walked = walk(graph, first);
    if !follows_links(&walked, graph, cell) {
        return Truth::Unknown;
    }
    if is_broken(walked.end) {
        return Truth::False;
    }
    // Cells of graphs have one link: shapes that are about more are not decided.
    let link: Option<u64> = cell.0[cell.1].only_link().map(|link| link.offset);
    let Some(definition) = kind.definition(link.as_slice()) else { return Truth::Unknown };
    let holds = |clause: &ShapeClause<u64>| clause_holds(clause, &walked, arguments, graph, cell);
    definition.clauses.iter().map(holds).fold(Truth::True, Truth::and)
}

/// Evaluates a clause about what is reached from the first argument.
fn clause_holds(
    clause: &ShapeClause<u64>,
    walked: &Walk,
    arguments: &[Value],
    graph: &Graph,
    cell: (&Kinds, KindId),
) -> Truth {
    match clause {
        ShapeClause::Acyclic => match walked.end {
            Value::Cell(_) => Truth::False,
            end if is_open(end) => Truth::Unknown,
            Value::Atom(_) => Truth::True,
        },
        ShapeClause::Cyclic => match walked.end {
            Value::Cell(_) => Truth::of(arguments.first() == Some(&walked.end)),
            end if is_open(end) => Truth::Unknown,
            Value::Atom(_) => Truth::False,
        },
        ShapeClause::Reaches => {
            let Some(&second) = arguments.get(1) else { return Truth::Unknown };
            if is_broken(second) {
                return Truth::False;
            }
            let found = match second {
                Value::Cell(index) => walked.nodes.contains(&index),
                Value::Atom(_) => walked.end == second,
            };
            if is_open(second) || (!found && is_open(walked.end)) { Truth::Unknown } else { Truth::of(found) }
        }
        ShapeClause::Disjoint => {
            let Some(&second) = arguments.get(1) else { return Truth::Unknown };
            let other = walk(graph, second);
            if !follows_links(&other, graph, cell) {
                return Truth::Unknown;
            }
            if is_broken(other.end) {
                return Truth::False;
            }
            if walked.nodes.iter().any(|index| other.nodes.contains(index)) {
                Truth::False
            } else if is_open(walked.end) || is_open(other.end) {
                Truth::Unknown
            } else {
                Truth::True
            }
        }
        ShapeClause::EnteredOnce | ShapeClause::Inverse { .. } => Truth::Unknown,
    }
}
