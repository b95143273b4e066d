//! Runs of `interp` beside the points-to graph: every pointer that a run holds must lie where the graph says.

use heapwise_interp::heap::{Heap, ObjectKind};
use heapwise_interp::state::CallOrigin;
use heapwise_interp::value::{Address, Fragment, ObjectId};
use heapwise_interp::{Machine, MachineOptions, RandomChooser, State};
use heapwise_ir::{Callee, FunctionId, Instruction, Operand, Program};
use heapwise_pointsto::{Mode, Object, Options, Others, PointsTo, RegionId, Site, Value, analyse};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// How much was compared.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Pointers in registers and cells.
    pub pointers: u64,
    /// Those of them of which nothing is claimed.
    pub unknown: u64,
    /// Calls through pointers.
    pub calls: u64,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.pointers += other.pointers;
        self.unknown += other.unknown;
        self.calls += other.calls;
    }
}

/// Compares some runs with the graph of each mode.
pub fn check(program: &Program, entry: FunctionId, runs: u64, steps: u64) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for mode in [Mode::ContextInsensitive, Mode::ContextSensitive] {
        let graph = analyse(program, &Options::new(mode, entry));
        graph.verify()?;
        let checker = Checker::new(program, &graph);
        for seed in 0..runs {
            let machine = Machine::new(program, MachineOptions::new(entry));
            let mut problem = None;
            let mut watch = |_: &Machine<'_>, state: &State| {
                if problem.is_none() {
                    problem = checker.state(state, &mut tally).err();
                }
            };
            heapwise_interp::run(&machine, &mut RandomChooser::new(seed), Some(&mut watch), steps);
            if let Some(problem) = problem {
                return Err(format!("{mode:?}, run {seed}: {problem}\n{}", graph.text(program)));
            }
        }
    }
    Ok(tally)
}

struct Checker<'a> {
    program: &'a Program,
    graph: &'a PointsTo,
    /// The regions of each object in each graph, with where it begins.
    objects: RefCell<BTreeMap<RegionId, BTreeSet<(Object, i64)>>>,
}

