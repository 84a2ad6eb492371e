"""Who plays: playout policies, the built-in ones and the user's own.

`policy` compiles a Python function with Numba to a callback that the native loop calls without the GIL:

>>> @policy
... def last_action(view, legal, n):
...     return n - 1

It is shown `view`, a record of the state (`ds_sim._core.layout.VIEW`; a copy, so nothing it does there has an
effect) with the rule set in `view.rules` and a private random 64-bit number in `view.random`; `legal`, the n
legal actions ascending; and returns an index into them. `PythonPolicy` takes any callable on a `State`, for
prototypes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from inspect import isfunction, signature
from operator import attrgetter
from typing import Any, Final, NoReturn, TypeAlias, overload

import numpy as np

from ._core.layout import VIEW
from ._core.playout import PolicyFailure, PythonCallback, choose
from .actions import text
from .board import ANIMAL_ID, ANIMALS
from .errors import PolicyError, nearest, show
from .nodes import NODES
from .rules import Rules

Handle: TypeAlias = "int | PythonCallback | None"
"""A policy as the core takes it: the address of a C function, a Python callback, or None for uniform."""

_RAISED: Final = -(2**31)
"""What a compiled policy returns when the user's function raised."""
_MOST: Final = 2**31 - 1


class Policy:
    """Something that chooses actions. Policies have a name, and are shared freely between runs and
    threads."""

    name: str

    def handle(self, prototype: Any) -> Handle:
        """What the core takes; `prototype` is any state under the rule set to be played."""
        raise NotImplementedError

    def choose(self, state: Any, seed: int = 0) -> int:
        """The action it takes in a state at an animal's decision; its randomness comes from the seed alone.

        >>> import ds_sim as ds
        >>> UNIFORM.choose(ds.State(seed=1), seed=5) in ds.State(seed=1).legal_actions()
        True
        """
        if state.is_terminal or state.is_chance:
            raise PolicyError(f"state: at node {state.node!r}; expected an animal's decision")
        chosen: tuple[Policy | None, ...] = (self,) * len(ANIMALS)
        held = handles(chosen, state)
        try:
            action: int = choose(state, held, seed)
        except PolicyFailure as failure:
            blame(failure, chosen, held)
        return action

    def __repr__(self) -> str:
        return f"<policy {self.name}>"


class UniformPolicy(Policy):
    """Every legal action with the same probability."""

    name = "uniform"

    def handle(self, prototype: Any) -> Handle:
        return None


class CompiledPolicy(Policy):
    """A function (view, legal, n) -> index, compiled by Numba when first used.

    With `checked=True` array indices are checked (slower): an index error then surfaces instead of reading
    whatever lies there.
    """

    def __init__(
        self, function: Callable[..., int], *, name: str | None = None, checked: bool = False
    ) -> None:
        if not _takes_three(function):
            raise PolicyError(f"policy = {show(function)}: expected a Python function of (view, legal, n)")
        self.function = function
        self.name = name or str(getattr(function, "__name__", "policy"))
        self.checked = checked
        self._callback: Any = None

    def handle(self, prototype: Any) -> Handle:
        if self._callback is None:
            self._callback = _compile(self.function, self.checked, self.name)
        return int(self._callback.address)

    def explain(self, view: Any, legal: Any) -> PolicyError:
        """What went wrong, found by running the Python function again on what it was shown."""
        function = getattr(self.function, "py_func", self.function)
        try:
            answer = function(view.view(np.recarray)[0], legal, len(legal))
        except Exception as error:
            explained = PolicyError(
                f"policy {self.name!r} raised {type(error).__name__}: {error} {_where(view, legal)}"
            )
            explained.__cause__ = error
            return explained
        return PolicyError(
            f"policy {self.name!r} raised an exception {_where(view, legal)}; in Python it returns {answer!r}"
        )

    def __reduce__(self) -> Any:
        # A decorated function is found under its name only as the policy it became.
        place = self.function.__module__, self.function.__qualname__
        if _find(*place) is self:
            return _find, place
        return partial(CompiledPolicy, name=self.name, checked=self.checked), (self.function,)


