//! Calls of functions that call themselves. Such a function is translated once for every form of its arguments
//! ([`Key`]), and called. A local object whose address is passed becomes an object of the procedure: its scalars are
//! copied in, and back when the procedure returns; so `insert(&root, key)` works on a variable here too.

use super::call::Site;
use super::constants::{Known, Object};
use super::contract::Calls;
use super::{Address, Arguments, Auto, Cursor, Instance, ResultUse, Translator};
use crate::atom::{Atom, Var};
use crate::procedure::{CUTPOINTS, Procedure, ProcedureId};
use crate::program::{Command, Declared, Frame, Source, StepId, Variable, VariableSource, VariableStorage};
use heapwise_engine::reason::CallGap;
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{CompareOperator, EdgeId, FunctionId, TypeId};

/// There are not more procedures than this.
const MAX_PROCEDURES: usize = 64;

/// What a procedure stands for: a function, for one form of its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Key {
    function: FunctionId,
    arguments: Vec<Form>,
    shifts: Vec<Vec<i64>>,
}

/// The form of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// A value. Numbers are not told apart: a depth or an index would have no end.
    Value(Known),
    /// The address of a local object, by the order in which they are passed.
    Reference { object: usize, offset: i64, ty: Option<TypeId>, size: Option<u64> },
}

impl<'p> Translator<'p> {
    /// Whether calls of a function are not inlined.
    pub(super) fn is_procedure(&self, instance: &Instance<'p>, callee: FunctionId) -> bool {
        match self.calls {
            Calls::Inlined => false,
            Calls::Procedures | Calls::ByContract => {
                self.graph.is_recursive(callee) || instance.active.contains(&callee)
            }
        }
    }

    /// A call of a function that is not inlined.
    pub(super) fn call_procedure(
        &mut self,
        site: &Site<'_, 'p>,
        cursor: &mut Cursor,
        edge: EdgeId,
        callee: FunctionId,
    ) {
        let function = &self.program.functions[callee];
        if site.arguments.len() < function.parameters.len() {
            let reason = CallGap::TooFewArguments { function: function.name.clone() }.into();
            self.close(cursor, Command::Gap { reason });
            return;
        }
        let sources: Vec<Source> =
            site.arguments.iter().map(|operand| self.source(site.instance, site.environment, *operand)).collect();
        self.call_by_places(site, cursor, edge, callee, sources);
    }

    /// One way per field that an argument may point to: a procedure is given a pointer to one place.
    fn call_by_places(
        &mut self,
        site: &Site<'_, 'p>,
        cursor: &mut Cursor,
        edge: EdgeId,
        callee: FunctionId,
        sources: Vec<Source>,
    ) {
        let field = sources.iter().enumerate().find_map(|(position, source)| {
            let var = source.var()?;
            self.fields.get(&var).map(|field| (position, var, field.clone()))
        });
        let Some((position, var, field)) = field else {
            self.call_with(site, cursor, edge, callee, sources);
            return;
        };
        for place in field.places {
            let is = |operator| Command::Assume {
                operator,
                left: Source::Var(field.offset),
                right: Source::Atom(Atom::int(i128::from(place))),
            };
            let mut there = Cursor { ..*cursor };
            self.then(&mut there, is(CompareOperator::Equal));
            let copy = self.temporary(cursor);
            self.shifts.insert(copy, place);
            self.then(&mut there, Command::Copy { target: copy, source: var });
            let mut sources = sources.clone();
            sources[position] = Source::Var(copy);
            self.call_by_places(site, &mut there, edge, callee, sources);
            self.then(cursor, is(CompareOperator::NotEqual));
        }
        let function = self.program.functions[callee].name.clone();
        let reason = CallGap::GivenUnfollowedPointer { function }.into();
        self.close(cursor, Command::Gap { reason });
    }

