//! Regions: names for sets of cells (paper, section 4).

use super::{Heap, Node};
use std::fmt;
use std::rc::Rc;

/// A region variable. In every state the regions are a partition of the heap cells that are allocated. A smaller number is an
/// older region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Region(pub u16);

impl Region {
    /// That of all cells, where regions are not told apart.
    pub const NONE: Region = Region(0);
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LETTERS: [&str; 8] = ["α", "β", "γ", "δ", "ε", "ζ", "η", "θ"];
        match usize::from(self.0).checked_sub(1).map(|index| (index % LETTERS.len(), index / LETTERS.len())) {
            None => f.write_str("*"),
            Some((letter, 0)) => f.write_str(LETTERS[letter]),
            Some((letter, round)) => write!(f, "{}{round}", LETTERS[letter]),
        }
    }
}

impl Node {
    /// The region that it belongs to.
    pub fn region(&self) -> Region {
        match self {
            Node::Object(object) => object.region,
            Node::Instance(instance) => instance.region,
        }
    }

    /// The same in another region.
    #[must_use]
    pub fn in_region(mut self, region: Region) -> Node {
        match &mut self {
            Node::Object(object) => object.region = region,
            Node::Instance(instance) => instance.region = region,
        }
        self
    }
}

impl Heap {
    /// Puts all cells of one region into another.
    pub fn merge_region(&mut self, from: Region, to: Region) {
        for node in self.nodes.iter_mut().flatten().filter(|node| node.region() == from) {
            *node = Rc::new(Node::clone(node).in_region(to));
        }
        if let Ok(index) = self.truths.binary_search(&from) {
            self.truths.remove(index);
            self.add_truth(to);
        }
    }

    /// There may be cells of the region that no node describes.
    pub fn add_truth(&mut self, region: Region) {
        if let Err(index) = self.truths.binary_search(&region) {
            self.truths.insert(index, region);
        }
    }
}