def _takes_three(function: Any) -> bool:
    function = getattr(function, "py_func", function)
    try:
        signature(function).bind(None, None, None)
    except (TypeError, ValueError):
        return False
    return isfunction(function)


def _find(module: str, name: str) -> Any:
    """What a module holds under a dotted name, or None."""
    try:
        return attrgetter(name)(import_module(module))
    except (ImportError, AttributeError):
        return None


class PythonPolicy(Policy):
    """Any callable that takes a `State` and returns one of its legal actions, by id or text. Slow, for
    prototypes.

    The state it is shown is a copy; its `seed` is a private random number.
    """

    def __init__(self, function: Callable[[Any], int | str], *, name: str | None = None) -> None:
        if not callable(function):
            raise PolicyError(f"policy = {show(function)}: expected a callable on a state")
        self.function = function
        self.name = name or str(getattr(function, "__name__", type(function).__name__))

    def handle(self, prototype: Any) -> Handle:
        return PythonCallback(self.function, prototype)


UNIFORM: Final = UniformPolicy()

_BUILT_IN: Final = ("uniform", "greedy", "expert")


@overload
def policy(function: Callable[..., int], /) -> CompiledPolicy: ...
@overload
def policy(
    *, name: str | None = None, checked: bool = False
) -> Callable[[Callable[..., int]], CompiledPolicy]: ...
def policy(
    function: Callable[..., int] | None = None, /, *, name: str | None = None, checked: bool = False
) -> CompiledPolicy | Callable[[Callable[..., int]], CompiledPolicy]:
    """Makes a policy of a function (view, legal, n) -> index into `legal`; compiled by Numba when first used.

    >>> @policy(name="first", checked=True)
    ... def first_action(view, legal, n):
    ...     return 0
    >>> first_action
    <policy first>
    """

    def make(function: Callable[..., int]) -> CompiledPolicy:
        return CompiledPolicy(function, name=name, checked=checked)

    return make if function is None else make(function)


PolicyLike: TypeAlias = "str | Policy | Callable[[Any], int | str]"
"""A built-in name, "module:attribute" of a policy to import, a policy, or a callable on a state."""


def named(value: object, field: str = "policies") -> Policy:
    """The policy that a name, a policy or a callable on a state stands for."""
    if isinstance(value, Policy):
        return value
    if isinstance(value, str):
        if value == "uniform":
            return UNIFORM
        if value in _BUILT_IN:
            from . import players

            built_in: Policy = getattr(players, value.upper())
            return built_in
        if ":" in value:
            return named(_imported(value, field), field)
        raise PolicyError(
            f"{field} = {show(value)}: expected one of {', '.join(_BUILT_IN)}, or module:attribute"
            f"{nearest(value, _BUILT_IN)}"
        )
    if callable(value):
        return PythonPolicy(value)
    raise PolicyError(f"{field} = {show(value)}: expected a name, a policy or a callable on a state")


def _imported(name: str, field: str) -> object:
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise PolicyError(f"{field} = {show(name)}: {error}") from error
    except (Exception, SystemExit) as error:  # whatever the module does
        raise PolicyError(f"{field} = {show(name)}: {type(error).__name__}: {error}") from error
    if isinstance(found, (str, type)) or not (isinstance(found, Policy) or callable(found)):
        raise PolicyError(
            f"{field} = {show(name)}: is {show(found)}, expected a policy or a callable on a state"
        )
    return found


def by_animal(policies: PolicyLike | Mapping[str, PolicyLike], rules: Rules) -> tuple[Policy | None, ...]:
    """The policy of each of the six animals, None for those not in play: one policy for all, or a map by
    animal."""
    if not isinstance(policies, Mapping):
        one = named(policies)
        return tuple(one if animal in rules.animals else None for animal in ANIMALS)
    playing = ", ".join(rules.animals)
    for animal in policies:
        if animal not in rules.animals:
            raise PolicyError(f"policies key = {show(animal)}: expected the animals in play, {playing}")
    for animal in rules.animals:
        if animal not in policies:
            raise PolicyError(
                f"policies = {show(dict(policies))}: {animal} has none; expected one for each of {playing}"
            )
    chosen: list[Policy | None] = [None] * len(ANIMALS)
    for animal, value in policies.items():
        chosen[ANIMAL_ID[animal]] = named(value, f"policies[{animal!r}]")
    return tuple(chosen)


