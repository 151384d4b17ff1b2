"""One digest for one plan: over all ways to play it, together and not one at a time."""

from __future__ import annotations

import signal

import pytest

from fivetowers_sim.batch.dask_cluster import start_cluster
from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.dataset.digest import digest_run
from fivetowers_sim.dataset.verify import verify_run
from fivetowers_sim.dataset.write import write_run
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.rules.ruleset_files import load_rules

GAMES = 210
DETAILS = ("games", "rounds", "bids")
PART_GAMES = (17, 100, 0)
# A backend, and with how many workers it is tried.
BACKENDS = {"threads": (1, 2, 3), "processes": (2,), "loky": (2,), "dask": (2,)}
INTERRUPTIONS = ("none", "interrupted and resumed")

FEW = {(17, "bids", "interrupted and resumed")}
"""Sizes, details and interruptions that are tried with a backend that takes long to start."""

FAST = ("threads", 2, 17, "bids")
"""What is tried where the others would be too slow."""

WAYS = [
    pytest.param(
        *(backend, workers, part_games, detail, interruption),
        marks=() if (backend, workers, part_games, detail) == FAST else pytest.mark.slow,
    )
    for backend, counts in BACKENDS.items()
    for workers in counts
    for part_games in PART_GAMES
    for detail in DETAILS
    for interruption in INTERRUPTIONS
    # Interrupting needs a part that is finished and one that isn't.
    if not (interruption != "none" and part_games == 0)
    # A process takes seconds to start: fewer of those.
    if backend == "threads" or (part_games, detail, interruption) in FEW
]


@pytest.fixture(scope="module")
def setup():
    made = make_setup(load_rules("base"), 3, ["greedy", "greedy", "greedy:misjudge=0.1"], seed=5)
    made.warm_up()
    return made


@pytest.fixture(scope="module")
def digests(setup, tmp_path_factory):
    """The digest of each detail, played by one thread in one go."""
    folder = tmp_path_factory.mktemp("plain")
    for detail in DETAILS:
        write_run(Plan(setup, GAMES, detail), folder / detail)
    return {detail: digest_run(folder / detail) for detail in DETAILS}


@pytest.fixture(scope="module")
def cluster():
    with start_cluster(2) as own:
        yield own


def interrupt_at(parts):
    """Return what presses Ctrl-C once some parts are written."""
    seen = []

    def watch(progress):
        seen.append(progress)
        if len(seen) == parts + 1:
            signal.raise_signal(signal.SIGINT)

    return watch


@pytest.mark.parametrize(("backend", "workers", "part_games", "detail", "interruption"), WAYS)
def test_the_digest_depends_on_the_plan_alone(
    backend, workers, part_games, detail, interruption, setup, digests, tmp_path, request
):
    backend = request.getfixturevalue("cluster").hire if backend == "dask" else backend
    plan, folder = Plan(setup, GAMES, detail, part_games), tmp_path / "run"
    if interruption != "none":
        with pytest.raises(KeyboardInterrupt):
            write_run(plan, folder, workers, backend, progress=interrupt_at(1))
        # With three workers the others may have finished the rest by then.
        assert {problem.kind for problem in verify_run(folder)} <= {"unfinished"}
    write_run(plan, folder, workers, backend, resume=interruption != "none")
    assert digest_run(folder) == digests[detail]


def test_each_detail_has_a_digest_of_its_own(digests):
    assert len(set(digests.values())) == len(DETAILS)
