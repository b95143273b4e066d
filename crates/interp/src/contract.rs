//! Contracts, checked on concrete heaps: `hw_requires` where a function is called, `hw_ensures` where it returns.
//!
//! A claim about the time of the call (`old`, `fresh`, `freed`) is decided on a copy of the state that the call
//! started in. A cell is an object and its birth: the slot of a freed object may hold another one by now.

use crate::code::{CompiledPlace, compile_path};
use crate::heap::{Heap, Life};
use crate::machine::{Ending, Executor, Step, Stop, Unasked};
use crate::state::{CallOrigin, State};
use crate::value::{ObjectId, Pointer, Scalar, Value};
use heapwise_engine::Kind;
use heapwise_engine::reason::ContractGap;
use heapwise_ir::claim::{BoundVariable, Claim, Clause, Quantifier, Term};
use heapwise_ir::{FunctionId, Path, Program, RecordId, Type};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The contracts of a program, read.
#[derive(Default, Debug)]
pub(crate) struct Contracts {
    of: FxHashMap<FunctionId, ContractCode>,
    n_entered: AtomicU64,
}

/// One function's contract: the formulas as written, and what they claim.
#[derive(Default, Debug)]
struct ContractCode {
    requires: Vec<(String, Claim)>,
    ensures: Vec<(String, Claim)>,
    /// A formula that cannot be read.
    unread: Option<String>,
}

impl Contracts {
    /// Reads all contracts.
    pub(crate) fn new(program: &Program) -> Contracts {
        let mut contracts = Contracts::default();
        for contract in &program.contracts {
            let code = contracts.of.entry(contract.function).or_default();
            let clauses = [(Clause::Requires, &contract.requires), (Clause::Ensures, &contract.ensures)];
            for (clause, text) in clauses.into_iter().flat_map(|(clause, texts)| texts.iter().map(move |t| (clause, t)))
            {
                match (Claim::parse(program, contract.function, clause, text), clause) {
                    (Ok(claim), Clause::Requires) => code.requires.push((text.clone(), claim)),
                    (Ok(claim), Clause::Ensures) => code.ensures.push((text.clone(), claim)),
                    (Err(error), _) => code.unread = Some(error.to_string()),
                }
            }
        }
        contracts
    }
}

/// What is remembered of the start of a call whose contract ensures something.
#[derive(Clone, Debug)]
pub(crate) struct Entered {
    /// Tells this call from all others of the exploration, so that states which remember different calls stay apart.
    number: u64,
    /// The state before the call.
    pub(crate) state: State,
    /// The arguments.
    pub(crate) arguments: Vec<TermValue>,
}

impl Drop for Entered {
    /// A call remembers its callers, which remember theirs: they go one after the other, however deep the calls are.
    fn drop(&mut self) {
        let mut frames = std::mem::take(&mut self.state.frames);
        while let Some(frame) = frames.pop() {
            let entered = Rc::into_inner(frame).and_then(|mut frame| frame.entered.take()).and_then(Rc::into_inner);
            if let Some(mut entered) = entered {
                frames.append(&mut entered.state.frames);
            }
        }
    }
}

/// What a term stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TermValue {
    Null,
    Cell(Cell),
    /// Neither: it equals nothing.
    Undefined,
    /// Not null, and perhaps a cell that is not followed: a parameter of the entry point.
    Anything,
}

/// A place in an object, told apart from later objects in the same slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cell {
    pointer: Pointer,
    birth: u64,
}

impl Cell {
    fn is_alive(self, heap: &Heap) -> bool {
        heap.find(self.pointer.object).is_some_and(|object| object.birth == self.birth && object.life == Life::Alive)
    }
}

impl TermValue {
    fn new(value: Value, heap: &Heap) -> TermValue {
        match value {
            Value::Int(0) => TermValue::Null,
            Value::Pointer(pointer) => match heap.find(pointer.object) {
                Some(object) => TermValue::Cell(Cell { pointer, birth: object.birth }),
                None => TermValue::Undefined,
            },
            Value::Uninitialised(_) | Value::Float(_) | Value::Function(_) => TermValue::Undefined,
            Value::Int(_) | Value::Symbol(_) | Value::Fragment(_) | Value::Opaque => TermValue::Anything,
        }
    }
}

/// What names mean while a claim is decided.
struct Scope<'s> {
    function: FunctionId,
    arguments: &'s [TermValue],
    result: TermValue,
    entered: Option<&'s Entered>,
    bound: FxHashMap<BoundVariable, Cell>,
}

