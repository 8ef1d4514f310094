//! The findings of a static analyser, as SARIF 2.1.0, and the same with a verdict for each.

use serde_json::{Value, json};

use crate::reach::{ReachVerdict, TargetAnswer};

/// The name of the file with the verdicts in the output folder.
pub const FINDINGS: &str = "findings.sarif";

/// A SARIF log.
#[derive(Clone, Debug)]
pub struct Findings {
    log: Value,
    /// Its results, in the order of the log.
    pub list: Vec<Finding>,
}

/// A result of a SARIF log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The rule, such as `core.NullDereference`.
    pub rule: String,
    /// Its message.
    pub message: String,
    /// Where it is. Some analysers list the way there, whose end is what they warn of.
    pub places: Vec<FoundAt>,
    run: usize,
    result: usize,
}

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundAt {
    /// The path, decoded; empty if there is none.
    pub file: String,
    /// The line; 0 if there is none.
    pub line: u32,
}

impl Findings {
    /// Reads a log. The error is a sentence without its end.
    pub fn parse(text: &str) -> Result<Findings, String> {
        let log: Value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
        let runs = log.get("runs").and_then(Value::as_array).ok_or("it is not SARIF: it has no list `runs`")?;
        let mut list = Vec::new();
        for (run, content) in runs.iter().enumerate() {
            let results = match content.get("results") {
                None | Some(Value::Null) => continue,
                Some(results) => results.as_array().ok_or("it is not SARIF: `results` is no list")?,
            };
            list.extend(results.iter().enumerate().map(|(number, result)| finding(content, run, number, result)));
        }
        Ok(Findings { log, list })
    }

    /// The log with a verdict for each finding, in their order.
    pub fn with_answers(&self, answers: &[TargetAnswer]) -> String {
        let mut log = self.log.clone();
        for (finding, answer) in self.list.iter().zip(answers) {
            let result = &mut log["runs"][finding.run]["results"][finding.result];
            if result.is_object() {
                judge(result, answer);
            }
        }
        let mut text = serde_json::to_string_pretty(&log).expect("a JSON value can always be written");
        text.push('\n');
        text
    }
}

fn finding(run: &Value, number: usize, index: usize, result: &Value) -> Finding {
    let rule_index = result["ruleIndex"].as_u64().or_else(|| result["rule"]["index"].as_u64());
    let indexed = rule_index.map(|index| &run["tool"]["driver"]["rules"][index as usize]["id"]);
    let rule = result["ruleId"].as_str().or_else(|| result["rule"]["id"].as_str());
    Finding {
        rule: rule.or_else(|| indexed.and_then(Value::as_str)).unwrap_or_default().to_string(),
        message: result["message"]["text"].as_str().unwrap_or_default().to_string(),
        places: match result["locations"].as_array() {
            Some(locations) => locations.iter().map(|location| found_at(run, location)).collect(),
            None => Vec::new(),
        },
        run: number,
        result: index,
    }
}

fn found_at(run: &Value, location: &Value) -> FoundAt {
    let physical = &location["physicalLocation"];
    let artifact = &physical["artifactLocation"];
    // It may be that of an entry in a table.
    let indexed = artifact["index"].as_u64().map(|index| &run["artifacts"][index as usize]["location"]["uri"]);
    let uri = artifact["uri"].as_str().or_else(|| indexed.and_then(Value::as_str)).unwrap_or_default();
    let line = physical["region"]["startLine"].as_u64().and_then(|line| line.try_into().ok()).unwrap_or(0);
    FoundAt { file: path(uri), line }
}

