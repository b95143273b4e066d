//! Calls by contract against concrete runs: the heaps after a call by contract represent every heap that `interp` has after
//! running the body, and no error of a run is missed.
//!
//! Functions of random programs get contracts that no run of theirs breaks: claims are drawn from a list, and those that
//! `interp` finds broken are taken back. What is left is strong or weak, as it happens.
//!
//! `HEAPWISE_ORACLE_PROGRAMS=200 cargo test --release -p heapwise-tvl --test contracts` is the long run.

mod represent;

use heapwise_engine::{Budget, Cancel, Control, Kind, Options, Outcome};
use heapwise_ir::claim::{Claim, Clause};
use heapwise_ir::{Contract, FunctionId, LocationId, Program, Type, TypeId};
use heapwise_testkit::oracle::{Agreement, Analysed, ConcreteState, Disagreement, Effort, Represents, Subject, check};
use heapwise_testkit::random::{Data, Fields, Knobs, RandomProgram, Recursion, Weights, generate, shrink};
use heapwise_tvl::check::TvlEngine;
use represent::Model;

/// Programs that need more are not compared: the engine says so itself.
const LIMIT: u64 = 300;

/// The engine, by contracts.
struct ByContract;

/// What it found of the callers.
struct Callers {
    model: Model,
    /// Whether some body does what no contract can allow, so that callers rely on what is not so.
    is_void: bool,
}

impl Subject for ByContract {
    type Model = Callers;

    fn analyse(&self, program: &Program, options: &Options) -> Analysed<Callers> {
        let engine = TvlEngine::default();
        let budget = Budget { elements: Some(LIMIT), ..Budget::default() };
        let control = || Control::start(budget, Cancel::default());
        let checked = engine.analyse(program, options, &control());
        let outcome = heapwise_engine::Engine::check(&engine, program, options, &control());
        let is_void = outcome.findings.iter().any(|finding| finding.message.contains("nothing it ensures speaks of"));
        Analysed { outcome, model: Callers { model: Model { checked, program: program.clone() }, is_void } }
    }
}

impl Represents for Callers {
    fn represents(&self, _: FunctionId, location: LocationId, state: &ConcreteState<'_>) -> bool {
        let contracts = &self.model.program.contracts;
        let in_body = state.frames().any(|frame| contracts.iter().any(|contract| contract.function == frame.function));
        self.is_void || in_body || self.model.stands_for(location, state).expect("calls are inlined")
    }
}

/// Nothing is known, everything is represented: the errors of runs come back as missed.
struct Runs;

struct Anything;

impl Subject for Runs {
    type Model = Anything;

    fn analyse(&self, _: &Program, _: &Options) -> Analysed<Anything> {
        Analysed { outcome: Outcome::default(), model: Anything }
    }
}

impl Represents for Anything {
    fn represents(&self, _: FunctionId, _: LocationId, _: &ConcreteState<'_>) -> bool {
        true
    }
}

/// Numbers that look random, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (value ^ (value >> 31)) % limit
    }
}

/// The pointers that claims about a function may name, with their records.
fn pointers(program: &Program, function: FunctionId) -> Vec<(String, TypeId)> {
    let definition = &program.functions[function];
    let parameters = definition.parameters.iter().map(|parameter| &definition.registers[*parameter]);
    let mut pointers: Vec<(String, TypeId)> = parameters.map(|register| (register.name.clone(), register.ty)).collect();
    pointers.extend(program.globals.values().map(|global| (global.name.clone(), global.ty)));
    pointers
}

/// The names of the fields of what a pointer points to.
fn fields(program: &Program, pointer: TypeId) -> Vec<String> {
    let Some(Type::Record(record)) = program.pointee(pointer).map(|pointee| program.ty(pointee)) else {
        return Vec::new();
    };
    program.records[*record].fields.iter().flatten().map(|field| field.name.clone()).collect()
}

