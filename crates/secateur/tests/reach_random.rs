//! Random programs with marked lines whose truth is known, because all their runs are tried natively: no answer of
//! `secateur reach` may be wrong, whichever way it searches.
//!
//! `REACH_PROGRAMS` and `REACH_SEED` try more of them, or others.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::Command;

use support::expect_exit;
use workbench::Workbench;

/// How many programs are tried by default, from which seed.
const PROGRAMS: u64 = 8;
const SEED: u64 = 1;
/// The ways to search.
const WAYS: [&str; 3] = ["forward", "backward", "both"];

/// How many marks of a program are targets.
const TARGETS: usize = 4;

/// Each input has this many values, from 0 on.
const VALUES: u64 = 8;

/// The beginning of a program: once for Secateur, and once to try all its runs.
const FOR_SECATEUR: &str = "#include <string.h>
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);
static int in(void) { unsigned char v = __VERIFIER_nondet_uchar(); __VERIFIER_assume(v < 8); return v; }
#define HIT(number) hits++
static int hits;
";
const FOR_ALL_RUNS: &str = "#include <stdio.h>
#include <string.h>
static int input[8], position, hit[1000];
static int in(void) { return input[position++]; }
#define HIT(number) hit[number] = 1
static int hits;
";

/// What all programs have.
const COMMON: [&str; 7] = [
    "static int g, t[4];",
    "static int l[4];",
    "struct pair { int a, b; };",
    "static void set(int *to, int value) { *to = value; }",
    "static int more(int x) { return x + 1; }",
    "static int less(int x) { return x - 2; }",
    "static int deep(int n, int x) { int own = x + n; if (n > 0) own += deep(n - 1, x ^ 1); return own; }",
];

/// A program without its beginning, which has as many lines in both forms.
struct Program {
    text: String,
    inputs: u32,
    /// The number of each marked line.
    marked: Vec<usize>,
}

struct Generator {
    state: u64,
    lines: Vec<String>,
    marked: Vec<usize>,
    loops: usize,
    functions: Vec<String>,
}