/// Adds a verdict to a result. What cannot happen is suppressed, as SARIF has it, so that viewers hide it.
fn judge(result: &mut Value, answer: &TargetAnswer) {
    let verdict = finding_verdict(answer.verdict);
    let reasons: Vec<&str> = answer.reasons.iter().map(|reason| reason.why.as_str()).collect();
    if !result["properties"].is_object() {
        result["properties"] = json!({});
    }
    result["properties"]["secateur"] = json!({
        "verdict": verdict,
        "test": answer.test,
        "confirmedNatively": answer.confirmed,
        "because": answer.because,
        "reasons": reasons,
    });
    match answer.verdict {
        ReachVerdict::Reached => result["level"] = json!("error"),
        ReachVerdict::Unreachable => {
            let why = format!("Secateur: it cannot happen; {}", answer.because.join("; "));
            let suppression = json!({ "kind": "external", "status": "accepted", "justification": why });
            match result["suppressions"].as_array_mut() {
                Some(suppressions) => suppressions.push(suppression),
                None => result["suppressions"] = json!([suppression]),
            }
        }
        ReachVerdict::Unknown => {}
    }
}

/// What an answer means for a finding.
pub fn finding_verdict(verdict: ReachVerdict) -> &'static str {
    match verdict {
        ReachVerdict::Reached => "confirmed",
        ReachVerdict::Unreachable => "cannot happen",
        ReachVerdict::Unknown => "unknown",
    }
}

/// The path of a URI reference.
fn path(uri: &str) -> String {
    let rest = match uri.strip_prefix("file://") {
        // The host, which is usually empty.
        Some(rest) => rest.find('/').map_or("", |slash| &rest[slash..]),
        None => uri.strip_prefix("file:").unwrap_or(uri),
    };
    let bytes = rest.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 3).filter(|_| *byte == b'%');
        let value = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        decoded.push(value.unwrap_or(*byte));
        at += if value.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"{ "version": "2.1.0", "runs": [ { "tool": { "driver": { "name": "a", "rules": [ { "id": "r0" } ] } } },
        { "tool": { "driver": { "name": "b", "rules": [ { "id": "r1" } ] } },
          "artifacts": [ { "location": { "uri": "file:///x/a%20b.c" } } ],
          "results": [
            { "ruleIndex": 0, "message": { "text": "m" }, "locations": [ { "physicalLocation":
              { "artifactLocation": { "index": 0 }, "region": { "startLine": 7 } } } ] },
            { "ruleId": "r2", "message": {} } ] } ] }"#;

    #[test]
    fn findings_have_a_rule_and_a_place() {
        let findings = Findings::parse(LOG).unwrap();
        let [first, second] = findings.list.as_slice() else { panic!("{findings:?}") };
        assert_eq!((first.rule.as_str(), first.message.as_str()), ("r1", "m"));
        assert_eq!(first.places, [FoundAt { file: "/x/a b.c".to_string(), line: 7 }]);
        assert_eq!((second.rule.as_str(), second.places.len()), ("r2", 0));
    }

    #[test]
    fn what_is_no_sarif_is_refused() {
        assert!(Findings::parse("{").unwrap_err().starts_with("it is not JSON: "));
        assert_eq!(Findings::parse("[]").unwrap_err(), "it is not SARIF: it has no list `runs`");
        assert_eq!(
            Findings::parse(r#"{"runs": [{"results": 3}]}"#).unwrap_err(),
            "it is not SARIF: `results` is no list"
        );
        assert!(Findings::parse(r#"{"runs": []}"#).unwrap().list.is_empty());
    }

    #[test]
    fn verdicts_are_written_back() {
        let findings = Findings::parse(LOG).unwrap();
        let answer = |verdict| TargetAnswer { verdict, ..TargetAnswer::unknown("t", Vec::new()) };
        let log = findings.with_answers(&[answer(ReachVerdict::Unreachable), answer(ReachVerdict::Reached)]);
        let log: Value = serde_json::from_str(&log).unwrap();
        let results = &log["runs"][1]["results"];
        assert_eq!(results[0]["properties"]["secateur"]["verdict"], "cannot happen");
        assert_eq!(results[0]["suppressions"][0]["kind"], "external");
        assert_eq!(results[1]["properties"]["secateur"]["verdict"], "confirmed");
        assert_eq!(results[1]["level"], "error");
        assert_eq!(results[0]["message"]["text"], "m");
    }
}
