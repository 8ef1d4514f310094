//! What a run has explored, which must not depend on who did it and how often it was interrupted.

use std::collections::{BTreeMap, BTreeSet};

use crate::workbench::Workbench;

/// Thousands of paths, two bugs, and decisions on values.
pub const PROGRAM: &str = r#"#include <assert.h>
#include <klee/klee.h>
int main(void) {
  unsigned char in[13];
  int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
  int sum = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 12; i++)
    if (in[i] > i) sum += i;
  if (sum == 40) return *(volatile int *)0;
  if (in[12] < 16 && sum == 66) assert(table[in[12]] != 8);
  return sum & 1;
}
"#;

/// The paths of a run that has finished, and what they have shown.
#[derive(PartialEq, Debug)]
pub struct Explored {
    identities: BTreeSet<u64>,
    ends: BTreeMap<String, u64>,
    bugs: BTreeSet<String>,
    covered: (u64, u64),
    completed: u64,
    complete: bool,
}

impl Explored {
    /// Reads an output folder.
    pub fn read(bench: &Workbench, out: &str) -> Explored {
        let text = String::from_utf8(bench.read(format!("{out}/paths.csv"))).unwrap();
        let mut identities = BTreeSet::new();
        let mut ends = BTreeMap::new();
        for row in text.lines().skip(1) {
            let cells: Vec<&str> = row.split(',').collect();
            assert!(identities.insert(cells.last().unwrap().parse().unwrap()), "{out}: {row} is listed twice");
            *ends.entry(cells[4].to_string()).or_insert(0) += 1;
        }
        let summary = bench.json(&format!("{out}/summary.json"));
        assert_eq!(summary["stopped"], "finished", "{out}");
        let bugs = summary["bugs"].as_array().unwrap().iter().map(|bug| {
            assert_eq!(bug["confirmed"], true, "{bug}");
            format!("{}:{}", bug["kind"], bug["line"])
        });
        let covered = |what: &str| summary["coverage"][what]["covered"].as_u64().unwrap();
        Explored {
            identities,
            ends,
            bugs: bugs.collect(),
            covered: (covered("branches"), covered("lines")),
            completed: summary["paths"]["completed"].as_u64().unwrap(),
            complete: summary["complete"].as_bool().unwrap(),
        }
    }
}
