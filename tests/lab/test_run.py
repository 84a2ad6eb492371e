"""Campaigns on local executors: the same bytes whatever happens on the way."""

import json
import multiprocessing
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from typing import Any

import pyarrow.parquet as pq
import pytest
import workers

import ds_sim as ds
from ds_sim import lab, tables
from ds_sim.lab import events, parts, runner
from ds_sim.lab.executors import _no_interrupt, _Processes
from ds_sim.lab.folder import Folder


class Late(Executor):
    """Plays a task when its result is asked for, and pleases the runner by saying that the last one is ready
    first.
    """

    def __init__(self, make: Callable[..., Any] | None = None) -> None:
        self.make = make
        self.tasks: list[parts.Task] = []
        self.waiting: list[tuple[Future[Any], Callable[..., Any], parts.Task]] = []

    def submit(self, function, task):  # type: ignore[override]
        future: Future[Any] = Future()
        self.tasks.append(task)
        self.waiting.append((future, self.make or function, task))
        if len(self.waiting) == 4 or task.chunk.number == 2:
            self.work()
        return future

    def work(self) -> None:
        while self.waiting:
            future, function, task = self.waiting.pop()
            try:
                future.set_result(function(task))
            except Exception as error:
                future.set_exception(error)


@pytest.fixture
def whole(tmp_path, small, play, digests):
    """The digests of the small campaign, played without disturbance."""
    play(small, tmp_path / "whole")
    return digests(tmp_path / "whole")


def test_the_games_are_those_of_playouts(tmp_path, small, play):
    play(small, tmp_path)
    table = pq.read_table(tmp_path / "games" / "0001")
    rules = ds.Rules(animals=("bird", "insect"), handicap={"bird": 5}, max_turns=6)
    expected = ds.playouts(rules, games=60, seed=11).to_arrow()
    assert table.drop_columns("cell").equals(expected)
    assert set(table.column("cell").to_pylist()) == {1}


def test_the_size_of_chunks_changes_the_parts_but_no_game(tmp_path, small, play):
    play(small, tmp_path / "a")
    play(small | {"chunk": 7}, tmp_path / "b")
    for kind in ("games", "events"):
        one, other = (pq.read_table(tmp_path / x / kind / "0000") for x in "ab")
        assert one.equals(other) and len(one) > 0


def test_parts_have_the_stated_schema_and_say_what_they_are(tmp_path, small, play):
    """E-34"""
    play(small | {"columns": ["vp"]}, tmp_path)
    for number, first, games in ((0, 0, 25), (1, 25, 25), (2, 50, 10)):
        schema = pq.read_schema(tmp_path / "games" / "0001" / f"{number:06}.parquet")
        rules = ds.Rules(animals=("bird", "insect"), handicap={"bird": 5}, max_turns=6)
        assert schema.remove(0).equals(tables.schema(rules, ["vp"]))
        about = json.loads(schema.metadata[b"ds_sim"])
        assert (about["first"], about["games"], about["seed"]) == (first, games, 11)
        assert about["versions"]["ds_sim"] == ds.__version__
        assert ds.Rules.from_dict(about["rules"]) == rules and len(about["rules_sha256"]) == 64
    told = [path.name for path in sorted((tmp_path / "events" / "0001").iterdir())]
    assert told == ["000000.parquet", "000001.parquet"]  # 30 detailed games, in two chunks of 25


def test_the_order_of_chunks_changes_nothing(tmp_path, small, whole, digests):
    lab.run(lab.from_dict(small), tmp_path / "late", executor=Late(), workers=2)
    assert digests(tmp_path / "late") == whole


def test_processes_give_the_bytes_of_one_thread(tmp_path, small, whole, digests):
    """E-5"""
    lab.run(lab.from_dict(small), tmp_path / "processes", workers=2)
    assert digests(tmp_path / "processes") == whole


