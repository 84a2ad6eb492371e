"""Actions and their text form (protocol section 1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ds_sim import actions, board
from ds_sim.errors import DsSimError, IllegalAction, UnknownAction, UnknownName

# As the table and the examples of the protocol have them.
EXAMPLES = {
    "pass": 0,
    "place:initiative": 1,
    "place:speciation_sun": 16,
    "place:domination_5": 41,
    "element:meat": 42,
    "element:grub": 46,
    "element:grass": 47,
    "corner:A1.w": 48,
    "corner:D3.e": 103,
    "corner:G4.e": 139,
    "hex:A1": 140,
    "hex:D3": 157,
    "hex:G4": 174,
    "animal:mammal": 175,
    "animal:bird": 177,
    "animal:insect": 180,
    "count:0": 181,
    "count:3": 184,
    "count:15": 196,
    "stack:1": 197,
    "stack:3": 199,
    "card:aquatic": 200,
    "card:ice_age": 213,
    "card:symbiotic": 225,
    "lose_pawn": 226,
    "lose_species": 227,
    "terrain:sea": 228,
    "terrain:mountain": 234,
}


@pytest.mark.parametrize(("text", "action"), EXAMPLES.items())
def test_ids_and_texts_of_the_protocol(text, action):
    assert actions.text(action) == text
    assert actions.parse(text) == action


def test_every_action_has_its_own_text_that_parses_back():
    texts = [actions.text(action) for action in range(actions.N_ACTIONS)]
    assert len(set(texts)) == 235
    assert [actions.parse(text) for text in texts] == list(range(235))


def test_every_alias_of_a_corner_is_read():
    for name, corner in board.CORNER_ID.items():
        assert actions.parse(f"corner:{name}") == actions.corner(name) == 48 + corner


def test_kinds_partition_the_actions():
    counted = sorted(action for ids in actions.RANGES.values() for action in ids)
    assert counted == list(range(235))
    for kind, ids in actions.RANGES.items():
        assert {actions.kind(action) for action in ids} == {kind}


def test_argument_is_what_follows_the_colon():
    assert actions.argument(actions.parse("corner:E3.sw")) == "D3.e"
    assert actions.argument(actions.parse("count:7")) == "7"
    assert actions.argument(actions.LOSE_PAWN) is None


@pytest.mark.parametrize(
    ("make", "name", "text"),
    [
        (actions.place, "wasteland", "place:wasteland"),
        (actions.element, "sun", "element:sun"),
        (actions.corner, "E3.sw", "corner:D3.e"),
        (actions.hex, "B4", "hex:B4"),
        (actions.animal, "arachnid", "animal:arachnid"),
        (actions.count, 15, "count:15"),
        (actions.stack, 1, "stack:1"),
        (actions.card, "nocturnal", "card:nocturnal"),
        (actions.terrain, "forest", "terrain:forest"),
    ],
)
def test_makers(make, name, text):
    assert actions.text(make(name)) == text
    with pytest.raises(UnknownName if isinstance(name, str) else DsSimError):
        make("nothing" if isinstance(name, str) else 16)


@pytest.mark.parametrize("n", [True, 1.0, "1", -1])
def test_count_takes_only_integers_in_range(n):
    with pytest.raises(DsSimError, match="expected an integer from 0 to 15"):
        actions.count(n)


@pytest.mark.parametrize("action", [-1, 235, 256, 2**70, True, 1.0, "1", None])
def test_a_number_that_is_no_action(action):
    with pytest.raises(UnknownAction, match="integer from 0 to 234"):
        actions.text(action)


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("Pass", "pass"),
        (" pass", "pass"),
        ("hex:d3", "hex:D3"),
        ("hex: D3", "hex:D3"),
        ("place:speciation_sum", "place:speciation_sun"),
        ("card:iceage", "card:ice_age"),
        ("corner:e3.SW", "corner:E3.sw"),
    ],
)
def test_a_wrong_text_is_refused_with_the_nearest_right_one(wrong, meant):
    with pytest.raises(IllegalAction) as error:
        actions.parse(wrong)
    assert repr(wrong) in str(error.value)
    assert f"did you mean {meant!r}?" in str(error.value)


@pytest.mark.parametrize(
    "wrong", ["", ":", "zzzzzz", "hex", "count:03", "stack:4", "element:", 12, None, b"pass"]
)
def test_other_wrong_texts(wrong):
    with pytest.raises(UnknownAction, match="is no"):
        actions.parse(wrong)


@given(st.text())
def test_only_the_listed_texts_parse(text):
    try:
        action = actions.parse(text)
    except UnknownAction:
        return
    kind, _, argument = text.partition(":")
    assert actions.kind(action) == kind
    assert kind == "corner" or actions.argument(action) == (argument or None)
