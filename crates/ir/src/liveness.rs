//! Which registers matter at a location.
//!
//! [`Liveness::live`]: some way on from here reads the register before it is written. What is not live can be
//! forgotten without changing any run.
//!
//! [`Liveness::held`]: the register may hold a value that the programmer still sees: a C variable (or the address of a
//! local) that some way to here has written, or a live temporary. A heap cell whose last reference is in a register
//! that is held but dead is not lost yet: the leak is reported where the variable is overwritten or where the function
//! returns. Block scopes are not in this language, so a variable counts as held up to the end of its function.

use crate::bits::{RegisterRows, clear_bit, set_bit};
use crate::function::{Automaton, Function, RegisterOrigin};
use crate::ids::{LocationId, RegisterId};
use crate::order;

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
        let automaton = function.automaton()?;
        let order = order::reverse_post_order(automaton);
        let live = live(function, automaton, &order);
        let held = held(function, automaton, &order, &live);
        Some(Liveness { live, held })
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

fn live(function: &Function, automaton: &Automaton, order: &[LocationId]) -> RegisterRows {
    let mut rows = RegisterRows::new(automaton.n_locations(), function.registers.len());
    let mut row = vec![0; rows.row(automaton.exit).len()];
    if let Some(result) = function.result {
        set_bit(&mut row, result);
        rows.add(automaton.exit, &row);
    }
    loop {
        let mut changed = false;
        for location in order.iter().rev() {
            for edge in &automaton.outgoing[*location] {
                let edge = &automaton.edges[*edge];
                row.copy_from_slice(rows.row(edge.to));
                if let Some(target) = edge.instruction.target() {
                    clear_bit(&mut row, target);
                }
                edge.instruction.for_each_register_read(|register| set_bit(&mut row, register));
                changed |= rows.add(*location, &row);
            }
        }
        if !changed {
            return rows;
        }
    }
}

fn held(function: &Function, automaton: &Automaton, order: &[LocationId], live: &RegisterRows) -> RegisterRows {
    let mut rows = RegisterRows::new(automaton.n_locations(), function.registers.len());
    let mut row = vec![0; rows.row(automaton.entry).len()];
    for parameter in &function.parameters {
        set_bit(&mut row, *parameter);
    }
    rows.add(automaton.entry, &row);
    loop {
        let mut changed = false;
        for location in order {
            for edge in &automaton.outgoing[*location] {
                let edge = &automaton.edges[*edge];
                row.copy_from_slice(rows.row(*location));
                if let Some(target) = edge.instruction.target()
                    && function.registers[target].origin != RegisterOrigin::Temporary
                {
                    set_bit(&mut row, target);
                }
                changed |= rows.add(edge.to, &row);
            }
        }
        if !changed {
            break;
        }
    }
    for location in automaton.outgoing.keys() {
        rows.add(location, live.row(location));
    }
    rows
}
