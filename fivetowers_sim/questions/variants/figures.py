"""The figures on changed rules: every headline figure before and after, and the difference deal by deal."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.findings import Finding, Found
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.numbers import write_estimate, write_signed
from fivetowers_sim.questions.variants.measure import SEATS, Headline, Headlines, list_headlines

if TYPE_CHECKING:
    import polars as pl

KINDS: Final = ("before", "after", "difference")
"""What is worked out of each figure, in the order of findings."""

_MORE: Final = ("more", "less")
_SAID: Final = {
    "win_share": ("{who} wins {by} {way} games in 100", ("more", "fewer")),
    "total": ("{who} scores {by} VP {way}", _MORE),
    "cards": ("cards bring {by} VP {way}", _MORE),
    "tops": ("tops bring {by} VP {way}", _MORE),
    "main": ("the main tower brings {by} VP {way}", _MORE),
    "pairs": ("pairs bring {by} VP {way}", _MORE),
    "teardown": ("the teardown pile brings {by} VP {way}", _MORE),
    "torn_cards": ("a player tears down {by} {way} cards", ("more", "fewer")),
    "rounds": ("games are {by} rounds {way}", ("longer", "shorter")),
    "winning_total": ("the winner scores {by} VP {way}", _MORE),
    "margin": ("the winner is {by} VP {way} ahead", ("further", "less far")),
    "shared": ("{by} {way} games in 100 have several winners", ("more", "fewer")),
    "untaken": ("{by} {way} cards are left untaken", ("more", "fewer")),
}
"""How a change is said, and its two directions."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a variant of the rules does to a figure.

    Attributes
    ----------
    variant : str
        The variant's name.
    headline : Headline
        The figure.
    before, after : Estimate
        The figure in the game that is compared with, and in the variant.
    difference : Estimate
        After less before, deal by deal.
    certain : bool
        Whether the figures differ, with no more than 5% of such findings false.
    """

    variant: str
    headline: Headline
    before: Estimate
    after: Estimate
    difference: Estimate
    certain: bool

    @property
    def stands_out(self) -> float:
        """How many times as large as its margin the difference is."""
        margin = self.difference.margin
        return 0.0 if math.isnan(margin) else abs(self.difference.value) / max(margin, 1e-12)

    def write(self, kind: str) -> str:
        """Write one of the three figures with its margin; a difference of shares in points."""
        scale, unit = self.headline.shown_as
        estimate = getattr(self, kind)
        return write_signed(estimate, scale) if kind == "difference" else write_estimate(estimate, scale, unit)

    def say(self) -> str:
        """Say it, such as "games are 1.30 ± 0.10 rounds shorter"."""
        sentence, ways = _SAID[self.headline.name]
        change, scale = self.difference, self.headline.shown_as[0]
        if change.value < 0:
            change = replace(change, value=-change.value, low=-change.high, high=-change.low)
        seat = self.headline.seat
        who = "a player" if seat is None else f"the {SEATS[seat]}"
        return sentence.format(who=who, by=write_estimate(change, scale), way=ways[self.difference.value < 0])


def estimate_changes(measure: Headlines, names: Sequence[str], moments: Moments, confidence: float) -> Iterator[Found]:
    """Yield every figure of every variant, before and after, and the difference, which is tested."""
    for arm, name in enumerate(names[1:], 1):
        for figure, headline in enumerate(measure.figures):
            difference = measure.difference(moments, (0, arm), figure, confidence)
            before, after = (measure.estimate(moments, one, figure, confidence) for one in (0, arm))
            for kind, estimate in zip(KINDS, (before, after, difference), strict=True):
                about = {"variant": name, "figure": headline.name, "seat": headline.seat, "kind": kind}
                yield Found(about, estimate, estimate if kind == "difference" else None)


def list_rows(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Return a row for each variant and figure, as results and tables have them; what isn't known is None."""
    each = iter(findings)
    return [_make_row(three) for three in zip(each, each, each, strict=True)]


def _make_row(three: tuple[Finding, ...]) -> dict[str, Any]:
    difference = three[-1]
    row = {name: difference[name] for name in ("variant", "figure", "seat")}
    for one in three:
        kind, ends = one["kind"], one.estimate.to_dict()
        row |= {kind: ends["value"], f"{kind}_low": ends["low"], f"{kind}_high": ends["high"]}
    return {**row, "p": difference.p, "adjusted_p": difference.adjusted_p, "certain": difference.certain}


def make_frame(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Return rows as a frame."""
    import polars as pl

    kinds = {"variant": pl.String, "figure": pl.String, "seat": pl.Int64, "certain": pl.Boolean}
    return pl.DataFrame(rows, schema={name: kinds.get(name, pl.Float64) for name in rows[0]})


def read_changes(finished: Finished) -> tuple[Change, ...]:
    """Return every change that results list."""
    headlines = {(one.name, one.seat): one for one in list_headlines(finished.plan["arms"][0]["players"])}
    deals = int(finished.results["deals"])
    return tuple(
        Change(
            row["variant"],
            headlines[row["figure"], row["seat"]],
            *(_read(row, kind, deals) for kind in KINDS),
            certain=row["certain"],
        )
        for row in finished.results["changes"]
    )


def _read(row: Mapping[str, Any], kind: str, deals: int) -> Estimate:
    ends = dict(zip(("value", "low", "high"), (kind, f"{kind}_low", f"{kind}_high"), strict=True))
    return Estimate.read({name: row[own] for name, own in ends.items()}, deals)


def group_changes(finished: Finished) -> dict[str, dict[str, list[Change]]]:
    """Return the changes by the dials that are turned, none in a comparison of two rule sets, and by their values."""
    groups: dict[str, dict[str, list[Change]]] = {}
    for change in read_changes(finished):
        # A list may be written with spaces in it, or be empty.
        settings = [part.split("=") for part in re.split(r" (?=\w+=)", change.variant) if "=" in part]
        dials, values = "+".join(dial for dial, _ in settings), " / ".join(value or "none" for _, value in settings)
        groups.setdefault(dials, {}).setdefault(values or change.variant, []).append(change)
    return groups


def call_rules(finished: Finished, name: str) -> str:
    """Return what a rule set is called in sentences; in a comparison the names are letters."""
    arm = finished.plan["arms"][finished.plan["names"].index(name)]
    return f"{name} ({arm['rules']['name']})" if finished.experiment == "compare" else name


def name_picture(finished: Finished, dials: str) -> str:
    """Return the name of the picture about some dials."""
    return f"{finished.experiment}-{dials}" if dials else finished.experiment
