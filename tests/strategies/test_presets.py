"""Presets: strategies in TOML, by name or by file, and what is refused in them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.engine.setup_io import setup_from_dict
from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.strategies import presets
from fivetowers_sim.strategies.families import FAMILIES, preset_strategy, read_strategy, split_strategy
from fivetowers_sim.strategies.parameters import StrategyError
from fivetowers_sim.strategies.presets import find_preset, list_presets, parse_preset, write_preset

FOLDER = Path(__file__).parent / "presets"
WHOLE = (FOLDER / "daring.toml").read_text("utf-8")


@pytest.fixture
def shelf(monkeypatch):
    """The tests' own presets in the place of those that come with the program."""
    monkeypatch.setattr(presets, "SHIPPED", FOLDER)


def refusal(text):
    """Return the one line with which a preset is refused."""
    with pytest.raises(StrategyError) as caught:
        preset_strategy(parse_preset(text, "preset file mine.toml", "mine"))
    message = str(caught.value)
    assert "\n" not in message
    return message


# Given by name


def test_a_preset_is_the_family_with_its_parameters(shelf):
    assert read_strategy("careful") == read_strategy("greedy:max_bid=4:never_close=1")
    assert read_strategy("daring").name == "greedy:misjudge=0.62:ignore_power=tree+sand"


def test_a_presets_parameters_can_be_overridden_one_by_one(shelf):
    assert read_strategy("careful:misjudge=0.1").name == "greedy:misjudge=0.1:max_bid=4:never_close=1"
    assert read_strategy("careful:max_bid=99:never_close=0") == read_strategy("greedy")


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("careful", "careful"),
        ("careful:misjudge=0.10", "careful:misjudge=0.1"),
        ("careful:max_bid=4", "careful"),
        ("greedy:max_bid=4:never_close=1", "greedy:max_bid=4:never_close=1"),
    ],
)
def test_tables_call_a_preset_by_the_name_that_was_given(shelf, text, short):
    assert read_strategy(text).short_name == short


def test_an_unknown_name_is_refused_with_families_and_presets(shelf):
    with pytest.raises(StrategyError, match=r"there is no strategy 'carefull'; .*greedy.*careful, daring"):
        read_strategy("carefull")


def test_presets_are_listed_by_name_with_their_intent(shelf):
    assert {name: preset.intent.split(" ")[0] for name, preset in list_presets().items()} == {
        "careful": "Never",
        "daring": "Bids",
    }


@pytest.mark.parametrize("name", ["../presets/careful", "careful/", "", ".", "Careful"])
def test_only_a_name_names_a_preset(shelf, name):
    assert find_preset(name) is None


# Given by file


def test_a_file_of_ones_own_works_like_a_name():
    file = FOLDER / "careful.toml"
    assert read_strategy(str(file)) == read_strategy("greedy:max_bid=4:never_close=1")
    assert read_strategy(f"{file}:max_bid=3").name == "greedy:max_bid=3:never_close=1"


def test_a_file_without_a_name_is_called_as_the_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('family = "random"\nintent = "Anything."\n', "utf-8")
    strategy = read_strategy(str(file))
    assert (strategy.name, strategy.short_name) == ("random", "mine")
    assert find_preset(str(file)).provenance == {"made": "by hand"}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("greedy", ("greedy", [])),
        (" greedy : misjudge = 0.1 ", ("greedy", ["misjudge = 0.1"])),
        ("greedy:", ("greedy", [""])),
        ("C:\\games\\mine.toml:misjudge=0.1:max_bid=3", ("C:\\games\\mine.toml", ["misjudge=0.1", "max_bid=3"])),
        ("mine.toml", ("mine.toml", [])),
        ("mine.tomly:a=1", ("mine.tomly", ["a=1"])),
    ],
)
def test_a_path_may_hold_colons(text, parts):
    assert split_strategy(text) == parts


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path):
    with pytest.raises(StrategyError, match=r"absent\.toml can't be read: No such file"):
        read_strategy(str(tmp_path / "absent.toml"))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(StrategyError, match=r"bytes\.toml can't be read: not UTF-8"):
        read_strategy(str(tmp_path / "bytes.toml"))


# What is played, and what it is called


def test_a_plan_is_the_same_whether_a_strategy_is_named_or_written_out(shelf):
    named, written = (
        make_setup(RuleSet(), 3, [text, "random", "greedy"], 1)
        for text in ("careful", "greedy:max_bid=4:never_close=1")
    )
    assert named == written
    assert Plan(named, 10).sha256 == Plan(written, 10).sha256
    assert named.notes() == {"short_names": {"greedy:max_bid=4:never_close=1": "careful"}}
    assert written.notes() == {"short_names": {}}


