"""Play a run's games again, with more recorded."""

from __future__ import annotations

from fivetowers_sim.api.calls import call
from fivetowers_sim.api.folders import TemporaryFolder, place_for
from fivetowers_sim.cli.play_run import play_run, read_plan
from fivetowers_sim.cli.replay import load_setup
from fivetowers_sim.cli.staff import read_staff
from fivetowers_sim.dataset.address import Place
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.dataset.scan import scan_table
from fivetowers_sim.dataset.store import open_run


def play_again(run: Place, detail: str) -> tuple[Place, TemporaryFolder | None]:
    """Play a run's games again in a temporary folder.

    Parameters
    ----------
    run : Place
        The run's folder, or its address.
    detail : str
        What to record.

    Returns
    -------
    tuple of Place, TemporaryFolder or None
        The same games, and the folder that they are in, which goes when it does.

    Raises
    ------
    RunError
        If the run is unfinished, or this version plays other games.
    """
    import polars as pl

    with call("simulate", {"out": None, "games": 1}) as given:
        recorded = open_run(run)
        # Says so if the run is unfinished.
        before = scan_table(recorded, "games")
        setup, wanted = load_setup(recorded, 0), read_staff(None)
        plan = read_plan(setup, recorded.manifest.games, detail, 0)
        with place_for(None, "run") as (place, keeper):
            with wanted.gather(given["quiet"]) as staff:
                play_run(plan, str(place), staff, False, given["quiet"])
            hashes = pl.struct(pl.all()).hash().sum()
            again = scan_table(open_run(place), "games")
            if before.select(hashes).collect().item() != again.select(hashes).collect().item():
                raise RunError(f"{run} was recorded by another version of this program, which plays other games")
            return place, keeper
