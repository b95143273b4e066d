//! Sets as states.

use crate::lattice::JoinSemiLattice;
use cranelift_entity::EntityRef;
use std::marker::PhantomData;

/// A set of ids that grows by union, for sets that are small beside the number of ids: words of 64 with their numbers, sorted;
/// none is zero. A bit for each pair of a node and an id would be gigabytes where calls are inlined often.
#[derive(PartialEq, Eq, Debug)]
pub struct SparseBits<T> {
    words: Vec<(u32, u64)>,
    ids: PhantomData<T>,
}

impl<T> Default for SparseBits<T> {
    fn default() -> SparseBits<T> {
        SparseBits { words: Vec::new(), ids: PhantomData }
    }
}

impl<T> Clone for SparseBits<T> {
    fn clone(&self) -> SparseBits<T> {
        SparseBits { words: self.words.clone(), ids: PhantomData }
    }

    /// Keeps the memory.
    fn clone_from(&mut self, other: &SparseBits<T>) {
        self.words.clone_from(&other.words);
    }
}

impl<T: EntityRef> SparseBits<T> {
    fn place(id: T) -> (u32, u64) {
        ((id.index() / 64) as u32, 1 << (id.index() % 64))
    }

    fn find(&self, number: u32) -> Result<usize, usize> {
        self.words.binary_search_by_key(&number, |(number, _)| *number)
    }

    /// Whether an id is in the set. Most sets have one word or none, and engines ask often.
    #[inline]
    pub fn contains(&self, id: T) -> bool {
        let (number, bit) = Self::place(id);
        match self.words.as_slice() {
            [] => false,
            [(only, bits)] => *only == number && bits & bit != 0,
            words => self.find(number).is_ok_and(|at| words[at].1 & bit != 0),
        }
    }

    /// Puts an id in.
    pub fn insert(&mut self, id: T) {
        let (number, bit) = Self::place(id);
        match self.find(number) {
            Ok(at) => self.words[at].1 |= bit,
            Err(at) => self.words.insert(at, (number, bit)),
        }
    }

    /// Takes an id out.
    pub fn remove(&mut self, id: T) {
        let (number, bit) = Self::place(id);
        if let Ok(at) = self.find(number) {
            self.words[at].1 &= !bit;
            if self.words[at].1 == 0 {
                self.words.remove(at);
            }
        }
    }

    /// Keeps the ids that it is said of.
    pub fn retain(&mut self, mut is_kept: impl FnMut(T) -> bool) {
        self.words.retain_mut(|(number, bits)| {
            let mut left = *bits;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                if !is_kept(T::new(*number as usize * 64 + bit as usize)) {
                    *bits &= !(1 << bit);
                }
            }
            *bits != 0
        });
    }

    /// The ids, in order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        ids(self.words.iter().copied())
    }

    /// The ids of this set and of another one, in order.
    pub fn union<'s>(&'s self, other: &'s SparseBits<T>) -> impl Iterator<Item = T> + 's {
        let (mut left, mut right) = (self.words.iter().copied().peekable(), other.words.iter().copied().peekable());
        ids(std::iter::from_fn(move || match (left.peek(), right.peek()) {
            (Some((one, bits)), Some((other, more))) if one == other => {
                let word = (*one, bits | more);
                left.next();
                right.next();
                Some(word)
            }
            (Some((one, _)), Some((other, _))) if one > other => right.next(),
            (Some(_), _) => left.next(),
            (None, _) => right.next(),
        }))
    }
}

fn ids<T: EntityRef>(words: impl Iterator<Item = (u32, u64)>) -> impl Iterator<Item = T> {
    words.flat_map(|(number, bits)| {
        (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| T::new(number as usize * 64 + bit))
    })
}

impl<T: EntityRef> JoinSemiLattice for SparseBits<T> {
    fn join(&mut self, other: &SparseBits<T>) -> bool {
        let (mut at, mut changed) = (0, false);
        for (number, bits) in &other.words {
            while self.words.get(at).is_some_and(|(own, _)| own < number) {
                at += 1;
            }
            match self.words.get_mut(at) {
                Some((own, word)) if own == number => {
                    changed |= bits & !*word != 0;
                    *word |= bits;
                }
                Some(_) | None => {
                    self.words.insert(at, (*number, *bits));
                    changed = true;
                }
            }
        }
        changed
    }
}

impl<T: EntityRef> FromIterator<T> for SparseBits<T> {
    fn from_iter<I: IntoIterator<Item = T>>(ids: I) -> SparseBits<T> {
        let mut set = SparseBits::default();
        ids.into_iter().for_each(|id| set.insert(id));
        set
    }
}

macro_rules! sorted_set {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(PartialEq, Eq, Debug)]
        pub struct $name<T>(Vec<T>);

        impl<T> Default for $name<T> {
            fn default() -> $name<T> {
                $name(Vec::new())
            }
        }

        impl<T: Clone> Clone for $name<T> {
            fn clone(&self) -> $name<T> {
                $name(self.0.clone())
            }

            /// Keeps the memory.
            fn clone_from(&mut self, other: &$name<T>) {
                self.0.clone_from(&other.0);
            }
        }

        impl<T: Ord> $name<T> {
            /// Puts an element in.
            pub fn insert(&mut self, element: T) {
                if let Err(place) = self.0.binary_search(&element) {
                    self.0.insert(place, element);
                }
            }

            /// Whether an element is in the set.
            pub fn contains(&self, element: &T) -> bool {
                self.0.binary_search(element).is_ok()
            }

            /// Keeps the elements that it is said of.
            pub fn retain(&mut self, is_kept: impl FnMut(&T) -> bool) {
                self.0.retain(is_kept);
            }

            /// Takes all elements out.
            pub fn clear(&mut self) {
                self.0.clear();
            }
        }

        impl<T> std::ops::Deref for $name<T> {
            type Target = [T];

            /// The elements, sorted.
            fn deref(&self) -> &[T] {
                &self.0
            }
        }

        impl<T: Ord> FromIterator<T> for $name<T> {
            fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> $name<T> {
                let mut elements: Vec<T> = elements.into_iter().collect();
                elements.sort_unstable();
                elements.dedup();
                $name(elements)
            }
        }
    };
}

sorted_set! {
    /// What may hold: the join is the union.
    MaySet
}

sorted_set! {
    /// What must hold: the join is the intersection.
    MustSet
}

impl<T: Ord + Clone> JoinSemiLattice for MaySet<T> {
    fn join(&mut self, other: &MaySet<T>) -> bool {
        // Mostly there is nothing new.
        let mut own = self.0.iter().peekable();
        let is_known = |element: &T| {
            while own.next_if(|mine| *mine < element).is_some() {}
            own.peek().is_some_and(|mine| *mine == element)
        };
        if other.0.iter().all(is_known) {
            return false;
        }
        self.0.extend(other.0.iter().cloned());
        self.0.sort();
        self.0.dedup();
        true
    }
}

impl<T: Ord + Clone> JoinSemiLattice for MustSet<T> {
    fn join(&mut self, other: &MustSet<T>) -> bool {
        let before = self.0.len();
        let mut others = other.0.iter().peekable();
        self.0.retain(|element| {
            while others.next_if(|other| *other < element).is_some() {}
            others.peek().is_some_and(|other| *other == element)
        });
        self.0.len() != before
    }
}
