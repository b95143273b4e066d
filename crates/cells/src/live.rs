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
use heapwise_engine::{Control, Lookout};
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
///
/// Most variables are local to a call string and live at few of its locations, so a location has the words that are not
/// zero alone: a bit for each pair of a variable and a location would be gigabytes where calls are inlined often.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// The variables that are live everywhere: those with static storage.
    globals: Row,
    /// The others, for each location.
    rows: Vec<Row>,
    /// Locations from which every way leads to the end of the program by `exit` or `abort`: all variables count as
    /// holders there, for nothing is lost by ending.
    ending: PrimaryMap<Point, bool>,
    /// For each call string, the temporaries of the callers that are read once the calls return.
    awaited: Vec<Vec<Var>>,
    /// The variables whose last read is a copy, on some way.
    passed: Row,
}

/// A set of variables: words with their numbers, sorted; none is zero.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Row(Vec<(u32, u64)>);

impl Row {
    fn contains(&self, var: Var) -> bool {
        let number = (var.index() / 64) as u32;
        let found = self.0.binary_search_by_key(&number, |(number, _)| *number);
        found.is_ok_and(|at| self.0[at].1 >> (var.index() % 64) & 1 == 1)
    }

    fn insert(&mut self, var: Var) {
        let (number, bit) = ((var.index() / 64) as u32, 1 << (var.index() % 64));
        match self.0.binary_search_by_key(&number, |(number, _)| *number) {
            Ok(at) => self.0[at].1 |= bit,
            Err(at) => self.0.insert(at, (number, bit)),
        }
    }

    /// Adds the variables of another set, except one.
    fn add(&mut self, other: &Row, except: Option<Var>) {
        let mut at = 0;
        for (number, bits) in &other.0 {
            let bits = match except {
                Some(var) if (var.index() / 64) as u32 == *number => bits & !(1 << (var.index() % 64)),
                _ => *bits,
            };
            if bits == 0 {
                continue;
            }
            while self.0.get(at).is_some_and(|(own, _)| own < number) {
                at += 1;
            }
            match self.0.get_mut(at) {
                Some((own, word)) if own == number => *word |= bits,
                _ => self.0.insert(at, (*number, bits)),
            }
        }
    }
}

/// The variables of two sets, in order.
fn union<'r>(left: &'r Row, right: &'r Row) -> impl Iterator<Item = Var> + 'r {
    let (mut left, mut right) = (left.0.iter().copied().peekable(), right.0.iter().copied().peekable());
    let words = std::iter::from_fn(move || match (left.peek(), right.peek()) {
        (Some((one, bits)), Some((other, more))) if one == other => {
            let word = (*one, bits | more);
            left.next();
            right.next();
            Some(word)
        }
        (Some((one, _)), Some((other, _))) if one > other => right.next(),
        (Some(_), _) => left.next(),
        (None, _) => right.next(),
    });
    words.flat_map(|(number, bits)| {
        (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| Var::new(number as usize * 64 + bit))
    })
}

impl Liveness {
    /// Computes liveness, backwards to a fixpoint.
    pub fn new(program: &CellProgram) -> Liveness {
        Liveness::within(program, &Lookout::new(&Control::unlimited()))
    }

    /// The same within a budget; not to be used if that is over.
    pub fn within(program: &CellProgram, lookout: &Lookout<'_>) -> Liveness {
        let n_points = program.outgoing.len();
        let mut liveness = Liveness {
            globals: Row::default(),
            rows: vec![Row::default(); n_points],
            ending: ending_points(program, lookout),
            awaited: Vec::new(),
            passed: Row::default(),
        };
        for (var, variable) in program.vars.iter() {
            if variable.storage == VariableStorage::Global {
                liveness.globals.insert(var);
            }
        }
        // Callers read what a procedure leaves behind.
        for procedure in program.procedures.values() {
            for var in procedure.left() {
                liveness.rows[procedure.exit.index()].insert(var);
            }
        }
        let mut incoming: Vec<Vec<Point>> = vec![Vec::new(); n_points];
        for step in program.steps.values() {
            incoming[step.to.index()].push(step.from);
        }
        let mut worklist: Vec<Point> = program.outgoing.keys().collect();
        let mut queued = vec![true; n_points];
        while let Some(point) = worklist.pop() {
            if lookout.is_over() {
                return liveness;
            }
            queued[point.index()] = false;
            let mut row = liveness.rows[point.index()].clone();
            for step in &program.outgoing[point] {
                liveness.before_step(program, *step, &mut row);
            }
            if row != liveness.rows[point.index()] {
                liveness.rows[point.index()] = row;
                for from in &incoming[point.index()] {
                    if !std::mem::replace(&mut queued[from.index()], true) {
                        worklist.push(*from);
                    }
                }
            }
        }
        liveness.awaited = liveness.awaited(program, lookout);
        for step in program.steps.values() {
            if let Command::Copy { source, .. } = step.command
                && !liveness.is_live(step.to, source)
            {
                liveness.passed.insert(source);
            }
        }
        liveness
    }

    fn awaited(&self, program: &CellProgram, lookout: &Lookout<'_>) -> Vec<Vec<Var>> {
        let mut awaited: Vec<Vec<Var>> = Vec::new();
        // A caller's frame comes before those of its callees.
        for frame in &program.frames {
            if lookout.is_over() {
                return awaited;
            }
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

    fn before_step(&self, program: &CellProgram, step: crate::program::StepId, row: &mut Row) {
        let step = &program.steps[step];
        row.add(&self.rows[step.to.index()], step.command.writes());
        for var in step.command.reads() {
            if program.vars[var].storage != VariableStorage::Global {
                row.insert(var);
            }
        }
    }

    /// Whether a variable is live at a location.
    pub fn is_live(&self, point: Point, var: Var) -> bool {
        self.rows[point.index()].contains(var) || self.globals.contains(var)
    }

    /// The variables that are live at a location: each is mapped in every heap there.
    pub fn live(&self, point: Point) -> impl Iterator<Item = Var> + '_ {
        union(&self.globals, &self.rows[point.index()])
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
                    Retention::Passed => self.passed.contains(var),
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
fn ending_points(program: &CellProgram, lookout: &Lookout<'_>) -> PrimaryMap<Point, bool> {
    let mut ending: PrimaryMap<Point, bool> = PrimaryMap::new();
    for _ in program.outgoing.keys() {
        ending.push(false);
    }
    // A least fixpoint: a location that can loop for ever is not in it.
    let mut changed = true;
    while changed {
        changed = false;
        for (point, steps) in program.outgoing.iter().rev() {
            if lookout.is_over() {
                return ending;
            }
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
