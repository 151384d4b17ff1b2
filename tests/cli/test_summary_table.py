"""How the summary's figures are written."""

from __future__ import annotations

import io
import math

import pytest
from rich.console import Console

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.summary import MEASURES, Row, RunSummary
from fivetowers_sim.cli.summary_table import show_summary, write_estimate
from fivetowers_sim.rules.described import describe_population

GAMES = 10_000_000


def setup(strategies=("greedy",) * 3, seating="fixed", powers=((), (), ()), rules="base"):
    return {
        "players": len(strategies),
        "strategies": list(strategies),
        "seating": seating,
        "powers_by_seat": [list(own) for own in powers],
        "rules": {"name": rules},
        "seed": 1,
    }


def show(strategies, seating="rotate", powers=((), (), ()), short_names=None):
    share, vp = Estimate(0.3391, 0.3386, 0.3396, GAMES), Estimate(-14.3412, -14.3472, -14.3352, GAMES)
    measures = dict.fromkeys(MEASURES, vp)
    names, seats = list(dict.fromkeys(strategies)), range(len(strategies))
    summary = RunSummary(
        {"setup": setup(strategies, seating, powers)},
        GAMES,
        vp,
        share,
        [Row(seat, None, GAMES, share, measures) for seat in seats],
        [Row(None, name, GAMES, share, measures) for name in names],
        [Row(seat, name, GAMES, share, measures) for name in names for seat in seats],
        short_names or {},
    )
    text = io.StringIO()
    Console(file=text, width=100).print(show_summary(summary))
    return text.getvalue()


@pytest.mark.parametrize(
    ("margin", "written"),
    [(2.04, "26.2 ± 2.0"), (0.94, "26.20 ± 0.94"), (0.02, "26.20 ± 0.02"), (0.004, "26.199 ± 0.004")],
)
def test_a_figure_has_the_digits_that_its_margin_leaves(margin, written):
    assert write_estimate(Estimate(26.199, 26.199 - margin, 26.199 + margin, 10)) == written


def test_a_share_is_written_in_percent():
    assert write_estimate(Estimate(0.3391, 0.3386, 0.3396, 10), 100, "%") == "33.91% ± 0.05"


def test_a_figure_without_an_interval_says_so():
    assert write_estimate(Estimate(26.0, math.nan, math.nan, 1)) == "26.0 ± ?"


@pytest.mark.parametrize("strategies", [("a",) * 5, ("greedy-twin", "b", "c", "d", "e"), ("x" * 70, "b", "c")])
def test_the_widest_figures_fit_100_columns_and_none_is_cut(strategies):
    shown = show(strategies, powers=((),) * len(strategies))
    assert max(map(len, shown.splitlines())) <= 100
    assert "…" not in shown
    rows = [line for line in shown.splitlines() if f"{GAMES:,} 33.91" in line or f"{GAMES:,}  33.91" in line]
    names, seats = len(set(strategies)), len(strategies)
    assert len(rows) == seats + (names + names * seats if names > 1 else 0)


LONG = "greedy:max_bid=4:never_close=1"


def test_a_preset_goes_by_its_short_name_and_is_explained():
    shown = show((LONG, "b", "c"), short_names={LONG: "careful"})
    assert "\ncareful, 2 " in shown
    assert f"careful is {LONG}." in shown
    assert "Population: 3 players; careful, b, c, moving" in shown
    alone = show((LONG,) * 3, "fixed", short_names={LONG: "careful"})
    assert f"careful is {LONG}." in alone
    assert "all careful;" in alone


def test_two_strategies_of_one_short_name_are_told_apart_by_letters():
    shown = show((LONG, "b", "c"), short_names={LONG: "mine", "b": "mine"})
    assert f"A is {LONG}; B is b; C is c." in shown
    assert "mine" not in shown


def test_one_strategy_has_no_table_by_strategy():
    assert "strategy" not in show(("greedy",) * 3, "fixed").splitlines()[0]
    assert "\nstrategy" not in show(("greedy",) * 3, "fixed")


def test_what_can_not_be_told_apart_is_said():
    assert "can't be told apart" in show(("a", "b", "c"), "fixed")
    assert "can't be told apart" in show(("a", "a", "a"), "fixed", (("tree",), (), ()))
    assert "By design only seats and strategies differ" in show(("a", "b", "c"))
    assert "By design only seats differ" in show(("a", "a", "a"), "fixed")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (setup(), "3 players; all greedy; rules base; no Great Powers; seed 1"),
        (
            setup(("a", "b"), "rotate", [["tree", "sand"]] * 2),
            "2 players; a, b, moving one seat on with every game; rules base; Great Powers tree, sand; seed 1",
        ),
        (
            setup(("a", "b", "a"), "fixed", ((), ("tree", "sand"), ()), "base display_size=6"),
            "3 players; a, b, a, each in its seat; rules base display_size=6; "
            "Great Powers none (seats 0, 2) and tree, sand (seat 1); seed 1",
        ),
    ],
)
def test_the_population_is_named(given, words):
    assert describe_population(given) == words
