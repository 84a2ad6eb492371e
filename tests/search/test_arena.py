"""The arena: balanced, repeatable, resumable, rated."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ds_sim as ds
from ds_sim.errors import PolicyError, SearchError
from ds_sim.search import STRONG, Arena, Game, SearchPlayer
from ds_sim.search.contestants import contestant
from ds_sim.search.ratings import ArenaResult, beaten, ratings

TWO = ds.Rules(animals=("bird", "insect"), max_turns=2)
THREE = ds.Rules(animals=("mammal", "bird", "insect"), max_turns=2)
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(ds.__file__).parents[1])}
COMMAND = [sys.executable, "-c", "from ds_sim.cli import main; main()", "arena"]

first = ds.PythonPolicy(lambda state: int(state.legal_actions()[0]), name="first")
last = ds.PythonPolicy(lambda state: int(state.legal_actions()[-1]), name="last")


# ---- the schedule ----


@pytest.mark.parametrize("animals", [2, 3, 4])
@pytest.mark.parametrize("more", [0, 1, 2])
def test_every_player_sits_in_every_seat_equally_often_on_the_same_seeds(animals: int, more: int) -> None:
    """E-47."""
    rules = ds.Rules(animals=ds.board.ANIMALS[:animals])
    arena = Arena({str(i): "uniform" for i in range(animals + more)}, rules=rules, seed=1)
    rounds = 7
    seen, on_seed = Counter(), Counter()
    for game in range(rounds * arena.games_per_round):
        index, seating = arena.seating(game)
        assert len(set(seating)) == animals
        for seat, entry in enumerate(seating):
            seen[entry, seat] += 1
            on_seed[index, entry, seat] += 1
    assert len(seen) == (animals + more) * animals and len(set(seen.values())) == 1
    assert len(on_seed) == rounds * len(seen) and len(set(on_seed.values())) == 1


def test_the_order_around_the_table_changes() -> None:
    """E-47: nobody always plays after the same neighbour."""
    arena = Arena(dict.fromkeys("abcd", "uniform"), rules=ds.Rules(animals=ds.board.ANIMALS[:4]), seed=1)
    pairs = Counter()
    for game in range(6 * arena.games_per_round):
        _, seating = arena.seating(game)
        pairs.update(zip(seating, (*seating[1:], seating[0]), strict=True))
    assert len(pairs) == 12 and len(set(pairs.values())) == 1


def test_seats_of_several_animals_are_played_by_one_player() -> None:
    rules = ds.Rules(
        animals=("mammal", "bird", "insect"), max_turns=2, seats=(("mammal", "insect"), ("bird",))
    )
    result = Arena({"first": first, "last": last}, rules=rules, seed=3).run(2)
    assert [game.players for game in result.games] == [("first", "last"), ("last", "first")] * 2
    for game in result.games:
        state = ds.State(rules, seed=3, index=game.round)
        while not state.is_terminal:
            player = game.players[0 if state.actor in ("mammal", "insect") else 1]
            state.apply(int(state.legal_actions()[0 if player == "first" else -1]))
        vp = dict(zip(ds.board.ANIMALS, state.scores, strict=True))
        assert game.vp == (min(vp["mammal"], vp["insect"]), vp["bird"])
        assert game.places == ((1, 2) if state.winner != "bird" else (2, 1))
        assert game.turns == state.turn


def test_games_of_policies_are_those_of_playouts() -> None:
    """Players without chance of their own: the same game, decision by decision, as the engine plays it
    alone."""
    result = Arena({"first": first, "last": last}, rules=TWO, seed=5).run(3)
    played = ds.playouts(TWO, 3, {"bird": first, "insect": last}, seed=5)
    for index in range(3):
        game = result.games[2 * index]
        assert game.vp == (played.vp[index][2], played.vp[index][5])
        assert (game.turns, game.decisions) == (played.turns[index], played.decisions[index])


# ---- players ----


def test_players_from_texts() -> None:
    player = contestant("mcts:simulations=50,policy=greedy,truncate=5,exploration=0.5")
    assert isinstance(player, SearchPlayer)
    assert player.budget == {"simulations": 50}
    assert player.options == {"policy": "greedy", "truncate": 5, "exploration": 0.5}
    strong = contestant("strong:seconds=0.5,truncate=7,threads=2")
    assert isinstance(strong, SearchPlayer)
    assert strong.budget == {"seconds": 0.5} and strong.options == {**STRONG, "truncate": 7, "threads": 2}
    assert contestant("mcts:simulations=9,truncate=none").options["truncate"] is None
    assert contestant("uniform").name == "uniform" and contestant(first) is first


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (["uniform"], "players: 1, expected 2 or more"),
        ("uniform", "expected several"),
        (["uniform", "gredy"], "did you mean 'greedy'"),
        (["uniform", "mcts"], "player = 'mcts': budget: expected simulations, seconds or nodes"),
        (
            ["uniform", "mcts:simulations=5,truncte=4"],
            "player = .*: truncte: no option .*did you mean 'truncate'",
        ),
        (["uniform", "mcts:simulations"], "player = .*: 'simulations', expected option=value"),
        (["uniform", "mcts:simulations=-5"], "player = .*: simulations = -5"),
        (["uniform", "mcts:simulations=many"], "player = .*: simulations = 'many'"),
        (["uniform", "mcts:simulations=5,utility=score"], "player = .*: utility = 'score'"),
        (["uniform", "mcts:simulations=5,policy=gredy"], "player = .*policy=gredy': .*did you mean 'greedy'"),
        (["uniform", "uniform:x=1"], "expected a policy, or a search"),
        (["uniform", 7], "player = 7"),
    ],
)
def test_bad_players_are_named_before_a_game_is_played(players: Any, message: str) -> None:
    with pytest.raises((SearchError, PolicyError), match=message):
        Arena(players, rules=TWO, seed=1)


@pytest.mark.parametrize("options", [{"rounds": 0}, {"rounds": 1.5}, {"workers": 0}, {"rounds": True}])
def test_bad_numbers(options: dict[str, Any]) -> None:
    with pytest.raises(SearchError, match="expected an integer from 1"):
        Arena(["uniform", "uniform"], rules=TWO).run(**options)


def test_a_player_that_fails_is_named() -> None:
    def lost(state: ds.State) -> int:
        raise RuntimeError("no idea")

    with pytest.raises(PolicyError, match=r"policy 'lost' of (bird|insect): RuntimeError: no idea"):
        Arena([lost, "uniform"], rules=TWO, seed=1).run(1)


# ---- the same again ----


MIX = ["mcts:simulations=10,truncate=0", "uniform", "mcts:simulations=5,truncate=2,threads=2"]


def test_an_arena_is_a_function_of_its_seed() -> None:
    """E-5: workers change nothing."""
    runs = [
        Arena(MIX, rules=THREE, seed=seed).run(2, workers=workers)
        for seed, workers in ((1, 1), (1, 3), (2, 1))
    ]
    assert runs[0] == runs[1] != runs[2]
    assert [game.game for game in runs[0].games] == list(range(6))


def test_more_rounds_begin_with_the_same_games() -> None:
    arena = Arena(MIX, rules=THREE, seed=1)
    assert arena.run(2).games == arena.run(3).games[:6]


def test_a_seed_is_drawn_and_told() -> None:
    """E-3."""
    one, two = (Arena(["uniform", "uniform"], rules=TWO) for _ in range(2))
    assert one.seed != two.seed
    assert one.run(1) == Arena(["uniform", "uniform"], rules=TWO, seed=one.seed).run(1)


# ---- resuming ----


def test_a_run_goes_on_from_any_cut(tmp_path: Path) -> None:
    """E-35: whatever part of the file is there, in whole lines or not, the end is the same file and
    result."""
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "Zoë 日本.jsonl"
    arena = Arena(MIX, rules=THREE, seed=1)
    result = arena.run(2, path=whole)
    data = whole.read_bytes()
    lines = data.splitlines(keepends=True)
    assert len(lines) == 7
    backwards = b"".join([lines[0], *lines[:2:-1]])  # games finish in any order
    for part in (
        b"",
        data[:20],
        lines[0],
        data[:-1],
        b"".join(lines[:4]),
        b"".join(lines[:4]) + b'{"game": 3, "ro',
        backwards,
    ):
        cut.write_bytes(part)
        assert arena.run(2, path=cut, workers=2) == result
        assert cut.read_bytes() == data
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([whole.name, cut.name])


def test_finished_games_are_not_played_again(tmp_path: Path) -> None:
    path, asked = tmp_path / "games.jsonl", []

    def counting(state: ds.State) -> int:
        asked.append(state.turn)
        return int(state.legal_actions()[0])

    arena = Arena([counting, "uniform"], rules=TWO, seed=1)
    arena.run(1, path=path)
    assert asked
    asked.clear()
    arena.run(1, path=path)
    assert not asked
    assert len(arena.run(2, path=path).games) == 4 and asked


def test_a_file_of_another_arena_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    Arena(["uniform", "uniform"], rules=TWO, seed=1).run(1, path=path)
    data = path.read_bytes()
    for other, field in (
        (Arena(["uniform", "uniform"], rules=TWO, seed=2), "seed"),
        (Arena(["uniform", "greedy"], rules=TWO, seed=1), "players"),
        (Arena(["uniform", "uniform"], rules=TWO.replace(tundra_tiles=3), seed=1), "rules"),
    ):
        with pytest.raises(SearchError, match=f"of another arena: {field}"):
            other.run(1, path=path)
        assert path.read_bytes() == data
    for text in ("no json\n", "no line", "[1]\n", data.decode() + '{"game": 1}\n', "\n"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(SearchError, match=r"path = .*arena"):
            Arena(["uniform", "uniform"], rules=TWO, seed=1).run(1, path=path)
        assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_killed_ends_with_the_same_result(tmp_path: Path, how: signal.Signals) -> None:
    """E-20, E-34, E-35: only the games in flight are lost."""
    games = tmp_path / "games.jsonl"
    (tmp_path / "rules.json").write_text(json.dumps(THREE.to_dict()), encoding="utf-8")
    players = ["mcts:simulations=60,truncate=0", "uniform", "uniform"]
    arguments = [
        *COMMAND,
        *players,
        "--rules",
        str(tmp_path / "rules.json"),
        "--rounds",
        "3",
        "--seed",
        "4",
        "--json",
    ]
    process = subprocess.Popen(
        [*arguments, "--out", str(games)],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and (not games.exists() or games.read_bytes().count(b"\n") < 3):
        pass
    process.send_signal(how)
    output, errors = process.communicate(timeout=60)
    assert output == ""
    if how == signal.SIGINT:
        assert process.returncode == 130 and "interrupted" in errors
    kept = games.read_bytes().splitlines()
    assert 3 <= len(kept) < 10
    resumed = subprocess.run(
        [*arguments, "--out", str(games)], env=ENVIRONMENT, capture_output=True, text=True
    )
    assert resumed.returncode == 0, resumed.stderr
    whole = Arena(players, rules=THREE, seed=4).run(3, path=tmp_path / "whole.jsonl")
    assert games.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert json.loads(resumed.stdout)["standings"] == whole.to_dict()["standings"]
    assert set(kept) <= set(games.read_bytes().splitlines())


def test_fewer_rounds_keep_the_games_that_are_there(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    arena = Arena([first, last], rules=TWO, seed=4)
    four = arena.run(4, path=file)
    before = file.read_bytes()
    assert arena.run(1, path=file).games == four.games[:2]
    assert file.read_bytes() == before


def test_games_of_another_player_of_the_same_name_are_not_taken(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    Arena({"a": first, "b": SearchPlayer(simulations=1)}, rules=TWO, seed=4).run(1, path=file)
    before = file.read_bytes()
    for other in (
        {"a": first, "b": SearchPlayer(simulations=2)},
        {"a": "uniform", "b": SearchPlayer(simulations=1)},
    ):
        with pytest.raises(SearchError, match="of another arena: are is"):
            Arena(other, rules=TWO, seed=4).run(1, path=file)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        {"game": "0"},
        {"game": None},
        {"game": 10**9},
        {"round": 99},
        {"players": ["x", "y"]},
        {"players": None},
        {"places": [7, 7]},
        {"places": "ab"},
        {"places": [1]},
        {"vp": ["a", "b"]},
        {"vp": [1]},
        {"turns": -1},
        {"more": 1},
    ],
)
def test_an_altered_game_is_told(tmp_path: Path, change: dict[str, Any]) -> None:
    file = tmp_path / "games.jsonl"
    Arena([first, last], rules=TWO, seed=4).run(1, path=file)
    head, game, *rest = file.read_text().splitlines()
    file.write_text("\n".join([head, json.dumps(json.loads(game) | change), *rest, ""]))
    before = file.read_bytes()
    with pytest.raises(SearchError, match=r"path = .*games\.jsonl: an altered game"):
        Arena([first, last], rules=TWO, seed=4).run(1, path=file)
    assert file.read_bytes() == before


def test_games_go_to_regular_files_only(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    with pytest.raises(SearchError, match="pipe: expected a regular file"):
        Arena([first, last], rules=TWO, seed=4).run(1, path=pipe)
    link.symlink_to(tmp_path / "target")
    Arena([first, last], rules=TWO, seed=4).run(1, path=link)
    assert link.is_symlink() and (tmp_path / "target").read_bytes().count(b"\n") == 3


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("mcts:simulations=5,name=foo", "player = .*: name: no option of a search"),
        ("mcts:simulations=5,simulations=6", "player = .*: simulations stands there twice"),
        ("mcts:simulations=5,max_nodes=2147483647", "player = .*: max_nodes = 2147483647: no memory"),
    ],
)
def test_players_that_cannot_be(player: str, said: str) -> None:
    if "max_nodes" in player and hasattr(os, "sysconf") and os.sysconf("SC_PHYS_PAGES") * 4096 > 2**38:
        pytest.skip("there is memory for it")
    with pytest.raises(SearchError, match=said):
        Arena([player, "uniform"], rules=TWO, seed=4)


# ---- ratings ----


def games_of(strengths: dict[str, float], rounds: int, seats: int = 3) -> list[Game]:
    """Games drawn from the model: who comes first is drawn in proportion to strength, then the next, ..."""
    rng, names, games = np.random.default_rng(1), list(strengths), []
    for index in range(rounds):
        table = list(rng.permutation(names)[:seats])
        left, places = list(table), {}
        while left:
            p = np.array([strengths[name] for name in left])
            places[left.pop(rng.choice(len(left), p=p / p.sum()))] = len(places) + 1
        games.append(
            Game(index, index, tuple(table), tuple(places[n] for n in table), (0,) * seats, 9, 500, False)
        )
    return games


def test_ratings_find_the_strengths_that_games_were_drawn_from() -> None:
    """Pairs of such games follow Bradley-Terry with the same strengths: a factor of 10 is 400 Elo."""
    strengths = {"a": 1.0, "b": 10.0, "c": 2.0, "d": 0.5}
    rated = ratings(list(strengths), games_of(strengths, 2000), seed=1)
    assert rated["a"] == (0.0, 0.0, 0.0)
    for name, strength in strengths.items():
        elo, low, high = rated[name]
        assert abs(elo - 400 * np.log10(strength)) < 40
        assert low <= elo <= high and high - low < 80


def test_intervals_are_wider_with_fewer_games_and_with_games_of_one_seed() -> None:
    """E-46: rounds are resampled whole, so ten copies of a game say no more than one."""
    games = games_of({"a": 1.0, "b": 2.0, "c": 2.0}, 100)
    width = lambda some: np.diff(ratings(["a", "b", "c"], some, 1)["b"][1:])[0]  # noqa: E731
    assert width(games[:30]) > width(games)
    copies = [game for game in games for _ in range(10)]
    assert width(copies) > 0.8 * width(games)


def test_who_always_wins_has_a_finite_rating() -> None:
    games = [Game(i, i, ("a", "b"), (1, 2), (9, 1), 9, 500, False) for i in range(20)]
    rated = ratings(["a", "b"], games, 1)
    assert np.isfinite(rated["b"]).all() and rated["b"][2] < 0


def test_a_player_is_not_compared_with_itself() -> None:
    game = Game(0, 0, ("a", "b", "a"), (1, 2, 3), (9, 5, 1), 9, 500, False)
    assert beaten(["a", "b"], [game]).tolist() == [[0, 1], [1, 0]]


def test_standings_count_seats() -> None:
    games = (
        Game(0, 0, ("a", "b", "b"), (1, 2, 3), (30, 20, 10), 9, 500, False),
        Game(1, 0, ("b", "a", "b"), (1, 2, 3), (40, 20, 0), 9, 500, True),
    )
    result = ArenaResult(("a", "b"), games, 1)
    rows = {row.player: row for row in result.standings}
    assert (rows["a"].games, rows["a"].wins, rows["a"].mean_place, rows["a"].mean_vp) == (2, 1, 1.5, 25.0)
    assert (rows["b"].games, rows["b"].wins, rows["b"].win_rate) == (4, 1, 0.25)
    assert rows["a"].equality == rows["b"].equality == pytest.approx(1 / 3)
    assert all(row.win_low < row.win_rate < row.win_high for row in rows.values())
    assert result.to_dict()["truncated"] == 1
    assert str(result).splitlines()[1].split()[0] == "a"
    json.dumps(result.to_dict())


def test_one_player_alone_is_rated_zero() -> None:
    result = Arena(["uniform", "uniform"], rules=TWO, seed=1).run(2)
    [row] = result.standings
    assert (row.games, row.wins, row.elo) == (8, 4, 0.0)


# ---- the command ----


def test_the_command_prints_a_table_or_json() -> None:
    arguments = [
        *COMMAND,
        "uniform",
        "mcts:simulations=1,truncate=0",
        "--animals",
        "bird,insect",
        "--rounds",
        "2",
        "--seed",
        "1",
    ]
    done = subprocess.run(arguments, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "95 % (Wilson)" in done.stdout and "4 games, seed 1" in done.stdout and done.stderr == ""
    document = json.loads(
        subprocess.run([*arguments, "--json"], env=ENVIRONMENT, capture_output=True, check=True).stdout
    )
    assert document["games"] == 4 and document["seed"] == 1 and len(document["standings"]) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["uniform"], 1, "players: 1, expected 6 or more"),
        ([], 2, "Missing argument"),
        (["uniform", "--rounds", "0"], 2, "rounds"),
        (["gredy"] * 6, 1, "did you mean 'greedy'"),
        (["mcts:simulations=x"] * 6, 1, "simulations = 'x'"),
    ],
)
def test_the_command_refuses_what_makes_no_sense(arguments: list[str], code: int, message: str) -> None:
    """E-40."""
    done = subprocess.run([*COMMAND, *arguments], env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == code and message in done.stderr and done.stdout == ""


def test_one_round_has_no_interval() -> None:
    result = Arena(["uniform", "greedy"], rules=TWO, seed=1).run(1)
    assert [(row.elo_low, row.elo_high) for row in result.standings] == [(None, None)] * 2
    assert [line.split()[-1] for line in str(result).splitlines()[1:]] == ["-", "-"]
    assert json.loads(json.dumps(result.to_dict()))["standings"][0]["elo_low"] is None


def test_different_players_need_different_names() -> None:
    def one(state: ds.State) -> int:
        return int(state.legal_actions()[0])

    def other(state: ds.State) -> int:
        return int(state.legal_actions()[-1])

    other.__name__ = "one"
    with pytest.raises(SearchError, match=r"players: two are named 'one', one \(.*one\) and one \(.*other\)"):
        Arena([one, other], rules=TWO, seed=1)
    posing = ds.PythonPolicy(one, name="uniform")
    with pytest.raises(SearchError, match="players: two are named 'uniform'"):
        Arena([posing, "uniform"], rules=TWO, seed=1)
    assert len(Arena([one, one], rules=TWO, seed=1).run(1).standings) == 1
    named = Arena({"first": one, "last": other}, rules=TWO, seed=1).run(1)
    assert {row.player for row in named.standings} == {"first", "last"}
