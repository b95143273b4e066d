//! Reachability, cycles and closures along a field after edges of the field were cut or added.
//!
//! Cutting: where the old path to v runs through a cut edge, v is cut off (if the path was the only one: the field, or
//! its inverse, is a function and v lies on no cycle) or the closure is evaluated again; elsewhere the old value stays.
//! Where edges are cut because individuals go, a path is cut only if it leaves one of them: it is asked about no other edge.
//! Adding edges that all leave, or all enter, one individual: a new path is an old one, or goes to such an edge and on.

use crate::difference::{Change, Difference, Touched};
use crate::fold::expand_closures;
use crate::rules::{closure_of, field_of, path_from};
use crate::vocabulary::{Definition, Property};
use heapwise_logic::simplify::simplify;
use heapwise_logic::{Formula, Predicate, Steps, Variable};

/// The values after the action that follow from `definition` being about paths.
pub(crate) fn alternatives(difference: &Difference<'_>, definition: &Definition) -> Vec<Formula> {
    let formula = simplify(&expand_closures(difference.vocabulary, &definition.formula));
    let params = definition.params.as_slice();
    if let ([v], Some((f, start))) = (params, path_from(&formula, params)) {
        let Some(field) = Field::new(difference, f) else { return Vec::new() };
        let Some(start_after) = difference.inline(&start.formula) else { return Vec::new() };
        let start = Definition { params: start.params, formula: simplify(&start_after) };
        return field.reach(&start, v).map(|f| field.fold(&f)).into_iter().collect();
    }
    if let ([v], Some(f)) = (params, cycle_of(&formula, params)) {
        let Some(field) = Field::new(difference, f) else { return Vec::new() };
        return field.cycle(v).map(|f| field.fold(&f)).into_iter().collect();
    }
    if let ([u, v], Some((f, steps))) = (params, closure_of(&formula, params)) {
        let Some(field) = Field::new(difference, f) else { return Vec::new() };
        return field.closure(steps, u, v).map(|f| field.fold(&f)).into_iter().collect();
    }
    Vec::new()
}

/// When values of `p`, which is defined by `formula`, may change.
///
/// What a start reaches changes only if the start does, or if an edge comes or goes that leaves an individual which was reached: the
/// first such edge of a path that is new, and any such edge of one that is gone, is of that kind. A cycle goes with an
/// edge that leaves one of its individuals, and comes with an edge whose end leads to its start.
pub(crate) fn touched(difference: &Difference<'_>, p: Predicate, params: &[Variable], formula: &Formula) -> Touched {
    let expanded = simplify(&expand_closures(difference.vocabulary, formula));
    if let ([_], Some((f, start))) = (params, path_from(&expanded, params)) {
        if has_closure(&start.formula) {
            return Touched::Unknown;
        }
        let moved = difference.differs(&start.formula).map(|delta| Formula::exists(start.params.clone(), delta));
        let reached = Formula::atom(p, &[a()]);
        let edges = Field::new(difference, f).into_iter().flat_map(|field| field.changed_edges());
        let edges = edges.map(|edge| Formula::exists(vec![a(), b()], Formula::and(reached.clone(), edge)));
        return Touched::If(moved.into_iter().chain(edges).collect());
    }
    if let ([_], Some(f)) = (params, cycle_of(&expanded, params)) {
        let Some(field) = Field::new(difference, f) else { return Touched::If(Vec::new()) };
        let [added, removed] = field.changed_edges();
        let broken = Formula::and(Formula::atom(p, &[a()]), removed);
        let closed = match field.added() {
            Err(()) => return Touched::Unknown,
            Ok(None) => Formula::FALSE,
            // All new edges leave, or all enter, one individual: a cycle needs one of them only.
            Ok(Some(_)) => Formula::and(added, field.path(Steps::ZeroOrMore, &b(), &a())),
        };
        let both = [broken, closed].map(|f| field.fold(&Formula::exists(vec![a(), b()], f)));
        return Touched::If(both.to_vec());
    }
    if let Some((f, _)) = closure_of(&expanded, params) {
        let edges = Field::new(difference, f).into_iter().flat_map(|field| field.changed_edges());
        return Touched::If(edges.map(|edge| Formula::exists(vec![a(), b()], edge)).collect());
    }
    if has_closure(&expanded) { Touched::Unknown } else { Touched::ByDifference }
}

fn has_closure(formula: &Formula) -> bool {
    let mut found = false;
    formula.visit(&mut |f| found |= matches!(f, Formula::Closure { .. }));
    found
}

