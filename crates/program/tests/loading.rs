//! The content of a loaded program, and the errors of loading.

mod common;

use common::{LEVELS, Source, dump, load_c, load_ll, load_verified, unsupported};
use secateur_program::*;

#[test]
fn every_construct_is_lowered() {
    let text = r#"
        #include <setjmp.h>
        #include <stdarg.h>
        #include <stdlib.h>
        static jmp_buf env;
        int guarded(int x) { volatile int y = x; if (setjmp(env) == 0) { y++; longjmp(env, 5); } return y; }
        int sum(int n, ...) { va_list ap, copy; va_start(ap, n); va_copy(copy, ap); int s = va_arg(copy, int) + (int)va_arg(ap, double); va_end(ap); va_end(copy); return s; }
        long double precise(long double a, double b, int i) { long double r = a * b + i; return r > 3.5L ? -r : r / 2 - (long double)(unsigned long)r + (float)r; }
        int trap(int x) { if (x == 3) __builtin_unreachable(); if (x == 4) __builtin_trap(); return x; }
        int aliased(int a) { return a + 1; }
        int alias(int a) __attribute__((alias("aliased")));
        static int chosen(int a) { return a * 2; }
        static void *choose(void) { return (void *)chosen; }
        int indirect(int a) __attribute__((ifunc("choose")));
        extern int weak_function(int) __attribute__((weak));
        extern int weak_variable __attribute__((weak));
        int weak(int a) { return weak_function ? weak_function(a) : &weak_variable ? weak_variable : a; }
        int assumed(int x) { __builtin_assume(x > 3); return x > 2; }
        float rounded(double d) { return __builtin_rintf(__builtin_fabsf((float)d)); }
        int main(int argc, char **argv) {
          return guarded(argc) + sum(argc, 1, 2.0) + (int)precise(argc, 2, 3) + trap(argc) + alias(argc) + indirect(argc)
                 + weak(argc) + assumed(argc + 7) + (int)rounded(argc) + abs(argc);
        }
    "#;
    for level in LEVELS {
        let loaded = load_c(text, level);
        assert_eq!(unsupported(&loaded), Vec::<String>::new());
        assert!(loaded.program.entry.is_some());
    }
}

#[test]
fn copies_of_a_branch_are_one_in_the_source() {
    // Functions of different types, so that the optimiser keeps all branches.
    let text = "int one(int), two(int, int), three(int, int, int), four(void), read(void);\n\
                #define BOTH(a, b) do { if (a) one(1); if (b) two(2, 3); } while (0)\n\
                static inline __attribute__((always_inline)) int check(int x) {\n\
                  if (x > 3)\n\
                    return one(x);\n\
                  switch (x) { case 1: return two(3, x); case -7: return three(4, x, 1); }\n\
                  return four();\n\
                }\n\
                static inline __attribute__((always_inline)) int twice(int x) { return check(x) + check(read()); }\n\
                int main(int argc, char **argv) {\n\
                  BOTH(argc & 1, argc & 2);\n\
                  return check(read()) + twice(read()) + check(read());\n\
                }\n";
    for level in LEVELS {
        let program = load_c(text, level).program;
        let (mut inlined, mut sources) = (0, std::collections::BTreeSet::new());
        for index in 0..program.branches.len() {
            let source = program.source_of(BranchId(index as u32));
            sources.insert(source.first);
            inlined += u32::from(source.first.index() != index);
        }
        // The comparison, the switch, and two of the macro; four calls are inlined.
        assert_eq!((sources.len(), inlined), (4, 6), "{level:?}");
        assert_eq!(program.source_outcomes(|_, _| true), (2 + 3 + 2 + 2, 2 + 3 + 2 + 2), "{level:?}");
        // Each side of the comparison is the same in all copies, however the compiler has turned it.
        let branches = program.branches.iter().enumerate();
        let at_line_4 = branches.filter(|(_, branch)| program.locations[branch.loc.index()].line == 4);
        for (index, _) in at_line_4 {
            let branch = BranchId(index as u32);
            assert_eq!(program.source_outcomes(|id, _| id == branch).0, 2, "{level:?}");
        }
    }
}

#[test]
fn unsupported_constructs_are_named_in_place() {
    let loaded = load_c(
        "int f(int x) { __asm__(\"rdrand %0\" : \"+r\"(x)); return x; }\n\
         float g(_Float16 h) { return (float)h; }\n\
         int main(void) { return f(1) + (int)g(2); }",
        OptLevel::O0,
    );
    assert_eq!(unsupported(&loaded), ["inline assembly `rdrand $0`", "arithmetic on a value of type `half`"]);
}

