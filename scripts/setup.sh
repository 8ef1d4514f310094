#!/usr/bin/env bash
# Installs what a build needs and this machine lacks; quick, and without the network, when nothing is
# missing. Packages come from Debian; Rust, of which Debian 12 has too old a version, from rustup if
# that is installed.
. "$(dirname "$0")/common.sh"

packages=(
  # Compilers, and LLVM as a library
  build-essential clang-19 llvm-19 llvm-19-dev libclang-rt-19-dev libpolly-19-dev zlib1g-dev libzstd-dev
  # Solvers
  libcadical-dev libgmp-dev libsymfpu-dev libz3-dev meson ninja-build pkg-config
  # Fetching, and random programs for the tests
  ca-certificates curl csmith
)
# What rust-version in Cargo.toml says.
rust_version=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' "$root/Cargo.toml")

main() {
  install_packages
  check_rust
}

install_packages() {
  command -v dpkg-query >/dev/null || {
    command -v clang-19 >/dev/null || die "this is not a Debian system; install the equivalents of: ${packages[*]}"
    return 0
  }
  local missing=() package
  for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${missing[*]}"
  local apt=(apt-get -q -y)
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "these packages are missing, and there is no sudo to install them with: ${missing[*]}"
    apt=(sudo apt-get -q -y)
  fi
  export DEBIAN_FRONTEND=noninteractive
  local log
  log=$(mktemp)
  # The list of packages may be new enough: without it, or if it is stale, it is fetched.
  "${apt[@]}" install --no-install-recommends "${missing[@]}" >"$log" 2>&1 ||
    { "${apt[@]}" update >"$log" 2>&1 && "${apt[@]}" install --no-install-recommends "${missing[@]}" >>"$log" 2>&1; } ||
    die "apt-get cannot install ${missing[*]}: $(grep -m1 '^E:' "$log" || tail -1 "$log")"
  rm -f "$log"
}

check_rust() {
  if ! command -v cargo >/dev/null && [ -x "$HOME/.cargo/bin/cargo" ]; then
    die "cargo is installed but not on the PATH; run: . \"$HOME/.cargo/env\""
  fi
  if ! command -v cargo >/dev/null || ! new_enough; then
    command -v rustup >/dev/null ||
      die "Rust $rust_version or later is needed (Debian 12's own is too old); install rustup, see https://rustup.rs, and try again."
    say "installing the stable Rust toolchain with rustup"
    rustup toolchain install stable --profile minimal --component clippy,rustfmt >&2 &&
      rustup default stable >&2 || die "rustup cannot install the stable toolchain; its messages above say why."
    new_enough || die "Rust $rust_version or later is needed, but cargo is $(cargo --version)."
  fi
  local tool
  for tool in clippy rustfmt; do
    cargo "${tool/rust/}" --version >/dev/null 2>&1 && continue
    command -v rustup >/dev/null && rustup component add "$tool" >&2 ||
      die "cargo ${tool/rust/} is missing; install the $tool component of Rust."
  done
}

new_enough() {
  local version
  version=$(rustc --version 2>/dev/null | cut -d' ' -f2)
  [ "$(printf '%s\n' "$rust_version" "$version" | sort -V | head -1)" = "$rust_version" ]
}

main
