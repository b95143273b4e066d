//! Initializers: of locals as stores, of globals as data.

use crate::adapter::{
    Base, BinaryOp, Const, Conversion, DeclId, Eval, ExprId, ExprKind, Float, Format, InitList, Linkage, Source, Status,
};
use crate::link::{Linker, Strength};
use crate::lowering::{Local, Lowering};
use crate::overwritten;
use crate::places::pointed;
use crate::pointers::{character_array_at, path_at};
use crate::types::is_within;
use crate::unit::UnitContext;
use heapwise_ir::{
    BitRange, Construct, CopySource, Extent, GlobalId, Index, Initializer, InitializerItem, Instruction, IntType,
    Operand, Path, Place, Step, Type, TypeId as IrTypeId,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A value of an initializer that was computed.
#[derive(Clone)]
enum Computed {
    Scalar(Operand),
    /// It is here.
    Aggregate(Place),
}

/// The `double` of the same value, if there is one: a `long double` may hold more.
pub(crate) fn to_f64(value: Float) -> Option<f64> {
    let (double, status) = value.to_format(Format::Double);
    (status == Status::NONE).then(|| f64::from_bits(double.to_bits() as u64))
}

impl Lowering<'_, '_, '_> {
    /// Runs the initializer of a local (or compound literal).
    pub(crate) fn initialize_local(&mut self, decl: DeclId) {
        let Some(init) = self.source.tast[decl].init else { return };
        let span = self.span;
        match self.local(decl) {
            Local::Register(target) => match self.source.tast[init].first().copied() {
                Some(entry) => {
                    let value = self.value_in(entry.value, Some(target));
                    self.span = span;
                    self.deliver(value, Some(target));
                }
                None => self.assign(target, heapwise_ir::Expression::Operand(Operand::ZERO)),
            },
            Local::Memory(address) => {
                let ty = self.ty(self.source.tast[decl].ty);
                self.initialize(init, pointed(Operand::Register(address), ty), ty, span);
            }
        }
    }

    /// Zeros (where the initializer leaves holes; between members there may be anything), then the stores in order.
    fn initialize(&mut self, init: InitList, place: Place, ty: IrTypeId, span: heapwise_ir::Span) {
        self.span = span;
        if overwritten::may_be_initialized_again(self.link, self.unit, ty, init) {
            self.unsupported(Construct::InitializedAgain);
        }
        if !self.covers(init, ty) {
            let extent = Extent::Type(ty);
            self.emit(Instruction::Copy { place: place.clone(), source: CopySource::Members, extent });
        }
        // `[0 ... 2] = f()` is one value for three elements: it is computed once.
        let mut computed: FxHashMap<ExprId, Computed> = FxHashMap::default();
        for index in 0..self.source.tast[init].len() {
            let entry = self.source.tast[init][index];
            let value_type = self.type_of(entry.value);
            if entry.reverse {
                self.unsupported(Construct::InitializerReversed);
            }
            let bits = entry.is_bit_field().then_some((entry.bit_offset, entry.bit_width));
            let part = match self.source.tast[entry.value].kind {
                ExprKind::Str(_) => self.character_array(&place, ty, entry.offset),
                _ => self.part(&place, ty, entry.offset, value_type, bits),
            };
            let Some(part) = part else {
                self.at(entry.value);
                self.unsupported(Construct::InitializerOfUnknownPart);
                continue;
            };
            if let ExprKind::Str(literal) = self.source.tast[entry.value].kind {
                self.initialize_string(literal, part);
            } else {
                match computed.get(&entry.value).cloned() {
                    Some(Computed::Aggregate(first)) => {
                        self.at(entry.value);
                        let extent = Extent::Type(part.ty);
                        self.emit(Instruction::Copy { place: part, source: CopySource::Place(first), extent });
                    }
                    Some(Computed::Scalar(value)) => {
                        self.at(entry.value);
                        self.store(part, value);
                    }
                    None if self.is_aggregate(value_type) => {
                        computed.insert(entry.value, Computed::Aggregate(part.clone()));
                        self.aggregate_into(entry.value, part);
                    }
                    None => {
                        let value = self.value(entry.value);
                        computed.insert(entry.value, Computed::Scalar(value));
                        self.at(entry.value);
                        self.store(part, value);
                    }
                }
            }
            self.span = span;
        }
    }

    /// Copies a string literal into an array, zeros behind it; a literal that is longer is cut.
    fn initialize_string(&mut self, literal: crate::adapter::StrId, part: Place) {
        let size = self.size(part.ty).unwrap_or(0);
        let global = self.unit.string(self.link, literal, crate::adapter::Span::DUMMY);
        let length = self.link.program.globals[global].size;
        if length < size {
            let (place, extent) = (part.clone(), Extent::Type(part.ty));
            self.emit(Instruction::Copy { place, source: CopySource::Fill(Operand::ZERO), extent });
        }
        let ty = self.link.program.globals[global].ty;
        let extent = if length == size {
            Extent::Type(part.ty)
        } else {
            Extent::Bytes(Operand::Int(i128::from(length.min(size))))
        };
        let source = CopySource::Place(pointed(Operand::Global(global), ty));
        self.emit(Instruction::Copy { place: part, source, extent });
    }

    /// Whether the entries write every byte that matters: one entry for a scalar, or one aggregate as large as the whole.
    fn covers(&mut self, init: InitList, ty: IrTypeId) -> bool {
        let entries = &self.source.tast[init];
        if let [entry] = entries
            && entry.offset == 0
            && !entry.is_bit_field()
        {
            let size = self.type_of(entry.value);
            return !matches!(self.source.tast[entry.value].kind, ExprKind::Str(_)) && self.size(size) == self.size(ty);
        }
        false
    }

    /// The array of characters at an offset of an object: it may be longer than the string that fills it.
    fn character_array(&mut self, whole: &Place, ty: IrTypeId, offset: u64) -> Option<Place> {
        let program = &self.link.program;
        let mut place = whole.clone();
        place.path.steps.extend(character_array_at(program, ty, offset)?.steps);
        place.ty = program.resolve(&place.path)?.ty;
        Some(place)
    }

    /// The part of an object at an offset.
    pub(crate) fn part(
        &mut self,
        whole: &Place,
        ty: IrTypeId,
        offset: u64,
        wanted: IrTypeId,
        bits: Option<(u32, u32)>,
    ) -> Option<Place> {
        let program = &self.link.program;
        let (path, bits) = match bits {
            None if offset == 0 && ty == wanted => (Path { view: ty, steps: SmallVec::new() }, None),
            None => (path_at(program, ty, offset, Some(wanted))?, None),
            Some((shift, width)) => {
                let position = offset * 8 + u64::from(shift);
                let (path, bits) = bit_field_at(program, ty, position, width)?;
                (path, Some(bits))
            }
        };
        let mut place = whole.clone();
        place.path.steps.extend(path.steps);
        place.ty = program.resolve(&place.path)?.ty;
        place.bits = bits;
        Some(place)
    }
}

