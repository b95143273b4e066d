//! Assignments and shape predicates.

use super::constants::{self, Environment, Known};
use super::flags::{self, FlagStep};
use super::{Cursor, Instance, Links, Translator, inside};
use crate::atom::{Atom, Var};
use crate::program::{Command, Held, KindId, Purpose, ShapeMode, Source, Untracked};
use heapwise_engine::Kind;
use heapwise_engine::reason::{MemoryGap, PointerGap, ShapeGap};
use heapwise_ir::{
    CompareOperator, Expression, Operand, PathUse, Program, RegisterId, ShapeKind, ShapePredicate, Type, TypeId,
};

impl<'p> Translator<'p> {
    pub(super) fn assign(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        target: RegisterId,
        value: &Expression,
    ) {
        let program = self.program;
        if let Some(last) = self.leaves_array(instance, environment, cursor, value) {
            self.close(cursor, last);
            return;
        }
        let known = constants::evaluate(program, environment, value);
        if !matches!(known, Known::Int(_) | Known::Address(..) | Known::Function(_))
            && self.shift_pointer(instance, environment, cursor, target, value)
        {
            return;
        }
        if known == Known::Defined && self.walk(instance, environment, cursor, target, value) {
            return;
        }
        if let Some(FlagStep { from, values, .. }) =
            flags::step(program, value).filter(|_| !matches!(known, Known::Int(_) | Known::Uninit | Known::MaybeUninit))
            && self.flags.contains(instance.function, target)
            && let (Some(source), Some(to)) = (instance.vars.get(&from), instance.vars.get(&target))
        {
            self.use_operands(instance, environment, cursor, &[Operand::Register(from)]);
            self.step_flag(cursor, *to, *source, &values);
            return;
        }
        let source = match (value, known) {
            (Expression::Operand(operand), _) => {
                self.escape_into_integer(instance, environment, cursor, target, *operand);
                self.source(instance, environment, *operand)
            }
            (_, Known::Int(_) | Known::Address(..) | Known::Function(_)) => self.known_source(known),
            (Expression::AddPath { base, .. } | Expression::SubtractPath { base, .. }, _) => {
                self.derived(instance, environment, cursor, value, *base)
            }
            (Expression::AddBytes { base, bytes: step } | Expression::AddIndex { base, index: step, .. }, _) => {
                self.use_operands(instance, environment, cursor, &[*step]);
                self.derived(instance, environment, cursor, value, *base)
            }
            (Expression::Convert { from, to, value }, _) => {
                if super::flags::widens(program, *from, *to) {
                    self.source(instance, environment, *value)
                } else if is_number(program, *from) && is_number(program, *to) {
                    self.carry_no_value(instance, environment, cursor, target, *value);
                    Source::Atom(Atom::Opaque)
                } else {
                    self.use_operands(instance, environment, cursor, &[*value]);
                    if matches!(program.ty(*from), Type::Pointer(_)) {
                        self.escape(instance, environment, cursor, *value, PointerGap::BecomesInteger);
                    }
                    Source::Atom(Atom::Opaque)
                }
            }
            (Expression::Unary { value, .. }, _) => {
                self.use_operands(instance, environment, cursor, &[*value]);
                Source::Atom(Atom::Opaque)
            }
            (Expression::Binary { left, right, .. }, _) => {
                self.use_operands(instance, environment, cursor, &[*left, *right]);
                Source::Atom(Atom::Opaque)
            }
            (Expression::PointerDifference { left, right, .. }, _) => {
                // What a pointer holds that was loaded is known to its variable alone.
                for operand in [*left, *right] {
                    if let Source::Var(var) = self.source(instance, environment, operand) {
                        self.then(cursor, Command::Use { var, purpose: Purpose::Operation });
                    }
                }
                Source::Atom(Atom::Opaque)
            }
            (Expression::Nondet { .. }, _) => Source::Atom(Atom::Opaque),
            (Expression::Uninitialised, _) => Source::Atom(Atom::Uninit),
        };
        self.write_register(instance, cursor, target, source);
    }

    /// A number is converted to a type that may not have its value: where it has none, neither has the target.
    fn carry_no_value(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        target: RegisterId,
        value: Operand,
    ) {
        if let Operand::Register(register) = value
            && let (Some(var), Some(target)) = (instance.vars.get(&register), instance.vars.get(&target))
            && environment.register(register).may_be_uninit()
        {
            let mut without = Cursor { ..*cursor };
            self.then(&mut without, Command::Case { var: *var, atom: Atom::Uninit, held: Held::Yes });
            self.close(&mut without, Command::Set { target: *target, value: Atom::Uninit });
            self.then(cursor, Command::Case { var: *var, atom: Atom::Uninit, held: Held::No });
        }
    }

