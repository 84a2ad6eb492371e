"""Positions for tests, written by what stands on the board; conservation gives the rest.

`position` names the cubes, elements, tiles and pawns a test cares about. What is left of the twenty elements
of a type is in the bag, what is left of the terrain tiles is unseen, and the numbers of pawns and cubes of
the rule set are those the position needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

import ds_sim as ds

Plain = dict[str, Any]

ANIMALS = ("mammal", "reptile", "bird", "amphibian", "arachnid", "insect")
ELEMENTS = ("meat", "sun", "seed", "water", "grub", "grass")
FIXED = {
    "mammal": ("meat", 2),
    "reptile": ("sun", 2),
    "bird": ("seed", 2),
    "amphibian": ("water", 3),
    "arachnid": ("grub", 2),
    "insect": ("grass", 2),
}
EARTH = {
    "D3": "sea",
    "D2": "wetland",
    "E3": "savannah",
    "E4": "desert",
    "D4": "mountain",
    "C4": "forest",
    "C3": "jungle",
}
FURTHER_TILES = Counter(sea=6, wetland=3, savannah=3, jungle=3, forest=3, desert=3, mountain=3)
CARDS = (
    "aquatic",
    "biodiversity",
    "biomass",
    "blight",
    "catastrophe",
    "cold_snap",
    "disease",
    "ecodiversity",
    "evolution",
    "fecundity",
    "fertile",
    "habitat",
    "hibernation",
    "ice_age",
    "ice_sheet",
    "immigrants",
    "instinct",
    "intelligence",
    "mass_exodus",
    "metamorphosis",
    "niche_biomes",
    "nocturnal",
    "omnivore",
    "parasitism",
    "predator",
    "symbiotic",
)
SPACES = (
    "initiative",
    "adaptation_1",
    "adaptation_2",
    "adaptation_3",
    "regression_1",
    "regression_2",
    "abundance_1",
    "abundance_2",
    "wasteland",
    "depletion",
    "glaciation_1",
    "glaciation_2",
    "glaciation_3",
    "glaciation_4",
    "speciation_meat",
    "speciation_sun",
    "speciation_seed",
    "speciation_water",
    "speciation_grub",
    "speciation_grass",
    "wanderlust_1",
    "wanderlust_2",
    "wanderlust_3",
    "migration_7",
    "migration_6",
    "migration_5",
    "migration_4",
    "migration_3",
    "migration_2",
    "competition_jungle_wetland",
    "competition_wetland_desert",
    "competition_desert_forest",
    "competition_forest_savannah",
    "competition_savannah_mountain",
    "competition_mountain_sea",
    "competition_sea_jungle",
    "domination_1",
    "domination_2",
    "domination_3",
    "domination_4",
    "domination_5",
)
BOXES = {
    "adaptation": "meat sun seed water",
    "regression": "",
    "abundance": "grub grub grass grass",
    "wasteland": "",
    "depletion": "",
    "wanderlust": "sun sun water water",
}
GREEN_BOXES = dict.fromkeys(("adaptation", "abundance", "wanderlust"), "grass " * 4) | dict.fromkeys(
    ("wasteland", "depletion"), "grub " * 4
)
NO_STACKS = (None, None, None)


def position(animals: str, to_place: str, **parts: Any) -> ds.State:
    """The state at `place`, `to_place` to act; `parts` as in `plain_position`."""
    return ds.State.from_dict(plain_position(animals, to_place, **parts), explicit_chance=True)


def execute(animals: str, spaces: Mapping[str, str], **parts: Any) -> ds.State:
    """The first decision of an Execution with a pawn on each of `spaces`, the last placed last."""
    *standing, (last, owner) = spaces.items()
    return play(position(animals, owner, spaces=dict(standing), **parts), f"place:{last}")


def crowd(space: str, **parts: Any) -> ds.State:
    """The first decision of an Execution with no space vacant: the bird on `space`, the mammal elsewhere."""
    last = "domination_4"
    standing = dict.fromkeys((s for s in SPACES if s not in (space, last)), "mammal")
    return play(
        position("mammal bird", "bird", spaces=standing, pawns={"mammal": 1, "bird": 1}, **parts),
        f"place:{space}",
    )


def plain_position(
    animals: str,
    to_place: str,
    *,
    species: Mapping[str, Mapping[str, int]] | None = None,
    corners: Mapping[str, str] | None = None,
    held: Mapping[str, str] | None = None,
    boxes: Mapping[str, str] | None = None,
    tiles: Mapping[str, str] | None = None,
    tundra: Iterable[str] = (),
    tundra_left: int | None = None,
    cones: Mapping[str, str] | None = None,
    spaces: Mapping[str, str] | None = None,
    pawns: Mapping[str, int] | None = None,
    initiative: str | None = None,
    turn: int = 2,
    vp: Mapping[str, int] | None = None,
    gene_pool: Mapping[str, int] | None = None,
    eliminated: Mapping[str, int] | None = None,
    deck: Sequence[str] | None = None,
    stacks: Sequence[str | None] = ("sea", "wetland", "jungle"),
    **rules: Any,
) -> Plain:
    """The plain form of a position; every argument says what differs from a bare one.

    `species` by hex and animal, `corners` by canonical name, `held` the elements of an animal beyond its
    fixed ones, `boxes` in words, `tiles` and `tundra` beyond the starting earth, `pawns` the available ones
    (one for `to_place`), `gene_pool` 20 for each, `deck` the cards besides Ice Age (all 26 if not given),
    `stacks` the face-up tiles; further keywords are fields of the rule set.
    """
    names = animals.split()
    tiles, species = dict(tiles or {}), dict(species or {})
    corners, spaces = dict(corners or {}), dict(spaces or {})
    pawns = {to_place: 1} if pawns is None else pawns
    pool = dict.fromkeys(names, 20) | dict(gene_pool or {})
    lost = dict.fromkeys(names, 0) | dict(eliminated or {})
    earthly = {a: sum(cubes.get(a, 0) for cubes in species.values()) for a in names}
    elements = {a: _counts(" ".join([FIXED[a][0]] * FIXED[a][1] + [(held or {}).get(a, "")])) for a in names}
    in_boxes = {box: _counts(words) for box, words in {**BOXES, **(boxes or {})}.items()}
    frozen = {"D3", *tundra}
    left = 12 - len(frozen) if tundra_left is None else tundra_left
    unseen = FURTHER_TILES - Counter(t for t in (*tiles.values(), *stacks) if t)
    cards = sorted({*(CARDS if deck is None else deck), "ice_age"}, key=CARDS.index)
    return {
        "format": 1,
        "rules": {
            "animals": names,
            "pawns": {a: pawns.get(a, 0) + list(spaces.values()).count(a) for a in names},
            "gene_pool": {a: pool[a] + lost[a] + earthly[a] - 4 for a in names},
            "tundra_tiles": left + len(frozen) - 1,
            "cards": cards,
            **rules,
        },
        "turn": turn,
        "phase": "planning",
        "truncated": False,
        "initiative": initiative.split() if initiative else names[::-1],
        "vp": dict(vp or {}),
        "pawns": _nonzero(pawns),
        "gene_pool": _nonzero(pool),
        "eliminated": _nonzero(lost),
        "elements": elements,
        "tiles": {
            h: _tile(terrain, h in frozen, species.get(h), (cones or {}).get(h))
            for h, terrain in sorted({**EARTH, **tiles}.items())
        },
        "corners": corners,
        "spaces": spaces,
        "boxes": in_boxes,
        "bag": _bag(names, corners, elements, in_boxes),
        "cards": {"face_up": _face_up(cards), "taken": []},
        "stacks": [{"face_up": top, "left": (unseen.total() + k) // 3} for k, top in enumerate(stacks)],
        "unseen_tiles": dict(unseen),
        "tundra_left": left,
        "hibernating": None,
        "node": "place",
        "actor": to_place,
    }


def empty_bag(animals: str, boxes: Mapping[str, str] = GREEN_BOXES) -> Plain:
    """Parts of a position whose bag is empty: 31 tiles, elements on all 92 corners, in `boxes` and held.

    By corner id there are meats first, then suns, seeds, waters and grubs; the rest fills `animals` in turn.
    """
    stock = Counter(dict.fromkeys(ELEMENTS, 20))
    stock.subtract(" ".join(boxes.values()).split())
    elements = stock.elements()
    corners = dict(zip(corner_names(), islice(elements, 92), strict=True))
    held = {a: " ".join(islice(elements, 6 - FIXED[a][1])) for a in animals.split()}
    tiles = dict(zip(_further_hexes(), FURTHER_TILES.elements(), strict=True))
    return {
        "tiles": tiles,
        "stacks": NO_STACKS,
        "corners": corners,
        "boxes": {**dict.fromkeys(BOXES, ""), **boxes},
        "held": held,
    }


def corner_names() -> list[str]:
    """The canonical names of the 92 corners, by id."""
    return [ds.actions.text(48 + corner).removeprefix("corner:") for corner in range(92)]


def _further_hexes() -> list[str]:
    """All hexes but the starting earth and four that leave no corner without a tile."""
    hexes = [ds.actions.text(140 + h).removeprefix("hex:") for h in range(35)]
    return [h for h in hexes if h not in EARTH and h not in ("C2", "E2", "C5", "E5")]


def _bag(names: list[str], corners: Mapping[str, str], elements: Plain, boxes: Plain) -> dict[str, int]:
    bag = Counter(dict.fromkeys(ELEMENTS, 20))
    bag.subtract(corners.values())
    for counts in (*boxes.values(), *elements.values()):
        bag.subtract(counts)
    bag.update({FIXED[a][0]: FIXED[a][1] for a in names})
    return _nonzero(bag)


def _tile(terrain: str, tundra: bool, species: Mapping[str, int] | None, cone: str | None) -> Plain:
    tile: Plain = {"terrain": terrain, "tundra": tundra, "species": dict(species or {}), "dominant": cone}
    return {key: value for key, value in tile.items() if value}


def _counts(words: str) -> dict[str, int]:
    return dict(Counter(words.split()))


def _nonzero(numbers: Mapping[str, int]) -> dict[str, int]:
    return {key: number for key, number in numbers.items() if number}


def _face_up(deck: list[str]) -> list[str]:
    """The first five cards, Ice Age only after all others."""
    return sorted(sorted(deck, key="ice_age".__eq__)[:5], key=CARDS.index)


def play(state: ds.State, *actions: str) -> ds.State:
    """Apply the actions, given as text, in turn; return the state."""
    for action in actions:
        state.apply(action)
    return state


def settle(state: ds.State) -> ds.State:
    """Take the lowest outcome of every chance node up to the next decision."""
    while state.actor == "chance":
        state.apply(int(state.legal_actions()[0]))
    return state


def legal(state: ds.State) -> list[str]:
    """The legal actions as text, in order of their ids."""
    return [ds.actions.text(int(action)) for action in state.legal_actions()]


def counts(most: int) -> list[str]:
    """The COUNT actions from 0 to `most`."""
    return [f"count:{n}" for n in range(most + 1)]


def at(state: ds.State) -> tuple[str, str | None]:
    """Whose decision it is: the node and its actor."""
    return state.node, state.actor


def on(state: ds.State, hexagon: str) -> dict[str, int]:
    """The species on a tile."""
    return dict(state.to_dict()["tiles"][hexagon].get("species", {}))


def cones(state: ds.State) -> dict[str, str]:
    """Who dominates which tile."""
    return {h: tile["dominant"] for h, tile in state.to_dict()["tiles"].items() if "dominant" in tile}


def get(state: ds.State, key: str) -> Any:
    """One entry of the plain form."""
    return state.to_dict()[key]


def take(
    card: str, *actions: str, animals: str = "mammal bird", taker: str = "bird", **parts: Any
) -> ds.State:
    """The state after `actions` that follow the taking of a card.

    The taker scores and dominates E4, which brings no points here, with the first of two Domination pawns;
    Ice Age is the other card face up. `deck` adds cards.
    """
    parts = {"tile_values": {"desert": []}, **parts}
    parts["species"] = {"E4": {taker: 1}, **parts.get("species", {})}
    parts["corners"] = {"E4.e": FIXED[taker][0], **parts.get("corners", {})}
    parts["deck"] = (card, *parts.get("deck", ()))
    parts["abilities"] = {"arachnid": False, "insect": False, **parts.get("abilities", {})}
    state = execute(animals, {"domination_2": taker, "domination_1": taker}, **parts)
    return play(state, "hex:E4", f"card:{card}", *actions)
