#!/usr/bin/env bash
# Refuses dependencies between our crates that do not point backwards in this order, and crates that
# know what only one crate should know.
. "$(dirname "$0")/common.sh"

order=(secateur-expr secateur-path secateur-program secateur-solver secateur-machine secateur-explore secateur-suite secateur-report secateur-c-tests secateur)

main() {
  cd "$root"
  local crate
  for crate in $(crates --workspace --depth 0); do
    [[ " ${order[*]} " == *" $crate "* ]] || die "scripts/check-deps.sh must say where the crate $crate stands in the order."
  done
  local allowed=' ' used
  for crate in "${order[@]}"; do
    for used in $(crates --package "$crate"); do
      [ "$used" = "$crate" ] || [[ $allowed == *" $used "* ]] ||
        die "the crate $crate may not depend on $used: the order is ${order[*]}."
    done
    allowed+="$crate "
  done
  only secateur-program inkwell
  only secateur-solver bitwuzla-sys
  only secateur-solver libloading
}

# Our own crates in a dependency tree, tests and build scripts included.
crates() {
  tree --edges normal,build,dev "$@" | { grep -E '^secateur(-|$)' || true; }
}

# Only the first crate may use the second one directly.
only() {
  local user
  for user in $(tree --workspace --edges normal,build,dev --invert "$2" --depth 1); do
    [ "$user" = "$1" ] || [ "$user" = "$2" ] || die "the crate $user may not depend on $2: only $1 may."
  done
}

tree() {
  local output
  output=$(cargo tree --quiet --prefix none --format '{p}' "$@") || die "cargo tree fails; its messages above say why."
  cut -d' ' -f1 <<<"$output" | sort -u
}

main
