//! One function for one call string: its variables, its locations and the end of its scope.

use super::constants::{self, Constants, Environment};
use super::lives::{Leave, Retired};
use super::{Arguments, Auto, Cursor, Links, Pending, PendingStretch, ResultUse, Translator, inside};
use crate::atom::Var;
use crate::program::{Command, Declared, Origin, Point, Variable, VariableSource, VariableStorage};
use heapwise_ir::{
    Automaton, Body, EdgeId, FunctionId, Instruction, Operand, RegisterId, RegisterOrigin, Storage, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// One call string being translated.
pub(super) struct Instance<'p> {
    pub(super) frame: u32,
    pub(super) function: FunctionId,
    pub(super) automaton: &'p Automaton,
    pub(super) known: Constants,
    /// The variable of each tracked register.
    pub(super) vars: FxHashMap<RegisterId, Var>,
    /// The functions on the call string, this one included.
    pub(super) active: Vec<FunctionId>,
}

impl<'p> Translator<'p> {
    /// The variables of a function for one call string, and what is known of them.
    pub(super) fn open(
        &mut self,
        frame: u32,
        function: FunctionId,
        arguments: &Arguments,
        active: Vec<FunctionId>,
    ) -> Option<Instance<'p>> {
        let program = self.program;
        let definition = &program.functions[function];
        let Body::Defined(automaton) = &definition.body else { return None };
        let auto_at = self.add_autos(frame, function, automaton);
        let entry = Environment::entry(definition, &arguments.known);
        let known = constants::propagate(
            &self.results,
            (function, automaton),
            entry,
            (&|edge| auto_at.get(&edge).copied(), &|object, offset| self.address_of(object, offset)),
            self.meter,
        );
        // A translation that was stopped is thrown away.
        let Ok(known) = known else { return None };
        let shifts = inside::shifts((program, &self.embedded), definition, automaton, &known, &arguments.shifts);
        let vars = self.add_registers(frame, (function, automaton), &known, arguments.result);
        let mut shifts: Vec<(RegisterId, Vec<i64>)> = shifts.into_iter().collect();
        shifts.sort_unstable();
        for (register, bytes) in shifts {
            match (vars.get(&register), bytes.as_slice()) {
                (Some(var), [only]) => {
                    self.shifts.insert(*var, *only);
                }
                (Some(var), _) if self.links == Links::Every => self.add_field(frame, *var, bytes),
                (Some(_) | None, _) => {}
            }
        }
        Some(Instance { frame, function, automaton, known, vars, active })
    }

    /// The body of a function for one call string. Parameters, and `given` variables, have a value when it starts.
    pub(super) fn fill(&mut self, instance: &Instance<'p>, from: Point, to: Point, given: &[Var]) {
        let (frame, automaton) = (instance.frame, instance.automaton);
        for location in automaton.outgoing.keys() {
            if instance.known[location].is_some() || location == automaton.exit {
                let origin = Origin { frame, location: Some(location) };
                let point = if location == automaton.exit { to } else { self.out.add_point(origin) };
                self.points.insert((frame, location), point);
            }
        }
        let entered = self.points[&(frame, automaton.entry)];
        let own = &self.program.functions[instance.function].parameters;
        let own = own.iter().filter_map(|parameter| instance.vars.get(parameter));
        let mut parameters: Vec<Var> = own.chain(given).copied().collect();
        let offsets: Vec<Var> = parameters.iter().filter_map(|var| self.fields.get(var)).map(|f| f.offset).collect();
        parameters.extend(offsets);
        let pending = Pending::Entry { from, to: entered, frame, parameters };
        self.pending.push(PendingStretch { pending, globals: Vec::new() });
        for (id, edge) in &automaton.edges {
            if instance.known[edge.from].is_some() && !self.meter.is_over() {
                self.edge(instance, id);
            }
        }
    }

    fn add_autos(&mut self, frame: u32, function: FunctionId, automaton: &Automaton) -> FxHashMap<EdgeId, u32> {
        let mut auto_at = FxHashMap::default();
        for (id, edge) in &automaton.edges {
            let Instruction::Alloc { target, storage: Storage::Auto, bytes, view, .. } = &edge.instruction else {
                continue;
            };
            let ty = view.as_ref().filter(|view| view.count == Operand::Int(1)).map(|view| view.element);
            let size = match bytes {
                Operand::Int(bytes) => u64::try_from(*bytes).ok(),
                _ => None,
            };
            let name = self.program.functions[function].registers[*target].name.clone();
            auto_at.insert(id, self.autos.len() as u32);
            self.autos.push(Auto { name, ty, size, frame, edge: Some(id), slots: Vec::new() });
        }
        auto_at
    }

    /// Makes variables of pointer registers, flags, and integers that may be read before they are written.
    fn add_registers(
        &mut self,
        frame: u32,
        (function, automaton): (FunctionId, &Automaton),
        known: &Constants,
        result: ResultUse,
    ) -> FxHashMap<RegisterId, Var> {
        let returned = match result {
            ResultUse::Kept => self.program.functions[function].result,
            ResultUse::Discarded => None,
        };
        let doubtful = doubtful_registers(automaton, known, returned);
        let mut vars = FxHashMap::default();
        for (register, description) in &self.program.functions[function].registers {
            let is_pointer = matches!(self.program.ty(description.ty), Type::Pointer(_));
            if !is_pointer && !self.flags.contains(function, register) && !doubtful.contains(&register) {
                continue;
            }
            let storage = match description.origin {
                RegisterOrigin::Variable(_) => VariableStorage::Local,
                RegisterOrigin::AddressOfLocal(_) | RegisterOrigin::Temporary => VariableStorage::Temporary,
            };
            let source = VariableSource::Register(register);
            let (name, declared) = (description.name.clone(), Declared::of(self.program.ty(description.ty)));
            let variable = Variable { name, storage, frame: Some(frame), source, declared };
            let var = self.out.vars.push(variable);
            self.types.insert(var, description.ty);
            vars.insert(register, var);
        }
        vars
    }

    /// A function returns on this edge: its locals go out of scope here, so a leak is placed at the `return`.
    pub(super) fn leave_scope(&mut self, instance: &Instance<'p>, id: EdgeId, exit: Point) -> Point {
        let result = self.program.functions[instance.function].result;
        let mut vars: Vec<Var> =
            instance.vars.iter().filter(|(register, _)| Some(**register) != result).map(|(_, var)| *var).collect();
        vars.sort_unstable();
        let before = self.out.add_point(Origin { frame: instance.frame, location: None });
        let span = instance.automaton.edges[id].span;
        let mut cursor = Cursor { at: before, to: exit, span, frame: instance.frame, edge: None };
        let step = self.retire(&mut cursor, Retired::Left(instance.frame));
        self.close(&mut cursor, Command::EndScope { vars });
        if let Some(result) = result
            && let Some(var) = instance.vars.get(&result)
            && matches!(
                self.program.ty(self.program.functions[instance.function].registers[result].ty),
                Type::Pointer(_)
            )
        {
            self.leaves.push(Leave { step, result: *var, frame: instance.frame });
        }
        before
    }
}

/// Integer registers that some edge may read before they are written.
fn doubtful_registers(automaton: &Automaton, known: &Constants, result: Option<RegisterId>) -> FxHashSet<RegisterId> {
    let mut doubtful = FxHashSet::default();
    for edge in automaton.edges.values() {
        let Some(environment) = &known[edge.from] else { continue };
        edge.instruction.for_each_register_read(|register| {
            if environment.register(register).may_be_uninit() {
                doubtful.insert(register);
            }
        });
    }
    if let (Some(result), Some(environment)) = (result, &known[automaton.exit])
        && environment.register(result).may_be_uninit()
    {
        doubtful.insert(result);
    }
    doubtful
}
