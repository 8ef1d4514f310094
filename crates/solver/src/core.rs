//! Minimisation of unsatisfiable cores: the smaller a core, the more later questions the cache answers with it.

/// Removes every member without which the rest still contradicts itself. `contradicts(all)` must hold.
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
