//! *Live* (backward, may): which component will look behind a variable (Fig. 6).

use super::super::variable::{Source, Target, Variable};
use super::{Fact, Pre, facts, is_register};
use crate::groups::GroupId;
use heapwise_dataflow::{Analysis, Direction, Flow, MaySet};
use heapwise_fixpoint::ContextId;
use heapwise_ir::{Automaton, Condition, EdgeId, Instruction, LocationId, Operand, RegisterId};

/// Backward: what components will look behind.
pub(super) struct Live<'a, 'f, 'g> {
    pub(super) pre: &'a Pre<'f, 'g>,
    pub(super) context: ContextId,
    pub(super) exit: MaySet<Fact>,
    pub(super) reach: Reach,
}

/// How far liveness looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    /// What the function needs of its formals (section 7.3).
    Formals,
    /// All that is used from here to the end of the run: also to compare pointers.
    WholeRun,
}

impl Analysis<Automaton> for Live<'_, '_, '_> {
    type Domain = MaySet<Fact>;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self, automaton: &Automaton, node: LocationId) -> Option<MaySet<Fact>> {
        Some(if node == automaton.exit { self.exit.clone() } else { MaySet::default() })
    }

    fn apply(&self, automaton: &Automaton, edge: EdgeId, state: &mut MaySet<Fact>) -> Flow {
        let scope = self.pre.scope;
        // What is copied is as live as the copy.
        let copy = |state: &mut MaySet<Fact>, target: Variable, source: Option<Source>| {
            let groups: Vec<GroupId> =
                state.iter().filter(|(_, variable)| *variable == target).map(|(group, _)| *group).collect();
            state.retain(|(_, variable)| *variable != target);
            if let Some(Source::Variable(source)) = source {
                groups.into_iter().for_each(|group| state.insert((group, source)));
            }
        };
        match &automaton.edges[edge].instruction {
            Instruction::Assign { target, value } => {
                copy(state, Variable::Register(*target), scope.copied(value));
            }
            Instruction::Load { target, place } => {
                let source = match scope.target(self.context, place) {
                    Target::Variable(variable) => Some(Source::Variable(variable)),
                    Target::Behind(_) => None,
                };
                copy(state, Variable::Register(*target), source);
            }
            Instruction::Store { place, value } => {
                if let Target::Variable(variable) = scope.target(self.context, place) {
                    copy(state, variable, Some(scope.source(*value)));
                }
            }
            Instruction::Call { target, arguments, .. } if self.reach == Reach::WholeRun => {
                self.call(edge, *target, arguments, state);
            }
            Instruction::Assume(Condition::Compare { left, right, .. }) if self.reach == Reach::WholeRun => {
                // Of two variables; whether one is null says little.
                if let (source @ Source::Variable(_), other @ Source::Variable(_)) =
                    (scope.source(*left), scope.source(*right))
                {
                    facts(&self.pre.all(source)).for_each(|fact| state.insert(fact));
                    facts(&self.pre.all(other)).for_each(|fact| state.insert(fact));
                }
            }
            instruction => {
                if let Some(target) = instruction.target() {
                    copy(state, Variable::Register(target), None);
                }
            }
        }
        self.pre.need(self.context, edge).into_iter().for_each(|fact| state.insert(fact));
        Flow::Continues
    }
}

impl Live<'_, '_, '_> {
    fn call(&self, edge: EdgeId, target: Option<RegisterId>, arguments: &[Operand], state: &mut MaySet<Fact>) {
        let Some(callees) = self.pre.callees.get(&(self.context, edge)) else {
            state.retain(|(_, variable)| target.map(Variable::Register) != Some(*variable));
            return;
        };
        let mut before: MaySet<Fact> = state
            .iter()
            .filter(|(_, variable)| is_register(variable) && target.map(Variable::Register) != Some(*variable))
            .copied()
            .collect();
        for callee in callees {
            for (group, variable) in self.pre.uses_of_callee(*callee, state, target).iter() {
                if let Some(outer) = self.pre.in_caller(*callee, *variable, arguments) {
                    before.insert((*group, outer));
                }
            }
        }
        *state = before;
    }
}