impl Executor<'_, '_> {
    /// Checks what a function requires. Returns what its ensures will ask about.
    pub(crate) fn enter_contract(
        &mut self,
        function: FunctionId,
        arguments: &[Value],
        origin: CallOrigin,
    ) -> Step<Option<Rc<Entered>>> {
        let machine = self.machine;
        let Some(contract) = machine.contracts.of.get(&function) else { return Ok(None) };
        if let Some(why) = &contract.unread {
            return self.gap(ContractGap::Unreadable { error: why.clone() });
        }
        let arguments: Vec<TermValue> =
            arguments.iter().map(|value| TermValue::new(*value, &self.state.heap)).collect();
        // The caller of the entry point is not there to be blamed: runs that it must not start are none.
        let is_unknown = |argument: &TermValue| matches!(argument, TermValue::Undefined | TermValue::Anything);
        let is_open = origin == CallOrigin::Entry && arguments.iter().any(is_unknown);
        for (text, claim) in contract.requires.iter().filter(|_| !is_open) {
            let mut scope = Scope {
                function,
                arguments: &arguments,
                result: TermValue::Undefined,
                entered: None,
                bound: FxHashMap::default(),
            };
            if self.holds(claim, &mut scope)? {
                continue;
            }
            if origin == CallOrigin::Entry {
                return Err(Stop::Ended(Ending::Infeasible));
            }
            // A contract is no code: where nobody asks about it, C goes on.
            if machine.options.shapes == Unasked::GoesOn {
                continue;
            }
            let name = &machine.program.functions[function].name;
            return self.error(Kind::Shape, format!("`{name}` is called without what it requires: {text}"), None);
        }
        if contract.ensures.is_empty() {
            return Ok(None);
        }
        let number = machine.contracts.n_entered.fetch_add(1, Ordering::Relaxed);
        Ok(Some(Rc::new(Entered { number, state: self.state.clone(), arguments })))
    }

    /// Checks what the innermost call ensures, just before it returns.
    pub(crate) fn leave_contract(&mut self, function: FunctionId, result: Value) -> Step<()> {
        let machine = self.machine;
        let Some(contract) = machine.contracts.of.get(&function) else { return Ok(()) };
        let Some(entered) = self.state.top().and_then(|frame| frame.entered.clone()) else { return Ok(()) };
        for (text, claim) in &contract.ensures {
            let result = TermValue::new(result, &self.state.heap);
            let arguments = &entered.arguments;
            let mut scope = Scope { function, arguments, result, entered: Some(&entered), bound: FxHashMap::default() };
            if !self.holds(claim, &mut scope)? && machine.options.shapes == Unasked::Ends {
                let name = &machine.program.functions[function].name;
                return self.error(Kind::Shape, format!("`{name}` returns without what it ensures: {text}"), None);
            }
        }
        Ok(())
    }

    fn holds(&mut self, claim: &Claim, scope: &mut Scope<'_>) -> Step<bool> {
        Ok(match claim {
            Claim::Constant(value) => *value,
            Claim::Equal(left, right) => {
                let (left, right) = (self.term(left, scope)?, self.term(right, scope)?);
                match (left, right) {
                    (TermValue::Anything, TermValue::Null) | (TermValue::Null, TermValue::Anything) => false,
                    (TermValue::Anything, _) | (_, TermValue::Anything) => return self.gap(ContractGap::UnknownCells),
                    (left, right) => left == right && left != TermValue::Undefined,
                }
            }
            Claim::Shape { kind, arguments, links, .. } => {
                let mut cells = Vec::new();
                for argument in arguments {
                    match self.term(argument, scope)? {
                        TermValue::Null => cells.push(None),
                        TermValue::Cell(cell) if cell.is_alive(&self.state.heap) => cells.push(Some(cell.pointer)),
                        TermValue::Cell(_) | TermValue::Undefined => return Ok(false),
                        TermValue::Anything => return self.gap(ContractGap::UnknownCells),
                    }
                }
                let links = self.links(links)?;
                self.shape_of(*kind, &cells, &links)?.is_ok()
            }
            Claim::Fresh(term) => match self.term(term, scope)? {
                TermValue::Cell(cell) => {
                    let births = scope.entered.map_or(u64::MAX, |entered| entered.state.heap.births());
                    cell.birth > births && cell.is_alive(&self.state.heap)
                }
                TermValue::Null | TermValue::Undefined => false,
                TermValue::Anything => return self.gap(ContractGap::UnknownCells),
            },
            Claim::Freed(term) => match self.term(term, scope)? {
                TermValue::Cell(cell) => {
                    let was_alive = scope.entered.is_some_and(|entered| cell.is_alive(&entered.state.heap));
                    was_alive && !cell.is_alive(&self.state.heap)
                }
                TermValue::Null | TermValue::Undefined => false,
                TermValue::Anything => return self.gap(ContractGap::UnknownCells),
            },
            Claim::Not(claim) => !self.holds(claim, scope)?,
            Claim::And(claims) => {
                for claim in claims {
                    if !self.holds(claim, scope)? {
                        return Ok(false);
                    }
                }
                true
            }
            Claim::Or(claims) => {
                for claim in claims {
                    if self.holds(claim, scope)? {
                        return Ok(true);
                    }
                }
                false
            }
            Claim::Iff(left, right) => self.holds(left, scope)? == self.holds(right, scope)?,
            Claim::Quantified { quantifier, variable, record, body } => {
                let wanted = *quantifier == Quantifier::Exists;
                for cell in self.cells_of(*record, scope)? {
                    self.check_budget()?;
                    scope.bound.insert(*variable, cell);
                    if self.holds(body, scope)? == wanted {
                        return Ok(wanted);
                    }
                }
                !wanted
            }
            Claim::Old(claim) => self.before(scope, |executor, scope| executor.holds(claim, scope))?,
        })
    }

