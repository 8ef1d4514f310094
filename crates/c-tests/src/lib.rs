//! Writes the tests of a single function as a C file that needs nothing of Secateur's: `f_test.c`.

mod callee;
mod check;
mod declare;
mod file;
mod input;
mod leaf;
mod literal;
mod made;
mod names;
mod place;
mod snapshot;
mod tuning;

pub use file::Sources;
pub use snapshot::{Area, Content, Memory, Owner};
pub use tuning::Tuning;

use names::Names;
use place::Places;
use secateur_program::Unit;
use secateur_suite::prediction::Expected;
use snapshot::Snapshot;
use std::sync::Arc;

/// The tests of one function, collected so far.
#[derive(Debug)]
pub struct CTests {
    function: Arc<Function>,
    tests: Vec<Test>,
    /// Why some tests cannot be written in C, by their names.
    left_out: Vec<(String, String)>,
}

/// A function whose tests are written.
#[derive(Debug)]
pub struct Function {
    unit: Unit,
    names: Names,
    tuning: Tuning,
}

/// One test.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Test {
    /// The test that it was generated from, e.g. `tests/000001.ktest`.
    name: String,
    body: Body,
}

/// What a test consists of.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Body {
    /// The lines of its function.
    lines: Vec<String>,
    end: TestEnd,
}

/// How a test ends.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
enum TestEnd {
    /// The function returns.
    Return,
    /// The function ends the program with this status.
    Exit(i32),
    /// In a bug, described in one line.
    Bug(String),
}

impl Function {
    /// A function that is tested by itself.
    pub fn new(unit: Unit, tuning: Tuning) -> Function {
        let names = Names::of(&unit);
        Function { unit, names, tuning }
    }

    /// The description of the function.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// The test of a path, or why it cannot be written in C; `memory` is the memory at the end of the path.
    pub fn write(&self, expected: &Expected, memory: &mut dyn Memory) -> Result<Body, String> {
        let Some(snapshot) = Snapshot::read(&self.unit, memory) else {
            return Err("it ends before the function is called".into());
        };
        let end = match expected {
            Expected::Exit(_) if snapshot.returned => TestEnd::Return,
            Expected::Exit(status) => TestEnd::Exit(status & 0xff),
            Expected::Bug { kind, file, line, message } => TestEnd::Bug(format!("{file}:{line}: {kind}: {message}")),
            Expected::Assumed => return Err("an assumption of the program does not hold".into()),
            Expected::Ignored { what } => return Err(format!("a check fails that is switched off ({what})")),
            Expected::Limit { what } => return Err(format!("its path was stopped at a limit ({what})")),
            Expected::Unsupported { what } => return Err(format!("unsupported: {what}")),
        };
        let places = Places { unit: &self.unit, names: &self.names, snapshot: &snapshot };
        let input = input::Input::write(places);
        let mut lines = input.statements;
        let call = format!("{}({})", callee::name(&self.unit.function), input.arguments.join(", "));
        let result = self.unit.result.as_ref().map(|result| {
            let declared = declare::declare(&self.unit, result.ty, &result.name);
            // A type without a name can be written as that of the call, which `__typeof__` does not evaluate.
            declared.unwrap_or_else(|| format!("__typeof__({call}) {}", result.name))
        });
        match (&end, result) {
            (TestEnd::Return, Some(result)) => {
                lines.push(format!("{result} = {call};"));
                lines.extend(check::write(places, &self.tuning, &input.objects, memory));
            }
            (TestEnd::Return, None) => {
                lines.push(format!("{call};"));
                lines.extend(check::write(places, &self.tuning, &input.objects, memory));
            }
            (TestEnd::Exit(_), _) => {
                lines.push(format!("{call};"));
                lines.push(format!("assert(!\"{} returns\");", self.unit.function));
            }
            (TestEnd::Bug(_), _) => lines.push(format!("{call};")),
        }
        Ok(Body { lines, end })
    }
}

impl CTests {
    /// No tests yet.
    pub fn new(function: Arc<Function>) -> CTests {
        CTests { function, tests: Vec::new(), left_out: Vec::new() }
    }

    /// The function.
    pub fn function(&self) -> &Arc<Function> {
        &self.function
    }

    /// Adds a test of the given name, or records why it cannot be written in C.
    pub fn add(&mut self, name: &str, body: Result<Body, String>) {
        let name = name.to_string();
        match body {
            Ok(body) => self.tests.push(Test { name, body }),
            Err(reason) => self.left_out.push((name, reason)),
        }
    }

    /// The name of the file.
    pub fn file_name(&self) -> String {
        format!("{}_test.c", self.function.unit.function)
    }

