"""What a user's own strategy answers: whether it is a plan at all, and whether the rules allow it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.legal_build import FAULTS, NO_FAULT, TEARS_NO_TOP_CARD, find_fault
from fivetowers_sim.rules.state import BUILD, MAX_PLACED, MAX_TOWER
from fivetowers_sim.strategies.custom import Build, BuildPlan, Card, Placement
from fivetowers_sim.strategies.custom_builds import END_NAMES, SOURCE_NAMES, Builds

_KINDS: Final = {name: number for number, name in enumerate(TOWER_TYPES)}
_ENDS: Final = {name: number for number, name in END_NAMES.items()}
_SOURCES: Final = {name: number for number, name in SOURCE_NAMES.items()}
_LONGEST_QUOTE: Final = 60


class AnswerError(ValueError):
    """An answer that isn't accepted; the message says what it does, as in ``takes candy-3, which …``."""


def check_answer(answer: Any, builds: Builds) -> np.ndarray | None:
    """Check a strategy's answer.

    Parameters
    ----------
    answer : object
        What it returned.
    builds : Builds
        What it was offered, in which position and within which limits.

    Returns
    -------
    ndarray of BUILD, shape (1,), or None
        The build to carry out; None for a pass.

    Raises
    ------
    AnswerError
        If it is neither a plan nor None, or the plan can't be carried out.
    """
    if answer is None:
        return None
    if not isinstance(answer, (BuildPlan, Build)):
        raise AnswerError(f"answers {quote(answer)}; accepted is a BuildPlan, one of view.builds, or None to pass")
    if answer in builds:
        return builds.write(answer)
    build = np.zeros(1, BUILD)
    _write_build(answer, builds.display, build[0])
    _check_bid(int(build[0]["bid"]), builds.builder[0])
    fault, place = find_fault(builds.rules, builds.game.copy(), builds.builder, build)
    if fault != NO_FAULT:
        cards = answer.torn if fault == TEARS_NO_TOP_CARD else [placed.card for placed in _placements(answer)]
        raise AnswerError(FAULTS[fault].format(card=cards[place] if cards else ""))
    return build


def quote(value: Any) -> str:
    """Write a value and its type, cut short if it is long."""
    try:
        text = repr(value)
    except Exception:
        text = "something"
    short = text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 2]} …"
    return f"{short} ({type(value).__name__})"


def _check_bid(bid: int, builder: np.void) -> None:
    low, high = int(builder["lowest_bid"]), int(builder["highest_bid"])
    if not low <= bid <= high:
        accepted = f"above {low - 1}" if bid < low else f"at most {high}"
        raise AnswerError(f"bids {bid}; accepted here is a bid {accepted}, or None to pass")


def _write_build(answer: BuildPlan | Build, display: tuple[Card, ...], build: np.void) -> None:
    """Write a plan as the kernels' record, as far as it makes sense at all."""
    taken, torn, placements = _cards("take", answer.take), _cards("torn", answer.torn), _placements(answer)
    build["take"] = _find_positions(taken, display)
    if type(answer.pay) is not int or not 0 <= answer.pay <= MAX_TOWER:
        raise AnswerError(f"has pay {quote(answer.pay)}; accepted is a whole number from 0")
    build["pay"] = answer.pay
    build["bid"] = len(taken) + answer.pay
    if len(torn) > len(build["torn_kind"]):
        raise AnswerError("tears down more cards than it may")
    build["torn_size"] = len(torn)
    build["torn_kind"][: len(torn)] = [code >> 5 for code in torn]
    build["torn_card"][: len(torn)] = torn
    if len(placements) > MAX_PLACED:
        raise AnswerError(f"builds {len(placements)} cards; there aren't so many")
    build["placed_size"] = len(placements)
    for place, placed in enumerate(placements):
        if placed.end not in _ENDS or placed.source not in _SOURCES:
            raise AnswerError(f"has {placed!r}; accepted is end top or bottom, source hand or teardown")
        build["placed_card"][place] = _code("placements", placed.card)
        build["placed_end"][place] = _ENDS[placed.end]
        build["placed_from"][place] = _SOURCES[placed.source]


def _placements(answer: BuildPlan | Build) -> list[Placement]:
    """Return the placements; where a plan leaves them out, each card taken on top."""
    given = answer.placements
    if given is None:
        return [Placement(card) for card in answer.take]
    if not isinstance(given, (tuple, list)) or not all(isinstance(placed, Placement) for placed in given):
        raise AnswerError(f"has placements {quote(given)}; accepted is a tuple of Placement")
    return list(given)


def _cards(name: str, given: Any) -> list[int]:
    if not isinstance(given, (tuple, list)):
        raise AnswerError(f"has {name} {quote(given)}; accepted is a tuple of Card")
    return [_code(name, card) for card in given]


def _code(name: str, card: Any) -> int:
    if not isinstance(card, Card) or card.kind not in _KINDS or type(card.value) is not int or not 0 <= card.value < 31:
        raise AnswerError(f"has {quote(card)} in {name}; accepted is a Card")
    return _KINDS[card.kind] * 32 + card.value


def _find_positions(taken: list[int], display: tuple[Card, ...]) -> int:
    """Return display positions (bits) of the cards taken, the first of identical ones first."""
    positions, shown = 0, [_code("display", card) for card in display]
    for code in taken:
        free = [place for place, here in enumerate(shown) if here == code and not (positions >> place) & 1]
        if not free:
            raise AnswerError(f"takes {TOWER_TYPES[code >> 5]}-{code & 31} from the display, where it isn't (any more)")
        positions |= 1 << free[0]
    return positions
