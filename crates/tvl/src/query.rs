//! Conjunctive queries: E(…) (L₁ & … & Lₙ) over one bound of relations, answered by search instead of tables.
//!
//! A bound of a formula (where it *may* hold, where it *must*) is 2-valued, so a conjunction under existential quantifiers is a
//! join of bit relations. Each variable has a word of candidates. One variable after the other is given an individual, the
//! candidates of its neighbours shrink by a row of each relation between them, and the last one is not searched: its
//! word is the answer. What has no candidate is given up at once: most rules end before the first step.

use crate::structure::{Mask, Structure, members, universe};
use crate::vocabulary::{ACTIVE, Arity, PredicateIndex};
use smallvec::SmallVec;

/// One of the two bounds of a 3-valued relation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Bound {
    /// Where it is not 0.
    May = 0,
    /// Where it is 1.
    Must = 1,
}

impl Bound {
    /// The bound of a formula that decides this bound of its negation.
    pub(crate) fn of_negation(self) -> Bound {
        match self {
            Bound::May => Bound::Must,
            Bound::Must => Bound::May,
        }
    }
}

/// A table that a program fills: one bound of a subformula, the last dimension along the bits of a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct TableId {
    /// Its number among those of its size.
    pub(crate) index: usize,
    /// How many individuals it speaks of.
    pub(crate) dimensions: usize,
    /// The operation that fills it.
    pub(crate) operation: usize,
}

/// Where one bound of a relation is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Source {
    /// A predicate of the structure.
    Predicate(Arity, usize, Bound),
    /// Equality of individuals.
    Equality(Bound),
    /// A table.
    Table(TableId),
}

impl Source {
    pub(crate) fn predicate(slot: PredicateIndex, bound: Bound) -> Source {
        Source::Predicate(slot.arity, slot.index, bound)
    }
}

/// What stands at a place of a literal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Term {
    /// A variable of the query: first the outputs, then what is quantified.
    Variable(usize),
    /// An individual that is given when the query is asked.
    Parameter(usize),
}

/// A relation of terms, or its complement.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Literal {
    pub(crate) source: Source,
    pub(crate) sign: Sign,
    pub(crate) terms: SmallVec<[Term; 2]>,
}

/// Whether a relation or its complement is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Sign {
    /// The relation.
    Positive,
    /// Its complement.
    Negative,
}

impl Sign {
    pub(crate) fn negated(self) -> Sign {
        match self {
            Sign::Positive => Sign::Negative,
            Sign::Negative => Sign::Positive,
        }
    }

    #[inline]
    pub(crate) fn flip(self) -> Mask {
        match self {
            Sign::Positive => 0,
            Sign::Negative => !0,
        }
    }
}

/// A query before it is prepared.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Conjunction {
    /// How many variables are free: the dimensions of the answer.
    pub(crate) outputs: usize,
    /// How many there are in all.
    pub(crate) variables: usize,
    /// Whether quantified variables run over what may exist or over what surely does.
    pub(crate) range: Bound,
    /// What must hold; nothing does if this is `None`.
    pub(crate) literals: Option<Vec<Literal>>,
}

/// More variables than this are not searched for at once.
pub(crate) const MAX_VARIABLES: usize = 8;

pub(crate) type Candidates = [Mask; MAX_VARIABLES];

/// A conjunction, prepared.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    outputs: usize,
    variables: usize,
    range: Bound,
    impossible: bool,
    /// Facts without variables, and facts about one variable, that the structure itself answers; what holds of few comes first.
    guards: Vec<(Source, Sign)>,
    units: Vec<Unit>,
    /// The same, of tables: they are filled only if the structure leaves candidates.
    pub(crate) table_guards: Vec<(TableId, Sign)>,
    pub(crate) table_units: Vec<(usize, TableId, Sign)>,
    /// Other tables that are read.
    pub(crate) tables: Vec<TableId>,
    /// Facts about a parameter, one variable twice, or more than two.
    others: Vec<(Literal, u32)>,
    by_variable: Vec<Neighbourhood>,
    /// Which variable is tried first, if none has a single candidate.
    order: Vec<usize>,
    /// Everything that is read.
    pub(crate) sources: Vec<Source>,
}

