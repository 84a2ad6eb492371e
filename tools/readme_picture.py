"""Draw the picture of the README.

    python tools/readme_picture.py            write docs/pictures/board.svg
    python tools/readme_picture.py --check    change nothing; exit 1 if it is not up to date

A position of the fifth turn of a game of uniform play among all six animals.
"""

import argparse
import sys
from itertools import islice
from pathlib import Path

import ds_sim as ds
from ds_sim.records import play_record

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "pictures" / "board.svg"
SEED, STEP = 54, 353


def picture() -> str:
    """The picture as SVG."""
    step = next(islice(play_record(seed=SEED).replay(), STEP, None))
    return ds.view.svg(step.state) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw the picture of the README.")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if not up to date")
    if parser.parse_args().check:
        return int(PICTURE.read_text(encoding="utf-8") != picture())
    PICTURE.write_text(picture(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
