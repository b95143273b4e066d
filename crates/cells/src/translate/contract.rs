//! Contracts: read, resolved to kinds and links, and put in the place of the bodies they stand for.

use super::call::Site;
use super::constants::Object;
use super::{Cursor, Instance, Translator};
use crate::atom::{Atom, Var};
use crate::contract::{CellClaim, CellContract, CellTerm, ContractClause, ContractId, Frees};
use crate::program::{Command, KindId, LinkTarget, Point, Purpose, Source, Untracked};
use heapwise_engine::reason::{CallGap, ContractGap, ContractMisfit};
use heapwise_ir::claim::{Claim, Clause, Term};
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{
    EdgeId, FunctionId, GlobalId, Initializer, Mutability, Operand, Path, Program, RecordId, Type, TypeId,
};

/// Which calls are followed into the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// All that can be; a function that calls itself is a gap.
    Inlined,
    /// All; functions that call themselves are procedures.
    Procedures,
    /// Those of functions without a contract, as above; an entry point that has one starts with what it requires.
    ByContract,
}

/// The tracked pointers of a global, with the kind of cells each points to.
type GlobalPointers = Vec<(Var, Option<KindId>)>;

impl<'p> Translator<'p> {
    /// The contract of a function, if calls go by it. What is in its way is a gap, and the function is like any other.
    pub(super) fn contract_of(&mut self, function: FunctionId) -> Option<ContractId> {
        if self.calls != Calls::ByContract || !self.program.contracts.iter().any(|c| c.function == function) {
            return None;
        }
        if let Some(known) = self.contracts.get(&function) {
            return *known;
        }
        let contract = match self.lower_contract(function) {
            Ok(contract) => Some(self.out.contracts.push(contract)),
            Err(misfit) => {
                let name = self.program.functions[function].name.clone();
                let span = self.program.contracts.iter().find(|c| c.function == function).map(|c| c.span);
                let reason = ContractGap::NotUsed { function: name, misfit };
                self.gaps.push((span.unwrap_or(heapwise_ir::Span::NONE), reason.into()));
                None
            }
        };
        self.contracts.insert(function, contract);
        contract
    }

    fn lower_contract(&mut self, function: FunctionId) -> Result<CellContract, ContractMisfit> {
        let program = self.program;
        let definition = &program.functions[function];
        // Without a body, it is taken to use the globals that its formulas name.
        let has_body = definition.automaton().is_some();
        let mut kinds = Vec::new();
        let mut parameters = Vec::new();
        for parameter in &definition.parameters {
            parameters.push(self.pointed_kind(definition.registers[*parameter].ty, &mut kinds)?);
        }
        let result = match definition.result {
            Some(result) => self.pointed_kind(definition.registers[result].ty, &mut kinds)?,
            None => None,
        };
        let mut globals = Vec::new();
        for global in touched_globals(program, &self.graph, function) {
            globals.extend(self.global_pointers(global, &mut kinds)?);
        }
        let mut contract = CellContract {
            function,
            name: definition.name.clone(),
            span: definition.span,
            parameters,
            result,
            requires: Vec::new(),
            ensures: Vec::new(),
            kinds: Vec::new(),
            globals,
            named: Vec::new(),
            frees: Frees::Nothing,
        };
        for written in program.contracts.iter().filter(|contract| contract.function == function) {
            contract.span = written.span;
            for (clause, texts) in [(Clause::Requires, &written.requires), (Clause::Ensures, &written.ensures)] {
                for text in texts {
                    let claim = Claim::parse(program, function, clause, text).map_err(|error| {
                        ContractMisfit::Unreadable { clause: text.clone(), error: error.to_string() }
                    })?;
                    let mut globals = Vec::new();
                    claim.for_each_term(&mut |term| {
                        if let Term::Global(global) = term {
                            globals.push(*global);
                        }
                    });
                    for global in globals {
                        for (var, kind) in self.global_pointers(global, &mut kinds)? {
                            let is_known = contract.globals.iter().any(|(known, _)| *known == var)
                                || contract.named.iter().any(|(known, _)| *known == var);
                            if has_body {
                                contract.named.extend(kind.filter(|_| !is_known).map(|kind| (var, kind)));
                            } else if !is_known {
                                contract.globals.push((var, kind));
                            }
                        }
                    }
                    let claim = self.claim(function, &claim, &mut kinds)?;
                    if speaks_of_freed(&claim) {
                        contract.frees = Frees::Cells;
                    }
                    let clauses =
                        if clause == Clause::Requires { &mut contract.requires } else { &mut contract.ensures };
                    clauses.push(ContractClause { text: text.clone(), claim });
                }
            }
        }
        contract.kinds = kinds;
        Ok(contract)
    }

