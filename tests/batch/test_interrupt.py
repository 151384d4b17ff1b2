"""Ctrl-C held back until it can do no harm."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from fivetowers_sim.batch.interrupt import hold_interrupts
from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.batch.run import run_parts
from tests.batch.fake_game import FakeSetup
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a process can't send itself Ctrl-C")


def press_ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)


def test_the_first_ctrl_c_is_noted_and_raised_at_the_end_of_the_block():
    steps = []
    with pytest.raises(KeyboardInterrupt), hold_interrupts() as interrupted:  # noqa: PT012 - that it goes on is the point
        steps.append(interrupted())
        press_ctrl_c()
        steps.append(interrupted())
    assert steps == [False, True]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_second_ctrl_c_is_raised_at_once():
    steps = []
    with pytest.raises(KeyboardInterrupt), hold_interrupts():  # noqa: PT012 - where it ends is the point
        press_ctrl_c()
        steps.append("after the first")
        press_ctrl_c()
        steps.append("after the second")
    assert steps == ["after the first"]


def test_a_block_without_ctrl_c_ends_as_always():
    with hold_interrupts() as interrupted:
        assert not interrupted()


def test_other_threads_and_other_handlers_are_left_alone():
    handlers = []

    def hold():
        with hold_interrupts():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=hold)
    thread.start()
    thread.join()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    hold()
    signal.signal(signal.SIGINT, before)
    assert handlers == [signal.default_int_handler, signal.SIG_IGN]


def test_parts_that_are_done_when_the_user_interrupts_still_give_receipts():
    plan = Plan(FakeSetup(), games=1000, part_games=100)
    finished, noted = [], []

    def play(plan, part, stop):
        finished.append(part)

    with pytest.raises(KeyboardInterrupt), hold_interrupts() as interrupted:  # noqa: PT012 - as a caller would
        for receipt in run_parts(plan, plan.parts(), play, 2, interrupted=interrupted):
            if not noted:
                # As many as are handed out while nobody takes a receipt.
                wait_until(lambda: len(finished) == 3)
                press_ctrl_c()
            noted.append(receipt.part)
    assert len(noted) == 3
    assert sorted(noted) == sorted(finished)
