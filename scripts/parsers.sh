#!/usr/bin/env bash
# Prints the folder that holds the sources of the parsers of `make bench-parsers`, one folder for each Debian package
# that is named as an argument, fetching those that are missing.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/debian-source.sh"

main() {
  local folder=$cache/parsers package missing=()
  for package in "$@"; do
    [ -e "$folder/$package" ] || missing+=("$package")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    lock_cache
    fetch "$folder" "${missing[@]}"
  fi
  printf '%s\n' "$folder"
}

fetch() {
  local folder=$1 work=$cache/fetch-parsers package archive complaint
  shift
  command -v apt-get >/dev/null ||
    die "the parsers can only be fetched with apt-get; unpack their sources to $folder/PACKAGE yourself: $*"
  say "fetching the sources of $*"
  rm -rf "$work"
  mkdir -p "$folder"
  complaint=$(download_sources "$work" "$@") || die "cannot download the sources of $*: $complaint"
  for package in "$@"; do
    archive=$(find "$work" -maxdepth 1 -name "${package}_*.orig.tar.*")
    [ -n "$archive" ] || die "Debian $suite has no source of $package."
    mkdir "$work/unpacked-$package"
    tar -xf "$archive" -C "$work/unpacked-$package" --strip-components=1 || die "cannot unpack $archive."
    # Another checkout may have been faster.
    [ -e "$folder/$package" ] || mv "$work/unpacked-$package" "$folder/$package"
  done
  rm -rf "$work"
}

main "$@"
