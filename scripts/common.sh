# Sourced by the other scripts: common paths, and how to fail.
# shellcheck shell=bash

set -euo pipefail
# Names and sort orders must not depend on the user's language.
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${SECATEUR_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/secateur}

say() { printf '%s\n' "secateur: $*" >&2; }
die() {
  say "$*"
  exit 1
}

# Builds of several checkouts share the cache, so only one of them may fill it at a time.
lock_cache() {
  mkdir -p "$cache" || die "cannot create the cache folder $cache (SECATEUR_CACHE names another one)."
  exec 9>"$cache/lock"
  flock 9
}
