"""Measure how fast and how frugal the program is: ``make bench``, or ``python -m tests.benchmarks.run --help``."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console

from tests.benchmarks.figures import TOLERANCE, Figure, is_worse
from tests.benchmarks.machine import QUIET_LOAD, describe_machine
from tests.benchmarks.measures import FULL, GROUPS, QUICK, ROOT, USUAL, Effort
from tests.benchmarks.native import compile_native
from tests.benchmarks.pages import machine_line, print_table, write_page

RESULTS = ROOT / "build" / "benchmarks.json"
KEPT = ROOT / "docs" / "benchmarks.json"
PAGE = ROOT / "docs" / "benchmarks.md"
FORMAT = "fivetowers-benchmarks/1"
PLAIN_WIDTH = 130


def main() -> int:
    """Measure, show, write down; returns 1 if a comparison found something worse."""
    parser = make_parser()
    options = parser.parse_args()
    if options.keep and (options.quick or options.only):
        parser.error("--keep: kept results come from a whole run, without --quick or --only")
    kept = read_results(KEPT) if options.compare else None
    if options.compare and kept is None:
        parser.error(f"--compare: there are no kept results in {KEPT.relative_to(ROOT)}; --keep makes them")
    results = read_results(RESULTS) if options.again else measure(options)
    if results is None:
        parser.error(f"--again: there are no results in {RESULTS.relative_to(ROOT)} yet")
    if options.keep and (results["effort"] == "quick" or set(results["groups"]) != set(GROUPS)):
        parser.error("--keep: kept results come from a whole run, and the last run was quick or only of some groups")
    return tell(results, kept, options.keep)


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.run", description=__doc__)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--quick", action="store_true", help="a minute or two, rougher, without the first start")
    length.add_argument("--full", action="store_true", help="longer, with memory measured over 10 million games")
    length.add_argument("--again", action="store_true", help="measure nothing; use the last results")
    parser.add_argument("--only", nargs="+", choices=list(GROUPS), metavar="GROUP", help=f"of {', '.join(GROUPS)}")
    parser.add_argument("--keep", action="store_true", help="keep the results in docs/ and write their page")
    parser.add_argument("--compare", action="store_true", help="compare with the kept results; exit 1 if worse")
    return parser


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Measure what was asked for and write it into the results file."""
    name: str = "quick" if options.quick else "full" if options.full else "usual"
    effort: Effort = {"quick": QUICK, "usual": USUAL, "full": FULL}[name]
    begun = time.perf_counter()
    results: dict[str, Any] = {"format": FORMAT, "effort": name, "machine": describe_machine()}
    groups = [group for group in GROUPS if not options.only or group in options.only]
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="fivetowers-benchmark-") as folder:
        native, word = compile_native(Path(folder))
        for group in groups:
            print(f"{time.perf_counter() - begun:5.0f} s  measuring {group} …", file=sys.stderr, flush=True)
            figures += GROUPS[group](effort, native)
    results |= {"native": word, "groups": groups, "seconds": round(time.perf_counter() - begun, 1)}
    results["figures"] = [figure.to_dict() for figure in figures]
    write_text(RESULTS, json.dumps(results, indent=1) + "\n")
    return results


def tell(results: dict[str, Any], kept: dict[str, Any] | None, keep: bool) -> int:
    """Show the results, keep them if asked to; returns 1 if any is worse than the kept one."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    figures = figures_of(results)
    before = {figure.key: figure for figure in figures_of(kept)} if kept else None
    console.print(machine_line(results), markup=False)
    console.print(f"Native yardstick: {results['native']}", markup=False)
    print_table(figures, before, console)
    load = results["machine"]["load_at_start"]
    if load is not None and load > QUIET_LOAD:
        console.print(f"Others kept about {load} cores busy: writing, scaling and starts look worse than they are.")
    console.print(f"Measured in {results['seconds']:.0f} s; written to {RESULTS.relative_to(ROOT)}.")
    if keep:
        write_text(KEPT, json.dumps(results, indent=1) + "\n")
        write_text(PAGE, write_page(results, figures))
        console.print(f"Kept in {KEPT.relative_to(ROOT)} and {PAGE.relative_to(ROOT)}.")
    if before is None:
        return 0
    if results["machine"]["processor"] != kept["machine"]["processor"]:
        console.print(f"The kept results are from another machine: {machine_line(kept)}.", markup=False)
    known = [figure for figure in figures if figure.key in before]
    worse = [figure.key for figure in known if is_worse(figure, before[figure.key])]
    for key in worse:
        console.print(f"Worse by more than {TOLERANCE:.0%}: {key}", markup=False)
    if not worse:
        console.print(f"Nothing is more than {TOLERANCE:.0%} worse than what was kept.")
    console.print(f"{len(known)} of {len(figures)} figures were kept before and could be compared.")
    return 1 if worse else 0


def figures_of(results: dict[str, Any]) -> list[Figure]:
    """Return the figures of a results file."""
    return [Figure.from_dict(values) for values in results["figures"]]


def read_results(path: Path) -> dict[str, Any] | None:
    """Return a results file's content, or None if there is no such file."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def write_text(path: Path, text: str) -> None:
    """Write a file, in a folder that is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
