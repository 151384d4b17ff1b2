"""What users name is shown as they wrote it, whatever a layer in between would make of it."""

from __future__ import annotations

import warnings
from xml.etree import ElementTree

import pytest

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.style import encode_figure
from fivetowers_sim.cli.console import make_console, make_table
from fivetowers_sim.questions.tournament.picture import draw_tournament
from fivetowers_sim.report.build import escape_markdown

ODD = "_a$b$ [red]x[/] <b>&amp; |`c`* \\ ~😀漢"
NAMES = [ODD, "a$_$b", "$\\frac$", "_" + "x" * 300 + ".py:B", "שלום"]


def texts_of(svg):
    """Return the texts in a picture."""
    return [text for element in ElementTree.fromstring(svg).iter() if (text := "".join(element.itertext()).strip())]


@pytest.mark.parametrize("name", NAMES)
def test_pictures_show_a_name_as_it_is_written(name):
    half, other = Estimate(0.5, 0.4, 0.6, 9), "greedy"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = draw_tournament(
            {name: half, other: half}, {(name, other): half, (other, name): half}, 3, f"9 games; rules {name}"
        )
        files = encode_figure(figure, "picture", f"Of {name}.")
    told = " ".join(texts_of(files["picture.svg"]))
    assert name[:25] in told
    assert f"Of {name}." in told


@pytest.mark.parametrize("name", NAMES)
def test_tables_show_a_name_as_it_is_written(name, capsys):
    table = make_table()
    table.add_column(name, overflow="fold")
    table.add_row(name)
    make_console().print(name, table, soft_wrap=True)
    assert capsys.readouterr().out.splitlines()[0] == name


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a$_$b", "a\\$\\_\\$b"),
        ("teardown_costs", "teardown_costs"),
        ("[red]x[/]", "\\[red\\]x\\[/\\]"),
        ("<b>&amp;", "&lt;b>&amp;amp;"),
        ("a|b", "a\\|b"),
        ("`*\\~", "\\`\\*\\\\\\~"),
        ("# one", "\\# one"),
        ("- one", "\\- one"),
        ("-3.2 ± 0.1", "-3.2 ± 0.1"),
        ("two\nlines", "two lines"),
        ("", " "),
    ],
)
def test_markdown_holds_a_text_so_that_it_is_shown_as_it_is(text, written):
    assert escape_markdown(text) == written
