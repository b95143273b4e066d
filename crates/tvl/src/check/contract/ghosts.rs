//! Ghosts: predicates that remember what a contract's claims ask about, while the call that they speak of lasts.
//!
//! There are two sets. That of the function whose body is being checked lives as long as the run; that of calls by
//! contract is in use within one step only, and shared by all contracts.

use super::super::predicates::Predicates;
use super::super::slots::{Slot, Slots};
use super::formula::{Names, Old, Translator};
use super::terms::{Asked, Extent, changes_nothing, extent, links_now, old_links, speaks_of_unchanged_links};
use crate::vocabulary::{Arity, Declaration, PredicateStyle, Role};
use heapwise_cells::atom::Var;
use heapwise_cells::contract::{CellContract, CellTerm, ContractClause, ContractId, Frees};
use heapwise_cells::program::{CellProgram, Command, KindId};
use heapwise_ir::claim::Clause;
use heapwise_ir::entity::PrimaryMap;
use heapwise_logic::{Formula, Predicate};

/// How many slots ghosts need.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GhostSlots {
    /// For the parameters of the function whose body is checked, and the links that its claims ask about.
    pub own: usize,
    /// For parameters, links and result of calls.
    pub call: usize,
}

impl GhostSlots {
    /// Those that a program needs.
    pub fn new(program: &CellProgram) -> GhostSlots {
        let mut needed = GhostSlots::default();
        for step in program.steps.values() {
            match &step.command {
                Command::Enter { contract, .. } => {
                    let contract = &program.contracts[*contract];
                    needed.own = contract.parameters.len() + old_links(contract, Asked::Later).len();
                }
                Command::Contract { contract, .. } => {
                    let contract = &program.contracts[*contract];
                    let links = old_links(contract, Asked::AtAll).len();
                    needed.call = needed.call.max(contract.parameters.len() + links + 1);
                }
                _ => {}
            }
        }
        needed
    }

    /// All of them.
    pub fn total(self) -> usize {
        self.own + self.call
    }
}

/// One set of ghosts.
#[derive(Clone, Debug)]
pub struct GhostSet {
    /// The cells that exist when the call starts.
    pub existed: Predicate,
    /// The cells that were freed since.
    pub freed: Predicate,
    /// The cells that the callee could reach when the call started.
    pub within: Predicate,
    /// Per kind and link, the cells whose link is what it was; if some claim asks.
    pub kept: Vec<((KindId, usize), Predicate)>,
    /// Its slots.
    pub slots: Vec<Slot>,
    /// Predicates for old values, by their number of parameters.
    pub olds: [Vec<Predicate>; 3],
}

/// A formula of a contract.
#[derive(Clone, Debug)]
pub struct Condition {
    /// As it is written.
    pub text: String,
    /// What it says.
    pub formula: Formula,
    /// Whom it speaks of.
    pub extent: Extent,
}

/// Where a link led when the call started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OldLink {
    /// Holds it.
    pub slot: Slot,
    /// Holds the pointer to the cell.
    pub base: Slot,
    /// The kind of the cell.
    pub kind: KindId,
    /// Its link.
    pub link: usize,
}

/// A contract in terms of predicates.
#[derive(Clone, Debug)]
pub struct Contract {
    /// The function's name.
    pub name: String,
    /// The slot and the kind of each parameter that is a pointer to cells.
    pub parameters: Vec<Option<(Slot, KindId)>>,
    /// The slot and the kind of the result.
    pub result: Option<(Slot, KindId)>,
    /// What callers establish.
    pub requires: Vec<Condition>,
    /// What the function establishes.
    pub ensures: Vec<Condition>,
    /// What must be remembered of the start of the call.
    pub olds: Vec<Old>,
    /// Where links led when the call started.
    pub old_links: Vec<OldLink>,
    /// The links that claims ask about when the call returns.
    pub links: Vec<(Slot, KindId, usize)>,
    /// The slots that are asked about when the call returns; what others held matters no more.
    pub asked: Vec<Slot>,
    /// The kinds of cells it can reach.
    pub kinds: Vec<KindId>,
    /// The globals that it may change.
    pub globals: Vec<(Var, Option<KindId>)>,
    /// Those that only its claims name.
    pub named: Vec<(Var, KindId)>,
    /// Whether it may free cells.
    pub frees: Frees,
    /// Whether it ensures that no link changes.
    pub keeps: bool,
}

