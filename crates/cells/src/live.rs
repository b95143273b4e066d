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
use crate::program::{CellProgram, Command, Ending, Point, StepId, VariableStorage};
use heapwise_dataflow::{Analysis, Direction, Flow, SparseBits, iterate_to_fixpoint, order};
use heapwise_engine::{BudgetMeter, Exhausted};
use heapwise_ir::entity::EntityRef;
use smallvec::SmallVec;
use std::convert::Infallible;

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

/// Which variables are live at which location: some way from there reads them before they are written.
///
/// Most variables are local to a call string and live at few of its locations, so the sets are sparse: a bit for each pair of
/// a variable and a location would be gigabytes where calls are inlined often.
#[derive(Clone, Debug)]
pub struct LiveVariables {
    /// The variables that are live everywhere: those with static storage.
    globals: SparseBits<Var>,
    /// The others, for each location.
    rows: Vec<SparseBits<Var>>,
}

impl LiveVariables {
    /// Computes them within a budget.
    pub fn within(program: &CellProgram, meter: &BudgetMeter<'_>) -> Result<LiveVariables, Exhausted> {
        LiveVariables::unless(program, || meter.check())
    }

    fn unless<E>(program: &CellProgram, mut check: impl FnMut() -> Result<(), E>) -> Result<LiveVariables, E> {
        let is_global = |var: &Var| program.vars[*var].storage == VariableStorage::Global;
        let globals = program.vars.keys().filter(is_global).collect();
        let results = iterate_to_fixpoint(program, Live, |_| check())?;
        let rows = results.into_states().into_iter().map(Option::unwrap_or_default);
        Ok(LiveVariables { globals, rows: rows.collect() })
    }

    /// Whether a variable is live at a location.
    #[inline]
    pub fn is_live(&self, point: Point, var: Var) -> bool {
        self.rows[point.index()].contains(var) || self.globals.contains(var)
    }

    /// The variables that are live at a location: each is mapped in every heap there.
    pub fn at(&self, point: Point) -> impl Iterator<Item = Var> + '_ {
        self.globals.union(&self.rows[point.index()])
    }
}

/// Live variables, those with static storage apart: backward, may.
struct Live;

impl Analysis<CellProgram> for Live {
    type Domain = SparseBits<Var>;
    const DIRECTION: Direction = Direction::Backward;

    /// Callers read what a procedure leaves behind.
    fn boundary(&self, program: &CellProgram, point: Point) -> Option<SparseBits<Var>> {
        let returning = program.procedures.values().filter(|procedure| procedure.exit == point);
        Some(returning.flat_map(|procedure| procedure.left()).collect())
    }

    fn apply(&self, program: &CellProgram, step: StepId, live: &mut SparseBits<Var>) -> Flow {
        let command = &program.steps[step].command;
        if let Some(written) = command.writes() {
            live.remove(written);
        }
        for var in command.reads() {
            if program.vars[var].storage != VariableStorage::Global {
                live.insert(var);
            }
        }
        Flow::Continues
    }
}

/// Live variables, and which dead ones still hold what they point to.
#[derive(Clone, Debug)]
pub struct Liveness {
    live: LiveVariables,
    /// Locations from which every way leads to the end of the program by `exit` or `abort`: all variables count as
    /// holders there, for nothing is lost by ending.
    ending: Vec<bool>,
    /// For each call string, the temporaries of the callers that are read once the calls return.
    awaited: Vec<Vec<Var>>,
    /// The variables whose last read is a copy, on some way.
    passed: SparseBits<Var>,
}

impl Liveness {
    /// Computes liveness, however long it takes.
    pub fn new(program: &CellProgram) -> Liveness {
        let Ok(liveness) = Liveness::unless(program, || Ok::<(), Infallible>(()));
        liveness
    }

    /// The same within a budget.
    pub fn within(program: &CellProgram, meter: &BudgetMeter<'_>) -> Result<Liveness, Exhausted> {
        Liveness::unless(program, || meter.check())
    }

