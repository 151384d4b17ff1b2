"""What an evaluation says: the best word, what each leads to, what is built for it, and whether others agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.content import Section, Table, Verdict
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.numbers import join, write_estimate, write_interval, write_signed

if TYPE_CHECKING:
    from fivetowers_sim.questions.evaluate import Evaluate


def write_position(question: type[Evaluate], finished: Finished) -> Section:
    """Write the section.

    Parameters
    ----------
    question : type
        What it is called and answers.
    finished : Finished
        What was found.

    Returns
    -------
    Section
        The section; without a verdict where the seat can only pass.
    """
    results = finished.results
    leader = f"over a bid of {results['high_bid']} by seat {results['leader']}"
    over = leader if results["high_bid"] else "with no bid so far"
    where = f"Display: {'  '.join(results['display'])}. Seat {results['seat']} speaks, {over}."
    if len(results["words"]) == 1:
        return Section(question.name, question.title, question.asks, (), [where, "It can only pass."])
    said = [
        "Futures are the same for every word: what the seat can't know is redrawn, and the game is played on. Less the "
        "best: in the same futures, win shares in points."
    ]
    shown = [_tabulate_words(results, where), _tabulate_builds(results)]
    return Section(question.name, question.title, question.asks, [_judge(finished)], said, shown)


def _judge(finished: Finished) -> Verdict:
    results, plan = finished.results, finished.plan
    best, share = _name(results["best_bid"]), _read(_find(results, results["best_bid"]), "win_share")
    others = [word for word in results["words"] if word["bid"] != results["best_bid"]]
    against = {_name(word["bid"]): _read(word["against_best"], "win_share") for word in others}
    rivals = [f"{name} ({write_signed(one, 100)} points)" for name, one in against.items() if not one.high < 0]
    claim = f"Best: {best}, with a win share of {write_estimate(share, 100, '%')}; "
    claim += f"not told apart from it: {join(rivals)}." if rivals else "it is ahead of every other word for certain."
    names = [*dict.fromkeys(plan["strategies"])]
    who = f"{names[0]} in all seats" if len(names) == 1 else f"seats {', '.join(plan['strategies'])}"
    return Verdict(
        claim,
        f"win share of {best}: {write_estimate(share, 100, '%')}",
        write_interval(share, 100, "%"),
        "",
        finished.counted,
        f"{len(plan['strategies'])} players; {who}; rules {plan['position']['rules']['name']}",
        plan["seed"],
        finished.command,
    )


def _name(bid: int | None) -> str:
    return "pass" if bid is None else f"bid {bid}"


def _find(results: Mapping[str, Any], bid: int | None) -> Mapping[str, Any]:
    return next(word for word in results["words"] if word["bid"] == bid)


def _read(figures: Mapping[str, Any], name: str) -> Estimate:
    return Estimate.read(figures[name], 0)


def _tabulate_words(results: Mapping[str, Any], where: str) -> Table:
    rows = []
    for word in results["words"]:
        is_best, against = word["bid"] == results["best_bid"], word["against_best"]
        rows.append(
            (
                _name(word["bid"]),
                write_estimate(_read(word, "win_share"), 100, "%"),
                "best" if is_best else write_signed(_read(against, "win_share"), 100),
                write_estimate(_read(word, "vp")),
                write_signed(_read(word, "margin")),
                "" if is_best else write_signed(_read(against, "vp")),
            )
        )
    headings = ("word", "win share", "less the best", "VP", "margin", "VP, less the best")
    return Table(f"{where} What each word leads to for it at the end:", headings, tuple(rows))


def _tabulate_builds(results: Mapping[str, Any]) -> Table:
    rows = []
    for word in results["words"]:
        if build := word["build"]:
            torn = build["teardown"] or []
            lost = [f"{card} (paid)" for card in build["paid"]] + ([torn] if isinstance(torn, str) else torn)
            placed = map(_tell_placement, build["placements"])
            rows.append((f"{word['bid']}", *map(" ".join, (build["taken"], lost, placed))))
    headings = ("bid", "takes", "gives up first", "builds, in this order")
    return Table("What it takes, gives up and builds for each bid if it wins:", headings, tuple(rows), 4)


def _tell_placement(step: Mapping[str, str]) -> str:
    notes = [*(["fetched"] if step["from"] == "teardown" else []), *(["below"] if step["end"] == "bottom" else [])]
    return f"{step['card']} ({', '.join(notes)})" if notes else step["card"]


def describe_others(checks: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Say whether the best word is best with other players too.

    Parameters
    ----------
    checks : sequence of mapping
        What each of them found.

    Yields
    ------
    str
        What follows, and a sentence on each.
    """
    labels = [next(iter(one["labels"].values())) for one in checks]
    word = _name(checks[0]["bid_before"])
    refuted = [label for label, one in zip(labels, checks, strict=True) if _is_refuted(one)]
    verdict = f"it does not hold with {join(refuted)}." if refuted else "none of them refutes it."
    yield f"That {word} is best was asked of other players, in all seats: {verdict}"
    for label, one in zip(labels, checks, strict=True):
        share = write_estimate(_read(_find(one, one["best_bid"]), "win_share"), 100, "%")
        less = f"; {word} brings {write_signed(_read(one, 'less_best'), 100)} points against it"
        judged = "" if one["best_bid"] == one["bid_before"] else less
        level = ", so the two are not told apart" if judged and not _is_refuted(one) else ""
        best = f"best is {_name(one['best_bid'])}, win share {share}"
        yield f"{label}: {best}{judged}{level} ({one['futures']:,} futures)."


def _is_refuted(check: Mapping[str, Any]) -> bool:
    return _read(check, "less_best").high < 0
