//! The reachability tree that proves a program safe, written down.

use heapwise_certificate::{Binding, Certificate, Edge, Node, NodeId};
use heapwise_engine::{BudgetMeter, Control};
use heapwise_fixpoint::PointId;
use heapwise_ir::entity::SecondaryMap;
use heapwise_shapes::classes::{ClassId, ClassLibrary};
use heapwise_shapes::precision::{Precision, ShapeType};
use heapwise_shapes::step::Stepper;
use heapwise_shapes::subject::Subject;
use heapwise_tvl::embed::embeds_in_place;
use heapwise_tvl::structure::Structure;

/// The certificate of a run that found no error: its structures, and which of them cover what each step makes of each. Nothing
/// if there was no time for it.
pub fn certificate(
    subject: &Subject<'_>,
    library: &ClassLibrary,
    precision: &Precision,
    stepper: &Stepper<'_>,
    found: impl Iterator<Item = (PointId, Vec<Structure>)>,
    control: &Control,
) -> Option<heapwise_engine::Certificate> {
    let mut nodes = Vec::new();
    let mut at: SecondaryMap<PointId, Vec<NodeId>> = SecondaryMap::new();
    for (point, structures) in found {
        for structure in structures {
            at[point].push(NodeId(nodes.len()));
            nodes.push(Node { point, structure });
        }
    }
    let cover = |point: PointId, structure: &Structure| {
        at[point].iter().copied().find(|node| embeds_in_place(structure, &nodes[node.0].structure))
    };
    let root = cover(subject.flow.flow.entry(subject.flow.start), &stepper.start().ok()?)?;
    let meter = BudgetMeter::new(control).every(8);
    let mut edges = Vec::new();
    for (position, node) in nodes.iter().enumerate() {
        for step in subject.flow.flow.outgoing(node.point) {
            meter.check().ok()?;
            let mut covers = Vec::new();
            for structure in stepper.step(subject.key(*step), &node.structure).ok()?.structures {
                covers.push(cover(subject.flow.flow.step(*step).to, &structure)?);
            }
            covers.sort_unstable();
            covers.dedup();
            edges.extend(covers.into_iter().map(|to| Edge { from: NodeId(position), step: *step, to }));
        }
    }
    let (classes, precision) = in_use(library, precision);
    let binding = Binding::new(subject.program, subject.options);
    let (n_nodes, n_edges) = (nodes.len(), edges.len());
    let certificate = Certificate { binding, classes, precision, root, nodes, edges };
    let text = certificate.text(subject.memory, stepper.abstraction());
    Some(heapwise_engine::Certificate { text, nodes: n_nodes, edges: n_edges })
}

/// The classes that a precision uses, and the precision with them alone.
fn in_use(library: &ClassLibrary, precision: &Precision) -> (ClassLibrary, Precision) {
    let mut used: Vec<ClassId> = precision.shapes.values().map(|shape| shape.class).collect();
    used.sort_unstable();
    used.dedup();
    let position = |class: ClassId| ClassId(used.iter().position(|other| *other == class).unwrap_or_default());
    let renamed = |shape: &ShapeType| ShapeType { class: position(shape.class), ..shape.clone() };
    let shapes = precision.shapes.iter().map(|(view, shape)| (*view, renamed(shape))).collect();
    (library.part(&used), Precision { shapes, ..precision.clone() })
}