    /// What is wrong with the address of an element, if its index leaves the array, or may.
    fn leaves_array(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        value: &Expression,
    ) -> Option<Command> {
        let (Expression::AddPath { base, path } | Expression::SubtractPath { base, path }) = value else { return None };
        let resolved = self.program.resolve(path)?;
        let is_outside = constants::leaves_an_array(environment, &resolved, PathUse::Address);
        let is_open = constants::has_unknown_index(environment, &resolved);
        if !is_outside && !is_open {
            return None;
        }
        let indices: Vec<Operand> = resolved.indices.iter().map(|(index, _)| *index).chain([*base]).collect();
        self.use_operands(instance, environment, cursor, &indices);
        Some(if is_outside {
            Command::Fail { kind: Kind::OutOfBounds }
        } else {
            Command::Gap { reason: MemoryGap::ElementAddress.into() }
        })
    }

    /// The target gets the value that belongs to that of the source.
    fn step_flag(&mut self, cursor: &mut Cursor, target: Var, source: Var, values: &[(i128, i128)]) {
        for (value, other) in values {
            let is = |operator| Command::Assume {
                operator,
                left: Source::Var(source),
                right: Source::Atom(Atom::int(*value)),
            };
            let mut there = Cursor { ..*cursor };
            self.then(&mut there, is(CompareOperator::Equal));
            self.close(&mut there, Command::Set { target, value: Atom::int(*other) });
            self.then(cursor, is(CompareOperator::NotEqual));
        }
        self.close(cursor, Command::Set { target, value: Atom::Opaque });
    }

    /// A pointer made from another one that points to other bytes of the same cell, as far as both variables say. Whether
    /// this is such an assignment; its commands are put then.
    fn shift_pointer(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        target: RegisterId,
        value: &Expression,
    ) -> bool {
        let Some((base, bytes)) = inside::bytes_added(self.program, environment, value) else { return false };
        let Source::Var(source) = self.source(instance, environment, base) else { return false };
        let Some(&target) = instance.vars.get(&target) else { return false };
        let places = self.places_of(target);
        let is_place = |from: i64| from.checked_add(bytes).is_some_and(|place| places.contains(&place));
        if bytes == 0 || !self.places_of(source).into_iter().any(is_place) {
            return false;
        }
        self.use_operands(instance, environment, cursor, &[base]);
        let is_null =
            |operator| Command::Assume { operator, left: Source::Var(source), right: Source::Atom(Atom::NULL) };
        let mut null = Cursor { ..*cursor };
        self.then(&mut null, is_null(CompareOperator::Equal));
        self.close(&mut null, Command::Set { target, value: Atom::int(i128::from(bytes)) });
        self.then(cursor, is_null(CompareOperator::NotEqual));
        let step = self.step(cursor, cursor.to, Command::Copy { target, source });
        self.shifted.insert(step, bytes);
        true
    }

    /// The last command of an edge that writes a register.
    pub(super) fn write_register(
        &mut self,
        instance: &Instance<'p>,
        cursor: &mut Cursor,
        target: RegisterId,
        source: Source,
    ) {
        let command = match (instance.vars.get(&target), source) {
            (None, _) => Command::Skip,
            (Some(target), Source::Atom(value)) => Command::Set { target: *target, value },
            (Some(target), Source::Var(source)) if *target == source => Command::Skip,
            (Some(target), Source::Var(source)) => {
                self.check_shift(cursor, *target, source);
                Command::Copy { target: *target, source }
            }
        };
        self.close(cursor, command);
    }

    fn known_source(&mut self, known: Known) -> Source {
        Source::Atom(match known {
            Known::Int(value) => Atom::int(value),
            Known::Address(object, offset) => self.place(super::Address::Object(object, offset)),
            Known::Function(function) => self.place(super::Address::Function(function)),
            Known::Defined | Known::Uninit | Known::MaybeUninit => Atom::Opaque,
        })
    }

    /// A pointer made from another one: the same one if nothing is added, else one that is not followed.
    fn derived(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        value: &Expression,
        base: Operand,
    ) -> Source {
        let unchanged = match value {
            Expression::AddPath { path, .. } | Expression::SubtractPath { path, .. } => {
                constants::known_offset(self.program, environment, path) == Some(0)
            }
            Expression::AddBytes { bytes, .. } => environment.operand(*bytes) == Known::Int(0),
            Expression::AddIndex { index, .. } => environment.operand(*index) == Known::Int(0),
            _ => false,
        };
        if unchanged {
            return self.source(instance, environment, base);
        }
        self.escape(instance, environment, cursor, base, PointerGap::IntoCell);
        Source::Atom(Atom::Opaque)
    }

