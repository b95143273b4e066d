//! Predicates: their names, arities, properties and definitions, and where a structure keeps their values.

pub use heapwise_logic::Arity;
use heapwise_logic::text::{Name, Names};
use heapwise_logic::{Formula, Predicate, Variable};
use indexmap::IndexMap;

/// What is declared to hold of a predicate in every concrete structure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Property {
    /// Holds of one individual at most.
    Unique,
    /// Holds of one individual at most per component connected by that predicate.
    UniquePerComponent(Predicate),
    /// A partial function.
    Function,
    /// The inverse is a partial function.
    InverseFunction,
    /// p(a,b) → p(b,a).
    Symmetric,
    /// p(a,b) ∧ p(b,a) → a = b.
    Antisymmetric,
    /// p(a,a).
    Reflexive,
    /// ¬p(a,a).
    Antireflexive,
    /// p(a,b) ∧ p(b,c) → p(a,c).
    Transitive,
    /// No cycle of one or more edges.
    Acyclic,
}

/// The defining formula of an instrumentation predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The names of its arguments.
    pub params: Vec<Variable>,
    /// What it means.
    pub formula: Formula,
}

/// How a pointer-like predicate is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PredicateStyle {
    /// As text beside the node.
    Text,
    /// As a box with an arrow to the node.
    Pointer,
}

/// Whether values of a predicate keep individuals (or structures) apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Part of canonical names.
    Abstraction,
    /// Not part of them.
    Plain,
}

/// A declared predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// How many individuals it speaks of.
    pub arity: Arity,
    /// What always holds of it.
    pub properties: Vec<Property>,
    /// Whether it takes part in canonical names.
    pub role: Role,
    /// How it is drawn.
    pub style: PredicateStyle,
    /// Its meaning, for an instrumentation predicate.
    pub definition: Option<Definition>,
}

impl Declaration {
    /// A core predicate without properties; nullary and unary ones abstract.
    #[must_use]
    pub fn core(arity: Arity) -> Declaration {
        let role = if arity == Arity::Binary { Role::Plain } else { Role::Abstraction };
        Declaration { arity, properties: Vec::new(), role, style: PredicateStyle::Text, definition: None }
    }

    /// Whether a property is declared.
    #[must_use]
    pub fn has(&self, property: Property) -> bool {
        self.properties.contains(&property)
    }
}

/// Where a structure keeps a predicate: an index among the predicates of its arity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PredicateIndex {
    /// The arity.
    pub arity: Arity,
    /// The index.
    pub index: usize,
}

/// How many predicates of each arity there are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    /// Nullary predicates.
    pub nullary: usize,
    /// Unary ones.
    pub unary: usize,
    /// Binary ones.
    pub binary: usize,
}

/// The predicates of an analysis, in the order of declaration, and its named sets.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    declarations: IndexMap<String, Declaration>,
    slots: Vec<PredicateIndex>,
    layout: Layout,
    sets: IndexMap<String, Vec<Name>>,
}

/// `sm`: 1/2 on an individual that may stand for several.
pub const SUMMARY: usize = 0;
/// `ac`: whether the individual exists.
pub const ACTIVE: usize = 1;
/// `isNew`: whether the running action made the individual.
pub const NEW: usize = 2;

impl Default for Vocabulary {
    fn default() -> Vocabulary {
        let mut vocabulary = Vocabulary {
            declarations: IndexMap::new(),
            slots: Vec::new(),
            layout: Layout { nullary: 0, unary: 0, binary: 0 },
            sets: IndexMap::new(),
        };
        // The slots of these are the constants above.
        for name in ["sm", "ac", "isNew"] {
            vocabulary.insert(name, Declaration { role: Role::Plain, ..Declaration::core(Arity::Unary) });
        }
        vocabulary
    }
}

impl Vocabulary {
    /// `sm`, `ac` and `isNew`, nothing else.
    #[must_use]
    pub fn new() -> Vocabulary {
        Vocabulary::default()
    }

    fn insert(&mut self, name: &str, declaration: Declaration) -> Predicate {
        let counter = match declaration.arity {
            Arity::Nullary => &mut self.layout.nullary,
            Arity::Unary => &mut self.layout.unary,
            Arity::Binary => &mut self.layout.binary,
        };
        self.slots.push(PredicateIndex { arity: declaration.arity, index: *counter });
        *counter += 1;
        let (index, _) = self.declarations.insert_full(name.to_owned(), declaration);
        Predicate::new(index)
    }

