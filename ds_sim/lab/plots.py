"""The plots of the report: matplotlib figures as inline SVG that takes its colours from the page.

Colours here are names of CSS variables of the page, each hidden behind a colour of its own that no plot uses
otherwise, and put back in the SVG: so one picture serves light and dark. Text stays text.
"""

from __future__ import annotations

import io
import math
import re
import textwrap
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ..board import ANIMALS, HEX_NAMES, HEX_XY
from ..tables import load
from .statistics import ALPHA

Row = Mapping[str, Any]

_VARIABLES: Final = (
    *("ink", "muted", "grid", "paper", "accent", "contrast"),
    *ANIMALS,
    *(f"source-{i}" for i in range(8)),
)
_HIDDEN: Final = {name: f"#0102{i:02x}" for i, name in enumerate(_VARIABLES, start=1)}
INK, MUTED, GRID, PAPER, ACCENT, CONTRAST = (_HIDDEN[name] for name in _VARIABLES[:6])

SOURCES: Final[Mapping[str, tuple[str, ...]]] = {
    "domination": ("domination",),
    "final scoring": ("final_scoring",),
    "ice age": ("ice_age",),
    "glaciation": ("glaciation",),
    "wanderlust": ("wanderlust",),
    "survival": ("survival",),
    "cards": ("biodiversity", "ecodiversity", "fertile"),
    "handicap": ("handicap",),
}
"""Sources as the plot groups them; losses stand apart, to the left of zero."""

_STYLE: Final = {
    "svg.fonttype": "none",
    "text.parse_math": False,  # names may have dollars
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": MUTED,
    "axes.edgecolor": GRID,
    "axes.titlecolor": INK,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.grid": True,
    "axes.grid.axis": "x",
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": GRID,
    "xtick.labelcolor": MUTED,
    "ytick.color": GRID,
    "ytick.labelcolor": INK,
    "ytick.left": False,
    "legend.frameon": False,
    "legend.labelcolor": INK,
}


