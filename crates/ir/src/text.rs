//! The text form of a program: it prints, and what it prints parses back.
//!
//! ```
//! let program = heapwise_ir::text::parse("
//!     struct node { next : ptr node }
//!
//!     fn last(list : ptr node) -> p : ptr node {
//!       temp t : ptr node
//!       entry -> loop: p = list
//!       loop -> body: t = load p->next : ptr node
//!       body -> next: assume t != 0
//!       next -> loop: p = t
//!       body -> exit: assume t == 0
//!     }
//! ").expect("the text is well-formed");
//! assert_eq!(program.functions.len(), 1);
//! ```
//!
//! # The grammar
//! One declaration or edge per line (or several, with `;` between them); `//` starts a comment. A name that is no plain
//! identifier, or is a reserved word, stands between backquotes. `[…]` is optional, `…*` a list with commas.
//! ```text
//! target lp64 | target ilp32                                the machine; lp64 if absent
//! file "a.c" [text "…"]                                     source files, numbered from 0
//! struct NAME [size N align N] { FIELD : TYPE [@ OFFSET] [bits SHIFT+WIDTH] … }
//! union NAME …                                              without `{…}`: only declared. Without sizes and offsets:
//!                                                           laid out as C does
//! global NAME : TYPE [size N] [align N] [readonly] [AT] [= { OFFSET : TYPE [bits S+W] = OPERAND [+ N], … } | = bytes "…" | = unknown
//!                    | = library [or null]]
//! fn NAME(PARAMETER* [, ...]) [-> RESULT] [taken] [declared AT] { REGISTERS EDGES }
//! extern fn NAME(…) [-> RESULT] [taken] [declared AT] EFFECTS [{ REGISTERS }]
//! contract NAME [requires "…"]* [ensures "…"]* [AT]
//! gap REASON [AT]
//!
//! PARAMETER, RESULT  = [var | addr | temp] NAME : TYPE [AT]      declares the register; a bare NAME is declared below
//! REGISTERS          = var NAME : TYPE [AT]                      a C variable
//!                    | addr NAME : TYPE [AT]                     the address of a local in memory
//!                    | temp NAME : TYPE                          made by the lowering
//!                    | entry L | exit L | locations N            if not L0, L1 and the highest named
//! EFFECTS            = [exits | aborts] [pure | writes(N*) | stores(THROUGH, INTO)] [reads(N [or null]*)]
//!                      [print(N) | scan(N)] [takes(N*)] [gives(N) | gives into(N [or null]) | gives library [or null]]
//!                      [between(LOW, HIGH | below HIGH | argument N)] [outside [once | changes]]
//!                      [modelled]                              default: returns, may do anything
//! AT                 = at FILE:LINE:COLUMN[-LINE:COLUMN]         FILE is a number, or `-` for none
//! TYPE               = void | bool | i8 … i128 | u8 … u128 | f32 | f64 | f80 | f128 | ptr TYPE | [TYPE; N] | [TYPE]
//!                    | fn(TYPE* [, ...]) [-> TYPE] | RECORD
//! EDGE               = LOCATION -> LOCATION : INSTRUCTION [AT]   a location is L0, L1, … or a name
//! OPERAND            = REGISTER | INTEGER | null | sizeof TYPE | FLOAT | floatbits 0x… | &GLOBAL | @FUNCTION
//! PLACE              = BASE->STEPS [bits S+W | bits none] [: TYPE] | *BASE …           BASE is an operand, in
//! BASE               = REGISTER | (OPERAND) | (OPERAND as TYPE)     parentheses if it is no register; `as` gives the
//! STEPS              = field.field[3][i] | [3].field                view if it is not what the base's type points to
//! INSTRUCTION        = x = OPERAND | x = &BASE->STEPS | x = container_of(OPERAND, TYPE[, STEPS])
//!                    | x = bytes OPERAND + OPERAND | x = index OPERAND + OPERAND : TYPE | x = diff OPERAND - OPERAND : TYPE
//!                    | x = OPERAND + OPERAND [: TYPE] (and - * / % & | ^ << >>) | x = neg OPERAND [: TYPE] | x = not …
//!                    | x = convert OPERAND : TYPE to TYPE | x = nondet : TYPE
//!                    | x = load PLACE | store PLACE = OPERAND [: TYPE]
//!                    | copy PLACE = (PLACE | fill OPERAND | nondet) [size TYPE | bytes OPERAND | common]
//!                    | x = alloc (heap | auto) OPERAND [zeroed | anything] [nofail] [align N] [as TYPE [* OPERAND] [tail]]
//!                    | free OPERAND | end OPERAND | skip | assume CONDITION | assert CONDITION
//!                    | [x =] call NAME(OPERAND*) | [x =] call *OPERAND(OPERAND*) | unsupported REASON
//! CONDITION          = true | false | [not] OPERAND (== | != | < | <= | > | >=) OPERAND [: TYPE]
//!                    | (acyclic | cyclic | reach | disjoint | dll | tree | treep)(OPERAND*) over RECORD via STEPS*
//! REASON             = inline_assembly | non_local_jump | computed_goto | nested_function
//!                    | scalar_type "…" | front_end "…" | compiler_option "…" "…" | … (`src/text/reason.rs`)
//! ```

mod lexer;
mod parser;
mod parser_basics;
mod parser_function;
mod parser_instruction;
mod printer;
mod printer_instruction;
mod reason;
pub mod words;

pub use parser::parse;
pub use printer::{Spans, print};
pub use printer_instruction::{instruction, type_name};

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl std::fmt::Display for crate::Program {
    /// The text form, spans included.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&print(self, Spans::Shown))
    }
}

impl std::str::FromStr for crate::Program {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<crate::Program, ParseError> {
        parse(text)
    }
}
