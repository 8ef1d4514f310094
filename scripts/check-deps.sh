#!/usr/bin/env bash
# Refuses dependencies between our crates that are not listed here, external crates outside the one crate that may use
# them, and unused dependencies.
. "$(dirname "$0")/common.sh"

# Each of our crates, and which others of ours it depends on directly, tests and build scripts included. A new crate is
# one more line. ARCHITECTURE.md gives the reasons.
declare -A uses=(
  [secateur-tuning]=""
  [secateur-expr]="secateur-tuning"
  [secateur-path]="secateur-expr"
  [secateur-embed]=""
  [secateur-program]="secateur-embed secateur-expr secateur-tuning"
  [secateur-cc]="secateur-embed secateur-program"
  [secateur-graph]="secateur-program"
  [secateur-concrete-search]="secateur-expr secateur-tuning"
  [secateur-solver]="secateur-concrete-search secateur-expr secateur-path secateur-tuning"
  [secateur-machine]="secateur-expr secateur-path secateur-program secateur-tuning"
  [secateur-explore]="secateur-expr secateur-graph secateur-path secateur-program secateur-solver secateur-machine
    secateur-tuning"
  [secateur-effects]="secateur-expr secateur-graph secateur-path secateur-program secateur-machine secateur-explore secateur-solver"
  [secateur-interpolation]="secateur-tuning secateur-expr secateur-graph secateur-path secateur-program secateur-solver secateur-machine secateur-explore
    secateur-effects"
  [secateur-learn]="secateur-tuning secateur-expr secateur-path secateur-program secateur-machine secateur-explore
    secateur-suite"
  [secateur-backward]="secateur-concrete-search secateur-expr secateur-graph secateur-path secateur-program secateur-machine
    secateur-solver secateur-tuning"
  [secateur-suite]="secateur-program secateur-tuning"
  [secateur-report]="secateur-program secateur-suite"
  [secateur-c-tests]="secateur-program secateur-suite secateur-tuning"
  [secateur-campaign]="secateur-program secateur-graph secateur-path secateur-solver secateur-machine secateur-explore secateur-backward secateur-suite secateur-report
    secateur-c-tests secateur-tuning"
  [secateur-cluster]="secateur-campaign secateur-explore secateur-machine secateur-program secateur-tuning"
  [secateur]="secateur-cc secateur-cluster secateur-interpolation secateur-learn secateur-tuning secateur-program secateur-solver secateur-machine secateur-explore secateur-suite
    secateur-report secateur-campaign"
  [xtask]="secateur-explore"
)

main() {
  cd "$root"
  local crate dependency
  for crate in $(tree --workspace --depth 0); do
    [ -v "uses[$crate]" ] || die "scripts/check-deps.sh must list the crate $crate and which of our crates it may use."
    check_ours "$crate"
    check_unused "$crate"
  done
  for dependency in $(sed -n '/^\[workspace.dependencies\]/,/^\[workspace.lints/s/^\([a-z0-9_-]*\) = .*/\1/p' Cargo.toml); do
    grep -q "^$dependency.workspace = true" crates/*/Cargo.toml xtask/Cargo.toml || die "no crate uses $dependency of Cargo.toml."
  done
  only secateur-program inkwell
  only secateur-embed object
  only secateur-solver bitwuzla-sys
  only secateur-solver libloading
  only secateur-cluster async-nats
}

# A dependency that is listed but absent is refused as well, so that the list stays exact.
check_ours() {
  local crate=$1 used listed
  used=$(dependencies "$crate" normal,build,dev | { grep -E '^secateur(-|$)' || true; })
  for listed in $used; do
    [[ " ${uses[$crate]//$'\n'/ } " == *" $listed "* ]] ||
      die "the crate $crate may not depend on $listed; scripts/check-deps.sh lists which ones it may use."
  done
  for listed in ${uses[$crate]}; do
    grep -qx "$listed" <<<"$used" || die "the crate $crate does not depend on $listed: remove it from scripts/check-deps.sh."
  done
}

# A dependency is used if its name occurs in the code that it is a dependency of.
check_unused() {
  local crate=$1 folder=crates/${1#secateur-}
  [ "$crate" != xtask ] || folder=xtask
  named "$crate" normal "$folder/src"
  named "$crate" build "$folder/build.rs"
  named "$crate" dev "$folder/src" "$folder/tests"
}

named() {
  local crate=$1 kind=$2 dependency
  shift 2
  for dependency in $(dependencies "$crate" "$kind"); do
    grep -rqw --include '*.rs' "${dependency//-/_}" "$@" 2>/dev/null ||
      die "the crate $crate does not use its dependency $dependency ($kind)."
  done
}

# Only the first crate may use the second one directly.
only() {
  local user
  for user in $(tree --workspace --edges normal,build,dev --invert "$2" --depth 1); do
    [ "$user" = "$1" ] || [ "$user" = "$2" ] || die "the crate $user may not depend on $2: only $1 may."
  done
}

# The direct dependencies of a crate, of the given kinds.
dependencies() { tree --package "$1" --edges "$2" --depth 1 | { grep -vx "$1" || true; }; }

tree() {
  local output
  output=$(cargo tree --quiet --prefix none --format '{p}' "$@") || die "cargo tree fails; its messages above say why."
  cut -d' ' -f1 <<<"$output" | sort -u
}

main
