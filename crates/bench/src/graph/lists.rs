//! The paper's running example, generalised to k lists.

use super::plot::Series;
use super::{load, solve, write};
use crate::BenchError;
use crate::table::Table;
use heapwise_graph::{Analysis, Mode};
use heapwise_ir::Program;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// Full mode has 3^k graphs at the loop head.
const MOST_FULL: usize = 8;

/// Each row is the best of as many runs as fit, in rounds: the same time for each, so that noise hits short and long ones
/// alike, and at different times, so that it does not hit all runs of one.
const MEASURED_FOR: Duration = Duration::from_millis(100);
const ROUNDS: usize = 5;

const MODES: [Mode; 2] = [Mode::Full, Mode::Decomposed];

/// The program for k lists.
pub fn enqueue_events(k: usize) -> String {
    let mut text = String::from("#include \"list.h\"\n\nint main(void)\n{\n");
    for i in 1..=k {
        let _ = writeln!(text, "    struct node *h{i} = new_node(NULL);\n    struct node *t{i} = h{i};");
    }
    text += "    while (__VERIFIER_nondet_int()) { /* the loop head */\n";
    text += "        struct node *temp = new_node(NULL);\n        switch (__VERIFIER_nondet_int()) {\n";
    for i in 1..=k {
        let label = if i == k { "default".to_owned() } else { format!("case {i}") };
        let _ = writeln!(
            text,
            "        {label}:\n            t{i}->next = temp;\n            t{i} = temp;\n            break;"
        );
    }
    text += "        }\n    }\n";
    for i in 1..=k {
        let _ = writeln!(text, "    hw_assert_reach(h{i}, t{i});");
    }
    for i in 1..=k {
        let _ = writeln!(text, "    free_list(h{i});");
    }
    text + "    return 0;\n}\n"
}

/// What one mode gives for k lists.
struct AtHead {
    /// Elements with a cell at the loop head.
    with_cell: usize,
    /// Other elements there.
    facts: usize,
    /// The most lists that one of them names.
    most_lists: usize,
    /// Elements over all locations, without the empty one.
    elements: u64,
    locations: u64,
    /// Time of the fixpoint, best of several.
    time: Duration,
}

impl AtHead {
    /// What the fixpoint has pushed on: the empty subgraph, which says that a location is reached, is an element of each.
    fn pairs(&self) -> u64 {
        self.elements + self.locations
    }
}

/// The table, and its plot.
pub(super) fn table(most: usize, directory: &Path) -> Result<(Table, Vec<Series>), BenchError> {
    let mut table = Table::new(&[
        "k",
        "mode",
        "at the loop head",
        "expected",
        "facts there",
        "lists per element",
        "locations",
        "elements",
        "empty ones",
        "seconds",
        "ns per (location, element)",
    ]);
    let (mut full, mut decomposed) = (Vec::new(), Vec::new());
    let ks = [1, 2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 40];
    let mut programs = Vec::new();
    for k in ks.into_iter().filter(|k| *k <= most) {
        let text = enqueue_events(k);
        let path = directory.join(format!("enqueueEvents_{k}.c"));
        write(&path, &text)?;
        let head_line = text.lines().position(|line| line.contains("the loop head")).map_or(0, |line| line as u32 + 1);
        programs.push((k, load(&path, directory)?, head_line));
    }
    let mut best: Vec<[Option<(Duration, Analysis)>; 2]> = programs.iter().map(|_| [None, None]).collect();
    for _ in 0..ROUNDS {
        for ((k, program, _), best) in programs.iter().zip(&mut best) {
            for (mode, best) in MODES.into_iter().zip(best) {
                if mode == Mode::Decomposed || *k <= MOST_FULL {
                    improve(program, mode, best);
                }
            }
        }
    }
    for ((k, program, head_line), best) in programs.into_iter().zip(best) {
        for (mode, best) in MODES.into_iter().zip(best) {
            let Some((time, analysis)) = best else { continue };
            let Some(found) = at_head(&program, &analysis, head_line, time) else { continue };
            let (name, expected, series) = match mode {
                Mode::Full => ("full", 3usize.pow(k as u32), &mut full),
                Mode::Decomposed => ("decomposed", 3 * k, &mut decomposed),
            };
            series.push((k as f64, found.with_cell as f64));
            table.push(vec![
                k.to_string(),
                name.to_owned(),
                found.with_cell.to_string(),
                expected.to_string(),
                found.facts.to_string(),
                found.most_lists.to_string(),
                found.locations.to_string(),
                found.elements.to_string(),
                found.locations.to_string(),
                format!("{:.5}", found.time.as_secs_f64()),
                format!("{:.0}", found.time.as_nanos() as f64 / found.pairs().max(1) as f64),
            ]);
        }
    }
    Ok((table, vec![Series { name: "full", points: full }, Series { name: "decomposed", points: decomposed }]))
}

/// Solves for a while, and keeps the fastest.
fn improve(program: &Program, mode: Mode, best: &mut Option<(Duration, Analysis)>) {
    let whole = Instant::now();
    while best.is_none() || whole.elapsed() < MEASURED_FOR {
        let Some((time, analysis)) = solve(program, mode) else { return };
        if best.as_ref().is_none_or(|(best, _)| time < *best) {
            *best = Some((time, analysis));
        }
    }
}

fn at_head(program: &Program, analysis: &Analysis, head_line: u32, time: Duration) -> Option<AtHead> {
    let main = program.function_named("main")?;
    let automaton = program.functions[main].automaton()?;
    let head = automaton
        .outgoing
        .iter()
        .find(|(_, edges)| edges.first().is_some_and(|edge| automaton.edges[*edge].span.line == head_line))?;
    let point = *analysis.translation.points.get(&(0, head.0))?;
    let mut found = AtHead {
        with_cell: 0,
        facts: 0,
        most_lists: 0,
        elements: analysis.fixpoint.n_elements,
        locations: analysis.fixpoint.n_reached(),
        time,
    };
    for id in analysis.fixpoint.elements(point) {
        if !analysis.store.has_cell(id) {
            found.facts += 1;
            continue;
        }
        found.with_cell += 1;
        let names = analysis.store.vars(id).iter().map(|var| analysis.translation.program.var_name(*var));
        let mut lists: Vec<&str> = names.map(|name| name.trim_start_matches(['h', 't'])).collect();
        lists.sort_unstable();
        lists.dedup();
        found.most_lists = found.most_lists.max(lists.len());
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::super::programs;

    #[test]
    fn the_loop_head_holds_three_to_the_k_graphs_or_three_k_subgraphs() {
        let sources = programs::unpack().expect("a temporary directory");
        let (table, _) = super::table(10, sources.path()).expect("the generated programs are read");
        let mut csv = Vec::new();
        table.write_csv(&mut csv).expect("memory does not fail");
        let csv = String::from_utf8(csv).expect("text");
        assert_eq!(csv.lines().count(), 1 + 8 + 9);
        for line in csv.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells[2], cells[3], "elements at the loop head: {line}");
            if cells[1] == "decomposed" {
                assert_eq!(cells[5], "1", "an element names two lists: {line}");
            }
        }
    }
}
