"""Compiled kernels and templates on disk: one file for each, named by all that the code was made
from.

Only their owner may read and write them, because loading code runs it.  A file holds its key.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import zlib
from pathlib import Path
from typing import Any, NamedTuple

from numba.core.caching import FunctionCache, NullCache
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from graphs.limits import KERNEL_FILES
from strategies.native import kept_code
from strategies.native.fingerprint import fingerprint
from strategies.native.kept_code import Ident, make_folder, numba_folders, own_folder, rules_of
from strategies.native.versions import own_sources

UNRESOLVED = ".numba.unresolved$"
"""Numba's mark on a call to code that does not exist yet, with which loading crashes
(numba#6061)."""
SECRETS = "_numba_hashsecret"
"""The beginning of the names of the secrets of `hash`, which do not exist on loading."""
TEMPLATE = ()
"""The classes of a template: it belongs to no game."""


class Wanted(NamedTuple):
    """A kernel of a game: the types of its arguments, the digest of the rules, and the identities
    of the classes of the game and its states."""

    signature: Any
    digest: str
    classes: tuple[Ident, ...]


class Files:
    """Keys and their files in one folder; the interface is that of Numba's IndexDataCacheFile."""

    def __init__(self, folder: str | Path, name: str) -> None:
        self.folder, self.name = Path(folder), name

    def path(self, key: Any) -> Path:
        """Return the file for `key`, whose last part identifies the classes of the code."""
        name = hashlib.sha256(repr(key[:-1]).encode()).hexdigest()[:24]
        if key[-1] == TEMPLATE:
            return self.folder / f"{self.name}.{name}.nbt"
        return self.folder / f"{self.name}.{rules_of(*key[-1])}.{name}.nbc"

    def save(self, key: Any, data: Any) -> None:
        """Write the file, or do nothing if that is not possible."""
        content = dumps((repr(key), data))
        file = self.path(key)
        kept_code.keep(file, content, f"{self.name}.*{file.suffix}", KERNEL_FILES)

    def load(self, key: Any) -> Any:
        """Return the data saved under `key`, or None."""
        try:
            found, data = pickle.loads(kept_code.kept(self.path(key)) or b"")
        except Exception:  # missing, or from another version: compile again
            return None
        return data if found == repr(key) else None

    def flush(self) -> None:
        """Remove the files of this kernel."""
        for path in self.folder.glob(f"{self.name}.*.nb[ct]"):
            with contextlib.suppress(OSError):
                path.unlink()


class RuleCache(FunctionCache):
    """Numba's cache with a key that depends on the rules; it refuses code that is unsafe to
    load."""

    def __init__(self, function: Any, constants: dict[str, Any]) -> None:
        if "NUMBA_CACHE_DIR" in os.environ:  # before Numba does, as the umask says
            with contextlib.suppress(OSError):
                make_folder(next(numba_folders(function.__code__.co_filename)))
        super().__init__(function)
        self._made_from = (own_sources(), fingerprint(function), sorted(constants.items()))
        folder = own_folder(Path(self._impl.locator.get_cache_path()))
        self.folder = folder
        self._cache_file = Files(folder, self._impl.filename_base)

    def _index_key(self, sig: Wanted, codegen: Any) -> Any:
        made_from = sig.digest, *self._made_from
        return str(sig.signature), codegen.magic_tuple(), made_from, sig.classes

    def path(self, sig: Wanted, target_context: Any) -> Path:
        """Return the file of a kernel, whether it exists or not."""
        found: Path = self._cache_file.path(self._index_key(sig, target_context.codegen()))
        return found

    def load_overload(self, sig: Wanted, target_context: Any) -> Any:
        """Load code without preparing Numba to compile, which takes half a second; loaded code
        needs only the runtime that it calls."""
        rtsys.initialize(target_context)
        return self._load_overload(sig, target_context)

    def save_overload(self, sig: Wanted, data: Any) -> None:
        code = data.library.get_llvm_str()
        if UNRESOLVED not in code and SECRETS not in code:
            with contextlib.suppress(OSError):
                super().save_overload(sig, data)

    def template_key(self, signature: Any, codegen: Any) -> Any:
        """Return the key of a template."""
        return str(signature), codegen.magic_tuple(), self._made_from, TEMPLATE

    def load_template(self, signature: Any, target_context: Any) -> Any:
        """Return what `save_template` kept, or None."""
        found = self._cache_file.load(self.template_key(signature, target_context.codegen()))
        with contextlib.suppress(Exception):  # the kernel's module had another name
            return pickle.loads(zlib.decompress(found or b""))
        return None

    def save_template(self, signature: Any, codegen: Any, data: Any) -> None:
        """Keep a template, compressed: it is text, of up to half a megabyte."""
        if not any(SECRETS in text for piece in data.pieces for text in piece.texts):
            key = self.template_key(signature, codegen)
            self._cache_file.save(key, zlib.compress(dumps(data)))


class NoCache(NullCache):
    """A cache that keeps nothing."""

    folder: Path | None = None

    def path(self, sig: Wanted, target_context: Any) -> Path | None:
        """Return None: there is no file."""
        return None

    def load_template(self, signature: Any, target_context: Any) -> Any:
        """Return None."""
        return None

    def save_template(self, signature: Any, codegen: Any, data: Any) -> None:
        """Do nothing."""


def cache_for(function: Any, constants: dict[str, Any]) -> RuleCache | NoCache:
    """Return the cache of a kernel; one that keeps nothing if no folder is writable."""
    try:
        return RuleCache(function, constants)
    except (RuntimeError, OSError):
        return NoCache()