    fn call_with(
        &mut self,
        site: &Site<'_, 'p>,
        cursor: &mut Cursor,
        edge: EdgeId,
        callee: FunctionId,
        sources: Vec<Source>,
    ) {
        let function = &self.program.functions[callee];
        let shifts: Vec<Vec<i64>> = sources.iter().map(|source| self.places_of_source(*source)).collect();
        let mut objects: Vec<Object> = Vec::new();
        let arguments: Vec<Form> =
            site.arguments.iter().map(|operand| self.form(site.environment.operand(*operand), &mut objects)).collect();
        let key = Key { function: callee, arguments, shifts };
        let known = self.procedures.iter().position(|other| *other == key).map(ProcedureId::new);
        let Some(id) = known.or_else(|| self.add_procedure(site.instance.frame, edge, key)) else {
            let reason = CallGap::ManyForms { function: function.name.clone() }.into();
            self.close(cursor, Command::Gap { reason });
            return;
        };
        let procedure = self.out.procedures[id].clone();
        let mut arguments = Vec::with_capacity(procedure.parameters.len());
        for ((parameter, source), form) in
            procedure.parameters.iter().zip(sources).zip(&self.procedures[id.index()].arguments.clone())
        {
            if let (Some(parameter), Source::Var(var)) = (parameter, source) {
                self.check_shift(cursor, *parameter, var);
            }
            arguments.push(match form {
                Form::Value(_) => source,
                // The procedure sets it to the address of its own object.
                Form::Reference { .. } => Source::Atom(Atom::Opaque),
            });
        }
        let own = self.passed_autos(id);
        let references = self.references(&own, &objects);
        let passed = objects.iter().filter_map(|object| match object {
            Object::Auto(auto) => Some(*auto),
            Object::Global(_) => None,
        });
        let passed: Vec<u32> = passed.chain(own).collect();
        let target = site.target.and_then(|target| site.instance.vars.get(&target)).copied();
        match (target, procedure.result) {
            (Some(target), Some(result)) if !self.is_comparable(target, result) => {
                let read = self.temporary(cursor);
                self.shifts.insert(read, self.shift(result));
                self.then(cursor, Command::Call { procedure: id, arguments, target: Some(read), references });
                self.passed.push((StepId::new(self.out.steps.len() - 1), passed));
                if self.fields.contains_key(&result) {
                    self.escape_var(cursor, read);
                }
                self.copy_var(cursor, target, read);
            }
            (Some(target), None) => {
                self.then(cursor, Command::Call { procedure: id, arguments, target: None, references });
                self.passed.push((StepId::new(self.out.steps.len() - 1), passed));
                let value = self.value_of_no_result(callee);
                self.close(cursor, Command::Set { target, value });
            }
            (target, _) => {
                self.close(cursor, Command::Call { procedure: id, arguments, target, references });
                self.passed.push((StepId::new(self.out.steps.len() - 1), passed));
            }
        }
    }

    fn form(&self, known: Known, objects: &mut Vec<Object>) -> Form {
        match known {
            Known::Address(object @ Object::Auto(auto), offset) => {
                let position = objects.iter().position(|other| *other == object).unwrap_or_else(|| {
                    objects.push(object);
                    objects.len() - 1
                });
                let Auto { ty, size, .. } = self.autos[auto as usize];
                Form::Reference { object: position, offset, ty, size }
            }
            Known::Int(_) => Form::Value(Known::Defined),
            Known::Address(Object::Global(_), _)
            | Known::Function(_)
            | Known::Defined
            | Known::Uninit
            | Known::MaybeUninit => Form::Value(known),
        }
    }

    /// The procedure's own objects, which stand for those that are passed.
    fn passed_autos(&self, procedure: ProcedureId) -> Vec<u32> {
        let is_own =
            |auto: &Auto| auto.edge.is_none() && self.out.frames[auto.frame as usize].procedure == Some(procedure);
        let autos = self.autos.iter().enumerate().filter(|(_, auto)| is_own(auto));
        autos.map(|(index, _)| index as u32).collect()
    }

    /// The variables of the objects that are passed: the procedure's, and the caller's.
    fn references(&mut self, own: &[u32], objects: &[Object]) -> Vec<(Var, Var)> {
        let mut references = Vec::new();
        for (own, object) in own.iter().copied().zip(objects) {
            for scalar in self.object_scalars(*object) {
                let (inner, outer) = (self.variable_of(Object::Auto(own), &scalar), self.variable_of(*object, &scalar));
                if let (Some(inner), Some(outer)) = (inner, outer) {
                    references.push((inner, outer));
                }
            }
        }
        references
    }

