"""What every search keeps to: legal, finite, repeatable, within its bounds."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import endings
import numpy as np
import pytest

import ds_sim as ds
from ds_sim.errors import PolicyError, SearchError
from ds_sim.search import Evaluator, Search, analyse, evaluator, mcts

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(ds.__file__).parents[1])}
FOUR = ds.Rules(animals=("mammal", "bird", "arachnid", "insect"))
KINDS = [
    {"chance": chance, "selection": selection}
    for chance in ("open", "explicit")
    for selection in ("puct", "uct")
]


def some_state(decisions: int, *, seed: int = 3, rules: ds.Rules = FOUR) -> ds.State:
    """A position in the middle of a game of random decisions."""
    state, rng = ds.State(rules, seed=seed), np.random.default_rng(seed)
    for _ in range(decisions):
        state.apply(int(rng.choice(state.legal_actions())))
    return state


def facts(result: Any) -> tuple[Any, ...]:
    return result.visits.tolist(), result.values.tobytes(), result.principal_variation, result.nodes


# ---- finite and legal ----


@pytest.mark.parametrize("options", KINDS)
@pytest.mark.parametrize("simulations", [0, 1, 2, 3, 50])
def test_few_simulations_give_finite_numbers(simulations: int, options: dict[str, Any]) -> None:
    """E-18: nothing is divided by no visits."""
    state = some_state(40)
    result = mcts(state, simulations, seed=1, **options)
    assert result.visits.sum() == result.simulations == simulations
    assert result.best in state.legal_actions()
    assert np.isfinite(result.policy).all() and result.policy.sum() == pytest.approx(float(simulations > 0))
    assert (np.isfinite(result.values).all(axis=1) == (result.visits > 0)).all()
    assert (np.isfinite(result.standard_errors) == (result.visits > 1)).all()
    assert str(analyse(state, simulations, seed=1, **options))


@pytest.mark.parametrize("options", KINDS)
def test_the_root_offers_the_legal_actions_and_simulations_only_play_legal_ones(
    options: dict[str, Any],
) -> None:
    """E-18: at each kind of node on the way; every state a simulation comes to passes the core's own
    check."""
    seen = set()

    def check(states: Any) -> Any:
        for row in states[:3]:
            ds.State._of(FOUR, row, 0, 0, True, False, b"", reseed=True)  # raises if it cannot be
        return np.full((len(states), 6), 0.5)

    state, rng = ds.State(FOUR, seed=11), np.random.default_rng(0)
    for _ in range(250):
        seen.add(state.node)
        result = mcts(state, 30, truncate=0, evaluator=check, batch=10, seed=1, **options)
        assert result.actions.tolist() == state.legal_actions().tolist()
        line = state.clone()
        for text in result.principal_variation[:1]:
            line.apply(text)
        state.apply(int(rng.choice(state.legal_actions())))
    assert len(seen) > 15


@pytest.mark.parametrize("options", KINDS)
def test_zero_priors_count_as_even_ones(options: dict[str, Any]) -> None:
    """E-18: zeros for all legal actions."""
    state = some_state(40)
    result = mcts(state, 200, prior=lambda state: np.zeros(235), prior_weight=1.0, seed=1, **options)
    assert result.visits.sum() == 200 and (result.visits > 0).all()


def test_a_prior_steers() -> None:
    """PUCT begins with what the prior prefers; the prior sees the position whose actor decides."""
    state = some_state(40)
    favourite = int(state.legal_actions()[-1])
    actors = []

    def prior(shown: ds.State) -> Any:
        actors.append(shown.actor)
        return np.eye(235)[favourite]

    result = mcts(state, 30, prior=prior, prior_weight=0.9, truncate=0, seed=1)
    assert result.best == favourite
    assert actors[0] == state.actor and set(actors) <= set(FOUR.animals)


def test_a_prior_of_a_policy_is_its_choice() -> None:
    state = some_state(40)
    for index in (0, -1):
        choice = ds.PythonPolicy(lambda shown, index=index: int(shown.legal_actions()[index]))
        assert mcts(state, 30, prior=choice, prior_weight=0.95, seed=1).best == state.legal_actions()[index]
        assert mcts(state, 30, policy=choice, prior_weight=0.95, seed=1).best == state.legal_actions()[index]


# ---- repeatable ----


@pytest.mark.parametrize(
    "options", [*KINDS, {"truncate": 0}, {"truncate": 10, "utility": "vp"}, {"threads": 2}, {"threads": 3}]
)
def test_a_search_is_a_function_of_seed_and_threads(options: dict[str, Any]) -> None:
    state = some_state(60)
    first, again, other = (mcts(state, 501, seed=seed, **options) for seed in (1, 1, 2))
    assert facts(first) == facts(again) != facts(other)
    assert first.visits.sum() == 501


def test_simulations_in_portions_are_the_same_search() -> None:
    """And the state given is left alone, random stream included."""
    state = some_state(60)
    before = state.to_bytes()
    search = Search(state, seed=1)
    for portion in (1, 0, 99, 200):
        result = search.run(portion)
    assert facts(result) == facts(mcts(state, 300, seed=1))
    assert result.simulations == 200 and result.visits.sum() == 300
    assert state.to_bytes() == before


def test_a_seed_is_drawn_and_told() -> None:
    """E-3."""
    state = some_state(10)
    one, two = mcts(state, 50), mcts(state, 50)
    assert one.seed != two.seed
    assert facts(mcts(state, 50, seed=one.seed)) == facts(one)


def test_the_search_does_not_know_what_chance_will_bring() -> None:
    """E-23: the state's own random stream has no influence."""
    state = some_state(60)
    other = state.clone()
    other.reseed(99)
    for options in KINDS:
        assert facts(mcts(state, 200, seed=5, **options)) == facts(mcts(other, 200, seed=5, **options))


