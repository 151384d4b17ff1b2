"""Write ``questions.pyi``, by which type checkers and editors know the functions that are made of questions.

``python -m fivetowers_sim.api.typed_questions`` writes it anew.
"""

from __future__ import annotations

import inspect
import json
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import fivetowers_sim
from fivetowers_sim.api import questions

STUB: Final = Path(__file__).with_name("questions.pyi")
_HEAD: Final = """# Written by python -m fivetowers_sim.api.typed_questions.
from fivetowers_sim.api.arguments import Amount, Amounts, Dials, Lists, Names, Number, SeatPowers, Values, Where
from fivetowers_sim.api.result import Result
"""


def write_stub() -> str:
    """Return what belongs into the file."""
    return "\n".join([_HEAD, *(_write(getattr(questions, name)) for name in fivetowers_sim._HOMES["api.questions"])])


def _write(function: Callable[..., Any]) -> str:
    lines, apart = [], False
    for one in inspect.signature(function).parameters.values():
        if one.kind is one.KEYWORD_ONLY and not apart:
            lines, apart = [*lines, "*"], True
        value = json.dumps(one.default) if isinstance(one.default, str) else repr(one.default)
        default = "" if one.default is one.empty else f" = {value}"
        lines.append(f"{one.name}: {one.annotation}{default}")
    head = "".join(f"    {line},\n" for line in lines)
    doc = textwrap.indent(f'"""{inspect.getdoc(function)}\n"""', "    ")
    return f"def {function.__name__}(\n{head}) -> Result:\n{doc}\n"


if __name__ == "__main__":
    STUB.write_text(write_stub(), "utf-8")
