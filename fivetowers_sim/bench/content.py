"""What a report consists of, before it becomes a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Verdict:
    """An answer, and what it rests on.

    Attributes
    ----------
    claim : str
        The answer in a sentence.
    figure, interval : str
        The figure that it rests on, with what it is of, and the ends of its interval.
    holds : str
        Under which strategies it holds, or where it doesn't; a sentence.
    counted, population : str
        How much was played, and of what kind of games.
    seed : int
        What decided all chance.
    command : str
        What to type to get the same figures.
    """

    claim: str
    figure: str
    interval: str
    holds: str
    counted: str
    population: str
    seed: int
    command: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values, without what the results say besides."""
        return {name: getattr(self, name) for name in ("claim", "figure", "interval", "holds", "population")}


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes
    ----------
    caption : str
        What it holds, and in what unit.
    headings : tuple of str
        Of the columns; the first column names the row.
    rows : tuple of tuple of str
        The cells.
    texts : int
        How many columns at the left hold words, which may go on in the next line; the others hold figures.
    """

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        told = {"caption": self.caption, "headings": list(self.headings), "rows": [list(row) for row in self.rows]}
        return told if self.texts == 1 else {**told, "texts": self.texts}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in both forms.

    Attributes
    ----------
    name : str
        File name without ending.
    svg, png : bytes
        The picture.
    alt : str
        What is to be seen, for those who can't see it.
    caption : str
        What it is.
    """

    name: str
    svg: bytes
    png: bytes
    alt: str
    caption: str


@dataclass(frozen=True, slots=True)
class PictureOf:
    """A picture that is or will be in the experiment's folder.

    Attributes
    ----------
    name : str
        File name without ending.
    caption : str
        What it is.
    """

    name: str
    caption: str


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a report.

    Attributes
    ----------
    anchor : str
        What links to it are called.
    title : str
        Its heading.
    question : str
        What it answers.
    verdicts : tuple of Verdict
        The answers that go on the first page.
    said : tuple of str
        Paragraphs.
    shown : tuple of Picture, PictureOf or Table
        Pictures, each followed by its table, and other tables.
    missing : str
        If there is nothing to show: what to type to have it.
    """

    anchor: str
    title: str
    question: str
    verdicts: Sequence[Verdict] = ()
    said: Sequence[str] = ()
    shown: Sequence[Picture | PictureOf | Table] = field(default_factory=tuple)
    missing: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return what is said and shown as plain JSON values; pictures by name, verdicts apart."""
        shown = [
            {"picture": one.name, "caption": one.caption} if isinstance(one, (Picture, PictureOf)) else one.to_dict()
            for one in self.shown
        ]
        return {"title": self.title, "question": self.question, "said": list(self.said), "shown": shown}
