"""A function for each question, made of what its command can be told.

Type checkers and editors read ``questions.pyi`` beside this module, which :mod:`~fivetowers_sim.api.typed_questions`
writes.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from fivetowers_sim.api.arguments import Parameter, find_function, list_parameters
from fivetowers_sim.api.asking import find_out
from fivetowers_sim.api.result import Result

_NOT_GIVEN: Final = re.compile(r"\[default: (.*)\]")
_OPTION: Final = re.compile(r"--([a-z][a-z-]*)")
_MANNER: Final = {
    "out": "A new folder for figures, tables, pictures and what is played. Without it they are in a temporary one, "
    "which goes when the result does.",
    "resume": "Whether to go on with what was begun in ``out``.",
    "quiet": "Whether to show no progress.",
}
"""What is explained in other words than a command's, since Python differs there."""
_END: Final = """Returns
-------
Result
    What was found: ``verdicts``, ``frame()``, ``pictures``, ``save``.

Raises
------
ValueError
    For what isn't accepted.
RunError, BatchError
    If the folder can't be used, or games failed."""
_WIDTH: Final = 112


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return make_function(name.replace("_", "-"))


@cache
def make_function(command: str) -> Callable[..., Result]:
    """Make the function of a question.

    Parameters
    ----------
    command : str
        The question's command.

    Returns
    -------
    callable
        It returns what was found. Arguments that have no option's name come in order, all others by name.
    """
    # Those in order come first.
    told = sorted(list_parameters(command), key=lambda one: bool(one.typed))
    name = command.replace("-", "_")
    signature = inspect.Signature([_describe(one) for one in told], return_annotation=Result)

    def ask(*args: Any, **options: Any) -> Result:
        try:
            given = signature.bind(*args, **options)
        except TypeError as error:
            raise TypeError(f"{name}() {error}") from None
        given.apply_defaults()
        return find_out(command, given.arguments)

    ask.__name__ = ask.__qualname__ = name
    ask.__signature__ = signature  # type: ignore[attr-defined]
    ask.__annotations__ = {one.name: one.hint for one in told} | {"return": Result}
    ask.__doc__ = _explain(command, told)
    return ask


def _describe(one: Parameter) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY if one.typed else inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Parameter(one.name, kind, default=one.default, annotation=one.hint)


def _explain(command: str, told: Sequence[Parameter]) -> str:
    about = name_in_python(inspect.getdoc(find_function(command)) or "").split("\n\n")
    lines = ["\n\n".join(textwrap.fill(one, _WIDTH) for one in about), "", "Parameters", "----------"]
    for one in told:
        optional = "" if one.default is inspect.Parameter.empty else ", optional"
        said = _MANNER.get(one.name) or name_in_python(one.help)
        lines += [f"{one.name} : {one.said_type}{optional}", textwrap.indent(textwrap.fill(said, _WIDTH), "    ")]
    return "\n".join([*lines, "", _END])


def name_in_python(text: str) -> str:
    """Return what a command says of its options, with the names of arguments."""
    return _OPTION.sub(lambda found: f"``{found[1].replace('-', '_')}``", _NOT_GIVEN.sub(r"By default \1.", text))
