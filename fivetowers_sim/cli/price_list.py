"""What positions are worth to ``value``, as a price list for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.cli.console import make_table

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fivetowers_sim.strategies.value_tables import ValueTables

SHOWN_STAGES: Final = {"early": 12, "middle": 5, "late": 2}
"""What parts of a game are called, and how many rounds are to come in them at least."""

_HEIGHTS: Final = (1, 4)
_PILE: Final = 5


def show_prices(tables: ValueTables, players: int, powers: bool) -> RenderableType:
    """Show what towers, the main tower and torn-down cards are worth.

    Parameters
    ----------
    tables : ValueTables
        The tables.
    players : int
        Number of players that they are for.
    powers : bool
        Whether they are for games with all Great Powers; then types differ, and the candy tower is shown.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    from fivetowers_sim.rules.cards import CANDY

    game = f"{players} players, {'all Great Powers, candy towers' if powers else 'no Great Powers'}"
    middle = _stage(tables, SHOWN_STAGES["middle"])
    first, fourth = (tables.tower(middle, CANDY, 11, height) for height in _HEIGHTS)
    lines = [
        f"What a tower is expected to bring by the end, in VP more than no tower ({game}).",
        f"An 11 on top at mid-game is worth {first:.1f} VP as the only card and {fourth:.1f} VP as the top of four.",
    ]
    return Group(
        "\n".join(lines),
        "",
        _tower_table(tables),
        "",
        "Torn-down cards and the highest tower, in VP:",
        "",
        _rest_table(tables),
        "",
        *_describe_origin(tables.provenance),
    )


def _stage(tables: ValueTables, rounds: int) -> int:
    return int(tables.stage_of[rounds]) - 1


def _tower_table(tables: ValueTables) -> Table:
    from fivetowers_sim.rules.cards import CANDY

    table = make_table()
    table.add_column("top card", justify="right")
    for name, rounds in SHOWN_STAGES.items():
        for height in _HEIGHTS:
            cards = "1 card" if height == 1 else f"{height} cards"
            table.add_column(f"{name}\n{rounds}+ rounds left\n{cards}", justify="right")
    for top in range(tables.values):
        row = [
            f"{tables.tower(_stage(tables, rounds), CANDY, top, height):.1f}"
            for rounds in SHOWN_STAGES.values()
            for height in _HEIGHTS
        ]
        table.add_row(str(top), *row)
    return table


def _rest_table(tables: ValueTables) -> Table:
    table = make_table()
    table.add_column("")
    for size in range(1, _PILE + 1):
        table.add_column(f"{size} torn", justify="right")
    for height in (3, 6, 9):
        table.add_column(f"main tower of {height}", justify="right")
    for name, rounds in SHOWN_STAGES.items():
        stage = _stage(tables, rounds)
        row = [f"{tables.teardown[stage, size]:.1f}" for size in range(1, _PILE + 1)]
        table.add_row(name, *row, *(f"{tables.main[stage, height]:.1f}" for height in (3, 6, 9)))
    return table


def _describe_origin(provenance: dict[str, Any]) -> list[str]:
    share, winning = provenance["win_share_against_greedy"], provenance["winners_vp_among_themselves"]
    return [
        f"Learned by: {provenance['made_by']} (version {provenance['version']}).",
        f"Against greedy in all other seats these tables win {share['value']:.3f} ({share['low']:.3f} to "
        f"{share['high']:.3f}) of {share['games']:,} games; among themselves winners score "
        f"{winning['value']:.1f} VP ({winning['low']:.1f} to {winning['high']:.1f}).",
        "The prices are averages over games of these players, not causes: they say what towers led to.",
    ]
