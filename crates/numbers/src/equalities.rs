//! Variables that differ by a constant: x = y + c, modulo a power of two.
//!
//! An addition wraps around, so what is known after `x = y + 1` in 32 bits is x ≡ y + 1 (mod 2^32); together with the ranges
//! of both that often is an equality of integers ([`crate::State::difference`]). Every variable is in one class at most,
//! and each class has one modulus.

/// A class of variables that differ by constants.
///
/// Invariant: members are sorted, at least two; the first has the offset 0; offsets are in `0..2^bits`; `bits` is in `1..=64`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Class<V> {
    /// With the distance from the first one.
    pub members: Vec<(V, i128)>,
    /// Everything is meant modulo 2^bits.
    pub bits: u32,
}

/// All classes, sorted by their first members.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Equalities<V> {
    classes: Vec<Class<V>>,
}

/// That a new equality contradicts an old one.
pub(crate) struct Contradiction;

/// A number modulo 2^bits, from 0.
pub(crate) fn modulo(value: i128, bits: u32) -> i128 {
    value & ((1i128 << bits) - 1)
}

impl<V: Ord + Clone> Class<V> {
    fn new(mut members: Vec<(V, i128)>, bits: u32) -> Class<V> {
        members.sort_by(|one, other| one.0.cmp(&other.0));
        let base = members.first().map_or(0, |first| first.1);
        for member in &mut members {
            member.1 = modulo(member.1.wrapping_sub(base), bits);
        }
        Class { members, bits }
    }

    fn find(&self, variable: &V) -> Option<i128> {
        let index = self.members.binary_search_by(|member| member.0.cmp(variable)).ok()?;
        Some(self.members[index].1)
    }
}

impl<V: Ord + Clone> Equalities<V> {
    pub fn none() -> Equalities<V> {
        Equalities { classes: Vec::new() }
    }

    /// From groups of variables with offsets, modulo 2^bits each. No variable twice.
    pub fn from_groups(groups: impl IntoIterator<Item = (Vec<(V, i128)>, u32)>) -> Equalities<V> {
        let groups = groups.into_iter().filter(|(members, _)| members.len() > 1);
        let mut classes: Vec<Class<V>> = groups.map(|(members, bits)| Class::new(members, bits)).collect();
        classes.sort();
        Equalities { classes }
    }

    pub fn classes(&self) -> &[Class<V>] {
        &self.classes
    }

    /// The class of a variable and its offset there.
    pub fn find(&self, variable: &V) -> Option<(usize, i128)> {
        self.classes.iter().enumerate().find_map(|(index, class)| Some((index, class.find(variable)?)))
    }

    /// c and n with x ≡ y + c (mod 2^n).
    pub fn offset(&self, x: &V, y: &V) -> Option<(i128, u32)> {
        let (class, x) = self.find(x)?;
        let class = &self.classes[class];
        Some((modulo(x - class.find(y)?, class.bits), class.bits))
    }

    pub fn forget(&mut self, variable: &V) {
        let Some((index, _)) = self.find(variable) else { return };
        let mut class = self.classes.remove(index);
        class.members.retain(|member| member.0 != *variable);
        self.insert(class.members, class.bits);
    }

    /// The variable, which is in a class, is increased by `distance`.
    pub fn shift(&mut self, variable: &V, distance: i128) {
        let Some((index, _)) = self.find(variable) else { return };
        let mut class = self.classes.remove(index);
        for member in class.members.iter_mut().filter(|member| member.0 == *variable) {
            member.1 = member.1.wrapping_add(distance);
        }
        self.insert(class.members, class.bits);
    }

    /// From now on x ≡ y + c (mod 2^bits), for an x that is in no class. A class of y keeps its own modulus, which must not
    /// be a multiple of this one: see [`Equalities::lower`].
    pub fn define(&mut self, x: V, y: &V, c: i128, bits: u32) {
        match self.find(y) {
            Some((index, offset)) => {
                let mut class = self.classes.remove(index);
                class.members.push((x, offset.wrapping_add(c)));
                self.insert(class.members, class.bits);
            }
            None => self.insert(vec![(y.clone(), 0), (x, c)], bits),
        }
    }

    /// The class of the variable is meant modulo 2^bits only.
    pub fn lower(&mut self, variable: &V, bits: u32) {
        if let Some((index, _)) = self.find(variable) {
            let class = self.classes.remove(index);
            self.insert(class.members, class.bits.min(bits));
        }
    }

    /// It is found out that x ≡ y + c (mod 2^bits). Two classes become one, with the smaller modulus of the two.
    pub fn relate(&mut self, x: &V, y: &V, c: i128, bits: u32) -> Result<(), Contradiction> {
        match (self.find(x), self.find(y)) {
            (None, None) => self.insert(vec![(y.clone(), 0), (x.clone(), c)], bits),
            (None, Some(_)) => self.define(x.clone(), y, c, bits),
            (Some(_), None) => self.define(y.clone(), x, c.wrapping_neg(), bits),
            (Some((left, at_x)), Some((right, at_y))) if left == right => {
                let bits = bits.min(self.classes[left].bits);
                if modulo(at_x - at_y, bits) != modulo(c, bits) {
                    return Err(Contradiction);
                }
            }
            (Some((left, at_x)), Some((right, at_y))) => {
                let (first, second) = (left.max(right), left.min(right));
                let (high, low) = (self.classes.remove(first), self.classes.remove(second));
                let (of_x, of_y) = if left > right { (high, low) } else { (low, high) };
                // base of x's class = x - at_x = y + c - at_x = base of y's class + at_y + c - at_x
                let distance = at_y.wrapping_add(c).wrapping_sub(at_x);
                let bits = of_x.bits.min(of_y.bits);
                let moved = of_x.members.into_iter().map(|(member, offset)| (member, offset.wrapping_add(distance)));
                self.insert(of_y.members.into_iter().chain(moved).collect(), bits);
            }
        }
        Ok(())
    }

    fn insert(&mut self, members: Vec<(V, i128)>, bits: u32) {
        if members.len() > 1 {
            let class = Class::new(members, bits);
            let index = self.classes.partition_point(|other| *other < class);
            self.classes.insert(index, class);
        }
    }
}
