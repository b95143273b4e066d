//! The two pre-analyses that insert ghost instructions (paper, sections 7 and 8.1, with the design page's corrections).
//!
//! *Avail* (forward, must): which component surely knows a variable (its cell, or that it is null). *Live* (backward, may):
//! which component will look behind it. Where a component will look at a variable that it may not know and another
//! one does, `trans` is inserted; for what a function looks at through its formals, at the call. *Alloc* (forward, must): which
//! component knows that the variable is an allocated cell; where the last one learns that, `move` is inserted.
//!
//! They are guesses about what the components will know: wrong ones cost precision, never soundness.

mod alloc;
mod avail;
mod live;

use super::variable::{Scope, Source, Target, Variable};
use crate::groups::{GroupId, Groups};
use alloc::Alloc;
use avail::Avail;
use heapwise_dataflow::{Analysis, Flow, MaySet, MustSet, Results, iterate_to_fixpoint, unlimited};
use heapwise_fixpoint::{ContextId, StepOrigin};
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{Automaton, Condition, EdgeId, Instruction, LocationId, Operand, Place, RegisterId, Type};
use live::{Live, Reach};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// A component and a variable that it knows or needs.
pub type Fact = (GroupId, Variable);

/// Tells another component where a variable points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Trans {
    /// Who knows.
    pub from: GroupId,
    /// Who is told.
    pub to: GroupId,
    /// What.
    pub variable: Variable,
}

/// Ghost instructions around the edges of contexts.
#[derive(Clone, Default, Debug)]
pub struct Insertions {
    /// Before an edge.
    pub trans: FxHashMap<(ContextId, EdgeId), Vec<Trans>>,
    /// After an edge: the cell of the register gets a region of its own.
    pub moves: FxHashMap<(ContextId, EdgeId), Vec<RegisterId>>,
    /// What each component will look behind, from each location on, and is sure to know there: the rest it may forget, since it
    /// is told again where it needs it.
    pub useful: FxHashMap<(ContextId, LocationId), MaySet<Fact>>,
    /// The variables in memory that the program names.
    pub memory: FxHashSet<Variable>,
}

/// What components know at the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// Globals hold constants: every component knows them.
    OfProgram,
    /// This, and nothing else.
    Given(Vec<Fact>),
}

/// Runs both pre-analyses.
pub fn insertions(scope: Scope<'_>, groups: &Groups, start: &Start) -> Insertions {
    let mut callees: FxHashMap<(ContextId, EdgeId), Vec<ContextId>> = FxHashMap::default();
    for origin in scope.flow.steps.values() {
        if let StepOrigin::Enter { caller, edge, callee } = origin {
            callees.entry((*caller, *edge)).or_default().push(*callee);
        }
    }
    let main = scope.flow.points[scope.flow.flow.entry(scope.flow.start)].context;
    let mut pre = Pre {
        scope,
        groups,
        callees,
        live: SecondaryMap::new(),
        exits: RefCell::default(),
        entries: RefCell::default(),
        insertions: Insertions::default(),
    };
    pre.solve_live(main);
    let entry = match start {
        Start::OfProgram => pre.globals(),
        Start::Given(facts) => facts.iter().copied().collect(),
    };
    let mut avail = FxHashMap::default();
    pre.place_trans(main, entry, &mut avail);
    pre.place_moves(main, MustSet::default(), &avail);
    pre.insertions.memory = pre.named_memory();
    pre.place_uses(main, MaySet::default());
    for (place, useful) in &mut pre.insertions.useful {
        useful.retain(|fact| avail.get(place).is_some_and(|avail| avail.contains(fact)));
    }
    pre.insertions
}

/// What holds at one end of a context, by what holds at the other.
type Summaries<T> = FxHashMap<(ContextId, Vec<Fact>), T>;

