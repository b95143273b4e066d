//! The rows of Linux: parts of block/mq-deadline.c and fs/afs/server.c, read from Debian's package, each with a driver and an
//! environment of ours (`benchmarks/overlay/linux`).
//!
//! What a row proves is what its driver lets happen. The functions of Linux that were reached, and every function that stands
//! in for one of Linux, are printed. Mutants are the same files with one text replaced: none of them may be called safe.

use super::{Measured, finish, measured, seconds, trans, verdict};
use crate::BenchError;
use crate::corpus::{LinuxSource, SourceUnit};
use crate::table::Table;
use cpu_time::ProcessTime;
use heapwise_cfront::{Flags, FrontOptions, Unit};
use heapwise_engine::{Budget, Cancel, Control, Engine, Options as Question, Verdict};
use heapwise_ir::{Function, Program};
use heapwise_models::Models;
use heapwise_overlay::engine::OverlayEngine;
use heapwise_overlay::product::solve::Mode;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A driver.
struct LinuxProgram {
    name: &'static str,
    driver: &'static str,
    /// The file of Linux that the driver includes.
    included: &'static str,
    /// Files of Linux that are linked with it.
    linked: &'static [&'static str],
    /// Groups of fields.
    groups: &'static str,
    mutants: &'static [Mutant],
}

/// One text of the included file in the place of another.
struct Mutant {
    name: &'static str,
    from: &'static str,
    to: &'static str,
}

/// Links of lists, and those of trees.
const LISTS: &str = "list_head.next+list_head.prev";
const TREES: &str = "rb_node.rb_left+rb_node.rb_right+rb_node.__rb_parent_color";
const BOTH: &str = "list_head.next+list_head.prev,rb_node.rb_left+rb_node.rb_right+rb_node.__rb_parent_color";

const ENVIRONMENTS: [(&str, &str); 2] = [
    ("deadline-environment.h", include_str!("../../../../benchmarks/overlay/linux/deadline-environment.h")),
    ("afs-environment.h", include_str!("../../../../benchmarks/overlay/linux/afs-environment.h")),
];

const PROGRAMS: [LinuxProgram; 5] = [
    LinuxProgram {
        name: "list.h",
        driver: include_str!("../../../../benchmarks/overlay/linux/list.c"),
        included: "include/linux/list.h",
        linked: &[],
        groups: LISTS,
        mutants: &[],
    },
    LinuxProgram {
        name: "mq-deadline, dispatch list",
        driver: include_str!("../../../../benchmarks/overlay/linux/deadline-dispatch.c"),
        included: "block/mq-deadline.c",
        linked: &["block/elevator.c", "lib/rbtree.c"],
        groups: BOTH,
        mutants: &[
            Mutant {
                name: "a dispatched request stays on its list",
                from: "\t\tlist_del_init(&rq->queuelist);\n\t\tgoto done;",
                to: "\t\tgoto done;",
            },
            Mutant {
                name: "an inserted request is put on no list",
                from: "\t\tlist_add(&rq->queuelist, &per_prio->dispatch);\n",
                to: "",
            },
            Mutant {
                name: "dispatch lists without a first ring",
                from: "\t\tINIT_LIST_HEAD(&per_prio->dispatch);\n",
                to: "",
            },
            Mutant {
                name: "the scheduler's data are freed twice",
                from: "\tkfree(dd);\n}",
                to: "\tkfree(dd);\n\tkfree(dd);\n}",
            },
            Mutant { name: "the scheduler's data are lost", from: "\tkfree(dd);\n}", to: "}" },
        ],
    },
    LinuxProgram {
        name: "afs server, reference counts",
        driver: include_str!("../../../../benchmarks/overlay/linux/afs-counts.c"),
        included: "fs/afs/server.c",
        linked: &["lib/rbtree.c"],
        groups: BOTH,
        mutants: &[
            Mutant {
                name: "a server begins with two references",
                from: "refcount_set(&server->ref, 1);",
                to: "refcount_set(&server->ref, 2);",
            },
            Mutant {
                name: "a use takes no reference",
                from: "\t__refcount_inc(&server->ref, &r);\n\ta = atomic_inc_return(&server->active);",
                to: "\tr = 1;\n\ta = atomic_inc_return(&server->active);",
            },
            Mutant {
                name: "the addresses of a server are lost",
                from: "\tafs_put_addrlist(rcu_access_pointer(server->addresses));\n\tkfree(server);",
                to: "\tkfree(server);",
            },
            Mutant {
                name: "a server is freed before its addresses",
                from: "\tafs_put_addrlist(rcu_access_pointer(server->addresses));\n\tkfree(server);",
                to: "\tkfree(server);\n\tafs_put_addrlist(rcu_access_pointer(server->addresses));",
            },
        ],
    },
    LinuxProgram {
        name: "rbtree, insertion",
        driver: include_str!("../../../../benchmarks/overlay/linux/rbtree-insert.c"),
        included: "lib/rbtree.c",
        linked: &[],
        groups: TREES,
        mutants: &[
            Mutant { name: "the root stays red", from: "\t\t\trb_set_parent_color(node, NULL, RB_BLACK);\n", to: "" },
            Mutant {
                name: "a rotation forgets a parent",
                from: "\tnew->__rb_parent_color = old->__rb_parent_color;\n",
                to: "",
            },
            Mutant {
                name: "a red parent counts as black",
                from: "\t\tif(rb_is_black(parent))\n",
                to: "\t\tif(rb_is_red(parent))\n",
            },
        ],
    },
    LinuxProgram {
        name: "rbtree, any order",
        driver: include_str!("../../../../benchmarks/overlay/linux/rbtree-any-order.c"),
        included: "lib/rbtree.c",
        linked: &[],
        groups: TREES,
        mutants: &[],
    },
];

