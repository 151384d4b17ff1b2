"""The part of the tests that a change needs first: all that isn't marked as slow."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import fivetowers_sim

PACKAGE = Path(fivetowers_sim.__file__).parent
FOLDERS = sorted(file.parent.name for file in PACKAGE.glob("*/__init__.py"))


def fast_tests(file):
    """List a file's tests that are not slow, in all their cases."""
    tree = ast.parse(file.read_text("utf-8"))
    if any(isinstance(node, ast.Assign) and "pytest.mark.slow" in ast.unparse(node) for node in tree.body):
        return []
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return [test.name for test in tests if "pytest.mark.slow" not in map(ast.unparse, test.decorator_list)]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_of_the_package_has_tests_that_are_not_slow(folder):
    files = (Path(__file__).parent / folder).glob("test_*.py")
    assert any(map(fast_tests, files))
