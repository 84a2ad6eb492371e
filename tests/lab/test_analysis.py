"""Frames against counts made another way."""

import numpy as np
import pytest

import ds_sim as ds
from ds_sim import lab
from ds_sim.board import ANIMAL_ID, CARD_ID, SPACE_ID
from ds_sim.lab import detail, rates
from ds_sim.lab.study import Study
from ds_sim.nodes import SOURCES

ANIMALS = ("mammal", "bird", "insect")
RULES = {"max_turns": 8}
GAMES = 400


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Study:
    from concurrent.futures import ThreadPoolExecutor

    folder = tmp_path_factory.mktemp("study")
    data = {
        "seed": 3,
        "games": GAMES,
        "chunk": 150,
        "detailed": 40,
        "animals": list(ANIMALS),
        "rules": RULES,
        "variants": {"head_start": {"handicap": {"bird": 4}}},
    }
    with ThreadPoolExecutor(1) as threads:
        lab.run(lab.from_dict(data), folder, executor=threads)
    return lab.open_study(folder)


@pytest.fixture(scope="module")
def results() -> ds.Results:
    return ds.playouts(ds.Rules(animals=ANIMALS, **RULES), games=GAMES, seed=3)


@pytest.fixture(scope="module")
def variant() -> ds.Results:
    return ds.playouts(ds.Rules(animals=ANIMALS, handicap={"bird": 4}, **RULES), games=GAMES, seed=3)


def rows(frame, **wanted):
    return [row for row in frame.iter_rows(named=True) if all(row[k] == v for k, v in wanted.items())]


def test_win_rates_are_those_of_the_games(study, results):
    """E-46"""
    frame = rates.win_rates(study)
    assert len(frame) == 6
    for animal in ANIMALS:
        (row,) = rows(frame, variant="base", seat=animal)
        assert row["wins"] == results.returns("win")[:, ANIMAL_ID[animal]].sum() and row["games"] == GAMES
        assert row["rate"] == row["wins"] / GAMES and row["low"] < row["rate"] < row["high"]
        assert row["fair"] == pytest.approx(1 / 3)


def test_comparisons_pair_the_same_games(study, results, variant):
    frame = rates.comparisons(study)
    assert len(frame) == 6
    for animal in ANIMALS:
        i = ANIMAL_ID[animal]
        (win,) = rows(frame, seat=animal, measure="win")
        difference = variant.returns("win")[:, i] - results.returns("win")[:, i]
        assert win["pairs"] == GAMES and win["difference"] == pytest.approx(difference.mean())
        (vp,) = rows(frame, seat=animal, measure="vp")
        assert vp["difference"] == pytest.approx((variant.vp - results.vp)[:, i].mean())
        assert win["p_holm"] >= win["p"] and vp["p_holm"] >= vp["p"]
    (bird,) = rows(frame, seat="bird", measure="vp")
    # Uniform players do not look at their VPs: all the head start stays, but where losses end at zero.
    assert 3.5 < bird["difference"] <= 4 and bird["p_holm"] < 0.01


def test_seats_of_several_animals_win_and_score_as_one(tmp_path, play):
    rules = RULES | {"seats": [["mammal", "insect"], ["bird"]]}
    data = {"seed": 3, "games": 100, "animals": list(ANIMALS), "rules": rules, "detailed": 0}
    play(data | {"variants": {"late": {"handicap": {"insect": 3}}}}, tmp_path)
    study = lab.open_study(tmp_path)
    alone = ds.playouts(ds.Rules(animals=ANIMALS, **rules), games=100, seed=3)
    pair = [ANIMAL_ID["mammal"], ANIMAL_ID["insect"]]
    (row,) = rows(rates.win_rates(study), variant="base", seat="mammal + insect")
    assert row["wins"] == alone.returns("win")[:, pair[0]].sum() and row["fair"] == 0.5
    (row,) = rows(rates.comparisons(study), seat="mammal + insect", measure="vp")
    assert row["base"] == pytest.approx(alone.vp[:, pair].min(axis=1).mean())


def test_policies_at_one_table_count_every_game_once(tmp_path, play, monkeypatch):
    """E-47"""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "mine.py").write_text(
        "import ds_sim\n\nlast = ds_sim.PythonPolicy(lambda state: state.legal_actions()[-1])\n"
    )
    data = {
        "seed": 3,
        "games": 20,
        "animals": list(ANIMALS),
        "rules": {"max_turns": 3},
        "detailed": 0,
        "policies": [{"rotate": ["mine:last", "uniform", "uniform"]}],
    }
    play(data, tmp_path / "out")
    study = lab.open_study(tmp_path / "out")
    found = {row["policy"]: row for row in rows(rates.policy_rates(study))}
    assert {row["games"] for row in found.values()} == {60}
    assert sum(row["wins"] for row in found.values()) == 60
    assert found["uniform"]["fair"] == pytest.approx(2 / 3) and found["mine:last"]["fair"] == pytest.approx(
        1 / 3
    )


