"""What is said and drawn of changed rules, case by case."""

from __future__ import annotations

import pytest

from fivetowers_sim.bench.content import Table
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.questions.variants import Compare, Sweep
from fivetowers_sim.questions.variants.figures import group_changes, read_changes
from fivetowers_sim.questions.variants.measure import list_headlines
from fivetowers_sim.questions.variants.picture import draw_differences, draw_responses
from fivetowers_sim.rules.ruleset import RuleSet


def finished(experiment, differences, variants, players=2):
    """Return what was found: differences by variant, figure and seat, each certain if it isn't 0."""
    rows = []
    for variant in variants:
        for one in list_headlines(players):
            value = differences.get((variant, one.name, one.seat), 0.0)
            ends = {"before": 10.0, "after": 10.0 + value, "difference": value}
            row = {"variant": variant, "figure": one.name, "seat": one.seat, "certain": value != 0}
            for name, end in ends.items():
                row |= {name: end, f"{name}_low": end - 0.1, f"{name}_high": end + 0.1}
            rows.append(row)
    arm = make_setup(RuleSet(), players, ["greedy"], 5).to_dict()
    base = "A" if experiment == "compare" else "base"
    plan = {"names": [base, *variants], "arms": [arm] * (1 + len(variants))}
    results = {"changes": rows, "deals": 50, "games": 100, "family": len(rows), "labels": {}, "seed": 5}
    return Finished(None, {"experiment": experiment, "plan": plan}, {**results, "command": "fivetowers …"}, {})


def test_what_changes_most_clearly_comes_first_and_wins_are_told_apart():
    differences = {("B", "rounds", None): -1.5, ("B", "win_share", 0): 0.02, ("B", "total", 1): 9.0}
    (verdict,) = Compare.content(finished("compare", differences, ["B"])).verdicts
    assert verdict.claim == (
        "With B (base) instead of A (base), games are 1.50 ± 0.10 rounds shorter, the first player wins 2.0 ± 10.0 "
        "more games in 100 and the second player scores 9.00 ± 0.10 VP more; 3 of 16 figures certainly differ."
    )
    assert verdict.figure == "rounds, B less A: -1.50 ± 0.10"
    assert verdict.interval == "95% interval -1.60 to -1.40"
    assert verdict.holds == "Who wins: with B the first player wins 2.0 ± 10.0 more games in 100."
    assert (verdict.population, verdict.seed) == ("2 players; all greedy; rules as named; no Great Powers", 5)


def test_each_dial_has_a_verdict_on_the_figure_that_it_changes_most():
    variants = ["display_size=4", "display_size=6", "pair_vp=1", "pair_vp=2"]
    section = Sweep.content(finished("sweep", {("display_size=4", "rounds", None): 2.0}, variants))
    assert [verdict.claim for verdict in section.verdicts] == [
        "With display_size=4 games are 2.00 ± 0.10 rounds longer, compared with base. Not shown to change that: "
        "display_size=6.",
        "pair_vp is not shown to change any figure of base.",
    ]
    assert "display_size=6 is not shown to change any figure of base." in section.said
    heads = [shown.headings for shown in section.shown if isinstance(shown, Table)]
    assert heads == [("figure", "base", *variants[:2]), ("figure", "base", *variants[2:])]


def test_of_many_values_those_are_told_that_change_most():
    variants = [f"vp_main_tower={value}" for value in range(2, 8)]
    differences = {(variant, "main", None): float(value) for value, variant in enumerate(variants, 1)}
    (verdict,) = Sweep.content(finished("sweep", differences, variants)).verdicts
    assert verdict.claim.startswith(
        "With vp_main_tower=4 the main tower brings 3.00 ± 0.10 VP more; with vp_main_tower=5"
    )
    assert verdict.claim.endswith("compared with base; 2 other values change that too.")


def test_tables_are_as_wide_as_a_terminal_and_show_every_value():
    variants = [f"display_size={size} teardown_costs={costs}" for size in (4, 6) for costs in ("", "1, 1")]
    found = finished("sweep", {}, variants)
    assert {dials: list(values) for dials, values in group_changes(found).items()} == {
        "display_size+teardown_costs": ["4 / none", "4 / 1, 1", "6 / none", "6 / 1, 1"]
    }
    tables = [shown for shown in Sweep.content(found).shown if isinstance(shown, Table)]
    assert [head for table in tables for head in table.headings[2:]] == ["4 / none", "4 / 1, 1", "6 / none", "6 / 1, 1"]
    for table in tables:
        assert sum(max(map(len, column)) + 1 for column in zip(table.headings, *table.rows, strict=True)) <= 100


def test_a_single_value_is_shown_with_its_own_figures():
    (table,) = (one for one in Sweep.content(finished("sweep", {}, ["pair_vp=1"])).shown if isinstance(one, Table))
    assert table.headings == ("figure", "base", "pair_vp=1", "pair_vp=1 less base")
    assert table.rows[-1][1:] == ("10.00 ± 0.10", "10.00 ± 0.10", "0.00 ± 0.10 ~")


@pytest.mark.parametrize("players", [2, 5])
def test_the_picture_of_a_dial_has_a_panel_for_each_figure_and_every_seats_wins(players):
    variants = ["display_size=4", "display_size=6"]
    found = finished("sweep", {("display_size=6", "total", None): 2.0}, variants, players)
    figure = draw_responses("display_size", group_changes(found)["display_size"], "240 games (60 deals)")
    titles = [axes.get_title(loc="left") for axes in figure.axes if axes.get_title(loc="left")]
    assert titles[0] == "VP of a player (10.00)"
    assert len([title for title in titles if title.startswith("win share, ")]) == players
    lines = [list(line.get_xdata()) for line in figure.axes[0].lines]
    assert [1.9, 2.1] in lines
    assert figure.get_supxlabel().startswith("240 games (60 deals).")


def test_the_picture_of_two_rule_sets_has_every_figure_and_marks_what_is_not_certain():
    changes = read_changes(finished("compare", {("B", "rounds", None): 2.0}, ["B"]))
    figure = draw_differences("B less A", changes, "100 games (50 deals)")
    labels = [label.get_text() for axes in figure.axes for label in axes.get_yticklabels()]
    assert len(labels) == len(changes)
    assert [label for label in labels if not label.endswith(" ~")] == ["rounds"]
    assert figure.get_supxlabel().startswith("100 games (50 deals).")
