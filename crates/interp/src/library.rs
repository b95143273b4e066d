//! Functions without a body: the C library natively where runs are compared with real ones, everything else by the
//! effects its model states.

mod characters;
mod extent;
mod numbers;
mod print;
mod scan;
mod sort;
mod storage;
mod streams;
mod text;
mod values;

use crate::access::{Access, FillValue};
use crate::chooser::Question;
use crate::contents::{CellValue, Fill, Loaded};
use crate::heap::{Holder, Life, ObjectKind};
use crate::inputs::{Among, Arrival, Doubt, Length, NOT_ZERO, PointersInside};
use crate::integer;
use crate::machine::{Executor, Step};
use crate::state::{ArgumentKey, DecidedOnce, LibraryObject, Sequence};
use crate::value::{ObjectId, Pointer, Scalar, Term, Value};
use heapwise_engine::reason::{CallGap, GapReason, LibraryGap, PointerGap};
use heapwise_engine::{Answer, ChoiceQuestion, InputSource, Kind, Writer};
use heapwise_ir::format::ALL;
use heapwise_ir::{
    Body, Callee, DecidedBy, Dereference, DescriptorPart, ErrorNumber, ExternEffects, ExternResult, Format,
    FormatLanguage, FunctionId, IntType, MemoryEffect, NullArgument, NullResult, RangeEnd, ResultRange, SequencePart,
    Success, Type, WrittenBytes,
};
use streams::Turn;

use std::rc::Rc;

/// Functions that look at as many bytes behind their first parameters as a size says.
const SIZED: [&str; 12] = [
    "memcmp",
    "bcmp",
    "memchr",
    "memrchr",
    "strncmp",
    "strncasecmp",
    "strncpy",
    "strncat",
    "strnlen",
    "stpncpy",
    "fwrite",
    "fread",
];

/// Whether a call did what it is called for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Done,
    Failed,
}

/// Whether a call failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failed {
    Yes,
    Perhaps,
}

impl Executor<'_, '_> {
    /// Calls a function without a body. `result` is the type of the register that receives the result.
    pub(crate) fn call_extern(&mut self, function: FunctionId, arguments: &[Value], result: Scalar) -> Step<Value> {
        let definition = &self.machine.program.functions[function];
        if let Body::Extern(effects) = &definition.body {
            self.check_null_arguments(function, &effects.dereferences, arguments)?;
        }
        let (is_repeated, range) = match &definition.body {
            Body::Extern(effects) => (self.follow_sequence(effects), effects.range),
            Body::Defined(_) => (false, None),
        };
        let turn = match &definition.body {
            Body::Extern(effects) => self.turn(function, effects, arguments)?,
            Body::Defined(_) => Turn::Any,
        };
        if let (Turn::Given(value), Body::Extern(effects)) = (turn, &definition.body) {
            self.check_what_is_read(function, effects, arguments)?;
            self.set_error_number(effects, Failed::Perhaps)?;
            return Ok(value);
        }
        let value = self.call_library(function, arguments, result, (is_repeated, range), turn)?;
        if let Body::Extern(effects) = &definition.body {
            self.note_reading(function, effects, arguments, value)?;
            self.follow_closed(effects, arguments);
        }
        Ok(value)
    }

