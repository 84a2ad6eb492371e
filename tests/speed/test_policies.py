"""Policies: what they are shown, what they may answer, and who is blamed."""

import pickle
import sys
from types import SimpleNamespace

import numba
import numpy as np
import pytest
from playing import FOUR, PAIR, SHORT, digest, positions

import ds_sim as ds
from ds_sim import policies
from ds_sim.board import ANIMALS
from ds_sim.policies import CompiledPolicy, PythonPolicy

pytestmark = pytest.mark.filterwarnings("error")
START = ds.State(FOUR, seed=1)


def fails(policy, *words, rules=SHORT, **options):
    """The error of a run under a policy; every word has to be in it."""
    with pytest.raises(ds.PolicyError) as caught:
        ds.playouts(rules, 4, policy, seed=1, **options)
    for word in words:
        assert word in str(caught.value), str(caught.value)
    return caught.value


# ---- what a compiled policy is shown ----


@ds.policy
def checksum(view, legal, n):
    total = np.int64(view.turn) + view.node + view.actor + view.vp.sum() + view.rules.n_animals
    for animal in range(6):
        total += view.pawns[animal] * (animal + 1) + view.rules.fixed[animal]
    for hex in range(35):
        total += hex * (view.tiles[hex, 2] + np.int64((view.tundra >> np.uint64(hex)) & np.uint64(1)))
    for i in range(n):
        total += i * legal[i]
    return (total + view.cursor.left) % n


def checksum_in_python(state):
    row, rules, legal = state.array[0], state.rules.core.array[0], state.legal_actions().astype(int)
    total = int(row["turn"]) + int(row["node"]) + int(row["actor"]) + int(row["vp"].sum())
    total += int(rules["n_animals"]) + int(rules["fixed"].sum()) + int(row["cursor"]["left"])
    total += sum(int(row["pawns"][a]) * (a + 1) for a in range(6))
    total += sum(h * (int(row["tiles"][h, 2]) + (int(row["tundra"]) >> h & 1)) for h in range(35))
    return int(legal[(total + (np.arange(len(legal)) * legal).sum()) % len(legal)])


def test_a_compiled_policy_sees_the_position_the_rules_and_what_is_legal():
    states = [state for state in positions(FOUR, games=3) if not state.is_terminal]
    assert len({state.node for state in states}) > 20
    for state in states:
        assert checksum.choose(state) == checksum_in_python(state)


def test_compiled_and_python_policies_play_the_same_games():
    compiled, python = (
        ds.playouts(SHORT, 6, policy, seed=1, keep_records=True) for policy in (checksum, checksum_in_python)
    )
    assert digest(compiled) == digest(python)


@ds.policy
def by_luck(view, legal, n):
    return np.int64(view.random >> np.uint64(33)) % n


def test_the_private_random_number_is_new_at_every_decision():
    results = ds.playouts(PAIR.replace(max_turns=1), 600, by_luck, seed=1, keep_records=True)
    counts = np.zeros(42)
    for actions in results.records:
        counts[next(a for a in actions if 1 <= a <= 41)] += 1
    assert counts[0] == 0 and ((counts[1:] - 600 / 41) ** 2 / (600 / 41)).sum() < 80
    assert len(set(results.records)) == 600


@ds.policy
def scribbler(view, legal, n):
    """Writes over all it can reach, and answers by what it finds."""
    answer = (np.int64(view.rules.n_animals) + view.vp[0] + legal[0]) % n
    view.rules.n_animals = 77
    view.vp[0] = 1000
    view.tiles[3, 0] = 200
    for i in range(n):
        legal[i] = 226
    return answer


@ds.policy
def reader(view, legal, n):
    return (np.int64(view.rules.n_animals) + view.vp[0] + legal[0]) % n


def test_what_a_policy_writes_has_no_effect():
    """Not on the game, nor on what it or another is shown next: so games are the same in any chunks."""
    written, read = (ds.playouts(SHORT, 20, p, seed=1, keep_records=True) for p in (scribbler, reader))
    assert digest(written) == digest(read)


# ---- what it may answer ----


@pytest.mark.parametrize(
    "function",
    [
        lambda view, legal, n: 0,
        lambda view, legal, n: n > 1,
        lambda view, legal, n: np.uint8(1),
        lambda view, legal, n: np.uint64(1),
        lambda view, legal, n: np.int16(n - 1),
        lambda view, legal, n, back=1: n - back,
    ],
)
def test_indices_of_all_integer_types(function):
    n = len(START.legal_actions())
    assert ds.policy(function).choose(START) == START.legal_actions()[int(function(None, None, n))]


