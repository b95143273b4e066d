//! Calls: inlined if there is a body, by their model if there is none.

use super::constants::{Environment, Known, Object};
use super::objects::Holds;
use super::transfer::{Stretch, Written};
use super::{Arguments, Cursor, Instance, ResultUse, Translator};
use crate::atom::{Atom, Var};
use crate::program::{Access, Command, Contents, Ending, Frame, Purpose, Source, TouchPurpose};
use heapwise_engine::reason::{CallGap, GapReason, LibraryGap, MemoryGap, PointerGap};
use heapwise_ir::format::{PrintArgument, PrintMisfit, arguments_printed};
use heapwise_ir::{
    Body, Callee, EdgeId, ExternEffects, ExternResult, FormatLanguage, FunctionId, IntType, Length, MemoryEffect,
    NullArgument, NullResult, Operand, ReadFirst, RegisterId, ResultStorage, Success, Termination, Type, TypeId,
};

/// A call site.
pub(super) struct Site<'a, 'p> {
    pub(super) instance: &'a Instance<'p>,
    pub(super) environment: &'a Environment,
    pub(super) target: Option<RegisterId>,
    pub(super) arguments: &'a [Operand],
}

/// How many bytes a function looks at behind a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sizes {
    /// Those of a text, up to its end.
    Text,
    /// So many.
    Bytes(i128),
    /// As many as an argument says that is not known.
    Unknown,
    /// Nothing among the arguments says it.
    Untold,
}

impl<'p> Translator<'p> {
    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction")]
    pub(super) fn call(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        edge: EdgeId,
        target: Option<RegisterId>,
        callee: Callee,
        arguments: &[Operand],
    ) {
        let site = Site { instance, environment, target, arguments };
        match callee {
            Callee::Direct(callee) => self.call_function(&site, cursor, edge, callee),
            Callee::Indirect(operand) => self.call_through_pointer(&site, cursor, edge, operand),
        }
    }

    /// A call of a function that is known.
    pub(super) fn call_function(&mut self, site: &Site<'_, 'p>, cursor: &mut Cursor, edge: EdgeId, callee: FunctionId) {
        let instance = site.instance;
        if let Some(contract) = self.contract_of(callee) {
            self.call_by_contract(site, cursor, contract);
            return;
        }
        match &self.program.functions[callee].body {
            Body::Defined(_) if self.is_procedure(instance, callee) => {
                self.call_procedure(site, cursor, edge, callee);
            }
            Body::Defined(_) if instance.active.contains(&callee) => {
                let function = self.program.functions[callee].name.clone();
                let reason = CallGap::Recursion { function }.into();
                self.close(cursor, Command::Gap { reason });
            }
            Body::Defined(_) => self.call_defined(site, cursor, edge, callee),
            Body::Extern(effects) => self.call_extern(site, cursor, callee, effects),
        }
    }

    fn call_defined(&mut self, site: &Site<'_, 'p>, cursor: &mut Cursor, edge: EdgeId, callee: FunctionId) {
        let program = self.program;
        let function = &program.functions[callee];
        if site.arguments.len() < function.parameters.len() {
            let reason = CallGap::TooFewArguments { function: function.name.clone() }.into();
            self.close(cursor, Command::Gap { reason });
            return;
        }
        let caller = site.instance.frame;
        let frame = self.out.frames.len() as u32;
        let outside = self.between(caller);
        let procedure = self.out.frames[caller as usize].procedure;
        let called = Frame { function: callee, caller: Some((caller, edge)), returns: Some(outside), procedure };
        self.out.frames.push(called);
        let known: Vec<Known> = site.arguments.iter().map(|operand| site.environment.operand(*operand)).collect();
        let mut active = site.instance.active.clone();
        active.push(callee);
        let inside = self.between(frame);
        let sources: Vec<Source> =
            site.arguments.iter().map(|operand| self.source(site.instance, site.environment, *operand)).collect();
        let shifts = sources.iter().map(|source| self.places_of_source(*source)).collect();
        let is_kept = site.target.is_some_and(|target| site.instance.vars.contains_key(&target));
        let result = if is_kept { ResultUse::Kept } else { ResultUse::Discarded };
        let vars = self.inline(frame, callee, &Arguments { known, shifts, result }, inside, outside, active);
        let mut entering = Cursor { at: cursor.at, to: inside, ..*cursor };
        for (parameter, source) in function.parameters.iter().zip(sources) {
            let Some(var) = vars.get(parameter) else { continue };
            let command = match source {
                Source::Atom(value) => Command::Set { target: *var, value },
                Source::Var(source) => {
                    self.check_shift(&mut entering, *var, source);
                    Command::Copy { target: *var, source }
                }
            };
            self.then(&mut entering, command);
        }
        self.close(&mut entering, Command::Skip);
        let mut leaving = Cursor { at: outside, ..*cursor };
        let result = function.result.and_then(|result| vars.get(&result)).copied();
        let target = site.target.and_then(|target| site.instance.vars.get(&target)).copied();
        match (target, result) {
            (Some(target), Some(source)) => {
                self.check_shift(&mut leaving, target, source);
                self.then(&mut leaving, Command::Copy { target, source });
            }
            (Some(target), None) => {
                let value = self.value_of_no_result(callee);
                self.then(&mut leaving, Command::Set { target, value });
            }
            (None, Some(var)) => self.then(&mut leaving, Command::Use { var, purpose: Purpose::Discard }),
            (None, None) => {}
        }
        let command = result.map_or(Command::Skip, |result| Command::EndScope { vars: vec![result] });
        self.close(&mut leaving, command);
    }