    /// Looks at the state in which the call started.
    fn before<T>(&mut self, scope: &mut Scope<'_>, look: impl FnOnce(&mut Self, &mut Scope<'_>) -> Step<T>) -> Step<T> {
        let Some(entered) = scope.entered else { return self.gap(ContractGap::OldAtStart) };
        let now = std::mem::replace(self.state, entered.state.clone());
        let seen = look(self, scope);
        *self.state = now;
        seen
    }

    fn term(&mut self, term: &Term, scope: &mut Scope<'_>) -> Step<TermValue> {
        match term {
            Term::Null => Ok(TermValue::Null),
            Term::Parameter(register) => {
                let parameters = &self.machine.program.functions[scope.function].parameters;
                let position = parameters.iter().position(|parameter| parameter == register);
                let value = position.and_then(|position| scope.arguments.get(position)).copied();
                Ok(value.unwrap_or(TermValue::Undefined))
            }
            Term::Global(global) => {
                let object = crate::machine::Machine::global_object(*global);
                let width = Scalar::Pointer(self.machine.program.target.pointer_bytes as u8);
                let value = self.load_at(object, 0, width)?;
                Ok(TermValue::new(value, &self.state.heap))
            }
            Term::Result => Ok(scope.result),
            Term::Bound(variable) => {
                Ok(scope.bound.get(variable).map_or(TermValue::Undefined, |cell| TermValue::Cell(*cell)))
            }
            Term::Field(base, path) => match self.term(base, scope)? {
                TermValue::Cell(cell) if cell.is_alive(&self.state.heap) => {
                    let link = self.link(path)?;
                    Ok(match self.follow(cell.pointer, &link)? {
                        Ok(None) => TermValue::Null,
                        Ok(Some(pointer)) => TermValue::new(Value::Pointer(pointer), &self.state.heap),
                        Err(_) => TermValue::Undefined,
                    })
                }
                TermValue::Null | TermValue::Cell(_) | TermValue::Undefined => Ok(TermValue::Undefined),
                TermValue::Anything => self.gap(ContractGap::UnknownCells),
            },
            Term::Old(term) => self.before(scope, |executor, scope| executor.term(term, scope)),
        }
    }

    fn link(&mut self, path: &Path) -> Step<CompiledPlace> {
        match compile_path(self.machine.program, path) {
            Some(link) => Ok(link),
            None => self.gap(ContractGap::LinkMisfit),
        }
    }

    pub(crate) fn links(&mut self, paths: &[Path]) -> Step<Vec<CompiledPlace>> {
        paths.iter().map(|path| self.link(path)).collect()
    }

    /// Whether a run may start with cells that it was given, of which nothing is known.
    fn has_cells_of_others(&self) -> bool {
        let function = &self.machine.program.functions[self.machine.options.entry];
        function.name != "main"
            && function.parameters.iter().any(|parameter| self.is_pointer(function.registers[*parameter].ty))
    }

    /// The cells of a record that are alive now or were when the call started.
    fn cells_of(&mut self, record: RecordId, scope: &Scope<'_>) -> Step<Vec<Cell>> {
        if self.has_cells_of_others() {
            return self.gap(ContractGap::UnknownCells);
        }
        let mut cells: Vec<Cell> = Vec::new();
        let heaps = [Some(&self.state.heap), scope.entered.map(|entered| &entered.state.heap)];
        let mut is_array = false;
        for (id, object) in heaps.into_iter().flatten().flat_map(Heap::objects) {
            let Some(view) = object.view.filter(|_| object.life == Life::Alive) else { continue };
            if !matches!(self.machine.program.ty(view), Type::Record(found) if *found == record) {
                continue;
            }
            is_array |= self.machine.program.size_of(view).is_some_and(|size| object.size >= 2 * size.max(1));
            let cell = Cell { pointer: Pointer { object: id, offset: 0 }, birth: object.birth };
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        if is_array {
            return self.gap(ContractGap::RecordInArrays);
        }
        Ok(cells)
    }
}

/// What a state must keep to itself while claims about an earlier one are open: which objects are those of then.
pub(crate) fn identities(state: &State) -> Option<Vec<u64>> {
    let entered: Vec<&Rc<Entered>> = state.frames.iter().filter_map(|frame| frame.entered.as_ref()).collect();
    if entered.is_empty() {
        return None;
    }
    let mut words: Vec<u64> = entered.iter().map(|entered| entered.number).collect();
    words.extend(state.heap.objects().flat_map(|(id, object)| {
        let ObjectId(slot) = id;
        [u64::from(slot), object.birth, u64::from(object.life == Life::Alive)]
    }));
    Some(words)
}
