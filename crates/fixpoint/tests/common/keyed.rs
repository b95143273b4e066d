//! Random flows with calls whose entries are keyed, joins and recursion; and what naive iteration makes of them.

use super::common::roll;
use heapwise_fixpoint::{
    Analysis, At, Flow, FlowBuilder, Leaving, Origin, PointId, ProcedureId, Solver, StepId, Successors,
};
use heapwise_ir::entity::EntityRef;
use std::collections::BTreeMap;

/// A key and a set: sets of one key are united. What steps do, they do to each member: so everything is monotone.
pub type Element = (u8, u8);

const N_KEYS: u64 = 4;
const N_MEMBERS: u64 = 4;

/// The rules of one random analysis.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub seed: u64,
    pub n_procedures: usize,
}

fn members(set: u8) -> impl Iterator<Item = u64> {
    (0..N_MEMBERS).filter(move |member| set >> member & 1 == 1)
}

fn united(results: impl Iterator<Item = (u64, u64)>) -> Vec<Element> {
    let mut found: BTreeMap<u8, u8> = BTreeMap::new();
    for (key, member) in results {
        *found.entry((key % N_KEYS) as u8).or_default() |= 1 << (member % N_MEMBERS);
    }
    found.into_iter().collect()
}

/// What a step is.
pub enum StepKind {
    Moves,
    MakesFresh,
    Calls(ProcedureId),
}

impl Rules {
    pub fn kind(&self, step: StepId) -> StepKind {
        let kind = roll(self.seed, &[1, step.as_u32().into()]);
        match kind % 8 {
            0..=2 => StepKind::Calls(ProcedureId::new((kind >> 8) as usize % self.n_procedures)),
            3 => StepKind::MakesFresh,
            _ => StepKind::Moves,
        }
    }

    /// What an element becomes on a step: at its end, or at the entry that it calls.
    pub fn post(&self, step: StepId, (key, set): Element) -> Vec<Element> {
        united(members(set).filter_map(|member| {
            let roll = roll(self.seed, &[2, step.as_u32().into(), key.into(), member]);
            (!roll.is_multiple_of(8)).then_some((roll >> 8, roll >> 16))
        }))
    }

    pub fn leave(&self, step: StepId, caller: Option<Element>, (key, set): Element) -> Vec<Element> {
        let (caller_key, caller_set) = caller.unwrap_or((9, 1));
        let pairs = members(set).flat_map(|member| members(caller_set).map(move |own| (own, member)));
        united(pairs.filter_map(|(own, member)| {
            let what = [3, step.as_u32().into(), caller_key.into(), own, key.into(), member];
            let roll = roll(self.seed, &what);
            roll.is_multiple_of(3).then_some((roll >> 8, roll >> 16))
        }))
    }

    /// Some analyses tell entries apart by less than what they join by.
    pub fn entry_key(&self, key: u8) -> u8 {
        if self.seed.is_multiple_of(3) { key / 2 } else { key }
    }
}

impl Analysis for Rules {
    type Element = Element;
    type Key = u8;

    fn post(&mut self, at: &At<'_, Element>, out: &mut Successors<Element>) {
        for element in Rules::post(self, at.step(), *at.element()) {
            match self.kind(at.step()) {
                StepKind::Moves => out.push(element),
                StepKind::MakesFresh => out.push_fresh(element),
                StepKind::Calls(procedure) => out.enter_keyed(procedure, element),
            }
        }
    }

    fn leave(&mut self, leaving: &Leaving<'_, Element>, out: &mut Successors<Element>) {
        assert_eq!(leaving.caller().is_some(), matches!(leaving.origin(), Origin::Key(_)));
        let caller = leaving.caller().copied();
        Rules::leave(self, leaving.step(), caller, *leaving.exit()).into_iter().for_each(|element| out.push(element));
    }

    fn key(&self, _point: PointId, element: &Element) -> Option<u8> {
        Some(element.0)
    }

    fn entry_key(&self, _entry: PointId, element: &Element) -> Option<u8> {
        Some(Rules::entry_key(self, element.0))
    }

    fn join(&mut self, _point: PointId, old: &Element, new: &Element) -> Option<Element> {
        (old.1 | new.1 != old.1).then_some((old.0, old.1 | new.1))
    }
}

/// How a procedure was entered: the start, as something new, by a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Entry {
    Start,
    Fresh,
    Key(u8),
}

/// The set at a point, for an entry and a key.
pub type Sets = BTreeMap<(Entry, PointId, u8), u8>;

/// Something that holds at the beginning.
pub type Seed = (PointId, Entry, Element);

pub fn random_flow(seed: u64) -> Flow {
    let mut builder = FlowBuilder::new();
    for index in 0..1 + roll(seed, &[20]) % 3 {
        let procedure = builder.add_procedure();
        let mut points = vec![builder.entry(procedure), builder.exit(procedure)];
        points.extend((0..2).map(|_| builder.add_point(procedure)));
        for step in 0..2 + roll(seed, &[21, index]) % 5 {
            let ends = roll(seed, &[22, index, step]);
            builder.add_step(points[(ends % 4) as usize], points[(ends >> 8) as usize % 4]);
        }
        // Most procedures return at all.
        if !roll(seed, &[23, index]).is_multiple_of(4) {
            builder.add_step(points[0], points[1]);
        }
    }
    builder.finish()
}

