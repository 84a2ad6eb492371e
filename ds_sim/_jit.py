"""`jit`: Numba compilation without the GIL, with a cache on disk that is never in the way.

What Numba's own cache leaves open, and this one does not:

- Where nothing can be stored (read-only packages, no home, a full disk) all works, with one warning.
- A file that is cut or altered counts as missing. Numba's own cache raises on it.
- Each compiled signature is one file, replaced whole. Numba numbers files through an index, and processes
  that start together can give two signatures one number.
- Code is inlined across modules, so a policy compiled with another ds-sim is compiled again, and so is code
  compiled with other options.
"""

from __future__ import annotations

import functools
import glob
import hashlib
import os
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar, overload

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, NullCache

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE: Final = Path(__file__).parent
_INLINED: Final = (
    *("data/board.json", "board.py", "_core/layout.py", "_jit.py"),
    *("scoring/*.py", "policies.py", "players/*.py"),
)
_DIGEST: Final = hashlib.sha256().digest_size


@overload
def jit(function: F, /) -> F: ...
@overload
def jit(**options: Any) -> Callable[[F], F]: ...
def jit(function: Any = None, /, **options: Any) -> Any:
    """`numba.njit(nogil=True, ...)` of a function, cached where that is possible."""
    if function is None:
        return functools.partial(jit, **options)
    compiled = numba.njit(nogil=True, **options)(function)
    compiled._cache = cache_for(function, **options)
    return compiled


def cache_for(function: Callable[..., Any], **options: Any) -> Any:
    """A cache for what Numba compiles from a function, for the `_cache` of a dispatcher or a cfunc.

    Code compiled under other `options` does not count. Where no file can be stored it stores nothing, and the
    first such call of a process warns.
    """
    try:
        return _Cache(function, options)
    except (RuntimeError, OSError):  # no place that can be written, no source file
        _warn_uncached()
        return NullCache()


@functools.cache
def _warn_uncached() -> None:
    warnings.warn(
        "ds_sim: compiled code cannot be stored, so every process compiles again; put the function in a file "
        "or, if it is in one, set NUMBA_CACHE_DIR to a directory that can be written",
        RuntimeWarning,
        stacklevel=3,
    )


@functools.cache
def _fingerprint() -> bytes:
    """A hash of all that compiled code may contain of this package."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in _INLINED for path in _PACKAGE.glob(pattern)):
        digest.update(path.read_bytes())
    return digest.digest()


class _Places(CompileResultCacheImpl):
    """Numba's places for files, but none below an unknown home: Numba would make a directory named "~"."""

    def __init__(self, function: Callable[..., Any]) -> None:
        if not os.path.isabs(os.path.expanduser("~")):
            places = self._locator_classes
            self._locator_classes = [p for p in places if not p.__name__.endswith("UserWideCacheLocator")]
        super().__init__(function)  # type: ignore[no-untyped-call]


class _Cache(FunctionCache):
    _impl_class = _Places

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        source = self._impl.locator.get_source_stamp()
        checked: Any = getattr(numba.config, "BOUNDSCHECK")  # noqa: B009 - set at run time
        stamp = (source, sorted(options.items()), checked, _fingerprint())
        files: Any = _Files
        self._cache_file = files(self._cache_path, self._impl.filename_base, stamp)

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError:
            _warn_uncached()


class _Files(IndexDataCacheFile):
    """One file for each signature and processor: the code, after a digest of it and of its origin."""

    def load(self, key: Any) -> Any:
        try:
            data = self._path(key).read_bytes()
        except OSError:
            return None
        code = data[_DIGEST:]
        return pickle.loads(code) if data[:_DIGEST] == self._digest(key, code) else None

    def save(self, key: Any, data: Any) -> None:
        code = self._dump(data)  # type: ignore[no-untyped-call]
        with self._open_for_write(str(self._path(key))) as file:
            file.write(self._digest(key, code) + code)

    def flush(self) -> None:
        for path in Path(self._cache_path).glob(f"{glob.escape(self._name)}.*.nbc"):
            path.unlink(missing_ok=True)

    def _path(self, key: Any) -> Path:
        signature, target, _ = key
        which = hashlib.sha256(repr((signature, target)).encode()).hexdigest()[:16]
        return Path(self._cache_path) / f"{self._name}.{which}.nbc"

    @property
    def _name(self) -> str:
        return self._index_name.removesuffix(".nbi")

    def _digest(self, key: Any, code: bytes) -> bytes:
        return hashlib.sha256(repr((self._version, self._source_stamp, key)).encode() + code).digest()
