"""Rule sets from outside: those that come with the program, TOML files, and dials set one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from importlib import resources
from pathlib import Path
from typing import Any, Final

from fivetowers_sim.rules.json_fields import FieldError, parse_toml
from fivetowers_sim.rules.ruleset import RuleSet, RuleSetError, list_dials, shorten, write_value
from fivetowers_sim.user_files import UserFileError, read_user_text

LONGEST_NAME: Final = 60
"""Letters of a rule set's name in a file; dials that are set add to it."""


def rules_from_mapping(given: Mapping[str, Any], source: str, base: RuleSet | None = None) -> RuleSet:
    """Make a rule set from named dials; those not named keep the base set's values.

    Parameters
    ----------
    given : mapping of str to object
        Dial name to value, lists allowed.
    source : str
        Where they come from, for messages.
    base : RuleSet, optional
        What is changed; the printed base game if not given.

    Returns
    -------
    RuleSet
        The checked set.

    Raises
    ------
    RuleSetError
        For an unknown dial or a value that is not accepted.
    """
    known = {f.name for f in fields(RuleSet)}
    for name in given:
        if name not in known:
            raise _no_such_dial(source, name)
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    try:
        return replace(base or RuleSet(), **values)
    except RuleSetError as error:
        raise RuleSetError(f"{source}: {error}") from None


def _no_such_dial(source: str, name: str) -> RuleSetError:
    dials = sorted(dial.name for dial in list_dials())
    return RuleSetError(f"{source}: there is no dial {shorten(repr(name))}; the dials are {', '.join(dials)}")


def named_rules() -> dict[str, str]:
    """Map each rule set that comes with the program to the first comment line of its file."""
    folder = resources.files("fivetowers_sim.rules") / "sets"
    found = {}
    for file in sorted(folder.iterdir(), key=lambda item: item.name):
        if file.name.endswith(".toml"):
            found[file.name.removesuffix(".toml")] = file.read_text("utf-8").splitlines()[0].lstrip("# ")
    return found


def load_rules(name: str) -> RuleSet:
    """Load a rule set by name or from a TOML file.

    Parameters
    ----------
    name : str
        A name that :func:`named_rules` lists, or the path of a ``.toml`` file. A file may leave dials
        out; they keep the printed base game's values.

    Returns
    -------
    RuleSet
        The checked set.

    Raises
    ------
    RuleSetError
        If there is no such set or file, it isn't TOML, or a dial is not accepted.
    """
    if not name.isprintable():
        accepted = "a name that can be shown in a line"
        raise RuleSetError(f"rule set {shorten(repr(name))}: accepted is {accepted}")
    if name in named_rules():
        text = (resources.files("fivetowers_sim.rules") / "sets" / f"{name}.toml").read_text("utf-8")
        source, default_name = f"rule set {name}", name
    elif name.endswith(".toml"):
        try:
            text = read_user_text(name)
        except UserFileError as error:
            raise RuleSetError(f"rules file {name} can't be read: {error}") from None
        source, default_name = f"rules file {name}", Path(name).stem
    else:
        accepted = f"{', '.join(named_rules())} or the path of a .toml file"
        raise RuleSetError(f"there is no rule set {shorten(repr(name))}; accepted are {accepted}")
    try:
        given = parse_toml(text)
    except FieldError as error:
        raise RuleSetError(f"{source} is {error}") from None
    read = rules_from_mapping({"name": default_name, **given}, source)
    if len(read.name) > LONGEST_NAME:
        accepted = f"up to {LONGEST_NAME} letters"
        raise RuleSetError(
            f"{source}: name is {shorten(repr(read.name))} ({len(read.name)} letters); accepted is {accepted}"
        )
    return read


def set_dials(rules: RuleSet, assignments: Iterable[str]) -> RuleSet:
    """Change dials by texts such as ``display_size=6`` or ``teardown_costs=1,1``.

    Parameters
    ----------
    rules : RuleSet
        What is changed.
    assignments : iterable of str
        ``dial=value``; list items are separated by commas, an empty value is an empty list.

    Returns
    -------
    RuleSet
        The changed set, its name extended by the assignments.

    Raises
    ------
    RuleSetError
        For an unknown dial, or a value that is not accepted.
    """
    given: dict[str, Any] = {}
    defaults = {dial.name: dial.default for dial in list_dials()}
    for assignment in assignments:
        name, equals, text = (part.strip() for part in assignment.partition("="))
        option = f"--set {shorten(assignment)}"
        if not equals:
            raise RuleSetError(f"{option}: accepted is dial=value, for example display_size=6")
        if name not in defaults:
            raise _no_such_dial(option, name)
        if name in given:
            raise RuleSetError(f"{option}: {name} is set twice; accepted is each dial once")
        given[name] = _parse_dial(text, defaults[name])
    changed = rules_from_mapping(given, "--set", rules)
    label = " ".join(f"{name}={str(write_value(getattr(changed, name))).replace(' ', '')}" for name in given)
    return replace(changed, name=f"{rules.name} {label}") if given else changed


def _parse_dial(text: str, default: Any) -> Any:
    """Read a dial's value from text; what can't be read stays text, for the check to refuse."""
    if isinstance(default, bool):
        return {"true": True, "false": False}.get(text.lower(), text)
    if isinstance(default, tuple):
        inside = text[1:-1].strip() if text.startswith("[") and text.endswith("]") else text
        return tuple(_parse_integer(item.strip()) for item in inside.split(",")) if inside else ()
    return _parse_integer(text)


def _parse_integer(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        return text
