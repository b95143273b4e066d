//! The one list of all engines, and choosing among them.

use heapwise_engine::registry::AnySetting;
use heapwise_engine::{Engine, EngineEntry, InAuto, SettingValues};

/// A list of engines to choose from. What can be said about them (names, help, settings, dumps) comes from their entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Engines(&'static [&'static EngineEntry]);

impl Engines {
    /// Every engine, in the order in which `auto` asks them. A new engine is one line here, and nothing elsewhere.
    pub const ALL: Engines = Engines(&[
        &heapwise_graph::ENTRY,
        &heapwise_tvl::check::ENTRY,
        &heapwise_overlay::ENTRY,
        &heapwise_region::ENTRY,
        &heapwise_refine::ENTRY,
        &heapwise_interp::ENTRY,
    ]);

    /// A list of one's own.
    pub const fn new(entries: &'static [&'static EngineEntry]) -> Engines {
        Engines(entries)
    }

    /// The entries, in order.
    pub fn entries(self) -> &'static [&'static EngineEntry] {
        self.0
    }

    /// The choice of that name: `auto`, or the name of an engine.
    pub fn named(self, name: &str) -> Option<EngineChoice> {
        if name == AUTO {
            return Some(EngineChoice::Auto(self));
        }
        self.0.iter().find(|entry| entry.name == name).map(|entry| EngineChoice::One(entry))
    }

    /// All names that [`Engines::named`] knows.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        std::iter::once(AUTO).chain(self.0.iter().map(|entry| entry.name))
    }

    /// The settings of all of them, each once.
    pub fn settings(self) -> Vec<&'static dyn AnySetting> {
        let mut settings: Vec<&'static dyn AnySetting> = Vec::new();
        for setting in self.0.iter().flat_map(|entry| entry.settings) {
            if !settings.iter().any(|known| known.name() == setting.name()) {
                settings.push(*setting);
            }
        }
        settings
    }

    /// The setting of that name.
    pub fn setting(self, name: &str) -> Option<&'static dyn AnySetting> {
        self.settings().into_iter().find(|setting| setting.name() == name)
    }

    /// Those of which something can be dumped.
    pub fn with_dumps(self) -> impl Iterator<Item = &'static EngineEntry> {
        self.0.iter().copied().filter(|entry| !entry.dumps.is_empty())
    }
}

const AUTO: &str = "auto";

/// Which engines are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineChoice {
    /// All of a list that are asked without being named, until one decides.
    Auto(Engines),
    /// This one.
    One(&'static EngineEntry),
}

impl EngineChoice {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            EngineChoice::Auto(_) => AUTO,
            EngineChoice::One(entry) => entry.name,
        }
    }

    /// The entries of the engines to ask, in order.
    pub fn entries(self) -> Vec<&'static EngineEntry> {
        match self {
            EngineChoice::Auto(engines) => {
                engines.0.iter().copied().filter(|entry| entry.auto == InAuto::Asked).collect()
            }
            EngineChoice::One(entry) => vec![entry],
        }
    }

    /// The engines to ask, in order.
    pub(crate) fn engines(self, settings: &SettingValues) -> Vec<Box<dyn Engine>> {
        self.entries().into_iter().map(|entry| (entry.make)(settings)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_listed_under_the_name_it_gives_itself() {
        for entry in Engines::ALL.entries() {
            assert_eq!(entry.name, (entry.make)(&SettingValues::default()).name());
        }
    }

    #[test]
    fn a_name_is_one_engine_or_one_setting_and_defaults_are_values() {
        let mut names: Vec<&str> = Engines::ALL.names().collect();
        let settings = Engines::ALL.entries().iter().flat_map(|entry| entry.settings);
        for setting in settings {
            assert!(setting.accepts(setting.default_text()), "{}", setting.name());
            names.push(setting.name());
        }
        let n_names = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n_names, "{names:?}");
    }
}
