"""The statistics of the lab, with their sources.

Rates have Wilson intervals, means normal ones, both for a fixed number of games. What compares variants may
be looked at at any time, and a campaign stopped on what is seen: its intervals and p-values hold at every
moment at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ..tables import load

ALPHA: Final = 0.05
"""One minus the confidence of all intervals."""

LEAST_PAIRS: Final = 30
"""Fewer pairs than this get no interval: the intervals of means rest on the central limit theorem."""


class Difference(NamedTuple):
    """A mean difference of pairs, with an interval and a p-value that hold at any time."""

    mean: float
    low: float
    high: float
    p: float


def wilson(successes: Sequence[int], trials: Sequence[int]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Lower and upper bounds of rates, 95 %; NaN without trials. (Wilson 1927, by statsmodels.)

    >>> [bound.round(4).tolist() for bound in wilson([0, 5], [10, 10])]
    [[0.0, 0.2366], [0.2775, 0.7634]]
    """
    proportion = load("statsmodels.stats.proportion", "lab")
    counts, numbers = np.asarray(successes, float), np.asarray(trials, float)
    with np.errstate(invalid="ignore", divide="ignore"):
        low, high = proportion.proportion_confint(counts, numbers, ALPHA, method="wilson")
    return np.maximum(low, 0.0), np.minimum(high, 1.0)


def normal(total: int, squares: int, n: int) -> tuple[float, float]:
    """A mean and half the width of its 95 % interval, of n numbers with this sum and sum of squares.

    >>> mean, half = normal(10, 60, 2)
    >>> mean, round(half, 3)
    (5.0, 4.383)
    """
    mean = total / n
    return mean, normal_quantile() * math.sqrt(max(squares / n - mean * mean, 0.0) / max(n - 1, 1))


def normal_quantile() -> float:
    """The upper quantile of the normal distribution that 95 % intervals use."""
    return float(load("scipy.stats", "lab").norm.ppf(1 - ALPHA / 2))


def any_time(total: int, squares: int, n: int, planned: int) -> Difference:
    """The mean of n differences with this sum and sum of squares, valid at any time.

    The asymptotic confidence sequence of the normal mixture, tightest at the planned number of games, and the
    p-value that goes with it: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, "Time-uniform central limit
    theory and asymptotic confidence sequences", Annals of Statistics 52 (2024), theorem 2.2 and appendix B.2.
    """
    mean = total / n if n else math.nan
    if n < LEAST_PAIRS:
        return Difference(mean, math.nan, math.nan, 1.0)
    variance = max(squares / n - mean * mean, 0.0)
    if variance == 0.0:  # all differences are equal
        return Difference(mean, mean, mean, 1.0 if mean == 0.0 else 0.0)
    bet = -2 * math.log(ALPHA)
    rho2 = (bet + math.log(bet + 1)) / planned
    growth = n * rho2 + 1
    half = math.sqrt(variance * 2 * growth / (n * n * rho2) * math.log(math.sqrt(growth) / ALPHA))
    log_e = n * n * mean * mean * rho2 / (2 * variance * growth) - math.log(growth) / 2
    return Difference(mean, mean - half, mean + half, math.exp(-max(log_e, 0.0)))


def sign_test(more: int, fewer: int) -> float:
    """The p-value, exact and valid at any time, that a coin with these heads and tails is fair.

    Pairs that are won on one side only are such a coin if the sides are equally strong. Its e-value bets by
    the Beta(1/2, 1/2) mixture, p is the inverse by Ville's inequality: Robbins, "Statistical methods related
    to the law of the iterated logarithm", Annals of Mathematical Statistics 41 (1970); Ramdas, Grünwald,
    Vovk, Shafer, "Game-theoretic statistics and safe anytime-valid inference", Statistical Science 38 (2023).

    >>> sign_test(50, 50), sign_test(70, 30) < 0.01
    (1.0, True)
    """
    betaln = load("scipy.special", "lab").betaln
    log_e = betaln(more + 0.5, fewer + 0.5) - betaln(0.5, 0.5) + (more + fewer) * math.log(2)
    return math.exp(-max(float(log_e), 0.0))


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values corrected for their number (Holm 1979, by statsmodels), whatever their dependence.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.5])]
    [0.03, 0.08, 0.5]
    """
    if not p_values:
        return []
    multitest = load("statsmodels.stats.multitest", "lab")
    return [float(p) for p in multitest.multipletests(p_values, method="holm")[1]]


class Effect(NamedTuple):
    """What one standard deviation more of a feature does to the odds of winning."""

    odds_ratio: float
    low: float
    high: float
    p: float


def logistic(features: npt.NDArray[np.float64], won: npt.NDArray[np.bool_]) -> list[Effect | None]:
    """A logistic regression of winning on standardised features (statsmodels), one effect a column.

    None for a feature that never varies, and for all where too few games were won or lost: ten of each for
    every feature, the usual rule (Peduzzi et al. 1996).
    """
    models = load("statsmodels.genmod.generalized_linear_model", "lab")
    spread = features.std(axis=0)
    used = np.flatnonzero(spread > 0)
    effects: list[Effect | None] = [None] * features.shape[1]
    if min(won.sum(), (~won).sum()) < 10 * len(used) or not len(used):
        return effects
    standard = (features[:, used] - features[:, used].mean(axis=0)) / spread[used]
    design = np.column_stack([np.ones(len(won)), standard])
    fit = models.GLM(won.astype(float), design, family=models.families.Binomial()).fit()
    for column, value, (low, high), p in zip(
        used, fit.params[1:], fit.conf_int(ALPHA)[1:], fit.pvalues[1:], strict=True
    ):
        odds, least, most = (float(np.exp(np.clip(x, -50, 50))) for x in (value, low, high))
        effects[column] = Effect(odds, least, most, float(p))
    return effects
