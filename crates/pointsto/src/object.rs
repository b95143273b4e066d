//! Objects, and where things happen.

use heapwise_ir::{EdgeId, FunctionId, GlobalId, Instruction, Program, Storage};

/// An edge of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The function.
    pub function: FunctionId,
    /// The edge.
    pub edge: EdgeId,
}

/// Memory that comes into being together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    /// A global or a string literal.
    Global(GlobalId),
    /// A function: what a function pointer points to.
    Function(FunctionId),
    /// What an allocation makes on the heap.
    Heap(Site),
    /// A local variable in memory, or `alloca`.
    Local(Site),
    /// Storage of the library that a call returns.
    Library(Site),
    /// Storage of the library that a variable of it points to.
    LibraryVariable(GlobalId),
}

impl Object {
    /// What its address is a multiple of.
    pub(crate) fn alignment(self, program: &Program) -> u64 {
        match self {
            Object::Heap(_) => 16,
            Object::Global(global) => {
                let global = &program.globals[global];
                match global.mutability {
                    heapwise_ir::Mutability::ReadOnly => 1,
                    heapwise_ir::Mutability::Mutable => program.align_of(global.ty).unwrap_or(1).max(1),
                }
            }
            Object::Local(site) => match site.instruction(program) {
                Some(Instruction::Alloc { view: Some(view), .. }) => program.align_of(view.element).unwrap_or(1).max(1),
                _ => 1,
            },
            Object::Function(_) | Object::Library(_) | Object::LibraryVariable(_) => 1,
        }
    }

    /// The object that an allocation makes.
    pub(crate) fn allocated(storage: Storage, site: Site) -> Object {
        match storage {
            Storage::Heap => Object::Heap(site),
            Storage::Auto => Object::Local(site),
        }
    }
}

impl Site {
    /// The instruction there.
    pub fn instruction(self, program: &Program) -> Option<&Instruction> {
        let automaton = program.functions[self.function].automaton()?;
        automaton.edges.get(self.edge).map(|edge| &edge.instruction)
    }
}

/// Why cells of a region became one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CollapseReason {
    /// An access at an offset that is not known.
    UnknownOffset,
    /// Two accesses overlap that do not start at the same byte.
    ViewsDisagree,
    /// An access reaches over the end of an array's element.
    OverElement,
    /// There were too many cells to keep them apart.
    TooManyCells,
    /// A cell or an array grew again and again.
    Endless,
}

/// Where and why cells of a region became one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Collapse {
    /// Why.
    pub reason: CollapseReason,
    /// The access that did it; `None` where an initialiser, a copy or the meeting of two regions did.
    pub site: Option<Site>,
}

impl Site {
    /// All sites of a function.
    pub(crate) fn all_of(function: FunctionId) -> std::ops::Range<Site> {
        let first = |function: FunctionId| Site { function, edge: EdgeId::from_u32(0) };
        first(function)..first(FunctionId::from_u32(function.as_u32() + 1))
    }
}
