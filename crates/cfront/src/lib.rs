//! `heapwise-cfront`: the C front end: C text into the small language of `heapwise-ir`.
//!
//! **What it is.** [`load`] reads C files (one program), checks them, and lowers what the entry points reach: every
//! statement of C and GNU C, calls of library functions by their models, several files linked by name.
//!
//! **What it is not.** No analysis: nothing here knows what an engine does with the program.
//!
//! **The law it keeps.** What cannot be lowered soundly is an explicit `unsupported` edge with its reason and place; a
//! file that does not parse is an error; a function that does not check is `unsupported` as a whole; a file-scope error
//! is a gap of the program. Nothing is dropped silently.
//!
//! **Where to start.** `program` drives a whole program, `functions` one function, `statements`, `branches`,
//! `values`, `places` and `aggregates` the constructs; `adapter` is the only module that knows the parser.

mod adapter;
mod aggregates;
mod arithmetic;
mod around;
mod assembly;
mod atomics;
mod branches;
mod builtins;
mod calls;
mod cleanup;
mod declared;
mod flags;
mod formats;
mod functions;
mod initializers;
mod library;
mod link;
mod lowering;
mod overwritten;
mod places;
mod pointers;
mod program;
mod scan;
mod scopes;
mod shapes;
mod startup;
mod statements;
mod synthesized;
mod types;
mod unit;
mod values;
mod varargs;

pub use adapter::library_headers;
pub use flags::{Flags, PlainChar, RefusedOption, Standard};
pub use program::{Diagnostic, FrontOptions, LeftOut, Loaded, Unit, WithoutEntry, load, load_what_links};
