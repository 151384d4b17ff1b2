"""The pictures of an experiment's folder, and what its results say, for a report."""

from __future__ import annotations

import io
from collections.abc import Iterator

from fivetowers_sim.bench.content import Picture, PictureOf, Section, Table, Verdict
from fivetowers_sim.bench.finished import Finished


def list_pictures(finished: Finished) -> Iterator[Picture]:
    """Yield an experiment's pictures that are there in both forms.

    Parameters
    ----------
    finished : Finished
        The experiment.

    Yields
    ------
    Picture
        Named after experiment and file. What is to be seen is what the PNG says of itself.
    """
    for file, svg in finished.pictures.items():
        name, _, kind = file.rpartition(".")
        png = finished.pictures.get(f"{name}.png")
        if kind == "svg" and png is not None:
            said = read_description(png)
            yield Picture(_name(finished, name), svg, png, said, said)


def find_picture(finished: Finished, name: str, caption: str) -> list[Picture]:
    """Return one of an experiment's pictures by file name, in a list that is empty if it isn't there."""
    wanted = _name(finished, name)
    return [
        Picture(one.name, one.svg, one.png, one.alt, caption) for one in list_pictures(finished) if one.name == wanted
    ]


def read_section(finished: Finished) -> Section:
    """Return what an experiment's results say of themselves, with the pictures that are there.

    Parameters
    ----------
    finished : Finished
        An experiment of a :class:`~fivetowers_sim.bench.question.Question`.

    Returns
    -------
    Section
        As it was written when the experiment was played.
    """
    kept = finished.results["section"]
    rest = {"counted": finished.counted, "seed": finished.seed, "command": finished.command}
    verdicts = [Verdict(**one, **rest) for one in finished.results["verdicts"]]
    shown: list[Picture | PictureOf | Table] = []
    for one in kept["shown"]:
        if "picture" in one:
            shown += find_picture(finished, one["picture"], one["caption"])
        else:
            rows = tuple(map(tuple, one["rows"]))
            shown.append(Table(one["caption"], tuple(one["headings"]), rows, one.get("texts", 1)))
    return Section(finished.experiment, kept["title"], kept["question"], verdicts, kept["said"], shown)


def _name(finished: Finished, name: str) -> str:
    return name if name.startswith(finished.experiment) else f"{finished.experiment}-{name}"


def read_description(png: bytes) -> str:
    """Return what a PNG says is to be seen in it; nothing if it doesn't."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        return str(getattr(image, "text", {}).get("Description", ""))
