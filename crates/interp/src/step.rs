//! One step: pick an edge, run its instruction, go on; calls, returns, the end of the program.

use crate::access::{Access, FillValue};
use crate::addresses::OF_MALLOC;
use crate::chooser::Question;
use crate::code::CompiledPlace;
use crate::compare::{Refinement, Truth};
use crate::contents::Fill;
use crate::describe::count;
use crate::heap::{Holder, Life, ObjectKind};
use crate::inputs::{Doubt, NEVER_WRITTEN, PointersInside};
use crate::library::Failed;
use crate::machine::{Ending, EventKind, Executor, Machine, Step, Stop, Unasked};
use crate::state::{CallOrigin, LibraryObject, PendingLeak};
use crate::value::{ObjectId, Pointer, Scalar, Value};
use heapwise_engine::reason::{CallGap, MemoryGap, PointerGap};
use heapwise_engine::{AllocationFailure, Answer, ChoiceQuestion, InputSource, Kind, Writer, has_text};
use heapwise_ir::{
    Automaton, Body, Callee, Condition, CopySource, EdgeId, Extent, Failure, FunctionId, InitialContents, Instruction,
    IntType, Operand, PathUse, Place, RegisterId, Storage, Termination, View,
};
use smallvec::SmallVec;
use std::rc::Rc;

/// An allocation beyond this never succeeds.
const LARGEST_ALLOCATION: i128 = 1 << 47;

/// What fresh storage is asked to be, beside its size.
#[derive(Clone, Copy)]
struct Wanted<'v> {
    align: Option<u64>,
    view: Option<&'v View>,
}

impl<'a, 'p> Executor<'a, 'p> {
    /// Runs one step.
    pub(crate) fn step(&mut self) -> Step<()> {
        self.check_budget()?;
        let Some(frame) = self.state.frames.last() else { return Err(Stop::Ended(Ending::Finished)) };
        let function = frame.function;
        let machine = self.machine;
        let program: &'p heapwise_ir::Program = machine.program;
        let Body::Defined(automaton) = &program.functions[function].body else {
            return self.gap(CallGap::WithoutBodyRuns);
        };
        let location = frame.location;
        if location == automaton.exit {
            return self.leave(function);
        }
        match automaton.outgoing[location].as_slice() {
            [] => Err(Stop::Ended(Ending::Stuck)),
            [edge] => self.run_edge(automaton, *edge),
            edges => self.pick(automaton, edges, machine.code.functions[function].branches[location]),
        }
    }

    /// Several out-edges: those whose assumption can hold are the options.
    fn pick(&mut self, automaton: &'p Automaton, edges: &[EdgeId], is_branch: bool) -> Step<()> {
        // Errors in a condition are placed at the branch.
        self.state.top_mut().last_edge = Some(edges[0]);
        for edge in edges {
            self.decide_unset(&automaton.edges[*edge].instruction)?;
        }
        if is_branch && let Instruction::Assume(condition) = &automaton.edges[edges[0]].instruction {
            let truth = self.truth_of(condition)?;
            let holds = self.decide_condition(truth)?;
            return self.take_branch(automaton, edges[usize::from(!holds)]);
        }
        let mut options: SmallVec<[(EdgeId, Option<Refinement>); 4]> = SmallVec::new();
        for edge in edges {
            match &automaton.edges[*edge].instruction {
                Instruction::Assume(condition) => match self.truth_of(condition)? {
                    Truth::Known(true) => options.push((*edge, None)),
                    Truth::Known(false) => {}
                    Truth::Split { holds, .. } => {
                        options.extend(holds.into_iter().map(|refinement| (*edge, Some(refinement))));
                    }
                },
                _ => options.push((*edge, None)),
            }
        }
        if options.is_empty() {
            return Err(Stop::Ended(Ending::Infeasible));
        }
        let is_free = edges.iter().any(|edge| !matches!(automaton.edges[*edge].instruction, Instruction::Assume(_)));
        let choice = if is_free && options.len() > 1 {
            let answers: Vec<Answer> = (0..options.len() as i128).map(Answer::Integer).collect();
            self.ask(Question::Branch, ChoiceQuestion::Input(InputSource::Unspecified), &answers)?
        } else {
            self.choose(Question::Branch, options.len())?
        };
        let (edge, refinement) = options.swap_remove(choice);
        if let Some(refinement) = refinement {
            self.decide(&refinement)?;
        }
        match &automaton.edges[edge].instruction {
            Instruction::Assume(_) => self.take_branch(automaton, edge),
            _ => self.run_edge(automaton, edge),
        }
    }

