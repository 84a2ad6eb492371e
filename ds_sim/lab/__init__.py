"""The balance lab: campaigns of millions of games, variants compared, reports.

>>> import ds_sim as ds
>>> campaign = ds.lab.from_dict({"seed": 7, "games": 1000, "policies": ["uniform"]})
>>> campaign.total, campaign.cells[0].label
(1000, 'base · mammal, reptile, bird, amphibian, arachnid, insect · uniform')

`run(campaign, "out")` plays it into a folder of Parquet parts, `open("out")` reads them as a `Study` of data frames.
Needs ds-sim[lab].
"""

from .campaign import Campaign, CampaignError, Cell, Chunk, from_dict, load
from .parts import GameFailed, VersionMismatch
from .runner import Outcome, run

__all__ = [
    "Campaign",
    "CampaignError",
    "Cell",
    "Chunk",
    "GameFailed",
    "Outcome",
    "VersionMismatch",
    "from_dict",
    "load",
    "run",
]