impl Generator {
    fn below(&mut self, limit: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 20) % limit
    }

    fn pick(&mut self, of: &[String]) -> String {
        of[self.below(of.len() as u64) as usize].clone()
    }

    fn expression(&mut self, names: &[String], depth: u32) -> String {
        match self.below(20) {
            _ if depth > 2 => self.pick(names),
            0..7 => self.pick(names),
            7..10 => (self.below(16) as i64 - 3).to_string(),
            10..12 => format!("t[{} & 3]", self.expression(names, depth + 1)),
            _ => {
                // Products of unknowns are questions that take a solver seconds.
                let operator = ["+", "-", "* 3 +", "&", "|", "^"][self.below(6) as usize];
                format!("({} {operator} {})", self.expression(names, depth + 1), self.expression(names, depth + 1))
            }
        }
    }

    fn condition(&mut self, names: &[String]) -> String {
        let operator = ["<", ">", "==", "!=", "<=", ">="][self.below(6) as usize];
        let mut text = format!("{} {operator} {}", self.expression(names, 0), self.expression(names, 0));
        if self.below(5) == 0 {
            let join = ["&&", "||"][self.below(2) as usize];
            let _ = write!(text, " {join} {} == {}", self.expression(names, 0), self.expression(names, 0));
        }
        text
    }

    fn add(&mut self, line: String) {
        self.lines.push(line);
    }

    fn mark(&mut self) {
        let number = self.lines.len();
        self.marked.push(number);
        self.add(format!("HIT({number});"));
    }

    fn block(&mut self, names: &[String], depth: u32) {
        for _ in 0..=self.below(3) {
            // The counter of a loop is not written, so that every loop ends.
            let written: Vec<String> = names.iter().filter(|name| !name.starts_with('i')).cloned().collect();
            let (to, value) = (self.pick(&written), self.expression(names, 0));
            match self.below(30) {
                0..5 => self.add(format!("{to} = {value};")),
                20 => {
                    let index = self.expression(names, 0);
                    self.add(format!("{{ int *p = &l[{index} & 3]; *p = {value}; if (p == &l[2]) {to} = l[1]; }}"));
                }
                21 => self.add(format!("set(&{to}, {value});")),
                22 => {
                    let index = self.expression(names, 0);
                    self.add(format!("{{ struct pair u = {{ {to}, {value} }}, v = u; *(&v.a + ({index} & 1)) += 2; {to} = v.a - v.b; }}"));
                }
                23 => {
                    let copy = ["memcpy(l, t, sizeof l);", "memcpy(t + 1, l, 8);", "memset(l, 0, 12);"]
                        [self.below(3) as usize];
                    self.add(copy.to_string());
                }
                24 => {
                    let condition = self.condition(names);
                    self.add(format!("{to} = ({condition} ? more : less)({value});"));
                }
                25 => self.add(format!("{to} = deep({value} & 3, {to});")),
                26 => self.add(format!("{{ static int calls; if (++calls > 1) calls = 1; {to} += calls; }}")),
                27 if depth < 3 => {
                    self.loops += 1;
                    let counter = format!("i{}", self.loops);
                    let condition = self.condition(names);
                    self.add(format!("for (int {counter} = 0; {counter} < 3; {counter}++) {{"));
                    let jump = ["break", "continue"][self.below(2) as usize];
                    self.add(format!("if ({condition}) {jump};"));
                    self.block(&[names, &[counter]].concat(), depth + 1);
                    self.add("}".to_string());
                }
                28 => {
                    let index = self.expression(names, 0);
                    self.add(format!("for (int *p = l; p < l + 4; p++) *p += {value} & 1; {to} = l[{index} & 3];"));
                }
                5 => {
                    let index = self.expression(names, 0);
                    self.add(format!("t[{index} & 3] = {value};"));
                }
                6 => {
                    let (condition, index) = (self.condition(names), self.expression(names, 0));
                    self.add(format!("*({condition} ? &g : &t[{index} & 3]) = {value};"));
                }
                7..9 if !self.functions.is_empty() => {
                    let (function, other) = (self.pick(&self.functions.clone()), self.expression(names, 0));
                    self.add(format!("{to} = {function}({value}, {other});"));
                }
                9..11 if depth < 3 => {
                    self.loops += 1;
                    let counter = format!("i{}", self.loops);
                    self.add(format!("for (int {counter} = 0; {counter} < ({value} & 3); {counter}++) {{"));
                    self.block(&[names, &[counter]].concat(), depth + 1);
                    self.add("}".to_string());
                }
                11 => {
                    let condition = self.condition(names);
                    self.add(format!("if ({condition}) return {value};"));
                }
                12 if depth < 3 => {
                    self.add(format!("switch ({value} & 3) {{"));
                    for case in 0..=self.below(2) {
                        self.add(format!("case {case}:;"));
                        self.block(names, depth + 2);
                        let ends = self.below(3) > 0;
                        self.add(if ends { "break;" } else { ";" }.to_string());
                    }
                    self.add("}".to_string());
                }
                _ if depth < 3 => {
                    let condition = self.condition(names);
                    self.add(format!("if ({condition}) {{"));
                    self.mark();
                    self.block(names, depth + 1);
                    self.add("}".to_string());
                }
                _ => {}
            }
        }
    }

    fn program(seed: u64) -> Program {
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut generator = Generator { state, lines: Vec::new(), marked: Vec::new(), loops: 0, functions: Vec::new() };
        (0..8).for_each(|_| {
            generator.below(2);
        });
        for line in COMMON {
            generator.add(line.to_string());
        }
        let names = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<String>>();
        for number in 0..generator.below(3) {
            let name = format!("f{number}");
            generator.add(format!("int {name}(int a, int b) {{ int c = a;"));
            generator.block(&names(&["a", "b", "c", "g"]), 1);
            generator.add("return c; }".to_string());
            generator.functions.push(name);
        }
        let inputs = 2 + generator.below(2) as u32;
        generator
            .add("int program(void) { int y = 0, z = 3; memset(l, 0, sizeof l); int l[4] = { 4, 1 }; g = 2; t[0] = 1; t[1] = 5; t[2] = 2; t[3] = 7;".to_string());
        let mut known = names(&["y", "z", "g"]);
        for number in 0..inputs {
            generator.add(format!("int x{number} = in();"));
            known.push(format!("x{number}"));
        }
        generator.block(&known, 0);
        generator.block(&known, 0);
        let condition = generator.condition(&known);
        generator.add(format!("if ({condition})"));
        generator.mark();
        generator.add("return y; }".to_string());
        Program { text: generator.lines.join("\n") + "\n", inputs, marked: generator.marked }
    }
}

impl Program {
    /// The line of a mark in the file for Secateur.
    fn line(mark: usize) -> usize {
        FOR_SECATEUR.lines().count() + mark + 1
    }

