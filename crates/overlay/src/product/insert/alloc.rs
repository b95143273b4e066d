//! *Alloc* (forward, must): which component knows a variable as an allocated cell (Fig. 7).

use super::super::variable::{Source, Target, Variable};
use super::avail::{assign, null_test};
use super::{Fact, Pre, facts};
use heapwise_dataflow::{Analysis, Direction, Flow, MustSet};
use heapwise_fixpoint::ContextId;
use heapwise_ir::{Automaton, CompareOperator, EdgeId, Instruction, LocationId, Operand, RegisterId};
use rustc_hash::FxHashMap;

/// Forward: which components know a variable as an allocated cell.
pub(super) struct Alloc<'a, 'f, 'g> {
    pub(super) pre: &'a Pre<'f, 'g>,
    pub(super) context: ContextId,
    pub(super) entry: MustSet<Fact>,
    pub(super) avail: &'a FxHashMap<(ContextId, LocationId), MustSet<Fact>>,
    pub(super) exits: &'a FxHashMap<ContextId, MustSet<Fact>>,
}

impl Analysis<Automaton> for Alloc<'_, '_, '_> {
    type Domain = MustSet<Fact>;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, automaton: &Automaton, node: LocationId) -> Option<MustSet<Fact>> {
        (node == automaton.entry).then(|| self.entry.clone())
    }

    fn apply(&self, automaton: &Automaton, edge: EdgeId, state: &mut MustSet<Fact>) -> Flow {
        let (scope, groups) = (self.pre.scope, self.pre.groups);
        let found = &automaton.edges[edge];
        // Constants are null here, or addresses that are no heap cells.
        let variable = |source: Option<Source>| source.filter(|source| *source != Source::Constant);
        // nonnull(c) of Fig. 7: the cell that is looked behind.
        if let Instruction::Load { place, .. } | Instruction::Store { place, .. } = &found.instruction
            && let (Target::Behind(base), Some(group)) =
                (scope.target(self.context, place), groups.of_path(&place.path))
        {
            facts(&[(group, base)]).for_each(|fact| state.insert(fact));
        }
        match &found.instruction {
            Instruction::Assign { target, value } => {
                assign(state, groups, Variable::Register(*target), variable(scope.copied(value)));
            }
            Instruction::Load { target, place } => {
                let source = match scope.target(self.context, place) {
                    Target::Variable(source) => Some(Source::Variable(source)),
                    Target::Behind(_) => None,
                };
                assign(state, groups, Variable::Register(*target), source);
            }
            Instruction::Store { place, value } => {
                if let Target::Variable(target) = scope.target(self.context, place) {
                    assign(state, groups, target, variable(Some(scope.source(*value))));
                }
            }
            Instruction::Free { pointer } => {
                if let Source::Variable(pointer) = scope.source(*pointer) {
                    assign(state, groups, pointer, None);
                }
            }
            Instruction::Alloc { target, .. } => {
                assign(state, groups, Variable::Register(*target), Some(Source::Constant));
            }
            Instruction::Assume(condition) => {
                // Who knows the variable, null or not, knows the cell now (design page; Fig. 7 has no effect here).
                if let (Some((operand, CompareOperator::NotEqual)), Some(avail)) =
                    (null_test(condition), self.avail.get(&(self.context, found.from)))
                    && let Source::Variable(tested) = scope.source(operand)
                {
                    let known = groups.ids().filter(|group| avail.contains(&(*group, tested)));
                    known.for_each(|group| state.insert((group, tested)));
                }
            }
            Instruction::Call { target, arguments, .. } => self.call(edge, *target, arguments, state),
            Instruction::Copy { .. }
            | Instruction::End { .. }
            | Instruction::Assert(_)
            | Instruction::Unsupported(_) => {}
        }
        Flow::Continues
    }
}

impl Alloc<'_, '_, '_> {
    /// What the callee knows at its exit about its result, and about formals that it never assigns.
    fn call(&self, edge: EdgeId, target: Option<RegisterId>, arguments: &[Operand], state: &mut MustSet<Fact>) {
        let scope = self.pre.scope;
        if let Some(target) = target {
            state.retain(|(_, variable)| *variable != Variable::Register(target));
        }
        let Some(callees) = self.pre.callees.get(&(self.context, edge)) else { return };
        state.retain(|(_, variable)| matches!(variable, Variable::Register(_)));
        let mut learnt: Option<MustSet<Fact>> = None;
        for callee in callees {
            let Some(exit) = self.exits.get(callee) else { continue };
            let function = scope.function(*callee);
            let mut found: MustSet<Fact> =
                exit.iter().filter(|(_, variable)| matches!(variable, Variable::Memory(..))).copied().collect();
            for (group, variable) in exit.iter() {
                let Variable::Register(register) = variable else { continue };
                if let (Some(target), Some(result)) = (target, function.result)
                    && *register == result
                {
                    found.insert((*group, Variable::Register(target)));
                }
                if scope.is_never_assigned(*callee, *register)
                    && let Some(outer) = self.pre.in_caller(*callee, *variable, arguments)
                    && target.map(Variable::Register) != Some(outer)
                {
                    found.insert((*group, outer));
                }
            }
            match &mut learnt {
                None => learnt = Some(found),
                Some(learnt) => learnt.retain(|fact| found.contains(fact)),
            }
        }
        learnt.unwrap_or_default().iter().for_each(|fact| state.insert(*fact));
    }
}
