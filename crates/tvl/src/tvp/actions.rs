//! The second section of a TVP file: actions, checked when written and read again for each use.

use super::declarations::{Target, only_variable};
use super::program::{Reader, WrittenAction};
use crate::action::{ActionSpecification, Creation, Message};
use crate::vocabulary::Definition;
use heapwise_logic::text::{Name, Names, TextError, TokenKind};
use heapwise_logic::{Formula, Predicate, Variable};
use std::sync::Arc;

impl Reader {
    pub(super) fn written_action(&mut self) -> Result<(), TextError> {
        self.parser.advance();
        let origin = self.parser.origin().clone();
        let name = self.parser.id("the name of an action")?;
        self.parser.expect("(", "after the name of an action")?;
        let mut parameters = Vec::new();
        if !self.parser.take(")") {
            loop {
                parameters.push(self.parser.id("a parameter of the action")?);
                if !self.parser.take(",") {
                    break;
                }
            }
            self.parser.expect(")", "or `,` after a parameter of the action")?;
        }
        let body = self.parser.position();
        self.parser.begin_survey();
        let surveyed = self.action_body(&name);
        self.parser.end_survey();
        surveyed?;
        if self.actions.insert(name.clone(), WrittenAction { parameters, body }).is_some() {
            let message = format!("the action `{name}` is declared before: this declaration replaces the earlier one");
            self.warn(TextError::at(&origin, message));
        }
        Ok(())
    }

    /// The action with its parameters replaced: one for each choice of what its `%param` clauses range over.
    pub(super) fn instantiate(
        &mut self,
        name: &str,
        written: &WrittenAction,
        actuals: &[Name],
    ) -> Result<Vec<ActionSpecification>, TextError> {
        let bindings: Vec<(Arc<str>, Name)> = written.parameters.iter().cloned().zip(actuals.iter().cloned()).collect();
        let ranges = self.elsewhere(written.body, &bindings, |r| r.ranges(name))?;
        let mut choices = vec![Vec::new()];
        for (id, elements) in ranges {
            let longer = |choice: &Vec<(Arc<str>, Name)>| {
                let with = |element: &Name| choice.iter().cloned().chain([(id.clone(), element.clone())]).collect();
                elements.iter().map(with).collect::<Vec<_>>()
            };
            choices = choices.iter().flat_map(longer).collect();
        }
        choices.iter().map(|choice| self.instantiate_choice(name, written, actuals, choice)).collect()
    }

    /// The `%param` clauses at the beginning of an action.
    fn ranges(&mut self, name: &str) -> Result<Vec<Range>, TextError> {
        self.parser.expect("{", &format!("before the body of the action `{name}`"))?;
        let mut ranges = Vec::new();
        while self.parser.take_directive("param") {
            ranges.push(self.parser.binder(&self.vocabulary)?);
        }
        Ok(ranges)
    }

    fn instantiate_choice(
        &mut self,
        name: &str,
        written: &WrittenAction,
        actuals: &[Name],
        choice: &[(Arc<str>, Name)],
    ) -> Result<ActionSpecification, TextError> {
        let actual = written.parameters.iter().cloned().zip(actuals.iter().cloned());
        let bindings: Vec<(Arc<str>, Name)> = actual.chain(choice.iter().cloned()).collect();
        let chosen = choice.iter().map(|(id, element)| format!("{id} = {element}"));
        let arguments: Vec<String> = actuals.iter().map(Name::to_string).chain(chosen).collect();
        let mut action = self.elsewhere(written.body, &bindings, |r| r.action_body(name))?;
        action.name = format!("{name}({})", arguments.join(", "));
        if action.title.is_empty() {
            action.title.clone_from(&action.name);
        }
        action.focus.extend(self.focus.iter().cloned());
        action.before.extend(self.messages.iter().cloned());
        Ok(action)
    }

    /// The clauses of an action, in the order that TVLA prescribes.
    fn action_body(&mut self, name: &str) -> Result<ActionSpecification, TextError> {
        self.ranges(name)?;
        let mut action = ActionSpecification::default();
        if self.parser.take_directive("t") {
            action.title = self.message_text()?;
        }
        for clause in ["frame_pre", "compose", "frame"] {
            self.unused_formula(clause)?;
        }
        if self.parser.take_directive("f") {
            action.focus = self.focus_list()?;
        }
        let mut parameters = Vec::new();
        if self.parser.take_directive("p") {
            let precondition = self.parser.formula(&self.vocabulary)?;
            parameters = precondition.free_variables().into_iter().collect();
            action.precondition = Some(precondition);
        }
        action.before = self.messages(&parameters)?;
        if self.parser.is_directive("new") {
            let creation = self.creation(&parameters)?;
            action.creations.push(creation.map_or(Creation::One, Creation::ForEach));
        }
        if self.parser.is_directive("clone") {
            let creation = self.creation(&parameters)?;
            let all = Definition { params: vec![Variable::new("$v")], formula: Formula::TRUE };
            action.creations.push(Creation::CopyEach(creation.unwrap_or(all)));
        }
        if self.parser.take("{") {
            self.updates(&mut action, &parameters)?;
            self.parser.expect("}", "or an update `p(v) = …` in the updates of an action")?;
        }
        if self.parser.is_directive("retain") {
            let origin = self.parser.origin().clone();
            match self.creation(&parameters)? {
                Some(definition) => action.retain = Some(definition),
                None => return Err(TextError::at(&origin, "expected a formula after `%retain`".to_owned())),
            }
        }
        action.after = self.messages(&parameters)?;
        if self.parser.is_directive("decompose") {
            self.warn_unused("`%decompose` is for the decomposition engine: without effect here");
            self.parser.advance();
            if !self.parser.is("}") {
                self.parser.formula(&self.vocabulary)?;
            }
        }
        let order = "`}` or the next clause; clauses come in the order `%param %t %frame_pre %compose %frame %f %p %message %new %clone {updates} %retain %message %decompose`";
        self.parser.expect("}", order.strip_prefix("`}` ").unwrap_or(order))?;
        Ok(action)
    }

