//! The parsers that are measured: which Debian package each is, and how it is compiled.

/// A parser.
pub struct Library {
    /// Its name, which is that of its harness in `bench/parsers`, too.
    pub name: &'static str,
    /// The Debian source package.
    pub package: &'static str,
    /// The files to compile, relative to the package.
    pub sources: &'static [&'static str],
    /// The folders of header files, relative to the package.
    pub includes: &'static [&'static str],
    /// Definitions that its own build would make.
    pub flags: &'static [&'static str],
}

pub const LIBRARIES: &[Library] = &[
    Library { name: "cjson", package: "cjson", sources: &["cJSON.c"], includes: &["."], flags: &[] },
    Library {
        name: "http-parser",
        package: "http-parser",
        sources: &["http_parser.c"],
        includes: &["."],
        flags: &["-DHTTP_PARSER_STRICT=1"],
    },
    Library {
        name: "libyaml",
        package: "libyaml",
        sources: &["src/api.c", "src/parser.c", "src/reader.c", "src/scanner.c"],
        includes: &["include", "src"],
        flags: &[
            "-DYAML_VERSION_STRING=\"0.2.5\"",
            "-DYAML_VERSION_MAJOR=0",
            "-DYAML_VERSION_MINOR=2",
            "-DYAML_VERSION_PATCH=5",
        ],
    },
    Library {
        name: "expat",
        package: "expat",
        sources: &["expat/lib/xmlparse.c", "expat/lib/xmlrole.c", "expat/lib/xmltok.c"],
        includes: &["expat/lib"],
        flags: &[],
    },
    Library {
        name: "jansson",
        package: "jansson",
        sources: &[
            "src/dump.c",
            "src/error.c",
            "src/hashtable.c",
            "src/hashtable_seed.c",
            "src/load.c",
            "src/memory.c",
            "src/strbuffer.c",
            "src/strconv.c",
            "src/utf.c",
            "src/value.c",
        ],
        includes: &["src"],
        flags: &["-DHAVE_CONFIG_H"],
    },
    Library {
        name: "zlib",
        package: "zlib",
        sources: &["adler32.c", "crc32.c", "inffast.c", "inflate.c", "inftrees.c", "zutil.c"],
        includes: &["."],
        flags: &[],
    },
    Library {
        name: "libconfig",
        package: "libconfig",
        sources: &["lib/grammar.c", "lib/libconfig.c", "lib/scanctx.c", "lib/scanner.c", "lib/strbuf.c"],
        includes: &["lib"],
        flags: &["-D_GNU_SOURCE"],
    },
    Library {
        name: "md4c",
        package: "md4c",
        sources: &["src/md4c.c", "src/md4c-html.c", "src/entity.c"],
        includes: &["src"],
        flags: &["-DMD4C_USE_UTF8"],
    },
];

/// The parser of this name.
pub fn by_name(name: &str) -> Result<&'static Library, String> {
    let found = LIBRARIES.iter().find(|library| library.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = LIBRARIES.iter().map(|library| library.name).collect();
        format!("there is no parser `{name}`; there are {}", names.join(", "))
    })
}
