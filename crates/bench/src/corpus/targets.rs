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
    /// Where its build runs, below the program's directory, and what `make` is asked for there: libraries first.
    builds: Builds,
    /// Commands that it needs beside those that configure the program, and where each runs.
    preparation: &'static [(&'static str, &'static [&'static str])],
}

/// The targets.
pub const TARGETS: [Target; 26] = [
    openssl("libcrypto", &[("src", &["libcrypto.a"])]),
    openssl("libssl", &[("src", &["libssl.a"])]),
    openssl("openssl", &[("src", &["apps/openssl"])]),
    openssh("ssh", &[("src", &["ssh"])]),
    openssh("sshd", &[("src", &["sshd"])]),
    openssh("ssh-agent", &[("src", &["ssh-agent"])]),
    openssh("sftp-server", &[("src", &["sftp-server"])]),
    openssh("ssh-keygen", &[("src", &["ssh-keygen"])]),
    openssh("ssh-add", &[("src", &["ssh-add"])]),
    openssh("ssh-keyscan", &[("src", &["ssh-keyscan"])]),
    openssh("ssh-keysign", &[("src", &["ssh-keysign"])]),
    openssh("ssh-pkcs11-helper", &[("src", &["ssh-pkcs11-helper"])]),
    openssh("ssh-sk-helper", &[("src", &["ssh-sk-helper"])]),
    openssh("scp", &[("src", &["scp"])]),
    openssh("sftp", &[("src", &["sftp"])]),
    binutils("libbfd", &[("build/bfd", &["libbfd.la"])]),
    binutils("readelf", &[IBERTY, ZLIB, ("build/binutils", &["readelf"])]),
    binutils("nm", &[IBERTY, ZLIB, BFD, ("build/binutils", &["nm-new"])]),
    binutils("size", &[IBERTY, ZLIB, BFD, ("build/binutils", &["size"])]),
    binutils("strings", &[IBERTY, ZLIB, BFD, ("build/binutils", &["strings"])]),
    binutils("addr2line", &[IBERTY, ZLIB, BFD, ("build/binutils", &["addr2line"])]),
    binutils("ar", &[IBERTY, ZLIB, BFD, ("build/binutils", &["ar"])]),
    binutils("strip", &[IBERTY, ZLIB, BFD, ("build/binutils", &["strip-new"])]),
    binutils("objcopy", &[IBERTY, ZLIB, BFD, ("build/binutils", &["objcopy"])]),
    binutils("elfedit", &[IBERTY, ("build/binutils", &["elfedit"])]),
    binutils("objdump", &[IBERTY, ZLIB, BFD, OPCODES, ("build/binutils", &["objdump"])]),
];

const IBERTY: (&str, &[&str]) = ("build/libiberty", &["libiberty.a"]);
const ZLIB: (&str, &[&str]) = ("build/zlib", &["libz.a"]);
const BFD: (&str, &[&str]) = ("build/bfd", &["libbfd.la"]);
const OPCODES: (&str, &[&str]) = ("build/opcodes", &["libopcodes.la"]);

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

/// What its programs are linked with is configured on its own, as far as it needs nothing that was compiled. A dry run wants to see the
/// libraries that a build would have made before.
const BINUTILS: &[(&str, &[&str])] = &[
    ("build", &["make", "-s", "configure-libiberty", "configure-opcodes", "configure-zlib", "configure-binutils"]),
    ("build", &["mkdir", "-p", "libsframe", "libctf"]),
    (
        "build",
        &[
            "touch",
            "libiberty/libiberty.a",
            "zlib/libz.a",
            "libsframe/libsframe.la",
            "libctf/libctf.la",
            "libctf/libctf-nobfd.la",
            "bfd/libbfd.la",
            "opcodes/libopcodes.la",
        ],
    ),
];

type Builds = &'static [(&'static str, &'static [&'static str])];

const fn openssl(name: &'static str, builds: Builds) -> Target {
    Target { program: CorpusProgram::Openssl, name, builds, preparation: PROVIDERS }
}

const fn openssh(name: &'static str, builds: Builds) -> Target {
    Target { program: CorpusProgram::Openssh, name, builds, preparation: &[] }
}

const fn binutils(name: &'static str, builds: Builds) -> Target {
    Target { program: CorpusProgram::Binutils, name, builds, preparation: BINUTILS }
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
        let mut all = Compiled::default();
        for (directory, goals) in self.builds {
            let directory = home.join(directory);
            // Nothing has been compiled, so everything would be. Libtool links even so, what is not there.
            let arguments = [&["-n", "-w", "V=1", "LIBTOOL=:"], *goals].concat();
            let printed = Step::new(&directory, &log, programs::TOOLS).output("make", &arguments)?;
            let Compiled { units, unread } = dry_run::compiled_by(&printed, &directory, &home);
            all.unread.extend(unread);
            for unit in units {
                if all.units.iter().all(|known| known.path != unit.path) {
                    all.units.push(unit);
                }
            }
        }
        Ok(all)
    }
}