/// All ghosts of a program.
#[derive(Clone, Debug, Default)]
pub struct Ghosts {
    /// Of the function whose body is checked.
    pub own: Option<GhostSet>,
    /// Of calls.
    pub call: Option<GhostSet>,
    /// The contract of the function whose body is checked.
    pub entered: Option<Contract>,
    /// The contracts of calls.
    pub contracts: PrimaryMap<ContractId, Option<Contract>>,
}

impl Ghosts {
    /// Declares them, after all other predicates.
    pub fn new(program: &CellProgram, slots: &Slots, predicates: &mut Predicates) -> Ghosts {
        let needed = GhostSlots::new(program);
        let all: Vec<Slot> = slots.ghosts().collect();
        let (own_slots, call_slots) = all.split_at(needed.own.min(all.len()));
        let entered = program.steps.values().find_map(|step| match &step.command {
            Command::Enter { contract, .. } => Some(*contract),
            _ => None,
        });
        let result = program.steps.values().find_map(|step| match &step.command {
            Command::Leave { result, .. } => *result,
            _ => None,
        });
        let called = |id: ContractId| {
            program
                .steps
                .values()
                .any(|step| matches!(&step.command, Command::Contract { contract, .. } if *contract == id))
        };
        let mut ghosts = Ghosts::default();
        if let Some(id) = entered {
            let contract = &program.contracts[id];
            let mut set = GhostSet::declare(predicates, "entry", own_slots);
            set.declare_kept(predicates, &[contract], "entry");
            let result = result.filter(|_| contract.result.is_some()).map(|result| slots.of(result));
            ghosts.entered = Some(set.contract(predicates, slots, contract, result, Asked::Later, None));
            ghosts.own = Some(set);
        }
        let gone = ghosts.own.as_ref().map(|own| own.freed);
        let mut set = program.contracts.keys().any(called).then(|| GhostSet::declare(predicates, "call", call_slots));
        if let Some(set) = &mut set {
            let contracts: Vec<&CellContract> =
                program.contracts.iter().filter(|(id, _)| called(*id)).map(|(_, contract)| contract).collect();
            set.declare_kept(predicates, &contracts, "call");
        }
        for (id, contract) in &program.contracts {
            let translated = set.as_mut().filter(|_| called(id)).map(|set| {
                let result = set.slots.last().copied();
                set.contract(predicates, slots, contract, result, Asked::AtAll, gone)
            });
            ghosts.contracts.push(translated);
        }
        ghosts.call = set;
        ghosts
    }

    /// The formulas' old values and names are found by these sets.
    pub fn sets(&self) -> impl Iterator<Item = &GhostSet> {
        self.own.iter().chain(&self.call)
    }
}

impl GhostSet {
    fn declare(predicates: &mut Predicates, name: &str, slots: &[Slot]) -> GhostSet {
        let existed = declare(predicates, &format!("at {name}"), Arity::Unary);
        let freed = declare(predicates, &format!("freed since {name}"), Arity::Unary);
        let within = declare(predicates, &format!("reached at {name}"), Arity::Unary);
        GhostSet {
            existed,
            freed,
            within,
            kept: Vec::new(),
            slots: slots.to_vec(),
            olds: [Vec::new(), Vec::new(), Vec::new()],
        }
    }

    /// Declares what tells whether links are what they were, if contracts ask.
    fn declare_kept(&mut self, predicates: &mut Predicates, contracts: &[&CellContract], name: &str) {
        let mut clauses = contracts.iter().flat_map(|contract| &contract.ensures);
        if !clauses.any(|clause| speaks_of_unchanged_links(&clause.claim)) {
            return;
        }
        let links: Vec<(KindId, usize)> =
            predicates.links.iter().flat_map(|(kind, links)| (0..links.len()).map(move |link| (kind, link))).collect();
        for (kind, link) in links {
            let field = predicates.vocabulary.name(predicates.links[kind][link].edge).to_owned();
            let kept = declare_with(
                predicates,
                &format!("{field} as at {name}"),
                Declaration { role: Role::Plain, ..Declaration::core(Arity::Unary) },
            );
            self.kept.push(((kind, link), kept));
        }
    }

