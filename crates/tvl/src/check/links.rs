//! Reading, cutting and making links. Each is one action on the slots that steps have to themselves, so there are three
//! actions per link, whatever the number of variables; what they do to instrumentation predicates is derived.
//!
//! Focus always ends here, so there is nothing for `assume` to take over (as it does for specifications, in
//! [`refine`](crate::symbolic::refine)): the formulas are unary predicates, and edges one end of which is the cell of a slot, which a slot has
//! one of. Only an edge between two summaries has no end of splitting.

use super::predicates::{LinkPredicates, Predicates};
use super::roles::Role;
use super::slots::{BASE, OLD, Slot, VALUE};
use crate::action::{Action, ActionSpecification, Differencing, Framework, Trouble};
use crate::blur::Abstraction;
use crate::coerce::Constraints;
use crate::focus::Focus;
use crate::rules::{Derivation, rules};
use crate::structure::Structure;
use crate::tables::Tables;
use crate::vocabulary::Definition;
use heapwise_cells::atom::Atom;
use heapwise_cells::program::KindId;
use heapwise_ir::entity::PrimaryMap;
use heapwise_logic::{Formula, Kleene, Predicate, Variable};
use indexmap::IndexMap;
use std::cell::OnceCell;

/// The actions of a link.
#[derive(Debug)]
struct LinkActions {
    /// Makes it clear where the link of the base leads.
    focus: Focus,
    /// The base's link goes into [`OLD`].
    load: LazyAction,
    /// The link from the base to the old cell is cut; the second where another link of the spine leads there too.
    cut: LazyAction,
    cut_one_of_two: LazyAction,
    /// A link from the base to the value is made.
    make: LazyAction,
    /// Makes it clear which cells lead to the base.
    focus_into: Focus,
}

/// An action that is compiled when it is first needed: deriving updates costs more than most steps, and a client of
/// contracts changes few links itself.
#[derive(Debug)]
struct LazyAction {
    specification: ActionSpecification,
    compiled: OnceCell<Action>,
}

impl LazyAction {
    fn new(updates: Vec<(Predicate, Definition)>, unchanged: &[Predicate]) -> LazyAction {
        let updates: IndexMap<Predicate, Definition> = updates.into_iter().collect();
        let unchanged = unchanged.to_vec();
        let specification = ActionSpecification { updates, unchanged, ..ActionSpecification::default() };
        LazyAction { specification, compiled: OnceCell::new() }
    }

    fn get(&self, framework: &Framework) -> &Action {
        self.compiled.get_or_init(|| Action::new(framework, &self.specification))
    }
}

/// All actions on links, with the rules.
#[derive(Debug)]
pub struct Linking {
    /// Rules, abstraction, vocabulary.
    pub framework: Framework,
    links: PrimaryMap<KindId, Vec<LinkActions>>,
    /// All links into the base are cut, and dangle.
    cut_into: LazyAction,
    /// Divides the cells by whether they are reached from [`OLD`].
    focus_reached: Option<Focus>,
    /// Makes it clear where a slot points.
    focus_slots: PrimaryMap<Slot, Option<Focus>>,
}

fn v() -> Variable {
    Variable::new("v")
}

fn w() -> Variable {
    Variable::new("w")
}

fn edge(field: Predicate) -> Formula {
    Formula::atom(field, &[v(), w()])
}