@pytest.mark.parametrize(
    "function",
    [
        lambda view, legal, n: -1,
        lambda view, legal, n: n,
        lambda view, legal, n: 2**32,
        lambda view, legal, n: 2**32 + 1,
        lambda view, legal, n: np.uint64(2**63),
        lambda view, legal, n: -(2**63),
        lambda view, legal, n: -(2**31),
        lambda view, legal, n: 2**31 - 1,
    ],
)
def test_a_wrong_index_is_an_error(function):
    words = "policy 'stray' returned", "of insect with 41 legal actions (place:initiative", "from 0 to 40"
    fails(CompiledPolicy(function, name="stray"), *words)


def returns_nothing(view, legal, n):
    pass


def returns_nothing_sometimes(view, legal, n):
    if n > 3:
        return 0
    return None


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda view, legal, n: 0.5, ["returns float64", "expected an integer"]),
        (lambda view, legal, n: "pass", ["returns unicode", "expected an integer"]),
        (lambda view, legal, n: (0, 1), ["returns UniTuple", "expected an integer"]),
        (lambda view, legal, n: legal, ["returns array", "expected an integer"]),
        (returns_nothing, ["returns none", "expected an integer on every path"]),
        (returns_nothing_sometimes, ["returns Option", "expected an integer on every path"]),
        (lambda view, legal, n: view.no_such_field, ["does not compile", "no_such_field"]),
        (lambda view, legal, n: undefined_name, ["does not compile", "undefined_name"]),  # noqa: F821
    ],
)
def test_what_cannot_be_an_index_does_not_compile(function, words):
    for _ in range(2):  # nothing half done is kept
        fails(CompiledPolicy(function, name="odd"), "policy 'odd'", *words)


@pytest.mark.parametrize(
    "function",
    [None, 3, "greedy", len, int, lambda: 0, lambda view, legal: 0, lambda view, legal, n, x: 0, object()],
)
def test_what_is_no_function_of_three(function):
    with pytest.raises(ds.PolicyError, match=r"policy = .*expected a Python function of \(view, legal, n\)"):
        CompiledPolicy(function)


# ---- errors inside ----


def raises_text(view, legal, n):
    if view.turn >= 2:
        raise ValueError("my own text")
    return n - 1


def divides(view, legal, n):
    return n // (n - n)


def asserts(view, legal, n):
    if n > 2:
        raise AssertionError("many")
    return 0


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("function", "words"),
    [
        (raises_text, ["raised ValueError: my own text", "at node", "legal actions"]),
        (divides, ["raised ZeroDivisionError", "at node 'place' of insect"]),
        (asserts, ["raised AssertionError: many"]),
    ],
)
def test_what_a_compiled_policy_raises_comes_out_with_its_name(function, words, threads):
    error = fails(CompiledPolicy(function, name="mine"), "policy 'mine'", *words, threads=threads)
    assert isinstance(error, ValueError) and isinstance(error.__cause__, Exception)


def test_the_culprit_is_named_among_several():
    players = dict.fromkeys(FOUR.animals, "uniform") | {"bird": CompiledPolicy(raises_text, name="broken")}
    fails(players, "policy 'broken'", "of bird")


def out_of_range(view, legal, n):
    return view.pawns[n + 100] * 0


def out_of_range_nested(view, legal, n):
    return view.rules.tile_values[n, 9] * 0


def out_of_range_legal(view, legal, n):
    return legal[n] * 0


@pytest.mark.parametrize("function", [out_of_range, out_of_range_nested, out_of_range_legal])
def test_checked_policies_find_index_errors(function):
    fails(ds.policy(name="checked", checked=True)(function), "policy 'checked' raised IndexError")
    fails(CompiledPolicy(numba.njit(function), checked=True), function.__name__, "IndexError")


def test_a_run_after_a_failed_one_is_as_ever():
    before = digest(ds.playouts(SHORT, 20, by_luck, seed=1))
    fails(CompiledPolicy(divides), "ZeroDivisionError")
    assert digest(ds.playouts(SHORT, 20, by_luck, seed=1)) == before


# ---- constants of compiled policies ----