    fn call_library(
        &mut self,
        function: FunctionId,
        arguments: &[Value],
        result: Scalar,
        (is_repeated, range): (bool, Option<ResultRange>),
        turn: Turn,
    ) -> Step<Value> {
        let definition = &self.machine.program.functions[function];
        let name = definition.name.as_str();
        if let Some(value) = self.print_function(name, arguments, result)? {
            let Body::Extern(effects) = &definition.body else { return Ok(value) };
            self.set_error_number(effects, Failed::Perhaps)?;
            return self.perhaps_fails(name, effects, value, result);
        }
        if let Some(value) = self.native(name, arguments, is_repeated, range, turn)? {
            let Body::Extern(effects) = &definition.body else { return Ok(value) };
            // What follows from the arguments alone, and how it fails, is run as it is.
            if effects.decided_by != DecidedBy::Arguments {
                self.set_error_number(effects, Failed::Perhaps)?;
            }
            return Ok(value);
        }
        let Body::Extern(effects) = &definition.body else {
            return self.gap(CallGap::CannotBeCalledHere { function: name.to_owned() });
        };
        let is_input = name.starts_with("__VERIFIER_nondet");
        if effects.memory == MemoryEffect::Unknown && !is_input {
            return self.gap(CallGap::AnythingMayHappen { function: name.to_owned() });
        }
        self.check_what_is_read(function, effects, arguments)?;
        for parameter in &effects.takes_ownership {
            if let Some(object) = arguments.get(*parameter as usize).and_then(|value| value.object()) {
                self.state.heap.object_mut(object).given_away = true;
            }
        }
        // What a function makes of its arguments may not be what a run likes: what depends on it is possible, not shown.
        let doubt = match effects.decided_by {
            _ if is_repeated => Doubt::Some,
            DecidedBy::Arguments if !arguments.is_empty() && !is_input => Doubt::Some,
            DecidedBy::Arguments | DecidedBy::Outside | DecidedBy::OutsideOnce | DecidedBy::OutsideChanges => {
                Doubt::None
            }
        };
        let early = self.result_that_is_a_length(function, effects, arguments, result, doubt)?;
        let decided =
            self.decide_success(function, effects, arguments, result, doubt, early.map(|(value, _)| value))?;
        let failed = match decided {
            Some((_, Outcome::Failed)) => Failed::Yes,
            Some((_, Outcome::Done)) | None => Failed::Perhaps,
        };
        if failed == Failed::Perhaps {
            self.write_memory(function, effects, arguments, doubt, early)?;
        }
        self.set_error_number(effects, failed)?;
        if let Some(value) = early.map(|(value, _)| value).or(decided.map(|(value, _)| value)) {
            self.follow_descriptor(effects, arguments, value);
            return Ok(value);
        }
        if let Some(Format { parameter, language: FormatLanguage::Scan }) = effects.format {
            return self.scan(name, arguments, parameter as usize, doubt, turn);
        }
        match effects.decided_by {
            DecidedBy::OutsideChanges => {
                // What was given before may have been written over.
                for once in std::mem::take(&mut self.state.decided_once).iter() {
                    self.write_over(once.result);
                }
                // And what is asked for now is what the program itself put there, perhaps.
                self.state.has_changed_outside = true;
            }
            DecidedBy::OutsideOnce => return self.decide_once(function, effects, arguments, result),
            DecidedBy::Arguments | DecidedBy::Outside => {}
        }
        self.close(function, &effects.takes_ownership, arguments);
        let is_character = effects.memory == MemoryEffect::Pure;
        if let (Turn::First(next), true, Scalar::Int(_)) = (turn, is_character, result) {
            return self.next_character(name, next);
        }
        let value = self.extern_result(name, effects, arguments, result, doubt)?;
        if value == Value::ZERO && effects.result != ExternResult::Any {
            self.set_error_number(effects, Failed::Yes)?;
        }
        let value = self.issue(effects, arguments, value);
        self.bound_result(definition, value);
        self.follow_descriptor(effects, arguments, value);
        Ok(value)
    }

    /// What a function of the library looks at, before it does anything.
    fn check_what_is_read(&mut self, function: FunctionId, effects: &ExternEffects, arguments: &[Value]) -> Step<()> {
        let name = &self.machine.program.functions[function].name;
        self.check_arguments(name, arguments)?;
        self.check_dereferences(function, &effects.dereferences, arguments)?;
        self.check_extents(function, arguments)?;
        self.check_printed(name, effects, arguments)
    }

    /// A call that does not come back looks at its arguments as any other (`err`).
    pub(crate) fn check_last_call(
        &mut self,
        function: FunctionId,
        callee: Callee,
        effects: &ExternEffects,
        arguments: &[Value],
    ) -> Step<()> {
        let definition = &self.machine.program.functions[function];
        match callee {
            // What is printed is then in memory: see `call_variadic_extern`.
            Callee::Indirect(_) if definition.variadic && effects.format.is_some() => {
                self.gap(CallGap::ThroughPointer { function: definition.name.clone() })
            }
            Callee::Direct(_) | Callee::Indirect(_) => self.check_what_is_read(function, effects, arguments),
        }
    }