    /// The kind of the cells that a pointer of this type points to, with all kinds that their links lead to.
    fn pointed_kind(&mut self, ty: TypeId, kinds: &mut Vec<KindId>) -> Result<Option<KindId>, ContractMisfit> {
        let Type::Pointer(pointee) = self.program.ty(ty) else { return Ok(None) };
        if !matches!(self.program.ty(*pointee), Type::Record(_)) {
            return Ok(None);
        }
        let Some(size) = self.program.size_of(*pointee) else { return Ok(None) };
        let kind = self.kind_of(Some(*pointee), size)?;
        if kinds.contains(&kind) {
            return Ok(Some(kind));
        }
        kinds.push(kind);
        for link in self.out.kinds[kind].links.clone() {
            if let LinkTarget::Other(target) = link.target {
                let target_size = self.program.size_of(target);
                let is_record = matches!(self.program.ty(target), Type::Record(_));
                let (true, Some(_)) = (is_record, target_size) else {
                    let name = &self.out.kinds[kind].name;
                    return Err(ContractMisfit::LinkToNoStruct { link: link.name.clone(), record: name.clone() });
                };
                self.kind_behind(target, kinds)?;
            }
        }
        Ok(Some(kind))
    }

    fn kind_behind(&mut self, record: TypeId, kinds: &mut Vec<KindId>) -> Result<(), ContractMisfit> {
        let pointer = self.program.types.iter().find(|(_, ty)| **ty == Type::Pointer(record)).map(|(id, _)| id);
        match pointer {
            Some(pointer) => self.pointed_kind(pointer, kinds).map(|_| ()),
            None => Ok(()),
        }
    }

    /// The tracked pointers of a global that a contract's function may use.
    fn global_pointers(&mut self, global: GlobalId, kinds: &mut Vec<KindId>) -> Result<GlobalPointers, ContractMisfit> {
        let program = self.program;
        let definition = &program.globals[global];
        let is_library = matches!(definition.initializer, Initializer::Library(_));
        if definition.mutability == Mutability::ReadOnly || is_library {
            return Ok(Vec::new());
        }
        let mut pointers = Vec::new();
        for scalar in super::kinds::scalars(program, definition.ty) {
            if let Some(var) = self.variable_of(Object::Global(global), &scalar) {
                pointers.push((var, self.pointed_kind(scalar.ty, kinds)?));
            }
        }
        Ok(pointers)
    }

    fn claim(
        &mut self,
        function: FunctionId,
        claim: &Claim,
        kinds: &mut Vec<KindId>,
    ) -> Result<CellClaim, ContractMisfit> {
        Ok(match claim {
            Claim::Constant(value) => CellClaim::Constant(*value),
            Claim::Equal(left, right) => {
                CellClaim::Equal(self.term(function, left, kinds)?, self.term(function, right, kinds)?)
            }
            Claim::Shape { kind, arguments, record, links } => {
                let arguments =
                    arguments.iter().map(|term| self.term(function, term, kinds)).collect::<Result<Vec<_>, _>>()?;
                let cell = self.record_kind(*record, kinds)?;
                let links = links.iter().map(|path| self.link(cell, path)).collect::<Result<Vec<_>, _>>()?;
                CellClaim::Shape { kind: *kind, arguments, cell, links }
            }
            Claim::Fresh(term) => CellClaim::Fresh(self.term(function, term, kinds)?),
            Claim::Freed(term) => CellClaim::Freed(self.term(function, term, kinds)?),
            Claim::Not(claim) => CellClaim::Not(Box::new(self.claim(function, claim, kinds)?)),
            Claim::And(claims) => CellClaim::And(self.claims(function, claims, kinds)?),
            Claim::Or(claims) => CellClaim::Or(self.claims(function, claims, kinds)?),
            Claim::Iff(left, right) => {
                let (left, right) = (self.claim(function, left, kinds)?, self.claim(function, right, kinds)?);
                CellClaim::Iff(Box::new(left), Box::new(right))
            }
            Claim::Quantified { quantifier, variable, record, body } => CellClaim::Quantified {
                quantifier: *quantifier,
                variable: variable.0,
                cell: self.record_kind(*record, kinds)?,
                body: Box::new(self.claim(function, body, kinds)?),
            },
            Claim::Old(claim) => CellClaim::Old(Box::new(self.claim(function, claim, kinds)?)),
        })
    }

