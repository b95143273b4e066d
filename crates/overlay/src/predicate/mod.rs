//! Inductive predicates as data.
//!
//! A [`Definition`] says what a structure is made of: it is empty, or a cell at one of its *ports* and further structures.
//! *Inputs* are values that come from outside (what follows a list, the parent of a tree's root), ports are addresses that
//! the structure gives. While it is empty, each port has the value of an input, or is null. A rule at a port says how the
//! structure is seen from there: which links the cell has, which structures remain, and where their inputs come from.
//! Rules at different ports describe the same structures.

mod check;
mod parse;

pub use parse::{DefinitionError, parse};

use crate::heap::PortId;
use heapwise_ir::RecordId;
use smallvec::SmallVec;
use std::rc::Rc;

/// A predicate, by its place in [`Definitions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DefinitionId(pub u8);

/// All predicates.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Definitions {
    definitions: Vec<Definition>,
    /// What is kept of the links of trees.
    tree_links: TreeLinks,
    /// Which trees are looked for where cells have a colour.
    colours: Colours,
}

/// What is made of colours of tree cells.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Colours {
    /// They are numbers like others.
    #[default]
    Ignored,
    /// Those of red-black trees, and 1 is black.
    OneIsBlack,
    /// Those of red-black trees, and 0 is black.
    ZeroIsBlack,
}

/// What is kept of the links of a cell that becomes part of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TreeLinks {
    /// Nothing.
    #[default]
    Forgotten,
    /// Which ones are null: a tree whose left links all are is a list.
    NullKept,
}

/// A predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The names of its inputs.
    pub inputs: Vec<String>,
    /// Numbers that say what a structure is like: the height of a tree, the colour of its root.
    pub measures: Vec<MeasureName>,
    /// What is known of them while the structure is empty.
    pub empty: Vec<Equation>,
    /// The names of the links of its cells.
    pub links: Vec<String>,
    /// Its ports; the first one is where a structure begins.
    pub ports: Vec<Port>,
    /// Its rules.
    pub rules: Vec<Rule>,
    /// What it becomes with something in its hole.
    pub closing: Option<Closing>,
    /// The record that its cells are, and the record within that to which links point, where the text says so.
    pub cells: Option<Cells>,
}

/// `cells NAME`, or `cells NAME at FIELD` where links point to a record that is part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cells {
    /// The name of the record.
    pub record: String,
    /// The member that links point to.
    pub member: Option<String>,
}

/// A measure of a predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeasureName {
    /// Its name.
    pub name: String,
    /// It is less than this, where there is a bound.
    pub below: Option<u32>,
}

/// Two measures are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Equation {
    /// One of them.
    pub left: MeasureTerm,
    /// The other one.
    pub right: MeasureTerm,
}

/// A measure of the whole or of a part, and a constant; or the constant alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeasureTerm {
    /// Whose.
    pub of: Option<MeasureOf>,
    /// The constant.
    pub plus: u32,
}

/// A measure in a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MeasureOf {
    /// Of the structure itself.
    Own(usize),
    /// Of a part.
    Part(usize, usize),
}

/// A segment whose input `hole` is the first port of `part` (or null) is a `whole`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Closing {
    /// The input.
    pub hole: usize,
    /// What is there.
    pub part: DefinitionId,
    /// Its inputs are these ports of the segment.
    pub part_inputs: Vec<PortId>,
    /// What both are together.
    pub whole: DefinitionId,
    /// Its inputs are these inputs of the segment.
    pub whole_inputs: Vec<usize>,
    /// How measures are tied: what is there is part 0, and both together are part 1.
    pub equations: Vec<Equation>,
}

/// A port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// What it is while the structure is empty: an input, or null.
    pub empty: Option<usize>,
    /// Where in the cell it points.
    pub anchor: Anchor,
}

/// A place in a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Anchor {
    /// Where links point.
    Entry,
    /// A link itself.
    Link(usize),
}

