//! The options of `assume`, `meet` and `transform`.

use clap::Args;
use std::path::PathBuf;

pub(crate) const SYMBOLIC_STATUS: &str = "\
-I DIR and -D NAME[=VALUE] are for the preprocessor.

The result is printed as a TVS file; docs/most-precise.md explains the operations.

Exit status:
  0  the result is the most precise one
  1  a message of an action may come up, or a rule may be broken (transform only)
  2  could not run: bad usage, an unreadable or malformed file
  3  there may be a more precise result: the prover left a question open, or an input was not bounded";

/// What the operations share.
#[derive(Args)]
pub(crate) struct SymbolicOptions {
    /// The predicates, rules and actions (.tvp); a control-flow graph is not needed.
    #[arg(long, value_name = "FILE")]
    pub(crate) vocabulary: PathBuf,
    /// Who decides satisfiability: builtin, z3, cvc5 or spass.
    #[arg(long, value_name = "PROVER", default_value = "builtin")]
    pub(crate) prover: String,
    /// Print the smallest set of structures that represents the same.
    #[arg(long)]
    pub(crate) minimal: bool,
    /// Write the structures into this directory: structures.tvs, structures.dot, and a drawing of each as SVG.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Seconds that all of it may take; what is not settled then stays in the result.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) time: Option<u64>,
    /// Milliseconds that one question to the prover may take.
    #[arg(long, value_name = "MILLISECONDS")]
    pub(crate) query_time: Option<u64>,
}

#[derive(Args)]
pub(crate) struct AssumeCommand {
    #[command(flatten)]
    pub(crate) common: SymbolicOptions,
    /// The structures (.tvs) [default: all structures, so that the result is the best abstraction of the formula].
    #[arg(long, value_name = "FILE")]
    pub(crate) structures: Option<PathBuf>,
    /// The condition: a closed formula in TVP syntax.
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) formula: String,
}

#[derive(Args)]
pub(crate) struct MeetCommand {
    #[command(flatten)]
    pub(crate) common: SymbolicOptions,
    /// The structures of one side (.tvs).
    #[arg(long, value_name = "FILE")]
    pub(crate) structures: PathBuf,
    /// The structures of the other side (.tvs).
    #[arg(long, value_name = "FILE")]
    pub(crate) structures2: PathBuf,
}

#[derive(Args)]
#[command(group = clap::ArgGroup::new("effect").required(true).args(["actions", "formula"]))]
pub(crate) struct TransformCommand {
    #[command(flatten)]
    pub(crate) common: SymbolicOptions,
    /// The structures before (.tvs).
    #[arg(long, value_name = "FILE")]
    pub(crate) structures: PathBuf,
    /// An action of the vocabulary file, such as `Get_Next(x, y)`; repeated, a block that is one step.
    #[arg(long = "action", value_name = "ACTION")]
    pub(crate) actions: Vec<String>,
    /// Instead of actions, a closed formula: `p(…)` is the value before the step, `next[p](…)` the value after it.
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true, conflicts_with = "actions")]
    pub(crate) formula: Option<String>,
}
