//! Reading a file of models. `docs/models.md` describes the format.

use crate::effect::{
    Allocate, CallParts, CopyResult, Destination, Duplicate, Effect, Elements, OldObject, Reallocate, Size,
    ZeroAllocation,
};
use crate::error::{ModelError, Problem, closest};
use crate::phrase::{self, Text};
use crate::{Model, Models};
use heapwise_ir::{
    Callback, CertainArgument, DecidedBy, DescriptorPart, ErrorNumber, ExternEffects, ExternResult, Failure,
    InitialContents, InputPart, MemoryEffect, NullArgument, NullResult, ReadFirst, ResultRange, ResultStorage,
    SequencePart, Storage, Success, Termination, WrittenBytes,
};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One `[[model]]` table: every key any effect knows. Which of them an effect allows is in [`EFFECTS`].
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Table {
    functions: Vec<Text>,
    effect: Text,
    bytes: Option<Text>,
    contents: Option<Text>,
    failure: Option<Text>,
    storage: Option<Text>,
    destination: Option<Text>,
    alignment: Option<Text>,
    printed_by: Option<Text>,
    success: Option<Text>,
    format: Option<Text>,
    pointer: Option<Text>,
    capacity: Option<Text>,
    stream: Option<Text>,
    old_on_failure: Option<Text>,
    zero_size: Option<Text>,
    to: Option<Text>,
    from: Option<Text>,
    byte: Option<Text>,
    length: Option<Text>,
    null: Option<Text>,
    returns: Option<Text>,
    argument: Option<Text>,
    writes: Option<Vec<Text>>,
    stores: Option<Text>,
    reads: Option<Vec<Text>>,
    dereferences: Option<Vec<Text>>,
    takes_ownership: Option<Vec<Text>>,
    calls: Option<Text>,
    with: Option<Vec<Text>>,
    rearranges: Option<Text>,
    array: Option<Text>,
    only_if: Option<Text>,
    ends: Option<Text>,
    may_end: Option<Text>,
    elements: Option<Text>,
    elements_read: Option<Vec<Text>>,
    elements_written: Option<Vec<Text>>,
    elements_range: Option<Text>,
    reopens: Option<Text>,
    gives: Option<Text>,
    texts: Option<Vec<Text>>,
    never: Option<Text>,
}

/// The effects by name, with the keys that each allows beside `functions` and `effect`.
pub(crate) const EFFECTS: &[(&str, &[&str])] = &[
    (
        "allocate",
        &[
            "bytes",
            "contents",
            "failure",
            "zero-size",
            "storage",
            "destination",
            "success",
            "alignment",
            "format",
            "printed-by",
            "only-if",
            "texts",
        ],
    ),
    ("deallocate", &["pointer"]),
    ("reallocate", &["pointer", "bytes", "contents", "failure", "old-on-failure", "zero-size"]),
    ("grow-buffer", &["pointer", "capacity", "stream"]),
    ("copy", &["to", "from", "bytes", "returns"]),
    ("fill", &["to", "byte", "bytes", "returns"]),
    ("duplicate", &["from", "length", "null", "failure", "storage", "only-if", "texts"]),
    ("exit", &["dereferences", "format"]),
    ("abort", &["dereferences", "format"]),
    ("assertion-failure", &[]),
    ("assume", &["argument"]),
    ("nondet", &[]),
    (
        "pure",
        &[
            "dereferences",
            "format",
            "takes-ownership",
            "returns",
            "only-if",
            "ends",
            "may-end",
            "elements",
            "elements-read",
            "elements-written",
            "elements-range",
            "reopens",
            "gives",
            "texts",
            "never",
        ],
    ),
    (
        "writes",
        &[
            "writes",
            "reads",
            "dereferences",
            "format",
            "takes-ownership",
            "returns",
            "only-if",
            "ends",
            "may-end",
            "elements",
            "elements-read",
            "elements-written",
            "elements-range",
            "reopens",
            "gives",
            "texts",
            "never",
        ],
    ),
    ("stores-pointer", &["stores", "dereferences", "takes-ownership", "returns"]),
    ("calls-back", &["calls", "with", "rearranges", "array", "dereferences", "returns"]),
    ("unknown", &["dereferences", "takes-ownership", "returns"]),
];

pub(crate) fn parse(file: &str, text: &str) -> Result<Models, ModelError> {
    read(text).map_err(|problem| problem.locate(file, text))
}

