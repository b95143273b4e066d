//! Names of frames, variables, addresses and fields, so that no two things of one call string are called the same.

use crate::atom::{Atom, Var};
use crate::program::{Access, CellProgram, Source, Variable, VariableSource};
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{Program, RegisterOrigin};
use rustc_hash::FxHashMap;

/// The names of a program.
pub(super) struct Names<'p> {
    pub(super) cells: &'p CellProgram,
    frames: Vec<String>,
    /// Unique within their frame.
    vars: SecondaryMap<Var, String>,
    places: Vec<String>,
    /// What lies at an offset for so many bytes, where all kinds that have a field there agree.
    fields: FxHashMap<Access, Option<String>>,
}

impl<'p> Names<'p> {
    pub(super) fn new(program: &Program, cells: &'p CellProgram) -> Names<'p> {
        let mut instances: FxHashMap<&str, (u32, u32)> = FxHashMap::default();
        for frame in &cells.frames {
            instances.entry(program.functions[frame.function].name.as_str()).or_default().0 += 1;
        }
        let mut frames = Vec::with_capacity(cells.frames.len());
        for frame in &cells.frames {
            let name = program.functions[frame.function].name.as_str();
            let number = instances.entry(name).or_default();
            number.1 += 1;
            frames.push(if number.0 == 1 { name.to_owned() } else { format!("{name}/{}", number.1) });
        }
        let locals: rustc_hash::FxHashSet<&str> =
            cells.vars.values().filter(|var| var.frame.is_some()).map(|var| var.name.as_str()).collect();
        let mut used: FxHashMap<(Option<u32>, String), u32> = FxHashMap::default();
        let mut vars = SecondaryMap::new();
        for (var, variable) in cells.vars.iter() {
            let hidden = variable.frame.is_none() && locals.contains(variable.name.as_str());
            let plain = match (hidden, is_address(program, cells, variable)) {
                (true, _) => format!("::{}", variable.name),
                (false, true) => format!("{}.address", variable.name),
                (false, false) => variable.name.clone(),
            };
            let plain = if plain.contains(char::is_whitespace) { format!("`{plain}`") } else { plain };
            vars[var] = numbered(&mut used, variable.frame, plain);
        }
        let mut used = FxHashMap::default();
        let places = cells.places.iter().map(|place| numbered(&mut used, None, place.name.clone())).collect();
        let mut fields: FxHashMap<Access, Option<String>> = FxHashMap::default();
        let mut add = |offset: u64, size: u64, name: &str| {
            let access = Access { offset: offset as i64, size };
            let known = fields.entry(access).or_insert_with(|| Some(name.to_owned()));
            if known.as_deref() != Some(name) || name.is_empty() {
                *known = None;
            }
        };
        for kind in cells.kinds.values() {
            kind.links.iter().for_each(|link| add(link.offset, kind.pointer_bytes, &link.name));
            kind.data.iter().for_each(|field| add(field.offset, field.size, &field.name));
        }
        Names { cells, frames, vars, places, fields }
    }

    pub(super) fn frame(&self, frame: u32) -> &str {
        self.frames.get(frame as usize).map_or("?", |name| name)
    }

    /// A variable, as it is called in a frame.
    pub(super) fn var(&self, var: Var, frame: u32) -> String {
        let Some(variable) = self.cells.vars.get(var) else { return format!("?{var}") };
        match variable.frame {
            Some(other) if other != frame => format!("{}.{}", self.frame(other), self.vars[var]),
            Some(_) | None => self.vars[var].clone(),
        }
    }

    pub(super) fn atom(&self, atom: Atom) -> String {
        match atom {
            Atom::Int(value) => value.to_string(),
            Atom::Freed => "freed".into(),
            Atom::Ended(place) => format!("ended {}", self.atom(Atom::Place(place))),
            Atom::Gone => "gone".into(),
            Atom::Uninit => "uninitialised".into(),
            Atom::Opaque => "opaque".into(),
            Atom::Place(place) => self.places.get(place as usize).cloned().unwrap_or_else(|| format!("?&{place}")),
            Atom::Library(_) => "library".into(),
            Atom::NoLink => "nolink".into(),
            Atom::Outside => "outside".into(),
        }
    }

    pub(super) fn source(&self, source: Source, frame: u32) -> String {
        match source {
            Source::Var(var) => self.var(var, frame),
            Source::Atom(atom) => self.atom(atom),
        }
    }

    /// `p->next`; bytes, where the kinds do not agree on a name: `p->[8..16]`.
    pub(super) fn place(&self, base: Var, access: Access, frame: u32) -> String {
        let base = self.var(base, frame);
        match self.fields.get(&access) {
            Some(Some(name)) => format!("{base}->{name}"),
            Some(None) | None => {
                let end = i128::from(access.offset) + i128::from(access.size);
                format!("{base}->[{}..{end}]", access.offset)
            }
        }
    }

    /// The name of a link of a kind.
    pub(super) fn link(&self, kind: crate::program::KindId, link: usize) -> String {
        let found = self.cells.kinds.get(kind).and_then(|kind| kind.links.get(link));
        found.map_or_else(|| format!("?{link}"), |link| link.name.clone())
    }
}

/// Whether a variable is the register that holds the address of a local; the local has the same C name.
fn is_address(program: &Program, cells: &CellProgram, variable: &Variable) -> bool {
    let (VariableSource::Register(register), Some(frame)) = (variable.source, variable.frame) else { return false };
    let function = cells.frames.get(frame as usize).map(|frame| &program.functions[frame.function]);
    let register = function.and_then(|function| function.registers.get(register));
    register.is_some_and(|register| match register.origin {
        RegisterOrigin::AddressOfLocal(_) => register.name == variable.name,
        RegisterOrigin::Variable(_) | RegisterOrigin::Temporary => false,
    })
}

/// The name, or with a number behind it if it is there already.
fn numbered(used: &mut FxHashMap<(Option<u32>, String), u32>, frame: Option<u32>, name: String) -> String {
    let count = used.entry((frame, name.clone())).or_default();
    *count += 1;
    if *count == 1 { name } else { format!("{name}#{count}") }
}
