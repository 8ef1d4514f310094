#!/usr/bin/env bash
# Builds the C library as bitcode: libc.sh FOLDER leaves there one member per source file and an
# `index` with lines `symbol member`, from which the loader links what a program needs.
#
# The sources are those of musl that runtime/libc/exclude does not name, and the files in
# runtime/libc. The result depends on nothing else, so it is kept in the cache under the hash of
# its inputs and built only once.
. "$(dirname "$0")/common.sh"

clang=${CLANG:-clang-19}
nm=${LLVM_NM:-llvm-nm-19}
own=$root/runtime/libc

main() {
  [ $# -eq 1 ] || die "usage: libc.sh FOLDER"
  local target=$1 musl
  musl=$("$root/scripts/musl.sh")
  command -v "$clang" >/dev/null || die "$clang is missing; run scripts/setup.sh."
  local built
  built=$cache/libc-$(hash_inputs "$musl")
  if [ ! -e "$built/index" ]; then
    lock_cache
    [ -e "$built/index" ] || build "$musl" "$built"
  fi
  if [ "$(cat "$target/stamp" 2>/dev/null)" != "${built##*-}" ]; then
    rm -rf "$target"
    mkdir -p "$(dirname "$target")"
    cp -r "$built" "$target"
  fi
}

hash_inputs() {
  {
    "$clang" --version | head -1
    cd "$root" && find runtime/libc scripts/libc.sh -type f -print0 | sort -z | xargs -0 sha256sum
    cd "$1" && find VERSION arch/x86_64 arch/generic include src -type f -print0 | sort -z | xargs -0 sha256sum
  } | sha256sum | cut -c1-16
}

build() {
  local musl=$1 built=$2 work=$2.partial
  say "building the C library (once)"
  rm -rf "$work"
  mkdir -p "$work/obj/bits" "$work/members"
  generate_headers "$musl" "$work/obj"
  sources "$musl" >"$work/sources"
  xargs -P "$(nproc)" -n 2 "$root/scripts/libc-member.sh" "$clang" "$musl" "$own" "$work" <"$work/sources" ||
    die "the C library cannot be compiled; the messages above say why."
  index "$work/members"
  printf '%s\n' "${built##*-}" >"$work/members/stamp"
  mv "$work/members" "$built"
  rm -rf "$work"
}

# What musl's own makefile generates, with one change: an offset in a regmatch_t is an int in the
# headers that programs are compiled with.
generate_headers() {
  cat "$1/arch/x86_64/bits/alltypes.h.in" "$1/include/alltypes.h.in" |
    sed 's/^TYPEDEF _Addr regoff_t;/TYPEDEF int regoff_t;/' |
    sed -f "$1/tools/mkalltypes.sed" >"$2/bits/alltypes.h"
  {
    cat "$1/arch/x86_64/bits/syscall.h.in"
    sed -n 's/__NR_/SYS_/p' "$1/arch/x86_64/bits/syscall.h.in"
  } >"$2/bits/syscall.h"
  printf '#define VERSION "%s"\n' "$(cat "$1/VERSION")" >"$2/version.h"
}

# Lines `source member`.
sources() {
  local file
  (cd "$1/src" && printf '%s\n' */*.c) | sort >"$work/all"
  grep -v -e '^#' -e '^$' "$own/exclude" | sort >"$work/excluded"
  file=$(comm -13 "$work/all" "$work/excluded" | head -1)
  [ -z "$file" ] || die "runtime/libc/exclude names $file, which musl does not have."
  comm -23 "$work/all" "$work/excluded" | while read -r file; do
    printf '%s %s\n' "$1/src/$file" "${file//\//.}"
  done | sed 's/\.c$/.bc/'
  for file in "$own"/*.c; do
    printf '%s %s\n' "$file" "secateur.$(basename "$file" .c).bc"
  done
}

# A symbol that several members define belongs to the one whose definition is not weak; two
# such definitions are a mistake in the list of excluded files.
index() {
  (cd "$1" && "$nm" --quiet --defined-only --extern-only --print-file-name ./*.bc) |
    sed -n 's|^\./\([^:]*\): *[-0-9a-f]* \([A-Za-z]\) \(.*\)$|\3 \2 \1|p' |
    awk '
      { weak = ($2 == "W" || $2 == "V") }
      !($1 in member) || (is_weak[$1] && !weak) { member[$1] = $3; is_weak[$1] = weak; next }
      !weak && !is_weak[$1] { print "secateur: " $1 " is defined by " member[$1] " and " $3 > "/dev/stderr"; bad = 1 }
      END { for (symbol in member) print symbol, member[symbol]; exit bad }
    ' | sort >"$1/index" || die "the C library has conflicting members."
}

main "$@"