fn read(text: &str) -> Result<Models, Problem> {
    let document = DeTable::parse(text).map_err(syntax_in(0))?;
    let mut models = Models::default();
    let mut defined_at: FxHashMap<String, usize> = FxHashMap::default();
    let mut results = Vec::new();
    for (key, value) in document.into_inner() {
        let DeValue::Array(tables) = value.get_ref() else {
            let problem = format!("`{}` must be a list of tables", key.get_ref());
            return Err(Problem::new(key.span().start, problem).with_hint("write `[[model]]`, with two brackets"));
        };
        match key.get_ref().as_ref() {
            "model" => {
                for (name, effect, parts) in tables.iter().map(read_table).collect::<Result<Vec<_>, _>>()?.concat() {
                    note(&mut defined_at, &name, text)?;
                    let name = name.into_inner();
                    models.table.insert(name.clone(), Model { name, effect, parts });
                }
            }
            "variable" => {
                for (name, null) in tables.iter().map(read_variables).collect::<Result<Vec<_>, _>>()?.concat() {
                    note(&mut defined_at, &name, text)?;
                    models.variables.insert(name.into_inner(), null);
                }
            }
            "result" => results.extend(tables.iter().map(read_result).collect::<Result<Vec<_>, _>>()?),
            other => {
                return Err(Problem::new(key.span().start, format!("unknown key `{other}`"))
                    .with_hint("a file of models consists of `[[model]]`, `[[result]]` and `[[variable]]` tables"));
            }
        }
    }
    let mut said_at = FxHashMap::default();
    for result in results {
        for name in &result.functions {
            note(&mut said_at, name, text)?;
            result.refine(models.table.get_mut(name.get_ref()).map(|model| &mut model.effect), name)?;
        }
    }
    Ok(models)
}

/// One function, from the text of its `[[model]]` table, and of its `[[result]]` table if there is one.
pub(crate) fn read_one(name: &str, model: &str, result: Option<&str>) -> Result<Model, Problem> {
    let missing = || Problem::new(0, format!("`{name}` has no table"));
    let tables = only_table(model)?;
    let named = tables.into_iter().map(|table| read_table(&table)).collect::<Result<Vec<_>, _>>()?.concat();
    let (text, mut effect, parts) =
        named.into_iter().find(|(other, ..)| other.get_ref() == name).ok_or_else(missing)?;
    for table in result.map(only_table).transpose()?.unwrap_or_default() {
        read_result(&table)?.refine(Some(&mut effect), &text)?;
    }
    Ok(Model { name: name.to_owned(), effect, parts })
}

/// The tables of a text that has those of one sort.
fn only_table(text: &str) -> Result<Vec<Spanned<DeValue<'_>>>, Problem> {
    let document = DeTable::parse(text).map_err(syntax_in(0))?;
    let mut tables = Vec::new();
    for (_, value) in document.into_inner() {
        if let DeValue::Array(array) = value.into_inner() {
            tables.extend(array);
        }
    }
    Ok(tables)
}

/// Remembers where a name is modelled; a second time is an error.
fn note(defined_at: &mut FxHashMap<String, usize>, name: &Text, text: &str) -> Result<(), Problem> {
    let Some(first) = defined_at.insert(name.get_ref().clone(), name.span().start) else {
        return Ok(());
    };
    let line = text[..first].matches('\n').count() + 1;
    Err(Problem::new(name.span().start, format!("`{}` is modelled twice in this file", name.get_ref()))
        .with_hint(format!("the first model is on line {line}; keep one of them")))
}

/// What the TOML reader complains about; at `start` where it does not know the place.
fn syntax_in(start: usize) -> impl Fn(toml::de::Error) -> Problem {
    move |error| Problem::new(error.span().map_or(start, |span| span.start), error.message().to_owned())
}