    /// Which descriptors are open behind a call.
    fn follow_descriptor(&mut self, effects: &ExternEffects, arguments: &[Value], result: Value) {
        match effects.descriptor {
            None | Some(DescriptorPart::OpensWritten) => {}
            Some(DescriptorPart::Opens) => {
                let Value::Symbol(Term { symbol, addend: 0 }) = result else { return };
                let constraints = Rc::make_mut(&mut self.state.constraints);
                self.state.descriptors.iter().for_each(|open| constraints.set_distinct(*open, symbol));
                Rc::make_mut(&mut self.state.descriptors).push(symbol);
            }
            Some(DescriptorPart::Closes(parameter) | DescriptorPart::HandsOver(parameter)) => {
                match arguments.get(parameter as usize) {
                    Some(Value::Symbol(Term { symbol, addend: 0 })) if self.state.descriptors.contains(symbol) => {
                        Rc::make_mut(&mut self.state.descriptors).retain(|open| open != symbol);
                    }
                    // Any of them may be the one.
                    Some(_) | None => self.state.descriptors = Rc::default(),
                }
            }
        }
    }

    /// What was printed may not have got through.
    fn perhaps_fails(&mut self, name: &str, effects: &ExternEffects, value: Value, result: Scalar) -> Step<Value> {
        const FAILED: i128 = -1;
        let may_fail = matches!(effects.range, Some(ResultRange { low: -1, .. }));
        match value {
            Value::Int(number) if may_fail && result != Scalar::None && self.state.output.is_none() => {
                let question = ChoiceQuestion::Input(InputSource::Result(name.to_owned()));
                let options = [Answer::Integer(number), Answer::Integer(FAILED)];
                let chosen = self.ask(Question::Input, question, &options)?;
                Ok(if chosen == 0 { value } else { Value::Int(FAILED) })
            }
            value => Ok(value),
        }
    }

    /// Whether what a function that can fail writes is written, by its result; `None` where it always is.
    fn decide_success(
        &mut self,
        function: FunctionId,
        effects: &ExternEffects,
        arguments: &[Value],
        result: Scalar,
        doubt: Doubt,
        early: Option<Value>,
    ) -> Step<Option<(Value, Outcome)>> {
        let Some(success) = effects.success else { return Ok(None) };
        let definition = &self.machine.program.functions[function];
        let is_certain = effects.certain.is_some_and(|certain| {
            let argument = arguments.get(certain.parameter as usize).map(|argument| self.known(*argument));
            let range = i128::from(certain.low)..=i128::from(certain.high);
            matches!(argument, Some(Value::Int(value)) if range.contains(&value))
        });
        if is_certain && success == Success::Zero {
            return Ok(Some((Value::ZERO, Outcome::Done)));
        }
        // The result is there even if the program does not look at it.
        let own = definition.result.map(|register| definition.registers[register].ty);
        let scalar = match (result, own) {
            (Scalar::None, Some(ty)) => self.machine.code.scalar(ty),
            (scalar, _) => scalar,
        };
        let value = match early {
            Some(value) => value,
            None => self.extern_result(&definition.name, effects, arguments, scalar, doubt)?,
        };
        let truth = self.compare(success.operator(), scalar, value, Value::ZERO)?;
        let outcome = if self.decide_condition(truth)? { Outcome::Done } else { Outcome::Failed };
        Ok(Some((value, outcome)))
    }

    /// Whether a number that a function draws is not free: its sequence was started again, or the program said what comes next.
    fn follow_sequence(&mut self, effects: &ExternEffects) -> bool {
        let Some(part) = &effects.sequence else { return false };
        let (SequencePart::Draws(name) | SequencePart::Restarts(name) | SequencePart::Changes(name)) = part;
        let known = self.state.sequences.iter().position(|sequence| sequence.name == *name);
        let was_repeated = known.is_some_and(|known| self.state.sequences[known].is_repeated);
        let is_repeated = match part {
            SequencePart::Draws(_) => was_repeated,
            // Before anything was drawn, there is nothing to repeat.
            SequencePart::Restarts(_) => known.is_some(),
            SequencePart::Changes(_) => true,
        };
        match (known, part) {
            (None, SequencePart::Restarts(_)) => {}
            (None, SequencePart::Draws(_) | SequencePart::Changes(_)) => {
                Rc::make_mut(&mut self.state.sequences).push(Sequence { name: name.clone(), is_repeated });
            }
            (Some(_), _) if is_repeated == was_repeated => {}
            (Some(known), _) => Rc::make_mut(&mut self.state.sequences)[known].is_repeated = is_repeated,
        }
        was_repeated
    }

