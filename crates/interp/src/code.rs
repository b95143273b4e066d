//! What the interpreter works out about a program before it runs: resolved places, which temporaries die on
//! which edge, which registers are live where, and the constants that inputs may be compared with.

use crate::inputs::{LIBRARY_SIZE, SHORT_TEXT};
use crate::value::Scalar;
use heapwise_ir::entity::{PrimaryMap, SecondaryMap};
use heapwise_ir::liveness::Liveness;
use heapwise_ir::{
    Automaton, BitRange, Bound, Condition, CopySource, EdgeId, Expression, Function, FunctionId, Index, Instruction,
    LocationId, Operand, Path, PathUse, Place, Program, RegisterId, RegisterOrigin, TypeId,
};
use smallvec::SmallVec;
use std::convert::Infallible;

/// Tables beside a program.
#[derive(Debug)]
pub struct Code {
    pub(crate) scalars: Vec<Scalar>,
    pub(crate) functions: PrimaryMap<FunctionId, FunctionCode>,
    /// Integer constants of the program and their neighbours, sorted: what inputs are tried with.
    pub(crate) constants: Vec<i128>,
    /// How long texts from outside are tried beside short ones, sorted: as long as the sizes and the numbers of the program, and
    /// one byte more or less.
    pub(crate) text_lengths: Vec<u64>,
}

/// Tables beside a function.
#[derive(Default, Debug)]
pub(crate) struct FunctionCode {
    pub(crate) registers: Vec<Scalar>,
    pub(crate) edges: SecondaryMap<EdgeId, EdgeCode>,
    /// Locations with two out-edges of which the second holds exactly when the first does not.
    pub(crate) branches: SecondaryMap<LocationId, bool>,
    /// Absent for a function without a body.
    pub(crate) liveness: Option<Liveness>,
}

/// Tables beside an edge.
#[derive(Clone, Default, Debug)]
pub(crate) struct EdgeCode {
    /// The place, or the path of an expression.
    pub(crate) place: Option<CompiledPlace>,
    /// The source of a copy.
    pub(crate) source: Option<CompiledPlace>,
    /// Temporaries that may hold a reference and are dead behind this edge.
    pub(crate) kills: SmallVec<[RegisterId; 2]>,
}

/// A path as bytes.
#[derive(Clone, Debug)]
pub(crate) struct CompiledPlace {
    pub(crate) offset: i64,
    pub(crate) indices: SmallVec<[(Operand, u64); 1]>,
    pub(crate) scalar: Scalar,
    pub(crate) size: Option<u64>,
    pub(crate) bits: Option<BitRange>,
    /// Indices that may lie outside their arrays.
    pub(crate) bounds: SmallVec<[Bound; 1]>,
}

impl Code {
    /// Works the tables out, however long it takes.
    pub fn new(program: &Program) -> Code {
        let Ok(code) = Code::unless(program, &|| Ok::<(), Infallible>(()));
        code
    }

    /// The same, unless `look` ends it: a function of many thousand lines takes long.
    pub fn unless<E>(program: &Program, look: &impl Fn() -> Result<(), E>) -> Result<Code, E> {
        let scalars: Vec<Scalar> = program.types.iter().map(|(id, _)| Scalar::of(program, id)).collect();
        let mut constants = vec![0, 1, -1];
        let mut functions = PrimaryMap::new();
        for function in program.functions.values() {
            functions.push(function_code(program, function, &scalars, &mut constants, look)?);
        }
        constants.sort_unstable();
        constants.dedup();
        let text_lengths = text_lengths(program, &constants);
        // Small ones first: they are the cheapest inputs.
        constants.sort_by_key(|constant| (constant.unsigned_abs(), *constant < 0));
        constants.truncate(40);
        Ok(Code { scalars, functions, constants, text_lengths })
    }

    /// What the type is.
    pub(crate) fn scalar(&self, ty: TypeId) -> Scalar {
        self.scalars[ty.as_u32() as usize]
    }

    /// Whether a register is live at a location.
    pub(crate) fn is_live(&self, function: FunctionId, location: LocationId, register: RegisterId) -> bool {
        self.functions[function].liveness.as_ref().is_some_and(|liveness| liveness.is_live(location, register))
    }
}

fn function_code<E>(
    program: &Program,
    function: &Function,
    scalars: &[Scalar],
    constants: &mut Vec<i128>,
    look: &impl Fn() -> Result<(), E>,
) -> Result<FunctionCode, E> {
    let mut code = FunctionCode {
        registers: function.registers.values().map(|register| scalars[register.ty.as_u32() as usize]).collect(),
        liveness: Liveness::unless(function, look)?,
        ..FunctionCode::default()
    };
    let Some(automaton) = function.automaton() else { return Ok(code) };
    for (id, edge) in &automaton.edges {
        collect_constants(&edge.instruction, constants);
        let (place, source) = compile_instruction(program, &edge.instruction);
        code.edges[id] = EdgeCode { place, source, kills: SmallVec::new() };
    }
    for (location, outgoing) in &automaton.outgoing {
        code.branches[location] = is_branch(automaton, outgoing);
    }
    find_kills(function, automaton, &mut code, look)?;
    Ok(code)
}