/// The functions of one `[[model]]` table, with the effect that they share.
fn read_table(value: &Spanned<DeValue<'_>>) -> Result<Vec<(Text, Effect, CallParts)>, Problem> {
    let start = value.span().start;
    let DeValue::Table(entries) = value.get_ref() else {
        return Err(Problem::new(start, "a model must be a table"));
    };
    let name = match entries.iter().find(|(key, _)| key.get_ref() == "effect") {
        Some((_, value)) => match value.get_ref() {
            DeValue::String(name) => Spanned::new(value.span(), name.to_string()),
            _ => return Err(Problem::new(value.span().start, "`effect` must be a string")),
        },
        None => {
            return Err(Problem::new(start, "this model has no `effect`")
                .with_hint(format!("one of: {}", effect_names().join(", "))));
        }
    };
    let Some((effect, allowed)) = EFFECTS.iter().find(|(effect, _)| effect == name.get_ref()) else {
        return Err(Problem::new(name.span().start, format!("unknown effect `{}`", name.get_ref()))
            .with_hint(closest(name.get_ref(), &effect_names())));
    };
    let known: Vec<&str> = ["functions", "effect"].iter().chain(allowed.iter()).copied().collect();
    if let Some((key, _)) = entries.iter().find(|(key, _)| !known.contains(&key.get_ref().as_ref())) {
        let problem = format!("key `{}` means nothing for effect `{effect}`", key.get_ref());
        return Err(Problem::new(key.span().start, problem).with_hint(closest(key.get_ref(), &known)));
    }
    let table = Table::deserialize(toml::de::ValueDeserializer::from(value.clone())).map_err(syntax_in(start))?;
    if table.functions.is_empty() {
        return Err(Problem::new(start, "this model names no function").with_hint("functions = [\"name\", …]"));
    }
    if let Some(bad) = table.functions.iter().find(|name| !is_identifier(name.get_ref())) {
        let problem = format!("`{}` is not the name of a C function", bad.get_ref());
        return Err(Problem::new(bad.span().start, problem));
    }
    let effect = read_effect(&table, start)?;
    let parts = read_parts(&table)?;
    Ok(table.functions.into_iter().map(|name| (name, effect.clone(), parts.clone())).collect())
}

/// What surrounds a call.
fn read_parts(table: &Table) -> Result<CallParts, Problem> {
    let elements = match &table.elements {
        Some(elements) => {
            let (count, pointer) = phrase::elements(elements)?;
            Some(Elements {
                pointer,
                count,
                reads: each(&table.elements_read, phrase::member)?,
                writes: each(&table.elements_written, phrase::member)?,
                range: table.elements_range.as_ref().map(phrase::range).transpose()?,
            })
        }
        None => {
            let lists = table.elements_read.iter().chain(&table.elements_written).flatten();
            if let Some(alone) = lists.chain(&table.elements_range).next() {
                return Err(Problem::new(alone.span().start, "this needs the key `elements` as well")
                    .with_hint("say how many there are and where: elements = \"argument 1 behind argument 0\""));
            }
            None
        }
    };
    Ok(CallParts {
        only_if: table.only_if.as_ref().map(phrase::argument_test).transpose()?,
        ends: table.ends.as_ref().map(phrase::argument_test).transpose()?,
        may_end: table.may_end.as_ref().map(phrase::argument_test).transpose()?,
        elements,
        reopens: table.reopens.as_ref().map(phrase::parameter).transpose()?,
        never: table.never.as_ref().map(phrase::never).transpose()?,
        texts: each(&table.texts, phrase::texts)?,
        gives: table.gives.as_ref().map(phrase::gift).transpose()?,
        returns_unless_null: table.returns.as_ref().and_then(phrase::argument_unless_null),
    })
}

/// One `[[result]]` table.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct ResultTable {
    functions: Vec<Text>,
    range: Option<Text>,
    decided_by: Option<Text>,
    success: Option<Text>,
    certain: Option<Text>,
    written: Option<Text>,
    storage: Option<Text>,
    sequence: Option<Text>,
    input: Option<Text>,
    descriptor: Option<Text>,
    non_empty: Option<Text>,
    errno: Option<Text>,
}

/// What a `[[result]]` table says of functions.
struct ResultModel {
    functions: Vec<Text>,
    range: Option<ResultRange>,
    decided_by: Option<DecidedBy>,
    success: Option<Success>,
    certain: Option<CertainArgument>,
    written: Option<WrittenBytes>,
    storage: Option<ResultStorage>,
    sequence: Option<SequencePart>,
    input: Option<InputPart>,
    descriptor: Option<DescriptorPart>,
    non_empty: Option<String>,
    error_number: Option<ErrorNumber>,
}

