//! Which numbers of records are marks of a tree's cells: a colour, or a word with an address and a colour in it.
//!
//! Both are read off the program, and are guesses that cost time at most: cells that do not fit stay as they are.

use heapwise_ir::{Expression, Function, Instruction, Operand, Path, Program, RecordId, RegisterId, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// A number in a record, by its offset.
type Place = (RecordId, i64);

/// What the program does with numbers in records.
pub(crate) struct Marks {
    /// An address of the same record is computed from them.
    addresses: FxHashSet<Place>,
    /// Constants that are stored in them.
    stored: FxHashMap<Place, FxHashSet<i128>>,
}

impl Marks {
    pub fn of(program: &Program) -> Marks {
        let mut marks = Marks { addresses: FxHashSet::default(), stored: FxHashMap::default() };
        for function in program.functions.values() {
            marks.note(program, function);
        }
        marks
    }

    /// Whether the number holds addresses of its record.
    pub fn is_address(&self, place: Place) -> bool {
        self.addresses.contains(&place)
    }

    /// Whether the number seems to be a colour: all constants that are stored there are 0 and 1.
    pub fn is_colour(&self, place: Place, name: &str) -> bool {
        let is_named = ["colo", "red", "black"].iter().any(|word| name.to_lowercase().contains(word));
        let is_one_bit = |constants: &FxHashSet<i128>| {
            constants.len() == 2 && constants.iter().all(|number| (0..2).contains(number))
        };
        self.stored.get(&place).is_some_and(|constants| {
            is_one_bit(constants) || is_named && constants.iter().all(|number| (0..2).contains(number))
        })
    }

    fn note(&mut self, program: &Program, function: &Function) {
        let Some(automaton) = function.automaton() else { return };
        let place = |path: &Path| -> Option<Place> {
            let Type::Record(record) = program.ty(path.view) else { return None };
            let resolved = program.resolve(path)?;
            resolved.indices.is_empty().then_some((*record, resolved.offset))
        };
        // Where numbers in registers come from: looked at without order, until nothing new is found.
        let mut sources: FxHashMap<RegisterId, FxHashSet<Place>> = FxHashMap::default();
        loop {
            let before: usize = sources.values().map(FxHashSet::len).sum();
            for edge in automaton.edges.values() {
                match &edge.instruction {
                    Instruction::Load { target, place: found } if matches!(program.ty(found.ty), Type::Int(_)) => {
                        sources.entry(*target).or_default().extend(place(&found.path));
                    }
                    Instruction::Assign { target, value } => {
                        let mut from: Vec<Place> = Vec::new();
                        if let Expression::Operand(_) | Expression::Binary { .. } | Expression::Convert { .. } = value {
                            edge.instruction.for_each_operand(|operand| {
                                if let Operand::Register(register) = operand {
                                    from.extend(sources.get(&register).into_iter().flatten().copied());
                                }
                            });
                        }
                        if let Expression::Convert { to, .. } = value
                            && let Some(Type::Record(record)) = program.pointee(*to).map(|pointee| program.ty(pointee))
                        {
                            self.addresses.extend(from.iter().copied().filter(|(owner, _)| owner == record));
                        }
                        sources.entry(*target).or_default().extend(from);
                    }
                    Instruction::Store { place: found, value: Operand::Int(constant) } => {
                        if let (Some(place), Type::Int(_)) = (place(&found.path), program.ty(found.ty)) {
                            self.stored.entry(place).or_default().insert(*constant);
                        }
                    }
                    _ => {}
                }
            }
            if sources.values().map(FxHashSet::len).sum::<usize>() == before {
                return;
            }
        }
    }
}
