//! Grounding into clauses over a universe that can grow.
//!
//! # The universe
//! Individuals are numbered and pairwise distinct; each has an *active* literal (it is there, or not), so one search
//! covers all universes up to the number of individuals, the empty one included. A universal quantifier becomes a
//! conjunction over the active individuals. An existential one gets a *name*: literals `name = individual`, one for
//! each individual it may stand for, and the body holds of the one it stands for.
//!
//! # What a name may stand for
//! Take any finite structure M of the theory. A *settled* name has an individual of its own: in M it denotes an element,
//! which is represented by that individual unless an earlier one represents it already. An *open* name has none: it
//! stands for an individual that is there, or for an element of M that no individual represents. The literal `open`
//! allows the latter, without any claim about the element.
//!
//! With `open` assumed false, a satisfying assignment is a finite structure. With `open` free, an unsatisfiable set of
//! clauses excludes M, whatever its size: M restricted to the represented elements satisfies every universal formula
//! that M satisfies. Between the two, [`Ground::give_individuals`] gives names that an assignment wants individuals of their own.
//!
//! Names of ∃*∀* formulas stand outside all universal quantifiers, so there are as many as the formulas have
//! existential variables. When all are settled, no name needs `open`, and one of the two answers is reached: both are
//! exact. Names below universal quantifiers (`is(v)` implies that v has *a predecessor*) can go on for ever.

use super::compile::{Atom, BoundVariable, Kind, Part, Sign};
use super::sat::Sat;
use batsat::Lit;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Instant;

/// As many names that stand alone below an outermost quantifier get individuals of their own at once. Others wait until an
/// assignment wants them: a smaller universe mostly suffices.
const SETTLED_AT_ONCE: usize = 8;

/// So many instances are made between two looks at the clock.
const INSTANCES_PER_LOOK: u32 = 1024;

/// What individuals there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Some, and more when they are wanted.
    Growing,
    /// One for every element of every model: names have none of their own.
    Complete,
}

/// What a slot is bound to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Term {
    Unbound,
    Individual(usize),
    Name(usize),
}

/// How a name finds something to stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Freedom {
    /// It has an individual of its own, or an earlier one: its domain is complete.
    Settled,
    /// It may denote an element that no individual represents (`open`).
    Open,
}

/// Where the quantifier of a name stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// Below no universal quantifier: there are finitely many of these, and settling them all is exact.
    Outermost,
    BelowUniversal,
}

struct Name {
    /// The individuals it may stand for, and the literals that say so.
    domain: Vec<(usize, Lit)>,
    freedom: Freedom,
    /// It stands for an element that no individual represents.
    elsewhere: Lit,
    place: Place,
    /// Whether an edge from or to it is asked for.
    has_edge: bool,
    /// Only where these are all false must it stand for something.
    prefix: Rc<[Lit]>,
}

/// A subformula that holds for every individual (or for those that names may stand for): extended when the universe
/// grows.
#[derive(Clone)]
struct Universal {
    body: Part,
    binders: Rc<[(BoundVariable, Binder)]>,
    env: Rc<[Term]>,
    prefix: Rc<[Lit]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Binder {
    Everyone,
    Name(usize),
}

/// Clauses about a universe.
pub struct Ground {
    pub sat: Sat,
    pub active: Vec<Lit>,
    pub nullary: Vec<Lit>,
    /// By symbol, then individual.
    pub unary: Vec<Vec<Lit>>,
    /// By symbol, then left, then right individual.
    pub binary: Vec<Vec<Vec<Lit>>>,
    names: Vec<Name>,
    extent: Extent,
    universals: Vec<Universal>,
    /// Some element of the structure is represented by no individual.
    pub open: Lit,
    /// An outermost name stands for such an element.
    pub unnamed: Lit,
    /// The individuals that were made for outermost names.
    own: BTreeSet<usize>,
    /// Binders of universal quantifiers around the subformula that is being asserted.
    depth: usize,
    /// When grounding must stop.
    end: Instant,
    instances: u32,
    /// Grounding was stopped: clauses are missing, so nothing satisfiable may be said any more.
    pub is_cut_short: bool,
}

impl Ground {
    /// With so many symbols of each arity (none, one, two arguments).
    pub fn new([nullary, unary, binary]: [usize; 3], extent: Extent, mut sat: Sat, end: Instant) -> Ground {
        let nullary = (0..nullary).map(|_| sat.fresh()).collect();
        let (open, unnamed) = (sat.fresh(), sat.fresh());
        sat.add(&[!unnamed, open]);
        Ground {
            sat,
            active: Vec::new(),
            nullary,
            unary: vec![Vec::new(); unary],
            binary: vec![Vec::new(); binary],
            names: Vec::new(),
            extent,
            universals: Vec::new(),
            open,
            unnamed,
            own: BTreeSet::new(),
            depth: 0,
            end,
            instances: 0,
            is_cut_short: false,
        }
    }

