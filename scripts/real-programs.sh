#!/usr/bin/env bash
# Prints the folder that holds the programs of `make bench-real`, one folder for each Debian source package that is named
# as an argument, fetching and building those that are missing with `secateur cc`.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/debian-source.sh"

main() {
  local folder=$cache/real package
  compiler="$root/bin/secateur cc"
  [ -x "$root/bin/secateur" ] || die "bin/secateur is missing; run 'make build'."
  lock_cache
  mkdir -p "$folder"
  for package in "$@"; do
    [ -e "$folder/$package/built" ] || add "$folder" "$package"
  done
  printf '%s\n' "$folder"
}

add() {
  local target=$1/$2 package=$2 work=$cache/fetch-real complaint archive
  command -v apt-get >/dev/null || die "the sources of $package can only be fetched with apt-get."
  say "fetching and building $package, which takes some minutes"
  rm -rf "$work" "$target"
  mkdir -p "$work"
  complaint=$(download_sources "$work" "$package") || die "cannot download the source of $package: $complaint"
  archive=$(find "$work" -maxdepth 1 -name "${package}_*.orig.tar.*" | head -1)
  [ -n "$archive" ] || die "Debian $suite has no source of $package."
  mkdir "$target"
  tar -xf "$archive" -C "$target" --strip-components=1 || die "cannot unpack $archive."
  (cd "$target" && build "$package") >"$target.log" 2>&1 || die "cannot build $package; $target.log says why."
  touch "$target/built"
  rm -rf "$work"
}

build() {
  export FORCE_UNSAFE_CONFIGURE=1
  case $1 in
    lua5.4) make -C src -j"$(nproc)" CC="$compiler" MYCFLAGS=-DLUA_USE_POSIX lua ;;
    mujs) make -j"$(nproc)" CC="$compiler" HAVE_READLINE=no build/release/mujs ;;
    sqlite3) ./configure CC="$compiler" --disable-tcl --disable-readline --disable-shared && make sqlite3 ;;
    # The archive lacks the source of the manual.
    gawk) ./configure CC="$compiler" --disable-nls && make -C support && make gawk ;;
    # Its own code instead of that of libraries, of which there is no bitcode; and not its tests.
    coreutils)
      ./configure CC="$compiler" --disable-nls --without-openssl --without-libgmp &&
        make -j"$(nproc)" MAKEINFO=true SUBDIRS=.
      ;;
    *) ./configure CC="$compiler" --disable-nls && make -j"$(nproc)" MAKEINFO=true ;;
  esac
}

main "$@"
