"""Workers of other kinds than threads and processes."""

from __future__ import annotations

import joblib
import pytest
from joblib.parallel import BACKENDS

from fivetowers_sim.batch.dask_cluster import start_cluster
from tests.batch.joblib_backends import Elsewhere, Older


@pytest.fixture(scope="module")
def cluster():
    """Two Dask workers of this machine's own."""
    with start_cluster(2) as started:
        yield started


@pytest.fixture
def registered():
    """Backends as joblib's users write them, and no others afterwards."""
    before = dict(BACKENDS)
    joblib.register_parallel_backend("elsewhere", Elsewhere)
    joblib.register_parallel_backend("older", Older)
    yield
    BACKENDS.clear()
    BACKENDS.update(before)
