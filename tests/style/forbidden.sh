# SPDX-License-Identifier: Apache-2.0
#
# What has no place in the tree, each with the reason.

source "$(dirname "${BASH_SOURCE[0]}")/_tree.sh"

# forbid WHERE PATTERN REASON: WHERE is a regular expression of paths
forbid() {
    local where=$1 pattern=$2 reason=$3 hit
    while IFS= read -r hit; do
        problem "$hit   <- $reason"
    done < <(printf '%s\n' "${all[@]}" | grep -E "$where" | grep -v '^tests/style/' |
        tr '\n' '\0' | xargs -0 -r grep -HnE -- "$pattern" || true)
}

mapfile -t all < <(files '*.c' '*.h' '*.py' '*.sh' '*.cmake' '*.md' '*.json' '*.cff' CMakeLists.txt maeotis run)
library='^(base|gpu|numerics|bathymetry|model)/.*\.[ch]$'

forbid '.' '^(<<<<<<<|=======|>>>>>>>)( |$)' "a merge that was not finished"
forbid '\.([ch]|py|sh|cmake)$' '[[:space:]]+$' "blanks at the end of the line"
forbid '\.([ch]|py|cmake)$' $'\t' "a tab"
here=$(sed 's/[^[:alnum:]/_-]/\\&/g' <<<"$PWD") # for a regular expression
forbid '.' "(^|[^[:alnum:]_./])(/home/[a-z]|$here/)" "a path of one person's machine"
forbid '\.[ch]$' '\b(TODO|FIXME)\b' "finish it, or file it where it is tracked"
forbid '\.h$' '#[[:space:]]*pragma[[:space:]]+once' "headers have guards"
forbid "$library" '\b(gets|strcat|sprintf|vsprintf|atoi|atol|atof|strtok|alloca)[[:space:]]*\(' \
    "overflows, or cannot tell a mistake from a zero; use snprintf, strtod with its end pointer"
forbid "$library" '\b(rand|srand|drand48)[[:space:]]*\(' "two runs would differ"
forbid '^(base/[^en]|base/e[^r]|base/netcdf_[^p]|gpu|numerics|bathymetry|model/.*/|model/[^m]).*\.[ch]$' '\b(_?exit|MPI_Abort)[[:space:]]*\(' \
    "a function returns a Status; only main, base/error and a child of base/netcdf_probe end the process"
forbid '(\.[ch]|\.cmake|CMakeLists\.txt)$' 'ffast-math|funsafe-math|FP_CONTRACT|use_fast_math|ffp-contract=(on|fast)' \
    "the same bits everywhere: no licence to reorder or contract"
forbid "$library" '#[[:space:]]*pragma[[:space:]]+omp[[:space:]]+parallel' "processes, not threads"
finish "forbidden things"