    /// A call of the library may set `errno`; one that failed does.
    fn set_error_number(&mut self, effects: &ExternEffects, failed: Failed) -> Step<()> {
        let may_fail = effects.error_number == ErrorNumber::MayBeSet;
        let known = self.state.library_objects.iter().find(|(which, _)| *which == LibraryObject::ErrorNumber);
        let Some((_, object)) = known.copied().filter(|_| may_fail) else { return Ok(()) };
        self.any_error_number(object, failed)
    }

    /// `errno` holds any number, after a failure one that is not zero.
    pub(crate) fn any_error_number(&mut self, object: ObjectId, failed: Failed) -> Step<()> {
        const GREATEST: i128 = 133;
        let doubt = if failed == Failed::Yes { Doubt::None } else { Doubt::Some };
        let input = self.add_input(Writer::Elsewhere, doubt, PointersInside::Opaque);
        // Where it may be what it was before, that is among what it is now.
        let before = self.state.heap.object(object).contents().load(0, 4);
        let is_other = matches!(before, Loaded::Bits(before) if before > GREATEST as u128);
        match failed {
            Failed::Yes => self.set_among(input, Among::Number { bytes: 4, low: 1, high: GREATEST }),
            Failed::Perhaps if is_other => {}
            Failed::Perhaps => self.set_among(input, Among::Number { bytes: 4, low: 0, high: GREATEST }),
        }
        let pointer = Value::Pointer(Pointer { object, offset: 0 });
        self.fill_bytes(pointer, 4, FillValue::Any(input))
    }

    /// The result of a function that gives the same to the same arguments.
    fn decide_once(
        &mut self,
        function: FunctionId,
        effects: &ExternEffects,
        arguments: &[Value],
        result: Scalar,
    ) -> Step<Value> {
        let definition = &self.machine.program.functions[function];
        let name = &definition.name;
        let keys: Option<Vec<ArgumentKey>> = arguments.iter().map(|argument| self.argument_key(*argument)).collect();
        let earlier = |is_it: &dyn Fn(&DecidedOnce) -> bool| {
            self.state.decided_once.iter().filter(|once| once.function == function).find(|once| is_it(once)).cloned()
        };
        if let Some(keys) = &keys
            && let Some(known) = earlier(&|once| once.arguments.as_ref() == Some(keys))
        {
            return Ok(known.result);
        }
        // Whether it was asked for the same before is not known; or the program itself says what it gets.
        let earlier_unknown = earlier(&|once| once.arguments.is_none());
        let perhaps_known = match &keys {
            Some(_) => earlier_unknown.clone(),
            None => earlier(&|_| true),
        };
        let is_open = perhaps_known.is_none() && !self.state.has_changed_outside;
        let doubt = if is_open { Doubt::None } else { Doubt::Some };
        if let (Doubt::Some, ExternResult::Library { null: NullResult::Possible }) = (doubt, effects.result) {
            // Whether there is one at all is in doubt, too.
            self.state.doubtful = true;
        }
        let value = self.extern_result(name, effects, arguments, result, doubt)?;
        self.bound_result(definition, value);
        let is_new = keys.is_some() || earlier_unknown.is_none();
        if is_new {
            self.state.heap.retain(value, Holder::Root);
            let once = DecidedOnce { function, arguments: keys, result: value };
            Rc::make_mut(&mut self.state.decided_once).push(once);
        }
        Ok(value)
    }

    /// What an argument says, if that is known.
    fn argument_key(&self, argument: Value) -> Option<ArgumentKey> {
        match self.known(argument) {
            Value::Int(number) => Some(ArgumentKey::Number(number)),
            Value::Pointer(pointer) => {
                let object = self.state.heap.find(pointer.object)?;
                let mut text = Vec::new();
                for offset in u64::try_from(pointer.offset).ok()?..object.size {
                    match object.contents().load(offset, 1) {
                        Loaded::Bits(0) => return Some(ArgumentKey::Text(text)),
                        Loaded::Bits(byte) => text.push(byte as u8),
                        Loaded::Value(_) | Loaded::Uninitialised | Loaded::Any(_) | Loaded::Mixed => return None,
                    }
                }
                None
            }
            Value::Uninitialised(_)
            | Value::Float(_)
            | Value::Function(_)
            | Value::Symbol(_)
            | Value::Fragment(_)
            | Value::Opaque => None,
        }
    }

