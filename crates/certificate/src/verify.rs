//! The checker: one pass over structures and steps.

use crate::binding::Binding;
use crate::format::{Certificate, NodeId};
use crate::read::Parts;
use heapwise_engine::{BudgetMeter, Control, Exhausted, Gap, GapReason, Kind, Options};
use heapwise_fixpoint::StepId;
use heapwise_ir::{Program, Span};
use heapwise_shapes::abstraction::ShapeAbstraction;
use heapwise_shapes::step::Stepper;
use heapwise_shapes::subject::{self, Subject};
use heapwise_shapes::transfer::{Problem, StepKey};
use heapwise_tvl::embed::embeds_in_place;
use std::collections::BTreeMap;

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verified {
    /// How many structures.
    pub nodes: usize,
    /// How many times a step was taken.
    pub steps: usize,
}

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejected {
    /// It is none.
    Malformed {
        /// The line; 0 if it is not known.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// It is about another program.
    OtherProgram,
    /// It was made with other models of functions without a body.
    OtherModels,
    /// It answers another question.
    OtherQuestion(Box<Binding>),
    /// The program has something that is not followed, so there is no proof.
    Gap(Gap),
    /// What holds at the start is not what the root says.
    Start,
    /// What a step makes of a structure is not covered by those that the certificate names.
    Uncovered {
        /// The structure.
        node: NodeId,
        /// Where the step is in the text.
        span: Span,
    },
    /// A step may fail.
    Error {
        /// The structure before it.
        node: NodeId,
        /// What may happen.
        kind: Kind,
        /// Where.
        span: Span,
    },
    /// A budget ran out before everything was checked.
    Exhausted(Exhausted),
}

/// Checks that a certificate proves the answer *safe* to this question.
///
/// # Errors
/// It does not.
pub fn verify(program: &Program, options: &Options, text: &str, control: &Control) -> Result<Verified, Rejected> {
    let parts = Parts::of(text)?;
    let now = Binding::new(program, options);
    if (&parts.binding.entry, &parts.binding.properties, parts.binding.allocation_failure)
        != (&now.entry, &now.properties, now.allocation_failure)
    {
        return Err(Rejected::OtherQuestion(Box::new(parts.binding)));
    }
    if parts.binding.models != now.models {
        return Err(Rejected::OtherModels);
    }
    if parts.binding.program != now.program {
        return Err(Rejected::OtherProgram);
    }
    if let Some(gap) = subject::gaps(program, options).into_iter().next() {
        return Err(Rejected::Gap(gap));
    }
    let checked = Subject::with(program, options, |subject| {
        let (certificate, abstraction) = parts.certificate(subject)?;
        check(subject, &certificate, &abstraction, control)
    });
    checked.map_err(Rejected::Gap)?
}

/// Takes every step of every structure once.
fn check(
    subject: &Subject<'_>,
    certificate: &Certificate,
    abstraction: &ShapeAbstraction,
    control: &Control,
) -> Result<Verified, Rejected> {
    let stepper = Stepper::new(subject.transfer(abstraction), control);
    let nodes = &certificate.nodes;
    let start = stepper.start().map_err(|reason| Rejected::Gap(Gap { span: Span::NONE, reason }))?;
    let root = &nodes[certificate.root.0];
    if root.point != subject.flow.flow.entry(subject.flow.start) || !embeds_in_place(&start, &root.structure) {
        return Err(Rejected::Start);
    }
    let mut covers: BTreeMap<(NodeId, StepId), Vec<NodeId>> = BTreeMap::new();
    for edge in &certificate.edges {
        covers.entry((edge.from, edge.step)).or_default().push(edge.to);
    }
    let meter = BudgetMeter::new(control).every(8);
    let mut steps = 0;
    for (position, node) in nodes.iter().enumerate() {
        let id = NodeId(position);
        for step in subject.flow.flow.outgoing(node.point) {
            meter.check().map_err(Rejected::Exhausted)?;
            steps += 1;
            let key = subject.key(*step);
            let stepped = stepper.step(key, &node.structure).map_err(Rejected::Exhausted)?;
            for problem in stepped.problems {
                let span = span(subject, key);
                match problem {
                    // The way ends there, and nobody asked.
                    Problem::Error(kind) if !subject.options.asks_for(kind) => {}
                    Problem::Error(kind) => return Err(Rejected::Error { node: id, kind, span }),
                    Problem::Gap(reason) => return Err(rejected(reason, span)),
                }
            }
            let named = covers.get(&(id, *step)).map(Vec::as_slice).unwrap_or_default();
            let is_covered = |structure| named.iter().any(|to| embeds_in_place(structure, &nodes[to.0].structure));
            if !stepped.structures.iter().all(is_covered) {
                return Err(Rejected::Uncovered { node: id, span: span(subject, key) });
            }
        }
    }
    Ok(Verified { nodes: nodes.len(), steps })
}

fn rejected(reason: GapReason, span: Span) -> Rejected {
    Rejected::Gap(Gap { span, reason })
}

fn span(subject: &Subject<'_>, key: StepKey) -> Span {
    let (StepKey::Instruction(function, edge, _)
    | StepKey::Enter(function, edge, _)
    | StepKey::Leave(function, edge, _)) = key;
    let automaton = subject.program.functions[function].automaton();
    automaton.map_or(Span::NONE, |automaton| automaton.edges[edge].span)
}
