//! Byte offsets that a pointer may have within its region.

/// A pointer with more ranges than this is said to lie anywhere, at a stride.
const MOST_RANGES: usize = 6;

/// No object reaches farther than this: offsets beyond are not told apart.
const FARTHEST: u64 = 1 << 40;

/// A range of so many offsets may grow by one; from there on it doubles.
const MOST_GROWN_BY_ONE: u64 = 64;

/// A range that grows over so many has no bounds.
const MOST_GROWN: u64 = 1 << 20;

/// How many offsets a range has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Count {
    /// So many, from the start upwards; at least one.
    Exactly(u64),
    /// All that are a multiple of the stride away from the start, on both sides.
    Unbounded,
}

/// The offsets `start + k * stride`, and up to `slack` bytes behind each of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Range {
    /// The first offset, or any one of an unbounded range.
    pub start: i64,
    /// The bytes between two of them; 0 if there is one.
    pub stride: u64,
    /// How many.
    pub count: Count,
    /// Flag bits that may be set in the low bits of the address: one less than a power of two. The pointer lies up to so many
    /// bytes further, in the same block of that many bytes.
    pub slack: u16,
    /// The last one is the end of an array, which has an address but is not accessed.
    pub past_end: bool,
}

impl Range {
    /// One offset.
    pub const fn exact(start: i64) -> Range {
        Range { start, stride: 0, count: Count::Exactly(1), slack: 0, past_end: false }
    }

    /// Any multiple of the stride away from `start`.
    pub const fn anywhere(start: i64, stride: u64) -> Range {
        Range { start, stride, count: Count::Unbounded, slack: 0, past_end: false }
    }

    /// The elements of an array.
    pub fn elements(start: i64, stride: u64, count: u64) -> Range {
        match (stride, count) {
            (0, _) | (_, 0 | 1) => Range::exact(start),
            (_, _) => Range { start, stride, count: Count::Exactly(count), slack: 0, past_end: false },
        }
    }

    /// Whether it is one offset, perhaps with flag bits.
    pub fn is_exact(self) -> bool {
        self.count == Count::Exactly(1)
    }

    /// The same offsets, in coordinates that are `by` bytes apart.
    pub fn shifted(self, by: i64) -> Range {
        Range { start: self.start.wrapping_add(by), ..self }
    }

    /// With some of these low bits set.
    pub fn with_flags(self, bits: u16) -> Range {
        let all = (self.slack.max(bits) + 1).next_power_of_two() - 1;
        Range { slack: all, past_end: false, ..self }
    }

    /// The same offsets without flag bits: those behind are listed.
    fn without_flags(self) -> Range {
        match (self.slack, self.is_exact()) {
            (0, _) => self,
            (slack, true) => Range::elements(self.start, 1, u64::from(slack) + 1),
            (_, false) => Range::anywhere(self.start, 1),
        }
    }

    /// All sums of two offsets.
    pub fn plus(self, other: Range) -> Range {
        if other == Range::exact(0) {
            return self;
        }
        if self.slack > 0 || other.slack > 0 {
            return self.without_flags().plus(other.without_flags());
        }
        let start = self.start.wrapping_add(other.start);
        let (slack, past_end) = (0, false);
        let stride = gcd(self.stride, other.stride);
        match (self.count, other.count) {
            (Count::Unbounded, _) | (_, Count::Unbounded) => {
                Range { start, stride, count: Count::Unbounded, slack, past_end: false }
            }
            (Count::Exactly(left), Count::Exactly(right)) => {
                if stride == 0 {
                    return Range { start, stride: 0, count: Count::Exactly(1), slack, past_end };
                }
                let span = |range: Range, count: u64| (range.stride / stride).checked_mul(count - 1);
                let count = span(self, left).zip(span(other, right)).and_then(|(left, right)| {
                    let count = left.checked_add(right)?.checked_add(1)?;
                    // What reaches over half the address space is anywhere.
                    (count.checked_mul(stride)? < 1 << 62).then_some(count)
                });
                match count {
                    Some(count) => Range { start, stride, count: Count::Exactly(count), slack, past_end },
                    None => Range { start, stride, count: Count::Unbounded, slack, past_end: false },
                }
            }
        }
    }

    /// All differences of two offsets.
    pub fn minus(self, other: Range) -> Range {
        let low = match other.count {
            Count::Exactly(count) => other.start.wrapping_add((other.stride.wrapping_mul(count - 1)) as i64),
            Count::Unbounded => other.start,
        };
        self.plus(Range { start: low.wrapping_neg(), ..other })
    }

    /// Whether every offset of `other` is one of these.
    pub fn covers(self, other: Range) -> bool {
        if self.slack < other.slack || (self.past_end && !other.past_end && self.count == other.count) {
            return false;
        }
        let distance = other.start.wrapping_sub(self.start);
        let fits = |bytes: i64| if self.stride == 0 { bytes == 0 } else { bytes.rem_euclid(self.stride as i64) == 0 };
        if !fits(distance) || !fits(other.stride as i64) && !other.is_exact() {
            return false;
        }
        match (self.count, other.count) {
            (Count::Unbounded, _) => true,
            (Count::Exactly(_), Count::Unbounded) => false,
            (Count::Exactly(mine), Count::Exactly(theirs)) => {
                let last = self.stride.wrapping_mul(mine - 1) as i64;
                let their_last = distance.wrapping_add(other.stride.wrapping_mul(theirs - 1) as i64);
                distance >= 0 && their_last <= last
            }
        }
    }

