# SPDX-License-Identifier: Apache-2.0
"""The same bits on the emulated GPU, whose kernels run later than they were launched: a host part of the step
that does not wait for them would work on old numbers; and on ranks of which some are such GPUs, some are not.
long_devices.py does the same with all scenarios; ranks.py has more kinds of seas, on one such GPU."""

import cases
import emulated

for name in ("dam_break_dry", "bump", "kelvin_wave", "inverse_barometer", "ekman_layer", "kato_phillips", "lock_exchange",
             "still_box", "heat_box", "sediment_box", "slotted_disc", "wind_setup_no_slip", "channel_tide", "strait_discharge"):
    emulated.compare(f"verification/{name}", 2, [(0, "emu")])
for name in ("stormy_marsh", "tracers_marsh", "evaporation_box", "sponge_pulse", "submerged_bar", "vortex_pair"):
    emulated.compare(f"verification/{name}", 2, [(0, "emu"), (3, "emu,cpu,emu")])
emulated.compare("azov_storm_2014", 2, [(0, "emu"), (2, "emu")])
cases.finish()
