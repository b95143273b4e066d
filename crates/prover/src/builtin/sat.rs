//! The SAT solver, with constants, a clock, and level-0 knowledge.

use batsat::{Callbacks, Lit, Solver, SolverInterface, lbool};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How long a search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// A few hundred conflicts: enough where the answer is near.
    Brief,
    /// A few thousand.
    Fair,
    /// As long as there is time.
    Long,
}

const CONFLICTS_OF_A_BRIEF_SEARCH: u64 = 200;
const CONFLICTS_OF_A_FAIR_SEARCH: u64 = 3000;

/// So many decisions are made between two looks at the clock.
const DECISIONS_PER_LOOK: u32 = 64;

/// Stops the search at an instant, when cancelled, or when conflicts are used up.
struct Clock {
    end: Option<Instant>,
    cancel: Option<Arc<AtomicBool>>,
    /// Conflicts left for this search, and for the whole question.
    conflicts: u64,
    of_question: Rc<Cell<u64>>,
    decisions: Cell<u32>,
    /// The solver asks again before it gives up.
    is_over: Cell<bool>,
}

impl Callbacks for Clock {
    fn on_new_clause(&mut self, _clause: &[Lit], kind: batsat::clause::Kind) {
        // One clause is learnt from each conflict.
        if kind == batsat::clause::Kind::Learnt {
            self.conflicts = self.conflicts.saturating_sub(1);
            self.of_question.set(self.of_question.get().saturating_sub(1));
        }
    }

    fn stop(&self) -> bool {
        if self.conflicts == 0 || self.of_question.get() == 0 || self.is_over.get() {
            return true;
        }
        let decisions = self.decisions.get();
        self.decisions.set(decisions.wrapping_add(1));
        if decisions.is_multiple_of(DECISIONS_PER_LOOK) {
            let is_cancelled = self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed));
            self.is_over.set(is_cancelled || self.end.is_some_and(|end| Instant::now() >= end));
        }
        self.is_over.get()
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
    /// Whose searches may run into so many conflicts together.
    pub fn new(conflicts: Rc<Cell<u64>>) -> Sat {
        let clock = Clock {
            end: None,
            cancel: None,
            conflicts: u64::MAX,
            of_question: conflicts,
            decisions: Cell::new(0),
            is_over: Cell::new(false),
        };
        let mut solver = Solver::new(batsat::SolverOpts::default(), clock);
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
        clock.conflicts = match patience {
            Patience::Brief => CONFLICTS_OF_A_BRIEF_SEARCH,
            Patience::Fair => CONFLICTS_OF_A_FAIR_SEARCH,
            Patience::Long => u64::MAX,
        };
        clock.end = Some(end);
        clock.decisions.set(0);
        clock.is_over.set(false);
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
