//! How addresses change on the way from one node to another: displacements, indices, flag bits.

use super::node::Node;
use super::{Arithmetic, Solver};
use crate::nodes::{NodeKey, RegionKey};
use crate::offsets::{Offsets, Range};

/// How an offset changes on the way from one node to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Move {
    /// One of these is added.
    Add(Range),
    /// One of these is added, by pointer arithmetic in units of so many bytes.
    Index { by: Range, unit: u64 },
    /// Some of these low bits are set.
    SetBits(u16),
    /// These low bits are cleared.
    ClearBits(u16),
    /// Computed in a way that is not followed: anywhere in the region.
    Scramble,
}

impl Move {
    pub(crate) const STILL: Move = Move::Add(Range::exact(0));

    /// Whether it sets or clears low bits.
    pub(crate) fn is_of_bits(self) -> bool {
        matches!(self, Move::SetBits(_) | Move::ClearBits(_))
    }
}

/// The objects of a region are looked at for their alignment up to so many.
pub(super) const MOST_ALIGNED: u32 = 256;

/// A move, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MoveId(u32);

impl Solver<'_> {
    pub(super) fn move_id(&mut self, by: Move) -> MoveId {
        if by == Move::STILL {
            return MoveId(0);
        }
        *self.move_ids.entry(by).or_insert_with(|| {
            self.moves.push(by);
            MoveId(self.moves.len() as u32 - 1)
        })
    }

    pub(crate) fn move_of(&self, id: MoveId) -> Move {
        self.moves[id.0 as usize]
    }

    /// Whether low bits of the node's value are looked at.
    pub(crate) fn has_moves_of_bits(&mut self, node: NodeKey) -> bool {
        let root = self.node_root(node);
        self.flows.iter(self.nodes[root.at()].flows).any(|(_, by)| self.moves[by.0 as usize].is_of_bits())
    }

    /// The address that is `by` away from one: the same node each time in a function.
    pub(crate) fn moved(&mut self, from: NodeKey, by: Move) -> NodeKey {
        if by == Move::STILL {
            return from;
        }
        let id = self.move_id(by);
        if let Some(node) = self.moved.get(&(from, id)) {
            return *node;
        }
        let node = self.new_node();
        self.moved.insert((from, id), node);
        self.flow(from, node, by);
        node
    }

    pub(super) fn propagate(&mut self, from: NodeKey, to: NodeKey, by: Move) {
        if self.node(from).unknown {
            self.mark_unknown(to);
        }
        self.propagate_value(from, to, by);
    }

    pub(super) fn propagate_value(&mut self, from: NodeKey, to: NodeKey, by: Move) {
        let Node { target, offsets, .. } = self.node(from);
        let Some(target) = *target else { return };
        let offsets = offsets.clone();
        if by == Move::STILL {
            return self.receive(to, target, &offsets);
        }
        let mut moved = Offsets::default();
        for range in offsets.iter() {
            match by {
                Move::Add(bytes) => {
                    moved.insert(range.plus(bytes));
                }
                Move::Index { by: bytes, unit } => {
                    let stays = self.arithmetic == Arithmetic::WithinArrays
                        && !range.is_exact()
                        && range.stride > 0
                        && unit.is_multiple_of(range.stride);
                    moved.insert(if stays { range } else { range.plus(bytes) });
                }
                Move::SetBits(bits) => {
                    moved.insert(range.with_flags(bits));
                }
                Move::ClearBits(bits) => {
                    for cleared in self.cleared(target, range, bits) {
                        moved.insert(cleared);
                    }
                    let constraint = (from, to, bits);
                    if self.known_clears.insert(constraint) {
                        let id = self.clears.len() as u32;
                        self.clears.push(constraint);
                        self.class_mut(target).rare().clears.push(id);
                    }
                }
                Move::Scramble => {
                    moved.insert(Range::anywhere(range.start, 1));
                }
            }
        }
        self.receive(to, target, &moved);
    }

    /// What an offset is without some low bits: for each object of the region, as far as its alignment is known.
    pub(super) fn cleared(&mut self, region: RegionKey, range: Range, bits: u16) -> Vec<Range> {
        let here = self.shift[region.at()];
        let mask = i64::from(bits);
        let mut found = Vec::new();
        let unaligned = match range.is_exact() {
            true => Range::elements(range.start - mask, 1, u64::from(bits) + u64::from(range.slack) + 1),
            false => Range::anywhere(range.start, 1),
        };
        let root = self.root(region);
        if self.classes[root.at()].n_members > MOST_ALIGNED {
            // To look at each again whenever there is one more would take the square of their number.
            return vec![unaligned];
        }
        for (object, key) in self.objects(region) {
            let origin = self.shift[key.at()] - here;
            let alignment = object.alignment(self.program);
            let block = u64::from(bits) + 1;
            let is_aligned = alignment.is_multiple_of(block) && range.stride.is_multiple_of(block);
            found.push(if is_aligned && range.slack <= bits {
                let start = origin + ((range.start - origin) & !mask);
                Range { start, slack: 0, past_end: false, ..range }
            } else {
                unaligned
            });
        }
        if found.is_empty() {
            found.push(Range { slack: if range.slack <= bits { 0 } else { range.slack }, past_end: false, ..range });
        }
        found
    }
}
