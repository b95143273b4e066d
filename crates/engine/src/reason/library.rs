//! What of functions of the library is not followed.

/// What of a function of the library is not followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LibraryGap {
    /// What the function looks through is in a list of arguments, which is not followed.
    ArgumentList,
    /// Which conversions of the function succeed is not followed.
    Conversions,
    /// What the function does to memory is not followed.
    Effect,
    /// The function writes through a pointer that its format names.
    FormatWrites,
    /// How many bytes the function looks at is not followed.
    BytesRead,
    /// How many bytes the function writes is not followed.
    BytesWritten,
    /// How many bytes the function writes is not known.
    UnknownExtent,
    /// How many bytes the function reads is not known.
    UnknownBytesRead,
    /// Where the function writes is not known.
    UnknownTarget,
    /// What the function reads behind an argument is not followed.
    ReadUnfollowed,
    /// What the function reads behind an argument is not known.
    UnknownRead,
    /// The function may look at what was never written.
    PerhapsReadsUnwritten,
    /// The function gets a record with members that were never written, and may look at them.
    RecordUnwritten,
    /// The function gets a format that is not understood.
    UnknownFormat,
    /// The function gets a format that ends in the middle of a conversion.
    FormatEnds,
    /// The function gets fewer arguments than its format names.
    FewArguments,
    /// The function gets an argument that is no floating-point number.
    NoFloat,
    /// A conversion of a format that is not known.
    Conversion {
        /// Its letter.
        letter: u8,
    },
    /// The function reads text in a way that is not followed.
    ReadsText,
    /// The function reads wide characters, which is not followed.
    ReadsWideText,
    /// A nondeterministic pointer is handed to the function, which looks behind it.
    NondeterministicPointer,
}
