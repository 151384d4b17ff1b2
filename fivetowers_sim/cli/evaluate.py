"""``fivetowers evaluate``: what each word is worth in a position, and then whether other players agree."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import typer

from fivetowers_sim.bench.arms import Crew, Progress
from fivetowers_sim.cli.ask_question import declare, put_question
from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.errors import Interrupted
from fivetowers_sim.cli.found import show_found
from fivetowers_sim.cli.interrupt import end_well
from fivetowers_sim.cli.play_experiment import describe_margin
from fivetowers_sim.cli.progress import GamesProgress, StepsProgress, notice_if_compiling
from fivetowers_sim.cli.staff import read_staff
from fivetowers_sim.questions.evaluate import Evaluate
from fivetowers_sim.questions.evaluate.content import describe_others

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fivetowers_sim.batch.staff import Staff

_MANNER = ("workers", "backend", "scheduler", "as_json", "quiet")


def _carry_out(**given: Any) -> None:
    manner = {name: given.pop(name, None) for name in _MANNER}
    wanted = read_staff(manner["workers"], manner["backend"], manner["scheduler"])
    asked = put_question(Evaluate, given)
    show = (lambda text: None) if manner["as_json"] else make_console(wide=True).print
    with wanted.gather(manner["quiet"]) as staff:
        results = play_position(asked, staff, manner["quiet"], show)
    if manner["as_json"]:
        typer.echo(json.dumps(results, indent=2))


evaluate = declare(Evaluate, _carry_out, _MANNER)


def play_position(asked: Evaluate, staff: Staff, quiet: bool, show: Callable[[RenderableType], None]) -> dict[str, Any]:
    """Try every word of a position, and ask other players.

    Parameters
    ----------
    asked : Evaluate
        What to find out.
    staff : Staff
        Who plays.
    quiet : bool
        Whether to show no progress.
    show : callable
        Gets the answer once it is known: others may take their time. Then what they say.

    Returns
    -------
    dict of str to object
        What ``--json`` prints.

    Raises
    ------
    Interrupted
        If the user pressed Ctrl-C.
    """
    describe = describe_margin(asked, asked.main.name, f" {asked.main.unit.name}")
    with end_well(_tell_nothing_is_kept):
        with GamesProgress("tried", quiet) as progress:

            def watch(state: Progress) -> None:
                progress.report(state.games_done, state.games, describe(state))

            _prepare([asked], quiet)
            found = asked.answer(Crew(staff.workers, staff.backend, watch))
        finished = found.finish()
        section = asked.content(finished)
        show(show_found(section, finished) if section.verdicts else "\n".join(section.said))
        with StepsProgress(quiet) as steps:
            _prepare(asked.others if asked.builds else (), quiet)
            checks = asked.ask_others(found, Crew(staff.workers, staff.backend, watch_step=steps.report))
    if checks:
        from rich.console import Group

        show(Group("", *describe_others(checks)))
    return {**finished.results, "checks": checks}


def _prepare(asked: Iterable[Evaluate], quiet: bool) -> None:
    with nullcontext() if quiet else notice_if_compiling():
        for one in asked:
            one.warm_up()
            _ = one.builds


def _tell_nothing_is_kept() -> Interrupted:
    return Interrupted("interrupted: nothing is kept")
