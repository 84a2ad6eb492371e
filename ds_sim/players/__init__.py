"""The built-in players: `greedy` and `expert`, compiled policies written with the scoring functions."""

from __future__ import annotations

from typing import Final

from ..policies import CompiledPolicy
from . import expert, greedy

GREEDY: Final = CompiledPolicy(greedy.greedy, name="greedy")
EXPERT: Final = CompiledPolicy(expert.expert, name="expert")
