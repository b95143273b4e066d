//! Calls through function pointers: one way for each function that the pointer may name. Which those are is known from the
//! points-to analysis of the whole program; which one it is, the engine knows, that follows addresses of functions as values.

use super::call::Site;
use super::constants::Known;
use super::contract::Calls;
use super::kinds::FunctionPointers;
use super::{Address, Cursor, Translator};
use crate::atom::Atom;
use crate::program::{Command, Held, Purpose, Source};
use heapwise_engine::reason::CallGap;
use heapwise_engine::{BudgetMeter, Exhausted, Kind, Options};
use heapwise_ir::{Callee, EdgeId, FunctionId, Instruction, Operand, Program};
use heapwise_pointsto::{Mode, PointsTo, Targets, analyse_while};

/// A call with more targets is not followed: each is a copy of a function's body.
const MAX_TARGETS: usize = 32;

/// Whether functions are checked by themselves, with memory that others left: then nothing is known of what pointers lead to.
pub(super) fn is_modular(program: &Program, calls: Calls) -> bool {
    match calls {
        Calls::ByContract => !program.contracts.is_empty(),
        Calls::Inlined | Calls::Procedures => false,
    }
}

/// Whether calls through function pointers are followed: where there are some, and contracts, which say nothing of function
/// pointers, do not stand for calls.
pub(super) fn function_pointers(program: &Program, calls: Calls) -> FunctionPointers {
    let is_indirect = |instruction: &Instruction| match instruction {
        Instruction::Call { callee: Callee::Indirect(operand), .. } => operand.register().is_some(),
        _ => false,
    };
    let mut automata = program.functions.values().filter_map(|function| function.automaton());
    let is_asked = !is_modular(program, calls)
        && automata.any(|automaton| automaton.edges.values().any(|edge| is_indirect(&edge.instruction)));
    if is_asked { FunctionPointers::Followed } else { FunctionPointers::Data }
}

/// What pointers may lead to on runs from the entry point.
pub(super) fn points_to(program: &Program, options: &Options, meter: &BudgetMeter<'_>) -> Result<PointsTo, Exhausted> {
    let asked = heapwise_pointsto::Options::new(Mode::ContextInsensitive, options.entry);
    analyse_while(program, &asked, || meter.check())
}

impl<'p> Translator<'p> {
    pub(super) fn call_through_pointer(
        &mut self,
        site: &Site<'_, 'p>,
        cursor: &mut Cursor,
        edge: EdgeId,
        operand: Operand,
    ) {
        match site.environment.operand(operand) {
            Known::Function(callee) => return self.call_as_pointer_says(site, cursor, edge, (operand, callee)),
            Known::Int(0) => return self.close(cursor, Command::Fail { kind: Kind::NullDereference }),
            Known::Int(_) | Known::Address(..) | Known::Defined | Known::Uninit | Known::MaybeUninit => {}
        }
        let called = heapwise_pointsto::Site { function: site.instance.function, edge };
        // A list that is not complete is a good guess: what it does not name is a gap.
        let targets = self.points_to.as_ref().map(|known| known.targets(called));
        let source = self.source(site.instance, site.environment, operand);
        let (Some(Targets { functions, .. }), Source::Var(var)) = (targets, source) else {
            return self.close(cursor, Command::Gap { reason: CallGap::UnknownTarget.into() });
        };
        if functions.len() > MAX_TARGETS {
            let reason = CallGap::ManyTargets { functions: functions.len() }.into();
            return self.close(cursor, Command::Gap { reason });
        }
        self.then(cursor, Command::Use { var, purpose: Purpose::Operation });
        // Of some value nothing is known: to try all functions would find errors of those that it does not name.
        let mut unknown = self.when_held(cursor, var, Atom::Opaque);
        self.close(&mut unknown, Command::Gap { reason: CallGap::UnknownTarget.into() });
        let mut null = self.when_held(cursor, var, Atom::NULL);
        self.close(&mut null, Command::Fail { kind: Kind::NullDereference });
        for callee in functions.iter().copied() {
            let atom = self.place(Address::Function(callee));
            let mut there = self.when_held(cursor, var, atom);
            self.call_as_pointer_says(site, &mut there, edge, (operand, callee));
        }
        self.close(cursor, Command::Gap { reason: CallGap::PerhapsNoFunction.into() });
    }

    /// A call of a function that a pointer names, if the type of the pointer suits it.
    fn call_as_pointer_says(
        &mut self,
        site: &Site<'_, 'p>,
        cursor: &mut Cursor,
        edge: EdgeId,
        (pointer, callee): (Operand, FunctionId),
    ) {
        let program = self.program;
        let caller = &program.functions[site.instance.function];
        if program.is_callable_through(caller, pointer, site.target, callee) {
            self.call_function(site, cursor, edge, callee);
        } else {
            let function = program.functions[callee].name.clone();
            self.close(cursor, Command::Gap { reason: CallGap::OtherType { function }.into() });
        }
    }

    /// The way on which a variable holds a value; the cursor goes on where it holds another one.
    fn when_held(&mut self, cursor: &mut Cursor, var: crate::atom::Var, atom: Atom) -> Cursor {
        let mut there = Cursor { ..*cursor };
        self.then(&mut there, Command::Case { var, atom, held: Held::Yes });
        self.then(cursor, Command::Case { var, atom, held: Held::No });
        there
    }
}
