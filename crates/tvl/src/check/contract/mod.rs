//! Contracts: bodies checked once against them, calls by them alone (assume-guarantee reasoning, section 5 of Yorsh,
//! Reps and Sagiv).
//!
//! A body starts with every heap that its `hw_requires` admits ([`enter`]) and must return with what its `hw_ensures`
//! says. A call must find what is required, changes what the callee can reach into anything, and keeps of that what
//! is ensured ([`call`]). Both are one operation, [`narrow`]: structures of which little is known are divided until
//! names are definite, and parts go that the rules or the claims exclude. It asks no prover: a claim that is
//! 1/2 keeps the structure, which is sound.
//!
//! *Cells outside.* A body is run on the cells that it can reach. All others stay as they are; where a claim speaks
//! of all cells, an individual for them is added while the claim is evaluated ([`outside`]).

mod call;
mod detach;
mod enter;
pub mod formula;
pub mod ghosts;
mod narrow;
mod olds;
mod outside;
mod rules;
pub mod terms;

pub use call::CallMemory;

use super::predicates::Predicates;
use super::slots::{Slot, Slots};
use crate::coerce::Constraints;
use crate::compile::{Compiler, Program, Register};
use crate::structure::{Bounds, Structure};
use crate::tables::Tables;
use ghosts::{Condition, Contract};
use heapwise_cells::contract::ContractId;
use heapwise_cells::program::KindId;
use heapwise_ir::entity::PrimaryMap;
use heapwise_logic::{Kleene, Predicate};
use std::cell::OnceCell;
use terms::Extent;

/// A closed formula, compiled.
#[derive(Clone, Debug)]
pub struct Test {
    /// As it is written.
    pub text: String,
    program: Program,
    value: Register,
    extent: Extent,
}

/// The value at the start of a call of something that claims ask about later.
#[derive(Clone, Debug)]
struct OldValue {
    predicate: Predicate,
    program: Program,
    value: Register,
}

/// A contract, compiled.
#[derive(Clone, Debug)]
pub struct ContractCode {
    /// The contract.
    pub contract: Contract,
    requires: Vec<Test>,
    ensures: Vec<Test>,
    olds: Vec<OldValue>,
    /// The rules that do not speak of other slots than the contract's own, with what is required.
    admitting: OnceCell<Constraints>,
    /// The same, with what is ensured.
    ensuring: OnceCell<Constraints>,
    /// All rules, with what is ensured; where a call's cells cannot be looked at by themselves.
    ensuring_among_all: OnceCell<Constraints>,
    /// What old values are for cells outside.
    outside: outside::Outside,
}

/// The contracts of a program, compiled.
#[derive(Debug)]
pub struct ContractCodes {
    /// Of the function whose body is checked.
    pub entered: Option<ContractCode>,
    /// Of calls.
    pub calls: PrimaryMap<ContractId, Option<ContractCode>>,
}

impl ContractCodes {
    /// Compiles them.
    pub fn new(predicates: &Predicates) -> ContractCodes {
        let mut tables = Tables::new();
        let mut code = |contract: &Contract| ContractCode::new(predicates, contract, &mut tables);
        let entered = predicates.ghosts.entered.as_ref().map(&mut code);
        let mut calls = PrimaryMap::new();
        for contract in predicates.ghosts.contracts.values() {
            calls.push(contract.as_ref().map(&mut code));
        }
        ContractCodes { entered, calls }
    }
}

impl ContractCode {
    fn new(predicates: &Predicates, contract: &Contract, tables: &mut Tables) -> ContractCode {
        let olds: Vec<OldValue> = contract
            .olds
            .iter()
            .map(|old| {
                let mut compiler = Compiler::new(&predicates.vocabulary, &[]);
                let value = compiler.add(&old.formula, &old.params);
                OldValue { predicate: old.predicate, program: compiler.finish(), value }
            })
            .collect();
        let outside = outside::Outside::new(predicates, &olds, tables);
        let mut tests = |conditions: &[Condition]| -> Vec<Test> {
            conditions.iter().map(|condition| Test::new(predicates, condition, &outside, tables)).collect()
        };
        ContractCode {
            contract: contract.clone(),
            admitting: OnceCell::new(),
            ensuring: OnceCell::new(),
            ensuring_among_all: OnceCell::new(),
            requires: tests(&contract.requires),
            ensures: tests(&contract.ensures),
            outside,
            olds,
        }
    }

