//! The end of a level: what was put off, and whether everything was paired.

use super::{Empty, Image, Mode, Side, Unifier, index};
use crate::heap::{Elements, Instance, Life, Node, NodeId, Pointer, PortId, Prototype, Storage, SymbolId, Value, tidy};
use smallvec::SmallVec;
use std::rc::Rc;

impl Unifier<'_> {
    /// Locals that no value leads to.
    pub(super) fn pair_locals(&mut self) -> Option<()> {
        let locals = |unifier: &Unifier<'_>, side: Side| -> Vec<NodeId> {
            let space = &unifier.levels[0].spaces[index(side)];
            let nodes = space.nodes.iter().enumerate();
            nodes
                .filter(|(_, node)| {
                    matches!(node.as_deref(), Some(Node::Object(object))
                        if matches!(object.storage, Storage::Local | Storage::CallersLocal) && object.life == Life::Alive)
                })
                .map(|(number, _)| NodeId::new(0, number))
                .filter(|id| unifier.image(side, *id).is_none())
                .collect()
        };
        loop {
            let (left, right) = (locals(self, Side::Left), locals(self, Side::Right));
            match (left.first(), right.first()) {
                (None, None) => return Some(()),
                (Some(x), Some(y)) => {
                    self.value(Value::pointer(*x, 0), Value::pointer(*y, 0))?;
                }
                (Some(_), None) | (None, Some(_)) => return None,
            }
        }
    }

    /// What was put off at the last level, and whether all nodes were paired.
    pub(super) fn finish_level(&mut self) -> Option<()> {
        let at = self.levels.len() - 1;
        for (x, y, expected) in std::mem::take(&mut self.levels[at].deferred) {
            // By now the instance is paired by its first port.
            let (Value::Pointer(pointer), side) = (match (x, y) {
                (Value::Pointer(p), _) if self.is_instance(Side::Left, p) && p.port != PortId::FIRST => (x, Side::Left),
                _ => (y, Side::Right),
            }) else {
                return None;
            };
            if self.image(side, pointer.node).is_none() {
                self.pair_by_other_port(side, pointer, if side == Side::Left { y } else { x })?;
            }
            if self.value(x, y)? != expected {
                return None;
            }
        }
        if self.mode != Mode::Entails {
            for Empty { side, id, out, inputs, measures } in std::mem::take(&mut self.levels[at].empties) {
                let space = self.levels[at].spaces[index(side)].clone();
                let Some(Node::Instance(instance)) = space.node(id) else { return None };
                let mut complete: SmallVec<[Value; 2]> = SmallVec::new();
                for (known, own) in inputs.iter().zip(&instance.inputs) {
                    complete.push(match known {
                        Some(value) => *value,
                        None => self.translate(side, *own).unwrap_or(Value::Any),
                    });
                }
                let definition = self.definitions.get(instance.layout.definition);
                for (number, value) in complete.iter().enumerate() {
                    if *value == Value::Any && instance.inputs[number] != Value::Any && definition.is_held(number) {
                        return None;
                    }
                }
                let elements = instance.elements.iter().map(|element| self.translate_prototype(side, element));
                let elements: Option<Elements> = elements.collect();
                let (layout, region) = (instance.layout.clone(), instance.region);
                let elements = elements?;
                let node = Instance { layout, inputs: complete, measures, least: 0, region, elements };
                self.fill(out, Node::Instance(node));
            }
        }
        for (side, out, element) in std::mem::take(&mut self.levels[at].one_sided) {
            let element = self.translate_prototype(side, &element)?;
            let Some(Node::Instance(instance)) = self.levels[at].out[out.index()].as_mut().map(Rc::make_mut) else {
                return None;
            };
            instance.elements.push(element);
            tidy(&mut instance.elements);
        }
        // Every node of either side is described, but for dead ones.
        for side in [Side::Left, Side::Right] {
            let space = self.levels[at].spaces[index(side)].clone();
            for (number, node) in space.nodes.iter().enumerate() {
                let is_dead = matches!(node.as_deref(), Some(Node::Object(object)) if object.life != Life::Alive);
                if node.is_some() && !is_dead && self.levels[at].images[index(side)][number].is_none() {
                    return None;
                }
            }
        }
        Some(())
    }

    /// A value of one side alone.
    pub(super) fn translate(&mut self, side: Side, value: Value) -> Option<Value> {
        match value {
            Value::Pointer(pointer) => {
                if pointer.node.level() < self.closed || pointer.node.level() as usize >= self.levels.len() {
                    return Some(value);
                }
                match self.image(side, pointer.node)? {
                    Image::Cell(out) => Some(Value::pointer(out, pointer.offset)),
                    Image::Run { out, first, last } => {
                        let ports = self.ports(side, pointer, first, last);
                        let port = PortId(ports.trailing_zeros() as u8);
                        (ports != 0).then_some(Value::Pointer(Pointer { node: out, port, offset: pointer.offset }))
                    }
                    Image::Empty(out) => Some(Value::Pointer(Pointer { node: out, ..pointer })),
                    Image::Inside => None,
                }
            }
            Value::Symbol(symbol) => {
                if symbol.level() < self.closed || symbol.level() as usize >= self.levels.len() {
                    return Some(value);
                }
                let range = self.range(side, value)?;
                let level = symbol.level();
                let key = match side {
                    Side::Left => (value, Value::Uninitialised),
                    Side::Right => (Value::Uninitialised, value),
                };
                let found = self.level(level);
                if let Some(known) = found.pairs.get(&key) {
                    return Some(*known);
                }
                found.symbols.push(range);
                let new = Value::Symbol(SymbolId::new(level, found.symbols.len() - 1));
                found.pairs.insert(key, new);
                Some(new)
            }
            Value::Indexed { .. } => None,
            Value::Uninitialised | Value::Top | Value::Any | Value::Number(_) | Value::Function(_) | Value::Library => {
                Some(value)
            }
        }
    }

    pub(super) fn translate_prototype(&mut self, side: Side, prototype: &Prototype) -> Option<Rc<Prototype>> {
        let mut failed = false;
        let nodes = prototype
            .nodes
            .iter()
            .map(|node| {
                Rc::new(node.map_values(&mut |value| match self.translate(side, value) {
                    Some(value) => value,
                    None => {
                        failed = true;
                        value
                    }
                }))
            })
            .collect();
        (!failed).then(|| Rc::new(Prototype { nodes, symbols: prototype.symbols.clone() }))
    }
}