    fn claims(
        &mut self,
        function: FunctionId,
        claims: &[Claim],
        kinds: &mut Vec<KindId>,
    ) -> Result<Vec<CellClaim>, ContractMisfit> {
        claims.iter().map(|claim| self.claim(function, claim, kinds)).collect()
    }

    fn record_kind(&mut self, record: RecordId, kinds: &mut Vec<KindId>) -> Result<KindId, ContractMisfit> {
        let name = &self.program.records[record].name;
        let unknown = || ContractMisfit::RecordNotReached { record: name.clone() };
        let ty = self.program.types.iter().find(|(_, ty)| **ty == Type::Record(record)).map(|(id, _)| id);
        let ty = ty.ok_or_else(unknown)?;
        self.kind_behind(ty, kinds)?;
        let size = self.program.size_of(ty).ok_or_else(unknown)?;
        let kind = self.kind_of(Some(ty), size)?;
        if kinds.contains(&kind) { Ok(kind) } else { Err(unknown()) }
    }

    fn link(&self, cell: KindId, path: &Path) -> Result<usize, ContractMisfit> {
        let offset = self.program.resolve(path).map(|resolved| resolved.offset);
        let kind = &self.out.kinds[cell];
        let found = kind.links.iter().position(|link| Some(link.offset as i64) == offset);
        found.ok_or_else(|| ContractMisfit::UnfollowedLink { record: kind.name.clone() })
    }

    fn term(&mut self, function: FunctionId, term: &Term, kinds: &mut Vec<KindId>) -> Result<CellTerm, ContractMisfit> {
        let program = self.program;
        Ok(match term {
            Term::Null => CellTerm::Null,
            Term::Parameter(register) => {
                let parameters = &program.functions[function].parameters;
                let position = parameters.iter().position(|parameter| parameter == register);
                CellTerm::Parameter(position.ok_or(ContractMisfit::NoParameter)?)
            }
            Term::Global(global) => match self.global_pointers(*global, kinds)?.as_slice() {
                [(var, Some(_))] => CellTerm::Global(*var),
                _ => {
                    let name = &program.globals[*global].name;
                    return Err(ContractMisfit::UnfollowedGlobal { global: name.clone() });
                }
            },
            Term::Result => CellTerm::Result,
            Term::Bound(variable) => CellTerm::Bound(variable.0),
            Term::Field(base, path) => {
                let base = self.term(function, base, kinds)?;
                let Some(Type::Record(record)) = program.resolve(path).map(|_| program.ty(path.view)).cloned() else {
                    return Err(ContractMisfit::UnfollowedField);
                };
                let cell = self.record_kind(record, kinds)?;
                let link = self.link(cell, path)?;
                CellTerm::Link(Box::new(base), cell, link)
            }
            Term::Old(term) => CellTerm::Old(Box::new(self.term(function, term, kinds)?)),
        })
    }

