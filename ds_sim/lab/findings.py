"""What a report says first: its figures in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from .campaign import BASE, Cell
from .statistics import ALPHA

if TYPE_CHECKING:
    from .report import Report

Row = dict[str, Any]

MOST_LINEUPS: Final = 3
"""Line-ups whose variants get a sentence each."""

MINUS: Final = "\N{MINUS SIGN}"


def findings(report: Report) -> list[str]:
    """The findings of a report, the main one first."""
    return [
        *_policies(report),
        *_balance(report),
        *_guests(report),
        *_against(report),
        *_variants(report),
        *_details(report),
    ]


def _balance(report: Report) -> Iterator[str]:
    for cell in report.detailed:
        if not _guests_of(cell):  # else who plays an animal says more than the animal
            yield balance(_rates(report, cell), _where(cell))


def _rates(report: Report, cell: Cell) -> list[Row]:
    return [row for row in report.frames["win_rates"].iter_rows(named=True) if row["cell"] == cell.number]


def _guests_of(cell: Cell) -> list[str]:
    """The animals played by another policy than most."""
    return [animal for animal, policy in cell.policies if policy != cell.host]


def _guests(report: Report) -> Iterator[str]:
    """How those fare who play otherwise than the rest, if they do not take turns at all seats."""
    rotated = set(report.frames["policy_rates"]["lineup"])
    for cell in report.detailed:
        if cell.lineup in rotated or not _guests_of(cell):
            continue
        hosts = tuple((animal, cell.host) for animal, _ in cell.policies)
        among = [c for c in report.study.base_cells if c.setting == (cell.rules.animals, hosts)]
        usual = {row["seat"]: row for other in among for row in _rates(report, other)}
        for row in _rates(report, cell):
            if row["policy"] != cell.host:
                there = usual.get(row["seat"])
                beside = f"; {cell.host} itself wins {100 * there['rate']:.1f} % there" if there else ""
                yield (
                    f"As the {row['seat']} among {cell.host} players, {row['policy']} wins "
                    f"{100 * row['rate']:.1f} % (95 % interval {100 * row['low']:.1f} to "
                    f"{100 * row['high']:.1f}){beside}."
                )


def balance(rows: Sequence[Row], where: str) -> str:
    """Whether seats win alike, in one sentence or two."""
    fair = rows[0]["fair"]
    ordered = sorted(rows, key=lambda row: -row["rate"])
    best, worst = ordered[0], ordered[-1]
    off = [row for row in rows if not row["low"] <= fair <= row["high"]]
    share = f"{100 * fair:.1f} %"
    if not off:
        return (
            f"{where}, no imbalance shows: the 95 % interval of every win rate contains the fair {share}. "
            f"Highest is {_rate(best)}, lowest {_rate(worst)}."
        )
    return (
        f"{where}, the game is not balanced: {_rate(best)} wins most, {_rate(worst)} least, "
        f"where {share} would be fair. "
        f"{len(off)} of {len(rows)} differ from that by more than chance explains."
    )


def _rate(row: Row) -> str:
    return (
        f"the {row['seat']} with {100 * row['rate']:.1f} % "
        f"(95 % interval {100 * row['low']:.1f} to {100 * row['high']:.1f})"
    )


def _where(cell: Cell) -> str:
    animals = cell.rules.animals
    who = "six animals" if len(animals) == 6 else " and ".join([", ".join(animals[:-1]), animals[-1]])
    return f"With {who} under {cell.players} play"


def _variants(report: Report) -> Iterator[str]:
    rows = [r for r in report.frames["comparisons"].iter_rows(named=True) if r["measure"] == "win"]
    lineups = list(dict.fromkeys(row["lineup"] for row in rows))
    settings = {(row["lineup"], row["animals"]) for row in rows}
    if len(settings) > len(lineups) or len(lineups) > MOST_LINEUPS:
        yield change(rows, "over all settings", "comparison")
        return
    for lineup in lineups:
        yield change([row for row in rows if row["lineup"] == lineup], f"under {lineup} play", "variant")


def _against(report: Report) -> Iterator[str]:
    if "against" in report.frames:
        rows = [r for r in report.frames["against"].iter_rows(named=True) if r["measure"] == "win"]
        assert report.other is not None
        yield change(rows, f"against the campaign {report.other.campaign.name!r}", "cell")


def change(rows: Sequence[Row], where: str, what: str) -> str:
    """The largest of several differences of win rates that is more than chance, in a sentence."""
    found = [row for row in rows if row["p_holm"] < ALPHA]
    count = len({(row["variant"], row["lineup"], row["animals"]) for row in rows})
    names = {(row["variant"], row["lineup"], row["animals"]) for row in found}
    many = f"{count} {what}{'s' * (count > 1)}"
    if not found:
        return f"Of {many} {where}, none changes who wins by more than chance explains."
    largest = max(found, key=lambda row: abs(row["difference"]))
    name = "" if largest["variant"] == BASE else f" under {largest['variant'].replace('_', ' ')}"
    return (
        f"Of {many} {where}, {len(names)} change{'s' * (len(names) == 1)} who wins. "
        f"Largest: the {largest['seat']} wins {100 * largest['value']:.1f} %{name} instead of "
        f"{100 * largest['base']:.1f} %, {100 * largest['difference']:+.1f} points "
        f"(interval {100 * largest['low']:+.1f} to {100 * largest['high']:+.1f}; "
        f"p {_p(largest['p_holm'])}, corrected)."
    ).replace("-", MINUS)


def _p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"= {p:.4f}"


def _policies(report: Report) -> Iterator[str]:
    rows = [r for r in report.frames["policy_rates"].iter_rows(named=True) if r["variant"] == BASE]
    for lineup in dict.fromkeys(row["lineup"] for row in rows):
        best = max(
            (row for row in rows if row["lineup"] == lineup), key=lambda row: row["rate"] - row["fair"]
        )
        yield (
            f"At one table ({lineup}), {best['policy']} wins {100 * best['rate']:.1f} % of games "
            f"({100 * best['low']:.1f} to {100 * best['high']:.1f}), "
            f"where {100 * best['fair']:.1f} % would be fair."
        )


def _details(report: Report) -> Iterator[str]:
    """What the first detailed cell shows."""
    cell = report.detailed[0]
    frames = {name: list(f.iter_rows(named=True)) for name, f in report.details[cell.number].items()}
    yield from _length(frames)
    if "vp_sources" in frames:
        yield _sources(frames["vp_sources"])
    if "cards" in frames:
        yield from _cards(frames["cards"])


def _length(frames: dict[str, list[Row]]) -> Iterator[str]:
    lengths = {row["turns"]: row["games"] for row in frames["lengths"]}
    low, middle, high = (quantile(lengths, q) for q in (0.05, 0.5, 0.95))
    text = f"Half of the games last {middle} turns or fewer, nine of ten between {low} and {high}"
    if "spread" in frames:
        margin = quantile({row["margin"]: row["games"] for row in frames["spread"]}, 0.5)
        text += f"; half are won by a margin of {margin} VPs or less"
    yield text + "."
    stopped = sum(row["truncated"] for row in frames["lengths"])
    if stopped:
        share = 100 * stopped / sum(lengths.values())
        yield f"{share:.1f} % of the games were stopped at the turn limit, not finished."


def quantile(counts: dict[int, int], q: float) -> int:
    """The smallest value with at least a share q of the counts at or below it.

    >>> quantile({3: 1, 5: 2, 9: 1}, 0.5)
    5
    """
    needed, seen = q * sum(counts.values()), 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= needed:
            return value
    raise ValueError("no counts")


def _sources(rows: Sequence[Row]) -> str:
    totals: dict[str, float] = {}
    for row in rows:
        if row["source"] != "losses":
            totals[row["source"]] = totals.get(row["source"], 0.0) + row["vp"]
    every = sum(totals.values()) or 1.0
    first, second, *_ = sorted(totals, key=lambda source: -totals[source])
    return (
        f"{100 * totals[first] / every:.0f} % of all VPs come from {first.replace('_', ' ')}, "
        f"{100 * totals[second] / every:.0f} % from {second.replace('_', ' ')}."
    )


def _cards(rows: Sequence[Row]) -> Iterator[str]:
    known = [row for row in rows if row["games"] and not row["low"] <= 0 <= row["high"]]
    if known:
        best = max(known, key=lambda row: row["impact"])
        worst = min(known, key=lambda row: row["impact"])
        parts = [
            f"{row['card'].replace('_', ' ').title()} wins {abs(100 * row['impact']):.1f} points {word} often"
            for row, word in ((best, "more"), (worst, "less"))
            if (row["impact"] > 0) == (word == "more")
        ]
        yield f"Who takes {' and who takes '.join(parts)} than the same animal does with its average card."