def test_policies_that_differ_in_constants_only():
    """Numba's cache knows bytecode alone."""
    one, two = CompiledPolicy(lambda view, legal, n: 1), CompiledPolicy(lambda view, legal, n: 2)
    assert [one.choose(START), two.choose(START)] == START.legal_actions()[1:3].tolist()


def answering(k):
    """Policies that answer k, by a default, a closure and a helper."""

    def default(view, legal, n, k=k):
        return k

    def closure(view, legal, n):
        return k

    @numba.njit
    def helper(k=k):
        return k

    def through(view, legal, n):
        return helper()

    return [CompiledPolicy(function) for function in (default, closure, through)]


def test_policies_that_differ_in_defaults_closures_and_helpers():
    for k in range(2):
        assert {policy.choose(START) for policy in answering(k)} == {START.legal_actions()[k]}


# ---- Python policies ----


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda state: 234, ["IllegalAction", "action 234"]),
        (lambda state: 235, ["UnknownAction", "235"]),
        (lambda state: -1, ["UnknownAction", "-1"]),
        (lambda state: 2**70, ["'mine'"]),
        (lambda state: None, ["UnknownAction", "None"]),
        (lambda state: True, ["UnknownAction", "True"]),
        (lambda state: 1.0, ["UnknownAction", "1.0"]),
        (lambda state: "place:moon", ["'mine'", "moon"]),
        (lambda state: "card:ice_age", ["IllegalAction", "card:ice_age"]),
        (lambda state: {}["key"], ["KeyError: 'key'"]),
        (lambda state, more: 0, ["TypeError", "more"]),
    ],
)
def test_python_policies_that_go_wrong(answer, words):
    """The traceback into the user's function is kept."""
    error = fails(PythonPolicy(answer, name="mine"), "policy 'mine' of insect", *words)
    assert type(error.__cause__).__name__ in str(error) and error.__cause__.__traceback__ is not None


def test_python_policies_answer_by_id_or_text():
    by_id, by_numpy, by_text = (
        lambda state: int(state.legal_actions()[-1]),
        lambda state: state.legal_actions()[-1],
        lambda state: ds.actions.text(int(state.legal_actions()[-1])),
    )
    assert len({digest(ds.playouts(SHORT, 5, p, seed=1)) for p in (by_id, by_numpy, by_text)}) == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit(3)])
def test_interrupts_inside_a_python_policy_are_no_policy_errors(error):
    def answer(state):
        raise error

    with pytest.raises(type(error) if isinstance(error, BaseException) else error):
        ds.playouts(SHORT, 4, answer, seed=1)


def test_a_python_policy_may_do_as_it_likes_with_what_it_is_shown():
    def wild(state):
        action = int(state.legal_actions()[0])
        while not state.is_terminal:
            state.apply(int(state.legal_actions()[0]))
        return action

    calm = digest(ds.playouts(SHORT, 3, lambda state: int(state.legal_actions()[0]), seed=1))
    assert digest(ds.playouts(SHORT, 3, wild, seed=1)) == calm


def test_a_python_policy_may_run_playouts_itself():
    rules = PAIR.replace(max_turns=1)

    def deep(state):
        ds.playouts_from(state, 2, seed=state.seed, threads=2)
        return int(state.legal_actions()[state.seed % len(state.legal_actions())])

    one, two = (digest(ds.playouts(rules, 4, deep, seed=1, threads=t)) for t in (1, 2))
    assert one == two


def test_shown_states_know_their_rules_and_sample_chance():
    shown = []
    ds.playouts(SHORT, 1, lambda state: shown.append(state) or int(state.legal_actions()[0]), seed=1)
    assert {state.rules for state in shown} == {SHORT} and len({state.seed for state in shown}) == len(shown)
    assert not any(state.is_chance or state.is_terminal for state in shown)


# ---- who plays ----


