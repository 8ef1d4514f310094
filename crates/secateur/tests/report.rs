//! The page that a run writes, opened in a browser: it agrees with the summary, works by mouse and by keys, and treats
//! nothing in a program as markup.

#[path = "support/browser.rs"]
mod browser;
mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::process::Command;
use std::time::Duration;

use browser::ask;
use secateur_report::{self as report, Findings};
use secateur_suite::{CodeMap, Coverage, OutDir, OutOptions, PathLog, PathRow, PathRows, Sides, Summary};
use serde_json::json;
use support::root;
use workbench::Workbench;

/// A bug two calls deep, a side that no input takes, and a switch.
const PROGRAM: &str = r#"#include <klee/klee.h>
#include <assert.h>
static int check(int x) {
  assert(x != 42);
  return x;
}
int main(void) {
  int x = klee_int("x");
  if (x > 10 && x < 5)
    return 1;
  switch (x) {
    case 1: return 7;
    case 2: return 8;
  }
  return check(x) == 3;
}
"#;

/// Explores a program in a folder of its own.
#[track_caller]
fn explored(name: &str, text: &str, options: &[&str]) -> Workbench {
    let bench = Workbench::new();
    bench.write(name, text);
    run(&bench, name, options);
    bench
}

#[track_caller]
fn run(bench: &Workbench, program: &str, options: &[&str]) {
    let done = bench.secateur(&[&["run", "--quiet", "--jobs", "1", program][..], options].concat());
    assert!(matches!(done.code, Some(0 | 10)), "{done}");
}

fn page(bench: &Workbench) -> std::path::PathBuf {
    bench.path("secateur-out").join(report::REPORT)
}

#[test]
fn figures_are_those_of_the_summary() {
    let bench = explored("program.c", PROGRAM, &["--prune", "none"]);
    let summary = bench.json("secateur-out/summary.json");
    let answer = ask(
        &page(&bench),
        r##"return {
            branches: text("#figure-branches dd span"),
            lines: text("#figure-lines dd span"),
            bugs: text("#figure-bugs strong"),
            tests: text("#figure-tests strong"),
            paths: text("#figure-paths strong"),
            rungs: [...document.querySelectorAll("#solver tbody tr")].map((row) => row.cells[0].textContent),
            title: text("h1"),
            legend: text(".sides .legend"),
        };"##,
    );
    let ratio = |what: &str, unit: &str| {
        let count = &summary["coverage"][what];
        format!("{} of {}{unit}", count["covered"], count["total"])
    };
    assert_eq!(answer["branches"], ratio("branches", " sides"));
    assert_eq!(answer["lines"], ratio("lines", ""));
    assert_eq!(answer["bugs"], "1");
    assert_eq!(answer["tests"], summary["tests"].to_string());
    assert_eq!(answer["paths"], summary["paths"]["completed"].to_string());
    assert_eq!(answer["title"], "1 bug found; every path was explored.");
    assert!(answer["legend"].as_str().is_some_and(|legend| legend.contains("1 proved infeasible")), "{answer}");
    let asked = |rung: &&serde_json::Value| rung["asked"].as_u64() > Some(0);
    let rungs: Vec<_> =
        summary["solver"]["rungs"].as_array().unwrap().iter().filter(asked).map(|rung| &rung["name"]).collect();
    assert_eq!(answer["rungs"], json!(rungs));
}

#[test]
fn a_bug_leads_to_its_line_its_input_and_its_replay() {
    let bench = explored("program.c", PROGRAM, &[]);
    let answer = ask(
        &page(&bench),
        r##"one(".bug .place").click();
        await until(() => document.querySelector(".line.target") !== null);
        return {
            line: one(".line.target").id,
            text: text(".line.target code"),
            focused: document.activeElement.id,
            input: text(".bug td code"),
            calls: [...document.querySelectorAll(".calls code")].map((call) => call.textContent),
            command: text(".bug .command code"),
        };"##,
    );
    assert_eq!(answer["line"], "line-4");
    assert_eq!(answer["text"], "  assert(x != 42);");
    assert_eq!(answer["focused"], "line-4");
    assert_eq!(answer["input"], "42");
    assert_eq!(answer["calls"], json!(["check", "main"]));
    let command: Vec<&str> = answer["command"].as_str().unwrap().split(' ').skip(1).collect();
    let done = bench.secateur(&command);
    assert_eq!(done.code, Some(0), "{done}");
    assert!(done.stdout.contains("bugs/000001 ok assertion at") && done.stdout.contains("1 of 1 tests"), "{done}");
}

