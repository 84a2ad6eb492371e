"""Puts `positions` of this folder within reach, and says what a round was made of."""

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def per(benchmark: Any) -> Any:
    """Runs a function in rounds with fresh arguments; its least time per item goes into `extra_info`."""

    def run(items: int, function: Any, setup: Any, rounds: int = 30, unit: str = "item") -> Any:
        result = benchmark.pedantic(function, setup=setup, rounds=rounds, warmup_rounds=2)
        benchmark.extra_info[f"ns_per_{unit}"] = round(benchmark.stats["min"] / items * 1e9, 1)
        return result

    return run