    /// How many individuals there are at most.
    pub fn individuals(&self) -> usize {
        self.active.len()
    }

    /// Adds a binary symbol.
    pub fn add_binary_symbol(&mut self) {
        let n = self.individuals();
        let rows = (0..n).map(|_| (0..n).map(|_| self.sat.fresh()).collect()).collect();
        self.binary.push(rows);
    }

    /// Asserts `prefix | root`, a closed formula of that many slots.
    pub fn assert(&mut self, root: &Part, slots: usize, prefix: &[Lit]) {
        self.assert_about(root, slots, &[], prefix);
    }

    /// The same with the first slots bound to individuals.
    pub fn assert_about(&mut self, root: &Part, slots: usize, about: &[usize], prefix: &[Lit]) {
        // Names that depend on individuals are as good as below a universal quantifier.
        self.depth = usize::from(!about.is_empty());
        let mut env = vec![Term::Unbound; slots.max(about.len())];
        for (slot, individual) in about.iter().enumerate() {
            env[slot] = Term::Individual(*individual);
        }
        self.add(root, &mut env, &mut prefix.to_vec());
    }

    fn add(&mut self, part: &Part, env: &mut Vec<Term>, prefix: &mut Vec<Lit>) {
        match &part.kind {
            Kind::True => {}
            Kind::False => self.sat.add(prefix),
            Kind::And(parts) => parts.iter().for_each(|p| self.add(p, env, prefix)),
            Kind::Exists(slots, body) => self.name(slots, body, env, prefix),
            Kind::Literal(..) | Kind::Or(_) | Kind::Forall(..) => {
                let named: Vec<(BoundVariable, Binder)> = named(part.free, env).collect();
                match &part.kind {
                    _ if named.is_empty() => self.add_about_individuals(part, env, prefix),
                    Kind::Or(parts) if named.len() > 2 || part.has_exists => self.add_cases(parts, env, prefix),
                    _ => self.universal(part, named, env, prefix),
                }
            }
        }
    }

    /// A literal, disjunction or universal formula whose free slots stand for individuals.
    fn add_about_individuals(&mut self, part: &Part, env: &mut Vec<Term>, prefix: &mut Vec<Lit>) {
        match &part.kind {
            Kind::Literal(sign, atom) => {
                let literal = self.literal(*sign, *atom, env);
                prefix.push(literal);
                self.sat.add(prefix);
                prefix.pop();
            }
            Kind::Or(parts) => self.add_cases(parts, env, prefix),
            Kind::Forall(slots, body) => {
                let binders = slots.iter().map(|slot| (*slot, Binder::Everyone)).collect();
                self.depth += 1;
                self.universal(body, binders, env, prefix);
                self.depth -= 1;
            }
            Kind::True | Kind::False | Kind::And(_) | Kind::Exists(..) => self.add(part, env, prefix),
        }
    }

