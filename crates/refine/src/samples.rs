//! Explicit heap analysis: concrete heaps of sampled runs, and the classes of shapes that they satisfy (Beyer et al., sections
//! 2.2 and 3.2).
//!
//! Samples only choose among abstractions: nothing that is proved rests on them. So Alg. 2's conversion of explicit heaps to
//! shape graphs, which is unsound together with covering, is not needed.

use heapwise_engine::{AllocationFailure, Control, Exhausted, Options};
use heapwise_interp::heap::ObjectKind;
use heapwise_interp::{Chooser, Loaded, Machine, MachineOptions, ObjectId, Pointer, Question, State, Value, run};
use heapwise_ir::{FunctionId, LocationId, Loops, RegisterId, ShapeClause, ShapeKind, TypeId};
use heapwise_shapes::classes::{ClassId, ClassLibrary, Invariant, ShapeClass};
use heapwise_shapes::memory::{FieldId, Memory, ScalarKind, ScalarVariable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// How much is sampled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thresholds {
    /// So many different heaps of each root are enough.
    pub samples: usize,
    /// Each with so many cells at least.
    pub cells: usize,
    /// At most so many runs.
    pub runs: u64,
    /// Of so many steps each.
    pub steps: u64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        // The paper's numbers: five samples of at least four cells.
        Thresholds { samples: 5, cells: 4, runs: 200, steps: 3_000 }
    }
}

/// Cells and where their links lead, by position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Graph {
    links: Vec<Vec<Option<usize>>>,
}

impl Graph {
    /// The graph of so many cells.
    pub fn of_cells(cells: usize, links: impl Fn(usize) -> Vec<Option<usize>>) -> Graph {
        Graph { links: (0..cells).map(links).collect() }
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    fn step(&self, cell: usize, along: &[usize]) -> impl Iterator<Item = usize> {
        along.iter().filter_map(move |link| self.links[cell][*link]).collect::<Vec<_>>().into_iter()
    }

    /// The cells that are reached from others along links, the first ones included.
    fn reached(&self, from: impl IntoIterator<Item = usize>, along: &[usize]) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        let mut pending: Vec<usize> = from.into_iter().collect();
        while let Some(cell) = pending.pop() {
            if !std::mem::replace(&mut reached[cell], true) {
                pending.extend(self.step(cell, along));
            }
        }
        reached
    }

    fn all_links(&self) -> Vec<usize> {
        (0..self.links.first().map_or(0, Vec::len)).collect()
    }

    /// Whether a cell is reached from one of the roots.
    pub fn reaches(&self, roots: &[Option<usize>], cell: usize) -> bool {
        self.reached(roots.iter().flatten().copied(), &self.all_links())[cell]
    }

    fn on_cycle(&self, cell: usize, along: &[usize]) -> bool {
        self.reached(self.step(cell, along), along)[cell]
    }

    fn entered_once(&self, cells: &[bool], along: &[usize]) -> bool {
        let mut entered = vec![0; self.len()];
        for cell in (0..self.len()).filter(|cell| cells[*cell]) {
            self.step(cell, along).for_each(|target| entered[target] += 1);
        }
        (0..self.len()).all(|cell| entered[cell] <= 1) && (0..self.len()).all(|c| !cells[c] || !self.on_cycle(c, along))
    }

    fn inverse(&self, cells: &[bool], there: usize, back: usize) -> bool {
        (0..self.len())
            .filter(|cell| cells[*cell])
            .all(|cell| self.links[cell][there].is_none_or(|target| self.links[target][back] == Some(cell)))
    }

    /// Whether a claim about the cells behind these roots holds; nothing if it cannot be about so many links.
    pub fn claim(&self, kind: ShapeKind, roots: &[Option<usize>]) -> Option<bool> {
        let links = self.all_links();
        if self.is_empty() {
            return match kind {
                ShapeKind::Cyclic | ShapeKind::Reach => None,
                _ => Some(true),
            };
        }
        let definition = kind.definition(&links)?;
        let cells = self.reached(roots.first().copied().flatten(), definition.along);
        let mut holds = true;
        for clause in &definition.clauses {
            holds &= match clause {
                ShapeClause::Acyclic => {
                    (0..self.len()).all(|cell| !cells[cell] || !self.on_cycle(cell, definition.along))
                }
                ShapeClause::Cyclic => {
                    roots.first().copied().flatten().is_some_and(|c| self.on_cycle(c, definition.along))
                }
                ShapeClause::EnteredOnce => self.entered_once(&cells, definition.along),
                ShapeClause::Inverse { there, back } => self.inverse(&cells, *there, *back),
                ShapeClause::Reaches | ShapeClause::Disjoint => return None,
            };
        }
        Some(holds)
    }

