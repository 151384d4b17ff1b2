"""Read finished experiments from their folders, and check that they are as they were written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate
from fivetowers_sim.bench.findings import Findings
from fivetowers_sim.bench.folder import RESULTS_NAME, read_experiment_manifest
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.user_files import parse_written_json

_PICTURES: Final = (".svg", ".png")


@dataclass(frozen=True)
class Rows:
    """Figures of an experiment, as its results list them.

    Attributes
    ----------
    rows : tuple of mapping
        What each is about, and ``value``, ``low`` and ``high``.
    games : int
        Deals behind each.
    """

    rows: tuple[Mapping[str, Any], ...]
    games: int

    def where(self, **equal: Any) -> Rows:
        """Return the rows whose fields have these values."""
        kept = (row for row in self.rows if all(row.get(name) == value for name, value in equal.items()))
        return Rows(tuple(kept), self.games)

    def estimates(self, by: str, **equal: Any) -> dict[Any, Estimate]:
        """Return the figures of the rows with these values, by one more field."""
        return {row[by]: self.estimate_of(row) for row in self.where(**equal).rows}

    def estimate(self, **equal: Any) -> Estimate:
        """Return the figure of the one row with these values; KeyError if there isn't exactly one."""
        rows = self.where(**equal).rows
        if len(rows) != 1:
            raise KeyError(f"{len(rows)} rows have {equal}")
        return self.estimate_of(rows[0])

    def estimate_of(self, row: Mapping[str, Any]) -> Estimate:
        """Return a row's figure."""
        return Estimate.read(row, self.games)


@dataclass(frozen=True)
class Finished:
    """An experiment that is complete.

    Attributes
    ----------
    path : Path or None
        Its folder; None before it has one.
    manifest : mapping
        What was asked, by which versions, and the files.
    results : mapping
        Every figure.
    pictures : mapping of str to bytes
        Pictures by file name.
    """

    path: Path | None
    manifest: Mapping[str, Any]
    results: Mapping[str, Any]
    pictures: Mapping[str, bytes]

    @property
    def experiment(self) -> str:
        """The experiment's name, such as ``powers``."""
        return str(self.manifest["experiment"])

    @property
    def plan(self) -> Mapping[str, Any]:
        """Everything that the results depend on, with strategies as tables call them."""
        plan = dict(self.manifest["plan"])
        return {**plan, "strategies": list(map(self._call, plan["strategies"]))} if "strategies" in plan else plan

    @cached_property
    def findings(self) -> Rows:
        """The figures, with strategies as tables call them; none where the results are of another form."""
        rows = (
            {name: self._call(entry) if name == "strategy" else entry for name, entry in row.items()}
            for row in self.results.get("findings", ())
        )
        return Rows(tuple(rows), int(self.results.get("deals", self.results.get("decisions", 0))))

    @cached_property
    def figures(self) -> Findings:
        """The figures as :class:`~fivetowers_sim.bench.findings.Findings`, strategies as tables call them."""
        return Findings.read(self.findings.rows, self.findings.games)

    @property
    def names(self) -> dict[str, str]:
        """Who has all seats: the name in full, by what tables call it; the check's comes last."""
        own = {self._call(name): name for name in map(str, self.manifest["plan"]["strategies"])}
        return own | (self.check.names if self.check else {})

    def _call(self, strategy: Any) -> Any:
        return self.results.get("labels", {}).get(strategy, strategy)

    @cached_property
    def check(self) -> Finished | None:
        """The same asked of a stronger player, in fewer games; None if that wasn't done."""
        results = self.results.get("check")
        if results is None:
            return None
        return Finished(self.path, {**self.manifest, "plan": results["asked"]}, results, {})

    @property
    def askers(self) -> dict[str, Finished]:
        """Who has all seats, by strategy, with the figures found of it; the check's comes last."""
        own = dict.fromkeys(map(str, self.plan["strategies"]), self)
        return own | dict.fromkeys(map(str, self.check.plan["strategies"]), self.check) if self.check else own

    def describe_check(self) -> list[str]:
        """Say who was asked the same once more, and how much was played for it; nothing if nobody was."""
        if self.check is None:
            return []
        (strategy,) = self.check.plan["strategies"]
        return [f"As a check the same was asked of {strategy} in all seats, a slower player: {self.check.counted}."]

    @property
    def seed(self) -> int:
        """What decided all chance; 0 if nothing says so."""
        return int(self.plan.get("seed", self.results.get("seed", 0)))

    @property
    def counted(self) -> str:
        """How much was played."""
        if "decisions" in self.results:
            return f"{self.results['decisions']:,} decisions of each strategy, each of a game of its own"
        if "futures" in self.results:
            return f"{self.results['futures']:,} futures"
        return f"{self.results['games']:,} games ({self.results['deals']:,} deals)"

    @property
    def command(self) -> str:
        """What to type to get the same figures; empty if that isn't recorded."""
        return str(self.results.get("command", ""))


def is_finished(folder: Path) -> bool:
    """Say whether a folder holds a complete experiment."""
    try:
        return bool(read_experiment_manifest(folder)["complete"])
    except RunError:
        return False


def read_finished(folder: Path) -> Finished:
    """Read an experiment's folder.

    Parameters
    ----------
    folder : Path
        The folder.

    Returns
    -------
    Finished
        The experiment.

    Raises
    ------
    RunError
        If it can't be read, isn't complete, or a file isn't as it was written.
    """
    try:
        manifest = read_experiment_manifest(folder)
        if not manifest["complete"]:
            raise RunError(f"{folder} isn't complete; go on with its command and --resume")
        wanted = [RESULTS_NAME, *(name for name in manifest["files"] if name.endswith(_PICTURES))]
        files = {name: _read_checked(folder / name, manifest["files"][name]["sha256"]) for name in wanted}
        return Finished(folder, manifest, parse_written_json(files.pop(RESULTS_NAME)), files)
    except OSError as error:
        raise RunError(f"{folder} can't be read as an experiment: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise RunError(f"{folder} can't be read as an experiment: {error!r}") from error


def _read_checked(file: Path, sha256: str) -> bytes:
    data = file.read_bytes()
    if hashlib.sha256(data).hexdigest() != sha256:
        raise RunError(f"{file} isn't as it was written: its SHA-256 differs from the manifest's")
    return data


def is_certain(row: Mapping[str, Any]) -> bool:
    """Say whether a figure certainly isn't what it was tested against, among all that were tested."""
    adjusted = row.get("adjusted_p")
    return adjusted is not None and adjusted <= 1 - CONFIDENCE


def find_all(finished: Iterable[Finished], experiment: str) -> list[Finished]:
    """Return the experiments of a kind."""
    return [one for one in finished if one.experiment == experiment]
