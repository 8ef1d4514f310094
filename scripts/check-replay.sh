#!/usr/bin/env bash
# Checks the native replay library on a hand-made test: the input it provides, how it ends, what it traces.
. "$(dirname "$0")/common.sh"

main() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  ulimit -c 0
  write_test >"$work/test.ktest"
  local mode sanitizer
  for sanitizer in none address memory; do
    local flags=(-g -O1 -Wall -Wextra -Werror -I"$root/runtime/include")
    [ "$sanitizer" = none ] || flags+=("-fsanitize=$sanitizer")
    clang-19 "${flags[@]}" "$root/runtime/test/replay.c" "$root/runtime/replay/replay.c" -o "$work/program"
    for mode in plain assume silent error report assert unreachable more misnamed resized; do
      expect "$mode"
    done
    expect_trace
  done
  say "replay.c agrees"
}

# Objects in KLEE's format, version 3, with the program's environment in between.
write_test() {
  printf 'KTEST'
  u32 3
  u32 1
  bytes program
  u32 0
  u32 0
  u32 9
  object n_args '\1\0\0\0'
  object arg00 'x'
  object a '\5\0\0\0'
  object bee '\xf9\xff\xff\xff'
  object stdin 'in'
  object c 'A'
  object r '\4\0\0\0'
  object __VERIFIER_nondet_double '\0\0\0\0\0\0\xf8\x3f'
  object __VERIFIER_nondet_string 'text'
}

u32() { printf "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x' $(($1 >> 24)) $(($1 >> 16 & 255)) $(($1 >> 8 & 255)) $(($1 & 255)))"; }
bytes() { u32 "$(printf "$1" | wc -c)" && printf "$1"; }
object() { bytes "$1" && bytes "$2"; }

expect() {
  local status=0 wanted message=''
  case $1 in
    plain) wanted=0 ;;
    assume | silent) wanted=121 ;;
    more | misnamed | resized) wanted=120 message='secateur: the test does not fit' ;;
    error) wanted=134 message='secateur: reach_error' ;;
    report) wanted=134 message='secateur: report_error file.c:7: message (suffix)' ;;
    assert) wanted=134 message="Assertion \`a == 0' failed" ;;
    unreachable) wanted=134 message='secateur: unreachable code reached' ;;
  esac
  { run "$1" || status=$?; } 2>/dev/null
  [ "$status" = "$wanted" ] || die "replay of $1 ends with status $status instead of $wanted ($sanitizer)."
  [ -z "$message" ] || grep -q -F "$message" "$work/err" || die "replay of $1 does not say \"$message\" ($sanitizer)."
  # A failed assertion does not flush buffers.
  [ "$1" = assert ] || [ "$(cat "$work/out")" = "5 -7 65 7 1.5 text" ] || die "replay of $1 hands out wrong values ($sanitizer): $(cat "$work/out")"
}

run() {
  write_trace >"$work/trace"
  truncate -s 274515 "$work/trace"
  "$work/program" "$1" >"$work/out" 2>"$work/err" 1000<"$work/test.ktest" 1001<>"$work/trace"
}

# The fields that the caller fills in: three branches, three blocks, no leaks, no file for reports.
write_trace() {
  printf 'SCTR\2\0\0\0'
  head -c 24 /dev/zero
  printf '\3\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0'
}

# The tests that fail early leave the same trace as the others: it is written before they fail.
expect_trace() {
  expect_bytes 0 '53 43 54 52 02 00 00 00 07 00 00 00 00 00 00 00 65 67 89 65 ff 16 e1 02 07 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00 03 00'
  expect_bytes 4152 '1f'
  expect_bytes 12344 '01 00 00 00 01 00 00 00 01 00 00 00 01 00 00 00 01 00 00 00 01 00 00 00 02 00 00 00'
  expect_bytes 274488 '00 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 01 00 01'
  [ "$(stat -c %s "$work/trace")" = 274515 ] || die "the trace has the wrong size ($sanitizer)."
}

expect_bytes() {
  local found
  found=$(od -A n -v -t x1 -j "$1" -N "$(wc -w <<<"$2")" "$work/trace" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')
  [ "$found" = "$2" ] || die "the trace holds $found at $1 instead of $2 ($sanitizer)."
}

main
