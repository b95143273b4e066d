//! What each link of a record is for: part of the spine that reachability follows, a way back, or neither.
//!
//! Roles choose instrumentation predicates. A wrong one costs precision, never soundness: predicates are defined by
//! formulas, and nothing is assumed about how a program uses its links.

use super::insertions::{Insertions, target_of};
use super::predicates::Naming;
use heapwise_cells::program::{CellKind, CellProgram, Command, KindId, LinkTarget, Source};
use heapwise_cells::touch::Touched;
use heapwise_engine::reason::{AskedShape, Note};
use heapwise_ir::entity::PrimaryMap;
use heapwise_ir::{LinkRole, ShapeKind};

/// A predicate set, chosen on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ShapeChoice {
    /// From the record types, the shapes that the program claims and the way it stores pointers.
    #[default]
    Inferred,
    /// Singly-linked lists.
    SinglyLinked,
    /// Doubly-linked lists.
    DoublyLinked,
    /// Cyclic lists.
    Cyclic,
    /// Trees.
    Tree,
    /// Trees with parent pointers.
    TreeWithParent,
}

/// What a link is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Reachability follows it.
    Spine,
    /// It leads back along the spine.
    Back,
    /// It leads to another kind of cells, which lies below: what is reached from where any such link leads is held by it.
    Down,
    /// Neither.
    Side,
}

/// The roles of the links of every kind.
pub type Roles = PrimaryMap<KindId, Vec<Role>>;

/// Chooses the roles.
pub fn roles(program: &CellProgram, choice: ShapeChoice, naming: Naming) -> Roles {
    let insertions = Insertions::new(program);
    let mut roles = wide_roles(program, choice, &insertions);
    if naming == Naming::Coarse && choice == ShapeChoice::Inferred {
        narrow(program, &mut roles, &insertions);
    }
    roles
}

/// Whether coarse names tell less apart than plain ones.
pub fn has_coarser_names(program: &CellProgram) -> bool {
    let insertions = Insertions::new(program);
    let wide = wide_roles(program, ShapeChoice::Inferred, &insertions);
    let mut narrowed = wide.clone();
    narrow(program, &mut narrowed, &insertions);
    let leads_aside = |(kind, of_kind): (KindId, &Vec<Role>)| {
        let mut links = of_kind.iter().zip(&program.kinds[kind].links);
        links.any(|(role, link)| *role == Role::Side && link.target != LinkTarget::Same)
    };
    narrowed != wide || wide.iter().any(leads_aside)
}

/// Leaves the links of the spine from each kind to itself by which new cells get in, those of the lowest level, or one link where
/// nothing is known of that. Those to another kind lead down, unless such links lead back here. Of two kinds that lead to
/// each other, the one that new cells of the other get in from is above, or the one that comes first in the program, unless the
/// names of the links say otherwise.
fn narrow(program: &CellProgram, roles: &mut Roles, insertions: &Insertions<'_>) {
    for (id, kind) in &program.kinds {
        let is_own = |link: &usize| kind.links[*link].target == LinkTarget::Same && roles[id][*link] == Role::Spine;
        let own: Vec<usize> = (0..kind.links.len()).filter(is_own).collect();
        let kept = lowest(id, kind, &own, insertions);
        own.iter().filter(|link| !kept.contains(link)).for_each(|link| roles[id][*link] = Role::Side);
    }
    let mut across = Vec::new();
    for (id, kind) in &program.kinds {
        for link in 0..kind.links.len() {
            if matches!(kind.links[link].target, LinkTarget::Other(_)) && roles[id][link] == Role::Spine {
                across.extend(target_of(program, (id, link)).map(|target| (id, link, target)));
            }
        }
    }
    let is_way_back = |kind: KindId, link: usize| matches!(LinkRole::of_name(&program.kinds[kind].links[link].name), Some(role) if role != LinkRole::Forward);
    across.sort_by_key(|(kind, link, _)| (is_way_back(*kind, *link), !insertions.by((*kind, *link))));
    let mut below: Vec<(KindId, KindId)> = Vec::new();
    for (kind, link, target) in across {
        if leads_to(&below, target, kind) {
            roles[kind][link] = Role::Side;
        } else {
            below.push((kind, target));
            roles[kind][link] = Role::Down;
        }
    }
}

