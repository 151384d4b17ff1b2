"""What is said of a game's shape: seats by what is certain, the lead, and how much is luck."""

from __future__ import annotations

from pathlib import Path

import pytest

from fivetowers_sim.bench.content import PictureOf
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.questions.game_shape import GameShape
from fivetowers_sim.questions.game_shape.figures import name_seat
from fivetowers_sim.questions.game_shape.measure import OF_A_SEAT, OF_A_TENTH, OF_A_TYPE, OF_THE_GAME, TENTHS
from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.ruleset import RuleSet

PLACES = dict.fromkeys(OF_A_TYPE, TOWER_TYPES) | dict.fromkeys(OF_THE_GAME, ("",))
PLACES |= dict.fromkeys(OF_A_TENTH, tuple(f"{10 * tenth}%" for tenth in TENTHS))


def row(players, strategy, figure, place, value, adjusted_p=None):
    about = {"players": players, "strategy": strategy, "figure": figure, "place": place}
    ends = {"value": value, "low": value - 0.01, "high": value + 0.01}
    return {**about, **ends, "p": adjusted_p, "adjusted_p": adjusted_p}


def list_rows(strategy, signs):
    """Rows of one strategy; by number of players, which seats certainly win more, or less."""
    rows = []
    for players, by_seat in signs.items():
        for seat, sign in enumerate(by_seat):
            share = 1 / players + sign / 20
            rows.append(row(players, strategy, "win_share", str(seat), share, 0.01 if sign else 0.5))
        places = dict.fromkeys(OF_A_SEAT[1:], tuple(map(str, range(players)))) | PLACES
        rows += [row(players, strategy, figure, place, 0.5) for figure, own in places.items() for place in own]
    return rows


def section(by_strategy, check=None, split=()):
    """The section on some strategies, each with the signs of its seats by number of players."""
    names, counts = list(by_strategy), list(next(iter(by_strategy.values())))
    plan = {"rules": RuleSet().to_dict(), "players": counts, "strategies": names, "seed": 5}
    rows = [one for name, signs in by_strategy.items() for one in list_rows(name, signs)] + list(split)
    results = {"findings": rows, "family": 9, "command": "fivetowers game-shape", "games": 900, "deals": 90}
    if check:
        ((name, signs),) = check.items()
        asked = {**plan, "strategies": [name]}
        results["check"] = {"asked": asked, "findings": list_rows(name, signs), "games": 30, "deals": 30}
    return GameShape.content(Finished(Path("shape"), {"experiment": "game-shape", "plan": plan}, results, {}))


def test_seats_are_called_by_who_begins():
    assert [name_seat(seat, 4) for seat in range(4)] == ["first player", "second player", "third player", "last player"]
    assert [name_seat(seat, 2) for seat in range(2)] == ["first player", "last player"]


def test_the_answer_names_who_wins_more_or_less_and_where_nobody_does():
    seats, lead = section({"value": {2: (0, 0), 3: (1, 0, -1)}}).verdicts
    assert seats.claim == (
        "Not all seats win an equal share: with 3 players the first player more (38.3% ± 1.0) and the last player less "
        "(28.3% ± 1.0); with 2 players none is shown to differ."
    )
    assert seats.figure == "win share of the first player with 3 players, all value (equal: 33.3%): 38.3% ± 1.0"
    assert seats.interval == "95% interval 37.3% to 39.3%"
    assert seats.holds == "Asked of value alone."
    assert seats.population == "2 and 3 players; all seats value; rules base; no Great Powers"
    assert lead.claim == (
        "With 3 players 50.0% ± 1.0 of the victories go to players who don't lead at half time; a winner leads to the "
        "end from round 0.50 ± 0.01 of 0.50 ± 0.01 on, and is 0.50 ± 0.01 VP ahead in the end."
    )


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (
            (-1, 1),
            "It flips: the first player of 2 under greedy and the last player of 2 under greedy; under greedy with 2",
        ),
        (
            (0, 0),
            "Under no other strategy is a seat certainly the other way round; under greedy none is shown to differ.",
        ),
        (
            (1, 0),
            "Under no other strategy is a seat certainly the other way round; under greedy with 2 players the first",
        ),
    ],
)
@pytest.mark.parametrize("checks", [False, True])
def test_a_seat_flips_only_where_both_sides_are_certain(other, said, checks):
    signs, others = {"value": {2: (1, -1)}}, {"greedy": {2: other}}
    found = section(signs, check=others) if checks else section(signs | others)
    assert found.verdicts[0].holds.startswith(said)
    asked = "As a check the same was asked of greedy in all seats, a slower player: 30 games (30 deals)."
    assert (found.said[0] == asked) == checks
    assert section({"value": {2: (0, 0)}, **others}).verdicts[0].holds.startswith("Under no other strategy")


def test_win_shares_are_marked_where_they_are_certain_and_first_and_last_stand_below_each_other():
    table = section({"value": {2: (0, 0), 3: (1, 0, -1)}}).shown[1]
    assert table.headings == ("", "first player", "second player", "last player")
    assert table.rows == (
        ("2 players, value", "50.0 ± 1.0", "", "50.0 ± 1.0"),
        ("3 players, value", "38.3 ± 1.0 ▲", "33.3 ± 1.0", "28.3 ± 1.0 ▼"),
    )


def list_parts(players, **parts):
    """Rows of a split of the variance."""
    return [
        row(players, "crossed", f"{result}_{kind}", name.replace("_", " "), value)
        for result in ("margin", "total")
        for kind in ("share", "variance")
        for name, value in {**parts, "total": 1.0}.items()
    ]


def test_luck_is_what_changes_from_deal_to_deal():
    split = list_parts(2, strategy=0.3, seat=0.1, deal=0.2, deal_x_seat=0.4)
    found = section({"value": {2: (0, 0)}, "greedy": {2: (0, 0)}}, split=split)
    verdict = found.verdicts[-1]
    assert verdict.claim == (
        "With 2 players about 60% of what varies one player's VP ahead of the best other changes from deal to deal; "
        "who plays (value or greedy) makes 30.0% ± 1.0 and where one sits makes 10.0% ± 1.0."
    )
    assert verdict.figure == "share of the variance due to the strategy, 2 players: 30.0% ± 1.0"
    assert "one player in each seat alike, value or greedy alike, against all value" in verdict.holds
    assert [one.name for one in found.shown if isinstance(one, PictureOf)] == ["seats", "scores-2", "lead-2", "luck-2"]
    assert "against value in all others" in found.said[-1]


def test_where_nothing_varies_or_one_deal_was_played_nothing_is_said_of_luck():
    nothing = list_parts(2, seat=float("nan"), deal=float("nan"))
    assert len(section({"value": {2: (0, 0)}}, split=nothing).verdicts) == 2
    found = section({"value": {2: (0, 0)}})
    assert len(found.verdicts) == 2
    assert not any(getattr(one, "name", "").startswith("luck") for one in found.shown)


def test_each_player_who_was_asked_has_a_table_of_scores():
    found = section({"value": {2: (0, 0)}, "greedy": {2: (0, 0)}}, check={"careful": {2: (0, 0)}})
    scores = [one for one in found.shown if one.caption.startswith("What scores are made of, in VP")]
    assert [one.caption.rpartition(" ")[2] for one in scores] == ["value.", "greedy.", "careful."]
    assert [row[0] for row in scores[0].rows][:2] == ["win share", "VP"]
