//! Property 1 and Theorems 1–3 of Hackett and Rugina, on random programs.
//!
//! `HEAPWISE_LAW_CASES=5000 cargo test --release --workspace --lib -- laws` is a long run.

use crate::engine::RegionEngine;
use crate::expressions::{Base, Expression};
use crate::facts::{About, Aim, Facts};
use crate::index::{Count, Index, Referrer};
use crate::memory::Extent;
use crate::procedure::Operation;
use crate::sites::Analysed;
use crate::transfer::State;
use heapwise_engine::{Control, Kind, Options};
use heapwise_fixpoint::{PointId, ProgramFlow};
use heapwise_interp::heap::{Life, ObjectKind};
use heapwise_interp::state::Frame;
use heapwise_interp::value::{ObjectId, Value};
use heapwise_interp::{Loaded, Machine, MachineOptions, RandomChooser, State as Concrete, run};
use heapwise_ir::{FunctionId, Instruction, LocationId, Operand, Program, RegisterId, RegisterOrigin};
use heapwise_testkit::random::{Knobs, Lowered, Recursion, generate};
use rustc_hash::FxHashMap;

fn n_cases() -> u64 {
    std::env::var("HEAPWISE_LAW_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(120)
}

/// Programs of one function, and programs with calls and recursion.
fn programs() -> impl Iterator<Item = (String, Lowered)> {
    let knobs = [
        Knobs::singly_linked_lists(),
        Knobs::lists_with_globals_and_data(),
        Knobs { recursion: Recursion::Allowed, functions: 1..=2, ..Knobs::lists_with_calls() },
        Knobs::everything(),
    ];
    let seeds = (0..n_cases()).flat_map(move |seed| knobs.clone().into_iter().enumerate().map(move |it| (seed, it)));
    seeds.map(|(seed, (index, knobs))| (format!("knobs {index}, seed {seed}"), generate(&knobs, seed).lower()))
}

/// Does something with the analysis of a program.
fn with_analysis(program: &Program, check: impl FnOnce(&Analysed<'_>, &ProgramFlow)) {
    let main = program.function_named("main").expect("every program has a main");
    let properties = vec![Kind::UseAfterFree, Kind::DoubleFree, Kind::InvalidFree, Kind::Leak];
    let options = Options { properties, ..Options::new(main) };
    let control = Control::unlimited();
    let done = RegionEngine::default().with_analysis(program, &options, &control, check);
    assert!(done.is_ok(), "a small program can be numbered");
}

fn has_calls(program: &Program) -> bool {
    program.functions.values().filter(|function| function.automaton().is_some()).count() > 1
}

fn states_at(analysed: &Analysed<'_>, point: PointId) -> Vec<State> {
    let solver = &analysed.solver;
    solver.facts_at(point).map(|fact| solver.analysis.state(*solver.element_of(fact))).collect()
}

/// Whether the first says all that the second says, and perhaps more.
fn implies(stronger: &Facts, weaker: &Facts) -> bool {
    stronger.join(weaker) == *weaker
}

/// The value in memory that an expression names in a concrete state.
fn evaluate(frame: &Frame, state: &Concrete, expression: &Expression) -> Option<Loaded> {
    let Base::Register(base) = expression.base else { return None };
    let Value::Pointer(pointer) = frame.register(base) else { return None };
    let object = state.heap().object(pointer.object);
    let at = u64::try_from(pointer.offset + expression.offset).ok()?;
    (object.life == Life::Alive && at + 8 <= object.size).then(|| object.contents().load(at, 8))
}

fn aims_at(value: Option<&Loaded>, object: ObjectId) -> bool {
    matches!(value, Some(Loaded::Value(Value::Pointer(pointer))) if pointer.object == object)
}

/// Calls `at` for each location of some random runs.
fn observe_runs(program: &Program, mut at: impl FnMut(&Concrete, &Frame)) {
    let main = program.function_named("main").expect("every program has a main");
    let machine = Machine::new(program, MachineOptions::new(main));
    for seed in 0..6 {
        let mut observe = |_: &Machine<'_>, state: &Concrete| {
            if let Some(frame) = state.top().filter(|_| !state.is_doubtful()) {
                at(state, frame);
            }
        };
        run(&machine, &mut RandomChooser::new(seed), Some(&mut observe), 400);
    }
}

/// Property 1: an assignment to a region leaves alone what expressions stand for that do not go through it.
#[test]
fn expressions_that_do_not_read_what_is_written_are_stable() {
    let mut compared = 0u64;
    for (name, random) in programs() {
        let program = &random.program;
        with_analysis(program, |analysed, _| {
            let world = analysed.solver.analysis.world;
            let mut before: Option<(u64, LocationId, Concrete)> = None;
            observe_runs(program, |state, frame| {
                if let (Some((serial, location, earlier)), Some(edge)) = (&before, frame.last_edge)
                    && *serial == frame.serial
                    && let Some(old) = earlier.top()
                    && let Some(automaton) = program.functions[frame.function].automaton()
                    && automaton.edges[edge].from == *location
                    && automaton.edges[edge].to == frame.location
                    && let Some(procedure) = &world.procedures[frame.function]
                {
                    let operation = &procedure.operations[edge];
                    for expression in procedure.expressions.all.values() {
                        let is_written = match operation {
                            Operation::Store { place, .. } => place.target.cells.contains(&expression.cell),
                            Operation::Copy { target, .. } | Operation::Load { target, .. } => {
                                expression.base == Base::Register(*target)
                            }
                            _ => true,
                        };
                        if !is_written {
                            // An object that is lost with this step is not there any more.
                            let (one, two) = (evaluate(old, earlier, expression), evaluate(frame, state, expression));
                            if let (Some(one), Some(two)) = (one, two) {
                                assert_eq!(format!("{one:?}"), format!("{two:?}"), "{name}\n{}", random.c_text());
                                compared += 1;
                            }
                        }
                    }
                }
                before = Some((frame.serial, frame.location, state.clone()));
            });
        });
    }
    assert!(compared > 500, "{compared}");
}

/// Theorem 1: what the worklist found is a solution of the dataflow equations, and each part of it comes from somewhere.
#[test]
fn the_worklist_finds_a_fixpoint() {
    for (name, random) in programs().filter(|(_, random)| !has_calls(&random.program)) {
        with_analysis(&random.program, |analysed, flow| {
            let tracker = &analysed.solver.analysis;
            let seeded: Vec<PointId> = analysed
                .sites
                .iter()
                .flat_map(|site| &site.seeds)
                .map(|seed| analysed.solver.point_of(*seed))
                .collect();
            let mut incoming: FxHashMap<PointId, Vec<State>> = FxHashMap::default();
            for step in flow.steps.keys() {
                let Some((function, edge)) = tracker.edge(step) else { continue };
                let ends = flow.flow.step(step);
                for state in states_at(analysed, ends.from) {
                    if let Some(after) = tracker.after(function, edge, state) {
                        incoming.entry(ends.to).or_default().extend(after);
                    }
                }
            }
            for point in flow.points.keys() {
                let there = states_at(analysed, point);
                let arriving = incoming.remove(&point).unwrap_or_default();
                for state in &arriving {
                    let is_covered =
                        there.iter().any(|known| known.index == state.index && implies(&state.facts, &known.facts));
                    assert!(is_covered, "{name}: {state:?} is not at {point}\n{}", random.c_text());
                }
                if seeded.contains(&point) {
                    continue;
                }
                for known in &there {
                    let same = arriving.iter().filter(|state| state.index == known.index);
                    let same = same.filter(|state| implies(&state.facts, &known.facts));
                    let joined = same.map(|state| state.facts.clone()).reduce(|one, two| one.join(&two));
                    assert_eq!(joined.as_ref(), Some(&known.facts), "{name}, {point}\n{}", random.c_text());
                }
            }
        });
    }
}

/// Theorem 2: who knows less finds as much: each step is monotone in the facts.
#[test]
fn steps_are_monotone_in_the_facts() {
    let mut compared = 0u64;
    for (name, random) in programs() {
        with_analysis(&random.program, |analysed, flow| {
            let tracker = &analysed.solver.analysis;
            for step in flow.steps.keys() {
                let Some((function, edge)) = tracker.edge(step) else { continue };
                for state in states_at(analysed, flow.flow.step(step).from) {
                    for dropped in 0..4 {
                        let mut weaker = state.clone();
                        let mut at = 0;
                        weaker.facts.retain(|about, _| {
                            at += 1;
                            // Links are told apart by what a first run showed of them, not by this theorem.
                            !matches!(about, About::Expression(_) | About::Register(_)) || at % 4 != dropped
                        });
                        let Some(strong) = tracker.after(function, edge, state.clone()) else { continue };
                        let Some(weak) = tracker.after(function, edge, weaker) else { continue };
                        for one in &strong {
                            // What who knows less learns by telling two cases apart, who knows more knew.
                            let knows = |two: &State| {
                                let mut facts = one.facts.clone();
                                for (expression, aim) in two.facts.aims() {
                                    if facts.aim(expression).is_none()
                                        && tracker.decided(function, edge, &state, expression) == Some(aim)
                                    {
                                        facts.set_aim(expression, aim);
                                    }
                                }
                                implies(&facts, &two.facts)
                            };
                            let is_found = weak.iter().any(|two| two.index == one.index && knows(two));
                            assert!(is_found, "{name}: {one:?} of {strong:?} is not in {weak:?}\n{}", random.c_text());
                            compared += 1;
                        }
                    }
                }
            }
        });
    }
    assert!(compared > 500, "{compared}");
}

/// How many references to an object each cell of memory has, where all code is one function.
fn references(
    analysed: &Analysed<'_>,
    function: FunctionId,
    state: &Concrete,
    object: ObjectId,
) -> Option<FxHashMap<Referrer, u32>> {
    let world = analysed.solver.analysis.world;
    let memory = &world.memory;
    let mut found: FxHashMap<Referrer, u32> = FxHashMap::default();
    for (_, holder) in state.heap().objects().filter(|(_, holder)| holder.life == Life::Alive) {
        let holds = |at: u64| aims_at(Some(&holder.contents().load(at, 8)), object);
        for at in (0..holder.size / 8).map(|word| word * 8).filter(|at| holds(*at)) {
            let operand = match (holder.kind, holder.site) {
                (ObjectKind::Global(global), _) => Operand::Global(global),
                (ObjectKind::Heap | ObjectKind::Auto, Some(site)) => {
                    let automaton = memory.program.functions[site.function].automaton()?;
                    let Instruction::Alloc { target, .. } = &automaton.edges[site.edge].instruction else {
                        return None;
                    };
                    Operand::Register(*target)
                }
                _ => return None,
            };
            let value = memory.operand(function, operand);
            let cell = memory.at(value.region?, value.offsets.exact()? + i64::try_from(at).ok()?)?;
            if memory.cells[cell].extent == Extent::Folded {
                return None;
            }
            *found.entry(Referrer::Cell(cell)).or_default() += 1;
        }
    }
    Some(found)
}

/// Whether a configuration describes an object: registers, references from memory (if they are known), freed or not, hits and misses.
fn describes(
    known: &State,
    analysed: &Analysed<'_>,
    (frame, state): (&Frame, &Concrete),
    object: ObjectId,
    from_memory: Option<&FxHashMap<Referrer, u32>>,
) -> bool {
    let world = analysed.solver.analysis.world;
    let Some(procedure) = &world.procedures[frame.function] else { return false };
    let hits = |register: RegisterId| matches!(frame.register(register), Value::Pointer(at) if at.object == object);
    let registers = &world.memory.program.functions[frame.function].registers;
    let is_kept = |register: RegisterId| is_kept(analysed, frame, register);
    let agrees = registers
        .keys()
        .filter(|register| is_kept(*register))
        .all(|register| known.index.has(Referrer::Register(register)) == hits(register));
    let is_freed = state.heap().object(object).life != Life::Alive;
    let counts_agree = from_memory.is_none_or(|found| {
        let k = u32::from(world.k);
        let expected = |count: u32| if count > k { Count::MANY } else { Count::exactly(count as u8) };
        let counted =
            |index: &Index| index.iter().filter(|(referrer, _)| matches!(referrer, Referrer::Cell(_))).count();
        found.iter().all(|(referrer, count)| known.index.get(*referrer) == expected(*count))
            && counted(&known.index) == found.len()
    });
    let facts_agree = known.facts.aims().all(|(id, aim)| {
        let expression = procedure.expressions.all[id];
        match (expression.base, evaluate(frame, state, &expression)) {
            // Of registers that are not looked at any more nothing is asked.
            (Base::Register(base), value @ Some(_)) if is_kept(base) => {
                aims_at(value.as_ref(), object) == (aim == Aim::Hit)
            }
            _ => true,
        }
    });
    agrees && counts_agree && facts_agree && known.index.has(Referrer::Freed) == is_freed
}

fn is_kept(analysed: &Analysed<'_>, frame: &Frame, register: RegisterId) -> bool {
    let world = analysed.solver.analysis.world;
    let function = &world.memory.program.functions[frame.function];
    let Some(procedure) = &world.procedures[frame.function] else { return false };
    let is_exit = function.automaton().is_some_and(|automaton| automaton.exit == frame.location);
    if is_exit {
        return procedure.result == Some(register);
    }
    function.registers[register].origin != RegisterOrigin::Temporary
        || procedure.liveness.is_live(frame.location, register)
}

/// Theorem 3: at every location that a run comes to, some configuration describes each heap cell that can be touched there.
#[test]
fn every_cell_of_a_run_is_described() {
    let mut compared = 0u64;
    for (name, random) in programs() {
        let program = &random.program;
        let is_one_function = !has_calls(program);
        with_analysis(program, |analysed, flow| {
            let tracker = &analysed.solver.analysis;
            // What a lost cell refers to is still counted, and not seen in the run any more.
            let may_lose = tracker.suspicions.keys().any(|(kind, _)| *kind == Kind::Leak);
            if !tracker.gaps.is_empty() || analysed.exhausted.is_some() || may_lose {
                return;
            }
            let mut points: FxHashMap<(FunctionId, LocationId), PointId> = FxHashMap::default();
            for (point, origin) in &flow.points {
                points.insert((flow.contexts[origin.context].function, origin.location), point);
            }
            observe_runs(program, |state, frame| {
                let Some(point) = points.get(&(frame.function, frame.location)) else { return };
                let known = states_at(analysed, *point);
                for (object, found) in state.heap().objects().filter(|(_, found)| found.kind == ObjectKind::Heap) {
                    let registers = &program.functions[frame.function].registers;
                    let hits = |register: &RegisterId| {
                        is_kept(analysed, frame, *register)
                            && matches!(frame.register(*register), Value::Pointer(at) if at.object == object)
                    };
                    let from_memory =
                        is_one_function.then(|| references(analysed, frame.function, state, object)).flatten();
                    let is_held = registers.keys().any(|register| hits(&register))
                        || from_memory.as_ref().is_some_and(|found| !found.is_empty());
                    if !is_held {
                        continue;
                    }
                    let is_described = known
                        .iter()
                        .any(|known| describes(known, analysed, (frame, state), object, from_memory.as_ref()));
                    assert!(
                        is_described,
                        "{name}: {:?} at {:?} of {} ({from_memory:?}): {known:?}\n{}",
                        found.site,
                        frame.location,
                        program.functions[frame.function].name,
                        random.c_text()
                    );
                    compared += 1;
                }
            });
        });
    }
    assert!(compared > 500, "{compared}");
}