/// Of the links from a kind to itself, those of the lowest level.
fn lowest(id: KindId, kind: &CellKind, own: &[usize], insertions: &Insertions<'_>) -> Vec<usize> {
    let leads_on = |link: &usize| LinkRole::of_name(&kind.links[*link].name) == Some(LinkRole::Forward);
    let one = || own.iter().copied().find(leads_on).or(own.first().copied()).into_iter().collect();
    let inserted: Vec<usize> = own.iter().copied().filter(|link| insertions.by((id, *link))).collect();
    let is_above = |lower: usize, upper: usize| insertions.is_level_above((id, lower), (id, upper));
    let kept: Vec<usize> = inserted
        .iter()
        .copied()
        .filter(|upper| !inserted.iter().any(|lower| is_above(*lower, *upper) && !is_above(*upper, *lower)))
        .collect();
    let are_levels = kept.iter().any(|a| kept.iter().any(|b| a != b && is_above(*a, *b)));
    if kept.is_empty() || are_levels { one() } else { kept }
}

fn leads_to(edges: &[(KindId, KindId)], from: KindId, to: KindId) -> bool {
    let (mut seen, mut open) = (vec![from], vec![from]);
    while let Some(kind) = open.pop() {
        if kind == to {
            return true;
        }
        for (_, next) in edges.iter().filter(|(above, _)| *above == kind) {
            if !seen.contains(next) {
                seen.push(*next);
                open.push(*next);
            }
        }
    }
    false
}

fn wide_roles(program: &CellProgram, choice: ShapeChoice, insertions: &Insertions<'_>) -> Roles {
    let mut roles = Roles::new();
    for (id, kind) in &program.kinds {
        let own: Vec<usize> =
            (0..kind.links.len()).filter(|link| kind.links[*link].target == LinkTarget::Same).collect();
        let mut chosen = others(id, kind, insertions);
        for (link, role) in own.iter().zip(own_roles(program, id, kind, &own, choice)) {
            chosen[*link] = role;
        }
        let spine = own.iter().copied().filter(|link| chosen[*link] == Role::Spine);
        let (once, more): (Vec<usize>, Vec<usize>) = spine.partition(|link| insertions.is_set_once((id, *link)));
        if choice == ShapeChoice::Inferred && !more.is_empty() {
            // A way to the root or to the head holds nothing together.
            once.into_iter().for_each(|link| chosen[link] = Role::Side);
        }
        roles.push(chosen);
    }
    roles
}

/// Why a chosen shape does not fit any record of the program, if so. The analysis goes on: predicates only cost precision.
pub fn misfit(program: &CellProgram, choice: ShapeChoice) -> Option<Note> {
    let shape = match choice {
        ShapeChoice::Inferred => return None,
        ShapeChoice::SinglyLinked => AskedShape::SinglyLinked,
        ShapeChoice::Cyclic => AskedShape::Cyclic,
        ShapeChoice::DoublyLinked => AskedShape::DoublyLinked,
        ShapeChoice::Tree => AskedShape::Tree,
        ShapeChoice::TreeWithParent => AskedShape::TreeWithParent,
    };
    let own = |kind: &CellKind| -> Vec<String> {
        let links = kind.links.iter().filter(|link| link.target == LinkTarget::Same);
        links.map(|link| link.name.clone()).collect()
    };
    let best = program.kinds.values().max_by_key(|kind| own(kind).len())?;
    let links = own(best);
    (links.len() < shape.links()).then(|| Note::ShapeMisfit { shape, record: best.name.clone(), links })
}

