"""Position files are read exactly, and a fault in any field is named by the field's path."""

from __future__ import annotations

import copy
import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivetowers_sim.rules.cards import EMPTY, TOWER_TYPES, card_name, parse_card
from fivetowers_sim.rules.position import PositionError, load_position, parse_position, position_from_dict
from fivetowers_sim.rules.ruleset import POWERS, RuleSet

GOOD = {
    "format": "fivetowers-position/1",
    "players": 3,
    "rules": "base",
    "powers_by_seat": [["sand", "tree"], [], []],
    "display": ["candy-3", "sand-12", "scrap-0"],
    "discard": ["tree-1", "scary-9"],
    "deck_pass": 2,
    "start": 2,
    "seats": [
        {"towers": {"candy": [14, 10], "sand": [6], "tree": [8, 15, 9]}, "teardown": ["scrap-4", "scrap-5"]},
        {"towers": {"scary": [12, 0]}},
        {},
    ],
    "turn": {"seat": 0, "high_bid": 2},
}
REMOVED = "(left out)"


def changed(*changes):
    """Return the good position with values put at paths such as ``seats[0].towers``."""
    position = copy.deepcopy(GOOD)
    for path, value in changes:
        *way, last = path.replace("]", "").replace("[", ".").split(".")
        where = position
        for step in way:
            where = where[int(step)] if step.isdigit() else where[step]
        key = int(last) if last.isdigit() else last
        if value is REMOVED:
            del where[key]
        else:
            where[key] = value
    return position


def refusal(text):
    """Return what is said of a position that isn't accepted."""
    with pytest.raises(PositionError) as caught:
        parse_position(text if isinstance(text, str) else json.dumps(text))
    message = str(caught.value)
    assert "\n" not in message
    return message


# What is accepted


def test_a_position_is_read_into_the_state_that_the_kernels_play_with():
    position = position_from_dict(GOOD)
    game = position.game[0]
    assert (position.players, position.seat, position.high_bid, position.rules.name) == (3, 0, 2, "base")
    assert position.powers_by_seat == (("tree", "sand"), (), ())
    assert position.display() == GOOD["display"]
    assert (game["start"], game["deck_pass"], game["deck_next"], game["over"]) == (2, 1, 0, 0)
    assert game["height"][:3].tolist() == [[2, 0, 3, 0, 1], [0, 2, 0, 0, 0], [0] * 5]
    assert game["tower"][0, 2, :4].tolist() == [EMPTY, 8, 15, 9]
    assert [card_name(code) for code in game["pile"][0, : game["pile_size"][0]]] == ["scrap-4", "scrap-5"]
    assert [card_name(code) for code in game["discard"][: game["discard_size"]]] == ["tree-1", "scary-9"]
    assert position.compile_rules()[0]["powers"].tolist() == [0b101, 0, 0, 0, 0]


def test_cards_in_no_listed_place_are_in_the_deck():
    position = position_from_dict(GOOD)
    game = position.game[0]
    deck = Counter(game["deck"][: game["deck_size"]].tolist())
    listed = "candy-3 sand-12 scrap-0 tree-1 scary-9 candy-14 candy-10 sand-6 tree-8 tree-15 tree-9 scrap-4 scrap-5"
    rest = Counter(map(parse_card, [*listed.split(), "scary-12", "scary-0"]))
    assert deck + rest == Counter(RuleSet().deck(3))


def test_discard_deck_pass_and_start_may_be_left_out():
    position = position_from_dict(changed(*((name, REMOVED) for name in ("discard", "deck_pass", "start"))))
    game = position.game[0]
    assert (game["discard_size"], game["deck_pass"], game["start"]) == (0, 0, 0)


def test_powers_left_out_are_those_of_the_rule_set():
    position = position_from_dict(changed(("powers_by_seat", REMOVED), ("rules", "great-powers")))
    assert position.powers_by_seat == (POWERS,) * 3


def test_rules_may_be_given_in_full_or_as_the_dials_that_differ():
    full = position_from_dict(changed(("rules", RuleSet(name="mine", display_size=4).to_dict())))
    assert full.rules == RuleSet(name="mine", display_size=4)
    assert position_from_dict(changed(("rules", {"display_size": 4}))).rules.display_size == 4


