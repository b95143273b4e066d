//! Tokens of a formula into a claim, names resolved on the way.

use super::lexer::{Token, tokens};
use super::{BoundVariable, Claim, ClaimError, Clause, Quantifier, Term, record_behind};
use crate::function::RegisterOrigin;
use crate::ids::{FunctionId, RecordId, TypeId};
use crate::instruction::ShapeKind;
use crate::links::LinkError;
use crate::path::Path;
use crate::program::Program;
use crate::types::Type;

/// Formulas nested deeper than this are refused.
const MAX_DEPTH: usize = 200;

pub(super) fn parse(program: &Program, function: FunctionId, clause: Clause, text: &str) -> Result<Claim, ClaimError> {
    let mut parser =
        Parser { program, function, clause, tokens: tokens(text)?, position: 0, scope: Vec::new(), bound: 0, depth: 0 };
    let claim = parser.claim()?;
    match parser.peek() {
        Token::End => Ok(claim),
        _ => Err(parser.expected("an operator or the end of the formula")),
    }
}

/// A term and the record it points to; null points to any.
struct Typed {
    term: Term,
    view: Option<(TypeId, RecordId)>,
}

/// A claim, or a term that may turn out to be one side of a comparison.
enum Part {
    Claim(Claim),
    Term(Typed),
}

impl Part {
    /// A pointer alone claims that it is not null.
    fn into_claim(self) -> Claim {
        match self {
            Part::Claim(claim) => claim,
            Part::Term(typed) => Claim::Not(Box::new(Claim::Equal(typed.term, Term::Null))),
        }
    }
}

