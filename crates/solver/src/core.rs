//! Making contradictions small: the smaller a core, the more questions it answers later.

/// Removes members one by one as long as `contradicts` still holds of the rest. `contradicts(all)` must hold.
pub(crate) fn shrink<T: Clone>(all: Vec<T>, mut contradicts: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut kept = all;
    let mut at = kept.len();
    while at > 0 {
        at -= 1;
        let mut fewer = kept.clone();
        fewer.remove(at);
        if contradicts(&fewer) {
            kept = fewer;
        }
    }
    kept
}
