"""What Numba freezes into compiled code besides the code itself.

Globals, defaults and closures count as constants when a function is compiled. Numba's cache looks at the
source file and the bytecode alone, so a policy that reads a global set from the command line would be played
with the number of an earlier process, and `lambda view, legal, n: 1` beside `lambda view, legal, n: 2` on one
line be the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np


def frozen(function: Any) -> str:
    """A digest of a function, the constants it reads and of the compiled functions it calls, with theirs.

    >>> frozen(lambda: 1) == frozen(lambda: 1), frozen(lambda: 1) == frozen(lambda: 2)
    (True, False)
    """
    digest = hashlib.sha256()
    for part in _function(getattr(function, "py_func", function), set()):
        digest.update(part.encode() + b"\n")
    return digest.hexdigest()


def _function(function: FunctionType, seen: set[int]) -> Iterator[str]:
    if id(function) in seen:
        return
    seen.add(id(function))
    codes = list(_codes(function.__code__))
    names = sorted({name for code in codes for name in code.co_names})
    for code in codes:
        yield code.co_code.hex()
        yield from _value(tuple(c for c in code.co_consts if not isinstance(c, CodeType)), (), seen)
    defaults = function.__defaults__, *sorted((function.__kwdefaults__ or {}).items())
    yield from _value(defaults, (), seen)
    for cell in function.__closure__ or ():
        yield from _value(cell.cell_contents, names, seen)
    for name in names:
        if name in function.__globals__:
            yield name
            yield from _value(function.__globals__[name], names, seen)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code, and that of functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _value(value: Any, names: Any, seen: set[int]) -> Iterator[str]:
    """A constant; of a module, what has one of the names read in the function."""
    if hasattr(value, "py_func"):
        yield from _function(value.py_func, seen)
    elif isinstance(value, ModuleType):
        if id(value) not in seen:
            seen.add(id(value))
            for name in names:
                yield from _value(getattr(value, name, None), names, seen)
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    elif isinstance(value, tuple):
        for item in value:
            yield from _value(item, names, seen)
    elif isinstance(value, frozenset):
        yield repr(sorted(map(repr, value)))
    elif isinstance(value, (int, float, complex, str, bytes, np.generic, type(None))):
        yield repr(value)
    else:
        yield getattr(value, "__qualname__", type(value).__qualname__)
