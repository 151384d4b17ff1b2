"""Presets: strategies with a name, each a family, some parameters, an intent and where they came from, in TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

from fivetowers_sim.rules.json_fields import (
    FieldError,
    parse_toml,
    read_list,
    read_number,
    read_object,
    read_whole,
    refuse,
)
from fivetowers_sim.strategies.parameters import StrategyError
from fivetowers_sim.user_files import UserFileError, read_user_text

SHIPPED: Final = resources.files("fivetowers_sim.strategies") / "presets"
"""The folder of the presets that come with the program."""

BY_HAND: Final = "by hand"
TUNED: Final = "tuned"

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,23}")
NAME_ACCEPTS: Final = "up to 24 letters, digits, _, - and ., beginning with a letter"
_LONGEST_LINE: Final = 1000
_DEEPEST: Final = 6
_FURTHEST: Final = 1e18
_TUNED_FIELDS: Final = ("command", "seed", "field", "games", "result", "version")


@dataclass(frozen=True, slots=True)
class Preset:
    """A strategy with a name.

    Attributes
    ----------
    name : str
        How it is called in tables, and given if it comes with the program.
    family : str
        The family that plays.
    parameters : mapping of str to str
        Those that differ from the family's defaults, as they are written in a strategy.
    intent : str
        What kind of player it is meant to be: a sentence or two.
    provenance : mapping of str to object
        ``made``, which is :data:`BY_HAND` or :data:`TUNED`, and what there is to know about that; for a tuned one
        at least the command, the seed, the field, the games played, the result and the program's version.
    source : str
        Where it was read, for messages.
    """

    name: str
    family: str
    parameters: Mapping[str, str]
    intent: str
    provenance: Mapping[str, Any]
    source: str


def is_preset_name(text: str) -> bool:
    """Say whether a preset may be called so; :data:`NAME_ACCEPTS` says how in words."""
    return _NAME.fullmatch(text) is not None


def find_preset(name: str) -> Preset | None:
    """Find a preset by its name or its file.

    Parameters
    ----------
    name : str
        A name that :func:`list_presets` lists, or the path of a ``.toml`` file.

    Returns
    -------
    Preset or None
        None if no preset that comes with the program is called so and it isn't the path of such a file.

    Raises
    ------
    StrategyError
        If the file can't be read or something in it is not accepted. Family and parameters are not checked here.
    """
    if name.endswith(".toml"):
        try:
            text = read_user_text(name)
        except UserFileError as error:
            raise StrategyError(f"preset file {name} can't be read: {error}") from None
        return parse_preset(text, f"preset file {name}", Path(name).stem)
    file = SHIPPED / f"{name}.toml"
    if not is_preset_name(name) or not file.is_file():
        return None
    return parse_preset(file.read_text("utf-8"), f"preset {name}", name)


def list_presets() -> dict[str, Preset]:
    """Return the presets that come with the program, by name, in alphabetical order."""
    if not SHIPPED.is_dir():
        return {}
    names = sorted(file.name.removesuffix(".toml") for file in SHIPPED.iterdir() if file.name.endswith(".toml"))
    return {name: preset for name in names if (preset := find_preset(name)) is not None}


def parse_preset(text: str, source: str, default_name: str) -> Preset:
    """Read a preset from TOML.

    Parameters
    ----------
    text : str
        The TOML.
    source : str
        Where it comes from, for messages.
    default_name : str
        The name if the text gives none.

    Returns
    -------
    Preset
        The preset. Whether its family and parameters exist is for :mod:`fivetowers_sim.strategies.families` to say.

    Raises
    ------
    StrategyError
        If it isn't TOML, or a field is missing, unknown or of another kind.
    """
    try:
        try:
            given = parse_toml(text)
        except FieldError as error:
            raise StrategyError(f"{source} is {error}") from None
        fields = read_object(given, "", ("family", "intent"), ("name", "parameters", "provenance"))
        name = fields.get("name", default_name)
        if not isinstance(name, str) or not is_preset_name(name):
            refuse("name", name, NAME_ACCEPTS)
        return Preset(
            name,
            _read_line(fields["family"], "family", "the name of a family"),
            _read_parameters(fields.get("parameters", {})),
            _read_line(fields["intent"], "intent", "a sentence that says what kind of player it is"),
            _read_provenance(fields.get("provenance", {"made": BY_HAND})),
            source,
        )
    except FieldError as error:
        raise StrategyError(f"{source}: {error}") from None


def _read_text(value: Any, path: str, accepted: str) -> str:
    if not isinstance(value, str) or not value.strip():
        refuse(path, value, accepted)
    return value.strip()


def _read_line(value: Any, path: str, accepted: str) -> str:
    """Read a text that is shown in a line; breaks in it count as spaces."""
    text = " ".join(_read_text(value, path, accepted).split())
    if not text.isprintable() or len(text) > _LONGEST_LINE:
        refuse(path, value, f"{accepted}, up to {_LONGEST_LINE} letters and none that can't be shown")
    return text


def _read_parameters(value: Any) -> dict[str, str]:
    """Take numbers, and names of powers, as texts that a family's parameters read."""
    if not isinstance(value, dict):
        refuse("parameters", value, "a table of parameters")
    texts = {}
    for name, number in value.items():
        if isinstance(number, bool) or not isinstance(number, int | float | str):
            refuse(f"parameters.{name}", number, "a number, or names joined by +")
        if isinstance(number, int):
            read_number(number, f"parameters.{name}", -_FURTHEST, _FURTHEST)
        texts[name] = number.strip() if isinstance(number, str) else repr(number)
    return texts


