//! What of contracts is not used.

use super::MemoryGap;

/// What of contracts is not followed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ContractGap {
    /// A contract is not used.
    NotUsed {
        /// The function.
        function: String,
        /// Why.
        misfit: ContractMisfit,
    },
    /// The function is called with a pointer into a cell, of which contracts do not speak.
    PointerIntoCell {
        /// The function.
        function: String,
    },
    /// The engine does not check contracts.
    Unchecked {
        /// The function.
        function: String,
    },
    /// The engine follows no contract.
    NotFollowed,
    /// A contract is not known.
    Unknown,
    /// It speaks of cells that the run was given, of which nothing is known.
    UnknownCells,
    /// The function is called with a pointer that is neither null nor its cell.
    ArgumentNoCell {
        /// The function.
        function: String,
    },
    /// The function may be called with cells that contracts do not speak of: not initialised, or dangling.
    CalledWithOtherCells {
        /// The function.
        function: String,
    },
    /// The function may return cells whose links or data may be uninitialised, dangle or point to what is no struct; its contract cannot say so.
    LeavesIllFormed {
        /// The function.
        function: String,
    },
    /// The function may leave a global without a cell or null in it.
    LeavesGlobal {
        /// The function.
        function: String,
    },
    /// The function may return what is neither null nor a cell.
    ResultNoCell {
        /// The function.
        function: String,
    },
    /// Which cells the function frees is not clear.
    UnclearFrees {
        /// The function.
        function: String,
    },
    /// A cell may be lost here, and contracts take for granted that functions lose none.
    CellLost,
    /// A claim that may not be kept, where nobody asks about shapes.
    Breach(ContractBreach),
    /// A contract that cannot be read, with the error of its parser.
    Unreadable {
        /// The error.
        error: String,
    },
    /// `old` in a claim about the start of a call.
    OldAtStart,
    /// A link of a claim does not fit its type.
    LinkMisfit,
    /// A claim about all cells of a record of which there are arrays.
    RecordInArrays,
}

/// How a contract may not be kept.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ContractBreach {
    /// The function is called where something that it requires may not hold.
    Requires {
        /// The function.
        function: String,
        /// The clause, as the program has it.
        clause: String,
    },
    /// The function may return where something that it ensures does not hold.
    Ensures {
        /// The function.
        function: String,
        /// The clause, as the program has it.
        clause: String,
    },
    /// The function may free a cell, and no clause that it ensures speaks of `freed`.
    FreesUnsaid {
        /// The function.
        function: String,
    },
}

/// Why a contract is not used.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ContractMisfit {
    /// A clause that cannot be read, with the error of its parser.
    Unreadable {
        /// The clause.
        clause: String,
        /// The error.
        error: String,
    },
    /// A link of a record points to what is no struct.
    LinkToNoStruct {
        /// The link.
        link: String,
        /// The record.
        record: String,
    },
    /// A record is not reached from parameters, result or globals.
    RecordNotReached {
        /// The record.
        record: String,
    },
    /// It names a link of a record that is not followed.
    UnfollowedLink {
        /// The record.
        record: String,
    },
    /// It names no parameter.
    NoParameter,
    /// It speaks of the global it, which is not followed.
    UnfollowedGlobal {
        /// The global.
        global: String,
    },
    /// It names a field that is not followed.
    UnfollowedField,
    /// Cells that it speaks of are not followed.
    Cells {
        /// Why not.
        gap: MemoryGap,
    },
}

impl From<MemoryGap> for ContractMisfit {
    fn from(gap: MemoryGap) -> ContractMisfit {
        ContractMisfit::Cells { gap }
    }
}
