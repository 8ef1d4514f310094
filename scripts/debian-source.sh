# Sourced by scripts that need the source of a Debian package: fetches it by the mirrors that this machine already uses,
# through an apt configuration of its own, so that the user's list of package sources is not changed.
# shellcheck shell=bash

# The release is fixed, so that every machine gets the same versions.
suite=bookworm

# Downloads the sources of the packages that are named after the folder into it, as their authors published them; fails
# with apt's complaint on standard output.
download_sources() {
  local work=$1
  shift
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
  debian_mirrors >"$work/sources.list"
  [ -s "$work/sources.list" ] || {
    echo "no Debian mirror is configured on this machine"
    return 1
  }
  if ! private_apt "$work" update >"$work/log" 2>&1 ||
    ! (cd "$work" && private_apt "$work" source --download-only --tar-only "$@") >>"$work/log" 2>&1; then
    grep -m1 '^[EW]:' "$work/log" || echo "see $work/log"
    return 1
  fi
}

# One deb-src line for each Debian mirror that is configured, whatever the format of its entry.
debian_mirrors() {
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
