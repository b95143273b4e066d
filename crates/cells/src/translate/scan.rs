//! The `scanf` family: one way for each number of conversions that may succeed.

use super::call::Site;
use super::transfer::{Stretch, Written};
use super::{Cursor, Translator};
use crate::atom::Atom;
use crate::program::{Access, Command, Contents, Source, TouchPurpose};
use heapwise_engine::reason::{GapReason, LibraryGap, MemoryGap};
use heapwise_ir::format::{Scanned, scan_conversions};
use heapwise_ir::{ExternEffects, FunctionId, Operand};

impl<'p> Translator<'p> {
    /// Nothing is converted (the input ended, or did not match), or only the first conversions, or all. Each stores a value
    /// of its type; what is not reached stays as it was.
    pub(super) fn scan(
        &mut self,
        site: &Site<'_, 'p>,
        cursor: &mut Cursor,
        callee: FunctionId,
        effects: &ExternEffects,
    ) {
        let name = &self.program.functions[callee].name;
        let stored = match self.stored_by_conversions(site, effects) {
            Ok(stored) => stored,
            Err(gap) => return self.close(cursor, Command::Gap { reason: GapReason::library(name, gap) }),
        };
        for result in [-1, 0] {
            self.scanned(site, cursor, result);
        }
        for (count, (operand, size)) in stored.into_iter().enumerate() {
            if let Err(last) = self.store_scanned(site, cursor, callee, operand, size) {
                return self.close(cursor, last);
            }
            self.scanned(site, cursor, count as i128 + 1);
        }
    }

    /// The way on which the call returns here, with so many conversions.
    fn scanned(&mut self, site: &Site<'_, 'p>, cursor: &Cursor, result: i128) {
        let mut way = Cursor { ..*cursor };
        match site.target {
            Some(target) => self.write_register(site.instance, &mut way, target, Source::Atom(Atom::int(result))),
            None => self.close(&mut way, Command::Skip),
        }
    }

    /// Where each conversion stores how many bytes.
    fn stored_by_conversions(
        &self,
        site: &Site<'_, 'p>,
        effects: &ExternEffects,
    ) -> Result<Vec<(Operand, u64)>, LibraryGap> {
        let format = effects.format.ok_or(LibraryGap::UnknownFormat)?;
        let text = self.format_text(site, effects).ok_or(LibraryGap::UnknownFormat)?;
        let conversions = scan_conversions(&text).ok_or(LibraryGap::UnknownFormat)?;
        let mut targets = site.arguments.iter().skip(format.parameter as usize + 1);
        let mut stored = Vec::new();
        for conversion in &conversions {
            let scanned = conversion.stores(self.program.target);
            if scanned == Scanned::Nothing {
                continue;
            }
            let bytes = scanned.fixed_bytes().ok_or(LibraryGap::Conversions)?;
            stored.push((*targets.next().ok_or(LibraryGap::FewArguments)?, bytes));
        }
        Ok(stored)
    }

    /// A conversion stores a value; or the command that ends the run there.
    fn store_scanned(
        &mut self,
        site: &Site<'_, 'p>,
        cursor: &mut Cursor,
        callee: FunctionId,
        operand: Operand,
        size: u64,
    ) -> Result<(), Command> {
        let name = &self.program.functions[callee].name;
        match self.source(site.instance, site.environment, operand) {
            Source::Var(base) => {
                let access = Access { offset: self.shift(base), size };
                self.then(cursor, Command::Touch { base, access, purpose: TouchPurpose::Access });
                self.then(cursor, Command::Fill { base, access, contents: Contents::Opaque });
                Ok(())
            }
            Source::Atom(Atom::Int(_)) => Err(Command::Fail { kind: heapwise_engine::Kind::NullDereference }),
            Source::Atom(Atom::Place(place)) => match self.object_at(place) {
                Some((object, offset)) if !self.is_library(object) => {
                    self.write(cursor, Stretch::Object(object, offset), Written::Any, size, None)
                }
                Some(_) | None => Err(Command::Gap { reason: MemoryGap::FunctionWritten.into() }),
            },
            Source::Atom(_) => Err(Command::Gap { reason: GapReason::library(name, LibraryGap::BytesWritten) }),
        }
    }
}
