//! How each program is configured and which arguments its files need.

use super::command::Step;
use super::{CorpusProgram, SourceUnit, debian};
use crate::BenchError;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) const TOOLS: &str = "install make, perl, flex, bison, bc, libelf-dev, libssl-dev and zlib1g-dev";

/// Parts of `bfd` that its build makes from templates.
const BFD_GENERATED: [&str; 17] = [
    "bfd.h",
    "bfdver.h",
    "elf32-target.h",
    "elf64-target.h",
    "targmatch.h",
    "elf32-aarch64.c",
    "elf64-aarch64.c",
    "elf32-ia64.c",
    "elf64-ia64.c",
    "elf32-riscv.c",
    "elf64-riscv.c",
    "elf32-loongarch.c",
    "elf64-loongarch.c",
    "peigen.c",
    "pepigen.c",
    "pex64igen.c",
    "pe-aarch64igen.c",
];

/// The files of Linux that are looked at: trees, lists with `container_of`, and both with reference counts.
const LINUX_FILES: [&str; 3] = ["lib/rbtree.c", "block/mq-deadline.c", "fs/afs/server.c"];

/// All files of a program, fetching and configuring it if that has not been done.
pub(super) fn obtain(program: CorpusProgram, corpus: &Path) -> Result<Vec<SourceUnit>, BenchError> {
    let home = prepare(program, corpus)?;
    list(program, &home, &home.join("src"))
}

/// Fetches and configures a program if that has not been done; where it lies.
pub(super) fn prepare(program: CorpusProgram, corpus: &Path) -> Result<PathBuf, BenchError> {
    fs::create_dir_all(corpus).map_err(BenchError::file(corpus))?;
    let corpus = corpus.canonicalize().map_err(BenchError::file(corpus))?;
    let home = corpus.join(program.name());
    let source = home.join("src");
    let log = corpus.join(format!("{}.log", program.name()));
    let ready = home.join("ready");
    if !ready.exists() {
        if !source.exists() {
            fs::create_dir_all(&home).map_err(BenchError::file(&home))?;
            match program {
                CorpusProgram::Linux => debian::fetch_linux(&corpus, &source, &log)?,
                other => debian::fetch_source(other.name(), &corpus, &source, &log)?,
            }
        }
        configure(program, &home, &source, &log)?;
        fs::write(&ready, "").map_err(BenchError::file(&ready))?;
    }
    Ok(home)
}

fn configure(program: CorpusProgram, home: &Path, source: &Path, log: &Path) -> Result<(), BenchError> {
    let step = Step::new(source, log, TOOLS);
    match program {
        CorpusProgram::Openssh => {
            // Debian's patches make configure.ac newer than what was generated from it.
            step.run("touch", &["configure", "config.h.in"])?;
            step.run("sh", &["./configure", "--without-pam"])
        }
        CorpusProgram::Binutils => {
            let build = home.join("build");
            fs::create_dir_all(&build).map_err(BenchError::file(&build))?;
            let step = Step::new(&build, log, TOOLS);
            let configure = source.join("configure").display().to_string();
            let without = ["--disable-gdb", "--disable-gprofng", "--disable-ld", "--disable-gas", "--disable-werror"];
            let mut arguments = vec![configure.as_str(), "--enable-targets=all"];
            arguments.extend(without);
            step.run("sh", &arguments)?;
            step.run("make", &["-s", "configure-bfd"])?;
            let bfd = build.join("bfd");
            let mut arguments = vec!["-s"];
            arguments.extend(BFD_GENERATED);
            Step::new(&bfd, log, TOOLS).run("make", &arguments)
        }
        CorpusProgram::Openssl => {
            step.run("perl", &["./Configure", "linux-x86_64"])?;
            step.run("make", &["-s", "build_generated"])?;
            step.run("make", &["-s", "apps/progs.h", "crypto/buildinf.h"])
        }
        CorpusProgram::Linux => {
            step.run("make", &["-s", "defconfig"])?;
            // This stops at objtool where its libraries are missing; the headers have been made by then.
            let made = step.run("make", &["-s", "prepare"]);
            if source.join("include/generated/asm-offsets.h").exists() { Ok(()) } else { made }
        }
    }
}

fn list(program: CorpusProgram, home: &Path, source: &Path) -> Result<Vec<SourceUnit>, BenchError> {
    let build = home.join("build").join("bfd");
    let files = match program {
        CorpusProgram::Openssh => [c_files(source)?, c_files(&source.join("openbsd-compat"))?].concat(),
        CorpusProgram::Binutils => [c_files(&source.join("bfd"))?, c_files(&build)?].concat(),
        CorpusProgram::Openssl => {
            [c_files_below(&source.join("crypto"))?, c_files_below(&source.join("apps"))?].concat()
        }
        CorpusProgram::Linux => LINUX_FILES.iter().map(|file| source.join(file)).collect(),
    };
    let units = files.into_iter().map(|path| {
        let shown = path.strip_prefix(source).or_else(|_| path.strip_prefix(home)).unwrap_or(&path);
        let shown = shown.display().to_string();
        let arguments = arguments(program, home, source, &path);
        SourceUnit { path, shown, directory: source.to_owned(), arguments }
    });
    Ok(units.collect())
}

