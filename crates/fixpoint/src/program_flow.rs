//! Programs as flows: one procedure per function, for tabulation; or one for all, with calls inlined.

use crate::flow::{Flow, FlowBuilder};
use crate::ids::{ContextId, PointId, ProcedureId, StepId};
use heapwise_ir::entity::{EntityRef, PrimaryMap, SecondaryMap};
use heapwise_ir::{
    Automaton, CallGraph, CallKind, EdgeId, FunctionId, IndirectTargets, LocationId, Program, reachable_functions,
};
use rustc_hash::FxHashMap;

/// A program as a flow, and where in the program its points and steps come from.
#[derive(Clone, Debug)]
pub struct ProgramFlow {
    /// The flow.
    pub flow: Flow,
    /// Where each point comes from.
    pub points: PrimaryMap<PointId, PointOrigin>,
    /// What each step is.
    pub steps: PrimaryMap<StepId, StepOrigin>,
    /// The contexts. Without inlining there is one per function.
    pub contexts: PrimaryMap<ContextId, Context>,
    /// The procedure to start in.
    pub start: ProcedureId,
    procedures: SecondaryMap<FunctionId, Option<ProcedureId>>,
}

/// A function, and how it was called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Context {
    /// The function.
    pub function: FunctionId,
    /// Who called it, and where: only with inlining.
    pub caller: Option<(ContextId, EdgeId)>,
}

/// Where a point comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointOrigin {
    /// The function, and how it was called.
    pub context: ContextId,
    /// The location there.
    pub location: LocationId,
}

/// What a step is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepOrigin {
    /// An instruction. It may be a call: of an extern function, or (with tabulation) of any.
    Instruction {
        /// The function, and how it was called.
        context: ContextId,
        /// The edge there.
        edge: EdgeId,
        /// With inlining, which extern function a call through a pointer reaches on this step. A call through a pointer
        /// has a step with `None`, too, for a pointer that names no function of the program: null, a number, the unknown.
        callee: Option<FunctionId>,
    },
    /// From a call to the entry of what is called.
    Enter {
        /// The context of the call.
        caller: ContextId,
        /// The call.
        edge: EdgeId,
        /// The context of what is called.
        callee: ContextId,
    },
    /// From the exit of what was called to the end of the call.
    Leave {
        /// The context of the call.
        caller: ContextId,
        /// The call.
        edge: EdgeId,
        /// The context of what was called.
        callee: ContextId,
    },
}

/// Why calls cannot be inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InlineError {
    /// This function may call itself.
    Recursive(FunctionId),
    /// There would be more points than allowed.
    TooLarge,
}

impl ProgramFlow {
    /// One procedure per function that a run from `entry` may execute, callees first. A call is one step: an engine
    /// enters what it calls with [`crate::Successors::enter`]. `indirect` says whom calls through pointers reach.
    pub fn tabulated(program: &Program, entry: FunctionId, indirect: &dyn IndirectTargets) -> ProgramFlow {
        let reachable = reachable_functions(program, entry, indirect);
        let graph = CallGraph::of(program, indirect);
        let mut builder = Builder::default();
        let mut procedures: SecondaryMap<FunctionId, Option<ProcedureId>> = SecondaryMap::new();
        for function in graph.components.iter().flatten() {
            if reachable.binary_search(function).is_err() {
                continue;
            }
            if let Some(automaton) = program.functions[*function].automaton() {
                let (procedure, context, points) = builder.add_procedure(program, *function);
                procedures[*function] = Some(procedure);
                for (edge, found) in &automaton.edges {
                    let origin = StepOrigin::Instruction { context, edge, callee: None };
                    builder.add_step(points[found.from.index()], points[found.to.index()], origin);
                }
            }
        }
        let start = procedures[entry].unwrap_or_else(|| builder.add_procedure(program, entry).0);
        builder.finish(start, procedures)
    }

