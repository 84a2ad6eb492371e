"""Campaigns on a real Dask cluster: worker processes of their own, one of them killed."""

import os
import signal

import pytest
from distributed import Client, LocalCluster

import ds_sim as ds
from ds_sim import lab
from ds_sim.lab import executors

DATA = {
    "seed": 11,
    "games": 120,
    "chunk": 10,
    "detailed": 20,
    "animals": ["bird", "insect"],
    "rules": {"max_turns": 6},
}


@pytest.fixture(scope="module")
def cluster():
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def whole(tmp_path_factory, digests):
    folder = tmp_path_factory.mktemp("whole")
    lab.run(lab.from_dict(DATA), folder, workers=1)
    return digests(folder)


def test_a_cluster_that_loses_a_worker_gives_the_same_bytes(tmp_path, cluster, whole, digests):
    """E-33, E-35"""
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if done and not killed:
            with Client(cluster.scheduler_address, set_as_default=False) as client:
                killed.extend(list(client.run(os.getpid).values())[:1])
            os.kill(killed[0], signal.SIGKILL)

    campaign = lab.from_dict(DATA)
    outcome = lab.run(campaign, tmp_path, executor=cluster.scheduler_address, progress=kill)
    assert killed and outcome.played == 120
    assert digests(tmp_path) == whole


def test_a_worker_of_another_version_is_refused_at_the_start(tmp_path, cluster):
    def become(version: str) -> None:
        import ds_sim.lab.parts

        ds_sim.lab.parts.__version__ = version

    with Client(cluster.scheduler_address, set_as_default=False) as client:
        cluster.wait_for_workers(2)
        worker = sorted(client.scheduler_info(n_workers=-1)["workers"])[0]
        client.run(become, "9.9", workers=[worker])
        try:
            with pytest.raises(lab.VersionMismatch, match=rf"worker {worker} has ds_sim 9\.9 instead"):
                lab.run(lab.from_dict(DATA), tmp_path, executor=cluster.scheduler_address)
        finally:
            client.run(become, ds.__version__, workers=[worker])
    assert not list(tmp_path.glob("games/*/*.parquet"))


def test_a_cluster_that_is_not_there_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(executors, "_CONNECT_SECONDS", 1)
    with pytest.raises(
        lab.CampaignError, match=r"executor = 'tcp://127\.0\.0\.1:9': no Dask cluster answers there"
    ):
        lab.run(lab.from_dict(DATA), tmp_path, executor="tcp://127.0.0.1:9")
    assert lab.run(lab.from_dict(DATA), tmp_path, workers=1).played == 120  # the folder is as good as before


def test_the_number_of_workers_is_the_clusters_business(tmp_path):
    with pytest.raises(lab.CampaignError, match="workers: the cluster decides"):
        lab.run(lab.from_dict(DATA), tmp_path, executor="tcp://127.0.0.1:9", workers=2)
