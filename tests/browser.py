"""A browser for tests: headless Chromium, controlled over two pipes."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
    "chromium-headless-shell",
)  # fmt: skip
PATIENCE = 300.0
"""Seconds without a message after which the browser counts as broken, even on a busy machine."""
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
    "--hide-scrollbars",  # a line that nearly fits would have one at times, and push the rest down
    "--disable-background-networking", "--disable-component-update", "--disable-extensions",
    "--disable-dev-shm-usage", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows", "--remote-debugging-pipe",
    "--window-size=1300,900",
]  # fmt: skip

AS_3_AND_4 = (
    "import os, sys\n"
    "pipes = [os.dup(int(n)) for n in sys.argv[1:3]]\n"
    "for n, pipe in zip((3, 4), pipes): os.dup2(pipe, n), os.set_inheritable(n, True)\n"
    "os.execv(sys.argv[3], sys.argv[3:])\n"
)
"""A program that runs another with two pipes as file descriptors 3 and 4, as Chromium expects."""


def found() -> str | None:
    """Return the path of a browser, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """A running browser and its open pages."""

    def __init__(self, to: int, back: int) -> None:
        self.to, self.back, self.rest, self.count = to, back, b"", 0
        self.pages: dict[str, Page] = {}

    def send(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Call a method of the DevTools protocol."""
        self.count += 1
        message: dict[str, Any] = {"id": self.count, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while (answer := self.read()).get("id") != self.count:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        result: dict[str, Any] = answer["result"]
        return result

    def read(self) -> dict[str, Any]:
        """Return the next message; add an event to its page."""
        while b"\0" not in self.rest:
            if not select.select([self.back], [], [], PATIENCE)[0]:
                raise TimeoutError(f"the browser sent no message for {PATIENCE:g} s")
            if not (more := os.read(self.back, 1 << 16)):
                raise EOFError("the browser ended")
            self.rest += more
        message, _, self.rest = self.rest.partition(b"\0")
        answer: dict[str, Any] = json.loads(message)
        if "method" in answer and (page := self.pages.get(answer.get("sessionId", ""))):
            page.events.append(answer)
        return answer

    @contextmanager
    def page(self) -> Iterator[Page]:
        """Yield an empty page in its own browser context, independent of other pages."""
        context = self.send("Target.createBrowserContext")["browserContextId"]
        target = self.send("Target.createTarget", url="about:blank", browserContextId=context)
        attached = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        page = self.pages[attached["sessionId"]] = Page(self, attached["sessionId"])
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.send(f"{domain}.enable")
        try:
            yield page
        finally:
            del self.pages[page.session]
            self.send("Target.disposeBrowserContext", browserContextId=context)


class Page:
    """One page and its events."""

    def __init__(self, browser: Browser, session: str) -> None:
        self.browser, self.session = browser, session
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method of the DevTools protocol for this page."""
        return self.browser.send(method, self.session, **params)

    def open(self, path: Path, query: str = "") -> None:
        """Open a file, and wait until it is loaded and drawn; forget earlier events."""
        self.events.clear()
        self.send("Page.navigate", url=path.as_uri() + query)
        while not self.events_of("Page.loadEventFired"):
            self.browser.read()
        self.frame()

    def frame(self) -> None:
        """Wait for two frames, so that changes are drawn."""
        self.run("new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)))")

    def run(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        answer = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def hover(self, x: float, y: float) -> None:
        """Move the pointer to a point of the window."""
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def sized(self, width: int, height: int = 900) -> None:
        """Set the size of the window in pixels."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)  # fmt: skip

    def prefers(self, theme: str) -> None:
        """Set the theme of the desktop, light or dark."""
        self.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": theme}])  # fmt: skip

    def events_of(self, *methods: str) -> list[dict[str, Any]]:
        """Return the events of these kinds since the page was opened."""
        return [e["params"] for e in self.events if e.get("method") in methods]


@contextmanager
def browsing(folder: Path) -> Iterator[Browser]:
    """Start a browser with its profile in the new folder `folder`; close it at the end."""
    down, to = os.pipe()
    back, up = os.pipe()
    command = [found() or "", *FLAGS, f"--user-data-dir={folder}"]
    process = subprocess.Popen(
        [sys.executable, "-c", AS_3_AND_4, str(down), str(up), *command],
        pass_fds=(down, up), stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(down)
    os.close(up)
    try:
        yield Browser(to, back)
    finally:
        os.close(to)
        os.close(back)
        process.terminate()
        process.wait()