impl Linking {
    /// Compiles the actions.
    pub fn new(predicates: &Predicates) -> Linking {
        let vocabulary = predicates.vocabulary.clone();
        let constraints = Constraints::new(&vocabulary, rules(&vocabulary, &predicates.rules(), Derivation::Automatic));
        let abstraction = Abstraction::new(&vocabulary);
        let framework = Framework { vocabulary, constraints, abstraction, differencing: Differencing::Derived };
        let at = |slot: Slot, variable: Variable| match predicates.slots[slot].points {
            Some(points) => Formula::atom(points, &[variable]),
            None => Formula::FALSE,
        };
        // The slots of calls are in use while a call lasts, and nothing that it reaches is changed by actions then.
        let of_calls: Vec<Predicate> = predicates
            .ghosts
            .call
            .iter()
            .flat_map(|set| &set.slots)
            .flat_map(|slot| predicates.slots[*slot].reach.iter().copied())
            .collect();
        let relation = |formula: Formula| Definition { params: vec![v(), w()], formula };
        let mut links = PrimaryMap::new();
        for of_kind in predicates.links.values() {
            let mut compiled = Vec::new();
            for link in of_kind {
                let leads = Formula::exists(vec![v()], Formula::and(at(BASE, v()), edge(link.edge)));
                // The only link of the spine that leaves its kind of cells leads where the spine does, and what is reached
                // along the spine is then what the base reaches, but for itself.
                let is_only = link.role == Role::Spine && of_kind.iter().filter(|l| l.role == Role::Spine).count() == 1;
                let along = if is_only { predicates.spine } else { link.edge };
                let target = Formula::exists(vec![v()], Formula::and(at(BASE, v()), edge(along)));
                let loaded =
                    predicates.slots[OLD].points.map(|old| (old, Definition { params: vec![w()], formula: target }));
                let cut = Formula::and(at(BASE, v()), at(OLD, w()));
                let made = Formula::and(at(BASE, v()), at(VALUE, w()));
                // The spine is one of the links, or a union of several that changes with each.
                let with_spine = |change: &dyn Fn(Predicate) -> Formula| {
                    let mut updates = vec![(link.edge, relation(change(link.edge)))];
                    if link.role == Role::Spine && predicates.spine != link.edge {
                        updates.push((predicates.spine, relation(change(predicates.spine))));
                    }
                    updates
                };
                let cut_one = |field: Predicate| Formula::and(edge(field), !cut.clone());
                let mut cut_spine = with_spine(&cut_one);
                if let (Role::Spine, Some(without)) = (link.role, predicates.slots[BASE].shared_without) {
                    let shared = Formula::atom(predicates.shared, &[v()]);
                    let left = Formula::atom(without, &[v()]);
                    let formula = Formula::if_then_else(at(OLD, v()), left, shared);
                    cut_spine.push((predicates.shared, Definition { params: vec![v()], formula }));
                }
                let mut make = with_spine(&|field| Formula::or(edge(field), made.clone()));
                let holding = Holding::new(predicates, link);
                cut_spine.extend(holding.cut());
                make.extend(holding.make());
                let into = Formula::exists(vec![w()], Formula::and(at(BASE, w()), edge(link.edge)));
                compiled.push(LinkActions {
                    focus: Focus::new(&framework.vocabulary, &leads),
                    load: LazyAction::new(loaded.into_iter().collect(), &of_calls),
                    cut: LazyAction::new(cut_spine, &of_calls),
                    cut_one_of_two: LazyAction::new(vec![(link.edge, relation(cut_one(link.edge)))], &of_calls),
                    make: LazyAction::new(make, &of_calls),
                    focus_into: Focus::new(&framework.vocabulary, &into),
                });
            }
            links.push(compiled);
        }
        let mut cut_into = Vec::new();
        for link in predicates.links.values().flatten() {
            let stays = Formula::and(edge(link.edge), !at(BASE, w()));
            cut_into.push((link.edge, relation(stays)));
            if let Some(freed) = link.atoms.get(&Atom::Freed) {
                let dangles = Formula::exists(vec![w()], Formula::and(at(BASE, w()), edge(link.edge)));
                let formula = Formula::or(Formula::atom(*freed, &[v()]), dangles);
                cut_into.push((*freed, Definition { params: vec![v()], formula }));
            }
        }
        // The base has no links of its own any more: nothing else was held by way of it.
        for held in predicates.links.values().flatten().filter_map(|link| link.held) {
            let formula = Formula::and(Formula::atom(held.reached, &[v()]), !at(BASE, v()));
            cut_into.push((held.reached, Definition { params: vec![v()], formula }));
        }
        let is_link = predicates.links.values().flatten().any(|link| link.edge == predicates.spine);
        if !is_link {
            cut_into.push((predicates.spine, relation(Formula::and(edge(predicates.spine), !at(BASE, w())))));
        }
        let cut_into = LazyAction::new(cut_into, &of_calls);
        let reached = predicates.slots[OLD].reach.first().copied();
        let focus_reached = reached.map(|reach| Focus::new(&framework.vocabulary, &Formula::atom(reach, &[v()])));
        let mut focus_slots = PrimaryMap::new();
        for slot in predicates.slots.values() {
            focus_slots
                .push(slot.points.map(|points| Focus::new(&framework.vocabulary, &Formula::atom(points, &[v()]))));
        }
        Linking { framework, links, cut_into, focus_reached, focus_slots }
    }

