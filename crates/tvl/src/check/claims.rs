//! The shapes of `heapwise.h` on structures.
//!
//! A claim is decided by its own formula, evaluated on the structure, and by what instrumentation predicates say where
//! they are about the same links. Either may be definite where the other is not.

use super::heap::{Known, Value};
use super::predicates::{BackPredicates, Predicates};
use super::roles::Role;
use super::slots::Slot;
use crate::structure::{Bounds, Structure, members};
use heapwise_cells::atom::Atom;
use heapwise_cells::program::KindId;
use heapwise_ir::{ShapeClause, ShapeKind};
use heapwise_logic::{Kleene, Predicate};

/// A static or local object that a list may go through, as the head of a ring.
pub struct Object {
    /// Its address.
    pub place: Atom,
    /// What its links hold, in the order of the claim's.
    pub links: Vec<Slot>,
}

/// What is reached from a pointer along the claimed links.
#[derive(Clone, Copy)]
struct Reached {
    may: u64,
    must: u64,
    /// Objects that may be reached, by position.
    objects: u32,
    /// Whether some link on the way may hold something that is neither null nor a cell.
    broken: Kleene,
    /// Whether such a link may hold a value of which nothing is known.
    open: bool,
}

/// Whether a claim holds of all heaps that a structure stands for.
pub fn evaluate(
    predicates: &Predicates,
    structure: &Structure,
    (shape, kind, links): (ShapeKind, KindId, &[usize]),
    arguments: &[(Value, Option<Slot>)],
    objects: &[Object],
) -> Kleene {
    let claim = Claim { predicates, structure, kind, objects };
    let Some(&first) = arguments.first() else { return Kleene::Unknown };
    let second = arguments.get(1).copied();
    let Some(definition) = shape.definition(links) else { return Kleene::Unknown };
    let along = definition.along;
    for (value, _) in arguments {
        match value {
            Value::Cell(_) | Value::Atom(Atom::NULL) => {}
            Value::Atom(Atom::Freed | Atom::Ended(_) | Atom::Gone | Atom::Uninit | Atom::Int(_)) => {
                return Kleene::False;
            }
            Value::Atom(atom @ Atom::Place(_)) if claim.object(*atom).is_some() => {}
            Value::Atom(Atom::Opaque | Atom::Place(_) | Atom::Library(_) | Atom::NoLink | Atom::Outside) => {
                return Kleene::Unknown;
            }
        }
    }
    let reached = claim.reached_with_objects(first, along);
    if claim.leaves_kind(&reached) {
        return Kleene::Unknown;
    }
    let sound = if reached.open { Kleene::Unknown } else { !reached.broken };
    let mut holds = sound;
    for clause in &definition.clauses {
        holds = holds.and(match *clause {
            ShapeClause::Acyclic => claim.acyclic(&reached, along),
            ShapeClause::Cyclic => claim.cyclic(first.0, along),
            ShapeClause::Reaches => match second {
                None => Kleene::Unknown,
                Some((Value::Atom(_), _)) => claim.acyclic(&reached, along),
                Some((Value::Cell(cell), _)) => {
                    Kleene::from_bounds(reached.may >> cell & 1 == 1, reached.must >> cell & 1 == 1)
                }
            },
            ShapeClause::Disjoint => match second {
                None => Kleene::Unknown,
                Some(second) => {
                    let other = claim.reached_with_objects(second, along);
                    if claim.leaves_kind(&other) {
                        return Kleene::Unknown;
                    }
                    claim.disjoint(&reached, &other)
                }
            },
            ShapeClause::EnteredOnce => claim.tree(&reached, along),
            ShapeClause::Inverse { there, back } => {
                let cells = claim.inverse(&reached, there, back);
                // A ring may close through an object, which has the links of the shape in their order.
                let position = |link: usize| along.iter().position(|other| *other == link);
                match (position(there), position(back)) {
                    (Some(there), Some(back)) => cells.and(claim.closes(&reached, links, [there, back])),
                    _ => cells,
                }
            }
        });
    }
    holds
}

impl Reached {
    const NOTHING: Reached = Reached { may: 0, must: 0, objects: 0, broken: Kleene::False, open: false };
}

/// A claim about the links of a kind.
struct Claim<'a> {
    predicates: &'a Predicates,
    structure: &'a Structure,
    kind: KindId,
    objects: &'a [Object],
}