#[test]
fn sides_say_what_is_known_about_them() {
    let sides = r##"
        const of = (line) => [...document.querySelectorAll(`#line-${line} .pill span`)].map((side) => [side.textContent, side.className]);
        one("#line-9 .pill").click();
        return { condition: of(9), cases: of(11), why: text(".why"), next: one("#source .tools button").disabled };"##;
    let bench = explored("program.c", PROGRAM, &[]);
    let answer = ask(&page(&bench), sides);
    let covered = |letter: &str| json!([letter, "covered"]);
    assert_eq!(answer["condition"], json!([covered("T"), covered("F"), ["T", "infeasible"], covered("F")]));
    assert_eq!(answer["cases"], json!([covered("D"), covered("1"), covered("2")]));
    assert!(answer["why"].as_str().is_some_and(|why| why.contains("to line 10: infeasible")), "{answer}");
    assert_eq!(answer["next"], true);

    run(&bench, "program.c", &["--max-paths", "1", "--grace", "0s"]);
    let answer = ask(&page(&bench), sides);
    assert_eq!(answer["condition"], json!([["T", "open"], covered("F"), ["T", "open"], ["F", "open"]]));
    assert!(
        answer["why"].as_str().is_some_and(|why| why.contains("pending when the run stopped (path limit)")),
        "{answer}"
    );
    assert_eq!(answer["next"], false);

    // Pending flips still become tests, but what branches off from these is not explored.
    run(&bench, "program.c", &["--max-paths", "1"]);
    assert_eq!(bench.json("secateur-out/summary.json")["complete"], false);
    let answer = ask(&page(&bench), sides);
    assert_eq!(answer["condition"], json!([covered("T"), covered("F"), ["T", "open"], covered("F")]));
    assert!(answer["why"].as_str().is_some_and(|why| why.contains("unknown: ")), "{answer}");
}

/// Twenty conditions, of which each counts: all but a few paths are subsumed.
const STEPS: &str = r#"#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int steps = 0;
  for (int i = 0; i < 20; i++)
    if (__VERIFIER_nondet_int())
      steps++;
  assert(steps <= 20);
  return 0;
}
"#;

#[test]
fn subsumed_paths_lead_to_what_covers_them() {
    let bench = explored("steps.c", STEPS, &["--search", "dfs", "--prune", "interpolation"]);
    let summary = bench.json("secateur-out/summary.json");
    let answer = ask(
        &page(&bench),
        r##"const legend = text("#tree .legend");
        // Go down from the first path, to the right, until a path is subsumed.
        press("#tree canvas", "Home");
        for (let step = 0; step < 20 && !text("#tree-selected").includes("covered by"); step++) {
          press("#tree canvas", step % 2 === 0 ? "ArrowDown" : "ArrowRight");
        }
        const note = text("#tree-selected");
        press("#tree canvas", "c");
        const covering = text("#tree-selected");
        one("#line-6").parentElement.querySelector(".covers summary").click();
        const covers = [...document.querySelectorAll(".covers li code")].map((code) => code.textContent);
        const accounts = text(".covers button");
        one(".covers button").click();
        const shown = text("#tree-selected");
        const charts = [...document.querySelectorAll("#progress h3")].map((title) => title.textContent);
        return { legend, note, covering, covers, accounts, shown, charts, verdict: document.querySelector("#verdict") };"##,
    );
    let subsumed = summary["paths"]["subsumed"].as_u64().unwrap();
    let has = |what: &str, part: &str| answer[what].as_str().is_some_and(|text| text.contains(part));
    assert!(subsumed > 10 && has("legend", &format!("{subsumed} subsumed")), "{answer}");
    // Both lead to the path that is named.
    for (named, shown) in [("note", "covering"), ("accounts", "shown")] {
        let text = answer[named].as_str().unwrap();
        let number = text.rsplit("path ").next().and_then(|rest| rest.split(' ').next()).unwrap();
        assert!(has(shown, &format!("Path {number} ")), "{number}: {answer}");
    }
    assert!(has("note", "covered by path "), "{answer}");
    let covers = answer["covers"].as_array().unwrap();
    assert!(covers.iter().any(|text| text.as_str().is_some_and(|text| text.contains("steps <= 7"))), "{answer}");
    assert!(answer["charts"].as_array().unwrap().contains(&json!("Subsumed share of paths")), "{answer}");
    assert_eq!(answer["verdict"], json!(null));
}

