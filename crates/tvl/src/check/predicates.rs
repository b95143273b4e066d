//! The predicates of a cell program.
//!
//! | predicate | says |
//! |---|---|
//! | `x(v)` | the variable of slot x points to v |
//! | `x=a` | it holds the atom a; null is no atom and no cell |
//! | `k(v)` | v is a cell of kind k, where there are several kinds |
//! | `f(v, w)` | the link f of v leads to w |
//! | `f=a(v)` | it holds the atom a |
//! | `has[f](v)`, `in[f](v)` | the link f of v leads to a cell, that of a cell leads to v; not part of names, unless f leads
//! | | from another kind of cell past the spine, or cells have fine names |
//! | `in[D](v)` | the spine leads to v, if there is a way back |
//! | `raw(v)` | a data field of v was never written |
//! | `D(v, w)` | some link of the spine leads from v to w |
//! | `r[x](v)`, `r[b,x](v)` | v is reached from x along the spine; along the way back b of a list |
//! | `is(v)`, `twin(v)` | two cells, two links of one cell lead to v |
//! | `held[f](v)` | v is reached along the spine from where a link f leads down from another kind of cell |
//! | `is[f](v)`, `is[f,D](v)` | two cells' links f lead down to v; one does, and the spine as well |
//! | `is[b](v)` | two ways back b of a list lead to v, if cells have fine names |
//! | `is[x](v)` | two cells other than x's lead to v: what is left of sharing when a link of x is cut; not part of names |
//! | `c(v)`, `c[b](v)` | v lies on a cycle of the spine, of a way back |
//! | `->key >= k(v)` | a comparison of a field of v with an integer surely comes out so; not part of names |
//! | `c[f.b](v)`, `c[b.D](v)` | going f and then b, b and then along the spine comes back to v |

use super::compare::Comparisons;
use super::contract::ghosts::Ghosts;
use super::insertions::{LinkOf, target_of};
use super::roles::{Role, Roles};
use super::slots::{BASE, OLD, Slot, Slots, VALUE};
use super::values::Values;
use crate::rules::{Head, Rule, RuleSource};
use crate::vocabulary::{Arity, Declaration, Definition, PredicateStyle, Property, Role as Part, Vocabulary};
use heapwise_cells::atom::{Atom, Var};
use heapwise_cells::program::{CellProgram, KindId};
use heapwise_ir::entity::{EntityRef, PrimaryMap};
use heapwise_logic::{Formula, Predicate, Steps, Variable};
use indexmap::{IndexMap, IndexSet};

/// How many names cells have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Naming {
    /// By the variables that point to them and reach them along one link of each kind of cell, by sharing and by cycles. Where a second
    /// link leads (the express level of a skip list, a cursor, the way from an item to the head of its list) does not name cells.
    /// Cells below another kind are named by what holds them there, not by the variables that reach the cells above.
    Coarse,
    /// By the variables that point to them and reach them, by sharing and by cycles.
    Plain,
    /// Also by whether a list goes on behind them, by the links of a spine that branches by which they are entered (rows of cells of
    /// one type), and by whether two ways back lead to them: what was found out about cells that no variable points to any more
    /// (the second one ahead, the one before two others) is not forgotten.
    Fine,
}

/// The predicates of a slot.
#[derive(Clone, Debug)]
pub struct SlotPredicates {
    /// Where it points; absent for a slot that never holds a cell.
    pub points: Option<Predicate>,
    /// What is reached from it: along the spine, then along each way back.
    pub reach: Vec<Predicate>,
    /// Two cells other than the one it points to lead here along the spine; for spines that branch.
    pub shared_without: Option<Predicate>,
    /// The atoms it may hold, null not among them.
    pub atoms: IndexMap<Atom, Predicate>,
}

