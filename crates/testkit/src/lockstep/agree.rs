//! Whether a state of the cell program is the state of the machine: under one bijection of objects and cells, live variables
//! hold what the registers and objects hold that they stand for, and so do the links and the data of the cells they
//! lead to.

use super::state::{Cell, CellState, Element, Held};
use heapwise_cells::atom::Atom;
use heapwise_cells::place::{AddressOf, Instances, ObjectId as Named};
use heapwise_cells::program::{CellProgram, DataExtent, VariableSource};
use heapwise_cells::touch::bit;
use heapwise_cells::translate::Translation;
use heapwise_interp::heap::{Life, Object, ObjectKind};
use heapwise_interp::state::Frame;
use heapwise_interp::value::{Pointer, Value};
use heapwise_interp::{Loaded, ObjectId, State};
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{
    EdgeId, GlobalId, Instruction, Operand, Program, RecordKind, RegisterId, RegisterOrigin, Storage, Type, TypeId,
};
use rustc_hash::FxHashMap;

/// What the machine has where a variable or link is.
#[derive(Clone, Copy, Debug)]
enum Concrete {
    Value(Value),
    /// Plain bytes of a scalar of so many bytes.
    Bits(u128, u64),
    /// Any bytes.
    Any,
    /// It is not said, or no longer: nothing can be compared.
    Unknown,
}

/// One comparison.
struct Comparison<'a> {
    program: &'a Program,
    cells: &'a CellProgram,
    machine: &'a State,
    state: &'a CellState,
    objects: FxHashMap<usize, ObjectId>,
    numbers: FxHashMap<ObjectId, usize>,
    /// The locals that addresses are of.
    locals: FxHashMap<u32, ObjectId>,
    /// Cells whose links are still to be compared.
    pending: Vec<usize>,
}

/// Why a state is not that of the machine; `Ok` if it is.
pub(super) fn disagreement(
    program: &Program,
    translation: &Translation,
    machine: &State,
    element: &Element,
) -> Result<(), String> {
    let mut comparison = Comparison {
        program,
        cells: &translation.program,
        machine,
        state: &element.state,
        objects: FxHashMap::default(),
        numbers: FxHashMap::default(),
        locals: FxHashMap::default(),
        pending: Vec::new(),
    };
    let frames = frames(&translation.program, machine, element.frame);
    for var in translation.liveness.live(element.point) {
        let variable = &translation.program.vars[var];
        let frame = match variable.frame {
            None => None,
            Some(owner) => match frames.iter().find(|(cell_frame, _)| *cell_frame == owner) {
                Some((_, frame)) => Some(*frame),
                None => continue,
            },
        };
        let concrete = comparison.concrete(variable.source, frame);
        let name = &variable.name;
        let Some(held) = element.state.var(var) else {
            return Err(format!("`{name}` is live and has no value"));
        };
        comparison.compare(held, concrete).map_err(|why| format!("`{name}`: {why}"))?;
    }
    comparison.follow()
}

/// The machine's calls that the call string stands for, innermost first.
fn frames<'a>(cells: &CellProgram, machine: &'a State, innermost: u32) -> Vec<(u32, &'a Frame)> {
    let mut found = Vec::new();
    let mut at = Some(innermost);
    for frame in machine.frames().iter().rev() {
        let Some(index) = at else { break };
        found.push((index, &**frame));
        let description = &cells.frames[index as usize];
        // A procedure does not know who called it.
        at = description.returns.and(description.caller).map(|(caller, _)| caller);
    }
    found
}