#[test]
fn the_verdict_and_its_reasons_are_shown() {
    let bench = Workbench::new();
    bench.write("steps.c", STEPS);
    let ask_verdict = || {
        ask(
            &page(&bench),
            r##"return {
                verdict: text("#verdict .verdict strong"),
                scope: text("#verdict .scope"),
                reasons: [...document.querySelectorAll("#verdict tbody tr")].map((row) => row.textContent),
            };"##,
        )
    };
    assert_eq!(bench.secateur(&["verify", "--quiet", "steps.c"]).code, Some(0));
    let answer = ask_verdict();
    assert_eq!((&answer["verdict"], &answer["reasons"]), (&json!("VERIFIED"), &json!([])));
    let args = ["verify", "--quiet", "steps.c", "--prune", "none", "--max-paths", "9", "--jobs", "1"];
    assert_eq!(bench.secateur(&args).code, Some(20));
    let answer = ask_verdict();
    assert_eq!(answer["verdict"], "UNKNOWN");
    assert!(answer["scope"].as_str().is_some_and(|scope| scope.contains("an empty standard input")), "{answer}");
    let reasons: Vec<&str> = answer["reasons"].as_array().unwrap().iter().filter_map(|text| text.as_str()).collect();
    let unrolling =
        |text: &&str| text.starts_with("steps.c:6main") && text.contains("loop of line 5 was still unrolling");
    assert!(reasons.iter().any(unrolling), "{reasons:?}");
}

/// Look-ahead prunes in the second loop, where nothing is left to cover; a limit of one call prunes in `level`, two
/// calls deep.
const TWO_LOOPS: &str = r#"#include <klee/klee.h>
static int level(int value) {
  if (value > 100)
    return 2;
  return 1;
}
static int judge(int value) {
  if (value & 1)
    return level(value);
  return 0;
}
int main(void) {
  int values[6];
  int sum = 0;
  klee_make_symbolic(values, sizeof values, "values");
  for (int i = 0; i < 3; i++)
    sum += judge(values[i]);
  for (int i = 3; i < 6; i++)
    if (values[i] > 7)
      sum++;
  return sum > 3;
}
"#;

/// The entries of the legend for what was pruned, and which of their colours are in the tree.
const PRUNED: &str = r##"
    const entries = [...document.querySelectorAll("#tree .legend li")].filter((entry) => entry.textContent.includes("pruned"));
    const canvas = one("canvas");
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const isDrawn = (entry) => {
        const probe = document.createElement("i");
        probe.style.color = entry.querySelector(".swatch").style.getPropertyValue("--swatch");
        document.body.append(probe);
        const wanted = getComputedStyle(probe).color.match(/\d+/g).map(Number);
        for (let at = 0; at < pixels.length; at += 4)
            // The lines of the hatching are anti-aliased, so their colour is not exact.
            if (pixels[at + 3] > 128 && wanted.every((part, index) => Math.abs(part - pixels[at + index]) < 4)) return true;
        return false;
    };
    const seen = {
        legend: entries.map((entry) => entry.textContent),
        hatched: entries.every((entry) => entry.querySelector(".swatch.hatched") !== null),
        drawn: entries.map(isDrawn),
    };"##;

/// Goes through the whole tree by keys, and says what is known about line 3.
const WALK: &str = r##"
    const said = new Set();
    const here = () => text("#tree-selected");
    const moves = (key) => {
        const before = here();
        press("canvas", key);
        return here() !== before;
    };
    const walk = () => {
        do {
            if (here().includes("pruned")) said.add(here().split(" · ")[1]);
            if (moves("ArrowDown")) walk();
        } while (moves("ArrowRight"));
        press("canvas", "ArrowUp");
    };
    press("canvas", "Home");
    walk();
    one("#line-3 .pill").click();
    return { ...seen, said: [...said].sort(), why: text(".why") };"##;

