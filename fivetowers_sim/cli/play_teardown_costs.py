"""Play the experiment on teardown costs with progress, and draw what it found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.cli.errors import UsageError
from fivetowers_sim.cli.play_experiment import (
    Manner,
    Show,
    choose_budget,
    describe_margin,
    name_options,
    play_experiment,
)
from fivetowers_sim.cli.refit import read_refit

if TYPE_CHECKING:
    from fivetowers_sim.experiments.teardown_costs import TeardownOutcome
    from fivetowers_sim.experiments.teardown_question import Branching, TeardownQuestion
    from fivetowers_sim.rules.ruleset import RuleSet


CHECK_GAMES: Final = 6_000


def read_teardown_question(given: Mapping[str, Any], budget: tuple[int | None, float | None]) -> TeardownQuestion:
    """Make the question of the options.

    Parameters
    ----------
    given : mapping
        ``rules``, as read; ``players``, ``seed``, ``check`` and ``command``; ``refit``, None if it isn't said; and
        ``refit_games``, ``decisions``, ``futures``, ``strategies`` and ``costs`` as typed.
    budget : tuple of int or None, float or None
        Values of ``--games`` and ``--precision``.

    Returns
    -------
    TeardownQuestion
        What to find out.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is accepted.
    """
    from fivetowers_sim.experiments.refit import has_tables_to_refit
    from fivetowers_sim.experiments.teardown_question import make_teardown_question

    costs = None if given["costs"] is None else read_costs(given["rules"], given["costs"])
    names = [name.strip() for name in given["strategies"].split(",")]
    games, precision = choose_budget(*budget)
    options = {name: given[name] for name in ("rules", "players", "seed", "check", "command")}
    with name_options():
        refit = has_tables_to_refit(names) if given["refit"] is None else given["refit"]
        options["branching"] = _read_branching(given["decisions"], given["futures"])
        options["refit"] = read_refit(refit, given["refit_games"])
        return make_teardown_question(strategies=names, games=games, precision=precision, costs=costs, **options)


def _read_branching(decisions: int | None, futures: int | None) -> Branching | None:
    from fivetowers_sim.experiments.teardown_question import USUAL_DECISIONS, USUAL_FUTURES, Branching

    if decisions == 0:
        if futures is not None:
            raise UsageError(
                f"--futures is {futures} and --decisions is 0; accepted are decisions to look into, or neither"
            )
        return None
    return Branching(USUAL_DECISIONS if decisions is None else decisions, USUAL_FUTURES if futures is None else futures)


def read_costs(rules: RuleSet, text: str) -> list[tuple[int, ...]]:
    """Read schedules separated by semicolons; UsageError if one isn't accepted."""
    from fivetowers_sim.rules.ruleset import RuleSetError
    from fivetowers_sim.rules.ruleset_files import set_dials

    try:
        return [set_dials(rules, [f"teardown_costs={one.strip()}"]).teardown_costs for one in text.split(";")]
    except RuleSetError as error:
        raise UsageError(f"--costs {text}: {str(error).removeprefix('--set: ')}") from None


def play_teardown_costs(asked: TeardownQuestion, manner: Manner) -> TeardownOutcome:
    """Play the experiment, in a folder or in memory only.

    Parameters
    ----------
    asked : TeardownQuestion
        What to find out.
    manner : Manner
        How to go about it.

    Returns
    -------
    TeardownOutcome
        The figures.

    Raises
    ------
    UsageError, Interrupted, RunError, BatchError
        As :func:`~fivetowers_sim.cli.play_experiment.play_experiment` says.
    """
    from fivetowers_sim.experiments.check import all_asked
    from fivetowers_sim.experiments.teardown_costs import run_teardown_costs
    from fivetowers_sim.game import warm_up_arms

    def warm_up() -> None:
        warm_up_arms(arm for one in all_asked(asked) for arm in one.named_arms)
        for arm in asked.branch_arms if asked.branched else ():
            arm.warm_up()

    show = Show(warm_up, describe_margin(asked, "VP lost by never tearing down"))
    return play_experiment(
        asked.asked(), manner, show, lambda crew, folder: run_teardown_costs(asked, crew, folder, draw_outcome)
    )


def draw_outcome(outcome: TeardownOutcome) -> Mapping[str, bytes]:
    """Return the pictures as files, by name: for each strategy the schedules' responses."""
    from fivetowers_sim.bench.style import encode_figure
    from fivetowers_sim.cli.teardown_table import describe_games, name_schedules
    from fivetowers_sim.experiments.teardown_figures import make_findings_frame
    from fivetowers_sim.report.teardown_costs import draw_schedules

    asked, files = outcome.asked, {}
    frame = make_findings_frame(outcome.figures)
    for number, (strategy, label) in enumerate(zip(asked.strategies, asked.labels, strict=True)):
        about = f"{describe_games(outcome)}; all {label}"
        figure = draw_schedules(frame.filter(strategy=strategy), name_schedules(asked), about)
        name = "schedules" if number == 0 else f"schedules-{number + 1}"
        said = f"What schedules of teardown costs do to games of {label}: {', '.join(asked.schedule_names)}."
        files |= encode_figure(figure, name, said)
    return {**files, **_draw_worths(outcome)}


def _draw_worths(outcome: TeardownOutcome) -> Mapping[str, bytes]:
    from fivetowers_sim.bench.style import encode_figure
    from fivetowers_sim.cli.teardown_worth_table import describe_worth
    from fivetowers_sim.experiments.teardown_worth import make_worth_frame
    from fivetowers_sim.report.teardown_costs import draw_worth

    asked, files = outcome.asked, {}
    frame = make_worth_frame(outcome.worth) if outcome.worth else None
    for number, strategy in enumerate(asked.branched):
        worths, label = frame.filter(strategy=strategy), asked.labels[asked.strategies.index(strategy)]
        if worths.is_empty():
            continue
        about = (
            f"{asked.branching.decisions:,} decisions, {asked.branching.futures} futures; {asked.players} players; "
            f"rules {asked.rules.name}; seed {asked.seed}; all {label}"
        )
        name = "worth" if number == 0 else f"worth-{number + 1}"
        files |= encode_figure(draw_worth(worths, about), name, describe_worth(outcome, strategy, label))
    return files
