//! `secateur run --each-function`: tests every function of the given files by itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use secateur_program::LoadError;
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
    let names = secateur_program::functions(&settings::load_options(&args, &runtime::folder()?, &checks)?)?;
    if names.is_empty() {
        return Err(Failure::Input(format!("{}: there is no function to test", file_names(&args).join(" "))));
    }
    let folder = args.out.clone();
    let (mut functions, claim) = Functions::create(&folder, file_names(&args))?;
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
        let mut load_options = settings::load_options(&args, &runtime::folder()?, &checks)?;
        // The compiler's warnings were shown when the functions were listed.
        load_options.cflags.push("-w".to_string());
        let outcome = match secateur_program::load(&load_options) {
            Ok(loaded) => {
                let session = Session {
                    started,
                    interrupted: Arc::clone(&interrupted),
                    progress: Progress::new(true, args.output.show_output),
                    printing: Printing::Nothing,
                };
                let summary = run::explore(&args, loaded, session)?;
                FunctionResult::Tested {
                    stopped: summary.stopped,
                    paths: summary.paths.completed,
                    tests: summary.tests,
                    branches: summary.coverage.entry.unwrap_or_default(),
                    bugs: summary.bugs,
                    verdict: summary.verdict,
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
    if args.verify.is_some() {
        let verdict = functions.verdict();
        if show {
            console::print(format_args!("{verdict}\n"))?;
        }
        return Ok(verify::exit_code(verdict));
    }
    Ok(if functions.has_bug() { BUG_FOUND } else { DONE })
}