/// The predicates of a link.
#[derive(Clone, Debug)]
pub struct LinkPredicates {
    /// Where it leads.
    pub edge: Predicate,
    /// What it is for.
    pub role: Role,
    /// For a link that leads down: what it holds.
    pub held: Option<Held>,
    /// The atoms it may hold, null not among them.
    pub atoms: IndexMap<Atom, Predicate>,
}

/// What links hold that lead down from one kind of cells to another.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// What is reached along the spine from where one leads.
    pub reached: Predicate,
    /// Where one leads.
    pub entered: Predicate,
    /// Cells of the kind below. Links lead down in one direction only, as long as it is these that they lead to.
    pub below: Predicate,
}

/// All predicates.
#[derive(Clone, Debug)]
pub struct Predicates {
    /// Their declarations.
    pub vocabulary: Vocabulary,
    /// Per slot.
    pub slots: PrimaryMap<Slot, SlotPredicates>,
    /// Per kind, unless there is only one.
    pub kinds: PrimaryMap<KindId, Option<Predicate>>,
    /// Per kind, its links.
    pub links: PrimaryMap<KindId, Vec<LinkPredicates>>,
    /// Per kind, its data fields that are read.
    pub raw: PrimaryMap<KindId, Vec<Option<Predicate>>>,
    /// Some link of the spine.
    pub spine: Predicate,
    /// Whether the spine leaves every cell once at most.
    pub spine_is_function: bool,
    /// Two cells lead here along the spine.
    pub shared: Predicate,
    /// On a cycle of the spine.
    pub cyclic: Predicate,
    /// Two links of the spine of one cell lead here.
    pub twin: Option<Predicate>,
    /// For each way back b: the links f with `c[f.b]`, and `c[b.D]`.
    pub backs: Vec<BackPredicates>,
    /// Whether a link leads to a cell, for links that have such a predicate.
    pub outgoing: Vec<(Predicate, Predicate)>,
    /// Whether a cell's link leads here, per link that has such a predicate.
    pub incoming: Vec<Predicate>,
    /// Whether the spine leads here, if there is a way back: where that leads to the first cell of a list or the top of
    /// a tree, no variable need point there.
    pub entered: Option<Predicate>,
    /// Predicates that hold of a cell without links.
    pub vacuous: Vec<Predicate>,
    /// The indices of unary predicates that are not part of names.
    pub plain_unary: Vec<usize>,
    /// The indices of nullary predicates that do not keep structures apart.
    pub plain_nullary: Vec<usize>,
    /// What comparisons of integers found out.
    pub comparisons: Comparisons,
    /// Predicates of contracts.
    pub ghosts: Ghosts,
}

/// What is known of a way back.
#[derive(Clone, Debug)]
pub struct BackPredicates {
    /// The kind and its link.
    pub link: (KindId, usize),
    /// `c[f.b]` for each link f of the spine of that kind.
    pub forth: Vec<(usize, Predicate)>,
    /// `c[b.D]`.
    pub back: Predicate,
    /// The index of `r[b,x]` in [`SlotPredicates::reach`], for lists.
    pub reach: Option<usize>,
    /// `c[b]`, for lists.
    pub cycle: Option<Predicate>,
}

struct Builder<'a> {
    program: &'a CellProgram,
    vocabulary: Vocabulary,
}

pub(super) fn v() -> Variable {
    Variable::new("v")
}

pub(super) fn w() -> Variable {
    Variable::new("w")
}

pub(super) fn u() -> Variable {
    Variable::new("u")
}

