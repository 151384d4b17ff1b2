"""Ask every question and search in small, and leave what they found in the working folder.

``python -m tests.processors.ask_everything`` writes into the folder that it is run in. What it writes holds figures of
each kind of arithmetic: contrasts, shares, looks, the split of variance, ratings, mixes, learned tables, a search.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Final

from fivetowers_sim.cli.main import run

_POSITION: Final = {
    "format": "fivetowers-position/1",
    "players": 3,
    "rules": "base",
    "powers_by_seat": [[], [], []],
    "display": ["candy-3", "candy-12", "scrap-7", "sand-0", "sand-9"],
    "discard": ["tree-1", "tree-2"],
    "seats": [
        {"towers": {"candy": [14, 10], "sand": [11, 6]}, "teardown": ["scrap-4"]},
        {"towers": {"tree": [12]}},
        {},
    ],
    "start": 2,
    "turn": {"seat": 0, "high_bid": 2},
}
_FEW: Final = "--check none --quiet"
_COMMANDS: Final = (
    "simulate --games 200 --strategies value,greedy,random --seed 3 --out run",
    "compare base short-game --players 2 --games 240 --refit --refit-games 500 --quiet --out compare",
    "sweep --set display_size=4,6 --strategies greedy --games 300 --quiet --out sweep",
    f"powers --strategies greedy --games 400 {_FEW} --out powers",
    "teardown-costs --players 2 --strategies value --costs 0;2,2 --games 300 --refit-games 500 --decisions 60 "
    f"--futures 4 {_FEW} --out teardown-costs",
    f"game-shape --strategies value,greedy --games 300 {_FEW} --out game-shape",
    f"bid-values --strategies value,greedy --games 60 {_FEW} --out bid-values",
    "tournament --strategies value,greedy,greedy:max_bid=3,random --games 600 --quiet --out tournament",
    "tournament --strategies value,greedy,greedy:max_bid=3 --players 2 --precision 0.05 --quiet --out duel",
    "fit --players 2 --powers scrap,pairs --games 500 --trial-games 500 --quiet --out tables.json",
    "tune greedy:max_bid=2:misjudge=0.3 --against greedy --parameters max_bid,misjudge --generations 6 --games 60 "
    "--restarts 2 --fresh-games 120 --quiet --out tuned.toml",
)
_PRINTED: Final = {
    "summary.json": "summary run --json",
    "digest.txt": "digest run",
    "evaluation.json": f"evaluate position.json --futures 60 {_FEW} --json",
}


def main() -> None:
    """Ask everything; exits with 1 if a command fails."""
    Path("position.json").write_text(json.dumps(_POSITION), encoding="utf-8")
    for typed in _COMMANDS:
        call(typed)
    for file, typed in _PRINTED.items():
        Path(file).write_text(call(typed), encoding="utf-8")


def call(typed: str) -> str:
    """Run a command and return what it printed."""
    with contextlib.redirect_stdout(io.StringIO()) as output:
        code = run([*typed.split(), *(["--workers", "2"] if not typed.startswith(("summary", "digest")) else [])])
    if code:
        sys.exit(f"{typed}: exit code {code}")
    return output.getvalue()


if __name__ == "__main__":
    main()
