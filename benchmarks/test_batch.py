"""A batch stepped at once, and the same steps over single states beside it. Times are per row."""

import random
from typing import Any

import numpy as np
import pytest
from positions import rules

import ds_sim as ds

RULES = rules(4)
STEPS = 20
"""Random steps before what is measured, so that rows stand at different nodes."""


def a_batch(size: int) -> ds.Batch:
    batch = ds.Batch(RULES, size, seed=1)
    for number in range(STEPS):
        batch.apply(batch.random_actions(1, number))
    return batch


@pytest.mark.benchmark(group="a step of a batch: legal_mask and apply")
@pytest.mark.parametrize("size", [1, 16, 256, 4096, 65536])
def test_step(per: Any, size: int) -> None:
    batch = a_batch(size)
    actions, mask = batch.random_actions(2), batch.legal_mask()

    def step(batch: ds.Batch) -> None:
        batch.legal_mask(out=mask)
        batch.apply(actions)

    per(size, step, lambda: ((batch.clone(),), {}), unit="row")


@pytest.mark.benchmark(group="a step of a batch: legal_mask and apply")
def test_the_same_step_over_single_states(per: Any) -> None:
    batch = a_batch(4096)
    states = [batch.state(row) for row in range(4096)]
    actions = batch.random_actions(2).tolist()

    def step(states: Any) -> None:
        for state, action in zip(states, actions, strict=True):
            state.legal_actions()
            state.apply(action)

    per(4096, step, lambda: (([state.clone() for state in states],), {}), unit="row")


def play_on(states: list[ds.State]) -> None:
    """What a Python loop over single games does: look, choose at random, act."""
    rng = random.Random(1)
    for state in states:
        if not state.is_terminal:
            legal = state.legal_actions()
            state.apply(legal[int(rng.random() * len(legal))])


@pytest.mark.benchmark(group="a random step: legal actions, choose, apply")
def test_random_step(per: Any) -> None:
    batch = a_batch(4096)
    mask, actions = batch.legal_mask(), np.empty(4096, np.uint8)

    def step(batch: ds.Batch) -> None:
        batch.legal_mask(out=mask)
        batch.apply(batch.random_actions(2, out=actions))

    per(4096, step, lambda: ((batch.clone(),), {}), unit="row")


@pytest.mark.benchmark(group="a random step: legal actions, choose, apply")
def test_random_step_over_single_states(per: Any) -> None:
    batch = a_batch(4096)
    states = [batch.state(row) for row in range(4096)]
    per(4096, play_on, lambda: (([state.clone() for state in states],), {}), unit="row")


@pytest.mark.benchmark(group="whole batches: other calls at 4096 rows")
@pytest.mark.parametrize("call", ["random_actions", "legal_counts", "observation", "clone", "playout"])
def test_calls(per: Any, call: str) -> None:
    batch = a_batch(4096)
    arguments = {"random_actions": (3,)}.get(call, ())
    options = {"playout": {"seed": 1}}.get(call, {})
    per(
        4096,
        lambda batch: getattr(batch, call)(*arguments, **options),
        lambda: ((batch.clone(),), {}),
        rounds=3 if call == "playout" else 20,
        unit="row",
    )


@pytest.mark.benchmark(group="whole batches: other calls at 4096 rows")
def test_the_mask_alone(per: Any) -> None:
    batch = a_batch(4096)
    mask = np.empty((4096, 235), bool)
    per(4096, lambda batch: batch.legal_mask(out=mask), lambda: ((batch.clone(),), {}), unit="row")