    /// What a call has as its value where no variable holds a result: none if the function gives none, else any.
    pub(super) fn value_of_no_result(&self, callee: FunctionId) -> Atom {
        match self.program.functions[callee].result {
            None => Atom::Uninit,
            Some(_) => Atom::Opaque,
        }
    }

    fn call_extern(&mut self, site: &Site<'_, 'p>, cursor: &mut Cursor, callee: FunctionId, effects: &ExternEffects) {
        let name = &self.program.functions[callee].name;
        if !effects.modelled {
            let reason = CallGap::of_extern(&self.program.functions[callee]).into();
            self.close(cursor, Command::Gap { reason });
            return;
        }
        if effects.format.is_some_and(|format| format.language == FormatLanguage::PrintList) {
            let reason = GapReason::library(name, LibraryGap::ArgumentList);
            self.close(cursor, Command::Gap { reason });
            return;
        }
        // What is handed over by value is looked at: an error where there is no value.
        for operand in site.arguments {
            if let Source::Var(var) = self.source(site.instance, site.environment, *operand) {
                self.then(cursor, Command::Use { var, purpose: Purpose::Operation });
            }
        }
        self.touch_arguments(site, cursor, callee, effects);
        if let Some(failure) = self.out_of_sight(site, callee, effects) {
            self.close(cursor, failure);
            return;
        }
        if effects.format.is_some_and(|format| format.language == FormatLanguage::Scan) {
            return self.scan(site, cursor, callee, effects);
        }
        for parameter in &effects.takes_ownership {
            self.escape_argument(site, cursor, *parameter, PointerGap::HandedOver);
        }
        self.fail_without_writing(site, cursor, effects);
        match &effects.memory {
            MemoryEffect::Pure => {}
            MemoryEffect::Writes(parameters) => {
                for parameter in parameters {
                    if let Err(last) = self.write_argument(site, cursor, callee, *parameter) {
                        return self.close(cursor, last);
                    }
                }
            }
            MemoryEffect::StoresPointer { .. } | MemoryEffect::Unknown => {
                let reason = GapReason::library(name, LibraryGap::Effect);
                self.close(cursor, Command::Gap { reason });
                return;
            }
        }
        for parameter in &effects.takes_ownership {
            self.close_library(cursor, callee, *parameter);
        }
        match effects.termination {
            Termination::Returns => {}
            Termination::Exits => return self.close(cursor, Command::End(Ending::Exit)),
            Termination::Aborts => return self.close(cursor, Command::End(Ending::Abort)),
        }
        let Some(target) = site.target else { return self.close(cursor, Command::Skip) };
        let source = match effects.result {
            _ if self.program.functions[callee].result.is_none() => Source::Atom(Atom::Uninit),
            ExternResult::Any if effects.success == Some(Success::Zero) => Source::Atom(Atom::int(0)),
            ExternResult::Any => Source::Atom(Atom::Opaque),
            ExternResult::Argument(argument) => match site.arguments.get(argument as usize) {
                Some(operand) => self.source(site.instance, site.environment, *operand),
                None => Source::Atom(Atom::Opaque),
            },
            ExternResult::IntoArgument { argument, .. } => {
                self.escape_argument(site, cursor, argument, PointerGap::IntoCell);
                Source::Atom(Atom::Opaque)
            }
            ExternResult::Library { null } => {
                if null == NullResult::Possible {
                    let mut without = Cursor { at: cursor.at, ..*cursor };
                    self.write_register(site.instance, &mut without, target, Source::Atom(Atom::NULL));
                }
                let function = &self.program.functions[callee];
                let ty = function.result.map(|result| function.registers[result].ty);
                Source::Atom(self.library(ty))
            }
        };
        self.write_register(site.instance, cursor, target, source);
    }

