//! `<ctype.h>` in the C locale, glibc's tables behind its macros included.

use crate::chooser::Question;
use crate::contents::{CellValue, Fill, Loaded};
use crate::heap::{Holder, ObjectKind};
use crate::library::Failed;
use crate::machine::{Executor, Step};
use crate::state::LibraryObject;
use crate::value::{ObjectId, Pointer, Term, Value};

/// glibc's tables start at the character -128.
const FIRST: i128 = -128;
const ENTRIES: u64 = 384;

fn classify(name: &str, byte: u8) -> Option<bool> {
    Some(match name {
        "isdigit" => byte.is_ascii_digit(),
        "isalpha" => byte.is_ascii_alphabetic(),
        "isalnum" => byte.is_ascii_alphanumeric(),
        "isspace" => byte.is_ascii_whitespace() || byte == 0x0b,
        "isupper" => byte.is_ascii_uppercase(),
        "islower" => byte.is_ascii_lowercase(),
        "isxdigit" => byte.is_ascii_hexdigit(),
        "ispunct" => byte.is_ascii_punctuation(),
        "isprint" => byte.is_ascii_graphic() || byte == b' ',
        "isgraph" => byte.is_ascii_graphic(),
        "iscntrl" => byte.is_ascii_control(),
        "isblank" => byte == b' ' || byte == b'\t',
        "isascii" => byte.is_ascii(),
        _ => return None,
    })
}

/// What a function of `<ctype.h>` says to a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// This.
    Is(i128),
    /// The character, so many places on.
    Moved(i64),
}

impl Answer {
    fn of(name: &str, character: i128) -> Answer {
        match (name, u8::try_from(character).ok()) {
            ("toupper", Some(byte)) => Answer::Moved(i64::from(byte.to_ascii_uppercase()) - i64::from(byte)),
            ("tolower", Some(byte)) => Answer::Moved(i64::from(byte.to_ascii_lowercase()) - i64::from(byte)),
            ("toupper" | "tolower", None) => Answer::Moved(0),
            (_, Some(byte)) => Answer::Is(i128::from(classify(name, byte) == Some(true))),
            (_, None) => Answer::Is(0),
        }
    }

    fn value(self, character: i128) -> i128 {
        match self {
            Answer::Is(value) => value,
            Answer::Moved(by) => character + i128::from(by),
        }
    }
}

/// glibc's class bits of a character.
fn class_bits(byte: u8) -> u16 {
    let classes = [
        ("isupper", 8),
        ("islower", 9),
        ("isalpha", 10),
        ("isdigit", 11),
        ("isxdigit", 12),
        ("isspace", 13),
        ("isprint", 14),
        ("isgraph", 15),
        ("isblank", 0),
        ("iscntrl", 1),
        ("ispunct", 2),
        ("isalnum", 3),
    ];
    classes.iter().fold(0, |bits, (name, bit)| bits | u16::from(classify(name, byte) == Some(true)) << bit)
}

impl Executor<'_, '_> {
    pub(crate) fn character_function(&mut self, name: &str, arguments: &[Value]) -> Step<Option<Value>> {
        let [argument] = arguments else { return Ok(None) };
        let is_conversion = matches!(name, "toupper" | "tolower");
        if !is_conversion && classify(name, 0).is_none() {
            return Ok(None);
        }
        let Value::Symbol(term) = self.known(*argument) else {
            let character = self.integer_argument(name, *argument)?;
            let answer = Answer::of(name, character);
            return Ok(Some(Value::Int(answer.value(character))));
        };
        // Characters that the function treats alike are one choice.
        let (low, high) = self.term_bounds(term);
        let region = |from: i128, to: i128| ((from.max(low), to.min(high)), Answer::of(name, from));
        let mut regions: Vec<((i128, i128), Answer)> = vec![region(low, -1)];
        for byte in 0..256 {
            let answer = Answer::of(name, byte);
            match regions.last_mut() {
                Some((range, last)) if *last == answer && range.1 + 1 == byte => range.1 = byte.min(high),
                _ => regions.push(region(byte, byte)),
            }
        }
        regions.push(region(256, high));
        regions.retain(|((from, to), _)| from <= to);
        let (range, answer) = regions[self.choose(Question::Branch, regions.len())?];
        self.refine_between(term, (range.0 - i128::from(term.addend), range.1 - i128::from(term.addend)))?;
        Ok(Some(match answer {
            Answer::Is(value) => Value::Int(value),
            Answer::Moved(by) => Value::Symbol(Term { addend: term.addend + by, ..term }),
        }))
    }