MIXED = {
    "seed": 3,
    "games": 40,
    "chunk": 20,
    "animals": list(ANIMALS),
    "rules": {"max_turns": 2},
    "detailed": 0,
    "policies": [
        {"rotate": ["uniform", "greedy", "greedy"]},
        {"bird": "greedy", "others": "uniform"},
        "uniform",
    ],
}


def test_only_rotations_say_how_policies_fare(tmp_path, play):
    """In a line-up without turns a policy plays some animals, and these need not be average."""
    play(MIXED, tmp_path)
    study = lab.open_study(tmp_path)
    found = rates.policy_rates(study)
    assert found["lineup"].unique().to_list() == ["rotation of 1 uniform, 2 greedy"]
    assert found["games"].unique().to_list() == [120]
    assert sum(found["wins"]) == 120


def test_rotations_are_counted_over_the_games_that_all_their_cells_have(tmp_path, play):
    play(MIXED, tmp_path)
    whole = rates.win_rates(lab.open_study(tmp_path)).filter(lineup="bird greedy, others uniform")
    (tmp_path / "games" / "0001" / "000001.parquet").unlink()
    study = lab.open_study(tmp_path)
    assert [study.count(cell) for cell in study.cells] == [40, 20, 40, 40, 40]
    assert rates.policy_rates(study)["games"].unique().to_list() == [60]
    assert rates.win_rates(study).filter(lineup="bird greedy, others uniform").equals(whole)
    (tmp_path / "games" / "0001" / "000000.parquet").unlink()
    assert rates.policy_rates(lab.open_study(tmp_path)).is_empty()


def test_who_plays_otherwise_than_the_rest_is_compared_with_itself(tmp_path, play):
    play(MIXED, tmp_path)
    study = lab.open_study(tmp_path)
    cells = {cell.players: cell for cell in study.base_cells}
    games = {
        name: ds.playouts(cells[name].rules, 40, dict(cells[name].policies), seed=3)
        for name in ("uniform", "bird greedy, others uniform")
    }
    now, usual = (
        100 * games[name].returns("win")[:, ANIMAL_ID["bird"]].mean()
        for name in ("bird greedy, others uniform", "uniform")
    )
    said = lab.Report(study).findings
    (found,) = [text for text in said if text.startswith("As the bird among uniform players, greedy ")]
    assert f"wins {now:.1f} % (" in found and found.endswith(f"; uniform itself wins {usual:.1f} % there.")
    assert not any("balanced" in text and "bird greedy" in text for text in said)


def test_rates_by_size_sum_over_the_sets(tmp_path, play):
    data = {
        "seed": 3,
        "games": 30,
        "animals": list(ANIMALS),
        "subsets": "all",
        "rules": {"max_turns": 3},
        "detailed": 0,
    }
    play(data, tmp_path)
    study = lab.open_study(tmp_path)
    assert len(study.cells) == 4
    cells = rates.win_rates(study)
    for animal in ANIMALS:
        (pairs,) = rows(rates.size_rates(study), animal=animal, size=2)
        mine = [row["wins"] for row in rows(cells, seat=animal) if row["animals"].count(",") == 1]
        assert pairs["games"] == 60 and pairs["wins"] == sum(mine) and len(mine) == 2


def test_sources_cards_and_spaces_are_those_of_the_games(study, results):
    cell = study.base_cells[0]
    sources, cards = detail.vp_sources(study, cell), detail.card_takers(study, cell)
    spaces = detail.spaces(study, cell)
    for animal in ANIMALS:
        i = ANIMAL_ID[animal]
        for k, source in enumerate(SOURCES):
            (row,) = rows(sources, animal=animal, source=source)
            values = results.vp_by_source[:, i, k]
            assert row["vp"] == pytest.approx(values.mean())
            half = 1.959964 * values.std(ddof=1) / np.sqrt(GAMES)
            assert row["high"] - row["vp"] == pytest.approx(half, rel=1e-5, abs=1e-9)
        won = results.returns("win")[:, i] == 1
        for card, k in CARD_ID.items():
            (row,) = rows(cards, animal=animal, card=card)
            took = results.card_taker[:, k] == i
            assert (row["games"], row["wins"]) == (took.sum(), (took & won).sum())
        for space, k in SPACE_ID.items():
            (row,) = rows(spaces, animal=animal, space=space)
            assert row["pawns"] == pytest.approx(results.placed[:, i, k].mean())


