//! What is in the hole of a segment, as far as its measures go.
//!
//! A segment may fit whatever is in its hole: a black cell has children of any colour. Which measures it is given when it is
//! folded is a choice, and the right one is that of what is there.

use crate::chunk::{Chunk, DEEP, Merging, Space, chunks_at, port_pointer, untagged};
use crate::heap::{Measure, Node, Object, PortId, Value};
use crate::measures::{Known, of_empty};
use crate::predicate::{Definition, Definitions, Layout, MeasureOf, MeasureTerm, Term};
use std::rc::Rc;

/// What a cell claims of a measure of the structure that begins with it: what all rules say that fit its numbers and tags.
fn claimed(object: &Object, measure: usize, layout: &Layout, definition: &Definition) -> Option<Measure> {
    let mut found: Option<Measure> = None;
    for rule in definition.rules_at(PortId::FIRST) {
        let fits = layout.places().enumerate().all(|(number, (link, bytes))| {
            let is_marked = definition.tag_modulus(number) > 1 || rule.links[number] == Term::Null;
            !is_marked || untagged(definition, rule, number, object.load(link, bytes)).is_some()
        });
        if !fits {
            continue;
        }
        let said = rule.equations.iter().find_map(|equation| match (equation.left, equation.right) {
            (MeasureTerm { of: Some(MeasureOf::Own(number)), plus: 0 }, MeasureTerm { of: None, plus })
                if number == measure =>
            {
                Some(Measure::constant(plus))
            }
            _ => None,
        })?;
        match found {
            Some(known) if known != said => return None,
            Some(_) | None => found = Some(said),
        }
    }
    found
}

/// What the structure in the hole of a segment is like, as far as can be seen: its measures.
fn measures_at(space: &Space, start: Value, layout: &Rc<Layout>, definitions: &Definitions) -> Vec<Option<Measure>> {
    let definition = definitions.get(layout.definition);
    let unknown = || vec![None; definition.measures.len()];
    let pointer = match start {
        Value::ZERO => return of_empty(definition),
        Value::Pointer(pointer) if pointer.node.level() == space.level => pointer,
        _ => return unknown(),
    };
    let chunk = chunks_at(space, pointer.node, layout, definitions, DEEP, Merging::Exact).into_iter().next();
    if let Some(chunk) = chunk
        && pointer == port_pointer(space, chunk.first, PortId::FIRST, layout, definition)
    {
        return chunk.measures;
    }
    match space.node(pointer.node) {
        Some(Node::Object(object)) if space.is_element(object, layout) => {
            (0..definition.measures.len()).map(|measure| claimed(object, measure, layout, definition)).collect()
        }
        // Another segment leads on to what is there.
        Some(Node::Instance(segment)) if segment.layout.entry == layout.entry => {
            let found = definitions.get(segment.layout.definition);
            match &found.closing {
                Some(closing) if closing.part == layout.definition => {
                    let mut known = Known::default();
                    for (number, measure) in segment.measures.iter().enumerate() {
                        known.set(MeasureOf::Own(number), Some(*measure));
                    }
                    let _ = known.solve(&closing.equations);
                    (0..definition.measures.len()).map(|measure| known.get(MeasureOf::Part(1, measure))).collect()
                }
                Some(_) | None => unknown(),
            }
        }
        Some(_) | None => unknown(),
    }
}

/// A chunk whose measures are chosen to fit what is in its hole, where they may be any.
pub(crate) fn fit_measures(space: &Space, mut chunk: Chunk, layout: &Rc<Layout>, definitions: &Definitions) -> Chunk {
    let definition = definitions.get(layout.definition);
    if chunk.measures.iter().all(Option::is_some) {
        return chunk;
    }
    let Some(closing) = &definition.closing else { return chunk };
    let Some(Some(start)) = chunk.inputs.get(closing.hole).copied() else { return chunk };
    let part_layout = Rc::new(layout.of(closing.part, definitions));
    let mut known = Known::default();
    for (number, measure) in measures_at(space, start, &part_layout, definitions).into_iter().enumerate() {
        known.set(MeasureOf::Part(0, number), measure);
    }
    if known.solve(&closing.equations).is_some() {
        for (_, lower) in definition.measure_pairs() {
            if chunk.measures[lower].is_none() {
                chunk.measures[lower] = known.get(MeasureOf::Own(lower));
            }
        }
    }
    chunk
}

/// The measures of an empty segment before which something of this kind stands: those of what is in its hole.
pub(crate) fn measures_through(
    space: &Space,
    start: Value,
    layout: &Rc<Layout>,
    definitions: &Definitions,
) -> Vec<Option<Measure>> {
    let definition = definitions.get(layout.definition);
    let mut measures = of_empty(definition);
    if let Some(closing) = &definition.closing {
        let part_layout = Rc::new(layout.of(closing.part, definitions));
        let mut known = Known::default();
        for (number, measure) in measures_at(space, start, &part_layout, definitions).into_iter().enumerate() {
            known.set(MeasureOf::Part(0, number), measure);
        }
        if known.solve(&closing.equations).is_some() {
            for (upper, lower) in definition.measure_pairs() {
                let measure = known.get(MeasureOf::Own(lower));
                (measures[upper], measures[lower]) = (measure, measure);
            }
        }
    }
    measures
}