struct Parser<'p> {
    program: &'p Program,
    function: FunctionId,
    clause: Clause,
    tokens: Vec<(Token, usize)>,
    position: usize,
    scope: Vec<(String, BoundVariable, (TypeId, RecordId))>,
    bound: u32,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.position].0
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.position].0.clone();
        if token != Token::End {
            self.position += 1;
        }
        token
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(found) if *found == sign);
        if found {
            self.position += 1;
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), ClaimError> {
        if self.eat(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    fn expected(&self, what: &str) -> ClaimError {
        self.error(self.position, format!("expected {what}, found {}", self.peek().describe()))
    }

    fn error(&self, position: usize, message: String) -> ClaimError {
        ClaimError { column: self.tokens[position].1, message }
    }

    fn name(&mut self, what: &str) -> Result<String, ClaimError> {
        match self.peek() {
            Token::Name(_) => match self.next() {
                Token::Name(name) => Ok(name),
                _ => Err(self.expected(what)),
            },
            _ => Err(self.expected(what)),
        }
    }

    fn claim(&mut self) -> Result<Claim, ClaimError> {
        Ok(self.any()?.into_claim())
    }

    /// A claim, or a pointer where no operator follows it.
    fn any(&mut self) -> Result<Part, ClaimError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(self.position, "the formula is nested too deeply".to_owned()));
        }
        let mut left = self.implication()?;
        while self.eat("<==>") {
            let (one, other) = (left.into_claim(), self.implication()?.into_claim());
            left = Part::Claim(Claim::Iff(Box::new(one), Box::new(other)));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn implication(&mut self) -> Result<Part, ClaimError> {
        let mut last = self.disjunction()?;
        let mut premises = Vec::new();
        while self.eat("==>") {
            premises.push(last.into_claim());
            last = self.disjunction()?;
        }
        Ok(premises.into_iter().rev().fold(last, |implied, premise| {
            Part::Claim(Claim::Or(vec![Claim::Not(Box::new(premise)), implied.into_claim()]))
        }))
    }

    fn disjunction(&mut self) -> Result<Part, ClaimError> {
        let first = self.conjunction()?;
        if !matches!(self.peek(), Token::Sign("||")) {
            return Ok(first);
        }
        let mut parts = vec![first.into_claim()];
        while self.eat("||") {
            parts.push(self.conjunction()?.into_claim());
        }
        Ok(Part::Claim(Claim::Or(parts)))
    }

    fn conjunction(&mut self) -> Result<Part, ClaimError> {
        let first = self.unary()?;
        if !matches!(self.peek(), Token::Sign("&&")) {
            return Ok(first);
        }
        let mut parts = vec![first.into_claim()];
        while self.eat("&&") {
            parts.push(self.unary()?.into_claim());
        }
        Ok(Part::Claim(Claim::And(parts)))
    }

    fn unary(&mut self) -> Result<Part, ClaimError> {
        let mut negations = 0;
        while self.eat("!") {
            negations += 1;
        }
        let part = match self.peek() {
            Token::Name(word) if word == "forall" => Part::Claim(self.quantified(Quantifier::ForAll)?),
            Token::Name(word) if word == "exists" => Part::Claim(self.quantified(Quantifier::Exists)?),
            _ => match self.part()? {
                Part::Term(left) => self.comparison(left, negations > 0)?,
                claim @ Part::Claim(_) => claim,
            },
        };
        Ok(match negations {
            0 => part,
            _ if negations % 2 == 1 => Part::Claim(Claim::Not(Box::new(part.into_claim()))),
            _ => Part::Claim(part.into_claim()),
        })
    }

    /// `!x == y` would be read as `!(x == y)` here and as `(!x) == y` by C: refused.
    fn comparison(&mut self, left: Typed, negated: bool) -> Result<Part, ClaimError> {
        let at = self.position;
        let equal = match self.peek() {
            Token::Sign("==") => true,
            Token::Sign("!=") => false,
            _ => return Ok(Part::Term(left)),
        };
        if negated {
            return Err(self.error(at, "`!` before a comparison: put the comparison into parentheses".to_owned()));
        }
        self.position += 1;
        let at = self.position;
        let Part::Term(right) = self.part()? else {
            return Err(self.error(at, "expected a pointer, found a claim".to_owned()));
        };
        let claim = Claim::Equal(left.term, right.term);
        Ok(Part::Claim(if equal { claim } else { Claim::Not(Box::new(claim)) }))
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Result<Claim, ClaimError> {
        self.position += 1;
        let view = self.binder_record()?;
        let mut variables = Vec::new();
        loop {
            let name = self.name("the name of a cell")?;
            let variable = BoundVariable(self.bound);
            self.bound += 1;
            self.scope.push((name, variable, view));
            variables.push(variable);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(":")?;
        let body = self.claim()?;
        self.scope.truncate(self.scope.len() - variables.len());
        Ok(variables.into_iter().rev().fold(body, |body, variable| Claim::Quantified {
            quantifier,
            variable,
            record: view.1,
            body: Box::new(body),
        }))
    }

    /// The types of the globals that the formula names.
    fn globals_named(&self) -> impl Iterator<Item = TypeId> {
        let names = |global: &str| self.tokens.iter().any(|(token, _)| matches!(token, Token::Name(n) if n == global));
        self.program.globals.values().filter(move |global| names(&global.name)).map(|global| global.ty)
    }

    /// The record named by `struct NAME *`, or the one that the function's parameters and result point to; where there are no
    /// such, that of the globals that the formula names.
    fn binder_record(&mut self) -> Result<(TypeId, RecordId), ClaimError> {
        let at = self.position;
        if matches!(self.peek(), Token::Name(word) if word == "struct") {
            self.position += 1;
            let name = self.name("the name of a struct")?;
            self.expect("*")?;
            let found = self.program.types.iter().find_map(|(id, ty)| match ty {
                Type::Record(record) if self.program.records[*record].name == name => Some((id, *record)),
                _ => None,
            });
            return found.ok_or_else(|| self.error(at + 1, format!("there is no struct `{name}`")));
        }
        let function = &self.program.functions[self.function];
        let mut records: Vec<(TypeId, RecordId)> = function
            .parameters
            .iter()
            .chain(&function.result)
            .filter_map(|register| record_behind(self.program, function.registers[*register].ty))
            .collect();
        if records.is_empty() {
            records.extend(self.globals_named().filter_map(|ty| record_behind(self.program, ty)));
        }
        records.sort_unstable();
        records.dedup();
        match records.as_slice() {
            [only] => Ok(*only),
            [] => Err(self.error(at, "say of which struct: `forall struct node *v: …`".to_owned())),
            _ => {
                let message = "the parameters point to several structs, say which: `forall struct node *v: …`";
                Err(self.error(at, message.to_owned()))
            }
        }
    }

    fn part(&mut self) -> Result<Part, ClaimError> {
        let part = match self.peek().clone() {
            Token::Sign("(") => {
                self.position += 1;
                let part = self.any()?;
                self.expect(")")?;
                part
            }
            Token::Zero => self.constant(Part::Term(Typed { term: Term::Null, view: None })),
            Token::Name(word) => match word.as_str() {
                "NULL" => self.constant(Part::Term(Typed { term: Term::Null, view: None })),
                "true" => self.constant(Part::Claim(Claim::Constant(true))),
                "false" => self.constant(Part::Claim(Claim::Constant(false))),
                _ => self.named(&word)?,
            },
            _ => return Err(self.expected("a claim or a pointer")),
        };
        self.fields(part)
    }

    fn constant(&mut self, part: Part) -> Part {
        self.position += 1;
        part
    }

    /// `->field` as often as it follows.
    fn fields(&mut self, mut part: Part) -> Result<Part, ClaimError> {
        while self.eat("->") {
            let Part::Term(base) = part else {
                return Err(self.error(self.position - 1, "`->` after a claim".to_owned()));
            };
            let Some((view, record)) = base.view else {
                return Err(self.error(self.position - 1, "`->` after null".to_owned()));
            };
            let at = self.position;
            let name = self.field_name()?;
            let Some((path, ty)) = self.program.field_path(view, &name) else {
                let record = &self.program.records[record].name;
                return Err(self.error(at, LinkError::NoField { record: record.clone(), field: name }.to_string()));
            };
            if self.program.pointee(ty).is_none() {
                return Err(self.error(at, format!("`{name}` is no pointer, and claims speak of pointers")));
            }
            let term = Term::Field(Box::new(base.term), path);
            part = Part::Term(Typed { term, view: record_behind(self.program, ty) });
        }
        Ok(part)
    }

    /// A field, perhaps of an embedded struct (`list.next`).
    fn field_name(&mut self) -> Result<String, ClaimError> {
        let mut name = self.name("a field")?;
        while self.eat(".") {
            name = format!("{name}.{}", self.name("a field")?);
        }
        Ok(name)
    }

    /// What starts with a name: a shape, `old`, or a pointer.
    fn named(&mut self, word: &str) -> Result<Part, ClaimError> {
        let at = self.position;
        let is_applied = matches!(self.tokens.get(at + 1), Some((Token::Sign("("), _)));
        self.position += 1;
        if !is_applied {
            return self.pointer(word, at).map(Part::Term);
        }
        self.position += 1;
        let kind = match word {
            "acyclic" => ShapeKind::Acyclic,
            "cyclic" => ShapeKind::Cyclic,
            "reach" => ShapeKind::Reach,
            "disjoint" => ShapeKind::Disjoint,
            "dll" => ShapeKind::DoublyLinked,
            "tree" => ShapeKind::Tree,
            "tree_parent" => ShapeKind::TreeWithParent,
            "old" => {
                self.only_in_ensures(at, word)?;
                let part = self.any()?;
                self.expect(")")?;
                return Ok(match part {
                    Part::Claim(claim) => Part::Claim(Claim::Old(Box::new(claim))),
                    Part::Term(typed) => Part::Term(Typed { term: Term::Old(Box::new(typed.term)), view: typed.view }),
                });
            }
            "fresh" | "freed" => {
                self.only_in_ensures(at, word)?;
                let term = self.argument()?.term;
                self.expect(")")?;
                return Ok(Part::Claim(if word == "fresh" { Claim::Fresh(term) } else { Claim::Freed(term) }));
            }
            _ => {
                let known = "acyclic, cyclic, reach, disjoint, dll, tree, tree_parent, fresh, freed, old";
                return Err(self.error(at, format!("there is no claim `{word}`; there are {known}")));
            }
        };
        self.shape(kind, at).map(Part::Claim)
    }

    fn shape(&mut self, kind: ShapeKind, at: usize) -> Result<Claim, ClaimError> {
        let mut arguments = vec![self.argument()?];
        while arguments.len() < kind.n_arguments() {
            self.expect(",")?;
            arguments.push(self.argument()?);
        }
        let Some((view, record)) = arguments.iter().find_map(|argument| argument.view) else {
            return Err(self.error(at, LinkError::NoStruct.to_string()));
        };
        let mut links: Vec<Path> = Vec::new();
        while self.eat(",") {
            let field_at = self.position;
            let name = self.field_name()?;
            let Some((path, _)) = self.program.field_path(view, &name) else {
                let record = self.program.records[record].name.clone();
                return Err(self.error(field_at, LinkError::NoField { record, field: name }.to_string()));
            };
            links.push(path);
        }
        self.expect(")")?;
        if links.is_empty() {
            links = self.program.links_of(view, kind).map_err(|why| self.error(at, why.to_string()))?;
        }
        let arguments = arguments.into_iter().map(|argument| argument.term).collect();
        Ok(Claim::Shape { kind, arguments, record, links })
    }

    fn argument(&mut self) -> Result<Typed, ClaimError> {
        let at = self.position;
        match self.part()? {
            Part::Term(typed) => Ok(typed),
            Part::Claim(_) => Err(self.error(at, "expected a pointer, found a claim".to_owned())),
        }
    }

    fn only_in_ensures(&self, at: usize, word: &str) -> Result<(), ClaimError> {
        match self.clause {
            Clause::Ensures => Ok(()),
            Clause::Requires => Err(self.error(at, format!("`{word}` has a meaning in hw_ensures only"))),
        }
    }

    /// A name that stands for a pointer: a cell of a quantifier, the result, a parameter or a global.
    fn pointer(&self, name: &str, at: usize) -> Result<Typed, ClaimError> {
        if let Some((_, variable, view)) = self.scope.iter().rev().find(|(bound, ..)| bound == name) {
            return Ok(Typed { term: Term::Bound(*variable), view: Some(*view) });
        }
        let function = &self.program.functions[self.function];
        let (term, ty) = if let Some(parameter) = function.parameters.iter().find(|parameter| {
            let register = &function.registers[**parameter];
            register.name == name && matches!(register.origin, RegisterOrigin::Variable(_))
        }) {
            (Term::Parameter(*parameter), function.registers[*parameter].ty)
        } else if name == "result" {
            self.only_in_ensures(at, name)?;
            let Some(result) = function.result else {
                return Err(self.error(at, format!("`{}` returns nothing", function.name)));
            };
            (Term::Result, function.registers[result].ty)
        } else if let Some((global, definition)) = self.program.globals.iter().find(|(_, global)| global.name == name) {
            (Term::Global(global), definition.ty)
        } else {
            let message = format!("`{name}` is no parameter of `{}` and no global", function.name);
            return Err(self.error(at, message));
        };
        if self.program.pointee(ty).is_none() {
            return Err(self.error(at, format!("`{name}` is no pointer, and claims speak of pointers")));
        }
        Ok(Typed { term, view: record_behind(self.program, ty) })
    }
}