def test_extra_copies_may_be_named_with_four_players():
    seats = [*GOOD["seats"], {"towers": {"candy": [10]}}]
    position = changed(("seats", seats), ("powers_by_seat", REMOVED), ("players", 4))
    assert position_from_dict(position).players == 4
    assert "candy-10" in refusal({**position, "display": ["candy-10"]})


def test_a_tower_may_hold_what_was_slid_under_it():
    # By rule 6.3 an 8 goes under anything but a 0, and anything goes under a 9.
    for tower in ([8, 12, 11, 7, 6], [12, 8, 11, 7, 6], [3, 9]):
        position_from_dict(changed(("seats[0].towers.sand", tower), ("display", ["candy-3"])))


def test_with_the_tree_power_a_bid_may_be_beyond_the_display():
    assert position_from_dict(changed(("turn.high_bid", 6))).high_bid == 6
    assert "0 to 6" in refusal(changed(("turn.high_bid", 7)))
    assert "0 to 3" in refusal(changed(("turn.high_bid", 4), ("powers_by_seat", [[], ["tree"], []])))
    topped = ("seats[0].towers.tree", [15, 9, 0])
    assert "0 to 3" in refusal(changed(("turn.high_bid", 4), topped))


# What is refused

FAULTS = [
    ("format", "fivetowers-trace/1", ["fivetowers-trace/1", "fivetowers-position/1"]),
    ("format", REMOVED, ["format is missing"]),
    ("players", 6, ["players is 6", "2 to 5"]),
    ("players", True, ["players is true"]),
    ("players", 3.0, ["players is 3.0"]),
    ("rules", "chess", ["rules", "chess", "base"]),
    ("rules", 5, ["rules is 5"]),
    ("rules", {"display_size": 9}, ["rules: display_size is 9", "3 to 7"]),
    ("rules", {"display": 5}, ["rules: there is no dial 'display'"]),
    ("rules", {"name": "two\nlines", "copies": 0}, ["rules: name is"]),
    ("rules", "nul\0.toml", ["rules:"]),
    ("powers_by_seat", [[], []], ["powers_by_seat is [[], []] (2 items)", "3 lists"]),
    ("powers_by_seat", None, ["powers_by_seat is null", "3 lists"]),
    ("powers_by_seat[1]", ["wood"], ["powers_by_seat[1][0] is", "wood", "tree, scrap, sand, pairs"]),
    ("powers_by_seat[1]", "tree", ["powers_by_seat[1] is", "a list"]),
    ("powers_by_seat[1]", [{}], ["powers_by_seat[1][0] is {}"]),
    ("powers_by_seat[0]", ["tree", "tree"], ["powers_by_seat[0][1]", "once"]),
    ("display", [], ["display is []", "1 to 5 cards"]),
    ("display", ["candy-1", "candy-2", "candy-3", "candy-4", "candy-5", "candy-6"], ["display is", "1 to 5 cards"]),
    ("display", "candy-3", ["display is", "a list of 1 to 5 cards"]),
    ("display[1]", "candy-16", ["display[1] is", "candy-16", "0 to 15"]),
    ("display[1]", "Candy-1", ["display[1] is", "Candy-1", "candy, scary, tree, scrap, sand"]),
    ("display[1]", "candy-03", ["display[1] is", "candy-03"]),
    ("display[1]", 3, ["display[1] is 3", "type-value"]),
    ("display[1]", None, ["display[1] is null"]),
    ("display[1]", "candy-3", ["display[1] is", "also at display[0]", "one copy"]),
    ("discard", ["sand-6"], ["seats[0].towers.sand[0] is 6", "sand-6 is also at discard[0]"]),
    ("discard", {}, ["discard is {}", "a list of cards"]),
    ("discard", None, ["discard is null"]),
    ("deck_pass", 0, ["deck_pass is 0", "1 to 2"]),
    ("deck_pass", 3, ["deck_pass is 3", "1 to 2"]),
    ("start", 3, ["start is 3", "0 to 2"]),
    ("start", -1, ["start is -1"]),
    ("seats", [{}, {}, {}, {}], ["seats is", "(4 items)", "3 objects"]),
    ("seats[2]", [], ["seats[2] is []", "an object"]),
    ("seats[2]", {"tower": {}}, ["seats[2].tower is not a field", "towers, teardown"]),
    ("seats[2]", {"towers": {"wood": []}}, ["seats[2].towers.wood is not a field", "candy, scary"]),
    ("seats[2]", {"towers": []}, ["seats[2].towers is []"]),
    ("seats[2]", {"towers": {"candy": 5}}, ["seats[2].towers.candy is 5", "bottom to top"]),
    ("seats[0].towers.candy[1]", 15, ["seats[0].towers.candy[1] is 15", "on the 14 below: 0, 1, 2"]),
    ("seats[0].towers.candy[1]", 14, ["seats[0].towers.candy[1] is 14", "also at seats[0].towers.candy[0]"]),
    ("seats[0].towers.candy[1]", 16, ["seats[0].towers.candy[1] is 16", "0 to 15"]),
    ("seats[0].towers.candy[1]", "10", ['seats[0].towers.candy[1] is "10"', "0 to 15"]),
    ("seats[0].towers.candy[1]", "candy-10", ["seats[0].towers.candy[1] is"]),
    ("seats[1].towers.scary", [12, 0, 1], ["seats[1].towers.scary[2] is 1", "on the 0 below: nothing"]),
    ("seats[0].teardown", ["scrap-4", "candy-0"], ["seats[0].teardown[1]", "candy-0", "can't be torn down"]),
    ("seats[0].teardown", ["candy-10"], ["seats[0].teardown[0]", "also at seats[0].towers.candy[1]"]),
    ("seats[0].teardown", "scrap-4", ["seats[0].teardown is", "a list of cards"]),
    ("turn", REMOVED, ["turn is missing"]),
    ("turn", {"seat": 0}, ["turn.high_bid is missing"]),
    ("turn", {"seat": 0, "high_bid": 0, "bid": 1}, ["turn.bid is not a field", "seat, high_bid"]),
    ("turn.seat", 3, ["turn.seat is 3", "0 to 2"]),
    ("turn.high_bid", -1, ["turn.high_bid is -1", "0 to 6"]),
    ("turn.high_bid", None, ["turn.high_bid is null"]),
    ("turn.high_bid", 10**30, ["turn.high_bid is 1000000"]),
    ("deck", [], ["deck is not a field", "accepted are format, players"]),
]


