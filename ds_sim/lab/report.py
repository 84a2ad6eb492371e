"""The report of a campaign: one HTML file that opens offline, and the same as plain data."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .. import __version__
from ..tables import GROUPS, load
from . import detail, findings, plots, rates
from .campaign import BASE, CampaignError, Cell
from .findings import MINUS
from .folder import write
from .study import Study, seat_name

if TYPE_CHECKING:
    import polars

Rows = list[dict[str, Any]]

NONE: Final = "\N{EN DASH}"
"""Stands for a number that does not exist."""

MOST_DETAILED: Final = 4
"""Cells that get a chapter of their own."""

MOST_VARIANTS: Final = 12
"""Variants that are drawn; tables hold all."""

_DETAILS: Final[Mapping[str, tuple[Any, str]]] = {
    "vp_sources": (detail.vp_sources, "sources"),
    "cards": (detail.cards, "cards"),
    "card_takers": (detail.card_takers, "cards"),
    "spaces": (detail.spaces, "spaces"),
    "initiative": (detail.initiative, "spaces"),
    "lengths": (detail.lengths, ""),
    "spread": (detail.spread, "vp"),
    "spaces_by_turn": (detail.spaces_by_turn, "events"),
    "order": (detail.order, "events"),
    "board": (detail.board, "events"),
    "winning": (detail.winning, "all"),
}
"""The frames of one cell, and the group of columns each needs."""


class Report:
    """What there is to say about a campaign, and against another one."""

    def __init__(self, study: Study, against: Study | None = None) -> None:
        for one in (study, against):
            if one is not None and not one.cells:
                raise CampaignError(f"{one.folder.path}: no games yet; `ds-sim campaign run` plays them")
        self.study = study
        self.other = against

    @cached_property
    def frames(self) -> dict[str, polars.DataFrame]:
        """Every frame over all cells."""
        frames = {
            "win_rates": rates.win_rates(self.study),
            "policy_rates": rates.policy_rates(self.study),
            "size_rates": rates.size_rates(self.study),
            "comparisons": rates.comparisons(self.study),
        }
        if self.other is not None:
            frames["against"] = rates.against(self.study, self.other)
        return frames

    @cached_property
    def detailed(self) -> tuple[Cell, ...]:
        """The cells with a chapter of their own: of each line-up, that with most animals and no variant."""
        largest: dict[str, Cell] = {}
        for cell in sorted(
            self.study.base_cells or self.study.cells, key=lambda cell: -len(cell.rules.animals)
        ):
            largest.setdefault(cell.lineup, cell)
        return tuple(list(largest.values())[:MOST_DETAILED])

    @cached_property
    def details(self) -> dict[int, dict[str, polars.DataFrame]]:
        """The frames of each of these cells, as far as their columns were kept."""
        return {cell.number: self._details(cell) for cell in self.detailed}

    def _details(self, cell: Cell) -> dict[str, polars.DataFrame]:
        def possible(name: str, needed: str) -> bool:
            if name == "spread" and len(cell.rules.seats) < 2:
                return False  # no next best
            if needed == "events":
                return self.study.has_events(cell)
            groups = GROUPS if needed == "all" else [needed] if needed else []
            return all(map(self.study.has_group, groups))

        return {
            name: make(self.study, cell)
            for name, (make, needed) in _DETAILS.items()
            if possible(name, needed)
        }

    @cached_property
    def findings(self) -> list[str]:
        """What was found, in sentences, the main one first."""
        return findings.findings(self)

    def to_dict(self) -> dict[str, Any]:
        """The whole report as plain data; numbers that do not exist are None."""
        campaign = self.study.campaign
        return {
            "campaign": campaign.to_dict(),
            "versions": self.study.folder.manifest["versions"],
            "games": sum(map(self.study.count, self.study.cells)),
            "findings": self.findings,
            "intervals": "95 %; rates: Wilson; means: normal; comparisons: valid at any time",
            **{name: records(frame) for name, frame in self.frames.items()},
            "details": {
                number: {name: records(frame) for name, frame in frames.items()}
                for number, frames in self.details.items()
            },
        }

    def to_html(self) -> str:
        """The whole report as one HTML file, without a single address of the network."""
        jinja = load("jinja2", "lab")
        environment = jinja.Environment(
            loader=jinja.FileSystemLoader(Path(__file__).parent),
            autoescape=True,
            undefined=jinja.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters |= {
            "percent": _percent,
            "words": _words,
            "points": _points,
            "p": _p,
            "number": _number,
        }
        return str(environment.get_template("report.html").render(self._page()))

    def write(self, path: str | os.PathLike[str]) -> None:
        """`to_html` into a file, whole or not at all."""
        write(Path(path), self.to_html().encode("utf-8"))

    # ---- what the page shows ----

    def _page(self) -> dict[str, Any]:
        markup = load("markupsafe", "lab").Markup
        study, campaign = self.study, self.study.campaign
        done = sum(map(study.count, study.cells))
        lineups = list(dict.fromkeys(cell.lineup for cell in study.cells))
        return {
            "campaign": campaign,
            "version": __version__,
            "played": study.folder.manifest["versions"],
            "cells": study.cells,
            "games": done,
            "missing": campaign.total - done,
            "lineups": lineups,
            "findings": self.findings,
            "rates": records(self.frames["win_rates"]),
            "policy_rates": records(self.frames["policy_rates"]),
            "size_rates": self._sizes(),
            "comparisons": records(self.frames["comparisons"]),
            "against": records(self.frames["against"]) if "against" in self.frames else [],
            "other": self.other,
            "figures": {name: markup(text) for name, text in self._figures()},
            "chapters": [self._chapter(cell, markup) for cell in self.detailed],
            "left_out": len(study.base_cells) - len(self.detailed),
            "detailed_games": max(map(study.detailed, self.detailed)),
            "regression_games": min(detail.REGRESSION_GAMES, max(map(study.count, self.detailed))),
        }

    def _sizes(self) -> Rows:
        """Win rates by the number of animals, if there are several sets of them."""
        several = len({cell.rules.animals for cell in self.study.cells}) > 1
        return [row for row in records(self.frames["size_rates"]) if several and row["variant"] == BASE]

    def _figures(self) -> Iterator[tuple[str, str]]:
        """The plots over all cells."""
        cells = {cell.number: cell for cell in self.detailed}
        groups: dict[str, Rows] = {}
        for row in _numbers(self.frames["win_rates"]):
            if row["cell"] in cells:
                groups.setdefault(self._short(cells[row["cell"]]), []).append(row)
        yield "rates", plots.win_rates(groups)
        sizes: dict[str, Rows] = {}
        for row in self._sizes():
            if row["lineup"] == self.detailed[0].lineup:
                sizes.setdefault(f"{row['size']} animals", []).append(row)
        if sizes:
            yield "sizes", plots.win_rates(sizes, "animal")
        for name in ("comparisons", "against"):
            rows = (
                [r for r in _numbers(self.frames[name]) if r["measure"] == "win"]
                if name in self.frames
                else []
            )
            drawn: dict[str, Rows] = {}
            several = len({(row["lineup"], row["animals"]) for row in rows}) > 1
            for row in rows:
                title = _words(row["variant"]) + (f", {row['lineup']}" if several else "")
                drawn.setdefault(title, []).append(row)
            if drawn:
                yield name, plots.differences(dict(list(drawn.items())[:MOST_VARIANTS]))

    def _short(self, cell: Cell) -> str:
        """What tells a cell from the others of the detailed ones."""
        several = len({other.rules.animals for other in self.detailed}) > 1
        return f"{cell.players}, {len(cell.rules.animals)} animals" if several else cell.players

    def _chapter(self, cell: Cell, markup: Any) -> dict[str, Any]:
        frames = self.details[cell.number]
        rows = {name: _numbers(frame) for name, frame in frames.items()}
        drawn: dict[str, str] = {"lengths": plots.histograms(rows["lengths"], rows.get("spread"))}
        for name, draw in (
            ("vp_sources", plots.sources),
            ("spaces_by_turn", plots.spaces_by_turn),
            ("board", plots.board),
            ("initiative", plots.initiative),
            ("winning", plots.winning),
        ):
            if rows.get(name):
                drawn[name] = draw(rows[name])
        if "cards" in rows:
            drawn["cards"] = plots.cards(rows["cards"], rows["card_takers"])
        return {
            "cell": cell,
            "title": self._short(cell),
            "seats": [seat_name(seat) for seat in cell.rules.seats],
            # Several chapters on one page need ids of their own.
            "figures": {n: markup(_renamed(text, cell.number)) for n, text in drawn.items()},
            "rows": {name: records(frame) for name, frame in frames.items()},
        }


def _renamed(svg: str, number: int) -> str:
    return (
        svg.replace('id="', f'id="c{number}-')
        .replace("url(#", f"url(#c{number}-")
        .replace('href="#', f'href="#c{number}-')
    )


def records(frame: polars.DataFrame) -> Rows:
    """The rows of a frame, with None for what is no number."""
    return [
        {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in row.items()}
        for row in frame.iter_rows(named=True)
    ]


def _numbers(frame: polars.DataFrame) -> Rows:
    return list(frame.iter_rows(named=True))


def _percent(value: float | None, digits: int = 1) -> str:
    return NONE if value is None else f"{100 * value:.{digits}f}"


def _points(value: float | None, digits: int = 1, scale: float = 1) -> str:
    return NONE if value is None else f"{scale * value:+.{digits}f}".replace("-", MINUS)


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:.2f}".replace("-", MINUS)


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}" if value < 0.01 else f"{value:.2f}"


def _words(name: str) -> str:
    return name.replace("_", " ")
