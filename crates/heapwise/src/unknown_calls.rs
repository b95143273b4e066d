//! Functions without body and model: what is assumed of them where a user wants to see what lies behind.

use heapwise_engine::reason::CallGap;
use heapwise_engine::{Control, EarlyFindings, Engine, Gap, Options, Outcome};
use heapwise_ir::{Body, Callee, ExternEffects, FunctionId, Instruction, MemoryEffect, Operand, Program, Span};
use std::sync::Arc;

/// What a function without body and model does. The verdict is never *safe* behind a call of one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum UnknownCalls {
    /// Anything: it may keep, free and change what it reaches. Nothing is reported of that any more.
    #[default]
    Havoc,
    /// Nothing but to return some value. Findings behind its calls are possible at most.
    Pure,
}

/// A program in which such functions do nothing, and their calls.
pub(crate) struct Pure {
    /// The program.
    program: Program,
    calls: Vec<(Span, String)>,
}

impl Pure {
    /// Nothing if the program calls no such function.
    pub(crate) fn of(program: &Program) -> Option<Pure> {
        let is_unknown = |function: FunctionId| match &program.functions[function].body {
            Body::Extern(effects) => !effects.modelled,
            Body::Defined(_) => false,
        };
        let mut calls = Vec::new();
        for function in program.functions.values() {
            for edge in function.automaton().into_iter().flat_map(|automaton| automaton.edges.values()) {
                if let Instruction::Call { callee, .. } = &edge.instruction
                    && let Callee::Direct(called) | Callee::Indirect(Operand::Function(called)) = callee
                    && is_unknown(*called)
                {
                    calls.push((edge.span, program.functions[*called].name.clone()));
                }
            }
        }
        let taken = program.functions.iter().filter(|(id, function)| function.address_taken && is_unknown(*id));
        calls.extend(taken.map(|(_, function)| (function.span, function.name.clone())));
        if calls.is_empty() {
            return None;
        }
        let mut pure = program.clone();
        for function in pure.functions.values_mut() {
            if let Body::Extern(effects) = &mut function.body
                && !effects.modelled
            {
                *effects = ExternEffects { memory: MemoryEffect::Pure, modelled: true, ..ExternEffects::UNKNOWN };
            }
        }
        Some(Pure { program: pure, calls })
    }

    /// What an outcome about this program says of the real one: every call is a gap, and no run of it is a real one.
    fn translate(&self, outcome: &mut Outcome) {
        for (span, function) in &self.calls {
            let reason = CallGap::WithoutModel { function: function.clone() }.into();
            let gap = Gap { span: *span, reason };
            if !outcome.gaps.contains(&gap) {
                outcome.gaps.push(gap);
            }
        }
        outcome.doubt_findings();
        outcome.certificate = None;
    }
}

/// An engine that is asked about a program in which functions without body and model do nothing. What it confirms on its way is
/// nothing that the real program does.
pub(crate) struct Asked {
    /// The engine.
    pub(crate) engine: Box<dyn Engine>,
    /// The program.
    pub(crate) pure: Arc<Pure>,
}

impl Engine for Asked {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn check(&self, _program: &Program, options: &Options, control: &Control) -> Outcome {
        let control = control.clone().with_early_findings(EarlyFindings::to(options));
        let mut outcome = self.engine.check(&self.pure.program, options, &control);
        self.pure.translate(&mut outcome);
        outcome
    }
}
