"""How strategies are written: families, parameters, bounds and canonical names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.rules.tables import compile_rules
from fivetowers_sim.strategies.families import FAMILIES, make_minds, read_strategy
from fivetowers_sim.strategies.parameters import COMMON_PARAMETERS, NO_MAX_BID, StrategyError

ALL = [(family, parameter) for family in FAMILIES.values() for parameter in family.parameters + COMMON_PARAMETERS]
IDS = [f"{family.name}-{parameter.name}" for family, parameter in ALL]


def refusal(text):
    """Return the one line with which a strategy is refused."""
    with pytest.raises(StrategyError) as caught:
        read_strategy(text)
    message = str(caught.value)
    assert "\n" not in message
    return message


def mind_of(text, rules=None):
    """Return what the kernels get of a strategy."""
    return make_minds([read_strategy(text)], compile_rules(rules or RuleSet(), 3))[0]


# What is accepted


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_alone_has_every_parameter_at_its_default(family):
    strategy = read_strategy(family)
    assert (strategy.family, strategy.name) == (family, family)
    for parameter in FAMILIES[family].parameters + COMMON_PARAMETERS:
        assert strategy[parameter.name] == parameter.default


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("greedy:misjudge=0.05", "greedy:misjudge=0.05"),
        ("greedy:misjudge=0.050", "greedy:misjudge=0.05"),
        ("greedy:misjudge=5e-2", "greedy:misjudge=0.05"),
        (" greedy : misjudge = 0.05 ", "greedy:misjudge=0.05"),
        ("greedy:misjudge=0", "greedy"),
        ("greedy:max_bid=99", "greedy"),
        ("random:max_bid=3.0", "random:max_bid=3"),
        ("random:max_bid=3:misjudge=1", "random:misjudge=1:max_bid=3"),
        ("greedy:ignore_power=sand+tree", "greedy:ignore_power=tree+sand"),
        ("greedy:ignore_power=none", "greedy"),
        ("greedy:never_close=1:never_tear_down=1", "greedy:never_tear_down=1:never_close=1"),
    ],
)
def test_a_strategy_has_one_name_however_it_is_written(text, name):
    assert read_strategy(text).name == name
    assert read_strategy(name) == read_strategy(text)


@pytest.mark.parametrize(("family", "parameter"), ALL, ids=IDS)
def test_both_bounds_of_a_parameter_are_accepted(family, parameter):
    for value in (parameter.low, parameter.high):
        written = parameter.write(value)
        assert read_strategy(f"{family.name}:{parameter.name}={written}")[parameter.name] == value


@given(st.floats(0, 1))
def test_a_name_reads_back_to_what_it_was_written_from(chance):
    strategy = read_strategy(f"greedy:misjudge={chance!r}")
    again = read_strategy(strategy.name)
    assert again["misjudge"] == pytest.approx(chance, rel=1e-9)
    assert again.name == strategy.name


def test_what_a_strategy_says_reaches_the_kernels():
    mind = mind_of("greedy:misjudge=0.25:never_tear_down=1:max_bid=3:never_close=1:ignore_power=scrap+pairs")
    assert (mind["misjudge"], mind["teardown_limit"], mind["max_bid"], mind["never_close"]) == (0.25, 0, 3, 1)
    assert mind["ignored_powers"] == 0b1010
    assert mind_of("greedy", RuleSet(teardown_limit=3))["teardown_limit"] == 3
    assert mind_of("greedy")["max_bid"] == NO_MAX_BID
    assert mind_of("greedy")["family"] != mind_of("random")["family"]


# What is refused


@pytest.mark.parametrize("text", ["", "gredy", "Greedy", "random,greedy", ":misjudge=0.1"])
def test_an_unknown_family_is_refused_with_those_there_are(text):
    message = refusal(text)
    assert message.startswith("there is no strategy ")
    assert all(family in message for family in FAMILIES)


@pytest.mark.parametrize("family", FAMILIES)
def test_an_unknown_parameter_is_refused_with_those_there_are(family):
    message = refusal(f"{family}:misjugde=0.1")
    assert "'misjugde'" in message
    assert all(parameter.name in message for parameter in FAMILIES[family].parameters + COMMON_PARAMETERS)


@pytest.mark.parametrize(("family", "parameter"), ALL, ids=IDS)
def test_a_value_out_of_bounds_is_refused_with_what_is_accepted(family, parameter):
    wrong = ["", "x", "nan", "inf", "-inf", "1 2"]
    if parameter.choices:
        wrong += ["3", "all", "+", "tree,sand", "tree+tree", "none+tree"]
    else:
        wrong += [f"{parameter.low - 1:g}", f"{parameter.high + 1:g}"]
    wrong += ["0.5"] if parameter.whole else []
    for value in wrong:
        message = refusal(f"{family.name}:{parameter.name}={value}")
        assert f"{parameter.name} is {value!r}; accepted is {parameter.accepts}" in message


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("greedy:misjudge", "'misjudge' is not parameter=value"),
        ("greedy:", "'' is not parameter=value"),
        ("greedy:misjudge=0.1:misjudge=0.2", "misjudge is given twice"),
    ],
)
def test_what_is_not_parameter_and_value_is_refused(text, part):
    assert part in refusal(text)


def test_every_family_and_parameter_says_what_it_does():
    for family, parameter in ALL:
        assert family.about.endswith(".")
        assert parameter.meaning.endswith(".")
        assert parameter.accepts
