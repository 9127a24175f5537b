#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The report that a person with a GPU makes: a dry run on the emulator gives a whole report, a digest that differs
# makes it fail, and without a GPU it says so.

set -euo pipefail

[[ -x $MAEOTIS_BUILD_DIR/tests/unit-block ]] || exit 77 # the build has no unit tests
report=$MAEOTIS_SOURCE_DIR/bench/gpu_report.sh
fail() {
    printf 'FAIL  %s\n' "$*"
    exit 1
}

bash "$report" "$MAEOTIS_SOURCE_DIR" "$MAEOTIS_BUILD_DIR" emu dry.md
grep -q 'Dry run' dry.md || fail "a dry run that does not say so"
grep -qx '9 passed, 0 failed' dry.md || fail "$(tail -n 1 dry.md)"
grep -q '| vortex_pair | \([0-9a-f]*\) | \1 | passed |' dry.md || fail "no digests"
grep -q '^| Thomas ' dry.md || fail "no lines"
grep -q 'news from block to block' dry.md || fail "no probe"
order=$(grep '^## ' dry.md | tr '\n' ' ')
[[ $order == '## Probe ## Tests ## Speed ## Papers ## Digests ' ]] || fail "the order $order"
! grep -qF "$MAEOTIS_SOURCE_DIR" dry.md || fail "a path of this machine in the report"

# a program that computes something else on the emulator
mkdir -p other/tests
cp "$MAEOTIS_BUILD_DIR"/tests/unit-block "$MAEOTIS_BUILD_DIR"/tests/unit-reduce other/tests
cat >other/maeotis <<END
#!/usr/bin/env bash
[[ \$* == *'--device emu'* ]] && exec "$MAEOTIS" "\$@" --set /physics/gravity_m_s2=9.7
exec "$MAEOTIS" "\$@"
END
chmod +x other/maeotis
ln -sf /bin/true other/maeotis-bench
code=0
bash "$report" "$MAEOTIS_SOURCE_DIR" other emu other.md || code=$?
((code == 1)) || fail "code $code where digests differ"
grep -q '| seiche | .* | \*\*failed\*\*' other.md || fail "digests that differ pass"

if ! command -v nvidia-smi >/dev/null; then
    code=0
    bash "$report" "$MAEOTIS_SOURCE_DIR" "$MAEOTIS_BUILD_DIR" gpu none.md 2>words || code=$?
    ((code == 2)) || fail "code $code without a GPU"
    grep -q "nothing was measured" words || fail "no word that nothing was measured"
    [[ ! -e none.md ]] || fail "a report without a GPU"
fi
echo "ok    dry run, other digests, no GPU"