struct Pre<'f, 'g> {
    scope: Scope<'f>,
    groups: &'g Groups,
    callees: FxHashMap<(ContextId, EdgeId), Vec<ContextId>>,
    /// What is live at the entry of each context.
    live: SecondaryMap<ContextId, MaySet<Fact>>,
    /// What is available at the exit of a context, by what was at its entry.
    exits: RefCell<Summaries<MustSet<Fact>>>,
    /// What is live at the entry of a context, by what is at its exit.
    entries: RefCell<Summaries<MaySet<Fact>>>,
    insertions: Insertions,
}

fn is_register(variable: &Variable) -> bool {
    matches!(variable, Variable::Register(_))
}

/// What an instruction needs to know of a source.
fn facts(sources: &[(GroupId, Source)]) -> impl Iterator<Item = Fact> + '_ {
    sources.iter().filter_map(|(group, source)| match source {
        Source::Constant => None,
        Source::Variable(variable) => Some((*group, *variable)),
    })
}

impl<'f> Pre<'f, '_> {
    fn automaton(&self, context: ContextId) -> Option<&'f Automaton> {
        self.scope.function(context).automaton()
    }

    fn all(&self, source: Source) -> Vec<(GroupId, Source)> {
        self.groups.ids().map(|group| (group, source)).collect()
    }

    /// All bytes of globals that the program names with a constant offset.
    fn globals(&self) -> MustSet<Fact> {
        let mut entry = MustSet::default();
        for context in self.scope.flow.contexts.keys() {
            let Some(automaton) = self.automaton(context) else { continue };
            for edge in automaton.edges.values() {
                let (Instruction::Load { place, .. } | Instruction::Store { place, .. }) = &edge.instruction else {
                    continue;
                };
                if let Target::Variable(variable @ Variable::Memory(super::variable::Base::Global(_), _)) =
                    self.scope.target(context, place)
                {
                    self.followers(place).for_each(|group| entry.insert((group, variable)));
                }
            }
        }
        entry
    }

    /// The components that follow a place.
    fn followers(&self, place: &Place) -> impl Iterator<Item = GroupId> + use<> {
        let owner = self.groups.of_path(&place.path);
        self.groups.ids().filter(move |group| owner.is_none_or(|owner| owner == *group))
    }

    /// Where pointers are compared and no component knows both, the one that knows the first is told of the second. (Fig. 6 has
    /// no need for assume: a test that no component can decide is lost in all of them.)
    fn compared(&self, context: ContextId, edge: EdgeId, state: &MustSet<Fact>) -> Option<Fact> {
        let Instruction::Assume(Condition::Compare { left, right, ty, .. }) = self.scope.instruction(context, edge)?
        else {
            return None;
        };
        let (Source::Variable(left), Source::Variable(right), Type::Pointer(_)) =
            (self.scope.source(*left), self.scope.source(*right), self.scope.program.ty(*ty))
        else {
            return None;
        };
        let knows = |variable: Variable| self.groups.ids().filter(move |group| state.contains(&(*group, variable)));
        if knows(left).any(|group| state.contains(&(group, right))) {
            return None;
        }
        knows(right).next()?;
        Some((knows(left).next()?, right))
    }

    /// need(c) of Fig. 6.
    fn need(&self, context: ContextId, edge: EdgeId) -> Vec<Fact> {
        let Some(instruction) = self.scope.instruction(context, edge) else { return Vec::new() };
        match instruction {
            Instruction::Load { place, .. } => {
                match (self.scope.target(context, place), self.groups.of_path(&place.path)) {
                    (Target::Behind(base), Some(group)) => facts(&[(group, base)]).collect(),
                    // Bytes of no group: one component that knows the cell is enough.
                    (Target::Behind(_), None) | (Target::Variable(_), _) => Vec::new(),
                }
            }
            Instruction::Store { place, value } => {
                match (self.scope.target(context, place), self.groups.of_path(&place.path)) {
                    (Target::Behind(base), Some(group)) => {
                        facts(&[(group, base), (group, self.scope.source(*value))]).collect()
                    }
                    (Target::Behind(base), None) => facts(&self.all(base)).collect(),
                    (Target::Variable(_), Some(group)) => facts(&[(group, self.scope.source(*value))]).collect(),
                    (Target::Variable(_), None) => Vec::new(),
                }
            }
            Instruction::Copy { place, .. } => match self.scope.target(context, place) {
                Target::Behind(base) => facts(&self.all(base)).collect(),
                Target::Variable(_) => Vec::new(),
            },
            Instruction::Free { pointer } => facts(&self.all(self.scope.source(*pointer))).collect(),
            Instruction::Call { arguments, .. } => {
                let mut needed = Vec::new();
                for callee in self.callees.get(&(context, edge)).into_iter().flatten() {
                    // What it reads from memory it is told inside: only there is it known to be no null.
                    let formals = self.live[*callee].iter().filter(|(_, variable)| is_register(variable));
                    for (group, variable) in formals {
                        needed.extend(self.in_caller(*callee, *variable, arguments).map(|variable| (*group, variable)));
                    }
                }
                needed.sort_unstable();
                needed.dedup();
                needed
            }
            Instruction::Assign { .. }
            | Instruction::Alloc { .. }
            | Instruction::End { .. }
            | Instruction::Assume(_)
            | Instruction::Assert(_)
            | Instruction::Unsupported(_) => Vec::new(),
        }
    }

    /// A variable of a callee as its caller sees it at the call.
    fn in_caller(&self, callee: ContextId, variable: Variable, arguments: &[Operand]) -> Option<Variable> {
        match variable {
            Variable::Memory(..) => Some(variable),
            Variable::Register(register) => {
                let index = self.scope.function(callee).parameters.iter().position(|known| *known == register)?;
                match self.scope.source(*arguments.get(index)?) {
                    Source::Constant => None,
                    Source::Variable(variable) => Some(variable),
                }
            }
        }
    }

    fn solve_live(&mut self, context: ContextId) {
        let inner: Vec<ContextId> = self.callees_of(context);
        for callee in inner {
            self.solve_live(callee);
        }
        let Some(automaton) = self.automaton(context) else { return };
        let analysis = Live { pre: self, context, exit: MaySet::default(), reach: Reach::Formals };
        let Ok(results) = iterate_to_fixpoint(automaton, analysis, unlimited);
        self.live[context] = results.at(automaton.entry).cloned().unwrap_or_default();
    }

    fn named_memory(&self) -> FxHashSet<Variable> {
        let mut found = FxHashSet::default();
        for context in self.scope.flow.contexts.keys() {
            for edge in self.automaton(context).into_iter().flat_map(|automaton| automaton.edges.values()) {
                if let Instruction::Load { place, .. } | Instruction::Store { place, .. } = &edge.instruction
                    && let Target::Variable(variable) = self.scope.target(context, place)
                {
                    found.insert(variable);
                }
            }
        }
        found
    }

    fn solve_uses(&self, context: ContextId, exit: MaySet<Fact>) -> Option<Results<Automaton, Live<'_, 'f, '_>>> {
        let automaton = self.automaton(context)?;
        let analysis = Live { pre: self, context, exit, reach: Reach::WholeRun };
        let Ok(results) = iterate_to_fixpoint(automaton, analysis, unlimited);
        Some(results)
    }

    /// What is live at the entry of a callee if this is live behind the call.
    fn uses_of_callee(&self, callee: ContextId, after: &MaySet<Fact>, target: Option<RegisterId>) -> MaySet<Fact> {
        let exit = self.at_exit(callee, after, target);
        let key = (callee, exit.to_vec());
        if let Some(known) = self.entries.borrow().get(&key) {
            return known.clone();
        }
        let entry = self
            .solve_uses(callee, exit)
            .and_then(|results| results.at(self.automaton(callee)?.entry).cloned())
            .unwrap_or_default();
        self.entries.borrow_mut().insert(key, entry.clone());
        entry
    }

    fn at_exit(&self, callee: ContextId, after: &MaySet<Fact>, target: Option<RegisterId>) -> MaySet<Fact> {
        let result = self.scope.function(callee).result;
        let facts = after.iter().filter_map(|(group, variable)| match variable {
            Variable::Memory(..) => Some((*group, *variable)),
            Variable::Register(register) if Some(*register) == target => {
                result.map(|result| (*group, Variable::Register(result)))
            }
            Variable::Register(_) => None,
        });
        facts.collect()
    }

    /// Notes what is useful in a context and in all that it calls.
    fn place_uses(&mut self, context: ContextId, exit: MaySet<Fact>) {
        let Some(automaton) = self.automaton(context) else { return };
        let states: Vec<(LocationId, MaySet<Fact>)> = {
            let Some(results) = self.solve_uses(context, exit) else { return };
            automaton.outgoing.keys().filter_map(|location| Some((location, results.at(location)?.clone()))).collect()
        };
        self.insertions.useful.extend(states.iter().map(|(location, state)| ((context, *location), state.clone())));
        for (edge, found) in &automaton.edges {
            let Instruction::Call { target, .. } = &found.instruction else { continue };
            let Some((_, after)) = states.iter().find(|(location, _)| *location == found.to) else { continue };
            for callee in self.callees.get(&(context, edge)).cloned().into_iter().flatten() {
                let exit = self.at_exit(callee, after, *target);
                self.place_uses(callee, exit);
            }
        }
    }

    fn callees_of(&self, context: ContextId) -> Vec<ContextId> {
        let mut found: Vec<ContextId> = self
            .callees
            .iter()
            .filter(|((caller, _), _)| *caller == context)
            .flat_map(|(_, callees)| callees.iter().copied())
            .collect();
        found.sort_unstable();
        found
    }

    /// What is available at the entry of a callee.
    fn entry_of(&self, callee: ContextId, state: &MustSet<Fact>, arguments: &[Operand]) -> MustSet<Fact> {
        let mut entry: MustSet<Fact> =
            state.iter().filter(|(_, variable)| matches!(variable, Variable::Memory(..))).copied().collect();
        for (index, parameter) in self.scope.function(callee).parameters.iter().enumerate() {
            for group in self.groups.ids() {
                let is_known = match arguments.get(index).map(|argument| self.scope.source(*argument)) {
                    Some(Source::Constant) => true,
                    Some(Source::Variable(variable)) => state.contains(&(group, variable)),
                    None => false,
                };
                if is_known {
                    entry.insert((group, Variable::Register(*parameter)));
                }
            }
        }
        self.live[callee].iter().filter(|(_, variable)| is_register(variable)).for_each(|fact| entry.insert(*fact));
        entry
    }

    fn solve_avail(&self, context: ContextId, entry: MustSet<Fact>) -> Option<Results<Automaton, Avail<'_, 'f, '_>>> {
        let automaton = self.automaton(context)?;
        let Ok(results) = iterate_to_fixpoint(automaton, Avail { pre: self, context, entry }, unlimited);
        Some(results)
    }

    fn exit_of(&self, context: ContextId, entry: MustSet<Fact>) -> MustSet<Fact> {
        let key = (context, entry.to_vec());
        if let Some(known) = self.exits.borrow().get(&key) {
            return known.clone();
        }
        let exit = self
            .solve_avail(context, entry)
            .and_then(|results| results.at(self.automaton(context)?.exit).cloned())
            .unwrap_or_default();
        self.exits.borrow_mut().insert(key, exit.clone());
        exit
    }

    /// Inserts `trans` in a context and in all that it calls.
    fn place_trans(
        &mut self,
        context: ContextId,
        entry: MustSet<Fact>,
        states: &mut FxHashMap<(ContextId, LocationId), MustSet<Fact>>,
    ) {
        let Some(automaton) = self.automaton(context) else { return };
        let found: Vec<(LocationId, MustSet<Fact>)> = {
            let Some(results) = self.solve_avail(context, entry) else { return };
            automaton.outgoing.keys().filter_map(|location| Some((location, results.at(location)?.clone()))).collect()
        };
        for (location, state) in found {
            for edge in &automaton.outgoing[location] {
                let mut inserted = Vec::new();
                let compared = self.compared(context, *edge, &state);
                for (to, variable) in self.need(context, *edge).into_iter().chain(compared) {
                    if state.contains(&(to, variable)) {
                        continue;
                    }
                    if let Some(from) = self.groups.ids().find(|from| state.contains(&(*from, variable))) {
                        inserted.push(Trans { from, to, variable });
                    }
                }
                if !inserted.is_empty() {
                    self.insertions.trans.insert((context, *edge), inserted);
                }
                if let Instruction::Call { arguments, .. } = &automaton.edges[*edge].instruction {
                    for callee in self.callees.get(&(context, *edge)).cloned().into_iter().flatten() {
                        let inner = self.entry_of(callee, &state, arguments);
                        self.place_trans(callee, inner, states);
                    }
                }
            }
            states.insert((context, location), state);
        }
    }

    /// Inserts `move` in a context and in all that it calls; what all know at its exit.
    fn place_moves(
        &mut self,
        context: ContextId,
        entry: MustSet<Fact>,
        avail: &FxHashMap<(ContextId, LocationId), MustSet<Fact>>,
    ) -> MustSet<Fact> {
        let Some(automaton) = self.automaton(context) else { return MustSet::default() };
        // Callees first: what they know at their exits does not depend on the caller.
        let mut exits: FxHashMap<ContextId, MustSet<Fact>> = FxHashMap::default();
        for callee in self.callees_of(context) {
            let exit = self.place_moves(callee, MustSet::default(), avail);
            exits.insert(callee, exit);
        }
        let states: Vec<Option<MustSet<Fact>>> = {
            let analysis = Alloc { pre: self, context, entry, avail, exits: &exits };
            let Ok(results) = iterate_to_fixpoint(automaton, analysis, unlimited);
            results.into_states()
        };
        let state_at = |location: LocationId| states[heapwise_ir::entity::EntityRef::index(location)].as_ref();
        let mut inserted: Vec<(EdgeId, Vec<RegisterId>)> = Vec::new();
        for (edge, found) in &automaton.edges {
            let Some(before) = state_at(found.from) else { continue };
            // A new cell has a region already, and a copy is no other cell.
            if matches!(found.instruction, Instruction::Alloc { .. } | Instruction::Assign { .. }) {
                continue;
            }
            let analysis = Alloc { pre: self, context, entry: MustSet::default(), avail, exits: &exits };
            let mut after = before.clone();
            if analysis.apply(automaton, edge, &mut after) == Flow::Ends {
                continue;
            }
            let is_all = |state: &MustSet<Fact>, register: RegisterId| {
                self.groups.ids().all(|group| state.contains(&(group, Variable::Register(register))))
            };
            let moved: Vec<RegisterId> = self
                .scope
                .function(context)
                .registers
                .keys()
                .filter(|register| is_all(&after, *register) && !is_all(before, *register))
                .filter(|register| !self.is_moved_by_callee(context, edge, *register, &exits))
                .collect();
            if !moved.is_empty() {
                inserted.push((edge, moved));
            }
        }
        for (edge, moved) in inserted {
            self.insertions.moves.insert((context, edge), moved);
        }
        state_at(automaton.exit).cloned().unwrap_or_default()
    }

    /// Whether what is called knows the cell in all components, and so has moved it.
    fn is_moved_by_callee(
        &self,
        context: ContextId,
        edge: EdgeId,
        register: RegisterId,
        exits: &FxHashMap<ContextId, MustSet<Fact>>,
    ) -> bool {
        let Some(Instruction::Call { arguments, target, .. }) = self.scope.instruction(context, edge) else {
            return false;
        };
        self.callees.get(&(context, edge)).into_iter().flatten().any(|callee| {
            let function = self.scope.function(*callee);
            let formals = function.parameters.iter().zip(arguments);
            let mut names: Vec<RegisterId> = formals
                .filter(|(_, argument)| argument.register() == Some(register))
                .map(|(formal, _)| *formal)
                .collect();
            if *target == Some(register) {
                names.extend(function.result);
            }
            names.iter().any(|name| {
                let knows = |group: GroupId| {
                    exits.get(callee).is_some_and(|exit| exit.contains(&(group, Variable::Register(*name))))
                };
                self.groups.ids().all(knows)
            })
        })
    }
}
