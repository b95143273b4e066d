//! *Avail* (forward, must): which component surely knows a variable (Fig. 6).

use super::super::variable::{Source, Target, Variable};
use super::{Fact, Pre};
use crate::groups::{GroupId, Groups};
use heapwise_dataflow::{Analysis, Direction, Flow, MustSet};
use heapwise_fixpoint::ContextId;
use heapwise_ir::{Automaton, CompareOperator, Condition, EdgeId, Instruction, LocationId, Operand, RegisterId};

/// Forward: what components surely know.
pub(super) struct Avail<'a, 'f, 'g> {
    pub(super) pre: &'a Pre<'f, 'g>,
    pub(super) context: ContextId,
    pub(super) entry: MustSet<Fact>,
}

/// `target` is known where `source` is; where there is none, nowhere.
pub(super) fn assign(state: &mut MustSet<Fact>, groups: &Groups, target: Variable, source: Option<Source>) {
    let known: Vec<GroupId> = groups
        .ids()
        .filter(|group| match source {
            None => false,
            Some(Source::Constant) => true,
            Some(Source::Variable(variable)) => state.contains(&(*group, variable)),
        })
        .collect();
    state.retain(|(_, variable)| *variable != target);
    known.into_iter().for_each(|group| state.insert((group, target)));
}

/// The operand that a condition says is null, or not null.
pub(super) fn null_test(condition: &Condition) -> Option<(Operand, CompareOperator)> {
    match condition {
        Condition::Compare { operator, left, right, .. } => match (left, right) {
            (operand, Operand::Int(0)) | (Operand::Int(0), operand) => Some((*operand, *operator)),
            _ => None,
        },
        Condition::True | Condition::False | Condition::NotCompare { .. } | Condition::Shape(_) => None,
    }
}

impl Analysis<Automaton> for Avail<'_, '_, '_> {
    type Domain = MustSet<Fact>;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, automaton: &Automaton, node: LocationId) -> Option<MustSet<Fact>> {
        (node == automaton.entry).then(|| self.entry.clone())
    }

    fn apply(&self, automaton: &Automaton, edge: EdgeId, state: &mut MustSet<Fact>) -> Flow {
        let (scope, groups) = (self.pre.scope, self.pre.groups);
        if let Some(fact) = self.pre.compared(self.context, edge, state) {
            state.insert(fact);
        }
        self.pre.need(self.context, edge).into_iter().for_each(|fact| state.insert(fact));
        match &automaton.edges[edge].instruction {
            Instruction::Assign { target, value } => {
                assign(state, groups, Variable::Register(*target), scope.copied(value));
            }
            Instruction::Load { target, place } => {
                let target = Variable::Register(*target);
                match (scope.target(self.context, place), groups.of_path(&place.path)) {
                    (Target::Variable(variable), _) => assign(state, groups, target, Some(Source::Variable(variable))),
                    (Target::Behind(_), Some(group)) => {
                        assign(state, groups, target, None);
                        state.insert((group, target));
                    }
                    (Target::Behind(base), None) => assign(state, groups, target, Some(base)),
                }
            }
            Instruction::Store { place, value } => {
                if let Target::Variable(variable) = scope.target(self.context, place) {
                    assign(state, groups, variable, Some(scope.source(*value)));
                    let followers: Vec<GroupId> = self.pre.followers(place).collect();
                    state.retain(|(group, known)| *known != variable || followers.contains(group));
                }
            }
            Instruction::Free { pointer } => {
                if let Source::Variable(variable) = scope.source(*pointer) {
                    assign(state, groups, variable, None);
                }
            }
            Instruction::Alloc { target, .. } => {
                assign(state, groups, Variable::Register(*target), Some(Source::Constant));
            }
            Instruction::Assume(condition) => {
                if let Some((operand, CompareOperator::Equal)) = null_test(condition)
                    && let Source::Variable(variable) = scope.source(operand)
                {
                    assign(state, groups, variable, Some(Source::Constant));
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

impl Avail<'_, '_, '_> {
    fn call(&self, edge: EdgeId, target: Option<RegisterId>, arguments: &[Operand], state: &mut MustSet<Fact>) {
        let groups = self.pre.groups;
        let Some(callees) = self.pre.callees.get(&(self.context, edge)) else {
            if let Some(target) = target {
                assign(state, groups, Variable::Register(target), Some(Source::Constant));
            }
            return;
        };
        let mut joined: Option<MustSet<Fact>> = None;
        for callee in callees {
            let exit = self.pre.exit_of(*callee, self.pre.entry_of(*callee, state, arguments));
            let mut back: MustSet<Fact> =
                exit.iter().filter(|(_, variable)| matches!(variable, Variable::Memory(..))).copied().collect();
            let function = self.pre.scope.function(*callee);
            for (group, variable) in state.iter() {
                if matches!(variable, Variable::Register(register) if Some(*register) != target) {
                    back.insert((*group, *variable));
                }
            }
            if let (Some(target), Some(result)) = (target, function.result) {
                for group in groups.ids().filter(|group| exit.contains(&(*group, Variable::Register(result)))) {
                    back.insert((group, Variable::Register(target)));
                }
            }
            match &mut joined {
                None => joined = Some(back),
                Some(joined) => joined.retain(|fact| back.contains(fact)),
            }
        }
        *state = joined.unwrap_or_default();
    }
}
