//! `heapwise dump regions`: what the points-to analysis finds, as text or drawn.

use heapwise_engine::{Arrow, ArrowStyle, Drawing, Node, NodeStyle};
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{FunctionId, Program, RegisterOrigin};
use heapwise_pointsto::{Entries, Mode, Options, PointsTo, RegionId, Value, analyse};

/// The regions of runs from an entry point; without one, from all functions that no call names.
pub(crate) fn of(program: &Program, entry: Option<FunctionId>) -> PointsTo {
    let entries = entry.map_or(Entries::Uncalled, |entry| Entries::Listed(vec![entry]));
    let arithmetic = heapwise_pointsto::Arithmetic::WithinObjects;
    analyse(program, &Options { mode: Mode::ContextInsensitive, arithmetic, entries })
}

/// One node per region with a row per cell that points, and one per variable.
pub(crate) fn drawing(program: &Program, points_to: &PointsTo) -> Drawing {
    let mut drawing = Drawing { title: "regions".to_owned(), ..Drawing::default() };
    let mut node_of: SecondaryMap<RegionId, Option<usize>> = SecondaryMap::new();
    let is_shown = |id: RegionId| {
        let region = &points_to.regions[id];
        !region.cells.is_empty() || !region.objects.is_empty()
    };
    for (id, region) in points_to.regions.iter().filter(|(id, _)| is_shown(*id)) {
        node_of[id] = Some(drawing.nodes.len());
        let mut lines = vec![format!("{id}{}", region.properties())];
        lines.extend(region.objects.iter().map(|(object, offset)| match offset {
            0 => object.name(program),
            offset => format!("{} at {offset}", object.name(program)),
        }));
        drawing.nodes.push(Node { lines, style: NodeStyle::Summary });
    }
    for (id, region) in points_to.regions.iter() {
        let Some(node) = node_of[id] else { continue };
        for cell in &region.cells {
            if cell.value == Value::default() {
                continue;
            }
            let lines = &mut drawing.nodes[node].lines;
            lines.push(format!("{}..{}", cell.offset, cell.offset + cell.size as i64));
            let row = lines.len() - 1;
            point(&mut drawing, (node, Some(row)), &cell.value, &node_of);
        }
    }
    for (id, function) in &program.functions {
        for (register, declared) in &function.registers {
            let value = points_to.register(id, register);
            if value.region.is_none() || matches!(declared.origin, RegisterOrigin::Temporary) {
                continue;
            }
            let lines = vec![format!("{}: {}", function.name, declared.name)];
            drawing.nodes.push(Node { lines, style: NodeStyle::Variable });
            let node = drawing.nodes.len() - 1;
            point(&mut drawing, (node, None), &value, &node_of);
        }
    }
    drawing
}

/// An arrow to where a value points; a row of words where nothing is known of it.
fn point(
    drawing: &mut Drawing,
    (from, from_line): (usize, Option<usize>),
    value: &Value,
    node_of: &SecondaryMap<RegionId, Option<usize>>,
) {
    if value.unknown {
        let lines = &mut drawing.nodes[from].lines;
        lines[from_line.unwrap_or(0)].push_str(" or unknown");
    }
    if let Some(to) = value.region.and_then(|region| node_of[region]) {
        let (label, style) = (value.offsets.to_string(), ArrowStyle::Solid);
        drawing.arrows.push(Arrow { from, from_line, to, label, style });
    }
}
