"""The questions about 5 Towers: a folder each, in which everything about one is said once."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fivetowers_sim.bench.question import Question

QUESTIONS: Final[Mapping[str, str]] = {
    "bid-values": "fivetowers_sim.questions.bid_values:BidValues",
    "game-shape": "fivetowers_sim.questions.game_shape:GameShape",
    "powers": "fivetowers_sim.questions.powers:Powers",
    "tournament": "fivetowers_sim.questions.tournament:Tournament",
    "compare": "fivetowers_sim.questions.variants:Compare",
    "sweep": "fivetowers_sim.questions.variants:Sweep",
}
"""Module and class of each question by name; none is loaded before it is asked."""
_FILE: Final = ".py:"


def find_question(name: str) -> type[Question]:
    """Find a question.

    Parameters
    ----------
    name : str
        Its name, that of one in an installed package, or ``FILE.py:Class``. A file is run.

    Returns
    -------
    type
        The class.

    Raises
    ------
    fivetowers_sim.bench.params.RefusedError
        If there is none of that name, or it isn't a question.
    """
    if name in QUESTIONS:
        module, _, attribute = QUESTIONS[name].partition(":")
        return getattr(import_module(module), attribute)  # type: ignore[no-any-return]
    if _FILE in name:
        return _find_in_file(name)
    from fivetowers_sim.bench.registry import find_installed

    return find_installed(name, QUESTIONS)


def _find_in_file(name: str) -> type[Question]:
    import cloudpickle

    from fivetowers_sim.bench.params import RefusedError
    from fivetowers_sim.bench.registry import pick_question
    from fivetowers_sim.strategies.custom_file import load_file
    from fivetowers_sim.strategies.parameters import StrategyError

    path, _, attribute = name.rpartition(":")
    try:
        module, files = load_file(path)
    except StrategyError as error:
        raise RefusedError(str(error).replace("strategy file", "question file", 1)) from None
    question = pick_question(module, attribute, path)
    question.files, question.typed = files, shlex.join(["ask", name])
    # Workers in other processes don't have the file.
    cloudpickle.register_pickle_by_value(module)
    return question
