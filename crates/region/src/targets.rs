//! Whom calls through pointers reach, by the type of the pointer, too.
//!
//! Regions do not tell the function pointers of one object apart where its fields are not told apart: each operation of a table
//! would be called with the arguments of all others. A function that takes its arguments in another way than the pointer
//! hands them over is left out, and that is a gap: C does not say what such a call does (C11 6.5.2.2p9), and there are
//! programs that make one. Once there is that gap, those that take another number of arguments are left out, too.

use heapwise_ir::{
    Automaton, Body, Callee, EdgeId, Function, FunctionId, IndirectTargets, Instruction, MayCall, Operand, Program,
    RegisterId, Type,
};
use heapwise_pointsto::{Others, PointsTo, Site};
use rustc_hash::FxHashMap;

/// The targets of calls through pointers.
pub struct SuitableTargets<'p> {
    pointsto: &'p PointsTo,
    /// Calls of which some targets were left out, and the others.
    narrowed: FxHashMap<Site, Narrowed>,
}

struct Narrowed {
    suitable: Vec<FunctionId>,
    left_out: FunctionId,
}

impl<'p> SuitableTargets<'p> {
    /// Looks at all calls through pointers.
    pub fn of(program: &Program, pointsto: &'p PointsTo) -> SuitableTargets<'p> {
        let mut narrowed = FxHashMap::default();
        for (site, targets) in &pointsto.indirect_calls {
            let caller = &program.functions[site.function];
            let Some((pointer, target)) = caller.automaton().and_then(|body| called(body, site.edge)) else { continue };
            if targets.others != Others::None {
                continue;
            }
            let is_callable = |callee: &&FunctionId| program.is_callable_through(caller, pointer, target, **callee);
            // While all can be called nothing is left out, and there is no gap.
            let Some(left_out) = targets.functions.iter().find(|callee| !is_callable(callee)) else { continue };
            let callable: Vec<FunctionId> = targets.functions.iter().filter(is_callable).copied().collect();
            let mut suitable = callable.clone();
            suitable.retain(|callee| takes_as_many(program, caller, pointer, *callee));
            let suitable = if suitable.is_empty() { callable } else { suitable };
            if !suitable.is_empty() {
                narrowed.insert(*site, Narrowed { suitable, left_out: *left_out });
            }
        }
        SuitableTargets { pointsto, narrowed }
    }

    /// A function that a call may reach and that was left out.
    pub fn left_out(&self, function: FunctionId, edge: EdgeId) -> Option<FunctionId> {
        self.narrowed.get(&Site { function, edge }).map(|narrowed| narrowed.left_out)
    }
}

impl IndirectTargets for SuitableTargets<'_> {
    fn targets(&self, caller: FunctionId, edge: EdgeId) -> MayCall<'_> {
        match self.narrowed.get(&Site { function: caller, edge }) {
            Some(narrowed) => MayCall::These(&narrowed.suitable),
            None => IndirectTargets::targets(self.pointsto, caller, edge),
        }
    }
}

/// The pointer that a call goes through, and what receives the result.
fn called(automaton: &Automaton, edge: EdgeId) -> Option<(Operand, Option<RegisterId>)> {
    match &automaton.edges[edge].instruction {
        Instruction::Call { callee: Callee::Indirect(pointer), target, .. } => Some((*pointer, *target)),
        _ => None,
    }
}

/// Whether a function takes as many arguments as the pointer hands over. A pointer to a function without parameters may be one to a
/// function of which nothing is said.
fn takes_as_many(program: &Program, caller: &Function, pointer: Operand, callee: FunctionId) -> bool {
    let declared = &program.functions[callee];
    let Some(register) = pointer.register() else { return true };
    let Type::Pointer(pointee) = program.ty(caller.registers[register].ty) else { return true };
    let Type::Function(signature) = program.ty(*pointee) else { return true };
    let is_told = !signature.parameters.is_empty() && matches!(declared.body, Body::Defined(_));
    !is_told || signature.variadic || signature.parameters.len() == declared.parameters.len()
}
