//! What exploring costs, in counts that are the same on every machine: none may exceed that of `bench/costs.json` by
//! more than a tenth. `BLESS=1` rewrites the file.

mod support;

use serde_json::{Map, Value, json};
use support::{expect_exit, root, secateur};

/// Programs of `bench/`, explored in full.
const PROGRAMS: &[(&str, &str, &[&str])] = &[
    ("regexp", "regexp.c", &["-DSIZE=7"]),
    ("bubble7x8", "bubble.c", &["-DN=7"]),
    ("strings", "strings.c", &["-DN=8"]),
];

/// The counts of a run.
fn measure(file: &str, flags: &[&str]) -> Result<Value, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut command = secateur();
    command.arg("run").arg(root().join("bench").join(file)).args(["-DKLEE", "-O1"]).args(flags);
    command
        .args(["--jobs", "1", "--search", "dfs", "--prune", "none", "--no-tests", "--no-report", "--json", "--out"])
        .arg(folder.path().join("out"));
    let output = expect_exit(&mut command, &[0, 10])?;
    let summary: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    assert_eq!(summary["stopped"], "finished", "{file}");
    let solver = &summary["solver"];
    // Questions that the path answers by itself cost next to nothing.
    let questions = solver["queries"].as_u64().unwrap_or(0) - solver["answered"]["known"].as_u64().unwrap_or(0);
    Ok(json!({
        "instructions": summary["instructions"],
        "expressions": summary["expressions"],
        "questions": questions,
        "questions to the SMT solver": solver["answered"]["smt"],
    }))
}

#[test]
fn nothing_costs_more_than_it_did() {
    let path = root().join("bench").join("costs.json");
    let measured: Map<String, Value> = PROGRAMS
        .iter()
        .map(|(name, file, flags)| {
            let costs = measure(file, flags).unwrap_or_else(|message| panic!("{name}: {message}"));
            (name.to_string(), costs)
        })
        .collect();
    if std::env::var_os("BLESS").is_some() {
        let text = serde_json::to_string_pretty(&measured).unwrap();
        std::fs::write(&path, text + "\n").unwrap();
    }
    let known: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    for (name, costs) in &measured {
        for (what, count) in costs.as_object().unwrap() {
            let (count, before) = (count.as_u64().unwrap(), known[name][what].as_u64().unwrap_or(0));
            assert!(count <= before + before / 10, "{name}: {count} {what} instead of {before}");
        }
    }
}