    /// The ways on which a function says that it failed, and has written nothing.
    fn fail_without_writing(&mut self, site: &Site<'_, 'p>, cursor: &mut Cursor, effects: &ExternEffects) {
        let Some(success) = effects.success else { return };
        let is_certain = effects.certain.is_some_and(|certain| {
            let argument = site.arguments.get(certain.parameter as usize).map(|it| site.environment.operand(*it));
            let range = i128::from(certain.low)..=i128::from(certain.high);
            matches!(argument, Some(Known::Int(value)) if range.contains(&value))
        });
        if is_certain {
            return;
        }
        let results = match (success.failures(effects.range), effects.result) {
            (Some(failures), ExternResult::Any) => failures.into_iter().map(Atom::int).collect(),
            (_, ExternResult::Any | ExternResult::Argument(_)) => vec![Atom::Opaque],
            (_, ExternResult::IntoArgument { .. } | ExternResult::Library { .. }) => vec![Atom::NULL],
        };
        for result in results {
            let mut failed = Cursor { at: cursor.at, ..*cursor };
            match site.target {
                Some(target) => self.write_register(site.instance, &mut failed, target, Source::Atom(result)),
                None => self.close(&mut failed, Command::Skip),
            }
        }
    }

    /// Bytes that a function looks at or writes behind its arguments: those of a record or a number are one of its type,
    /// which must fit the object; how many characters a text or a buffer has is not followed, but for literals.
    fn out_of_sight(&self, site: &Site<'_, 'p>, callee: FunctionId, effects: &ExternEffects) -> Option<Command> {
        let function = &self.program.functions[callee];
        let written: &[u32] = match &effects.memory {
            MemoryEffect::Writes(parameters) => parameters,
            MemoryEffect::Pure | MemoryEffect::StoresPointer { .. } | MemoryEffect::Unknown => &[],
        };
        let read = effects.dereferences.iter().map(|dereference| dereference.parameter);
        for parameter in read.chain(written.iter().copied()) {
            let register = function.parameters.get(parameter as usize);
            let pointee = register.and_then(|register| self.program.pointee(function.registers[*register].ty));
            let operand = site.arguments.get(parameter as usize);
            let told = match effects.length_behind(parameter) {
                Length::ByType => None,
                Length::Constant(bytes) => Some(Some(u64::from(bytes))),
                Length::Argument(told) => Some(self.told(site, told)),
                Length::Behind(_) => Some(None),
            };
            if let (Some(told), Some(operand)) = (told, operand) {
                if !self.is_room_for(site, *operand, told) {
                    let reason = GapReason::library(&function.name, LibraryGap::BytesRead);
                    return Some(Command::Gap { reason });
                }
            } else if let (Some(pointee), Some(operand)) = (pointee, operand) {
                let sizes = self.sizes_behind(site, callee, parameter);
                // Behind null, where it is allowed, no bytes may be written.
                let is_nothing = !self.is_bytes(pointee) || matches!(sizes, Sizes::Bytes(0) | Sizes::Untold);
                let is_null = site.environment.operand(*operand) == Known::Int(0);
                if is_null && !is_nothing && written.contains(&parameter) {
                    let reason = GapReason::library(&function.name, LibraryGap::UnknownExtent);
                    return Some(Command::Gap { reason });
                }
                if let Some(last) = self.is_out_of_sight(site, callee, *operand, Some(pointee), sizes) {
                    return Some(last);
                }
            }
        }
        let gap = |gap| Some(Command::Gap { reason: GapReason::library(&function.name, gap) });
        match effects.format?.language {
            FormatLanguage::Print => {}
            // What conversions write is looked at one by one.
            FormatLanguage::Scan => return None,
            FormatLanguage::PrintList => return gap(LibraryGap::ArgumentList),
        }
        let printed = match self.printed(site, effects) {
            Ok(printed) => printed,
            Err(PrintMisfit::UnknownFormat) => return gap(LibraryGap::UnknownFormat),
            Err(PrintMisfit::FewArguments) => return gap(LibraryGap::FewArguments),
        };
        printed.into_iter().find_map(|(argument, operand)| match argument {
            PrintArgument::Value(_) => None,
            PrintArgument::Text => self.is_out_of_sight(site, callee, operand, None, Sizes::Text),
            PrintArgument::WideText => gap(LibraryGap::ReadsWideText),
            PrintArgument::Count => gap(LibraryGap::FormatWrites),
        })
    }

