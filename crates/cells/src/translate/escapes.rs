//! Locals whose addresses escape to where other activations of recursive functions may find them.

use super::Translator;
use super::addresses::Addresses;
use super::constants::Object;
use crate::atom::Atom;
use crate::program::{Command, Source, VariableStorage};
use heapwise_dataflow::JoinSemiLattice;
use heapwise_engine::reason::CallGap;

impl Translator<'_> {
    /// The local objects whose addresses go where calls of procedures may find them: globals, cells, arguments, results.
    pub(super) fn wandering(&self, addresses: &Addresses) -> Vec<u32> {
        let mut found = addresses.in_cells.clone();
        for (var, variable) in self.out.vars.iter() {
            if variable.storage == VariableStorage::Global {
                found.join(&addresses.of(Source::Var(var)));
            }
        }
        for step in self.out.steps.values() {
            if let Command::Call { procedure, arguments, references, .. } = &step.command {
                let procedure = &self.out.procedures[*procedure];
                let passed = references.iter().flat_map(|(own, outer)| [*own, *outer]).chain(procedure.result);
                for source in arguments.iter().copied().chain(passed.map(Source::Var)) {
                    found.join(&addresses.of(source));
                }
            }
        }
        let all = || (0..self.out.places.len() as u32).map(Atom::Place).collect();
        let places: Vec<Atom> = found.known().map_or_else(all, <[Atom]>::to_vec);
        let autos = places.into_iter().filter_map(|atom| match atom {
            Atom::Place(place) => match self.object_at(place)? {
                (Object::Auto(auto), _) => Some(auto),
                (Object::Global(_), _) => None,
            },
            _ => None,
        });
        let mut autos: Vec<u32> = autos.collect();
        autos.sort_unstable();
        autos.dedup();
        autos
    }

    /// Whether an address is that of a local of another activation than the one that runs, or may be.
    pub(super) fn is_foreign(&self, atom: Atom, frame: u32, wandering: &[u32]) -> bool {
        let Atom::Place(place) = atom else { return false };
        let Some((Object::Auto(auto), _)) = self.object_at(place) else { return false };
        let procedure = |frame: u32| self.out.frames[frame as usize].procedure;
        let owner = procedure(self.autos[auto as usize].frame);
        owner != procedure(frame) || (owner.is_some() && wandering.contains(&auto))
    }

    /// Objects that a procedure works on as its own must not be found by another way.
    pub(super) fn forbid_wandering(&mut self, wandering: &[u32]) {
        for (id, autos) in std::mem::take(&mut self.passed) {
            if let Command::Call { procedure, .. } = &self.out.steps[id].command
                && autos.iter().any(|auto| wandering.contains(auto))
            {
                let function = self.out.procedures[*procedure].name.clone();
                let reason = CallGap::LocalStoredElsewhere { function }.into();
                self.out.steps[id].command = Command::Gap { reason };
            }
        }
    }
}
