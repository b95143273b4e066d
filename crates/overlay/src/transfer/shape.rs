//! Claims about shapes.
//!
//! What is reached from a pointer along links is a graph of cells and instances. Instances that may be empty are looked at in
//! both cases first. Within an instance its predicate says where links lead; what it does not say is a gap.

use super::{Executor, Step};
use crate::heap::{Instance, Node, NodeId, Pointer, PortId, Value};
use crate::predicate::{Definition, Term};
use heapwise_engine::Kind;
use heapwise_engine::reason::SymbolicGap;
use heapwise_ir::{ShapeClause, ShapeDefinition, ShapePredicate};

/// What following one link does within an instance.
enum Within {
    /// From cell to cell, and out of it at the end with this input.
    Forward(usize),
    /// Into parts that lead nowhere else.
    Down,
    /// Back.
    Backward(usize),
    /// A field that is no link of the predicate.
    Other,
}

/// A step of the walk: a cell or an instance at one of its ports, at the offset where links point.
type Cell = (NodeId, i64, PortId);

/// Whether it matters that a tree may be empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Emptiness {
    /// It does.
    Decided,
    /// It does not.
    Open,
}

struct Walk {
    /// In the order of discovery, with how often each was come to.
    cells: Vec<(Cell, u32)>,
    /// From a cell to another, by index of the link.
    edges: Vec<(usize, usize, usize)>,
    /// Whether the walk came to null, by the link.
    ends: bool,
}

impl Executor<'_, '_> {
    pub(crate) fn check_shape(&mut self, shape: &ShapePredicate) -> Step<()> {
        let mut offsets = Vec::new();
        for path in &shape.links {
            match self.context.program.resolve(path) {
                Some(resolved) if resolved.indices.is_empty() => offsets.push(resolved.offset),
                Some(_) | None => return self.gap(SymbolicGap::ClaimNamesUnknownLink),
            }
        }
        let mut arguments = Vec::new();
        for argument in &shape.arguments {
            let value = self.operand(*argument, None)?;
            arguments.push(self.used(value, None)?);
        }
        let Some(definition) = shape.kind.definition(&offsets) else {
            return self.gap(SymbolicGap::ClaimAboutOtherLinks);
        };
        let holds = self.has_shape(&definition, &arguments)?;
        if holds { Ok(()) } else { self.error(Kind::Shape, "the shape that is claimed is not there") }
    }

    /// Whether all clauses of a shape hold.
    fn has_shape(&mut self, definition: &ShapeDefinition<'_, i64>, arguments: &[Value]) -> Step<bool> {
        let along = definition.along;
        let mut inverse = Vec::new();
        for clause in &definition.clauses {
            let holds = match clause {
                ShapeClause::Acyclic => self.walk(arguments[0], along)?.is_acyclic(),
                ShapeClause::Cyclic => {
                    let walk = self.walk(arguments[0], along)?;
                    !walk.cells.is_empty() && (walk.comes_back() || self.passes_its_start(&walk, along))
                }
                ShapeClause::Reaches => {
                    let walk = self.walk(arguments[0], along)?;
                    match arguments[1] {
                        Value::Number(0) => walk.is_acyclic(),
                        Value::Pointer(pointer) => self.is_reached(&walk, pointer, along)?,
                        _ => return self.gap(SymbolicGap::ClaimAboutUnknownPointer),
                    }
                }
                ShapeClause::Disjoint => {
                    let (left, right) = (self.walk(arguments[0], along)?, self.walk(arguments[1], along)?);
                    !left.cells.iter().any(|((node, ..), _)| right.cells.iter().any(|((other, ..), _)| node == other))
                }
                ShapeClause::EnteredOnce => self.walk(arguments[0], along)?.cells.iter().all(|(_, times)| *times == 1),
                ShapeClause::Inverse { there, back } => {
                    inverse.push((*there, *back));
                    true
                }
            };
            if !holds {
                return Ok(false);
            }
        }
        self.are_inverse(arguments[0], along, &inverse)
    }

    /// Whether each pair of links leads there and back, on all that is reached.
    fn are_inverse(&mut self, from: Value, along: &[i64], inverse: &[(i64, i64)]) -> Step<bool> {
        if inverse.is_empty() {
            return Ok(true);
        }
        if inverse.iter().all(|(_, back)| along.contains(back)) {
            return self.lead_back_and_forth(from, inverse);
        }
        let walk = self.walk(from, along)?;
        self.have_parents(&walk, along, inverse)
    }