    /// How many bytes an argument tells, if that is known.
    fn told(&self, site: &Site<'_, 'p>, told: u32) -> Option<u64> {
        match site.environment.operand(*site.arguments.get(told as usize)?) {
            Known::Int(bytes) => u64::try_from(bytes).ok(),
            _ => None,
        }
    }

    /// Whether there are surely so many bytes behind an argument, or none is looked at.
    fn is_room_for(&self, site: &Site<'_, 'p>, operand: Operand, told: Option<u64>) -> bool {
        match site.environment.operand(operand) {
            Known::Int(0) => true,
            Known::Address(object, _) if self.is_library(object) => true,
            Known::Address(object, offset) => {
                let end = told.zip(u64::try_from(offset).ok()).and_then(|(told, offset)| offset.checked_add(told));
                end.zip(self.object_size(object)).is_some_and(|(end, size)| end <= size)
            }
            Known::Int(_) | Known::Function(_) | Known::Defined | Known::Uninit | Known::MaybeUninit => false,
        }
    }

    /// What a function that prints does with the arguments behind its format.
    fn printed(
        &self,
        site: &Site<'_, 'p>,
        effects: &ExternEffects,
    ) -> Result<Vec<(PrintArgument, Operand)>, PrintMisfit> {
        let format = effects.format.ok_or(PrintMisfit::UnknownFormat)?;
        let operand = site.arguments.get(format.parameter as usize).map(|operand| site.environment.operand(*operand));
        if operand == Some(Known::Int(0)) && effects.allows_no_format() {
            return Ok(Vec::new());
        }
        let text = self.format_text(site, effects).ok_or(PrintMisfit::UnknownFormat)?;
        let given = site.arguments.get(format.parameter as usize + 1..).unwrap_or_default();
        let arguments = arguments_printed(&text, given.len())?;
        Ok(arguments.into_iter().zip(given.iter().copied()).collect())
    }

    /// What says how many bytes there are behind a parameter: the sizes that follow it.
    fn sizes_behind(&self, site: &Site<'_, 'p>, callee: FunctionId, parameter: u32) -> Sizes {
        let function = &self.program.functions[callee];
        let size = Type::Int(IntType::Unsigned(self.program.target.pointer_bytes as u8));
        let ty_of = |register: RegisterId| function.registers[register].ty;
        let pointee = function.parameters.get(parameter as usize).and_then(|it| self.program.pointee(ty_of(*it)));
        let is_plain = pointee.is_some_and(|pointee| *self.program.ty(pointee) == Type::Void);
        let following = function.parameters.iter().zip(site.arguments).skip(parameter as usize + 1);
        // Several objects without a type may share their sizes (`memcmp(a, b, n)`).
        let behind =
            following.skip_while(|(register, _)| is_plain && self.program.pointee(ty_of(**register)) == pointee);
        let sizes = behind.take_while(|(register, _)| *self.program.ty(ty_of(**register)) == size);
        let mut product = None;
        for (_, operand) in sizes {
            let Known::Int(size) = site.environment.operand(*operand) else { return Sizes::Unknown };
            product = Some(product.unwrap_or(1i128).saturating_mul(size));
        }
        match product {
            Some(bytes) => Sizes::Bytes(bytes),
            None if is_plain => Sizes::Untold,
            None => Sizes::Text,
        }
    }

    /// What an array consists of in the end; any other type itself.
    fn element_of(&self, mut ty: TypeId) -> TypeId {
        while let Type::Array(element, _) = self.program.ty(ty) {
            ty = *element;
        }
        ty
    }