/// The bit-field of `width` bits that starts at bit `position` of `ty`: in whichever member of a union it is.
pub(crate) fn bit_field_at(
    program: &heapwise_ir::Program,
    ty: IrTypeId,
    position: u64,
    width: u32,
) -> Option<(Path, BitRange)> {
    let mut steps = SmallVec::new();
    let bits = find_bit_field(program, ty, position, width, &mut steps)?;
    Some((Path { view: ty, steps }, bits))
}

fn find_bit_field(
    program: &heapwise_ir::Program,
    ty: IrTypeId,
    position: u64,
    width: u32,
    steps: &mut SmallVec<[Step; 2]>,
) -> Option<BitRange> {
    match program.ty(ty) {
        Type::Record(record) => {
            for (index, field) in program.records[*record].fields().iter().enumerate() {
                steps.push(Step::Field(*record, index as u32));
                let size = program.size_of(field.ty).unwrap_or(0);
                let found = match field.bits {
                    Some(bits) => {
                        let is_here = field.offset * 8 + u64::from(bits.shift) == position;
                        (is_here && u32::from(bits.width) == width && is_within(bits, size)).then_some(bits)
                    }
                    None if field.offset * 8 <= position && position < (field.offset + size) * 8 => {
                        find_bit_field(program, field.ty, position - field.offset * 8, width, steps)
                    }
                    None => None,
                };
                if found.is_some() {
                    return found;
                }
                steps.pop();
            }
            None
        }
        Type::Array(element, _) => {
            let size = program.size_of(*element).filter(|&size| size > 0)? * 8;
            steps.push(Step::Index(Index::Constant(i64::try_from(position / size).ok()?)));
            let found = find_bit_field(program, *element, position % size, width, steps);
            if found.is_none() {
                steps.pop();
            }
            found
        }
        _ => None,
    }
}