def test_each_animal_plays_its_own_policy():
    asked = {animal: set() for animal in FOUR.animals}

    def asks(animal):
        return lambda state: asked[animal].add(state.actor) or int(state.legal_actions()[0])

    ds.playouts(SHORT, 3, {animal: asks(animal) for animal in FOUR.animals}, seed=1)
    assert asked == {animal: {animal} for animal in FOUR.animals}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"bird": "uniform"}, "insect has none"),
        ({}, "bird has none"),
        (dict.fromkeys(("bird", "insect", "mammal"), "uniform"), "'mammal': expected the animals in play"),
        ({"bird": "uniform", "insekt": "uniform"}, "'insekt': expected the animals in play, bird, insect"),
        ({"bird": "uniform", 5: "uniform"}, "5: expected the animals in play"),
        ({"bird": "uniform", "insect": None}, r"policies\['insect'\] = None: expected a name"),
        ({"bird": "uniform", "insect": "gready"}, "did you mean 'greedy'"),
        ("Uniform", "expected one of uniform, greedy, expert, or module:attribute; did you mean 'uniform'"),
        (
            {"bird": "uniform", "insect": "no.such:policy"},
            r"policies\['insect'\] = 'no.such:policy': No module",
        ),
        ("math:sine", "policies = 'math:sine': module 'math' has no attribute 'sine'"),
        ("math:pi", "policies = 'math:pi': is 3.14.*, expected a policy or a callable"),
        ("ds_sim:State", "policies = 'ds_sim:State': is <class"),
        (".beside:policy", "policies = '.beside:policy': TypeError"),
        ("string:digits", "policies = 'string:digits': is '0123456789', expected a policy"),
        (":", "policies = ':': ValueError: Empty module name"),
        ("", "expected one of"),
    ],
)
def test_who_is_to_play_is_checked(given, words):
    batch = ds.Batch(PAIR, 2, seed=1)
    for run in (
        lambda: ds.playouts(PAIR, 2, given),
        lambda: ds.playouts_from(ds.State(PAIR, seed=1), 2, given),
        lambda: batch.playout(given),
    ):
        with pytest.raises(ds.PolicyError, match=words):
            run()


def test_a_policy_by_its_module_and_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "players_of_mine", SimpleNamespace(lucky=by_luck, first=first_of_all))
    for text, policy in (("players_of_mine:lucky", by_luck), ("players_of_mine:first", first_of_all)):
        named, given = (ds.playouts(PAIR, 5, one, seed=1) for one in (text, policy))
        assert named.policies == given.policies and (named.vp == given.vp).all()


@pytest.mark.parametrize(
    "text",
    ["raise RuntimeError('no')", "1 / 0", "import sys; sys.exit(4)", "def broken(", "def f(): f()\nf()"],
)
def test_a_module_that_fails_is_an_error_of_the_policy(tmp_path, monkeypatch, text):
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "failing_players.py").write_text(text)
    with pytest.raises(ds.PolicyError, match=r"policies = 'failing_players:one': [A-Z]\w+: "):
        ds.playouts(PAIR, 1, "failing_players:one")


def first_of_all(state):
    return int(state.legal_actions()[0])


def test_a_choice_in_one_state_depends_on_the_seed_alone():
    python = PythonPolicy(lambda state: state.legal_actions()[state.seed % 41])
    for policy in (policies.UNIFORM, by_luck, python):
        before = START.to_bytes()
        chosen = [policy.choose(START, seed=seed) for seed in range(40)]
        assert chosen == [policy.choose(START, seed=seed) for seed in range(40)] and len(set(chosen)) > 10
        assert START.to_bytes() == before


@pytest.mark.parametrize("state", [ds.State(PAIR, seed=1, explicit_chance=True), positions(PAIR, 1)[-1]])
def test_choices_are_of_animals(state):
    with pytest.raises(ds.PolicyError, match="expected an animal's decision"):
        by_luck.choose(state)


# ---- copies ----


def plain(view, legal, n):
    return 0


def test_policies_pickle():
    """A decorated function is found again as the policy that stands in its place."""
    assert pickle.loads(pickle.dumps(by_luck)) is by_luck
    copy = pickle.loads(pickle.dumps(CompiledPolicy(plain, name="other", checked=True)))
    assert (copy.function, copy.name, copy.checked) == (plain, "other", True)
    copy = pickle.loads(pickle.dumps(PythonPolicy(checksum_in_python, name="sum")))
    assert (copy.function, copy.name) == (checksum_in_python, "sum")


def test_names():
    assert by_luck.name == "by_luck" and repr(by_luck) == "<policy by_luck>"
    assert ds.policy(name="named")(plain).name == "named"
    assert PythonPolicy(checksum_in_python).name == "checksum_in_python"
    results = ds.playouts(PAIR, 1, lambda state: state.legal_actions()[0], seed=1)
    assert results.policies[ANIMALS.index("bird")] == "<lambda>"
