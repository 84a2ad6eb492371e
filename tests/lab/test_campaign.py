"""campaign.toml: what it may say, and what is said about mistakes."""

from collections import Counter

import pytest

from ds_sim import Rules, lab
from ds_sim.lab.rates import is_rotation

LEAST = {"seed": 1, "games": 10}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": None}, "seed is missing: expected an integer"),
        ({"games": None}, "games is missing"),
        ({"gmaes": 3}, "gmaes: no such key; .*did you mean 'games'"),
        ({"seed": -1}, "seed = -1: expected an integer from 0"),
        ({"seed": True}, "seed = True"),
        ({"games": 0}, "games = 0"),
        ({"games": 1.5}, "games = 1.5"),
        ({"chunk": 0}, "chunk = 0"),
        ({"detailed": "all"}, "detailed = 'all'"),
        ({"name": 3}, "name = 3"),
        ({"columns": ["vps"]}, "columns = 'vps'.*did you mean 'vp'"),
        ({"columns": "vp"}, "columns = 'vp': expected groups"),
        ({"columns": [["vp"]]}, r"columns = \['vp'\]"),
        ({"columns": [{"a": 1}]}, "columns = {'a': 1}"),
        ({"subsets": [2.0]}, "subsets = "),
        ({"policies": []}, r"policies = \[\]: expected a policy"),
        ({"animals": ["bird"]}, "animals: animals = .*2 to 6"),
        ({"animals": ["bird", "brid"]}, "did you mean 'bird'"),
        ({"animals": ["bird", ["insect"]]}, "animals = "),
        ({"animals": [["bird", "insect"], ["insect", "bird"]]}, "no set of animals twice"),
        ({"animals": [["bird", "insect"]], "subsets": "all"}, "subsets: contradicts"),
        ({"subsets": [1]}, 'subsets = .*"all", or a list of sizes from 2 to 6'),
        ({"subsets": "some"}, "subsets = 'some'"),
        ({"policies": "unifrom"}, r"policies\[0\]: .*did you mean 'uniform'"),
        ({"policies": 3}, r"policies\[0\] = 3"),
        ({"policies": {"bird": "uniform"}}, "mammal has no policy; add it, or others"),
        ({"policies": {"brid": "uniform"}}, "brid: .*did you mean 'bird'"),
        ({"policies": {"rotate": ["uniform"]}}, "rotate = .*a list of 6 policies, one a seat"),
        ({"policies": "nowhere:policy"}, r"policies\[0\]: .* = 'nowhere:policy': No module"),
        ({"rules": {"abilitys": {}}}, "rules.abilitys: no such rule.*did you mean 'abilities'"),
        ({"rules": {"animals": ["bird", "insect"]}}, "rules.animals: give `animals` at the top"),
        ({"rules": {"pawns": 41}}, "rules: pawns = 41: expected an integer from 0 to 40"),
        ({"rules": 3}, "rules = 3"),
        ({"variants": {"a": {"pwans": 3}}}, "variants.a.pwans: no such rule.*did you mean 'pawns'"),
        ({"variants": {"a": {"pawns": {"brid": 3}}}}, "variants.a: pawns key.*did you mean 'bird'"),
        ({"variants": {"a": {}}}, "variants.a: changes nothing"),
        ({"variants": {"a": {"pawns": 3}}}, "variants.a: changes nothing"),  # as printed for six
        ({"variants": {"base": {"pawns": 4}}}, "variants.base: this name stands for"),
        ({"variants": []}, "variants = "),
        ({"variants": {"a\0b": {"pawns": 2}}}, "variants = .*can be printed"),
        ({"name": "a\nb"}, "name = .*can be printed"),
    ],
)
def test_mistakes_are_named(changes, words):
    data = {key: value for key, value in (LEAST | changes).items() if value is not None}
    with pytest.raises(lab.CampaignError, match=words):
        lab.from_dict(data)


def test_a_file_that_is_no_toml_is_named_with_its_line(tmp_path):
    file = tmp_path / "bad.toml"
    file.write_text("seed = 1\ngames =\n")
    with pytest.raises(lab.CampaignError, match=r"bad.toml: not TOML: .*line 2"):
        lab.load(file)


def test_a_mistake_in_a_file_names_the_file(tmp_path):
    file = tmp_path / "bad.toml"
    file.write_text("seed = 1\ngames = 0\n")
    with pytest.raises(lab.CampaignError, match=r"bad.toml: games = 0"):
        lab.load(file)


def test_a_file_gives_the_campaign_of_its_data(tmp_path):
    file = tmp_path / "good.toml"
    file.write_text(
        "\ufeffseed = 1\ngames = 10\n[variants.few]\npawns = 2\n[rules]\nhandicap = {bird = 1}\n", "utf-8"
    )
    assert lab.load(file) == lab.from_dict(
        LEAST | {"variants": {"few": {"pawns": 2}}, "rules": {"handicap": {"bird": 1}}}
    )


