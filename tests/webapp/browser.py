"""A real Chromium, driven over a pipe by its DevTools protocol; nothing to install."""

import base64
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time
from contextlib import suppress

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
PATIENCE = 60.0


def find_chromium():
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One browser process; `page()` opens a tab."""

    def __init__(self, *flags):
        self._folder = tempfile.mkdtemp(prefix="pairsift-browser-")
        ours, theirs = os.pipe(), os.pipe()
        # The browser reads commands from descriptor 3 and writes to 4.
        command = [find_chromium(), *FLAGS, *flags, f"--user-data-dir={self._folder}"]
        words = f'exec 3<&{ours[0]} 4>&{theirs[1]}; exec "$@"'
        self._process = subprocess.Popen(
            ["bash", "-c", words, "bash", *command, "about:blank"],
            pass_fds=(ours[0], theirs[1]),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(ours[0])
        os.close(theirs[1])
        self._out = os.fdopen(ours[1], "wb", buffering=0)
        self._in = os.fdopen(theirs[0], "rb")
        self._number, self._answers, self.events = 0, {}, queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self):
        rest = b""
        with suppress(ValueError, OSError):
            while chunk := self._in.read1(65536):
                *messages, rest = (rest + chunk).split(b"\0")
                for message in messages:
                    said = json.loads(message)
                    if "id" in said:
                        self._answers[said["id"]].put(said)
                    else:
                        self.events.put(said)

    def call(self, method, session=None, **given):
        with self._lock:
            self._number += 1
            number = self._number
            self._answers[number] = queue.SimpleQueue()
            message = {"id": number, "method": method, "params": given}
            if session is not None:
                message["sessionId"] = session
            self._out.write(json.dumps(message).encode() + b"\0")
        said = self._answers[number].get(timeout=PATIENCE)
        if "error" in said:
            raise RuntimeError(f"{method}: {said['error']}")
        return said["result"]

    def page(self, link, width=1280, height=900, profile=None, **media):
        return Page(self, link, width, height, media, profile)

    def profile(self):
        """Return a profile of its own, with other cookies."""
        return self.call("Target.createBrowserContext")["browserContextId"]

    def close(self):
        with suppress(Exception):
            self.call("Browser.close")
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=10)
        if self._process.poll() is None:
            self._process.kill()
        self._out.close()
        self._thread.join(timeout=10)
        self._in.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Page:
    """A tab: keys, clicks, touches, what is seen, and pictures of it."""

    def __init__(self, browser, link, width, height, media, profile=None):
        self._browser = browser
        where = {} if profile is None else {"browserContextId": profile}
        created = browser.call("Target.createTarget", url="about:blank", **where)
        target = created["targetId"]
        attached = browser.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session, self._target = attached["sessionId"], target
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Log.enable")
        self.resize(width, height)
        if media:
            features = [
                {"name": name.replace("_", "-"), "value": value}
                for name, value in media.items()
            ]
            self.call("Emulation.setEmulatedMedia", features=features)
        self.go(link)

    def call(self, method, **given):
        return self._browser.call(method, self._session, **given)

    def resize(self, width, height):
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )

    def go(self, link):
        self.call("Page.navigate", url=link)

    def reload(self):
        self.call("Page.reload")

    def run(self, script):
        found = self.call(
            "Runtime.evaluate",
            expression=script,
            awaitPromise=True,
            returnByValue=True,
        )
        if "exceptionDetails" in found:
            raise RuntimeError(json.dumps(found["exceptionDetails"])[:600])
        return found["result"].get("value")

    def wait(self, script, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while True:
            with suppress(RuntimeError):
                found = self.run(script)
                if found:
                    return found
            if time.monotonic() > end:
                text = self.run("document.body.innerText.slice(0, 800)")
                raise TimeoutError(f"{script} is not true; the page says: {text}")
            time.sleep(0.02)

    def text(self, selector):
        return self.run(f"document.querySelector({selector!r})?.innerText ?? ''")

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            text = key if len(key) == 1 and kind == "keyDown" else ""
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text)

    def place(self, selector):
        self.run(
            f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})"
        )
        return self.run(
            f"(() => {{ const b = document.querySelector({selector!r})"
            ".getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2];"
            " })()"
        )

    def mouse(self, kind, x, y, buttons=1, clicks=1):
        self.call(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x,
            y=y,
            button="left" if buttons or kind != "mouseMoved" else "none",
            buttons=buttons,
            clickCount=clicks,
        )

    def click(self, selector):
        x, y = self.place(selector)
        self.mouse("mouseMoved", x, y, buttons=0)
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y, buttons=0)

    def tap(self, selector):
        x, y = self.place(selector)
        points = [{"x": x, "y": y}]
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=points)
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def drag(self, start, end):
        x, y = self.place(start)
        z, w = self.run(
            f"(() => {{ const b = document.querySelector({end!r})"
            ".getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2];"
            " })()"
        )
        self.mouse("mouseMoved", x, y, buttons=0)
        self.mouse("mousePressed", x, y)
        for k in range(1, 6):
            self.mouse("mouseMoved", x + (z - x) * k / 5, y + (w - y) * k / 5)
        self.mouse("mouseReleased", z, w, buttons=0)

    def offline(self, is_offline):
        self.call("Network.enable")
        self.call(
            "Network.emulateNetworkConditions",
            offline=is_offline,
            latency=0,
            downloadThroughput=-1,
            uploadThroughput=-1,
        )

    def picture(self, path, full=False):
        given = {"captureBeyondViewport": True} if full else {}
        if full:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            given["clip"] = {**size, "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", **given)["data"]
        path.write_bytes(base64.b64decode(data))

    def close(self):
        self._browser.call("Target.closeTarget", targetId=self._target)
