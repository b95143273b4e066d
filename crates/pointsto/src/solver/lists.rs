//! Many short lists in one table: a list that grows, or takes over another, moves nothing.

/// A list of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    first: u32,
    last: u32,
    len: u32,
}

const NONE: u32 = u32::MAX;

impl Default for List {
    fn default() -> List {
        List { first: NONE, last: NONE, len: 0 }
    }
}

/// Where an entry is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry(u32);

/// The entries of all lists, each with the number of the next one.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    entries: Vec<(T, u32)>,
}

impl<T: Copy> Lists<T> {
    pub(crate) fn with_capacity(capacity: usize) -> Lists<T> {
        Lists { entries: Vec::with_capacity(capacity) }
    }

    pub(crate) fn push(&mut self, list: &mut List, value: T) {
        let at = self.entries.len() as u32;
        self.entries.push((value, NONE));
        self.append(list, List { first: at, last: at, len: 1 });
    }

    /// `other` becomes the end of `list`.
    pub(crate) fn append(&mut self, list: &mut List, other: List) {
        if other.first == NONE {
            return;
        }
        match list.last {
            NONE => list.first = other.first,
            last => self.entries[last as usize].1 = other.first,
        }
        list.last = other.last;
        list.len += other.len;
    }

    pub(crate) fn get(&self, entry: Entry) -> T {
        self.entries[entry.0 as usize].0
    }

    /// The entry behind one. What was added while that one was looked at is found.
    pub(crate) fn next(&self, entry: Entry) -> Option<Entry> {
        let next = self.entries[entry.0 as usize].1;
        (next != NONE).then_some(Entry(next))
    }

    pub(crate) fn iter(&self, list: List) -> impl Iterator<Item = T> {
        std::iter::successors(list.first(), |entry| self.next(*entry)).map(|entry| self.get(entry))
    }
}

impl List {
    pub(crate) fn len(self) -> usize {
        self.len as usize
    }

    pub(crate) fn first(self) -> Option<Entry> {
        (self.first != NONE).then_some(Entry(self.first))
    }
}
