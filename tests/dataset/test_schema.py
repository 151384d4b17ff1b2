"""Column types, nulls, labels, and the columns in words."""

from __future__ import annotations

import json
import re

import numpy as np
import polars as pl
import pytest

from fivetowers_sim.dataset.schema import (
    build_frame,
    columns_as_markdown,
    layout_from_dict,
    layout_to_dict,
    polars_schema,
    resolve_labels,
)
from fivetowers_sim.layout import Column, Layout
from tests.batch.fake_game import GAMES, ROUNDS, SEATS, FakeSetup

RESOLVED = resolve_labels((GAMES, SEATS, ROUNDS), FakeSetup().labels())


def test_whole_numbers_become_signed_and_codes_become_texts():
    assert dict(polars_schema(RESOLVED[1])) == {
        "game": pl.Int64,
        "seat": pl.Int32,
        "strategy": pl.String,
        "total": pl.Int32,
        "win_share": pl.Float32,
    }
    assert polars_schema(RESOLVED[0])["tied"] == pl.Boolean


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "i1", "i2"])
def test_a_column_holds_every_number_of_its_records_and_the_difference_of_any_two(dtype):
    layout = Layout("table", "one row", (Column("number", dtype, "cards", "A number."),))
    ends = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    frame = build_frame(layout, [np.array([(end,) for end in ends], layout.dtype)])
    assert frame["number"].to_list() == [*ends]
    assert frame.select(pl.col("number").min() - pl.col("number").max()).item() == ends[0] - ends[1]


def test_frames_have_the_schema_and_join_blocks_in_order():
    setup = FakeSetup()
    blocks = [setup.play(0, 3, "rounds"), setup.play(3, 4, "rounds")]
    for layout in RESOLVED:
        frame = build_frame(layout, [block[layout.name] for block in blocks])
        assert frame.schema == polars_schema(layout)
        assert frame.equals(build_frame(layout, [setup.play(0, 7, "rounds")[layout.name]]))
        assert frame["game"].unique().to_list() == list(range(7))


def test_the_missing_number_becomes_null_in_plain_and_in_labelled_columns():
    rows = np.array([(0, 0, -1, 0), (0, 1, 2, 255), (0, 2, 0, 1)], ROUNDS.dtype)
    frame = build_frame(RESOLVED[2], [rows])
    assert frame["winner"].to_list() == [None, 2, 0]
    assert frame["mood"].to_list() == ["calm", None, "tense"]


def test_a_table_without_rows_still_has_its_columns():
    frame = build_frame(RESOLVED[2], [np.empty(0, ROUNDS.dtype)])
    assert frame.height == 0
    assert frame.schema == polars_schema(RESOLVED[2])


def test_a_code_without_a_name_is_refused():
    rows = np.array([(0, 0, 0, 2)], ROUNDS.dtype)
    with pytest.raises(ValueError, match="table rounds: mood holds code 2 of 2 labels"):
        build_frame(RESOLVED[2], [rows])


def test_records_of_another_layout_are_refused():
    with pytest.raises(ValueError, match="table rounds: records are of type"):
        build_frame(RESOLVED[2], [np.empty(1, SEATS.dtype)])


@pytest.mark.parametrize("dtype", ["M8[s]", "u8"])
def test_a_type_that_parquet_parts_lack_is_refused(dtype):
    with pytest.raises(TypeError, match=f"column when is of type {re.escape(dtype)}; accepted are u1, "):
        polars_schema(Layout("odd", "", (Column("when", dtype, "s", ""),)))


def test_layouts_survive_json():
    for layout in RESOLVED:
        again = layout_from_dict(json.loads(json.dumps(layout_to_dict(layout))))
        assert polars_schema(again) == polars_schema(layout)
        assert [column.missing for column in again.columns] == [column.missing for column in layout.columns]
        assert layout_to_dict(again) == layout_to_dict(layout)


def test_every_column_is_described_in_words():
    text = columns_as_markdown((GAMES, SEATS, ROUNDS))
    assert "## `seats`: one row per game and seat" in text
    assert "| `winner` | Int32, may be null | seat | Who won it; null if nobody. |" in text
    assert "| `mood` | String, may be null | name | How it felt. One of: `calm`, `tense`. |" in text
    assert "| `strategy` | String | name | Who sat there. The names are the plan's `strategies`. |" in text
