//! The small phrases that values of model files are written in: `argument 0`, `argument 0 * argument 1`, `into argument
//! 0 or null` …

use crate::effect::{
    Alignment, ArgumentTest, CopyLength, CopyResult, Destination, DuplicateLength, ElementCount, FillByte, Gift,
    Membership, Never, OldObject, Original, OutSuccess, Size, Texts, ZeroAllocation, ZeroFlag, ZeroSize,
};
use crate::error::{Problem, closest};
use heapwise_ir::{
    CallbackArgument, CertainArgument, DecidedBy, Dereference, DescriptorPart, Elements, ErrorNumber, ExternResult,
    Failure, Format, FormatLanguage, InitialContents, InputEnd, InputPart, Length, MemoryEffect, NullArgument,
    NullResult, RangeEnd, ReadFirst, ResultRange, ResultStorage, SequencePart, Storage, Success, WrittenBytes,
};
use toml::Spanned;

/// A string of the file, with its place.
pub(crate) type Text = Spanned<String>;

/// No C function has more parameters than this; a larger position is a mistake.
const MOST_PARAMETERS: u32 = 127;

/// More numbers than this behind one argument are no array of fixed length.
const MOST_ELEMENTS: u32 = 64;

/// `argument N`.
fn argument(phrase: &str) -> Option<u32> {
    let position: u32 = phrase.trim().strip_prefix("argument ")?.trim().parse().ok()?;
    (position < MOST_PARAMETERS).then_some(position)
}

fn refuse(text: &Text, forms: &[&str]) -> Problem {
    let given = text.get_ref();
    Problem::new(text.span().start, format!("`{given}` does not fit here")).with_hint(closest(given, forms))
}

/// Looks `text` up in a table of fixed words.
fn word<T: Copy>(text: &Text, table: &[(&str, T)]) -> Result<T, Problem> {
    match table.iter().find(|(name, _)| name == text.get_ref()) {
        Some((_, value)) => Ok(*value),
        None => Err(refuse(text, &table.iter().map(|(name, _)| *name).collect::<Vec<_>>())),
    }
}

pub(crate) fn parameter(text: &Text) -> Result<u32, Problem> {
    argument(text.get_ref()).ok_or_else(|| refuse(text, &["argument 0"]))
}

/// `argument N`, or a power of two.
pub(crate) fn alignment(text: &Text) -> Result<Alignment, Problem> {
    let constant = text.get_ref().parse::<u64>().ok().filter(|number| number.is_power_of_two());
    let constant = constant.map(Alignment::Constant);
    constant
        .or_else(|| argument(text.get_ref()).map(Alignment::Parameter))
        .ok_or_else(|| refuse(text, &["argument 0", "4096"]))
}

/// `argument N`, `argument N member NAME`.
pub(crate) fn read_first(text: &Text) -> Result<ReadFirst, Problem> {
    let (whole, member) = match text.get_ref().split_once(" member ") {
        Some((whole, member)) => (whole, Some(member.trim())),
        None => (text.get_ref().as_str(), None),
    };
    match argument(whole) {
        Some(parameter) if member.is_none_or(is_member) => {
            Ok(ReadFirst { parameter, member: member.map(str::to_owned) })
        }
        Some(_) | None => Err(refuse(text, &["argument 0", "argument 0 member tm_year"])),
    }
}

/// The name of a member.
pub(crate) fn member(text: &Text) -> Result<String, Problem> {
    match is_member(text.get_ref()) {
        true => Ok(text.get_ref().clone()),
        false => Err(Problem::new(text.span().start, format!("`{}` is not the name of a member", text.get_ref()))),
    }
}