/// All claims of the list that make sense for a function.
fn candidates(program: &Program, function: FunctionId) -> (Vec<String>, Vec<String>) {
    let (mut requires, mut ensures) = (Vec::new(), Vec::new());
    let pointers = pointers(program, function);
    for (p, ty) in &pointers {
        requires.extend([p.clone(), format!("{p} == NULL"), format!("acyclic({p})"), format!("tree({p})")]);
        ensures.extend([
            format!("freed({p})"),
            format!("!freed({p})"),
            format!("{p} ==> freed({p})"),
            format!("acyclic({p})"),
            format!("old(acyclic({p})) ==> acyclic({p})"),
            format!("acyclic(result) && (old({p}) ==> result)"),
            format!("result == {p}"),
            format!("result != {p}"),
            format!("fresh({p})"),
            format!("old({p}) == {p}"),
            format!("old({p}) ==> {p}"),
            format!("disjoint(result, {p})"),
            format!("reach({p}, result)"),
            format!("reach(result, {p})"),
            format!("old(tree({p})) ==> tree(result)"),
            format!("old(tree({p})) ==> tree({p})"),
            format!("forall v: old(reach({p}, v)) ==> freed(v)"),
            format!("forall v: freed(v) ==> old(reach({p}, v))"),
            format!("forall v: freed(v) <==> v == {p}"),
            format!("forall v: old(reach({p}, v)) <==> reach({p}, v)"),
            format!("forall v: old(reach({p}, v)) ==> reach({p}, v)"),
            format!("forall v: reach({p}, v) ==> old(reach({p}, v))"),
            format!("forall v: reach(result, v) ==> old(!reach({p}, v))"),
            format!("forall v: reach({p}, v) || old(!reach({p}, v)) || freed(v)"),
            format!("forall v: reach(result, v) <==> old(reach({p}, v))"),
            format!("forall v: reach(result, v) ==> old(reach({p}, v)) || fresh(v)"),
            format!("forall v: reach({p}, v) ==> old(reach({p}, v)) || fresh(v)"),
            format!("forall v: reach(result, v) <==> old(reach({p}, v)) || v == result"),
            format!("forall v: reach(result, v) <==> old(reach({p}, v)) && v != {p}"),
            format!("forall v: reach(result, v) || freed(v) <==> old(reach({p}, v)) || fresh(v)"),
            format!("exists v: old(reach({p}, v)) && reach(result, v)"),
        ]);
        for f in fields(program, *ty) {
            requires.extend([format!("{p} ==> {p}->{f}"), format!("{p} ==> {p}->{f} == NULL")]);
            ensures.extend([
                format!("result == old({p}->{f})"),
                format!("old({p}) ==> result == old({p}->{f})"),
                format!("{p}->{f} == NULL"),
                format!("{p}->{f} == result"),
                format!("{p}->{f} == old({p}->{f})"),
                format!("fresh({p}->{f})"),
                format!("result ==> result->{f} == {p}"),
                format!("result ==> result->{f} == NULL"),
                format!("forall v: old(reach({p}, v)) ==> v->{f} == old(v->{f})"),
                format!("forall v: v->{f} == old(v->{f}) || fresh(v) || v == {p} || freed(v)"),
                format!("forall v, w: v->{f} == w ==> old(v->{f} == w) || fresh(v)"),
                format!("forall v, w: old(v->{f} == w) ==> v->{f} == w || v == {p}"),
            ]);
        }
        for (q, _) in pointers.iter().filter(|(q, _)| q > p) {
            requires.extend([format!("disjoint({p}, {q})"), format!("{p} != {q}"), format!("{p} == {q}")]);
            ensures.extend([
                format!("disjoint({p}, {q})"),
                format!("old(disjoint({p}, {q})) ==> disjoint({p}, {q})"),
                format!("forall v: reach(result, v) ==> old(reach({p}, v) || reach({q}, v)) || fresh(v)"),
                format!("forall v: reach(result, v) <==> old(reach({p}, v) || reach({q}, v))"),
            ]);
        }
    }
    ensures.extend(
        [
            "result",
            "result == NULL",
            "result ==> fresh(result)",
            "acyclic(result)",
            "tree(result)",
            "forall v: !freed(v)",
            "forall v: !fresh(v)",
            "forall v: fresh(v) ==> v == result",
            "forall v: fresh(v) ==> reach(result, v)",
            "forall v: reach(result, v) ==> fresh(v)",
        ]
        .map(str::to_owned),
    );
    let readable = |clause: Clause, texts: &mut Vec<String>| {
        texts.retain(|text| Claim::parse(program, function, clause, text).is_ok());
    };
    readable(Clause::Requires, &mut requires);
    readable(Clause::Ensures, &mut ensures);
    (requires, ensures)
}

