//! Files of properties: options of TVLA's engine that a specification brings along.
//!
//! A comment `@properties "FILE"` in a specification names such a file; its lines are `key = value`. What is known is honoured, or
//! refused where it would change what a run means; all other keys are named in a warning.

use super::preprocess::Files;
use crate::action::Differencing;
use heapwise_logic::text::{Origin, TextError};

/// Which parts of an action are done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionOrder {
    /// `fcpucb`: focus, coerce, precondition, update, coerce, blur.
    Full,
    /// `cpucb` or `pucb`: no focus. What comes in satisfies the rules, so there is nothing to coerce before the update.
    WithoutFocus,
}

/// What files of properties say.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Properties {
    /// `tvla.differencing.difference`: whether updates are derived.
    pub differencing: Option<Differencing>,
    /// `tvla.engine.actionOrder`.
    pub action_order: Option<ActionOrder>,
}

impl Properties {
    /// These, and the others where these say nothing.
    #[must_use]
    pub fn or(self, others: Properties) -> Properties {
        Properties {
            differencing: self.differencing.or(others.differencing),
            action_order: self.action_order.or(others.action_order),
        }
    }
}

/// Reads a file of properties; keys without effect here are warnings.
///
/// # Errors
/// A line that is none, or a value that is not supported.
pub fn parse(path: &str, text: &str, warnings: &mut Vec<TextError>) -> Result<Properties, TextError> {
    let mut properties = Properties::default();
    for (origin, line) in logical_lines(path, text) {
        let Some((key, value)) = line.split_once(['=', ':']) else {
            return Err(TextError::at(&origin, format!("expected `key = value`, found `{line}`")));
        };
        let (key, value) = (key.trim(), value.trim());
        match key {
            "tvla.differencing.difference" => {
                properties.differencing = Some(match value {
                    "true" => Differencing::Derived,
                    "false" => Differencing::GivenOnly,
                    _ => {
                        let message = format!("`{key}` is `true` or `false`, found `{value}`");
                        return Err(TextError::at(&origin, message));
                    }
                });
            }
            "tvla.engine.actionOrder" => {
                properties.action_order = Some(match value {
                    "fcpucb" => ActionOrder::Full,
                    "cpucb" | "pucb" => ActionOrder::WithoutFocus,
                    _ => {
                        let message = format!(
                            "the order `{value}` of an action (`{key}`) is not supported: `fcpucb`, `cpucb` and `pucb` are"
                        );
                        return Err(TextError::at(&origin, message));
                    }
                });
            }
            _ => warnings.push(TextError::at(&origin, format!("the property `{key}` has no effect here"))),
        }
    }
    Ok(properties)
}

/// The properties that comments of a specification name; what is named later counts.
///
/// # Errors
/// A file that is not found, or is wrong.
pub fn named_in(
    path: &str,
    text: &str,
    files: &dyn Files,
    warnings: &mut Vec<TextError>,
) -> Result<Properties, TextError> {
    let mut properties = Properties::default();
    for (i, line) in text.lines().enumerate() {
        let Some((comment, rest)) = line.split_once("@properties") else { continue };
        let Some(name) =
            rest.trim_start().strip_prefix('"').and_then(|rest| rest.split_once('"')).map(|(name, _)| name)
        else {
            continue;
        };
        if !comment.contains("//") && !comment.trim_start().starts_with(['*', '/']) {
            continue;
        }
        let Some((content, found)) = files.read(name, path) else {
            let message = format!("the file of properties \"{name}\" is not found");
            return Err(TextError::at(&origin(path, i), message));
        };
        properties = parse(&found, &content, warnings)?.or(properties);
    }
    Ok(properties)
}

fn origin(path: &str, index: usize) -> Origin {
    Origin { file: path.into(), line: u32::try_from(index + 1).unwrap_or(u32::MAX) }
}

/// Lines without comments; one that ends in a backslash goes on in the next.
fn logical_lines(path: &str, text: &str) -> Vec<(Origin, String)> {
    let mut lines: Vec<(Origin, String)> = Vec::new();
    let mut goes_on = false;
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        let (content, continued) = line.strip_suffix('\\').map_or((line, false), |content| (content, true));
        match lines.last_mut() {
            Some((_, last)) if goes_on => last.push_str(content),
            _ if content.is_empty() || content.starts_with(['#', '!']) => continue,
            _ => lines.push((origin(path, i), content.to_owned())),
        }
        goes_on = continued;
    }
    lines
}
