"""Actions and states in words, for people at a terminal.

>>> from ds_sim import State
>>> state = State(seed=7)
>>> describe(state, "place:speciation_sun")
'insect puts a pawn on Speciation (sun)'
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Any, Final

from . import _map, actions
from ._map import CODES, WIDTH
from .board import ANIMALS, BOXES, CARDS, CORNER_HEXES, CORNER_ID, ELEMENTS, HEX_NAMES, SPACES
from .errors import IllegalAction

if TYPE_CHECKING:
    from .state import State

Plain = Mapping[str, Any]

# ---- actions ----

# By node, then by kind of action. {who} acts; {arg} is what the action names, {there} the element on the
# corner it names. The rest was chosen before: {element}, {hex}, {to}, {animal} ({one} without article),
# {tile}, {stack}; {target} is the hex being asked about.
SENTENCES: Final[Mapping[str, Mapping[str, str]]] = {
    "reveal_card": {"card": "the card {arg} is revealed"},
    "reveal_tile": {"terrain": "stack {stack} shows a new tile, {arg}"},
    "draw_element": {"element": "{arg} is drawn for {drawn_for}"},
    "place": {"place": "{who} puts a pawn on {arg}", "hex": "{who} claims dominance of {arg}"},
    "initiative": {
        "pass": "{who} leaves the initiative track as it is",
        "place": "{who} moves ahead on the track and puts the pawn on {arg}",
    },
    "adapt": {"pass": "{who} takes no element", "element": "{who} takes {arg} from the Adaptation box"},
    "regress": {
        "pass": "{who} protects no element from Regression",
        "element": "{who} protects its {arg} from Regression",
    },
    "abundance_element": {
        "pass": "{who} puts no element on earth",
        "element": "{who} takes {arg} from the Abundance box to put on earth",
    },
    "abundance_corner": {"corner": "{who} puts {element} on {arg}"},
    "wasteland": {
        "pass": "{who} removes nothing from the Wasteland box",
        "element": "{who} removes {arg} from the Wasteland box",
    },
    "deplete": {
        "pass": "{who} removes no element from earth",
        "corner": "{who} removes the {there} on {arg}",
    },
    "glaciate": {"pass": "{who} glaciates nothing", "hex": "{who} glaciates {arg}"},
    "speciate_corner": {
        "pass": "{who} does not speciate with {element}",
        "corner": "{who} speciates around the {there} on {arg}",
    },
    "speciate_count": {"count": "{who} places {arg} on {target}"},
    "speciate_free": {"pass": "{who} places no free species", "hex": "{who} places a free species on {arg}"},
    "wander_stack": {"pass": "{who} lays no tile", "stack": "{who} takes the {arg}"},
    "wander_hex": {"hex": "{who} lays the {tile} on {arg}"},
    "wander_element": {
        "pass": "{who} puts no element on the new tile, {hex}",
        "element": "{who} takes {arg} from the Wanderlust box for the new tile, {hex}",
    },
    "wander_corner": {"corner": "{who} puts {element} on {arg}"},
    "wander_move": {"count": "{who} moves {arg} from {target} to the new tile, {hex}"},
    "migrate_from": {
        "pass": "{who} ends its migration, {moves} left",
        "hex": "{who} migrates from {arg}, {moves} left",
    },
    "migrate_to": {"hex": "{who} migrates from {hex} to {arg}"},
    "migrate_count": {"count": "{who} moves {arg} from {hex} to {to}"},
    "compete_tile": {"pass": "{who} attacks nobody{on_terrain}", "hex": "{who} attacks on {arg}"},
    "compete_victim": {"animal": "{who} eliminates {arg} on {hex}"},
    "dominate": {"pass": "{who} scores no tile", "hex": "{who} scores {arg}"},
    "claim": {"pass": "{who} does not claim {hex}", "hex": "{who} claims dominance of {arg}"},
    "take_card": {"card": "{who} takes the card {arg}"},
    "save": {"hex": "{who} saves an endangered species on {arg}"},
    "aquatic_hex": {"hex": "{who} chooses {arg}"},
    "aquatic_element": {"element": "{who} takes {arg} from the bag for {hex}"},
    "aquatic_corner": {"corner": "{who} puts {element} on {arg}"},
    "aquatic_count": {"count": "{who} places {arg} on {hex}"},
    "biomass_victim": {"animal": "{who} eliminates {arg} on {target}"},
    "blight_hex": {"hex": "{who} chooses {arg}"},
    "blight_keep": {"corner": "{who} leaves on {hex} only the {there} on {arg}"},
    "catastrophe_hex": {"hex": "{who} chooses {arg}"},
    "catastrophe_keep": {"animal": "{who} leaves on {hex} only {arg}"},
    "catastrophe_victim": {"animal": "{who} eliminates {arg} on {target}"},
    "disease": {"element": "{who} loses {arg}"},
    "evolution_animal": {
        "pass": "{who} replaces no species",
        "animal": "{who} chooses to replace {arg}",
    },
    "evolution_hex": {"hex": "{who} replaces {animal} on {arg}"},
    "fecundity": {"count": "{who} adds {arg} on {target}"},
    "fertile": {"hex": "{who} scores the species on {arg}"},
    "habitat_element": {"element": "{who} takes {arg} from the bag"},
    "habitat_corner": {"corner": "{who} puts {element} on {arg}"},
    "hibernate_hex": {"hex": "{who} chooses {arg} to hibernate on"},
    "hibernate_count": {"count": "{who} brings back {arg} to hibernate on {hex}"},
    "immigrants": {
        "element": "{who} loses {arg}",
        "lose_pawn": "{who} loses a pawn for good",
        "lose_species": "{who} loses all but one species on every tile",
    },
    "instinct": {"place": "{who} puts a pawn on {arg}"},
    "exodus_hex": {"hex": "{who} drives everybody from {arg}"},
    "exodus_count": {"count": "{who} sends {arg} of the {one} from {hex} to {target}"},
    "metamorphosis_give": {"element": "{who} gives up {arg}"},
    "metamorphosis_take": {"element": "{who} swaps {element} for {arg}"},
    "predator_victim": {"animal": "{who} eliminates {arg} on {target}"},
}

_DRAWS_PER_BOX: Final = 4
_DRAWN_FOR: Final = ("adaptation", "abundance", "wanderlust")  # protocol section 3


def describe(state: State, action: int | str) -> str:
    """A legal action of the state, by id or text, in one sentence.

    Different legal actions have different sentences. Raises `IllegalAction` for any other.
    """
    number = actions.parse(action) if isinstance(action, str) else actions.check(action)
    if not state.legal_mask()[number]:
        raise IllegalAction(f"action {number} ({actions.text(number)}) is not legal at node {state.node!r}")
    plain = state.to_dict()
    card = _card(plain)
    return f"{card}: {_sentence(plain, number)}" if card else _sentence(plain, number)


def _sentence(plain: Plain, action: int) -> str:
    return SENTENCES[plain["node"]][actions.kind(action)].format_map(_words(plain, action))


def _card(plain: Plain) -> str:
    """The title of the card being carried out, if any."""
    card = plain["cursor"].get("card")
    return "" if card is None else title(CARDS[card])


def _words(plain: Plain, action: int) -> dict[str, str]:
    """Everything the sentences speak of; what does not apply at the node is not used by its sentences."""
    cursor = plain["cursor"]
    animal = ANIMALS[cursor.get("animal", 0) % len(ANIMALS)]
    stack = cursor.get("stack", 0)
    corner = actions.argument(action) if actions.kind(action) == "corner" else None
    return {
        "who": plain["actor"] or "nobody",
        "arg": _argument(plain, action),
        "there": plain["corners"].get(corner, ""),
        "element": ELEMENTS[cursor.get("element", 0)],
        "animal": _a(animal),
        "one": animal,
        "hex": _hex(plain, cursor.get("hex")),
        "to": _hex(plain, cursor.get("target")),
        "target": _hex(plain, _first(cursor.get("targets", 0))),
        "stack": str(stack + 1),
        "tile": _tile(plain, stack),
        "moves": _number(cursor.get("left", 0), "move"),
        "drawn_for": _drawn_for(plain, animal),
        "on_terrain": _on_terrain(cursor),
    }


def _argument(plain: Plain, action: int) -> str:
    kind, name = actions.kind(action), actions.argument(action) or ""
    match kind:
        case "place":
            return space_title(name)
        case "corner":
            return _corner(plain, name)
        case "hex":
            return _hex(plain, HEX_NAMES.index(name))
        case "animal":
            return _a(name)
        case "count":
            return "no species" if name == "0" else f"{name} species"
        case "stack":
            return f"{_tile(plain, int(name) - 1)} of stack {name}"
        case "card":
            return title(name)
        case _:
            return name


def title(name: str) -> str:
    """A card or a row of the action display as it is printed.

    >>> title("ice_age")
    'Ice Age'
    """
    return name.replace("_", " ").title()


def space_title(space: str) -> str:
    """A space of the action display in words.

    >>> [space_title(name) for name in ("initiative", "migration_7", "competition_sea_jungle")]
    ['Initiative', 'Migration 7', 'Competition (sea, jungle)']
    """
    row, _, rest = space.partition("_")
    if not rest:
        return title(row)
    return f"{title(row)} {rest}" if rest.isdigit() else f"{title(row)} ({rest.replace('_', ', ')})"


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _number(n: int, noun: str) -> str:
    return f"{n} {noun}{'s' * (n != 1)}"


def _first(targets: int) -> int | None:
    """The lowest of a set of hexes; None for a set of anything else, or none."""
    lowest = (targets & -targets).bit_length() - 1
    return lowest if 0 <= lowest < len(HEX_NAMES) else None


def _hex(plain: Plain, h: int | None) -> str:
    if h is None or h >= len(HEX_NAMES):
        return ""
    tile = plain["tiles"].get(HEX_NAMES[h])
    return HEX_NAMES[h] if tile is None else f"{HEX_NAMES[h]} ({_terrain(tile)})"


def _terrain(tile: Plain) -> str:
    return "tundra" if tile.get("tundra") else str(tile["terrain"])


def _corner(plain: Plain, name: str) -> str:
    """A corner, with the tiles it touches."""
    hexes = [HEX_NAMES[h] for h in CORNER_HEXES[CORNER_ID[name]] if h >= 0]
    return f"{name} (at {', '.join(h for h in hexes if h in plain['tiles'])})"


def _tile(plain: Plain, stack: int) -> str:
    return f"{plain['stacks'][stack]['face_up']} tile"


def _drawn_for(plain: Plain, animal: str) -> str:
    if plain["phase"] == "execution":
        return f"the {animal}"
    return f"the {title(_DRAWN_FOR[plain['cursor'].get('draw', 0) // _DRAWS_PER_BOX])} box"


def _on_terrain(cursor: Plain) -> str:
    """The terrain at hand of a competition pawn: two of its own, then tundra. Nothing for the arachnid."""
    space = SPACES[max(cursor.get("space", 0) - 1, 0)]
    if not space.startswith("competition"):
        return ""
    return f" on {[*space.split('_')[1:], 'tundra'][2 - cursor.get('left', 0)]}"


# ---- states ----

_FEW: Final = 8  # so many legal actions are told in sentences
_RIGHT_ROWS: Final = ("speciation", "wanderlust", "migration", "competition", "domination")
_LEFT_ROWS: Final = (
    *("initiative", "adaptation", "regression", "abundance", "wasteland", "depletion"),
    "glaciation",
)
_LEFT_BOXES: Final = ("adaptation", "regression", "abundance")
_RIGHT_BOXES: Final = ("wanderlust", "depletion", "wasteland")
_DISPLAY_COLUMN: Final = 24  # where the right half begins
_BOXES_COLUMN: Final = 48
_COMPETITION_COLUMNS: Final = 3


def text(state: State) -> str:
    """The state in lines of plain ASCII, at most 100 columns wide: the decision, the earth, then tables.

    >>> from ds_sim import State
    >>> print(text(State(seed=7)).splitlines()[0])
    Turn 1, planning: insect decides (place)
    """
    plain = state.to_dict()
    legal = [int(action) for action in state.legal_actions()]
    sections = [
        _decision(plain, legal, state.winner),
        _earth(plain, legal),
        _animals(plain, state.rules.seats),
        _display(plain),
        _supply(plain),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections)


def _wrap(label: str, words: Iterable[str], indent: int = 2) -> list[str]:
    """A label and words after it, in lines that go on below the first word."""
    start = f"{' ' * indent}{label}  "
    return textwrap.wrap(
        " ".join(words) or "-",
        WIDTH,
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_on_hyphens=False,
    )


def _decision(plain: Plain, legal: Sequence[int], winner: str | None) -> list[str]:
    if winner is not None:
        cut = ", cut off" if plain["truncated"] else ""
        vp = plain["vp"].get(winner, 0)
        return [f"The game is over after turn {plain['turn']}{cut}: {winner} wins with {vp} VPs"]
    node = ", ".join(filter(None, (plain["node"], _card(plain))))
    actor = "chance" if plain["actor"] == "chance" else f"{plain['actor']} decides"
    head = f"Turn {plain['turn']}, {plain['phase']}: {actor} ({node})"
    if len(legal) <= _FEW:
        width = max(len(actions.text(action)) for action in legal)
        told = ((f"{actions.text(action):<{width}}", [_sentence(plain, action)]) for action in legal)
        return [head, *(line for choice in told for line in _wrap(*choice))]
    example = next(action for action in legal if action != actions.PASS)
    groups = (line for group in _groups(plain, legal) for line in _wrap(*group))
    return [head, *groups, *_wrap("for example:", [_sentence(plain, example)])]


def _groups(plain: Plain, legal: Sequence[int]) -> Iterator[tuple[str, list[str]]]:
    """Legal actions by kind, their names in short: of spaces, the row once; of counts, the ends."""
    for kind, members in groupby(legal, actions.kind):
        names = [actions.argument(action) or "" for action in members]
        if kind == "count":
            names = [f"{names[0]} to {names[-1]}"]
        elif kind == "place":
            names = _listed(_rows(names), ";")
        elif kind == "corner" and names[0] in plain["corners"]:
            names = _listed((f"{name} {plain['corners'][name]}" for name in names), ",")
        yield (f"{kind}:", names) if names[0] else (kind, [" "])


def _rows(spaces: Iterable[str]) -> Iterator[str]:
    for row, members in groupby(spaces, lambda space: space.partition("_")[0]):
        yield " ".join([row, *map(_within_row, members)]).rstrip()


def _within_row(space: str) -> str:
    """What tells a space from the others of its row."""
    return space.partition("_")[2].replace("_", "-")


def _listed(words: Iterable[str], mark: str) -> list[str]:
    """The words with a mark after each but the last."""
    return f"{mark}\n".join(words).split("\n")


def _earth(plain: Plain, legal: Sequence[int]) -> list[str]:
    tiles = plain["tiles"]
    named = [actions.argument(action) or "" for action in legal if actions.kind(action) == "hex"]
    lines = _map.draw(tiles, plain["corners"], [name for name in named if name not in tiles])
    lines = [line and f"  {line}" for line in lines] if max(map(len, lines)) <= WIDTH - 2 else lines
    notes = []
    if scored := [name for name, tile in tiles.items() if tile.get("scored")]:
        notes += _wrap("scored this turn:", scored)
    if asleep := plain["hibernating"]:
        notes += _wrap("hibernating:", [f"{asleep['count']} {asleep['animal']} on {asleep['hex']}"])
    return [*lines, "", *notes] if notes else lines


def _animals(plain: Plain, seats: Sequence[Sequence[str]]) -> list[str]:
    """One line for each animal, in initiative order."""
    tiles = list(plain["tiles"].values())
    seat_of = {animal: number for number, seat in enumerate(seats, 1) for animal in seat}
    columns = {
        "VP": plain["vp"],
        "APs": plain["pawns"],
        "placed": Counter(plain["spaces"].values()),
        "pool": plain["gene_pool"],
        "eliminated": plain["eliminated"],
        "*dominates": Counter(tile.get("dominant") for tile in tiles),
    }
    if len(seats) < len(seat_of):
        columns = {"seat": seat_of, **columns}
    widths = {head: max(len(head), 4) for head in columns}
    heads = "  ".join(f"{head:>{width}}" for head, width in widths.items())
    lines = [f"  {'initiative':<14}{heads}  elements"]
    for animal in plain["initiative"]:
        numbers = "  ".join(f"{column.get(animal, 0):>{widths[head]}}" for head, column in columns.items())
        start = f"  {CODES[animal]:<2} {animal:<11}{numbers}  "
        elements = _counted(plain["elements"][animal])
        lines += textwrap.wrap(elements, WIDTH, initial_indent=start, subsequent_indent=" " * len(start))
    return lines


def _display(plain: Plain) -> list[str]:
    spaces: Mapping[str, str] = plain["spaces"]
    left = (f"{row:<10}  {' '.join(_pawn(spaces, space) for space in _row(row))}" for row in _LEFT_ROWS)
    right = (line for row in _RIGHT_ROWS for line in _named_spaces(spaces, row))
    return ["  pawns on the action display", *_side_by_side(left, right, _DISPLAY_COLUMN)]


def _row(row: str) -> list[str]:
    return [space for space in SPACES if space.startswith(row)]


def _pawn(spaces: Mapping[str, str], space: str) -> str:
    return CODES[spaces[space]] if space in spaces else "."


def _named_spaces(spaces: Mapping[str, str], row: str) -> Iterator[str]:
    """A row whose spaces are not alike, in several lines if their names are long."""
    cells = [f"{_within_row(space)} {_pawn(spaces, space)}" for space in _row(row)]
    each = _COMPETITION_COLUMNS if row == "competition" else len(cells)
    widths = [max(map(len, cells[i::each])) for i in range(each)]
    for i in range(0, len(cells), each):
        line = "  ".join(f"{cell:<{width}}" for cell, width in zip(cells[i:], widths, strict=False))
        yield f"{'' if i else row:<11}  {line}".rstrip()


def _supply(plain: Plain) -> list[str]:
    boxes = {box: f"{box:<10}  {_counted(plain['boxes'][box])}" for box in BOXES}
    left, right = ([boxes[box] for box in half] for half in (_LEFT_BOXES, _RIGHT_BOXES))
    cards = {key: _listed(map(title, plain["cards"][key]), ",") for key in ("face_up", "taken")}
    stacks = (f"{stack['face_up'] or 'none'} ({stack['left']} below)" for stack in plain["stacks"])
    return [
        "  elements in the boxes",
        *_side_by_side(left, right, _BOXES_COLUMN),
        *_wrap("bag         ", [_counted(plain["bag"])], 4),
        "",
        *_wrap("cards face up", cards["face_up"]),
        *_wrap("cards taken  ", cards["taken"]),
        *_wrap("tile stacks  ", _listed(stacks, ",")),
        *_wrap("unseen tiles ", [_counted(plain["unseen_tiles"])]),
        *_wrap("tundra left  ", [str(plain["tundra_left"])]),
    ]


def _counted(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in numbers.items()) or "-"


def _side_by_side(left: Iterable[str], right: Iterable[str], column: int) -> list[str]:
    return [f"    {a:<{column}}{b}".rstrip() for a, b in zip_longest(left, right, fillvalue="")]
