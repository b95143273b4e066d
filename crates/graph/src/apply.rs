//! The best full-heap transformers: one command on one graph that maps all variables the command reads. The same
//! code serves whole graphs and composed subgraphs (Distefano's locality, the paper's §5.1).

use crate::kinds::KindSet;
use crate::predicate::{Truth, shape_holds};
use crate::shape::{Graph, Length, Node, NodeId, Value};
use heapwise_cells::Issue;
use heapwise_cells::atom::{Atom, Var};
use heapwise_cells::place::Place;
use heapwise_cells::program::{
    Access, CellKind, CellProgram, Command, Contents, Ending, KindId, Purpose, ShapeMode, Source, TouchPurpose,
    Untracked,
};
use heapwise_cells::touch::{Padding, Touched, bit};
use heapwise_engine::Kind;
use heapwise_engine::reason::{ContractGap, GapReason, MemoryGap, PointerGap};
use heapwise_ir::CompareOperator;
use smallvec::{SmallVec, smallvec};

/// What a command does to a graph. The graphs are not in normal form yet.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Applied {
    /// The graphs after the command: mostly one.
    pub graphs: SmallVec<[Graph; 1]>,
    /// What went wrong.
    pub issues: SmallVec<[Issue; 1]>,
}

impl Applied {
    fn none() -> Applied {
        Applied::default()
    }

    fn one(graph: Graph) -> Applied {
        Applied { graphs: smallvec![graph], issues: SmallVec::new() }
    }

    fn error(kind: Kind) -> Applied {
        Applied { graphs: SmallVec::new(), issues: smallvec![Issue::Error(kind)] }
    }

    fn gap(reason: impl Into<GapReason>) -> Applied {
        Applied { graphs: SmallVec::new(), issues: smallvec![Issue::Gap(reason.into())] }
    }
}

/// Applies a command. (Long: one case for each.) A variable that the graph does not map makes the result empty.
pub fn apply(command: &Command, mut graph: Graph, program: &CellProgram) -> Applied {
    let (kinds, places) = (&program.kinds, program.places.as_slice());
    match command {
        Command::Skip | Command::Compare { .. } | Command::Forget { .. } => Applied::one(graph),
        Command::Set { target, value } => {
            graph.set(*target, Value::Atom(*value));
            Applied::one(graph)
        }
        Command::Copy { target, source } => {
            let Some(value) = graph.value(*source) else { return Applied::none() };
            graph.set(*target, value);
            Applied::one(graph)
        }
        Command::Load { target, base, access } if access.is_in_library(value_atom(&graph, *base)) => {
            if let Some(target) = target {
                graph.set(*target, Value::Atom(Atom::Opaque));
            }
            Applied::one(graph)
        }
        Command::Load { target, base, access } => with_cell(graph, *base, |graph, index| {
            let kind = &kinds[graph[index].kind];
            load(graph, index, kind.touched(*access), *target, kinds.len())
        }),
        Command::Touch { base, access, .. } if access.is_in_library(value_atom(&graph, *base)) => Applied::one(graph),
        Command::Touch { base, access, purpose } => with_cell(graph, *base, |graph, index| {
            let Some(covered) = kinds[graph[index].kind].covered(*access) else {
                return Applied::error(Kind::OutOfBounds);
            };
            let holds_cell = covered.has_link() && matches!(graph[index].next, Value::Cell(_));
            match purpose {
                TouchPurpose::Copy if holds_cell => Applied::gap(MemoryGap::CellUntracked),
                TouchPurpose::Copy | TouchPurpose::Access => Applied::one(graph),
            }
        }),
        Command::Store { base, access, value } => with_cell(graph, *base, |graph, index| {
            let Some(value) = source_value(&graph, *value) else { return Applied::none() };
            let kind = &kinds[graph[index].kind];
            store(graph, index, *access, value, kind)
        }),
        Command::Fill { base, access, contents } => with_cell(graph, *base, |graph, index| {
            let kind = &kinds[graph[index].kind];
            fill(graph, index, *access, *contents, kind)
        }),
        Command::Alloc { target, kind, contents } => {
            let cell = graph.add(fresh(*kind, *contents, &kinds[*kind]));
            graph.set(*target, Value::Cell(cell));
            Applied::one(graph)
        }
        Command::Free { pointer } => free(graph, *pointer),
        Command::Assume { operator, left, right } => match compare(&graph, *operator, (*left, *right), places) {
            Ok(Compared::Possible) => Applied::one(graph),
            Ok(Compared::Excluded) => Applied::none(),
            Err(missing) => missing.applied(),
        },
        Command::Case { var, atom, held } => {
            let value = match graph.value(*var) {
                None => return Applied::none(),
                Some(Value::Cell(_)) => None,
                Some(Value::Atom(value)) => Some(value),
            };
            if held.may_be(value, *atom) { Applied::one(graph) } else { Applied::none() }
        }
        Command::Shape { kind, arguments, cell, mode, .. } => {
            let mut values: SmallVec<[Value; 2]> = SmallVec::new();
            for argument in arguments {
                let Some(value) = source_value(&graph, *argument) else { return Applied::none() };
                values.push(value);
            }
            if values.contains(&Value::Atom(Atom::Uninit)) {
                return Applied::error(Kind::Uninitialised);
            }
            let truth = shape_holds(*kind, &values, &graph, (kinds, *cell));
            claimed(graph, truth, *mode)
        }
        Command::FailWhen { operator, left, right, kind } => {
            match compare(&graph, *operator, (*left, *right), places) {
                Ok(Compared::Possible) => Applied::error(*kind),
                Ok(Compared::Excluded) => Applied::none(),
                Err(missing) => missing.applied(),
            }
        }
        Command::Fail { kind } => Applied::error(*kind),
        Command::Use { var, purpose } => used(graph, *var, *purpose),
        Command::EndScope { vars } => {
            for var in vars {
                graph.unmap(*var);
            }
            Applied::one(graph)
        }
        Command::Retire { atoms } => {
            graph.rename(atoms);
            Applied::one(graph)
        }
        Command::End(Ending::Return | Ending::Exit) if !graph.nodes.is_empty() => {
            Applied { graphs: SmallVec::new(), issues: smallvec![Issue::StillReachable] }
        }
        Command::End(_) => Applied::none(),
        Command::Contract { .. } | Command::Call { .. } | Command::Enter { .. } | Command::Leave { .. } => {
            Applied::gap(ContractGap::NotFollowed)
        }
        Command::Gap { reason } => Applied::gap(reason.clone()),
    }
}

