# SPDX-License-Identifier: Apache-2.0
#
# The functions and files that model/README.md names in its walks exist.

source "$(dirname "${BASH_SOURCE[0]}")/_tree.sh"

mapfile -t sources < <(files '*.c' '*.h')
quote='\x60' # what markdown has around code
while IFS= read -r word; do
    case $word in
    *.[ch] | *.sh) [[ -e model/$word || -e $word ]] || problem "model/README.md: there is no file $word" ;;
    *)
        # a function, or the argument of a macro that defines a kernel
        grep -qE "\b${word}\b *\(|\(${word}[,)]" "${sources[@]}" || problem "model/README.md: there is no function $word"
        ;;
    esac
done < <(sed -n '/^## Four walks/,//p' model/README.md 2>/dev/null | grep -oP "${quote}\K[\w./]+(?=${quote})" |
    grep -vx 'Stencil' | sort -u || true)
finish "walks that lead nowhere"
