//! Liveness of variables, and what becomes of dead ones.
//!
//! A dead variable is unmapped (§6). That alone would call the cell it still holds lost, although a leak waits for
//! the statement or scope end that drops the last reference *in scope*. So loss is decided in two runs: the first
//! unmaps every dead variable, and what it loses is only a suspicion; if there is any, a second run
//! ([`Retention::Holders`]) keeps dead variables mapped for as long as they point to a cell, and its losses are the
//! leaks. Programs without a suspicion, the usual case, pay nothing. Where a cheaper run is worth a try first,
//! [`Retention::Passed`] keeps the variables alone that were last read to be copied: the root of a tree that a function
//! frees from the leaves up. If nothing is lost then, there is no leak.

use crate::atom::Var;
use crate::program::{CellProgram, Command, Ending, Point, VariableStorage};
use heapwise_ir::entity::{EntityRef, PrimaryMap};

/// What becomes of dead variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Retention {
    /// They are unmapped.
    Live,
    /// Those stay that were last read to be copied, as an argument that is passed.
    Passed,
    /// They stay while they point to a cell, unless they are temporaries.
    Holders,
}

/// Which variables are live at which location.
#[derive(Clone, Debug)]
pub struct Liveness {
    n_words: usize,
    words: Vec<u64>,
    /// Locations from which every way leads to the end of the program by `exit` or `abort`: all variables count as
    /// holders there, for nothing is lost by ending.
    ending: PrimaryMap<Point, bool>,
    /// For each call string, the temporaries of the callers that are read once the calls return.
    awaited: Vec<Vec<Var>>,
    /// The variables whose last read is a copy, on some way: one bit each.
    passed: Vec<u64>,
}

impl Liveness {
    /// Computes liveness, backwards to a fixpoint.
    pub fn new(program: &CellProgram) -> Liveness {
        let n_words = program.vars.len().div_ceil(64).max(1);
        let n_points = program.outgoing.len();
        let mut liveness = Liveness {
            n_words,
            words: vec![0; n_words * n_points],
            ending: ending_points(program),
            awaited: Vec::new(),
            passed: vec![0; n_words],
        };
        let mut globals = vec![0; n_words];
        for (var, variable) in program.vars.iter() {
            if variable.storage == VariableStorage::Global {
                globals[var.index() / 64] |= 1 << (var.index() % 64);
            }
        }
        for point in 0..n_points {
            liveness.words[point * n_words..][..n_words].copy_from_slice(&globals);
        }
        // Callers read what a procedure leaves behind.
        for procedure in program.procedures.values() {
            let row = &mut liveness.words[procedure.exit.index() * n_words..][..n_words];
            for var in procedure.left() {
                row[var.index() / 64] |= 1 << (var.index() % 64);
            }
        }
        let mut incoming: Vec<Vec<Point>> = vec![Vec::new(); n_points];
        for step in program.steps.values() {
            incoming[step.to.index()].push(step.from);
        }
        let mut worklist: Vec<Point> = program.outgoing.keys().collect();
        let mut queued = vec![true; n_points];
        let mut row = vec![0u64; n_words];
        while let Some(point) = worklist.pop() {
            queued[point.index()] = false;
            row.copy_from_slice(liveness.row(point));
            for step in &program.outgoing[point] {
                liveness.before_step(program, *step, &mut row);
            }
            if row != liveness.row(point) {
                liveness.words[point.index() * n_words..][..n_words].copy_from_slice(&row);
                for from in &incoming[point.index()] {
                    if !std::mem::replace(&mut queued[from.index()], true) {
                        worklist.push(*from);
                    }
                }
            }
        }
        liveness.awaited = liveness.awaited(program);
        for step in program.steps.values() {
            if let Command::Copy { source, .. } = step.command
                && !liveness.is_live(step.to, source)
            {
                liveness.passed[source.index() / 64] |= 1 << (source.index() % 64);
            }
        }
        liveness
    }