    fn unless<E>(program: &CellProgram, mut check: impl FnMut() -> Result<(), E>) -> Result<Liveness, E> {
        let live = LiveVariables::unless(program, &mut check)?;
        let awaited = awaited(program, &live, &mut check)?;
        let mut passed = SparseBits::default();
        for step in program.steps.values() {
            if let Command::Copy { source, .. } = step.command
                && !live.is_live(step.to, source)
            {
                passed.insert(source);
            }
        }
        let going_on = iterate_to_fixpoint(program, GoingOn::of(program), |_| check())?;
        let ending = program.outgoing.keys().map(|point| !going_on.is_reached(point)).collect();
        Ok(Liveness { live, ending, awaited, passed })
    }

    /// The live variables alone.
    pub fn variables(&self) -> &LiveVariables {
        &self.live
    }

    /// Whether a variable is live at a location.
    #[inline]
    pub fn is_live(&self, point: Point, var: Var) -> bool {
        self.live.is_live(point, var)
    }

    /// The variables that are live at a location: each is mapped in every heap there.
    pub fn live(&self, point: Point) -> impl Iterator<Item = Var> + '_ {
        self.live.at(point)
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
        self.ending[point.index()]
    }
}

fn awaited<E>(
    program: &CellProgram,
    live: &LiveVariables,
    mut check: impl FnMut() -> Result<(), E>,
) -> Result<Vec<Vec<Var>>, E> {
    let mut awaited: Vec<Vec<Var>> = Vec::new();
    // A caller's frame comes before those of its callees.
    for frame in &program.frames {
        check()?;
        let mut vars = Vec::new();
        if let (Some((caller, _)), Some(point)) = (frame.caller, frame.returns) {
            vars.clone_from(&awaited[caller as usize]);
            let is_temporary = |var: &Var| {
                program.vars[*var].storage == VariableStorage::Temporary && program.vars[*var].frame == Some(caller)
            };
            vars.extend(live.at(point).filter(is_temporary));
        }
        awaited.push(vars);
    }
    Ok(awaited)
}

/// From where the program may go on: backward reachability, along steps that do not end it, of locations that no step leaves
/// and of cycles. (From a location that is not reached, all ways end the program: a location that can loop for ever
/// is on a cycle.)
struct GoingOn {
    /// Whether a location is on a cycle, or has no step.
    is_final: Vec<bool>,
}

impl GoingOn {
    fn of(program: &CellProgram) -> GoingOn {
        let goes_on = |step: &&StepId| !ends(&program.steps[**step].command);
        if program.outgoing.values().flatten().all(|step| goes_on(&step)) {
            return GoingOn { is_final: vec![true; program.outgoing.len()] };
        }
        let targets = |steps: &Vec<StepId>| -> SmallVec<[u32; 2]> {
            steps.iter().filter(goes_on).map(|step| program.steps[*step].to.as_u32()).collect()
        };
        let successors: Vec<SmallVec<[u32; 2]>> = program.outgoing.values().map(targets).collect();
        let mut is_final: Vec<bool> = program.outgoing.values().map(Vec::is_empty).collect();
        for component in order::components_of(&successors) {
            if component.len() > 1 || successors[component[0] as usize].contains(&component[0]) {
                component.iter().for_each(|point| is_final[*point as usize] = true);
            }
        }
        GoingOn { is_final }
    }
}

impl Analysis<CellProgram> for GoingOn {
    type Domain = ();
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self, _: &CellProgram, point: Point) -> Option<()> {
        self.is_final[point.index()].then_some(())
    }

    fn apply(&self, program: &CellProgram, step: StepId, (): &mut ()) -> Flow {
        if ends(&program.steps[step].command) { Flow::Ends } else { Flow::Continues }
    }
}

/// Whether nothing comes behind a command.
fn ends(command: &Command) -> bool {
    matches!(command, Command::End(Ending::Exit | Ending::Abort) | Command::Fail { .. } | Command::FailWhen { .. })
}
