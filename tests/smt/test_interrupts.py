"""Ctrl-C while z3 is at work: raised once, soon, and in our own code; what does not raise changes no answer."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

import pytest

from p2smt.smt.answer import NoAnswer, Sat, Stop, Unsat
from p2smt.smt.interrupts import Interruptible
from p2smt.smt.solver import Solver
from p2smt.smt.terms import conj, constants, disj, neg

RUNS = 3


def pigeons(holes):
    """One pigeon more than holes: unsatisfiable, and with 12 holes not decided within minutes."""
    rows = [constants(f"in{pigeon}_", holes) for pigeon in range(holes + 1)]
    yield from map(disj, rows)
    for one, row in enumerate(rows):
        yield from (neg(conj(pair)) for other in rows[:one] for pair in zip(row, other, strict=True))


@pytest.fixture
def hears():
    """SIGINT is heard here, even where it was ignored when this process started."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def soon(action, after=0.3):
    timer = threading.Timer(after, action)
    timer.start()
    return timer


def press():
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)


@pytest.mark.usefixtures("hears")
def test_a_check_without_end_ends_with_ctrl_c_and_the_solver_can_be_asked_again():
    solver = Solver("pigeons", pigeons(12))
    timer = soon(press)
    with pytest.raises(KeyboardInterrupt):
        solver.ask()
    timer.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.set_wakeup_fd(-1) == -1
    answer = solver.ask(time.monotonic() + 0.2)
    assert isinstance(answer, NoAnswer)
    assert answer.stop is Stop.DEADLINE


@pytest.mark.usefixtures("hears")
def test_a_handler_that_raises_nothing_is_called_once_and_the_check_goes_on():
    calls = []
    signal.signal(signal.SIGINT, lambda *_: calls.append(1))
    solver = Solver("pigeons", pigeons(7))
    assert solver.ask() == Unsat()  # so long that the signals below come in the middle, or nearly so
    timers = [soon(press, after) for after in (0.01, 0.06)]
    assert Solver("pigeons", pigeons(7)).ask() == Unsat()
    for timer in timers:
        timer.join()
    time.sleep(0.05)
    assert len(calls) == 2


@pytest.mark.usefixtures("hears")
def test_a_press_while_terms_are_made_is_one_keyboard_interrupt(capfd):
    """z3's objects come and go all the time; left alone, Python would drop some of these, or raise something else."""
    chance, unheard = random.Random(3), []
    for _ in range(10):
        timer = soon(press, chance.uniform(0.01, 0.1))
        with pytest.raises(KeyboardInterrupt):
            make_for_long(unheard)
        timer.join()
    assert not unheard  # each was raised where terms are made, not where that ended
    assert capfd.readouterr() == ("", "")


@Interruptible()
def make_for_long(unheard):
    bits, end = constants("b", 8), time.monotonic() + 20
    while time.monotonic() < end:
        conj(neg(disj((bit, other))) for bit in bits for other in bits)
    unheard.append(end)


def test_what_ignores_ctrl_c_goes_on_ignoring_it(hears):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    timer = soon(press, 0.01)
    assert Solver("pigeons", pigeons(7)).ask() == Unsat()
    timer.join()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_another_thread_asks_without_hearing_signals(hears):
    answers = []
    thread = threading.Thread(target=lambda: answers.append(Solver("bit", constants("b", 1)).ask()))
    thread.start()
    thread.join()
    assert isinstance(answers[0], Sat)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("hears")
def test_whoever_waits_for_signals_at_a_descriptor_still_gets_them():
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer)
    try:
        timer = soon(press)
        with pytest.raises(KeyboardInterrupt):
            Solver("pigeons", pigeons(12)).ask()
        timer.join()
        assert os.read(reader, 1) == bytes((signal.SIGINT,))
        assert signal.set_wakeup_fd(writer) == writer
    finally:
        signal.set_wakeup_fd(before)
        os.close(reader)
        os.close(writer)


@pytest.mark.thorough  # tests/cli/test_commands.py interrupts the same command once
@pytest.mark.slow
def test_synth_ends_with_what_was_found_whenever_ctrl_c_comes():
    """From the first search on; the command would take for ever."""
    problem = ["--system", "2x2x2x2", "--axes", "16", "--reduce", "0", "--limit", "9", "--json"]
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from p2smt.reduction.synth import session; find = session.find_programs\n"
        "def told(*given):\n print('begun', file=sys.stderr, flush=True); return find(*given)\n"
        "session.find_programs = told\nfrom p2smt.cli.main import main; main()"
    )
    chance = random.Random(5)
    for run in range(RUNS):
        command = [sys.executable, "-c", program, "synth", *problem]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            assert process.stderr.readline() == "begun\n"
            time.sleep((run + chance.random()) / RUNS)
            process.send_signal(signal.SIGINT)
            try:
                out, err = process.communicate(timeout=60)
            finally:
                process.kill()
        assert (process.returncode, err) == (3, "")
        assert json.loads(out)["stopped"] == "interrupted"
