//! The timeline as columns, as charts need it.

use secateur_suite::out_dir::{OutDir, OutError, TIMELINE};
use secateur_suite::timeline::HEADER;
use serde::Serialize;

/// At most this many samples are drawn, since a screen has no more pixels.
const MAX_SAMPLES: usize = 2000;

#[derive(Serialize, Default)]
pub(crate) struct Columns {
    time: Vec<f64>,
    paths: Vec<f64>,
    pending: Vec<f64>,
    tests: Vec<f64>,
    bugs: Vec<f64>,
    branches_covered: Vec<f64>,
    branches_total: Vec<f64>,
    memory: Vec<f64>,
    peak_memory: Vec<f64>,
    solver_time: Vec<f64>,
    subsumed: Vec<f64>,
    dropped: Vec<f64>,
    round: Vec<f64>,
}

impl Columns {
    /// In the order of the file.
    fn all(&mut self) -> impl Iterator<Item = &mut Vec<f64>> {
        let Columns { time, paths, pending, tests, bugs, branches_covered, branches_total, .. } = self;
        let Columns { memory, peak_memory, solver_time, subsumed, dropped, round, .. } = self;
        let counts = [time, paths, pending, tests, bugs, branches_covered, branches_total];
        counts.into_iter().chain([memory, peak_memory, solver_time, subsumed, dropped, round])
    }
}

pub(crate) fn read(out: &OutDir) -> Result<Columns, OutError> {
    // A run that ended before its first sample has no timeline.
    Ok(out.read_text(TIMELINE)?.map_or_else(Columns::default, |text| columns(&text)))
}

fn columns(text: &str) -> Columns {
    let width = HEADER.split(',').count();
    let rows: Vec<Vec<f64>> = text
        .lines()
        .filter_map(|line| line.split(',').map(|field| field.parse().ok()).collect::<Option<Vec<f64>>>())
        .filter(|row| row.len() == width)
        .collect();
    let step = rows.len().div_ceil(MAX_SAMPLES).max(1);
    let mut columns = Columns::default();
    for (index, row) in rows.iter().enumerate() {
        // The last sample is the result of the run.
        if index % step != 0 && index + 1 != rows.len() {
            continue;
        }
        columns.all().zip(row).for_each(|(column, value)| column.push(*value));
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_timelines_are_thinned_and_keep_their_end() {
        let mut text = HEADER.to_string();
        (0..10_001).for_each(|second| text.push_str(&format!("{second}.000,{second},0,0,0,0,0,0,0,0.000,0,0,0\n")));
        text.push_str("10001.0,1");
        let columns = columns(&text);
        assert!(columns.time.len() <= MAX_SAMPLES);
        assert_eq!((columns.time[0], columns.paths.last()), (0.0, Some(&10_000.0)));
    }
}
