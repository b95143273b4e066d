//! Functions that run without anybody calling them: before `main` (`constructor`) and when the program ends (`destructor`).
//!
//! They become calls: the first ones at the head of the function that execution starts in, the last ones behind its end and before
//! each `exit`. Those with a number come in its order, those without behind them; equal ones in the order of files and text. At the end it is
//! the other way round.

use crate::adapter::{DeclId, Linkage, Priority, all_declarations};
use crate::link::Linker;
use crate::unit::UnitContext;
use heapwise_ir::{
    AnyAddressTaken, Automaton, Body, CallGraph, Callee, Construct, EdgeId, FunctionId, Instruction, LocationId,
    Program, Span, Termination,
};
use rustc_hash::FxHashSet;

/// Sections whose pointers the start-up code calls; their names may go on (`.init_array.00101`).
const CALLED_SECTIONS: [&str; 7] =
    [".preinit_array", ".init_array", ".ctors", ".fini_array", ".dtors", ".init", ".fini"];

/// Functions that ask to be called at the end, too: in which order, this module does not say.
const REGISTER_HANDLERS: [&str; 4] = ["atexit", "on_exit", "__cxa_atexit", "at_quick_exit"];

/// A function that runs by itself, and where it says so.
#[derive(Clone, Copy, Debug)]
struct Automatic {
    rank: u32,
    function: FunctionId,
    span: Span,
}

/// The functions that run by themselves.
#[derive(Default, Debug)]
pub(crate) struct Startup {
    before: Vec<Automatic>,
    after: Vec<Automatic>,
    /// What the start-up code calls otherwise.
    elsewhere: Vec<Span>,
}

impl Startup {
    /// Finds them, and has them lowered.
    pub(crate) fn find(link: &mut Linker<'_>, contexts: &mut [UnitContext<'_>]) -> Startup {
        let mut found = Startup::default();
        for context in contexts {
            let tast = &context.source.tast;
            // Objects within functions are in such sections, too.
            for decl in all_declarations(tast) {
                if tast.section(decl).is_some_and(|name| is_called_section(&context.string_text(name))) {
                    let span = context.span(link, tast.decl_span(decl));
                    found.elsewhere.push(span);
                }
            }
            let mut seen: FxHashSet<DeclId> = FxHashSet::default();
            for &decl in tast.top_level() {
                if !seen.insert(decl) {
                    continue;
                }
                let declared = &tast[decl];
                let is_emitted = declared.linkage != Linkage::External || declared.inline.emits();
                if declared.body.is_none() || !is_emitted || !declared.startup.asked() {
                    continue;
                }
                let span = context.span(link, tast.decl_span(decl));
                let function = context.function(link, decl);
                let automatic = |priority| Automatic { rank: rank(priority), function, span };
                found.before.extend(declared.startup.before.map(automatic));
                found.after.extend(declared.startup.after.map(automatic));
            }
        }
        found.before.sort_by_key(|automatic| automatic.rank);
        found.after.sort_by_key(|automatic| automatic.rank);
        found.after.reverse();
        found
    }

    /// Puts the calls in, once all is lowered. `entry`: where execution starts; without it, or where only a caller that is not here
    /// knows when the program ends, they are gaps of the program.
    pub(crate) fn attach(self, program: &mut Program, entry: Option<FunctionId>) {
        let gaps = |spans: &mut dyn Iterator<Item = Span>| -> Vec<_> {
            spans.map(|span| (span, Construct::Constructor.into())).collect()
        };
        program.gaps.extend(gaps(&mut self.elsewhere.iter().copied()));
        let Some(entry) = entry else {
            program.gaps.extend(gaps(&mut self.before.iter().chain(&self.after).map(|automatic| automatic.span)));
            return;
        };
        let is_main = program.functions[entry].name == "main";
        if !self.after.is_empty() && !is_main {
            program.gaps.extend(gaps(&mut self.after.iter().map(|automatic| automatic.span)));
        } else if !self.after.is_empty() {
            let last = ending(program, entry, &self.after);
            put_at_the_end(program, entry, &last);
        }
        let unfollowed = self.elsewhere.first().copied();
        let begins_again = called_again(program, entry).then(|| self.before.first().map(|first| first.span)).flatten();
        let first = match unfollowed.or(begins_again) {
            Some(span) => vec![(refusal(), span)],
            None => self.before.iter().map(|automatic| call(program, automatic)).collect(),
        };
        if let Body::Defined(automaton) = &mut program.functions[entry].body
            && !first.is_empty()
        {
            let start = automaton.add_location();
            let end = automaton.entry;
            chain(automaton, start, &first, end);
            automaton.entry = start;
        }
    }
}