def test_both_kinds_of_state_are_the_same_root() -> None:
    """A state that stops at chance and one that does not, at one position in the middle of a migration."""
    state = some_state(0)
    while state.node != "migrate_to":
        state.apply(int(state.legal_actions()[-1]))
    twin = ds.State.from_dict(state.to_dict(), explicit_chance=True)
    for options in KINDS:
        assert facts(mcts(state, 200, seed=5, **options)) == facts(mcts(twin, 200, seed=5, **options))


# ---- the tree ----


@pytest.mark.parametrize("options", [*KINDS, {"threads": 3}])
@pytest.mark.parametrize("cap", [6, 10, 200, 1000])
def test_the_node_cap_holds(cap: int, options: dict[str, Any]) -> None:
    """E-19: and a full tree still counts every simulation at its root."""
    result = mcts(some_state(60), 3000, max_nodes=cap, truncate=0, seed=1, **options)
    assert result.nodes <= cap
    assert result.visits.sum() == 3000


@pytest.mark.parametrize(("chance", "selection"), [("open", "puct"), ("open", "uct"), ("explicit", "puct")])
def test_a_full_tree_still_learns(chance: str, selection: str) -> None:
    state = endings.choose_the_tile("bird")
    result = mcts(state, 2000, max_nodes=5, chance=chance, selection=selection, seed=1)
    assert result.nodes == 5 and ds.actions.text(result.best) == "hex:D2"


def test_budgets_of_nodes_and_seconds() -> None:
    state = some_state(60)
    result = mcts(state, nodes=500, seed=1)
    assert 500 <= result.nodes < 600
    assert facts(mcts(state, nodes=500, seed=1)) == facts(result)
    assert mcts(state, seconds=0.0, seed=1).simulations == 0
    assert mcts(state, 100, seconds=1000.0, nodes=10**6, seed=1).simulations == 100


def test_a_search_for_more_nodes_than_there_are_ends() -> None:
    """Every line of this position is short: the whole tree is smaller than the budget."""
    result = mcts(endings.choose_the_tile("bird"), nodes=10_000, seed=1)
    assert result.nodes < 50


@pytest.mark.parametrize("options", [*KINDS, {"threads": 2}, {"prior": lambda state: np.ones(235)}])
def test_advance_keeps_what_was_found_below(options: dict[str, Any]) -> None:
    state = some_state(60)
    search = Search(state, seed=1, truncate=0, **options)
    result = search.run(2000)
    [row] = np.flatnonzero(result.actions == result.best)
    kept, totals = int(result.visits[row]), result.visits[row] * result.values[row]
    state.apply(result.best)
    search.advance(result.best, state)
    after = search.run(0)
    assert after.actor == state.actor and after.actions.tolist() == state.legal_actions().tolist()
    # One simulation made the node itself, and went no further; each thread has its own.
    trees = options.get("threads", 1)
    assert after.visits.sum() == kept - trees
    below = np.nansum(after.visits[:, None] * after.values, axis=0)
    np.testing.assert_allclose(below, totals - trees / 2, atol=trees / 2)
    assert search.run(100).visits.sum() == after.visits.sum() + 100
    search.advance(int(after.actions[0]))
    assert search.run(10).visits.sum() >= 10


