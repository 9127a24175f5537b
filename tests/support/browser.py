# SPDX-License-Identifier: Apache-2.0
"""A Chromium without a window, told what to do through a pair of pipes (the Chrome DevTools Protocol).

    with browser.Browser() as chromium:
        chromium.open(path, width=390, dark=True)
        chromium.ask("document.title")
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        (its_in, self.out), (self.into, its_out) = os.pipe(), os.pipe()

        def take_3_and_4():
            spare = [os.dup(end) for end in (its_in, its_out)] # which may be 3 or 4 themselves
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        self.process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"],
            preexec_fn=take_3_and_4, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(its_in), os.close(its_out)
        self.left, self.number, self.errors, self.loaded = b"", 0, [], True
        targets = self.tell("Target.getTargets")["targetInfos"]
        page = next(t["targetId"] for t in targets if t["type"] == "page")
        self.session = self.tell("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.tell(f"{domain}.enable")
        return self

    session = None

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.out), os.close(self.into)
        self.profile.cleanup()

    def tell(self, method, **parameters):
        """Sends a command; its answer."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.hear()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]

    def hear(self):
        """The next message; errors of pages and what they fetch are kept."""
        while b"\0" not in self.left:
            more = os.read(self.into, 1 << 20)
            if not more:
                raise SystemExit("Chromium ended")
            self.left += more
        text, self.left = self.left.split(b"\0", 1)
        message = json.loads(text)
        event, what = message.get("method"), message.get("params", {})
        self.loaded |= event == "Page.loadEventFired"
        if event == "Runtime.exceptionThrown":
            self.errors.append(what["exceptionDetails"].get("exception", {}).get("description", str(what)))
        elif event == "Network.requestWillBeSent" and not what["request"]["url"].startswith(("file:", "data:", "blob:", "about:")):
            self.errors.append(f"fetches {what['request']['url']}")
        return message

    def open(self, path, width=1280, height=900, dark=False, query=""):
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.tell("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.errors, self.loaded = [], False
        self.tell("Page.navigate", url=path.resolve().as_uri() + query)
        while not self.loaded:
            self.hear()

    def ask(self, script):
        """The value of an expression, which may be a promise."""
        done = self.tell("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            raise SystemExit(f"{done['exceptionDetails']}")
        return done["result"].get("value")

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.tell("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, path):
        """The whole page as a PNG file."""
        shot = self.tell("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))
