"""Verify names every kind of fault and its games, and resume mends them."""

from __future__ import annotations

import shutil

import pytest

from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.dataset.digest import digest_run
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.dataset.store import open_run
from fivetowers_sim.dataset.verify import verify_run
from fivetowers_sim.dataset.write import write_run
from tests.batch.fake_game import FakeSetup

PART = "seats/part-000001.parquet"


def flip_bit(path, position):
    """Change one bit of a file."""
    data = bytearray(path.read_bytes())
    data[position] ^= 4
    path.write_bytes(data)


def damage_missing(folder):
    (folder / PART).unlink()


def damage_truncated(folder):
    path = folder / PART
    path.write_bytes(path.read_bytes()[:-100])


def damage_grown(folder):
    path = folder / PART
    path.write_bytes(path.read_bytes() + b"more")


def damage_changed(folder):
    flip_bit(folder / PART, 300)


def damage_changed_footer(folder):
    flip_bit(folder / PART, -12)


def damage_copied(folder):
    shutil.copy(folder / "seats" / "part-000000.parquet", folder / PART)


def damage_other_plan(folder):
    other = folder.with_name("other")
    write_run(Plan(FakeSetup(seed=9), 300, "rounds", part_games=100), other)
    shutil.copy(other / PART, folder / PART)


def identities(folder, but=()):
    """Return what would change if a part's files were written again, for all parts but some."""
    files = {path for path in folder.glob("*/*.parquet") if path.stem not in {f"part-{index:06d}" for index in but}}
    return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}


@pytest.mark.parametrize(
    ("damage", "kind", "words"),
    [
        (damage_missing, "missing", "is missing"),
        (damage_truncated, "truncated", "is cut short"),
        (damage_grown, "truncated", "is too long"),
        (damage_changed, "changed", "was changed"),
        (damage_changed_footer, "changed", "was changed"),
        (damage_copied, "swapped", "holds the content of seats/part-000000.parquet"),
        (damage_other_plan, "swapped", "was written for another plan"),
    ],
)
def test_a_damaged_part_is_named_with_its_games_and_resume_plays_just_those(run_folder, plan, damage, kind, words):
    whole = digest_run(run_folder)
    damage(run_folder)
    (problem,) = verify_run(run_folder)
    assert (problem.kind, problem.file, problem.first_game, problem.games) == (kind, PART, 100, 100)
    assert str(problem).startswith(f"{PART}: {words}")
    assert str(problem).endswith("(games 100 to 199)")
    with pytest.raises(RunError, match=r"part-000001\.parquet"):
        digest_run(run_folder)
    others = identities(run_folder, but=[1])
    assert write_run(plan, run_folder, resume=True).games_kept == 200
    assert identities(run_folder, but=[1]) == others
    assert verify_run(run_folder) == []
    assert digest_run(run_folder) == whole


def test_verifying_and_hashing_tell_how_far_they_have_come(run_folder):
    for read in (verify_run, digest_run):
        seen = []
        read(run_folder, lambda games, of, seen=seen: seen.append((games, of)))
        assert seen == [(0, 300), (100, 300), (200, 300), (300, 300)]


def test_two_exchanged_parts_are_both_named_and_resume_plays_just_those(run_folder, plan):
    whole = digest_run(run_folder)
    first, second = run_folder / "games/part-000000.parquet", run_folder / "games/part-000002.parquet"
    aside = run_folder / "aside"
    first.rename(aside)
    second.rename(first)
    aside.rename(second)
    assert [(problem.kind, problem.first_game) for problem in verify_run(run_folder)] == [
        ("swapped", 0),
        ("swapped", 200),
    ]
    other = identities(run_folder, but=[0, 2])
    assert write_run(plan, run_folder, resume=True).games_kept == 100
    assert identities(run_folder, but=[0, 2]) == other
    assert digest_run(run_folder) == whole


@pytest.mark.parametrize("name", ["games/part-000003.parquet", "seats/extra.parquet", "notes.txt", "odd/thing"])
def test_a_file_that_does_not_belong_is_named_and_left_alone(run_folder, plan, name):
    (run_folder / name).parent.mkdir(exist_ok=True)
    (run_folder / name).write_bytes(b"whatever")
    problems = verify_run(run_folder)
    assert {problem.kind for problem in problems} == {"foreign"}
    assert name in {problem.file for problem in problems}
    before = identities(run_folder)
    assert write_run(plan, run_folder, resume=True).games_kept == 300
    assert identities(run_folder) == before
    assert (run_folder / name).read_bytes() == b"whatever"


@pytest.mark.parametrize("position", [5, 60, 200, 600, -300, -20])
def test_a_bit_flipped_anywhere_in_the_manifest_is_noticed(run_folder, position, plan):
    flip_bit(run_folder / "manifest.json", position)
    (problem,) = verify_run(run_folder)
    assert (problem.kind, problem.file) == ("manifest", "manifest.json")
    for use in (open_run, lambda folder: write_run(plan, folder, resume=True)):
        with pytest.raises(RunError, match=r"manifest\.json"):
            use(run_folder)


def test_a_manifest_cut_short_is_noticed(run_folder):
    path = run_folder / "manifest.json"
    path.write_text(path.read_text()[:-10])
    (problem,) = verify_run(run_folder)
    assert problem.kind == "manifest"


def test_a_manifest_from_another_plan_matches_no_part(run_folder, plan, tmp_path):
    other_plan = Plan(FakeSetup(seed=9), 300, "rounds", part_games=100)
    write_run(other_plan, tmp_path / "other")
    shutil.copy(tmp_path / "other" / "manifest.json", run_folder / "manifest.json")
    problems = verify_run(run_folder)
    assert len(problems) == 9
    assert all("was written for another plan" in problem.message for problem in problems)
    with pytest.raises(RunError, match=r"begun with another plan: setup\.seed is 9 there and 1 here"):
        write_run(plan, run_folder, resume=True)
    write_run(other_plan, run_folder, resume=True)
    assert digest_run(run_folder) == digest_run(tmp_path / "other")


def test_a_folder_without_a_manifest_is_not_a_run(tmp_path):
    with pytest.raises(RunError, match="is not a run folder"):
        verify_run(tmp_path)
