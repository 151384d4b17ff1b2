"""Tables on a terminal: no figure and no name is cut off, however little room there is."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from fivetowers_sim.bench.content import Table
from fivetowers_sim.cli.found import show_table

LONG = [f"greedy:misjudge=0.{nth}:max_bid={nth}" for nth in range(1, 5)]


def show(table):
    paper = StringIO()
    Console(file=paper, width=100).print(show_table(table))
    return paper.getvalue()


def test_long_names_above_figures_go_on_in_the_next_line_and_figures_do_not():
    label = "victories of players who don't lead at half time"
    shown = show(Table("A table.", ("", *LONG), ((label, *["40.000% ± 0.000"] * 4),)))
    assert max(map(len, shown.splitlines())) <= 100
    assert "…" not in shown
    assert shown.count("40.000% ± 0.000") == 4
    assert "half time" in shown
    assert [shown.count(f"max_bid={nth}") for nth in range(1, 5)] == [1] * 4


@pytest.mark.parametrize("rows", [(), (("a", ""),)])
def test_a_table_may_be_empty(rows):
    assert "a name" in show(Table("A table.", ("", "a name"), rows))
