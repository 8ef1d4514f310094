//! Names of pruners and sources that come from a file or from another process.
//!
//! In a process, such names are those of its own components and live as long as it does. Those that are read become
//! the same: each is kept once, and there are few.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Deserializer, Serializer};

/// A name. With a type of its own, serde does not take it for a part of what is read.
pub(crate) type Name = &'static str;

/// How long a name may be, and how many there may be: more are no names of ours. These are constants because they
/// belong to the stored form.
const MAX_LENGTH: usize = 64;
const MAX_NAMES: usize = 256;

static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// The name as one of this process; `None` if it cannot be one.
pub(crate) fn known(name: &str) -> Option<&'static str> {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return Some(known);
    }
    if name.len() > MAX_LENGTH || names.len() >= MAX_NAMES {
        return None;
    }
    let name: &'static str = Box::leak(name.to_string().into_boxed_str());
    names.insert(name);
    Some(name)
}

/// For serde: writes a name.
pub(crate) fn serialize<S: Serializer>(name: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(name)
}

/// For serde: reads a name.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    let name = String::deserialize(deserializer)?;
    known(&name).ok_or_else(|| serde::de::Error::custom("no name of Secateur"))
}

/// For serde: bytes that are shared in a process.
pub(crate) mod bytes {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(bytes: &Arc<[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
        bytes.as_ref().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[u8]>, D::Error> {
        Vec::<u8>::deserialize(deserializer).map(Arc::from)
    }
}

/// The same for the keys of a map.
pub(crate) mod keys {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        map: &BTreeMap<&'static str, u64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        map.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<&'static str, u64>, D::Error> {
        let named = BTreeMap::<String, u64>::deserialize(deserializer)?;
        let known = named.into_iter().map(|(name, count)| super::known(&name).map(|name| (name, count)));
        known.collect::<Option<_>>().ok_or_else(|| serde::de::Error::custom("no names of Secateur"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_kept_once_and_what_cannot_be_one_is_refused() {
        let elsewhere = String::from("lookahead");
        let (first, second) = (known("lookahead").unwrap(), known(&elsewhere).unwrap());
        assert!(std::ptr::eq(first, second));
        assert_eq!(known(&"x".repeat(MAX_LENGTH + 1)), None);
    }
}
