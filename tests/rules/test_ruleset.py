"""Rule sets: what each dial accepts, and how sets are written and read."""

from __future__ import annotations

import itertools
import tomllib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fivetowers_sim.rules.ruleset import RuleSet, RuleSetError, explain_dials
from fivetowers_sim.rules.ruleset_files import load_rules, named_rules, rules_from_mapping, set_dials
from tests.positions import rule_sets

BOUNDS = {
    "highest_value": (1, 30),
    "copies": (1, 4),
    "display_size": (3, 7),
    "deck_passes": (1, 3),
    "teardown_limit": (0, 3),
    "vp_per_card": (0, 100),
    "vp_per_topped_card": (0, 100),
    "vp_main_tower": (0, 100),
    "pair_vp": (0, 100),
    "tree_min_take": (0, 7),
}
VALUE_LISTS = {
    **{f"extra_copies_{players}": 0 for players in (2, 3, 4, 5)},
    "anything_goes_on": 1,
    "goes_on_anything": 1,
}
POWER_DIALS = ["power_tree", "power_scrap", "power_sand", "power_pairs"]
DIALS = [dial["dial"] for dial in explain_dials()]


def refusal(action):
    """Return the one line with which something is refused."""
    with pytest.raises(RuleSetError) as caught:
        action()
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_the_defaults_are_the_printed_base_game():
    rules = RuleSet()
    assert (rules.highest_value, rules.copies, rules.display_size, rules.deck_passes) == (15, 1, 5, 2)
    assert rules.extra_copies_2 == rules.extra_copies_3 == ()
    assert rules.extra_copies_4 == rules.extra_copies_5 == (0, 2, 5, 7, 10, 12)
    assert (rules.anything_goes_on, rules.goes_on_anything) == ((8,), (9,))
    assert (rules.teardown_limit, [rules.teardown_cost(torn) for torn in range(5)]) == (1, [0, 1, 3, 6, 10])
    assert (rules.vp_per_card, rules.vp_per_topped_card, rules.vp_main_tower) == (1, 2, 1)
    assert (rules.powers, rules.tree_min_take, rules.pair_vp) == (frozenset(), 0, 3)


def test_every_dial_is_tested_here_and_explained_with_its_rule():
    assert {*BOUNDS, *VALUE_LISTS, *POWER_DIALS, "teardown_costs"} == set(DIALS)
    for dial in explain_dials():
        assert dial["rule"][0].isdigit()
        assert dial["meaning"].endswith(".")
        assert dial["accepts"]


# Bounds


@pytest.mark.parametrize(("dial", "bounds"), BOUNDS.items(), ids=BOUNDS)
def test_a_number_is_accepted_within_its_bounds_only(dial, bounds):
    low, high = bounds
    # A deck of values 0 and 1 is too small for nothing; one of 31 values with 4 copies is too large.
    spare = {"extra_copies_4": (), "extra_copies_5": (), "anything_goes_on": (), "goes_on_anything": ()}
    fitting = {"copies": 1} if dial == "highest_value" else {"highest_value": 10, "display_size": 7}
    for value in (low, high):
        assert getattr(RuleSet(**{**spare, **fitting, dial: value}), dial) == value
    for value in (low - 1, high + 1):
        assert (
            refusal(lambda value=value: RuleSet(**{dial: value})) == f"{dial} is {value}; accepted is {low} to {high}"
        )


@pytest.mark.parametrize("dial", BOUNDS)
@pytest.mark.parametrize("value", ["5", 5.0, True, None, (5,), float("nan")])
def test_a_number_must_be_a_whole_number(dial, value):
    message = refusal(lambda: RuleSet(**{dial: value}))
    low, high = BOUNDS[dial]
    assert message.startswith(f"{dial} is ")
    assert message.endswith(f"; accepted is a whole number from {low} to {high}")


@pytest.mark.parametrize(("dial", "lowest"), VALUE_LISTS.items(), ids=VALUE_LISTS)
def test_a_list_of_values_holds_values_of_the_deck(dial, lowest):
    assert getattr(RuleSet(**{dial: (lowest, 15)}), dial) == (lowest, 15)
    assert getattr(RuleSet(**{dial: ()}), dial) == ()
    for wrong in [(lowest - 1,), (16,), (3.0,), ("3",), (True,), 3, "3", None]:
        message = refusal(lambda wrong=wrong: RuleSet(**{dial: wrong}))
        assert message.startswith(f"{dial} is ")
        assert f"accepted is a list of values from {lowest} to highest_value" in message