/// A fact about one variable that the structure answers: a bound of a unary predicate, or its complement.
#[derive(Clone, Copy, Debug)]
struct Unit {
    variable: usize,
    /// Where its word is among those of unary predicates.
    at: usize,
    sign: Sign,
}

/// What depends on a variable.
#[derive(Clone, Default, Debug)]
struct Neighbourhood {
    links: Vec<Link>,
    /// The variables that literals of several variables mention beside it.
    variables: u32,
    others: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Link {
    source: Source,
    sign: Sign,
    to: usize,
    direction: Direction,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Direction {
    /// The variable comes first, the neighbour runs along the row.
    Along,
    /// The neighbour comes first.
    Against,
}

/// What queries read.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) structure: &'a Structure,
    pub(crate) memory: &'a Memory,
    pub(crate) parameters: &'a [usize],
}

/// The tables of a program.
#[derive(Default, Debug)]
pub(crate) struct Memory {
    size: usize,
    words: Vec<u64>,
    rows: Vec<u64>,
    large: Vec<Vec<u64>>,
}

impl Memory {
    /// Makes room for so many tables of each size, over `size` individuals.
    pub(crate) fn prepare(&mut self, size: usize, words: usize, rows: usize, large: usize) {
        self.size = size;
        if self.words.len() < words {
            self.words.resize(words, 0);
        }
        if self.rows.len() < rows * size {
            self.rows.resize(rows * size, 0);
        }
        if self.large.len() < large {
            self.large.resize(large, Vec::new());
        }
    }

