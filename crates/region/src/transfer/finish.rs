//! What of a configuration matters behind a step.

use super::{State, Step};
use crate::equalities::Term;
use crate::expressions::Base;
use crate::facts::{About, Aim};
use crate::index::{Count, Referrer};
use crate::memory::{CellId, Extent};
use heapwise_ir::{LocationId, RegisterId, RegisterOrigin};

impl Step<'_> {
    /// Whether what a dead register refers to may be looked at again: it is a variable, or equal to what a live register leads to.
    /// (Where the tracked cell is held from matters for a call, to which the register itself does not.)
    pub(super) fn is_spoken_of(&self, to: LocationId, register: RegisterId) -> bool {
        let declared = &self.memory.program.functions[self.procedure.function].registers[register];
        declared.origin != RegisterOrigin::Temporary || self.equals_live(to, register)
    }

    /// Whether a register is equal to one that matters, or to what such a register or a global leads to.
    fn equals_live(&self, to: LocationId, register: RegisterId) -> bool {
        let is_live = |register: RegisterId| self.procedure.liveness.is_live(to, register);
        self.equalities_after.into_iter().flat_map(|known| known.equal_to(Term::Register(register))).any(|term| {
            match term {
                Term::Register(other) => is_live(other),
                Term::Expression(expression) => match self.procedure.expressions.all[expression].base {
                    Base::Register(base) => is_live(base),
                    Base::Global(_) => true,
                },
            }
        })
    }

    /// What is kept at the end of the step: registers and facts that matter there. At the exit only what callers see.
    pub fn finish(&self, state: &mut State, to: LocationId, exit: LocationId) {
        let function = &self.memory.program.functions[self.procedure.function];
        let procedure = self.procedure;
        let is_exit = to == exit;
        let liveness = &procedure.liveness;
        state.index.retain_registers(|register| {
            if is_exit {
                return procedure.result == Some(register);
            }
            function.registers[register].origin != RegisterOrigin::Temporary || liveness.is_live(to, register)
        });
        if state.index.has(Referrer::Outside) {
            // Others may count, too.
            state.index.forget_counted();
        }
        let index = &state.index;
        let is_one = |cell: CellId| index.get(Referrer::Cell(cell)) == Count::ONE;
        state.facts.retain_together(|cell, other| is_one(cell) && index.has(Referrer::Cell(other)));
        state.facts.retain(|about, aim| match about {
            About::Leaf
            | About::Visible
            | About::Inverse(_)
            | About::Apart(_)
            | About::Filled(_)
            | About::Given(_)
            | About::Together(_) => true,
            About::Counted(register) => !is_exit && liveness.is_live(to, register),
            About::Register(register) if is_exit => {
                procedure.result == Some(register) || procedure.constant_parameters.contains(register)
            }
            About::Register(register) => {
                liveness.is_live(to, register) || procedure.constant_parameters.contains(register)
            }
            About::Expression(id) => {
                let expression = procedure.expressions.all[id];
                // Line 20 as the prose has it: what counts alone decide is not kept.
                let is_needed = index.has(Referrer::Cell(expression.cell))
                    && self.memory.cells[expression.cell].extent != Extent::One;
                is_needed
                    && match expression.base {
                        Base::Global(_) => true,
                        Base::Register(register) if is_exit => {
                            procedure.result == Some(register) || procedure.constant_parameters.contains(register)
                        }
                        Base::Register(register) => {
                            liveness.is_live(to, register)
                                || procedure.constant_parameters.contains(register)
                                || match aim {
                                    Some(Aim::Hit) => self.is_spoken_of(to, register),
                                    Some(Aim::Miss) | None => self.equals_live(to, register),
                                }
                        }
                    }
            }
        });
    }
}