    fn take_branch(&mut self, automaton: &'p Automaton, edge: EdgeId) -> Step<()> {
        self.state.top_mut().last_edge = Some(edge);
        if self.sink.events.is_some()
            && let Instruction::Assume(condition) = &automaton.edges[edge].instruction
            && !matches!(condition, Condition::True)
        {
            self.event(EventKind::Branch, |executor| executor.describe_condition(condition), None);
        }
        self.advance(automaton, edge)
    }

    fn run_edge(&mut self, automaton: &'p Automaton, id: EdgeId) -> Step<()> {
        self.state.top_mut().last_edge = Some(id);
        let edge = &automaton.edges[id];
        self.decide_unset(&edge.instruction)?;
        match &edge.instruction {
            Instruction::Assign { target, value } => {
                let value = self.expression(id, value, self.register_scalar(*target))?;
                self.state.set_register(*target, value);
            }
            Instruction::Load { target, place } => {
                let compiled = self.compiled(id)?;
                let value = self.load(place.base, compiled)?;
                self.state.set_register(*target, value);
            }
            Instruction::Store { place, value } => {
                let compiled = self.compiled(id)?;
                self.store(place.base, compiled, *value)?;
                self.store_event(place, compiled, *value);
            }
            Instruction::Copy { place, source, extent } => self.copy(id, place, source, *extent)?,
            Instruction::Alloc { target, bytes, storage, contents, failure, align, view } => {
                let align = match align {
                    Some(align) => self.asked_alignment(*align, *storage)?,
                    None => None,
                };
                let wanted = Wanted { align, view: view.as_ref() };
                self.allocate(*target, *bytes, *storage, *contents, *failure, wanted)?;
            }
            Instruction::Free { pointer } => self.free(*pointer)?,
            Instruction::End { pointer } => self.end(*pointer),
            Instruction::Assume(condition) => {
                let truth = self.truth_of(condition)?;
                if !self.decide_condition(truth)? {
                    return Err(Stop::Ended(Ending::Infeasible));
                }
            }
            Instruction::Call { target, callee, arguments } => {
                return self.call(automaton, id, *target, *callee, arguments);
            }
            Instruction::Assert(condition) => self.assert(condition)?,
            Instruction::Unsupported(reason) => return self.gap(reason.clone()),
        }
        self.advance(automaton, id)
    }

    /// Where the use of uninitialised values was not asked for, they are any values as soon as they are read.
    fn decide_unset(&mut self, instruction: &Instruction) -> Step<()> {
        if self.machine.options.uninitialised == Unasked::Ends {
            return Ok(());
        }
        let mut unset: SmallVec<[RegisterId; 4]> = SmallVec::new();
        let frame = self.state.frames.last();
        instruction.for_each_register_read(|register| {
            if frame.is_some_and(|frame| frame.register(register).is_uninitialised()) && !unset.contains(&register) {
                unset.push(register);
            }
        });
        for register in unset {
            let scalar = self.register_scalar(register);
            if scalar != Scalar::None {
                let value = self.nondet_scalar(scalar, NEVER_WRITTEN)?;
                self.state.set_register(register, value);
            }
        }
        Ok(())
    }

