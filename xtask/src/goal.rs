//! What a benchmark is to reach, and whether it does.

use std::fmt;

use serde_json::{Value, json};

/// A goal and whether it is reached.
pub struct Goal {
    pub what: String,
    pub reached: String,
    pub goal: &'static str,
    pub holds: bool,
}

impl Goal {
    pub fn to_json(&self) -> Value {
        json!({ "what": self.what, "reached": self.reached, "goal": self.goal, "holds": self.holds })
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.holds { "reached" } else { "MISSED " };
        write!(f, "{sign}  {:<64} {:>10}  (goal: {})", self.what, self.reached, self.goal)
    }
}
