//! The shapes of `heapwise.h`, checked on a concrete heap.
//!
//! A *cell* is where a link field points: an address (object and offset). Null ends a chain. Following a dangling,
//! uninitialised or foreign link fails the assertion and says so.

use crate::access::Access;
use crate::code::CompiledPlace;
use crate::machine::{Executor, Step};
use crate::value::{Pointer, Scalar, Value};
use heapwise_engine::reason::{PointerGap, ShapeGap};
use heapwise_ir::{ShapeKind, ShapePredicate};
use rustc_hash::FxHashMap;

const NO_OBJECT: &str = "the shape reaches a link that points to no object";

/// Why a shape does not hold.
type Broken = Result<(), String>;

impl Executor<'_, '_> {
    /// Whether a shape holds; if not, why.
    pub(crate) fn shape_holds(&mut self, shape: &ShapePredicate) -> Step<Broken> {
        let links = self.links(&shape.links)?;
        let width = Scalar::Pointer(self.machine.program.target.pointer_bytes as u8);
        let arguments: Vec<Value> = shape.arguments.iter().map(|argument| self.operand(*argument, width)).collect();
        if let Some(value) = arguments.iter().find(|value| value.is_uninitialised()) {
            return self.uninitialised(*value, "a shape assertion is given an uninitialised pointer");
        }
        let mut cells = Vec::new();
        for argument in arguments {
            match self.cell(argument)? {
                Ok(cell) => cells.push(cell),
                Err(why) => return Ok(Err(why)),
            }
        }
        self.shape_of(shape.kind, &cells, &links)
    }

    /// Whether the cells have a shape; null is none.
    pub(crate) fn shape_of(
        &mut self,
        kind: ShapeKind,
        cells: &[Option<Pointer>],
        links: &[CompiledPlace],
    ) -> Step<Broken> {
        let first = cells.first().copied().flatten();
        match kind {
            ShapeKind::Acyclic => self.acyclic(first, links),
            ShapeKind::Cyclic => self.cyclic(first, links),
            ShapeKind::Reach => self.reach(first, cells.get(1).copied().flatten(), links),
            ShapeKind::Disjoint => self.disjoint(first, cells.get(1).copied().flatten(), links),
            ShapeKind::DoublyLinked => self.doubly_linked(first, links),
            ShapeKind::Tree => self.tree(first, links, None),
            ShapeKind::TreeWithParent => match links.split_last() {
                Some((parent, children)) => self.tree(first, children, Some(parent)),
                None => self.gap(ShapeGap::TreeWithoutLinks),
            },
        }
    }

    /// What a link of a cell holds.
    pub(crate) fn follow(&mut self, at: Pointer, link: &CompiledPlace) -> Step<Result<Option<Pointer>, String>> {
        self.check_budget()?;
        let moved = self.add_bytes(Value::Pointer(at), i128::from(link.offset))?;
        let (object, offset) = match self.locate(moved, link.scalar.bytes(), Access::Read) {
            Ok(place) => place,
            Err(crate::machine::Stop::Error(error)) => {
                return Ok(Err(format!("the shape reaches a bad cell: {}", error.message)));
            }
            Err(stop) => return Err(stop),
        };
        let value = self.load_at(object, offset, link.scalar)?;
        self.cell(value)
    }

    /// A pointer as a cell: null is none.
    fn cell(&mut self, value: Value) -> Step<Result<Option<Pointer>, String>> {
        Ok(match self.known(value) {
            Value::Int(0) => Ok(None),
            Value::Pointer(pointer) => Ok(Some(pointer)),
            Value::Uninitialised(_) => Err("the shape reaches an uninitialised link".to_owned()),
            // It may point to anything, cells of any shape among it.
            Value::Opaque | Value::Symbol(_) | Value::Fragment(_) => {
                return self.gap(PointerGap::NondeterministicDereferenced);
            }
            Value::Int(address) => {
                let address = u64::try_from(address).ok();
                match address.and_then(|address| Some((address, self.state.heap.find_address(address)?))) {
                    Some((address, (object, base))) => {
                        Ok(Some(Pointer { object, offset: address.wrapping_sub(base) as i64 }))
                    }
                    None => Err(NO_OBJECT.to_owned()),
                }
            }
            Value::Float(_) | Value::Function(_) => Err(NO_OBJECT.to_owned()),
        })
    }

    /// All cells reached along the links, in depth-first order, with how often each is reached.
    fn reached(&mut self, from: Option<Pointer>, links: &[CompiledPlace]) -> Step<Result<Vec<(Pointer, u32)>, String>> {
        let mut order: Vec<(Pointer, u32)> = Vec::new();
        let mut index: FxHashMap<Pointer, usize> = FxHashMap::default();
        let mut work: Vec<Pointer> = from.into_iter().collect();
        while let Some(at) = work.pop() {
            if let Some(&known) = index.get(&at) {
                order[known].1 += 1;
                continue;
            }
            index.insert(at, order.len());
            order.push((at, 1));
            for link in links.iter().rev() {
                match self.follow(at, link)? {
                    Ok(target) => work.extend(target),
                    Err(why) => return Ok(Err(why)),
                }
            }
        }
        Ok(Ok(order))
    }

