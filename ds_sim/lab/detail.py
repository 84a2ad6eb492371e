"""How games are won: where VPs come from, cards, spaces, initiative, length, spread, the board, what goes
with winning.

All for one cell. What depends on the turn or the place is of the detailed games, the rest of all games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..board import HEX_NAMES, SPACES
from ..nodes import SOURCES
from ..tables import load
from .campaign import Cell
from .statistics import logistic, normal, normal_quantile
from .study import RATE, Study, about, frame, rate, score, seat_of, won

if TYPE_CHECKING:
    import polars

ACTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    name: tuple(space for space in SPACES if space.partition("_")[0] == name)
    for name in dict.fromkeys(space.partition("_")[0] for space in SPACES)
}
"""The kinds of actions on the display, and their spaces."""

REGRESSION_GAMES: Final = 20_000
"""The first so many games of a cell feed the regression."""

MOST_INITIATIVE: Final = 4
"""Pawns on initiative are counted up to here; more go with it."""


def vp_sources(study: Study, cell: Cell) -> polars.DataFrame:
    """Of every animal and source: mean VPs per game with their interval. Needs the columns `sources`."""
    pl = load("polars", "lab")
    expressions: dict[str, Any] = {}
    for animal in cell.rules.animals:
        for source in SOURCES:
            column = pl.col(f"vp_{animal}_{source}").cast(pl.Int64)
            expressions |= {f"{animal} {source}": column, f"{animal} {source} squares": column**2}
    sums = study.sums(study.games(cell), expressions)

    def rows() -> Iterator[dict[str, Any]]:
        for animal in cell.rules.animals:
            for source in SOURCES:
                name = f"{animal} {source}"
                mean, half = normal(sums[name], sums[f"{name} squares"], sums["n"])
                own = {
                    "animal": animal,
                    "source": source,
                    "vp": mean,
                    "low": mean - half,
                    "high": mean + half,
                }
                yield about(cell) | own

    return frame(rows(), {"animal": str, "source": str, "vp": float, "low": float, "high": float})


def cards(study: Study, cell: Cell) -> polars.DataFrame:
    """Of every card: in how many games it is taken, when, and how much more often than usual its taker wins.

    Who takes a card dominates a tile, and so does well anyway. So `impact` compares takers with how often the
    same animal wins when it takes any card; `turn` is the mean turn in the detailed games. Needs the columns
    `cards`.
    """
    takers = card_takers(study, cell)
    turns = _card_turns(study, cell)

    def rows() -> Iterator[dict[str, Any]]:
        for card in cell.rules.cards:
            taken = [row for row in takers.iter_rows(named=True) if row["card"] == card]
            n = sum(row["games"] for row in taken)
            surplus = sum(row["wins"] - row["games"] * row["usual"] for row in taken if row["games"])
            # Games are independent, and in each the card has one taker at most.
            variance = sum(row["games"] * row["rate"] * (1 - row["rate"]) for row in taken if row["games"])
            impact = surplus / n if n else float("nan")
            half = normal_quantile() * variance**0.5 / n if n else float("nan")
            yield about(cell) | {
                "card": card,
                "games": n,
                "taken": n / study.count(cell),
                "turn": turns.get(card, float("nan")),
                "impact": impact,
                "low": impact - half,
                "high": impact + half,
            }

    columns = {"card": str, "games": int} | dict.fromkeys(("taken", "turn", "impact", "low", "high"), float)
    return frame(rows(), columns)


def card_takers(study: Study, cell: Cell) -> polars.DataFrame:
    """Of every card and animal: games in which it took the card, and its wins in them.

    `usual` is how often the animal wins when it takes a card, over all cards.
    """
    pl = load("polars", "lab")
    expressions: dict[str, Any] = {}
    for animal in cell.rules.animals:
        wins = won(seat_of(cell, animal))
        for card in cell.rules.cards:
            took = (pl.col(f"card_{card}") == animal).fill_null(False)
            expressions |= {f"{animal} {card}": took, f"{animal} {card} wins": took & wins}
    sums = study.sums(study.games(cell), expressions)

    def usual_rate(animal: str) -> float:
        taken = sum(sums[f"{animal} {card}"] for card in cell.rules.cards)
        wins = sum(sums[f"{animal} {card} wins"] for card in cell.rules.cards)
        return wins / taken if taken else float("nan")

    def rows() -> Iterator[dict[str, Any]]:
        usually = {animal: usual_rate(animal) for animal in cell.rules.animals}
        for card in cell.rules.cards:
            for animal, usual in usually.items():
                counts = rate(sums[f"{animal} {card} wins"], sums[f"{animal} {card}"])
                yield about(cell) | {"card": card, "animal": animal, "usual": usual} | counts

    return frame(rows(), {"card": str, "animal": str, "usual": float, **RATE})


def _card_turns(study: Study, cell: Cell) -> dict[str, float]:
    if not study.has_events(cell):
        return {}
    pl = load("polars", "lab")
    taken = study.events(cell).filter(pl.col("event") == "card").group_by("what")
    sums = study.collect(taken.agg(pl.len(), pl.col("turn").cast(pl.Int64).sum()))
    return {row["what"]: row["turn"] / row["len"] for row in sums.iter_rows(named=True)}


def spaces(study: Study, cell: Cell) -> polars.DataFrame:
    """Of every animal and space: mean pawns placed there per game. Needs the columns `spaces`."""
    pl = load("polars", "lab")
    names = {f"{animal} {space}": (animal, space) for animal in cell.rules.animals for space in SPACES}
    sums = study.sums(study.games(cell), {name: pl.col(f"placed_{a}_{s}") for name, (a, s) in names.items()})
    rows = (
        about(cell) | {"animal": animal, "space": space, "pawns": sums[name] / sums["n"]}
        for name, (animal, space) in names.items()
    )
    return frame(rows, {"animal": str, "space": str, "pawns": float})


def spaces_by_turn(study: Study, cell: Cell) -> polars.DataFrame:
    """Of every turn and kind of action: mean pawns placed per detailed game that had this turn; `games` of
    them.
    """
    pl = load("polars", "lab")
    events = study.events(cell)
    lengths = study.collect(events.group_by("game").agg(pl.col("turn").max()))["turn"].to_numpy()
    placed = events.filter(pl.col("event") == "place").group_by("turn", "what").agg(pl.len())
    counts: dict[tuple[int, str], int] = {}
    for row in study.collect(placed).iter_rows(named=True):
        key = (row["turn"], row["what"].partition("_")[0])
        counts[key] = counts.get(key, 0) + row["len"]

    def rows() -> Iterator[dict[str, Any]]:
        for turn in range(1, int(lengths.max()) + 1):
            games = int((lengths >= turn).sum())
            for action in ACTIONS:
                pawns = counts.get((turn, action), 0) / games
                yield about(cell) | {"turn": turn, "action": action, "games": games, "pawns": pawns}

    return frame(rows(), {"turn": int, "action": str, "games": int, "pawns": float})


def initiative(study: Study, cell: Cell) -> polars.DataFrame:
    """Of every animal: how often it wins by the pawns it placed on initiative. Needs the columns `spaces`."""
    pl = load("polars", "lab")
    expressions: dict[str, Any] = {}
    for animal in cell.rules.animals:
        placed = pl.col(f"placed_{animal}_initiative")
        for pawns in range(MOST_INITIATIVE + 1):
            here = placed >= pawns if pawns == MOST_INITIATIVE else placed == pawns
            name = f"{animal} {pawns}"
            expressions |= {name: here, f"{name} wins": here & won(seat_of(cell, animal))}
    sums = study.sums(study.games(cell), expressions)

    def rows() -> Iterator[dict[str, Any]]:
        for animal in cell.rules.animals:
            for pawns in range(MOST_INITIATIVE + 1):
                name = f"{animal} {pawns}"
                yield (
                    about(cell) | {"animal": animal, "pawns": pawns} | rate(sums[f"{name} wins"], sums[name])
                )

    return frame(rows(), {"animal": str, "pawns": int, **RATE})


def order(study: Study, cell: Cell) -> polars.DataFrame:
    """Of every animal and place on the initiative track: in what share of turns it stands there (detailed
    games).
    """
    pl = load("polars", "lab")
    standing = study.events(cell).filter(pl.col("event") == "order").group_by("animal", "value").agg(pl.len())
    counts = {(r["animal"], r["value"]): r["len"] for r in study.collect(standing).iter_rows(named=True)}

    def rows() -> Iterator[dict[str, Any]]:
        places = range(1, len(cell.rules.animals) + 1)
        for animal in cell.rules.animals:
            turns = sum(counts.get((animal, place), 0) for place in places)
            for place in places:
                share = counts.get((animal, place), 0) / turns
                yield about(cell) | {"animal": animal, "place": place, "turns": turns, "share": share}

    return frame(rows(), {"animal": str, "place": int, "turns": int, "share": float})


def lengths(study: Study, cell: Cell) -> polars.DataFrame:
    """How many games end in each turn, and how many of them `max_turns` stopped."""
    pl = load("polars", "lab")
    counts = study.games(cell).group_by("turns").agg(pl.len(), pl.col("truncated").cast(pl.Int64).sum())
    rows = (
        about(cell) | {"turns": row["turns"], "games": row["len"], "truncated": row["truncated"]}
        for row in study.collect(counts.sort("turns")).iter_rows(named=True)
    )
    return frame(rows, {"turns": int, "games": int, "truncated": int})


def spread(study: Study, cell: Cell) -> polars.DataFrame:
    """How many games are won by each margin, winner's score over next best. Needs the columns `vp`."""
    pl = load("polars", "lab")
    scores = pl.concat_list([score(seat) for seat in cell.rules.seats]).list.sort(descending=True)
    margins = study.games(cell).select((scores.list.get(0) - scores.list.get(1)).alias("margin"))
    counts = study.collect(margins.group_by("margin").agg(pl.len()).sort("margin"))
    rows = (
        about(cell) | {"margin": row["margin"], "games": row["len"]} for row in counts.iter_rows(named=True)
    )
    return frame(rows, {"margin": int, "games": int})