impl<'a> Checker<'a> {
    fn new(program: &'a Program, graph: &'a PointsTo) -> Checker<'a> {
        Checker { program, graph, objects: RefCell::default() }
    }

    fn objects(&self, region: RegionId) -> BTreeSet<(Object, i64)> {
        let mut known = self.objects.borrow_mut();
        known.entry(region).or_insert_with(|| self.graph.objects(region)).clone()
    }

    fn state(&self, state: &State, tally: &mut Tally) -> Result<(), String> {
        for (index, frame) in state.frames().iter().enumerate() {
            let function = &self.program.functions[frame.function];
            for (register, declared) in &function.registers {
                let found = frame.register(register);
                let value = self.graph.register(frame.function, register);
                self.holds(state.heap(), found, &value, tally)
                    .map_err(|words| format!("{}: {}: {words}", function.name, declared.name))?;
            }
            if let (CallOrigin::Edge(edge), Some(caller)) = (frame.origin, index.checked_sub(1)) {
                let site = Site { function: state.frames()[caller].function, edge };
                if let Some(Instruction::Call { callee: Callee::Indirect(Operand::Register(_)), .. }) =
                    site.instruction(self.program)
                {
                    tally.calls += 1;
                    let targets = self.graph.targets(site);
                    if !targets.functions.contains(&frame.function) && targets.others == Others::None {
                        return Err(format!("a call reaches {}", function.name));
                    }
                }
            }
        }
        if self.graph.mode == Mode::ContextInsensitive {
            self.all_objects(state, tally)
        } else {
            self.reached_objects(state, tally)
        }
    }

    /// One graph: each object is in one region, and each pointer in it in a cell.
    fn all_objects(&self, state: &State, tally: &mut Tally) -> Result<(), String> {
        for (id, object) in state.heap().objects() {
            let Some(named) = object_of(self.program, state.heap(), id) else { continue };
            for (offset, found) in pointers_in(object) {
                let mut is_known = false;
                for (region, known) in &self.graph.regions {
                    for (_, start) in self.objects(region).iter().filter(|(other, _)| *other == named) {
                        let Some(cell) = known.cell_at(start + offset) else { continue };
                        is_known = true;
                        self.holds(state.heap(), found, &cell.value, tally).map_err(|words| {
                            format!("{named:?} at {offset} ({region} at {}): {words}", start + offset)
                        })?;
                    }
                }
                if !is_known {
                    return Err(format!("{named:?} at {offset}: there is no cell"));
                }
            }
        }
        Ok(())
    }

    /// Graphs of procedures: an object is in one region for each call that made it. So they are followed from registers and
    /// globals, from region to region, as far as the function looks.
    fn reached_objects(&self, state: &State, tally: &mut Tally) -> Result<(), String> {
        let mut pending: Vec<(ObjectId, RegionId, i64)> = Vec::new();
        for frame in state.frames() {
            for register in self.program.functions[frame.function].registers.keys() {
                let value = self.graph.register(frame.function, register);
                self.places(state.heap(), frame.register(register), &value, &mut pending);
            }
        }
        for (id, object) in state.heap().objects() {
            if let ObjectKind::Global(global) = object.kind
                && let Some((region, start)) = self.graph.global(global)
            {
                pending.push((id, region, start));
            }
        }
        let mut seen: BTreeSet<(usize, RegionId, i64)> = BTreeSet::new();
        while let Some((id, region, start)) = pending.pop() {
            if !seen.insert((id.index(), region, start)) {
                continue;
            }
            for (offset, found) in pointers_in(state.heap().object(id)) {
                let Some(cell) = self.graph.regions[region].cell_at(start + offset) else { continue };
                self.holds(state.heap(), found, &cell.value, tally)
                    .map_err(|words| format!("{:?} at {offset} ({region} at {}): {words}", id, start + offset))?;
                self.places(state.heap(), found, &cell.value, &mut pending);
            }
        }
        Ok(())
    }

    /// Where the object behind a value is, if the value is one of those that may be.
    fn places(
        &self,
        heap: &Heap,
        found: heapwise_interp::Value,
        value: &Value,
        pending: &mut Vec<(ObjectId, RegionId, i64)>,
    ) {
        let (heapwise_interp::Value::Pointer(pointer), Some(region)) = (found, value.region) else { return };
        let Some(object) = object_of(self.program, heap, pointer.object) else { return };
        // An unknown value may be elsewhere; an object that is in the region twice is not followed.
        if value.unknown {
            return;
        }
        let objects = self.objects(region);
        let mut starts = objects
            .iter()
            .filter(|(other, start)| *other == object && value.offsets.contains(start + pointer.offset))
            .map(|(_, start)| *start);
        if let (Some(start), None) = (starts.next(), starts.next()) {
            pending.push((pointer.object, region, start));
        }
    }

    /// Whether a value that is there is one of those that may be.
    fn holds(
        &self,
        heap: &Heap,
        found: heapwise_interp::Value,
        value: &Value,
        tally: &mut Tally,
    ) -> Result<(), String> {
        use heapwise_interp::Value as Found;
        let address = match found {
            Found::Pointer(pointer) => Address::Pointer(pointer),
            Found::Function(function) => Address::Function(function),
            Found::Fragment(Fragment { whole, .. }) => whole,
            Found::Uninitialised(_) | Found::Int(_) | Found::Float(_) | Found::Symbol(_) | Found::Opaque => {
                return Ok(());
            }
        };
        let (object, offset) = match address {
            Address::Pointer(pointer) => match object_of(self.program, heap, pointer.object) {
                Some(object) => (Some(object), pointer.offset),
                None => (None, 0),
            },
            Address::Function(function) => (Some(Object::Function(function)), 0),
            Address::Opaque => return Ok(()),
        };
        tally.pointers += 1;
        if value.unknown {
            tally.unknown += 1;
            return Ok(());
        }
        let Some(region) = value.region else {
            return Err(format!("{found:?} ({object:?}) but nothing is pointed to"));
        };
        let is_library = |object: &Object| matches!(object, Object::Library(_) | Object::LibraryVariable(_));
        let objects = self.objects(region);
        let is_there = match object {
            Some(object) => {
                objects.iter().any(|(other, start)| *other == object && value.offsets.contains(start + offset))
            }
            None => objects.iter().any(|(object, _)| is_library(object)),
        };
        if is_there {
            Ok(())
        } else {
            Err(format!("{found:?} ({object:?} + {offset}) is not in {region}+{}", value.offsets))
        }
    }
}

/// The object's name in the graph; `None` for storage of the library and of the environment.
fn object_of(program: &Program, heap: &Heap, id: ObjectId) -> Option<Object> {
    let object = heap.object(id);
    let site = object.site.map(|site| Site { function: site.function, edge: site.edge });
    let is_allocation = |site: &Site| matches!(site.instruction(program), Some(Instruction::Alloc { .. }));
    match object.kind {
        ObjectKind::Heap => site.filter(is_allocation).map(Object::Heap),
        ObjectKind::Auto => site.filter(is_allocation).map(Object::Local),
        ObjectKind::Global(global) | ObjectKind::Literal(global) => Some(Object::Global(global)),
        ObjectKind::Environment | ObjectKind::Library => None,
    }
}

fn pointers_in(object: &heapwise_interp::heap::Object) -> Vec<(i64, heapwise_interp::Value)> {
    let cells = object.contents().cells().iter();
    cells
        .filter_map(|cell| match cell.value {
            // An input that is not fixed is no pointer.
            heapwise_interp::contents::CellValue::Value(heapwise_interp::Value::Symbol(_)) => None,
            heapwise_interp::contents::CellValue::Value(value) => Some((i64::from(cell.offset), value)),
            heapwise_interp::contents::CellValue::Any(_) => None,
        })
        .collect()
}
