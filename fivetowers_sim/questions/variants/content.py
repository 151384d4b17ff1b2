"""What the figures on changed rules say: what certainly changes, who wins, and every headline figure of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fivetowers_sim.bench.content import PictureOf, Section, Table, Verdict
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.numbers import join, write_interval
from fivetowers_sim.experiments.knowledge import tabulate_learned
from fivetowers_sim.questions.variants.figures import Change, call_rules, group_changes, name_picture
from fivetowers_sim.rules.described import describe_population

if TYPE_CHECKING:
    from fivetowers_sim.bench.question import Question

_MOST_SAID: Final = 3
_MOST_VALUES: Final = 4
_LONGEST: Final = 16
# What columns of values have room for, beside the names of figures and those that are compared with.
_ROOM: Final = 54


def write_changes(question: type[Question], finished: Finished) -> Section:
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
        The section. Each dial that is turned has a verdict, a picture and tables, and two rule sets have them.
    """
    plan = finished.plan
    base = call_rules(finished, plan["names"][0])
    verdicts: list[Verdict] = []
    shown: list[PictureOf | Table] = []
    said: list[str] = []
    for dials, values in group_changes(finished).items():
        changes = [change for own in values.values() for change in own]
        told = [_tell_variant(own, call_rules(finished, own[0].variant), base) for own in values.values()]
        claim, what = told[0], f"and {call_rules(finished, changes[0].variant)}"
        if len(values) > 1:
            called = join(dials.split("+"))
            claim, what = _tell_values(changes, called, base), f"and what values of {called} change in them"
            said += told
        verdicts.append(_judge(finished, claim, changes))
        about = f"Headline figures of {base} {what}"
        shown.append(PictureOf(name_picture(finished, dials), f"{about}: differences."))
        shown += [
            Table(f"{about}; differences of shares in points.", heads, rows)
            for heads, *rows in _tabulate(values, plan["names"][0])
        ]
    shown += tabulate_learned(plan, plan["arms"][0]["players"])
    family = (
        f"Every deal is played by each of the {len(plan['names'])} rule sets. ~ marks what isn't certain: by "
        f"false-discovery control over all {finished.results['family']} figures, at most 5% of the other differences "
        "are false."
    )
    return Section(question.name, question.title, question.asks, verdicts, [*said, family], shown)


def _judge(finished: Finished, claim: str, changes: Sequence[Change]) -> Verdict:
    clearest, base = _find_clearest(changes), finished.plan["names"][0]
    scale, unit = clearest.headline.shown_as
    return Verdict(
        claim,
        f"{clearest.headline.label}, {clearest.variant} less {base}: {clearest.write('difference')}",
        write_interval(clearest.difference, scale, " points" if unit else ""),
        _tell_wins(changes),
        finished.counted,
        describe_games(finished),
        finished.seed,
        finished.command,
    )


def describe_games(finished: Finished) -> str:
    """Say who plays, without the seed and a full stop."""
    arms = finished.plan["arms"]
    mixed = len({str(arm["powers_by_seat"]) for arm in arms}) > 1
    population = describe_population({**arms[0], "rules": {"name": "as named"}}, finished.results["labels"])
    return population.rpartition("; seed ")[0] + (" (Great Powers as the rules of each say)" if mixed else "")


def _find_clearest(changes: Sequence[Change]) -> Change:
    return max(changes, key=lambda one: (one.certain, _is_of_the_game(one), one.stands_out))


def _is_of_the_game(change: Change) -> bool:
    """Say whether a figure is more than what all seats say together."""
    return change.headline.seat is None or change.headline.is_share


def _tell_variant(changes: Sequence[Change], variant: str, base: str) -> str:
    certain = [change for change in changes if change.certain]
    if not certain:
        return _tell_nothing(changes, variant, base)
    certain.sort(key=lambda one: (_is_of_the_game(one), one.stands_out), reverse=True)
    said = join([change.say() for change in certain[:_MOST_SAID]])
    return f"With {variant} instead of {base}, {said}; {len(certain)} of {len(changes)} figures certainly differ."


def _tell_nothing(changes: Sequence[Change], what: str, base: str) -> str:
    if all(change.difference.value == change.difference.margin == 0 for change in changes):
        return f"{what} changes no figure of {base}: on every deal both are the same."
    return f"{what} is not shown to change any figure of {base}."


def _tell_values(changes: Sequence[Change], dials: str, base: str) -> str:
    """Say what each value does to the figure that any of them changes most clearly."""
    clearest = _find_clearest(changes)
    if not clearest.certain:
        return _tell_nothing(changes, dials, base)
    along = [change for change in changes if change.headline == clearest.headline]
    certain = [change for change in along if change.certain]
    told = sorted(certain, key=lambda one: -one.stands_out)[:_MOST_VALUES]
    said = "; ".join(f"with {change.variant} {change.say()}" for change in certain if change in told)
    more = f"; {len(certain) - len(told)} other values change that too" if len(certain) > len(told) else ""
    null = join([change.variant for change in along if not change.certain])
    return f"W{said[1:]}, compared with {base}{more}." + (f" Not shown to change that: {null}." if null else "")


def _tell_wins(changes: Sequence[Change]) -> str:
    """Say whose wins change."""
    wins = [change for change in changes if change.headline.name == "win_share" and change.certain]
    if not wins:
        return "No seat is shown to win more or less."
    told = sorted(wins, key=lambda one: -one.stands_out)[:_MOST_VALUES]
    said = "; ".join(f"with {change.variant} {change.say()}" for change in wins if change in told)
    return f"Who wins: {said}."


def _tabulate(values: Mapping[str, Sequence[Change]], base: str) -> Iterator[Iterator[tuple[str, ...]]]:
    """Yield tables of every figure, each as its head and its rows, as wide as there is room."""
    each = list(values.values())
    names = [own[0].variant for own in each]
    heads = names if max(map(len, names)) <= _LONGEST else list(values)
    head = base if len(base) <= _LONGEST else "as it is"
    before = [
        ("figure", *(change.headline.label for change in each[0])),
        (head, *(change.write("before") for change in each[0])),
    ]
    columns = [(own_head, *map(_write_change, own)) for own_head, own in zip(heads, each, strict=True)]
    if len(each) == 1:
        before.append((heads[0], *(change.write("after") for change in each[0])))
        columns = [(f"{heads[0]} less {head}", *columns[0][1:])]
    for chunk in _split(columns):
        yield zip(*before, *chunk, strict=True)


def _write_change(change: Change) -> str:
    return change.write("difference") + ("" if change.certain else " ~")


def _split(columns: Sequence[tuple[str, ...]]) -> Iterator[list[tuple[str, ...]]]:
    """Yield as many columns at a time as fit beside each other."""
    chunk: list[tuple[str, ...]] = []
    room = _ROOM
    for column in columns:
        width = max(map(len, column)) + 1
        if chunk and width > room:
            yield chunk
            chunk, room = [], _ROOM
        chunk.append(column)
        room -= width
    yield chunk
