"""Positions whose best move an exhaustive solver proves: the search finds it, for every animal and seat
(E-17)."""

from __future__ import annotations

from collections.abc import Callable

import endings
import numpy as np
import pytest

import ds_sim as ds
from ds_sim.search import Search, mcts

BUDGETS = (200, 500, 1000, 2000)
EVERY_KIND = [(chance, selection) for chance in ("open", "explicit") for selection in ("puct", "uct")]
POSITIONS = (
    endings.choose_the_tile,
    endings.stop_the_rival,
    endings.settle_next_door,
    endings.raise_the_partner,
)


@pytest.mark.parametrize(("chance", "selection"), EVERY_KIND)
@pytest.mark.parametrize("actor", endings.ANIMALS)
@pytest.mark.parametrize("make", POSITIONS)
def test_the_best_move_is_found_at_every_budget(
    make: Callable[[str], ds.State], actor: str, chance: str, selection: str
) -> None:
    """E-17: values go up to whoever decides, also where its rival answers and where a partner's VPs count."""
    state = make(actor)
    assert state.actor == actor
    [best] = endings.best_actions(state)
    for simulations in BUDGETS:
        result = mcts(state, simulations, chance=chance, selection=selection, seed=simulations)
        assert ds.actions.text(result.best) == best, simulations


@pytest.mark.parametrize("chance", ["open", "explicit"])
@pytest.mark.parametrize("actor", endings.ANIMALS)
@pytest.mark.parametrize("make", [endings.stop_the_rival, endings.settle_next_door])
def test_a_decision_of_many_nodes_is_seen_through(
    make: Callable[[str], ds.State], actor: str, chance: str
) -> None:
    """E-17: consecutive nodes of one animal; played one by one they keep what the first promised."""
    state, nodes = make(actor), 0
    search = Search(state, chance=chance, seed=3)
    while state.actor == actor:
        best = search.run(200).best
        assert ds.actions.text(best) in endings.best_actions(state)
        state.apply(best)
        search.advance(best, state) if not state.is_terminal else None
        nodes += 1
    assert nodes >= 2
    assert endings.solve(state)[endings.ANIMALS.index(actor)] == 1.0


@pytest.mark.parametrize("utility", ["win", "rank", "vp"])
def test_each_utility_has_its_own_best_move(utility: str) -> None:
    """What raises the partner's tile wins for the seat; for VPs alone the actor's own tile is better."""
    state = endings.raise_the_partner("bird")
    best = endings.best_actions(state, utility)
    assert (best == ["hex:E4"]) == (utility != "vp")
    for selection in ("puct", "uct"):
        assert ds.actions.text(mcts(state, 500, utility=utility, selection=selection, seed=1).best) in best


@pytest.mark.parametrize("selection", ["puct", "uct"])
@pytest.mark.parametrize("chance", ["open", "explicit"])
@pytest.mark.parametrize("utility", ["win", "rank", "vp"])
def test_values_before_chance_are_the_exact_expectation(chance: str, selection: str, utility: str) -> None:
    """After E4 Symbiotic draws an element, then the insect replies; the solver weighs the outcomes
    exactly."""
    state = endings.draw_to_survive()
    result = mcts(state, 20_000, chance=chance, selection=selection, utility=utility, seed=1)
    scale = 10.0 if utility == "vp" else 1.0
    for action, visits, value in zip(result.actions, result.visits, result.values, strict=True):
        if visits >= 5_000:
            exact = endings.solve(endings.after(state, int(action)), utility)
            np.testing.assert_allclose(value, exact, atol=0.02 * scale)
    assert result.visits.max() >= 5_000


def test_outcomes_of_chance_are_visited_as_often_as_they_come() -> None:
    """With nothing but chance left the mean over simulations is within its own error of the exact one."""
    state = endings.after(endings.draw_to_survive(reply=False), ds.actions.parse("hex:E4"))
    chance = endings.after(state, ds.actions.parse("card:symbiotic"))
    assert chance.is_chance and len(chance.chance_outcomes()) > 2
    result = mcts(state, 20_000, chance="explicit", seed=4)
    row = list(result.actions).index(ds.actions.parse("card:symbiotic"))
    me = endings.ANIMALS.index("bird")
    exact = endings.solve(chance)[me]
    assert 0 < exact < 1
    assert abs(result.values[row, me] - exact) < 4 * result.standard_errors[row]


def test_the_principal_variation_is_right_play() -> None:
    """Every decision of the line is a best one, and the words follow it."""
    state = endings.settle_next_door("insect")
    result = mcts(state, 2000, seed=1)
    for text in result.principal_variation:
        assert text in endings.best_actions(state)
        state.apply(text)
    assert state.is_terminal
    assert len(result.line) == len(result.principal_variation) > 2
