"""What results look like in a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fivetowers_sim.bench.content import Picture, Section
from fivetowers_sim.dataset.atomic import write_atomically
from fivetowers_sim.report.build import begin_sentence, data_address

if TYPE_CHECKING:
    from jinja2 import Template


@dataclass(frozen=True, slots=True)
class ShownPicture(Picture):
    """A picture that a notebook shows.

    Attributes
    ----------
    name, svg, png, alt, caption
        As :class:`~fivetowers_sim.bench.content.Picture` has them.
    """

    def save(self, path: str | Path) -> Path:
        """Write the picture into a file that ends in ``.svg`` or ``.png``.

        Parameters
        ----------
        path : str or Path
            The file; what is there is replaced.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ValueError
            If it ends otherwise.
        """
        file = Path(path).expanduser()
        kinds = {".svg": self.svg, ".png": self.png}
        if file.suffix not in kinds:
            raise ValueError(f"path is {str(path)!r}; accepted is a file that ends in .svg or .png")
        write_atomically(file, kinds[file.suffix])
        return file

    def __repr__(self) -> str:
        return f"<picture {self.name}: {self.alt}>"

    def _repr_svg_(self) -> str:
        return self.svg.decode()

    def _repr_png_(self) -> bytes:
        return self.png

    def _repr_html_(self) -> str:
        return (
            f'<img src="{data_address(self.svg)}" alt="{escape(self.alt)}" style="max-width: 100%; background: #fff">'
        )


def show_text(text: str) -> str:
    """Return a text as HTML that keeps its lines and columns."""
    return f'<pre style="line-height: 1.25; white-space: pre; overflow-x: auto">{escape(text.rstrip())}</pre>'


def show_section(section: Section) -> str:
    """Return what an experiment found as a piece of HTML that needs nothing else.

    Parameters
    ----------
    section : Section
        What it found.

    Returns
    -------
    str
        The piece; its style holds inside it alone.
    """
    return _template().render(section=section)


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("fivetowers_sim.api"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"data_address": data_address, "sentence": begin_sentence}
    environment.tests["picture"] = _is_picture
    return environment.get_template("result.html.j2")


def _is_picture(shown: Any) -> bool:
    return isinstance(shown, Picture)
