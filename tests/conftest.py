"""How hard properties are tried: HYPOTHESIS_PROFILE is dev (unless said), ci or deep."""

import gc
import os
import signal
from collections.abc import Callable, Generator, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from strategies.support.gc_pause import gc_paused
from tests.browser import Browser, browsing, found

# No profile depends on the clock: the machine may be slow or shared.
common = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", **common)
settings.register_profile("ci", derandomize=True, print_blob=True, **common)
settings.register_profile("deep", max_examples=2_000, **common)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

# A shell that starts the tests in the background has them ignore Ctrl-C, and all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is loaded and collected lives to the end: the garbage collector need not look at it."""
    with gc_paused():
        done = yield
    gc.freeze()
    return done


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The page of a report by its name in `tests.pages`, made once."""
    folder = tmp_path_factory.mktemp("reports")

    @cache
    def made(name: str) -> Path:
        from tests.pages import REPORTS  # only now, as this is loaded before any test

        path: Path = folder / f"{name}.html"
        REPORTS[name](path)
        return path

    return made


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The one browser in which tests open their pages."""
    if found() is None:
        pytest.skip("NO BROWSER: pages are not opened in one; install chromium")
    with browsing(tmp_path_factory.mktemp("browser") / "profile") as running:
        yield running
