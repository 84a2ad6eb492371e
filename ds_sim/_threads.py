"""How many threads this process may use."""

from __future__ import annotations

import os
from pathlib import Path


def available_threads() -> int:
    """Processors this process may use: its affinity and, in a container, its quota; at least 1."""
    affinity = getattr(os, "sched_getaffinity", None)
    count = len(affinity(0)) if affinity else os.cpu_count() or 1
    return max(1, min(count, _quota() or count))


def _quota() -> int | None:
    """Whole processors that the control group grants, if it limits them."""
    try:
        limit, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        return None if limit == "max" else max(1, int(limit) // int(period))
    except (OSError, ValueError):
        return None
