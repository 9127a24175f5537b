# SPDX-License-Identifier: Apache-2.0
#
# A check that cannot fail checks nothing: each is shown a small clean tree, which it passes, and the same tree with
# one mistake of its kind, which it must refuse.

set -euo pipefail

checks=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
wrong=0

clean_tree() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/{base,gpu,numerics,model,tests/mutation}
    cp "$checks/../mutation/mutate.py" "$tree/tests/mutation/"
    printf '# SPDX-License-Identifier: Apache-2.0\nMISTAKES = [("one", "a_kernels.c", "return 0;", "return 1;", [])]\n' \
        >"$tree/tests/mutation/mistakes.py"
    cp "$checks/../../.clang-format" "$tree/"
    printf '/* SPDX-License-Identifier: Apache-2.0 */\n#ifndef A\n#define A\n#endif\n' |
        tee "$tree/base/a.h" >"$tree/numerics/grid.h"
    printf '/* SPDX-License-Identifier: Apache-2.0 */\n#include "base/a.h"\n\nint f(void);\n\nint f(void) {\n    return 0;\n}\n' |
        tee "$tree/gpu/a.c" "$tree/numerics/a_kernels.c" >"$tree/model/a.c"
    printf '# SPDX-License-Identifier: Apache-2.0\n\ntrue\n' >"$tree/tests/a.sh"
}

# run CHECK: its exit code on the tree
run() {
    local code=0
    MAEOTIS_SOURCE_DIR=$tree MAEOTIS_CC=${MAEOTIS_CC:-cc} bash "$checks/$1.sh" >"$tree/../said.$$" 2>&1 || code=$?
    printf '%s\n' "$code"
    rm -f "$tree/../said.$$"
}

# refuses CHECK WHAT FILE TEXT: the check passes the clean tree and fails once TEXT is added to FILE
refuses() {
    local code
    clean_tree
    code=$(run "$1")
    if ((code == 77)); then
        echo "skipped  $1: $2"
        return
    fi
    if ((code != 0)); then
        echo "WRONG    $1 refuses the clean tree"
        wrong=1
        return
    fi
    printf '%b' "$4" >>"$tree/$3"
    code=$(run "$1")
    if ((code == 1)); then
        echo "refused  $1: $2"
    else
        echo "WRONG    $1 lets pass: $2 (code $code)"
        wrong=1
    fi
}

refuses includes "an include that goes up" gpu/a.c '#include "numerics/grid.h"\n'
refuses includes "an include from base of the model" base/a.h '#include "model/state.h"\n'
refuses includes "an include without its path" numerics/a_kernels.c '#include "grid.h"\n'
refuses format "another layout" model/a.c 'int  g( void );\n'
refuses kernels "C that is no C++" numerics/a_kernels.c 'int *g(void *p);\nint *g(void *p)\n{\n    return p;\n}\n'
refuses spdx "a source without a licence" model/b.c 'int g(void);\n'
refuses spdx "a script without a licence" tests/b.sh 'true\n'
refuses forbidden "an unfinished merge" model/a.c '<<<<<<< ours\n'
refuses forbidden "blanks at the end of a line" model/a.c 'int g(void); \n'
refuses forbidden "a tab" model/a.c '\tint g(void);\n'
refuses forbidden "somebody's path" model/a.c '/* see /home/anna/notes */\n'
refuses forbidden "a note to oneself" model/a.c '/* TO''DO */\n'
refuses forbidden "an unsafe function" model/a.c 'int g(char *s);\nint g(char *s) { return atoi(s); }\n'
refuses forbidden "random numbers" numerics/a_kernels.c 'int g(void) { return rand(); }\n'
refuses forbidden "an exit from below" numerics/a_kernels.c 'void g(void) { exit(1); }\n'
refuses forbidden "fast mathematics" model/a.c '#pragma STDC FP_CONTRACT ON\n'
refuses forbidden "threads" model/a.c '#pragma omp parallel for\n'
refuses words "a word that users do not read in a page" base/README.md 'Write it anew.\n'
refuses words "one in a message" model/a.c 'const char *g(void);\nconst char *g(void) { return "the rank failed"; }\n'
refuses words "one in the help" maeotis '    stops after a checkpoint\nEND\n'
refuses terms "a term that is not documented" model/terms.h '    TERM(damping, TERM_AT_START, "damping")\n'
# shellcheck disable=SC2016
refuses shell "an unquoted variable" tests/a.sh 'rm $1\n'
refuses walks "a walk to a function that is not there" model/README.md '## Four walks\n1. \x60atlantis\x60\n'
refuses walks "a walk to a file that is not there" model/README.md '## Four walks\n1. \x60sea/atlantis.c\x60\n'
refuses readmes "a README that names a file of another day" numerics/README.md '| \x60atlantis.[ch]\x60 | An island. |\n'
refuses mistakes "a planted mistake for a text that is there twice" numerics/a_kernels.c '/* return 0; */\n'
refuses mistakes "a planted mistake whose test is not there" tests/mutation/mistakes.py 'MISTAKES[0][4].append("unit-atlantis")\n'

# in a tree that git knows, files that it does not track are nobody's text
clean_tree
git -C "$tree" init -q && git -C "$tree" add .
printf 'Write it anew.\n' >"$tree/base/built.md"
(($(run words) == 0)) || { echo "WRONG    words looks at a file that git does not track" && wrong=1; }
git -C "$tree" add base/built.md
(($(run words) == 1)) || { echo "WRONG    words lets pass a file that git tracks" && wrong=1; }
exit $wrong
