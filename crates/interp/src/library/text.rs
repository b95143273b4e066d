//! `<string.h>`.

use crate::access::Access;
use crate::machine::{Executor, Step};
use crate::value::{Scalar, Value};
use heapwise_engine::{InputSource, Kind, Writer};
use heapwise_ir::{CompareOperator, IntType};
use std::cmp::Ordering;

const BYTE: Scalar = Scalar::Int(IntType::Unsigned(1));

impl Executor<'_, '_> {
    /// One byte that a library function reads.
    pub(crate) fn read_byte(&mut self, name: &str, pointer: Value, index: u64) -> Step<u8> {
        let at = self.place_address(pointer, i128::from(index))?;
        if at == Value::Library {
            // Strings of the library are short, so that reading them ends.
            const LONGEST: u64 = 3;
            if index >= LONGEST {
                return Ok(0);
            }
            let byte =
                self.new_input(IntType::Unsigned(1), InputSource::Bytes { writer: Writer::Elsewhere, offset: index })?;
            return Ok(self.integer(byte)? as u8);
        }
        let (object, offset) = self.locate(at, 1, Access::Read)?;
        match self.load_at(object, offset, BYTE)? {
            Value::Uninitialised(_) => {
                self.error(Kind::Uninitialised, format!("`{name}` reads an uninitialised byte"), Some(object))
            }
            value => Ok(self.integer(value)? as u8),
        }
    }

