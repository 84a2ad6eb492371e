"""Fixed positions for the benchmarks, from uniform games with fixed seeds."""

from __future__ import annotations

from functools import cache
from typing import Any

import ds_sim as ds
from ds_sim.board import ANIMALS
from ds_sim.nodes import CHANCE_NODES
from ds_sim.policies import UNIFORM

KINDS = ("pass", "place", "element", "corner", "hex", "animal", "count", "stack", "card", "lose")
"""The kinds of actions that animals take, by the first word of their text."""
DECLARED = ds.Rules(dominance_claims="declared")


def rules(animals: int) -> ds.Rules:
    return ds.Rules(animals=ANIMALS[:animals])


def kind(action: int) -> str:
    return ds.actions.text(action).partition(":")[0].partition("_")[0]


@cache
def samples(each: int = 64) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """States by node, and (state, action) by kind of action, at most `each`, from 60 games."""
    nodes: dict[str, list[Any]] = {}
    kinds: dict[str, list[Any]] = {name: [] for name in KINDS}
    for index in range(60):
        policy = UNIFORM
        state = ds.State(DECLARED if index % 3 == 0 else ds.Rules(), seed=1, index=index)
        number = 0
        while not state.is_terminal:
            action = policy.choose(state, seed=index << 32 | number)
            for found, item in (
                (nodes.setdefault(state.node, []), state),
                (kinds[kind(action)], (state, action)),
            ):
                if len(found) < each:
                    found.append((state.clone(), action) if item is not state else state.clone())
            state.apply(action)
            number += 1
    assert not set(nodes) & set(CHANCE_NODES)
    return nodes, kinds


@cache
def midgame(animals: int) -> Any:
    """A position at the beginning of turn 4."""
    state, number = ds.State(rules(animals), seed=3), 0
    while state.turn < 4:
        state.apply(UNIFORM.choose(state, seed=number))
        number += 1
    return state
