"""What the words of a position are worth, as a table of at most 100 columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fivetowers_sim.cli.console import make_table
from fivetowers_sim.cli.summary_table import write_estimate

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fivetowers_sim.analysis.estimates import Estimate
    from fivetowers_sim.experiments.evaluate import Evaluation, WordValue
    from fivetowers_sim.experiments.evaluation_check import EvaluationCheck


def show_evaluation(found: Evaluation) -> RenderableType:
    """Show what each word is worth, what is built for it, and which is best.

    Parameters
    ----------
    found : Evaluation
        The figures.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    setup = found.asked.setup
    position = setup.position
    over = f"over a bid of {position.high_bid} by seat {setup.leader}" if position.high_bid else "with no bid so far"
    head = [f"Display: {'  '.join(position.display())}", f"Seat {position.seat} speaks, {over}.", ""]
    if len(found.words) == 1:
        return Group(*head, "It can only pass.")
    table = make_table(padding=0)
    table.add_column("word", style="cyan", no_wrap=True)
    for heading in ("win share", "less the best", "VP", "margin", "VP, less the best"):
        table.add_column(heading, justify="right", no_wrap=True)
    for nth, word in enumerate(found.words):
        table.add_row(*_list_cells(word, nth == found.best))
    return Group(*head, table, "", _show_builds(found), "", _verdict(found), *_describe(found))


def show_checks(found: Evaluation, checks: Sequence[EvaluationCheck]) -> RenderableType:
    """Say whether the best word is best with other players too."""
    from rich.console import Group

    word = name_word(found.words[found.best])
    said = [_describe_check(word, check) for check in checks]
    refuted = [one.found.asked.labels[0] for one in checks if one.refuted]
    verdict = f"it does not hold with {' and '.join(refuted)}." if refuted else "none of them refutes it."
    return Group("", f"That {word} is best was asked of other players, in all seats: {verdict}", *said)


def _describe_check(word: str, check: EvaluationCheck) -> str:
    found, label = check.found, check.found.asked.labels[0]
    share = write_estimate(found.words[found.best].figures["win_share"], 100, "%")
    best = f"{label}: best is {name_word(found.words[found.best])}, win share {share}"
    less = f"{word} brings {_signed(check.against_best, 100)} points against it"
    judged = "" if check.same else f"; {less}{'' if check.refuted else ', so the two are not told apart'}"
    return f"{best}{judged} ({found.futures:,} futures)."


def name_word(word: WordValue) -> str:
    """Name a word."""
    return "pass" if word.bid is None else f"bid {word.bid}"


def _list_cells(word: WordValue, best: bool) -> list[str]:
    against = word.against_best
    return [
        name_word(word),
        write_estimate(word.figures["win_share"], 100, "%"),
        "best" if best else _signed(against["win_share"], 100),
        write_estimate(word.figures["vp"]),
        _signed(word.figures["margin"]),
        "" if best else _signed(against["vp"]),
    ]


def _signed(estimate: Estimate, scale: int = 1) -> str:
    text = write_estimate(estimate, scale)
    return text if text.startswith("-") else f"+{text}"


def _show_builds(found: Evaluation) -> RenderableType:
    """Show what the seat takes, gives up and builds for each bid if it wins."""
    table = make_table(padding=(0, 1, 0, 0))
    table.add_column("bid", style="cyan", no_wrap=True)
    for heading in ("takes", "gives up first", "builds, in this order"):
        table.add_column(heading)
    for word in found.words:
        if word.build:
            torn = word.build["teardown"] or []
            lost = [f"{card} (paid)" for card in word.build["paid"]] + ([torn] if isinstance(torn, str) else torn)
            placed = map(_tell_placement, word.build["placements"])
            table.add_row(str(word.bid), *map(" ".join, (word.build["taken"], lost, placed)))
    return table


def _tell_placement(step: Mapping[str, str]) -> str:
    notes = [*(["fetched"] if step["from"] == "teardown" else []), *(["below"] if step["end"] == "bottom" else [])]
    return f"{step['card']} ({', '.join(notes)})" if notes else step["card"]


def _verdict(found: Evaluation) -> str:
    best = found.words[found.best]
    share = write_estimate(best.figures["win_share"], 100, "%")
    if not found.rivals:
        return f"Best: {name_word(best)}, with a win share of {share}; it is ahead of every other word for certain."
    rivals = " and ".join(
        f"{name_word(word)} ({_signed(word.against_best['win_share'], 100)} points)" for word in found.rivals
    )
    return f"Best: {name_word(best)}, with a win share of {share}; not told apart from it: {rivals}."


def _describe(found: Evaluation) -> list[str]:
    asked = found.asked
    game, names = asked.setup.game, list(dict.fromkeys(asked.labels))
    who = f"{names[0]} in all seats" if len(names) == 1 else f"seats {', '.join(asked.labels)}"
    precise = ""
    if asked.precision is not None:
        came = "reached" if found.reached <= asked.precision else "not reached"
        precise = (
            f" Asked for ± {100 * asked.precision:g}% in every win share: {came} at look {found.look + 1} of "
            f"{len(asked.looks)}, for which intervals are widened."
        )
    return [
        f"{found.futures:,} futures, the same for every word: what the seat can't know is redrawn, and the game is "
        f"played on with {who}; {game.players} players; rules {game.rules.name}; seed {game.seed}. Less the best: in "
        "the same futures, win shares in points.",
        f"± is half of a 95% interval over futures.{precise}",
        f"Again: {asked.command}",
    ]
