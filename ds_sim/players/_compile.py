"""How players are compiled: cached, for one another only, with small arrays on the stack, no heap."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import carray as _carray  # type: ignore[attr-defined]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .._jit import jit

inner: Final[Any] = jit(no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""`jit` of what only compiled code calls: half the compilation."""

ROOM: Final = 48
"""Numbers in an array: enough for one per hex, space or weight."""
ANIMALS: Final = 6


def _floats(typing: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return cgutils.alloca_once(builder, ir.DoubleType(), size=ROOM)  # in the entry block: once a call

    return types.CPointer(types.float64)(), code


def _tables(typing: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return cgutils.alloca_once(builder, ir.DoubleType(), size=ANIMALS * ROOM)

    return types.CPointer(types.float64)(), code


# They live as long as the function that asks for them and makes an array of them: `carray(floats(), ROOM)`.
carray: Final[Any] = _carray
floats: Final[Any] = intrinsic(_floats)
tables: Final[Any] = intrinsic(_tables)
"""An array for each animal: `carray(tables(), (ANIMALS, ROOM))`."""
