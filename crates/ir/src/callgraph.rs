//! Who calls whom.
//!
//! Whom a call through a function pointer may reach is an argument ([`IndirectTargets`]): a points-to analysis knows what is
//! stored in the pointer. Where nothing is known, every function whose address is taken may be called. How many arguments
//! there are takes no function away: C lets a pointer be converted, and what happens then is for an engine to say.

use crate::function::{Body, Function};
use crate::ids::{EdgeId, FunctionId};
use crate::instruction::{Callee, Instruction};
use crate::order;
use crate::program::{Initializer, Program};
use crate::value::Operand;
use cranelift_entity::{EntitySet, SecondaryMap};

/// Whom calls through function pointers may reach.
pub trait IndirectTargets {
    /// Whom the call on an edge of a function may reach.
    fn targets(&self, caller: FunctionId, edge: EdgeId) -> MayCall<'_>;
}

/// Whom a call through a function pointer may reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MayCall<'a> {
    /// These, in ascending order, and nobody else.
    These(&'a [FunctionId]),
    /// Every function whose address is taken, and perhaps one that is not in the program.
    AnyAddressTaken,
}

/// Nothing is known of function pointers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AnyAddressTaken;

impl IndirectTargets for AnyAddressTaken {
    fn targets(&self, _: FunctionId, _: EdgeId) -> MayCall<'_> {
        MayCall::AnyAddressTaken
    }
}

/// How a call names what it calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CallKind {
    /// By name.
    Direct,
    /// Through a pointer, which names one of the callees or no function at all.
    Listed,
    /// Through a pointer that may name a function that is not in the program, too.
    Open,
}

/// A call in the body of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallSite {
    /// The edge with the call.
    pub edge: EdgeId,
    /// Whom it may call, in ascending order.
    pub callees: Vec<FunctionId>,
    /// How it names them.
    pub kind: CallKind,
    /// Whom the callee, which has no body, may call back, in ascending order ([`crate::Callback`]).
    pub callbacks: Vec<FunctionId>,
}

/// The call graph of a program.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// The call sites of each function, in the order of its edges.
    pub sites: SecondaryMap<FunctionId, Vec<CallSite>>,
    /// Whom each function may call, in ascending order.
    pub callees: SecondaryMap<FunctionId, Vec<FunctionId>>,
    /// Who may call each function, in ascending order.
    pub callers: SecondaryMap<FunctionId, Vec<FunctionId>>,
    /// The functions whose address is taken, in ascending order.
    pub address_taken: Vec<FunctionId>,
    /// The strongly connected components, callees before callers.
    pub components: Vec<Vec<FunctionId>>,
    component: SecondaryMap<FunctionId, u32>,
}

impl CallGraph {
    /// Builds it.
    pub fn of(program: &Program, indirect: &dyn IndirectTargets) -> CallGraph {
        let taken = Taken::of(program);
        let address_taken: Vec<FunctionId> = taken.anywhere(program);
        let mut sites: SecondaryMap<FunctionId, Vec<CallSite>> = SecondaryMap::with_capacity(program.functions.len());
        let mut callees: SecondaryMap<FunctionId, Vec<FunctionId>> = SecondaryMap::new();
        let mut callers: SecondaryMap<FunctionId, Vec<FunctionId>> = SecondaryMap::new();
        for (caller, function) in &program.functions {
            sites[caller] = call_sites(program, (caller, function), indirect, &address_taken);
            let called = |site: &CallSite| [site.callees.as_slice(), site.callbacks.as_slice()].concat();
            let mut all: Vec<FunctionId> = sites[caller].iter().flat_map(called).collect();
            all.sort();
            all.dedup();
            for callee in &all {
                callers[*callee].push(caller);
            }
            callees[caller] = all;
        }
        let components = components(program, &callees);
        let mut component: SecondaryMap<FunctionId, u32> = SecondaryMap::with_capacity(program.functions.len());
        for (index, members) in components.iter().enumerate() {
            for member in members {
                component[*member] = index as u32;
            }
        }
        CallGraph { sites, callees, callers, address_taken, components, component }
    }

    /// The component of a function, by index into [`CallGraph::components`].
    pub fn component(&self, function: FunctionId) -> usize {
        self.component[function] as usize
    }

    /// Whether the function may call itself, perhaps by way of others.
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.components[self.component(function)].len() > 1 || self.callees[function].contains(&function)
    }
}

