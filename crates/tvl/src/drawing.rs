//! Structures as shape analysis papers draw them.

use crate::structure::{Structure, members};
use crate::vocabulary::{ACTIVE, Arity, NEW, PredicateStyle, SUMMARY, Vocabulary};
use heapwise_engine::{Arrow, ArrowStyle, Drawing, Node, NodeStyle};
use heapwise_logic::{Kleene, Predicate};

/// Draws a structure: summary individuals doubled, values 1/2 dotted (or marked, in text), pointer predicates as
/// variables with an arrow, other unary predicates beside the node, binary predicates as arrows.
#[must_use]
pub fn draw(structure: &Structure, vocabulary: &Vocabulary, title: &str) -> Drawing {
    let mut drawing = Drawing { title: title.to_owned(), ..Drawing::default() };
    let facts = facts(structure, vocabulary);
    if !facts.is_empty() {
        drawing.title = format!("{title}: {}", facts.join(", "));
    }
    for u in 0..structure.size() {
        drawing.nodes.push(individual(structure, vocabulary, u));
    }
    for p in predicates(vocabulary, Arity::Unary) {
        if vocabulary.declaration(p).style == PredicateStyle::Pointer {
            pointer(structure, vocabulary, p, &mut drawing);
        }
    }
    for p in predicates(vocabulary, Arity::Binary) {
        let slot = vocabulary.slot(p);
        for u in 0..structure.size() {
            for v in members(structure.row(slot.index, u).may) {
                let style = style(structure.get(slot, &[u, v]));
                let label = vocabulary.name(p).to_owned();
                drawing.arrows.push(Arrow { from: u, from_line: None, to: v, label, style });
            }
        }
    }
    drawing
}

/// The nullary predicates that hold, or may.
#[must_use]
pub fn facts(structure: &Structure, vocabulary: &Vocabulary) -> Vec<String> {
    let nullary = predicates(vocabulary, Arity::Nullary);
    nullary.filter_map(|p| labelled(vocabulary.name(p), structure.nullary(vocabulary.slot(p).index))).collect()
}

fn predicates(vocabulary: &Vocabulary, arity: Arity) -> impl Iterator<Item = Predicate> + '_ {
    vocabulary.predicates().filter(move |p| vocabulary.slot(*p).arity == arity)
}

fn labelled(name: &str, value: Kleene) -> Option<String> {
    match value {
        Kleene::False => None,
        Kleene::Unknown => Some(format!("{name} = 1/2")),
        Kleene::True => Some(name.to_owned()),
    }
}

fn style(value: Kleene) -> ArrowStyle {
    if value.must() { ArrowStyle::Solid } else { ArrowStyle::Dotted }
}

fn individual(structure: &Structure, vocabulary: &Vocabulary, u: usize) -> Node {
    let mut lines = vec![format!("u{u}")];
    for p in predicates(vocabulary, Arity::Unary) {
        let slot = vocabulary.slot(p);
        let drawn_elsewhere =
            [SUMMARY, NEW].contains(&slot.index) || vocabulary.declaration(p).style == PredicateStyle::Pointer;
        if !drawn_elsewhere && slot.index != ACTIVE {
            lines.extend(labelled(vocabulary.name(p), structure.get(slot, &[u])));
        }
    }
    let summary = structure.summaries() >> u & 1 == 1;
    if structure.active().must >> u & 1 == 0 {
        lines.push("may be absent".to_owned());
    }
    Node { lines, style: if summary { NodeStyle::Summary } else { NodeStyle::Cell } }
}

fn pointer(structure: &Structure, vocabulary: &Vocabulary, p: Predicate, drawing: &mut Drawing) {
    let slot = vocabulary.slot(p);
    let bounds = structure.unary(slot.index);
    if bounds.may == 0 {
        return;
    }
    let from = drawing.nodes.len();
    drawing.nodes.push(Node { lines: vec![vocabulary.name(p).to_owned()], style: NodeStyle::Variable });
    for u in members(bounds.may) {
        let style = style(structure.get(slot, &[u]));
        drawing.arrows.push(Arrow { from, from_line: None, to: u, label: String::new(), style });
    }
}
