"""What tests let other processes do; here, where they find it by name."""

from __future__ import annotations

import os
import struct
import sys
from types import FrameType


def half() -> None:
    """Begins to send a result to the executor that plays this, and ends the process within it."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and "result_queue" not in frame.f_locals:
        frame = frame.f_back
    assert frame is not None
    pipe = frame.f_locals["result_queue"]._writer.fileno()
    os.write(pipe, struct.pack("!i", 1000) + b"half of it")
    os._exit(1)