/// Links to other types: the first to a type is part of the spine (a second one is a tail pointer, a cursor or the like).
fn others(id: KindId, kind: &CellKind, insertions: &Insertions<'_>) -> Vec<Role> {
    let mut seen = Vec::new();
    let by_name = |name: &str| matches!(LinkRole::of_name(name), Some(role) if role != LinkRole::Forward);
    let mut order: Vec<usize> = (0..kind.links.len()).collect();
    order.sort_by_key(|link| (by_name(&kind.links[*link].name), !insertions.by((id, *link))));
    let mut roles = vec![Role::Side; kind.links.len()];
    for link in order {
        if let LinkTarget::Other(pointee) = kind.links[link].target
            && !seen.contains(&pointee)
        {
            seen.push(pointee);
            roles[link] = Role::Spine;
        }
    }
    roles
}

fn own_roles(program: &CellProgram, id: KindId, kind: &CellKind, own: &[usize], choice: ShapeChoice) -> Vec<Role> {
    let one_back = |back: Option<usize>| -> Vec<Role> {
        own.iter().map(|link| if Some(*link) == back { Role::Back } else { Role::Spine }).collect()
    };
    let named_back = own.iter().copied().find(|link| is_back_name(&kind.links[*link].name));
    let first_only = || -> Vec<Role> {
        own.iter().enumerate().map(|(i, _)| if i == 0 { Role::Spine } else { Role::Side }).collect()
    };
    if own.len() < 2 {
        return vec![Role::Spine; own.len()];
    }
    match choice {
        ShapeChoice::SinglyLinked | ShapeChoice::Cyclic => first_only(),
        ShapeChoice::DoublyLinked | ShapeChoice::TreeWithParent => {
            one_back(named_back.or_else(|| mutual(program, kind, own)).or(own.last().copied()))
        }
        ShapeChoice::Tree => vec![Role::Spine; own.len()],
        ShapeChoice::Inferred => match claimed(program, id, own) {
            Some(Claimed::Back(back)) => one_back(Some(back)),
            Some(Claimed::Tree) => vec![Role::Spine; own.len()],
            None => one_back(mutual(program, kind, own).or(named_back)),
        },
    }
}

fn is_back_name(name: &str) -> bool {
    matches!(LinkRole::of_name(name), Some(LinkRole::Backward | LinkRole::Parent))
}

enum Claimed {
    Back(usize),
    Tree,
}

/// What shape claims of the program say about a kind.
fn claimed(program: &CellProgram, id: KindId, own: &[usize]) -> Option<Claimed> {
    program.steps.values().find_map(|step| match &step.command {
        Command::Shape { kind, cell, links, .. } if *cell == id => match kind {
            ShapeKind::DoublyLinked | ShapeKind::TreeWithParent => links.last().copied().map(Claimed::Back),
            ShapeKind::Tree if links.len() == own.len() => Some(Claimed::Tree),
            _ => None,
        },
        _ => None,
    })
}

/// A link that the program stores in pairs with others: `x->f = y` and `y->b = x`. The one that pairs with most others,
/// the later one where there is a choice, leads back.
fn mutual(program: &CellProgram, kind: &CellKind, own: &[usize]) -> Option<usize> {
    let mut stores = Vec::new();
    for step in program.steps.values() {
        if let Command::Store { base, access, value: Source::Var(value) } = &step.command
            && let Touched::Link(link) = kind.touched(*access)
            && own.contains(&link)
        {
            stores.push((*base, link, *value));
        }
    }
    let pairs = |f: usize, b: usize| {
        stores.iter().any(|(x, link, y)| {
            *link == f && x != y && stores.iter().any(|(base, link, value)| *link == b && base == y && value == x)
        })
    };
    let partners = |b: usize| own.iter().filter(|f| **f != b && pairs(**f, b)).count();
    let (best, link) = own
        .iter()
        .map(|link| (partners(*link), *link))
        .max_by_key(|(count, link)| (*count, is_back_name(&kind.links[*link].name), *link))?;
    (best > 0).then_some(link)
}
