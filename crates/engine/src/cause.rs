//! Findings that follow from one cause are one finding, which names the other places.
//!
//! Two findings have one cause only where that is certain: storage that one statement freed, an object that its own
//! function allocates and loses at several ends, one value of a pointer (the same assignments reach both statements), one
//! variable or member that nothing wrote. What cannot be told stays apart: no error with another cause is hidden.

use crate::finding::{AlsoAt, Finding, Kind, Statement};
use heapwise_ir::entity::{EntitySet, SecondaryMap};
use heapwise_ir::{
    Automaton, CopySource, EdgeId, Expression, Function, FunctionId, Instruction, LocationId, Operand, Path, Program,
    RegisterId, RegisterOrigin, Span, Step,
};

/// Why something fails.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Cause {
    /// What this statement allocates is not freed before its function loses it.
    Lost(Statement),
    /// What this statement freed, or ended, is still used.
    Gone(Statement),
    /// This value is null where it is dereferenced.
    Null(Origin),
    /// This value was never given.
    Unset(Origin),
    /// Nothing was written to this part of what the value points to.
    UnsetBehind(Origin, Path),
}

/// A value of a register: who gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Origin {
    function: FunctionId,
    register: RegisterId,
    /// The edges that set it, sorted; `None`: it has its value from the start of the function.
    set_by: Vec<Option<EdgeId>>,
}

/// The same findings, those with one cause as one: a confirmed one, or else the first of the text.
pub fn by_cause(program: &Program, findings: Vec<Finding>) -> Vec<Finding> {
    let mut findings = findings;
    findings.iter_mut().for_each(|finding| finding.leave_library(program));
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.sort_by_key(|index| (findings[*index].certainty, findings[*index].span, *index));
    let causes: Vec<Option<Cause>> = findings.iter().map(|finding| cause(program, finding)).collect();
    let mut leader: Vec<usize> = (0..findings.len()).collect();
    for (position, index) in order.iter().enumerate() {
        let same = |first: &&usize| causes[*index].is_some() && causes[**first] == causes[*index];
        if let Some(first) = order[..position].iter().find(same) {
            leader[*index] = leader[*first];
        }
    }
    let mut grouped = findings.clone();
    for (index, finding) in findings.into_iter().enumerate().filter(|(index, _)| leader[*index] != *index) {
        let Finding { kind, certainty, span, function, also, .. } = finding;
        let place = AlsoAt { kind, certainty, at: Statement { function, span } };
        let places = &mut grouped[leader[index]].also;
        places.extend(std::iter::once(place).chain(also));
        places.sort_by_key(|place| (place.at.span, place.kind));
        places.dedup();
    }
    let mut position = 0;
    grouped.retain(|_| {
        position += 1;
        leader[position - 1] == position - 1
    });
    grouped
}

impl Finding {
    /// Whether this finding, or one that it stands for, is of that kind at that place.
    pub fn covers(&self, kind: Kind, at: Statement) -> bool {
        let own = (self.kind, Statement { function: self.function, span: self.span });
        own == (kind, at) || self.also.iter().any(|place| (place.kind, place.at) == (kind, at))
    }
}

fn cause(program: &Program, finding: &Finding) -> Option<Cause> {
    if finding.span == Span::NONE {
        return None;
    }
    let at = || Place::of(program, finding.function, finding.span);
    match finding.kind {
        // Another function that allocates or frees is called in many places, and each may have its own error.
        Kind::Leak => finding.about.made.filter(|made| made.function == finding.function).map(Cause::Lost),
        Kind::UseAfterFree | Kind::DoubleFree => {
            finding.about.gone.filter(|gone| gone.function == finding.function).map(Cause::Gone)
        }
        Kind::NullDereference => at()?.dereferenced().map(Cause::Null),
        Kind::Uninitialised => at()?.read(),
        Kind::InvalidFree
        | Kind::LeakAtExit
        | Kind::OutOfBounds
        | Kind::DanglingReturn
        | Kind::DivisionByZero
        | Kind::Overflow
        | Kind::Assertion
        | Kind::Shape => None,
    }
}

/// A statement that fails: all its edges.
struct Place<'p> {
    id: FunctionId,
    automaton: &'p Automaton,
    function: &'p Function,
    incoming: SecondaryMap<LocationId, Vec<EdgeId>>,
    span: Span,
}

