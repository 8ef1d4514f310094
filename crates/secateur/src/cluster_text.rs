//! What `secateur cluster status` prints.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use secateur_cluster::wire::{RunRecord, WorkerStatus};
use secateur_cluster::{ClusterError, Run, Server};

use crate::{DONE, Failure, console, text};

pub(crate) fn status(server: &Arc<Server>) -> Result<u8, Failure> {
    let runs = secateur_cluster::list(server)?;
    let workers = secateur_cluster::list_workers(server)?;
    if runs.is_empty() {
        console::print(format_args!("{}\n", ClusterError::NoRun))?;
    }
    for (id, record) in runs {
        let record = match record {
            Ok(record) => record,
            Err(problem) => {
                console::print(format_args!("{id}: {problem}\n"))?;
                continue;
            }
        };
        let of_run = workers.iter().filter(|(run, ..)| *run == id).map(|(_, number, status)| (*number, status));
        console::print(run_text(server, &id, &record, &of_run.collect::<Vec<_>>()))?;
    }
    Ok(DONE)
}

fn run_text(server: &Arc<Server>, id: &str, record: &RunRecord, workers: &[(u64, &WorkerStatus)]) -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let age = since.saturating_sub(Duration::from_secs(record.began));
    let mut lines = vec![format!("{id}: {}, {}, began {} ago", record.program, record.state.name(), age_text(age))];
    if record.version != secateur_campaign::VERSION {
        lines.push(format!("  version   {}: only that version can work for it", record.version));
    } else if let Ok((run, _)) = Run::open(server, id) {
        if let Ok((waiting, in_work, redelivered)) = run.queue() {
            lines.push(format!("  tasks     {in_work} in work, {waiting} waiting, {redelivered} delivered again"));
        }
        if let Ok((messages, bytes)) = run.log_size() {
            lines.push(format!("  log       {}, {}", text::count(messages, "message"), text::size(bytes)));
        }
    }
    let rate: u64 = workers.iter().map(|(_, status)| status.rate).sum();
    lines.push(format!("  workers   {}, {} paths/s", workers.len(), text::grouped(rate)));
    for (number, status) in workers {
        let pending = match status.pending {
            Some(pending) => format!("{} pending", text::grouped(pending)),
            None => "waiting".to_string(),
        };
        lines.push(format!(
            "    {number:<4} {} {}: {} ({}/s), {pending}, {}, {}",
            status.host,
            status.process,
            text::count(status.paths, "path"),
            text::grouped(status.rate),
            text::count(status.jobs.into(), "job"),
            text::size(status.memory),
        ));
    }
    lines.join("\n") + "\n"
}

fn age_text(age: Duration) -> String {
    match age.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7200 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    }
}