    /// Calls a variadic function without a body through a pointer: the caller could not know, and has put the extra
    /// arguments into memory. That is what the `v` relatives of the `printf` family take.
    pub(crate) fn call_variadic_extern(
        &mut self,
        function: FunctionId,
        arguments: &[Value],
        result: Scalar,
    ) -> Step<Value> {
        let name = format!("v{}", self.machine.program.functions[function].name);
        let Some((area, fixed)) = arguments.split_last() else {
            return self.call_extern(function, arguments, result);
        };
        let width = u64::from(self.machine.program.target.pointer_bytes);
        let list = self.state.heap.add(ObjectKind::Environment, 3 * width, Fill::Zero, None);
        self.state.heap.write(list, |contents, changes| {
            contents.store_cell(width, width, CellValue::Value(*area), changes);
        });
        let mut arguments = fixed.to_vec();
        arguments.push(Value::Pointer(Pointer { object: list, offset: 0 }));
        let printed = self.print_function(&name, &arguments, result)?;
        self.state.heap.kill(list, Life::Ended, None);
        match printed {
            Some(value) => Ok(value),
            None => self.gap(CallGap::ThroughPointer { function: name[1..].to_owned() }),
        }
    }

    /// Null, or a closed stream, where a function looks through its argument, also if the function is run natively: a stream, say, is looked
    /// through though nothing behind it is followed. Where a size says that nothing is looked at, the function itself sees.
    fn check_null_arguments(
        &mut self,
        function: FunctionId,
        dereferences: &[Dereference],
        arguments: &[Value],
    ) -> Step<()> {
        let name = &self.machine.program.functions[function].name;
        for Dereference { parameter, null, .. } in dereferences {
            let argument = arguments.get(*parameter as usize).copied();
            if let Some(stream) = argument.filter(|value| value.object().is_some_and(|object| self.is_closed(object))) {
                self.locate(stream, 0, Access::Read)?;
            }
            if argument == Some(Value::ZERO) && !self.is_sized(function, *parameter) {
                self.check_null_argument(name, *null)?;
            }
        }
        Ok(())
    }

    /// Null as an argument that is looked through.
    fn check_null_argument(&self, name: &str, null: NullArgument) -> Step<()> {
        match null {
            NullArgument::Allowed => Ok(()),
            NullArgument::Error => self.error(Kind::NullDereference, format!("NULL is passed to `{name}`"), None),
        }
    }

    /// Whether sizes among the arguments say how much is looked at behind a parameter: it may be nothing (`read(0, NULL, 0)`).
    fn is_sized(&self, function: FunctionId, parameter: u32) -> bool {
        let is_native = SIZED.contains(&self.machine.program.functions[function].name.as_str()) && parameter < 3;
        is_native || self.has_sizes_behind(function, parameter)
    }

    /// Passing a pointer that the function looks through is like dereferencing it.
    fn check_dereferences(
        &mut self,
        function: FunctionId,
        dereferences: &[Dereference],
        arguments: &[Value],
    ) -> Step<()> {
        let name = &self.machine.program.functions[function].name;
        for Dereference { parameter, null, .. } in dereferences {
            match arguments.get(*parameter as usize).copied() {
                None => {}
                Some(Value::Opaque) => {
                    return self.gap(GapReason::library(name, LibraryGap::NondeterministicPointer));
                }
                // How far, is looked at with the extents.
                Some(Value::Int(0)) if self.has_sizes_behind(function, *parameter) => {}
                Some(Value::Int(0)) => self.check_null_argument(name, *null)?,
                Some(pointer) => {
                    self.locate(pointer, 0, Access::Read)?;
                }
            }
        }
        Ok(())
    }