    fn acyclic(&mut self, from: Option<Pointer>, links: &[CompiledPlace]) -> Step<Broken> {
        // Depth-first; a cell met again while it is on the stack closes a cycle.
        #[derive(PartialEq)]
        enum Mark {
            Open,
            Done,
        }
        let mut marks: FxHashMap<Pointer, Mark> = FxHashMap::default();
        let mut stack: Vec<(Pointer, usize)> = from.into_iter().map(|cell| (cell, 0)).collect();
        marks.extend(from.map(|cell| (cell, Mark::Open)));
        while let Some((at, next)) = stack.last_mut() {
            let at = *at;
            let Some(link) = links.get(*next) else {
                marks.insert(at, Mark::Done);
                stack.pop();
                continue;
            };
            *next += 1;
            match self.follow(at, link)? {
                Err(why) => return Ok(Err(why)),
                Ok(None) => {}
                Ok(Some(target)) => match marks.get(&target) {
                    Some(Mark::Open) => return Ok(Err("the structure is cyclic".to_owned())),
                    Some(Mark::Done) => {}
                    None => {
                        marks.insert(target, Mark::Open);
                        stack.push((target, 0));
                    }
                },
            }
        }
        Ok(Ok(()))
    }

    fn cyclic(&mut self, from: Option<Pointer>, links: &[CompiledPlace]) -> Step<Broken> {
        let Some(start) = from else { return Ok(Err("a null pointer starts no cycle".to_owned())) };
        let reached = match self.reached(Some(start), links)? {
            Ok(reached) => reached,
            Err(why) => return Ok(Err(why)),
        };
        let comes_back = reached.iter().any(|(cell, times)| *cell == start && *times > 1);
        Ok(if comes_back { Ok(()) } else { Err("following the links never comes back to the start".to_owned()) })
    }

    fn reach(&mut self, from: Option<Pointer>, to: Option<Pointer>, links: &[CompiledPlace]) -> Step<Broken> {
        // Null is reached from everything that ends, and from itself.
        let reached = match self.reached(from, links)? {
            Ok(reached) => reached,
            Err(why) => return Ok(Err(why)),
        };
        let Some(to) = to else { return self.acyclic(from, links) };
        let is_there = reached.iter().any(|(cell, _)| *cell == to);
        Ok(if is_there { Ok(()) } else { Err("the second pointer is not reached from the first".to_owned()) })
    }

    fn disjoint(&mut self, left: Option<Pointer>, right: Option<Pointer>, links: &[CompiledPlace]) -> Step<Broken> {
        let (left, right) = match (self.reached(left, links)?, self.reached(right, links)?) {
            (Ok(left), Ok(right)) => (left, right),
            (Err(why), _) | (_, Err(why)) => return Ok(Err(why)),
        };
        let shared = left.iter().any(|(cell, _)| right.iter().any(|(other, _)| other.object == cell.object));
        Ok(if shared { Err("a cell is reached from both pointers".to_owned()) } else { Ok(()) })
    }

    fn doubly_linked(&mut self, from: Option<Pointer>, links: &[CompiledPlace]) -> Step<Broken> {
        let [next, prev] = links else { return self.gap(ShapeGap::NotTwoLinks) };
        let reached = match self.reached(from, links)? {
            Ok(reached) => reached,
            Err(why) => return Ok(Err(why)),
        };
        for (cell, _) in reached {
            for (there, back, names) in [(next, prev, ["next", "prev"]), (prev, next, ["prev", "next"])] {
                let neighbour = match self.follow(cell, there)? {
                    Ok(neighbour) => neighbour,
                    Err(why) => return Ok(Err(why)),
                };
                let Some(neighbour) = neighbour else { continue };
                match self.follow(neighbour, back)? {
                    Err(why) => return Ok(Err(why)),
                    Ok(Some(found)) if found == cell => {}
                    Ok(_) => {
                        let [there, back] = names;
                        return Ok(Err(format!("a cell's {there} neighbour has a {back} link that leads elsewhere")));
                    }
                }
            }
        }
        Ok(Ok(()))
    }

    fn tree(
        &mut self,
        from: Option<Pointer>,
        children: &[CompiledPlace],
        parent: Option<&CompiledPlace>,
    ) -> Step<Broken> {
        let reached = match self.reached(from, children)? {
            Ok(reached) => reached,
            Err(why) => return Ok(Err(why)),
        };
        if reached.iter().any(|(_, times)| *times > 1) {
            return Ok(Err("a cell is reached by two paths".to_owned()));
        }
        let Some(parent) = parent else { return Ok(Ok(())) };
        for (cell, _) in reached {
            for link in children {
                let child = match self.follow(cell, link)? {
                    Ok(child) => child,
                    Err(why) => return Ok(Err(why)),
                };
                let Some(child) = child else { continue };
                match self.follow(child, parent)? {
                    Err(why) => return Ok(Err(why)),
                    Ok(Some(found)) if found == cell => {}
                    Ok(_) => return Ok(Err("a child's parent link does not lead to its parent".to_owned())),
                }
            }
        }
        Ok(Ok(()))
    }
}