#[test]
fn locals_without_an_address_live_in_slots() {
    let loaded = load_c(
        "int f(int a) { int b = a + 1; volatile int c = b; return b * c; } int main(void) { return f(1); }",
        OptLevel::O0,
    );
    let id = loaded.program.function("f").expect("f exists");
    let body = loaded.program.functions[id.index()].body.as_ref().expect("f is defined");
    let touches_memory = |inst: &Inst| matches!(inst, Inst::Alloca { .. } | Inst::Load { .. } | Inst::Store { .. });
    assert!(!body.code.iter().any(touches_memory), "{}", dump(&loaded, "f"));
    assert_eq!(body.locals.len(), 3);
}

#[test]
fn constructors_run_in_the_order_of_their_priority() {
    let loaded = load_c(
        "static int x; __attribute__((constructor)) static void late(void) { x = 1; }\n\
         __attribute__((constructor(101))) static void early(void) { x = 2; }\n\
         __attribute__((destructor)) static void last(void) { x = 0; }\n\
         int main(void) { return x; }",
        OptLevel::O0,
    );
    let names =
        |ids: &[FuncId]| ids.iter().map(|id| loaded.program.functions[id.index()].name.to_string()).collect::<Vec<_>>();
    assert_eq!(names(&loaded.program.constructors), ["early", "late"]);
    assert_eq!(names(&loaded.program.destructors), ["last"]);
}

#[test]
fn branches_and_blocks_have_native_numbers() {
    let loaded = load_c(
        "int main(int c, char **v) { if (c > 1) return 2; switch (c) { case 0: case 1: return 5; default: return 6; } }",
        OptLevel::O0,
    );
    let natives: Vec<_> = loaded.program.branches.iter().map(|branch| (branch.native, branch.outcomes)).collect();
    assert_eq!(natives, [(Some(0), 2), (Some(1), 2)]);
    let body = loaded.program.functions[0].body.as_ref().expect("main is defined");
    let blocks: Vec<_> = body.blocks.iter().map(|block| block.native).collect();
    assert_eq!(blocks, (0..blocks.len() as u32).map(Some).collect::<Vec<_>>());
}

#[test]
fn globals_have_their_content() {
    let loaded = load_c(
        "struct { char c; short s; int *p; double d; char t[4]; } g = {1, -2, (int *)&g + 1, 0.5, \"ab\"};\n\
         int main(void) { return g.c; } int (*fp)(void) = main; extern int missing[3]; int *q = missing + 1; const int k[3] = {7};",
        OptLevel::O0,
    );
    let global = |name: &str| {
        let index = loaded.program.globals.iter().position(|global| &*global.name == name).expect("it exists");
        (GlobalId(index as u32), &loaded.program.globals[index])
    };
    let (id, g) = global("g");
    let mut expected = vec![1, 0, 0xfe, 0xff, 0, 0, 0, 0];
    expected.extend((global_address(id) + 4).to_le_bytes());
    expected.extend(0.5f64.to_le_bytes());
    expected.extend(b"ab");
    assert_eq!((g.size, &g.init), (32, &expected));
    let main = loaded.program.function("main").expect("main exists");
    // Zeros at the end are left out.
    let content = |address: u64| address.to_le_bytes()[..8 - address.leading_zeros() as usize / 8].to_vec();
    assert_eq!(global("fp").1.init, content(function_address(main)));
    let (missing, external) = global("missing");
    assert!(external.external && external.size == 12);
    assert_eq!(global("q").1.init, content(global_address(missing) + 4));
    assert!(global("k").1.constant && global("k").1.init == [7]);
}

#[test]
fn tables_of_relative_addresses_are_resolved() {
    let loaded = load_ll(
        r#"
        @a = private constant [4 x i8] c"abc\00"
        @b = private constant [4 x i8] c"def\00"
        @table = private constant [2 x i32] [
          i32 trunc (i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @table to i64)) to i32),
          i32 trunc (i64 sub (i64 ptrtoint (ptr @b to i64), i64 ptrtoint (ptr @table to i64)) to i32)]
        declare ptr @llvm.load.relative.i64(ptr, i64)
        define i32 @main(i32 %n) {
          %i = zext i32 %n to i64
          %o = shl i64 %i, 2
          %p = call ptr @llvm.load.relative.i64(ptr @table, i64 %o)
          %c = load i8, ptr %p
          %r = zext i8 %c to i32
          ret i32 %r
        }
        "#,
    )
    .expect("it loads");
    assert_eq!(loaded.program.globals[2].init, [0, 0, 0, 0, 8]);
    let expected: Vec<u8> = [0, 1].iter().flat_map(|id| global_address(GlobalId(*id)).to_le_bytes()).collect();
    assert_eq!(loaded.program.globals[3].init, expected);
    assert_eq!(unsupported(&loaded), Vec::<String>::new());
}

