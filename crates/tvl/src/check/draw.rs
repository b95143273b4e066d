//! The structures of each location as pictures.

use super::CheckedProgram;
use super::run::{Fixpoint, Suspicion};
use crate::structure::Structure;
use heapwise_cells::invariant;
use heapwise_cells::program::{CellProgram, Command, Point};
use heapwise_engine::{Drawing, Invariant, Node, NodeStyle};
use heapwise_ir::Program;

/// The invariants of all locations that are reached, in the order of the program.
pub fn invariants(checked: &CheckedProgram, program: &Program) -> Vec<Invariant> {
    let fixpoint = &checked.fixpoint;
    invariant::invariants(&checked.translation, program, |name, point| {
        if !fixpoint.is_reached(point) {
            return None;
        }
        let total = fixpoint.structures(point).count();
        let drawn = fixpoint.structures(point).enumerate().map(|(i, structure)| {
            let title = format!("{name}: {} of {total}", i + 1);
            let mut drawing = crate::drawing::draw(structure, &fixpoint.predicates.vocabulary, &title);
            note_facts(fixpoint, structure, &mut drawing);
            rename(&checked.translation.program, fixpoint, point, &mut drawing);
            drawing
        });
        Some(drawn.collect())
    })
}

/// What holds of no cell stands beside the cells, so that it is seen where several structures make one picture.
fn note_facts(fixpoint: &Fixpoint, structure: &Structure, drawing: &mut Drawing) {
    let mut lines = crate::drawing::facts(structure, &fixpoint.predicates.vocabulary);
    if structure.size() == 0 {
        lines.insert(0, "no cells".to_owned());
    }
    if !lines.is_empty() {
        drawing.nodes.push(Node { lines, style: NodeStyle::Variable });
    }
}

/// The structure in which a step shows something.
pub fn before(program: &CellProgram, fixpoint: &Fixpoint, suspicion: &Suspicion) -> Drawing {
    let structure = fixpoint.shown_by(suspicion);
    let mut drawing = crate::drawing::draw(structure, &fixpoint.predicates.vocabulary, "the heap that shows it");
    rename(program, fixpoint, program.steps[suspicion.step].from, &mut drawing);
    in_words(fixpoint, &mut drawing);
    drawing
}

/// Leaves out what only the analysis needs, and says the rest in words.
fn in_words(fixpoint: &Fixpoint, drawing: &mut Drawing) {
    let predicates = &fixpoint.predicates;
    let name = |predicate| predicates.vocabulary.name(predicate).to_owned();
    // What several links lead along together is drawn link by link.
    let together = name(predicates.spine);
    if !predicates.links.values().flatten().any(|link| link.edge == predicates.spine) {
        drawing.arrows.retain(|arrow| arrow.label != together);
    }
    let (shared, cyclic) = (name(predicates.shared), name(predicates.cyclic));
    for node in &mut drawing.nodes {
        let lines = std::mem::take(&mut node.lines);
        node.lines.extend(lines.into_iter().filter_map(|line| {
            let (fact, doubt) = match line.strip_suffix(" = 1/2") {
                Some(fact) => (fact, "maybe "),
                None => (line.as_str(), ""),
            };
            let hidden = ["has[", "in[", "is[", "old#", "r[slot", "r[ as called"];
            if hidden.iter().any(|start| fact.starts_with(start)) {
                return None;
            }
            if fact == shared {
                return Some(format!("{doubt}led to by several cells"));
            }
            if fact == cyclic {
                return Some(format!("{doubt}on a cycle"));
            }
            match fact.strip_prefix("r[").and_then(|rest| rest.strip_suffix(']')) {
                Some(pointer) => Some(format!("{doubt}reached from {pointer}")),
                None => Some(line),
            }
        }));
    }
}

/// Slots get the names of the variables that they hold here.
fn rename(program: &CellProgram, fixpoint: &Fixpoint, point: Point, drawing: &mut Drawing) {
    let mut names: Vec<(String, String)> = program
        .vars
        .keys()
        .filter(|var| fixpoint.slots.is_kept(point, *var))
        .map(|var| (fixpoint.slots.of(var).to_string(), program.var_name(var).to_owned()))
        .collect();
    for step in program.steps.values() {
        if let Command::Enter { parameters, .. } = &step.command {
            for (slot, var) in fixpoint.slots.ghosts().zip(parameters) {
                let name = var.map_or("", |var| program.var_name(var));
                names.push((slot.to_string(), format!("{name} as called")));
            }
        }
    }
    // Longer names first: one may begin with another.
    names.sort_by_key(|(slot, _)| std::cmp::Reverse(slot.len()));
    let renamed = |text: &str| names.iter().fold(text.to_owned(), |text, (slot, name)| text.replace(slot, name));
    drawing.title = renamed(&drawing.title);
    for node in &mut drawing.nodes {
        for line in &mut node.lines {
            *line = renamed(line);
        }
        for comparison in program.comparisons.values() {
            unite(&comparison.words, &mut node.lines);
        }
    }
}

/// Two comparisons that both hold are one: `a <= b` and `a != b` say `a < b`.
fn unite([left, right]: &[String; 2], lines: &mut Vec<String>) {
    for (one, other, both) in [("<=", "!=", "<"), (">=", "!=", ">"), (">=", "<=", "==")] {
        let line = |operator: &str| format!("{left} {operator} {right}");
        let at = |operator: &str| lines.iter().position(|known| *known == line(operator));
        if let (Some(first), Some(second)) = (at(one), at(other)) {
            lines[first.min(second)] = line(both);
            lines.remove(first.max(second));
        }
    }
}
