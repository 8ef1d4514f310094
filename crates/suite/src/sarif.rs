//! Bugs as SARIF 2.1.0, which editors and code-review services show.

use crate::bug::{BacktraceEntry, BugReport, KINDS, precondition};
use serde_json::{Value, json};

/// The content of the file.
pub fn write(bugs: &[BugReport]) -> String {
    let rules: Vec<Value> = KINDS
        .iter()
        .map(|kind| {
            let mut rule = json!({
                "id": kind.name,
                "shortDescription": { "text": kind.description },
                "defaultConfiguration": { "level": "error" },
            });
            if let Some(cwe) = kind.cwe {
                rule["properties"] = json!({ "tags": [format!("external/cwe/cwe-{cwe:03}")] });
            }
            rule
        })
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Secateur",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "results": bugs.iter().map(result).collect::<Vec<_>>(),
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).expect("strings and numbers can always be written as JSON");
    text.push('\n');
    text
}

fn message(bug: &BugReport) -> String {
    let needs = precondition(&bug.needs);
    if needs.is_empty() { bug.message.clone() } else { format!("{} ({needs})", bug.message) }
}

fn result(bug: &BugReport) -> Value {
    let mut result = json!({
        "ruleId": bug.kind,
        // A bug that the native program does not show, or that callers may well avoid, deserves a look, but should not
        // fail a build.
        "level": if bug.native.confirmed == Some(false) || !bug.needs.is_empty() { "warning" } else { "error" },
        "message": { "text": message(bug) },
        "properties": { "test": bug.test, "confirmed": bug.native.confirmed, "native": bug.native.what },
    });
    if let Some(index) = KINDS.iter().position(|kind| kind.name == bug.kind) {
        result["ruleIndex"] = json!(index);
    }
    if let Some(location) = location(&bug.file, bug.line, None) {
        result["locations"] = json!([location]);
    }
    if !bug.stack.is_empty() {
        let frames: Vec<Value> = bug.stack.iter().map(|frame| json!({ "location": frame_location(frame) })).collect();
        // A stack lists the innermost call first; a flow is in the order of execution.
        let steps: Vec<Value> = frames.iter().rev().cloned().collect();
        result["stacks"] = json!([{ "frames": frames }]);
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

fn frame_location(frame: &BacktraceEntry) -> Value {
    location(&frame.file, frame.line, Some(&frame.function))
        .unwrap_or_else(|| json!({ "logicalLocations": [{ "name": frame.function, "kind": "function" }] }))
}

fn location(file: &str, line: u32, function: Option<&str>) -> Option<Value> {
    if file.is_empty() {
        return None;
    }
    let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
    if line > 0 {
        physical["region"] = json!({ "startLine": line });
    }
    let mut location = json!({ "physicalLocation": physical });
    if let Some(name) = function {
        location["logicalLocations"] = json!([{ "name": name, "kind": "function" }]);
    }
    Some(location)
}

/// A relative or absolute path as a URI reference, percent-encoded where necessary.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'+' => uri.push(byte as char),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bug() -> BugReport {
        let frame =
            |function: &str, file: &str, line| BacktraceEntry { function: function.into(), file: file.into(), line };
        BugReport {
            kind: "use-after-free".into(),
            message: "read of 4 bytes of a freed object".into(),
            file: "src/a b.c".into(),
            line: 7,
            needs: vec![],
            stack: vec![frame("f", "src/a b.c", 7), frame("main", "main.c", 3), frame("start", "", 0)],
            test: "bugs/000001.ktest".into(),
            native: crate::bug::Native::default(),
        }
    }

    #[test]
    fn a_bug_that_is_not_confirmed_is_a_warning() {
        let level = |confirmed, level: &str| {
            let native = crate::bug::Native { confirmed, what: "exit 0".into() };
            let log: Value = serde_json::from_str(&write(&[BugReport { native, ..bug() }])).unwrap();
            let result = &log["runs"][0]["results"][0];
            assert_eq!(result["level"], level);
            assert_eq!(result["properties"]["confirmed"], json!(confirmed));
            assert_eq!(result["properties"]["native"], "exit 0");
        };
        level(None, "error");
        level(Some(true), "error");
        level(Some(false), "warning");
    }

    #[test]
    fn structure_is_that_of_sarif() {
        let log: Value = serde_json::from_str(&write(&[bug()])).unwrap();
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        let result = &run["results"][0];
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
        assert_eq!(result["message"]["text"], "read of 4 bytes of a freed object");
        let physical = &result["locations"][0]["physicalLocation"];
        assert_eq!(physical["artifactLocation"]["uri"], "src/a%20b.c");
        assert_eq!(physical["region"]["startLine"], 7);
        let frames = result["stacks"][0]["frames"].as_array().unwrap();
        assert_eq!(frames.len(), 3);
        assert_eq!(frames[2]["location"]["logicalLocations"][0]["name"], "start");
        let steps = &result["codeFlows"][0]["threadFlows"][0]["locations"];
        assert_eq!(steps[2]["location"]["logicalLocations"][0]["name"], "f");
        assert_eq!(result["properties"]["test"], "bugs/000001.ktest");
    }

    #[test]
    fn unknown_places_and_kinds_are_left_out() {
        let bug = BugReport { kind: "new".into(), file: String::new(), line: 0, stack: vec![], ..bug() };
        let log: Value = serde_json::from_str(&write(&[bug])).unwrap();
        let result = &log["runs"][0]["results"][0];
        for field in ["ruleIndex", "locations", "stacks", "codeFlows"] {
            assert!(result.get(field).is_none(), "{field}");
        }
    }

    #[test]
    fn absolute_paths_are_file_uris() {
        assert_eq!(uri("/a/ä.c"), "file:///a/%C3%A4.c");
    }
}
