"""A rule set with every default filled in (rules.md section 8). Nothing is validated here."""

from .board import ANIMALS, CARDS, TERRAINS

PAWNS = {2: 7, 3: 6, 4: 5, 5: 4, 6: 3}  # R-SET-3
GENE_POOL = {2: 50, 3: 45, 4: 40, 5: 35, 6: 30}
BONUS_VP = [1, 3, 6, 10, 15, 21, 28, 36, 45]  # R-VP-1
TILE_VALUES = {  # R-DMN-1
    "sea": [9, 5, 3, 2],
    "wetland": [8, 4, 2, 1],
    "savannah": [7, 4, 2],
    "jungle": [6, 3, 2],
    "forest": [5, 3, 2],
    "desert": [4, 2],
    "mountain": [3, 2],
    "tundra": [1],
}
LIMITS = (4, 4, 3, 3, 3, 2, 2, 1)  # R-SPE-1
SPECIATION_LIMITS = dict(zip((*TERRAINS, "tundra"), LIMITS, strict=True))


def food_chain(names) -> list[str]:
    return sorted(set(names), key=ANIMALS.index)


class Rules:
    """Every field of section 8, whole; `plain` is the form that `to_dict` shows."""

    def __init__(self, given: dict):
        self.animals = food_chain(given.get("animals", ANIMALS))
        number = len(self.animals)
        seats = [food_chain(seat) for seat in given.get("seats", [[a] for a in self.animals])]
        self.seats = sorted(seats, key=lambda seat: ANIMALS.index(seat[0]))
        self.bonus_vp = list(given.get("bonus_vp", BONUS_VP))
        self.tundra_tiles = given.get("tundra_tiles", 11)
        self.cards = [c for c in CARDS if c in given.get("cards", CARDS) or c == "ice_age"]
        self.initiative_restay = given.get("initiative_restay", False)
        self.declared = given.get("dominance_claims", "automatic") == "declared"
        self.max_turns = given.get("max_turns", 100)
        self.plain = {"animals": self.animals}
        self.pawns = self._map(given, "pawns", dict.fromkeys(self.animals, PAWNS[number]))
        self.gene_pool = self._map(given, "gene_pool", dict.fromkeys(self.animals, GENE_POOL[number]))
        self.handicap = self._map(given, "handicap", dict.fromkeys(self.animals, 0))
        self.abilities = self._map(given, "abilities", dict.fromkeys(self.animals, True))
        self.tile_values = self._map(given, "tile_values", TILE_VALUES)
        self.speciation_limits = self._map(given, "speciation_limits", SPECIATION_LIMITS)
        self._keep_if_not("seats", self.seats, [[a] for a in self.animals])
        self._keep_if_not("bonus_vp", self.bonus_vp, BONUS_VP)
        self._keep_if_not("tundra_tiles", self.tundra_tiles, 11)
        self._keep_if_not("cards", self.cards, CARDS)
        self._keep_if_not("initiative_restay", self.initiative_restay, False)
        self._keep_if_not("dominance_claims", "declared" if self.declared else "automatic", "automatic")
        self._keep_if_not("max_turns", self.max_turns, 100)

    def _map(self, given: dict, field: str, default: dict) -> dict:
        """The whole map of a field that may be given in part, or as one number for all."""
        value = given.get(field, {})
        if not isinstance(value, dict):
            value = dict.fromkeys(default, value)
        whole = {key: value.get(key, usual) for key, usual in default.items()}
        self._keep_if_not(field, {key: whole[key] for key in whole if whole[key] != default[key]}, {})
        return whole

    def _keep_if_not(self, field: str, value, default) -> None:
        if value != default:
            self.plain[field] = value
