"""Puts `playing` of this folder within reach, and the reference and `engine_games` of its neighbours."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "engine")]