    fn focus(&self, focus: &Focus, structure: Structure, tables: &mut Tables) -> Vec<Structure> {
        focus.apply(structure, &self.framework.vocabulary, &self.framework.constraints, tables)
    }

    fn apply(&self, action: &LazyAction, structure: &Structure, tables: &mut Tables, out: &mut Changed) {
        if tables.is_over() {
            return;
        }
        match action.get(&self.framework).update(&self.framework, structure, &[], tables) {
            Ok(Some(after)) => out.structures.push(after),
            // Rules hold of every heap, so what breaks one stands for none.
            Ok(None) | Err(Trouble::Contradiction(_)) => {}
            Err(Trouble::TooLarge) => out.too_large = true,
        }
    }

    /// The link of the base goes into [`OLD`] (as far as it leads to a cell).
    pub fn load(
        &self,
        predicates: &Predicates,
        structure: Structure,
        (kind, link): (KindId, usize),
        tables: &mut Tables,
        out: &mut Changed,
    ) {
        let actions = &self.links[kind][link];
        // A link beside the spine leads into the middle of a list: what lies behind is told apart from what lies before.
        let is_aside = matches!(predicates.links[kind][link].role, Role::Side | Role::Down);
        let focus_reached = self.focus_reached.as_ref().filter(|_| !predicates.spine_is_function || is_aside);
        let mut loaded = Changed::default();
        for structure in self.focus(&actions.focus, structure, tables) {
            self.apply(&actions.load, &structure, tables, &mut loaded);
        }
        out.too_large |= loaded.too_large;
        for mut structure in loaded.structures {
            match (focus_reached, predicates.same_as_old(&structure)) {
                // What is reached from there is known already.
                (Some(_), Some(slot)) => {
                    predicates.copy(&mut structure, OLD, slot);
                    out.structures.push(structure);
                }
                (Some(focus), None) => out.structures.extend(self.focus(focus, structure, tables)),
                (None, same) => {
                    predicates.reach_of_old(&mut structure, same);
                    out.structures.push(structure);
                }
            }
        }
    }

    /// The link from the base to [`OLD`] is cut.
    pub fn cut(
        &self,
        structure: &Structure,
        kind: KindId,
        link: usize,
        spine: SpineEdge,
        tables: &mut Tables,
        out: &mut Changed,
    ) {
        let actions = &self.links[kind][link];
        let action = match spine {
            SpineEdge::Goes => &actions.cut,
            SpineEdge::Stays => &actions.cut_one_of_two,
        };
        self.apply(action, structure, tables, out);
    }

    /// A link from the base to [`VALUE`] is made.
    pub fn make(&self, structure: &Structure, kind: KindId, link: usize, tables: &mut Tables, out: &mut Changed) {
        self.apply(&self.links[kind][link].make, structure, tables, out);
    }

    /// All links into the base are cut, and dangle.
    pub fn cut_into(&self, structure: Structure, tables: &mut Tables, out: &mut Changed) {
        let mut focused = vec![structure];
        for actions in self.links.values().flatten() {
            focused = focused.into_iter().flat_map(|s| self.focus(&actions.focus_into, s, tables)).collect();
        }
        for structure in focused {
            self.apply(&self.cut_into, &structure, tables, out);
        }
    }

    /// Divides a structure until it is clear where a slot points.
    pub fn locate(&self, structure: Structure, slot: Slot, tables: &mut Tables) -> Vec<Structure> {
        match &self.focus_slots[slot] {
            Some(focus) => self.focus(focus, structure, tables),
            None => vec![structure],
        }
    }