def test_all_subsets_of_six_animals():
    cells = lab.from_dict(LEAST | {"subsets": "all"}).cells
    assert Counter(len(cell.rules.animals) for cell in cells) == {2: 15, 3: 20, 4: 15, 5: 6, 6: 1}
    assert len({cell.rules for cell in cells}) == 57


def test_variants_are_differences_to_the_rules_entry_by_entry():
    campaign = lab.from_dict(
        LEAST
        | {
            "animals": ["mammal", "bird"],
            "rules": {"handicap": {"bird": 2}, "max_turns": 50},
            "variants": {"a": {"handicap": {"mammal": 3}}},
        }
    )
    assert campaign.cells[1].rules == Rules(
        animals=("mammal", "bird"), handicap={"mammal": 3, "bird": 2}, max_turns=50
    )


def test_a_variant_is_played_only_where_it_differs():
    campaign = lab.from_dict(
        LEAST
        | {
            "animals": [["bird", "insect"], ["mammal", "bird"]],
            "variants": {"a": {"abilities": {"mammal": False}}},
        }
    )
    assert [(cell.variant, cell.rules.animals) for cell in campaign.cells] == [
        ("base", ("bird", "insect")),
        ("base", ("mammal", "bird")),
        ("a", ("mammal", "bird")),
    ]


def test_in_a_rotation_every_animal_plays_every_policy_equally_often():
    """E-47"""
    names = ["uniform", "math:floor", "math:ceil"]
    campaign = lab.from_dict(
        LEAST | {"animals": ["mammal", "bird", "insect"], "policies": [{"rotate": names}]}
    )
    seen = Counter(pair for cell in campaign.cells for pair in cell.policies)
    assert seen == {(a, name): 1 for a in ("mammal", "bird", "insect") for name in names}
    # All on the same games: the same seed, the same indices.
    games = {cell: [(c.first, c.games) for c in campaign.chunks if c.cell == cell] for cell in campaign.cells}
    assert len(set(map(tuple, games.values()))) == 1


def test_a_rotation_that_comes_back_to_itself_is_not_played_twice():
    data = LEAST | {
        "animals": ["mammal", "bird", "amphibian", "insect"],
        "policies": [{"rotate": ["uniform", "math:floor"] * 2}],
    }
    assert len(lab.from_dict(data).cells) == 2


def test_a_seat_of_several_animals_has_one_policy():
    data = LEAST | {
        "animals": ["mammal", "bird", "insect"],
        "rules": {"seats": [["mammal", "insect"], ["bird"]]},
        "policies": [{"rotate": ["uniform", "math:floor"]}],
    }
    assert [dict(cell.policies) for cell in lab.from_dict(data).cells] == [
        {"mammal": "uniform", "bird": "math:floor", "insect": "uniform"},
        {"mammal": "math:floor", "bird": "uniform", "insect": "math:floor"},
    ]


def test_chunks_cover_every_game_of_every_cell_once(small):
    campaign = lab.from_dict(small)
    games = Counter(
        (chunk.cell.number, game)
        for chunk in campaign.chunks
        for game in range(chunk.first, chunk.first + chunk.games)
    )
    assert games == {(cell, game): 1 for cell in (0, 1) for game in range(60)}
    assert len(list(campaign.chunks)) == campaign.parts == 6


def test_the_key_changes_with_anything_that_changes_the_games(small):
    keys = {
        lab.from_dict(small | change).key
        for change in ({}, {"seed": 12}, {"games": 61}, {"columns": ["vp"]}, {"rules": {"max_turns": 9}})
    }
    assert len(keys) == 5


@pytest.mark.parametrize("turned", [False, True])
def test_a_line_up_that_is_also_part_of_a_rotation_belongs_to_it(turned):
    """Else the rotation would lack one of its cells."""
    lineups = ["greedy", {"bird": "uniform", "others": "greedy"}, {"rotate": ["greedy", "uniform", "greedy"]}]
    data = {"seed": 1, "games": 5, "animals": ["mammal", "bird", "insect"]}
    cells = lab.from_dict(data | {"policies": lineups[::-1] if turned else lineups}).cells
    assert sorted(cell.lineup for cell in cells) == ["greedy"] + 3 * ["rotation of 2 greedy, 1 uniform"]
    assert is_rotation([cell for cell in cells if cell.lineup != "greedy"])
    same = lab.from_dict(data | {"policies": ["greedy", {"rotate": ["greedy"] * 3}]}).cells
    assert [cell.lineup for cell in same] == ["greedy"]
