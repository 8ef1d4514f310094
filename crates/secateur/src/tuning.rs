//! `--tune`: the tuned numbers of all crates together.

use std::fmt::Write;

use secateur_program::similar;
use secateur_tuning::{Entry, TuningError};

/// The tuned numbers of each crate that has some.
#[derive(Default)]
pub(crate) struct Tuning {
    pub program: secateur_program::Tuning,
    pub expr: secateur_machine::ExprTuning,
    pub machine: secateur_machine::Tuning,
    pub explore: secateur_explore::Tuning,
    pub solver: secateur_solver::Tuning,
    pub concrete: secateur_solver::ConcreteSearchTuning,
    pub interpolation: secateur_interpolation::Tuning,
    pub backward: secateur_campaign::BackwardTuning,
    pub learn: secateur_learn::Tuning,
    pub suite: secateur_campaign::SuiteTuning,
    pub campaign: secateur_campaign::Tuning,
    pub c_tests: secateur_campaign::CTestsTuning,
    pub cluster: secateur_cluster::Tuning,
}

impl Tuning {
    /// The defaults, changed by settings such as `machine.short-copy=128`.
    pub fn changed(settings: &[String]) -> Result<Tuning, String> {
        let mut tuning = Tuning::default();
        for setting in settings {
            tuning.change(setting).map_err(|reason| format!("{setting}: {reason}"))?;
        }
        Ok(tuning)
    }

    fn change(&mut self, setting: &str) -> Result<(), String> {
        let (name, value) = setting.split_once('=').ok_or("give NAME=VALUE, or `help` for all names")?;
        for part in self.parts() {
            match part.set(name, value) {
                Err(TuningError::NoSuchName(_)) => {}
                result => return result.map_err(|error| error.to_string()),
            }
        }
        let known = self.entries().into_iter().map(|entry| entry.name);
        let hint = similar(name, known).first().map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        Err(format!("{}{hint}", TuningError::NoSuchName(name.to_string())))
    }

    /// Every number with its value and what it does.
    pub fn help(&mut self) -> String {
        let mut text = String::new();
        for entry in self.entries() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}={}\n    {}", entry.name, entry.value, entry.description);
        }
        text
    }

    fn entries(&mut self) -> Vec<Entry> {
        self.parts().iter().flat_map(|part| part.entries()).collect()
    }

    fn parts(&mut self) -> [&mut dyn secateur_tuning::Tuning; 13] {
        [
            &mut self.program,
            &mut self.expr,
            &mut self.machine,
            &mut self.explore,
            &mut self.solver,
            &mut self.concrete,
            &mut self.interpolation,
            &mut self.backward,
            &mut self.learn,
            &mut self.suite,
            &mut self.campaign,
            &mut self.c_tests,
            &mut self.cluster,
        ]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    fn changed(settings: &[&str]) -> Result<Tuning, String> {
        Tuning::changed(&settings.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn numbers_are_set_by_their_names() {
        assert_eq!(changed(&["machine.short-copy=128"]).unwrap().machine.short_copy, 128);
        assert_eq!(changed(&["explore.fair-turn=7"]).unwrap().explore.fair_turn, 7);
        assert_eq!(changed(&["expr.rule-depth=7"]).unwrap().expr.rule_depth, 7);
        assert_eq!(changed(&["program.value-scalars=77"]).unwrap().program.value_scalars, 77);
        assert_eq!(changed(&["suite.mutants=7"]).unwrap().suite.mutants, 7);
        assert_eq!(changed(&["campaign.many-seeds=7"]).unwrap().campaign.many_seeds, 7);
        assert_eq!(changed(&["solver.cases-work=7"]).unwrap().solver.cases_work, 7);
    }

    #[test]
    fn wrong_settings_get_one_clear_sentence() {
        let message = |setting: &str| changed(&[setting]).err().unwrap();
        assert!(message("machine.short-kopy=1").ends_with("did you mean `machine.short-copy`?"));
        assert!(message("machine.short-copy").ends_with("give NAME=VALUE, or `help` for all names"));
        assert!(message("machine.short-copy=0").ends_with("a whole number from 1 to 4096"));
    }

    /// A number that is declared but not read would be set in vain.
    #[test]
    fn every_number_is_read() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut code = String::new();
        let mut folders = vec![crates];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let is_source = path.extension().is_some_and(|extension| extension == "rs");
                if path.is_dir() {
                    folders.push(path);
                } else if is_source && path.components().any(|part| part.as_os_str() == "src") {
                    code.extend(std::fs::read_to_string(path).unwrap().split_whitespace());
                }
            }
        }
        // Fields are read by their names, or where all of the struct is taken apart.
        let names = |text: &str| -> BTreeSet<String> {
            text.split(|letter: char| letter != '_' && !letter.is_alphanumeric()).map(String::from).collect()
        };
        let mut read = BTreeSet::new();
        for after in ["tuning.", "tuning()."] {
            read.extend(code.split(after).skip(1).filter_map(|rest| {
                rest.split(|letter: char| letter != '_' && !letter.is_alphanumeric()).next().map(String::from)
            }));
        }
        let taken_apart = code.split("letTuning{").skip(1).filter_map(|rest| rest.split('}').next());
        read.extend(taken_apart.flat_map(names));
        for entry in Tuning::default().entries() {
            let field = entry.name.rsplit('.').next().unwrap_or_default().replace('-', "_");
            assert!(read.contains(&field), "{} is not read", entry.name);
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<String> = Tuning::default().entries().into_iter().map(|entry| entry.name).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
