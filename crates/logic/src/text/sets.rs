//! Set expressions: finite lists of names, in the order of their construction.

use super::parser::{Names, Parser};
use super::{Name, TextError, TokenKind};
use std::sync::Arc;

impl Parser {
    /// Takes `ID in setexpr`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn binder(&mut self, names: &dyn Names) -> Result<(Arc<str>, Vec<Name>), TextError> {
        let id = self.id("the name that runs over the set")?;
        match self.kind() {
            TokenKind::Id(word) if **word == *"in" => self.advance(),
            _ => return Err(self.expected("`in`")),
        }
        Ok((id, self.set_expression(names)?))
    }

    /// Takes a set expression: `{a, b}`, a set's name, a comprehension, or `+`, `-`, `&` of those (`&` binds tighter).
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn set_expression(&mut self, names: &dyn Names) -> Result<Vec<Name>, TextError> {
        let mut set = self.intersection(names)?;
        loop {
            if self.take("+") {
                for name in self.intersection(names)? {
                    if !set.contains(&name) {
                        set.push(name);
                    }
                }
            } else if self.take("-") {
                let without = self.intersection(names)?;
                set.retain(|name| !without.contains(name));
            } else {
                return Ok(set);
            }
        }
    }

    fn intersection(&mut self, names: &dyn Names) -> Result<Vec<Name>, TextError> {
        let mut set = self.simple_set(names)?;
        while self.take("&") {
            let other = self.simple_set(names)?;
            set.retain(|name| other.contains(name));
        }
        Ok(set)
    }

    fn simple_set(&mut self, names: &dyn Names) -> Result<Vec<Name>, TextError> {
        if self.take("(") {
            let set = self.set_expression(names)?;
            self.expect(")", "after a set expression")?;
            return Ok(set);
        }
        if self.is("{") {
            return self.braced_set(names);
        }
        let origin = self.origin().clone();
        let name = match self.kind() {
            TokenKind::Id(_) => self.name("a set")?,
            _ => return Err(self.expected("a set: a name, `{…}` or `(…)`")),
        };
        if self.is_surveying() {
            return Ok(Vec::new());
        }
        names.set(&name.to_string()).map_err(|message| TextError::at(&origin, message))
    }

    fn braced_set(&mut self, names: &dyn Names) -> Result<Vec<Name>, TextError> {
        self.advance();
        if self.take("}") {
            return Ok(Vec::new());
        }
        let start = self.position();
        let elements = self.names_in_set()?;
        if !self.take(":") {
            self.expect("}", "or `,` in a set")?;
            return Ok(distinct(elements));
        }
        let (id, range) = self.binder(names)?;
        self.expect("}", "after a set comprehension")?;
        let end = self.position();
        let mut set = Vec::new();
        for element in range {
            self.rewind(start);
            self.bind(&id, element);
            let part = self.names_in_set();
            self.unbind();
            set.extend(part?);
        }
        self.rewind(end);
        Ok(distinct(set))
    }

    fn names_in_set(&mut self) -> Result<Vec<Name>, TextError> {
        let mut elements = vec![self.name("a name in a set")?];
        while self.take(",") {
            elements.push(self.name("a name in a set")?);
        }
        Ok(elements)
    }
}

fn distinct(names: Vec<Name>) -> Vec<Name> {
    let mut set: Vec<Name> = Vec::with_capacity(names.len());
    for name in names {
        if !set.contains(&name) {
            set.push(name);
        }
    }
    set
}