    fn contract(
        &mut self,
        predicates: &mut Predicates,
        slots: &Slots,
        contract: &CellContract,
        result: Option<Slot>,
        asked: Asked,
        gone: Option<Predicate>,
    ) -> Contract {
        let parameters: Vec<Option<(Slot, KindId)>> =
            contract.parameters.iter().zip(&self.slots).map(|(kind, slot)| kind.map(|kind| (*slot, kind))).collect();
        let result = result.zip(contract.result);
        let mut remembered: Vec<OldLink> = Vec::new();
        let mut names = Names {
            parameters: parameters.iter().map(|parameter| parameter.map(|(slot, _)| slot)).collect(),
            result: result.map(|(slot, _)| slot),
            existed: self.existed,
            freed: self.freed,
            gone,
            kept: self.kept.clone(),
            old_links: Vec::new(),
        };
        for (term, slot) in
            old_links(contract, asked).into_iter().zip(self.slots.iter().skip(contract.parameters.len()))
        {
            if let CellTerm::Link(base, kind, link) = &term
                && let Some(base) = names.slot_then(slots, base)
            {
                remembered.push(OldLink { slot: *slot, base, kind: *kind, link: *link });
                names.old_links.push((term, *slot));
            }
        }
        let links = links_now(contract, &names, slots);
        // The formulas read the vocabulary while they add to it: what is new goes into a list first.
        let mut pool = self.olds.clone();
        let mut used = [0; 3];
        let mut vocabulary = predicates.vocabulary.clone();
        let mut allocate = |arity: usize| -> Option<Predicate> {
            let (known, next) = (pool.get_mut(arity)?, used.get_mut(arity)?);
            if *next == known.len() {
                let name = format!("old#{}{arity}.{next}", if gone.is_some() { "call" } else { "" });
                let declaration = Declaration::core(Arity::of(arity)?);
                let fresh = (0..)
                    .find_map(|i| vocabulary.declare(&format!("{name}{}", "'".repeat(i)), declaration.clone()).ok())?;
                known.push(fresh);
            }
            *next += 1;
            known.get(*next - 1).copied()
        };
        let mut translator = Translator::new(predicates, slots, &names, contract, &mut allocate);
        let mut conditions = |when: Clause, clauses: &[ContractClause]| -> Vec<Condition> {
            let condition = |clause: &ContractClause| Condition {
                text: clause.text.clone(),
                formula: heapwise_logic::simplify::simplify(&translator.clause(when, &clause.claim)),
                extent: extent(&clause.claim),
            };
            clauses.iter().map(condition).collect()
        };
        let requires = conditions(Clause::Requires, &contract.requires);
        let ensures = conditions(Clause::Ensures, &contract.ensures);
        let olds = translator.finish();
        predicates.vocabulary = vocabulary;
        self.olds = pool;
        let mentioned: Vec<Predicate> = ensures.iter().flat_map(|condition| condition.formula.predicates()).collect();
        let is_asked = |slot: &Slot| {
            let own = &predicates.slots[*slot];
            let mut known = own.points.iter().chain(&own.reach).chain(&own.shared_without).chain(own.atoms.values());
            known.any(|predicate| mentioned.contains(predicate)) || links.iter().any(|(base, ..)| base == slot)
        };
        let asked = self.slots.iter().copied().filter(is_asked).collect();
        Contract {
            name: contract.name.clone(),
            parameters,
            result,
            requires,
            ensures,
            olds,
            old_links: remembered,
            links,
            asked,
            kinds: contract.kinds.clone(),
            globals: contract.globals.clone(),
            named: contract.named.clone(),
            frees: contract.frees,
            keeps: changes_nothing(contract, |kind| predicates.links[kind].len()),
        }
    }
}

fn declare(predicates: &mut Predicates, name: &str, arity: Arity) -> Predicate {
    declare_with(predicates, name, Declaration { style: PredicateStyle::Text, ..Declaration::core(arity) })
}

fn declare_with(predicates: &mut Predicates, name: &str, declaration: Declaration) -> Predicate {
    let mut next = 1;
    loop {
        let tried = if next == 1 { name.to_owned() } else { format!("{name}#{next}") };
        if let Ok(predicate) = predicates.vocabulary.declare(&tried, declaration.clone()) {
            return predicate;
        }
        next += 1;
    }
}
