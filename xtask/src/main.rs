//! Project tasks that need more than a line of the Makefile: `cargo xtask bench`.

mod bench;
mod cluster;
mod coreutils;
mod expected;
mod goal;
mod header;
mod interpolation;
mod learn;
mod parsers;
mod reach;
mod real;
mod runs;
mod search;
mod seeds;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let result = match arguments.next().as_deref() {
        Some("bench") => bench::bench(&arguments.collect::<Vec<_>>()),
        Some("bench-search") => search::search(&arguments.collect::<Vec<_>>()),
        Some("bench-learn") => learn::learn(&arguments.collect::<Vec<_>>()),
        Some("bench-parsers") => parsers::parsers(&arguments.collect::<Vec<_>>()),
        Some("bench-formats") => parsers::formats(&arguments.collect::<Vec<_>>()),
        Some("bench-real") => real::real(&arguments.collect::<Vec<_>>()),
        Some("bench-coreutils") => coreutils::coreutils(&arguments.collect::<Vec<_>>()),
        Some("bench-seeds") => seeds::seeds(),
        Some("bench-reach") => reach::reach(),
        Some("bench-cluster") => cluster::cluster(),
        Some("bench-interpolation") => interpolation::interpolation(&arguments.collect::<Vec<_>>()),
        _ => Err("usage: cargo xtask bench [NAME…] | bench-search [ORDER…] | bench-parsers [OPTION…] | \
                 bench-formats [OPTION…] | bench-learn [OPTION…] | bench-seeds | bench-interpolation [PART…] | \
                 bench-real [PROGRAM…] | bench-coreutils [--seconds N] [PROGRAM…] | bench-reach | \
                 bench-cluster"
            .to_string()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
