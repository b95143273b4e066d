//! Plots as SVG, on logarithmic scales.

use std::fmt::Write as _;

/// A line of a plot.
pub(crate) struct Series {
    pub(crate) name: &'static str,
    /// (x, y), y at least 1.
    pub(crate) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const BOTTOM: f64 = 110.0;
const TOP: f64 = 40.0;
const COLOURS: [&str; 2] = ["#b04030", "#3060a0"];

/// Two bars per program.
pub(crate) fn bars(title: &str, rows: &[(&str, u64, u64)]) -> String {
    let most = rows.iter().flat_map(|(_, full, decomposed)| [*full, *decomposed]).max().unwrap_or(1) as f64;
    let mut svg = start(title, most, &["full", "decomposed"]);
    let slot = (WIDTH - LEFT - 20.0) / rows.len().max(1) as f64;
    for (index, (name, full, decomposed)) in rows.iter().enumerate() {
        let x = LEFT + slot * index as f64;
        for (offset, (states, colour)) in [(*full, COLOURS[0]), (*decomposed, COLOURS[1])].into_iter().enumerate() {
            let y = height(states as f64, most);
            let left = x + slot * (0.12 + 0.38 * offset as f64);
            let _ = writeln!(
                svg,
                r#"<rect x="{left:.1}" y="{y:.1}" width="{:.1}" height="{:.1}" fill="{colour}"><title>{name}: {states}</title></rect>"#,
                slot * 0.36,
                HEIGHT - BOTTOM - y
            );
        }
        let (tx, ty) = (x + slot * 0.5, HEIGHT - BOTTOM + 12.0);
        let _ = writeln!(
            svg,
            r#"<text x="{tx:.1}" y="{ty:.1}" text-anchor="end" transform="rotate(-50 {tx:.1} {ty:.1})">{name}</text>"#
        );
    }
    svg + "</svg>\n"
}

/// A line per series, x linear.
pub(crate) fn lines(title: &str, series: &[Series]) -> String {
    let points = || series.iter().flat_map(|series| series.points.iter().copied());
    let most = points().map(|(_, y)| y).fold(1.0, f64::max);
    let widest = points().map(|(x, _)| x).fold(1.0, f64::max);
    let names: Vec<&str> = series.iter().map(|series| series.name).collect();
    let mut svg = start(title, most, &names);
    let across = |x: f64| LEFT + (WIDTH - LEFT - 40.0) * x / widest;
    for (series, colour) in series.iter().zip(COLOURS) {
        let path: Vec<String> =
            series.points.iter().map(|(x, y)| format!("{:.1},{:.1}", across(*x), height(*y, most))).collect();
        let _ =
            writeln!(svg, r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="2"/>"#, path.join(" "));
        for (x, y) in &series.points {
            let _ = writeln!(
                svg,
                r#"<circle cx="{:.1}" cy="{:.1}" r="3.5" fill="{colour}"><title>k = {x}: {y}</title></circle>"#,
                across(*x),
                height(*y, most)
            );
        }
    }
    for k in (0..=widest as u32).step_by(5) {
        let (x, y) = (across(f64::from(k)), HEIGHT - BOTTOM + 16.0);
        let _ = writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="middle">{k}</text>"#);
    }
    svg + "</svg>\n"
}

/// Where a value lies, on a logarithmic scale.
fn height(value: f64, most: f64) -> f64 {
    let decades = most.log10().ceil().max(1.0);
    HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value.max(1.0).log10() / decades
}

/// Frame, grid, legend.
fn start(title: &str, most: f64, names: &[&str]) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{title}</text>\n"
    );
    for decade in 0..=most.log10().ceil().max(1.0) as i32 {
        let value = 10f64.powi(decade);
        let y = height(value, most);
        let _ = writeln!(
            svg,
            r##"<line x1="{LEFT}" y1="{y:.1}" x2="{:.1}" y2="{y:.1}" stroke="#ddd"/><text x="{:.1}" y="{:.1}" text-anchor="end">{value}</text>"##,
            WIDTH - 20.0,
            LEFT - 6.0,
            y + 4.0
        );
    }
    for (index, (name, colour)) in names.iter().zip(COLOURS).enumerate() {
        let x = WIDTH - 220.0 + 100.0 * index as f64;
        let _ = writeln!(
            svg,
            r#"<rect x="{x:.1}" y="10" width="12" height="12" fill="{colour}"/><text x="{:.1}" y="20">{name}</text>"#,
            x + 16.0
        );
    }
    svg
}
