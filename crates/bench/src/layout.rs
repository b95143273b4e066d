//! `heapwise bench layout`: whether the front end lays records out as gcc does.

use crate::compiler;
use crate::corpus::SourceUnit;
use crate::debuginfo::{DebugMember, DebugRecord, DebugTypeId, DebugTypes};
use crate::frontend;
use crate::table::Table;
use crate::{BenchError, Options, progress};
use heapwise_ir::{Field, Program, Record, RecordId, Type, TypeId};
use heapwise_models::Models;
use rustc_hash::FxHashSet;
use std::fs::{self, File};
use std::io::Write;

/// Makes the table and prints it.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<(), BenchError> {
    let corpus = options.corpus()?;
    let models = Models::shipped();
    let mut table = Table::new(&[
        "program",
        "files",
        "left out",
        "records",
        "distinct",
        "fields",
        "bit-fields",
        "differ",
        "no counterpart",
        "unseen",
    ]);
    let mut details = Table::new(&["program", "file", "difference"]);
    for program in options.programs() {
        let mut counts = Counts::default();
        let mut units = program.obtain(&corpus)?;
        units.retain(|unit| options.files.as_ref().is_none_or(|text| unit.shown.contains(text.as_str())));
        for (index, unit) in units.iter().enumerate() {
            progress(program.name(), index, units.len());
            let Some(comparison) = compare_unit(unit, &models)? else {
                counts.left_out += 1;
                continue;
            };
            for difference in comparison.differences.iter().chain(&comparison.without_counterpart) {
                details.push(vec![program.name().to_owned(), unit.shown.clone(), difference.clone()]);
            }
            counts.add(comparison);
        }
        table.push(counts.row(program.name()));
    }
    writeln!(out, "Sizes, offsets and bit-fields of records, compared with gcc's debug information")?;
    writeln!(
        out,
        "(left out: gcc or heapwise refuses; no counterpart: not described by gcc; unseen: of a block scope or only\n declared through a typedef, and not used by lowered code)"
    )?;
    table.print(out)?;
    if !details.is_empty() {
        writeln!(out)?;
        details.print(out)?;
    }
    if let Some(path) = &options.csv {
        let mut file = File::create(path).map_err(BenchError::file(path))?;
        table.write_csv(&mut file)?;
        details.write_csv(&mut file)?;
    }
    Ok(())
}

/// What a program gave.
#[derive(Default)]
struct Counts {
    files: usize,
    left_out: usize,
    records: usize,
    distinct: FxHashSet<String>,
    fields: usize,
    bit_fields: usize,
    differences: usize,
    without_counterpart: usize,
    unseen: usize,
}

impl Counts {
    fn add(&mut self, comparison: Comparison) {
        self.files += 1;
        self.records += comparison.names.len();
        self.distinct.extend(comparison.names);
        self.fields += comparison.fields;
        self.bit_fields += comparison.bit_fields;
        self.differences += comparison.differences.len();
        self.without_counterpart += comparison.without_counterpart.len();
        self.unseen += comparison.unseen;
    }

    fn row(&self, program: &str) -> Vec<String> {
        let numbers = [
            self.files,
            self.left_out,
            self.records,
            self.distinct.len(),
            self.fields,
            self.bit_fields,
            self.differences,
            self.without_counterpart,
            self.unseen,
        ];
        std::iter::once(program.to_owned()).chain(numbers.iter().map(usize::to_string)).collect()
    }
}

/// Compares all records of one unit; `None` where gcc or the front end refuses it.
pub fn compare_unit(unit: &SourceUnit, models: &Models) -> Result<Option<Comparison>, BenchError> {
    let directory = tempfile::tempdir()?;
    let object = directory.path().join("probe.o");
    if !compiler::compile_with_types(unit, &object)? {
        return Ok(None);
    }
    let bytes = fs::read(&object).map_err(BenchError::file(&object))?;
    let types = DebugTypes::read(&bytes, &unit.path)?;
    let probe = directory.path().join("probe.c");
    fs::write(&probe, probe_text(unit, &types)).map_err(BenchError::file(&probe))?;
    let probe = SourceUnit { path: probe, ..unit.clone() };
    let Ok(loaded) = frontend::load(&probe, models) else { return Ok(None) };
    Ok(Some(compare(&loaded.program, &types)))
}

