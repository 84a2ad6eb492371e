"""Last decisions of a game, and an exhaustive solver to say what is right there."""

from __future__ import annotations

from typing import Any

import numpy as np
import positions

import ds_sim as ds

ANIMALS = positions.ANIMALS
QUIET = {"reptile": False, "arachnid": False, "insect": False, "mammal": False}  # no free actions, no save
NEXT = dict(zip(ANIMALS, (*ANIMALS[1:], ANIMALS[0]), strict=True))


def ending(animals: str, spaces: dict[str, str], **parts: Any) -> ds.State:
    """The first decision of the last Execution: the game ends with this turn's Reset."""
    parts = {"abilities": QUIET, "max_turns": 2, "deck": (), **parts}
    return positions.execute(animals, spaces, **parts)


def choose_the_tile(actor: str, **parts: Any) -> ds.State:
    """`actor` scores one tile: on D2 it takes 8, on E3 7, on E4 4 VPs; its rival is 8 or 7 ahead, as ties
    go."""
    rival = NEXT[actor]
    lead = 8 - (ANIMALS.index(actor) > ANIMALS.index(rival))
    species = {"D2": {actor: 2}, "E3": {actor: 2}, "E4": {actor: 2}}
    return ending(" ".join(ANIMALS), {"domination_1": actor}, species=species, vp={rival: lead}, **parts)


def stop_the_rival(actor: str, **parts: Any) -> ds.State:
    """`actor` eliminates a species on E3 and on D4, then its rival scores one tile.

    On E3 (7 4 2) the rival is first by one species. Only with one less is it no better there than `actor`,
    who leads.
    """
    rival = NEXT[actor]
    third = NEXT[rival]
    mine = 2 if ANIMALS.index(actor) < ANIMALS.index(rival) else 3
    rivals = mine + 1 if ANIMALS.index(actor) < ANIMALS.index(rival) else mine
    species = {
        "E3": {actor: mine, rival: rivals, third: 1},
        "D4": {actor: 1, third: 2, rival: 1},
        "D2": {third: 2},
    }
    spaces = {"competition_savannah_mountain": actor, "domination_1": rival}
    return ending(" ".join(ANIMALS), spaces, species=species, vp={actor: 1}, **parts)


def settle_next_door(actor: str, **parts: Any) -> ds.State:
    """`actor` may move two of its three species. Both must go from C3 (6 3 2) to D2 (8 4 2 1), to be first
    there too."""
    rival = NEXT[actor]
    theirs = 2 if ANIMALS.index(actor) < ANIMALS.index(rival) else 1
    mine, other = (positions.FIXED[animal][0] for animal in (actor, rival))
    corners = {"D2.ne": other, "C3.sw": mine, "D2.nw": mine}
    species = {"C3": {actor: 3}, "D2": {rival: theirs}}
    return ending(
        " ".join(ANIMALS), {"migration_2": actor}, species=species, corners=corners, vp={rival: 9}, **parts
    )


def raise_the_partner(actor: str, **parts: Any) -> ds.State:
    """Seats of two animals: `actor` scores the tile that its partner needs, not the one that brings itself
    most."""
    partner = ANIMALS[(ANIMALS.index(actor) + 3) % 6]
    species = {"D2": {actor: 2}, "E3": {actor: 1}, "E4": {partner: 2}}
    seats = [[a, b] for a, b in zip(ANIMALS[:3], ANIMALS[3:], strict=True)]
    vp = {animal: 2 for animal in ANIMALS if animal not in (actor, partner)} | {actor: 4}
    return ending(" ".join(ANIMALS), {"domination_1": actor}, species=species, vp=vp, seats=seats, **parts)


def draw_to_survive(*, reply: bool = True, **parts: Any) -> ds.State:
    """The bird may take Symbiotic on E4, draw an element and save with it the species that make it win at the
    end.

    `reply`: the insect then scores a tile.
    """
    species = {"E4": {"bird": 1}, "D2": {"bird": 1, "insect": 1}, "E3": {"insect": 2}}
    corners = {"E4.e": "seed", "D2.nw": "sun", "E3.e": "water", "E3.ne": "grub"}
    spaces = {"domination_2": "insect", "domination_1": "bird"} if reply else {"domination_1": "bird"}
    return ending(
        "bird insect",
        spaces,
        species=species,
        corners=corners,
        deck=("symbiotic",),
        vp={"insect": 9 if reply else 16, "bird": 4},
        **parts,
    )


def solve(state: ds.State, utility: str = "win", first: bool = True) -> np.ndarray:
    """What a position is worth to the six animals if everybody plays for itself and chance is exact: (6,).

    `first`: among equals the first action is played, else the last. Chance nodes must be explicit.
    """
    return _solve(state, utility, first, {})


def _solve(state: ds.State, utility: str, first: bool, known: dict[ds.State, np.ndarray]) -> np.ndarray:
    if state.is_terminal:
        return state.returns(utility)
    if state not in known:
        if state.is_chance:
            known[state] = sum(
                p * _solve(after(state, a), utility, first, known) for a, p in state.chance_outcomes()
            )
        else:
            me = ANIMALS.index(state.actor)
            values = [_solve(after(state, int(a)), utility, first, known) for a in state.legal_actions()]
            if not first:
                values.reverse()
            known[state] = max(values, key=lambda value: value[me])
    return known[state]


def after(state: ds.State, action: int) -> ds.State:
    """The position an action leads to."""
    other = state.clone()
    other.apply(action)
    return other


def best_actions(state: ds.State, utility: str = "win") -> list[str]:
    """The actions that are best, whatever the others do where they do not care."""
    me = ANIMALS.index(state.actor)
    best = set()
    for first in (True, False):
        values = {int(a): solve(after(state, int(a)), utility, first)[me] for a in state.legal_actions()}
        best |= {a for a, value in values.items() if value >= max(values.values()) - 1e-12}
    return [ds.actions.text(a) for a in sorted(best)]
