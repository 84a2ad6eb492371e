"""What lies where, and what follows from it at once: matches, cones, removals, VPs. No turn order here."""

from .board import (
    ANIMALS,
    BOXES,
    CORNER_IDS,
    CORNER_NAMES,
    CORNERS_OF,
    ELEMENTS,
    HEX_IDS,
    HEX_NAMES,
    HEXES_OF,
    NEIGHBORS,
    PRINTED,
    SETUP,
    SPACES,
)
from .rules import Rules

SOURCES = [
    "domination",
    "final_scoring",
    "glaciation",
    "wanderlust",
    "survival",
    "ice_age",
    "biodiversity",
    "ecodiversity",
    "fertile",
    "handicap",
    "losses",
]


class Tile:
    def __init__(self, terrain: str, tundra: bool = False):
        self.terrain = terrain  # what is printed, also below a tundra tile
        self.tundra = tundra
        self.scored = False
        self.species = dict.fromkeys(ANIMALS, 0)
        self.cone: str | None = None  # declared claims only

    @property
    def kind(self) -> str:
        return "tundra" if self.tundra else self.terrain

    @property
    def present(self) -> list[str]:
        return [animal for animal in ANIMALS if self.species[animal]]

    @property
    def total(self) -> int:
        return sum(self.species.values())


class Stack:
    def __init__(self):
        self.face_up: str | None = None
        self.left = 8


