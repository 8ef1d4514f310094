//! The tuned numbers of a cluster.

use std::time::Duration;

secateur_tuning::tuning! {
    /// Numbers that decide how work is spread over the workers of a cluster.
    pub struct Tuning in "cluster" {
        /// How long a worker that has nothing to do waits before it asks again, at first; each further time it waits
        /// twice as long.
        first_pause: Duration = Duration::from_millis(20), in Duration::from_millis(1)..=Duration::from_secs(3600);
        /// The longest such wait.
        longest_pause: Duration = Duration::from_millis(500), in Duration::from_millis(1)..=Duration::from_secs(3600);
        /// How long a request for work counts.
        demand_time: Duration = Duration::from_millis(300), in Duration::ZERO..=Duration::from_secs(3600);
        /// How often a task may be claimed without anything being found before it is given up: whoever explores it dies.
        task_claims: u32 = 20, in 1..;
        /// How many pending items a task may have when memory was too short to explore it: it becomes several.
        task_items: usize = 1_000, in 1..;
    }
}
