//! The graph that is analysed: points and steps, in procedures.
//!
//! A flow carries no statements: an engine keeps what a step does in its own table by [`StepId`]. So it may split one
//! instruction into several steps, inline calls, or take a program as it stands ([`crate::ProgramFlow`]).

use crate::ids::{PointId, ProcedureId, StepId};
use heapwise_ir::entity::{EntityRef, PrimaryMap, SecondaryMap};
use heapwise_ir::order;
use smallvec::SmallVec;

/// A graph of points and steps, ready to be analysed.
#[derive(Clone, Debug)]
pub struct Flow {
    points: PrimaryMap<PointId, Point>,
    steps: PrimaryMap<StepId, Step>,
    procedures: PrimaryMap<ProcedureId, Procedure>,
    incoming: SecondaryMap<PointId, SmallVec<[StepId; 2]>>,
    rank: SecondaryMap<PointId, u32>,
}

#[derive(Clone, Debug)]
struct Point {
    procedure: ProcedureId,
    /// The number within the procedure.
    local: u32,
    /// Whether the procedure returns from here.
    is_exit: bool,
    outgoing: SmallVec<[StepId; 2]>,
}

/// A step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where from.
    pub from: PointId,
    /// Where to, in the same procedure.
    pub to: PointId,
}

/// A part of the graph that can be entered and left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Procedure {
    /// Where it starts.
    pub entry: PointId,
    /// Where it returns.
    pub exit: PointId,
    n_points: u32,
}

/// Builds a [`Flow`]. Procedures are analysed in the order in which they are added where there is a choice: add
/// callees before callers.
#[derive(Clone, Default, Debug)]
pub struct FlowBuilder {
    points: PrimaryMap<PointId, Point>,
    steps: PrimaryMap<StepId, Step>,
    procedures: PrimaryMap<ProcedureId, Procedure>,
}

impl FlowBuilder {
    /// Nothing yet.
    pub fn new() -> FlowBuilder {
        FlowBuilder::default()
    }

    /// Nothing yet, with room for so many points and steps.
    pub fn with_capacity(n_points: usize, n_steps: usize) -> FlowBuilder {
        FlowBuilder {
            points: PrimaryMap::with_capacity(n_points),
            steps: PrimaryMap::with_capacity(n_steps),
            procedures: PrimaryMap::new(),
        }
    }

    /// A procedure with an entry and an exit.
    pub fn add_procedure(&mut self) -> ProcedureId {
        let id = ProcedureId::new(self.procedures.len());
        let entry = self.points.push(Point { procedure: id, local: 0, is_exit: false, outgoing: SmallVec::new() });
        let exit = self.points.push(Point { procedure: id, local: 1, is_exit: false, outgoing: SmallVec::new() });
        self.procedures.push(Procedure { entry, exit, n_points: 2 })
    }

    /// The procedure's entry.
    pub fn entry(&self, procedure: ProcedureId) -> PointId {
        self.procedures[procedure].entry
    }

    /// The procedure's exit.
    pub fn exit(&self, procedure: ProcedureId) -> PointId {
        self.procedures[procedure].exit
    }

    /// A new point of the procedure.
    pub fn add_point(&mut self, procedure: ProcedureId) -> PointId {
        let local = self.procedures[procedure].n_points;
        self.procedures[procedure].n_points += 1;
        self.points.push(Point { procedure, local, is_exit: false, outgoing: SmallVec::new() })
    }

    /// The procedure returns from this point of it.
    pub fn return_from(&mut self, procedure: ProcedureId, exit: PointId) {
        debug_assert_eq!(self.points[exit].procedure, procedure);
        self.procedures[procedure].exit = exit;
    }

    /// A new step between two points of one procedure.
    pub fn add_step(&mut self, from: PointId, to: PointId) -> StepId {
        debug_assert_eq!(self.points[from].procedure, self.points[to].procedure);
        let step = self.steps.push(Step { from, to });
        self.points[from].outgoing.push(step);
        step
    }

    /// How many points there are.
    pub fn n_points(&self) -> usize {
        self.points.len()
    }

    /// The flow, with the order in which it is analysed: procedures as added, within a procedure inner loops before
    /// what follows them.
    pub fn finish(self) -> Flow {
        let FlowBuilder { mut points, steps, procedures } = self;
        for procedure in procedures.values() {
            points[procedure.exit].is_exit = true;
        }
        let targets = |point: &Point| point.outgoing.iter().map(|step| steps[*step].to.as_u32()).collect();
        let successors: Vec<SmallVec<[u32; 2]>> = points.values().map(targets).collect();
        let mut rank: SecondaryMap<PointId, u32> = SecondaryMap::with_capacity(points.len());
        let mut ranked = vec![false; points.len()];
        let mut next = 0;
        for procedure in procedures.values() {
            for point in order::loop_order_of(procedure.entry.as_u32(), &successors) {
                if !std::mem::replace(&mut ranked[point as usize], true) {
                    rank[PointId::from_u32(point)] = next;
                    next += 1;
                }
            }
        }
        // What no entry reaches may still be started from.
        for point in points.keys() {
            if !ranked[point.index()] {
                rank[point] = next;
                next += 1;
            }
        }
        let mut incoming: SecondaryMap<PointId, SmallVec<[StepId; 2]>> = SecondaryMap::with_capacity(points.len());
        for (id, step) in &steps {
            incoming[step.to].push(id);
        }
        Flow { points, steps, procedures, incoming, rank }
    }
}

impl Flow {
    /// All points.
    pub fn points(&self) -> impl Iterator<Item = PointId> + use<> {
        self.points.keys()
    }

    /// How many points there are.
    pub fn n_points(&self) -> usize {
        self.points.len()
    }

    /// All steps.
    pub fn steps(&self) -> impl Iterator<Item = StepId> + use<> {
        self.steps.keys()
    }

    /// A step.
    pub fn step(&self, step: StepId) -> Step {
        self.steps[step]
    }

    /// The steps that leave a point, in the order in which they were added.
    pub fn outgoing(&self, point: PointId) -> &[StepId] {
        &self.points[point].outgoing
    }

    /// The steps that enter a point.
    pub fn incoming(&self, point: PointId) -> &[StepId] {
        &self.incoming[point]
    }

    /// The procedure of a point.
    pub fn procedure_of(&self, point: PointId) -> ProcedureId {
        self.points[point].procedure
    }

    /// All procedures.
    pub fn procedures(&self) -> impl Iterator<Item = ProcedureId> + use<> {
        self.procedures.keys()
    }

    /// How many procedures there are.
    pub fn n_procedures(&self) -> usize {
        self.procedures.len()
    }

    /// Where the procedure starts.
    pub fn entry(&self, procedure: ProcedureId) -> PointId {
        self.procedures[procedure].entry
    }

    /// Where the procedure returns.
    pub fn exit(&self, procedure: ProcedureId) -> PointId {
        self.procedures[procedure].exit
    }

    /// The place of the point in the order of analysis.
    pub fn rank(&self, point: PointId) -> u32 {
        self.rank[point]
    }

    pub(crate) fn is_exit(&self, point: PointId) -> bool {
        self.points[point].is_exit
    }

    pub(crate) fn local(&self, point: PointId) -> usize {
        self.points[point].local as usize
    }

    pub(crate) fn n_points_of(&self, procedure: ProcedureId) -> usize {
        self.procedures[procedure].n_points as usize
    }
}
