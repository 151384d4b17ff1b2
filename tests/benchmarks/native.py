"""The native yardstick: compile it where there is a C compiler, and let it play."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).with_name("native_greedy.c")
COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-O3", "-march=native")


def compile_native(folder: Path) -> tuple[Path | None, str]:
    """Compile the yardstick into a folder.

    Returns
    -------
    program : Path or None
        None if there is no compiler or it refused.
    word : str
        With what it was compiled, or why it wasn't.
    """
    compiler = next((found for name in COMPILERS if (found := shutil.which(name))), None)
    if compiler is None:
        return None, f"no C compiler ({', '.join(COMPILERS)}), so there is no native yardstick to compare with"
    program = folder / "native_greedy"
    command = [compiler, *FLAGS, "-o", str(program), str(SOURCE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["it said nothing"])[0]
        return None, f"{compiler} can't compile {SOURCE.name} ({reason}), so there is no native yardstick"
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False).stdout
    return program, f"{version.splitlines()[0] if version else compiler}, {' '.join(FLAGS)}"


def play_native(program: Path, players: int, games: int, seed: int = 1) -> dict[str, Any]:
    """Let the yardstick play; returns what it prints (see its source)."""
    command = [str(program), str(players), str(games), str(seed)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def native_gain(program: Path, games: int) -> float:
    """Return how much more two yardsticks get done side by side than one alone: what the machine's cores allow.

    Cores of a rented machine share memory, cache and clock with each other and with strangers, so that two of
    them seldom do twice the work of one.
    """
    alone, both = _side_by_side(program, games, 1), _side_by_side(program, games, 2)
    return 2 * alone / both


def _side_by_side(program: Path, games: int, copies: int) -> float:
    command = [str(program), "3", str(games), "1"]
    begun = time.perf_counter()
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(copies)]
    for process in running:
        process.wait()
    return time.perf_counter() - begun
