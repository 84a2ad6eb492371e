"""Single steps: what is legal by node, what actions do by kind, copies. Times are per step."""

from typing import Any

import pytest
from positions import KINDS, rules, samples

import ds_sim as ds
from ds_sim._core.bench import copy_loop, floor_loop, memcpy_loop
from ds_sim.nodes import CHANCE_NODES, NODES

COPIES = 8
LOOPS = 200_000
DECISIONS = [node for node in NODES if node not in ("end", *CHANCE_NODES)]


@pytest.mark.benchmark(group="legal mask by node: State.legal_mask")
@pytest.mark.parametrize("node", DECISIONS)
def test_legal_mask(per: Any, node: str) -> None:
    states = samples()[0].get(node)
    if not states:
        pytest.skip("not met in these games")

    def masks(states: Any) -> None:
        for state in states:
            state.legal_mask()

    # Copies are fresh: nothing is kept from an earlier call.
    per(len(states) * COPIES, masks, lambda: (([s.clone() for s in states] * COPIES,), {}), unit="mask")


@pytest.mark.benchmark(group="apply by kind of action: State.apply, to the next node with a choice")
@pytest.mark.parametrize("kind", KINDS)
def test_apply(per: Any, kind: str) -> None:
    pairs = samples()[1][kind]

    def steps(pairs: Any) -> None:
        for state, action in pairs:
            state.apply(action)

    fresh = lambda: (([(s.clone(), a) for s, a in pairs for _ in range(COPIES)],), {})  # noqa: E731
    per(len(pairs) * COPIES, steps, fresh, unit="step")


@pytest.mark.benchmark(group="copies")
def test_clone(per: Any) -> None:
    state = ds.State(rules(4), seed=1)

    def clones(state: Any) -> None:
        for _ in range(1000):
            state.clone()

    per(1000, clones, lambda: ((state.clone(),), {}), unit="copy")


@pytest.mark.benchmark(group="copies")
@pytest.mark.parametrize("loop", [copy_loop, memcpy_loop])
def test_native_copy(per: Any, loop: Any) -> None:
    state = ds.State(rules(4), seed=1)
    per(LOOPS, loop, lambda: ((state.clone(), LOOPS), {}), unit="copy")


@pytest.mark.benchmark(group="the bare floor: a bounded draw, a bit select, a dependent load")
def test_floor(per: Any) -> None:
    per(LOOPS, floor_loop, lambda: ((LOOPS,), {}), unit="loop")