    fn write_memory(
        &mut self,
        function: FunctionId,
        effects: &ExternEffects,
        arguments: &[Value],
        doubt: Doubt,
        length: Option<(Value, u32)>,
    ) -> Step<()> {
        let name = &self.machine.program.functions[function].name;
        match &effects.memory {
            MemoryEffect::Pure | MemoryEffect::Unknown => {}
            MemoryEffect::Writes(parameters) => {
                for parameter in parameters {
                    let pointer = match arguments.get(*parameter as usize).copied().map(|value| self.known(value)) {
                        None | Some(Value::Int(0)) => continue,
                        Some(pointer @ Value::Pointer(_)) => pointer,
                        Some(
                            Value::Int(_)
                            | Value::Uninitialised(_)
                            | Value::Float(_)
                            | Value::Function(_)
                            | Value::Symbol(_)
                            | Value::Fragment(_)
                            | Value::Opaque,
                        ) => return self.gap(GapReason::library(name, LibraryGap::UnknownTarget)),
                    };
                    let len = self.written_behind(function, *parameter, arguments, pointer)?;
                    // Bytes are what comes in; members of a record (`stat`) hang together in ways that nobody says here.
                    let doubt = if self.takes_bytes(function, *parameter) { doubt } else { Doubt::Some };
                    let input = self.add_call_input(name, doubt, PointersInside::Opaque);
                    if let Some((result, counted)) = length
                        && let Some(unit) = self.unit_behind(function, *parameter, counted, arguments)?
                        && len > 0
                    {
                        self.set_arrival(input, Arrival::Counted(Length { result, unit }), pointer, len)?;
                    }
                    if effects.written == WrittenBytes::Characters {
                        self.set_among(input, Among::Bytes { first: NOT_ZERO, others: NOT_ZERO });
                    }
                    if effects.written == WrittenBytes::Text && len > 0 && self.takes_bytes(function, *parameter) {
                        let limit = u32::try_from(len - 1).unwrap_or(u32::MAX);
                        self.set_arrival(input, Arrival::Text { limit, kept_from: None }, pointer, len)?;
                    }
                    self.fill_bytes(pointer, len, FillValue::Any(input))?;
                }
            }
            MemoryEffect::StoresPointer { through, into } => {
                let target = arguments.get(*through as usize).copied().unwrap_or(Value::ZERO);
                let source = arguments.get(*into as usize).copied().unwrap_or(Value::ZERO);
                if target != Value::ZERO {
                    let stored = self.pointer_into(name, source)?;
                    let width = Scalar::Pointer(self.machine.program.target.pointer_bytes as u8);
                    let (object, offset) = self.locate(target, width.bytes(), Access::Write)?;
                    self.write_value(object, offset, width, stored)?;
                }
            }
        }
        Ok(())
    }

    /// The result of a function that writes as much as its result says (`read`), and the argument that it is at most.
    fn result_that_is_a_length(
        &mut self,
        function: FunctionId,
        effects: &ExternEffects,
        arguments: &[Value],
        result: Scalar,
        doubt: Doubt,
    ) -> Step<Option<(Value, u32)>> {
        let (MemoryEffect::Writes(_), Some(ResultRange { high: RangeEnd::Argument(counted), .. })) =
            (&effects.memory, effects.range)
        else {
            return Ok(None);
        };
        // The length is there even if the program does not look at it.
        let scalar = match result {
            Scalar::None => Scalar::Int(IntType::Signed(self.machine.program.target.pointer_bytes as u8)),
            scalar => scalar,
        };
        let name = &self.machine.program.functions[function].name;
        if let MemoryEffect::Writes(parameters) = &effects.memory {
            for parameter in parameters {
                // Of nothing there is none.
                if self.unit_behind(function, *parameter, counted, arguments)? == Some(0) {
                    return Ok(Some((Value::ZERO, counted)));
                }
            }
        }
        Ok(Some((self.extern_result(name, effects, arguments, scalar, doubt)?, counted)))
    }

    /// Whether a parameter points to plain bytes.
    fn takes_bytes(&self, function: FunctionId, parameter: u32) -> bool {
        let program = self.machine.program;
        let definition = &program.functions[function];
        let register = definition.parameters.get(parameter as usize);
        let pointee = register.and_then(|register| program.pointee(definition.registers[*register].ty));
        pointee.is_some_and(|ty| match program.ty(ty) {
            Type::Void => true,
            Type::Int(int) => int.bytes() == 1,
            Type::Float(_) | Type::Pointer(_) | Type::Array(..) | Type::Record(_) | Type::Function(_) => false,
        })
    }

