#!/usr/bin/env bash
# Builds the C library as bitcode: libc.sh FOLDER leaves there one member per source file and an
# `index` with lines `symbol member`, from which the loader links what a program needs.
#
# The sources are those of musl that runtime/libc/exclude does not name, and the files in
# runtime/libc. Nothing is built twice: a stamp in FOLDER holds the hash of all inputs, and the
# members that come from musl, which rarely change, are kept in the cache.
. "$(dirname "$0")/common.sh"

clang=${CLANG:-clang-19}
nm=${LLVM_NM:-llvm-nm-19}
own=$root/runtime/libc

main() {
  [ $# -eq 1 ] || die "usage: libc.sh FOLDER"
  command -v "$clang" >/dev/null || die "$clang is missing; run scripts/setup.sh."
  musl=$("$root/scripts/musl.sh")
  local target=$1 stamp shared
  stamp=$({ hash_musl && hash_files "$own" "$root/runtime/replay/world"; } | hash)
  [ "$(cat "$target/stamp" 2>/dev/null)" != "$stamp" ] || return 0
  shared=$cache/libc-$(hash_musl | hash)
  if [ ! -e "$shared" ]; then
    lock_cache
    [ -e "$shared" ] || build_musl "$shared"
  fi
  rm -rf "$target.partial"
  mkdir -p "$(dirname "$target")"
  cp -r "$shared" "$target.partial"
  own_sources | compile "$target.partial"
  index "$target.partial"
  printf '%s\n' "$stamp" >"$target.partial/stamp"
  rm -rf "$target"
  mv "$target.partial" "$target"
}

build_musl() {
  say "building the C library (once)"
  rm -rf "$1.partial"
  mkdir -p "$1.partial"
  musl_sources | compile "$1.partial"
  mv "$1.partial" "$1"
}

# Everything on which the members from musl depend.
hash_musl() {
  "$clang" --version | head -1
  (cd "$musl" && hash_files VERSION tools arch/x86_64 arch/generic include src)
  (cd "$root" && hash_files scripts/libc.sh scripts/libc-member.sh runtime/libc/arch runtime/libc/exclude)
}

hash_files() { find "$@" -type f -print0 | sort -z | xargs -0 sha256sum; }
hash() { sha256sum | cut -c1-16; }

# Lines `source member`, as `compile` reads them.
musl_sources() {
  local all excluded unknown file
  all=$(cd "$musl/src" && printf '%s\n' */*.c | sort)
  excluded=$(grep -v -e '^#' -e '^$' "$own/exclude" | sort)
  unknown=$(comm -13 <(echo "$all") <(echo "$excluded") | head -1)
  [ -z "$unknown" ] || die "runtime/libc/exclude names $unknown, which musl does not have."
  comm -23 <(echo "$all") <(echo "$excluded") | while read -r file; do
    file=${file%.c}
    printf '%s %s\n' "$musl/src/$file.c" "${file//\//.}.bc"
  done
}

own_sources() {
  local file
  for file in "$own"/*.c; do
    printf '%s %s\n' "$file" "secateur.$(basename "$file" .c).bc"
  done
}

compile() {
  local headers
  headers=$(mktemp -d)
  generate_headers "$headers"
  xargs -P "$(nproc)" -n 2 "$root/scripts/libc-member.sh" "$clang" "$musl" "$headers" "$own" "$1" ||
    die "the C library cannot be compiled; the messages above say why."
  rm -r "$headers"
}

# What musl's own makefile generates, with one change: an offset in a regmatch_t is an int in the
# headers that programs are compiled with.
generate_headers() {
  mkdir "$1/bits"
  cat "$musl/arch/x86_64/bits/alltypes.h.in" "$musl/include/alltypes.h.in" |
    sed 's/^TYPEDEF _Addr regoff_t;/TYPEDEF int regoff_t;/' |
    sed -f "$musl/tools/mkalltypes.sed" >"$1/bits/alltypes.h"
  {
    cat "$musl/arch/x86_64/bits/syscall.h.in"
    sed -n 's/__NR_/SYS_/p' "$musl/arch/x86_64/bits/syscall.h.in"
  } >"$1/bits/syscall.h"
  printf '#define VERSION "%s"\n' "$(cat "$musl/VERSION")" >"$1/version.h"
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