    /// Whether these are bytes, of which there may be any number.
    fn is_bytes(&self, ty: TypeId) -> bool {
        match self.program.ty(self.element_of(ty)) {
            Type::Void => true,
            Type::Int(int) => int.bytes() == 1,
            Type::Float(_) | Type::Pointer(_) | Type::Record(_) | Type::Array(..) | Type::Function(_) => false,
        }
    }

    /// What is looked at behind an argument, seen as this type, or as characters without one.
    fn is_out_of_sight(
        &self,
        site: &Site<'_, 'p>,
        callee: FunctionId,
        operand: Operand,
        view: Option<TypeId>,
        sizes: Sizes,
    ) -> Option<Command> {
        let pointee = view.map(|view| self.element_of(view));
        let is_bytes = pointee.is_none_or(|pointee| self.is_bytes(pointee));
        let unknown = || {
            let name = &self.program.functions[callee].name;
            Some(Command::Gap { reason: GapReason::library(name, LibraryGap::BytesRead) })
        };
        match site.environment.operand(operand) {
            // That it is no pointer is seen where it is looked through.
            Known::Int(_) => None,
            Known::Function(_) if is_bytes => unknown(),
            Known::Function(_) => None,
            Known::Address(object, _) if self.is_library(object) => None,
            Known::Address(object, offset) if is_bytes => {
                let Some(bytes) = self.literal(object) else { return unknown() };
                let is_there = match (sizes, usize::try_from(offset)) {
                    (Sizes::Text, Ok(offset)) => bytes.get(offset..).is_some_and(|text| text.contains(&0)),
                    (Sizes::Bytes(size), Ok(offset)) => offset as i128 + size <= bytes.len() as i128,
                    (Sizes::Unknown | Sizes::Untold, _) | (_, Err(_)) => false,
                };
                if is_there { None } else { unknown() }
            }
            Known::Address(object, offset) => {
                let size = pointee.and_then(|pointee| self.program.size_of(pointee));
                let size = size.and_then(|size| i64::try_from(size).ok());
                let end = size.and_then(|size| offset.checked_add(size));
                let object_size = self.object_size(object).and_then(|size| i64::try_from(size).ok());
                match (end, object_size) {
                    (Some(end), Some(size)) if offset >= 0 && end <= size => None,
                    (Some(_), Some(_)) => Some(Command::Fail { kind: heapwise_engine::Kind::OutOfBounds }),
                    (None, _) | (_, None) => unknown(),
                }
            }
            Known::Defined | Known::Uninit | Known::MaybeUninit => {
                if is_bytes {
                    unknown()
                } else {
                    None
                }
            }
        }
    }

    /// The format of a call, where it is a literal.
    pub(super) fn format_text(&self, site: &Site<'_, 'p>, effects: &ExternEffects) -> Option<Vec<u8>> {
        let operand = site.arguments.get(effects.format?.parameter as usize)?;
        match site.environment.operand(*operand) {
            Known::Address(object, 0) => self.literal(object).map(|bytes| bytes.to_vec()),
            _ => None,
        }
    }

    /// The function looks through some of its arguments.
    fn touch_arguments(
        &mut self,
        site: &Site<'_, 'p>,
        cursor: &mut Cursor,
        callee: FunctionId,
        effects: &ExternEffects,
    ) {
        let written: &[u32] = match &effects.memory {
            MemoryEffect::Writes(parameters) => parameters,
            MemoryEffect::Pure | MemoryEffect::StoresPointer { .. } | MemoryEffect::Unknown => &[],
        };
        for dereference in &effects.dereferences {
            let Some(operand) = site.arguments.get(dereference.parameter as usize) else { continue };
            let size = match (dereference.length, written.contains(&dereference.parameter)) {
                (Length::Behind(_), _) | (_, true) => 0,
                (Length::Constant(bytes), false) => u64::from(bytes),
                (Length::Argument(told), false) => self.told(site, told).unwrap_or(0),
                (Length::ByType, false) => self.size_behind(callee, dereference.parameter).unwrap_or(0),
            };
            self.touch(site, cursor, *operand, size, dereference.null);
        }
        for ReadFirst { parameter, member } in &effects.reads_first {
            let Some(operand) = site.arguments.get(*parameter as usize) else { continue };
            let null = match effects.dereferences.iter().find(|dereference| dereference.parameter == *parameter) {
                Some(dereference) => dereference.null,
                None => NullArgument::Error,
            };
            match self.part_behind(callee, *parameter, member.as_deref()) {
                Some((offset, size)) => self.touch_part(site, cursor, *operand, (offset, size), null),
                None => {
                    let name = &self.program.functions[callee].name;
                    let reason = GapReason::library(name, LibraryGap::ReadUnfollowed);
                    self.then(cursor, Command::Gap { reason });
                }
            }
        }
        match effects.format.map(|format| format.language) {
            Some(FormatLanguage::Print) => {}
            Some(FormatLanguage::Scan | FormatLanguage::PrintList) | None => return,
        }
        // A format that does not fit its arguments is a gap.
        for (argument, operand) in self.printed(site, effects).unwrap_or_default() {
            match argument {
                PrintArgument::Value(_) => {}
                PrintArgument::Text | PrintArgument::WideText | PrintArgument::Count => {
                    self.touch(site, cursor, operand, 0, NullArgument::Error);
                }
            }
        }
    }

