"""Whatever an experiment plays, the files that its players come from are in its plan, and others are never mixed in."""

from __future__ import annotations

import json
from itertools import product

import pytest

from fivetowers_sim.cli.main import run
from fivetowers_sim.engine.branch_setup import BranchSetup
from fivetowers_sim.engine.setup import GameSetup
from fivetowers_sim.experiments import tuning_plan
from fivetowers_sim.strategies.value_files import load_shipped, write_tables
from tests.cli.test_bad_input import check_one_line

MINE = """
class Mine:
    def speak(self, view):
        return None
"""

LITTLE = "--players 2 --games 1 --workers 1 --quiet --out new"
PLAYED = {
    "bid-values --futures 1": LITTLE,
    "powers": LITTLE,
    "teardown-costs --no-refit": LITTLE,
    "game-shape": LITTLE,
}
"""Questions that are asked of each strategy by itself, and of a check."""

OWN = {"mine.py": "mine.py:Mine", "mine.json": "mine.json"}
ASKED = {
    **{f"{typed} --strategies greedy,OWN --check none": how for typed, how in PLAYED.items()},
    **{f"{typed} --strategies greedy --check OWN --check-games 1": how for typed, how in PLAYED.items()},
    "compare base base --strategies greedy,OWN": LITTLE,
    "sweep --set display_size=4,6 --strategies greedy,OWN": LITTLE,
    "tournament --strategies greedy,OWN": LITTLE,
    "tune greedy --parameters max_bid --against OWN": LITTLE.replace("new", "new.toml"),
}
# What begins to branch games refuses a class of the user's before the first.
NOT_ASKED = {("mine.py", typed) for typed in ASKED if typed.startswith("bid-values")}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a class and with tables, to stand in."""
    (tmp_path / "mine.py").write_text(MINE, "utf-8")
    (tmp_path / "mine.json").write_text(write_tables(load_shipped(2, with_powers=False), 15), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def interrupted(monkeypatch):
    """Whatever is begun is interrupted while its kernels are loaded."""

    def press(setup):
        raise KeyboardInterrupt

    for kind in (GameSetup, BranchSetup):
        monkeypatch.setattr(kind, "warm_up", press)


@pytest.mark.slow
@pytest.mark.usefixtures("interrupted")
@pytest.mark.parametrize(("file", "typed"), sorted(set(product(OWN, ASKED)) - NOT_ASKED))
def test_a_file_that_was_changed_is_never_resumed_into_what_was_begun(file, typed, folder, capsys):
    words = [*typed.replace("OWN", OWN[file]).split(), *ASKED[typed].split()]
    assert run(words) == 130
    assert run([*words, "--resume"]) == 130, capsys.readouterr().err
    (folder / file).write_text((folder / file).read_text("utf-8") + "\n", "utf-8")
    before = snapshot(folder)
    capsys.readouterr()
    assert run([*words, "--resume"]) == 1
    said = capsys.readouterr()
    check_one_line(said.out, said.err, ["was begun with another plan: ", f"strategy_files.{file}.sha256 is"])
    assert snapshot(folder) == before


def snapshot(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.usefixtures("interrupted")
@pytest.mark.parametrize("typed", PLAYED)
def test_a_plan_without_files_is_what_it_was(typed, folder):
    # Otherwise nobody could go on with what was begun before.
    assert run([*typed.split(), "--strategies", "greedy", "--check", "random", *LITTLE.split()]) == 130
    plan = json.loads((folder / "new" / "manifest.json").read_bytes())["plan"]
    assert plan["strategy_files"] == {}
    assert set(plan["check"]) == {"strategies", "games", "precision", "looks"}


@pytest.mark.usefixtures("interrupted")
@pytest.mark.parametrize(
    ("strategy", "checked"),
    [
        ("greedy", True),
        ("rollout/mine.py:Mine", True),
        ("my-rollout.toml", True),
        ("rollout:rollouts=1", False),
        ("slow.toml", False),
    ],
)
def test_nobody_checks_a_slow_player_and_how_a_file_is_called_makes_none_slow(strategy, checked, folder):
    (folder / "rollout").mkdir()
    (folder / "rollout" / "mine.py").write_text(MINE, "utf-8")
    for name, family in (("my-rollout", "greedy"), ("slow", "rollout")):
        (folder / f"{name}.toml").write_text(f'family = "{family}"\nintent = "For a test."\n', "utf-8")
    assert run(f"game-shape --players 2 --strategies {strategy} --workers 1 --quiet --out new".split()) == 130
    plan = json.loads((folder / "new" / "manifest.json").read_bytes())["plan"]
    assert ("check" in plan) == checked


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            "bid-values --check mine.py:Mine",
            "--check is mine.py:Mine: strategies names mine.py:Mine; accepted are built-in",
        ),
        ("teardown-costs --check greedy:never_tear_down=1", "--check is greedy:never_tear_down=1: strategies names"),
        ("teardown-costs --check-games 5 --strategies nobody", "--strategies: there is no strategy 'nobody'"),
        ("evaluate x.json --futures 5 --precision 0.1", "--futures is 5 and --precision is 0.1; accepted is one of"),
        (
            "tournament --strategies greedy,random --games 5 --precision 1",
            "--games is 5 and --precision is 1; ",
        ),
        (
            "tournament --strategies mine.json,mine.py:Mine --best-response",
            "--best-response has nobody to tune: ",
        ),
    ],
)
@pytest.mark.usefixtures("folder")
def test_who_cannot_answer_is_refused_before_a_game_is_played(typed, said, capsys):
    assert run([*typed.split(), "--quiet"]) == 2
    check_one_line(*capsys.readouterr(), [f"error: {said}"])


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_the_best_response_to_a_users_own_strategy_is_tuned_from_a_built_in_one(monkeypatch, capsys):
    made, little = tuning_plan.Budget, tuning_plan.Budget(1, None, 4, 30, 1, 30)
    monkeypatch.setattr(tuning_plan, "Budget", lambda *given: made(*given) if given else little)
    field = "--strategies mine.py:Mine,mine.json,greedy:max_bid=1 --players 2 --games 60 --workers 1"
    assert run(["tournament", *field.split(), "--best-response", "--json"]) == 0
    reply = json.loads(capsys.readouterr().out)["best_response"]
    assert reply["strategy"].split(":")[0] == "greedy"
    assert reply["opponents"] == ["mine.json"]