impl Builder<'_> {
    /// Declares a predicate; a name that is taken gets a number.
    fn declare(&mut self, name: &str, declaration: Declaration) -> Predicate {
        let mut tried = name.to_owned();
        let mut next = 2;
        loop {
            if let Ok(predicate) = self.vocabulary.declare(&tried, declaration.clone()) {
                return predicate;
            }
            tried = format!("{name}#{next}");
            next += 1;
        }
    }

    fn core(&mut self, name: &str, arity: Arity, properties: &[Property]) -> Predicate {
        let declaration = Declaration { properties: properties.to_vec(), ..Declaration::core(arity) };
        self.declare(name, declaration)
    }

    fn defined(&mut self, name: &str, params: &[Variable], formula: Formula, properties: &[Property]) -> Predicate {
        let arity = Arity::of(params.len()).unwrap_or(Arity::Nullary);
        let definition = Some(Definition { params: params.to_vec(), formula });
        let declaration = Declaration { properties: properties.to_vec(), definition, ..Declaration::core(arity) };
        self.declare(name, declaration)
    }

    fn atom_name(&self, atom: Atom) -> String {
        match atom {
            Atom::Int(value) => value.to_string(),
            Atom::Freed => "freed".to_owned(),
            Atom::Ended(place) => format!("ended {}", self.program.places[place as usize].name),
            Atom::Gone => "ended".to_owned(),
            Atom::Uninit => "uninit".to_owned(),
            Atom::Opaque => "any".to_owned(),
            Atom::Place(place) => self.program.places[place as usize].name.clone(),
            Atom::Library(_) => "library".to_owned(),
            Atom::NoLink => "none".to_owned(),
            Atom::Outside => "outside".to_owned(),
        }
    }

    fn reach(&mut self, name: &str, field: Predicate, points: Predicate) -> Predicate {
        let path = Formula::path(field, Steps::ZeroOrMore, &u(), &v());
        let formula = Formula::exists(vec![u()], Formula::and(Formula::atom(points, &[u()]), path));
        self.defined(name, &[v()], formula, &[])
    }
}

pub(super) fn edge(field: Predicate, from: &Variable, to: &Variable) -> Formula {
    Formula::atom(field, &[from.clone(), to.clone()])
}

/// The name of a slot in the vocabulary: drawings put the variable's name in its place.
fn slot_name(slot: Slot) -> String {
    match slot {
        super::slots::BASE => "base".to_owned(),
        super::slots::OLD => "old".to_owned(),
        super::slots::VALUE => "value".to_owned(),
        other => format!("{other}"),
    }
}

impl Predicates {
    /// Declares the predicates of a program.
    pub fn new(program: &CellProgram, values: &Values, slots: &Slots, roles: &Roles, naming: Naming) -> Predicates {
        let mut builder = Builder { program, vocabulary: Vocabulary::new() };
        let kinds = kinds(&mut builder);
        let mut links = links(&mut builder, values, roles, naming);
        let raw = raw(&mut builder, values);
        let spine_links: Vec<Predicate> =
            links.values().flatten().filter(|link| link.role == Role::Spine).map(|link| link.edge).collect();
        let spine_is_function =
            links.values().all(|links| links.iter().filter(|link| link.role == Role::Spine).count() <= 1);
        let properties: &[Property] = if spine_is_function { &[Property::Function] } else { &[] };
        let spine = match spine_links.as_slice() {
            [] => builder.core("D", Arity::Binary, &[Property::Function]),
            [one] => *one,
            several => {
                let any = Formula::Or(several.iter().map(|link| edge(*link, &v(), &w())).collect());
                builder.defined("D", &[v(), w()], any, properties)
            }
        };
        let shared = builder.defined("is", &[v()], entered_twice(spine), &[]);
        let cycle = Formula::path(spine, Steps::OneOrMore, &v(), &v());
        let cyclic = builder.defined("c", &[v()], cycle, &[]);
        let twin = twin(&mut builder, &links);
        let (outgoing, mut incoming) = leads(&mut builder, &links, spine_is_function, naming);
        incoming.extend(hold(&mut builder, &kinds, &mut links, spine));
        let has_way_back = links.values().flatten().any(|link| link.role == Role::Back);
        let entered = has_way_back.then(|| {
            let formula = Formula::exists(vec![w()], edge(spine, &w(), &v()));
            let name = format!("in[{}]", builder.vocabulary.name(spine));
            builder.defined(&name, &[v()], formula, &[])
        });
        incoming.extend(entered);
        let mut reached = vec![(String::new(), spine)];
        let backs = backs(&mut builder, &links, spine, &mut reached);
        if naming == Naming::Fine {
            incoming.extend(shared_ways_back(&mut builder, &links, &backs));
        }
        let branches = (!spine_is_function).then_some(spine);
        let slot_predicates = slot_predicates(&mut builder, values, slots, &reached, branches);
        let comparisons = Comparisons::new(program, &mut |name, declaration| builder.declare(name, declaration));
        let vacuous = backs.iter().flat_map(|back| back.forth.iter().map(|(_, p)| *p).chain([back.back])).collect();
        let mut predicates = Predicates {
            vocabulary: builder.vocabulary,
            slots: slot_predicates,
            kinds,
            links,
            raw,
            spine,
            spine_is_function,
            shared,
            cyclic,
            twin,
            backs,
            outgoing,
            incoming,
            entered,
            vacuous,
            plain_unary: Vec::new(),
            plain_nullary: Vec::new(),
            comparisons,
            ghosts: Ghosts::default(),
        };
        predicates.ghosts = Ghosts::new(program, slots, &mut predicates);
        let plain = |arity: Arity| predicates.vocabulary.plain_slots(arity);
        (predicates.plain_unary, predicates.plain_nullary) = (plain(Arity::Unary), plain(Arity::Nullary));
        predicates
    }

