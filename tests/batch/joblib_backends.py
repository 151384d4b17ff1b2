"""Backends as they are written for joblib, with workers that know nothing of this process but what they are sent."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.pool import ThreadPool

import cloudpickle
import joblib
from joblib.parallel import ParallelBackendBase


def run_sent(packed):
    """Run a call as a worker elsewhere does."""
    if Elsewhere.loses:
        raise OSError("nobody there")
    return cloudpickle.dumps(pickle.loads(packed)())


class Elsewhere(ParallelBackendBase):
    """Says by a callback that a call is done, as joblib's newer backends do."""

    supports_retrieve_callback = True
    loses = False
    ended = False

    def effective_n_jobs(self, n_jobs):
        return n_jobs if n_jobs > 0 else max(1, 6 + n_jobs)

    def configure(self, n_jobs=1, parallel=None, **options):
        workers = self.effective_n_jobs(n_jobs)
        self._pool = ThreadPoolExecutor(workers)
        Elsewhere.ended = False
        return workers

    def submit(self, func, callback=None):
        future = self._pool.submit(run_sent, cloudpickle.dumps(func))
        future.add_done_callback(callback)
        return future

    def retrieve_result_callback(self, out):
        return pickle.loads(out.result())

    def terminate(self):
        Elsewhere.ended = True
        self._pool.shutdown(wait=False)


class Older(ParallelBackendBase):
    """Hands out what has to be waited for, as Spark's does, and takes no part before it is told that it begins."""

    _running = False

    def effective_n_jobs(self, n_jobs):
        return n_jobs

    def configure(self, n_jobs=1, parallel=None, **options):
        self._pool = ThreadPool(n_jobs)
        return n_jobs

    def start_call(self):
        self._running = True

    def apply_async(self, func, callback=None):
        assert self._running
        return self._pool.apply_async(self._fetch, (cloudpickle.dumps(func),), callback=callback)

    def _fetch(self, packed):
        return pickle.loads(run_sent(packed))

    def terminate(self):
        self._pool.terminate()


def register_elsewhere():
    """Register one backend, for the command line."""
    joblib.register_parallel_backend("elsewhere", Elsewhere)