/// The alignment that a declaration of a tentatively defined object in another file asks for, where it is more than that of this one.
fn common_alignment(link: &Linker<'_>, unit: &UnitContext<'_>, decl: DeclId) -> Option<u64> {
    let definition = link.definitions.get(&unit.linked_name(link, decl))?;
    let is_more = definition.strength == Strength::Tentative && definition.room.align > unit.room(decl).align;
    is_more.then_some(definition.room.align)
}

/// Fills in what a global holds before `main`.
pub(crate) fn initialize_global(link: &mut Linker<'_>, unit: &mut UnitContext<'_>, decl: DeclId, global: GlobalId) {
    let declared = unit.decl(decl);
    let mut ty = unit.ty(link, declared.ty);
    // `int a[];` that no declaration completes defines one element (C11 6.9.2, paragraph 5).
    if let (Type::Array(element, None), None) = (link.program.ty(ty).clone(), declared.init) {
        ty = link.program.types.intern(Type::Array(element, Some(1)));
    }
    let size = link.program.size_of(ty).unwrap_or(0).max(unit.source.tast.extent(decl));
    let span = unit.span(link, unit.source.tast.decl_span(decl));
    let align = match unit.decl(decl).linkage {
        Linkage::External => common_alignment(link, unit, decl),
        Linkage::Internal | Linkage::None => None,
    };
    let align = align.or_else(|| unit.declared_alignment(link, decl, ty));
    let entry = &mut link.program.globals[global];
    (entry.ty, entry.align) = (ty, align);
    // A declaration in another file may say otherwise: there is what the definition makes.
    entry.size = if size > 0 { size } else { entry.size };
    entry.span = span;
    let Some(init) = declared.init else {
        link.program.globals[global].initializer = Initializer::Items(Vec::new());
        return;
    };
    let n_gaps = link.program.gaps.len();
    if overwritten::may_be_initialized_again(link, unit, ty, init) {
        link.program.gaps.push((span, Construct::InitializedAgain.into()));
    }
    let mut items = Vec::new();
    add_items(link, unit, init, 0, ty, &mut items);
    // Behind a gap nothing may be shown by values that the object does not have.
    let is_known = link.program.gaps.len() == n_gaps;
    link.program.globals[global].initializer = if is_known { Initializer::Items(items) } else { Initializer::Unknown };
}

fn add_items(
    link: &mut Linker<'_>,
    unit: &mut UnitContext<'_>,
    init: InitList,
    base: u64,
    whole: IrTypeId,
    items: &mut Vec<InitializerItem>,
) {
    let source = unit.source;
    for entry in &source.tast[init] {
        let offset = base + entry.offset;
        let mut expr = entry.value;
        while let ExprKind::Convert { kind: Conversion::Lvalue, operand } = source.tast[expr].kind {
            expr = operand;
        }
        match source.tast[expr].kind {
            ExprKind::Str(literal) => {
                add_string(link, unit, literal, expr, offset, items);
                continue;
            }
            ExprKind::CompoundLiteral(literal) => {
                if let Some(init) = source.tast[literal].init {
                    add_items(link, unit, init, offset, whole, items);
                }
                continue;
            }
            _ => {}
        }
        let ty = unit.ty(link, source.tast[entry.value].ty);
        let value = constant_value(link, unit, entry.value, ty);
        let (offset, ty, bits) = if entry.is_bit_field() {
            let position = offset * 8 + u64::from(entry.bit_offset);
            match bit_field_at(&link.program, whole, position, entry.bit_width)
                .and_then(|(path, bits)| Some((link.program.resolve(&path)?, bits)))
            {
                Some((resolved, bits)) => (u64::try_from(resolved.offset).unwrap_or(0), resolved.ty, Some(bits)),
                None => {
                    let span = unit.span(link, source.tast.expr_span(entry.value));
                    link.program.gaps.push((span, Construct::InitializerOfUnknownPart.into()));
                    continue;
                }
            }
        } else {
            (offset, ty, None)
        };
        let Some((value, addend)) = value.filter(|_| !entry.reverse) else {
            let span = unit.span(link, source.tast.expr_span(entry.value));
            link.program.gaps.push((span, Construct::InitializerNotConstant.into()));
            continue;
        };
        items.push(InitializerItem { offset, ty, bits, value, addend });
    }
}