class Position:
    def __init__(self, rules: dict):
        self.rules = Rules(rules)
        animals = self.rules.animals
        self.turn, self.phase, self.truncated = 1, "planning", False
        self.initiative_track = animals[::-1]  # R-SET-6
        self.sources = {animal: dict.fromkeys(SOURCES, 0) for animal in animals}
        self.pawns = dict(self.rules.pawns)
        self.gene_pool = dict(self.rules.gene_pool)
        self.eliminated = dict.fromkeys(animals, 0)
        self.fixed = {animal: self._fixed(animal) for animal in animals}
        self.held = {animal: dict(self.fixed[animal]) for animal in animals}
        self.tiles = {HEX_IDS[h]: Tile(t, h in SETUP["tundra"]) for h, t in SETUP["tiles"].items()}
        for animal in animals:
            for name, number in SETUP["species"][animal].items():
                self.tiles[HEX_IDS[name]].species[animal] = number
        self.corners = {CORNER_IDS[c]: element for c, element in SETUP["elements"].items()}
        self.spaces: dict[str, str] = {}
        self.boxes = {box: dict.fromkeys(ELEMENTS, 0) for box in BOXES}
        self.bag = dict.fromkeys(ELEMENTS, 18)  # R-SET-5
        self.face_up: list[str] = []
        self.taken: list[str] = []
        self.stacks = [Stack(), Stack(), Stack()]
        self.unseen_tiles = dict.fromkeys(self.rules.tile_values, 3) | {"sea": 6, "tundra": 0}
        self.tundra_left = self.rules.tundra_tiles
        self.hibernating: dict | None = None
        for animal in animals:
            self.score(animal, self.rules.handicap[animal], "handicap")

    def _fixed(self, animal: str) -> dict[str, int]:
        third = animal == "amphibian" and self.rules.abilities["amphibian"]
        return dict.fromkeys(ELEMENTS, 0) | {PRINTED[animal]: 3 if third else 2}

    # Looking

    @property
    def vp(self) -> dict[str, int]:
        return {animal: sum(parts.values()) for animal, parts in self.sources.items()}

    @property
    def animals(self) -> list[str]:
        return self.rules.animals

    def able(self, animal: str) -> bool:
        """In play, with its ability on."""
        return animal in self.animals and self.rules.abilities[animal]

    def tiles_where(self, test) -> list[int]:
        return sorted(h for h, tile in self.tiles.items() if test(tile))

    def tiles_of(self, animal: str) -> list[int]:
        return self.tiles_where(lambda tile: tile.species[animal])

    def shared_tiles_of(self, animal: str) -> list[int]:
        return self.tiles_where(lambda tile: tile.species[animal] and len(tile.present) > 1)

    def opponents(self, animal: str, hex_: int) -> list[str]:
        return [other for other in self.tiles[hex_].present if other != animal]

    def hibernators(self, animal: str, hex_: int) -> int:
        asleep = self.hibernating
        here = asleep and asleep["animal"] == animal and asleep["hex"] == HEX_NAMES[hex_]
        return asleep["count"] if here else 0

    def tiles_touching(self, corner: int) -> list[int]:
        return [h for h in HEXES_OF[corner] if h in self.tiles]

    def neighbors(self, hex_: int) -> list[int]:
        """The adjacent tiles."""
        return [h for h in NEIGHBORS[hex_] if h in self.tiles]

    def tundra_neighbors(self, hex_: int) -> list[int]:
        return [h for h in self.neighbors(hex_) if self.tiles[h].tundra]

    def elements_on(self, hex_: int) -> list[str]:
        return [self.corners[c] for c in CORNERS_OF[hex_] if c in self.corners]

    def vacant_corners(self, hex_: int | None = None) -> list[int]:
        """Of one tile, or of the whole earth."""
        around = self.tiles if hex_ is None else [hex_]
        return sorted({c for h in around for c in CORNERS_OF[h]} - set(self.corners))

    def vacant_hexes(self) -> list[int]:
        """Empty hexes adjacent to a tile."""
        return [h for h in range(len(HEX_NAMES)) if h not in self.tiles and self.neighbors(h)]

    def vacant_spaces(self) -> list[str]:
        return [space for space in SPACES if space not in self.spaces]

    def number_held(self, animal: str) -> int:
        return sum(self.held[animal].values())

    def loose(self, animal: str) -> list[str]:
        """The types of which it holds more than its fixed elements."""
        return [e for e in ELEMENTS if self.held[animal][e] > self.fixed[animal][e]]

    def bonus(self, quantity: int) -> int:
        """R-VP-1."""
        track = self.rules.bonus_vp
        return track[min(quantity, len(track)) - 1] if quantity else 0

    def values(self, hex_: int) -> list[int]:
        return self.rules.tile_values[self.tiles[hex_].kind]

    # Matching and dominance

    def match(self, animal: str, hex_: int) -> int:
        """R-DOM-1."""
        return sum(self.held[animal][element] for element in self.elements_on(hex_))

    def deserving(self, hex_: int) -> str | None:
        """R-DOM-3."""
        matches = {animal: self.match(animal, hex_) for animal in self.tiles[hex_].present}
        best = max(matches.values(), default=0)
        leaders = [animal for animal in matches if matches[animal] == best]
        return leaders[0] if best > 0 and len(leaders) == 1 else None

    def dominant(self, hex_: int) -> str | None:
        """The cone's owner (R-DOM-4)."""
        return self.tiles[hex_].cone if self.rules.declared else self.deserving(hex_)

    def drop_cones(self) -> None:
        """Declared claims: cones that are no longer deserved fall."""
        for hex_, tile in self.tiles.items():
            if tile.cone and self.deserving(hex_) != tile.cone:
                tile.cone = None

    # Changing

    def score(self, animal: str, vp: int, source: str) -> None:
        self.sources[animal][source] += vp

    def lose_vp(self, animal: str, vp: int) -> None:
        """R-VP-2."""
        self.sources[animal]["losses"] -= min(vp, self.vp[animal])

    def score_tile(self, hex_: int, source: str) -> None:
        """R-DMN-1."""
        species = self.tiles[hex_].species
        ranking = sorted(self.tiles[hex_].present, key=lambda animal: -species[animal])
        for animal, value in zip(ranking, self.values(hex_), strict=False):
            self.score(animal, value, source)

    def leave(self, animal: str, hex_: int, number: int) -> None:
        """Species go from a tile; hibernating ones last (R-CAR-3)."""
        species = self.tiles[hex_].species
        species[animal] -= number
        if self.hibernators(animal, hex_) > species[animal]:
            self.hibernate(animal, hex_, species[animal])

    def hibernate(self, animal: str, hex_: int, number: int) -> None:
        asleep = {"animal": animal, "hex": HEX_NAMES[hex_], "count": number}
        self.hibernating = asleep if number else None

    def eliminate(self, animal: str, hex_: int, number: int = 1) -> None:
        """R-COM-3."""
        self.leave(animal, hex_, number)
        self.eliminated[animal] += number

    def move(self, animal: str, source: int, target: int, number: int) -> None:
        self.leave(animal, source, number)
        self.tiles[target].species[animal] += number

    def breed(self, animal: str, hex_: int, number: int) -> None:
        """New species from the gene pool."""
        self.gene_pool[animal] -= number
        self.tiles[hex_].species[animal] += number

    def lose_element(self, animal: str, element: str) -> None:
        self.held[animal][element] -= 1
        self.bag[element] += 1

    def clear_corner(self, corner: int) -> None:
        self.bag[self.corners.pop(corner)] += 1

    def put_element(self, supply: dict[str, int], element: str, corner: int) -> None:
        supply[element] -= 1
        self.corners[corner] = element

    def place_pawn(self, animal: str, space: str) -> None:
        self.pawns[animal] -= 1
        self.spaces[space] = animal

    def swap_left(self, animal: str) -> None:
        """R-INI-1, C-22."""
        track = self.initiative_track
        at = track.index(animal)
        if at > 0:
            track[at - 1], track[at] = track[at], track[at - 1]

    def freeze(self, animal: str, hex_: int) -> None:
        """R-GLA-2 to 5, for the VPs of `animal`."""
        tile = self.tiles[hex_]
        tile.tundra = True
        self.tundra_left -= 1
        for other in tile.present:
            surplus = tile.species[other] - 1
            self.leave(other, hex_, surplus)
            self.gene_pool[other] += surplus
        for corner in list(self.corners):
            if sum(self.tiles[h].tundra for h in self.tiles_touching(corner)) == 3:
                self.clear_corner(corner)
        self.score(animal, self.bonus(len(self.tundra_neighbors(hex_))), "glaciation")

    # Showing

    def position_dict(self) -> dict:
        """Section 4 of the protocol, without the node."""
        return {
            "format": 1,
            "rules": self.rules.plain,
            "turn": self.turn,
            "phase": self.phase,
            "truncated": self.truncated,
            "initiative": list(self.initiative_track),
            "vp": nonzero(self.vp),
            "pawns": nonzero(self.pawns),
            "gene_pool": nonzero(self.gene_pool),
            "eliminated": nonzero(self.eliminated),
            "elements": {animal: nonzero(held) for animal, held in self.held.items()},
            "tiles": {HEX_NAMES[h]: self._tile_dict(h) for h in sorted(self.tiles)},
            "corners": {CORNER_NAMES[c]: self.corners[c] for c in sorted(self.corners)},
            "spaces": {space: self.spaces[space] for space in SPACES if space in self.spaces},
            "boxes": {box: nonzero(content) for box, content in self.boxes.items()},
            "bag": nonzero(self.bag),
            # C order is alphabetical.
            "cards": {"face_up": sorted(self.face_up), "taken": sorted(self.taken)},
            "stacks": [{"face_up": stack.face_up, "left": stack.left} for stack in self.stacks],
            "unseen_tiles": nonzero(self.unseen_tiles),
            "tundra_left": self.tundra_left,
            "hibernating": dict(self.hibernating) if self.hibernating else None,
        }

    def _tile_dict(self, hex_: int) -> dict:
        tile = self.tiles[hex_]
        shown = {"terrain": tile.terrain}
        marks = {
            "tundra": tile.tundra,
            "scored": tile.scored,
            "species": nonzero(tile.species),
            "dominant": self.dominant(hex_),
        }
        return shown | {key: mark for key, mark in marks.items() if mark}


def nonzero(numbers: dict[str, int]) -> dict[str, int]:
    return {key: number for key, number in numbers.items() if number}