    /// The rules about the contract's own slots, with what it requires.
    fn admitting(&self, predicates: &Predicates, slots: &Slots, constraints: &Constraints) -> &Constraints {
        self.admitting.get_or_init(|| {
            let claims = rules::claim_rules(predicates, &self.contract.requires);
            let foreign = foreign_predicates(predicates, slots, &self.contract);
            constraints.adapted(&predicates.vocabulary, &foreign, claims)
        })
    }

    /// The rules about the contract's own slots, with what it ensures.
    fn ensuring(&self, predicates: &Predicates, slots: &Slots, constraints: &Constraints) -> &Constraints {
        self.ensuring.get_or_init(|| {
            let claims = rules::claim_rules(predicates, &self.contract.ensures);
            let foreign = foreign_predicates(predicates, slots, &self.contract);
            constraints.adapted(&predicates.vocabulary, &foreign, claims)
        })
    }

    /// Remembers what claims ask about the start of the call.
    fn remember(
        &self,
        predicates: &Predicates,
        structure: &mut Structure,
        kept: &[((KindId, usize), Predicate)],
        tables: &mut Tables,
    ) {
        let before = structure.clone();
        let live = structure.active().may;
        for (_, kept) in kept {
            structure.set_unary(predicates.index(*kept), Bounds { may: live, must: live });
        }
        for old in &self.olds {
            tables.run(&old.program, &before, &[]);
            let slot = predicates.vocabulary.slot(old.predicate);
            match slot.arity {
                crate::vocabulary::Arity::Nullary => {
                    let row = tables.row(old.value, 0);
                    structure.set_nullary(slot.index, Kleene::from_bounds(row.may & 1 == 1, row.must & 1 == 1));
                }
                crate::vocabulary::Arity::Unary => structure.set_unary(slot.index, tables.row(old.value, 0)),
                crate::vocabulary::Arity::Binary => {
                    for u in 0..structure.size() {
                        structure.set_row(slot.index, u, tables.row(old.value, u));
                    }
                }
            }
        }
    }

    /// All rules of the program, with what is ensured.
    fn ensuring_among(&self, predicates: &Predicates, constraints: &Constraints) -> &Constraints {
        self.ensuring_among_all.get_or_init(|| {
            let claims = rules::claim_rules(predicates, &self.contract.ensures);
            constraints.adapted(&predicates.vocabulary, &[], claims)
        })
    }

    /// The value of a claim, cells outside included.
    fn evaluate(&self, predicates: &Predicates, structure: &Structure, test: &Test, tables: &mut Tables) -> Kleene {
        match test.extent {
            Extent::Reached => test.evaluate(structure, tables),
            Extent::All => match self.outside.with(predicates, structure) {
                Some(whole) => test.evaluate(&whole, tables),
                None => Kleene::Unknown,
            },
        }
    }
}

impl Test {
    fn new(predicates: &Predicates, condition: &Condition, outside: &outside::Outside, tables: &mut Tables) -> Test {
        let mut compiler = Compiler::new(&predicates.vocabulary, &[]);
        let value = compiler.add(&condition.formula, &[]);
        // Where it holds of cells outside whatever the heap is, only the others need be looked at.
        let is_settled =
            condition.extent == Extent::All && outside.holds_outside(predicates, &condition.formula, tables);
        let extent = if is_settled { Extent::Reached } else { condition.extent };
        Test { text: condition.text.clone(), program: compiler.finish(), value, extent }
    }

    fn evaluate(&self, structure: &Structure, tables: &mut Tables) -> Kleene {
        tables.run(&self.program, structure, &[]);
        let row = tables.row(self.value, 0);
        Kleene::from_bounds(row.may & 1 == 1, row.must & 1 == 1)
    }
}

/// What is said of slots other than a contract's own: where those are empty, rules about them have nothing to say.
fn foreign_predicates(predicates: &Predicates, slots: &Slots, contract: &Contract) -> Vec<Predicate> {
    let mut own: Vec<Slot> = contract.parameters.iter().flatten().map(|(slot, _)| *slot).collect();
    own.extend(contract.result.map(|(slot, _)| slot));
    own.extend(contract.old_links.iter().map(|link| link.slot));
    own.extend(contract.globals.iter().map(|(var, _)| slots.of(*var)));
    own.extend(contract.named.iter().map(|(var, _)| slots.of(*var)));
    let mut foreign: Vec<Predicate> = Vec::new();
    for (_, known) in predicates.slots.iter().filter(|(slot, _)| !own.contains(slot)) {
        foreign.extend(known.points.iter().chain(&known.reach).chain(known.atoms.values()));
    }
    foreign
}