/// A contract for every function but `main`, that no run breaks.
fn add_contracts(program: &mut Program, main: FunctionId, seed: u64) {
    let mut dice = Dice(seed);
    let functions: Vec<FunctionId> = program.functions.keys().filter(|function| *function != main).collect();
    for function in functions {
        let (requires, ensures) = candidates(program, function);
        let share = 2 + dice.below(4);
        let mut some = |texts: Vec<String>, share: u64| -> Vec<String> {
            texts.into_iter().filter(|_| dice.below(share) == 0).collect()
        };
        let (requires, ensures) = (some(requires, 4), some(ensures, share));
        let span = program.functions[function].span;
        program.contracts.push(Contract { function, requires, ensures, span });
    }
    let options = Options { properties: vec![Kind::Shape], ..Options::new(main) };
    while let Err(Disagreement::ErrorMissed { message, .. }) = check(&Runs, program, &options, &Effort::QUICK) {
        let broken =
            |name: &str, text: &str| message.contains(&format!("`{name}`")) && message.ends_with(&format!(": {text}"));
        let mut taken = 0;
        for contract in &mut program.contracts {
            let name = &program.functions[contract.function].name;
            for texts in [&mut contract.requires, &mut contract.ensures] {
                let before = texts.len();
                texts.retain(|text| !broken(name, text));
                taken += before - texts.len();
            }
        }
        assert!(taken > 0, "a finding that is no broken contract: {message}");
    }
}

/// By default few: each is run many times until its contracts hold.
fn n_programs() -> u64 {
    std::env::var("HEAPWISE_ORACLE_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(8)
}

fn lists() -> Knobs {
    Knobs {
        records: 1..=1,
        fields: Fields::OneToItself,
        data: Data::None,
        functions: 1..=2,
        recursion: Recursion::Forbidden,
        variables: 2..=3,
        globals: 0..=1,
        statements: 3..=6,
        weights: Weights { call: 6, assert: 0, free: 1, ..Knobs::everything().weights },
        guarded: 90,
        zeroed: 100,
        ..Knobs::everything()
    }
}

/// Whether an error of a run is reported in another place: a body does what no contract can allow, or loses a cell that is
/// the caller's to lose. A contract that may be broken is no excuse: no run breaks one, so all of them go on.
fn is_blamed_elsewhere(program: &Program, options: &Options, kind: Kind) -> bool {
    let Analysed { outcome, model } = ByContract.analyse(program, options);
    model.is_void || (kind == Kind::Leak && outcome.findings.iter().any(|finding| finding.kind == Kind::Leak))
}

fn one(program: &RandomProgram, seed: u64) -> Result<Agreement, (Disagreement, String)> {
    let mut lowered = program.lower();
    add_contracts(&mut lowered.program, lowered.main, seed);
    let options = Options::new(lowered.main);
    let found = match check(&ByContract, &lowered.program, &options, &Effort::QUICK) {
        Err(Disagreement::ErrorMissed { kind, .. }) if is_blamed_elsewhere(&lowered.program, &options, kind) => {
            Ok(Agreement { programs: 1, errors: 1, ..Agreement::default() })
        }
        found => found,
    };
    found.map_err(|disagreement| {
        let mut text = lowered.c_text().to_owned();
        for contract in &lowered.program.contracts {
            let name = &lowered.program.functions[contract.function].name;
            text += &format!("{name}: requires {:#?} ensures {:#?}\n", contract.requires, contract.ensures);
        }
        (disagreement, text)
    })
}

fn agree(knobs: &Knobs, seeds: std::ops::Range<u64>) -> Agreement {
    let mut total = Agreement::default();
    for seed in seeds {
        let program = generate(knobs, seed);
        match one(&program, seed) {
            Ok(agreement) => total += agreement,
            Err((first, _)) => {
                let is_state = matches!(first, Disagreement::StateMissed { .. });
                let alike =
                    |(found, _): &(Disagreement, String)| matches!(found, Disagreement::StateMissed { .. }) == is_state;
                let smallest = shrink(program, |smaller| one(smaller, seed).is_err_and(|found| alike(&found)));
                let (disagreement, text) = one(&smallest, seed).expect_err("it was wrong when it was made small");
                panic!("seed {seed}: {disagreement}\n{text}");
            }
        }
    }
    total
}

#[test]
fn calls_by_contract_represent_every_heap_of_lists() {
    let total = agree(&lists(), 0..n_programs());
    // Programs that leave cells in a state that contracts cannot speak of are many.
    assert!(total.gaps * 10 <= total.programs * 9, "{total:?}");
    assert!(total.states >= total.programs, "{total:?}");
}
