"""What games between several players say about their strength."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..errors import SearchError

Z_95: Final = 1.959964
ELO: Final = 400 / math.log(10)
RESAMPLES: Final = 1000


@dataclass(frozen=True)
class Game:
    """A finished game. Lists go by seat, in the order of `Rules.seats`."""

    game: int
    """Its number in the arena."""
    round: int
    """The index of the game in the run with the arena's seed: what chance brings."""
    players: tuple[str, ...]
    places: tuple[int, ...]
    """From 1, the winner."""
    vp: tuple[int, ...]
    """Final VPs, of a seat's lowest animal (R-END-1)."""
    turns: int
    decisions: int
    truncated: bool


@dataclass(frozen=True)
class Standing:
    """How one player did. `games` counts seats: a player that sits twice has two in one game."""

    player: str
    games: int
    wins: int
    win_rate: float
    win_low: float
    """Wilson interval of the win rate, 95 %, seats taken as independent."""
    win_high: float
    equality: float
    """The win rate of equals: 1 / number of seats."""
    mean_place: float
    mean_vp: float
    elo: float
    """Bradley-Terry rating over all pairs in a game, in Elo points above the first player."""
    elo_low: float | None
    """Percentile bootstrap interval of it, 95 %, over rounds; None where there is but one."""
    elo_high: float | None


@dataclass(frozen=True)
class ArenaResult:
    """The games of an arena and what they say."""

    players: tuple[str, ...]
    games: tuple[Game, ...]
    seed: int

    @property
    def standings(self) -> tuple[Standing, ...]:
        """One for each player, the best rated first. Needs ds-sim[arena]."""
        rated = ratings(self.players, self.games, self.seed)
        rows = [_standing(player, self.games, *rated[player]) for player in self.players]
        return tuple(sorted(rows, key=lambda row: -row.elo))

    def to_dict(self) -> dict[str, Any]:
        """In JSON types."""
        return {
            "seed": self.seed,
            "games": len(self.games),
            "truncated": sum(game.truncated for game in self.games),
            "standings": [asdict(row) for row in self.standings],
        }

    def __str__(self) -> str:
        rows = [
            (
                "player",
                "games",
                "wins",
                "win %",
                "95 % (Wilson)",
                "mean place",
                "mean VP",
                "Elo",
                "95 % (bootstrap)",
            )
        ]
        for row in self.standings:
            rates = (f"{100 * row.win_rate:.1f}", f"{100 * row.win_low:.1f} to {100 * row.win_high:.1f}")
            bounds = "-" if row.elo_low is None else f"{row.elo_low:+.0f} to {row.elo_high:+.0f}"
            elo = (f"{row.elo:+.0f}", bounds)
            means = (f"{row.mean_place:.2f}", f"{row.mean_vp:.1f}")
            rows.append((row.player, str(row.games), str(row.wins), *rates, *means, *elo))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = []
        for name, *cells in rows:
            lines.append(
                "  ".join(
                    [f"{name:<{widths[0]}}", *(f"{c:>{w}}" for c, w in zip(cells, widths[1:], strict=True))]
                )
            )
        return "\n".join(lines)


def _standing(
    player: str, games: Sequence[Game], elo: float, low: float | None, high: float | None
) -> Standing:
    seats = [(game, i) for game in games for i, name in enumerate(game.players) if name == player]
    n, wins = len(seats), sum(game.places[i] == 1 for game, i in seats)
    win_low, win_high = wilson(wins, n)
    return Standing(
        player=player,
        games=n,
        wins=wins,
        win_rate=wins / n,
        win_low=win_low,
        win_high=win_high,
        equality=sum(1 / len(game.players) for game, _ in seats) / n,
        mean_place=sum(game.places[i] for game, i in seats) / n,
        mean_vp=sum(game.vp[i] for game, i in seats) / n,
        elo=elo,
        elo_low=low,
        elo_high=high,
    )


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The Wilson score interval of a rate, at 95 %.

    >>> [round(bound, 4) for bound in wilson(0, 10)]
    [0.0, 0.2775]
    """
    rate, z2 = successes / trials, Z_95**2
    centre = (rate + z2 / (2 * trials)) / (1 + z2 / trials)
    half = Z_95 * math.sqrt(rate * (1 - rate) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    return max(0.0, centre - half), min(1.0, centre + half)


def beaten(players: Sequence[str], games: Sequence[Game]) -> npt.NDArray[np.float64]:
    """How often each came before each other: (n, n). A game of s seats is s (s - 1) / 2 comparisons."""
    index = {player: i for i, player in enumerate(players)}
    counts = np.zeros((len(players), len(players)))
    for game in games:
        for a, b in combinations(range(len(game.players)), 2):
            first, second = (a, b) if game.places[a] < game.places[b] else (b, a)
            counts[index[game.players[first]], index[game.players[second]]] += 1
    np.fill_diagonal(counts, 0)
    return counts


def ratings(
    players: Sequence[str], games: Sequence[Game], seed: int
) -> dict[str, tuple[float, float | None, float | None]]:
    """Elo points above the first player by maximum likelihood (Bradley-Terry), and their bootstrap interval.

    The comparisons within a game, and within a round of the same seed, are not independent: whole rounds are
    resampled, and one round has no interval. Half a win either way is added to each pair, so that ratings
    stay finite where one always wins.
    """
    by_round: dict[int, list[Game]] = {}
    for game in games:
        by_round.setdefault(game.round, []).append(game)
    counts = np.array([beaten(players, some) for some in by_round.values()])
    fitted = _fit(counts.sum(axis=0))
    if len(counts) == 1:
        return {player: (float(fitted[i]), None, None) for i, player in enumerate(players)}
    rng = np.random.default_rng(seed)
    draws = rng.integers(len(counts), size=(RESAMPLES, len(counts)))
    low, high = np.percentile([_fit(counts[draw].sum(axis=0)) for draw in draws], (2.5, 97.5), axis=0)
    return {player: (float(fitted[i]), float(low[i]), float(high[i])) for i, player in enumerate(players)}


def _fit(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    if len(counts) == 1:
        return np.zeros(1)
    try:
        import choix
    except ImportError as error:
        raise SearchError("ratings need choix: pip install 'ds-sim[arena]'") from error
    prior = 0.5 * (1 - np.eye(len(counts)))
    strengths = choix.ilsr_pairwise_dense(counts + prior, max_iter=10_000)
    return np.asarray((strengths - strengths[0]) * ELO)