/// The unit, and one object of every record of its file scope: only what some object or code uses is lowered.
fn probe_text(unit: &SourceUnit, types: &DebugTypes) -> String {
    let mut text = format!("#include \"{}\"\n", unit.path.display());
    for (index, spelled) in types.file_scope().iter().enumerate() {
        let name = spelled.rsplit(' ').next().unwrap_or(spelled);
        text.push_str(&format!("#undef {name}\n{spelled} heapwise_probe_{index};\n"));
    }
    text
}

/// What a comparison found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Comparison {
    /// The records that were compared, by name.
    pub names: Vec<String>,
    /// How many fields they have.
    pub fields: usize,
    /// How many of those are bit-fields.
    pub bit_fields: usize,
    /// Where the two disagree.
    pub differences: Vec<String>,
    /// Records of the front end that gcc does not describe.
    pub without_counterpart: Vec<String>,
    /// Complete records with a name that only gcc describes: no lowered code uses them.
    pub unseen: usize,
}

/// Compares the records of a lowered program with gcc's.
pub fn compare(program: &Program, types: &DebugTypes) -> Comparison {
    let mut comparer = Comparer { program, types, found: Comparison::default(), done: FxHashSet::default() };
    let complete: Vec<RecordId> =
        program.records.iter().filter(|(_, record)| is_from_text(record)).map(|(id, _)| id).collect();
    // Records with a tag or a `typedef` first: those without are compared as members of them.
    for &id in &complete {
        let record = &program.records[id];
        let named = types.named(record.kind, plain_name(&record.name));
        // gcc describes a variant of a type (a transparent union) a second time, without its members.
        let is_variant = |id: &DebugTypeId| {
            types.record(*id).is_some_and(|debug| debug.members.is_empty() != record.fields().is_empty())
        };
        let candidates: Vec<DebugTypeId> = named.iter().copied().filter(|id| !is_variant(id)).collect();
        comparer.compare_with(id, &candidates);
    }
    for &id in &complete {
        if !comparer.done.contains(&id) {
            let candidates = comparer.look_alikes(id);
            comparer.compare_with(id, &candidates);
        }
    }
    for &id in &complete {
        let name = &program.records[id].name;
        if !comparer.done.contains(&id) {
            comparer.found.without_counterpart.push(format!("{name} is not described by gcc"));
        }
    }
    let seen: FxHashSet<(heapwise_ir::RecordKind, &str)> =
        program.records.values().map(|record| (record.kind, plain_name(&record.name))).collect();
    comparer.found.unseen = types
        .records()
        .filter(|(_, record)| record.name.as_ref().is_some_and(|name| !seen.contains(&(record.kind, name.as_str()))))
        .count();
    comparer.found
}

/// Whether a record is complete and written in the C text: the lowering makes records of its own for variable arguments.
fn is_from_text(record: &Record) -> bool {
    record.fields.is_some() && !record.name.starts_with('$')
}

/// The C name of a record whose name in the program may carry the place that keeps it apart.
fn plain_name(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}

struct Comparer<'a> {
    program: &'a Program,
    types: &'a DebugTypes,
    found: Comparison,
    done: FxHashSet<RecordId>,
}

impl<'a> Comparer<'a> {
    /// Compares with the candidate that fits best: block-scope records may share a tag.
    fn compare_with(&mut self, id: RecordId, candidates: &[DebugTypeId]) {
        let tried = candidates.iter().map(|candidate| {
            let mut trial =
                Trial { program: self.program, types: self.types, differences: Vec::new(), compared: Vec::new() };
            trial.record(id, *candidate);
            trial
        });
        let Some(best) = tried.min_by_key(|trial| trial.differences.len()) else { return };
        for compared in best.compared {
            if self.done.insert(compared) {
                let record = &self.program.records[compared];
                self.found.names.push(record.name.clone());
                self.found.fields += named_fields(record).count();
                self.found.bit_fields += named_fields(record).filter(|field| field.bits.is_some()).count();
            }
        }
        self.found.differences.extend(best.differences);
    }

