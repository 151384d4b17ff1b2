"""Networks of ``expert`` as files: written by learning, shipped for each number of players, read into minds."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Final

import numpy as np

from fivetowers_sim.rules.json_fields import FieldError, parse_json, quote, read_object, read_whole, refuse
from fivetowers_sim.rules.ruleset import PLAYER_COUNTS
from fivetowers_sim.strategies.net import BY_PLACE, NET
from fivetowers_sim.strategies.parameters import StrategyError
from fivetowers_sim.strategies.value_files import read_table_object
from fivetowers_sim.strategies.value_tables import ValueTables
from fivetowers_sim.user_files import UserFileError, read_user_text

NET_FORMAT: Final = "fivetowers-expert/1"

_FIELDS: Final = ("format", "provenance", "players", "powers", "tables", "weights")


@dataclass(frozen=True)
class ExpertNet:
    """A network, and what it was learned for.

    Attributes
    ----------
    net : ndarray of NET, shape (1,)
        Its weights.
    players : int
        Seats at a table.
    powers : bool
        Whether it was learned with Great Powers at the table.
    tables : ValueTables or None
        By which positions are priced; None for those that come with the program.
    provenance : dict
        Where it comes from.
    """

    net: np.ndarray
    players: int
    powers: bool
    tables: ValueTables | None = None
    provenance: dict[str, Any] = field(default_factory=dict)


def write_net(expert: ExpertNet, tables: str | None = None) -> str:
    """Write a network as JSON.

    Parameters
    ----------
    expert : ExpertNet
        The network.
    tables : str, optional
        Its tables, as :func:`~fivetowers_sim.strategies.value_files.write_tables` writes them.

    Returns
    -------
    str
        The text; weights are little-endian float32 in base64, those of seats that nobody has left out.
    """
    weights = {}
    for name in NET.names or ():
        values = expert.net[0][name][: expert.players] if name in BY_PLACE else expert.net[0][name]
        weights[name] = base64.b64encode(np.asarray(values, "<f4").tobytes()).decode()
    values = {
        "format": NET_FORMAT,
        "provenance": expert.provenance,
        "players": expert.players,
        "powers": expert.powers,
        "tables": None if tables is None else json.loads(tables),
        "weights": weights,
    }
    return json.dumps(values, indent=1) + "\n"


def is_net(text: str) -> bool:
    """Say whether a JSON text calls itself a network."""
    return f'"format": "{NET_FORMAT.partition("/")[0]}/' in text[:200]


def read_net(text: str, name: str) -> ExpertNet:
    """Read a network from JSON.

    Parameters
    ----------
    text : str
        As :func:`write_net` wrote it.
    name : str
        Where it is from, for messages.

    Returns
    -------
    ExpertNet
        The network.

    Raises
    ------
    StrategyError
        If it isn't a network of this format, naming what is wrong.
    """
    try:
        return _read(parse_json(text))
    except FieldError as error:
        raise StrategyError(f"{name} is not a network of expert: {error}") from None


def _read(values: Any) -> ExpertNet:
    if isinstance(values, dict) and values.get("format", NET_FORMAT) != NET_FORMAT:
        refuse("format", values["format"], quote(NET_FORMAT))
    fields = read_object(values, "", _FIELDS, ())
    players = read_whole(fields["players"], "players", PLAYER_COUNTS[0], PLAYER_COUNTS[-1])
    for name, kind, accepted in (("powers", bool, "true or false"), ("provenance", dict, "an object")):
        if not isinstance(fields[name], kind):
            refuse(name, fields[name], accepted)
    names = NET.names or ()
    weights = read_object(fields["weights"], "weights", names, ())
    net = np.zeros(1, NET)
    for name in names:
        own = net[0][name][:players] if name in BY_PLACE else net[0][name]
        own[...] = _read_weights(weights[name], f"weights.{name}", own.shape)
    tables = None if fields["tables"] is None else read_table_object(fields["tables"])
    return ExpertNet(net, players, fields["powers"], tables, fields["provenance"])


def _read_weights(value: Any, path: str, shape: tuple[int, ...]) -> np.ndarray:
    accepted = f"{np.prod(shape)} numbers as little-endian float32 in base64"
    try:
        content = base64.b64decode(value, validate=True)
    except (binascii.Error, TypeError, ValueError):
        refuse(path, value, accepted)
    if len(content) != 4 * np.prod(shape):
        raise FieldError(f"{path} holds {len(content) // 4} numbers; accepted is {accepted}")
    numbers = np.frombuffer(content, "<f4").reshape(shape)
    if not np.isfinite(numbers).all():
        raise FieldError(f"{path} holds something that is no number; accepted is {accepted}")
    return numbers


@cache
def load_shipped_net(players: int, powers: bool) -> ExpertNet:
    """Return the network that comes with the program for this number of players, with Great Powers at the table or not.

    Raises
    ------
    StrategyError
        If there is none.
    """
    name = f"{players}-players{'-powers' if powers else ''}.json"
    file = resources.files("fivetowers_sim.strategies").joinpath("nets", name)
    return read_net(file.read_text(encoding="utf-8"), name)


def read_net_file(path: str) -> ExpertNet:
    """Return the network of a user's own file.

    Raises
    ------
    StrategyError
        If the file can't be read, or isn't a network.
    """
    try:
        return read_net(read_user_text(path), path)
    except UserFileError as error:
        raise StrategyError(f"{path} can't be read: {error}") from None
