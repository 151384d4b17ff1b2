"""What there is to choose from, and how players are found."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from fivetowers_sim.api.answer import Answer, Player
from fivetowers_sim.api.arguments import Dials, Names, Where
from fivetowers_sim.api.calls import call, write_aside, write_down
from fivetowers_sim.api.folders import place_for, refuse_resuming_nothing
from fivetowers_sim.cli import choice
from fivetowers_sim.cli.command import load_function
from fivetowers_sim.cli.errors import UsageError
from fivetowers_sim.cli.learn import learn_player, read_fit_plan
from fivetowers_sim.cli.staff import read_staff
from fivetowers_sim.cli.tune_run import check_preset_file, read_budget, read_contest, read_tuning, run_tuning
from fivetowers_sim.cli.tune_table import show_tuned


def rules(name: Where | None = None) -> Answer:
    """List the rule sets, or say what one is, with every dial explained.

    Parameters
    ----------
    name : str or Path, optional
        A rule set's name, or a ``.toml`` file.

    Returns
    -------
    Answer
        Of all: the table ``rules``. Of one: the table ``dials``; as a text it is TOML, which can be kept in a file,
        changed, and given as ``rules``.

    Raises
    ------
    ValueError
        For an unknown name, or a file that isn't accepted.
    """
    from fivetowers_sim.cli.listing import list_names
    from fivetowers_sim.rules.ruleset import RuleSetError, list_dials
    from fivetowers_sim.rules.ruleset_files import load_rules, named_rules

    with call("rules", locals()) as given:
        named = named_rules()
        if given["name"] is None:
            rows = [{"name": one, "meaning": meaning} for one, meaning in named.items()]
            more = 'rules("base") says what one is, dial by dial; set={"display_size": 6} changes a dial.'
            return Answer(write_down(list_names("rule set", named, more)), named, {"rules": rows})
        try:
            loaded = load_rules(given["name"])
        except RuleSetError as error:
            raise UsageError(f"name: {error}") from None
        values = loaded.to_dict()
        rows = [
            {
                "dial": dial.name,
                "rule": dial.metadata["rule"],
                "value": _write(values[dial.name]),
                "meaning": dial.metadata["meaning"],
            }
            for dial in list_dials()
        ]
        text = f"# {named.get(given['name'], given['name'])}\n{loaded.to_toml(explain=True)}"
        return Answer(text, values, {"dials": rows})


def _write(value: Any) -> str:
    from fivetowers_sim.rules.ruleset import write_value

    return write_value(tuple(value) if isinstance(value, list) else value)


def strategies(name: Where | None = None, *, players: int = 3, all_powers: bool = False) -> Answer:
    """List the strategies, or show one with its parameters and where it comes from.

    Parameters
    ----------
    name : str or Path, optional
        A strategy, such as ``greedy``, or a preset's ``.toml`` file.
    players : int
        For ``value``: the number of players whose price list is shown.
    all_powers : bool
        Whether to show its prices with all Great Powers.

    Returns
    -------
    Answer
        Of all: the table ``strategies``. Of one: the table ``parameters``.

    Raises
    ------
    ValueError
        For an unknown strategy, or a file that isn't accepted.
    """
    from fivetowers_sim.strategies.families import FAMILIES, list_parameters, read_strategy
    from fivetowers_sim.strategies.parameters import StrategyError
    from fivetowers_sim.strategies.presets import list_presets

    with call("strategies", locals()) as given:
        try:
            strategy = None if given["name"] is None else read_strategy(given["name"])
        except StrategyError as error:
            raise UsageError(f"name: {error}") from None
        text = write_aside(lambda: load_function("strategies")(**given))
        if strategy is None:
            kinds = {
                "family": {family.name: family.about for family in FAMILIES.values()},
                "preset": {preset.name: preset.intent for preset in list_presets().values()},
            }
            rows = [{"name": one, "kind": kind, "about": kinds[kind][one]} for kind in kinds for one in kinds[kind]]
            return Answer(text, kinds, {"strategies": rows})
        values = {"name": strategy.name, "family": strategy.family}
        rows = [
            {
                "parameter": one.name,
                "value": one.write(strategy[one.name]),
                "default": one.write(one.default),
                "accepted": one.accepts,
                "meaning": one.meaning,
            }
            for one in (list_parameters(strategy.family) if strategy.family in FAMILIES else ())
        ]
        return Answer(text, values, {"parameters": rows})


def fit(
    *,
    out: Where | None = None,
    family: str = "value",
    players: int = 3,
    seed: int = 1,
    powers: Names | None = None,
    rules: Where = "base",
    set: Dials | None = None,
    games: int | str = 100_000,
    trial_games: int | str = 20_000,
    workers: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    quiet: bool = False,
) -> Player:
    """Learn what positions are worth, for any rules, by self-play: play, learn what positions led to, repeat.

    The tables of ``value`` are learned from games of ``greedy`` first, then from games of what was learned before,
    until two steps in a row bring nothing more on fresh deals: some minutes. The network of ``expert`` takes five
    steps, the first from games of ``value``: ten minutes, and up to 2 GB. Nothing is kept if it is interrupted.

    Parameters
    ----------
    out : str or Path, optional
        A new file that ends in ``.json``. Without it what is learned is in a temporary folder, which goes when it does.
    family : str
        What learns: ``value`` its tables, or ``expert`` its network.
    players : int
        Number of players, 2 to 5.
    seed : int
        Decides all chance.
    powers : str or sequence of str, optional
        Great Powers of every seat; the rule set's if not given.
    rules : str or Path
        A rule set's name, or a ``.toml`` file with dials.
    set : mapping of str to object, optional
        Dials to change, such as ``{"display_size": 6}``.
    games : int
        Games to learn from in each step.
    trial_games : int
        Games of a trial after each step.
    workers, backend, scheduler : int, str, str
        Who plays, as for ``simulate``.
    quiet : bool
        Whether to show no progress.

    Returns
    -------
    Player
        The tables or the network: ``save`` keeps them, and they can be given as a strategy.

    Raises
    ------
    ValueError
        For what isn't accepted.
    """
    with call("fit", locals()) as given, place_for(given.get("out"), "tables.json") as (place, keeper):
        wanted = read_staff(given["workers"], given["backend"], given["scheduler"])
        setup = choice.read_setup(
            given["players"],
            choice.DEFAULT_STRATEGIES,
            given["seed"],
            given["powers"],
            None,
            given["rules"],
            given["dials"],
        )
        plan = read_fit_plan(given["family"], setup, given["games"], given["trial_games"])
        with wanted.gather(given["quiet"]) as staff:
            text = learn_player(plan, place, staff, given["quiet"])
        # Where they are is seen from the object, which plays.
        text = text.removeprefix(f"{place}: ").removesuffix(f" Play with it: --strategies {place}")
        return Player(text, json.loads(place.read_text("utf-8")), place, keeper)


def tune(
    strategy: Where,
    *,
    against: Names,
    out: Where | None = None,
    players: int = 3,
    parameters: Names | None = None,
    aim: str = "win_share",
    generations: int | None = None,
    evaluations: int | None = None,
    games: int | str = 2_000,
    restarts: int = 3,
    fresh_games: int | str = 20_000,
    seed: int = 1,
    powers: Names | None = None,
    seat_powers: Mapping[int, Names] | Sequence[str] | None = None,
    rules: Where = "base",
    set: Dials | None = None,
    workers: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Player:
    """Find parameters with which a strategy does better against a field, and make a preset of them.

    The result is measured on fresh deals, beside the strategy that it began with.

    Parameters
    ----------
    strategy : str
        What to tune, such as ``greedy:misjudge=0.3``.
    against : str or sequence of str
        Who fills the other seats: one strategy for all, one for each, or more, who take turns. ``same``: the strategy
        itself.
    out : str or Path, optional
        The preset's file, which must be new and end in ``.toml``. Without it the preset is in a temporary folder, which
        goes when it does.
    players : int
        Number of players, 2 to 5.
    parameters : str or sequence of str, optional
        What to tune, such as ``["misjudge", "max_bid=2..6"]``, with narrower bounds or not. The family's own if not
        given.
    aim : str
        ``win_share``, or ``margin``: VP ahead of the best of the others.
    generations, evaluations : int, optional
        Steps of each search, 30 if neither is given; or candidates of each search.
    games : int
        Games of each candidate in a step.
    restarts : int
        Searches; all but the first begin anywhere.
    fresh_games : int
        Games that say how good a result is.
    seed : int
        Decides all chance.
    powers, seat_powers, rules, set : as for ``simulate``
        The games.
    workers, backend, scheduler : int, str, str
        Who plays, as for ``simulate``.
    resume : bool
        Whether to go on with a tuning that was interrupted.
    quiet : bool
        Whether to show no progress.

    Returns
    -------
    Player
        The preset: ``save`` keeps it, and it can be given as a strategy.

    Raises
    ------
    ValueError
        For what isn't accepted.
    RunError, BatchError
        If files can't be used, or games failed.
    """
    with call("tune", locals()) as given, place_for(given.get("out"), "tuned.toml") as (place, keeper):
        refuse_resuming_nothing(given["resume"], keeper)
        wanted = read_staff(given["workers"], given["backend"], given["scheduler"])
        check_preset_file(place)
        rule_set = choice.read_rules(given["rules"], given["dials"])
        by_seat = choice.read_powers(given["players"], rule_set.powers, given["powers"], given["seat_powers"])
        contest = read_contest(given["strategy"], given["against"], rule_set, by_seat)
        amounts = ("generations", "evaluations", "games", "restarts", "fresh_games")
        budget = read_budget(*(given[name] for name in amounts))
        plan = read_tuning(given["strategy"], contest, given["parameters"], given["aim"], budget, given["seed"])
        with wanted.gather(given["quiet"]) as staff:
            tuned = run_tuning(plan, place, staff, given["resume"], given["quiet"])
        text = write_down(show_tuned(tuned, place)).partition("Written to ")[0]
        return Player(text, tuned.to_dict(), place, keeper)