fn arguments(program: CorpusProgram, home: &Path, source: &Path, path: &Path) -> Vec<String> {
    let include = |directory: &str| format!("-I{}", source.join(directory).display());
    let fixed = |arguments: &[&str]| arguments.iter().map(|argument| (*argument).to_owned()).collect::<Vec<_>>();
    match program {
        CorpusProgram::Openssh => {
            let mut arguments = vec![include("."), include("openbsd-compat")];
            let features = ["-D_XOPEN_SOURCE=600", "-D_BSD_SOURCE", "-D_DEFAULT_SOURCE", "-D_GNU_SOURCE"];
            arguments.extend(fixed(&features));
            arguments.push("-DHAVE_CONFIG_H".to_owned());
            arguments
        }
        CorpusProgram::Binutils => {
            let mut arguments =
                vec![format!("-I{}", home.join("build/bfd").display()), include("bfd"), include("include")];
            let places = ["-DBINDIR=\"/usr/bin\"", "-DLIBDIR=\"/usr/lib\"", "-DDEBUGDIR=\"/usr/lib/debug\""];
            arguments.extend(fixed(&places));
            arguments.push("-DHAVE_CONFIG_H".to_owned());
            arguments
        }
        CorpusProgram::Openssl => {
            let directories = [".", "include", "apps/include", "apps", "crypto", "crypto/include"];
            let providers = ["providers/common/include", "providers/implementations/include", "crypto/ec/curve448"];
            let mut arguments: Vec<String> = directories.iter().chain(&providers).map(|place| include(place)).collect();
            arguments.push(include("crypto/ec/curve448/arch_64"));
            let defines = ["-DL_ENDIAN", "-DOPENSSL_PIC", "-DOPENSSL_BUILDING_OPENSSL", "-DNDEBUG"];
            arguments.extend(fixed(&defines));
            let places = [
                "-DOPENSSLDIR=\"/usr/lib/ssl\"",
                "-DENGINESDIR=\"/usr/lib/engines\"",
                "-DMODULESDIR=\"/usr/lib/ossl\"",
            ];
            arguments.extend(fixed(&places));
            arguments
        }
        CorpusProgram::Linux => linux_arguments(source, path),
    }
}

/// What the kernel's build passes, as far as it changes what the text means or gcc insists on it.
pub(super) fn linux_arguments(source: &Path, path: &Path) -> Vec<String> {
    let at = |place: &str| source.join(place).display().to_string();
    let mut arguments = vec!["-nostdinc".to_owned()];
    let directories = [
        "arch/x86/include",
        "arch/x86/include/generated",
        "include",
        "arch/x86/include/uapi",
        "arch/x86/include/generated/uapi",
        "include/uapi",
        "include/generated/uapi",
    ];
    arguments.extend(directories.iter().map(|directory| format!("-I{}", at(directory))));
    if let Some(own) = path.parent() {
        arguments.push(format!("-I{}", own.display()));
    }
    for file in ["include/linux/compiler-version.h", "include/linux/kconfig.h", "include/linux/compiler_types.h"] {
        arguments.extend(["-include".to_owned(), at(file)]);
    }
    let machine = ["-m64", "-mno-sse", "-mno-mmx", "-mno-sse2", "-mno-80387", "-mno-red-zone", "-mcmodel=kernel"];
    let language = ["-D__KERNEL__", "-std=gnu11", "-O2", "-fshort-wchar", "-fno-strict-aliasing", "-fno-PIE"];
    arguments.extend(machine.iter().chain(&language).map(|argument| (*argument).to_owned()));
    let name = path.file_stem().unwrap_or_default().to_string_lossy().replace('-', "_");
    for define in ["KBUILD_MODFILE", "KBUILD_BASENAME", "KBUILD_MODNAME"] {
        arguments.push(format!("-D{define}=\"{name}\""));
    }
    arguments.push(format!("-D__KBUILD_MODNAME=kmod_{name}"));
    arguments
}

/// The C files of a directory, sorted.
fn c_files(directory: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .map_err(BenchError::file(directory))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    Ok(files)
}

/// The C files of a directory and all below it, sorted directory by directory.
fn c_files_below(directory: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let mut files = c_files(directory)?;
    let mut directories: Vec<PathBuf> = fs::read_dir(directory)
        .map_err(BenchError::file(directory))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir())
        .collect();
    directories.sort();
    for below in directories {
        files.extend(c_files_below(&below)?);
    }
    Ok(files)
}
