"""Figures as text: to the digits that their intervals leave meaningful."""

from __future__ import annotations

import math

from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate


def write_estimate(estimate: Estimate, scale: int = 1, unit: str = "") -> str:
    """Write a figure with its margin, both to the digits that the margin leaves meaningful.

    Parameters
    ----------
    estimate : Estimate
        The figure.
    scale : int
        What to multiply it by.
    unit : str
        Written after the figure.

    Returns
    -------
    str
        Such as ``33.91% ± 0.09``.
    """
    value, margin = estimate.value * scale, estimate.margin * scale
    if math.isnan(margin):
        return f"{value:.1f}{unit} ± ?"
    digits = _digits(margin)
    return f"{value:.{digits}f}{unit} ± {margin:.{digits}f}"


def write_signed(estimate: Estimate, scale: int = 1, unit: str = "") -> str:
    """Write a difference with its sign and margin; see :func:`write_estimate`."""
    text = write_estimate(estimate, scale, unit)
    return text if text.startswith("-") or estimate.value == 0 else f"+{text}"


def write_interval(estimate: Estimate, scale: int = 1, unit: str = "") -> str:
    """Write the ends of a figure's interval.

    Parameters
    ----------
    estimate : Estimate
        The figure.
    scale : int
        What to multiply it by.
    unit : str
        Written after each end.

    Returns
    -------
    str
        Such as ``95% interval 33.82% to 34.00%``.
    """
    if math.isnan(estimate.low):
        return "no interval from so few games"
    digits = _digits(estimate.margin * scale)
    low, high = (f"{scale * end:.{digits}f}{unit}" for end in (estimate.low, estimate.high))
    return f"{CONFIDENCE:.0%} interval {low} to {high}"


def _digits(margin: float) -> int:
    return 1 if margin >= 0.95 else 2 if margin >= 0.0095 else 3


def join(words: list[str], last: str = "and") -> str:
    """Join words as in a sentence: with commas, and "and" or another word before the last."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