    /// How many words a table of so many dimensions has.
    pub(crate) fn table_words(dimensions: usize, size: usize) -> usize {
        match dimensions {
            0 | 1 => 1,
            2 => size,
            k => size.saturating_pow(u32::try_from(k - 1).unwrap_or(u32::MAX)),
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    #[inline]
    pub(crate) fn word(&self, table: TableId, row: usize) -> u64 {
        match table.dimensions {
            0 | 1 => self.words[table.index],
            2 => self.rows[table.index * self.size + row],
            _ => self.large[table.index][row],
        }
    }

    /// The rows of a table of two dimensions.
    #[inline]
    fn rows_of(&self, table: TableId) -> &[u64] {
        &self.rows[table.index * self.size..][..self.size]
    }

    /// Overwrites a word of a table of at most two dimensions.
    pub(crate) fn set_word(&mut self, table: TableId, row: usize, word: u64) {
        match table.dimensions {
            0 | 1 => self.words[table.index] = word,
            2 => self.rows[table.index * self.size + row] = word,
            _ => debug_assert!(false, "no predicate has more than two arguments"),
        }
    }

    /// Overwrites a table.
    pub(crate) fn store(&mut self, table: TableId, words: &[u64]) {
        match table.dimensions {
            0 | 1 => self.words[table.index] = words[0],
            2 => {
                let start = table.index * self.size;
                self.rows[start..start + self.size].copy_from_slice(words);
            }
            _ => {
                let large = &mut self.large[table.index];
                large.clear();
                large.extend_from_slice(words);
            }
        }
    }
}

impl<'a> Context<'a> {
    pub(crate) fn new(structure: &'a Structure, memory: &'a Memory, parameters: &'a [usize]) -> Context<'a> {
        Context { structure, memory, parameters }
    }

    /// The rows of a relation between two, if they are stored.
    #[inline]
    fn rows(&self, source: Source) -> Option<&[u64]> {
        match source {
            Source::Predicate(Arity::Binary, index, bound) => {
                let (may, must) = self.structure.rows(index);
                Some(match bound {
                    Bound::May => may,
                    Bound::Must => must,
                })
            }
            Source::Table(table) if table.dimensions == 2 => Some(self.memory.rows_of(table)),
            Source::Predicate(..) | Source::Table(_) | Source::Equality(_) => None,
        }
    }

    /// A word of a relation: the row of a binary one, the whole of a smaller one (`row` is 0 then).
    #[inline(always)]
    pub(crate) fn word(&self, source: Source, row: usize) -> u64 {
        match source {
            Source::Predicate(Arity::Unary, index, bound) => self.structure.unary_word(index, bound as usize),
            Source::Predicate(Arity::Binary, index, bound) => self.structure.row_word(index, bound as usize, row),
            Source::Table(table) => self.memory.word(table, row),
            Source::Equality(Bound::May) => 1 << row,
            Source::Equality(Bound::Must) => 1 << row & !self.structure.summaries(),
            Source::Predicate(Arity::Nullary, index, bound) => {
                let value = self.structure.nullary(index);
                match bound {
                    Bound::May => u64::from(value.may()),
                    Bound::Must => u64::from(value.must()),
                }
            }
        }
    }
}

impl Query {
    /// Prepares a conjunction.
    pub(crate) fn new(conjunction: &Conjunction) -> Query {
        let Conjunction { outputs, variables, range, literals } = conjunction;
        let mut query = Query {
            outputs: *outputs,
            variables: *variables,
            range: *range,
            impossible: literals.is_none(),
            guards: Vec::new(),
            units: Vec::new(),
            table_guards: Vec::new(),
            table_units: Vec::new(),
            tables: Vec::new(),
            others: Vec::new(),
            by_variable: vec![Neighbourhood::default(); *variables],
            order: Vec::new(),
            sources: literals.iter().flatten().map(|literal| literal.source).collect(),
        };
        for literal in literals.iter().flatten() {
            query.add(literal);
        }
        // What holds of few individuals, and of none most of the time, goes first.
        query.guards.sort_by_key(|(_, sign)| *sign);
        query.units.sort_by_key(|unit| unit.sign);
        // What is known best goes first; the last output is read off as a word.
        let mut order: Vec<usize> = (0..*variables).collect();
        let known = |v: &usize| {
            let units = query.units.iter().filter(|u| u.variable == *v && u.sign == Sign::Positive).count();
            units + query.table_units.iter().filter(|(u, _, sign)| u == v && *sign == Sign::Positive).count()
        };
        order.sort_by_key(|v| (outputs.checked_sub(1) == Some(*v), std::cmp::Reverse(known(v))));
        query.order = order;
        query.tables.sort_unstable();
        query.tables.dedup();
        query
    }

    fn add(&mut self, literal: &Literal) {
        let Literal { source, sign, terms } = literal;
        if let Source::Table(table) = source
            && !matches!(terms.as_slice(), [] | [Term::Variable(_)])
        {
            self.tables.push(*table);
        }
        match (terms.as_slice(), source) {
            ([], Source::Table(table)) => self.table_guards.push((*table, *sign)),
            ([], _) => self.guards.push((*source, *sign)),
            ([Term::Variable(v)], Source::Table(table)) => self.table_units.push((*v, *table, *sign)),
            ([Term::Variable(v)], Source::Predicate(Arity::Unary, index, bound)) => {
                self.units.push(Unit { variable: *v, at: 2 * index + *bound as usize, sign: *sign });
            }
            ([Term::Variable(a), Term::Variable(b)], _) if a != b => {
                let link = |to: usize, direction| Link { source: *source, sign: *sign, to, direction };
                self.by_variable[*a].links.push(link(*b, Direction::Along));
                self.by_variable[*b].links.push(link(*a, Direction::Against));
                self.by_variable[*a].variables |= 1 << b;
                self.by_variable[*b].variables |= 1 << a;
            }
            _ => {
                let mentioned = terms.iter().fold(0u32, |mask, term| match term {
                    Term::Variable(v) => mask | 1 << v,
                    Term::Parameter(_) => mask,
                });
                for v in 0..self.variables {
                    if mentioned >> v & 1 == 1 {
                        self.by_variable[v].others.push(self.others.len());
                        self.by_variable[v].variables |= mentioned & !(1 << v);
                    }
                }
                self.others.push((literal.clone(), mentioned));
            }
        }
    }

    /// Puts what the structure itself leaves for each variable into `candidates`; `false` if there is nothing for one of them.
    #[inline]
    pub(crate) fn candidates(&self, context: Context<'_>, candidates: &mut Candidates) -> bool {
        if self.impossible || self.guards.iter().any(|(s, sign)| (context.word(*s, 0) ^ sign.flip()) & 1 == 0) {
            return false;
        }
        let structure = context.structure;
        let full = structure.universe();
        *candidates = [full; MAX_VARIABLES];
        if self.outputs < self.variables {
            let range = structure.unary_word(ACTIVE, self.range as usize) & full;
            if range == 0 {
                return false;
            }
            if range != full {
                candidates[self.outputs..self.variables].fill(range);
            }
        }
        if full == 0 && self.variables > 0 {
            return false;
        }
        let words = structure.unary_words();
        for unit in &self.units {
            let left = &mut candidates[unit.variable];
            *left &= words[unit.at] ^ unit.sign.flip();
            if *left == 0 {
                return false;
            }
        }
        true
    }

    /// Adds the answer to `out`, which has the words of a table of its dimensions, and says whether there is any. `candidates` are
    /// those that facts about single variables leave, at least one each.
    pub(crate) fn answer(&self, context: Context<'_>, candidates: &mut Candidates, out: &mut [u64]) -> bool {
        let size = context.structure.size();
        if self.outputs > MAX_VARIABLES {
            out.fill(universe(size));
            return true;
        }
        if self.others.is_empty() && self.variables < 2 {
            // Nothing is left to try.
            out[0] |= if self.outputs == 1 { candidates[0] } else { 1 };
            return true;
        }
        let mut search = Search { query: self, context, out, size, chosen: [0; MAX_VARIABLES] };
        if let [first, second] = self.order.as_slice()
            && self.others.is_empty()
            && self.by_variable[*first].variables != 0
        {
            let one = |v: &usize| candidates[*v].is_power_of_two();
            let (pick, last) = if !one(first) && one(second) { (*second, *first) } else { (*first, *second) };
            return search.pair(candidates, pick, last);
        }
        let open = (1u32 << self.variables) - 1;
        for (literal, mentioned) in &self.others {
            if !search.restrict(literal, *mentioned, open, candidates) {
                return false;
            }
        }
        search.solve(candidates, open)
    }
}

struct Search<'a, 'c> {
    query: &'a Query,
    context: Context<'c>,
    out: &'a mut [u64],
    size: usize,
    chosen: [usize; MAX_VARIABLES],
}

impl Search<'_, '_> {
    /// Tries the open variables, each of which has a candidate.
    fn solve(&mut self, candidates: &Candidates, mut open: u32) -> bool {
        let query = self.query;
        let mut pick = None;
        let mut single = false;
        for v in &query.order {
            if open >> v & 1 == 0 {
                continue;
            }
            if *v >= query.outputs && query.by_variable[*v].variables & open == 0 {
                // Any candidate will do.
                open &= !(1 << v);
                continue;
            }
            if !single {
                let one = candidates[*v].is_power_of_two();
                if one || pick.is_none() {
                    pick = Some(*v);
                    single = one;
                }
            }
        }
        let Some(pick) = pick else {
            self.found();
            return true;
        };
        let rest = open & !(1 << pick);
        if rest == 0 {
            return self.last(pick, candidates[pick]);
        }
        if rest.is_power_of_two() && query.others.is_empty() {
            return self.pair(candidates, pick, rest.trailing_zeros() as usize);
        }
        // If only quantified variables are left, one answer is enough.
        let one_is_enough = open & ((1 << query.outputs) - 1) == 0;
        let mut any = false;
        'candidate: for individual in members(candidates[pick]) {
            let mut next = *candidates;
            self.chosen[pick] = individual;
            for link in &query.by_variable[pick].links {
                if rest >> link.to & 1 == 0 {
                    continue;
                }
                next[link.to] &= self.linked(link, individual, next[link.to]);
                if next[link.to] == 0 {
                    continue 'candidate;
                }
            }
            for other in &query.by_variable[pick].others {
                let (literal, mentioned) = &query.others[*other];
                if !self.restrict(literal, *mentioned, rest, &mut next) {
                    continue 'candidate;
                }
            }
            if self.solve(&next, rest) {
                any = true;
                if one_is_enough {
                    return true;
                }
            }
        }
        any
    }

    /// Two variables are left, `pick` and `last`, and links between them.
    fn pair(&mut self, candidates: &Candidates, pick: usize, last: usize) -> bool {
        let query = self.query;
        let one_is_enough = pick >= query.outputs && last >= query.outputs;
        let mut any = false;
        for individual in members(candidates[pick]) {
            let mut left = candidates[last];
            for link in &query.by_variable[pick].links {
                if link.to == last {
                    left &= self.linked(link, individual, left);
                }
            }
            if left != 0 {
                self.chosen[pick] = individual;
                self.last(last, left);
                any = true;
                if one_is_enough {
                    break;
                }
            }
        }
        any
    }

    /// The candidates of a link's end that the individual is linked with.
    #[inline(always)]
    fn linked(&self, link: &Link, individual: usize, candidates: Mask) -> Mask {
        let flip = link.sign.flip();
        match link.direction {
            Direction::Along => self.context.word(link.source, individual) ^ flip,
            Direction::Against => match self.context.rows(link.source) {
                Some(rows) => {
                    let (mut column, mut left) = (0, candidates);
                    while left != 0 {
                        let row = left.trailing_zeros() as usize;
                        column |= ((rows[row] ^ flip) >> individual & 1) << row;
                        left &= left - 1;
                    }
                    column
                }
                None => members(candidates).fold(0, |column, row| {
                    column | ((self.context.word(link.source, row) ^ flip) >> individual & 1) << row
                }),
            },
        }
    }

    /// All variables but `v` have an individual or need none.
    fn last(&mut self, v: usize, candidates: Mask) -> bool {
        if v >= self.query.outputs {
            self.found();
        } else if v + 1 == self.query.outputs {
            let row = self.row();
            self.out[row] |= candidates;
        } else {
            for individual in members(candidates) {
                self.chosen[v] = individual;
                self.found();
            }
        }
        true
    }

    fn found(&mut self) {
        match self.query.outputs {
            0 => self.out[0] |= 1,
            k => {
                let row = self.row();
                self.out[row] |= 1 << self.chosen[k - 1];
            }
        }
    }

    /// The word of the answer that the chosen individuals lead to.
    fn row(&self) -> usize {
        let last = self.query.outputs.saturating_sub(1);
        self.chosen[..last].iter().fold(0, |row, individual| row * self.size + individual)
    }

    /// Uses a literal of which at most one variable is open. `false`: it leaves nothing.
    fn restrict(&mut self, literal: &Literal, mentioned: u32, open: u32, candidates: &mut Candidates) -> bool {
        let left = mentioned & open;
        if left == 0 {
            return self.holds(literal);
        }
        if !left.is_power_of_two() {
            return true;
        }
        let v = left.trailing_zeros() as usize;
        let mut kept = 0;
        for individual in members(candidates[v]) {
            self.chosen[v] = individual;
            kept |= u64::from(self.holds(literal)) << individual;
        }
        candidates[v] = kept;
        kept != 0
    }

    fn holds(&self, literal: &Literal) -> bool {
        let (mut row, mut bit) = (0, 0);
        for (i, term) in literal.terms.iter().enumerate() {
            if i > 0 {
                row = row * self.size + bit;
            }
            bit = match term {
                Term::Variable(v) => self.chosen[*v],
                Term::Parameter(p) => self.context.parameters[*p],
            };
        }
        (self.context.word(literal.source, row) ^ literal.sign.flip()) >> bit & 1 == 1
    }
}
