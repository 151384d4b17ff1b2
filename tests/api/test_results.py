"""What questions find out: verdicts, figures, pictures, and a folder like that of the command."""

from __future__ import annotations

import gc
import json
import re

import polars as pl
import pytest

import fivetowers_sim as ft

CALLS = {
    "powers": lambda **more: ft.powers(strategies=["greedy"], games=122, **more),
    "bid-values": lambda **more: ft.bid_values(strategies=["greedy"], games=60, futures=2, **more),
    "teardown-costs": lambda **more: ft.teardown_costs(
        strategies=["greedy"], costs=[[0], [2, 2]], decisions=0, games=120, **more
    ),
    "game-shape": lambda **more: ft.game_shape(players=[2, 3], strategies=["greedy"], games=120, **more),
    "tournament": lambda **more: ft.tournament(strategies=["greedy", "random"], games=120, **more),
    "compare": lambda **more: ft.compare(
        "base", "base", set_b={"display_size": 6}, strategies="greedy", games=120, **more
    ),
    "sweep": lambda **more: ft.sweep(set={"display_size": [4, 6]}, strategies="greedy", games=120, **more),
}
MAIN_TABLES = {"bid-values": "bids", "tournament": "ratings", "compare": "changes", "sweep": "changes"}


SLOW = {"bid-values", "teardown-costs", "game-shape", "sweep"}


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in CALLS]
)
def found(request):
    return CALLS[request.param]()


def test_it_has_verdicts_that_say_what_they_rest_on(found):
    assert found.verdicts
    for verdict in found.verdicts:
        assert verdict.claim.endswith(".")
        assert re.search(r"\d", verdict.figure)
        assert "interval" in verdict.interval
        assert verdict.command.startswith(f"fivetowers {found.experiment} ")
        assert "seed" not in verdict.population
        assert verdict.seed == 1


def test_it_has_all_figures_as_frames(found):
    assert found.tables[0] == MAIN_TABLES.get(found.experiment, "findings")
    assert isinstance(found.frame(), pl.DataFrame)
    assert all(found.frame(name).height for name in found.tables)
    with pytest.raises(ValueError, match="name is 'nothing'; accepted are"):
        found.frame("nothing")


def test_it_has_pictures(found, tmp_path):
    assert found.pictures
    for picture in found.pictures.values():
        assert picture.svg.startswith(b"<?xml")
        assert picture.png.startswith(b"\x89PNG")
        assert picture._repr_html_().startswith("<img src=")
        assert picture.save(tmp_path / "x.svg").read_bytes() == picture.svg
        with pytest.raises(ValueError, match=r"accepted is a file that ends in .svg or .png"):
            picture.save(tmp_path / "x.pdf")


def test_it_is_shown_with_verdicts_pictures_and_tables(found):
    page = found._repr_html_()
    assert page.count('class="verdict"') == len(found.verdicts)
    assert page.count("<img") == len(found.pictures)
    assert "<table>" in page
    claim = found.verdicts[0].claim
    assert claim in repr(found)
    assert "are in" not in str(found).rpartition("\n")[2]


@pytest.mark.slow
def test_saving_it_writes_what_the_command_writes(found, tmp_path, fivetowers):
    folder = found.save(tmp_path / "kept")
    assert fivetowers("verify", folder).stdout.startswith(f"ok: {found.experiment}")
    again = ft.open_result(folder)
    assert again.to_dict() == found.to_dict() == json.loads((folder / "results.json").read_text("utf-8"))
    assert again.frame().equals(found.frame())
    assert repr(again) == repr(found)
    assert found.verdicts[0].claim in str(again)
    with pytest.raises(ft.RunError, match="exists already"):
        found.save(folder)
    report = ft.report(folder, out=tmp_path / "report")
    assert report.html.is_file()


@pytest.mark.slow
def test_its_command_gives_the_same_figures(fivetowers):
    import shlex

    found = CALLS["powers"]()
    words = shlex.split(found.command)
    assert fivetowers(*words[1:], "--json").stdout == json.dumps(found.to_dict(), indent=2) + "\n"
    assert str(found) == fivetowers(*words[1:]).stdout.rstrip()


@pytest.mark.slow
def test_out_keeps_it_and_resuming_goes_on(tmp_path):
    folder = tmp_path / "powers"
    found = CALLS["powers"](out=folder)
    assert found.path == folder
    assert CALLS["powers"](out=folder, resume=True).to_dict() == found.to_dict()
    with pytest.raises(ft.RunError, match="was begun with"):
        ft.powers(strategies=["greedy"], games=183, out=folder, resume=True)


def test_a_temporary_folder_goes_when_the_result_does():
    found = CALLS["compare"]()
    path = found.path
    assert path.is_dir()
    del found
    gc.collect()
    assert not path.exists()


def test_equal_rule_sets_are_said_to_be_the_same():
    (verdict,) = ft.compare("base", "base", strategies="greedy", games=120).verdicts
    assert verdict.claim == "B (base) changes no figure of A (base): on every deal both are the same."


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: ft.powers(games=61, precision=1), "games is 61 and precision is 1; accepted is one of them"),
        (lambda: ft.powers(players=7), "players is 7; accepted is 2 to 5"),
        (lambda: ft.powers(games=61, check="none", check_games=5), "check_games is 5 and nobody checks"),
        (lambda: ft.compare("base", "bace"), "rules_b: there is no rule set 'bace'"),
        (lambda: ft.compare("base", "base", set_b={"display_size": 9}), "set_b: display_size is 9; accepted is 3 to 7"),
        (lambda: ft.compare("base", "base", refit_games=500), "refit_games is 500 without refit; accepted are both"),
        (lambda: ft.sweep(set={"display_size": [4, 4]}), "set display_size=4,4: accepted is dial=value,value"),
        (lambda: ft.game_shape(players=[2, 9]), "players is 9; accepted"),
        (lambda: ft.teardown_costs(decisions=0, futures=2, games=60), "futures is 2 and decisions is 0; accepted"),
        (lambda: ft.tournament(strategies=["greedy"]), "strategies"),
        (lambda: ft.powers(resume=True), "resume is True without out; accepted is the folder that was begun"),
        (lambda: ft.report(questions=["what"]), "questions: there is no 'what'; accepted are bid-values"),
    ],
)
def test_what_is_not_accepted_is_said_in_the_names_of_arguments(call, said):
    with pytest.raises(ValueError, match="accepted") as caught:
        call()
    assert str(caught.value).startswith(said)
    assert "--" not in str(caught.value)