    fn unused_formula(&mut self, clause: &str) -> Result<(), TextError> {
        if self.parser.is_directive(clause) {
            self.warn_unused(&format!("`%{clause}` is for the decomposition engine: without effect here"));
            self.parser.advance();
            self.parser.formula(&self.vocabulary)?;
        }
        Ok(())
    }

    fn messages(&mut self, parameters: &[Variable]) -> Result<Vec<Message>, TextError> {
        let mut messages = Vec::new();
        while self.parser.is_directive("message") {
            let origin = self.parser.origin().clone();
            let message = self.message_clause()?;
            if !self.parser.is_surveying() {
                superfluous(&message.condition, parameters).map_err(|m| TextError::at(&origin, m))?;
            }
            messages.push(message);
        }
        Ok(messages)
    }

    /// A directive with an optional formula about one individual.
    fn creation(&mut self, parameters: &[Variable]) -> Result<Option<Definition>, TextError> {
        self.parser.advance();
        let ends = match self.parser.kind() {
            TokenKind::Directive(_) => true,
            TokenKind::Symbol(symbol) => matches!(*symbol, "{" | "}"),
            _ => false,
        };
        if ends {
            return Ok(None);
        }
        let origin = self.parser.origin().clone();
        let formula = self.parser.formula(&self.vocabulary)?;
        let variable = if self.parser.is_surveying() {
            Variable::new("$v")
        } else {
            only_variable(&formula, parameters).map_err(|m| TextError::at(&origin, m))?
        };
        Ok(Some(Definition { params: vec![variable], formula }))
    }

    fn updates(&mut self, action: &mut ActionSpecification, parameters: &[Variable]) -> Result<(), TextError> {
        loop {
            match self.parser.kind() {
                TokenKind::Symbol("foreach") => self.for_each(&mut |r| r.updates(action, parameters))?,
                TokenKind::Id(_) | TokenKind::Symbol("(") => self.update(action, parameters)?,
                _ => return Ok(()),
            }
        }
    }

    fn update(&mut self, action: &mut ActionSpecification, parameters: &[Variable]) -> Result<(), TextError> {
        let origin = self.parser.origin().clone();
        let bracketed = self.parser.take("(");
        let target = self.update_target()?;
        if bracketed {
            self.parser.expect(")", "after the predicate of an update")?;
        }
        self.parser.expect("=", "and a formula after the predicate of an update")?;
        let formula = self.parser.formula(&self.vocabulary)?;
        let automatic = self.parser.take("auto");
        let Some((predicate, params)) = target else { return Ok(()) };
        let allowed: Vec<Variable> = params.iter().chain(parameters).cloned().collect();
        superfluous(&formula, &allowed).map_err(|m| TextError::at(&origin, m))?;
        if automatic && self.vocabulary.declaration(predicate).definition.is_some() {
            return Ok(());
        }
        if action.updates.insert(predicate, Definition { params, formula }).is_some() {
            let name = self.vocabulary.name(predicate);
            let message = format!("`{name}` is updated twice in one action: the last update counts");
            self.warn(TextError::at(&origin, message));
        }
        Ok(())
    }

    fn update_target(&mut self) -> Result<Option<Target>, TextError> {
        let origin = self.parser.origin().clone();
        let name = self.parser.name("the predicate of an update")?;
        let params = self.parser.variables("after the predicate of an update")?;
        if self.parser.is_surveying() {
            return Ok(None);
        }
        let predicate: Predicate =
            self.vocabulary.predicate(&name, params.len()).map_err(|m| TextError::at(&origin, m))?;
        if params.len() == 2 && params[0] == params[1] {
            return Err(TextError::at(&origin, "the arguments of an update are different variables".to_owned()));
        }
        Ok(Some((predicate, params)))
    }
}

/// A name and what it ranges over.
type Range = (Arc<str>, Vec<Name>);

/// An action's formula may use its own arguments and the free variables of the precondition only.
fn superfluous(formula: &Formula, allowed: &[Variable]) -> Result<(), String> {
    match formula.free_variables().into_iter().find(|v| !allowed.contains(v)) {
        None => Ok(()),
        Some(v) => {
            Err(format!("superfluous free variable `{}`: it is free neither in `%p` nor an argument here", v.name()))
        }
    }
}
