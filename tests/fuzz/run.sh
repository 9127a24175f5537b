#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Feeds a reader with what libFuzzer makes up: tests/fuzz/run.sh raster|scenario [OPTION of libFuzzer ...]
# Needs clang and a configured build/; stops after five minutes, or at the first input that breaks something.

set -euo pipefail

cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
name=${1:?raster or scenario}
shift
target=build/fuzz-$name
mapfile -t sources < <(find base gpu numerics bathymetry model -name '*.c' ! -path program/main.c)
read -r -a mpi < <(printf '%s ' "$(mpicc --showme:compile)" "$(mpicc --showme:link)"; echo)
clang -std=c17 -g -O1 -ffp-contract=off -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -I. -Ibuild/generated \
    "tests/fuzz/$name.c" "${sources[@]}" "${mpi[@]}" -lpnetcdf -lnetcdf -lcjson -lmuparser -lm -o "$target"
mkdir -p "$target.corpus"
exec "$target" "$target.corpus" -max_total_time=300 -max_len=4096 -timeout=5 "$@"