fn read_result(value: &Spanned<DeValue<'_>>) -> Result<ResultModel, Problem> {
    let start = value.span().start;
    let table = ResultTable::deserialize(toml::de::ValueDeserializer::from(value.clone())).map_err(syntax_in(start))?;
    let keys = [
        &table.range,
        &table.decided_by,
        &table.success,
        &table.certain,
        &table.written,
        &table.storage,
        &table.sequence,
        &table.input,
        &table.descriptor,
        &table.non_empty,
        &table.errno,
    ];
    if keys.iter().all(|key| key.is_none()) {
        return Err(Problem::new(start, "this table says nothing of a result").with_hint(
            "give `range`, `decided-by`, `success`, `certain`, `written`, `storage`, `sequence`, `input`, `descriptor`, `non-empty` or `errno`",
        ));
    }
    Ok(ResultModel {
        functions: table.functions,
        range: table.range.as_ref().map(phrase::range).transpose()?,
        decided_by: table.decided_by.as_ref().map(phrase::decided_by).transpose()?,
        success: table.success.as_ref().map(phrase::result_success).transpose()?,
        certain: table.certain.as_ref().map(phrase::certain).transpose()?,
        written: table.written.as_ref().map(phrase::written_bytes).transpose()?,
        storage: table.storage.as_ref().map(phrase::result_storage).transpose()?,
        sequence: table.sequence.as_ref().map(phrase::sequence).transpose()?,
        input: table.input.as_ref().map(phrase::input).transpose()?,
        descriptor: table.descriptor.as_ref().map(phrase::descriptor).transpose()?,
        non_empty: table.non_empty.as_ref().map(phrase::member).transpose()?,
        error_number: table.errno.as_ref().map(phrase::error_number).transpose()?,
    })
}

impl ResultModel {
    /// Adds what the table says to the model of one function.
    fn refine(&self, effect: Option<&mut Effect>, name: &Text) -> Result<(), Problem> {
        let at = name.span().start;
        let refuse = |why: &str| {
            Err(Problem::new(at, format!("`{}` {why}", name.get_ref()))
                .with_hint("a [[result]] speaks of functions that a [[model]] of the same file leaves as calls"))
        };
        match effect {
            Some(Effect::Extern(effects)) if effects.termination != Termination::Returns => refuse("does not return"),
            Some(Effect::Extern(effects)) => {
                if self.range.is_some() && effects.result != ExternResult::Any {
                    return refuse("returns a pointer, which has no range");
                }
                effects.range = self.range.or(effects.range);
                let is_library = matches!(effects.result, ExternResult::Library { .. });
                if (self.storage.is_some() || self.non_empty.is_some()) && !is_library {
                    return refuse("returns no storage of the library");
                }
                effects.decided_by = self.decided_by.unwrap_or(effects.decided_by);
                effects.success = self.success.or(effects.success);
                effects.certain = self.certain.or(effects.certain);
                effects.written = self.written.unwrap_or(effects.written);
                effects.storage = self.storage.clone().or(effects.storage.take());
                effects.sequence = self.sequence.clone().or(effects.sequence.take());
                effects.input = self.input.or(effects.input);
                effects.descriptor = self.descriptor.or(effects.descriptor);
                effects.non_empty = self.non_empty.clone().or(effects.non_empty.take());
                effects.error_number = self.error_number.unwrap_or(effects.error_number);
                Ok(())
            }
            Some(_) => refuse("has an effect without a result of its own"),
            None => refuse("has no model in this file"),
        }
    }
}

/// One `[[variable]]` table.
#[derive(Deserialize)]
struct VariableTable {
    names: Vec<Text>,
    holds: Text,
}

/// The variables of one `[[variable]]` table.
fn read_variables(value: &Spanned<DeValue<'_>>) -> Result<Vec<(Text, NullResult)>, Problem> {
    let start = value.span().start;
    if let DeValue::Table(entries) = value.get_ref()
        && let Some((key, _)) = entries.iter().find(|(key, _)| !["names", "holds"].contains(&key.get_ref().as_ref()))
    {
        return Err(Problem::new(key.span().start, format!("unknown key `{}`", key.get_ref()))
            .with_hint(closest(key.get_ref(), &["names", "holds"])));
    }
    let table =
        VariableTable::deserialize(toml::de::ValueDeserializer::from(value.clone())).map_err(syntax_in(start))?;
    let null = phrase::library(&table.holds)?;
    Ok(table.names.into_iter().map(|name| (name, null)).collect())
}

fn effect_names() -> Vec<&'static str> {
    EFFECTS.iter().map(|(name, _)| *name).collect()
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$')
}