    /// Sharpens a structure of which a value of this predicate was made definite; whether it stands for anything (nothing is
    /// kept when the budget of `tables` is over).
    pub fn coerce_about(&self, structure: &mut Structure, predicate: Predicate, tables: &mut Tables) -> Coerced {
        if tables.is_over() {
            return Coerced::Empty;
        }
        let constraints = &self.framework.constraints;
        match constraints.coerce(structure, constraints.about(predicate).clone(), tables) {
            Ok(()) => Coerced::Kept,
            Err(_) => Coerced::Empty,
        }
    }

    /// The same of any predicate.
    pub fn coerce(&self, structure: &mut Structure, tables: &mut Tables) -> Coerced {
        if tables.is_over() {
            return Coerced::Empty;
        }
        let constraints = &self.framework.constraints;
        match constraints.coerce(structure, constraints.everything(), tables) {
            Ok(()) => Coerced::Kept,
            Err(_) => Coerced::Empty,
        }
    }
}

/// What becomes of the cells that links hold which lead down, when the base's link to the old cell is cut, or one to the value made. Both are
/// written down: derived updates would follow paths from every cell that such a link leads to, and say nothing definite.
struct Holding<'a> {
    predicates: &'a Predicates,
    role: Role,
    /// What changes: all that is held, with a link of the spine; what the link holds that leads down.
    held: Vec<Predicate>,
}

impl<'a> Holding<'a> {
    fn new(predicates: &'a Predicates, link: &LinkPredicates) -> Holding<'a> {
        let all = || predicates.links.values().flatten().filter_map(|link| link.held).map(|held| held.reached);
        let held = match link.role {
            Role::Spine => all().collect(),
            Role::Down => link.held.iter().map(|held| held.reached).collect(),
            Role::Back | Role::Side => Vec::new(),
        };
        Holding { predicates, role: link.role, held }
    }

    fn here(predicate: Option<Predicate>) -> Formula {
        predicate.map_or(Formula::FALSE, |predicate| Formula::atom(predicate, &[v()]))
    }

    fn updates(&self, change: impl Fn(Predicate) -> Formula) -> Vec<(Predicate, Definition)> {
        self.held.iter().map(|held| (*held, Definition { params: vec![v()], formula: change(*held) })).collect()
    }

    /// Whether the base is held.
    fn base_is(&self, held: Predicate) -> Formula {
        let base = Formula::and(Self::here(self.predicates.slots[BASE].points), Self::here(Some(held)));
        Formula::exists(vec![v()], base).rename_apart("b", &mut 0)
    }

    /// What is reached from the old cell may not be held any more, if it was by way of the base. The base still is: a path to it needs
    /// no link of its own.
    fn cut(&self) -> Vec<(Predicate, Definition)> {
        let slots = &self.predicates.slots;
        let behind = Formula::and(Self::here(slots[OLD].reach.first().copied()), !Self::here(slots[BASE].points));
        self.updates(|held| {
            let doubtful = match self.role {
                Role::Spine => Formula::and(self.base_is(held), behind.clone()),
                Role::Down | Role::Back | Role::Side => behind.clone(),
            };
            let held = Self::here(Some(held));
            let doubt = Formula::and(held.clone(), Formula::Literal(Kleene::Unknown));
            Formula::if_then_else(doubtful, doubt, held)
        })
    }

    /// What is reached from the value is held, if the link leads down, or the base is.
    fn make(&self) -> Vec<(Predicate, Definition)> {
        let slots = &self.predicates.slots;
        let reached = Self::here(slots[VALUE].reach.first().copied());
        self.updates(|held| {
            let new = match self.role {
                Role::Spine => Formula::and(self.base_is(held), reached.clone()),
                Role::Down | Role::Back | Role::Side => reached.clone(),
            };
            Formula::or(Self::here(Some(held)), new)
        })
    }
}

/// Whether a structure stands for any heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coerced {
    /// It may.
    Kept,
    /// It does not.
    Empty,
}

/// Whether cutting a link takes the edge out of the spine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpineEdge {
    /// It was the only link of the spine between the two cells, or none.
    Goes,
    /// Another link of the spine leads the same way.
    Stays,
}

/// What becomes of a structure.
#[derive(Default, Debug)]
pub struct Changed {
    /// The structures afterwards, not blurred.
    pub structures: Vec<Structure>,
    /// Whether some structure outgrew its words.
    pub too_large: bool,
}
