//! A TVP file without its control-flow graph: predicates, rules, and the actions that are asked for.

use super::preprocess::{Files, Preprocessor};
use super::program::{End, Reader};
use crate::action::ActionSpecification;
use crate::rules::Rule;
use crate::vocabulary::Vocabulary;
use heapwise_logic::text::{Parser, Source, TextError, TokenKind};

/// Predicates, rules and some actions, without a control-flow graph.
#[derive(Clone, Debug)]
pub struct Library {
    /// The predicates.
    pub vocabulary: Vocabulary,
    /// The rules as written.
    pub rules: Vec<Rule>,
    /// The actions asked for, in that order.
    pub actions: Vec<ActionSpecification>,
    /// What was read but has no effect here, or was skipped.
    pub warnings: Vec<TextError>,
}

/// Reads the declarations and actions of a TVP file, and makes the actions that `calls` name: `Get_Next(x, y)`. The file
/// may end after its declarations or its actions; a control-flow graph is not read.
///
/// # Errors
/// The first thing that is wrong with the file or with a call.
pub fn parse_library(
    path: &str,
    text: &str,
    files: &dyn Files,
    defines: &[String],
    calls: &[String],
) -> Result<Library, TextError> {
    let source = Preprocessor::new(files, defines).expand(path, text)?;
    let mut reader = Reader::new(&source)?;
    reader.declarations(End::File)?;
    if *reader.parser.kind() == TokenKind::Separator {
        reader.parser.advance();
        while reader.parser.is_directive("action") {
            reader.written_action()?;
        }
        if !matches!(reader.parser.kind(), TokenKind::Separator | TokenKind::End) {
            return Err(reader.parser.expected("`%action`, `%%` or the end of the file"));
        }
    }
    let mut actions = Vec::with_capacity(calls.len());
    for call in calls {
        actions.push(reader.call(call)?);
    }
    Ok(Library { vocabulary: reader.vocabulary, rules: reader.rules, actions, warnings: reader.warnings })
}

impl Reader {
    /// The action that a text like `Get_Next(x, y)` names.
    fn call(&mut self, text: &str) -> Result<ActionSpecification, TextError> {
        let (mut parser, skipped) = Parser::new(&Source::plain("action", text))?;
        if let Some(error) = skipped.into_iter().next() {
            return Err(error);
        }
        let origin = parser.origin().clone();
        let name = parser.id("the name of an action")?;
        let actuals = Reader::actuals(&mut parser)?;
        if *parser.kind() != TokenKind::End {
            return Err(parser.expected("the end of the action"));
        }
        let mut actions = self.resolve(&origin, &name, &actuals)?;
        match (actions.pop(), actions.is_empty()) {
            (Some(action), true) => Ok(action),
            (None, _) => {
                Err(TextError::at(&origin, format!("`%param` of the action `{name}` ranges over an empty set")))
            }
            (Some(_), false) => {
                let message = format!("the action `{name}` has `%param`: it stands for several actions");
                Err(TextError::at(&origin, message))
            }
        }
    }
}
