//! Functions without a body, by their models.

use super::memory::{Access, Located};
use super::strings::Followed;
use super::{Applied, Context, Executor, Numbering, Step, Stop};
use crate::arguments::LONGEST_ARGUMENT;
use crate::heap::{Heap, Life, Node, Object, Size, Storage, Text, TextKind, Value};
use crate::number::{Range, type_range};
use heapwise_engine::Kind;
use heapwise_engine::reason::{CallGap, SymbolicGap};
use heapwise_ir::format::{PrintArgument, print_arguments};
use heapwise_ir::{
    Body, DecidedBy, ExternEffects, ExternResult, Format, FormatLanguage, Function, FunctionId, IntType, Length,
    MemoryEffect, NullArgument, NullResult, Operand, RangeEnd, ReadFirst, RegisterId, ResultRange, ResultStorage,
    Success, Termination, Type, TypeId, WrittenBytes,
};

/// No text is longer.
const LONGEST_TEXT: i128 = 1 << 47;

/// The size of what the library made and does not show.
const OPAQUE: u64 = 1 << 20;

/// What lies behind a parameter, by its type.
enum Extent {
    Bytes(u64, TypeId),
    Sized {
        first: usize,
        last: usize,
    },
    /// So many bytes, whatever the type says.
    Told(u64),
    /// As many bytes as the number behind this argument, at most.
    Behind(usize),
    Text,
    Unknown,
}

impl<'p> Context<'p> {
    /// Whether the program may have other texts in its environment than it was started with.
    fn changes_environment(&self) -> bool {
        self.program.functions.values().any(|function| match &function.body {
            Body::Extern(effects) => effects.decided_by == DecidedBy::OutsideChanges,
            Body::Defined(_) => false,
        })
    }

    /// Calls a function without a body.
    pub(crate) fn call_extern(
        &self,
        caller: &'p Function,
        heap: &Heap,
        callee: FunctionId,
        effects: &ExternEffects,
        target: Option<RegisterId>,
        arguments: &[Operand],
    ) -> Applied {
        self.run(caller, heap, |executor| executor.call_extern(callee, effects, target, arguments))
    }
}