fn compile_instruction(program: &Program, instruction: &Instruction) -> (Option<CompiledPlace>, Option<CompiledPlace>) {
    match instruction {
        Instruction::Load { place, .. } | Instruction::Store { place, .. } => (compile_place(program, place), None),
        Instruction::Copy { place, source, .. } => {
            let source = match source {
                CopySource::Place(source) => compile_place(program, source),
                CopySource::Fill(_) | CopySource::Members | CopySource::Nondet => None,
            };
            (compile_place(program, place), source)
        }
        Instruction::Assign {
            value: Expression::AddPath { path, .. } | Expression::SubtractPath { path, .. }, ..
        } => (compile_path(program, path), None),
        Instruction::Assign { .. }
        | Instruction::Alloc { .. }
        | Instruction::Free { .. }
        | Instruction::End { .. }
        | Instruction::Assume(_)
        | Instruction::Call { .. }
        | Instruction::Assert(_)
        | Instruction::Unsupported(_) => (None, None),
    }
}

fn compile_place(program: &Program, place: &Place) -> Option<CompiledPlace> {
    let mut compiled = compile_path(program, &place.path)?;
    compiled.scalar = Scalar::of(program, place.ty);
    compiled.size = program.size_of(place.ty);
    compiled.bits = place.bits;
    Some(compiled)
}

pub(crate) fn compile_path(program: &Program, path: &Path) -> Option<CompiledPlace> {
    let resolved = program.resolve(path)?;
    Some(CompiledPlace {
        offset: resolved.offset,
        indices: resolved.indices.into(),
        scalar: Scalar::of(program, resolved.ty),
        size: program.size_of(resolved.ty),
        bits: resolved.bits,
        bounds: resolved.bounds.into_iter().filter(may_be_outside).collect(),
    })
}

/// Whether a bound needs to be checked at run time.
fn may_be_outside(bound: &Bound) -> bool {
    match bound.index {
        Index::Constant(index) => !bound.admits(index.into(), PathUse::Access),
        Index::Operand(_) => true,
    }
}

fn is_branch(automaton: &Automaton, outgoing: &[EdgeId]) -> bool {
    let [first, second] = outgoing else { return false };
    match (&automaton.edges[*first].instruction, &automaton.edges[*second].instruction) {
        (Instruction::Assume(first), Instruction::Assume(second)) => are_opposite(first, second),
        _ => false,
    }
}

fn are_opposite(first: &Condition, second: &Condition) -> bool {
    match (first, second) {
        (Condition::True, Condition::False) | (Condition::False, Condition::True) => true,
        (
            Condition::Compare { operator, ty, left, right },
            Condition::Compare { operator: other, ty: other_ty, left: other_left, right: other_right },
        ) => operator.negated() == *other && (ty, left, right) == (other_ty, other_left, other_right),
        (
            Condition::Compare { operator, ty, left, right },
            Condition::NotCompare { operator: other, ty: other_ty, left: other_left, right: other_right },
        )
        | (
            Condition::NotCompare { operator, ty, left, right },
            Condition::Compare { operator: other, ty: other_ty, left: other_left, right: other_right },
        ) => (operator, ty, left, right) == (other, other_ty, other_left, other_right),
        _ => false,
    }
}

fn collect_constants(instruction: &Instruction, constants: &mut Vec<i128>) {
    let operands: SmallVec<[Operand; 2]> = match instruction {
        Instruction::Assume(Condition::Compare { left, right, .. })
        | Instruction::Assert(Condition::Compare { left, right, .. })
        | Instruction::Assign { value: Expression::Binary { left, right, .. }, .. } => {
            [*left, *right].into_iter().collect()
        }
        _ => return,
    };
    for operand in operands {
        if let Operand::Int(constant) = operand {
            constants.extend([constant.saturating_sub(1), constant, constant.saturating_add(1)]);
        }
    }
}

fn text_lengths(program: &Program, constants: &[i128]) -> Vec<u64> {
    const MOST: usize = 24;
    let allocations = program.functions.values().filter_map(Function::automaton).flat_map(|automaton| {
        automaton.edges.values().filter_map(|edge| match edge.instruction {
            Instruction::Alloc { bytes: Operand::Int(bytes), .. } => u64::try_from(bytes).ok(),
            _ => None,
        })
    });
    let globals = program.globals.values().filter_map(|global| program.size_of(global.ty));
    let sizes = allocations.chain(globals).flat_map(|size| [size.saturating_sub(1), size, size.saturating_add(1)]);
    let constants = constants.iter().filter_map(|constant| u64::try_from(*constant).ok());
    let mut lengths: Vec<u64> =
        sizes.chain(constants).filter(|length| (SHORT_TEXT + 1..LIBRARY_SIZE - 1).contains(length)).collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths.truncate(MOST);
    lengths
}

/// A temporary never holds the last reference that a leak waits for: it lets go where it is used last.
fn find_kills<E>(
    function: &Function,
    automaton: &Automaton,
    code: &mut FunctionCode,
    look: &impl Fn() -> Result<(), E>,
) -> Result<(), E> {
    let holders: Vec<RegisterId> = function
        .registers
        .iter()
        .filter(|(id, register)| {
            let scalar = code.registers[id.as_u32() as usize];
            register.origin == RegisterOrigin::Temporary
                && !function.parameters.contains(id)
                && matches!(scalar, Scalar::Pointer(_) | Scalar::Int(_))
                && scalar.bytes() >= 4
        })
        .map(|(id, _)| id)
        .collect();
    let Some(liveness) = &code.liveness else { return Ok(()) };
    for (id, edge) in &automaton.edges {
        look()?;
        let target = edge.instruction.target();
        for register in &holders {
            let is_live = |location: LocationId| liveness.is_live(location, *register);
            if (is_live(edge.from) || target == Some(*register)) && !is_live(edge.to) {
                code.edges[id].kills.push(*register);
            }
        }
    }
    Ok(())
}