    /// The records of gcc with the same members: for a record whose name only the front end knows.
    fn look_alikes(&self, id: RecordId) -> Vec<DebugTypeId> {
        let record = &self.program.records[id];
        let names: Vec<Option<&str>> = named_fields(record).map(shown_name).collect();
        let alike = |debug: &DebugRecord| {
            debug.kind == record.kind
                && debug.members.iter().map(|member| member.name.as_deref()).eq(names.iter().copied())
        };
        self.types.records().filter(|(_, debug)| alike(debug)).map(|(id, _)| id).collect()
    }
}

/// The fields that gcc describes too: all but unnamed bit-fields.
fn named_fields(record: &Record) -> impl Iterator<Item = &Field> {
    record.fields().iter().filter(|field| field.bits.is_none() || shown_name(field).is_some())
}

/// The name in C, if there is one.
fn shown_name(field: &Field) -> Option<&str> {
    if field.name.starts_with('$') { None } else { Some(&field.name) }
}

/// Names that C reserves for the implementation may differ: the front end has a `stddef.h` of its own.
fn same_name(field: &Field, member: &DebugMember) -> bool {
    let (here, gcc) = (shown_name(field), member.name.as_deref());
    let is_reserved = |name: Option<&str>| name.is_some_and(|name| name.starts_with("__"));
    here == gcc || is_reserved(here) && is_reserved(gcc)
}

/// One record beside one record of gcc's.
struct Trial<'a> {
    program: &'a Program,
    types: &'a DebugTypes,
    differences: Vec<String>,
    compared: Vec<RecordId>,
}

impl Trial<'_> {
    fn record(&mut self, id: RecordId, debug: DebugTypeId) {
        let record = &self.program.records[id];
        let Some(debug) = self.types.record(debug) else { return };
        self.compared.push(id);
        if debug.size != Some(record.size) {
            let size = debug.size.unwrap_or(0);
            self.differ(record, format!("size is {size} in gcc, {} here", record.size));
        }
        let fields: Vec<&Field> = named_fields(record).collect();
        if fields.len() != debug.members.len() {
            self.differ(record, format!("{} members in gcc, {} here", debug.members.len(), fields.len()));
            return;
        }
        for (field, member) in fields.into_iter().zip(&debug.members) {
            self.field(record, field, member);
        }
    }

    fn field(&mut self, record: &Record, field: &Field, member: &DebugMember) {
        if !same_name(field, member) {
            self.differ(record, format!("member {:?} in gcc is {} here", member.name, field.name));
            return;
        }
        let shift = field.bits.map_or(0, |bits| u64::from(bits.shift));
        let here = (field.offset * 8 + shift, field.bits.map(|bits| u64::from(bits.width)));
        if here != (member.bit_offset, member.bit_width) {
            let gcc = (member.bit_offset, member.bit_width);
            self.differ(record, format!("{}: bits (from, width) {gcc:?} in gcc, {here:?} here", field.name));
        }
        if field.bits.is_some() {
            return;
        }
        let sizes = self.program.size_of(field.ty).zip(member.ty.and_then(|ty| self.types.size_of(ty)));
        if let Some((here, gcc)) = sizes.filter(|(here, gcc)| here != gcc) {
            self.differ(record, format!("{}: {gcc} bytes in gcc, {here} here", field.name));
        }
        let inner = self.innermost_record(field.ty).zip(member.ty.and_then(|ty| self.types.innermost_record(ty)));
        if let Some((here, gcc)) = inner
            && self.types.record(gcc).is_some_and(|record| record.name.is_none())
            && !self.compared.contains(&here)
        {
            self.record(here, gcc);
        }
    }

    fn innermost_record(&self, ty: TypeId) -> Option<RecordId> {
        match self.program.ty(ty) {
            Type::Record(record) => Some(*record),
            Type::Array(element, _) => self.innermost_record(*element),
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Function(_) => None,
        }
    }

    fn differ(&mut self, record: &Record, what: String) {
        self.differences.push(format!("{}: {what}", record.name));
    }
}