@pytest.mark.parametrize(("path", "value", "parts"), FAULTS, ids=lambda case: str(case)[:40].replace("\0", ""))
def test_a_fault_is_named_with_its_path_and_what_is_accepted(path, value, parts):
    message = refusal(changed((path, value)))
    for part in parts:
        assert part in message


def paths_in(value, path=""):
    """List the paths of everything that a position holds."""
    if isinstance(value, dict):
        inside = [(f"{path}.{name}" if path else name, item) for name, item in value.items()]
    elif isinstance(value, list):
        inside = [(f"{path}[{number}]", item) for number, item in enumerate(value)]
    else:
        inside = []
    return [(path, value), *(found for name, item in inside for found in paths_in(item, name))]


WRONG = [None, True, -1, 10**30, 0.5, "", "x", "\ud800", [], [[]], [None], {}, {"x": 1}]


@pytest.mark.parametrize("path", [path for path, _ in paths_in({**GOOD, "rules": RuleSet().to_dict()})[1:]])
def test_whatever_a_field_holds_is_accepted_or_refused_in_one_line_that_names_it(path):
    whole = changed(("rules", RuleSet().to_dict()))
    refused = 0
    for wrong in WRONG:
        *way, last = path.replace("]", "").replace("[", ".").split(".")
        position = where = copy.deepcopy(whole)
        for step in way:
            where = where[int(step)] if step.isdigit() else where[step]
        where[int(last) if last.isdigit() else last] = wrong
        try:
            parse_position(json.dumps(position))
        except PositionError as error:
            refused += 1
            message = str(error)
            assert any(words in message for words in ("accepted", "is missing; needed are", "the dials are"))
            field = path.partition("[")[0].partition(".")[0]
            # By other rules the cards that lie there may not be possible.
            assert field in message or (field == "rules" and message.startswith("seats["))
            assert len(message.splitlines()) == 1
            assert len(message) < 1_000
    assert refused >= len(WRONG) // 2


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "not JSON: Expecting value in line 1, column 1"),
        ("{", "not JSON"),
        ("[]", "the whole is []; accepted is an object"),
        ("null", "the whole is null"),
        (json.dumps(GOOD)[:-1], "not JSON"),
        (json.dumps(GOOD) + "}", "not JSON: Extra data"),
        ('{"players": 3, "players": 4}', '"players" is named twice'),
        ('{"players": NaN}', "NaN is not JSON"),
        (json.dumps(GOOD).replace('"players": 3', '"players": 1e999'), "players is Infinity; accepted is"),
        ('{"players": ' + "9" * 5000 + "}", "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        (json.dumps({**GOOD, "x\ny": 1}), r'"x\ny" is not a field'),
    ],
)
def test_what_is_no_json_object_is_refused(text, part):
    assert part in refusal(text)


