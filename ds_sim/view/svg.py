"""A position as one picture that needs nothing else: no font, no address, no style sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from .. import actions
from ..errors import InvalidState, show
from . import _corners, _earth, _panel
from . import _shapes as draw
from ._looks import DARK, LINE, OCEAN, PAPER

if TYPE_CHECKING:
    from ..state import State

Plain = Mapping[str, Any]

_MARGIN: Final = 18.0
_BOARD: Final = (11 * _earth.SIDE + 28, 6 * 3**0.5 * _earth.SIDE + 30)  # the board and its frame
_PANEL_X: Final = _MARGIN + _BOARD[0] + 22
_WIDTH: Final = _PANEL_X + _panel.WIDTH + _MARGIN
_HEIGHT: Final = _BOARD[1] + 2 * _MARGIN
_GAP: Final = 16.0
_FONTS: Final = "Helvetica, Arial, 'Liberation Sans', sans-serif"


def svg(state: State, *, title: str | None = None) -> str:
    """The position as an SVG picture: the board, the animals, the action display, boxes, cards and stacks.

    One element without references: any number can stand in one page, offline, in light or dark mode. The same
    position gives the same text. `title` is written above the turn. Groups carry `data-hex`, `data-corner`,
    `data-space`, `data-animal` and the like, for those who want to find things in it. Raises `InvalidState`
    if `state` is no state or `title` no text.

    >>> from ds_sim import State
    >>> picture = svg(State(seed=7), title="The start")
    >>> picture.startswith("<svg xmlns="), picture.count('data-hex="'), picture.count('data-corner="')
    (True, 35, 12)
    """
    from ..state import State

    if not isinstance(state, State):
        raise InvalidState(f"state = {show(state)}: expected a ds_sim.State")
    if title is not None and not isinstance(title, str):
        raise InvalidState(f"title = {show(title)}: expected a text or None")
    plain = state.to_dict()
    choices = _choices(plain)
    caption = "".join(c if c.isprintable() else " " for c in title or "")  # XML holds no control characters
    return draw.tag(
        "svg",
        draw.box(0, 0, _WIDTH, _HEIGHT, 12, fill=PAPER),
        draw.at(_MARGIN, _MARGIN, _table(plain, choices)),
        draw.at(_PANEL_X, _MARGIN, _sections(plain, choices, state.winner, caption)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}",
        width=f"{_WIDTH:.0f}",
        height=f"{_HEIGHT:.0f}",
        style="max-width:100%;height:auto",
        role="img",
        aria_label="; ".join(filter(None, (caption, *_panel.situation(plain, state.winner)))),
        font_family=_FONTS,
        fill=DARK,
    )


def _choices(plain: Plain) -> dict[str, set[str]]:
    """What the decision at hand may name, by kind of action."""
    choices: dict[str, set[str]] = {}
    for action in plain["legal"] if plain["actor"] != "chance" else ():
        if (name := actions.argument(action)) is not None:
            choices.setdefault(actions.kind(action), set()).add(name)
    return choices


def _table(plain: Plain, choices: Mapping[str, set[str]]) -> str:
    """The board in its frame, with what lies beside it."""
    width, height = _BOARD
    return "".join(
        (
            draw.box(0, 0, width, height, 10, fill=OCEAN),
            draw.at(14, 12, _corners.unseen(plain)),
            draw.at(width - 138, 12, _corners.stacks(plain)),
            draw.at(14, height - 107, _corners.bag(plain)),
            draw.at(width - 124, height - 104, _corners.marks()),
            draw.at(width / 2, height / 2, _earth.board(plain, choices)),
        )
    )


def _sections(plain: Plain, choices: Mapping[str, set[str]], winner: str | None, title: str) -> str:
    """The panel, section below section."""
    drawings: list[str] = []
    y = 0.0
    for section in (
        _panel.heading(plain, winner, title),
        _panel.animals(plain),
        _panel.display(plain, choices),
        _panel.cards(plain, choices),
    ):
        if drawings:
            rule = {"x1": 0, "x2": _panel.WIDTH, "y1": y - _GAP / 2, "y2": y - _GAP / 2}
            drawings.append(draw.tag("line", **rule, stroke=LINE, stroke_width=1))
        drawings.append(draw.at(0, y, section.drawing))
        y += section.height + _GAP
    return "".join(drawings)