#[test]
fn what_was_pruned_is_hatched_and_named() {
    let bench = Workbench::new();
    bench.write("loops.c", TWO_LOOPS);
    for pruners in [&["lookahead=coverage"][..], &["max-call-depth"], &["lookahead=coverage", "max-call-depth"]] {
        let named = pruners.join(",").replace("max-call-depth", "max-call-depth=1");
        run(&bench, "loops.c", &["--prune", &named]);
        let pruned = &bench.json("secateur-out/summary.json")["paths"]["pruned"];
        let answer = ask(&page(&bench), &format!("{PRUNED}{WALK}"));
        let mut legend: Vec<String> =
            answer["legend"].as_array().unwrap().iter().map(|entry| entry.as_str().unwrap().to_string()).collect();
        legend.sort_by_key(|entry| entry.rsplit(' ').next().map(str::to_string));
        let expected: Vec<String> = pruners.iter().map(|name| format!("{} pruned by {name}", pruned[name])).collect();
        assert_eq!(legend, expected, "with --prune {named}: {answer}");
        assert_eq!(answer["hatched"], true, "{answer}");
        assert_eq!(
            answer["drawn"],
            json!(vec![true; pruners.len()]),
            "every pruner is seen in its own colour: {answer}"
        );
        let said: Vec<String> = pruners.iter().map(|name| format!("pruned: {name}")).collect();
        assert_eq!(answer["said"], json!(said), "{answer}");
        let why = answer["why"].as_str().unwrap();
        assert_eq!(why.contains("max-call-depth"), pruners.contains(&"max-call-depth"), "{answer}");
    }
}

/// Where paths are narrower than a pixel, what was pruned still has the colour of its pruner.
#[test]
fn a_crowd_of_pruned_flips_has_the_colour_of_their_pruner() {
    let bench = Workbench::new();
    bench.write(
        "loops.c",
        TWO_LOOPS.replace("values[6]", "values[16]").replace("i < 3", "i < 12").replace("i = 3", "i = 12"),
    );
    run(&bench, "loops.c", &["--prune", "max-call-depth=1", "--search", "dfs"]);
    assert!(bench.json("secateur-out/summary.json")["paths"]["pruned"]["max-call-depth"].as_u64() > Some(4000));
    let answer = ask(&page(&bench), &format!("{PRUNED} return seen;"));
    assert_eq!(answer["drawn"], json!([true]), "{answer}");
}

#[test]
fn everything_can_be_reached_by_keys() {
    let bench = explored("program.c", PROGRAM, &[]);
    let answer = ask(
        &page(&bench),
        r##"
        const before = text("#tree-selected");
        press("canvas", "ArrowDown");
        const child = text("#tree-selected");
        press("canvas", "ArrowUp");
        press("canvas", "b");
        const bug = text("#tree-selected");
        press(".grid-table", "ArrowDown");
        const row = one(".row[aria-selected=true]").getAttribute("aria-rowindex");
        press(".grid-table", "Enter");
        const path = text("#tree-selected");
        one(".head [data-key=decisions] button").click();
        one(".head [data-key=decisions] button").click();
        const theme = one("#theme").textContent;
        one("#theme").click();
        return {
            before, child, bug, row, path,
            sorted: one(".head [data-key=decisions]").getAttribute("aria-sort"),
            themes: [theme, one("#theme").textContent],
            skip: one(one(".skip").getAttribute("href")).tagName,
            unnamed: [...document.querySelectorAll("button, a, input, [role=application], [role=region]")].filter((control) =>
                (control.getAttribute("aria-label") ?? control.getAttribute("aria-labelledby") ?? control.textContent.trim()) === "").length,
            headings: [...document.querySelectorAll("h2")].map((heading) => heading.textContent),
        };"##,
    );
    let says = |field: &str, part: &str| {
        assert!(answer[field].as_str().is_some_and(|text| text.contains(part)), "{field} lacks {part}: {answer}");
    };
    says("before", "Path 1 is the first");
    says("child", "left path 1 after");
    says("bug", "bug: assertion");
    assert_eq!(answer["row"], "3");
    says("path", "Path ");
    assert_eq!(answer["sorted"], "descending");
    assert_eq!(answer["themes"], json!(["Dark", "Light"]));
    assert_eq!(answer["skip"], "MAIN");
    assert_eq!(answer["unnamed"], 0);
    assert_eq!(answer["headings"], json!(["Bugs", "Over time", "Source", "Path tree", "Tests", "Solver", "Run"]));
}

