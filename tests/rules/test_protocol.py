"""How decisions are cut: P-1 to P-5 of the protocol (P-6 stands with the declared claims, more of P-2 with
Migration)."""

import pytest
from positions import at, counts, execute, get, legal, on, plain_position, play, position, settle, take

import ds_sim as ds

LAST = {"D4": {"mammal": 1}}


@pytest.mark.parametrize(
    ("first", "text"),
    [
        (0, "pass"),
        (1, "place:initiative"),
        (41, "place:domination_5"),
        (42, "element:meat"),
        (47, "element:grass"),
        (48, "corner:A1.w"),
        (139, "corner:G4.e"),
        (140, "hex:A1"),
        (174, "hex:G4"),
        (175, "animal:mammal"),
        (180, "animal:insect"),
        (181, "count:0"),
        (196, "count:15"),
        (197, "stack:1"),
        (199, "stack:3"),
        (200, "card:aquatic"),
        (213, "card:ice_age"),
        (225, "card:symbiotic"),
        (226, "lose_pawn"),
        (227, "lose_species"),
        (228, "terrain:sea"),
        (234, "terrain:mountain"),
    ],
)
def test_protocol_section_1_actions_have_ids_and_texts(first, text):
    assert ds.actions.text(first) == text
    assert ds.actions.parse(text) == first


def test_p_1_a_single_legal_action_is_taken_by_the_engine():
    # One species, one target, one count, nothing left to move: only the source is asked.
    state = execute(
        "mammal bird",
        {"domination_1": "mammal", "migration_2": "mammal"},
        tiles={"F4": "sea"},
        species={"F4": {"mammal": 1}},
    )
    assert legal(state) == ["pass", "hex:F4"]
    play(state, "hex:F4")
    assert at(state) == ("dominate", "mammal")
    assert on(state, "E4") == {"mammal": 1}


def test_p_1_a_lone_pass_is_not_presented():
    state = execute(
        "mammal bird", {"domination_1": "bird", "migration_2": "bird"}, species={"C3": {"mammal": 1}}
    )
    assert at(state) == ("dominate", "bird")


def test_p_1_holds_for_chance_nodes_too():
    state = ds.State(ds.Rules(cards=("habitat",)), explicit_chance=True)
    assert state.node == "reveal_tile"
    assert get(state, "cards")["face_up"] == ["habitat", "ice_age"]


def test_p_1_an_action_that_is_not_legal_is_refused_and_changes_nothing():
    state = position("mammal bird", "bird", spaces={"wasteland": "mammal"})
    before = state.to_dict()
    for action in ("place:wasteland", "pass", "hex:D3", 234):
        with pytest.raises(ValueError, match=r"place|pass|hex|terrain"):
            state.apply(action)
    assert state.to_dict() == before


def test_p_2_sets_of_tiles_are_asked_in_ascending_hex_id():
    state = take("fecundity", species={"E3": {"bird": 1}, "C3": {"bird": 1}, "D4": {"bird": 1}})
    order = []
    while state.node == "fecundity":
        before = get(state, "tiles")
        play(state, "count:1")
        order += [
            h for h, tile in get(state, "tiles").items() if tile.get("species") != before[h].get("species")
        ]
    assert order == ["C3", "D4", "E3", "E4"]


def test_p_2_animals_are_asked_in_food_chain_order():
    state = take(
        "immigrants",
        animals="mammal reptile bird amphibian insect",
        species=LAST,
        held=dict.fromkeys(("mammal", "reptile", "amphibian", "insect"), "grub"),
    )
    order = []
    while state.node == "immigrants":
        order.append(state.actor)
        play(state, "lose_species")
    assert order == ["mammal", "reptile", "bird", "amphibian", "insect"]


def wander_with(birds):
    state = execute(
        "mammal bird", {"domination_1": "mammal", "wanderlust_1": "bird"}, species={"D2": {"bird": birds}}
    )
    return play(state, "stack:1", "hex:D1", "pass")