    /// Rules that hold of every heap and do not follow from one definition alone.
    pub fn rules(&self) -> Vec<Rule> {
        let mut rules = Vec::new();
        let mut add = |body: Formula, head: Head| {
            rules.push(Rule { body, head, source: RuleSource::Written("cells".to_owned()) });
        };
        for link in self.links.values().flatten() {
            for atom in link.atoms.values() {
                let holds = Formula::atom(*atom, &[v()]);
                let leads = edge(link.edge, &v(), &w());
                add(holds, Head::Fails(link.edge, vec![v(), w()]));
                add(Formula::exists(vec![w()], leads), Head::Fails(*atom, vec![v()]));
            }
        }
        // What is reached from a cell that is reached is reached.
        let to_old = self.slots.keys().filter(|slot| *slot != OLD).map(|slot| (slot, OLD));
        for (from, to) in to_old.chain([(OLD, BASE)]) {
            let (from, to) = (&self.slots[from], &self.slots[to]);
            let Some(at) = to.points else { continue };
            for (outer, inner) in from.reach.iter().zip(&to.reach) {
                let parts =
                    vec![Formula::atom(*outer, &[u()]), Formula::atom(at, &[u()]), Formula::atom(*inner, &[v()])];
                add(Formula::exists(vec![u()], Formula::And(parts)), Head::Holds(*outer, vec![v()]));
            }
        }
        self.behind_old(&mut add);
        // What is held is where a link leads down, or the spine leads there from what is held.
        for held in self.links.values().flatten().filter_map(|link| link.held) {
            let before = Formula::and(Formula::atom(held.reached, &[w()]), edge(self.spine, &w(), &v()));
            let nowhere = Formula::and(!Formula::atom(held.entered, &[v()]), !Formula::exists(vec![w()], before));
            add(nowhere, Head::Fails(held.reached, vec![v()]));
        }
        self.entered_rules(&mut add);
        if !self.spine_is_function {
            self.branching_rules(&mut add);
        }
        for slot in self.slots.values() {
            self.slot_rules(slot, &mut add);
        }
        rules
    }

