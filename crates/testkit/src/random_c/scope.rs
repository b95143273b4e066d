//! What can be named at a place of a generated program.

use super::random::Random;
use super::scalar::Scalar;

/// A record or union type.
#[derive(Clone, Debug)]
pub(super) struct Aggregate {
    pub(super) spelling: String,
    pub(super) is_union: bool,
    pub(super) members: Vec<Member>,
}

#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) ty: MemberType,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum MemberType {
    Scalar(Scalar),
    Bits(Scalar, u32),
    Array(Scalar, usize),
    Aggregate(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) ty: VariableType,
}

#[derive(Clone, Debug)]
pub(super) enum VariableType {
    Scalar(Scalar),
    /// The length is a power of two, so that an index can be masked.
    Array(Scalar, usize),
    Aggregate(usize),
    /// Never null, never dangling.
    Pointer(Scalar),
}

/// The variables that can be named.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    pub(super) variables: Vec<Variable>,
}

/// A place that holds an integer.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) text: String,
    /// The type of the place; for a bit-field the declared one.
    pub(super) ty: Scalar,
    /// The type it has as an operand before promotion: narrower for a bit-field.
    pub(super) operand: Scalar,
}

impl Scope {
    /// All integer places with constant indices.
    pub(super) fn scalars(&self, aggregates: &[Aggregate]) -> Vec<(String, Scalar)> {
        let mut found = Vec::new();
        for variable in &self.variables {
            match variable.ty {
                VariableType::Scalar(scalar) => found.push((variable.name.clone(), scalar)),
                VariableType::Array(scalar, length) => {
                    found.extend((0..length).map(|index| (format!("{}[{index}]", variable.name), scalar)));
                }
                VariableType::Aggregate(index) => members(&variable.name, index, aggregates, &mut found),
                VariableType::Pointer(scalar) => found.push((format!("*{}", variable.name), scalar)),
            }
        }
        found
    }

    /// A variable whose address can be taken, with the type there.
    pub(super) fn addressable(&self, random: &mut Random) -> Option<(String, Scalar)> {
        let places: Vec<(String, Scalar)> = self
            .variables
            .iter()
            .filter_map(|variable| match variable.ty {
                VariableType::Scalar(scalar) => Some((format!("&{}", variable.name), scalar)),
                VariableType::Array(scalar, length) => Some((format!("&{}[{}]", variable.name, length / 2), scalar)),
                VariableType::Aggregate(_) | VariableType::Pointer(_) => None,
            })
            .collect();
        if places.is_empty() { None } else { Some(random.pick(&places).clone()) }
    }

    /// The address of some place of exactly this type.
    pub(super) fn address_of(&self, random: &mut Random, wanted: Scalar) -> Option<String> {
        let places: Vec<String> = self
            .variables
            .iter()
            .filter_map(|variable| match variable.ty {
                VariableType::Scalar(scalar) if scalar == wanted => Some(format!("&{}", variable.name)),
                VariableType::Array(scalar, length) if scalar == wanted => {
                    Some(format!("{} + {}", variable.name, length - 1))
                }
                VariableType::Pointer(scalar) if scalar == wanted => Some(variable.name.clone()),
                _ => None,
            })
            .collect();
        if places.is_empty() { None } else { Some(random.pick(&places).clone()) }
    }
}

fn members(base: &str, index: usize, aggregates: &[Aggregate], found: &mut Vec<(String, Scalar)>) {
    for member in &aggregates[index].members {
        let text = format!("{base}.{}", member.name);
        match member.ty {
            MemberType::Scalar(scalar) | MemberType::Bits(scalar, _) => found.push((text, scalar)),
            MemberType::Array(scalar, length) => {
                found.extend((0..length).map(|at| (format!("{text}[{at}]"), scalar)));
            }
            MemberType::Aggregate(inner) => members(&text, inner, aggregates, found),
        }
    }
}
