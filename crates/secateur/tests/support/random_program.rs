//! Random small C programs over inputs with few values each, so that all their runs can be tried one by one.
//!
//! A program is generated once and written in two forms. In the native form (`brute_force.c`), every check that can
//! fail says so and every input is tried; in the other form they are the checks and inputs of Secateur. Each statement
//! stands on a line of its own, so a bug is known by its line, the same in both forms.

use std::fmt::Write;
use std::ops::RangeInclusive;

/// What precedes a program for Secateur. Names begin with `@`, which is removed.
const PREAMBLE: &str = r#"#include <assert.h>
#include <stdlib.h>
#include <string.h>
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);
static int in(int most) {
  unsigned char value = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(value <= most);
  return value;
}
#define GLOBAL static
#define ASSERT(value, limit) assert((int)(value) <= (limit))
#define ASSUME(condition) __VERIFIER_assume(condition)
#define AT(array, length, index) ((array)[index])
#define DEREF(pointer) (*(pointer))
#define DIVIDE(a, b) ((int)(a) / (int)(b))
#define HEAD(...) ((void)0)
#line 1 "random.c"
"#;

/// A generated program.
pub struct RandomProgram {
    /// With `@` before each name of its own and `$k` for the limit of assertion k.
    text: String,
    /// For each assertion, by how much its limit is below the greatest value that it ever sees.
    pub slack: Vec<i32>,
    /// Whether its outermost loop never ends.
    pub is_endless: bool,
}

impl RandomProgram {
    /// The program with this number of this seed.
    pub fn generate(seed: u64, number: u64) -> RandomProgram {
        let mut generator = Generator::new(Random::new(seed, number));
        generator.program();
        RandomProgram { text: generator.text, slack: generator.slack, is_endless: generator.is_endless }
    }

    /// Whether a line holds a check whose failure is undefined behaviour.
    pub fn is_undefined_at(&self, line: usize) -> bool {
        let text = self.text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        ["AT(", "DEREF(", "DIVIDE("].iter().any(|check| text.contains(check))
    }

    /// Its text for `brute_force.c`, with a name of its own for everything.
    pub fn native(&self, index: usize) -> String {
        format!("#line 1 \"random{index}.c\"\n{}", self.text.replace('@', &format!("p{index}_")).replace('$', ""))
    }

    /// Its text for Secateur, once the limits of its assertions are known.
    pub fn for_secateur(&self, limits: &[i32]) -> String {
        let mut text = PREAMBLE.to_string();
        let mut rest = self.text.as_str();
        while let Some((before, after)) = rest.split_once('$') {
            let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let limit = after[..digits].parse::<usize>().ok().and_then(|index| limits.get(index)).copied().unwrap_or(0);
            let _ = write!(text, "{before}{limit}");
            rest = &after[digits..];
        }
        (text + rest).replace('@', "") + "int main(void) { return program(); }\n"
    }
}

/// A generator of numbers, xorshift64*.
struct Random(u64);

impl Random {
    fn new(seed: u64, number: u64) -> Random {
        let mut random =
            Random((seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number.wrapping_mul(0xd134_2543_de82_ef95)) | 1);
        for _ in 0..8 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// A number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn percent(&mut self, chance: u64) -> bool {
        self.next() % 100 < chance
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// An array in scope.
#[derive(Clone)]
struct Array {
    name: String,
    length: usize,
}

/// What a statement may use.
#[derive(Clone, Default)]
struct Scope {
    /// Variables that can be read.
    values: Vec<String>,
    /// Those of them that can be written.
    variables: Vec<String>,
    /// Those of them of type `int`, to which a pointer may point.
    targets: Vec<String>,
    arrays: Vec<Array>,
    /// Pointers to `int`.
    pointers: Vec<String>,
    /// Pointers that may be made to point elsewhere.
    movable: Vec<String>,
    /// Functions `int f(int, int *)` that can be called.
    functions: Vec<String>,
    /// A pointer to such a function.
    function_pointer: Option<String>,
    /// `break` and `continue` are possible.
    in_loop: bool,
    /// What `return` returns.
    result: &'static str,
    /// How many loops are around.
    loops: usize,
}

struct Generator {
    random: Random,
    text: String,
    indent: usize,
    names: usize,
    slack: Vec<i32>,
    is_endless: bool,
    /// Checks other than assertions may fail, too.
    may_be_undefined: bool,
    /// There may be a stack of nodes on the heap.
    has_heap: bool,
    has_double: bool,
    /// Statements that may still be generated, and reads of input.
    statements: usize,
    inputs: usize,
}

impl Generator {
    fn new(mut random: Random) -> Generator {
        let is_endless = random.percent(25);
        let has_heap = !is_endless && random.percent(20);
        let has_double = random.percent(15);
        let may_be_undefined = random.percent(35);
        Generator {
            random,
            text: String::new(),
            indent: 0,
            names: 0,
            slack: Vec::new(),
            is_endless,
            may_be_undefined,
            has_heap,
            has_double,
            statements: 0,
            inputs: 0,
        }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.indent));
    }

