//! How much memory this process had at most.

/// Lets the system forget the peak so far, where it can.
pub(crate) fn reset_peak() {
    // Without /proc the column shows the peak of the whole run.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The most memory since the start, or since the peak was forgotten.
pub(crate) fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
