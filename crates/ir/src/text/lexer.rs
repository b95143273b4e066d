//! Characters into tokens.

use super::ParseError;
use super::words::{is_name_part, is_name_start};

/// A token.
#[derive(Clone, PartialEq, Debug)]
pub enum Token {
    /// A plain identifier or a reserved word.
    Word(String),
    /// A name between backquotes: never a reserved word.
    Quoted(String),
    Int(i128),
    Float(f64),
    /// A string literal's bytes.
    Text(Vec<u8>),
    Punctuation(&'static str),
    /// The end of a line, or `;`.
    Separator,
    End,
}

impl Token {
    /// How an error message shows it.
    pub fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("`{word}`"),
            Token::Quoted(name) => format!("the name `{name}`"),
            Token::Int(value) => format!("`{value}`"),
            Token::Float(value) => format!("`{value:?}`"),
            Token::Text(_) => "a string".to_owned(),
            Token::Punctuation(punctuation) => format!("`{punctuation}`"),
            Token::Separator => "the end of the line".to_owned(),
            Token::End => "the end of the text".to_owned(),
        }
    }
}

/// A token and where it starts.
#[derive(Clone, Debug)]
pub struct Placed {
    pub token: Token,
    pub line: u32,
    pub column: u32,
}

/// Longest first, so that the first match is the right one.
const PUNCTUATION: &[&str] = &[
    "...", "->", "==", "!=", "<=", ">=", "<<", ">>", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "(", ")",
    "[", "]", "{", "}", ",", ":", ".", "@", ";",
];

/// All tokens, [`Token::End`] last.
pub fn tokens(text: &str) -> Result<Vec<Placed>, ParseError> {
    let mut lexer = Lexer { rest: text, line: 1, column: 1, brackets: 0 };
    let mut tokens = Vec::new();
    loop {
        let placed = lexer.next()?;
        let end = placed.token == Token::End;
        tokens.push(placed);
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    rest: &'t str,
    line: u32,
    column: u32,
    /// How many `[` are open: within them `;` separates no lines.
    brackets: u32,
}

impl<'t> Lexer<'t> {
    fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.line, column: self.column, message: message.into() }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.rest = &self.rest[character.len_utf8()..];
        if character == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(character)
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'t str {
        let start = self.rest;
        while self.peek().is_some_and(&accept) {
            self.bump();
        }
        &start[..start.len() - self.rest.len()]
    }

    fn next(&mut self) -> Result<Placed, ParseError> {
        self.take_while(|character| character.is_whitespace() && character != '\n');
        if self.rest.starts_with("//") {
            self.take_while(|character| character != '\n');
        }
        let (line, column) = (self.line, self.column);
        let token = self.token()?;
        Ok(Placed { token, line, column })
    }

    fn token(&mut self) -> Result<Token, ParseError> {
        let Some(character) = self.peek() else { return Ok(Token::End) };
        let second = self.rest.chars().nth(1);
        if character == '\n' || (character == ';' && self.brackets == 0) {
            self.bump();
            self.brackets = 0;
            return Ok(Token::Separator);
        }
        if is_name_start(character) {
            return Ok(Token::Word(self.take_while(is_name_part).to_owned()));
        }
        if character.is_ascii_digit() || (character == '-' && second.is_some_and(|digit| digit.is_ascii_digit())) {
            return self.number();
        }
        match character {
            '`' => {
                let bytes = self.quoted('`')?;
                String::from_utf8(bytes).map(Token::Quoted).map_err(|_| self.error("a name must be UTF-8"))
            }
            '"' => self.quoted('"').map(Token::Text),
            _ => match PUNCTUATION.iter().find(|punctuation| self.rest.starts_with(**punctuation)) {
                Some(punctuation) => {
                    for _ in 0..punctuation.len() {
                        self.bump();
                    }
                    match *punctuation {
                        "[" => self.brackets += 1,
                        "]" => self.brackets = self.brackets.saturating_sub(1),
                        _ => {}
                    }
                    Ok(Token::Punctuation(punctuation))
                }
                None => Err(self.error(format!("unexpected character {character:?}"))),
            },
        }
    }

    fn number(&mut self) -> Result<Token, ParseError> {
        let start = self.rest;
        let at = ParseError { line: self.line, column: self.column, message: String::new() };
        let error = |message: String| ParseError { message, ..at };
        if self.peek() == Some('-') {
            self.bump();
        }
        if self.rest.starts_with("0x") {
            self.bump();
            self.bump();
            let digits = self.take_while(|character| character.is_ascii_alphanumeric());
            let value = u64::from_str_radix(digits, 16);
            let negative = start.starts_with('-');
            return match value {
                Ok(value) if negative => Ok(Token::Int(-i128::from(value))),
                Ok(value) => Ok(Token::Int(i128::from(value))),
                Err(_) => Err(error(format!("`0x{digits}` is no hexadecimal number of at most 64 bits"))),
            };
        }
        self.take_while(|character| character.is_ascii_digit());
        let mut float = false;
        if self.peek() == Some('.') && self.rest.chars().nth(1).is_some_and(|digit| digit.is_ascii_digit()) {
            float = true;
            self.bump();
            self.take_while(|character| character.is_ascii_digit());
        }
        if self.peek() == Some('e') {
            float = true;
            self.bump();
            if self.peek() == Some('-') {
                self.bump();
            }
            self.take_while(|character| character.is_ascii_digit());
        }
        let digits = &start[..start.len() - self.rest.len()];
        if self.peek().is_some_and(is_name_start) {
            return Err(self.error(format!("a number must be followed by a space (after `{digits}`)")));
        }
        if float {
            digits.parse().map(Token::Float).map_err(|_| error(format!("`{digits}` is no number")))
        } else {
            digits.parse().map(Token::Int).map_err(|_| error(format!("`{digits}` does not fit 128 bits")))
        }
    }

    fn quoted(&mut self, quote: char) -> Result<Vec<u8>, ParseError> {
        let unclosed = self.error(format!("no closing {quote} on this line"));
        self.bump();
        let mut bytes = Vec::new();
        loop {
            match self.bump() {
                Some('\n') | None => return Err(unclosed),
                Some('\\') => bytes.push(self.escape()?),
                Some(character) if character == quote => return Ok(bytes),
                Some(character) => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
    }

    fn escape(&mut self) -> Result<u8, ParseError> {
        let error = self.error("an escape is \\n, \\t, \\\\, \\\", \\` or \\xNN");
        match self.bump() {
            Some('n') => Ok(b'\n'),
            Some('t') => Ok(b'\t'),
            Some(character @ ('\\' | '"' | '`')) => Ok(character as u8),
            Some('x') => {
                let mut value = 0;
                for _ in 0..2 {
                    let Some(digit) = self.bump().and_then(|digit| digit.to_digit(16)) else { return Err(error) };
                    value = value * 16 + digit;
                }
                u8::try_from(value).map_err(|_| error)
            }
            _ => Err(error),
        }
    }
}
