//! Who calls whom.
//!
//! A call through a function pointer may call every function whose address is taken and that can be called with that
//! many arguments. An engine that knows the pointer's value knows better.

use crate::function::{Body, Function};
use crate::ids::{EdgeId, FunctionId};
use crate::instruction::{Callee, Instruction};
use crate::order;
use crate::program::{Initializer, Program};
use crate::value::Operand;
use cranelift_entity::{EntitySet, SecondaryMap};

/// A call in the body of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallSite {
    /// The edge with the call.
    pub edge: EdgeId,
    /// Whom it may call, in ascending order.
    pub callees: Vec<FunctionId>,
    /// Whether it goes through a function pointer.
    pub indirect: bool,
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
    pub fn of(program: &Program) -> CallGraph {
        let taken = Taken::of(program);
        let address_taken: Vec<FunctionId> = taken.anywhere(program);
        let mut sites: SecondaryMap<FunctionId, Vec<CallSite>> = SecondaryMap::with_capacity(program.functions.len());
        let mut callees: SecondaryMap<FunctionId, Vec<FunctionId>> = SecondaryMap::new();
        let mut callers: SecondaryMap<FunctionId, Vec<FunctionId>> = SecondaryMap::new();
        for (caller, function) in &program.functions {
            sites[caller] = call_sites(program, function, &address_taken);
            let mut all: Vec<FunctionId> = sites[caller].iter().flat_map(|site| site.callees.iter().copied()).collect();
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

/// The functions that a run from `entry` may execute, in ascending order. More precise than the call graph: only
/// addresses taken by functions that are reached (and by globals) count.
pub fn reachable_functions(program: &Program, entry: FunctionId) -> Vec<FunctionId> {
    let taken = Taken::of(program);
    let mut reached: EntitySet<FunctionId> = EntitySet::with_capacity(program.functions.len());
    let mut available: Vec<FunctionId> = taken.by_globals.clone();
    let mut worklist = vec![entry];
    reached.insert(entry);
    // Arities of indirect calls reached so far, and functions whose address is available so far: each new one meets
    // all of the other kind.
    let mut arities: Vec<usize> = Vec::new();
    let mut seen_available: EntitySet<FunctionId> = EntitySet::new();
    available.iter().for_each(|function| {
        seen_available.insert(*function);
    });
    while let Some(function) = worklist.pop() {
        let mut reach = |callee: FunctionId| {
            if reached.insert(callee) {
                worklist.push(callee);
            }
        };
        for newly in &taken.by_function[function] {
            if seen_available.insert(*newly) {
                available.push(*newly);
                if arities.iter().any(|arity| accepts(&program.functions[*newly], *arity)) {
                    reach(*newly);
                }
            }
        }
        let Some(automaton) = program.functions[function].automaton() else { continue };
        for edge in automaton.edges.values() {
            let Instruction::Call { callee, arguments, .. } = &edge.instruction else { continue };
            match callee {
                Callee::Direct(callee) => reach(*callee),
                Callee::Indirect(_) => {
                    if !arities.contains(&arguments.len()) {
                        arities.push(arguments.len());
                        let callable = |callee: &&FunctionId| accepts(&program.functions[**callee], arguments.len());
                        available.iter().filter(callable).for_each(|callee| reach(*callee));
                    }
                }
            }
        }
    }
    program.functions.keys().filter(|function| reached.contains(*function)).collect()
}

/// Whether the function can be called through a pointer with that many arguments.
pub fn accepts(function: &Function, n_arguments: usize) -> bool {
    match &function.body {
        Body::Extern(_) if function.variadic => n_arguments >= function.parameters.len(),
        // A defined variadic function receives its extra arguments through one hidden parameter.
        Body::Defined(_) | Body::Extern(_) => n_arguments == function.parameters.len(),
    }
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

fn call_sites(program: &Program, function: &Function, address_taken: &[FunctionId]) -> Vec<CallSite> {
    let Some(automaton) = function.automaton() else { return Vec::new() };
    let mut sites = Vec::new();
    for (edge, found) in &automaton.edges {
        let Instruction::Call { callee, arguments, .. } = &found.instruction else { continue };
        sites.push(match callee {
            Callee::Direct(callee) => CallSite { edge, callees: vec![*callee], indirect: false },
            Callee::Indirect(Operand::Function(callee)) => CallSite { edge, callees: vec![*callee], indirect: false },
            Callee::Indirect(_) => {
                let callable = |callee: &&FunctionId| accepts(&program.functions[**callee], arguments.len());
                let callees = address_taken.iter().filter(callable).copied().collect();
                CallSite { edge, callees, indirect: true }
            }
        });
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