    /// Storage of the library is given back, as by `fclose`: which of that type it was is not followed, so pointers to such
    /// storage are not followed any more.
    fn close_library(&mut self, cursor: &mut Cursor, callee: FunctionId, parameter: u32) {
        let function = &self.program.functions[callee];
        if let Some(register) = function.parameters.get(parameter as usize) {
            let ty = function.registers[*register].ty;
            let mut atoms = vec![(self.library(Some(ty)), Atom::Opaque)];
            // What was part of it is gone too (entries of a directory).
            for part in self.parts_of(ty) {
                atoms.push((self.library(Some(part)), Atom::Opaque));
            }
            self.then(cursor, Command::Retire { atoms });
        }
    }

    /// The types of what functions give as a part of storage of this type.
    fn parts_of(&self, ty: TypeId) -> Vec<TypeId> {
        let parts = self.program.functions.values().filter_map(|function| {
            let Body::Extern(ExternEffects { storage: Some(ResultStorage::OfArgument(owner)), .. }) = &function.body
            else {
                return None;
            };
            let owner = function.parameters.get(*owner as usize)?;
            (function.registers[*owner].ty == ty).then(|| function.result.map(|it| function.registers[it].ty))?
        });
        parts.collect()
    }

    /// How many bytes a function looks at or writes behind a parameter: a record or a number is one of its type. `None` for
    /// bytes, of which there may be any number.
    fn size_behind(&self, callee: FunctionId, parameter: u32) -> Option<u64> {
        let function = &self.program.functions[callee];
        let register = *function.parameters.get(parameter as usize)?;
        let pointee = self.program.pointee(function.registers[register].ty)?;
        match self.program.ty(pointee) {
            Type::Void | Type::Function(_) => None,
            Type::Int(int) if int.bytes() == 1 => None,
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Array(..) | Type::Record(_) => {
                self.program.size_of(pointee)
            }
        }
    }

    /// Where a member of what a parameter points to lies, and how many bytes it has; without a member, all of it.
    fn part_behind(&self, callee: FunctionId, parameter: u32, member: Option<&str>) -> Option<(u64, u64)> {
        let Some(member) = member else { return Some((0, self.size_behind(callee, parameter)?)) };
        let function = &self.program.functions[callee];
        let register = *function.parameters.get(parameter as usize)?;
        let pointee = self.program.pointee(function.registers[register].ty)?;
        let Type::Record(record) = self.program.ty(pointee) else { return None };
        let fields = self.program.records[*record].fields();
        let field = fields.iter().find(|field| field.name == member && field.bits.is_none())?;
        Some((field.offset, self.program.size_of(field.ty)?))
    }

    /// So many bytes behind an argument are looked at.
    fn touch(&mut self, site: &Site<'_, 'p>, cursor: &mut Cursor, operand: Operand, size: u64, null: NullArgument) {
        self.touch_part(site, cursor, operand, (0, size), null);
    }