    /// Whether all cells satisfy an invariant of a class, with these links in its roles.
    fn satisfies(&self, invariant: Invariant, roles: &[Vec<usize>]) -> bool {
        let all = vec![true; self.len()];
        match invariant {
            Invariant::Acyclic(role) => (0..self.len()).all(|cell| !self.on_cycle(cell, &roles[role])),
            Invariant::Cyclic(role) => (0..self.len()).all(|cell| self.on_cycle(cell, &roles[role])),
            Invariant::Tree(role) => self.entered_once(&all, &roles[role]),
            Invariant::Inverse(there, back) => {
                let mut pairs = roles[there].iter().flat_map(|there| roles[back].iter().map(move |back| (there, back)));
                let there_and_back = pairs.all(|(there, back)| self.inverse(&all, *there, *back));
                // Back leads nowhere else.
                let back_and_there = roles[back].iter().all(|back| {
                    (0..self.len()).all(|cell| {
                        self.links[cell][*back].is_none_or(|target| {
                            roles[there].iter().any(|link| self.links[target][*link] == Some(cell))
                        })
                    })
                });
                there_and_back && back_and_there
            }
        }
    }
}

/// Heaps behind one pointer, as runs have built them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Samples {
    /// The different heaps, each with its root at position 0.
    pub graphs: Vec<Graph>,
}

/// A class that fits samples, and which links have its roles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recognised {
    /// The class.
    pub class: ClassId,
    /// The links of each role, by position.
    pub roles: Vec<Vec<usize>>,
}

impl Samples {
    /// The finest class of a library whose invariants hold of all samples, with a role for every link that is used.
    pub fn recognise(&self, library: &ClassLibrary) -> Option<Recognised> {
        let n_links = self.graphs.first()?.all_links().len();
        let is_used = |link: usize| self.graphs.iter().any(|g| g.links.iter().any(|links| links[link].is_some()));
        let used: Vec<usize> = (0..n_links).filter(|link| is_used(*link)).collect();
        for (index, class) in library.classes.iter().enumerate().rev() {
            if class.n_fields() != used.len() {
                continue;
            }
            let mut fitting: Vec<Vec<Vec<usize>>> = Vec::new();
            for order in permutations(&used) {
                let roles = in_roles(class, &order);
                let fits = |graph: &Graph| class.invariants.iter().all(|inv| graph.satisfies(*inv, &roles));
                let sorted = roles.iter().all(|role| role.is_sorted());
                if sorted && self.graphs.iter().all(fits) {
                    fitting.push(roles);
                }
            }
            // Where roles can be swapped, the first leads farther from the root.
            let distance = |roles: &Vec<Vec<usize>>| {
                let first = roles.first().map_or(&[][..], Vec::as_slice);
                let far = |graph: &Graph| graph.reached([0], first).iter().filter(|is| **is).count();
                std::cmp::Reverse(self.graphs.iter().map(far).sum::<usize>())
            };
            fitting.sort_by_key(distance);
            if let Some(roles) = fitting.into_iter().next() {
                return Some(Recognised { class: ClassId(index), roles });
            }
        }
        None
    }
}

/// Links in the roles of a class, in order.
pub fn in_roles<T: Clone>(class: &ShapeClass, links: &[T]) -> Vec<Vec<T>> {
    let mut rest = links;
    let mut roles = Vec::new();
    for role in &class.roles {
        let (own, others) = rest.split_at(role.count.min(rest.len()));
        roles.push(own.to_vec());
        rest = others;
    }
    roles
}

/// All orders of a few things.
pub fn permutations<T: Clone>(of: &[T]) -> Vec<Vec<T>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (i, first) in of.iter().enumerate() {
        let rest: Vec<T> = of.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, x)| x.clone()).collect();
        for mut order in permutations(&rest) {
            order.insert(0, first.clone());
            all.push(order);
        }
    }
    all
}