/// How a structure that is not empty looks from one of its ports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The port at which the cell is.
    pub at: PortId,
    /// What each link of the cell holds, in the order of [`Definition::links`].
    pub links: Vec<Term>,
    /// A number that each link holds besides its address (in its lowest bits), or, where the term is null, instead of it.
    pub tags: Vec<u32>,
    /// What is known of measures.
    pub equations: Vec<Equation>,
    /// What remains.
    pub parts: Vec<Part>,
    /// What each port is; that of `at` is the cell itself.
    pub ports: Vec<Term>,
    /// The part that goes on in the same way, if it is the only one of the same predicate.
    pub spine: Option<usize>,
}

/// A structure that a rule leaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its predicate: with the links and cells of the whole.
    pub definition: DefinitionId,
    /// Its inputs.
    pub inputs: Vec<Term>,
}

/// A value in a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// Null.
    Null,
    /// An input of the whole.
    Input(usize),
    /// The address of the cell.
    Own(Anchor),
    /// A port of a part.
    Part(usize, PortId),
}

/// Where the links of a predicate are in actual cells.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Layout {
    /// The predicate.
    pub definition: DefinitionId,
    /// The record that cells are.
    pub record: RecordId,
    /// How many bytes it has; a cell may have more behind it.
    pub size: u64,
    /// Other records that cells may be, with their sizes: they begin with this one.
    pub derived: Rc<[(RecordId, u64)]>,
    /// Where links point.
    pub entry: i64,
    /// Where each link is.
    pub links: SmallVec<[i64; 4]>,
    /// Bytes of each link.
    pub widths: SmallVec<[u8; 4]>,
}

impl Layout {
    /// The offset of a place in the cell.
    pub fn offset(&self, anchor: Anchor) -> i64 {
        match anchor {
            Anchor::Entry => self.entry,
            Anchor::Link(link) => self.links[link],
        }
    }

    /// Where each link is, and how many bytes it has.
    pub fn places(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.links.iter().zip(&self.widths).map(|(link, bytes)| (*link as u64, u64::from(*bytes)))
    }

    /// The records that cells may be, with their sizes.
    pub fn records(&self) -> impl Iterator<Item = (RecordId, u64)> + '_ {
        std::iter::once((self.record, self.size)).chain(self.derived.iter().copied())
    }

    /// Whether the other layout is one of the same cells by these links and more.
    pub fn is_part_of(&self, other: &Layout) -> bool {
        (self.size, self.entry) == (other.size, other.entry)
            && self.links.len() < other.links.len()
            && self.links.iter().all(|link| other.links.contains(link))
    }

    /// The same cells seen as another predicate with the same links.
    pub fn of(&self, definition: DefinitionId, definitions: &Definitions) -> Layout {
        let n_links = definitions.get(definition).links.len();
        Layout {
            definition,
            links: self.links.iter().take(n_links).copied().collect(),
            widths: self.widths.iter().take(n_links).copied().collect(),
            ..self.clone()
        }
    }
}

fn shipped_text() -> String {
    [
        include_str!("../../predicates/lists.pred"),
        include_str!("../../predicates/trees.pred"),
        include_str!("../../predicates/balanced.pred"),
    ]
    .concat()
}

impl Definitions {
    /// The shipped ones.
    pub fn shipped() -> Definitions {
        parse(&shipped_text()).expect("the shipped definitions are well-formed")
    }