/// The value of a constant expression: an operand and the bytes to add to it.
fn constant_value(
    link: &mut Linker<'_>,
    unit: &mut UnitContext<'_>,
    expr: ExprId,
    ty: IrTypeId,
) -> Option<(Operand, i64)> {
    let source = unit.source;
    let Some(constant) = evaluate(source, expr) else {
        return constant_difference(link, unit, expr).map(|value| (Operand::Int(value), 0));
    };
    match constant {
        Const::Int(value) if matches!(link.program.ty(ty), Type::Float(_)) => Some((Operand::Float(value as f64), 0)),
        Const::Int(value) => Some((Operand::Int(value), 0)),
        Const::Float(value) => Some((Operand::Float(to_f64(value)?), 0)),
        Const::Complex { .. } | Const::ComplexInt { .. } | Const::Apart { .. } => None,
        Const::Address(address) => {
            let base = match address.base {
                Base::Decl(decl) => {
                    if unit.may_be_absent(link, decl) {
                        let span = unit.span(link, source.tast.expr_span(expr));
                        let name = unit.name(decl).to_owned();
                        link.program.gaps.push((span, Construct::WeakObject { name }.into()));
                    }
                    match unit.is_function(decl) {
                        true => Operand::Function(unit.function_pointer(link, decl)),
                        false => Operand::Global(unit.global(link, decl)),
                    }
                }
                Base::Str(literal) => Operand::Global(unit.string(link, literal, source.tast.expr_span(expr))),
                Base::Label(label) => Operand::Global(unit.label(link, label)),
                Base::Absolute => return Some((Operand::Int(address.offset), 0)),
            };
            Some((base, i64::try_from(address.offset).ok()?))
        }
    }
}

/// The value of an expression that the checker can fold.
pub(crate) fn evaluate(source: &Source, expr: ExprId) -> Option<Const> {
    let eval = Eval::new(&source.tast, &source.types, &source.target, &source.names);
    eval.objects(true).initializer(expr).ok()
}

/// The difference of two addresses in one object, which the checker does not fold.
fn constant_difference(link: &mut Linker<'_>, unit: &mut UnitContext<'_>, expr: ExprId) -> Option<i128> {
    let source = unit.source;
    match source.tast[expr].kind {
        ExprKind::Cast(operand) | ExprKind::Convert { kind: Conversion::Arithmetic, operand } => {
            let value = constant_difference(link, unit, operand)?;
            let ty = unit.ty(link, source.tast[expr].ty);
            match link.program.ty(ty) {
                Type::Int(int) => Some(crate::lowering::wrap(*int, value)),
                _ => None,
            }
        }
        ExprKind::Binary { op: BinaryOp::Sub, lhs, rhs } => {
            let pointee = crate::pointers::pointee_of(&source.types, source.tast[lhs].ty);
            let pointee = unit.ty(link, pointee);
            let stride = i128::from(link.program.stride_of(pointee)?);
            let difference = match (evaluate(source, lhs)?, evaluate(source, rhs)?) {
                (Const::Int(left), Const::Int(right)) => left - right,
                (Const::Address(left), Const::Address(right)) if left.base == right.base => left.offset - right.offset,
                (Const::Address(left), Const::Int(right)) if left.base == Base::Absolute => left.offset - right,
                _ => return None,
            };
            difference.checked_div(stride)
        }
        _ => None,
    }
}

/// The characters of a string literal in an array, as far as the array reaches.
fn add_string(
    link: &mut Linker<'_>,
    unit: &mut UnitContext<'_>,
    literal: crate::adapter::StrId,
    expr: ExprId,
    offset: u64,
    items: &mut Vec<InitializerItem>,
) {
    let source = unit.source;
    let text = &source.tast[literal];
    let width = u64::from(text.encoding.element_width(&source.target) / 8).max(1);
    let array = unit.ty(link, source.tast[expr].ty);
    let room = link.program.size_of(array).unwrap_or(u64::MAX) / width;
    let int = match width {
        1 => IntType::Signed(1),
        2 => IntType::Unsigned(2),
        _ => IntType::Signed(4),
    };
    let ty = link.program.types.intern(Type::Int(int));
    for (index, &element) in text.elements.iter().enumerate() {
        let index = index as u64;
        if index >= room {
            break;
        }
        if element != 0 {
            let value = Operand::Int(crate::lowering::wrap(int, i128::from(element)));
            items.push(InitializerItem { offset: offset + index * width, ty, bits: None, value, addend: 0 });
        }
    }
}