impl Claim<'_> {
    /// Whether nothing is reached from both of two pointers.
    fn disjoint(&self, first: &Reached, second: &Reached) -> Kleene {
        let may_meet = first.may & second.may != 0 || first.objects & second.objects != 0;
        let common = Kleene::from_bounds(may_meet, first.must & second.must != 0);
        let sound = if second.open { Kleene::Unknown } else { !second.broken };
        (!common).and(sound)
    }

    fn edge(&self, link: usize) -> usize {
        self.predicates.index(self.predicates.links[self.kind][link].edge)
    }

    fn unary(&self, predicate: Predicate) -> crate::structure::Bounds {
        self.structure.unary(self.predicates.index(predicate))
    }

    /// Whether the links are all links of the spine that leave cells of this kind.
    fn is_spine(&self, links: &[usize]) -> bool {
        let own = &self.predicates.links[self.kind];
        let all = (0..own.len()).filter(|link| own[*link].role == Role::Spine);
        links.iter().all(|link| own[*link].role == Role::Spine) && all.count() == links.len()
    }

    /// Whether cells of other kinds may come in between: then the spine leads further than the claimed links.
    fn is_one_kind(&self) -> bool {
        self.predicates.links.iter().all(|(kind, links)| kind == self.kind || links.is_empty())
    }

    /// Whether a cell of another kind may be reached: in C the links go on from there, if it has such.
    fn leaves_kind(&self, reached: &Reached) -> bool {
        members(reached.may & self.structure.active().may)
            .any(|cell| self.predicates.kind(self.structure, cell) != self.kind)
    }

    /// Edges of the claimed links: upper and lower bounds of what is entered from an individual.
    fn row(&self, from: usize, links: &[usize]) -> (u64, u64) {
        links.iter().fold((0, 0), |(may, must), link| {
            let row = self.structure.row(self.edge(*link), from);
            (may | row.may, must | row.must)
        })
    }

    /// What is surely entered from an individual: nothing where it may be absent.
    fn sure_row(&self, from: usize, links: &[usize]) -> u64 {
        if self.structure.active().must >> from & 1 == 1 { self.row(from, links).1 } else { 0 }
    }

    fn reached(&self, (value, slot): (Value, Option<Slot>), links: &[usize]) -> Reached {
        let Value::Cell(start) = value else {
            return Reached::NOTHING;
        };
        let close = |step: &dyn Fn(usize) -> u64| {
            let mut set = 1u64 << start;
            loop {
                let next = members(set).fold(set, |next, u| next | step(u));
                if next == set {
                    return set;
                }
                set = next;
            }
        };
        let mut may = close(&|u| self.row(u, links).0);
        let mut must = close(&|u| if u == start { self.row(u, links).1 } else { self.sure_row(u, links) });
        // The stored reachability is sharper; along more links than claimed it is an upper bound only.
        if let Some(stored) = slot.and_then(|slot| self.predicates.slots[slot].reach.first().copied()) {
            let stored = self.unary(stored);
            if links.iter().all(|link| self.predicates.links[self.kind][*link].role == Role::Spine) {
                may &= stored.may;
                if self.is_spine(links) && self.is_one_kind() {
                    must |= stored.must & may;
                }
            } else if let Some(back) = self.both_ways(links) {
                let reach = &self.predicates.slots[slot.unwrap_or(super::slots::BASE)].reach;
                if let Some(backwards) = reach.get(back) {
                    must |= (stored.must | self.unary(*backwards).must) & may;
                }
            }
        }
        if let Some(stored) = slot.and_then(|slot| self.backwards(slot, links)) {
            let stored = self.unary(stored);
            may &= stored.may;
            must |= stored.must & may;
        }
        let (mut broken, mut open, mut objects) = (Kleene::False, false, 0);
        for link in links {
            for (atom, predicate) in &self.predicates.links[self.kind][*link].atoms {
                let bounds = self.unary(*predicate);
                if let Some(object) = self.object(*atom) {
                    objects |= u32::from(bounds.may & may != 0) << object;
                } else if matches!(
                    atom,
                    Atom::Opaque | Atom::Place(_) | Atom::Library(_) | Atom::NoLink | Atom::Outside
                ) {
                    open |= bounds.may & may != 0;
                } else {
                    let surely = bounds.must & must & self.structure.active().must != 0;
                    broken = broken.or(Kleene::from_bounds(bounds.may & may != 0, surely));
                }
            }
        }
        Reached { may, must, objects, broken, open }
    }

    /// Which of the objects an address is that of.
    fn object(&self, atom: Atom) -> Option<usize> {
        self.objects.iter().position(|object| object.place == atom).filter(|position| *position < 32)
    }

    fn value(&self, slot: Slot) -> Known {
        self.predicates.value(self.structure, slot)
    }

    /// What is reached, also through objects.
    fn reached_with_objects(&self, first: (Value, Option<Slot>), links: &[usize]) -> Reached {
        let mut all = self.reached(first, links);
        if let Value::Atom(atom) = first.0
            && let Some(object) = self.object(atom)
        {
            all.objects |= 1 << object;
        }
        let mut done = 0;
        while all.objects & !done != 0 {
            let object = (all.objects & !done).trailing_zeros();
            done |= 1 << object;
            for slot in &self.objects[object as usize].links {
                let further = match self.value(*slot) {
                    Known::Value(Value::Cell(cell)) => self.reached((Value::Cell(cell), Some(*slot)), links),
                    Known::Value(Value::Atom(Atom::NULL)) => Reached::NOTHING,
                    Known::Value(Value::Atom(atom)) => match self.object(atom) {
                        Some(object) => Reached { objects: 1 << object, ..Reached::NOTHING },
                        None => Reached { open: true, ..Reached::NOTHING },
                    },
                    Known::Indefinite => Reached { open: true, ..Reached::NOTHING },
                };
                // That the object is reached is not sure.
                all.may |= further.may;
                all.objects |= further.objects;
                all.broken = all.broken.or(further.broken.and(Kleene::Unknown));
                all.open |= further.open;
            }
        }
        all
    }

    /// Going from an object by the first link and back by the second, and from a cell to an object and back, comes back.
    fn closes(&self, reached: &Reached, links: &[usize], [there, back]: [usize; 2]) -> Kleene {
        let holds = |link: usize, place: Atom| {
            let predicate = self.predicates.links[self.kind][links[link]].atoms.get(&place);
            predicate.map_or(Bounds { may: 0, must: 0 }, |predicate| self.unary(*predicate))
        };
        let reached_objects = self.objects.iter().enumerate().filter(|(i, _)| *i < 32 && reached.objects >> i & 1 == 1);
        let mut closes = true;
        for (_, object) in reached_objects {
            closes &= match self.value(object.links[there]) {
                Known::Value(Value::Cell(cell)) => holds(back, object.place).must >> cell & 1 == 1,
                Known::Value(Value::Atom(Atom::NULL)) => true,
                Known::Value(Value::Atom(atom)) => self.object(atom).is_some_and(|other| {
                    self.value(self.objects[other].links[back]) == Known::Value(Value::Atom(object.place))
                }),
                Known::Indefinite => false,
            };
            closes &= members(holds(there, object.place).may & reached.may).all(|cell| {
                let comes_back = self.value(object.links[back]) == Known::Value(Value::Cell(cell));
                comes_back && Predicates::is_single(self.structure, cell)
            });
        }
        if closes { Kleene::True } else { Kleene::Unknown }
    }

    /// The reachability predicate of the way back, if the links are the spine of a list and its way back.
    fn both_ways(&self, links: &[usize]) -> Option<usize> {
        let back = self.predicates.backs.iter().find(|back| back.link.0 == self.kind)?;
        (links.len() == 2 && links.contains(&back.link.1)).then_some(back.reach)?
    }

    /// What is reached from a slot along the claimed links, if they are a way back of a list and nothing else.
    fn backwards(&self, slot: Slot, links: &[usize]) -> Option<Predicate> {
        let [link] = links else { return None };
        let back = self.back(*link)?;
        self.predicates.slots[slot].reach.get(back.reach?).copied()
    }

    fn back(&self, link: usize) -> Option<&BackPredicates> {
        self.predicates.backs.iter().find(|back| back.link == (self.kind, link))
    }

    fn acyclic(&self, reached: &Reached, links: &[usize]) -> Kleene {
        let mut cyclic = Kleene::False;
        for u in members(reached.may) {
            cyclic = cyclic.or(self.on_cycle(u, links).and(Kleene::from_bounds(true, reached.must >> u & 1 == 1)));
        }
        !cyclic
    }

    /// Whether an individual lies on a cycle of the links.
    fn on_cycle(&self, cell: usize, links: &[usize]) -> Kleene {
        let back = |step: &dyn Fn(usize) -> u64| {
            let mut set = step(cell);
            loop {
                let next = members(set).fold(set, |next, u| next | step(u));
                if next == set {
                    return set >> cell & 1 == 1;
                }
                set = next;
            }
        };
        let single = Predicates::is_single(self.structure, cell);
        let mut may = back(&|u| self.row(u, links).0);
        let mut must = single && back(&|u| if u == cell { self.row(u, links).1 } else { self.sure_row(u, links) });
        let stored = self.unary(self.predicates.cyclic);
        if links.iter().all(|link| self.predicates.links[self.kind][*link].role == Role::Spine) {
            may &= stored.may >> cell & 1 == 1;
            if self.is_spine(links) && self.is_one_kind() {
                must |= stored.must >> cell & 1 == 1;
            }
        } else if let [link] = links
            && let Some(cycle) = self.back(*link).and_then(|back| back.cycle)
        {
            let stored = self.unary(cycle);
            may &= stored.may >> cell & 1 == 1;
            must |= stored.must >> cell & 1 == 1;
        }
        Kleene::from_bounds(may, must && may)
    }

    fn cyclic(&self, value: Value, links: &[usize]) -> Kleene {
        match value {
            Value::Cell(cell) => self.on_cycle(cell, links),
            Value::Atom(_) => Kleene::False,
        }
    }

    /// Every cell that is reached is entered once.
    fn tree(&self, reached: &Reached, links: &[usize]) -> Kleene {
        let mut tangled = !self.acyclic(reached, links);
        let of_spine = links.iter().all(|link| self.predicates.links[self.kind][*link].role == Role::Spine);
        let stored = self.unary(self.predicates.shared);
        let twin = self.predicates.twin.map(|twin| self.unary(twin));
        for v in members(reached.may) {
            let mut entries_may = 0u32;
            let mut entries_must = 0u32;
            for u in members(reached.may) {
                for link in links {
                    let row = self.structure.row(self.edge(*link), u);
                    let may = row.may >> v & 1 == 1;
                    let many = self.structure.summaries() >> u & 1 == 1;
                    entries_may += if may && many { 2 } else { u32::from(may) };
                    let sure = row.must >> v & 1 == 1 && (reached.must & self.structure.active().must) >> u & 1 == 1;
                    entries_must += u32::from(sure);
                }
            }
            // Several cells of a summary may each be entered once.
            let mut may = entries_may > 1;
            if of_spine {
                let stored_may = stored.may >> v & 1 == 1 || twin.is_some_and(|twin| twin.may >> v & 1 == 1);
                may &= stored_may;
            }
            let must = entries_must > 1;
            tangled = tangled.or(Kleene::from_bounds(may || must, must));
        }
        !tangled
    }

    /// Going `there` and then `back` comes back to every cell that is reached.
    fn inverse(&self, reached: &Reached, there: usize, back: usize) -> Kleene {
        let stored = self.round(there, back).map(|stored| self.unary(stored));
        let mut broken = Kleene::False;
        for u in members(reached.may) {
            let row = self.structure.row(self.edge(there), u);
            let single = Predicates::is_single(self.structure, u);
            let comes_back = |w: usize| self.structure.row(self.edge(back), w);
            let returns = members(row.may).all(|w| single && comes_back(w).must >> u & 1 == 1);
            let may = !returns && stored.is_none_or(|stored| stored.must >> u & 1 == 0);
            let must = members(row.must).any(|w| comes_back(w).may >> u & 1 == 0)
                || stored.is_some_and(|stored| stored.may >> u & 1 == 0);
            let sure = (reached.must & self.structure.active().must) >> u & 1 == 1;
            broken = broken.or(Kleene::from_bounds(may, may && must && sure));
        }
        !broken
    }

    /// The predicate that says the same, if there is one.
    fn round(&self, there: usize, back: usize) -> Option<Predicate> {
        self.predicates.backs.iter().find_map(|known| {
            if known.link == (self.kind, back) {
                known.forth.iter().find(|(forth, _)| *forth == there).map(|(_, predicate)| *predicate)
            } else if known.link == (self.kind, there) && self.is_spine(&[back]) {
                Some(known.back)
            } else {
                None
            }
        })
    }
}
