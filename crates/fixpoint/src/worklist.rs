//! The worklist: facts by the rank of their point, lowest first; first come, first served within a point.
//!
//! The queues of all points are chains through one pool: a queue of its own for each point would be allocated and
//! grown for each of them, which costs more than what most points have to queue.

use crate::ids::FactId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(crate) struct Worklist {
    queues: Vec<Queue>,
    links: Vec<Link>,
    /// The first of the links that are not in use.
    free: u32,
    /// The ranks of queues that are not empty, each once.
    ranks: BinaryHeap<Reverse<u32>>,
    len: usize,
}

/// The end of a chain.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Queue {
    first: u32,
    last: u32,
}

#[derive(Clone, Copy)]
struct Link {
    fact: FactId,
    next: u32,
}

impl Worklist {
    pub fn new(n_ranks: usize) -> Worklist {
        Worklist {
            queues: vec![Queue { first: NONE, last: NONE }; n_ranks],
            links: Vec::with_capacity(n_ranks),
            free: NONE,
            ranks: BinaryHeap::new(),
            len: 0,
        }
    }

    pub fn push(&mut self, rank: u32, fact: FactId) {
        let link = self.link(fact);
        let queue = &mut self.queues[rank as usize];
        if queue.first == NONE {
            self.ranks.push(Reverse(rank));
            queue.first = link;
        } else {
            self.links[queue.last as usize].next = link;
        }
        queue.last = link;
        self.len += 1;
    }

    /// In front of the others of its point.
    pub fn push_first(&mut self, rank: u32, fact: FactId) {
        let link = self.link(fact);
        let queue = &mut self.queues[rank as usize];
        if queue.first == NONE {
            self.ranks.push(Reverse(rank));
            queue.last = link;
        } else {
            self.links[link as usize].next = queue.first;
        }
        queue.first = link;
        self.len += 1;
    }

    pub fn pop(&mut self) -> Option<FactId> {
        let Reverse(rank) = *self.ranks.peek()?;
        let queue = &mut self.queues[rank as usize];
        let first = queue.first;
        let Link { fact, next } = self.links[first as usize];
        queue.first = next;
        if next == NONE {
            self.ranks.pop();
        }
        self.links[first as usize].next = std::mem::replace(&mut self.free, first);
        self.len -= 1;
        Some(fact)
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// A link at the end of a chain.
    fn link(&mut self, fact: FactId) -> u32 {
        let link = Link { fact, next: NONE };
        if self.free == NONE {
            self.links.push(link);
            return self.links.len() as u32 - 1;
        }
        let unused = self.free;
        self.free = std::mem::replace(&mut self.links[unused as usize], link).next;
        unused
    }
}

#[cfg(test)]
mod tests {
    use super::Worklist;
    use crate::ids::FactId;
    use heapwise_ir::entity::EntityRef;

    #[test]
    fn the_lowest_rank_goes_first_and_links_are_used_again() {
        let mut worklist = Worklist::new(3);
        let mut popped = Vec::new();
        worklist.push(2, FactId::new(0));
        worklist.push(1, FactId::new(1));
        worklist.push(1, FactId::new(2));
        popped.extend(worklist.pop());
        worklist.push_first(1, FactId::new(3));
        worklist.push(0, FactId::new(4));
        assert_eq!(worklist.len(), 4);
        while let Some(fact) = worklist.pop() {
            popped.push(fact);
        }
        assert_eq!(popped, [1, 4, 3, 2, 0].map(FactId::new));
        worklist.push_first(2, FactId::new(5));
        assert_eq!((worklist.pop(), worklist.pop(), worklist.len()), (Some(FactId::new(5)), None, 0));
        assert_eq!(worklist.links.len(), 4);
    }
}
