"""Hypothesis profiles (HYPOTHESIS_PROFILE is dev by default, ci or deep) and shared fixtures."""

import gc
import os
import signal
from collections.abc import Callable, Generator, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from strategies.support.stacks import gc_paused
from tests.browser import Browser, browsing, found
from tests.quick import be_quick

# No profile depends on the clock: the machine may be slow or shared.
common = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=50, **common)
settings.register_profile("ci", max_examples=25, derandomize=True, print_blob=True, **common)
settings.register_profile("deep", max_examples=2_000, **common)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

be_quick()

# Processes that a shell starts in the background, and their children, ignore Ctrl-C by default.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Exempt modules and tests from garbage collection, because they live until the end."""
    with gc_paused():
        done = yield
    gc.freeze()
    gc.set_threshold(50_000, 100, 100)  # tests make much and leave little: collect rarely
    return done


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Generator[None, object, object]:
    """Fail a test whose own interrupt escapes it, if several processes run tests: that would end
    the whole run.  Ctrl-C still ends it, because the process that started them gets it, too."""
    try:
        return (yield)
    except KeyboardInterrupt:
        if "PYTEST_XDIST_WORKER" not in os.environ:
            raise
        return pytest.fail("an interrupt escaped the test")


@pytest.fixture
def only_new_garbage() -> None:
    """Let `gc.collect` look at what the test makes only: what was made before takes seconds."""
    gc.freeze()


@pytest.fixture
def any_length() -> Iterator[None]:
    """Make code for tables of any length from the first game of a class on, not from the third, so
    that drawn trees share it."""
    from strategies.native.compiler import rules_in_numba  # late, because it loads Numba

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules_in_numba, "MOST_LENGTHS", 0)
        yield


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that writes a report of `tests.pages` once and returns its path."""
    folder = tmp_path_factory.mktemp("reports")

    @cache
    def made(name: str) -> Path:
        from tests.pages import REPORTS  # late, because this file is loaded before any test

        path: Path = folder / f"{name}.html"
        REPORTS[name](path)
        return path

    return made


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Yield the browser in which all tests open their pages."""
    if found() is None:
        pytest.skip("NO BROWSER: install chromium to test pages in a browser")
    with browsing(tmp_path_factory.mktemp("browser") / "profile") as running:
        yield running