def _read_provenance(value: Any) -> dict[str, Any]:
    """Check what must be known of a tuned preset; anything else may be noted beside it."""
    if not isinstance(value, dict):
        refuse("provenance", value, "a table with made and what there is to know about that")
    needed = ("made", *_TUNED_FIELDS) if value.get("made") == TUNED else ("made",)
    read_object(value, "provenance", needed, [name for name in value if name not in needed])
    if value["made"] not in (BY_HAND, TUNED):
        refuse("provenance.made", value["made"], f'"{BY_HAND}" or "{TUNED}"')
    if value["made"] == TUNED:
        for name, accepted in (("command", "the command that made it"), ("version", "the program's version")):
            _read_text(value[name], f"provenance.{name}", accepted)
        read_whole(value["seed"], "provenance.seed", 0, (1 << 63) - 1)
        read_whole(value["games"], "provenance.games", 1, (1 << 63) - 1)
        for place, name in enumerate(read_list(value["field"], "provenance.field", "a list of strategies", 1)):
            _read_text(name, f"provenance.field[{place}]", "a strategy")
    _check_plain(value, "provenance")
    if "result" in value:
        _check_result(value["result"])
    return value


def _check_plain(value: Any, path: str, depth: int = 0) -> None:
    """Refuse what can't be shown, or be written as JSON."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in inside:
        place = f"{path}[{name}]" if isinstance(value, list) else f"{path}.{name}"
        if depth == _DEEPEST or not isinstance(item, bool | int | float | str | list | dict):
            refuse(place, item, "a number, a text, true or false, or a list or table of those")
        if isinstance(item, int | float) and not isinstance(item, bool):
            read_number(item, place, -_FURTHEST, _FURTHEST)
        _check_plain(item, place, depth + 1)


def _check_result(value: Any) -> None:
    """Check that each figure of a result has its interval, and that their games are counted."""
    accepted = "a table with games, and figures with value, low and high"
    if not isinstance(value, dict):
        refuse("provenance.result", value, accepted)
    for name, figure in value.items():
        path = f"provenance.result.{name}"
        if name == "games":
            read_whole(figure, path, 1, (1 << 63) - 1)
            continue
        read_object(figure, path, ("value", "low", "high"), ())
        for part, number in figure.items():
            read_number(number, f"{path}.{part}", -_FURTHEST, _FURTHEST)
        if not figure["low"] <= figure["value"] <= figure["high"]:
            refuse(path, figure, "a value between low and high")
    if "games" not in value or len(value) < 2:
        refuse("provenance.result", value, accepted)


def write_preset(preset: Preset) -> str:
    """Write a preset as TOML that :func:`parse_preset` reads back.

    Parameters
    ----------
    preset : Preset
        The preset; its parameters' texts are numbers or names joined by ``+``.

    Returns
    -------
    str
        The TOML text.
    """
    parameters = {name: _read_number(text) for name, text in preset.parameters.items()}
    plain = {name: value for name, value in preset.provenance.items() if not isinstance(value, Mapping)}
    tables = {
        "parameters": parameters,
        "provenance": plain,
        **{f"provenance.{name}": table for name, table in preset.provenance.items() if name not in plain},
    }
    lines = [f"{name} = {_write_value(getattr(preset, name))}" for name in ("name", "family", "intent")]
    for heading, table in tables.items():
        lines += ["", f"[{heading}]", *(f"{name} = {_write_value(value)}" for name, value in table.items())]
    return "\n".join(lines) + "\n"


def _read_number(text: str) -> float | str:
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def _write_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {_write_value(item)}" for name, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_write_value, value)) + "]"
    # TOML knows no surrogates, so characters are kept as they are, and JSON leaves DEL, which TOML forbids, alone.
    return json.dumps(value, ensure_ascii=False, allow_nan=False).replace("\x7f", "\\u007f")