    /// A call that goes by the contract of the callee.
    pub(super) fn call_by_contract(&mut self, site: &Site<'_, 'p>, cursor: &mut Cursor, contract: ContractId) {
        let parameters = self.out.contracts[contract].parameters.clone();
        let result = self.out.contracts[contract].result;
        if site.arguments.len() < parameters.len() {
            let name = &self.out.contracts[contract].name;
            let reason = CallGap::TooFewArguments { function: name.clone() }.into();
            self.close(cursor, Command::Gap { reason });
            return;
        }
        let mut arguments = Vec::with_capacity(parameters.len());
        for (kind, operand) in parameters.iter().zip(site.arguments) {
            let source = self.source(site.instance, site.environment, *operand);
            arguments.push(match (kind, source) {
                (Some(_), source) => source,
                // A contract takes it for granted that there is a value.
                (None, Source::Var(var)) if site.environment.operand(*operand).may_be_uninit() => {
                    let purpose = Purpose::Copy(Untracked::Initialised);
                    self.then(cursor, Command::Use { var, purpose });
                    Source::Atom(Atom::Opaque)
                }
                (None, Source::Var(_) | Source::Atom(_)) => Source::Atom(Atom::Opaque),
            });
        }
        let target = site.target.and_then(|target| site.instance.vars.get(&target)).copied();
        let mut pointers = arguments.iter().filter_map(|source| source.var()).chain(target);
        if pointers.any(|var| self.is_inside(var)) {
            let name = &self.out.contracts[contract].name;
            let reason = ContractGap::PointerIntoCell { function: name.clone() }.into();
            self.close(cursor, Command::Gap { reason });
            return;
        }
        let cell = target.filter(|_| result.is_some());
        let command = Command::Contract { contract, arguments, target: cell };
        match target.filter(|_| result.is_none()) {
            None => self.close(cursor, command),
            Some(target) => {
                self.then(cursor, command);
                let value = self.value_of_no_result(self.out.contracts[contract].function);
                self.close(cursor, Command::Set { target, value });
            }
        }
    }

    /// Whether a global may hold anything when the entry point starts: it is not the start of the program.
    pub(super) fn is_open(&self, global: GlobalId) -> bool {
        self.entered.is_some() && self.program.globals[global].mutability != Mutability::ReadOnly
    }

    /// The entry point returns on this edge, with what its contract ensures.
    pub(super) fn leave(&mut self, instance: &Instance<'p>, id: EdgeId, exit: Point) -> Point {
        let Some(contract) = self.entered.filter(|_| instance.frame == 0) else { return exit };
        let before = self.between(instance.frame);
        let span = instance.automaton.edges[id].span;
        let function = &self.program.functions[instance.function];
        let is_number = function
            .result
            .is_some_and(|result| !matches!(self.program.ty(function.registers[result].ty), Type::Pointer(_)));
        let result = function.result.and_then(|result| instance.vars.get(&result)).copied();
        let mut cursor = Cursor { at: before, to: exit, span, frame: instance.frame, edge: Some(id) };
        if let (Some(var), true) = (result, is_number) {
            // Callers take it for granted that it has a value.
            self.then(&mut cursor, Command::Use { var, purpose: Purpose::Copy(Untracked::Initialised) });
        }
        self.close(&mut cursor, Command::Leave { contract, result });
        before
    }
}

fn speaks_of_freed(claim: &CellClaim) -> bool {
    match claim {
        CellClaim::Freed(_) => true,
        CellClaim::Constant(_) | CellClaim::Equal(..) | CellClaim::Shape { .. } | CellClaim::Fresh(_) => false,
        CellClaim::Not(claim) | CellClaim::Old(claim) | CellClaim::Quantified { body: claim, .. } => {
            speaks_of_freed(claim)
        }
        CellClaim::And(claims) | CellClaim::Or(claims) => claims.iter().any(speaks_of_freed),
        CellClaim::Iff(left, right) => speaks_of_freed(left) || speaks_of_freed(right),
    }
}

/// The globals that a function, or one it may call, names.
fn touched_globals(program: &Program, graph: &heapwise_ir::CallGraph, function: FunctionId) -> Vec<GlobalId> {
    let mut reached = vec![function];
    let mut next = 0;
    while let Some(function) = reached.get(next).copied() {
        next += 1;
        for callee in &graph.callees[function] {
            if !reached.contains(callee) {
                reached.push(*callee);
            }
        }
    }
    let mut globals = Vec::new();
    for function in reached {
        let Some(automaton) = program.functions[function].automaton() else { continue };
        for edge in automaton.edges.values() {
            edge.instruction.for_each_operand(|operand| {
                if let Operand::Global(global) = operand
                    && !globals.contains(&global)
                {
                    globals.push(global);
                }
            });
        }
    }
    globals.sort_by_key(|global| global.index());
    globals
}
