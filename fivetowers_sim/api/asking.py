"""How a question is asked, and how what was found is opened later."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from fivetowers_sim.api.arguments import Where
from fivetowers_sim.api.calls import call, write_aside
from fivetowers_sim.api.folders import place_for, refuse_resuming_nothing
from fivetowers_sim.api.result import Result
from fivetowers_sim.cli.command import load_function

# They say where a folder is, which nobody wants to know of a temporary one.
_LAST_WORDS: Final = re.compile(r"^[A-Z][a-z, ]+ are in\s+[^;]+\Z", re.MULTILINE)


def ask(command: str, given: Mapping[str, Any]) -> Result:
    """Carry a question's command out, and read the folder that it writes.

    Parameters
    ----------
    command : str
        The command.
    given : mapping of str to object
        Argument to value.

    Returns
    -------
    Result
        What was found.
    """
    with call(command, given) as arguments, place_for(arguments.pop("out"), command) as (place, keeper):
        refuse_resuming_nothing(arguments["resume"], keeper)
        text = write_aside(lambda: load_function(command)(**arguments, out=place))
        return Result(place, text if keeper is None else _LAST_WORDS.sub("", text), keeper)


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
