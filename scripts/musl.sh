#!/usr/bin/env bash
# Prints the folder that holds the source of musl, fetching it if need be.
#
# The source comes from Debian's package, by the mirrors that this machine already uses, through an
# apt configuration of its own: the user's list of package sources is not changed. On
# other systems, MUSL_SRC names an unpacked musl-1.2.3.
. "$(dirname "$0")/common.sh"

version=1.2.3
# The hash of musl-1.2.3.tar.gz as its authors published it.
checksum=7d5b0b6062521e4627e099e4c9dc8248d32a30285e959b7eecaa780cf8cfd4a4
suite=bookworm

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
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/unpacked"
  sources >"$work/sources.list"
  [ -s "$work/sources.list" ] ||
    die "no Debian mirror is configured on this machine; unpack musl $version yourself and set MUSL_SRC to its folder."
  if ! private_apt "$work" update >"$work/log" 2>&1 ||
    ! (cd "$work" && private_apt "$work" source --download-only musl) >>"$work/log" 2>&1; then
    die "cannot download the source of musl from the configured mirrors: $(grep -m1 '^[EW]:' "$work/log" || echo "see $work/log")"
  fi
  local archive=$work/musl_$version.orig.tar.gz
  [ -e "$archive" ] || die "Debian $suite has no musl $version; unpack it yourself and set MUSL_SRC to its folder."
  echo "$checksum  $archive" | sha256sum --check --status || die "$archive is damaged: its checksum is wrong."
  tar -xzf "$archive" -C "$work/unpacked" --strip-components=1
  rm -rf "$1"
  mv "$work/unpacked" "$1"
  rm -rf "$work"
}

# One deb-src line for each Debian mirror that is configured, whatever the format of its entry.
sources() {
  local codename options='' keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
  [ ! -e "$keyring" ] || options="[signed-by=$keyring] "
  # The words in $( ) belong to apt-get, not to the shell.
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(RELEASE)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    while IFS='|' read -r release component mirror; do
      if [ "$release" = "$codename" ] && [ "$component" = main ]; then
        printf 'deb-src %s%s %s main\n' "$options" "$mirror" "$suite"
      fi
    done | sort -u
}

private_apt() {
  local work=$1
  shift
  # The sandbox user of apt cannot write to a home directory.
  apt-get -q -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User="$(id -un)" \
    -o APT::Update::Post-Invoke::= -o APT::Update::Post-Invoke-Success::= "$@"
}

main