#[test]
fn debug_information_names_parameters_and_variables() {
    let text = "void g(int *); int f(int first, long second) { int kept = first; g(&kept); return kept + (int)second; } int main(void) { return f(1, 2); }";
    for level in ["-O0", "-O1"] {
        let source = Source::new("a.c", text);
        let bitcode = source.clang(&["-c", "-emit-llvm", "-g", "-fdiscard-value-names", level], "a.bc");
        let loaded = load_verified(&LoadOptions { inputs: vec![bitcode], ..LoadOptions::default() }).expect("it loads");
        let function = &loaded.program.functions[loaded.program.function("f").expect("f exists").index()];
        let names: Vec<_> = function.params.iter().map(|param| &*param.name).collect();
        assert_eq!(names, ["first", "second"], "{level}");
        let allocas = &function.body.as_ref().expect("f is defined").allocas;
        assert_eq!(allocas.iter().map(|alloca| &*alloca.name).collect::<Vec<_>>(), ["kept"], "{level}");
    }
}

/// Parts of variables can be named as C writes them, wherever the variables are.
#[test]
fn debug_information_describes_variables() {
    let text = "struct pair { int x; unsigned char tag[3]; } table[4];\n\
                long sum(long *values) {\n    struct pair local = table[1];\n    long total = local.x;\n    \
                total += *values;\n    return total + local.tag[2];\n}\n\
                int main(void) { long one = 1; return (int)sum(&one); }\n";
    let program = load_c(text, OptLevel::O0).program;
    let names = &program.names;
    let table = program.globals.iter().position(|global| &*global.name == "table").unwrap();
    let ty = names.global(GlobalId(table as u32)).unwrap();
    assert_eq!(names.part(ty, 12, 1).suffix, "[1].tag[0]");
    let sum = program.function("sum").unwrap();
    let local = names.object(sum, "local", 8).expect("it is on the stack");
    assert_eq!(names.part(local, 0, 4).suffix, ".x");
    let body = program.functions[sum.index()].body.as_ref().unwrap();
    let named: Vec<&str> =
        body.locals.iter().filter_map(|(slot, _)| names.slot(sum, *slot)).map(|local| &*local.name).collect();
    assert_eq!(named, ["values", "total"], "they are in slots");
}

#[test]
fn files_are_linked() {
    let first = Source::new("first.c", "int shared = 3; int other(int); int main(void) { return other(shared); }");
    let second = Source::new(
        "second.c",
        "extern int shared; static int twice(int x) { return 2 * x; } int other(int x) { return twice(x) + shared; }",
    );
    let bitcode = second.clang(&["-c", "-emit-llvm", "-g"], "second.bc");
    let loaded = load_verified(&LoadOptions { inputs: vec![first.path(), bitcode], ..LoadOptions::default() });
    let loaded = loaded.expect("they fit");
    assert!(loaded.program.functions.iter().all(|function| function.body.is_some() && function.user));
}

#[test]
fn a_library_is_linked_on_demand() {
    let library = Source::new(
        "text.c",
        "int inner(int); int outer(int x) { return inner(x) + 1; } int own(void) { return 1; } int shim(void) { return 2; }",
    );
    let folder = library.folder().join("libc");
    std::fs::create_dir(&folder).expect("a new folder");
    library.clang(&["-c", "-emit-llvm"], "libc/text.bc");
    let inner =
        Source::new("inner.c", "static int helper(int x) { return x; } int inner(int x) { return helper(x) * 3; }");
    std::fs::copy(inner.clang(&["-c", "-emit-llvm"], "inner.bc"), folder.join("inner.bc")).expect("a small file");
    std::fs::write(
        folder.join("index"),
        "inner inner.bc\nouter text.bc\nown text.bc\nshim text.bc\nunused missing.bc\n",
    )
    .expect("a small file");
    let user = Source::new(
        "main.c",
        "int outer(int); int shim(void); static int helper(int x) { return -x; } int own(void) { return 5; } int main(void) { return outer(2) + shim() + own() + helper(1); }",
    );
    let mut options = user.options();
    options.runtime.libc = Some(folder.clone());
    options.shims = vec!["shim".to_string()];
    let loaded = load_verified(&options).expect("it loads");
    let mut user_functions: Vec<_> =
        loaded.program.functions.iter().filter(|function| function.user).map(|function| &*function.name).collect();
    user_functions.sort();
    assert_eq!(user_functions, ["helper", "main", "own"]);
    assert!(loaded.program.function("outer").is_some() && loaded.program.function("inner").is_some());
    // The program's own function counts, and the number of a branch is only for the user's code.
    assert!(dump(&loaded, "own").contains("return 5"));
    std::fs::write(folder.join("index"), "outer text.bc and more\n").expect("a small file");
    let error = load(&options).expect_err("the index is damaged");
    assert!(error.to_string().ends_with("index:1: not `symbol member`"), "{error}");
}

