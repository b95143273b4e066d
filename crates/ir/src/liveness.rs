//! Liveness: which registers matter at a location.
//!
//! [`Liveness::live`]: some way on from here reads the register before it is written. What is not live can be
//! forgotten without changing any run.
//!
//! [`Liveness::held`]: the register may hold a value that the programmer still sees: a C variable (or the address of a
//! local) that some way to here has written, or a live temporary. A heap cell whose last reference is in a register
//! that is held but dead is not lost yet: the leak is reported where the variable is overwritten or where the function
//! returns. Block scopes are not in this language, so a variable counts as held up to the end of its function.

use crate::bits::RegisterRows;
use crate::function::{Automaton, Function, RegisterOrigin};
use crate::ids::{EdgeId, LocationId, RegisterId};
use heapwise_dataflow::{Analysis, Direction, Flow, SparseBits, iterate_to_fixpoint};
use std::convert::Infallible;

/// The registers that matter, per location of one function.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// Read before written on some way from here.
    pub live: RegisterRows,
    /// Written on some way to here and visible to the programmer, or live.
    pub held: RegisterRows,
}

impl Liveness {
    /// Computes both sets; an extern function has none.
    pub fn of(function: &Function) -> Option<Liveness> {
        let Ok(liveness) = Liveness::unless(function, || Ok::<(), Infallible>(()));
        liveness
    }

    /// The same, unless `check` ends it: it is asked again and again.
    pub fn unless<E>(function: &Function, mut check: impl FnMut() -> Result<(), E>) -> Result<Option<Liveness>, E> {
        let Some(automaton) = function.automaton() else { return Ok(None) };
        let live = solve(function, automaton, LiveRegisters(function), &mut check)?;
        let mut held = solve(function, automaton, WrittenVariables(function), &mut check)?;
        for location in automaton.outgoing.keys() {
            held.extend(location, live.iter(location));
        }
        Ok(Some(Liveness { live, held }))
    }

    /// Whether the register is read before it is written on some way from `location`.
    pub fn is_live(&self, location: LocationId, register: RegisterId) -> bool {
        self.live.contains(location, register)
    }

    /// Whether the register is live, or a variable that some way to `location` has written.
    pub fn is_held(&self, location: LocationId, register: RegisterId) -> bool {
        self.held.contains(location, register)
    }
}

fn solve<'a, A, E>(
    function: &Function,
    automaton: &'a Automaton,
    analysis: A,
    check: &mut impl FnMut() -> Result<(), E>,
) -> Result<RegisterRows, E>
where
    A: Analysis<Automaton, Domain = SparseBits<RegisterId>> + 'a,
{
    let results = iterate_to_fixpoint(automaton, analysis, |_| check())?;
    let mut rows = RegisterRows::new(automaton.n_locations(), function.registers.len());
    for location in automaton.outgoing.keys() {
        rows.extend(location, results.at(location).into_iter().flat_map(SparseBits::iter));
    }
    Ok(rows)
}

/// Live variables: backward, may. The result is read at the exit.
struct LiveRegisters<'a>(&'a Function);

impl Analysis<Automaton> for LiveRegisters<'_> {
    type Domain = SparseBits<RegisterId>;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self, automaton: &Automaton, location: LocationId) -> Option<SparseBits<RegisterId>> {
        Some(self.0.result.into_iter().filter(|_| location == automaton.exit).collect())
    }

    fn apply(&self, automaton: &Automaton, edge: EdgeId, live: &mut SparseBits<RegisterId>) -> Flow {
        let instruction = &automaton.edges[edge].instruction;
        if let Some(target) = instruction.target() {
            live.remove(target);
        }
        instruction.for_each_register_read(|register| live.insert(register));
        Flow::Continues
    }
}

/// The variables of the C text that may have been written: forward, may.
struct WrittenVariables<'a>(&'a Function);

impl Analysis<Automaton> for WrittenVariables<'_> {
    type Domain = SparseBits<RegisterId>;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, automaton: &Automaton, location: LocationId) -> Option<SparseBits<RegisterId>> {
        (location == automaton.entry).then(|| self.0.parameters.iter().copied().collect())
    }

    fn apply(&self, automaton: &Automaton, edge: EdgeId, written: &mut SparseBits<RegisterId>) -> Flow {
        if let Some(target) = automaton.edges[edge].instruction.target()
            && self.0.registers[target].origin != RegisterOrigin::Temporary
        {
            written.insert(target);
        }
        Flow::Continues
    }
}
