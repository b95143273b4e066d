//! The two pre-analyses that insert ghost instructions (paper, sections 7 and 8.1, with the design page's corrections).
//!
//! *Avail* (forward, must): which component surely knows a variable (its cell, or that it is null). *Live* (backward, may):
//! which component will look behind it. Where a component will look at a variable that it may not know and another
//! one does, `trans` is inserted; for what a function looks at through its formals, at the call. *Alloc* (forward, must): which
//! component knows that the variable is an allocated cell; where the last one learns that, `move` is inserted.
//!
//! They are guesses about what the components will know: wrong ones cost precision, never soundness.

use super::variable::{Scope, Source, Target, Variable};
use crate::groups::{GroupId, Groups};
use heapwise_dataflow::{Analysis, Direction, Flow, MaySet, MustSet, Results, iterate_to_fixpoint, unlimited};
use heapwise_fixpoint::{ContextId, StepOrigin};
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{
    Automaton, CompareOperator, Condition, EdgeId, Instruction, LocationId, Operand, Place, RegisterId, Type,
};
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

/// Backward: what components will look behind.
struct Live<'a, 'f, 'g> {
    pre: &'a Pre<'f, 'g>,
    context: ContextId,
    exit: MaySet<Fact>,
    reach: Reach,
}

/// How far liveness looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reach {
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

/// Forward: what components surely know.
struct Avail<'a, 'f, 'g> {
    pre: &'a Pre<'f, 'g>,
    context: ContextId,
    entry: MustSet<Fact>,
}

/// `target` is known where `source` is; where there is none, nowhere.
fn assign(state: &mut MustSet<Fact>, groups: &Groups, target: Variable, source: Option<Source>) {
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
fn null_test(condition: &Condition) -> Option<(Operand, CompareOperator)> {
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

/// Forward: which components know a variable as an allocated cell.
struct Alloc<'a, 'f, 'g> {
    pre: &'a Pre<'f, 'g>,
    context: ContextId,
    entry: MustSet<Fact>,
    avail: &'a FxHashMap<(ContextId, LocationId), MustSet<Fact>>,
    exits: &'a FxHashMap<ContextId, MustSet<Fact>>,
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
