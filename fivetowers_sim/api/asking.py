"""How a question is asked, and how what was found is opened later."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from fivetowers_sim.api.arguments import Asked, Where, find_function, name_of
from fivetowers_sim.api.calls import call, write_aside
from fivetowers_sim.api.folders import place_for, refuse_resuming_nothing
from fivetowers_sim.api.result import Result

# They say where a folder is, which nobody wants to know of a temporary one.
_LAST_WORDS: Final = re.compile(r"^[A-Z][a-z, ]+ are in\s+[^;]+\Z", re.MULTILINE)


def find_out(command: Asked, given: Mapping[str, Any]) -> Result:
    """Carry a question's command out, and read the folder that it writes.

    Parameters
    ----------
    command : str or type
        The command, or a question's class.
    given : mapping of str to object
        Argument to value.

    Returns
    -------
    Result
        What was found.
    """
    with call(command, given) as arguments, place_for(arguments.pop("out"), name_of(command)) as (place, keeper):
        refuse_resuming_nothing(arguments["resume"], keeper)
        text = write_aside(lambda: find_function(command)(**arguments, out=place))
        return Result(place, text if keeper is None else _LAST_WORDS.sub("", text), keeper)


def ask(
    question: str | type,
    *,
    workers: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    out: Where | None = None,
    resume: bool = False,
    quiet: bool = False,
    **given: Any,
) -> Result:
    """Ask a question of your own.

    Parameters
    ----------
    question : str or type
        ``FILE.py:Class``, the name under which an installed package has it, or the class.
    workers, backend, scheduler : int, str, str
        Who plays, as for ``simulate``.
    out : str or Path, optional
        A new folder for figures, tables, pictures and what is played. Without it they are in a temporary one, which
        goes when the result does.
    resume : bool
        Whether to go on with what was begun in ``out``.
    quiet : bool
        Whether to show no progress.
    **given
        What else the question can be told: its ``params``.

    Returns
    -------
    Result
        What was found: ``verdicts``, ``frame()``, ``pictures``, ``save``.

    Raises
    ------
    ValueError
        For what isn't accepted.
    RunError, BatchError
        If the folder can't be used, or games failed.
    """
    from fivetowers_sim.bench.registry import check_question
    from fivetowers_sim.questions import find_question

    found = find_question(question) if isinstance(question, str) else check_question(question, repr(question))
    known = [param.name for param in found.params]
    for name in given:
        if name not in known:
            raise ValueError(
                f"{name} is {given[name]!r}; {found.name} has no such parameter; it has {', '.join(known)}"
            )
    manner = {"workers": workers, "backend": backend, "scheduler": scheduler, "resume": resume, "quiet": quiet}
    return find_out(found, {**given, **manner, "out": out})


def open_result(folder: Where) -> Result:
    """Open the folder of an experiment that was played before, by a command or from here.

    Parameters
    ----------
    folder : str or Path
        The folder.

    Returns
    -------
    Result
        What was found.

    Raises
    ------
    RunError
        If it isn't a complete experiment's folder, or a file isn't as it was written.
    """
    with call("report", {"folders": [folder]}) as given:
        return Result(given["folders"][0])
