"""Small experiments to report on."""

from __future__ import annotations

from pathlib import Path

from fivetowers_sim.cli.main import run

COMMANDS = {
    "game-shape": "--players 2,3 --strategies greedy,greedy:max_bid=2 --games 270",
    "bid-values": "--players 2 --strategies greedy --games 60 --futures 2",
    "teardown-costs": "--players 2 --strategies greedy --games 100 --decisions 60 --futures 2 --no-refit",
    "powers": "--players 2 --strategies greedy --games 460",
    "tournament": "--players 2 --strategies greedy,greedy:max_bid=2 --games 200",
    "sweep": "--set display_size=4 --strategies greedy --games 200",
}


def play_experiments(folder: Path) -> list[Path]:
    """Play them into folders and return these."""
    for name, options in COMMANDS.items():
        assert run([name, *options.split(), "--out", str(folder / name), "--quiet"]) == 0
    return [folder / name for name in COMMANDS]