def test_advance_follows_a_whole_game() -> None:
    """With chance in between; the root is always the position of the game."""
    state = ds.State(FOUR, seed=2)
    search = Search(state, seed=1, truncate=0)
    while state.turn < 4:
        result = search.run(20)
        assert result.actions.tolist() == state.legal_actions().tolist() and result.actor == state.actor
        state.apply(result.best)
        search.advance(result.best, state)


def test_advance_through_explicit_chance_by_the_outcome() -> None:
    state = endings.draw_to_survive()
    search = Search(state, chance="explicit", seed=1)
    search.run(5000)
    search.advance("hex:E4")
    search.advance("card:symbiotic")
    with pytest.raises(SearchError, match="chance node"):
        search.run(10)
    search.advance("element:sun")
    assert search.run(0).visits.sum() > 100


def test_advance_refuses_another_position() -> None:
    state = some_state(60)
    search = Search(state, seed=1)
    search.run(100)
    one, two = (endings.after(state, int(a)) for a in state.legal_actions()[:2])
    for wrong in (two, state, ds.State(ds.Rules(), seed=1), "state", 7):
        with pytest.raises(SearchError, match="state"):
            search.advance(int(state.legal_actions()[0]), wrong)
    with pytest.raises(ds.IllegalAction):
        search.advance(234)
    assert search.run(0).visits.sum() == 100  # nothing changed
    search.advance(int(state.legal_actions()[0]), one)


def test_a_game_that_is_over_cannot_be_searched_on() -> None:
    state = endings.choose_the_tile("bird")
    search = Search(state, seed=1)
    search.advance("hex:D2")
    with pytest.raises(SearchError, match="over"):
        search.run(10)


# ---- evaluators ----


def test_python_evaluators_get_thousands_of_leaves_at_once() -> None:
    sizes = []

    def even(states: Any) -> Any:
        assert not states["rng"].any()  # E-23: no random stream to look into
        sizes.append(len(states))
        return np.full((len(states), 6), 0.25)

    result = mcts(some_state(60), 10_000, truncate=0, evaluator=even, batch=4096, seed=1)
    assert sizes == [4096, 4096, 10_000 - 2 * 4096]
    assert result.visits.sum() == 10_000 and (result.visits > 0).all()
    np.testing.assert_allclose(result.values[:, 0], 0.25)


def test_an_evaluator_is_asked_for_the_right_leaf() -> None:
    """What it says of a position is what the action that leads there is worth; ends are counted by the
    rules."""
    state = some_state(60)
    worth = {action: endings.after(state, int(action)).array["turn"] for action in state.legal_actions()}
    assert len(worth) > 2

    def pawns(states: Any) -> Any:
        return states["spaces"].astype(float)[:, None] % 1000 / 1000 * np.ones(6)

    result = mcts(state, 1, truncate=0, evaluator=pawns, seed=1)
    [row] = np.flatnonzero(result.visits)
    reached = endings.after(state, int(result.actions[row]))
    assert result.values[row, 0] == float(reached.array["spaces"][0]) % 1000 / 1000

    ending = endings.choose_the_tile("bird")
    result = mcts(ending, 500, truncate=0, evaluator=lambda states: 1 / 0, seed=1)
    assert ds.actions.text(result.best) == "hex:D2"  # every leaf is an end: nothing to ask


def test_batches_agree_with_single_leaves_on_the_best_move() -> None:
    """Leaves that wait count as losses, so they spread; the answer stays the same."""
    state = endings.stop_the_rival("mammal")
    for batch in (1, 16, 256):
        assert ds.actions.text(mcts(state, 2000, batch=batch, seed=1).best) == "hex:E3"


@evaluator
def leader(view: Any, out: Any) -> None:
    out[np.argmax(view.vp)] = 1.0


@evaluator
def divides(view: Any, out: Any) -> None:
    out[0] = 1 // (int(view.turn) - int(view.turn))


@evaluator
def infinite(view: Any, out: Any) -> None:
    out[2] = np.inf


def test_compiled_evaluators() -> None:
    result = mcts(some_state(200), 300, truncate=5, evaluator=leader, seed=1)
    np.testing.assert_allclose(np.nansum(result.values, axis=1)[result.visits > 0], 1.0)


