"""Puts `reference` and `positions` of the folder above within reach."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
