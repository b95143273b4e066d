//! Which memory of a program is followed: heap cells of one type each, their scalar fields, scalar globals. Everything
//! else is a gap where it is accessed.

use crate::allocation::inferred;
use crate::precision::NumberTest;
use heapwise_engine::GapReason;
use heapwise_engine::reason::RefineGap;
use heapwise_ir::entity::{EntityRef, PrimaryMap, entity_impl};
use heapwise_ir::{
    Callee, CopySource, Edge, EdgeId, Expression, FunctionId, GlobalId, Initializer, Instruction, IntType, Liveness,
    Operand, Place, Program, RegisterId, ShapePredicate, Step, Storage, Type, TypeId,
};
use heapwise_pointsto::{PointsTo, RegionId, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// A scalar field of heap cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId(u32);
entity_impl!(FieldId, "field");

/// Whether a scalar can lead to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScalarKind {
    /// It can.
    Pointer,
    /// A number.
    Number,
}

/// A scalar field of the cells of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The type of the cell.
    pub view: TypeId,
    /// Where in the cell.
    pub offset: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Its type.
    pub ty: TypeId,
    /// Whether it can lead to a cell.
    pub kind: ScalarKind,
    /// As C names it, behind the type: `node.next`.
    pub name: String,
}

/// What holds a scalar outside of cells. A function of a program without recursion runs once at a time, so its registers are
/// the same in all calls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ScalarVariable {
    /// A register.
    Register(FunctionId, RegisterId),
    /// A scalar of a global, by its offset.
    Global(GlobalId, u64),
}

/// Where a place lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// In a scalar of a global.
    Variable(ScalarVariable),
    /// In the field of the cell that the operand points to.
    Field(Operand, FieldId),
}

/// As what a scalar is accessed. All pointers are one type here: a cast does not change what is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum ScalarType {
    Pointer,
    Number(TypeId),
}

/// A scalar of a global.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct GlobalScalar {
    size: u64,
    ty: TypeId,
}

/// The memory of a program, as far as it is followed.
pub struct Memory<'p> {
    /// The program.
    pub program: &'p Program,
    /// The fields that are accessed.
    pub fields: PrimaryMap<FieldId, Field>,
    /// Whether the program frees anything, or has locals in memory, which end.
    pub frees: bool,
    /// The functions that have locals in memory.
    pub with_locals: BTreeSet<FunctionId>,
    /// The functions that are looked at.
    pub functions: Vec<FunctionId>,
    /// Registers that never hold a value that was not written, wherever they are read.
    pub written: FxHashSet<ScalarVariable>,
    /// What allocations make whose text does not say it.
    pub inferred: FxHashMap<(FunctionId, EdgeId), TypeId>,
    keys: FxHashMap<(TypeId, u64, ScalarType), FieldId>,
    shared: FxHashSet<FieldId>,
    mixed: FxHashSet<RegionId>,
    globals: BTreeMap<(GlobalId, u64), GlobalScalar>,
    shared_globals: FxHashSet<(GlobalId, u64)>,
    /// The regions of the cells that have a field, and of what it leads to.
    holders: FxHashMap<FieldId, (BTreeSet<RegionId>, BTreeSet<RegionId>)>,
    pointsto: &'p PointsTo,
}

