"""A question of one's own, as the tutorial in docs/own-questions.md has it."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "own-questions.md"


def tutorial_code():
    """Return the first Python file of the page."""
    return re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[1]
