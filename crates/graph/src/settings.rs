//! The settings of the engine, and how it presents itself.

use crate::draw;
use crate::engine::GraphEngine;
use heapwise_engine::{
    Dumps, Elsewhere, EngineEntry, InAuto, Invariants, NamedValue, Parts, Setting, SettingValues, Values,
};

/// What a location holds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Mode {
    /// A set of whole shape graphs.
    Full,
    /// A set of atomic subgraphs.
    #[default]
    Decomposed,
}

/// What happens to a finding before it is reported.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Feasibility {
    /// Only weak feasibility, as in the paper.
    Weak,
    /// Exact feasibility at findings; correlations that a finding needs are tracked.
    #[default]
    Exact,
}

/// Settings of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Settings {
    /// Whole or decomposed.
    pub mode: Mode,
    /// How findings are checked.
    pub feasibility: Feasibility,
}

impl Settings {
    fn from_values(values: &SettingValues) -> Settings {
        Settings { mode: values.get(&MODE), feasibility: values.get(&FEASIBILITY) }
    }
}

static MODE: Setting<Mode> = Setting {
    name: "mode",
    help: "What the engine graph keeps per location: whole shape graphs, or their parts",
    values: Values::OneOf(&[
        NamedValue {
            name: "decomposed",
            help: "Connected components, and single facts about null",
            means: Mode::Decomposed,
        },
        NamedValue { name: "full", help: "Whole shape graphs", means: Mode::Full },
    ]),
    elsewhere: Elsewhere::Ignored,
};

static FEASIBILITY: Setting<Feasibility> = Setting {
    name: "no-feasibility",
    help: "Report what the engine graph finds without checking whether parts of heaps fit together (for comparison)",
    values: Values::Switch { off: Feasibility::Exact, on: Feasibility::Weak },
    elsewhere: Elsewhere::Ignored,
};

/// The engine `graph`, as it presents itself.
pub static ENTRY: EngineEntry = EngineEntry {
    name: "graph",
    help: "shape graphs: programs with singly linked lists of any length",
    auto: InAuto::Asked,
    settings: &[&MODE, &FEASIBILITY],
    make: |values| Box::new(GraphEngine { settings: Settings::from_values(values) }),
    dumps: Dumps {
        program: Some(|_, program, options, control| GraphEngine::translation(program, options, control).text(program)),
        invariants: Some(|values, program, options, control| {
            let engine = GraphEngine { settings: Settings::from_values(values) };
            let places = draw::invariants(&engine.analyse(program, options, control), program);
            Invariants { places, notes: Vec::new() }
        }),
    },
    parts: Parts::OneEntry,
};
