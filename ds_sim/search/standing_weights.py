"""The weights of `standing`; written by tools/fit_standing.py."""

from typing import Final

import numpy as np

WEIGHTS: Final = np.array(
    [
        (1.346, -0.683),  # VPs of tiles that it would keep
        (0.354, -0.091),  # VPs of tiles where it is endangered
        (3.256, 3.149),  # tiles dominated
        (0.705, -0.080),  # species not endangered
        (0.516, -0.850),  # species endangered
        (0.535, 1.511),  # gene pool
        (0.493, -0.341),  # elements held
        (1.361, 10.585),  # action pawns at hand
        (0.177, -0.403),  # species on tundra
        (-1.398, 1.365),  # tiles occupied
        (0.199, -1.674),  # matches, up to 3 a tile
        (-0.291, -0.113),  # best tile dominated
        (1.583, 4.835),  # is mammal
        (-0.669, -2.576),  # is reptile
        (2.047, -11.191),  # is bird
        (0.769, -8.584),  # is amphibian
        (-1.597, 12.661),  # is arachnid
        (-2.133, 4.855),  # is insect
        (-2.674, -1.169),  # pawns on initiative
        (2.702, 9.796),  # pawns on adaptation
        (2.297, 7.173),  # pawns on regression
        (3.654, 9.175),  # pawns on abundance
        (3.412, 6.474),  # pawns on wasteland
        (7.158, 6.791),  # pawns on depletion
        (2.676, 10.097),  # pawns on glaciation
        (6.540, 6.757),  # pawns on speciation
        (6.706, 9.530),  # pawns on wanderlust
        (3.781, 9.364),  # pawns on migration
        (4.594, 7.491),  # pawns on competition
        (5.830, 13.337),  # pawns on domination
    ]
)
"""VPs to come for one of each feature: with no card left, and what is added to it with all."""

SPREAD: Final = (2.68, 29.48)
"""Of outcomes: with no card left, and what the root of the part that is left adds."""
