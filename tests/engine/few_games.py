"""A few games of every kind, as hashes of all that is recorded; played in this process or, as a module, in another."""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from pathlib import Path

import numpy as np

from fivetowers_sim.engine.branch_record import BRANCH_DETAIL
from fivetowers_sim.engine.branch_setup import BranchSetup
from fivetowers_sim.engine.setup import GameSetup, make_setup
from fivetowers_sim.engine.study import new_study, study_games
from fivetowers_sim.engine.trace import trace_game
from fivetowers_sim.rules.ruleset import POWERS, RuleSet
from fivetowers_sim.strategies.mind import ROUNDS_COUNTED
from tests.own_strategies import RESTLESS


def setup_of(*strategies: str, powers=()) -> GameSetup:
    return make_setup(RuleSet(), len(strategies), strategies, 5, [powers] * len(strategies))


def play(setup, games: int, detail: str) -> str:
    tables = setup.play(0, games, detail)
    return hashlib.sha256(b"".join(tables[name].tobytes() for name in sorted(tables))).hexdigest()


def learn(setup: GameSetup) -> str:
    slots = np.arange(5 * 3 * 32).reshape(5, 3, 32) * 3
    study = new_study(slots)
    study_games(setup, np.zeros(ROUNDS_COUNTED, np.int64), 0, 1, study)
    return hashlib.sha256(study.cross.tobytes() + study.product.tobytes()).hexdigest()


def play_few(folder: Path) -> dict[str, str]:
    """Play them; files of strategies are written into a folder."""
    own = folder / "restless.py"
    own.write_text(RESTLESS, "utf-8")
    mixed = setup_of("random", "greedy:misjudge=0.3", "value:misjudge=0.2", "cautious")
    return {
        "words of all kinds": play(mixed, 3, "bids"),
        "great powers": play(setup_of("greedy", "value", "random", powers=POWERS), 1, "bids"),
        "futures": play(setup_of("rollout:rollouts=1:ahead=0", "greedy"), 1, "bids"),
        "judged": play(setup_of("expert", "value", "greedy"), 1, "bids"),
        "an own strategy": play(setup_of(f"{own}:Restless", "greedy"), 1, "bids"),
        "branches": play(BranchSetup(setup_of("value", "greedy"), "builds", futures=1), 1, BRANCH_DETAIL),
        "what is learned from": learn(setup_of("greedy", "greedy")),
        "a trace": hashlib.sha256(json.dumps(trace_game(mixed, 7)).encode()).hexdigest(),
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        json.dump(play_few(Path(place)), sys.stdout)