    /// What the old cell reaches, but for itself, is reached from the cell behind it. A store that takes a cell out of a
    /// ring cuts the ring before that cell and makes the link to the one behind: in between, only the old cell is known
    /// to reach the rest.
    fn behind_old(&self, add: &mut impl FnMut(Formula, Head)) {
        let (old, value) = (&self.slots[OLD], &self.slots[VALUE]);
        let (Some(at_old), Some(at_value)) = (old.points, value.points) else { return };
        for (index, (from, to)) in old.reach.iter().zip(&value.reach).enumerate() {
            let Some(field) = self.reach_field(index) else { continue };
            let parts = vec![
                Formula::atom(at_old, &[u()]),
                Formula::atom(at_value, &[w()]),
                edge(field, &u(), &w()),
                Formula::atom(*from, &[v()]),
                !Formula::atom(at_old, &[v()]),
            ];
            add(Formula::exists(vec![u(), w()], Formula::And(parts)), Head::Holds(*to, vec![v()]));
        }
    }

    /// What is reached from a cell is that cell, or the spine leads to it.
    fn entered_rules(&self, add: &mut impl FnMut(Formula, Head)) {
        let Some(entered) = self.entered else { return };
        for slot in self.slots.values() {
            let (Some(points), Some(reached)) = (slot.points, slot.reach.first()) else { continue };
            let [points_here, reached_here, entered_here] =
                [points, *reached, entered].map(|predicate| Formula::atom(predicate, &[v()]));
            let behind = Formula::and(reached_here.clone(), !points_here.clone());
            add(behind, Head::Holds(entered, vec![v()]));
            add(Formula::and(reached_here, !entered_here.clone()), Head::Holds(points, vec![v()]));
            add(Formula::and(!points_here, !entered_here), Head::Fails(*reached, vec![v()]));
        }
    }

    /// A slot holds one thing.
    fn slot_rules(&self, slot: &SlotPredicates, add: &mut impl FnMut(Formula, Head)) {
        for (i, atom) in slot.atoms.values().enumerate() {
            let holds = Formula::atom(*atom, &[]);
            if let Some(points) = slot.points {
                add(Formula::exists(vec![v()], Formula::atom(points, &[v()])), Head::Fails(*atom, Vec::new()));
                add(holds.clone(), Head::Fails(points, vec![v()]));
            }
            for (j, other) in slot.atoms.values().enumerate() {
                if i != j {
                    add(holds.clone(), Head::Fails(*other, Vec::new()));
                }
            }
        }
    }

    /// The index of a predicate among those of its arity.
    pub fn index(&self, predicate: Predicate) -> usize {
        self.vocabulary.slot(predicate).index
    }

    /// The atom that a set of atoms tells apart for this one.
    pub fn known(atoms: &IndexMap<Atom, Predicate>, atom: Atom) -> Atom {
        if atom == Atom::NULL || atoms.contains_key(&atom) { atom } else { Atom::Opaque }
    }
}

fn kinds(builder: &mut Builder<'_>) -> PrimaryMap<KindId, Option<Predicate>> {
    let program = builder.program;
    let several = program.kinds.len() > 1;
    let mut kinds = PrimaryMap::new();
    for kind in program.kinds.values() {
        kinds.push(several.then(|| builder.core(&kind.name, Arity::Unary, &[])));
    }
    kinds
}

fn links(
    builder: &mut Builder<'_>,
    values: &Values,
    roles: &Roles,
    naming: Naming,
) -> PrimaryMap<KindId, Vec<LinkPredicates>> {
    let program = builder.program;
    let mut all = PrimaryMap::new();
    for (id, kind) in &program.kinds {
        let mut links = Vec::new();
        for (index, link) in kind.links.iter().enumerate() {
            let edge = builder.core(&link.name, Arity::Binary, &[Property::Function]);
            let mut atoms = IndexMap::new();
            // A value that a link cannot tell apart is kept as any value.
            let range: IndexSet<Atom> = values.of_link(id, index).atoms.iter().copied().chain([Atom::Opaque]).collect();
            for atom in range.into_iter().filter(|atom| *atom != Atom::NULL) {
                let name = format!("{}={}", link.name, builder.atom_name(atom));
                // Cells that differ by what a link beside the spine holds are merged under coarse names. Every set of names is sound:
                // the value of the merged cell is 1/2 then, and a load tells the cases apart before it is used.
                let is_name = naming != Naming::Coarse || roles[id][index] != Role::Side;
                let role = if is_name { Part::Abstraction } else { Part::Plain };
                atoms.insert(atom, builder.declare(&name, Declaration { role, ..Declaration::core(Arity::Unary) }));
            }
            links.push(LinkPredicates { edge, role: roles[id][index], held: None, atoms });
        }
        all.push(links);
    }
    all
}