    /// The shipped ones and those of a text, which say what their cells are.
    pub fn with(text: &str) -> Result<Definitions, DefinitionError> {
        let shipped = shipped_text();
        let n_lines = shipped.lines().count();
        let own_line =
            |error: DefinitionError| DefinitionError { line: error.line.saturating_sub(n_lines).max(1), ..error };
        let n_shipped = Definitions::shipped().definitions.len();
        let definitions = parse(&format!("{shipped}{text}")).map_err(own_line)?;
        for (id, definition) in definitions.iter().skip(n_shipped) {
            if let Some(message) = check::problem(&definitions, id) {
                let is_head = |line: &str| {
                    line.trim_start()
                        .strip_prefix("predicate")
                        .is_some_and(|rest| rest.trim_start().starts_with(&definition.name))
                };
                let line = text.lines().position(is_head).map_or(1, |line| line + 1);
                return Err(DefinitionError { line, message });
            }
        }
        Ok(definitions)
    }

    /// The same, with what is kept of the links of trees.
    #[must_use]
    pub fn keeping(self, tree_links: TreeLinks) -> Definitions {
        Definitions { tree_links, ..self }
    }

    /// The same, with what is made of colours.
    #[must_use]
    pub fn colouring(self, colours: Colours) -> Definitions {
        Definitions { colours, ..self }
    }

    /// What is made of colours.
    pub(crate) fn colours(&self) -> Colours {
        self.colours
    }

    /// Whether it is kept which links of cells of a predicate are null.
    pub(crate) fn keeps_null_links(&self, definition: &Definition) -> bool {
        self.tree_links == TreeLinks::NullKept && definition.is_branching()
    }

    /// A predicate.
    pub fn get(&self, id: DefinitionId) -> &Definition {
        &self.definitions[usize::from(id.0)]
    }

    /// The predicate of that name.
    pub fn named(&self, name: &str) -> Option<DefinitionId> {
        let index = self.definitions.iter().position(|definition| definition.name == name)?;
        Some(DefinitionId(index as u8))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (DefinitionId, &Definition)> {
        self.definitions.iter().enumerate().map(|(index, definition)| (DefinitionId(index as u8), definition))
    }
}

impl Definition {
    /// Whether structures of it can be put together end to end: some rule goes on in the same way.
    pub fn is_segment(&self) -> bool {
        self.rules.iter().any(|rule| rule.spine.is_some())
    }

    /// Whether some rule leaves structures beside the one that goes on: a tree.
    fn is_branching(&self) -> bool {
        self.rules.iter().any(|rule| (0..rule.parts.len()).any(|part| rule.spine != Some(part)))
    }

    /// The rules at a port.
    pub fn rules_at(&self, port: PortId) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(move |rule| rule.at == port)
    }

    /// The input that a port is while the structure is empty.
    pub fn port(&self, port: PortId) -> &Port {
        &self.ports[usize::from(port.0)]
    }

    /// One more than the largest tag of a link: a link of addresses has its tag in the bits below.
    pub fn tag_modulus(&self, link: usize) -> u32 {
        let tags = self.rules.iter().filter(|rule| rule.links[link] != Term::Null).map(|rule| rule.tags[link]);
        tags.max().unwrap_or(0).next_power_of_two().max(1).max(if self.has_tags(link) { 2 } else { 1 })
    }

    fn has_tags(&self, link: usize) -> bool {
        self.rules.iter().any(|rule| rule.links[link] != Term::Null && rule.tags[link] > 0)
    }

    /// The measures of a segment come in pairs, equal while it is empty: that of the whole, and that of what is in the hole.
    pub fn measure_pairs(&self) -> Vec<(usize, usize)> {
        let pair = |equation: &Equation| match (equation.left, equation.right) {
            (
                MeasureTerm { of: Some(MeasureOf::Own(upper)), plus: 0 },
                MeasureTerm { of: Some(MeasureOf::Own(lower)), plus: 0 },
            ) => Some((upper, lower)),
            _ => None,
        };
        self.empty.iter().filter_map(pair).collect()
    }

    /// Whether an input is ever the value of a link of a cell seen from the first port, or only there for a port.
    pub fn is_held(&self, input: usize) -> bool {
        let first = self.rules_at(PortId::FIRST);
        first.flat_map(|rule| &rule.links).any(|term| *term == Term::Input(input))
    }
}