@pytest.mark.parametrize("utility", ["win", "rank", "vp"])
@pytest.mark.parametrize(
    "rules",
    [
        FOUR,
        ds.Rules(),
        ds.Rules(animals=("bird", "insect")),
        ds.Rules(seats=(("mammal", "insect"), ("reptile", "bird"), ("amphibian", "arachnid"))),
    ],
)
def test_the_built_in_evaluator_is_on_the_scale_of_the_utility(rules: ds.Rules, utility: str) -> None:
    result = mcts(some_state(100, rules=rules), 200, truncate=0, utility=utility, seed=1)
    values = result.values[result.visits > 0]
    playing = [i for i, animal in enumerate(endings.ANIMALS) if animal in rules.animals]
    others = [i for i in range(6) if i not in playing]
    assert not values[:, others].any()
    firsts = [endings.ANIMALS.index(seat[0]) for seat in rules.seats]
    if utility == "win":
        np.testing.assert_allclose(values[:, firsts].sum(axis=1), 1.0)
    if utility == "rank":
        np.testing.assert_allclose(values[:, firsts].sum(axis=1), len(firsts) / 2)
    if utility != "vp":
        assert (values[:, playing] > 0).all() and (values < 1).all()
        for seat in rules.seats:
            columns = [endings.ANIMALS.index(animal) for animal in seat]
            assert (values[:, columns] == values[:, columns[:1]]).all()


WEIGHED = """
import sys
import ds_sim as ds, numpy as np
from ds_sim.search import standing_weights as weights
weights.WEIGHTS = weights.WEIGHTS * float(sys.argv[1])
state = ds.State(ds.Rules(animals=("bird", "insect")), seed=3)
print(np.nansum(ds.search.mcts(state, 1, truncate=0, utility="vp", seed=1).values))
"""


def test_other_weights_are_compiled_anew(tmp_path: Path) -> None:
    """E-25, E-28: what an earlier process stored is not played with the weights of that time."""

    def value(factor: str, cache: str) -> str:
        environment = ENVIRONMENT | {"NUMBA_CACHE_DIR": str(tmp_path / cache)}
        arguments = [sys.executable, "-c", WEIGHED, factor]
        return subprocess.run(arguments, env=environment, capture_output=True, text=True, check=True).stdout

    fresh = [value("1", "one"), value("2", "two")]
    assert fresh[0] != fresh[1]
    assert [value("1", "two"), value("2", "one")] == fresh


# ---- what goes wrong ----


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"simulations": -1}, "simulations = -1"),
        ({"simulations": 2.5}, "simulations = 2.5"),
        ({"seconds": -1.0}, "seconds = -1.0"),
        ({"seconds": float("nan")}, "seconds = nan"),
        ({"nodes": 0}, "nodes = 0"),
        ({"utility": "score"}, "utility = 'score': expected one of win, rank, vp"),
        ({"chance": "closed"}, "chance = 'closed': expected one of open, explicit"),
        ({"selection": "ucb"}, "selection = 'ucb'"),
        ({"exploration": -0.1}, "exploration = -0.1"),
        ({"exploration": float("nan")}, "exploration = nan"),
        ({"prior_weight": 1.5}, "prior_weight = 1.5"),
        ({"first_play": float("inf")}, "first_play = inf"),
        ({"truncate": -1}, "truncate = -1"),
        ({"max_nodes": 1}, "max_nodes = 1"),
        ({"max_nodes": 3, "threads": 2}, "max_nodes = 3: expected an integer from 4"),
        ({"batch": 0}, "batch = 0"),
        ({"threads": 0}, "threads = 0"),
        ({"evaluator": lambda states: states}, "evaluator: without truncate"),
        ({"truncate": 0, "evaluator": 7}, "evaluator = 7"),
        ({"prior": 7}, "prior = 7"),
    ],
)
def test_bad_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SearchError) as raised:
        mcts(ds.State(FOUR, seed=1), **options)
    assert message in str(raised.value)