    /// The marks that some run gets to.
    fn truth(&self, bench: &Workbench) -> BTreeSet<usize> {
        let runs = VALUES.pow(self.inputs);
        let tries = format!(
            "int main(void) {{ for (int run = 0; run < {runs}; run++) {{ position = 0;\n\
             for (int i = 0, rest = run; i < 8; i++, rest /= {VALUES}) input[i] = rest % {VALUES};\nprogram(); }}\n\
             for (int i = 0; i < 1000; i++) if (hit[i]) printf(\"%d \", i); }}\n"
        );
        bench.write("truth.c", format!("{FOR_ALL_RUNS}{}{tries}", self.text));
        let mut compiler = Command::new("clang-19");
        compiler.args(["-w", "-O1", "-fwrapv", "-o"]).arg(bench.path("truth")).arg(bench.path("truth.c"));
        expect_exit(&mut compiler, &[0]).expect("the program compiles");
        let output = expect_exit(&mut Command::new(bench.path("truth")), &[0]).expect("all its runs end");
        String::from_utf8_lossy(&output.stdout).split_whitespace().filter_map(|mark| mark.parse().ok()).collect()
    }
}

fn setting(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn no_answer_is_wrong() {
    try_programs(setting("REACH_SEED", SEED), setting("REACH_PROGRAMS", PROGRAMS));
}

fn try_programs(seed: u64, programs: u64) {
    let mut counts = [[0; 3]; 3];
    for number in 0..programs {
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(number);
        let program = Generator::program(seed);
        let bench = Workbench::new();
        let truth = program.truth(&bench);
        bench.write("prog.c", format!("{FOR_SECATEUR}{}int main(void) {{ return program(); }}\n", program.text));
        for (way, counts) in WAYS.iter().zip(&mut counts) {
            for (mark, verdict) in answers(&bench, &program, way) {
                let is_right = match verdict.as_str() {
                    "reached" => truth.contains(&mark),
                    "unreachable" => !truth.contains(&mark),
                    _ => true,
                };
                let line = Program::line(mark);
                assert!(is_right, "seed {seed}: {way} says that line {line} is {verdict} in\n{}", program.text);
                let kinds = ["reached", "unreachable", "unknown"];
                counts[kinds.iter().position(|kind| *kind == verdict).expect("it is one of them")] += 1;
            }
        }
    }
    for (way, [reached, unreachable, unknown]) in WAYS.into_iter().zip(counts) {
        println!("{way}: {reached} reached, {unreachable} unreachable, {unknown} unknown");
        // If there were no answers, none could be wrong.
        assert!(reached > 0 && unreachable > 0, "{way}: {reached} reached, {unreachable} unreachable");
    }
}

/// The answers for the last marks that have code: what follows a `return` has none.
fn answers(bench: &Workbench, program: &Program, way: &str) -> Vec<(usize, String)> {
    let mut marks: Vec<usize> = program.marked.iter().rev().copied().take(TARGETS).collect();
    loop {
        let targets: Vec<String> = marks.iter().map(|mark| format!("prog.c:{}", Program::line(*mark))).collect();
        let mut args = vec!["reach", "prog.c", "--cflag=-w", "--cflag=-fwrapv", "--max-steps", "500", "--way", way];
        args.extend(["--max-time", "1s"]);
        args.extend(["--jobs", "1", "--json", "--out", "out"]);
        targets.iter().for_each(|target| args.extend(["--target", target]));
        let done = bench.secateur(&args);
        if done.code == Some(1) && done.stderr.contains("has no code") {
            let is_named = |mark: &usize| done.stderr.contains(&format!("prog.c:{}: ", Program::line(*mark)));
            marks.retain(|mark| !is_named(mark));
            if marks.is_empty() {
                return Vec::new();
            }
            continue;
        }
        assert!(matches!(done.code, Some(0 | 11 | 20)), "{way}: {}", done.stderr);
        let report: serde_json::Value = serde_json::from_str(&done.stdout).expect("it is JSON");
        let targets = report["targets"].as_array().cloned().unwrap_or_default();
        for target in &targets {
            assert_eq!(target["verdict"] == "reached", target["confirmed"] == true, "{way}: {target}");
        }
        let verdicts = targets.iter().map(|target| target["verdict"].as_str().unwrap_or_default().to_string());
        return marks.into_iter().zip(verdicts).collect();
    }
}
