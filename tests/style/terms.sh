# SPDX-License-Identifier: Apache-2.0
#
# Every term of an equation's table (TERM in a terms.h) has its row in model/README.md, named (`term`) there.

source "$(dirname "${BASH_SOURCE[0]}")/_tree.sh"

while IFS=: read -r file line text; do
    term=${text#*TERM(}
    term=${term%%[,)]*}
    grep -qs "^| .*(\`$term\`)" model/README.md || problem "$file:$line: no row of model/README.md names (\`$term\`)"
done < <(files 'terms.h' | xargs -r grep -HnE '^ +TERM\([a-z]' || true)
finish "terms without a row in model/README.md"
