"""How kernels are compiled: each function once, and only what is run becomes machine code."""

from __future__ import annotations

import re
from typing import Any

import pytest
from numba.core.caching import NullCache

from fivetowers_sim.compiled import entry_point, kernel, rare_kernel


@rare_kernel
def largest_factor(number):
    factor = number - 1
    while number % factor != 0:
        factor -= 1
    return factor


@kernel
def doubled_factor(number):
    return 2 * largest_factor(number)


@entry_point
def add_up(numbers):
    total = doubled_factor(7) + doubled_factor(9)
    for number in numbers:
        total += doubled_factor(number)
    return total


def llvm_of(dispatcher: Any) -> str:
    """The one version of a function before the entry point is optimised."""
    (text,) = dispatcher.inspect_llvm().values()
    return text


@pytest.fixture(autouse=True, scope="module")
def played() -> None:
    # Code that an earlier run has kept would be loaded, and nothing compiled.
    add_up._cache = NullCache()
    assert add_up((6, 10, 15)) == 2 * (1 + 3 + 3 + 5 + 5)


def test_a_kernel_is_compiled_once_for_all_numbers_that_it_is_called_with() -> None:
    assert len(doubled_factor.overloads) == 1
    assert len(largest_factor.overloads) == 1


def test_a_kernel_becomes_part_of_those_that_call_it() -> None:
    assert "alwaysinline" in llvm_of(doubled_factor)
    (assembly,) = add_up.inspect_asm().values()
    defined = re.findall(r"^(\S+):$", assembly, re.MULTILINE)
    assert any("add_up" in name for name in defined)
    assert not any("doubled_factor" in name for name in defined)


def test_a_rare_kernel_does_not_have_to_though_a_kernel_calls_it() -> None:
    assert "alwaysinline" not in llvm_of(largest_factor)
