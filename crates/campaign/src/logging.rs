//! `run.log`: the log messages of all crates while a program is explored.

use std::sync::Mutex;

use secateur_suite::{OutDir, OutError};
use tracing::Level;
use tracing::subscriber::DefaultGuard;

/// Logs into the output folder until the guard is dropped; with `paths`, also every path.
pub(crate) fn start(out: &OutDir, paths: bool) -> Result<DefaultGuard, OutError> {
    let log = out.open_log()?;
    let level = if paths { Level::DEBUG } else { Level::INFO };
    // Without times, so that the same run writes the same log; `timeline.csv` has them.
    let subscriber = tracing_subscriber::fmt().without_time().with_writer(Mutex::new(log)).with_ansi(false);
    Ok(tracing::subscriber::set_default(subscriber.with_max_level(level).finish()))
}
