//! The worklist: facts by the rank of their point, lowest first; first come, first served within a point.

use crate::ids::FactId;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

pub(crate) struct Worklist {
    queues: Vec<VecDeque<FactId>>,
    /// The ranks of queues that are not empty, each once.
    ranks: BinaryHeap<Reverse<u32>>,
    len: usize,
}

impl Worklist {
    pub fn new(n_ranks: usize) -> Worklist {
        Worklist { queues: vec![VecDeque::new(); n_ranks], ranks: BinaryHeap::new(), len: 0 }
    }

    pub fn push(&mut self, rank: u32, fact: FactId) {
        let queue = &mut self.queues[rank as usize];
        if queue.is_empty() {
            self.ranks.push(Reverse(rank));
        }
        queue.push_back(fact);
        self.len += 1;
    }

    /// In front of the others of its point.
    pub fn push_first(&mut self, rank: u32, fact: FactId) {
        let queue = &mut self.queues[rank as usize];
        if queue.is_empty() {
            self.ranks.push(Reverse(rank));
        }
        queue.push_front(fact);
        self.len += 1;
    }

    pub fn pop(&mut self) -> Option<FactId> {
        let Reverse(rank) = *self.ranks.peek()?;
        let queue = &mut self.queues[rank as usize];
        let fact = queue.pop_front();
        if queue.is_empty() {
            self.ranks.pop();
        }
        self.len -= usize::from(fact.is_some());
        fact
    }

    pub fn len(&self) -> usize {
        self.len
    }
}
