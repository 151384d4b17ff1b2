"""The report holds what the experiments found, needs nothing outside itself, and can be read by everybody."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest

import fivetowers_sim.report
from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.content import Picture, Table
from fivetowers_sim.bench.finished import is_finished, read_finished
from fivetowers_sim.bench.numbers import write_estimate
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.report.build import build_report, list_shown_pictures
from fivetowers_sim.report.outline import write_sections
from tests.report.experiments import play_experiments
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.slow

CSS = (Path(fivetowers_sim.report.__file__).parent / "templates" / "report.css").read_text("utf-8")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return play_experiments(tmp_path_factory.mktemp("experiments"))


@pytest.fixture(scope="module")
def finished(folders):
    return [read_finished(folder) for folder in folders]


@pytest.fixture(scope="module")
def built(finished, tmp_path_factory):
    return build_report(finished, tmp_path_factory.mktemp("report"))


class Page(HTMLParser):
    """What a page holds: tags with their attributes, and text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.said = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said.append(data)

    def all(self, wanted):
        return [attributes for tag, attributes in self.tags if tag == wanted]


@pytest.fixture(scope="module")
def page(built):
    return Page(built.html.read_text("utf-8"))


def figures_of(value):
    """Every figure with an interval in JSON values, whatever it is called."""
    if isinstance(value, list):
        for item in value:
            yield from figures_of(item)
    elif isinstance(value, dict):
        for name in ("value", *value):
            ends = {"value": ("value", "low", "high")}.get(name, (name, f"{name}_low", f"{name}_high"))
            if all(isinstance(value.get(end), float) for end in ends):
                yield Estimate(*(value[end] for end in ends), 9)
        for item in value.values():
            yield from figures_of(item)


def test_every_figure_of_the_report_is_one_of_the_results(page, folders):
    known = set()
    for folder in folders:
        for figure, scale in product(figures_of(json.loads((folder / "results.json").read_bytes())), (1, 100)):
            known |= {write_estimate(figure, scale, unit) for unit in ("", "%")}
    # "1.86 ± 0.65 VP less" is a figure too.
    known |= {text.removeprefix("-") for text in known}
    shown = re.findall(r"-?\d+\.\d+%? ± \d+\.\d+", " ".join(page.said))
    assert len(shown) > 300
    assert [text for text in shown if text not in known] == []


def test_the_first_page_has_every_question_with_figure_interval_count_seed_and_command(page, finished):
    verdicts = [verdict for section in write_sections(finished) for verdict in section.verdicts]
    text = " ".join(page.said)
    first = text[: text.index("Decisions of the bidding are drawn")]
    assert len(verdicts) >= 6
    for verdict in verdicts:
        assert re.search(r"\d%? ± \d", verdict.figure)
        for part in (verdict.claim, verdict.interval, verdict.counted, verdict.population, verdict.command):
            assert part
            assert part in first
        assert f"seed {verdict.seed}" in first


def test_a_question_that_was_not_asked_has_the_command_that_asks_it(finished, tmp_path):
    text = build_report(finished[:1], tmp_path).html.read_text("utf-8")
    for command in ("bid-values", "teardown-costs", "powers"):
        assert f"<code>fivetowers {command} --out data/{command}</code>" in text


def test_the_page_needs_nothing_outside_itself_and_no_script(built, page):
    text = built.html.read_text("utf-8")
    assert built.html.stat().st_size < 5_000_000
    assert not re.search(r"https?:|src=\"(?!data:)|url\(|@import|<script|<link|javascript:", text)
    assert page.open == []
    for link in page.all("a"):
        assert link["href"].startswith("#")


def test_links_lead_somewhere_and_names_are_told_apart(page, built):
    names = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(names) == len(set(names))
    assert {link["href"][1:] for link in page.all("a")} <= set(names)
    markdown = built.markdown.read_text("utf-8")
    targets = re.findall(r"\]\(([^)]+)\)", markdown)
    assert len(targets) > 10
    for target in targets:
        assert f'<a id="{target[1:]}">' in markdown if target[0] == "#" else (built.markdown.parent / target).exists()


def test_pictures_have_words_and_a_table_beside_them(page, finished):
    assert all(len(picture["alt"]) > 20 for picture in page.all("img"))
    for section in write_sections(finished):
        pictures = [one for one in section.shown if isinstance(one, Picture)]
        tables = [one for one in section.shown if isinstance(one, Table)]
        assert not pictures or tables
        if section.anchor in ("powers", "game-shape"):
            for picture, after in zip(section.shown, section.shown[1:], strict=False):
                assert isinstance(picture, Table) or isinstance(after, Table), picture.name


def test_pictures_are_drawings_that_stand_alone(page):
    for picture in page.all("img"):
        kind, _, data = picture["src"].partition(",")
        assert kind == "data:image/svg+xml;base64"
        drawing = ElementTree.fromstring(base64.b64decode(data))
        links = [value for part in drawing.iter() for name, value in part.attrib.items() if name.endswith("href")]
        assert all(link.startswith(("#", "data:")) for link in links)