impl Comparison<'_> {
    fn concrete(&self, source: VariableSource, frame: Option<&Frame>) -> Concrete {
        match (source, frame) {
            (VariableSource::Register(register), Some(frame)) => self.register(frame, register),
            (VariableSource::Global(global, offset), _) => match self.global(global) {
                Some(object) => self.bytes(object, self.program.globals[global].ty, offset),
                None => Concrete::Unknown,
            },
            (VariableSource::Local(edge, offset), Some(frame)) => self.local(frame, edge, offset),
            (VariableSource::Ghost, _) | (VariableSource::Register(_) | VariableSource::Local(..), None) => {
                Concrete::Unknown
            }
        }
    }

    fn register(&self, frame: &Frame, register: RegisterId) -> Concrete {
        let description = &self.program.functions[frame.function].registers[register];
        let value = frame.register(register);
        match (description.origin, value) {
            // The machine lets go of temporaries that it does not need any more.
            (RegisterOrigin::Temporary, Value::Uninitialised(_)) => Concrete::Unknown,
            // An address below null is a large number to one and a negative one to the other.
            (_, Value::Int(value)) if matches!(self.program.ty(description.ty), Type::Pointer(_)) => {
                Concrete::Bits(value as u128, self.program.size_of(description.ty).unwrap_or(8))
            }
            (RegisterOrigin::Temporary | RegisterOrigin::Variable(_) | RegisterOrigin::AddressOfLocal(_), value) => {
                Concrete::Value(value)
            }
        }
    }

    fn global(&self, global: GlobalId) -> Option<&Object> {
        let is_it = |object: &Object| matches!(object.kind, ObjectKind::Global(found) | ObjectKind::Literal(found) if found == global);
        self.machine.heap().objects().find(|(_, object)| is_it(object)).map(|(_, object)| object)
    }

    /// A scalar of a local that lives in memory.
    fn local(&self, frame: &Frame, edge: EdgeId, offset: u64) -> Concrete {
        let function = &self.program.functions[frame.function];
        let Some(automaton) = function.automaton() else { return Concrete::Unknown };
        let Instruction::Alloc { storage: Storage::Auto, view: Some(view), .. } = &automaton.edges[edge].instruction
        else {
            return Concrete::Unknown;
        };
        if view.count != Operand::Int(1) {
            return Concrete::Unknown;
        }
        let is_it = |object: &&Object| {
            object.kind == ObjectKind::Auto
                && object.life == Life::Alive
                && object.owner == frame.serial
                && object.site.is_some_and(|site| site.function == frame.function && site.edge == edge)
        };
        let objects = self.machine.heap().objects().map(|(_, object)| object);
        match objects.filter(is_it).max_by_key(|object| object.birth) {
            Some(object) => self.bytes(object, view.element, offset),
            None => Concrete::Unknown,
        }
    }

    fn bytes(&self, object: &Object, ty: TypeId, offset: u64) -> Concrete {
        match scalar_bytes(self.program, ty, offset) {
            Some(size) if offset.checked_add(size).is_some_and(|end| end <= object.size) => {
                loaded(object, offset, size)
            }
            Some(_) | None => Concrete::Unknown,
        }
    }

    fn compare(&mut self, held: Held, concrete: Concrete) -> Result<(), String> {
        let agrees = match (held, concrete) {
            (_, Concrete::Unknown) => true,
            (Held::Cell(cell), Concrete::Value(Value::Pointer(pointer))) => self.is_cell(cell, pointer)?,
            (Held::Cell(_), Concrete::Value(_) | Concrete::Bits(..) | Concrete::Any) => false,
            (Held::Atom(atom), concrete) => self.is_atom(atom, concrete),
        };
        if agrees {
            Ok(())
        } else {
            Err(format!("the state has {}, the machine {}", self.words(held), words(concrete)))
        }
    }

    fn is_cell(&mut self, cell: usize, pointer: Pointer) -> Result<bool, String> {
        let object = self.machine.heap().object(pointer.object);
        if !object.is_live_heap() {
            return Ok(false);
        }
        let known = (self.objects.get(&cell).copied(), self.numbers.get(&pointer.object).copied());
        match known {
            (Some(object), Some(number)) => return Ok(object == pointer.object && number == cell),
            (Some(_), None) | (None, Some(_)) => return Ok(false),
            (None, None) => {}
        }
        let kind = &self.cells.kinds[self.state.cells[cell].kind];
        if kind.size != object.size {
            return Err(format!("a cell of {} bytes is an object of {}", kind.size, object.size));
        }
        self.objects.insert(cell, pointer.object);
        self.numbers.insert(pointer.object, cell);
        self.pending.push(cell);
        Ok(true)
    }

    fn is_atom(&mut self, atom: Atom, concrete: Concrete) -> bool {
        let value = match concrete {
            Concrete::Value(value) => value,
            Concrete::Bits(bits, size) => {
                let mask = if size >= 16 { u128::MAX } else { (1 << (8 * size)) - 1 };
                return match atom {
                    Atom::Int(number) => i128::from(number) as u128 & mask == bits & mask,
                    Atom::Opaque => true,
                    Atom::Freed
                    | Atom::Ended(_)
                    | Atom::Gone
                    | Atom::Uninit
                    | Atom::Place(_)
                    | Atom::Library(_)
                    | Atom::NoLink
                    | Atom::Outside => false,
                };
            }
            Concrete::Any => return matches!(atom, Atom::Int(_) | Atom::Opaque | Atom::Library(_)),
            Concrete::Unknown => return true,
        };
        match (atom, value) {
            (Atom::Int(number), Value::Int(value)) => i128::from(number) == value,
            (Atom::Int(number), Value::Symbol(term)) => {
                let (low, high) = self.machine.constraints().bounds(term.symbol);
                (low..=high).contains(&(i128::from(number) - i128::from(term.addend)))
            }
            (Atom::Int(_), _) => false,
            (Atom::Uninit, value) => value.is_uninitialised(),
            (_, Value::Uninitialised(_)) => false,
            (Atom::Freed, Value::Pointer(pointer)) => self.machine.heap().object(pointer.object).life == Life::Freed,
            (Atom::Freed, _) => false,
            (Atom::Gone, Value::Pointer(pointer)) => self.machine.heap().object(pointer.object).life == Life::Ended,
            (Atom::Gone, _) => false,
            (Atom::Ended(place), Value::Pointer(pointer)) => {
                self.machine.heap().object(pointer.object).life == Life::Ended && self.is_address(place, value)
            }
            (Atom::Ended(_), _) => false,
            (Atom::Opaque, Value::Pointer(pointer)) => !self.machine.heap().object(pointer.object).is_live_heap(),
            (Atom::Opaque, _) => true,
            (Atom::Place(place), Value::Pointer(pointer)) => {
                self.machine.heap().object(pointer.object).life == Life::Alive && self.is_address(place, value)
            }
            (Atom::Place(place), value) => self.is_address(place, value),
            (Atom::Library(_), Value::Pointer(pointer)) => {
                let object = self.machine.heap().object(pointer.object);
                match object.kind {
                    ObjectKind::Library | ObjectKind::Environment | ObjectKind::Global(_) | ObjectKind::Literal(_) => {
                        true
                    }
                    ObjectKind::Heap | ObjectKind::Auto => false,
                }
            }
            (Atom::Library(_), value) => value == Value::Opaque,
            (Atom::NoLink | Atom::Outside, _) => false,
        }
    }

    /// Whether a value is the address that a place stands for; of locals, one local is one object.
    fn is_address(&mut self, place: u32, value: Value) -> bool {
        match (&self.cells.places[place as usize].of, value) {
            (AddressOf::Function(function), Value::Function(found)) => *function == found,
            (AddressOf::Object { object, offset, instances, .. }, Value::Pointer(pointer)) => {
                let kind = self.machine.heap().object(pointer.object).kind;
                let is_it = match (object, kind) {
                    (Named::Global(global), ObjectKind::Global(found) | ObjectKind::Literal(found)) => *global == found,
                    (Named::Auto(_), ObjectKind::Auto) if *instances == Instances::Many => true,
                    (Named::Auto(auto), ObjectKind::Auto) => {
                        *self.locals.entry(*auto).or_insert(pointer.object) == pointer.object
                    }
                    (Named::Global(_) | Named::Auto(_), _) => false,
                };
                is_it && *offset == pointer.offset
            }
            (AddressOf::Function(_) | AddressOf::Object { .. }, _) => false,
        }
    }

    /// The links and the data of the cells that were found.
    fn follow(&mut self) -> Result<(), String> {
        while let Some(number) = self.pending.pop() {
            let state = self.state;
            let cell: &Cell = &state.cells[number];
            let kind = &self.cells.kinds[cell.kind];
            let object = self.machine.heap().object(self.objects[&number]);
            for (link, held) in kind.links.iter().zip(&cell.links) {
                let concrete = loaded(object, link.offset, kind.pointer_bytes);
                let held = state.seen(*held);
                self.compare(held, concrete).map_err(|why| format!("{} of a `{}`: {why}", link.name, kind.name))?;
            }
            for (position, field) in kind.data.iter().enumerate() {
                let is_unset = (field.offset..field.offset + field.size)
                    .any(|byte| object.contents().load(byte, 1) == Loaded::Uninitialised);
                if is_unset && cell.unset & bit(position) == 0 {
                    let name = field.words();
                    return Err(format!("{name} of a `{}`: the state has a value, the machine has none", kind.name));
                }
                let is_exact = field.extent == DataExtent::Scalar && position < 31;
                if !is_unset && is_exact && cell.unset & bit(position) != 0 {
                    let name = field.words();
                    return Err(format!("{name} of a `{}`: the state has no value, the machine has one", kind.name));
                }
            }
        }
        Ok(())
    }

    fn words(&self, held: Held) -> String {
        match held {
            Held::Cell(cell) => format!("cell {cell}"),
            Held::Atom(Atom::Place(place)) => self.cells.places[place as usize].name.clone(),
            Held::Atom(atom) => format!("{atom:?}"),
        }
    }
}