def test_the_impact_of_cards_is_against_the_average_card(study, results):
    frame = detail.cards(study, study.base_cells[0])
    won = results.returns("win") == 1
    taken = {a: results.card_taker == ANIMAL_ID[a] for a in ANIMALS}
    usual = {a: (t & won[:, ANIMAL_ID[a], None]).sum() / t.sum() for a, t in taken.items()}
    for card, k in CARD_ID.items():
        (row,) = rows(frame, card=card)
        surplus = sum((won[taken[a][:, k], ANIMAL_ID[a]] - usual[a]).sum() for a in ANIMALS)
        n = sum(taken[a][:, k].sum() for a in ANIMALS)
        assert row["games"] == n and row["taken"] == n / GAMES
        if n:
            assert row["impact"] == pytest.approx(surplus / n) and row["low"] < row["impact"] < row["high"]
    total = sum(row["impact"] * row["games"] for row in rows(frame) if row["games"])
    assert total == pytest.approx(0, abs=1e-6)


def test_length_and_margin_count_every_game(study, results):
    cell = study.base_cells[0]
    lengths = detail.lengths(study, cell)
    assert {r["turns"]: r["games"] for r in rows(lengths)} == dict(
        zip(*np.unique(results.turns, return_counts=True), strict=True)
    )
    assert lengths["truncated"].sum() == results.truncated.sum()
    scores = np.sort(results.vp[:, [ANIMAL_ID[a] for a in ANIMALS]], axis=1)
    margins = dict(zip(*np.unique(scores[:, -1] - scores[:, -2], return_counts=True), strict=True))
    assert {r["margin"]: r["games"] for r in rows(detail.spread(study, cell))} == margins


def test_initiative_splits_all_games(study, results):
    frame = detail.initiative(study, study.base_cells[0])
    for animal in ANIMALS:
        placed = results.placed[:, ANIMAL_ID[animal], SPACE_ID["initiative"]]
        for pawns in range(5):
            (row,) = rows(frame, animal=animal, pawns=pawns)
            assert row["games"] == (np.minimum(placed, 4) == pawns).sum()


def test_turns_and_board_are_of_the_detailed_games(study, results):
    cell = study.base_cells[0]
    turns = detail.spaces_by_turn(study, cell)
    placed = sum(row["pawns"] * row["games"] for row in rows(turns, action="speciation"))
    speciation = [k for space, k in SPACE_ID.items() if space.startswith("speciation")]
    assert placed == pytest.approx(results.placed[:40, :, speciation].sum())
    (first,) = rows(turns, turn=1, action="speciation")
    assert first["games"] == 40
    board = detail.board(study, cell)
    dominated = sum(row["per_game"] for row in rows(board, event="dominated", animal="bird"))
    assert dominated == pytest.approx(results.dominated[:40, ANIMAL_ID["bird"]].mean())
    everyone = sum(row["per_game"] for row in rows(board, event="dominated", animal="any"))
    assert everyone == pytest.approx(results.dominated[:40].sum(axis=1).mean())
    order = detail.order(study, cell)
    assert sum(row["share"] for row in rows(order, animal="bird")) == pytest.approx(1)


def test_the_regression_is_over_what_each_animal_did(study):
    frame = detail.winning(study, study.base_cells[0])
    found = {row["feature"] for row in rows(frame)}
    assert {"pawns on domination", "cards taken"} <= found
    assert all(row["low"] <= row["odds_ratio"] <= row["high"] for row in rows(frame))


def test_a_campaign_against_itself_differs_in_nothing(study):
    frame = rates.against(study, study)
    assert len(frame) == 12 and set(frame["difference"]) == {0.0} and set(frame["p_holm"]) == {1.0}


def test_a_campaign_against_one_of_another_seed(study, tmp_path, play):
    data = {"seed": 4, "games": 100, "animals": list(ANIMALS), "rules": RULES, "detailed": 0}
    play(data, tmp_path)
    frame = rates.against(lab.open_study(tmp_path), study)
    assert len(frame) == 6 and set(frame["pairs"]) == {100}


def test_campaigns_without_a_common_cell_cannot_be_compared(study, tmp_path, play):
    play(
        {
            "seed": 3,
            "games": 5,
            "rules": {"max_turns": 2},
            "subsets": [2],
            "animals": ["mammal", "reptile", "bird"],
        },
        tmp_path,
    )
    with pytest.raises(lab.CampaignError, match="has no cell that could be compared"):
        rates.against(lab.open_study(tmp_path), study)