def test_the_short_name_goes_along_to_another_process_and_not_into_the_plan(shelf):
    setup = make_setup(RuleSet(), 2, ["careful"], 1)
    assert pickle.loads(pickle.dumps(setup)).notes() == setup.notes()
    assert setup_from_dict(setup.to_dict()) == setup
    assert "careful" not in str(setup.to_dict())


# Written and read back


@pytest.mark.parametrize("name", ["careful", "daring"])
def test_a_preset_reads_back_as_it_was_written(shelf, name):
    preset = find_preset(name)
    assert parse_preset(write_preset(preset), preset.source, "another") == preset


def test_quotes_and_odd_characters_survive():
    intent, command = 'Says "no" and \\ pays – 🗼', "fivetowers tune 'a\nb\x7f'"
    preset = parse_preset('family = "greedy"\nintent = "x"\n', "here", "mine")
    odd = presets.Preset("mine", "greedy", {"misjudge": "1e-07"}, intent, {"made": "by hand", "note": command}, "here")
    again = parse_preset(write_preset(odd), "here", "mine")
    assert (again.intent, again.provenance["note"]) == (intent, command)
    assert float(again.parameters["misjudge"]) == 1e-7
    assert preset.intent == "x"


# What is refused: file, field, value, what is accepted


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('family = "greedy"', "family = greedy", ["is not TOML"]),
        ('family = "greedy"', 'family = "gredy"', ["family is 'gredy'", "random, greedy"]),
        ('family = "greedy"', "family = 3", ["family is 3", "the name of a family"]),
        ('family = "greedy"', "", ["family is missing", "family, intent"]),
        ('name = "daring"', 'name = "a name"', ['name is "a name"', "24 letters"]),
        ('name = "daring"', 'name = "greedy"', ["name is 'greedy'", "a name of its own"]),
        ('name = "daring"', "name = true", ["name is true", "24 letters"]),
        ("intent = ", "intend = ", ["intend is not a field", "name, parameters, provenance"]),
        ("[parameters]", "[parameter]", ["parameter is not a field", "parameters"]),
        ("misjudge = 0.62", "misjudge = 1.5", ["parameters.misjudge is '1.5'", "a number from 0 to 1"]),
        ("misjudge = 0.62", "misjudge = nan", ["parameters.misjudge is 'nan'", "a number from 0 to 1"]),
        ("misjudge = 0.62", "misjudge = true", ["parameters.misjudge is true", "a number"]),
        ("misjudge = 0.62", "misjudge = [0.1]", ["parameters.misjudge is [0.1]", "a number"]),
        ("misjudge = 0.62", "max_bid = 2.5", ["parameters.max_bid is '2.5'", "a whole number from 0 to 99"]),
        ("misjudge = 0.62", "misjugde = 0.1", ["parameters.misjugde", "misjudge, never_tear_down"]),
        ('"tree+sand"', '"tree+moon"', ["parameters.ignore_power is 'tree+moon'", "tree, scrap, sand, pairs"]),
        ('made = "tuned"', 'made = "found"', ['provenance.made is "found"', '"by hand" or "tuned"']),
        ('made = "tuned"', "", ["provenance.made is missing"]),
        ("seed = 1", "seed = -1", ["provenance.seed is -1", "a whole number from 0"]),
        ("seed = 1", "", ["provenance.seed is missing"]),
        ('field = ["greedy"]', "field = []", ["provenance.field is []", "a list of strategies"]),
        ('field = ["greedy"]', "field = [1]", ["provenance.field[0] is 1", "a strategy"]),
        ("games = 123456", "games = 0", ["provenance.games is 0", "from 1"]),
        ('version = "0.1.0"', 'version = ""', ['provenance.version is ""', "the program's version"]),
        ("value = 0.52, ", "", ["provenance.result.win_share.value is missing"]),
        ("value = 0.52", "value = 0.62", ["provenance.result.win_share is", "between low and high"]),
        ("value = 0.52", 'value = "good"', ['provenance.result.win_share.value is "good"', "a number"]),
        ("games = 20000", "", ["provenance.result is", "games"]),
    ],
)
def test_a_fault_is_named_with_file_field_value_and_what_is_accepted(old, new, words):
    assert WHOLE.count(old) == 1
    message = refusal(WHOLE.replace(old, new))
    assert message.startswith("preset file mine.toml")
    for word in words:
        assert word in message


def test_the_names_of_families_are_no_presets_names():
    assert not set(FAMILIES) & set(list_presets())