/// Prints the table, what it rests on, and the mutants.
pub(super) fn run(
    corpus: &Path,
    (directory, time): (&Path, u64),
    chosen: &dyn Fn(&str) -> bool,
    out: &mut dyn Write,
) -> Result<(), BenchError> {
    let mut table = Table::new(&[
        "program",
        "lines",
        "functions",
        "one group s",
        "verdict",
        "coupled s",
        "verdict",
        "product s",
        "verdict",
        "trans",
    ]);
    let mut mutants = Table::new(&["program", "mutant", "s", "verdict"]);
    let mut notes: Vec<String> = Vec::new();
    for program in PROGRAMS.iter().filter(|program| chosen(program.name)) {
        let source = LinuxSource::obtain(corpus)?;
        let sources = tempfile::tempdir().map_err(BenchError::file(Path::new("a temporary directory")))?;
        let loaded = program.load(&source, sources.path(), None)?;
        let single = alone(&loaded, time);
        let (_, n_trans) = trans(&loaded, program.groups);
        let coupled = measured(&loaded, program.groups, Mode::Coupled, time);
        let product = measured(&loaded, program.groups, Mode::Product, time);
        let reached = single.outcome.reached.iter().map(|id| &loaded.functions[*id]);
        let (of_linux, ours): (Vec<&Function>, Vec<&Function>) = reached
            .filter(|function| function.automaton().is_some())
            .partition(|function| file_of(&loaded, function).is_some_and(|file| file.starts_with(source.directory())));
        table.push(vec![
            program.name.to_owned(),
            lines_of(&loaded, &of_linux).to_string(),
            of_linux.len().to_string(),
            seconds(single.time),
            verdict(&single.outcome),
            seconds(coupled.time),
            verdict(&coupled.outcome),
            seconds(product.time),
            verdict(&product.outcome),
            n_trans.to_string(),
        ]);
        notes.push(format!("{}: functions of Linux reached: {}", program.name, names(&of_linux)));
        notes.push(format!("{}: assumed (ours): {}", program.name, names(&ours)));
        for mutant in program.mutants {
            let sources = tempfile::tempdir().map_err(BenchError::file(Path::new("a temporary directory")))?;
            let mutated = program.load(&source, sources.path(), Some(mutant))?;
            let found = alone(&mutated, time);
            let verdict = match found.outcome.verdict() {
                Verdict::Safe => "SAFE: missed".to_owned(),
                Verdict::Unsafe | Verdict::Unknown => verdict(&found.outcome),
            };
            mutants.push(vec![program.name.to_owned(), mutant.name.to_owned(), seconds(found.time), verdict]);
        }
    }
    writeln!(out)?;
    finish(&table, &directory.join("overlay-linux.csv"), out)?;
    for note in notes {
        writeln!(out, "{note}")?;
    }
    writeln!(out)?;
    finish(&mutants, &directory.join("overlay-linux-mutants.csv"), out)
}

