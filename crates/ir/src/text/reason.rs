//! The text of what could not be lowered: a word, and its data as strings.

use super::printer_instruction::quoted;
use crate::links::LinkError;
use crate::unsupported::{ClaimFault, Construct, UnsupportedReason};

/// The text of a reason.
pub(super) fn printed(reason: &UnsupportedReason) -> String {
    let (word, data) = word_and_data(reason);
    data.iter().fold(word.to_owned(), |text, datum| format!("{text} {}", quoted(datum.as_bytes(), '"')))
}

fn word_and_data(reason: &UnsupportedReason) -> (&'static str, Vec<&str>) {
    match reason {
        UnsupportedReason::InlineAssembly => ("inline_assembly", Vec::new()),
        UnsupportedReason::NonLocalJump => ("non_local_jump", Vec::new()),
        UnsupportedReason::ComputedGoto => ("computed_goto", Vec::new()),
        UnsupportedReason::NestedFunction => ("nested_function", Vec::new()),
        UnsupportedReason::ScalarType(name) => ("scalar_type", vec![name]),
        UnsupportedReason::FrontEndError(message) => ("front_end", vec![message]),
        UnsupportedReason::CompilerOption { option, file } => ("compiler_option", vec![option, file]),
        UnsupportedReason::Claim(fault) => claim(fault),
        UnsupportedReason::Construct(construct) => construct_word(construct),
    }
}

fn claim(fault: &ClaimFault) -> (&'static str, Vec<&str>) {
    match fault {
        ClaimFault::Unknown { name } => ("claim_unknown", vec![name]),
        ClaimFault::ContractNoLiteral => ("contract_no_literal", Vec::new()),
        ClaimFault::FieldNoLiteral => ("field_no_literal", Vec::new()),
        ClaimFault::Links(error) => match error {
            LinkError::NoStruct => ("links_no_struct", Vec::new()),
            LinkError::NoField { record, field } => ("links_no_field", vec![record, field]),
            LinkError::NoLink { record } => ("links_none", vec![record]),
            LinkError::NoParent { record } => ("links_no_parent", vec![record]),
            LinkError::UnclearCycle { record } => ("links_unclear_cycle", vec![record]),
            LinkError::UnclearNeighbours { record } => ("links_unclear_neighbours", vec![record]),
            LinkError::TooMany { record } => ("links_too_many", vec![record]),
        },
    }
}

fn construct_word(construct: &Construct) -> (&'static str, Vec<&str>) {
    let word = match construct {
        Construct::VariadicThroughPointer { function } => return ("variadic_through_pointer", vec![function]),
        Construct::DeclaredOtherwise { name } => return ("declared_otherwise", vec![name]),
        Construct::DefinedOtherwise { name } => return ("defined_otherwise", vec![name]),
        Construct::WeakObject { name } => return ("weak_object", vec![name]),
        Construct::ArgumentNotModelled { function } => return ("argument_not_modelled", vec![function]),
        Construct::AddressOfRegister => "address_of_register",
        Construct::AllocaCalled => "alloca_called",
        Construct::EvaluatedInType => "evaluated_in_type",
        Construct::AtomicOperation => "atomic_operation",
        Construct::AtomicAggregate => "atomic_aggregate",
        Construct::Builtin => "builtin",
        Construct::FloatBits => "float_bits",
        Construct::WideOverflowCheck => "wide_overflow_check",
        Construct::ArgumentCount => "argument_count",
        Construct::CalledAsOtherType => "called_as_other_type",
        Construct::VaStartWithoutEllipsis => "va_start_without_ellipsis",
        Construct::Constructor => "constructor",
        Construct::StrayBreak => "stray_break",
        Construct::StrayContinue => "stray_continue",
        Construct::ErroneousExpression => "erroneous_expression",
        Construct::ErroneousStatement => "erroneous_statement",
        Construct::InitializerNotConstant => "initializer_not_constant",
        Construct::InitializerOfUnknownPart => "initializer_of_unknown_part",
        Construct::FormatMisfit => "format_misfit",
        Construct::InitializedAgain => "initialized_again",
        Construct::InitializerReversed => "initializer_reversed",
        Construct::MemberReversed => "member_reversed",
        Construct::MemberOfNoRecord => "member_of_no_record",
        Construct::MemberWithoutLayout => "member_without_layout",
        Construct::IncompleteSize => "incomplete_size",
        Construct::IncompleteArithmetic => "incomplete_arithmetic",
    };
    (word, Vec::new())
}