    /// `prefix | parts…`: literals about individuals join the clause, all other parts but one get a literal that
    /// implies them.
    fn add_cases(&mut self, parts: &[Part], env: &mut Vec<Term>, prefix: &mut Vec<Lit>) {
        let depth = prefix.len();
        let mut larger: Vec<&Part> = Vec::new();
        for part in parts {
            match &part.kind {
                Kind::Literal(sign, atom) if named(part.free, env).next().is_none() => {
                    let literal = self.literal(*sign, *atom, env);
                    match self.sat.fixed(literal) {
                        Some(true) => {
                            prefix.truncate(depth);
                            return;
                        }
                        Some(false) => {}
                        None => prefix.push(literal),
                    }
                }
                _ => larger.push(part),
            }
        }
        let Some((last, others)) = larger.split_last() else {
            self.sat.add(prefix);
            prefix.truncate(depth);
            return;
        };
        for part in others {
            let case = self.sat.fresh();
            self.add(part, env, &mut vec![!case]);
            prefix.push(case);
        }
        self.add(last, env, prefix);
        prefix.truncate(depth);
    }

    fn name(&mut self, slots: &[BoundVariable], body: &Part, env: &mut Vec<Term>, prefix: &mut Vec<Lit>) {
        if prefix.iter().any(|l| self.sat.fixed(*l) == Some(true)) {
            return;
        }
        let saved: Vec<Term> = slots.iter().map(|slot| env[usize::from(*slot)]).collect();
        for slot in slots {
            let simple = slots.len() == 1 && prefix.is_empty() && self.depth == 0;
            let at_once = simple && self.individuals() < SETTLED_AT_ONCE;
            let freedom = match self.extent {
                Extent::Complete => Freedom::Settled,
                Extent::Growing if at_once => {
                    self.add_individual();
                    self.own.insert(self.individuals() - 1);
                    Freedom::Settled
                }
                Extent::Growing => Freedom::Open,
            };
            let domain = (0..self.individuals()).map(|i| (i, self.may_stand_for(i))).collect();
            let place = if self.depth == 0 { Place::Outermost } else { Place::BelowUniversal };
            let elsewhere = self.elsewhere(place);
            let has_edge = has_edge(body, *slot);
            self.names.push(Name { domain, freedom, elsewhere, place, has_edge, prefix: prefix.as_slice().into() });
            let name = self.names.len() - 1;
            self.must_stand_for_something(name);
            env[usize::from(*slot)] = Term::Name(name);
        }
        self.add(body, env, prefix);
        for (slot, term) in slots.iter().zip(saved) {
            env[usize::from(*slot)] = term;
        }
    }

    fn may_stand_for(&mut self, individual: usize) -> Lit {
        let literal = self.sat.fresh();
        self.sat.add(&[!literal, self.active[individual]]);
        literal
    }

    /// A literal for a name at that place that stands for an element without an individual.
    fn elsewhere(&mut self, place: Place) -> Lit {
        let literal = self.sat.fresh();
        let follows = match place {
            Place::Outermost => self.unnamed,
            Place::BelowUniversal => self.open,
        };
        self.sat.add(&[!literal, follows]);
        literal
    }

    fn must_stand_for_something(&mut self, name: usize) {
        let name = &self.names[name];
        let mut clause: Vec<Lit> = name.prefix.to_vec();
        clause.extend(name.domain.iter().map(|(_, literal)| *literal));
        match name.freedom {
            Freedom::Settled => {}
            Freedom::Open => clause.push(name.elsewhere),
        }
        self.sat.add(&clause);
    }