/// The functions that a run from `entry` may execute, in ascending order. More precise than the call graph: where nothing is
/// known of a pointer, only addresses taken by functions that are reached (and by globals) count.
pub fn reachable_functions(program: &Program, entry: FunctionId, indirect: &dyn IndirectTargets) -> Vec<FunctionId> {
    let taken = Taken::of(program);
    let mut reached: EntitySet<FunctionId> = EntitySet::with_capacity(program.functions.len());
    let mut worklist = vec![entry];
    reached.insert(entry);
    // Functions whose address is available so far; all of them are called as soon as one call may reach any.
    let mut available: Vec<FunctionId> = taken.by_globals.clone();
    let mut is_any_called = false;
    while let Some(function) = worklist.pop() {
        let mut reach = |callee: FunctionId| {
            if reached.insert(callee) {
                worklist.push(callee);
            }
        };
        available.extend_from_slice(&taken.by_function[function]);
        let edges = program.functions[function].automaton().into_iter().flat_map(|automaton| &automaton.edges);
        for (id, edge) in edges {
            let Instruction::Call { callee, .. } = &edge.instruction else { continue };
            match callee {
                Callee::Direct(callee) | Callee::Indirect(Operand::Function(callee)) => {
                    reach(*callee);
                    if !calls_back(program, *callee) {
                        continue;
                    }
                }
                Callee::Indirect(_) => {}
            }
            match indirect.targets(function, id) {
                MayCall::These(callees) => callees.iter().for_each(|callee| reach(*callee)),
                MayCall::AnyAddressTaken => is_any_called = true,
            }
        }
        if is_any_called {
            available.drain(..).for_each(reach);
        }
    }
    program.functions.keys().filter(|function| reached.contains(*function)).collect()
}

/// Where addresses of functions are taken.
struct Taken {
    by_globals: Vec<FunctionId>,
    by_function: SecondaryMap<FunctionId, Vec<FunctionId>>,
}

impl Taken {
    fn of(program: &Program) -> Taken {
        let mut by_globals = Vec::new();
        for global in program.globals.values() {
            match &global.initializer {
                Initializer::Items(items) => by_globals.extend(items.iter().filter_map(|item| match item.value {
                    Operand::Function(function) => Some(function),
                    Operand::Register(_) | Operand::Int(_) | Operand::Float(_) | Operand::Global(_) => None,
                })),
                Initializer::Bytes(_) | Initializer::Unknown | Initializer::Library(_) => {}
            }
        }
        let mut by_function: SecondaryMap<FunctionId, Vec<FunctionId>> = SecondaryMap::new();
        let mut somewhere: EntitySet<FunctionId> = EntitySet::new();
        for (id, function) in &program.functions {
            let Some(automaton) = function.automaton() else { continue };
            let taken = &mut by_function[id];
            for edge in automaton.edges.values() {
                edge.instruction.for_each_operand(|operand| {
                    if let Operand::Function(function) = operand {
                        taken.push(function);
                    }
                });
            }
            taken.sort();
            taken.dedup();
            taken.iter().for_each(|function| {
                somewhere.insert(*function);
            });
        }
        by_globals.iter().for_each(|function| {
            somewhere.insert(*function);
        });
        // Marked by the front end, but nobody here takes it: others may have it.
        let marked =
            program.functions.iter().filter(|(id, function)| function.address_taken && !somewhere.contains(*id));
        by_globals.extend(marked.map(|(id, _)| id));
        by_globals.sort();
        by_globals.dedup();
        Taken { by_globals, by_function }
    }

    fn anywhere(&self, program: &Program) -> Vec<FunctionId> {
        let by_functions = program.functions.keys().flat_map(|function| self.by_function[function].iter().copied());
        let mut all: Vec<FunctionId> = by_functions.chain(self.by_globals.iter().copied()).collect();
        all.sort();
        all.dedup();
        all
    }
}

/// Whether a function has no body and calls one that it is given.
fn calls_back(program: &Program, function: FunctionId) -> bool {
    matches!(&program.functions[function].body, Body::Extern(effects) if effects.callback.is_some())
}

fn call_sites(
    program: &Program,
    (caller, function): (FunctionId, &Function),
    indirect: &dyn IndirectTargets,
    address_taken: &[FunctionId],
) -> Vec<CallSite> {
    let Some(automaton) = function.automaton() else { return Vec::new() };
    let mut sites = Vec::new();
    for (edge, found) in &automaton.edges {
        let Instruction::Call { callee, .. } = &found.instruction else { continue };
        let by_pointer = || match indirect.targets(caller, edge) {
            MayCall::These(callees) => (callees.to_vec(), CallKind::Listed),
            MayCall::AnyAddressTaken => (address_taken.to_vec(), CallKind::Open),
        };
        let (callees, kind, callbacks) = match callee {
            Callee::Direct(callee) | Callee::Indirect(Operand::Function(callee)) => {
                let callbacks = if calls_back(program, *callee) { by_pointer().0 } else { Vec::new() };
                (vec![*callee], CallKind::Direct, callbacks)
            }
            Callee::Indirect(_) => {
                let (callees, kind) = by_pointer();
                (callees, kind, Vec::new())
            }
        };
        sites.push(CallSite { edge, callees, kind, callbacks });
    }
    sites
}

/// The strongly connected components, callees first.
fn components(program: &Program, callees: &SecondaryMap<FunctionId, Vec<FunctionId>>) -> Vec<Vec<FunctionId>> {
    let successors: Vec<Vec<u32>> = program
        .functions
        .keys()
        .map(|function| callees[function].iter().map(|callee| callee.as_u32()).collect())
        .collect();
    order::components_of(&successors)
        .into_iter()
        .map(|mut component| {
            component.sort_unstable();
            component.into_iter().map(FunctionId::from_u32).collect()
        })
        .collect()
}
