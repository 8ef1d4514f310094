//! `learned.json`: what a run has learned, for another one.
//!
//! Input bytes have other numbers if another version reads its input in another order, so conditions name the input and
//! the offset in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bandit::Bandit;
use crate::condition::Condition;
use crate::evidence::InputName;
use crate::identity::Identity;
use crate::weights::Known;

/// The version of the format.
const VERSION: u32 = 1;
const SCHEMA: &str = "secateur-learned";

/// What was learned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Learned {
    pub(crate) schema: String,
    pub(crate) version: u32,
    /// The files of the program, for messages.
    pub(crate) program: Vec<String>,
    pub(crate) identity: Identity,
    pub(crate) features: Vec<LearnedFeature>,
    /// How often each pruning ratio has led to useful tests.
    pub(crate) ratios: Vec<(f64, f64)>,
    /// The same for lengths, as parts of the average length.
    pub(crate) lengths: Vec<(f64, f64)>,
    /// Whether to prune.
    pub(crate) pruning: Bandit,
    /// Which order to use.
    pub(crate) orders: Vec<String>,
    pub(crate) order: Bandit,
}

/// A feature and the weights that were useful.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct LearnedFeature {
    pub condition: NamedCondition,
    pub weight: Known,
}

/// A condition on named inputs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NamedCondition {
    In { input: String, offset: u32, bytes: u8, values: Vec<(u64, u64)> },
    All(Vec<NamedCondition>),
    Any(Vec<NamedCondition>),
}

/// Why what was learned cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LearnedError {
    /// It cannot be read.
    #[error("it is no learned.json: {0}")]
    Malformed(String),
    /// The version of the format is not known.
    #[error("its format has version {0}, and this Secateur reads version {VERSION}")]
    Version(u32),
    /// It is of another program.
    #[error("it was learned on `{program}`, of which only {shared}% is in this program")]
    OtherProgram {
        /// The files of that program.
        program: String,
        /// How much of it both share, in per cent.
        shared: u32,
    },
}

impl Learned {
    /// Nothing yet.
    pub(crate) fn new(program: &[String], identity: Identity, orders: &[String]) -> Learned {
        Learned {
            schema: SCHEMA.to_string(),
            version: VERSION,
            program: program.to_vec(),
            identity,
            features: Vec::new(),
            ratios: Vec::new(),
            lengths: Vec::new(),
            pruning: Bandit::new(2),
            orders: orders.to_vec(),
            order: Bandit::new(orders.len()),
        }
    }

    /// Reads the text of a file, which anybody may have written.
    pub fn read(text: &str) -> Result<Learned, LearnedError> {
        let malformed = |error: serde_json::Error| LearnedError::Malformed(error.to_string());
        let value: serde_json::Value = serde_json::from_str(text).map_err(malformed)?;
        if value.get("schema").and_then(|schema| schema.as_str()) != Some(SCHEMA) {
            return Err(LearnedError::Malformed(format!("its schema is not `{SCHEMA}`")));
        }
        let version = value.get("version").and_then(serde_json::Value::as_u64).unwrap_or(0);
        if version != u64::from(VERSION) {
            return Err(LearnedError::Version(version.try_into().unwrap_or(u32::MAX)));
        }
        let learned: Learned = serde_json::from_value(value).map_err(malformed)?;
        if !learned.is_valid() {
            return Err(LearnedError::Malformed("a number in it is out of range".to_string()));
        }
        Ok(learned)
    }

    fn is_valid(&self) -> bool {
        let is_count = |count: f64| count.is_finite() && count >= 0.0;
        let weights = self.features.iter().map(|feature| feature.weight);
        weights.into_iter().all(|known| {
            is_count(known.count)
                && (-1.0..=1.0).contains(&known.mean)
                && is_count(known.variance)
                && known.variance <= 4.0
        }) && self.ratios.iter().chain(&self.lengths).all(|(_, count)| is_count(*count))
            && self.pruning.is_valid()
            && self.order.is_valid()
            && self.pruning.len() == 2
            && self.order.len() == self.orders.len()
    }

    /// Refuses what was learned on another program.
    pub(crate) fn check(&self, identity: &Identity, least: f64) -> Result<(), LearnedError> {
        let shared = self.identity.similarity(identity);
        if shared >= least && shared > 0.0 {
            return Ok(());
        }
        Err(LearnedError::OtherProgram { program: self.program.join(" "), shared: (100.0 * shared) as u32 })
    }