    fn universal(
        &mut self,
        body: &Part,
        binders: Vec<(BoundVariable, Binder)>,
        env: &mut Vec<Term>,
        prefix: &mut Vec<Lit>,
    ) {
        let grows = binders.iter().any(|(_, binder)| match binder {
            Binder::Everyone => true,
            Binder::Name(name) => self.names[*name].freedom != Freedom::Settled,
        });
        if grows {
            self.universals.push(Universal {
                body: body.clone(),
                binders: binders.as_slice().into(),
                env: env.as_slice().into(),
                prefix: prefix.as_slice().into(),
            });
        }
        self.instantiate(body, &binders, env, prefix, None);
    }

    /// Asserts the instances of `body`: all, or those that speak of the individual `new`.
    fn instantiate(
        &mut self,
        body: &Part,
        binders: &[(BoundVariable, Binder)],
        env: &mut Vec<Term>,
        prefix: &mut Vec<Lit>,
        new: Option<usize>,
    ) {
        self.instances += 1;
        if self.instances.is_multiple_of(INSTANCES_PER_LOOK) && Instant::now() >= self.end {
            self.is_cut_short = true;
        }
        if self.is_cut_short {
            return;
        }
        let Some(((slot, binder), rest)) = binders.split_first() else {
            if new.is_none() {
                self.add(body, env, prefix);
            }
            return;
        };
        let saved = env[usize::from(*slot)];
        // Individuals that are added meanwhile bring their instances along.
        let candidates = match binder {
            Binder::Everyone => self.active.len(),
            Binder::Name(name) => self.names[*name].domain.len(),
        };
        for candidate in 0..candidates {
            let (individual, guard) = match binder {
                Binder::Everyone => (candidate, self.active[candidate]),
                Binder::Name(name) => self.names[*name].domain[candidate],
            };
            let fixed = self.sat.fixed(guard);
            let remaining = new.filter(|new| *new != individual);
            if fixed == Some(false) || remaining.is_some() && rest.is_empty() {
                continue;
            }
            env[usize::from(*slot)] = Term::Individual(individual);
            if self.is_satisfied_by(body, *slot, env) {
                continue;
            }
            let depth = prefix.len();
            if fixed.is_none() && !prefix.contains(&!guard) {
                prefix.push(!guard);
            }
            self.instantiate(body, rest, env, prefix, remaining);
            prefix.truncate(depth);
        }
        env[usize::from(*slot)] = saved;
    }

    /// Whether a literal of the disjunction `body` that `slot` completes is known to hold.
    fn is_satisfied_by(&self, body: &Part, slot: BoundVariable, env: &[Term]) -> bool {
        let Kind::Or(parts) = &body.kind else { return false };
        parts.iter().any(|part| match &part.kind {
            Kind::Literal(sign, atom) if part.free >> slot & 1 != 0 => {
                let about_individuals = slots_of(part.free).all(|s| matches!(env[s], Term::Individual(_)));
                about_individuals && self.sat.fixed(self.literal(*sign, *atom, env)) == Some(true)
            }
            _ => false,
        })
    }

    fn literal(&self, sign: Sign, atom: Atom, env: &[Term]) -> Lit {
        let individual = |slot: BoundVariable| match env[usize::from(slot)] {
            Term::Individual(individual) => individual,
            Term::Name(_) | Term::Unbound => unreachable!("grounding binds the slots of an atom to individuals first"),
        };
        let literal = match atom {
            Atom::Nullary(symbol) => self.nullary[symbol],
            Atom::Unary(symbol, a) => self.unary[symbol][individual(a)],
            Atom::Binary(symbol, a, b) => self.binary[symbol][individual(a)][individual(b)],
            Atom::Equal(a, b) if individual(a) == individual(b) => self.sat.yes,
            Atom::Equal(..) => !self.sat.yes,
        };
        if sign == Sign::Positive { literal } else { !literal }
    }

    /// Individuals of which nothing is said: as long as that is so, the first ones may as well be those that are there.
    pub fn add_alike(&mut self, count: usize) {
        let first = self.individuals();
        (0..count).for_each(|_| self.add_individual());
        for pair in first + 1..first + count {
            self.sat.add(&[!self.active[pair], self.active[pair - 1]]);
        }
    }