@pytest.mark.parametrize("dial", VALUE_LISTS)
def test_a_list_of_values_follows_the_highest_value(dial):
    spare = dict.fromkeys(VALUE_LISTS, ())
    assert RuleSet(**{**spare, "highest_value": 20, dial: (20,)})
    assert "highest_value (12 here)" in refusal(lambda: RuleSet(**{**spare, "highest_value": 12, dial: (13,)}))


def test_teardown_costs_are_a_list_of_at_least_one_cost():
    for right in [(0,), (100,), (1, 2, 3), (3, 1)]:
        assert RuleSet(teardown_costs=right).teardown_costs == right
    for wrong in [(), (-1,), (101,), (1.5,), 1, "1,2", (1,) * 33]:
        message = refusal(lambda wrong=wrong: RuleSet(teardown_costs=wrong))
        assert message.startswith("teardown_costs is ")
        assert "accepted is a list of 1 to 32 costs from 0 to 100" in message


@pytest.mark.parametrize("dial", POWER_DIALS)
def test_a_power_is_in_play_or_not(dial):
    assert RuleSet(**{dial: True}).powers == {dial.removeprefix("power_")}
    for wrong in (1, "true", None):
        message = refusal(lambda wrong=wrong: RuleSet(**{dial: wrong}))
        assert message.startswith(f"{dial} is ")
        assert message.endswith("accepted is true or false")


def test_a_set_that_can_not_be_played_is_refused_as_a_whole():
    assert refusal(lambda: RuleSet(display_size=3, tree_min_take=4)) == (
        "tree_min_take is 4; accepted is 0 to display_size (3)"
    )
    assert "deck of 620 cards; accepted are 250 at most" in refusal(lambda: RuleSet(highest_value=30, copies=4))


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", 5, None])
def test_a_set_needs_a_name_of_one_line(name):
    assert refusal(lambda: RuleSet(name=name)).startswith("name is ")


# TOML


@given(rule_sets(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_set_written_as_toml_reads_back_the_same(rules, explain):
    text = rules.to_toml(explain=explain)
    assert rules_from_mapping(tomllib.loads(text), "text") == rules


@given(st.text(min_size=1).filter(lambda name: name.strip() and "\n" not in name))
@example('quotes " and \\ backslashes')
@settings(max_examples=100, deadline=None)
def test_any_name_that_is_accepted_can_be_written_as_toml(name):
    try:
        rules = RuleSet(name=name)
    except RuleSetError:
        return
    assert tomllib.loads(rules.to_toml())["name"] == name


def test_a_set_is_plain_values_and_back():
    rules = RuleSet(display_size=6, teardown_costs=(1, 1), power_sand=True)
    assert rules_from_mapping(rules.to_dict(), "text") == rules
    assert set(rules.to_dict()) == {"name", *DIALS}


@pytest.mark.parametrize("name", named_rules())
def test_every_named_set_loads_and_says_what_it_is(name):
    rules = load_rules(name)
    assert rules.name == name
    assert named_rules()[name].endswith(".")
    if name != "base":
        assert rules.to_dict() != {**RuleSet().to_dict(), "name": name}


def test_the_named_base_set_is_the_default():
    assert load_rules("base") == RuleSet()


def test_a_file_may_leave_dials_out_and_is_named_after_itself(tmp_path):
    file = tmp_path / "wide.toml"
    for encoding in ("utf-8", "utf-8-sig"):
        file.write_text("display_size = 7\nteardown_costs = [2]\n", encoding=encoding)
        assert load_rules(str(file)) == RuleSet(name="wide", display_size=7, teardown_costs=(2,))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("display = 6", ["there is no dial 'display'", "display_size"]),
        ("display_size = 8", ["display_size is 8; accepted is 3 to 7"]),
        ("display_size = '6'", ["display_size is '6'; accepted is a whole number from 3 to 7"]),
        ("display_size = 6.0", ["display_size is 6.0; accepted is a whole number from 3 to 7"]),
        ("display_size = nan", ["display_size is nan; accepted is a whole number from 3 to 7"]),
        ("display_size = 2024-01-01", ["display_size is 2024-01-01; accepted is a whole number from 3 to 7"]),
        ("display_size = 0x" + "f" * 5_000, ["display_size is a number of thousands of digits; accepted is 3 to 7"]),
        ("display_size = " + "9" * 5_000, ["is not TOML"]),
        ("display_size = " + "[" * 100_000, ["nested too deeply"]),
        ("extra_copies_2 = [[0]]", ["extra_copies_2 is [[0]]; accepted is a list of values"]),
        ("extra_copies_2 = [" + "0, " * 500 + "]", ["extra_copies_2 is [0, 0", "…; accepted is a list of values"]),
        ("power_tree = 'true'", ["power_tree is 'true'; accepted is true or false"]),
        ("name = ''", ["name is ''; accepted is a line of text"]),
        ("name = 5", ["name is 5; accepted is a line of text"]),
        ('"two\\nlines" = 5', ["there is no dial 'two\\nlines'"]),
        ("anything_goes_on = 8", ["anything_goes_on is 8", "a list of values"]),
        ("display_size 6", ["is not TOML"]),
        ("display_size = 5\ndisplay_size = 6", ["is not TOML"]),
        ("[display_size]\nx = 1", ["display_size is ", "accepted is a whole number from 3 to 7"]),
        (b"\xff\xfe", ["can't be read", "not UTF-8"]),
    ],
    ids=lambda case: str(case)[:40],
)
def test_a_fault_in_a_file_is_named_with_the_file(tmp_path, text, parts):
    file = tmp_path / "mine.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    message = refusal(lambda: load_rules(str(file)))
    assert all(part in message for part in [str(file), *parts]), message
    assert len(message) < 1_000