def test_bad_roots_policies_and_budgets() -> None:
    state = ds.State(FOUR, seed=1)
    chance = ds.State(FOUR, seed=1, explicit_chance=True)
    assert chance.is_chance
    over = endings.after(endings.choose_the_tile("bird"), ds.actions.parse("hex:D2"))
    for root, message in (
        (chance, "chance node 'reveal_card'"),
        (over, "over"),
        ("state", "expected a ds_sim.State"),
    ):
        with pytest.raises(SearchError, match=message):
            mcts(root, 10)  # type: ignore[arg-type]
    for field in ("policy", "prior"):
        with pytest.raises(PolicyError, match=r"gredy.*did you mean 'greedy'"):
            mcts(state, 10, **{field: "gredy"})
    with pytest.raises(SearchError, match="expected simulations, seconds or nodes"):
        Search(state).run()
    with pytest.raises(SearchError, match="best = 0"):
        analyse(state, 10, best=0)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda states: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda states: np.full((len(states), 6), np.nan), "finite numbers"),
        (lambda states: np.zeros((len(states), 5)), r"\(64, 5\), expected numbers of shape \(64, 6\)"),
        (lambda states: np.zeros(6), "expected numbers of shape"),
        (lambda states: [["a"] * 6] * len(states), "expected numbers of shape"),
        (lambda states: None, "expected numbers of shape"),
        (divides, "evaluator 'divides' raised ZeroDivisionError"),
        (infinite, "evaluator 'infinite' gave .*expected six finite numbers"),
    ],
)
def test_evaluators_that_fail(answer: Any, message: str) -> None:
    """The error says what was wrong, and the tree is as it was before the batch."""
    search = Search(some_state(60), truncate=0, evaluator=answer, batch=64, seed=1)
    with pytest.raises(SearchError, match=message):
        search.run(500)
    assert search.run(0).visits.sum() == 0


def test_an_evaluator_that_does_not_compile() -> None:
    def strange(view: Any, out: Any) -> None:
        out[0] = view.no_such_field

    with pytest.raises(SearchError, match="'strange' does not compile"):
        mcts(some_state(60), 10, truncate=0, evaluator=Evaluator(strange))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda state: 1 / 0, "ZeroDivisionError"),
        (lambda state: np.full(235, np.nan), "finite numbers that are not negative"),
        (lambda state: np.full(235, -1.0), "finite numbers that are not negative"),
        (lambda state: np.ones(234), r"float64 \(234,\), expected numbers of shape \(235,\)"),
        (lambda state: None, "expected numbers of shape"),
    ],
)
def test_priors_that_fail(answer: Any, message: str) -> None:
    """E-18: NaN is refused. A failure leaves no half-made node: later it fails again."""
    search = Search(some_state(60), prior=answer, seed=1)
    for _ in range(2):
        with pytest.raises(SearchError, match=message):
            search.run(100)
    assert search.run(0).visits.sum() == 0


def test_policies_that_fail() -> None:
    def refuse(state: ds.State) -> int:
        raise RuntimeError("no idea")

    for field in ("policy", "prior"):
        with pytest.raises(PolicyError, match=r"policy 'refuse' of .*RuntimeError: no idea"):
            mcts(some_state(60), 10, **{field: ds.PythonPolicy(refuse)})


def test_a_search_runs_once_at_a_time() -> None:
    """E-11: not even from its own evaluator."""

    def again(states: Any) -> Any:
        search.advance(int(search._state.legal_actions()[0]))
        return np.zeros((len(states), 6))

    search = Search(some_state(60), truncate=0, evaluator=again, seed=1)
    with pytest.raises(SearchError, match="one call at a time"):
        search.run(10)


# ---- long runs ----


def test_progress_is_told_and_can_stop() -> None:
    calls = []
    mcts(some_state(60), 20_000, progress=lambda done, total: calls.append((done, total)), seed=1)
    assert calls[-1] == (20_000, 20_000)

    def enough(done: int, total: int) -> None:
        raise KeyboardInterrupt

    search = Search(some_state(60), seed=1)
    with pytest.raises(KeyboardInterrupt):
        search.run(10**9, progress=enough)
    kept = search.run(0).visits.sum()
    assert search.run(10).visits.sum() == kept + 10  # it can go on


def test_the_interpreter_runs_on_meanwhile() -> None:
    """E-32: no GIL is held."""
    ticks = []
    over = threading.Event()

    def tick() -> None:
        while not over.is_set():
            ticks.append(None)
            over.wait(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    mcts(some_state(60), 3000, seed=1)
    over.set()
    thread.join()
    assert len(ticks) > 10


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_of_progress_is_its_own(threads: int) -> None:
    with pytest.raises(ZeroDivisionError):
        ds.search.mcts(ds.State(seed=1), 5000, threads=threads, progress=lambda done, total: 1 / 0)
