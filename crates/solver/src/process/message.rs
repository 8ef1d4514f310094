//! The protocol of a solver process: frames of a length and that many bytes.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

use crate::translate::{Op, Setup, Sort};
use crate::{BackendKind, BackendReason};

/// A request to the process. A frame holds any number of them, one after the other. Terms are numbered in the order of
/// the requests that make them.
#[derive(Serialize, Deserialize, Debug)]
pub(super) enum Request {
    /// The first request: which library to use.
    Start {
        kind: BackendKind,
        setup: Setup,
    },
    Boolean(bool),
    Bits(u32, u128),
    Variable(Sort),
    Apply(Op, Vec<u32>),
    /// The only request with a reply.
    Decide {
        assumptions: Vec<u32>,
        wanted: Vec<u32>,
        depth: u32,
        milliseconds: Option<u64>,
        effort: Option<u64>,
    },
}

/// A reply of the process, one per frame.
#[derive(Serialize, Deserialize, Debug)]
pub(super) enum Reply {
    /// The assumptions contradict each other; an `Unsat` with the core follows.
    Contradiction,
    Sat(Vec<u128>),
    Unsat(Vec<bool>),
    Unknown(BackendReason),
    /// The library failed.
    Error(String),
}

/// Appends a request to a frame.
pub(super) fn append(buffer: &mut Vec<u8>, request: &Request) {
    // Neither writing to memory nor encoding these types can fail.
    if let Ok(longer) = postcard::to_extend(request, std::mem::take(buffer)) {
        *buffer = longer;
    }
}

/// The length that precedes a frame.
pub(super) fn header(frame: &[u8]) -> [u8; 8] {
    (frame.len() as u64).to_le_bytes()
}

/// The first frame of the received bytes and its length with the header, if it is complete.
pub(super) fn first_frame(received: &[u8]) -> Option<(&[u8], usize)> {
    let (length, rest) = received.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    Some((rest.get(..length)?, size_of::<u64>() + length))
}

/// Waits for a frame; `None` at the end of the stream.
pub(super) fn read_frame(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        result => result?,
    }
    let mut frame = Vec::new();
    let length = u64::from_le_bytes(length);
    let read = input.take(length).read_to_end(&mut frame)?;
    if read as u64 == length { Ok(Some(frame)) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Sends a reply.
pub(super) fn write_reply(output: &mut impl Write, reply: &Reply) -> io::Result<()> {
    let frame = postcard::to_extend(reply, Vec::new()).map_err(io::Error::other)?;
    output.write_all(&header(&frame))?;
    output.write_all(&frame)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_replies_round_trip() {
        let mut frame = Vec::new();
        let requests = [
            Request::Start { kind: BackendKind::Z3, setup: Setup { seed: u64::MAX, ..Setup::default() } },
            Request::Bits(128, u128::MAX),
            Request::Apply(Op::BvExtract { high: 7, low: 0 }, vec![0, 300]),
            Request::Decide { assumptions: vec![1], wanted: vec![], depth: 9, milliseconds: Some(10), effort: None },
        ];
        requests.iter().for_each(|request| append(&mut frame, request));
        let mut rest = frame.as_slice();
        for request in &requests {
            let (read, left) = postcard::take_from_bytes::<Request>(rest).unwrap();
            assert_eq!(format!("{read:?}"), format!("{request:?}"));
            rest = left;
        }
        assert!(rest.is_empty());

        let mut stream = Vec::new();
        write_reply(&mut stream, &Reply::Sat(vec![7, u128::MAX])).unwrap();
        assert!(first_frame(&stream[..stream.len() - 1]).is_none(), "it is not complete yet");
        let (frame, length) = first_frame(&stream).unwrap();
        assert_eq!(length, stream.len());
        assert_eq!(read_frame(&mut stream.as_slice()).unwrap().as_deref(), Some(frame));
        assert!(matches!(postcard::from_bytes(frame), Ok(Reply::Sat(values)) if values == [7, u128::MAX]));
        assert!(read_frame(&mut [].as_slice()).unwrap().is_none());
        assert!(read_frame(&mut stream[..9].as_ref()).is_err(), "a truncated frame is an error");
    }
}
