# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
"""Lines that ranks solve by themselves: the exact decay to the tolerance on any cut, accounts closed, and what is said."""

import cases
import numpy as np

CASE, LENGTH, DX, STEP, STEPS = "verification/decoupled_lines", 6400.0, 25.0, 60.0, 40
CUT = [(0, 1), (2, 1), (3, 1), (4, 1)]


def decay(diffusivity):
    """Of a cosine, in all steps."""
    wave = np.pi / LENGTH
    return (1 + STEP * diffusivity * (2 / DX * np.sin(wave * DX / 2)) ** 2) ** -STEPS


def run(ranks, settings=None, **others):
    cut = {"/solver/processes": list(ranks)} if ranks[0] else {}
    found = cases.run(CASE, {"/restart/at_end": True, "/output": [], **cut, **(settings or {})}, ranks=ranks[0] * ranks[1], **others)
    cases.conserves(found, 1e-14)
    account = found.log[-1]["tracers"]["wave"]
    cases.below("account of the dye", abs(account["error"]) / account["content"], 1e-13)
    return found


def cosines(found):
    """v and the dye at the end, as parts of what they began with, and the cosine along x."""
    fields = found.read("restart_*T004000Z.nc")
    x = DX * (np.arange(256) + 0.5)
    return fields["v"][:, :16] / 0.1, fields["wave"] - 2, np.cos(np.pi / LENGTH * x)


# ---- to 1e-12: DistD2 everywhere, and nothing but rounding is seen ----

digests = {}
for ranks in CUT:
    found = run(ranks)
    v, dye, cosine = cosines(found)
    name = f"{ranks[0] or 1} ranks"
    cases.below(f"{name}: v", np.max(np.abs(v - decay(20) * cosine)), 1e-12)
    cases.below(f"{name}: dye", np.max(np.abs(dye - decay(20) * cosine)), 1e-12)
    for lines in ("viscosity of v along x", "mixing of tracers along x"):
        cases.equal(f"{name}: {lines}", f"{lines}: {'DistD2' if ranks[0] else 'Thomas'}" in found.message, True)
    digests[ranks] = found.digest
again = run((2, 1), {"/restart/every_s": 1200, "/restart/at_end": False}, options=["--steps", "20"])
again = run((2, 1), options=["--restart", str(next(again.folder.glob("**/*restart*.nc")))])
cases.equal("digest of the same cut after a restart", again.digest, digests[2, 1])
emulated = run((2, 1), options=["--device", "emu", "--steps", "4"])
cases.equal("digest on the emulated device", emulated.digest, run((2, 1), options=["--steps", "4"]).digest)

# ---- to 1e-4, where lines of 64 rows are coupled by about that: the tolerance is used, and kept ----

LOOSE = {"/solver/lines/tolerance": 1e-4, "/physics/momentum/horizontal_viscosity_m2_s": 400,
         "/physics/tracers/horizontal_diffusivity_m2_s": 400}
for ranks in CUT[1:]:
    found = run(ranks, LOOSE)
    v, dye, cosine = cosines(found)
    wrong = max(np.max(np.abs(v - decay(400) * cosine)), np.max(np.abs(dye - decay(400) * cosine)))
    cases.below(f"{ranks[0]} ranks, tolerance 1e-4: error in {STEPS} steps", wrong, STEPS * 1e-4)
cases.equal("the bound that is told", "DistD2" in found.message and "error at most" in found.message, True)
cases.between("4 ranks: what is lost is seen", wrong, 1e-9, STEPS * 1e-4)

# ---- where lines are coupled too strongly: exact, the same bits for any cut, and said ----

STRONG = {"/physics/momentum/horizontal_viscosity_m2_s": 20000, "/physics/tracers/horizontal_diffusivity_m2_s": 20000}
strong = [run(ranks, STRONG, options=["--steps", "10"]) for ranks in ((2, 1), (4, 1))]
cases.equal("strong mixing: digest on 2 and 4 ranks", strong[1].digest, strong[0].digest)
cases.equal("why", all("N-shaped" in found.message and "DistD2 would lose" in found.message for found in strong), True)

# ---- exact, in blocks and levels that the scenario chooses: the same bits for any cut and device, and said ----

NESTED = {"/solver/lines/method": "exact", "/solver/lines/blocks": 30, "/solver/lines/levels": 3}
nested = {ranks: run(ranks, {**STRONG, **NESTED}, options=["--steps", "10"]) for ranks in ((0, 1), (4, 1))}
cases.equal("blocks and levels: digest on 1 and 4 ranks", nested[4, 1].digest, nested[0, 1].digest)
cases.equal("blocks and levels: not the digest of those by default", nested[4, 1].digest != strong[0].digest, True)
cases.equal("blocks and levels: told", "a joint every 8 rows, nested 2 times" in nested[4, 1].message, True)
cases.finish()
