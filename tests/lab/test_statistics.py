"""Intervals cover the truth as often as they say; tests err no more often than they say."""

import math

import numpy as np
import pytest

from ds_sim.lab.statistics import Effect, any_time, holm, logistic, normal, sign_test, wilson


def test_wilson_intervals_cover_the_truth_at_the_stated_rate():
    rng = np.random.default_rng(1)
    for truth in (1 / 6, 0.5, 0.02):
        wins = rng.binomial(600, truth, 4000)
        low, high = wilson(wins, np.full(4000, 600))
        covered = ((low <= truth) & (truth <= high)).mean()
        assert 0.935 <= covered <= 0.965, truth


def test_normal_intervals_cover_the_mean_at_the_stated_rate():
    rng = np.random.default_rng(2)
    games = rng.poisson(20, (2000, 300))
    found = [normal(int(row.sum()), int((row**2).sum()), 300) for row in games]
    covered = np.mean([abs(mean - 20) <= half for mean, half in found])
    assert 0.93 <= covered <= 0.967


def test_without_trials_there_is_no_rate():
    low, high = wilson([0], [0])
    assert math.isnan(low[0]) and math.isnan(high[0])


def looks(differences: np.ndarray, every: int) -> list[tuple[int, int, int, int, int]]:
    """(games, sum, squares, more, fewer) at every look at a growing run."""
    sums = np.cumsum(differences)
    squares, more, fewer = (np.cumsum(x) for x in (differences**2, differences > 0, differences < 0))
    at = np.arange(every - 1, len(differences), every)
    return list(zip(at + 1, sums[at], squares[at], more[at], fewer[at], strict=True))


def test_looking_again_and_again_finds_no_more_than_the_stated_errors():
    """300 runs without a difference, each looked at 30 times: at most 5 % may ever seem different."""
    rng = np.random.default_rng(3)
    seemed = {"interval": 0, "p": 0, "signs": 0, "fixed": 0}
    for _ in range(300):
        base, variant = rng.random((2, 3000)) < 1 / 6
        seen = looks(variant.astype(int) - base.astype(int), 100)
        found = [any_time(total, squares, n, 3000) for n, total, squares, _, _ in seen]
        seemed["interval"] += any(not d.low <= 0 <= d.high for d in found)
        seemed["p"] += any(d.p < 0.05 for d in found)
        seemed["signs"] += any(sign_test(int(more), int(fewer)) < 0.05 for *_, more, fewer in seen)
        seemed["fixed"] += any(abs(t / n) > normal(t, q, n)[1] for n, t, q, _, _ in seen)
    assert seemed["interval"] == seemed["p"] <= 25
    assert seemed["signs"] <= 25
    assert seemed["fixed"] > 40  # an ordinary interval is fooled: the test can fail


def test_any_time_intervals_cover_a_difference_all_along():
    rng = np.random.default_rng(4)
    missed = 0
    for _ in range(300):
        shared = rng.random(2000)
        differences = (shared < 0.22).astype(int) - (shared < 0.17).astype(int)
        found = [any_time(t, q, n, 2000) for n, t, q, _, _ in looks(differences, 100)]
        missed += any(not d.low <= 0.05 <= d.high for d in found)
    assert missed <= 25


def games_to_find(differences: np.ndarray) -> int:
    """The number of games after which a run shows a difference by both tests, or all of them."""
    for n, total, squares, more, fewer in looks(differences, 100):
        if any_time(total, squares, n, 20_000).p < 0.05 and sign_test(int(more), int(fewer)) < 0.05:
            return int(n)
    return len(differences) + 1


def test_pairs_find_a_planted_handicap_of_one_percent_with_fewer_games():
    """Both rules win the same games, but for 1 % that only the variant wins. Unpaired: the same rates, other
    games.
    """
    rng = np.random.default_rng(5)
    needed: dict[str, list[int]] = {"paired": [], "unpaired": []}
    for _ in range(40):
        chance, other = rng.random((2, 40_000))
        base = (chance < 1 / 6).astype(int)
        needed["paired"].append(games_to_find((chance < 1 / 6 + 0.01).astype(int) - base))
        needed["unpaired"].append(games_to_find((other < 1 / 6 + 0.01).astype(int) - base))
    assert 10 * np.median(needed["paired"]) < np.median(needed["unpaired"])


def test_the_p_value_says_what_the_interval_says():
    for total in (0, 40, 80, 120, 200):
        found = any_time(total, 900, 4000, 10_000)
        assert (found.p < 0.05) == (not found.low <= 0 <= found.high)


@pytest.mark.parametrize(("total", "squares", "n"), [(3, 3, 3), (0, 0, 0), (29, 29, 29)])
def test_few_pairs_prove_nothing(total, squares, n):
    found = any_time(total, squares, n, 100)
    assert found.p == 1.0 and math.isnan(found.low)


def test_pairs_that_never_differ_show_no_difference():
    assert any_time(0, 0, 1000, 1000) == (0.0, 0.0, 0.0, 1.0)
    assert sign_test(0, 0) == 1.0


def test_the_sign_test_is_the_ratio_of_the_two_likelihoods():
    # 3 heads, 1 tail: the integral of p^2.5 (1-p)^0.5 / pi over p, against 1/16.
    grid = (np.arange(2_000_000) + 0.5) / 2_000_000
    evidence = (grid**2.5 * (1 - grid) ** 0.5).mean() / math.pi * 16
    assert sign_test(3, 1) == pytest.approx(min(1.0, 1 / evidence), rel=1e-4)
    assert sign_test(30, 2) == sign_test(2, 30) < 0.001


def test_corrected_values_are_those_of_holm():
    assert holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([]) == []


def test_the_regression_finds_the_odds_ratio_that_was_put_in():
    rng = np.random.default_rng(6)
    features = rng.normal(size=(8000, 3)) * [1, 5, 0]
    won = rng.random(8000) < 1 / (1 + np.exp(1 - math.log(2) * features[:, 0]))
    with_effect, without, constant = logistic(features, won)
    assert isinstance(with_effect, Effect) and with_effect.low < 2 < with_effect.high and with_effect.p < 1e-6
    assert isinstance(without, Effect) and without.low < 1 < without.high
    assert constant is None


def test_the_regression_refuses_too_few_games():
    assert logistic(np.random.default_rng(7).normal(size=(300, 2)), np.arange(300) < 15) == [None, None]
