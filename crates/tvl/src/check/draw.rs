//! The structures of each location as pictures.

use super::CheckedProgram;
use heapwise_cells::invariant::{self, Invariant};
use heapwise_cells::program::Point;
use heapwise_engine::Drawing;
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
            rename(checked, point, &mut drawing);
            drawing
        });
        Some(drawn.collect())
    })
}

/// Slots get the names of the variables that they hold here.
fn rename(checked: &CheckedProgram, point: Point, drawing: &mut Drawing) {
    let program = &checked.translation.program;
    let mut names: Vec<(String, String)> = program
        .vars
        .keys()
        .filter(|var| checked.fixpoint.slots.is_kept(point, *var))
        .map(|var| (checked.fixpoint.slots.of(var).to_string(), program.var_name(var).to_owned()))
        .collect();
    // Longer names first: one may begin with another.
    names.sort_by_key(|(slot, _)| std::cmp::Reverse(slot.len()));
    let renamed = |text: &str| names.iter().fold(text.to_owned(), |text, (slot, name)| text.replace(slot, name));
    drawing.title = renamed(&drawing.title);
    for node in &mut drawing.nodes {
        for line in &mut node.lines {
            *line = renamed(line);
        }
    }
}