def test_p_3_more_than_fifteen_are_asked_in_portions():
    state = wander_with(33)
    for left in (33, 18, 3):
        assert at(state) == ("wander_move", "bird")
        assert legal(state) == counts(min(left, 15))
        play(state, "count:15" if left > 15 else "count:1")
    assert at(state) == ("dominate", "mammal")
    assert (on(state, "D1"), on(state, "D2")) == ({"bird": 31}, {"bird": 2})


def test_p_3_fewer_than_fifteen_end_the_question():
    state = play(wander_with(33), "count:14")
    assert at(state) == ("dominate", "mammal")
    assert on(state, "D1") == {"bird": 14}


def test_p_3_exactly_fifteen_need_no_second_portion():
    state = play(wander_with(15), "count:15")
    assert at(state) == ("dominate", "mammal")
    assert on(state, "D2") == {}


def test_p_3_after_fifteen_of_sixteen_the_last_one_is_asked():
    state = play(wander_with(16), "count:15")
    assert at(state) == ("wander_move", "bird")
    assert legal(state) == ["count:0", "count:1"]


def test_p_3_mass_exodus_goes_in_portions_too():
    # F4 lies beside E4 only; from E4 twenty birds go to D3, D4, E3 and F4.
    state = take("mass_exodus", "hex:E4", tiles={"F4": "sea"}, species={"E4": {"bird": 20}, **LAST})
    assert legal(state) == counts(15)
    play(state, "count:15")
    assert legal(state) == counts(5)
    play(state, "count:2")
    assert legal(state) == counts(3)
    play(state, "count:1")
    assert legal(state) == counts(2)
    play(state, "count:0")
    assert [on(state, h).get("bird", 0) for h in ("D3", "D4", "E3", "F4", "E4")] == [17, 1, 0, 2, 0]


def test_p_4_an_element_stays_in_its_box_until_the_corner_is_named():
    state = play(execute("mammal bird", {"abundance_1": "bird"}), "element:grub")
    assert state.node == "abundance_corner"
    assert get(state, "boxes")["abundance"] == {"grub": 2, "grass": 2}
    play(state, "corner:D3.e")
    assert get(state, "boxes")["wasteland"] == {"grub": 1, "grass": 2}


def test_p_4_an_element_of_wanderlust_stays_in_its_box_until_the_corner_is_named():
    state = execute(
        "mammal bird", {"domination_1": "bird", "wanderlust_1": "bird"}, species={"C4": {"bird": 1}}
    )
    play(state, "stack:1", "hex:D1", "element:sun")
    assert get(state, "boxes")["wanderlust"] == {"sun": 2, "water": 2}
    play(state, "corner:D1.se")
    assert get(state, "boxes")["wanderlust"] == {"sun": 1, "water": 2}


def test_p_4_an_element_stays_in_the_bag_until_the_corner_is_named():
    state = take("habitat", "element:grub", species=LAST)
    assert get(state, "bag")["grub"] == 18
    play(state, "corner:D3.e")
    assert get(state, "bag")["grub"] == 17


def test_p_4_a_tile_stays_on_its_stack_until_the_hex_is_named():
    state = play(execute("mammal bird", {"wanderlust_1": "bird"}), "stack:2")
    assert [stack["face_up"] for stack in get(state, "stacks")] == ["sea", "wetland", "jungle"]
    play(state, "hex:D1")
    assert [stack["face_up"] for stack in get(state, "stacks")] == ["sea", None, "jungle"]


def test_p_4_a_metamorphosis_changes_nothing_before_the_taking():
    state = take("metamorphosis", "element:sun", species=LAST, held={"bird": "sun meat"})
    assert state.node == "metamorphosis_take"
    assert get(state, "elements")["bird"] == {"meat": 1, "sun": 1, "seed": 2}
    assert get(state, "bag")["sun"] == 16


def test_p_4_an_evolution_changes_nothing_before_the_hex():
    state = take("evolution", "animal:mammal", species={"C3": {"mammal": 1}, "D2": {"mammal": 1}})
    assert state.node == "evolution_hex"
    assert get(state, "gene_pool")["bird"] == 20
    assert get(state, "eliminated") == {}