    /// Whether an object is one of the tables behind `isdigit` and its kin.
    pub(crate) fn is_character_table(&self, object: ObjectId) -> bool {
        let width = u64::from(self.machine.word_bytes());
        self.state.library_objects.iter().any(|(which, holder)| match which {
            LibraryObject::ErrorNumber => false,
            LibraryObject::CtypeClasses | LibraryObject::CtypeLower | LibraryObject::CtypeUpper => {
                let table = self.state.heap.object(*holder).contents().load(0, width);
                matches!(table, Loaded::Value(Value::Pointer(pointer)) if pointer.object == object)
            }
        })
    }

    /// An index into such a table: characters with the same entry behave the same, so one of them stands for all.
    pub(crate) fn table_index(&mut self, table: Pointer, index: Value, stride: u64) -> Step<i128> {
        const MOST_RUNS: usize = 64;
        let size = i128::from(self.state.heap.object(table.object).size);
        let (offset, width) = (i128::from(table.offset), i128::from(stride.max(1)));
        let range = (-offset.div_euclid(width), (size - offset).div_euclid(width) - 1);
        let Value::Symbol(term) = self.known(index) else { return self.integer(index) };
        let addend = i128::from(term.addend);
        let (low, high) = self.state.constraints.bounds(term.symbol);
        if low + addend < range.0 || high + addend > range.1 {
            return self.index(index, range);
        }
        let contents = self.state.heap.object(table.object).contents();
        let mut runs: Vec<(i128, i128, Loaded)> = Vec::new();
        for value in (low..=high).filter(|value| self.state.constraints.can_be(term.symbol, *value)) {
            let entry = contents.load((offset + (value + addend) * width) as u64, stride);
            match runs.last_mut() {
                Some((_, last, known)) if *known == entry => *last = value,
                _ => runs.push((value, value, entry)),
            }
        }
        if runs.len() > MOST_RUNS {
            return self.index(index, range);
        }
        let (first, last, _) = runs[self.choose(Question::Branch, runs.len())?];
        self.refine_between(term, (first, last))?;
        Ok(first + addend)
    }

    /// The address of an object that the library owns, made on first use.
    pub(crate) fn library_object(&mut self, which: LibraryObject) -> Step<Value> {
        if let Some((_, object)) = self.state.library_objects.iter().find(|(known, _)| *known == which) {
            return Ok(Value::Pointer(Pointer { object: *object, offset: 0 }));
        }
        let word = u64::from(self.machine.word_bytes());
        let heap = &mut self.state.heap;
        let object = match which {
            LibraryObject::ErrorNumber => heap.add(ObjectKind::Environment, 4, Fill::Zero, None),
            LibraryObject::CtypeClasses | LibraryObject::CtypeLower | LibraryObject::CtypeUpper => {
                let width = if which == LibraryObject::CtypeClasses { 2 } else { 4 };
                let table = heap.add(ObjectKind::Environment, ENTRIES * width, Fill::Zero, None);
                heap.write(table, |contents, changes| {
                    for index in 0..ENTRIES {
                        let character = FIRST + i128::from(index);
                        let byte = u8::try_from(character).ok().filter(|_| character >= 0);
                        let entry = match (which, byte) {
                            (LibraryObject::CtypeClasses, Some(byte)) => u128::from(class_bits(byte)),
                            (LibraryObject::CtypeLower, Some(byte)) => u128::from(byte.to_ascii_lowercase()),
                            (LibraryObject::CtypeUpper, Some(byte)) => u128::from(byte.to_ascii_uppercase()),
                            (LibraryObject::CtypeClasses, None) => 0,
                            (_, _) => character as u128,
                        };
                        contents.store_bits(index * width, width, entry, changes);
                    }
                });
                let pointer = heap.add(ObjectKind::Environment, word, Fill::Zero, None);
                let zero = Value::Pointer(Pointer { object: table, offset: -(FIRST as i64) * width as i64 });
                heap.write(pointer, |contents, changes| contents.store_cell(0, word, CellValue::Value(zero), changes));
                pointer
            }
        };
        let value = Value::Pointer(Pointer { object, offset: 0 });
        heap.retain(value, Holder::Root);
        self.state.library_objects.push((which, object));
        if which == LibraryObject::ErrorNumber {
            // Calls before this one may have set it.
            self.any_error_number(object, Failed::Perhaps)?;
        }
        Ok(value)
    }
}