    fn add_procedure(&mut self, caller: u32, edge: EdgeId, key: Key) -> Option<ProcedureId> {
        if self.procedures.len() >= MAX_PROCEDURES {
            return None;
        }
        let function = &self.program.functions[key.function];
        let frame = self.out.frames.len() as u32;
        let id = ProcedureId::new(self.procedures.len());
        let caller = Some((caller, edge));
        self.out.frames.push(Frame { function: key.function, caller, returns: None, procedure: Some(id) });
        let (given, references) = self.passed_objects(frame, &key);
        let call = Arguments { known: given, shifts: key.shifts.clone(), result: ResultUse::Kept };
        let instance = self.open(frame, key.function, &call, vec![key.function])?;
        let var = |register: &heapwise_ir::RegisterId| instance.vars.get(register).copied();
        let parameters: Vec<Option<Var>> = function.parameters.iter().map(var).collect();
        let result = function.result.as_ref().and_then(var);
        let n_ghosts = parameters.iter().flatten().count() + CUTPOINTS;
        let ghosts = (0..n_ghosts).map(|i| self.ghost(frame, i)).collect();
        let (entry, exit) = (self.between(frame), self.between(frame));
        let name = function.name.clone();
        let span = function.span;
        let procedure = Procedure { function: key.function, name, entry, exit, parameters, result, ghosts, references };
        let given: Vec<Var> = procedure.entered().collect();
        let inside = self.between(frame);
        let mut cursor = Cursor { at: entry, to: inside, span, frame, edge: None };
        for (parameter, known) in procedure.parameters.iter().zip(&call.known) {
            if let (Some(parameter), Known::Address(object @ Object::Auto(_), offset)) = (parameter, known) {
                let value = self.place(Address::Object(*object, *offset));
                self.then(&mut cursor, Command::Set { target: *parameter, value });
            }
        }
        for (parameter, places) in procedure.parameters.iter().zip(&call.shifts) {
            let field = parameter.and_then(|parameter| self.fields.get(&parameter));
            if let Some(field) = field {
                let value = Atom::int(i128::from(places.first().copied().unwrap_or(0)));
                self.then(&mut cursor, Command::Set { target: field.offset, value });
            }
        }
        self.close(&mut cursor, Command::Skip);
        // It may call itself: it is known before its body is.
        self.procedures.push(key);
        self.out.procedures.push(procedure);
        self.fill(&instance, inside, exit, &given);
        Some(id)
    }

    /// What is known of the arguments inside of the procedure, whose own objects stand for those that are passed.
    fn passed_objects(&mut self, frame: u32, key: &Key) -> (Vec<Known>, Vec<Var>) {
        let function = &self.program.functions[key.function];
        let (mut known, mut references, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for (position, form) in key.arguments.iter().enumerate() {
            let (object, offset, ty, size) = match form {
                Form::Value(value) => {
                    known.push(*value);
                    continue;
                }
                Form::Reference { object, offset, ty, size } => (*object, *offset, *ty, *size),
            };
            if object == own.len() {
                let register = function.parameters.get(position);
                let name = register.map_or("…".to_owned(), |register| function.registers[*register].name.clone());
                let auto = self.autos.len() as u32;
                self.autos.push(Auto { name: format!("*{name}"), ty, size, frame, edge: None, slots: Vec::new() });
                own.push(Object::Auto(auto));
                for scalar in self.object_scalars(Object::Auto(auto)) {
                    if let Some(var) = self.variable_of(Object::Auto(auto), &scalar) {
                        references.push(var);
                        self.autos[auto as usize].slots.push(var);
                    }
                }
            }
            known.push(Known::Address(own[object], offset));
        }
        (known, references)
    }

    fn ghost(&mut self, frame: u32, number: usize) -> Var {
        let name = format!("entry {number}");
        let (storage, source) = (VariableStorage::Temporary, VariableSource::Ghost);
        let declared = Declared::Other;
        self.out.vars.push(Variable { name, storage, frame: Some(frame), source, declared })
    }
}
