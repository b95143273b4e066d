//! Which remembered comparisons may still be asked for.
//!
//! A program that goes down a tree may ask `key < node->key` again before it links a new node there: the answer is
//! remembered ([`crate::heap::Order`]). One that merges two lists never asks again, and what it compared long ago only
//! keeps heaps apart that are alike. So where ways meet, a fact stays only if both of its numbers may be compared again:
//! a register holds the number, or some way on from here loads it through a register that leads to its cell now.
//! Forgetting a fact is always right.

use crate::heap::{Heap, Node, SymbolId, Value};
use heapwise_dataflow::{Analysis, Direction, Flow, JoinSemiLattice, iterate_to_fixpoint, unlimited};
use heapwise_ir::{
    Automaton, EdgeId, Expression, Function, Instruction, LocationId, Operand, Path, Program, RegisterId,
};
use std::collections::BTreeSet;

/// What is loaded through a register before that is written.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Loads {
    /// At these offsets.
    at: BTreeSet<(RegisterId, i64)>,
    /// Anywhere: a function gets it.
    anywhere: BTreeSet<RegisterId>,
}

impl JoinSemiLattice for Loads {
    fn join(&mut self, other: &Loads) -> bool {
        let before = (self.at.len(), self.anywhere.len());
        self.at.extend(&other.at);
        self.anywhere.extend(&other.anywhere);
        before != (self.at.len(), self.anywhere.len())
    }
}

/// Live loads of one function: backward, may.
#[derive(Clone, Debug)]
pub(crate) struct Reread {
    by_location: Vec<Option<Loads>>,
}

struct LiveLoads<'p> {
    program: &'p Program,
}

impl LiveLoads<'_> {
    fn offset(&self, path: &Path) -> Option<i64> {
        self.program.resolve(path).filter(|resolved| resolved.indices.is_empty()).map(|resolved| resolved.offset)
    }
}

impl Analysis<Automaton> for LiveLoads<'_> {
    type Domain = Loads;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self, _: &Automaton, _: LocationId) -> Option<Loads> {
        Some(Loads::default())
    }

    fn apply(&self, automaton: &Automaton, edge: EdgeId, loads: &mut Loads) -> Flow {
        let instruction = &automaton.edges[edge].instruction;
        if let Some(target) = instruction.target() {
            let taken: Vec<i64> = loads.at.range((target, i64::MIN)..=(target, i64::MAX)).map(|(_, at)| *at).collect();
            loads.at.retain(|(register, _)| *register != target);
            let is_anywhere = loads.anywhere.remove(&target);
            let source = match instruction {
                Instruction::Assign { value, .. } => match value {
                    Expression::Operand(Operand::Register(source))
                    | Expression::Convert { value: Operand::Register(source), .. } => Some((*source, Some(0))),
                    Expression::AddPath { base: Operand::Register(source), path } => Some((*source, self.offset(path))),
                    Expression::SubtractPath { base: Operand::Register(source), path } => {
                        Some((*source, self.offset(path).map(|offset| -offset)))
                    }
                    _ => None,
                },
                _ => None,
            };
            if let Some((source, moved)) = source {
                match moved {
                    Some(moved) => loads.at.extend(taken.iter().map(|at| (source, at + moved))),
                    None if !taken.is_empty() => {
                        loads.anywhere.insert(source);
                    }
                    None => {}
                }
                if is_anywhere {
                    loads.anywhere.insert(source);
                }
            }
        }
        match instruction {
            Instruction::Load { place, .. } => {
                if let Operand::Register(base) = place.base {
                    match self.offset(&place.path) {
                        Some(offset) => {
                            loads.at.insert((base, offset));
                        }
                        None => {
                            loads.anywhere.insert(base);
                        }
                    }
                }
            }
            Instruction::Call { arguments, .. } => {
                loads.anywhere.extend(arguments.iter().filter_map(|argument| argument.register()));
            }
            _ => {}
        }
        Flow::Continues
    }
}

impl Reread {
    pub fn of(program: &Program, function: &Function) -> Option<Reread> {
        let automaton = function.automaton()?;
        let Ok(results) = iterate_to_fixpoint(automaton, LiveLoads { program }, unlimited);
        Some(Reread { by_location: results.into_states() })
    }

    /// Forgets what is not asked for again.
    pub fn forget_facts(&self, location: LocationId, heap: &mut Heap) {
        use heapwise_ir::entity::EntityRef;
        if heap.facts.is_empty() {
            return;
        }
        let none = Loads::default();
        let loads = self.by_location.get(location.index()).and_then(Option::as_ref).unwrap_or(&none);
        let mut asked: BTreeSet<SymbolId> = BTreeSet::new();
        for (register, value) in &heap.registers {
            asked.extend(value.symbol());
            let Value::Pointer(pointer) = value else { continue };
            let Node::Object(object) = heap.node(pointer.node) else { continue };
            for field in &object.fields {
                let at = field.offset as i64 - pointer.offset;
                if loads.anywhere.contains(register) || loads.at.contains(&(*register, at)) {
                    asked.extend(field.value.symbol());
                }
            }
        }
        // How far an index is from the end of a text or an array is asked at each access.
        for (_, node) in heap.nodes() {
            asked.extend(node.ends());
        }
        heap.facts.retain(|(x, y, _)| asked.contains(x) && asked.contains(y));
    }
}
