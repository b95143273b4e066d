//! Records within cells: a `struct list_head` that lies 8 bytes into every `struct item` is met through pointers that point
//! 8 bytes into cells, and its links hold such pointers. Where all cells agree on the place, it is the shift
//! ([`super::inside`]) of every variable and link of that type, and a list of items by their `list_head`s is a list like any
//! other. Nothing is assumed of the types that a program casts pointers to: a pointer to other bytes that comes by such a
//! variable or link is lost from sight, as everywhere.

use super::kinds::{Links, scalars};
use heapwise_ir::{Body, Instruction, Program, RecordId, RecordKind, Storage, Type, TypeId};
use rustc_hash::FxHashMap;

/// Where records lie in cells, and which bytes of cells the links of cells point to.
#[derive(Default, Debug)]
pub struct Embedded {
    /// The one place where a record lies in cells.
    homes: FxHashMap<RecordId, Home>,
    /// The shifts of the links of cells, by their offsets; those of 0 are left out.
    links: FxHashMap<i64, i64>,
}

/// Where a record lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Home {
    /// In cells of this type.
    cell: TypeId,
    /// That many bytes into them.
    offset: i64,
}

impl Embedded {
    /// Looks at all that a program allocates.
    pub fn of(program: &Program, followed: Links) -> Embedded {
        // Contracts make cells of types that the program need not allocate.
        if followed == Links::OneToItself || !program.contracts.is_empty() {
            return Embedded::default();
        }
        let cells = allocated(program);
        let mut places: FxHashMap<RecordId, Vec<Home>> = FxHashMap::default();
        for cell in &cells {
            collect(program, *cell, Home { cell: *cell, offset: 0 }, &mut places);
        }
        let only = |(record, homes): (RecordId, Vec<Home>)| match homes.as_slice() {
            [home] => Some((record, *home)),
            _ => None,
        };
        let mut embedded =
            Embedded { homes: places.into_iter().filter_map(only).collect(), links: FxHashMap::default() };
        let mut links: FxHashMap<i64, i64> = FxHashMap::default();
        for cell in &cells {
            for scalar in scalars(program, *cell) {
                let Ok(offset) = i64::try_from(scalar.offset) else { continue };
                let Type::Pointer(pointee) = program.ty(scalar.ty) else { continue };
                let shift = embedded.shift(program, *pointee);
                if *links.entry(offset).or_insert(shift) != shift {
                    // Which of two kinds of cells a pointer points to, nobody has to know.
                    return Embedded::default();
                }
            }
        }
        links.retain(|_, shift| *shift != 0);
        embedded.links = links;
        embedded
    }

    /// How many bytes into cells a pointer to a type points.
    pub fn shift(&self, program: &Program, pointee: TypeId) -> i64 {
        self.home(program, pointee).map_or(0, |home| home.offset)
    }

    /// Whether a pointer to a type points to cells of that other type, and no others.
    pub fn leads_to(&self, program: &Program, pointee: TypeId, cell: TypeId) -> bool {
        self.home(program, pointee).is_some_and(|home| home.cell == cell)
    }

    /// The cells that a record lies within, and how many bytes into them; the record itself where there are none, or many.
    pub fn home_of(&self, program: &Program, record: TypeId) -> (TypeId, i64) {
        self.home(program, record).map_or((record, 0), |home| (home.cell, home.offset))
    }

    /// How many bytes into cells the pointers point that cells hold at an offset.
    pub fn shift_at(&self, offset: i64) -> i64 {
        self.links.get(&offset).copied().unwrap_or(0)
    }

    fn home(&self, program: &Program, pointee: TypeId) -> Option<Home> {
        let Type::Record(record) = program.ty(pointee) else { return None };
        self.homes.get(record).copied()
    }
}

/// The types of what a program allocates, in order.
fn allocated(program: &Program) -> Vec<TypeId> {
    let mut found = Vec::new();
    for function in program.functions.values() {
        let Body::Defined(automaton) = &function.body else { continue };
        for edge in automaton.edges.values() {
            if let Instruction::Alloc { storage, view: Some(view), .. } = &edge.instruction
                && *storage != Storage::Auto
                && !found.contains(&view.element)
            {
                found.push(view.element);
            }
        }
    }
    found
}

/// All records within a type, itself included; those in arrays and unions have many places, or none.
fn collect(program: &Program, ty: TypeId, home: Home, places: &mut FxHashMap<RecordId, Vec<Home>>) {
    match program.ty(ty) {
        Type::Record(record) => {
            places.entry(*record).or_default().push(home);
            let is_struct = program.records[*record].kind == RecordKind::Struct;
            for field in program.records[*record].fields() {
                let Ok(offset) = i64::try_from(field.offset) else { continue };
                let inner = Home { offset: home.offset.saturating_add(offset), ..home };
                collect(program, field.ty, inner, places);
                if !is_struct {
                    collect(program, field.ty, inner, places);
                }
            }
        }
        Type::Array(element, _) => {
            // Twice: no place is the only one.
            collect(program, *element, home, places);
            collect(program, *element, home, places);
        }
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Function(_) => {}
    }
}