    fn awaited(&self, program: &CellProgram) -> Vec<Vec<Var>> {
        let mut awaited: Vec<Vec<Var>> = Vec::new();
        // A caller's frame comes before those of its callees.
        for frame in &program.frames {
            let mut vars = Vec::new();
            if let (Some((caller, _)), Some(point)) = (frame.caller, frame.returns) {
                vars.clone_from(&awaited[caller as usize]);
                let is_temporary = |var: &Var| {
                    program.vars[*var].storage == VariableStorage::Temporary && program.vars[*var].frame == Some(caller)
                };
                vars.extend(self.live(point).filter(is_temporary));
            }
            awaited.push(vars);
        }
        awaited
    }

    fn before_step(&self, program: &CellProgram, step: crate::program::StepId, row: &mut [u64]) {
        let step = &program.steps[step];
        let after = self.row(step.to);
        let killed = step.command.writes();
        for (word, bits) in row.iter_mut().enumerate() {
            let mut bits_after = after[word];
            if let Some(var) = killed
                && var.index() / 64 == word
                && program.vars[var].storage != VariableStorage::Global
            {
                bits_after &= !(1 << (var.index() % 64));
            }
            *bits |= bits_after;
        }
        for var in step.command.reads() {
            row[var.index() / 64] |= 1 << (var.index() % 64);
        }
    }

    fn row(&self, point: Point) -> &[u64] {
        &self.words[point.index() * self.n_words..][..self.n_words]
    }

    /// Whether a variable is live at a location.
    pub fn is_live(&self, point: Point, var: Var) -> bool {
        self.row(point)[var.index() / 64] >> (var.index() % 64) & 1 == 1
    }

    /// The variables that are live at a location: each is mapped in every heap there.
    pub fn live(&self, point: Point) -> impl Iterator<Item = Var> + '_ {
        let row = self.row(point);
        (0..self.n_words * 64).filter(move |index| row[index / 64] >> (index % 64) & 1 == 1).map(Var::new)
    }

    /// Whether a dead variable that points to a cell still holds it. A local holds it until its scope ends. A temporary
    /// holds nothing once it was read; but where a callee ends the program, temporaries of the callers, arguments that
    /// were still to be passed among them, were not read yet.
    pub fn is_held(&self, program: &CellProgram, point: Point, var: Var, retention: Retention) -> bool {
        let variable = &program.vars[var];
        let ending = self.is_ending(point);
        match variable.storage {
            VariableStorage::Local | VariableStorage::Global => {
                let is_kept = match retention {
                    Retention::Live => false,
                    Retention::Passed => self.passed[var.index() / 64] >> (var.index() % 64) & 1 == 1,
                    Retention::Holders => true,
                };
                ending || is_kept
            }
            VariableStorage::Temporary => {
                ending
                    && self.awaited.get(program.origins[point].frame as usize).is_some_and(|vars| vars.contains(&var))
            }
        }
    }

    /// Whether the program surely ends by `exit` or `abort` from here.
    pub fn is_ending(&self, point: Point) -> bool {
        self.ending[point]
    }
}

/// Locations from which all ways end the program without a return.
fn ending_points(program: &CellProgram) -> PrimaryMap<Point, bool> {
    let mut ending: PrimaryMap<Point, bool> = PrimaryMap::new();
    for _ in program.outgoing.keys() {
        ending.push(false);
    }
    // A least fixpoint: a location that can loop for ever is not in it.
    let mut changed = true;
    while changed {
        changed = false;
        for (point, steps) in program.outgoing.iter().rev() {
            let ends = !steps.is_empty()
                && steps.iter().all(|step| {
                    let step = &program.steps[*step];
                    matches!(
                        step.command,
                        Command::End(Ending::Exit | Ending::Abort) | Command::Fail { .. } | Command::FailWhen { .. }
                    ) || ending[step.to]
                });
            if ends && !ending[point] {
                ending[point] = true;
                changed = true;
            }
        }
    }
    ending
}