def test_a_campaign_goes_on_where_it_was(tmp_path, small, play, whole, digests):
    """E-35"""

    def stop(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(small, tmp_path / "again", progress=stop)
    there = len(list((tmp_path / "again").glob("games/*/*.parquet")))
    assert 0 < there < 6
    reports: list[tuple[int, int]] = []
    outcome = play(small, tmp_path / "again", progress=lambda *report: reports.append(report))
    assert digests(tmp_path / "again") == whole
    assert (
        0 < outcome.played < 120 and reports[0] == (120 - outcome.played, 120) and reports[-1] == (120, 120)
    )
    assert play(small, tmp_path / "again").played == 0


def test_what_a_killed_run_was_writing_is_swept_away(tmp_path, small, play, whole, digests):
    folder = tmp_path / "killed"
    folder.mkdir()
    (folder / "manifest.json.77.tmp").write_bytes(b"{")
    play(small, folder)
    (folder / "games" / "0000" / "000001.parquet.77.tmp").write_bytes(b"PAR1")
    play(small, folder)
    assert digests(folder) == whole


def test_a_chunk_played_twice_stands_once(tmp_path, small, whole, digests):
    """E-33"""
    made: list[tuple[lab.Chunk, parts.Made]] = []

    def twice(task: parts.Task) -> parts.Made:
        made.append((task.chunk, parts.make(task)))
        return parts.make(task)

    executor = Late(twice)
    campaign = lab.from_dict(small)
    lab.run(campaign, tmp_path / "twice", executor=executor)
    before = {path: path.stat().st_ino for path in (tmp_path / "twice").rglob("*.parquet")}
    for chunk, parts_of_it in made:
        Folder.open(tmp_path / "twice").keep(chunk, parts_of_it)
    assert {path: path.stat().st_ino for path in (tmp_path / "twice").rglob("*.parquet")} == before
    assert digests(tmp_path / "twice") == whole
    keys = [task.key for task in executor.tasks]
    assert len(set(keys)) == len(keys) == 6


def test_a_killed_worker_costs_nothing_but_time(tmp_path, small, whole, digests):
    def kill(done: int, total: int) -> None:
        if done == 0:
            return
        for process in multiprocessing.active_children():
            if not killed:
                killed.append(process.pid)
                process.kill()

    killed: list[int | None] = []
    outcome = lab.run(lab.from_dict(small), tmp_path / "killed", workers=1, progress=kill)
    assert killed and outcome.losses == 1
    assert digests(tmp_path / "killed") == whole


def test_a_worker_that_ends_within_a_result_is_noticed_and_holds_nothing_up():
    """E-20, E-33: what reads results waits for the rest, while Ctrl-C or a new pool has to close this one."""
    pool = _Processes(2)
    with _no_interrupt():
        future = pool._executor.submit(workers.half)
    for _ in range(600):
        if pool.lost():
            break
        time.sleep(0.05)
    assert pool.lost() and not future.done()
    closing = threading.Thread(target=pool.close, daemon=True)
    closing.start()
    closing.join(20)
    assert not closing.is_alive() and isinstance(future.exception(5), BrokenExecutor)


def test_workers_that_are_always_lost_end_the_run(tmp_path, small, monkeypatch):
    class Fragile:
        width = 2

        def submit(self, task):
            raise BrokenExecutor

        def renew(self):
            pass

    run = runner._Runner(Folder.begin(tmp_path, lab.from_dict(small)), lab.from_dict(small), Fragile())
    with pytest.raises(lab.CampaignError, match="workers were lost 4 times in a row"):
        run.run(0, lambda done, total: None)


def test_an_executor_of_the_callers_that_breaks_ends_the_run(tmp_path, small):
    def lose(task: parts.Task) -> parts.Made:
        raise BrokenExecutor("gone")

    with pytest.raises(lab.CampaignError, match="the executor lost a worker"):
        lab.run(lab.from_dict(small), tmp_path, executor=Late(lose))


@pytest.mark.parametrize("executor", ["proceses", "tcp", 3])
def test_an_executor_that_is_none_is_refused(tmp_path, small, executor):
    with pytest.raises(lab.CampaignError, match=r"executor = .*expected 'processes'"):
        lab.run(lab.from_dict(small), tmp_path, executor=executor)


# ---- folders that are not as they should be ----


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 12}, "holds another campaign: seed is 11 there, 12 here"),
        ({"games": 61}, "games is 60 there, 61 here"),
        ({"rules": {"max_turns": 7}}, "its rules, animals or policies differ"),
    ],
)
def test_the_folder_of_another_campaign_is_refused_and_left_alone(
    tmp_path, small, play, digests, change, words
):
    play(small, tmp_path)
    before = digests(tmp_path)
    with pytest.raises(lab.CampaignError, match=words):
        play(small | change, tmp_path)
    assert digests(tmp_path) == before


