//! The main loop of a solver process: it makes terms on request and answers questions about them.

use std::io::{self, BufReader, Read, Write};
use std::time::Duration;

use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};

use crate::bitwuzla::BitwuzlaContext;
use crate::process::message::{Reply, Request, read_frame, write_reply};
use crate::translate::decider::decide_with;
use crate::translate::{Context, Decision, Question, Setup, Sort};
use crate::z3::Z3Context;
use crate::{BackendKind, Deadline, SolverError};

/// The argument that makes the program a solver process. The next argument is the id of its parent.
pub const SERVE: &str = "solver-process";

/// Reads requests from standard input and writes replies to standard output until the input ends. Never returns.
pub fn serve() -> ! {
    let parent = std::env::args().nth(2).and_then(|number| number.parse::<i32>().ok());
    // From now on the kernel kills this process when the thread that started it exits, which it may have done before.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    let is_orphan = parent.is_some_and(|parent| getppid().map(Pid::as_raw_pid) != Some(parent));
    if !is_orphan {
        // The parent notices the end of the stream and does not need the reason.
        let _ = answer(BufReader::new(io::stdin()), io::stdout());
    }
    // SAFETY: nothing runs after it. Freeing the terms one by one would only take time.
    unsafe { libc::_exit(0) }
}

/// Reads the first request and starts the library that it names.
fn answer(mut input: impl Read, output: impl Write + Send) -> io::Result<()> {
    let Some(frame) = read_frame(&mut input)? else { return Ok(()) };
    match postcard::take_from_bytes(&frame) {
        Ok((Request::Start { kind: BackendKind::Bitwuzla, setup }, rest)) => {
            Server::<BitwuzlaContext, _>::new(setup, output).run(rest, input)
        }
        Ok((Request::Start { kind: BackendKind::Z3, setup }, rest)) => {
            Server::<Z3Context, _>::new(setup, output).run(rest, input)
        }
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

struct Server<C: Context, W> {
    context: Result<C, SolverError>,
    terms: Vec<C::Term>,
    output: W,
}

impl<C: Context, W: Write + Send> Server<C, W> {
    fn new(setup: Setup, output: W) -> Self {
        Server { context: C::new(setup), terms: Vec::new(), output }
    }

    /// Handles frames; the first was read already.
    fn run(&mut self, first: &[u8], mut input: impl Read) -> io::Result<()> {
        self.work(first)?;
        while let Some(frame) = read_frame(&mut input)? {
            self.work(&frame)?;
        }
        Ok(())
    }

    fn work(&mut self, mut requests: &[u8]) -> io::Result<()> {
        while !requests.is_empty() {
            let (request, rest) = postcard::take_from_bytes(requests).map_err(io::Error::other)?;
            requests = rest;
            if let Request::Decide { assumptions, wanted, depth, milliseconds, effort } = request {
                let mut deadline =
                    milliseconds.map_or_else(Deadline::default, |time| Deadline::lasting(Duration::from_millis(time)));
                if let Some(effort) = effort {
                    deadline = deadline.with_effort(effort);
                }
                let reply = self.decide(&assumptions, &wanted, depth, &deadline);
                write_reply(&mut self.output, &reply.unwrap_or_else(|error| Reply::Error(error.to_string())))?;
            } else if let Ok(context) = &mut self.context
                && let Err(error) = make(context, &mut self.terms, &request)
            {
                // Later requests may refer to the missing term, so the next question is answered with the error.
                self.context = Err(error);
            }
        }
        Ok(())
    }

    fn decide(
        &mut self,
        assumptions: &[u32],
        wanted: &[u32],
        depth: u32,
        deadline: &Deadline,
    ) -> Result<Reply, SolverError> {
        let context = match &mut self.context {
            Ok(context) => context,
            Err(error) => return Ok(Reply::Error(error.to_string())),
        };
        let (assumptions, wanted) = (named(&self.terms, assumptions)?, named(&self.terms, wanted)?);
        let question = Question { assumptions: &assumptions, wanted: &wanted, depth };
        let output = &mut self.output;
        let decision = decide_with(context, &question, deadline, || {
            // If the parent is gone, writing the next reply fails.
            let _ = write_reply(output, &Reply::Contradiction);
        })?;
        Ok(match decision {
            Decision::Sat(values) => Reply::Sat(values),
            Decision::Unsat(failed) => Reply::Unsat(failed),
            Decision::Unknown(reason) => Reply::Unknown(reason),
        })
    }
}

/// Makes the requested term.
fn make<C: Context>(context: &mut C, terms: &mut Vec<C::Term>, request: &Request) -> Result<(), SolverError> {
    let term = match request {
        Request::Boolean(value) => context.boolean(*value)?,
        Request::Bits(width, value) => context.bits(*width, *value)?,
        Request::Variable(sort) => context.variable(*sort, name(*sort))?,
        Request::Apply(op, args) => context.apply(*op, &named(terms, args)?)?,
        Request::Start { .. } | Request::Decide { .. } => return Ok(()),
    };
    terms.push(term);
    Ok(())
}

/// The formulas of this process are never printed, so names need not be distinct.
fn name(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "p",
        Sort::Bits(_) => "x",
        Sort::Float(_) => "f",
    }
}

/// The terms with these numbers.
fn named<T: Copy>(terms: &[T], numbers: &[u32]) -> Result<Vec<T>, SolverError> {
    let term = |&number: &u32| terms.get(number as usize).copied();
    numbers
        .iter()
        .map(term)
        .collect::<Option<_>>()
        .ok_or_else(|| SolverError::Backend { backend: "solver process", message: "a term was never made".to_owned() })
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;

    use super::*;
    use crate::process::message::{append, header};
    use crate::translate::Op;

    /// The replies of a server of that library to a frame of requests.
    fn replies(kind: BackendKind, requests: &[Request]) -> Vec<Reply> {
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        let server = std::thread::spawn(move || answer(theirs.try_clone().unwrap(), theirs));
        let mut frame = Vec::new();
        append(&mut frame, &Request::Start { kind, setup: Setup::default() });
        requests.iter().for_each(|request| append(&mut frame, request));
        ours.write_all(&header(&frame)).unwrap();
        ours.write_all(&frame).unwrap();
        ours.shutdown(std::net::Shutdown::Write).unwrap();
        let mut replies = Vec::new();
        while let Some(frame) = read_frame(&mut ours).unwrap() {
            replies.push(postcard::from_bytes(&frame).unwrap());
        }
        server.join().unwrap().unwrap();
        replies
    }

    fn decide(assumptions: &[u32], wanted: &[u32]) -> Request {
        let (assumptions, wanted) = (assumptions.to_vec(), wanted.to_vec());
        Request::Decide { assumptions, wanted, depth: 2, milliseconds: None, effort: None }
    }

    #[test]
    fn both_libraries_answer_remotely() {
        for kind in BackendKind::ALL {
            let found = replies(
                kind,
                &[
                    Request::Variable(Sort::Bits(8)),
                    Request::Bits(8, 7),
                    Request::Apply(Op::Equal, vec![0, 1]),
                    Request::Apply(Op::BvUlt, vec![0, 1]),
                    Request::Boolean(true),
                    decide(&[2, 4], &[0]),
                    decide(&[2, 4, 3], &[0]),
                ],
            );
            let [Reply::Sat(values), Reply::Contradiction, Reply::Unsat(failed)] = &found[..] else {
                panic!("{kind:?}: {found:?}");
            };
            assert_eq!((&values[..], &failed[..]), (&[7][..], &[true, false, true][..]), "{kind:?}");
        }
    }

    #[test]
    fn a_term_that_cannot_be_made_is_an_error_of_the_question() {
        let missing = replies(BackendKind::Bitwuzla, &[Request::Apply(Op::Not, vec![3]), decide(&[], &[])]);
        assert!(matches!(&missing[..], [Reply::Error(_)]), "{missing:?}");
        let misuse = [Request::Bits(8, 7), Request::Apply(Op::Not, vec![0]), decide(&[], &[])];
        let misused = replies(BackendKind::Bitwuzla, &misuse);
        assert!(matches!(&misused[..], [Reply::Error(_)]), "{misused:?}");
    }
}
