//! How much memory this process holds, and how much there is. Read from the files that Linux shows about itself: two
//! numbers do not need a crate for everything that a system can tell.

use std::path::{Path, PathBuf};

/// The memory that an analysis may use unless told otherwise: half of what the machine, or the control group that the
/// process runs in, has. `None` where neither says.
pub fn default_limit() -> Option<u64> {
    available(Path::new("/")).map(|bytes| bytes / 2)
}

/// The bytes that this process holds in memory now.
pub fn resident_bytes() -> Option<u64> {
    status_bytes("VmRSS:")
}

/// The most bytes that this process held.
pub fn peak_bytes() -> Option<u64> {
    status_bytes("VmHWM:")
}

fn status_bytes(name: &str) -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, name)
}

/// What a line such as `MemTotal:  16384 kB` says.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// The memory that a process can have, on a system whose files lie below `root`.
fn available(root: &Path) -> Option<u64> {
    let machine = std::fs::read_to_string(root.join("proc/meminfo")).ok();
    let machine = machine.and_then(|text| kilobytes(&text, "MemTotal:"));
    let groups = std::fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let limits = groups.lines().filter_map(|line| group_limit(root, line));
    machine.into_iter().chain(limits).min()
}

/// The limit of a control group, which a line `number:controllers:path` of `/proc/self/cgroup` names. Groups above it have
/// limits, too. A process in a container may not see its own group's directory, but sees the one above all.
fn group_limit(root: &Path, line: &str) -> Option<u64> {
    let mut parts = line.splitn(3, ':');
    let (number, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
    let (directory, file) = if controllers.split(',').any(|name| name == "memory") {
        (root.join("sys/fs/cgroup/memory"), "memory.limit_in_bytes")
    } else if number == "0" && controllers.is_empty() {
        (root.join("sys/fs/cgroup"), "memory.max")
    } else {
        return None;
    };
    let mut at = PathBuf::from(path.trim_start_matches('/'));
    let mut least: Option<u64> = None;
    loop {
        // Without a limit, version 2 says `max`, and version 1 a number that is larger than any memory.
        let text = std::fs::read_to_string(directory.join(&at).join(file)).unwrap_or_default();
        if let Ok(bytes) = text.trim().parse::<u64>() {
            least = Some(least.map_or(bytes, |least| least.min(bytes)));
        }
        if !at.pop() {
            return least;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        root
    }

    const MACHINE: (&str, &str) = ("proc/meminfo", "MemFree:        1 kB\nMemTotal:       16777216 kB\n");

    #[test]
    fn a_machine_without_groups_has_what_it_has() {
        assert_eq!(available(system(&[MACHINE]).path()), Some(16 << 30));
        assert_eq!(available(system(&[]).path()), None);
        let odd = system(&[("proc/meminfo", "MemTotal: much\n"), ("proc/self/cgroup", "0\n:::\nx:y\n")]);
        assert_eq!(available(odd.path()), None);
    }

    #[test]
    fn the_least_limit_of_a_group_and_those_above_it_counts() {
        let version_2 = system(&[
            MACHINE,
            ("proc/self/cgroup", "0::/user/session\n"),
            ("sys/fs/cgroup/user/session/memory.max", "max\n"),
            ("sys/fs/cgroup/user/memory.max", "2147483648\n"),
        ]);
        assert_eq!(available(version_2.path()), Some(2 << 30));
        let version_1 = system(&[
            MACHINE,
            ("proc/self/cgroup", "5:cpu:/x\n4:hugetlb,memory:/docker/1\n0::/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "1073741824\n"),
        ]);
        assert_eq!(available(version_1.path()), Some(1 << 30));
    }

    #[test]
    fn a_container_sees_the_limit_at_the_root_of_its_groups() {
        let files = [MACHINE, ("proc/self/cgroup", "0::/not/here\n"), ("sys/fs/cgroup/memory.max", "536870912\n")];
        assert_eq!(available(system(&files).path()), Some(512 << 20));
    }

    #[test]
    fn this_process_holds_something() {
        let (now, most) = (resident_bytes().unwrap(), peak_bytes().unwrap());
        assert!(now > 0 && most > 0);
    }
}