fn raw(builder: &mut Builder<'_>, values: &Values) -> PrimaryMap<KindId, Vec<Option<Predicate>>> {
    let program = builder.program;
    let mut all = PrimaryMap::new();
    for (id, kind) in &program.kinds {
        let fields = (0..kind.data.len().min(32))
            .map(|position| {
                values
                    .is_read(id, position)
                    .then(|| builder.core(&format!("raw[{}]", kind.data[position].words()), Arity::Unary, &[]))
            })
            .collect();
        all.push(fields);
    }
    all
}

fn twin(builder: &mut Builder<'_>, links: &PrimaryMap<KindId, Vec<LinkPredicates>>) -> Option<Predicate> {
    let mut cases = Vec::new();
    for links in links.values() {
        let spine: Vec<Predicate> =
            links.iter().filter(|link| link.role == Role::Spine).map(|link| link.edge).collect();
        for (i, f) in spine.iter().enumerate() {
            for g in &spine[i + 1..] {
                let both = Formula::and(edge(*f, &u(), &v()), edge(*g, &u(), &v()));
                cases.push(Formula::exists(vec![u()], both));
            }
        }
    }
    (!cases.is_empty()).then(|| builder.defined("twin", &[v()], Formula::Or(cases), &[]))
}

/// Whether a link leads to a cell, or a cell's link to this one, remembered for single cells only: on a list's spine
/// reachability says it. Where a link of another kind of cell leads besides the spine (the tail pointer of a list's head)
/// is part of names: no variable need point there. So are the ends of a list's spine, and which link of a spine that branches leads
/// to a cell, if they are kept apart.
fn leads(
    builder: &mut Builder<'_>,
    links: &PrimaryMap<KindId, Vec<LinkPredicates>>,
    spine_is_function: bool,
    naming: Naming,
) -> (Vec<(Predicate, Predicate)>, Vec<Predicate>) {
    let (mut outgoing, mut incoming) = (Vec::new(), Vec::new());
    let program = builder.program;
    for (kind, of_kind) in links {
        for (link, described) in of_kind.iter().zip(&program.kinds[kind].links) {
            let is_list = link.role == Role::Spine && spine_is_function;
            if is_list && naming != Naming::Fine {
                continue;
            }
            let field = builder.vocabulary.name(link.edge).to_owned();
            let mut remember = |name: String, formula: Formula, role: Part| {
                let definition = Some(Definition { params: vec![v()], formula });
                builder.declare(&name, Declaration { definition, role, ..Declaration::core(Arity::Unary) })
            };
            let has = Formula::exists(vec![w()], edge(link.edge, &v(), &w()));
            let part = if is_list { Part::Abstraction } else { Part::Plain };
            outgoing.push((link.edge, remember(format!("has[{field}]"), has, part)));
            if is_list {
                continue;
            }
            let entered = Formula::exists(vec![w()], edge(link.edge, &w(), &v()));
            let is_other = described.target != heapwise_cells::program::LinkTarget::Same;
            match link.role {
                Role::Spine => {
                    let part = if naming == Naming::Fine { Part::Abstraction } else { Part::Plain };
                    incoming.push(remember(format!("in[{field}]"), entered, part));
                }
                Role::Side if is_other && naming != Naming::Coarse => {
                    incoming.push(remember(format!("in[{field}]"), entered, Part::Abstraction));
                }
                Role::Side | Role::Back | Role::Down => {}
            }
        }
    }
    (outgoing, incoming)
}

