//! Verdicts when memory is short all the time: interpolants and effects are dropped again and again, snapshots are
//! never kept, and still no verdict is wrong.

mod support;

use std::path::Path;

use serde_json::Value;
use support::{expect_exit, root, secateur};

/// The verdict on a program of `bench/interpolation` for which memory is short from the start.
fn verdict(name: &str, options: &[&str]) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = root().join("bench").join("interpolation").join(Path::new(name).with_extension("c"));
    let mut command = secateur();
    command.arg("verify").arg(file).args(options).args(["--snapshot-memory", "1", "--max-time", "10s"]);
    command.args(["--json", "--no-report", "--out"]).arg(folder.path().join("out"));
    let output = expect_exit(&mut command, &[0, 10, 20])?;
    let summary: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    Ok(summary["verdict"].as_str().unwrap_or_default().to_string())
}

#[test]
fn no_verdict_is_wrong() {
    for name in ["diamonds", "flags", "ring", "ssh"] {
        for jobs in ["1", "2"] {
            let proved = verdict(name, &["--jobs", jobs]).unwrap();
            assert!(proved == "VERIFIED" || proved == "UNKNOWN", "{name}: {proved}");
            let found = verdict(name, &["--jobs", jobs, "-DBUG"]).unwrap();
            assert!(found == "BUG" || found == "UNKNOWN", "{name} with a bug: {found}");
        }
    }
}
