//! Contracts that are written behind declarations, handed to the functions they belong to.

use crate::adapter::Linkage;
use crate::link::Linker;
use crate::unit::UnitContext;
use heapwise_ir::claim::Clause;
use heapwise_ir::{Contract, FunctionId, RegisterOrigin};

/// Hands over the contracts of one unit's declarations. Functions that nothing uses are not part of the program.
pub(crate) fn attach_contracts(link: &mut Linker<'_>, unit: &mut UnitContext<'_>) {
    let source = unit.source;
    for declared in &source.contracts {
        let Some(decl) = unit.file_scope_named(&declared.function) else { continue };
        let external = unit.decl(decl).linkage == Linkage::External;
        let elsewhere = link.known_function(&declared.function).filter(|_| external);
        let Some(function) = unit.known_function(decl).or(elsewhere) else { continue };
        let renamed = name_parameters(link, function, &declared.parameters);
        for (clause, text, span) in &declared.clauses {
            let span = unit.span(link, *span);
            let text = with_names(text, &renamed);
            add_clause(link, function, *clause, text, span);
        }
    }
}

/// A function without a body gets the names of the declaration; those of one with a body stay, and the pairs say which of
/// its names stands for which of the declaration.
fn name_parameters(link: &mut Linker<'_>, function: FunctionId, names: &[Option<String>]) -> Vec<(String, String)> {
    let is_defined = link.is_defined(function);
    let function = &mut link.program.functions[function];
    let mut renamed = Vec::new();
    for (parameter, name) in function.parameters.iter().zip(names) {
        let (register, Some(name)) = (&mut function.registers[*parameter], name) else { continue };
        if !is_defined && !matches!(register.origin, RegisterOrigin::Variable(_)) {
            register.name.clone_from(name);
            register.origin = RegisterOrigin::Variable(function.span);
        } else if register.name != *name {
            renamed.push((name.clone(), register.name.clone()));
        }
    }
    renamed
}

/// A formula with other names for parameters. What follows `->` or `.` is a field, what follows `struct` a type.
fn with_names(formula: &str, renamed: &[(String, String)]) -> String {
    if renamed.is_empty() {
        return formula.to_owned();
    }
    let mut text = String::with_capacity(formula.len());
    let mut rest = formula;
    while let Some(first) = rest.chars().next() {
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        let length = rest.find(|character| is_word(character) != is_word(first)).unwrap_or(rest.len());
        let (part, after) = rest.split_at(length);
        rest = after;
        let before = text.trim_end();
        let is_other = before.ends_with("->") || before.ends_with('.') || before.ends_with("struct");
        let other = renamed.iter().find(|(name, _)| name == part && !is_other).map(|(_, other)| other.as_str());
        text.push_str(other.unwrap_or(part));
    }
    text
}

fn add_clause(link: &mut Linker<'_>, function: FunctionId, clause: Clause, text: String, span: heapwise_ir::Span) {
    let contracts = &mut link.program.contracts;
    let position = contracts.iter().position(|contract| contract.function == function).unwrap_or_else(|| {
        contracts.push(Contract { function, requires: Vec::new(), ensures: Vec::new(), span });
        contracts.len() - 1
    });
    let contract = &mut contracts[position];
    let texts = if clause == Clause::Requires { &mut contract.requires } else { &mut contract.ensures };
    // A header that several files include says it once.
    if !texts.contains(&text) {
        texts.push(text.clone());
        link.claims.push((function, clause, text, span));
    }
}
