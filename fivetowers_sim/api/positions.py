"""Ask about one position, a mapping or a file."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any, Final

from fivetowers_sim.api.answer import Answer
from fivetowers_sim.api.arguments import Names, Where, write_words
from fivetowers_sim.api.calls import call, is_watched, write_down
from fivetowers_sim.cli.ask_question import put_question
from fivetowers_sim.cli.errors import UsageError
from fivetowers_sim.cli.evaluate import play_position
from fivetowers_sim.cli.progress import notice_if_compiling
from fivetowers_sim.cli.staff import read_staff
from fivetowers_sim.dataset.scratch import scratch_folder
from fivetowers_sim.questions.evaluate import Evaluate

_FILE: Final = "position.json"


def legal(position: Mapping[str, Any] | Where) -> Answer:
    """List every bid that can be carried out in a position, with the cards to take for it.

    Parameters
    ----------
    position : mapping, str or Path
        A ``fivetowers-position/1`` object, or a file that holds one.

    Returns
    -------
    Answer
        The table ``takes`` has a row for each way.

    Raises
    ------
    ValueError
        For a position that isn't accepted.
    """
    from fivetowers_sim.engine.answer import answer_legal, tell_legal
    from fivetowers_sim.rules.position import PositionError, load_position

    with _as_file(position) as file, call("legal", {"position": file}) as given:
        try:
            table = load_position(given["position"])
        except PositionError as error:
            raise UsageError(str(error)) from None
        with notice_if_compiling() if is_watched() else nullcontext():
            answer = answer_legal(table)
        return Answer(tell_legal(answer, table), answer, {"takes": answer["takes"]})


def evaluate(
    position: Mapping[str, Any] | Where,
    *,
    strategies: Names = "value",
    leader: int | None = None,
    futures: int | str | None = None,
    precision: float | None = None,
    check: str | None = None,
    check_futures: int | str | None = None,
    seed: int = 1,
    workers: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    quiet: bool = False,
) -> Answer:
    """Find out what each bid and the pass are worth in a position, and what to take and build for each.

    Parameters
    ----------
    position : mapping, str or Path
        A ``fivetowers-position/1`` object, or a file that holds one.
    strategies : str or sequence of str
        Who plays on: one strategy for each seat, or one for all.
    leader : int, optional
        Who has made the high bid; the seat that spoke last if not given.
    futures : int, optional
        Futures in which every bid and the pass are tried.
    precision : float, optional
        Play until each word's win share is known to ± this; 0.01 if neither this nor ``futures`` is given.
    check : str, optional
        Another player, in all seats, who is asked whether the best word is best; ``none`` for none. Without ``futures``
        two are asked, ``greedy`` and ``rollout:rollouts=20:ahead=2``, if not given.
    check_futures : int, optional
        Futures for ``check``; 2000 for ``greedy``, else 200, if not given.
    seed : int
        Decides all chance.
    workers, backend, scheduler : int, str, str
        Who plays, as for ``simulate``.
    quiet : bool
        Whether to show no progress.

    Returns
    -------
    Answer
        The table ``words`` has a row for each bid and one for the pass, whose ``bid`` is 0.

    Raises
    ------
    ValueError
        For what isn't accepted.
    """
    options = {name: value for name, value in locals().items() if name != "position"}
    with _as_file(position) as file, call("evaluate", {"position": file, **options}) as given:
        wanted = read_staff(*(given.pop(name) for name in ("workers", "backend", "scheduler")))
        quiet, told = given.pop("quiet"), {**given, "position": _FILE if isinstance(position, Mapping) else file}
        asked = put_question(Evaluate, given, shlex.join(write_words("evaluate", told)))
        shown: list[Any] = []
        with wanted.gather(quiet) as staff:
            values = play_position(asked, staff, quiet, shown.append)
    return Answer(write_down(*shown), values, {"words": [_without_build(word) for word in values["words"]]})


def _without_build(word: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in word.items() if name != "build"}


@contextmanager
def _as_file(position: Any) -> Iterator[Any]:
    """Have a position in a file while it is asked about, and say what is wrong with it in its own words."""
    if not isinstance(position, Mapping):
        yield position
        return
    try:
        text = json.dumps(position, default=dict)
    except (TypeError, ValueError) as error:
        raise ValueError(f"position can't be written as JSON ({error}); accepted are plain values") from None
    with scratch_folder() as folder:
        file = folder / _FILE
        file.write_text(text, "utf-8")
        try:
            yield file
        except ValueError as error:
            raise ValueError(str(error).replace(f"{file}: ", "position: ").replace(str(file), "position")) from None
