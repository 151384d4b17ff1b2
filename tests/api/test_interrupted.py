"""What is said after Ctrl-C: what is kept, and how to go on from Python."""

from __future__ import annotations

import pytest

from fivetowers_sim.api.calls import call
from fivetowers_sim.cli.errors import Interrupted


@pytest.mark.parametrize(
    ("command", "given", "told", "said"),
    [
        (
            "powers",
            {"out": "x", "resume": False},
            Interrupted("interrupted: 7 games are played and kept; go on with", "fivetowers …"),
            "interrupted: 7 games are played and kept; call again with resume=True",
        ),
        (
            "powers",
            {"out": None, "resume": False},
            Interrupted("interrupted: 7 games are played and kept; go on with", "fivetowers …"),
            "interrupted: nothing is kept, since out names no place",
        ),
        (
            "fit",
            {"out": None},
            Interrupted("interrupted: nothing is written; begin again with", "fivetowers …"),
            "interrupted: nothing is written; call again",
        ),
        (
            "report",
            {"out": "x"},
            Interrupted("interrupted: what is played of its experiments is kept; go on with", "fivetowers …"),
            "interrupted: what is played of its experiments is kept; call again",
        ),
        ("evaluate", {"position": "x"}, Interrupted("interrupted: nothing is kept"), "interrupted: nothing is kept"),
    ],
)
def test_it_says_what_is_kept_and_how_to_go_on(command, given, told, said):
    with pytest.raises(KeyboardInterrupt) as caught, call(command, given):
        raise told
    assert str(caught.value) == said