    /// A value as the cell of a structure; null is none.
    fn shape_cell(&mut self, value: Value, emptiness: Emptiness) -> Step<Option<Cell>> {
        match value {
            Value::Number(0) => Ok(None),
            Value::Pointer(pointer) => {
                if let Node::Instance(instance) = self.heap.node(pointer.node)
                    && instance.least == 0
                {
                    // A tree that may be empty leads nowhere else, whether it is or not.
                    let definition = self.context.definitions.get(instance.layout.definition);
                    if definition.port(pointer.port).empty.is_some() || emptiness == Emptiness::Decided {
                        return self.decide_empty(pointer.node);
                    }
                }
                Ok(Some((pointer.node, pointer.offset, pointer.port)))
            }
            Value::Uninitialised | Value::Top => {
                self.error(Kind::Shape, "the shape reaches a link that was never written")
            }
            Value::Number(_) | Value::Function(_) | Value::Library => {
                self.error(Kind::Shape, "the shape reaches a link that points to no object")
            }
            Value::Symbol(_) | Value::Any | Value::Indexed { .. } => self.gap(SymbolicGap::ClaimReachesUnknownLink),
        }
    }

    /// All that is reached along these links.
    fn walk(&mut self, from: Value, links: &[i64]) -> Step<Walk> {
        let mut walk = Walk { cells: Vec::new(), edges: Vec::new(), ends: false };
        let Some(first) = self.shape_cell(from, Emptiness::Decided)? else {
            walk.ends = true;
            return Ok(walk);
        };
        walk.cells.push((first, 1));
        let mut next = 0;
        while let Some((cell, _)) = walk.cells.get(next).copied() {
            // A segment with several links is left once: through its hole.
            let mut left_by: Vec<Value> = Vec::new();
            let is_run = matches!(self.heap.node(cell.0), Node::Instance(_));
            for (number, link) in links.iter().enumerate() {
                if links.len() > 1 && cell.2 != PortId::FIRST {
                    return self.gap(SymbolicGap::ClaimFollowsSeveralLinks);
                }
                for value in self.followed(cell, *link)? {
                    if is_run && left_by.contains(&value) {
                        continue;
                    }
                    left_by.push(value);
                    match self.shape_cell(value, Emptiness::Open)? {
                        None => walk.ends = true,
                        Some(target) => {
                            let known = walk.cells.iter().position(|(known, _)| *known == target);
                            let index = match known {
                                Some(index) => {
                                    walk.cells[index].1 += 1;
                                    index
                                }
                                None => {
                                    walk.cells.push((target, 1));
                                    walk.cells.len() - 1
                                }
                            };
                            walk.edges.push((next, number, index));
                        }
                    }
                }
            }
            next += 1;
        }
        Ok(walk)
    }

    /// Where a link of a cell leads out of it (of an instance: out of all its cells).
    fn followed(&mut self, (node, offset, port): Cell, link: i64) -> Step<Vec<Value>> {
        match self.heap.node(node) {
            Node::Object(object) => {
                if object.life != crate::heap::Life::Alive {
                    return self.error(Kind::Shape, "the shape reaches a cell that was freed");
                }
                if object.storage == crate::heap::Storage::Outside {
                    return self.gap(SymbolicGap::CellNotGiven);
                }
                let at = offset + link;
                let size = match object.size {
                    crate::heap::Size::Constant(size) => size,
                    crate::heap::Size::Symbol(symbol) => u64::try_from(self.heap.symbol(symbol).low).unwrap_or(0),
                };
                match u64::try_from(at) {
                    Ok(at) if at + self.context.pointer_bytes() <= size => {
                        Ok(vec![object.load(at, self.context.pointer_bytes())])
                    }
                    Ok(_) | Err(_) => self.gap(SymbolicGap::ClaimReachesSmallCell),
                }
            }
            Node::Instance(instance) => {
                if instance.layout.entry != offset {
                    return self.gap(SymbolicGap::StructureSeenOtherwise);
                }
                let definition = self.context.definitions.get(instance.layout.definition);
                match within(instance, definition, offset + link) {
                    Within::Forward(input) => Ok(vec![instance.inputs[input]]),
                    Within::Down if port == PortId::FIRST => Ok(Vec::new()),
                    Within::Down => self.gap(SymbolicGap::TreeFromTheMiddle),
                    // From its last cell all are passed, from its first one none.
                    Within::Backward(input) => Ok(vec![instance.inputs[input]]),
                    Within::Other => match crate::unfold::element(instance)
                        .map(|object| object.load((offset + link) as u64, self.context.pointer_bytes()))
                    {
                        Some(Value::Number(0)) => Ok(vec![Value::ZERO]),
                        _ => self.gap(SymbolicGap::ForeignLinkFollowed),
                    },
                }
            }
        }
    }

