//! What symbolic heaps do not say.

/// What the symbolic heaps of `overlay` do not say.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SymbolicGap {
    /// No group of fields knows the cell that is accessed.
    NoGroupKnowsTheCell,
    /// Bytes of several groups of fields are accessed at once.
    SeveralGroupsAccessed,
    /// The program cannot be analysed by groups of fields: why.
    GroupsCannotBeUsed {
        /// Why.
        why: GroupMisfit,
    },
    /// A function pointer is called that is not followed.
    UnknownFunctionCalled,
    /// Heap cells may be reachable at the end, and this engine does not say which.
    ReachableAtExit,
    /// A heap has too many cells that no predicate describes.
    TooManyCells,
    /// A function is called that was not expected here.
    UnexpectedCallee,
    /// A function is called with too few arguments.
    TooFewArguments,
    /// A path does not fit its type.
    PathDoesNotFitItsType,
    /// An index is not followed.
    IndexIsNotFollowed,
    /// An offset is too large.
    OffsetIsTooLarge,
    /// A number is not followed.
    NumberIsNotFollowed,
    /// An address is not followed.
    AddressIsNotFollowed,
    /// An index has too many values to look at each.
    ManyIndices,
    /// Pointer arithmetic on an incomplete type.
    ArithmeticOnIncompleteType,
    /// Pointer difference on an incomplete or empty type.
    DifferenceOfIncompleteType,
    /// A call is not followed.
    CallNotFollowed,
    /// A local object of negative or huge size.
    LocalOfUnknownSize,
    /// A pointer is freed that is not followed.
    UnknownPointerFreed,
    /// An end of a structure is used for which its predicate has no rule.
    NoRuleForThisEnd,
    /// One statement makes too many cases.
    TooManyCases,
    /// A number is used as a pointer.
    NumberAsPointer,
    /// A pointer is dereferenced that is not followed.
    UnknownPointerDereferenced,
    /// A value that is no scalar is loaded.
    NoScalarLoaded,
    /// A cell is not followed.
    CellIsNotFollowed,
    /// A pointer in storage of the library is not followed.
    PointerInLibraryStorage,
    /// Whether a byte is one of a text is not known.
    ByteOfText,
    /// A value that is no scalar is stored.
    NoScalarStored,
    /// Pointers in an array are written with an index that is not known.
    PointersWrittenAtUnknownIndex,
    /// Storage of the library is written.
    LibraryStorageWritten,
    /// A bit-field is written with an index that is not known.
    BitFieldWrittenAtUnknownIndex,
    /// An object of incomplete type is copied.
    IncompleteTypeCopied,
    /// How many bytes are copied is not known.
    UnknownCopyLength,
    /// An object of no known type is initialised.
    UnknownTypeInitialised,
    /// A copy with an index that is not known.
    CopyAtUnknownIndex,
    /// A variable of other code is copied.
    ForeignVariableCopied,
    /// How large a copied object is is not known.
    UnknownSizeCopied,
    /// A pointer is handed over that is not followed.
    UnknownPointerHandedOver,
    /// A claim about a shape names a link that is not followed.
    ClaimNamesUnknownLink,
    /// A claim about a pointer that is not followed.
    ClaimAboutUnknownPointer,
    /// A shape that cannot be about so many links.
    ClaimAboutOtherLinks,
    /// The shape reaches a link that is not followed.
    ClaimReachesUnknownLink,
    /// A claim follows several links from the end of a structure.
    ClaimFollowsSeveralLinks,
    /// The shape reaches a cell that is too small for its links.
    ClaimReachesSmallCell,
    /// A structure is looked at in another way than it is known.
    StructureSeenOtherwise,
    /// A tree is followed from the middle.
    TreeFromTheMiddle,
    /// A link that is not the structure's own is followed.
    ForeignLinkFollowed,
    /// A structure is no doubly linked list.
    NotDoublyLinked,
    /// A link is not followed.
    LinkIsNotFollowed,
    /// A function that calls itself looks at a cell that it was not given.
    CellNotGiven,
    /// A structure without links to parents.
    NoParentLinks,
    /// How many bytes a function looks at is not followed.
    LibraryReads {
        /// The function.
        function: String,
    },
    /// What a function stores is not followed.
    LibraryStores {
        /// The function.
        function: String,
    },
    /// Storage of the library is given back by a function.
    LibraryStorageGivenBack {
        /// The function.
        function: String,
    },
    /// Where a function writes is not followed.
    LibraryWrites {
        /// The function.
        function: String,
    },
    /// Where the result of a function points is not followed.
    LibraryResult {
        /// The function.
        function: String,
    },
    /// What a function looks through is in a list of arguments, which is not followed.
    LibraryArgumentList {
        /// The function.
        function: String,
    },
    /// Which conversions of a function succeed is not followed.
    LibraryConversions {
        /// The function.
        function: String,
    },
    /// The format of a function is not known.
    LibraryFormat {
        /// The function.
        function: String,
    },
    /// A function writes through a pointer that its format names.
    LibraryFormatWrites {
        /// The function.
        function: String,
    },
    /// A function is given too few arguments.
    LibraryTooFewArguments {
        /// The function.
        function: String,
    },
}

/// Why a program cannot be analysed by groups of fields.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GroupMisfit {
    /// Predicates of the user are followed in one analysis of all fields.
    OwnPredicates,
    /// There are too many groups.
    TooMany {
        /// So many.
        groups: usize,
        /// The limit.
        most: usize,
    },
    /// A field is in two groups.
    InTwoGroups {
        /// The field.
        field: String,
    },
    /// No record has the field.
    NoSuchField {
        /// The field.
        field: String,
    },
}

/// Why a predicate of the user is about nothing in a program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PredicateMisfit {
    /// The program has no such record.
    NoRecord {
        /// The record.
        record: String,
    },
    /// The record has no such member.
    NoMember {
        /// The record.
        record: String,
        /// The member.
        member: String,
    },
    /// The record has no such pointer or number.
    NoLink {
        /// The record.
        record: String,
        /// The link.
        link: String,
    },
}
