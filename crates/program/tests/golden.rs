//! The code of a few functions, as text. `BLESS=1 cargo test` rewrites what is expected.

mod common;

use common::{Source, load_verified};
use secateur_program::{LoadOptions, OptLevel};
use std::path::PathBuf;

#[test]
fn dumps_are_as_expected() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let text = std::fs::read_to_string(folder.join("small.c")).expect("the source is there");
    let source = Source::new("small.c", &text);
    for (level, name) in [(OptLevel::O0, "small.O0.txt"), (OptLevel::O1, "small.O1.txt")] {
        let loaded = load_verified(&LoadOptions { opt_level: level, ..source.options() }).expect("it loads");
        let mut dump = String::new();
        for (index, function) in loaded.program.functions.iter().enumerate() {
            if function.user {
                dump += &loaded.program.dump(secateur_program::FuncId(index as u32)).to_string();
            }
        }
        let dump = dump.replace(&*source.folder().to_string_lossy(), "DIR");
        let path = folder.join(name);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &dump).expect("the folder can be written");
        }
        let expected = std::fs::read_to_string(&path).expect("what is expected is there");
        assert_eq!(dump, expected, "{name} differs; BLESS=1 accepts the new one");
    }
}
