//! Text into programs: functions.

use super::ParseError;
use super::lexer::Token;
use super::parser::Parser;
use crate::function::{
    Automaton, Body, Callback, CallbackArgument, CertainArgument, DecidedBy, Dereference, DescriptorPart, Elements,
    ErrorNumber, ExternEffects, ExternResult, Format, FormatLanguage, InputEnd, InputPart, Length, MemoryEffect,
    NullArgument, NullResult, RangeEnd, ReadFirst, Register, RegisterOrigin, ResultRange, ResultStorage, SequencePart,
    Success, Termination, WrittenBytes,
};
use crate::ids::{FunctionId, LocationId, RegisterId};
use crate::instruction::Instruction;
use crate::span::Span;
use cranelift_entity::PrimaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// A location as the text names it.
#[derive(Clone, PartialEq, Eq, Hash)]
enum LocationName {
    Number(u32),
    Name(String),
}

/// More locations than this in a text are a slip of the pen: they would only eat memory.
const MAX_LOCATIONS: u32 = 1 << 24;

struct TextEdge {
    from: LocationName,
    to: LocationName,
    instruction: Instruction,
    span: Span,
}

impl Parser<'_> {
    /// Reads up to the body (and an extern function wholly); returns where the body starts.
    pub fn function_header(&mut self, id: FunctionId) -> Result<usize, ParseError> {
        let is_extern = self.eat_word("extern");
        self.skip();
        self.skip();
        self.expect("(")?;
        let mut parameters = Vec::new();
        let mut first = true;
        while !self.eat(")") {
            if !first {
                self.expect(",")?;
            }
            first = false;
            if self.eat("...") {
                self.program.functions[id].variadic = true;
                self.expect(")")?;
                break;
            }
            parameters.push(self.header_register(id)?);
        }
        let result = if self.eat("->") { Some(self.header_register(id)?) } else { None };
        let address_taken = self.eat_word("taken");
        let span = if self.eat_word("declared") { self.span()? } else { Span::NONE };
        let body = if is_extern { Body::Extern(self.effects()?) } else { Body::Defined(Automaton::new()) };
        let start = self.position();
        let has_block = self.eat("{");
        if !is_extern && !has_block {
            return Err(self.expected("`{` (or `extern fn` for a function without a body)"));
        }
        if has_block {
            self.register_declarations(id)?;
        }
        let parameters = self.header_names(id, parameters)?;
        let result = match result {
            Some(result) => self.header_names(id, vec![result])?.pop(),
            None => None,
        };
        let function = &mut self.program.functions[id];
        (function.parameters, function.result) = (parameters, result);
        (function.address_taken, function.span, function.body) = (address_taken, span, body);
        Ok(start)
    }

    /// A register in the header: declared there, or a name that the body declares.
    fn header_register(&mut self, id: FunctionId) -> Result<(usize, String), ParseError> {
        let declares = self.at_register_declaration();
        let at = self.position() + usize::from(declares);
        if declares || matches!(self.peek_at(1), Token::Punctuation(":")) {
            self.register_declaration(id)?;
            let name = self.program.functions[id].registers.values().last().map(|register| register.name.clone());
            Ok((at, name.unwrap_or_default()))
        } else {
            Ok((at, self.name("the name of a register")?))
        }
    }

    fn header_names(&self, id: FunctionId, names: Vec<(usize, String)>) -> Result<Vec<RegisterId>, ParseError> {
        let registers = &self.program.functions[id].registers;
        let by_name: FxHashMap<&str, RegisterId> =
            registers.iter().map(|(register, known)| (known.name.as_str(), register)).collect();
        let find = |(at, name): (usize, String)| {
            let found = by_name.get(name.as_str()).copied();
            found.ok_or_else(|| self.error_at(at, format!("no register `{name}` is declared in this function")))
        };
        names.into_iter().map(find).collect()
    }

    fn at_register_declaration(&self) -> bool {
        matches!(self.peek(), Token::Word(word) if matches!(word.as_str(), "var" | "addr" | "temp"))
    }

    /// `[var | addr | temp] NAME : TYPE [AT]`
    fn register_declaration(&mut self, id: FunctionId) -> Result<(), ParseError> {
        let address = self.eat_word("addr");
        let temporary = !address && self.eat_word("temp");
        if !address && !temporary {
            self.eat_word("var");
        }
        let at = self.position();
        let name = self.name("the name of a register")?;
        self.expect(":")?;
        let ty = self.ty()?;
        let span = self.span()?;
        let origin = if address {
            RegisterOrigin::AddressOfLocal(span)
        } else if temporary {
            RegisterOrigin::Temporary
        } else {
            RegisterOrigin::Variable(span)
        };
        if !self.registers.insert((id, name.clone())) {
            return Err(self.error_at(at, format!("a second register `{name}`")));
        }
        self.program.functions[id].registers.push(Register { name, ty, origin });
        Ok(())
    }

    /// The declarations at the start of a body; `entry`, `exit` and `locations` lines between them are left for later.
    fn register_declarations(&mut self, id: FunctionId) -> Result<(), ParseError> {
        loop {
            match self.peek() {
                Token::Separator => self.skip(),
                _ if self.at_register_declaration() => {
                    self.register_declaration(id)?;
                    self.end_of_member()?;
                }
                _ => return Ok(()),
            }
        }
    }

    fn effects(&mut self) -> Result<ExternEffects, ParseError> {
        let mut effects = ExternEffects::UNKNOWN;
        loop {
            if self.eat_word("exits") {
                effects.termination = Termination::Exits;
            } else if self.eat_word("aborts") {
                effects.termination = Termination::Aborts;
            } else if self.eat_word("pure") {
                effects.memory = MemoryEffect::Pure;
            } else if self.eat_word("writes") {
                effects.memory = MemoryEffect::Writes(self.positions()?);
            } else if self.eat_word("stores") {
                self.expect("(")?;
                let through = self.number("the parameter that says where to")?;
                self.expect(",")?;
                let into = self.number("the parameter whose object is pointed into")?;
                self.expect(")")?;
                effects.memory = MemoryEffect::StoresPointer { through, into };
            } else if self.eat_word("reads") {
                effects.dereferences = self.dereferences()?;
            } else if self.eat_word("first") {
                effects.reads_first = self.reads_first()?;
            } else if self.eat_word("print") {
                effects.format =
                    Some(Format { parameter: self.position_in_parentheses()?, language: FormatLanguage::Print });
            } else if self.eat_word("printlist") {
                effects.format =
                    Some(Format { parameter: self.position_in_parentheses()?, language: FormatLanguage::PrintList });
            } else if self.eat_word("scan") {
                effects.format =
                    Some(Format { parameter: self.position_in_parentheses()?, language: FormatLanguage::Scan });
            } else if self.eat_word("gives") {
                effects.result = self.extern_result()?;
            } else if self.eat_word("takes") {
                effects.takes_ownership = self.positions()?;
            } else if self.eat_word("between") {
                effects.range = Some(self.result_range()?);
            } else if self.eat_word("outside") {
                effects.decided_by = match () {
                    () if self.eat_word("once") => DecidedBy::OutsideOnce,
                    () if self.eat_word("changes") => DecidedBy::OutsideChanges,
                    () => DecidedBy::Outside,
                };
            } else if self.eat_word("success") {
                effects.success = Some(match () {
                    () if self.eat_word("zero") => Success::Zero,
                    () if self.eat_word("nonnegative") => Success::NonNegative,
                    () if self.eat_word("positive") => Success::Positive,
                    () if self.eat_word("negative") => Success::Negative,
                    () => {
                        self.expect_word("nonzero")?;
                        Success::NonZero
                    }
                });
            } else if self.eat_word("certain") {
                self.expect("(")?;
                let parameter = self.number("the position of a parameter, from 0")?;
                self.expect(",")?;
                let low = self.number("the least value")?;
                self.expect(",")?;
                let high = self.number("the greatest value")?;
                self.expect(")")?;
                effects.certain = Some(CertainArgument { parameter, low, high });
            } else if self.eat_word("text") {
                effects.written = WrittenBytes::Text;
            } else if self.eat_word("characters") {
                effects.written = WrittenBytes::Characters;
            } else if self.eat_word("part") {
                effects.storage = Some(ResultStorage::OfArgument(self.position_in_parentheses()?));
            } else if self.eat_word("new") {
                effects.storage = Some(ResultStorage::New);
            } else if self.eat_word("shares") {
                effects.storage = Some(ResultStorage::Shared(self.name("the name of the storage")?));
            } else if self.eat_word("changing") {
                effects.storage = Some(ResultStorage::Changing(self.name("the name of the storage")?));
            } else if self.eat_word("draws") {
                effects.sequence = Some(SequencePart::Draws(self.name("the name of the sequence")?));
            } else if self.eat_word("restarts") {
                effects.sequence = Some(SequencePart::Restarts(self.name("the name of the sequence")?));
            } else if self.eat_word("alters") {
                effects.sequence = Some(SequencePart::Changes(self.name("the name of the sequence")?));
            } else if self.eat_word("drains") {
                effects.input = Some(self.input_part()?);
            } else if self.eat_word("calls") {
                effects.callback = Some(Box::new(self.callback()?));
            } else if self.eat_word("opens") {
                let is_written = self.eat_word("written");
                effects.descriptor =
                    Some(if is_written { DescriptorPart::OpensWritten } else { DescriptorPart::Opens });
            } else if self.eat_word("closes") {
                effects.descriptor = Some(DescriptorPart::Closes(self.position_in_parentheses()?));
            } else if self.eat_word("handsover") {
                effects.descriptor = Some(DescriptorPart::HandsOver(self.position_in_parentheses()?));
            } else if self.eat_word("nonempty") {
                effects.non_empty = Some(self.name("the name of a member")?);
            } else if self.eat_word("errnokept") {
                effects.error_number = ErrorNumber::Kept;
            } else if self.eat_word("modelled") {
                effects.modelled = true;
            } else {
                return Ok(effects);
            }
        }
    }

    fn input_part(&mut self) -> Result<InputPart, ParseError> {
        self.expect("(")?;
        let from = match self.eat_word("stdin") {
            true => None,
            false => Some(self.number("the position of a parameter, from 0")?),
        };
        self.expect(",")?;
        let end = match () {
            () if self.eat_word("negative") => InputEnd::Negative,
            () if self.eat_word("zero") => InputEnd::Zero,
            () => {
                self.expect_word("fewer")?;
                InputEnd::Fewer
            }
        };
        self.expect(")")?;
        Ok(InputPart { from, end })
    }

    fn callback(&mut self) -> Result<Callback, ParseError> {
        self.expect("(")?;
        let function = self.number("the parameter that is called")?;
        let mut arguments = Vec::new();
        while !self.eat(")") {
            self.expect(",")?;
            arguments.push(match () {
                () if self.eat_word("any") => CallbackArgument::Other,
                () if self.eat_word("into") => CallbackArgument::Into(self.number("the position of a parameter")?),
                () => CallbackArgument::Parameter(self.number("the position of a parameter, from 0")?),
            });
        }
        let rearranges = self.eat_word("rearranges").then(|| self.position_in_parentheses()).transpose()?;
        let elements = self.eat_word("elements").then(|| self.elements()).transpose()?;
        Ok(Callback { function, arguments, rearranges, elements })
    }

    fn elements(&mut self) -> Result<Elements, ParseError> {
        self.expect("(")?;
        let count = self.number("the parameter that counts elements")?;
        self.expect(",")?;
        let size = self.number("the parameter that is the size of one")?;
        self.expect(")")?;
        Ok(Elements { count, size })
    }

    fn result_range(&mut self) -> Result<ResultRange, ParseError> {
        self.expect("(")?;
        let low = self.number("the least result")?;
        self.expect(",")?;
        let high = match () {
            () if self.eat_word("below") => RangeEnd::Below(self.number("what results lie below")?),
            () if self.eat_word("argument") => RangeEnd::Argument(self.number("the position of a parameter, from 0")?),
            () => RangeEnd::Constant(self.number("the greatest result")?),
        };
        self.expect(")")?;
        Ok(ResultRange { low, high })
    }

    fn position_in_parentheses(&mut self) -> Result<u32, ParseError> {
        self.expect("(")?;
        let position = self.number("the position of a parameter, from 0")?;
        self.expect(")")?;
        Ok(position)
    }

    fn dereferences(&mut self) -> Result<Vec<Dereference>, ParseError> {
        self.expect("(")?;
        let mut dereferences = Vec::new();
        while !self.eat(")") {
            if !dereferences.is_empty() {
                self.expect(",")?;
            }
            let parameter = self.number("the position of a parameter, from 0")?;
            let null = match self.null_result()? {
                NullResult::Possible => NullArgument::Allowed,
                NullResult::Never => NullArgument::Error,
            };
            let length = match self.eat_word("told") {
                false if self.eat_word("bytes") => Length::Constant(self.number("how many bytes there are")?),
                false => Length::ByType,
                true => {
                    let is_behind = self.eat_word("behind");
                    let told = self.number("the position of the parameter that tells the length")?;
                    if is_behind { Length::Behind(told) } else { Length::Argument(told) }
                }
            };
            dereferences.push(Dereference { parameter, null, length });
        }
        Ok(dereferences)
    }

    fn reads_first(&mut self) -> Result<Vec<ReadFirst>, ParseError> {
        self.expect("(")?;
        let mut reads = Vec::new();
        while !self.eat(")") {
            if !reads.is_empty() {
                self.expect(",")?;
            }
            let parameter = self.number("the position of a parameter, from 0")?;
            let member = match self.peek() {
                Token::Word(_) | Token::Quoted(_) => Some(self.name("a member")?),
                _ => None,
            };
            reads.push(ReadFirst { parameter, member });
        }
        Ok(reads)
    }

    fn extern_result(&mut self) -> Result<ExternResult, ParseError> {
        if self.eat_word("library") {
            return Ok(ExternResult::Library { null: self.null_result()? });
        }
        if !self.eat_word("into") {
            return self.position_in_parentheses().map(ExternResult::Argument);
        }
        self.expect("(")?;
        let argument = self.number("the position of a parameter, from 0")?;
        let null = self.null_result()?;
        self.expect(")")?;
        Ok(ExternResult::IntoArgument { argument, null })
    }

    /// `or null`, or nothing.
    pub fn null_result(&mut self) -> Result<NullResult, ParseError> {
        if !self.eat_word("or") {
            return Ok(NullResult::Never);
        }
        self.expect_word("null")?;
        Ok(NullResult::Possible)
    }

    fn positions(&mut self) -> Result<Vec<u32>, ParseError> {
        self.expect("(")?;
        let mut positions = Vec::new();
        while !self.eat(")") {
            if !positions.is_empty() {
                self.expect(",")?;
            }
            positions.push(self.number("the position of a parameter, from 0")?);
        }
        Ok(positions)
    }

    /// Reads the edges, from the `{` that the header found.
    pub fn function_body(&mut self, id: FunctionId) -> Result<(), ParseError> {
        if !self.eat("{") {
            return Ok(());
        }
        let is_extern = matches!(self.program.functions[id].body, Body::Extern(_));
        let names = self.program.functions[id].registers.iter();
        self.names = names.map(|(register, known)| (known.name.clone(), register)).collect();
        let (mut entry, mut exit, mut declared) = (None, None, None);
        let mut edges = Vec::new();
        let mut declarations = true;
        while !self.eat_closing_brace() {
            let is_edge = matches!(self.peek_at(1), Token::Punctuation("->"));
            if !is_edge && self.at_register_declaration() {
                if !declarations {
                    return Err(self.error("registers are declared before all else in a function"));
                }
                self.skip_line();
            } else if is_extern {
                return Err(self.expected("a register, or `}`: an extern function has no edges"));
            } else {
                declarations = false;
                if is_edge {
                    edges.push(self.edge(id)?);
                } else if self.eat_word("entry") {
                    entry = Some(self.location()?);
                } else if self.eat_word("exit") {
                    exit = Some(self.location()?);
                } else if self.eat_word("locations") {
                    declared = Some(self.number::<u32>("the number of locations")?);
                } else {
                    return Err(self.expected("a register (var, addr, temp) or an edge (`L0 -> L1: …`)"));
                }
            }
            if !matches!(self.peek(), Token::Punctuation("}")) {
                self.end_of_line()?;
            }
        }
        if is_extern {
            return Ok(());
        }
        let automaton = self.automaton(entry, exit, declared, edges)?;
        self.program.functions[id].body = Body::Defined(automaton);
        Ok(())
    }

    fn skip_line(&mut self) {
        while !matches!(self.peek(), Token::Separator | Token::End | Token::Punctuation("}")) {
            self.skip();
        }
    }

    fn location(&mut self) -> Result<LocationName, ParseError> {
        let at = self.position();
        let quoted = matches!(self.peek(), Token::Quoted(_));
        let name = self.name_or_word("a location (L0, L1, … or a name)")?;
        let number = name
            .strip_prefix('L')
            .filter(|digits| !quoted && !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()));
        match number {
            Some(digits) => match digits.parse::<u32>() {
                Ok(number) if number < MAX_LOCATIONS => Ok(LocationName::Number(number)),
                _ => Err(self.error_at(at, format!("`{name}` is more locations than a text may have"))),
            },
            None => Ok(LocationName::Name(name)),
        }
    }

    fn edge(&mut self, id: FunctionId) -> Result<TextEdge, ParseError> {
        let from = self.location()?;
        self.expect("->")?;
        let to = self.location()?;
        self.expect(":")?;
        let instruction = self.instruction(id)?;
        let span = self.span()?;
        Ok(TextEdge { from, to, instruction, span })
    }

    /// Gives numbers to named locations: `entry` and `exit` are what they say, the others take the free
    /// numbers in the order of the text.
    fn automaton(
        &mut self,
        entry: Option<LocationName>,
        exit: Option<LocationName>,
        declared: Option<u32>,
        edges: Vec<TextEdge>,
    ) -> Result<Automaton, ParseError> {
        let mut taken: FxHashSet<u32> = FxHashSet::default();
        let mentioned = edges.iter().flat_map(|edge| [&edge.from, &edge.to]).chain(&entry).chain(&exit);
        for location in mentioned {
            if let LocationName::Number(number) = location {
                taken.insert(*number);
            }
        }
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let mut next = 2;
        let mut number_of = |location: LocationName, taken: &FxHashSet<u32>| match location {
            LocationName::Number(number) => number,
            LocationName::Name(name) => *numbers.entry(name).or_insert_with(|| {
                while taken.contains(&next) {
                    next += 1;
                }
                next += 1;
                next - 1
            }),
        };
        let entry = match entry {
            Some(location) => number_of(location, &taken),
            None => 0,
        };
        let exit = match exit {
            Some(location) => number_of(location, &taken),
            None => 1,
        };
        taken.extend([entry, exit]);
        let mut locate = |location: LocationName| match location {
            LocationName::Name(name) if name == "entry" => entry,
            LocationName::Name(name) if name == "exit" => exit,
            location => number_of(location, &taken),
        };
        let edges: Vec<_> =
            edges.into_iter().map(|edge| (locate(edge.from), locate(edge.to), edge.instruction, edge.span)).collect();
        let highest = edges.iter().flat_map(|(from, to, ..)| [*from, *to]).chain([entry, exit]).max().unwrap_or(1);
        let mut count = highest + 1;
        if let Some(declared) = declared {
            if declared < count || declared > MAX_LOCATIONS {
                return Err(self.error(format!("`locations {declared}` does not fit: the edges name {count}")));
            }
            count = declared;
        }
        let mut outgoing = PrimaryMap::with_capacity(count as usize);
        for _ in 0..count {
            outgoing.push(Vec::new());
        }
        let mut automaton = Automaton {
            entry: LocationId::from_u32(entry),
            exit: LocationId::from_u32(exit),
            edges: PrimaryMap::with_capacity(edges.len()),
            outgoing,
        };
        for (from, to, instruction, span) in edges {
            automaton.add_edge(LocationId::from_u32(from), LocationId::from_u32(to), instruction, span);
        }
        Ok(automaton)
    }

    /// A register of the function whose body is read.
    pub fn register(&mut self, what: &str) -> Result<RegisterId, ParseError> {
        let at = self.position();
        let name = self.name(what)?;
        let found = self.names.get(&name).copied();
        found.ok_or_else(|| self.error_at(at, format!("no register `{name}` is declared in this function")))
    }
}
