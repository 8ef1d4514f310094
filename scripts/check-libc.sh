#!/usr/bin/env bash
# Checks the bitcode C library without the machine: check-libc.sh LIBC.
#
# Each program of runtime/test/libc is linked with the members it needs, as by the loader; a few
# native functions replace the machine. Its output and exit status must be those of the same
# program with the C library of this system.
. "$(dirname "$0")/common.sh"

main() {
  libc=$(cd "$1" && pwd)
  tests=$root/runtime/test
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  ulimit -c 0
  # The loader uses binary search.
  sort -c "$libc/index" || die "the index of the C library is not in order."
  check_no_assembly
  clang-19 -O1 -c "$tests/native.c" -o "$work/native.o"
  clang-19 -O1 -emit-llvm -c "$tests/start.c" -o "$work/start.bc"
  # Compiled code calls memcpy to copy memory: it must be the native one.
  printf 'function: { source: %s, target: secateur_%s }\n' memcpy memcpy memmove memmove memset memset >"$work/renamed"
  for source in "$tests"/libc/*.c; do
    check "$(basename "$source" .c)"
  done
}

# Inline assembly would end a path as unsupported, so no member may contain any.
check_no_assembly() {
  local found
  mkdir "$work/members"
  cp "$libc"/*.bc "$work/members"
  llvm-dis-19 "$work"/members/*.bc
  found=$(grep -l -E ' asm (sideeffect )?"[^"]' "$work"/members/*.ll || true)
  [ -z "$found" ] || die "these members of the C library contain inline assembly: $(basename -s .ll -a $found | tr '\n' ' ')"
}

check() {
  local name=$1 source=$tests/libc/$1.c input=$tests/libc/$1.in flags
  read -r -a flags <<<"$(sed -n 's|^// CFLAGS: ||p' "$source") -w"
  [ -e "$input" ] || input=/dev/null
  clang-19 -O1 "${flags[@]}" "$source" -o "$work/$name.expected" -lm
  clang-19 -O1 "${flags[@]}" -Dmain=checked_main -emit-llvm -c "$source" -o "$work/$name.bc"
  link "$work/$name.bc" "$work/$name.linked.bc"
  clang-19 -w "$work/$name.linked.bc" "$work/native.o" -o "$work/$name.actual" -lm
  # The shell reports a crash on its own standard error, which is ignored.
  { run "$name.expected" "$input" && run "$name.actual" "$input"; } 2>/dev/null
  for stream in out err; do
    diff "$work/$name.expected.$stream" "$work/$name.actual.$stream" >&2 ||
      die "$name.c behaves differently with the bitcode C library (above, <: this system's, >: ours)."
  done
  say "$name.c agrees"
}

# Runs a program under one name, whatever its file is called; programs may print their name.
run() {
  local status=0
  SECATEUR_CHECK=yes timeout 60 bash -c 'exec -a program "$@"' - "$work/$1" -ab one --value=x other \
    <"$2" >"$work/$1.out" 2>"$work/$1.err" || status=$?
  echo "exit $status" >>"$work/$1.out"
}

# Links members until nothing that the index knows is missing.
link() {
  local members=("$1" "$work/start.bc") missing
  while :; do
    llvm-link-19 "${members[@]}" -o "$2"
    missing=$(llvm-nm-19 --undefined-only --just-symbol-name "$2" | sort |
      join - "$libc/index" -o 2.2 | sort -u)
    [ -n "$missing" ] || break
    for member in $missing; do members+=("$libc/$member"); done
  done
  opt-19 -passes=rewrite-symbols,internalize,globaldce --rewrite-map-file="$work/renamed" \
    --internalize-public-api-list=program "$2" -o "$2"
}

main "$@"
