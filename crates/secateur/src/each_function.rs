//! `secateur run --each-function`: tests every function of the given files by itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use secateur_program::{Entry, LoadError};
use secateur_suite::functions::{FunctionResult, FunctionRow, Functions};

use crate::args::RunArgs;
use crate::campaign_options::file_names;
use crate::progress::Progress;
use crate::run::{self, Printing, Session};
use crate::{BUG_FOUND, DONE, Failure, console, runtime, settings, verify};

pub(crate) fn run(mut args: RunArgs, interrupted: Arc<AtomicBool>) -> Result<u8, Failure> {
    let checks = settings::enabled_checks(&args.exploration.check);
    // Any entry makes the loader keep static functions; its name does not matter here.
    args.input.entry = Some(String::new());
    let runtime = runtime::folder()?;
    let mut load_options = settings::load_options(&args, &runtime, &checks)?;
    // Everything is compiled once, whatever the number of functions.
    let mut files = secateur_program::read(&load_options)?;
    let names = secateur_program::functions(&mut files, &load_options)?;
    if names.is_empty() {
        return Err(Failure::Input(format!("{}: there is no function to test", file_names(&args).join(" "))));
    }
    let folder = args.out.clone();
    let (mut functions, claim) = Functions::create(&folder, file_names(&args))?;
    let mut fault = None;
    let show = !args.output.quiet && !args.output.json;
    for (number, name) in names.iter().enumerate() {
        if interrupted.load(Ordering::Relaxed) {
            functions.stopped = "interrupted".to_string();
            functions.untested = names[number..].to_vec();
            break;
        }
        if show {
            eprintln!("secateur: {name} ({} of {})", number + 1, names.len());
        }
        args.input.entry = Some(name.clone());
        args.out = folder.join(name);
        let started = Instant::now();
        load_options.entry = Entry::Function(args.input.unit.options(name));
        let outcome = match secateur_program::load_files(&mut files, &load_options) {
            Ok(loaded) => {
                let session = Session {
                    started,
                    interrupted: Arc::clone(&interrupted),
                    progress: Progress::new(true, args.output.show_output),
                    printing: Printing::Nothing,
                    beginning: None,
                    journal: None,
                };
                match run::explore(&args, loaded, session, None) {
                    Ok(summary) => FunctionResult::Tested {
                        stopped: summary.stopped,
                        paths: summary.paths.completed,
                        tests: summary.tests,
                        branches: summary.coverage.entry.unwrap_or_default(),
                        bugs: summary.bugs,
                        verdict: summary.verdict,
                    },
                    // A fault of ours in one function must not cost the results of the others.
                    Err(Failure::Own(reason)) => {
                        fault.get_or_insert_with(|| format!("{name}: {reason}"));
                        FunctionResult::Unsupported { reason: format!("internal error: {reason}") }
                    }
                    Err(error) => return Err(error),
                }
            }
            Err(LoadError::Entry { reason, .. }) => FunctionResult::Unsupported { reason },
            Err(error) => return Err(error.into()),
        };
        functions.rows.push(FunctionRow {
            function: name.clone(),
            time: Some(started.elapsed().as_secs_f64()),
            outcome,
        });
        functions.write(&folder)?;
    }
    functions.write(&folder)?;
    claim.check()?;
    if args.output.json {
        console::print(functions.to_json())?;
    } else if show {
        console::print(&functions)?;
    }
    if let Some(fault) = fault {
        return Err(Failure::Own(fault));
    }
    if args.verify.is_some() {
        let verdict = functions.verdict();
        if show {
            console::print(format_args!("{verdict}\n"))?;
        }
        return Ok(verify::exit_code(verdict));
    }
    Ok(if functions.has_bug() { BUG_FOUND } else { DONE })
}