fn is_member(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// `COUNT behind argument N`.
pub(crate) fn elements(text: &Text) -> Result<(ElementCount, u32), Problem> {
    let parse = |phrase: &str| {
        let (count, pointer) = phrase.split_once(" behind ")?;
        let count = match argument(count) {
            Some(parameter) => ElementCount::Parameter(parameter),
            None => ElementCount::Constant(count.trim().parse().ok().filter(|count| *count <= MOST_ELEMENTS)?),
        };
        Some((count, argument(pointer)?))
    };
    parse(text.get_ref()).ok_or_else(|| refuse(text, &["2 behind argument 0", "argument 1 behind argument 0"]))
}

/// `argument N is V, V …` or `argument N is not V, V …`.
pub(crate) fn argument_test(text: &Text) -> Result<ArgumentTest, Problem> {
    let parse = |phrase: &str| {
        let (parameter, values) = phrase.split_once(" is ")?;
        let (membership, values) = match values.strip_prefix("not ") {
            Some(values) => (Membership::NoneOf, values),
            None => (Membership::OneOf, values),
        };
        let values: Option<Vec<i64>> = values.split(',').map(|value| value.trim().parse().ok()).collect();
        Some(ArgumentTest { parameter: argument(parameter)?, membership, values: values? })
    };
    parse(text.get_ref()).ok_or_else(|| refuse(text, &["argument 0 is 9", "argument 0 is not 0, 17"]))
}

fn try_size(phrase: &str) -> Option<Size> {
    if phrase == "any" {
        return Some(Size::Any);
    }
    if let Some((left, right)) = phrase.split_once('*') {
        return Some(Size::Product(argument(left)?, argument(right)?));
    }
    match argument(phrase) {
        Some(parameter) => Some(Size::Parameter(parameter)),
        None => phrase.trim().parse().ok().map(Size::Constant),
    }
}

pub(crate) fn size(text: &Text) -> Result<Size, Problem> {
    try_size(text.get_ref())
        .ok_or_else(|| refuse(text, &["argument 0", "argument 0 * argument 1", "16 (any constant)", "any"]))
}

pub(crate) fn copy_length(text: &Text) -> Result<CopyLength, Problem> {
    if text.get_ref() == "string" {
        return Ok(CopyLength::String);
    }
    try_size(text.get_ref())
        .map(CopyLength::Bytes)
        .ok_or_else(|| refuse(text, &["argument 2", "argument 1 * argument 2", "16 (any constant)", "string"]))
}

pub(crate) fn duplicate_length(text: &Text) -> Result<DuplicateLength, Problem> {
    let phrase = text.get_ref();
    if phrase == "string" {
        return Ok(DuplicateLength::String);
    }
    let found = match phrase.strip_prefix("string up to ") {
        Some(limit) => argument(limit).map(DuplicateLength::StringUpTo),
        None => try_size(phrase).map(DuplicateLength::Bytes),
    };
    found.ok_or_else(|| refuse(text, &["string", "string up to argument 1", "argument 1"]))
}

/// `zero if argument 1 & 256`.
pub(crate) fn zero_flag(text: &Text) -> Option<ZeroFlag> {
    let (parameter, mask) = text.get_ref().strip_prefix("zero if ")?.split_once('&')?;
    Some(ZeroFlag { parameter: argument(parameter)?, mask: mask.trim().parse().ok()? })
}

pub(crate) fn contents(text: &Text) -> Result<InitialContents, Problem> {
    word(
        text,
        &[
            ("uninitialised", InitialContents::Uninitialised),
            ("zero", InitialContents::Zeroed),
            ("any", InitialContents::Nondet),
        ],
    )
}

pub(crate) fn failure(text: &Text) -> Result<Failure, Problem> {
    word(text, &[("possible", Failure::Possible), ("never", Failure::Never)])
}

pub(crate) fn storage(text: &Text) -> Result<Storage, Problem> {
    word(text, &[("heap", Storage::Heap), ("frame", Storage::Auto)])
}

pub(crate) fn old_object(text: &Text) -> Result<OldObject, Problem> {
    word(text, &[("kept", OldObject::Kept), ("freed", OldObject::Freed)])
}

pub(crate) fn zero_size(text: &Text) -> Result<ZeroSize, Problem> {
    word(text, &[("frees", ZeroSize::Frees), ("null", ZeroSize::Null), ("allocates", ZeroSize::Allocates)])
}

pub(crate) fn zero_allocation(text: &Text) -> Result<ZeroAllocation, Problem> {
    word(text, &[("allocates", ZeroAllocation::Object), ("null", ZeroAllocation::Null)])
}

pub(crate) fn null_argument(text: &Text) -> Result<NullArgument, Problem> {
    word(text, &[("error", NullArgument::Error), ("null", NullArgument::Allowed)])
}

pub(crate) fn success(text: &Text) -> Result<OutSuccess, Problem> {
    word(
        text,
        &[("zero", OutSuccess::Zero), ("non-negative", OutSuccess::NonNegative), ("non-zero", OutSuccess::NonZero)],
    )
}

/// `destination` and `success` belong together.
pub(crate) fn destination(text: &Text, success: Option<OutSuccess>) -> Result<Destination, Problem> {
    let parameter = parameter(text)?;
    match success {
        Some(success) => Ok(Destination::OutParameter { parameter, success }),
        None => Err(Problem::new(text.span().start, "a destination needs the key `success` as well")
            .with_hint("say which results mean that the allocation went well: zero, non-negative or non-zero")),
    }
}

pub(crate) fn copy_result(text: &Text) -> Result<CopyResult, Problem> {
    match text.get_ref().as_str() {
        "nothing" => Ok(CopyResult::Nothing),
        "end" => Ok(CopyResult::End),
        phrase => {
            argument(phrase).map(CopyResult::Argument).ok_or_else(|| refuse(text, &["argument 0", "end", "nothing"]))
        }
    }
}

pub(crate) fn fill_byte(text: &Text) -> Result<FillByte, Problem> {
    let phrase = text.get_ref();
    let found = match argument(phrase) {
        Some(parameter) => Some(FillByte::Parameter(parameter)),
        None if phrase == "any" => Some(FillByte::Any),
        None => phrase.parse().ok().map(FillByte::Constant),
    };
    found.ok_or_else(|| refuse(text, &["0 (any byte)", "argument 1", "any"]))
}

pub(crate) fn extern_result(text: &Text) -> Result<ExternResult, Problem> {
    let phrase = text.get_ref().as_str();
    let (base, null) = match phrase.strip_suffix(" or null") {
        Some(base) => (base, NullResult::Possible),
        None => (phrase, NullResult::Never),
    };
    let found = match (base, base.strip_prefix("into "), null) {
        ("any", _, NullResult::Never) => Some(ExternResult::Any),
        ("library", _, null) => Some(ExternResult::Library { null }),
        (_, Some(into), null) => argument(into).map(|argument| ExternResult::IntoArgument { argument, null }),
        (base, None, NullResult::Never) => argument(base).map(ExternResult::Argument),
        // Where it is not null, a part of the call says which pointer it is.
        (base, None, null @ NullResult::Possible) => argument(base).map(|_| ExternResult::Library { null }),
    };
    let forms = [
        "any",
        "argument 0",
        "argument 0 or null",
        "into argument 0",
        "into argument 0 or null",
        "library",
        "library or null",
    ];
    found.ok_or_else(|| refuse(text, &forms))
}

/// What a function that is called back is given.
pub(crate) fn callback_argument(text: &Text) -> Result<CallbackArgument, Problem> {
    let phrase = text.get_ref().as_str();
    let found = match (phrase, phrase.strip_prefix("into ")) {
        ("other", _) => Some(CallbackArgument::Other),
        (_, Some(into)) => argument(into).map(CallbackArgument::Into),
        (phrase, None) => argument(phrase).map(CallbackArgument::Parameter),
    };
    found.ok_or_else(|| refuse(text, &["argument 0", "into argument 0", "other"]))
}

/// Which elements an array has.
pub(crate) fn array_elements(text: &Text) -> Result<Elements, Problem> {
    let phrase = text.get_ref().as_str();
    let parts = phrase.strip_suffix(" bytes").and_then(|phrase| phrase.split_once(" of "));
    let found = parts.and_then(|(count, size)| Some(Elements { count: argument(count)?, size: argument(size)? }));
    found.ok_or_else(|| refuse(text, &["argument 1 of argument 2 bytes"]))
}

/// `argument N = library`, `argument N = library or null`.
pub(crate) fn gift(text: &Text) -> Result<Gift, Problem> {
    let parse = |phrase: &str| {
        let (parameter, what) = phrase.split_once('=')?;
        let null = match what.trim() {
            "library" => NullResult::Never,
            "library or null" => NullResult::Possible,
            _ => return None,
        };
        Some(Gift { parameter: argument(parameter)?, null })
    };
    parse(text.get_ref()).ok_or_else(|| refuse(text, &["argument 3 = library", "argument 3 = library or null"]))
}

/// `RESULT where argument N is V`.
pub(crate) fn never(text: &Text) -> Result<Never, Problem> {
    let parse = |phrase: &str| {
        let (result, test) = phrase.split_once(" where ")?;
        Some((result.trim().parse().ok()?, test.to_owned()))
    };
    let Some((result, test)) = parse(text.get_ref()) else { return Err(refuse(text, &["0 where argument 2 is 0"])) };
    Ok(Never { result, test: argument_test(&Spanned::new(text.span(), test))? })
}

/// `argument N`, `list behind argument N`, `list behind argument N or null` or `arguments from N`.
pub(crate) fn texts(text: &Text) -> Result<Texts, Problem> {
    let phrase = text.get_ref().as_str();
    let list = |phrase: &str| {
        let phrase = phrase.strip_prefix("list behind ")?;
        let (base, null) = match phrase.strip_suffix(" or null") {
            Some(base) => (base, NullArgument::Allowed),
            None => (phrase, NullArgument::Error),
        };
        Some(Texts::List { parameter: argument(base)?, null })
    };
    let position = |phrase: &str| phrase.strip_prefix("arguments from ")?.parse().ok();
    argument(phrase)
        .map(Texts::Parameter)
        .or_else(|| list(phrase))
        .or_else(|| position(phrase).filter(|from| *from < MOST_PARAMETERS).map(Texts::Arguments))
        .ok_or_else(|| refuse(text, &["argument 0", "list behind argument 1", "arguments from 1"]))
}

/// `argument N` or `library`.
pub(crate) fn original(text: &Text) -> Result<Original, Problem> {
    match (text.get_ref().as_str(), argument(text.get_ref())) {
        ("library", _) => Ok(Original::Library),
        (_, Some(parameter)) => Ok(Original::Parameter(parameter)),
        (_, None) => Err(refuse(text, &["argument 0", "library"])),
    }
}

/// The parameter N of `argument N or null`, as a result.
pub(crate) fn argument_unless_null(text: &Text) -> Option<u32> {
    argument(text.get_ref().strip_suffix(" or null")?)
}

/// What a variable of the library holds.
pub(crate) fn library(text: &Text) -> Result<NullResult, Problem> {
    word(text, &[("library", NullResult::Never), ("library or null", NullResult::Possible)])
}

/// `argument N = into argument M`.
pub(crate) fn stored_pointer(text: &Text) -> Result<MemoryEffect, Problem> {
    let parse = |phrase: &str| {
        let (through, into) = phrase.split_once('=')?;
        let into = into.trim().strip_prefix("into ")?;
        Some(MemoryEffect::StoresPointer { through: argument(through)?, into: argument(into)? })
    };
    parse(text.get_ref()).ok_or_else(|| refuse(text, &["argument 1 = into argument 0"]))
}

/// `argument N` or `argument N or null`; how many bytes are there, `argument M bytes`, `*argument M bytes` or `16 bytes`, may follow.
pub(crate) fn dereference(text: &Text) -> Result<Dereference, Problem> {
    let parse = |phrase: &str| {
        let (phrase, length) = match phrase.split_once(',') {
            None => (phrase, Length::ByType),
            Some((phrase, told)) => {
                let told = told.trim().strip_suffix(" bytes")?;
                let length = match (told.strip_prefix('*'), told.parse::<u32>()) {
                    (Some(told), _) => Length::Behind(argument(told)?),
                    (None, Ok(bytes)) => Length::Constant(bytes),
                    (None, Err(_)) => Length::Argument(argument(told)?),
                };
                (phrase, length)
            }
        };
        let (base, null) = match phrase.strip_suffix(" or null") {
            Some(base) => (base, NullArgument::Allowed),
            None => (phrase, NullArgument::Error),
        };
        Some(Dereference { parameter: argument(base)?, null, length })
    };
    let forms =
        ["argument 0", "argument 0 or null", "argument 1, argument 2 bytes", "argument 1 or null, *argument 2 bytes"];
    parse(text.get_ref()).ok_or_else(|| refuse(text, &forms))
}

/// `print argument N`, `print list argument N` or `scan argument N`.
pub(crate) fn format(text: &Text) -> Result<Format, Problem> {
    let phrase = text.get_ref();
    let forms = [
        ("print ", FormatLanguage::Print),
        ("print list ", FormatLanguage::PrintList),
        ("scan ", FormatLanguage::Scan),
    ];
    forms
        .into_iter()
        .find_map(|(prefix, language)| {
            let parameter = argument(phrase.strip_prefix(prefix)?)?;
            Some(Format { parameter, language })
        })
        .ok_or_else(|| refuse(text, &["print argument 0", "print list argument 0", "scan argument 0"]))
}

/// `LOW to HIGH`, `LOW to below HIGH` or `LOW to argument N`.
pub(crate) fn range(text: &Text) -> Result<ResultRange, Problem> {
    let parse = |phrase: &str| {
        let (low, high) = phrase.split_once(" to ")?;
        let high = match (high.strip_prefix("below "), argument(high)) {
            (Some(bound), _) => RangeEnd::Below(bound.trim().parse().ok()?),
            (None, Some(position)) => RangeEnd::Argument(position),
            (None, None) => RangeEnd::Constant(high.trim().parse().ok()?),
        };
        let low: i64 = low.trim().parse().ok()?;
        match high {
            RangeEnd::Constant(high) if high < low => None,
            RangeEnd::Below(high) if high <= low => None,
            RangeEnd::Constant(_) | RangeEnd::Below(_) | RangeEnd::Argument(_) => Some(ResultRange { low, high }),
        }
    };
    parse(text.get_ref()).ok_or_else(|| refuse(text, &["-1 to 255", "0 to below 1", "0 to argument 2"]))
}

/// Who decides a result.
pub(crate) fn decided_by(text: &Text) -> Result<DecidedBy, Problem> {
    word(
        text,
        &[
            ("arguments", DecidedBy::Arguments),
            ("outside", DecidedBy::Outside),
            ("outside, once", DecidedBy::OutsideOnce),
            ("outside, and changes it", DecidedBy::OutsideChanges),
        ],
    )
}

/// Which results mean that a function has written.
pub(crate) fn result_success(text: &Text) -> Result<Success, Problem> {
    word(
        text,
        &[
            ("zero", Success::Zero),
            ("non-negative", Success::NonNegative),
            ("positive", Success::Positive),
            ("non-zero", Success::NonZero),
            ("negative", Success::Negative),
        ],
    )
}

/// `argument N from LOW to HIGH`.
pub(crate) fn certain(text: &Text) -> Result<CertainArgument, Problem> {
    let parse = |phrase: &str| {
        let (parameter, range) = phrase.split_once(" from ")?;
        let (low, high) = range.split_once(" to ")?;
        let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        (low <= high).then_some(CertainArgument { parameter: argument(parameter)?, low, high })
    };
    parse(text.get_ref()).ok_or_else(|| refuse(text, &["argument 0 from 0 to 7"]))
}

/// What bytes are written.
pub(crate) fn written_bytes(text: &Text) -> Result<WrittenBytes, Problem> {
    word(text, &[("bytes", WrittenBytes::Any), ("text", WrittenBytes::Text), ("characters", WrittenBytes::Characters)])
}

/// `new`, `shared NAME`, `changing NAME` or `of argument N`.
pub(crate) fn result_storage(text: &Text) -> Result<ResultStorage, Problem> {
    let phrase = text.get_ref();
    let named = |prefix: &str| phrase.strip_prefix(prefix).filter(|name| is_name(name)).map(str::to_owned);
    (phrase == "new")
        .then_some(ResultStorage::New)
        .or_else(|| named("shared ").map(ResultStorage::Shared))
        .or_else(|| named("changing ").map(ResultStorage::Changing))
        .or_else(|| argument(phrase.strip_prefix("of ")?).map(ResultStorage::OfArgument))
        .ok_or_else(|| refuse(text, &["new", "shared NAME", "changing NAME", "of argument 0"]))
}

/// `draws from NAME`, `restarts NAME` or `changes NAME`.
pub(crate) fn sequence(text: &Text) -> Result<SequencePart, Problem> {
    let phrase = text.get_ref();
    let named = |prefix: &str| phrase.strip_prefix(prefix).filter(|name| is_name(name)).map(str::to_owned);
    named("draws from ")
        .map(SequencePart::Draws)
        .or_else(|| named("restarts ").map(SequencePart::Restarts))
        .or_else(|| named("changes ").map(SequencePart::Changes))
        .ok_or_else(|| refuse(text, &["draws from NAME", "restarts NAME", "changes NAME"]))
}

/// `from argument N` or `from standard input`, and which result says that it has ended.
pub(crate) fn input(text: &Text) -> Result<InputPart, Problem> {
    let parse = |phrase: &str| {
        let (from, end) = phrase.strip_prefix("from ")?.split_once(", ended by ")?;
        let from = match from {
            "standard input" => None,
            from => Some(argument(from)?),
        };
        let end = match end {
            "negative" => InputEnd::Negative,
            "zero" => InputEnd::Zero,
            "fewer" => InputEnd::Fewer,
            _ => return None,
        };
        Some(InputPart { from, end })
    };
    let examples =
        ["from standard input, ended by negative", "from argument 2, ended by zero", "from argument 3, ended by fewer"];
    parse(text.get_ref()).ok_or_else(|| refuse(text, &examples))
}

/// `opens`, `opens written`, `closes argument N` or `hands over argument N`.
pub(crate) fn descriptor(text: &Text) -> Result<DescriptorPart, Problem> {
    match text.get_ref().as_str() {
        "opens" => Ok(DescriptorPart::Opens),
        "opens written" => Ok(DescriptorPart::OpensWritten),
        phrase => {
            let of = |prefix: &str| phrase.strip_prefix(prefix).and_then(argument);
            of("closes ")
                .map(DescriptorPart::Closes)
                .or_else(|| of("hands over ").map(DescriptorPart::HandsOver))
                .ok_or_else(|| refuse(text, &["opens", "opens written", "closes argument 0", "hands over argument 0"]))
        }
    }
}

/// `set` or `kept`.
pub(crate) fn error_number(text: &Text) -> Result<ErrorNumber, Problem> {
    match text.get_ref().as_str() {
        "set" => Ok(ErrorNumber::MayBeSet),
        "kept" => Ok(ErrorNumber::Kept),
        _ => Err(refuse(text, &["set", "kept"])),
    }
}

/// A name that models choose: letters, digits, hyphens.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
}
