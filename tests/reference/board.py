"""The names of everything, and the geometry of the board as read from `board.json`."""

import json
from pathlib import Path

BOARD = json.loads((Path(__file__).parent.parent / "golden" / "board.json").read_text())
SETUP = BOARD["setup"]

ANIMALS = ("mammal", "reptile", "bird", "amphibian", "arachnid", "insect")
ELEMENTS = ("meat", "sun", "seed", "water", "grub", "grass")
PRINTED = dict(zip(ANIMALS, ELEMENTS, strict=True))  # R-SET-2
TERRAINS = ("sea", "wetland", "savannah", "jungle", "forest", "desert", "mountain")
BOXES = ("adaptation", "regression", "abundance", "wasteland", "depletion", "wanderlust")

MIGRATIONS = (7, 6, 5, 4, 3, 2)
COMPETITIONS = (
    ("jungle", "wetland"),
    ("wetland", "desert"),
    ("desert", "forest"),
    ("forest", "savannah"),
    ("savannah", "mountain"),
    ("mountain", "sea"),
    ("sea", "jungle"),
)


def numbered(family: str, last: int) -> list[str]:
    return [f"{family}_{i}" for i in range(1, last + 1)]


SPACES = (
    ["initiative"]
    + numbered("adaptation", 3)
    + numbered("regression", 2)
    + numbered("abundance", 2)
    + ["wasteland", "depletion"]
    + numbered("glaciation", 4)
    + [f"speciation_{element}" for element in ELEMENTS]
    + numbered("wanderlust", 3)
    + [f"migration_{x}" for x in MIGRATIONS]
    + [f"competition_{first}_{second}" for first, second in COMPETITIONS]
    + numbered("domination", 5)
)

CARDS = [
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
]

HEX_NAMES = [h["name"] for h in BOARD["hexes"]]
HEX_IDS = {name: i for i, name in enumerate(HEX_NAMES)}
NEIGHBORS = [sorted(h["neighbors"].values()) for h in BOARD["hexes"]]
CORNERS_OF = [sorted(h["corners"].values()) for h in BOARD["hexes"]]
CORNER_NAMES = [c["name"] for c in BOARD["corners"]]
CORNER_IDS = {alias: c["id"] for c in BOARD["corners"] for alias in c["names"]}
HEXES_OF = [sorted(c["hexes"]) for c in BOARD["corners"]]