/// The value of a key that the effect cannot do without.
fn required<'table>(
    value: &'table Option<Text>,
    key: &str,
    table: &Table,
    start: usize,
) -> Result<&'table Text, Problem> {
    value.as_ref().ok_or_else(|| {
        Problem::new(start, format!("effect `{}` needs the key `{key}`", table.effect.get_ref()))
            .with_hint("see docs/models.md for what each effect needs")
    })
}

/// The value of a key that has a default.
fn or<T>(value: &Option<Text>, read: impl Fn(&Text) -> Result<T, Problem>, default: T) -> Result<T, Problem> {
    value.as_ref().map_or(Ok(default), read)
}

/// The values of a list.
fn each<T>(values: &Option<Vec<Text>>, read: impl Fn(&Text) -> Result<T, Problem>) -> Result<Vec<T>, Problem> {
    values.iter().flatten().map(read).collect()
}

fn read_effect(table: &Table, start: usize) -> Result<Effect, Problem> {
    let need = |value, key| required(value, key, table, start);
    Ok(match table.effect.get_ref().as_str() {
        "allocate" => Effect::Allocate(read_allocate(table, start)?),
        "deallocate" => Effect::Deallocate { pointer: phrase::parameter(need(&table.pointer, "pointer")?)? },
        "reallocate" => Effect::Reallocate(read_reallocate(table, start)?),
        "grow-buffer" => Effect::GrowBuffer {
            pointer: phrase::parameter(need(&table.pointer, "pointer")?)?,
            capacity: phrase::parameter(need(&table.capacity, "capacity")?)?,
            stream: table.stream.as_ref().map(phrase::parameter).transpose()?,
        },
        "copy" => Effect::Copy {
            to: phrase::parameter(need(&table.to, "to")?)?,
            from: phrase::parameter(need(&table.from, "from")?)?,
            bytes: phrase::copy_length(need(&table.bytes, "bytes")?)?,
            returns: or(&table.returns, phrase::copy_result, CopyResult::Nothing)?,
        },
        "fill" => Effect::Fill {
            to: phrase::parameter(need(&table.to, "to")?)?,
            byte: phrase::fill_byte(need(&table.byte, "byte")?)?,
            bytes: known_size(need(&table.bytes, "bytes")?)?,
            returns: or(&table.returns, phrase::copy_result, CopyResult::Nothing)?,
        },
        "duplicate" => Effect::Duplicate(Duplicate {
            from: phrase::original(need(&table.from, "from")?)?,
            length: phrase::duplicate_length(need(&table.length, "length")?)?,
            null: or(&table.null, phrase::null_argument, NullArgument::Error)?,
            failure: or(&table.failure, phrase::failure, Failure::Possible)?,
            storage: or(&table.storage, phrase::storage, Storage::Heap)?,
        }),
        "exit" => read_ending(table, Termination::Exits)?,
        "abort" => read_ending(table, Termination::Aborts)?,
        "assertion-failure" => Effect::AssertionFailure,
        "assume" => Effect::Assume { parameter: phrase::parameter(need(&table.argument, "argument")?)? },
        "nondet" => Effect::Nondet,
        "pure" => read_extern(table, MemoryEffect::Pure)?,
        "writes" => {
            let Some(writes) = &table.writes else {
                return Err(Problem::new(start, "effect `writes` needs the key `writes`")
                    .with_hint("writes = [\"argument 0\"]; a function that writes nothing is `pure`"));
            };
            let written = writes.iter().map(phrase::parameter).collect::<Result<Vec<_>, _>>()?;
            read_extern(table, MemoryEffect::Writes(written))?
        }
        "stores-pointer" => read_extern(table, phrase::stored_pointer(need(&table.stores, "stores")?)?)?,
        "calls-back" => {
            let callback = Callback {
                function: phrase::parameter(need(&table.calls, "calls")?)?,
                arguments: each(&table.with, phrase::callback_argument)?,
                rearranges: table.rearranges.as_ref().map(phrase::parameter).transpose()?,
                elements: table.array.as_ref().map(phrase::array_elements).transpose()?,
            };
            Effect::Extern(ExternEffects {
                callback: Some(Box::new(callback)),
                ..extern_effects(table, MemoryEffect::Unknown)?
            })
        }
        "unknown" => read_extern(table, MemoryEffect::Unknown)?,
        other => unreachable!("effect `{other}` is in the table of effects but not read"),
    })
}

/// A size that must be a definite number.
fn known_size(text: &Text) -> Result<Size, Problem> {
    match phrase::size(text)? {
        Size::Any => Err(Problem::new(text.span().start, "`any` says too little here: the size must be known")),
        size => Ok(size),
    }
}