    fn compiled(&self, edge: EdgeId) -> Step<&'a CompiledPlace> {
        let machine: &'a Machine<'p> = self.machine;
        let function = self.state.frames.last().map(|frame| frame.function);
        let code = function.map(|function| &machine.code.functions[function].edges[edge]);
        match code.and_then(|code| code.place.as_ref()) {
            Some(place) => Ok(place),
            None => self.gap(MemoryGap::PathMisfit),
        }
    }

    /// Goes on behind an edge: dead temporaries let go, and what was lost is reported.
    fn advance(&mut self, automaton: &Automaton, edge: EdgeId) -> Step<()> {
        self.state.top_mut().location = automaton.edges[edge].to;
        self.kill_temporaries(edge);
        self.report_losses()
    }

    fn kill_temporaries(&mut self, edge: EdgeId) {
        let machine = self.machine;
        let function = self.state.top_mut().function;
        for register in &machine.code.functions[function].edges[edge].kills {
            self.state.set_register(*register, Value::UNSET);
        }
    }

    /// Reports what this step lost.
    pub(crate) fn report_losses(&mut self) -> Step<()> {
        if self.state.heap.dropped.is_empty() {
            return Ok(());
        }
        let machine = self.machine;
        let lost = self.state.heap.take_lost(&|| machine.check_budget()).map_err(Stop::Exhausted)?;
        self.report_lost(&lost);
        if !self.state.pending_leaks.is_empty() {
            self.report_pending();
        }
        if !self.state.addresses.equal.is_empty() || !self.state.addresses.below.is_empty() {
            let heap = &self.state.heap;
            let exists = |id: ObjectId| heap.object(id).life != Life::Vacant;
            Rc::make_mut(&mut self.state.addresses).forget(exists);
        }
        Ok(())
    }

    /// Objects lost together are one leak: the first of them names it.
    fn report_lost(&mut self, lost: &[ObjectId]) {
        let reported: Vec<ObjectId> = lost
            .iter()
            .copied()
            .filter(|id| {
                let object = self.state.heap.object(*id);
                !object.given_away && object.address.is_none()
            })
            .collect();
        let Some(first) = reported.first() else { return };
        let mut message = format!("{} is lost: nothing points to it any more", self.name_object(*first));
        if reported.len() > 1 {
            message.push_str(&format!(" (and {} more with it)", reported.len() - 1));
        }
        let error = self.run_error(Kind::Leak, message, Some(*first));
        match self.state.heap.dead_holder(lost) {
            Some(id) => {
                let cause = self.state.heap.object(id).birth;
                self.state.pending_leaks.push(PendingLeak { object: id, cause, error });
            }
            None => self.sink.errors.push(error),
        }
    }

    /// Reports the leaks whose cause nobody can refer to any more.
    fn report_pending(&mut self) {
        let heap = &self.state.heap;
        let is_over = |leak: &PendingLeak| {
            let object = heap.object(leak.object);
            object.life == Life::Vacant || object.birth != leak.cause
        };
        let (over, pending) = std::mem::take(&mut self.state.pending_leaks).into_iter().partition(is_over);
        self.state.pending_leaks = pending;
        self.sink.errors.extend(Vec::<PendingLeak>::into_iter(over).map(|leak| leak.error));
    }

    fn assert(&mut self, condition: &Condition) -> Step<()> {
        if let Condition::Shape(shape) = condition {
            return match self.shape_holds(shape)? {
                Ok(()) => Ok(()),
                Err(_) if self.machine.options.shapes == Unasked::GoesOn => Ok(()),
                Err(why) => self.error(Kind::Shape, why, None),
            };
        }
        let truth = self.truth_of(condition)?;
        if self.decide_condition(truth)? {
            return Ok(());
        }
        let message = match condition {
            Condition::True | Condition::False | Condition::Shape(_) => "an assertion fails".to_owned(),
            Condition::Compare { .. } | Condition::NotCompare { .. } => {
                format!("the assertion {} fails", self.describe_condition(condition))
            }
        };
        self.error(Kind::Assertion, message, None)
    }

    fn copy(&mut self, id: EdgeId, place: &Place, source: &CopySource, extent: Extent) -> Step<()> {
        let machine = self.machine;
        let function = self.state.top_mut().function;
        let code = &machine.code.functions[function].edges[id];
        let pointer = Scalar::Pointer(machine.program.target.pointer_bytes as u8);
        let Some(compiled) = &code.place else { return self.gap(MemoryGap::PathMisfit) };
        let bytes = self.path_bytes(compiled)?;
        let base = self.operand(place.base, pointer);
        let len = match extent {
            Extent::Type(ty) => match machine.program.size_of(ty) {
                Some(size) => Some(size),
                None => return self.gap(MemoryGap::IncompleteCopied),
            },
            Extent::Bytes(operand) => {
                let bytes = self.size_operand(operand)?;
                match u64::try_from(bytes) {
                    Ok(len) => Some(len),
                    // A negative count is a huge one.
                    Err(_) => Some(u64::MAX >> 1),
                }
            }
            Extent::Common => None,
        };
        if len == Some(0) {
            return Ok(());
        }
        let to = self.place_address(base, bytes)?;
        self.check_copy_bounds(compiled, extent, base)?;
        match source {
            CopySource::Place(from) => {
                let Some(compiled) = &code.source else { return self.gap(MemoryGap::PathMisfit) };
                let bytes = self.path_bytes(compiled)?;
                let base = self.operand(from.base, pointer);
                let from = self.place_address(base, bytes)?;
                self.check_copy_bounds(compiled, extent, base)?;
                let len = match len {
                    Some(len) => len,
                    None => {
                        self.replace(to, from);
                        self.rest_of(to)?.min(self.rest_of(from)?)
                    }
                };
                self.copy_bytes(to, from, len)
            }
            CopySource::Fill(byte) => {
                let byte = self.operand(*byte, Scalar::Int(heapwise_ir::IntType::Signed(4)));
                let byte = self.integer(byte)?;
                let len = match len {
                    Some(len) => len,
                    None => self.rest_of(to)?,
                };
                self.fill_bytes(to, len, FillValue::Byte(byte as u8))
            }
            CopySource::Members => {
                let (Extent::Type(ty), Some(len)) = (extent, len) else {
                    return self.gap(MemoryGap::UnknownTypeInitialised);
                };
                self.fill_bytes(to, len, FillValue::Byte(0))?;
                self.forget_padding(to, len, ty)
            }
            CopySource::Nondet => {
                let len = match len {
                    Some(len) => len,
                    None => self.rest_of(to)?,
                };
                let input = self.add_input(Writer::Elsewhere, Doubt::None, PointersInside::Opaque);
                self.fill_bytes(to, len, FillValue::Any(input))
            }
        }
    }

    /// `realloc`: the new block may lie where the old one was, which is still there while its bytes are copied.
    fn replace(&mut self, new: Value, old: Value) {
        if let (Some(new), Some(old)) = (new.object(), old.object()) {
            let heap = &mut self.state.heap;
            heap.object_mut(new).replaces = Some(heap.object(old).birth);
        }
    }

    /// Whether the indices of a copied place lie within their arrays; how many bytes there are is checked elsewhere.
    fn check_copy_bounds(&mut self, place: &CompiledPlace, extent: Extent, base: Value) -> Step<()> {
        if place.bounds.is_empty() || !matches!(base, Value::Pointer(_)) {
            return Ok(());
        }
        self.locate(base, 0, Access::Read)?;
        let path_use = match extent {
            Extent::Type(_) => PathUse::Access,
            Extent::Bytes(_) | Extent::Common => PathUse::Address,
        };
        self.check_bounds(place, path_use, base)
    }

    /// How many bytes there are from a pointer to the end of its object.
    pub(crate) fn rest_of(&mut self, pointer: Value) -> Step<u64> {
        let (object, offset) = self.locate(pointer, 0, Access::Read)?;
        Ok(self.state.heap.object(object).size - offset)
    }

    /// What an address is a multiple of by a value of the program, which may be none that says it.
    fn asked_alignment(&mut self, align: Operand, storage: Storage) -> Step<Option<u64>> {
        let word = Scalar::Int(IntType::Unsigned(self.machine.word_bytes()));
        let align = match self.operand(align, word) {
            Value::Uninitialised(_) => return Ok(None),
            value => self.integer(value)?,
        };
        let align = u64::try_from(align).ok().filter(|align| align.is_power_of_two());
        // A call cannot ask for less than `malloc` gives.
        Ok(match storage {
            Storage::Heap => align.filter(|align| *align > OF_MALLOC),
            Storage::Auto => align,
        })
    }

    fn allocate(
        &mut self,
        target: RegisterId,
        bytes: Operand,
        storage: Storage,
        contents: InitialContents,
        failure: Failure,
        wanted: Wanted<'_>,
    ) -> Step<()> {
        let size = match bytes {
            // A product may be more than any size (`calloc`): it must not wrap.
            Operand::Int(bytes) => bytes,
            bytes => self.size_operand(bytes)?,
        };
        let may_fail = storage == Storage::Heap
            && failure == Failure::Possible
            && self.machine.options.allocation_failure == AllocationFailure::Possible;
        let is_impossible = !(0..LARGEST_ALLOCATION).contains(&size);
        if storage == Storage::Auto && is_impossible {
            return self.gap(MemoryGap::HugeLocal);
        }
        if is_impossible && failure == Failure::Never {
            // What never returns null ends the program instead, or the line of this length is not read.
            return Err(Stop::Ended(Ending::Infeasible));
        }
        const OUTCOMES: [Answer; 2] = [Answer::Succeeds, Answer::Fails];
        if is_impossible || may_fail && self.ask(Question::Allocation, ChoiceQuestion::Allocation, &OUTCOMES)? == 1 {
            self.event(EventKind::Allocate, |_| format!("allocation of {size} bytes fails"), None);
            let errno = |(which, _): &&(LibraryObject, ObjectId)| *which == LibraryObject::ErrorNumber;
            if let Some((_, object)) = self.state.library_objects.iter().find(errno).copied() {
                self.any_error_number(object, Failed::Yes)?;
            }
            self.state.set_register(target, Value::ZERO);
            return Ok(());
        }
        let kind = match storage {
            Storage::Heap => ObjectKind::Heap,
            Storage::Auto => ObjectKind::Auto,
        };
        let fill = match contents {
            InitialContents::Uninitialised => Fill::Uninitialised,
            InitialContents::Zeroed => Fill::Zero,
            InitialContents::Nondet => {
                Fill::Any(self.add_input(Writer::Elsewhere, Doubt::None, PointersInside::Opaque))
            }
        };
        let site = self.site();
        let id = self.state.heap.add(kind, size as u64, fill, site);
        let serial = self.state.top_mut().serial;
        let object = self.state.heap.object_mut(id);
        object.view = wanted.view.map(|view| view.element);
        object.align = wanted.align;
        object.owner = serial;
        if storage == Storage::Auto {
            self.state.top_mut().autos.push(id);
        } else {
            self.event(EventKind::Allocate, |_| allocated(size as u64), Some(id));
        }
        self.state.set_register(target, Value::Pointer(Pointer { object: id, offset: 0 }));
        Ok(())
    }

    fn free(&mut self, pointer: Operand) -> Step<()> {
        let scalar = Scalar::Pointer(self.machine.program.target.pointer_bytes as u8);
        let value = self.operand(pointer, scalar);
        self.free_value(value)
    }

    pub(crate) fn free_value(&mut self, value: Value) -> Step<()> {
        let pointer = match self.known(value) {
            Value::Int(0) => return Ok(()),
            Value::Pointer(pointer) => pointer,
            value @ Value::Uninitialised(_) => return self.uninitialised(value, "an uninitialised pointer is freed"),
            Value::Int(address) => {
                return match u64::try_from(address).ok().and_then(|address| self.state.heap.find_address(address)) {
                    Some((object, base)) => {
                        let offset = (address - i128::from(base)) as i64;
                        self.free_value(Value::Pointer(Pointer { object, offset }))
                    }
                    None => {
                        self.error(Kind::InvalidFree, format!("{address:#x} is freed, which is no heap object"), None)
                    }
                };
            }
            Value::Function(_) => return self.error(Kind::InvalidFree, "the address of a function is freed", None),
            Value::Opaque => return self.gap(PointerGap::NondeterministicFreed),
            Value::Symbol(_) | Value::Fragment(_) | Value::Float(_) => {
                return self.gap(PointerGap::FreedNoPointer);
            }
        };
        let id = pointer.object;
        let object = self.state.heap.object(id);
        match (object.kind, object.life) {
            (ObjectKind::Heap, Life::Alive) if pointer.offset == 0 => {
                self.event(EventKind::Free, |executor| format!("{} is freed", executor.name_object(id)), Some(id));
                let site = self.site();
                self.state.heap.kill(id, Life::Freed, site);
                Ok(())
            }
            (ObjectKind::Heap, Life::Alive) => {
                let message = format!("a pointer to offset {} of {} is freed", pointer.offset, self.name_object(id));
                self.error(Kind::InvalidFree, message, Some(id))
            }
            (ObjectKind::Heap, Life::Freed | Life::Ended | Life::Vacant) => {
                let message = format!("{} is freed again", self.name_object(id));
                self.error(Kind::DoubleFree, message, Some(id))
            }
            (ObjectKind::Library, _) => self.error(Kind::InvalidFree, "storage of the library is freed", None),
            (
                ObjectKind::Auto | ObjectKind::Global(_) | ObjectKind::Literal(_) | ObjectKind::Environment,
                Life::Alive | Life::Freed | Life::Ended | Life::Vacant,
            ) => {
                let message = format!("{} is freed, which is no heap object", self.name_object(id));
                self.error(Kind::InvalidFree, message, Some(id))
            }
        }
    }

    /// A jump past the declaration leaves nothing to end.
    fn end(&mut self, pointer: Operand) {
        let value = self.operand(pointer, self.machine.pointer_scalar());
        if let Value::Pointer(pointer) = value {
            self.end_object(pointer.object);
            self.state.top_mut().autos.retain(|id| *id != pointer.object);
        }
    }

    fn end_object(&mut self, id: ObjectId) {
        let object = self.state.heap.object(id);
        if object.kind == ObjectKind::Auto && object.life == Life::Alive {
            let site = self.site();
            self.state.heap.kill(id, Life::Ended, site);
        }
    }

    fn call(
        &mut self,
        automaton: &'p Automaton,
        id: EdgeId,
        target: Option<RegisterId>,
        callee: Callee,
        arguments: &[Operand],
    ) -> Step<()> {
        let function = self.callee(callee)?;
        let program = self.machine.program;
        let definition = &program.functions[function];
        if let (Callee::Indirect(pointer), Some(frame)) = (callee, self.state.top())
            && !program.is_callable_through(&program.functions[frame.function], pointer, target, function)
        {
            return self.gap(CallGap::OtherType { function: definition.name.clone() });
        }
        let types = &self.machine.code.functions[function].registers;
        let values: SmallVec<[Value; 6]> = arguments
            .iter()
            .enumerate()
            .map(|(index, argument)| {
                let parameter = definition.parameters.get(index);
                let scalar = parameter.map_or(Scalar::None, |register| types[register.as_u32() as usize]);
                self.operand(*argument, scalar)
            })
            .collect();
        match &definition.body {
            Body::Defined(_) => {
                self.event(EventKind::Call, |_| format!("`{}` is called", definition.name), None);
                self.push_frame(function, &values, CallOrigin::Edge(id))?;
                // Temporaries let go of the arguments: the callee holds them now.
                let callee = self.state.frames.pop().expect("just pushed");
                self.kill_temporaries(id);
                self.state.frames.push(callee);
                self.report_losses()
            }
            Body::Extern(effects) => {
                let result_type = target.map_or(Scalar::None, |register| self.register_scalar(register));
                match effects.termination {
                    Termination::Returns => {}
                    Termination::Exits => {
                        self.check_last_call(function, callee, effects, &values)?;
                        return self.exit(values.first().copied().unwrap_or(Value::ZERO));
                    }
                    Termination::Aborts => {
                        self.check_last_call(function, callee, effects, &values)?;
                        return Err(Stop::Ended(Ending::Aborted));
                    }
                }
                let result = match callee {
                    Callee::Indirect(_) if definition.variadic => {
                        self.call_variadic_extern(function, &values, result_type)?
                    }
                    Callee::Direct(_) | Callee::Indirect(_) => self.call_extern(function, &values, result_type)?,
                };
                if let Some(target) = target {
                    // One without a result may be called for one.
                    let result = if definition.result.is_some() { result } else { Value::UNSET };
                    self.state.set_register(target, result);
                }
                self.advance(automaton, id)
            }
        }
    }

    fn callee(&mut self, callee: Callee) -> Step<FunctionId> {
        let operand = match callee {
            Callee::Direct(function) => return Ok(function),
            Callee::Indirect(operand) => operand,
        };
        match self.operand(operand, self.machine.pointer_scalar()) {
            Value::Function(function) => Ok(function),
            value @ Value::Uninitialised(_) => self.uninitialised(value, "an uninitialised function pointer is called"),
            Value::Int(0) => self.error(Kind::NullDereference, "a null function pointer is called", None),
            Value::Pointer(pointer) if self.is_library(pointer.object) => self.gap(CallGap::LibraryStorageCalled),
            Value::Opaque | Value::Symbol(_) => self.gap(CallGap::NondeterministicTarget),
            Value::Pointer(pointer) => {
                let message = format!("{} is called as a function", self.name_object(pointer.object));
                self.error(Kind::OutOfBounds, message, Some(pointer.object))
            }
            Value::Int(_) | Value::Float(_) | Value::Fragment(_) => {
                self.error(Kind::OutOfBounds, "what is called is no function", None)
            }
        }
    }

    /// Returns from the innermost call.
    fn leave(&mut self, function: FunctionId) -> Step<()> {
        let definition = &self.machine.program.functions[function];
        let frame = self.state.top_mut();
        let result = definition.result.map_or(Value::UNSET, |register| frame.register(register));
        let serial = frame.serial;
        let origin = frame.origin;
        self.leave_contract(function, result)?;
        if let (Value::Pointer(pointer), Some(register)) = (result, definition.result) {
            let object = self.state.heap.object(pointer.object);
            let is_own = object.kind == ObjectKind::Auto && object.owner == serial;
            let is_asked = self.machine.options.dangling_return == Unasked::Ends;
            if is_asked && is_own && self.is_pointer(definition.registers[register].ty) {
                let name = self.name_object(pointer.object);
                let message = format!("`{}` returns the address of {name}, whose lifetime ends", definition.name);
                // What the caller does with it would only repeat this.
                return self.error(Kind::DanglingReturn, message, Some(pointer.object));
            }
        }
        // The result is on its way: it keeps its object while the locals let go.
        self.state.heap.retain(result, Holder::Root);
        self.end_frame();
        self.report_losses()?;
        let frame = self.state.frames.pop().expect("it just ran");
        drop(frame);
        match origin {
            CallOrigin::Edge(edge) => self.return_to_edge(edge, result),
            // Whoever called the entry point holds what it returned.
            CallOrigin::Entry => {
                self.state.exit_code = match result {
                    Value::Int(code) => Some(code),
                    _ => None,
                };
                if definition.name != "main" {
                    self.give_away_reachable(result);
                }
                self.run_exit_handlers()
            }
            CallOrigin::AtExit => {
                self.state.heap.release(result, Holder::Root);
                self.report_losses()?;
                self.run_exit_handlers()
            }
            CallOrigin::Callback => {
                self.state.heap.release(result, Holder::Root);
                self.state.returned = result;
                Ok(())
            }
        }
    }

    /// Registers let go and locals end; the frame stays for the place of what that loses.
    fn end_frame(&mut self) {
        let frame = self.state.top_mut();
        let autos = std::mem::take(&mut frame.autos);
        let registers = std::mem::take(&mut frame.registers);
        for id in autos {
            self.end_object(id);
        }
        for value in registers {
            self.state.heap.release(value, Holder::Root);
        }
    }

    fn return_to_edge(&mut self, edge: EdgeId, result: Value) -> Step<()> {
        let machine = self.machine;
        let caller = self.state.top_mut().function;
        let Body::Defined(automaton) = &machine.program.functions[caller].body else {
            return self.gap(CallGap::WithoutBodyRuns);
        };
        if let Instruction::Call { target: Some(target), .. } = &automaton.edges[edge].instruction {
            self.state.set_register(*target, result);
        }
        self.state.heap.release(result, Holder::Root);
        self.advance(automaton, edge)
    }

    /// `exit`: frames stay, so what they hold is still reachable.
    pub(crate) fn exit(&mut self, code: Value) -> Step<()> {
        self.state.exit_code = match self.known(code) {
            Value::Int(code) => Some(code),
            _ => None,
        };
        self.run_exit_handlers()
    }

    fn run_exit_handlers(&mut self) -> Step<()> {
        if let Some(handler) = self.state.at_exit.pop() {
            return self.push_frame(handler, &[], CallOrigin::AtExit);
        }
        let heap = &self.state.heap;
        let kept: Vec<ObjectId> = heap
            .objects()
            .filter(|(_, object)| object.is_live_heap() && !object.given_away && object.address.is_none())
            .map(|(id, _)| id)
            .collect();
        for id in kept {
            let message = format!("{} is still reachable when the program ends", self.name_object(id));
            let mut error = self.run_error(Kind::LeakAtExit, message, Some(id));
            if let Some(site) = self.state.heap.object(id).site
                && has_text(&self.machine.program.functions[site.function])
                && let Body::Defined(automaton) = &self.machine.program.functions[site.function].body
            {
                // There is no statement that fails: the allocation is the place that helps.
                error.span = automaton.edges[site.edge].span;
                error.function = site.function;
            }
            self.sink.errors.push(error);
        }
        Err(Stop::Ended(Ending::Finished))
    }

    fn give_away_reachable(&mut self, value: Value) {
        let mut work: Vec<ObjectId> = value.object().into_iter().collect();
        while let Some(id) = work.pop() {
            let object = self.state.heap.object(id);
            if object.given_away || !object.is_live_heap() {
                continue;
            }
            work.extend(object.contents().references().filter_map(|value| value.object()));
            self.state.heap.object_mut(id).given_away = true;
        }
    }
}

fn allocated(size: u64) -> String {
    format!("{} {} allocated", count(size, "byte"), if size == 1 { "is" } else { "are" })
}