    fn open(&mut self, text: &str) {
        self.line(&format!("{text} {{"));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    // --- the program as a whole ---

    fn program(&mut self) {
        let mut scope = Scope { result: "0", ..Scope::default() };
        self.globals(&mut scope);
        if self.has_heap {
            self.heap();
        }
        let state = scope.clone();
        for _ in 0..self.random.below(3) {
            self.function(&mut scope);
        }
        if self.random.percent(20) {
            self.recursive_function(&mut scope);
        }
        if !scope.functions.is_empty() && self.random.percent(25) {
            let first = self.random.pick(&scope.functions).clone();
            self.line(&format!("GLOBAL int (*@fp)(int, int *) = {first};"));
            scope.function_pointer = Some("@fp".into());
        }
        self.main(scope, &state);
    }

    fn globals(&mut self, scope: &mut Scope) {
        for i in 0..1 + self.random.below(2) {
            let name = format!("@g{i}");
            let start = self.small();
            self.line(&format!("GLOBAL int {name} = {start};"));
            scope.targets.push(name.clone());
            scope.variables.push(name);
        }
        if self.random.percent(30) {
            let kind = *self.random.pick(&["unsigned char", "short", "unsigned", "_Bool"]);
            let start = self.small();
            self.line(&format!("GLOBAL {kind} @w = {start};"));
            scope.variables.push("@w".into());
        }
        if self.random.percent(30) {
            self.line("GLOBAL struct { int a; char b; int c[2]; } @s, @t;");
            scope.targets.extend(["@s.a".into(), "@s.c[1]".into()]);
            scope.variables.extend(["@s.a".into(), "@s.b".into(), "@s.c[1]".into()]);
        }
        if self.random.percent(40) {
            let length = 2 + self.random.below(3);
            self.line(&format!("GLOBAL int @ga[{length}];"));
            scope.arrays.push(Array { name: "@ga".into(), length });
        }
        scope.values = scope.variables.clone();
    }

    /// A stack on the heap.
    fn heap(&mut self) {
        self.line("struct @node { struct @node *below; int value; };");
        self.line("GLOBAL struct @node *@top;");
        self.open("static void @push(int value)");
        self.line("struct @node *node = malloc(sizeof *node);");
        self.line("if (!node) exit(0);");
        self.line("node->value = value;");
        self.line("node->below = @top;");
        self.line("@top = node;");
        self.close();
        self.open("static int @pop(void)");
        self.line("if (!@top) return 0;");
        self.line("struct @node *node = @top;");
        self.line("int value = node->value;");
        self.line("@top = node->below;");
        self.line("free(node);");
        self.line("return value;");
        self.close();
    }

    fn function(&mut self, globals: &mut Scope) {
        let name = format!("@f{}", globals.functions.len());
        let mut scope = globals.clone();
        scope.values.extend(["v".into(), "x".into()]);
        scope.variables.extend(["v".into(), "x".into()]);
        scope.targets.push("x".into());
        scope.pointers.push("p".into());
        scope.result = "x";
        self.open(&format!("static int {name}(int v, int *p)"));
        let start = self.small();
        self.line(&format!("int x = {start};"));
        (self.statements, self.inputs) = (5, 2);
        self.block(&scope, 0, 4);
        let result = self.value(&scope, 1);
        let result = self.narrowed(&result);
        self.line(&format!("return {result};"));
        self.close();
        globals.functions.push(name);
    }

    fn recursive_function(&mut self, globals: &mut Scope) {
        let mut scope = globals.clone();
        scope.functions.clear();
        scope.values.extend(["v".into(), "x".into()]);
        scope.variables.push("x".into());
        scope.targets.push("x".into());
        scope.pointers.push("p".into());
        scope.result = "x";
        self.open("static int @r(int v, int *p)");
        self.line("int x = v;");
        self.line("if (v <= 0 || v > 3) return 0;");
        (self.statements, self.inputs) = (3, 1);
        self.block(&scope, 0, 2);
        let to = *self.random.pick(&["&x", "p"]);
        self.line(&format!("x += @r(v - 1, {to});"));
        self.line("return x & 7;");
        self.close();
        globals.functions.push("@r".into());
    }

    fn main(&mut self, mut scope: Scope, globals: &Scope) {
        self.open("static int @program(void)");
        let mut state: Vec<String> = globals.variables.clone();
        state.extend(globals.arrays.iter().map(|array| array.name.clone()));
        if state.iter().any(|name| name == "@s.a") {
            state.extend(["@t.a".into(), "@t.b".into(), "@t.c[1]".into()]);
        }
        for i in 0..2 + self.random.below(3) {
            let name = format!("@x{i}");
            let start = self.small();
            self.line(&format!("int {name} = {start};"));
            state.push(name.clone());
            scope.targets.push(name.clone());
            scope.values.push(name.clone());
            scope.variables.push(name);
        }
        if self.random.percent(30) {
            self.line("unsigned char @u = 0;");
            state.push("@u".into());
            scope.values.push("@u".into());
            scope.variables.push("@u".into());
        }
        if self.has_double {
            self.line("double @d = 0.0;");
            state.push("@d".into());
        }
        if self.random.percent(50) {
            let length = 2 + self.random.below(3);
            self.line(&format!("int @la[{length}] = {{0}};"));
            state.push("@la".into());
            scope.arrays.push(Array { name: "@la".into(), length });
        }
        if self.random.percent(50) {
            let target = self.random.pick(&scope.targets).clone();
            self.line(&format!("int *@p = &{target};"));
            state.push("@p".into());
            scope.pointers.push("@p".into());
            scope.movable.push("@p".into());
        }
        if scope.function_pointer.is_some() {
            state.push("@fp".into());
        }
        if self.is_endless {
            (self.statements, self.inputs) = (4, 2);
            self.block(&scope, 0, 2);
            self.open("for (;;)");
            let parts: Vec<String> = state.iter().map(|name| format!("PART({name})")).collect();
            self.line(&format!("HEAD({});", parts.join(" ")));
            (self.statements, self.inputs) = (12, 3);
            let inner = Scope { in_loop: true, loops: 1, ..scope.clone() };
            self.block_of(&inner, 0, 3..=7);
            self.assertion(&inner);
            self.close();
        } else {
            (self.statements, self.inputs) = (30, 12);
            self.block_of(&scope, 0, 7..=14);
        }
        self.assertion(&scope);
        if self.has_heap {
            self.line("while (@top) @pop();");
        }
        self.line("return 0;");
        self.close();
    }

    // --- statements ---

    fn block(&mut self, scope: &Scope, depth: usize, most: usize) {
        self.block_of(scope, depth, 1..=most);
    }

    /// As many statements as one of `counts`, if so many may still be generated.
    fn block_of(&mut self, scope: &Scope, depth: usize, counts: RangeInclusive<usize>) {
        for _ in 0..counts.start() + self.random.below(counts.end() - counts.start() + 1) {
            if self.statements == 0 {
                break;
            }
            self.statements -= 1;
            self.statement(scope, depth);
        }
    }

    fn statement(&mut self, scope: &Scope, depth: usize) {
        let simple = depth >= 3;
        match self.random.below(100) {
            0..22 => self.read_input(scope),
            22..30 => self.assign(scope),
            30..39 => self.count(scope),
            39..44 => self.store(scope),
            44..47 => self.move_pointer(scope),
            47..53 => self.call(scope),
            53..57 => self.assertion(scope),
            57..58 => self.assume(scope),
            58..59 => self.leave(scope),
            59..62 => self.float(scope),
            62..65 => self.use_heap(scope),
            65..77 if !simple => self.branch(scope, depth),
            77..86 if !simple => self.loop_of_some(scope, depth),
            86..90 if !simple => self.loop_of_input(scope, depth),
            90..95 if !simple => self.switch(scope, depth),
            95..98 if !simple => self.jump_forward(scope, depth),
            98..100 if !simple => self.jump_back(scope, depth),
            _ => self.assign(scope),
        }
    }

    fn read_input(&mut self, scope: &Scope) {
        if self.inputs == 0 || scope.loops > 1 {
            return self.assign(scope);
        }
        self.inputs -= 1;
        if self.random.percent(60) {
            self.open("if (in(1))");
            self.block(scope, 2, 2);
            if self.random.percent(30) {
                self.indent -= 1;
                self.open("} else");
                self.block(scope, 2, 2);
            }
            self.close();
        } else {
            let most = if self.random.percent(8) { 40 } else { *self.random.pick(&[1, 1, 2, 3]) };
            let variable = self.random.pick(&scope.variables).clone();
            self.line(&format!("{variable} = in({most});"));
        }
    }

    fn assign(&mut self, scope: &Scope) {
        let variable = self.random.pick(&scope.variables).clone();
        let value = if self.random.percent(20) {
            let condition = self.condition(scope);
            let (a, b) = (self.value(scope, 1), self.value(scope, 1));
            format!("{condition} ? {a} : {b}")
        } else {
            self.value(scope, 2)
        };
        let value = self.narrowed(&value);
        self.line(&format!("{variable} = {value};"));
    }

    fn count(&mut self, scope: &Scope) {
        let variable = self.random.pick(&scope.variables).clone();
        if self.is_endless {
            let most = 2 + self.random.below(4);
            self.line(&format!("if ({variable} < {most}) {variable}++;"));
        } else {
            let step = 1 + self.random.below(2);
            self.line(&format!("{variable} += {step};"));
        }
    }

    /// Through an array or a pointer, or of a whole array or structure.
    fn store(&mut self, scope: &Scope) {
        if let ([to, from, ..], true) = (&scope.arrays[..], self.random.percent(15)) {
            let (to, from, length) = (to.name.clone(), from.name.clone(), to.length.min(from.length));
            return self.line(&format!("memcpy({to}, {from}, {length} * sizeof(int));"));
        }
        if scope.variables.iter().any(|name| name == "@s.a") && self.random.percent(15) {
            let (to, from) = *self.random.pick(&[("@s", "@t"), ("@t", "@s")]);
            return self.line(&format!("{to} = {from};"));
        }
        let value = self.value(scope, 1);
        let value = self.narrowed(&value);
        if !scope.pointers.is_empty() && (scope.arrays.is_empty() || self.random.percent(50)) {
            let pointer = self.random.pick(&scope.pointers).clone();
            self.line(&format!("DEREF({pointer}) = {value};"));
        } else if !scope.arrays.is_empty() {
            let element = self.element(scope);
            self.line(&format!("{element} = {value};"));
        } else {
            self.assign(scope);
        }
    }

    fn move_pointer(&mut self, scope: &Scope) {
        if scope.movable.is_empty() {
            if let (Some(pointer), true) = (&scope.function_pointer, scope.functions.len() > 1) {
                let (pointer, function) = (pointer.clone(), self.random.pick(&scope.functions).clone());
                return self.line(&format!("{pointer} = {function};"));
            }
            return self.assign(scope);
        }
        let pointer = self.random.pick(&scope.movable).clone();
        if self.may_be_undefined && self.random.percent(15) {
            return self.line(&format!("{pointer} = 0;"));
        }
        let target = match self.random.below(3) {
            0 if !scope.arrays.is_empty() => {
                let array = self.random.pick(&scope.arrays).clone();
                format!("{}[{}]", array.name, self.random.below(array.length))
            }
            _ => self.random.pick(&scope.targets).clone(),
        };
        self.line(&format!("{pointer} = &{target};"));
    }

    fn call(&mut self, scope: &Scope) {
        if scope.functions.is_empty() || scope.loops > 1 {
            return self.assign(scope);
        }
        let function = match &scope.function_pointer {
            Some(pointer) if self.random.percent(60) => pointer.clone(),
            _ => self.random.pick(&scope.functions).clone(),
        };
        let argument = self.value(scope, 0);
        let target = match scope.pointers.first() {
            Some(pointer) if self.random.percent(30) => pointer.clone(),
            _ => format!("&{}", self.random.pick(&scope.targets)),
        };
        let variable = self.random.pick(&scope.variables).clone();
        self.line(&format!("{variable} = {function}({argument}, {target});"));
    }

    fn assertion(&mut self, scope: &Scope) {
        let index = self.slack.len();
        self.slack.push(if self.random.percent(25) { 1 } else { 0 });
        let value = if self.random.percent(25) { self.condition(scope) } else { self.value(scope, 2) };
        self.line(&format!("ASSERT({value}, ${index});"));
    }

    fn assume(&mut self, scope: &Scope) {
        let condition = self.condition(scope);
        self.line(&format!("ASSUME({condition});"));
    }

    fn leave(&mut self, scope: &Scope) {
        let condition = self.condition(scope);
        let way = match self.random.below(3) {
            0 if scope.in_loop => "break".to_string(),
            1 if scope.in_loop => "continue".to_string(),
            _ => format!("return {}", scope.result),
        };
        self.line(&format!("if ({condition}) {way};"));
    }

    /// Only `main` has the floating-point variable.
    fn float(&mut self, scope: &Scope) {
        if !self.has_double || !scope.values.iter().any(|name| name == "@x0") {
            return self.assign(scope);
        }
        match self.random.below(3) {
            0 => self.line("if (@d < 2.0) @d += 0.5;"),
            1 => self.line("if (@d > -1.0) @d -= 0.25;"),
            _ => {
                let variable = self.random.pick(&scope.variables).clone();
                self.line(&format!("{variable} = @d > 0.75;"));
            }
        }
    }

    fn use_heap(&mut self, scope: &Scope) {
        if !self.has_heap || scope.loops > 1 {
            return self.assign(scope);
        }
        if self.random.percent(60) {
            let value = self.value(scope, 1);
            let value = self.narrowed(&value);
            self.line(&format!("@push({value});"));
        } else {
            let variable = self.random.pick(&scope.variables).clone();
            self.line(&format!("{variable} = @pop();"));
        }
    }

    fn branch(&mut self, scope: &Scope, depth: usize) {
        let condition = self.condition(scope);
        self.open(&format!("if ({condition})"));
        self.block(scope, depth + 1, 3);
        if self.random.percent(45) {
            self.indent -= 1;
            self.open("} else");
            self.block(scope, depth + 1, 3);
        }
        self.close();
    }

    fn loop_of_some(&mut self, scope: &Scope, depth: usize) {
        let counter = self.name("i");
        let rounds = 2 + self.random.below(3);
        let mut inner = Scope { in_loop: true, loops: scope.loops + 1, ..scope.clone() };
        inner.values.push(counter.clone());
        self.open(&format!("for (int {counter} = 0; {counter} < {rounds}; {counter}++)"));
        self.block(&inner, depth + 1, 3);
        self.close();
    }

    /// A loop whose number of rounds is input.
    fn loop_of_input(&mut self, scope: &Scope, depth: usize) {
        if self.inputs == 0 || scope.loops > 1 {
            return self.loop_of_some(scope, depth);
        }
        self.inputs -= 1;
        let counter = self.name("n");
        let most = 1 + self.random.below(3);
        self.line(&format!("int {counter} = in({most});"));
        let mut inner = Scope { in_loop: true, loops: scope.loops + 1, ..scope.clone() };
        inner.values.push(counter.clone());
        self.open(&format!("while ({counter} > 0)"));
        self.line(&format!("{counter}--;"));
        self.block(&inner, depth + 1, 3);
        self.close();
    }

    fn switch(&mut self, scope: &Scope, depth: usize) {
        let value = self.value(scope, 1);
        // `continue` means the loop around, but `break` would mean the switch.
        let inner = Scope { in_loop: false, ..scope.clone() };
        self.open(&format!("switch (({value}) & 3)"));
        for case in 0..2 + self.random.below(2) {
            self.line(&format!("case {case}:"));
            self.indent += 1;
            self.line(";");
            self.block(&inner, depth + 1, 2);
            if self.random.percent(75) {
                self.line("break;");
            }
            self.indent -= 1;
        }
        if self.random.percent(60) {
            self.line("default:");
            self.indent += 1;
            self.line(";");
            self.block(&inner, depth + 1, 2);
            self.indent -= 1;
        }
        self.close();
    }

    fn jump_forward(&mut self, scope: &Scope, depth: usize) {
        let label = self.name("out");
        let condition = self.condition(scope);
        self.open("");
        self.line(&format!("if ({condition}) goto {label};"));
        self.block(scope, depth + 1, 3);
        self.line(&format!("{label}:;"));
        self.close();
    }

    fn jump_back(&mut self, scope: &Scope, depth: usize) {
        let (label, tries) = (self.name("again"), self.name("t"));
        let inner = Scope { loops: scope.loops + 1, ..scope.clone() };
        self.open("");
        self.line(&format!("int {tries} = 0;"));
        self.line(&format!("{label}:;"));
        self.block(&inner, depth + 1, 3);
        let condition = self.condition(scope);
        self.line(&format!("if (({condition}) && {tries}++ < 2) goto {label};"));
        self.close();
    }

    // --- expressions ---

    fn small(&mut self) -> usize {
        self.random.below(4)
    }

    /// Keeps values small: always if there is no end, or they would grow for ever.
    fn narrowed(&mut self, value: &str) -> String {
        if self.is_endless || self.random.percent(50) {
            let mask = *self.random.pick(&[1, 3, 3, 7]);
            format!("({value}) & {mask}")
        } else if self.random.percent(30) {
            format!("({value}) % 5")
        } else {
            format!("({value}) & 31")
        }
    }

    fn element(&mut self, scope: &Scope) -> String {
        let array = self.random.pick(&scope.arrays).clone();
        let Array { name, length } = array;
        let index = if self.random.percent(40) {
            self.random.below(length).to_string()
        } else {
            let variable = self.random.pick(&scope.values).clone();
            match length {
                _ if self.may_be_undefined && self.random.percent(25) => variable,
                2 | 4 => format!("{variable} & {}", length - 1),
                _ => format!("{variable} & 1"),
            }
        };
        format!("AT({name}, {length}, {index})")
    }

    fn value(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 || self.random.percent(30) {
            return match self.random.below(10) {
                0 | 1 => self.small().to_string(),
                2 if !scope.arrays.is_empty() => self.element(scope),
                3 if !scope.pointers.is_empty() => format!("DEREF({})", self.random.pick(&scope.pointers)),
                _ => self.random.pick(&scope.values).clone(),
            };
        }
        let (a, b) = (self.value(scope, depth - 1), self.value(scope, depth - 1));
        match self.random.below(12) {
            0..4 => format!("({a} + {b})"),
            4 | 5 => format!("({a} - {b})"),
            6 => format!("({a} * {})", 1 + self.random.below(3)),
            7 => format!("({a} & {b})"),
            8 => format!("({a} | {b})"),
            9 => format!("({a} ^ {b})"),
            10 => format!("(1 << ({a} & 3))"),
            // By a variable: what is divided by the constant 0, a compiler may replace by anything.
            _ if self.may_be_undefined && self.random.percent(40) => {
                format!("DIVIDE({a}, {})", self.random.pick(&scope.values))
            }
            _ => format!("({a} % {})", 2 + self.random.below(3)),
        }
    }

    fn condition(&mut self, scope: &Scope) -> String {
        if !scope.pointers.is_empty() && self.random.percent(6) {
            let (pointer, target) = (self.random.pick(&scope.pointers).clone(), self.random.pick(&scope.targets));
            return format!("({pointer} == &{target})");
        }
        let (a, b) = (self.value(scope, 1), self.value(scope, 0));
        let sign = *self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
        let simple = format!("{a} {sign} {b}");
        if self.random.percent(20) {
            let other = self.random.pick(&scope.values).clone();
            let sign = *self.random.pick(&["&&", "||"]);
            return format!("({simple}) {sign} {other}");
        }
        format!("({simple})")
    }
}