def svg(label: str, width: float, height: float, draw: Callable[[Any], None]) -> str:
    """What `draw` puts on a figure of this size (inches), as inline SVG with a label for screen readers."""
    matplotlib = load("matplotlib", "lab")
    figures = load("matplotlib.figure", "lab")
    ids = _slug(label)
    with matplotlib.rc_context(_STYLE | {"svg.hashsalt": ids}):
        figure = figures.Figure(figsize=(width, height), layout="constrained")
        figure.patch.set_alpha(0)
        draw(figure)
        for axes in figure.axes:
            axes.patch.set_alpha(0)
        out = io.BytesIO()
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing")  # text stays text: the page has other fonts
            figure.savefig(out, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return _inline(out.getvalue().decode(), label, ids)


def _slug(label: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-")


def _inline(text: str, label: str, ids: str) -> str:
    """The SVG without namespaces and metadata (they hold addresses), with ids of its own and the page's
    colours.
    """
    root = ET.fromstring(text)
    for parent in root.iter():
        for child in list(parent):
            if child.tag.endswith("}metadata"):
                parent.remove(child)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        for name in list(element.attrib):
            value = element.attrib.pop(name)
            value = re.sub(r"url\(#", f"url(#{ids}-", value)
            plain = name.rpartition("}")[2]
            if plain == "id":
                value = f"{ids}-{value}"
            elif plain == "href":
                value = f"#{ids}-{value.removeprefix('#')}"
            element.set(plain, re.sub(r"font: ([0-9.]+)px [^;]*", r"font-size: \1px", value))
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("role", "img")
    root.set("aria-label", label)
    inline = ET.tostring(root, encoding="unicode")
    for name, colour in _HIDDEN.items():
        inline = inline.replace(colour, f"var(--{name})")
    return inline


def colour_of(seat: str) -> str:
    """The colour of a seat: that of its first animal."""
    return _HIDDEN[seat.partition(" + ")[0]]


def _panels(figure: Any, count: int, *, columns: int = 4, **options: Any) -> list[Any]:
    columns = min(count, columns)
    axes = figure.subplots(math.ceil(count / columns), columns, squeeze=False, **options).ravel()
    for spare in axes[count:]:
        spare.remove()
    return list(axes[:count])


def _dots(
    axes: Any,
    rows: Sequence[Row],
    name: str,
    value: str,
    *,
    scale: float,
    colour: Callable[[Row], str],
    sure: Callable[[Row], bool] = lambda row: True,
) -> None:
    """A dot and its interval for each row, from the top down; a hollow dot for what is not sure."""
    for y, row in enumerate(rows):
        low, high, at = (scale * row[key] for key in ("low", "high", value))
        if not math.isnan(low):
            axes.plot([low, high], [y, y], color=colour(row), linewidth=2.4, solid_capstyle="round")
        inside, edge, width = (colour(row), PAPER, 1.0) if sure(row) else (PAPER, colour(row), 1.4)
        axes.plot(
            [at],
            [y],
            "o",
            color=inside,
            markersize=6,
            markeredgecolor=edge,
            markeredgewidth=width,
            clip_on=False,
        )
    axes.set_yticks(range(len(rows)), [str(row[name]).replace("_", " ") for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)


def win_rates(groups: Mapping[str, Sequence[Row]], what: str = "seat") -> str:
    """Win rates, one panel a line-up, with the fair share as a line."""
    effects = load("matplotlib.patheffects", "lab")

    def draw(figure: Any) -> None:
        for axes, (title, rows) in zip(
            _panels(figure, len(groups), sharex=True, sharey=True), groups.items(), strict=True
        ):
            axes.axvline(100 * rows[0]["fair"], color=MUTED, linestyle=(0, (3, 3)), linewidth=1)
            _dots(axes, rows, what, "rate", scale=100, colour=lambda row: colour_of(row[what]))
            for y, row in enumerate(rows):
                axes.annotate(
                    f"{100 * row['rate']:.1f}",
                    (100 * row["high"], y),
                    (5, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize=8,
                    path_effects=[effects.withStroke(linewidth=2.5, foreground=PAPER)],
                )
            axes.set_title(textwrap.fill(title, 84 // min(4, len(groups))), fontsize=9)
            axes.set_xlabel("% of games won")
            axes.set_xlim(0, 115 * max(row["high"] for rows in groups.values() for row in rows))

    most = max(map(len, groups.values()))
    return svg(f"Win rates by {what}", 7.6, (0.8 + 0.26 * most) * math.ceil(len(groups) / 4), draw)


def differences(groups: Mapping[str, Sequence[Row]]) -> str:
    """Differences of win rates to the base, one panel a variant."""

    def draw(figure: Any) -> None:
        panels = _panels(figure, len(groups), columns=3, sharex=True, sharey=True)
        for axes, (title, rows) in zip(panels, groups.items(), strict=True):
            axes.axvline(0, color=MUTED, linewidth=1)
            _dots(
                axes,
                rows,
                "seat",
                "difference",
                scale=100,
                colour=lambda row: colour_of(row["seat"]),
                sure=lambda row: row["p_holm"] < ALPHA,
            )
            axes.set_title(textwrap.fill(title, 30), fontsize=9)
        for axes in panels[-3:]:
            axes.set_xlabel("points of win rate")

    most = max(map(len, groups.values()))
    return svg("Effect of every variant", 7.6, (0.65 + 0.26 * most) * math.ceil(len(groups) / 3) + 0.3, draw)


def sources(rows: Sequence[Row]) -> str:
    """Mean VPs of every animal, by where they come from."""
    animals = list(dict.fromkeys(row["animal"] for row in rows))
    means = {(row["animal"], row["source"]): row["vp"] for row in rows}

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        left = dict.fromkeys(animals, 0.0)
        for i, (name, parts) in enumerate(SOURCES.items()):
            widths = [sum(means[animal, part] for part in parts) for animal in animals]
            if any(widths):
                bars = axes.barh(
                    range(len(animals)),
                    widths,
                    left=list(left.values()),
                    color=_HIDDEN[f"source-{i}"],
                    height=0.66,
                    edgecolor=PAPER,
                    linewidth=0.8,
                    label=name,
                )
                labels = [f"{w:.0f}" if w > 0.05 * max(1, max(widths)) and w >= 3 else "" for w in widths]
                axes.bar_label(bars, labels, label_type="center", fontsize=7.5, color=PAPER)
                left = {a: left[a] + w for a, w in zip(animals, widths, strict=True)}
        losses = [means[animal, "losses"] for animal in animals]
        if any(losses):
            axes.barh(range(len(animals)), losses, color=MUTED, height=0.66, label="losses")
        for y, animal in enumerate(animals):
            total = left[animal] + losses[y]
            axes.annotate(f"{total:.1f}", (left[animal], y), (5, 0), textcoords="offset points", va="center")
        axes.set_yticks(range(len(animals)), animals)
        axes.set_ylim(len(animals) - 0.5, -0.5)
        axes.set_xlabel("mean VPs a game")
        axes.margins(x=0.07)
        figure.legend(loc="outside upper left", ncols=5, handlelength=1, columnspacing=1.2, fontsize=8.5)

    return svg("Sources of victory points", 7.6, 1.1 + 0.34 * len(animals), draw)


def cards(rows: Sequence[Row], takers: Sequence[Row]) -> str:
    """What goes with taking each card, and who takes it."""
    ordered = sorted(rows, key=lambda row: -row["impact"] if row["games"] else math.inf)
    animals = list(dict.fromkeys(row["animal"] for row in takers))
    games = {(row["card"], row["animal"]): row["games"] for row in takers}

    def draw(figure: Any) -> None:
        impact, shares = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
        impact.axvline(0, color=MUTED, linewidth=1)
        _dots(
            impact,
            ordered,
            "card",
            "impact",
            scale=100,
            colour=lambda row: ACCENT if row["impact"] > 0 else CONTRAST,
            sure=lambda row: not row["low"] <= 0 <= row["high"],
        )
        impact.set_xlabel("points of win rate, against the same animal's average card")
        impact.set_title("How its takers fare")
        for y, row in enumerate(ordered):
            left = 0.0
            for animal in animals:
                width = (
                    100 * games[row["card"], animal] * row["taken"] / row["games"] if row["games"] else 0.0
                )
                label = animal if y == 0 else None
                shares.barh(y, width, left=left, color=_HIDDEN[animal], height=0.7, label=label)
                left += width
        shares.set_xlabel("% of games")
        shares.set_xlim(0, 100)
        shares.set_title("Who takes it")
        figure.legend(loc="outside upper right", ncols=6, handlelength=1, columnspacing=1, fontsize=8.5)

    return svg("Impact of cards", 7.6, 1.3 + 0.21 * len(ordered), draw)


def _heat(axes: Any, values: Sequence[Sequence[float]], most: float, text: Callable[[float], str]) -> None:
    """A table of cells, the darker the more; negative ones in the contrasting colour."""
    patches = load("matplotlib.patches", "lab")
    for y, line in enumerate(values):
        for x, value in enumerate(line):
            strength = min(1.0, abs(value) / most) if most and not math.isnan(value) else 0.0
            colour = CONTRAST if value < 0 else ACCENT
            axes.add_patch(
                patches.Rectangle(
                    (x - 0.47, y - 0.44),
                    0.94,
                    0.88,
                    facecolor=colour,
                    alpha=0.05 + 0.8 * strength,
                    linewidth=0,
                )
            )
            _number(axes, x, y, text(value), strength, 7.5)
    axes.set_xlim(-0.5, len(values[0]) - 0.5)
    axes.set_ylim(len(values) - 0.5, -0.5)
    axes.grid(False)
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(length=0)


def _number(axes: Any, x: float, y: float, text: str, strength: float, size: float) -> None:
    """A number in a cell of this strength; light on dark."""
    colour = PAPER if strength > 0.72 else INK
    axes.text(x, y, text, ha="center", va="center", fontsize=size, color=colour).set_in_layout(False)


def spaces_by_turn(rows: Sequence[Row], *, most_turns: int = 16) -> str:
    """Pawns placed by kind of action and turn."""
    actions = list(dict.fromkeys(row["action"] for row in rows))
    longest = max(row["games"] for row in rows)
    turns = sorted({row["turn"] for row in rows if row["games"] >= longest / 20})[:most_turns]
    pawns = {(row["action"], row["turn"]): row["pawns"] for row in rows}

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        values = [[pawns[action, turn] for turn in turns] for action in actions]
        _heat(axes, values, max(map(max, values)), lambda value: f"{value:.1f}" if value >= 0.05 else "")
        axes.set_xticks(range(len(turns)), turns)
        axes.set_yticks(range(len(actions)), actions)
        axes.set_xlabel("turn")

    return svg("Pawns by action and turn", 7.6, 0.7 + 0.26 * len(actions), draw)


def board(rows: Sequence[Row]) -> str:
    """The board four times: tiles put there, tundra, scored, dominated at the end."""
    patches = load("matplotlib.patches", "lab")
    titles = {
        "tile": "Tiles put here\n% of games",
        "tundra": "Glaciated\n% of games",
        "score": "Scored\ntimes a game",
        "dominated": "Dominated at the end\n% of games",
    }

    def draw(figure: Any) -> None:
        for axes, (event, title) in zip(_panels(figure, 4, columns=4), titles.items(), strict=True):
            values = {r["hex"]: r["per_game"] for r in rows if r["event"] == event and r["animal"] == "any"}
            most = max(1.0 if event != "score" else 0.0, *values.values()) or 1.0
            for name, (x, y) in zip(HEX_NAMES, HEX_XY, strict=True):
                strength = values[name] / most
                axes.add_patch(
                    patches.RegularPolygon(
                        (x, y),
                        6,
                        radius=0.95,
                        orientation=math.pi / 6,
                        facecolor=ACCENT,
                        alpha=0.06 + 0.8 * strength,
                        linewidth=0,
                    )
                )
                number = f"{values[name]:.1f}" if event == "score" else f"{100 * values[name]:.0f}"
                _number(axes, x, y, number, strength, 6)
            axes.set_aspect("equal")
            axes.set_xlim(HEX_XY[:, 0].min() - 1, HEX_XY[:, 0].max() + 1)
            axes.set_ylim(HEX_XY[:, 1].max() + 1, HEX_XY[:, 1].min() - 1)
            axes.axis("off")
            axes.set_title(title, fontsize=8.5, linespacing=1.4)

    return svg("Heat maps of the board", 7.6, 2.5, draw)


def histograms(lengths: Sequence[Row], margins: Sequence[Row] | None) -> str:
    """How long games last, and by how much they are won."""

    def draw(figure: Any) -> None:
        panels = _panels(figure, 2 if margins else 1)
        _bars(panels[0], {row["turns"]: row["games"] for row in lengths}, "turns", 1)
        panels[0].set_title("Length")
        if margins:
            counts = {row["margin"]: row["games"] for row in margins}
            _bars(panels[1], counts, "VPs between the winner and the next", max(1, max(counts) // 25))
            panels[1].set_title("Margin")

    return svg("Length of games and margin of victory", 7.6, 2.1, draw)


def _bars(axes: Any, counts: Mapping[int, int], label: str, width: int) -> None:
    total = sum(counts.values())
    bins: dict[int, int] = {}
    for value, games in counts.items():
        bins[value // width * width] = bins.get(value // width * width, 0) + games
    axes.bar(
        [b + width / 2 - 0.5 for b in bins],
        [100 * n / total for n in bins.values()],
        0.85 * width,
        color=ACCENT,
    )
    axes.set_xlabel(label)
    axes.set_ylabel("% of games")
    axes.grid(True, axis="y")
    axes.grid(False, axis="x")


def initiative(rows: Sequence[Row]) -> str:
    """How often each animal wins by its pawns on initiative."""
    animals = list(dict.fromkeys(row["animal"] for row in rows))
    shown = [row for row in rows if row["games"] >= min(30, max(row["games"] for row in rows))]

    def draw(figure: Any) -> None:
        for axes, animal in zip(_panels(figure, len(animals), columns=6, sharey=True), animals, strict=True):
            own = [row for row in shown if row["animal"] == animal]
            for row in own:
                axes.plot(
                    [row["pawns"]] * 2,
                    [100 * row["low"], 100 * row["high"]],
                    color=_HIDDEN[animal],
                    linewidth=2.4,
                    solid_capstyle="round",
                )
            axes.plot(
                [row["pawns"] for row in own],
                [100 * row["rate"] for row in own],
                "o-",
                color=_HIDDEN[animal],
                linewidth=0.8,
                markersize=5,
                markeredgecolor=PAPER,
            )
            axes.set_title(animal, fontsize=9)
            axes.set_xticks(range(5), ["0", "1", "2", "3", "4+"])
            axes.set_xlim(-0.5, 4.5)
            axes.grid(True, axis="y")
            axes.grid(False, axis="x")
        figure.axes[0].set_ylim(0, 105 * max(row["high"] for row in shown))
        figure.axes[0].set_ylabel("% won")
        figure.supxlabel("pawns placed on initiative in a game", fontsize=9, color=MUTED)

    return svg("Winning and initiative", 7.6, 2.1, draw)


def winning(rows: Sequence[Row]) -> str:
    """Odds ratios of the regression, animals by features."""
    animals = list(dict.fromkeys(row["animal"] for row in rows))
    features = list(dict.fromkeys(row["feature"] for row in rows))
    logs = {(row["feature"], row["animal"]): math.log(row["odds_ratio"]) for row in rows}

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        values = [[logs.get((feature, animal), math.nan) for animal in animals] for feature in features]
        _heat(axes, values, 1.0, lambda value: "" if math.isnan(value) else f"{math.exp(value):.2f}")
        axes.set_xticks(range(len(animals)), animals)
        axes.tick_params(axis="x", top=False, labeltop=True, labelbottom=False)
        axes.set_yticks(range(len(features)), features)

    return svg("What goes with winning", 6.6, 0.5 + 0.26 * len(features), draw)
