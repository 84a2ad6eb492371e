"""Names of the nodes, phases and VP sources, by id (protocol.md sections 2 and 4)."""

from __future__ import annotations

from typing import Final

NODES: Final = (
    "end",
    *("reveal_card", "reveal_tile", "draw_element"),
    *(
        "place",
        "initiative",
        "adapt",
        "regress",
        "abundance_element",
        "abundance_corner",
        "wasteland",
        "deplete",
    ),
    *("glaciate", "speciate_corner", "speciate_count", "speciate_free"),
    *("wander_stack", "wander_hex", "wander_element", "wander_corner", "wander_move"),
    *("migrate_from", "migrate_to", "migrate_count", "compete_tile", "compete_victim"),
    *("dominate", "claim", "take_card", "save"),
    *("aquatic_hex", "aquatic_element", "aquatic_corner", "aquatic_count", "biomass_victim"),
    *("blight_hex", "blight_keep", "catastrophe_hex", "catastrophe_keep", "catastrophe_victim", "disease"),
    *("evolution_animal", "evolution_hex", "fecundity", "fertile", "habitat_element", "habitat_corner"),
    *("hibernate_hex", "hibernate_count", "immigrants", "instinct", "exodus_hex", "exodus_count"),
    *("metamorphosis_give", "metamorphosis_take", "predator_victim"),
)
"""Every node, in the order of the protocol; its place is its id in the arrays of states."""

NODE_ID: Final = {name: i for i, name in enumerate(NODES)}

CHANCE_NODES: Final = NODES[1:4]

PHASES: Final = ("planning", "execution", "reset", "ended")

SOURCES: Final = (
    *("domination", "final_scoring", "glaciation", "wanderlust", "survival", "ice_age"),
    *("biodiversity", "ecodiversity", "fertile", "handicap", "losses"),
)
"""Where VPs come from: the last axis of `vp_by_source`."""
