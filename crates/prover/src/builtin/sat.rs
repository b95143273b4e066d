//! The SAT solver, with constants, a clock, and level-0 knowledge.

use batsat::{Callbacks, Lit, Solver, SolverInterface, lbool};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How long a search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// A thousand decisions or two: enough where the answer is near.
    Brief,
    /// Some ten thousand.
    Fair,
    /// As long as there is time.
    Long,
}

const DECISIONS_OF_A_BRIEF_SEARCH: u32 = 1500;
const DECISIONS_OF_A_FAIR_SEARCH: u32 = 20_000;

/// Stops the search at an instant, when cancelled, or when patience ends.
#[derive(Default)]
struct Clock {
    end: Option<Instant>,
    cancel: Option<Arc<AtomicBool>>,
    /// Decisions left, if they are counted.
    decisions: Option<Cell<u32>>,
}

impl Callbacks for Clock {
    fn stop(&self) -> bool {
        if let Some(decisions) = &self.decisions {
            if decisions.get() == 0 {
                return true;
            }
            decisions.set(decisions.get() - 1);
        }
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
            || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// What a search ended with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Satisfiable,
    Unsatisfiable,
    Stopped,
}

/// An incremental SAT solver.
pub struct Sat {
    solver: Solver<Clock>,
    buffer: Vec<Lit>,
    /// Always true.
    pub yes: Lit,
}

impl Sat {
    pub fn new() -> Sat {
        let mut solver = Solver::new(batsat::SolverOpts::default(), Clock::default());
        let yes = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![yes]);
        Sat { solver, buffer: Vec::new(), yes }
    }

    /// A new literal; the search tries it false first, so what nothing asks for stays false.
    pub fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    pub fn add(&mut self, clause: &[Lit]) {
        self.buffer.clear();
        self.buffer.extend_from_slice(clause);
        let _still_satisfiable = self.solver.add_clause_reuse(&mut self.buffer);
    }

    /// The value that a literal has in every model, if known already.
    pub fn fixed(&self, literal: Lit) -> Option<bool> {
        let value = self.solver.value_lvl_0(literal);
        if value == lbool::TRUE {
            Some(true)
        } else if value == lbool::FALSE {
            Some(false)
        } else {
            None
        }
    }

    pub fn solve(
        &mut self,
        assumptions: &[Lit],
        patience: Patience,
        end: Instant,
        cancel: Option<&Arc<AtomicBool>>,
    ) -> Outcome {
        let clock = self.solver.cb_mut();
        clock.decisions = match patience {
            Patience::Brief => Some(Cell::new(DECISIONS_OF_A_BRIEF_SEARCH)),
            Patience::Fair => Some(Cell::new(DECISIONS_OF_A_FAIR_SEARCH)),
            Patience::Long => None,
        };
        clock.end = Some(end);
        clock.cancel = cancel.cloned();
        let result = self.solver.solve_limited(assumptions);
        if result == lbool::TRUE {
            Outcome::Satisfiable
        } else if result == lbool::FALSE {
            Outcome::Unsatisfiable
        } else {
            Outcome::Stopped
        }
    }

    /// The value of a literal in the model that was found.
    pub fn value(&self, literal: Lit) -> bool {
        self.solver.value_lit(literal) == lbool::TRUE
    }

    /// Whether the contradiction that was found needs this assumption.
    pub fn blames(&self, assumption: Lit) -> bool {
        self.solver.unsat_core_contains_var(assumption.var())
    }
}