impl<'p> Memory<'p> {
    /// Looks at all accesses of these functions.
    pub fn new(program: &'p Program, pointsto: &'p PointsTo, functions: Vec<FunctionId>) -> Memory<'p> {
        let mut memory = Memory {
            program,
            fields: PrimaryMap::new(),
            frees: false,
            with_locals: BTreeSet::new(),
            functions,
            written: FxHashSet::default(),
            inferred: FxHashMap::default(),
            keys: FxHashMap::default(),
            shared: FxHashSet::default(),
            mixed: FxHashSet::default(),
            globals: BTreeMap::new(),
            shared_globals: FxHashSet::default(),
            holders: FxHashMap::default(),
            pointsto,
        };
        let mut views: FxHashMap<RegionId, TypeId> = FxHashMap::default();
        let mut cells: Vec<(TypeId, Value)> = Vec::new();
        for function in memory.functions.clone() {
            let Some(automaton) = program.functions[function].automaton() else { continue };
            for edge in automaton.edges.values() {
                cells.extend(memory.see(function, edge, &mut views));
            }
        }
        memory.inferred = inferred(program, pointsto, &memory.functions, (&views, &memory.mixed));
        memory.find_shared();
        memory.find_holders(&cells);
        memory.written = written_registers(program, &memory.functions);
        memory
    }

    /// Notes the accesses of an edge; the cells that it touches, as which type, come back.
    fn see(
        &mut self,
        function: FunctionId,
        edge: &Edge,
        views: &mut FxHashMap<RegionId, TypeId>,
    ) -> Vec<(TypeId, Value)> {
        let mut seen: Vec<(Operand, TypeId)> = Vec::new();
        match &edge.instruction {
            Instruction::Load { place, .. } | Instruction::Store { place, .. } => {
                self.see_place(place);
                seen.push((place.base, place.path.view));
            }
            Instruction::Copy { place, source, .. } => {
                seen.push((place.base, place.path.view));
                if let CopySource::Place(source) = source {
                    seen.push((source.base, source.path.view));
                }
            }
            Instruction::Alloc { target, storage, view, .. } => {
                if *storage == Storage::Auto {
                    self.frees = true;
                    self.with_locals.insert(function);
                }
                seen.extend(view.as_ref().map(|view| (Operand::Register(*target), view.element)));
            }
            Instruction::Assert(heapwise_ir::Condition::Shape(shape))
            | Instruction::Assume(heapwise_ir::Condition::Shape(shape)) => self.see_links(shape),
            Instruction::Free { .. } => self.frees = true,
            _ => {}
        }
        let mut cells = Vec::new();
        for (base, view) in seen {
            let value = self.pointsto.operand(function, base);
            if let Some(region) = value.region
                && *views.entry(region).or_insert(view) != view
            {
                self.mixed.insert(region);
            }
            cells.push((view, value));
        }
        cells
    }

    /// Where cells of a type are touched, all their fields are there, and may have come by a copy of the whole.
    fn find_holders(&mut self, cells: &[(TypeId, Value)]) {
        for (view, cell) in cells {
            let Some(region) = cell.region else { continue };
            let known = &self.pointsto.regions[region];
            for (id, field) in self.fields.iter().filter(|(_, field)| field.view == *view) {
                let (holders, targets) = self.holders.entry(id).or_default();
                holders.insert(region);
                let at = cell.offsets.exact().zip(i64::try_from(field.offset).ok());
                match at.map(|(start, offset)| known.cell_at(start + offset)) {
                    Some(here) => targets.extend(here.and_then(|cell| cell.value.region)),
                    None => targets.extend(known.cells.iter().filter_map(|cell| cell.value.region)),
                }
            }
        }
    }

    fn see_place(&mut self, place: &Place) {
        let Some(resolved) = self.program.resolve(&place.path) else { return };
        let (Ok(offset), Some(size)) = (u64::try_from(resolved.offset), self.program.size_of(place.ty)) else { return };
        if let Operand::Global(global) = place.base {
            let scalar = GlobalScalar { size, ty: place.ty };
            let known = *self.globals.entry((global, offset)).or_insert(scalar);
            if known.size != size || self.scalar(known.ty) != self.scalar(place.ty) {
                self.shared_globals.insert((global, offset));
            }
            return;
        }
        self.add_field(place.path.view, offset, place.ty, size, &self.path_name(&place.path));
    }

    fn see_links(&mut self, shape: &ShapePredicate) {
        let Some(view) = self.program.types.lookup(&Type::Record(shape.record)) else { return };
        for link in &shape.links {
            let Some(resolved) = self.program.resolve(link) else { continue };
            if let (Ok(offset), Some(size)) = (u64::try_from(resolved.offset), self.program.size_of(resolved.ty)) {
                self.add_field(view, offset, resolved.ty, size, &self.path_name(link));
            }
        }
    }

    fn add_field(&mut self, view: TypeId, offset: u64, ty: TypeId, size: u64, path: &str) -> FieldId {
        let scalar = self.scalar(ty);
        if let Some(known) = self.keys.get(&(view, offset, scalar)) {
            return *known;
        }
        let name = format!("{}{path}", self.view_name(view));
        let field = self.fields.push(Field { view, offset, size, ty, kind: self.kind(ty), name });
        self.keys.insert((view, offset, scalar), field);
        field
    }

    fn scalar(&self, ty: TypeId) -> ScalarType {
        match self.program.ty(ty) {
            Type::Pointer(_) => ScalarType::Pointer,
            _ => ScalarType::Number(ty),
        }
    }

    fn find_shared(&mut self) {
        let meet = |(a, a_size): (u64, u64), (b, b_size): (u64, u64)| a < b + b_size && b < a + a_size;
        let ids: Vec<FieldId> = self.fields.keys().collect();
        for (i, one) in ids.iter().enumerate() {
            for other in &ids[i + 1..] {
                let (a, b) = (&self.fields[*one], &self.fields[*other]);
                if a.view == b.view && meet((a.offset, a.size), (b.offset, b.size)) {
                    self.shared.extend([*one, *other]);
                }
            }
        }
        let scalars: Vec<(GlobalId, u64, u64)> =
            self.globals.iter().map(|((global, offset), scalar)| (*global, *offset, scalar.size)).collect();
        for (i, one) in scalars.iter().enumerate() {
            for other in scalars[i + 1..].iter().filter(|other| other.0 == one.0) {
                if meet((one.1, one.2), (other.1, other.2)) {
                    self.shared_globals.extend([(one.0, one.1), (other.0, other.1)]);
                }
            }
        }
    }

    /// Whether a scalar type can lead to a cell.
    pub fn kind(&self, ty: TypeId) -> ScalarKind {
        match self.program.ty(ty) {
            Type::Pointer(_) => ScalarKind::Pointer,
            _ => ScalarKind::Number,
        }
    }

    /// Whether a variable can lead to a cell.
    pub fn variable_kind(&self, variable: ScalarVariable) -> ScalarKind {
        match variable {
            ScalarVariable::Register(function, register) => {
                self.kind(self.program.functions[function].registers[register].ty)
            }
            ScalarVariable::Global(global, offset) => {
                self.globals.get(&(global, offset)).map_or(ScalarKind::Number, |scalar| self.kind(scalar.ty))
            }
        }
    }

    /// The integer type of a variable, if it is an integer.
    pub fn variable_int(&self, variable: ScalarVariable) -> Option<IntType> {
        match variable {
            ScalarVariable::Register(function, register) => {
                self.int(self.program.functions[function].registers[register].ty)
            }
            ScalarVariable::Global(global, offset) => self.int(self.globals.get(&(global, offset))?.ty),
        }
    }

    /// The integer type of a field, if it is an integer.
    pub fn field_int(&self, field: FieldId) -> Option<IntType> {
        self.int(self.fields[field].ty)
    }

    /// The type as an integer type.
    pub fn int(&self, ty: TypeId) -> Option<IntType> {
        match self.program.ty(ty) {
            Type::Int(int) => Some(*int),
            _ => None,
        }
    }

    /// Whether a test can be asked of a variable, or (without one) of a field of that type.
    pub fn can_ask(&self, int: Option<IntType>, test: NumberTest) -> bool {
        let other_fits = match test {
            NumberTest::Same(other) => self.variable_int(other).is_some_and(|int| test.is_about(int)),
            NumberTest::Equals(_) | NumberTest::Below(_) => true,
        };
        other_fits && int.is_some_and(|int| test.is_about(int))
    }

    /// The type of the cells that a variable points to by its own type; nothing for an untyped pointer.
    pub fn pointee(&self, variable: ScalarVariable) -> Option<TypeId> {
        match variable {
            ScalarVariable::Register(function, register) => {
                self.program.pointee(self.program.functions[function].registers[register].ty)
            }
            ScalarVariable::Global(global, offset) => self.program.pointee(self.globals.get(&(global, offset))?.ty),
        }
    }

    /// The region of cells that a pointer may point to.
    fn region(&self, variable: ScalarVariable) -> Option<RegionId> {
        match variable {
            ScalarVariable::Register(function, register) => self.pointsto.register(function, register).region,
            ScalarVariable::Global(global, offset) => {
                let (region, start) = self.pointsto.global(global)?;
                self.pointsto.regions[region].cell_at(start + i64::try_from(offset).ok()?)?.value.region
            }
        }
    }

    /// The pointers that may point to the cells that one of these does (alias(p) of Beyer et al., Alg. 3), themselves included.
    pub fn aliases(&self, variables: &BTreeSet<ScalarVariable>) -> BTreeSet<ScalarVariable> {
        let pointers = variables.iter().filter(|variable| self.variable_kind(**variable) == ScalarKind::Pointer);
        let regions: BTreeSet<RegionId> = pointers.filter_map(|variable| self.region(*variable)).collect();
        let registers = self.functions.iter().flat_map(|function| {
            let body = &self.program.functions[*function];
            let has_body = body.automaton().is_some();
            let registers = body.registers.keys().filter(move |_| has_body);
            registers.map(|register| ScalarVariable::Register(*function, register))
        });
        let globals = self.globals.keys().map(|(global, offset)| ScalarVariable::Global(*global, *offset));
        let is_alias = |variable: &ScalarVariable| {
            let may_meet = || self.region(*variable).is_some_and(|region| regions.contains(&region));
            self.variable_kind(*variable) == ScalarKind::Pointer && may_meet()
        };
        let mut aliases: BTreeSet<ScalarVariable> = registers.chain(globals).filter(is_alias).collect();
        aliases.extend(variables);
        // A global whose first value is not followed is a gap where it is read, and cannot be tracked.
        aliases.retain(|variable| match variable {
            ScalarVariable::Register(..) => true,
            ScalarVariable::Global(global, offset) => self.initial(*global, *offset).is_ok(),
        });
        aliases
    }

    /// Where a place lies.
    pub fn access(&self, function: FunctionId, place: &Place) -> Result<Access, GapReason> {
        let has_index = place.path.steps.iter().any(|step| matches!(step, Step::Index(_)));
        if place.bits.is_some() || has_index {
            return Err(RefineGap::PartOfField.into());
        }
        let resolved = self.program.resolve(&place.path).ok_or(RefineGap::PartOfField)?;
        let offset = u64::try_from(resolved.offset).map_err(|_| RefineGap::PartOfField)?;
        match place.base {
            Operand::Global(global) => {
                let fits = place.path.view == self.program.globals[global].ty;
                if !fits || self.shared_globals.contains(&(global, offset)) {
                    return Err(RefineGap::SharedBytes.into());
                }
                self.initial(global, offset)?;
                Ok(Access::Variable(ScalarVariable::Global(global, offset)))
            }
            Operand::Register(_) | Operand::Int(_) => {
                let value = self.pointsto.operand(function, place.base);
                if value.region.is_some_and(|region| self.mixed.contains(&region)) {
                    return Err(RefineGap::SeveralTypes.into());
                }
                let key = (place.path.view, offset, self.scalar(place.ty));
                let field = *self.keys.get(&key).ok_or(RefineGap::PartOfField)?;
                if self.shared.contains(&field) {
                    return Err(RefineGap::SharedBytes.into());
                }
                Ok(Access::Field(place.base, field))
            }
            Operand::Float(_) | Operand::Function(_) => Err(RefineGap::AddressOfVariable.into()),
        }
    }

    /// The pointer to the cell that a place is all of, for a place of that type.
    pub fn whole(&self, function: FunctionId, place: &Place, ty: TypeId) -> Result<Operand, GapReason> {
        let resolved = self.program.resolve(&place.path).ok_or(RefineGap::AggregateCopied)?;
        let is_whole = resolved.offset == 0
            && resolved.indices.is_empty()
            && place.bits.is_none()
            && place.ty == ty
            && place.path.view == ty
            && matches!(self.program.ty(ty), Type::Record(_));
        let value = self.pointsto.operand(function, place.base);
        if !is_whole || value.region.is_some_and(|region| self.mixed.contains(&region)) {
            return Err(RefineGap::AggregateCopied.into());
        }
        if self.fields_of(ty).any(|field| self.shared.contains(&field)) {
            return Err(RefineGap::SharedBytes.into());
        }
        Ok(place.base)
    }

    /// The link of a shape as a field.
    pub fn link(&self, view: TypeId, path: &heapwise_ir::Path) -> Result<FieldId, GapReason> {
        let resolved = self.program.resolve(path).ok_or(RefineGap::PartOfField)?;
        let offset = u64::try_from(resolved.offset).map_err(|_| RefineGap::PartOfField)?;
        let field = *self.keys.get(&(view, offset, self.scalar(resolved.ty))).ok_or(RefineGap::PartOfField)?;
        if self.shared.contains(&field) {
            return Err(RefineGap::SharedBytes.into());
        }
        Ok(field)
    }

    /// The number (null for a pointer) that a scalar of a global holds at first.
    pub fn initial(&self, global: GlobalId, offset: u64) -> Result<i128, GapReason> {
        match &self.program.globals[global].initializer {
            Initializer::Items(items) => {
                let size = self.globals.get(&(global, offset)).map_or(0, |scalar| scalar.size);
                let mut value = 0;
                for item in items {
                    let item_size = self.program.size_of(item.ty).unwrap_or(0);
                    if item.offset >= offset + size || offset >= item.offset + item_size {
                        continue;
                    }
                    match item.value {
                        Operand::Int(number) if item.offset == offset && item.bits.is_none() && item_size == size => {
                            value = number;
                        }
                        _ => return Err(RefineGap::InitialValue.into()),
                    }
                }
                if value != 0 && self.variable_kind(ScalarVariable::Global(global, offset)) == ScalarKind::Pointer {
                    return Err(RefineGap::InitialValue.into());
                }
                Ok(value)
            }
            Initializer::Bytes(_) | Initializer::Unknown | Initializer::Library(_) => {
                Err(RefineGap::InitialValue.into())
            }
        }
    }

    /// The fields of the cells of a type.
    pub fn fields_of(&self, view: TypeId) -> impl Iterator<Item = FieldId> + '_ {
        self.fields.iter().filter(move |(_, field)| field.view == view).map(|(id, _)| id)
    }

    /// The pointer fields of a type that lead to cells of the same type.
    pub fn links_of(&self, view: TypeId) -> Vec<FieldId> {
        let leads_on = |field: &Field| self.program.pointee(field.ty) == Some(view);
        self.fields.iter().filter(|(_, field)| field.view == view && leads_on(field)).map(|(id, _)| id).collect()
    }

    /// Whether a field may lead to cells of another type.
    pub fn leads_elsewhere(&self, field: FieldId) -> bool {
        let field = &self.fields[field];
        field.kind == ScalarKind::Pointer && self.program.pointee(field.ty) != Some(field.view)
    }

    /// The type that a pointer field leads to.
    pub fn pointee_of(&self, field: FieldId) -> Option<TypeId> {
        self.program.pointee(self.fields[field].ty)
    }

    /// Whether no cell that a field leads to can lead back to one that has the field: then nothing is kept alive by itself through it.
    pub fn keeps(&self, field: FieldId) -> bool {
        let Some((holders, targets)) = self.holders.get(&field).filter(|_| self.leads_elsewhere(field)) else {
            return false;
        };
        let mut pending: Vec<RegionId> = targets.iter().copied().collect();
        let mut reached: FxHashSet<RegionId> = FxHashSet::default();
        while let Some(region) = pending.pop() {
            if holders.contains(&region) {
                return false;
            }
            if reached.insert(region) {
                pending.extend(self.pointsto.regions[region].cells.iter().filter_map(|cell| cell.value.region));
            }
        }
        true
    }

    /// The types of cells that link to their own kind.
    pub fn recursive_views(&self) -> Vec<TypeId> {
        let mut views: Vec<TypeId> = self.fields.values().map(|field| field.view).collect();
        views.sort_unstable();
        views.dedup();
        views.retain(|view| !self.links_of(*view).is_empty());
        views
    }

    /// A variable as C names it.
    pub fn variable_name(&self, variable: ScalarVariable) -> String {
        match variable {
            ScalarVariable::Register(function, register) => {
                let function = &self.program.functions[function];
                format!("{}.{}", function.name, function.registers[register].name)
            }
            ScalarVariable::Global(global, 0) => self.program.globals[global].name.clone(),
            ScalarVariable::Global(global, offset) => format!("{}.{offset}", self.program.globals[global].name),
        }
    }

    fn view_name(&self, view: TypeId) -> String {
        match self.program.ty(view) {
            Type::Record(record) => self.program.records[*record].name.clone(),
            _ => format!("type{}", view.index()),
        }
    }

    fn path_name(&self, path: &heapwise_ir::Path) -> String {
        let mut name = String::new();
        for step in &path.steps {
            if let Step::Field(record, field) = step {
                let fields = self.program.records[*record].fields();
                let field = fields.get(*field as usize).map_or("?", |field| field.name.as_str());
                name.push('.');
                name.push_str(field);
            }
        }
        name
    }
}