/// What a load reads goes into a variable, if there is one.
fn load(mut graph: Graph, index: NodeId, touched: Touched, target: Option<Var>, n_kinds: usize) -> Applied {
    match touched {
        Touched::Link(_) => {
            let mut graphs = graph.unfold(index, n_kinds);
            let Some(target) = target else {
                // What is read into nothing is used: the library looks at it.
                let is_unset = |graph: &Graph| graph[index].next == Value::Atom(Atom::Uninit);
                let unset = graphs.iter().any(is_unset).then_some(Issue::Error(Kind::Uninitialised));
                return Applied { graphs, issues: unset.into_iter().collect() };
            };
            for graph in &mut graphs {
                let value = graph[index].next;
                graph.set(target, value);
            }
            Applied { graphs, issues: SmallVec::new() }
        }
        Touched::Data { padding: Padding::Some, .. } => Applied::gap(MemoryGap::PaddingRead),
        Touched::Data { scalars, aggregates, padding: Padding::None } => {
            let raw = graph[index].raw;
            if raw & aggregates != 0 {
                return Applied::gap(MemoryGap::ArrayInCell);
            }
            let Some(target) = target else {
                let unset = (raw & scalars != 0).then_some(Issue::Error(Kind::Uninitialised));
                return Applied { graphs: smallvec![graph], issues: unset.into_iter().collect() };
            };
            // A value that is copied is no error yet, whether it is there or not.
            let mut graphs: SmallVec<[Graph; 1]> = SmallVec::new();
            if raw & scalars != 0 {
                let mut unset = graph.clone();
                unset.set(target, Value::Atom(Atom::Uninit));
                graphs.push(unset);
            }
            graph.set(target, Value::Atom(Atom::Opaque));
            graphs.push(graph);
            Applied { graphs, issues: SmallVec::new() }
        }
        Touched::Outside => Applied::error(Kind::OutOfBounds),
        Touched::Part => Applied::gap(MemoryGap::PartOfLinkRead),
    }
}

/// Whether two values may compare so.
enum Compared {
    Possible,
    Excluded,
}

