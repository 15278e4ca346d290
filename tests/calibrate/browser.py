"""A headless Chromium, driven by its DevTools protocol over two pipes. Needs nothing but Python and Chromium (Debian: chromium)."""

import base64
import collections
import json
import os
import select
import shutil
import subprocess
import time

PROGRAMS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
PATIENCE = 120  # seconds until a browser that says nothing is given up: a busy machine is slow


def program():
    """Path of a Chromium, or None."""
    for name in (os.environ.get("LEITONG_CHROMIUM"), *PROGRAMS):
        path = shutil.which(name) if name else None
        if path:
            return path
    return None


class BrowserError(Exception):
    pass


class Browser:
    """One process. Two of them one after the other with the same `profile` are one browser that was closed in between."""

    def __init__(self, profile, downloads):
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        arguments = [program(), "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--no-first-run", "--disable-background-networking", "--disable-component-update", f"--user-data-dir={profile}", "about:blank"]

        def place():
            # Chromium reads commands from descriptor 3 and writes to 4. Both may be in use by the pipes themselves.
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            os.dup2(reading, 63), os.dup2(writing, 64)
            os.dup2(63, 3), os.dup2(64, 4)
            os.closerange(5, 256)

        self._process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                         close_fds=False, preexec_fn=place)
        os.close(to_browser)
        os.close(from_browser)
        self._number = 0
        self._buffer = b""
        self.events = collections.deque()
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads), eventsEnabled=True)

    def _receive(self, until):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(until - time.monotonic(), 0))
            data = os.read(self._in, 1 << 20) if ready else b""
            if not data:
                raise BrowserError("the browser does not answer")
            self._buffer += data
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        rest = json.dumps(message).encode() + b"\0"
        while rest:
            rest = rest[os.write(self._out, rest):]
        until = time.monotonic() + PATIENCE
        while True:
            answer = self._receive(until)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def wait_for(self, method):
        """The next event of that name, whenever it came."""
        until = time.monotonic() + PATIENCE
        while True:
            for event in list(self.events):
                if event["method"] == method:
                    self.events.remove(event)
                    return event["params"]
            message = self._receive(until)
            if "method" in message:
                self.events.append(message)

    def open(self, url):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        page = Page(self, self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])
        page.go(url)
        return page

    def close(self):
        try:
            self.call("Browser.close")
            self._process.wait(PATIENCE)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)


class Page:
    def __init__(self, browser, session):
        self._browser, self._session = browser, session
        for domain in ("Page", "Runtime", "Network", "DOM"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        return self._browser.call(method, self._session, **parameters)

    def go(self, url):
        self.call("Page.navigate", url=url)
        self._browser.wait_for("Page.loadEventFired")

    def reload(self):
        self.call("Page.reload")
        self._browser.wait_for("Page.loadEventFired")

    def evaluate(self, expression):
        """The value of a JavaScript expression; what it throws is thrown on."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")

    def press(self, key):
        codes = {"ArrowLeft": 37, "ArrowRight": 39, "Backspace": 8}
        code = codes.get(key, ord(key.upper()[0]))
        down = {"key": key, "windowsVirtualKeyCode": code}
        if len(key) == 1:
            down["text"] = key
        self.call("Input.dispatchKeyEvent", type="keyDown", **down)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def click(self, selector):
        """With the mouse, where the element stands: what covers it is clicked instead."""
        place = self.evaluate(f"(e => {{ e.scrollIntoView({{block: 'center'}}); const r = e.getBoundingClientRect(); "
                              f"return [r.x + r.width / 2, r.y + r.height / 2]; }})(document.querySelector({json.dumps(selector)}))")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def choose_file(self, selector, path):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[str(path)])

    def resize(self, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def screenshot(self, path, whole=False):
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(picture["data"]))

    def requests(self):
        """The addresses that were asked for since the last call."""
        urls = [e["params"]["request"]["url"] for e in self._browser.events if e["method"] == "Network.requestWillBeSent"]
        for event in [e for e in self._browser.events if e["method"] == "Network.requestWillBeSent"]:
            self._browser.events.remove(event)
        return urls

    def complaints(self):
        """Exceptions that nobody caught."""
        return [e["params"] for e in self._browser.events if e["method"] == "Runtime.exceptionThrown"]