#[test]
fn errors_are_one_clear_sentence() {
    let message = |text: &str, name: &str, change: &dyn Fn(&mut LoadOptions)| {
        let source = Source::new(name, text);
        let mut options = source.options();
        change(&mut options);
        let error = load(&options).expect_err("it does not load").to_string();
        error.replace(&*source.folder().to_string_lossy(), "DIR")
    };
    let entry = |name: &str| Entry::Function(UnitOptions::new(name));
    let keep = |_: &mut LoadOptions| {};
    assert_eq!(
        message("", "a.txt", &keep),
        "cannot load DIR/a.txt: it is not a .c, .i, .bc or .ll file, nor an executable, object or archive of `secateur cc`"
    );
    assert_eq!(message("int main( {", "a.c", &keep), "cannot compile DIR/a.c: the compiler found errors");
    assert_eq!(
        message("int f(void) { return 1; }", "a.c", &keep),
        "the program has neither `main` nor `LLVMFuzzerTestOneInput`, and no function to start with was named"
    );
    assert_eq!(
        message("int parse(void) { return 1; }", "a.c", &|options| options.entry = entry("prase")),
        "the program has no function `prase`; did you mean `parse`?"
    );
    assert_eq!(
        message("int f(int (*callback)(int)) { return callback(1); }", "a.c", &|options| options.entry = entry("f")),
        "cannot start with `f`: its parameter `callback` is a pointer to a function"
    );
    assert_eq!(
        message("int f(long double x) { return x > 1; }", "a.c", &|options| options.entry = entry("f")),
        "cannot start with `f`: its parameter `x` is a long double, which cannot be symbolic"
    );
    assert_eq!(
        message("int f(int n, ...) { return n; }", "a.c", &|options| options.entry = entry("f")),
        "cannot start with `f`: it takes variable arguments"
    );
    assert_eq!(
        message("", "a.c", &|options| options.inputs[0].set_file_name("b.c")),
        "cannot read DIR/b.c: no such file or directory"
    );
    assert_eq!(
        message("", "a.c", &|options| {
            options.inputs[0].set_file_name("c.c");
            std::fs::create_dir(&options.inputs[0]).unwrap();
        }),
        "cannot read DIR/c.c: is a directory"
    );
    assert_eq!(
        message("int main(void) { return 0; }", "a.c", &|options| options.clang = "no-such-compiler".into()),
        "cannot run no-such-compiler: no such file or directory; install the package clang-19"
    );
    assert_eq!(
        message("hello", "a.bc", &keep),
        "cannot read DIR/a.bc: not LLVM 19 bitcode (it does not begin like bitcode)"
    );
    assert_eq!(
        message("int f(void) { return 1; } int main(void) { return f(); }", "a.c", &|options| {
            let again = options.inputs[0].clone();
            options.inputs.push(again);
        }),
        "cannot link DIR/a.c: `f` is defined in more than one file"
    );
    assert_eq!(
        message("define i32 @main() { ret i32 %x }", "a.ll", &keep),
        "cannot read DIR/a.ll: not LLVM 19 bitcode (DIR/a.ll:1:30: error: use of undefined value '%x' define i32 @main() { ret i32 %x } ^)"
    );
}

#[test]
fn programs_of_svcomp_need_no_declarations() {
    let source =
        Source::new("a.c", "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3) reach_error(); return 0; }");
    std::fs::write(source.folder().join("svcomp.h"), "int __VERIFIER_nondet_int(void); void reach_error(void);")
        .expect("a small file");
    let mut options = source.options();
    options.runtime.include = Some(source.folder().to_path_buf());
    let loaded = load_verified(&options).expect("it is found");
    assert!(loaded.program.function("reach_error").is_some());
}

#[test]
fn overflow_checks_stay_as_calls() {
    let source = Source::new("a.c", "int main(int c, char **v) { return (c + c) << c; }");
    let loaded = load_verified(&LoadOptions { ubsan: true, ..source.options() }).expect("it loads");
    for name in ["__ubsan_handle_add_overflow", "__ubsan_handle_shift_out_of_bounds"] {
        assert!(loaded.program.function(name).is_some(), "{name}");
    }
}

#[test]
fn loading_twice_gives_the_same() {
    let text = "int f(int a, int b) { return a > b ? a : b; } int main(int c, char **v) { return f(c, 3); }";
    let source = Source::new("a.c", text);
    let options = LoadOptions { opt_level: OptLevel::O1, ..source.options() };
    let (first, second) = (load(&options).expect("it loads"), load(&options).expect("it loads again"));
    assert!(first == second);
}
