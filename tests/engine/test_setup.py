"""Setups on their way to another process."""

from __future__ import annotations

import pickle

from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.rules.ruleset import RuleSet


def test_a_setup_that_has_played_is_as_small_to_send_as_a_new_one():
    setup = make_setup(RuleSet(), 3, ["greedy"], seed=1)
    fresh = pickle.dumps(setup)
    setup.lay_table()
    sent = pickle.dumps(setup)
    assert len(sent) == len(fresh) < 10_000
    assert pickle.loads(sent) == setup
    assert pickle.loads(sent).to_dict() == setup.to_dict()