    /// Some pointer between `pointer` and the end of its object.
    fn pointer_into(&mut self, name: &str, pointer: Value) -> Step<Value> {
        let rest = i128::from(self.rest_of(pointer)?);
        self.state.doubtful = true;
        let candidates: Vec<i128> = if rest <= 8 { (0..=rest).collect() } else { vec![0, 1, rest - 1, rest] };
        if rest > 8 {
            self.incomplete(PointerGap::FewOffsets);
        }
        let options: Vec<Answer> = candidates.iter().copied().map(Answer::Integer).collect();
        let question = ChoiceQuestion::Input(InputSource::Result(name.to_owned()));
        let chosen = self.ask(Question::Input, question, &options)?;
        self.add_bytes(pointer, candidates[chosen])
    }

    fn extern_result(
        &mut self,
        name: &str,
        effects: &ExternEffects,
        arguments: &[Value],
        result: Scalar,
        doubt: Doubt,
    ) -> Step<Value> {
        let argument = |index: u32| arguments.get(index as usize).copied().unwrap_or(Value::UNSET);
        match effects.result {
            ExternResult::Argument(index) => Ok(argument(index)),
            ExternResult::IntoArgument { argument: index, null } => {
                if null == NullResult::Possible && self.is_null_result(name)? {
                    self.state.doubtful = true;
                    return Ok(Value::ZERO);
                }
                self.pointer_into(name, argument(index))
            }
            ExternResult::Library { null } => {
                if null == NullResult::Possible && self.is_null_result(name)? {
                    self.doubt(Value::ZERO, doubt);
                    return Ok(Value::ZERO);
                }
                let input = self.add_call_input(name, doubt, PointersInside::Library);
                Ok(self.library_pointer(input))
            }
            ExternResult::Any => {
                let value = self.result_in_range(name, effects.range, arguments, result)?;
                if result != Scalar::None {
                    self.doubt(value, doubt);
                }
                Ok(value)
            }
        }
    }

    /// A function of the library uses what it is handed.
    pub(crate) fn check_arguments(&self, name: &str, arguments: &[Value]) -> Step<()> {
        match arguments.iter().any(|argument| argument.is_uninitialised()) {
            true => self.error(Kind::Uninitialised, format!("an uninitialised value is passed to `{name}`"), None),
            false => Ok(()),
        }
    }

    /// Any result of its type, within its range.
    fn result_in_range(
        &mut self,
        name: &str,
        range: Option<ResultRange>,
        arguments: &[Value],
        result: Scalar,
    ) -> Step<Value> {
        let source = InputSource::Result(name.to_owned());
        let (Some(ResultRange { low, high }), Scalar::Int(_) | Scalar::Float(_)) = (range, result) else {
            return self.nondet_scalar(result, source);
        };
        let (low, high) = match high {
            RangeEnd::Constant(high) => (i128::from(low), i128::from(high)),
            RangeEnd::Below(high) => {
                if let Scalar::Float(_) = result {
                    let (low, high) = (low as f64, high as f64);
                    return self.float_input(&[low, low.midpoint(high), high.next_down()], source);
                }
                (i128::from(low), i128::from(high) - 1)
            }
            RangeEnd::Argument(position) => {
                let limit = arguments.get(position as usize).copied().unwrap_or(Value::ZERO);
                let limit = self.integer_argument(name, limit)?;
                (i128::from(low), limit.max(i128::from(low)))
            }
        };
        match result {
            Scalar::Int(int) if int.bytes() <= 8 => {
                let (least, greatest) = integer::range(int);
                self.new_input_between((low.max(least), high.min(greatest)), source)
            }
            Scalar::Float(_) => self.float_input(&[low as f64, high as f64], source),
            Scalar::Int(_) | Scalar::Pointer(_) | Scalar::None => self.nondet_scalar(result, source),
        }
    }