    fn is_reached(&mut self, walk: &Walk, pointer: Pointer, links: &[i64]) -> Step<bool> {
        let ports: Vec<PortId> = walk
            .cells
            .iter()
            .filter(|((node, offset, _), _)| *node == pointer.node && *offset == pointer.offset)
            .map(|((_, _, port), _)| *port)
            .collect();
        let is_cell = ports.contains(&pointer.port);
        match self.heap.node(pointer.node) {
            Node::Object(_) => Ok(is_cell),
            Node::Instance(instance) if instance.least == 0 => self.decide_empty(pointer.node),
            Node::Instance(_) if is_cell => Ok(true),
            // The other end of a run is reached with this one, if the walk goes along it.
            Node::Instance(instance) => {
                let definition = self.context.definitions.get(instance.layout.definition);
                Ok(links.iter().any(|link| match within(instance, definition, pointer.offset + link) {
                    Within::Forward(_) => pointer.port != PortId::FIRST && ports.contains(&PortId::FIRST),
                    Within::Backward(_) => pointer.port == PortId::FIRST && !ports.is_empty(),
                    Within::Down | Within::Other => false,
                }))
            }
        }
    }

    /// Whether a walk from the last cell of a run comes to the first one of it: from there it goes along the run.
    fn passes_its_start(&self, walk: &Walk, links: &[i64]) -> bool {
        let Some((((node, offset, port), _), later)) = walk.cells.split_first() else { return false };
        let Node::Instance(instance) = self.heap.node(*node) else { return false };
        let definition = self.context.definitions.get(instance.layout.definition);
        let is_forward = |link: &i64| matches!(within(instance, definition, offset + link), Within::Forward(_));
        *port != PortId::FIRST
            && links.iter().all(is_forward)
            && later.iter().any(|(cell, _)| *cell == (*node, *offset, PortId::FIRST))
    }

    /// Forward and backward links are inverse on all that is reached along both.
    fn lead_back_and_forth(&mut self, from: Value, inverse: &[(i64, i64)]) -> Step<bool> {
        let mut cells: Vec<Cell> = Vec::new();
        let mut work = vec![from];
        while let Some(value) = work.pop() {
            let value = match value {
                // The last cell of a run that is known as one.
                Value::Pointer(pointer) if pointer.port != PortId::FIRST => {
                    Value::Pointer(Pointer { port: PortId::FIRST, ..pointer })
                }
                value => value,
            };
            let Some(cell) = self.shape_cell(value, Emptiness::Decided)? else { continue };
            if cells.contains(&cell) {
                continue;
            }
            cells.push(cell);
            for &(there, back) in inverse {
                let (leaves, from) = self.end_of(cell, there)?;
                if leaves == Value::ZERO {
                    continue;
                }
                if let Value::Pointer(pointer) = leaves
                    && self.heap.instance(pointer.node).is_some_and(|instance| instance.least == 0)
                {
                    return self.decide_empty(pointer.node);
                }
                if self.link_back(leaves, back)? != from {
                    return Ok(false);
                }
                work.push(leaves);
            }
        }
        Ok(true)
    }

    /// Where a run of cells is left by a link, and the address of the cell that leaves it.
    fn end_of(&mut self, (node, offset, port): Cell, link: i64) -> Step<(Value, Value)> {
        if let Node::Object(_) = self.heap.node(node) {
            let values = self.followed((node, offset, port), link)?;
            return Ok((values.first().copied().unwrap_or(Value::ZERO), Value::pointer(node, offset)));
        }
        let Some(instance) = self.heap.instance(node) else { return self.gap(SymbolicGap::CellIsNotFollowed) };
        let definition = self.context.definitions.get(instance.layout.definition);
        match within(instance, definition, offset + link) {
            Within::Forward(input) => Ok((instance.inputs[input], crate::heap::Heap::port(node, PortId(1), offset))),
            Within::Backward(input) => {
                Ok((instance.inputs[input], crate::heap::Heap::port(node, PortId::FIRST, offset)))
            }
            Within::Down | Within::Other => self.gap(SymbolicGap::NotDoublyLinked),
        }
    }

