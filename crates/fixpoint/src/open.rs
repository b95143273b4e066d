//! Runs in slices: a part of the budget for a part of the seeds, and what a part that was cut left open.
//!
//! An engine that follows one allocation site at a time plants the seeds of a site, runs a slice, and goes on with the next one.
//! Results are reused: a fact that is known is not pushed again. That is only right if whoever arrives at one is told when
//! there is more to come. So every fact is either *complete* (all that follows from it was pushed) or *open*; a slice that
//! arrives at an open fact is open itself, from there back to its seeds.
//!
//! What follows from what is known from parents; arrivals at facts that were there already have no parent link, so they
//! are noted while slices are in use. Back over a return the caller is open, not the procedure that returned: its facts belong
//! to all callers.

use crate::analysis::{Analysis, Origin};
use crate::ids::FactId;
use crate::solver::{Solver, Stop};
use crate::store::{DerivationKind, Status};
use heapwise_engine::{Budget, Cancel, Control, Exhausted};
use heapwise_ir::entity::{EntityRef, SecondaryMap};
use smallvec::SmallVec;

/// Whether all that follows from a fact was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completeness {
    /// Everything that follows from it is in the tables, or covered there.
    Complete,
    /// More may follow: nothing may be concluded from what is not there.
    Open,
}

/// How a slice ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Everything that follows from its seeds was found.
    Complete,
    /// It came to its end, but arrived at facts that an earlier slice left open: [`Solver::arrived_at_open`]. Which of its seeds
    /// lead there, [`Solver::completeness`] says.
    AtOpen,
    /// Its part of the budget ran out. A seed may be complete nevertheless.
    Cut(Exhausted),
}

/// An arrival at a fact that an earlier slice left open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrival {
    /// The fact that led there; none for a seed.
    pub from: Option<FactId>,
    /// The open one.
    pub open: FactId,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Standing {
    /// Found in the slice at hand, or continued by it.
    #[default]
    Unsettled,
    Complete,
    Open,
}

/// What is known about facts beyond the slice that found them.
#[derive(Default)]
pub(crate) struct Slices {
    standing: SecondaryMap<FactId, Standing>,
    /// Facts below this number are settled, but for `reopened`.
    n_settled: usize,
    reopened: Vec<FactId>,
    /// The open ones.
    open: Vec<FactId>,
    /// Arrivals at known facts that were not complete: from, to.
    edges: Vec<(FactId, FactId)>,
    /// Edges below this number start at facts that are settled.
    n_settled_edges: usize,
    arrivals: Vec<Arrival>,
    /// Seeds that were planted at open facts since the last slice.
    planted: Vec<FactId>,
    /// Something happened that parents and edges do not tell (state of the engine grew, facts were taken back, elements were
    /// combined): if anything is open, all is.
    is_shaken: bool,
}