    /// The library functions that are run natively. `None`: not one of them.
    fn native(
        &mut self,
        name: &str,
        arguments: &[Value],
        is_repeated: bool,
        range: Option<ResultRange>,
        turn: Turn,
    ) -> Step<Option<Value>> {
        let int = |value: i128| Ok(Some(Value::Int(value)));
        if let Some(value) = self.text_function(name, arguments)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.character_function(name, arguments)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.number_function(name, arguments)? {
            return Ok(Some(value));
        }
        match (name, arguments) {
            ("atexit", [Value::Function(handler)]) => {
                self.state.at_exit.push(*handler);
                int(0)
            }
            ("qsort", [base, count, size, Value::Function(compare)]) => {
                self.sort(*base, *count, *size, *compare)?;
                int(0)
            }
            ("bsearch", [key, base, count, size, Value::Function(compare)]) => {
                self.binary_search(*key, *base, *count, *size, *compare).map(Some)
            }
            ("__errno_location", []) => self.library_object(LibraryObject::ErrorNumber).map(Some),
            ("__ctype_b_loc", []) => self.library_object(LibraryObject::CtypeClasses).map(Some),
            ("__ctype_tolower_loc", []) => self.library_object(LibraryObject::CtypeLower).map(Some),
            ("__ctype_toupper_loc", []) => self.library_object(LibraryObject::CtypeUpper).map(Some),
            ("time", [to]) => {
                let width = Scalar::Int(IntType::Signed(self.machine.program.target.pointer_bytes as u8));
                let value = self.result_in_range(name, range, arguments, width)?;
                if *to != Value::ZERO {
                    let (object, offset) = self.locate(*to, width.bytes(), Access::Write)?;
                    self.write_value(object, offset, width, value)?;
                }
                Ok(Some(value))
            }
            ("fgets", [buffer, size, _]) => {
                let doubt = if is_repeated { Doubt::Some } else { Doubt::None };
                self.read_line(*buffer, *size, doubt, turn).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `fgets`: any line that fits, with its NUL; or nothing.
    fn read_line(&mut self, buffer: Value, size: Value, doubt: Doubt, turn: Turn) -> Step<Value> {
        let size = self.size_argument("fgets", size)?;
        self.locate(buffer, size, Access::Write)?;
        if size == 0 || self.is_null_result("fgets")? {
            return Ok(Value::ZERO);
        }
        let mut first = None;
        if let Turn::First(next) = turn {
            match self.choose(Question::Input, 2)? {
                0 => first = Some(next),
                _ => self.state.doubtful = true,
            }
        }
        let input = self.add_call_input("fgets", doubt, PointersInside::Opaque);
        let limit = u32::try_from(size - 1).unwrap_or(u32::MAX);
        if let Some(first) = first {
            self.set_among(input, Among::Bytes { first, others: ALL });
        }
        self.set_arrival(input, Arrival::Text { limit, kept_from: None }, buffer, size)?;
        self.fill_bytes(buffer, size, FillValue::Any(input))?;
        Ok(buffer)
    }

    /// Whether a pointer that the library returns is null.
    fn is_null_result(&mut self, name: &str) -> Step<bool> {
        let question = ChoiceQuestion::Input(InputSource::Result(name.to_owned()));
        Ok(self.ask(Question::Input, question, &[Answer::NotNull, Answer::Null])? == 1)
    }

    /// An argument that a library function uses as an integer.
    pub(crate) fn integer_argument(&mut self, name: &str, value: Value) -> Step<i128> {
        match value {
            Value::Uninitialised(_) => {
                self.error(Kind::Uninitialised, format!("an uninitialised value is passed to `{name}`"), None)
            }
            value => self.integer(value),
        }
    }

    /// An argument that is a size: negative counts as huge.
    pub(crate) fn size_argument(&mut self, name: &str, value: Value) -> Step<u64> {
        let value = self.integer_argument(name, value)?;
        Ok(u64::try_from(value).unwrap_or(u64::MAX >> 1))
    }

    /// Runs a defined function to its end, within this step.
    pub(crate) fn call_back(&mut self, function: FunctionId, arguments: &[Value]) -> Step<Value> {
        const LONGEST: u64 = 1_000_000;
        let depth = self.state.frames.len();
        self.push_frame(function, arguments, crate::state::CallOrigin::Callback)?;
        for _ in 0..LONGEST {
            if let Some(frame) = self.state.frames.last() {
                self.sink.called_back.insert(frame.function);
            }
            self.step()?;
            if self.state.frames.len() == depth {
                return Ok(self.state.returned);
            }
        }
        self.gap(CallGap::CallbackTooLong)
    }
}