    /// The bytes before the NUL, at most `limit` of them.
    pub(crate) fn read_string(&mut self, name: &str, pointer: Value, limit: u64) -> Step<Vec<u8>> {
        let mut text = Vec::new();
        while (text.len() as u64) < limit {
            match self.read_byte(name, pointer, text.len() as u64)? {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(text)
    }

    /// How many bytes come before the NUL, at most `limit`. Only whether a byte is zero matters, so inputs stay open.
    pub(crate) fn string_length(&mut self, name: &str, pointer: Value, limit: u64) -> Step<u64> {
        let mut length = 0;
        while length < limit {
            let at = self.place_address(pointer, i128::from(length))?;
            let is_nul = if at == Value::Library {
                self.read_byte(name, pointer, length)? == 0
            } else {
                let (object, offset) = self.locate(at, 1, Access::Read)?;
                match self.load_at(object, offset, BYTE)? {
                    Value::Uninitialised(_) => {
                        let message = format!("`{name}` reads an uninitialised byte");
                        return self.error(Kind::Uninitialised, message, Some(object));
                    }
                    byte => {
                        let truth = self.compare(CompareOperator::Equal, BYTE, byte, Value::ZERO)?;
                        self.decide_condition(truth)?
                    }
                }
            };
            if is_nul {
                break;
            }
            length += 1;
        }
        Ok(length)
    }

    pub(crate) fn write_text(&mut self, pointer: Value, index: u64, text: &[u8]) -> Step<()> {
        if text.is_empty() || pointer == Value::Library {
            return Ok(());
        }
        let at = self.place_address(pointer, i128::from(index))?;
        let (object, offset) = self.locate(at, text.len() as u64, Access::Write)?;
        for (index, byte) in text.iter().enumerate() {
            self.write_value(object, offset + index as u64, BYTE, Value::Int(i128::from(*byte)))?;
        }
        Ok(())
    }

    fn read_bytes(&mut self, name: &str, pointer: Value, len: u64) -> Step<Vec<u8>> {
        (0..len).map(|index| self.read_byte(name, pointer, index)).collect()
    }

    /// Compares byte by byte, so that bytes behind the first difference are not read.
    fn compare_text(&mut self, name: &str, left: Value, right: Value, limit: u64, end: End, fold: Fold) -> Step<i128> {
        for index in 0..limit {
            let (left, right) = (self.read_byte(name, left, index)?, self.read_byte(name, right, index)?);
            let (left_key, right_key) = match fold {
                Fold::Exact => (left, right),
                Fold::IgnoreCase => (left.to_ascii_lowercase(), right.to_ascii_lowercase()),
            };
            match left_key.cmp(&right_key) {
                Ordering::Equal if left == 0 && end == End::Nul => return Ok(0),
                Ordering::Equal => {}
                Ordering::Less => return Ok(-1),
                Ordering::Greater => return Ok(1),
            }
        }
        Ok(0)
    }

    pub(crate) fn text_function(&mut self, name: &str, arguments: &[Value]) -> Step<Option<Value>> {
        const ALL: u64 = u64::MAX;
        let value = match (name, arguments) {
            ("strlen", [text]) => Value::Int(i128::from(self.string_length(name, *text, ALL)?)),
            ("strnlen", [text, limit]) => {
                let limit = self.size_argument(name, *limit)?;
                Value::Int(i128::from(self.string_length(name, *text, limit)?))
            }
            ("strcmp", [left, right]) => {
                Value::Int(self.compare_text(name, *left, *right, ALL, End::Nul, Fold::Exact)?)
            }
            ("strcasecmp", [left, right]) => {
                Value::Int(self.compare_text(name, *left, *right, ALL, End::Nul, Fold::IgnoreCase)?)
            }
            ("strncmp" | "strncasecmp", [left, right, limit]) => {
                let limit = self.size_argument(name, *limit)?;
                let fold = if name == "strncmp" { Fold::Exact } else { Fold::IgnoreCase };
                Value::Int(self.compare_text(name, *left, *right, limit, End::Nul, fold)?)
            }
            ("memcmp" | "bcmp", [left, right, limit]) => {
                let limit = self.size_argument(name, *limit)?;
                Value::Int(self.compare_text(name, *left, *right, limit, End::Count, Fold::Exact)?)
            }
            ("strcpy" | "stpcpy", [to, from]) => {
                let mut text = self.read_string(name, *from, ALL)?;
                text.push(0);
                self.write_text(*to, 0, &text)?;
                if name == "strcpy" { *to } else { self.add_bytes(*to, text.len() as i128 - 1)? }
            }
            ("strncpy", [to, from, limit]) => {
                let limit = self.size_argument(name, *limit)?;
                let mut text = self.read_string(name, *from, limit)?;
                text.resize(limit.min(1 << 20) as usize, 0);
                self.write_text(*to, 0, &text)?;
                *to
            }
            ("strcat", [to, from]) | ("strncat", [to, from, _]) => {
                let limit = match arguments {
                    [_, _, limit] => self.size_argument(name, *limit)?,
                    _ => ALL,
                };
                let mut text = self.read_string(name, *from, limit)?;
                text.push(0);
                let end = self.read_string(name, *to, ALL)?.len() as u64;
                self.write_text(*to, end, &text)?;
                *to
            }
            ("memcpy" | "memmove" | "mempcpy", [to, from, len]) => {
                let len = self.size_argument(name, *len)?;
                self.copy_bytes(*to, *from, len)?;
                if name == "mempcpy" { self.add_bytes(*to, i128::from(len))? } else { *to }
            }
            ("memset", [to, byte, len]) => {
                let (byte, len) = (self.integer_argument(name, *byte)?, self.size_argument(name, *len)?);
                self.fill_bytes(*to, len, crate::access::FillValue::Byte(byte as u8))?;
                *to
            }
            ("bzero", [to, len]) => {
                let len = self.size_argument(name, *len)?;
                self.fill_bytes(*to, len, crate::access::FillValue::Byte(0))?;
                *to
            }
            _ => return self.search_function(name, arguments),
        };
        Ok(Some(value))
    }

    fn search_function(&mut self, name: &str, arguments: &[Value]) -> Step<Option<Value>> {
        const ALL: u64 = u64::MAX;
        let (pointer, found) = match (name, arguments) {
            ("strchr" | "index" | "strrchr" | "rindex" | "strchrnul", [text, byte]) => {
                let byte = self.integer_argument(name, *byte)? as u8;
                let mut bytes = self.read_string(name, *text, ALL)?;
                bytes.push(0);
                let found = match name {
                    "strchr" | "index" => bytes.iter().position(|other| *other == byte),
                    "strchrnul" => bytes.iter().position(|other| *other == byte).or(Some(bytes.len() - 1)),
                    _ => bytes.iter().rposition(|other| *other == byte),
                };
                (*text, found)
            }
            ("memchr", [text, byte, len]) => {
                let (byte, len) = (self.integer_argument(name, *byte)? as u8, self.size_argument(name, *len)?);
                let mut found = None;
                for index in 0..len {
                    if self.read_byte(name, *text, index)? == byte {
                        found = Some(index as usize);
                        break;
                    }
                }
                (*text, found)
            }
            ("strstr", [text, needle]) => {
                let (bytes, needle) = (self.read_string(name, *text, ALL)?, self.read_string(name, *needle, ALL)?);
                let found = (0..=bytes.len()).find(|start| bytes[*start..].starts_with(&needle));
                (*text, found)
            }
            ("strpbrk", [text, set]) => {
                let (bytes, set) = (self.read_string(name, *text, ALL)?, self.read_string(name, *set, ALL)?);
                (*text, bytes.iter().position(|byte| set.contains(byte)))
            }
            ("strspn" | "strcspn", [text, set]) => {
                let (bytes, set) = (self.read_string(name, *text, ALL)?, self.read_string(name, *set, ALL)?);
                let stops = |byte: &u8| set.contains(byte) == (name == "strcspn");
                let length = bytes.iter().position(stops).unwrap_or(bytes.len());
                return Ok(Some(Value::Int(length as i128)));
            }
            ("strtok", [text, set]) => return self.tokenize(*text, *set).map(Some),
            _ => return Ok(None),
        };
        match found {
            Some(index) => self.add_bytes(pointer, index as i128).map(Some),
            None => Ok(Some(Value::ZERO)),
        }
    }

    fn tokenize(&mut self, text: Value, set: Value) -> Step<Value> {
        let start = if text == Value::ZERO { self.state.token } else { text };
        if start == Value::ZERO {
            return Ok(Value::ZERO);
        }
        let set = self.read_string("strtok", set, u64::MAX)?;
        let bytes = self.read_string("strtok", start, u64::MAX)?;
        let Some(first) = bytes.iter().position(|byte| !set.contains(byte)) else {
            self.state.token = Value::ZERO;
            return Ok(Value::ZERO);
        };
        let length = bytes[first..].iter().position(|byte| set.contains(byte));
        match length {
            Some(length) => {
                self.write_text(start, (first + length) as u64, &[0])?;
                // Not counted as a reference: a saved place keeps nothing alive.
                self.state.token = self.add_bytes(start, (first + length + 1) as i128)?;
            }
            None => self.state.token = Value::ZERO,
        }
        self.add_bytes(start, first as i128)
    }

    /// Reads bytes for comparison by other parts of the library.
    pub(crate) fn read_exactly(&mut self, name: &str, pointer: Value, len: u64) -> Step<Vec<u8>> {
        self.read_bytes(name, pointer, len)
    }
}

/// What ends a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Nul,
    Count,
}

/// How bytes compare.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fold {
    Exact,
    IgnoreCase,
}