impl<'p> Place<'p> {
    fn of(program: &'p Program, id: FunctionId, span: Span) -> Option<Place<'p>> {
        let function = program.functions.get(id)?;
        let automaton = function.automaton()?;
        Some(Place { id, automaton, function, incoming: automaton.incoming(), span })
    }

    fn edges(&self) -> impl Iterator<Item = (EdgeId, &'p Instruction)> + '_ {
        let here = self.automaton.edges.iter().filter(|(_, edge)| edge.span == self.span);
        here.map(|(id, edge)| (id, &edge.instruction))
    }

    /// The one value that the statement dereferences or frees; `None` where there are several.
    fn dereferenced(&self) -> Option<Origin> {
        let mut origins = self.edges().flat_map(|(edge, instruction)| {
            let pointers = dereferenced(instruction).into_iter();
            pointers.map(move |operand| self.origin(edge, operand))
        });
        let first = origins.next()??;
        origins.all(|origin| origin.as_ref() == Some(&first)).then_some(first)
    }

    /// What the statement reads that was never written; `None` where it reads several values.
    fn read(&self) -> Option<Cause> {
        let mut causes = self.edges().flat_map(|(edge, instruction)| match instruction {
            Instruction::Load { place, .. } => {
                let is_one = place.path.steps.iter().all(|step| matches!(step, Step::Field(..)));
                let base = self.origin(edge, place.base).filter(|_| is_one);
                vec![base.map(|base| Cause::UnsetBehind(base, place.path.clone()))]
            }
            instruction => {
                let mut read = Vec::new();
                instruction.for_each_register_read(|register| {
                    // What was loaded here is spoken of above.
                    let is_own = self.edges().any(|(_, other)| other.target() == Some(register));
                    if !is_own {
                        read.push(self.origin(edge, Operand::Register(register)).map(Cause::Unset));
                    }
                });
                read
            }
        });
        let first = causes.next()??;
        causes.all(|cause| cause.as_ref() == Some(&first)).then_some(first)
    }

    /// Who gives the value that an operand of this edge has.
    fn origin(&self, edge: EdgeId, operand: Operand) -> Option<Origin> {
        let mut register = operand.register()?;
        let mut at = self.automaton.edges[edge].from;
        // Copies pass a value on; as many as there are edges, in a row without a loop.
        for _ in 0..self.automaton.edges.len() {
            let set_by = self.set_by(at, register);
            if let [Some(only)] = set_by[..]
                && let Instruction::Assign { value: Expression::Operand(Operand::Register(source)), .. } =
                    &self.automaton.edges[only].instruction
            {
                (register, at) = (*source, self.automaton.edges[only].from);
                continue;
            }
            // A value that is read from memory anew is another one each time, as far as is known.
            let is_variable = matches!(
                self.function.registers[register].origin,
                RegisterOrigin::Variable(_) | RegisterOrigin::AddressOfLocal(_)
            );
            return is_variable.then_some(Origin { function: self.id, register, set_by });
        }
        None
    }

    /// The edges whose value a register may have at a location.
    fn set_by(&self, at: LocationId, register: RegisterId) -> Vec<Option<EdgeId>> {
        let mut found = Vec::new();
        let mut seen = EntitySet::with_capacity(self.automaton.n_locations());
        seen.insert(at);
        let mut waiting = vec![at];
        while let Some(location) = waiting.pop() {
            if location == self.automaton.entry {
                found.push(None);
            }
            for &id in &self.incoming[location] {
                let edge = &self.automaton.edges[id];
                if edge.instruction.target() == Some(register) {
                    found.push(Some(id));
                } else if seen.insert(edge.from) {
                    waiting.push(edge.from);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The pointers that an instruction looks behind. A call looks behind any of its arguments.
fn dereferenced(instruction: &Instruction) -> Vec<Operand> {
    match instruction {
        Instruction::Load { place, .. } | Instruction::Store { place, .. } => vec![place.base],
        Instruction::Copy { place, source, .. } => match source {
            CopySource::Place(from) => vec![place.base, from.base],
            CopySource::Fill(_) | CopySource::Members | CopySource::Nondet => vec![place.base],
        },
        Instruction::Free { pointer } => vec![*pointer],
        Instruction::Call { arguments, .. } => {
            arguments.iter().copied().filter(|operand| operand.register().is_some()).collect()
        }
        Instruction::Assign { .. }
        | Instruction::Alloc { .. }
        | Instruction::End { .. }
        | Instruction::Assume(_)
        | Instruction::Assert(_)
        | Instruction::Unsupported(_) => Vec::new(),
    }
}
