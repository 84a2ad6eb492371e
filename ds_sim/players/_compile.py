"""How players are compiled: cached, for one another only, with small arrays on the stack, no heap."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .._jit import jit

inner: Final[Any] = jit(no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""`jit` of what only compiled code calls: half the compilation."""

ROOM: Final = 64
"""Numbers in an array: enough for one per space, and for the weights with one per hex."""
ANIMALS: Final = 6


def _alloca(numbers: int) -> Any:
    def array(typing: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return cgutils.alloca_once(
                builder, ir.DoubleType(), size=numbers
            )  # in the entry block: once a call

        return types.CPointer(types.float64)(), code

    return intrinsic(array)


def _row(typing: Any, table: Any, i: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.gep(args[0], [builder.mul(args[1], args[1].type(ROOM))])

    return types.CPointer(types.float64)(types.CPointer(types.float64), types.int64), code


# A pointer is one argument and no array of Numba's seven; with bounds checked they are arrays after all.
_checked: Final[Any] = getattr(numba.config, "BOUNDSCHECK")  # noqa: B009 - set at run time
floats: Final[Any] = inner(lambda: np.empty(ROOM)) if _checked else _alloca(ROOM)
"""An array of ROOM float64 that lives as long as the function that asks for it."""
tables: Final[Any] = inner(lambda: np.empty((ANIMALS, ROOM))) if _checked else _alloca(ANIMALS * ROOM)
"""The same for each animal, `row(table, animal)`."""
row: Final[Any] = inner(lambda table, i: table[i]) if _checked else intrinsic(_row)
