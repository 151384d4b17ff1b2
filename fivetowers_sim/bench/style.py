"""How all pictures look, and how they become files.

Colours are those of M. Okabe and K. Ito (*Color Universal Design*, 2008), which people with any common kind of colour
blindness can tell apart. Nothing is told by colour alone.
"""

from __future__ import annotations

import importlib
import io
import logging
import os
import sys
import textwrap
import warnings
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK: Final = "#222222"
FAINT: Final = "#8a8a8a"
BLUE: Final = "#0072B2"
ORANGE: Final = "#E69F00"

SERIES: Final = ((BLUE, "o"), ("#D55E00", "s"), ("#009E73", "^"), ("#CC79A7", "D"))
"""Colour and symbol of each of up to four things shown beside each other."""

BELOW_ABOVE: Final = ("#D55E00", "#F7F7F7", "#0072B2")
"""Ends and middle of a scale that runs from less than expected to more."""

_LONGEST_LABEL: Final = 30
# At the size of notes.
_LETTERS_PER_INCH: Final = 15.9

_SETTINGS: Final[dict[str, Any]] = {
    "font.family": "sans-serif",
    # The first is what is drawn with; where a viewer of an SVG lacks it, the next are nearly as wide.
    "font.sans-serif": ["DejaVu Sans", "Bitstream Vera Sans", "Verdana", "sans-serif"],
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    # A name is shown as it is written, with all its dollars.
    "text.parse_math": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    # Text stays text, and equal pictures are equal files.
    "svg.fonttype": "none",
    "svg.hashsalt": "fivetowers",
}


Interval = tuple[float, float, float]
"""Low end, estimate, high end."""


@contextmanager
def house_style() -> Iterator[None]:
    """Draw what is made inside the block in the style of all pictures here, whatever the user has set for others."""
    _load_matplotlib()
    import matplotlib

    with matplotlib.rc_context():
        with warnings.catch_warnings():
            # Defaults of settings that are on their way out are set like the others.
            warnings.simplefilter("ignore", matplotlib.MatplotlibDeprecationWarning)
            # The backend decides about windows, of which there are none here; it is the user's.
            defaults = {name: value for name, value in matplotlib.rcParamsDefault.items() if name != "backend"}
            matplotlib.rcParams.update({**defaults, **_SETTINGS})
        yield


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of this size in inches, known to no window. To be called in the house style."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _load_matplotlib() -> None:
    """Import Matplotlib, without a word on standard error about the user's settings, which aren't used."""
    if "matplotlib.figure" in sys.modules:
        return
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        importlib.import_module("matplotlib.figure")
    except (ValueError, OSError):
        if "matplotlib" in sys.modules:
            raise
        # MPLBACKEND names what isn't installed, or a file of settings can't be read: nobody's Matplotlib would load.
        _load_without_settings()
    finally:
        logger.setLevel(level)


def _load_without_settings() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        # Each half of what was loaded believes the other to be there.
        del sys.modules[name]
    found = find_spec("matplotlib")
    backend = os.environ.pop("MPLBACKEND", None)
    try:
        # Settings are read from the working folder before all others, and in this one they are Matplotlib's own.
        with chdir(Path(found.origin).with_name("mpl-data")):
            importlib.import_module("matplotlib.figure")
    finally:
        if backend is not None:
            os.environ["MPLBACKEND"] = backend


def draw_intervals(axes: Axes, intervals: list[Interval], colour: str = BLUE) -> None:
    """Draw estimates as dots with their intervals, one below the other, the first on top.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw; the first estimate is at height 0, the next at 1.
    intervals : list of (float, float, float)
        Low end, estimate, high end. An end that is not a number isn't drawn.
    colour : str
        Of dots and lines.
    """
    for height, (low, value, high) in enumerate(intervals):
        axes.plot([low, high], [height, height], color=colour, linewidth=2.5, solid_capstyle="butt", zorder=2)
        axes.plot([value], [height], "o", color=colour, markersize=4, zorder=3)
    axes.set_ylim(len(intervals) - 0.4, -0.6)


def shorten_label(name: str) -> str:
    """Return a user's name as it has room beside axes and in legends."""
    return name if len(name) <= _LONGEST_LABEL else f"{name[: _LONGEST_LABEL - 1]}…"


def write_note(figure: Figure, text: str) -> None:
    """Write below a figure what it is about, in lines as wide as the figure."""
    letters = int(figure.get_figwidth() * _LETTERS_PER_INCH)
    figure.supxlabel(textwrap.fill(text, letters), x=0.01, ha="left", fontsize=8, color=INK)


def encode_figure(figure: Figure, name: str, description: str) -> dict[str, bytes]:
    """Return a figure as files.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The figure.
    name : str
        The files' name, without ending.
    description : str
        What is to be seen, for those who can't see it; kept in both files.

    Returns
    -------
    dict of str to bytes
        A PNG and an SVG by file name. Equal figures give equal files.
    """
    files = {}
    with house_style(), warnings.catch_warnings():
        # Names may hold letters that the font lacks: a box stands for each in the PNG, and the SVG has them as text.
        warnings.filterwarnings("ignore", r"Glyph \d+ .*missing from")
        warnings.filterwarnings("ignore", "Matplotlib currently does not support .* natively")
        for kind, notes in (("png", {"Description": description}), ("svg", {"Description": description, "Date": None})):
            buffer = io.BytesIO()
            figure.savefig(buffer, format=kind, dpi=150, metadata=notes)
            files[f"{name}.{kind}"] = buffer.getvalue()
    return files