    /// The whole file.
    pub fn text(&self, sources: &Sources) -> String {
        file::write(self, sources)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_program::unit::*;
    use std::collections::{BTreeMap, HashMap};

    /// `int count(const char *text, struct node *list)` and the types around it.
    pub(crate) fn example() -> (Unit, HashMap<&'static str, TypeId>) {
        let mut types = Vec::new();
        let mut ids = HashMap::new();
        let mut add = |label: &'static str, name: Option<&str>, size: u64, kind: TypeKind| {
            types.push(CType { name: name.map(str::to_string), size, kind });
            let id = TypeId(types.len() as u32 - 1);
            ids.insert(label, id);
            id
        };
        let int = add("int", Some("int"), 4, TypeKind::Integer { signed: true });
        let char = add("char", Some("char"), 1, TypeKind::Char { signed: true });
        let text = add("pointer to char", None, 8, TypeKind::Pointer { to: Some(char), constant: true });
        let row = add("row", None, 12, TypeKind::Array { element: int, count: 3 });
        add("pointer to row", None, 8, TypeKind::Pointer { to: Some(row), constant: false });
        add("pointer to strings", None, 8, TypeKind::Pointer { to: Some(text), constant: true });
        add("callback", None, 8, TypeKind::FunctionPointer);
        let node = TypeId(8);
        let pointer = add("pointer to node", None, 8, TypeKind::Pointer { to: Some(node), constant: false });
        let member = |name: &str, bit_offset, bit_width, ty| Member {
            name: name.into(),
            bit_offset,
            bit_width,
            qualified: false,
            ty,
        };
        let members =
            vec![member("value", 0, None, int), member("flags", 32, Some(3), int), member("next", 64, None, pointer)];
        add("node", Some("struct node"), 16, TypeKind::Struct { members });
        let variable = |name: &str, ty, record: &str| Variable { name: name.into(), ty, record: record.into() };
        let object = |label: &str, ty, count, size, constant, record: &str| UnitObject {
            label: label.into(),
            ty: Some(ty),
            count,
            size,
            constant,
            record: record.into(),
        };
        let unit = Unit {
            function: "count".into(),
            file: "/src/count.c".into(),
            types,
            params: vec![variable("text", text, "text"), variable("list", pointer, "list")],
            result: Some(variable("result", int, "result")),
            objects: vec![
                object("text", char, 4, 4, true, "object 0"),
                object("list", node, 1, 16, false, "object 1"),
                object("list.next", node, 1, 16, false, "object 2"),
            ],
            globals: Vec::new(),
            null_passed: vec![],
            own_globals: Vec::new(),
            inputs: 3,
        };
        (unit, ids)
    }

    fn add(tests: &mut CTests, name: &str, expected: &Expected, memory: &mut dyn Memory) {
        let body = tests.function().write(expected, memory);
        tests.add(name, body);
    }

    /// A byte of this value stands for one that was never written.
    const UNWRITTEN: u8 = 0xcd;

    /// Objects by their addresses; global variables are at 1000, 2000, …
    #[derive(Default)]
    struct Fake {
        globals: Vec<&'static str>,
        memory: BTreeMap<u64, Vec<u8>>,
    }

    impl Fake {
        fn global(&mut self, name: &'static str, bytes: Vec<u8>) {
            self.globals.push(name);
            self.memory.insert(self.globals.len() as u64 * 1000, bytes);
        }
    }

    impl Memory for Fake {
        fn read(&mut self, address: u64, len: u64) -> Option<Content> {
            let (start, bytes) = self.memory.range(..=address).next_back()?;
            let offset = (address - start) as usize;
            let bytes = bytes.get(offset..offset + len as usize)?.to_vec();
            Some(Content { written: bytes.iter().map(|byte| *byte != UNWRITTEN).collect(), bytes })
        }

        fn area(&mut self, address: u64) -> Option<Area> {
            let (start, bytes) = self.memory.range(..=address).next_back()?;
            let size = bytes.len() as u64;
            (address - start <= size).then_some(Area { address: *start, size, owner: Owner::Program })
        }

        fn is_address(&mut self, number: u64) -> bool {
            self.area(number).is_some()
        }

        fn address_of(&mut self, global: &str) -> Option<u64> {
            self.globals.iter().position(|known| *known == global).map(|index| (index as u64 + 1) * 1000)
        }
    }

    fn node(value: i32, flags: u8, next: u64) -> Vec<u8> {
        [&value.to_le_bytes()[..], &[flags, 0, 0, 0], &next.to_le_bytes()].concat()
    }

    fn record(address: u64, bytes: &[u8]) -> Vec<u8> {
        [&address.to_le_bytes()[..], &[0; 8], bytes].concat()
    }

    fn finished_call() -> Fake {
        let mut memory = Fake::default();
        memory.global(RETURNED, vec![1]);
        memory.global("text", 50_000u64.to_le_bytes().to_vec());
        memory.global("list", 60_000u64.to_le_bytes().to_vec());
        memory.global("object 0", record(50_000, b"a\"\0\0"));
        memory.global("object 1", record(60_000, &node(7, 0, 0)));
        memory.global("object 2", record(70_000, &node(9, 0, 0)));
        memory.global("result", (-1i32).to_le_bytes().to_vec());
        memory.memory.insert(50_000, b"a\"\0\0".to_vec());
        memory.memory.insert(60_000, node(7, 5, 60_000));
        memory.memory.insert(70_000, node(9, 0, 0));
        memory
    }

