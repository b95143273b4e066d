//! What of a program is linked together: targets of its build, as data. Which files those are, and how each is compiled, the
//! build itself says.

use super::command::Step;
use super::dry_run::{self, Compiled};
use super::{CorpusProgram, programs};
use crate::BenchError;
use std::path::Path;

/// What is linked together.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The program that it is part of.
    pub program: CorpusProgram,
    /// Its name, as in tables.
    pub name: &'static str,
    /// Where its build runs, below the program's directory.
    directory: &'static str,
    /// What `make` is asked for.
    goals: &'static [&'static str],
    /// Commands that it needs beside those that configure the program, and where each runs.
    preparation: &'static [(&'static str, &'static [&'static str])],
}

/// The targets.
pub const TARGETS: [Target; 16] = [
    openssl("libcrypto", &["libcrypto.a"]),
    openssl("libssl", &["libssl.a"]),
    openssl("openssl", &["apps/openssl"]),
    openssh("ssh", &["ssh"]),
    openssh("sshd", &["sshd"]),
    openssh("ssh-agent", &["ssh-agent"]),
    openssh("sftp-server", &["sftp-server"]),
    openssh("ssh-keygen", &["ssh-keygen"]),
    openssh("ssh-add", &["ssh-add"]),
    openssh("ssh-keyscan", &["ssh-keyscan"]),
    openssh("scp", &["scp"]),
    openssh("sftp", &["sftp"]),
    binutils("libbfd", "build/bfd", &["libbfd.la"], &[]),
    binutils("readelf", "build/binutils", &["readelf"], READELF),
    binutils("nm", "build/binutils", &["nm-new"], READELF),
    binutils("objdump", "build/binutils", &["objdump"], READELF),
];

/// Sources that `build_generated` leaves to those who need them.
const PROVIDERS: &[(&str, &[&str])] = &[(
    "src",
    &[
        "make",
        "-s",
        "providers/common/der/der_digests_gen.c",
        "providers/common/der/der_dsa_gen.c",
        "providers/common/der/der_ec_gen.c",
        "providers/common/der/der_ecx_gen.c",
        "providers/common/der/der_rsa_gen.c",
        "providers/common/der/der_sm2_gen.c",
        "providers/common/der/der_wrap_gen.c",
        "providers/common/include/prov/der_digests.h",
        "providers/common/include/prov/der_dsa.h",
        "providers/common/include/prov/der_ec.h",
        "providers/common/include/prov/der_ecx.h",
        "providers/common/include/prov/der_rsa.h",
        "providers/common/include/prov/der_sm2.h",
        "providers/common/include/prov/der_wrap.h",
    ],
)];

/// What `readelf` is linked with is configured on its own.
const READELF: &[(&str, &[&str])] =
    &[("build", &["make", "-s", "configure-libiberty", "configure-opcodes", "configure-zlib", "configure-binutils"])];

const fn openssl(name: &'static str, goals: &'static [&'static str]) -> Target {
    Target { program: CorpusProgram::Openssl, name, directory: "src", goals, preparation: PROVIDERS }
}

const fn openssh(name: &'static str, goals: &'static [&'static str]) -> Target {
    Target { program: CorpusProgram::Openssh, name, directory: "src", goals, preparation: &[] }
}

const fn binutils(
    name: &'static str,
    directory: &'static str,
    goals: &'static [&'static str],
    preparation: &'static [(&'static str, &'static [&'static str])],
) -> Target {
    Target { program: CorpusProgram::Binutils, name, directory, goals, preparation }
}

impl Target {
    /// The target of that name.
    pub fn named(name: &str) -> Option<Target> {
        TARGETS.into_iter().find(|target| target.name == name)
    }

    /// The C files that are linked, fetching and configuring the program if that has not been done.
    pub fn units(&self, corpus: &Path) -> Result<Compiled, BenchError> {
        let home = programs::prepare(self.program, corpus)?;
        let log = home.join(format!("{}.log", self.name));
        let ready = home.join(format!("ready-{}", self.name));
        if !ready.exists() {
            for (directory, command) in self.preparation {
                if let Some((program, arguments)) = command.split_first() {
                    Step::new(&home.join(directory), &log, programs::TOOLS).run(program, arguments)?;
                }
            }
            std::fs::write(&ready, "").map_err(BenchError::file(&ready))?;
        }
        let directory = home.join(self.directory);
        // Nothing has been compiled, so everything would be.
        let arguments = [&["-n", "-w", "V=1"], self.goals].concat();
        let printed = Step::new(&directory, &log, programs::TOOLS).output("make", &arguments)?;
        Ok(dry_run::compiled_by(&printed, &directory, &home))
    }
}