def test_a_file_is_named_in_front_of_its_fault(tmp_path):
    file = tmp_path / "position.json"
    with pytest.raises(PositionError, match=r"position.json: can't be read: No such file"):
        load_position(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(PositionError, match=r"position.json: can't be read: not UTF-8 text"):
        load_position(file)
    file.write_text(json.dumps(changed(("players", 1))))
    with pytest.raises(PositionError, match=r"position.json: players is 1"):
        load_position(file)
    file.write_text(json.dumps(GOOD))
    assert load_position(file).to_dict() == position_from_dict(GOOD).to_dict()


# Round trips


@st.composite
def dealt_positions(draw):
    """Deal a shuffled deck out to random places, towers by the rules."""
    players = draw(st.integers(2, 5))
    rules = RuleSet()
    cards = draw(st.permutations([card_name(code) for code in rules.deck(players)]))
    display, discard = cards[: draw(st.integers(1, 5))], cards[5 : draw(st.integers(5, 30))]
    seats = []
    for seat in range(players):
        towers = {kind: [] for kind in TOWER_TYPES}
        hand = cards[30 + 10 * seat : 40 + 10 * seat]
        for kind, _, value in (card.partition("-") for card in hand):
            if rules.fits_on(int(value), towers[kind][-1] if towers[kind] else None):
                towers[kind].append(int(value))
        left = [card for card in hand if int(card.partition("-")[2]) not in [0, *towers[card.partition("-")[0]]]]
        seats.append({"towers": {kind: tower for kind, tower in towers.items() if tower}, "teardown": left})
    return {
        "format": "fivetowers-position/1",
        "players": players,
        "rules": rules.to_dict(),
        "powers_by_seat": [draw(st.sampled_from([[], ["tree"], list(POWERS)])) for _ in range(players)],
        "display": display,
        "discard": discard,
        "deck_pass": draw(st.integers(1, 2)),
        "start": draw(st.integers(0, players - 1)),
        "seats": seats,
        "turn": {"seat": draw(st.integers(0, players - 1)), "high_bid": draw(st.integers(0, len(display)))},
    }


@settings(max_examples=60, deadline=None)
@given(dealt_positions())
def test_a_position_written_and_read_again_is_the_same_and_has_every_card(values):
    position = parse_position(json.dumps(values))
    assert position.to_dict() == values
    game = position.game[0]
    cards = [*game["deck"][: game["deck_size"]], *game["display"][: game["display_size"]]]
    cards += [*game["discard"][: game["discard_size"]]]
    for seat in range(position.players):
        cards += [*game["pile"][seat, : game["pile_size"][seat]]]
        for kind in range(5):
            cards += [
                kind * 32 + value for value in game["tower"][seat, kind, 1 : game["height"][seat, kind] + 1].astype(int)
            ]
    assert Counter(map(int, cards)) == Counter(position.rules.deck(position.players))