impl Executor<'_, '_> {
    /// Does what a model says. (Long: one effect behind the other.)
    fn call_extern(
        &mut self,
        callee: FunctionId,
        effects: &ExternEffects,
        target: Option<RegisterId>,
        arguments: &[Operand],
    ) -> Step<()> {
        let function = &self.context.program.functions[callee];
        let name = function.name.as_str();
        let is_input = name.starts_with("__VERIFIER_nondet");
        let comes_back = effects.termination == Termination::Returns;
        if comes_back && (!effects.modelled || effects.memory == MemoryEffect::Unknown) && !is_input {
            return self.gap(CallGap::of_extern(function));
        }
        let mut values = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let ty = function.parameters.get(index).map(|register| function.registers[*register].ty);
            let value = match ty {
                Some(ty) => self.typed(*argument, ty)?,
                None => self.operand(*argument, Some(IntType::Signed(8)))?,
            };
            values.push(self.used(value, ty)?);
        }
        self.check_format(function, effects, &values)?;
        if comes_back && self.call_string(name, effects, &values, target)? == Followed::Done {
            return Ok(());
        }
        let written: Vec<u32> = match &effects.memory {
            MemoryEffect::Pure | MemoryEffect::Unknown => Vec::new(),
            MemoryEffect::Writes(parameters) => parameters.clone(),
            // `strtol(text, NULL, 10)` stores nothing.
            MemoryEffect::StoresPointer { through, .. } if values.get(*through as usize) == Some(&Value::ZERO) => {
                Vec::new()
            }
            MemoryEffect::StoresPointer { .. } => {
                return self.gap(SymbolicGap::LibraryStores { function: name.to_string() });
            }
        };
        for dereference in &effects.dereferences {
            let parameter = dereference.parameter as usize;
            let Some(value) = values.get(parameter).copied() else { continue };
            if dereference.null == NullArgument::Allowed && self.is_null(value)? {
                continue;
            }
            // Where sizes say that nothing is looked at, it may be null.
            let is_sized = matches!(self.extent_behind(function, parameter), Extent::Sized { .. });
            if !is_sized || value != Value::ZERO {
                self.locate(value, 0, Access::Read)?;
            }
            if !written.contains(&dereference.parameter) {
                self.check_extent(function, parameter, &values, Access::Read)?;
            }
        }
        for read in &effects.reads_first {
            self.check_read_first(function, read, &values)?;
        }
        for parameter in &written {
            let Some(value) = values.get(*parameter as usize).copied() else { continue };
            // How many bytes are written behind null, where it is allowed, is said by sizes: none, or it is an error.
            let extent = self.extent_behind(function, *parameter as usize);
            if self.is_null(value)? && !matches!(extent, Extent::Sized { .. } | Extent::Text) {
                continue;
            }
            self.check_extent(function, *parameter as usize, &values, Access::Write)?;
        }
        match effects.termination {
            Termination::Returns => {}
            Termination::Exits => return Err(Stop::Exit),
            Termination::Aborts => return Err(Stop::Infeasible),
        }
        for parameter in &effects.takes_ownership {
            match values.get(*parameter as usize).copied() {
                Some(Value::Pointer(pointer)) => {
                    self.cell(pointer)?;
                    match self.heap.object(pointer.node).map(|object| object.storage) {
                        Some(Storage::Heap) => {
                            if let Some(object) = self.heap.object_mut(pointer.node) {
                                object.storage = Storage::GivenAway;
                            }
                        }
                        Some(Storage::Library) => self.heap.kill(pointer.node, Life::Freed),
                        _ => {}
                    }
                }
                Some(Value::Library) => {
                    return self.gap(SymbolicGap::LibraryStorageGivenBack { function: name.to_string() });
                }
                _ => {}
            }
        }
        if let Some(Format { parameter, language: FormatLanguage::Scan }) = effects.format {
            return self.scan(name, parameter as usize, &values, target);
        }
        let is_certain = effects.certain.is_some_and(|certain| {
            let argument = values.get(certain.parameter as usize).and_then(|value| self.heap.range(*value));
            argument.is_some_and(|range| range.low >= i128::from(certain.low) && range.high <= i128::from(certain.high))
        });
        let success = effects.success.filter(|_| !is_certain);
        let mut failed = Vec::new();
        if let Some(success) = success {
            failed = self.failures(effects, success, target);
        }
        for parameter in &written {
            if let Some(value) = values.get(*parameter as usize).copied() {
                self.fill(function, effects, *parameter as usize, value, &values)?;
            }
        }
        let outcome = match target {
            Some(target) if function.result.is_some() => self.extern_result(name, effects, &values, target),
            // It is called as one that gives a result, and gives none.
            Some(target) => {
                self.heap.set_register(target, Value::Uninitialised);
                Ok(())
            }
            None => Ok(()),
        };
        match outcome {
            Err(Stop::Done(mut heaps)) => {
                heaps.extend(failed);
                Err(Stop::Done(heaps))
            }
            Ok(()) if !failed.is_empty() => {
                failed.insert(0, self.heap.clone());
                Err(Stop::Done(failed))
            }
            outcome => outcome,
        }
    }

    /// The heaps where a function says that it failed, and has written nothing.
    fn failures(&mut self, effects: &ExternEffects, success: Success, target: Option<RegisterId>) -> Vec<Heap> {
        let Some(target) = target else { return vec![self.heap.clone()] };
        let ty = self.function.registers[target].ty;
        let results = match (success.failures(effects.range), effects.result) {
            (Some(failures), ExternResult::Any) => failures.into_iter().map(Value::Number).collect(),
            (_, ExternResult::Any | ExternResult::Argument(_)) => vec![self.context.any_of(&mut self.heap, ty)],
            (_, ExternResult::IntoArgument { .. } | ExternResult::Library { .. }) => vec![Value::ZERO],
        };
        let with = |value| {
            let mut heap = self.heap.clone();
            heap.set_register(target, value);
            heap
        };
        results.into_iter().map(with).collect()
    }

    /// What a function looks at before it writes there was written.
    fn check_read_first(&mut self, function: &Function, read: &ReadFirst, values: &[Value]) -> Step<()> {
        let program = self.context.program;
        let parameter = read.parameter as usize;
        let Some(value) = values.get(parameter).copied() else { return Ok(()) };
        if self.is_null(value)? {
            return Ok(());
        }
        let unknown = SymbolicGap::LibraryReads { function: function.name.to_string() };
        let pointee =
            function.parameters.get(parameter).and_then(|register| program.pointee(function.registers[*register].ty));
        let Some(pointee) = pointee else { return self.gap(unknown) };
        let (offset, ty) = match &read.member {
            None => (0, pointee),
            Some(name) => {
                let Type::Record(record) = program.ty(pointee) else { return self.gap(unknown) };
                let member = program.records[*record].fields().iter().find(|field| field.name == *name);
                let Some(member) = member else { return self.gap(unknown) };
                (member.offset as i64, member.ty)
            }
        };
        let Some(bytes) = program.size_of(ty) else { return self.gap(unknown) };
        let address = self.shifted(value, offset, None)?;
        let located = self.locate(address, bytes, Access::Read)?;
        if self.is_written(located, bytes) || !self.context.options.asks_for(Kind::Uninitialised) {
            return Ok(());
        }
        match self.context.integer_type(ty) {
            Some(_) => self.error(Kind::Uninitialised, "the library looks at a value that was never written"),
            None => self.gap(unknown),
        }
    }

    /// The number behind an argument, where it is known.
    fn number_behind(&mut self, function: &Function, parameter: usize, values: &[Value]) -> Option<u64> {
        let program = self.context.program;
        let register = function.parameters.get(parameter)?;
        let bytes = program.size_of(program.pointee(function.registers[*register].ty)?)?;
        let Value::Pointer(pointer) = *values.get(parameter)? else { return None };
        let object = self.heap.object(pointer.node)?;
        match object.load(u64::try_from(pointer.offset).ok()?, bytes) {
            Value::Number(number) => u64::try_from(number).ok(),
            _ => None,
        }
    }

    fn is_null(&mut self, value: Value) -> Step<bool> {
        match value {
            Value::Number(number) => Ok(number == 0),
            Value::Pointer(pointer) => match self.heap.instance(pointer.node) {
                Some(instance) if instance.least == 0 => self.decide_empty(pointer.node),
                Some(_) | None => Ok(false),
            },
            Value::Symbol(_) | Value::Any => self.gap(SymbolicGap::UnknownPointerHandedOver),
            Value::Uninitialised | Value::Top | Value::Function(_) | Value::Indexed { .. } | Value::Library => {
                Ok(false)
            }
        }
    }

    /// What the function writes behind a parameter is any value. Where it may write less than there is room for, bytes
    /// without a value stay so: that is not followed.
    fn fill(
        &mut self,
        function: &Function,
        effects: &ExternEffects,
        parameter: usize,
        value: Value,
        values: &[Value],
    ) -> Step<()> {
        let name = &function.name;
        if self.is_null(value)? {
            return Ok(());
        }
        // What is printed is a text, however large the buffer is.
        let written = if effects.format.is_some() { WrittenBytes::Text } else { effects.written };
        if let Extent::Sized { first, last } = self.extent_behind(function, parameter)
            && written == WrittenBytes::Text
            && first == last
            && let Some(Value::Number(size)) = values.get(first)
            && let Ok(size) = u64::try_from(*size)
            && self.write_any_text(value, size)?.is_some()
        {
            return Ok(());
        }
        let is_counted = matches!(effects.range, Some(ResultRange { high: RangeEnd::Argument(_), .. }));
        let bytes = match self.extent_behind(function, parameter) {
            Extent::Bytes(bytes, _) | Extent::Told(bytes) => Some(bytes),
            Extent::Behind(told) => self.number_behind(function, told, values),
            Extent::Sized { first, last } if !is_counted && written == WrittenBytes::Any => {
                let sizes = values.get(first..=last).unwrap_or_default();
                let numbers = sizes.iter().map(|size| match size {
                    Value::Number(number) => u64::try_from(*number).ok(),
                    _ => None,
                });
                numbers.collect::<Option<Vec<u64>>>().map(|sizes| sizes.into_iter().product())
            }
            Extent::Sized { .. } | Extent::Text | Extent::Unknown => None,
        };
        if let Located::Exact(node, offset) = self.locate(value, 0, Access::Write)? {
            let whole = match self.heap.object(node).map(|object| object.size) {
                Some(Size::Constant(size)) => Some(size - offset),
                Some(Size::Symbol(_)) | None => None,
            };
            let is_written = whole.is_some_and(|whole| self.is_written(Located::Exact(node, offset), whole));
            match (bytes, whole) {
                (Some(bytes), Some(whole)) if bytes <= whole => {
                    if let Some(object) = self.heap.object_mut(node) {
                        object.store(offset, bytes, Value::Any);
                    }
                    return Ok(());
                }
                (_, _) if !is_written => return self.gap(SymbolicGap::LibraryWrites { function: name.to_string() }),
                (_, _) => {}
            }
        }
        match self.locate(value, 0, Access::Write)? {
            Located::Exact(node, offset) => {
                let Some(object) = self.heap.object_mut(node) else { return Ok(()) };
                match object.size {
                    Size::Constant(size) => object.store(offset, size - offset, Value::Any),
                    Size::Symbol(_) if offset == 0 => {
                        object.fields.clear();
                        object.texts.clear();
                        object.rest = Value::Any;
                    }
                    Size::Symbol(_) => return self.gap(SymbolicGap::LibraryWrites { function: name.to_string() }),
                }
                Ok(())
            }
            Located::Somewhere { .. } => self.gap(SymbolicGap::LibraryWrites { function: name.to_string() }),
            Located::Library => Ok(()),
        }
    }

    pub(super) fn extern_result(
        &mut self,
        name: &str,
        effects: &ExternEffects,
        values: &[Value],
        target: RegisterId,
    ) -> Step<()> {
        let ty = self.function.registers[target].ty;
        let argument = |index: u32| values.get(index as usize).copied().unwrap_or(Value::Any);
        let mut results = Vec::new();
        match effects.result {
            ExternResult::Any => {
                let value = match (self.context.program.ty(ty), effects.range) {
                    (Type::Int(int), Some(range)) => {
                        let high = match range.high {
                            RangeEnd::Constant(high) => i128::from(high),
                            RangeEnd::Below(high) => i128::from(high) - 1,
                            RangeEnd::Argument(index) => {
                                self.heap.range(argument(index)).map_or(i128::MAX, |range| range.high)
                            }
                        };
                        let low = i128::from(range.low);
                        let range = Range::new(low, high.max(low)).and_then(|range| range.meet(type_range(*int)));
                        self.heap.fresh(range.unwrap_or(type_range(*int)))
                    }
                    _ => self.context.any_of(&mut self.heap, ty),
                };
                results.push(value);
            }
            ExternResult::Argument(index) => results.push(argument(index)),
            ExternResult::IntoArgument { argument: index, null } => {
                if null == NullResult::Possible {
                    results.push(Value::ZERO);
                }
                let rest = self.rest_of(argument(index))?;
                let index_range = Range { low: 0, high: i128::from(rest), without_zero: false };
                match (argument(index), self.heap.fresh(index_range)) {
                    (Value::Pointer(pointer), Value::Symbol(index)) => {
                        results.push(Value::Indexed { pointer, index, scale: 1 });
                    }
                    (pointer @ Value::Pointer(_), _) => results.push(pointer),
                    _ => return self.gap(SymbolicGap::LibraryResult { function: name.to_string() }),
                }
            }
            ExternResult::Library { null } => {
                if null == NullResult::Possible {
                    results.push(Value::ZERO);
                }
                results.push(self.library_object(name, effects, ty, values)?);
            }
        }
        let heaps = results
            .into_iter()
            .map(|value| {
                let mut heap = self.heap.clone();
                heap.set_register(target, value);
                heap
            })
            .collect();
        Err(Stop::Done(heaps))
    }

    /// What a function of the library hands out: an object of its own, a part of one, a text that stays, or something of which
    /// nothing is known.
    fn library_object(&mut self, name: &str, effects: &ExternEffects, ty: TypeId, values: &[Value]) -> Step<Value> {
        let program = self.context.program;
        let Some(pointee) = program.pointee(ty) else { return Ok(Value::Library) };
        let is_text = matches!(program.ty(pointee), Type::Int(int) if int.bytes() == 1);
        let object = match effects.storage {
            Some(ResultStorage::New) if !is_text => {
                let size = program.size_of(pointee).unwrap_or(OPAQUE);
                Object::new(Storage::Library, Size::Constant(size), Value::Any)
            }
            Some(ResultStorage::OfArgument(index)) => {
                let Some(Value::Pointer(pointer)) = values.get(index as usize).copied() else {
                    return Ok(Value::Library);
                };
                // It ends with its owner: an address somewhere in it.
                let owner = self.heap.object(pointer.node).filter(|owner| owner.storage == Storage::Library);
                let Some(Object { size: Size::Constant(OPAQUE), .. }) = owner else {
                    return self.gap(SymbolicGap::LibraryResult { function: name.to_owned() });
                };
                let place = self.heap.fresh(Range { low: 0, high: i128::from(OPAQUE / 2), without_zero: false });
                let Value::Symbol(index) = place else { return Ok(Value::Library) };
                return Ok(Value::Indexed { pointer, index, scale: 1 });
            }
            None if is_text && self.context.numbering == Numbering::On => {
                // The environment that Linux hands over has no longer texts; the program may put others in.
                let longest = if self.context.changes_environment() { LONGEST_TEXT } else { LONGEST_ARGUMENT };
                let length = self.heap.fresh(Range { low: 0, high: longest - 1, without_zero: false });
                let size = self.heap.fresh(Range { low: 1, high: longest, without_zero: false });
                self.heap.note_linear(size, length, 1, 1);
                let Value::Symbol(size) = size else { return Ok(Value::Library) };
                let mut object = Object::new(Storage::Library, Size::Symbol(size), Value::Any);
                object.set_text(Text { offset: 0, kind: TextKind::Ended, length, room: Text::WHOLE });
                object
            }
            Some(ResultStorage::New | ResultStorage::Shared(_) | ResultStorage::Changing(_)) | None => {
                return Ok(Value::Library);
            }
        };
        Ok(Value::pointer(self.heap.add(Node::Object(object)), 0))
    }

    fn extent_behind(&self, function: &Function, parameter: usize) -> Extent {
        let program = self.context.program;
        if let Body::Extern(effects) = &function.body {
            match effects.length_behind(parameter as u32) {
                Length::ByType => {}
                Length::Constant(bytes) => return Extent::Told(u64::from(bytes)),
                Length::Argument(told) => return Extent::Sized { first: told as usize, last: told as usize },
                Length::Behind(told) => return Extent::Behind(told as usize),
            }
        }
        let ty_of = |index: usize| function.parameters.get(index).map(|register| function.registers[*register].ty);
        let Some(pointee) = ty_of(parameter).and_then(|ty| program.pointee(ty)) else { return Extent::Unknown };
        match program.ty(pointee) {
            Type::Void => {}
            Type::Int(int) if int.bytes() == 1 => {}
            _ => return program.size_of(pointee).map_or(Extent::Unknown, |size| Extent::Bytes(size, pointee)),
        }
        let size = Type::Int(IntType::Unsigned(program.target.pointer_bytes as u8));
        let first = parameter + 1;
        let n_sizes = (first..).take_while(|index| ty_of(*index).is_some_and(|ty| *program.ty(ty) == size)).count();
        match (n_sizes, program.ty(pointee)) {
            (0, Type::Void) => Extent::Unknown,
            (0, _) => Extent::Text,
            (n_sizes, _) => Extent::Sized { first, last: first + n_sizes - 1 },
        }
    }

    /// What a function looks at lies within its object and was written.
    fn check_extent(&mut self, function: &Function, parameter: usize, values: &[Value], access: Access) -> Step<()> {
        let Some(pointer) = values.get(parameter).copied() else { return Ok(()) };
        if pointer == Value::Library {
            return Ok(());
        }
        if pointer.node().is_some_and(|node| self.is_opaque(node)) {
            return self.locate(pointer, 0, Access::Read).map(drop);
        }
        let unknown = |executor: &Executor<'_, '_>| {
            executor.gap(SymbolicGap::LibraryReads { function: function.name.to_string() })
        };
        // These look at a text up to its end, or at less.
        if access == Access::Read && name_of_text_reader(&function.name) && self.text_length(pointer)?.is_some() {
            return Ok(());
        }
        let bytes = match self.extent_behind(function, parameter) {
            Extent::Bytes(bytes, ty) => {
                let located = self.locate(pointer, bytes, access)?;
                if access == Access::Read && !self.is_written(located, bytes) {
                    return match self.context.integer_type(ty) {
                        Some(_) => {
                            self.error(Kind::Uninitialised, "the library looks at a value that was never written")
                        }
                        None => unknown(self),
                    };
                }
                return Ok(());
            }
            Extent::Sized { first, last } => {
                let mut product: i128 = 1;
                for size in values.get(first..=last).unwrap_or_default() {
                    match self.heap.range(*size) {
                        Some(range) if range.low >= 0 => product = product.saturating_mul(range.high),
                        Some(_) | None => return unknown(self),
                    }
                }
                match u64::try_from(product) {
                    Ok(bytes) => bytes,
                    Err(_) => return unknown(self),
                }
            }
            Extent::Told(bytes) => bytes,
            Extent::Behind(told) => match self.number_behind(function, told, values) {
                Some(bytes) => bytes,
                None => return unknown(self),
            },
            Extent::Text if access == Access::Read => return self.check_text(&function.name, pointer),
            Extent::Text | Extent::Unknown => return unknown(self),
        };
        if bytes == 0 {
            return Ok(());
        }
        let is_exact = match self.extent_behind(function, parameter) {
            Extent::Sized { first, last } => {
                values.get(first..=last).unwrap_or_default().iter().all(|size| matches!(size, Value::Number(_)))
            }
            // That so many are ever written is not known.
            Extent::Behind(_) => false,
            Extent::Bytes(..) | Extent::Told(_) | Extent::Text | Extent::Unknown => true,
        };
        let located = match self.locate(pointer, bytes, access) {
            Err(Stop::Error(..)) if !is_exact || access == Access::Read && self.is_text(function, parameter) => {
                return unknown(self);
            }
            other => other?,
        };
        if access == Access::Read && !self.is_written(located, bytes) {
            return unknown(self);
        }
        Ok(())
    }

    /// Whether a parameter points to characters: they may end with a NUL before the size is reached.
    fn is_text(&self, function: &Function, parameter: usize) -> bool {
        let program = self.context.program;
        let register = function.parameters.get(parameter);
        let pointee = register.and_then(|register| program.pointee(function.registers[*register].ty));
        pointee.is_some_and(|ty| matches!(program.ty(ty), Type::Int(_)))
    }

    fn is_written(&self, located: Located, bytes: u64) -> bool {
        match located {
            Located::Exact(node, offset) => self.heap.object(node).is_some_and(|object| {
                matches!(object.storage, Storage::Literal(_))
                    || !object
                        .pieces(offset, bytes)
                        .iter()
                        .any(|piece| matches!(piece.value, Value::Uninitialised | Value::Top))
            }),
            Located::Somewhere { .. } => false,
            Located::Library => true,
        }
    }

    /// A text ends within its object, and all bytes before its end were written.
    pub(super) fn check_text(&mut self, name: &str, pointer: Value) -> Step<()> {
        let unknown =
            |executor: &Executor<'_, '_>| executor.gap(SymbolicGap::LibraryReads { function: name.to_string() });
        if self.text_length(pointer)?.is_some() {
            return Ok(());
        }
        let (node, offset) = match self.locate(pointer, 1, Access::Read)? {
            Located::Exact(node, _) | Located::Somewhere { node, .. } if self.is_opaque(node) => return Ok(()),
            Located::Exact(node, offset) => (node, offset),
            Located::Library => return Ok(()),
            Located::Somewhere { .. } => return unknown(self),
        };
        let Some(object) = self.heap.object(node) else { return unknown(self) };
        let size = match object.size {
            Size::Constant(size) => size,
            Size::Symbol(symbol) => u64::try_from(self.heap.symbol(symbol).low).unwrap_or(0),
        };
        if let Storage::Literal(global) = object.storage {
            let ends = (offset..size).any(|at| self.literal_bytes(global, at, 1) == Some(0));
            return if ends { Ok(()) } else { unknown(self) };
        }
        for piece in object.pieces(offset, size.saturating_sub(offset)) {
            match piece.value {
                Value::Uninitialised | Value::Top => return unknown(self),
                Value::Number(0) => return Ok(()),
                Value::Number(number) => {
                    let bytes = (number as u128).to_le_bytes();
                    if bytes[..bytes.len().min(piece.bytes as usize)].contains(&0) {
                        return Ok(());
                    }
                }
                Value::Any
                | Value::Symbol(_)
                | Value::Function(_)
                | Value::Pointer(_)
                | Value::Indexed { .. }
                | Value::Library => {}
            }
        }
        unknown(self)
    }

    /// What the conversions of a format look through.
    fn check_format(&mut self, function: &Function, effects: &ExternEffects, values: &[Value]) -> Step<()> {
        let Some(format) = effects.format else { return Ok(()) };
        let name = &function.name;
        let first = format.parameter as usize + 1;
        match format.language {
            FormatLanguage::PrintList => {
                return self.gap(SymbolicGap::LibraryArgumentList { function: name.to_string() });
            }
            // Its conversions are looked at where they store.
            FormatLanguage::Scan => return Ok(()),
            FormatLanguage::Print => {}
        }
        let text = values.get(format.parameter as usize).copied();
        if text == Some(Value::Number(0)) && effects.allows_no_format() {
            return Ok(());
        }
        let text = self.format_text(text);
        let Some(arguments) = text.and_then(|text| print_arguments(&text)) else {
            return self.gap(SymbolicGap::LibraryFormat { function: name.to_string() });
        };
        for (index, argument) in arguments.into_iter().enumerate() {
            let Some(value) = values.get(first + index).copied() else {
                return self.gap(SymbolicGap::LibraryTooFewArguments { function: name.to_string() });
            };
            match argument {
                PrintArgument::Value(_) => {}
                PrintArgument::Text => self.check_text(name, value)?,
                PrintArgument::WideText => {
                    return self.gap(SymbolicGap::LibraryReads { function: name.to_string() });
                }
                PrintArgument::Count => {
                    return self.gap(SymbolicGap::LibraryFormatWrites { function: name.to_string() });
                }
            }
        }
        Ok(())
    }

    pub(super) fn format_text(&self, value: Option<Value>) -> Option<Vec<u8>> {
        let Some(Value::Pointer(pointer)) = value else { return None };
        let object = self.heap.object(pointer.node)?;
        let Storage::Literal(global) = object.storage else { return None };
        let heapwise_ir::Initializer::Bytes(bytes) = &self.context.program.globals[global].initializer else {
            return None;
        };
        let bytes = bytes.get(usize::try_from(pointer.offset).ok()?..)?;
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        Some(bytes[..end].to_vec())
    }
}

/// Whether a function reads a text up to a number of bytes or its end, whichever comes first.
fn name_of_text_reader(name: &str) -> bool {
    matches!(name, "strncmp" | "strncasecmp" | "strnlen" | "strncpy" | "strncat")
}