fn words(concrete: Concrete) -> String {
    match concrete {
        Concrete::Value(value) => format!("{value:?}"),
        Concrete::Bits(bits, _) => format!("{bits:#x}"),
        Concrete::Any => "any bytes".into(),
        Concrete::Unknown => "nothing to compare".into(),
    }
}

fn loaded(object: &Object, offset: u64, size: u64) -> Concrete {
    match object.contents().load(offset, size) {
        Loaded::Bits(bits) => Concrete::Bits(bits, size),
        Loaded::Value(value) => Concrete::Value(value),
        Loaded::Uninitialised => Concrete::Value(Value::UNSET),
        Loaded::Any(_) => Concrete::Any,
        Loaded::Mixed => Concrete::Unknown,
    }
}

/// How many bytes the scalar at an offset of a type has; `None` for unions and bit-fields.
fn scalar_bytes(program: &Program, ty: TypeId, offset: u64) -> Option<u64> {
    match program.ty(ty) {
        Type::Record(record) => {
            let record = &program.records[*record];
            if record.kind == RecordKind::Union {
                return None;
            }
            let inside = |start: u64, size: u64| start <= offset && offset < start + size;
            let field = record
                .fields()
                .iter()
                .find(|field| program.size_of(field.ty).is_some_and(|size| inside(field.offset, size)))?;
            if field.bits.is_some() { None } else { scalar_bytes(program, field.ty, offset - field.offset) }
        }
        Type::Array(element, _) => {
            let size = program.size_of(*element).filter(|size| *size > 0)?;
            scalar_bytes(program, *element, offset % size)
        }
        Type::Int(_) | Type::Float(_) | Type::Pointer(_) => (offset == 0).then(|| program.size_of(ty)).flatten(),
        Type::Void | Type::Function(_) => None,
    }
}

/// The index of a variable, for messages.
pub(super) fn describe(cells: &CellProgram, element: &Element) -> String {
    let mut lines = format!("at {}:", element.point);
    let words = |held: Held| match element.state.seen(held) {
        Held::Cell(cell) => format!("cell {cell}"),
        Held::Atom(Atom::Place(place)) => cells.places[place as usize].name.clone(),
        Held::Atom(atom) => format!("{atom:?}"),
    };
    for (var, variable) in cells.vars.iter() {
        if let Some(held) = element.state.vars[var.index()] {
            lines += &format!(" {}={}", variable.name, words(held));
        }
    }
    for (number, cell) in element.state.cells.iter().enumerate().filter(|(_, cell)| !cell.is_freed) {
        let kind = &cells.kinds[cell.kind];
        let links = kind.links.iter().zip(&cell.links).map(|(link, held)| format!("{}={}", link.name, words(*held)));
        lines += &format!(" cell {number} ({}", links.collect::<Vec<_>>().join(" "));
        if cell.unset != 0 {
            lines += &format!(" unset={:#b}", cell.unset);
        }
        lines += ")";
    }
    lines
}