/// What links that lead down hold. Below them cells are named by that, and not by the variables above: which of the outer cells
/// holds an inner one is found out where it is asked. Each of these predicates follows functions, so that they stay definite where links
/// change, unlike reachability along a spine that branches.
fn hold(
    builder: &mut Builder<'_>,
    kinds: &PrimaryMap<KindId, Option<Predicate>>,
    links: &mut PrimaryMap<KindId, Vec<LinkPredicates>>,
    spine: Predicate,
) -> Vec<Predicate> {
    let mut incoming = Vec::new();
    let all = links.iter().flat_map(|(kind, of_kind)| (0..of_kind.len()).map(move |link| (kind, link)));
    for (kind, index) in all.collect::<Vec<LinkOf>>() {
        let link = &mut links[kind][index];
        let below = target_of(builder.program, (kind, index)).and_then(|target| kinds[target]);
        let (Role::Down, Some(below)) = (link.role, below) else { continue };
        let field = builder.vocabulary.name(link.edge).to_owned();
        let entered = Formula::exists(vec![w()], edge(link.edge, &w(), &v()));
        let entered = builder.defined(&format!("in[{field}]"), &[v()], entered, &[]);
        let shared = builder.defined(&format!("is[{field}]"), &[v()], entered_twice(link.edge), &[]);
        let (a, b) = (Variable::new("a"), Variable::new("b"));
        let both = Formula::and(edge(link.edge, &a, &v()), edge(spine, &b, &v()));
        let joined = Formula::exists(vec![a, b], both);
        let joined = builder.defined(&format!("is[{field},D]"), &[v()], joined, &[]);
        let reached = builder.reach(&format!("held[{field}]"), spine, entered);
        link.held = Some(Held { reached, entered, below });
        incoming.extend([entered, shared, joined]);
    }
    incoming
}

fn backs(
    builder: &mut Builder<'_>,
    links: &PrimaryMap<KindId, Vec<LinkPredicates>>,
    spine: Predicate,
    reached: &mut Vec<(String, Predicate)>,
) -> Vec<BackPredicates> {
    let program = builder.program;
    let mut backs = Vec::new();
    for (kind, of_kind) in links {
        let name = |link: usize| program.kinds[kind].links[link].name.clone();
        let forward: Vec<usize> = (0..of_kind.len())
            .filter(|link| {
                let same = program.kinds[kind].links[*link].target == heapwise_cells::program::LinkTarget::Same;
                of_kind[*link].role == Role::Spine && same
            })
            .collect();
        for (b, link) in of_kind.iter().enumerate().filter(|(_, link)| link.role == Role::Back) {
            let round = |there: Predicate, back: Predicate| {
                let broken = Formula::and(edge(there, &v(), &w()), !edge(back, &w(), &v()));
                !Formula::exists(vec![w()], broken)
            };
            let mut forth = Vec::new();
            for f in &forward {
                let formula = round(of_kind[*f].edge, link.edge);
                forth.push((*f, builder.defined(&format!("c[{}.{}]", name(*f), name(b)), &[v()], formula, &[])));
            }
            let back = builder.defined(&format!("c[{}.D]", name(b)), &[v()], round(link.edge, spine), &[]);
            let is_list = forward.len() == 1;
            let cycle = is_list.then(|| {
                let cycle = Formula::path(link.edge, Steps::OneOrMore, &v(), &v());
                builder.defined(&format!("c[{}]", name(b)), &[v()], cycle, &[])
            });
            let reach = is_list.then(|| {
                reached.push((format!("{},", name(b)), link.edge));
                reached.len() - 1
            });
            backs.push(BackPredicates { link: (kind, b), forth, back, reach, cycle });
        }
    }
    backs
}

