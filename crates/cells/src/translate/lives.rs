//! The lives of local objects. An address is a value like any other until its object ends; then every value that holds it
//! dangles, as at `free`: no variable or link still holds the address of an object that is gone, so an access by an address
//! is an access of an object that exists.

use super::addresses::Addresses;
use super::constants::Object;
use super::{Cursor, Translator};
use crate::atom::{Atom, Var};
use crate::place::{AddressOf, Instances};
use crate::program::{CellProgram, Command, Source, StepId};
use crate::{live::LiveVariables, program::Held};
use heapwise_engine::Kind;
use heapwise_ir::entity::EntityRef;
use rustc_hash::FxHashMap;

/// When addresses change what they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Retired {
    /// A local's storage begins: addresses from its last life are not told apart from others that dangle.
    Again(u32),
    /// A local's storage ends.
    Ends(u32),
    /// A function returns: the same for all its locals.
    Left(u32),
}

/// A function that returns a pointer, before its locals are forgotten.
pub(super) struct Leave {
    pub(super) step: StepId,
    pub(super) result: Var,
    pub(super) frame: u32,
}

/// The variables that may hold the address of each place, and the places that cells may hold.
#[derive(Default)]
pub(super) struct Holders {
    vars: FxHashMap<u32, Vec<Var>>,
    in_cells: Vec<u32>,
}

impl Translator<'_> {
    /// Fills in which addresses dangle where.
    pub(super) fn retire_addresses(&mut self, addresses: &Addresses) -> Holders {
        let mut places_of: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut holders = Holders::default();
        for place in 0..self.out.places.len() as u32 {
            if let Some((Object::Auto(auto), _)) = self.object_at(place) {
                places_of.entry(auto).or_default().push(place);
                holders.vars.insert(place, addresses.holders(Atom::Place(place)).collect());
                if addresses.in_cells.may_contain(&Atom::Place(place)) {
                    holders.in_cells.push(place);
                }
            }
        }
        let of = |auto: u32| places_of.get(&auto).map_or(&[][..], Vec::as_slice);
        for (step, retired) in std::mem::take(&mut self.lives) {
            let atoms: Vec<(Atom, Atom)> = match retired {
                Retired::Again(auto) => of(auto).iter().map(|place| (Atom::Ended(*place), Atom::Gone)).collect(),
                Retired::Ends(auto) => {
                    of(auto).iter().map(|place| (Atom::Place(*place), Atom::Ended(*place))).collect()
                }
                Retired::Left(frame) => {
                    let autos = self.autos.iter().enumerate().filter(|(_, auto)| auto.frame == frame);
                    let places = autos.flat_map(|(auto, _)| of(auto as u32));
                    places.map(|place| (Atom::Ended(*place), Atom::Gone)).collect()
                }
            };
            self.out.steps[step].command = Command::Retire { atoms };
        }
        holders
    }

    /// A function must not return the address of a local of its own, whether that has ended already or does so now.
    pub(super) fn forbid_dangling_returns(&mut self, addresses: &Addresses) {
        for Leave { step: id, result, frame } in std::mem::take(&mut self.leaves) {
            if !self.options.asks_for(Kind::DanglingReturn) {
                continue;
            }
            let held = addresses.of(Source::Var(result));
            let is_own = |place: &u32| match self.object_at(*place) {
                Some((Object::Auto(auto), _)) => self.autos[auto as usize].frame == frame,
                Some((Object::Global(_), _)) | None => false,
            };
            let places = 0..self.out.places.len() as u32;
            let own: Vec<u32> = places.filter(|place| held.may_contain(&Atom::Place(*place))).filter(is_own).collect();
            if own.is_empty() {
                continue;
            }
            let step = &self.out.steps[id];
            let mut rest = Cursor { at: step.from, to: step.to, span: step.span, frame: step.frame, edge: step.edge };
            self.out.outgoing[rest.at].retain(|other| *other != id);
            for atom in own.into_iter().flat_map(|place| [Atom::Place(place), Atom::Ended(place)]) {
                let mut there = Cursor { ..rest };
                self.then(&mut there, Command::Case { var: result, atom, held: Held::Yes });
                self.close(&mut there, Command::Fail { kind: Kind::DanglingReturn });
                self.then(&mut rest, Command::Case { var: result, atom, held: Held::No });
            }
            self.out.steps[id].from = rest.at;
            self.out.outgoing[rest.at].push(id);
        }
    }

    /// Locals of functions that call themselves, whose addresses go where other calls may find them, have many addresses.
    pub(super) fn count_instances(&mut self, wandering: &[u32]) {
        for place in 0..self.out.places.len() {
            let Some((Object::Auto(auto), _)) = self.object_at(place as u32) else { continue };
            let frame = self.autos[auto as usize].frame;
            if self.out.frames[frame as usize].procedure.is_some()
                && wandering.contains(&auto)
                && let AddressOf::Object { instances, .. } = &mut self.out.places[place].of
            {
                *instances = Instances::Many;
            }
        }
    }
}

/// Drops from a program what says of addresses that they dangle which nobody holds any more.
pub(super) fn drop_idle(program: &mut CellProgram, live: &LiveVariables, holders: &Holders) {
    for index in 0..program.steps.len() {
        let step = &mut program.steps[StepId::new(index)];
        let to = step.to;
        let Command::Retire { atoms } = &mut step.command else { continue };
        atoms.retain(|(atom, _)| match atom {
            Atom::Place(place) | Atom::Ended(place) => {
                let vars = holders.vars.get(place).map_or(&[][..], Vec::as_slice);
                holders.in_cells.contains(place) || vars.iter().any(|var| live.is_live(to, *var))
            }
            Atom::Int(_)
            | Atom::Freed
            | Atom::Gone
            | Atom::Uninit
            | Atom::Opaque
            | Atom::Library(_)
            | Atom::NoLink
            | Atom::Outside => true,
        });
        if atoms.is_empty() {
            step.command = Command::Skip;
        }
    }
}
