"""Memory over long runs (E-19): once a workload has run, running it on takes no more."""

import resource
import sys

import pytest
from playing import FOUR, SHORT

import ds_sim as ds

pytestmark = pytest.mark.soak
MORE = 6 << 20


@ds.policy
def last(view, legal, n):
    return n - 1


@ds.policy
def broken(view, legal, n):
    if view.turn > 1:
        raise ValueError("as meant")
    return 0


def peak():
    """The most memory this process ever held, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def fail(seed):
    with pytest.raises(ds.PolicyError):
        ds.playouts(SHORT, 20, broken, seed=seed)


def step_a_batch(seed):
    batch = ds.Batch(SHORT, 500, seed=seed, auto_reset=True)
    for number in range(200):
        batch.apply(batch.random_actions(seed, number))
        batch.legal_mask()
    batch.observation()
    batch.clone().playout(seed=seed)


@pytest.mark.parametrize(
    ("work", "times"),
    [
        (lambda seed: ds.playouts(FOUR, 10_000, seed=seed, threads=2), 100),
        (lambda seed: ds.playouts(SHORT, 2_000, last, seed=seed, threads=3, keep_records=True), 100),
        (lambda seed: ds.playouts(SHORT, 40, lambda state: state.legal_actions()[0], seed=seed), 60),
        (lambda seed: ds.playouts_from(ds.State(SHORT, seed=seed), 50, seed=seed), 1000),
        (step_a_batch, 40),
        (fail, 200),
    ],
    ids=["uniform", "records", "python", "positions", "batches", "failures"],
)
def test_memory_is_flat(work, times):
    for seed in range(times // 4):
        work(seed)
    before = peak()
    for seed in range(times):
        work(seed)
    assert peak() - before < MORE