#[test]
fn nothing_in_a_program_is_taken_for_markup() {
    let name = "we<i>ird&amp;.c";
    let program = "#include <klee/klee.h>\n#include <assert.h>\n/* <!-- <script>document.title = 'broken'</script> {{data}} */\nint main(void) {\n  \
                   char text[9];\n  klee_make_symbolic(text, sizeof text, \"<img src=x>\");\n  const char *end = \"</script><b>\\\"&amp;\\u2028\";\n  \
                   assert(text[0] != '<' || \"</script><img src=x>\" == 0);\n  return end[0];\n}\n";
    let bench = explored(name, program, &[]);
    let answer = ask(
        &page(&bench),
        r##"return {
            title: document.title,
            source: [...document.querySelectorAll(".line code")].map((line) => line.textContent).join("\n") + "\n",
            foreign: document.querySelectorAll("img, code b, .name i, h1 i, .eyebrow i").length,
            scripts: document.scripts.length,
            program: text(".eyebrow"),
            message: text(".bug h3"),
            input: text(".bug td"),
        };"##,
    );
    assert_eq!(answer["source"], program);
    assert_eq!(answer["title"], format!("{name} – Secateur"));
    assert_eq!(answer["foreign"], 0);
    // The data, the page's own and that of this test.
    assert_eq!(answer["scripts"], 3);
    assert_eq!(answer["program"], name);
    assert!(answer["message"].as_str().is_some_and(|message| message.contains("</script><img src=x>")), "{answer}");
    assert_eq!(answer["input"], "symbolic object <img src=x>");
}