    /// One procedure in which every call of a defined function is replaced by a copy of it, with steps that enter and leave
    /// it. At most `max_points` points. A call through a pointer becomes a copy for each function that `indirect` says it
    /// reaches; whether the pointer names that function, and takes these arguments, is for the engine to decide.
    pub fn inlined(
        program: &Program,
        entry: FunctionId,
        indirect: &dyn IndirectTargets,
        max_points: usize,
    ) -> Result<ProgramFlow, InlineError> {
        let graph = CallGraph::of(program, indirect);
        let reachable = reachable_functions(program, entry, indirect);
        if let Some(function) = reachable.into_iter().find(|function| graph.is_recursive(*function)) {
            return Err(InlineError::Recursive(function));
        }
        let mut builder = Builder::default();
        let (start, context, points) = builder.add_procedure(program, entry);
        let mut pending = vec![(context, points)];
        while let Some((context, points)) = pending.pop() {
            let function = builder.contexts[context].function;
            let Some(automaton) = program.functions[function].automaton() else { continue };
            let sites: FxHashMap<EdgeId, usize> =
                graph.sites[function].iter().enumerate().map(|(index, site)| (site.edge, index)).collect();
            for (edge, found) in &automaton.edges {
                let (from, to) = (points[found.from.index()], points[found.to.index()]);
                let site = sites.get(&edge).map(|index| &graph.sites[function][*index]);
                let callees = site.map_or(&[][..], |site| &site.callees);
                let may_call_none = site.is_none_or(|site| match site.kind {
                    CallKind::Direct => false,
                    CallKind::Listed | CallKind::Open => true,
                });
                if may_call_none {
                    builder.add_step(from, to, StepOrigin::Instruction { context, edge, callee: None });
                }
                for callee in callees {
                    let Some(body) = program.functions[*callee].automaton() else {
                        builder.add_step(from, to, StepOrigin::Instruction { context, edge, callee: Some(*callee) });
                        continue;
                    };
                    if builder.flow.n_points() + body.n_locations() > max_points {
                        return Err(InlineError::TooLarge);
                    }
                    let inner = builder.contexts.push(Context { function: *callee, caller: Some((context, edge)) });
                    let copy = builder.add_copy(start, inner, body);
                    let (entry, exit) = (copy[body.entry.index()], copy[body.exit.index()]);
                    builder.add_step(from, entry, StepOrigin::Enter { caller: context, edge, callee: inner });
                    builder.add_step(exit, to, StepOrigin::Leave { caller: context, edge, callee: inner });
                    pending.push((inner, copy));
                }
            }
        }
        let mut procedures: SecondaryMap<FunctionId, Option<ProcedureId>> = SecondaryMap::new();
        procedures[entry] = Some(start);
        Ok(builder.finish(start, procedures))
    }

    /// The procedure of a function; none if it has no body, is not reached, or is inlined.
    pub fn procedure(&self, function: FunctionId) -> Option<ProcedureId> {
        self.procedures[function]
    }

    /// The function of a point.
    pub fn function_at(&self, point: PointId) -> FunctionId {
        self.contexts[self.points[point].context].function
    }

    /// The points of a location, over all contexts.
    pub fn points_of(&self, function: FunctionId, location: LocationId) -> impl Iterator<Item = PointId> {
        let here = move |origin: &PointOrigin| {
            origin.location == location && self.contexts[origin.context].function == function
        };
        self.points.iter().filter(move |(_, origin)| here(origin)).map(|(point, _)| point)
    }
}

#[derive(Default)]
struct Builder {
    flow: FlowBuilder,
    /// In step with the points of `flow`.
    points: PrimaryMap<PointId, PointOrigin>,
    steps: PrimaryMap<StepId, StepOrigin>,
    contexts: PrimaryMap<ContextId, Context>,
}

impl Builder {
    /// A procedure for a function, with points for all its locations. One without a body has an entry that leads nowhere.
    fn add_procedure(&mut self, program: &Program, function: FunctionId) -> (ProcedureId, ContextId, Vec<PointId>) {
        let context = self.contexts.push(Context { function, caller: None });
        let procedure = self.flow.add_procedure();
        let nowhere = Automaton::new();
        let automaton = program.functions[function].automaton().unwrap_or(&nowhere);
        self.points.push(PointOrigin { context, location: automaton.entry });
        self.points.push(PointOrigin { context, location: automaton.exit });
        if automaton.entry == automaton.exit {
            self.flow.return_from(procedure, self.flow.entry(procedure));
        }
        let mut points = Vec::with_capacity(automaton.n_locations());
        for location in automaton.outgoing.keys() {
            points.push(if location == automaton.entry {
                self.flow.entry(procedure)
            } else if location == automaton.exit {
                self.flow.exit(procedure)
            } else {
                self.add_point(procedure, context, location)
            });
        }
        (procedure, context, points)
    }

    fn add_point(&mut self, procedure: ProcedureId, context: ContextId, location: LocationId) -> PointId {
        self.points.push(PointOrigin { context, location });
        self.flow.add_point(procedure)
    }

    /// New points for all locations.
    fn add_copy(&mut self, procedure: ProcedureId, context: ContextId, automaton: &Automaton) -> Vec<PointId> {
        automaton.outgoing.keys().map(|location| self.add_point(procedure, context, location)).collect()
    }

    fn add_step(&mut self, from: PointId, to: PointId, origin: StepOrigin) {
        self.flow.add_step(from, to);
        self.steps.push(origin);
    }

    fn finish(self, start: ProcedureId, procedures: SecondaryMap<FunctionId, Option<ProcedureId>>) -> ProgramFlow {
        let Builder { flow, points, steps, contexts } = self;
        ProgramFlow { flow: flow.finish(), points, steps, contexts, start, procedures }
    }
}
