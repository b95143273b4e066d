//! Byte ranges of places within the text of their source, robust against places that the text does not have.

use crate::report::Place;
use std::ops::Range;

/// A text with an index of its lines.
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str) -> Lines<'t> {
        let starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1))
            .collect();
        Lines { text, starts }
    }

    /// The line of that number (from 1) without its end, if the text has it.
    pub(crate) fn line(&self, number: u32) -> Option<&'t str> {
        let range = self.line_range(number)?;
        Some(&self.text[range])
    }

    fn line_range(&self, number: u32) -> Option<Range<usize>> {
        let index = (number as usize).checked_sub(1)?;
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).map_or(self.text.len(), |next| next - 1);
        let end = if self.text[start..end].ends_with('\r') { end - 1 } else { end };
        Some(start..end)
    }

    /// The bytes of a place, clipped to its first line: an excerpt marks where a statement starts, and a `for` with
    /// its whole body under it would bury that.
    pub(crate) fn range(&self, place: Place) -> Option<Range<usize>> {
        let line = self.line_range(place.line)?;
        let start = self.boundary(line.start + place.column.saturating_sub(1) as usize, &line);
        let end = if place.end_line == place.line {
            self.boundary(line.start + place.end_column.saturating_sub(1) as usize, &line)
        } else {
            line.end
        };
        Some(start..end.max(start))
    }

    /// The closest character boundary at or before `at` within `line`.
    fn boundary(&self, at: usize, line: &Range<usize>) -> usize {
        let mut at = at.clamp(line.start, line.end);
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// The text of lines `first..=last` (clipped to the text), and the offset at which it starts.
    pub(crate) fn window(&self, first: u32, last: u32) -> (usize, &'t str) {
        let n_lines = self.starts.len() as u32;
        let first = first.clamp(1, n_lines);
        let last = last.clamp(first, n_lines);
        let start = self.starts[first as usize - 1];
        let end = self.starts.get(last as usize).map_or(self.text.len(), |next| next - 1);
        (start, &self.text[start..end.max(start)])
    }

    /// The column of a byte offset's column, counted in characters: what SARIF wants.
    pub(crate) fn character_column(&self, line: u32, byte_column: u32) -> u32 {
        let Some(text) = self.line(line) else { return byte_column.max(1) };
        let bytes = (byte_column.saturating_sub(1) as usize).min(text.len());
        let before = text.char_indices().take_while(|(at, _)| *at < bytes).count() as u32;
        before + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32, column: u32, end_line: u32, end_column: u32) -> Place {
        Place { source: None, line, column, end_line, end_column }
    }

    #[test]
    fn a_range_is_clipped_to_its_first_line() {
        let lines = Lines::new("int x;\nfor (;;)\n  f();\n");
        assert_eq!(lines.range(place(2, 1, 3, 6)), Some(7..15));
        assert_eq!(lines.range(place(1, 5, 1, 6)), Some(4..5));
        assert_eq!(lines.range(place(1, 40, 1, 50)), Some(6..6));
        assert_eq!(lines.range(place(9, 1, 9, 2)), None);
        assert_eq!(lines.range(place(0, 0, 0, 0)), None);
    }

    #[test]
    fn a_column_within_a_character_moves_to_its_start() {
        let lines = Lines::new("/* é */ x\r\n");
        assert_eq!(lines.range(place(1, 5, 1, 6)), Some(3..5));
        assert_eq!(lines.character_column(1, 10), 9);
        assert_eq!(lines.line(1), Some("/* é */ x"));
    }

    #[test]
    fn a_window_outside_the_text_is_clipped() {
        let lines = Lines::new("a\nb\nc");
        assert_eq!(lines.window(0, 2), (0, "a\nb"));
        assert_eq!(lines.window(3, 9), (4, "c"));
        assert_eq!(Lines::new("").window(5, 9), (0, ""));
    }
}
