//! The parsers that are measured: which Debian package each is, and how it is compiled; and formats of our own.

/// A parser.
pub struct Library {
    /// Its name, which is that of its harness, too.
    pub name: &'static str,
    /// The Debian source package; `None` if the harness, in `bench/formats`, is all there is.
    pub package: Option<&'static str>,
    /// The files to compile, relative to the package.
    pub sources: &'static [&'static str],
    /// The folders of header files, relative to the package.
    pub includes: &'static [&'static str],
    /// Definitions that its own build would make.
    pub flags: &'static [&'static str],
}

pub const LIBRARIES: &[Library] = &[
    Library { name: "cjson", package: Some("cjson"), sources: &["cJSON.c"], includes: &["."], flags: &[] },
    Library {
        name: "http-parser",
        package: Some("http-parser"),
        sources: &["http_parser.c"],
        includes: &["."],
        flags: &["-DHTTP_PARSER_STRICT=1"],
    },
    Library {
        name: "libyaml",
        package: Some("libyaml"),
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
        package: Some("expat"),
        sources: &["expat/lib/xmlparse.c", "expat/lib/xmlrole.c", "expat/lib/xmltok.c"],
        includes: &["expat/lib"],
        flags: &[],
    },
    Library {
        name: "jansson",
        package: Some("jansson"),
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
        package: Some("zlib"),
        sources: &["adler32.c", "crc32.c", "inffast.c", "inflate.c", "inftrees.c", "zutil.c"],
        includes: &["."],
        flags: &[],
    },
    Library {
        name: "libconfig",
        package: Some("libconfig"),
        sources: &["lib/grammar.c", "lib/libconfig.c", "lib/scanctx.c", "lib/scanner.c", "lib/strbuf.c"],
        includes: &["lib"],
        flags: &["-D_GNU_SOURCE"],
    },
    Library {
        name: "md4c",
        package: Some("md4c"),
        sources: &["src/md4c.c", "src/md4c-html.c", "src/entity.c"],
        includes: &["src"],
        flags: &["-DMD4C_USE_UTF8"],
    },
];

const fn format(name: &'static str) -> Library {
    Library { name, package: None, sources: &[], includes: &[], flags: &[] }
}

/// Formats whose bug is hard to reach by mutation.
pub const FORMATS: &[Library] = &[format("chunks"), format("records"), format("keywords")];

impl Library {
    /// The folder of `bench` that has its harness.
    pub fn harness_folder(&self) -> &'static str {
        if self.package.is_some() { "parsers" } else { "formats" }
    }
}

/// The parser of this name among those.
pub fn by_name(libraries: &'static [Library], name: &str) -> Result<&'static Library, String> {
    let found = libraries.iter().find(|library| library.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = libraries.iter().map(|library| library.name).collect();
        format!("there is no parser `{name}`; there are {}", names.join(", "))
    })
}