#[test]
fn a_missing_source_is_reported() {
    let bench = Workbench::new();
    bench.write("gone.c", "int main(void) { return 0; }\n");
    let clang =
        Command::new("clang-19").args(["-g", "-emit-llvm", "-c", "gone.c"]).current_dir(bench.path("")).status();
    assert!(clang.is_ok_and(|status| status.success()));
    std::fs::remove_file(bench.path("gone.c")).unwrap();
    run(&bench, "gone.bc", &[]);
    let answer = ask(&page(&bench), r##"return { says: text(".code") };"##);
    let says = answer["says"].as_str().unwrap();
    assert!(says.starts_with("The text of this file cannot be shown: ") && says.contains("o such file"), "{says}");
}

#[test]
fn several_files_are_listed() {
    let bench = Workbench::new();
    bench.write("one.c", "int two(int);\nint main(void) { return two(1); }\n");
    bench.write("two.c", "int two(int x) { return x > 0 ? x : 0; }\n");
    run(&bench, "one.c", &["two.c"]);
    let answer = ask(
        &page(&bench),
        r##"const files = [...document.querySelectorAll(".files a")];
        files[1].click();
        await until(() => files[1].hasAttribute("aria-current"));
        return { names: files.map((file) => file.querySelector(".name").textContent), shown: text("#line-1 code") };"##,
    );
    assert_eq!(answer["names"], json!(["one.c", "two.c"]));
    assert_eq!(answer["shown"], "int two(int x) { return x > 0 ? x : 0; }");
}

#[test]
fn files_of_one_name_are_told_apart_and_the_first_bug_is_shown() {
    let bench = Workbench::new();
    for folder in ["a", "b"] {
        std::fs::create_dir(bench.path(folder)).unwrap();
    }
    bench.write(
        "main.c",
        "int first(int), second(int);\nint main(int argc, char **argv) { return first(argc) + second(argc); }\n",
    );
    bench.write("a/list.c", "int first(int x) { return x > 0 ? x : 0; }\n");
    bench.write("b/list.c", "int second(int x) { return x / (x - 1); }\n");
    run(&bench, "main.c", &["a/list.c", "b/list.c"]);
    let answer = ask(
        &page(&bench),
        r##"const files = [...document.querySelectorAll(".files a")];
        return {
            names: files.map((file) => file.querySelector(".name").textContent),
            shown: text("#line-1 code"),
            place: text("#bugs a"),
        };"##,
    );
    assert_eq!(answer["names"], json!(["main.c", "a/list.c", "b/list.c"]));
    assert_eq!(answer["shown"], "int second(int x) { return x / (x - 1); }");
    assert_eq!(answer["place"], "b/list.c:1");
}

#[test]
fn a_run_of_a_hundred_thousand_paths_opens() {
    let bench = Workbench::new();
    let program = root().join("bench/diamonds.c");
    run(&bench, &program.display().to_string(), &["-DKLEE", "-DN=17", "--search", "dfs", "--prune", "none"]);
    let answer = ask(
        &page(&bench),
        r##"
        const pixels = one("canvas").getContext("2d").getImageData(0, 0, 200, 200).data;
        press("canvas", "ArrowDown");
        press("canvas", "Enter");
        return { paths: text("#figure-paths strong"), legend: text("#tree .legend"), selected: text("#tree-selected"), drawn: pixels.some((value) => value > 0) };"##,
    );
    assert_eq!(answer["paths"], "131,072");
    assert_eq!(answer["legend"], "131,072 ran to the end");
    assert_eq!(answer["drawn"], true);
    assert!(answer["selected"].as_str().is_some_and(|text| text.starts_with("Path 2 left path 1")), "{answer}");
}

/// The table has only the rows in sight as elements; the paths form one chain, which no recursion would survive.
#[test]
fn a_hundred_thousand_tests_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let out = OutDir::create(folder.path(), OutOptions::default()).unwrap();
    let mut rows = PathRows::default();
    for path in 1..=100_000u64 {
        let test = format!("tests/{path:06}.ktest");
        let depth = path as u32 - 1;
        rows.add(&PathRow {
            path,
            parent: path - 1,
            depth,
            length: depth + 1,
            end: "exit",
            detail: "0",
            test: &test,
            ..PathRow::default()
        });
    }
    PathLog::create(&out, u64::MAX).unwrap().append(&mut rows).unwrap();
    let summary = Summary { tests: 100_000, time: Some(1.0), peak_memory: Some(0), ..Summary::default() };
    let findings = Findings {
        summary: &summary,
        sentence: "",
        code: &CodeMap::default(),
        coverage: &Coverage::default(),
        sides: &Sides::default(),
        unsupported: &[],
        interpolants: &[],
        left_out: 0,
    };
    report::write(&out, &findings).unwrap();
    let answer = ask(
        &folder.path().join(report::REPORT),
        r##"press(".grid-table", "End");
        await until(() => text(".row[aria-selected=true]").includes("100000"));
        const last = text(".row[aria-selected=true] .cell");
        const rows = document.querySelectorAll(".rows .row").length;
        one("#tests input").value = "00777";
        one("#tests input").dispatchEvent(new Event("input"));
        return { last, rows, found: text("#tests [role=status]") };"##,
    );
    assert_eq!(answer["last"], "100000.ktest");
    assert!(answer["rows"].as_u64().is_some_and(|rows| (5..60).contains(&rows)), "{answer}");
    assert_eq!(answer["found"], "11 of 100,000 tests");
}

#[test]
fn a_stopped_run_has_its_page_unless_none_is_wanted() {
    let bench = Workbench::new();
    bench.write("program.c", "int main(void) {\n  volatile unsigned n = 0;\n  for (;;) n++;\n}\n");
    let mut child =
        bench.command(&["run", "--quiet", "program.c", "--max-instructions", "1000000000000"]).spawn().unwrap();
    // Signals are handled from the first line of the log on, which says that the program was loaded.
    let log = bench.path("secateur-out/run.log");
    while std::fs::read(&log).map_or(true, |text| text.is_empty()) {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let answer = ask(&page(&bench), r##"return { title: text("h1"), legend: text("#tree .legend") };"##);
    assert_eq!(answer["title"], "No bug found; stopped on request.");
    assert_eq!(answer["legend"], "1 stopped half-way");

    run(&bench, "program.c", &["--max-time", "10ms", "--grace", "0s", "--no-report"]);
    assert!(!page(&bench).exists());
}