/// How many strings follow this word; `None`: it is no reason.
pub(super) fn arity(word: &str) -> Option<usize> {
    (0..=2).find(|strings| built(word, &vec![String::new(); *strings]).is_some())
}

/// The reason with this word and these data.
pub(super) fn built(word: &str, data: &[String]) -> Option<UnsupportedReason> {
    match data {
        [] => plain(word),
        [only] => {
            let record = only.clone();
            Some(match word {
                "scalar_type" => UnsupportedReason::ScalarType(record),
                "front_end" => UnsupportedReason::FrontEndError(record),
                "variadic_through_pointer" => Construct::VariadicThroughPointer { function: record }.into(),
                "declared_otherwise" => Construct::DeclaredOtherwise { name: record }.into(),
                "defined_otherwise" => Construct::DefinedOtherwise { name: record }.into(),
                "weak_object" => Construct::WeakObject { name: record }.into(),
                "argument_not_modelled" => Construct::ArgumentNotModelled { function: record }.into(),
                "claim_unknown" => ClaimFault::Unknown { name: record }.into(),
                "links_none" => ClaimFault::Links(LinkError::NoLink { record }).into(),
                "links_no_parent" => ClaimFault::Links(LinkError::NoParent { record }).into(),
                "links_unclear_cycle" => ClaimFault::Links(LinkError::UnclearCycle { record }).into(),
                "links_unclear_neighbours" => ClaimFault::Links(LinkError::UnclearNeighbours { record }).into(),
                "links_too_many" => ClaimFault::Links(LinkError::TooMany { record }).into(),
                _ => return None,
            })
        }
        [first, second] => {
            let (first, second) = (first.clone(), second.clone());
            Some(match word {
                "compiler_option" => UnsupportedReason::CompilerOption { option: first, file: second },
                "links_no_field" => ClaimFault::Links(LinkError::NoField { record: first, field: second }).into(),
                _ => return None,
            })
        }
        _ => None,
    }
}

fn plain(word: &str) -> Option<UnsupportedReason> {
    Some(match word {
        "inline_assembly" => UnsupportedReason::InlineAssembly,
        "non_local_jump" => UnsupportedReason::NonLocalJump,
        "computed_goto" => UnsupportedReason::ComputedGoto,
        "nested_function" => UnsupportedReason::NestedFunction,
        "contract_no_literal" => ClaimFault::ContractNoLiteral.into(),
        "field_no_literal" => ClaimFault::FieldNoLiteral.into(),
        "links_no_struct" => ClaimFault::Links(LinkError::NoStruct).into(),
        "address_of_register" => Construct::AddressOfRegister.into(),
        "alloca_called" => Construct::AllocaCalled.into(),
        "evaluated_in_type" => Construct::EvaluatedInType.into(),
        "atomic_operation" => Construct::AtomicOperation.into(),
        "atomic_aggregate" => Construct::AtomicAggregate.into(),
        "builtin" => Construct::Builtin.into(),
        "float_bits" => Construct::FloatBits.into(),
        "wide_overflow_check" => Construct::WideOverflowCheck.into(),
        "argument_count" => Construct::ArgumentCount.into(),
        "called_as_other_type" => Construct::CalledAsOtherType.into(),
        "va_start_without_ellipsis" => Construct::VaStartWithoutEllipsis.into(),
        "constructor" => Construct::Constructor.into(),
        "stray_break" => Construct::StrayBreak.into(),
        "stray_continue" => Construct::StrayContinue.into(),
        "erroneous_expression" => Construct::ErroneousExpression.into(),
        "erroneous_statement" => Construct::ErroneousStatement.into(),
        "initializer_not_constant" => Construct::InitializerNotConstant.into(),
        "initializer_of_unknown_part" => Construct::InitializerOfUnknownPart.into(),
        "format_misfit" => Construct::FormatMisfit.into(),
        "initialized_again" => Construct::InitializedAgain.into(),
        "initializer_reversed" => Construct::InitializerReversed.into(),
        "member_reversed" => Construct::MemberReversed.into(),
        "member_of_no_record" => Construct::MemberOfNoRecord.into(),
        "member_without_layout" => Construct::MemberWithoutLayout.into(),
        "incomplete_size" => Construct::IncompleteSize.into(),
        "incomplete_arithmetic" => Construct::IncompleteArithmetic.into(),
        _ => return None,
    })
}
