"""Write ``data/README.md``, the description of run folders, from the declared columns.

``make data-readme`` runs this after a change of a column.
"""

from __future__ import annotations

import sys
from typing import Final

from fivetowers_sim.dataset.schema import columns_as_markdown
from fivetowers_sim.engine.record import DETAILS, TABLES
from fivetowers_sim.layout import Layout

_BEGINNING: Final = """\
# Runs

Each run of `fivetowers simulate` writes a folder here (`make demo` writes `demo/`). Git ignores everything in
this folder but this page, which `make data-readme` writes from the columns that the program declares.

| file | holds |
|---|---|
| `manifest.json` | the plan, the rule set, the seed, versions, and of each part its games, rows, bytes and SHA-256 |
"""

_END: Final = """
Parts are Parquet files, compressed with zstd. Rows are in order of games, and all rows of a game are in parts of
the same number. Read a table with Polars:

```python
import polars as pl

seats = pl.scan_parquet("data/demo/seats/*.parquet")
seats.group_by("seat").agg(pl.col("win_share", "total").mean()).sort("seat").collect()
```

or with anything else that reads Parquet. `fivetowers verify` says whether the parts are as they were written, and
`fivetowers digest` prints one hash of all that they hold.

## Several runs

A table's columns have the same types in every run, whatever its strategies, Great Powers or number of players (runs of
version 0.1 [take a cast](../docs/files.md#a-run-folder)), so one call reads several runs:

```python
both = pl.scan_parquet(["data/demo/seats/*.parquet", "data/powers/seats/*.parquet"], include_file_paths="file")
both.group_by("strategy", "powers").agg(pl.col("total").mean()).collect()
```

| with | which run a row is of is told by |
|---|---|
| pandas | `pd.concat(pd.read_parquet(run).assign(run=run) for run in ("data/demo/seats", "data/powers/seats"))` |
| DuckDB | `FROM read_parquet(['data/demo/seats/*.parquet', 'data/powers/seats/*.parquet'], filename = true)` |

Whole numbers are signed, and wide enough for differences and products.

## What is recorded

VP are victory points. Seats count from 0, and seat 0 starts the game. Seats of one game are not independent of each
other: work out how sure a figure is from games, not from seats, rounds or bids.

"""


def describe_data() -> str:
    """Return the page: files, how to read them, and every column of every table.

    Returns
    -------
    str
        Markdown.
    """
    files = "".join(f"| `{layout.name}/part-000000.parquet` … | {_describe_table(layout)} |\n" for layout in TABLES)
    return _BEGINNING + files + _END + columns_as_markdown(TABLES)


def _describe_table(layout: Layout) -> str:
    levels = [level for level, layouts in DETAILS.items() if layout in layouts]
    if len(levels) == len(DETAILS):
        return f"the table `{layout.name}`"
    return f"the table `{layout.name}`, with {' or '.join(f'`--detail {level}`' for level in levels)}"


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.write(describe_data())
