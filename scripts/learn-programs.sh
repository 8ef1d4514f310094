#!/usr/bin/env bash
# Builds the real programs of `make bench-learn` with `secateur cc`, unless that was done before: fetches the sources of
# the Debian packages that are named as arguments, and prints the folder that holds what was built.
#
#   scripts/learn-programs.sh SECATEUR PACKAGE...
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/debian-source.sh"

main() {
  local secateur=$1 folder=$cache/learn package
  shift
  mkdir -p "$folder"
  lock_cache
  for package in "$@"; do
    [ -e "$folder/$package/.built" ] || build "$secateur" "$folder" "$package"
  done
  printf '%s\n' "$folder"
}

build() {
  local secateur=$1 folder=$2 package=$3 work=$2/fetch-$3 archive complaint
  command -v apt-get >/dev/null || die "the source of $package can only be fetched with apt-get."
  say "fetching and building $package"
  rm -rf "$work" "${folder:?}/$package"
  complaint=$(download_sources "$work" "$package") || die "cannot download the source of $package: $complaint"
  archive=$(find "$work" -maxdepth 1 -name "${package}_*.orig.tar.*" ! -name '*.asc' | head -n 1)
  [ -n "$archive" ] || die "Debian $suite has no source of $package."
  mkdir "$folder/$package"
  tar -xf "$archive" -C "$folder/$package" --strip-components=1 || die "cannot unpack $archive."
  rm -rf "$work"
  (cd "$folder/$package" && compile "$secateur" "$package") >"$folder/$package.log" 2>&1 ||
    die "cannot build $package; see $folder/$package.log"
  touch "$folder/$package/.built"
}

compile() {
  local secateur=$1 package=$2
  case $package in
    cjson) "$secateur" cc -O1 -g cJSON.c "$root/bench/learn/json.c" -I. -o json -lm ;;
    inih) "$secateur" cc -O1 -g ini.c "$root/bench/learn/ini.c" -I. -o ini ;;
    *)
      FORCE_UNSAFE_CONFIGURE=1 CC="$secateur cc" CFLAGS="-O1 -g" ./configure --disable-nls --disable-dependency-tracking
      make -k MAKEINFO=true || true
      ;;
  esac
}

main "$@"