/// Two cells lead to `v` along a field.
fn entered_twice(field: Predicate) -> Formula {
    let (a, b) = (Variable::new("a"), Variable::new("b"));
    let both = Formula::And(vec![!Formula::equal(&a, &b), edge(field, &a, &v()), edge(field, &b, &v())]);
    Formula::exists(vec![a, b], both)
}

/// Whether the ways back of two cells of a list lead to one.
fn shared_ways_back(
    builder: &mut Builder<'_>,
    links: &PrimaryMap<KindId, Vec<LinkPredicates>>,
    backs: &[BackPredicates],
) -> Vec<Predicate> {
    let of_lists = backs.iter().filter(|back| back.reach.is_some());
    of_lists
        .map(|back| {
            let field = links[back.link.0][back.link.1].edge;
            let name = format!("is[{}]", builder.vocabulary.name(field));
            builder.defined(&name, &[v()], entered_twice(field), &[])
        })
        .collect()
}

fn slot_predicates(
    builder: &mut Builder<'_>,
    values: &Values,
    slots: &Slots,
    reached: &[(String, Predicate)],
    branches: Option<Predicate>,
) -> PrimaryMap<Slot, SlotPredicates> {
    let mut ranges: Vec<IndexSet<Atom>> = vec![IndexSet::new(); slots.count()];
    for (var, range) in values.vars() {
        let var: Var = var;
        ranges[slots.of(var).index()].extend(range.atoms.iter().copied());
    }
    let mut all: PrimaryMap<Slot, SlotPredicates> = PrimaryMap::new();
    for (index, range) in ranges.into_iter().enumerate() {
        let slot = Slot::new(index);
        let name = slot_name(slot);
        let points = slots.is_cell(slot).then(|| {
            let declaration = Declaration {
                properties: vec![Property::Unique],
                style: PredicateStyle::Pointer,
                ..Declaration::core(Arity::Unary)
            };
            builder.declare(&name, declaration)
        });
        let reach = match points {
            None => Vec::new(),
            Some(points) => {
                reached.iter().map(|(by, field)| builder.reach(&format!("r[{by}{name}]"), *field, points)).collect()
            }
        };
        let mut atoms = IndexMap::new();
        // Steps keep atoms of their own slots outside of the structure.
        if !slots_are_scratch(slot) && !slots.is_ghost(slot) {
            for atom in range.into_iter().chain([Atom::Opaque]).filter(|atom| *atom != Atom::NULL) {
                if !atoms.contains_key(&atom) {
                    let name = format!("{name}={}", builder.atom_name(atom));
                    atoms.insert(atom, builder.core(&name, Arity::Nullary, &[]));
                }
            }
        }
        let shared_without = match (points, branches) {
            (Some(points), Some(spine)) => Some(shared_without(builder, &name, spine, points)),
            _ => None,
        };
        all.push(SlotPredicates { points, reach, shared_without, atoms });
    }
    all
}

fn shared_without(builder: &mut Builder<'_>, name: &str, spine: Predicate, points: Predicate) -> Predicate {
    let (a, b) = (Variable::new("a"), Variable::new("b"));
    let elsewhere =
        |from: &Variable| Formula::and(!Formula::atom(points, std::slice::from_ref(from)), edge(spine, from, &v()));
    let both = Formula::And(vec![!Formula::equal(&a, &b), elsewhere(&a), elsewhere(&b)]);
    let definition = Some(Definition { params: vec![v()], formula: Formula::exists(vec![a, b], both) });
    let role = Part::Plain;
    builder.declare(&format!("is[{name}]"), Declaration { definition, role, ..Declaration::core(Arity::Unary) })
}

fn slots_are_scratch(slot: Slot) -> bool {
    [super::slots::BASE, super::slots::OLD, super::slots::VALUE].contains(&slot)
}
