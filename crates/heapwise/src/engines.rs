//! The one list of all engines.

use heapwise_engine::Engine;

/// An engine by name, and how to make it.
type Entry = (&'static str, fn(&EngineSettings) -> Box<dyn Engine>);

/// Settings that only some engines have.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct EngineSettings {
    /// Those of `graph`.
    pub graph: heapwise_graph::Settings,
    /// Those of `tvl`.
    pub tvl: heapwise_tvl::check::Settings,
    /// Whether `explicit` goes on where its runs become too many.
    pub explicit: heapwise_interp::Persistence,
}

/// Every engine, in the order in which `auto` asks them. A new engine is one line here.
const ENGINES: &[Entry] = &[
    ("graph", |settings| Box::new(heapwise_graph::GraphEngine { settings: settings.graph })),
    ("tvl", |settings| Box::new(heapwise_tvl::check::TvlEngine { settings: settings.tvl })),
    ("explicit", |settings| {
        Box::new(heapwise_interp::Explicit { persistence: settings.explicit, ..heapwise_interp::Explicit::default() })
    }),
];

/// Which engines are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineChoice {
    /// All of them, until one decides.
    Auto,
    /// This one.
    One(EngineId),
}

/// An engine of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineId(usize);

impl EngineChoice {
    /// The choice of that name: `auto`, or the name of an engine.
    pub fn named(name: &str) -> Option<EngineChoice> {
        if name == "auto" {
            return Some(EngineChoice::Auto);
        }
        let index = ENGINES.iter().position(|(known, _)| *known == name)?;
        Some(EngineChoice::One(EngineId(index)))
    }

    /// All names that [`EngineChoice::named`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        std::iter::once("auto").chain(ENGINES.iter().map(|(name, _)| *name))
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            EngineChoice::Auto => "auto",
            EngineChoice::One(EngineId(index)) => ENGINES[index].0,
        }
    }

    /// The engines to ask, in order.
    pub(crate) fn engines(self, settings: &EngineSettings) -> Vec<Box<dyn Engine>> {
        let chosen = match self {
            EngineChoice::Auto => ENGINES,
            EngineChoice::One(EngineId(index)) => &ENGINES[index..=index],
        };
        chosen.iter().map(|(_, make)| make(settings)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_listed_under_the_name_it_gives_itself() {
        for (name, make) in ENGINES {
            assert_eq!(*name, make(&EngineSettings::default()).name());
        }
    }
}
