"""Where chunks are played: local processes, a Dask cluster, or any `concurrent.futures.Executor`.

A pool takes tasks, says how many it wants at a time, and can be renewed after a worker was lost. Workers send
the bytes of their parts back and never write files, so they can be killed at any moment and need no shared
disk.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, Final, Protocol, TypeAlias

from .._threads import available_threads
from ..errors import DsSimError, show
from ..tables import load
from .campaign import CampaignError
from .parts import Made, Task, VersionMismatch, differing, make, versions

ExecutorLike: TypeAlias = "Executor | str | None"
"""An executor; "processes" (also None); or the address of a Dask scheduler, such as tcp://10.0.0.7:8786."""

_AHEAD: Final = 2
"""Tasks held for each worker, so that none waits for the next."""

_CONNECT_SECONDS: Final = 10


class Pool(Protocol):
    """Something that plays tasks."""

    width: int
    """How many tasks it is to hold at once."""

    def submit(self, task: Task) -> Future[Made]: ...
    def renew(self) -> None:
        """Called when a worker was lost with the tasks it held; the tasks are submitted again."""

    def lost(self) -> bool:
        """Whether a worker has ended, which its futures may never tell."""


@contextmanager
def pool(executor: ExecutorLike, workers: int | None) -> Iterator[Pool]:
    """The pool that `executor` stands for; closed at the end, what it still plays given up."""
    with _open(executor, workers) as opened:
        yield opened


def _open(executor: ExecutorLike, workers: int | None) -> AbstractContextManager[Pool]:
    if executor is None or executor == "processes":
        return contextlib.closing(_Processes(workers or available_threads()))
    if isinstance(executor, Executor):
        return contextlib.nullcontext(_Given(executor, workers))
    if isinstance(executor, str) and "://" in executor:
        if workers is not None:
            raise CampaignError("workers: the cluster decides how many; leave it out")
        return contextlib.closing(_Dask(executor))
    raise CampaignError(
        f"executor = {show(executor)}: expected 'processes', the address of a Dask scheduler "
        f"(tcp://HOST:PORT), or a concurrent.futures.Executor"
    )


class _Given:
    """An executor of the caller's, such as `mpi4py.futures.MPIPoolExecutor`."""

    def __init__(self, executor: Executor, workers: int | None) -> None:
        self._executor = executor
        self.width = _AHEAD * (workers or available_threads())

    def submit(self, task: Task) -> Future[Made]:
        return self._executor.submit(make, task)

    def renew(self) -> None:
        raise CampaignError("the executor lost a worker and takes no more tasks; run again with a new one")

    def lost(self) -> bool:
        return False


# ---- local processes ----


class _Spawned(SpawnContext):
    """Fresh processes, remembered so that they can be ended."""

    def __init__(self) -> None:
        super().__init__()
        self.processes: list[SpawnProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        process = SpawnProcess(*args, **kwargs)
        self.processes.append(process)
        return process


class _Processes:
    """Local processes with one thread each."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self.width = _AHEAD * workers
        self._start()

    def _start(self) -> None:
        self._context = _Spawned()
        self._executor = ProcessPoolExecutor(self._workers, self._context, initializer=_begin_worker)

    def submit(self, task: Task) -> Future[Made]:
        with _no_interrupt():
            return self._executor.submit(make, task)

    def renew(self) -> None:
        self.close()
        self._start()

    def lost(self) -> bool:
        return any(process.exitcode is not None for process in self._context.processes)

    def close(self) -> None:
        for process in self._context.processes:
            process.terminate()
        for process in self._context.processes:
            process.join()
        # A worker that ended within a result left its reader waiting for the rest, while this process could
        # write it too: now nobody can, and the reader sees the end.
        executor: Any = self._executor
        executor._result_queue._writer.close()
        executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Holds Ctrl-C back, so that processes started here never get it: their parent ends them."""
    resource_tracker.ensure_running()  # its start would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker() -> None:
    """A worker ends with its parent, even if that is killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


# ---- Dask ----


class _Dask:
    """A Dask cluster, through its `concurrent.futures` interface. It runs the tasks of lost workers again by
    itself.
    """

    def __init__(self, address: str) -> None:
        distributed = load("distributed", "dask")
        try:
            self._client = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise CampaignError(
                f"executor = {show(address)}: no Dask cluster answers there: {error}"
            ) from error
        try:
            self._check(self._client.run(versions, on_error="return"))
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise CampaignError(
                    f"executor = {show(address)}: its workers do not answer: {error}"
                ) from error
            raise
        threads = sum(self._client.nthreads().values())
        if not threads:
            self.close()
            raise CampaignError(f"executor = {show(address)}: the cluster has no workers")
        self.width = _AHEAD * threads
        self._executor = self._client.get_executor(pure=True)

    def _check(self, found: Mapping[str, Any]) -> None:
        for worker, theirs in found.items():
            if isinstance(theirs, DsSimError | ImportError):
                raise VersionMismatch(f"worker {worker}: {theirs}")
            if isinstance(theirs, BaseException):
                raise theirs
            difference = differing(versions(), theirs)
            if difference:
                raise VersionMismatch(f"worker {worker} has {difference}")

    def submit(self, task: Task) -> Future[Made]:
        try:
            future: Future[Made] = self._executor.submit(make, task, key=task.key)
        except OSError as error:
            raise CampaignError(f"executor: the cluster does not answer any more: {error}") from error
        return future

    def renew(self) -> None:
        """Nothing to do: the scheduler knows its workers."""

    def lost(self) -> bool:
        return False

    def close(self) -> None:
        self._client.close()