    /// What the link back of the cell at an address holds.
    fn link_back(&mut self, value: Value, link: i64) -> Step<Value> {
        let Value::Pointer(pointer) = value else {
            return self.shape_cell(value, Emptiness::Decided).and_then(|_| self.gap(SymbolicGap::LinkIsNotFollowed));
        };
        match self.heap.node(pointer.node) {
            Node::Object(_) => Ok(self
                .followed((pointer.node, pointer.offset, pointer.port), link)?
                .first()
                .copied()
                .unwrap_or(Value::ZERO)),
            Node::Instance(instance) => {
                let definition = self.context.definitions.get(instance.layout.definition);
                if instance.layout.entry != pointer.offset {
                    return self.gap(SymbolicGap::StructureSeenOtherwise);
                }
                match (within(instance, definition, pointer.offset + link), pointer.port == PortId::FIRST) {
                    (Within::Backward(input), true) | (Within::Forward(input), false) => Ok(instance.inputs[input]),
                    _ => self.expose(pointer),
                }
            }
        }
    }

    /// Whether each child that is reached has a link to its parent, which the walk did not follow.
    fn have_parents(&mut self, walk: &Walk, children: &[i64], inverse: &[(i64, i64)]) -> Step<bool> {
        for (from, link, to) in &walk.edges {
            let Some((_, parent)) = inverse.iter().find(|(there, _)| *there == children[*link]) else { continue };
            let (above, _) = walk.cells[*from];
            let (below, _) = walk.cells[*to];
            let expected = match self.heap.node(above.0) {
                Node::Object(_) => Value::pointer(above.0, above.1),
                Node::Instance(_) => crate::heap::Heap::port(above.0, PortId(1), above.1),
            };
            let found = match self.heap.node(below.0) {
                Node::Object(_) => self.followed(below, *parent)?.first().copied().unwrap_or(Value::ZERO),
                Node::Instance(instance) => {
                    let definition = self.context.definitions.get(instance.layout.definition);
                    match within(instance, definition, below.1 + parent) {
                        Within::Backward(input) => instance.inputs[input],
                        Within::Forward(_) | Within::Down | Within::Other => {
                            return self.gap(SymbolicGap::NoParentLinks);
                        }
                    }
                }
            };
            if found != expected {
                return Ok(false);
            }
        }
        // Within a run the predicate says where the links back lead.
        for ((node, offset, _), _) in &walk.cells {
            if let Node::Instance(instance) = self.heap.node(*node) {
                let definition = self.context.definitions.get(instance.layout.definition);
                let leads_back = |(_, parent): &(i64, i64)| {
                    matches!(within(instance, definition, offset + parent), Within::Backward(_))
                };
                if !inverse.iter().all(leads_back) {
                    return self.gap(SymbolicGap::NoParentLinks);
                }
            }
        }
        Ok(true)
    }
}

fn within(instance: &Instance, definition: &Definition, offset: i64) -> Within {
    let Some(link) = instance.layout.links.iter().position(|known| *known == offset) else { return Within::Other };
    let mut found = None;
    for rule in definition.rules_at(PortId::FIRST) {
        let this = match rule.links[link] {
            Term::Part(part, _) if rule.spine == Some(part) => match definition.port(PortId::FIRST).empty {
                Some(input) => Within::Forward(input),
                None => Within::Down,
            },
            Term::Part(..) => Within::Down,
            Term::Input(input) => Within::Backward(input),
            Term::Null | Term::Own(_) => return Within::Other,
        };
        // Of several rules, the one that goes on says most: a segment is left through its hole.
        found = Some(match (found, this) {
            (None | Some(Within::Down), this) => this,
            (Some(known), _) => known,
        });
    }
    found.unwrap_or(Within::Other)
}

impl Walk {
    fn is_acyclic(&self) -> bool {
        // 0: not yet, 1: on the way, 2: done.
        let mut state = vec![0u8; self.cells.len()];
        let mut stack: Vec<(usize, usize)> = Vec::new();
        if !self.cells.is_empty() {
            state[0] = 1;
            stack.push((0, 0));
        }
        while let Some((at, next)) = stack.last_mut() {
            let from = *at;
            let edge = self.edges.iter().filter(|(source, ..)| *source == from).nth(*next);
            *next += 1;
            match edge {
                None => {
                    state[from] = 2;
                    stack.pop();
                }
                Some((_, _, to)) => match state[*to] {
                    1 => return false,
                    2 => {}
                    _ => {
                        state[*to] = 1;
                        stack.push((*to, 0));
                    }
                },
            }
        }
        true
    }

    /// Whether some way leads back to the start.
    fn comes_back(&self) -> bool {
        self.edges.iter().any(|(_, _, to)| *to == 0)
    }
}