pub fn random_seeds(flow: &Flow, seed: u64) -> Vec<Seed> {
    let main = ProcedureId::new(flow.n_procedures() - 1);
    let mut seeds = vec![(flow.entry(main), Entry::Start, (0, 0b1)), (flow.entry(main), Entry::Start, (1, 0b110))];
    for index in 0..roll(seed, &[30]) % 4 {
        let roll = roll(seed, &[31, index]);
        let point = PointId::new(roll as usize % flow.n_points());
        seeds.push((point, Entry::Fresh, ((roll >> 8) as u8 % N_KEYS as u8, 1 << ((roll >> 16) % N_MEMBERS))));
    }
    seeds
}

pub fn plant(solver: &mut Solver<'_, Rules>, (point, entry, element): Seed) -> heapwise_fixpoint::FactId {
    let origin = match entry {
        Entry::Start => Origin::Start,
        Entry::Fresh => Origin::Fresh,
        Entry::Key(_) => unreachable!("nothing starts inside of a call"),
    };
    solver.seed(point, origin, element)
}

/// Which calls what is fresh in a procedure returns to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(dead_code, reason = "not every test uses both")]
pub enum Calls {
    /// Those that something reaches.
    Reached,
    /// All.
    Announced,
}

/// The solver is told of all calls.
#[allow(dead_code, reason = "not every test does that")]
pub fn announce_calls(solver: &mut Solver<'_, Rules>) {
    for step in solver.flow().steps() {
        if let StepKind::Calls(callee) = solver.analysis.kind(step) {
            solver.add_call(step, callee);
        }
    }
}

/// Everything, again and again, until nothing changes.
pub fn naive(flow: &Flow, rules: &Rules, seeds: &[Seed], calls: Calls) -> Sets {
    let mut sets = Sets::new();
    for (point, entry, (key, set)) in seeds {
        *sets.entry((*entry, *point, *key)).or_default() |= set;
    }
    loop {
        let before = sets.clone();
        for step in flow.steps().filter(|_| calls == Calls::Announced) {
            let StepKind::Calls(callee) = rules.kind(step) else { continue };
            let (exit, to) = (flow.exit(callee), flow.step(step).to);
            for ((_, _, key), set) in before.range((Entry::Fresh, exit, 0)..=(Entry::Fresh, exit, u8::MAX)) {
                for (key, set) in rules.leave(step, None, (*key, *set)) {
                    *sets.entry((Entry::Fresh, to, key)).or_default() |= set;
                }
            }
        }
        for ((entry, point, key), set) in &before {
            for step in flow.outgoing(*point) {
                let (to, caller) = (flow.step(*step).to, (*key, *set));
                let mut add = |entry: Entry, point: PointId, (key, set): Element| {
                    *sets.entry((entry, point, key)).or_default() |= set;
                };
                for element in rules.post(*step, caller) {
                    match rules.kind(*step) {
                        StepKind::Moves => add(*entry, to, element),
                        StepKind::MakesFresh => add(Entry::Fresh, to, element),
                        StepKind::Calls(callee) => {
                            let by_key = Entry::Key(rules.entry_key(element.0));
                            add(by_key, flow.entry(callee), element);
                            let exits = |entered: Entry| {
                                let exit = flow.exit(callee);
                                let found = before.range((entered, exit, 0)..=(entered, exit, u8::MAX));
                                found.map(|((_, _, key), set)| (*key, *set))
                            };
                            for exit in exits(by_key) {
                                let left = rules.leave(*step, Some(caller), exit);
                                left.into_iter().for_each(|element| add(*entry, to, element));
                            }
                            for exit in exits(Entry::Fresh) {
                                let left = rules.leave(*step, None, exit);
                                left.into_iter().for_each(|element| add(Entry::Fresh, to, element));
                            }
                        }
                    }
                }
            }
        }
        if sets == before {
            return sets;
        }
    }
}

/// What a solver found; two elements with one key in one table are an error.
pub fn solved(solver: &Solver<'_, Rules>) -> Result<Sets, String> {
    let mut sets = Sets::new();
    for point in solver.flow().points() {
        for fact in solver.facts_at(point) {
            let (key, set) = *solver.element_of(fact);
            let place = (entry_of(solver, fact), point, key);
            if sets.insert(place, set).is_some() {
                return Err(format!("two elements at {place:?}"));
            }
        }
    }
    Ok(sets)
}

pub fn entry_of(solver: &Solver<'_, Rules>, fact: heapwise_fixpoint::FactId) -> Entry {
    match solver.origin(solver.entry_of(fact)) {
        Origin::Start => Entry::Start,
        Origin::Fresh => Entry::Fresh,
        Origin::Key(key) => Entry::Key(*solver.entry_key(key)),
        Origin::Element(_) | Origin::Named(_) => unreachable!("all entries are by key"),
    }
}

/// Runs the test on as many random flows as `HEAPWISE_FLOWS` says.
pub fn on_random_flows(by_default: u64, mut test: impl FnMut(u64, &Flow, Rules, &[Seed])) {
    let n_flows = std::env::var("HEAPWISE_FLOWS").ok().and_then(|number| number.parse().ok()).unwrap_or(by_default);
    for number in 0..n_flows {
        on_random_flow(number, &mut test);
    }
}

/// Runs the test on one of the random flows.
pub fn on_random_flow(number: u64, mut test: impl FnMut(u64, &Flow, Rules, &[Seed])) {
    let seed = roll(0x6b65_7973, &[number]);
    let flow = random_flow(seed);
    let rules = Rules { seed, n_procedures: flow.n_procedures() };
    let seeds = random_seeds(&flow, seed);
    test(number, &flow, rules, &seeds);
}