/// The registers whose every value that is read was written: the greatest set that the instructions admit. What is loaded from
/// memory may never have been written there.
fn written_registers(program: &Program, functions: &[FunctionId]) -> FxHashSet<ScalarVariable> {
    let mut written: FxHashSet<ScalarVariable> = FxHashSet::default();
    let mut copies: Vec<(ScalarVariable, ScalarVariable)> = Vec::new();
    let mut doubtful: Vec<ScalarVariable> = Vec::new();
    for function in functions {
        let body = &program.functions[*function];
        let (Some(automaton), Some(liveness)) = (body.automaton(), Liveness::of(body)) else { continue };
        let variable = |register: RegisterId| ScalarVariable::Register(*function, register);
        for register in body.registers.keys() {
            written.insert(variable(register));
            if liveness.is_live(automaton.entry, register) && !body.parameters.contains(&register) {
                doubtful.push(variable(register));
            }
        }
        for edge in automaton.edges.values() {
            match &edge.instruction {
                Instruction::Assign { target, value } => match value {
                    Expression::Operand(Operand::Register(source)) => {
                        copies.push((variable(*target), variable(*source)))
                    }
                    Expression::AddPath { base: Operand::Register(source), .. }
                    | Expression::SubtractPath { base: Operand::Register(source), .. } => {
                        copies.push((variable(*target), variable(*source)));
                    }
                    Expression::Uninitialised if liveness.is_live(edge.to, *target) => doubtful.push(variable(*target)),
                    _ => {}
                },
                Instruction::Load { target, .. } => doubtful.push(variable(*target)),
                Instruction::Call { target, callee, arguments } => match callee {
                    Callee::Direct(callee) => {
                        let inner = &program.functions[*callee];
                        for (parameter, argument) in inner.parameters.iter().zip(arguments) {
                            if let Operand::Register(argument) = argument {
                                copies.push((ScalarVariable::Register(*callee, *parameter), variable(*argument)));
                            }
                        }
                        if let (Some(target), Some(result), true) = (target, inner.result, inner.automaton().is_some())
                        {
                            copies.push((variable(*target), ScalarVariable::Register(*callee, result)));
                        }
                    }
                    Callee::Indirect(_) => doubtful.extend(target.map(variable)),
                },
                _ => {}
            }
        }
    }
    // Who a pointer may call is not looked at: what takes its address may be called with anything.
    for function in functions.iter().filter(|function| program.functions[**function].address_taken) {
        doubtful
            .extend(program.functions[*function].parameters.iter().map(|p| ScalarVariable::Register(*function, *p)));
    }
    while let Some(variable) = doubtful.pop() {
        if written.remove(&variable) {
            doubtful.extend(copies.iter().filter(|(_, source)| *source == variable).map(|(target, _)| *target));
        }
    }
    written
}