impl LinuxProgram {
    /// The driver with what it includes, perhaps mutated.
    fn load(&self, source: &LinuxSource, directory: &Path, mutant: Option<&Mutant>) -> Result<Program, BenchError> {
        let write = |name: &str, text: &str| -> Result<PathBuf, BenchError> {
            let path = directory.join(name);
            std::fs::write(&path, text).map_err(BenchError::file(&path))?;
            Ok(path)
        };
        for (name, text) in ENVIRONMENTS {
            write(name, text)?;
        }
        let included = source.directory().join(self.included);
        if let Some(mutant) = mutant {
            let text = std::fs::read_to_string(&included).map_err(BenchError::file(&included))?;
            if !text.contains(mutant.from) {
                let why = format!("nothing to mutate for \"{}\": another version of Linux?", mutant.name);
                return Err(BenchError::File { path: included, source: std::io::Error::other(why) });
            }
            // Beside the driver it is found first.
            let name = included.file_name().unwrap_or_default().to_string_lossy().into_owned();
            write(&name, &text.replacen(mutant.from, mutant.to, 1))?;
        }
        let driver = write("driver.c", self.driver)?;
        let mut units = vec![source.unit(&driver, &included)];
        units.extend(self.linked.iter().map(|file| {
            let path = source.directory().join(file);
            source.unit(&path, &path)
        }));
        let units: Vec<Unit> = units.iter().map(unit).collect::<Result<_, _>>()?;
        let options = FrontOptions { entries: vec!["main".into()], ..FrontOptions::default() };
        match heapwise_cfront::load(&units, &options, &Models::shipped()) {
            Ok(loaded) => Ok(loaded.program),
            Err(diagnostics) => {
                let first =
                    diagnostics.first().map_or("refused without a word".to_owned(), |first| first.message.clone());
                Err(BenchError::File { path: driver, source: std::io::Error::other(first) })
            }
        }
    }
}

fn unit(unit: &SourceUnit) -> Result<Unit, BenchError> {
    let flags = Flags::from_arguments(unit.arguments.iter().map(String::as_str), &unit.directory);
    let flags = flags.map_err(|refused| BenchError::File {
        path: unit.path.clone(),
        source: std::io::Error::other(refused.to_string()),
    })?;
    Ok(Unit { path: unit.path.clone(), flags })
}

/// The general engine, with one group.
fn alone(program: &Program, time: u64) -> Measured {
    let Some(main) = program.function_named("main") else {
        return Measured { outcome: heapwise_engine::Outcome::default(), time: Duration::ZERO };
    };
    let control =
        Control::start(Budget { time: Some(Duration::from_secs(time)), ..Budget::default() }, Cancel::default());
    let start = ProcessTime::now();
    let outcome = OverlayEngine.check(program, &Question::new(main), &control);
    Measured { outcome, time: start.elapsed() }
}

fn file_of<'p>(program: &'p Program, function: &Function) -> Option<&'p Path> {
    Some(Path::new(&program.files[function.span.file?].path))
}

/// Lines with an instruction of one of the functions.
fn lines_of(program: &Program, functions: &[&Function]) -> usize {
    let mut lines = BTreeSet::new();
    for function in functions {
        let edges = function.automaton().into_iter().flat_map(|automaton| automaton.edges.values());
        lines.extend(edges.filter_map(|edge| Some((file_of(program, function)?, edge.span.line))));
    }
    lines.len()
}

fn names(functions: &[&Function]) -> String {
    let mut names: Vec<&str> = functions.iter().map(|function| function.name.as_str()).collect();
    names.sort_unstable();
    names.join(", ")
}
