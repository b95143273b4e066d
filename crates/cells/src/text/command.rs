//! Commands in words.

use super::names::Names;
use crate::compare::ComparisonId;
use crate::program::{Command, Contents, Ending, Held, Purpose, ShapeMode, Source, TouchPurpose, Untracked};
use heapwise_ir::{CompareOperator, ShapeKind};

impl Names<'_> {
    /// A command, as it reads in a frame. (Long: one case for each.)
    pub(super) fn command(&self, command: &Command, frame: u32) -> String {
        let var = |var| self.var(var, frame);
        let source = |source| self.source(source, frame);
        let list = |sources: &[Source]| sources.iter().map(|value| source(*value)).collect::<Vec<_>>().join(", ");
        let compared = |operator: CompareOperator, left: Source, right: Source| {
            format!("{} {} {}", source(left), symbol(operator), source(right))
        };
        match command {
            Command::Skip => "skip".into(),
            Command::Set { target, value } => format!("{} = {}", var(*target), self.atom(*value)),
            Command::Copy { target, source } => format!("{} = {}", var(*target), var(*source)),
            Command::Load { target: Some(target), base, access } => {
                format!("{} = {}", var(*target), self.place(*base, *access, frame))
            }
            Command::Load { target: None, base, access } => format!("read {}", self.place(*base, *access, frame)),
            Command::Store { base, access, value } => {
                format!("{} = {}", self.place(*base, *access, frame), source(*value))
            }
            Command::Touch { base, access, purpose } => {
                let purpose = match purpose {
                    TouchPurpose::Access => "",
                    TouchPurpose::Copy => " to copy it away",
                };
                format!("touch {}{purpose}", self.place(*base, *access, frame))
            }
            Command::Fill { base, access, contents } => {
                format!("fill {} with {}", self.place(*base, *access, frame), contents_word(*contents))
            }
            Command::Alloc { target, kind, contents } => {
                let name = self.cells.kinds.get(*kind).map_or("?", |kind| &kind.name);
                let contents = match contents {
                    Contents::Uninitialised => String::new(),
                    Contents::Zeroed | Contents::Opaque | Contents::Perhaps => {
                        format!(" of {}", contents_word(*contents))
                    }
                };
                format!("{} = alloc {name}{contents}", var(*target))
            }
            Command::Free { pointer } => format!("free {}", var(*pointer)),
            Command::Assume { operator, left, right } => format!("assume {}", compared(*operator, *left, *right)),
            Command::Case { var: held_by, atom, held } => {
                let is = match held {
                    Held::Yes => "is",
                    Held::No => "is not",
                };
                format!("case {} {is} {}", var(*held_by), self.atom(*atom))
            }
            Command::Compare { comparison, cell, operator } => {
                let cell = cell.map_or_else(String::new, var);
                let [left, right] = self.comparison(*comparison);
                format!("compare {cell}{left} {} {right}", symbol(*operator))
            }
            Command::Forget { comparison } => {
                let [left, right] = self.comparison(*comparison);
                format!("forget {left} ? {right}")
            }
            Command::Shape { kind, arguments, cell, links, objects, mode } => {
                let mode = match mode {
                    ShapeMode::Assume => "assume",
                    ShapeMode::Assert => "assert",
                };
                let links: Vec<String> = links.iter().map(|link| self.link(*cell, *link)).collect();
                let name = self.cells.kinds.get(*cell).map_or("?", |kind| &kind.name);
                let shape = shape_word(*kind);
                let mut words = format!("{mode} {shape}({}) over {name} via {}", list(arguments), links.join(", "));
                for object in objects {
                    let links: Vec<String> = object.links.iter().map(|link| var(*link)).collect();
                    words += &format!(" and {} of {}", self.atom(object.place), links.join(", "));
                }
                words
            }
            Command::FailWhen { operator, left, right, kind } => {
                format!("fail {} when {}", kind.name(), compared(*operator, *left, *right))
            }
            Command::Fail { kind } => format!("fail {}", kind.name()),
            Command::Use { var: used, purpose } => match purpose {
                Purpose::Operation => format!("use {}", var(*used)),
                Purpose::Discard => format!("discard {}", var(*used)),
                Purpose::Escape(reason) => format!("escape {} {reason:?}", var(*used)),
                Purpose::Copy(Untracked::Initialised) => format!("copy {} away", var(*used)),
                Purpose::Copy(Untracked::Perhaps) => format!("copy {} away, or nothing", var(*used)),
            },
            Command::EndScope { vars } => {
                let vars: Vec<String> = vars.iter().map(|ended| var(*ended)).collect();
                format!("end {}", vars.join(", "))
            }
            Command::Retire { atoms } => {
                let atoms: Vec<String> =
                    atoms.iter().map(|(old, new)| format!("{} is {}", self.atom(*old), self.atom(*new))).collect();
                format!("now {}", atoms.join(", "))
            }
            Command::End(ending) => match ending {
                Ending::Return => "the program returns".into(),
                Ending::Exit => "the program exits".into(),
                Ending::Abort => "the program aborts".into(),
            },
            Command::Contract { contract, arguments, target } => {
                let name = self.cells.contracts.get(*contract).map_or("?", |contract| &contract.name);
                let target = target.map_or_else(String::new, |target| format!("{} = ", var(target)));
                format!("{target}contract {name}({})", list(arguments))
            }
            Command::Call { procedure, arguments, target, references } => {
                let inner = self.cells.procedure_frame(*procedure);
                let name = inner.map_or("?", |inner| self.frame(inner));
                let inner = inner.unwrap_or(frame);
                let target = target.map_or_else(String::new, |target| format!("{} = ", var(target)));
                let references: Vec<String> = references
                    .iter()
                    .map(|(own, outer)| format!("{} for {}", var(*outer), self.var(*own, inner)))
                    .collect();
                let with =
                    if references.is_empty() { String::new() } else { format!(" with {}", references.join(", ")) };
                format!("{target}call {name}({}){with}", list(arguments))
            }
            Command::Enter { contract, parameters } => {
                let name = self.cells.contracts.get(*contract).map_or("?", |contract| &contract.name);
                let parameters: Vec<String> =
                    parameters.iter().map(|parameter| parameter.map_or("_".into(), var)).collect();
                format!("enter {name}({})", parameters.join(", "))
            }
            Command::Leave { contract, result } => {
                let name = self.cells.contracts.get(*contract).map_or("?", |contract| &contract.name);
                let result = result.map_or_else(String::new, |result| format!(" with {}", var(result)));
                format!("leave {name}{result}")
            }
            Command::Gap { reason } => format!("gap {reason:?}"),
        }
    }

    fn comparison(&self, id: ComparisonId) -> [String; 2] {
        match self.cells.comparisons.get(id) {
            Some(comparison) => comparison.words.clone(),
            None => [format!("?{id}"), "?".into()],
        }
    }
}

fn contents_word(contents: Contents) -> &'static str {
    match contents {
        Contents::Uninitialised => "nothing",
        Contents::Zeroed => "zeros",
        Contents::Opaque => "anything",
        Contents::Perhaps => "anything or nothing",
    }
}

fn symbol(operator: CompareOperator) -> &'static str {
    match operator {
        CompareOperator::Equal => "==",
        CompareOperator::NotEqual => "!=",
        CompareOperator::Less => "<",
        CompareOperator::LessEqual => "<=",
        CompareOperator::Greater => ">",
        CompareOperator::GreaterEqual => ">=",
    }
}

fn shape_word(kind: ShapeKind) -> &'static str {
    match kind {
        ShapeKind::Acyclic => "acyclic",
        ShapeKind::Cyclic => "cyclic",
        ShapeKind::Reach => "reach",
        ShapeKind::Disjoint => "disjoint",
        ShapeKind::DoublyLinked => "dll",
        ShapeKind::Tree => "tree",
        ShapeKind::TreeWithParent => "treep",
    }
}
