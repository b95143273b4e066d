//! The settings of the engine, and how it presents itself.

use super::attempt::JoinChoice;
use super::modular::ContractUse;
use super::roles::{self, ShapeChoice};
use super::{TvlEngine, draw};
use crate::join::Join;
use crate::symbolic::step::Transformer;
use heapwise_engine::{
    Dumps, Elsewhere, EngineEntry, InAuto, Invariants, NamedValue, Parts, Setting, SettingValues, Values,
};

/// Settings of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How structures of one location are joined.
    pub join: JoinChoice,
    /// Which predicates.
    pub shape: ShapeChoice,
    /// What contracts are for.
    pub contracts: ContractUse,
    /// How steps are taken.
    pub transformer: Transformer,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            join: JoinChoice::Automatic,
            shape: ShapeChoice::Inferred,
            contracts: ContractUse::Modular,
            transformer: Transformer::FocusAndCoerce,
        }
    }
}

impl TvlEngine {
    fn from_values(values: &SettingValues) -> TvlEngine {
        let settings = Settings {
            join: values.get(&JOIN),
            shape: values.get(&SHAPE),
            contracts: values.get(&CONTRACTS),
            transformer: values.get(&TRANSFORMER),
        };
        TvlEngine { settings }
    }
}

static SHAPE: Setting<ShapeChoice> = Setting {
    name: "shape",
    help: "Which predicates the engine tvl uses for records that link to themselves",
    values: Values::OneOf(&[
        NamedValue {
            name: "auto",
            help: "From the record types, the claims of the program, and the way it stores pointers",
            means: ShapeChoice::Inferred,
        },
        NamedValue { name: "sll", help: "Singly-linked lists", means: ShapeChoice::SinglyLinked },
        NamedValue { name: "dll", help: "Doubly-linked lists", means: ShapeChoice::DoublyLinked },
        NamedValue { name: "cyclic", help: "Cyclic lists", means: ShapeChoice::Cyclic },
        NamedValue { name: "tree", help: "Trees", means: ShapeChoice::Tree },
        NamedValue { name: "tree-parent", help: "Trees with parent pointers", means: ShapeChoice::TreeWithParent },
    ]),
    elsewhere: Elsewhere::Lacking("predicates to choose"),
};

static JOIN: Setting<JoinChoice> = Setting {
    name: "join",
    help: "How the engine tvl keeps the structures of one location together",
    values: Values::OneOf(&[
        NamedValue {
            name: "auto",
            help: "Partial; where that leaves a doubt, relational as well",
            means: JoinChoice::Automatic,
        },
        NamedValue { name: "relational", help: "Every structure apart", means: JoinChoice::Fixed(Join::Relational) },
        NamedValue {
            name: "partial",
            help: "Structures with the same canonical names, and the same facts about the cells of variables, together",
            means: JoinChoice::Fixed(Join::Partial),
        },
        NamedValue { name: "single", help: "All together in one", means: JoinChoice::Fixed(Join::Single) },
    ]),
    elsewhere: Elsewhere::Ignored,
};

static CONTRACTS: Setting<ContractUse> = Setting {
    name: "contracts",
    help: "What the engine tvl makes of `hw_requires` and `hw_ensures`",
    values: Values::OneOf(&[
        NamedValue {
            name: "modular",
            help: "Each body is checked against its contract, and calls go by the contract alone",
            means: ContractUse::Modular,
        },
        NamedValue {
            name: "trust",
            help: "Calls go by the contract, and bodies are taken to keep theirs: a client by itself",
            means: ContractUse::Trusted,
        },
        NamedValue {
            name: "ignore",
            help: "Contracts are not looked at, calls are followed into the bodies",
            means: ContractUse::Ignored,
        },
    ]),
    elsewhere: Elsewhere::Ignored,
};

static TRANSFORMER: Setting<Transformer> = Setting {
    name: "transformer",
    help: "How the engine tvl takes its steps",
    values: Values::OneOf(&[
        NamedValue { name: "usual", help: "Focus, coerce and update", means: Transformer::FocusAndCoerce },
        NamedValue {
            name: "best",
            help: "As precisely as satisfiability can tell: on exactly the structures that heaps have",
            means: Transformer::Best,
        },
    ]),
    elsewhere: Elsewhere::Lacking("best transformers"),
};

/// The engine `tvl`, as it presents itself.
pub static ENTRY: EngineEntry = EngineEntry {
    name: "tvl",
    help: "3-valued structures: singly and doubly linked lists, rings, trees, contracts, recursion",
    auto: InAuto::Asked,
    settings: &[&SHAPE, &JOIN, &CONTRACTS, &TRANSFORMER],
    make: |values| Box::new(TvlEngine::from_values(values)),
    dumps: Dumps {
        program: Some(|values, program, options, control| {
            TvlEngine::from_values(values).translation(program, options, control).text(program)
        }),
        invariants: Some(|values, program, options, control| {
            let engine = TvlEngine::from_values(values);
            let analysed = engine.analyse(program, options, control);
            let misfit = roles::misfit(&analysed.translation.program, engine.settings.shape);
            Invariants { places: draw::invariants(&analysed, program), notes: misfit.into_iter().collect() }
        }),
    },
    parts: Parts::OneEntry,
};
