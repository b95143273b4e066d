//! `heapwise-fixpoint`: interprocedural fixpoints over sets of abstract elements: worklist, joins, calls by tabulated entries.
//!
//! **What it is.** The core that every engine runs on: tables of interned elements, a worklist of new elements, joins,
//! combinations of several elements, calls by tabulation or inlining, parent links for traces, budgets, and taking results
//! back. **What it is not.** It does not know what an element is, what a step does, or what a finding is.
//!
//! **The law it keeps.** When [`Solver::run`] returns `Ok`, the tables are closed: every element (and every combination)
//! was pushed through every step from its point, and what came out is in a table, joined into, or covered by, what is in
//! it. Otherwise it returns what ran out, and no conclusion may be drawn. Where [`Solver::run_slice`] ends a part of a run,
//! facts from which something is missing say so ([`Completeness`]). The same input gives the same facts in the same order.
//!
//! # How an engine uses it
//! 1. It makes a [`Flow`]: [`ProgramFlow::tabulated`] (one procedure per function), [`ProgramFlow::inlined`] (one
//!    procedure, calls replaced by copies), or its own with [`FlowBuilder`], where one instruction may become several
//!    steps. What a step does is looked up by [`StepId`] in the engine's own table.
//! 2. It implements [`Analysis`]. An element should be small and cheap to hash: best an id of a table in which the engine
//!    keeps its graphs or structures once each.
//! 3. It calls [`Solver::start`] with what holds at the beginning, then [`Solver::run`], and reads
//!    [`Solver::elements_at`], [`Solver::facts_at`], and for each finding [`Solver::trace`] of the fact that it noted in
//!    [`Analysis::post`].
//!
//! ```
//! use heapwise_engine::Control;
//! use heapwise_fixpoint::{Analysis, At, FlowBuilder, Solver, Successors};
//!
//! /// Counts the steps of a loop up to three.
//! struct Count;
//! impl Analysis for Count {
//!     type Element = u32;
//!     type Key = ();
//!     fn post(&mut self, at: &At<'_, u32>, out: &mut Successors<u32>) {
//!         out.push((*at.element() + 1).min(3));
//!     }
//! }
//!
//! let mut builder = FlowBuilder::new();
//! let procedure = builder.add_procedure();
//! let (entry, exit) = (builder.entry(procedure), builder.exit(procedure));
//! builder.add_step(entry, entry);
//! builder.add_step(entry, exit);
//! let flow = builder.finish();
//! let mut solver = Solver::new(&flow, Count);
//! solver.start(procedure, 0);
//! solver.run(&Control::unlimited()).expect("no budget was given");
//! assert_eq!(solver.elements_at(exit).copied().collect::<Vec<_>>(), [1, 2, 3]);
//! ```
//!
//! # Which part for which analysis
//! | The analysis has | it uses |
//! |---|---|
//! | sets of whole states (shape graphs, structures) | [`Analysis::post`] alone |
//! | states that are merged if they agree on something (same universe; same index) | [`Analysis::key`], [`Analysis::join`] |
//! | states that entail each other | [`Analysis::place`] |
//! | parts of states that statements compose | [`Analysis::combine`], with [`Analysis::tags`] to find partners by variable |
//! | facts found on the way that change what a step does | [`Successors::retrigger`] |
//! | calls with summaries per entry state | [`Successors::enter`], [`Analysis::leave`] |
//! | calls with summaries per key of the entry state, states of one key joined | [`Successors::enter_keyed`], [`Analysis::entry_key`], [`Leaving::caller`] |
//! | cells that a callee allocates | [`Successors::push_fresh`]: at the exit they reach every caller |
//! | calls with call strings | [`ProgramFlow::inlined`], or [`Successors::enter_named`] |
//! | parts that are analysed one after the other, each with a part of the budget | [`Solver::seed`], [`Solver::run_slice`], [`Solver::completeness`] |
//! | a precision that is refined | [`Solver::invalidate`] |
//!
//! # Combinations
//! [`Analysis::combine`] is called with the new element and sees only elements that were pushed before it, so over the
//! run each combination is composed once, when its last member arrives. For a statement over `x` and `y` and a
//! new element that mentions `x`, an engine asks [`Among::tagged`] for those that mention `y`. An element that the statement
//! does not concern is passed on by `post`.
//!
//! # Calls
//! A step that calls pushes nothing; it enters. The procedure is analysed once per entry ([`Origin`]), and its facts
//! carry that entry. What reaches the exit is handed to [`Analysis::leave`] with each element that entered that way, and what
//! `leave` pushes arrives at the end of the call step. Recursion needs nothing more. A call that may fail to return (an
//! extern function, `exit`) is handled in `post` like any other instruction.
//!
//! What an entry is, the engine chooses. By element ([`Successors::enter`]), the procedure is analysed for every state that enters
//! it. By key ([`Successors::enter_keyed`]), states that agree on a key share the entry: where they are joined, a state
//! that changes nothing costs nothing, and one that does is pushed through the procedure in place of the old one. Exits are
//! handed to each caller of the key with the caller's own element (Hackett and Rugina: the key is the index, what is joined
//! are the hit and miss sets). By name ([`Successors::enter_named`]), callers get the exits of all that entered under it.
//!
//! **Where to start.** [`Analysis`], then [`Solver`], then [`ProgramFlow`]; `tests/nullness.rs` is a small whole engine.

mod analysis;
mod calls;
mod flow;
mod ids;
mod invalidate;
mod open;
mod program_flow;
mod results;
mod solver;
mod store;
mod tables;
mod worklist;

pub use analysis::{Among, Analysis, At, Leaving, Origin, Placement, Progress, Successors, TableView};
pub use flow::{Flow, FlowBuilder, Procedure, Step};
pub use ids::{ContextId, ElementId, EntryId, FactId, KeyId, PointId, ProcedureId, StepId, TableId};
pub use open::{Arrival, Completeness, Ended};
pub use program_flow::{Context, InlineError, PointOrigin, ProgramFlow, StepOrigin};
pub use results::{TraceKind, TraceStep};
pub use solver::Solver;
