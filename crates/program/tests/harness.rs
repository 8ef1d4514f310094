//! The generated `main` of a function or a libFuzzer target.

mod common;

use common::{LEVELS, Source, dump, load_verified, unsupported};
use secateur_program::*;

/// The text constants that a program passes to `klee_make_symbolic`.
fn names(loaded: &Loaded) -> Vec<String> {
    let texts = loaded.program.globals.iter().filter(|global| global.name.starts_with(".name"));
    texts.map(|global| String::from_utf8_lossy(&global.init).into_owned()).collect()
}

#[test]
fn each_kind_of_parameter_has_its_symbolic_value() {
    let text = r#"
        #include <stdbool.h>
        struct pair { int a; double b; };
        struct big { long a[6]; };
        struct node { struct node *next; int value; char *name; void (*call)(void); };
        struct unknown;
        int f(int i, bool flag, double d, struct pair p, struct big b, const char *text, int *array, void *any,
              char **words, struct node *list, struct unknown *u, unsigned __int128 w) {
          return i + flag + (int)d + p.a + (int)b.a[1] + text[0] + array[1] + *(char *)any + words[0][0] + list->value + (u != 0) + (int)w;
        }
        int main(void) { return 0; }
    "#;
    for opt_level in LEVELS {
        let source = Source::new("a.c", text);
        let entry = Entry::Function(UnitOptions { array_len: 3, str_len: 5, ..UnitOptions::new("f") });
        let loaded = load_verified(&LoadOptions { entry, opt_level, ..source.options() }).expect("it loads");
        assert_eq!(unsupported(&loaded), Vec::<String>::new());
        let names = names(&loaded);
        for name in [
            "i",
            "flag",
            "d",
            "text",
            "array",
            "any",
            "words[2]",
            "list",
            "list?",
            "list.next?",
            "list.next.name",
            "u",
            "b",
        ] {
            assert!(names.iter().any(|known| known == name), "{opt_level:?} {name}: {names:?}");
        }
        assert!(loaded.program.function("__secateur_original_main").is_some());
        let main = loaded.program.entry.expect("there is a main");
        assert_eq!(&*loaded.program.functions[main.index()].name, "main");
    }
}

#[test]
fn a_string_ends_in_zero() {
    let source = Source::new("a.c", "int f(char *s) { return s[0]; }");
    let entry = Entry::Function(UnitOptions { array_len: 3, str_len: 5, ..UnitOptions::new("f") });
    let loaded = load_verified(&LoadOptions { entry, ..source.options() }).expect("it loads");
    let text = dump(&loaded, "main");
    assert!(text.contains("call malloc(6)"), "{text}");
    assert!(text.contains("call klee_make_symbolic(%2, 5, "), "{text}");
    assert!(text.contains("store i8 0 to"), "{text}");
}

#[test]
fn a_unit_describes_the_function() {
    let text = r#"
        struct node { int value; struct node *next; };
        struct slice { char *start; long size; };
        int level;
        static struct slice cut(struct slice all, const struct node *list, short counts[4], _Bool last) {
          all.size += list->value + counts[0] + last + level;
          return all;
        }
    "#;
    let source = Source::new("a.c", text);
    let options = UnitOptions { pointer_depth: 2, globals: SymbolicGlobals::All, ..UnitOptions::new("cut") };
    let entry = Entry::Function(options);
    let loaded = load_verified(&LoadOptions { entry, ..source.options() }).expect("it loads");
    let unit = loaded.unit.expect("there is debug information");
    let names: Vec<&str> = unit.params.iter().map(|param| param.name.as_str()).collect();
    assert_eq!(names, ["all", "list", "counts", "last"]);
    let objects: Vec<_> =
        unit.objects.iter().map(|object| (object.label.as_str(), object.count, object.constant)).collect();
    let expected = [("all.start", 9, false), ("list", 1, true), ("list.next", 1, false), ("counts", 8, false)];
    assert_eq!(objects, expected);
    assert_eq!(
        unit.result.map(|result| unit.types[result.ty.0 as usize].name.clone()),
        Some(Some("struct slice".into()))
    );
    assert_eq!(unit.globals.len(), 1);
    assert!(unit.file.ends_with("/a.c"), "{}", unit.file);
}

#[test]
fn functions_of_the_source_are_listed() {
    let text = "#include <stdlib.h>\nstatic int hidden(void) { return 1; }\nint shown(int a);\n\
                int shown(int a) { return abs(a); }\nint main(void) { return 0; }";
    let source = Source::new("a.c", text);
    let entry = Entry::Function(UnitOptions::new(""));
    let options = LoadOptions { entry, ..source.options() };
    let mut files = read(&options).expect("it compiles");
    assert_eq!(functions(&mut files, &options).expect("it compiles"), ["hidden", "shown"]);
    // What was compiled once can be loaded as often as there are functions.
    std::fs::remove_file(&options.inputs[0]).expect("it exists");
    for function in ["shown", "hidden", "shown"] {
        let entry = Entry::Function(UnitOptions::new(function));
        let loaded = load_files(&mut files, &LoadOptions { entry, ..options.clone() }).expect("it was compiled");
        assert_eq!(loaded.unit.expect("its types are known").function, function);
    }
}

#[test]
fn a_fuzz_target_gets_data_of_a_bounded_size() {
    let text = "#include <stddef.h>\n#include <stdint.h>\nint LLVMFuzzerInitialize(int *c, char ***v) { return 0; }\n\
                int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return size > 3 && data[0] == 'x'; }";
    let source = Source::new("a.c", text);
    for entry in [Entry::Auto, Entry::LibFuzzer { max_len: 4096 }] {
        let loaded = load_verified(&LoadOptions { entry, ..source.options() }).expect("it loads");
        let main = dump(&loaded, "main");
        for part in [
            "call LLVMFuzzerInitialize",
            "ule i64",
            "4096",
            "call klee_assume",
            "call malloc",
            "call LLVMFuzzerTestOneInput",
        ] {
            assert!(main.contains(part), "{part}: {main}");
        }
        assert_eq!(names(&loaded), ["size", "data"]);
    }
    let loaded = load_verified(&LoadOptions { pin_size: false, ..source.options() }).expect("it loads");
    let main = dump(&loaded, "main");
    assert!(main.contains("call __secateur_data") && !main.contains("call malloc"), "{main}");
    assert_eq!(loaded.max_len, Some(4096));
}