    /// Adds an individual, and with it the instances of everything that holds for every individual.
    pub fn add_individual(&mut self) {
        let new = self.individuals();
        let active = self.sat.fresh();
        self.active.push(active);
        for symbol in 0..self.unary.len() {
            let literal = self.sat.fresh();
            self.unary[symbol].push(literal);
        }
        for symbol in 0..self.binary.len() {
            for row in 0..new {
                let literal = self.sat.fresh();
                self.binary[symbol][row].push(literal);
            }
            let row = (0..=new).map(|_| self.sat.fresh()).collect();
            self.binary[symbol].push(row);
        }
        for name in 0..self.names.len() {
            if self.names[name].freedom != Freedom::Settled {
                let literal = self.may_stand_for(new);
                self.names[name].domain.push((new, literal));
            }
        }
        let depth = self.depth;
        self.depth = 1;
        for index in 0..self.universals.len() {
            let universal = self.universals[index].clone();
            let mut prefix = universal.prefix.to_vec();
            if prefix.iter().any(|l| self.sat.fixed(*l) == Some(true)) {
                continue;
            }
            self.instantiate(&universal.body, &universal.binders, &mut universal.env.to_vec(), &mut prefix, Some(new));
        }
        self.depth = depth;
    }

    /// After individuals were added: names that are not settled may stand for the new ones.
    pub fn begin_generation(&mut self) {
        self.open = self.sat.fresh();
        self.unnamed = self.sat.fresh();
        self.sat.add(&[!self.unnamed, self.open]);
        for name in 0..self.names.len() {
            if self.names[name].freedom != Freedom::Settled {
                self.names[name].elsewhere = self.elsewhere(self.names[name].place);
                self.must_stand_for_something(name);
            }
        }
    }

    /// Assumptions under which every element has an individual. Each name comes by itself, so that a contradiction tells which
    /// names it needs.
    pub fn closed(&self) -> Vec<Lit> {
        let open = self.names.iter().filter(|name| name.freedom == Freedom::Open);
        open.map(|name| !name.elsewhere).chain([!self.unnamed, !self.open]).collect()
    }

    /// Whether the contradiction just found needs [`Ground::closed`], and the names of it that it needs.
    pub fn blamed(&self) -> (bool, Vec<usize>) {
        let names = self.names.iter().enumerate().filter(|(_, name)| name.freedom == Freedom::Open);
        let blamed: Vec<usize> = names.filter(|(_, n)| self.sat.blames(n.elsewhere)).map(|(i, _)| i).collect();
        let any = !blamed.is_empty() || self.sat.blames(self.open) || self.sat.blames(self.unnamed);
        (any, blamed)
    }

    /// The names that, in the assignment just found, stand for no individual although they must stand for something: those
    /// of outermost quantifiers first, then the oldest.
    pub fn wanting(&self) -> Vec<usize> {
        let must = |name: &Name| !name.prefix.iter().any(|l| self.sat.value(*l));
        let stands = |name: &Name| name.domain.iter().any(|(_, l)| self.sat.value(*l));
        let names = self.names.iter().enumerate();
        let mut wanting: Vec<(Place, usize)> = names
            .filter(|(_, n)| n.freedom == Freedom::Open && must(n) && !stands(n))
            .map(|(i, n)| (n.place, i))
            .collect();
        wanting.sort_unstable();
        wanting.into_iter().map(|(_, name)| name).collect()
    }

    /// Where the quantifier of a name stands.
    pub fn place(&self, name: usize) -> Place {
        self.names[name].place
    }

    /// Outermost names that, in the assignment just found, stand for individuals made for names below universal quantifiers, and
    /// have none of their own: so many at most.
    pub fn strayed(&self, most: usize) -> Vec<usize> {
        let astray = |name: &Name| name.domain.iter().any(|(i, l)| !self.is_own(*i) && self.sat.value(*l));
        self.open_names(usize::MAX).into_iter().filter(|name| astray(&self.names[*name])).take(most).collect()
    }

