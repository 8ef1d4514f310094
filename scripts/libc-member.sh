#!/usr/bin/env bash
# Compiles one source file of the C library: libc-member.sh CLANG MUSL HEADERS OWN FOLDER SOURCE MEMBER.
set -euo pipefail
clang=$1 musl=$2 headers=$3 own=$4 folder=$5 source=$6 member=$7

flags=(
  -std=gnu11 -nostdinc -ffreestanding -D_XOPEN_SOURCE=700
  # Optimised enough to be fast to interpret, but without passes that read more than the source does or
  # that turn the body of a function into a call of the same function.
  -O1 -fno-builtin -fno-vectorize -fno-slp-vectorize -ffp-contract=off -fno-strict-aliasing
  -fno-stack-protector -fno-unwind-tables -fno-asynchronous-unwind-tables
  # Messages and stack traces name the file relative to the library, wherever it was built.
  -gline-tables-only "-ffile-prefix-map=$musl=musl" "-ffile-prefix-map=$own=libc" -fdebug-compilation-dir=.
  -I"$own/arch" -isystem "$musl/arch/x86_64" -isystem "$musl/arch/generic" -isystem "$musl/src/include"
  -isystem "$musl/src/internal" -isystem "$headers" -isystem "$musl/include"
)
# Warnings about foreign code are of no use.
case $source in
  "$own"/*) flags+=(-Wall -Wextra -Werror) ;;
  *) flags+=(-w) ;;
esac
# Programs call those of multibyte.c.
case $source in
  "$musl"/src/multibyte/mbrtowc.c | "$musl"/src/multibyte/mbtowc.c | "$musl"/src/multibyte/wcrtomb.c)
    flags+=(-Dmbrtowc=__musl_mbrtowc -Dmbtowc=__musl_mbtowc -Dwcrtomb=__musl_wcrtomb)
    ;;
esac
# Programs call those of guarded.c, fenv.c, real.c, math.c and search.c.
case $source in
  "$musl"/src/fenv/feupdateenv.c | "$musl"/src/math/fmal.c | "$musl"/src/math/nearbyintl.c | \
    "$musl"/src/math/l*rint*.c)
    flags+=(-Dfetestexcept=__musl_fetestexcept)
    ;;
  "$musl"/src/search/hsearch.c) flags+=(-Dhsearch=__musl_hsearch) ;;
  "$musl"/src/network/inet_aton.c) flags+=(-Dinet_aton=__musl_inet_aton) ;;
  "$musl"/src/network/inet_ntop.c) flags+=(-Dinet_ntop=__musl_inet_ntop) ;;
  "$musl"/src/math/ilogb.c | "$musl"/src/math/ilogbf.c | "$musl"/src/math/nextafter.c | \
    "$musl"/src/math/nextafterf.c | "$musl"/src/math/scalbn.c | "$musl"/src/math/scalbnf.c)
    name=$(basename "$source" .c)
    flags+=("-D$name=__musl_$name")
    ;;
  "$musl"/src/stdlib/strtod.c)
    flags+=(-Dstrtof=__musl_strtof -Dstrtod=__musl_strtod -Dstrtold=__musl_strtold)
    ;;
esac

exec "$clang" "${flags[@]}" -emit-llvm -c "$source" -o "$folder/$member"
