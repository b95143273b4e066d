//! Claims of contracts as formulas over the predicates of a program.
//!
//! A term is two formulas: where it points, and whether it is null; where neither holds it is undefined and equals
//! nothing. What a claim says of the start of the call becomes a predicate of its own, set when the call starts.

use super::super::predicates::{Predicates, SlotPredicates};
use super::super::roles::Role;
use super::super::slots::{Slot, Slots};
use super::olds::{may_hold_of_unborn, with_few_olds};
use super::terms::{timeless, two_way_terms, unchanged_link};
use heapwise_cells::atom::Atom;
use heapwise_cells::contract::{CellClaim, CellContract, CellTerm};
use heapwise_cells::program::KindId;
use heapwise_ir::claim::{Clause, Quantifier};
use heapwise_ir::{ShapeClause, ShapeDefinition, ShapeKind};
use heapwise_logic::{Formula, Kleene, Predicate, Steps, Variable};
use indexmap::IndexMap;

/// What names mean.
#[derive(Clone, Debug)]
pub struct Names {
    /// The slot of each parameter that is a pointer to cells.
    pub parameters: Vec<Option<Slot>>,
    /// The slot of the result.
    pub result: Option<Slot>,
    /// The cells that existed when the call started.
    pub existed: Predicate,
    /// The cells that were freed since.
    pub freed: Predicate,
    /// Cells that had been freed before: no claim speaks of them.
    pub gone: Option<Predicate>,
    /// Per kind and link, the cells whose link is what it was.
    pub kept: Vec<((KindId, usize), Predicate)>,
    /// The slots that remember where links led when the call started.
    pub old_links: Vec<(CellTerm, Slot)>,
}

impl Names {
    /// The slot with what a term meant when the call started.
    pub fn slot_then(&self, slots: &Slots, term: &CellTerm) -> Option<Slot> {
        match term {
            CellTerm::Parameter(position) => self.parameters.get(*position).copied().flatten(),
            CellTerm::Global(var) => Some(slots.of(*var)),
            CellTerm::Link(..) => self.old_links.iter().find(|(known, _)| known == term).map(|(_, slot)| *slot),
            CellTerm::Null | CellTerm::Result | CellTerm::Bound(_) | CellTerm::Old(_) => None,
        }
    }
}

/// What was meant when the call started: a predicate, its parameters and its value then.
#[derive(Clone, Debug)]
pub struct Old {
    /// Holds the value.
    pub predicate: Predicate,
    /// The cells it speaks of.
    pub params: Vec<Variable>,
    /// The value, in terms of the start.
    pub formula: Formula,
}

/// Translates the claims of one contract.
pub struct Translator<'a> {
    predicates: &'a Predicates,
    slots: &'a Slots,
    names: &'a Names,
    /// Gives out predicates for old values, by their number of parameters.
    allocate: &'a mut dyn FnMut(usize) -> Option<Predicate>,
    olds: IndexMap<(Formula, Vec<Variable>), Predicate>,
    /// How many `old` enclose what is translated.
    n_old: usize,
    /// What is translated.
    clause: Clause,
    /// The pointers that are doubly linked when the call starts, and when it returns: claims say so.
    two_ways: [Vec<(CellTerm, KindId, Vec<usize>)>; 2],
    fresh: usize,
}

const HALF: Formula = Formula::Literal(Kleene::Unknown);

