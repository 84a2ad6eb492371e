"""Who wins: rates by seat, by policy and by the number of animals; variants and campaigns compared."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from ..tables import load
from .campaign import BASE, CampaignError, Cell
from .statistics import any_time, holm, sign_test
from .study import RATE, Study, Types, about, frame, rate, score, seat_name, won

if TYPE_CHECKING:
    import polars

_COMPARISON: Final[Types] = {
    "seat": str,
    "measure": str,
    "pairs": int,
    "base": float,
    "value": float,
    "difference": float,
    "low": float,
    "high": float,
    "p": float,
    "p_holm": float,
}


def win_rates(study: Study) -> polars.DataFrame:
    """Of every seat of every cell: games, wins, rate with its Wilson interval, and the fair share."""

    def rows() -> Iterator[dict[str, Any]]:
        for cell in study.cells:
            seats = cell.rules.seats
            sums = study.sums(study.games(cell), {seat_name(seat): won(seat) for seat in seats})
            for seat in seats:
                name, policy = seat_name(seat), dict(cell.policies)[seat[0]]
                own = {"seat": name, "policy": policy, "fair": 1 / len(seats)}
                yield about(cell) | own | rate(sums[name], sums["n"])

    return frame(rows(), {"seat": str, "policy": str, "fair": float, **RATE})


def policy_rates(study: Study) -> polars.DataFrame:
    """Of every policy of a rotation: how many games its seats won, over the games that all its cells have.

    Of rotations alone: there every policy plays every animal equally often, so that its share is fair.
    """
    cells: dict[tuple[str, str, tuple[str, ...]], list[Cell]] = defaultdict(list)
    for cell in study.campaign.cells:
        cells[cell.variant, cell.lineup, cell.rules.animals].append(cell)

    def rows() -> Iterator[dict[str, Any]]:
        for (variant, lineup, animals), turned in cells.items():
            frames = study.common(turned)
            if not frames or not is_rotation(turned):
                continue
            whole = {"cell": -1, "variant": variant, "lineup": lineup, "animals": ", ".join(animals)}
            wins: dict[str, int] = defaultdict(int)
            seats: Counter[str] = Counter()
            games = 0
            for cell, games_of_cell in zip(turned, frames, strict=True):
                sums = study.sums(games_of_cell, {seat_name(seat): won(seat) for seat in cell.rules.seats})
                games += sums["n"]
                for seat in cell.rules.seats:
                    policy = dict(cell.policies)[seat[0]]
                    wins[policy] += sums[seat_name(seat)]
                    seats[policy] += 1
            for policy, count in wins.items():
                yield whole | {"policy": policy, "fair": seats[policy] / seats.total()} | rate(count, games)

    return frame(rows(), {"policy": str, "fair": float, **RATE})


def is_rotation(cells: Sequence[Cell]) -> bool:
    """Whether several policies play, and each of them every seat equally often."""
    played = Counter((seat, dict(cell.policies)[seat[0]]) for cell in cells for seat in cell.rules.seats)
    policies = {policy for _, policy in played}
    seats = cells[0].rules.seats
    return len(policies) > 1 and all(len({played[seat, p] for seat in seats}) == 1 for p in policies)


def size_rates(study: Study) -> polars.DataFrame:
    """Of every animal, by the number of animals in play, over all sets of them; `animals` says how many."""
    totals: dict[tuple[str, str, int, str], list[tuple[int, int]]] = defaultdict(list)
    for cell in study.cells:
        animals = cell.rules.animals
        sums = study.sums(study.games(cell), {seat_name(seat): won(seat) for seat in cell.rules.seats})
        for seat in cell.rules.seats:
            for animal in seat:
                key = (cell.variant, cell.lineup, len(animals), animal)
                totals[key].append((sums[seat_name(seat)], sums["n"]))

    def rows() -> Iterator[dict[str, Any]]:
        for (variant, lineup, size, animal), counts in totals.items():
            sets = {"variant": variant, "lineup": lineup, "animals": f"{len(counts)} sets of {size}"}
            wins, games = map(sum, zip(*counts, strict=True))
            own = {"animal": animal, "size": size, "fair": 1 / size}
            yield {"cell": -1} | sets | own | rate(wins, games)

    return frame(rows(), {"animal": str, "size": int, "fair": float, **RATE})


# ---- pairs of cells ----


def comparisons(study: Study) -> polars.DataFrame:
    """Every variant against the rules without it, on the same games, for every seat.

    `measure` is "win" (rates) or "vp" (the seat's score); the difference is variant minus base. Its interval
    and `p` hold at any time; `p_holm` is corrected for the number of rows. Wins are tested by their signs,
    exactly.
    """
    bases = {cell.setting: cell for cell in study.base_cells}
    variants = [cell for cell in study.cells if cell.variant != BASE and cell.setting in bases]
    return _compare([(study, bases[cell.setting], study, cell) for cell in variants])


def against(study: Study, other: Study) -> polars.DataFrame:
    """The cells of this campaign compared with those of another: this minus the other, as in `comparisons`.

    Cells of the same name are compared, or the only two. Game i is paired with game i, which needs fewer
    games where both campaigns have one seed, and is as good as no pairing where they have not.
    """
    if len(study.cells) == len(other.cells) == 1:
        matched = [(other.cells[0], study.cells[0])]
    else:
        there = {(cell.variant, cell.setting): cell for cell in other.cells}
        matched = [(there[c.variant, c.setting], c) for c in study.cells if (c.variant, c.setting) in there]
    matched = [(old, new) for old, new in matched if old.rules.seats == new.rules.seats]
    if not matched:
        raise CampaignError(
            f"{other.folder.path}: has no cell that could be compared with those of {study.folder.path}"
        )
    return _compare([(other, old, study, new) for old, new in matched])


def _compare(pairs: Iterable[tuple[Study, Cell, Study, Cell]]) -> polars.DataFrame:
    rows = [row for pair in pairs for row in _differences(*pair)]
    for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row["p_holm"] = p
    return frame(rows, _COMPARISON)


def _differences(old: Study, base: Cell, new: Study, cell: Cell) -> Iterator[dict[str, Any]]:
    pl = load("polars", "lab")
    measures = {"win": won, "vp": score} if old.has_group("vp") and new.has_group("vp") else {"win": won}
    values = {
        f"{seat_name(seat)} {measure}": measured(seat).cast(pl.Int64).alias(f"{seat_name(seat)} {measure}")
        for seat in cell.rules.seats
        for measure, measured in measures.items()
    }
    before, after = (
        study.games(c).select("game", *values.values()) for study, c in ((old, base), (new, cell))
    )
    expressions: dict[str, Any] = {}
    for name in values:
        was, now = pl.col(name), pl.col(f"{name} now")
        expressions |= {
            f"{name} was": was,
            f"{name} now": now,
            f"{name} squares": (now - was) ** 2,
            f"{name} more": now > was,
            f"{name} fewer": now < was,
        }
    sums = new.sums(before.join(after, on="game", suffix=" now"), expressions)
    if not sums["n"]:
        return  # nothing in common yet
    planned = max(old.campaign.games, new.campaign.games)
    for seat in cell.rules.seats:
        for measure in measures:
            yield (
                about(cell)
                | {"seat": seat_name(seat), "measure": measure}
                | _difference(sums, f"{seat_name(seat)} {measure}", measure, planned)
            )


def _difference(sums: dict[str, int], name: str, measure: str, planned: int) -> dict[str, Any]:
    n, was, now = sums["n"], sums[f"{name} was"], sums[f"{name} now"]
    found = any_time(now - was, sums[f"{name} squares"], n, planned)
    exact = measure == "win"
    return {
        "pairs": n,
        "base": was / n,
        "value": now / n,
        "difference": found.mean,
        "low": found.low,
        "high": found.high,
        "p": sign_test(sums[f"{name} more"], sums[f"{name} fewer"]) if exact else found.p,
    }
