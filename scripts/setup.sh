#!/usr/bin/env bash
# Installs what a build (or, as `setup.sh tests`, a build and the tests) needs and this machine lacks. It is fast, and
# needs no network, when nothing is missing. Packages come from Debian. A recent Rust is used if there is one; otherwise
# rustup installs one, or else Debian's newest package does, since that of `apt-get install cargo` is too old.
. "$(dirname "$0")/common.sh"

packages=(
  # Compilers, and LLVM as a library
  build-essential clang-19 llvm-19 llvm-19-dev libclang-rt-19-dev libpolly-19-dev libxml2-dev zlib1g-dev libzstd-dev
  # Solvers
  libcadical-dev libgmp-dev libsymfpu-dev libz3-4 meson ninja-build pkg-config
  # Fetching
  ca-certificates curl git
)
# Random programs, a browser in which the report is opened, and a server for clusters.
test_packages=(csmith libcsmith-dev chromium nats-server openssl)
# The compiler that Debian keeps recent for its browsers.
rust_packages=(cargo-web rustc-web rustfmt-web rust-web-clippy)
# As rust-version in Cargo.toml.
rust_version=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' "$root/Cargo.toml")

main() {
  [ "${1-}" != tests ] || packages+=("${test_packages[@]}")
  install_packages
  check_rust
}

install_packages() {
  command -v dpkg-query >/dev/null || {
    command -v clang-19 >/dev/null || die "this is not a Debian system; install the equivalents of: ${packages[*]}"
    return 0
  }
  install_missing "${packages[@]}"
}

# Nothing is fetched if all of them are installed.
install_missing() {
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${missing[*]}"
  local log
  log=$(mktemp)
  # The list of packages is fetched only if it is missing or too old.
  apt install --no-install-recommends "${missing[@]}" >"$log" 2>&1 ||
    { apt update >"$log" 2>&1 && apt install --no-install-recommends "${missing[@]}" >>"$log" 2>&1; } ||
    die "apt-get cannot install ${missing[*]}: $(complaint "$log")"
  rm -f "$log"
}

apt() {
  if [ "$(id -u)" -eq 0 ]; then
    DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@"
  elif command -v sudo >/dev/null; then
    sudo DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@"
  else
    echo "E: only root may install packages, and there is no sudo" >&2
    return 1
  fi
}

# The line of apt-get's output that says what is wrong.
complaint() { grep -m1 '^E:' "$1" || tail -1 "$1"; }

check_rust() {
  if ! command -v cargo >/dev/null && [ -x "$HOME/.cargo/bin/cargo" ]; then
    die "cargo is installed but not on the PATH; run: . \"$HOME/.cargo/env\""
  fi
  new_enough || install_rust
  new_enough || die "Rust $rust_version or later is needed, but $(rustc --version 2>/dev/null || echo none) is installed; see https://rustup.rs."
  local tool
  for tool in clippy fmt; do
    cargo "$tool" --version >/dev/null 2>&1 || install_rust
    cargo "$tool" --version >/dev/null 2>&1 || die "cargo $tool is missing; install that component of Rust."
  done
}

install_rust() {
  if command -v rustup >/dev/null; then
    say "installing the stable Rust toolchain with rustup"
    rustup toolchain install stable --profile minimal --component clippy,rustfmt >&2 && rustup default stable >&2 ||
      die "rustup cannot install the stable toolchain; its messages above say why."
  elif command -v dpkg-query >/dev/null; then
    install_newest_rust
  else
    die "Rust $rust_version or later is needed; install rustup, see https://rustup.rs, and try again."
  fi
  hash -r
}

# An older version may be installed or listed, so the list is fetched first.
install_newest_rust() {
  say "installing ${rust_packages[*]}"
  local log
  log=$(mktemp)
  apt update >"$log" 2>&1 && apt install --no-install-recommends "${rust_packages[@]}" >"$log" 2>&1 ||
    die "apt-get cannot install Rust: $(complaint "$log"); see https://rustup.rs for another way."
  rm -f "$log"
}

new_enough() {
  local version
  command -v cargo >/dev/null || return 1
  version=$(rustc --version 2>/dev/null | cut -d' ' -f2)
  [ -n "$version" ] || return 1
  [ "$(printf '%s\n' "$rust_version" "$version" | sort -V | head -1)" = "$rust_version" ]
}

main "$@"
