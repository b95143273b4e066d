//! Tables: aligned columns to read, comma-separated values to keep.

use std::io::Write;

/// A table: a header and rows of as many cells.
pub(crate) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(header: &[&str]) -> Table {
        Table { header: header.iter().map(|cell| (*cell).to_owned()).collect(), rows: Vec::new() }
    }

    pub(crate) fn push(&mut self, row: Vec<String>) {
        assert_eq!(row.len(), self.header.len(), "every row has a cell per column");
        self.rows.push(row);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Numbers to the right, words to the left.
    pub(crate) fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let widths: Vec<usize> = (0..self.header.len())
            .map(|column| self.lines().map(|line| line[column].chars().count()).max().unwrap_or(0))
            .collect();
        let is_number = |cell: &str| cell.starts_with(|first: char| first.is_ascii_digit());
        let right: Vec<bool> =
            (0..widths.len()).map(|column| self.rows.iter().all(|row| is_number(&row[column]))).collect();
        for line in self.lines() {
            let cells = line.iter().zip(&widths).zip(&right).map(|((cell, width), right)| {
                if *right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            });
            let text = cells.collect::<Vec<_>>().join("  ");
            writeln!(out, "{}", text.trim_end())?;
        }
        Ok(())
    }

    /// As RFC 4180 has it.
    pub(crate) fn write_csv(&self, out: &mut dyn Write) -> std::io::Result<()> {
        for line in self.lines() {
            let cells: Vec<String> = line.iter().map(|cell| quoted(cell)).collect();
            write!(out, "{}\r\n", cells.join(","))?;
        }
        Ok(())
    }

    fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.header).chain(&self.rows)
    }
}

fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

/// `part` of `whole` in percent, to two digits and never rounded up to 100; a dash where there is no whole.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    let hundredths = u128::from(part) * 10_000 / u128::from(whole);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::{Table, percent};
    use expect_test::expect;

    fn example() -> Table {
        let mut table = Table::new(&["program", "files", "note"]);
        table.push(vec!["openssh".to_owned(), "7".to_owned(), "a, \"b\"".to_owned()]);
        table.push(vec!["bfd".to_owned(), "309".to_owned(), String::new()]);
        table
    }

    #[test]
    fn columns_are_aligned() {
        let mut printed = Vec::new();
        example().print(&mut printed).expect("memory does not fail");
        expect![[r#"
            program  files  note
            openssh      7  a, "b"
            bfd        309
        "#]]
        .assert_eq(&String::from_utf8(printed).expect("text"));
    }

    #[test]
    fn csv_quotes_what_must_be() {
        let mut printed = Vec::new();
        example().write_csv(&mut printed).expect("memory does not fail");
        let text = String::from_utf8(printed).expect("text");
        assert_eq!(text, "program,files,note\r\nopenssh,7,\"a, \"\"b\"\"\"\r\nbfd,309,\r\n");
    }

    #[test]
    fn nearly_all_is_not_all() {
        assert_eq!(percent(99_999, 100_000), "99.99");
        assert_eq!(percent(3, 3), "100.00");
        assert_eq!(percent(0, 0), "-");
    }
}
