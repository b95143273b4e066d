//! Steps on images alone: the option `--transformer best`.
//!
//! Focus and coerce work on what single rules say; a structure that they leave may stand for no heap at all, or for fewer
//! values than it shows. Here every structure is replaced by the canonical abstractions of exactly those heaps that it
//! stands for ([`assume`]\[1\]) before a command is applied to it and after; images that others represent are left out. In an image every name is definite and every
//! value that is not 1/2 is right, so commands see no case that no heap has.
//!
//! A structure that the prover leaves open, or that has too many images, stays as it is: nothing is ever lost.

use super::run::{Store, StructureId};
use crate::action::Framework;
use crate::symbolic::explore::Settings;
use crate::symbolic::operations::{assume, smallest};
use heapwise_engine::Control;
use heapwise_logic::Formula;
use heapwise_prover::Limits;
use heapwise_prover::builtin::Builtin;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// A question that takes longer is left open.
const TIME_FOR_A_QUESTION: Duration = Duration::from_millis(200);
/// So many open questions end the attempt.
const UNSETTLED: usize = 1;
/// More images than this are no gain.
const MOST_IMAGES: usize = 64;

/// The images of structures, as far as they were asked for.
pub struct Images {
    prover: Builtin,
    known: FxHashMap<StructureId, Vec<StructureId>>,
    /// How many structures stayed as they were.
    pub undivided: usize,
}

impl Images {
    /// A prover that stops when the run must.
    pub fn new(control: &Control) -> Images {
        let left = control.budget().time.map(|time| time.saturating_sub(control.elapsed()));
        let deadline = left.map(|left| Instant::now() + left);
        let limits = Limits { per_query: TIME_FOR_A_QUESTION, deadline, ..Limits::default() };
        Images { prover: Builtin::new(limits), known: FxHashMap::default(), undivided: 0 }
    }

    /// Structures that are images and together stand for the same heaps; the structure itself where that is open.
    pub fn of(&mut self, framework: &Framework, store: &mut Store, id: StructureId) -> Vec<StructureId> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let settings = Settings { unsettled: UNSETTLED, results: MOST_IMAGES, ..Settings::default() };
        let structure = store.get(id).clone();
        let result = assume(framework, &Formula::TRUE, std::slice::from_ref(&structure), &mut self.prover, settings);
        let images: Vec<StructureId> = if result.outcome.is_exact() && result.merged == 0 {
            smallest(&result.outcome.structures).into_iter().map(|image| store.intern(image)).collect()
        } else {
            self.undivided += 1;
            vec![id]
        };
        for image in images.iter().filter(|image| **image != id) {
            self.known.entry(*image).or_insert_with(|| vec![*image]);
        }
        self.known.insert(id, images.clone());
        images
    }
}
