"""The C struct of a state as a NumPy structured dtype, field by field (csrc/ds_state.h says what each
holds)."""

import numpy as np

CURSOR = np.dtype(
    [
        ("targets", "u8"),
        ("place", "u1"),
        ("space", "u1"),
        ("stage", "u1"),
        ("draw", "u1"),
        ("protects", "u1", 6),
        ("card", "u1"),
        ("hex", "u1"),
        ("target", "u1"),
        ("element", "u1"),
        ("animal", "u1"),
        ("left", "u1"),
        ("stack", "u1"),
        ("moved", "u1", (7, 2)),
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("tiles", "u1", (35, 8)),  # species of the six animals, terrain, cone
        ("presence", "u8", 6),
        ("terrain", "u8", 7),
        ("earth", "u8"),
        ("tundra", "u8"),
        ("scored", "u8"),
        ("elements", "u8", (6, 2)),  # corner sets of two words
        ("shore", "u8", 2),
        ("spaces", "u8"),
        ("held", "u1", (6, 8)),  # by element, then animal
        ("boxes", "u1", (6, 8)),
        ("bag", "u1", 8),
        ("unseen_tiles", "u1", 8),
        ("pawns", "u1", 8),
        ("gene_pool", "u1", 8),
        ("eliminated", "u1", 8),
        ("vp", "i4", 6),
        ("face_up", "u4"),
        ("taken", "u4"),
        ("owner", "u1", 41),
        ("initiative", "u1", 6),
        ("stack_face_up", "u1", 3),
        ("stack_left", "u1", 3),
        ("tundra_left", "u1"),
        ("hibernating_animal", "u1"),
        ("hibernating_hex", "u1"),
        ("hibernating_count", "u1"),
        ("node", "u1"),
        ("actor", "u1"),
        ("phase", "u1"),
        ("truncated", "u1"),
        ("turn", "u2"),
        ("cursor", CURSOR),
        ("rng", "u8", 2),
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("animals", "u1"),  # those in play, as bits
        ("n_animals", "u1"),
        ("abilities", "u1"),  # as bits
        ("n_seats", "u1"),
        ("seats", "u1", 6),  # animals of each seat, as bits
        ("pawns", "u1", 6),
        ("gene_pool", "u1", 6),
        ("fixed", "u1", 6),  # printed elements
        ("tile_values", "u1", (8, 6)),  # by terrain, tundra last
        ("speciation_limits", "u1", 8),
        ("tundra_tiles", "u1"),
        ("initiative_restay", "u1"),
        ("declared", "u1"),
        ("max_turns", "u2"),
        ("handicap", "u2", 6),
        ("bonus_vp", "u2", 36),  # for quantities 0..35
        ("cards", "u4"),
    ],
    align=True,
)


def _view() -> np.dtype:
    """A state as policies see it: a private random number where the random stream was, and the rule set
    behind."""
    fields = {name: (dtype, offset) for name, (dtype, offset, *_) in (STATE.fields or {}).items()}
    fields["random"] = (np.dtype("u8"), fields.pop("rng")[1])
    fields["rules"] = (RULES, STATE.itemsize)
    return np.dtype(
        {
            "names": list(fields),
            "formats": [dtype for dtype, _ in fields.values()],
            "offsets": [offset for _, offset in fields.values()],
            "itemsize": STATE.itemsize + -(-RULES.itemsize // 8) * 8,
        }
    )


VIEW = _view()

NONE = 255  # no hex, animal, terrain, card
CHANCE = 6  # the actor at a chance node