fn cycle_of(formula: &Formula, params: &[Variable]) -> Option<Predicate> {
    match (formula, params) {
        (Formula::Closure { steps: Steps::OneOrMore, from, to, .. }, [v]) if from == v && to == v => field_of(formula),
        _ => None,
    }
}

/// A field that changes.
struct Field<'a> {
    difference: &'a Difference<'a>,
    f: Predicate,
    change: &'a Change,
}

/// Added edges from X to Y.
struct Added {
    from: Formula,
    to: Formula,
    from_is_unique: bool,
    to_is_unique: bool,
}

fn a() -> Variable {
    Variable::new("$a")
}

fn b() -> Variable {
    Variable::new("$b")
}

impl<'a> Field<'a> {
    fn new(difference: &'a Difference<'a>, f: Predicate) -> Option<Field<'a>> {
        let change = difference.changes.get(&f)?;
        Some(Field { difference, f, change })
    }

    fn fold(&self, formula: &Formula) -> Formula {
        self.difference.folder.fold(formula)
    }

    fn has(&self, property: Property) -> bool {
        self.difference.vocabulary.declaration(self.f).has(property)
    }

    fn edge(&self, x: &Variable, y: &Variable) -> Formula {
        Formula::atom(self.f, &[x.clone(), y.clone()])
    }

    fn path(&self, steps: Steps, x: &Variable, y: &Variable) -> Formula {
        Formula::path(self.f, steps, x, y)
    }

    fn removed(&self, x: &Variable, y: &Variable) -> Formula {
        self.change.removed.instantiate(&self.change.params, &[x.clone(), y.clone()])
    }

    fn nothing_is_removed(&self) -> bool {
        self.change.removed == Formula::FALSE
    }

    /// An edge of a path that does not stay. If edges go with individuals and both ends of the path stay, the path has to leave an
    /// individual that goes.
    fn interrupted(&self, x: &Variable, y: &Variable) -> Formula {
        match self.difference.stays(self.f, x) {
            Some(stays) => !stays,
            None => self.removed(x, y),
        }
    }

    /// The edges that come, and those that go.
    fn changed_edges(&self) -> [Formula; 2] {
        let added = self.change.added.instantiate(&self.change.params, &[a(), b()]);
        let edge = self.edge(&a(), &b());
        [Formula::and(added.clone(), !edge.clone()), Formula::And(vec![edge, self.removed(&a(), &b()), !added])]
    }

    /// The edge stays: f(x, y) & !removed(x, y).
    fn cut_edge(&self, x: &Variable, y: &Variable) -> Formula {
        Formula::and(self.edge(x, y), !self.removed(x, y))
    }

    /// The closure over the edges that stay, evaluated anew.
    fn cut_path(&self, steps: Steps, from: &Variable, to: &Variable) -> Formula {
        let (left, right) = (Variable::new("$l"), Variable::new("$r"));
        let step = Box::new(self.cut_edge(&left, &right));
        Formula::Closure { steps, from: from.clone(), to: to.clone(), left, right, step }
    }

    /// A predicate on one individual that no two individuals have, by a unique predicate in it.
    fn is_unique(&self, formula: &Formula, v: &Variable) -> bool {
        let unique = |f: &Formula| match f {
            Formula::Atom(p, args) => {
                !p.is_primed()
                    && *args == [v.clone()]
                    && self.difference.vocabulary.declaration(*p).has(Property::Unique)
            }
            _ => false,
        };
        match formula {
            Formula::And(parts) => parts.iter().any(unique),
            other => unique(other),
        }
    }

    /// The added edges, if they are given as a set of starts times a set of ends of which one is a single individual.
    /// `Err` if they are anything else; `Ok(None)` if there are none.
    fn added(&self) -> Result<Option<Added>, ()> {
        let added = self.change.added.instantiate(&self.change.params, &[a(), b()]);
        if added == Formula::FALSE {
            return Ok(None);
        }
        let parts = match added {
            Formula::And(parts) => parts,
            other => vec![other],
        };
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for part in parts {
            match (part.mentions(&a()), part.mentions(&b())) {
                (true, true) => return Err(()),
                (false, true) => to.push(part),
                (true, false) | (false, false) => from.push(part),
            }
        }
        let (from, to) = (simplify(&Formula::And(from)), simplify(&Formula::And(to)));
        let (from_is_unique, to_is_unique) = (self.is_unique(&from, &a()), self.is_unique(&to, &b()));
        if from_is_unique || to_is_unique {
            Ok(Some(Added { from, to, from_is_unique, to_is_unique }))
        } else {
            Err(())
        }
    }

    /// E(u) (start(u) & g*(u, v)) for the edges g that stay.
    fn cut_reach(&self, start: &Definition, v: &Variable) -> Formula {
        let at = |u: &Variable| start.formula.instantiate(&start.params, std::slice::from_ref(u));
        let u = Variable::new("$u");
        let from = |target: &Variable| {
            let path = Formula::and(at(&u), self.path(Steps::ZeroOrMore, &u, target));
            self.fold(&Formula::exists(vec![u.clone()], path))
        };
        let old = from(v);
        if self.nothing_is_removed() {
            return old;
        }
        let (a, b) = (Variable::new("$c"), Variable::new("$d"));
        let start_is_unique = self.is_unique(&start.formula, &start.params[0]);
        // A path needs no edge that leaves its end, and none that enters its start. Without the last condition it often
        // is a stored predicate, more definite than what it says anew: so both are asked.
        let through = vec![
            from(&a),
            !Formula::equal(&a, v),
            self.edge(&a, &b),
            self.interrupted(&a, &b),
            self.path(Steps::ZeroOrMore, &b, v),
        ];
        let ask = |parts: Vec<Formula>| self.fold(&Formula::exists(vec![a.clone(), b.clone()], Formula::And(parts)));
        let mut asked = vec![ask(through.clone())];
        // Nothing enters the start of a path along an acyclic field that the start has left.
        if start_is_unique && !self.has(Property::Acyclic) {
            asked.push(ask(through.into_iter().chain([!at(&b)]).collect()));
        }
        let through = Formula::And(asked);
        let again = Formula::exists(vec![u.clone()], Formula::and(at(&u), self.cut_path(Steps::ZeroOrMore, &u, v)));
        let rest = if start_is_unique {
            if self.has(Property::Function) {
                self.unless_cyclic(self.path(Steps::OneOrMore, v, v), again)
            } else {
                self.unless_tangled(v, again)
            }
        } else {
            again
        };
        let uncut = Formula::or(!through, rest);
        Formula::and(
            old,
            match self.difference.stays(self.f, v) {
                Some(stays) => Formula::or(at(v), Formula::and(stays, uncut)),
                None => uncut,
            },
        )
    }

    /// `again` if an individual from which v is reached is shared or cyclic; otherwise one path leads up from v, and it
    /// is cut: 0.
    fn unless_tangled(&self, v: &Variable, again: Formula) -> Formula {
        let (w, c, d) = (Variable::new("$w"), Variable::new("$c"), Variable::new("$d"));
        let mut tangled = Vec::new();
        if !self.has(Property::InverseFunction) {
            let shared = Formula::And(vec![!Formula::equal(&c, &d), self.edge(&c, &w), self.edge(&d, &w)]);
            tangled.push(self.fold(&Formula::exists(vec![c, d], shared)));
        }
        if !self.has(Property::Acyclic) {
            tangled.push(self.fold(&self.path(Steps::OneOrMore, &w, &w)));
        }
        let above = Formula::and(Formula::Or(tangled), self.path(Steps::ZeroOrMore, &w, v));
        Formula::and(self.fold(&Formula::exists(vec![w], above)), again)
    }

    /// `again` if the path may have come round a cycle; otherwise the only path is cut: 0.
    fn unless_cyclic(&self, cyclic: Formula, again: Formula) -> Formula {
        if self.has(Property::Acyclic) { Formula::FALSE } else { Formula::and(self.fold(&cyclic), again) }
    }

    fn reach(&self, start: &Definition, v: &Variable) -> Option<Formula> {
        let cut = self.cut_reach(start, v);
        let Some(added) = self.added().ok()? else { return Some(cut) };
        let target = Definition { params: vec![b()], formula: added.to.clone() };
        let arrives = Formula::exists(vec![a()], Formula::and(self.cut_reach(start, &a()), added.from));
        let goes_on = self.cut_reach(&target, v);
        Some(Formula::or(cut, Formula::and(self.fold(&arrives), goes_on)))
    }

    fn cycle(&self, v: &Variable) -> Option<Formula> {
        let cut = self.cut_cycle(v);
        let Some(added) = self.added().ok()? else { return Some(cut) };
        let target = Definition { params: vec![b()], formula: added.to.clone() };
        let round = Formula::And(vec![
            self.cut_path(Steps::ZeroOrMore, v, &a()),
            added.from.clone(),
            added.to.clone(),
            self.cut_path(Steps::ZeroOrMore, &b(), v),
        ]);
        let round = Formula::exists(vec![a(), b()], round);
        let closes = Formula::exists(vec![a()], Formula::and(added.from.clone(), self.cut_reach(&target, &a())));
        let short = Formula::and(self.cut_reach(&target, v), self.fold(&closes));
        let new = if self.has(Property::Function) && added.from_is_unique && added.to_is_unique {
            // From the end of the new edge one path leads on; if it comes to v and to the start of the new edge, and
            // does not go on from there, then v lies before that start.
            let w = Variable::new("$w");
            let goes_on = Formula::and(added.from.clone(), self.cut_edge(&a(), &w));
            let goes_on = Formula::exists(vec![a(), w], goes_on);
            Formula::and(short, Formula::or(!goes_on, round))
        } else {
            Formula::and(short, round)
        };
        Some(Formula::or(cut, new))
    }

    fn cut_cycle(&self, v: &Variable) -> Formula {
        let old = self.fold(&self.path(Steps::OneOrMore, v, v));
        if self.nothing_is_removed() {
            return old;
        }
        let (a, b) = (Variable::new("$c"), Variable::new("$d"));
        let cut = |more: Vec<Formula>| {
            let mut parts = vec![self.edge(&a, &b), self.removed(&a, &b), self.path(Steps::ZeroOrMore, &b, v)];
            parts.extend(more);
            Formula::exists(vec![a.clone(), b.clone()], Formula::And(parts))
        };
        let row_only = !self.removed(&a, &b).mentions(&b);
        if self.has(Property::Function) && row_only {
            // One path leaves each individual, so a cut edge of a cyclic one is the cycle's.
            let parts =
                vec![self.removed(&a, &b), self.path(Steps::OneOrMore, &a, &a), self.path(Steps::ZeroOrMore, &a, v)];
            let broken = Formula::exists(vec![a.clone()], Formula::And(parts));
            return Formula::and(old, !self.fold(&broken));
        }
        if self.has(Property::Function) {
            return Formula::and(old, !self.fold(&cut(vec![self.path(Steps::OneOrMore, &a, &a)])));
        }
        if self.has(Property::InverseFunction) {
            return Formula::and(old, !self.fold(&cut(vec![self.path(Steps::OneOrMore, &b, &b)])));
        }
        let through = cut(vec![self.path(Steps::ZeroOrMore, v, &a)]);
        Formula::and(old, Formula::or(!self.fold(&through), self.cut_path(Steps::OneOrMore, v, v)))
    }

    fn closure(&self, steps: Steps, u: &Variable, v: &Variable) -> Option<Formula> {
        let cut = self.cut_closure(steps, u, v);
        let Some(added) = self.added().ok()? else { return Some(cut) };
        let new = Formula::And(vec![
            self.cut_closure(Steps::ZeroOrMore, u, &a()),
            added.from,
            added.to,
            self.cut_closure(Steps::ZeroOrMore, &b(), v),
        ]);
        Some(Formula::or(cut, Formula::exists(vec![a(), b()], new)))
    }

    fn cut_closure(&self, steps: Steps, u: &Variable, v: &Variable) -> Formula {
        let old = self.fold(&self.path(steps, u, v));
        if self.nothing_is_removed() {
            return old;
        }
        let (a, b) = (Variable::new("$c"), Variable::new("$d"));
        let through = vec![
            self.path(Steps::ZeroOrMore, u, &a),
            self.edge(&a, &b),
            self.interrupted(&a, &b),
            self.path(Steps::ZeroOrMore, &b, v),
        ];
        // A path needs no edge that leaves its end, and none that enters its start, unless it goes round.
        let round = match steps {
            Steps::ZeroOrMore => Formula::FALSE,
            Steps::OneOrMore => Formula::equal(u, v),
        };
        let inner = [!Formula::equal(&a, v), !Formula::equal(u, &b)].map(|apart| Formula::or(apart, round.clone()));
        let ask = |parts: Vec<Formula>| self.fold(&Formula::exists(vec![a.clone(), b.clone()], Formula::And(parts)));
        let mut asked = vec![ask(through.clone())];
        if !self.has(Property::Acyclic) {
            asked.push(ask(through.into_iter().chain(inner).collect()));
        }
        let through = Formula::And(asked);
        let again = self.cut_path(steps, u, v);
        let rest = if self.has(Property::Function) {
            self.unless_cyclic(self.path(Steps::OneOrMore, v, v), again)
        } else {
            self.unless_tangled(v, again)
        };
        let uncut = Formula::or(!through, rest);
        let ends = self.difference.stays(self.f, u).zip(self.difference.stays(self.f, v));
        let uncut = match (ends, steps) {
            (None, _) => uncut,
            (Some((first, last)), Steps::OneOrMore) => Formula::And(vec![first, last, uncut]),
            (Some((first, last)), Steps::ZeroOrMore) => {
                Formula::or(Formula::equal(u, v), Formula::And(vec![first, last, uncut]))
            }
        };
        Formula::and(old, uncut)
    }
}