def test_a_set_or_file_that_is_not_there_is_named(tmp_path):
    message = refusal(lambda: load_rules("bases"))
    assert all(part in message for part in ["'bases'", *named_rules(), ".toml"])
    assert "can't be read: No such file" in refusal(lambda: load_rules(str(tmp_path / "none.toml")))
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    assert "can't be read" in refusal(lambda: load_rules(str(folder)))


# Dials set one by one


def test_dials_are_set_by_texts_and_named_in_the_set():
    rules = set_dials(RuleSet(), ["display_size=6", "teardown_costs=1, 1", "power_tree=true", "anything_goes_on="])
    changed = {"display_size": 6, "teardown_costs": (1, 1), "power_tree": True, "anything_goes_on": ()}
    assert rules == RuleSet(name=rules.name, **changed)
    assert rules.name == "base display_size=6 teardown_costs=[1,1] power_tree=true anything_goes_on=[]"
    assert set_dials(RuleSet(), []) == RuleSet()


@given(rule_sets())
@settings(max_examples=40, deadline=None)
def test_any_set_can_be_reached_by_setting_dials(rules):
    texts = [f"{dial}={str(rules.to_dict()[dial]).strip('[]')}" for dial in DIALS]
    assert set_dials(RuleSet(), texts).to_dict() == {**rules.to_dict(), "name": set_dials(RuleSet(), texts).name}


@pytest.mark.parametrize(
    ("texts", "parts"),
    [
        (["display_size"], ["display_size", "dial=value"]),
        (["displaysize=6"], ["there is no dial 'displaysize'", "display_size"]),
        (["display_size=8"], ["display_size is 8; accepted is 3 to 7"]),
        (["display_size=six"], ["display_size is 'six'; accepted is a whole number from 3 to 7"]),
        (["display_size="], ["display_size is ''; accepted is a whole number from 3 to 7"]),
        (["display_size=5.5"], ["display_size is '5.5'; accepted is a whole number from 3 to 7"]),
        (["power_tree=yes"], ["power_tree is 'yes'; accepted is true or false"]),
        (["power_tree="], ["power_tree is ''; accepted is true or false"]),
        (["name=x"], ["--set name=x: there is no dial 'name'"]),
        (["=6"], ["--set =6: there is no dial ''"]),
        ([""], ["dial=value"]),
        (["anything_goes_on=8,,9"], ["anything_goes_on is [8, '', 9]", "a list of values"]),
        (["anything_goes_on=[8"], ["anything_goes_on is ['[8']", "a list of values"]),
        (["teardown_costs="], ["teardown_costs is []", "a list of 1 to 32 costs"]),
        (["anything_goes_on=8,x"], ["anything_goes_on is [8, 'x']", "a list of values"]),
        (["display_size=6", "display_size=6"], ["display_size is set twice"]),
    ],
)
def test_a_text_that_sets_nothing_is_refused(texts, parts):
    message = refusal(lambda: set_dials(RuleSet(), texts))
    assert all(part in message for part in ["--set", *parts]), message


def test_powers_are_chosen_by_name():
    for chosen in itertools.chain.from_iterable(
        itertools.combinations(("tree", "scrap", "sand", "pairs"), size) for size in range(5)
    ):
        assert RuleSet(power_sand=True).with_powers(chosen).powers == set(chosen)
