"""Read a setup back from the plain values that :meth:`GameSetup.to_dict` wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fivetowers_sim.engine.setup import GameSetup, SetupError, make_setup
from fivetowers_sim.rules.ruleset_files import rules_from_mapping


def setup_from_dict(values: Mapping[str, Any]) -> GameSetup:
    """Make the setup that these values describe.

    Parameters
    ----------
    values : mapping
        As :meth:`fivetowers_sim.engine.setup.GameSetup.to_dict` wrote them, for example the setup in a
        run's manifest.

    Returns
    -------
    GameSetup
        Equal to the one that was written.

    Raises
    ------
    SetupError
        If a field is missing or of another kind, or this version doesn't have what it names.
    """
    try:
        setup = make_setup(
            rules_from_mapping(values["rules"], "rules"),
            values["players"],
            values["strategies"],
            values["seed"],
            powers_by_seat=values["powers_by_seat"],
            seating=values["seating"],
        )
        _check_files(dict(setup.strategy_files), values.get("strategy_files", {}))
        return setup
    except KeyError as error:
        raise SetupError(f"the setup has no {error.args[0]}; it can't be played") from None
    except (TypeError, AttributeError) as error:
        raise SetupError(f"the setup can't be read: {error}") from None
    except SetupError:
        raise
    except ValueError as error:
        raise SetupError(str(error)) from None


def _check_files(now: Mapping[str, str], then: Mapping[str, Mapping[str, str]]) -> None:
    """Refuse strategy files that are not those with which the games were begun."""
    for path, sha256 in now.items():
        begun = then.get(path, {}).get("sha256")
        if sha256 != begun:
            raise SetupError(
                f"strategy file {path} has changed since these games were begun, so they can't be played again: "
                f"its SHA-256 is {sha256} now and was {begun}"
            )