    /// So many bytes are looked at, from so many behind an argument on.
    fn touch_part(
        &mut self,
        site: &Site<'_, 'p>,
        cursor: &mut Cursor,
        operand: Operand,
        (first, size): (u64, u64),
        null: NullArgument,
    ) {
        match self.source(site.instance, site.environment, operand) {
            Source::Var(base) => {
                let access = Access { offset: self.shift(base) + first as i64, size };
                let touch = match size {
                    0 => Command::Touch { base, access, purpose: TouchPurpose::Access },
                    _ => Command::Load { target: None, base, access },
                };
                match null {
                    NullArgument::Allowed => self.unless_null(cursor, base, touch),
                    NullArgument::Error => self.then(cursor, touch),
                }
            }
            Source::Atom(Atom::NULL) if null == NullArgument::Allowed => {}
            Source::Atom(Atom::Int(_)) => {
                self.then(cursor, Command::Fail { kind: heapwise_engine::Kind::NullDereference });
            }
            Source::Atom(Atom::Place(place)) => {
                if let Some((object, offset)) = self.object_at(place) {
                    self.look_at(cursor, (object, offset + first as i64), size);
                }
            }
            Source::Atom(
                Atom::Freed
                | Atom::Ended(_)
                | Atom::Gone
                | Atom::Uninit
                | Atom::Opaque
                | Atom::Library(_)
                | Atom::NoLink
                | Atom::Outside,
            ) => {}
        }
    }

    /// So many bytes of an object are looked at.
    fn look_at(&mut self, cursor: &mut Cursor, (object, offset): (Object, i64), size: u64) {
        if self.is_library(object) {
            return;
        }
        let pieces = match self.cover(object, offset, size) {
            Ok(pieces) => pieces,
            Err(last) => return self.then(cursor, last),
        };
        for piece in pieces {
            match piece.holds {
                Holds::Scalar(var, _) | Holds::PartOf(var) => {
                    self.then(cursor, Command::Use { var, purpose: Purpose::Operation });
                }
                // Padding of a record is none of its members.
                Holds::Initialised | Holds::Padding => {}
                Holds::Perhaps => {
                    self.then(cursor, Command::Gap { reason: MemoryGap::PartByLibrary.into() });
                }
            }
        }
    }

    /// The command happens unless the pointer is null.
    fn unless_null(&mut self, cursor: &mut Cursor, base: Var, command: Command) {
        let (some, after) = (self.between(cursor.frame), self.between(cursor.frame));
        let is_null = |operator| Command::Assume { operator, left: Source::Var(base), right: Source::Atom(Atom::NULL) };
        let mut skipping = Cursor { to: after, ..*cursor };
        self.close(&mut skipping, is_null(heapwise_ir::CompareOperator::Equal));
        let mut looking = Cursor { to: some, ..*cursor };
        self.close(&mut looking, is_null(heapwise_ir::CompareOperator::NotEqual));
        looking = Cursor { at: some, to: after, ..looking };
        self.close(&mut looking, command);
        cursor.at = after;
    }

    fn escape_argument(&mut self, site: &Site<'_, 'p>, cursor: &mut Cursor, parameter: u32, reason: PointerGap) {
        if let Some(operand) = site.arguments.get(parameter as usize) {
            self.escape(site.instance, site.environment, cursor, *operand, reason);
        }
    }

    /// Unknown bytes are written where an argument points, unless it is null: as many as its type has.
    fn write_argument(
        &mut self,
        site: &Site<'_, 'p>,
        cursor: &mut Cursor,
        callee: FunctionId,
        parameter: u32,
    ) -> Result<(), Command> {
        let Some(operand) = site.arguments.get(parameter as usize) else { return Ok(()) };
        let size = self.size_behind(callee, parameter);
        match (self.source(site.instance, site.environment, *operand), size) {
            // A null pointer is not written through; any other number was looked through.
            (Source::Atom(Atom::Int(_)), _) => Ok(()),
            (Source::Atom(Atom::Place(place)), Some(size)) => match self.object_at(place) {
                Some((object, _)) if self.is_library(object) => Ok(()),
                Some((object, offset)) => self.write(cursor, Stretch::Object(object, offset), Written::Any, size, None),
                None => Err(Command::Gap { reason: MemoryGap::FunctionWritten.into() }),
            },
            (Source::Var(base), Some(size)) => {
                let access = Access { offset: self.shift(base), size };
                self.unless_null(cursor, base, Command::Fill { base, access, contents: Contents::Opaque });
                Ok(())
            }
            (Source::Atom(Atom::Library(_)), _) => Ok(()),
            (Source::Var(_) | Source::Atom(_), _) => {
                let name = &self.program.functions[callee].name;
                Err(Command::Gap { reason: GapReason::library(name, LibraryGap::BytesWritten) })
            }
        }
    }
}
