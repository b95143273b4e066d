//! Somebody may want the analysis to stop before its end.

use std::cell::Cell;

/// Asks whether to stop. A yes stays a yes: the loops end, and what is known by then is thrown away.
pub(crate) struct Watch<'w> {
    ask: &'w dyn Fn() -> bool,
    is_over: Cell<bool>,
}

impl<'w> Watch<'w> {
    pub(crate) fn new(ask: &'w dyn Fn() -> bool) -> Watch<'w> {
        Watch { ask, is_over: Cell::new(false) }
    }

    /// Whether to stop: asked in every loop that a program can make long.
    pub(crate) fn is_over(&self) -> bool {
        if !self.is_over.get() {
            self.is_over.set((self.ask)());
        }
        self.is_over.get()
    }
}