    /// As text.
    pub(crate) fn text(&self) -> String {
        let mut text = serde_json::to_string(self).expect("strings and numbers can always be written as JSON");
        text.push('\n');
        text
    }
}

impl NamedCondition {
    /// A condition on input bytes with these names; `None` if one has no name.
    pub(crate) fn of(condition: &Condition, names: &BTreeMap<u32, InputName>) -> Option<NamedCondition> {
        let all =
            |parts: &[Condition]| parts.iter().map(|part| NamedCondition::of(part, names)).collect::<Option<Vec<_>>>();
        Some(match condition {
            Condition::In { first, bytes, values } => {
                let (start, name) = names.range(..=*first).next_back()?;
                let offset = first - start;
                (offset < name.bytes).then_some(())?;
                NamedCondition::In { input: name.text.clone(), offset, bytes: *bytes, values: values.clone() }
            }
            Condition::All(parts) => NamedCondition::All(all(parts)?),
            Condition::Any(parts) => NamedCondition::Any(all(parts)?),
        })
    }

    /// The condition on the input bytes that have these names now; `None` if one of them does not exist.
    pub(crate) fn resolve(&self, names: &BTreeMap<u32, InputName>) -> Option<Condition> {
        let all = |parts: &[NamedCondition]| parts.iter().map(|part| part.resolve(names)).collect::<Option<Vec<_>>>();
        let condition = match self {
            NamedCondition::In { input, offset, bytes, values } => {
                let (start, name) = names.iter().find(|(_, name)| name.text == *input)?;
                (offset.checked_add(u32::from(*bytes))? <= name.bytes).then_some(())?;
                Condition::In { first: start.checked_add(*offset)?, bytes: *bytes, values: values.clone() }
            }
            NamedCondition::All(parts) => Condition::All(all(parts)?),
            NamedCondition::Any(parts) => Condition::Any(all(parts)?),
        };
        condition.is_valid().then_some(condition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned() -> Learned {
        let condition = NamedCondition::In { input: "stdin".to_string(), offset: 1, bytes: 1, values: vec![(45, 45)] };
        let weight = Known { count: 2.0, mean: 0.5, variance: 0.1 };
        Learned {
            features: vec![LearnedFeature { condition, weight }],
            ratios: vec![(0.2, 3.0)],
            ..Learned::new(&["a.c".to_string()], Identity::default(), &["default".to_string()])
        }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(Learned::read(&learned().text()), Ok(learned()));
    }

    #[test]
    fn other_files_are_refused_with_a_sentence() {
        let text = learned().text();
        for (text, expected) in [
            (String::new(), "it is no learned.json: "),
            ("{}".to_string(), "its schema is not"),
            (text.replace("\"version\":1", "\"version\":2"), "its format has version 2"),
            (text.replace("\"mean\":0.5", "\"mean\":5.0"), "out of range"),
            (text.replace("\"count\":2.0", "\"count\":-1.0"), "out of range"),
            (text.replace("\"ratios\"", "\"ratio\""), "missing field `ratios`"),
            (text[..text.len() / 2].to_string(), "it is no learned.json: "),
        ] {
            let error = Learned::read(&text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert!(!error.contains('\n'));
        }
    }

    #[test]
    fn conditions_follow_the_names_of_inputs() {
        let name = |text: &str, bytes| InputName { text: text.to_string(), bytes };
        let old: BTreeMap<u32, InputName> = [(0, name("argument 1", 4)), (4, name("stdin", 8))].into();
        let new: BTreeMap<u32, InputName> = [(0, name("stdin", 6))].into();
        let byte = |first| Condition::In { first, bytes: 1, values: vec![(7, 7)] };
        let named = |condition: &Condition| NamedCondition::of(condition, &old).unwrap();
        assert_eq!(named(&byte(6)).resolve(&new), Some(byte(2)));
        assert_eq!(named(&byte(11)).resolve(&new), None, "there is no such byte any more");
        assert_eq!(named(&byte(1)).resolve(&new), None, "there is no such input");
        let both = Condition::Any(vec![byte(5), byte(6)]);
        assert_eq!(named(&both).resolve(&new), Some(Condition::Any(vec![byte(1), byte(2)])));
        assert_eq!(NamedCondition::of(&byte(12), &old), None);
    }
}