def board(study: Study, cell: Cell) -> polars.DataFrame:
    """Of every hex, per detailed game: tiles put there, tundra laid there, times scored, and by each animal
    and by anyone (animal "any") how often it is dominated at the end.
    """
    pl = load("polars", "lab")
    events = study.events(cell)
    games = study.collect(events.select(pl.col("game").n_unique())).item()
    wanted = pl.col("event").is_in(["tile", "tundra", "score", "dominated"])
    found = study.collect(events.filter(wanted).group_by("event", "what", "animal").agg(pl.len()))
    counts: dict[tuple[str, str, str], int] = {}
    for row in found.iter_rows(named=True):
        for animal in {"any", row["animal"]} if row["event"] == "dominated" else {"any"}:
            key = (row["event"], row["what"], animal)
            counts[key] = counts.get(key, 0) + row["len"]

    def rows() -> Iterator[dict[str, Any]]:
        for event in ("tile", "tundra", "score", "dominated"):
            for animal in ("any", *cell.rules.animals) if event == "dominated" else ("any",):
                for name in HEX_NAMES:
                    per_game = counts.get((event, name, animal), 0) / games
                    own = {"event": event, "animal": animal, "hex": name, "per_game": per_game}
                    yield about(cell) | own | {"games": games}

    return frame(rows(), {"event": str, "animal": str, "hex": str, "per_game": float, "games": int})