/// Why there is nothing to compare.
enum Missing {
    /// No run comes here with such a value.
    Value,
    /// One of them was never written.
    Initialisation,
}

impl Missing {
    fn applied(self) -> Applied {
        match self {
            Missing::Value => Applied::none(),
            Missing::Initialisation => Applied::error(Kind::Uninitialised),
        }
    }
}

/// Compares two values; `Err` where one is not there.
fn compare(
    graph: &Graph,
    operator: CompareOperator,
    (left, right): (Source, Source),
    places: &[Place],
) -> Result<Compared, Missing> {
    let (Some(left), Some(right)) = (source_value(graph, left), source_value(graph, right)) else {
        return Err(Missing::Value);
    };
    if [left, right].contains(&Value::Atom(Atom::Uninit)) {
        return Err(Missing::Initialisation);
    }
    Ok(if left.may_compare(operator, right, places) { Compared::Possible } else { Compared::Excluded })
}

/// What is left of a graph of which something is claimed.
fn claimed(graph: Graph, truth: Truth, mode: ShapeMode) -> Applied {
    let graphs = if truth == Truth::False { SmallVec::new() } else { smallvec![graph] };
    let issues = match (mode, truth) {
        (ShapeMode::Assume, _) | (_, Truth::True) => SmallVec::new(),
        (ShapeMode::Assert, Truth::False | Truth::Unknown) => smallvec![Issue::Error(Kind::Shape)],
    };
    Applied { graphs, issues }
}

fn source_value(graph: &Graph, source: Source) -> Option<Value> {
    match source {
        Source::Var(var) => graph.value(var),
        Source::Atom(atom) => Some(Value::Atom(atom)),
    }
}

/// The atom that a variable holds, if it is none that points to a cell.
fn value_atom(graph: &Graph, var: Var) -> Option<Atom> {
    match graph.value(var) {
        Some(Value::Atom(atom)) => Some(atom),
        Some(Value::Cell(_)) | None => None,
    }
}

/// Dereferences a variable.
fn with_cell(graph: Graph, base: Var, then: impl FnOnce(Graph, NodeId) -> Applied) -> Applied {
    match graph.value(base) {
        None => Applied::none(),
        Some(Value::Cell(index)) => then(graph, index),
        Some(Value::Atom(Atom::Int(_))) => Applied::error(Kind::NullDereference),
        Some(Value::Atom(Atom::Freed | Atom::Ended(_) | Atom::Gone)) => Applied::error(Kind::UseAfterFree),
        Some(Value::Atom(Atom::Uninit)) => Applied::error(Kind::Uninitialised),
        Some(Value::Atom(Atom::Opaque | Atom::Place(_) | Atom::Library(_) | Atom::NoLink | Atom::Outside)) => {
            Applied::gap(PointerGap::DereferencedBesideListCells)
        }
    }
}

fn store(mut graph: Graph, index: NodeId, access: Access, value: Value, kind: &CellKind) -> Applied {
    match kind.touched(access) {
        Touched::Link(_) => {
            // Cells between the two ends of a `>1` segment go with the old link: an anonymous node stands for them
            // until normalisation finds it unreached.
            leave_rest(&mut graph, index);
            let node = &mut graph[index];
            node.next = value;
            node.length = Length::ONE;
            node.inner_kinds = KindSet::EMPTY;
            node.inner_raw = 0;
        }
        Touched::Data { scalars, aggregates, padding: _ } => {
            match value {
                Value::Cell(_) => {
                    return Applied::gap(MemoryGap::CellInOtherField);
                }
                Value::Atom(Atom::Uninit) => graph[index].raw |= scalars | aggregates,
                Value::Atom(_) => graph[index].raw &= !scalars,
            };
        }
        Touched::Outside => return Applied::error(Kind::OutOfBounds),
        Touched::Part => return Applied::gap(MemoryGap::PartOfLinkWritten),
    }
    Applied::one(graph)
}