impl<'a> Translator<'a> {
    /// For claims in which names mean this.
    pub fn new(
        predicates: &'a Predicates,
        slots: &'a Slots,
        names: &'a Names,
        contract: &CellContract,
        allocate: &'a mut dyn FnMut(usize) -> Option<Predicate>,
    ) -> Translator<'a> {
        let two_ways = [two_way_terms(&contract.requires), two_way_terms(&contract.ensures)];
        let (olds, clause) = (IndexMap::new(), Clause::Requires);
        Translator { predicates, slots, names, allocate, olds, n_old: 0, clause, two_ways, fresh: 0 }
    }

    /// The formula of a claim of a clause.
    pub fn clause(&mut self, clause: Clause, claim: &CellClaim) -> Formula {
        self.clause = clause;
        self.claim(&with_few_olds(claim))
    }

    /// The old values that claims so far ask for.
    pub fn finish(self) -> Vec<Old> {
        let olds = self.olds.into_iter();
        olds.map(|((formula, params), predicate)| Old { predicate, params, formula }).collect()
    }

    fn variable(&mut self) -> Variable {
        self.fresh += 1;
        Variable::new(&format!("w{}", self.fresh))
    }

    /// The formula of a claim.
    fn claim(&mut self, claim: &CellClaim) -> Formula {
        match claim {
            CellClaim::Constant(value) => Formula::Literal(Kleene::from(*value)),
            CellClaim::Equal(left, right) => self.equal(left, right),
            CellClaim::Shape { kind, arguments, cell, links } => self.shape(*kind, arguments, *cell, links),
            CellClaim::Fresh(term) => {
                let w = self.variable();
                let fresh = Formula::And(vec![
                    self.points(term, &w),
                    !unary(self.names.existed, &w),
                    !unary(self.names.freed, &w),
                ]);
                Formula::exists(vec![w], fresh)
            }
            CellClaim::Freed(term) => {
                let w = self.variable();
                let freed = Formula::and(self.points(term, &w), unary(self.names.freed, &w));
                let known = Formula::exists(vec![w], freed);
                Formula::or(known, Formula::and(self.dangles(term), HALF))
            }
            CellClaim::Not(claim) => !self.claim(claim),
            CellClaim::And(claims) => Formula::And(claims.iter().map(|claim| self.claim(claim)).collect()),
            CellClaim::Or(claims) => Formula::Or(claims.iter().map(|claim| self.claim(claim)).collect()),
            CellClaim::Iff(left, right) => Formula::iff(self.claim(left), self.claim(right)),
            CellClaim::Quantified { quantifier, variable, cell, body } => {
                let v = bound(*variable);
                let mut range = Vec::new();
                range.extend(self.predicates.kinds[*cell].map(|kind| unary(kind, &v)));
                range.extend(self.names.gone.map(|gone| !unary(gone, &v)));
                let body = self.claim(body);
                match quantifier {
                    Quantifier::ForAll => Formula::forall(vec![v], Formula::implies(Formula::And(range), body)),
                    Quantifier::Exists => {
                        range.push(body);
                        Formula::exists(vec![v], Formula::And(range))
                    }
                }
            }
            CellClaim::Old(claim) => {
                self.n_old += 1;
                let formula = self.claim(claim);
                self.n_old -= 1;
                let params: Vec<Variable> = formula.free_variables().into_iter().collect();
                let old = self.old(formula);
                if !may_hold_of_unborn(claim) {
                    return old;
                }
                let existed = Formula::And(params.iter().map(|v| unary(self.names.existed, v)).collect());
                Formula::or(Formula::and(existed.clone(), old), Formula::and(!existed, HALF))
            }
        }
    }

    /// What a formula meant when the call started.
    fn old(&mut self, formula: Formula) -> Formula {
        let params: Vec<Variable> = formula.free_variables().into_iter().collect();
        if matches!(formula, Formula::Literal(_)) {
            return formula;
        }
        // The result was not known then.
        if let Some(result) = self.names.result {
            let SlotPredicates { points, reach, shared_without, atoms } = &self.predicates.slots[result];
            let mentioned = formula.predicates();
            let own = points.iter().chain(reach).chain(shared_without).chain(atoms.values());
            if own.into_iter().any(|predicate| mentioned.contains(predicate)) {
                return HALF;
            }
        }
        let key = (formula, params.clone());
        let predicate = match self.olds.get(&key) {
            Some(known) => Some(*known),
            None => {
                let new = (self.allocate)(params.len());
                if let Some(new) = new {
                    self.olds.insert(key, new);
                }
                new
            }
        };
        // Relations between three cells are not remembered.
        predicate.map_or(HALF, |predicate| Formula::Atom(predicate, params))
    }

    /// The slot that remembers where a link led when the call started, if it is asked about that time.
    fn remembered(&self, term: &CellTerm) -> Option<Slot> {
        match term {
            CellTerm::Old(term) if matches!(**term, CellTerm::Link(..)) => {
                self.names.slot_then(self.slots, &timeless(term))
            }
            CellTerm::Link(..) if self.n_old > 0 => self.names.slot_then(self.slots, &timeless(term)),
            _ => None,
        }
    }

    fn slot(&self, term: &CellTerm) -> Option<Option<Slot>> {
        match term {
            CellTerm::Parameter(position) => Some(self.names.parameters.get(*position).copied().flatten()),
            CellTerm::Result => Some(self.names.result),
            CellTerm::Global(var) => Some(Some(self.slots.of(*var))),
            CellTerm::Null | CellTerm::Bound(_) | CellTerm::Link(..) | CellTerm::Old(_) => None,
        }
    }

    /// Whether a slot holds one of the atoms that `chosen` says.
    fn holds(&self, slot: Slot, chosen: impl Fn(Atom) -> bool) -> Formula {
        let atoms = self.predicates.slots[slot].atoms.iter().filter(|(atom, _)| chosen(**atom));
        Formula::Or(atoms.map(|(_, predicate)| Formula::atom(*predicate, &[])).collect())
    }

    /// The term points to `w`.
    fn points(&mut self, term: &CellTerm, w: &Variable) -> Formula {
        if let Some(points) = self.remembered(term).and_then(|slot| self.predicates.slots[slot].points) {
            return unary(points, w);
        }
        match self.slot(term) {
            Some(None) => return HALF,
            Some(Some(slot)) => {
                let Some(points) = self.predicates.slots[slot].points else {
                    return Formula::and(self.holds(slot, |atom| atom == Atom::Opaque), HALF);
                };
                let indefinite = Formula::and(self.holds(slot, |atom| atom == Atom::Opaque), HALF);
                return Formula::or(unary(points, w), indefinite);
            }
            None => {}
        }
        match term {
            CellTerm::Bound(variable) => Formula::equal(&bound(*variable), w),
            CellTerm::Link(base, kind, link) => {
                let u = self.variable();
                let edge = self.predicates.links[*kind][*link].edge;
                let leads = Formula::atom(edge, &[u.clone(), w.clone()]);
                let base = self.points(base, &u);
                Formula::exists(vec![u], Formula::and(base, leads))
            }
            CellTerm::Old(term) => {
                // A parameter means the same now and then.
                if matches!(**term, CellTerm::Parameter(_) | CellTerm::Bound(_)) {
                    return self.points(term, w);
                }
                self.n_old += 1;
                let formula = self.points(term, w);
                self.n_old -= 1;
                self.old(formula)
            }
            CellTerm::Null | CellTerm::Parameter(_) | CellTerm::Result | CellTerm::Global(_) => Formula::FALSE,
        }
    }

    /// The term is null.
    fn null(&mut self, term: &CellTerm) -> Formula {
        match self.slot(term) {
            Some(None) => return HALF,
            Some(Some(slot)) => {
                let nowhere = match self.predicates.slots[slot].points {
                    Some(points) => {
                        let w = self.variable();
                        !Formula::exists(vec![w.clone()], unary(points, &w))
                    }
                    None => Formula::TRUE,
                };
                let other = self.holds(slot, |atom| atom != Atom::Opaque);
                let indefinite = Formula::and(self.holds(slot, |atom| atom == Atom::Opaque), HALF);
                return Formula::And(vec![nowhere, !other, !indefinite]);
            }
            None => {}
        }
        match term {
            CellTerm::Null => Formula::TRUE,
            CellTerm::Link(base, kind, link) => {
                let (u, w) = (self.variable(), self.variable());
                let predicates = &self.predicates.links[*kind][*link];
                let leads = Formula::exists(vec![w.clone()], Formula::atom(predicates.edge, &[u.clone(), w]));
                let mut parts = vec![self.points(base, &u), !unary(self.names.freed, &u), !leads];
                for (atom, predicate) in &predicates.atoms {
                    let holds = unary(*predicate, &u);
                    parts.push(!if *atom == Atom::Opaque { Formula::and(holds, HALF) } else { holds });
                }
                Formula::exists(vec![u], Formula::And(parts))
            }
            CellTerm::Old(term) => {
                if matches!(**term, CellTerm::Parameter(_) | CellTerm::Bound(_)) {
                    return self.null(term);
                }
                self.n_old += 1;
                let formula = self.null(term);
                self.n_old -= 1;
                self.old(formula)
            }
            CellTerm::Bound(_) | CellTerm::Parameter(_) | CellTerm::Result | CellTerm::Global(_) => Formula::FALSE,
        }
    }

    /// The term is a pointer that dangles, or one to no cell at all: such values may be equal.
    fn dangles(&mut self, term: &CellTerm) -> Formula {
        match self.slot(term) {
            Some(None) => return HALF,
            Some(Some(slot)) => return self.holds(slot, |_| true),
            None => {}
        }
        match term {
            CellTerm::Null | CellTerm::Bound(_) => Formula::FALSE,
            CellTerm::Parameter(_) | CellTerm::Result | CellTerm::Global(_) => HALF,
            CellTerm::Link(base, kind, link) => {
                let u = self.variable();
                let atoms = self.predicates.links[*kind][*link].atoms.values();
                let any = Formula::Or(atoms.map(|predicate| unary(*predicate, &u)).collect());
                let base = self.points(base, &u);
                Formula::exists(vec![u], Formula::and(base, any))
            }
            CellTerm::Old(term) => {
                self.n_old += 1;
                let formula = self.dangles(term);
                self.n_old -= 1;
                self.old(formula)
            }
        }
    }

    fn equal(&mut self, left: &CellTerm, right: &CellTerm) -> Formula {
        if let Some((variable, kind, link)) = unchanged_link(left, right).filter(|_| self.n_old == 0)
            && let Some((_, kept)) = self.names.kept.iter().find(|(known, _)| *known == (kind, link))
        {
            let v = bound(variable);
            let there = Formula::and(unary(self.names.existed, &v), !unary(self.names.freed, &v));
            return Formula::and(there, unary(*kept, &v));
        }
        let (left, right) = if *left == CellTerm::Null { (right, left) } else { (left, right) };
        let left_null = self.null(left);
        if *right == CellTerm::Null {
            return left_null;
        }
        let both_null = Formula::and(left_null, self.null(right));
        let same = match (left, right) {
            (CellTerm::Bound(a), CellTerm::Bound(b)) => Formula::equal(&bound(*a), &bound(*b)),
            (CellTerm::Bound(a), other) | (other, CellTerm::Bound(a)) => self.points(other, &bound(*a)),
            _ => {
                let w = self.variable();
                let both = Formula::and(self.points(left, &w), self.points(right, &w));
                Formula::exists(vec![w], both)
            }
        };
        let (left_dangles, right_dangles) = (self.wild(left), self.wild(right));
        Formula::Or(vec![both_null, same, Formula::And(vec![left_dangles, right_dangles, HALF])])
    }

    /// Dangling now, or a cell that was freed in between.
    fn wild(&mut self, term: &CellTerm) -> Formula {
        if let CellTerm::Bound(variable) = term {
            return unary(self.names.freed, &bound(*variable));
        }
        let w = self.variable();
        let freed = Formula::and(self.points(term, &w), unary(self.names.freed, &w));
        Formula::or(self.dangles(term), Formula::exists(vec![w], freed))
    }

    /// The term is null or points to a cell that is there.
    fn valid(&mut self, term: &CellTerm) -> Formula {
        let w = self.variable();
        let there = Formula::and(self.points(term, &w), !unary(self.names.freed, &w));
        Formula::or(self.null(term), Formula::exists(vec![w], there))
    }

    /// Whether links are all links of the spine, and cells of other kinds never come in between.
    fn is_spine(&self, kind: KindId, links: &[usize]) -> bool {
        let own = &self.predicates.links[kind];
        let all = own.iter().filter(|link| link.role == Role::Spine).count();
        links.iter().all(|link| own[*link].role == Role::Spine)
            && all == links.len()
            && self.predicates.links.iter().all(|(other, links)| other == kind || links.is_empty())
    }

    /// The index among the stored ways of what is reached along these links.
    fn way(&self, kind: KindId, links: &[usize]) -> Option<usize> {
        if self.is_spine(kind, links) {
            return Some(0);
        }
        let [link] = links else { return None };
        self.predicates.backs.iter().find(|back| back.link == (kind, *link)).and_then(|back| back.reach)
    }

    fn path(&mut self, kind: KindId, links: &[usize], steps: Steps, from: &Variable, to: &Variable) -> Formula {
        if self.is_spine(kind, links) {
            return Formula::path(self.predicates.spine, steps, from, to);
        }
        let (left, right) = (self.variable(), self.variable());
        let edges = links.iter().map(|link| self.predicates.links[kind][*link].edge);
        let step = Formula::Or(edges.map(|edge| Formula::atom(edge, &[left.clone(), right.clone()])).collect());
        Formula::Closure { steps, from: from.clone(), to: to.clone(), left, right, step: Box::new(step) }
    }

    /// Whether claims say of a pointer that it is doubly linked along these links, at the time that is spoken of. If that
    /// is not so they are broken, whatever else they say.
    fn goes_two_ways(&self, term: &CellTerm, kind: KindId, links: &[usize]) -> bool {
        let term = match term {
            CellTerm::Old(inner) if matches!(**inner, CellTerm::Parameter(_)) => inner,
            other => other,
        };
        let [then, now] = &self.two_ways;
        let known = if self.n_old > 0 || self.clause == Clause::Requires { then } else { now };
        links.len() == 2
            && known.iter().any(|(known, of, along)| {
                known == term && *of == kind && along.len() == 2 && links.iter().all(|link| along.contains(link))
            })
    }

    /// `w` is reached from the term.
    fn reached(&mut self, term: &CellTerm, kind: KindId, links: &[usize], w: &Variable) -> Formula {
        if let ([next, prev], true) = (links, self.goes_two_ways(term, kind, links)) {
            // Where both ways are inverse, no mixed way leads further than going on or going back does.
            return Formula::or(self.reached(term, kind, &[*next], w), self.reached(term, kind, &[*prev], w));
        }
        let slot = self.slot(term).flatten().or_else(|| self.remembered(term).filter(|_| self.n_old > 0));
        let stored = match slot {
            Some(slot) => self.way(kind, links).and_then(|way| self.predicates.slots[slot].reach.get(way)).copied(),
            _ => None,
        };
        let there = !unary(self.names.freed, w);
        if let Some(stored) = stored {
            return Formula::and(unary(stored, w), there);
        }
        let u = self.variable();
        let path = self.path(kind, links, Steps::ZeroOrMore, &u, w);
        let mut ways = vec![Formula::exists(vec![u.clone()], Formula::and(self.points(term, &u), path))];
        // What is reached along some of the links is reached, and may be known where the whole way is not.
        for link in slot.iter().flat_map(|_| links) {
            let way = self.way(kind, &[*link]).filter(|_| links.len() > 1);
            let stored = way.zip(slot).and_then(|(way, slot)| self.predicates.slots[slot].reach.get(way));
            ways.extend(stored.map(|stored| unary(*stored, w)));
        }
        Formula::and(Formula::Or(ways), there)
    }

    fn on_cycle(&mut self, kind: KindId, links: &[usize], w: &Variable) -> Formula {
        if self.is_spine(kind, links) {
            return unary(self.predicates.cyclic, w);
        }
        self.path(kind, links, Steps::OneOrMore, w, w)
    }

    fn shape(&mut self, shape: ShapeKind, arguments: &[CellTerm], kind: KindId, links: &[usize]) -> Formula {
        let [first, rest @ ..] = arguments else { return HALF };
        let Some(ShapeDefinition { along, clauses }) = shape.definition(links) else { return HALF };
        let mut inverses: Vec<(usize, usize)> = Vec::new();
        let mut parts: Vec<Formula> = Vec::new();
        for clause in &clauses {
            match clause {
                ShapeClause::Acyclic => parts.push(self.acyclic(first, kind, along)),
                ShapeClause::Cyclic => parts.push(self.cyclic(first, kind, along)),
                ShapeClause::Reaches => parts.push(self.reaches(first, rest, kind, along)),
                ShapeClause::Disjoint => parts.push(self.disjoint(first, rest, kind, along)),
                ShapeClause::EnteredOnce => parts.push(self.tree(first, kind, along)),
                ShapeClause::Inverse { there, back } => inverses.push((*there, *back)),
            }
        }
        if !inverses.is_empty() {
            parts.extend(self.inverses(first, kind, along, &inverses));
        }
        match parts.len() {
            1 => parts.remove(0),
            _ => Formula::And(parts),
        }
    }

    fn cyclic(&mut self, term: &CellTerm, kind: KindId, links: &[usize]) -> Formula {
        let w = self.variable();
        let there = vec![self.points(term, &w), !unary(self.names.freed, &w), self.on_cycle(kind, links, &w)];
        Formula::exists(vec![w], Formula::And(there))
    }

    fn reaches(&mut self, first: &CellTerm, rest: &[CellTerm], kind: KindId, links: &[usize]) -> Formula {
        let [second, ..] = rest else { return HALF };
        let to_cell = match second {
            CellTerm::Bound(variable) => self.reached(first, kind, links, &bound(*variable)),
            _ => {
                let w = self.variable();
                let both = Formula::and(self.points(second, &w), self.reached(first, kind, links, &w));
                Formula::exists(vec![w], both)
            }
        };
        match self.null(second) {
            Formula::Literal(Kleene::False) => to_cell,
            null => Formula::or(to_cell, Formula::and(null, self.acyclic(first, kind, links))),
        }
    }

    fn disjoint(&mut self, first: &CellTerm, rest: &[CellTerm], kind: KindId, links: &[usize]) -> Formula {
        let [second, ..] = rest else { return HALF };
        let w = self.variable();
        let both = Formula::and(self.reached(first, kind, links, &w), self.reached(second, kind, links, &w));
        Formula::And(vec![self.valid(first), self.valid(second), !Formula::exists(vec![w], both)])
    }

    /// Links that are inverse on all that is reached.
    fn inverses(
        &mut self,
        term: &CellTerm,
        kind: KindId,
        along: &[usize],
        inverses: &[(usize, usize)],
    ) -> Vec<Formula> {
        let w = self.variable();
        let is_followed = |link: usize| along.contains(&link);
        let both_ways = inverses.iter().all(|(there, back)| is_followed(*there) && is_followed(*back));
        let reached = if both_ways {
            // Where both ways are inverse, no mixed way leads further than going on or going back does.
            Formula::Or(along.iter().map(|link| self.reached(term, kind, &[*link], &w)).collect())
        } else {
            self.reached(term, kind, along, &w)
        };
        let all_back = inverses.iter().map(|(there, back)| self.inverse(kind, *there, *back, &w)).collect();
        let all_back = Formula::And(all_back);
        let all = Formula::forall(vec![w], Formula::implies(reached, all_back));
        if both_ways { vec![self.valid(term), all] } else { vec![all] }
    }

    fn acyclic(&mut self, term: &CellTerm, kind: KindId, links: &[usize]) -> Formula {
        let w = self.variable();
        let reached = self.reached(term, kind, links, &w);
        let cyclic = self.on_cycle(kind, links, &w);
        Formula::and(self.valid(term), Formula::forall(vec![w], Formula::implies(reached, !cyclic)))
    }

    fn tree(&mut self, term: &CellTerm, kind: KindId, links: &[usize]) -> Formula {
        let (w, a, b) = (self.variable(), self.variable(), self.variable());
        let reached = self.reached(term, kind, links, &w);
        let enters = |links: &[usize], from: &Variable, predicates: &Predicates| {
            let edges = links.iter().map(|link| predicates.links[kind][*link].edge);
            Formula::Or(edges.map(|edge| Formula::atom(edge, &[from.clone(), w.clone()])).collect())
        };
        let from_two = Formula::And(vec![
            !Formula::equal(&a, &b),
            self.reached(term, kind, links, &a),
            self.reached(term, kind, links, &b),
            enters(links, &a, self.predicates),
            enters(links, &b, self.predicates),
        ]);
        let mut from_two = Formula::exists(vec![a.clone(), b], from_two);
        let mut twice = Vec::new();
        for (i, f) in links.iter().enumerate() {
            for g in &links[i + 1..] {
                twice.push(Formula::And(vec![
                    self.reached(term, kind, links, &a),
                    enters(&[*f], &a, self.predicates),
                    enters(&[*g], &a, self.predicates),
                ]));
            }
        }
        let mut twice = Formula::exists(vec![a.clone()], Formula::Or(twice));
        if self.is_spine(kind, links) {
            // Where all that leads to a cell is reached, what is known of the cell says it.
            let leads = enters(links, &a, self.predicates);
            let all_reached =
                Formula::forall(vec![a.clone()], Formula::implies(leads, self.reached(term, kind, links, &a)));
            let known = |predicate: Predicate, shown: Formula| {
                Formula::and(unary(predicate, &w), Formula::or(all_reached.clone(), shown))
            };
            from_two = known(self.predicates.shared, from_two);
            if let Some(twin) = self.predicates.twin {
                twice = known(twin, twice);
            }
        }
        let tangled = Formula::or(from_two, twice);
        let entered_once = Formula::forall(vec![w], Formula::implies(reached, !tangled));
        Formula::and(self.acyclic(term, kind, links), entered_once)
    }

    /// Going `there` and then `back` comes back to `w`.
    fn inverse(&mut self, kind: KindId, there: usize, back: usize, w: &Variable) -> Formula {
        let stored = self.predicates.backs.iter().find_map(|known| {
            if known.link == (kind, back) {
                known.forth.iter().find(|(forth, _)| *forth == there).map(|(_, predicate)| *predicate)
            } else {
                (known.link == (kind, there) && self.is_spine(kind, &[back])).then_some(known.back)
            }
        });
        if let Some(stored) = stored {
            return unary(stored, w);
        }
        let z = self.variable();
        let links = &self.predicates.links[kind];
        let leads = Formula::atom(links[there].edge, &[w.clone(), z.clone()]);
        let returns = Formula::atom(links[back].edge, &[z.clone(), w.clone()]);
        Formula::forall(vec![z], Formula::implies(leads, returns))
    }
}

fn unary(predicate: Predicate, v: &Variable) -> Formula {
    Formula::atom(predicate, std::slice::from_ref(v))
}

fn bound(variable: u32) -> Variable {
    Variable::new(&format!("b{variable}"))
}
