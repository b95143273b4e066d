//! Which part of the heap a function that calls itself is given.
//!
//! A call of such a function gets what it may look at, not all that its arguments lead to: through links to parents, or back
//! along a list, every cell leads to the whole structure, and the cells of all callers that wait would have to be told
//! apart. What a function may look at is read off its text, and is a guess that is checked: a cell that it was not given
//! stands for itself without contents ([`crate::heap::Storage::Outside`]), and looking at it is a gap. The engine then
//! starts again with whole heaps.

use crate::layouts::parts_of;
use heapwise_ir::{
    Body, CallGraph, Callee, Condition, CopySource, Expression, FunctionId, Instruction, Operand, Path, Place, Program,
    RecordId, RegisterId, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What functions that call themselves are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// What they seem to look at.
    Footprint,
    /// All that arguments and globals lead to.
    Everything,
}

/// What one function, with all that it calls, seems to look at.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Footprint {
    /// By record: the offsets from which pointers are loaded.
    followed: FxHashMap<RecordId, FxHashSet<i64>>,
    /// By parameter: whether it is only handed on or stored.
    pub(crate) is_opaque: Vec<bool>,
}

impl Footprint {
    /// Whether the link at this offset of a record is followed. What is not known is.
    pub(crate) fn follows(&self, record: Option<RecordId>, offset: i64) -> bool {
        match record.and_then(|record| self.followed.get(&record)) {
            Some(offsets) => offsets.contains(&offset),
            None => true,
        }
    }
}

/// The footprints of a program's functions, as far as they were asked for.
pub(crate) struct Footprints {
    dereferenced: FxHashSet<(FunctionId, RegisterId)>,
    known: FxHashMap<FunctionId, Rc<Footprint>>,
}

impl Footprints {
    pub fn new(program: &Program) -> Footprints {
        Footprints { dereferenced: dereferenced(program), known: FxHashMap::default() }
    }

    pub fn of(&mut self, program: &Program, graph: &CallGraph, function: FunctionId) -> Rc<Footprint> {
        let dereferenced = &self.dereferenced;
        let find = || Rc::new(footprint(program, graph, function, dereferenced));
        self.known.entry(function).or_insert_with(find).clone()
    }
}

fn footprint(
    program: &Program,
    graph: &CallGraph,
    function: FunctionId,
    dereferenced: &FxHashSet<(FunctionId, RegisterId)>,
) -> Footprint {
    let mut loads: FxHashSet<(RecordId, i64)> = FxHashSet::default();
    for reached in crate::calls::called_from(graph, function) {
        let Some(automaton) = program.functions[reached].automaton() else { continue };
        for edge in automaton.edges.values() {
            match &edge.instruction {
                Instruction::Load { place, .. } if matches!(program.ty(place.ty), Type::Pointer(_)) => {
                    note_load(program, &place.path, &mut loads);
                }
                Instruction::Assert(Condition::Shape(shape)) | Instruction::Assume(Condition::Shape(shape)) => {
                    shape.links.iter().for_each(|link| note_load(program, link, &mut loads));
                }
                _ => {}
            }
        }
    }
    let mut followed = FxHashMap::default();
    for id in program.records.keys() {
        let embedded = parts_of(program, id);
        let offsets = embedded.iter().flat_map(|(start, record)| {
            loads.iter().filter(move |(loaded, _)| loaded == record).map(move |(_, offset)| start + offset)
        });
        followed.insert(id, offsets.collect());
    }
    let definition = &program.functions[function];
    let is_opaque =
        definition.parameters.iter().map(|parameter| !dereferenced.contains(&(function, *parameter))).collect();
    Footprint { followed, is_opaque }
}

/// A pointer is loaded from the end of the path. (Through an address of a link itself no record is seen.)
fn note_load(program: &Program, path: &Path, loads: &mut FxHashSet<(RecordId, i64)>) {
    let (Type::Record(record), Some(resolved)) = (program.ty(path.view), program.resolve(path)) else { return };
    let size = program.records[*record].size as i64;
    loads.insert((*record, resolved.offset));
    // Whichever element of an array it is.
    for (_, stride) in &resolved.indices {
        let Some(stride) = i64::try_from(*stride).ok().filter(|stride| *stride > 0) else { continue };
        let start = resolved.offset.rem_euclid(stride);
        let mut offset = start;
        while offset < size {
            loads.insert((*record, offset));
            offset += stride;
        }
    }
}

/// The registers through which memory is accessed, directly or in a function that they are handed to.
fn dereferenced(program: &Program) -> FxHashSet<(FunctionId, RegisterId)> {
    let mut found: FxHashSet<(FunctionId, RegisterId)> = FxHashSet::default();
    // (source, target): the target is dereferenced, so the source is.
    let mut copies: Vec<((FunctionId, RegisterId), (FunctionId, RegisterId))> = Vec::new();
    for (id, function) in &program.functions {
        let Some(automaton) = function.automaton() else { continue };
        for edge in automaton.edges.values() {
            let mut note = |operand: Operand| {
                if let Operand::Register(register) = operand {
                    found.insert((id, register));
                }
            };
            let mut note_place = |place: &Place| note(place.base);
            match &edge.instruction {
                Instruction::Load { place, .. } | Instruction::Store { place, .. } => note_place(place),
                Instruction::Copy { place, source, .. } => {
                    note_place(place);
                    if let CopySource::Place(source) = source {
                        note_place(source);
                    }
                }
                Instruction::Assign { target, value } => match value {
                    Expression::Operand(Operand::Register(source))
                    | Expression::Convert { value: Operand::Register(source), .. } => {
                        copies.push(((id, *source), (id, *target)));
                    }
                    _ => edge.instruction.for_each_operand(note),
                },
                Instruction::Free { pointer } | Instruction::End { pointer } => note(*pointer),
                Instruction::Assert(Condition::Shape(shape)) | Instruction::Assume(Condition::Shape(shape)) => {
                    shape.arguments.iter().for_each(|argument| note(*argument));
                }
                Instruction::Call { callee, arguments, .. } => match callee {
                    Callee::Direct(called) if matches!(program.functions[*called].body, Body::Defined(_)) => {
                        let parameters = &program.functions[*called].parameters;
                        for (argument, parameter) in arguments.iter().zip(parameters) {
                            if let Operand::Register(source) = argument {
                                copies.push(((id, *source), (*called, *parameter)));
                            }
                        }
                    }
                    Callee::Direct(_) | Callee::Indirect(_) => arguments.iter().for_each(|argument| note(*argument)),
                },
                Instruction::Alloc { .. }
                | Instruction::Assume(_)
                | Instruction::Assert(_)
                | Instruction::Unsupported(_) => {}
            }
        }
    }
    loop {
        let before = found.len();
        for (source, target) in &copies {
            if found.contains(target) {
                found.insert(*source);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
