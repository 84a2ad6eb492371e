"""Puts `playing` of this folder, `reference` of the folder above and `engine_games` of the next within reach."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "engine")]