    /// Outermost names that have no individual of their own, so many at most.
    pub fn open_names(&self, most: usize) -> Vec<usize> {
        let open = |name: &Name| name.freedom == Freedom::Open && name.place == Place::Outermost;
        (0..self.names.len()).filter(|name| open(&self.names[*name])).take(most).collect()
    }

    /// Whether an individual was made for an outermost name: if it is there, it is named.
    pub fn is_own(&self, individual: usize) -> bool {
        self.own.contains(&individual)
    }

    /// That outermost names stand for the individual.
    pub fn denotes(&self, individual: usize) -> Vec<Lit> {
        let outermost = self.names.iter().filter(|name| name.place == Place::Outermost);
        outermost.flat_map(|name| name.domain.iter().filter(|(i, _)| *i == individual).map(|(_, l)| *l)).collect()
    }

    /// Outermost names with edges that denote elements in every structure and have no individual of their own, so many at
    /// most.
    pub fn open_ends(&self, most: usize) -> Vec<usize> {
        let open = self.open_names(usize::MAX).into_iter();
        open.filter(|name| self.names[*name].has_edge && self.names[*name].prefix.is_empty()).take(most).collect()
    }

    /// For each name that denotes an element in every structure: that the individual 0, or 1, is that element.
    pub fn denotations(&mut self) -> Vec<[Lit; 2]> {
        let mut denotations = Vec::new();
        for name in self
            .names
            .iter()
            .filter(|name| name.freedom == Freedom::Settled && name.prefix.is_empty() && name.place == Place::Outermost)
        {
            for (i, (_, first)) in name.domain.iter().enumerate() {
                for (_, second) in &name.domain[..i] {
                    self.sat.add(&[!*first, !*second]);
                }
            }
            denotations.push([name.domain[0].1, name.domain[1].1]);
        }
        denotations
    }

    /// Settles the names that depend on the individual 0 alone.
    pub fn give_first_individuals(&mut self) {
        let guards: Vec<Lit> = self.active.iter().skip(1).map(|active| !*active).collect();
        let first = !self.active[0];
        let about_first = |name: &Name| name.prefix.contains(&first) && !name.prefix.iter().any(|l| guards.contains(l));
        let names = self.names.iter().enumerate();
        let chosen: Vec<usize> =
            names.filter(|(_, n)| n.freedom == Freedom::Open && about_first(n)).map(|(i, _)| i).collect();
        self.give_individuals(&chosen);
    }

    /// Gives each of these names an individual of its own.
    pub fn give_individuals(&mut self, names: &[usize]) {
        for name in names {
            self.add_individual();
            if self.names[*name].place == Place::Outermost {
                self.own.insert(self.individuals() - 1);
            }
            self.names[*name].freedom = Freedom::Settled;
            self.must_stand_for_something(*name);
        }
        self.begin_generation();
    }
}

/// Whether `body` asks for an edge from or to what the slot stands for.
fn has_edge(body: &Part, slot: BoundVariable) -> bool {
    match &body.kind {
        Kind::Literal(Sign::Positive, Atom::Binary(_, a, b)) => *a == slot || *b == slot,
        Kind::And(parts) => parts.iter().any(|part| has_edge(part, slot)),
        _ => false,
    }
}

fn slots_of(mut free: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let slot = (free != 0).then(|| free.trailing_zeros() as usize);
        free &= free.wrapping_sub(1);
        slot
    })
}

fn named(free: u64, env: &[Term]) -> impl Iterator<Item = (BoundVariable, Binder)> {
    slots_of(free).filter_map(|slot| match env[slot] {
        Term::Name(name) => Some((slot as BoundVariable, Binder::Name(name))),
        Term::Individual(_) | Term::Unbound => None,
    })
}
