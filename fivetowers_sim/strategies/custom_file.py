"""A user's own strategy as it is written, ``mine.py:Careful:least=2``: loading, checking and naming it.

The file and the modules beside it that it imports are vouched for by their SHA-256, which are part of what a plan is.
"""

from __future__ import annotations

import hashlib
import inspect
import linecache
import math
import threading
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from fivetowers_sim.strategies import custom_imports
from fivetowers_sim.strategies.custom import OwnStrategy
from fivetowers_sim.strategies.custom_imports import find_sources, run_sources
from fivetowers_sim.strategies.parameters import COMMON_PARAMETERS, Strategy, StrategyError, make_strategy
from fivetowers_sim.user_files import UserFileError, keep_working_folder, locate

_MARK: Final = ".py"
_FRAMES_NAMED: Final = 3
_TRUTH: Final = {"0": False, "false": False, "1": True, "true": True}

_loading = threading.RLock()


class CustomStrategyError(RuntimeError):
    """A user's own strategy failed in a game; the message is one line that says where, and why."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter of a user's class that can be given on the command line.

    Attributes
    ----------
    name : str
        How it is written.
    type : type
        ``bool``, ``int``, ``float`` or ``str``.
    default : object
        Value if not given; ``inspect.Parameter.empty`` if it has to be given.
    """

    name: str
    type: type
    default: Any

    @property
    def accepts(self) -> str:
        """What may be given, in words."""
        return {bool: "0 or 1", int: "a whole number", float: "a number", str: "a text"}[self.type]

    def read(self, text: str) -> Any:
        """Read a value; StrategyError if it isn't accepted."""
        try:
            value = _TRUTH[text.lower()] if self.type is bool else self.type(text)
        except (ValueError, KeyError):
            value = math.nan
        if isinstance(value, float) and not math.isfinite(value):
            raise StrategyError(f"{self.name} is {text!r}; accepted is {self.accepts}")
        return value

    def write(self, value: Any) -> str:
        """Write a value as :meth:`read` reads it."""
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return str(int(value) if isinstance(value, bool) else value)


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomStrategy(Strategy):
    """A user's own class with values for its parameters; ``values`` has the parameters that all strategies have.

    Attributes
    ----------
    arguments : tuple of (Argument, object)
        The class's own parameters, and their values where they are given or have a default.
    about : str
        The first paragraph of the class's docstring.
    make : callable
        Returns a new player.
    """

    arguments: tuple[tuple[Argument, Any], ...]
    about: str
    make: Callable[[], OwnStrategy] = field(compare=False, repr=False)


def is_custom(text: str) -> bool:
    """Say whether a written strategy is a class in a file of the user's."""
    return f"{_MARK}:" in text or text.strip().endswith(_MARK)


def read_custom_strategy(text: str) -> CustomStrategy:
    """Read a strategy written ``FILE.py:Class`` or ``FILE.py:Class:parameter=value``. This runs the file.

    Parameters
    ----------
    text : str
        As given by the user.

    Returns
    -------
    CustomStrategy
        With all parameters.

    Raises
    ------
    StrategyError
        If the file can't be read or run, or has no such class, or a value isn't accepted.
    """
    path, _, rest = text.strip().partition(f"{_MARK}:")
    class_name, *assignments = (part.strip() for part in rest.split(":"))
    if not class_name.isidentifier():
        raise StrategyError(f"strategy {text!r} names no class; accepted is FILE.py:Class")
    path = Path(f"{path}{_MARK}").as_posix()
    module, files = load_file(path)
    made_from = getattr(module, class_name, None)
    if not inspect.isclass(made_from):
        own = [name for name, thing in vars(module).items() if _is_own_class(thing, module)]
        raise StrategyError(f"{path} has no class {class_name!r}; it has {', '.join(own) or 'none'}")
    known = {argument.name: argument for argument in list_arguments(made_from, path)}
    given = _read_assignments(text, assignments)
    name = f"{path}:{class_name}"
    common = [parameter.name for parameter in COMMON_PARAMETERS]
    for parameter in given:
        if parameter not in (*known, *common):
            has = ", ".join([*known, *common])
            raise StrategyError(f"strategy {name} has no parameter {parameter!r}; it has {has}")
    values = _read_arguments(name, known, given)
    strategy = make_strategy(name, COMMON_PARAMETERS, {key: text for key, text in given.items() if key in common})
    own_text = [f"{key}={known[key].write(value)}" for key, value in values.items() if value != known[key].default]
    return _check_player(
        CustomStrategy(
            family=name,
            values=strategy.values,
            name=":".join([name, *own_text]) + strategy.name.removeprefix(name),
            path=path,
            sha256=files.pop(path),
            beside=tuple(files.items()),
            arguments=tuple((argument, values.get(argument.name, argument.default)) for argument in known.values()),
            about=(inspect.getdoc(made_from) or "").partition("\n\n")[0].replace("\n", " "),
            make=lambda: made_from(**values),
        )
    )


def load_file(path: str) -> tuple[ModuleType, dict[str, str]]:
    """Run a strategy file, once for each content of it and of what it imports from beside it.

    Parameters
    ----------
    path : str
        The file.

    Returns
    -------
    module : ModuleType
        What it defines.
    files : dict of str to str
        SHA-256 of the very bytes that are run, by path: the file itself, and modules beside it.

    Raises
    ------
    StrategyError
        If a file can't be read, or running it fails.
    """
    try:
        place = locate(path)
        sources = find_sources(place)
    except UserFileError as error:
        raise StrategyError(f"strategy file {path} can't be read: {error}") from None
    linecache.checkcache()
    try:
        with _loading, keep_working_folder():
            module = run_sources(sources)
    except (Exception, SystemExit) as error:
        raise StrategyError(f"strategy file {path} can't be run: {describe_error(error, path)}") from None
    files = {
        _as_written(source.path, path): hashlib.sha256(source.content).hexdigest()
        for source in sources.values()
        if source.content is not None
    }
    return module, files