def test_a_damaged_part_is_named(study, tmp_path, play):
    play({"seed": 3, "games": 5, "rules": {"max_turns": 2}}, tmp_path)
    part = tmp_path / "games" / "0000" / "000000.parquet"
    part.write_bytes(part.read_bytes()[:-100])
    with pytest.raises(lab.CampaignError, match=f"{part}: damaged: .*plays it again"):
        rates.win_rates(lab.open_study(tmp_path))


def test_a_folder_without_a_campaign_is_refused(tmp_path):
    with pytest.raises(lab.CampaignError, match="no campaign here"):
        lab.open_study(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(lab.CampaignError, match="damaged"):
        lab.open_study(tmp_path)


def test_the_threads_of_the_frames_change_nothing(study):
    """E-41: sums are of integers, so a second computation equals the first to the last bit."""
    cell = study.base_cells[0]
    for make in (detail.vp_sources, detail.cards, detail.board, detail.winning):
        assert make(study, cell).equals(make(lab.open_study(study.folder.path), cell))


# ---- parts that are not what they seem ----


@pytest.mark.parametrize("kind", ["games", "events"])
@pytest.mark.parametrize(
    ("there", "copied"),
    [
        ("0000/000001", "0000/000000"),
        ("0000/000000", "0001/000000"),
        ("0000/000000", "another seed"),
        ("0000/000000", "another policy"),
    ],
)
def test_a_part_of_other_games_is_refused(tmp_path, small, play, kind, there, copied):
    play(small, tmp_path / "whole")
    play(small | {"seed": 12}, tmp_path / "another seed")
    play(small | {"policies": "greedy"}, tmp_path / "another policy")
    part = (tmp_path / "whole" / kind / there).with_suffix(".parquet")
    other = tmp_path / copied / kind / there if " " in copied else tmp_path / "whole" / kind / copied
    part.write_bytes(other.with_suffix(".parquet").read_bytes())
    tmp_path /= "whole"
    study = lab.open_study(tmp_path)
    with pytest.raises(lab.CampaignError, match=f"{part}: belongs to other games .*plays it again"):
        rates.win_rates(study) if kind == "games" else detail.board(study, study.campaign.cells[0])


def test_a_study_stays_the_same_while_its_campaign_runs_on(tmp_path, small, play):
    play(small, tmp_path)
    later = tmp_path / "games" / "0000" / "000002.parquet"
    hidden = later.rename(tmp_path / "later")
    study = lab.open_study(tmp_path)
    assert study.count(study.cells[0]) == 50
    hidden.rename(later)
    assert study.count(study.cells[0]) == 50
    assert rates.win_rates(study).filter(cell=0)["games"].unique().to_list() == [50]
    assert lab.open_study(tmp_path).count(study.cells[0]) == 60


@pytest.mark.parametrize(("kind", "other"), [("games", "events"), ("events", "games")])
def test_a_part_of_the_other_kind_is_refused(tmp_path, small, play, kind, other):
    play(small, tmp_path)
    part = tmp_path / kind / "0000" / "000000.parquet"
    part.write_bytes((tmp_path / other / "0000" / "000000.parquet").read_bytes())
    study = lab.open_study(tmp_path)
    with pytest.raises(lab.CampaignError, match=f"holds no {kind}"):
        rates.win_rates(study) if kind == "games" else detail.board(study, study.campaign.cells[0])
    (repaired,) = play(small, tmp_path).repaired
    assert str(part) in repaired


def test_games_told_turn_by_turn_are_counted_as_they_are_there(tmp_path, small, play):
    play(small, tmp_path)  # 30 of 60, in chunks of 25
    assert lab.open_study(tmp_path).detailed(lab.open_study(tmp_path).cells[0]) == 30
    (tmp_path / "events" / "0000" / "000001.parquet").unlink()
    study = lab.open_study(tmp_path)
    assert study.detailed(study.cells[0]) == 25
    assert study.detailed(study.cells[1]) == 30
    (tmp_path / "events" / "0001" / "000001.parquet").unlink()
    assert "from the first 25 games of a setting" in lab.Report(lab.open_study(tmp_path)).to_html()


def test_cells_without_a_game_in_common_are_not_compared(tmp_path, small, play):
    play(small, tmp_path)
    for cell, number in (("0000", 0), ("0001", 1), ("0001", 2)):
        (tmp_path / "games" / cell / f"{number:06}.parquet").unlink()
    study = lab.open_study(tmp_path)
    assert rates.comparisons(study).is_empty()
    assert "What the variants change" not in lab.Report(study).to_html()