/// The place of a function in the order of its kind.
fn rank(priority: Priority) -> u32 {
    match priority {
        Priority::Numbered(number) => u32::from(number),
        Priority::Unnumbered => u32::MAX,
    }
}

fn is_called_section(name: &str) -> bool {
    CALLED_SECTIONS
        .iter()
        .any(|known| name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

fn refusal() -> Instruction {
    Instruction::Unsupported(Construct::Constructor.into())
}

/// The call of a function that runs by itself. What the start-up code hands to parameters is not looked at.
fn call(program: &Program, automatic: &Automatic) -> (Instruction, Span) {
    let has_parameters = !program.functions[automatic.function].parameters.is_empty();
    let callee = Callee::Direct(automatic.function);
    let call = Instruction::Call { target: None, callee, arguments: Vec::new() };
    (if has_parameters { refusal() } else { call }, automatic.span)
}

/// What happens at the end. Where others are called there too, or the end begins anew within it, that is a gap.
fn ending(program: &Program, entry: FunctionId, after: &[Automatic]) -> Vec<(Instruction, Span)> {
    let registers = program.functions.values().any(|function| {
        matches!(function.body, Body::Extern(_)) && REGISTER_HANDLERS.contains(&function.name.as_str())
    });
    let ends_anew =
        reached(program, after).iter().any(|function| ends_in_order(program, *function) || *function == entry);
    // `exit` through a pointer: nobody sees it coming.
    let is_hidden = program.functions.iter().any(|(id, function)| function.address_taken && ends_in_order(program, id));
    match after.first() {
        Some(first) if registers || ends_anew || is_hidden || called_again(program, entry) => {
            vec![(refusal(), first.span)]
        }
        Some(_) | None => after.iter().map(|automatic| call(program, automatic)).collect(),
    }
}

/// Whom functions may call in the end. Any function whose address is taken may have been stored before.
fn reached(program: &Program, from: &[Automatic]) -> FxHashSet<FunctionId> {
    let graph = CallGraph::of(program, &AnyAddressTaken);
    let mut worklist: Vec<FunctionId> = from.iter().map(|automatic| automatic.function).collect();
    let mut reached: FxHashSet<FunctionId> = worklist.iter().copied().collect();
    while let Some(function) = worklist.pop() {
        worklist.extend(graph.callees[function].iter().copied().filter(|callee| reached.insert(*callee)));
    }
    reached
}

/// Whether this is `exit` or the like.
fn ends_in_order(program: &Program, function: FunctionId) -> bool {
    match &program.functions[function].body {
        Body::Extern(effects) => effects.termination == Termination::Exits,
        Body::Defined(_) => false,
    }
}

/// Whether something calls the function that execution starts in.
fn called_again(program: &Program, entry: FunctionId) -> bool {
    let is_call = |instruction: &Instruction| matches!(instruction, Instruction::Call { callee: Callee::Direct(callee), .. } if *callee == entry);
    program.functions[entry].address_taken
        || program
            .functions
            .values()
            .filter_map(|function| function.automaton())
            .any(|automaton| automaton.edges.values().any(|edge| is_call(&edge.instruction)))
}

fn put_at_the_end(program: &mut Program, entry: FunctionId, last: &[(Instruction, Span)]) {
    let endings: FxHashSet<FunctionId> = program.functions.keys().filter(|id| ends_in_order(program, *id)).collect();
    for (id, function) in program.functions.iter_mut() {
        let Body::Defined(automaton) = &mut function.body else { continue };
        let exits: Vec<EdgeId> = automaton
            .edges
            .iter()
            .filter(|(_, edge)| {
                matches!(edge.instruction, Instruction::Call { callee: Callee::Direct(callee), .. } if endings.contains(&callee))
            })
            .map(|(edge, _)| edge)
            .collect();
        for exit in exits {
            let before = automaton.edges[exit].from;
            let ready = automaton.add_location();
            automaton.outgoing[before].retain(|edge| *edge != exit);
            automaton.edges[exit].from = ready;
            automaton.outgoing[ready].push(exit);
            chain(automaton, before, last, ready);
        }
        if id == entry {
            let (end, exit) = (automaton.exit, automaton.add_location());
            automaton.exit = exit;
            chain(automaton, end, last, exit);
        }
    }
}

/// Instructions one behind the other.
fn chain(automaton: &mut Automaton, from: LocationId, instructions: &[(Instruction, Span)], to: LocationId) {
    let mut here = from;
    for (index, (instruction, span)) in instructions.iter().enumerate() {
        let next = if index + 1 == instructions.len() { to } else { automaton.add_location() };
        automaton.add_edge(here, next, instruction.clone(), *span);
        here = next;
    }
}
