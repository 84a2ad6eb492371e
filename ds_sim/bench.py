"""Throughput of this machine, measured beside a bare floor and beside OpenSpiel, in rounds that take turns.

Absolute times drift from run to run; the ratios within a run are what to compare. The signature is a hash of
what a fixed run played: it changes only when play changes.
"""

from __future__ import annotations

import hashlib
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import numpy as np

from ._core.bench import build, copy_loop, floor_loop, memcpy_loop
from ._threads import available_threads
from .board import ANIMALS
from .playouts import playouts
from .policies import CompiledPolicy
from .rules import Rules
from .state import State

FLOOR_LOOPS: Final = 4_000_000
GAMES: Final = 1500
PEER_GAMES: Final = ("chess", "backgammon", "hex(board_size=11)")
SIGNATURE_GAMES: Final = 200


@dataclass
class Line:
    """One thing measured, over rounds."""

    name: str
    unit: str
    """What is counted: "decisions", or "loops" of the floor."""
    rates: list[float] = field(default_factory=list)
    """Per second, one a round."""
    game_rates: list[float] = field(default_factory=list)
    """Games per second, one a round; zeros where there are none."""

    @property
    def rate(self) -> float:
        return statistics.median(self.rates)

    @property
    def games(self) -> float:
        return statistics.median(self.game_rates)


def signature() -> str:
    """16 hex digits: a hash of the games of a fixed uniform run for 2 to 6 animals.

    >>> len(signature())
    16
    """
    digest = hashlib.sha256()
    for n in range(2, len(ANIMALS) + 1):
        results = playouts(Rules(animals=ANIMALS[:n]), SIGNATURE_GAMES, seed=1, threads=1, keep_records=True)
        digest.update(b"".join(results.records or ()))
        digest.update(results.vp.astype("<i4").tobytes() + results.winner.tobytes())
    return digest.hexdigest()[:16]


def measure(
    rounds: int = 5, policies: tuple[str, ...] = ("greedy", "expert"), peers: bool = True
) -> Iterator[str | dict[str, Any]]:
    """Measures in rounds; yields the name of what comes next, and at last the report as plain data."""
    tasks = list(_tasks(policies)) + (list(_peers()) if peers else [])
    lines = [line for line, _ in tasks]
    for round_ in range(rounds + 1):
        for line, run in tasks:
            yield f"{line.name} ({round_}/{rounds})" if round_ else f"{line.name} (warm-up)"
            began = time.perf_counter()
            count, games = run()
            took = time.perf_counter() - began
            if round_:
                line.rates.append(count / took)
                line.game_rates.append(games / took)
    yield _report(lines)


def _tasks(policies: tuple[str, ...]) -> Iterator[tuple[Line, Callable[[], tuple[int, int]]]]:
    yield Line("floor", "loops"), _looping(floor_loop)
    for n in range(2, len(ANIMALS) + 1):
        yield (
            Line(f"uniform, {n} animals", "decisions"),
            _playing(Rules(animals=ANIMALS[:n]), GAMES, "uniform", 1),
        )
    four = Rules(animals=ANIMALS[:4])
    yield Line("uniform, 4 animals, 2 threads", "decisions"), _playing(four, 2 * GAMES, "uniform", 2)
    yield (
        Line("trivial Numba policy, 4 animals", "decisions"),
        _playing(four, GAMES, CompiledPolicy(_trivial), 1),
    )
    for name in policies:
        yield Line(f"{name}, 4 animals", "decisions"), _playing(four, GAMES // 30, name, 1)
    state = State(four, seed=1)
    yield Line("copy of a state", "copies"), _looping(partial(copy_loop, state))
    yield Line("memcpy of its size", "copies"), _looping(partial(memcpy_loop, state))


def _looping(loop: Callable[[int], object]) -> Callable[[], tuple[int, int]]:
    def run() -> tuple[int, int]:
        loop(FLOOR_LOOPS)
        return FLOOR_LOOPS, 0

    return run


def _trivial(view: Any, legal: Any, n: int) -> int:
    return int(view.random % np.uint64(n))


def _playing(rules: Rules, games: int, policy: Any, threads: int) -> Callable[[], tuple[int, int]]:
    def run() -> tuple[int, int]:
        results = playouts(rules, games, policy, seed=1, threads=threads)
        return int(results.decisions.sum()), games

    return run


def _peers() -> Iterator[tuple[Line, Callable[[], tuple[int, int]]]]:
    """OpenSpiel's C++ rollouts, and its Python loop, where it is installed."""
    try:
        import pyspiel
    except ImportError:
        return
    for name in PEER_GAMES:
        game = pyspiel.load_game(name)
        label = name.partition("(")[0]
        yield Line(f"OpenSpiel {label}, C++ rollouts", "decisions"), _rollouts(pyspiel, game)
        yield Line(f"OpenSpiel {label}, Python loop", "decisions"), _python_loop(game)


def _rollouts(pyspiel: Any, game: Any) -> Callable[[], tuple[int, int]]:
    """One simulation of its MCTS bot with n rollouts runs n rollouts in C++; their length is measured
    beforehand."""
    n = 60
    length = statistics.mean(_play_python(game, seed)[0] for seed in range(20))
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])

    def run() -> tuple[int, int]:
        evaluator = pyspiel.RandomRolloutEvaluator(n, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 0, False, 1, False)
        bot.step(state)
        return int(n * length), n

    return run


def _python_loop(game: Any) -> Callable[[], tuple[int, int]]:
    return lambda: _play_python(game, 7)


def _play_python(game: Any, seed: int) -> tuple[int, int]:
    import random

    rng = random.Random(seed)
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, probabilities)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions, 1


def _report(lines: list[Line]) -> dict[str, Any]:
    by_name = {line.name: line for line in lines}

    def ratio(over: str, under: str) -> float:
        """The median over rounds of the ratio of two rates taken in the same round."""
        pairs = zip(by_name[over].rates, by_name[under].rates, strict=True)
        return statistics.median(a / b for a, b in pairs)

    uniform = "uniform, 4 animals"
    ratios = {
        f"floor / {line.name}": ratio("floor", line.name)
        for line in lines
        if line.name.startswith("uniform,")
    }
    for line in lines:
        if line.name.startswith(("OpenSpiel", "trivial", "greedy", "expert")):
            ratios[f"{uniform} / {line.name}"] = ratio(uniform, line.name)
    ratios[f"{uniform}, 2 threads / 1"] = ratio(f"{uniform}, 2 threads", uniform)
    ratios["memcpy / copy of a state"] = ratio("memcpy of its size", "copy of a state")
    return {
        "signature": signature(),
        "lines": [
            {
                "name": line.name,
                "unit": line.unit,
                "per_second": line.rate,
                "ns": 1e9 / line.rate,
                "games_per_second": line.games,
            }
            for line in lines
        ],
        "ratios": ratios,
        "machine": machine(),
    }


def machine() -> dict[str, Any]:
    """What was measured on, and with what."""
    import sysconfig

    versions = {}
    for package in ("ds-sim", "numpy", "numba", "cython", "open_spiel"):
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return {
        "cpu": _cpu(),
        "processors": available_threads(),
        "system": platform.platform(),
        "python": sys.version.split()[0],
        "flags": sysconfig.get_config_var("CFLAGS"),
        "versions": versions,
        **build(),
    }


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