    /// The range that stands for one that reaches farther than any object: a pointer there may come back by what is added next.
    fn near(self) -> Range {
        let reach = |count: u64| self.stride.saturating_mul(count);
        match self.count {
            _ if self.stride > FARTHEST => Range { slack: self.slack, ..Range::anywhere(0, 1) },
            Count::Unbounded if self.start.unsigned_abs() > FARTHEST => {
                Range { start: self.start.rem_euclid(self.stride.max(1) as i64), ..self }
            }
            Count::Exactly(_) if self.start.unsigned_abs() > FARTHEST => {
                Range { slack: self.slack, ..Range::anywhere(0, 1) }
            }
            Count::Exactly(count) if reach(count - 1) > FARTHEST => {
                Range { count: Count::Unbounded, past_end: false, ..self }
            }
            Count::Exactly(_) | Count::Unbounded => self,
        }
    }

    /// The range that stands for one that grew: a pointer that walks by one of several steps gets a little further each time.
    fn grown(self) -> Range {
        match self.count {
            Count::Exactly(count) if count <= MOST_GROWN_BY_ONE => self,
            Count::Exactly(count) if count <= MOST_GROWN => {
                Range { count: Count::Exactly(count.next_power_of_two()), past_end: false, ..self }
            }
            Count::Exactly(_) | Count::Unbounded => Range { count: Count::Unbounded, past_end: false, ..self },
        }
    }

    /// Whether this offset is one of these.
    pub fn contains(self, offset: i64) -> bool {
        (0..=i64::from(self.slack)).any(|slack| {
            let plain = Range { slack: 0, past_end: false, ..self };
            plain.covers(Range::exact(offset.wrapping_sub(slack)))
        })
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.count, self.stride) {
            (Count::Exactly(1), _) => write!(f, "{}", self.start)?,
            (Count::Exactly(count), stride) => {
                write!(f, "{}+{stride}*{}", self.start, count - u64::from(self.past_end))?
            }
            (Count::Unbounded, 1) => f.write_str("?")?,
            (Count::Unbounded, stride) => write!(f, "{}+{stride}*?", self.start.rem_euclid(stride.max(1) as i64))?,
        }
        if self.slack > 0 {
            write!(f, "|{}", self.slack)?;
        }
        Ok(())
    }
}

/// The offsets of a pointer: a few ranges. Nearly always it is one offset, which takes little room.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Offsets(Ranges);

#[derive(Clone, PartialEq, Eq, Default, Debug)]
enum Ranges {
    #[default]
    Nothing,
    /// `Range::exact` of this.
    Exact(i64),
    #[expect(clippy::box_collection, reason = "a vector is three words, and few pointers have one")]
    Several(Box<Vec<Range>>),
}

impl Offsets {
    /// One offset.
    pub const fn at(offset: i64) -> Offsets {
        Offsets(Ranges::Exact(offset))
    }

    /// The ranges, in the order they came.
    pub fn iter(&self) -> impl Iterator<Item = Range> + '_ {
        let (one, several) = match &self.0 {
            Ranges::Nothing => (None, &[][..]),
            Ranges::Exact(start) => (Some(Range::exact(*start)), &[][..]),
            Ranges::Several(ranges) => (None, ranges.as_slice()),
        };
        one.into_iter().chain(several.iter().copied())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// The offset, if there is one only, without flag bits.
    pub fn exact(&self) -> Option<i64> {
        match &self.0 {
            Ranges::Nothing => None,
            Ranges::Exact(start) => Some(*start),
            Ranges::Several(ranges) => match ranges.as_slice() {
                [range] if range.is_exact() && range.slack == 0 => Some(range.start),
                _ => None,
            },
        }
    }

    /// Where the first range begins.
    pub(crate) fn first(&self) -> Option<i64> {
        match &self.0 {
            Ranges::Nothing => None,
            Ranges::Exact(start) => Some(*start),
            Ranges::Several(ranges) => ranges.first().map(|range| range.start),
        }
    }

    /// Adds a range; whether that added an offset. Too many ranges become one without bounds, and a range that grows does so a
    /// limited number of times.
    pub fn insert(&mut self, range: Range) -> bool {
        let mut range = range.near();
        let ranges = match &mut self.0 {
            Ranges::Nothing => {
                let is_exact = range == Range::exact(range.start);
                self.0 = if is_exact { Ranges::Exact(range.start) } else { Ranges::Several(Box::new(vec![range])) };
                return true;
            }
            Ranges::Exact(start) if Range::exact(*start).covers(range) => return false,
            Ranges::Exact(start) => {
                self.0 = Ranges::Several(Box::new(vec![Range::exact(*start)]));
                return self.insert(range);
            }
            Ranges::Several(ranges) => ranges,
        };
        if ranges.iter().any(|known| known.covers(range)) {
            return false;
        }
        if ranges.iter().any(|known| !known.is_exact() && known.count < range.count && range.covers(*known)) {
            range = range.grown();
        }
        ranges.retain(|known| !range.covers(*known));
        ranges.push(range);
        if ranges.len() > MOST_RANGES {
            let first = ranges[0];
            let mut stride = 0;
            let mut slack = 0;
            for range in ranges.iter() {
                stride = gcd(stride, gcd(range.stride, range.start.abs_diff(first.start)));
                slack = slack.max(range.slack);
            }
            **ranges = vec![Range { slack, ..Range::anywhere(first.start, stride.max(1)) }];
        }
        true
    }