def handles(chosen: tuple[Policy | None, ...], prototype: Any) -> list[Handle]:
    """What the core takes, one for each of the six animals; keep the list while it plays."""
    return [None if one is None else one.handle(prototype) for one in chosen]


def blame(failure: PolicyFailure, chosen: tuple[Policy | None, ...], held: list[Handle]) -> NoReturn:
    """Raises the exception for a failed policy, from what the policy itself raised."""
    error = _blamed(failure, chosen, held)
    raise error from error.__cause__


def _blamed(failure: PolicyFailure, chosen: tuple[Policy | None, ...], held: list[Handle]) -> BaseException:
    culprit, handle = chosen[failure.animal], held[failure.animal]
    assert culprit is not None  # it was asked
    if isinstance(handle, PythonCallback):
        error: BaseException = handle.error
        if not isinstance(error, Exception):
            return error  # KeyboardInterrupt and the like
        blamed = PolicyError(
            f"policy {culprit.name!r} of {ANIMALS[failure.animal]}: {type(error).__name__}: {error}"
        )
        blamed.__cause__ = error
        return blamed
    assert isinstance(culprit, CompiledPolicy)
    if failure.answer == _RAISED:
        return culprit.explain(failure.view, failure.legal)
    return PolicyError(
        f"policy {culprit.name!r} returned {failure.answer} {_where(failure.view, failure.legal)}; "
        f"expected an index from 0 to {len(failure.legal) - 1}"
    )


def _where(view: Any, legal: Any) -> str:
    actor, node = ANIMALS[view["actor"][0]], NODES[view["node"][0]]
    return f"at node {node!r} of {actor} with {len(legal)} legal actions ({text(int(legal[0]))}, ...)"


class _NoIndex(Exception):
    """The type that a compiled policy returns, which is no integer."""


@cache
def _as_index() -> Any:
    """A function for compiled code: an integer in 32 bits, where what is far off stays so. Raises
    `_NoIndex`."""
    from numba import types
    from numba.extending import overload

    def as_index(answer):  # type: ignore[no-untyped-def]
        return int(answer)

    @overload(as_index)
    def compiled(answer):  # type: ignore[no-untyped-def]
        answered = types.unliteral(answer)  # type: ignore[no-untyped-call]
        if not isinstance(answered, (types.Integer, types.Boolean)):
            raise _NoIndex(answered)
        return lambda answer: max(-_MOST, min(_MOST, np.int64(answer)))

    return as_index


def _compile(function: Any, checked: bool, name: str) -> Any:
    """A C callback of the user's function. Exceptions inside become a status: Numba would print and swallow
    them."""
    import numba
    from numba import carray, types  # type: ignore[attr-defined]
    from numba.core.ccallback import CFunc

    from ._frozen import frozen
    from ._jit import cache_for

    python = getattr(function, "py_func", function)
    inner = (
        function
        if python is not function and not checked
        else numba.njit(boundscheck=checked, nogil=True)(python)
    )
    as_index = _as_index()
    pointer: Any = types.CPointer
    arguments = (pointer(numba.from_dtype(VIEW)), pointer(types.uint8), types.int32)

    def callback(view_pointer, legal_pointer, n):  # type: ignore[no-untyped-def]
        view = carray(view_pointer, (1,))[0]
        legal = carray(legal_pointer, (n,))
        try:
            answer = as_index(inner(view, legal, n))
        except Exception:
            answer = _RAISED
        return answer

    try:
        compiled: Any = CFunc(callback, (arguments, types.int32), locals={}, options={"nopython": True})
        compiled._cache = cache_for(python, boundscheck=checked, frozen=frozen(python))
        compiled.compile()
    except _NoIndex as error:
        raise PolicyError(f"policy {name!r} returns {error}; expected an integer on every path") from None
    except Exception as error:  # Numba's own, and KeyError for an unknown field
        raise PolicyError(f"policy {name!r} does not compile: {type(error).__name__}: {error}") from error
    return compiled
