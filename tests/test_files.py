"""Files that appear whole or not at all."""

import os
import threading
from contextlib import suppress

import pytest

from ds_sim._files import replacing


def test_a_file_changes_at_the_end_and_only_if_all_went_well(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"old")
    with replacing(file) as new:
        new.write(b"new")
        assert file.read_bytes() == b"old"
    assert file.read_bytes() == b"new"
    with suppress(KeyError), replacing(file) as other:
        other.write(b"other")
        raise KeyError
    assert file.read_bytes() == b"new" and list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_the_file_behind_it_is_replaced(tmp_path, there):
    link, target = tmp_path / "link", tmp_path / "folder" / "target"
    target.parent.mkdir()
    if there:
        target.write_bytes(b"old")
    link.symlink_to(target)
    with replacing(link) as file:
        file.write(b"new")
    assert link.is_symlink() and target.read_bytes() == b"new" and os.listdir(target.parent) == ["target"]


def test_a_pipe_is_written_to_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    with replacing(pipe) as file:
        file.write(b"through")
    reader.join(10)
    assert read == [b"through"] and pipe.is_fifo()