def _as_written(file: Path, path: str) -> str:
    """Name a file beside a strategy file, whose path is as the user wrote it."""
    return (Path(path).parent / file.relative_to(locate(path).parent)).as_posix()


def find_files(strategies: Iterable[Strategy]) -> dict[str, str]:
    """Return the SHA-256 of every file that these strategies come from, by its path as written."""
    return {
        path: sha256
        for strategy in strategies
        if strategy.path
        for path, sha256 in ((strategy.path, strategy.sha256), *strategy.beside)
    }


def check_files(strategies: Iterable[Strategy], files: Mapping[str, str]) -> None:
    """Refuse strategies whose files aren't what they were.

    Parameters
    ----------
    strategies : iterable of Strategy
        As they are read now.
    files : mapping of str to str
        The SHA-256 that each file had, by its path as written.

    Raises
    ------
    StrategyError
        Naming the file.
    """
    for path, sha256 in find_files(strategies).items():
        if sha256 != files.get(path):
            raise StrategyError(
                f"strategy file {path} has changed: its SHA-256 is {sha256} now and was {files.get(path)}"
            )


def list_arguments(made_from: type, path: str) -> list[Argument]:
    """List the parameters of a class's constructor that can be given as text.

    Raises
    ------
    StrategyError
        If it has the name of a parameter that all strategies have, or must be given and can't be.
    """
    try:
        parameters = inspect.signature(made_from, eval_str=True).parameters.values()
    except (NameError, TypeError, ValueError):
        parameters = inspect.signature(made_from).parameters.values()
    found = []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        where = f"{path}: {made_from.__name__}'s parameter {parameter.name!r}"
        if parameter.name in {common.name for common in COMMON_PARAMETERS}:
            raise StrategyError(f"{where} is one that every strategy has; give it another name")
        kinds = [kind for kind in (parameter.annotation, type(parameter.default)) if kind in (bool, int, float, str)]
        if kinds and parameter.kind != parameter.POSITIONAL_ONLY:
            found.append(Argument(parameter.name, kinds[0], parameter.default))
        elif parameter.default is parameter.empty:
            raise StrategyError(f"{where} has no default and can't be given; accepted are bool, int, float and str")
    return found


def _is_own_class(thing: Any, module: ModuleType) -> bool:
    return inspect.isclass(thing) and thing.__module__ == module.__name__


def _read_assignments(text: str, assignments: list[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for assignment in assignments:
        parameter, equals, value = (part.strip() for part in assignment.partition("="))
        if not equals:
            raise StrategyError(f"strategy {text!r}: {assignment!r} is not parameter=value")
        if parameter in given:
            raise StrategyError(f"strategy {text!r}: {parameter} is given twice")
        given[parameter] = value
    return given


def _read_arguments(name: str, known: Mapping[str, Argument], given: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of a class's own parameters, those without a default among them."""
    values = {}
    for argument in known.values():
        if argument.name in given:
            try:
                values[argument.name] = argument.read(given[argument.name])
            except StrategyError as error:
                raise StrategyError(f"strategy {name}: {error}") from None
        elif argument.default is inspect.Parameter.empty:
            raise StrategyError(f"strategy {name} needs {argument.name}; write {name}:{argument.name}=…")
    return values


def _check_player(strategy: CustomStrategy) -> CustomStrategy:
    """Make a player to see whether that works, and whether it can be asked for a word."""
    try:
        with keep_working_folder():
            player = strategy.make()
    except (Exception, SystemExit) as error:
        raise StrategyError(f"strategy {strategy.name} can't be made: {describe_error(error, strategy.path)}") from None
    speak = getattr(player, "speak", None)
    try:
        inspect.signature(speak).bind(None)
    except (TypeError, ValueError):
        raise StrategyError(f"{strategy.family} has no method speak(self, view)") from None
    return strategy


def describe_error(error: BaseException, path: str) -> str:
    """Describe an error in a user's code in one line: what it says, and the last lines that led to it.

    Parameters
    ----------
    error : BaseException
        The error.
    path : str
        The user's file; the lines are those from its first one on.

    Returns
    -------
    str
        For example ``ZeroDivisionError: division by zero (mine.py:12 in speak: 1 / 0)``.
    """
    try:
        said = " ".join(str(error).split())
    except Exception:
        said = "(it can't be written)"
    place = locate(path)
    frames = traceback.extract_tb(error.__traceback__)
    first = next((nth for nth, frame in enumerate(frames) if frame.filename == str(place)), len(frames))
    # How Python and this program import says nothing about the user's code.
    told = [
        frame for frame in frames[first:] if frame.filename != custom_imports.__file__ and frame.filename[:1] != "<"
    ]
    lines = [f"{_name_frame(frame.filename, path)}:{frame.lineno} in {frame.name}: {frame.line}" for frame in told]
    kind = type(error).__name__
    where = " > ".join(lines[-_FRAMES_NAMED:])
    return (f"{kind}: {said}" if said else kind) + (f" ({where})" if where else "")


def _name_frame(filename: str, path: str) -> str:
    file = Path(filename)
    return _as_written(file, path) if file.is_relative_to(locate(path).parent) else filename