def test_p_4_every_count_takes_effect_at_once():
    state = execute("mammal bird", {"speciation_sun": "bird"}, corners={"D3.e": "sun"})
    play(state, "corner:D3.e", "count:1")
    assert state.node == "speciate_count"
    assert on(state, "D3") == {"bird": 1}
    assert get(state, "gene_pool")["bird"] == 19


def test_p_5_below_means_a_larger_animal_id_for_the_second_evolution():
    state = take(
        "evolution",
        "animal:reptile",
        animals="mammal reptile bird insect",
        species={"C3": {"mammal": 1}, "D4": {"reptile": 1, "insect": 1}},
    )
    assert legal(state) == ["pass", "animal:insect"]


def test_protocol_section_3_the_same_actions_give_the_same_state_in_both_modes():
    explicit = ds.State(ds.Rules(animals=("mammal", "bird")), explicit_chance=True)
    settle(explicit)
    sampled = ds.State(ds.Rules(animals=("mammal", "bird")), seed=5)
    assert (sampled.node, sampled.actor) == at(explicit) == ("place", "bird")
    same = ds.State.from_dict(explicit.to_dict())
    for action in ("place:adaptation_1", "place:wasteland", "place:migration_7"):
        play(explicit, action)
        play(same, action)
    assert same.to_dict() == explicit.to_dict()


def test_protocol_section_4_a_state_read_back_goes_on_in_the_middle_of_a_compound_action():
    state = execute(
        "mammal bird",
        {"domination_1": "mammal", "migration_7": "mammal"},
        species={"C3": {"mammal": 3}, "C4": {"mammal": 2}, "E3": {"mammal": 1}},
    )
    for action in ("hex:C3", "hex:D2", "count:2", "hex:C4", "hex:D4", "count:1"):
        play(state, action)
        again = ds.State.from_dict(state.to_dict(), explicit_chance=True)
        assert again.to_dict() == state.to_dict()
        state = again
    assert legal(state) == ["pass", "hex:E3"]


def plain():
    return plain_position(
        "mammal bird",
        "bird",
        species={"E4": {"mammal": 2}},
        corners={"E4.e": "seed"},
        tiles={"F4": "forest"},
        spaces={"wasteland": "mammal"},
    )


def test_protocol_section_4_derived_keys_need_not_be_given():
    state = ds.State.from_dict(plain(), explicit_chance=True)
    assert {"legal", "cursor"} & plain().keys() == set()
    assert state.to_dict()["legal"] == [action for action in range(1, 42) if action != 9]


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["tiles"]["E4"]["species"].update(mammal=3),
        lambda d: d["eliminated"].update(bird=1),
        lambda d: d["gene_pool"].update(bird=19),
        lambda d: d["bag"].update(meat=20),
        lambda d: d["corners"].update({"D3.e": "seed"}),
        lambda d: d["elements"]["bird"].update(seed=1),
        lambda d: d["elements"]["bird"].update(sun=5),
        lambda d: d["corners"].update({"G1.e": d["corners"].pop("E4.e")}),
        lambda d: d["tiles"]["F4"].update(terrain="lake"),
        lambda d: d["unseen_tiles"].update(sea=6),
        lambda d: d["stacks"][0].update(left=8),
        lambda d: d["tiles"].pop("D2"),
        lambda d: d["tiles"]["D3"].pop("tundra"),
        lambda d: d["tiles"].update(A1=d["tiles"].pop("F4")),
        lambda d: d.update(tundra_left=10),
        lambda d: d["pawns"].update(bird=2),
        lambda d: d["spaces"].update(depletion="bird"),
        lambda d: d["spaces"].update(wasteland="insect"),
        lambda d: d["initiative"].pop(),
        lambda d: d["cards"]["face_up"].append("aquatic"),
        lambda d: d["cards"]["taken"].append("aquatic"),
        lambda d: d["vp"].update(bird=-1),
        lambda d: d.update(actor="mammal"),
        lambda d: d.update(node="adapt"),
        lambda d: d.update(format=2),
        lambda d: d.update(weather="rain"),
    ],
)
def test_protocol_section_4_what_cannot_be_is_refused(change):
    impossible = plain()
    change(impossible)
    with pytest.raises(ds.DsSimError):
        ds.State.from_dict(impossible, explicit_chance=True)