    fn sources() -> Sources {
        Sources { program: vec!["/src/count.c".into()], flags: Vec::new() }
    }

    #[test]
    fn a_test_creates_its_input_calls_and_compares() {
        let mut tests = CTests::new(Arc::new(Function::new(example().0, Tuning::default())));
        add(&mut tests, "tests/000001.ktest", &Expected::Exit(0), &mut finished_call());
        assert_eq!(
            tests.tests[0].body.lines,
            [
                "char *text = calloc(4, sizeof(char));",
                "struct node *list = calloc(1, sizeof(struct node));",
                "strcpy((char *)text, \"a\\\"\");",
                "list->value = 7;",
                "int result = count(text, list);",
                "assert(result == -1);",
                "assert(list->value == 7);",
                "assert(list->flags == -3);",
                "assert(list->next == list);",
            ]
        );
        let text = tests.text(&sources());
        assert!(text.contains("#define UNIT_SOURCE \"/src/count.c\""), "{text}");
        assert!(!text.contains("unit_same_double"), "helpers that nobody needs are left out: {text}");
    }

    #[test]
    fn written_memory_of_the_function_is_compared() {
        let mut memory = finished_call();
        let unwritten = i32::from_le_bytes([UNWRITTEN; 4]);
        memory.memory.insert(60_000, node(7, 0, 80_000));
        memory.memory.insert(80_000, node(1, 2, 90_000));
        memory.memory.insert(90_000, node(unwritten, 0, 80_000));
        let mut tests = CTests::new(Arc::new(Function::new(example().0, Tuning::default())));
        add(&mut tests, "tests/000001.ktest", &Expected::Exit(0), &mut memory);
        let checks: Vec<&str> = tests.tests[0].body.lines.iter().skip(6).map(String::as_str).collect();
        assert_eq!(
            checks,
            [
                "assert(list->value == 7);",
                "assert(list->flags == 0);",
                "assert(list->next != NULL);",
                "assert(list->next->value == 1);",
                "assert(list->next->flags == 2);",
                "assert(list->next->next != NULL);",
                "assert(list->next->next->flags == 0);",
                "assert(list->next->next->next != NULL);",
                "assert(list->next->next->next == list->next);",
            ]
        );
    }

    #[test]
    fn pointers_are_followed_to_the_tuned_depth() {
        let mut memory = finished_call();
        memory.memory.insert(60_000, node(7, 0, 80_000));
        memory.memory.insert(80_000, node(1, 2, 90_000));
        memory.memory.insert(90_000, node(3, 4, 0));
        let tuning = Tuning { depth: 1, ..Tuning::default() };
        let mut tests = CTests::new(Arc::new(Function::new(example().0, tuning)));
        add(&mut tests, "tests/000001.ktest", &Expected::Exit(0), &mut memory);
        let last = tests.tests[0].body.lines.last().map(String::as_str);
        assert_eq!(last, Some("assert(list->next->next != NULL);"));
    }

    #[test]
    fn freed_objects_are_not_compared() {
        let mut memory = finished_call();
        memory.memory.remove(&60_000);
        let mut tests = CTests::new(Arc::new(Function::new(example().0, Tuning::default())));
        add(&mut tests, "tests/000001.ktest", &Expected::Exit(0), &mut memory);
        assert_eq!(tests.tests[0].body.lines.last().map(String::as_str), Some("/* list was freed. */"));
    }

    #[test]
    fn tests_that_end_in_a_bug_do_not_run_by_default() {
        let mut memory = finished_call();
        memory.memory.insert(1000, vec![0]);
        let mut tests = CTests::new(Arc::new(Function::new(example().0, Tuning::default())));
        let expected =
            Expected::Bug { kind: "assertion".into(), file: "a.c".into(), line: 3, message: "x > 0 */".into() };
        add(&mut tests, "bugs/000001.ktest", &expected, &mut memory);
        add(&mut tests, "tests/000002.ktest", &Expected::Exit(3), &mut memory);
        add(&mut tests, "tests/000003.ktest", &Expected::Assumed, &mut memory);
        let text = tests.text(&sources());
        let (before, after) = text.split_once("#ifdef RUN_FAILING\n").expect("there is a part that is left out");
        assert!(!before.contains("count_test_1(void)") && after.contains("count_test_1(void)"), "{text}");
        assert!(before.contains("a.c:3: assertion: x > 0 * /"), "{text}");
        assert!(text.contains("{\"count_test_2\", count_test_2, 3}"), "{text}");
        assert!(text.contains("an assumption of the program does not hold"), "{text}");
    }

    #[test]
    fn a_path_that_never_calls_the_function_is_left_out() {
        let mut tests = CTests::new(Arc::new(Function::new(example().0, Tuning::default())));
        add(&mut tests, "tests/000001.ktest", &Expected::Exit(0), &mut Fake::default());
        assert!(tests.tests.is_empty() && tests.left_out.len() == 1);
    }
}
