//! `heapwise-report`: what was found, in words and formats: text, JSON, SARIF, HTML, DOT, SVG.
//!
//! **What it is.** A [`Report`] is an engine's outcome with every id resolved to names and places. It is rendered by
//! [`text`] (source excerpts for a terminal), [`json`] (the stable format of `schemas/report.schema.json`),
//! [`sarif`] (SARIF 2.1.0 with code flows) and [`html`] (a page to step through). [`drawing`] turns a drawable heap
//! into DOT or SVG, [`explain`] says what each kind of finding means, and [`words`] gives words to reasons.
//!
//! **What it is not.** It does not know how findings were found, it decides nothing, and it writes no files: every
//! renderer is a function from a report to a `String`.
//!
//! **The law it keeps.** The same report gives the same bytes, and each format shows every finding, every gap and
//! every assumption.
//!
//! **Where to start.** [`report`], then the renderer of interest.

mod baseline;
pub mod drawing;
mod excerpt;
pub mod explain;
mod fingerprint;
pub mod html;
pub mod json;
pub mod record;
pub mod report;
pub mod sarif;
pub mod text;
pub mod words;

pub use baseline::Baseline;
pub use record::{Fingerprint, Record, Recorded, RecordedFinding, RecordedUnit, Unreadable};
pub use report::{
    Choice, EngineAnswer, Finding, Gap, Part, Place, Refined, Report, Site, Source, SourceId, Stats, Step, Unreached,
    Usage,
};
