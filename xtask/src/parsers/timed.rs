//! Runs a program for some seconds of processor time, its child processes included.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often the processor time is looked at.
const INTERVAL: Duration = Duration::from_millis(20);

/// How long a program that was asked to stop may take for that.
const PATIENCE: Duration = Duration::from_secs(20);

/// The unit of processor time in `/proc`, which is the same on every Linux.
const TICKS_PER_SECOND: f64 = 100.0;

/// Runs a program until it has used its time, or `is_done`, then interrupts it as Ctrl-C would. What it prints goes to
/// a file in the folder. Returns how much time it had used by then.
pub fn run(command: &mut Command, seconds: f64, folder: &Path, is_done: &dyn Fn() -> bool) -> Result<f64, String> {
    let path = folder.join("output.txt");
    let log = File::create(&path).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    let errors = log.try_clone().map_err(|error| error.to_string())?;
    command.stdin(Stdio::null()).stdout(log).stderr(errors);
    let mut child = command.spawn().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let start = Instant::now();
    let mut interrupted: Option<Instant> = None;
    let mut time = 0.0;
    while !has_ended(&mut child)? {
        let too_long = start.elapsed().as_secs_f64() > 20.0 * seconds;
        if interrupted.is_none() {
            time = used(child.id());
            if time >= seconds || too_long || is_done() {
                signal("-INT", child.id())?;
                interrupted = Some(Instant::now());
            }
        }
        if interrupted.is_some_and(|since| since.elapsed() > PATIENCE) {
            child.kill().map_err(|error| error.to_string())?;
        }
        std::thread::sleep(INTERVAL);
    }
    Ok(time)
}

fn has_ended(child: &mut Child) -> Result<bool, String> {
    child.try_wait().map(|status| status.is_some()).map_err(|error| error.to_string())
}

fn signal(name: &str, process: u32) -> Result<(), String> {
    let status = Command::new("kill").arg(name).arg(process.to_string()).status();
    status.map(|_| ()).map_err(|error| format!("cannot run kill: {error}"))
}

/// The processor time of a process and its descendants, in seconds.
fn used(process: u32) -> f64 {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut ticks: HashMap<u32, u64> = HashMap::new();
    let Ok(entries) = std::fs::read_dir("/proc") else { return 0.0 };
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    for number in numbers {
        let Some((parent, used)) = statistics(number) else { continue };
        children.entry(parent).or_default().push(number);
        ticks.insert(number, used);
    }
    let mut sum = 0;
    let mut open = vec![process];
    while let Some(next) = open.pop() {
        sum += ticks.get(&next).copied().unwrap_or(0);
        open.extend(children.get(&next).into_iter().flatten());
    }
    sum as f64 / TICKS_PER_SECOND
}

/// The parent of a process, and its processor time with that of its children that have ended.
fn statistics(process: u32) -> Option<(u32, u64)> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may contain anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let times = fields.get(11..15)?.iter().filter_map(|field| field.parse::<u64>().ok());
    Some((fields.get(1)?.parse().ok()?, times.sum()))
}
