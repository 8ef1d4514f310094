//! The record that the replay library leaves of a native run; its layout is that of `replay.h`.

use crate::prediction::LOG_BRANCHES;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Which branches a native run took.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct NativeTrace {
    /// How many branches were taken.
    pub(super) count: u64,
    /// Hash of all branches and outcomes.
    pub(super) hash: u64,
    /// The lowest bit of the outcome of each logged branch, packed.
    log: Vec<u8>,
    /// The number of each logged branch.
    numbers: Vec<u32>,
    /// By number of branch: the set of outcomes it had.
    pub(super) outcomes: Vec<u64>,
    /// By number of block: whether it ran.
    pub(super) blocks: Vec<bool>,
}

/// The request to a native run: the part of the file that is written before the program starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Wanted<'a> {
    /// How many branches are traced.
    pub(super) branches: u32,
    /// How many blocks are traced.
    pub(super) blocks: u32,
    /// Whether lost memory is to be reported.
    pub(super) find_leaks: bool,
    /// Where a sanitizer reports to; it appends the number of the process.
    pub(super) report: &'a Path,
}

/// Where the count of branches is in the file.
pub(super) const COUNT_OFFSET: u64 = 8;

const MAGIC: u32 = u32::from_le_bytes(*b"SCTR");
const VERSION: u32 = 2;
/// Room for the path of the report, including its terminating zero.
const REPORT_LEN: usize = 4096;
const HEADER_LEN: usize = 56 + REPORT_LEN + LOG_BRANCHES as usize / 8 + LOG_BRANCHES as usize * 4;

impl Wanted<'_> {
    /// The first bytes of the file, and how long it is; all others are 0. `None` if the path of the report is too long.
    pub(super) fn to_bytes(&self) -> Option<(Vec<u8>, u64)> {
        let report = self.report.as_os_str().as_bytes();
        if report.len() >= REPORT_LEN {
            return None;
        }
        let mut bytes = [MAGIC.to_le_bytes(), VERSION.to_le_bytes()].concat();
        let (count, hash, log_len) = (0, 0, 0);
        let numbers = [count, hash, log_len, self.branches.into(), self.blocks.into(), u64::from(self.find_leaks)];
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(report);
        Some((bytes, HEADER_LEN as u64 + u64::from(self.branches) * 8 + u64::from(self.blocks)))
    }
}

impl NativeTrace {
    /// Reads the bytes of the file; `None` if it is not such a file.
    pub(super) fn from_bytes(bytes: &[u8], branches: u32, blocks: u32) -> Option<NativeTrace> {
        let mut reader = Reader(bytes);
        if reader.u32()? != MAGIC || reader.u32()? != VERSION {
            return None;
        }
        let (count, hash) = (reader.u64()?, reader.u64()?);
        let logged = reader.u64()?.min(LOG_BRANCHES) as usize;
        // Skips the request.
        reader.take(3 * 8 + REPORT_LEN)?;
        let log = reader.take(LOG_BRANCHES as usize / 8)?.to_vec();
        let mut numbers = Reader(reader.take(LOG_BRANCHES as usize * 4)?);
        Some(NativeTrace {
            count,
            hash,
            log,
            numbers: (0..logged).map_while(|_| numbers.u32()).collect(),
            outcomes: (0..branches).map(|_| reader.u64()).collect::<Option<_>>()?,
            blocks: reader.take(blocks as usize)?.iter().map(|byte| *byte != 0).collect(),
        })
    }

    /// The number and the lowest bit of the outcome of the branch at this position, if it was logged.
    pub(super) fn branch(&self, index: u64) -> Option<(u32, bool)> {
        let number = *self.numbers.get(usize::try_from(index).ok()?)?;
        let byte = *self.log.get((index / 8) as usize)?;
        Some((number, byte >> (index % 8) & 1 == 1))
    }

    /// The trace of a run of these branches, as the library would write it.
    #[cfg(test)]
    pub(super) fn of(branches: &[(u32, u32)]) -> NativeTrace {
        let mut trace = crate::Trace::default();
        for (number, outcome) in branches {
            trace.record(*number, *outcome);
        }
        let prediction = trace.ends(crate::Expected::Assumed);
        NativeTrace {
            count: prediction.branches,
            hash: prediction.hash,
            log: prediction.log,
            numbers: branches.iter().map(|branch| branch.0).collect(),
            ..NativeTrace::default()
        }
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(outcomes: &[u64], blocks: &[u8]) -> Vec<u8> {
        let mut bytes = b"SCTR".to_vec();
        bytes.extend(VERSION.to_le_bytes());
        for number in [2u64, 77, 2, outcomes.len() as u64, blocks.len() as u64, 0] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([0; REPORT_LEN]);
        let mut log = vec![0; 8192];
        log[0] = 0b10;
        bytes.extend(log);
        let mut numbers = vec![0; 65536 * 4];
        numbers[4] = 9;
        bytes.extend(numbers);
        bytes.extend(outcomes.iter().flat_map(|set| set.to_le_bytes()));
        bytes.extend(blocks);
        bytes
    }

    #[test]
    fn layout() {
        let trace = NativeTrace::from_bytes(&file(&[1, 3], &[0, 1, 1]), 2, 3).unwrap();
        assert_eq!((trace.count, trace.hash), (2, 77));
        assert_eq!([0, 1, 2].map(|index| trace.branch(index)), [Some((0, false)), Some((9, true)), None]);
        assert_eq!(trace.outcomes, [1, 3]);
        assert_eq!(trace.blocks, [false, true, true]);
    }

    #[test]
    fn short_files_are_refused() {
        let bytes = file(&[1], &[1]);
        assert!(NativeTrace::from_bytes(&bytes, 1, 1).is_some());
        for len in [0, 3, 30, 100, 9000, bytes.len() - 1] {
            assert_eq!(NativeTrace::from_bytes(&bytes[..len], 1, 1), None);
        }
    }

    #[test]
    fn a_run_that_has_done_nothing_leaves_what_was_wanted() {
        let report = Path::new("/tmp/it's: here/report");
        let wanted = Wanted { branches: 2, blocks: 3, find_leaks: true, report };
        let (mut bytes, len) = wanted.to_bytes().unwrap();
        bytes.resize(len as usize, 0);
        let trace = NativeTrace::from_bytes(&bytes, 2, 3).unwrap();
        assert_eq!((trace.count, trace.outcomes, trace.blocks), (0, vec![0; 2], vec![false; 3]));
        let long = "x".repeat(REPORT_LEN);
        assert_eq!(Wanted { report: Path::new(&long), ..wanted }.to_bytes(), None);
    }

    proptest! {
        #[test]
        fn garbage_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            let _ = NativeTrace::from_bytes(&bytes, 1, 1);
            let _ = NativeTrace::from_bytes(&[b"SCTR", &VERSION.to_le_bytes()[..], &bytes].concat(), 1, 1);
        }
    }
}