impl<A: Analysis> Solver<'_, A> {
    /// Runs what was planted with a part of the budget. When that part ends, so does this slice only: what waits is left open, and
    /// the next slice does not go on with it. An `Err` is about the whole budget, as in [`Solver::run`].
    ///
    /// Ask [`Solver::completeness`] of the facts that [`Solver::seed`] gave: one slice may have several seeds. Where seeds are
    /// [`Origin::Fresh`], announce all calls with [`Solver::add_call`] first: one that is found later, when something that
    /// returns there was complete, leaves everything open if its slice is cut or arrives at what is open; so does a combination of
    /// elements.
    pub fn run_slice(&mut self, control: &Control, slice: Budget) -> Result<Ended, Exhausted> {
        self.use_slices();
        let part = Control::start(slice, Cancel::default());
        match self.drive(control, Some(&part)) {
            Ok(()) => Ok(if self.close_slice(Vec::new()) { Ended::Complete } else { Ended::AtOpen }),
            Err(Stop::Slice(exhausted)) => {
                let open = self.leave_open();
                self.close_slice(open);
                Ok(Ended::Cut(exhausted))
            }
            Err(Stop::Run(exhausted)) => Err(exhausted),
        }
    }

    /// Whether all that follows from a fact was found.
    pub fn completeness(&self, fact: FactId) -> Completeness {
        let is_complete = match &self.slices {
            None => self.worklist.len() == 0,
            Some(slices) => slices.standing[fact] == Standing::Complete,
        };
        if is_complete { Completeness::Complete } else { Completeness::Open }
    }

    /// Where the last slice arrived at facts that were open.
    pub fn arrived_at_open(&self) -> &[Arrival] {
        self.slices.as_ref().map_or(&[], |slices| &slices.arrivals)
    }

    /// The facts that slices left waiting.
    pub fn open_facts(&self) -> impl Iterator<Item = FactId> {
        let open = self.slices.iter().flat_map(|slices| slices.open.iter().copied());
        open.filter(|fact| self.store.facts[*fact].status == Status::Open)
    }

    /// What slices left open waits again: the next one goes on with it.
    pub fn reopen(&mut self) {
        let Some(slices) = &mut self.slices else { return };
        let mut open = std::mem::take(&mut slices.open);
        for fact in &open {
            slices.standing[*fact] = Standing::Unsettled;
        }
        slices.reopened.append(&mut open.clone());
        slices.n_settled_edges = 0;
        open.retain(|fact| self.store.facts[*fact].status == Status::Open);
        for fact in open {
            self.wait(fact);
        }
    }

    /// Slices are in use from now on.
    fn use_slices(&mut self) {
        if let Some(slices) = &mut self.slices {
            slices.arrivals.clear();
            for open in slices.planted.drain(..).filter(|fact| slices.standing[*fact] == Standing::Open) {
                slices.arrivals.push(Arrival { from: None, open });
            }
            return;
        }
        let mut slices = Slices::default();
        if self.worklist.len() == 0 {
            for fact in self.store.facts.keys() {
                slices.standing[fact] = Standing::Complete;
            }
            slices.n_settled = self.store.facts.len();
        } else {
            // How a run got here that was stopped on its way was not noted.
            slices.is_shaken = self.store.facts.values().any(|fact| fact.derivation.kind != DerivationKind::Start);
        }
        self.slices = Some(Box::new(slices));
    }

    /// A fact has led to one that was known, or covers what it led to.
    #[inline]
    pub(crate) fn note(&mut self, from: FactId, to: FactId) {
        if self.slices.is_some() {
            self.note_in_slice(from, to);
        }
    }

    #[cold]
    fn note_in_slice(&mut self, from: FactId, to: FactId) {
        let Some(slices) = &mut self.slices else { return };
        match slices.standing[to] {
            Standing::Complete => return,
            Standing::Unsettled => {}
            Standing::Open => slices.arrivals.push(Arrival { from: Some(from), open: to }),
        }
        slices.edges.push((from, to));
        self.store.bytes += std::mem::size_of::<(FactId, FactId)>() as u64;
    }

    /// A seed was planted and this fact stands for it.
    pub(crate) fn note_seed(&mut self, fact: FactId) {
        if let Some(slices) = &mut self.slices
            && slices.standing[fact] == Standing::Open
        {
            slices.planted.push(fact);
        }
    }

    /// Something changed that parents and edges do not tell.
    pub(crate) fn shake(&mut self) {
        if let Some(slices) = &mut self.slices {
            slices.is_shaken = true;
        }
    }

    /// The facts that wait are open.
    fn leave_open(&mut self) -> Vec<FactId> {
        let mut open = Vec::new();
        while let Some(fact) = self.worklist.pop() {
            if self.store.facts[fact].status == Status::Waiting {
                self.store.facts[fact].status = Status::Open;
                open.push(fact);
            }
        }
        open
    }

    /// The slice is over, and these were left waiting: each fact of it is complete, or open. Returns whether all of them are
    /// complete, and all seeds.
    pub(crate) fn close_slice(&mut self, mut roots: Vec<FactId>) -> bool {
        let Some(mut slices) = self.slices.take() else { return true };
        let found = (slices.n_settled..self.store.facts.len()).map(FactId::new);
        let unsettled: Vec<FactId> = slices.reopened.drain(..).chain(found).collect();
        // Also from a fact that was complete: it is at the exit of a call that this slice found, and returns there to what is open.
        // Whoever leads to it and to the call is not told by edges, so then everything is open (the slice is shaken).
        let arrives = |(from, to): &&(FactId, FactId)| {
            slices.standing[*from] != Standing::Open && slices.standing[*to] == Standing::Open
        };
        let edges = &slices.edges[slices.n_settled_edges..];
        roots.extend(edges.iter().filter(arrives).map(|(from, _)| *from));
        let seeds_are_complete = slices.arrivals.iter().all(|arrival| arrival.from.is_some());
        let is_complete = roots.is_empty();
        if is_complete {
            slices.is_shaken = false;
        }
        let all: Vec<FactId>;
        let settled = if slices.is_shaken {
            all = self.store.facts.keys().collect();
            roots.clone_from(&all);
            &all
        } else {
            &unsettled
        };
        if slices.is_shaken {
            for fact in settled {
                slices.standing[*fact] = Standing::Unsettled;
            }
            slices.open.clear();
            slices.n_settled_edges = 0;
        }
        self.open_backwards(&mut slices, roots);
        for fact in settled {
            if slices.standing[*fact] == Standing::Unsettled {
                slices.standing[*fact] = Standing::Complete;
            }
        }
        slices.n_settled = self.store.facts.len();
        let n_edges = slices.edges.len();
        let standing = &slices.standing;
        let mut new = slices.edges.split_off(slices.n_settled_edges);
        new.retain(|(_, to)| standing[*to] == Standing::Open);
        slices.edges.append(&mut new);
        slices.n_settled_edges = slices.edges.len();
        let n_dropped = n_edges - slices.edges.len();
        self.store.bytes -= (n_dropped * std::mem::size_of::<(FactId, FactId)>()) as u64;
        self.slices = Some(slices);
        is_complete && seeds_are_complete
    }

    /// These are open, and so is every fact of the slice that leads to one of them. What was complete before stays so: all that
    /// followed from it was in the tables then, and tables only grow.
    fn open_backwards(&self, slices: &mut Slices, roots: Vec<FactId>) {
        if roots.is_empty() {
            return;
        }
        // Whatever else is known of where facts lead, it is between those that are settled.
        let is_unsettled = |fact: FactId| slices.standing[fact] == Standing::Unsettled;
        let edges =
            slices.edges[slices.n_settled_edges..].iter().filter(|(from, to)| is_unsettled(*from) && is_unsettled(*to));
        let mut edges: Vec<(FactId, FactId)> = edges.map(|(from, to)| (*to, *from)).collect();
        edges.sort_unstable();
        let mut pending = Vec::new();
        let mark = |fact: FactId, slices: &mut Slices, pending: &mut Vec<FactId>| {
            if slices.standing[fact] == Standing::Unsettled {
                slices.standing[fact] = Standing::Open;
                slices.open.push(fact);
                pending.push(fact);
            }
        };
        for root in roots {
            mark(root, slices, &mut pending);
        }
        while let Some(fact) = pending.pop() {
            let owners: SmallVec<[FactId; 2]> = self.owners(slices, fact).collect();
            for owner in owners {
                mark(owner, slices, &mut pending);
            }
            let first = edges.partition_point(|(to, _)| *to < fact);
            for (_, from) in edges[first..].iter().take_while(|(to, _)| *to == fact) {
                mark(*from, slices, &mut pending);
            }
        }
    }

    /// The facts that a fact follows from, as far as it is up to them whether it is found.
    fn owners(&self, slices: &Slices, fact: FactId) -> impl Iterator<Item = FactId> {
        let parents = self.store.parents_of(fact);
        let skipped = match self.store.facts[fact].derivation.kind {
            DerivationKind::Leave => self.not_an_owner(Some(slices), parents[0], parents[1]),
            DerivationKind::Start | DerivationKind::Step | DerivationKind::Enter | DerivationKind::LeaveAlways => None,
        };
        parents.iter().enumerate().filter(move |(index, _)| Some(*index) != skipped).map(|(_, parent)| *parent)
    }

    /// Of caller (0) and exit (1): the one that is not responsible for what was returned.
    pub(crate) fn not_an_owner(&self, slices: Option<&Slices>, caller: FactId, exit: FactId) -> Option<usize> {
        let entry = self.store.tables[self.store.facts[exit].table].entry;
        let is_complete = slices.is_some_and(|slices| slices.standing[caller] == Standing::Complete);
        match self.store.entries[entry].origin {
            // A caller that was complete stays so. That there is a new exit for it is up to whoever entered with more, and who
            // arrives at the caller too: such arrivals are not noted.
            Origin::Element(_) | Origin::Key(_) if is_complete => None,
            // The caller that entered so gets all exits.
            Origin::Element(_) | Origin::Key(_) => Some(1),
            // Returned whoever calls.
            Origin::Fresh => Some(0),
            // Callers get exits of others.
            Origin::Named(_) | Origin::Start => None,
        }
    }
}