fn read_allocate(table: &Table, start: usize) -> Result<Allocate, Problem> {
    let success = table.success.as_ref().map(phrase::success).transpose()?;
    let destination = match (&table.destination, &table.success) {
        (Some(destination), _) => phrase::destination(destination, success)?,
        (None, None) => Destination::Return,
        (None, Some(success)) => {
            return Err(Problem::new(success.span().start, "`success` means nothing without `destination`"));
        }
    };
    let zero_flag = table.contents.as_ref().and_then(phrase::zero_flag);
    if let (Some(_), Some(destination)) = (zero_flag, &table.destination) {
        let message = "contents that depend on an argument do not go with `destination`";
        return Err(Problem::new(destination.span().start, message));
    }
    Ok(Allocate {
        bytes: phrase::size(required(&table.bytes, "bytes", table, start)?)?,
        contents: match zero_flag {
            Some(_) => InitialContents::Uninitialised,
            None => or(&table.contents, phrase::contents, InitialContents::Uninitialised)?,
        },
        zero_flag,
        failure: or(&table.failure, phrase::failure, Failure::Possible)?,
        zero: or(&table.zero_size, phrase::zero_allocation, ZeroAllocation::Object)?,
        storage: or(&table.storage, phrase::storage, Storage::Heap)?,
        destination,
        alignment: table.alignment.as_ref().map(phrase::alignment).transpose()?,
        printed_by: table.printed_by.as_ref().map(|name| name.get_ref().clone()),
        format: table.format.as_ref().map(phrase::format).transpose()?,
    })
}

fn read_reallocate(table: &Table, start: usize) -> Result<Reallocate, Problem> {
    Ok(Reallocate {
        pointer: phrase::parameter(required(&table.pointer, "pointer", table, start)?)?,
        bytes: known_size(required(&table.bytes, "bytes", table, start)?)?,
        contents: or(&table.contents, phrase::contents, InitialContents::Uninitialised)?,
        failure: or(&table.failure, phrase::failure, Failure::Possible)?,
        old_on_failure: or(&table.old_on_failure, phrase::old_object, OldObject::Kept)?,
        zero: phrase::zero_size(required(&table.zero_size, "zero-size", table, start)?)?,
    })
}

/// What is read before it is written.
fn read_first(table: &Table, memory: &MemoryEffect) -> Result<Vec<ReadFirst>, Problem> {
    let reads = each(&table.reads, phrase::read_first)?;
    for (text, read) in table.reads.iter().flatten().zip(&reads) {
        let is_written = matches!(memory, MemoryEffect::Writes(parameters) if parameters.contains(&read.parameter));
        if !is_written {
            let problem = format!("`argument {}` is not among `writes`", read.parameter);
            let hint = "what is only read stands under `dereferences`";
            return Err(Problem::new(text.span().start, problem).with_hint(hint));
        }
    }
    Ok(reads)
}

fn read_extern(table: &Table, memory: MemoryEffect) -> Result<Effect, Problem> {
    extern_effects(table, memory).map(Effect::Extern)
}

/// A call that does not come back, and looks at its arguments before.
fn read_ending(table: &Table, termination: Termination) -> Result<Effect, Problem> {
    Ok(Effect::Extern(ExternEffects { termination, ..extern_effects(table, MemoryEffect::Pure)? }))
}

fn extern_effects(table: &Table, memory: MemoryEffect) -> Result<ExternEffects, Problem> {
    // An explicit `unknown` is still a gap: the file only refines what it can.
    let modelled = memory != MemoryEffect::Unknown;
    Ok(ExternEffects {
        termination: Termination::Returns,
        reads_first: read_first(table, &memory)?,
        memory,
        dereferences: each(&table.dereferences, phrase::dereference)?,
        format: table.format.as_ref().map(phrase::format).transpose()?,
        takes_ownership: each(&table.takes_ownership, phrase::parameter)?,
        result: or(&table.returns, phrase::extern_result, ExternResult::Any)?,
        range: None,
        decided_by: DecidedBy::Arguments,
        success: None,
        certain: None,
        written: WrittenBytes::Any,
        storage: None,
        sequence: None,
        input: None,
        callback: None,
        descriptor: None,
        non_empty: None,
        error_number: ErrorNumber::MayBeSet,
        modelled,
    })
}
