"""What is said and shown of findings where a question has nothing special to say: a verdict, a table, a picture."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.bench.content import PictureOf, Section, Table, Verdict
from fivetowers_sim.bench.findings import Finding
from fivetowers_sim.bench.numbers import join, write_estimate, write_interval, write_signed

if TYPE_CHECKING:
    from fivetowers_sim.bench.budget import Main
    from fivetowers_sim.bench.finished import Finished

_MOST_ROWS: Final = 60
_MOST_DRAWN: Final = 40


def write_plainly(title: str, asks: str, main: Main, finished: Finished) -> Section:
    """Write a section on findings, those that are certain first.

    Parameters
    ----------
    title, asks : str
        Its heading, and the question that it answers.
    main : Main
        In what the figures are.
    finished : Finished
        What was found.

    Returns
    -------
    Section
        The section. Its verdict is about the figure that stands out most of those that are tested.
    """
    every = finished.figures.findings + (finished.check.figures.findings if finished.check else ())
    rows = sorted(every, key=lambda one: not one.certain)[:_MOST_ROWS]
    names = _list_telling(every)
    body = tuple(
        (
            *("" if one.about[name] is None else str(one.about[name]) for name in names),
            _write(one, main),
            "" if one.p is None else "yes" if one.certain else "~",
        )
        for one in rows
    )
    caption = f"{len(rows)} of {len(every)} figures, in {main.unit.name}; ~ isn't certain among all that are tested."
    table = Table(caption, (*names, f"value, {main.unit.name}", "certain"), body)
    said = [
        "What is certain is so by false-discovery control over all figures tested: of such findings at most 5% are "
        "false.",
        *finished.describe_check(),
    ]
    return Section(
        finished.experiment,
        title,
        asks,
        _judge(main, finished, names),
        said,
        [PictureOf(finished.experiment, f"Every figure with its interval, in {main.unit.name}."), table],
    )


def _list_telling(findings: tuple[Finding, ...]) -> list[str]:
    """List what tells findings apart; what is the same for all of them says nothing in a table."""
    names = list(findings[0].about) if findings else []
    return [name for name in names if len({one.about[name] for one in findings}) > 1] or names[:1]


def _write(one: Finding, main: Main) -> str:
    write = write_estimate if one.p is None else write_signed
    return write(one.estimate, main.scale)


def _tell(one: Finding, names: list[str]) -> str:
    return ", ".join(str(one.about[name]) for name in names if one.about[name] is not None)


def _judge(main: Main, finished: Finished, names: list[str]) -> list[Verdict]:
    tested = [one for one in finished.figures if one.p is not None] or list(finished.figures)
    if not tested:
        return []
    found = max(tested, key=_stand_out)
    what, figure = _tell(found, names), f"{_write(found, main)} {main.unit.name}"
    certain = sum(one.certain for one in tested)
    claim = f"{main.name}, {what}: {figure}."
    if certain:
        differ = "differs" if certain == 1 else "differ"
        claim = f"{certain} of {len(tested)} figures certainly {differ} from 0, most clearly {what}: {figure}."
    elif found.p is not None:
        claim = f"None of {len(tested)} figures is shown to differ from 0; the clearest is {what}: {figure}."
    plan = finished.plan
    seated = join([*plan["strategies"]], "or") if "strategies" in plan else ""
    who = f"all seats {seated}; " if seated else ""
    rules = f"rules {plan['rules']['name']}" if isinstance(plan.get("rules"), Mapping) else ""
    players = f"{plan['players']} players; " if "players" in plan else ""
    return [
        Verdict(
            claim,
            f"{what}: {figure}",
            write_interval(found.estimate, main.scale),
            "",
            finished.counted,
            f"{players}{who}{rules}".rstrip("; ") or "games as asked for",
            finished.seed,
            finished.command,
        )
    ]


def _stand_out(one: Finding) -> tuple[bool, float]:
    margin = one.estimate.margin
    return one.certain, abs(one.estimate.value) / margin if margin > 0 else 0.0


def draw_plainly(name: str, main: Main, finished: Finished) -> Mapping[str, bytes]:
    """Draw the findings with their intervals, the main strategy's first.

    Parameters
    ----------
    name : str
        What to call the picture.
    main : Main
        In what the figures are.
    finished : Finished
        What was found.

    Returns
    -------
    mapping of str to bytes
        Files by name; none where there are no findings.
    """
    from fivetowers_sim.bench.style import (
        FAINT,
        INK,
        draw_intervals,
        encode_figure,
        house_style,
        new_figure,
        shorten_label,
    )

    findings = [one for one in finished.figures if one.p is not None] or list(finished.figures)
    findings = findings[:_MOST_DRAWN]
    if not findings:
        return {}
    names = _list_telling(tuple(findings))
    labels: list[Any] = [shorten_label(_tell(one, names)) for one in findings]
    intervals = [
        (main.scale * one.estimate.low, main.scale * one.estimate.value, main.scale * one.estimate.high)
        for one in findings
    ]
    with house_style():
        figure = new_figure(9, 1.6 + 0.34 * len(findings))
        axes = figure.subplots()
        if any(one.p is not None for one in findings):
            axes.axvline(0, color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
        draw_intervals(axes, intervals)
        axes.set_yticks(range(len(labels)), labels)
        axes.set_xlabel(main.unit.name)
        note = f"{finished.counted}. Lines are 95% intervals."
        figure.supxlabel(textwrap.fill(note, 120), x=0.01, ha="left", fontsize=8, color=INK)
    said = "; ".join(f"{_tell(one, names)} {_write(one, main)}" for one in findings[:8])
    return encode_figure(figure, name, f"{main.name}, {main.unit.name}: {said}.")
