"""A process that judges programs, so that a crash, a hang or endless memory ends only it."""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import IO, Final

from tests.programs.broken import BROKEN
from tests.programs.engines import ENGINES
from tests.programs.judging import Verdict, judged
from tests.programs.program import Program

SECONDS: Final = 10.0
"""How long a program may take."""
MEMORY: Final = 4 << 30
"""How many bytes of addresses the process may use."""
EACH: Final = 400
"""How many programs a process judges before another takes its place."""


class Worker:
    """A process, started when it is needed, that judges programs by an engine, which may be set."""

    def __init__(self, engine: str, seconds: float = SECONDS) -> None:
        self.engine = engine
        self.seconds = seconds * 8 if engine == "today" else seconds
        self.process: subprocess.Popen[bytes] | None = None
        self.judged = 0

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    stream.close()
            self.process.wait()
            self.process = None

    def started(self) -> subprocess.Popen[bytes]:
        """Return the process, ready to read a program."""
        if self.judged >= EACH:
            self.stop()
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.programs.worker"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, start_new_session=True,
                cwd=Path(__file__).parents[2],
            )  # fmt: skip
            self.judged = 0
            assert self.process.stdout is not None
            read_line(self.process.stdout, 120.0)
        return self.process

    def judge(self, program: Program) -> list[Verdict]:
        """Return the verdicts of a program's calls; a crash and a hang are verdicts, too."""
        process = self.started()
        assert process.stdin is not None
        assert process.stdout is not None
        self.judged += 1
        try:
            line = json.dumps({"engine": self.engine, **asdict(program)})
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            answer = read_line(process.stdout, self.seconds)
        except TimeoutError:
            self.stop()
            return [Verdict("hangs", "", f"more than {self.seconds:g} s")] * len(program.calls)
        except BrokenPipeError:
            answer = b""
        if not answer:
            process.wait()
            status = process.returncode
            self.stop()
            return [Verdict("crashes", "", f"status {status}")] * len(program.calls)
        return [Verdict(**one) for one in json.loads(answer)]


def read_line(stream: IO[bytes], seconds: float) -> bytes:
    """Return a line that another process writes, or nothing if it ends.

    Raises: TimeoutError.
    """
    end = time.monotonic() + seconds
    found = b""
    while not found.endswith(b"\n"):
        ready, _, _ = select.select([stream], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            raise TimeoutError
        part = os.read(stream.fileno(), 1 << 16)
        if not part:
            return b""
        found += part
    return found


def main() -> None:
    """Judge the programs that come, a line each."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a program prints is not an answer
    answers.write(b"ready\n")
    engines = {**ENGINES, **BROKEN}
    gc.freeze()
    gc.set_threshold(50_000, 100, 100)  # else collecting takes a fifth of the time
    for line in sys.stdin:
        fields = json.loads(line)
        program = Program(fields["source"], tuple(fields["calls"]), fields["entry"])
        verdicts = [asdict(one) for one in judged(program, engines[fields["engine"]])]
        answers.write(json.dumps(verdicts).encode() + b"\n")


if __name__ == "__main__":
    main()
