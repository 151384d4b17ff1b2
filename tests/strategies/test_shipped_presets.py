"""The presets that come with the program load, are within bounds, and differ from their family in what they intend."""

from __future__ import annotations

import numpy as np
import pytest

from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.strategies.families import FAMILIES, list_parameters, read_strategy
from fivetowers_sim.strategies.presets import BY_HAND, TUNED, find_preset, list_presets


def test_the_styles_that_designers_know_are_there():
    assert {"cautious", "bold", "closer", "hoarder", "spoiler"} <= set(list_presets())


@pytest.mark.parametrize("name", list_presets())
def test_a_shipped_preset_plays_within_bounds_and_is_not_its_family(name):
    strategy, preset = read_strategy(name), find_preset(name)
    assert strategy.short_name == preset.name == name
    assert strategy.name != preset.family
    for parameter in list_parameters(preset.family):
        assert parameter.low <= strategy[parameter.name] <= parameter.high


@pytest.mark.parametrize("name", list_presets())
def test_a_shipped_preset_says_what_it_is_meant_to_be_and_where_it_comes_from(name):
    preset = find_preset(name)
    assert preset.intent.endswith(".")
    assert preset.provenance["made"] in (BY_HAND, TUNED)
    assert len(preset.provenance) > 1


def test_no_two_presets_are_the_same_and_none_is_called_like_a_family():
    strategies = [read_strategy(name).name for name in list_presets()]
    assert len(set(strategies)) == len(strategies)
    assert not set(list_presets()) & set(FAMILIES)


@pytest.mark.slow
@pytest.mark.parametrize("name", list_presets())
def test_a_shipped_preset_is_as_strong_as_it_says(name):
    stated = find_preset(name).provenance["result"]["win_share"]
    games = 6_000
    seats = make_setup(RuleSet(), 3, [name, "value", "value"], 97).play(0, games, "games")["seats"]
    share = np.where(seats["strategy"] == 0, seats["win_share"], 0).reshape(games, 3).sum(1)
    error = np.hypot(share.std() / games**0.5, (stated["high"] - stated["low"]) / 2 / 1.96)
    # Right in all five of them but once in 3,000 runs.
    assert abs(share.mean() - stated["value"]) < 4 * error
