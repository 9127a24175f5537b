#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# ctest: long
# ctest: timeout 600
#
# A bundle for machines where nothing can be installed: unpacked where there is nothing but the C library and a shell, it
# gives a whole report on the emulator; a time that is too short is kept, and what was left out is named.

set -euo pipefail

[[ -x $MAEOTIS_BUILD_DIR/tests/unit-block ]] || exit 77 # the build has no unit tests
fail() {
    printf 'FAIL  %s\n' "$*"
    exit 1
}

bash "$MAEOTIS_SOURCE_DIR/bench/gpu_bundle.sh" "$MAEOTIS_SOURCE_DIR" "$MAEOTIS_BUILD_DIR" bundle.tar
root=$PWD/bare
rm -rf "$root"
mkdir -p "$root"/{bin,tmp,proc,dev,lib64}
tar xf bundle.tar -C "$root"
cp "$(readlink -f /bin/sh)" "$root/bin/sh"
while read -r path; do # the C library, where it stands here
    mkdir -p "$root$(dirname "$path")"
    cp -L "$path" "$root$path"
done < <(ldd "$root/bin/sh" "$MAEOTIS" 2>/dev/null |
    awk '$3 ~ /\/lib(c|m|dl|pthread|rt|resolv|util|mvec)[-.]/ {print $3} $1 ~ /\/ld-linux/ {print $1}' | sort -u)

bare() { # bare OPTION...: as root of an own namespace where we are not root of this machine
    local into=(chroot "$root")
    ((EUID == 0)) || into=(unshare -rR "$root")
    "${into[@]}" /bin/sh -c 'cd /tmp && PATH=/bin exec /maeotis-gpu/gpu-report "$@"' sh "$@"
}
if ((EUID != 0)) && ! unshare -rR "$root" /bin/sh -c : 2>/dev/null; then exit 77; fi
mkdir -p "$root/dev/shm"
: >"$root/dev/null"

bare --device emu -o dry.md || fail "$(cat "$root/tmp/dry.md")"
grep -qx '9 passed, 0 failed' "$root/tmp/dry.md" || fail "$(tail -n 1 "$root/tmp/dry.md")"
grep -q '| vortex_pair | \([0-9a-f]*\) | \1 | passed |' "$root/tmp/dry.md" || fail "no digests"

# A program that takes longer than there is time: a report in time, with names of what is missing.
cat >"$root/maeotis-gpu/libexec/maeotis/tests/unit-block" <<'END'
#!/maeotis-gpu/tools/bash
sleep 300
END
start=$SECONDS
bare --device emu --minutes 1 -o late.md || fail "$(cat "$root/tmp/late.md")"
((SECONDS - start < 62)) || fail "$((SECONDS - start)) s where there was one minute"
grep -q '^| unit-block | no time |' "$root/tmp/late.md" || fail "unit-block had time"
grep -qx -- '- digests of vortex_pair' "$root/tmp/late.md" || fail "no word on digests"
grep -qx '1 passed, 0 failed, no time for 8' "$root/tmp/late.md" || fail "$(tail -n 1 "$root/tmp/late.md")"
echo "ok    a bundle in a bare folder, and one minute"