fn fill(mut graph: Graph, index: NodeId, access: Access, contents: Contents, kind: &CellKind) -> Applied {
    let Some(covered) = kind.covered(access) else { return Applied::error(Kind::OutOfBounds) };
    let (value, raw) = match contents {
        Contents::Zeroed => (Atom::NULL, 0),
        Contents::Opaque => (Atom::Opaque, 0),
        Contents::Uninitialised => (Atom::Uninit, covered.data()),
        Contents::Perhaps => {
            if covered.has_link() || (covered.scalars | covered.parts_of_scalars) != 0 {
                return Applied::gap(MemoryGap::PerhapsNoValue);
            }
            (Atom::Uninit, covered.aggregates)
        }
    };
    // An array that is covered whole is written whole; what shares a bit with others is not known to be.
    let whole = kind.data.iter().enumerate().filter(|(position, field)| {
        let is_covered =
            access.offset as u64 <= field.offset && field.offset + field.size <= access.offset as u64 + access.size;
        is_covered && *position < 31
    });
    let whole = whole.fold(0, |mask, (position, _)| mask | bit(position));
    graph[index].raw = graph[index].raw & !whole | raw;
    if !covered.parts_of_links.is_empty() {
        return Applied::gap(MemoryGap::PartOfLinkWritten);
    }
    match kind.only_link().filter(|_| !covered.links.is_empty()) {
        None => Applied::one(graph),
        Some(link) => {
            let whole = Access { offset: link.offset as i64, size: kind.pointer_bytes };
            store(graph, index, whole, Value::Atom(value), kind)
        }
    }
}

fn fresh(id: KindId, contents: Contents, kind: &CellKind) -> Node {
    let link = match contents {
        Contents::Uninitialised | Contents::Perhaps => Atom::Uninit,
        Contents::Zeroed => Atom::NULL,
        Contents::Opaque => Atom::Opaque,
    };
    let raw = match contents {
        Contents::Uninitialised | Contents::Perhaps => {
            (0..kind.data.len()).fold(0, |mask, position| mask | bit(position))
        }
        Contents::Zeroed | Contents::Opaque => 0,
    };
    let next = Value::Atom(if kind.only_link().is_some() { link } else { Atom::NoLink });
    Node { next, length: Length::ONE, kind: id, inner_kinds: KindSet::EMPTY, raw, inner_raw: 0 }
}

/// Every variable and link that led to the cell is dangling afterwards.
fn free(mut graph: Graph, pointer: heapwise_cells::atom::Var) -> Applied {
    let index = match graph.value(pointer) {
        None => return Applied::none(),
        Some(Value::Atom(Atom::NULL)) => return Applied::one(graph),
        Some(Value::Atom(Atom::Int(_) | Atom::Place(_) | Atom::Library(_) | Atom::Ended(_) | Atom::Gone)) => {
            return Applied::error(Kind::InvalidFree);
        }
        Some(Value::Atom(Atom::Freed)) => return Applied::error(Kind::DoubleFree),
        Some(Value::Atom(Atom::Uninit)) => return Applied::error(Kind::Uninitialised),
        Some(Value::Atom(Atom::Opaque | Atom::NoLink | Atom::Outside)) => {
            return Applied::gap(PointerGap::FreedBesideListCells);
        }
        Some(Value::Cell(index)) => index,
    };
    // What is left of the segment hangs on nothing: normalisation tells whether that loses cells.
    leave_rest(&mut graph, index);
    graph.remove(index);
    Applied::one(graph)
}

/// The cells between the two ends of a segment that is about to go: one anonymous node stands for them.
fn leave_rest(graph: &mut Graph, index: NodeId) {
    let node = graph[index];
    if node.length != Length::ONE {
        graph.add(Node { length: Length::ONE, inner_kinds: KindSet::EMPTY, raw: node.inner_raw, inner_raw: 0, ..node });
    }
}

fn used(graph: Graph, var: Var, purpose: Purpose) -> Applied {
    match (graph.value(var), purpose) {
        (None, _) => Applied::none(),
        (Some(_), Purpose::Discard) => Applied::one(graph),
        (Some(Value::Cell(_)), Purpose::Escape(reason)) => Applied::gap(reason),
        (Some(Value::Cell(_)), Purpose::Copy(_)) => Applied::gap(MemoryGap::CellUntracked),
        (Some(Value::Atom(Atom::Uninit)), Purpose::Copy(Untracked::Initialised)) => {
            Applied::gap(MemoryGap::NoValueUntracked)
        }
        (Some(Value::Atom(_)), Purpose::Copy(_)) => Applied::one(graph),
        (Some(Value::Atom(Atom::Uninit)), Purpose::Operation | Purpose::Escape(_)) => {
            Applied::error(Kind::Uninitialised)
        }
        (Some(_), Purpose::Operation | Purpose::Escape(_)) => Applied::one(graph),
    }
}
