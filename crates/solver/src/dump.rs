//! Writes questions to the SMT library to files, for inspection, for benchmarks and for bug reports to solvers.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

use secateur_expr::{Expr, Pool, smtlib};

use crate::SolverError;
use crate::backend::BackendAnswer;

/// A folder that receives questions.
pub(crate) struct Dump {
    folder: PathBuf,
    next: u32,
    /// Set after the first failure, so that a full disk is not written to a thousand times.
    failed: bool,
}

impl Dump {
    /// Creates the folder if there is none.
    pub(crate) fn new(folder: PathBuf) -> Result<Dump, SolverError> {
        fs::create_dir_all(&folder).map_err(|source| SolverError::DumpFolder { path: folder.clone(), source })?;
        Ok(Dump { folder, next: 1, failed: false })
    }

    /// Writes a question and its answer to the next free file. A failure ends the dumping, not the solving.
    pub(crate) fn write(&mut self, pool: &Pool, conditions: &[Expr], answer: &Result<BackendAnswer, SolverError>) {
        if !self.failed && self.try_write(pool, conditions, answer).is_err() {
            self.failed = true;
        }
    }

    fn try_write(
        &mut self,
        pool: &Pool,
        conditions: &[Expr],
        answer: &Result<BackendAnswer, SolverError>,
    ) -> io::Result<()> {
        let mut file = loop {
            let path = self.folder.join(format!("{:06}.smt2", self.next));
            self.next += 1;
            // Several workers share the folder, so a number may be taken.
            match OpenOptions::new().write(true).create_new(true).open(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                file => break file?,
            }
        };
        let answer = match answer {
            Ok(BackendAnswer::Sat(_)) => "sat".to_owned(),
            Ok(BackendAnswer::Unsat { core }) => format!("unsat, core of {} of {}", core.len(), conditions.len()),
            Ok(BackendAnswer::Unknown(reason)) => format!("unknown: {reason}"),
            Err(error) => format!("error: {error}"),
        };
        writeln!(file, "; {}", answer.replace('\n', " "))?;
        file.write_all(smtlib::script(pool, conditions).as_bytes())
    }
}
