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

from numba.core.caching import CompileResultCacheImpl
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
    """Keys and their files in one folder."""

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


class RuleCache:
    """The files of one kernel, whose keys depend on the rules; code that is unsafe to load is not
    kept, nor is any if no folder is writable."""

    files: Files | None = None

    def __init__(self, function: Any, constants: dict[str, Any]) -> None:
        if "NUMBA_CACHE_DIR" in os.environ:  # before Numba does, as the umask says
            with contextlib.suppress(OSError):
                make_folder(next(numba_folders(function.__code__.co_filename)))
        self._made_from = (own_sources(), fingerprint(function), sorted(constants.items()))
        with contextlib.suppress(RuntimeError, OSError):
            self._impl = CompileResultCacheImpl(function)
            folder = own_folder(Path(self._impl.locator.get_cache_path()))
            self.files = Files(folder, self._impl.filename_base)

    def _key(self, wanted: Wanted, codegen: Any) -> Any:
        made_from = wanted.digest, *self._made_from
        return str(wanted.signature), codegen.magic_tuple(), made_from, wanted.classes

    def path(self, wanted: Wanted, context: Any) -> Path | None:
        """Return the file of a kernel, whether it exists or not."""
        if self.files is None:
            return None
        return self.files.path(self._key(wanted, context.codegen()))

    def load_overload(self, wanted: Wanted, context: Any) -> Any:
        """Load code without preparing Numba to compile, which takes half a second; loaded code
        needs only the runtime that it calls."""
        rtsys.initialize(context)
        found = self.files and self.files.load(self._key(wanted, context.codegen()))
        return found and self._impl.rebuild(context, found)

    def save_overload(self, wanted: Wanted, made: Any) -> None:
        """Keep code."""
        code = made.library.get_llvm_str()
        safe = UNRESOLVED not in code and SECRETS not in code
        if self.files is not None and safe and self._impl.check_cachable(made):
            self.files.save(self._key(wanted, made.codegen), self._impl.reduce(made))

    def load_template(self, signature: Any, context: Any) -> Any:
        """Return what `save_template` kept, or None."""
        key = self._key(Wanted(signature, "", TEMPLATE), context.codegen())
        with contextlib.suppress(Exception):  # the kernel's module had another name
            return self.files and pickle.loads(zlib.decompress(self.files.load(key) or b""))
        return None

    def save_template(self, signature: Any, codegen: Any, made: Any) -> None:
        """Keep a template, compressed: it is text, of up to half a megabyte."""
        secret = any(SECRETS in text for piece in made.pieces for text in piece.texts)
        if self.files is not None and not secret:
            key = self._key(Wanted(signature, "", TEMPLATE), codegen)
            self.files.save(key, zlib.compress(dumps(made)))