    /// Declares a predicate.
    ///
    /// # Errors
    /// The name is taken, or the free variables of the definition are not its parameters.
    pub fn declare(&mut self, name: &str, declaration: Declaration) -> Result<Predicate, String> {
        if self.declarations.contains_key(name) {
            return Err(format!("the predicate `{name}` is declared twice"));
        }
        if let Some(definition) = &declaration.definition {
            let free = definition.formula.free_variables();
            if let Some(v) = free.iter().find(|v| !definition.params.contains(v)) {
                return Err(format!(
                    "the definition of `{name}` has the free variable `{}`, not a parameter",
                    v.name()
                ));
            }
            if let Some(v) = definition.params.iter().find(|v| !free.contains(v)) {
                return Err(format!("the definition of `{name}` does not use its parameter `{}`", v.name()));
            }
        }
        Ok(self.insert(name, declaration))
    }

    /// Adds properties to a declared predicate.
    pub fn add_property(&mut self, predicate: Predicate, property: Property) {
        let declaration = &mut self.declarations[predicate.index()];
        if !declaration.has(property) {
            declaration.properties.push(property);
        }
    }

    /// Declares a set of names, or adds names to it.
    pub fn declare_set(&mut self, id: &str, elements: Vec<Name>) {
        let known = self.sets.entry(id.to_owned()).or_default();
        for name in elements {
            if !known.contains(&name) {
                known.push(name);
            }
        }
    }

    /// The predicates, in the order of declaration.
    pub fn predicates(&self) -> impl Iterator<Item = Predicate> + '_ {
        (0..self.declarations.len()).map(Predicate::new)
    }

    /// The declaration of a predicate.
    #[must_use]
    pub fn declaration(&self, predicate: Predicate) -> &Declaration {
        &self.declarations[predicate.index()]
    }

    /// The name of a predicate.
    #[must_use]
    pub fn name(&self, predicate: Predicate) -> &str {
        self.declarations.get_index(predicate.index()).map_or("", |(name, _)| name)
    }

    /// The predicate of that name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Predicate> {
        let name = if name == "inac" { "ac" } else { name };
        self.declarations.get_index_of(name).map(Predicate::new)
    }

    /// Where structures keep a predicate.
    #[must_use]
    pub fn slot(&self, predicate: Predicate) -> PredicateIndex {
        self.slots[predicate.index()]
    }

    /// How many predicates of each arity there are.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The abstraction predicates of an arity, by slot index.
    #[must_use]
    pub fn abstraction_slots(&self, arity: Arity) -> Vec<usize> {
        self.predicates()
            .filter(|p| self.declaration(*p).role == Role::Abstraction && self.slot(*p).arity == arity)
            .map(|p| self.slot(p).index)
            .collect()
    }

    /// The slots of the predicates of an arity that are not part of names, those that every vocabulary has left out.
    #[must_use]
    pub fn plain_slots(&self, arity: Arity) -> Vec<usize> {
        self.predicates()
            .filter(|p| self.declaration(*p).role == Role::Plain && self.slot(*p).arity == arity)
            .filter(|p| !self.is_builtin(*p))
            .map(|p| self.slot(p).index)
            .collect()
    }

    /// Whether every vocabulary has the predicate.
    #[must_use]
    pub fn is_builtin(&self, predicate: Predicate) -> bool {
        let slot = self.slot(predicate);
        slot.arity == Arity::Unary && [SUMMARY, ACTIVE, NEW].contains(&slot.index)
    }

    /// `formula` as text.
    #[must_use]
    pub fn print(&self, formula: &Formula) -> String {
        heapwise_logic::print::print(formula, &|p| format!("{}{}", self.name(p), if p.is_primed() { "'" } else { "" }))
    }
}

impl Names for Vocabulary {
    fn predicate(&self, name: &Name, arity: usize) -> Result<Predicate, String> {
        let text = name.to_string();
        let predicate = self.find(&text).ok_or_else(|| format!("the predicate `{text}` is not declared"))?;
        let declared = self.declaration(predicate).arity.count();
        if declared == arity {
            Ok(predicate)
        } else {
            Err(format!("`{text}` takes {declared} argument(s), here it has {arity}"))
        }
    }

    fn set(&self, id: &str) -> Result<Vec<Name>, String> {
        self.sets.get(id).cloned().ok_or_else(|| format!("the set `{id}` is not declared"))
    }
}
