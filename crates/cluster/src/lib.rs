//! Explores a program on many machines, which share work through a NATS server with JetStream.
//!
//! A run is a set of tasks: parts of the path tree, each with a log on the server that says what was found and what is
//! pending. Workers ([`work`]) lease tasks from a work queue and give parts of theirs to workers that wait. A
//! [`Collector`] reads all logs and is where a campaign's steps come from.

mod collector;
mod connection;
mod error;
mod log;
mod manifest;
mod run;
mod tuning;
mod uplink;
pub mod wire;
mod worker;

pub use collector::Collector;
pub use connection::{Server, ServerOptions};
pub use error::ClusterError;
pub use manifest::Manifest;
pub use run::{ListedRun, Run, RunOptions, list, list_workers, remove};
pub use tuning::Tuning;
pub use worker::{Assignment, work};
