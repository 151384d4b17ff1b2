"""Playing several setups on the same deals: sums that depend on what was asked, and on nothing else."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass, replace

import numpy as np
import pytest

from fivetowers_sim.batch.run import BatchError
from fivetowers_sim.bench.arms import ArmsPlan, Crew, play_arms
from fivetowers_sim.bench.kept import Kept, KeptInFile
from fivetowers_sim.dataset.errors import RunError
from tests.batch.fake_game import FakeSetup
from tests.stopping import stop_after


@dataclass(frozen=True)
class RoundsByArm:
    """The rounds that each arm plays on a deal."""

    columns: int = 3
    detail: str = "games"

    def add(self, arm, tables, into):
        into[:, arm] += tables["games"]["rounds"]


LOOKS = (40, 90, 300)


def plan_of(looks=LOOKS, **options):
    return ArmsPlan(tuple(FakeSetup(seed=seed, **options) for seed in (1, 2, 3)), RoundsByArm(), looks)


def never(moments):
    return False


def as_values(kept):
    return kept.moments.games, kept.moments.sums.tolist(), kept.moments.products.tolist()


@pytest.fixture
def expected():
    """What the games give when they are measured all at once."""
    measured = np.column_stack([setup.play(0, 300, "games")["games"]["rounds"] for setup in plan_of().arms]).astype(int)
    return 300, measured.sum(0).tolist(), (measured.T @ measured).tolist()


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_sums_are_those_of_all_games_whatever_the_workers(workers, expected):
    kept = Kept(3)
    assert play_arms(plan_of(), kept, never, Crew(workers)) == 2
    assert as_values(kept) == expected


def test_parts_lead_from_look_to_look_without_gaps():
    game = index = 0
    for look, parts in zip(LOOKS, plan_of().parts_by_look(), strict=True):
        for part in parts:
            assert (part.index, part.first_game) == (index, game)
            index, game = index + 1, game + part.games
        assert game == look


def test_it_ends_at_the_first_look_that_is_good_enough():
    seen = []

    def enough(moments):
        seen.append(moments.games)
        return moments.games >= 90

    kept = Kept(3)
    assert play_arms(plan_of(), kept, enough, Crew(2)) == 1
    assert seen == [40, 90]
    assert kept.moments.games == 90


def test_progress_counts_the_games_of_all_arms():
    seen = []
    play_arms(plan_of(), Kept(3), never, Crew(1, watch=seen.append))
    assert (seen[0].games_done, seen[0].games, seen[0].look) == (0, 120, 0)
    assert (seen[-1].games_done, seen[-1].games, seen[-1].look) == (900, 900, 2)
    done = [state.games_done for state in seen]
    assert done == sorted(done)


@pytest.mark.parametrize("games", [1, 100, 120, 150, 500, 830])
def test_an_interrupted_experiment_goes_on_to_the_same_sums(games, tmp_path, expected):
    path = tmp_path / "sums.npz"
    with pytest.raises(KeyboardInterrupt):
        play_arms(plan_of(), KeptInFile(3, path, "plan"), never, Crew(1, watch=stop_after(games)))
    resumed = KeptInFile(3, path, "plan")
    assert 0 < resumed.moments.games < 300
    assert play_arms(plan_of(), resumed, never, Crew(2)) == 2
    assert as_values(resumed) == expected
    assert as_values(KeptInFile(3, path, "plan")) == expected


def test_a_look_that_was_passed_is_not_taken_again(tmp_path):
    path = tmp_path / "sums.npz"
    with pytest.raises(KeyboardInterrupt):
        play_arms(plan_of(), KeptInFile(3, path, "plan"), never, Crew(1, watch=stop_after(150)))
    seen = []
    play_arms(plan_of(), KeptInFile(3, path, "plan"), lambda moments: seen.append(moments.games), Crew(1))
    # More than 40 deals were known by then; the look at 40 can't be taken again, and needn't.
    assert seen == [90]


@pytest.mark.skipif(os.name == "nt", reason="a process can't send itself Ctrl-C")
def test_ctrl_c_keeps_the_parts_that_are_done(tmp_path, expected):
    path = tmp_path / "sums.npz"
    slow = plan_of(seconds_per_game=0.002)
    pressed = []

    def watch(state):
        if state.games_done >= 270 and not pressed:
            pressed.append(state)
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        play_arms(slow, KeptInFile(3, path, "plan"), never, Crew(2, watch=watch))
    resumed = KeptInFile(3, path, "plan")
    assert resumed.moments.games >= 90
    play_arms(plan_of(), resumed, never, Crew(1))
    assert as_values(resumed) == expected


def test_a_game_that_fails_is_named_and_what_was_finished_is_kept(tmp_path, expected):
    path = tmp_path / "sums.npz"
    failing = replace(plan_of(), arms=(*plan_of().arms[:2], FakeSetup(seed=3, failing_game=130)))
    with pytest.raises(BatchError, match="game 130 can't be played"):
        play_arms(failing, KeptInFile(3, path, "plan"), never, Crew(1))
    resumed = KeptInFile(3, path, "plan")
    assert resumed.moments.games >= 90
    play_arms(plan_of(), resumed, never, Crew(1))
    assert as_values(resumed) == expected


@pytest.mark.parametrize("damage", [lambda data: data[:-30], lambda data: b"", lambda data: b"what?", None])
def test_sums_that_are_damaged_or_of_another_plan_are_refused(damage, tmp_path):
    path = tmp_path / "sums.npz"
    play_arms(plan_of(), KeptInFile(3, path, "plan"), never, Crew(1))
    if damage:
        path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(RunError, match=r"sums\.npz.*remove it"):
        KeptInFile(3, path, "plan" if damage else "another plan")


def test_a_flipped_bit_in_the_sums_is_noticed(tmp_path):
    path = tmp_path / "sums.npz"
    play_arms(plan_of(), KeptInFile(3, path, "plan"), never, Crew(1))
    data = bytearray(path.read_bytes())
    place = data.index(b"products.npy") + 200
    data[place] ^= 1
    path.write_bytes(data)
    with pytest.raises(RunError, match=r"sums\.npz"):
        KeptInFile(3, path, "plan")