def test_a_folder_of_anything_else_is_refused(tmp_path, small, play):
    (tmp_path / "thesis.txt").write_text("no copy of it anywhere")
    with pytest.raises(lab.CampaignError, match="is not empty, and no campaign"):
        play(small, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_folder_begun_under_another_version_is_refused(tmp_path, small, play, monkeypatch):
    play(small, tmp_path)
    monkeypatch.setattr(parts, "__version__", "9.9")
    with pytest.raises(lab.VersionMismatch, match=f"now ds_sim 9.9 instead of {ds.__version__}"):
        play(small, tmp_path)


def test_a_folder_begun_with_an_engine_that_plays_otherwise_is_refused(tmp_path, small, play):
    play(small, tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["signatures"][0] = "0" * 16
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(lab.VersionMismatch, match="another build of ds_sim"):
        play(small, tmp_path)


def test_a_folder_another_process_works_on_is_refused(tmp_path, small, play):
    with (
        Folder.begin(tmp_path, lab.from_dict(small)).lock(),
        pytest.raises(lab.CampaignError, match="another process"),
    ):
        play(small, tmp_path)


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flip(data: bytes) -> bytes:
    return data[:500] + bytes([data[500] ^ 1]) + data[501:]


@pytest.mark.parametrize("damage", [cut, flip, lambda data: b"", lambda data: b"<html>"])
@pytest.mark.parametrize("kind", ["games", "events"])
def test_a_damaged_part_is_set_aside_and_played_again(tmp_path, small, play, whole, digests, kind, damage):
    folder = tmp_path / "damaged"
    play(small, folder)
    path = folder / kind / "0000" / "000001.parquet"
    path.write_bytes(damage(path.read_bytes()))
    outcome = play(small, folder)
    assert outcome.played == 25 and str(path) in outcome.repaired[0]
    after = digests(folder)
    assert {name: digest for name, digest in after.items() if not name.endswith(".damaged")} == whole
    assert f"{kind}/0000/000001.damaged" in after  # nothing is lost


@pytest.mark.parametrize("damage", [cut, lambda data: b"", lambda data: b"<html>"])
def test_a_damaged_part_is_found_without_the_journal_too(tmp_path, small, play, whole, digests, damage):
    folder = tmp_path / "damaged"
    play(small, folder)
    (folder / "SHA256SUMS").write_text("0123\n")
    path = folder / "games" / "0000" / "000001.parquet"
    path.write_bytes(damage(path.read_bytes()))
    assert play(small, folder).played == 25
    assert digests(folder).items() >= whole.items()


def test_a_part_of_other_games_is_played_again(tmp_path, small, play, whole, digests):
    play(small, tmp_path / "mixed")
    first, second = (tmp_path / "mixed" / "games" / "0000" / f"00000{i}.parquet" for i in (0, 1))
    second.write_bytes(first.read_bytes())
    (tmp_path / "mixed" / "SHA256SUMS").unlink()
    assert "belongs to other games" in play(small, tmp_path / "mixed").repaired[0]
    assert digests(tmp_path / "mixed").items() >= whole.items()


@pytest.mark.parametrize("kind", ["games", "events"])
def test_a_part_that_is_gone_is_played_again(tmp_path, small, play, whole, digests, kind):
    """The one of events alone, too: else the next SHA256SUMS would do without it."""
    play(small, tmp_path / "out")
    (tmp_path / "out" / kind / "0000" / "000000.parquet").unlink()
    assert play(small, tmp_path / "out").played > 0
    assert digests(tmp_path / "out") == whole


def test_what_is_no_part_is_not_counted(tmp_path, small, play):
    play(small, tmp_path / "out")
    study = lab.open_study(tmp_path / "out")
    cell = study.cells[0]
    for name in ("000099.parquet", "copy of 000000.parquet"):
        (tmp_path / "out" / "games" / "0000" / name).write_bytes(
            study.folder.part("games", cell, 0).read_bytes()
        )
    assert lab.open_study(tmp_path / "out").count(cell) == small["games"]
    play(small, tmp_path / "out")
    assert "000099" not in (tmp_path / "out" / "SHA256SUMS").read_text()


@pytest.mark.parametrize(
    "change",
    [
        lambda manifest: manifest.pop("versions"),
        lambda manifest: manifest.pop("signatures"),
        lambda manifest: manifest["campaign"].pop("cells"),
        lambda manifest: manifest["campaign"].update(more=1),
        lambda manifest: manifest["campaign"].update(games="many"),
        lambda manifest: manifest["campaign"].update(games=7),
        lambda manifest: manifest.update(campaign=[]),
    ],
)
def test_an_altered_manifest_is_told(tmp_path, small, play, change):
    play(small, tmp_path / "out")
    file = tmp_path / "out" / "manifest.json"
    manifest = json.loads(file.read_text())
    change(manifest)
    file.write_text(json.dumps(manifest))
    with pytest.raises(lab.CampaignError, match=r"manifest.json: damaged|holds another campaign"):
        play(small, tmp_path / "out")


def test_sums_that_are_no_text_count_as_missing(tmp_path, small, play):
    play(small, tmp_path / "out")
    (tmp_path / "out" / "SHA256SUMS").write_bytes(bytes(range(128, 256)))
    assert play(small, tmp_path / "out").played == 0


def test_a_full_disk_loses_nothing(tmp_path, small, play, whole, digests, monkeypatch):
    synced = os.fsync

    def full(handle: int) -> None:
        if len(list(tmp_path.rglob("*.parquet"))) >= whole_parts + 3:
            raise OSError(28, "No space left on device")
        synced(handle)

    whole_parts = len(list(tmp_path.rglob("*.parquet")))
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(lab.CampaignError, match=r"parquet: cannot be written: No space left on device"):
            play(small, tmp_path / "full")
    assert not list(tmp_path.rglob("*.tmp"))
    play(small, tmp_path / "full")
    assert digests(tmp_path / "full") == whole


# ---- workers that are not as they should be ----


def test_a_worker_of_another_version_is_refused(small):
    campaign = lab.from_dict(small)
    task = parts.task(campaign, next(campaign.chunks), parts.signature(campaign.cells[0], campaign.seed))
    assert parts.make(task).games
    with pytest.raises(lab.VersionMismatch, match=r"a worker has ds_sim .* instead of 9\.9"):
        parts.make(task._replace(versions=task.versions | {"ds_sim": "9.9"}))
    with pytest.raises(lab.VersionMismatch, match="plays other games of cell base"):
        parts.make(task._replace(signature="0" * 16))


@pytest.mark.parametrize("error", [RuntimeError, SystemExit])
def test_a_game_that_breaks_down_is_told_with_its_place(tmp_path, small, play, monkeypatch, error):
    """E-48; a policy that would end the worker, too."""
    played = parts.playouts

    def broken(rules, games, *arguments, first=0, **options):
        if first <= 31 < first + games:
            raise error("cubes were lost")
        return played(rules, games, *arguments, first=first, **options)

    monkeypatch.setattr(parts, "playouts", broken)
    with pytest.raises(
        lab.GameFailed, match=rf"cell .* uniform, games 25 to 49: {error.__name__}: cubes were lost"
    ) as caught:
        play(small, tmp_path)
    assert caught.value.chunk.first == 25


def test_a_policy_whose_text_changed_is_refused(tmp_path, small, play, monkeypatch):
    """Its first games may be the same all the same."""
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "my_player.py"
    file.write_text("def last(state):\n    return state.legal_actions()[-1]\n")
    data = small | {"policies": "my_player:last"}
    play(data, tmp_path / "out")
    (tmp_path / "out" / "games" / "0000" / "000001.parquet").unlink()
    file.write_text(file.read_text() + "# or another\n")
    parts.signature.cache_clear()
    with pytest.raises(lab.VersionMismatch, match="begun with another build of ds_sim, or of a policy"):
        play(data, tmp_path / "out")


# ---- details ----


def test_events_agree_with_the_counts_of_the_games(tmp_path, small, play):
    play(small | {"detailed": 60}, tmp_path)
    told = pq.read_table(tmp_path / "events" / "0000").to_pylist()
    results = ds.playouts(ds.Rules(animals=("bird", "insect"), max_turns=6), games=60, seed=11)

    def count(event: str, **fields: object) -> int:
        return sum(row["event"] == event and all(row[k] == v for k, v in fields.items()) for row in told)

    for animal in ("bird", "insect"):
        i = ds.board.ANIMAL_ID[animal]
        for space, k in ds.board.SPACE_ID.items():
            assert count("place", animal=animal, what=space) == results.placed[:, i, k].sum(), space
        for card, k in ds.board.CARD_ID.items():
            assert count("card", animal=animal, what=card) == (results.card_taker[:, k] == i).sum(), card
        assert count("dominated", animal=animal) == results.dominated[:, i].sum()
        assert count("order", animal=animal) == results.turns.sum()
    assert count("tile") + count("tundra") > 0
    assert {row["event"] for row in told} == set(events.EVENTS)


def test_two_campaigns_at_once_equal_the_same_two_alone(tmp_path, small, play, whole, digests):
    """E-2"""
    other = small | {"seed": 12}
    play(other, tmp_path / "other alone")
    with ThreadPoolExecutor(2) as threads:
        campaigns = [lab.from_dict(small), lab.from_dict(other)]
        list(threads.map(lambda i: lab.run(campaigns[i], tmp_path / f"{i}", executor=Late()), range(2)))
    assert digests(tmp_path / "0") == whole
    assert digests(tmp_path / "1") == digests(tmp_path / "other alone")


@pytest.mark.soak
def test_eight_workers_play_eight_hundred_different_games(tmp_path):
    """E-1"""
    lab.run(lab.from_dict({"seed": 0, "games": 800, "chunk": 100, "detailed": 0}), tmp_path, workers=8)
    rows = pq.read_table(tmp_path / "games" / "0000").drop_columns(["cell", "game"]).to_pylist()
    assert len({json.dumps(row) for row in rows}) == 800