/// Chooses at random, with a favourite option per run: loops are left early in some runs and late in others.
struct Sampler {
    state: u64,
    favourite: usize,
    /// Of so many choices one is another.
    other: u64,
}

impl Sampler {
    fn new(seed: u64) -> Sampler {
        let mut sampler = Sampler { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, favourite: 0, other: 2 };
        sampler.favourite = sampler.below(2) as usize;
        sampler.other = 2 + sampler.below(7);
        sampler
    }

    /// xorshift64*.
    fn below(&mut self, n: u64) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        (self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % n.max(1)
    }
}

impl Chooser for Sampler {
    fn option(&mut self, question: Question, n: usize) -> Option<usize> {
        match question {
            Question::Allocation => Some(0),
            Question::Branch if n == 2 => {
                let is_other = self.below(self.other) == 0;
                Some(if is_other { 1 - self.favourite } else { self.favourite })
            }
            Question::Branch | Question::Input | Question::Arguments | Question::Address => {
                Some(self.below(n as u64) as usize)
            }
        }
    }

    fn value(&mut self, low: i128, high: i128, candidates: &[i128]) -> Option<i128> {
        if candidates.is_empty() || self.below(4) == 0 {
            let width = u64::try_from(high.saturating_sub(low)).unwrap_or(u64::MAX - 1).max(1);
            return Some(low.saturating_add(i128::from(self.below(width.saturating_add(1)))).min(high));
        }
        Some(candidates[self.below(candidates.len() as u64) as usize])
    }
}

/// What is sampled: for each pointer to cells that link to their own type, the heaps behind it at heads of loops and at the
/// ends of functions.
pub struct HeapSamples {
    /// By type and pointer.
    pub of: BTreeMap<(TypeId, ScalarVariable), Samples>,
}

impl HeapSamples {
    /// Runs the program until there are enough samples, or enough runs.
    ///
    /// # Errors
    /// A budget ran out.
    pub fn take(
        memory: &Memory<'_>,
        options: &Options,
        thresholds: Thresholds,
        control: &Control,
    ) -> Result<HeapSamples, Exhausted> {
        let machine_options =
            MachineOptions { allocation_failure: AllocationFailure::Never, ..MachineOptions::new(options.entry) };
        let machine = Machine::within(memory.program, machine_options, control)?;
        let places = Places::new(memory);
        let mut of: BTreeMap<(TypeId, ScalarVariable), Samples> = BTreeMap::new();
        for round in 0..thresholds.runs {
            control.check(0, 0)?;
            let mut sampler = Sampler::new(options.seed.wrapping_add(round).wrapping_add(1));
            let mut observe = |_: &Machine<'_>, state: &State| places.sample(state, thresholds, &mut of);
            run(&machine, &mut sampler, Some(&mut observe), thresholds.steps);
            let is_enough = |samples: &Samples| samples.graphs.len() >= thresholds.samples;
            if round >= 20 && !of.is_empty() && of.values().all(is_enough) {
                break;
            }
        }
        Ok(HeapSamples { of })
    }

    /// All samples of a type, whatever they hang on.
    pub fn of_type(&self, view: TypeId) -> Samples {
        let own = self.of.iter().filter(|((of, _), _)| *of == view);
        Samples { graphs: own.flat_map(|(_, samples)| samples.graphs.iter().cloned()).collect() }
    }
}

/// Where to look, and at what.
struct Places<'m, 'p> {
    memory: &'m Memory<'p>,
    at: FxHashSet<(FunctionId, LocationId)>,
    roots: FxHashMap<FunctionId, Vec<(RegisterId, TypeId)>>,
    links: FxHashMap<TypeId, Vec<FieldId>>,
}

impl<'m, 'p> Places<'m, 'p> {
    fn new(memory: &'m Memory<'p>) -> Places<'m, 'p> {
        let links: FxHashMap<TypeId, Vec<FieldId>> =
            memory.recursive_views().into_iter().map(|view| (view, memory.links_of(view))).collect();
        let (mut at, mut roots) = (FxHashSet::default(), FxHashMap::default());
        for function in &memory.functions {
            let body = &memory.program.functions[*function];
            let Some(automaton) = body.automaton() else { continue };
            at.extend(Loops::of(automaton).loops.iter().map(|found| (*function, found.head)));
            at.insert((*function, automaton.exit));
            let pointers = body.registers.iter().filter_map(|(id, register)| {
                let view = memory.program.pointee(register.ty)?;
                links.contains_key(&view).then_some((id, view))
            });
            roots.insert(*function, pointers.collect());
        }
        Places { memory, at, roots, links }
    }

