//! How the time of the engine `region` grows with a program: copies of one program, linked together under other names.

use crate::copies::copies_of;
use crate::memory;
use crate::region::timed;
use crate::table::{Table, percent};
use heapwise_engine::SiteExtent;
use heapwise_ir::entity::PrimaryMap;
use heapwise_ir::{Automaton, Body, Callee, Function, FunctionId, Instruction, Operand, Program, Register, Span};

/// A table of it, without rows.
pub(crate) fn table() -> Table {
    Table::new(&[
        "target",
        "copies",
        "KLOC",
        "sites",
        "fully analysed",
        "ended",
        "seconds",
        "memory (MB)",
        "s/KLOC",
        "of linear",
    ])
}

/// A row for 1, 4, 16 ... copies up to a number. One copy is the measure.
pub(crate) fn rows(
    target: &str,
    (program, main): (&Program, FunctionId),
    n_lines: u64,
    most: usize,
    table: &mut Table,
) {
    let mut of_one = None;
    let mut n_copies = 1;
    while n_copies <= most {
        let mut copies = copies_of(program, n_copies);
        let entry = any_of(&mut copies, main, n_copies, program.functions.len());
        let (outcome, regions, shapes) = timed(&copies, entry);
        let seconds = regions + shapes;
        let linear = *of_one.get_or_insert(seconds) * n_copies as f64;
        let full = outcome.sites.iter().filter(|site| site.extent == SiteExtent::Full).count();
        let thousands = (n_lines * n_copies as u64) as f64 / 1000.0;
        table.push(vec![
            target.to_owned(),
            n_copies.to_string(),
            format!("{thousands:.1}"),
            outcome.sites.len().to_string(),
            percent(full as u64, outcome.sites.len() as u64),
            if outcome.stopped.is_none() { "yes" } else { "no" }.to_owned(),
            format!("{seconds:.1}"),
            memory::peak_bytes().map_or_else(|| "?".to_owned(), |bytes| (bytes >> 20).to_string()),
            format!("{:.3}", seconds / thousands),
            format!("{:.2}", seconds / linear),
        ]);
        n_copies *= 4;
    }
}

/// Adds a function that calls one of the copies of `main`, whichever.
fn any_of(program: &mut Program, main: FunctionId, n_copies: usize, n_functions: usize) -> FunctionId {
    let declared = &program.functions[main];
    let mut registers: PrimaryMap<_, Register> = PrimaryMap::new();
    let parameters: Vec<_> =
        declared.parameters.iter().map(|parameter| registers.push(declared.registers[*parameter].clone())).collect();
    let result = declared.result.map(|result| registers.push(declared.registers[result].clone()));
    let arguments: Vec<Operand> = parameters.iter().map(|parameter| Operand::Register(*parameter)).collect();
    let mut automaton = Automaton::new();
    for copy in 0..n_copies {
        let callee = FunctionId::from_u32((copy * n_functions) as u32 + main.as_u32());
        let call = Instruction::Call { target: result, callee: Callee::Direct(callee), arguments: arguments.clone() };
        automaton.add_edge(automaton.entry, automaton.exit, call, Span::NONE);
    }
    program.functions.push(Function {
        name: "one of the copies".to_owned(),
        span: Span::NONE,
        registers,
        parameters,
        result,
        variadic: false,
        address_taken: false,
        body: Body::Defined(automaton),
    })
}
