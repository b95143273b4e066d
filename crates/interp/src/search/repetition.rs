//! Runs that nothing outside the program decides, and that never end.

use crate::canonical::canonicalize;
use crate::machine::Machine;
use crate::state::State;
use heapwise_engine::Exhausted;
use heapwise_ir::{FunctionId, LocationId};

/// Finds a deterministic run that repeats itself (Brent): the state is remembered at steps that double, and compared
/// when control is at the same place again.
pub(super) struct LoopDetector {
    remembered: Option<(usize, FunctionId, LocationId, u128)>,
    window: u64,
    left: u64,
    comparisons: u32,
    /// How many objects were looked at since somebody asked.
    looked_at: u64,
}

impl LoopDetector {
    const FIRST: u64 = 2048;

    pub(super) fn new() -> LoopDetector {
        LoopDetector { remembered: None, window: Self::FIRST, left: Self::FIRST, comparisons: 0, looked_at: 0 }
    }

    /// How many objects were looked at since this was last asked.
    pub(super) fn take_looked_at(&mut self) -> u64 {
        std::mem::take(&mut self.looked_at)
    }

    /// Whether the state was seen before in this run.
    pub(super) fn repeats(&mut self, machine: &Machine<'_>, state: &mut State) -> Result<bool, Exhausted> {
        let Some(frame) = state.top() else { return Ok(false) };
        let place = (state.frames().len(), frame.function, frame.location);
        if let Some((depth, function, location, hash)) = self.remembered
            && place == (depth, function, location)
            && self.comparisons < 64
        {
            self.comparisons += 1;
            self.looked_at += state.heap.n_objects() as u64;
            if canonicalize(machine, state)? == hash {
                return Ok(true);
            }
        }
        self.left -= 1;
        if self.left == 0 {
            self.window *= 2;
            self.left = self.window;
            self.comparisons = 0;
            self.looked_at += state.heap.n_objects() as u64;
            self.remembered = Some((place.0, place.1, place.2, canonicalize(machine, state)?));
        }
        Ok(false)
    }
}
