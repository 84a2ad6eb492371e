"""What all tests share."""

import signal

import pytest

# A runner in the background may have been started with SIGINT ignored, and so would every process that a test
# interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("soak"):
            item.add_marker(pytest.mark.timeout(0))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """With `-n`, the tests of a file stay together: they share what is dear to make. As an option this would
    switch off the benchmarks, with or without `-n`.
    """
    from xdist.scheduler import LoadFileScheduling

    return LoadFileScheduling(config, log)
