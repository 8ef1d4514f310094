#!/usr/bin/env bash
# Prints the folder that holds the source of musl, fetching it if need be.
#
# The source comes from Debian's package. On other systems, MUSL_SRC names an unpacked musl-1.2.3.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/debian-source.sh"

version=1.2.3
# The hash of musl-1.2.3.tar.gz as its authors published it.
checksum=7d5b0b6062521e4627e099e4c9dc8248d32a30285e959b7eecaa780cf8cfd4a4

main() {
  local folder=${MUSL_SRC:-$cache/musl-$version}
  if [ -z "${MUSL_SRC:-}" ] && [ ! -e "$folder/VERSION" ]; then
    lock_cache
    [ -e "$folder/VERSION" ] || fetch "$folder"
  fi
  [ -e "$folder/VERSION" ] || die "MUSL_SRC is $folder, but no source of musl lies there."
  [ "$(cat "$folder/VERSION")" = "$version" ] ||
    die "$folder holds musl $(cat "$folder/VERSION"), but version $version is needed."
  printf '%s\n' "$folder"
}

fetch() {
  local work=$cache/fetch-musl
  command -v apt-get >/dev/null ||
    die "the source of musl $version can only be fetched with apt-get; unpack it yourself and set MUSL_SRC to its folder."
  say "fetching the source of musl $version"
  rm -rf "$work"
  mkdir -p "$work/unpacked"
  local complaint
  complaint=$(download_sources "$work" musl) ||
    die "cannot download the source of musl: $complaint; unpack musl $version yourself and set MUSL_SRC to its folder."
  local archive=$work/musl_$version.orig.tar.gz
  [ -e "$archive" ] || die "Debian $suite has no musl $version; unpack it yourself and set MUSL_SRC to its folder."
  echo "$checksum  $archive" | sha256sum --check --status || die "$archive is damaged: its checksum is wrong."
  tar -xzf "$archive" -C "$work/unpacked" --strip-components=1
  rm -rf "$1"
  mv "$work/unpacked" "$1"
  rm -rf "$work"
}

main