    fn sample(&self, state: &State, thresholds: Thresholds, of: &mut BTreeMap<(TypeId, ScalarVariable), Samples>) {
        let Some(frame) = state.top() else { return };
        if !self.at.contains(&(frame.function, frame.location)) {
            return;
        }
        for (register, view) in self.roots.get(&frame.function).into_iter().flatten() {
            let Value::Pointer(Pointer { object, offset: 0 }) = frame.register(*register) else { continue };
            let Some(graph) = self.graph(state, object, *view) else { continue };
            let samples = of.entry((*view, ScalarVariable::Register(frame.function, *register))).or_default();
            let is_full = samples.graphs.len() >= thresholds.samples;
            if graph.len() >= thresholds.cells && !is_full && !samples.graphs.contains(&graph) {
                samples.graphs.push(graph);
            }
        }
    }

    /// The cells behind a root; nothing if some of it is no live heap cell.
    fn graph(&self, state: &State, root: ObjectId, view: TypeId) -> Option<Graph> {
        const MOST: usize = 64;
        let links = &self.links[&view];
        let heap = state.heap();
        let mut cells = vec![root];
        let mut graph = Graph { links: Vec::new() };
        while let Some(cell) = cells.get(graph.links.len()).copied() {
            let object = heap.object(cell);
            if object.kind != ObjectKind::Heap || !object.is_live_heap() || cells.len() > MOST {
                return None;
            }
            let mut row = Vec::new();
            for link in links {
                let field = &self.memory.fields[*link];
                debug_assert_eq!(field.kind, ScalarKind::Pointer);
                if field.offset + field.size > object.size {
                    return None;
                }
                row.push(match object.contents().load(field.offset, field.size) {
                    Loaded::Value(Value::Pointer(Pointer { object, offset: 0 })) => {
                        let known = cells.iter().position(|cell| *cell == object);
                        Some(known.unwrap_or_else(|| {
                            cells.push(object);
                            cells.len() - 1
                        }))
                    }
                    _ => None,
                });
            }
            graph.links.push(row);
        }
        Some(graph)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwise_shapes::classes::SHIPPED;

    fn recognised(graphs: Vec<Vec<Vec<Option<usize>>>>) -> Option<(String, Vec<Vec<usize>>)> {
        let library = ClassLibrary::parse(SHIPPED).expect("it is well-formed");
        let samples = Samples { graphs: graphs.into_iter().map(|links| Graph { links }).collect() };
        let found = samples.recognise(&library)?;
        Some((library.class(found.class).name.clone(), found.roles))
    }

    #[test]
    fn samples_tell_data_structures_of_one_type_apart() {
        let list = vec![vec![Some(1), None], vec![Some(2), Some(0)], vec![None, Some(1)]];
        assert_eq!(recognised(vec![list]), Some(("dll".to_owned(), vec![vec![0], vec![1]])));
        let tree = vec![vec![Some(1), Some(2)], vec![None, None], vec![None, None]];
        assert_eq!(recognised(vec![tree]), Some(("tree".to_owned(), vec![vec![0, 1]])));
        let one_way = vec![vec![None, Some(1)], vec![None, Some(2)], vec![None, None]];
        assert_eq!(recognised(vec![one_way]), Some(("sll".to_owned(), vec![vec![1]])));
        let ring = vec![vec![Some(1)], vec![Some(2)], vec![Some(0)]];
        assert_eq!(recognised(vec![ring]), Some(("cyclic".to_owned(), vec![vec![0]])));
        let up = vec![
            vec![Some(1), Some(2), None],
            vec![None, None, Some(0)],
            vec![Some(3), None, Some(0)],
            vec![None, None, Some(2)],
        ];
        assert_eq!(recognised(vec![up]), Some(("tree-parent".to_owned(), vec![vec![0, 1], vec![2]])));
        let shared = vec![vec![Some(1), Some(2)], vec![Some(2), None], vec![None, None]];
        assert_eq!(recognised(vec![shared]), None);
    }
}
