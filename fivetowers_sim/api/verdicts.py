"""What an experiment's folder says, whether its question says it once or the report still does."""

from __future__ import annotations

from fivetowers_sim.bench.content import Section
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.pictures import read_section
from fivetowers_sim.report.outline import QUESTIONS
from fivetowers_sim.report.sections.any_experiment import write_any


def write_section(finished: Finished) -> Section:
    """Write what an experiment found as a report would, with a verdict of every kind of experiment.

    Parameters
    ----------
    finished : Finished
        The experiment.

    Returns
    -------
    Section
        The section.
    """
    if "section" in finished.results:
        return read_section(finished)
    return QUESTIONS.get(finished.experiment, ("", write_any))[1](finished)
