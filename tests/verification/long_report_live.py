# SPDX-License-Identifier: Apache-2.0
"""`report --live`, watched in Chromium while a run computes: the page follows the newest record, keeps what a reader has chosen,
says how far the run is, and ends as the page of a finished run; stopped on the way, it does not go on saying that it is renewed.

ctest: long"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import netCDF4

import browser
import cases

if not browser.PROGRAM:
    print("there is no Chromium: not checked")
    sys.exit(77)

LOOK = """(async () => {
    for (let n = 0; n < 500 && document.documentElement.dataset.ready !== "all"; n++) await new Promise(done => setTimeout(done, 10));
    const state = document.querySelector(".state");
    return { records: data.sets[0].times.length, record: chosen.record, variable: variableNow().name, state: state ? state.textContent : "",
        live: !!document.getElementById("live"), scrolled: Math.round(scrollY) };
})()"""


def look(chromium):
    """What the page shows; once more where it is just loaded anew."""
    for _ in range(50):
        try:
            return chromium.ask(LOOK)
        except SystemExit:
            time.sleep(0.1)
    raise SystemExit("the page does not answer")


def until(chromium, done, longest=60):
    late = time.monotonic() + longest
    while not done(seen := look(chromium)) and time.monotonic() < late:
        time.sleep(0.2)
    return seen


def command(folder, *more):
    return subprocess.Popen([sys.executable, "-u", "-m", "maeotis_report", str(folder), *more], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True)


folder = Path("sea").resolve()
subprocess.run(["rm", "-rf", str(folder)], check=True)
started = [subprocess.Popen([cases.PROGRAM, "run", str(cases.SOURCE / "scenarios" / "lagoon.json"), "--quiet", "--set", f"/output_folder={folder}",
                         "--set", "/output/0/every_s=600", "--set", "/time/step_s=10", "--until", "2024-03-02T00:00:00Z"],
                        stderr=subprocess.PIPE, text=True)]
run = started[0]
try:
    while not list(folder.glob("*_stations.nc")) and run.poll() is None:
        time.sleep(0.01)
    live = command(folder, "--live", "1")
    started.append(live)
    page = folder / "report.html"
    while not page.exists() and live.poll() is None:
        time.sleep(0.05)
    with browser.Browser() as chromium:
        chromium.open(page)
        first = look(chromium)
        cases.equal("a page of a run that computes shows the newest record", first["record"], first["records"] - 1)
        cases.equal("it says how far the run is", "of the way. Written at" in first["state"], True)
        second = until(chromium, lambda seen: seen["records"] > first["records"])
        cases.equal("it has more records later", second["records"] > first["records"], True)
        cases.equal("and shows the newest of them", second["record"], second["records"] - 1)
        chromium.ask("$('variable').selectedIndex = 1; $('variable').dispatchEvent(new Event('change')); chosen.record = 1; show().then(() => scrollTo(0, 300))")
        third = until(chromium, lambda seen: seen["records"] > second["records"])
        cases.equal("what was chosen stays: variable, record, place on the page", (third["variable"], third["record"], third["scrolled"]), ("speed", 1, 300))

        # a second writer, stopped while the run computes
        other = command(folder, "--live", "1", "-o", "other.html")
        other.stdout.readline()
        other.send_signal(signal.SIGINT)
        other.communicate()
        text = Path("other.html").read_text()
        going_on = run.poll() is None
        cases.equal("the run computes still", going_on, True)
        cases.equal("stopped, it leaves a page that says so", ("not updated since." in text, 'id="live"' in text), (True, False))

        last = until(chromium, lambda seen: not seen["live"])
        cases.equal("the run and the command end well", (run.wait(), live.wait()), (0, 0))
        with netCDF4.Dataset(folder / "lagoon.nc") as data:
            cases.equal("at the end all records are there", last["records"], data["time"].size)
        cases.equal("and nothing says that the run computes", (last["state"], last["live"]), ("", False))
        cases.equal("no error, nothing fetched", chromium.errors, [])
        if "PICTURES" in os.environ:
            chromium.picture(Path(os.environ["PICTURES"]) / "report_live.png")
finally:
    for process in started:
        if process.poll() is None:
            process.kill()
            process.wait()
cases.finish()