def winning(study: Study, cell: Cell) -> polars.DataFrame:
    """What goes with winning: of every animal, a logistic regression on what it did in a game.

    `odds_ratio` is what one standard deviation more of a feature does to the odds, the others held; of the
    first `REGRESSION_GAMES` games. Needs all columns.
    """
    pl = load("polars", "lab")

    def features(animal: str) -> dict[str, Any]:
        pawns = {
            f"pawns on {action}": pl.sum_horizontal(
                [pl.col(f"placed_{animal}_{s}").cast(pl.Int64) for s in names]
            )
            for action, names in ACTIONS.items()
        }
        taken = [(pl.col(f"card_{card}") == animal).fill_null(False) for card in cell.rules.cards]
        others = {
            "cards taken": pl.sum_horizontal([took.cast(pl.Int64) for took in taken]),
            "species eliminated": pl.col(f"eliminated_{animal}"),
            "length of the game": pl.col("turns"),
        }
        return pawns | others

    def rows() -> Iterator[dict[str, Any]]:
        for animal in cell.rules.animals:
            named = features(animal)
            chosen = (
                study.games(cell)
                .head(REGRESSION_GAMES)
                .select(
                    won(seat_of(cell, animal)).alias("won"), *(e.alias(name) for name, e in named.items())
                )
            )
            table = study.collect(chosen)
            matrix = table.select(list(named)).to_numpy().astype(np.float64)
            for feature, effect in zip(named, logistic(matrix, table["won"].to_numpy()), strict=True):
                if effect is not None:
                    own = {"animal": animal, "feature": feature, "games": len(table)}
                    yield about(cell) | own | effect._asdict()

    numbers = dict.fromkeys(("odds_ratio", "low", "high", "p"), float)
    return frame(rows(), {"animal": str, "feature": str, "games": int, **numbers})
