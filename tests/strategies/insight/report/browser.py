"""A browser for tests: Chromium without a window, told what to do over two pipes."""

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

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 60.0
"""Seconds without an answer after which the browser counts as broken."""

AS_3_AND_4 = (
    "import os, sys\n"
    "pipes = [os.dup(int(n)) for n in sys.argv[1:3]]\n"
    "for n, pipe in zip((3, 4), pipes): os.dup2(pipe, n), os.set_inheritable(n, True)\n"
    "os.execv(sys.argv[3], sys.argv[3:])\n"
)
"""Runs a program with two pipes under the numbers at which a browser expects them."""


def found() -> str | None:
    """The path of a browser, if there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Page:
    """One page: what it was told, and all that it said."""

    def __init__(self, to: int, back: int) -> None:
        self.to, self.back, self.rest, self.count = to, back, b"", 0
        self.events: list[dict[str, Any]] = []
        self.session: str | None = None

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method of the DevTools protocol."""
        self.count += 1
        message: dict[str, Any] = {"id": self.count, "method": method, "params": params}
        if self.session is not None:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while (answer := self.read()).get("id") != self.count:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        result: dict[str, Any] = answer["result"]
        return result

    def read(self) -> dict[str, Any]:
        """The next message."""
        while b"\0" not in self.rest:
            if not select.select([self.back], [], [], PATIENCE)[0]:
                raise TimeoutError("the browser says nothing")
            if not (more := os.read(self.back, 1 << 16)):
                raise EOFError("the browser ended")
            self.rest += more
        message, _, self.rest = self.rest.partition(b"\0")
        answer: dict[str, Any] = json.loads(message)
        return answer

    def open(self, path: Path) -> None:
        """Open a file, and wait until it is loaded and drawn."""
        self.send("Page.navigate", url=path.as_uri())
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.read())
        self.frame()

    def frame(self) -> None:
        """Wait for two frames: what was asked for is drawn."""
        self.run("new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)))")

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression."""
        answer = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def hover(self, x: float, y: float) -> None:
        """Move the pointer to a point of the window."""
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def told(self, *methods: str) -> list[dict[str, Any]]:
        """The events of these kinds so far."""
        return [e["params"] for e in self.events if e.get("method") in methods]


@contextmanager
def browsing(folder: Path) -> Iterator[Page]:
    """A browser with an empty page, and its profile in `folder`; closed at the end."""
    down, to = os.pipe()
    back, up = os.pipe()
    flags = "--headless --no-sandbox --disable-gpu --remote-debugging-pipe --window-size=1300,900"
    command = [found() or "", *flags.split(), f"--user-data-dir={folder}"]
    process = subprocess.Popen(
        [sys.executable, "-c", AS_3_AND_4, str(down), str(up), *command],
        pass_fds=(down, up), stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(down)
    os.close(up)
    page = Page(to, back)
    try:
        target = page.send("Target.createTarget", url="about:blank")
        attached = page.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        page.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.send(f"{domain}.enable")
        yield page
    finally:
        os.close(to)
        os.close(back)
        process.terminate()
        process.wait()
