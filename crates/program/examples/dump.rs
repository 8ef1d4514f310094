//! Prints what the machine would run: `cargo run -p secateur-program --example dump -- [-O1] [--runtime DIR] [--entry
//! F] FILE…`.

use secateur_program::{Entry, LoadOptions, OptLevel, Runtime, UnitOptions, load, verify};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut options = LoadOptions::default();
    let mut quiet = false;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-q" => quiet = true,
            "-O0" => options.opt_level = OptLevel::O0,
            "-O1" => options.opt_level = OptLevel::O1,
            "-O2" => options.opt_level = OptLevel::O2,
            "-O3" => options.opt_level = OptLevel::O3,
            "--runtime" => options.runtime = Runtime::at(args.next().unwrap_or_default().as_ref()),
            "--entry" => {
                let name = args.next().unwrap_or_default();
                options.entry = Entry::Function(UnitOptions::new(&name));
            }
            "--cflag" => options.cflags.extend(args.next()),
            _ => options.inputs.push(arg.into()),
        }
    }
    let loaded = match load(&options) {
        Ok(loaded) => loaded,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let program = &loaded.program;
    let mut instructions = 0;
    for (index, function) in program.functions.iter().enumerate() {
        let Some(body) = &function.body else { continue };
        instructions += body.code.len();
        if !quiet {
            println!("{}", program.dump(secateur_program::FuncId(index as u32)));
        }
        for what in &body.unsupported {
            println!("`{}`: unsupported {what}", function.name);
        }
    }
    let undefined: Vec<&str> = program.functions.iter().filter(|f| f.body.is_none()).map(|f| &*f.name).collect();
    println!("{} functions, {instructions} instructions; undefined: {}", program.functions.len(), undefined.join(" "));
    if let Err(faults) = verify(program) {
        println!("{}", faults.join("\n"));
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