    /// An integer register that is not tracked must not carry a pointer to a cell away.
    fn escape_into_integer(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        target: RegisterId,
        operand: Operand,
    ) {
        if instance.vars.contains_key(&target) {
            return;
        }
        match (self.source(instance, environment, operand), environment.operand(operand).may_be_uninit()) {
            // Nobody reads the copy where it may have no value.
            (Source::Var(var), true) => {
                self.then(cursor, Command::Use { var, purpose: Purpose::Copy(Untracked::Perhaps) });
            }
            (_, _) => self.escape(instance, environment, cursor, operand, PointerGap::BecomesInteger),
        }
    }

    /// The value goes where the analysis cannot follow: a gap if it is a cell.
    pub(super) fn escape(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        operand: Operand,
        reason: PointerGap,
    ) {
        if let Source::Var(var) = self.source(instance, environment, operand) {
            self.then(cursor, Command::Use { var, purpose: Purpose::Escape(reason) });
        }
    }

    /// The values are operated on: an error where there is none.
    pub(super) fn use_operands(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        operands: &[Operand],
    ) {
        for operand in operands {
            if let Operand::Register(register) = operand
                && let Some(var) = instance.vars.get(register)
                && environment.register(*register).may_be_uninit()
            {
                self.then(cursor, Command::Use { var: *var, purpose: Purpose::Operation });
            }
        }
    }

    pub(super) fn shape(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        predicate: &ShapePredicate,
        mode: ShapeMode,
    ) {
        let (cell, links, shift) = match self.shape_links(predicate) {
            Ok(found) => found,
            Err(gap) => {
                self.close(cursor, Command::Gap { reason: gap.into() });
                return;
            }
        };
        let arguments: Vec<Source> =
            predicate.arguments.iter().map(|argument| self.source(instance, environment, *argument)).collect();
        let is_elsewhere = |var: &Var| self.shift(*var) != shift || self.fields.contains_key(var);
        let inside: Vec<Var> = arguments.iter().filter_map(|source| source.var()).filter(is_elsewhere).collect();
        for var in inside {
            self.escape_var(cursor, var);
        }
        let objects = Vec::new();
        let command = Command::Shape { kind: predicate.kind, arguments, cell, links, objects, mode };
        let step = self.step(cursor, cursor.to, command);
        self.shapes.push((step, shift));
    }

    /// The cells that a predicate speaks of, the links it names and how many bytes into the cells its record lies, or why
    /// they are not followed.
    fn shape_links(&mut self, predicate: &ShapePredicate) -> Result<(KindId, Vec<usize>, i64), ShapeGap> {
        let program = self.program;
        let name = &program.records[predicate.record].name;
        let of_lists = match predicate.kind {
            ShapeKind::Acyclic | ShapeKind::Cyclic | ShapeKind::Reach | ShapeKind::Disjoint => true,
            ShapeKind::DoublyLinked | ShapeKind::Tree | ShapeKind::TreeWithParent => false,
        };
        if self.links == Links::OneToItself && !of_lists {
            return Err(ShapeGap::NoList);
        }
        let size = program.records[predicate.record].size;
        let record = program.types.iter().find(|(_, ty)| **ty == Type::Record(predicate.record)).map(|(id, _)| id);
        let Some(record) = record else { return Err(ShapeGap::Incomplete { record: name.clone() }) };
        let (home, shift) = self.embedded.home_of(program, record);
        let size = if home == record { size } else { program.size_of(home).unwrap_or(size) };
        let kind = self.kind_of(Some(home), size)?;
        if self.links == Links::OneToItself && predicate.links.len() != 1 {
            return Err(ShapeGap::SeveralLinks { record: name.clone() });
        }
        let known = &self.out.kinds[kind].links;
        let mut links = Vec::with_capacity(predicate.links.len());
        for path in &predicate.links {
            let offset = program.resolve(path).and_then(|resolved| resolved.offset.checked_add(shift));
            match known.iter().position(|link| Some(link.offset as i64) == offset) {
                Some(link) => links.push(link),
                None => return Err(ShapeGap::UnfollowedLink { record: name.clone() }),
            }
        }
        Ok((kind, links, shift))
    }
}

fn is_number(program: &Program, ty: TypeId) -> bool {
    matches!(program.ty(ty), Type::Int(_) | Type::Float(_))
}
