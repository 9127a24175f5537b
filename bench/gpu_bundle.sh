#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gpu_bundle.sh ROOT BUILD FILE.tar.xz: a folder that makes a GPU report where nothing can be installed: programs,
# tests, scenarios, all shared libraries but the C library's and the driver's, Open MPI's modules, and the shell and its
# tools for machines that have none. Called by `./maeotis gpu-report --bundle FILE.tar.xz`.

set -euo pipefail

readonly ROOT=$1 BUILD=$2 FILE=$3
readonly TOOLS=(bash timeout sed grep head tail cut tr cat date nproc mktemp rm mkdir basename sleep)
# These come with the system's C library, the driver, or CUDA's toolkit.
readonly THEIRS='^(ld-linux|lib(c|m|dl|pthread|rt|resolv|util|mvec|cuda|cudart|cusparse|cublas|nvJitLink))[-.]'
# Modules of Open MPI for networks, batch systems and the like; one machine and one process need none of them.
readonly UNUSED='_ofi|openib|ucx|psm|_mtl_|portals|usnic|cuda|ugni|knem|slurm|_tm|flux|lsf|hcoll|monitoring|_uct'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/maeotis-gpu
program=$folder/libexec/maeotis # the layout of an installed copy, whose data the program finds
mkdir -p "$program/tests" "$folder/share/maeotis" "$folder/lib" "$folder/tools" "$folder/openmpi/lib" \
    "$folder/openmpi/share/openmpi"

cp "$BUILD/maeotis" "$BUILD/maeotis-bench" "$program"
cp "$BUILD"/maeotis_cusparse*.so "$program" 2>/dev/null || true
cp "$BUILD"/tests/gpu-* "$program/tests" 2>/dev/null || true
cp "$BUILD/tests/unit-block" "$BUILD/tests/unit-reduce" "$program/tests"
cp -r "$ROOT/scenarios" "$folder/share/maeotis"
(cd "$ROOT" && find bathymetry -name '*.nc' -o -name '*.asc' | tar cf - -T -) | tar xf - -C "$folder/share/maeotis"
for units in /usr/share/xml/udunits /usr/local/share/udunits /usr/share/udunits; do
    [[ ! -e $units/udunits2.xml ]] || cp -rT "$units" "$folder/share/udunits"
done
for maps in "${PROJ_DATA:-/usr/share/proj}" /usr/local/share/proj; do
    [[ ! -e $maps/proj.db || -e $folder/share/proj ]] || install -D -m 644 "$maps/proj.db" -t "$folder/share/proj"
done
cp "$ROOT/bench/gpu_report.sh" "$folder"
cp "$ROOT/bench/gpu_bundled.sh" "$folder/gpu-report"
for tool in "${TOOLS[@]}"; do cp -L "$(type -P "$tool")" "$folder/tools"; done
{
    sed -n '/^CMAKE_CUDA_ARCHITECTURES:/p' "$BUILD/CMakeCache.txt"
    printf 'BUNDLE_COMMIT:STRING=%s\n' \
        "$(git -C "$ROOT" describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null)"
    printf 'BUNDLE_CUDA:STRING=%s\n' "$(nvcc --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
} >"$program/CMakeCache.txt"

# libraries PROGRAM...: those that come along, each once, as `name path`
libraries() {
    ldd "$@" 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// {print $1, $3}' | sort -u | grep -vE "$THEIRS" || true
}
while read -r _ path; do
    case $path in */libopen-pal.so*) modules=$(dirname "$(readlink -f "$path")") ;; esac
done < <(libraries "$BUILD/maeotis")
for module in "${modules:-}"/openmpi*/ "${modules:-}"/openmpi/lib/openmpi*/; do
    [[ -e ${module}mca_btl_self.so ]] || continue
    mkdir -p "$folder/openmpi/lib/modules"
    for file in "$module"mca_*.so; do
        [[ $file =~ $UNUSED ]] || cp -L "$file" "$folder/openmpi/lib/modules"
    done
done
while read -r name path; do
    cp -L "$path" "$folder/lib/$name"
done < <(libraries "$program"/maeotis* "$program"/tests/* "$folder"/tools/* "$folder"/openmpi/lib/modules/*.so)
find "$program" "$folder/lib" "$folder/openmpi" "$folder/tools" -type f -exec strip --strip-unneeded {} + 2>/dev/null || true

tar caf "$FILE" -C "$work" maeotis-gpu