    /// The same offsets, in coordinates that are `by` bytes apart.
    pub fn shifted(&self, by: i64) -> Offsets {
        Offsets(match &self.0 {
            Ranges::Nothing => Ranges::Nothing,
            Ranges::Exact(start) => Ranges::Exact(start.wrapping_add(by)),
            Ranges::Several(ranges) => {
                Ranges::Several(Box::new(ranges.iter().map(|range| range.shifted(by)).collect()))
            }
        })
    }

    /// Whether this offset is one of these.
    pub fn contains(&self, offset: i64) -> bool {
        self.iter().any(|range| range.contains(offset))
    }

    /// The low bits that may be set in addition.
    pub fn slack(&self) -> u16 {
        self.iter().map(|range| range.slack).max().unwrap_or(0)
    }
}

impl std::fmt::Display for Offsets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut ranges: Vec<Range> = self.iter().collect();
        ranges.sort_unstable();
        for (index, range) in ranges.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            write!(f, "{range}")?;
        }
        Ok(())
    }
}

/// The greatest common divisor; of 0 and a number, the number.
pub(crate) fn gcd(mut left: u64, mut right: u64) -> u64 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

#[cfg(test)]
mod tests {
    use super::{Offsets, Range};

    #[test]
    fn sums_of_ranges_hold_all_sums() {
        let ranges = [
            Range::exact(3),
            Range::exact(-8),
            Range::elements(8, 4, 3),
            Range::elements(0, 6, 2),
            Range::anywhere(1, 8),
        ];
        for left in ranges {
            for right in ranges {
                let (sum, difference) = (left.plus(right), left.minus(right));
                for a in (-60..60).filter(|a| left.contains(*a)) {
                    for b in (-60..60).filter(|b| right.contains(*b)) {
                        assert!(sum.contains(a + b), "{left} + {right} = {sum}: {a} + {b}");
                        assert!(difference.contains(a - b), "{left} - {right} = {difference}: {a} - {b}");
                    }
                }
            }
        }
    }

    #[test]
    fn covering_is_inclusion() {
        let mut ranges = vec![Range::anywhere(2, 4), Range::anywhere(0, 1)];
        for start in 0..4 {
            for stride in 0..4 {
                for count in 1..4 {
                    ranges.push(Range::elements(start, stride, count));
                }
            }
        }
        for left in &ranges {
            for right in &ranges {
                let is_inside = (-30..30).filter(|offset| right.contains(*offset)).all(|offset| left.contains(offset));
                assert!(!left.covers(*right) || is_inside, "{left} covers {right}");
            }
        }
    }

    #[test]
    fn a_pointer_that_walks_lies_anywhere_at_its_stride() {
        let mut offsets = Offsets::at(8);
        let mut steps = 0;
        while offsets.insert(offsets.iter().last().expect("one is there").plus(Range::exact(16))) {
            steps += 1;
            assert!(steps < 20);
        }
        assert_eq!(offsets.to_string(), "8+16*?");
        assert!(offsets.contains(8 + 16 * 1000) && !offsets.contains(0));
    }

    #[test]
    fn offsets_beyond_any_object_are_anywhere() {
        for far in [i64::MAX - 15, i64::MIN, -(1 << 41), 1 << 62] {
            let mut offsets = Offsets::default();
            offsets.insert(Range::exact(far));
            assert_eq!(offsets.to_string(), "?");
            let mut offsets = Offsets::default();
            offsets.insert(Range::anywhere(far, 24));
            assert!(offsets.contains(far.rem_euclid(24)), "{offsets}");
        }
        let mut offsets = Offsets::default();
        offsets.insert(Range::elements(8, 16, 1 << 50));
        assert_eq!(offsets.to_string(), "8+16*?");
    }

    #[test]
    fn a_pointer_that_walks_by_one_of_several_steps_arrives() {
        for steps in [Range::elements(0, 8, 2), Range::elements(-8, 8, 2), Range::elements(-24, 8, 5)] {
            let mut offsets = Offsets::at(8);
            let step = |offsets: &mut Offsets| {
                let before: Vec<Range> = offsets.iter().collect();
                before.into_iter().filter(|range| offsets.insert(range.plus(steps))).count() > 0
            };
            let rounds = (0..200).take_while(|_| step(&mut offsets)).count();
            assert!(rounds < 200);
            assert_eq!(offsets.to_string(), "0+8*?");
        }
    }
}