def test_the_twin_says_the_same_as_the_page(built, page, finished):
    markdown = built.markdown.read_text("utf-8").replace("\\~", "~").replace("\\|", "|")
    for section in write_sections(finished):
        for shown in section.shown:
            if isinstance(shown, Table):
                for row in shown.rows:
                    assert all(cell in markdown for cell in row)
    assert len(list_shown_pictures(write_sections(finished))) == len(page.all("img")) == built.pictures


def luminance(colour):
    """Relative luminance by WCAG 2.1."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_computed_as_published():
    # WCAG 2.1: black on white is 21 to 1; #767676 on white is the lightest grey of at least 4.5.
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("scheme", [0, 1, 2], ids=["light", "dark", "print"])
def test_text_can_be_told_from_its_ground(scheme):
    blocks = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    assert len(blocks) == 3
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", blocks[scheme]))
    for text, ground in product(("ink", "faint", "link"), ("paper", "card")):
        assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)


def test_equal_experiments_give_equal_pages(finished, built, tmp_path):
    again = build_report(finished[::-1], tmp_path)
    assert again.html.read_bytes() == built.html.read_bytes()


def test_an_earlier_report_is_replaced_and_nothing_else(finished, tmp_path):
    first = build_report(finished[:1], tmp_path / "report").html.read_bytes()
    assert build_report(finished, tmp_path / "report").html.read_bytes() != first
    for name in ("report.html", "report.md", "figures/tournament.svg"):
        theirs = tmp_path / name.replace("/", "-") / name
        theirs.parent.mkdir(parents=True)
        theirs.write_text("mine", "utf-8")
        with pytest.raises(RunError, match=rf"{Path(name).name} is there and of no report; move it away"):
            build_report(finished, tmp_path / name.replace("/", "-"))
        assert theirs.read_text("utf-8") == "mine"


def test_two_experiments_on_one_question_are_told_apart(finished):
    sections = write_sections([*finished, *finished])
    anchors = [section.anchor for section in sections]
    assert {"game-shape", "game-shape-2"} <= set(anchors)
    names = [picture.name for picture in list_shown_pictures(sections)]
    assert len(names) == len(set(names))
    assert len(anchors) == len(set(anchors))


def test_a_changed_file_is_refused(folders, tmp_path):
    copy = shutil.copytree(folders[0], tmp_path / "copy")
    assert is_finished(copy)
    results = copy / "results.json"
    results.write_bytes(results.read_bytes().replace(b"0.5", b"0.6", 1))
    with pytest.raises(RunError, match="isn't as it was written"):
        read_finished(copy)


@pytest.mark.parametrize("text", ["", "[]", '{"format": "fivetowers-run/1"}'])
def test_what_is_no_experiment_is_refused(tmp_path, text):
    (tmp_path / "manifest.json").write_text(text)
    assert not is_finished(tmp_path)
    with pytest.raises(RunError):
        read_finished(tmp_path)
    with pytest.raises(RunError):
        read_finished(tmp_path / "none")


@pytest.fixture
def browser():
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no browser to open the report in: none of {', '.join(BROWSERS)} is installed")
    return found


# The page says by itself how it came out, to the page that it is shown in.
_PROBE = """<script>addEventListener("load", () => parent.postMessage(JSON.stringify({
wide: document.documentElement.scrollWidth, room: document.documentElement.clientWidth,
missing: [...document.images].filter(image => !image.naturalWidth).length,
errors: window.problems || 0}), "*"))</script>"""
_CATCH = '<script>addEventListener("error", () => { window.problems = (window.problems || 0) + 1 })</script>'
_FRAME = """<!DOCTYPE html><iframe src="probe.html" width="{width}" height="900"></iframe><p id="found"></p>
<script>addEventListener("message", event => document.getElementById("found").textContent = event.data)</script>"""


@pytest.mark.parametrize("width", [1200, 390], ids=["desktop", "phone"])
def test_a_browser_shows_the_page_without_overflow_or_missing_pictures(browser, built, tmp_path, width):
    text = built.html.read_text("utf-8")
    (tmp_path / "probe.html").write_text(
        text.replace("<head>", f"<head>{_CATCH}").replace("</body>", f"{_PROBE}</body>")
    )
    (tmp_path / "frame.html").write_text(_FRAME.format(width=width))
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--dump-dom"]
    command = [browser, *options, f"--user-data-dir={tmp_path / 'profile'}", (tmp_path / "frame.html").as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True)
    found = json.loads(re.search(r'<p id="found">(.*?)</p>', done.stdout)[1])
    assert found["wide"] <= found["room"]
    assert (found["missing"], found["errors"]) == (0, 0)


def test_a_browser_prints_the_page(browser, built, tmp_path):
    paper = tmp_path / "report.pdf"
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--print-to-pdf={paper}"]
    command = [browser, *options, f"--user-data-dir={tmp_path / 'profile'}", built.html.as_uri()]
    subprocess.run(command, capture_output=True, timeout=PATIENCE_SECONDS, check=True)
    assert paper.read_bytes().startswith(b"%PDF")
