"""The balance lab: campaigns of millions of games, variants compared, reports.

>>> import ds_sim as ds
>>> campaign = ds.lab.from_dict({"seed": 7, "games": 1000, "policies": ["uniform"]})
>>> campaign.total, campaign.cells[0].label
(1000, 'base · mammal, reptile, bird, amphibian, arachnid, insect · uniform')

`run(campaign, "out")` plays it into a folder of Parquet parts. `open_study("out")` reads them; `rates` and
`detail` make data frames of a study, `Report` an HTML file. Needs ds-sim[lab].
"""

from . import detail, rates
from .campaign import Campaign, CampaignError, Cell, Chunk, from_dict, load
from .parts import GameFailed, VersionMismatch
from .report import Report
from .runner import Outcome, run
from .study import Study, open_study

__all__ = [
    "Campaign",
    "CampaignError",
    "Cell",
    "Chunk",
    "GameFailed",
    "Outcome",
    "Report",
    "Study",
    "VersionMismatch",
    "detail",
    "from_dict",
    "load",
    "open_study",
    "rates",
    "run",
]
