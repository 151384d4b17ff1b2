"""Build the report: one page of HTML that needs nothing else, and a twin in Markdown with its pictures as files."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fivetowers_sim.bench.content import Picture, Section
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.dataset.atomic import write_atomically
from fivetowers_sim.dataset.errors import RunError, as_run_error
from fivetowers_sim.report.outline import write_sections

HTML_NAME: Final = "report.html"
MARKDOWN_NAME: Final = "report.md"
FIGURES_FOLDER: Final = "figures"
TITLE: Final = "5 Towers: balance report"
_PACKAGE: Final = "fivetowers_sim.report"

# Inside a word an underscore is a letter. What makes a list or a heading does so at the beginning.
_MARKUP: Final = re.compile(r"[\\`*\[\]|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^(?:[#>]|[+-](?=\s))")


@dataclass(frozen=True, slots=True)
class Built:
    """A report that was written.

    Attributes
    ----------
    html, markdown : Path
        The pages.
    pictures : int
        How many pictures they show.
    verdicts : tuple of str
        The claims on the first page.
    """

    html: Path
    markdown: Path
    pictures: int
    verdicts: tuple[str, ...]

    def describe(self) -> str:
        """Say where the report is."""
        size = self.html.stat().st_size / 1e6
        what = f"{size:.1f} MB, {self.pictures} pictures"
        return f"The report is {self.html} ({what}); the same in Markdown is {self.markdown}."

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        pages = {"html": str(self.html), "markdown": str(self.markdown)}
        return {**pages, "pictures": self.pictures, "verdicts": list(self.verdicts)}


def build_report(finished: Sequence[Finished], folder: Path) -> Built:
    """Write a report on some experiments.

    Parameters
    ----------
    finished : sequence of Finished
        The experiments.
    folder : Path
        Where to write; it is made if need be, and files of an earlier report are replaced.

    Returns
    -------
    Built
        What was written. Equal experiments give equal files.

    Raises
    ------
    RunError
        If something can't be written, or would replace what isn't of a report.
    """
    sections = write_sections(finished)
    pictures = list_shown_pictures(sections)
    files = {
        HTML_NAME: render_html(sections, finished).encode(),
        MARKDOWN_NAME: render_markdown(sections, finished).encode(),
    }
    for picture in pictures:
        figure = f"{FIGURES_FOLDER}/{picture.name}"
        files |= {f"{figure}.svg": picture.svg, f"{figure}.png": picture.png}
    check_replaceable(folder, files)
    with as_run_error("write", folder):
        (folder / FIGURES_FOLDER).mkdir(parents=True, exist_ok=True)
        # The page comes first: it says whose the others are.
        for name, data in files.items():
            write_atomically(folder / name, data)
    claims = tuple(verdict.claim for section in sections for verdict in section.verdicts)
    return Built(folder / HTML_NAME, folder / MARKDOWN_NAME, len(pictures), claims)


def check_replaceable(folder: Path, names: Iterable[str] = (HTML_NAME, MARKDOWN_NAME)) -> None:
    """Make sure that what a report would replace is of an earlier one.

    Parameters
    ----------
    folder : Path
        Where the report would be written.
    names : iterable of str
        Its files.

    Raises
    ------
    RunError
        Naming a file that is there and of no report.
    """
    with as_run_error("read", folder):
        own = [page for page in (HTML_NAME, MARKDOWN_NAME) if _is_report(folder / page)]
        for name in names:
            pictured = own and name.startswith(f"{FIGURES_FOLDER}/")
            if name not in own and not pictured and (folder / name).exists():
                raise RunError(f"{folder / name} is there and of no report; move it away, or choose another folder")


def _is_report(page: Path) -> bool:
    return page.is_file() and TITLE.encode() in page.read_bytes()


def list_shown_pictures(sections: Sequence[Section]) -> list[Picture]:
    """Return all pictures of a report, in order."""
    return [one for section in sections for one in section.shown if isinstance(one, Picture)]


def render_html(sections: Sequence[Section], finished: Sequence[Finished]) -> str:
    """Return the page as HTML, its pictures and its style inside."""
    return _render("report.html.j2", sections, finished)


def render_markdown(sections: Sequence[Section], finished: Sequence[Finished]) -> str:
    """Return the page as Markdown, with links to its pictures."""
    return _render("report.md.j2", sections, finished)


def _render(template: str, sections: Sequence[Section], finished: Sequence[Finished]) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(_PACKAGE),
        autoescape=template.endswith(".html.j2"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"data_address": data_address, "plain": escape_markdown, "sentence": begin_sentence}
    environment.tests["picture"] = lambda shown: isinstance(shown, Picture)
    return environment.get_template(template).render(
        title=TITLE, sections=sections, versions=list_versions(finished), figures=FIGURES_FOLDER
    )


def data_address(svg: bytes) -> str:
    """Return the address of a picture that is inside the page."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"


def escape_markdown(text: str) -> str:
    """Return a text as it is written in Markdown, in a paragraph or a cell of a table, to be shown as it is."""
    plain = _MARKUP.sub(r"\\\g<0>", text.replace("&", "&amp;").replace("<", "&lt;"))
    return " ".join(plain.split()) or " "


def begin_sentence(text: str) -> str:
    """Return a text with its first letter large."""
    return text[:1].upper() + text[1:]


def list_versions(finished: Sequence[Finished]) -> dict[str, Any]:
    """Return the versions that the experiments were played with; several are separated by commas."""
    found: dict[str, set[str]] = {}
    for one in finished:
        for name, version in one.manifest["versions"].items():
            found.setdefault(name, set()).add(str(version))
    return {name: ", ".join(sorted(versions)) for name, versions in found.items()}
